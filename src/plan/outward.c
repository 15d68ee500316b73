// SPDX-License-Identifier: MIT
// outward.c -- another loop of each statement outermost, where the one that is there leaves loops in order.
//
//   for i {                                               for t {
//     for j < i {                                           for i > t            A[i][t] /= A[t][t]
//       for k < j  A[i][j] -= A[i][k] * A[k][j]      →      for i, t < j < i     A[i][j] -= A[i][t] * A[t][j]
//       A[i][j] /= A[j][j]                                  for i, i <= j, t < i A[i][j] -= A[i][t] * A[t][j]
//     }                                                   }
//     for j >= i, k < i  A[i][j] -= A[i][k] * A[k][j]
//   }
//
// A left-looking factorisation becomes a right-looking one: what is done with row t is done when t is ready.
// The statements' loops are tried in turn, the innermost first; no dependence may go back in t, and the
// statements of one t are put in an order that keeps those within it.
#include "plan/auto.h"
#include "rule/linear.h"

enum { MOST_LEAVES = 8, MOST_LOOPS = 4, MOST_PLANS = 4 };

typedef struct Leaf {
    Event *ev;
    int time;                  // which of its loops is to be t
} Leaf;

typedef struct Outward {
    Plan *p;
    ChainFacts *f;
    int n, plans;
    Leaf leaf[MOST_LEAVES];
    // With these loops of two statements as t: does a dependence go back in t, or lie within one t?
    bool back[MOST_LEAVES][MOST_LOOPS][MOST_LEAVES][MOST_LOOPS];
    bool within[MOST_LEAVES][MOST_LOOPS][MOST_LEAVES][MOST_LOOPS];
} Outward;

// ---- the statements ------------------------------------------------------------------------------
static bool is_plain_tree(const Node *n) {
    if (n->kind == N_STMT) return true;
    if ((n->kind != N_FOR && n->kind != N_SEQ) || n->nlocals) return false;
    if (n->kind == N_FOR && (n->step != 1 || loop_is_unbounded(n))) return false;
    for (int i = 0; node_kid(n, i); i++)
        if (!is_plain_tree(node_kid(n, i))) return false;
    return true;
}

static bool find_leaves(Outward *o) {
    const Relations *r = o->f->rel;
    bool deep = false;
    for (int i = 0; i < r->events.n; i++) {
        Event *ev = r->events.at[i];
        if (ev->node->kind == N_FOR && !expr_has_load(ev->node->lo) && !expr_has_load(ev->node->hi)) continue;
        if (ev->node->kind != N_STMT || o->n == MOST_LEAVES || ev->depth > MOST_LOOPS || !ev->exact)
            return false;
        for (int l = 1; l < ev->depth; l++)
            if (ev->loops[l]->iter->type != ev->loops[0]->iter->type) return false;
        deep = deep || ev->depth > 1;
        o->leaf[o->n++].ev = ev;
    }
    return deep;
}

static int leaf_of(const Outward *o, const Event *ev) {
    for (int i = 0; i < o->n; i++)
        if (o->leaf[i].ev == ev) return i;
    return -1;
}

// ---- dependences ---------------------------------------------------------------------------------------
static bool meets(__isl_take isl_map *m) {
    bool yes = isl_map_is_empty(m) != isl_bool_true;
    isl_map_free(m);
    return yes;
}

// m: instances of statement x and later ones of y on one element.
static void note(Outward *o, int x, int y, __isl_take isl_map *m) {
    for (int i = 0; i < o->leaf[x].ev->depth && isl_map_is_empty(m) != isl_bool_true; i++)
        for (int j = 0; j < o->leaf[y].ev->depth; j++) {
            bool *back = &o->back[x][i][y][j], *in = &o->within[x][i][y][j];
            if (!*back) *back = meets(isl_map_order_gt(isl_map_copy(m), isl_dim_in, i, isl_dim_out, j));
            if (!*in && x != y) *in = meets(isl_map_equate(isl_map_copy(m), isl_dim_in, i, isl_dim_out, j));
        }
    isl_map_free(m);
}

static void note_pair(Outward *o, const Touch *x, const Touch *y) {
    int from = leaf_of(o, x->ev), to = leaf_of(o, y->ev);
    isl_map *equal = same_element(o->f->rel, x, y);
    for (int l = 0; l < common_loops(x->ev, y->ev); l++) {
        note(o, from, to, isl_map_order_lt(isl_map_copy(equal), isl_dim_in, l, isl_dim_out, l));
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    if (x->ev->order < y->ev->order) note(o, from, to, isl_map_copy(equal));
    isl_map_free(equal);
}

static void note_all(Outward *o) {
    const Relations *r = o->f->rel;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++)
            if (may_conflict(&r->touches.at[i], &r->touches.at[j]))
                note_pair(o, &r->touches.at[i], &r->touches.at[j]);
}

// ---- the tree --------------------------------------------------------------------------------
// The statements in an order that keeps what depends within one t. False: there is none.
static bool in_order(const Outward *o, int *order) {
    bool done[MOST_LEAVES] = {false};
    for (int k = 0; k < o->n; k++) {
        int next = -1;
        for (int y = 0; y < o->n && next < 0; y++) {
            bool ready = !done[y];
            for (int x = 0; x < o->n && ready; x++)
                ready = done[x] || !o->within[x][o->leaf[x].time][y][o->leaf[y].time];
            if (ready) next = y;
        }
        if (next < 0) return false;
        done[order[k] = next] = true;
    }
    return true;
}

// A statement at t, in its other loops.
static Node *at_time(const Outward *o, const Leaf *leaf, Expr *t) {
    Arena *a = o->p->a;
    const Node *time = leaf->ev->loops[leaf->time];
    Chain c = {0};
    for (int l = 0; l < leaf->ev->depth; l++)
        if (l != leaf->time) c.loop[c.n++] = leaf->ev->loops[l];
    Expr *begun = expr_op(a, OP_LE, time->lo, t, NULL), *open = expr_op(a, OP_LT, t, time->hi, NULL);
    c.body = node_if(a, expr_op(a, OP_LAND, begun, open, NULL), (Node *)leaf->ev->node, NULL);
    Node *n = chain_rebuild(&o->p->names, &c, c.body);
    return node_subst(a, n, 1, &time->iter, &t);
}

typedef struct Loops {
    int n;
    const char *name[MOST_LEAVES * MOST_LOOPS + 1];
} Loops;

static void note_loop(Node *n, void *arg) {
    Loops *l = arg;
    if (n->kind == N_FOR) l->name[l->n++] = n->iter->name;
}

// Conditions on t as bounds of the loops inside of it, where they can be (rule trim); the innermost first.
static Node *trimmed(Plan *p, Node *tree) {
    Loops l = {0};
    node_walk(tree, note_loop, &l);
    for (int i = l.n - 1; i > 0; i--) {
        Node *n = plan_step(p, tree, "trim %s", l.name[i]);
        if (n) tree = unwrap(n);
    }
    return tree;
}

static Expr *farther(Arena *a, Expr *x, Expr *y, bool greatest) {
    Linear p, q;
    bool apart = linear_of(x, &p) && linear_of(y, &q) && linear_add(&q, &p, -1) && !q.n; // by a constant
    if (apart) return (q.c > 0) == greatest ? y : x;
    return expr_op(a, greatest ? OP_MAX : OP_MIN, x, y, NULL);
}

// The least or the greatest t of all statements; NULL: it can't be told.
static Expr *end_of(const Outward *o, bool greatest) {
    Relations *r = o->f->rel;
    Expr *end = NULL;
    for (int i = 0; i < o->n; i++) {
        const Leaf *leaf = &o->leaf[i];
        Expr *x = poly_bound(r->poly, leaf->ev->domain, leaf->time, greatest, r->ctx);
        if (!x) return NULL;
        x = expr_narrow(o->p->a, leaf->ev->loops[0]->iter->type, x);
        end = end ? farther(o->p->a, end, x, greatest) : x;
    }
    return end;
}

static Node *tree_of(const Outward *o, const int *order) {
    Arena *a = o->p->a;
    Node *n = node_clone(a, o->f->chain.loop[0]), *kid[MOST_LEAVES];
    n->iter = iter_fresh(&o->p->names, n->iter->name, n->iter->type);
    n->lo = end_of(o, false);
    n->hi = end_of(o, true);
    n->mark = NULL;
    if (!n->lo || !n->hi) return NULL;
    n->hi = expr_add(a, n->hi, expr_int(a, n->hi->type, 1));
    for (int k = 0; k < o->n; k++) kid[k] = at_time(o, &o->leaf[order[k]], expr_sym(a, n->iter));
    n->body = node_seq(a, o->n, kid);
    return trimmed(o->p, n);
}

// ---- the search -------------------------------------------------------------------------------
static Node *plan_as_chosen(Outward *o) {
    int order[MOST_LEAVES], serial = o->p->nserial, parallel = o->p->nparallel, nwhen = o->p->when.n;
    bool outermost = true;
    for (int i = 0; i < o->n; i++) outermost = outermost && o->leaf[i].time == 0;
    if (outermost || !in_order(o, order) || o->plans++ == MOST_PLANS) return NULL;
    Node *tree = tree_of(o, order), *n = tree ? plan_node(o->p, tree) : NULL;
    if (n && o->p->nserial == serial && o->p->nparallel > parallel) return n;
    o->p->nserial = serial, o->p->nparallel = parallel, o->p->when.n = nwhen;
    return NULL;
}

static Node *choose(Outward *o, int next) {
    if (next == o->n) return plan_as_chosen(o);
    Leaf *leaf = &o->leaf[next];
    for (leaf->time = leaf->ev->depth - 1; leaf->time >= 0; leaf->time--) {
        bool back = false;
        for (int k = 0; k <= next; k++) {
            int t = o->leaf[k].time;
            back = back || o->back[k][t][next][leaf->time] || o->back[next][leaf->time][k][t];
        }
        Node *n = back ? NULL : choose(o, next + 1);
        if (n) return n;
    }
    return NULL;
}

Node *plan_outward(Plan *p, ChainFacts *f) {
    if (f->base || p->turning || f->rel->touches.n > MOST_TOUCHES) return NULL;
    if (!is_plain_tree(f->chain.loop[0])) return NULL;
    Outward *o = NEW(p->a, Outward);
    *o = (Outward){.p = p, .f = f};
    if (!find_leaves(o)) return NULL;
    note_all(o);
    p->turning = true;
    Node *n = choose(o, 0);
    p->turning = false;
    return n;
}
