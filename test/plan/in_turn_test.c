// SPDX-License-Identifier: MIT
// in_turn_test.c -- on a processor: loops as they are written, in one thread, where that is quicker, tiles
// where loops go across memory, proved and right; else what the planner makes of them
#include "called.h"

#define REGION                                                                                     \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\narray a[n][n]: f64 = \"a\" " \
    "array x[n]: f64 = \"x\" live "
typedef struct Case {
    const char *name, *text;
    const char *wants, *lacks; // in its recipe; NULL: it is none of these
} Case;
static const Case cases[] = {
    {"a triangular system", REGION
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i S0[i, j] S1[i] } } "
     "stmt S0[i, j]: x[i] += -a[i][j] * x[j] stmt S1[i]: x[i] = x[i] / a[i][i] }", "single i", "grid"},
    {"sums along rows", REGION "do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "
     "stmt S0[i, j]: x[i] += a[i][j] }", NULL, NULL},
    {"rows one after another, each of free elements", REGION
     "do { for i: i32 = 1 .. n for j: i32 = 0 .. n S0[i, j] } "
     "stmt S0[i, j]: a[i][j] += a[i - 1][j] }", NULL, NULL},
    {"a transpose", REGION "array b[n][n]: f64 = \"b\" live "
     "do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "
     "stmt S0[i, j]: b[j][i] = a[i][j] + x[i] }", "tile i j", "grid"},
    {"a copy", REGION "array b[n][n]: f64 = \"b\" live "
     "do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "
     "stmt S0[i, j]: b[i][j] = a[i][j] + x[i] }", NULL, NULL},
};

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 1, 1}, {40, 1, 1}};
    Compile *c = compile_new();
    Nest *start = start_of(c, x->text), *nest[PLAN_VARIANTS];
    const Region *r = start->region;
    const char *why;
    InterpVal vals[8];
    set_sizes(r, (int64_t[3]){4096, 1, 1}, vals);
    PlanCall call = {.target = "cpu", .nvals = r->nparams, .vals = vals, .processors = 16,
                     .pick = nests_first, .machine = machine_find(c->arena, "CPU", &why)};
    const DepInfo *d = dep_analyze(c, r);
    Nest *standard = plan_default(c, r, d, &(PlanOptions){"cpu", .asserted = true});
    assert_non_null(standard);
    int n = plan_variants_for(c, r, d, &call, standard, nest, PLAN_VARIANTS);
    const char *recipe = n ? nest[0]->recipe : standard->recipe;
    bool is = x->wants && strstr(recipe, x->wants) && !strstr(recipe, x->lacks);
    bool none = !strstr(recipe, "single i") && !strstr(recipe, "tile");
    if (x->wants ? !is : !none) fail_msg("%s: %s", x->name, recipe);
    if (is) {
        Verdict v = dep_judge(c, r, nest[0]->root);
        assert_true(v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            assert_int_not_equal(is_right(nest[0], &v, sizes[s]), 0);
    }
    if (is && strstr(recipe, "single")) {
        int64_t may; // sizes of the call's magnitude, and no greater ones
        for (int at = 0; at < 2; at++) {
            set_sizes(r, (int64_t[3]){at ? 9000 : 8000, 1, 1}, vals);
            assert_true(ir_eval(nest[0]->when, r->nparams, vals, &may));
            assert_int_equal(may, !at);
        }
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
