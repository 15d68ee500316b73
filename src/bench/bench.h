// SPDX-License-Identifier: MIT
// bench.h -- what `sculpt bench` and bench/measure share: orders, sources, ladders, tables.
//
// This room needs libsculpt alone; where a region's text comes from is the caller's
// business: `sculpt bench` reads the C file, bench/measure what bench/prepare left.
#ifndef SCULPT_BENCH_H
#define SCULPT_BENCH_H
#include "tune/images.h"
#include "tune/tune.h"

typedef VEC(const char *) Texts;
typedef struct Ceilings {
    bool tried;
    double fma;                   // GFLOP/s
    double copy, read, write;     // GB/s
} Ceilings;

typedef struct Bench Bench;
struct Ladder;
struct Results;
struct NoteTimes;
struct KeptTries;
struct Bench {
    Arena *a;
    // The region's text of a source ("bench/gemm/nn"); NULL with a reason in *why.
    const char *(*region)(Bench *b, const char *source, const char **why);
    // Kept results of a ladder instead of measuring: reads `from`. NULL: can't be. False after a message.
    bool (*kept)(Bench *b, const struct Ladder *l, struct Results *out);
    bool (*kept_notes)(Bench *b, struct NoteTimes *out); // …of `notes`: reads `against`
    bool (*kept_tries)(Bench *b, struct KeptTries *out);  // …of `prices`: reads `from`
    void *arg;                    // the caller's
    // ---- the order
    const char *verb;             // "ladder", "sgemm", …
    Texts words;                  // what else was given
    const char *root;             // the folder that holds recipes/ and bench/
    const char *regions;          // bench/measure: where prepared regions are
    const char *device;           // NULL: the best
    const char *variants;         // a file of recipes
    Texts recipes;                // files
    bool automatic;               // the automatic nest too
    bool shapes;                  // and each of the planner's shaped nests alone
    Texts sources, sizes;
    SettingVec settings;
    const char *only;             // a part of the name of rungs or variants
    const char *target;           // gpu, cpu: only rungs for these. NULL: all
    Texts from;                   // files of kept results, to be printed
    // a file of kept times (notes): predicted anew beside them, nothing measured
    const char *against;
    const char *out;              // JSON lines to that file; "-": instead of the table
    const char *keep;             // a folder for kernels' texts and images
    const char *nest_dir;         // a folder for nests' texts
    int pairs, samples;
    double budget, keep_ratio;
    double regret; // of `prices`: what choosing may lose in the mean, as a part; six times that in a cell
    double limit;                 // seconds; what is not begun by then is left out, and says so. 0: none
    const char *resume;           // after a restart: "source size variant" to go on with, numbers
    uint64_t seed;
    Judging judging;
    bool again;                   // measure what is remembered, too
    bool reassociate, approximate, fast_math, host_to_host, quiet;
    HostKind host;            // whose memory
    // ---- while running
    double start;                 // time_now()
    FILE *json;
    const char *machine;          // the device's name, for tables
    Lab *lab, *cpu;               // the device asked for; the host's processor, for its rungs
    Images *images, *cpu_images;
    Ceilings ceilings, cpu_ceilings;
    bool cache_tried;
    struct Cache *cache;          // what was decided by measuring; NULL: none can be had
    int failed;                   // figures that should be there and aren't
};

// Reads words of a command line. NULL, or what is wrong with them.
const char *bench_options(Bench *b, int argc, char **argv);
// The folder that holds bench/ and recipes/: here, above the folder that sculpt was built in, or share/sculpt
// where it is installed.
const char *bench_root(Arena *a);
// Does what was asked; the exit status.
int bench_run(Bench *b);

// ---- what the verbs use ----------------------------------------------------------------------
Lab *bench_lab(Bench *b, bool cpu);               // opened on first use; NULL after a message
const Ceilings *bench_ceilings(Bench *b, bool cpu);
const char *bench_file(Bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3))); // below root
// "4096" or "4096x64x2049": settings for n, m, p and their other names.
bool bench_size(Arena *a, const char *size, SettingVec *out);
// "4080..4112", "512,1024": sizes one by one.
void bench_sizes(Arena *a, const char *text, Texts *out);
// The region's text; *nests: the nests' that follow it, or NULL.
const char *bench_split(Arena *a, const char *text, const char **nests);
Case *bench_case(Bench *b, Lab *l, const char *source, const char *size, const SettingVec *more,
                 const char **why);
void bench_keep(Bench *b, const Trial *t);        // writes its texts where the order says
TrialOptions bench_timing(const Bench *b);
bool bench_is_late(const Bench *b);               // is the limit over?
// Starts this program anew at "resume", after a fault that leaves the device useless to the whole
// process (a kernel that went astray). Returns only where that can't be done.
void bench_restart(Bench *b, const char *resume);
double bench_rate(double work, double seconds);   // G/s; 0: not known
void bench_say(const Bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3))); // progress

// ---- JSON: one object a line -----------------------------------------------------------------
Text json_open(Arena *a);
void json_text(Text *t, const char *key, const char *value);   // NULL: null
void json_number(Text *t, const char *key, double value);      // not finite or < 0: null
void json_bool(Text *t, const char *key, bool value);
void json_trial(Text *t, const Case *k, const Trial *trial);   // its figures, kernels and why
void json_close(Bench *b, Text *t);

// ---- verbs -------------------------------------------------------------------------------------
int bench_try(Bench *b);      // sgemm, try: variants against the vendor
int bench_ladder(Bench *b);
int bench_notes(Bench *b);    // the lecture notes' topics, predicted and measured
int bench_prices(Bench *b);   // kept tries priced anew
int bench_space(Bench *b);    // space.c: a space measured whole
int bench_tuned(Bench *b);    // tuned from nothing, beside recipes
int bench_machine(Bench *b);  // prints the file of the machine that is here (devices/*.dev)
int bench_inclusion(Bench *b); // optional steps, in or out
#endif
