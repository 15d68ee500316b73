// SPDX-License-Identifier: MIT
// cuda_copy.c -- moving bytes between host and GPU.
//
// Memory that is pinned goes directly; so do a few bytes, which the driver stages itself. The rest
// goes through pinned pieces (cuda_ring.c).
#include "device/cuda.h"
#include <stdlib.h>

enum { DIRECT_BYTES = 64 << 10 };

bool cuda_copy_queue(CudaDevice *d, bool in, CuPtr dev, char *host, size_t host_pitch, size_t width, size_t rows, size_t pitch) {
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

// Need nobody wait for a copy that was queued? The driver has taken a few pageable bytes already;
// pinned ones belong to the copy until their queue is waited for, which only the first does here.
static bool may_go_on(const CudaDevice *d, bool in, bool pinned) {
    return pinned ? d->stream != d->queue[QUEUE_RUN] : in;
}

static bool copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows,
                 size_t pitch) {
    if (width == 0 || rows == 0) return true;
    if (rows > 1 && pitch == width) width *= rows, rows = 1;
    bool pinned = is_pinned(d, host);
    if (rows == 1 ? pinned || width <= DIRECT_BYTES : pinned && pitch <= d->max_pitch)
        return cuda_copy_queue(d, in, dev, host, pitch, width, rows, pitch) && (may_go_on(d, in, pinned) || wait(d));
    if (rows > 1 && (width > RING_BYTES || pitch > d->max_pitch)) {
        for (size_t r = 0; r < rows; r++)
            if (!copy(d, in, dev + r * pitch, host + r * pitch, width, 1, width)) return false;
        return true;
    }
    return cuda_ring_copy(d, in, dev, host, width, rows, pitch);
}

// ---- downloads of pageable memory, in the background ----------------------------------------
// The host must take each piece out of the ring when it is there; it has other things to do.
typedef struct Away {
    CudaDevice d;      // a copy: its errors and its stream are its own
    pthread_t thread;
    char *to;
    CuPtr from;
    size_t width, rows, pitch;
    bool ok;
} Away;

static void *run_away(void *p) {
    Away *w = p;
    w->ok = cuda_enter(&w->d) && copy(&w->d, false, w->from, w->to, w->width, w->rows, w->pitch);
    if (w->ok) cuda_leave(&w->d);
    return NULL;
}

bool cuda_copy_finish(CudaDevice *d) {
    Away *w = d->away;
    if (!w) return true;
    pthread_join(w->thread, NULL);
    d->away = NULL;
    bool ok = w->ok || device_fail(&d->base, "%s", w->d.base.error);
    free(w);
    return ok;
}

static bool start_away(CudaDevice *d, char *to, CuPtr from, size_t width, size_t rows, size_t pitch) {
    Away *w = calloc(1, sizeof *w);
    if (!w) return copy(d, false, from, to, width, rows, pitch);
    *w = (Away){.d = *d, .to = to, .from = from, .width = width, .rows = rows, .pitch = pitch};
    w->d.away = NULL;
    if (pthread_create(&w->thread, NULL, run_away, w) == 0) return d->away = w, true;
    free(w);
    return copy(d, false, from, to, width, rows, pitch);
}

bool cuda_copy_in(CudaDevice *d, CuPtr to, const char *from, size_t width, size_t rows,
                  size_t pitch) {
    return copy(d, true, to, (char *)from, width, rows, pitch);
}

bool cuda_copy_out(CudaDevice *d, char *to, CuPtr from, size_t width, size_t rows, size_t pitch) {
    if (!cuda_copy_finish(d)) return false;
    if (d->stream == d->queue[QUEUE_DOWN] && width * rows > DIRECT_BYTES && !is_pinned(d, to))
        return start_away(d, to, from, width, rows, pitch);
    return copy(d, false, from, to, width, rows, pitch);
}
