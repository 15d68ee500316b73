// SPDX-License-Identifier: MIT
// memory.h -- arrays where <sculpt/blas.h> wants them: with CUDA the driver's, else the host's. Internal to
// test/blas.
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sculpt_device_name(void);

static int wrong;
static struct {
    int (*alloc)(unsigned long long *, size_t), (*up)(unsigned long long, const void *, size_t),
        (*down)(void *, unsigned long long, size_t), (*stream)(void **, unsigned), (*sync)(void *);
    bool is_open;
} cu;

static inline void open_driver(void) {
    void *l = dlopen("libcuda.so.1", RTLD_NOW), *context;
    if (!l || strncmp(sculpt_device_name(), "cuda", 4)) return;
    int (*retain)(void **, int) = dlsym(l, "cuDevicePrimaryCtxRetain"),
                           (*current)(void *) = dlsym(l, "cuCtxSetCurrent");
    if (retain(&context, 0) || current(context)) return;
    cu.alloc = dlsym(l, "cuMemAlloc_v2"), cu.up = dlsym(l, "cuMemcpyHtoD_v2"),
    cu.down = dlsym(l, "cuMemcpyDtoH_v2");
    cu.stream = dlsym(l, "cuStreamCreate"), cu.sync = dlsym(l, "cuStreamSynchronize");
    cu.is_open = true;
}

static inline void check(bool ok, const char *what) {
    if (!ok && wrong < 30) printf("WRONG: %s\n", what);
    wrong += !ok;
}

// An array on the device, a copy of the host's unless that is NULL.
static inline void *array(const void *host, size_t bytes) {
    unsigned long long p = 0;
    if (!cu.is_open) return host ? memcpy(malloc(bytes), host, bytes) : malloc(bytes);
    if (cu.alloc(&p, bytes) || (host && cu.up(p, host, bytes))) exit(printf("no memory on the device\n"));
    return (void *)p;
}

static inline void fetch(void *host, const void *device, size_t bytes) {
    if (cu.is_open) cu.down(host, (unsigned long long)device, bytes);
    else memcpy(host, device, bytes);
}

static inline int said(void) {
    printf("%s on %s\n", wrong ? "wrong" : "right", sculpt_device_name());
    return wrong > 0;
}

#endif
