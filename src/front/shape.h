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

// A subscript as it was found, with the loops around it, and what its conditions tell.
typedef struct ShapeSeen {
    Expr *x;
    int nloops, nfacts;
    const ShapeLoop *loops;
    Sum *const *facts;
} ShapeSeen;

// A coefficient that is not a number, and how many loops stand around that of its counter: it is of the
// loop inside that the stride is less.
typedef struct ShapeCoef {
    Sum *sum;
    int depth;
} ShapeCoef;

// A parameter as a multiple of a stride, which the host finds out: rc = c_rows * ldc.
typedef struct ShapeTold {
    int atom;
    Sum *sum;
} ShapeTold;

// What all accesses of one array (or of all fields of one array of structs) say.
typedef struct Shape {
    const Array *array;
    VEC(ShapeCoef) coefs;
    VEC(ShapeSeen) seen;
    bool written;
    bool flat;          // subscripts of all dimensions are taken as one
    bool failed;        // a subscript is not linear
    bool picked;        // data tell a place in a row…
    bool loose;         // …that may well be in another, or that the host can't look at
    bool along;         // a counter goes along a row
    bool wraps;         // a product in 32-bit unsigned arithmetic occurs
    int nstrides;       // 0: stays as it is
    Sum **strides;      // the greatest first; each is divisible by the next…
    VEC(ShapeTold) told; // …as these say
    int nscales, scale[2]; // atoms that counters are multiplied by in every dimension, no strides
    VEC(ShapeMade) made;
} Shape;

// A subscript as coefficients of varying atoms, and the rest. False: not linear.
bool shape_terms(Sums *k, const Expr *x, ShapeTerms *out, Sum **fixed);
// Finds the strides; false when there are none or they don't fit together. dividing: the host may find out
// whether they do.
bool shape_find(Normal *m, Sums *k, Shape *shape, bool dividing);
// rows.c: where all coefficients are numbers. Long rows only, in which all accesses certainly stay.
bool shape_find_rows(Sums *k, Shape *shape);
// …and where no counter goes from row to row, and the loop along one says how long it is.
bool shape_find_edges(Sums *k, Shape *shape);
// Do all accesses seem to stay in rows, and does one go along a row? certain: by numbers alone.
bool shape_stays(Sums *k, const Shape *shape, bool certain);
// The array with its first dimension split.
const Array *shape_array(Normal *m, Sums *k, const Shape *shape, const Array *v);
// The subscript x as nstrides + 1 subscripts.
void shape_split(Sums *k, const Shape *shape, Expr *x, int nloops, const ShapeLoop *loops, Expr **to);
// About how far outside of rows of `stride` elements s gets.
double shape_outside(Sums *k, const Sum *s, const Sum *stride, int nloops, const ShapeLoop *loops);
// choice.c: the subscript x as cond ? yes : no, each with what the condition tells of it.
// NULL: there is no condition in it.
Expr *shape_choice(Arena *a, Expr *x, Expr **yes, Expr **no);
// Adds to k->facts what is at least 0 where the condition holds, or does not.
void shape_learn(Sums *k, const Expr *cond, bool holds);
#endif
