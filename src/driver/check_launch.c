// SPDX-License-Identifier: MIT
// check_launch.c -- the launches of a file's host code, with sizes as expressions of its parameters.
//
//   void sum(const float *x, float *out, int n) {
//       float *part;
//       cudaMalloc(&part, 64 * sizeof(float));            temporary part, 64 elements
//       int blocks = (n + 255) / 256;
//       first<<<blocks, 256>>>(x, part, n);        →      grid (n + 255) / 256, block 256, x, part, n
//       second<<<1, 64>>>(part, out, blocks);
//   }
//
// Only what is certain to run once, in this order, is taken: a function with loops or conditions is not.
#include "driver/check_kernel.h"
#include "kernel/host.h"
#include <ctype.h>
#include <string.h>

typedef struct Named {
    const char *name, *text; // what the variable is; of a dim3: three, parted by commas
} Named;

typedef struct Launcher {
    Arena *a;
    const HostTok *t;
    int at, end, first; // first: of its parameters
    VEC(Named) vars;
    CheckLaunches *out;
    const char *why;
} Launcher;

static bool is(const Launcher *l, int at, const char *s) { return at < l->end && str_eq(l->t[at].text, s); }

static bool refuse(Launcher *l, const char *what) {
    if (!l->why) l->why = what;
    return false;
}

static bool is_type(const char *w) {
    return str_among(w,
                     "int unsigned long short size_t const float double auto uint uint32_t int64_t uint64_t "
                     "unsigned signed constexpr char int32_t");
}

static const char *value_of(const Launcher *l, const char *name) {
    for (int i = l->vars.n - 1; i >= 0; i--)
        if (str_eq(l->vars.at[i].name, name)) return l->vars.at[i].text;
    return NULL;
}

// Behind the bracket that closes the one at `at`.
static int closing(const Launcher *l, int at) {
    int depth = 0;
    for (; at < l->end; at++) {
        depth += is(l, at, "(") || is(l, at, "[") || is(l, at, "{");
        depth -= is(l, at, ")") || is(l, at, "]") || is(l, at, "}");
        if (depth <= 0) return at + 1;
    }
    return l->end;
}

// (int)x and sizeof(float), which say nothing or a number.
static bool skip_cast(Launcher *l, int *at, int to, Text *out) {
    if (is(l, *at, "sizeof")) {
        bool wide = is(l, *at + 2, "double") || is(l, *at + 2, "size_t");
        text_put(out, wide ? "8" : "4");
        *at = closing(l, *at + 1);
        return true;
    }
    int k = *at + 1;
    if (!is(l, *at, "(")) return false;
    while (k < to && is_type(l->t[k].text)) k++;
    if (k == *at + 1 || !is(l, k, ")")) return false;
    *at = k + 1;
    return true;
}

static const char *expression(Launcher *l, int at, int to);

// ceil(n / 256.0) in double precision, that is (n + 255) / 256; at: behind the opening bracket. In single
// precision a size may be rounded, which is not understood.
static const char *upwards(Launcher *l, int at, int to) {
    int by = at;
    while (by < to && !is(l, by, "/")) by = is(l, by, "(") ? closing(l, by) : by + 1;
    bool precise = false;
    for (int i = at; i < to; i++) {
        const char *w = l->t[i].text;
        if (is(l, i, "float") || (l->t[i].kind == HT_NUMBER && strpbrk(w, "fF"))) return NULL;
        precise |= is(l, i, "double") || (l->t[i].kind == HT_NUMBER && strchr(w, '.'));
    }
    const char *n = by < to && precise ? expression(l, at, by) : NULL,
               *d = n && by + 1 < to ? l->t[by + 1].text : NULL;
    size_t digits = d ? strspn(d, "0123456789") : 0;
    bool whole =
        d && by + 2 == to && digits && d[digits] == '.' && !d[digits + 1 + strspn(d + digits + 1, "0")];
    const char *m = whole ? arena_strndup(l->a, d, digits) : d ? expression(l, by + 1, to) : NULL;
    return m ? arena_printf(l->a, "(((%s) + (%s) - 1) / (%s)) ", n, m, m) : NULL;
}

// Tokens as an expression of the function's parameters; NULL: not understood.
static const char *expression(Launcher *l, int at, int to) {
    Text t = text_new(l->a);
    while (at < to) {
        const HostTok *k = &l->t[at];
        if (skip_cast(l, &at, to, &t)) continue;
        if (k->kind == HT_WORD && is(l, at + 1, "(")) {
            const char *up = str_eq(k->text, "ceil") ? upwards(l, at + 2, closing(l, at + 1) - 1) : NULL;
            if (!up) return NULL;
            text_put(&t, up);
            at = closing(l, at + 1);
            continue;
        }
        const char *dot = k->kind == HT_WORD ? strchr(k->text, '.') : NULL;
        bool apart = k->kind == HT_WORD && is(l, at + 1, ".") && at + 2 < to;
        if (dot || apart) { // grid.y
            const char *v =
                value_of(l, dot ? arena_strndup(l->a, k->text, (size_t)(dot - k->text)) : k->text);
            if (!v) return NULL;
            for (int d = (dot ? dot[1] : l->t[at + 2].text[0]) - 'x'; d > 0 && v; d--)
                v = strchr(v, ',') ? strchr(v, ',') + 1 : NULL;
            text_printf(&t, "(%.*s) ", v ? (int)strcspn(v, ",") : 1, v ? v : "1");
            at += apart ? 3 : 1;
            continue;
        }
        if (k->kind == HT_WORD) {
            const char *v = value_of(l, k->text);
            text_printf(&t, v ? "(%s) " : "%s ", v ? v : k->text);
        } else if (k->kind == HT_NUMBER) {
            size_t n = strspn(k->text, "0123456789");
            if (!n || strchr(k->text, '.')) return NULL;
            text_printf(&t, "%.*s ", (int)n, k->text);
        } else if (k->kind == HT_SIGN && str_among(k->text, "+ - * / % ( )")) text_printf(&t, "%s ", k->text);
        else return NULL;
        at++;
    }
    return t.n ? text_str(&t) : NULL;
}

// The arguments between `from` and `to`, parted by commas; returns how many.
static int arguments(const Launcher *l, int from, int to, int at[][2], int most) {
    int n = 0, begin = from;
    for (int i = from; i <= to && n < most; i++) {
        if (i < to && (is(l, i, "(") || is(l, i, "[") || is(l, i, "{"))) {
            i = closing(l, i) - 1;
            continue;
        }
        if (i < to && !is(l, i, ",")) continue;
        if (i > begin) at[n][0] = begin, at[n++][1] = i;
        begin = i + 1;
    }
    return n;
}

static bool dimensions(Launcher *l, int from, int to, const char **out) {
    int at[3][2], n = arguments(l, from, to, at, 3);
    Text t = text_new(l->a);
    for (int d = 0; d < n; d++) {
        const char *x = expression(l, at[d][0], at[d][1]);
        if (!x) return refuse(l, "a size of a launch is no expression of the function's parameters");
        text_printf(&t, "%s%s", d ? "," : "", x);
    }
    *out = text_str(&t);
    return n > 0;
}

// grid, or dim3(…), or a number
static bool launch_size(Launcher *l, int from, int to, const char **out) {
    const char *v = to == from + 1 ? value_of(l, l->t[from].text) : NULL;
    if (v) return *out = v, true;
    if (is(l, from, "dim3")) return dimensions(l, from + 2, to - 1, out);
    return dimensions(l, from, to, out);
}

static bool add_launch(Launcher *l, int mark, int to) {
    CheckLaunch k = {0};
    int at[16][2], name = mark - 1, close = mark + 1;
    Text t = text_new(l->a);
    if (is(l, name, ">"))
        while (name > l->at && !is(l, name, "<")) name--;
    bool instance = is(l, name, "<");
    if (instance) name--;
    text_put(&t, l->t[name].text);
    for (int i = name + 1; i < mark; i++) text_put(&t, l->t[i].text);
    k.kernel = text_str(&t);
    while (close < to && !is(l, close, ">>>")) close = is(l, close, "(") ? closing(l, close) : close + 1;
    int n = arguments(l, mark + 1, close, at, 4);
    if (n < 2 || !launch_size(l, at[0][0], at[0][1], &k.grid) ||
        !launch_size(l, at[1][0], at[1][1], &k.block))
        return refuse(l, "a launch is not understood");
    k.shared = n > 2 ? expression(l, at[2][0], at[2][1]) : NULL;
    n = arguments(l, close + 2, closing(l, close + 1) - 1, at, 16);
    k.nargs = n;
    k.arg = NEW_N(l->a, const char *, n + 1);
    for (int i = 0; i < n; i++)
        if (!(k.arg[i] = expression(l, at[i][0], at[i][1])))
            k.arg[i] = l->t[at[i][0]].text; // a literal that is no whole number
    vec_push(l->a, &l->out->launches, k);
    return true;
}

// cudaMalloc(&p, bytes)
static bool allocate(Launcher *l, int open) {
    int at[4][2], n = arguments(l, open + 1, closing(l, open) - 1, at, 4);
    if (n != 2) return refuse(l, "an allocation is not understood");
    const char *bytes = expression(l, at[1][0], at[1][1]);
    if (!bytes) return refuse(l, "the size of an allocation is not understood");
    const char *name = l->t[at[0][1] - 1].text;
    vec_push(l->a, &l->out->temporaries, ((CheckTemporary){name, bytes}));
    return true;
}

// What the pointer of that name points to; NULL: it is no such.
static const char *pointed(const Launcher *l, const char *name, const char **bytes) {
    for (int i = l->first; i < l->end; i++) {
        int k = i - 1;
        if (!is(l, i, name)) continue;
        while (k > l->first && str_among(l->t[k].text, "const __restrict__ __restrict")) k--;
        int to = k;
        if (!is(l, k, "*") || is(l, k - 1, "*")) continue;
        while (k > l->first && is_type(l->t[k - 1].text)) k--;
        Text t = text_new(l->a);
        for (int j = k; j < to; j++)
            if (!str_eq(l->t[j].text, "const")) text_printf(&t, "%s%s", t.n ? " " : "", l->t[j].text);
        const char *type = text_str(&t);
        bool known = t.n && str_among(type, "float double int unsigned uint32_t int32_t");
        if (!known && !str_eq(type, "unsigned int")) return NULL;
        *bytes = str_eq(type, "double") ? "8" : "4";
        return type;
    }
    return NULL;
}

// cudaMemset(p, 0, bytes)
static bool set_zero(Launcher *l, int open) {
    int at[4][2], n = arguments(l, open + 1, closing(l, open) - 1, at, 4);
    const char *p = n >= 3 ? l->t[at[0][1] - 1].text : "", *size, *type = pointed(l, p, &size);
    const char *bytes = type && is(l, at[1][0], "0") && at[1][1] == at[1][0] + 1
                            ? expression(l, at[2][0], at[2][1]) : NULL;
    if (!bytes) return refuse(l, "a cudaMemset is not understood: of zeros, in numbers of 4 or 8 bytes");
    const char *count = arena_printf(l->a, "((%s) / %s)", bytes, size);
    const char *kernel = arena_printf(l->a, "sculpt_zero<%s>", type);
    CheckLaunch k = {kernel, arena_printf(l->a, "(%s + 255) / 256", count), "256", .nargs = 2};
    k.arg = NEW_N(l->a, const char *, 2);
    k.arg[0] = p, k.arg[1] = count;
    vec_push(l->a, &l->out->launches, k);
    return true;
}

static bool declare_one(Launcher *l, int type, int name, int to) {
    bool sizes = is(l, type, "dim3");
    while (!sizes && name < to && (is_type(l->t[name].text) || is(l, name, "*"))) name++;
    if (name >= to || l->t[name].kind != HT_WORD) return refuse(l, "a declaration is not understood");
    if (is(l, name - 1, "*") || name + 1 >= to) return true; // a pointer, or set later
    const char *text = NULL;
    bool paren = is(l, name + 1, "(") || is(l, name + 1, "{");
    if (sizes && paren && !dimensions(l, name + 2, closing(l, name + 1) - 1, &text)) return false;
    if (sizes && !paren && !launch_size(l, name + 2, to, &text)) return false;
    if (!sizes) text = expression(l, name + 2, paren ? to - 1 : to);
    if (!text)
        return refuse(l, "a variable of the host's code is no expression of the function's parameters");
    vec_push(l->a, &l->vars, ((Named){l->t[name].text, text}));
    return true;
}

// dim3 block(16, 16), grid(n / 16, n / 16)
static bool declare(Launcher *l, int at, int to) {
    for (int from = at + 1; from < to;) {
        int end = from;
        while (end < to && !is(l, end, ","))
            end = is(l, end, "(") || is(l, end, "{") ? closing(l, end) : end + 1;
        if (!declare_one(l, at, from, end)) return false;
        from = end + 1;
    }
    return true;
}

static bool statement(Launcher *l, int at, int to) {
    int mark = at;
    while (mark < to && !is(l, mark, "<<<")) mark++;
    if (mark < to) return add_launch(l, mark, to);
    const char *w = l->t[at].text;
    if (str_among(w, "cudaFree cudaDeviceSynchronize cudaGetLastError cudaStreamSynchronize return"))
        return true;
    if (str_eq(w, "cudaMalloc")) return allocate(l, at + 1);
    if (str_among(w, "cudaMemset cudaMemsetAsync")) return set_zero(l, at + 1);
    if (is_type(w) || str_eq(w, "dim3")) return declare(l, at, to);
    return refuse(l, arena_printf(l->a, "the host's '%s' is not understood", w));
}

static bool body(Launcher *l) {
    for (int at = l->at; at < l->end;) {
        int to = at;
        if (str_among(l->t[at].text, "for while do if switch goto"))
            return refuse(l, "how often the host launches hangs on conditions");
        while (to < l->end && !is(l, to, ";"))
            to = is(l, to, "(") || is(l, to, "{") ? closing(l, to) : to + 1;
        if (to > at && !statement(l, at, to)) return false;
        at = to + 1;
    }
    return true;
}

static bool launches_in(const HostTok *t, int at, int end) {
    for (; at < end; at++)
        if (str_eq(t[at].text, "<<<")) return true;
    return false;
}

const char *check_read_launches(Arena *a, const char *file, int nflags, const char *const *flags,
                                CheckLaunches *out) {
    size_t size;
    char *text = file_read(a, file, &size);
    if (!text) return "it can't be read";
    HostToks all = host_tokens(a, file, text, size, nflags, flags);
    for (int i = 0; i + 1 < all.n; i++) { // a function: NAME ( … ) {
        Launcher l = {.a = a, .t = all.at, .end = all.n, .out = out};
        if (all.at[i].kind != HT_WORD || !is(&l, i + 1, "(")) continue;
        int open = closing(&l, i + 1);
        if (!is(&l, open, "{")) continue;
        int close = closing(&l, open);
        if (!launches_in(all.at, open, close)) {
            i = open;
            continue;
        }
        if (out->function) return "several functions of the host's code launch kernels";
        int at[32][2], n = arguments(&l, i + 2, open - 1, at, 32);
        out->function = all.at[i].text;
        for (int k = 0; k < n; k++) {
            bool pointer = false;
            for (int j = at[k][0]; j < at[k][1]; j++) pointer |= is(&l, j, "*");
            CheckParam p = {all.at[at[k][1] - 1].text, .pointer = pointer};
            for (int j = at[k][0]; j < at[k][1]; j++) {
                p.constant |= is(&l, j, "const");
                p.floating |= is(&l, j, "float") || is(&l, j, "double");
            }
            vec_push(a, &out->params, p);
        }
        l.at = open + 1, l.first = i;
        l.end = close - 1;
        if (!body(&l)) return l.why ? l.why : "the host's code is not understood";
        i = close - 1;
    }
    return out->launches.n ? NULL : "its host code launches nothing";
}
