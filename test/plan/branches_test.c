// SPDX-License-Identifier: MIT
// branches_test.c -- loops that the planner takes apart where a condition changes, and those that it leaves
#include "../rule/follow.h"

// Sums over k of one thing up to m, of another from there on.
#define SIDES(condition)                                                                           \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"         \
    "array a[?][n]: f32 = \"a\" live\narray b[?][n]: f32 = \"b\" live\narray c[?][n]: f32 = \"c\" live\n" \
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { local s: f32 S0[i, j]\n"                      \
    "for k: i32 = 0 .. n { if (" condition ") S1[i, j, k] else S2[i, j, k] } S3[i, j] } } }\n"       \
    "stmt S0[i, j]: s = 0.0\nstmt S1[i, j, k]: s += a[i][k]\nstmt S2[i, j, k]: s += b[k][j]\n"       \
    "stmt S3[i, j]: c[i][j] = s\n}\n"

static Nest *planned(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "f", text);
    if (!f) fail_msg("%s", last_diag(c));
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    assert_non_null(n);
    return n;
}

static void count_conditions(Node *n, void *arg) {
    if (n->kind == N_IF && n->other) ++*(int *)arg;
}

static void taken_apart(void **state) {
    (void)state;
    static const char *const texts[] = {SIDES("k < m"), SIDES("k >= m + 2"), SIDES("k == m")};
    for (int i = 0; i < 3; i++) {
        Compile *c = compile_new();
        Nest *n = planned(c, texts[i]);
        if (!strstr(n->recipe, "branch k\n")) fail_msg("not taken apart:\n%s", ir_print_nest(c->arena, n));
        assert_true(compare_values(n) > 0);
        compile_free(c);
    }
}

// What was found out of loops serves the next who plans them, and he has a nest with all of its steps.
static void again(void **state) {
    (void)state;
    static const char *const texts[] = {SIDES("k < m"), SIDES("k == m")};
    for (int i = 0; i < 2; i++) {
        Compile *c = compile_new();
        Nest *n = planned(c, texts[i]);
        Nest *m = plan_default(c, n->region, dep_analyze(c, n->region), &(PlanOptions){"gpu", true});
        assert_non_null(m);
        assert_string_equal(ir_print_nest(c->arena, m), ir_print_nest(c->arena, n));
        compile_free(c);
    }
}

// A condition that changes from thread to thread, and one that changes in every iteration.
static void left(void **state) {
    (void)state;
    static const char *const texts[] = {SIDES("k < i"), SIDES("k <= j + m"), SIDES("fmod(k, 2) == 0"),
                                        SIDES("n < m")};
    for (int i = 0; i < 4; i++) {
        Compile *c = compile_new();
        Nest *n = planned(c, texts[i]);
        int conditions = 0;
        node_walk(n->root, count_conditions, &conditions);
        assert_null(strstr(n->recipe, "branch "));
        assert_true(conditions > 0);
        assert_true(compare_values(n) > 0);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken_apart), cmocka_unit_test(again),
                                       cmocka_unit_test(left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
