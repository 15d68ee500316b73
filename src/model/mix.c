// SPDX-License-Identifier: MIT
// mix.c -- how many instructions a statement is: multiply-adds, divisions, functions.
//
// Divisions, roots and functions are sequences of the usual instructions; their lengths here are those that
// nvcc 13 makes for arguments of the usual size, counted in disassembled kernels of one function each.
#include "model/code.h"
#include <string.h>

enum { DIVIDE_32 = 10, DIVIDE_64 = 21, RECIPROCAL_ROOT = 4 };

typedef struct Function {
    const char *name;
    int f32, f64;
} Function;
static const Function functions[] = {{"sqrt", 8, 19}, {"rsqrt", 3, 15}, {"exp", 9, 58}, {"exp2", 3, 50}, {"log", 24, 80}, {"log2", 26, 80}, {"log10", 25, 80},
                                     {"sin", 24, 48}, {"cos", 24, 48}, {"pow", 70, 80}, {"erf", 27, 120}, {"erfc", 47, 130}, {"tanh", 16, 98},
                                     {"atan", 18, 60}, {"cbrt", 15, 40}, {"hypot", 28, 60}, {"expm1", 28, 70}, {"log1p", 30, 90}, {"sinh", 24, 70}};
static const Function other = {"", 28, 70};

double mix_total(const InstructionMix *m) {
    return m->fp32 + m->fp64 + m->special + m->integer + m->global + m->shared + m->control;
}

void mix_add(InstructionMix *to, const InstructionMix *x, double w) {
    to->fp32 += w * x->fp32;
    to->fp64 += w * x->fp64;
    to->special += w * x->special;
    to->integer += w * x->integer;
    to->global += w * x->global;
    to->shared += w * x->shared;
    to->control += w * x->control;
}

typedef struct Count {
    InstructionMix *mix;
    double flops;
    bool contract;          // a product that is added is one instruction, though nothing says so
} Count;

static bool is_product(const Expr *x) { return x->kind == E_OP && x->op == OP_MUL && type_is_float(x->type); }

static void plain(Count *c, Type t, double n) {
    if (t == T_F64) c->mix->fp64 += n;
    else c->mix->fp32 += n;
}

// Functions that are one instruction.
static bool is_plain(const char *fn) {
    static const char *const plain[] = {"fmin", "fminf", "fmax", "fmaxf", "fma", "fmaf", "copysign", "copysignf",
                                        "floor", "floorf", "ceil", "ceilf", "trunc", "truncf"};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (str_eq(plain[k], fn)) return true;
    return false;
}

double mix_length(const Expr *x) {
    bool f64 = x->type == T_F64;
    if (x->kind == E_CALL && (str_eq(x->fn, "fabs") || str_eq(x->fn, "fabsf"))) return 0; // a part of what uses it
    bool root = x->kind == E_OP && x->op == OP_DIV && x->args[1]->kind == E_CALL && str_has_prefix(x->args[1]->fn, "sqrt");
    if (root && !f64) return RECIPROCAL_ROOT; // both at once
    if (x->kind == E_OP) return x->op == OP_DIV ? (f64 ? DIVIDE_64 : DIVIDE_32) : 1;
    if (is_plain(x->fn)) return 1;
    const Function *f = &other;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        size_t n = strlen(functions[k].name);
        if (str_has_prefix(x->fn, functions[k].name) && (!x->fn[n] || str_eq(x->fn + n, "f"))) f = &functions[k];
    }
    return f64 ? f->f64 : f->f32;
}

static void call(Count *c, const Expr *x) {
    c->flops++;
    if (is_plain(x->fn)) return plain(c, x->type, 1);
    c->mix->special += mix_length(x);
}

static void count(Count *c, const Expr *x) {
    if (x->kind == E_LOAD) return; // subscripts are counted with the access
    for (int k = 0; k < x->nargs; k++) count(c, x->args[k]);
    if (x->kind == E_CALL) call(c, x);
    if (x->kind == E_CAST && x->type != x->args[0]->type) c->mix->integer += type_is_float(x->type) || type_is_float(x->args[0]->type);
    if (x->kind != E_OP) return;
    Type t = x->args[0]->type;
    if (!type_is_float(t)) {
        c->mix->integer += 1;
    } else if (x->op == OP_DIV) {
        c->mix->special += mix_length(x);
        c->flops++;
    } else if (x->op != OP_NEG) { // a sign is part of what uses it
        bool adds = c->contract && (x->op == OP_ADD || x->op == OP_SUB) && (is_product(x->args[0]) || is_product(x->args[1]));
        plain(c, t, adds ? 0 : 1);
        c->flops += x->op == OP_FMA ? 2 : x->op == OP_SELECT ? 0 : 1;
    }
}

static bool is_power(int64_t n) { return n > 0 && !(n & (n - 1)); }

double mix_index(const Expr *x, const Sym *iter) {
    double n = 0;
    if (x->kind == E_LOAD || (iter && !expr_uses_sym(x, iter))) return 0; // an access of its own; known before the loop
    for (int k = 0; k < x->nargs; k++) n += mix_index(x->args[k], iter);
    if (x->kind != E_OP) return n;
    bool literal = x->nargs > 1 && x->args[1]->kind == E_INT;
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: return n; // constants apart, or one multiply-add of the address
    case OP_DIV: case OP_MOD: case OP_FDIV: case OP_FMOD: return n + (literal ? (is_power(x->args[1]->i) ? 1 : 4) : 20);
    default: return n + 1;
    }
}

// A condition: its comparisons; what they compare is computed for the addresses anyway.
static void compare(const Expr *x, void *arg) {
    InstructionMix *m = arg;
    m->integer += x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE;
}

InstructionMix mix_of(const Node *n, bool contract, double *flops) {
    InstructionMix m = {0};
    Count c = {&m, 0, contract};
    if (n->kind == N_STMT) {
        const Stmt *s = n->stmt;
        bool update = s->op != OP_SET;
        count(&c, s->rhs);
        if (update && type_is_float(s->lhs->elem)) {
            plain(&c, s->lhs->elem, s->fused ? 0 : 1); // fused: the product's instruction does it
            c.flops++;
        } else if (update) {
            m.integer += 1;
        }
    } else if (n->kind == N_COPY) {
        count(&c, n->src);
        bool fused = contract && n->op == OP_ADD && is_product(n->src);
        if (n->op != OP_SET && n->dst && type_is_float(n->dst->elem)) plain(&c, n->dst->elem, fused ? 0 : 1), c.flops++;
    } else if (n->kind == N_IF) {
        expr_walk(n->cond, compare, &m);
        m.control += 1;
    }
    *flops = c.flops;
    return m;
}
