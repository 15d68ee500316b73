// SPDX-License-Identifier: MIT
// inside.c -- which memory is certainly there: what the region touches for the same data.
//
//   for i  if (m[i])  y[i] = x[idx[i]]     x[idx[j]] is there where m[j], idx[j] where m[j] is read and holds
#include "dep/relation.h"
#include <isl/aff.h>
#include <isl/val.h>

isl_set *covered_by_region(const Event *x, const Array *array, isl_map *map, const Relations *region) {
    isl_set *all = isl_set_empty(isl_set_get_space(x->domain));
    for (int i = 0; i < region->touches.n; i++) {
        const Touch *y = &region->touches.at[i];
        if (y->array != array || !y->shown) continue;
        poly_tick(region->poly);
        isl_map *m =
            isl_map_apply_range(isl_map_copy(map), isl_map_reverse(isl_map_copy(y->real ? y->real : y->map)));
        m = term_pinned(region->poly, x, y->ev, term_agree(region->poly, x, y->ev, m));
        all = isl_set_union(all, isl_map_domain(m));
    }
    return isl_set_coalesce(all);
}

// Where a subscript is outside of what the program declares; NULL: it declares nothing.
static isl_set *beyond_extents(const Relations *tree, const Touch *t) {
    isl_set *bad = isl_set_empty(isl_set_get_space(t->ev->domain));
    PolyScope s = t->ev->scope;
    for (int d = 0; d < t->array->rank; d++) {
        Expr *x = t->told && t->array->constant_size ? event_value(tree, t->ev, t->sub[d]) : NULL;
        isl_pw_aff *at = x ? poly_aff(tree->poly, s, x, NULL) : NULL;
        isl_pw_aff *size = at ? poly_aff(tree->poly, s, t->array->extent[d], NULL) : NULL;
        if (!size) {
            isl_pw_aff_free(at);
            isl_set_free(bad);
            return NULL;
        }
        isl_pw_aff *zero =
            isl_pw_aff_val_on_domain(poly_universe(tree->poly, s), isl_val_zero(tree->poly->ctx));
        bad = isl_set_union(bad, isl_pw_aff_lt_set(isl_pw_aff_copy(at), zero));
        bad = isl_set_union(bad, isl_pw_aff_ge_set(at, size));
    }
    return bad;
}

isl_set *control_outside(const Relations *tree, const Relations *region) {
    isl_set *bad = isl_set_empty(isl_set_get_space(tree->ctx));
    for (int i = 0; i < tree->touches.n; i++) {
        const Touch *t = &tree->touches.at[i];
        if (t->ev->body || (t->ev->node->kind != N_FOR && t->ev->node->kind != N_IF) ||
            t->array->place != PLACE_USER)
            continue;
        isl_map *reads = isl_map_copy(t->real ? t->real : t->map);
        isl_set *some = isl_map_domain(isl_map_copy(reads));
        if (t->told) some = isl_set_subtract(some, covered_by_region(t->ev, t->array, reads, region));
        isl_set *beyond = isl_set_is_empty(some) == isl_bool_true ? NULL : beyond_extents(tree, t);
        if (beyond) some = isl_set_intersect(some, beyond);
        isl_map_free(reads);
        bad = isl_set_union(bad, isl_set_params(some));
    }
    return isl_set_coalesce(bad);
}
