// SPDX-License-Identifier: MIT
// rungs.h -- a ladder: the steps of one document's story, each a recipe over one loop.
//
//   ladder first; title "Optimizing GPU Kernels", 2008        one thing a line; attributes after ';'
//   default source bench/gemm/nn; machine GTX 280; n 4096     what the rungs below have unless they say
//   rung K1, 32 wide; recipe sgemm2008/k1-w32; host 28; kernel 29
//
// Attributes: source NAME, recipe NAME, let NAME=VALUE…, steps STEP | STEP | …, automatic (automatic travels:
// chosen for data that come from the host and go home), one-by-one (no graph of a few launches), library,
// patterns (the pattern rules' recipe, its optional steps in or out as measuring tells),
// target gpu|cpu, memory pinned|pageable|registered|managed, set NAME=VALUE… (set -: none), n SIZES, permit
// reassociate approximate fast-math, base (gains count from here), against NAME (a ratio to that rung of the
// same size is printed), and the document's own figures, decimal GFLOP/s: host F, kernel F, machine TEXT,
// ratio F (to the rung of "against"), note TEXT; here TEXT: what is odd in today's figures, and why. '#'
// begins a comment line.
#ifndef SCULPT_BENCH_RUNGS_H
#define SCULPT_BENCH_RUNGS_H
#include "bench/bench.h"

typedef struct Rung {
    const char *name, *source, *recipe, *let, *steps, *set, *sizes, *permit, *machine, *note, *against,
        *group, *memory, *here;
    double host, kernel;      // the document's GFLOP/s; 0: none
    double ratio;             // …and how many times faster than "against" it was
    bool automatic, library, patterns, cpu, base;
    bool travels;    // automatic: chosen for data that come from the host and go home
    bool one_by_one; // launches that could be a graph are not
    int line;
} Rung;
typedef struct Ladder {
    const char *file, *name, *title;
    VEC(Rung) rungs;
} Ladder;
// NULL after a message.
Ladder *ladder_read(Bench *b, const char *name);

// What came out for one rung at one size.
typedef struct Result {
    const Rung *rung;
    const char *size, *why;
    const char *with;         // patterns: the optional steps that were kept
    double seconds, host_s;   // 0: no figure
    double serial_s, pin_s;   // see Trial
    double gflops, host_gflops, ceiling;
    double gain;              // over the rung before; 0: unknown
    double extra;             // statement instances beyond the region's, a fraction; < 0: unknown
    double library;           // its GFLOP/s in the same pairs; 0: none
    int registers;
    long long shared;
} Result;
typedef struct Results { // a VEC with a name
    Result *at;
    int n, cap;
} Results;
// of all rungs, in the order in which they are met
void ladder_sizes(const Bench *b, const Ladder *l, Texts *out);
bool ladder_has(const Bench *b, const Rung *r, const char *size);
void ladder_gain(const Results *all, int of);                 // …over the figure before it, back to a base
void ladder_table(Bench *b, const Ladder *l, const Results *r);
void ladder_remarks(const Ladder *l, const Results *r);        // of rungs that have figures
void ladder_ratios(Bench *b, const Results *r);               // of "against"
void ladder_hosts(Bench *b, const Results *r);                // of rungs that name a memory
void ladder_grid(Bench *b, const Ladder *l, const Results *r); // sizes down, rungs across
void ladder_json(Bench *b, const Ladder *l, const Result *r, const Case *k, const Trial *t);
// driver/kept.c, in sculpt alone: results of b->from, in the ladder's order; what they lack says so.
bool kept_read(Bench *b, const Ladder *l, Results *out);
#endif
