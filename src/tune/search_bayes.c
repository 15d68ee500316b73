// SPDX-License-Identifier: MIT
// search_bayes.c -- Bayesian: a Gaussian process over the points says what each may take, and the next is the
// one that is expected to gain the most.
//
// The logarithm of time over price is one unknown for all, one for a family, and one that varies smoothly
// with the numbers in it. With L L' the covariance of what was measured, each point keeps its row of L^-1 K:
// a measurement appends one number to each, and mean and variance are sums over them.
#include "tune/search.h"
#include <math.h>

static const double ALL = 1, FAMILY = 0.3, NEAR = 0.7; // variances, as parts of the scale's square
static const double REACH = 1.5;                       // steps of numbers that still tell of each other
static const double NOISE = 0.01;
static const double FIRST = 0.3; // the scale before anything was measured

typedef struct Process {
    Search *s;
    int n;              // points measured that have a time
    double **row, *var; // of each point: [n] of L^-1 K; what is not known of it
    double *z, square;  // L^-1 of what was measured; the sum of its squares
} Process;

static double prior(const Search *s, int i) { return log(search_price(s, i)); }

static double covariance(const Space *s, int i, int k) {
    const Point *p = &s->at[i], *q = &s->at[k];
    double far = 0;
    if (p->family != q->family) return ALL;
    for (int c = 0; c < p->ncoord; c++)
        far += (double)(p->coord[c] - q->coord[c]) * (p->coord[c] - q->coord[c]);
    return ALL + FAMILY + NEAR * exp(-far / (2 * REACH * REACH));
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void learn(Process *g, int point) {
    const Space *s = g->s->space;
    double *mine = g->row[point], d = sqrt(g->var[point] + NOISE);
    double y = log(g->s->value[point]) - prior(g->s, point);
    g->z[g->n] = (y - dot(g->n, mine, g->z)) / d;
    for (int i = 0; i < s->n; i++) {
        double v = (covariance(s, i, point) - dot(g->n, g->row[i], mine)) / d;
        if (i != point) g->row[i][g->n] = v, g->var[i] = fmax(g->var[i] - v * v, 0);
    }
    mine[g->n] = g->var[point] / d;
    g->var[point] = fmax(g->var[point] - mine[g->n] * mine[g->n], 0);
    if (g->n) g->square += g->z[g->n] * g->z[g->n]; // the first says how all prices are off
    g->n++;
}

// What measuring it is expected to gain over the best, as a logarithm.
static double gain(const Process *g, int i, double best) {
    double scale = g->n > 2 ? sqrt(g->square / (g->n - 1)) : FIRST;
    double mean = prior(g->s, i) + dot(g->n, g->row[i], g->z), sd = scale * sqrt(g->var[i]) + 1e-9;
    double u = (best - mean) / sd;
    return sd * (u * 0.5 * erfc(-u * M_SQRT1_2) + exp(-u * u / 2) / sqrt(2 * M_PI));
}

static void run(Search *s) {
    int n = s->space->n;
    Process g = {.s = s, .row = NEW_N(s->a, double *, n + 1), .var = NEW_N(s->a, double, n + 1)};
    double *score = NEW_N(s->a, double, n + 1);
    g.z = NEW_N(s->a, double, n + 1);
    for (int i = 0; i < n; i++) g.row[i] = NEW_N(s->a, double, n + 1), g.var[i] = covariance(s->space, i, i);
    for (int i = 0; i < n; i++)
        if (isfinite(s->value[i]) && s->value[i] > 0) learn(&g, i);
    while (!search_over(s)) {
        double best = s->best >= 0 ? log(s->value[s->best]) : 0;
        for (int i = 0; i < n; i++) score[i] = isnan(s->value[i]) ? -gain(&g, i, best) : INFINITY;
        int next = search_least(s, score);
        if (next < 0) return;
        double v = search_try(s, next);
        if (isfinite(v) && v > 0) learn(&g, next);
    }
}

const Tactic search_bayes = {"bayesian", "by what a Gaussian process over the points expects to gain", run};
