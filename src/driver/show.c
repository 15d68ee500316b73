// SPDX-License-Identifier: MIT
// show.c -- expressions, statements, domains and footprints as a person would write them.
//
// Not for compilers: index casts between integers are left out, and nothing here is read
// back. What must be exact is printed by ir/ and emit/.
#include "driver/driver.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *c_type(Type t) {
    static const char *const names[T_COUNT] = {
        "void", "_Bool", "signed char", "unsigned char", "short", "unsigned short", "int",
        "unsigned", "long", "unsigned long", "float", "double"};
    return names[t];
}

// C's precedence: higher binds tighter.
static int precedence(const Expr *x) {
    if (x->kind == E_CAST) return 12;
    if (x->kind == E_INT && x->i < 0) return 12;
    if (x->kind != E_OP) return 20;
    switch (x->op) {
    case OP_NEG: case OP_NOT: case OP_LNOT: return 12;
    case OP_MUL: case OP_DIV: case OP_MOD: return 11;
    case OP_ADD: case OP_SUB: return 10;
    case OP_SHL: case OP_SHR: return 9;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: return 8;
    case OP_EQ: case OP_NE: return 7;
    case OP_AND: return 6;
    case OP_XOR: return 5;
    case OP_OR: return 4;
    case OP_LAND: return 3;
    case OP_LOR: return 2;
    case OP_SELECT: return 1;
    default: return 20; // written as a call
    }
}

static void put(Text *t, const Expr *x, int outer);

static void put_list(Text *t, Expr *const *x, int n) {
    for (int i = 0; i < n; i++) {
        if (i) text_put(t, ", ");
        put(t, x[i], 0);
    }
}

static void put_element(Text *t, const Array *array, Expr *const *sub) {
    text_put(t, array->name);
    for (int i = 0; i < array->rank; i++) {
        text_put(t, "[");
        put(t, sub[i], 0);
        text_put(t, "]");
    }
}

static void put_op(Text *t, const Expr *x, int own) {
    if (own == 20) {
        text_printf(t, "%s(", op_text(x->op));
        put_list(t, x->args, x->nargs);
        text_put(t, ")");
    } else if (x->op == OP_SELECT) {
        put(t, x->args[0], own + 1);
        text_put(t, " ? ");
        put(t, x->args[1], own + 1);
        text_put(t, " : ");
        put(t, x->args[2], own);
    } else if (op_arity(x->op) == 1) {
        text_put(t, op_text(x->op));
        put(t, x->args[0], own + 1);
    } else {
        put(t, x->args[0], own);
        text_printf(t, " %s ", op_text(x->op));
        put(t, x->args[1], own + 1);
    }
}

// The fewest digits that are the same number: 0.2, not 0.200000003.
static void put_number(Text *t, const Expr *x) {
    char digits[32];
    for (int n = 6; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, x->f);
        if (x->type == T_F32 ? (float)strtod(digits, NULL) == (float)x->f : strtod(digits, NULL) == x->f)
            break;
    }
    text_put(t, digits);
}

static void put(Text *t, const Expr *x, int outer) {
    if (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) &&
        type_size(x->type) >= 4) {
        put(t, x->args[0], outer);
        return;
    }
    int own = precedence(x);
    if (own < outer) text_put(t, "(");
    switch (x->kind) {
    case E_INT: text_printf(t, "%" PRId64, x->i); break;
    case E_FLOAT: put_number(t, x); break;
    case E_SYM: text_put(t, x->sym->name); break;
    case E_LOAD: put_element(t, x->array, x->args); break;
    case E_CALL:
        text_printf(t, "%s(", x->fn);
        put_list(t, x->args, x->nargs);
        text_put(t, ")");
        break;
    case E_CAST:
        text_printf(t, "(%s)", c_type(x->type));
        put(t, x->args[0], own);
        break;
    case E_OP: put_op(t, x, own); break;
    }
    if (own < outer) text_put(t, ")");
}

const char *show_expr(Arena *a, const Expr *x) {
    Text t = text_new(a);
    if (x) put(&t, x, 0);
    return text_str(&t);
}

const char *show_access(Arena *a, const Array *array, Expr *const *sub) {
    Text t = text_new(a);
    put_element(&t, array, sub);
    return text_str(&t);
}

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
        put(t, x, AS_CONJUNCT);
        return;
    }
    put_conjuncts(t, x->args[0]);
    text_put(t, " and ");
    put_conjuncts(t, x->args[1]);
}

static void put_range(Text *t, const Node *loop) {
    const char *i = loop->iter->name;
    put(t, loop->lo, AS_SIDE);
    text_printf(t, loop->step > 0 ? " <= %s < " : " >= %s > ", i);
    put(t, loop->hi, AS_SIDE);
    if (loop->step == 1 || loop->step == -1) return;
    text_put(t, " and (");
    if (expr_is_int(loop->lo, 0)) text_put(t, i);
    else text_printf(t, "%s - ", i), put(t, loop->lo, AS_TERM);
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
    put_list(&head, stmt->at, stmt->stmt->depth);
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
