// SPDX-License-Identifier: MIT
// carry.c -- recurrences over the elements of an array: what an iteration finds in the element before, a
// scalar hands on.
//
//   for (i = lo; i < hi; i++)            float s;  if (lo < hi) s = y[lo - 1];
//       y[i] = y[i - 1] + x[i];     →    for (i = lo; i < hi; i++) { s = s + x[i];  y[i] = s; }
//
// The element is written by one statement, in each iteration, and by nothing else in the loop: until the next
// iteration reads it, it holds what s holds. Only where that makes an update of s, whose order is free, and
// where the loop touches no other elements: what else hands values on stays for others to see.
#include "front/normal.h"

typedef struct Carry {
    Normal *m;
    Arena *a;
    const Region *region;
    const Node *loop;
    const Stmt *set;           // y[i] = …
    int at;                    // its place in the body
    Expr **before;             // the subscripts of the element before
    const Array *s, *was;      // the new scalar, and what it was before the statement
    bool old, other;           // the element before is read behind the statement; elements that are neither
    bool reads;                // the element before is read
    bool behind;               // what is looked at stands behind the statement
    bool apart;                // it is another recurrence, which could have a loop of its own
    ArrayVec scalars;          // of this loop so far
    ArrayVec all;              // of all loops
} Carry;

static bool is_at(const Carry *k, const Expr *load, Expr *const *sub) {
    for (int d = 0; d < load->array->rank; d++) {
        int64_t apart;
        if (expr_has_load(load->args[d]) || !expr_difference(k->a, load->args[d], sub[d], &apart) || apart)
            return false;
    }
    return true;
}

// ---- may it be carried? -----------------------------------------------------------------------------
static void see_load(Carry *k, const Expr *x) {
    if (x->kind != E_LOAD || !arrays_may_overlap(x->array, k->set->lhs)) return;
    if (x->array == k->set->lhs && is_at(k, x, k->before)) k->reads = true, k->old |= k->behind;
    else k->other |= x->array != k->set->lhs || !is_at(k, x, k->set->sub);
}

static void see_node(Carry *k, const Node *n) {
    k->other |= n->kind == N_STMT && n->stmt != k->set && arrays_may_overlap(n->stmt->lhs, k->set->lhs);
    node_each_expr(x, n) see_load(k, x);
}

// The subscripts an iteration earlier. False: they are the same, or data tell them.
static bool find_before(Carry *k) {
    const Stmt *s = k->set;
    const Sym *i = k->loop->iter;
    Expr *earlier = expr_sub(k->a, expr_sym(k->a, i), expr_int(k->a, i->type, k->loop->step));
    bool moves = false;
    k->before = NEW_N(k->a, Expr *, s->lhs->rank + 1);
    for (int d = 0; d < s->lhs->rank; d++) {
        int64_t apart;
        k->before[d] = expr_subst(k->a, s->sub[d], 1, &i, &earlier);
        if (expr_has_load(s->sub[d]) || !expr_difference(k->a, s->sub[d], k->before[d], &apart)) return false;
        moves |= apart != 0;
    }
    return moves;
}

static bool can_carry(Carry *k) {
    const Node *body = k->loop->body;
    if (!k->set->lhs->rank || k->set->atomic || !find_before(k)) return false;
    for (int i = 0; i < body->nkids; i++) {
        k->behind = i > k->at;
        node_each(n, body->kids[i]) see_node(k, n);
    }
    return k->reads && !k->other;
}

// ---- the new loop -------------------------------------------------------------------------------------
static Expr *scalar_of(Rebuild *b, Expr *x) {
    const Carry *k = b->self;
    if (x->kind != E_LOAD || x->array != k->set->lhs) return x;
    if (is_at(k, x, k->before)) return expr_load(b->a, k->behind ? k->was : k->s, NULL);
    return k->behind && !k->apart ? expr_load(b->a, k->s, NULL) : x;
}

static Node *scalar_set(const Carry *k, const Array *to, Expr *x) {
    Stmt *t = NEW_AS(k->a, Stmt, (Stmt){.loc = k->set->loc, .lhs = to, .op = OP_SET, .rhs = x});
    return stmt_leaf(k->a, t);
}

static Expr *value_of(Rebuild *b) {
    const Carry *k = b->self;
    Expr *x = k->set->rhs;
    if (k->set->op != OP_SET)
        x = expr_updated(k->a, k->set->op, expr_load(k->a, k->set->lhs, k->set->sub), x);
    return expr_cast(k->a, k->s->elem, rebuild_expr(b, x));
}

static Node *new_body(Carry *k, Node *update) {
    const Node *old = k->loop->body;
    Rebuild b = {.a = k->a, .expr = scalar_of, .self = k};
    Node *n = node_clone(k->a, old);
    int nkids = 0;
    n->kids = NEW_N(k->a, Node *, old->nkids + 3);
    for (int i = 0; i < old->nkids; i++) {
        const Node *kid = old->kids[i];
        k->behind = i > k->at;
        k->apart = kid->kind == N_STMT && has_array(&k->scalars, kid->stmt->lhs);
        if (i != k->at) {
            n->kids[nkids++] = rebuild_node(&b, old->kids[i]);
            continue;
        }
        Stmt *t = NEW_AS(k->a, Stmt, *k->set);
        t->op = OP_SET, t->rhs = expr_load(k->a, k->s, NULL);
        if (k->old) n->kids[nkids++] = scalar_set(k, k->was, expr_load(k->a, k->s, NULL));
        n->kids[nkids++] = update;
        n->kids[nkids++] = stmt_leaf(k->a, t);
    }
    n->nkids = nkids;
    return k->old ? seq_declare(k->a, n, k->was) : n;
}

// Does the loop stand in no other? There nothing else can be made of it, and a permission that is lacking is
// told.
static bool is_outermost(Node *n, const Node *loop) {
    if (n->kind == N_FOR) return n->iter == loop->iter;
    for (int i = 0; node_kid(n, i); i++)
        if (is_outermost(node_kid(n, i), loop)) return true;
    return false;
}

// What comes before the loop, and the loop; NULL: nothing is won.
static Node *carried(Carry *k) {
    const Node *l = k->loop;
    const Array *y = k->set->lhs;
    Array *s = array_new(k->a, name_new(k->m, y->name), y->elem, PLACE_LOCAL, 0);
    s->source = y->source; // as messages call it
    k->s = s;
    k->behind = false;
    Rebuild b = {.a = k->a, .expr = scalar_of, .self = k};
    Node *update = scalar_set(k, s, value_of(&b));
    if (!update_is_free(k->m, k->region, update->stmt, is_outermost(k->region->root, l))) return NULL;
    if (k->old) k->was = local_copy(k->m, s);
    Node *loop = node_around(k->a, l, new_body(k, update));
    Expr **first = NEW_N(k->a, Expr *, y->rank), *lo = l->lo;
    for (int d = 0; d < y->rank; d++) first[d] = expr_subst(k->a, k->before[d], 1, &l->iter, &lo);
    Node *begin = scalar_set(k, s, expr_load(k->a, y, first));
    begin = node_if(k->a, expr_op(k->a, l->step > 0 ? OP_LT : OP_GT, l->lo, l->hi, NULL), begin, NULL);
    Node *both[2] = {begin, loop};
    return node_seq(k->a, 2, both);
}

// ---- the pass -------------------------------------------------------------------------------
// The scalars of a loop become those of the block that it stands in.
static Node *with_scalars(Carry *k, Node *seq) {
    for (int i = 0; i < seq->nkids; i++) {
        const Node *in = seq->kids[i];
        const Array *last = in->kind == N_SEQ && in->nlocals ? in->locals[in->nlocals - 1] : NULL;
        if (!last || !has_array(&k->all, last)) continue;
        seq = seq_splice(k->a, seq, i, 1, in->nkids, in->kids);
        seq = seq_declare_all(k->a, seq, in->nlocals, in->locals);
    }
    return seq;
}

// Of several recurrences in one loop each gets its scalar.
static Node *solve(Rebuild *b, Node *n) {
    Carry *k = b->self;
    if (n->kind == N_SEQ) return with_scalars(k, n);
    if (n->kind != N_FOR || loop_is_unbounded(n) || loop_while(n) || mark_vouches(n->mark)) return n;
    Node *loop = n, *begin = NULL;
    ArrayVec scalars = {0};
    if (n->body->kind != N_SEQ) loop = node_around(b->a, n, node_seq(b->a, 1, &n->body));
    for (int i = loop->body->nkids - 1; i >= 0; i--) {
        const Node *kid = loop->body->kids[i];
        if (kid->kind != N_STMT) continue;
        *k = (Carry){.m = k->m, .a = k->a, .region = k->region, .loop = loop, .at = i, .set = kid->stmt,
                     .scalars = scalars, .all = k->all};
        Node *both = can_carry(k) ? carried(k) : NULL;
        if (!both) continue;
        begin = seq_join(b->a, begin, both->kids[0]);
        loop = both->kids[1];
        vec_push(b->a, &scalars, k->s);
        vec_push(b->a, &k->all, k->s);
    }
    if (!begin) return n;
    return seq_declare_all(b->a, seq_join(b->a, begin, loop), scalars.n, scalars.at);
}

Region *pass_carry(Normal *m, Region *r) {
    Carry k = {.m = m, .a = m->a, .region = r};
    Rebuild b = {.a = m->a, .node = solve, .self = &k};
    return region_with(m, r, rebuild_node(&b, r->root));
}
