// SPDX-License-Identifier: MIT
// poly_table.c -- what a table of constants holds, as a function of the subscripts.
//
//   static const int dx[4] = {0, 1, 0, -1};    dx[q]:  0 where q = 0 or q = 2, 1 where q = 1, -1 where q = 3
//
// So a[i - dx[q]] is as exact as any affine subscript. Elsewhere the table has no values, and nobody may read
// it.
#include "ir/poly_table.h"
#include <isl/aff.h>
#include <isl/val.h>

static isl_pw_aff *number(Poly *p, PolyScope s, int64_t v) {
    return isl_pw_aff_val_on_domain(poly_universe(p, s), isl_val_int_from_si(p->ctx, v));
}

// Where the subscripts name element k.
static isl_set *place(Poly *p, PolyScope s, const Array *v, isl_pw_aff *const *sub, int64_t k) {
    isl_set *at = NULL;
    for (int d = v->rank - 1; d >= 0; d--) {
        isl_set *here = isl_pw_aff_eq_set(isl_pw_aff_copy(sub[d]), number(p, s, k % v->extent[d]->i));
        at = at ? isl_set_intersect(at, here) : here;
        k /= v->extent[d]->i;
    }
    return at;
}

// Places of one value together, so that there are as many pieces as values.
static isl_pw_aff *with_value(Poly *p, PolyScope s, const Array *v, isl_pw_aff *const *sub, int first,
                              isl_pw_aff *to) {
    isl_set *all = NULL;
    for (int k = first; k < v->nvalues; k++) {
        if (v->values[k] != v->values[first]) continue;
        isl_set *at = place(p, s, v, sub, k);
        all = all ? isl_set_union(all, at) : at;
    }
    isl_pw_aff *x =
        isl_pw_aff_val_on_domain(isl_set_coalesce(all), isl_val_int_from_si(p->ctx, v->values[first]));
    return to ? isl_pw_aff_union_add(to, x) : x;
}

static bool is_first(const Array *v, int k) {
    for (int i = 0; i < k; i++)
        if (v->values[i] == v->values[k]) return false;
    return true;
}

__isl_give isl_pw_aff *poly_table(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    const Array *v = x->array;
    bool few = v->nvalues <= TABLE_MOST && v->rank <= TABLE_RANK;
    if (!few || !array_is_table(v) || !table_has_each(v)) return NULL;
    isl_pw_aff *sub[TABLE_RANK], *all = NULL;
    int n = 0;
    while (n < v->rank && (sub[n] = poly_aff(p, s, x->args[n], facts))) n++;
    for (int k = 0; n == v->rank && k < v->nvalues; k++)
        if (is_first(v, k)) all = with_value(p, s, v, sub, k, all);
    while (n > 0) isl_pw_aff_free(sub[--n]);
    return all;
}
