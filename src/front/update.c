// SPDX-License-Identifier: MIT
// update.c -- assignments that combine a value with what was there.
//
//   x = x + e, x = e + x        →   x += e          (and * & | ^ && ||)
//   x = x - e, x -= e           →   x += -e         (the same bits)
//   if (e > x) x = e            →   x max= e
//   x = e > x ? e : x           →   x max= e
//
// Only where e does not read the element x; else if (e > x) x = e becomes x = max(x, e). Chains such as
// x + a + b are sums of x and a + b for integers; for floating point that changes the rounding and needs a
// permission.
#include "front/normal.h"
#include <math.h>
#include <string.h>

typedef struct Update {
    Normal *m;
    const Region *r;
    VEC(const Mark *) marks;
    VEC(const Node *) loops;
    const Rebuild *rebuild;
} Update;

// ---- permissions and questions ---------------------------------------------------------

static bool permitted(const Update *u, const Array *v) {
    if (u->r->reassociate || u->m->c->reassociate) return true;
    for (int k = 0; k < u->marks.n; k++)
        if (mark_permits(u->marks.at[k], v)) return true;
    return false;
}

// Is x, but for casts that change no value that s->lhs can hold, a load of the element s->lhs?
static bool is_target(const Stmt *s, const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) == type_is_int(x->args[0]->type) &&
           type_size(x->type) >= type_size(x->args[0]->type))
        x = x->args[0];
    return stmt_is_own(s, x);
}

// The loop of which x is the counter and a constant; NULL: none is.
static const Node *counted(const Update *u, const Expr *x, int64_t *constant) {
    for (int i = 0; i < u->loops.n; i++) {
        const Node *loop = u->loops.at[i];
        if (expr_difference(u->m->a, x, expr_sym(u->m->a, loop->iter), constant)) return loop;
    }
    return NULL;
}

// x < at + c, or x > at + c: by itself, by the bounds of its loop, by those of the counters that these name
enum { MOST_BOUNDS = 8 };
typedef struct Bound {
    const Expr *at;
    int64_t c;
} Bound;

static int bounds_of(const Update *u, const Expr *x, bool above, Bound *out) {
    int64_t by;
    int n = 1;
    out[0] = (Bound){x, above ? 1 : -1};
    for (; n < MOST_BOUNDS; n++) {
        const Bound *last = &out[n - 1];
        const Node *loop = counted(u, last->at, &by);
        if (!loop) break;
        bool open = above == (loop->step > 0); // the bound on that side is none of its values
        out[n] = (Bound){open ? loop->hi : loop->lo, last->c + by + (!open ? 0 : above ? -1 : 1)};
    }
    return n;
}

// Is x always less than y?
static bool is_below(const Update *u, const Expr *x, const Expr *y) {
    Bound up[MOST_BOUNDS], down[MOST_BOUNDS];
    int n = bounds_of(u, x, true, up), m = bounds_of(u, y, false, down);
    int64_t d;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (expr_difference(u->m->a, up[i].at, down[k].at, &d) && d + up[i].c - down[k].c <= 1)
                return true;
    return false;
}

// Does the condition say that x is not y?
static bool tells_apart(const Expr *cond, const Expr *x, const Expr *y) {
    if (cond->kind != E_OP || cond->nargs != 2) return false;
    const Expr *l = cond->args[0], *r = cond->args[1];
    if (cond->op == OP_LAND) return tells_apart(l, x, y) || tells_apart(r, x, y);
    bool differ = cond->op == OP_NE || cond->op == OP_LT || cond->op == OP_GT;
    return differ && ((expr_equal(l, x) && expr_equal(r, y)) || (expr_equal(l, y) && expr_equal(r, x)));
}

static bool surely_elsewhere(const Update *u, const Stmt *s, const Expr *load) {
    for (int k = 0; k < s->lhs->rank; k++) {
        const Expr *x = load->args[k], *y = s->sub[k];
        int64_t d;
        if (expr_has_load(x) || expr_has_load(y)) continue;
        if (expr_difference(u->m->a, x, y, &d) && d) return true;
        if (is_below(u, x, y) || is_below(u, y, x)) return true;
        for (int i = 0; i < u->rebuild->under.n; i++)
            if (tells_apart(u->rebuild->under.at[i], x, y)) return true;
    }
    return false;
}

// May x read the element that s assigns?
static bool may_read_target(const Update *u, const Stmt *s, const Expr *x) {
    if (x->kind == E_LOAD && x->array == s->lhs && !surely_elsewhere(u, s, x)) return true;
    for (int k = 0; k < x->nargs; k++)
        if (may_read_target(u, s, x->args[k])) return true;
    return false;
}

static bool moves_itself(const Stmt *s) { // a[a[i]] = …
    for (int k = 0; k < s->lhs->rank; k++)
        if (expr_reads(s->sub[k], s->lhs)) return true;
    return false;
}

// ---- taking the target out of an expression ----------------------------------------------

static bool is_logical(Op op) { return op == OP_LAND || op == OP_LOR; }

// Is x the target, or for && and || the question whether it is true?
static bool is_operand(const Stmt *s, Op op, const Expr *x) {
    bool truth = is_logical(op) && x->kind == E_OP && x->op == OP_NE && expr_is_int(x->args[1], 0);
    return is_target(s, truth ? x->args[0] : x);
}

static bool is_chain(Op outer, Op op) { return op == outer || (outer == OP_ADD && op == OP_SUB); }

// The program does not compute the sum (product) of x and y: a signed one might overflow where none of its
// own does.
Expr *update_joined(Arena *a, Op op, Expr *x, Expr *y) {
    Type t = x->type, u = update_modular(op, t);
    if (!u) return expr_op(a, op, x, y, NULL);
    return expr_cast(a, t, expr_op(a, op, expr_modular(a, u, x), expr_modular(a, u, y), NULL));
}

// x without its one summand (factor, …) s->lhs: x = lhs op result; NULL: there is none.
static Expr *without_target(Arena *a, const Stmt *s, Op op, Expr *x, bool deep) {
    if (x->kind != E_OP || !is_chain(op, x->op)) return NULL;
    Expr *l = x->args[0], *r = x->args[1];
    if (is_operand(s, op, l)) return x->op == OP_SUB ? expr_op(a, OP_NEG, r, NULL, NULL) : r;
    if (x->op != OP_SUB && is_operand(s, op, r)) return l;
    if (!deep) return NULL;
    Expr *rest = without_target(a, s, op, l, true);
    if (rest) return update_joined(a, x->op, rest, r);
    rest = x->op == OP_SUB ? NULL : without_target(a, s, op, r, true);
    return rest ? update_joined(a, x->op, l, rest) : NULL;
}

// How many loops stand around the block that declares v; none around an array of the region.
static int loops_around(const Node *n, const Array *v, int depth) {
    for (int k = 0; k < n->nlocals; k++)
        if (n->locals[k] == v) return depth;
    int found = 0;
    for (int k = 0; node_kid(n, k) && !found; k++)
        found = loops_around(node_kid(n, k), v, depth + (n->kind == N_FOR));
    return found;
}

// Is the element that s sets the same one in all iterations of a loop around it?
static bool stands_still(const Update *u, const Stmt *s) {
    for (int i = loops_around(u->r->root, s->lhs, 0); i < u->rebuild->around.n; i++) {
        bool moves = false;
        for (int k = 0; k < s->lhs->rank; k++) moves |= expr_uses_sym(s->sub[k], u->rebuild->around.at[i]);
        if (!moves) return true;
    }
    return false;
}

// Casts around an integer sum keep it modulo 2^n; around a floating one they round. Where many terms are
// summed up, who permits another order permits each to be rounded instead. A factor may lie beyond the
// values of the product's type.
static Expr *under_cast(const Update *u, const Stmt *s, Op op) {
    Expr *x = s->rhs;
    if (x->kind != E_CAST) return x;
    Type inner = x->args[0]->type, outer = x->type;
    bool ints = type_is_int(inner) && type_is_int(outer) && outer != T_BOOL &&
                type_size(inner) >= type_size(outer);
    bool floats = type_is_float(inner) && type_is_float(outer) && op == OP_ADD && stands_still(u, s) &&
                  permitted(u, s->lhs);
    return ints || floats ? x->args[0] : x;
}

static void set_update(Stmt *s, Op op, Expr *rhs) {
    s->op = op;
    s->rhs = rhs;
}

// The operands of an integer s = s && e: 0 or 1 passes through casts. No iteration at all
// would leave an s that is neither, which && does not.
static Expr *under_logical(const Update *u, const Stmt *s) {
    Expr *x = s->rhs;
    while (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type)) x = x->args[0];
    return s->lhs->elem == T_BOOL || permitted(u, s->lhs) ? x : NULL;
}

static bool widens(const Expr *x) { // a cast that keeps every value
    return x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) &&
           type_size(x->type) > type_size(x->args[0]->type) &&
           (type_is_signed(x->type) || !type_is_signed(x->args[0]->type));
}

static Expr *plain(Expr *x) {
    while (widens(x)) x = x->args[0];
    return x;
}

// The lesser or greater of two integers is one of the target's type only where both were of that type before
// they were widened: another type compares other values, and narrowing afterwards another one.
static Expr *other_choice(Arena *a, const Stmt *s, Op op, Expr *x) {
    if (x->kind != E_OP || x->op != op || !type_is_int(x->type)) return NULL;
    for (int k = 0; k < 2; k++) {
        Expr *own = x->args[k], *rest = x->args[1 - k];
        while (rest->type != s->lhs->elem && widens(rest)) rest = rest->args[0];
        if (rest->type != s->lhs->elem) continue;
        if (plain(own)->kind == E_LOAD && is_target(s, plain(own))) return rest;
        Expr *deeper = other_choice(a, s, op, plain(own));
        if (deeper) return expr_op(a, op, deeper, rest, NULL);
    }
    return NULL;
}

static bool try_integer_choice(const Update *u, Stmt *s, Op op) {
    Expr *x = s->rhs->kind == E_CAST ? s->rhs->args[0] : s->rhs, *rest = other_choice(u->m->a, s, op, x);
    if (!rest || may_read_target(u, s, rest)) return false;
    set_update(s, op, rest);
    return true;
}

// Is x 0 or 1?
static bool is_truth(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type)) x = x->args[0];
    if (x->type == T_BOOL) return true;
    if (x->kind != E_OP) return false;
    bool asks = (x->op >= OP_LT && x->op <= OP_NE) || is_logical(x->op) || x->op == OP_LNOT;
    return asks || (x->op == OP_AND && (expr_is_int(x->args[0], 1) || expr_is_int(x->args[1], 1)));
}

// Of a bool s: s |= e, s &= e and s ^= e compute an int, and ask whether it is 0.
static bool try_truth(const Update *u, Stmt *s, Op op) {
    Arena *a = u->m->a;
    Expr *x = s->rhs;
    if (s->lhs->elem != T_BOOL || (op != OP_OR && op != OP_AND && op != OP_XOR)) return false;
    while (x->kind == E_CAST && type_is_int(x->args[0]->type)) x = x->args[0];
    if (x->kind == E_OP && x->op == OP_NE && expr_is_int(x->args[1], 0)) x = x->args[0];
    Expr *rest = without_target(a, s, op, x, false);
    if (!rest || may_read_target(u, s, rest) || (op != OP_OR && !is_truth(rest))) return false;
    Expr *is = expr_op(a, OP_NE, rest, expr_int(a, rest->type, 0), NULL);
    set_update(s, op, expr_cast(a, T_BOOL, is));
    return true;
}

static bool try_operator(const Update *u, Stmt *s, Op op) {
    Arena *a = u->m->a;
    bool logical = is_logical(op);
    bool chooses = op == OP_MIN || op == OP_MAX; // min(x, e) is `e < x ? e : x`, to the bit
    if (chooses && type_is_int(s->lhs->elem)) return try_integer_choice(u, s, op);
    Expr *x = logical ? under_logical(u, s) : under_cast(u, s, op);
    if (!x) return false;
    bool is_float = type_is_float(x->type);
    bool in_order = x->kind == E_OP && x->op == op && is_target(s, x->args[0]);
    if (is_float && op != OP_ADD && op != OP_MUL && !(chooses && (in_order || permitted(u, s->lhs))))
        return false;
    if (type_is_float(x->type) != type_is_float(s->lhs->elem)) return false;
    Expr *rest = without_target(a, s, op, x, !is_float || permitted(u, s->lhs));
    if (!rest || may_read_target(u, s, rest)) return false;
    if (logical && type_is_float(rest->type)) return false;
    if (logical && rest->type != s->lhs->elem)
        rest = expr_cast(a, s->lhs->elem, expr_op(a, OP_NE, rest, expr_int(a, rest->type, 0), NULL));
    set_update(s, op, expr_cast(a, s->lhs->elem, rest));
    return true;
}

// ---- least and greatest --------------------------------------------------------------------

// Is x, which is compared with lhs, the value e that lhs gets, as it was before it was widened?
static bool is_value(const Stmt *s, const Expr *x, Expr *e) {
    Type t = s->lhs->elem;
    bool fits = type_is_int(t) && type_is_int(x->type) && type_size(x->type) < type_size(t) &&
                (type_is_signed(t) || !type_is_signed(x->type));
    return (x->type == t || fits) && expr_equal(x, plain(e));
}

// Does `cond` say "assign e": e > lhs (OP_MAX) or e < lhs (OP_MIN)? OP_SET: neither.
// keep: it says when to keep lhs instead.
static Op choice(const Update *u, const Stmt *s, const Expr *cond, Expr *e, bool keep) {
    if (cond->kind == E_OP && cond->op == OP_LNOT) return choice(u, s, cond->args[0], e, !keep);
    if (cond->kind != E_OP || cond->op < OP_LT || cond->op > OP_GE) return OP_SET;
    Expr *l = plain(cond->args[0]), *r = plain(cond->args[1]);
    Type t = s->lhs->elem;
    Op op = cond->op;
    if (l->type == t && is_target(s, l) && is_value(s, r, e))
        op = op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : OP_LE;
    else if (r->type != t || !is_target(s, r) || !is_value(s, l, e))
        return OP_SET;
    bool exact = !keep && (op == OP_LT || op == OP_GT);
    if (!exact && type_is_float(s->lhs->elem) && !permitted(u, s->lhs)) return OP_SET;
    bool greater = op == OP_GT || op == OP_GE;
    return greater != keep ? OP_MAX : OP_MIN;
}

// lhs op= e; lhs = lhs op e where that is no update.
static void set_combined(const Update *u, Stmt *s, Op op, Expr *e) {
    Arena *a = u->m->a;
    if (!may_read_target(u, s, e)) set_update(s, op, e);
    else set_update(s, OP_SET, expr_updated(a, op, expr_load(a, s->lhs, s->sub), e));
}

static bool try_select(const Update *u, Stmt *s) {
    Expr *x = s->rhs;
    if (x->kind != E_OP || x->op != OP_SELECT) return false;
    bool keep = is_target(s, x->args[1]);
    if (!keep && !is_target(s, x->args[2])) return false;
    Expr *e = keep ? x->args[2] : x->args[1];
    Op op = choice(u, s, x->args[0], e, keep);
    if (op == OP_SET) return false;
    set_combined(u, s, op, e);
    return true;
}

// An integer m = fmax(m, e): what e is as an integer. A NaN is passed over, and so is what lies beyond the
// values of m's type on the side that never counts: its least or greatest value stands in its place.
static Expr *whole(Arena *a, Type t, Op op, Expr *e) {
    if (e->kind == E_CAST && e->args[0]->type == t && e->type == T_F64) return e->args[0];
    int bits = 8 * type_size(t) - type_is_signed(t);
    double least = type_is_signed(t) ? -ldexp(1, bits) : 0, most = ldexp(1, bits) - 1;
    Expr *both[] = {expr_cast(a, T_F64, e), expr_float(a, T_F64, op == OP_MAX ? least : most)};
    return expr_cast(a, t, expr_call(a, op == OP_MAX ? "fmax" : "fmin", T_F64, 2, both));
}

// fmax(x, e) differs from e > x ? e : x where NaN or -0 meet.
static bool try_call(const Update *u, Stmt *s) {
    Type t = s->lhs->elem;
    Expr *x = s->rhs;
    bool is_int = type_is_int(t) && t != T_BOOL && type_size(t) <= 4 && x->kind == E_CAST;
    if (is_int) x = x->args[0];
    if (x->kind != E_CALL || x->nargs != 2 || !permitted(u, s->lhs)) return false;
    bool max = str_eq(x->fn, "fmax") || str_eq(x->fn, "fmaxf");
    if (!max && !str_eq(x->fn, "fmin") && !str_eq(x->fn, "fminf")) return false;
    int at = -1;
    for (int k = 1; k >= 0; k--) {
        const Expr *own = x->args[k];
        if (is_target(s, is_int && own->kind == E_CAST ? own->args[0] : own)) at = k;
    }
    if (at < 0 || may_read_target(u, s, x->args[1 - at])) return false;
    Op op = max ? OP_MAX : OP_MIN;
    Expr *e = x->args[1 - at];
    set_update(s, op, is_int ? whole(u->m->a, t, op, e) : e);
    return true;
}

// ---- statements -------------------------------------------------------------------------------

static bool is_update_op(Op op) {
    return op == OP_ADD || op == OP_MUL || op == OP_MIN || op == OP_MAX || op == OP_AND ||
           op == OP_OR || op == OP_XOR || op == OP_LAND || op == OP_LOR;
}

// lhs op= e as written: stays, or becomes lhs = lhs op e where that is no update.
static void normalize_written(const Update *u, Stmt *s) {
    Arena *a = u->m->a;
    if (s->op == OP_SUB) set_update(s, OP_ADD, expr_op(a, OP_NEG, s->rhs, NULL, NULL));
    if (is_update_op(s->op) && !may_read_target(u, s, s->rhs) && !moves_itself(s)) return;
    set_update(s, OP_SET, expr_updated(a, s->op, expr_load(a, s->lhs, s->sub), s->rhs));
}

// A hand-written kernel's exchange: what it sets was read before it, and others may set it between.
static bool is_exchange(const Update *u, const Stmt *s) { return u->m->once && s->atomic; }

static Stmt *find_update(Rebuild *b, Stmt *s) {
    static const Op ops[] = {OP_ADD, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR, OP_MIN, OP_MAX};
    const Update *u = b->self;
    if (s->op != OP_SET) normalize_written(u, s);
    if (s->op != OP_SET || moves_itself(s) || is_exchange(u, s)) return s;
    for (int k = 0; k < (int)(sizeof ops / sizeof *ops); k++)
        if (try_operator(u, s, ops[k]) || try_truth(u, s, ops[k])) return s;
    if (!try_select(u, s)) try_call(u, s);
    return s;
}

static Node *only_stmt(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n && n->kind == N_STMT ? n : NULL;
}

// if (c && e > x) x = e, where c does not read x: c under which x max= e. Where the choice comes first, c is
// asked more often: it must not read memory that the choice may keep it from. *left: c; NULL: there is none.
static Op choice_among(const Update *u, const Stmt *s, Expr *cond, Expr **left) {
    Op op = choice(u, s, cond, s->rhs, false);
    if (op != OP_SET || cond->kind != E_OP || cond->op != OP_LAND) return *left = NULL, op;
    for (int k = 1; k >= 0 && op == OP_SET; k--) {
        Expr *other = cond->args[1 - k], *below;
        if (expr_reads(other, s->lhs) || (k == 0 && expr_has_load(other))) continue;
        op = choice_among(u, s, cond->args[k], &below);
        *left = !below ? other : expr_op(u->m->a, OP_LAND, k ? other : below, k ? below : other, NULL);
    }
    return op;
}

// if (e > x) x = e
static Node *find_conditional(Rebuild *b, Node *n) {
    const Update *u = b->self;
    Node *leaf = n->kind == N_IF && !n->other ? only_stmt(n->then) : NULL;
    if (!leaf || leaf->stmt->op != OP_SET || moves_itself(leaf->stmt) || is_exchange(u, leaf->stmt)) return n;
    Stmt *s = NEW(b->a, Stmt);
    Expr *left;
    *s = *leaf->stmt;
    Op op = choice_among(u, s, n->cond, &left);
    if (op == OP_SET) return n;
    set_combined(u, s, op, s->rhs);
    Node *update = stmt_leaf(b->a, s);
    return left ? node_if(b->a, left, update, NULL) : update;
}

Expr *stmt_value(Arena *a, const Stmt *s) {
    if (s->op == OP_SET) return expr_cast(a, s->lhs->elem, s->rhs);
    Expr *old = expr_load(a, s->lhs, s->sub);
    if (s->fused) return expr_op(a, OP_FMA, s->rhs->args[0], s->rhs->args[1], old);
    return expr_cast(a, s->lhs->elem, expr_updated(a, s->op, old, s->rhs));
}

bool update_is_free(Normal *m, const Region *r, const Stmt *set, bool permit) {
    Region as = *r;
    as.reassociate |= permit;
    Update u = {.m = m, .r = &as};
    Rebuild b = {.a = m->a, .self = &u};
    u.rebuild = &b;
    Stmt s = *set;
    find_update(&b, &s);
    return s.op != OP_SET && (type_is_int(s.lhs->elem) || permitted(&u, s.lhs));
}

Region *pass_update(Normal *m, Region *r) {
    Update u = {.m = m, .r = r};
    node_each(n, r->root) {
        if (n->kind != N_FOR) continue;
        vec_push(m->a, &u.loops, n);
        if (n->mark) vec_push(m->a, &u.marks, n->mark);
    }
    Rebuild b = {.a = m->a, .stmt = find_update, .node = find_conditional, .self = &u};
    u.rebuild = &b;
    return region_with(m, r, rebuild_node(&b, r->root));
}
