// SPDX-License-Identifier: MIT
// written.c -- compares the barriers of a hand-written kernel with those that it needs, and its
// accesses with the extents of their arrays.
//
//   s[tx] = a[i];              s written at 3:5 and read at 4:9 by another thread,
//   b[i] = s[15 - tx];         and nothing between them
//
// The needs are those of barrier_need.c. A barrier of the author serves those that one of the
// gaps beside it would serve; it is needless when others serve all of these.
#include "dep/written.h"
#include "dep/conflict.h"
#include "dep/barrier.h"
#include "ir/watch.h"
#include <isl/aff.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MAX_SECONDS = 2 };

typedef struct Standing {    // a barrier in the text
    const Node *node;
    bool *gaps;
    bool needed;
} Standing;

typedef struct Check {
    Compile *c;
    Arena *a;
    Barriers *b;
    VEC(Standing) barriers;
    bool lockstep;
    bool unordered;          // who arrives at a barrier is not known: nothing is said of order
    bool taken;              // conditions that only the data know are taken to hold
    VEC(const Array *) lanes; // already spoken of
    VEC(const Array *) small;     // reported as meeting if open parameters are small
    Faults *out;
} Check;

// ---- findings ----------------------------------------------------------------------------
static Loc loc_of(const Touch *t) { return t->loc.line ? t->loc : t->ev->loc; }

static void report(Check *k, DiagLevel level, DiagCode code, Fault f) {
    for (int i = 0; i < k->out->n; i++) {
        const Fault *g = &k->out->at[i];
        bool same = g->kind == f.kind && g->loc.line == f.loc.line && g->loc.col == f.loc.col &&
                    g->other.line == f.other.line && g->other.col == f.other.col;
        if (same) return;
    }
    vec_push(k->a, k->out, f);
    diag(k->c, level, code, f.loc, "%s", f.text);
}

static const char *done(const Touch *t) { return t->write ? "written" : "read"; }

static void report_pair(Check *k, FaultKind kind, const Touch *x, const Touch *y) {
    Loc at = loc_of(x), to = loc_of(y);
    if (to.line < at.line || (to.line == at.line && to.col < at.col)) {
        const Touch *t = x;
        Loc l = at;
        x = y, y = t, at = to, to = l;
    }
    static const char *const says[] = {
        "and no barrier is between them",
        "if the data make them meet, and no barrier is between them",
        "in lanes of one warp alone: __syncwarp() has to order them",
        "if what the launch leaves open is small, and no barrier is between them (--arg NAME=VALUE says what "
        "it is)",
    };
    bool maybe = kind == FAULT_MAYBE || kind == FAULT_IF_SMALL;
    const char *what = maybe ? "may meet here" : "meet here";
    Fault f = {kind, to, at, y->array, NULL};
    f.text =
        arena_printf(k->a, "threads of a block %s on %s: %s at %d:%d, %s at %d:%d by another thread, %s",
                     what, y->array->name, done(x), at.line, at.col, done(y), to.line, to.col, says[kind]);
    DiagLevel level = kind == FAULT_MISSING ? DIAG_ERROR : kind == FAULT_MAYBE ? DIAG_WARNING : DIAG_REMARK;
    report(k, level, SC_RACE, f);
}

static bool is_around_threads(const Event *e, int loop) {
    for (int i = 0; i <= loop; i++)
        if (e->loops[i]->how == HOW_THREAD) return false;
    return true;
}

// Do they meet only because some open parameter is small, as rows that are no element long?
enum { LARGE = 4096 };
static bool meet_if_small(Check *k, const Touch *x, const Touch *y) {
    if (x->array != y->array || !x->exact_map || !y->exact_map) return false;
    isl_map *m = same_element(k->b->r, x, y);
    for (int i = 0; i < common_loops(x->ev, y->ev) && is_around_threads(x->ev, i); i++)
        m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    bool some = isl_map_is_empty(m) == isl_bool_false;
    for (isl_size i = 0; i < isl_map_dim(m, isl_dim_param); i++)
        m = isl_map_lower_bound_si(m, isl_dim_param, (unsigned)i, LARGE);
    bool small = some && isl_map_is_empty(m) == isl_bool_true;
    isl_map_free(m);
    return small;
}

// A pair that meets: for certain, or as far as what the launch does not say lets it.
static void report_meeting(Check *k, bool exact, const Touch *x, const Touch *y) {
    bool small = exact && meet_if_small(k, x, y);
    for (int i = 0; small && i < k->small.n; i++)
        if (k->small.at[i] == x->array) return; // said once of an array
    if (small) vec_push(k->a, &k->small, x->array);
    report_pair(k, !exact ? FAULT_MAYBE : small ? FAULT_IF_SMALL : FAULT_MISSING, x, y);
}

// Threads that write one and the same constant do no harm.
static bool same_constant(const Touch *x, const Touch *y) {
    const Node *p = x->ev->node, *q = y->ev->node;
    bool sets =
        p->kind == N_COPY && q->kind == N_COPY && x->write && y->write && p->op == OP_SET && q->op == OP_SET;
    return sets && (p->src->kind == E_INT || p->src->kind == E_FLOAT) && expr_equal(p->src, q->src);
}

// ---- who writes the same ------------------------------------------------------------------
typedef struct Direct {
    const Touch *t;
    bool thread;             // the value names a thread's number
    isl_map *values;         // instances → counters that it names
} Direct;

static void find_direct(Direct *d, const Expr *x) {
    for (int i = 0; x->kind == E_SYM && i < d->t->ev->depth; i++) {
        if (d->t->ev->loops[i]->iter != x->sym) continue;
        d->thread |= d->t->ev->loops[i]->how == HOW_THREAD;
        isl_set *all = isl_set_universe(isl_space_domain(isl_map_get_space(d->t->map)));
        isl_map *one = isl_map_add_dims(isl_map_from_domain(all), isl_dim_out, 1);
        one = isl_map_equate(one, isl_dim_in, i, isl_dim_out, 0);
        d->values = d->values ? isl_map_flat_range_product(d->values, one) : one;
    }
}

// Instances of one copy write the same value wherever they write one element: what it reads follows
// from the element, and from what the threads of a block have in common.
static bool same_value(Check *k, const Touch *x, const Touch *y) {
    const Event *e = x->ev;
    if (x->ev != y->ev || !x->write || !y->write || e->node->kind != N_COPY || e->node->op != OP_SET ||
        !x->exact_map)
        return false;
    Direct d = {.t = x};
    expr_each(v, e->node->src) find_direct(&d, v);
    isl_map *values = d.values;
    bool plain = !d.thread;
    for (int i = 0; i < k->b->r->touches.n && plain; i++) {
        const Touch *t = &k->b->r->touches.at[i];
        if (t->ev != e || t->write) continue;
        plain = t->exact_map && t->private_depth == 0 && t->array->place != PLACE_REGISTER;
        if (plain)
            values = values ? isl_map_flat_range_product(values, isl_map_copy(t->map)) : isl_map_copy(t->map);
    }
    bool same = plain;
    if (plain && values) {
        isl_map *pairs = isl_map_apply_range(isl_map_copy(x->map), isl_map_reverse(isl_map_copy(x->map)));
        for (int i = 0; i < e->depth; i++)
            if (is_around_threads(e, i)) pairs = isl_map_equate(pairs, isl_dim_in, i, isl_dim_out, i);
        isl_map *equal = isl_map_apply_range(isl_map_copy(values), isl_map_reverse(isl_map_copy(values)));
        same = isl_map_is_subset(pairs, equal) == isl_bool_true;
        isl_map_free(pairs);
        isl_map_free(equal);
    }
    isl_map_free(values);
    return same;
}

// ---- where barriers stand ------------------------------------------------------------------
static void find_standing(Check *k, const Spot *p) {
    for (int i = 0; i < p->nkids; i++) {
        const Spot *kid = p->kids[i];
        find_standing(k, kid);
        if (kid->node->kind != N_BARRIER || p->node->kind != N_SEQ) continue;
        Standing s = {kid->node, NEW_N(k->a, bool, k->b->k->gaps.n + 1), false};
        if (i > 0) s.gaps[p->gap + i - 1] = true;
        if (i + 1 < p->nkids) s.gaps[p->gap + i] = true;
        vec_push(k->a, &k->barriers, s);
    }
}

static bool serves(const Check *k, const Standing *s, const Need *n) {
    for (int g = 0; g < k->b->k->gaps.n; g++)
        if (s->gaps[g] && n->gaps[g]) return true;
    return false;
}

static int servers(const Check *k, const Need *n, int *last) {
    int count = 0;
    for (int i = 0; i < k->barriers.n; i++)
        if (serves(k, &k->barriers.at[i], n)) count++, *last = i;
    return count;
}

// One remark an array: trees in a warp make many pairs.
static void report_lanes(Check *k, const Clash *c) {
    for (int i = 0; i < k->lanes.n; i++)
        if (k->lanes.at[i] == c->x->array) return;
    vec_push(k->a, &k->lanes, c->x->array);
    report_pair(k, FAULT_LANES, c->x, c->y);
}

static void check_needs(Check *k) {
    for (int i = 0; i < k->b->needs.n; i++) {
        const Need *n = &k->b->needs.at[i];
        int last = 0, count = servers(k, n, &last);
        if (count == 1) k->barriers.at[last].needed = true;
        if (count || !n->x || same_constant(n->x, n->y)) continue;
        report_meeting(k, n->exact, n->x, n->y);
    }
    for (int i = 0; i < k->b->clashes.n; i++) {
        const Clash *c = &k->b->clashes.at[i];
        if (!c->exact || same_constant(c->x, c->y) || same_value(k, c->x, c->y)) continue;
        if (c->lanes && k->lockstep) report_lanes(k, c);
        else report_meeting(k, true, c->x, c->y);
    }
}

// Barriers go one after the other, as long as what is left serves all needs.
static void check_needless(Check *k) {
    if (k->taken || k->b->skipped) return; // what they order is not all known
    for (int i = 0; i < k->barriers.n; i++) {
        if (k->barriers.at[i].needed || k->barriers.at[i].node->pending > 0) continue;
        Standing gone = k->barriers.at[i];
        Loc at = gone.node->loc;
        bool elsewhere = false; // the same barrier of the text, in a loop written out or a copy
        for (int j = 0; j < k->barriers.n; j++) {
            Loc l = k->barriers.at[j].node->loc;
            elsewhere |= j != i && l.line == at.line && l.col == at.col;
        }
        if (elsewhere) continue;
        k->barriers.at[i].gaps = NEW_N(k->a, bool, k->b->k->gaps.n + 1);
        for (int n = 0; n < k->b->needs.n; n++) {
            int last = 0;
            if (servers(k, &k->b->needs.at[n], &last) == 1) k->barriers.at[last].needed = true;
        }
        Fault f = {
            FAULT_NEEDLESS, at, {0}, NULL, "this barrier orders nothing that needs it under this launch"};
        report(k, DIAG_REMARK, SC_BARRIER, f);
    }
}

// ---- bounds ----------------------------------------------------------------------------------
static bool has_constant_extents(const Array *v) {
    for (int d = 0; d < v->rank; d++)
        if (!v->extent || !v->extent[d] || v->extent[d]->kind != E_INT) return false;
    return v->rank > 0 && v->place != PLACE_TEMP;
}

static const char *point_text(Check *k, const Touch *t, isl_map *outside, int64_t sub[]) {
    isl_point *p = isl_set_sample_point(isl_map_wrap(isl_map_copy(outside)));
    Text text = text_new(k->a);
    int depth = t->ev->depth;
    for (int i = 0; i < depth + t->array->rank; i++) {
        isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);
        int64_t n = v ? isl_val_get_num_si(v) : 0;
        isl_val_free(v);
        if (i >= depth) sub[i - depth] = n;
        else text_printf(&text, "%s%s = %lld", i ? ", " : "", t->ev->loops[i]->iter->name, (long long)n);
    }
    isl_space *space = isl_map_get_space(outside);
    for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
        isl_val *v = isl_point_get_coordinate_val(p, isl_dim_param, i);
        const char *name = isl_space_get_dim_name(space, isl_dim_param, (unsigned)i);
        bool open =
            name && v && isl_map_involves_dims(outside, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
        if (open)
            text_printf(&text, "%s%s = %lld", text.n ? ", " : "", name, (long long)isl_val_get_num_si(v));
        isl_val_free(v);
    }
    isl_space_free(space);
    isl_point_free(p);
    return text_str(&text);
}

// How often while loops run, only the data tell: often.
static isl_set *often(isl_set *s) {
    enum { OFTEN = 1 << 20 };
    for (int i = 0; i < isl_set_dim(s, isl_dim_param); i++) {
        const char *name = isl_set_get_dim_name(s, isl_dim_param, (unsigned)i);
        if (name && str_has_prefix(name, "trips_"))
            s = isl_set_lower_bound_si(s, isl_dim_param, (unsigned)i, OFTEN);
    }
    return s;
}

// Whatever the open parameters are, as long as the access happens at all.
static bool is_certain(const Touch *t, isl_map *bad) {
    isl_set *all = often(isl_map_params(isl_map_copy(t->real ? t->real : t->map))),
            *wrong = isl_map_params(isl_map_copy(bad));
    bool certain = isl_set_is_subset(all, wrong) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(wrong);
    return certain;
}

static isl_map *outside_of(const Touch *t) {
    isl_map *m = isl_map_copy(t->real ? t->real : t->map), *bad = isl_map_empty(isl_map_get_space(m));
    for (int d = 0; d < t->array->rank; d++) {
        isl_map *low = isl_map_upper_bound_si(isl_map_copy(m), isl_dim_out, (unsigned)d, -1);
        isl_map *high =
            isl_map_lower_bound_si(isl_map_copy(m), isl_dim_out, (unsigned)d, (int)t->array->extent[d]->i);
        bad = isl_map_union(bad, isl_map_union(low, high));
    }
    isl_map_free(m);
    return bad;
}

static void check_bounds(Check *k, const Touch *t) {
    bool certain = t->exact && (!t->real || t->sure);
    if (!certain || !has_constant_extents(t->array) || poly_gave_up(k->b->r->poly)) return;
    isl_map *bad = outside_of(t);
    if (isl_map_is_empty(bad) == isl_bool_false) {
        int64_t sub[32] = {0};
        const char *where = point_text(k, t, bad, sub);
        Text at = text_new(k->a);
        int first = t->array->digits;
        for (int d = first; d < t->array->rank; d++) text_printf(&at, "[%lld]", (long long)sub[d]);
        Text size = text_new(k->a);
        for (int d = first; d < t->array->rank; d++)
            text_printf(&size, "[%lld]", (long long)t->array->extent[d]->i);
        bool sure = is_certain(t, bad);
        Fault f = {FAULT_OUTSIDE, loc_of(t), {0}, t->array, NULL};
        f.text = arena_printf(k->a, "%s%s %s %s, outside of %s%s, where %s", t->array->name, text_str(&at),
                              sure ? "is" : "would be", done(t), t->array->name, text_str(&size), where);
        report(k, sure ? DIAG_ERROR : DIAG_WARNING, SC_OUTSIDE, f);
    }
    isl_map_free(bad);
}

// ---- conditions that only the data know -----------------------------------------------------------
// All threads of a block agree on them: what stands inside meets only itself, so it is looked at as
// if they held.
static Node *taken(Node *n, void *arg) {
    Check *k = arg;
    if (n->kind == N_FOR && n->how == HOW_THREAD) return n;
    if (n->kind == N_IF && !n->other && expr_has_load(n->cond)) {
        k->taken = true;
        return taken(n->then, k);
    }
    return node_map(k->a, n, taken, k);
}

// ---- entry -------------------------------------------------------------------------------------
static void check_kernel(Check *k, Phases *phases, Relations *r) {
    Barriers b = {.c = k->c, .a = k->a, .r = r, .k = phases, .ctx = r->ctx, .as_written = true};
    for (int i = 0; i < phases->gaps.n; i++) phases->gaps.at[i].allowed = true;
    k->b = &b;
    find_standing(k, phases->root);
    bool known = k->unordered || (barriers_find_needs(&b) && !poly_gave_up(r->poly));
    if (known && !k->unordered) {
        check_needs(k);
        check_needless(k);
    }
    for (int t = 0; t < r->touches.n; t++) check_bounds(k, &r->touches.at[t]);
    if (known && !poly_gave_up(r->poly)) return;
    diag(k->c, DIAG_REMARK, SC_TOO_HARD, phases->kernel->loc,
         "the analysis of this kernel used up its budget: what is said "
         "of its barriers and bounds is not all");
}

void dep_check_written(Compile *c, const Nest *nest, Node *written, int lockstep, Faults *out) {
    Faults own = {0};
    Check k = {.c = c,
               .a = c->arena,
               .lockstep = lockstep == 1,
               .unordered = lockstep == 2,
               .out = out ? out : &own};
    poly_restart(c);
    watch_start(c, MAX_SECONDS);
    Node *root = taken(written, &k);
    Relations *r = relations_new(c, nest->region, root);
    PhasesVec kernels = {0};
    phases_of(c->arena, r, root, &kernels);
    for (int i = 0; i < kernels.n; i++) check_kernel(&k, kernels.at[i], r);
}
