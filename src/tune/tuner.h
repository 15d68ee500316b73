// SPDX-License-Identifier: MIT
// tuner.h -- one region at one size on one device, tuned: planned, searched, measured, confirmed, kept.
//
//   planning process ──▶ Space ──▶ strategy ─┬─▶ a worker: built, compared, timed beside the standard
//                                            └── each outcome into the wisdom at once
//   the best, measured again ──▶ it stays only if it wins again ──▶ the wisdom's row
#ifndef SCULPT_TUNE_TUNER_H
#define SCULPT_TUNE_TUNER_H
#include "tune/search.h"

typedef struct TuneState {
    const char *name, *sizes; // of the region
    int points, done;         // candidates there are; measured or known
    double best;              // of the standard's time over the best's; 1 at first
    double ceiling;           // the part of the machine's ceiling that the best reaches; 0: not known
    double left;              // seconds of the budget; < 0: there is none
    const char *doing;        // a phrase
} TuneState;

typedef struct TuneOrder {
    const char *name, *text; // of the region
    const struct Hand *hand; // a kernel by hand in the place of a region, and…
    Space *space;            // …its space
    const char *device;      // NULL: the best
    int nsettings;
    const Setting *settings;
    Effort effort;
    const Tactic *tactic;
    double budget; // seconds; 0: none
    int most;      // measurements; 0: any number
    uint64_t seed;
    double pair_s;    // that a measurement may take, about
    bool again;       // forget what was measured
    WiseStore *store; // NULL: nothing is kept
    FILE *log;        // NULL: none is written
    bool only_log;    // no winner is looked for
    void (*tell)(const TuneState *s, void *arg);
    void *arg;
} TuneOrder;

typedef struct TuneResult {
    Wise row;                                            // the winner's
    int points, measured, known, refused, wrong, broken; // broken: crashed, hung, could not be built
    double gain;                                         // of the confirmation; 1: the standard stays
    double noise;     // of the standard beside itself: how far its ratio was from 1
    double seconds;   // that tuning took
    const char *kept; // why the row is not kept; NULL: it is
    const char *ended; // why no more was measured
    int corrected;     // points whose prices other regions' measurements corrected
    MeasuredVec all;
    const Space *space;
} TuneResult;
// False with a reason in *why.
bool tune_region(Arena *a, const TuneOrder *o, TuneResult *out, const char **why);

// Of the candidates of a log that have a time: how well prices order them.
typedef struct TuneRank {
    int n;              // that have both
    double correlation; // of their ranks, from -1 to 1
    int first;          // how many prices are less than that of the quickest
    int quicker;        // how many are quicker than the one of the least price
} TuneRank;
TuneRank tune_rank(Arena *a, const Space *s, const MeasuredVec *log);

// A recorded log in the place of the device: the same strategies, in no time. best[i]: the best value behind
// i + 1 measurements, as a part of the log's best; how many there were. *alone: that of the first point, or
// of a kernel by hand that of the least price: what the model alone takes.
int tune_replay(Arena *a, const Space *s, const MeasuredVec *log, const Tactic *tactic, uint64_t seed,
                int most, double *best, double *alone);
// Does a candidate win that was measured twice, in processes of their own, where the standard beside itself
// was so far from 1? Both times by more than that, and in three of four turns.
bool tune_wins(const double gain[2], const double low[2], double noise);
#endif
