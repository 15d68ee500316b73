// SPDX-License-Identifier: MIT
// rounds.c -- grids that are gone through in rounds or in slices, and the same in one.
#include "ir/ir.h"

// The loop below whose lower bound the block's counter is.
static const Node *round_of(Node *kernel, const Sym *block) {
    const Node *loop = NULL;
    node_each(n, kernel)
        if (n->kind == N_FOR && n->how == HOW_SERIAL && n->step > 1 && n->lo->kind == E_SYM &&
            n->lo->sym == block)
            loop = n;
    return loop;
}

Node *ir_one_round(Arena *a, Node *kernel, const Node **loop) {
    node_each(b, kernel) {
        if (b->kind != N_FOR || b->how != HOW_BLOCK) continue;
        if (b->hi->kind != E_OP || b->hi->op != OP_MIN || b->hi->args[1]->kind != E_INT) continue;
        const Node *round = round_of(kernel, b->iter);
        if (!round || round->step != b->hi->args[1]->i || !expr_equal(round->hi, b->hi->args[0])) continue;
        if (round->iter->type != b->iter->type) continue;
        // The loop's counter stays: its body may have buffers that lie where it says.
        Node *blocks = node_clone(a, b);
        Expr *same = expr_sym(a, round->iter);
        blocks->hi = b->hi->args[0];
        blocks->body = node_subst(a, node_replace(a, b->body, round, round->body), 1, &b->iter, &same);
        blocks->iter = round->iter;
        *loop = round;
        return node_replace(a, kernel, b, blocks);
    }
    return NULL;
}

// ---- slices --------------------------------------------------------------------------------------

// lo + blocks * s / slices
static Expr *cut_at(Arena *a, const Node *loop, Expr *s, Expr *slices) {
    Expr *blocks = expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
    Expr *at = expr_op(a, OP_FDIV, expr_mul(a, blocks, s), slices, NULL);
    return expr_add(a, loop->lo, expr_cast(a, loop->iter->type, at));
}

// That the parts lie in the loop is written out: who counts what a slice touches does not multiply blocks by
// s.
Node *ir_slice(Arena *a, const Node *loop, const Sym *counter, Expr *slices) {
    Node *n = node_clone(a, loop);
    Expr *s = expr_cast(a, T_I64, expr_sym(a, counter)), *next = expr_add(a, s, expr_int(a, T_I64, 1));
    n->lo = expr_op(a, OP_MAX, loop->lo, cut_at(a, loop, s, slices), NULL);
    n->hi = expr_op(a, OP_MIN, loop->hi, cut_at(a, loop, next, slices), NULL);
    return n;
}

static bool is_op(const Expr *x, Op op) {
    return x->kind == E_OP && x->op == op;
}

// The loop that `part` is slice number `counter` of; NULL: it is none.
static Node *loop_of_slice(Arena *a, const Node *part, const Sym *counter, Expr *slices) {
    if (!is_op(part->lo, OP_MAX) || !is_op(part->hi, OP_MIN)) return NULL;
    Node *n = node_clone(a, part);
    n->lo = part->lo->args[0];
    n->hi = part->hi->args[0];
    const Node *again = ir_slice(a, n, counter, slices);
    return expr_equal(again->lo, part->lo) && expr_equal(again->hi, part->hi) ? n : NULL;
}

static bool is_positive(const Expr *x) {
    if (x->kind == E_INT) return x->i > 0;
    if (x->kind == E_CAST) return is_positive(x->args[0]);
    if (is_op(x, OP_MAX)) return is_positive(x->args[0]) || is_positive(x->args[1]);
    return is_op(x, OP_MIN) && is_positive(x->args[0]) && is_positive(x->args[1]);
}

Node *ir_one_slice(Arena *a, const Node *over) {
    if (over->kind != N_FOR || over->how != HOW_SERIAL || over->step != 1 || !expr_is_int(over->lo, 0))
        return NULL;
    Expr *slices = over->hi;
    while (slices->kind == E_CAST) slices = slices->args[0];
    slices = expr_cast(a, T_I64, slices);
    if (!is_positive(slices)) return NULL;
    for (const Node *n = over->body;;) {
        Node *whole = n->kind == N_FOR && n->how == HOW_BLOCK && n->step == 1
                          ? loop_of_slice(a, n, over->iter, slices)
                          : NULL;
        if (whole) {
            Node *all = node_replace(a, over->body, n, whole);
            return node_uses_sym(all, over->iter) ? NULL : all;
        }
        bool one = n->kind == N_SEQ && n->nkids == 1 && !n->nlocals;
        bool parallel = n->kind == N_FOR && (n->how == HOW_BLOCK || n->how == HOW_THREAD);
        if (!one && !parallel && n->kind != N_KERNEL) return NULL;
        n = one ? n->kids[0] : n->body;
    }
}
