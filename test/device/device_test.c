// SPDX-License-Identifier: MIT
// device_test.c -- each driver that this machine has adds vectors and moves rows.
#include "device/cuda_nvrtc.h"
#include "device/driver.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static const char text_c[] =
    "void add(void *const *p, const void *const *v) {\n"
    "    float *c = p[0]; const float *a = p[1], *b = p[2]; int n = *(const int *)v[0];\n"
    "    double s = *(const double *)v[1];\n"
    "    #pragma omp parallel for simd\n"
    "    for (int i = 0; i < n; i++) c[i] = a[i] + (float)s * b[i];\n}\n";
static const char text_opencl[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void add(global uchar *c_, long co, global uchar *a_, long ao, global uchar *b_,\n"
    "                long bo, int n, double s) {\n"
    "    global float *c = (global float *)(c_ + co), *a = (global float *)(a_ + ao);\n"
    "    global float *b = (global float *)(b_ + bo);\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < n) c[i] = a[i] + (float)s * b[i];\n}\n";
static const char text_cuda[] =
    "extern \"C\" __global__ void add(float *c, float *a, float *b, int n, double s) {\n"
    "    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;\n"
    "    if (i < n) c[i] = a[i] + (float)s * b[i];\n}\n";

static const char *text_for(const Device *d) {
    const char *dialect = d->ops->info((Device *)d)->dialect;
    return str_eq(dialect, "c") ? text_c : str_eq(dialect, "cuda") ? text_cuda : text_opencl;
}

static Device *open_or_skip(Arena *a, const char *spec) {
    const char *why = NULL;
    Device *d = device_open(a, spec, &why);
    if (!d) {
        print_message("%s: %s\n", spec, why);
        assert_non_null(why);
        arena_free(a);
        skip();
    }
    return d;
}

static Module *build(Device *d, Arena *a, const char *source) {
    void *image = NULL;
    size_t size = 0;
    char *log = NULL;
    if (!d->ops->compile(d, a, source, &image, &size, &log)) fail_msg("%s", d->error);
    Module *m = d->ops->load(d, a, image, size);
    if (!m) fail_msg("%s", d->error);
    return m;
}

// c[i] = a[i] + s * b[i], where element 0 of c and b isn't at the start of their buffers.
static void add_vectors(Device *d, Arena *a) {
    enum { N = 100003, OFF = 16 };
    float *x = NEW_N(a, float, N), *y = NEW_N(a, float, N), *z = NEW_N(a, float, N);
    for (int i = 0; i < N; i++) x[i] = (float)i / 3, y[i] = (float)(N - i) / 7;
    Module *m = build(d, a, text_for(d));
    size_t bytes = N * sizeof(float);
    DevPtr p[3] = {d->ops->alloc(d, bytes + OFF), d->ops->alloc(d, bytes),
                   d->ops->alloc(d, bytes + OFF)};
    assert_true(p[0] && p[1] && p[2]);
    assert_true(d->ops->upload(d, p[1], 0, x, bytes));
    assert_true(d->ops->upload(d, p[2], OFF, y, bytes));
    int n = N, sizes[2] = {sizeof(int), sizeof(double)};
    double s = 1.5;
    const void *vals[2] = {&n, &s};
    d->ops->mark(d, 0);
    bool ok = d->ops->launch(d, &(KernelCall){.module = m, .name = "add", .grid = {(N + 63) / 64, 1, 1},
                                              .block = {64, 1, 1},
                                              .nptrs = 3, .ptrs = p, .offsets = (int64_t[3]){OFF, 0, OFF},
                                              .nvals = 2, .vals = vals, .sizes = sizes});
    if (!ok) fail_msg("%s", d->error);
    d->ops->mark(d, 1);
    assert_true(d->ops->sync(d));
    double t = d->ops->elapsed(d);
    assert_true(t < 10 && t != 0);
    assert_true(d->ops->download(d, z, p[0], OFF, bytes));
    for (int i = 0; i < N; i++) {
        volatile float product = (float)s * y[i];
        assert_true(z[i] == x[i] + product);
    }
    for (int i = 0; i < 3; i++) d->ops->free(d, p[i]);
}

// Gaps between rows keep their bytes on both sides.
static void move_rows(Device *d, Arena *a, size_t width, size_t rows, size_t pitch, size_t at) {
    size_t bytes = at + (rows - 1) * pitch + width;
    unsigned char *from = arena_alloc(a, bytes), *back = arena_alloc(a, bytes);
    unsigned char *all = arena_alloc(a, bytes), *blank = arena_alloc(a, bytes);
    for (size_t i = 0; i < bytes; i++) from[i] = (unsigned char)(1 + i * 31 % 251);
    DevPtr p = d->ops->alloc(d, bytes);
    assert_true(p && d->ops->upload(d, p, 0, blank, bytes));
    if (!d->ops->upload_rows(d, p, at, from + at, width, rows, pitch)) fail_msg("%s", d->error);
    assert_true(d->ops->download(d, all, p, 0, bytes));
    if (!d->ops->download_rows(d, back + at, p, at, width, rows, pitch)) fail_msg("%s", d->error);
    for (size_t i = 0; i < bytes; i++) {
        bool in = i >= at && (i - at) % pitch < width;
        if (all[i] != (in ? from[i] : 0) || back[i] != all[i])
            fail_msg("byte %zu of %zu rows of %zu, pitch %zu", i, rows, width, pitch);
    }
    d->ops->free(d, p);
}

static void refuses_nonsense(Device *d, Arena *a) {
    void *image;
    size_t size;
    char *log = NULL;
    assert_false(d->ops->compile(d, a, "this is no kernel;\n", &image, &size, &log));
    assert_true(log && *log && *d->error);
    Module *m = build(d, a, text_for(d));
    d->error[0] = 0;
    assert_false(d->ops->launch(d, &(KernelCall){.module = m, .name = "absent", .grid = {1, 1, 1},
                                                 .block = {1, 1, 1}}));
    assert_true(*d->error);
}

// ---- launches that begin before the one ahead has ended ----------------------------------------
// y[i] = x[i ^ 4096] + z[i] + 1: each block reads what another one of the launch ahead wrote, and takes its
// time.
static const char text_early[] =
    "extern \"C\" __global__ void step(float *y, const float *x, const float *z, int n) {\n"
    "    asm volatile(\"griddepcontrol.wait;\" :: \"l\"(y), \"l\"(x), \"l\"(z) : \"memory\");\n"
    "    asm volatile(\"griddepcontrol.launch_dependents;\");\n"
    "    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;\n"
    "    __nanosleep(2000 * (blockIdx.x % 7));\n"
    "    if (i < n) y[i] = x[i ^ 4096] + z[i] + 1;\n}\n";
enum { EARLY_N = 1 << 14, EARLY_STEPS = 60, EARLY_BLOCK = 128 };

typedef struct Early {
    Device *d;
    Module *m;
    DevPtr p[4]; // the last one holds zeros
} Early;

static const int early_n = EARLY_N, early_size = sizeof early_n;
static const void *const early_val = &early_n;
static const int64_t no_offset[3];

static KernelCall early_call(const Early *e, const DevPtr *ptrs, bool early) {
    return (KernelCall){.module = e->m, .name = "step", .grid = {EARLY_N / EARLY_BLOCK, 1, 1},
                        .block = {EARLY_BLOCK, 1, 1}, .nptrs = 3,
                        .ptrs = ptrs, .offsets = no_offset, .nvals = 1, .vals = &early_val,
                        .sizes = &early_size, .early = early};
}

// There and back between two buffers.
static void early_steps(const Early *e) {
    for (int k = 0; k < EARLY_STEPS; k++) {
        DevPtr ptrs[3] = {e->p[k % 2 == 0], e->p[k % 2], e->p[3]};
        KernelCall c = early_call(e, ptrs, k > 0);
        if (!e->d->ops->launch(e->d, &c)) fail_msg("%s", e->d->error);
    }
}

static void early_is(const Early *e, int at, float want) {
    static float x[EARLY_N];
    if (!e->d->ops->sync(e->d)) fail_msg("%s", e->d->error);
    assert_true(e->d->ops->download(e->d, x, e->p[at], 0, sizeof x));
    for (int i = 0; i < EARLY_N; i++) assert_true(x[i] == want);
}

// As a graph: buffers 1 and 2 from 0, side by side; 0 from both of them; 1 from 0 again.
static void *early_chain(const Early *e) {
    static const int after[4][2] = {{0}, {0}, {0, 1}, {2}};
    const DevPtr ptrs[4][3] = {{e->p[1], e->p[0], e->p[3]}, {e->p[2], e->p[0], e->p[3]},
                               {e->p[0], e->p[1], e->p[2]}, {e->p[1], e->p[0], e->p[3]}};
    KernelCall call[4];
    for (int i = 0; i < 4; i++) {
        call[i] = early_call(e, ptrs[i], true);
        call[i].nafter = i < 2 ? 0 : i == 2 ? 2 : 1;
        call[i].after = after[i];
    }
    return e->d->ops->chain(e->d, 4, call);
}

static void begins_early(Device *d, Arena *a) {
    static float zeros[EARLY_N];
    Early e = {.d = d, .m = build(d, a, text_early)};
    for (int i = 0; i < 4; i++) {
        e.p[i] = d->ops->alloc(d, sizeof zeros);
        assert_true(e.p[i] && d->ops->upload(d, e.p[i], 0, zeros, sizeof zeros));
    }
    early_steps(&e);
    early_is(&e, 0, EARLY_STEPS);
    assert_true(d->ops->record(d));
    early_steps(&e);
    void *graph = d->ops->recorded(d);
    if (!graph) fail_msg("%s", d->error);
    for (int k = 0; k < 3; k++) assert_true(d->ops->replay(d, graph));
    early_is(&e, 0, 4 * EARLY_STEPS);
    d->ops->forget(d, graph);
    graph = early_chain(&e);
    if (!graph) fail_msg("%s", d->error);
    float want = 4 * EARLY_STEPS;
    for (int k = 0; k < 5; k++) {
        assert_true(d->ops->replay(d, graph));
        want = 2 * (want + 1) + 1;
    }
    early_is(&e, 0, want);
    early_is(&e, 1, want + 1);
    d->ops->forget(d, graph);
    for (int i = 0; i < 4; i++) d->ops->free(d, e.p[i]);
}

// More than one allocation may have is refused in plain words, before anybody tries.
static void refuses_the_largest(Device *d) {
    int64_t most = d->ops->info(d)->largest;
    if (!most) return;
    assert_int_equal(d->ops->alloc(d, (size_t)most + 1), 0);
    assert_non_null(strstr(d->error, " takes in one buffer: "));
    assert_null(strstr(d->error, "CL_"));
}

static void fails_after_fork(Device *d) {
    pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        _exit(d->ops->sync(d) || !strstr(d->error, "fork"));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void all_of(const char *spec) {
    Arena *a = arena_new();
    Device *d = open_or_skip(a, spec);
    const DeviceInfo *i = d->ops->info(d);
    print_message("%s: %s (%s), %d units, %d threads, %d bytes shared\n", i->spec, i->name,
                  i->driver, i->sms, i->max_threads, i->shared);
    assert_true(i->memory > 0 && i->sms > 0 && i->max_threads > 0 && *i->name && *i->driver);
    const char *why;
    Arena *b = arena_new();
    assert_non_null(device_open(b, i->spec, &why)); // the spec of the info opens it again
    arena_free(b);
    add_vectors(d, a);
    add_vectors(d, a);
    move_rows(d, a, 12, 5, 20, 0);
    move_rows(d, a, 12, 5, 20, 47);
    move_rows(d, a, 7, 1, 9, 3);
    move_rows(d, a, 64, 40, 64, 8);
    move_rows(d, a, 4000, 3001, 4096, 100);
    move_rows(d, a, 3 << 20, 3, (3 << 20) + 64, 4);
    move_rows(d, a, 20 << 20, 1, 20 << 20, 1);
    if (i->early_launch) begins_early(d, a);
    refuses_nonsense(d, a);
    refuses_the_largest(d);
    fails_after_fork(d);
    arena_free(a);
}

static void test_cpu(void **state) { (void)state, all_of("cpu"); }
static void test_cuda(void **state) { (void)state, all_of("cuda"); }
static void test_opencl(void **state) { (void)state, all_of("opencl"); }

static void test_every_opencl(void **state) {
    (void)state;
    Arena *a = arena_new();
    int n = device_opencl.count();
    for (int i = 0; i < n; i++) all_of(device_opencl.spec(a, i));
    assert_null(device_opencl.spec(a, n));
    arena_free(a);
}

static void test_specs(void **state) {
    (void)state;
    int a, b;
    assert_true(device_spec_read("opencl:1.2", "opencl", &a, &b) && a == 1 && b == 2);
    assert_true(device_spec_read("cuda", "cuda", &a, &b) && a == -1 && b == -1);
    assert_false(device_spec_read("cuda:", "cuda", &a, &b));
    assert_false(device_spec_read("cuda:1x", "cuda", &a, &b));
    assert_false(device_spec_read("cudax", "cuda", &a, &b));
    static const char *const wrong[] = {"gpu", "cpu:7", "opencl:99", "opencl:0.99", "host",
                                        "cuda:999", "opencl:", "cuda:0.1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Arena *arena = arena_new();
        const char *why = NULL;
        assert_null(device_open(arena, wrong[i], &why));
        assert_true(why && *why);
        arena_free(arena);
    }
}

static void test_default(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why;
    unsetenv("SCULPT_DEVICE");
    Device *d = device_open(a, NULL, &why);
    assert_non_null(d); // a machine that runs the tests has a compiler
    setenv("SCULPT_DEVICE", "cpu", 1);
    Device *cpu = device_open(a, "", &why);
    assert_true(cpu && str_eq(cpu->ops->kind, "cpu"));
    unsetenv("SCULPT_DEVICE");
    arena_free(a);
}

static void test_no_compiler(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why = NULL;
    setenv("SCULPT_HOST_CC", "/nonexistent/cc", 1);
    assert_null(device_open(a, "cpu", &why));
    assert_non_null(strstr(why, "SCULPT_HOST_CC"));
    setenv("SCULPT_HOST_CC", "false", 1); // a compiler that fails without a word
    Device *d = device_open(a, "cpu", &why);
    void *image;
    size_t size;
    char *log = NULL;
    assert_non_null(d);
    assert_false(d->ops->compile(d, a, text_c, &image, &size, &log));
    unsetenv("SCULPT_HOST_CC");
    arena_free(a);
}

static void test_fault(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why;
    setenv("SCULPT_FAULT", "alloc:3,launch", 1);
    Device *d = open_or_skip(a, "cpu");
    DevPtr p = d->ops->alloc(d, 8), q = d->ops->alloc(d, 8);
    assert_true(p && q);
    assert_false(d->ops->alloc(d, 8));
    assert_non_null(strstr(d->error, "alloc number 3"));
    Module *m = build(d, a, text_c);
    assert_false(d->ops->launch(d, &(KernelCall){.module = m, .name = "add", .grid = {1, 1, 1},
                                                 .block = {1, 1, 1}}));
    d->ops->free(d, p);
    d->ops->free(d, q);
    setenv("SCULPT_FAULT", "open", 1);
    assert_null(device_open(a, "cpu", &why));
    unsetenv("SCULPT_FAULT");
    arena_free(a);
}

static void test_nvrtc(void **state) {
    (void)state;
    Arena *a = arena_new();
    Nvrtc *n = nvrtc_find(a, 0);
    if (!n) {
        arena_free(a);
        skip();
    }
    void *image = NULL;
    size_t size = 0;
    char *log = NULL;
    if (!nvrtc_compile(a, n, 90, text_cuda, &image, &size, &log)) fail_msg("%s", log);
    assert_true(size > 4 && !memcmp(image, "\177ELF", 4));
    char *fast = arena_printf(a, "// options: --use_fast_math\n%s", text_cuda);
    if (!nvrtc_compile(a, n, 90, fast, &image, &size, &log)) fail_msg("%s", log);
    if (!nvrtc_compile(a, n, 999, text_cuda, &image, &size, &log)) fail_msg("%s", log);
    assert_non_null(strstr((char *)image, ".target")); // PTX for a GPU of the future
    assert_false(nvrtc_compile(a, n, 90, "nonsense;", &image, &size, &log));
    assert_non_null(strstr(log, "nonsense"));
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_specs),  cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_opencl), cmocka_unit_test(test_every_opencl),
        cmocka_unit_test(test_cuda),   cmocka_unit_test(test_default),
        cmocka_unit_test(test_no_compiler), cmocka_unit_test(test_fault),
        cmocka_unit_test(test_nvrtc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
