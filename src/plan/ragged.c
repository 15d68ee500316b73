// SPDX-License-Identifier: MIT
// ragged.c -- strategy: sums for each element of rows of which the data say how long they are.
//
//   for i                                     block i { for gb                        a row a block
//     for k = row[i] .. row[i + 1] { s = 0      thread gi { thread lane {           16 elements, 8 lanes each
//       for j  s += a[i][j] * b[col[k]][j]  →     for j = lane, lane + 8, …  s += …
//       x[k] = v[k] * s }                         … the lanes' parts are combined by a tree } } }
//
// A thread a row would go through whole rows of b by itself, each elsewhere. Lanes side by side read one of
// them side by side (products of two matrices where a sparse one has elements, distances to neighbours).
#include "plan/strategy.h"
#include "rule/loops.h"

enum { LOOPS = 8, MOST_ROWS = 3 };

typedef struct Ragged {
    const Node *element, *sum[LOOPS];   // the loop over a row's elements, and the sums in it
    int nsums;
} Ragged;

static bool add_sums(const Site *s, const Node *body, Ragged *out) {
    for (int i = 0; i < (body->kind == N_SEQ ? body->nkids : 1); i++) {
        const Node *n = body->kind == N_SEQ ? body->kids[i] : body;
        if (n->kind == N_STMT) continue;
        if (n->kind != N_FOR || out->nsums == LOOPS || !site_is_sum(s, n)) return false;
        out->sum[out->nsums++] = n;
    }
    return out->nsums > 0;
}

static bool find(const Site *s, Band *rows, Ragged *out) {
    if (!site_free_band(s, rows) || rows->n > MOST_ROWS) return false;
    const Node *n = rows->body;
    if (n->kind != N_FOR || n->step != 1 || loop_is_unbounded(n) || loop_while(n)) return false;
    out->element = n;
    bool told = expr_has_load(n->lo) || expr_has_load(n->hi);
    return told && site_is_free(s, n) && add_sums(s, unwrap(n->body), out);
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const int lanes[] = {4, 8, 16, 32}, threads[] = {64, 128, 256};
    Ragged r = {0};
    Band rows;
    int n = 0;
    *why = "no sums for each element of rows of which the data say how long they are";
    if (!str_eq(s->call->target, "gpu") || !find(s, &rows, &r)) return 0;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            Text t = text_new(s->c->arena);
            int each = threads[k] / lanes[i];
            text_printf(&t, "strip %s by=%d as=gb,gi\nmap block", r.element->iter->name, each);
            for (int d = 0; d < rows.n; d++) text_printf(&t, " %s", rows.loop[d]->iter->name);
            text_put(&t, "\nmap thread gi\nreduce");
            for (int d = 0; d < r.nsums; d++) text_printf(&t, " %s", r.sum[d]->iter->name);
            text_printf(&t, " by=%d", lanes[i]);
            out[n++] = text_str(&t);
        }
    return n;
}

const Strategy ragged_strategy = {"teams for elements of ragged rows", recipes};
