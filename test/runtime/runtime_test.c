// SPDX-License-Identifier: MIT
// runtime_test.c -- regions through sculpt.h alone: results, data scopes, guards, failures.
//
// Settings are read once a process, so each case runs in a child of its own, on each device
// that is present (SCULPT_TEST_DEVICES, default "cpu opencl").
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "run/state.h"
#include "sculpt/sculpt.h"
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- regions --------------------------------------------------------------------------------
// a[i + pa*j] += b[i + pb*k] * c[k + pc*j], read as two-dimensional.
#define GEMM_BODY                                                                                  \
    "param m: i32 = \"m\"\nparam n: i32 = \"n\"\nparam p: i32 = \"p\"\n"                           \
    "param pa: i32 = \"pa\"\nparam pb: i32 = \"pb\"\nparam pc: i32 = \"pc\"\n"                     \
    "array a[?][pa]: f32 = \"a\" live\narray b[?][pb]: f32 = \"b\"\narray c[?][pc]: f32 = \"c\"\n" \
    "do { for j: i32 = 0 .. n { for k: i32 = 0 .. p { for i: i32 = 0 .. m { S0[j, k, i] } } } }\n" \
    "stmt S0[j, k, i] @9:5: a[j][i] += b[k][i] * c[j][k] fused\n}\n"
#define GEMM_FEET                                                                                  \
    "foot a[0 to n - 1][0 to m - 1] in out exact\nfoot b[0 to p - 1][0 to m - 1] in\n"             \
    "foot c[0 to n - 1][0 to p - 1] in\n"                                                          \
    "flops 2.0 * f64(m) * f64(n) * f64(p)\nbytes 8.0 * f64(m) * f64(n)\n"
static const char gemm_text[] =
    "sculpt 1\nregion gemm_1 @\"gemm.c\":7:3 scop {\n" GEMM_BODY
    "nest \"gpu\" {\nwhen pa >= m && pb >= m && pc >= p\n" GEMM_FEET
    "do { kernel k0 { for jb: i32 = 0 .. n block { for ib: i32 = 0 .. (m + 31) / 32 block {\n"
    "for it: i32 = 0 .. 32 thread { if (ib * 32 + it < m) {\n"
    "for k: i32 = 0 .. p { S0[jb, k, ib * 32 + it] } } } } } } }\n}\n"
    "nest \"cpu\" {\nwhen pa >= m && pb >= m && pc >= p\n" GEMM_FEET
    "do { kernel k0 { for jb: i32 = 0 .. n block { for k: i32 = 0 .. p { for i: i32 = 0 .. m {\n"
    "S0[jb, k, i] } } } } }\n}\n";
static sculpt_region gemm_region = {SCULPT_ABI, 0, gemm_text, "gemm.c", 7, NULL};

static int gemm(float *a, float *b, float *c, int m, int n, int p, int pa, int pb, int pc) {
    sculpt_arg g[9] = {{.p = a}, {.p = b}, {.p = c}, {.i = m}, {.i = n}, {.i = p}, {.i = pa}, {.i = pb},
                       {.i = pc}};
    int done = sculpt_enter(&gemm_region, g, 9);
    if (!done)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                for (int i = 0; i < m; i++) a[i + pa * j] = fmaf(b[i + pb * k], c[k + pc * j], a[i + pa * j]);
    sculpt_leave(&gemm_region, g, 9);
    return done;
}

// Time steps between two arrays; only the inside is written.
#define JACOBI_KERNEL(name, thread, s)                                                             \
    "kernel " name " { for " name "b: i32 = 0 .. (n + 61) / 64 block { for " name "t: i32 = 0 .. 64 " thread \
    " { if (" name "b * 64 + " name "t < n - 2) { " s "[t, " name "b * 64 + " name "t + 1] } } } }\n"
#define JACOBI_NEST(target, thread)                                                                        \
    "nest \"" target "\" {\nwhen n >= 2\nfoot u[0 to n - 1] in out\nfoot v[0 to n - 1] in out\n"           \
    "flops 6.0 * f64(steps) * f64(n)\nbytes 16.0 * f64(steps) * f64(n)\n"                                  \
    "do { for t: i32 = 0 .. steps {\n" JACOBI_KERNEL("k0", thread, "S0") JACOBI_KERNEL("k1", thread, "S1") \
    "} }\n}\n"
static const char jacobi_text[] =
    "sculpt 1\nregion jacobi_1 @\"jacobi.c\":3:3 scop {\n"
    "param n: i32 = \"n\"\nparam steps: i32 = \"steps\"\n"
    "array v[n]: f64 = \"v\" live\narray u[n]: f64 = \"u\" live\n"
    "do { for t: i32 = 0 .. steps { { for i: i32 = 1 .. n - 1 { S0[t, i] } "
    "for i2: i32 = 1 .. n - 1 { S1[t, i2] } } } }\n"
    "stmt S0[t, i] @5:5: v[i] = 0.25 * (u[i - 1] + u[i + 1]) + 0.5 * u[i]\n"
    "stmt S1[t, i] @6:5: u[i] = 0.25 * (v[i - 1] + v[i + 1]) + 0.5 * v[i]\n}\n"
    JACOBI_NEST("gpu", "thread") JACOBI_NEST("cpu", "serial");
static sculpt_region jacobi_region = {SCULPT_ABI, 0, jacobi_text, "jacobi.c", 3, NULL};

static void jacobi_host(double *u, double *v, int n, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = 0.25 * (u[i - 1] + u[i + 1]) + 0.5 * u[i];
        for (int i = 1; i < n - 1; i++) u[i] = 0.25 * (v[i - 1] + v[i + 1]) + 0.5 * v[i];
    }
}

static int jacobi(double *u, double *v, int n, int steps) {
    sculpt_arg g[4] = {{.p = v}, {.p = u}, {.i = n}, {.i = steps}};
    int done = sculpt_enter(&jacobi_region, g, 4);
    if (!done) jacobi_host(u, v, n, steps);
    sculpt_leave(&jacobi_region, g, 4);
    return done;
}

// A chain of two nests. The first, for aligned arrays alone, deliberately computes something
// else, so that results tell which one ran.
#define CHAIN_NESTS(target)                                                                        \
    "nest \"" target "\" {\nfact x_at misalign x\nfact y_at misalign y\n"                          \
    "when n > 0 && fmod(n, 4) == 0 && x_at == 0i64 && y_at == 0i64\n"                              \
    "foot y[0 to n - 1] out exact\nfoot x[0 to n - 1] in\n"                                        \
    "do { kernel k0 { for ib: i32 = 0 .. n / 4 block { for v: i32 = 0 .. 4 vector {\n"             \
    "copy y[4 * ib + v] = x[4 * ib + v] + 1.0 } } } }\n}\n"                                        \
    "nest \"" target "\" {\nwhen n > 0\nfoot y[0 to n - 1] out exact\nfoot x[0 to n - 1] in\n"      \
    "do { kernel k0 { for ib: i32 = 0 .. n block { S0[ib] } } }\n}\n"
static const char chain_text[] =
    "sculpt 1\nregion chain_1 @\"chain.c\":3:3 scop {\nparam n: i32 = \"n\"\n"
    "array y[n]: f32 = \"y\" live\narray x[n]: f32 = \"x\"\n"
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @5:5: y[i] = 2.0 * x[i]\n}\n"
    CHAIN_NESTS("gpu") CHAIN_NESTS("cpu");
static sculpt_region chain_region = {SCULPT_ABI, 0, chain_text, "chain.c", 3, NULL};

// y[i] += 1 where mask[i] says so: how far y reaches is up to the data.
#define MASKED_NEST(target, loops)                                                                 \
    "nest \"" target "\" {\nwhen 1\nfoot y[0 to n - 1] in out loose\nfoot mask[0 to n - 1] in\n"      \
    "flops f64(n)\nbytes 20.0 * f64(n)\ndo { kernel k0 { " loops " } }\n}\n"
static const char masked_text[] =
    "sculpt 1\nregion masked_1 @\"masked.c\":3:3 scop {\nparam n: i32 = \"n\"\n"
    "array y[?]: f64 = \"y\" live\narray mask[?]: i32 = \"mask\"\n"
    "do { for i: i32 = 0 .. n { if (mask[i] > 0) S0[i] } }\nstmt S0[i] @4:5: y[i] += 1.0\n}\n"
    MASKED_NEST("gpu", "for b: i32 = 0 .. (n + 31) / 32 block { for t: i32 = 0 .. 32 thread { "
                       "if (b * 32 + t < n) if (mask[b * 32 + t] > 0) S0[b * 32 + t] } }")
    MASKED_NEST("cpu", "for b: i32 = 0 .. n block { if (mask[b] > 0) S0[b] }");
static sculpt_region masked_region = {SCULPT_ABI, 0, masked_text, "masked.c", 3, NULL};

static int masked(double *y, int *mask, int n) {
    sculpt_arg g[3] = {{.p = y}, {.p = mask}, {.i = n}};
    int done = sculpt_enter(&masked_region, g, 3);
    for (int i = 0; !done && i < n; i++)
        if (mask[i] > 0) y[i] += 1;
    sculpt_leave(&masked_region, g, 3);
    return done;
}

// Rows that get shorter: a[i * n + j] for j < n - i; what follows a[n * (n - 1)] is no part of a.
#define CORNER_NEST(target, loops)                                                                 \
    "nest \"" target "\" {\nwhen 1\nfoot a[0 to n - 1][0 to n - 1] within [0][0] to [n - 1][0] in out\n" \
    "flops f64(n)\nbytes 16.0 * f64(n)\ndo { kernel k0 { " loops " } }\n}\n"
static const char corner_text[] =
    "sculpt 1\nregion corner_1 @\"corner.c\":3:3 scop {\nparam n: i32 = \"n\"\n"
    "array a[?][n]: f64 = \"a\" live\n"
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. n - i { S0[i, j] } } }\n"
    "stmt S0[i, j] @4:5: a[i][j] *= 0.5\n}\n"
    CORNER_NEST("gpu", "for b: i32 = 0 .. n block { for t: i32 = 0 .. 32 thread { "
                "if (t < n - b) S0[b, t] } }")
    CORNER_NEST("cpu", "for b: i32 = 0 .. n block { for j: i32 = 0 .. n - b { S0[b, j] } }");
static sculpt_region corner_region = {SCULPT_ABI, 0, corner_text, "corner.c", 3, NULL};

static int corner(double *a, int n) {
    sculpt_arg g[2] = {{.p = a}, {.i = n}};
    int done = sculpt_enter(&corner_region, g, 2);
    for (int i = 0; !done && i < n; i++)
        for (int j = 0; j < n - i; j++) a[i * n + j] *= 0.5;
    sculpt_leave(&corner_region, g, 2);
    return done;
}

// ---- a case in its own process ------------------------------------------------------------------
#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static char cache_dir[] = "/tmp/sculpt-runtime-XXXXXX";

static int run(const char *device, const char *settings, void (*body)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        setenv("SCULPT_DEVICE", device, 1);
        setenv("SCULPT_CACHE_DIR", cache_dir, 1);
        setenv("SCULPT_OFFLOAD", "always", 1);
        char *s = strdup(settings), *save = NULL;
        for (char *w = strtok_r(s, " ", &save); w; w = strtok_r(NULL, " ", &save)) putenv(strdup(w));
        free(s);
        body();
        exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void everywhere(const char *settings, void (*body)(void), int expected) {
    const char *all = getenv("SCULPT_TEST_DEVICES");
    char *list = strdup(all ? all : "cpu opencl"), *save = NULL;
    for (char *d = strtok_r(list, " ", &save); d; d = strtok_r(NULL, " ", &save)) {
        int got = run(d, settings, body);
        if (got != expected) fprintf(stderr, "on %s with '%s'\n", d, settings);
        assert_int_equal(got, expected);
    }
    free(list);
}

static float *fill(int n, int seed) {
    float *x = malloc(sizeof *x * (size_t)n);
    for (int i = 0; i < n; i++) x[i] = (float)((i * 31 + seed) % 17) * 0.125f - 1;
    return x;
}

static void gemm_compare(int m, int n, int p, int pa, int pb, int pc, int expect) {
    int na = pa * n + m;
    float *a = fill(na, 1), *b = fill(pb * p + m, 2), *c = fill(pc * n + p, 3), *h = fill(na, 1);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < p; k++)
            for (int i = 0; i < m; i++) h[i + pa * j] = fmaf(b[i + pb * k], c[k + pc * j], h[i + pa * j]);
    int done = gemm(a, b, c, m, n, p, pa, pb, pc);
    if (done != expect) fprintf(stderr, "%s\n", sculpt_message());
    CHECK(done == expect);
    CHECK(memcmp(a, h, sizeof *a * (size_t)na) == 0);
    free(a), free(b), free(c), free(h);
}

static void sizes(void) {
    gemm_compare(33, 17, 9, 40, 33, 9, 1);
    gemm_compare(1, 1, 1, 1, 1, 1, 1);
    gemm_compare(0, 5, 5, 8, 8, 8, 1);
    gemm_compare(100, 31, 64, 100, 101, 70, 1);
    gemm_compare(33, 17, 9, 40, 33, 9, 1);
    CHECK(strcmp(sculpt_device_name(), "host") != 0);
}
static void any_sizes(void) { // whatever runs, the answer is the same
    for (int n = 30; n < 34; n++) {
        float *a = fill(n * n, 1), *b = fill(n * n, 2), *c = fill(n * n, 3), *h = fill(n * n, 1);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int i = 0; i < n; i++) h[i + n * j] = fmaf(b[i + n * k], c[k + n * j], h[i + n * j]);
        gemm(a, b, c, n, n, n, n, n, n);
        CHECK(memcmp(a, h, sizeof *a * (size_t)(n * n)) == 0);
        free(a), free(b), free(c), free(h);
    }
}
// Host and device addresses agree modulo 16, so each call takes the variant that fits it.
static void chained(void) {
    float *x = aligned_alloc(64, 512), *y = aligned_alloc(64, 512);
    for (int shift = 0; shift < 25; shift++)
        for (int n = 15; n < 18; n++) {
            float *from = x + shift % 5, *to = y + shift / 5;
            for (int i = 0; i < 128; i++) x[i] = (float)i / 8, y[i] = -1;
            sculpt_arg g[3] = {{.p = to}, {.p = from}, {.i = n}};
            CHECK(sculpt_enter(&chain_region, g, 3) == 1);
            sculpt_leave(&chain_region, g, 3);
            bool first = n % 4 == 0 && shift % 5 % 4 == 0 && shift / 5 % 4 == 0;
            for (int i = 0; i < n; i++) CHECK(to[i] == (first ? from[i] + 1 : 2 * from[i]));
            CHECK(to[n] == -1);
        }
    free(x), free(y);
}
static void guarded(void) { gemm_compare(8, 4, 4, 7, 8, 8, 0); } // rows of a overlap: not proved

// As in a handler of a signal that comes while its thread is in the library.
static void interrupted(void) {
    gemm_compare(8, 8, 8, 8, 8, 8, 1);
    Run *r = run_lock();
    gemm_compare(8, 8, 8, 8, 8, 8, 0);
    run_unlock(r);
    gemm_compare(8, 8, 8, 8, 8, 8, 1);
}

static void aliased(void) {
    int n = 16, ld = 64;
    float *x = fill(ld * n, 5), *h = fill(ld * n, 5);
    // Three blocks of columns of one matrix: disjoint, though their intervals overlap.
    CHECK(gemm(x, x + 16, x + 32, n, n, n, ld, ld, ld) == 1);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) h[i + ld * j] = fmaf(h[16 + i + ld * k], h[32 + k + ld * j],
                h[i + ld * j]);
    CHECK(memcmp(x, h, sizeof *x * (size_t)(ld * n)) == 0);
    // The output meets an input: the original loops run.
    CHECK(gemm(x, x + 15, x + 32, n, n, n, ld, ld, ld) == 0);
    CHECK(strstr(sculpt_message(), "SC0304"));
    // Both inputs the same: no harm.
    CHECK(gemm(x, x + 16, x + 16, n, n, n, ld, ld, ld) == 1);
    free(x), free(h);
}

enum { N = 1000 };
static double u[N], v[N], hu[N], hv[N];
static void start(void) {
    for (int i = 0; i < N; i++) hu[i] = u[i] = i % 7 * 0.5, hv[i] = v[i] = i % 5;
}
static int same(void) { return memcmp(u, hu, sizeof u) == 0 && memcmp(v, hv, sizeof v) == 0; }

static void steps(void) {
    start();
    CHECK(jacobi(u, v, N, 20) == 1);
    jacobi_host(hu, hv, N, 20);
    CHECK(same());
    CHECK(jacobi(u, v, 1, 20) == 0); // outside `when`
    CHECK(jacobi(u, v, N, 0) == 1);
    CHECK(same());
}
static void scope(void) {
    start();
    sculpt_data_begin();
    for (int i = 0; i < 5; i++) {
        jacobi(u, v, N, 3);
        jacobi_host(hu, hv, N, 3);
        sculpt_data_begin(); // inner scopes change nothing
        jacobi(v, u, N - 100, 2); // another part, roles swapped
        jacobi_host(hv, hu, N - 100, 2);
        sculpt_data_end();
        if (i == 2) {
            sculpt_flush();
            CHECK(same());
            jacobi(u, v, 1, 1); // falls back inside the scope: nothing may be lost
        }
    }
    sculpt_data_end();
    CHECK(same());
}
static void acc(void) {
    start();
    sculpt_data_enter(u, sizeof u, SCULPT_COPYIN);
    sculpt_data_enter(v, sizeof v, SCULPT_COPYIN);
    jacobi(u, v, N, 3);
    jacobi_host(hu, hv, N, 3);
    sculpt_update_host(u + 100, 200 * sizeof *u);
    CHECK(memcmp(u + 100, hu + 100, 200 * sizeof *u) == 0);
    u[7] = hu[7] = 42; // the host changes one element among those that the device has written
    sculpt_update_device(u + 7, sizeof *u);
    sculpt_data_enter(u, sizeof u, SCULPT_COPYIN); // present: counted only
    jacobi(u, v, N, 3);
    jacobi_host(hu, hv, N, 3);
    sculpt_data_exit(u, sizeof u, SCULPT_COPYOUT);
    jacobi(u, v, N, 1);
    jacobi_host(hu, hv, N, 1);
    sculpt_data_exit(u, sizeof u, SCULPT_COPYOUT);
    sculpt_data_exit(v, sizeof v, SCULPT_COPYOUT);
    CHECK(same());
}
static void either_way(void) { // with faults: the same answers, from whichever side
    start();
    for (int i = 0; i < 3; i++) {
        jacobi(u, v, N, 2);
        jacobi_host(hu, hv, N, 2);
        CHECK(same());
    }
}
// What stands behind an array belongs to somebody else, who changes it while the scope is open.
static void neighbours(void) {
    enum { Y = 37, K = 9, A = K * (K - 1) + 1 };
    static struct { double before[5], y[Y], after[40]; } s;
    static struct { double a[A], after[K]; } c;
    static int mask[Y + 40];
    for (int i = 0; i < Y; i++) s.y[i] = i, mask[i] = i % 3 == 1;
    for (int i = 0; i < A; i++) c.a[i] = i;
    sculpt_data_begin();
    for (int k = 1; k < 4; k++) {
        CHECK(masked(s.y, mask, Y + 40));
        CHECK(corner(c.a, K));
        s.after[0] = s.after[20] = s.before[4] = c.after[0] = c.after[K - 2] = 100 * k;
        if (k == 2) sculpt_flush();
        CHECK(s.after[0] == 100 * k && c.after[0] == 100 * k);
    }
    sculpt_data_end();
    CHECK(s.after[0] == 300 && s.after[20] == 300 && s.before[4] == 300 && c.after[0] == 300 &&
          c.after[K - 2] == 300);
    for (int i = 0; i < Y; i++) CHECK(s.y[i] == i + 3 * (i % 3 == 1));
    for (int i = 0; i < A; i++) CHECK(c.a[i] == (i % K < K - i / K ? i * 0.125 : i));
}
// y is first loose, then written as a whole, then loose again; the host looks at parts of it.
static void mixed(void) {
    static int mask[N];
    start();
    for (int i = 0; i < N; i++) mask[i] = i % 7 < 3;
    sculpt_data_enter(u, sizeof u, SCULPT_COPYIN);
    for (int k = 0; k < 3; k++) {
        masked(u, mask, N);
        for (int i = 0; i < N; i++) hu[i] += mask[i];
        masked(u + 10, mask, N / 2); // another box of the same
        for (int i = 0; i < N / 2; i++) hu[i + 10] += mask[i];
        jacobi(u, v, N, 1);
        jacobi_host(hu, hv, N, 1);
        masked(u, mask, N - 1);
        for (int i = 0; i < N - 1; i++) hu[i] += mask[i];
        sculpt_update_host(u, 100 * sizeof *u);
        CHECK(memcmp(u, hu, 100 * sizeof *u) == 0);
        u[3] = hu[3] = -k;
        sculpt_update_device(u + 3, sizeof *u);
    }
    sculpt_data_exit(u, sizeof u, SCULPT_COPYOUT);
    CHECK(same());
    masked(u, mask, N);
    for (int i = 0; i < N; i++) hu[i] += mask[i];
    CHECK(same());
    sculpt_data_begin(); // on what is newer on the device as a whole
    jacobi(u, v, N, 2), masked(u, mask, N);
    jacobi_host(hu, hv, N, 2);
    for (int i = 0; i < N; i++) hu[i] += mask[i];
    sculpt_data_end();
    CHECK(same());
}
static void pinned(void) {
    float *p = sculpt_malloc(1000);
    CHECK(p);
    memset(p, 1, 1000);
    sculpt_free(p);
    sculpt_free(NULL);
}
static void *one_thread(void *arg) {
    (void)arg;
    for (int i = 0; i < 5; i++) gemm_compare(20 + i, 10, 10, 30, 40, 50, 1);
    return NULL;
}
static void threads(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, one_thread, NULL);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
}
static void forked(void) {
    start();
    sculpt_data_begin();
    jacobi(u, v, N, 3);
    jacobi_host(hu, hv, N, 3);
    pid_t pid = fork();
    if (pid == 0) { // sees what the device had, and goes on alone
        jacobi(u, v, N, 2);
        jacobi_host(hu, hv, N, 2);
        sculpt_data_end();
        _exit(!same());
    }
    int status;
    waitpid(pid, &status, 0);
    CHECK(status == 0);
    jacobi(u, v, N, 1);
    jacobi_host(hu, hv, N, 1);
    sculpt_data_end();
    CHECK(same());
}
static void damaged(void) {
    sculpt_region bad = {SCULPT_ABI, 0, "sculpt 1\nregion {", "bad.c", 1, NULL};
    sculpt_arg none[1] = {{0}};
    CHECK(sculpt_enter(&bad, none, 0) == 0);
    sculpt_leave(&bad, none, 0);
    CHECK(sculpt_enter(&gemm_region, none, 1) == 0); // too few arguments
}
static void wrong_loops(void) { // loops that are not what the region says
    start();
    sculpt_arg g[4] = {{.p = v}, {.p = u}, {.i = N}, {.i = 2}};
    if (!sculpt_enter(&jacobi_region, g, 4)) u[5] += 1;
    sculpt_leave(&jacobi_region, g, 4);
}

// ---- cases --------------------------------------------------------------------------------------
static void test_sizes(void **s) { (void)s; everywhere("", sizes, 0); }
static void test_warm(void **s) { (void)s; everywhere("SCULPT_TIME=/dev/null", sizes, 0); }
static void test_chain(void **s) { (void)s; everywhere("", chained, 0); }
static void test_guard(void **s) { (void)s; everywhere("", guarded, 0); }
static void test_interrupted(void **s) { (void)s; everywhere("", interrupted, 0); }
static void test_alias(void **s) { (void)s; everywhere("", aliased, 0); }
static void test_steps(void **s) { (void)s; everywhere("", steps, 0); }
static void test_scope(void **s) { (void)s; everywhere("", scope, 0); }
static void test_acc(void **s) { (void)s; everywhere("", acc, 0); }
static void test_neighbours(void **s) { (void)s; everywhere("", neighbours, 0); }
static void test_mixed(void **s) {
    (void)s;
    everywhere("", mixed, 0);
    everywhere("SCULPT_CHECK=1 SCULPT_CHECK_FILE=/dev/null", mixed, 0);
    everywhere("SCULPT_FAULT=upload:4", mixed, 0);
    everywhere("SCULPT_FAULT=launch:5", mixed, 0);
}
static void test_pinned(void **s) { (void)s; everywhere("", pinned, 0); }
static void test_threads(void **s) { (void)s; everywhere("", threads, 0); }
static void test_fork(void **s) { (void)s; everywhere("", forked, 0); }
static void test_damaged(void **s) { (void)s; everywhere("", damaged, 0); }
static void test_auto(void **s) {
    (void)s;
    everywhere("SCULPT_OFFLOAD=auto", any_sizes, 0);
    everywhere("SCULPT_OFFLOAD=never", any_sizes, 0);
    assert_int_equal(run("host", "", any_sizes), 0);
    assert_int_equal(run("cuda:77", "", any_sizes), 0);
}
static void test_faults(void **s) {
    (void)s;
    static const char *const what[] = {"open", "alloc", "alloc:2", "upload", "upload:3", "download",
                                       "compile", "load", "launch", "launch:3", "sync"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "SCULPT_FAULT=%s SCULPT_CACHE_MAX=0", what[i]);
        everywhere(settings, either_way, 0);
    }
}
static void test_require(void **s) {
    (void)s;
    everywhere("SCULPT_REQUIRE=1", any_sizes, 0);
    everywhere("SCULPT_REQUIRE=1", guarded, 3);
    everywhere("SCULPT_REQUIRE=1 SCULPT_OFFLOAD=never", any_sizes, 3);
}
static void test_check(void **s) {
    (void)s;
    everywhere("SCULPT_CHECK=1 SCULPT_CHECK_FILE=/dev/null", any_sizes, 0);
    everywhere("SCULPT_CHECK=1 SCULPT_CHECK_FILE=/dev/null", either_way, 0);
    everywhere("SCULPT_CHECK=1 SCULPT_CHECK_FILE=/dev/null", scope, 0);
    everywhere("SCULPT_CHECK=1 SCULPT_CHECK_FILE=/dev/null", wrong_loops, 4);
}

int main(void) {
    if (!mkdtemp(cache_dir)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_warm),    cmocka_unit_test(test_guard),
        cmocka_unit_test(test_chain),   cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_alias),   cmocka_unit_test(test_steps),   cmocka_unit_test(test_scope),
        cmocka_unit_test(test_acc),     cmocka_unit_test(test_pinned),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_fork),    cmocka_unit_test(test_damaged), cmocka_unit_test(test_auto),
        cmocka_unit_test(test_faults),  cmocka_unit_test(test_require), cmocka_unit_test(test_check),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_mixed),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", cache_dir);
    return system(command) ? 1 : failed;
}
