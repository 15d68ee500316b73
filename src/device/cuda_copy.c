// SPDX-License-Identifier: MIT
// cuda_copy.c -- moving bytes between host and GPU.
//
//     pageable rows ──memcpy──▶ slot 0 ──DMA──▶ device      while slot 1 is filled,
//                   ──memcpy──▶ slot 1 ──DMA──▶ device      slot 0 travels
//
// Rows are packed in the slots, so gaps between them travel in neither direction. Memory that
// is pinned already goes directly; so do a few bytes, which the driver stages itself.
#include "device/cuda.h"
#include <string.h>

enum { DIRECT_BYTES = 64 << 10 };

// A transfer, cut into pieces of at most a slot: of one row, or of whole rows.
typedef struct Cut {
    size_t width, rows, pitch;
    size_t per_piece; // bytes of a single row, or rows
    size_t pieces;
} Cut;

typedef struct Piece {
    size_t offset, width, rows;
} Piece;

static Cut cut_of(size_t width, size_t rows, size_t pitch) {
    Cut c = {width, rows, pitch, rows == 1 ? RING_BYTES : RING_BYTES / width, 0};
    size_t whole = rows == 1 ? width : rows;
    c.pieces = (whole + c.per_piece - 1) / c.per_piece;
    return c;
}

static Piece piece_at(const Cut *c, size_t i) {
    size_t from = i * c->per_piece, rest = (c->rows == 1 ? c->width : c->rows) - from;
    size_t n = rest < c->per_piece ? rest : c->per_piece;
    return c->rows == 1 ? (Piece){from, n, 1} : (Piece){from * c->pitch, c->width, n};
}

// Rows of the host, packed into a slot or unpacked from it.
static void pack(char *slot, const char *host, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(slot + r * p->width, host + r * pitch, p->width);
}
static void unpack(char *host, const char *slot, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(host + r * pitch, slot + r * p->width, p->width);
}

// Queues one copy; the host's rows are host_pitch apart, the device's pitch.
static bool queue(CudaDevice *d, bool in, CuPtr dev, char *host, size_t host_pitch,
                  const Piece *p, size_t pitch) {
    CuResult rc;
    if (p->rows == 1) {
        rc = in ? d->cu->cuMemcpyHtoDAsync_v2(dev, host, p->width, d->stream)
                : d->cu->cuMemcpyDtoHAsync_v2(host, dev, p->width, d->stream);
    } else {
        CuCopy2D c = {.width = p->width, .height = p->rows};
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

// ---- the ring --------------------------------------------------------------------------

static bool ring_make(CudaDevice *d) {
    if (d->has_ring) return true;
    d->has_ring = true;
    for (int i = 0; i < RING_SLOTS; i++) {
        RingSlot *s = &d->ring[i];
        void *host = NULL;
        if (!cuda_check(d, d->cu->cuMemHostAlloc(&host, RING_BYTES, CU_HOST_PORTABLE), "pinning"))
            return cuda_ring_free(d), false;
        s->host = host;
        if (!cuda_check(d, d->cu->cuEventCreate(&s->done, CU_EVENT_UNTIMED), "cuEventCreate"))
            return cuda_ring_free(d), false;
    }
    return true;
}

void cuda_ring_free(CudaDevice *d) {
    for (int i = 0; i < RING_SLOTS; i++) {
        if (d->ring[i].done) d->cu->cuEventDestroy_v2(d->ring[i].done);
        if (d->ring[i].host) d->cu->cuMemFreeHost(d->ring[i].host);
        d->ring[i] = (RingSlot){0};
    }
    d->has_ring = false;
}

static bool slot_wait(CudaDevice *d, RingSlot *s) {
    if (!s->busy) return true;
    s->busy = false;
    return cuda_check(d, d->cu->cuEventSynchronize(s->done), "waiting for a copy");
}

static bool slot_sent(CudaDevice *d, RingSlot *s) {
    s->busy = true;
    return cuda_check(d, d->cu->cuEventRecord(s->done, d->stream), "cuEventRecord");
}

static bool ring_in(CudaDevice *d, CuPtr to, const char *from, const Cut *c) {
    for (size_t i = 0; i < c->pieces; i++) {
        RingSlot *s = &d->ring[i % RING_SLOTS];
        Piece p = piece_at(c, i);
        if (!slot_wait(d, s)) return false;
        pack(s->host, from + p.offset, &p, c->pitch);
        if (!queue(d, true, to + p.offset, s->host, p.width, &p, c->pitch)) return false;
        if (!slot_sent(d, s)) return false;
    }
    return true;
}

// Piece i is asked for as soon as piece i - RING_SLOTS has left its slot.
static bool ring_out(CudaDevice *d, char *to, CuPtr from, const Cut *c) {
    for (size_t i = 0; i < c->pieces + RING_SLOTS; i++) {
        RingSlot *s = &d->ring[i % RING_SLOTS];
        if (!slot_wait(d, s)) return false;
        if (i >= RING_SLOTS && i - RING_SLOTS < c->pieces) {
            Piece p = piece_at(c, i - RING_SLOTS);
            unpack(to + p.offset, s->host, &p, c->pitch);
        }
        if (i >= c->pieces) continue;
        Piece p = piece_at(c, i);
        if (!queue(d, false, from + p.offset, s->host, p.width, &p, c->pitch)) return false;
        if (!slot_sent(d, s)) return false;
    }
    return true;
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
    Piece whole = {0, width, rows};
    bool pinned = is_pinned(d, host);
    if (rows == 1 ? pinned || width <= DIRECT_BYTES : pinned && pitch <= d->max_pitch)
        return queue(d, in, dev, host, pitch, &whole, pitch) && (may_go_on(d, in, pinned) || wait(d));
    if (rows > 1 && (width > RING_BYTES || pitch > d->max_pitch)) {
        for (size_t r = 0; r < rows; r++)
            if (!copy(d, in, dev + r * pitch, host + r * pitch, width, 1, width)) return false;
        return true;
    }
    if (!ring_make(d)) return false;
    Cut c = cut_of(width, rows, pitch);
    return in ? ring_in(d, dev, host, &c) : ring_out(d, host, dev, &c);
}

bool cuda_copy_in(CudaDevice *d, CuPtr to, const char *from, size_t width, size_t rows,
                  size_t pitch) {
    return copy(d, true, to, (char *)from, width, rows, pitch);
}

bool cuda_copy_out(CudaDevice *d, char *to, CuPtr from, size_t width, size_t rows, size_t pitch) {
    return copy(d, false, from, to, width, rows, pitch);
}
