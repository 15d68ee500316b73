// SPDX-License-Identifier: MIT
// cuda.h -- the state of one NVIDIA GPU, shared by cuda.c and cuda_copy.c.
#ifndef SCULPT_CUDA_H
#define SCULPT_CUDA_H
#include "device/cuda_api.h"
#include "device/cuda_nvrtc.h"
#include "device/driver.h"
#include <pthread.h>

enum { RING_WORKERS = 7, RING_SLOTS = 4, RING_BYTES = 1 << 19, RING_EVENTS = 64, POINTS = 64 };

// A place in a queue.
typedef struct CudaPoint {
    CuEvent event;       // in the stream
    int64_t job;         // the last job of the ring before it
} CudaPoint;

typedef struct CudaDevice {
    Device base;
    DeviceInfo info;
    const CudaApi *cu;
    Nvrtc *rtc;                // NULL: no compiler; cached kernels still run
    CuDev dev;
    CuContext ctx;             // the primary one, so that other users of CUDA share it
    CuStream stream;           // where work goes now: one of…
    CuStream queue[QUEUES];    // …these; all but the first are made when they are used first
    CuEvent order;             // between two of them
    CuEvent marks[2];
    pid_t opener;
    int arch;                  // 90 for compute capability 9.0
    size_t max_pitch;          // of a rectangular copy
    struct Ring *ring[2];      // up, down; made by the first large copies
    size_t driver_moved[2];    // bytes of pageable memory that the driver was given before there was one
    bool no_ring[2];           // none could be made
    int cores;                 // of the host
    CudaPoint point[POINTS];   // the last ones, in turns
    int points;
    int64_t waited[QUEUES];    // jobs of the ring up to this one, which a queue waits for already
    bool noting;               // launches are noted, not done
    bool no_early_graphs;      // the driver takes no early launches in a graph
} CudaDevice;

enum { EARLY_CAPABILITY = 90 }; // of devices, and of code, that know programmatic dependent launches

typedef struct CudaKernel {
    const char *name;
    CuFunction function;
    int64_t shared; // bytes at launch that the driver was told of; 0: none
    bool waits;     // where its text waits for the kernel ahead of it, its code does
    bool roomy;     // the driver was told to prefer shared memory to the first-level cache
} CudaKernel;

// True where rc is success; else leaves "WHAT: the driver's words" in the error.
bool cuda_check(CudaDevice *d, CuResult rc, const char *what);
// Between these two the device's context is current. False: it can't be used.
bool cuda_enter(CudaDevice *d);
void cuda_leave(CudaDevice *d);

// cuda_copy.c: rows of `width` bytes, `pitch` apart on both sides, in an entered context.
// After an upload the host's bytes may change; after a download they are there.
bool cuda_copy_in(CudaDevice *d, CuPtr to, const char *from, size_t width, size_t rows,
                  size_t pitch);
bool cuda_copy_out(CudaDevice *d, char *to, CuPtr from, size_t width, size_t rows, size_t pitch);
// Copies of pageable memory in other queues than the first go on in threads: waits for all of them.
bool cuda_copy_finish(CudaDevice *d);
// One copy in the current stream, the host's rows host_pitch apart.
bool cuda_copy_queue(CudaDevice *d, bool in, CuPtr dev, char *host, size_t host_pitch, size_t width,
                     size_t rows, size_t pitch);

// cuda_ring.c: the same through pinned pieces, by threads, once a ring is open (false: no memory could be
// pinned); with `wait` it is done when this returns, else the host's memory belongs to it until
// cuda_ring_finish.
bool cuda_ring_open(CudaDevice *d, bool in);
bool cuda_ring_copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows, size_t pitch,
                    bool wait);
bool cuda_ring_finish(CudaDevice *d, bool in);
void cuda_ring_free(CudaDevice *d);
// Uploads are numbered: the last one; q waits for those behind `from` up to `to` (the host, until they are
// sent).
int64_t cuda_ring_sent(const CudaDevice *d);
bool cuda_ring_after(CudaDevice *d, CuStream q, int64_t from, int64_t to);

// ---- cuda_queue.c, cuda_graph.c: what DeviceOps says of them
bool cuda_use(Device *d, Queue q);
bool cuda_after(Device *d, Queue q, Queue other);
int cuda_point(Device *d, Queue q);
bool cuda_after_point(Device *d, Queue q, Queue other, int point);
bool cuda_meet(Device *d, void *stream, bool ours_waits);
bool cuda_pin(Device *d, void *p, size_t bytes);
void cuda_unpin(Device *d, void *p);
Whose cuda_whose(Device *d, const void *p);
DevPtr cuda_managed(Device *d, size_t bytes);
bool cuda_record(Device *d);
void *cuda_recorded(Device *d);
bool cuda_replay(Device *d, void *graph);
void cuda_forget(Device *d, void *graph);
enum { CHAIN_ARGS = 64, CHAIN_CALLS = 64 };
void *cuda_chain(Device *d, int n, const KernelCall *calls);
bool cuda_chain_set(Device *d, void *graph, int i, const KernelCall *call);
// ---- cuda_kernel.c
bool cuda_compile(Device *d, Arena *a, const char *source, void **image, size_t *size, char **log);
Module *cuda_load(Device *d, Arena *a, const void *image, size_t size);
bool cuda_launch(Device *d, const KernelCall *call);
bool cuda_usage(Device *d, Module *m, const char *name, int threads, int64_t shared, KernelUsage *out);
// A kernel that may be launched so, in an entered context; NULL: it can't be.
const CudaKernel *cuda_kernel(CudaDevice *d, const KernelCall *call);
// May this launch, perhaps one in a graph, begin before those that it follows have ended?
bool cuda_early(const CudaDevice *d, const KernelCall *call, const CudaKernel *k, bool graph);
#endif
