// SPDX-License-Identifier: MIT
// waves_test.c -- recurrences in two dimensions, in several spellings: tiles in shared memory are found,
// proved, priced below the standard nest, and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    const char *wanted;   // what stands in the recipe for a large matrix; NULL: the standard nest
    bool whole;           // beside it a kernel for whole tiles, where sizes say how many iterations there are
} Case;
#define TABLE "array d[n + 1][m + 1]: i32 = \"d\" live array a[n]: i32 = \"a\" array b[m]: i32 = \"b\" "
#define ALL "for i: i32 = 1 .. n + 1 for j: i32 = 1 .. m + 1 "
static const Case cases[] = {
    {"Gauss and Seidel", "array u[n][m]: f32 = \"u\" live ",
     "for i: i32 = 1 .. n - 1 for j: i32 = 1 .. m - 1 S0[i, j]",
     "stmt S0[i, j]: u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1])", "stage u"},
    {"Gauss and Seidel, upward", "array u[n][m]: f64 = \"u\" live ",
     "for i: i32 = n - 2 .. 0 step -1 for j: i32 = m - 2 .. 0 step -1 S0[i, j]",
     "stmt S0[i, j]: u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]", "stage u"},
    {"changes of a text", TABLE, ALL "{ local s: i32 S0[i, j] S1[i, j] }",
     "stmt S0[i, j]: s = min(d[i - 1][j], d[i][j - 1]) + 1 "
     "stmt S1[i, j]: d[i][j] = min(s, d[i - 1][j - 1] + i32(a[i - 1] != b[j - 1]))", "stage d", true},
    {"the border on the way", TABLE,
     "for i: i32 = 0 .. n + 1 for j: i32 = 0 .. m + 1 { if (i == 0) S0[i, j] else { "
     "if (j == 0) S1[i, j] else { local t: i32 "
     "if (a[i - 1] == b[j - 1]) S2[i, j] else S3[i, j] S4[i, j] } } }",
     "stmt S0[i, j]: d[i][j] = j stmt S1[i, j]: d[i][j] = i stmt S2[i, j]: t = d[i - 1][j - 1] "
     "stmt S3[i, j]: t = min(d[i - 1][j - 1], min(d[i - 1][j], d[i][j - 1])) + 1 stmt S4[i, j]: d[i][j] = t",
     "stage d", true},
    {"a border in one condition", TABLE,
     "for i: i32 = 0 .. n + 1 for j: i32 = 0 .. m + 1 { if (i == 0 || j == 0) S0[i, j] else { local t: i32 "
     "if (a[i - 1] == b[j - 1]) S1[i, j] else S2[i, j] S3[i, j] } }",
     "stmt S0[i, j]: d[i][j] = 0 stmt S1[i, j]: t = d[i - 1][j - 1] + 1 "
     "stmt S2[i, j]: t = max(d[i - 1][j], d[i][j - 1]) stmt S3[i, j]: d[i][j] = t",
     "stage d"},
    {"another order of the border", TABLE,
     "for i: i32 = 0 .. n + 1 for j: i32 = 0 .. m + 1 { if (j == 0) S0[i, j] else { if (i != 0) S1[i, j] "
     "else S2[i, j] } }",
     "stmt S0[i, j]: d[i][j] = i stmt S1[i, j]: d[i][j] = d[i - 1][j] + d[i][j - 1] "
     "stmt S2[i, j]: d[i][j] = j",
     "stage d", true},
    {"weights", "array u[n][m]: f32 = \"u\" live array w[n][m]: f32 = \"w\" ",
     "for i: i32 = 1 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: u[i][j] = u[i - 1][j] * w[i][j] + u[i][j - 1]", "stage w"},
    {"three tables",
     "array a[n]: i32 = \"a\" array b[m]: i32 = \"b\" array h[n + 1][m + 1]: f32 = \"h\" live "
     "array e[n + 1][m + 1]: f32 = \"e\" live array f[n + 1][m + 1]: f32 = \"f\" live ",
     ALL "{ S0[i, j] S1[i, j] S2[i, j] }",
     "stmt S0[i, j]: e[i][j] = max(e[i][j - 1], h[i][j - 1] - 4.0) - 1.0 "
     "stmt S1[i, j]: f[i][j] = max(f[i - 1][j], h[i - 1][j] - 4.0) - 1.0 "
     "stmt S2[i, j]: h[i][j] = max(h[i - 1][j - 1] + f32(a[i - 1] == b[j - 1]), max(e[i][j], f[i][j]))",
     "hoist sf", true},
    {"rows that are free, each from the one before", "array u[n][n]: i32 = \"u\" live ",
     "for i: i32 = 1 .. n for j: i32 = 1 .. i S0[i, j]",
     "stmt S0[i, j]: u[i][j] = u[i - 1][j - 1] + u[i - 1][j]", "stage u"},
    {"from far above", "array u[n][m]: f32 = \"u\" live ",
     "for i: i32 = 2000 .. n for j: i32 = 1 .. m S0[i, j]",
     "stmt S0[i, j]: u[i][j] = u[i - 2000][j] + u[i - 1][j] + u[i][j - 1]", NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {3, 3, 1}, {65, 66, 1}, {67, 130, 1}, {140, 2, 1},
                                       {2, 90, 1}, {128, 64, 1}, {64, 192, 1}};
    Compile *c = compile_new();
    Nest *start = start_of(c,
                           arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
                                        "param m: i32 = \"m\"\n"
                                                     "%s do { %s }\n%s\n}\n", x->arrays, x->loops, x->stmts));
    const Nest *n = nest_for(c, start->region, (int64_t[3]){16384, 16384, 1});
    bool found = n && strstr(n->recipe, "stage ");
    if (found != (x->wanted != NULL) || (found && !strstr(n->recipe, x->wanted))) fail_msg("%s: %s", x->name,
        n ? n->recipe : "the standard nest");
    if (found && !strstr(n->recipe, "whole ")) fail_msg("%s: %s", x->name, n->recipe);
    if (found && (strstr(n->recipe, "edge two of=n,m multiple=64,64") != NULL) != x->whole)
        fail_msg("%s: %s", x->name, n->recipe);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
