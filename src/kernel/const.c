// SPDX-License-Identifier: MIT
// const.c -- integers that a launch fixes, and loops that are written out because of them.
//
//   for (s = 128; s > 0; s >>= 1) { … s … }      { … 128 … } { … 64 … } … { … 1 … }
//
// Loops that count stay loops; only those whose counter is doubled, halved or the like, or tells how far
// a constant is shifted (1 << i), are written out, where their values are constants and few.
#include "kernel/pass.h"
#include "ir/value.h"

enum { MAX_COPIES = 40, MAX_SIZE = 6000 };

const Ast *kernel_known(const KernelRead *k, const Decl *d) {
    for (int i = k->known.n - 1; i >= 0; i--)
        if (k->known.at[i].decl == d) return k->known.at[i].value;
    return NULL;
}

void kernel_learn(KernelRead *k, const Decl *d, Ast *value) {
    Known n = {d, value};
    vec_push(k->a, &k->known, n);
}

static bool is_integer(const Ast *x) {
    return x->type && x->type->kind == CT_SCALAR && type_is_int(x->type->scalar);
}

static bool is_set(KernelRead *k, const Decl *d, const Ast *x, int64_t *v) {
    const Ast *known = kernel_known(k, d);
    if (known && known->kind == A_INT) return *v = known->i, true;
    bool fixed = d->is_const && d->kind == D_VAR && d->init && d->init != x;
    return fixed && kernel_const(k, d->init, v);
}

static bool arithmetic(Op op, Type t, int64_t x, int64_t y, int64_t *v) {
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    bool is_signed = type_is_signed(t),
         zero = (op == OP_DIV || op == OP_MOD) && (y == 0 || (y == -1 && x == INT64_MIN));
    bool far = (op == OP_SHL || op == OP_SHR) && (y < 0 || y > 63);
    if (zero || far) return false;
    switch (op) {
    case OP_ADD: *v = (int64_t)(a + b); return true;
    case OP_SUB: *v = (int64_t)(a - b); return true;
    case OP_MUL: *v = (int64_t)(a * b); return true;
    case OP_DIV: *v = is_signed ? x / y : (int64_t)(a / b); return true;
    case OP_MOD: *v = is_signed ? x % y : (int64_t)(a % b); return true;
    case OP_SHL: *v = (int64_t)(a << y); return true;
    case OP_SHR: *v = is_signed ? x >> y : (int64_t)(a >> y); return true;
    case OP_AND: *v = x & y; return true;
    case OP_OR: *v = x | y; return true;
    case OP_XOR: *v = x ^ y; return true;
    case OP_LT: *v = is_signed ? x < y : a < b; return true;
    case OP_LE: *v = is_signed ? x <= y : a <= b; return true;
    case OP_GT: *v = is_signed ? x > y : a > b; return true;
    case OP_GE: *v = is_signed ? x >= y : a >= b; return true;
    case OP_EQ: *v = x == y; return true;
    case OP_NE: *v = x != y; return true;
    default: return false;
    }
}

static bool const_binary(KernelRead *k, const Ast *x, int64_t *v) {
    int64_t l, r;
    if (x->op == OP_LAND || x->op == OP_LOR) {
        bool left = kernel_const(k, x->kids[0], &l), right = kernel_const(k, x->kids[1], &r);
        bool decides = x->op == OP_LAND ? (left && !l) || (right && !r) : (left && l) || (right && r);
        if (decides) return *v = x->op == OP_LOR, true;
        if (!left || !right) return false;
        return *v = x->op == OP_LAND ? l && r : l || r, true;
    }
    if (!is_integer(x->kids[0]) || !kernel_const(k, x->kids[0], &l) || !kernel_const(k, x->kids[1], &r))
        return false;
    return arithmetic(x->op, x->kids[0]->type->scalar, l, r, v);
}

static bool const_of(KernelRead *k, const Ast *x, int64_t *v) {
    int64_t y;
    switch (x->kind) {
    case A_INT: return *v = x->i, true;
    case A_REF: return x->decl && is_set(k, x->decl, x, v);
    case A_CAST: return is_integer(x->kids[0]) && kernel_const(k, x->kids[0], v);
    case A_BINARY: return const_binary(k, x, v);
    case A_UNARY:
        if (!kernel_const(k, x->kids[0], &y)) return false;
        *v = x->op == OP_NEG ? (int64_t)(0 - (uint64_t)y) : x->op == OP_NOT ? ~y : !y;
        return true;
    case A_CALL: { // of a function that returns a constant
        const Ast *s = x->decl ? x->decl->body : NULL;
        while (s && s->kind == A_BLOCK && s->nkids == 1) s = s->kids[0];
        return s && s->kind == A_RETURN && s->nkids && kernel_const(k, s->kids[0], v);
    }
    case A_COND:
        return kernel_const(k, x->kids[0], &y) && kernel_const(k, x->kids[y ? 1 : 2], v);
    default: return false;
    }
}

bool kernel_const(KernelRead *k, const Ast *x, int64_t *v) {
    if (!x || !is_integer(x) || !const_of(k, x, v)) return false;
    *v = x->type->scalar == T_BOOL ? *v != 0 : value_wrap(x->type->scalar, *v);
    return true;
}

// ---- loops written out -----------------------------------------------------------------------
// The value that e gives to d, as an expression: s /= 2 → s / 2, s = s * 2 → s * 2.
static Ast *next_value(KernelRead *k, const Ast *e, const Decl *d) {
    e = accept_strip(e);
    if (e->kind == A_INCDEC) return mk_op(k, e->op, e->kids[0], mk_int(k, e, d->type->scalar, 1));
    if (e->kind != A_ASSIGN || accept_strip(e->kids[0])->kind != A_REF || accept_strip(e->kids[0])->decl != d)
        return NULL;
    if (e->op == OP_SET) return e->kids[1];
    Ast *x = mk_op(k, e->op, e->kids[0], e->kids[1]);
    if (e->compute) {
        x->kids[0] = mk_cast(k, e->compute, x->kids[0]);
        x->type = e->compute;
    }
    return mk_cast(k, d->type, x);
}

static Ast *first_value(const Ast *init, const Decl *d) {
    for (int i = 0; init && init->kind == A_DECLS && i < init->ndecls; i++)
        if (init->decls[i] == d && init->ndecls == 1) return d->init;
    const Ast *e = init && init->kind == A_EXPR ? init->kids[0] : init;
    bool sets =
        e && e->kind == A_ASSIGN && e->op == OP_SET && e->kids[0]->kind == A_REF && e->kids[0]->decl == d;
    return sets ? e->kids[1] : NULL;
}

static int ast_size(const Ast *x) {
    int n = 1;
    for (int i = 0; x && i < x->nkids; i++)
        if (x->kids[i]) n += ast_size(x->kids[i]);
    return n;
}

static bool has_jump(const Ast *s, bool inside) {
    if (!s) return false;
    if (s->kind == A_RETURN || (!inside && (s->kind == A_BREAK || s->kind == A_CONTINUE))) return true;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    for (int i = 0; i < s->nkids; i++)
        if (has_jump(s->kids[i], inside || loop)) return true;
    return false;
}

// The values of the counter, the last one being that after the loop; false: not constant or many.
static bool values_of(KernelRead *k, const Ast *f, const Decl *d, Ast *first, Ast *next, int64_t *out,
                      int *n) {
    int64_t v, cond;
    if (!kernel_const(k, first, &v)) return false;
    int mark = k->known.n;
    bool ok = true;
    for (*n = 0; ok; (*n)++) {
        v = value_wrap(d->type->scalar, v);
        out[*n] = v;
        k->known.n = mark;
        kernel_learn(k, d, mk_int(k, f, d->type->scalar, v));
        ok = kernel_const(k, f->kids[1], &cond);
        if (!ok || !cond) break;
        ok = *n < MAX_COPIES && kernel_const(k, next, &v);
    }
    k->known.n = mark;
    return ok;
}

static bool names(const Ast *x, const Decl *d) {
    if (!x || (x->kind == A_REF && x->decl == d)) return x != NULL;
    for (int i = 0; i < x->nkids; i++)
        if (names(x->kids[i], d)) return true;
    return false;
}

// A constant, by the counter: a distance that is doubled or halved.
static bool shifts_by(KernelRead *k, const Ast *x, const Decl *d) {
    int64_t v;
    if (!x) return false;
    bool shift = x->kind == A_BINARY && (x->op == OP_SHL || x->op == OP_SHR);
    if (shift && names(x->kids[1], d) && kernel_const(k, x->kids[0], &v)) return true;
    for (int i = 0; i < x->nkids; i++)
        if (shifts_by(k, x->kids[i], d)) return true;
    for (int i = 0; x->kind == A_DECLS && i < x->ndecls; i++)
        if (shifts_by(k, x->decls[i]->init, d)) return true;
    return false;
}

Ast *kernel_written_out(KernelRead *k, const Ast *f) {
    const Ast *inc = f->kids[2];
    Decl *d =
        inc && (inc->kind == A_ASSIGN || inc->kind == A_INCDEC) && accept_strip(inc->kids[0])->kind == A_REF
            ? accept_strip(inc->kids[0])->decl
            : NULL;
    if (!d || d->type->kind != CT_SCALAR || !type_is_int(d->type->scalar) || !f->kids[1]) return NULL;
    if ((inc->op == OP_ADD || inc->op == OP_SUB) && !shifts_by(k, f->kids[3], d)) return NULL;
    Ast *next = next_value(k, inc, d), *first = first_value(f->kids[0], d);
    if (!next || !first || accept_writes_decl(k->a, f->kids[3], d) || has_jump(f->kids[3], false))
        return NULL;
    int64_t values[MAX_COPIES + 2];
    int n;
    if (!values_of(k, f, d, first, next, values, &n) || n * ast_size(f->kids[3]) > MAX_SIZE) return NULL;
    Ast *kids[MAX_COPIES + 2];
    for (int i = 0; i < n; i++) {
        Ast *body = ast_replace(k, f->kids[3], d, mk_int(k, f, d->type->scalar, values[i]));
        kids[i] = mk_block(k, f, 1, &body);
    }
    bool own = f->kids[0] && f->kids[0]->kind == A_DECLS;
    if (!own) kids[n] = mk_set(k, ast_ref(k->a, f, d), mk_int(k, f, d->type->scalar, values[n]));
    return mk_block(k, f, n + !own, kids);
}
