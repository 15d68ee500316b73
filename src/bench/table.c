// SPDX-License-Identifier: MIT
// table.c -- ladders as tables and as JSON.
#include "bench/rungs.h"
#include <string.h>

// Columns, not bytes: how many characters of UTF-8.
static int width(const char *s) {
    int n = 0;
    for (; *s; s++) n += (*s & 0xc0) != 0x80;
    return n;
}

static void put_left(const char *s, int columns) {
    printf("%s", s);
    for (int n = width(s); n < columns; n++) putchar(' ');
}

static const char *figure(Arena *a, double x) {
    if (x <= 0) return "-";
    return arena_printf(a, x < 100 ? "%.1f" : "%.0f", x);
}

static void put_document(Bench *b, const Rung *r) {
    const char *text = "-";
    if (r->host > 0 && r->kernel > 0)
        text = arena_printf(b->a, "%s / %s", figure(b->a, r->host), figure(b->a, r->kernel));
    else if (r->host > 0) text = arena_printf(b->a, "%s / -", figure(b->a, r->host));
    else if (r->kernel > 0) text = arena_printf(b->a, "- / %s", figure(b->a, r->kernel));
    put_left(text, 13);
}

static void put_result(Bench *b, const Result *r) {
    put_left(r->rung->name, 34);
    printf(" ");
    const Rung *g = r->rung;
    put_left(g->library     ? "(the library)"
             : g->automatic ? "(automatic)"
             : g->patterns  ? arena_printf(b->a, "(rules: %s)", r->with ? r->with : "?")
             : g->recipe    ? g->recipe
                            : "(steps)",
             26);
    printf(" ");
    put_document(b, g);
    if (r->why) return (void)printf("  NONE: %s\n", r->why);
    printf(" %9s %9s %6.1f %7s %4s %7lld %10.3f  %s%s%s\n", figure(b->a, r->host_gflops),
           figure(b->a, r->gflops), r->ceiling > 0 ? 100 * r->gflops / r->ceiling : 0,
           r->gain > 0 ? arena_printf(b->a, "%.2f", r->gain) : "-",
           r->registers ? arena_printf(b->a, "%d", r->registers) : "-", r->shared, 1e3 * r->seconds,
           g->machine && (g->host > 0 || g->kernel > 0) ? g->machine : "", g->note ? "; " : "",
           g->note ? g->note : "");
}

void ladder_table(Bench *b, const Ladder *l, const Results *all) {
    printf("%s%s%s on %s; the document's figures are host to host / kernel alone, decimal GFLOP/s\n", l->name,
           l->title ? ": " : "", l->title ? l->title : "", b->machine);
    const char *size = NULL, *group = NULL;
    for (int i = 0; i < all->n; i++) {
        const Result *r = &all->at[i];
        if (!str_eq(r->size, size)) {
            size = r->size;
            printf("\nn = %s\n", size);
            put_left("rung", 35);
            put_left("recipe", 27);
            put_left("document", 14);
            printf("%9s %9s %6s %7s %4s %7s %10s  %s\n", "host-host", "kernel", "%ceil", "gain", "regs",
                   "shared", "ms", "the document's machine");
        }
        if (r->rung->group && !str_eq(r->rung->group, group)) printf("-- %s\n", r->rung->group);
        group = r->rung->group;
        put_result(b, r);
    }
    const Ceilings *c = &b->ceilings;
    if (c->fma > 0)
        printf("\nceilings here: multiply-adds %.0f GFLOP/s, copy %.0f, read %.0f, write %.0f GB/s\n", c->fma,
               c->copy, c->read, c->write);
    if (b->failed) printf("%d rungs have no figure\n", b->failed);
}

// What is odd in the figures, and why.
void ladder_remarks(const Ladder *l, const Results *all) {
    bool head = false;
    for (int i = 0; i < l->rungs.n; i++) {
        const Rung *r = &l->rungs.at[i];
        bool ran = false;
        for (int k = 0; k < all->n; k++) ran = ran || (all->at[k].rung == r && all->at[k].seconds > 0);
        if (!r->here || !ran) continue;
        printf("%s%s: %s\n", head ? "" : "\nremarks\n", r->name, r->here);
        head = true;
    }
}

static const Result *find(const Results *all, const char *name, const char *size) {
    for (int i = 0; i < all->n; i++)
        if (str_eq(all->at[i].rung->name, name) && str_eq(all->at[i].size, size)) return &all->at[i];
    return NULL;
}

void ladder_ratios(Bench *b, const Results *all) {
    bool head = false;
    for (int i = 0; i < all->n; i++) {
        const Result *r = &all->at[i], *x = r->rung->against ? find(all, r->rung->against, r->size) : NULL;
        if (!r->rung->against) continue;
        if (!head) printf("\nratios here: of the kernels alone, host to host; and the document's\n");
        head = true;
        put_left(arena_printf(b->a, "%s over %s", r->rung->name, r->rung->against), 60);
        if (x && r->seconds > 0 && x->seconds > 0)
            printf(" n = %-8s %8.2f %8s %8s\n", r->size, x->seconds / r->seconds,
                   r->host_s > 0 && x->host_s > 0 ? arena_printf(b->a, "%.2f", x->host_s / r->host_s) : "-",
                   r->rung->ratio > 0 ? arena_printf(b->a, "%.1f", r->rung->ratio) : "-");
        else
            printf(" n = %-8s NONE: %s\n", r->size,
                   r->why        ? r->why
                   : x && x->why ? x->why
                                 : "there is no such rung at this size");
    }
}

// From host to host: where the arrays live, what streaming gives and what page-locking costs.
void ladder_hosts(Bench *b, const Results *all) {
    bool head = false;
    for (int i = 0; i < all->n; i++) {
        const Result *r = &all->at[i];
        if (r->host_s <= 0 || !r->rung->memory) continue;
        if (!head) printf("\nhost to host, ms%42s %9s %9s %9s\n", "all", "serial", "gain", "pinning");
        head = true;
        put_left(arena_printf(b->a, "%s, %s", r->rung->name, r->rung->memory), 46);
        printf(" n = %-6s %9.3f %9s %9s %9s\n", r->size, 1e3 * r->host_s,
               r->serial_s > 0 ? arena_printf(b->a, "%.3f", 1e3 * r->serial_s) : "-",
               r->serial_s > 0 ? arena_printf(b->a, "%.2f", r->serial_s / r->host_s) : "-",
               r->pin_s > 0 ? arena_printf(b->a, "%.3f", 1e3 * r->pin_s) : "-");
    }
}

void ladder_grid(Bench *b, const Ladder *l, const Results *all) {
    (void)b;
    printf("%s: GFLOP/s of the kernel, and how many per cent of its multiply-adds are extra\n%-10s", l->name,
           "n");
    for (int k = 0; k < l->rungs.n; k++) printf(" %18s", l->rungs.at[k].name);
    const char *size = NULL;
    double low[64] = {0}, high[64] = {0};
    for (int i = 0; i < all->n; i++) {
        if (str_eq(all->at[i].size, size)) continue;
        size = all->at[i].size;
        printf("\n%-10s", size);
        for (int k = 0; k < l->rungs.n; k++) {
            const Result *r = find(all, l->rungs.at[k].name, size);
            if (!r || r->gflops <= 0) {
                printf(" %18s", "NONE");
                continue;
            }
            if (r->extra >= 0) printf(" %9.1f + %5.2f%%", r->gflops, 100 * r->extra);
            else printf(" %18.1f", r->gflops);
            if (k < 64 && (low[k] == 0 || r->gflops < low[k])) low[k] = r->gflops;
            if (k < 64 && r->gflops > high[k]) high[k] = r->gflops;
        }
    }
    printf("\n%-10s", "low/high");
    for (int k = 0; k < l->rungs.n && k < 64; k++) printf(" %18.3f", high[k] > 0 ? low[k] / high[k] : 0);
    putchar('\n');
    for (int k = 0; k < l->rungs.n; k++) {
        const Result *r = size ? find(all, l->rungs.at[k].name, size) : NULL;
        if (r && r->why) printf("%s: NONE: %s\n", r->rung->name, r->why);
    }
}

void ladder_json(Bench *b, const Ladder *l, const Result *r, const Case *k, const Trial *t) {
    const Rung *g = r->rung;
    Text j = json_open(b->a);
    json_text(&j, "kind", "rung");
    json_text(&j, "ladder", l->name);
    json_text(&j, "rung", g->name);
    if (g->group) json_text(&j, "group", g->group);
    json_text(&j, "source", g->source);
    json_text(&j, "recipe",
              g->library     ? "library"
              : g->automatic ? "automatic"
              : g->patterns  ? "patterns"
              : g->recipe    ? g->recipe
                             : g->steps);
    if (g->patterns) json_text(&j, "with", r->with);
    json_text(&j, "size", r->size);
    json_text(&j, "device", k ? k->lab->info->name : NULL);
    json_text(&j, "document_machine", g->machine);
    json_number(&j, "document_host_gflops", g->host > 0 ? g->host : -1);
    json_number(&j, "document_kernel_gflops", g->kernel > 0 ? g->kernel : -1);
    json_number(&j, "document_ratio", g->ratio > 0 ? g->ratio : -1);
    json_number(&j, "per_cent_of_ceiling",
                r->ceiling > 0 && r->gflops > 0 ? 100 * r->gflops / r->ceiling : -1);
    json_number(&j, "gain", r->gain > 0 ? r->gain : -1);
    json_number(&j, "extra_per_cent", r->extra >= 0 ? 100 * r->extra : -1);
    if (k && t) json_trial(&j, k, t);
    else json_text(&j, "why", r->why);
    json_close(b, &j);
}
