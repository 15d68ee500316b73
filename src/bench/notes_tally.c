// SPDX-License-Identifier: MIT
// notes_tally.c -- the rows of the notes together: how far the model errs, and whether it has them in order.
#include "bench/notes.h"
#include <math.h>

void note_count(NoteTally *t, const Note *n, const NoteTime *time, const NoteCost *x) {
    if (!x->cost || time->seconds <= 0 || t->n == NOTE_ROWS) return;
    t->at[t->n].topic = n->topic;
    t->at[t->n].predicted = x->seconds;
    t->at[t->n].measured = time->seconds;
    t->at[t->n++].assumed = x->assumed;
}

static void rank(int n, const double *x, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < n; k++) out[i] += x[k] < x[i] ? 1 : x[k] == x[i] ? 0.5 : 0;
    }
}

// Pearson's; of ranks it is Spearman's.
static double correlation(int n, const double *x, const double *y) {
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
    for (int i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (int i = 0; i < n; i++)
        xy += (x[i] - mx) * (y[i] - my), xx += (x[i] - mx) * (x[i] - mx), yy += (y[i] - my) * (y[i] - my);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 1;
}

NoteSummary note_summary(Arena *a, const NoteTally *t) {
    NoteSummary s = {.rows = t->n};
    double *v[6];
    int sure = 0;
    for (int k = 0; k < 6; k++) v[k] = NEW_N(a, double, t->n + 1);
    for (int i = 0; i < t->n; i++) {
        double p = t->at[i].predicted, m = t->at[i].measured;
        v[0][i] = p, v[1][i] = m, v[4][i] = fabs(p / m - 1);
        if (!t->at[i].assumed) v[5][sure++] = v[4][i];
        for (int k = 0; k < i; k++) {
            double q = t->at[k].predicted, o = t->at[k].measured;
            if (t->at[k].topic != t->at[i].topic || fmax(m, o) < 1.1 * fmin(m, o)) continue;
            s.pairs++;
            s.in_order += p != q && (p > q) == (m > o);
        }
    }
    rank(t->n, v[0], v[2]);
    rank(t->n, v[1], v[3]);
    s.rank = correlation(t->n, v[2], v[3]);
    s.assumed = t->n - sure;
    s.error = sure ? median(sure, v[5]) : 0;
    s.error_all = t->n ? median(t->n, v[4]) : 0;
    return s;
}
