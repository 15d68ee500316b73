// SPDX-License-Identifier: MIT
// images.c -- compiled kernels by their text.
#include "tune/images.h"
#include <pthread.h>
#include <string.h>

typedef struct Image {
    uint64_t hash;
    const char *source;
    void *bytes;
    size_t size;
} Image;

struct Images {
    Arena *a;
    pthread_mutex_t lock;
    VEC(Image) all;
    Cache *cache;
    const DeviceInfo *info;
};

static void drop(void *arg) { pthread_mutex_destroy(&((Images *)arg)->lock); }

Images *images_new(Arena *a) {
    Images *s = NEW(a, Images);
    s->a = a;
    pthread_mutex_init(&s->lock, NULL);
    return arena_own(a, s, drop);
}

void images_keep(Images *s, Cache *k, const DeviceInfo *d) { s->cache = k, s->info = d; }

static const char *key_of(Arena *a, const Images *s, const char *source) {
    const char *t = arena_printf(a, "image|%s|%s|%s|%s|%s", s->info->spec, s->info->name, s->info->driver,
                                 s->info->dialect, source);
    return digest_text(a, digest_of(t, strlen(t)));
}

static void add(Images *s, const char *source, const void *image, size_t size) {
    Image m = {hash_bytes(source, strlen(source), 0), arena_strdup(s->a, source), arena_alloc(s->a, size),
               size};
    memcpy(m.bytes, image, size);
    vec_push(s->a, &s->all, m);
}

// Whether it is in the file; then it is among the others.
static bool fetch(Images *s, const char *source) {
    void *image;
    size_t size;
    Arena *a = arena_new();
    bool found = s->cache && cache_look(s->cache, a, key_of(a, s, source), &image, &size);
    if (found) add(s, source, image, size);
    arena_free(a);
    return found;
}

bool images_get(Images *s, const char *source, const void **image, size_t *size) {
    uint64_t hash = hash_bytes(source, strlen(source), 0);
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (int round = 0; round < 2 && !found; round++) {
        for (int i = 0; i < s->all.n && !found; i++) {
            const Image *m = &s->all.at[i];
            found = m->hash == hash && str_eq(m->source, source);
            if (found) *image = m->bytes, *size = m->size;
        }
        if (!found && (round || !fetch(s, source))) break;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

void images_put(Images *s, const char *source, const void *image, size_t size) {
    pthread_mutex_lock(&s->lock);
    add(s, source, image, size);
    if (s->cache) {
        Arena *a = arena_new();
        cache_put(s->cache, key_of(a, s, source), image, size);
        arena_free(a);
    }
    pthread_mutex_unlock(&s->lock);
}
