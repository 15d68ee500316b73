// SPDX-License-Identifier: MIT
// code.h -- a kernel's tree made ready for walking: accesses found, figures to be filled in.
#ifndef SCULPT_MODEL_CODE_H
#define SCULPT_MODEL_CODE_H
#include "model/form.h"
#include "model/model.h"

typedef struct Code Code;

// One access below a node.
typedef struct Site {
    AccessCost *cost;
    const Array *array;
    Expr *const *sub;
    int64_t *pitch;         // [rank] bytes for one step of a subscript; NULL: an extent is not known
    Form *form;             // its address, made at the first visit
    Moved moved;            // by the author's own conversion to a vector: with what else
    // packed or moved: the access that moves this field's bytes with its own; NULL: alone
    struct Site *lead;
    int lead_width;         // of the lead: bytes a lane, and
    int64_t lead_shift;     // where they begin, from its own field
    Code *hoist;            // the outermost loop that need not repeat it; NULL: none
    double index;           // instructions for its subscripts, if not known before
    bool fixed;             // no size has a say in its address
    bool steady;            // iterations of the innermost loop lie a literal distance apart
    int probes;             // how often its strides were looked at
    Request last;           // the last request that was counted, and…
    bool counted;           // …there was one: what it costs, and
    bool strided;           // how far its lanes lie apart
    int64_t stride;
    SharedCost shared;
    GlobalCost global;
} Site;

// A comparison below a loop that goes with its counter.
enum { MAX_BENDS = 12, MAX_PERIOD = 512, MAX_KINDS = 8 };
typedef struct Bend {
    const Expr *test;
    int ninside;
    Code **inside;          // loops between, outermost first
} Bend;

// A division or a function of what memory holds: straight code computes it once.
typedef struct Heavy {
    const Expr *x;
    const Site *site;       // one of its loads
    InstructionMix mix;     // of all of it, in the mean over copies
} Heavy;

struct Code {
    const Node *n;
    Code *parent;
    int nkids;
    Code **kids;            // then, other of an N_IF; other may be missing
    int nsites;
    Site **sites;           // of a loop's bounds or a branch's condition: seen at entry
    InstructionMix once;    // of one execution, without what stands below
    double flops;           // of one execution by one lane
    Expr *rhs;              // N_STMT, N_COPY: what it computes; constants.c
    int nheavy;
    Heavy *heavy;
    bool touches;           // it or something below makes memory requests
    bool steps;             // something below sets a private integer that others read
    const Code *before;     // N_IF: the outermost loop that compilers can decide it before; NULL: none
    const Array *set;       // N_STMT, N_COPY: the private integer that it sets to…
    Expr *value;            // …this (NULL: to something unknown)
    int nreads;             // private variables that it reads; see path.c
    const Array **reads;
    bool bent;              // N_FOR: branches or loops below go with its counter
    // and compare it with another block loop's, or say how long a serial loop is: tiles of a triangle
    bool slanted;
    int nbends;
    Bend *bends;            // of those the comparisons
    int nturns;
    const Expr **turns;     // comparisons that come round with the counter: k % 64 == 63
    int64_t period;         // …after so many iterations
    struct Turns *turned;   // as they were found last, while walking; NULL: not yet
    struct Piece *piece;    // recall.c: visits alike are counted once; NULL: each is gone through
    bool leaf;              // a serial loop without another inside
    BranchCost *branch;     // N_IF, N_FOR
    // ---- while walking
    bool first;             // in the first iteration that is looked at
    double entry_weight;    // of the loop's entry
    double visits;          // warps that come by with a lane at work, over the launch
    double entries, iterations;
    InstructionMix sum;     // of all executions
};

// Stretches of an array, bounded by the elements of another.
typedef struct IndexArray {
    const Array *row;
    const Array *walked;        // NULL where no subscript is known to go along
    int dim;                    // which subscript does…
    int64_t by;                 // …by so many elements an iteration
} IndexArray;

typedef struct Program {
    Arena *a;
    const Nest *nest;
    const Node *kernel;
    const Machine *m;
    Env env;                // parameters
    Code *root;
    VEC(AccessCost *) accesses;
    VEC(BranchCost *) branches;
    VEC(Code *) loops;
    struct Digits *digits;    // recall.c
    VEC(IndexArray) stretches;
    VEC(const Array *) privates; // numbers of rank 0 that threads keep: integers, and…
    VEC(const Array *) floats;   // …floats that integers are made of
    VEC(const Array *) locals; // private arrays in local memory
    VEC(const Array *) held;   // operands of matrix instructions, which are in registers
    int64_t threads, blocks;  // a block; of the grid
    KernelGrid g;
    struct Plan *plan;        // how closely to look; NULL: to be chosen
    int size;                 // how many sizes there were before this one
    bool assumed;             // data decide some of what was counted so far
} Program;

Program *program_new(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                     const Machine *m);
// The same kernel of the same nest with other values of the same parameters: nothing is counted yet, and what
// pieces of it were found to do is kept.
void program_again(Program *p, int nvals, const InterpVal *vals);
// A kernel's cost. kept: its program, for the next time; *kept: NULL at first; kept: NULL: for this time
// alone.
KernelCost *kernel_cost(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                        const Machine *m, int requests, Program **kept);
// stretches.c: loops whose bounds are neighbours in an index array; their length, anew for other values
void stretches_find(Program *p, int nvals, const InterpVal *vals);
void stretches_measure(Program *p, int nvals, const InterpVal *vals);
int64_t array_offset(const Array *x);   // bytes from the base to element 0
// mix.c
void mix_add(InstructionMix *to, const InstructionMix *x, double weight);
// What a statement or a copy issues besides its memory instructions, and its operations a lane.
// contract: its compiler may join products and sums by itself. found: numbers that it finds are no literals
// in its text. chained: products that an update sums are added to it one by one.
InstructionMix mix_expr(const Expr *x, bool contract, bool found);
bool mix_is_plain(const char *fn); // one instruction
InstructionMix mix_of(const Node *n, const Expr *rhs, bool contract, bool found, bool chained,
                      double *flops);
// What a subscript costs beside the multiply-adds of the address, in each iteration of the loop over iter
// (NULL: of none): minima, choices, remainders.
double mix_index(const Expr *x, const Sym *iter);
// functions.c: the instructions of an operator or a call, without its operands'. by_hand: its compiler is the
// author's, else the kernel is printed by emit/.
typedef struct Sequence {
    double arithmetic;      // in the type's arithmetic
    double special;         // by the special-function unit
    double others;          // integers, tests, jumps
} Sequence;
Sequence mix_sequence(const Expr *x, bool by_hand);
double mix_length(const Expr *x, bool by_hand); // all of them, in turn
// x is 1 / sqrtf(y) of a kernel that sculpt prints, a sequence of its own: y. Else NULL.
const Expr *mix_inverse_root(const Expr *x, bool by_hand);
// unroll.c: iterations of a loop with such bounds; statements and branches below a node; are a loop's bounds
// literals; is it, with all loops inside, so short that it is written out?
int64_t code_trips(int64_t lo, int64_t hi, int64_t step);
int code_statements(const Code *c);
bool code_is_literal(const Code *c);
bool code_is_small(const Code *c);
// Is the loop gone in machine code, so that its counter is a number everywhere?
bool code_is_written_out(const Code *c);
// The part of a loop's overhead that one of its iterations has: 1 / unrolling.
double code_share(const Program *p, const Code *c);
// An access of c; NULL where it is known already. text: how the user wrote it; NULL: as the tree says.
AccessCost *code_add_site(Program *p, Code *c, const Array *array, Expr *const *sub, bool write, bool atomic,
                          const char *text, Moved moved);
// constants.c: what statements and copies compute: rhs, once and flops, of c and all below.
void constants_find(Program *p, Code *c);
// local.c: fills p->locals, and adds their accesses.
void local_find(Program *p);
const Array *local_base(const Array *x);    // the array of which x is a part
int64_t local_bytes(const Array *x);        // of one thread; 0: not known
bool local_is_fixed(const Array *x, Expr *const *sub, const Code *c); // these subscripts ask for no memory
// Where `offset` of a thread's array lies among those of its warp.
int64_t local_place(const Array *x, int64_t offset, int lane, int lanes);
// spill.c: requests that a loop makes for words of a thread's arrays for which there are no registers. To be
// asked for after the walk. loop: NULL: there is none.
double spill_requests(Program *p, const KernelCost *k, const Code *loop);
// path.c: cycles from a block's begin to its end if it were alone. near: loads find all in the first-level
// cache; else where past_l1 and past_l2 of the accesses say. To be asked for after the walk, which found k.
double program_path(Program *p, const KernelCost *k, bool near);
// bends.c: of c and all below.
void bends_find(Program *p, Code *c);
// walk.c: fills the figures of p; k: those of the whole kernel. most: requests that are followed, about.
void program_walk(Program *p, KernelCost *k, int most);
#endif
