// SPDX-License-Identifier: MIT
// wise.h -- wisdom: what measuring found out, kept for good in one SQLite file of the user's.
//
//     wisdom(key, recipe, verdict, seconds, base, …)     a region at sizes on a device: its winner
//     trial(key, candidate, outcome, seconds, base)      each candidate that was measured for it
//     factor(key, bound, error)                          what the model's prices erred by there
//
// A key is a region's digest (wisdom.h), a device with its architecture and vendor, the sizes, and on how
// many bytes all arrays begin. A row holds the steps that make the nest from its region, never the nest:
// whoever takes them applies them anew and asks the judge.
//
// wise_store.c is the file, wise_text.c rows as text, wise_match.c which row a call takes.
#ifndef SCULPT_RUN_WISE_H
#define SCULPT_RUN_WISE_H
#include "device/device.h"
#include "ir/ir.h"

typedef struct WiseKey {
    const char *region;                 // 32 hexadecimal digits
    const char *device, *arch, *vendor; // "NVIDIA H200", "sm_90", "nvidia"
    const char *target;                 // "gpu" or "cpu"
    const char *sizes; // "n=512 m=64": the whole numbers among the parameters, in their order
    int64_t align;     // a power of two
} WiseKey;

typedef struct Wise {
    WiseKey key;
    const char *name; // of the region, for people
    // Steps, a line each; "": the planner's own choice; "planned DIGEST": that nest of the planner's.
    const char *recipe;
    const char *verdict;   // "proved", "tested", "default"
    const char *catalogue; // digest of the rules that made it
    double seconds, base;  // its time, and the time of the planner's choice beside it
    int64_t made;          // seconds since 1970
} Wise;
typedef VEC(Wise) WiseVec;

typedef struct WiseTrial {
    const char *candidate; // digest of what was measured
    const char *outcome;   // "ok", "wrong", "refused", "crashed", "slow", …
    double seconds, base;  // 0: no time
} WiseTrial;
typedef VEC(WiseTrial) WiseTrialVec;

// How many bits of a device two keys share.
typedef enum WiseLevel { WISE_DEVICE, WISE_ARCH, WISE_VENDOR, WISE_ANY, WISE_LEVELS } WiseLevel;
const char *wise_level_word(WiseLevel l); // "this device", …
// Fills in device, architecture, vendor and target.
void wise_device(Arena *a, const DeviceInfo *d, WiseKey *k);
// "n=512 m=64" of a region's values.
const char *wise_sizes(Arena *a, int n, const InterpVal *vals);

// ---- whether programs and tuners may: SCULPT_TUNE=off|read|write ------------------------------------
typedef enum WiseUse { WISE_OFF, WISE_READ, WISE_WRITE } WiseUse;
extern const char *const wise_words[]; // what SCULPT_TUNE may be
WiseUse wise_use(const char **wrong); // *wrong: a value that means nothing, else NULL

// ---- the file ---------------------------------------------------------------------------------------
typedef struct WiseStore WiseStore;
// $SCULPT_WISDOM, or sculpt/wisdom-1.db in the user's data folder; NULL: *why says why there is none.
const char *wise_path(Arena *a, const char **why);
// Opens a file; closed with a. write: it is made where it is not there. NULL with *why: "" where nothing was
// kept so far and !write, else what is wrong.
WiseStore *wise_open(Arena *a, const char *path, bool write, const char **why);
// Rows of a region, of all with NULL, by region and device. Rows that say nonsense are left out and counted
// in *bad (may be NULL). False with *why.
bool wise_rows(WiseStore *s, Arena *a, const char *region, WiseVec *out, int *bad, const char **why);
// The user's file, then system-wide ones (sculpt/wisdom-1.db in $XDG_DATA_DIRS) that only root may change,
// for reading; closed with a. Files that are not there or can't be read are left out; *why ("" at best) says
// what is wrong with the user's.
typedef struct WiseFiles WiseFiles;
WiseFiles *wise_files(Arena *a, const char **why);
void wise_all(const WiseFiles *f, Arena *a, const char *region, WiseVec *out, const char **why);
// Each stands in the file when it returns.
bool wise_put(WiseStore *s, const Wise *w, const char **why);
bool wise_put_trial(WiseStore *s, const WiseKey *k, const char *catalogue, const WiseTrial *t,
                    const char **why);
// What was measured for this very key under this catalogue.
bool wise_trials(WiseStore *s, Arena *a, const WiseKey *k, const char *catalogue, WiseTrialVec *out,
                 const char **why);
// What measured times were beyond the model's prices, of candidates that wait for the same: as a logarithm, a
// figure a region and size, so that one that was measured much counts no more than another.
typedef struct WiseFactor {
    const char *bound;   // "device-memory", …
    double mean, spread; // of logarithms; spread: one standard deviation
    int n;               // regions and sizes
} WiseFactor;
typedef VEC(WiseFactor) WiseFactorVec;
// One figure of those.
typedef struct WiseError {
    WiseKey key; // region, device, target, sizes, alignment
    const char *catalogue, *bound;
    double error; // a logarithm
} WiseError;
typedef VEC(WiseError) WiseErrorVec;
// Of all regions, or of one; those that say nonsense are left out.
bool wise_errors(WiseStore *s, Arena *a, const char *region, WiseErrorVec *out, const char **why);
// What is carried from file to file.
typedef struct WiseAll {
    WiseVec rows;
    WiseErrorVec errors;
} WiseAll;
bool wise_put_factor(WiseStore *s, const WiseKey *k, const char *catalogue, const char *bound, double error,
                     const char **why);
// Of all regions on the key's device under this catalogue.
bool wise_factors(WiseStore *s, Arena *a, const WiseKey *k, const char *catalogue, WiseFactorVec *out,
                  const char **why);
// Forgets rows whose region or name begins with the word, all with ""; how many, -1 with *why.
int wise_forget(WiseStore *s, const char *word, const char **why);
// All of it or nothing. Of two rows with one key the later one stays. How many rows, -1 with *why.
int wise_put_all(WiseStore *s, const WiseAll *all, const char **why);

// ---- text ---------------------------------------------------------------------------------------------
// What is wrong with a row; NULL: nothing.
const char *wise_wrong(const Wise *w);
const char *wise_error_wrong(const WiseError *e);
char *wise_print(Arena *a, const WiseAll *all);
// All that a text holds, each part checked. False with *why, which names the line.
bool wise_read(Arena *a, const char *text, size_t size, WiseAll *out, const char **why);

// ---- which row ------------------------------------------------------------------------------------------
typedef struct WiseHit {
    const Wise *row; // NULL: none
    WiseLevel level;
    double distance; // of the sizes: 0: the very same; each factor of two counts 1
} WiseHit;
// The rows are of one region. Nearer devices go before nearer sizes. Sizes more than a factor of four apart,
// or small ones that differ, are no match, nor are rows of arrays that begin on more bytes than the key's.
WiseHit wise_match(int n, const Wise *rows, const WiseKey *k);
#endif
