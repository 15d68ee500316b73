// SPDX-License-Identifier: MIT
// instances.h -- how many statement instances a nest runs.
#ifndef SCULPT_TUNE_INSTANCES_H
#define SCULPT_TUNE_INSTANCES_H
#include "ir/ir.h"

// All executions of N_STMT nodes that update or set something of the region, ghosts and those
// behind a condition of counters included (a lane that is masked costs as much). < 0: the
// bounds of a loop can't be told, or there are too many loops to step through.
double instances_run(const Nest *n, int nvals, const InterpVal *vals);
double instances_region(const Region *r, int nvals, const InterpVal *vals);
#endif
