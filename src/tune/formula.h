// SPDX-License-Identifier: MIT
// formula.h -- arithmetic over names, in Python's words and in C's: what descriptions of tuning spaces are
// written in.
//
//     block_size_x * block_size_y <= 1024 and (tile == 1 || block_size_x % 32 == 0)
//     [16 * i for i in range(1, 9)]      max(widths) - 1      ProblemSize[0] // 2
//
// / of whole numbers is Python's: 7 / 2 is 3.5, 7 // 2 is 3.
#ifndef SCULPT_TUNE_FORMULA_H
#define SCULPT_TUNE_FORMULA_H
#include "base/base.h"

typedef struct Value {
    bool list;
    int n; // of a list; else 1
    double *at;
    const char **text; // [n] of words in quotes, which are no numbers; NULL: there are none
} Value;
// What a name stands for. False: nothing.
typedef bool (*FormulaName)(void *arg, const char *name, Value *out);
// False with *why.
bool formula_value(Arena *a, const char *text, FormulaName name, void *arg, Value *out, const char **why);
bool formula_number(Arena *a, const char *text, FormulaName name, void *arg, double *out, const char **why);
// The parts between commas (or other ends) that stand in no brackets, trimmed.
typedef VEC(const char *) Parts;
Parts formula_parts(Arena *a, const char *text, char end);
const char *formula_print(Arena *a, double v); // a whole number as one
#endif
