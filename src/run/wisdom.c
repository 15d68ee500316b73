// SPDX-License-Identifier: MIT
// wisdom.c -- what measuring chose, in the kernel cache: records of a line of sizes and a nest's text.
//
//   size n=4096 dim=16
//   nest gpu … { … }
//   size n=8192 dim=16
//   nest …
#include "run/wisdom.h"
#include <string.h>

// Without places in files (@"a.c":7:5), blanks, and the name that the region has of its function and line:
// the same loops are the same wherever they stand, so they are planned and compiled once.
Digest wisdom_region(const char *text) {
    const char *word = "region ", *name = strstr(text, word);
    name = name ? name + strlen(word) : text;
    const char *next = strstr(text, "\nnest "), *end = next ? next : text + strlen(text);
    Arena *a = arena_new();
    char *bare = arena_alloc(a, (size_t)(end - text) + 1), *to = bare;
    for (const char *s = text; s < end;) {
        if (s == name) {
            s += strcspn(s, " @{\n");
        } else if (*s == '@') {
            s++;
            if (*s == '"') s += 1 + strcspn(s + 1, "\""), s += *s == '"';
            s += strspn(s, ":0123456789");
        } else if (*s == ' ' || *s == '\t' || *s == '\n') {
            s++;
        } else {
            *to++ = *s++;
        }
    }
    Digest d = digest_of(bare, (size_t)(to - bare));
    arena_free(a);
    return d;
}

char *wisdom_key(Arena *a, const char *what, Digest region, const DeviceInfo *d) {
    Text t = text_new(a);
    text_printf(&t, "%s|%s|%s|%s|%s", what, d->name, d->dialect, d->driver, digest_text(a, region));
    return digest_text(a, digest_of(t.s, t.n));
}

static char *records(Cache *k, Arena *a, Digest region, const DeviceInfo *d) {
    void *bytes = NULL;
    size_t n = 0;
    bool found = k && cache_look(k, a, wisdom_key(a, "wisdom", region, d), &bytes, &n);
    return found ? arena_strndup(a, bytes, n) : NULL;
}

static bool is_size(const char *line) { return strncmp(line, "size ", 5) == 0; }

char *wisdom_nests(Cache *k, Arena *a, Digest region, const DeviceInfo *d) {
    const char *s = records(k, a, region, d);
    if (!s) return NULL;
    Text t = text_new(a);
    for (; *s; s += strcspn(s, "\n"), s += *s == '\n')
        if (!is_size(s) && *s != '\n') text_putn(&t, s, strcspn(s, "\n")), text_put(&t, "\n");
    return t.n ? arena_strdup(a, text_str(&t)) : NULL;
}

// Writes all records but those of `sizes`, after `first` (NULL: none).
static void rewrite(Cache *k, Digest region, const DeviceInfo *d, const char *sizes, const char *first) {
    Arena *a = arena_new();
    const char *s = records(k, a, region, d);
    Text t = text_new(a);
    int kept = 0;
    bool take = false;
    if (first)
        text_printf(&t, "size %s\n%s%s", sizes, first, str_has_suffix(first, "\n") ? "" : "\n"), kept++;
    for (; s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        if (is_size(s))
            take = !(n == 5 + strlen(sizes) && strncmp(s + 5, sizes, n - 5) == 0) && kept++ < WISDOM_SIZES;
        if (take) text_putn(&t, s, n), text_put(&t, "\n");
    }
    if (!t.n) text_put(&t, "\n"); // the cache keeps nothing of no length
    cache_put(k, wisdom_key(a, "wisdom", region, d), text_str(&t), t.n);
    arena_free(a);
}

void wisdom_keep(Cache *k, Digest region, const DeviceInfo *d, const char *sizes, const char *nest) {
    if (k) rewrite(k, region, d, sizes, nest);
}

void wisdom_drop(Cache *k, Digest region, const DeviceInfo *d, const char *sizes) {
    if (k) rewrite(k, region, d, sizes, NULL);
}
