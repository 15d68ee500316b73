// SPDX-License-Identifier: MIT
// arena.c -- memory that is freed all at once, and the vectors and text that live in it.
#include "base/base.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 4 * 1024, CHUNK = 64 * 1024, ALIGN = 16 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
} Chunk;

typedef struct Drop {
    struct Drop *next;
    void *object;
    void (*drop)(void *);
} Drop;

struct Arena {
    Chunk *chunks; // the newest first; allocation happens there
    Drop *drops;   // run in reverse order of registration
};

static size_t round_up(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static void *must(void *p) {
    if (!p) {
        fputs("sculpt: out of memory\n", stderr);
        abort();
    }
    return p;
}

Arena *arena_new(void) { return must(calloc(1, sizeof(Arena))); }

void arena_free(Arena *a) {
    if (!a) return;
    for (Drop *d = a->drops; d; d = d->next) d->drop(d->object);
    for (Chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

// Twice the last one: what is needed for a moment is little, and zeroed memory costs.
static Chunk *chunk_new(const Chunk *last, size_t bytes) {
    size_t head = round_up(sizeof(Chunk)), size = last ? 2 * last->size : FIRST_CHUNK;
    if (size > CHUNK) size = CHUNK;
    if (size < bytes) size = bytes;
    Chunk *c = must(calloc(1, head + size));
    c->size = size;
    return c;
}

void *arena_alloc(Arena *a, size_t bytes) {
    bytes = round_up(bytes ? bytes : 1);
    if (!a->chunks || a->chunks->size - a->chunks->used < bytes) {
        Chunk *c = chunk_new(a->chunks, bytes);
        c->next = a->chunks;
        a->chunks = c;
    }
    Chunk *c = a->chunks;
    void *p = (char *)c + round_up(sizeof(Chunk)) + c->used;
    c->used += bytes;
    return p;
}

void *arena_copy(Arena *a, const void *from, size_t bytes) {
    return memcpy(arena_alloc(a, bytes), from, bytes);
}

void *arena_own(Arena *a, void *object, void (*drop)(void *)) {
    Drop *d = NEW_AS(a, Drop, (Drop){a->drops, object, drop});
    a->drops = d;
    return object;
}

char *arena_strndup(Arena *a, const char *s, size_t n) {
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(Arena *a, const char *s) { return s ? arena_strndup(a, s, strlen(s)) : NULL; }

char *arena_printf(Arena *a, const char *fmt, ...) {
    Text t = text_new(a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    return t.s ? t.s : arena_strdup(a, "");
}

void *vec_grow_(Arena *a, void *at, int n, int *cap, size_t size) {
    int bigger = *cap ? 2 * *cap : 8;
    void *copy = arena_alloc(a, (size_t)bigger * size);
    if (n) memcpy(copy, at, (size_t)n * size);
    *cap = bigger;
    return copy;
}

bool has_pointer(int n, const void *at, const void *x) {
    const void *const *p = at;
    for (int i = 0; i < n; i++)
        if (p[i] == x) return true;
    return false;
}

Text text_new(Arena *a) { return (Text){.arena = a}; }

static void reserve(Text *t, size_t more) {
    if (t->n + more + 1 <= t->cap) return;
    size_t cap = t->cap ? 2 * t->cap : 256;
    while (cap < t->n + more + 1) cap *= 2;
    char *s = arena_alloc(t->arena, cap);
    if (t->n) memcpy(s, t->s, t->n);
    t->s = s;
    t->cap = cap;
}

void text_putn(Text *t, const char *s, size_t n) {
    reserve(t, n);
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

void text_put(Text *t, const char *s) { text_putn(t, s, strlen(s)); }

void text_vprintf(Text *t, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        reserve(t, (size_t)n);
        vsnprintf(t->s + t->n, (size_t)n + 1, fmt, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

void text_printf(Text *t, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
}

const char *text_str(const Text *t) { return t->s ? t->s : ""; }

bool str_eq(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

bool str_among(const char *name, const char *list) {
    size_t n = strlen(name);
    for (const char *p = n && list ? strstr(list, name) : NULL; p; p = strstr(p + 1, name))
        if ((p == list || strchr(" ,\t", p[-1])) && strchr(" ,\t", p[n])) return true;
    return false;
}

bool str_has_prefix(const char *s, const char *prefix) {
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_has_suffix(const char *s, const char *suffix) {
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed) {
    const unsigned char *b = p;
    uint64_t h = seed ^ 1469598103934665603u;
    for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211u;
    return h;
}

static uint64_t mix(uint64_t h, uint64_t word, uint64_t by) {
    h = (h ^ word) * by;
    return h ^ (h >> 32);
}

static void digest_word(Digest *d, uint64_t word) {
    d->word[0] = mix(d->word[0], word, 0xff51afd7ed558ccdu);
    d->word[1] = mix(d->word[1], word, 0xc4ceb9fe1a85ec53u);
}

Digest digest_of(const void *p, size_t n) {
    Digest d = {{0x9e3779b97f4a7c15u ^ n, 0xd1b54a32d192ed03u + n}};
    const char *s = p;
    uint64_t word = 0;
    for (; n >= 8; s += 8, n -= 8) {
        memcpy(&word, s, 8);
        digest_word(&d, word);
    }
    word = 0;
    if (n) memcpy(&word, s, n);
    digest_word(&d, word);
    digest_word(&d, 0);
    return d;
}

char *digest_text(Arena *a, Digest d) {
    return arena_printf(a, "%016llx%016llx", (unsigned long long)d.word[0], (unsigned long long)d.word[1]);
}
