// SPDX-License-Identifier: MIT
// random.h -- what the grammars of random programs share: numbers and lines of text.
#ifndef RANDOM_H
#define RANDOM_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { SIDE = 96 }; // every array is SIDE or SIDE x SIDE

unsigned pick(unsigned n);    // 0 .. n - 1
int chance(unsigned percent);
void line_at(FILE *f, int indent, const char *fmt, va_list ap);

// kernels.c: functions `fNUMBER` and `callNUMBER`, which fills its arrays, calls it and prints a digest.
void random_kernel(FILE *f, int number);

// counters.c: the same over loops of one counter of any type, called with many ranges.
void random_counters(FILE *f, int number);
#endif
