// SPDX-License-Identifier: MIT
// show.c -- statements, domains and footprints as a person would write them.
#include "driver/driver.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *show_proof(Proof p) { return p == PROOF_BELIEVED ? "not proved" : proof_word(p); }

const char *show_stmt(Arena *a, const Stmt *s) {
    const char *lhs = show_access(a, s->lhs, s->sub), *rhs = show_expr(a, s->rhs);
    if (s->op == OP_SET) return arena_printf(a, "%s = %s", lhs, rhs);
    if (s->op == OP_MIN || s->op == OP_MAX)
        return arena_printf(a, "%s = %s(%s, %s)", lhs, op_text(s->op), lhs, rhs);
    return arena_printf(a, "%s %s= %s%s", lhs, op_text(s->op), rhs, s->fused ? "  (fused)" : "");
}

const char *show_array(Arena *a, const Array *array) {
    Text t = text_new(a);
    text_put(&t, array->name);
    for (int i = 0; i < array->rank; i++)
        text_printf(&t, "[%s]", array->extent[i] ? show_expr(a, array->extent[i]) : "");
    return text_str(&t);
}

const char *show_loop(Arena *a, const Node *n) {
    const char *step = n->step == 1 ? "" : arena_printf(a, " step %" PRId64, n->step);
    return arena_printf(a, "for %s = %s .. %s%s", n->iter->name, show_expr(a, n->lo),
                        show_expr(a, n->hi), step);
}

const char *show_loc(Arena *a, Loc loc) {
    return loc.file ? arena_printf(a, "%s:%d:%d", loc.file, loc.line, loc.col) : "(no place)";
}

const char *show_source(Arena *a, const char *source) {
    const char *end = strncmp(source, "/* ", 3) == 0 ? strstr(source, " */") : NULL;
    return end ? arena_strndup(a, source + 3, (size_t)(end - source) - 3) : source;
}

// ---- domains -------------------------------------------------------------------------------
enum { AS_CONJUNCT = 3, AS_SIDE = 9, AS_TERM = 11 }; // what binds weaker gets parentheses

static void put_conjuncts(Text *t, const Expr *x) {
    if (x->kind != E_OP || x->op != OP_LAND) {
        show_put(t, x, AS_CONJUNCT);
        return;
    }
    put_conjuncts(t, x->args[0]);
    text_put(t, " and ");
    put_conjuncts(t, x->args[1]);
}

static void put_range(Text *t, const Node *loop) {
    const char *i = loop->iter->name;
    show_put(t, loop->lo, AS_SIDE);
    text_printf(t, loop->step > 0 ? " <= %s < " : " >= %s > ", i);
    show_put(t, loop->hi, AS_SIDE);
    if (loop->step == 1 || loop->step == -1) return;
    text_put(t, " and (");
    if (expr_is_int(loop->lo, 0)) text_put(t, i);
    else
        text_printf(t, "%s - ", i), show_put(t, loop->lo, AS_TERM);
    text_printf(t, ") %% %" PRId64 " = 0", loop->step < 0 ? -loop->step : loop->step);
}

// Appends the condition of one node on the way down; `other`: its else branch is taken.
static void put_condition(Text *t, const Node *n, bool other) {
    if (n->kind != N_IF && n->kind != N_FOR) return;
    if (t->n) text_put(t, " and ");
    if (n->kind == N_FOR) put_range(t, n);
    else if (other) text_printf(t, "not (%s)", show_expr(t->arena, n->cond));
    else put_conjuncts(t, n->cond);
}

// Conditions from n down to `stmt`; false: it is not below n, and t is unchanged.
static bool path_to(Text *t, const Node *n, const Node *stmt) {
    if (!n) return false;
    if (n == stmt) return true;
    size_t before = t->n;
    const Node *ways[2] = {n->kind == N_IF ? n->then : n->body, n->kind == N_IF ? n->other : NULL};
    for (int i = 0; i < 2; i++) {
        if (!ways[i]) continue;
        put_condition(t, n, i == 1);
        if (path_to(t, ways[i], stmt)) return true;
        t->n = before;
        if (t->s) t->s[before] = 0;
    }
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++)
        if (path_to(t, n->kids[i], stmt)) return true;
    return false;
}

const char *show_domain(Arena *a, const Node *root, const Node *stmt) {
    Text head = text_new(a), t = text_new(a);
    text_printf(&head, "%s[", stmt->stmt->label);
    show_list(&head, stmt->at, stmt->stmt->depth);
    text_put(&head, "]");
    path_to(&t, root, stmt);
    if (t.n) text_printf(&head, " : %s", t.s);
    return text_str(&head);
}

// "[0 .. n >= 1 ? n - 1 : -1]": the last element without the case that there is none. `lo` is a number.
static const Expr *last_of(const Expr *lo, const Expr *hi) {
    if (!lo || !hi || lo->kind != E_INT || hi->kind != E_OP || hi->op != OP_SELECT) return hi;
    bool none = expr_is_int(hi->args[2], lo->i - 1);
    return none ? hi->args[1] : hi;
}

const char *show_foot(Arena *a, const Foot *f) {
    Text t = text_new(a);
    for (int i = 0; i < f->array->rank; i++) {
        const Expr *lo = f->lo[i], *hi = last_of(lo, f->hi[i]);
        text_printf(&t, "[%s .. %s]", lo ? show_expr(a, lo) : "?", hi ? show_expr(a, hi) : "?");
    }
    return text_str(&t);
}
