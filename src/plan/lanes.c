// SPDX-License-Identifier: MIT
// lanes.c -- on a processor: iterations of a parallel loop in vector lanes, with the loops inside of it
// outside of the lanes.
//
//   for i { s = 0; for j  s += f(x[i], y[j]); out[i] = s }
//
//   for ib block {
//     for v vector  s_v[v] = 0
//     for j  for v vector  s_v[v] += f(x[16 * ib + v], y[j])       each sum keeps its order
//     for v vector  out[16 * ib + v] = s_v[v] }
//
// Where two loops are parallel the lanes are those of the one that touches neighbours, some rows of the
// other go side by side so that what they share is loaded once, and an operand whose neighbours are a row
// apart is copied with rows and columns exchanged. What a loop reads again and again comes before it.
#include "plan/auto.h"
#include "base/processor.h"
#include "rule/abreast.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include "rule/reads.h"
#include "rule/turn.h"

enum { ROWS = 4, MOST_TURNED = 4, MOST_KEPT = 64, LEAST_ROWS = 16 };

typedef struct Lanes {
    Plan *p;
    Arena *a;
    const Chain *c;
    const MapDim *x, *y;     // lanes; rows, or NULL
    int width;
    const Sym *xs, *ys;
    bool inside;             // a serial loop is around
    bool no;
    bool along;              // in a loop, lanes touch neighbours
    int size;                // bytes of the elements; 0: none so far
    const Node *around[8];
    int naround, nturned;
    const Array *turned[MOST_TURNED];
    const Node *walks[MOST_TURNED]; // the loop over its columns
} Lanes;

// ---- what the body does -------------------------------------------------------------------------

static bool is_sym(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

// Do lanes touch neighbours, or all of them one element?
static bool is_even(const Lanes *l, const Access *x) {
    int last = x->array->rank - 1;
    if (last < 0) return true;
    if (exprs_use(x->sub, last, l->xs)) return false;
    Linear e;
    return !expr_uses_sym(x->sub[last], l->xs) ||
           (linear_of(x->sub[last], &e) && linear_coef(&e, l->xs) == 1);
}

static const Node *loop_over(const Lanes *l, const Expr *x) {
    for (int i = 0; i < l->naround; i++)
        if (is_sym(x, l->around[i]->iter)) return l->around[i];
    return NULL;
}

static bool is_plain_range(const Node *loop) {
    return expr_is_int(loop->lo, 0) && host_can_eval(loop->hi) && !expr_uses_iters(loop->hi) &&
           loop->step == 1;
}

// y[j][d], lanes being j: can a copy with its rows and columns exchanged stand for y?
static bool turns(Lanes *l, const Access *x) {
    const Array *y = x->array;
    const Node *walks = y->rank == 2 && is_sym(x->sub[0], l->xs) ? loop_over(l, x->sub[1]) : NULL;
    if (!l->y || !walks || y->place != PLACE_USER || !is_plain_range(walks) ||
        !is_plain_range(l->c->loop[l->x->loop]))
        return false;
    for (int k = 0; k < l->nturned; k++)
        if (l->turned[k] == y) return expr_equal(l->walks[k]->hi, walks->hi);
    if (l->nturned == MOST_TURNED) return false;
    l->turned[l->nturned] = y;
    l->walks[l->nturned++] = walks;
    return true;
}

static void see_access(Lanes *l, const Access *x) {
    if (x->array->place == PLACE_LOCAL) return;
    for (int d = 0; d < x->array->rank; d++) l->no = l->no || expr_has_load(x->sub[d]);
    if (x->write && l->size && type_size(x->array->elem) != l->size) l->no = true;
    if (x->write) l->size = type_size(x->array->elem);
    if (!is_even(l, x) && (x->write || !turns(l, x))) l->no = true;
    l->along |= l->naround && x->array->rank && expr_uses_sym(x->sub[x->array->rank - 1], l->xs);
}

static void see_stmt(Lanes *l, const Node *n) {
    AccessVec acc = node_accesses(l->a, n);
    l->no = l->no || n->atomic || n->stmt->atomic;
    for (int k = 0; k < acc.n; k++) see_access(l, &acc.at[k]);
}

// What stands before the loop it was read for may be anywhere.
static void see_copy(Lanes *l, const Node *n) {
    Access to = {.array = n->dst, .sub = n->sub, .write = true};
    see_access(l, &to);
}

static bool is_fixed(const Lanes *l, const Expr *x) { return !expr_has_load(x) && !expr_uses_sym(x, l->xs); }

static void see(Lanes *l, Node *n) {
    if (n->kind == N_STMT) see_stmt(l, n);
    else if (n->kind == N_COPY) see_copy(l, n);
    else if (n->kind != N_SEQ && n->kind != N_IF && n->kind != N_FOR) l->no = true;
    if (n->kind == N_FOR) {
        if (!is_fixed(l, n->lo) || !is_fixed(l, n->hi) || loop_while(n) || l->naround == 8) {
            l->no = true;
            return;
        }
        l->inside = true;
        l->around[l->naround++] = n;
    }
    for (int i = 0; !l->no && node_kid(n, i); i++) see(l, node_kid(n, i));
    l->naround -= n->kind == N_FOR;
}

// ---- building -------------------------------------------------------------------------------------

// The body below the mapped loops: those of the chain that are left, and what the last holds.
static Node *body_of(Lanes *l) {
    Node *n = l->c->body;
    for (int i = l->c->n - 1; i >= 0; i--) {
        if (i == l->x->loop || (l->y && i == l->y->loop)) continue;
        n = node_around(l->a, l->c->loop[i], n);
    }
    return n;
}

// … with sums in registers and what a loop reads again kept before it.
static Node *kept(Lanes *l, Node *n, const Sym *lane) {
    n = rule_unroll_registers(l->a, rule_hoist_updates(&l->p->names, n));
    Node *seq = unwrap(n);
    if (seq->kind == N_FOR) seq = node_seq(l->a, 1, &seq);
    if (seq->kind != N_SEQ) return n;
    for (int i = 0; i < seq->nkids; i++)
        if (seq->kids[i]->kind == N_FOR && seq->kids[i]->how == HOW_SERIAL)
            return rule_hoist_reads(&l->p->names, n, seq, seq->kids[i], MOST_KEPT, lane);
    return seq;
}

static Expr *number(Lanes *l, Type t, int64_t v) { return expr_int(l->a, t, v); }

static Expr *whole_strips(Lanes *l, const MapDim *d, int by) {
    const Node *loop = l->c->loop[d->loop];
    Expr *trips = expr_sub(l->a, loop->hi, loop->lo);
    return expr_op(l->a, OP_FDIV, trips, number(l, loop->iter->type, by), NULL);
}

// lo + by * strip + r
static Expr *value(Lanes *l, const MapDim *d, int by, Expr *strip, Expr *r) {
    const Node *loop = l->c->loop[d->loop];
    Type t = loop->iter->type;
    Expr *at = expr_add(l->a, expr_mul(l->a, strip, number(l, t, by)), expr_cast(l->a, t, r));
    return expr_add(l->a, loop->lo, at);
}

static Node *counted(Lanes *l, int n, How how) {
    const Sym *s = iter_fresh(&l->p->names, how == HOW_VECTOR ? "v" : "r", T_I32);
    return node_for(l->a, s, number(l, T_I32, 0), number(l, T_I32, n), 1, how, NULL);
}

// `rows` rows by all lanes of strip xb; row r of them is row_of + r.
static Node *lanes(Lanes *l, Node *body, const Sym *xb, int rows, const Sym *yb) {
    const Node *loops[2];
    int n = 0;
    Node *r = rows > 1 ? counted(l, rows, HOW_SERIAL) : NULL, *v = counted(l, l->width, HOW_VECTOR);
    if (r) loops[n++] = r;
    loops[n++] = v;
    const Sym *from[2] = {l->xs, l->ys};
    Expr *to[2] = {value(l, l->x, l->width, expr_sym(l->a, xb), expr_sym(l->a, v->iter)), NULL};
    if (l->y)
        to[1] = value(l, l->y, rows, expr_sym(l->a, yb), r ? expr_sym(l->a, r->iter) : number(l, T_I32, 0));
    body = node_subst(l->a, node_again(&l->p->names, body), l->y ? 2 : 1, from, to);
    return rule_abreast(&l->p->names, n, loops, kept(l, body, v->iter));
}

// What is left of x behind the whole strips, one by one.
static Node *rest(Lanes *l, Node *body, int rows, const Sym *yb) {
    const Node *loop = l->c->loop[l->x->loop];
    Type t = loop->iter->type;
    const Sym *x = iter_fresh(&l->p->names, loop->iter->name, t);
    Expr *strips = expr_op(l->a, OP_MAX, whole_strips(l, l->x, l->width), number(l, t, 0), NULL);
    Node *r = rows > 1 ? counted(l, rows, HOW_SERIAL) : NULL;
    const Sym *from[2] = {l->xs, l->ys};
    Expr *to[2] = {expr_sym(l->a, x), NULL};
    if (l->y)
        to[1] = value(l, l->y, rows, expr_sym(l->a, yb), r ? expr_sym(l->a, r->iter) : number(l, T_I32, 0));
    Node *n = node_subst(l->a, node_again(&l->p->names, body), l->y ? 2 : 1, from, to);
    if (r) r->body = n, n = r;
    return node_for(l->a, x, value(l, l->x, l->width, strips, number(l, T_I32, 0)), loop->hi, 1, HOW_SERIAL,
                    n);
}

// for xb … lanes; then what is left
static Node *row(Lanes *l, Node *body, int rows, const Sym *yb) {
    Type t = l->c->loop[l->x->loop]->iter->type;
    const Sym *xb = iter_fresh(&l->p->names, "xb", t);
    Node *main = lanes(l, body, xb, rows, yb);
    if (!main) return NULL;
    Node *kids[2] = {node_for(l->a, xb, number(l, t, 0), whole_strips(l, l->x, l->width), 1, HOW_SERIAL,
                              main),
                     rest(l, body, rows, yb)};
    return node_seq(l->a, 2, kids);
}

// A kernel of what is left, where something is: even an empty one calls all cores together.
static Node *left_over(Lanes *l, Node *loop) {
    Expr *some = expr_op(l->a, OP_LT, loop->lo, expr_cast(l->a, loop->lo->type, loop->hi), NULL);
    return node_if(l->a, some, node_kernel(l->a, kernel_name(l->p), loop), NULL);
}

// for yb block { four rows }; and for what is left of them, one by one
static Node *of_rows(Lanes *l, Node *body) {
    Type t = l->c->loop[l->y->loop]->iter->type;
    const Sym *yb = iter_fresh(&l->p->names, "yb", t), *y1 = iter_fresh(&l->p->names, "yr", t);
    Node *four = row(l, body, ROWS, yb), *one = row(l, body, 1, y1);
    if (!four || !one) return NULL;
    Expr *strips = whole_strips(l, l->y, ROWS), *zero = number(l, t, 0);
    const Node *loop = l->c->loop[l->y->loop];
    Expr *left = expr_mul(l->a, expr_op(l->a, OP_MAX, strips, zero, NULL), number(l, t, ROWS));
    Node *main = node_for(l->a, yb, zero, strips, 1, HOW_BLOCK, four);
    Node *last = node_for(l->a, y1, left, expr_sub(l->a, loop->hi, loop->lo), 1, HOW_BLOCK, one);
    Node *kids[2] = {node_kernel(l->a, kernel_name(l->p), main), left_over(l, last)};
    return node_seq(l->a, 2, kids);
}

// for xb block { whole strip ? lanes : one by one }
static Node *of_lanes(Lanes *l, Node *body) {
    const Node *loop = l->c->loop[l->x->loop];
    Type t = loop->iter->type;
    const Sym *xb = iter_fresh(&l->p->names, "xb", t);
    Node *main = lanes(l, body, xb, 1, NULL);
    if (!main) return NULL;
    main = node_for(l->a, xb, number(l, t, 0), whole_strips(l, l->x, l->width), 1, HOW_BLOCK, main);
    Node *left = rest(l, body, 1, NULL);
    left->how = HOW_BLOCK;
    Node *kids[2] = {node_kernel(l->a, kernel_name(l->p), main), left_over(l, left)};
    return node_seq(l->a, 2, kids);
}

// ---- turned operands ----------------------------------------------------------------------------------

static Node *with_turned(Lanes *l, Node *n) {
    Arena *a = l->a;
    const Node *rows = l->c->loop[l->x->loop];
    Node **kids = NEW_N(a, Node *, MOST_TURNED + 1);
    const Array *temps[MOST_TURNED];
    for (int k = 0; k < l->nturned; k++) {
        const Array *to = temps[k] = turned_array(&l->p->names, l->turned[k], rows->hi, l->walks[k]->hi);
        n = rule_turn(a, n, l->turned[k], to);
        if (!n) return NULL;
        Node *d = node_clone(a, l->walks[k]), *j = node_clone(a, rows);
        d->how = HOW_SERIAL;
        d->iter = iter_fresh(&l->p->names, l->walks[k]->iter->name, T_I32);
        j->iter = iter_fresh(&l->p->names, rows->iter->name, T_I32);
        Chain c = {.n = 2,
                   .loop = {j, d},
                   .body = turned_copy(&l->p->names, l->turned[k], to, j->iter, d->iter)};
        MapDim one = {.loop = 0, .threads = 1, .lo = rows->lo, .hi = rows->hi, .exact = true};
        kids[k] = rule_map_cpu(&l->p->names, &c, 1, &one, false, kernel_name(l->p));
    }
    if (!l->nturned) return n;
    kids[l->nturned] = n;
    return seq_declare_all(a, node_seq(a, l->nturned + 1, kids), l->nturned, temps);
}

// ---- the plan -------------------------------------------------------------------------------------------

static bool is_deep(const Node *n) { return n->kind == N_FOR && n->how == HOW_VECTOR && has_loops(n->body); }

static bool is_plain_dim(const Chain *c, const MapDim *d) {
    return d->exact && c->loop[d->loop]->step == 1 && host_can_eval(d->lo) && host_can_eval(d->hi);
}

static Expr *trips64(Lanes *l, const MapDim *d) {
    return expr_sub(l->a, expr_cast(l->a, T_I64, d->hi), expr_cast(l->a, T_I64, d->lo));
}

Node *plan_lanes(Plan *p, const Chain *c, const MapDim *x, const MapDim *y, Node *other) {
    Lanes l = {.p = p,
               .a = p->a,
               .c = c,
               .x = x,
               .y = y,
               .xs = c->loop[x->loop]->iter,
               .ys = y ? c->loop[y->loop]->iter : NULL};
    if (!is_plain_dim(c, x) || (y && !is_plain_dim(c, y))) return other;
    Node *body = body_of(&l);
    see(&l, kept(&l, body, NULL));
    if (l.no || !l.inside || !l.size || (node_calls(body) && !l.along)) return other; // calls have no lanes
    l.width = processor_here().vector / l.size;
    Node *n = l.y ? of_rows(&l, body) : of_lanes(&l, body);
    n = n ? with_turned(&l, n) : NULL;
    if (!n || node_any(n, is_deep)) return other;
    Expr *when = expr_op(p->a, OP_GE, trips64(&l, x), expr_int(p->a, T_I64, l.width), NULL);
    if (y)
        when = expr_op(p->a, OP_LAND, when,
                       expr_op(p->a, OP_GE, trips64(&l, y), expr_int(p->a, T_I64, LEAST_ROWS), NULL), NULL);
    return node_if(p->a, when, n, other);
}
