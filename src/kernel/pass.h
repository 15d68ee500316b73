// SPDX-License-Identifier: MIT
// pass.h -- what the files of kernel.c share: the kernel on its way from Ast to Nest.
#ifndef SCULPT_KERNEL_PASS_H
#define SCULPT_KERNEL_PASS_H
#include "front/accept.h"
#include "kernel/kernel.h"

// A variable whose value is known under this launch.
typedef struct Known {
    const Decl *decl;
    Ast *value;            // A_INT or A_FLOAT
} Known;

typedef struct KernelRead {
    Compile *c;
    Arena *a;
    bool opencl;
    const AstUnit *unit;
    Decl *kernel;
    KernelLaunch launch;
    const struct HostLaunch *host; // in the host's code; NULL: none
    Decl *block[3], *thread[3];  // counters; NULL where there is one block or thread alone
    Decl *grid[3];               // of KernelLaunch.grid_of; NULL where their number is known
    VEC(Known) known;
    VEC(Decl *) shared;          // in the order met; names are unique
    int64_t fixed_shared;        // bytes of them whose size is written
    VEC(Decl *) boxes;           // of these, what lanes.c made,
    VEC(Decl *) trees;           // and of those, what lanes add up
    VEC(Decl *) funcs;           // rewritten already
    VEC(Decl *) selfless;        // methods that lost their first parameter
    VEC(Decl *) sizes;           // of images, as numbers that the launch brings
    VEC(const Ast *) masked;     // calls of functions whose first operand says which lanes take part
    Reasons inexact;
    Reasons granted;             // what is taken for granted of the run
    int counter;                 // for names
    bool lockstep;               // a barrier of warps was met
    bool unsure;                 // of a barrier nobody knows who arrives
    bool failed;
} KernelRead;

void *kernel_refuse(KernelRead *k, DiagCode code, Loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

// Why the nest computes less than the kernel; said where values are asked for alone.
void kernel_inexact(KernelRead *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// What is taken for granted, once.
void kernel_grant(KernelRead *k, const char *what);

// Reports clang's errors in a function that it could not read.
void kernel_broken(KernelRead *k, const Decl *f);

// ---- ast.c: making Ast ------------------------------------------------------------
Ast *mk_int(KernelRead *k, const Ast *like, Type t, int64_t v);
Ast *mk_op(KernelRead *k, Op op, Ast *x, Ast *y);                // of x's type; comparisons: int
Ast *mk_not(KernelRead *k, Ast *x);
Ast *mk_cast(KernelRead *k, const CType *t, Ast *x);
Ast *mk_set(KernelRead *k, Ast *x, Ast *y);                      // the statement x = y
Ast *mk_block(KernelRead *k, const Ast *like, int n, Ast *const *kids);
Ast *mk_if(KernelRead *k, Ast *cond, Ast *then);
Ast *mk_for(KernelRead *k, const Ast *like, Decl *i, Ast *hi, How how, Ast *body); // from 0
// A copy of the tree in which references to d are `value`.
Ast *ast_replace(KernelRead *k, const Ast *x, const Decl *d, Ast *value);
// Maps bottom up; initialisers too. The tree is changed in place.
typedef Ast *AstMap(KernelRead *k, Ast *x);
Ast *ast_map(KernelRead *k, Ast *x, AstMap *map);

// ---- launch.c ------------------------------------------------------------------------
// Finds the launch in the host's code, and what it says beyond the command line.
void kernel_find_launch(KernelRead *k, const KernelFile *f);
// The file as clang reads it. instance: "reduce<256>", which has a parse of its own; NULL: none. NULL after
// diag().
const AstFile *kernel_parsed(KernelRead *k, KernelFile *f, const char *instance);
// What the kernel's head says of the size of a block. False after diagnostics: the launch has another.
bool kernel_check_bounds(KernelRead *k, const KernelFile *f);
// The values that its call has for the kernel's parameters.
void kernel_take_args(KernelRead *k);

Ast *kernel_blocks(KernelRead *k, const Ast *like, int d, Type t); // how many blocks there are

// ---- the passes ----------------------------------------------------------------------------
bool kernel_index(KernelRead *k);
// threads.c: of launches with any number of threads in a block
void kernel_put_numbers(KernelRead *k);
Ast *kernel_thread_number(KernelRead *k, Ast *x); // of a sum or product of what index.c left
bool kernel_any_block(KernelRead *k);            // false after diagnostics: it needs a value
Ast *kernel_flow(KernelRead *k, Decl *func);                     // the new body; NULL: refused
// opencl.c: OpenCL's builtins; NULL: it is none of them.
Ast *kernel_opencl_number(KernelRead *k, Ast *call);             // of a thread, a subgroup
Ast *kernel_opencl_pair(KernelRead *k, Ast *call);               // with a second result
Ast *kernel_async(KernelRead *k, Ast *s,
                  const Ast *call); // copies.c: the statement s, if it is of asynchronous copies
Ast *kernel_asm(KernelRead *k, Ast *s); // the same in PTX
void kernel_ptx_address(Decl *d); // a number that is an address becomes a pointer
Ast *kernel_opencl_stmt(KernelRead *k, Ast *stmt, Ast *call);
// p[apart * i + lane]
Ast *kernel_half_lane(KernelRead *k, const Ast *like, int lane, int apart, Ast *i, Ast *p);
// A call of a library's function on scalars by the name that C has for it, or as arithmetic.
Ast *kernel_scalar_call(KernelRead *k, Ast *x);
Ast *kernel_vectors(KernelRead *k, Ast *body);
// lanes.c: shuffles as memory, where the launch wants it.
Ast *kernel_lanes(KernelRead *k, Ast *body);
// Calls met so far whose mask leaves lanes out are inexact.
void kernel_masks(KernelRead *k);
// const.c: an integer that this launch fixes.
bool kernel_const(KernelRead *k, const Ast *x, int64_t *v);
const Ast *kernel_known(const KernelRead *k, const Decl *d);
void kernel_learn(KernelRead *k, const Decl *d, Ast *value);
// A loop over a counter that is doubled, halved or the like, written out; NULL: it is none.
Ast *kernel_written_out(KernelRead *k, const Ast *f);

Node *kernel_narrow(KernelRead *k, Node *root);
// split.c: `body` of the innermost thread loop, cut at its barriers; around: the block loops,
// then the thread loops, outermost first. NULL: refused.
typedef struct Split {
    Node *body;                  // N_BARRIERs between phases of thread loops
    VEC(const Array *) registers;  // private arrays that live from phase to phase
} Split;
Split *kernel_split(KernelRead *k, Node *body, int nblock, int nthread, Node *const *around);
// nest.c: what was split, as a nest; root is the region's, with the loops around.
KernelNest *kernel_nest(KernelRead *k, const Region *r, const Split *s, int nblock, int nthread,
                        Node *const *around);
#endif
