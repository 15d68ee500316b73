// SPDX-License-Identifier: MIT
// phases_test.c -- a block for each small problem, whose threads share what is free in a step: taken, proved
// and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    int length;
    const char *wanted[4]; // stand in the recipe; none: no phases
} Case;
#define Y "array y[n][m][m]: f32 = \"y\" live "
#define ROWS_BEHIND \
    "for j: i32 = k + 1 .. m S0[i, k, j] for h: i32 = k + 1 .. m for l: i32 = k + 1 .. m S1[i, k, h, l]"
#define STEPS "for i: i32 = 0 .. n for k: i32 = 0 .. m "
static const Case cases[] = {
    {"factors", Y, STEPS "{ " ROWS_BEHIND " }",
     "stmt S0[i, k, j]: y[i][j][k] = y[i][j][k] / (2.0 + y[i][k][k]) "
     "stmt S1[i, k, h, l]: y[i][h][l] += -y[i][h][k] * y[i][k][l]",
     24, {"hull j", "map thread h", "stage y at=i"}},
    {"what a step begins with", Y,
     STEPS "{ local q: f32 S0[i, k] S1[i, k] for j: i32 = k + 1 .. m S2[i, k, j] for h: i32 = k + 1 .. m "
     "for l: i32 = h .. m S3[i, k, h, l] }",
     "stmt S0[i, k]: q = 1.0 + y[i][k][k] * y[i][k][k] stmt S1[i, k]: y[i][k][k] = q "
     "stmt S2[i, k, j]: y[i][j][k] = y[i][j][k] / q "
     "stmt S3[i, k, h, l]: y[i][l][h] += -y[i][l][k] * y[i][h][k]",
     40, {"single S0 S1 loop=one0", "map thread j", "promote q"}},
    {"points from their neighbours",
     "array x[n][m + 2]: f32 = \"x\" live array z[n][m + 2]: f32 = \"z\" live ",
     "for i: i32 = 0 .. n for k: i32 = 0 .. p "
     "{ for j: i32 = 0 .. m S0[i, k, j] for h: i32 = 0 .. m S1[i, k, h] }",
     "stmt S0[i, k, j]: z[i][j + 1] = 0.5 * x[i][j] + 0.25 * x[i][j + 2] "
     "stmt S1[i, k, h]: x[i][h + 1] = z[i][h + 1]",
     100, {"map thread j", "map thread h", "stage x at=i"}},
    {"large ones", Y, STEPS "{ " ROWS_BEHIND " }",
     "stmt S0[i, k, j]: y[i][j][k] = y[i][j][k] / (2.0 + y[i][k][k]) "
     "stmt S1[i, k, h, l]: y[i][h][l] += -y[i][h][k] * y[i][k][l]",
     400, {"strip j by=", "map thread h_t"}},
    {"an array of an iteration's own", "array x[n][16]: f32 = \"x\" array y[n][16]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n { local t[16]: f32 for j: i32 = 0 .. 4 for k: i32 = 0 .. 4 S0[i, j, k] "
     "for h: i32 = 0 .. 4 for l: i32 = 0 .. 4 S1[i, h, l] }",
     "stmt S0[i, j, k]: t[4 * j + k] = x[i][4 * k + j] + x[i][k] "
     "stmt S1[i, h, l]: y[i][4 * h + l] = t[4 * l + h] * t[h]",
     24, {"map thread j k", "map thread h l", "promote t"}},
    {"the greatest of each step", "array y[n][m][m]: i32 = \"y\" live ",
     "for i: i32 = 0 .. n for k: i32 = 0 .. m - 1 { local q: i32 S0[i, k] for j: i32 = 0 .. m S1[i, k, j] "
     "for h: i32 = 0 .. m S2[i, k, h] }",
     "stmt S0[i, k]: q = 0 stmt S1[i, k, j]: q max= y[i][j][k] "
     "stmt S2[i, k, h]: y[i][h][k + 1] = y[i][h][k + 1] - 3 * q",
     100, {"reduce j h by="}},
    {"sums of a row of elements in each step", "array y[n][m][4]: i32 = \"y\" live ",
     "for i: i32 = 0 .. n { local s[4]: i32 for k: i32 = 0 .. 4 { for c: i32 = 0 .. 4 S0[i, k, c] "
     "for j: i32 = 0 .. m for d: i32 = 0 .. 4 S1[i, k, j, d] for h: i32 = 0 .. m S2[i, k, h] } }",
     "stmt S0[i, k, c]: s[c] = c stmt S1[i, k, j, d]: s[d] += y[i][j][k] * y[i][j][d] "
     "stmt S2[i, k, h]: y[i][h][k] = y[i][h][k] - s[k]",
     100, {"reduce j h by="}},
    {"a table that each point continues", Y, STEPS "for l: i32 = 1 .. m S0[i, k, l]",
     "stmt S0[i, k, l]: y[i][k][l] = y[i][k][l - 1] + y[i][0][l]", 24,
     {"stage y at=i", "skew l with=k by=1", "map thread k_t"}},
    {"a row that each step changes in turn", "array x[n][m + 1]: f32 = \"x\" live ",
     "for i: i32 = 0 .. n for k: i32 = 0 .. m for l: i32 = 0 .. m - k S0[i, k, l]",
     "stmt S0[i, k, l]: x[i][l] = 0.25 * x[i][l] + 0.75 * x[i][l + 1]", 150,
     {"define m value=150", "stage x at=i", "skew l with=k by=2", "map thread k_t"}},
    {"waves between steps", "array x[n][m]: f32 = \"x\" live array z[n][m][m]: f32 = \"z\" ",
     "for i: i32 = 0 .. n { local t[128]: f32 for j: i32 = 0 .. m S0[i, j] "
     "for k: i32 = 0 .. m for l: i32 = 1 .. m S1[i, k, l] for h: i32 = 0 .. m S2[i, h] }",
     "stmt S0[i, j]: t[j] = x[i][j] stmt S1[i, k, l]: t[l] = t[l] + 0.5 * t[l - 1] + z[i][k][l] "
     "stmt S2[i, h]: x[i][h] = t[h]",
     60, {"map thread j", "map thread h", "promote t", "map thread k_t"}},
    {"steps of which nothing is free", Y, STEPS "for l: i32 = 1 .. m S0[i, k, l]",
     "stmt S0[i, k, l]: y[i][k][l] = y[i][k][l - 1] + y[i][m - 1 - k][m - 1 - l]", 24, {NULL}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(const Case *x) {
    const int64_t sizes[][3] = {{1, x->length, 1}, {3, x->length, 3}, {2, 7, 2}};
    Compile *c = compile_new();
    const char *text = arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\nparam p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                    x->arrays, x->loops, x->stmts);
    Nest *start = start_of(c, text);
    Nest *nest[PLAN_VARIANTS];
    const Nest *n = NULL;
    int some = nests_for(c, start->region, (int64_t[3]){2000, x->length, 50}, nest, NULL);
    for (int k = 0; k < some && !n; k++) // whole, not in parts of the standard nest
        if (strstr(nest[k]->recipe, "map block i\n")) n = nest[k];
    if (!x->wanted[0]) {
        if (n) fail_msg("%s: %s", x->name, n->recipe);
        return compile_free(c);
    }
    for (int k = 0; k < 4 && x->wanted[k]; k++)
        if (!n || !strstr(n->recipe, x->wanted[k]))
            fail_msg("%s: no %s: %s", x->name, x->wanted[k], n ? n->recipe : "");
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN)
        fail_msg("%s: %s\n%s", x->name, v.why ? v.why : "not decided", n->recipe);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && (x->length < 200 || s == 2); s++)
        if (is_right(n, &v, sizes[s]) == 0)
            fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][0], (int)sizes[s][1], n->recipe);
    if (is_right(n, &v, sizes[x->length < 200 ? 1 : 2]) < 0)
        fail_msg("%s: not for its size\n%s", x->name, n->recipe);
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
