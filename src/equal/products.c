// SPDX-License-Identifier: MIT
// products.c -- a counter times a size, as an element of an array of multiples.
//
//   if (i * stride - pad + k >= 0) s += x[i * stride - pad + k]
//     →   if (m[i] >= pad - k) s += x[m[i] + (k - pad)]        m[i]: i * stride, whatever that is
//
// Such a product is no linear function. What is the same in both programs for any m is so for this one. Data
// tell nothing about memory here: what runs where m says so is there where m says so (check.c).
#include "equal/pair.h"
#include "front/normal.h"
#include <string.h>

typedef struct Products {
    Pair *p;
    Arena *a;
    Sums k;
} Products;

static const char prefix[] = "multiples."; // no name that anybody can have written

bool equal_is_multiple_array(const Array *v) { return str_has_prefix(v->name, prefix); }

bool equal_is_multiple(const Expr *x) { return x->kind == E_LOAD && equal_is_multiple_array(x->array); }

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

// The analysis knows products with what is one of a few numbers.
static bool is_choice(const Expr *x) { return x->kind == E_OP && x->op == OP_SELECT; }

static bool is_counter(const Expr *x) { return x->kind == E_SYM && x->sym->kind == SYM_ITER; }

// The array of multiples of `by`, one for both programs; the larger of two numbers is that of the later one.
static int multiples_of(Products *g, Expr *by) {
    Pair *p = g->p;
    for (int i = 0; i < p->multiples.n; i++)
        if (expr_equal(p->multiples.at[i].of, by)) return i;
    const char *name = arena_printf(g->a, "%s%d", prefix, p->multiples.n);
    Array *v = array_new(g->a, name, T_I64, PLACE_USER, 1);
    v->object = name;
    v->extent[0] = expr_int(g->a, T_I64, INT64_MAX);
    vec_push(g->a, &p->multiples, ((Multiples){by, v}));
    return p->multiples.n - 1;
}

static Sum *term(Products *g, const Term *t, bool counters) {
    Sum *s = sum_int(&g->k, counters ? t->c : 1);
    for (int i = 0; i < t->n; i++) {
        Expr *x = g->k.atoms.at[t->f[i]];
        if (expr_any(x, is_counter) == counters) s = sum_mul(&g->k, s, sum_atom(&g->k, x));
    }
    return s;
}

// Is it a number times one counter times sizes?
static bool is_product(Products *g, const Term *t) {
    int counters = 0;
    for (int i = 0; i < t->n; i++) {
        const Expr *x = g->k.atoms.at[t->f[i]];
        if (expr_any(x, is_load) || expr_any(x, is_choice)) return false;
        counters += expr_any(x, is_counter);
    }
    return counters == 1 && t->n > 1;
}

// s = *data + *rest, with the products as elements of multiples; false: there are none.
static bool parted(Products *g, const Sum *s, Sum **data, Sum **rest) {
    enum { MOST = 8 };
    Sum *of[MOST] = {0};
    bool any = false;
    *data = sum_int(&g->k, 0), *rest = sum_int(&g->k, 0);
    for (int i = 0; i < s->n; i++) {
        Sum *one = NEW(g->a, Sum);
        *one = (Sum){1, &s->t[i]};
        int at = is_product(g, &s->t[i])
                     ? multiples_of(g, sum_expr(&g->k, term(g, &s->t[i], false), T_I64)) : MOST;
        if (at < MOST) {
            of[at] = sum_add(&g->k, of[at] ? of[at] : sum_int(&g->k, 0), term(g, &s->t[i], true), 1);
            any = true;
        } else *rest = sum_add(&g->k, *rest, one, 1);
    }
    for (int i = 0; i < MOST && any; i++) {
        if (!of[i] || !of[i]->n) continue;
        bool less = of[i]->t[0].c < 0;
        Sum *at = less ? sum_add(&g->k, sum_int(&g->k, 0), of[i], -1) : of[i];
        Expr **sub = NEW(g->a, Expr *);
        sub[0] = sum_expr(&g->k, at, T_I64);
        Expr *m = expr_load(g->a, g->p->multiples.at[i].in, sub);
        *data = sum_add(&g->k, *data, sum_atom(&g->k, m), less ? -1 : 1);
    }
    return any;
}

// Through conversions of whole numbers that change none.
static Expr *bare(Expr *x, void *arg) {
    Products *g = arg;
    if (!x || x->kind == E_LOAD) return x;
    const Expr *y = x->kind == E_CAST ? x->args[0] : NULL;
    bool same = y && type_is_int(x->type) && type_is_int(y->type) && type_is_signed(x->type) &&
                type_size(x->type) >= 4 && y->type != T_BOOL;
    if (same && y->kind != E_LOAD && expr_any(y, is_load)) return x; // what it is made of may be too large
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_NEG);
    return same ? bare(x->args[0], arg) : sum ? expr_map(g->a, x, bare, arg) : x;
}

static Sum *plain(Products *g, Expr *x) {
    if (!type_is_int(x->type) || !type_is_signed(x->type)) return NULL;
    g->k.wraps = false;
    Sum *s = sum_of(&g->k, bare(x, g));
    return g->k.wraps ? NULL : s;
}

// data < number or data >= number; NULL: no product is compared.
static Expr *comparison(Products *g, Expr *x) {
    bool compares = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE && type_is_int(x->args[0]->type);
    Sum *l = compares ? plain(g, x->args[0]) : NULL, *r = compares ? plain(g, x->args[1]) : NULL;
    Sum *data, *rest;
    if (!l || !r || !parted(g, sum_add(&g->k, l, r, -1), &data, &rest) || !data->n) return NULL;
    Op op = x->op;
    bool turn = data->t[data->n - 1].c < 0;
    if (turn) data = sum_add(&g->k, sum_int(&g->k, 0), data, -1), op = op_mirrored(op);
    else rest = sum_add(&g->k, sum_int(&g->k, 0), rest, -1);
    if (op == OP_LE || op == OP_GT) {
        rest = sum_add(&g->k, rest, sum_int(&g->k, 1), 1);
        op = op == OP_LE ? OP_LT : OP_GE;
    }
    return expr_op(g->a, op, sum_expr(&g->k, data, T_I64), sum_expr(&g->k, rest, T_I64), NULL);
}

static Expr *products(Expr *x, void *arg) {
    Products *g = arg;
    Expr *y = x ? comparison(g, x) : NULL;
    if (!x || y) return y;
    bool sum = (x->kind == E_OP || x->kind == E_CAST) && (x->type == T_I32 || x->type == T_I64);
    Sum *s = sum ? plain(g, x) : NULL, *data, *rest;
    if (!s || !parted(g, s, &data, &rest)) return expr_map(g->a, x, products, arg);
    y = sum_expr(&g->k, data, T_I64);
    if (rest->n) y = expr_add(g->a, y, sum_expr(&g->k, rest, T_I64));
    return expr_cast(g->a, x->type, y);
}

static Node *all_products(Node *n, void *arg) {
    Products *g = arg;
    return node_map_exprs(g->a, node_map(g->a, n, all_products, arg), products, arg);
}

Expr *equal_products_of(Pair *p, Expr *x) {
    return products(x, &(Products){.p = p, .a = p->a, .k = {.a = p->a}});
}

Node *equal_products(Pair *p, Node *root) {
    return all_products(root, &(Products){.p = p, .a = p->a, .k = {.a = p->a}});
}

// ---- their order ---------------------------------------------------------------------------------
static bool is_data(const Expr *x) { return x->kind == E_LOAD && !equal_is_multiple(x); }

// x without its counters, which have other names in the other program.
static Expr *nameless(Expr *x, void *arg) {
    if (!x || (x->kind == E_SYM && x->sym->kind != SYM_ITER)) return x;
    if (x->kind == E_SYM) return expr_int(arg, x->type, 0);
    if (x->kind == E_LOAD) return expr_load(arg, x->array, (Expr *[]){expr_int(arg, T_I64, 0)});
    return expr_map(arg, x, nameless, arg);
}

static const char *key_of(Arena *a, Expr *x) {
    Sums k = {.a = a};
    Expr *y = nameless(x, a), *part[2];
    if (y->kind != E_OP || y->nargs != 2) return ir_print_expr(a, y);
    for (int i = 0; i < 2; i++) {
        Sum *s = sum_of(&k, y->args[i]);
        part[i] = s ? sum_expr(&k, s, T_I64) : y->args[i];
    }
    return arena_printf(a, "%s %s %s", ir_print_expr(a, part[0]), op_text(y->op), ir_print_expr(a, part[1]));
}

// Conditions of which none guards a read of data, in one order.
Expr *equal_conjuncts(Arena *a, Expr *x) {
    VEC(Expr *) c = {0};
    if (!expr_any(x, equal_is_multiple) || expr_any(x, is_data)) return x;
    expr_each(y, x) {
        if (y->kind == E_OP && y->op == OP_LAND) continue;
        vec_push(a, &c, (Expr *)y);
        each_prune();
    }
    for (int i = 1; i < c.n; i++)
        for (int k = i; k && strcmp(key_of(a, c.at[k - 1]), key_of(a, c.at[k])) > 0; k--) {
            Expr *t = c.at[k];
            c.at[k] = c.at[k - 1], c.at[k - 1] = t;
        }
    Expr *all = c.at[0];
    for (int i = 1; i < c.n; i++) all = expr_op(a, OP_LAND, all, c.at[i], NULL);
    return all;
}
