// SPDX-License-Identifier: MIT
// patterns.c -- which patterns match which programs, as a table.
//
//                        matmul  jacobi  euclid …
//   DEFINEARG                 x       x       x
//   TRANSPOSITION                             x
#include "bench/patterns.h"
#include <string.h>

const char *patterns_name(Arena *a, const char *source) {
    const char *slash = strrchr(source, '/'), *s = slash ? slash + 1 : source;
    return arena_strndup(a, s, strcspn(s, "."));
}

void patterns_table(FILE *out, int n, const char *const *names, const Patterns *const *all) {
    fprintf(out, "%-20s", "pattern rule");
    for (int i = 0; i < n; i++)
        fprintf(out, " %*s", (int)strlen(names[i]) > 7 ? (int)strlen(names[i]) : 7, names[i]);
    for (int k = 0; k < PATTERN_COUNT; k++) {
        fprintf(out, "\n%-20s", pattern_origin(k));
        for (int i = 0; i < n; i++)
            fprintf(out, " %*s", (int)strlen(names[i]) > 7 ? (int)strlen(names[i]) : 7,
                    all[i] && all[i]->has[k] ? "x"
                    : all[i]                 ? ""
                                             : "?");
    }
    fputc('\n', out);
}

void patterns_put(Arena *a, FILE *out, const Patterns *p) {
    for (int t = 0; t < p->teams.n; t++) {
        const Team *team = &p->teams.at[t];
        fprintf(out, "  threads: tid0 = %s", team->thread[0]->iter->name);
        if (team->n > 1) fprintf(out, ", tid1 = %s", team->thread[1]->iter->name);
        fprintf(out, "%s\n", team->marked ? " (as marked)" : "");
    }
    for (int m = 0; m < p->matches.n; m++) {
        const Match *x = &p->matches.at[m];
        fprintf(out, "  %-11s %s", pattern_name(x->kind), x->ref ? ref_text(a, x->ref) : "every scalar");
        if (x->loop)
            fprintf(out, x->kind == PATTERN_STAGE ? ", tiles of %s" : ", kept while %s runs",
                    x->loop->iter->name);
        fputc('\n', out);
    }
}
