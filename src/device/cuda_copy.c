// SPDX-License-Identifier: MIT
// cuda_copy.c -- moving bytes between host and GPU.
//
// Memory that is pinned goes directly. Pageable memory goes through pinned pieces (cuda_ring.c) where that is
// quicker than the driver's own way, which stages it, too, but in one thread: one piece alone is not, nor are
// the first megabytes of a program, in whose time the ring would only have been made.
#include "device/cuda.h"

enum {
    FEW_BYTES = 64 << 10, // which the driver takes at once in any queue
    // Bytes that the driver has moved before a ring is made, unless one copy is larger. Down there are fewer,
    // because memory that the program has not touched yet is made while it is written, 2 GB/s in one thread.
    RING_PAYS_UP = 16 << 20,
    RING_PAYS_DOWN = 1 << 20,
};

bool cuda_copy_queue(CudaDevice *d, bool in, CuPtr dev, char *host, size_t host_pitch, size_t width,
                     size_t rows, size_t pitch) {
    CuResult rc;
    if (rows == 1) {
        rc = in ? d->cu->cuMemcpyHtoDAsync_v2(dev, host, width, d->stream)
                : d->cu->cuMemcpyDtoHAsync_v2(host, dev, width, d->stream);
    } else {
        CuCopy2D c = {.width = width, .height = rows};
        c.src_type = in ? CU_MEMORY_HOST : CU_MEMORY_DEVICE;
        c.dst_type = in ? CU_MEMORY_DEVICE : CU_MEMORY_HOST;
        c.src_host = in ? host : NULL;
        c.src_device = in ? 0 : dev;
        c.src_pitch = in ? host_pitch : pitch;
        c.dst_host = in ? NULL : host;
        c.dst_device = in ? dev : 0;
        c.dst_pitch = in ? pitch : host_pitch;
        rc = d->cu->cuMemcpy2DAsync_v2(&c, d->stream);
    }
    return cuda_check(d, rc, in ? "copying to the GPU" : "copying from the GPU");
}

// Can the GPU reach this memory itself?
static bool is_pinned(CudaDevice *d, const void *host) {
    unsigned type = 0;
    CuResult rc = d->cu->cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE,
                                               (CuPtr)(uintptr_t)host);
    return rc == 0 && type != 0;
}

// ---- choosing the way ---------------------------------------------------------------------

static bool wait(CudaDevice *d) {
    return cuda_check(d, d->cu->cuStreamSynchronize(d->stream), "waiting for a copy");
}

// Is pageable memory of so many bytes, or of several rows (0), for the driver? In other queues than the first
// it would wait for the queue.
static bool driver_copies(CudaDevice *d, bool in, size_t bytes) {
    size_t *moved = &d->driver_moved[in ? 0 : 1], pays = in ? RING_PAYS_UP : RING_PAYS_DOWN;
    if (bytes && bytes <= FEW_BYTES) return true;
    if (bytes && d->stream == d->queue[QUEUE_RUN]) {
        if (bytes <= RING_BYTES) return true;
        if (!d->ring[in ? 0 : 1] && bytes <= pays && (*moved += bytes) <= pays) return true;
    }
    return !cuda_ring_open(d, in);
}

// Need nobody wait for a copy that was queued? The driver has taken a few pageable bytes already;
// pinned ones belong to the copy until their queue is waited for, which only the first does here.
static bool may_go_on(const CudaDevice *d, bool in, bool pinned) {
    return pinned ? d->stream != d->queue[QUEUE_RUN] : in;
}

static bool copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows,
                 size_t pitch) {
    if (width == 0 || rows == 0) return true;
    if (rows > 1 && pitch == width) width *= rows, rows = 1;
    bool pinned = is_pinned(d, host), driver = pinned || driver_copies(d, in, rows == 1 ? width : 0);
    if (driver && (rows == 1 || pitch <= d->max_pitch)) {
        bool queued = cuda_copy_queue(d, in, dev, host, pitch, width, rows, pitch);
        d->base.fetched |= !in && (queued || !pinned);
        return queued && (may_go_on(d, in, pinned) || wait(d));
    }
    if (driver) { // too far apart for one rectangle
        for (size_t r = 0; r < rows; r++)
            if (!copy(d, in, dev + r * pitch, host + r * pitch, width, 1, width)) return false;
        return true;
    }
    d->base.fetched |= !in;
    return cuda_ring_copy(d, in, dev, host, width, rows, pitch, d->stream == d->queue[QUEUE_RUN]);
}

bool cuda_copy_finish(CudaDevice *d) {
    bool up = cuda_ring_finish(d, true);
    return cuda_ring_finish(d, false) && up;
}

bool cuda_copy_in(CudaDevice *d, CuPtr to, const char *from, size_t width, size_t rows,
                  size_t pitch) {
    return copy(d, true, to, (char *)from, width, rows, pitch);
}

bool cuda_copy_out(CudaDevice *d, char *to, CuPtr from, size_t width, size_t rows, size_t pitch) {
    return copy(d, false, from, to, width, rows, pitch);
}
