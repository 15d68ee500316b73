// SPDX-License-Identifier: MIT
// emit.h -- kernels and programs as text: one printer, three small dialects.
//
// What stands in the tree is what is printed. A kernel is named n->name and takes the
// arguments of ir_kernel_sig in that order: each array's base pointer as a pointer to
// unsigned char or the element type (OpenCL: followed by a long, the byte offset of
// element 0 in the buffer), then each symbol as its own type. BLOCK loops become blocks,
// THREAD loops threads; the printer guards nothing by itself.
#ifndef SCULPT_EMIT_H
#define SCULPT_EMIT_H
#include "ir/ir.h"

typedef enum DialectId { DIALECT_CUDA, DIALECT_OPENCL, DIALECT_C } DialectId;
typedef VEC(const char *) EmitTexts;
typedef struct EmitOptions {
    DialectId dialect;
    bool wide;       // 64-bit index arithmetic (else 32)
    bool fast_math;  // permitted by the user
    bool lines;      // each access to memory begins a line of its own: counters by line are by access
    bool early;      // kernels of several launches begin with a wait for the one ahead (CUDA alone): those of
                     // emit_waits may then be launched early (KernelCall.early)
    // Parameters whose values the kernels may rely on; they remain arguments all the same.
    int nknown;
    const Sym *const *known;
    const int64_t *value; // [nknown]
    // Is this kernel wanted? NULL: all are.
    bool (*wanted)(const Node *kernel, const void *arg);
    const void *arg;
    // Preludes and helper functions that stand ahead of the text; its own are added. NULL: none.
    EmitTexts *ahead;
} EmitOptions;

// All kernels of a nest as one source text: dialect prelude, then each kernel.
char *emit_kernels(Compile *c, const Nest *n, const EmitOptions *o);
// A kernel of the nest that can wait by itself for the launch ahead of it (early.c): for what that may have
// written.
typedef struct KernelWait {
    const Node *kernel;
    int n;
    const Array **arrays; // [n], one an object
} KernelWait;
typedef VEC(KernelWait) KernelWaits;
void emit_waits(Arena *a, const Nest *n, KernelWaits *out);
const KernelWait *emit_wait_of(const KernelWaits *all, const Node *kernel); // NULL: it doesn't wait
// Bytes of shared memory that a block of the kernel has; -1: not a constant.
int64_t emit_shared(Arena *a, const Node *kernel);
// How many of them the launch has to give, because the text in that dialect doesn't.
int64_t emit_launch_shared(Arena *a, const Node *kernel, DialectId d);
// The whole nest as one plain, sequential C function
//   void NAME(void *const *objects, const sculpt_arg *params)
// (what `check` compiles and what a ladder's rung is tested by). Complete C text.
char *emit_nest_c(Compile *c, const Region *r, const Node *root, const char *name);
// A C statement list that declares and computes the inspected parameters of a region from
// the program's own variables ("long long sculpt_x_lo = …, sculpt_x_hi = …; …").
char *emit_inspect(Compile *c, const Region *r);
// A T_F64 expression over parameters as C over the program's own variables; NULL: it is long, or asks for
// what only inspections tell.
char *emit_work(Arena *a, const Expr *work);
// A complete program around a nest (--host): a .cu with runtime API calls, or C with OpenCL
// calls, that fills the arrays with random data, launches, and prints a checksum and times.
char *emit_program(Compile *c, const Nest *n, const EmitOptions *o);
// A C expression of integers over named symbols, for host text ("n <= 0 || m > 3").
char *emit_expr_c(Arena *a, const Expr *x);
#endif
