// SPDX-License-Identifier: MIT
// mix.c -- how many instructions a statement is, by kind.
#include "model/code.h"

double mix_work(const InstructionMix *m) { return m->fp32 + m->fp64 + m->matrix + m->special + m->others; }

double mix_total(const InstructionMix *m) {
    return mix_work(m) + m->integer + m->global + m->shared + m->control;
}

void mix_add(InstructionMix *to, const InstructionMix *x, double w) {
    to->fp32 += w * x->fp32;
    to->fp64 += w * x->fp64;
    to->matrix += w * x->matrix;
    to->products += w * x->products;
    to->special += w * x->special;
    to->others += w * x->others;
    to->integer += w * x->integer;
    to->global += w * x->global;
    to->shared += w * x->shared;
    to->control += w * x->control;
}

typedef struct Count {
    InstructionMix *mix;
    double flops;
    bool contract;          // a product that is added is one instruction, though nothing says so
    bool found;             // numbers are found by the compiler: in the text they are expressions
} Count;

static bool is_product(const Expr *x) { return x->kind == E_OP && x->op == OP_MUL && type_is_float(x->type); }

static void plain(Count *c, Type t, double n) {
    if (t == T_F64) c->mix->fp64 += n;
    else c->mix->fp32 += n;
}

static void sequence(Count *c, const Expr *x) {
    Sequence s = mix_sequence(x, c->contract || (c->found && x->op == OP_DIV));
    if (!type_is_float(x->type)) { // no operation of floating point
        c->mix->integer += s.arithmetic + s.special + s.others;
        return;
    }
    plain(c, x->type, s.arithmetic);
    c->mix->special += s.special;
    c->mix->others += s.others;
    c->flops++;
}

static void count(Count *c, const Expr *x) {
    if (x->kind == E_LOAD) return; // subscripts are counted with the access
    const Expr *squared = mix_inverse_root(x, c->contract);
    if (squared) return count(c, squared), c->flops++, sequence(c, x);
    for (int k = 0; k < x->nargs; k++) count(c, x->args[k]);
    if (x->kind == E_CALL) sequence(c, x);
    if (x->kind == E_CAST && x->type != x->args[0]->type)
        c->mix->integer += type_is_float(x->type) || type_is_float(x->args[0]->type);
    if (x->kind != E_OP) return;
    Type t = x->args[0]->type;
    if (!type_is_float(t)) {
        c->mix->integer += 1;
    } else if (x->op == OP_DIV) {
        sequence(c, x);
    } else if (x->op != OP_NEG) { // a sign is part of what uses it
        bool adds = c->contract && (x->op == OP_ADD || x->op == OP_SUB) &&
                    (is_product(x->args[0]) || is_product(x->args[1]));
        plain(c, t, adds ? 0 : 1);
        c->flops += x->op == OP_FMA ? 2 : x->op == OP_SELECT ? 0 : 1;
    }
}

static bool is_power(int64_t n) { return n > 0 && !(n & (n - 1)); }

double mix_index(const Expr *x, const Sym *iter) {
    double n = 0;
    // an access of its own; known before the loop
    if (x->kind == E_LOAD || (iter && !expr_uses_sym(x, iter))) return 0;
    for (int k = 0; k < x->nargs; k++) n += mix_index(x->args[k], iter);
    if (x->kind != E_OP) return n;
    bool literal = x->nargs > 1 && x->args[1]->kind == E_INT;
    switch (x->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG: return n; // constants apart, or one multiply-add of the address
    case OP_DIV:
    case OP_MOD:
    case OP_FDIV:
    case OP_FMOD: return n + (literal ? (is_power(x->args[1]->i) ? 1 : 4) : 20);
    default: return n + 1;
    }
}

InstructionMix mix_expr(const Expr *x, bool contract, bool found) {
    InstructionMix m = {0};
    count(&(Count){&m, 0, contract, found}, x);
    return m;
}

static bool is_chained(const Stmt *s, const Expr *rhs) { return s->op == OP_ADD && expr_is_products(rhs); }

InstructionMix mix_of(const Node *n, const Expr *rhs, bool contract, bool found, bool chained,
                      double *flops) {
    InstructionMix m = {0};
    Count c = {&m, 0, contract, found};
    if (n->kind == N_STMT) {
        const Stmt *s = n->stmt;
        bool update = s->op != OP_SET;
        count(&c, rhs);
        if (update && type_is_float(s->lhs->elem)) {
            bool fused = s->fused || (chained && is_chained(s, rhs)); // a product's instruction does it
            plain(&c, s->lhs->elem, fused ? 0 : 1);
            c.flops++;
        } else if (update) {
            m.integer += 1;
        }
    } else if (n->matrix) {
        m.matrix = 1;
        m.products = n->matrix->m * n->matrix->n * n->matrix->k / 32;
        c.flops = 2 * m.products;
    } else if (n->kind == N_COPY) {
        count(&c, rhs);
        bool fused = contract && n->op == OP_ADD && is_product(rhs);
        if (n->op != OP_SET && n->dst && type_is_float(n->dst->elem))
            plain(&c, n->dst->elem, fused ? 0 : 1), c.flops++;
    } else if (n->kind == N_IF) {
        // its comparisons; what they compare is computed for the addresses anyway
        expr_each(x, n->cond) m.integer += x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE;
        m.control += 1;
    }
    *flops = c.flops;
    return m;
}
