// SPDX-License-Identifier: MIT
// resident_test.c -- rows that several loops go through, in several spellings: read once and written once,
// priced below the nests that read them again, proved and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    const char *kept[2];   // steps that keep rows; none: there is nothing to keep
} Case;
#define BOTH "array x[n][m]: f32 = \"x\" array y[n][m]: f32 = \"y\" live "
#define X_KEPT "in=register as=x_row"
#define Y_KEPT "as=y_row"
#define ROW "for i: i32 = 0 .. n { local s: f32 local t: f32 "
#define ALL(k) "for " k ": i32 = 0 .. m "
static const Case cases[] = {
    {"softmax", BOTH, ROW "S0[i] S1[i] " ALL("j") "S2[i, j] " ALL("k") "S3[i, k] " ALL("l") "S4[i, l] }",
     "stmt S0[i]: s = 0.0 stmt S1[i]: t = -100.0 stmt S2[i, j]: t max= x[i][j] "
     "stmt S3[i, k]: s += (x[i][k] - t) "
     "stmt S4[i, l]: y[i][l] = (x[i][l] - t) / s", {X_KEPT}},
    {"exponentials kept", BOTH,
     ROW "S0[i] for j: i32 = 1 .. m S1[i, j] S2[i] " ALL("k") "{ S3[i, k] S4[i, k] } " ALL("l") "S5[i, l] }",
     "stmt S0[i]: t = x[i][0] stmt S1[i, j]: t max= x[i][j] stmt S2[i]: s = 0.0 "
     "stmt S3[i, k]: y[i][k] = (x[i][k] - t) "
     "stmt S4[i, k]: s += y[i][k] stmt S5[i, l]: y[i][l] = y[i][l] / s", {X_KEPT, Y_KEPT}},
    {"in place", "array y[n][m]: f32 = \"y\" live ",
     ROW "S0[i] for j: i32 = 1 .. m S1[i, j] S2[i] " ALL("k") "{ S3[i, k] S4[i, k] } " ALL("l") "S5[i, l] }",
     "stmt S0[i]: t = y[i][0] stmt S1[i, j]: t max= y[i][j] stmt S2[i]: s = 0.0 "
     "stmt S3[i, k]: y[i][k] = (y[i][k] - t) "
     "stmt S4[i, k]: s += y[i][k] stmt S5[i, l]: y[i][l] *= 1.0 / s", {Y_KEPT}},
    {"norm, but for the ends", "array y[n][m]: f32 = \"y\" live ",
     ROW "S0[i] " ALL("j") "S1[i, j] for k: i32 = 1 .. m - 1 S2[i, k] }",
     "stmt S0[i]: s = 1.0 stmt S1[i, j]: s += y[i][j] * y[i][j] fused stmt S2[i, k]: y[i][k] *= 1.0 / s",
     {Y_KEPT}},
    {"written for some", BOTH,
     ROW "S0[i] " ALL("j") "{ if (j > 2) S1[i, j] S2[i, j] } " ALL("l") "S3[i, l] }",
     "stmt S0[i]: s = 1.0 stmt S1[i, j]: y[i][j] = x[i][j] stmt S2[i, j]: s += y[i][j] "
     "stmt S3[i, l]: y[i][l] = x[i][l] + y[i][l] / s",
     {X_KEPT, Y_KEPT}},
    {"read by one loop", BOTH "array z[n]: f32 = \"z\" live ", ROW "S0[i] " ALL("j") "S1[i, j] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += x[i][j] stmt S2[i]: z[i] = s", {NULL}},
};
enum { CASES = sizeof cases / sizeof *cases };

// The quickest for so many rows of that length.
static const Nest *best(Compile *c, const Nest *start, int64_t rows, int64_t length) {
    Nest *nest[PLAN_VARIANTS];
    const Nest *standard;
    return nests_for(c, start->region, (int64_t[3]){rows, length, 1}, nest, &standard) ? nest[0] : standard;
}

static void check(const Case *x, int64_t rows, int64_t length) {
    const int64_t sizes[][3] = {{1, 1, 1}, {5, length - 1, 1}, {9, length, 1}, {2, length + 1, 1},
                                {3, 2 * length, 1}};
    Compile *c = compile_new();
    Nest *start = start_of(c,
                           arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                                        "param n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
                                           "%s do { %s }\n%s\n}\n", x->arrays, x->loops, x->stmts));
    const Nest *n = best(c, start, rows, length);
    for (int k = 0; k < 2; k++)
        if (x->kept[k] && !strstr(n->recipe, x->kept[k])) fail_msg("%s, %d: %s", x->name, (int)length,
            n->recipe);
    if (!x->kept[0] && strstr(n->recipe, "rounds=")) fail_msg("%s, %d: %s", x->name, (int)length, n->recipe);
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s\n%s", x->name,
        v.why ? v.why : "not decided", n->recipe);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][0],
                                                     (int)sizes[s][1], n->recipe);
    if (is_right(n, &v, sizes[2]) < 0) fail_msg("%s: not for its own size\n%s", x->name, n->recipe);
    Nest *again = follow(c, start, n->recipe, JUDGE_NONE);
    if (!again || !str_eq(ir_print_node(c->arena, again->root, 0),
                          ir_print_node(c->arena, n->root, 0))) fail_msg("%s: another nest\n%s", x->name,
        n->recipe);
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        check(&cases[i], 1000000, 101);
        if ((test_all() || i == (unsigned)test_seed() % CASES) && test_mine()) check(&cases[i], 32768, 2048);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
