// SPDX-License-Identifier: MIT
// leave.c -- loops that end when the data say so.
//
//   for (w = 0; w < LOOP_UNBOUNDED; w++) if (go) { … go = x < 4; … }
//
// Nothing happens any more once go is 0: nobody else can set it, and what could is not run. So the
// loop may end there, and whatever looks at trees without knowing that comes to the same values.
#include "ir/ir.h"

static bool is_phase(const Node *n) {
    bool plain = n->kind != N_FOR || n->how == HOW_SERIAL || n->how == HOW_UNROLL || n->how == HOW_VECTOR;
    return !plain || n->kind == N_BARRIER || n->kind == N_KERNEL;
}

Node *loop_while(const Node *loop) {
    if (loop->kind != N_FOR || loop->how != HOW_SERIAL) return NULL;
    Node *n = loop->body;
    while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    if (n->kind != N_IF || n->other || expr_uses_sym(n->cond, loop->iter)) return NULL;
    bool loads = false; // scalars that this thread alone has
    expr_each(x, n->cond) {
        if (x->kind == E_LOAD && (x->array->place != PLACE_LOCAL || x->array->rank)) return NULL;
        loads |= x->kind == E_LOAD;
    }
    return loads && !node_any(n->then, is_phase) ? n : NULL;
}

bool loop_is_unbounded(const Node *loop) {
    return loop->kind == N_FOR && loop->hi->kind == E_INT && loop->hi->i >= LOOP_UNBOUNDED;
}

static bool is_endless(const Node *n) { return loop_is_unbounded(n) && !loop_while(n); }

static bool stays_in_kernels(Node *n, bool inside) {
    if (loop_is_unbounded(n) && !inside) return false;
    for (int k = 0; node_kid(n, k); k++)
        if (!stays_in_kernels(node_kid(n, k), inside || n->kind == N_KERNEL)) return false;
    return true;
}

bool loops_leave(Node *root) { return !node_any(root, is_endless); }

bool loops_end(Node *root) { return loops_leave(root) && stays_in_kernels(root, false); }
