// SPDX-License-Identifier: MIT
// bends_test.c -- requests of long loops and large grids, looked at in samples, are as many as all of them
// make where bounds and branches are affine
#include "h200.h"
#include "model/model.h"
#include <math.h>

// Loads of v that all warps make.
static double loads(const char *body) {
    char *text = arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\" array v[?]: f32 = \"v\" "
        "array w[?]: f32 = \"w\" live\n"
        "do { for i: i32 = 0 .. n { S0[i] @3:5 } } stmt S0[i] @3:5: w[i] = v[i] }\nnest \"gpu\" { when 1 "
        "do { kernel k %s } }\n", body);
    IrFile *f = ir_parse(c, "f.nest", text);
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?", body);
    InterpVal val = {.sym = f->region->params[0], .i = 1000};
    KernelCost *k = model_nest(c->arena, f->nests[0], 1, &val, h200)->kernels[0];
    double sum = 0;
    if (k->refused) fail_msg("%s: %s", body, k->refused);
    for (int i = 0; i < k->naccesses; i++) sum += k->accesses[i]->write ? 0 : k->accesses[i]->requests;
    return sum;
}

static void are(const char *body, double want) {
    double have = loads(body);
    if (fabs(have - want) > 1e-6 * want) fail_msg("%.9g loads instead of %.9g:\n%s", have, want, body);
}

#define THREADS "for t: i32 = 0 .. 256 thread "

static void ends_of_loops(void **state) {
    (void)state;
    const char *text = "for b: i32 = 0 .. 3000 block " THREADS "for k: i32 = 0 .. 1000 unroll 1 if (%s) "
        "copy w[256 * b + t] = v[1000 * t + k]";
    are(arena_printf(c->arena, text, "k + 2 < n"), 3000.0 * 8 * 998);
    are(arena_printf(c->arena, text, "k >= 3 && k < 777"), 3000.0 * 8 * 774);
    are(arena_printf(c->arena, text, "k != 0"), 3000.0 * 8 * 999);
    are(arena_printf(c->arena, text, "7 * k < 2 * n"), 3000.0 * 8 * 286);
}

static void ends_of_grids(void **state) {
    (void)state;
    const char *text = "for a: i32 = 0 .. 700 block for b: i32 = 0 .. 900 block " THREADS "if (%s) "
        "copy w[256 * b + t] = v[900 * a + b + t]";
    are(arena_printf(c->arena, text, "a > 0 && b > 0"), 699.0 * 899 * 8);
    are(arena_printf(c->arena, text, "a == 0"), 900.0 * 8);
    are(arena_printf(c->arena, text, "32 * b + fdiv(t, 8) < 32 * 640"), 700.0 * 640 * 8);
}

// What comes round is counted however few iterations are looked at.
static void turns(void **state) {
    (void)state;
    const char *text = "for b: i32 = 0 .. 3000 block " THREADS "for k: i32 = 0 .. 1003 unroll 1 if (%s) "
        "copy w[256 * b + t] = v[1000 * t + k]";
    are(arena_printf(c->arena, text, "k % 64 == 63"), 3000.0 * 8 * 15);
    are(arena_printf(c->arena, text, "k % 64 != 0 && k + 2 < n"), 3000.0 * 8 * (998 - 16));
    are(arena_printf(c->arena, text, "fmod(6 * k + 1, 9) == 4"), 3000.0 * 8 * 334);
    are(arena_printf(c->arena, text, "k % 4 == 1 || k % 6 == 1"), 3000.0 * 8 * (251 + 167 - 84));
}

// Of a thread's rows the first alone may be inside, however roughly its long loops are looked at.
static void rows(void **state) {
    (void)state;
    const char *loop = "for k%d: i32 = 0 .. 40 unroll 1 ", *body = "copy w[t] = v[k0 + 40 * t]";
    for (int k = 0; k < 12; k++)
        body = arena_printf(c->arena, "%s %s", arena_printf(c->arena, loop, k), body);
    body = arena_printf(c->arena, "for b: i32 = 0 .. 1 block " THREADS
                        "for r: i32 = 0 .. 16 unroll 1 if ((16 * b + r) * 256 + t < 256) %s", body);
    are(body, 8 * pow(40, 12));
}

// What goes with a counter is summed by its mean.
static void triangles(void **state) {
    (void)state;
    are("for b: i32 = 0 .. 3001 block " THREADS "for k: i32 = 0 .. b unroll 1 "
        "copy w[256 * b + t] = v[4000 * t + k]", 8.0 * 3000 * 3001 / 2);
    are("for b: i32 = 0 .. 500 block " THREADS "for i: i32 = 0 .. 1000 unroll 1 "
        "for k: i32 = i .. 1000 unroll 1 copy w[256 * b + t] = v[1000 * t + k + i]",
        500.0 * 8 * 1000 * 1001 / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_loops), cmocka_unit_test(ends_of_grids),
                                       cmocka_unit_test(turns), cmocka_unit_test(rows),
                                       cmocka_unit_test(triangles)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
