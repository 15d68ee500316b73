// SPDX-License-Identifier: MIT
// rule.h -- what rules share: loop chains and the small tools for building trees.
//
// A rule takes a tree and returns a new one; whether the change keeps the meaning is
// asked of dep/ by whoever applies it. One file a rule.
#ifndef SCULPT_RULE_H
#define SCULPT_RULE_H
#include "ir/ir.h"

// Fresh names within one nest.
typedef struct Names {
    Arena *arena;
    const Region *region;
    int next;
    Node *tree;       // names in it are taken, too; NULL: only the region's are
} Names;
Node *loop_named(Node *root, const char *name);         // NULL: none
Node *kernel_named(Node *root, const char *name);
Node *block_declaring(Node *root, const Array *x);
bool tree_names(Node *root, const char *name);  // a loop, a kernel or a local has that name
bool region_names(const Region *r, const char *name);
const char *name_fresh(Names *n, const char *stem);          // "stem_7"
const Sym *iter_fresh(Names *n, const char *stem, Type t);

// Loops that stand directly inside each other, outermost first, and what the last holds.
typedef struct Chain {
    int n;
    const Node *loop[16];
    Node *body;
} Chain;
Chain chain_of(Node *loop);
// The chain's loops (clones with fresh counters) around another body.
Node *chain_rebuild(Names *names, const Chain *c, Node *body);
Node *unwrap(Node *n); // the only child of blocks without locals; NULL of NULL
// body in copies of loops, the outermost first
Node *in_loops(Arena *a, int n, const Node *const *loop, Node *body);

// Sizes of a loop, in the type of its counter.
Expr *loop_trips(Arena *a, const Node *loop);                // may be negative for no iteration
Expr *loop_value(Arena *a, const Node *loop, Expr *number);  // lo + step * number
// x in the type t, computed in t wherever no value is lost that t could hold at the end:
// i32(i64(n) - i64(k)) becomes n - k.
Expr *expr_narrow(Arena *a, Type t, Expr *x);

bool node_uses_array(Arena *a, Node *root, const Array *array);
// Do all accesses of the array below root name the element array[sub]?
bool node_touches_only(Arena *a, Node *root, const Array *array, Expr **sub);
// … and are updates of it by the operator?
bool node_only_updates(Arena *a, Node *root, const Array *array, Expr **sub, Op op);

// ---- grid: loops to blocks and threads ------------------------------------------------
// for i { for k { for j … } }  →  kernel { block ib { block jb { thread jt { thread it {
//                                   if (i in range && j in range) for k … } } } } }
typedef struct MapDim {
    int loop;        // index in the chain
    int threads;     // a block in this dimension; 1: no thread loop
    Expr *lo, *hi;   // bounds without counters of the chain (its own, or a hull); in the
                     // counter's type
    bool exact;      // they are the loop's own
    bool small;      // at most 65535 blocks, whatever the parameters
    int per;         // iterations a thread, side by side (rule abreast); 0 or 1: one
    bool apart;      // they are `threads` apart, so that each row of threads stays together;
                     // else neighbours
    int64_t before;  // the blocks begin that many iterations before lo
} MapDim;
// dims: x (innermost) first, at most 3. The kernel is named `name`. NULL: `per` can't be had.
Node *rule_map_gpu(Names *names, const Chain *c, int ndims, const MapDim *dims, const char *name);
// The first `nblocks` of the dims become OpenMP loops, in chain order; `vector`: the chain's last
// loop runs in SIMD lanes.
Node *rule_map_cpu(Names *names, const Chain *c, int ndims, const MapDim *dims, bool vector,
                   const char *name);

// ---- hoist: a[i] op= … in a loop over k  →  a register, read before and written after -----
Node *rule_hoist_updates(Names *names, Node *root);

// ---- registers: loops over a thread's own small arrays, unrolled -----------------------------
Node *rule_unroll_registers(Arena *a, Node *root);

// ---- partial: an update of one element by many iterations  →  partial results ---------------
typedef struct PartialTarget {
    const Array *array;
    Expr **sub;
    Op op;
    Expr *when;          // the element is updated at all, and so exists; NULL: always
} PartialTarget;
typedef struct PartialRequest {
    Chain chain;
    int ndims, dim[2];   // the loops (indices in the chain, x first) whose iterations are dealt out
    int ntargets;
    PartialTarget *target;
    bool gpu;
} PartialRequest;

// ---- overlap: the blocks of one loop of a kernel in equal parts, launch by launch, streamed -------
// The kernels that run where all conditions of the host hold, which are those for large sizes, each with its
// blocks in one round. False: there are loops of the host, which send more than once, temporaries, or none;
// `why` says so.
enum { KERNELS_MAX = 8 };
typedef struct Kernels {
    int n;
    Node *kernel[KERNELS_MAX];
    Expr *when;
    const char *why;
} Kernels;
bool kernels_sliced(Arena *a, Node *root, Kernels *out);

// ---- assume: index arrays ---------------------------------------------------------------------
// The integer array of the program that a subscript reads alone and the region does not write; NULL: there is
// none.
const Array *rule_index(const Region *r, const Expr *sub);
#endif
