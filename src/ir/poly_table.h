// SPDX-License-Identifier: MIT
// poly_table.h -- between poly_table.c, poly.c and poly_range.c.
#ifndef SCULPT_POLY_TABLE_H
#define SCULPT_POLY_TABLE_H
#include "ir/poly.h"
#include "ir/table.h"

enum { TABLE_MOST = 64, TABLE_RANK = 4 }; // elements of which each is looked at; dimensions

// The value of a load of a table, NULL: it is none, it is too large, or its subscripts are not affine.
__isl_give isl_pw_aff *poly_table(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts);
#endif
