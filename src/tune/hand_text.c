// SPDX-License-Identifier: MIT
// hand_text.c -- a kernel written by hand as text, with all that a launch of it needs: what its recorded
// space begins with, so that another machine can measure it without reading C.
//
//     by hand convolution
//     file bench/convolution.cu      where it is from; CUDA or OpenCL by its end
//     knob 0 tile 1,2,4              the place of the value without tuning, the values
//     where tile * block_size_x <= 1024
//     problem 4096
//     block|divide|grid 0 FORMULA    of a dimension
//     shared FORMULA, flag -DX, tolerance 0.1
//     value n i32 4 FORMULA
//     memory out f32 4 -w FORMULA    numbers, bytes of an element, read and written, how many elements
//     fill out FORMULA
//     reference N, text N            so many lines
#include "tune/hand.h"
#include <stdlib.h>
#include <string.h>

static void put_each(Text *t, const char *word, const char *const each[3]) {
    for (int d = 0; d < 3; d++)
        if (each[d]) text_printf(t, "%s %d %s\n", word, d, each[d]);
}

static void put_lines(Text *t, const char *word, const char *s) {
    int n = 0;
    for (const char *p = s; *p; p++) n += *p == '\n' || !p[1];
    text_printf(t, "%s %d\n%s%s", word, n, s, *s && !str_has_suffix(s, "\n") ? "\n" : "");
}

const char *hand_print(Arena *a, const Hand *h) {
    Text t = text_new(a);
    text_printf(&t, "by hand %s\nfile %s\n", h->kernel, h->file);
    for (int i = 0; i < h->knobs.n; i++) {
        const HandKnob *k = &h->knobs.at[i];
        text_printf(&t, "knob %d %s ", k->own, k->name);
        for (int v = 0; v < k->n; v++) text_printf(&t, "%s%s", v ? "," : "", k->value[v]);
        text_put(&t, "\n");
    }
    for (int i = 0; i < h->where.n; i++) text_printf(&t, "where %s\n", h->where.at[i]);
    for (int i = 0; i < h->problem.n; i++)
        text_printf(&t, "problem %s\n", formula_print(a, h->problem.at[i].at[0]));
    put_each(&t, "block", h->block), put_each(&t, "divide", h->divide), put_each(&t, "grid", h->grid);
    if (h->shared) text_printf(&t, "shared %s\n", h->shared);
    for (int i = 0; i < h->flags.n; i++) text_printf(&t, "flag %s\n", h->flags.at[i]);
    if (h->tolerance >= 0) text_printf(&t, "tolerance %.17g\n", h->tolerance);
    for (int i = 0; i < h->args.n; i++) {
        const HandArg *x = &h->args.at[i];
        text_printf(&t, "%s %s %s %lld ", x->pointer ? "memory" : "value", x->name, type_name(x->type),
                    (long long)x->bytes);
        if (x->pointer) text_printf(&t, "%c%c ", x->reads ? 'r' : '-', x->writes ? 'w' : '-');
        text_printf(&t, "%s\n", x->text ? x->text : "");
        if (x->fill) text_printf(&t, "fill %s %s\n", x->name, x->fill);
    }
    if (h->reference) put_lines(&t, "reference", h->reference);
    put_lines(&t, "text", h->text);
    return arena_strdup(a, text_str(&t));
}

// ---- reading ------------------------------------------------------------------------------------------
// The next word of a line; *s moves behind it.
static const char *word(Arena *a, const char **s) {
    size_t n = strcspn(*s, " ");
    const char *out = arena_strndup(a, *s, n);
    *s += n + ((*s)[n] == ' ');
    return out;
}

static Type type_of(const char *name) {
    for (int t = 0; t < T_COUNT; t++)
        if (t != T_NONE && str_eq(type_name((Type)t), name)) return (Type)t;
    return T_NONE;
}

static bool read_knob(Arena *a, const char *s, Hand *h) {
    HandKnob k = {.own = atoi(word(a, &s))};
    k.name = word(a, &s);
    Parts p = formula_parts(a, s, ',');
    k.n = p.n, k.value = p.at;
    if (!*k.name || h->knobs.n == SPACE_KNOBS || k.own < 0 || k.own >= k.n) return false;
    return vec_push(a, &h->knobs, k), true;
}

static bool read_arg(Arena *a, const char *s, bool pointer, Hand *h) {
    HandArg x = {.name = word(a, &s), .pointer = pointer};
    x.type = type_of(word(a, &s));
    x.bytes = atoll(word(a, &s));
    if (pointer) {
        const char *use = word(a, &s);
        x.reads = use[0] == 'r', x.writes = use[0] && use[1] == 'w';
    }
    x.text = arena_strdup(a, s);
    if (!*x.name || x.type == T_NONE || x.bytes < type_size(x.type) || x.bytes > 1024 || !*s) return false;
    return vec_push(a, &h->args, x), true;
}

static bool read_fill(Arena *a, const char *s, Hand *h) {
    const char *name = word(a, &s);
    for (int i = 0; i < h->args.n; i++)
        if (str_eq(h->args.at[i].name, name)) return h->args.at[i].fill = arena_strdup(a, s), true;
    return false;
}

static bool read_each(Arena *a, const char *s, const char *each[3]) {
    const char *d = word(a, &s);
    if (d[0] < '0' || d[0] > '2' || d[1] || !*s) return false;
    return each[d[0] - '0'] = arena_strdup(a, s), true;
}

static bool read_problem(Arena *a, const char *s, Hand *h) {
    const char *why;
    Value v = {.n = 1, .at = NEW(a, double)};
    if (h->problem.n == 3 || !formula_number(a, s, NULL, NULL, v.at, &why)) return false;
    return vec_push(a, &h->problem, v), true;
}

// So many lines behind this one.
static const char *lines(Arena *a, const char **s, int n) {
    const char *start = *s;
    for (; n > 0 && **s; n--) *s += strcspn(*s, "\n"), *s += **s == '\n';
    return n ? NULL : arena_strndup(a, start, (size_t)(*s - start));
}

static bool read_line(Arena *a, const char *key, const char *s, const char **rest, Hand *h) {
    if (str_eq(key, "file")) return h->file = arena_strdup(a, s), *s;
    if (str_eq(key, "knob")) return read_knob(a, s, h);
    if (str_eq(key, "where")) return vec_push(a, &h->where, (const char *)arena_strdup(a, s)), *s;
    if (str_eq(key, "problem")) return read_problem(a, s, h);
    if (str_eq(key, "block")) return read_each(a, s, h->block);
    if (str_eq(key, "divide")) return read_each(a, s, h->divide);
    if (str_eq(key, "grid")) return read_each(a, s, h->grid);
    if (str_eq(key, "shared")) return h->shared = arena_strdup(a, s), *s;
    if (str_eq(key, "flag")) return vec_push(a, &h->flags, (const char *)arena_strdup(a, s)), *s;
    if (str_eq(key, "tolerance")) return h->tolerance = atof(s), h->tolerance >= 0;
    if (str_eq(key, "value")) return read_arg(a, s, false, h);
    if (str_eq(key, "memory")) return read_arg(a, s, true, h);
    if (str_eq(key, "fill")) return read_fill(a, s, h);
    if (str_eq(key, "reference")) return (h->reference = lines(a, rest, atoi(s)));
    if (str_eq(key, "text")) return (h->text = lines(a, rest, atoi(s)));
    return false;
}

Hand *hand_read(Arena *a, const char *text, const char **why) {
    Hand *h = NEW_AS(a, Hand, (Hand){.tolerance = -1});
    const char *s = text;
    while (*s) {
        const char *line = lines(a, &s, 1), *at;
        line = at = arena_strndup(a, line, strcspn(line, "\n"));
        bool first = !h->kernel, ok;
        if (first) ok = str_has_prefix(line, "by hand "), h->kernel = line + strlen("by hand ");
        const char *key = first ? "" : word(a, &at);
        if (!first) ok = read_line(a, key, at, &s, h);
        if (!ok) return *why = arena_printf(a, "'%s' is no part of a kernel by hand", line), NULL;
    }
    bool whole = h->kernel && *h->kernel && h->file && h->text && h->knobs.n && h->args.n &&
                 (h->problem.n || h->grid[0]);
    if (!whole) return *why = "a part of the kernel by hand is missing", NULL;
    return h->opencl = str_has_suffix(h->file, ".cl"), h;
}
