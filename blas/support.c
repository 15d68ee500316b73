// SPDX-License-Identifier: MIT
// support.c -- letters, vectors with gaps, room on the device, and another BLAS for what is small or not
// ours.
#include "entry.h"
#include "loops.h"
#include "sculpt/sculpt.h"
#include <dlfcn.h>
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
static void end(const char *why, const char *what) {
    fprintf(stderr, "sculpt's BLAS: %s%s\n", why, what);
    abort();
}

static void copy(char *to, long to_step, const char *from, long from_step, long n, size_t bytes) {
    for (long i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
}

void *blas_pack(const void *x, long n, long inc, size_t bytes) {
    if (inc == 1 || n <= 0) return (void *)x;
    char *packed = malloc(n * bytes);
    if (!packed) end("no memory for a vector's elements", "");
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
    if (!room->at) end("no memory for a routine's own data", "");
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

// ---- another BLAS --------------------------------------------------------------------------
// SCULPT_CPU_BLAS names it ("none": there is none), else the first of these that is here. What it calls
// itself, xerbla_ above all, it finds in the program first, as if it were the program's only BLAS.
static const char *const usual[] = {
    "libopenblas.so.0",
    "libblis.so.4",
    "libmkl_rt.so.2",
    "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
    "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3",
    "/usr/lib64/libblas.so.3",
};
static void *library;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

// Not this one under another name.
static void *open_other(const char *path) {
    void *l = dlopen(path, RTLD_NOW | RTLD_LOCAL), *entry = l ? dlsym(l, "blas_pack") : NULL;
    return entry ? NULL : l;
}

static void open_library(void) {
    const char *named = secure_getenv("SCULPT_CPU_BLAS");
    if (named && !strcmp(named, "none")) return;
    if (named && *named) {
        library = open_other(named);
        if (!library) fprintf(stderr, "sculpt's BLAS: SCULPT_CPU_BLAS: %s cannot be used\n", named);
        return;
    }
    for (size_t i = 0; !library && i < sizeof usual / sizeof *usual; i++) library = open_other(usual[i]);
}

static void *find(const char *routine, void **cpu) {
    void *f = __atomic_load_n(cpu, __ATOMIC_ACQUIRE);
    if (f) return f;
    pthread_once(&opened, open_library);
    f = library ? dlsym(library, routine) : NULL;
    __atomic_store_n(cpu, f, __ATOMIC_RELEASE);
    return f;
}

void *blas_cpu(const char *routine, void **cpu) {
    void *f = find(routine, cpu);
    if (!f) end("complex routines need another BLAS, which SCULPT_CPU_BLAS may name: ", routine);
    return f;
}

// SCULPT_BLAS_CROSSOVER: operations from which on a routine runs here.
static double crossover(void) {
    static double kept = -1;
    if (kept >= 0) return kept;
    const char *set = secure_getenv("SCULPT_BLAS_CROSSOVER");
    return kept = set ? strtod(set, NULL) : 1e8;
}

bool blas_is_for_cpu(double operations, const char *routine, void **cpu) {
    return operations < crossover() && find(routine, cpu);
}
