// SPDX-License-Identifier: MIT
// order_test.c -- loops that must not run as they stand: which are freed, that the judge agrees, and that no
// loop is left to one thread
#include "shaped.h"
#include "plan/plan.h"

#define HEAD "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
#define ROWS "array a[n]: f64 = \"a\" array p[m + 1]: f64 = \"p\" live array q[m + 1]: f64 = \"q\" live\n"
#define SQUARE "array a[n][n]: f64 = \"a\" live\n"

typedef struct Case {
    const char *name, *region;
    bool free;             // else a thread runs loops alone, or all stays on the host
    bool waits;            // so it is on a processor
} Case;

static const Case cases[] = {
    {"a factorisation that looks left",
     HEAD SQUARE "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { "
     "for k: i32 = 0 .. j { S0[i, j, k] } S1[i, j] }\n"
     "for j_1: i32 = i .. n { for k_1: i32 = 0 .. i { S2[i, j_1, k_1] } } } }\n"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] - a[i][k] * a[k][j]\n"
     "stmt S1[i, j]: a[i][j] = a[i][j] / (a[j][j] + 9.0)\n"
     "stmt S2[i, j, k]: a[i][j] = a[i][j] - a[i][k] * a[k][j]\n}\n", true},
    {"a triangle of its own rows",
     HEAD SQUARE "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { "
     "for k: i32 = 0 .. j { S0[i, j, k] } S1[i, j] }\n"
     "for k_1: i32 = 0 .. i { S2[i, k_1] } S3[i] } }\n"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] - a[i][k] * a[j][k]\n"
     "stmt S1[i, j]: a[i][j] = a[i][j] / (a[j][j] + 9.0)\n"
     "stmt S2[i, k]: a[i][i] = a[i][i] - a[i][k] * a[i][k]\nstmt S3[i]: a[i][i] = a[i][i] * 0.5\n}\n", true},
    {"a pivot",
     HEAD SQUARE "do { for k: i32 = 0 .. n { for i: i32 = 0 .. n { "
     "for j: i32 = 0 .. n { S0[k, i, j] } } } }\n"
     "stmt S0[k, i, j]: a[i][j] = min(a[i][k] + a[k][j], a[i][j])\n}\n", true},
    {"a pivot that may be outside",
     HEAD "array v[m + 20]: f64 = \"v\" live\ndo { for i: i32 = 0 .. n { S0[i] } }\n"
     "stmt S0[i]: v[i] = v[i] * 0.5 + v[m]\n}\n", true},
    {"two pivots",
     HEAD "array v[m + 20]: f64 = \"v\" live\ndo { for i: i32 = 0 .. n { S0[i] } }\n"
     "stmt S0[i]: v[i] = v[3] * 0.5 + v[m]\n}\n", false},
    {"rows that each need the one before",
     HEAD SQUARE "do { for i: i32 = 1 .. n { for j: i32 = 1 .. n { S0[i, j] } } }\n"
     "stmt S0[i, j]: a[i][j] = a[i - 1][j] + a[i][j - 1]\n}\n", true, true},
    {"rows and columns that count down",
     HEAD SQUARE "do { for i: i32 = n - 2 .. -1 step -1 { for j: i32 = 1 .. n { S0[i, j] } } }\n"
     "stmt S0[i, j]: a[i][j] = a[i + 1][j] * 0.5 + a[i][j - 1] * 0.25 + a[i + 1][j - 1] * 0.125\n}\n", true,
     true},
    {"a sweep over time",
     HEAD SQUARE "do { for t: i32 = 0 .. m { for i: i32 = 1 .. n - 1 { "
     "for j: i32 = 1 .. n - 1 { S0[t, i, j] } } } }\n"
     "stmt S0[t, i, j]: a[i][j] = a[i - 1][j + 1] * 0.5 + a[i][j - 1] * 0.25 + a[i + 1][j] * 0.125\n}\n",
     true, true},
    {"rows of which the last is kept, copied behind each step",
     HEAD ROWS "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] }\n"
     "for k: i32 = 0 .. m + 1 { S1[i, k] } } }\n"
     "stmt S0[i, j]: q[j + 1] = max(p[j] + a[i], max(p[j + 1], q[j]))\n"
     "stmt S1[i, k]: p[k] = q[k]\n}\n", true, true},
    {"the same with a first element, and rows that look back",
     HEAD ROWS "do { for i: i32 = 0 .. n { S0[i] for j: i64 = 1 .. i64(m) + 1 { S1[i, j] }\n"
     "for k: i64 = 0 .. i64(m) + 1 { S2[i, k] } } }\nstmt S0[i]: q[0] = a[i]\n"
     "stmt S1[i, j]: q[j] = min(p[j - 1] + a[i], min(p[j], q[j - 1]) + 0.5)\nstmt S2[i, k]: p[k] = q[k]\n}\n",
     true, true},
    {"rows that look back from the far end",
     HEAD ROWS "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] }\n"
     "for k: i32 = 0 .. m + 1 { S1[i, k] } } }\n"
     "stmt S0[i, j]: q[j + 1] = max(p[m - j] + a[i], q[j])\nstmt S1[i, k]: p[k] = q[k]\n}\n", false},
    {"intervals, from short ones on",
     HEAD SQUARE "do { for i: i32 = n - 1 .. -1 step -1 { for j: i32 = i + 1 .. n {\n"
     "for k: i32 = i + 1 .. j { S0[i, j, k] } } } }\n"
     "stmt S0[i, j, k]: a[i][j] = max(a[i][j], a[i][k] + a[k + 1][j])\n}\n", true, true},
    {"a factorisation with its sums in a variable",
     HEAD SQUARE "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { local s: f64 S0[i, j]\n"
     "for k: i32 = 0 .. j { S1[i, j, k] } S2[i, j] }\n"
     "for j_1: i32 = i .. n { local r: f64 S3[i, j_1] "
     "for k_1: i32 = 0 .. i { S4[i, j_1, k_1] } S5[i, j_1] } } }\n"
     "stmt S0[i, j]: s = a[i][j]\nstmt S1[i, j, k]: s = s - a[i][k] * a[k][j]\n"
     "stmt S2[i, j]: a[i][j] = s / (a[j][j] + 9.0)\nstmt S3[i, j]: r = a[i][j]\n"
     "stmt S4[i, j, k]: r = r - a[i][k] * a[k][j]\nstmt S5[i, j]: a[i][j] = r\n}\n", true},
    {"a factorisation column by column",
     HEAD SQUARE "do { for j: i32 = 0 .. n { for k: i32 = 0 .. j { "
     "for i: i32 = k + 1 .. n { S0[j, k, i] } }\n"
     "for i_1: i32 = j + 1 .. n { S1[j, i_1] } } }\n"
     "stmt S0[j, k, i]: a[i][j] = a[i][j] - a[i][k] * a[k][j]\n"
     "stmt S1[j, i]: a[i][j] = a[i][j] / (a[j][j] + 9.0)\n}\n", true},
    {"a triangular system",
     HEAD SQUARE "array v[n]: f64 = \"v\" live\ndo { for j: i32 = 0 .. n { S0[j] "
     "for i: i32 = j + 1 .. n { S1[j, i] } } }\n"
     "stmt S0[j]: v[j] = v[j] / (a[j][j] + 9.0)\nstmt S1[j, i]: v[i] = v[i] - a[i][j] * v[j]\n}\n", true},
    {"what is overwritten",
     HEAD SQUARE "do { for i: i32 = 0 .. n - 1 { for j: i32 = 0 .. n - 1 { S0[i, j] } } }\n"
     "stmt S0[i, j]: a[i][j] = a[i + 1][j] + a[i][j + 1]\n}\n", true},
};

static void find_threads(Node *n, void *arg) { *(bool *)arg |= n->kind == N_FOR && n->how == HOW_THREAD; }

static void find_alone(Node *n, void *arg) {
    if (n->kind != N_KERNEL) return;
    KernelGrid g;
    ir_kernel_grid(n, &g);
    bool phases = false;
    node_walk(n, find_threads, &phases);
    bool loops = n->body->kind == N_FOR;
    for (int i = 0; node_kid(n->body, i); i++) loops = loops || node_kid(n->body, i)->kind == N_FOR;
    if (!g.nblock && !g.nthread && !phases && loops) *(bool *)arg = true;
}

static void check(const Case *k, const char *target) {
    static const int64_t sizes[][3] = {{17, 5, 0}, {40, 39, 0}, {9, 30, 0}, {2, 1, 0}, {1, 0, 0}};
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, k->name, k->region);
    if (!f) fail_msg("%s: %s", k->name, last_diag(c));
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region),
                           &(PlanOptions){.target = target, .asserted = true});
    bool alone = false;
    if (n) node_walk(n->root, find_alone, &alone);
    bool free = k->free && !(k->waits && strcmp(target, "cpu") == 0);
    if (free != (n && !alone)) fail_msg("%s on a %s is %s", k->name, target,
                                        n ? "left to one thread" : "not planned");
    if (n) {
        Verdict v = dep_judge_nest(c, n);
        // products of host counters stay undecided
        if (v.answer == ANSWER_NEVER) fail_msg("%s: %s", k->name, v.why);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (!is_right(n, &v, sizes[i])) fail_msg("%s is wrong for %d, %d", k->name, (int)sizes[i][0],
                                                     (int)sizes[i][1]);
    }
    compile_free(c);
}

static void test_cases(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (test_takes(i, 3, seed)) check(&cases[i], "gpu");
        if (test_takes(i, 3, seed + 1)) check(&cases[i], "cpu");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
