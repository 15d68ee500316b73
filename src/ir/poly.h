// SPDX-License-Identifier: MIT
// poly.h -- between expressions and isl's sets; the only door to isl besides dep/.
//
// A set has one dimension for each counter of a list of loops, outermost first. Every
// parameter of isl stands for an expression that does not change in the region: a
// parameter of the program, or a product of such that isl can't hold (n*m); the isl_id's
// user pointer is that Expr. Functions return NULL where something isn't affine or where
// isl gave up (poly_gave_up tells which).
#ifndef SCULPT_POLY_H
#define SCULPT_POLY_H
#include "ir/ir.h"
#include <isl/map.h>
#include <isl/set.h>

struct Poly {
    Compile *c;
    isl_ctx *ctx;
    VEC(Expr *) params; // one for each isl parameter in use
};

// The isl context of a compile, made once; gives up after a bounded amount of work.
Poly *poly_new(Compile *c);
// Each analysis has the whole budget: call at its beginning.
void poly_restart(Compile *c);
void poly_restart_part(Compile *c, int part); // …or that part of it
// From now on all analyses together get less than one may take, until Compile.limit is what it was before
// (returned).
double poly_together(Compile *c);
// To be called now and then in loops over pairs: gives up when the time is over (true).
bool poly_tick(Poly *p);
bool poly_gave_up(Poly *p); // an operation failed; also clears the error
// What only looks bounded is an error to isl, and an answer to us: no error is left of it, if all was fine
// before. False: an operation failed.
bool poly_forgive(Poly *p, bool fine);

// The isl_id that stands for an expression over parameters, or for a counter that counts as one.
__isl_give isl_id *poly_param(Poly *p, const Expr *x);

// Counters in scope, outermost first.
typedef struct PolyScope {
    int n;
    const Sym *const *iters;
} PolyScope;

// A subtraction in an unsigned type: what must not be negative for it to be plain
// integer arithmetic.
typedef VEC(isl_pw_aff *) PolyFacts;

// The value of an integer expression over the scope. facts may be NULL.
__isl_give isl_pw_aff *poly_aff(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts);
// Between which values (ends included) it lies; where it isn't affine these are wider than
// need be. False: can't be told.
bool poly_range(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts, __isl_give isl_pw_aff **lo,
                __isl_give isl_pw_aff **hi);
// The points where a condition holds.
__isl_give isl_set *poly_cond(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts);
// The points where `x op y`, a comparison, holds; NULL: one of them isn't affine.
__isl_give isl_set *poly_compare(Poly *p, PolyScope s, Op op, const Expr *x, const Expr *y,
                                 PolyFacts *facts);
// All points (no constraint) of a scope.
__isl_give isl_set *poly_universe(Poly *p, PolyScope s);

// poly_meet.c: as isl_set_intersect and isl_map_intersect where points are left; where none are the result
// need not look empty. For sets of which that is known, or asked of what comes of them.
__isl_give isl_set *poly_meet(__isl_take isl_set *x, __isl_take isl_set *y);
__isl_give isl_map *poly_meet_map(__isl_take isl_map *x, __isl_take isl_map *y);
// x less y.
__isl_give isl_map *poly_beyond(__isl_take isl_map *x, __isl_take isl_map *y);

// A number of isl's, which may be longer than any of C's. False: it is none of 64 bits, or no whole one.
bool poly_int(__isl_keep isl_val *v, int64_t *out);
// Back to expressions (T_I64; conditions T_I32). Sets and affs over parameters only;
// ctx holds where the result is used (a parameter set).
Expr *poly_expr(Poly *p, __isl_take isl_pw_aff *pa, __isl_keep isl_set *ctx);
Expr *poly_cond_expr(Poly *p, __isl_take isl_set *s, __isl_keep isl_set *ctx);
// poly_agree.c: `around` are the loops and conditions around x, outermost first. Do all of their
// iterations that differ in the counters `vary` alone agree on x? 1: yes, 0: no, -1: unknown.
int poly_agree_cond(Compile *c, int n, Node *const *around, const Expr *x, int nvary, const Sym *const *vary);
int poly_agree_value(Compile *c, int n, Node *const *around, const Expr *x, int nvary,
                     const Sym *const *vary);
// Does the condition hold wherever these are?
bool poly_always(Compile *c, int n, Node *const *around, const Expr *x);
// Least and greatest value of dimension pos of a set, over the parameters; NULL: unbounded,
// or the set is empty.
Expr *poly_bound(Poly *p, __isl_keep isl_set *s, int pos, bool greatest, __isl_keep isl_set *ctx);
#endif
