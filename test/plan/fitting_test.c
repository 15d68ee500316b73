// SPDX-License-Identifier: MIT
// fitting_test.c -- rows of lengths that only the data or the sizes tell, by teams that fit them: taken in
// several spellings, priced below the standard nest, proved and right
#include "called.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    bool permit;
} Case;
#define CSR                                                                                \
    "array row[n + 1]: i32 = \"row\" array col[m]: i32 = \"col\" array v[m]: f64 = \"v\" " \
    "array x[n]: f64 = \"x\" array y[n]: f64 = \"y\" live "
#define TERM "v[k] * x[fmod(col[k], n)] fused"
static const Case cases[] = {
    {"a sum in a scalar", CSR,
     "for i: i32 = 0 .. n { local s: f64 S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += " TERM " stmt S2[i]: y[i] = s", true},
    {"in place", CSR, "for i: i32 = 0 .. n { S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, k]: y[i] += " TERM, true},
    {"from the row's beginning", CSR,
     "for i: i32 = 0 .. n { local s: f64 S0[i] for k: i32 = 0 .. row[i + 1] - row[i] S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += v[row[i] + k] * x[fmod(col[row[i] + k], n)] fused "
     "stmt S2[i]: y[i] = s", true},
    {"most of whole numbers",
     "array row[n + 1]: i32 = \"row\" array v[m]: i32 = \"v\" array y[n]: i32 = \"y\" live ",
     "for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] S0[i, k]", "stmt S0[i, k]: y[i] max= v[k]",
     false},
    {"rows of one length",
     "array col[n][p]: i32 = \"col\" array v[n][p]: f64 = \"v\" array x[n]: f64 = \"x\" "
     "array y[n]: f64 = \"y\" live ",
     "for i: i32 = 0 .. n { local s: f64 S0[i] for k: i32 = 0 .. p S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += v[i][k] * x[fmod(col[i][k], n)] fused stmt S2[i]: y[i] = s",
     true},
    {"in strict order", CSR, "for i: i32 = 0 .. n { S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, k]: y[i] += " TERM, false},
};
enum { CASES = sizeof cases / sizeof *cases, STRICT = CASES - 1 };

// The quickest for so many rows of that length; the size of its teams.
static const Nest *best(Compile *c, const Nest *start, int64_t rows, int length, int *by) {
    Nest *nest[PLAN_VARIANTS];
    const char *at;
    int n = nests_for(c, start->region, (int64_t[3]){rows, rows * length, length}, nest, NULL);
    for (int i = 0; i < n; i++) // rows of one length may come by tiles that each thread walks along, too
        if ((at = strstr(nest[i]->recipe, "reduce k by="))) return *by = atoi(at + 12), nest[i];
    *by = 1;
    return n ? nest[0] : NULL;
}

static void check(const Case *x, int length) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 2}, {33, 3, 5}, {300, 40, 9}};
    Compile *c = compile_new();
    Nest *start = start_of(c,
                           arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\n"
                                        "param m: i32 = \"m\"\n"
                                           "param p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
                                           x->permit ? " reassociate" : "", x->arrays, x->loops, x->stmts));
    int by;
    const Nest *n = best(c, start, 1000000, length, &by);
    if (x == &cases[STRICT] ? by > 1 : length < 4 ? by > 2 : by < 2 ||
        by > 2 * length) fail_msg("%s, rows of %d: teams of %d", x->name, length, by);
    if (by > 1) {
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
    for (unsigned i = 0; i < CASES; i++) {
        check(&cases[i], 2);
        check(&cases[i], 16);
        check(&cases[i], 60);
    }
}

// All rows are sums of the same elements: teams pay where there are few.
static void few(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 2}, {33, 3, 5}, {70, 40, 99}};
    Compile *c = compile_new();
    const Nest *start = start_of(c,
                                 "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                                 "param n: i32 = \"n\"\nparam p: i32 = \"p\"\n"
        "array x[p]: f64 = \"x\" array y[n]: f64 = \"y\" live do { for i: i32 = 0 .. n { S0[i] "
        "for k: i32 = 0 .. p S1[i, k] } }\n"
        "stmt S0[i]: y[i] = 0.0 stmt S1[i, k]: y[i] += x[k] * f64(i * k % 7) fused\n}\n");
    int by;
    best(c, start, 1000000, 4096, &by);
    assert_int_equal(by, 1);
    const Nest *n = best(c, start, 20000, 4096, &by);
    if (by < 2) fail_msg("one thread a row: %s", n ? n->recipe : "the standard nest");
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s", v.why ? v.why : "not decided");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) assert_int_not_equal(is_right(n, &v, sizes[s]),
        0);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few), cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
