// SPDX-License-Identifier: MIT
// judge.c -- the judge: by order where statements run on the program's own arrays, by flow
// (flow.h) where values go through buffers or instances run that the region does not have.
//
// By order: does a tree run the region's instances, each once, in an order that keeps every
// dependence?
// Each statement leaf of the tree maps its iterations to the region's by `at`. Then
//   coverage: the images of a statement's leaves are its domain, each point once;
//   order:    for two instances on one element, the earlier in the region is earlier in
//             the tree, by a serial loop or by text order; blocks, threads and lanes do
//             not order anything.
// Trees with copies are for flow to judge. What conditions and bounds read of memory that nothing
// writes is a term (term.h): instances are then compared for any values.
#include "dep/chosen.h"
#include "dep/picked.h"
#include "dep/conflict.h"
#include "dep/flow.h"
#include "dep/stretch.h"
#include "dep/through.h"
#include <isl/aff.h>
#include <isl/space.h>

// A statement leaf of the tree and how its iterations map to the region's.
typedef struct Leaf {
    const Event *tree, *region;
    isl_map *at; // tree scope -> region scope, on the leaf's domain
    struct Leaf *next; // of the same event of the region
} Leaf;

typedef struct Judge {
    Compile *c;
    Arena *a;
    Relations *region, *tree;
    const ChosenArrays *only; // NULL, or the arrays that something is to be said of
    VEC(Leaf) leaves;
    Leaf **first; // of each event of the region, by its order
    isl_set *bad; // parameters for which something is wrong
    const char *why;
    bool unknown;
    int accused;
    bool doubt, certain; // what is bad may be or is so, whatever the data
} Judge;

static bool runs_statements(const Event *ev) { return ev->body || ev->node->kind == N_STMT; }

static bool is_asked(const Judge *j, const Touch *t) {
    return !j->only || has_pointer(j->only->n, j->only->at, t->array);
}

// A statement that touches one of these.
static bool is_judged(const Judge *j, const Relations *r, const Event *ev) {
    for (int i = 0; j->only && i < r->touches.n; i++)
        if (r->touches.at[i].ev == ev && is_asked(j, &r->touches.at[i])) return runs_statements(ev);
    return !j->only && runs_statements(ev);
}

// What an event of the tree does, in the region.
static const Event *event_of(Relations *r, const Event *ev) {
    for (int i = 0; i < r->events.n; i++) {
        const Event *x = r->events.at[i];
        bool same = ev->body ? x->body && x->node == ev->body->region
                             : !x->body && x->node->kind == N_STMT && x->node->stmt == ev->node->stmt;
        if (same) return x;
    }
    return NULL;
}

// NULL: which instances these are, or whether they run, can't be told.
static isl_map *leaf_map(Judge *j, const Event *ev, const Event *region) {
    int depth = ev->body ? ev->body->depth : ev->node->stmt->depth;
    Expr **at = ev->body ? ev->body->at : ev->node->at;
    bool told, whole; // lacking terms of the region's, all of their values are compared
    int outputs = region->scope.n;
    isl_space *space = isl_space_alloc(j->tree->poly->ctx, 0, (unsigned)ev->scope.n, (unsigned)outputs);
    isl_map *m = isl_map_intersect_domain(isl_map_universe(space), isl_set_copy(ev->domain));
    for (int d = 0; d < depth; d++) {
        isl_pw_aff *pa = poly_aff(j->tree->poly, ev->scope, at[d], NULL);
        if (!pa) {
            isl_map_free(m);
            return NULL;
        }
        isl_map *one = isl_map_insert_dims(isl_map_from_pw_aff(pa), isl_dim_out, 0, (unsigned)d);
        m = isl_map_intersect(m, isl_map_insert_dims(one, isl_dim_out, (unsigned)d + 1,
                                                     (unsigned)(outputs - d - 1)));
    }
    m = term_match(j->tree->poly, ev, region, m, &told, &whole);
    if (told) return m;
    isl_map_free(m);
    return NULL;
}

static void accuse(Judge *j, isl_set *bad, const char *why, bool certain) {
    bool any = isl_set_is_empty(bad) != isl_bool_true;
    if (any && !j->why) j->why = why;
    if (any) *(certain ? &j->certain : &j->doubt) = true;
    j->accused += any;
    j->bad = j->bad ? isl_set_coalesce(isl_set_union(j->bad, bad)) : bad;
}

static void find_leaves(Judge *j) {
    for (int i = 0; i < j->tree->events.n; i++) {
        const Event *ev = j->tree->events.at[i];
        if (!is_judged(j, j->tree, ev)) continue;
        Leaf l = {ev, event_of(j->region, ev), NULL};
        if (l.region && l.region->told && ev->told) l.at = own_map(j->a, leaf_map(j, ev, l.region));
        if (!l.at) j->unknown = true;
        else vec_push(j->a, &j->leaves, l);
    }
    j->first = NEW_N(j->a, Leaf *, j->region->events.n + 1);
    for (int i = j->leaves.n - 1; i >= 0; i--) {
        Leaf *l = &j->leaves.at[i], **first = &j->first[l->region->order];
        l->next = *first;
        *first = l;
    }
}

// ---- coverage ---------------------------------------------------------------------------

static void check_stmt(Judge *j, const Event *region) {
    const char *label = region->label;
    bool certain = region->exact;
    isl_set *seen = isl_set_empty(isl_set_get_space(region->domain));
    for (const Leaf *l = j->first[region->order]; l; l = l->next) {
        certain = certain && l->tree->exact;
        isl_set *image = isl_map_range(isl_map_copy(l->at));
        accuse(j, isl_set_params(isl_set_intersect(isl_set_copy(image), isl_set_copy(seen))),
               arena_printf(j->a, "%s runs more than once", label), certain);
        isl_map *twice = isl_map_apply_range(isl_map_copy(l->at), isl_map_reverse(isl_map_copy(l->at)));
        accuse(j, isl_map_params(term_apart(l->tree, twice)),
               arena_printf(j->a, "%s runs more than once", label), certain);
        seen = isl_set_union(seen, image);
    }
    accuse(j, isl_set_params(isl_set_subtract(isl_set_copy(region->domain), isl_set_copy(seen))),
           arena_printf(j->a, "some of %s is lost", label), certain);
    accuse(j, isl_set_params(isl_set_subtract(seen, isl_set_copy(region->domain))),
           arena_printf(j->a, "%s runs where it should not", label), certain);
}

// ---- order --------------------------------------------------------------------------------

static isl_map *in_order(const Event *x, const Event *y, isl_map *pairs, bool parallel_marks) {
    int common = common_loops(x, y);
    isl_map *equal = pairs, *before = isl_map_empty(isl_map_get_space(pairs));
    for (int l = 0; l < common; l++) {
        const Node *loop = x->loops[l];
        bool serial = !parallel_marks || loop->how == HOW_SERIAL || loop->how == HOW_UNROLL;
        isl_map *m = isl_map_copy(equal);
        if (!serial) isl_map_free(m);
        else
            before =
                isl_map_union(before, loop->step > 0 ? isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l)
                                                     : isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l));
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    if (x->order < y->order) return isl_map_union(before, equal);
    isl_map_free(equal);
    return before;
}

static bool updates_commute(Judge *j, const Touch *x, const Touch *y) {
    return x->array == y->array && x->update != OP_SET && x->update == y->update &&
           update_is_permitted(j->region, x, x->ev->depth - 1);
}

static void check_leaves(Judge *j, const Leaf *u, const Leaf *v, isl_map *first, const char *why,
                         bool certain) {
    isl_map *m = isl_map_apply_range(isl_map_copy(u->at), isl_map_copy(first));
    m = isl_map_apply_range(m, isl_map_reverse(isl_map_copy(v->at)));
    isl_map *ok = in_order(u->tree, v->tree, isl_map_copy(m), true);
    accuse(j, isl_map_params(isl_map_subtract(m, ok)), why, certain);
}

static void check_pair(Judge *j, const Touch *x, const Touch *y) {
    poly_tick(j->region->poly);
    isl_map *first = in_order(x->ev, y->ev, same_element(j->region, x, y), false);
    if (isl_map_is_empty(first) != isl_bool_true) {
        const char *why =
            arena_printf(j->a, "%s at line %d must stay before %s at line %d (both touch %s)", x->ev->label,
                         x->ev->loc.line, y->ev->label, y->ev->loc.line, x->array->name);
        for (const Leaf *u = j->first[x->ev->order]; u; u = u->next)
            for (const Leaf *v = j->first[y->ev->order]; v; v = v->next)
                check_leaves(j, u, v, first, why, x->exact && y->exact);
    }
    isl_map_free(first);
}

// Updates that may go in any order still go one after the other, or are atomic: pairs that
// neither way is ordered in the tree meet on their element.
static void check_meeting(Judge *j, const Leaf *u, const Leaf *v, isl_map *same, const char *why,
                          bool certain) {
    if (u->tree->node->atomic && v->tree->node->atomic) return;
    isl_map *m = isl_map_apply_range(isl_map_copy(u->at), isl_map_copy(same));
    m = isl_map_apply_range(m, isl_map_reverse(isl_map_copy(v->at)));
    if (u == v) m = term_apart(u->tree, m);
    isl_map *there = in_order(u->tree, v->tree, isl_map_copy(m), true);
    isl_map *back = in_order(v->tree, u->tree, isl_map_reverse(isl_map_copy(m)), true);
    accuse(j, isl_map_params(isl_map_subtract(isl_map_subtract(m, there), isl_map_reverse(back))), why,
           certain);
}

static void check_updates(Judge *j, const Touch *x, const Touch *y) {
    poly_tick(j->region->poly);
    isl_map *same = same_element(j->region, x, y);
    const char *why =
        arena_printf(j->a, "%s at line %d and %s at line %d update %s at once, and not atomically",
                     x->ev->label, x->ev->loc.line, y->ev->label, y->ev->loc.line, x->array->name);
    for (const Leaf *u = j->first[x->ev->order]; u; u = u->next)
        for (const Leaf *v = j->first[y->ev->order]; v; v = v->next)
            check_meeting(j, u, v, same, why, x->exact && y->exact);
    isl_map_free(same);
}

// ---- locals -------------------------------------------------------------------------------
// A local of the region is another one in each iteration around its block. So it must be in the tree:
// two instances share its memory in both, or in neither.

static const Touch *touch_of(const Relations *r, const Event *ev, const Array *array) {
    for (int i = 0; i < r->touches.n; i++)
        if (r->touches.at[i].ev == ev && r->touches.at[i].array == array) return &r->touches.at[i];
    return NULL;
}

static isl_map *equal_counters(isl_map *m, int n) {
    for (int i = 0; i < n; i++) m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    return m;
}

static isl_map *all_pairs(const Event *x, const Event *y) {
    return isl_map_from_domain_and_range(isl_set_copy(x->domain), isl_set_copy(y->domain));
}

static void check_sharing(Judge *j, const Leaf *u, const Leaf *v, const Touch *x, const Touch *y,
                          const char *why) {
    const Touch *tu = touch_of(j->tree, u->tree, x->array), *tv = touch_of(j->tree, v->tree, x->array);
    isl_map *there =
        isl_map_apply_range(isl_map_copy(u->at), equal_counters(all_pairs(x->ev, y->ev), x->private_depth));
    there = isl_map_apply_range(there, isl_map_reverse(isl_map_copy(v->at)));
    isl_map *here = all_pairs(u->tree, v->tree);
    if (!tu || !tv || tu->decl != tv->decl) here = isl_map_subtract(isl_map_copy(here), here);
    else here = equal_counters(here, tu->private_depth);
    accuse(j, isl_map_params(isl_map_subtract(isl_map_copy(here), isl_map_copy(there))), why, false);
    accuse(j, isl_map_params(isl_map_subtract(there, here)), why, false);
}

static void check_local(Judge *j, const Touch *x, const Touch *y) {
    poly_tick(j->region->poly);
    const char *why =
        arena_printf(j->a,
                     "%s at line %d and %s at line %d share %s where they should not, or the other way round",
                     x->ev->label, x->ev->loc.line, y->ev->label, y->ev->loc.line, x->array->name);
    for (const Leaf *u = j->first[x->ev->order]; u; u = u->next)
        for (const Leaf *v = j->first[y->ev->order]; v; v = v->next) check_sharing(j, u, v, x, y, why);
}

// Conditions and bounds that read what the region writes: the instances below read it too,
// but a leaf may have been moved out of their sight, so nothing is claimed. Where some arrays alone are asked
// about, none of their instances has such a condition: it would not be told.
static bool control_reads_written(const Judge *j) {
    const Relations *r = j->region;
    for (int i = 0; !j->only && i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (runs_statements(t->ev)) continue;
        for (int k = 0; k < r->touches.n; k++)
            if (r->touches.at[k].write && arrays_may_overlap(r->touches.at[k].array, t->array)) return true;
    }
    return false;
}

enum { ORDER_PART = 4 }; // what order takes longer for is no simple tree: flow has more to say of it

// bodies: NULL, or what counts as a single statement; then more may be refused than is wrong. only: NULL, or
// of these arrays alone something is said. *moved: flow may say more.
static Verdict order_judge(Compile *c, const Region *region, const Node *root, const Bodies *bodies,
                           const ChosenArrays *only, bool *moved) {
    Judge *j = NEW(c->arena, Judge);
    j->c = c;
    j->a = c->arena;
    j->only = only;
    poly_restart_part(c, ORDER_PART);
    *moved = true;
    const TermArrays *arrays = term_arrays(c->arena, region, (Node *)root);
    j->region = relations_with_terms(c, region, region->root, arrays, bodies);
    j->tree = relations_with_terms(c, region, (Node *)root, arrays, bodies);
    find_leaves(j);
    if (poly_gave_up(j->region->poly))
        return (Verdict){ANSWER_UNKNOWN, NULL, OVER_BUDGET};
    if (j->unknown || control_reads_written(j))
        return (Verdict){ANSWER_UNKNOWN, NULL,
                         "a bound or an instance is not affine in the loop counters, or a condition reads "
                         "what the region writes"};
    accuse(j, isl_set_subtract(isl_set_copy(j->tree->wrong), isl_set_copy(j->region->wrong)),
           "an unsigned subtraction would wrap", true);
    accuse(j, control_outside(j->tree, j->region), "a condition or a bound reads what the loops do not touch",
           false);
    int before = j->accused; // so far flow would say the same
    for (int i = 0; i < j->region->events.n; i++)
        if (is_judged(j, j->region, j->region->events.at[i])) check_stmt(j, j->region->events.at[i]);
    for (int x = 0; x < j->region->touches.n; x++)
        for (int y = 0; y < j->region->touches.n && !poly_tick(j->region->poly); y++) {
            const Touch *tx = &j->region->touches.at[x], *ty = &j->region->touches.at[y];
            if (!may_conflict(tx, ty) || !is_asked(j, tx)) continue;
            if (x <= y && tx->decl && tx->array == ty->array) check_local(j, tx, ty);
            if (!updates_commute(j, tx, ty)) check_pair(j, tx, ty);
            else if (x <= y) check_updates(j, tx, ty);
        }
    *moved = j->accused > before;
    Verdict v = {ANSWER_ALWAYS, NULL, j->why, j->doubt && !j->certain};
    if (poly_gave_up(j->region->poly))
        return (Verdict){ANSWER_UNKNOWN, NULL, OVER_BUDGET};
    if (!j->bad || isl_set_is_empty(j->bad) == isl_bool_true)
        v.answer = ANSWER_ALWAYS;
    else if (isl_set_is_subset(j->region->ctx, j->bad) == isl_bool_true)
        v.answer = ANSWER_NEVER;
    else {
        isl_set *ok = isl_set_subtract(isl_set_copy(j->region->ctx), isl_set_copy(j->bad));
        v.when = poly_cond_expr(j->region->poly, ok, j->region->ctx);
        v.answer = v.when ? ANSWER_WHEN : ANSWER_UNKNOWN;
    }
    own_set(c->arena, j->bad);
    return v;
}

// ---- which judge ---------------------------------------------------------------------------

enum { MIRRORS_PART = 2 }; // of the budget: mostly there are none, which is told at once

// What stands between the statements and the program's arrays, so that order can't look through them: copies
// and redirected accesses.
static bool is_buffered(const Node *n) { return n->nvia > 0 || (n->kind == N_COPY && n->dst); }

// Is `loop` reached from n through loops over blocks and threads alone, and does the block's number only say
// where it begins? Then each thread goes by itself through its iterations, and blocks and threads of its own
// for each do nothing else.
static bool is_dealt(const Node *n, const Node *loop) {
    if (node_uses_sym(loop->body, loop->lo->sym)) return false;
    while (n != loop) {
        bool passes =
            n->kind == N_KERNEL || (n->kind == N_FOR && (n->how == HOW_BLOCK || n->how == HOW_THREAD));
        if (passes) n = n->body;
        else if (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
        else return false;
    }
    return true;
}

// The tree with all iterations that are dealt in rounds, and all slices of blocks, in no order at all.
typedef struct Flat {
    Arena *a;
    bool any;
} Flat;

static Node *without_rounds(Node *n, void *arg) {
    Flat *f = arg;
    const Node *loop;
    Node *whole = ir_one_slice(f->a, n);
    if (whole) f->any = true, n = whole;
    if (n->kind != N_KERNEL) return node_map(f->a, n, without_rounds, f);
    for (Node *less; (less = ir_one_round(f->a, n, &loop)) && is_dealt(n, loop); f->any = true) n = less;
    return n;
}

// only: as order_judge's. *settled: flow would not allow what order refuses.
static Verdict judge_order(Compile *c, const Region *region, const Node *root, const ChosenArrays *only,
                           bool *settled) {
    bool moved;
    Bodies bodies = {0};
    find_bodies(c->arena, region, root, &bodies);
    *settled = true;
    if (bodies.n) {
        Verdict alike = order_judge(c, region, root, &bodies, only, &moved);
        if (alike.answer == ANSWER_ALWAYS) return alike;
    }
    Verdict order = order_judge(c, region, root, NULL, only, &moved);
    *settled = order.answer == ANSWER_ALWAYS || (order.answer == ANSWER_WHEN && !moved);
    return order;
}

// Without its buffers, if they are mirrors of arrays: then the simpler tree is mostly for order to judge.
static bool judge_mirrors(Compile *c, const Region *region, const Node *root, Verdict *v) {
    const Node *simple;
    bool settled = false;
    poly_restart_part(c, MIRRORS_PART);
    if (!flow_mirrors(c, region, root, &simple)) return false;
    if (!node_any(simple, is_buffered)) *v = judge_order(c, region, simple, NULL, &settled);
    return settled;
}

static bool is_yes(Verdict v) { return v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN; }

// Right where both verdicts allow it.
static Verdict both(Arena *a, Verdict x, Verdict y) {
    if (x.answer == ANSWER_ALWAYS || !is_yes(y)) return y;
    if (y.answer == ANSWER_WHEN && !expr_equal(x.when, y.when))
        x.when = expr_op(a, OP_LAND, x.when, y.when, NULL);
    return x;
}

// By flow; arrays of which the data choose elements by order, if no buffer stands for them.
static Verdict judge_buffered(Compile *c, const Region *region, const Node *root) {
    const Region *rest = region;
    const Node *tree = root;
    ChosenArrays chosen = {0};
    bool settled;
    if (!dep_chosen(c->arena, &rest, &tree, &chosen)) return flow_judge(c, region, root);
    Verdict order = judge_order(c, region, root, &chosen, &settled);
    Verdict flow = is_yes(order) ? flow_judge(c, rest, tree) : order;
    return is_yes(flow) ? both(c->arena, order, flow) : flow_judge(c, region, root);
}

static Verdict judge_as_is(Compile *c, const Region *region, const Node *root) {
    bool settled;
    Verdict order;
    if (node_any(root, is_buffered))
        return judge_mirrors(c, region, root, &order) ? order : judge_buffered(c, region, root);
    order = judge_order(c, region, root, NULL, &settled);
    if (settled) return order;
    Verdict flow = flow_judge(c, region, root); // may allow what order alone refuses
    return flow.answer == ANSWER_UNKNOWN || (flow.answer == ANSWER_NEVER && order.answer != ANSWER_UNKNOWN)
               ? order
               : flow;
}

static Verdict judge_tree(Compile *c, const Region *region, const Node *root) {
    Flat rounds = {.a = c->arena};
    dep_stretches(c, &region, &root);
    const Node *flat = without_rounds((Node *)root, &rounds);
    if (!rounds.any) return judge_as_is(c, region, root);
    Verdict v = judge_as_is(c, region, flat);
    bool over = v.answer == ANSWER_UNKNOWN && str_eq(v.why, OVER_BUDGET); // as it is there is more to tell
    if (v.answer == ANSWER_ALWAYS || over) return v;
    Verdict w = judge_as_is(c, region, root);
    return v.answer == ANSWER_WHEN && w.answer == ANSWER_UNKNOWN ? v : w;
}

// ---- alternatives ----------------------------------------------------------------------------
// Of kernels among which sizes choose, one runs:
//
//   if (m >= 512) A else if (m >= 64) B else C        A for m >= 512, B for 64 <= m < 512, C for m < 64
//
// Each is judged as a tree of its own, for the sizes that choose it, with the whole budget; what one of
// them touches is never compared with what another does.

typedef struct Alternative {
    const Node *root;
    int ngiven;
    Expr **given; // when it runs
} Alternative;
typedef VEC(Alternative) Alternatives;

static Expr *denied(Arena *a, Expr *x) {
    return x->kind == E_OP && x->op == OP_LNOT ? x->args[0] : expr_op(a, OP_LNOT, x, NULL, NULL);
}

static Alternative narrowed(Arena *a, const Alternative *from, const Node *choice, Node *arm, Expr *cond) {
    arm = arm ? arm : node_seq(a, 0, NULL);
    Alternative to = {node_replace(a, (Node *)from->root, choice, arm), from->ngiven + 1,
                      NEW_N(a, Expr *, from->ngiven + 1)};
    for (int i = 0; i < from->ngiven; i++) to.given[i] = from->given[i];
    to.given[from->ngiven] = cond;
    return to;
}

static void find_alternatives(Arena *a, Alternative from, Alternatives *out) {
    const Node *n = from.root;
    while (n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    if (n->kind != N_IF || expr_has_load(n->cond)) {
        vec_push(a, out, from);
        return;
    }
    find_alternatives(a, narrowed(a, &from, n, n->then, n->cond), out);
    find_alternatives(a, narrowed(a, &from, n, n->other, denied(a, n->cond)), out);
}

// Does it part the sizes in several pieces? Then each set of the analysis would have as many.
static bool is_broken(const Expr *x) {
    return x->kind == E_OP && (x->op == OP_LNOT || x->op == OP_LOR);
}

// all: also what breaks the sizes in pieces; *less: some of that was left out.
static const Region *assuming(Arena *a, const Region *region, const Alternative *x, bool all, bool *less) {
    Region *r = NEW_AS(a, Region, *region);
    r->assumes = NEW_N(a, Expr *, region->nassumes + x->ngiven);
    for (int i = 0; i < region->nassumes; i++) r->assumes[i] = region->assumes[i];
    *less = false;
    for (int i = 0; i < x->ngiven; i++) {
        if (all || !is_broken(x->given[i])) r->assumes[r->nassumes++] = x->given[i];
        else *less = true;
    }
    return r;
}

// Mostly a kernel is right for more sizes than choose it; what is proved for more holds for these.
static Verdict judge_alternative(Compile *c, const Region *region, const Alternative *x) {
    bool less;
    Verdict v = judge_tree(c, assuming(c->arena, region, x, false, &less), x->root);
    if (!less || v.answer == ANSWER_ALWAYS || (v.answer == ANSWER_WHEN && !v.why)) return v;
    return judge_tree(c, assuming(c->arena, region, x, true, &less), x->root);
}

static Verdict judge_choices(Compile *c, const Region *region, const Node *root) {
    Arena *a = c->arena;
    Alternatives all = {0};
    find_alternatives(a, (Alternative){.root = root}, &all);
    Verdict sum = {ANSWER_ALWAYS, NULL, NULL};
    for (int i = 0; i < all.n && all.n > 1; i++) {
        const Alternative *x = &all.at[i];
        Verdict v = judge_alternative(c, region, x);
        if (v.answer == ANSWER_ALWAYS) continue;
        if (v.answer != ANSWER_WHEN) return judge_tree(c, region, root); // together: for which sizes, and why
        for (int k = 0; k < x->ngiven; k++) v.when = expr_op(a, OP_LOR, v.when, denied(a, x->given[k]), NULL);
        sum = (Verdict){ANSWER_WHEN, sum.when ? expr_op(a, OP_LAND, sum.when, v.when, NULL) : v.when,
                        sum.why ? sum.why : v.why, sum.doubt || v.doubt};
    }
    return all.n > 1 ? sum : judge_tree(c, region, root);
}

// With choices that have products of counters in them as choices for any one iteration. False: that is not
// right for all of them, as far as can be told, or there are none.
static bool judge_picked(Compile *c, const Region *region, const Node *root, Verdict *v) {
    const Sym *picked[PICKED_MOST];
    int n;
    Node *tree = picked_tree(c->arena, root, &n, picked);
    if (!n) return false;
    *v = judge_choices(c, region, tree);
    bool right = v->answer == ANSWER_ALWAYS || v->answer == ANSWER_WHEN;
    for (int i = 0; right && v->when && i < n; i++) right = !expr_uses_sym(v->when, picked[i]);
    return right;
}

enum { THROUGH_PART = 6 }; // of the time that is left: there is an answer already, if not the best

// With conditions that see through locals; else the answer stays.
static void judge_through(Compile *c, const Region *region, const Node *root, Verdict *v) {
    bool any = false;
    Region *told = NEW_AS(c->arena, Region, *region);
    told->root = dep_through(c->arena, region, region->root, &any);
    if (!any) return;
    double limit = c->limit, now = time_used();
    if (limit > now) c->limit = now + (limit - now) / THROUGH_PART;
    Verdict w = judge_choices(c, told, root == region->root ? told->root
                                                            : dep_through(c->arena, region, root, &any));
    c->limit = limit;
    if (w.answer == ANSWER_ALWAYS || w.answer == ANSWER_WHEN) *v = w;
}

// The tree without arms for whole tiles, as far as the region's assumptions tell.
static const Node *general(Compile *c, const Region *region, const Node *root) {
    Node **known = NEW_N(c->arena, Node *, region->nassumes + 1), *none = node_seq(c->arena, 0, NULL);
    for (int i = 0; i < region->nassumes; i++) known[i] = node_if(c->arena, region->assumes[i], none, NULL);
    return dep_without_whole(c, region->nassumes, known, dep_from_origins(c->arena, root));
}

Verdict dep_judge(Compile *c, const Region *region, const Node *root) {
    double limit = poly_together(c);
    Verdict v;
    Expr *fit = NULL;
    root = general(c, region, root);
    dep_filled(c->arena, &region, &root, &fit);
    if (!judge_picked(c, region, root, &v)) v = judge_choices(c, region, root);
    if (v.answer == ANSWER_UNKNOWN) judge_through(c, region, root, &v);
    c->limit = limit;
    if (fit && v.answer == ANSWER_ALWAYS) v = (Verdict){.answer = ANSWER_WHEN, .when = fit};
    else if (fit && v.answer == ANSWER_WHEN) v.when = expr_op(c->arena, OP_LAND, v.when, fit, NULL);
    return v;
}

// ---- nests ---------------------------------------------------------------------------------------
// A nest runs only where its guard holds. What of the guard is a plain comparison may be assumed; the rest
// would break sets in pieces, or adds divisions.

static bool is_hard(const Expr *x) {
    bool relates = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_EQ;
    bool counts = (x->kind == E_OP && (x->op == OP_NEG || (x->op >= OP_ADD && x->op <= OP_MUL))) ||
                  (x->kind == E_CAST && type_is_int(x->args[0]->type));
    bool wraps = counts && !type_is_signed(x->type); // then it is no plain arithmetic
    return wraps || !(relates || counts || x->kind == E_INT || x->kind == E_SYM);
}

static void assume(Arena *a, Region *r, Expr *x) {
    if (x->kind == E_OP && x->op == OP_LAND) {
        assume(a, r, x->args[0]);
        assume(a, r, x->args[1]);
        return;
    }
    if (x->kind != E_OP || expr_any(x, is_hard)) return;
    Expr **all = NEW_N(a, Expr *, r->nassumes + 1);
    for (int i = 0; i < r->nassumes; i++) all[i] = r->assumes[i];
    all[r->nassumes++] = x;
    r->assumes = all;
}

// The first term of a conjunction that is a disjunction; NULL: none is.
static const Expr *disjunction(const Expr *x) {
    if (x->kind != E_OP || (x->op != OP_LAND && x->op != OP_LOR)) return NULL;
    if (x->op == OP_LOR) return x;
    const Expr *first = disjunction(x->args[0]);
    return first ? first : disjunction(x->args[1]);
}

// Where is the nest right, wherever one of these holds? Each is asked by itself: sizes in several pieces
// would break each set of the analysis in as many. Where all that is asked for holds, that of the one that
// holds does.
static Verdict judge_each(Compile *c, const Region *region, const Node *root, Expr *any) {
    if (any->kind == E_OP && any->op == OP_LOR) {
        Verdict v = judge_each(c, region, root, any->args[0]);
        if (!is_yes(v)) return v;
        return both(c->arena, v, judge_each(c, region, root, any->args[1]));
    }
    Region *guarded = NEW_AS(c->arena, Region, *region);
    assume(c->arena, guarded, any);
    if (guarded->nassumes == region->nassumes) return (Verdict){.answer = ANSWER_UNKNOWN};
    return dep_judge(c, guarded, root);
}

Verdict dep_judge_nest(Compile *c, const Nest *n) {
    const Region *region = n->region;
    Node *tree = n->root;
    if (n->npromised && !dep_promised(c, n->region, n->root, n->npromised, n->promised, &region, &tree))
        region = n->region, tree = n->root;
    if (n->when) dep_known(c, n->when, &region, &tree);
    Region *guarded = NEW_AS(c->arena, Region, *region);
    if (n->when) assume(c->arena, guarded, n->when);
    const Expr *any = n->when ? disjunction(n->when) : NULL;
    double limit = poly_together(c);
    Verdict v = any ? judge_each(c, guarded, tree, (Expr *)any) : (Verdict){.answer = ANSWER_UNKNOWN};
    c->limit = limit;
    return is_yes(v) ? v : dep_judge(c, guarded, tree);
}
