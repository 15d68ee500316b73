// SPDX-License-Identifier: MIT
// cost_test.c -- what a nest's launches come to, and whether they pay
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include "device/device.h"
#include "run/state.h"

// A triangle of sums: in one thread an iteration of the host, or a thread a row.
#define REGION                                                                                 \
    "sculpt 1\nregion sums sculpt { param n: i32 = \"n\" array a[n][n]: f64 = \"a\" live "     \
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { S0[i, j] } } } "                         \
    "stmt S0[i, j]: a[i][0] = a[i][0] * a[i][j] } "                                            \
    "nest \"gpu\" { when 1 foot a[0 to n - 1][0 to n - 1] in out flops 0.5 * f64(n) * f64(n) " \
    "bytes 8.0 * f64(n) "
static const char alone[] = REGION "do { for i: i32 = 0 .. n { kernel k for j: i32 = 0 .. i S0[i, j] } } }";
static const char abreast[] =
    REGION "do { kernel k for b: i32 = 0 .. fdiv(n + 31, 32) block for t: i32 = 0 .. 32 thread "
           "if (32 * b + t < n) for j: i32 = 0 .. 32 * b + t S0[32 * b + t, j] } }";

static Call *call_of(Compile *c, const char *text, int64_t n) {
    IrFile *f = ir_parse(c, "sums", text);
    assert_non_null(f);
    Variant *v = NEW(c->arena, Variant);
    v->nest = f->nests[0];
    Call *call = NEW(c->arena, Call);
    *call = (Call){.v = v, .vals = NEW(c->arena, InterpVal), .nvals = 1, .flops = 0.5 * (double)(n * n),
                   .operations = 0.5 * (double)(n * n), .bytes = 8.0 * (double)n};
    call->vals[0] = (InterpVal){.sym = f->region->params[0], .i = n};
    call->boxes = NEW_N(c->arena, Box, 1);
    return call;
}

static bool call_pays(const char *kind, Call *call) {
    DeviceOps ops = {.kind = kind};
    Device d = {.ops = &ops};
    DeviceInfo info = {.sms = 100, .host_memory = true};
    Run r = {.device = &d, .info = &info};
    Thread t = {0};
    return cost_decide(&r, call, &t);
}

static bool pays(Compile *c, const char *kind, const char *text, int64_t n) {
    return call_pays(kind, call_of(c, text, n));
}

static void test_steps(void **s) {
    (void)s;
    Compile *c = compile_new();
    Work one = cost_work(call_of(c, alone, 1000)), all = cost_work(call_of(c, abreast, 1000));
    assert_int_equal((int)one.launches, 1000);
    assert_int_equal((int)one.steps, 500000); // of all launches
    assert_int_equal((int)all.launches, 1);
    assert_int_equal((int)all.steps, 32 * 16 + 16); // of a thread in the middle
    assert_int_equal((int)cost_work(call_of(c, alone, 0)).launches, 0);
    compile_free(c);
}

// A thread alone is slower than the host, however many there could be.
static void test_decision(void **s) {
    (void)s;
    Compile *c = compile_new();
    static const char *const kinds[] = {"cuda", "opencl", "cpu"};
    for (int k = 0; k < 3; k++) {
        assert_false(pays(c, kinds[k], alone, 100000));
        assert_true(pays(c, kinds[k], abreast, 100000));
    }
    compile_free(c);
}

// Work is more than operations on real numbers: paths and distances are whole ones.
static void test_integers(void **s) {
    (void)s;
    Compile *c = compile_new();
    Call *call = call_of(c, abreast, 100000);
    call->flops = 0;
    assert_true(call_pays("cuda", call));
    call->operations = 0, call->decided = false;
    assert_false(call_pays("cuda", call));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_decision),
                                       cmocka_unit_test(test_integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
