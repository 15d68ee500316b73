// SPDX-License-Identifier: MIT
// peers.c -- below a ladder's table: pattern rules and programs, and other compilers' figures.
#include "bench/peers.h"
#include "bench/patterns.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 32, FIELDS = 7 };

// ---- ratios as a table ---------------------------------------------------------------------------------
// "matmul, GPU basic" in the group matmul: "GPU basic". NULL: not named so.
static const char *what_of(const Rung *r, const char *name) {
    size_t n = r->group && name ? strlen(r->group) : 0;
    return n && strncmp(name, r->group, n) == 0 && strncmp(name + n, ", ", 2) == 0 ? name + n + 2 : NULL;
}

static const Result *result_of(const Results *all, const char *name, const char *size) {
    for (int i = 0; i < all->n; i++)
        if (str_eq(all->at[i].rung->name, name) && (!size || str_eq(all->at[i].size, size)) &&
            all->at[i].seconds > 0)
            return &all->at[i];
    return NULL;
}

static const Rung *rung_of(const Ladder *l, const char *group, const char *what) {
    for (int i = 0; i < l->rungs.n; i++)
        if (str_eq(l->rungs.at[i].group, group) &&
            str_eq(what_of(&l->rungs.at[i], l->rungs.at[i].name), what))
            return &l->rungs.at[i];
    return NULL;
}

static int groups_of(const Ladder *l, const char **out) {
    int n = 0;
    for (int i = 0; i < l->rungs.n && n < MOST_PROGRAMS; i++) {
        const char *g = l->rungs.at[i].group;
        bool known = !g || !what_of(&l->rungs.at[i], l->rungs.at[i].name);
        for (int k = 0; k < n; k++) known = known || str_eq(out[k], g);
        if (!known) out[n++] = g;
    }
    return n;
}

static void put_ratios(Bench *b, const Ladder *l, const Results *all, int n, const char *const *group,
                       const Rung *row) {
    const char *what = what_of(row, row->name), *under = what_of(row, row->against);
    printf("%s\n", arena_printf(b->a, "%s over %s", what, under ? under : row->against));
    for (int there = 0; there < 2; there++) {
        printf("  %-16s", there ? "there" : "here");
        for (int k = 0; k < n; k++) {
            const Rung *r = rung_of(l, group[k], what);
            const Result *x = r ? result_of(all, r->name, NULL) : NULL,
                         *y = x ? result_of(all, r->against, x->size) : NULL;
            double v = there ? (r ? r->ratio : 0) : x && y ? y->seconds / x->seconds : 0;
            if (v > 0) printf(" %16.2f", v);
            else printf(" %16s", "-");
        }
        putchar('\n');
    }
}

void ladder_matrix(Bench *b, const Ladder *l, const Results *all) {
    const char *group[MOST_PROGRAMS];
    int n = groups_of(l, group);
    if (n < 2) return;
    printf("\n%-18s", "ratios");
    for (int k = 0; k < n; k++) printf(" %16s", group[k]);
    putchar('\n');
    for (int i = 0; i < l->rungs.n; i++)
        if (str_eq(l->rungs.at[i].group, group[0]) && l->rungs.at[i].against)
            put_ratios(b, l, all, n, group, &l->rungs.at[i]);
    printf("per cent of the multiply-adds here\n");
    for (int i = 0; i < l->rungs.n; i++) {
        const Rung *row = &l->rungs.at[i];
        if (!str_eq(row->group, group[0]) || !what_of(row, row->name)) continue;
        printf("  %-28s", what_of(row, row->name));
        for (int k = 0; k < n; k++) {
            const Rung *r = rung_of(l, group[k], what_of(row, row->name));
            const Result *x = r ? result_of(all, r->name, NULL) : NULL;
            double most = x ? bench_ceilings(b, row->cpu)->fma : 0;
            if (x && most > 0) printf(k ? " %16.1f" : " %4.1f", 100 * x->gflops / most);
            else printf(k ? " %16s" : " %4s", "-");
        }
        putchar('\n');
    }
}

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
        if (r->rung->cpu || r->seconds <= 0 || !str_eq(r->size, p->field[1]) ||
            !is_named(b->a, r->rung->source, p->field[0]))
            continue;
        if (!best || r->seconds < best->seconds) best = r;
    }
    return best;
}

static void put_peer(Bench *b, const Results *all, const Peer *p) {
    SettingVec s = {0};
    int64_t work = 0;
    double figure = strtod(p->field[5], NULL), here = 0;
    bool ratio = str_eq(p->field[2], "x");
    const Result *r = ratio ? NULL : fastest(b, all, p);
    if (r && bench_size(b->a, p->field[1], &s) && setting_value(b->a, s.n, s.at, p->field[3], &work))
        here = bench_rate((double)work, r->seconds);
    printf("%-10s %-8s %-26s %9.*f %-8s", p->field[0], p->field[1], p->field[4], figure < 100 ? 1 : 0, figure,
           p->field[2]);
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
        if (!head)
            printf("\nother compilers, and the fastest here\n%-10s %-8s %-26s %9s %-8s %9s %7s\n", "program",
                   "n", "compiler", "figure", "", "here", "times");
        head = true;
        put_peer(b, all, &p);
    }
}
