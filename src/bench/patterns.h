// SPDX-License-Identifier: MIT
// patterns.h -- what pattern rules match, printed; for `explain --patterns` and `bench talk`.
#ifndef SCULPT_BENCH_PATTERNS_H
#define SCULPT_BENCH_PATTERNS_H
#include "plan/patterns.h"
#include <stdio.h>

const char *patterns_name(Arena *a, const char *source);   // "bench/talk/matmul.c": "matmul"
// One column a program; all[i] NULL: not known.
void patterns_table(FILE *out, int n, const char *const *names, const Patterns *const *all);
void patterns_put(Arena *a, FILE *out, const Patterns *p); // each match a line
#endif
