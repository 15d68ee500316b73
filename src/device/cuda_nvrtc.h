// SPDX-License-Identifier: MIT
// cuda_nvrtc.h -- NVIDIA's run-time compiler; needs no GPU.
#ifndef SCULPT_CUDA_NVRTC_H
#define SCULPT_CUDA_NVRTC_H
#include "base/base.h"

typedef struct Nvrtc Nvrtc;

// Finds the library's file without loading it (that costs milliseconds, and a warm start needs
// no compiler): first the release of the driver (13 for CUDA 13.x; 0: any), then the others.
// NULL: no file was found where such files lie.
Nvrtc *nvrtc_find(Arena *a, int release);
// The library's file, size and date, for a cache key.
const char *nvrtc_identity(const Nvrtc *n);
const char *nvrtc_path(const Nvrtc *n);
// Kernels in CUDA C++ for compute capability arch (90 for 9.0) to a cubin, or to PTX, which
// the driver translates, when the library doesn't know that arch. log: the compiler's words.
bool nvrtc_compile(Arena *a, Nvrtc *n, int arch, const char *source, void **image, size_t *size,
                   char **log);
#endif
