// SPDX-License-Identifier: MIT
// widths.c -- whole numbers of sizes and counters, in the types in which the programs compute them.
//
//   loops   o[i] = (long)n * m        kernel   o[i] = n * m        not the same where n * m is no int
//
// The proof takes such numbers as if their types had no end. So they must have the value that their type can
// hold wherever more is asked of them than their low bits: by a wider type, a float, a comparison or a
// quotient. What sums, products and conversions leave to as many low bits is the same in both programs
// anyway.
//
// Signed numbers of the loops do not overflow: at sizes at which one would, nothing is asked of the kernel.
// Subscripts are taken for numbers of their type, too. Where numbers decide what is done, these and the sizes
// are taken for ROOM less than the greatest number, as a grid is rounded up to blocks (`i < n`).
#include "equal/flows.h"
#include "ir/show.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

enum { ROOM = WIDTHS_ROOM, DEEPEST = 60, ALL_BITS = 0, MOST_FACTORS = 8, MOST_LENGTHS = 6 };

// What a sum of products of a counter and sizes is made of: the same key, the same sizes; the set holds the
// counters' parts and the rest. The loops compute it in a signed type.
typedef struct Defined {
    const char *key;
    isl_set *at;
} Defined;

typedef struct Widths {
    Prover *p;
    Arena *a;
    Node *root;
    bool loops; // else the kernel
    bool kept; // what is at hand is no subscript and decides nothing
    bool subscript;
    bool bound; // of one of the loops
    bool known; // of the kernel, what its subscripts say is
    bool parted; // the kernel's numbers that are divided are loops
    VEC(Expr *) told; // numbers of the kernel before they are loops
    bool again; // some number is none that can be told otherwise
    int depth;
    const Sym *iters[DEEPEST];
    isl_set *at; // the counters at hand, or more…
    bool exact; // …these, and all of them
    bool data; // data say which of them
    Loc loc;
    VEC(const Array *) values; // a thread's whole numbers that become part of values
    VEC(Defined) held;
    isl_set *beyond; // sizes at which the kernel's subscripts are no numbers of their type; NULL: none
} Widths;

static int bits_of(Type t) { return 8 * type_size(t); }

static bool is_ring(const Expr *x) {
    bool shift = x->op == OP_SHL && x->args[1]->kind == E_INT;
    return x->kind == E_OP && type_is_int(x->type) &&
           (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_NEG || shift);
}

// ---- sets ------------------------------------------------------------------------------------------
static isl_set *either_set(Arena *a, isl_set *x, isl_set *y) {
    return own_set(a, isl_set_coalesce(x ? isl_set_union(isl_set_copy(x), y) : y));
}

static const Expr *param_expr(isl_set *s, int at) {
    isl_id *id = isl_set_get_dim_id(s, isl_dim_param, (unsigned)at);
    const Expr *x = isl_id_get_user(id);
    isl_id_free(id);
    return x;
}

static isl_set *between(isl_set *s, int at, int64_t least, int64_t most) {
    isl_ctx *ctx = isl_set_get_ctx(s);
    s = isl_set_lower_bound_val(s, isl_dim_param, (unsigned)at, isl_val_int_from_si(ctx, least));
    return isl_set_upper_bound_val(s, isl_dim_param, (unsigned)at, isl_val_int_from_si(ctx, most));
}

// Parameters are numbers of their types: sizes, and what no sum or product makes of them. Where these have
// room, products of them have, below.
isl_set *widths_in_types(isl_set *s, int64_t room) {
    for (int i = 0; i < isl_set_dim(s, isl_dim_param); i++) {
        const Expr *x = param_expr(s, i);
        if (!x || !type_is_int(x->type)) continue;
        bool product = x->kind == E_OP && is_ring(x);
        int64_t less = type_size(x->type) == 4 ? room : 0;
        int64_t least = type_is_signed(x->type) ? type_least(x->type) + less : 0;
        if (product && room) s = between(s, i, INT32_MIN + room, INT64_MAX);
        else if (!product && type_size(x->type) <= 4) s = between(s, i, least, type_most(x->type) - less);
    }
    return s;
}

// The points at hand where x is no number of its type, or has less room there, with sizes that have
// `rounded`; more of them where only its range is known (!exact). NULL: that is not told.
static isl_set *outside(Widths *w, const Expr *x, int64_t room, int64_t rounded, bool exact) {
    Poly *poly = w->p->f->poly;
    PolyScope s = {w->depth, w->iters};
    isl_pw_aff *lo = poly_aff(poly, s, x, NULL), *hi = isl_pw_aff_copy(lo);
    if (!lo && (exact || !poly_range(poly, s, x, NULL, &lo, &hi))) return NULL;
    isl_set *all = isl_set_universe(isl_pw_aff_get_domain_space(lo));
    isl_val *first = isl_val_int_from_si(poly->ctx, type_least(x->type));
    isl_val *last = isl_val_int_from_si(poly->ctx, type_most(x->type) - room);
    isl_set *bad = isl_pw_aff_lt_set(lo, isl_pw_aff_val_on_domain(isl_set_copy(all), first));
    bad = isl_set_union(bad, isl_pw_aff_gt_set(hi, isl_pw_aff_val_on_domain(all, last)));
    return widths_in_types(isl_set_intersect(bad, isl_set_copy(w->at)), rounded);
}

// ---- sums of products --------------------------------------------------------------------------------
typedef struct Factors {
    Arena *a;
    int n;
    Expr *sub[MOST_FACTORS + 1];
    Text key;
    bool other; // it is no sum of these
} Factors;

// What x, elements of multiples among its terms, is made of; its rest.
static Expr *factors_of(Factors *f, Expr *x, bool minus) {
    if (equal_is_multiple(x)) {
        f->other |= f->n == MOST_FACTORS;
        if (!f->other) f->sub[f->n++] = x->args[0];
        text_printf(&f->key, "%s%s ", minus ? "-" : "", x->array->name);
        return expr_int(f->a, x->type, 0);
    }
    if (!expr_any(x, equal_is_multiple)) return x;
    bool less = x->kind == E_OP && (x->op == OP_SUB || x->op == OP_NEG);
    if (x->kind == E_CAST) return expr_cast(f->a, x->type, factors_of(f, x->args[0], minus));
    f->other |= x->kind != E_OP || !(less || x->op == OP_ADD);
    Expr *l = factors_of(f, x->args[0], minus ^ (x->op == OP_NEG));
    return expr_op(f->a, x->op, l, x->nargs > 1 ? factors_of(f, x->args[1], minus ^ less) : NULL, NULL);
}

// The points' images in some numbers; NULL: these are no functions of counters.
static isl_set *images(Widths *w, int n, Expr *const *x) {
    isl_map *all = NULL;
    for (int i = 0; i < n; i++) {
        isl_pw_aff *v = poly_aff(w->p->f->poly, (PolyScope){w->depth, w->iters}, x[i], NULL);
        isl_map *m = v ? isl_map_from_pw_aff(v) : NULL;
        if (!m) return isl_map_free(all), NULL;
        all = all ? isl_map_flat_range_product(all, m) : m;
    }
    return isl_set_coalesce(isl_set_apply(isl_set_copy(w->at), all));
}

// What x is made of as it is written: sums and products of functions of the counters.
static void parts_of(Widths *w, Factors *f, Expr *x) {
    isl_pw_aff *v = poly_aff(w->p->f->poly, (PolyScope){w->depth, w->iters}, x, NULL);
    bool plain = x->kind == E_CAST && type_is_int(x->args[0]->type);
    isl_pw_aff_free(v);
    if (v) {
        f->other |= f->n == MOST_FACTORS;
        if (!f->other) f->sub[f->n++] = x;
        text_put(&f->key, "#");
    } else if (plain || is_ring(x)) {
        text_printf(&f->key, "%s(", plain ? "" : op_text(x->op));
        for (int i = 0; i < x->nargs; i++) parts_of(w, f, x->args[i]);
        text_put(&f->key, ")");
    } else f->other = true;
}

// The points' images in what x is made of, and its key; NULL: it is no such sum.
static isl_set *made_of_products(Widths *w, Expr *x, const char **key) {
    Factors f = {.a = w->a, .key = text_new(w->a)};
    Expr *y = equal_products_of(w->p->p, x);
    if (!expr_any(y, equal_is_multiple)) parts_of(w, &f, x);
    else {
        Expr *rest = factors_of(&f, y, false);
        f.sub[f.n++] = rest;
    }
    *key = text_str(&f.key);
    return f.other || !f.n ? NULL : images(w, f.n, f.sub);
}

static void hold(Widths *w, Expr *x) {
    const char *key;
    isl_set *s = w->data ? NULL : made_of_products(w, x, &key);
    if (!s) return;
    vec_push(w->a, &w->held, ((Defined){key, own_set(w->a, s)}));
}

// Do the loops compute the same in a signed type?
static bool is_held(Widths *w, Expr *x) {
    const char *key;
    isl_set *s = made_of_products(w, x, &key), *all = NULL;
    if (!s) return false;
    for (int i = 0; i < w->held.n; i++) {
        const Defined *h = &w->held.at[i];
        if (!str_eq(h->key, key)) continue;
        all = all ? isl_set_union(all, isl_set_copy(h->at)) : isl_set_copy(h->at);
    }
    bool held = all && isl_set_is_subset(s, all) == isl_bool_true;
    isl_set_free(s);
    isl_set_free(all);
    return held;
}

// ---- one number ----------------------------------------------------------------------------------------
// In 64 bits.
static Expr *wide(Expr *x, void *a) {
    if (!x || x->kind == E_SYM || x->kind == E_INT) return x ? expr_cast(a, T_I64, x) : NULL;
    if (x->kind == E_CAST && type_is_int(x->type)) return wide(x->args[0], a);
    return is_ring(x) && x->op == OP_MUL ? expr_mul(a, wide(x->args[0], a), wide(x->args[1], a)) : x;
}

static bool is_product(const Expr *x) { return x && x->kind == E_OP && x->op == OP_MUL; }

// Products of the same sizes are one number, whatever types they are computed in.
static isl_set *one_product(Widths *w, isl_set *s) {
    for (int i = 0; i < isl_set_dim(s, isl_dim_param); i++)
        for (int j = 0; j < i; j++) {
            Expr *x = wide((Expr *)param_expr(s, i), w->a), *y = wide((Expr *)param_expr(s, j), w->a);
            if (is_product(x) && is_product(y) && equal_same_sum(w->a, x, y))
                s = isl_set_equate(s, isl_dim_param, (unsigned)i, isl_dim_param, (unsigned)j);
        }
    return s;
}

static void tell(Widths *w, const Expr *x, isl_set *bad) {
    const char *where = w->loops || !w->loc.line ? "" : arena_printf(w->a, " at line %d", w->loc.line);
    if (!w->kept && w->beyond) bad = isl_set_subtract(isl_set_params(bad), isl_set_copy(w->beyond));
    bad = one_product(w, isl_set_params(bad));
    w->p->p->narrow |= isl_set_is_empty(bad) == isl_bool_false;
    prove_open(w->p, bad,
               arena_printf(w->a, "%s, which %s%s, may be no number of its type, %s",
                            show_expr(w->a, (Expr *)x),
                            w->loops ? "the loops compute" : "the kernel computes", where,
                            type_name(x->type)));
}

static void assume(Widths *w, isl_set *bad) {
    if (bad) w->beyond = either_set(w->a, w->beyond, isl_set_params(bad));
}

static bool was_told(const Widths *w, const Expr *x) {
    for (int i = 0; i < w->told.n; i++)
        if (expr_equal(w->told.at[i], x)) return true;
    return false;
}

// x must be the number that its type can hold.
static void must_fit(Widths *w, Expr *x) {
    if (type_size(x->type) > 4 || expr_has_load(x) || x->type == T_BOOL || poly_tick(w->p->f->poly)) return;
    if (w->subscript) {
        if (w->exact && !w->known) assume(w, outside(w, x, ROOM, 0, true));
        return;
    }
    if (w->bound) { // of an unsigned counter, which is a signed one here
        isl_set *bad = outside(w, x, ROOM, 0, true);
        if (bad) w->p->undefined = either_set(w->a, w->p->undefined, isl_set_params(bad));
        return;
    }
    if (w->loops && x->kind != E_CAST && type_is_signed(x->type)) return; // see note_defined
    if ((!w->loops && !w->known) || (w->parted && was_told(w, x))) return;
    isl_set *bad = outside(w, x, 0, w->kept ? 0 : ROOM, false);
    if (bad && !w->loops) vec_push(w->a, &w->told, x);
    if (bad) tell(w, x, bad);
    else if (!w->loops && !is_held(w, x) && w->parted) tell(w, x, isl_set_copy(w->at));
    else w->again |= !w->loops && !w->parted;
}

// Signed arithmetic of the loops: at which sizes it is defined.
static void note_defined(Widths *w, Expr *x) {
    if (!type_is_signed(x->type) || type_size(x->type) != 4 || expr_has_load(x)) return;
    isl_set *bad = outside(w, x, 0, 0, true);
    if (bad && !w->exact) isl_set_free(bad);
    else if (bad) w->p->undefined = either_set(w->a, w->p->undefined, isl_set_params(bad));
    else hold(w, x);
}

static void number(Widths *w, Expr *x, int bits);

static void subscripts(Widths *w, Expr *const *sub, int n) {
    bool before = w->subscript;
    w->subscript = true;
    for (int d = 0; d < n; d++) number(w, sub[d], ALL_BITS);
    w->subscript = before;
}

static isl_set *where(Widths *w, const Expr *cond, bool holds) {
    isl_set *s = poly_cond(w->p->f->poly, (PolyScope){w->depth, w->iters}, cond, NULL);
    return s && !holds ? isl_set_complement(s) : s;
}

// x, of which so much is asked where cond holds (or does not).
static void number_where(Widths *w, const Expr *cond, bool holds, Expr *x, int bits) {
    isl_set *s = where(w, cond, holds), *before = w->at;
    bool exact = w->exact, data = w->data;
    if (s) w->at = own_set(w->a, isl_set_intersect(isl_set_copy(before), s));
    else w->exact = false, w->data |= expr_has_load(cond);
    number(w, x, bits);
    w->at = before, w->exact = exact, w->data = data;
}

static void decides(Widths *w, Expr *x) {
    bool before = w->kept;
    w->kept = false;
    number(w, x, ALL_BITS);
    w->kept = before;
}

// The low bits that x & 255 leaves; ALL_BITS: more.
static int masked(const Expr *x) {
    int64_t by = x->op == OP_AND && x->args[1]->kind == E_INT ? x->args[1]->i : 0;
    int bits = 0;
    if (by <= 0 || (by & (by + 1)) != 0) return ALL_BITS;
    while (by >> bits) bits++;
    return bits;
}

static void operation(Widths *w, Expr *x, int bits) {
    if (is_ring(x)) {
        if (w->loops) note_defined(w, x);
        if (bits == ALL_BITS) must_fit(w, x);
        int own = bits_of(x->type);
        for (int i = 0; i < x->nargs; i++) number(w, x->args[i], bits && bits < own ? bits : own);
    } else if (x->op == OP_SELECT) {
        decides(w, x->args[0]);
        for (int i = 1; i < 3; i++) number_where(w, x->args[0], i == 1, x->args[i], bits);
    } else if (x->op == OP_LAND || x->op == OP_LOR) {
        number(w, x->args[0], ALL_BITS);
        number_where(w, x->args[0], x->op == OP_LAND, x->args[1], ALL_BITS);
    } else
        for (int i = 0; i < x->nargs; i++) number(w, x->args[i], i ? ALL_BITS : masked(x));
}

static void conversion(Widths *w, Expr *x, int bits) {
    Expr *from = x->args[0];
    bool whole = type_is_int(x->type) && type_is_int(from->type) && x->type != T_BOOL;
    int own = bits_of(x->type), has = bits_of(from->type);
    bool wider = own > has && (type_is_signed(x->type) || !type_is_signed(from->type));
    w->p->p->narrow |= own < has && own < 32;
    if (!whole) return number(w, from, ALL_BITS);
    if (bits == ALL_BITS && !wider && x->type != from->type) must_fit(w, x);
    int asked = bits && bits < own ? bits : own;
    number(w, from, asked <= has ? asked : ALL_BITS);
}

// x, of which so many low bits are asked.
static void number(Widths *w, Expr *x, int bits) {
    if (x->kind == E_LOAD) subscripts(w, x->args, x->nargs);
    else if (x->kind == E_OP) operation(w, x, bits);
    else if (x->kind == E_CAST) conversion(w, x, bits);
    else
        for (int i = 0; i < x->nargs; i++) number(w, x->args[i], ALL_BITS);
}

// ---- what becomes part of values -------------------------------------------------------------------------
static bool is_number(const Array *v) { return is_own(v) && type_is_int(v->elem); }

static bool is_value(const Widths *w, const Array *v) {
    for (int i = 0; i < w->values.n; i++)
        if (w->values.at[i] == v) return true;
    return !is_number(v);
}

// The numbers that x is made of, but for what decides and subscripts.
static bool add_values(Widths *w, const Expr *x) {
    bool more = false;
    if (x->kind == E_LOAD && !is_value(w, x->array)) vec_push(w->a, &w->values, x->array), more = true;
    int from = x->kind == E_LOAD ? x->nargs : x->kind == E_OP && x->op == OP_SELECT ? 1 : 0;
    for (int i = from; i < x->nargs; i++) more |= add_values(w, x->args[i]);
    return more;
}

static void find_values(Widths *w) {
    for (bool more = true; more;) {
        more = false;
        node_each(n, w->root)
            if (n->kind == N_COPY && n->dst && is_value(w, n->dst)) more |= add_values(w, n->src);
    }
}

static bool is_read(const Widths *w, const Array *v) {
    node_each(n, w->root)
        copy_each_expr(x, n)
            if (x->kind == E_LOAD && x->array == v) return true;
    return false;
}

static void copied(Widths *w, const Node *n) {
    bool ring = n->op == OP_SET || n->op == OP_ADD || n->op == OP_SUB || n->op == OP_MUL;
    bool low = ring && n->dst->place == PLACE_USER && type_is_int(n->dst->elem) && n->dst->elem != T_BOOL;
    w->kept = is_value(w, n->dst);
    low = low && bits_of(n->dst->elem) <= bits_of(n->src->type) && !is_read(w, n->dst);
    subscripts(w, n->sub, n->dst->rank);
    number(w, n->src, low ? bits_of(n->dst->elem) : ALL_BITS);
    w->kept = false;
}

// ---- the tree --------------------------------------------------------------------------------------
static void walk(Widths *w, const Node *n);

// n where `s` holds as well (taken; NULL: nobody knows where, and it may hang on data).
static void walk_at(Widths *w, const Node *n, isl_set *s, bool data) {
    isl_set *before = w->at;
    bool exact = w->exact, told = w->data;
    if (s) w->at = own_set(w->a, isl_set_coalesce(isl_set_intersect(isl_set_copy(before), s)));
    else w->exact = false, w->data |= data;
    walk(w, n);
    w->at = before, w->exact = exact, w->data = told;
}

// A counter must not step beyond its type's last number: the loop would not end.
static void must_end(Widths *w, const Node *n, isl_set *runs) {
    Type own = n->iter->counted;
    int64_t last = (n->step > 0 ? type_most(own) : type_least(own)) - n->step;
    Expr *i = expr_sym(w->a, n->iter), *end = expr_int(w->a, T_I64, last);
    PolyScope s = {w->depth, w->iters};
    isl_set *bad = poly_compare(w->p->f->poly, s, n->step > 0 ? OP_GT : OP_LT, i, end, NULL);
    bad = widths_in_types(isl_set_intersect(bad, isl_set_copy(runs)), ROOM);
    tell(w, expr_cast(w->a, own, i), bad);
}

static void walk_loop(Widths *w, const Node *n) {
    Poly *poly = w->p->f->poly;
    isl_set *before = w->at;
    bool exact = w->exact, told = w->data, up = n->step > 0;
    bool block = n->how == HOW_BLOCK;
    if (block && !w->known) assume(w, outside(w, n->hi, 0, 0, true)); // else no launch is possible
    w->bound = w->loops;
    if (!block) decides(w, n->lo), decides(w, n->hi);
    w->bound = false;
    if (w->depth == DEEPEST) {
        prove_unknown(w->p, "loops stand too deep within each other");
        return;
    }
    w->at = own_set(w->a, isl_set_add_dims(isl_set_copy(before), isl_dim_set, 1));
    w->iters[w->depth++] = n->iter;
    PolyScope s = {w->depth, w->iters};
    Expr *i = expr_sym(w->a, n->iter);
    isl_set *from = poly_compare(poly, s, up ? OP_GE : OP_LE, i, n->lo, NULL);
    isl_set *to = poly_compare(poly, s, up ? OP_LT : OP_GT, i, n->hi, NULL);
    w->exact = exact && from && to && (n->step == 1 || n->step == -1);
    w->data |= expr_has_load(n->lo) || expr_has_load(n->hi);
    isl_set *runs = from && to ? isl_set_intersect(from, to) : from ? from : to;
    if (runs) runs = isl_set_intersect(runs, isl_set_copy(w->at));
    if (n->iter->counted && (w->known || w->loops)) must_end(w, n, runs ? runs : w->at);
    walk_at(w, n->body, runs, false);
    w->depth--;
    w->at = before, w->exact = exact, w->data = told;
}

static void walk(Widths *w, const Node *n) {
    if (!n || w->p->unknown) return;
    if (n->loc.line) w->loc = n->loc;
    if (n->kind == N_COPY && n->dst) copied(w, n);
    else if (n->kind == N_FOR) walk_loop(w, n);
    else if (n->kind == N_IF) {
        bool data = expr_has_load(n->cond);
        decides(w, n->cond);
        walk_at(w, n->then, where(w, n->cond, true), data);
        if (n->other) walk_at(w, n->other, where(w, n->cond, false), data);
    } else if (n->kind == N_KERNEL) walk(w, n->body);
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++) walk(w, n->kids[i]);
}

typedef VEC(Expr *) Sizes;

static void add_sizes(Widths *w, Expr *x, Sizes *to) {
    bool sizes = is_product(x) && x->args[0]->kind != E_INT && x->args[1]->kind != E_INT;
    if (sizes) add_sizes(w, x->args[0], to), add_sizes(w, x->args[1], to);
    else if (x->kind != E_INT) vec_push(w->a, to, x);
}

static void add_factors(Widths *w, Expr *x, Sizes *to, int64_t *times) {
    if (is_product(x)) add_factors(w, x->args[0], to, times), add_factors(w, x->args[1], to, times);
    else if (x->kind != E_INT) vec_push(w->a, to, x);
    else if (__builtin_mul_overflow(*times, x->i, times)) *times = 0; // nothing is taken for granted
}

// Of arrays that the kernel has flat, with addresses of 32 bits: all of their elements have one. So does what
// is a product of some of their lengths, where the others are no less than 1.
static void note_flat(Widths *w, const Array *v) {
    Expr *one = expr_int(w->a, T_I64, 1), *most = expr_int(w->a, T_I64, INT32_MAX - ROOM);
    Expr *rows = equal_rows_touched(w->p->p, v);
    Sizes all = {0};
    for (int d = 0; rows && d < v->rank; d++) add_sizes(w, wide(d ? v->extent[d] : rows, w->a), &all);
    Sizes bare = {0};
    int64_t times = 1;
    for (int i = 0; i < all.n; i++) add_factors(w, all.at[i], &bare, &times);
    Expr *whole = expr_int(w->a, T_I64, times); // 4 * (n * m), as a grid may have it
    for (int i = 0; i < bare.n; i++) bare.at[0] = i ? expr_mul(w->a, bare.at[0], bare.at[i]) : bare.at[0];
    if (bare.n) whole = expr_mul(w->a, whole, bare.at[0]);
    assume(w, where(w, expr_op(w->a, OP_GT, whole, most, NULL), true));
    for (unsigned k = 1; all.n <= MOST_LENGTHS && k < 1u << all.n; k++) {
        Expr *some = NULL, *others = expr_int(w->a, T_I32, 1);
        for (int i = 0; i < all.n; i++) {
            Expr *x = all.at[i];
            if (k >> i & 1) some = some ? expr_mul(w->a, some, x) : x;
            else others = expr_op(w->a, OP_LAND, others, expr_op(w->a, OP_GE, x, one, NULL), NULL);
        }
        Expr *more = expr_op(w->a, OP_GT, some, most, NULL);
        assume(w, where(w, expr_op(w->a, OP_LAND, more, others, NULL), true));
    }
}

static void look(Widths *w, Node *root, bool loops) {
    w->root = root, w->loops = loops;
    w->exact = true;
    w->at = own_set(w->a, poly_universe(w->p->f->poly, (PolyScope){0, NULL}));
    w->values.n = 0;
    find_values(w);
    for (int i = 0; !loops && i < w->p->p->flat.n; i++) note_flat(w, w->p->p->flat.at[i]);
    walk(w, root);
    w->known = !loops;
    if (!loops) walk(w, root);
}

void check_widths(Prover *p) {
    Widths w = {.p = p, .a = p->a};
    int params = p->f->poly->params.n;
    look(&w, p->p->loops, true);
    look(&w, p->p->sized_kernel, false);
    w.parted = true;
    if (w.again) look(&w, equal_strides(p->p, equal_factors(p->p, p->p->kernel)), false);
    if (p->certificate) p->f->poly->params.n = params; // they are none of its facts
}
