// SPDX-License-Identifier: MIT
// variants.c -- recipes by name, with constants changed; many in one file.
//
//   == base                    a name; its lines follow
//   let BM = 128
//   strip i by=BM as=ib,ii
//   == wide BM=256             no lines: those of the one before, with BM = 256
#include "bench/variants.h"
#include <string.h>

static bool is_let(const char *line, const char *name) {
    size_t n = strlen(name);
    line += strspn(line, " \t");
    if (strncmp(line, "let", 3) != 0 || !strchr(" \t", line[3])) return false;
    line += 3 + strspn(line + 3, " \t");
    return strncmp(line, name, n) == 0 && strchr(" \t=", line[n]);
}

static const char *set_one(Arena *a, const char *text, const Setting *s, const char **why) {
    Text t = text_new(a);
    bool found = false;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (is_let(line, s->name)) text_printf(&t, "let %s = %s", s->name, s->value), found = true;
        else text_putn(&t, line, n);
        line += n + (line[n] == '\n');
        text_put(&t, "\n");
    }
    if (found) return text_str(&t);
    *why = arena_printf(a, "the recipe has no constant %s", s->name);
    return NULL;
}

const char *variant_set(Arena *a, const char *text, const char *constants, const char **why) {
    SettingVec s = {0};
    if (!settings_read(a, constants, &s)) return *why = "constants are NAME=VALUE", NULL;
    for (int i = 0; text && i < s.n; i++) text = set_one(a, text, &s.at[i], why);
    return text;
}

const char *variant_recipe(Bench *b, const char *name, const char **file) {
    *file = name;
    const char *text = strchr(name, '.') ? file_read(b->a, name, NULL) : NULL;
    if (text) return text;
    *file = bench_file(b, "recipes/%s.sculpt", name);
    return file_read(b->a, *file, NULL);
}

static const char *fill_in(Arena *a, const char *name, const char *source) {
    const char *at = strchr(name, '%'), *slash = strrchr(source, '/'), *own = slash ? slash + 1 : source;
    return at ? arena_printf(a, "%.*s%.*s%s", (int)(at - name), name, (int)strcspn(own, "."), own, at + 1)
              : name;
}

bool variant_chain(Bench *b, const char *names, const char *source, Trial *t, const char **why) {
    for (int k = -1; *names; k++) {
        size_t n = strcspn(names, "+");
        const char *name = fill_in(b->a, arena_strndup(b->a, names, n), source), *file;
        const char *text = variant_recipe(b, name, &file);
        if (!text) return *why = arena_printf(b->a, "there is no recipe %s", file), false;
        if (k >= TRIAL_CHAIN - 1) return *why = "the chain of recipes is too long", false;
        *(k < 0 ? &t->text : &t->then[k]) = text;
        *(k < 0 ? &t->file : &t->then_file[k]) = file;
        names += n + (names[n] == '+');
    }
    return true;
}

static bool wanted(const Bench *b, const char *name) { return !b->only || strstr(name, b->only); }

static bool is_blank(const char *s) {
    for (; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        s += strspn(s, " \t\r\n");
        if (*s && *s != '#') return false;
    }
    return true;
}

// One part of the file, from its "== " to the next.
static bool read_part(Bench *b, const char *head, const char *body, const char **base, Variants *out) {
    size_t n = strcspn(head, " \t");
    const char *why = NULL;
    Variant v = {.name = arena_strndup(b->a, head, n), .file = b->variants, .kind = TRIAL_RECIPE};
    if (!is_blank(body)) *base = body;
    v.text = *base ? variant_set(b->a, *base, head + n, &why) : NULL;
    if (!v.text)
        return fprintf(stderr, "bench: %s: %s: %s\n", b->variants, v.name,
                       why ? why : "no recipe stands before it"),
               false;
    if (wanted(b, v.name)) vec_push(b->a, out, v);
    return true;
}

static bool read_file(Bench *b, Variants *out) {
    const char *s = file_read(b->a, b->variants, NULL), *base = NULL;
    if (!s) return fprintf(stderr, "bench: cannot read %s\n", b->variants), false;
    if (strncmp(s, "==", 2) != 0) s = strstr(s, "\n==") ? strstr(s, "\n==") + 1 : "";
    while (*s) {
        s += 2 + strspn(s + 2, " \t");
        const char *end = s + strcspn(s, "\n"), *next = strstr(end, "\n==");
        const char *head = arena_strndup(b->a, s, (size_t)(end - s));
        const char *body = next ? arena_strndup(b->a, end, (size_t)(next - end + 1)) : end;
        if (!read_part(b, head, body, &base, out)) return false;
        s = next ? next + 1 : "";
    }
    return true;
}

bool variants_read(Bench *b, Variants *out) {
    for (int i = 0; i < b->recipes.n; i++) {
        Variant v = {.name = b->recipes.at[i], .kind = TRIAL_RECIPE};
        if (wanted(b, v.name)) vec_push(b->a, out, v);
    }
    if (b->variants && !read_file(b, out)) return false;
    for (int i = 1; b->shapes && i <= PLAN_VARIANTS; i++) {
        Variant v = {.name = arena_printf(b->a, "shape-%02d", i), .kind = TRIAL_AUTOMATIC, .shape = i};
        if (wanted(b, v.name)) vec_push(b->a, out, v);
    }
    if (b->automatic || !out->n)
        vec_push(b->a, out, ((Variant){.name = "automatic", .kind = TRIAL_AUTOMATIC}));
    return true;
}
