// SPDX-License-Identifier: MIT
// panel_test.c -- a few steps in order whose threads keep their rows or columns in registers, and what lies
// behind them: found, proved and right
#include "called.h"

typedef struct Case {
    const char *name, *loops, *stmts;
    bool kept;
} Case;
#define STEPS "for k: i32 = 0 .. 32 "
static const Case cases[] = {
    {"rows by a triangle", STEPS "for i: i32 = 0 .. n { S0[k, i] for j: i32 = k + 1 .. 32 S1[k, i, j] }",
     "stmt S0[k, i]: a[i][k] = a[i][k] / d[k][k]\nstmt S1[k, i, j]: a[i][j] += -a[i][k] * d[k][j]", true},
    {"columns by a triangle", STEPS "for j: i32 = 0 .. n for i: i32 = k + 1 .. 32 S0[k, j, i]",
     "stmt S0[k, j, i]: a[i][j] += -d[i][k] * a[k][j]", true},
    {"row by row", "for i: i32 = 0 .. n " STEPS "{ S0[i, k] for j: i32 = 0 .. k S1[i, k, j] }",
     "stmt S0[i, k]: a[i][k] = a[i][k] / d[k][k]\nstmt S1[i, k, j]: a[i][k] += -a[i][j] * d[k][j]", true},
    {"of the row before, too", STEPS "for i: i32 = 1 .. n { S0[k, i] for j: i32 = k + 1 .. 32 S1[k, i, j] }",
     "stmt S0[k, i]: a[i][k] = a[i][k] / d[k][k]\n"
     "stmt S1[k, i, j]: a[i][j] += -a[i - 1][k] * d[k][j]", false},
};

static int nests_of(Compile *c, const Nest *start, Nest **nest) {
    const Nest *standard;
    int n = nests_for(c, start->region, (int64_t[3]){3000, 64, 1}, nest, &standard);
    if (n < PLAN_VARIANTS && standard) nest[n++] = (Nest *)standard;
    return n;
}

static const Nest *best(Compile *c, const Nest *start) {
    Nest *nest[PLAN_VARIANTS];
    return nests_of(c, start, nest) ? nest[0] : start;
}

static void taken(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{0, 64, 1}, {1, 64, 1}, {70, 81, 1}, {37, 64, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *x = &cases[i];
        Compile *c = compile_new();
        Nest *start = start_of(c,
                               arena_printf(c->arena,
                                            "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\n"
                                            "param m: i32 = \"m\"\n"
                                               "array a[?][m]: f64 = \"a\" live\narray d[?][m]: f64 = \"d\"\n"
                                               "do { %s }\n%s\n}\n", x->loops, x->stmts));
        const Nest *n = best(c, start);
        bool kept = strstr(n->recipe, "hoist a at=k max=") != NULL;
        if (kept != x->kept) fail_msg("%s: %s", x->name, n->recipe);
        if (kept) {
            assert_non_null(strstr(n->recipe, "stage d at=f_1_0")); // which all threads read alike
            Verdict v = dep_judge(c, n->region, n->root);
            if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s", x->name,
                v.why ? v.why : "not decided");
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s: wrong at %d\n%s", x->name, (int)sizes[s][0],
                    n->recipe);
        }
        compile_free(c);
    }
}

// What lies behind the strips of a factorisation that goes row by row is two triangles of products, which are
// judged by themselves.
static void row_by_row(void **state) {
    (void)state;
    Compile *c = compile_new();
    const Nest *n = best(c,
                         start_of(c, "sculpt 1\nregion f_1 @\"f.c\":1:1 scop reassociate {\n"
        "param n: i32 = \"n\"\narray a[n][n]: f64 = \"a\" live\n"
        "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { for k: i32 = 0 .. j S0[i, j, k] S1[i, j] } "
        "for l: i32 = i .. n for q: i32 = 0 .. i S2[i, l, q] } }\n"
        "stmt S0[i, j, k]: a[i][j] += -a[i][k] * a[k][j] fused\nstmt S1[i, j]: a[i][j] = a[i][j] / a[j][j]\n"
        "stmt S2[i, l, q]: a[i][l] += -a[i][q] * a[q][l] fused\n}\n"));
    if (!n->parts || n->parts->n < 2) fail_msg("no parts: %s", n->recipe);
    for (int64_t size = 1; size < 200; size = 3 * size + 2)
        if (is_right(n, &(Verdict){ANSWER_ALWAYS, NULL, NULL},
                     (int64_t[3]){size, 1, 1}) != 1) fail_msg("wrong at %d", (int)size);
    compile_free(c);
}

// Right-hand sides of a triangular system are free, but their unknowns go in strips all the same; the loop of
// a row can't be cut behind its sum, which waits for the rows before.
static void free_rows(void **state) {
    (void)state;
    static const char *const solve[] = {
        "for j: i32 = 0 .. n for i: i32 = 0 .. m { local s: u32 S0[j, i] for l: i32 = 0 .. i S1[j, i, l] "
        "S2[j, i] } }\n"
        "stmt S0[j, i]: s = b[j][i]\nstmt S1[j, i, l]: s += -a[i][l] * b[j][l]\nstmt S2[j, i]: b[j][i] = s * "
        "a[i][i]",
        "for j: i32 = 0 .. n for i: i32 = 0 .. m { local s: u32 S0[j, i] for l: i32 = m - i .. m S1[j, i, l] "
        "S2[j, i] } }\n"
        "stmt S0[j, i]: s = b[j][m - 1 - i]\nstmt S1[j, i, l]: s += -a[l][m - 1 - i] * b[j][l]\n"
        "stmt S2[j, i]: b[j][m - 1 - i] = s * a[m - 1 - i][m - 1 - i]",
        "for j: i32 = 0 .. n for k: i32 = 0 .. m { S0[j, k] for i: i32 = k + 1 .. m S1[j, k, i] } }\n"
        "stmt S0[j, k]: b[j][k] = b[j][k] * a[k][k]\nstmt S1[j, k, i]: b[j][i] += -b[j][k] * a[k][i]",
    };
    for (size_t i = 0; i < sizeof solve / sizeof *solve; i++) {
        Compile *c = compile_new();
        Nest *nest[PLAN_VARIANTS], *strips = NULL;
        int n = nests_of(
            c,
            start_of(c,
                     arena_printf(c->arena,
                                  "sculpt 1\nregion f_1 @\"f.c\":1:1 scop reassociate {\nparam n: i32 = "
                                  "\"n\"\nparam m: i32 = \"m\"\n"
                                  "array a[m][m]: u32 = \"a\"\narray b[n][m]: u32 = \"b\" live\ndo { %s\n}\n",
                                  solve[i])),
            nest);
        for (int k = 0; k < n; k++) {
            if (strstr(nest[k]->recipe, "distribute i parts=0,0,1")) fail_msg("cut: %s", nest[k]->recipe);
            if (strstr(nest[k]->recipe, "batch")) strips = nest[k];
        }
        if (!strips || !plan_judge(c, strips) || strips->proof != PROOF_PROVED)
            fail_msg("%s: %s", solve[i], strips ? strips->reason : "no strips");
        for (int64_t size = 1; size < 80; size = 3 * size + 2)
            if (is_right(strips, &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){size, 71, 1}) != 1)
                fail_msg("wrong at %d: %s", (int)size, strips->recipe);
        compile_free(c);
    }
}

// Each step changes all rows but the pivot's, which later steps change, too: what products on both sides of a
// strip read of it is kept, and the rows and columns beside the strip are a thread's registers all the same.
static void both_sides(void **state) {
    (void)state;
    Compile *c = compile_new();
    const Nest *n = best(c, start_of(c, "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\n"
        "param m: i32 = \"m\"\narray a[n][n]: f64 = \"a\" live\n"
        "do { for k: i32 = 0 .. n { for j: i32 = k + 1 .. n S0[k, j] for i: i32 = 0 .. n if (i != k) "
        "for l: i32 = k + 1 .. n S1[k, i, l] } }\nstmt S0[k, j]: a[k][j] = a[k][j] / a[k][k]\n"
        "stmt S1[k, i, l]: a[i][l] += -a[i][k] * a[k][l] fused\n}\n"));
    bool strips = strstr(n->recipe, "keep a at=") && strstr(n->recipe, "batch kb");
    if (!strips) fail_msg("no strips: %s", n->recipe);
    if (!n->parts || n->parts->n < 4) fail_msg("no parts: %s", n->recipe);
    if (!plan_judge(c, (Nest *)n) || n->proof != PROOF_PROVED) fail_msg("%s: %s", n->reason, n->recipe);
    for (int64_t size = 1; size < 130; size = 3 * size + 2)
        if (is_right(n, &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){size, 1, 1}) != 1)
            fail_msg("wrong at %d", (int)size);
    compile_free(c);
}

// The least ways between all pairs: each step changes the pivot's row and column, too, before some read them
// and behind others. The corner's loops are taken apart at the pivot.
static void all_pairs(void **state) {
    (void)state;
    Compile *c = compile_new();
    const Nest *n = best(c, start_of(c, "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\n"
        "param m: i32 = \"m\"\narray a[n][n]: u32 = \"a\" live\n"
        "do { for k: i32 = 0 .. n for i: i32 = 0 .. n for j: i32 = 0 .. n S0[k, i, j] }\n"
        "stmt S0[k, i, j]: a[i][j] = min(a[i][j], a[i][k] + a[k][j])\n}\n"));
    bool strips = strstr(n->recipe, "keep a at=") && strstr(n->recipe, "batch kb");
    if (!strips) fail_msg("no strips: %s", n->recipe);
    if (!n->parts || n->parts->n < 4) fail_msg("no parts: %s", n->recipe);
    if (!plan_judge(c, (Nest *)n) || n->proof != PROOF_PROVED) fail_msg("%s: %s", n->reason, n->recipe);
    for (int64_t size = 1; size < 80; size = 3 * size + 2)
        if (is_right(n, &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){size, 1, 1}) != 1)
            fail_msg("wrong at %d", (int)size);
    compile_free(c);
}

// Steps of a triangular system go through one loop each: a call has long strips of them, whose corner lies in
// shared memory, the sum of a row, too, that has become an array.
static void long_strips(void **state) {
    (void)state;
    static const char *const solve[] = {
        "for i: i32 = 0 .. n { local s: u32 S0[i] for j: i32 = 0 .. i S1[i, j] S2[i] } }\n"
        "stmt S0[i]: s = 0\nstmt S1[i, j]: s += a[i][j] * x[j]\nstmt S2[i]: x[i] = (b[i] - s) * a[i][i]",
        "for j: i32 = 0 .. n { S0[j] for i: i32 = j + 1 .. n S1[j, i] } }\n"
        "stmt S0[j]: x[j] = x[j] * a[j][j]\nstmt S1[j, i]: x[i] += -a[i][j] * x[j]",
        "for j: i32 = 0 .. n { S0[j] for i: i32 = 0 .. n - 1 - j S1[j, i] } }\n" // from below
        "stmt S0[j]: x[n - 1 - j] = x[n - 1 - j] * a[n - 1 - j][n - 1 - j]\n"
        "stmt S1[j, i]: x[i] += -a[i][n - 1 - j] * x[n - 1 - j]",
    };
    for (size_t i = 0; i < sizeof solve / sizeof *solve; i++) {
        Compile *c = compile_new();
        Nest *nest[PLAN_VARIANTS], *strips = NULL;
        Nest *start = start_of(
            c, arena_printf(c->arena,
                            "sculpt 1\nregion f_1 @\"f.c\":1:1 scop reassociate {\nparam n: i32 = \"n\"\n"
                            "array a[n][n]: u32 = \"a\"\narray b[n]: u32 = \"b\"\n"
                            "array x[n]: u32 = \"x\" live\ndo { %s\n}\n", solve[i]));
        int n = nests_of(c, start, nest);
        for (int k = 0; k < n && !strips; k++)
            if (strstr(nest[k]->recipe, "by=128\n")) strips = nest[k];
        if (!strips) fail_msg("no strips: %s", solve[i]);
        if (!i) assert_non_null(strstr(strips->recipe, "stage s_x at="));
        if (!plan_judge(c, strips) || strips->proof != PROOF_PROVED) fail_msg("%s", strips->reason);
        for (int64_t size = 1; size < 400; size = 3 * size + 2)
            if (is_right(strips, &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){size, 1, 1}) != 1)
                fail_msg("wrong at %d: %s", (int)size, strips->recipe);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken), cmocka_unit_test(row_by_row),
                                       cmocka_unit_test(free_rows), cmocka_unit_test(both_sides),
                                       cmocka_unit_test(all_pairs), cmocka_unit_test(long_strips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
