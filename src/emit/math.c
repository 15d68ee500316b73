// SPDX-License-Identifier: MIT
// math.c -- the functions of C99's math.h that an expression may call.
#include <string.h>
#include "emit/dialect.h"

// With a float twin whose name ends in f.
static const char *const floating[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
    "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
    "fmax", "fmin", "fmod", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log",
    "log10", "log1p", "log2", "logb", "lrint", "lround", "nearbyint", "nextafter", "pow",
    "remainder", "rint", "round", "scalbln", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh",
    "tgamma", "trunc", NULL};
static const char *const single[] = {"abs", "labs", "llabs", "isnan", "isinf", "isfinite",
                                     "signbit", NULL};

static const char *find(const char *const *list, const char *s, size_t n) {
    for (; *list; list++)
        if (strlen(*list) == n && !memcmp(*list, s, n)) return *list;
    return NULL;
}

bool math_known(const char *fn, const char **base) {
    size_t n = strlen(fn);
    *base = find(floating, fn, n);
    if (!*base) *base = find(single, fn, n);
    if (!*base && n > 1 && fn[n - 1] == 'f') *base = find(floating, fn, n - 1);
    return *base != NULL;
}

const FormWord *form_word(const Dialect *d, const char *fn) {
    for (const FormWord *w = d->words; w && w->fn; w++)
        if (str_eq(w->fn, fn)) return w;
    return NULL;
}
