// SPDX-License-Identifier: MIT
// inclusion.h -- which optional steps of a recipe pay, decided by measuring at the sizes that are.
//
//   maybe hoist: hoist x at=j        2^n ways to leave some of n names out; up to three names all
//   maybe stage: stage y at=jb       are tried, else the best found so far with one name changed,
//                                    from "all", "none" and "all but one" until nothing helps
//
// Ways that give the same nest are measured once; a way is given up after its first run when that is
// far from the best. The winner is remembered in the kernel cache: as what to leave out, for the next
// time that is asked, and as steps in the wisdom, which programs that carry the region take (run/wise.h).
#ifndef SCULPT_TUNE_INCLUSION_H
#define SCULPT_TUNE_INCLUSION_H
#include "run/wisdom.h"
#include "tune/tune.h"

typedef struct Included {
    uint32_t with;            // bit k: the steps of name[k] are in
    int same;                 // the earlier way with the same nest; -1: none
    const char *why;          // why there is no figure; NULL: there is one, or it is `same`, or skipped
    bool skipped;             // given up after the first run
    double seconds;           // of the device; 0: none
} Included;
typedef struct Inclusion {
    int n;
    const char *name[RECIPE_OPTIONAL];
    bool remembered;          // nothing was measured: it was decided before
    VEC(Included) tried;
    uint32_t best;
    double seconds;           // the best's; 0: none ran
    const char *without;      // the names that the best leaves out, separated by commas; "": none
} Inclusion;
// `like` says what is to be run: a TRIAL_RECIPE with its permissions; it stays unbuilt. cache may be
// NULL. again: measure whatever is remembered. All that is returned lives in k->a. False: no way
// gives a right result; out->tried says why each does not.
bool inclusion_decide(Case *k, const Trial *like, const TrialOptions *o, Cache *cache, bool again,
                      Inclusion *out);
#endif
