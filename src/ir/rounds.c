// SPDX-License-Identifier: MIT
// rounds.c -- grids that are gone through in rounds, and the same in one.
#include "ir/ir.h"

typedef struct Round {
    const Sym *block;
    const Node *loop; // whose lower bound it is
} Round;

static void find_round(Node *n, void *arg) {
    Round *r = arg;
    if (n->kind == N_FOR && n->how == HOW_SERIAL && n->step > 1 && n->lo->kind == E_SYM &&
        n->lo->sym == r->block)
        r->loop = n;
}

typedef struct Blocks {
    int n;
    const Node *loop[3];
} Blocks;

static void find_blocks(Node *n, void *arg) {
    Blocks *b = arg;
    if (n->kind == N_FOR && n->how == HOW_BLOCK && b->n < 3) b->loop[b->n++] = n;
}

Node *ir_one_round(Arena *a, Node *kernel, const Node **loop) {
    Blocks all = {0};
    node_walk(kernel, find_blocks, &all);
    for (int i = 0; i < all.n; i++) {
        const Node *b = all.loop[i];
        Round r = {b->iter, NULL};
        if (b->hi->kind != E_OP || b->hi->op != OP_MIN || b->hi->args[1]->kind != E_INT) continue;
        node_walk(kernel, find_round, &r);
        if (!r.loop || r.loop->step != b->hi->args[1]->i || !expr_equal(r.loop->hi, b->hi->args[0])) continue;
        Node *blocks = node_clone(a, b);
        Expr *same = expr_cast(a, r.loop->iter->type, expr_sym(a, b->iter));
        blocks->hi = b->hi->args[0];
        blocks->body = node_replace(a, b->body, r.loop, node_subst(a, r.loop->body, 1, &r.loop->iter, &same));
        *loop = r.loop;
        return node_replace(a, kernel, b, blocks);
    }
    return NULL;
}
