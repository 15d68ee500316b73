// SPDX-License-Identifier: MIT
// poly_table.h -- between poly_table.c, poly.c and poly_range.c.
#ifndef SCULPT_POLY_TABLE_H
#define SCULPT_POLY_TABLE_H
#include "ir/poly.h"

enum { TABLE_MOST = 64, TABLE_RANK = 4 }; // elements of which each is looked at; dimensions

bool array_is_table(const Array *v);      // with known values, and extents that are numbers
// The value of a load of a table, NULL: it is none, it is too large, or its subscripts are not affine.
__isl_give isl_pw_aff *poly_table(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts);
void table_range(const Array *v, int64_t *least, int64_t *most); // of all its values
#endif
