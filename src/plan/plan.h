// SPDX-License-Identifier: MIT
// plan.h -- from a region to a nest that a machine can run.
#ifndef SCULPT_PLAN_H
#define SCULPT_PLAN_H
#include "dep/dep.h"
#include "ir/ir.h"
#include "model/machine.h"

typedef struct PlanOptions {
    const char *target;     // "gpu" or "cpu"
    bool asserted;          // honour the user's assertions (default true)
    // loops are mapped where they stand, an iteration a thread, and nothing else is tried
    bool plain;
    bool one_each;          // an iteration a thread: no choice of several by how many there are
    int64_t staged;         // tiles of waves in so many bytes of shared memory; 0: not in any
    const struct PlanCall *call; // the call that it is for, of which some values are known; NULL: any
} PlanOptions;

// The default nest: parallel loops found, brought outward, mapped. Where the verifier refuses what came out,
// a plain one, and a remark. NULL, with a remark at the loop and the cure, when the region must stay on the
// host.
Nest *plan_default(Compile *c, const Region *r, const DepInfo *d, const PlanOptions *o);

// Do the blocks of some kernel of it go through steps, one behind another, in tiles of waves?
bool plan_has_steps(const Nest *n);

// Does the verifier take a nest that the planner made? If not, sculpt has made a mistake: false after a
// remark at the region's loops, which begins with what that costs.
#define LEFT_OUT "a quicker way to run these loops is left out"
bool plan_is_sound(Compile *c, const Nest *n, const char *cost);

// What the judge says of a finished nest becomes its proof; `when` gains what he asks for. What rests on the
// user's word he is not asked. False after diag(): it is not the region.
bool plan_judge(Compile *c, Nest *n);
bool plan_has_judged(const Compile *c); // was the judge himself ever asked?
// May it run, by what the judge says of it now? The standard nest follows the dependences, and where he
// can't tell it may run, as may what only moves its data otherwise if a mark vouches for it, and what has
// proved parts in the place of some of its loops. What a strategy makes of the loops rests on the judge
// alone.
bool plan_is_trusted(Compile *c, Nest *x, const Nest *standard);

// Nests for the target that stand before the default one in the chain: each for the sizes where it
// pays, by the structure of the region (and, for a CPU, of the processor that plans). Returns how
// many, at most max.
enum { PLAN_VARIANTS = 24 };
int plan_variants(Compile *c, const Region *r, const DepInfo *d, const char *target, Nest **out, int max);

// From host to host: behind shaped[n - 1] come copies of these nests, or of the standard one where there are
// none, whose data come and go in slices beside their kernels (rule overlap). Each is for calls whose data
// travel, and all costs then hold the way of the data (travel.c). Returns how many nests there are, at most
// max; why (may be NULL): why the nest looked at last has no copy.
int plan_travel(Compile *c, const struct PlanCall *k, Nest *standard, int n, Nest **shaped, int max,
                const char **why);
// What the kernels take, microseconds: the nest's own word, else the device's ceilings, whose facts it then
// asks for. NULL: nobody knows.
Expr *plan_kernel_cost(Compile *c, Nest *n);
// The default nest for a GPU with 16-byte loads of the rows that its threads keep, under the conditions
// that those need; it stands before the plain one in the chain (ask after plan_travel, which gives that
// its cost). NULL: it keeps none.
Nest *plan_wide(Compile *c, const Nest *plain);

// All of them, in the order in which they are tried: `shaped`, then those for all sizes.
typedef struct PlanNests {
    Nest *gpu, *cpu;             // for all sizes; NULL: the region stays on the host
    int nshaped;
    Nest *shaped[PLAN_VARIANTS]; // each for some sizes
} PlanNests;
// At most `most` shaped ones, less than PLAN_VARIANTS; of just one nothing but kernels is asked.
void plan_nests(Compile *c, const Region *r, const DepInfo *d, int most, PlanNests *out);

// The templates and strategies that shaped nests come from, and why one has none for a region: a phrase;
// NULL: it has. How many there are.
enum {
#define STRATEGY(name) FIT_##name,
#include "plan/strategies.def"
#undef STRATEGY
    FIT_TEMPLATES, // that are no strategies
    PLAN_FITS = FIT_TEMPLATES + 3
};
typedef struct PlanFit {
    const char *family, *why;
} PlanFit;
int plan_fits(Compile *c, const Region *r, const DepInfo *d, PlanFit out[PLAN_FITS]);

// A call that nests are chosen for.
typedef struct PlanCall {
    const char *target;         // "gpu" or "cpu"
    int nvals;
    const InterpVal *vals;      // of all parameters of the region; NULL: of no call, but of any
    int64_t processors;         // of the device
    const Machine *machine;     // the device, for the model; NULL: it is not known
    int most;                   // shapes of a contraction that are wanted, the quickest first; 0: 1
    bool alone;                 // threads of a block run one after another: no nests in phases
    // The nest of a chain that would run the call, -1: none may; with arg. NULL: nobody knows the call so
    // well.
    int (*pick)(Compile *c, int n, Nest *const *chain, const void *arg);
    const void *arg;
    bool stays;                 // its data are on the device and stay there
    bool *unsure;               // set where the judge could not decide of a quicker one; NULL: nobody asks
} PlanCall;
// All nests that stand before the standard one: variants, then copies whose data travel, then wide loads.
// At most max; how many.
int plan_chain(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest *standard, Nest **out,
        int max);
// Of a chain, the standard nest its last, the one that is expected to run the call best, as the judge left
// it; the chain is used up. NULL: none may, or it is one of `have`.
const Nest *plan_settle(Compile *c, const PlanCall *k, int n, Nest **chain, Nest *standard, int nhave,
                        Nest *const *have);
// The nest that is expected to run such a call best, as the judge left it. NULL: there is none, or it is
// one of `have`.
const Nest *plan_best(Compile *c, const Region *r, const PlanCall *k, int nhave, Nest *const *have);

// ---- recipes ---------------------------------------------------------------------------
// The nest in which nothing has been changed yet: the region's own loops, on the host.
Nest *plan_start(Compile *c, const Region *r, const DepInfo *d, const char *target);
const char *plan_why_not(const DepInfo *d); // why plan_start would refuse; NULL: it would not

// How far each step of a recipe is proven.
typedef enum Judging {
    JUDGE_EACH,    // the judge after every step: what it refuses is an error
    JUDGE_LAST,    // the judge once, of the last nest
    JUDGE_NONE,    // the nest is `tested`, not `proved`
} Judging;
typedef struct RecipeStep {
    int number;            // 0: before the first
    const char *text;      // the step as printed
    const Nest *nest;
    Verdict verdict;       // as far as it was asked
} RecipeStep;
typedef struct RecipeOptions {
    Judging judging;
    const char *file;      // for messages
    // Called with the nest after each step (ladders and `sculpt apply` print it); may be NULL.
    void (*after)(const RecipeStep *step, void *arg);
    void *arg;
    const char *without;   // names of optional steps to leave out, separated by commas; NULL: none
} RecipeOptions;
// Applies the lines of `text` in order. NULL after diag() at the line that fits nowhere, is
// refused by the judge, or is no step. The nest's `recipe` holds the steps; its `when` all
// conditions that the judge found.
// With the last step comes what closes the nest: a kernel of one thread around what has none,
// conditions as far out as they go.
Nest *recipe_apply(Compile *c, const Nest *start, const char *text, const RecipeOptions *o);
// Lines "maybe NAME: STEP" are optional: all steps of one name go together. They are left out when
// `without` names them, or when one of them does not fit or is refused (a remark says so);
// "unless NAME: STEP" stands in their place then. Whether they pay is for measuring (tune/inclusion.h).
enum { RECIPE_OPTIONAL = 12 };
// The names in a recipe, in the order in which they come, at most RECIPE_OPTIONAL; how many.
int recipe_optional(Arena *a, const char *text, const char **out);
// Stands for what steps mean: the rules with their usages and knobs. In the arena.
const char *plan_catalogue(Arena *a);
// The kind of machine that a line "target gpu" or "target cpu" names; NULL: any.
const char *recipe_target(Arena *a, const char *text);
#endif
