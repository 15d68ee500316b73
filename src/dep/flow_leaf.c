// SPDX-License-Identifier: MIT
// flow_leaf.c -- a tree as leaves: when they run, what they touch, which instances they are.
#include "dep/factor.h"
#include "dep/flow.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <limits.h>

typedef struct Decl {
    const Array *array;
    const Node *block;
    int loops;
} Decl;

typedef struct LeafWalk {
    FlowTree *t;
    const FlowTree *region;
    Flow *f;
    Arena *a;
    int next;                // the event that comes next
    int loops;
    const Node *kernel;
    VEC(Decl) decls;
    VEC(FlowTime) time;
} LeafWalk;

// ---- accesses --------------------------------------------------------------------------------

static Decl decl_of(const LeafWalk *w, const Array *array) {
    for (int i = w->decls.n - 1; i >= 0; i--)
        if (w->decls.at[i].array == array) return w->decls.at[i];
    return (Decl){array, NULL, 0};
}

// map with output `at` fixed to an expression; false: it can't be told, and map as it was.
static bool set_output(FlowTree *t, const Event *ev, isl_map **map, int at, Expr *x) {
    x = event_value(t->r, ev, x);
    isl_pw_aff *pa = x ? poly_aff(t->flow->poly, ev->scope, x, NULL) : NULL;
    if (!pa || !*map) { // no map: isl has given up, which whoever asks last will see
        isl_pw_aff_free(pa);
        return !*map;
    }
    unsigned n = (unsigned)isl_map_dim(*map, isl_dim_out);
    isl_map *one = isl_map_insert_dims(isl_map_from_pw_aff(pa), isl_dim_out, 0, (unsigned)at);
    one = isl_map_insert_dims(one, isl_dim_out, (unsigned)at + 1, n - (unsigned)at - 1);
    *map = isl_map_intersect(*map, one);
    return true;
}

static isl_map *map_to(Poly *poly, const Event *ev, int outputs) {
    isl_space *space = isl_space_alloc(poly->ctx, 0, (unsigned)ev->scope.n, (unsigned)outputs);
    return isl_map_intersect_domain(isl_map_universe(space), isl_set_copy(ev->domain));
}

static void finish_access(LeafWalk *w, FlowLeaf *l, FlowAccess *x) {
    Decl d = decl_of(w, x->array);
    x->leaf = l;
    x->decl = d.block;
    x->scope = d.loops;
    x->exact = true;
    isl_map *m = map_to(w->f->poly, l->ev, x->scope + x->array->rank);
    for (int i = 0; i < x->scope; i++) m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    for (int i = 0; i < x->array->rank; i++)
        if (!set_output(w->t, l->ev, &m, x->scope + i, x->sub[i])) x->exact = false;
    x->map = own_map(w->a, isl_map_coalesce(m));
}

// Two operators on one array, as in C *= beta; C += …: that of the innermost statement stays an update,
// others read their word and write it anew, so that everything keeps its place about them.
static bool is_anew(const Flow *f, const Stmt *s) {
    const Stmt *kept = s;
    for (int i = 0; i < f->r->nstmts; i++) {
        const Stmt *other = f->r->stmts[i];
        if (other->op != OP_SET && arrays_may_overlap(other->lhs, s->lhs) && other->depth > kept->depth)
            kept = other;
    }
    for (int i = 0; i < f->r->nstmts && kept->depth == s->depth; i++) { // the first of the innermost
        const Stmt *other = f->r->stmts[i];
        if (other->op == OP_SET || other->depth != s->depth || !arrays_may_overlap(other->lhs, s->lhs))
            continue;
        kept = other;
        break;
    }
    return s->op != OP_SET && s->op != kept->op;
}

static bool is_redirected(const Node *n, int k) { return n->nvia && n->via[k]; }

static void statement_accesses(LeafWalk *w, FlowLeaf *l) {
    AccessVec acc = node_accesses(w->a, l->node);
    bool anew = is_anew(w->f, l->stmt);
    l->naccesses = acc.n + anew;
    l->access = NEW_N(w->a, FlowAccess, acc.n + 2);
    for (int k = 0; k < acc.n; k++) {
        const Access *x = &acc.at[k];
        Expr **sub = NEW_N(w->a, Expr *, x->array->rank + 1);
        for (int d = 0; d < x->array->rank; d++) sub[d] = relations_seen(w->t->r, l->node, x->sub[d]);
        l->access[k] = (FlowAccess){.array = x->array, .sub = sub, .write = x->write, .read = x->read,
                                    .update = x->write && x->read ? l->stmt->op : OP_SET,
                                    .own = !is_redirected(l->node, k)};
        finish_access(w, l, &l->access[k]);
    }
    if (!anew) return;
    l->access[acc.n] = l->access[0];
    l->access[acc.n].write = l->access[0].read = false;
    l->access[acc.n].update = l->access[0].update = OP_SET;
}

static void copy_accesses(LeafWalk *w, FlowLeaf *l) {
    const Node *n = l->node;
    AccessVec v = node_accesses(w->a, n);
    l->naccesses = v.n;
    l->access = NEW_N(w->a, FlowAccess, v.n);
    for (int k = 0; k < v.n; k++) {
        const Access *x = &v.at[k];
        l->access[k] = (FlowAccess){.array = x->array, .sub = x->sub, .write = x->write, .read = x->read};
        if (!k) l->access[k].update = n->op;
    }
    for (int k = 0; k < l->naccesses; k++) finish_access(w, l, &l->access[k]);
}

// ---- instances ---------------------------------------------------------------------------------

static const FlowLeaf *leaf_of_stmt(const FlowTree *region, const Stmt *s) {
    for (int i = 0; i < region->leaves.n; i++)
        if (region->leaves.at[i]->stmt == s) return region->leaves.at[i];
    return NULL;
}

static void find_instances(LeafWalk *w, FlowLeaf *l) {
    Flow *f = w->f;
    l->region = w->region ? leaf_of_stmt(w->region, l->stmt) : l;
    if (!l->region) {
        flow_give_up(f, arena_printf(w->a, "%s is no statement of the region", l->stmt->label));
        return;
    }
    isl_map *m = map_to(f->poly, l->ev, l->region->ev->scope.n);
    bool told, whole;
    for (int d = 0; d < l->stmt->depth; d++)
        if (!set_output(w->t, l->ev, &m, d, l->node->at[d]))
            flow_give_up(f, arena_printf(w->a, "which instances %s is cannot be told", flow_name(w->a, l)));
    m = term_match(f->poly, l->ev, l->region->ev, m, &told, &whole);
    if (!told || !whole)
        flow_give_up(f, arena_printf(w->a, "%s depends on data in another way than in the loops",
                                     flow_name(w->a, l)));
    if (l->region != l) m = isl_map_intersect_range(m, isl_set_copy(l->region->ev->domain));
    l->orig = own_map(w->a, isl_map_coalesce(m));
    l->once = l->access[0].update != OP_SET && factor_is_injective(l->orig);
    isl_set *real = isl_map_domain(isl_map_copy(l->orig)), *all = isl_set_copy(l->ev->domain);
    l->ghost = own_set(w->a, isl_set_coalesce(isl_set_subtract(all, real)));
}

static FlowLeaf *add_leaf(LeafWalk *w, const Node *n) {
    FlowLeaf *l = NEW(w->a, FlowLeaf);
    *l = (FlowLeaf){.ev = w->t->r->events.at[w->next++], .node = n, .kernel = w->kernel,
                    .stmt = n->kind == N_STMT ? n->stmt : NULL, .ntime = w->time.n,
                    .time = NEW_N(w->a, FlowTime, w->time.n + 1)};
    for (int i = 0; i < w->time.n; i++) l->time[i] = w->time.at[i];
    vec_push(w->a, &w->t->leaves, l);
    if (!l->ev->told && !w->t->loose)
        flow_give_up(w->f,
                     arena_printf(w->a, "when %s runs depends on data, or is not affine in the counters",
                                  flow_name(w->a, l)));
    return l;
}

// ---- the walk -------------------------------------------------------------------------------------

static void push_time(LeafWalk *w, int position, int level, bool down) {
    FlowTime t = {position, level, down};
    vec_push(w->a, &w->time, t);
}

static bool is_serial(const Node *loop) { return loop->how == HOW_SERIAL || loop->how == HOW_UNROLL; }

static void walk_leaves(LeafWalk *w, const Node *n);

static void walk_kids(LeafWalk *w, const Node *n) {
    int mark = w->decls.n;
    for (int i = 0; i < n->nlocals; i++) {
        Decl d = {n->locals[i], n, w->loops};
        vec_push(w->a, &w->decls, d);
    }
    for (int i = 0; i < n->nkids; i++) {
        if (n->nkids > 1) push_time(w, i, -1, false);
        walk_leaves(w, n->kids[i]);
        if (n->nkids > 1) w->time.n--;
    }
    w->decls.n = mark;
}

static void walk_leaves(LeafWalk *w, const Node *n) {
    const Node *kernel = w->kernel;
    if (!n || n->kind == N_BARRIER) return;
    if (n->kind == N_STMT || n->kind == N_COPY) {
        FlowLeaf *l = add_leaf(w, n);
        if (l->stmt) statement_accesses(w, l);
        else copy_accesses(w, l);
        if (l->stmt && !w->t->loose) find_instances(w, l);
        return;
    }
    if (w->next < w->t->r->events.n && w->t->r->events.at[w->next]->node == n) w->next++; // its own reads
    if (n->kind == N_SEQ) walk_kids(w, n);
    if (n->kind == N_KERNEL) w->kernel = n;
    bool runs = n->kind == N_FOR && is_serial(n);
    if (runs) push_time(w, 0, w->loops, n->step < 0);
    w->loops += n->kind == N_FOR;
    if (n->body) walk_leaves(w, n->body);
    w->loops -= n->kind == N_FOR;
    w->time.n -= runs;
    walk_leaves(w, n->then);
    walk_leaves(w, n->other);
    w->kernel = kernel;
}

void flow_leaves(FlowTree *t, const FlowTree *region) {
    LeafWalk w = {.t = t, .region = region, .f = t->flow, .a = t->flow->a};
    const TermArrays *arrays = t->loose ? NULL : t->flow->arrays;
    t->r = relations_with_terms(t->flow->c, t->flow->r, t->root, arrays, NULL);
    walk_leaves(&w, t->root);
}

FlowLeaf *flow_out(FlowTree *t, const Array *array, isl_set *domain, int nterms, const Term *terms) {
    Arena *a = t->flow->a;
    FlowLeaf *l = NEW(a, FlowLeaf);
    Event *ev = NEW_AS(a, Event, (Event){.label = "the end",
                                         .order = INT_MAX,
                                         .depth = array->rank,
                                         .loops = NEW_N(a, const Node *, array->rank + 1),
                                         .scope = {array->rank + nterms, NULL},
                                         .nterms = nterms,
                                         .terms = terms,
                                         .told = true,
                                         .domain = own_set(a, domain),
                                         .exact = true});
    FlowTime *end = NEW_AS(a, FlowTime, (FlowTime){INT_MAX, -1, false});
    *l = (FlowLeaf){.ev = ev, .naccesses = 1, .access = NEW(a, FlowAccess), .ntime = 1, .time = end};
    isl_set *elements =
        isl_set_project_out(isl_set_copy(domain), isl_dim_set, (unsigned)array->rank, (unsigned)nterms);
    isl_map *m = isl_map_from_domain_and_range(isl_set_copy(domain), elements);
    for (int i = 0; i < array->rank; i++) m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    l->access[0] = (FlowAccess){.leaf = l, .array = array, .read = true, .exact = true, .map = own_map(a, m)};
    return l;
}

// ---- words -------------------------------------------------------------------------------------------

const char *flow_name(Arena *a, const FlowLeaf *l) {
    if (l->stmt)
        return l->ev->loc.line ? arena_printf(a, "%s at line %d", l->stmt->label, l->ev->loc.line)
                               : l->stmt->label;
    if (!l->node) return "the end of the loops";
    return arena_printf(a, "the copy to %s", l->node->dst->name);
}

static const char *element(Arena *a, const Array *array, Expr *const *sub) {
    Text t = text_new(a);
    text_put(&t, array->name);
    for (int d = 0; sub && d < array->rank; d++) text_printf(&t, "[%s]", ir_print_expr(a, sub[d]));
    return text_str(&t);
}

const char *flow_text(Arena *a, const FlowAccess *x) {
    return arena_printf(a, "%s (%s %s)", flow_name(a, x->leaf),
                        x->update != OP_SET ? "updates"
                        : x->write          ? "writes"
                                            : "reads",
                        element(a, x->array, x->sub));
}
