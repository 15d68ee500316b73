// SPDX-License-Identifier: MIT
// model.h -- what a kernel costs on a machine: coalescing, banks, divergence, instructions, time.
//
// The analysis takes a nest with values for its parameters, and a machine; it knows nothing of
// who made the nest (the planner, a recipe, a reader of hand-written kernels). It runs some warps
// of some blocks through the tree, all lanes at once, and looks at the addresses that they ask
// for: loops of many iterations, and grids of many blocks, are represented by some of theirs
// (the last, and others evenly spread over the loop and over the positions within 256 bytes),
// weighted with how many each stands for. So figures of a launch are exact where a loop has few
// iterations, all are alike, or they differ by affine conditions and bounds; good estimates elsewhere. What
// only the data tell is assumed, and `assumed` says so: an unknown subscript goes to a sector of its own in
// each lane (unless all lanes share it), an unknown loop makes MODEL_TRIPS iterations (of a stretch that is
// dealt to lanes, all of them together), an unknown branch is taken.
#ifndef SCULPT_MODEL_H
#define SCULPT_MODEL_H
#include "ir/ir.h"
#include "model/machine.h"
#include "model/occupancy.h"

enum { MODEL_TRIPS = LOOP_ROUNDS }; // iterations of a loop whose number only the data tell
enum { MODEL_DIMS = 24 };           // loops around an access
// Operations from which on a call has kernels compiled for its sizes (run/sizes.c).
enum { MODEL_SIZED = 100000000 };

// One loop around an access and how far it moves the address.
typedef struct AccessDim {
    const Node *loop;
    double trips;
    int64_t stride;                 // bytes from one iteration to the next
    bool known;                     // it is always the same
    int nplaces;                    // where it is not and the loop is written out: of its iterations,
    const int64_t *place;           // …bytes from the first to each; nplaces 0: that is not known
} AccessDim;

// One access of the tree; its figures are sums over all warps of the launch.
typedef struct AccessCost {
    const Node *node;
    Loc loc;                        // of the user's statement where there is one
    const Array *array;
    const char *text;               // "b[k][i]"
    bool write, shared, atomic;
    // …in constant memory: it counts as shared, and gives a warp one word at a time
    bool constant;
    // to a private array in local memory: as global memory, but a thread's own
    bool local;
    bool asked;                     // local: which element is known only when it runs, and…
    const Node *asks;               // …this loop says so; NULL: threads or data do
    bool async;                     // by a copy that passes no register
    bool assumed;                   // data decide where it goes
    bool gathers;                   // a subscript is a value of memory, or follows from one
    int width;                      // bytes a lane in one instruction, the most seen
    double requests;                // warp instructions
    double lanes;                   // of them at work
    // global memory
    double sectors, lines, useful, moved, ideal; // pieces, pieces, bytes, bytes, sectors
    double misaligned;              // requests that need a sector more because of where they begin
    // shared memory
    double wavefronts, wavefronts_ideal;
    int ways;                       // the worst conflict seen
    bool strided;                   // `stride` holds in all requests seen
    int64_t stride;                 // bytes from lane to lane
    double past_l1, past_l2;        // of its loads: the part that the first-level cache lacks, both caches
    double size;                    // bytes of the array; 0: not known
    // where the first request seen went, from the array's aligned base, in bytes
    int64_t first;
    int ndims;
    AccessDim dims[MODEL_DIMS];     // outermost first; thread loops among them
    // The costliest request seen, as an example: where its lanes go; NULL: only the data know.
    const struct Request *worst;
    int worst_cost;                 // its wavefronts or sectors
    int64_t worst_thread;           // the number of its lane 0 in the block
} AccessCost;

// A branch or a loop that lanes of a warp leave at different times.
typedef struct BranchCost {
    const Node *node;               // N_IF or N_FOR
    Loc loc;
    bool loop;
    bool assumed;                   // the data decide
    bool guessed;                   // how many iterations it makes, or whether it is taken, by any lane
    double warps;                   // warps that come by, over the launch
    double split;                   // of them, those whose lanes disagree
    double idle, busy;              // lane iterations or lane visits lost, used
    double cost;                    // instructions issued for lanes that are not at work, over 32
    double requests;                // of them, those that ask memory
} BranchCost;

// Instructions that warps issue, over the launch.
typedef struct InstructionMix {
    double fp32, fp64;              // additions, products, multiply-adds
    double matrix, products;        // matrix instructions; the multiply-adds that they do, a lane
    double special;                 // of the special-function unit: roots, reciprocals, exponentials
    double others;                  // what else divisions, roots and functions consist of: integers, tests
    double integer;                 // index arithmetic
    double global, shared;          // memory instructions
    double control;                 // loop counters, tests, jumps, barriers
} InstructionMix;
double mix_total(const InstructionMix *m);
double mix_work(const InstructionMix *m); // arithmetic: all but addresses, memory and control

typedef struct KernelCost {
    const Node *kernel;
    const char *name;
    int64_t grid[3], blocks;        // of one launch, x first
    int64_t threads;                // a block
    int64_t shared;                 // bytes a block
    int64_t held;                   // bytes a thread of operands of matrix instructions, in registers
    int64_t local;                  // bytes a thread of private arrays in local memory
    // …and of registers that its compiler keeps there; whoever has machine code sets it
    int64_t spilled;
    double spills;                  // requests for words of private arrays for which there are no registers
    int64_t warps;                  // a block
    double launches;                // how often the host's loops launch it so; model_launches: in all
    struct KernelCost *next;        // other launches of it, where the host's counters change its work; NULL
    bool noted;                     // by replaying a graph (rule batch)
    bool chained;                   // behind the first of a few launches that are replayed as one graph
    int naccesses;
    AccessCost **accesses;          // in text order
    int nbranches;
    BranchCost **branches;          // those where some warp splits
    InstructionMix mix;             // of one launch
    InstructionMix inner;           // of its innermost loop with the most instructions
    const Node *inner_loop;         // NULL: there is no loop
    const Node *sweep;              // the outermost loop of a thread around it; NULL: there is none
    // instructions of the busiest scheduler over those of the mean: 1 to as many as there are
    double uneven;
    double flops;                   // of one launch, by active lanes
    // Cycles that a block alone takes when all its loads come from the first-level cache, and when they come
    // from where `past_l1` and `past_l2` of the accesses say, which is `far` cycles more a load in the mean.
    double path_near, path, far;
    double efficiency;              // lanes at work over lanes issued
    bool assumed;                   // data decide some of it
    int nguesses;
    BranchCost **guesses;           // loops and branches of which only the data tell how often, or whether
    double idle;                    // blocks that compute nothing and ask for nothing: beyond a triangle
    double blocks_seen, warps_seen; // followed through it: of the blocks in all, of the warps in a block
    bool loops_cut;                 // of some long loops a part of the iterations
    const char *refused;            // why nothing can be said; NULL. With 0 blocks: there is nothing to do
} KernelCost;

// How closely to look: requests that are followed through a kernel, about.
enum { MODEL_CLOSELY = 12000, MODEL_ROUGHLY = 600 };
// vals: parameters of the region and counters of host loops around the kernel. A parameter
// without a value is unknown. All in arena a. Never NULL.
KernelCost *model_kernel(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                         const Machine *m);
KernelCost *model_kernel_within(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                                const Machine *m, int requests);

// Why no block of some kernel of the nest can run on the machine, with so much shared memory and so many
// threads; NULL: all can.
const char *model_lacks(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m);

// ---- time ------------------------------------------------------------------------------------
// The parts of the machine that a launch may wait for.
typedef enum Limit {
    BOUND_ISSUE,    // instructions of all kinds, one a scheduler a cycle
    BOUND_FP32, BOUND_FP64,
    BOUND_SPECIAL,  // special-function units
    BOUND_L1,       // first-level cache and shared memory: lines looked up, wavefronts
    BOUND_L2, BOUND_DRAM,
    BOUND_BLOCKS,   // blocks given out to multiprocessors
    BOUND_LATENCY,  // too few loads under way
    BOUND_COUNT
} Limit;
const char *limit_name(Limit l); // "device memory"

// Seconds of one launch.
typedef struct TimeCost {
    double seconds;                 // predicted, with the launch itself
    double all;                     // of all launches that the host's loops make
    double launch;                  // of them: between the kernel before and this one
    double start;                   // …and until its first block works and after its last
    double by[BOUND_COUNT];         // what each part of the machine alone would take
    Limit limit;                    // the longest
    double mixing;                  // how its parts overlap: the exponent of a norm
    double ends[BOUND_COUNT];       // of `by`: what lies before and behind the kernel's sweep
    double staggered;               // how these overlap with the sweeps of other blocks: the same
    double l2_bytes, dram_bytes;    // moved
    double compulsory;              // bytes that any order would move: each piece of the footprint once
    double intensity;               // operations for each of them
    double roof;                    // the roofline's seconds: operations or compulsory bytes at the ceilings
    int64_t registers;              // as they were given
    Occupancy occupancy;
} TimeCost;
// registers: a thread, as the compiler says; 0: not known. cured: accesses that are looked at as if
// they had no fault, by index (NULL: none).
TimeCost model_time(const KernelCost *k, const Machine *m, int64_t registers, const bool *cured);

// Cycles that the first-level cache or shared memory of one multiprocessor would take for access i of all
// blocks. good: as if it had no fault.
double time_l1_cycles(const KernelCost *k, int i, const Machine *m, bool good);
// Do all threads of the launch change one and the same word?
bool access_is_hot(const AccessCost *c);

double model_launches(const KernelCost *k);

// Seconds if one part had so much less to do (0 to 1); BOUND_ISSUE takes arithmetic along.
double model_without(const TimeCost *t, Limit part, double less);

// ---- a whole nest ------------------------------------------------------------------------------
typedef struct NestCost {
    int nkernels;
    KernelCost **kernels;           // each once, `launches` says how often; counters of host loops
                                    // have their middle values
    TimeCost *times;                // filled by model_nest, without registers
    double launches;                // in all
    double noted;                   // those that a graph replays (rule batch)
    double dependent;               // those that read what an earlier one writes
    double read_backs;              // host loops and branches that wait for a value of the device
    double seconds;                 // of all launches, one after another
    bool assumed;                   // how often depends on the data
    const Node *guessed;            // a host loop that is taken for MODEL_TRIPS iterations; NULL: none
} NestCost;
// So many launches, of a nest that asks the device nothing between them, are one graph (run/chain.c).
enum { MODEL_CHAIN = 16 };
// What a fact other than FACT_MISALIGN is on a machine, by its file; FACT_LINK of page-locked memory,
// FACT_TRAVELS 0.
int64_t model_fact(const Machine *m, FactKind k);
NestCost *model_nest(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m);

// The nest as a program calls it `calls` times in a row, waiting for a value of the device behind
// every `looks` of them (0: never). Changes n's sums.
void model_calls(NestCost *n, double calls, double looks, const Machine *m);
// What waiting for a value costs, in seconds, beyond a launch that nobody waits for.
double model_wait(const Machine *m);
// The same, looked at less closely: for many nests of which only the times matter.
NestCost *model_nest_roughly(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m);

// ---- the price of a nest ---------------------------------------------------------------------------
// For choosing between nests that do the same: price.c.
typedef struct Price {
    double seconds;         // of all launches. INFINITY: nobody can tell, or no block fits the machine
    Limit bound;            // what its longest kernel waits for
    const KernelCost *most; // that kernel; NULL: none is launched
    const NestCost *cost;   // of all kernels, without branches
    bool assumed;           // data decide some of it
    const char *why;        // of INFINITY; NULL otherwise
} Price;
// A nest on a machine, with what was counted of it so far.
typedef struct Priced Priced;
Priced *model_priced(Arena *a, const Nest *n, const Machine *m);
// vals: parameters of the region. What it points to lives in the arena of p.
Price model_price(Priced *p, int nvals, const InterpVal *vals);
#endif
