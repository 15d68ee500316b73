// SPDX-License-Identifier: MIT
// worker.h -- a process that measures candidates of a space one after another.
//
//   worker   data made and sent once, the standard built and run once
//     ◀ a candidate, and those that may be next      built in parallel
//     ▶ ok 0.0012 …                                  compared, timed beside the standard
//
// It ends with the first candidate that crashes, hangs or leaves wrong results, and another begins anew: what
// that one may have broken is nobody else's. One that fails where others ran before is asked again alone.
#ifndef SCULPT_TUNE_WORKER_H
#define SCULPT_TUNE_WORKER_H
#include "tune/child.h"
#include "tune/tuner.h"

typedef struct Asked {
    int point; // -1: the standard beside itself
    int pairs;
    double seconds; // that timing may take
    bool judge;     // he is asked, which may take longer than all else
    double until;   // time_now() by which it must be known; 0: there is time
    int nsoon;
    const int *soon; // points that may be asked for next
} Asked;
typedef struct Outcome {
    // of Measured; "gone": no candidate can be measured any more; "late": not by then, which says nothing
    char word[16];
    double seconds, base, gain, low;
    const char *why;
} Outcome;
typedef struct Worker {
    Arena *a;
    const TuneOrder *o;
    const Space *space;
    Child child;
    int served;
} Worker;
Outcome worker_measure(Worker *w, const Asked *x, double limit);
void worker_end(Worker *w);
// The region with its sizes on the order's device; whole: with data. NULL with a reason in *why.
Case *worker_case(const TuneOrder *o, Arena *a, bool whole, const char **why);
#endif
