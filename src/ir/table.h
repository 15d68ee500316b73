// SPDX-License-Identifier: MIT
// table.h -- arrays whose elements are constants of the program: `values (0, 1, 0, -1)`.
#ifndef SCULPT_TABLE_H
#define SCULPT_TABLE_H
#include "ir/ir.h"

bool array_is_table(const Array *v); // of integers, with known values, and extents that are numbers
bool table_has_each(const Array *v); // each element is known, not the least and the greatest alone
Expr *table_element(Arena *a, const Array *v, int k); // element k, row-major, of one that has each: a literal
int64_t table_bits(const Expr *x);                    // what stands for that literal among Array.values
void table_range(const Array *v, int64_t *least, int64_t *most);            // of all its values
bool table_value(const Array *v, const int64_t *sub, int64_t *value);       // false: not known, or outside
#endif
