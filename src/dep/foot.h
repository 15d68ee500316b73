// SPDX-License-Identifier: MIT
// foot.h -- what a region touches: boxes, directions, and whether subscripts stay inside.
#ifndef SCULPT_FOOT_H
#define SCULPT_FOOT_H
#include "dep/dep.h"
#include "dep/relation.h"

// One Foot for each user array of the region. lo and hi of a dimension that can't be
// bounded are NULL: then the array's extent is not known, not even at run time.
void foot_all(Relations *r, int *n, Foot **out);
// The box of one of them, its direction not set.
Foot foot_box(Relations *r, const Array *array);
// Makes each box empty for the parameters for which no element is touched.
void foot_trim(Relations *r, int n, Foot *feet);
// Notes where each box must be cut because the region does not touch its ends (Foot.first, last),
// and whether that depends on data (Foot.loose).
void foot_ends(Relations *r, int n, Foot *feet);
// The least and greatest of dim d of a set that is bounded there, and all between.
__isl_give isl_set *foot_slab(__isl_keep isl_set *s, int d);
// All elements from the first to the last of s: where those two are of one object, so are these.
__isl_give isl_set *foot_between(__isl_keep isl_set *s);
// The parameters for which every subscript of a dimension that has an
// extent to its left (and every subscript of locals) is inside its extent, and no
// unsigned subtraction wraps.
__isl_give isl_set *foot_inside(Relations *r);
Expr *foot_bounds(Relations *r, const char **never); // the same as a condition; *never says why it is 0
// Has each dimension a least and a greatest value, for all parameters?
bool foot_is_bounded(Poly *p, isl_set *s);
// The least box around s; NULL: it is not bounded.
__isl_give isl_set *foot_around(Poly *p, __isl_keep isl_set *s);
bool foot_idle(Relations *r); // the loops have no iterations, whatever the sizes
// Floating-point operations and bytes that must move, T_F64; NULL: not countable.
Expr *count_flops(Compile *c, const Region *r);
Expr *count_work(Compile *c, const Region *r); // see DepInfo
Expr *count_bytes(Compile *c, const Region *r, int nfeet, const Foot *feet);
// What is touched, less what lies outside of rows in which data choose a place and which loops write as a
// whole anyway: an inspection makes sure of it.
isl_set *foot_in_rows(Relations *r, const Array *array, isl_set *touched); // takes it
#endif
