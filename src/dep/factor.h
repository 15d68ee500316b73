// SPDX-License-Identifier: MIT
// factor.h -- a relation as a product of relations between fewer dimensions.
#ifndef SCULPT_FACTOR_H
#define SCULPT_FACTOR_H
#include <isl/map.h>
#include <isl/set.h>
#include <stdbool.h>

// in, out: those dimensions of m that are asked about; then also those that belong with them. For each value
// of the parameters m is the product of the relation between these alone, which is returned, and of the rest,
// which says nothing of them (over all dimensions; the caller's). NULL: it can't be told that it is.
__isl_give isl_map *factor_of(__isl_keep isl_map *m, bool *in, bool *out, isl_map **rest);
// The product of part, over the dimensions in and out, and the rest.
__isl_give isl_map *factor_join(__isl_take isl_map *part, __isl_take isl_map *rest, const bool *in,
                                const bool *out);
#endif
