// SPDX-License-Identifier: MIT
// steps_parts_test.c -- what a loop of the host holds gets the kernels that it would have alone: priced below
// the standard nest, proved and right
#include "called.h"
#include "ir/verify.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    int64_t sizes[3];
    const char *has; // a piece of the nest's text that only a strategy's kernel has
} Case;
static const Case cases[] = {
    {"a table by diagonals, of which each element looks at its row and its column",
     "array t[n][n]: i32 = \"t\" live ",
     "for d: i32 = 1 .. n for i: i32 = 0 .. n - d for k: i32 = i + 1 .. i + d S0[d, i, k]",
     "stmt S0[d, i, k]: t[i][i + d] max= t[i][k] + t[k + 1][i + d]", {2500, 1, 1}, "shared"},
    {"the same, in the order of rows, beside conditions", "array t[n][n]: i32 = \"t\" live ",
     "for i: i32 = 0 .. n for j: i32 = n - i .. n { if (j >= 1) S0[i, j] "
     "for k: i32 = n - i .. j S1[i, j, k] }",
     "stmt S0[i, j]: t[n - 1 - i][j] max= t[n - 1 - i][j - 1] "
     "stmt S1[i, j, k]: t[n - 1 - i][j] max= t[n - 1 - i][k] + t[k + 1][j]", {2500, 1, 1}, "shared"},
    {"half a step along rows", "array x[n][n]: f64 = \"x\" array y[n][n]: f64 = \"y\" live ",
     "for s: i32 = 0 .. m { for i: i32 = 0 .. n for j: i32 = 1 .. n S0[s, i, j] "
     "for i1: i32 = 0 .. n for j1: i32 = 1 .. n S1[s, i1, j1] }",
     "stmt S0[s, i, j]: y[i][j] = x[i][j] + 0.5 * y[i][j - 1] "
     "stmt S1[s, i1, j1]: y[j1][i1] = x[j1][i1] + 0.5 * y[j1 - 1][i1]", {2000, 20, 1}, "shared"},
    {"sums along columns of what is left", // which stays small, so that sums of any order are the same
     "array a[m][n]: f64 = \"a\" live array q[m][n]: f64 = \"q\" array r[n][n]: f64 = \"r\" live ",
     "for k: i32 = 0 .. n { for j: i32 = k + 1 .. n for i: i32 = 0 .. m S0[k, j, i] "
     "for j1: i32 = k + 1 .. n for i1: i32 = 0 .. m S1[k, j1, i1] }",
     "stmt S0[k, j, i]: r[k][j] += q[i][k] * a[i][j] "
     "stmt S1[k, j1, i1]: a[i1][j1] = max(0.0, min(4.0, a[i1][j1] - r[k][j1]))", {1000, 1200, 1}, "shared"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {2, 3, 1}, {33, 5, 1}, {40, 34, 1}};
    Compile *c = compile_new();
    const char *text = arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop reassociate {\n"
                                    "param n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\nparam p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                    x->arrays, x->loops, x->stmts);
    Nest *start = start_of(c, text);
    const Nest *n = nest_for(c, start->region, x->sizes);
    if (!n) fail_msg("%s: the standard nest", x->name);
    const char *tree = ir_print_nest(c->arena, n);
    if (!strstr(tree, x->has)) fail_msg("%s: no part has its kernel\n%s", x->name, tree);
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN)
        fail_msg("%s: %s\n%s", x->name, v.why ? v.why : "not decided", tree);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (is_right(n, &v, sizes[s]) == 0)
            fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][0], (int)sizes[s][1], tree);
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) check(&cases[i]);
}

// Two parts make a buffer each, of the same array: their names are two.
static void names(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *start = start_of(
        c, "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
           "param p: i32 = \"p\"\narray a[n][n]: f64 = \"a\" array x[n]: f64 = \"x\" live "
           "array y[n]: f64 = \"y\" live "
           "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i S0[i, j] S1[i] } "
           "for k: i32 = 0 .. n { for l: i32 = 0 .. k S2[k, l] S3[k] } }\n"
           "stmt S0[i, j]: x[i] += -a[i][j] * x[j] stmt S1[i]: x[i] = x[i] / a[i][i]\n"
           "stmt S2[k, l]: y[k] += -a[k][l] * y[l] stmt S3[k]: y[k] = y[k] / a[k][k]\n}\n");
    const Region *r = start->region;
    Nest *n = plan_default(c, r, dep_analyze(c, r), &(PlanOptions){"gpu", .asserted = true});
    Loc where;
    assert_non_null(n);
    const char *why = verify_nest(c->arena, n, &where), *tree = ir_print_nest(c->arena, n);
    if (why) fail_msg("%s\n%s", why, tree);
    const char *first = strstr(tree, "shared sa");
    if (!first || !strstr(first + 1, "shared sa")) fail_msg("no two corners in shared memory\n%s", tree);
    for (int i = 0; i < c->diags.n; i++)
        if (c->diags.at[i].code == SC_BUG) fail_msg("%s", c->diags.at[i].text);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
