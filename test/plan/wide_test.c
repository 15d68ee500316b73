// SPDX-License-Identifier: MIT
// wide_test.c -- rows that threads keep are read by vectors, under the conditions that those need
#include "shaped.h"
#include <string.h>

static const char pairs[] =
    "sculpt 1\nregion pairs_1 @\"p.c\":1:1 scop {\n"
    "    param n: i32 = \"n\"\n    param m: i32 = \"m\"\n    param dim: i32 = \"dim\"\n"
    "    array out[?][m]: f32 = \"out\" live\n    array x[?][dim]: f32 = \"x\"\n"
    "    array y[?][dim]: f32 = \"y\"\n"
    "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: f32\n"
    "        S0[i, j] for d: i32 = 0 .. dim { S1[i, j, d] } S2[i, j] } } }\n"
    "    stmt S0[i, j]: s = 0.0\n"
    "    stmt S1[i, j, d]: s += (x[i][d] - y[j][d]) * (x[i][d] - y[j][d])\n"
    "    stmt S2[i, j]: out[i][j] = s\n"
    "}\n";

static Nest *plain_of(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "p.c", text);
    if (!f) fail_msg("%s", last_diag(c));
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    if (!n) fail_msg("%s", last_diag(c));
    return n;
}

static void rows(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *plain = plain_of(c, pairs), *wide = plan_wide(c, plain);
    assert_non_null(wide);
    char *text = ir_print_nest(c->arena, wide);
    assert_non_null(strstr(text, "vector"));
    assert_non_null(strstr(text, "fmod(i64(dim), 4) == 0"));
    assert_non_null(strstr(text, "misalign y"));
    assert_null(strstr(ir_print_nest(c->arena, plain), "vector"));
    static const int64_t sizes[][3] = {{33, 40, 8}, {20, 70, 16}, {7, 9, 4}};
    InterpVal vals[8];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Nest n = *wide;
        n.when = NULL;
        for (int i = 0; i < 3; i++) vals[i] = (InterpVal){.sym = n.region->params[i], .i = sizes[k][i]};
        assert_int_equal(same_values(&n, 3, vals, 7), 1);
    }
    compile_free(c);
}

// Threads that keep single elements, side by side in memory, have nothing to gain.
static void elements(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *plain = plain_of(c,
                           "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n    param n: i32 = \"n\"\n"
                           "    array a[n]: f32 = \"a\" live\n"
                              "    array b[n]: f32 = \"b\"\n    do { for i: i32 = 0 .. n { S0[i] } }\n"
                              "    stmt S0[i]: a[i] = b[i] * 2\n}\n");
    assert_null(plan_wide(c, plain));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
