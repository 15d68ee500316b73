// SPDX-License-Identifier: MIT
// cuda.h -- the state of one NVIDIA GPU, shared by cuda.c and cuda_copy.c.
#ifndef SCULPT_CUDA_H
#define SCULPT_CUDA_H
#include "device/cuda_api.h"
#include "device/cuda_nvrtc.h"
#include "device/driver.h"
#include <pthread.h>

enum { RING_WORKERS = 6, RING_SLOTS = 4, RING_BYTES = 1 << 19 };

// A piece of pinned memory through which pageable memory travels.
typedef struct RingSlot {
    char *host;   // RING_BYTES
    CuEvent done; // the last copy out of or into it
    bool busy;    // `done` was recorded and not yet waited for
} RingSlot;

// The pieces of one direction: each thread that copies has a few of its own.
typedef struct Ring {
    bool made;            // by the first large copy
    RingSlot slot[RING_WORKERS][RING_SLOTS];
    // Threads that wait for shares of a copy; who asked for it does the first share.
    int nthreads;
    pthread_t thread[RING_WORKERS];
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct Share *shares;
    size_t next, total, finished; // shares taken, of how many, and done
    bool quit;
} Ring;

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
    Ring *ring;                // [2]: up, down
    int cores;                 // of the host
    struct Away *away;         // a download of pageable memory that is under way; NULL: none
} CudaDevice;

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
// A download in QUEUE_DOWN of pageable memory goes on in a thread of its own: waits for it.
bool cuda_copy_finish(CudaDevice *d);
// One copy in the current stream, the host's rows host_pitch apart.
bool cuda_copy_queue(CudaDevice *d, bool in, CuPtr dev, char *host, size_t host_pitch, size_t width, size_t rows, size_t pitch);

// cuda_ring.c: the same through pinned pieces; a row must fit into one.
bool cuda_ring_copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows, size_t pitch);
void cuda_ring_free(CudaDevice *d);

// ---- cuda_queue.c: what DeviceOps says of them
bool cuda_use(Device *d, Queue q);
bool cuda_after(Device *d, Queue q, Queue other);
bool cuda_pin(Device *d, void *p, size_t bytes);
void cuda_unpin(Device *d, void *p);
DevPtr cuda_managed(Device *d, size_t bytes);
bool cuda_record(Device *d);
void *cuda_recorded(Device *d);
bool cuda_replay(Device *d, void *graph);
void cuda_forget(Device *d, void *graph);
#endif
