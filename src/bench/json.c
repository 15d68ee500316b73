// SPDX-License-Identifier: MIT
// json.c -- figures as JSON, one object a line.
#include "bench/bench.h"
#include <math.h>
#include <string.h>

static void put_string(Text *t, const char *s) {
    text_put(t, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') text_printf(t, "\\%c", c);
        else if (c < 32) text_printf(t, "\\u%04x", c);
        else text_putn(t, s, 1);
    }
    text_put(t, "\"");
}

static void put_key(Text *t, const char *key) {
    char last = t->n ? t->s[t->n - 1] : '{';
    if (last != '{' && last != '[') text_put(t, ", ");
    if (!key) return;
    put_string(t, key);
    text_put(t, ": ");
}

Text json_open(Arena *a) {
    Text t = text_new(a);
    text_put(&t, "{");
    return t;
}

void json_text(Text *t, const char *key, const char *value) {
    put_key(t, key);
    if (value) put_string(t, value);
    else text_put(t, "null");
}

void json_number(Text *t, const char *key, double value) {
    put_key(t, key);
    if (isfinite(value) && value >= 0) text_printf(t, "%.9g", value);
    else text_put(t, "null");
}

void json_bool(Text *t, const char *key, bool value) {
    put_key(t, key);
    text_put(t, value ? "true" : "false");
}

static void put_kernels(Text *t, const Trial *trial) {
    put_key(t, "kernels");
    text_put(t, "[");
    for (int i = 0; i < trial->nkernels; i++) {
        const TrialKernel *k = &trial->kernels[i];
        put_key(t, NULL);
        text_put(t, "{");
        json_text(t, "name", k->name);
        put_key(t, "grid");
        text_printf(t, "[%lld, %lld, %lld]", (long long)k->grid[0], (long long)k->grid[1],
                    (long long)k->grid[2]);
        put_key(t, "block");
        text_printf(t, "[%lld, %lld, %lld]", (long long)k->block[0], (long long)k->block[1],
                    (long long)k->block[2]);
        json_number(t, "shared", (double)k->shared);
        if (k->usage.registers) {
            json_number(t, "registers", k->usage.registers);
            json_number(t, "local", (double)k->usage.local);
            json_number(t, "blocks_an_sm", k->usage.blocks);
        }
        text_put(t, "}");
    }
    text_put(t, "]");
}

void json_trial(Text *t, const Case *k, const Trial *r) {
    json_text(t, "why", r->why);
    if (r->why && r->median_s <= 0 && r->first_s <= 0) return;
    json_bool(t, "right", r->right);
    json_bool(t, "skipped", r->skipped);
    json_bool(t, "proved", r->proved);
    json_number(t, "link", r->link);
    if (r->cost_us > 0) json_number(t, "cost_us", r->cost_us);
    json_number(t, "first_s", r->first_s);
    json_number(t, "kernel_s", r->median_s > 0 ? r->median_s : -1);
    json_number(t, "gflops", bench_rate(k->flops, r->median_s));
    json_number(t, "pairs", r->pairs);
    if (r->vendor_s > 0) {
        json_number(t, "vendor_s", r->vendor_s);
        json_number(t, "vendor_gflops", bench_rate(k->flops, r->vendor_s));
        json_number(t, "ratio", r->ratio);
    }
    if (r->host_s > 0) {
        json_number(t, "host_s", r->host_s);
        json_number(t, "host_gflops", bench_rate(k->flops, r->host_s));
        if (r->serial_s > 0) json_number(t, "host_serial_s", r->serial_s);
        if (r->pin_s > 0) json_number(t, "pinning_s", r->pin_s);
    }
    json_number(t, "error", r->error);
    json_number(t, "vendor_error", k->vendor_error);
    json_number(t, "difference", r->difference);
    json_number(t, "plan_s", r->plan_s);
    json_number(t, "compile_s", r->compile_s);
    put_kernels(t, r);
}

void json_close(Bench *b, Text *t) {
    if (!b->json) return;
    fprintf(b->json, "%s}\n", text_str(t));
    fflush(b->json); // what was measured stays, whatever comes
}
