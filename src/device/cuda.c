// SPDX-License-Identifier: MIT
// cuda.c -- NVIDIA GPUs through the driver API, which is opened at run time.
//
// One stream does everything in order, until somebody asks for more (cuda_queue.c). The primary context is
// pushed before and popped after each call, so that a program's own use of CUDA isn't disturbed. Kernels are
// in cuda_kernel.c.
#include "device/cuda.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cuda_check(CudaDevice *d, CuResult rc, const char *what) {
    if (rc == 0) return true;
    const char *name = NULL, *text = NULL;
    d->cu->cuGetErrorName(rc, &name);
    d->cu->cuGetErrorString(rc, &text);
    return device_fail(&d->base, "%s: %s (%s)", what, name ? name : "unknown error",
                       text ? text : "?");
}

bool cuda_enter(CudaDevice *d) {
    if (device_forked(&d->base, d->opener)) return false;
    return cuda_check(d, d->cu->cuCtxPushCurrent_v2(d->ctx), "cuCtxPushCurrent");
}

void cuda_leave(CudaDevice *d) {
    CuContext popped;
    d->cu->cuCtxPopCurrent_v2(&popped);
}

// ---- opening ---------------------------------------------------------------------------

static int count_with(const CudaApi *cu) {
    int n = 0;
    return cu && cu->cuDeviceGetCount(&n) == 0 ? n : 0;
}

static int count(void) {
    Arena *a = arena_new();
    const char *why;
    int n = count_with(cuda_api_open(a, &why));
    arena_free(a);
    return n;
}

static char *spec(Arena *a, int i) {
    return i >= 0 && i < count() ? arena_printf(a, "cuda:%d", i) : NULL;
}

static void close_(void *p) {
    CudaDevice *d = p;
    if (d->opener != getpid()) return;
    if (cuda_enter(d)) {
        cuda_copy_finish(d);
        cuda_ring_free(d);
        for (int i = 0; i < 2; i++)
            if (d->marks[i]) d->cu->cuEventDestroy_v2(d->marks[i]);
        if (d->order) d->cu->cuEventDestroy_v2(d->order);
        for (int i = 0; i < POINTS; i++)
            if (d->point[i].event) d->cu->cuEventDestroy_v2(d->point[i].event);
        for (int i = 0; i < QUEUES; i++)
            if (d->queue[i]) d->cu->cuStreamDestroy_v2(d->queue[i]);
        cuda_leave(d);
    }
    d->cu->cuDevicePrimaryCtxRelease_v2(d->dev);
}

static int attribute(CudaDevice *d, int which) {
    int v = 0;
    return d->cu->cuDeviceGetAttribute(&v, which, d->dev) == 0 ? v : 0;
}

// GB/s: two transfers a clock, as all memories have that these devices are built with.
static double memory_rate(CudaDevice *d) {
    return 2e-6 * attribute(d, CU_MEMORY_KHZ) * attribute(d, CU_MEMORY_BITS) / 8;
}

static void describe(Arena *a, CudaDevice *d, int index, int version) {
    char name[256] = "";
    size_t memory = 0;
    d->cu->cuDeviceGetName(name, sizeof name - 1, d->dev);
    d->cu->cuDeviceTotalMem_v2(&memory, d->dev);
    d->arch = 10 * attribute(d, CU_CAPABILITY_MAJOR) + attribute(d, CU_CAPABILITY_MINOR);
    d->max_pitch = (size_t)attribute(d, CU_MAX_PITCH);
    d->rtc = nvrtc_find(a, version / 1000);
    d->info = (DeviceInfo){.spec = arena_printf(a, "cuda:%d", index),
                           .name = arena_strdup(a, name),
                           .driver = arena_printf(a, "CUDA driver %d.%d; sm_%d; NVRTC %s", version / 1000,
                                                  version % 1000 / 10, d->arch,
                                                  d->rtc ? nvrtc_identity(d->rtc) : "absent"),
                           .dialect = "cuda",
                           .target = "gpu",
                           .memory = (int64_t)memory,
                           .sms = attribute(d, CU_MULTIPROCESSORS),
                           .max_threads = attribute(d, CU_MAX_THREADS_PER_BLOCK),
                           .shared = attribute(d, CU_SHARED_PER_BLOCK),
                           .warp = attribute(d, CU_WARP_SIZE),
                           .shared_optin = attribute(d, CU_SHARED_PER_BLOCK_OPTIN),
                           .max_grid = {attribute(d, CU_MAX_GRID_X), attribute(d, CU_MAX_GRID_Y),
                                        attribute(d, CU_MAX_GRID_Z)},
                           .compute = d->arch,
                           .clock_khz = attribute(d, CU_CLOCK_RATE),
                           .l2 = attribute(d, CU_L2_BYTES),
                           .dram = memory_rate(d),
                           .threads_sm = attribute(d, CU_THREADS_PER_SM),
                           .blocks_sm = attribute(d, CU_BLOCKS_PER_SM),
                           .registers_sm = attribute(d, CU_REGISTERS_PER_SM),
                           .shared_sm = attribute(d, CU_SHARED_PER_SM),
                           .shared_reserved = attribute(d, CU_SHARED_RESERVED),
                           .fp64 = true,
                           .early_launch = d->arch >= EARLY_CAPABILITY && d->cu->cuLaunchKernelEx &&
                                           str_eq(env_get("SCULPT_DEPENDENT_LAUNCH"), "1")};
}

static bool start(CudaDevice *d) {
    if (!cuda_check(d, d->cu->cuDevicePrimaryCtxRetain(&d->ctx, d->dev), "cuDevicePrimaryCtxRetain"))
        return false;
    if (!cuda_enter(d)) return false;
    bool ok = cuda_check(d, d->cu->cuStreamCreate(&d->queue[QUEUE_RUN], CU_STREAM_NON_BLOCKING_),
                         "cuStreamCreate");
    d->stream = d->queue[QUEUE_RUN];
    for (int i = 0; ok && i < 2; i++)
        ok = cuda_check(d, d->cu->cuEventCreate(&d->marks[i], CU_EVENT_TIMED), "cuEventCreate");
    cuda_leave(d);
    return ok;
}

static Device *open_(Arena *a, const char *spec, const char **why) {
    int index, rest, version = 0;
    const CudaApi *cu = cuda_api_open(a, why);
    if (!cu) return NULL;
    int n = count_with(cu);
    if (!device_spec_read(spec, "cuda", &index, &rest) || rest >= 0 || index >= n) {
        *why = arena_printf(a, "there is no %s among %d CUDA devices", spec, n);
        return NULL;
    }
    CudaDevice *d = NEW(a, CudaDevice);
    d->base.ops = &device_cuda;
    d->cu = cu;
    d->opener = getpid();
    d->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (index < 0) index = 0;
    if (n == 0 || !cuda_check(d, cu->cuDeviceGet(&d->dev, index), "cuDeviceGet")) {
        *why = n == 0 ? "the NVIDIA driver finds no GPU" : arena_strdup(a, d->base.error);
        return NULL;
    }
    cu->cuDriverGetVersion(&version);
    describe(a, d, index, version);
    if (!start(d)) {
        *why = arena_strdup(a, d->base.error);
        if (d->ctx) close_(d);
        return NULL;
    }
    return arena_own(a, d, close_);
}

static const DeviceInfo *info(Device *d) { return &((CudaDevice *)d)->info; }

// ---- memory ------------------------------------------------------------------------------

static DevPtr alloc(Device *base, size_t bytes) {
    CudaDevice *d = (CudaDevice *)base;
    CuPtr p = 0;
    if (!cuda_enter(d)) return 0;
    CuResult rc = d->cu->cuMemAlloc_v2(&p, bytes ? bytes : 1);
    cuda_leave(d);
    if (rc == CU_OUT_OF_MEMORY)
        return device_fail(base, "%s has no %.1f MB left", d->info.spec, 1e-6 * (double)bytes);
    return cuda_check(d, rc, "cuMemAlloc") ? p : 0;
}

static void free_(Device *base, DevPtr p) {
    CudaDevice *d = (CudaDevice *)base;
    if (!p || !cuda_enter(d)) return;
    d->cu->cuMemFree_v2(p);
    cuda_leave(d);
}

static bool upload_rows(Device *base, DevPtr to, size_t offset, const void *from, size_t width,
                        size_t rows, size_t pitch) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = cuda_copy_in(d, to + offset, from, width, rows, pitch);
    cuda_leave(d);
    return ok;
}

static bool download_rows(Device *base, void *to, DevPtr from, size_t offset, size_t width,
                          size_t rows, size_t pitch) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = cuda_copy_out(d, to, from + offset, width, rows, pitch);
    cuda_leave(d);
    return ok;
}

static bool upload(Device *d, DevPtr to, size_t offset, const void *from, size_t bytes) {
    return upload_rows(d, to, offset, from, bytes, 1, bytes);
}

static bool download(Device *d, void *to, DevPtr from, size_t offset, size_t bytes) {
    return download_rows(d, to, from, offset, bytes, 1, bytes);
}

static void *pin_alloc(Device *base, size_t bytes) {
    CudaDevice *d = (CudaDevice *)base;
    void *p = NULL;
    if (!cuda_enter(d)) return NULL;
    CuResult rc = d->cu->cuMemHostAlloc(&p, bytes ? bytes : 1, CU_HOST_PORTABLE);
    cuda_leave(d);
    return cuda_check(d, rc, "cuMemHostAlloc") ? p : NULL;
}

static void pin_free(Device *base, void *p) {
    CudaDevice *d = (CudaDevice *)base;
    if (!p || !cuda_enter(d)) return;
    d->cu->cuMemFreeHost(p);
    cuda_leave(d);
}

// ---- time ----------------------------------------------------------------------------------
static bool sync_(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = cuda_copy_finish(d);
    for (int i = 0; i < QUEUES; i++)
        if (d->queue[i])
            ok = cuda_check(d, d->cu->cuStreamSynchronize(d->queue[i]), "waiting for the GPU") && ok;
    cuda_leave(d);
    return ok;
}

static void mark(Device *base, int which) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return;
    cuda_check(d, d->cu->cuEventRecord(d->marks[which], d->stream), "cuEventRecord");
    cuda_leave(d);
}

static double elapsed(Device *base) {
    CudaDevice *d = (CudaDevice *)base;
    float ms = -1;
    if (!cuda_enter(d)) return -1;
    bool ok = cuda_check(d, d->cu->cuEventSynchronize(d->marks[1]), "waiting for a mark") &&
              cuda_check(d, d->cu->cuEventElapsedTime(&ms, d->marks[0], d->marks[1]), "the time");
    cuda_leave(d);
    return ok ? 1e-3 * ms : -1;
}

static bool lend(Device *base, bool (*use)(void *stream, void *arg), void *arg) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return false;
    bool ok = use(d->stream, arg);
    cuda_leave(d);
    return ok;
}

const DeviceOps device_cuda = {.kind = "cuda",
                               .count = count,
                               .spec = spec,
                               .open = open_,
                               .info = info,
                               .alloc = alloc,
                               .free = free_,
                               .upload = upload,
                               .download = download,
                               .upload_rows = upload_rows,
                               .download_rows = download_rows,
                               .compile = cuda_compile,
                               .load = cuda_load,
                               .launch = cuda_launch,
                               .sync = sync_,
                               .mark = mark,
                               .elapsed = elapsed,
                               .pin_alloc = pin_alloc,
                               .pin_free = pin_free,
                               .usage = cuda_usage,
                               .lend = lend,
                               .meet = cuda_meet,
                               .use = cuda_use,
                               .after = cuda_after,
                               .point = cuda_point,
                               .after_point = cuda_after_point,
                               .pin = cuda_pin,
                               .unpin = cuda_unpin,
                               .whose = cuda_whose,
                               .managed = cuda_managed,
                               .record = cuda_record,
                               .recorded = cuda_recorded,
                               .replay = cuda_replay,
                               .forget = cuda_forget,
                               .chain = cuda_chain,
                               .chain_set = cuda_chain_set};
