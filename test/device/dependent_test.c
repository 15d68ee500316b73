// SPDX-License-Identifier: MIT
// dependent_test.c -- programmatic dependent launches, as a driver hears of them.
//
// The driver is a table of functions of this file, which write down what they are asked for.
#include "device/cuda.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

// What the driver can do and what it was asked for; of the test that runs.
static struct Driver {
    int ptx;                   // the architecture that kernels were compiled for
    CuResult refuses;          // what launches with attributes, or edges with data, give
    bool refuses_instance;     // graphs with such edges can't be made
    char said[400];            // "early k1 · plain k2 …"
    int edges, early_edges;    // of the graph under construction
    int alive;                 // graphs that nobody destroyed
    int carved;                // how often a kernel was told to prefer shared memory
} driver;

static void say(const char *what, CuFunction f) {
    size_t n = strlen(driver.said);
    snprintf(driver.said + n, sizeof driver.said - n, "%s%s %s", n ? " · " : "", what, (const char *)f);
}

static CuResult enter_(CuContext c) { return (void)c, 0; }
static CuResult leave_(CuContext *c) { return *c = NULL, 0; }
static CuResult error_text(CuResult rc, const char **text) { return (void)rc, *text = "refused", 0; }
static CuResult load_(CuModule *m, const void *image) { return (void)image, *m = (CuModule)&driver, 0; }
static CuResult unload_(CuModule m) { return (void)m, 0; }
static CuResult function(CuFunction *f, CuModule m, const char *name) { return (void)m, *f = (CuFunction)name,
    0; }
static CuResult function_attribute(int *v, int which, CuFunction f) {
    (void)f;
    *v = which == CU_FUNCTION_PTX_VERSION ? driver.ptx : 0;
    return 0;
}
static CuResult set_attribute(CuFunction f, int which, int value) {
    (void)f;
    assert_true(which == 9 && value == 100); // as cuda.h has it
    return driver.carved++, 0;
}

static CuResult launch(CuFunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared,
                       CuStream stream, void **args, void **extra) {
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)args, (void)extra;
    assert_true(gx == 7 && bx == 32);
    say("plain", f);
    return 0;
}

static CuResult launch_ex(const CuLaunch *l, CuFunction f, void **args, void **extra) {
    (void)args, (void)extra;
    assert_true(l->grid_x == 7 && l->grid_z == 1 && l->block_x == 32 && l->block_z == 1 &&
                l->nattributes == 1);
    assert_int_equal(l->attributes[0].id, 6); // as cuda.h has it
    assert_int_equal(l->attributes[0].value.number, 1);
    if (driver.refuses) return driver.refuses;
    say("early", f);
    return 0;
}

static CuResult capture(CuStream s, int mode) { return (void)s, (void)mode, 0; }
static CuResult captured(CuStream s, CuGraph *g) { return (void)s, *g = (CuGraph)&driver, driver.alive++, 0; }
static CuResult graph_create(CuGraph *g, unsigned flags) {
    (void)flags;
    driver.edges = driver.early_edges = 0;
    driver.said[0] = 0;
    return *g = (CuGraph)&driver, driver.alive++, 0;
}
static CuResult graph_destroy(CuGraph g) { return (void)g, driver.alive--, 0; }
static CuResult exec_destroy(CuGraphExec e) { return (void)e, driver.alive--, 0; }
static CuResult instantiate(CuGraphExec *e, CuGraph g, unsigned long long flags) {
    (void)g, (void)flags;
    if (driver.refuses_instance && driver.early_edges) return 801;
    return *e = (CuGraphExec)&driver, driver.alive++, 0;
}
static CuResult graph_launch(CuGraphExec e, CuStream s) { return (void)e, (void)s, 0; }
static CuResult add_node(CuGraphNode *n, CuGraph g, const CuGraphNode *after, size_t nafter,
                         const CuKernelNode *what) {
    (void)g, (void)after;
    driver.edges += (int)nafter;
    *n = (CuGraphNode)what->function;
    say("node", what->function);
    return 0;
}
static CuResult add_edges(CuGraph g, const CuGraphNode *from, const CuGraphNode *to, const CuEdge *edge,
                          size_t n) {
    (void)g;
    if (driver.refuses) return driver.refuses;
    for (size_t i = 0; i < n; i++) {
        assert_true(from[i] != to[i] && to[i] == to[0]);
        // as cuda.h has them
        assert_true(edge[i].from_port == 1 && edge[i].to_port == 0 && edge[i].type == 1);
        driver.early_edges++;
    }
    return 0;
}
static CuResult set_node(CuGraphExec e, CuGraphNode n, const CuKernelNode *what) { return (void)e, (void)n,
    (void)what, 0; }

static const CudaApi api = {
    .cuCtxPushCurrent_v2 = enter_, .cuCtxPopCurrent_v2 = leave_, .cuGetErrorName = error_text,
        .cuGetErrorString = error_text,
    .cuModuleLoadData = load_, .cuModuleUnload = unload_, .cuModuleGetFunction = function,
    .cuFuncGetAttribute = function_attribute, .cuFuncSetAttribute = set_attribute,
    .cuLaunchKernel = launch, .cuLaunchKernelEx = launch_ex, .cuStreamBeginCapture_v2 = capture,
    .cuStreamEndCapture = captured,
    .cuGraphInstantiateWithFlags = instantiate, .cuGraphLaunch = graph_launch,
    .cuGraphExecDestroy = exec_destroy,
    .cuGraphDestroy = graph_destroy, .cuGraphCreate = graph_create, .cuGraphAddKernelNode = add_node,
    .cuGraphExecKernelNodeSetParams = set_node, .cuGraphAddDependencies_v2 = add_edges};

typedef struct Bench {
    Arena *a;
    CudaApi api;
    CudaDevice *d;
    Module *m;
} Bench;

// A device of capability 9.0 with a module. edges: the driver knows edges with data.
static Bench bench_new(bool edges) {
    driver = (struct Driver){.ptx = 90};
    Bench b = {.a = arena_new(), .api = api};
    if (!edges) b.api.cuGraphAddDependencies_v2 = NULL;
    b.d = NEW(b.a, CudaDevice);
    b.d->base.ops = &device_cuda;
    b.d->opener = getpid();
    b.d->info = (DeviceInfo){.max_threads = 1024, .max_grid = {1 << 20, 65535, 65535}, .early_launch = true};
    return b;
}

static void start(Bench *b) {
    b->d->cu = &b->api;
    b->m = device_cuda.load(&b->d->base, b->a, "image", 6);
    assert_non_null(b->m);
}

static bool go(Bench *b, const char *name, bool early) {
    return device_cuda.launch(&b->d->base, &(KernelCall){.module = b->m, .name = name, .grid = {7, 1, 1},
                                                         .block = {32, 1, 1}, .early = early});
}

static void one_by_one(void **state) {
    (void)state;
    Bench b = bench_new(true);
    start(&b);
    assert_true(go(&b, "k1", false) && go(&b, "k2", true) && go(&b, "k3", true) && go(&b, "k2", false));
    assert_string_equal(driver.said, "plain k1 · early k2 · early k3 · plain k2");
    arena_free(b.a);
}

// Code for an older architecture has no wait in it, whatever the text says.
static void old_code(void **state) {
    (void)state;
    Bench b = bench_new(true);
    start(&b);
    driver.ptx = 80;
    assert_true(go(&b, "k1", true));
    driver.ptx = 120;
    assert_true(go(&b, "k2", true) && go(&b, "k1", true));
    assert_string_equal(driver.said, "plain k1 · early k2 · plain k1");
    arena_free(b.a);
}

static void refused(void **state) {
    (void)state;
    Bench b = bench_new(true);
    start(&b);
    driver.refuses = 801;
    assert_true(go(&b, "k1", true));
    driver.refuses = 0;
    assert_true(go(&b, "k2", true));
    assert_string_equal(driver.said, "plain k1 · plain k2");
    arena_free(b.a);
}

// Each kernel is told once, and those that stand alone never.
static void carveout(void **state) {
    (void)state;
    Bench b = bench_new(true);
    start(&b);
    KernelCall c = {.module = b.m, .name = "k1", .grid = {7, 1, 1}, .block = {32, 1, 1}};
    assert_true(device_cuda.launch(&b.d->base, &c));
    assert_int_equal(driver.carved, 0);
    c.roomy = true;
    for (int i = 0; i < 3; i++) assert_true(device_cuda.launch(&b.d->base, &c));
    assert_int_equal(driver.carved, 1);
    c.name = "k2";
    assert_true(device_cuda.launch(&b.d->base, &c));
    assert_int_equal(driver.carved, 2);
    arena_free(b.a);
}

static void noted(void **state) {
    (void)state;
    for (int edges = 0; edges < 2; edges++) {
        Bench b = bench_new(edges);
        start(&b);
        assert_true(device_cuda.record(&b.d->base) && go(&b, "k1", false) && go(&b, "k2", true));
        void *graph = device_cuda.recorded(&b.d->base);
        assert_non_null(graph);
        assert_true(go(&b, "k3", true));
        assert_string_equal(driver.said, edges ? "plain k1 · early k2 · early k3"
                            : "plain k1 · plain k2 · early k3");
        device_cuda.forget(&b.d->base, graph);
        assert_int_equal(driver.alive, 0);
        arena_free(b.a);
    }
}

// A driver that can't note such launches is given plain ones the next time, and still starts others early.
static void not_noted(void **state) {
    (void)state;
    Bench b = bench_new(true);
    start(&b);
    assert_true(device_cuda.record(&b.d->base));
    driver.refuses = 900;
    assert_false(go(&b, "k1", true));
    driver.refuses = 0, driver.refuses_instance = true, driver.early_edges = 1;
    assert_null(device_cuda.recorded(&b.d->base));
    assert_true(device_cuda.record(&b.d->base) && go(&b, "k1", true));
    driver.early_edges = 0;
    void *graph = device_cuda.recorded(&b.d->base);
    assert_non_null(graph);
    assert_true(go(&b, "k2", true));
    assert_string_equal(driver.said, "plain k1 · early k2");
    device_cuda.forget(&b.d->base, graph);
    assert_int_equal(driver.alive, 0);
    arena_free(b.a);
}

// pack a ─┐
// pack b ─┴▶ product ─▶ add up
static void *chain(Bench *b, bool product_waits) {
    static const char *const name[] = {"pack_a", "pack_b", "product", "add_up"};
    static const int after[2][2] = {{0, 1}, {2}};
    KernelCall call[4];
    for (int i = 0; i < 4; i++)
        call[i] = (KernelCall){.module = b->m, .name = name[i], .grid = {7, 1, 1}, .block = {32, 1, 1},
                               .early = i != 2 || product_waits,
                               .nafter = i < 2 ? 0 : 4 - i, .after = after[i == 3]};
    return device_cuda.chain(&b->d->base, 4, call);
}

static void chains(void **state) {
    (void)state;
    static const struct {
        bool edges, product, refuses, refuses_instance;
        int plain, early;
    } cases[] = {{true, true, false, false, 0, 3},  {true, false, false, false, 2, 1},
                 {false, true, false, false, 3, 0},
                 {true, true, true, false, 3, 0}, {true, true, false, true, 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench b = bench_new(cases[i].edges);
        start(&b);
        driver.refuses = cases[i].refuses ? 1 : 0;
        driver.refuses_instance = cases[i].refuses_instance;
        void *graph = chain(&b, cases[i].product);
        assert_non_null(graph);
        assert_int_equal(driver.edges, cases[i].plain);
        assert_int_equal(driver.early_edges, cases[i].early);
        assert_string_equal(driver.said, "node pack_a · node pack_b · node product · node add_up");
        assert_true(device_cuda.replay(&b.d->base, graph));
        device_cuda.forget(&b.d->base, graph);
        assert_int_equal(driver.alive, 0);
        arena_free(b.a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_by_one), cmocka_unit_test(old_code),
                                       cmocka_unit_test(refused), cmocka_unit_test(carveout),
                                       cmocka_unit_test(noted),      cmocka_unit_test(not_noted),
                                       cmocka_unit_test(chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
