// SPDX-License-Identifier: MIT
// cuda_queue.c -- several streams, and memory of other kinds.
//
//   QUEUE_UP    copy ─ copy ─┬─ copy          after(RUN, UP): an event of UP, and RUN waits for it.
//   QUEUE_RUN                └▶ kernel ─      One event serves all: waiting means the state in
//                                             which it was recorded last.
#include "device/cuda.h"
#include <string.h>

static bool make_queue(CudaDevice *d, Queue q) {
    if (d->queue[q]) return true;
    return cuda_check(d, d->cu->cuStreamCreate(&d->queue[q], CU_STREAM_NON_BLOCKING_), "cuStreamCreate");
}

bool cuda_use(Device *base, Queue q) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = make_queue(d, q);
    if (ok) d->stream = d->queue[q];
    cuda_leave(d);
    return ok;
}

bool cuda_after(Device *base, Queue q, Queue other) {
    CudaDevice *d = (CudaDevice *)base;
    if (q == other || !d->queue[q] || !d->queue[other]) return true;
    if (!cuda_enter(d)) return false;
    // What threads are to send yet is in no stream.
    bool ok = (other != QUEUE_UP && other != QUEUE_DOWN) || cuda_ring_finish(d, other == QUEUE_UP);
    if (!d->order) ok = cuda_check(d, d->cu->cuEventCreate(&d->order, CU_EVENT_UNTIMED), "cuEventCreate");
    ok = ok && cuda_check(d, d->cu->cuEventRecord(d->order, d->queue[other]), "cuEventRecord") &&
         cuda_check(d, d->cu->cuStreamWaitEvent(d->queue[q], d->order, 0), "cuStreamWaitEvent");
    cuda_leave(d);
    return ok;
}

// While the caller's stream is captured, the first event takes ours into the capture, and the second one
// joins it again.
bool cuda_meet(Device *base, void *stream, bool ours_waits) {
    CudaDevice *d = (CudaDevice *)base;
    CuStream first = ours_waits ? stream : d->stream, second = ours_waits ? d->stream : stream;
    if (!cuda_enter(d)) return false;
    bool ok = d->order || cuda_check(d, d->cu->cuEventCreate(&d->order, CU_EVENT_UNTIMED), "cuEventCreate");
    ok = ok && cuda_check(d, d->cu->cuEventRecord(d->order, first), "cuEventRecord") &&
         cuda_check(d, d->cu->cuStreamWaitEvent(second, d->order, 0), "cuStreamWaitEvent");
    int capturing = 0;
    base->captured = ok && ours_waits && d->cu->cuStreamIsCapturing &&
                     d->cu->cuStreamIsCapturing(stream, &capturing) == 0 && capturing;
    cuda_leave(d);
    return ok;
}

int cuda_point(Device *base, Queue q) {
    CudaDevice *d = (CudaDevice *)base;
    int at = d->points % POINTS;
    CudaPoint *p = &d->point[at];
    if (!cuda_enter(d)) return -1;
    bool ok =
        make_queue(d, q) &&
        (p->event || cuda_check(d, d->cu->cuEventCreate(&p->event, CU_EVENT_UNTIMED), "cuEventCreate")) &&
        cuda_check(d, d->cu->cuEventRecord(p->event, d->queue[q]), "cuEventRecord");
    p->job = q == QUEUE_UP ? cuda_ring_sent(d) : 0;
    cuda_leave(d);
    return ok ? d->points++, at : -1;
}

bool cuda_after_point(Device *base, Queue q, Queue other, int point) {
    CudaDevice *d = (CudaDevice *)base;
    if (point < 0 || q == other || !cuda_enter(d)) return point >= 0 && q == other;
    const CudaPoint *p = &d->point[point];
    bool ok = make_queue(d, q) &&
              (other != QUEUE_UP || cuda_ring_after(d, d->queue[q], d->waited[q], p->job)) &&
              cuda_check(d, d->cu->cuStreamWaitEvent(d->queue[q], p->event, 0), "cuStreamWaitEvent");
    if (ok && other == QUEUE_UP) d->waited[q] = p->job;
    cuda_leave(d);
    return ok;
}

// ---- memory ------------------------------------------------------------------------------

bool cuda_pin(Device *base, void *p, size_t bytes) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    CuResult rc = d->cu->cuMemHostRegister_v2(p, bytes, CU_HOST_PORTABLE);
    cuda_leave(d);
    return cuda_check(d, rc, "cuMemHostRegister");
}

void cuda_unpin(Device *base, void *p) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return;
    d->cu->cuMemHostUnregister(p);
    cuda_leave(d);
}

Whose cuda_whose(Device *base, const void *p) {
    CudaDevice *d = (CudaDevice *)base;
    unsigned type = 0;
    if (!cuda_enter(d)) return WHOSE_HOST;
    CuResult rc = d->cu->cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, (CuPtr)(uintptr_t)p);
    cuda_leave(d);
    return rc || !type ? WHOSE_HOST : type == CU_MEMORY_HOST ? WHOSE_PINNED : WHOSE_DEVICE;
}

DevPtr cuda_managed(Device *base, size_t bytes) {
    CudaDevice *d = (CudaDevice *)base;
    CuPtr p = 0;
    if (!cuda_enter(d)) return 0;
    CuResult rc = d->cu->cuMemAllocManaged(&p, bytes ? bytes : 1, CU_ATTACH_GLOBAL);
    cuda_leave(d);
    return cuda_check(d, rc, "cuMemAllocManaged") ? p : 0;
}
