// SPDX-License-Identifier: MIT
// check_expression.c -- expressions of host code: what a launch is given, over the function's parameters.
//
//   int blocks = (n + 255) / 256;
//   … <<<min(blocks, 64), 256>>>      →    min((n + 255) / 256, 64), in two cases
//
// An expression is read to its end, or not at all; a conversion that may change the value is none of it.
#include "driver/launcher.h"
#include <string.h>

bool launch_refuse(Launcher *l, const char *what) {
    if (!l->why) l->why = what;
    return false;
}

static bool is_word(const char *w) {
    return str_among(w,
                     "int unsigned long short size_t const float double auto uint uint32_t int64_t uint64_t "
                     "signed constexpr char int32_t static bool int8_t uint8_t int16_t uint16_t ptrdiff_t");
}

// What `typedef float T;` or `using T = float;` says of the name at `at`; -1: it is no such.
static int launch_typedef_of(const Launcher *l, int at) {
    for (int i = 0; i + 3 < l->end; i++) {
        if (is(l, i, "typedef") && is(l, i + 2, l->t[at].text) && is(l, i + 3, ";")) return i + 1;
        if (is(l, i, "using") && is(l, i + 1, l->t[at].text) && is(l, i + 2, "=")) return i + 3;
    }
    return -1;
}

bool launch_is_type(const Launcher *l, int at) {
    if (l->t[at].kind != HT_WORD) return false;
    int of = is_word(l->t[at].text) ? at : launch_typedef_of(l, at);
    return of >= 0 && is_word(l->t[of].text);
}

const char *launch_value_of(const Launcher *l, const char *name) {
    for (int i = l->vars.n - 1; i >= 0; i--)
        if (str_eq(l->vars.at[i].name, name)) return l->vars.at[i].text;
    return NULL;
}

// Behind the bracket that closes the one at `at`.
int launch_closing(const Launcher *l, int at) {
    int depth = 0;
    for (; at < l->end; at++) {
        depth += is(l, at, "(") || is(l, at, "[") || is(l, at, "{");
        depth -= is(l, at, ")") || is(l, at, "]") || is(l, at, "}");
        if (depth <= 0) return at + 1;
    }
    return l->end;
}

// Of the type that tokens name.
Kind launch_kind_of(const Launcher *l, int at, int to) {
    Kind k = OTHER;
    for (; at < to; at++) {
        int of = launch_typedef_of(l, at);
        const char *w = l->t[of < 0 ? at : of].text;
        if (str_eq(w, "*")) return OTHER;
        if (str_among(w, "char short bool int8_t uint8_t int16_t uint16_t")) return NARROW;
        if (str_among(w, "float double")) return w[0] == 'f' ? FLOAT : DOUBLE;
        if (str_among(w, "long size_t int64_t uint64_t ptrdiff_t")) k = LONG;
        if (str_among(w, "int unsigned signed uint uint32_t int32_t") && k != LONG) k = WHOLE;
    }
    return k;
}

Kind launch_kind_named(const Launcher *l, const char *name) {
    for (int i = l->types.n - 1; i >= 0; i--)
        if (str_eq(l->types.at[i].name, name)) return l->types.at[i].kind;
    return strchr(name, '.') ? WHOLE : OTHER; // grid.x
}

// Of an expression: the widest of what stands in it.
Kind launch_widest(const Launcher *l, int at, int to) {
    Kind most = NARROW;
    for (; at < to; at++) {
        const HostTok *t = &l->t[at];
        Kind k = WHOLE;
        if (is(l, at, "sizeof") || (str_among(t->text, "ceil ceilf") && is(l, at + 1, "(")))
            at = launch_closing(l, at + 1) - 1;
        else if (t->kind == HT_NUMBER) {
            bool hex = str_has_prefix(t->text, "0x");
            if (!hex && strpbrk(t->text, ".eE")) k = strpbrk(t->text, "fF") ? FLOAT : DOUBLE;
            else if (strpbrk(t->text, "lL")) k = LONG;
        } else if (t->kind != HT_WORD) continue;
        else if (is(l, at + 1, ".")) at += 2;
        else if (launch_is_type(l, at)) {
            k = launch_kind_of(l, at, at + 1);
            if (k == OTHER) k = NARROW;
        }
        else if (!str_among(t->text, "std static_cast min max MIN MAX")) k = launch_kind_named(l, t->text);
        if (k > most) most = k;
    }
    return most;
}

// Behind the operand of a cast.
int launch_operand_end(const Launcher *l, int at, int to) {
    if (is(l, at, "std")) at += 2;
    if (is(l, at, "static_cast"))
        while (at + 1 < to && !is(l, at + 1, "(")) at++;
    if (is(l, at, "(")) {
        int k = launch_closing(l, at); // of another cast
        return launch_is_type(l, at + 1) && k < to ? launch_operand_end(l, k, to) : k;
    }
    if (is(l, at + 1, "(")) return launch_closing(l, at + 1);
    return is(l, at + 1, ".") ? at + 3 : at + 1;
}

// Is a value of kind `from`, the text, the same as one of kind `to`? That a long one fits into an int is
// taken for granted.
bool launch_keeps(Launcher *l, Kind to, Kind from, bool alone, const char *text) {
    if (to <= NARROW || from == OTHER || to == OTHER) return false;
    if (to >= FLOAT) return (to == from && from != OTHER) || (from == FLOAT && alone);
    if (to == WHOLE && from == LONG)
        vec_push(l->a, &l->out->granted,
                 arena_printf(l->a, "(%s) <= 2147483647 && (%s) >= -2147483647", text, text));
    return from < FLOAT;
}

// What the pointer of that name points to; NULL: it is no such.
const char *launch_pointed(const Launcher *l, const char *name, const char **bytes) {
    for (int i = l->first; i < l->end; i++) {
        int k = i - 1;
        if (!is(l, i, name)) continue;
        while (k > l->first && str_among(l->t[k].text, "const __restrict__ __restrict")) k--;
        if (!is(l, k, "*") || is(l, k - 1, "*")) continue;
        while (k > l->first && is(l, k - 1, ",")) // float *p, *q
            for (k -= 2; k > l->first && !str_among(l->t[k].text, "* ; {");) k--;
        int to = k;
        while (k > l->first && launch_is_type(l, k - 1)) k--;
        Text t = text_new(l->a);
        for (int j = k; j < to; j++) {
            int of = launch_typedef_of(l, j);
            if (!is(l, j, "const")) text_printf(&t, "%s%s", t.n ? " " : "", l->t[of < 0 ? j : of].text);
        }
        const char *type = text_str(&t);
        bool known = t.n && str_among(type, "float double int unsigned uint32_t int32_t");
        if (!known && !str_eq(type, "unsigned int")) return NULL;
        *bytes = str_eq(type, "double") ? "8" : "4";
        return type;
    }
    return NULL;
}

// "8" of sizeof(double) and sizeof(*x); NULL: of a type that is not known.
static const char *size_of(const Launcher *l, int at, int to) {
    const char *size = NULL;
    if (is(l, at, "*") && at + 2 == to) return launch_pointed(l, l->t[at + 1].text, &size) ? size : NULL;
    for (int i = at; i < to; i++) {
        int of = launch_typedef_of(l, i);
        const char *w = l->t[of < 0 ? i : of].text;
        if (str_eq(w, "*") && i > at) return "8";
        if (str_eq(w, "const")) continue;
        const char *n = str_among(w, "double long size_t int64_t uint64_t ptrdiff_t float2 int2") ? "8"
                        : str_among(w, "short int16_t uint16_t half __half")                      ? "2"
                        : str_among(w, "char bool int8_t uint8_t")                                ? "1"
                        : str_among(w, "float4 int4 double2")                                     ? "16"
                        : str_among(w, "float int unsigned signed uint uint32_t int32_t")         ? "4"
                                                                                                  : NULL;
        if (!n) return NULL;
        if (!size || !str_among(w, "int unsigned signed")) size = n;
    }
    return size;
}

// (int)x, (const float4 *)x and sizeof(float), which say nothing or a number. NULL in *wrong: they do not.
bool launch_skip_cast(Launcher *l, int from, int *at, int to, Text *out, bool *wrong) {
    if (is(l, *at, "sizeof")) {
        int end = launch_closing(l, *at + 1);
        const char *size = is(l, *at + 1, "(") ? size_of(l, *at + 2, end - 1) : NULL;
        if (size) text_printf(out, "%s ", size);
        *wrong |= !size;
        return *at = end, true;
    }
    bool named = str_among(l->t[*at].text, "static_cast reinterpret_cast const_cast"), pointer = false;
    int k = *at + 1 + named, type = k;
    if (!named && launch_is_type(l, *at) && is(l, *at + 1, "(")) type = *at, k--; // size_t(n)
    else {
        if (!is(l, k - 1, named ? "<" : "(")) return false;
        while (k < to && (launch_is_type(l, k) || (l->t[k].kind == HT_WORD && is(l, k + 1, "*")))) k++;
        if (k > type && is(l, k, "*")) pointer = true, k++; // of a pointer to anything
        else if (k == type || !launch_is_type(l, k - 1)) return false;
        if (!is(l, k, named ? ">" : ")")) return false;
    }
    *at = k + 1;
    int end = launch_operand_end(l, *at, to);
    if (pointer) *wrong |= end != to; // (float4 *)x + n counts vectors
    if (pointer || l->rounded) return true;
    Kind kind = launch_kind_of(l, type, k);
    bool all = type <= from + 1 + named && end == to;
    const char *x = kind < FLOAT ? launch_expression(l, *at, end) : "";
    *wrong |= !x || !launch_keeps(l, kind, launch_widest(l, *at, end), all, x) || (kind >= FLOAT && !all);
    return true;
}

// A variable's value where it is used.
static const char *closed(const Launcher *l, const char *v) {
    bool number = !v[strspn(v, "0123456789 ")];
    return arena_printf(l->a, number ? "%s " : "(%s) ", v);
}

// ceil(n / 256.0), that is (n + 255) / 256; at: behind the opening bracket. In single precision that is right
// as long as n is a float.
static const char *upwards(Launcher *l, int at, int to) {
    while (is(l, at, "(") && launch_closing(l, at) == to) at++, to--;
    int by = at;
    bool sum = false; // n + m / 256.0
    while (by < to && !is(l, by, "/")) {
        sum |= l->t[by].kind == HT_SIGN && !str_among(l->t[by].text, "* ( ) . < > ::");
        by = is(l, by, "(") ? launch_closing(l, by) : by + 1;
    }
    bool precise = false, single = false;
    for (int i = at; i < to; i++) {
        const char *w = l->t[i].text;
        bool number = l->t[i].kind == HT_NUMBER && strchr(w, '.');
        single |= is(l, i, "float") || (number && strpbrk(w, "fF"));
        precise |= is(l, i, "double") || (number && !strpbrk(w, "fF"));
    }
    if (!precise && !single) return launch_expression(l, at, to); // of whole numbers
    if (by + 1 >= to || sum || launch_operand_end(l, by + 1, to) != to) return NULL;
    l->rounded = true;
    const char *n = launch_expression(l, at, by), *d = n ? l->t[by + 1].text : NULL;
    size_t digits = d ? strspn(d, "0123456789") : 0;
    bool whole =
        d && by + 2 == to && digits && d[digits] == '.' && !d[digits + 1 + strspn(d + digits + 1, "0fF")];
    const char *m = whole ? arena_strndup(l->a, d, digits) : d ? launch_expression(l, by + 1, to) : NULL;
    l->rounded = false;
    if (m && !precise) vec_push(l->a, &l->out->granted, arena_printf(l->a, "(%s) <= 16777216", n));
    m = m ? closed(l, m) : NULL;
    return m ? arena_printf(l->a, "((%s + %s - 1) / %s) ", closed(l, n), m, m) : NULL;
}

// Does a condition of a main hang on what it was called with? Nobody knows that.
static bool hangs_on_call(const Launcher *l, const char *cond) {
    for (int i = l->first; l->program && i < l->end && !is(l, i, ")"); i++) {
        bool name = l->t[i].kind == HT_WORD && !launch_is_type(l, i);
        if (name && scan_has(cond, 0, strlen(cond), l->t[i].text)) return true;
    }
    return false;
}

// Does `cond` hold in the case at hand? In the first one it does.
bool launch_holds(Launcher *l, const char *cond) {
    bool first = !(l->cases >> l->out->ncases++ & 1);
    if (hangs_on_call(l, cond)) return first;
    vec_push(l->a, &l->out->conds, first ? cond : arena_printf(l->a, "!(%s)", cond));
    return first;
}

// The one of both that is the value where `cond` holds, or else the other.
static const char *case_of(Launcher *l, const char *cond, const char *x, const char *y) {
    return closed(l, launch_holds(l, cond) ? x : y);
}

// ceil(x), min(x, y), max(x, y); NULL: another function.
static const char *function(Launcher *l, int at) {
    const char *w = l->t[at].text;
    int to = launch_closing(l, at + 1) - 1, x[3][2];
    if (str_among(w, "ceil ceilf")) return upwards(l, at + 2, to);
    bool least = str_among(w, "min MIN std::min");
    if (!least && !str_among(w, "max MAX std::max")) return NULL;
    if (launch_arguments(l, at + 2, to, x, 3) != 2) return NULL;
    const char *y = launch_expression(l, x[0][0], x[0][1]), *z = launch_expression(l, x[1][0], x[1][1]);
    return y && z ? case_of(l, arena_printf(l->a, "(%s) %s (%s)", y, least ? "<=" : ">=", z), y, z) : NULL;
}

// Tokens as an expression of the function's parameters; NULL: not understood.
const char *launch_expression(Launcher *l, int at, int to) {
    Text t = text_new(l->a);
    int from = at;
    bool wrong = false;
    while (at < to) {
        if (is(l, at, "std") && is(l, at + 1, "::")) at += 2;
        const HostTok *k = &l->t[at];
        if (launch_skip_cast(l, from, &at, to, &t, &wrong)) {
            if (wrong) return NULL;
            continue;
        }
        if (k->kind == HT_WORD && is(l, at + 1, "(")) {
            const char *up = function(l, at);
            if (!up) return NULL;
            text_put(&t, up);
            at = launch_closing(l, at + 1);
            continue;
        }
        const char *dot = k->kind == HT_WORD ? strchr(k->text, '.') : NULL;
        bool apart = k->kind == HT_WORD && is(l, at + 1, ".") && at + 2 < to;
        if (dot || apart) { // grid.y
            const char *v =
                launch_value_of(l, dot ? arena_strndup(l->a, k->text, (size_t)(dot - k->text)) : k->text);
            if (!v) return NULL;
            for (int d = (dot ? dot[1] : l->t[at + 2].text[0]) - 'x'; d > 0 && v; d--)
                v = strchr(v, ',') ? strchr(v, ',') + 1 : NULL;
            text_printf(&t, "(%.*s) ", v ? (int)strcspn(v, ",") : 1, v ? v : "1");
            at += apart ? 3 : 1;
            continue;
        }
        if (k->kind == HT_WORD) {
            const char *v = launch_value_of(l, k->text);
            text_put(&t, v ? closed(l, v) : arena_printf(l->a, "%s ", k->text));
        } else if (k->kind == HT_NUMBER) {
            size_t n = strspn(k->text, "0123456789");
            bool octal = k->text[0] == '0' && n > 1;
            if (!n || octal || k->text[n + strspn(k->text + n, "uUlL")]) return NULL;
            text_printf(&t, "%.*s ", (int)n, k->text);
        } else if (k->kind == HT_SIGN && str_among(k->text, "+ - * / % ( ) < <= > >= == != && || ? :"))
            text_printf(&t, "%s ", k->text);
        else return NULL;
        at++;
    }
    return t.n ? text_str(&t) : NULL;
}

// The arguments between `from` and `to`, parted by commas; returns how many.
int launch_arguments(const Launcher *l, int from, int to, int at[][2], int most) {
    int n = 0, begin = from;
    for (int i = from; i <= to && n < most; i++) {
        if (i < to && (is(l, i, "(") || is(l, i, "[") || is(l, i, "{"))) {
            i = launch_closing(l, i) - 1;
            continue;
        }
        if (i < to && !is(l, i, ",")) continue;
        if (i > begin) at[n][0] = begin, at[n++][1] = i;
        begin = i + 1;
    }
    return n;
}
