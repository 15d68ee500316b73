// SPDX-License-Identifier: MIT
// pieces_test.c -- rows that hold products: where they are cut, proved, and right
#include "called.h"

typedef struct Case {
    const char *name, *stmts;
    const char *cut; // a step of the recipe; NULL: no such nest
} Case;
#define ROWS                                                                                                 \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"   \
    "param p: i32 = \"p\"\n"                                                                                 \
    "array q[n][p]: f32 = \"q\" array k[m][p]: f32 = \"k\" array v[m][p]: f32 = \"v\" "                      \
    "array s[n][m]: f32 = \"s\" live "                                                                       \
    "array o[n][p]: f32 = \"o\" live do { for i: i32 = 0 .. n { local z: f32 S0[i] "                         \
    "for j: i32 = 0 .. m { S1[i, j] for c: i32 = 0 .. p S2[i, j, c] } "                                      \
    "for l: i32 = 0 .. m { local e: f32 S3[i, l] S4[i, l] for d: i32 = 0 .. p S5[i, l, d] } "                \
    "for f: i32 = 0 .. p S6[i, f] } }\n"                                                                     \
    "stmt S0[i]: z = 0.0 stmt S1[i, j]: s[i][j] = 0.0 stmt S2[i, j, c]: s[i][j] += q[i][c] * k[j][c] fused " \
    "stmt S4[i, l]: z += e stmt S6[i, f]: o[i][f] = o[i][f] / (z * z + 1.0) "
static const Case cases[] = {
    {"the factor of a row is a variable",
     "stmt S3[i, l]: e = s[i][l] * 0.5 stmt S5[i, l, d]: o[i][d] += e * v[l][d] fused",
     "distribute l parts=0,0,1"},
    {"which hangs on the sums",
     "stmt S3[i, l]: e = s[i][l] * o[i][0] stmt S5[i, l, d]: o[i][d] += e * v[l][d] fused", NULL},
    {"elements of their own", "stmt S3[i, l]: e = s[i][l] * 0.5 stmt S5[i, l, d]: o[i][d] = e * v[l][d]",
     NULL},
};

// The nests for a call of these sizes, the quickest first.
static int planned(Compile *c, const Nest *start, const int64_t sizes[3], Nest **nest) {
    return nests_for(c, start->region, sizes, nest, NULL);
}

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {40, 33, 5}, {70, 66, 32}, {33, 130, 64}};
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_printf(c->arena, ROWS "%s\n}\n", x->stmts)), *nest[PLAN_VARIANTS],
        *cut = NULL;
    int n = planned(c, start, (int64_t[3]){8192, 8192, 64}, nest);
    for (int i = 0; i < n; i++)
        if (strstr(nest[i]->recipe, "distribute l parts=")) cut = nest[i];
    if (!x->cut && cut) fail_msg("%s: %s", x->name, cut->recipe);
    if (x->cut && (!cut || !strstr(cut->recipe, x->cut))) fail_msg("%s: %d nests, not cut", x->name, n);
    for (size_t s = 0; cut && s < sizeof sizes / sizeof *sizes; s++) {
        int right = is_right(cut, &(Verdict){ANSWER_ALWAYS, NULL, NULL}, sizes[s]);
        if (right != 1) fail_msg("%s: wrong", x->name);
    }
    compile_free(c);
}

// Rows without sums, of which a variable is made first: each loop in them by itself is the cheapest, as its
// threads walk along memory.
#define SCALED                                                                                              \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"              \
    "param p: i32 = \"p\"\n"                                                                                \
    "array x[n][m][p]: f32 = \"x\" live array v[m]: f32 = \"v\" array b[m]: f32 = \"b\" do { "              \
    "for i: i32 = 0 .. n for j: i32 = 0 .. m { local f: f32 S0[i, j] for k: i32 = 0 .. p S1[i, j, k] } }\n" \
    "stmt S0[i, j]: f = b[j] / (v[j] + 0.5) stmt S1[i, j, k]: x[i][j][k] = (x[i][j][k] - b[j]) * f\n}\n"

static void scaled(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_strdup(c->arena, SCALED)), *nest[PLAN_VARIANTS];
    int n = planned(c, start, (int64_t[3]){32, 64, 4096}, nest);
    if (!n || !strstr(nest[0]->recipe, "expand f"))
        fail_msg("%d nests, the first: %s", n, n ? nest[0]->recipe : "");
    assert_int_equal(is_right(nest[0], &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){3, 5, 70}), 1);
    compile_free(c);
}

// What was planned for other calls of a region changes nothing: the next one has the nests that it would have
// as the first.
static void next_call(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{8192, 8192, 64}, {256, 4096, 32}, {8192, 128, 512}};
    Nest *nest[PLAN_VARIANTS], *own[PLAN_VARIANTS];
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_printf(c->arena, ROWS "%s\n}\n", cases[0].stmts));
    int all = 0;
    for (int k = 0; k < 3; k++) {
        Compile *other = compile_new();
        Nest *first = start_of(other, arena_printf(other->arena, ROWS "%s\n}\n", cases[0].stmts));
        int n = planned(c, start, sizes[k], nest), m = planned(other, first, sizes[k], own);
        assert_int_equal(n, m);
        for (int i = 0; i < n; i++)
            assert_string_equal(ir_print_nest(c->arena, nest[i]), ir_print_nest(c->arena, own[i]));
        all += n;
        compile_free(other);
    }
    assert_true(all > 3);
    compile_free(c);
}

// Points by the nearest centre: what is chosen is added up by itself, in copies of a block's own, though how
// far its subscripts go is not told by data alone (loose).
#define NEAREST                                                                                              \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"   \
    "param p: i32 = \"p\"\nparam u_lo: i64\nparam h_hi: i64\nparam u_low: i64\nparam h_high: i64\n"          \
    "array x[?][p]: f32 = \"x\" rows array c[?][p]: f32 = \"c\" rows "                                       \
    "array b[?]: i32 = \"b\" live array s[?][p]: f32 = \"s\" live rows "                                     \
    "inspect b dim 0 as u_lo to h_hi loose { value 0 value i64(m - 1) } "                                    \
    "inspect s dim 0 as u_low to h_high loose { value 0 value i64(m - 1) } "                                 \
    "do { for i: i32 = 0 .. n { local least: f32 local best: i32 S0[i] S1[i] "                               \
    "for q: i32 = 0 .. m { local t: f32 S2[i, q] for j: i32 = 0 .. p S3[i, q, j] %s } "                      \
    "S6[i] for l: i32 = 0 .. p S7[i, l] } }\n"                                                               \
    "stmt S0[i]: best = 0 stmt S1[i]: least = 1e+30 stmt S2[i, q]: t = 0.0 "                                 \
    "stmt S3[i, q, j]: t += (x[i][j] - c[q][j]) * (x[i][j] - c[q][j]) fused %s "                             \
    "stmt S6[i]: b[best] += 1 stmt S7[i, l]: s[best][l] += x[i][l]\n}\n"

static void nearest(void **state) {
    (void)state;
    static const char *const choice[][2] = {
        {"if (t < least) { S4[i, q] S5[i, q] }", "stmt S4[i, q]: least = t stmt S5[i, q]: best = q"},
        {"S4[i, q] S5[i, q]", "stmt S4[i, q]: best = t < least ? q : best stmt S5[i, q]: least min= t"}};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        Compile *c = compile_new();
        Nest *start = start_of(c, arena_printf(c->arena, NEAREST, choice[i][0], choice[i][1]));
        Nest *nest[PLAN_VARIANTS];
        int n = planned(c, start, (int64_t[3]){1 << 20, 256, 32}, nest);
        if (!n || !strstr(nest[0]->recipe, "expand best")) fail_msg("%d: %d nests, not cut", (int)i, n);
        c->patience = PATIENCE;
        if (!plan_judge(c, nest[0]) || nest[0]->proof != PROOF_PROVED)
            fail_msg("%d: %s", (int)i, nest[0]->reason);
        compile_free(c);
    }
}

// Steps that follow one another in a row that is alone: they are not cut as rows are.
#define STEPS                                                                                                \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"   \
    "param p: i32 = \"p\"\n"                                                                                 \
    "array a[n][m]: u32 = \"a\" live do { for q: i32 = 0 .. 1 for j: i32 = 0 .. n { local t: u32 S0[q, j] "  \
    "for i: i32 = 0 .. m S1[q, j, i] for r: i32 = j + 1 .. n for d: i32 = 0 .. m S2[q, j, r, d] } }\n"       \
    "stmt S0[q, j]: t = 1 stmt S1[q, j, i]: t += a[j][i] * a[j][i] "                                       \
    "stmt S2[q, j, r, d]: a[r][d] += a[j][d] * t\n}\n"

static void steps(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_strdup(c->arena, STEPS)), *nest[PLAN_VARIANTS];
    int n = planned(c, start, (int64_t[3]){64, 512, 1}, nest);
    for (int i = 0; i < n; i++)
        if (is_right(nest[i], &(Verdict){ANSWER_ALWAYS, NULL, NULL}, (int64_t[3]){9, 40, 1}) != 1)
            fail_msg("wrong: %s", nest[i]->recipe);
    assert_true(n > 0);
    compile_free(c);
}

static void cut(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut), cmocka_unit_test(scaled),
                                       cmocka_unit_test(next_call), cmocka_unit_test(nearest),
                                       cmocka_unit_test(steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
