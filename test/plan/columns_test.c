// SPDX-License-Identifier: MIT
// columns_test.c -- sums along columns, and both ways through a matrix, in several spellings: found, proved,
// priced below the standard nest, and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    bool permit;
    // what stands in the recipe for a square, and for 256 columns of a million; NULL: not taken
    const char *large, *few;
} Case;
#define MATRIX "array a[n][m]: f32 = \"a\" array x[n]: f32 = \"x\" array y[m]: f32 = \"y\" live "
#define COLUMN "for j: i32 = 0 .. m "
#define SUM "for i: i32 = 0 .. n "
#define OUTSIDE "outside=yes"
#define TWICE "in=local as=sv0"
#define PARTS "distribute cp0 parts=0,0,1\n"
static const Case cases[] = {
    {"a sum in a scalar", MATRIX, COLUMN "{ local s: f32 S0[j] " SUM "S1[j, i] S2[j] }",
     "stmt S0[j]: s = 0.0 stmt S1[j, i]: s += a[i][j] stmt S2[j]: y[j] = s", true, OUTSIDE, PARTS},
    {"in strict order", MATRIX, COLUMN "{ local s: f32 S0[j] " SUM "S1[j, i] S2[j] }",
     "stmt S0[j]: s = 0.0 stmt S1[j, i]: s += a[i][j] stmt S2[j]: y[j] = s", false, NULL, NULL},
    {"a vector by a matrix, rows outside", MATRIX, SUM COLUMN "S0[i, j]",
     "stmt S0[i, j]: y[j] += a[i][j] * x[i] fused", true, OUTSIDE, PARTS},
    {"columns outside, in place", MATRIX, COLUMN "{ S0[j] " SUM "S1[j, i] }",
     "stmt S0[j]: y[j] = 1.0 stmt S1[j, i]: y[j] += a[i][j] * x[i] fused", true, OUTSIDE, PARTS},
    {"least of whole numbers", "array a[n][m]: i32 = \"a\" array y[m]: i32 = \"y\" live ",
     SUM COLUMN "S0[i, j]", "stmt S0[i, j]: y[j] min= a[i][j]", false, OUTSIDE, PARTS},
    {"sum and sum of squares at once", MATRIX "array z[m]: f32 = \"z\" live ",
     SUM COLUMN "{ S0[i, j] S1[i, j] }",
     "stmt S0[i, j]: y[j] += a[i][j] stmt S1[i, j]: z[j] += a[i][j] * a[i][j] fused", true, OUTSIDE,
     "distribute cp0 parts=0,0,0,1,1"},
    {"two loops in one of rows", MATRIX "array z[m]: f32 = \"z\" live ",
     SUM "{ " COLUMN "S0[i, j] for k: i32 = 0 .. m S1[i, k] }",
     "stmt S0[i, j]: y[j] += a[i][j] stmt S1[i, k]: z[k] += a[i][k] * a[i][k] fused", true, OUTSIDE, PARTS},
    {"softmax along columns", "array a[n][m]: f32 = \"a\" live ",
     COLUMN "{ local s: f32 local t: f32 S0[j] S1[j] " SUM
            "S2[j, i] for k: i32 = 0 .. n S3[j, k] for l: i32 = 0 .. n S4[j, l] }",
     "stmt S0[j]: s = 0.0 stmt S1[j]: t = -100.0 stmt S2[j, i]: t max= a[i][j] stmt S3[j, k]: s += a[k][j] - "
     "t "
     "stmt S4[j, l]: a[l][j] = (a[l][j] - t) * s",
     true, "reduce i k l by=16 outside=yes", OUTSIDE},
    {"batches", "array a[p][n][m]: f64 = \"a\" array y[p][m]: f64 = \"y\" live ",
     "for b: i32 = 0 .. p " SUM COLUMN "S0[b, i, j]", "stmt S0[b, i, j]: y[b][j] += a[b][i][j]", true,
     OUTSIDE, OUTSIDE},
    {"half of a symmetric matrix",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { local s: f32 S0[i] for j: i32 = 0 .. i S1[i, j] for k: i32 = i .. m S2[i, k] "
     "S3[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] * x[j] fused stmt S2[i, k]: s += a[k][i] * x[k] fused "
     "stmt S3[i]: y[i] = s",
     true, TWICE, OUTSIDE},
    {"half of it by a condition",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { S0[i] for j: i32 = 0 .. m { if (i > j) S1[i, j] else S2[i, j] } }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, j]: y[i] += a[i][j] * x[j] fused stmt S2[i, j]: y[i] += a[j][i] * "
     "x[j] fused",
     true, TWICE, OUTSIDE},
    {"half of a symmetric matrix, each element for two results",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { S0[i] for j: i32 = 0 .. i { S1[i, j] S2[i, j] } }",
     "stmt S0[i]: y[i] += a[i][i] * x[i] fused stmt S1[i, j]: y[j] += a[i][j] * x[i] fused stmt S2[i, j]: "
     "y[i] += a[i][j] * x[j] fused",
     true, TWICE, OUTSIDE},
    {"the other half, each element for two results",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { S0[i] for j: i32 = i + 1 .. m { S1[i, j] S2[i, j] } }",
     "stmt S0[i]: y[i] += a[i][i] * x[i] fused stmt S1[i, j]: y[j] += a[i][j] * x[i] fused stmt S2[i, j]: "
     "y[i] += a[i][j] * x[j] fused",
     true, TWICE, OUTSIDE},
    {"the other half, the sum along columns first",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { local s: f32 S0[i] for j: i32 = 0 .. i S1[i, j] for k: i32 = i .. m S2[i, k] "
     "S3[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[j][i] * x[j] fused stmt S2[i, k]: s += a[i][k] * x[k] fused "
     "stmt S3[i]: y[i] = s",
     true, TWICE, OUTSIDE},
    {"both ways through a matrix",
     "array a[n][m]: f64 = \"a\" array x[n]: f64 = \"x\" array w[m]: f64 = \"w\" array y[m]: f64 = \"y\" "
     "live array z[n]: f64 = \"z\" live ",
     SUM "{ S0[i] " COLUMN "{ S1[i, j] S2[i, j] } }",
     "stmt S0[i]: z[i] = 0.0 stmt S1[i, j]: y[j] += a[i][j] * x[i] fused stmt S2[i, j]: z[i] += a[i][j] * "
     "w[j] fused",
     true, TWICE, OUTSIDE},
    {"both ways, one after the other",
     "array a[n][n]: f32 = \"a\" array x[n]: f32 = \"x\" array w[n]: f32 = \"w\" array y[n]: f32 = \"y\" "
     "live array z[n]: f32 = \"z\" live ",
     SUM "for j: i32 = 0 .. n S0[i, j] for k: i32 = 0 .. n for l: i32 = 0 .. n S1[k, l]",
     "stmt S0[i, j]: y[i] += a[i][j] * x[j] fused stmt S1[k, l]: z[k] += a[l][k] * w[l] fused", true, TWICE,
     TWICE},
    {"both ways, in order",
     "array a[m][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. m { local s: f32 S0[i] for j: i32 = 0 .. i S1[i, j] for k: i32 = i .. m S2[i, k] "
     "S3[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] * x[j] fused stmt S2[i, k]: s += a[k][i] * x[k] fused "
     "stmt S3[i]: y[i] = s",
     false, NULL, NULL},
    {"rows", MATRIX, "for i: i32 = 0 .. m for j: i32 = 0 .. n S0[i, j]", "stmt S0[i, j]: y[i] += x[j]", true,
     NULL, NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

static Nest *started(Compile *c, const Case *x) {
    return start_of(c, arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\n"
                                    "param p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                    x->permit ? " reassociate" : "", x->arrays, x->loops, x->stmts));
}

// The quickest with that in its recipe of all that the model takes to be quicker than the standard nest; else
// the quickest.
static const Nest *best(Compile *c, const Nest *start, int64_t rows, int64_t columns, const char *wanted) {
    Nest *nest[PLAN_VARIANTS];
    int n = nests_for(c, start->region, (int64_t[3]){rows, columns, 1}, nest, NULL);
    for (int i = 0; wanted && i < n; i++)
        if (strstr(nest[i]->recipe, wanted)) return nest[i];
    return n ? nest[0] : NULL;
}

static void check(const Case *x, int64_t rows, int64_t columns, const char *wanted) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 2}, {33, 3, 1}, {300, 40, 1}, {2100, 3, 1},
                                       {3, 301, 1}};
    Compile *c = compile_new();
    Nest *start = started(c, x);
    const Nest *n = best(c, start, rows, columns, wanted);
    if (!wanted ? n && strstr(n->recipe, OUTSIDE) : !n || !strstr(n->recipe, wanted))
        fail_msg("%s, %d columns: %s", x->name, (int)columns, n ? n->recipe : "the standard nest");
    if (wanted) {
        Verdict v = dep_judge(c, n->region, n->root);
        if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s\n%s", x->name,
            v.why ? v.why : "not decided", n->recipe);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s: wrong at %d x %d\n%s", x->name,
                                                         (int)sizes[s][0], (int)sizes[s][1], n->recipe);
        Nest *again = follow(c, start, n->recipe, JUDGE_NONE);
        if (!again || !str_eq(ir_print_node(c->arena, again->root, 0),
                              ir_print_node(c->arena, n->root, 0))) fail_msg("%s: another nest\n%s", x->name,
            n->recipe);
    }
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (unsigned i = 0; i < CASES; i++) {
        if (test_takes(i, 3, seed)) check(&cases[i], 16384, 16384, cases[i].large);
        if (test_takes(i, 3, seed + 1)) check(&cases[i], 1000000, 256, cases[i].few);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
