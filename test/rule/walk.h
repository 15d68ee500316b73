// SPDX-License-Identifier: MIT
// walk.h -- random steps with random knobs.
#ifndef SCULPT_TEST_WALK_H
#define SCULPT_TEST_WALK_H
#include "follow.h"
#include "plan/recipe.h"

typedef struct Rand {
    uint64_t state;
} Rand;

static inline unsigned rnd(Rand *g, unsigned n) {
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->state >> 33) % n;
}

typedef struct Choice {
    Rand *g;
    int n;
    Step *step;
} Choice;

static inline void offer(Change *ch, Step *s, void *arg) {
    (void)ch;
    Choice *c = arg;
    if (rnd(c->g, (unsigned)++c->n) == 0) c->step = s;
}

static inline void change_knobs(Arena *a, Rand *g, Step *s) {
    static const int values[] = {1, 2, 3, 4, 5, 7, 8, 16};
    for (int i = 0; i < s->nknobs; i++) {
        int64_t v;
        if (!step_int(s->knobs[i].value, &v)) continue;
        s->knobs[i].value = arena_printf(a, "%d", values[rnd(g, sizeof values / sizeof *values)]);
    }
}

static inline Step *random_step(Compile *c, const Nest *n, Rand *g) {
    Choice all = {g, 0, NULL};
    int nrules = 0;
    while (rule_catalogue[nrules]) nrules++;
    for (int tries = 0; tries < 20 && !all.step; tries++) {
        const Rule *r = rule_catalogue[rnd(g, (unsigned)nrules)];
        Change ch = {.c = c, .a = c->arena, .nest = n, .rule = r, .names = {c->arena, n->region, 0}};
        if (r->find) r->find(&(Finder){.ch = &ch, .found = offer, .arg = &all});
    }
    if (all.step) change_knobs(c->arena, g, all.step);
    return all.step;
}

static inline bool is_small(Compile *c, const Nest *n) { return strlen(ir_print_node(c->arena, n->root,
    0)) < 6000; }

// The nest after a step that the judge allows; n itself if what was tried does not fit or is refused.
static inline Nest *random_accepted(Compile *c, Nest *n, Rand *g) {
    const char *why;
    Step *s = random_step(c, n, g);
    Nest *next = s ? rule_try(c, n, s, &why) : NULL;
    Nest *closed = next ? recipe_finish(c, next) : NULL;
    if (!closed || !ir_verify_nest(c, closed)) return n;
    Verdict v = dep_judge_nest(c, closed);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) return n;
    if (v.answer == ANSWER_WHEN) closed->when = expr_op(c->arena, OP_LAND, closed->when, v.when, NULL);
    return closed;
}
#endif
