// SPDX-License-Identifier: MIT
// report.h -- what `sculpt explain` has to say of a file, before anybody has chosen how to print it.
//
//   Report ─ Subject (a region, or a hand-written kernel and its launch)
//              ├ facts    tables of what was understood: arrays, accesses, dependences, loops
//              ├ now      the nest that runs, its cost on the machine, findings
//              ├ before   what it is compared with: the same without the recipe, or plainly mapped
//              ├ rungs    the nest after each step on the way there
//              └ fix      the recipe that the findings suggest
//
// driver/ makes it (advice*.c, facts.c); text.c, json.c, sarif.c and html*.c print it. So what one
// says the others say. Everything lives in report->a.
#ifndef SCULPT_REPORT_REPORT_H
#define SCULPT_REPORT_REPORT_H
#include "model/findings.h"
#include "model/sass.h"

// ---- facts ------------------------------------------------------------------------------------------
enum { FACT_COLUMNS = 4 };
typedef struct FactRow {
    const char *cell[FACT_COLUMNS];   // NULL: empty
} FactRow;
typedef struct FactTable {
    const char *title;                // "arrays"
    int ncols;
    const char *heads[FACT_COLUMNS];
    VEC(FactRow) rows;
    const char *none;                 // what stands in the place of rows; NULL
} FactTable;

// ---- nests ------------------------------------------------------------------------------------------
// A nest at given sizes on the report's machine.
typedef struct Advised {
    const char *name;                 // "as it runs"
    const Nest *nest;                 // NULL: see why
    int nchain;                       // those that it was chosen from
    Nest **chain;
    int nvals;
    InterpVal *vals;                  // parameters that have a value
    const char *sizes;                // "n = 4096, m = 4096"
    bool guessed;                     // some of them are nobody's choice:
    const char *assumed;              // "n = 4096", those, and what else is open
    const char *beyond;               // what its data take, where that is more than the machine has; NULL
    NestCost *cost;
    Findings findings;
    const char *tree;                 // the nest's tree
    const char *kernels, *dialect;    // the kernels' text and its language; NULL: there is none
    const char *proof;                // "proved", "tested", "not proved", "as it is written" (by hand)
    // [cost->nkernels] their machine code, disassembled; NULL: not looked at
    SassMix *code;
    const char *code_why;             // why not
    const char *compiler;             // why registers are not known though asked for; NULL
    const char *why;                  // why there is nothing to say; NULL
} Advised;

// The nest after a step of a recipe.
typedef struct Rung {
    int number;                       // 0: before the first
    const char *step;
    const char *verdict;              // the judge's word; NULL: it was not asked of this step
    const char *tree;
    double seconds;                   // predicted; 0: see why
    double flops, bytes;              // done, and moved through device memory
    const char *why;
} Rung;

// What --fix suggests.
typedef struct Suggestion {
    const char *recipe;               // with the predicted time behind the lines; NULL: there is none
    double before, after;             // seconds of what runs without it, and with it; 0: not known
    double flops, bytes;              // done with it, and moved through device memory
    bool helps;
    const char *why;                  // why it does not help, or why there is none
    const FactTable *tried;           // each step and what came of it
} Suggestion;

typedef struct Subject {
    const char *name;
    Loc loc;
    const char *kind;                 // "#pragma omp"; "kernel, grid 4, block 64"
    int first, last;                  // its lines
    VEC(FactTable *) facts;
    Advised *now, *before;            // NULL: none
    VEC(Rung) rungs;
    const char *ladder;               // whose steps they are: "the automatic mode's steps"
    const char *no_rungs;             // why there are none; NULL
    const Suggestion *fix;            // NULL: not asked for
    const char *host_why;             // why it stays on the host; NULL
} Subject;

typedef struct Source {
    const char *file, *text;
} Source;

typedef struct Report {
    Arena *a;
    const Machine *m;
    VEC(Source) sources;
    VEC(Subject *) subjects;
    int ndiags;
    const Diag *diags;
} Report;

// How much a finding matters, in SARIF's words: "warning" from a tenth of the time on, else "note".
const char *report_level(const Finding *f);
const char *report_diag_level(DiagLevel l); // "error", "warning", "note"

// ---- utf8.c
// Bytes of the UTF-8 character at s; 0: it is none, or a control character that no document may hold.
int text_character(const char *s);
const char *text_clean(Arena *a, const char *s);               // what is none becomes U+FFFD

// ---- figures.c: numbers for people ----------------------------------------------------------------
const char *figure(Arena *a, double x, const char *unit);      // "48.8 Tflop/s"
const char *figure_seconds(Arena *a, double s);                // "2.86 ms"
const char *figure_percent(Arena *a, double part, double all); // "38 %"
const char *figure_gain(Arena *a, double x);                   // "2090", "1.46"
// The instructions that count, and where: of the machine code where it was looked at, else of the tree; of
// the inner loop where there is one.
const InstructionMix *kernel_mix(Arena *a, const KernelCost *k, const SassMix *code, const char **where);
const char *figure_grid(Arena *a, const KernelCost *k);        // "16 x 32 blocks"
// how much of it was followed: "28 of 4096 blocks"; NULL: all
const char *figure_seen(Arena *a, const KernelCost *k);
// loops and branches that the data decide, and what is assumed; NULL: none
const char *figure_guesses(Arena *a, const KernelCost *k);
const char *figure_findings(Arena *a, const Findings *f);      // "1 error, 2 findings"
const char *figure_weight(Arena *a, const Finding *f);         // "12 % of the time", "error SC0209"
double nest_flops(const NestCost *n);                          // of all launches
// through device memory, each that must move at least once
double nest_bytes(const NestCost *n);
double nest_compulsory(const NestCost *n);                     // that any order would move
bool nest_is_double(const NestCost *n);
// Copies of one access (unrolled, or in a pipeline's stages) as one: their sum. False: access `at`
// was in the sum of one before.
bool access_sum(const KernelCost *k, int at, AccessCost *sum);

// ---- printers -------------------------------------------------------------------------------------
void report_text(FILE *out, const Report *r);
typedef struct json_t json_t;
json_t *report_json(const Report *r, const Subject *s);         // what the advisor says of a subject
// A string; NULL is null. A path or a line of source need not be UTF-8: what is not becomes U+FFFD.
json_t *report_json_text(const char *s);
json_t *report_json_diags(const Report *r);
json_t *report_json_all(const Report *r);                       // a whole report of kernels or nests
json_t *report_sarif(const Report *r);
const char *report_html(const Report *r);
#endif
