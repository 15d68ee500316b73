// SPDX-License-Identifier: MIT
// cuda_kernel.c -- kernels of NVIDIA GPUs: compiled, loaded, launched.
//
// Where the call says so, a launch is a programmatic dependent one:
//
//     plain   kernel 1 ████████████▌           early   kernel 1 ████████████▌
//             kernel 2               ████▌             kernel 2         ·····████▌
//                            start ─▶│ │◀─                               wait ─▶│
//
// Once all blocks of kernel 1 have begun, those of kernel 2 take the room that it leaves, and stop at their
// first statement until kernel 1 has ended and its results are in memory. Then they let kernel 3 begin
// likewise, so at any time two kernels are under way at most, and whoever has passed its wait knows that all
// before it is done. (CUDA Programming Guide, "Programmatic Dependent Launch and Synchronization"; PTX ISA,
// griddepcontrol.)
#include "device/cuda.h"
#include <string.h>

struct Module {
    CudaDevice *d;
    CuModule module;
    Arena *arena;            // of the table
    VEC(CudaKernel) kernels; // those launched so far
};

bool cuda_compile(Device *base, Arena *a, const char *source, void **image, size_t *size, char **log) {
    CudaDevice *d = (CudaDevice *)base;
    char *words = "";
    if (log) *log = words;
    if (!d->rtc) return device_fail(base, "no NVRTC (libnvrtc.so) was found: set CUDA_HOME");
    bool ok = nvrtc_compile(a, d->rtc, d->arch, source, image, size, &words);
    if (log) *log = words;
    if (ok && !d->info.aside)
        d->info.aside = true; // NVRTC is open, and said what it does at the process's end
    return ok || device_fail(base, "NVRTC refused the kernel: %.400s", words);
}

static void unload(void *p) {
    Module *m = p;
    if (!m->module || !cuda_enter(m->d)) return;
    m->d->cu->cuModuleUnload(m->module);
    cuda_leave(m->d);
}

Module *cuda_load(Device *base, Arena *a, const void *image, size_t size) {
    CudaDevice *d = (CudaDevice *)base;
    if (!cuda_enter(d)) return NULL;
    // PTX is text: the driver reads it up to a NUL.
    char *text = arena_alloc(a, size + 1);
    memcpy(text, image, size);
    Module *m = NEW(a, Module);
    m->d = d;
    m->arena = a;
    bool ok = cuda_check(d, d->cu->cuModuleLoadData(&m->module, text), "cuModuleLoadData");
    cuda_leave(d);
    return ok ? arena_own(a, m, unload) : NULL;
}

// ---- finding a kernel ----------------------------------------------------------------------------
static int attribute(CudaDevice *d, int which, CuFunction f) {
    int v = 0;
    return d->cu->cuFuncGetAttribute(&v, which, f) == 0 ? v : 0;
}

// A compiler that does not know the device yet makes code of an older architecture, without the wait.
static CudaKernel *find(Module *m, const char *name) {
    for (int i = 0; i < m->kernels.n; i++)
        if (str_eq(m->kernels.at[i].name, name)) return &m->kernels.at[i];
    CudaKernel k = {.name = arena_strdup(m->arena, name)};
    CuResult rc = m->d->cu->cuModuleGetFunction(&k.function, m->module, name);
    if (!cuda_check(m->d, rc, name)) return NULL;
    k.waits = attribute(m->d, CU_FUNCTION_PTX_VERSION, k.function) >= EARLY_CAPABILITY;
    vec_push(m->arena, &m->kernels, k);
    return &m->kernels.at[m->kernels.n - 1];
}

// More than a block has by default must be asked for, once a kernel.
static bool allow_shared(CudaDevice *d, CudaKernel *k, int64_t bytes) {
    if (bytes <= k->shared) return true;
    if (bytes > d->info.shared_optin && bytes > d->info.shared)
        return device_fail(&d->base, "%s: %lld bytes of shared memory a block; the device has %d",
                           k->name, (long long)bytes, d->info.shared_optin);
    CuResult rc = d->cu->cuFuncSetAttribute(k->function, CU_FUNCTION_DYNAMIC_SHARED, (int)bytes);
    k->shared = rc == 0 ? bytes : 0;
    return cuda_check(d, rc, k->name);
}

// A hint. Where two kernels disagree, the second may have to wait for the first (Driver API,
// cuFuncSetCacheConfig).
static void prefer_shared(CudaDevice *d, CudaKernel *k) {
    enum { ALL = 100 }; // per cent
    if (!k->roomy) d->cu->cuFuncSetAttribute(k->function, CU_FUNCTION_CARVEOUT, ALL);
    k->roomy = true;
}

static bool fits(Device *d, const DeviceInfo *info, const int64_t grid[3], const int block[3]) {
    int64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        threads *= block[i];
        if (grid[i] < 1 || grid[i] > info->max_grid[i] || block[i] < 1)
            return device_fail(d, "a grid of %lld blocks of %d threads in dimension %d",
                               (long long)grid[i], block[i], i);
    }
    return threads <= info->max_threads ||
           device_fail(d, "a block of %lld threads; the device takes %d", (long long)threads,
                       info->max_threads);
}

const CudaKernel *cuda_kernel(CudaDevice *d, const KernelCall *c) {
    if (!fits(&d->base, &d->info, c->grid, c->block)) return NULL;
    CudaKernel *k = find(c->module, c->name);
    if (k && c->roomy) prefer_shared(d, k);
    return k && allow_shared(d, k, c->shared) ? k : NULL;
}

// ---- launching -----------------------------------------------------------------------------------
bool cuda_early(const CudaDevice *d, const KernelCall *c, const CudaKernel *k, bool graph) {
    return c->early && k->waits && d->info.early_launch &&
           !(graph && (d->no_early_graphs || !d->cu->cuGraphAddDependencies_v2));
}

static CuResult start(CudaDevice *d, const KernelCall *c, const CudaKernel *k, void **args) {
    return d->cu->cuLaunchKernel(k->function, (unsigned)c->grid[0], (unsigned)c->grid[1],
                                 (unsigned)c->grid[2], (unsigned)c->block[0], (unsigned)c->block[1],
                                 (unsigned)c->block[2], (unsigned)c->shared, d->stream, args, NULL);
}

// A driver that refuses is not asked again.
static CuResult start_early(CudaDevice *d, const KernelCall *c, const CudaKernel *k, void **args) {
    CuAttribute early = {.id = CU_PROGRAMMATIC_SERIALIZATION, .value = {1}};
    CuLaunch launch = {(unsigned)c->grid[0],  (unsigned)c->grid[1],  (unsigned)c->grid[2],
                       (unsigned)c->block[0], (unsigned)c->block[1], (unsigned)c->block[2],
                       (unsigned)c->shared,   d->stream,             &early,
                       1};
    CuResult rc = d->cu->cuLaunchKernelEx(&launch, k->function, args, NULL);
    if (rc == 0 || d->noting) return rc;
    d->info.early_launch = false;
    return start(d, c, k, args);
}

bool cuda_launch(Device *base, const KernelCall *c) {
    CudaDevice *d = (CudaDevice *)base;
    CuPtr at[c->nptrs + 1];
    void *args[c->nptrs + c->nvals + 1];
    for (int i = 0; i < c->nptrs; i++) {
        at[i] = c->ptrs[i] ? c->ptrs[i] + (uint64_t)c->offsets[i] : 0;
        args[i] = &at[i];
    }
    // the module knows their sizes
    for (int i = 0; i < c->nvals; i++) args[c->nptrs + i] = (void *)c->vals[i];
    for (int i = 0; c->order && i < c->nptrs + c->nvals; i++)
        args[i] = c->order[i] >= 0 ? (void *)&at[c->order[i]] : (void *)c->vals[-1 - c->order[i]];
    if (!cuda_enter(d)) return false;
    const CudaKernel *k = cuda_kernel(d, c);
    bool ok =
        k && cuda_check(d, (cuda_early(d, c, k, d->noting) ? start_early : start)(d, c, k, args), c->name);
    cuda_leave(d);
    return ok;
}

// ---- for measuring -------------------------------------------------------------------------------
bool cuda_usage(Device *base, Module *m, const char *name, int threads, int64_t shared, KernelUsage *out) {
    CudaDevice *d = (CudaDevice *)base;
    *out = (KernelUsage){0};
    if (!cuda_enter(d)) return false;
    CudaKernel *k = find(m, name);
    bool ok = k && allow_shared(d, k, shared);
    if (ok) {
        out->registers = attribute(d, CU_FUNCTION_REGISTERS, k->function);
        out->shared = attribute(d, CU_FUNCTION_SHARED, k->function);
        out->local = attribute(d, CU_FUNCTION_LOCAL, k->function);
        int blocks = 0;
        if (d->cu->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k->function, threads,
                                                               (size_t)shared) == 0)
            out->blocks = blocks;
    }
    cuda_leave(d);
    return ok;
}
