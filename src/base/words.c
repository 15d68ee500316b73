// SPDX-License-Identifier: MIT
// words.c -- which of several names was meant by a word that is none of them.
#include "base/base.h"
#include <string.h>

// How many letters must be put in, left out, changed, or exchanged with their neighbour; 3: more than two.
static int slips(const char *x, const char *y) {
    enum { MOST = 24 };
    int n = (int)strlen(x), m = (int)strlen(y), d[MOST + 1][MOST + 1];
    if (n > MOST || m > MOST || n - m > 2 || m - n > 2) return 3;
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= m; k++) {
            int best = !i || !k ? i + k : d[i - 1][k - 1] + (x[i - 1] != y[k - 1]);
            if (i && d[i - 1][k] + 1 < best) best = d[i - 1][k] + 1;
            if (k && d[i][k - 1] + 1 < best) best = d[i][k - 1] + 1;
            if (i > 1 && k > 1 && x[i - 1] == y[k - 2] && x[i - 2] == y[k - 1] && d[i - 2][k - 2] + 1 < best)
                best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    }
    return d[n][m] < 3 ? d[n][m] : 3;
}

const char *word_nearest(const char *word, const char *const *names) {
    const char *near = NULL;
    int least = strlen(word) < 5 ? 2 : 3; // of a short word, two slips leave nothing
    for (const char *const *s = names; *s; s++) // mostly it is one of them
        if (str_eq(word, *s)) return *s;
    for (; *names; names++) {
        int d = slips(word, *names);
        if (d < least) least = d, near = *names;
    }
    return near;
}

const char *word_meant(Arena *a, const char *word, const char *const *names) {
    const char *near = word_nearest(word, names);
    return near ? arena_printf(a, " (did you mean '%s'?)", near) : "";
}
