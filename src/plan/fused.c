// SPDX-License-Identifier: MIT
// fused.c -- what a step does in turn as one loop, so that the points of all steps can go in waves.
//
//   for i { q[0] = 0                                   for i { for j { if (j < 1) q[0] = 0
//           for j < m  q[j + 1] = f(p[j], q[j])    →                   if (j < m) q[j + 1] = f(p[j], q[j])
//           for j <= m  p[j] = q[j] }                                  p[j] = q[j] } }
//
// Tables of which only the last row is kept are written so: a row waits for itself and for the one before it.
// A statement beside the loops is a loop of one iteration. Where an iteration of the second loop has to wait
// for later ones of the first, all of them come some counts later.
#include "plan/auto.h"
#include "rule/loops.h"
#include <isl/constraint.h>
#include <isl/map.h>

static bool stands_below(const Touch *t, int depth, const Node *loop) {
    return t->ev->depth > depth && t->ev->loops[depth]->iter == loop->iter;
}

// Does an iteration of y's loop need to wait for one of x's whose count is greater by more than `late`?
static bool waits(const ChainFacts *f, const Touch *x, const Touch *y, int late) {
    int depth = f->base + f->chain.n;
    isl_map *m = same_element(f->rel, x, y);
    for (int d = 0; d < depth; d++) m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
    isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_map_get_space(m)));
    c = isl_constraint_set_coefficient_si(c, isl_dim_in, depth, 1);
    c = isl_constraint_set_coefficient_si(c, isl_dim_out, depth, -1);
    m = isl_map_add_constraint(m, isl_constraint_set_constant_si(c, -late - 1));
    bool some = isl_map_is_empty(m) != isl_bool_true;
    isl_map_free(m);
    return some;
}

// By how many counts iterations of the second loop have to come later than those of the first, beside which
// it stands in the chain's body. Negative: more than a few.
static int least_delay(const ChainFacts *f, const Node *first, const Node *second) {
    enum { MOST_DELAY = 4 };
    const Relations *r = f->rel;
    int late = 0, depth = f->base + f->chain.n;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            bool pair = stands_below(x, depth, first) && stands_below(y, depth, second);
            if (!pair || !may_conflict(x, y)) continue;
            poly_tick(r->poly);
            while (late <= MOST_DELAY && waits(f, x, y, late)) late++;
            if (late > MOST_DELAY) return -1;
        }
    return late;
}

static bool is_row(const Node *n) { return n->kind == N_FOR && n->step == 1 && !plan_has_loop(n->body); }

// The chain with the first loop of its body and what stands before that as one; NULL: they can't be.
static Node *two_as_one(Plan *p, ChainFacts *f) {
    const Node *seq = unwrap(f->chain.body);
    Node *tree = in_loops(p->a, f->chain.n, f->chain.loop, f->chain.body);
    int at = 1;
    if (seq->kind != N_SEQ || seq->nlocals || seq->nkids < 2) return NULL;
    while (at + 1 < seq->nkids && unwrap(seq->kids[at])->kind != N_FOR) at++;
    const Node *x = unwrap(seq->kids[at - 1]), *y = unwrap(seq->kids[at]);
    if (!is_row(y)) return NULL;
    if (x->kind == N_STMT) {
        const char *name = name_fresh(&p->names, y->iter->name);
        tree = plan_step(p, tree, "single %s loop=%s", x->stmt->label, name);
        x = tree ? loop_named(tree, name) : NULL;
        f = x ? chain_facts(p, tree) : NULL;
    }
    if (!x || !is_row(x) || f->rel->touches.n > MOST_TOUCHES) return NULL;
    int late = least_delay(f, x, y);
    if (late < 0) return NULL;
    return plan_step(p, tree, late ? "fuse %s %s late=%d" : "fuse %s %s", x->iter->name, y->iter->name, late);
}

Node *plan_fused(Plan *p, ChainFacts *f) {
    if (!p->gpu || p->o->plain || p->waving || f->nfree) return NULL;
    PlanMark before = plan_mark(p);
    int loops = f->chain.n;
    while (f->chain.n == loops) {
        Node *tree = two_as_one(p, f);
        if (!tree) return plan_back(p, before), NULL;
        f = chain_facts(p, tree);
    }
    Node *n = plan_waves(p, f);
    return n ? n : (plan_back(p, before), NULL);
}
