// SPDX-License-Identifier: MIT
// table.c -- what is known of tables of constants.
#include "ir/table.h"
#include <string.h>

static bool has_values(const Array *v) {
    if (v->place != PLACE_USER || !v->values) return false;
    for (int d = 0; d < v->rank; d++)
        if (!v->extent[d] || v->extent[d]->kind != E_INT) return false;
    return true;
}

bool array_is_table(const Array *v) { return has_values(v) && type_is_int(v->elem); }

bool table_has_each(const Array *v) {
    int64_t n = 1;
    if (!has_values(v)) return false;
    for (int d = 0; d < v->rank && n <= v->nvalues; d++) n *= v->extent[d]->i;
    return n == v->nvalues;
}

void table_range(const Array *v, int64_t *least, int64_t *most) {
    *least = *most = v->values[0];
    for (int k = 1; k < v->nvalues; k++) {
        if (v->values[k] < *least) *least = v->values[k];
        if (v->values[k] > *most) *most = v->values[k];
    }
}

bool table_value(const Array *v, const int64_t *sub, int64_t *value) {
    int64_t at = 0;
    if (!array_is_table(v) || !table_has_each(v)) return false;
    for (int d = 0; d < v->rank; d++) {
        if (sub[d] < 0 || sub[d] >= v->extent[d]->i) return false;
        at = at * v->extent[d]->i + sub[d];
    }
    *value = v->values[at];
    return true;
}

Expr *table_element(Arena *a, const Array *v, int k) {
    double f;
    memcpy(&f, &v->values[k], sizeof f);
    return type_is_float(v->elem) ? expr_float(a, v->elem, f) : expr_int(a, v->elem, v->values[k]);
}

int64_t table_bits(const Expr *x) {
    int64_t bits = x->i;
    if (x->kind == E_FLOAT) memcpy(&bits, &x->f, sizeof bits);
    return bits;
}
