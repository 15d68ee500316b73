// SPDX-License-Identifier: MIT
// cuda_queue.c -- several streams, launches noted as a graph, and memory of other kinds.
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
    bool ok = true;
    if (!d->order) ok = cuda_check(d, d->cu->cuEventCreate(&d->order, CU_EVENT_UNTIMED), "cuEventCreate");
    ok = ok && cuda_check(d, d->cu->cuEventRecord(d->order, d->queue[other]), "cuEventRecord") &&
         cuda_check(d, d->cu->cuStreamWaitEvent(d->queue[q], d->order, 0), "cuStreamWaitEvent");
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

DevPtr cuda_managed(Device *base, size_t bytes) {
    CudaDevice *d = (CudaDevice *)base;
    CuPtr p = 0;
    if (!cuda_enter(d)) return 0;
    CuResult rc = d->cu->cuMemAllocManaged(&p, bytes ? bytes : 1, CU_ATTACH_GLOBAL);
    cuda_leave(d);
    return cuda_check(d, rc, "cuMemAllocManaged") ? p : 0;
}

// ---- graphs ------------------------------------------------------------------------------

static bool has_graphs(CudaDevice *d) {
    const CudaApi *cu = d->cu;
    return (cu->cuStreamBeginCapture_v2 && cu->cuStreamEndCapture && cu->cuGraphInstantiateWithFlags && cu->cuGraphLaunch &&
            cu->cuGraphExecDestroy && cu->cuGraphDestroy) ||
           device_fail(&d->base, "the driver has no graphs");
}

bool cuda_record(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    if (!has_graphs(d) || !cuda_enter(d)) return false;
    bool ok = cuda_check(d, d->cu->cuStreamBeginCapture_v2(d->queue[QUEUE_RUN], CU_CAPTURE_THREAD_LOCAL), "cuStreamBeginCapture");
    cuda_leave(d);
    return ok;
}

void *cuda_recorded(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    CuGraph graph = NULL;
    CuGraphExec exec = NULL;
    if (!cuda_enter(d)) return NULL;
    bool ok = cuda_check(d, d->cu->cuStreamEndCapture(d->queue[QUEUE_RUN], &graph), "cuStreamEndCapture") && graph &&
              cuda_check(d, d->cu->cuGraphInstantiateWithFlags(&exec, graph, 0), "cuGraphInstantiate");
    if (graph) d->cu->cuGraphDestroy(graph);
    cuda_leave(d);
    return ok ? exec : NULL;
}

bool cuda_replay(Device *base, void *graph) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = cuda_check(d, d->cu->cuGraphLaunch(graph, d->queue[QUEUE_RUN]), "cuGraphLaunch");
    cuda_leave(d);
    return ok;
}

void cuda_forget(Device *base, void *graph) {
    CudaDevice *d = (CudaDevice *)base;
    if (!graph || !cuda_enter(d)) return;
    d->cu->cuGraphExecDestroy(graph);
    cuda_leave(d);
}
