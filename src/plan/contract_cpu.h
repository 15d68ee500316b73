// SPDX-License-Identifier: MIT
// contract_cpu.h -- how a contraction's kernel is cut for a processor.
#ifndef SCULPT_PLAN_CONTRACT_CPU_H
#define SCULPT_PLAN_CONTRACT_CPU_H
#include "plan/contract.h"
#include "base/processor.h"

// mr by nr sums in registers, mr of them in vectors of `lanes`; strips of k of kc; blocks of mc by
// nc. All in elements.
typedef struct CpuTile {
    int lanes, mr, nr, kc, mc, nc;
} CpuTile;
CpuTile cpu_tile(const Processor *p, int size); // size: bytes of an element
// Is it arithmetic that vectors do, on operands that can all be packed?
bool contraction_fits_cpu(const Contraction *k);
// Applied to `start`, the region's own loops.
char *contraction_cpu_recipe(Compile *c, const Nest *start, const Contraction *k, const CpuTile *t);
// Are the sizes such that it pays?
Expr *contraction_cpu_pays(Arena *a, const Contraction *k, const CpuTile *t);
#endif
