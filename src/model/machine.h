// SPDX-License-Identifier: MIT
// machine.h -- a machine as data: what devices/*.dev say of it.
//
//   base sm_90                     # another file, read first
//   name NVIDIA H200               # where it is known from
//   sms  132                       # data sheet
//
// One field a line, named as in machine.def; what stands behind # is the figure's source. A field
// that no line names is 0 or NULL: not known; but what an analysis divides by has a usual value
// then. The files are built in; $SCULPT_DEVICES may name a folder of others, which go first, then
// share/sculpt/devices beside the library.
#ifndef SCULPT_MODEL_MACHINE_H
#define SCULPT_MODEL_MACHINE_H
#include "base/base.h"

typedef struct Machine {
#define TEXT const char *
#define COUNT int64_t
#define BYTES int64_t
#define RATE double
#define CAPABILITY int
#define FIELD(kind, name, meaning) kind name;
#include "model/machine.def"
#undef FIELD
#undef TEXT
#undef COUNT
#undef BYTES
#undef RATE
#undef CAPABILITY
    const char *file;  // where it was read; "built in: H200.dev"
    bool measured;     // copy and fma are figures of such a machine, not of its data sheet
} Machine;
// Bytes of shared memory that a block may have. 0: not known.
static inline int64_t machine_shared(const Machine *m) {
    return m->shared_optin > m->shared_block ? m->shared_optin : m->shared_block;
}

// From a file's text. NULL with a reason ("H200.dev:3: …") in *why.
Machine *machine_read(Arena *a, const char *name, const char *text, const char **why);
// By name ("H200", any case), by what its driver calls it ("NVIDIA H200"), by a capability's family
// ("sm_90") or by a path that ends in ".dev". NULL with a reason in *why.
Machine *machine_find(Arena *a, const char *name, const char **why);
// The file that suits a device that is present: by its driver's name, else its capability's
// family, with what the driver says itself put in (0: it doesn't say). NULL: no family is known.
typedef struct MachineSeen {
    const char *name, *kind; // kind: "gpu" or "cpu"
    int compute;             // 90 for 9.0; 0: not NVIDIA's
    int64_t sms, max_threads, shared, shared_optin, warp, memory;
    int64_t clock_khz, l2, threads_sm, registers_sm, shared_sm, shared_reserved, blocks_sm;
    double dram;             // GB/s
} MachineSeen;
Machine *machine_of(Arena *a, const MachineSeen *seen);
// Names of all files that machine_find knows, without ".dev"; NULL ends.
const char **machine_names(Arena *a);
// As text that machine_read takes. source: what stands behind each figure that differs from
// `from` (NULL: behind each), as its comment.
char *machine_print(Arena *a, const Machine *m, const Machine *from, const char *source);

// The numbers that both machines have and that differ, in the order of machine.def; how many.
typedef struct MachineNumber {
    const char *field;
    double x, y;
} MachineNumber;
int machine_compare(Arena *a, const Machine *x, const Machine *y, MachineNumber **out);

// Ceilings in GFLOP/s and GB/s: measured ones, else what the data sheet's clocks and widths give.
double machine_flops(const Machine *m, bool f64);
double machine_matrix_flops(const Machine *m); // of double by matrix instructions; 0: it has none
double machine_bandwidth(const Machine *m);
// Between host and device, one way; a usual value where the file has none. pinned: of page-locked memory.
double machine_link(const Machine *m, bool pinned);
#endif
