// SPDX-License-Identifier: MIT
// build.h -- what building a trial leaves for running it.
#ifndef SCULPT_TUNE_BUILD_H
#define SCULPT_TUNE_BUILD_H
#include "run/state.h"
#include "tune/tune.h"

struct Built {
    Compile *c;            // of the recipe; owns the trial's texts
    Run run;               // a run-time state of this trial's own, without cache or memory
    sculpt_region region;
    Unit *unit;
    Call *call;            // the unit's, for the case's sizes
    const Binary *binary;  // which kernels of it, and for what sizes
    Module *module;        // loaded by trial_run
    Arena *loaded;         // owns the module
};
// host.c: times from host to host into t. l NULL: the vendor's product. ptr: l's own, [nobjects].
bool host_time(Case *k, Trial *t, Launch *l, DevPtr *ptr, HostKind kind);
#endif
