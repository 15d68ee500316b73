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
};

static void drop(void *arg) { pthread_mutex_destroy(&((Images *)arg)->lock); }

Images *images_new(Arena *a) {
    Images *s = NEW(a, Images);
    s->a = a;
    pthread_mutex_init(&s->lock, NULL);
    return arena_own(a, s, drop);
}

bool images_get(Images *s, const char *source, const void **image, size_t *size) {
    uint64_t hash = hash_bytes(source, strlen(source), 0);
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < s->all.n && !found; i++) {
        const Image *m = &s->all.at[i];
        found = m->hash == hash && str_eq(m->source, source);
        if (found) *image = m->bytes, *size = m->size;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

void images_put(Images *s, const char *source, const void *image, size_t size) {
    pthread_mutex_lock(&s->lock);
    Image m = {hash_bytes(source, strlen(source), 0), arena_strdup(s->a, source), arena_alloc(s->a, size),
               size};
    memcpy(m.bytes, image, size);
    vec_push(s->a, &s->all, m);
    pthread_mutex_unlock(&s->lock);
}
