// SPDX-License-Identifier: MIT
// asked.c -- what the host's arithmetic leaves behind beside its values: errno, and the flags of <fenv.h>.
//
// Devices set neither. Who marks a loop gives it to a device all the same; a loop that nobody marked stays on
// the host where its file asks for what the loop would set.
#include "front/read.h"
#include <ctype.h>
#include <string.h>

static bool has_word(const char *text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
    }
    return false;
}

static bool leaves_errno(const char *fn) {
    static const char *const names[] = {
        "cbrt", "ceil", "copysign", "fabs", "floor", "fma", "fmax", "fmin", "nearbyint", "rint", "round",
        "trunc",
    };
    size_t n = strlen(fn);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t m = strlen(names[k]);
        if (strncmp(fn, names[k], m) == 0 && (n == m || (n == m + 1 && fn[m] == 'f'))) return true;
    }
    return false;
}

bool sets_what_is_asked(Compile *c, const RegionAst *ra, const Region *r) {
    static const char *const flags[] = {"fetestexcept", "fegetexceptflag", "fegetenv", "feupdateenv"};
    if (ra->marked != MARK_AUTO || c->fast_math) return false;
    const char *errno_by = NULL; // a function that may set errno
    bool computes = false;       // in floating point
    node_each(n, r->root)
        node_each_expr(x, n) {
            bool math = x->kind == E_CALL && type_is_float(x->type);
            if (math && !leaves_errno(x->fn)) errno_by = x->fn;
            bool computed = (x->kind == E_OP || x->kind == E_CAST) && x->nargs > 0;
            computes |= math || (computed && type_is_float(x->args[0]->type));
        }
    const char *asked = errno_by && has_word(ra->unit->text, "errno") ? "errno" : NULL;
    for (size_t k = 0; computes && !asked && k < sizeof flags / sizeof *flags; k++)
        if (has_word(ra->unit->text, flags[k])) asked = flags[k];
    if (!asked) return false;
    const char *what = errno_by && str_eq(asked, "errno") ? errno_by : "floating-point arithmetic";
    diag(c, DIAG_REMARK, SC_CALL, r->loc, "stays on the host: the file asks for %s, which %s may set and no "
         "device does; a mark gives the loop to a device all the same", asked, what);
    return true;
}
