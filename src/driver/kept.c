// SPDX-License-Identifier: MIT
// kept.c -- a ladder's results as they were kept (bench/results/ladder-*.json, or lines of --out): its
// tables again, without the device; and those of several runs as one.
#include "bench/rungs.h"
#include <jansson.h>
#include <string.h>

typedef VEC(json_t *) Rows;

static void add(Arena *a, Rows *rows, json_t *one) {
    json_t *list = json_object_get(one, "rows"), *x;
    size_t i;
    if (!list) vec_push(a, rows, json_incref(one));
    json_array_foreach(list, i, x) vec_push(a, rows, json_incref(x));
}

static bool read_file(Bench *b, const char *file, Rows *rows) {
    json_error_t e;
    FILE *f = fopen(file, "r");
    if (!f) return fprintf(stderr, "bench: cannot read %s\n", file), false;
    json_t *one;
    while ((one = json_loadf(f, JSON_DISABLE_EOF_CHECK, &e))) {
        add(b->a, rows, one);
        json_decref(one);
    }
    bool end = feof(f);
    fclose(f);
    return end || (fprintf(stderr, "bench: %s:%d: %s\n", file, e.line, e.text), false);
}

static const char *text_of(Arena *a, const json_t *row, const char *key) {
    const char *s = json_string_value(json_object_get(row, key));
    return s ? arena_strdup(a, s) : NULL;
}

static double number_of(const json_t *row, const char *key, double otherwise) {
    const json_t *x = json_object_get(row, key);
    return json_is_number(x) ? json_number_value(x) : otherwise;
}

static bool is(const json_t *row, const char *key, const char *value) {
    return str_eq(json_string_value(json_object_get(row, key)), value);
}

static void usage(const json_t *row, Result *r) {
    const json_t *x;
    size_t i;
    json_array_foreach(json_object_get(row, "kernels"), i, x) {
        double registers = number_of(x, "registers", 0), shared = number_of(x, "shared", 0);
        if (registers > r->registers) r->registers = (int)registers;
        if (shared > (double)r->shared) r->shared = (long long)shared;
    }
}

static void take(Arena *a, const json_t *row, Result *r) {
    double percent = number_of(row, "per_cent_of_ceiling", 0);
    r->why = text_of(a, row, "why");
    r->with = text_of(a, row, "with");
    r->seconds = number_of(row, "kernel_s", 0);
    r->gflops = number_of(row, "gflops", 0);
    r->host_s = number_of(row, "host_s", 0);
    r->host_gflops = number_of(row, "host_gflops", 0);
    r->serial_s = number_of(row, "host_serial_s", 0);
    r->pin_s = number_of(row, "pinning_s", 0);
    r->library = number_of(row, "vendor_gflops", 0);
    r->ceiling = percent > 0 ? 100 * r->gflops / percent : 0;
    r->extra = number_of(row, "extra_per_cent", -100) / 100;
    usage(row, r);
}

// The last figure of a rung at a size; if there is none, the last that says why.
static const json_t *find(const Rows *rows, const Ladder *l, const Rung *r, const char *size) {
    const json_t *without = NULL;
    for (int i = rows->n - 1; i >= 0; i--) {
        const json_t *x = rows->at[i];
        if (!is(x, "kind", "rung") || !is(x, "ladder", l->name) || !is(x, "rung", r->name) ||
            !is(x, "size", size))
            continue;
        if (number_of(x, "kernel_s", 0) > 0) return x;
        if (!without) without = x;
    }
    return without;
}

static void ceiling(const json_t *row, Ceilings *c) {
    const struct {
        const char *name;
        double *to;
    } all[] = {{"fma", &c->fma}, {"copy", &c->copy}, {"read", &c->read}, {"write", &c->write}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is(row, "what", all[i].name)) *all[i].to = number_of(row, "value", 0);
}

// The devices' names, from rungs that ran there, then the ceilings of each.
static void devices(Bench *b, const Rows *rows, const Ladder *l) {
    const char *cpu = NULL;
    for (int i = 0; i < rows->n; i++)
        for (int k = 0; k < l->rungs.n; k++) {
            const char *device =
                is(rows->at[i], "rung", l->rungs.at[k].name) ? text_of(b->a, rows->at[i], "device") : NULL;
            if (device && l->rungs.at[k].cpu) cpu = device;
            else if (device) b->machine = device;
        }
    if (!b->machine) b->machine = cpu ? cpu : "no device";
    b->ceilings.tried = b->cpu_ceilings.tried = true;
    for (int i = 0; i < rows->n; i++) {
        if (!is(rows->at[i], "kind", "ceiling")) continue;
        if (is(rows->at[i], "device", b->machine)) ceiling(rows->at[i], &b->ceilings);
        if (cpu && is(rows->at[i], "device", cpu)) ceiling(rows->at[i], &b->cpu_ceilings);
    }
}

bool kept_read(Bench *b, const Ladder *l, Results *out) {
    Rows rows = {0};
    Texts sizes = {0};
    bool ok = true;
    for (int i = 0; i < b->from.n; i++) ok = read_file(b, b->from.at[i], &rows) && ok;
    ladder_sizes(b, l, &sizes);
    devices(b, &rows, l);
    for (int i = 0; i < sizes.n && ok; i++)
        for (int k = 0; k < l->rungs.n; k++) {
            Result r = {.rung = &l->rungs.at[k], .size = sizes.at[i], .extra = -1};
            if (!ladder_has(b, r.rung, r.size)) continue;
            const json_t *row = find(&rows, l, r.rung, r.size);
            if (row) take(b->a, row, &r);
            if (r.seconds <= 0 && !r.why) r.why = row ? "no time was kept" : "no result was kept";
            b->failed += r.seconds <= 0;
            vec_push(b->a, out, r);
            ladder_gain(out, out->n - 1);
        }
    for (int i = 0; i < rows.n; i++) json_decref(rows.at[i]);
    return ok;
}
