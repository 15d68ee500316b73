// SPDX-License-Identifier: MIT
// ragged_test.c -- rows of which the data say how long they are: their elements, each a sum, go to teams, and
// so do rows without a sum; what rests on values that never fall is proved, priced below the standard nest,
// and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts, *recipe;
    bool vouched;           // by a mark: without values that never fall it would only be believed
} Case;
#define ROWS "array row[n + 1]: i32 = \"row\" "
#define DENSE "array a[n][m]: f32 = \"a\" array b[n][m]: f32 = \"b\" "
static const Case cases[] = {
    {"elements of a product",
     ROWS "array col[p]: i32 = \"col\" array v[p]: f32 = \"v\" array x[p]: f32 = \"x\" live " DENSE,
     "for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] { local s: f32 S0[i, k] "
     "for j: i32 = 0 .. m S1[i, k, j] S2[i, k] }",
     "stmt S0[i, k]: s = 0.0 stmt S1[i, k, j]: s += a[i][j] * b[col[k]][j] "
     "stmt S2[i, k]: x[k] = s * v[k]", "map thread gi", false},
    {"two sums an element", ROWS "array col[p]: i32 = \"col\" array x[p]: f32 = \"x\" live " DENSE,
     "for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] { local s: f32 local t: f32 S0[i, k] S1[i, k] "
     "for j: i32 = 0 .. m S2[i, k, j] for l: i32 = 0 .. m S3[i, k, l] S4[i, k] }",
     "stmt S0[i, k]: s = 0.0 stmt S1[i, k]: t = 0.0 stmt S2[i, k, j]: s += a[i][j] * b[col[k]][j] "
     "stmt S3[i, k, l]: t += b[col[k]][l] stmt S4[i, k]: x[k] = s * t", "map thread gi", false},
    {"rows that are scaled", ROWS "array x[p]: f32 = \"x\" live array f[n]: f32 = \"f\" ",
     "for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] S0[i, k]",
     "stmt S0[i, k]: x[k] = x[k] * f[i]", "reduce k", false},
    {"rows that are divided by their sums, as a mark allows", ROWS "array x[p]: f32 = \"x\" live ",
     "for i: i32 = 0 .. n mark (parallel) { local s: f32 S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] "
     "for l: i32 = row[i] .. row[i + 1] S2[i, l] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += x[k] stmt S2[i, l]: x[l] = x[l] / s", "reduce k l", true},
};

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 40}, {33, 8, 9}};
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
        "param p: i32 = \"p\"\n%s do { %s }\n%s\n}\n", x->arrays, x->loops, x->stmts));
    Nest *nest[PLAN_VARIANTS];
    const Nest *standard;
    int n = nests_for(c, start->region, (int64_t[3]){1000000, 64, 16000000}, nest, &standard);
    if (!n || !strstr(nest[0]->recipe, x->recipe)) fail_msg("%s: %s", x->name, n ? nest[0]->recipe : "none");
    assert_int_equal(nest[0]->npromised > 0, strstr(nest[0]->recipe, "rising row") != NULL);
    Verdict v = dep_judge_nest(c, nest[0]);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN)
        fail_msg("%s: %s\n%s", x->name, v.why ? v.why : "not decided", nest[0]->recipe);
    const PlanOptions processor = {"cpu", .asserted = true};
    if (!plan_default(c, start->region, dep_analyze(c, start->region), &processor))
        fail_msg("%s: nothing for a processor", x->name);
    if (x->vouched) assert_int_equal(nest[0]->npromised, 1), assert_int_equal(standard->npromised, 0);
    int compared = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int right = is_right(nest[0], &v, sizes[s]);
        if (right == 0)
            fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][0], (int)sizes[s][1],
                     nest[0]->recipe);
        compared += right > 0;
    }
    if (!compared) fail_msg("%s: for none of the sizes\n%s", x->name, nest[0]->recipe);
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
