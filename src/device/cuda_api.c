// SPDX-License-Identifier: MIT
// cuda_api.c -- opens NVIDIA's driver library.
#include "device/cuda_api.h"
#include "base/guest.h"
#include <dlfcn.h>

// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
static char *cuda_api_error(Arena *a, const CudaApi *cu, CuResult rc) {
    const char *name = NULL, *text = NULL;
    cu->cuGetErrorName(rc, &name);
    cu->cuGetErrorString(rc, &text);
    return arena_printf(a, "%s (%s)", name ? name : "error of an unknown number", text ? text : "?");
}

// The library is never closed: it has threads and exit handlers of its own.
const CudaApi *cuda_api_open(Arena *a, const char **why) {
    void *lib = library_open("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        *why = "no NVIDIA driver (libcuda.so.1)";
        return NULL;
    }
    CudaApi *cu = NEW(a, CudaApi);
    struct {
        const char *name; // as the library exports it
        void **at;        // where the address goes
        bool later;       // older drivers lack it
    } points[] = {
#define CU(name, parameters) {#name, (void **)&cu->name, false},
        CUDA_ENTRY_POINTS(CU)
#undef CU
#define CU(name, parameters) {#name, (void **)&cu->name, true},
        CUDA_LATER_ENTRY_POINTS(CU)
#undef CU
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        *points[i].at = dlsym(lib, points[i].name);
        if (*points[i].at || points[i].later) continue;
        *why = arena_printf(a, "the NVIDIA driver is too old: it has no %s", points[i].name);
        return NULL;
    }
    CuResult rc = cu->cuInit(0);
    if (rc) {
        *why = arena_printf(a, "cuInit: %s", cuda_api_error(a, cu, rc));
        return NULL;
    }
    return cu;
}
