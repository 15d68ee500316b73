// SPDX-License-Identifier: MIT
// tuned.h -- what `sculpt tune --html` draws: the candidates of a region at a size in the order in which they
// were measured. driver/tune.c makes it, html_tuned.c prints it.
#ifndef SCULPT_REPORT_TUNED_H
#define SCULPT_REPORT_TUNED_H
#include "report/report.h"

typedef struct Tried {
    const char *outcome, *form; // a word; the steps
    double price, seconds, base; // by the model; its time and the standard's beside it; 0: none
} Tried;
typedef struct Tuned {
    const char *region, *place, *sizes, *device;
    int points, n;
    const Tried *at;
    double base, seconds, gain, ceiling; // of the winner; ceiling: seconds, 0: not known
    const char *recipe, *verdict, *ended;
} Tuned;
const char *tuned_html(Arena *a, int n, const Tuned *of, const char *title);
#endif
