// SPDX-License-Identifier: MIT
// show.c -- expressions and accesses as a person would write them.
//
// Not for compilers: index casts between integers are left out, and nothing here is read back. What must be
// exact is printed by print_expr.c and emit/.
#include "ir/show.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *show_type(Type t) {
    static const char *const names[T_COUNT] = {"void",  "_Bool",          "signed char", "unsigned char",
                                               "short", "unsigned short", "int",         "unsigned",
                                               "long",  "unsigned long",  "float",       "double"};
    return names[t];
}

// C's precedence: higher binds tighter.
static int precedence(const Expr *x) {
    if (x->kind == E_CAST) return 12;
    if (x->kind == E_INT && x->i < 0) return 12;
    if (x->kind != E_OP) return 20;
    switch (x->op) {
    case OP_NEG:
    case OP_NOT:
    case OP_LNOT: return 12;
    case OP_MUL:
    case OP_DIV:
    case OP_MOD: return 11;
    case OP_ADD:
    case OP_SUB: return 10;
    case OP_SHL:
    case OP_SHR: return 9;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return 8;
    case OP_EQ:
    case OP_NE: return 7;
    case OP_AND: return 6;
    case OP_XOR: return 5;
    case OP_OR: return 4;
    case OP_LAND: return 3;
    case OP_LOR: return 2;
    case OP_SELECT: return 1;
    default: return 20; // written as a call
    }
}

void show_list(Text *t, Expr *const *x, int n) {
    for (int i = 0; i < n; i++) {
        if (i) text_put(t, ", ");
        show_put(t, x[i], 0);
    }
}

static void put_element(Text *t, const Array *array, Expr *const *sub) {
    text_put(t, array->name);
    for (int i = 0; i < array->rank; i++) {
        text_put(t, "[");
        show_put(t, sub[i], 0);
        text_put(t, "]");
    }
}

static void put_op(Text *t, const Expr *x, int own) {
    if (own == 20) {
        text_printf(t, "%s(", op_text(x->op));
        show_list(t, x->args, x->nargs);
        text_put(t, ")");
    } else if (x->op == OP_SELECT) {
        show_put(t, x->args[0], own + 1);
        text_put(t, " ? ");
        show_put(t, x->args[1], own + 1);
        text_put(t, " : ");
        show_put(t, x->args[2], own);
    } else if (op_arity(x->op) == 1) {
        text_put(t, op_text(x->op));
        show_put(t, x->args[0], own + 1);
    } else {
        show_put(t, x->args[0], own);
        text_printf(t, " %s ", op_text(x->op));
        show_put(t, x->args[1], own + 1);
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

void show_put(Text *t, const Expr *x, int outer) {
    if (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) &&
        type_size(x->type) >= 4) {
        show_put(t, x->args[0], outer);
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
        show_list(t, x->args, x->nargs);
        text_put(t, ")");
        break;
    case E_CAST:
        text_printf(t, "(%s)", show_type(x->type));
        show_put(t, x->args[0], own);
        break;
    case E_OP: put_op(t, x, own); break;
    }
    if (own < outer) text_put(t, ")");
}

const char *show_expr(Arena *a, const Expr *x) {
    Text t = text_new(a);
    if (x) show_put(&t, x, 0);
    return text_str(&t);
}

const char *show_access(Arena *a, const Array *array, Expr *const *sub) {
    Text t = text_new(a);
    put_element(&t, array, sub);
    return text_str(&t);
}

// ---- in the program's words ------------------------------------------------------------------------
// The member of records that the array is, "in.w"; NULL: it is none.
static const char *member_path(Arena *a, const Array *x) {
    size_t stem = x->object ? strlen(x->object) : 0;
    if (!stem || !str_has_prefix(x->name, x->object) || x->name[stem] != '_') return NULL;
    Text t = text_new(a);
    const char *line = x->member ? strchr(x->member, '\n') : NULL;
    for (; line; line = strchr(line + 1, '\n'))
        text_printf(&t, "%s%.*s", t.n ? "." : "", (int)strcspn(line + 1, "\n"), line + 1);
    return t.n ? text_str(&t) : x->name + stem + 1;
}

// "a" of the source "a", "s.q" of "&s.q"; NULL: it is more than a name.
static const char *named_source(const Array *x) {
    const char *s = x->source ? x->source + (x->source[0] == '&') : "";
    for (const char *at = s; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.->[]", *at)) return NULL;
    return *s ? s : NULL;
}

// The counters as they are in the source: of "n - 1 - i_1", which counts up, "i".
static Expr *in_words(Expr *x, void *arg) {
    Arena *a = arg;
    const Expr *t = x->kind == E_OP && x->op == OP_SUB ? x->args[1] : x;
    if (t->kind == E_SYM && t->sym->said && (t == x ? !t->sym->down : expr_equal(x->args[0], t->sym->down))) {
        Sym *s = NEW_AS(a, Sym, (Sym){.name = t->sym->said, .kind = SYM_ITER, .type = x->type});
        return expr_sym(a, s);
    }
    return expr_map(a, x, in_words, a);
}

const char *show_counter(const Node *loop) { return loop->iter->said ? loop->iter->said : loop->iter->name; }

const char *show_object(const Array *x) {
    while (x->of) x = x->of;
    const char *source = named_source(x);
    return source && x->source[0] != '&' ? source : x->object ? x->object : x->name;
}

// "__real__" or "__imag__", which is taken from the path's end; "": it leads to no part of a complex number.
static const char *take_part(Arena *a, const char **path) {
    const char *last = *path ? strrchr(*path, '.') : NULL, *name = last ? last + 1 : *path ? *path : "";
    if (!str_eq(name, "__real__") && !str_eq(name, "__imag__")) return "";
    *path = arena_printf(a, "%.*s", last ? (int)(last - *path) : 0, *path);
    return name;
}

const char *show_whole(Arena *a, const Array *x, Expr *const *sub, const char **part) {
    while (x->of) x = x->of;
    const char *path = member_path(a, x), *source = named_source(x);
    *part = x->said ? "" : take_part(a, &path);
    if (x->said) return x->said;
    Text t = text_new(a);
    bool variable = source && x->source[0] == '&';
    bool records = path && !variable && (x->rank > 1 || (x->rank && x->stride != type_size(x->elem)));
    bool indexed = records && sub && !expr_is_int(sub[0], 0);
    text_put(&t, source ? source : path ? x->object : x->name);
    if (indexed || (**part && !*path && records && sub))
        text_printf(&t, "[%s]", show_expr(a, in_words(sub[0], a)));
    if (path && *path) text_printf(&t, "%s%s", indexed || variable ? "." : "->", path);
    for (int k = records; sub && k < x->rank; k++) text_printf(&t, "[%s]", show_expr(a, in_words(sub[k], a)));
    return text_str(&t);
}

const char *show_number(Arena *a, const Array *x, Expr *const *sub) {
    const char *part;
    return show_whole(a, x, sub, &part);
}

const char *show_place(Arena *a, const Array *x, Expr *const *sub) {
    const char *part, *whole = show_whole(a, x, sub, &part);
    return *part ? arena_printf(a, "%s %s", part, whole) : whole;
}
