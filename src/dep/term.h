// SPDX-License-Identifier: MIT
// term.h -- values that only the data tell, as dimensions of their own.
//
//   for i  for k = row[i] .. row[i + 1]  S0: y[i] += a[k] * x[col[k]]
//
//   S0's domain   { [i, k, u, v] : u <= k < v }      u = row[i], v = row[i + 1]
//
// A term is an uninterpreted function of an event's counters: of u nothing is known but that it is what
// row holds at i. Two terms are one value where heads and operands are equal. So domains and accesses
// of a tree and of its region can be compared point by point, whatever the data are: what holds for
// all values of the terms holds for those that there are. Only what cannot change while either tree
// runs may be a term; at most TERM_MAX an event.
#ifndef SCULPT_TERM_H
#define SCULPT_TERM_H
#include "ir/poly.h"

enum { TERM_MAX = 12 };

typedef struct Term {
    const Sym *sym;        // its dimension, behind the counters
    Expr *x;               // a load, call, operation, number or parameter; its operands are affine in the
                           // counters and the terms before it,
    isl_map **operand;     // or, if not NULL, what these say: counters and terms -> operand k
} Term;

// Which memory may be read by terms, and for which arrays subscripts are worth some.
typedef struct TermArrays {
    int nwritten, nasked;
    const Array **written; // by either tree: what these hold changes
    const Array **asked;   // written, or read by copies and through others: their elements matter
} TermArrays;
TermArrays *term_arrays(Arena *a, const Region *r, Node *root);
bool term_is_asked(const TermArrays *t, const Array *array);
bool term_is_stable(const TermArrays *t, const Array *array); // the program's, and nothing writes it

// Terms in the making: `sym` are `depth` counters, and the terms' own behind them.
typedef struct TermScope {
    Poly *poly;
    const TermArrays *arrays;
    bool grow;             // may new terms be made?
    int depth, nterms;
    const Sym *sym[64 + TERM_MAX];
    Term term[TERM_MAX];
} TermScope;
// x over counters and terms, so that poly_aff and poly_cond can read it. NULL: it can't be told.
Expr *term_value(TermScope *s, Expr *x);
Expr *term_cond(TermScope *s, Expr *x);

struct Event;
// Points over counters and terms that can be: terms with equal operands have equal values, remainders are
// small. NULL: all. It takes long where there are many terms, so it is made when it is first asked for.
__isl_keep isl_set *term_consistent(Poly *p, const struct Event *x);
typedef struct Consistent {
    bool known;
    isl_set *set;
} Consistent;
// m: x's counters and terms -> y's. Less the pairs in which one value is given twice differently.
__isl_give isl_map *term_agree(Poly *p, const struct Event *x, const struct Event *y, __isl_take isl_map *m);
// Those pairs in which each term of y that m asks about is a term of x: y's instance is then certain
// to be there when x's is.
__isl_give isl_map *term_pinned(Poly *p, const struct Event *x, const struct Event *y, __isl_take isl_map *m);
// The terms of an event that writes an array, for whoever reads element e at the end, as far as e tells
// the event's counters. Added to `terms` (over e and all of TERM_MAX); returns how many there are now.
int term_of_elements(Poly *p, const struct Event *ev, Expr *const *sub, int rank, int nterms, Term *terms);
// m: a leaf of a tree -> the instance of the region that it is, as far as counters tell. With the region's
// terms as those of the leaf that they are; *told: the leaf has no others that matter. *whole: nor has
// the region; else the leaf runs for any values of its terms, which m, within the domain, would not say.
__isl_give isl_map *term_match(Poly *p, const struct Event *leaf, const struct Event *region,
                               __isl_take isl_map *m, bool *told, bool *whole);
// The pairs of m less those of an instance and itself.
__isl_give isl_map *term_apart(const struct Event *x, __isl_take isl_map *m);
#endif
