// SPDX-License-Identifier: MIT
// program.h -- what host programs share, and what their two kinds of driver calls add.
#ifndef SCULPT_EMIT_PROGRAM_H
#define SCULPT_EMIT_PROGRAM_H
#include "emit/dialect.h"

// The names of a program: `a` is the device's memory of object a, sculpt_host_a the host's,
// sculpt_bytes_a its size. All else that the program needs begins with sculpt_.
typedef struct ProgramOps {
    const Dialect *dialect;
    void (*head)(Printer *p, const Nest *n, const char *kernels); // down to main's "{"
    void (*setup)(Printer *p, const Nest *n);                     // opens the device
    void (*processors)(Printer *p, const char *name);             // long long NAME = how many it has
    void (*array)(Printer *p, const char *name, const char *type); // allocates, uploads
    void (*temporary)(Printer *p, const Array *array, bool begin);
    void (*start)(Printer *p);                                    // the clock
    void (*launch)(Printer *p, Node *kernel);
    void (*stop)(Printer *p);        // waits; sets sculpt_seconds
    void (*fetch)(Printer *p, const char *name); // brings one object back
} ProgramOps;
extern const ProgramOps program_cuda, program_opencl;

// Grid and block sizes of a kernel as six host expressions: blocks x y z, threads x y z.
void program_grid(Printer *p, const Node *kernel, const char *size[6]);
// "sizeof(float) * …": the size of a temporary array.
const char *program_bytes(Printer *p, const Array *array);
#endif
