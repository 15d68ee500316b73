// SPDX-License-Identifier: MIT
// poly_range.c -- between which values an expression lies where isl can't hold its value.
//
//   i % n      -(|n| - 1) .. |n| - 1, and on the side of zero where i is
//   i / n      between 0 and i, for n > 0
//   t[…]       between the least and the greatest value of a table of constants
//   sums, min, max and choices of such
#include "ir/poly_table.h"
#include <isl/aff.h>
#include <isl/val.h>

typedef struct Range {
    isl_pw_aff *lo, *hi; // both or neither
} Range;

typedef struct Ranges {
    Poly *p;
    PolyScope s;
    PolyFacts *facts;
} Ranges;

static Range range_of(const Ranges *k, const Expr *x);

static isl_pw_aff *copy(isl_pw_aff *x) { return isl_pw_aff_copy(x); }

static Range drop(Range r) {
    isl_pw_aff_free(r.lo);
    isl_pw_aff_free(r.hi);
    return (Range){NULL, NULL};
}

static isl_pw_aff *number(const Ranges *k, int64_t v) {
    return isl_pw_aff_val_on_domain(poly_universe(k->p, k->s), isl_val_int_from_si(k->p->ctx, v));
}

// The greatest absolute value in r.
static isl_pw_aff *magnitude(const Range *r) {
    return isl_pw_aff_max(copy(r->hi), isl_pw_aff_neg(copy(r->lo)));
}

static isl_pw_aff *not_above_zero(const Ranges *k, isl_pw_aff *x) { return isl_pw_aff_min(number(k, 0), x); }
static isl_pw_aff *not_below_zero(const Ranges *k, isl_pw_aff *x) { return isl_pw_aff_max(number(k, 0), x); }

static Range remainder_range(const Ranges *k, Range x, Range y) {
    isl_pw_aff *most = isl_pw_aff_sub(magnitude(&y), number(k, 1));
    Range r = {not_above_zero(k, isl_pw_aff_max(x.lo, isl_pw_aff_neg(copy(most)))),
               not_below_zero(k, isl_pw_aff_min(x.hi, most))};
    drop(y);
    return r;
}

// For a divisor that may be negative the quotient may have either sign.
static Range quotient_range(const Ranges *k, Range x, Range y) {
    isl_pw_aff *most = magnitude(&x);
    isl_set *up = isl_pw_aff_ge_set(y.lo, number(k, 1));
    isl_pw_aff_free(y.hi);
    isl_set *any = isl_set_complement(isl_set_copy(up));
    Range r;
    r.lo = isl_pw_aff_intersect_domain(not_above_zero(k, x.lo), isl_set_copy(up));
    r.hi = isl_pw_aff_intersect_domain(not_below_zero(k, x.hi), up);
    r.lo = isl_pw_aff_union_add(r.lo,
                                isl_pw_aff_intersect_domain(isl_pw_aff_neg(copy(most)), isl_set_copy(any)));
    r.hi = isl_pw_aff_union_add(r.hi, isl_pw_aff_intersect_domain(most, any));
    return r;
}

static Range product_range(Range x, Range y) {
    if (isl_pw_aff_is_cst(x.lo) == isl_bool_true && isl_pw_aff_is_equal(x.lo, x.hi) == isl_bool_true) {
        Range t = x;
        x = y;
        y = t;
    }
    if (isl_pw_aff_is_cst(y.lo) != isl_bool_true || isl_pw_aff_is_equal(y.lo, y.hi) != isl_bool_true) {
        drop(y);
        return drop(x);
    }
    isl_pw_aff *a = isl_pw_aff_mul(x.lo, y.lo), *b = isl_pw_aff_mul(x.hi, y.hi);
    return (Range){isl_pw_aff_min(copy(a), copy(b)), isl_pw_aff_max(a, b)};
}

static Range binary_range(const Ranges *k, Op op, Range x, Range y) {
    switch (op) {
    case OP_ADD: return (Range){isl_pw_aff_add(x.lo, y.lo), isl_pw_aff_add(x.hi, y.hi)};
    case OP_SUB: return (Range){isl_pw_aff_sub(x.lo, y.hi), isl_pw_aff_sub(x.hi, y.lo)};
    case OP_MIN: return (Range){isl_pw_aff_min(x.lo, y.lo), isl_pw_aff_min(x.hi, y.hi)};
    case OP_MAX: return (Range){isl_pw_aff_max(x.lo, y.lo), isl_pw_aff_max(x.hi, y.hi)};
    case OP_MUL: return product_range(x, y);
    case OP_MOD: return remainder_range(k, x, y);
    case OP_DIV: return quotient_range(k, x, y);
    default: drop(y); return drop(x);
    }
}

// x % y where nothing is known of x.
static Range any_remainder(const Ranges *k, const Expr *x) {
    Range y = range_of(k, x->args[1]);
    if (!y.lo) return y;
    isl_pw_aff *most = not_below_zero(k, isl_pw_aff_sub(magnitude(&y), number(k, 1)));
    drop(y);
    return (Range){isl_pw_aff_neg(copy(most)), most};
}

// x & mask, and x >> number: whatever x is, of a mask that is not negative; of a shift that C defines.
static Range bits_range(const Ranges *k, const Expr *x) {
    const Expr *by = x->args[1];
    if (by->kind != E_INT || by->i < 0) return (Range){NULL, NULL};
    if (x->op == OP_AND) return (Range){number(k, 0), number(k, by->i)};
    Range r = by->i < 62 ? range_of(k, x->args[0]) : (Range){NULL, NULL};
    isl_val *size = r.lo ? isl_val_int_from_si(k->p->ctx, (int64_t)1 << by->i) : NULL;
    if (!size) return r;
    r.lo = isl_pw_aff_floor(isl_pw_aff_scale_down_val(r.lo, isl_val_copy(size)));
    r.hi = isl_pw_aff_floor(isl_pw_aff_scale_down_val(r.hi, size));
    return r;
}

static Range operation_range(const Ranges *k, const Expr *x) {
    int first = x->op == OP_SELECT ? 1 : 0;
    if (x->op == OP_AND || x->op == OP_SHR) return bits_range(k, x);
    Range a = x->nargs > first ? range_of(k, x->args[first]) : (Range){NULL, NULL};
    if (!a.lo) return x->op == OP_MOD ? any_remainder(k, x) : a;
    if (x->op == OP_NEG) return (Range){isl_pw_aff_neg(a.hi), isl_pw_aff_neg(a.lo)};
    Range b = x->nargs > first + 1 ? range_of(k, x->args[first + 1]) : (Range){NULL, NULL};
    if (!b.lo) return drop(a);
    if (x->op == OP_SELECT)
        return (Range){isl_pw_aff_min(a.lo, b.lo), isl_pw_aff_max(a.hi, b.hi)};
    return binary_range(k, x->op, a, b);
}

static Range table_values(const Ranges *k, const Array *v) {
    int64_t least, most;
    table_range(v, &least, &most);
    return (Range){number(k, least), number(k, most)};
}

static Range range_of(const Ranges *k, const Expr *x) {
    if (!type_is_int(x->type)) return (Range){NULL, NULL};
    isl_pw_aff *exact = poly_aff(k->p, k->s, x, k->facts);
    if (exact) return (Range){exact, copy(exact)};
    if (x->kind == E_LOAD && array_is_table(x->array)) return table_values(k, x->array);
    bool wide = type_is_signed(x->type) && type_size(x->type) >= 4; // else it may wrap
    if (x->kind == E_OP && wide) return operation_range(k, x);
    bool widens = x->kind == E_CAST && wide && type_is_int(x->args[0]->type) &&
                  type_size(x->type) >= type_size(x->args[0]->type);
    Range r = widens ? range_of(k, x->args[0]) : (Range){NULL, NULL};
    if (!r.lo && type_size(x->type) <= 2) // no more values than the type has
        r = (Range){number(k, type_least(x->type)), number(k, type_most(x->type))};
    return r;
}

bool poly_range(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts, isl_pw_aff **lo, isl_pw_aff **hi) {
    Ranges k = {p, s, facts};
    Range r = range_of(&k, x);
    *lo = r.lo;
    *hi = r.hi;
    return r.lo && r.hi;
}
