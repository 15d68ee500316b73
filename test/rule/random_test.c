// SPDX-License-Identifier: MIT
// random_test.c -- random steps with random knobs, one after another: what the judge accepts
// computes what the region computes. SCULPT_TEST_SEED repeats a run, SCULPT_TEST_COUNT makes it longer.
#include "../sample.h"
#include "walk.h"
#include "rule/examples.h"
#include "../dep/data.h"
#include <stdio.h>

static const char *const regions[] = {
    EXAMPLE_PRODUCT, EXAMPLE_SEIDEL, EXAMPLE_CHAIN, EXAMPLE_BODY, EXAMPLE_TRIANGLE, EXAMPLE_EACH,
    // A wave: each element from its left and upper neighbours, two arrays, a condition.
    "sculpt 1 region wave sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array a[n][m]: i32 = \"a\" live "
    "array b[n][m]: i32 = \"b\" live do { for i: i32 = 1 .. n for j: i32 = 1 .. m { "
    "if (i + j < n) S0[i, j] else S1[i, j] S2[i, j] } } "
    "stmt S0[i, j]: a[i][j] = a[i - 1][j] + a[i][j - 1] stmt S1[i, j]: a[i][j] = 1 "
    "stmt S2[i, j]: b[i][j] = a[i][j] * 2 }",
    // Time steps over two arrays.
    "sculpt 1 region jacobi sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" "
    "array x[n]: f64 = \"x\" live "
    "array y[n]: f64 = \"y\" live do { for t: i32 = 0 .. steps { for i: i32 = 1 .. n - 1 S0[t, i] "
    "for k: i32 = 1 .. n - 1 S1[t, k] } } "
    "stmt S0[t, i]: y[i] = x[i - 1] - x[i + 1] stmt S1[t, k]: x[k] = y[k] }",
    // Loops with constant bounds and a step, and a triangle from the other side.
    "sculpt 1 region small sculpt { param n: i64 = \"n\" array a[n + 8][8]: i64 = \"a\" live "
    "do { for i: i64 = n - 1 .. -1 step -1 for j: i32 = 0 .. 7 step 3 for k: i64 = i .. n S0[i, j, k] } "
    "stmt S0[i, j, k]: a[k][j] += i + 3 }",
};
enum { NREGIONS = sizeof regions / sizeof *regions };

// One region, some steps. Counts what was tried and what was accepted.
static void walk(uint64_t seed, int *tried, int *accepted) {
    Rand g = {seed * 2 + 1};
    for (int i = 0; i < 8; i++) rnd(&g, 2);
    Compile *c = compile_new();
    unsigned which = rnd(&g, NREGIONS + DATA_REGIONS);
    Nest *n = start_of(c, which < NREGIONS ? regions[which] : data_regions[which - NREGIONS]);
    int steps = 1 + (int)rnd(&g, 5);
    for (int k = 0; k < steps && is_small(c, n); k++) {
        const char *why;
        Step *s = random_step(c, n, &g);
        Nest *next = s ? rule_try(c, n, s, &why) : NULL;
        if (!next) continue;
        ++*tried;
        Nest *closed = recipe_finish(c, next);
        if (!ir_verify_nest(c, closed))
            fail_msg("seed %llu: %s\n%s\n%s", (unsigned long long)seed, last_diag(c), next->recipe,
                     ir_print_node(c->arena, next->root, 0));
        Verdict v = dep_judge(c, n->region, closed->root);
        if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) continue;
        if (v.answer == ANSWER_WHEN) closed->when = expr_op(c->arena, OP_LAND, closed->when, v.when, NULL);
        ++*accepted;
        check_text(c, closed);
        compare_values(closed);
        n = next;
    }
    compile_free(c);
}

static void walks(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    int tried = 0, accepted = 0, n = 0, most = (int)test_count(60, 5000);
    for (int k = 0; k < most; k++)
        if (test_mine()) n++, walk(seed + (uint64_t)k, &tried, &accepted);
    printf("%d walks: %d of %d steps accepted\n", n, accepted, tried);
    assert_true(accepted > n / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
