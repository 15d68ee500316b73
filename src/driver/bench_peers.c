// SPDX-License-Identifier: MIT
// bench_peers.c -- below a ladder's table: pattern rules and programs, and other compilers' figures.
#include "driver/bench_peers.h"
#include "driver/bench_patterns.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 32, FIELDS = 7 };

// ---- which rules apply ---------------------------------------------------------------------------------
static const Patterns *patterns_in(Bench *b, Compile *c, const char *source) {
    const char *why, *nests, *text = b->region(b, source, &why);
    IrFile *f = text ? ir_parse(c, source, bench_split(c->arena, text, &nests)) : NULL;
    return f ? patterns_of(c, f->region, dep_analyze(c, f->region)) : NULL;
}

void ladder_patterns(Bench *b, const Ladder *l) {
    const char *name[MOST_PROGRAMS];
    const Patterns *all[MOST_PROGRAMS];
    Compile *compile[MOST_PROGRAMS];
    int n = 0;
    for (int i = 0; i < l->rungs.n && n < MOST_PROGRAMS; i++) {
        const Rung *r = &l->rungs.at[i];
        const char *program = r->patterns ? patterns_name(b->a, r->source) : NULL;
        bool known = !program;
        for (int k = 0; k < n && !known; k++) known = str_eq(name[k], program);
        if (known) continue;
        compile[n] = compile_new();
        all[n] = patterns_in(b, compile[n], r->source);
        name[n++] = program;
    }
    if (n) printf("\nwhat the pattern rules find\n"), patterns_table(stdout, n, name, all);
    for (int i = 0; i < n; i++) compile_free(compile[i]);
}

// ---- other compilers --------------------------------------------------------------------------------------
typedef struct Peer {
    const char *field[FIELDS]; // program, n, unit, work, compiler, figure, note
} Peer;

static bool read_peer(Arena *a, const char *line, size_t n, Peer *p) {
    int k = 0;
    for (const char *s = line; k < FIELDS && s <= line + n; k++) {
        size_t len = strcspn(s, "\t\n");
        p->field[k] = arena_strndup(a, s, len);
        s += len + 1;
    }
    return k == FIELDS;
}

static bool is_named(Arena *a, const char *source, const char *program) {
    return str_eq(patterns_name(a, source), program);
}

// The fastest here at that size, of rungs for the device whose source has the program's name.
static const Result *fastest(Bench *b, const Results *all, const Peer *p) {
    const Result *best = NULL;
    for (int i = 0; i < all->n; i++) {
        const Result *r = &all->at[i];
        if (r->rung->cpu || r->seconds <= 0 || !str_eq(r->size, p->field[1]) || !is_named(b->a, r->rung->source, p->field[0])) continue;
        if (!best || r->seconds < best->seconds) best = r;
    }
    return best;
}

static void put_peer(Bench *b, const Results *all, const Peer *p) {
    Settings_ s = {0};
    int64_t work = 0;
    double figure = strtod(p->field[5], NULL), here = 0;
    bool ratio = str_eq(p->field[2], "x");
    const Result *r = ratio ? NULL : fastest(b, all, p);
    if (r && bench_size(b->a, p->field[1], &s) && setting_value(b->a, s.n, s.at, p->field[3], &work)) here = bench_rate((double)work, r->seconds);
    printf("%-10s %-8s %-26s %9.*f %-8s", p->field[0], p->field[1], p->field[4], figure < 100 ? 1 : 0, figure, p->field[2]);
    if (here > 0) printf(" %9.0f %7.2f", here, here / figure);
    else printf(" %9s %7s", "-", "-");
    printf("  %s\n", p->field[6]);
    Text j = json_open(b->a);
    json_text(&j, "kind", "peer");
    json_text(&j, "program", p->field[0]);
    json_text(&j, "size", p->field[1]);
    json_text(&j, "compiler", p->field[4]);
    json_text(&j, "unit", p->field[2]);
    json_number(&j, "figure", figure);
    json_number(&j, "here", here > 0 ? here : -1);
    json_text(&j, "note", p->field[6]);
    json_close(b, &j);
}

void ladder_peers(Bench *b, const Ladder *l, const Results *all) {
    const char *text = file_read(b->a, bench_file(b, "bench/%s/peers.tsv", l->name), NULL);
    bool head = false;
    for (const char *s = text; s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
        Peer p;
        if (*s == '#' || !read_peer(b->a, s, strcspn(s, "\n"), &p)) continue;
        if (!head) printf("\nother compilers, and the fastest here\n%-10s %-8s %-26s %9s %-8s %9s %7s\n", "program", "n", "compiler", "figure", "", "here", "times");
        head = true;
        put_peer(b, all, &p);
    }
}
