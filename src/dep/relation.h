// SPDX-License-Identifier: MIT
// relation.h -- a tree as events: which instances run, in which order, and what they touch.
//
//   for i { S0: a[i] = b[i]; if (c[i]) S1: t = a[i]; }
//
//   event  node  loops  domain              exact   accesses
//   0      S0    i      { [i] : 0<=i<n }    yes     a[i] write, b[i] read
//   1      if    i      { [i] : 0<=i<n }    yes     c[i] read
//   2      S1    i      { [i] : 0<=i<n }    no      t write, a[i] read
//
// An inexact event may run at fewer points than its domain says; an inexact access may
// touch fewer elements than its map says. Dependences are asked of these. What memory must be
// there is asked of `real`, which looks at the conditions inside of expressions too:
//
//   a[i] = i > 0 && m[i] ? a[i - 1] : 0;    a[i - 1] read: really only where i > 0
#ifndef SCULPT_RELATION_H
#define SCULPT_RELATION_H
#include "dep/body.h"
#include "dep/term.h"
#include "dep/through.h"

typedef struct Event {
    const Node *node; // N_STMT, N_COPY, the N_IF / N_FOR whose expressions are read, or a body
    const Body *body; // not NULL: all that is in it, as one statement that may touch what they do
    Loc loc;
    const char *label;
    int order;             // position in text order
    int depth;
    const Node **loops;    // [depth], outermost first
    PolyScope scope;       // the counters of loops, then the terms
    isl_set *domain;       // over scope
    bool exact;
    int nterms;            // values that only the data tell, where relations were asked for them
    const Term *terms;     // [nterms]
    bool told;             // with them the domain is exact, whatever the data are
    struct Consistent *consistent; // what term_consistent found out; NULL: it is not asked
} Event;

typedef struct Touch {
    Event *ev;
    const Array *array;
    Expr *const *sub;
    Loc loc;               // of the access; no line: its event's
    bool write, read;      // both: an update
    Op update;             // OP_SET, or the operator of an update whose target this is
    int private_depth;     // 0 for memory shared by all; a local declared below that many
                           // loops is another one in each of their iterations
    const Node *decl;      // the block that declares the local; NULL: none does
    isl_map *map;          // scope -> subscripts, domain included
    bool exact_map;        // every subscript is affine: when it runs, this is what is touched
    bool exact;            // and the event is exact too
    bool told;             // as exact, with terms
    isl_map *real;         // part of map: it touches nothing else; NULL: as map
    bool plain;            // no condition around depends on data, whatever the loops' bounds do
    bool sure;             // it touches all that real says
    bool shown;            // so it does with terms: told, and no condition inside of the expression that
                           // only the data decide is in its way
    // the number of the first touch that meets the same elements in the same way, so that
    int first;
                           // this one changes no answer; its own number where there is none before it
} Touch;

// The iterations of one loop: its counters and those around it.
typedef struct LoopRange {
    const Node *loop;
    int depth;             // loops around it
    isl_set *domain;       // depth + 1 dimensions
    bool affine;           // both bounds are
    bool exact;            // so are those of all loops and conditions around
    // parameters for which it has more than a few iterations; made when it is asked for…
    isl_set *many;
    isl_set *useful;       // …as is this: and every other loop of the tree has, too, if that can be
} LoopRange;

// Subscripts of one dimension, and between which expressions they lie.
typedef struct Line {
    isl_set *of;
    Expr *lo, *hi;
} Line;

typedef struct Relations {
    Poly *poly;
    const Region *region;
    const TermArrays *arrays; // NULL: no terms
    const Bodies *bodies;     // NULL: none
    const Holds *holds;       // what locals hold where statements run; NULL: no terms
    bool loose;               // inside a body: domains may be larger than they are, in one piece
    isl_set *ctx;          // parameters: what always holds
    VEC(Event *) events;
    VEC(Touch) touches;
    VEC(LoopRange) loops;
    isl_set *wrong;        // parameters for which an unsigned subtraction in a subscript,
                           // bound or condition would wrap, or the program's counter of a
                           // loop (then nothing here is right)
    isl_set *inside;       // foot_inside's; NULL: it was not asked yet
    VEC(Line) lines;       // foot_box's, so far
    Expr *fit;             // what relations_filled rests on; NULL: nothing
} Relations;

// isl objects in it belong to the arena of c.
Relations *relations_new(Compile *c, const Region *r, Node *root);
// The same with terms (term.h) as far as `arrays` let them be. What `exact` says stays. bodies: not NULL, or
// what is one event each.
Relations *relations_with_terms(Compile *c, const Region *r, Node *root, const TermArrays *arrays,
                                const Bodies *bodies);
// x, of a statement of the region at n, with what its locals hold there, as far as that is known.
Expr *relations_seen(const Relations *r, const Node *n, Expr *x);
// x over the counters and terms of an event. NULL: it can't be told.
Expr *event_value(const Relations *r, const Event *ev, Expr *x);
// Of sub[rank] over the scope, on a domain: the map to these elements; *affine: all subscripts are (those
// that are not, or are NULL, may be anything).
__isl_give isl_map *relations_map(Poly *p, PolyScope scope, __isl_take isl_set *domain, int rank,
                                  Expr *const *sub, PolyFacts *facts, bool *affine);
// promised.c: arrays all of whose accesses are x[index[place]]…, or x[k]… for k from index[place] to
// index[place + 1], are numbered by these places from here on, as they may be if that is promised.
void relations_promised(Relations *r, const Promise *p);
// filled.c: the same of arrays that a counter fills, x[n++] = …, numbered by who writes them. That is right
// where r->fit holds.
void relations_filled(Relations *r);
// The region and a tree over it so, which is right where *fit (NULL: always) holds. False: there is no such
// array, or the tree touches one in another way.
bool dep_filled(Arena *a, const Region **region, const Node **root, Expr **fit);
LoopRange *relations_loop(const Relations *r, const Node *loop); // NULL: not in the tree
// The parameters for which a condition or bound of the tree reads an element that the region may not
// touch: then there may be no such element.
__isl_give isl_set *control_outside(const Relations *tree, const Relations *region);
// Those points of x's event at which region, for the same data, touches the element that x reads.
__isl_give isl_set *covered_by_region(const Event *x, const Array *array, __isl_keep isl_map *map,
                                      const Relations *region);
__isl_give isl_set *relations_known(const Relations *r); // the parameters that can be
// Ownership to the arena; NULL passes through.
isl_set *own_set(Arena *a, __isl_take isl_set *s);
isl_map *own_map(Arena *a, __isl_take isl_map *m);
#endif
