// SPDX-License-Identifier: MIT
// opencl.c -- any OpenCL 1.2 device, through the loader that is opened at run time.
//
// A DevPtr is a cl_mem. One queue does everything in order, until somebody asks for more. A kernel takes each
// array as the buffer and a long: the byte offset of element 0 in it.
#include "device/opencl.h"
#include "base/guest.h"
#include "device/driver.h"
#include "device/opencl_api.h"
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

typedef struct OpenclDevice {
    Device base;
    DeviceInfo info;
    const OpenclApi *cl;
    cl_device_id dev;
    cl_context ctx;
    cl_command_queue queue; // where work goes now, with profiling: one of…
    cl_command_queue queues[QUEUES]; // …these; all but the first are made when they are used first
    cl_event marks[2];
    double clock[2];        // the host's, where the device's isn't to be had
    bool host_clock;        // marks wait and read the host's clock
    bool rounds_right;      // division and square root can be asked to be correctly rounded
    bool by_source;         // images are texts
    bool linked;            // by a program that PATH leads to, when a kernel is launched first
    cl_program built;       // of the text just compiled, for `load`; or NULL
    pid_t opener;
} OpenclDevice;

typedef struct Kernel {
    const char *name;
    cl_kernel kernel;
    VEC(uint64_t) shapes; // of the groups and grids that it was launched with, where these make a difference
} Kernel;

struct Module {
    OpenclDevice *d;
    cl_program program;
    Arena *arena;        // of the table
    VEC(Kernel) kernels; // those launched so far
};

static bool check(OpenclDevice *d, cl_int rc, const char *what) {
    if (rc == CL_SUCCESS) return true;
    Arena *a = arena_new();
    device_fail(&d->base, "%s: %s", what, opencl_error(a, rc));
    arena_free(a);
    return false;
}

// ---- what is present -------------------------------------------------------------------

static int count(void) {
    Arena *a = arena_new();
    const char *why;
    const OpenclApi *cl = opencl_api_open(a, &why);
    int n = 0;
    cl_device_id *ids;
    for (int p = 0; cl && p < cl->platforms.n; p++)
        n += opencl_devices(a, cl, cl->platforms.at[p], CL_DEVICE_TYPE_ALL, &ids);
    arena_free(a);
    return n;
}

static char *spec(Arena *a, int i) {
    const char *why;
    const OpenclApi *cl = opencl_api_open(a, &why);
    for (int p = 0; cl && i >= 0 && p < cl->platforms.n; p++) {
        cl_device_id *ids;
        int n = opencl_devices(a, cl, cl->platforms.at[p], CL_DEVICE_TYPE_ALL, &ids);
        if (i < n) return arena_printf(a, "opencl:%d.%d", p, i);
        i -= n;
    }
    return NULL;
}

// Vendors' libraries take tens of milliseconds to start, so they are asked for GPUs only
// where the kernel shows some device that could be one.
static bool may_have_gpu(void) {
    static const char *const nodes[] = {"/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/dri/render*",
                                        "/dev/kfd", "/dev/mali*", "/dev/dxg", "/dev/kgsl*"};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        glob_t g;
        bool found = glob(nodes[i], GLOB_NOSORT, NULL, &g) == 0;
        if (found) globfree(&g);
        if (found) return true;
    }
    return false;
}

// ---- opening ---------------------------------------------------------------------------

static void release_marks(OpenclDevice *d) {
    for (int i = 0; i < 2; i++) {
        if (d->marks[i]) d->cl->clReleaseEvent(d->marks[i]);
        d->marks[i] = NULL;
    }
}

static void drop_built(OpenclDevice *d) {
    if (d->built) d->cl->clReleaseProgram(d->built);
    d->built = NULL;
}

static void close_(void *p) {
    OpenclDevice *d = p;
    if (d->opener != getpid()) return;
    for (int i = 0; i < QUEUES; i++)
        if (d->queues[i]) d->cl->clFinish(d->queues[i]);
    release_marks(d);
    drop_built(d);
    for (int i = 0; i < QUEUES; i++)
        if (d->queues[i]) d->cl->clReleaseCommandQueue(d->queues[i]);
    if (d->ctx) d->cl->clReleaseContext(d->ctx);
}

// Threads that execute together; 1 for a CPU, 32 where a GPU doesn't say.
static int warp_of(OpenclDevice *d, cl_device_type type) {
    enum { WARP_SIZE_NV = 0x4003, WAVEFRONT_WIDTH_AMD = 0x4043 };
    cl_uint w = 0;
    if (!(type & CL_DEVICE_TYPE_GPU)) return 1;
    opencl_device_value(d->cl, d->dev, WARP_SIZE_NV, &w, sizeof w);
    if (!w) opencl_device_value(d->cl, d->dev, WAVEFRONT_WIDTH_AMD, &w, sizeof w);
    return w ? (int)w : 32;
}

static void describe(Arena *a, OpenclDevice *d, cl_platform_id platform, int p, int i) {
    cl_device_type type;
    cl_uint units;
    cl_ulong memory, largest, local;
    size_t group;
    cl_device_fp_config half, wide;
    opencl_device_value(d->cl, d->dev, CL_DEVICE_TYPE, &type, sizeof type);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_GLOBAL_MEM_SIZE, &memory, sizeof memory);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &largest, sizeof largest);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_LOCAL_MEM_SIZE, &local, sizeof local);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_MAX_WORK_GROUP_SIZE, &group, sizeof group);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_SINGLE_FP_CONFIG, &half, sizeof half);
    opencl_device_value(d->cl, d->dev, CL_DEVICE_DOUBLE_FP_CONFIG, &wide, sizeof wide);
    d->rounds_right = half & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    // Drivers of processors keep what they compiled for the sizes of groups that were launched; asked for a
    // binary they would compile each kernel once more, for groups of any size.
    d->by_source = type & CL_DEVICE_TYPE_CPU;
    int side = type & CL_DEVICE_TYPE_GPU ? 65535 : INT_MAX; // what every GPU takes in y and z
    d->info = (DeviceInfo){
        .spec = arena_printf(a, "opencl:%d.%d", p, i),
        .name = opencl_device_text(a, d->cl, d->dev, CL_DEVICE_NAME),
        .driver = arena_printf(a, "%s; %s; driver %s",
                               opencl_platform_text(a, d->cl, platform, CL_PLATFORM_VERSION),
                               opencl_device_text(a, d->cl, d->dev, CL_DEVICE_VERSION),
                               opencl_device_text(a, d->cl, d->dev, CL_DRIVER_VERSION)),
        .dialect = "opencl", .target = "gpu", .memory = (int64_t)memory,
        .largest = (int64_t)largest, .sms = (int)units,
        .max_threads = group > INT_MAX ? INT_MAX : (int)group,
        .shared = local > INT_MAX ? INT_MAX : (int)local, .warp = warp_of(d, type),
        .max_grid = {INT_MAX, side, side}, .fp64 = wide != 0};
}

// PoCL links its kernels by a program, and ends the process where that is not found.
static bool lacks_linker(Device *base) {
    OpenclDevice *d = (OpenclDevice *)base;
    Arena *a = arena_new();
    bool lacks = d->linked && !path_find(a, env_get("PATH"), "ld");
    arena_free(a);
    if (lacks) device_fail(base, "PoCL links kernels with ld, which is in no folder of PATH");
    return lacks;
}

static Device *open_at(Arena *a, const OpenclApi *cl, int p, cl_device_id dev, int i,
                       const char **why) {
    OpenclDevice *d = NEW(a, OpenclDevice);
    cl_int rc;
    d->base.ops = &device_opencl;
    d->cl = cl;
    d->linked = str_has_prefix(opencl_platform_text(a, cl, cl->platforms.at[p], CL_PLATFORM_NAME),
                               "Portable Computing Language");
    if (lacks_linker(&d->base)) return *why = arena_strdup(a, d->base.error), NULL;
    d->dev = dev;
    d->opener = getpid();
    describe(a, d, cl->platforms.at[p], p, i);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)cl->platforms.at[p], 0};
    d->ctx = cl->clCreateContext(properties, 1, &dev, NULL, NULL, &rc);
    if (check(d, rc, "clCreateContext")) {
        d->queue = d->queues[QUEUE_RUN] =
            cl->clCreateCommandQueue(d->ctx, dev, CL_QUEUE_PROFILING_ENABLE, &rc);
        if (check(d, rc, "clCreateCommandQueue")) return arena_own(a, d, close_);
        close_(d);
    }
    *why = arena_strdup(a, d->base.error);
    return NULL;
}

// The place of a device among all of its platform; the spec counts those.
static int index_of(Arena *a, const OpenclApi *cl, int p, cl_device_id dev) {
    cl_device_id *ids;
    int n = opencl_devices(a, cl, cl->platforms.at[p], CL_DEVICE_TYPE_ALL, &ids);
    for (int i = 0; i < n; i++)
        if (ids[i] == dev) return i;
    return 0;
}

// The first device of a type on platform p, or with p < 0 on any.
static Device *open_first(Arena *a, const OpenclApi *cl, int p, cl_device_type type,
                          const char **why) {
    for (int q = p < 0 ? 0 : p; q < (p < 0 ? cl->platforms.n : p + 1); q++) {
        cl_device_id *ids;
        if (opencl_devices(a, cl, cl->platforms.at[q], type, &ids) == 0) continue;
        return open_at(a, cl, q, ids[0], index_of(a, cl, q, ids[0]), why);
    }
    *why = "OpenCL has no such device here";
    return NULL;
}

Device *opencl_open_best(Arena *a, bool gpu, const char **why) {
    if (gpu && !may_have_gpu()) {
        *why = "no GPU";
        return NULL;
    }
    const OpenclApi *cl = opencl_api_open(a, why);
    return cl ? open_first(a, cl, -1, gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_ALL, why) : NULL;
}

static Device *open_(Arena *a, const char *spec, const char **why) {
    int p, i;
    const OpenclApi *cl = opencl_api_open(a, why);
    if (!cl) return NULL;
    if (!device_spec_read(spec, "opencl", &p, &i) || p >= cl->platforms.n) {
        *why = arena_printf(a, "there is no %s among %d OpenCL platforms", spec, cl->platforms.n);
        return NULL;
    }
    if (i < 0) { // a GPU if there is one
        Device *d = open_first(a, cl, p, CL_DEVICE_TYPE_GPU, why);
        return d ? d : open_first(a, cl, p, CL_DEVICE_TYPE_ALL, why);
    }
    cl_device_id *ids;
    int n = opencl_devices(a, cl, cl->platforms.at[p], CL_DEVICE_TYPE_ALL, &ids);
    if (i < n) return open_at(a, cl, p, ids[i], i, why);
    *why = arena_printf(a, "there is no %s: its platform has %d devices", spec, n);
    return NULL;
}

static const DeviceInfo *info(Device *d) { return &((OpenclDevice *)d)->info; }

// ---- memory ----------------------------------------------------------------------------

static cl_mem mem_of(DevPtr p) { return (cl_mem)(uintptr_t)p; }

static DevPtr alloc(Device *base, size_t bytes) {
    OpenclDevice *d = (OpenclDevice *)base;
    cl_int rc;
    if (device_forked(base, d->opener)) return 0;
    if (d->info.largest && bytes > (uint64_t)d->info.largest)
        return device_fail(base, "%.1f MB are more than %s takes in one buffer: %.1f MB",
                           1e-6 * (double)bytes, d->info.spec, 1e-6 * (double)d->info.largest);
    cl_mem m = d->cl->clCreateBuffer(d->ctx, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &rc);
    if (rc == CL_MEM_OBJECT_ALLOCATION_FAILURE || rc == CL_OUT_OF_RESOURCES)
        return device_fail(base, "%s has no %.1f MB left", d->info.spec, 1e-6 * (double)bytes);
    return check(d, rc, "clCreateBuffer") ? (DevPtr)(uintptr_t)m : 0;
}

static void free_(Device *base, DevPtr p) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (p && !device_forked(base, d->opener)) d->cl->clReleaseMemObject(mem_of(p));
}

// Copies are waited for in the first queue alone.
static cl_bool blocking(const OpenclDevice *d) {
    return d->queue == d->queues[QUEUE_RUN] ? CL_TRUE : CL_FALSE;
}

static bool upload(Device *base, DevPtr to, size_t offset, const void *from, size_t bytes) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (device_forked(base, d->opener)) return false;
    if (bytes == 0) return true;
    return check(d,
                 d->cl->clEnqueueWriteBuffer(d->queue, mem_of(to), blocking(d), offset, bytes, from, 0,
                                             NULL, NULL),
                 "copying to the device");
}

// Nobody writes to the host for a command that was not taken.
static bool read_from(OpenclDevice *d, cl_int rc, const char *what) {
    d->base.fetched |= rc == CL_SUCCESS || blocking(d);
    return check(d, rc, what);
}

static bool download(Device *base, void *to, DevPtr from, size_t offset, size_t bytes) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (device_forked(base, d->opener)) return false;
    if (bytes == 0) return true;
    return read_from(d,
                     d->cl->clEnqueueReadBuffer(d->queue, mem_of(from), blocking(d), offset, bytes, to, 0,
                                                NULL, NULL),
                     "copying from the device");
}

// All rows but the last go as one rectangle: NVIDIA's driver wants a whole pitch for each row
// of it, also where the buffer ends with the last row's bytes. The buffer's origin is told as
// a row and a place in it.
static bool upload_rows(Device *base, DevPtr to, size_t offset, const void *from, size_t width,
                        size_t rows, size_t pitch) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (rows < 2 || width == 0 || pitch == width) return upload(base, to, offset, from, width * rows);
    if (device_forked(base, d->opener)) return false;
    size_t last = (rows - 1) * pitch;
    size_t there[3] = {offset % pitch, offset / pitch, 0}, here[3] = {0};
    size_t n[3] = {width, rows - 1, 1};
    return check(d,
                 d->cl->clEnqueueWriteBufferRect(d->queue, mem_of(to), blocking(d), there, here, n,
                                                 pitch, 0, pitch, 0, from, 0, NULL, NULL),
                 "copying rows to the device") &&
           upload(base, to, offset + last, (const char *)from + last, width);
}

static bool download_rows(Device *base, void *to, DevPtr from, size_t offset, size_t width,
                          size_t rows, size_t pitch) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (rows < 2 || width == 0 || pitch == width) return download(base, to, from, offset, width * rows);
    if (device_forked(base, d->opener)) return false;
    size_t last = (rows - 1) * pitch;
    size_t there[3] = {offset % pitch, offset / pitch, 0}, here[3] = {0};
    size_t n[3] = {width, rows - 1, 1};
    return read_from(d,
                     d->cl->clEnqueueReadBufferRect(d->queue, mem_of(from), blocking(d), there, here, n,
                                                    pitch, 0, pitch, 0, to, 0, NULL, NULL),
                     "copying rows from the device") &&
           download(base, (char *)to + last, from, offset + last, width);
}

// ---- kernels -----------------------------------------------------------------------------

// No relaxation unless the text asks: fma is written where it is meant.
static char *options(Arena *a, const OpenclDevice *d, const char *source) {
    Words w = {0}, asked = {0};
    words_of_source(a, &asked, source);
    // else some print on the program's standard error how many warnings there were
    vec_push(a, &w, arena_strdup(a, "-w"));
    if (!words_have_prefix(&asked, "-cl-std=")) vec_push(a, &w, arena_strdup(a, "-cl-std=CL1.2"));
    if (d->rounds_right && !words_have_prefix(&asked, "-cl-fast-relaxed-math"))
        vec_push(a, &w, arena_strdup(a, "-cl-fp32-correctly-rounded-divide-sqrt"));
    for (int i = 0; i < asked.n; i++) vec_push(a, &w, asked.at[i]);
    return words_join(a, &w);
}

static char *build_log(Arena *a, OpenclDevice *d, cl_program p) {
    size_t n = 0;
    if (d->cl->clGetProgramBuildInfo(p, d->dev, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) || n <= 1)
        return arena_strdup(a, "");
    char *s = arena_alloc(a, n + 1);
    d->cl->clGetProgramBuildInfo(p, d->dev, CL_PROGRAM_BUILD_LOG, n, s, NULL);
    return s;
}

static bool binary(Arena *a, OpenclDevice *d, cl_program p, void **image, size_t *size) {
    size_t n = 0;
    cl_int rc = d->cl->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL);
    if (!check(d, rc, "the size of a program's binary")) return false;
    if (n == 0) return device_fail(&d->base, "the OpenCL driver gives no binary");
    unsigned char *bytes = arena_alloc(a, n);
    rc = d->cl->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    *image = bytes;
    *size = n;
    return check(d, rc, "a program's binary");
}

static cl_int build_quietly(OpenclDevice *d, cl_program p, const char *options) {
    Signals s;
    signals_hold(&s);
    cl_int rc = d->cl->clBuildProgram(p, 1, &d->dev, options, NULL, NULL);
    signals_give_back(&s);
    return rc;
}

// A built program, or NULL with `log`.
static cl_program build_source(OpenclDevice *d, Arena *a, const char *source, char **log) {
    cl_int rc;
    cl_program p = d->cl->clCreateProgramWithSource(d->ctx, 1, &source, NULL, &rc);
    if (!check(d, rc, "clCreateProgramWithSource")) return NULL;
    rc = build_quietly(d, p, options(a, d, source));
    char *words = build_log(a, d, p);
    if (log) *log = words;
    if (rc == CL_SUCCESS) return p;
    d->cl->clReleaseProgram(p);
    device_fail(&d->base, "OpenCL refused the kernel (%s): %.400s", opencl_error(a, rc), words);
    return NULL;
}

static bool compile(Device *base, Arena *a, const char *source, void **image, size_t *size,
                    char **log) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (log) *log = "";
    if (device_forked(base, d->opener)) return false;
    cl_program p = build_source(d, a, source, log);
    if (!p) return false;
    if (d->by_source) {
        drop_built(d);
        d->built = p;
        *size = strlen(source) + 1;
        *image = arena_strndup(a, source, *size - 1);
        return true;
    }
    bool ok = binary(a, d, p, image, size);
    d->cl->clReleaseProgram(p);
    return ok;
}

static void unload(void *p) {
    Module *m = p;
    if (m->d->opener != getpid()) return;
    for (int i = 0; i < m->kernels.n; i++) m->d->cl->clReleaseKernel(m->kernels.at[i].kernel);
    m->d->cl->clReleaseProgram(m->program);
}

static cl_program from_binary(OpenclDevice *d, const void *image, size_t size) {
    const unsigned char *bytes = image;
    cl_int state = CL_SUCCESS, rc;
    cl_program p = d->cl->clCreateProgramWithBinary(d->ctx, 1, &d->dev, &size, &bytes, &state, &rc);
    if (check(d, rc ? rc : state, "clCreateProgramWithBinary")) {
        rc = build_quietly(d, p, "");
        if (check(d, rc, "building from a binary")) return p;
    }
    if (p) d->cl->clReleaseProgram(p);
    return NULL;
}

// The program of a text: the one just compiled, if it is the same.
static cl_program from_text(OpenclDevice *d, Arena *a, const char *text, size_t size) {
    if (size == 0 || text[size - 1]) return device_fail(&d->base, "an image that is no text"), NULL;
    size_t n = 0;
    if (d->built && !d->cl->clGetProgramInfo(d->built, CL_PROGRAM_SOURCE, 0, NULL, &n) && n == size) {
        char *have = arena_alloc(a, n);
        if (!d->cl->clGetProgramInfo(d->built, CL_PROGRAM_SOURCE, n, have, NULL) && !memcmp(have, text, n)) {
            cl_program p = d->built;
            d->built = NULL;
            return p;
        }
    }
    return build_source(d, a, text, NULL);
}

static Module *load(Device *base, Arena *a, const void *image, size_t size) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (device_forked(base, d->opener) || lacks_linker(base)) return NULL;
    cl_program p = d->by_source ? from_text(d, a, image, size) : from_binary(d, image, size);
    if (!p) return NULL;
    Module *m = NEW_AS(a, Module, (Module){d, p, a});
    arena_own(a, m, unload);
    return m;
}

static Kernel *find(Module *m, const char *name) {
    for (int i = 0; i < m->kernels.n; i++)
        if (str_eq(m->kernels.at[i].name, name)) return &m->kernels.at[i];
    cl_int rc;
    Kernel k = {.name = arena_strdup(m->arena, name)};
    k.kernel = m->d->cl->clCreateKernel(m->program, name, &rc);
    if (!check(m->d, rc, name)) return NULL;
    vec_push(m->arena, &m->kernels, k);
    return &m->kernels.at[m->kernels.n - 1];
}

static cl_int set_pointer(OpenclDevice *d, cl_kernel k, cl_uint at, DevPtr p) {
    cl_mem m = mem_of(p);
    return d->cl->clSetKernelArg(k, at, sizeof m, m ? &m : NULL);
}

static bool set_args(OpenclDevice *d, cl_kernel k, const KernelCall *c) {
    cl_uint at = 0;
    cl_int rc = CL_SUCCESS;
    for (int i = 0; c->order && i < c->nptrs + c->nvals && rc == CL_SUCCESS; i++) {
        int v = -1 - c->order[i];
        rc = v < 0 ? set_pointer(d, k, at++, c->ptrs[c->order[i]])
                   : d->cl->clSetKernelArg(k, at++, (size_t)c->sizes[v], c->vals[v]);
    }
    if (c->order) return check(d, rc, "an argument of a kernel");
    for (int i = 0; i < c->nptrs && rc == CL_SUCCESS; i++) {
        cl_long offset = c->offsets[i];
        rc = set_pointer(d, k, at++, c->ptrs[i]);
        if (rc == CL_SUCCESS) rc = d->cl->clSetKernelArg(k, at++, sizeof offset, &offset);
    }
    for (int i = 0; i < c->nvals && rc == CL_SUCCESS; i++)
        rc = d->cl->clSetKernelArg(k, at++, (size_t)c->sizes[i], c->vals[i]);
    return check(d, rc, "an argument of a kernel");
}

// Drivers of processors (by_source) compile a kernel in threads of theirs when it is launched, for each size
// of groups, and PoCL once more where the grid is large.
static bool is_compiled(Module *m, Kernel *k, const size_t global[3], const size_t local[3]) {
    uint64_t shape = hash_bytes(local, 3 * sizeof *local, 0);
    for (int i = 0; i < 3; i++) {
        int bits = 64 - __builtin_clzll((uint64_t)global[i]);
        shape = hash_bytes(&bits, sizeof bits, shape);
    }
    for (int i = 0; i < k->shapes.n; i++)
        if (k->shapes.at[i] == shape) return true;
    vec_push(m->arena, &k->shapes, shape);
    return false;
}

// PoCL links what it compiled by a program, and ends the process where it can't wait for that.
static cl_int enqueue(OpenclDevice *d, Kernel *k, const size_t global[3], const size_t local[3], bool first) {
    Children c;
    if (first) children_hold(&c);
    cl_int rc = d->cl->clEnqueueNDRangeKernel(d->queue, k->kernel, 3, NULL, global, local, 0, NULL, NULL);
    if (first) {
        if (rc == CL_SUCCESS) rc = d->cl->clFinish(d->queue);
        children_give_back(&c);
    }
    return rc;
}

// Shared memory is all declared in the text.
static bool launch(Device *base, const KernelCall *c) {
    OpenclDevice *d = (OpenclDevice *)base;
    size_t global[3], local[3];
    if (device_forked(base, d->opener)) return false;
    for (int i = 0; i < 3; i++) {
        if (c->grid[i] < 1 || c->grid[i] > d->info.max_grid[i] || c->block[i] < 1)
            return device_fail(base, "a grid of %lld blocks of %d threads in dimension %d",
                               (long long)c->grid[i], c->block[i], i);
        local[i] = (size_t)c->block[i];
        global[i] = (size_t)c->grid[i] * local[i];
    }
    Kernel *k = find(c->module, c->name);
    if (!k || !set_args(d, k->kernel, c)) return false;
    bool first = d->by_source && !is_compiled(c->module, k, global, local);
    if (first && lacks_linker(base)) return false;
    if (!check(d, enqueue(d, k, global, local, first), c->name)) return false;
    d->cl->clFlush(d->queue);
    return true;
}

static bool sync_(Device *base) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (device_forked(base, d->opener)) return false;
    bool ok = true;
    for (int i = 0; i < QUEUES; i++)
        if (d->queues[i]) ok = check(d, d->cl->clFinish(d->queues[i]), "waiting for the device") && ok;
    return ok;
}

static bool use(Device *base, Queue q) {
    OpenclDevice *d = (OpenclDevice *)base;
    cl_int rc = CL_SUCCESS;
    if (device_forked(base, d->opener)) return false;
    if (!d->queues[q])
        d->queues[q] = d->cl->clCreateCommandQueue(d->ctx, d->dev, CL_QUEUE_PROFILING_ENABLE, &rc);
    if (!check(d, rc, "clCreateCommandQueue")) return d->queues[q] = NULL, false;
    d->cl->clFlush(d->queue);
    d->queue = d->queues[q];
    return true;
}

static bool after(Device *base, Queue q, Queue other) {
    OpenclDevice *d = (OpenclDevice *)base;
    cl_event done;
    if (device_forked(base, d->opener)) return false;
    if (q == other || !d->queues[q] || !d->queues[other]) return true;
    if (!check(d, d->cl->clEnqueueMarkerWithWaitList(d->queues[other], 0, NULL, &done), "an event"))
        return false;
    d->cl->clFlush(d->queues[other]);
    bool ok =
        check(d, d->cl->clEnqueueBarrierWithWaitList(d->queues[q], 1, &done, NULL), "waiting for an event");
    d->cl->clReleaseEvent(done);
    return ok;
}

// ---- time ----------------------------------------------------------------------------------

static void mark(Device *base, int which) {
    OpenclDevice *d = (OpenclDevice *)base;
    if (device_forked(base, d->opener)) return;
    if (d->host_clock) {
        d->cl->clFinish(d->queue);
        d->clock[which] = time_now();
        return;
    }
    if (d->marks[which]) d->cl->clReleaseEvent(d->marks[which]);
    d->marks[which] = NULL;
    d->cl->clEnqueueMarkerWithWaitList(d->queue, 0, NULL, &d->marks[which]);
}

// The end of a mark in nanoseconds; false: the device doesn't say.
static bool mark_time(OpenclDevice *d, int which, cl_ulong *ns) {
    return d->marks[which] && d->cl->clWaitForEvents(1, &d->marks[which]) == CL_SUCCESS &&
           d->cl->clGetEventProfilingInfo(d->marks[which], CL_PROFILING_COMMAND_END, sizeof *ns,
                                          ns, NULL) == CL_SUCCESS;
}

static double elapsed(Device *base) {
    OpenclDevice *d = (OpenclDevice *)base;
    cl_ulong t0 = 0, t1 = 0;
    if (device_forked(base, d->opener)) return -1;
    if (d->host_clock) return d->clock[1] - d->clock[0];
    if (mark_time(d, 0, &t0) && mark_time(d, 1, &t1) && t1 >= t0) return 1e-9 * (double)(t1 - t0);
    d->host_clock = true; // from the next marks on
    return -1;
}

const DeviceOps device_opencl = {
    .kind = "opencl", .count = count, .spec = spec, .open = open_, .info = info, .alloc = alloc,
    .free = free_, .upload = upload, .download = download, .upload_rows = upload_rows,
    .download_rows = download_rows, .compile = compile, .load = load, .launch = launch,
    .sync = sync_, .mark = mark, .elapsed = elapsed, .use = use, .after = after,
    .replay = noted_replay, .forget = noted_forget, .chain = noted_chain, .chain_set = noted_chain_set};
