// SPDX-License-Identifier: MIT
// search.c -- what strategies share.
#include "tune/search.h"
#include <math.h>
#include <stdlib.h>

extern const Tactic search_model, search_exhaustive, search_random_order, search_anneal, search_genetic,
    search_bayes;
const Tactic *const tactics[] = {&search_model,  &search_exhaustive, &search_random_order,
                                 &search_anneal, &search_genetic,    &search_bayes, NULL};

const Tactic *tactic_named(const char *name) {
    for (int i = 0; tactics[i]; i++)
        if (str_eq(tactics[i]->name, name)) return tactics[i];
    return NULL;
}

void search_begin(Search *s) {
    s->value = NEW_N(s->a, double, s->space->n + 1);
    for (int i = 0; i < s->space->n; i++) s->value[i] = NAN;
    s->measured = 0, s->best = -1;
}

void search_knows(Search *s, int point, double value) {
    s->value[point] = value;
    if (isfinite(value) && (s->best < 0 || value < s->value[s->best])) s->best = point;
}

bool search_over(const Search *s) {
    int most = s->most > 0 && s->most < s->space->n ? s->most : s->space->n;
    return s->measured >= most || (s->over && s->over(s->arg));
}

void search_soon(Search *s, int point) {
    int left = (s->most > 0 ? s->most : s->space->n) - s->measured - 1;
    if (s->nsoon < SEARCH_SOON && s->nsoon < left && isnan(s->value[point])) s->soon[s->nsoon++] = point;
}

int search_least(Search *s, const double *score) {
    int order[SEARCH_SOON + 1], n = 0;
    for (int i = 0; i < s->space->n; i++) {
        if (!isnan(s->value[i])) continue;
        int at = n <= SEARCH_SOON ? n++ : n;
        for (; at > 0 && score[order[at - 1]] > score[i]; at--)
            if (at <= SEARCH_SOON) order[at] = order[at - 1];
        if (at <= SEARCH_SOON) order[at] = i;
    }
    for (int i = 1; i < n; i++) search_soon(s, order[i]);
    return n ? order[0] : -1;
}

double search_try(Search *s, int point) {
    if (!isnan(s->value[point])) return s->value[point];
    if (search_over(s)) return INFINITY;
    s->measured++;
    search_knows(s, point, s->measure(point, s->arg));
    s->nsoon = 0;
    return s->value[point];
}

double search_price(const Search *s, int point) {
    const Point *p = &s->space->at[point];
    if (p->price > 0) return p->fix > 0 ? p->price * p->fix : p->price;
    return s->space->price > 0 ? s->space->price : 1;
}

uint64_t search_random(Search *s, uint64_t below) {
    uint64_t z = (s->seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

double search_chance(Search *s) { return (double)search_random(s, 1u << 30) / (1u << 30); }

int search_near(const Search *s, int point, int *out, int max) {
    const Point *p = &s->space->at[point];
    int n = 0;
    for (int i = 0; i < s->space->n && n < max; i++) {
        const Point *q = &s->space->at[i];
        if (q->family != p->family || i == point) continue;
        int far = 0;
        for (int k = 0; k < p->ncoord; k++) far += abs(p->coord[k] - q->coord[k]);
        if (far == 1) out[n++] = i;
    }
    for (int i = 0, before = n; i < s->space->n && n < max && !before; i++)
        if (i == 0 || s->space->at[i].family != s->space->at[i - 1].family) out[n++] = i;
    return n;
}
