// SPDX-License-Identifier: MIT
// cpu_compiler.h -- the system's C compiler, as the CPU's device compiler.
#ifndef SCULPT_CPU_COMPILER_H
#define SCULPT_CPU_COMPILER_H
#include "device/driver.h"

typedef struct CpuCompiler {
    Words command; // what to run: SCULPT_HOST_CC may hold options too
    char *path;    // its executable, links resolved
} CpuCompiler;

// $SCULPT_HOST_CC, else cc, gcc or clang from PATH; NULL: there is none.
CpuCompiler *cpu_compiler_find(Arena *a);
// The compiler's file and the options it gets, as part of a cache key.
char *cpu_compiler_identity(Arena *a, const CpuCompiler *k);
// The processor's name, and a text that differs where -march=native may differ.
void cpu_model(Arena *a, char **name, char **identity);
// C text to the bytes of a shared object, given up once *stop is set (NULL: never). log: what the
// compiler said, never NULL.
bool cpu_compile(Arena *a, const CpuCompiler *k, const char *source, const atomic_bool *stop, void **image,
        size_t *size,
                 char **log);
#endif
