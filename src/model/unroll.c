// SPDX-License-Identifier: MIT
// unroll.c -- which loops a compiler writes out, as nvcc 13 was seen to: what one iteration then has of the
// loop's overhead.
#include "model/code.h"
#include <math.h>

enum {
    HABIT = 4, HABIT_SMALL = 16, WHOLE_BODY = 64,
    MOST_WRITTEN = 512, // statements, up to which it writes out loops whose counters decide what is computed
};

int64_t code_trips(int64_t lo, int64_t hi, int64_t step) {
    int64_t span = step > 0 ? hi - lo : lo - hi, by = step > 0 ? step : -step;
    return span > 0 ? (span + by - 1) / by : 0;
}

int code_statements(const Code *c) {
    int n = c->n->kind == N_STMT || c->n->kind == N_COPY || c->n->kind == N_IF;
    for (int k = 0; k < c->nkids; k++) n += code_statements(c->kids[k]);
    return n;
}

bool code_is_literal(const Code *c) { return c->n->lo->kind == E_INT && c->n->hi->kind == E_INT; }

// Statements of a loop that is written out, with all loops inside: 1e9 where one's bounds are no literals.
static double code_written_out(const Code *c) {
    double n = c->n->kind == N_STMT || c->n->kind == N_COPY || c->n->kind == N_IF;
    for (int k = 0; k < c->nkids; k++) n += code_written_out(c->kids[k]);
    if (c->n->kind != N_FOR || c->n->how == HOW_VECTOR) return n;
    return code_is_literal(c) ? n * (double)code_trips(c->n->lo->i, c->n->hi->i, c->n->step) : 1e9;
}

// Is the loop gone in machine code, so that its counter is a number everywhere?
bool code_is_written_out(const Code *c) {
    if (c->n->how == HOW_UNROLL || c->n->how == HOW_VECTOR) return true;
    if (c->n->how != HOW_SERIAL || !code_is_literal(c)) return false;
    double trips = (double)code_trips(c->n->lo->i, c->n->hi->i, c->n->step);
    return c->n->unroll > 0 ? (double)c->n->unroll >= trips : code_written_out(c) <= MOST_WRITTEN;
}

bool code_is_small(const Code *c) { return code_written_out(c) <= WHOLE_BODY; }

// A step as long as the grid is known when the kernel runs, to no compiler: i += gridDim.x * blockDim.x, in
// the tree as a number of iterations that is divided by that.
static bool is_stretch(const Program *p, const Node *n) {
    int64_t all;
    if (p->blocks < 2 || __builtin_mul_overflow(p->threads, p->blocks, &all) || all <= 0) return false;
    expr_each(x, n->hi) {
        bool divides = x->kind == E_OP && (x->op == OP_FDIV || x->op == OP_DIV) && x->args[1]->kind == E_INT;
        if (divides && x->args[1]->i > 0 && x->args[1]->i % all == 0) return true;
    }
    return n->step % all == 0;
}

// Compilers unroll innermost loops by themselves: nvcc 13 those of one statement by 16, small ones with a
// literal number of iterations whole, others inside them too.
double code_share(const Program *p, const Code *c) {
    if (c->n->unroll > 0) return 1.0 / c->n->unroll; // 1: it was said to stay rolled
    if (is_stretch(p, c->n)) return 1;
    if (code_is_literal(c) && code_is_small(c))
        return 1 / fmax(1, (double)code_trips(c->n->lo->i, c->n->hi->i, c->n->step));
    return c->leaf ? 1.0 / (code_statements(c) <= 1 ? HABIT_SMALL : HABIT) : 1;
}
