// SPDX-License-Identifier: MIT
// flows.h -- what the files of the proof share: values as expressions of what was there before.
//
//   c[i][j] at the end, in a tiled product     Σ over (t, k) of  in(a)[i][16t + k] * in(b)[16t + k][j]
//
// A value is asked for at points: elements, and the counters of sums around it. It may be another expression
// in other parts of the points (Piece). Memory between is looked through: copies, registers, buffers between
// kernels vanish. Leaves say which element it is as a map from points.
#ifndef SCULPT_EQUAL_FLOWS_H
#define SCULPT_EQUAL_FLOWS_H
#include "dep/flow.h"
#include "equal/pair.h"

typedef struct Value Value;
typedef struct Prover Prover;

typedef struct Piece {
    isl_set *at; // points; disjoint from those of the other pieces
    const Value *v;
} Piece;
typedef VEC(Piece) Pieces;

typedef enum ValueKind {
    VALUE_INPUT, // an element of array before everything: map, points → its subscripts
    VALUE_NUMBER, // x, a literal
    VALUE_INT, // map, points → one integer
    VALUE_PARAM, // x, a parameter that is no integer
    VALUE_OP, // x's operation, cast or function on kids
    VALUE_GATHER, // an element of array, which nothing writes, at the subscripts kids
    VALUE_SUM, // op over all parts
    VALUE_STATE, // what read finds at map's counters of its leaf: a step of a recurrence
    VALUE_NOTHING, // memory that was not written
} ValueKind;

// What a sum adds: for each point the values at all [point, u] in `at`.
typedef struct Part {
    const FlowLeaf *leaf; // u are its counters
    isl_set *at;
    const Value *v;
    bool minus; // it is subtracted
    bool direct; // it is added to all that came before it, by itself
    bool first; // nothing came before it
    int rank; // among those of one instance of its leaf: ascending
    int reach; // which of the sum's
} Part;

// How far a sum's parts were looked for: at these counters a read's value, or an expression's, is added.
typedef struct Reach {
    FlowAccess *read; // NULL: an expression's
    bool rest; // what the read finds where nothing wrote before
    FlowLeaf *leaf;
    Expr *x;
    bool minus;
    isl_map *all; // points → counters of the leaf
} Reach;
typedef struct Parts {
    Part *at;
    int n, cap;
    VEC(Reach) reached;
} Parts;

// Where a value was asked for, to look at it again as a sum.
typedef struct Origin {
    struct Side *side;
    FlowLeaf *leaf;
    Expr *x; // or
    FlowAccess *read;
    isl_map *m; // points → counters of the leaf
    struct Origin *next; // of other points; NULL: none
} Origin;

struct Value {
    ValueKind kind;
    Type type;
    const Array *array;
    FlowAccess *read; // of STATE
    isl_map *map;
    const Expr *x;
    Op op; // of OP (with x an E_OP, in its normal form) and SUM
    int nkids;
    const Value **kid;
    Parts parts; // see value_parts
    const Value *far; // they are still those of this sum, at points that `by` leads to; NULL: they are here
    isl_map *by;
    bool kept; // of SUM: what some part is, is a sum, too
    Origin from;
    const char *skeleton; // all of it but maps and domains
};

// What a read finds: the points are its leaf's counters.
typedef struct Found {
    const FlowAccess *r;
    Type t;
    isl_set *at;
    Pieces pieces;
    bool not; // that is not known, but it may be for fewer
} Found;

// One of the two trees.
typedef struct Side {
    struct Prover *proof;
    FlowTree *tree;
    Arena *a;
    VEC(const FlowAccess *) open; // reads that are being followed, the outermost first
    VEC(Found) found;
} Side;

// Two recurrences have the same values at these pairs of counters, or are about to be shown to.
typedef struct Alike {
    const FlowAccess *x, *y;
    isl_map *pairs;
} Alike;

struct Prover {
    Pair *p;
    Arena *a;
    Flow *f;
    Side loops, kernel;
    const char *unknown; // the first thing that stands in the way
    isl_set *open; // sizes for which something is not shown; NULL: none
    const char *why; // the first of these
    isl_set *undefined; // sizes for which signed numbers of the loops overflow; NULL: none
    bool regrouped; // some float sum's order differs, or is not known to be the same
    bool has_sums; // of floats
    bool endless; // values grew until it was given up
    bool states; // a read that leads back to itself is a state…
    bool rounds; // …or to the statement that it comes from: the host launches in a loop
    VEC(Alike) alike;
    VEC(Alike) met; // sums, likewise
    VEC(Alike) of; // y finds a place and x the value that belongs to it (ties.c)
    enum { PROVE_ALL, PROVE_VALUES, PROVE_ACCESSES } part; // values: of added_kernel; accesses: of the kernel
    bool async; // there are asynchronous copies
    bool finite; // a product of data with zero was left out of a sum
    bool no_nan; // a minimum or maximum was compared as C's fmax and as a choice alike
    bool begins; // the number with which a search for a greatest value begins was taken for less than data
    int work;
    struct Certificate *certificate; // NULL: none is written
};

// From here on nothing is proved.
void prove_unknown(Prover *p, const char *why);
// For the sizes of these points it is not.
void prove_open(Prover *p, isl_set *points, const char *why);

const Value *value_new(Side *s, Value v);
// value.c. m: points → counters of r's leaf. Its pieces cover all of m's domain. Both take m.
void value_of_read(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out);
// The same, for a read that stands for a state: one step of it.
void value_of_step(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out);
void value_untouched(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out); // where nothing wrote before
void value_of_expr(Side *s, FlowLeaf *l, Expr *x, isl_map *m, Pieces *out);
// v, of the points that `by` leads to, as a value of those that it comes from. The parts of its sums are made
// when they are asked for.
const Value *value_pulled(Arena *a, const Value *v, isl_map *by);
const Parts *value_parts(Arena *a, const Value *v);
bool value_commutes(const Value *v); // its two kids may change places, for the very same bits
bool value_is_number(const Value *v, double d);
FlowAccess *value_access(Side *s, FlowLeaf *l, const Expr *load);
bool value_may_be_written(Side *s, const FlowAccess *r);

// sum.c. What reaches the accumulator r, or the expression x, by additions (or another op) alone. ordered: a
// sum
// that is added as one number is a part of its own; true: there was one.
bool sum_of_read(Side *s, Op op, bool ordered, FlowAccess *r, isl_map *m, Parts *out);
bool sum_of_expr(Side *s, Op op, bool ordered, FlowLeaf *l, Expr *x, isl_map *m, Parts *out);
bool sum_has_accumulator(Side *s, FlowLeaf *l, const Expr *x); // x is a sum, and of some that grew by updates
bool sum_is_neutral(Op op, const Expr *x);
bool sum_counts(Op op); // how often something is added matters
bool sum_has_order(Op op, Type t); // another one rounds differently

// compare.c: the points of `at` (taken) where x, of the loops, and y, of the kernel, are not known to be
// equal; *why says why, where there are some.
isl_set *compare_values(Prover *p, const Value *x, const Value *y, isl_set *at, const char **why);

bool value_has_sum(const Value *v);
isl_map *value_fingerprint(const Value *v); // points → all that it reads, one behind the other; NULL: nothing

// ties.c: places of greatest values (places.c). Is v a pair of a value and a place?
bool value_is_place(const Value *v);
// Of a maximum, minimum or such a pair: is it the number with which a search begins?
bool value_is_beginning(Prover *p, Op op, const Value *v);
void check_ties(Prover *p);

// widths.c: whole numbers that are too large for their types.
void check_widths(Prover *p);
enum { WIDTHS_ROOM = 1 << 20 }; // of sizes that are rounded up to blocks
// s (taken) where parameters are numbers of their types; of sizes, where these have so much room there.
isl_set *widths_in_types(isl_set *s, int64_t room);

// check.c: accesses outside, unwritten words, races.
void check_bounds(Prover *p);
void check_order(Prover *p);

// certificate.c: the facts that the proof uses, as text (src/certify).
typedef struct SumProof {
    Op op;
    const Value *x, *y; // of the loops, of the kernel
    isl_set *at; // the points
    const Parts *parts[2];
    isl_set *const *part_at[2]; // their domains there
    isl_map *const *match; // [x.n * y.n], [point, u] → [point, v]; NULL: nothing in common
} SumProof;
struct Certificate *certificate_new(Prover *p);
void certificate_end(Prover *p, Side *s, FlowLeaf *end); // what reads an array at the end
void certificate_sum(Prover *p, const SumProof *s);
// Loads of the loops and the kernel have the same values at these pairs of counters: a step of a recurrence.
void certificate_steps(Prover *p, FlowAccess *x, FlowAccess *y, const isl_map *pairs);
// The kernel's access x is made where the loops make y, under the same conditions of the data. Takes m.
void certificate_place(Prover *p, FlowAccess *x, FlowAccess *y, isl_map *m);
// NULL and *why: something of the proof is no part of certificates.
const char *certificate_text(Prover *p, const char **why);

// Fills in the answer; what is open is still to be run.
void equal_prove(EqualReport *r, Pair *p);
// prove.c: the sizes for which the region's conditions hold; NULL: they can't be told.
isl_set *equal_permitted(Pair *p);
// prove.c: sizes at which it may fail, as far as is known; false: none, or no more. *state: begin with 0.
bool equal_open_sizes(Pair *p, const isl_set *open, bool zero, int *state, int64_t *sizes);
#endif
