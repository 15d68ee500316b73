// SPDX-License-Identifier: MIT
// ground.h -- between holds.c, witness.c and follows.c: a place of a nest and what is known there.
#ifndef SCULPT_RULE_GROUND_H
#define SCULPT_RULE_GROUND_H
#include "rule/known.h"
#include "rule/linear.h"

typedef enum GroundKind { EVERYWHERE, ENTERED, TRUE_HERE, FALSE_HERE } GroundKind;
typedef struct Asked {
    const Expr *cond;
    bool never;               // the question: is it certainly false? else: certainly true?
    bool answer;
} Asked;
typedef VEC(const Sym *) Syms;
enum { WITNESSES = 24 };
struct Ground {
    GroundKind kind;
    const Node *loop;         // entered last
    Expr *cond;               // true or false here
    Ground *from;             // what was known before; NULL: nothing
    int n;                    // loops around
    const Sym *const *iters;  // [n], outermost first
    Syms syms;                // what is told here is about these
    isl_set *set;             // the points that get here, owned by the arena; NULL: not asked yet
    bool empty_known, empty;  // no point gets here
    VEC(Asked) asked;
    Ground *child, *next;     // first further on from here; next from the same place
    bool seen;                // points that get here were looked for:
    int npoints;
    Syms named;               // whose values they have, of all that was told on the way
    int64_t *point[WITNESSES];
    int try[WITNESSES];       // which values each takes where it may choose
    bool told;                // sums that are zero at least by what is told here:
    VEC(Linear) sums;
};

// Points that get to a place, a few of them, found without isl. Each shows that the place is not empty, that
// what is false there does not always hold, and that what is true there may be.
int ground_points(Arena *a, Ground *g);
bool ground_shows(Arena *a, Ground *g, const Expr *cond, bool value);
// Is the condition certainly true, or false, as a few linear steps show?
bool ground_proves(Arena *a, Ground *g, const Expr *cond, bool holds);
#endif
