// SPDX-License-Identifier: MIT
// carry_back.c -- elements that the iterations before have set, as scalars that these hand on.
//
//   for (i = lo; i < hi; i++)                    if (lo < hi) s = y[lo - 1], t = y[lo - 2];
//       y[i] = x[i] + a*y[i-1] + b*y[i-2];  →    for (i = lo; i < hi; i++) {
//                                                    u = x[i] + a*s + b*t;  t = s;  s = u;  y[i] = s; }
//
// The element is set by one statement, in each iteration. What one arm alone reads is read before the loop
// where the first iteration takes that arm.
#include "front/normal.h"

enum { MOST_BACK = 3 };

typedef struct Back {
    Normal *m;
    Arena *a;
    const Node *loop;
    const Stmt *set; // y[i] = …
    int at, now;     // its place in the body, and that of what is looked at
    int n;           // elements that are handed on
    const Array *s[MOST_BACK + 1];
    Expr *under;           // conditions around what is looked at; NULL: none
    bool read[MOST_BACK];  // does the first iteration read the element so far before its own?
    Expr *when[MOST_BACK]; // if this holds; NULL: in any case
    bool no;
} Back;

// The subscripts of the statement so many iterations earlier.
static Expr *earlier(const Back *k, int d, int by) {
    const Sym *i = k->loop->iter;
    Expr *at = expr_sub(k->a, expr_sym(k->a, i), expr_int(k->a, i->type, by * k->loop->step));
    return expr_subst(k->a, k->set->sub[d], 1, &i, &at);
}

// How many iterations ago the element was set; -1: it can't be told.
static int age_of(const Back *k, const Expr *load) {
    for (int by = 0; by <= MOST_BACK; by++) {
        bool same = load->array == k->set->lhs, moves = false;
        for (int d = 0; d < k->set->lhs->rank && same; d++) {
            int64_t apart;
            Expr *x = earlier(k, d, by);
            same = !expr_has_load(load->args[d]) && expr_difference(k->a, load->args[d], x, &apart) && !apart;
            moves |= expr_uses_sym(x, k->loop->iter);
        }
        if (same) return moves ? by : -1;
    }
    return -1;
}

// ---- what is read ------------------------------------------------------------------------------------
static void see_load(Back *k, const Expr *x) {
    if (x->kind != E_LOAD || !arrays_may_overlap(x->array, k->set->lhs)) return;
    int age = age_of(k, x), shift = k->now > k->at;
    if (age < 0 || age + shift > MOST_BACK) {
        k->no = true;
        return;
    }
    if (!age && !shift) return; // as it was before the loop
    if (age + shift > k->n) k->n = age + shift;
    if (!age) return;
    Expr **when = &k->when[age - 1];
    if (!k->read[age - 1]) *when = k->under;
    else *when = *when && k->under ? expr_op(k->a, OP_LOR, *when, k->under, NULL) : NULL;
    k->read[age - 1] = true;
}

static void see(Back *k, Expr *x) {
    see_load(k, x);
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    bool lazy = x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR);
    for (int i = 0; i < x->nargs; i++) {
        Expr *under = k->under, *cond = x->args[0];
        if (i && (choice ? i == 2 : lazy && x->op == OP_LOR)) cond = expr_op(k->a, OP_LNOT, cond, NULL, NULL);
        if (i && (choice || lazy)) k->under = under ? expr_op(k->a, OP_LAND, under, cond, NULL) : cond;
        see(k, x->args[i]);
        k->under = under;
    }
}

static void see_node(Back *k, const Node *n) {
    k->no |= n->kind == N_STMT && n->stmt != k->set && arrays_may_overlap(n->stmt->lhs, k->set->lhs);
    if (n->kind == N_STMT) {
        for (int d = 0; d < n->stmt->lhs->rank; d++) see(k, n->stmt->sub[d]);
        see(k, n->stmt->rhs);
    } else if (n->kind == N_IF) {
        see(k, n->cond);
    }
}

// Below conditions and loops nothing of it may be read: when it is would have to be told.
static void see_below(Back *k, const Node *n) {
    node_each(m, n) {
        if (m == n && n->kind == N_IF) continue;
        node_each_expr(x, m) k->no |= x->kind == E_LOAD && arrays_may_overlap(x->array, k->set->lhs);
        k->no |= m->kind == N_STMT && arrays_may_overlap(m->stmt->lhs, k->set->lhs);
    }
}

static bool stands(const Back *k, Expr *cond) {
    expr_each(x, cond)
        if (x->kind == E_LOAD && node_writes(k->loop->body, x->array)) return false;
    return true;
}

// Is there something that the iterations before have set, or this one just before?
static bool find(Back *k) {
    const Node *body = k->loop->body;
    if (!k->set->lhs->rank || k->set->atomic || k->set->lhs->place != PLACE_USER) return false;
    for (k->now = 0; k->now < body->nkids; k->now++) {
        const Node *n = body->kids[k->now];
        see_node(k, n);
        if (n->kind != N_STMT) see_below(k, n);
    }
    for (int i = 0; i < MOST_BACK; i++)
        if (k->when[i] && !stands(k, k->when[i])) return false;
    return k->n && !k->no;
}

// ---- the new loop ----------------------------------------------------------------------------------------
static Expr *scalar_of(Rebuild *b, Expr *x) {
    const Back *k = b->self;
    if (x->kind != E_LOAD || x->array != k->set->lhs) return x;
    int age = age_of(k, x) + (k->now > k->at);
    return age > 0 ? expr_load(b->a, k->s[age - 1], NULL) : x;
}

static Node *scalar_set(const Back *k, const Array *to, Expr *x) {
    return stmt_leaf(k->a, NEW_AS(k->a, Stmt, (Stmt){.loc = k->set->loc, .lhs = to, .op = OP_SET, .rhs = x}));
}

// What stands in the place of the statement.
static Node *hand_on(const Back *k, Expr *value) {
    const Array *next = k->n > 1 ? local_copy(k->m, k->s[0]) : k->s[0];
    Node *all = scalar_set(k, next, value);
    for (int i = k->n - 1; i > 0; i--)
        all = seq_join(k->a, all, scalar_set(k, k->s[i], expr_load(k->a, k->s[i - 1], NULL)));
    if (next != k->s[0]) all = seq_join(k->a, all, scalar_set(k, k->s[0], expr_load(k->a, next, NULL)));
    Stmt *t = NEW_AS(k->a, Stmt, *k->set);
    t->op = OP_SET, t->fused = false, t->rhs = expr_load(k->a, k->s[0], NULL);
    all = seq_join(k->a, all, stmt_leaf(k->a, t));
    return next == k->s[0] ? all : seq_declare(k->a, all, next);
}

static Node *new_body(Back *k) {
    const Node *old = k->loop->body;
    Rebuild b = {.a = k->a, .expr = scalar_of, .self = k};
    Node *all = NULL;
    for (k->now = 0; k->now < old->nkids; k->now++) {
        Node *n = old->kids[k->now];
        bool set = k->now == k->at;
        all = seq_join(k->a, all,
                       set ? hand_on(k, rebuild_expr(&b, stmt_value(k->a, k->set))) : rebuild_node(&b, n));
    }
    return seq_declare_all(k->a, all, old->nlocals, old->locals);
}

// What the first iteration finds.
static Node *begin(Back *k) {
    const Node *l = k->loop;
    const Array *y = k->set->lhs;
    Node *all = NULL;
    Expr *lo = expr_cast(k->a, l->iter->type, l->lo);
    for (int i = 0; i < k->n; i++) {
        Expr *none = type_is_float(y->elem) ? expr_float(k->a, y->elem, 0) : expr_int(k->a, y->elem, 0),
             *x = none;
        if (i < MOST_BACK && k->read[i]) {
            Expr **sub = NEW_N(k->a, Expr *, y->rank);
            for (int d = 0; d < y->rank; d++) sub[d] = earlier(k, d, i + 1);
            x = expr_load(k->a, y, sub);
            if (k->when[i]) x = expr_op(k->a, OP_SELECT, k->when[i], x, none);
            x = expr_subst(k->a, x, 1, &l->iter, &lo);
        }
        all = seq_join(k->a, all, scalar_set(k, k->s[i], x));
    }
    return node_if(k->a, expr_op(k->a, l->step > 0 ? OP_LT : OP_GT, l->lo, l->hi, NULL), all, NULL);
}

Node *carry_back(Normal *m, Node *loop, Node **first, ArrayVec *scalars) {
    if (loop->body->kind != N_SEQ) loop = node_around(m->a, loop, node_seq(m->a, 1, &loop->body));
    for (int i = loop->body->nkids - 1; i >= 0; i--) {
        const Node *kid = loop->body->kids[i];
        Back k = {.m = m, .a = m->a, .loop = loop, .at = i, .set = kid->kind == N_STMT ? kid->stmt : NULL};
        if (!k.set || !find(&k)) continue;
        bool before = false;
        for (int s = 0; s < k.n; s++) {
            const Array *y = k.set->lhs;
            Array *x = array_new(m->a, name_new(m, y->name), y->elem, PLACE_LOCAL, 0);
            x->source = y->source; // as messages call it
            k.s[s] = x;
            before |= s < MOST_BACK && k.read[s];
        }
        Node *body = new_body(&k);
        if (before) *first = seq_join(m->a, *first, begin(&k));
        else body = seq_declare_all(m->a, body, k.n, k.s);
        for (int s = 0; s < k.n && before; s++) vec_push(m->a, scalars, k.s[s]);
        loop = node_around(m->a, loop, body);
    }
    return loop;
}
