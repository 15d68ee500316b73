// SPDX-License-Identifier: MIT
// flow.c -- the judge of flow: what is wrong with a tree, and for which parameters.
#include "dep/flow.h"

enum {
    MAX_PIECES = 12, // a condition of more pieces than this helps nobody,
    THRIFT = 32,     // and what takes more than this part of the budget has more
};

void flow_give_up(Flow *f, const char *why) {
    if (!f->unknown) f->unknown = why;
}

void flow_accuse(Flow *f, isl_set *params, const char *fmt, ...) {
    params = isl_set_intersect(params, isl_set_copy(f->region.r->ctx));
    if (isl_set_is_empty(params) == isl_bool_true) {
        isl_set_free(params);
        return;
    }
    f->wrong = true;
    params = isl_set_intersect(params, isl_set_copy(f->busy));
    if (isl_set_is_empty(params) == isl_bool_true) { // only where the region does nothing
        isl_set_free(params);
        return;
    }
    if (!f->why) {
        Text t = text_new(f->a);
        va_list ap;
        va_start(ap, fmt);
        text_vprintf(&t, fmt, ap);
        va_end(ap);
        f->why = text_str(&t);
    }
    isl_set *bad = f->bad ? isl_set_union(isl_set_copy(f->bad), params) : params;
    f->bad = own_set(f->a, isl_set_coalesce(bad));
}

// ---- the verdict ------------------------------------------------------------------------------

// Parameters for which the region does anything.
static isl_set *find_busy(const Flow *f) {
    isl_set *any = isl_set_empty(isl_set_get_space(f->region.r->ctx));
    for (int i = 0; i < f->region.leaves.n; i++)
        any = isl_set_union(any, isl_set_params(isl_set_copy(f->region.leaves.at[i]->ev->domain)));
    return own_set(f->a, isl_set_coalesce(any));
}

static Verdict verdict(Flow *f) {
    Verdict v = {ANSWER_ALWAYS, NULL, f->why};
    // whatever else came of it; of loops that the data end there is no last iteration, which is no mistake
    if (!poly_forgive(f->poly, true)) f->unknown = OVER_BUDGET, poly_gave_up(f->poly);
    if (f->unknown) return (Verdict){ANSWER_UNKNOWN, NULL, f->unknown};
    if (!f->wrong) return v;
    poly_restart_part(f->c, THRIFT);
    isl_set *ok = isl_set_copy(f->busy);
    if (f->bad) ok = isl_set_coalesce(isl_set_subtract(ok, isl_set_copy(f->bad)));
    if (isl_set_is_empty(ok) == isl_bool_false && isl_set_n_basic_set(ok) <= MAX_PIECES) {
        v.when = poly_cond_expr(f->poly, ok, f->region.r->ctx);
        v.answer = v.when ? ANSWER_WHEN : ANSWER_UNKNOWN;
    } else {
        v.answer = isl_set_is_empty(ok) == isl_bool_true ? ANSWER_NEVER : ANSWER_UNKNOWN;
        isl_set_free(ok);
    }
    if (poly_gave_up(f->poly))
        return (Verdict){ANSWER_UNKNOWN, NULL, OVER_BUDGET};
    return v;
}

// ---- trees -----------------------------------------------------------------------------------------

// A copy in which every node stands at one place only.
static Node *unshare(Node *n, void *arena) { return node_map(arena, n, unshare, arena); }

Flow *flow_begin(Compile *c, const Region *r, const Node *root) {
    Flow *f = NEW_AS(c->arena, Flow, (Flow){.c = c, .a = c->arena, .poly = poly_new(c), .r = r});
    f->region = (FlowTree){.flow = f, .root = r->root};
    f->tree = (FlowTree){.flow = f, .root = unshare((Node *)root, c->arena)};
    return f;
}

void flow_begin_leaves(Flow *f, bool loose) {
    f->tree.loose = loose;
    f->arrays = term_arrays(f->a, f->r, f->tree.root);
    flow_leaves(&f->region, NULL);
    f->busy = find_busy(f);
    flow_leaves(&f->tree, &f->region);
}

static Verdict judge(Compile *c, const Region *r, const Node *root) {
    poly_restart(c);
    Flow *f = flow_begin(c, r, root);
    flow_begin_leaves(f, false);
    if (!f->unknown) flow_check_bounds(f);
    if (!f->unknown) flow_check_values(f);
    if (!f->unknown) flow_check_updates(f);
    if (!f->unknown) flow_check_races(f);
    return verdict(f);
}

// Where conditions read what the loops write, these may be values like others.
Verdict flow_judge(Compile *c, const Region *r, const Node *root) {
    Verdict v = judge(c, r, root);
    if (v.answer != ANSWER_UNKNOWN || !flow_choices(c, &r, &root)) return v;
    Verdict w = judge(c, r, root);
    return w.answer == ANSWER_ALWAYS || w.answer == ANSWER_WHEN ? w : v;
}
