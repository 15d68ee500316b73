// SPDX-License-Identifier: MIT
// pair.h -- the loops and the kernel as two trees over the same arrays and sizes.
#ifndef SCULPT_EQUAL_PAIR_H
#define SCULPT_EQUAL_PAIR_H
#include "dep/dep.h"
#include "equal/equal.h"

// beside COPIES_END; one of a block that does not order all memory is less by Node.unfenced
enum { BARRIER_BLOCK = -4, BARRIER_WARP = -3 };

// Of an array of the program, by what the loops say of it (rows.c).
typedef struct Span {
    Expr *lo, *hi, *when; // rows lo … hi where `when` holds: functions of the sizes
} Span;
typedef struct Rows {
    VEC(Span) spans; // beside those that the loops touch at the sizes at hand
    bool data; // data decide whether some element is touched: it is there all the same
    bool unknown; // data tell which
} Rows;

// Of a size: element k is k times it (products.c).
typedef struct Multiples {
    Expr *of;
    const Array *in;
} Multiples;

typedef struct Whole { // a size that is a multiple of a number
    const Sym *sym;
    int64_t by;
} Whole;

// Two places are compared by their values (places.c): copies of both, the one first that is taken where the
// comparison holds. Of equal values that of the better place is kept, the one that is taken, or the other.
typedef enum EqualTie { TIE_TOLD, TIE_TAKEN, TIE_KEPT } EqualTie;
typedef struct EqualBetter {
    Node *value[2], *place[2];
    const Node *sets[2]; // what of both values is taken, and of both places; NULL: not told
    EqualTie tie;
} EqualBetter;
#define EQUAL_PLACE ".place"   // of a value and a place
#define EQUAL_BETTER ".better" // of two of these

typedef struct Pair {
    Compile *c;
    Arena *a;
    const EqualTask *task;
    const Region *region; // the loops' own, with the conditions of the task as assumes; its arrays…
    Node *loops; // …are those of both trees. Every leaf is a copy
    Node *kernel; // with barriers
    Node *sized_kernel; // for widths.c: with what the grid's size says of its loops
    // For the flow: conditions that the data decide as choices; a barrier is a copy to `barrier`.
    Node *flow_loops, *flow_kernel;
    Node *added_kernel; // the same for values alone, with what blocks add up as sums; NULL: there is none
    bool added_reals; // …of floats, too, in another order
    const Array
        *barrier;     // its source says which: of these, or a wait for asynchronous copies, as Node.pending
    const Sym *trips; // no size: a number that is as large as any count that data tell
    bool quick; // a fast function stands somewhere, or a reciprocal
    bool lockstep; // the author counts on lanes of a warp that run in step
    bool narrow; // a number may be too large for its type (widths.c)
    const char *unordered; // why no order can be told within blocks; NULL: it can
    const DepInfo *feet; // of the region, when it is first asked for
    Rows *rows; // of its arrays, likewise
    bool *values; // of the parameters, likewise: which are signed and decide nothing but values (sizes.c)
    VEC(const Array *) laid; // arrays that the kernel has in a layout of its own…
    VEC(int) slowest; // …and which of their dimensions is the slowest there
    VEC(EqualBetter) better;
    bool ties; // somebody looks for the place of a value: which of equal ones matters
    bool least, last; // of places, that of the least value, and the last of equal ones
    VEC(const Array *) flat; // arrays with rows that the kernel has without, with addresses of 32 bits
    VEC(Multiples) multiples;
    VEC(Whole) whole;
    // EqualTask.free, the last of the region's parameters: what each is; NULL: anything
    VEC(Expr *) free;
    VEC(Expr *) granted; // conditions on the sizes that are taken for granted, and said
} Pair;

// A loop over a node's own expressions and their parts, as node_each_expr (ir/walk.h), also over a copy's.
#define copy_each_expr(x, n) EACH_(const Expr, x, preorder_expr, preorder_of_copy(&order_, n))
Preorder *preorder_of_copy(Preorder *w, const Node *n);
// NULL and a sentence in *why: something has no counterpart.
Pair *equal_pair(Compile *c, const EqualTask *t, const char **why);
Node *equal_flow_tree(Pair *p, Node *root); // flow_tree.c: as the proof looks at it
const Rows *equal_rows(Pair *p, const Array *v);
// forward.c: whole numbers of a thread that are set once, put where they are used.
Node *equal_forward(Arena *a, const EqualTask *t, int launch, Node *root);
// May arrays of a launch be the same memory, as the launch's are bound?
bool equal_same_memory(const EqualTask *t, int launch, const Array *v, const Array *w);
Node *equal_with_value(Arena *a, Node *n, const Sym *from, Expr *to); // to in from's place
Expr *equal_exact(Arena *a, Expr *x); // a quotient of which nothing is left
Node *equal_strides(Pair *p, Node *root); // strides.c: those of a grid that is large enough
// swizzle.c: columns of shared memory that change places row by row.
Node *equal_swizzle(Pair *p, Node *root);
// flow_tree.c: sequences within others as one: all of them, of one, and how many kids that has.
Node *equal_flat(Node *n, void *arena);
Node *equal_flat_seq(Arena *a, Node *n);
int equal_count_flat(const Node *n);
// phases.c: what the threads of a block add up between them, as one sum each; NULL: they do not.
Node *equal_phases(Pair *p, Node *root);
void equal_places(Pair *p); // places.c: the place of a greatest value, handed on beside it
// trips.c: loops whose trips data tell, with a number `trips` that is large enough.
Node *equal_trips(Arena *a, const Sym *trips, Node *root);
bool equal_is_stable(const Node *root, const Expr *x); // it reads nothing that root writes
// products.c: counters times sizes as elements of an array of multiples.
Node *equal_products(Pair *p, Node *root);
Expr *equal_products_of(Pair *p, Expr *x);
bool equal_is_multiple(const Expr *x);
Expr *equal_conjuncts(Arena *a, Expr *x);
bool equal_is_multiple_array(const Array *v);
// factors.c: numbers that run to a product of sizes, as a loop for each factor.
Node *equal_factors(Pair *p, Node *root);
// sizes.c: does a parameter say how far loops run, how large arrays are or which elements are touched?
bool equal_directs(const Pair *p, const Sym *s);
// sizes.c: how many rows of v the loops touch, or more; NULL: that is not told.
Expr *equal_rows_touched(Pair *p, const Array *v);
void equal_not_negative(Pair *p, Expr *x); // pair.c: from now on it is taken for granted, and said
// split.c: x over rows of the extents of v, [x / n1n2][x % n1n2 / n2][…], as far as x is a sum of products;
// and with sizes that are multiples.
Expr **equal_split_flat(Arena *a, const Array *v, Expr *x);
Expr **equal_split(Pair *p, const Array *v, Expr *x);
bool equal_same_sum(Arena *a, const Expr *x, const Expr *y); // of products, whatever their order and types
Expr *equal_in_parts(Pair *p, Expr *x); // with n as 4 * (n / 4), for sizes that are multiples
// roll.c: what the fields of a vector are copied one by one, as a loop over them.
Node *equal_roll(Arena *a, Node *root);
// digits.c: thread loops as loops over the digits that their counters are divided into.
Node *equal_digits(Arena *a, Node *root);
// As what update x would add to an element: its operator, OP_SET for none.
Op sum_operator(const Expr *x);
bool is_parallel(const Node *loop);
bool is_own(const Array *v); // a number that a thread declares, or keeps from phase to phase
#endif
