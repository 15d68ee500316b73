// SPDX-License-Identifier: MIT
// stream_test.c -- streamed nests through sculpt.h: data that come and go launch by launch.
//
// Each case runs in a child of its own, on each device that is present (SCULPT_TEST_DEVICES).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sculpt/sculpt.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Slices of 64 elements; `feet` are those of one launch.
#define SLICED(target, whole, feet, stmt)                                                          \
    "nest \"" target "\" {\nwhen n > 0\n" whole                                                    \
    "do { for s: i32 = 0 .. (n + 63) / 64 { kernel k0 streamed " feet                              \
    " { for b: i32 = 64 * s .. min(64 * s + 64, n) " stmt " } } }\n}\n"
#define LAST "i64(min(64 * s + 63, n - 1))"

// y[i] = x[i] + x[i + 2]: slices share two elements of x.
#define HALO_FEET "foot y[64 * i64(s) to " LAST "] out exact foot x[64 * i64(s) to " LAST " + 2] in"
#define HALO(name, place)                                                                           \
    static const char name##_text[] =                                                               \
        "sculpt 1\nregion " #name "_1 @\"halo.c\":3:3 scop {\nparam n: i32 = \"n\"\n"               \
        "array y[n]: f32 = \"y\" live\narray x[n + 2]: f32 = \"x\"\n"                               \
        "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @5:5: y[i] = x[i] + x[i + 2]\n}\n"        \
        SLICED("gpu", "foot y[0 to n - 1] out exact" place "\nfoot x[0 to n + 1] in" place "\n",    \
               HALO_FEET, "block S0[b]")                                                            \
        SLICED("cpu", "foot y[0 to n - 1] out exact\nfoot x[0 to n + 1] in\n", HALO_FEET, "S0[b]"); \
    static sculpt_region name##_region = {SCULPT_ABI, 0, name##_text, "halo.c", 3, NULL};
HALO(halo, "") HALO(locked, " pinned") HALO(unified, " managed")

static int halo_in(sculpt_region *r, float *y, float *x, int n) {
    sculpt_arg g[3] = {{.p = y}, {.p = x}, {.i = n}};
    int done = sculpt_enter(r, g, 3);
    for (int i = 0; !done && i < n; i++) y[i] = x[i] + x[i + 2];
    sculpt_leave(r, g, 3);
    return done;
}
static int halo(float *y, float *x, int n) { return halo_in(&halo_region, y, x, n); }

// x[i + D] = x[i] + 1, one after the other. D = 1: a slice reads what the one before wrote, and
// reaches one element further. D = -1 : it reads what nobody wrote so far.
#define SHIFT(name, read, write, from, to)                                                         \
    static const char name##_text[] =                                                              \
        "sculpt 1\nregion " #name "_1 @\"shift.c\":3:3 scop {\nparam n: i32 = \"n\"\n"             \
        "array x[n + 1]: f32 = \"x\" live\ndo { for i: i32 = 0 .. n { S0[i] } }\n"                 \
        "stmt S0[i] @5:5: x[" write "] = x[" read "] + 1.0\n}\n"                                   \
        SLICED("gpu", "foot x[0 to n] in out\n", "foot x[64 * i64(s) to " LAST " + 1] in out", "S0[b]") \
        SLICED("cpu", "foot x[0 to n] in out\n", "foot x[64 * i64(s) to " LAST " + 1] in out", "S0[b]"); \
    static sculpt_region name##_region = {SCULPT_ABI, 0, name##_text, "shift.c", 3, NULL};         \
    static int name(float *x, int n) {                                                             \
        sculpt_arg g[2] = {{.p = x}, {.i = n}};                                                    \
        int done = sculpt_enter(&name##_region, g, 2);                                             \
        for (int i = 0; !done && i < n; i++) x[to] = x[from] + 1;                                  \
        sculpt_leave(&name##_region, g, 2);                                                        \
        return done;                                                                               \
    }
SHIFT(forth, "i", "i + 1", i, i + 1)
SHIFT(back, "i + 1", "i", i + 1, i)

// Rows of a matrix, each by itself; the columns that lie between are nobody's business. Two slices
// of columns for each of rows.
#define ROWS_FEET                                                                                        \
    "foot a[8 * i64(s) to i64(min(8 * s + 7, n - 1))][9 * i64(t) to i64(min(9 * t + 8, m - 1))] in out " \
    "exact "                                                                                             \
    "foot w[9 * i64(t) to i64(min(9 * t + 8, m - 1))] in"
#define ROWS(target, how)                                                                              \
    "nest \"" target "\" {\nwhen n > 0 && m > 0 && pitch >= m\n"                                       \
    "foot a[0 to n - 1][0 to m - 1] in out exact\nfoot w[0 to m - 1] in\n"                             \
    "do { for s: i32 = 0 .. (n + 7) / 8 for t: i32 = 0 .. (m + 8) / 9 { kernel k0 streamed " ROWS_FEET \
    " { for b: i32 = 8 * s .. min(8 * s + 8, n) "                                                      \
    how " for c: i32 = 9 * t .. min(9 * t + 9, m) S0[b, c] } } }\n}\n"
static const char rows_text[] =
    "sculpt 1\nregion rows_1 @\"rows.c\":3:3 scop {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
    "param pitch: i32 = \"pitch\"\n"
    "array a[?][pitch]: f32 = \"a\" live\narray w[m]: f32 = \"w\"\n"
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }\n"
    "stmt S0[i, j] @5:5: a[i][j] += w[j]\n}\n"
    ROWS("gpu", "block") ROWS("cpu", "");
static sculpt_region rows_region = {SCULPT_ABI, 0, rows_text, "rows.c", 3, NULL};

static int rows(float *a, float *w, int n, int m, int pitch) {
    sculpt_arg g[5] = {{.p = a}, {.p = w}, {.i = n}, {.i = m}, {.i = pitch}};
    int done = sculpt_enter(&rows_region, g, 5);
    for (int i = 0; !done && i < n; i++)
        for (int j = 0; j < m; j++) a[i * pitch + j] += w[j];
    sculpt_leave(&rows_region, g, 5);
    return done;
}

// Time steps between two arrays, as a graph; the second region's steps differ from each other.
#define STEPS_NEST(target, how, add)                                                               \
    "nest \"" target "\" {\nwhen n >= 2\nfoot x[0 to n - 1] in out\nfoot y[0 to n - 1] in out\n"  \
    "do { for t: i32 = 0 .. steps graph { kernel k0 { for b: i32 = 1 .. n - 1 " how "S0[t, b] } "  \
    "kernel k1 { for c: i32 = 1 .. n - 1 " how "S1[t, c] } } }\n}\n"
#define STEPS(name, add, c_add)                                                            \
    static const char name##_text[] =                                                      \
        "sculpt 1\nregion " #name "_1 @\"steps.c\":3:3 scop {\nparam n: i32 = \"n\"\n"     \
        "param steps: i32 = \"steps\"\n"                                                   \
        "array x[n]: f32 = \"x\" live\narray y[n]: f32 = \"y\" live\n"                     \
        "do { for t: i32 = 0 .. steps { for i: i32 = 1 .. n - 1 S0[t, i] "                 \
        "for k: i32 = 1 .. n - 1 S1[t, k] } }\n"                                           \
        "stmt S0[t, i] @5:5: y[i] = (x[i - 1] + x[i + 1]) * 0.5"                           \
        add "\nstmt S1[t, k] @6:5: x[k] = y[k]\n}\n"                                       \
        STEPS_NEST("gpu", "block ", add) STEPS_NEST("cpu", "", add);                       \
    static sculpt_region name##_region = {SCULPT_ABI, 0, name##_text, "steps.c", 3, NULL}; \
    static void name##_host(float *x, float *y, int n, int steps) {                        \
        for (int t = 0; t < steps; t++) {                                                  \
            for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i + 1]) * 0.5f c_add;     \
            for (int i = 1; i < n - 1; i++) x[i] = y[i];                                   \
        }                                                                                  \
    }                                                                                      \
    static int name(float *x, float *y, int n, int steps) {                                \
        sculpt_arg g[4] = {{.p = x}, {.p = y}, {.i = n}, {.i = steps}};                    \
        int done = sculpt_enter(&name##_region, g, 4);                                     \
        if (!done) name##_host(x, y, n, steps);                                            \
        sculpt_leave(&name##_region, g, 4);                                                \
        return done;                                                                       \
    }
STEPS(alike, "", ) STEPS(apart, " + f32(t)", + (float)t)

// Three launches, of which the first two need not wait for each other; a fourth for some sizes.
#define CHAIN_NEST(target, how)                                                                    \
    "nest \"" target "\" {\nwhen n >= 1\nfoot y[0 to n - 1] in out exact\nfoot x[0 to n] in\n"     \
    "do { temp t[n]: f32 temp u[n]: f32 "                                                          \
    "kernel k0 { for b: i32 = 0 .. n " how "copy t[b] = x[b] * 2.0 } "                              \
    "kernel k1 { for c: i32 = 0 .. n " how "copy u[c] = x[c + 1] * f32(q) } "                       \
    "kernel k2 { for d: i32 = 0 .. n " how "copy y[d] += t[d] + u[d] } "                            \
    "if (n > 50) kernel k3 { for e: i32 = 0 .. 1 " how "copy y[e] += 1.0 } }\n}\n"
static const char chain_text[] =
    "sculpt 1\nregion chain_1 @\"chain.c\":3:3 scop {\nparam n: i32 = \"n\"\nparam q: i32 = \"q\"\n"
    "array y[n]: f32 = \"y\" live\narray x[n + 1]: f32 = \"x\"\n"
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @5:5: y[i] += x[i] * 2.0 + x[i + 1] * f32(q)\n}\n"
    CHAIN_NEST("gpu", "block ") CHAIN_NEST("cpu", "");
static sculpt_region chain_region = {SCULPT_ABI, 0, chain_text, "chain.c", 3, NULL};

static void chain_host(float *y, const float *x, int n, int q) {
    for (int i = 0; i < n; i++) y[i] += x[i] * 2 + x[i + 1] * (float)q;
    if (n > 50) y[0] += 1;
}

static int chain(float *y, float *x, int n, int q) {
    sculpt_arg g[4] = {{.p = y}, {.p = x}, {.i = n}, {.i = q}};
    int done = sculpt_enter(&chain_region, g, 4);
    if (!done) chain_host(y, x, n, q);
    sculpt_leave(&chain_region, g, 4);
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

static char cache_dir[] = "/tmp/sculpt-stream-XXXXXX";

static int run(const char *device, const char *fault, void (*body)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        setenv("SCULPT_DEVICE", device, 1);
        setenv("SCULPT_CACHE_DIR", cache_dir, 1);
        setenv("SCULPT_OFFLOAD", "always", 1);
        if (*fault) setenv("SCULPT_FAULT", fault, 1), freopen("/dev/null", "w", stderr);
        body();
        exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void everywhere(const char *fault, void (*body)(void)) {
    const char *all = getenv("SCULPT_TEST_DEVICES");
    char *list = strdup(all ? all : "cpu opencl"), *save = NULL;
    for (char *d = strtok_r(list, " ", &save); d; d = strtok_r(NULL, " ", &save)) {
        int got = run(d, fault, body);
        if (got) fprintf(stderr, "on %s with '%s'\n", d, fault);
        assert_int_equal(got, 0);
    }
    free(list);
}

enum { MOST = 3000 };
static float x[MOST], y[MOST], hx[MOST], hy[MOST];
static void start(void) {
    for (int i = 0; i < MOST; i++) hx[i] = x[i] = (float)(i * 31 % 17), hy[i] = y[i] = -(float)i;
}
static bool same(void) { return memcmp(x, hx, sizeof x) == 0 && memcmp(y, hy, sizeof y) == 0; }
static const int lengths[] = {1, 63, 64, 65, 128, 640, 2000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
static bool failing(void) { return getenv("SCULPT_FAULT") != NULL; }

static void shared_edges(void) {
    for (int k = 0; k < LENGTHS; k++) {
        int n = lengths[k];
        start();
        CHECK(halo(y + 5, x + 3, n) || failing());
        for (int i = 0; i < n; i++) hy[i + 5] = hx[i + 3] + hx[i + 5];
        CHECK(same());
    }
}

static void in_place(void) {
    for (int k = 0; k < LENGTHS; k++) {
        int n = lengths[k];
        start();
        CHECK(forth(x + 1, n) || failing());
        for (int i = 0; i < n; i++) hx[i + 2] = hx[i + 1] + 1;
        CHECK(same());
        CHECK(back(y + 2, n) || failing());
        for (int i = 0; i < n; i++) hy[i + 2] = hy[i + 3] + 1;
        CHECK(same());
    }
}

static void with_gaps(void) {
    static const int sizes[][3] = {{1, 1, 1}, {8, 9, 9}, {9, 10, 10}, {30, 40, 47}, {17, 18, 40}};
    for (int k = 0; k < 5; k++) {
        int n = sizes[k][0], m = sizes[k][1], pitch = sizes[k][2];
        start();
        CHECK(rows(y + 7, x, n, m, pitch) || failing());
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) hy[7 + i * pitch + j] += hx[j];
        CHECK(same());
    }
}

// In a data scope the data stay, and slices run in order without any copies.
static void in_scope(void) {
    int n = 640;
    start();
    sculpt_data_begin();
    CHECK(forth(x, n) && halo(y, x, n) && forth(x, n));
    sculpt_data_end();
    for (int i = 0; i < n; i++) hx[i + 1] = hx[i] + 1;
    for (int i = 0; i < n; i++) hy[i] = hx[i] + hx[i + 2];
    for (int i = 0; i < n; i++) hx[i + 1] = hx[i] + 1;
    CHECK(same());
}

// Arrays that share pages with each other and with what is none of the call's business; large ones,
// which go through the ring where they are not locked.
static void places(void) {
    static sculpt_region *const all[] = {&halo_region, &locked_region, &unified_region};
    enum { LARGE = 1 << 14, SMALL = 900 }; // 256 slices at most are streamed
    float *big = malloc(sizeof *big * (2 * LARGE + 10));
    for (int k = 0; k < 3; k++) {
        for (int n = SMALL; n < LARGE; n += LARGE / 3) {
            for (int i = 0; i < 2 * LARGE + 10; i++) big[i] = (float)(i % 97);
            CHECK(halo_in(all[k], big + 1, big + n + 3, n));
            for (int i = 0; i < n; i++) CHECK(big[i + 1] == (float)((n + 3 + i) % 97 + (n + 5 + i) % 97));
            CHECK(big[0] == 0 && big[n + 1] == (float)((n + 1) % 97));
        }
        sculpt_data_begin(); // and where the copies stay
        CHECK(halo_in(all[k], big, big + SMALL + 3, SMALL) && halo_in(all[k], big, big + SMALL + 3, SMALL));
        sculpt_data_end();
        for (int i = 0; i < SMALL; i++) CHECK(big[i] == big[SMALL + 3 + i] + big[SMALL + 5 + i]);
    }
    free(big);
}

// More calls than graphs are kept, the same ones again, other sizes and places.
static void graphs(void) {
    static const int steps[] = {0, 1, 2, 3, 64, 65, 66, 129, 200, 200, 131, 200, 66};
    enum { CALLS = sizeof steps / sizeof *steps };
    start();
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < CALLS; k++) {
            int n = 40 + k % 5, at = round == 1 ? 7 : 0;
            CHECK(alike(x + at, y + at, n, steps[k]) || failing());
            alike_host(hx + at, hy + at, n, steps[k]);
            CHECK(apart(x + 100, y + 100, n, steps[k] / 3) || failing());
            apart_host(hx + 100, hy + 100, n, steps[k] / 3);
            CHECK(apart(x + 200, y + 200, 20, 5) || failing()); // replayed from its second time on
            apart_host(hx + 200, hy + 200, 20, 5);
            CHECK(same());
        }
}

// The same launches at other places, with other sizes and values, and other launches between.
static void chains(void) {
    static const int sizes[] = {40, 40, 40, 60, 60, 40, 64, 64, 1, 0, 40, 300, 60};
    enum { CALLS = sizeof sizes / sizeof *sizes };
    start();
    for (int round = 0; round < 4; round++)
        for (int k = 0; k < CALLS; k++) {
            int n = sizes[k], at = 13 * round, from = 400 + k % 3;
            CHECK(chain(x + at, y + from, n, k % 4) || failing() || n < 1);
            chain_host(hx + at, hy + from, n, k % 4);
            CHECK(same());
        }
    sculpt_data_begin();
    for (int k = 0; k < 5; k++) CHECK(chain(x, y, 40, k));
    sculpt_data_end();
    for (int k = 0; k < 5; k++) chain_host(hx, hy, 40, k);
    CHECK(same());
}

static void test_chains(void **s) {
    (void)s;
    everywhere("", chains);
    setenv("SCULPT_CHAINS", "0", 1);
    everywhere("", chains);
    unsetenv("SCULPT_CHAINS");
}
static void test_graphs(void **s) { (void)s; everywhere("", graphs); }
static void test_places(void **s) { (void)s; everywhere("", places); }
static void test_halo(void **s) { (void)s; everywhere("", shared_edges); }
static void test_in_place(void **s) { (void)s; everywhere("", in_place); }
static void test_gaps(void **s) { (void)s; everywhere("", with_gaps); }
static void test_scope(void **s) { (void)s; everywhere("", in_scope); }
static void test_faults(void **s) {
    (void)s;
    static const char *const what[] = {"upload", "upload:9", "launch", "launch:7", "download", "download:5",
                                       "sync", "alloc"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) everywhere(what[i], shared_edges);
    everywhere("upload", in_place);
    everywhere("launch", in_place);
    everywhere("launch", with_gaps);
    everywhere("launch:3", graphs);
    everywhere("launch:150", graphs);
    everywhere("launch:333", graphs);
}

int main(void) {
    if (!mkdtemp(cache_dir)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halo), cmocka_unit_test(test_in_place),
                                       cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_scope), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_graphs), cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_faults)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", cache_dir);
    return system(command) ? 1 : failed;
}
