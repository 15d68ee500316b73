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
// statements of one t are put in an order that keeps those within it. What waits for nothing, as the first
// value of a sum does, stands before the loop over t. Sums in variables get elements first (rule expand).
#include "plan/auto.h"
#include "rule/linear.h"
#include "rule/loops.h"

enum { MOST_LEAVES = 8, MOST_LOOPS = 4, MOST_PLANS = 4 };

typedef struct Leaf {
    Event *ev;
    int time;                  // which of its loops is to be t; BEFORE: it stands before all t
} Leaf;
enum { BEFORE = -1 };

typedef struct Outward {
    Plan *p;
    ChainFacts *f;
    int n, plans;
    bool down;                 // t counts down
    Leaf leaf[MOST_LEAVES];
    int nbefore, before[MOST_LEAVES]; // those that stand before t, in order
    // With these loops of two statements as t: does a dependence go to a lesser t, to a greater one, or lie
    // within one t?
    bool lesser[MOST_LEAVES][MOST_LOOPS][MOST_LEAVES][MOST_LOOPS];
    bool greater[MOST_LEAVES][MOST_LOOPS][MOST_LEAVES][MOST_LOOPS];
    bool within[MOST_LEAVES][MOST_LOOPS][MOST_LEAVES][MOST_LOOPS];
    bool any[MOST_LEAVES][MOST_LEAVES];
} Outward;

// ---- the statements ------------------------------------------------------------------------------
static bool is_plain_tree(const Node *n) {
    if (n->kind == N_STMT) return true;
    if ((n->kind != N_FOR && n->kind != N_SEQ) || n->nlocals) return false;
    if (n->kind == N_FOR && ((n->step != 1 && n->step != -1) || loop_is_unbounded(n))) return false;
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
    o->any[x][y] = o->any[x][y] || isl_map_is_empty(m) != isl_bool_true;
    for (int i = 0; i < o->leaf[x].ev->depth && isl_map_is_empty(m) != isl_bool_true; i++)
        for (int j = 0; j < o->leaf[y].ev->depth; j++) {
            bool *less = &o->lesser[x][i][y][j], *more = &o->greater[x][i][y][j];
            bool *in = &o->within[x][i][y][j];
            if (!*less) *less = meets(isl_map_order_gt(isl_map_copy(m), isl_dim_in, i, isl_dim_out, j));
            if (!*more) *more = meets(isl_map_order_lt(isl_map_copy(m), isl_dim_in, i, isl_dim_out, j));
            if (!*in && x != y) *in = meets(isl_map_equate(isl_map_copy(m), isl_dim_in, i, isl_dim_out, j));
        }
    isl_map_free(m);
}

static bool may_be_exchanged(const Outward *o, const Touch *x, const Touch *y) {
    bool updates = x->array == y->array && x->update != OP_SET && x->update == y->update;
    return updates && update_is_permitted(o->f->rel, x, 0) && update_is_permitted(o->f->rel, y, 0);
}

static void note_pair(Outward *o, const Touch *x, const Touch *y) {
    int from = leaf_of(o, x->ev), to = leaf_of(o, y->ev);
    if (may_be_exchanged(o, x, y)) return;
    isl_map *equal = same_element(o->f->rel, x, y);
    for (int l = 0; l < common_loops(x->ev, y->ev); l++) {
        isl_map *m = isl_map_copy(equal);
        note(o, from, to, x->ev->loops[l]->step > 0 ? isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l)
                                                    : isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l));
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

// Those that wait for none but such ones.
static void find_before(Outward *o) {
    bool more = true;
    for (int i = 0; i < o->n; i++) o->leaf[i].time = 0;
    while (more) {
        more = false;
        for (int y = 0; y < o->n; y++) {
            bool waits = o->leaf[y].time == BEFORE;
            for (int x = 0; x < o->n && !waits; x++)
                waits = x != y && o->leaf[x].time != BEFORE && o->any[x][y];
            if (waits) continue;
            o->leaf[y].time = BEFORE;
            o->before[o->nbefore++] = y;
            more = true;
        }
    }
}

// ---- the tree --------------------------------------------------------------------------------
// The statements in an order that keeps what depends within one t. False: there is none.
static bool in_order(const Outward *o, int *order) {
    bool done[MOST_LEAVES] = {false};
    for (int k = 0; k < o->nbefore; k++) done[o->before[k]] = true;
    for (int k = 0; k < o->n - o->nbefore; k++) {
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
    bool up = time->step > 0;
    Expr *begun = expr_op(a, up ? OP_LE : OP_GE, time->lo, t, NULL);
    Expr *open = expr_op(a, up ? OP_LT : OP_GT, t, time->hi, NULL);
    c.body = node_if(a, expr_op(a, OP_LAND, begun, open, NULL), (Node *)leaf->ev->node, NULL);
    Node *n = chain_rebuild(&o->p->names, &c, c.body);
    return node_subst(a, n, 1, &time->iter, &t);
}

// The loop that directly holds the one of that name, which has bounds with its counter; NULL: there is none.
static Node *holder_of(Node *tree, const char *name, Node **inner) {
    Path path;
    *inner = loop_named(tree, name);
    if (!*inner || !path_to(tree, *inner, &path)) return NULL;
    int at = path.n - 2;
    while (at >= 0 && path.node[at]->kind == N_SEQ && path.node[at]->nkids == 1) at--;
    Node *outer = at > 0 && path.node[at]->kind == N_FOR ? path.node[at] : NULL; // the outermost is t's
    if (!outer) return NULL;
    bool uses = expr_uses_sym((*inner)->lo, outer->iter) || expr_uses_sym((*inner)->hi, outer->iter);
    return uses ? outer : NULL;
}

// A loop around another one begins and ends where that one has something to do.
static Node *narrowed(Plan *p, Node *tree, const char *name) {
    Node *inner, *outer = holder_of(tree, name, &inner);
    if (!outer) return tree;
    // One iteration more than that, so that triangles with and without their diagonal begin at the same
    // place.
    Expr *runs = expr_op(p->a, inner->step > 0 ? OP_LE : OP_GE, inner->lo, inner->hi, NULL);
    Node *n = node_replace(p->a, tree, inner, node_if(p->a, runs, inner, NULL));
    n = plan_step(p, n, "trim %s", outer->iter->name);
    n = n ? unwrap(n) : NULL;
    return n && holder_of(n, name, &inner) ? n : tree; // a condition that stays is no gain
}

// Conditions on t as bounds of the loops inside of it, where they can be (rule trim); the innermost first.
static Node *trimmed(Plan *p, Node *tree) {
    const char *name[MOST_LEAVES * MOST_LOOPS + 1];
    int loops = 0;
    node_each(n, tree)
        if (n->kind == N_FOR) name[loops++] = n->iter->name;
    for (int i = loops - 1; i > 0; i--) {
        Node *n = plan_step(p, tree, "trim %s", name[i]);
        if (n) tree = unwrap(n);
        tree = narrowed(p, tree, name[i]);
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
        if (leaf->time == BEFORE) continue;
        Expr *x = poly_bound(r->poly, leaf->ev->domain, leaf->time, greatest, r->ctx);
        if (!x) return NULL;
        x = expr_narrow(o->p->a, leaf->ev->loops[0]->iter->type, x);
        end = end ? farther(o->p->a, end, x, greatest) : x;
    }
    return end;
}

// A statement in all of its loops.
static Node *before_all(const Outward *o, const Leaf *leaf) {
    Chain c = {.n = leaf->ev->depth};
    for (int l = 0; l < c.n; l++) c.loop[l] = leaf->ev->loops[l];
    return chain_rebuild(&o->p->names, &c, (Node *)leaf->ev->node);
}

static Node *tree_of(const Outward *o, const int *order) {
    Arena *a = o->p->a;
    Node *n = node_clone(a, o->f->chain.loop[0]), *kid[MOST_LEAVES + 1];
    n->iter = iter_fresh(&o->p->names, n->iter->name, n->iter->type);
    n->lo = end_of(o, o->down);
    n->hi = end_of(o, !o->down);
    n->step = o->down ? -1 : 1;
    n->mark = NULL;
    if (!n->lo || !n->hi) return NULL;
    n->hi = expr_add(a, n->hi, expr_int(a, n->hi->type, n->step));
    int count = o->n - o->nbefore;
    for (int k = 0; k < count; k++) kid[k] = at_time(o, &o->leaf[order[k]], expr_sym(a, n->iter));
    n->body = node_seq(a, count, kid);
    if (!(n = trimmed(o->p, n)) || !o->nbefore) return n;
    for (int k = 0; k < o->nbefore; k++) kid[k] = before_all(o, &o->leaf[o->before[k]]);
    kid[o->nbefore] = n;
    return node_seq(a, o->nbefore + 1, kid);
}

// ---- the search -------------------------------------------------------------------------------
static Node *plan_as_chosen(Outward *o) {
    int order[MOST_LEAVES], serial = o->p->nserial, parallel = o->p->nparallel, nwhen = o->p->when.n;
    bool outermost = true;
    for (int i = 0; i < o->n; i++) outermost = outermost && o->leaf[i].time <= 0;
    if (outermost || !in_order(o, order) || o->plans++ == MOST_PLANS) return NULL;
    Node *tree = tree_of(o, order), *n = tree ? plan_node(o->p, tree) : NULL;
    bool strips = o->p->cutting != CUT_STEPS || o->p->npanels;
    if (n && o->p->nserial == serial && o->p->nparallel > parallel && strips) return n;
    o->p->nserial = serial, o->p->nparallel = parallel, o->p->when.n = nwhen;
    return NULL;
}

// Does a dependence between the two go back in t?
static bool goes_back(const Outward *o, int x, int i, int y, int j) {
    return o->down ? o->greater[x][i][y][j] || o->greater[y][j][x][i]
                   : o->lesser[x][i][y][j] || o->lesser[y][j][x][i];
}

static Node *choose(Outward *o, int next) {
    if (next == o->n) return plan_as_chosen(o);
    Leaf *leaf = &o->leaf[next];
    if (leaf->time == BEFORE) return choose(o, next + 1);
    for (leaf->time = leaf->ev->depth - 1; leaf->time >= 0; leaf->time--) {
        bool back = false;
        for (int k = 0; k <= next; k++) {
            int t = o->leaf[k].time;
            if (t != BEFORE) back = back || goes_back(o, k, t, next, leaf->time);
        }
        Node *n = back ? NULL : choose(o, next + 1);
        if (n) return n;
    }
    leaf->time = 0; // not BEFORE
    return NULL;
}

// ---- variables ------------------------------------------------------------------------------------

// The loops with elements for their variables; NULL: they can't have them.
static Node *with_elements(Plan *p, Node *tree) {
    VEC(const Array *) all = {0};
    node_each(n, tree)
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) {
            if (n->locals[i]->rank > 0) return NULL;
            vec_push(p->a, &all, n->locals[i]);
        }
    for (int i = 0; tree && i < all.n; i++) tree = plan_step(p, tree, "expand %s", all.at[i]->name);
    return tree;
}

// ---- loops that begin where another one goes backwards -------------------------------------------
//
//   for i  for l = n - i … n  S(i, l)     →     for i  for t = i - 1 … 0 step -1  S(i, n - 1 - t)
//
// So the counters of both say the same of the elements that both touch. The order stays.
static bool begins_backwards(const Node *loop, const Chain *around) {
    Linear l;
    bool yes = false;
    if (loop->step != 1 || !linear_of(loop->lo, &l)) return false;
    for (int i = 0; i < around->n; i++) {
        if (expr_uses_sym(loop->hi, around->loop[i]->iter)) return false;
        yes |= linear_coef(&l, around->loop[i]->iter) < 0;
    }
    return yes;
}

static Node *mirror(Plan *p, Node *loop) {
    Arena *a = p->a;
    Linear trips, lo;
    Expr *last = expr_sub(a, loop->hi, expr_int(a, loop->hi->type, 1));
    const Sym *t = iter_fresh(&p->names, loop->iter->name, loop->iter->type);
    if (!linear_of(last, &trips) || !linear_of(loop->lo, &lo) || !linear_add(&trips, &lo, -1)) return loop;
    Expr *value = expr_sub(a, last, expr_sym(a, t));
    Node *n = node_clone(a, loop);
    n->body = node_subst(a, loop->body, 1, &loop->iter, &value);
    n->iter = t;
    n->lo = linear_expr(a, loop->lo->type, &trips);
    n->hi = expr_int(a, loop->hi->type, -1);
    n->step = -1;
    return n;
}

typedef struct Mirror {
    Plan *p;
    Chain around;
    int n;             // loops that were turned
} Mirror;

static Node *mirrored(Node *n, void *arg) {
    Mirror *m = arg;
    if (n->kind != N_FOR) return node_map(m->p->a, n, mirrored, m);
    if (m->around.n == MOST_LOOPS) return n;
    if (begins_backwards(n, &m->around)) n = mirror(m->p, n), m->n++;
    m->around.loop[m->around.n++] = n;
    n = node_map(m->p->a, n, mirrored, m);
    m->around.n--;
    return n;
}

Node *plan_outward(Plan *p, ChainFacts *f) {
    if (f->base || p->turning || f->rel->touches.n > MOST_TOUCHES) return NULL;
    Mirror m = {.p = p};
    Node *n = NULL, *first = (Node *)f->chain.loop[0], *turned = mirrored(first, &m);
    Node *tree = with_elements(p, m.n ? turned : first);
    if (!tree || !is_plain_tree(tree)) return NULL;
    Outward *o = NEW(p->a, Outward);
    *o = (Outward){.p = p, .f = tree == f->chain.loop[0] ? f : chain_facts(p, tree)};
    if (!find_leaves(o)) return NULL;
    note_all(o);
    find_before(o);
    p->turning = true;
    for (int down = 0; down < 2 && !n && o->nbefore < o->n; down++) {
        o->down = down;
        n = choose(o, 0);
    }
    p->turning = false;
    return n;
}
