// SPDX-License-Identifier: MIT
// tune.h -- measuring: one region at one size on one device, and many ways to run it.
//
//   Lab    a device, its vendor's library, host threads
//    └ Case    a region's text with values for its parameters: arrays of random numbers in host
//    │         and device memory, a sample of the right results in FP64, the vendor's answer
//       └ Trial   one way to run it (a recipe, the automatic nest, a nest as text):
//                 built (in any thread), then run, checked and timed (by the lab's one thread)
//
// Nothing here prints; what went wrong stands in `why`.
#ifndef SCULPT_TUNE_H
#define SCULPT_TUNE_H
#include "dep/dep.h"
#include "device/device.h"
#include "model/machine.h"
#include "plan/plan.h"

typedef struct Vendor Vendor;
typedef struct Lab {
    Arena *a;
    Device *d;
    const DeviceInfo *info;
    const Machine *machine; // that nests are planned for instead (SCULPT_PLAN_FOR); NULL: the device
    Vendor *vendor;        // NULL: none was found…
    const char *no_vendor; // …and why
    int threads;           // of the host, for filling, checking and compiling
} Lab;
// Opens a device ("" or NULL: the best) and the vendor's library. NULL with a reason in *why.
Lab *lab_open(Arena *a, const char *spec, const char **why);
int lab_threads(void); // of the host
Lab *lab_bare(Arena *a, const char *spec, const char **why); // without the library
// Seconds of device time for one go(arg), as the mean of `repeat` calls; < 0: one failed.
double lab_time(Lab *l, int repeat, bool (*go)(void *arg), void *arg);
double median(int n, double *values); // sorts them

// ---- a case --------------------------------------------------------------------------------
// A parameter's value: arithmetic (+ - * / %) over numbers and settings before it.
typedef struct Setting {
    const char *name, *value;
} Setting;

typedef struct Object {
    const char *name;     // of the base pointer
    size_t bytes;
    bool in, out;         // the region reads it first, writes it
    bool pinned;          // host and result are the device's pinned memory
    char *host;           // the values before
    char *result;         // what a trial left; NULL unless out
    char *vendor;         // what the vendor's library left; NULL: nothing
    DevPtr ptr;
} Object;

// One element of what the region writes, and what stands there afterwards.
typedef struct Sample {
    const Array *array;
    int object;
    int64_t offset;       // bytes from the base pointer
    double value;         // computed in FP64
    double terms;         // how many updates made it; at least 1
} Sample;

// The region as the vendor's product, column-major: C(m,n) = alpha op(A) op(B) + beta C.
typedef struct Product {
    int c, a, b;          // objects
    bool ta, tb;          // transposed
    int64_t m, n, k, lda, ldb, ldc;
    float alpha, beta;
} Product;

typedef struct Case {
    Lab *lab;
    Arena *a;
    Compile *c;
    const char *name, *text;  // the region's text
    const Region *region;
    const DepInfo *dep;
    int nvals;
    InterpVal *vals;          // of the region's parameters
    int nobjects;
    Object *objects;
    double flops, bytes;      // < 0: they can't be counted
    int nsamples;
    Sample *samples;
    const char *unsampled;    // why there is no sample; NULL: there is one
    bool is_product;
    Product product;
    double bound;             // no right answer errs by more (in the measure of `error`)
    double vendor_error;      // < 0: the vendor has no answer
} Case;
typedef struct CaseOptions {
    uint64_t seed;
    int samples;              // how many elements are checked
    bool vendor;              // ask the vendor's library for its answer, where it has one
    bool poison;              // what the region only writes begins as NaN
    int nsettings;
    const Setting *settings;
} CaseOptions;
// Memory on the host and on the device goes with case_free. NULL with a reason in *why.
Case *case_new(Lab *l, const char *name, const char *text, const CaseOptions *o, const char **why);
void case_free(Case *c);
// Only the values of the region's parameters, of a case that has its arena, region and dependences; reasons
// live in `say`. False with one in *why.
bool case_values(Case *c, const CaseOptions *o, Arena *say, const char **why);
// Sends the first values of what the region writes to the device again.
bool case_reset(Case *c);
// Brings what it wrote into `result` (vendor: into `vendor`).
bool case_fetch(Case *c, bool vendor);
// The greatest error over the samples: |x - right| / sqrt(terms). NaN counts as infinite.
double case_error(const Case *c, bool vendor);
// The greatest difference between `result` and `vendor` over all elements, over sqrt(terms).
double case_difference(const Case *c);

// ---- a trial --------------------------------------------------------------------------------
enum { TRIAL_CHAIN = 4 };
// Where the arrays live on the host, for times from host to host.
typedef enum HostKind {
    HOST_PINNED,
    HOST_PAGEABLE,   // as malloc gives them
    HOST_REGISTERED, // the same, page-locked for the time of the run; that time counts
    HOST_MANAGED,    // one address for host and device; pages move when they are touched
} HostKind;
bool host_kind_named(const char *name, HostKind *out);   // false: there is no such kind
typedef enum TrialKind { TRIAL_RECIPE, TRIAL_AUTOMATIC, TRIAL_NEST, TRIAL_VENDOR } TrialKind;
typedef struct TrialKernel {
    const char *name;
    int64_t grid[3], block[3];
    KernelUsage usage;        // registers 0: the driver doesn't tell
    int64_t shared;           // bytes a block, all of them
} TrialKernel;
typedef struct Built Built;   // build.h
typedef struct Images Images; // images.h
typedef struct Trial {
    const char *name;
    TrialKind kind;
    const char *text;         // the recipe; TRIAL_NEST: "nest …" text
    // TRIAL_AUTOMATIC: only this one of the shaped nests, from 1; 0: the whole chain
    int shape;
    const char *file;         // for messages
    // More recipes: their nests follow in the chain, for the sizes that the first one's condition
    // leaves. NULL ends.
    const char *without;      // optional steps of the recipe to leave out, separated by commas; NULL: none
    const char *then[TRIAL_CHAIN], *then_file[TRIAL_CHAIN];
    Judging judging;
    bool reassociate, approximate, fast_math; // permissions
    bool travels, pageable;   // the nest is chosen for data that come from the host, from such memory
    bool one_by_one;          // launches that could be a graph are not
    // Only the kernels that the sizes lead to, with small sizes compiled in, as programs get them; a
    // TRIAL_AUTOMATIC always. Else all, for all sizes, as the recipe says.
    bool as_called;
    Images *images;           // compiled texts to share between trials; NULL: none
    const char *why;          // why there is no figure; NULL: there is one
    Built *built;
    bool proved;
    double plan_s, compile_s; // building
    const char *nest, *source;// as text; NULL: not so far
    const char *text_of_nest; // "nest …" alone: what TRIAL_NEST takes
    const void *image;        // what the compiler made
    size_t image_size;
    int link;                 // which nest of the chain runs, from 0
    double cost_us;           // what its own estimate said; 0: it has none
    double instances;         // statement instances that run, ghosts included; < 0: not known
    int nkernels;
    TrialKernel *kernels;
    double first_s;           // the first timing; 0: none
    bool skipped;             // too slow to be timed further
    int pairs;
    double median_s;          // 0: not timed
    double vendor_s;          // of the same pairs; 0: none
    double ratio;             // the median of vendor over ours
    double host_s;            // host to host; 0: not asked
    double serial_s;          // the same launches with all data sent before and fetched behind; 0:
                              // the nest isn't streamed, so that is host_s
    double pin_s;             // of host_s: page-locking the arrays; 0: none were
    double error;             // < 0: not checked
    double difference;        // < 0: no vendor
    bool right;
} Trial;
typedef struct TrialOptions {
    bool unchecked;           // a probe whose results nobody can foretell is timed all the same
    int pairs;                // at least so many
    int calls;                // the nest runs so often for one figure (0: once)…
    // …and the host fetches a value behind every so many runs (0: never; -1: waits behind each)
    int looks;
    double budget_s;          // and no more once this time has passed (0: none)
    double best_s;            // skip what is slower than this over `keep`; 0: nothing is known
    double keep;
    bool host_to_host;
    HostKind host;
} TrialOptions;
// From recipe to machine code, with a device of its own where that can be (so in any thread).
// false: t->why says why.
bool trial_build(const Case *c, Trial *t, Device *d);
// Loads, runs once and checks, times. false: t->why.
bool trial_run(Case *c, Trial *t, const TrialOptions *o);
void trial_free(Trial *t);
// A way that others are compared with and timed beside: loaded, run once, and what it left is kept. It goes
// with base. NULL: base->why.
typedef struct Standard Standard;
Standard *trial_standard(Case *c, Trial *base);
// Beside it: what `t` leaves must be what the standard left, twice, in each element, and right where that was
// sampled; then both are timed in turns. t->why and t->right as after trial_run.
typedef struct Duel {
    double seconds, base;     // medians
    double gain, low;         // of base over t in the same turn: median, lower quartile
    double first;             // t's first time
    bool slow;                // that was so long that it was not timed further
    int pairs;
} Duel;
void trial_duel(Standard *s, Trial *t, const TrialOptions *o, Duel *out);
// Builds all of them, in parallel where the device's kind allows it.
void trials_build(const Case *c, int n, Trial *trials);

// ---- text ------------------------------------------------------------------------------------
// The value of a setting after those before it. False: it is no arithmetic over them.
bool setting_value(Arena *a, int n, const Setting *all, const char *text, int64_t *v);
// "name=value" words separated by blanks or commas, added to those there are.
typedef VEC(Setting) SettingVec;
bool settings_read(Arena *a, const char *text, SettingVec *out);
#endif
