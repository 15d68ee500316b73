// SPDX-License-Identifier: MIT
// normal.h -- what the passes from a raw region to the final one share.
//
// Each pass takes a Region and makes a new one; normal.c runs them in order:
//
//   subst     index temporaries and induction variables become functions of the counters
//   digits    for (k < n*m) b[k / m][k % m] becomes for (i < n) for (j < m) b[i][j]
//   ring      (i + n - 1) % n becomes i - 1 >= 0 ? i - 1 : i + n - 1
//   left      what counters and pointers are behind the region is written down
//   limits    the least, else the greatest, are looked for one by one
//   record    the greatest with its place, the last that fulfils a condition, become reductions
//   groups    for (j = q*m; j < (q+1)*m; j++) becomes a loop from 0 to m
//   shape     a[i*n + j] becomes a[i][j]
//   carry     y[i] = y[i - 1] + e becomes s = s + e; y[i] = s
//   delay     a scalar that hands a value on to the next iteration is computed there once more
//   private   scalar temporaries move to the innermost block that needs them
//   keep_last an array that each iteration writes before it reads it gets a copy for each
//   sweeps    sums over all rows so far are sums along rows, and then sums down columns
//   update    x = x + e becomes x += e, if (e > x) x = e becomes x max= e
//   fma       a*b + c is rounded once
//   columns   sums of neighbours in an image are added up column by column
//   both      if (x == y) d[i] = e; else d[i] = f; becomes d[i] = t behind the condition
//   chunks    x = a*x + b in chunks, each from zero and from one, then as it is from where it begins
//   direct    v[j][i] = s; v[i][j] = v[j][i] becomes v[j][i] = s; v[i][j] = s
//   recover   what is done where a term is NaN is looked for behind the sum
//   forward   t = x - y; s += t*t becomes s += (x - y) * (x - y)
//   untile    for (ii += 64) for (i = ii; i < min(ii + 64, n)) becomes for (i < n)
//   halves    s += (k <= i ? a[i][k] : a[k][i]) * b[k] becomes a sum up to i and one behind it
//   upward    loops that count down count up
//   inspect   extents that only the data tell
#ifndef SCULPT_NORMAL_H
#define SCULPT_NORMAL_H
#include "front/passes.h"
#include "ir/ir.h"

// State of one normalisation.
typedef struct Normal {
    Compile *c;
    Arena *a;
    VEC(const char *) names; // every name in use
    const Sections *told;    // what the program says of extents; NULL: nothing
    Left *left;              // what the program uses behind the region; NULL: nothing
    MarkKind marked;         // what made it a region
    bool once;               // a load is never repeated, not even in a subscript
} Normal;

typedef VEC(const Array *) ArrayVec;

Region *pass_subst(Normal *m, Region *r);
Region *pass_digits(Normal *m, Region *r);
Region *pass_ring(Normal *m, Region *r);
Region *pass_left(Normal *m, Region *r);    // NULL after a remark
Region *pass_limits(Normal *m, Region *r);
Region *pass_record(Normal *m, Region *r);
Region *pass_groups(Normal *m, Region *r);  // upward.c
Region *pass_shape(Normal *m, Region *r);
Region *pass_carry(Normal *m, Region *r);
// carry_back.c: elements that iterations before have set are handed on in scalars. What comes before the loop
// goes to *first.
Node *carry_back(Normal *m, Node *loop, Node **first, ArrayVec *scalars);
Region *pass_delay(Normal *m, Region *r);
Region *pass_private(Normal *m, Region *r);
Region *pass_keep_last(Normal *m, Region *r);
// private.c: the loop that alone of what stands in sequences uses v; NULL: there is none.
Node *only_loop_with(Node *n, const Array *v);
// keep_last.c: has each iteration elements of x of its own, told by one subscript?
bool uses_own_elements(Arena *a, const Node *loop, const Array *x);
Region *pass_sweeps(Normal *m, Region *r);
Region *pass_update(Normal *m, Region *r);
Region *pass_fma(Normal *m, Region *r);
Region *pass_wrap(Normal *m, Region *r);    // wrap.c
Region *pass_both(Normal *m, Region *r);
Region *pass_chunks(Normal *m, Region *r);
Region *pass_direct(Normal *m, Region *r);
Region *pass_recover(Normal *m, Region *r);
Region *pass_forward(Normal *m, Region *r);
Region *pass_arms(Normal *m, Region *r);
Node *arms_as_one(Arena *a, Node *n); // both arms of a condition as one statement, where they set one element
Region *pass_columns(Normal *m, Region *r);
Region *pass_untile(Normal *m, Region *r);
Region *pass_halves(Normal *m, Region *r);
Region *pass_inspect(Normal *m, Region *r); // NULL after a remark
Region *pass_upward(Normal *m, Region *r);

// The passes that a hand-written kernel goes through; accesses stay as they are written.
Region *normal_kernel(Compile *c, Region *raw);

// subst.c: the region's tree with all that is known of integer temporaries put in, values and
// conditions included, even where that repeats loads. For analysis; not to be run.
Node *subst_anywhere(Normal *m, const Region *r);

// reach.c: some values between the least and the greatest of which x is, made of what is known. False: there
// are none.
typedef VEC(Expr *) ExprVec;
typedef bool ReachKnown(const Expr *x, void *arg);
bool reach_ends(Arena *a, const Expr *x, ReachKnown *known, void *arg, ExprVec *out);

// sides.c: terms of which one is x or beyond it: not less than x (most), or not more. Each is known, or
// temporaries stand in it. False: there are none. value: known terms of a temporary; false: there are none.
typedef bool SideValue(const Expr *x, bool most, void *arg, ExprVec *out);
typedef struct AtMost {
    const Expr *less, *more; // less <= more
    bool strict;             // less < more
} AtMost;
typedef VEC(AtMost) AtMosts;
bool is_own_number(const Expr *x); // a number that the region keeps for itself
const Expr *expr_without_number(const Expr *x, int64_t *more); // x is that and *more
void facts_add(Arena *a, AtMosts *f, const Expr *cond, bool holds);
bool side_terms(Arena *a, const Expr *x, bool most, const AtMosts *facts, ReachKnown *known,
                SideValue *value, void *arg, ExprVec *out);

// ---- rebuild.c: a tree made anew -----------------------------------------------------
// Maps a tree bottom up. Hooks may be NULL; each gets what stands after its parts were
// mapped and returns it or something in its place.
typedef struct Rebuild Rebuild;
struct Rebuild {
    Arena *a;
    const Array *(*array)(Rebuild *b, const Array *v); // wherever an array is named
    Expr *(*expr)(Rebuild *b, Expr *x);                // every expression node
    // A statement is mapped before its N_STMT comes to node(). NULL removes the node.
    Stmt *(*stmt)(Rebuild *b, Stmt *s);                // s is a copy of its own, to change
    Node *(*node)(Rebuild *b, Node *n);
    void *self;
    VEC(const Expr *) under; // conditions around, outermost first, as they were
    VEC(const Sym *) around; // counters of the loops around, outermost first; a mapped statement has none
};
Expr *rebuild_expr(Rebuild *b, Expr *x);
Node *rebuild_node(Rebuild *b, Node *n); // NULL: nothing is left
// The tree once more, with counters and, if so, locals of its own.
Node *tree_anew(Normal *m, Node *tree, bool locals);
// The region with another root: statements, parameters, arrays and marks collected anew by
// use; every statement's counters are those of the loops around it.
Region *region_with(Normal *m, const Region *r, Node *root);
// The region without assignments to temporaries that nothing reads.
Region *region_drop_dead(Normal *m, Region *r);

// A statement node whose counters region_with fills in; s's expressions are over those.
Node *stmt_leaf(Arena *a, const Stmt *s);
// Both in order; either may be NULL, sequences without locals are joined.
Node *seq_join(Arena *a, Node *first, Node *second);
// The sum (product, …) of the operands of two updates, without an overflow that the program has not
// (update.c).
Expr *update_joined(Arena *a, Op op, Expr *x, Expr *y);
// A local like v, under a name of its own.
const Array *local_copy(Normal *m, const Array *v);
// A name that nothing in the region has yet.
const char *name_new(Normal *m, const char *base);

// update.c: the value that the statement leaves.
Expr *stmt_value(Arena *a, const Stmt *s);
// update.c: does the assignment become an update whose order is free; permit: or would be, were it permitted?
bool update_is_free(Normal *m, const Region *r, const Stmt *set, bool permit);

// ---- scan.c: questions about trees ---------------------------------------------------
bool expr_reads(const Expr *x, const Array *v);
bool expr_reads_data(const Expr *x);                 // anything but tables of constants
bool expr_may_read(const Expr *x, const Array *v);   // v or another view of its bytes
bool stmt_reads(const Stmt *s, const Array *v);      // in rhs or a subscript
bool node_reads(Node *n, const Array *v);            // an update reads nothing
bool node_needs(Node *n, const Array *v);            // other than to assign to v
bool node_writes(Node *n, const Array *v);
bool node_uses(Node *n, const Array *v);             // either
bool has_array(const ArrayVec *v, const Array *x);
// differ.c: loops whose only leaf has the subscripts of the only statement that touches v, one for each time
// it runs, where the host can ask whether they all differ, and nothing else tells. NULL: it can't, or need
// not.
Node *differ_tree(Normal *m, Node *root, const Array *v);
ArrayVec node_written(Arena *a, Node *n); // arrays written below n, once each
// Does x have a counter or a load anywhere?
bool expr_varies(const Expr *x);
int expr_size(const Expr *x);                        // nodes
bool is_temporary(const Array *v);                   // its value is not seen after the region
bool is_literal_int(const Expr *x, int64_t *v);

// ---- affine.c --------------------------------------------------------------------------
// Is the integer expression (quasi-)affine in these counters and the parameters?
bool affine_in(Compile *c, const Expr *x, int n, const Sym *const *iters);

// ---- sum.c: integer polynomials --------------------------------------------------------
// A Sum is a polynomial with integer coefficients over atoms: counters, parameters, and
// expressions that are neither sum nor product. Plain (not wrapping) arithmetic.
typedef struct Term {
    int64_t c;      // not 0
    int n;          // factors, with repetition
    int *f;         // [n] numbers of atoms, ascending
} Term;
typedef struct Sum {
    int n;
    Term *t;        // by descending degree, then by factors
} Sum;
typedef struct Sums {
    Arena *a;
    VEC(Expr *) atoms;
    bool wraps;     // some sum_of saw 32-bit unsigned arithmetic
    const struct Shape *sized; // the array whose subscripts are tried out with numbers; NULL
    VEC(struct Sum *) facts;   // sums that are at least 0 where these are tried out
} Sums;
Sum *sum_of(Sums *k, const Expr *x);
Sum *sum_int(Sums *k, int64_t v);
Sum *sum_atom(Sums *k, const Expr *x);
Sum *sum_add(Sums *k, const Sum *x, const Sum *y, int64_t scale); // x + scale*y
Sum *sum_mul(Sums *k, const Sum *x, const Sum *y);
// x = q*y + r, r having no term that y's first term divides.
Sum *sum_div(Sums *k, const Sum *x, const Sum *y, Sum **r);
bool sum_is_const(const Sum *s, int64_t *v);
int64_t sum_constant(const Sum *s); // the number in it
int sum_degree(const Sum *s);
Expr *sum_expr(Sums *k, const Sum *s, Type t);
// stride.c: x / by, both C over the program's variables, as the host computes it; `otherwise` where something
// is left or by is not above 0. One parameter for all that ask.
const Expr *host_quotient(Normal *m, Sums *k, Type t, const char *x, const char *by, int otherwise,
                          const char *name);
// Is x - y a constant? (Which one goes to *d.)
bool expr_difference(Arena *a, const Expr *x, const Expr *y, int64_t *d);

// ---- induction.c -----------------------------------------------------------------------
// An integer scalar that a loop writes; solve_loop fills the last three.
typedef struct Recurrence {
    const Array *var;
    Expr *start;       // before the loop
    const Sym *top;    // stands for its value at the start of an iteration …
    Expr *end;         // … in its value at the end; NULL: not known
    Expr *value;       // at the start of an iteration, over the counter; NULL: not found
    Expr *final;       // after the loop; NULL: not found
} Recurrence;
void solve_loop(Arena *a, const Node *loop, int n, Recurrence *r);
// How often the loop runs, in type t; inside: where it is known to run.
Expr *loop_count(Arena *a, const Node *loop, Type t, bool inside);
// The counter in the last iteration, where there is one.
Expr *loop_last(Arena *a, const Node *loop);

// ---- boxes.c: which elements a piece of code certainly writes --------------------------
// Could n read an element of v that n itself has not certainly written before?
bool node_exposed(Arena *a, Node *n, const Array *v);
// Does every execution of n write all of v?
bool node_certainly_writes(Arena *a, Node *n, const Array *v);
// Does every execution of n write just the elements of v in one box, [rank], hi excluded?
bool node_writes_box(Arena *a, Node *n, const Array *v, Expr **lo, Expr **hi);
// The sign of counter i's constant coefficient in x; 0: it does not occur; 2: can't be told.
int counter_sign(Arena *a, const Expr *x, const Sym *i);
#endif
