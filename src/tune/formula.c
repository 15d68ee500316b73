// SPDX-License-Identifier: MIT
// formula.c -- arithmetic over names, evaluated while it is read.
#include "tune/formula.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, DEEP = 64 }; // elements of a list; brackets inside each other
typedef struct Read {
    Arena *a;
    const char *s, *why;
    FormulaName name;
    void *arg;
    int deep;
    const char *counter; // of [… for counter in …]; NULL: none
    double count;
} Read;

static Value either(Read *r);

static Value fail(Read *r, const char *why) {
    if (!r->why) r->why = why;
    r->s = "";
    return (Value){.n = 1, .at = NEW(r->a, double)};
}

static Value number(Read *r, double v) {
    Value x = {.n = 1, .at = NEW(r->a, double)};
    return *x.at = v, x;
}

static double plain(Read *r, Value v) {
    if (v.list || v.text) fail(r, "a number should stand there");
    return v.n ? v.at[0] : 0;
}

static bool take(Read *r, const char *word) {
    r->s += strspn(r->s, " \t\n");
    size_t n = strlen(word);
    bool letters = isalpha((unsigned char)*word);
    if (strncmp(r->s, word, n) != 0 || (letters && (isalnum((unsigned char)r->s[n]) || r->s[n] == '_')))
        return false;
    return r->s += n, true;
}

static const char *word(Read *r) {
    r->s += strspn(r->s, " \t\n");
    size_t n = 0;
    while (isalnum((unsigned char)r->s[n]) || r->s[n] == '_') n++;
    r->s += n;
    return arena_strndup(r->a, r->s - n, n);
}

static void push(Read *r, Value *list, double v, const char *text) {
    if (list->n >= MOST) return (void)fail(r, "a list is too long");
    if ((list->n & (list->n - 1)) == 0) { // a power of two is full
        double *at = NEW_N(r->a, double, 2 * list->n + 2);
        const char **words = NEW_N(r->a, const char *, 2 * list->n + 2);
        for (int i = 0; i < list->n; i++) at[i] = list->at[i], words[i] = list->text ? list->text[i] : NULL;
        list->at = at;
        if (list->text || text) list->text = words;
    }
    if (text && !list->text) list->text = NEW_N(r->a, const char *, 2 * list->n + 2);
    list->at[list->n] = v;
    if (list->text) list->text[list->n] = text;
    list->n++;
}

static void push_all(Read *r, Value *list, Value v) { // lists in lists become one
    for (int i = 0; i < v.n && !r->why; i++) push(r, list, v.at[i], v.text ? v.text[i] : NULL);
}

// [x for i in list]: x is read once for each, at its own place.
static Value comprehension(Read *r, const char *from) {
    Value out = {.list = true};
    Read old = *r;
    const char *counter = word(r);
    if (!take(r, "in")) return fail(r, "'in' should stand there");
    Value over = either(r);
    const char *end = r->s;
    for (int i = 0; i < over.n && !r->why; i++) {
        r->s = from, r->counter = counter, r->count = over.at[i];
        push_all(r, &out, either(r));
    }
    r->counter = old.counter, r->count = old.count, r->s = r->why ? "" : end;
    return out;
}

// Behind the "for" of a comprehension that begins here; NULL: none does.
static const char *counted(const char *s) {
    for (int deep = 0; *s && deep >= 0 && (deep || *s != ','); s++) {
        if (!deep && strncmp(s, " for ", 5) == 0) return s + 5;
        deep += (strchr("([", *s) != NULL) - (strchr(")]", *s) != NULL);
    }
    return NULL;
}

static Value list(Read *r, const char *close) {
    Value out = {.list = true};
    while (!r->why && !take(r, close)) {
        // what a comprehension counts with has no value before that is read
        const char *from = r->s, *behind = counted(from);
        if (behind) {
            r->s = behind;
            out = comprehension(r, from);
            return take(r, close) ? out : fail(r, "a list has no end");
        }
        push_all(r, &out, either(r));
        if (!take(r, ",") && !r->why && (r->s += strspn(r->s, " \t\n"), *r->s != *close))
            return fail(r, "a list has no end");
    }
    return out;
}

static Value range(Read *r, Value v) {
    Value out = {.list = true};
    double lo = v.n > 1 ? v.at[0] : 0, hi = v.n ? v.at[v.n > 1] : 0, by = v.n > 2 ? v.at[2] : 1;
    if (by == 0 || v.n > 3) return fail(r, "it is no range");
    for (double x = lo; !r->why && (by > 0 ? x < hi : x > hi); x += by) push(r, &out, x, NULL);
    return out;
}

static Value call(Read *r, const char *f) {
    Value v = list(r, ")");
    bool least = str_eq(f, "min"), most = str_eq(f, "max");
    double x = v.n ? v.at[0] : 0;
    if (str_eq(f, "range")) return range(r, v);
    if (str_eq(f, "list") || str_eq(f, "tuple")) return v;
    if (str_eq(f, "len")) return number(r, v.n);
    if (!v.n) return fail(r, arena_printf(r->a, "%s of nothing", f));
    for (int i = 1; i < v.n && (least || most); i++) x = least ? fmin(x, v.at[i]) : fmax(x, v.at[i]);
    if (str_among(f, "int floor"))
        x = str_eq(f, "int") ? trunc(x) : floor(x);
    else if (str_eq(f, "ceil"))
        x = ceil(x);
    else if (str_eq(f, "abs"))
        x = fabs(x);
    else if (!least && !most && !str_among(f, "float bool"))
        return fail(r, arena_printf(r->a, "there is no function '%s'", f));
    return number(r, x);
}

static Value quoted(Read *r) {
    const char *end = strchr(r->s + 1, *r->s);
    Value out = {0};
    if (!end) return fail(r, "a word in quotes has no end");
    push(r, &out, NAN, arena_strndup(r->a, r->s + 1, (size_t)(end - r->s - 1)));
    r->s = end + 1;
    return out;
}

static Value atom(Read *r) {
    if (take(r, "(")) {
        Value v = either(r);
        Value all = {.list = true};
        if (take(r, ")")) return v;
        push_all(r, &all, v); // a tuple
        if (!take(r, ",")) return fail(r, "a bracket has no end");
        push_all(r, &all, list(r, ")"));
        return all;
    }
    if (take(r, "[")) return list(r, "]");
    if (*r->s == '"' || *r->s == '\'') return quoted(r);
    if (isdigit((unsigned char)*r->s) || *r->s == '.') {
        char *end;
        double v = strtod(r->s, &end);
        r->s = end + (*end == 'f' || *end == 'u' || *end == 'l');
        return number(r, v);
    }
    const char *name = word(r);
    Value v;
    if (!*name)
        return fail(r, *r->s ? arena_printf(r->a, "'%.12s' is not understood", r->s) : "it ends too early");
    if (take(r, "(")) return call(r, name);
    if (str_among(name, "True true")) return number(r, 1);
    if (str_among(name, "False false")) return number(r, 0);
    if (r->counter && str_eq(name, r->counter)) return number(r, r->count);
    if (!r->name || !r->name(r->arg, name, &v))
        return fail(r, arena_printf(r->a, "nobody says what '%s' is", name));
    return v;
}

static Value indexed(Read *r) {
    Value v = atom(r);
    while (!r->why && take(r, "[")) {
        double i = plain(r, either(r));
        if (!take(r, "]")) return fail(r, "a bracket has no end");
        if (!(i >= 0 && i < v.n)) return fail(r, "a list has no such element");
        v = number(r, v.at[(int)i]);
    }
    return v;
}

static Value power(Read *r);

static Value sign(Read *r) {
    if (++r->deep > DEEP) return fail(r, "brackets stand too deep");
    bool minus = take(r, "-");
    Value v = minus || take(r, "+") ? sign(r) : power(r);
    r->deep--;
    return minus ? number(r, -plain(r, v)) : v;
}

static Value power(Read *r) {
    Value v = indexed(r);
    if (!r->why && take(r, "**")) return number(r, pow(plain(r, v), plain(r, sign(r))));
    return v;
}

static Value product(Read *r) {
    Value v = sign(r);
    while (!r->why) {
        char op = take(r, "//") ? 'd' : take(r, "*") ? '*' : take(r, "/") ? '/' : take(r, "%") ? '%' : 0;
        if (!op) break;
        double x = plain(r, v), y = plain(r, sign(r));
        if (op != '*' && y == 0) return fail(r, "it divides by zero");
        v = number(r, op == '*'   ? x * y
                      : op == '/' ? x / y
                      : op == 'd' ? floor(x / y)
                                  : x - y * floor(x / y));
    }
    return v;
}

static Value sum(Read *r) {
    Value v = product(r);
    while (!r->why) {
        bool plus = take(r, "+");
        if (!plus && !take(r, "-")) break;
        double x = plain(r, v), y = plain(r, product(r));
        v = number(r, plus ? x + y : x - y);
    }
    return v;
}

static bool same(Value x, Value y, int i) {
    if (x.text || y.text) return x.text && y.text && str_eq(x.text[0], y.text[i]);
    return x.at[0] == y.at[i];
}

// a < b <= c means both.
static Value comparison(Read *r) {
    Value v = sum(r);
    bool all = true, any = false;
    while (!r->why) {
        static const char *const ops[] = {"<=", ">=", "==", "!=", "<", ">", "in"};
        int op = 0;
        while (op < 7 && !take(r, ops[op])) op++;
        if (op == 7) break;
        Value w = sum(r);
        bool is = false;
        any = true;
        for (int i = 0; op == 6 && i < w.n && v.n; i++) is |= same(v, w, i);
        if (op == 2 || op == 3)
            is = v.n && w.n && same(v, w, 0) == (op == 2);
        else if (op < 6) {
            double x = plain(r, v), y = plain(r, w);
            is = op == 0 ? x <= y : op == 1 ? x >= y : op == 4 ? x < y : x > y;
        }
        all &= is, v = w;
    }
    return any ? number(r, all) : v;
}

static Value negation(Read *r) {
    r->s += strspn(r->s, " \t\n");
    bool bang = r->s[0] == '!' && r->s[1] != '=' && take(r, "!");
    if (!bang && !take(r, "not")) return comparison(r);
    if (++r->deep > DEEP) return fail(r, "brackets stand too deep");
    double x = plain(r, negation(r));
    r->deep--;
    return number(r, x == 0);
}

static Value both(Read *r) {
    Value v = negation(r);
    while (!r->why && (take(r, "and") || take(r, "&&"))) {
        double x = plain(r, v), y = plain(r, negation(r));
        v = number(r, x != 0 && y != 0);
    }
    return v;
}

static Value either(Read *r) {
    if (++r->deep > DEEP) return fail(r, "brackets stand too deep");
    Value v = both(r);
    while (!r->why && (take(r, "or") || take(r, "||"))) {
        double x = plain(r, v), y = plain(r, both(r));
        v = number(r, x != 0 || y != 0);
    }
    r->deep--;
    return v;
}

bool formula_value(Arena *a, const char *text, FormulaName name, void *arg, Value *out, const char **why) {
    Read r = {.a = a, .s = text, .name = name, .arg = arg};
    *out = either(&r);
    if (!r.why && r.s[strspn(r.s, " \t\n")]) fail(&r, arena_printf(a, "'%.12s' is not understood", r.s));
    if (r.why) *why = arena_printf(a, "%s: %s", text, r.why);
    return !r.why;
}

bool formula_number(Arena *a, const char *text, FormulaName name, void *arg, double *out, const char **why) {
    Value v;
    if (!formula_value(a, text, name, arg, &v, why)) return false;
    if (v.list || v.text || !isfinite(v.at[0]))
        return *why = arena_printf(a, "%s: it is no number", text), false;
    return *out = v.at[0], true;
}

Parts formula_parts(Arena *a, const char *text, char end) {
    Parts out = {0};
    for (const char *s = text; *s; s += *s == end) {
        const char *from = s + strspn(s, " \t\n");
        for (int deep = 0; *s && (*s != end || deep > 0); s++)
            deep += (strchr("([", *s) != NULL) - (strchr(")]", *s) != NULL);
        const char *to = s;
        while (to > from && strchr(" \t\n", to[-1])) to--;
        if (to > from) vec_push(a, &out, (const char *)arena_strndup(a, from, (size_t)(to - from)));
    }
    return out;
}

const char *formula_print(Arena *a, double v) {
    return v == rint(v) && fabs(v) < 1e15 ? arena_printf(a, "%lld", (long long)v)
                                          : arena_printf(a, "%.9g", v);
}
