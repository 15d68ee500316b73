// SPDX-License-Identifier: MIT
// words.c -- words of a command line that several verbs take.
#include "driver/driver.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int word_valued(const char *name, int i, int argc, char **argv, const char **out) {
    size_t n = strlen(name);
    if (!str_has_prefix(argv[i], name)) return 0;
    if (argv[i][n] == '=') return *out = argv[i] + n + 1, 1;
    if (argv[i][n]) return 0;
    return i + 1 < argc ? (*out = argv[i + 1], 2) : -1;
}

const char *word_line(Arena *a, const char *file, int *line) {
    const char *colon = strrchr(file, ':');
    *line = 0;
    if (!colon || !isdigit((unsigned char)colon[1]) || access(file, F_OK) == 0) return file;
    char *end;
    long n = strtol(colon + 1, &end, 10);
    if (*end || n < 1 || n > 1000000000) return file;
    *line = (int)n;
    return arena_strndup(a, file, (size_t)(colon - file));
}

// How many letters must be put in, left out, changed, or exchanged with their neighbour; 3: more than two.
static int slips(const char *x, const char *y) {
    enum { MOST = 24 };
    int n = (int)strlen(x), m = (int)strlen(y), d[MOST + 1][MOST + 1];
    if (n > MOST || m > MOST) return 3;
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= m; k++) {
            int best = !i || !k ? i + k : d[i - 1][k - 1] + (x[i - 1] != y[k - 1]);
            if (i && d[i - 1][k] + 1 < best) best = d[i - 1][k] + 1;
            if (k && d[i][k - 1] + 1 < best) best = d[i][k - 1] + 1;
            if (i > 1 && k > 1 && x[i - 1] == y[k - 2] && x[i - 2] == y[k - 1] && d[i - 2][k - 2] + 1 < best) best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    }
    return d[n][m] < 3 ? d[n][m] : 3;
}

const char *word_nearest(const char *word, const char *const *names) {
    const char *near = NULL;
    int least = strlen(word) < 5 ? 2 : 3; // of a short word, two slips leave nothing
    for (; *names; names++) {
        int d = slips(word, *names);
        if (d < least) least = d, near = *names;
    }
    return near;
}
