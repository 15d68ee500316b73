// SPDX-License-Identifier: MIT
// hand.c -- kernels written by hand: configurations, and what they are launched with.
#include "tune/hand.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const blocks[] = {"block_size_x", "block_size_y", "block_size_z"};

// ---- configurations ---------------------------------------------------------------------------------
bool hand_coords(const Hand *h, const char *form, int *coord) {
    for (int i = 0; i < h->knobs.n; i++) {
        const HandKnob *k = &h->knobs.at[i];
        size_t n = strlen(k->name), len = strcspn(form, "\n");
        if (strncmp(form, k->name, n) != 0 || form[n] != '=') return false;
        for (coord[i] = 0; coord[i] < k->n; coord[i]++)
            if (strlen(k->value[coord[i]]) == len - n - 1 &&
                !strncmp(k->value[coord[i]], form + n + 1, len - n - 1))
                break;
        if (coord[i] == k->n) return false;
        form += len + (form[len] == '\n');
    }
    return !*form;
}

const char *hand_form(Arena *a, const Hand *h, const int *coord) {
    Text t = text_new(a);
    for (int i = 0; i < h->knobs.n; i++)
        text_printf(&t, "%s=%s\n", h->knobs.at[i].name, h->knobs.at[i].value[coord[i]]);
    return arena_strdup(a, text_str(&t));
}

// ---- names --------------------------------------------------------------------------------------------
typedef struct Names {
    Arena *a;
    const Hand *h;
    const int *coord; // NULL: a knob is the list of its values
    int deep;         // arguments that are made of others
} Names;

static Value of_text(Arena *a, const char *text) {
    char *end;
    Value v = {.n = 1, .at = NEW(a, double)};
    *v.at = strtod(text, &end);
    if (end == text || *end) v.text = NEW_N(a, const char *, 1), v.text[0] = text;
    return v;
}

static bool named(void *arg, const char *name, Value *out) {
    Names *n = arg;
    const Hand *h = n->h;
    const char *why;
    if (str_among(name, "ProblemSize problem_size")) {
        *out = (Value){.list = true, .n = h->problem.n, .at = NEW_N(n->a, double, h->problem.n + 1)};
        for (int i = 0; i < h->problem.n; i++) out->at[i] = h->problem.at[i].at[0];
        return true;
    }
    for (int i = 0; i < h->knobs.n; i++) {
        const HandKnob *k = &h->knobs.at[i];
        if (!str_eq(k->name, name)) continue;
        if (n->coord) return *out = of_text(n->a, k->value[n->coord[i]]), true;
        *out = (Value){.list = true, .n = k->n, .at = NEW_N(n->a, double, k->n + 1)};
        for (int v = 0; v < k->n; v++) out->at[v] = of_text(n->a, k->value[v]).at[0];
        return true;
    }
    for (int i = 0; i < h->args.n; i++) {
        const HandArg *x = &h->args.at[i];
        if (!str_eq(x->name, name) || x->pointer || !x->text || n->deep > 8) continue;
        Names inner = *n;
        inner.deep++;
        return formula_value(n->a, x->text, named, &inner, out, &why);
    }
    for (int d = 0; d < 3; d++) { // that are no knobs
        Names inner = *n;
        inner.deep++;
        if (str_eq(name, blocks[d]) && n->deep <= 8)
            return formula_value(n->a, h->block[d] ? h->block[d] : "1", named, &inner, out, &why);
    }
    return false;
}

bool hand_arg(Arena *a, const Hand *h, const HandArg *x, double *out, const char **why) {
    if (x->text) return formula_number(a, x->text, named, &(Names){a, h, NULL, 1}, out, why);
    *why = arena_printf(
        a, x->pointer ? "how many elements does %s point to? --arg %s=N" : "%s has no value: --arg %s=N",
        x->name, x->name);
    return false;
}

bool hand_allows(Arena *a, const Hand *h, const int *coord, bool *allowed, const char **why) {
    *allowed = true;
    for (int i = 0; i < h->where.n && *allowed; i++) {
        double v;
        if (!formula_number(a, h->where.at[i], named, &(Names){a, h, coord, 0}, &v, why)) return false;
        *allowed = v != 0;
    }
    return true;
}

static bool whole(Arena *a, const Hand *h, const int *coord, const char *text, int64_t *out,
                  const char **why) {
    double v;
    if (!formula_number(a, text, named, &(Names){a, h, coord, 0}, &v, why)) return false;
    *out = (int64_t)v;
    return (v >= 0 && v < 1e15) || (*why = arena_printf(a, "%s is %g", text, v), false);
}

static const char *knob_or_one(const Hand *h, const char *name) {
    for (int i = 0; i < h->knobs.n; i++)
        if (str_eq(h->knobs.at[i].name, name)) return name;
    return "1";
}

bool hand_launch(Arena *a, const Hand *h, const int *coord, HandLaunch *out, const char **why) {
    *out = (HandLaunch){0};
    for (int d = 0; d < 3; d++) {
        const char *own = knob_or_one(h, blocks[d]), *block = h->block[d] ? h->block[d] : own;
        const char *by = h->divide[d] ? h->divide[d] : block;
        double size = d < h->problem.n ? h->problem.at[d].at[0] : 1;
        int64_t divisor;
        if (!whole(a, h, coord, block, &out->block[d], why) || !whole(a, h, coord, by, &divisor, why))
            return false;
        if (out->block[d] < 1 || divisor < 1)
            return *why = arena_printf(a, "%s: a block has no threads", out->block[d] < 1 ? block : by),
                   false;
        out->grid[d] = (int64_t)ceil(size / (double)divisor);
        if (h->grid[d] && !whole(a, h, coord, h->grid[d], &out->grid[d], why)) return false;
    }
    return !h->shared || whole(a, h, coord, h->shared, &out->shared, why);
}

Parts hand_macros(Arena *a, const Hand *h, const int *coord, const HandLaunch *l) {
    Parts p = {0};
    vec_push(a, &p, "kernel_tuner=1");
    for (int i = 0; i < h->knobs.n; i++)
        vec_push(a, &p,
                 (const char *)arena_printf(a, "%s=%s", h->knobs.at[i].name, h->knobs.at[i].value[coord[i]]));
    for (int d = 0; d < 3; d++) {
        vec_push(a, &p,
                 (const char *)arena_printf(a, "grid_size_%c=%lld", "xyz"[d], (long long)l -> grid[d]));
        if (str_eq(knob_or_one(h, blocks[d]), "1"))
            vec_push(a, &p, (const char *)arena_printf(a, "%s=%lld", blocks[d], (long long)l->block[d]));
    }
    return p;
}
