// SPDX-License-Identifier: MIT
// device.h -- one machine that runs kernels; one driver file each (cuda.c, opencl.c, cpu.c).
//
// A Device is used by one thread at a time (run/ holds its lock). Functions that can fail
// return false or NULL (0, < 0) and leave a sentence in the device's `error`. In a child made
// by fork every function fails: drivers and thread pools don't survive a fork.
//
// A source text may begin with "// options: WORD WORD ...": they are added to the options of
// the device's compiler.
#ifndef SCULPT_DEVICE_H
#define SCULPT_DEVICE_H
#include "base/base.h"

typedef struct Device Device;
typedef struct Module Module;   // compiled kernels, loaded
typedef uint64_t DevPtr;        // an address or handle on the device; 0 is none

typedef struct DeviceInfo {
    const char *spec;       // "cuda:0", "opencl:0.0", "cpu": what --device takes
    const char *name;       // the vendor's name
    const char *driver;     // driver and compiler versions; part of the cache key
    const char *dialect;    // "cuda", "opencl", "c"
    const char *target;     // the kind of nest it wants: "gpu" or "cpu"
    int64_t memory;         // bytes
    int64_t largest;        // bytes of one allocation; 0: as many as there are
    int sms;                // multiprocessors, compute units or cores
    int max_threads;        // a block
    int shared;             // bytes of shared memory a block
    int shared_optin;       // the same when a launch asks for them; 0: no more
    int warp;               // threads that execute together
    int max_grid[3];        // blocks a launch in x, y and z; 0: no limit
    // What an advisor would like to know; 0: the driver doesn't tell.
    int compute;            // compute capability: 90 for 9.0
    int64_t clock_khz, l2;  // the highest clock; bytes of the last-level cache
    double dram;            // GB/s of device memory, by its clock and width
    int threads_sm, blocks_sm, registers_sm, shared_sm, shared_reserved; // a multiprocessor; of each block
    bool host_memory;       // kernels read the host's memory: no copies are needed
    bool fp64;
    bool aside;             // from now on compile may run beside the other operations
    // a kernel can be started before the one ahead of it has ended, and wait by itself
    bool early_launch;
} DeviceInfo;

// What a compiler made of one kernel.
typedef struct KernelUsage {
    int registers;          // a thread
    int64_t shared;         // bytes a block, without what the launch gives
    int64_t local;          // bytes a thread that registers could not hold
    int blocks;             // how many fit one multiprocessor together; 0: not asked
} KernelUsage;

// Queues of work. All goes to the first in order, unless `use` names another; work in different
// ones may run at once.
typedef enum Queue { QUEUE_RUN, QUEUE_UP, QUEUE_DOWN, QUEUE_RUN2, QUEUE_RUN3, QUEUE_RUN4, QUEUES } Queue;

// One launch of a kernel.
typedef struct KernelCall {
    Module *module;
    const char *name;
    int64_t grid[3];
    int block[3];
    int64_t shared;         // bytes a block for the text's array of unknown size (CUDA only; else 0)
    int nptrs, nvals;
    const DevPtr *ptrs;     // [nptrs] arrays, each with…
    const int64_t *offsets; // …the byte offset of its element 0
    const void *const *vals; // [nvals] values…
    const int *sizes;       // …of so many bytes
    // A kernel that was written by hand: its i-th argument is pointer order[i], or value -1 - order[i], and
    // no offsets are handed over (CUDA and OpenCL). NULL: the pointers, then the values.
    const int *order;
    bool early;             // it may begin before the launches that it follows have ended: its text waits
                            // for them (EmitOptions.early), and nothing but launches stands between
    // launches beside it need much shared memory: that is what multiprocessors shall be
    bool roomy;
                            // set up for, because they aren't set up anew while something runs on them
    int nafter;
    const int *after;       // numbers of the calls before it in a chain that it waits for
} KernelCall;

// Whose memory an address is.
typedef enum Whose { WHOSE_HOST, WHOSE_PINNED, WHOSE_DEVICE } Whose; // pinned: page-locked on the host

typedef struct DeviceOps {
    const char *kind;                                     // "cuda", "opencl", "cpu"
    int (*count)(void);                                   // how many are present
    char *(*spec)(Arena *a, int i);                       // of the i-th present; NULL: none
    // "kind[:index]"; closed with a. NULL with a reason in *why.
    Device *(*open)(Arena *a, const char *spec, const char **why);
    const DeviceInfo *(*info)(Device *d);
    DevPtr (*alloc)(Device *d, size_t bytes);             // 0: out of memory
    void (*free)(Device *d, DevPtr p);
    bool (*upload)(Device *d, DevPtr to, size_t offset, const void *from, size_t bytes);
    bool (*download)(Device *d, void *to, DevPtr from, size_t offset, size_t bytes);
    // Rows of `width` bytes, `pitch` bytes apart on the host and on the device alike.
    bool (*upload_rows)(Device *d, DevPtr to, size_t offset, const void *from, size_t width,
                        size_t rows, size_t pitch);
    bool (*download_rows)(Device *d, void *to, DevPtr from, size_t offset, size_t width,
                          size_t rows, size_t pitch);
    // Source text to a loadable image (bytes for the kernel cache). log: the compiler's words.
    bool (*compile)(Device *d, Arena *a, const char *source, void **image, size_t *size,
                    char **log);
    Module *(*load)(Device *d, Arena *a, const void *image, size_t size); // unloaded with a
    bool (*launch)(Device *d, const KernelCall *call);    // asynchronous
    bool (*sync)(Device *d);                              // waits for all queues
    // NULL: there is one queue alone, and the other op is NULL too. Later copies, launches and
    // marks go to `queue`. In any but the first, copies return before they are done, and the host's memory
    // is theirs until sync.
    bool (*use)(Device *d, Queue queue);
    // What is put into `queue` from now on waits for what is in `other` by now.
    bool (*after)(Device *d, Queue queue, Queue other);
    // A point behind what is in `queue` by now, for later: < 0 after an error; the last 64 are known. What is
    // put into `queue` from now on waits for all before a point of `other`. The host may have to wait too,
    // until threads have sent what is pageable. NULL ops: after does, a little later.
    int (*point)(Device *d, Queue queue);
    bool (*after_point)(Device *d, Queue queue, Queue other, int point);
    // Seconds of device time between two marks made in the stream; < 0: not known.
    void (*mark)(Device *d, int which);                   // 0 or 1
    double (*elapsed)(Device *d);                         // waits for mark 1
    void *(*pin_alloc)(Device *d, size_t bytes);          // NULL ops: plain malloc is as good
    void (*pin_free)(Device *d, void *p);
    // Page-locks memory that the program has, so that copies need no other; false: it can't be.
    bool (*pin)(Device *d, void *p, size_t bytes);
    void (*unpin)(Device *d, void *p);
    Whose (*whose)(Device *d, const void *p);             // NULL op: all is the host's
    // Memory that host and device reach by one address, whose pages move by themselves; freed by
    // free. 0: none can be had.
    DevPtr (*managed)(Device *d, size_t bytes);
    // From record to recorded, launches in the first queue are noted instead of done; replay then
    // queues them all at once. recorded: NULL after an error. NULL ops: it can't.
    bool (*record)(Device *d);
    void *(*recorded)(Device *d);
    bool (*replay)(Device *d, void *graph);
    void (*forget)(Device *d, void *graph);
    // A graph of launches that wait for each other only as they say; NULL after an error. chain_set: the i-th
    // has another grid or other arguments from now on, being the same kernel. NULL ops: it can't.
    void *(*chain)(Device *d, int n, const KernelCall *calls);
    bool (*chain_set)(Device *d, void *graph, int i, const KernelCall *call);
    // What the loaded kernel needs, and how many blocks of that many threads and bytes of
    // shared memory fit one multiprocessor. NULL op or false: the driver doesn't tell.
    bool (*usage)(Device *d, Module *m, const char *name, int threads, int64_t shared,
                  KernelUsage *out);
    // Calls use(stream, arg) with the device current: for a vendor's library that queues its
    // own work among ours. NULL op: there is nothing to lend.
    bool (*lend)(Device *d, bool (*use)(void *stream, void *arg), void *arg);
    // What is put into one of the two from now on, ours or the caller's stream (of the same device, as
    // its driver has it), waits for what is in the other by now. NULL op: the caller has no streams.
    bool (*meet)(Device *d, void *stream, bool ours_waits);
} DeviceOps;

struct Device {
    const DeviceOps *ops;
    char error[512]; // what failed last
    const atomic_bool *stop; // once it is set, compilations are given up where they can be; NULL: it never is
    // set by downloads, those that fail too, unless the host's memory is certainly as it was;
    bool fetched;
    // cleared by whoever asks
    bool captured; // from `meet` to the next one: launches become nodes of a caller's graph, none runs
};

extern const DeviceOps device_cuda, device_opencl, device_cpu;
extern const DeviceOps *const device_kinds[3]; // cuda, opencl, cpu: the best first

// Opens "cuda[:N]", "opencl[:P[.D]]", "cpu", or, for NULL or "", what SCULPT_DEVICE says,
// else the best present: CUDA, an OpenCL GPU, the CPU, OpenCL on the CPU. NULL with a reason
// in *why; "host" and "none" are no device.
//
// For tests, SCULPT_FAULT=WHAT[:N],… makes the N-th (default: first) and all later calls of
// WHAT (open, alloc, upload, download, compile, load, launch, sync, queue, pin, graph) fail on
// any device; where it begins with "list", each call is told on stderr.
Device *device_open(Arena *a, const char *spec, const char **why);
const char *device_misnamed(Arena *a, const char *spec); // why it is no device's name; NULL: it is one
const char *device_forbidden(Arena *a); // why SCULPT_FAULT forbids to open any; NULL: it doesn't
#endif
