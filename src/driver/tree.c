// SPDX-License-Identifier: MIT
// tree.c -- a nest for people: one line a loop, a condition or a statement.
//
//   kernel k0
//     for ib = 0 .. (n + 127) / 128                block
//       for ii = 0 .. 128                          thread
//         if (128 * ib + ii < n)
//           a[j][128 * ib + ii] += b[k][128 * ib + ii] * c[j][k]        S0
#include "driver/driver.h"
#include <string.h>

typedef struct Tree {
    Arena *a;
    Text out;
} Tree;

static void line(Tree *t, int depth, const char *text, const char *mark) {
    int width = 2 * depth + (int)strlen(text), pad = mark ? 56 - width : 0;
    text_printf(&t->out, "%*s%s", 2 * depth, "", text);
    if (mark) text_printf(&t->out, "%*s  %s", pad > 0 ? pad : 0, "", mark);
    text_put(&t->out, "\n");
}

// ---- statements: each access in its place, where its element is --------------------------------
typedef struct Places {
    Arena *a;
    const Node *n;
    int next;             // number of the next load
} Places;

static Expr *placed(Places *p, Expr *x) {
    int number = x->kind == E_LOAD ? p->next++ : 0;
    if (!x->nargs && x->kind != E_LOAD) return x;
    Expr *copy = NEW_AS(p->a, Expr, *x);
    copy->args = NEW_N(p->a, Expr *, x->nargs + 8);
    for (int i = 0; i < x->nargs; i++) copy->args[i] = placed(p, x->args[i]);
    const Node *n = p->n;
    if (x->kind != E_LOAD || !n->nvia || !n->via[number]) return copy;
    copy->array = n->via[number];
    if (!n->via_sub || !n->via_sub[number]) return copy;
    copy->args = n->via_sub[number];
    copy->nargs = copy->array->rank;
    return copy;
}

static const char *stmt_text(Tree *t, const Node *n) {
    const Stmt *s = n->stmt;
    Arena *a = t->a;
    Places p = {a, n, 1};
    Expr **sub = NEW_N(a, Expr *, s->lhs->rank + 1);
    for (int d = 0; d < s->lhs->rank; d++) sub[d] = node_stmt_expr(a, n, s->sub[d]);
    const Array *to = s->lhs;
    // Loads are numbered before substitution, which keeps their order.
    for (int d = 0; d < s->lhs->rank; d++) sub[d] = placed(&p, sub[d]);
    Expr *rhs = placed(&p, node_stmt_expr(a, n, form_rhs(a, n)));
    if (n->nvia && n->via[0]) {
        to = n->via[0];
        if (n->via_sub && n->via_sub[0]) sub = n->via_sub[0];
    }
    const char *value = show_expr(a, rhs), *left = show_access(a, to, sub);
    if (s->op == OP_MIN || s->op == OP_MAX)
        return arena_printf(a, "%s = %s(%s, %s)", left, op_text(s->op), left, value);
    return arena_printf(a, "%s %s= %s", left, s->op == OP_SET ? "" : op_text(s->op), value);
}

static const char *copy_text(Tree *t, const Node *n) {
    return arena_printf(t->a, "copy %s %s= %s", n->dst ? show_access(t->a, n->dst, n->sub) : "value",
                        n->op == OP_SET ? "" : op_text(n->op), show_expr(t->a, n->src));
}

// ---- nodes ------------------------------------------------------------------------------------------
static void put(Tree *t, const Node *n, int depth);

static void put_locals(Tree *t, const Node *n, int depth) {
    static const char *const places[] = {"array", "local", "temp", "shared", "register"};
    for (int i = 0; i < n->nlocals; i++) {
        const Array *x = n->locals[i];
        Text s = text_new(t->a);
        text_printf(&s, "%s %s", places[x->place], show_array(t->a, x));
        if (x->of) text_printf(&s, " of %s", x->of->name);
        line(t, depth, text_str(&s), NULL);
    }
}

static void put_for(Tree *t, const Node *n, int depth) {
    const char *how = n->how == HOW_SERIAL
                          ? (n->unroll > 1 ? arena_printf(t->a, "unroll by %d", n->unroll) : NULL)
                          : how_name(n->how);
    if (n->graph) how = "replayed as a graph";
    const char *step = n->step == 1 ? "" : arena_printf(t->a, " step %lld", (long long)n->step);
    line(t, depth,
         arena_printf(t->a, "for %s = %s .. %s%s", n->iter->name, show_expr(t->a, n->lo),
                      show_expr(t->a, n->hi), step),
         how);
    put(t, n->body, depth + 1);
}

static void put(Tree *t, const Node *n, int depth) {
    switch (n->kind) {
    case N_SEQ:
        put_locals(t, n, depth);
        for (int i = 0; i < n->nkids; i++) put(t, n->kids[i], depth);
        break;
    case N_FOR: put_for(t, n, depth); break;
    case N_IF:
        line(t, depth, arena_printf(t->a, "if (%s)", show_expr(t->a, n->cond)), NULL);
        put(t, n->then, depth + 1);
        if (!n->other) break;
        line(t, depth, "else", NULL);
        put(t, n->other, depth + 1);
        break;
    case N_STMT:
        line(t, depth, stmt_text(t, n),
             n->atomic ? arena_printf(t->a, "%s atomic", n->stmt->label) : n->stmt->label);
        break;
    case N_COPY: line(t, depth, copy_text(t, n), n->async ? "async" : NULL); break;
    case N_KERNEL:
        line(t, depth,
             arena_printf(t->a, "kernel %s%s", n->name,
                          n->streamed ? ", its data coming and going beside it" : ""),
             n->min_blocks ? arena_printf(t->a, "%d blocks a multiprocessor", n->min_blocks) : NULL);
        put(t, n->body, depth + 1);
        break;
    case N_BARRIER: line(t, depth, "barrier", NULL); break;
    }
}

char *show_tree(Arena *a, Node *root) {
    Tree t = {a, text_new(a)};
    put(&t, root, 0);
    return arena_strdup(a, text_str(&t.out));
}
