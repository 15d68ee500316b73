// SPDX-License-Identifier: MIT
// shapes.c -- strategy: the mapped loops of the standard nest in other shapes.
//
//   grid j i threads=32,8             an iteration a thread
//   grid j i threads=32,8 per=1,4     four rows a thread: what neighbours in y read twice is read once
//   grid j i threads=32,8 per=2,4 apart=yes before=1
//
// Short loops inside are unrolled first, so that the device's compiler sees which reads of a thread are the
// same: the rows of a stencil, the weights of a filter.
#include "plan/auto.h"
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

int site_dims(const Site *s, const Band *b, const Node *dim[3]) {
    int x = -1, best = 0, at[3];
    int64_t trips[8] = {0};
    for (int i = 0; i < b->n; i++) {
        if (!site_is_free(s, b->loop[i])) continue;
        trips[i] = site_trips(s, b->loop[i]);
        trips[i] = trips[i] < 0 ? INT64_MAX : trips[i] + 1;
        int score = site_along(s, b->loop[i]);
        if (x < 0 || score >= best) x = i, best = score;
    }
    if (x < 0) return 0;
    int n = loops_to_map(b->n, trips, x, at);
    for (int d = 0; d < n; d++) dim[d] = b->loop[at[d]];
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

// "32,8,1"; without a text 1 each
static void read_numbers(const char *text, int64_t out[3]) {
    for (int d = 0; d < 3; d++) {
        char *end = NULL;
        out[d] = text && *text ? strtol(text, &end, 10) : 1;
        if (end) text = *end ? end + 1 : end;
    }
}

static void put_numbers(Text *t, const char *word, int n, const int64_t *x) {
    for (int d = 0; d < n; d++) text_printf(t, "%s%lld", d ? "," : word, (long long)x[d]);
}

bool site_grid(const Site *s, const Band *b, int n, const Node *const *dim, const char *threads,
               const char *per, Text *out) {
    int64_t threads_of[3], per_of[3], over = 1;
    read_numbers(threads, threads_of);
    read_numbers(per, per_of);
    for (int d = 0; d < n; d++) {
        int64_t trips = site_trips(s, dim[d]);
        threads_of[d] *= over, over = 1;
        if (trips < 0) continue;
        if (trips < per_of[d]) return false;
        for (int64_t need = (trips + per_of[d] - 1) / per_of[d]; threads_of[d] / 2 >= need; over *= 2)
            threads_of[d] /= 2;
    }
    text_put(out, "grid");
    for (int d = 0; d < n; d++) text_printf(out, " %s", dim[d]->iter->name);
    bool outermost = false;
    for (int d = 0; d < n; d++) outermost |= dim[d] == b->loop[0];
    if (!outermost) text_printf(out, " of=%s", b->loop[0]->iter->name);
    put_numbers(out, " threads=", n, threads_of);
    if (per) put_numbers(out, " per=", n, per_of);
    return true;
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const GridShape *const shapes[] = {of_one, of_two, of_three};
    static const int counts[] = {sizeof of_one / sizeof *of_one, sizeof of_two / sizeof *of_two,
                                 sizeof of_three / sizeof *of_three};
    Arena *a = s->c->arena;
    const Node *dim[3];
    Band b;
    int n = site_band(s, &b) ? site_dims(s, &b, dim) : 0;
    if (!n) return *why = "its loops are no single nest with a parallel one", 0;
    const char *first = unrolled(s, &b);
    int number = 0;
    for (int i = 0; i < counts[n - 1]; i++) {
        const GridShape *g = &shapes[n - 1][i];
        Text t = text_new(a);
        text_put(&t, first);
        if (!site_grid(s, &b, n, dim, g->threads, g->per, &t)) continue;
        if (g->apart) text_put(&t, " apart=yes");
        if (before(dim[0])) text_printf(&t, " before=%d", before(dim[0]));
        int same = 0;
        while (same < number && !str_eq(out[same], text_str(&t))) same++;
        if (same == number) out[number++] = text_str(&t);
    }
    return number;
}

const Strategy shapes_strategy = {"mapped loops in other shapes", recipes};
