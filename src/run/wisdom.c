// SPDX-License-Identifier: MIT
// wisdom.c -- what stands for a region wherever its loops stand.
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
