// SPDX-License-Identifier: MIT
// vendor.c -- cuBLAS and the CPU's BLAS, found and called without their headers.
#include "tune/vendor.h"
#include "base/guest.h"
#include <dlfcn.h>
#include <stdlib.h>

struct Vendor {
    const char *name;
    Device *d;
    void *handle;      // cuBLAS: made on first use
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*set_math_mode)(void *handle, int mode);
    int (*version)(void *handle, int *version);
    // cublasSgemm: column-major; op 0 plain, 1 transposed; scalars in host memory
    int (*sgemm)(void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha, const float *a,
                 int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
    // The BLAS of Fortran, for the CPU
    void (*sgemm_)(const char *op_a, const char *op_b, const int *m, const int *n, const int *k,
                   const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
                   const float *beta, float *c, const int *ldc);
};

// The first of the names that can be opened, alone or below the toolkit's folders.
static void *open_first(Arena *a, const char *const *names) {
    const char *home = env_get("CUDA_HOME");
    const char *roots[] = {"", home ? arena_printf(a, "%s/lib64/", home) : "", "/usr/local/cuda/lib64/",
                           "/usr/local/cuda/targets/x86_64-linux/lib/", "/usr/lib/x86_64-linux-gnu/"};
    for (int i = 0; names[i]; i++)
        for (size_t k = 0; k < sizeof roots / sizeof *roots; k++) {
            void *lib = library_open(arena_printf(a, "%s%s", roots[k], names[i]), RTLD_NOW | RTLD_LOCAL);
            if (lib) return lib;
        }
    return NULL;
}

static bool create(void *stream, void *arg) {
    Vendor *v = arg;
    return v->create(&v->handle) == 0 && v->set_stream(v->handle, stream) == 0 &&
           v->set_math_mode(v->handle, 0) == 0; // FP32 as FP32
}

static bool destroy(void *stream, void *arg) {
    (void)stream;
    Vendor *v = arg;
    return v->destroy(v->handle) == 0;
}

static void close_(void *arg) {
    Vendor *v = arg;
    if (v->handle) v->d->ops->lend(v->d, destroy, v);
}

static Vendor *open_cublas(Arena *a, Device *d, const char **why) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
        "libcublas.so", NULL};
    setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    void *lib = open_first(a, names);
    if (!lib) return *why = "no cuBLAS (libcublas.so.13, .12, .11)", NULL;
    Vendor *v = NEW(a, Vendor);
    v->d = d;
    struct {
        const char *name;
        void **at;
    } points[] = {{"cublasCreate_v2", (void **)&v->create}, {"cublasDestroy_v2", (void **)&v->destroy},
                  {"cublasSetStream_v2", (void **)&v->set_stream},
                  {"cublasSetMathMode", (void **)&v->set_math_mode},
                  {"cublasGetVersion_v2", (void **)&v->version}, {"cublasSgemm_v2", (void **)&v->sgemm}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (!(*points[i].at = dlsym(lib, points[i].name)))
            return *why = arena_printf(a, "cuBLAS has no %s", points[i].name), NULL;
    if (!d->ops->lend(d, create, v)) return *why = "cuBLAS cannot be started", NULL;
    int version = 0;
    v->version(v->handle, &version);
    v->name = arena_printf(a, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return arena_own(a, v, close_);
}

// OpenBLAS takes kernels without wide vectors for processors that are newer than it is. Then it is
// told which of those that it knows has this one's instructions.
static const char *better_core(const char *taken) {
#if defined __x86_64__
    static const char *const narrow[] = {"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem",
        "Sandybridge", "Barcelona", NULL};
    __builtin_cpu_init();
    bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
    if (wide && (str_eq(taken, "Haswell") || str_eq(taken, "Zen"))) return "SkylakeX";
    for (int i = 0; narrow[i]; i++)
        if (str_eq(taken, narrow[i]) && __builtin_cpu_supports("avx2")) return wide ? "SkylakeX" : "Haswell";
#endif
    (void)taken;
    return NULL;
}

static void *open_openblas(Arena *a, const char **name) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    for (int tries = 0;; tries++) {
        void *lib = open_first(a, names);
        char *(*core_of)(void) = NULL;
        *(void **)&core_of = lib ? dlsym(lib, "openblas_get_corename") : NULL;
        const char *core = core_of ? core_of() : "";
        const char *better = better_core(core);
        *name = arena_printf(a, "OpenBLAS%s%s%s", *core ? " (" : "", core, *core ? ")" : "");
        if (!better || tries || env_get("OPENBLAS_CORETYPE")) return lib;
        setenv("OPENBLAS_CORETYPE", better, 1);
        dlclose(lib);
    }
}

static Vendor *open_blas(Arena *a, Device *d, const char **why) {
    static const char *const any[] = {"libblas.so.3", NULL};
    // As many threads as our kernels have. The library reads this once, when it is opened.
    const char *threads = env_get("OMP_NUM_THREADS");
    if (threads) setenv("OPENBLAS_NUM_THREADS", threads, 0);
    Vendor *v = NEW(a, Vendor);
    v->d = d;
    v->name = "libblas";
    void *lib = open_openblas(a, &v->name);
    if (!lib) v->name = "libblas";
    if (!lib) lib = open_first(a, any);
    *(void **)&v->sgemm_ = lib ? dlsym(lib, "sgemm_") : NULL;
    return v->sgemm_ ? v : (*why = "no BLAS (libopenblas.so.0, libblas.so.3)", NULL);
}

Vendor *vendor_open(Arena *a, Device *d, const char **why) {
    *why = "this kind of device has no library here";
    if (str_eq(d->ops->kind, "cuda") && d->ops->lend) return open_cublas(a, d, why);
    if (d->ops->info(d)->host_memory) return open_blas(a, d, why);
    return NULL;
}

const char *vendor_name(const Vendor *v) { return v->name; }

// ---- the product -----------------------------------------------------------------------------
typedef struct Call {
    Vendor *v;
    const Case *c;
    const Product *p;
} Call;

static float *memory(const Call *k, int object) { return (float *)(uintptr_t)k->c->objects[object].ptr; }

static bool on_gpu(void *stream, void *arg) {
    (void)stream;
    const Call *k = arg;
    const Product *p = k->p;
    return k->v->sgemm(k->v->handle, p->ta, p->tb, (int)p->m, (int)p->n, (int)p->k, &p->alpha,
                       memory(k, p->a), (int)p->lda, memory(k, p->b), (int)p->ldb, &p->beta,
                       memory(k, p->c), (int)p->ldc) == 0;
}

bool vendor_product(Vendor *v, const Case *c, const Product *p) {
    Call k = {v, c, p};
    if (v->sgemm) return v->d->ops->lend(v->d, on_gpu, &k);
    int m = (int)p->m, n = (int)p->n, kk = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    v->sgemm_(p->ta ? "T" : "N", p->tb ? "T" : "N", &m, &n, &kk, &p->alpha, memory(&k, p->a), &lda,
              memory(&k, p->b), &ldb, &p->beta, memory(&k, p->c), &ldc);
    return true;
}
