// SPDX-License-Identifier: MIT
// halos.c -- strategy: several steps of a stencil in one kernel, in tiles that overlap (rule halo).
//
//   for t { for i, j v[i][j] = f(u[i ± 1][j ± 1]);  for i, j u[i][j] = g(v[i ± 1][j ± 1]) }
//
// Steps that are left over run one by one, so numbers of steps come first that leave few.
#include "plan/strategy.h"
#include "rule/rule.h"

enum { MOST_STAGES = 6, MOST_STEPS = 12, MANY = 1 << 20 };

typedef struct HaloShape {
    const char *region, *threads;
} HaloShape;
static const HaloShape shapes[2][2] = {
    {{"2048", "512"}, {"1024", "256"}},
    {{"48,128", "4,128"}, {"64,128", "4,128"}},
};

// Of `trips` steps two launches of `by` at a time leave so many.
static int64_t left(int64_t trips, int64_t by) { return trips % (2 * by); }

static int recipes(const Site *s, const char **out, const char **why) {
    Arena *a = s->c->arena;
    Node *time = unwrap(s->start->root);
    *why = "no steps in order that each go through the same points";
    if (time->kind != N_FOR || site_is_free(s, time)) return 0;
    Node *body = unwrap(time->body);
    int stages = body->kind == N_SEQ ? body->nkids : 1, d = 0;
    if (stages < 1 || stages > MOST_STAGES) return 0;
    Text rest = text_new(a);
    for (int i = 0; i < stages; i++) {
        Chain c = chain_of(body->kind == N_SEQ ? body->kids[i] : body);
        if (c.n < 1 || c.n > 2 || (d && c.n != d)) return 0;
        d = c.n;
        text_put(&rest, "\ngrid");
        for (int k = d - 1; k >= 0; k--) {
            if (!site_is_free(s, c.loop[k])) return 0;
            text_printf(&rest, " %s", c.loop[k]->iter->name);
        }
        text_put(&rest, d == 1 ? " threads=256" : " threads=32,8 per=1,4 apart=yes before=1");
    }
    int64_t trips = site_trips(s, time);
    int n = 0;
    if (trips < 0) trips = MANY; // no call is at hand
    for (int64_t by = 1; 2 * by <= trips && by <= MOST_STEPS; by++) {
        bool best = true; // of more steps a launch some leave no more
        for (int64_t k = by + 1; best && 2 * k <= trips && k < 2 * by; k++)
            best = left(trips, k) > left(trips, by);
        for (int k = 0; k < 2 && best && n < SITE_RECIPES; k++)
            out[n++] = arena_printf(a, "halo %s by=%lld region=%s threads=%s%s\nbatch %s as=graph",
                                    time->iter->name, (long long)by, shapes[d - 1][k].region,
                                    shapes[d - 1][k].threads, text_str(&rest), time->iter->name);
    }
    if (!n) *why = "it has too few steps";
    return n;
}

const Strategy halos_strategy = {"several steps of a stencil together", recipes};
