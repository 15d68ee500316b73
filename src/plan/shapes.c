// SPDX-License-Identifier: MIT
// shapes.c -- strategy: the mapped loops of the standard nest in other shapes.
//
//   grid j i threads=32,8             an iteration a thread
//   grid j i threads=32,8 per=1,4     four rows a thread: what neighbours in y read twice is read once
//   grid j i threads=32,8 per=2,4 apart=yes before=1
//
// Short loops inside are unrolled first, so that the device's compiler sees which reads of a thread are the
// same: the rows of a stencil, the weights of a filter.
#include "plan/strategy.h"
#include "rule/rule.h"
#include <stdlib.h>

enum {
    SHORT = 16,   // iterations of a short loop
    COPIES = 128, // of the innermost statements
    LINE = 32,    // elements of a line of memory, at most
};

typedef struct GridShape {
    const char *threads, *per;
    bool apart;
} GridShape;
static const GridShape of_one[] = {{"128", NULL, false}, {"256", "2", true}, {"256", "4", true},
                                   {"64", "4", true}, {"256", "8", true}, {"256", "16", true}},
    of_two[] = {{"32,8", "1,4", false}, {"32,8", "1,8", false}, {"64,4", "1,8", false},
                {"128,2", "1,16", false}, {"64,4", "1,16", false}, {"32,8", "2,4", true},
                {"32,4", "2,8", true}, {"32,8", "4,4", true}, {"128,2", NULL, false},
                {"16,16", "4,4", true}},
    of_three[] = {{"32,8,1", "1,4,1", false}, {"32,8,1", "1,4,4", false}, {"32,4,1", "1,4,4", false},
                  {"32,4,2", "1,2,2", false}, {"64,4,1", "1,2,4", false}, {"32,8,1", "1,2,8", false},
                  {"32,4,1", "2,2,4", true}, {"64,8,1", "1,1,16", false}};

// "grid j i k", x first, then from the inside out; how many loops, at most 3.
static int dims_of(const Site *s, const Band *b, const Node **dim) {
    int x = -1, best = 0, n = 0;
    bool free[8];
    for (int i = 0; i < b->n; i++) {
        free[i] = site_is_free(s, b->loop[i]);
        int score = free[i] ? site_along(s, b->loop[i]) : 0;
        if (free[i] && (x < 0 || score >= best)) x = i, best = score;
    }
    if (x < 0) return 0;
    dim[n++] = b->loop[x];
    for (int i = b->n - 1; i >= 0 && n < 3; i--)
        if (i != x && free[i]) dim[n++] = b->loop[i];
    return n;
}

static const char *unrolled(const Site *s, const Band *b) {
    LoopNames all = {0};
    Text t = text_new(s->c->arena);
    int64_t copies = site_short_loops(s, b->body, SHORT, &all);
    for (int i = 0; copies <= COPIES && i < all.n; i++) text_printf(&t, "unroll %s\n", all.at[i]);
    return text_str(&t);
}

// So many iterations sooner a block begins at a whole line of memory where rows do.
static int before(const Node *x) { return x->lo->kind == E_INT && x->lo->i > 0 ? (int)(x->lo->i % LINE) : 0; }

// Has each loop as many iterations as a thread would take?
static bool has_enough(const Site *s, const GridShape *g, const Node *const *dim) {
    const char *per = g->per;
    for (int d = 0; per && *per; d++) {
        char *end;
        long wanted = strtol(per, &end, 10);
        int64_t trips = site_trips(s, dim[d]);
        if (trips >= 0 && trips < wanted) return false;
        per = *end ? end + 1 : end;
    }
    return true;
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const GridShape *const shapes[] = {of_one, of_two, of_three};
    static const int counts[] = {sizeof of_one / sizeof *of_one, sizeof of_two / sizeof *of_two,
                                 sizeof of_three / sizeof *of_three};
    Arena *a = s->c->arena;
    const Node *dim[3];
    Band b;
    int n = site_band(s, &b) ? dims_of(s, &b, dim) : 0;
    if (!n) return *why = "its loops are no single nest with a parallel one", 0;
    const char *first = unrolled(s, &b);
    int number = 0;
    for (int i = 0; i < counts[n - 1]; i++) {
        const GridShape *g = &shapes[n - 1][i];
        if (!has_enough(s, g, dim)) continue;
        Text t = text_new(a);
        text_printf(&t, "%sgrid", first);
        for (int d = 0; d < n; d++) text_printf(&t, " %s", dim[d]->iter->name);
        if (!site_is_free(s, b.loop[0])) text_printf(&t, " of=%s", b.loop[0]->iter->name);
        text_printf(&t, " threads=%s", g->threads);
        if (g->per) text_printf(&t, " per=%s", g->per);
        if (g->apart) text_put(&t, " apart=yes");
        if (before(dim[0])) text_printf(&t, " before=%d", before(dim[0]));
        out[number++] = text_str(&t);
    }
    return number;
}

const Strategy shapes_strategy = {"mapped loops in other shapes", recipes};
