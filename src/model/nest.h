// SPDX-License-Identifier: MIT
// nest.h -- the kernels of a nest, kept from one size to the next.
#ifndef SCULPT_MODEL_NEST_H
#define SCULPT_MODEL_NEST_H
#include "model/code.h"

typedef struct KernelKept {
    const Node *kernel;
    Program *program; // NULL: not yet
} KernelKept;
typedef VEC(KernelKept) KernelsKept;
// As model_nest_within. kept: what was counted of its kernels with other values, all in arena a; NULL:
// nothing is kept.
NestCost *nest_cost(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m, int requests,
                    KernelsKept *kept);
#endif
