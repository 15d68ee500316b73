// SPDX-License-Identifier: MIT
// branch_flat.c -- a few rows of different lengths, gone through in one loop.
//
//   for q in 0 .. 4                             for j in min(lo(0) … lo(3)) .. max(hi(0) … hi(3))
//       for j in lo(q) .. hi(q)        →            for q in 0 .. 4
//           S(q, j)                                     if (lo(q) <= j && j < hi(q)) S(q, j)
//
// lo and hi may be read from memory. Lanes of a warp that have rows of their own wait in each row
// for the longest of all lanes; afterwards once, for the longest sum. So it pays where the rows of
// a thread lie behind one another (the compressed rows of a sparse matrix): then the loop is as
// long as they are together. Where they don't, it is as long as their hull.
#include "rule/branch.h"
#include "rule/loops.h"

enum { ROWS_MOST = 16 };

// x for row number k.
static Expr *in_row(Arena *a, const Node *rows, Expr *x, int64_t k) {
    Type t = rows->iter->type;
    Expr *row = expr_add(a, expr_cast(a, t, rows->lo), expr_int(a, t, k));
    return expr_subst(a, x, 1, &rows->iter, &row);
}

// The least lo, the greatest hi of the rows that there are; what is not there is not read.
static Expr *hull(Arena *a, const Node *rows, int64_t n, Expr *x, Expr *there, Type t, bool least) {
    int64_t far = type_size(t) > 4 ? INT64_MAX / 2 : INT32_MAX / 2;
    Expr *all = NULL, *none = expr_int(a, t, least ? far : type_is_signed(t) ? -far : 0);
    for (int64_t k = 0; k < n; k++) {
        Expr *own = expr_cast(a, t, in_row(a, rows, x, k));
        if (there) own = expr_op(a, OP_SELECT, in_row(a, rows, there, k), own, none);
        all = all ? expr_op(a, least ? OP_MIN : OP_MAX, all, own, NULL) : own;
    }
    return all;
}

Nest *branch_flat(Change *ch, Node *rows, Node *loop) {
    Arena *a = ch->a;
    const char *name = rows->iter->name, *inner = loop->iter->name;
    int64_t n;
    Expr *there = NULL;
    Node *at = unwrap(rows->body);
    for (; at->kind == N_IF && !at->other; at = unwrap(at->then)) there = cond_and(a, there, at->cond);
    if (at != loop) return change_refuse(ch, "%s does not hold loop %s and nothing else", name, inner);
    if (rows->how != HOW_SERIAL && rows->how != HOW_UNROLL)
        return change_refuse(ch, "%s is a %s loop", name, how_name(rows->how));
    if (loop->how != HOW_SERIAL || loop->step != 1 || rows->step != 1)
        return change_refuse(ch, "%s and %s must be serial, with step 1", name, inner);
    if (!loop_constant(rows, &n) || n < 2 || n > ROWS_MOST)
        return change_refuse(ch, "%s has no constant number of rows from 2 to %d; strip it", name, ROWS_MOST);
    if (!expr_uses_sym(loop->lo, rows->iter) && !expr_uses_sym(loop->hi, rows->iter))
        return change_refuse(ch, "%s is as long in all iterations of %s; interchange them", inner, name);
    Type t = loop->iter->type;
    Node *out = node_clone(a, loop), *in = node_clone(a, rows);
    out->lo = hull(a, rows, n, loop->lo, there, t, true);
    out->hi = hull(a, rows, n, loop->hi, there, t, false);
    // What isn't there must not be asked for its ends.
    Node *body = node_if(a, loop_bounds(a, loop), loop->body, NULL);
    in->body = there ? node_if(a, there, body, NULL) : body;
    out->body = in;
    return change_done(ch, node_replace(a, ch->nest->root, rows, out));
}
