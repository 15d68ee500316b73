// SPDX-License-Identifier: MIT
// waves.c -- loops that all carry dependences, as waves whose points are parallel.
//
//   for i { for j  u[i][j] = f(u[i-1][j], u[i][j-1]) }
//     →   for w { for i  u[i][w - i] = f(u[i-1][w - i], u[i][w - i - 1]) }       w = i + j
//
// A wave is a sum of the chain's counters, each some times, that is greater behind each dependence than before
// it (Lamport's hyperplanes). The innermost counter is in it once, so that the wave takes the place of that
// loop: rules skew, interchange and trim. The smallest such sum is taken. It is found by the dependences'
// distances: of those at which an iteration and a later one meet, none may have a sum that is not positive.
#include "plan/auto.h"
#include "rule/loops.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

enum { MOST_WAVE_LOOPS = 4, MOST_TIMES = 6, MOST_SETS = 256 };

typedef struct Waves {
    Plan *p;
    ChainFacts *f;
    int n;                            // loops of the chain
    int nsets;
    isl_set *distance[MOST_SETS];     // of the chain's counters, in iterations; host counters agree
    int times[MOST_WAVE_LOOPS];       // each counter's
} Waves;

// ---- distances --------------------------------------------------------------------------------
// Of instances that meet on one element, of which the first stands before in the chain's loop l.
static isl_set *distances(const Waves *w, __isl_take isl_map *m, int l) {
    const ChainFacts *f = w->f;
    int base = f->base;
    for (int k = 0; k < base + l; k++) m = isl_map_equate(m, isl_dim_in, (unsigned)k, isl_dim_out, (unsigned)k);
    m = f->chain.loop[l]->step > 0 ? isl_map_order_lt(m, isl_dim_in, base + l, isl_dim_out, base + l)
                                   : isl_map_order_gt(m, isl_dim_in, base + l, isl_dim_out, base + l);
    int all = base + w->n, in = isl_map_dim(m, isl_dim_in), out = isl_map_dim(m, isl_dim_out);
    m = isl_map_project_out(m, isl_dim_in, (unsigned)all, (unsigned)(in - all));
    m = isl_map_project_out(m, isl_dim_out, (unsigned)all, (unsigned)(out - all));
    m = isl_map_project_out(m, isl_dim_in, 0, (unsigned)base);
    m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)base);
    m = isl_map_set_tuple_name(m, isl_dim_in, "");
    m = isl_map_set_tuple_name(m, isl_dim_out, "");
    m = isl_map_reset_tuple_id(m, isl_dim_in);
    m = isl_map_reset_tuple_id(m, isl_dim_out);
    return isl_set_coalesce(isl_map_deltas(m));
}

static bool is_known(const Waves *w, isl_set *d) {
    for (int i = 0; i < w->nsets; i++)
        if (isl_set_is_subset(d, w->distance[i]) == isl_bool_true) return true;
    return false;
}

// False: too many, or an access stands outside of the chain's body.
static bool find_distances(Waves *w) {
    const Relations *r = w->f->rel;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            if (x->first != i || y->first != j || !may_conflict(x, y)) continue;
            if (x->ev->depth < w->f->base + w->n || y->ev->depth < w->f->base + w->n) return false;
            poly_tick(r->poly);
            isl_map *m = same_element(w->f->rel, x, y);
            for (int l = 0; l < w->n; l++) {
                isl_set *d = distances(w, isl_map_copy(m), l);
                if (isl_set_is_empty(d) == isl_bool_true || is_known(w, d)) isl_set_free(d);
                else if (d && w->nsets < MOST_SETS) w->distance[w->nsets++] = own_set(w->p->a, d);
                else return isl_set_free(d), isl_map_free(m), false;
            }
            isl_map_free(m);
        }
    return true;
}

// ---- the wave ---------------------------------------------------------------------------------
static int direction(const Waves *w, int l) { return w->f->chain.loop[l]->step > 0 ? 1 : -1; }

// Is the sum positive for all of these distances?
static bool goes_forward(const Waves *w, isl_set *d) {
    isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_set_get_space(d)));
    for (int l = 0; l < w->n; l++)
        c = isl_constraint_set_coefficient_si(c, isl_dim_set, l, -w->times[l] * direction(w, l));
    isl_set *back = isl_set_add_constraint(isl_set_copy(d), c); // -sum >= 0
    bool none = isl_set_is_empty(back) == isl_bool_true;
    isl_set_free(back);
    return none;
}

static bool is_wave(const Waves *w) {
    for (int i = 0; i < w->nsets; i++)
        if (!goes_forward(w, w->distance[i])) return false;
    return true;
}

// Loops from l on add up to `left` times.
static bool find_times(Waves *w, int l, int left) {
    if (l == w->n - 1) return w->times[l] = 1, left == 0 && is_wave(w);
    for (w->times[l] = 0; w->times[l] <= left; w->times[l]++)
        if (find_times(w, l + 1, left - w->times[l])) return true;
    return false;
}

static bool find_wave(Waves *w) {
    for (int sum = 0; sum <= MOST_TIMES; sum++)
        if (find_times(w, 0, sum)) return true;
    return false;
}

// ---- the tree ---------------------------------------------------------------------------------------
// The wave outermost; the chain's other loops inside of it, with bounds that name it.
static Node *in_waves(const Waves *w) {
    const Chain *c = &w->f->chain;
    const char *last = c->loop[w->n - 1]->iter->name;
    Text order = text_new(w->p->a);
    Node *tree = in_loops(w->p->a, c->n, c->loop, c->body);
    for (int l = 0; l < w->n - 1; l++) {
        const char *name = c->loop[l]->iter->name;
        int by = w->times[l] * direction(w, l) * direction(w, w->n - 1);
        if (by) tree = plan_step(w->p, tree, "skew %s with=%s by=%d", last, name, by);
        text_printf(&order, " %s", name);
    }
    tree = plan_step(w->p, tree, "interchange %s%s", last, text_str(&order));
    for (int l = w->n - 2; tree && l >= 0; l--) {
        Node *n = plan_step(w->p, tree, "trim %s", c->loop[l]->iter->name);
        tree = n ? unwrap(n) : tree;
    }
    return tree;
}

static bool is_plain(const Node *loop) {
    bool steps = (loop->step == 1 || loop->step == -1) && type_is_signed(loop->iter->type);
    return steps && !loop_is_unbounded(loop) && cond_is_free(loop->lo) && cond_is_free(loop->hi) &&
           !(loop->mark && loop->mark->assert == ASSERT_SEQ);
}

// Does the chain stay as it is with its outermost loop on the host?
static bool is_locked(Plan *p, const ChainFacts *f) {
    if (p->nhost == MAX_HOST_LOOPS) return false;
    p->host[p->nhost++] = f->chain.loop[0];
    const ChainFacts *inside = chain_facts(p, (Node *)f->chain.loop[1]);
    p->nhost--;
    return !inside->nfree;
}

Node *plan_waves(Plan *p, ChainFacts *f) {
    Waves w = {.p = p, .f = f, .n = f->chain.n};
    if (p->waving || f->nfree || w.n < 2 || w.n > MOST_WAVE_LOOPS || f->rel->touches.n > MOST_TOUCHES) return NULL;
    for (int l = 0; l < w.n; l++)
        if (!is_plain(f->chain.loop[l])) return NULL;
    if (!is_locked(p, f) || !find_distances(&w) || !find_wave(&w)) return NULL;
    int parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    PlanMark before = plan_mark(p);
    p->waving = true;
    Node *tree = in_waves(&w), *n = tree && tree->kind == N_FOR ? plan_host_loop(p, tree, f->cost) : NULL;
    p->waving = false;
    if (n && p->nserial == serial && p->nparallel > parallel) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    plan_back(p, before);
    return NULL;
}
