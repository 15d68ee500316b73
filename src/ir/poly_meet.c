// SPDX-License-Identifier: MIT
// poly_meet.c -- intersections of which it is known that points remain, or not asked; differences of which
// mostly nothing remains.
//
// isl looks for a point of every intersection that it makes, to drop those without one. With counters in
// tens and divisions of bounds that takes most of the time of an analysis.
#include "ir/poly.h"
#include <isl/constraint.h>

static bool is_plain(isl_basic_set *s) { return isl_basic_set_dim(s, isl_dim_div) == 0; }

static isl_basic_set *only_part(isl_set *s) {
    isl_basic_set_list *all = isl_set_get_basic_set_list(s);
    isl_basic_set *one = isl_basic_set_list_get_basic_set(all, 0);
    isl_basic_set_list_free(all);
    return one;
}

__isl_give isl_set *poly_meet(__isl_take isl_set *x, __isl_take isl_set *y) {
    bool whole =
        isl_set_plain_is_universe(x) == isl_bool_true || isl_set_plain_is_universe(y) == isl_bool_true;
    if (!x || !y || whole || isl_set_n_basic_set(x) != 1 || isl_set_n_basic_set(y) != 1)
        return isl_set_intersect(x, y);
    isl_space *to = isl_set_get_space(y);
    x = isl_set_align_params(x, to);
    to = isl_set_get_space(x);
    y = isl_set_align_params(y, to);
    isl_basic_set *p = only_part(x), *q = only_part(y);
    bool simple = is_plain(p) && is_plain(q) &&
                  (isl_basic_set_n_constraint(p) == 1 || isl_basic_set_n_constraint(q) == 1);
    if (simple) { // isl only adds the constraint
        isl_basic_set_free(p);
        isl_basic_set_free(q);
        return isl_set_intersect(x, y);
    }
    isl_set_free(x);
    isl_set_free(y);
    return isl_set_from_basic_set(isl_basic_set_intersect(p, q));
}

__isl_give isl_map *poly_meet_map(__isl_take isl_map *x, __isl_take isl_map *y) {
    return isl_set_unwrap(poly_meet(isl_map_wrap(x), isl_map_wrap(y)));
}

static bool has_divs(__isl_keep isl_map *m) {
    isl_basic_map_list *all = isl_map_get_basic_map_list(m);
    bool some = false;
    for (int i = 0; i < isl_map_n_basic_map(m); i++) {
        isl_basic_map *one = isl_basic_map_list_get_basic_map(all, i);
        some = some || isl_basic_map_dim(one, isl_dim_div) > 0;
        isl_basic_map_free(one);
    }
    isl_basic_map_list_free(all);
    return some;
}

// isl makes a function of each unknown of x first, which takes long. Mostly what x is without a word of them
// lies in y.
__isl_give isl_map *poly_beyond(__isl_take isl_map *x, __isl_take isl_map *y) {
    if (has_divs(x)) {
        isl_map *wide = isl_map_remove_divs(isl_map_copy(x));
        bool all = isl_map_is_subset(wide, y) == isl_bool_true;
        isl_map_free(wide);
        if (all) {
            isl_map_free(y);
            y = isl_map_empty(isl_map_get_space(x));
            return isl_map_free(x), y;
        }
    }
    return isl_map_subtract(x, y);
}
