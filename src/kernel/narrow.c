// SPDX-License-Identifier: MIT
// narrow.c -- unsigned and 64-bit index arithmetic that can't wrap, as int.
//
//   (int)((u32)bx * 256u + (u32)tx)  →  bx * 256 + tx      where bx < 64 and tx < 256
//
// The launch bounds the counters, so most index arithmetic is known to stay small. What may wrap
// stays as it is.
#include "kernel/pass.h"
#include "front/normal.h"

typedef struct Range {
    int64_t lo, hi;        // ends included
} Range;

typedef struct Counter {
    const Sym *sym;
    Range range;
} Counter;

typedef struct Found {
    const Expr *x;
    Range range;
} Found;

typedef struct Narrow {
    KernelRead *k;
    Arena *a;
    VEC(Counter) counters;
    VEC(Found) found;      // of expressions made here, better than what their operands tell
    int subscripts;        // in how many it stands
} Narrow;

static const Range all_i64 = {INT64_MIN, INT64_MAX};

static Range range_of_type(Type t) { return (Range){type_least(t), type_most(t)}; }

static bool is_within(Range x, Range y) { return x.lo >= y.lo && x.hi <= y.hi; }

// ---- ranges ------------------------------------------------------------------------------
static Range range(Narrow *m, const Expr *x);

static Range corners(Op op, Range x, Range y, bool *ok) {
    int64_t v[4], a[2] = {x.lo, x.hi}, b[2] = {y.lo, y.hi};
    for (int i = 0; i < 4; i++) {
        bool over = op == OP_ADD ? __builtin_add_overflow(a[i / 2], b[i % 2], &v[i])
                  : op == OP_SUB ? __builtin_sub_overflow(a[i / 2], b[i % 2], &v[i])
                                 : __builtin_mul_overflow(a[i / 2], b[i % 2], &v[i]);
        *ok &= !over;
    }
    Range r = {v[0], v[0]};
    for (int i = 1; i < 4; i++) {
        if (v[i] < r.lo) r.lo = v[i];
        if (v[i] > r.hi) r.hi = v[i];
    }
    return r;
}

// The least number of ones in binary that is not less than x.
static int64_t ones(int64_t x) {
    int64_t v = 0;
    while (v < x) v = 2 * v + 1;
    return v;
}

// The value of the operation on plain whole numbers; *ok: it is known.
static Range operated(Narrow *m, const Expr *x, bool *ok) {
    Range a = range(m, x->args[0]), b = x->nargs > 1 ? range(m, x->args[1]) : a;
    bool constant = b.lo == b.hi;
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: return corners(x->op, a, b, ok);
    case OP_NEG: return corners(OP_SUB, (Range){0, 0}, a, ok);
    case OP_MIN: return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    case OP_MAX: return (Range){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    case OP_DIV: case OP_FDIV:
        if (constant && b.lo > 0 && a.lo >= 0) return (Range){a.lo / b.lo, a.hi / b.lo};
        break;
    case OP_MOD: case OP_FMOD:
        if (constant && b.lo > 0 && a.lo >= 0) return (Range){0, a.hi < b.lo - 1 ? a.hi : b.lo - 1};
        break;
    case OP_SHR:
        if (constant && b.lo >= 0 && b.lo < 62 && a.lo >= 0) return (Range){a.lo >> b.lo, a.hi >> b.lo};
        break;
    case OP_SHL:
        if (constant && b.lo >= 0 && b.lo < 31)
            return corners(OP_MUL, a, (Range){1ll << b.lo, 1ll << b.lo}, ok);
        break;
    case OP_AND:
        if (constant && b.lo >= 0) return (Range){0, a.lo >= 0 && a.hi < b.lo ? a.hi : b.lo};
        break;
    case OP_XOR: case OP_OR:
        if (a.lo >= 0 && b.lo >= 0 && a.hi < INT32_MAX && b.hi < INT32_MAX)
            return (Range){0, ones(a.hi | b.hi)};
        break;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: case OP_LAND: case OP_LOR:
    case OP_LNOT: return (Range){0, 1};
    case OP_SELECT: {
        Range c = range(m, x->args[2]);
        return (Range){b.lo < c.lo ? b.lo : c.lo, b.hi > c.hi ? b.hi : c.hi};
    }
    default: break;
    }
    *ok = false;
    return all_i64;
}

static Range range(Narrow *m, const Expr *x) {
    Range type = range_of_type(x->type), unknown = x->type == T_U64 ? all_i64 : type, r = unknown;
    bool ok = true;
    for (int i = m->found.n - 1; i >= 0; i--)
        if (m->found.at[i].x == x) return m->found.at[i].range;
    if (x->kind == E_INT) r = x->type == T_U64 && x->i < 0 ? all_i64 : (Range){x->i, x->i};
    else if (x->kind == E_SYM) {
        for (int i = 0; i < m->counters.n; i++)
            if (m->counters.at[i].sym == x->sym) r = m->counters.at[i].range;
    } else if (x->kind == E_CAST && type_is_int(x->args[0]->type)) r = range(m, x->args[0]);
    else if (x->kind == E_OP) r = operated(m, x, &ok);
    return ok && is_within(r, type) ? r : unknown;
}

// ---- narrowing -----------------------------------------------------------------------------
static Expr *as_int(Narrow *m, Expr *x);

// The bit of x that is set in the power of two: 0 or bit. x is not negative.
static Expr *one_bit(Narrow *m, Expr *x, int64_t bit) {
    Expr *high = expr_op(m->a, OP_FDIV, x, expr_int(m->a, T_I32, bit), NULL);
    return expr_mul(m->a, expr_op(m->a, OP_FMOD, high, expr_int(m->a, T_I32, 2), NULL),
                    expr_int(m->a, T_I32, bit));
}

// x & y and x ^ y where y is a constant that makes them sums.
static Expr *bits_as_int(Narrow *m, Op op, Expr *x, Expr *y, bool positive) {
    int64_t by = y->kind == E_INT ? y->i : -1;
    bool mask = by >= 0 && (by & (by + 1)) == 0 && by < INT32_MAX, bit = by > 0 && (by & (by - 1)) == 0;
    if (positive && op == OP_AND && mask)
        return expr_op(m->a, OP_FMOD, x, expr_int(m->a, T_I32, by + 1), NULL);
    if (positive && op == OP_AND && bit) return one_bit(m, x, by);
    if (positive && op == OP_XOR && bit) {
        Expr *twice = expr_mul(m->a, one_bit(m, x, by), expr_int(m->a, T_I32, 2));
        return expr_sub(m->a, expr_add(m->a, x, y), twice);
    }
    return expr_op(m->a, op, x, y, NULL);
}

static Expr *op_as_int(Narrow *m, Expr *x) {
    bool ok = true;
    Range r = operated(m, x, &ok);
    if (!ok || !is_within(r, range_of_type(x->type)) || !is_within(r, range_of_type(T_I32))) return NULL;
    Expr *v[3] = {NULL, NULL, NULL};
    int first = x->op == OP_SELECT;
    if (first) v[0] = x->args[0];
    for (int i = first; i < x->nargs; i++)
        if (!(v[i] = as_int(m, x->args[i]))) return NULL;
    int64_t by = v[1] && v[1]->kind == E_INT ? v[1]->i : -1;
    switch (x->op) {
    case OP_SHR: return expr_op(m->a, OP_FDIV, v[0], expr_int(m->a, T_I32, 1ll << by), NULL);
    case OP_SHL: return expr_mul(m->a, v[0], expr_int(m->a, T_I32, 1ll << by));
    case OP_AND: case OP_XOR: {
        Found f = {bits_as_int(m, x->op, v[0], v[1], range(m, x->args[0]).lo >= 0), r};
        vec_push(m->a, &m->found, f);
        return (Expr *)f.x;
    }
    case OP_DIV: return expr_op(m->a, OP_FDIV, v[0], v[1], NULL);
    case OP_MOD: return expr_op(m->a, OP_FMOD, v[0], v[1], NULL);
    default: return expr_op(m->a, x->op, v[0], v[1], v[2]);
    }
}

// x as an int that has the same value; NULL: it may have none.
static Expr *as_int(Narrow *m, Expr *x) {
    if (!type_is_int(x->type)) return NULL;
    Range r = range(m, x);
    if (!is_within(r, range_of_type(T_I32))) return NULL;
    if (r.lo == r.hi && !expr_has_load(x)) return expr_int(m->a, T_I32, r.lo);
    if (x->kind == E_OP) {
        Expr *y = op_as_int(m, x);
        if (y || x->type == T_I32) return y ? y : x;
    }
    if (x->type == T_I32 && x->kind != E_CAST) return x;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type) &&
        is_within(range(m, x->args[0]), range_of_type(x->type))) {
        Expr *y = as_int(m, x->args[0]);
        if (y) return y;
    }
    return expr_cast(m->a, T_I32, x);
}

static bool compares(Op op) { return op >= OP_LT && op <= OP_NE; }

// What is computed of memory, and finds no element, is a value: it stays as the loops compute it.
static Expr *narrow_expr(Rebuild *b, Expr *x) {
    Narrow *m = b->self;
    if (!m->subscripts && expr_has_load(x)) return x;
    if (x->kind == E_OP && compares(x->op) && type_is_int(x->args[0]->type)) {
        Expr *l = as_int(m, x->args[0]), *r = l ? as_int(m, x->args[1]) : NULL;
        return r ? expr_op(m->a, x->op, l, r, NULL) : x;
    }
    bool index = type_is_int(x->type) && x->type != T_BOOL && (x->kind == E_OP || x->kind == E_CAST);
    if (!index || (x->kind == E_CAST && !type_is_int(x->args[0]->type))) return x;
    Expr *y = as_int(m, x);
    return y ? expr_cast(m->a, x->type, y) : x;
}

static Expr *value(Narrow *m, Expr *x) {
    Rebuild b = {.a = m->a, .expr = narrow_expr, .self = m};
    return rebuild_expr(&b, x);
}

static Expr *subscript(Narrow *m, Expr *x) {
    m->subscripts++;
    x = value(m, x);
    m->subscripts--;
    Expr *y = as_int(m, x);
    return y ? y : x;
}

static Expr *in_loads(Rebuild *b, Expr *x) {
    Narrow *m = b->self;
    if (x->kind != E_LOAD) return x;
    Expr **sub = NEW_N(m->a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) sub[i] = subscript(m, x->args[i]);
    Expr *y = expr_load(m->a, x->array, sub);
    y->loc = x->loc;
    y->moved = x->moved;
    return y;
}

static Expr *whole(Narrow *m, Expr *x) {
    Rebuild b = {.a = m->a, .expr = in_loads, .self = m};
    return x ? value(m, rebuild_expr(&b, x)) : NULL;
}

// ---- the tree --------------------------------------------------------------------------------
static Node *narrow(Node *n, void *arg);

static Node *narrow_for(Narrow *m, Node *n) {
    n->lo = whole(m, n->lo);
    n->hi = whole(m, n->hi);
    Range lo = range(m, n->lo), hi = range(m, n->hi), r = range_of_type(n->iter->type);
    if (n->step > 0 && hi.hi > INT64_MIN) r = (Range){lo.lo, hi.hi - 1};
    else if (n->step < 0 && hi.lo < INT64_MAX) r = (Range){hi.lo + 1, lo.hi};
    if (r.lo > r.hi) r.hi = r.lo;
    Counter c = {n->iter, r};
    vec_push(m->a, &m->counters, c);
    n->body = narrow(n->body, m);
    m->counters.n--;
    return n;
}

static Node *narrow_stmt(Narrow *m, Node *n) {
    Stmt *s = NEW(m->a, Stmt);
    *s = *n->stmt;
    s->sub = NEW_N(m->a, Expr *, s->lhs->rank + 1);
    for (int i = 0; i < s->lhs->rank; i++) s->sub[i] = subscript(m, whole(m, n->stmt->sub[i]));
    s->rhs = whole(m, s->rhs);
    n->stmt = s;
    return n;
}

static Node *narrow(Node *n, void *arg) {
    Narrow *m = arg;
    if (n->kind == N_STMT) return narrow_stmt(m, node_clone(m->a, n));
    if (n->kind == N_FOR) return narrow_for(m, node_clone(m->a, n));
    Node *c = node_map(m->a, n, narrow, arg);
    if (n->kind == N_IF) c->cond = whole(m, n->cond);
    return c;
}

Node *kernel_narrow(KernelRead *k, Node *root) {
    Narrow m = {.k = k, .a = k->a};
    return narrow(root, &m);
}
