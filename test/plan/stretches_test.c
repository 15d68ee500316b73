// SPDX-License-Identifier: MIT
// stretches_test.c -- few long sums along rows: several blocks a row are found, proved, priced below a block
// a row, and right
#include "called.h"

typedef struct Case {
    const char *name, *loops, *stmts;
    int rows, wanted;
} Case;
static const Case cases[] = {
    {"a matrix by a vector",
     "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] } S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] * x[j] stmt S2[i]: y[i] = 2.0 * s + y[i]", 16, 1},
    {"many rows", "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] } S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] * x[j] stmt S2[i]: y[i] = 2.0 * s + y[i]", 4096, 0},
    {"two sums", "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] } "
     "for k: i32 = 0 .. m { S2[i, k] } S3[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] stmt S2[i, k]: s += x[k] stmt S3[i]: y[i] = s", 64, 0},
};

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {3, 40001, 1}, {65, 7, 1}, {2, 90, 1}};
    Compile *c = compile_new();
    Nest *start = start_of(c,
                           arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                                        "param n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
                                                     "array a[n][m]: f32 = \"a\" array x[m]: f32 = \"x\" "
                                                     "array y[n]: f32 = \"y\" live do { %s }\n%s\n}\n",
                                                     x->loops, x->stmts));
    const Region *r = start->region;
    Nest *nest[PLAN_VARIANTS];
    int n = nests_for(c, r, (int64_t[3]){x->rows, 1000000, 1}, nest, NULL);
    bool found = n && strstr(nest[0]->recipe, "map block") && strstr(nest[0]->recipe, "expand ca as=cs");
    if (found != x->wanted) fail_msg("%s: %s", x->name, n ? nest[0]->recipe : "the standard nest");
    if (found) {
        Verdict v = dep_judge(c, r, nest[0]->root);
        if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s\n%s", x->name,
            v.why ? v.why : "not decided", nest[0]->recipe);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (is_right(nest[0], &v, sizes[s]) == 0) fail_msg("%s: wrong at %d x %d\n%s", x->name,
                (int)sizes[s][0], (int)sizes[s][1], nest[0]->recipe);
    }
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
