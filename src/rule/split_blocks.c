// SPDX-License-Identifier: MIT
// split_blocks.c -- a kernel's blocks in two kernels, which later steps can shape each by itself.
//
//   160 blocks on 132 multiprocessors   ████████████████ 132  the second round of k0 leaves 104 idle; split
//                                       ███░░░░░░░░░░░░░  28  at the last whole round, the 28 are kernel
//                                                             k0_1, whose sums may be dealt to more blocks
//   kernel k0 { block yb in 0 .. n      →   kernel k0 { block yb in 0 .. min(at, n) … }
//       block xb … }                        kernel k0_1 { block yb_1 in max(at, 0) .. n … }
//
// Neither needs the other's results, so a graph lets them run side by side (run/chain.c): blocks of the
// second take the places that those of the first leave. What the second holds has names of its own.
#include "rule/loops.h"

static Expr *i64(Arena *a, Expr *x) { return expr_cast(a, T_I64, x); }

static Expr *trips(Arena *a, const Node *loop) { return expr_sub(a, i64(a, loop->hi), i64(a, loop->lo)); }

static bool same_for_all(const Node *loop) {
    return loop->step == 1 && cond_is_free(loop->lo) && cond_is_free(loop->hi) &&
           !expr_uses_iters(loop->lo) && !expr_uses_iters(loop->hi);
}

// Of all blocks those that fill the multiprocessors a whole number of times, in iterations of the loop. Any
// value would be right, as loops have both ends; that nothing is divided by 0 is all that is asked where
// there are no blocks.
static Expr *whole_rounds(Change *ch, const Node *kernel, const Node *loop, const Sym *sms) {
    Arena *a = ch->a;
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    Expr *each = expr_int(a, T_I64, 1), *machine = expr_sym(a, sms);
    for (int i = 0; i < g.nblock; i++) {
        if (!same_for_all(g.block[i]))
            return change_refuse(ch, "the number of blocks of %s is not the same everywhere",
                                 g.block[i]->iter->name),
                   NULL;
        if (g.block[i] != loop) each = expr_mul(a, each, trips(a, g.block[i]));
    }
    Expr *rounds = expr_op(a, OP_FDIV, expr_mul(a, trips(a, loop), each), machine, NULL);
    Expr *most = expr_op(a, OP_MAX, each, expr_int(a, T_I64, 1), NULL);
    return expr_add(a, i64(a, loop->lo), expr_op(a, OP_FDIV, expr_mul(a, rounds, machine), most, NULL));
}

// Where the second kernel's blocks begin, and the nest's facts with what that asks for. NULL: refused.
static Expr *cut_at(Change *ch, const Path *way, int kernel, const Node *loop, Nest *n) {
    const char *at = change_text(ch, "at");
    Path outside = *way;
    outside.n = kernel + 1;
    if (!str_eq(at, "rounds")) return change_expr(ch, &outside, loop->lo->type, at);
    bool known = false;
    for (int i = 0; i < n->nfacts; i++) known = known || n->facts[i].kind == FACT_PROCESSORS;
    const Sym *sms = nest_fact(ch->a, n, FACT_PROCESSORS, known ? "" : change_name(ch, "sms"));
    return whole_rounds(ch, way->node[kernel], loop, sms);
}

static Node *with_loop(Arena *a, Node *kernel, const Node *loop, Expr *lo, Expr *hi) {
    Node *n = node_clone(a, loop);
    n->lo = lo;
    n->hi = hi;
    return node_replace(a, kernel, loop, n);
}

Nest *split_blocks(Change *ch, const Path *way, Node *loop) {
    Arena *a = ch->a;
    int k = 0;
    while (k < way->n && way->node[k]->kind != N_KERNEL) k++;
    Node *kernel = k < way->n ? way->node[k] : NULL;
    if (!kernel) return change_refuse(ch, "%s stands in no kernel", loop->iter->name);
    if (kernel->streamed)
        return change_refuse(ch, "kernel %s is streamed; split its blocks first", kernel->name);
    if (!same_for_all(loop))
        return change_refuse(ch, "the blocks of %s have a step or bounds that other blocks have not",
                             loop->iter->name);
    Nest facts = *ch->nest;
    Expr *at = cut_at(ch, way, k, loop, &facts);
    if (!at) return NULL;
    at = expr_cast(a, loop->lo->type, at);
    Node *first = with_loop(a, kernel, loop, loop->lo, expr_op(a, OP_MIN, at, loop->hi, NULL));
    Node *second =
        change_twin(ch, with_loop(a, kernel, loop, expr_op(a, OP_MAX, at, loop->lo, NULL), loop->hi));
    Node *parts[2] = {first, second};
    Node *root = loop_parts(ch, ch->nest->root, kernel, 2, parts);
    root = simplify_at(ch->c, ch->nest, root, first);
    Nest *n = change_done(ch, simplify_at(ch->c, ch->nest, root, second));
    n->facts = facts.facts;
    n->nfacts = facts.nfacts;
    return n;
}
