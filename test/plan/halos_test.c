// SPDX-License-Identifier: MIT
// halos_test.c -- steps of stencils in several spellings: several of them in one kernel are found, proved,
// priced below the standard nest, and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *first, *second, *third; // statements of the loop nests of a step
    int steps;          // in the call; 0: the standard nest is wanted
} Case;
#define TWO "array u[n][m]: f32 = \"u\" live array v[n][m]: f32 = \"v\" live "
#define THREE TWO "array w[n][m]: f32 = \"w\" live "
static const Case cases[] = {
    {"there and back", TWO, "v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j])",
     "u[i][j] = 0.25 * (v[i][j - 1] + v[i][j + 1] + v[i - 1][j] + v[i + 1][j])", NULL, 4},
    {"copied back", TWO, "v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) * 0.25",
     "u[i][j] = v[i][j]", NULL, 4},
    {"corners and weights", THREE, "v[i][j] = w[i][j] * (u[i - 1][j - 1] + u[i + 1][j + 1])",
     "u[i][j] = v[i][j] + u[i][j]", NULL, 4},
    {"three arrays", THREE, "w[i][j] = 2.0f32 * v[i][j] - u[i][j] + 0.1f32 * (v[i - 1][j] + v[i + 1][j])",
     "u[i][j] = v[i][j]", "v[i][j] = w[i][j]", 6},
    {"what is read lies elsewhere", TWO, "v[i][j] = u[i][m - 1 - j]", "u[i][j] = v[i][j - 1]", NULL, 0},
    {"nothing lies beside", TWO, "v[i][j] = 0.5f32 * u[i][j]", "u[i][j] = v[i][j] * v[i][j]", NULL, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static const Nest *best(Compile *c, const Region *r, int steps) {
    return nest_for(c, r, (int64_t[3]){16384, 16384, steps ? steps : 4});
}

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {3, 3, 9}, {65, 66, 4}, {50, 150, 5}, {140, 2, 4}};
    Compile *c = compile_new();
    Text loops = text_new(c->arena), stmts = text_new(c->arena);
    const char *stage[] = {x->first, x->second, x->third};
    for (int k = 0; k < 3 && stage[k]; k++) {
        text_printf(&loops, "for i: i32 = 1 .. n - 1 for j: i32 = 1 .. m - 1 S%d[t, i, j] ", k);
        text_printf(&stmts, "stmt S%d[t, i, j]: %s ", k, stage[k]);
    }
    Nest *start = start_of(c,
                           arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
                                        "param m: i32 = \"m\"\nparam p: i32 = \"p\"\n"
                                                     "%s do { for t: i32 = 0 .. p { %s } }\n%s\n}\n",
                                                     x->arrays, text_str(&loops), text_str(&stmts)));
    const Nest *n = best(c, start->region, x->steps);
    bool found = n && strstr(n->recipe, "halo ");
    if (found != (x->steps > 0)) fail_msg("%s: %s", x->name, n ? n->recipe : "the standard nest");
    if (found) {
        Verdict v = dep_judge(c, n->region, n->root);
        if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s\n%s", x->name,
            v.why ? v.why : "not decided", n->recipe);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s: wrong at %d x %d\n%s", x->name,
                                                         (int)sizes[s][0], (int)sizes[s][1], n->recipe);
    }
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (unsigned i = 0; i < CASES; i++) check(&cases[i]);
}

static bool goes_through_planes(const Nest *n) {
    int each[3];
    const char *per = strstr(n->recipe, "per=");
    bool here = per && sscanf(per, "per=%d,%d,%d", &each[0], &each[1], &each[2]) == 3 && each[2] > 1;
    for (int i = 0; n->parts && i < n->parts->n; i++) here = here || goes_through_planes(n->parts->nest[i]);
    return here;
}

// Of three loops each step is a kernel of its own, whose threads go through planes.
static void planes(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *start = start_of(c,
                           "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
                           "param p: i32 = \"p\"\n"
                              "array u[n][n][n]: f32 = \"u\" live array v[n][n][n]: f32 = \"v\" live\n"
                              "do { for t: i32 = 0 .. p {\n"
                              "for i: i32 = 1 .. n - 1 for j: i32 = 1 .. n - 1 "
                              "for k: i32 = 1 .. n - 1 S0[t, i, j, k]\n"
                              "for i: i32 = 1 .. n - 1 for j: i32 = 1 .. n - 1 "
                              "for k: i32 = 1 .. n - 1 S1[t, i, j, k]\n} }\n"
                              "stmt S0[t, i, j, k]: v[i][j][k] = u[i][j][k - 1] + u[i + 1][j][k] + "
                              "u[i - 1][j][k] + u[i][j + 1][k]\n"
                              "stmt S1[t, i, j, k]: u[i][j][k] = v[i][j][k + 1] + v[i + 1][j][k] + "
                              "v[i - 1][j][k] + v[i][j - 1][k]\n}\n");
    const Region *r = start->region;
    Nest *nest[PLAN_VARIANTS];
    const int64_t sizes[][3] = {{3, 0, 2}, {9, 0, 3}, {20, 0, 2}};
    assert_true(nests_for(c, r, (int64_t[3]){512, 0, 10}, nest, NULL) > 0);
    if (!goes_through_planes(nest[0])) fail_msg("%s", nest[0]->recipe);
    Verdict v = dep_judge(c, r, nest[0]->root);
    assert_true(v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) assert_true(is_right(nest[0], &v,
        sizes[s]) != 0);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken), cmocka_unit_test(planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
