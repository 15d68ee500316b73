// SPDX-License-Identifier: MIT
// factor.h -- a relation as a product of relations between fewer dimensions.
#ifndef SCULPT_FACTOR_H
#define SCULPT_FACTOR_H
#include <isl/map.h>
#include <isl/set.h>
#include <stdbool.h>

// in, out: those dimensions of m that are asked about; then also those that belong with them. For each value
// of the parameters m is the product of the relation between these alone, which is returned, and of one
// between the others. NULL: it can't be told that it is.
__isl_give isl_map *factor_of(__isl_keep isl_map *m, bool *in, bool *out);
// Those pairs of m whose dimensions in and out are a pair of part.
__isl_give isl_map *factor_meet(__isl_take isl_map *m, __isl_take isl_map *part, const bool *in,
                                const bool *out);
// As isl_map_is_injective, asked of each factor first: mostly all of them are. False also where isl gave up.
bool factor_is_injective(__isl_keep isl_map *m);
#endif
