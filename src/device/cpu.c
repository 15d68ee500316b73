// SPDX-License-Identifier: MIT
// cpu.c -- the host's own processor: C text, the system's compiler, a shared object.
//
//     source ──cc -shared──▶ bytes of a .so (the image) ──memfd, dlopen──▶ NAME(ptrs, vals)
//
// Kernels read and write the host's memory in place, so a DevPtr is a plain address. A
// launch returns when the kernel has ended.
#include "device/cpu_compiler.h"
#include "base/guest.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void Kernel(void *const *ptrs, const void *const *vals);

// A launch that was noted, with copies of what it was given.
typedef struct Noted {
    Kernel *kernel;
    void **ptrs;
    const void **vals;
} Noted;
typedef struct Notes {
    Arena *arena;
    VEC(Noted) at;
} Notes;

typedef struct CpuDevice {
    Device base;
    DeviceInfo info;
    CpuCompiler *compiler; // NULL: none on this machine; cached kernels still run
    pid_t opener;          // thread pools of OpenMP don't survive a fork
    double marks[2];
    Notes *notes;          // launches go there; NULL: they are done
} CpuDevice;

struct Module {
    void *object; // dlopen's
    int fd;       // stays open: dlopen knows objects by name, and the name holds this number
    Arena *arena;
    const char *name; // of the kernel that was launched last; NULL: none was
    Kernel *kernel;
};

static int count(void) {
    Arena *a = arena_new();
    bool found = cpu_compiler_find(a) != NULL;
    arena_free(a);
    return found;
}

static char *spec(Arena *a, int i) { return i == 0 ? arena_strdup(a, "cpu") : NULL; }

static int cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

static Device *open_(Arena *a, const char *spec, const char **why) {
    int index, rest;
    if (!device_spec_read(spec, "cpu", &index, &rest) || index > 0 || rest >= 0) {
        *why = arena_printf(a, "there is no \"%s\", only \"cpu\"", spec);
        return NULL;
    }
    CpuDevice *d = NEW(a, CpuDevice);
    d->compiler = cpu_compiler_find(a);
    if (!d->compiler) {
        *why = "no C compiler: set SCULPT_HOST_CC, or install cc, gcc or clang";
        return NULL;
    }
    char *model, *identity;
    cpu_model(a, &model, &identity);
    d->base.ops = &device_cpu;
    d->opener = getpid();
    d->info = (DeviceInfo){
        .spec = "cpu", .name = model,
        .driver = arena_printf(a, "%s; %s", identity, cpu_compiler_identity(a, d->compiler)),
        .dialect = "c", .target = "cpu",
        .memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
        .sms = cores(), .max_threads = 1024, // one after another: loops of the C text
        .shared = 0, .warp = 1,
        .host_memory = true, .aside = true, .fp64 = true};
    return &d->base;
}

static const DeviceInfo *info(Device *d) { return &((CpuDevice *)d)->info; }

static DevPtr alloc(Device *d, size_t bytes) {
    void *p = NULL;
    if (posix_memalign(&p, 256, bytes ? bytes : 1)) {
        device_fail(d, "out of memory: %zu bytes", bytes);
        return 0;
    }
    return (DevPtr)(uintptr_t)p;
}

static void free_(Device *d, DevPtr p) {
    (void)d;
    free((void *)(uintptr_t)p);
}

static bool upload(Device *d, DevPtr to, size_t offset, const void *from, size_t bytes) {
    (void)d;
    if (bytes) memmove((char *)(uintptr_t)to + offset, from, bytes);
    return true;
}

static bool download(Device *d, void *to, DevPtr from, size_t offset, size_t bytes) {
    d->fetched = true;
    if (bytes) memmove(to, (char *)(uintptr_t)from + offset, bytes);
    return true;
}

static bool upload_rows(Device *d, DevPtr to, size_t offset, const void *from, size_t width,
                        size_t rows, size_t pitch) {
    for (size_t i = 0; i < rows; i++)
        upload(d, to, offset + i * pitch, (const char *)from + i * pitch, width);
    return true;
}

static bool download_rows(Device *d, void *to, DevPtr from, size_t offset, size_t width,
                          size_t rows, size_t pitch) {
    for (size_t i = 0; i < rows; i++) download(d, (char *)to + i * pitch, from, offset + i * pitch, width);
    return true;
}

static bool compile(Device *base, Arena *a, const char *source, void **image, size_t *size,
                    char **log) {
    CpuDevice *d = (CpuDevice *)base;
    char *words = NULL;
    if (cpu_compile(a, d->compiler, source, base->stop, image, size, &words)) {
        if (log) *log = words;
        return true;
    }
    if (log) *log = words;
    return device_fail(base, "the C compiler %s failed: %.300s", d->compiler->path, words);
}

static void unload(void *p) {
    Module *m = p;
    if (m->object) dlclose(m->object);
    if (m->fd >= 0) close(m->fd);
}

// Puts the image into a file without a name; its descriptor, or -1.
static int file_of_bytes(Arena *a, const void *image, size_t size) {
    int fd = memfd_create("sculpt-kernel", MFD_CLOEXEC);
    if (fd < 0) {
        const char *why, *tmp = temp_base(a, &why);
        fd = open(tmp ? tmp : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
    }
    for (size_t done = 0; fd >= 0 && done < size;) {
        ssize_t n = write(fd, (const char *)image + done, size - done);
        if (n > 0) {
            done += (size_t)n;
        } else {
            close(fd);
            fd = -1;
        }
    }
    return fd;
}

// The worker threads of OpenMP wait inside its library, also when no kernel is loaded. False: it isn't there.
static bool keep_openmp_loaded(void) {
    static const char *const names[] = {"libgomp.so.1", "libomp.so.5", "libomp.so"};
    bool there = false;
    for (int i = 0; i < 3; i++) there |= dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
    return there;
}

// A child of fork has its thread's pool without the threads in it, and waits for them at its first parallel
// loop; that of a thread which launched kernels is a pool that the program did not begin. It is given up
// before a fork, and made anew by the next parallel loop.
static int (*pause_openmp)(int); // omp_pause_resource_all of the library that kernels have

static void give_up_pool(void) {
    enum { OMP_PAUSE_SOFT = 1 };
    pause_openmp(OMP_PAUSE_SOFT);
}

static void watch_forks(void *kernels) {
    if (pause_openmp) return;
    pause_openmp = (int (*)(int))dlsym(kernels, "omp_pause_resource_all");
    if (pause_openmp) pthread_atfork(give_up_pool, NULL, NULL);
}

// OpenMP's library comes with the first kernel, unless the program has it, and reads then how threads wait.
// Where nobody has said so they sleep: the program, and others, have work for the processors. The environment
// is another one meanwhile, rather than a changed one, because other threads may read it.
static void *open_kernel(Arena *a, const char *path) {
    extern char **environ;
    char **old = environ;
    int n = 0;
    if (!old || env_get("OMP_WAIT_POLICY") || keep_openmp_loaded())
        return library_open(path, RTLD_NOW | RTLD_LOCAL);
    while (old[n]) n++;
    char **with = NEW_N(a, char *, n + 2);
    memcpy(with, old, sizeof *with * (size_t)n);
    with[n] = arena_strdup(a, "OMP_WAIT_POLICY=passive");
    environ = with;
    void *object = library_open(path, RTLD_NOW | RTLD_LOCAL);
    if (environ == with) environ = old;
    void (*set_blocktime)(int) = object ? (void (*)(int))dlsym(object, "kmp_set_blocktime") : NULL;
    if (set_blocktime) set_blocktime(0); // libomp reads its settings later
    return object;
}

static Module *load(Device *d, Arena *a, const void *image, size_t size) {
    Module *m = arena_own(a, NEW(a, Module), unload);
    m->arena = a;
    m->fd = file_of_bytes(a, image, size);
    if (m->fd < 0) {
        device_fail(d, "no temporary file for a kernel");
        return NULL;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", m->fd);
    m->object = open_kernel(a, path);
    if (!m->object) {
        const char *why = dlerror();
        device_fail(d, "a kernel could not be loaded: %s", why ? why : "?");
        return NULL;
    }
    if (keep_openmp_loaded()) watch_forks(m->object);
    return m;
}

static void note(Notes *n, Kernel *kernel, int nptrs, void *const *ptrs, int nvals, const void *const *vals,
                 const int *sizes) {
    Noted k = {kernel, NEW_N(n->arena, void *, nptrs + 1), NEW_N(n->arena, const void *, nvals + 1)};
    for (int i = 0; i < nptrs; i++) k.ptrs[i] = ptrs[i];
    for (int i = 0; i < nvals; i++) {
        void *copy = arena_alloc(n->arena, (size_t)sizes[i]);
        memcpy(copy, vals[i], (size_t)sizes[i]);
        k.vals[i] = copy;
    }
    vec_push(n->arena, &n->at, k);
}

// Grid and block are loops in the text.
static bool launch(Device *base, const KernelCall *c) {
    CpuDevice *d = (CpuDevice *)base;
    if (device_forked(base, d->opener)) return false;
    Module *m = c->module;
    bool known = m->name && str_eq(m->name, c->name);
    Kernel *kernel = known ? m->kernel : (Kernel *)dlsym(m->object, c->name);
    if (kernel && !known) m->name = arena_strdup(m->arena, c->name), m->kernel = kernel;
    if (!kernel) return device_fail(base, "the compiled text has no kernel %s", c->name);
    void *at[c->nptrs + 1];
    for (int i = 0; i < c->nptrs; i++)
        at[i] = c->ptrs[i] ? (char *)(uintptr_t)c->ptrs[i] + c->offsets[i] : NULL;
    if (d->notes) note(d->notes, kernel, c->nptrs, at, c->nvals, c->vals, c->sizes);
    else kernel(at, c->vals);
    return true;
}

static bool record(Device *base) {
    CpuDevice *d = (CpuDevice *)base;
    if (device_forked(base, d->opener)) return false;
    Arena *a = arena_new();
    d->notes = NEW(a, Notes);
    d->notes->arena = a;
    return true;
}

static void *recorded(Device *base) {
    CpuDevice *d = (CpuDevice *)base;
    Notes *n = d->notes;
    d->notes = NULL;
    return n;
}

static bool replay(Device *base, void *graph) {
    const Notes *n = graph;
    if (device_forked(base, ((CpuDevice *)base)->opener)) return false;
    for (int i = 0; i < n->at.n; i++) n->at.at[i].kernel(n->at.at[i].ptrs, n->at.at[i].vals);
    return true;
}

static void forget(Device *d, void *graph) {
    (void)d;
    if (graph) arena_free(((Notes *)graph)->arena);
}

static bool sync_(Device *d) { return !device_forked(d, ((CpuDevice *)d)->opener); }

static void mark(Device *d, int which) { ((CpuDevice *)d)->marks[which] = time_now(); }

static double elapsed(Device *d) {
    const double *t = ((CpuDevice *)d)->marks;
    return t[1] - t[0];
}

const DeviceOps device_cpu = {
    .kind = "cpu", .count = count, .spec = spec, .open = open_, .info = info, .alloc = alloc,
    .free = free_, .upload = upload, .download = download, .upload_rows = upload_rows,
    .download_rows = download_rows, .compile = compile, .load = load, .launch = launch,
    .sync = sync_, .mark = mark, .elapsed = elapsed,
    .record = record, .recorded = recorded, .replay = replay, .forget = forget};
