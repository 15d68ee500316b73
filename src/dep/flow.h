// SPDX-License-Identifier: MIT
// flow.h -- the judge of flow: does every read of a tree see the value it sees in the region?
//
//   region   a[j][i] += b[k][i] * c[j][k]
//   tree     copy acc = a[..][..];  copy sb[..] = b[..][..];  S0[j, k, i] via (acc, sb, -);
//            copy a[..][..] = acc
//
// The value of a read is a base and a set of updates since: the last plain write on its word
// and every `op=` between. Copies are looked through. Two trees mean the same when each read of
// a statement's instance, and each element at the end, has the same base and the same updates
// in both; the rest is induction over time.
//
//   flow_leaf.c    a tree as leaves: domains, accesses, instances of the region, time
//   flow_base.c    the last write and the updates before a read
//   flow_value.c   values: bases and updates, through copies
//   flow_plain.c   the same once for all who ask, where there are plain copies alone
//   flow_round.c   copies that bring a value back to where it was, an iteration earlier
//   flow_check.c   values compared; updates once, in order; ghosts
//   flow_bounds.c  every access inside its array
//   flow_race.c    threads and blocks that meet
//   mirror.c       buffers that stand for a part of an array
//   flow_choice.c  conditions on what the loops write, as values
//   flow.c         the judge
//
// A ghost is an instance that the region does not have. It may run, and read in bounds, as
// long as nothing that the region computes depends on it.
#ifndef SCULPT_FLOW_H
#define SCULPT_FLOW_H
#include "dep/dep.h"
#include "dep/relation.h"

typedef struct FlowLeaf FlowLeaf;
typedef struct FlowAccess FlowAccess;

// From a read to what it may have seen.
typedef struct FlowEdge {
    const FlowAccess *to;
    isl_map *map;            // counters of the reader -> counters of the writer
} FlowEdge;
typedef VEC(FlowEdge) FlowEdges;

struct FlowAccess {
    FlowLeaf *leaf;
    const Array *array;
    Expr *const *sub;
    bool write, read;        // both: an update
    Op update;               // OP_SET, or the operator
    bool own;                // the region's own subscripts: not redirected
    const Node *decl;        // the block that declares the array; NULL: the program does
    int scope;               // loops around that block: their counters are part of the address
    isl_map *map;            // counters -> address
    bool exact;              // every subscript is told (relation.h)
    bool known;              // its flow has been computed:
    FlowEdges bases, updates;
    isl_set *rest;           // where no write comes before it
    bool counted, once;      // of a write: was it asked that no two instances write one word? and is it so?
    bool asked;              // flow_plain's:
    const struct FlowValue *plain;
};

// One step in the order of a tree: a child's position, or a counter that runs.
typedef struct FlowTime {
    int position;
    int level;               // -1: position; else the loop whose counter it is
    bool down;
} FlowTime;

struct FlowLeaf {
    const Event *ev;
    const Node *node;
    const Node *kernel;      // around it; NULL: on the host
    const Stmt *stmt;        // NULL: a copy, or what reads an array at the end
    const FlowLeaf *region;  // the same statement in the region
    isl_map *orig;           // counters -> the region's instance; NULL for copies
    isl_set *ghost;          // where it is none of the region's; NULL for copies
    isl_set *idle;           // those ghosts that change nothing; NULL: that was not asked yet
    bool once;               // an update of which no two iterations are one instance
    int naccesses;           // number 0 is written; the last may be what an update of its own kind reads
    FlowAccess *access;
    int ntime;
    FlowTime *time;
};

typedef struct Flow Flow;
typedef struct FlowTree {
    Flow *flow;
    Relations *r;
    Node *root;
    bool loose;              // only its copies are asked about: no terms, and no instances
    VEC(FlowLeaf *) leaves;
} FlowTree;

struct Flow {
    Compile *c;
    Arena *a;
    Poly *poly;
    const Region *r;
    const TermArrays *arrays;
    FlowTree region, tree;
    isl_set *busy;           // parameters for which the region does anything
    bool wrong;              // something is wrong for some parameters,
    isl_set *bad;            // for these, where the region does anything
    const char *why;         // the first reason
    const char *unknown;     // why no answer can be given
};

// The tree's leaves. `region` is NULL when the tree is the region's own.
void flow_leaves(FlowTree *t, const FlowTree *region);
// A leaf that reads the whole of an array at the end, where `domain` says (over elements and terms).
FlowLeaf *flow_out(FlowTree *t, const Array *array, __isl_take isl_set *domain, int nterms,
                   const Term *terms);

// Those pairs (in -> out) in which in runs first (or out, when !in_first), as the marks of the
// loops order them: blocks, threads and lanes order nothing.
__isl_give isl_map *flow_order(const FlowLeaf *in, const FlowLeaf *out, __isl_take isl_map *pairs,
                               bool in_first);
bool flow_same_memory(const FlowAccess *x, const FlowAccess *y);
__isl_give isl_map *flow_same_word(const FlowAccess *x, const FlowAccess *y);
void flow_compute(FlowTree *t, FlowAccess *r);

// Where values come from. All maps begin at the domain that was asked about.
typedef struct FlowFrom {
    const Array *array;      // an element before everything
    const FlowLeaf *leaf;    // an instance of the region that wrote it, or updates it
    FlowLeaf *ghost;         // a ghost that wrote or updates it (map: to its counters)
    const Expr *number;      // a literal of the type of what is read
    const FlowAccess *via;   // the read that found it
    int level;               // copies between
    isl_map *map;            // to the element, the instance, the ghost, or (numbers) nothing
    const FlowLeaf *by;      // of an update, unless it is a ghost's: the leaf of the tree that makes it,
    isl_map *when;           // and its counters
    bool round;              // it was found by going round: level does not tell what comes earlier
} FlowFrom;
typedef struct FlowValue {
    VEC(FlowFrom) bases, updates;
    bool regrouped;          // updates reach it through sums of their own
} FlowValue;
// m: domain, counters and terms of `asker`, -> those of the leaf of access r.
void flow_value(FlowTree *t, const Event *asker, FlowAccess *r, __isl_take isl_map *m, FlowValue *out);

// The value of r, over the counters of its leaf; NULL: more than plain copies is on the way to it.
const FlowValue *flow_plain(FlowTree *t, FlowAccess *r);
// x, which is made of literals alone, as a literal of type t; NULL: it is not.
const Expr *flow_number(Arena *a, Type t, const Expr *x);

// The accesses of a tree whose rounds are already counted; a stack.
typedef VEC(const FlowAccess *) FlowClosed;
bool flow_is_closed(const FlowClosed *closed, const FlowAccess *r);
bool flow_is_number(const Expr *x, int v); // x may be NULL

// m: domain -> counters of r's leaf, and from there back to r through copies, any number of times.
// *round: that is ever more than m. Accesses in `closed` are not passed.
__isl_give isl_map *flow_rounds(FlowTree *t, FlowClosed *closed, FlowAccess *r, __isl_take isl_map *m,
                                bool *round);

void flow_accuse(Flow *f, __isl_take isl_set *params, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void flow_give_up(Flow *f, const char *why);
const char *flow_text(Arena *a, const FlowAccess *x); // "S0 at line 7 reads b[k][i] as sb[…]"
const char *flow_name(Arena *a, const FlowLeaf *l);   // "S0 at line 7", "the copy to sb"

void flow_check_values(Flow *f);
void flow_check_updates(Flow *f);
void flow_check_bounds(Flow *f);
// Points at which the tree makes the access, or more: conditions inside of expressions keep it from some.
// NULL: all.
__isl_give isl_set *flow_made_at(Flow *f, const FlowAccess *x);
// Points at which `at`, a value over the scope, lies between the least and the greatest of the subscripts d
// with which the region touches the array; NULL: these are not known.
__isl_give isl_set *flow_within(Flow *f, PolyScope scope, const Array *array, int d, Expr *at);
void flow_check_races(Flow *f);

// The two trees, then their leaves. loose: those of the tree alone are so.
Flow *flow_begin(Compile *c, const Region *r, const Node *root);
void flow_begin_leaves(Flow *f, bool loose);
// mirror.c: a tree in which statements touch the arrays themselves, that does the same as this one with
// buffers. False: it can't be told, or some are no mirrors.
bool flow_mirrors(Compile *c, const Region *r, const Node *root, const Node **out);

#define OVER_BUDGET "the exact analysis used up its budget"
// The verdict of the flow.
Verdict flow_judge(Compile *c, const Region *r, const Node *root);
// The region and a tree of it with conditions on what the region writes as values; false: there are none, or
// the tree has others.
bool flow_choices(Compile *c, const Region **r, const Node **root);
#endif
