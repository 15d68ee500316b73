// SPDX-License-Identifier: MIT
// walk.h -- loops over all nodes of a tree and all parts of an expression: parents first, in text order
//
//   node_each(n, root)
//       if (n->kind == N_KERNEL) count++;
//
// declares n, which may be of any depth; a root that is NULL has none. `break`, `continue` and `return` do in
// such a loop what they do in any other. What the loop makes of a node is seen: children are read when it has
// gone round.
#ifndef SCULPT_IR_WALK_H
#define SCULPT_IR_WALK_H
typedef struct Node Node;
typedef struct Expr Expr;

// What is still to come, the next last.
typedef struct Preorder {
    const void **at;
    int n, cap;
    const void *last;
    const void *few[40]; // as long as they are enough
} Preorder;
Preorder *preorder_of(Preorder *w, const void *root);
Preorder *preorder_of_exprs(Preorder *w, const Node *n);
Node *preorder_node(Preorder *w);       // NULL: there is no other
const Expr *preorder_expr(Preorder *w);
void preorder_end(Preorder *w);
// For trees of other rooms: children are pushed, the last first.
void preorder_push(Preorder *w, const void *x); // NULL: nothing
const void *preorder_pop(Preorder *w);

// In such a loop: what is below the node at hand is left out.
#define each_prune() ((void)(more_->last = NULL))
#define EACH_(T, x, next, begin)                                                                             \
    for (Preorder order_ __attribute__((cleanup(preorder_end))), *more_ = begin; more_; more_ = (void *)0)   \
        for (T *x; (x = next(more_));)
#define node_each(n, root) EACH_(Node, n, preorder_node, preorder_of(&order_, root))
#define expr_each(x, root) EACH_(const Expr, x, preorder_expr, preorder_of(&order_, root))
// A node's own expressions and their parts: bounds, condition, a statement's subscripts and value.
#define node_each_expr(x, n) EACH_(const Expr, x, preorder_expr, preorder_of_exprs(&order_, n))
#endif
