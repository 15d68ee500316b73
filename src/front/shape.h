// SPDX-License-Identifier: MIT
// shape.h -- between shape.c, which walks the region, stride.c, rows.c and choice.c, which compute.
#ifndef SCULPT_SHAPE_H
#define SCULPT_SHAPE_H
#include "front/normal.h"

// coef * atom in a subscript; the atom is a counter or holds a load.
typedef struct ShapeTerm {
    int atom;
    Sum *coef;
} ShapeTerm;
typedef VEC(ShapeTerm) ShapeTerms;

typedef struct ShapeLoop {
    const Sym *iter;
    Expr *lo, *hi;  // the counter lies between them
    bool upward;    // hi is excluded; else lo is
} ShapeLoop;

typedef struct ShapeMade {
    const Array *from, *to;
} ShapeMade;

// A subscript as it was found, with the loops around it.
typedef struct ShapeSeen {
    Expr *x;
    int nloops;
    const ShapeLoop *loops;
} ShapeSeen;

// What all accesses of one array (or of all fields of one array of structs) say.
typedef struct Shape {
    const Array *array;
    VEC(Sum *) coefs;   // coefficients that are not numbers
    VEC(ShapeSeen) seen;
    bool failed;        // a subscript is not linear, or its place in a row is read from memory
    bool wraps;         // a product in 32-bit unsigned arithmetic occurs
    int nstrides;       // 0: stays as it is
    Sum **strides;      // the greatest first; each is divisible by the next
    VEC(ShapeMade) made;
} Shape;

// A subscript as coefficients of varying atoms, and the rest. False: not linear.
bool shape_terms(Sums *k, const Expr *x, ShapeTerms *out, Sum **fixed);
// Finds the strides; false when there are none or they don't fit together.
bool shape_find(Sums *k, Shape *shape);
// rows.c: where all coefficients are numbers. Long rows only, in which all accesses certainly stay.
bool shape_find_rows(Sums *k, Shape *shape);
// The array with its first dimension split.
const Array *shape_array(Normal *m, Sums *k, const Shape *shape, const Array *v);
// The subscript x as nstrides + 1 subscripts.
void shape_split(Sums *k, const Shape *shape, Expr *x, int nloops, const ShapeLoop *loops, Expr **to);
// About how far outside of rows of `stride` elements s gets.
double shape_outside(Sums *k, const Sum *s, const Sum *stride, int nloops, const ShapeLoop *loops);
// choice.c: the subscript x as cond ? yes : no, each with what the condition tells of it.
// NULL: there is no condition in it.
Expr *shape_choice(Arena *a, Expr *x, Expr **yes, Expr **no);
#endif
