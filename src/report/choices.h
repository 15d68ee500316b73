// SPDX-License-Identifier: MIT
// choices.h -- what `sculpt plan` has to say of a region: the nests that it could run as, what the model says
// each costs on a machine, and which one runs. driver/plan.c makes it; choices.c and html_choices.c print it.
#ifndef SCULPT_REPORT_CHOICES_H
#define SCULPT_REPORT_CHOICES_H
#include "report/report.h"

typedef struct Candidate {
    const Nest *nest;
    const char *made;   // its recipe, in short
    const char *why;    // it can't run at these sizes; NULL
    double estimate;    // seconds, by its own formula; < 0: it has none
    Price price;
} Candidate;

typedef struct Misfit {
    const char *family, *why;   // templates of the planner's, and what the region lacks for them
} Misfit;

typedef struct Choices {
    const char *region, *machine;
    Loc loc;
    const char *sizes;          // "n = 4096"; NULL: there are none
    bool assumed;               // nobody gave them
    const char *why_none;       // why nothing can run; NULL
    int n, first, least;        // candidates; the one that runs, the cheapest by price; -1: none
    const Candidate *at;
    const char *verdict;        // the judge's on the one that runs; NULL: he was not asked
    int nmisfits;
    const Misfit *misfits;
} Choices;

// Whole recipes of all candidates, or the beginnings of lines of the one that runs.
void choices_text(FILE *out, Arena *a, const Choices *s, bool recipes);
json_t *choices_json(const Choices *s);
const char *choices_html(Arena *a, int n, const Choices *const *of, const Machine *m, const char *title);
// Why that one runs: "its estimate is the least of those that may run".
const char *choices_reason(const Choices *s);
int64_t candidate_together(const Candidate *x); // blocks of its longest kernel that fit a multiprocessor
#endif
