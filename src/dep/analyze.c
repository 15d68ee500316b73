// SPDX-License-Identifier: MIT
// analyze.c -- everything that is known of a region: loops, dependences, footprints, work.
#include "dep/conflict.h"
#include "dep/dep.h"
#include "dep/foot.h"
#include "ir/show.h"
#include <isl/val.h>
#include <string.h>

// ---- dependences, for people ------------------------------------------------------------

static DepEnd end_of(Arena *a, const Touch *t) {
    return (DepEnd){t->ev->label, t->ev->loc, show_number(a, t->array, t->sub), t->write, touch_is_atomic(t)};
}

// How far apart instances may be in a loop, where that is no constant.
static const char *sign(__isl_keep isl_set *delta, unsigned d) {
    isl_set *pos = isl_set_lower_bound_si(isl_set_copy(delta), isl_dim_set, d, 1);
    isl_set *neg = isl_set_upper_bound_si(isl_set_copy(delta), isl_dim_set, d, -1);
    bool can_pos = isl_set_is_empty(pos) != isl_bool_true, can_neg = isl_set_is_empty(neg) != isl_bool_true;
    isl_set_free(pos);
    isl_set_free(neg);
    if (can_pos && can_neg) return "*";
    isl_set *zero = isl_set_fix_si(isl_set_copy(delta), isl_dim_set, d, 0);
    bool can_zero = isl_set_is_empty(zero) != isl_bool_true;
    isl_set_free(zero);
    return can_pos ? can_zero ? ">=0" : ">0" : can_neg ? can_zero ? "<=0" : "<0" : "0";
}

// One entry a common loop: the constant distance, or the sign of it. In the first `equal` loops it is none.
static const char *distance(Arena *a, isl_map *m, int common, int equal) {
    isl_map *cut = isl_map_copy(m);
    cut = isl_map_project_out(cut, isl_dim_in, (unsigned)common, isl_map_dim(cut, isl_dim_in) - common);
    cut = isl_map_project_out(cut, isl_dim_out, (unsigned)common, isl_map_dim(cut, isl_dim_out) - common);
    isl_set *delta = isl_map_deltas(cut);
    Text t = text_new(a);
    for (int d = 0; d < common; d++) {
        isl_val *v = d < equal ? NULL : isl_set_plain_get_val_if_fixed(delta, isl_dim_set, (unsigned)d);
        int64_t n;
        text_put(&t, d ? ", " : "(");
        if (poly_int(v, &n)) text_printf(&t, "%lld", (long long)n);
        else text_put(&t, d < equal ? "0" : sign(delta, (unsigned)d));
        isl_val_free(v);
    }
    text_put(&t, common ? ")" : "()");
    isl_set_free(delta);
    return text_str(&t);
}

static DepKind kind_of(const Touch *x, const Touch *y) {
    if (x->update != OP_SET && x->update == y->update) return DEP_UPDATE;
    if (x->write && y->write) return DEP_OUTPUT;
    return x->write ? DEP_FLOW : DEP_ANTI;
}

typedef VEC(Dep) DepVec;

// level: of the loop that carries it; all there are in common: none does.
static void add_dep(Relations *r, DepVec *out, const Touch *x, const Touch *y, isl_map *m, int level) {
    Arena *a = r->poly->c->arena;
    int common = common_loops(x->ev, y->ev);
    const Node *carrier = level < common ? x->ev->loops[level] : NULL;
    if (isl_map_is_empty(m) != isl_bool_true) {
        Dep d = {kind_of(x, y), x->array, end_of(a, x), end_of(a, y), carrier, distance(a, m, common, level)};
        vec_push(a, out, d);
    }
    isl_map_free(m);
}

static void pair_deps(Relations *r, DepVec *out, const Touch *x, const Touch *y) {
    int common = common_loops(x->ev, y->ev);
    isl_map *equal = same_element(r, x, y);
    for (int l = 0; l < common; l++) {
        isl_map *m = isl_map_copy(equal);
        m = x->ev->loops[l]->step > 0 ? isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l)
                                      : isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l);
        add_dep(r, out, x, y, m, l);
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    if (x->ev->order < y->ev->order) add_dep(r, out, x, y, equal, common);
    else isl_map_free(equal);
}

// Beyond that the list for people is left short. A pair costs as the third power of the loops around both:
// a distance in each of them for each of them that may carry it, over so many counters.
enum { MAX_PAIRS = 2000, MAX_COST = 32 * MAX_PAIRS };

static void all_deps(Relations *r, DepVec *out) {
    int pairs = 0, cost = 0;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n && pairs < MAX_PAIRS && cost < MAX_COST; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            if (!may_conflict(x, y)) continue;
            int common = common_loops(x->ev, y->ev);
            pairs++, cost += common * common * common;
            poly_tick(r->poly);
            pair_deps(r, out, x, y);
        }
}

// ---- loops ----------------------------------------------------------------------------------

static isl_set *join(Arena *a, isl_set *x, isl_set *y) {
    if (!x || !y) return x ? x : y;
    return own_set(a, isl_set_coalesce(isl_set_union(isl_set_copy(x), isl_set_copy(y))));
}

// The latest pair that stood for others.
typedef struct Witness {
    const Touch *x, *y;
    const char *distance;
} Witness;

static const Dep *witness(Relations *r, const Conflicts *k, const Node *loop, Witness *last) {
    if (!k->x) return NULL;
    Arena *a = r->poly->c->arena;
    if (last->x != k->x || last->y != k->y) {
        isl_map *m = same_element(r, k->x, k->y);
        *last = (Witness){k->x, k->y, distance(a, m, common_loops(k->x->ev, k->y->ev), 0)};
        isl_map_free(m);
    }
    Dep *d = NEW(a, Dep);
    *d = (Dep){kind_of(k->x, k->y), k->x->array, end_of(a, k->x), end_of(a, k->y), loop, last->distance};
    return d;
}

static void fill_reductions(Arena *a, const Conflicts *k, LoopFact *f) {
    f->red = NEW_N(a, const Array *, k->updates.n + 1);
    f->redop = NEW_N(a, Op, k->updates.n + 1);
    for (int i = 0; i < k->updates.n; i++) {
        bool known = false;
        for (int j = 0; j < f->nred; j++) known = known || f->red[j] == k->updates.at[i]->array;
        if (known) continue;
        f->red[f->nred] = k->updates.at[i]->array;
        f->redop[f->nred++] = k->updates.at[i]->update;
    }
}

static LoopFact loop_fact(Relations *r, const LoopRange *l, Witness *last) {
    Arena *a = r->poly->c->arena;
    LoopFact f = {.loop = l->loop};
    Conflicts *k = conflicts_of(r, l->loop, l->depth, l->depth);
    isl_set *updates = join(a, k->update, k->ordered), *others = join(a, k->hard, k->maybe);
    bool certain = !k->maybe;
    f.parallel = answer_for(r, l->loop, join(a, updates, others), certain, &f.when);
    if (k->updates.n > 0) {
        isl_set *apart = join(a, others, k->mixed);
        f.reduction = answer_for(r, l->loop, join(a, k->ordered, apart), certain, &f.reduction_when);
        Expr *ignore;
        f.needs_permission = k->ordered && answer_for(r, l->loop, apart, certain, &ignore) == ANSWER_ALWAYS;
        fill_reductions(a, k, &f);
    } else {
        f.reduction = ANSWER_NEVER;
    }
    if (f.parallel != ANSWER_ALWAYS) f.witness = witness(r, k, l->loop, last);
    return f;
}

static void all_loops(Relations *r, DepInfo *d) {
    Witness last = {0};
    d->nloops = r->loops.n;
    d->loops = NEW_N(d->compile->arena, LoopFact, r->loops.n + 1);
    for (int i = 0; i < r->loops.n; i++) d->loops[i] = loop_fact(r, &r->loops.at[i], &last);
}

const DepInfo *dep_resting(Compile *c, const DepInfo *d, int n, const Promise *promised) {
    poly_restart(c);
    Relations *r = relations_new(c, d->region, d->region->root);
    for (int i = 0; i < n; i++) relations_promised(r, &promised[i]);
    DepInfo *out = NEW_AS(c->arena, DepInfo, *d);
    out->npromised = n, out->promised = promised;
    all_loops(r, out);
    return poly_gave_up(r->poly) ? NULL : out;
}

const DepInfo *dep_analyze(Compile *c, const Region *region) {
    poly_restart(c);
    Relations *r = relations_new(c, region, region->root);
    DepInfo *d = NEW(c->arena, DepInfo);
    d->region = region;
    d->compile = c;
    all_loops(r, d);
    foot_all(r, &d->nfeet, &d->feet);
    d->bounds = foot_bounds(r, &d->never);
    d->idle = d->never && foot_idle(r);
    d->flops = count_flops(c, region);
    d->work = count_work(c, region);
    d->operations = d->flops && d->work && !expr_equal(d->flops, d->work) ? d->work : NULL;
    Foot *boxes = NEW_N(c->arena, Foot, d->nfeet + 1);
    for (int i = 0; i < d->nfeet; i++) { // as they are before they are trimmed
        int rank = d->feet[i].array->rank;
        boxes[i] = d->feet[i];
        boxes[i].hi = NEW_N(c->arena, Expr *, rank + 1);
        for (int k = 0; k < rank; k++) boxes[i].hi[k] = d->feet[i].hi[k];
    }
    foot_trim(r, d->nfeet, d->feet);
    d->gave_up = poly_gave_up(r->poly);
    d->idle &= !d->gave_up;
    if (!d->gave_up) foot_ends(r, d->nfeet, d->feet);
    for (int i = 0; i < d->nfeet; i++) boxes[i].sparse = d->feet[i].sparse;
    d->bytes = count_bytes(c, region, d->nfeet, boxes);
    return d;
}

int dep_list(const DepInfo *d, const Dep **out) {
    DepVec deps = {0};
    poly_restart(d->compile);
    Relations *r = relations_new(d->compile, d->region, d->region->root);
    all_deps(r, &deps);
    poly_gave_up(r->poly); // then the list is short, and says nothing of what it lacks
    *out = deps.at;
    return deps.n;
}

const LoopFact *dep_loop(const DepInfo *d, const Node *loop) {
    for (int i = 0; i < d->nloops; i++)
        if (d->loops[i].loop == loop) return &d->loops[i];
    return NULL;
}
