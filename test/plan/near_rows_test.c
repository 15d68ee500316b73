// SPDX-License-Identifier: MIT
// near_rows_test.c -- short rows that a thread goes through in turn, or that several threads read: brought to
// shared memory in several spellings, priced below the standard nest, proved and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    int length;
    const char *staged, *alone; // arrays that are, and one that is not
} Case;
#define X "array x[n][m]: f32 = \"x\" "
#define Y "array y[n][m]: f32 = \"y\" live "
#define Z "array z[n][p][m]: f32 = \"z\" live "
static const Case cases[] = {
    {"each from the one before", Y, "for i: i32 = 0 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: y[i][j] = y[i][j] + 0.5 * y[i][j - 1]", 64, "y", NULL},
    {"from the end", Y, "for i: i32 = 0 .. n for j: i32 = 0 .. m - 1 S0[i, j]",
     "stmt S0[i, j]: y[i][m - 2 - j] = y[i][m - 2 - j] + 0.5 * y[i][m - 1 - j]", 50, "y", NULL},
    {"a mean that forgets", X Y,
     "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] S2[i, j] } }",
     "stmt S0[i]: s = x[i][0] stmt S1[i, j]: s = 0.25 * x[i][j] + 0.75 * s stmt S2[i, j]: y[i][j] = s", 64,
     "xy", NULL},
    {"there and back", X Y,
     "for i: i32 = 0 .. n { S0[i] for j: i32 = 1 .. m S1[i, j] for k: i32 = 0 .. m - 1 S2[i, k] }",
     "stmt S0[i]: y[i][0] = y[i][0] / 2.0 stmt S1[i, j]: y[i][j] = (y[i][j] - x[i][j] * y[i][j - 1]) / 2.0 "
     "stmt S2[i, k]: y[i][m - 2 - k] += -x[i][m - 2 - k] * y[i][m - 1 - k]", 32, "xy", NULL},
    {"triangles", "array a[n][m][m]: f32 = \"a\" array y[n][p][m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for l: i32 = 0 .. p for j: i32 = 0 .. m { for k: i32 = 0 .. j S0[i, l, j, k] "
     "S1[i, l, j] }",
     "stmt S0[i, l, j, k]: y[i][l][j] += -a[i][k][j] * y[i][l][k] "
     "stmt S1[i, l, j]: y[i][l][j] = y[i][l][j] / (1.0 + a[i][j][j])", 16, "y", NULL},
    {"columns that are read again and again",
     "array a[n][m][m]: f32 = \"a\" array y[n][m][p]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for l: i32 = 0 .. p for j: i32 = 0 .. m for k: i32 = 0 .. j S0[i, l, j, k]",
     "stmt S0[i, l, j, k]: y[i][j][l] += -a[i][k][j] * y[i][k][l]", 64, "y", NULL},
    {"whole matrices", "array y[n][m][m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for j: i32 = 0 .. m { S0[i, j] for k: i32 = j + 1 .. m { S1[i, j, k] "
     "for l: i32 = j + 1 .. k + 1 S2[i, j, k, l] } }",
     "stmt S0[i, j]: y[i][j][j] = y[i][j][j] * y[i][j][j] + 1.0 "
     "stmt S1[i, j, k]: y[i][k][j] = y[i][k][j] / y[i][j][j] "
     "stmt S2[i, j, k, l]: y[i][k][l] += -y[i][k][j] * y[i][l][j]", 8, "y", NULL},
    {"small products", "array a[n][p][m]: f32 = \"a\" array b[n][m][m]: f32 = \"b\" " Z,
     "for i: i32 = 0 .. n for l: i32 = 0 .. p for j: i32 = 0 .. m { local s: f32 S0[i, l, j] "
     "for k: i32 = 0 .. m S1[i, l, j, k] S2[i, l, j] }",
     "stmt S0[i, l, j]: s = 0.0 stmt S1[i, l, j, k]: s += a[i][l][k] * b[i][k][j] fused "
     "stmt S2[i, l, j]: z[i][l][j] = s",
     16, "ab", "z"},
    {"small products of doubles", "array a[n][p][m]: f64 = \"a\" array b[n][m][m]: f64 = \"b\" "
     "array z[n][p][m]: f64 = \"z\" live ",
     "for i: i32 = 0 .. n for l: i32 = 0 .. p for j: i32 = 0 .. m { local s: f64 S0[i, l, j] "
     "for k: i32 = 0 .. m S1[i, l, j, k] S2[i, l, j] }",
     "stmt S0[i, l, j]: s = 0.0 stmt S1[i, l, j, k]: s += a[i][l][k] * b[i][k][j] fused "
     "stmt S2[i, l, j]: z[i][l][j] = s",
     16, "ab", "z"},
    {"columns", "array y[m][n]: f32 = \"y\" live ", "for i: i32 = 0 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: y[j][i] = y[j][i] + 0.5 * y[j - 1][i]", 64, "", "y"}, // side by side as it is
    {"in any order", X Y, "for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j]",
     "stmt S0[i, j]: y[i][j] = 0.5 * x[i][j]", 64, "", "x"},
    {"long", Y, "for i: i32 = 0 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: y[i][j] = y[i][j] + 0.5 * y[i][j - 1]", 5000, "", "y"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(const Case *x) {
    const int64_t sizes[][3] = {{1, x->length, 1}, {33, x->length, 3}, {70, x->length, 9},
                                {9, x->length + 1, 2}};
    Compile *c = compile_new();
    const char *text = arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\nparam p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                    x->arrays, x->loops, x->stmts);
    Nest *start = start_of(c, text);
    const Nest *n = nest_for(c, start->region, (int64_t[3]){100000, x->length, 16});
    for (const char *s = x->staged; *s; s++)
        if (!n || !strstr(n->recipe, arena_printf(c->arena, "stage %c at=", *s)))
            fail_msg("%s: %s", x->name, n ? n->recipe : "the standard nest");
    if (x->alone && n && strstr(n->recipe, arena_printf(c->arena, "stage %s at=f_1_0", x->alone)))
        fail_msg("%s: %s", x->name, n->recipe);
    if (!*x->staged) return compile_free(c);
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN)
        fail_msg("%s: %s\n%s", x->name, v.why ? v.why : "not decided", n->recipe);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (is_right(n, &v, sizes[s]) == 0)
            fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][0], (int)sizes[s][1], n->recipe);
    if (is_right(n, &v, sizes[1]) < 0) fail_msg("%s: not for its own size\n%s", x->name, n->recipe);
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
