// SPDX-License-Identifier: MIT
// search_genetic.c -- a population of points: two good ones of a family give a third, which may change a
// number.
#include "tune/search.h"
#include <math.h>

enum { POPULATION = 12, NEAR = 32 };

// The better of two at random.
static int chosen(Search *s, const int *of) {
    int x = of[search_random(s, POPULATION)], y = of[search_random(s, POPULATION)];
    return s->value[x] <= s->value[y] ? x : y;
}

// A point whose numbers are each one of its parents'; -1: the space has none.
static int child_of(Search *s, int x, int y) {
    const Point *p = &s->space->at[x], *q = &s->space->at[y];
    if (p->family != q->family) return -1;
    int coord[SPACE_KNOBS];
    for (int k = 0; k < p->ncoord; k++) coord[k] = search_random(s, 2) ? p->coord[k] : q->coord[k];
    for (int i = 0; i < s->space->n; i++) {
        const Point *r = &s->space->at[i];
        bool same = r->family == p->family;
        for (int k = 0; k < p->ncoord && same; k++) same = r->coord[k] == coord[k];
        if (same) return i;
    }
    return -1;
}

static void run(Search *s) {
    int of[POPULATION], near[NEAR], n = s->space->n;
    of[0] = 0;
    for (int i = 1; i < POPULATION; i++) of[i] = (int)search_random(s, (uint64_t)n);
    for (int i = 0; i < POPULATION; i++) search_try(s, of[i]);
    for (int tries = 0; !search_over(s) && tries < 50 * n; tries++) {
        int x = chosen(s, of), y = chosen(s, of), z = child_of(s, x, y);
        if (z < 0 || z == x || z == y || search_random(s, 3) == 0) {
            int k = search_near(s, z < 0 ? x : z, near, NEAR);
            z = k && search_random(s, 6) ? near[search_random(s, (uint64_t)k)]
                                         : (int)search_random(s, (uint64_t)n);
        }
        double v = search_try(s, z);
        int worst = 0;
        for (int i = 1; i < POPULATION; i++)
            if (!(s->value[of[i]] <= s->value[of[worst]])) worst = i;
        if (v < s->value[of[worst]] || isnan(s->value[of[worst]])) of[worst] = z;
    }
}

const Tactic search_genetic = {"genetic", "good points of a family give others", run};
