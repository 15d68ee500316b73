// SPDX-License-Identifier: MIT
// strides_test.c -- loops in steps that begin elsewhere in each row: both loops are mapped, proved, and right
#include "shaped.h"
#include "plan/auto.h"

#define U "array u[n][m]: f32 = \"u\" live "
#define STAR "u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]"
static const struct { const char *name, *loops, *stmts; } cases[] = {
    {"fields of one colour", "for i: i32 = 1 .. n - 1 for j: i32 = 1 + i % 2 .. m - 1 step 2 S0[i, j]",
     "stmt S0[i, j]: u[i][j] = 0.25 * (" STAR ")"},
    {"both colours",
     "for c: i32 = 0 .. 2 for i: i32 = 1 .. n - 1 for j: i32 = 1 + (i + c) % 2 .. m - 1 step 2 S0[c, i, j]",
     "stmt S0[c, i, j]: u[i][j] = 0.25 * (" STAR ")"},
    {"above the diagonal, each third", "for i: i32 = 0 .. n for j: i32 = i .. m step 3 S0[i, j]",
     "stmt S0[i, j]: u[i][j] = u[i][j] * 2.0"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void mapped(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 1}, {33, 3, 1}, {70, 41, 1}, {3, 301, 1}};
    for (int i = 0; i < CASES; i++) {
        Compile *c = compile_new();
        Nest *start = start_of(c, arena_printf(c->arena, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\n"
            "param n: i32 = \"n\"\nparam m: i32 = \"m\"\n" U " do { %s }\n%s\n}\n", cases[i].loops,
            cases[i].stmts));
        const Region *r = start->region;
        const Nest *n = plan_default(c, r, dep_analyze(c, r), &(PlanOptions){"gpu", .asserted = true});
        if (!n || !n->recipe || !strstr(n->recipe, "grid jn i"))
            fail_msg("%s: %s", cases[i].name, n && n->recipe ? n->recipe : "no nest");
        Verdict v = dep_judge(c, n->region, n->root);
        if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN)
            fail_msg("%s: %s\n%s", cases[i].name, v.why ? v.why : "not decided", n->recipe);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (is_right(n, &v, sizes[s]) == 0)
                fail_msg("%s: wrong at %d x %d\n%s", cases[i].name, (int)sizes[s][0], (int)sizes[s][1],
                         n->recipe);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
