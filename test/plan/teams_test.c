// SPDX-License-Identifier: MIT
// teams_test.c -- rows that are reduced by teams of threads: which regions they are, whether each recipe is
// proved and right, and which team is taken at which size
#include "shaped.h"
#include "plan/teams.h"
#include "run/pick.h"

typedef struct Rowwise {
    const char *name, *arrays, *loops, *stmts;
    bool permit, found;
} Rowwise;
#define MATRIX "array a[n][m]: f32 = \"a\" array x[m]: f32 = \"x\" array y[n]: f32 = \"y\" live "
static const Rowwise cases[] = {
    {"matrix by vector", MATRIX, "for i: i32 = 0 .. n { S0[i] for j: i32 = 0 .. m S1[i, j] }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, j]: y[i] += a[i][j] * x[j] fused", true, true},
    {"in strict order", MATRIX, "for i: i32 = 0 .. n { S0[i] for j: i32 = 0 .. m S1[i, j] }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, j]: y[i] += a[i][j] * x[j] fused", false, false},
    {"greatest of whole numbers", "array a[n][m]: i32 = \"a\" array y[n]: i32 = \"y\" live ",
     "for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j]", "stmt S0[i, j]: y[i] max= a[i][j]", false, true},
    {"loops swapped", MATRIX, "for j: i32 = 0 .. m for i: i32 = 0 .. n S0[j, i]",
     "stmt S0[j, i]: y[i] += a[i][j] * x[j]", true, true},
    {"softmax", "array a[n][m]: f32 = \"a\" live ",
     "for i: i32 = 0 .. n { local s: f32 local t: f32 S0[i] S1[i] for j: i32 = 0 .. m S2[i, j] "
     "for k: i32 = 0 .. m S3[i, k] "
     "for l: i32 = 0 .. m S4[i, l] }",
     "stmt S0[i]: s = 0.0 stmt S1[i]: t = -100.0 stmt S2[i, j]: t max= a[i][j] "
     "stmt S3[i, k]: s += a[i][k] - t "
     "stmt S4[i, l]: a[i][l] = (a[i][l] - t) * s", true, true},
    {"batches", "array a[p][n][m]: f64 = \"a\" array y[p][n]: f64 = \"y\" live ",
     "for b: i32 = 0 .. p for i: i32 = 0 .. n { local s: f64 S0[b, i] "
     "for j: i32 = 0 .. m S1[b, i, j] S2[b, i] }",
     "stmt S0[b, i]: s = 0.0 stmt S1[b, i, j]: s += a[b][i][j] * a[b][i][j] stmt S2[b, i]: y[b][i] = s", true,
     true},
    {"triangle", "array a[n][n]: f64 = \"a\" array y[n]: f64 = \"y\" live ",
     "for i: i32 = 0 .. n for j: i32 = 0 .. i + 1 S0[i, j]",
     "stmt S0[i, j]: y[i] += a[i][j]", true, true},
    {"rows of a sparse matrix",
     "array row[n + 1]: i32 = \"row\" array v[m]: i32 = \"v\" array y[n]: i32 = \"y\" live ",
     "for i: i32 = 0 .. n { local s: i32 S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0 stmt S1[i, k]: s += v[k] stmt S2[i]: y[i] = s", false, true},
    {"a norm of groups of planes", "array x[n][p][m]: f32 = \"x\" array y[n][p][m]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. p for j: i32 = 0 .. m S1[i, k, j] "
     "for l: i32 = 0 .. p for h: i32 = 0 .. m S2[i, l, h] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k, j]: s += x[i][k][j] stmt S2[i, l, h]: y[i][l][h] = x[i][l][h] - s",
     true, true},
    {"a norm of planes of batches", "array x[p][n][m]: f32 = \"x\" array y[n]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for k: i32 = 0 .. p for j: i32 = 0 .. m S0[i, k, j]",
     "stmt S0[i, k, j]: y[i] += x[k][i][j] * x[k][i][j]", true, true},
    {"columns", "array a[m][n]: f32 = \"a\" array y[n]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j]",
     "stmt S0[i, j]: y[i] += a[j][i]", true, false},
    {"all pairs", "array a[n][m]: f32 = \"a\" array b[p][m]: f32 = \"b\" array y[n][p]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for j: i32 = 0 .. p for k: i32 = 0 .. m S0[i, j, k]",
     "stmt S0[i, j, k]: y[i][j] += a[i][k] - b[j][k]", true, false},
    {"elements that move",
     "array a[n][m]: f32 = \"a\" array b[n][p]: f32 = \"b\" array y[n][p]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for k: i32 = 0 .. m for j: i32 = 0 .. p S0[i, k, j]",
     "stmt S0[i, k, j]: y[i][j] += a[i][k] * b[i][j]", true, false},
    {"sums so far", "array a[n][m]: f32 = \"a\" live ", "for i: i32 = 0 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: a[i][j] += a[i][j - 1]", true, false},
};
enum { CASES = sizeof cases / sizeof *cases, SIZES = sizeof teams_sizes / sizeof *teams_sizes };

static Nest *started(Compile *c, const Rowwise *x) {
    return start_of(c, arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\n"
                                    "param p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                    x->permit ? " reassociate" : "", x->arrays, x->loops, x->stmts));
}

// What is found, is right; where data tell how long rows are, those of the test's memory are of any length.
static void check(const Rowwise *x, int by) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 2}, {33, 3, 1}, {4, 300, 3}};
    Compile *c = compile_new();
    Nest *start = started(c, x);
    Teams k;
    if (!teams_find(c, start->region, dep_analyze(c, start->region), &k)) fail_msg("%s: not found", x->name);
    char *recipe = teams_recipe(c->arena, &k, by);
    Nest *n = follow(c, start, recipe, JUDGE_NONE);
    if (!n) fail_msg("%s: %s\n%s", x->name, last_diag(c), recipe);
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer == ANSWER_NEVER || (v.answer == ANSWER_UNKNOWN && by <= 32)) fail_msg("%s: %s\n%s", x->name,
        v.why ? v.why : "not decided", recipe);
    if (v.answer == ANSWER_UNKNOWN) v = (Verdict){ANSWER_WHEN, n->when, NULL};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s by %d: wrong at %d x %d\n%s", x->name, by,
                                                     (int)sizes[s][0], (int)sizes[s][1], recipe);
    compile_free(c);
}

static void found(void **state) {
    (void)state;
    unsigned seed = (unsigned)test_seed();
    for (unsigned i = 0; i < CASES; i++) {
        Compile *c = compile_new();
        Nest *start = started(c, &cases[i]);
        Teams k;
        if (teams_find(c, start->region, dep_analyze(c, start->region),
                       &k) != cases[i].found) fail_msg("%s: %s", cases[i].name,
                                                       cases[i].found ? "not found" : "found");
        compile_free(c);
        for (unsigned s = 0; cases[i].found && s < SIZES; s++)
            if ((test_all() || s == (seed + i) % SIZES) && test_mine()) check(&cases[i], teams_sizes[s]);
    }
}

// Many short rows: teams of a few; longer ones: warps; few long ones: blocks.
static void chosen(void **state) {
    (void)state;
    static const struct {
        int64_t n, m;
        const char *by;      // the end of the recipe; NULL: none of them
    } at[] = {{1000000, 20, "by=8"}, {100000, 1000, "by=32"}, {100, 100000, "by=1024"}, {100000, 4, NULL}};
    Compile *c = compile_new();
    Nest *start = started(c, &cases[0]), *nest[PLAN_VARIANTS];
    int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
    assert_int_equal(n, SIZES + 1); // and that which keeps the order
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        Pick pick = {.at = -1};
        for (int k = 0; k < n; k++) {
            InterpVal vals[8];
            int nvals = 0;
            const Region *r = nest[k]->region;
            vals[nvals++] = (InterpVal){.sym = r->params[0], .i = at[i].n};
            vals[nvals++] = (InterpVal){.sym = r->params[1], .i = at[i].m};
            for (int f = 0; f < nest[k]->nfacts; f++)
                vals[nvals++] = (InterpVal){.sym = nest[k]->facts[f].sym,
                                            .i = nest[k]->facts[f].kind == FACT_PROCESSORS ? 132 : 4000000};
            pick_look(&pick, k, nest[k], nvals, vals);
        }
        const char *recipe = pick.at < 0 ? "" : nest[pick.at]->recipe;
        if (at[i].by ? !strstr(recipe, at[i].by) : pick.at >= 0) fail_msg("%d rows of %d: %s", (int)at[i].n,
            (int)at[i].m, recipe);
    }
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
