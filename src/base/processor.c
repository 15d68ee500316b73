// SPDX-License-Identifier: MIT
// processor.c -- the processor that plans: its vectors, caches and cores.
#include "base/processor.h"
#include <unistd.h>

static void find_vectors(Processor *p) {
    p->vector = 16;
    p->registers = 16;
#if defined __x86_64__ || defined __i386__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) p->vector = 64, p->registers = 32;
    else if (__builtin_cpu_supports("avx2")) p->vector = 32;
#elif defined __aarch64__
    p->registers = 32;
#endif
}

static int64_t cache(int which, int64_t otherwise) {
    long bytes = sysconf(which);
    return bytes > 0 ? bytes : otherwise;
}

Processor processor_here(void) {
    Processor p = {.first = 32 << 10, .second = 512 << 10, .cores = 1};
    find_vectors(&p);
#ifdef _SC_LEVEL1_DCACHE_SIZE
    p.first = cache(_SC_LEVEL1_DCACHE_SIZE, p.first);
    p.second = cache(_SC_LEVEL2_CACHE_SIZE, p.second);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > 0) p.cores = (int)cores;
    return p;
}
