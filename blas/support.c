// SPDX-License-Identifier: MIT
// support.c -- letters, vectors with gaps, room on the device.
#include "entry.h"
#include "loops.h"
#include "sculpt/sculpt.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char blas_letter(char c, const char *these) {
    if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
    if (!c || !strchr(these, c)) return 0;
    return c == 'C' ? 'T' : c;
}

char blas_turn(char letter, const char *pair) { return letter == pair[0] ? pair[1] : pair[0]; }

// ---- vectors ---------------------------------------------------------------------------
void blas_end_program(const char *why, const char *what) {
    fprintf(stderr, "sculpt's BLAS: %s%s\n", why, what);
    abort();
}

static void copy(char *to, long to_step, const char *from, long from_step, long n, size_t bytes) {
    for (long i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
}

void *blas_pack(const void *x, long n, long inc, size_t bytes) {
    if (inc == 1 || n <= 0) return (void *)x;
    char *packed = malloc(n * bytes);
    if (!packed) blas_end_program("no memory for a vector's elements", "");
    const char *first = (const char *)x - (inc < 0 ? (n - 1) * inc * (long)bytes : 0);
    copy(packed, bytes, first, inc * (long)bytes, n, bytes);
    return packed;
}

void blas_unpack(const void *x, const void *packed, long n, long inc, size_t bytes, bool is_written) {
    if (packed == x) return;
    char *first = (char *)x - (inc < 0 ? (n - 1) * inc * (long)bytes : 0);
    if (is_written) copy(first, inc * (long)bytes, packed, bytes, n, bytes);
    free((void *)packed);
}

// ---- room ------------------------------------------------------------------------------
// On the host it is only where the device's copy is known by; nothing ever comes home from it.
static __thread struct Kept {
    void *at;
    size_t bytes;
} rooms[ROOMS];
static pthread_key_t at_end;
static pthread_once_t keyed = PTHREAD_ONCE_INIT;

static void drop_room(struct Kept *room) {
    if (room->at) sculpt_data_exit(room->at, room->bytes, 0);
    free(room->at);
    *room = (struct Kept){0};
}

static void drop_rooms(void *unused) {
    (void)unused;
    for (int i = 0; i < ROOMS; i++) drop_room(&rooms[i]);
}

static void make_key(void) { pthread_key_create(&at_end, drop_rooms); }

void *blas_room(Room which, size_t bytes) {
    void *given = blas_given(bytes);
    if (given) return given;
    struct Kept *room = &rooms[which];
    if (room->bytes >= bytes) return room->at;
    drop_room(room);
    room->at = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!room->at) blas_end_program("no memory for a routine's own data", "");
    room->bytes = bytes;
    sculpt_data_enter(room->at, bytes, SCULPT_CREATE);
    pthread_once(&keyed, make_key);
    pthread_setspecific(at_end, rooms);
    return room->at;
}

static __thread int scopes;

void blas_scope_begin(void) {
    scopes++;
    sculpt_data_begin();
}

void blas_scope_end(void) {
    scopes--;
    sculpt_data_end();
}

void blas_scopes_end(void) {
    while (scopes) blas_scope_end();
}
