// SPDX-License-Identifier: MIT
// follow_test.c -- which launches of a nest may begin early: those that directly follow one of the same walk.
//
// The device is a table of functions of this file, which write down what is launched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <string.h>
#include "run/state.h"

#define NESTS(body)                                                                                         \
    "nest \"gpu\" {\nwhen n > 0\nfoot y[0 to n - 1] in out exact\nfoot x[0 to n] in\ndo { temp t[n]: f32\n" \
    body " }\n}\n"
#define REGION                                                                                       \
    "sculpt 1\nregion r_1 @\"r.c\":3:3 scop {\nparam n: i32 = \"n\"\narray y[n]: f32 = \"y\" live\n" \
    "array x[n + 1]: f32 = \"x\"\n"                                                                  \
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @5:5: y[i] += x[i] * 2.0\n}\n"
#define PACK "kernel k0 { for b: i32 = 0 .. n block copy t[b] = x[b] * 2.0 } "
#define ADD "kernel k1 { for c: i32 = 0 .. n block copy y[c] += t[c] } "
#define ODD \
    "kernel k2 { for d: i32 = 0 .. n block { copy y[d] += t[d] copy y[d] += t[d] } } " // it can't wait

// What was launched: its kernel, with an exclamation mark where it may begin early, with ^ where
// multiprocessors shall be set up for much shared memory; in brackets what is noted.
static char said[4000];
static void say(const char *what) { strncat(said, what, sizeof said - strlen(said) - 1); }

static bool launch(Device *d, const KernelCall *c) {
    (void)d;
    assert_true(c->grid[0] == 40 && c->block[0] == 1);
    say(c->name), say(c->roomy ? "^" : ""), say(c->early ? "! " : " ");
    return true;
}
static bool record(Device *d) { return (void)d, say("["), true; }
static void *recorded(Device *d) { return (void)d, say("] "), said; }
static bool replay(Device *d, void *g) { return (void)d, (void)g, say("replay "), true; }
static void forget(Device *d, void *g) { (void)d, (void)g; }
static void *chain(Device *d, int n, const KernelCall *calls) {
    say("chain ");
    for (int i = 0; i < n; i++) launch(d, &calls[i]);
    return said;
}
static bool chain_set(Device *d, void *g, int i, const KernelCall *c) { return (void)d, (void)g, (void)i,
    (void)c, true; }
static bool sync_(Device *d) { return (void)d, true; }
static DevPtr alloc(Device *d, size_t bytes) { return (void)d, bytes; }
static bool compile(Device *d, Arena *a, const char *source, void **image, size_t *size, char **log) {
    (void)d;
    if (log) *log = NULL;
    *size = strlen(source);
    return *image = arena_strdup(a, source), true;
}
// The module is the text.
static Module *load(Device *d, Arena *a, const void *image, size_t size) { return (void)d, (void)size,
    (Module *)arena_strdup(a, image); }

static const DeviceOps ops = {.kind = "cuda", .launch = launch, .record = record, .recorded = recorded,
                              .replay = replay, .forget = forget,
                              .chain = chain, .chain_set = chain_set, .sync = sync_, .alloc = alloc,
                              .compile = compile, .load = load};

typedef struct Bench {
    DeviceInfo info;
    Device device;
    Run run;
    sculpt_region region;
    Launch launch;
    DevPtr ptr[2];
    int64_t offset[2];
    float x[100], y[100]; // nobody touches them
} Bench;

static Bench *bench_new(Arena *a, const char *text, bool early, bool chains) {
    Bench *b = NEW(a, Bench);
    b->info = (DeviceInfo){.spec = "cuda:0", .name = "a GPU", .driver = "1", .dialect = "cuda",
                           .target = "gpu", .memory = 1 << 30, .sms = 132,
                           .max_threads = 1024, .shared = 49152, .shared_optin = 232448, .warp = 32,
                           .max_grid = {1 << 30, 65535, 65535}, .fp64 = true, .early_launch = early};
    b->device = (Device){.ops = &ops};
    b->run = (Run){.arena = a, .device = &b->device, .info = &b->info, .tried = true, .cache_tried = true};
    b->run.set.no_chains = !chains;
    b->region = (sculpt_region){.abi = SCULPT_ABI, .text = text, .file = "r.c"};
    Unit *u = unit_get(&b->run, &b->region);
    assert_true(unit_whole(&b->run, u) && unit_choose(&b->run, u));
    sculpt_arg args[3] = {{.p = b->y}, {.p = b->x}, {.i = 40}};
    Call *c = call_get(&b->run, u, args, TRAVEL_NONE);
    if (c->refusal) fail_msg("%s", c->why);
    Module *m = build_module(&b->run, u, c);
    assert_non_null(m);
    assert_int_equal(strstr((const char *)m, "griddepcontrol") != NULL, early);
    assert_true(launch_temps(&b->run, c));
    b->launch = (Launch){&b->run, u, c, m, b->ptr, b->offset, 0};
    return b;
}

static void expect(const char *text, bool early, bool chains, int calls, const char *what) {
    Arena *a = arena_new();
    Bench *b = bench_new(a, text, early, chains);
    said[0] = 0;
    for (int i = 0; i < calls; i++) assert_true(launch_nest(&b->launch));
    assert_string_equal(said, what);
    chain_forget(&b->run, b->launch.call->v);
    graph_forget(&b->run, b->launch.call->v);
    compile_free(b->launch.unit->c);
    arena_free(a);
}

static void in_order(void **state) {
    (void)state;
    static const char text[] =
        REGION NESTS(PACK ADD ODD "kernel k3 { for e: i32 = 0 .. n block copy y[e] += x[e] }");
    expect(text, true, false, 2, "k0 k1! k2 k3! k0 k1! k2 k3! ");
    expect(text, false, false, 1, "k0 k1 k2 k3 ");
}

// The loop's first iteration runs by itself; what is noted begins anew, and so does what follows.
static void in_loops(void **state) {
    (void)state;
    static const char loop[] = REGION NESTS("for s: i32 = 0 .. 4 { " PACK ADD "}");
    static const char graph[] = REGION NESTS("for s: i32 = 0 .. 131 graph { " ADD "}");
    Text want = text_new(arena_new());
    text_put(&want, "k1 [k1 ");
    for (int i = 1; i < 64; i++) text_put(&want, "k1! ");
    text_put(&want, "] replay replay k1 k1! ");
    expect(loop, true, false, 1, "k0 k1! k0! k1! k0! k1! k0! k1! ");
    expect(graph, true, false, 1, text_str(&want));
    arena_free(want.arena);
}

// From the second time on the launches are a graph, in which all may that wait for others.
static void in_chains(void **state) {
    (void)state;
    static const char text[] = REGION NESTS(PACK ADD ODD);
    expect(text, true, true, 3, "k0 k1! k2 chain k0! k1! k2 replay replay ");
    expect(text, false, true, 2, "k0 k1 k2 chain k0 k1 k2 replay ");
}

// One kernel of a launch's company needs more than a block has by default.
static void much_shared(void **state) {
    (void)state;
#define TILE(n)                                                                                \
    "kernel k2 { for d: i32 = 0 .. n block { shared s[" n "]: f32 for e: i32 = 0 .. 1 thread " \
    "copy s[e] = x[d] "                                                                        \
                "for f: i32 = 0 .. 1 thread copy y[d] += s[f] } }"
    expect(REGION NESTS(PACK ADD TILE("20000")), true, false, 1, "k0^ k1^! k2^! ");
    expect(REGION NESTS(PACK ADD TILE("20000")), false, false, 1, "k0 k1 k2 ");
    expect(REGION NESTS(PACK ADD TILE("200")), true, false, 1, "k0 k1! k2! ");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(in_loops),
                                       cmocka_unit_test(in_chains),
                                       cmocka_unit_test(much_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
