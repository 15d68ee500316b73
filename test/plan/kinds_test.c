// SPDX-License-Identifier: MIT
// kinds_test.c -- kinds of loops that had no quick nest: which steps the quickest one of a call has
#include "called.h"

typedef struct Case {
    const char *name, *text;
    int64_t sizes[3];
    const char *wanted[3];
} Case;
#define F "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt "
#define N "param n: i32 = \"n\"\n"
#define M "param m: i32 = \"m\"\n"
static const Case cases[] = {
    {"a long loop around short ones",
     F "{\n" N M "array x[n][m][m][m]: f32 = \"x\" array y[n][m][m][m]: f32 = \"y\" live do { "
       "for i: i32 = 0 .. n for j: i32 = 0 .. m for k: i32 = 0 .. m for l: i32 = 0 .. m S0[i, j, k, l] }\n"
       "stmt S0[i, j, k, l]: y[i][j][k][l] = 2.0 * x[i][k][j][l]\n}\n",
     {100000, 8}, {"grid l k i"}},
    {"long sums of few results",
     F "reassociate {\n" N M "array x[n][m]: f32 = \"x\" array y[m][m]: f32 = \"y\" live do { "
       "for i: i32 = 0 .. m for j: i32 = 0 .. m for k: i32 = 0 .. n S0[i, j, k] }\n"
       "stmt S0[i, j, k]: y[i][j] += x[k][i] * x[k][j]\n}\n",
     {1 << 21, 128}, {"splitk kt", "chunk acc"}},
    {"long sums of very few results",
     F "reassociate {\n" N M "array x[n][m]: f32 = \"x\" array y[m][m]: f32 = \"y\" live do { "
       "for i: i32 = 0 .. m for j: i32 = 0 .. m for k: i32 = 0 .. n S0[i, j, k] }\n"
       "stmt S0[i, j, k]: y[i][j] += x[k][i] * x[k][j]\n}\n",
     {1 << 20, 8}, {"splitk kt"}},
    {"what rows add up to",
     F "reassociate {\n" N M "array x[n][m]: f32 = \"x\" array s: f32 = \"s\" live do { "
       "for i: i32 = 0 .. n { local t: f32 S0[i] for j: i32 = 0 .. m S1[i, j] S2[i] } }\n"
       "stmt S0[i]: t = 0.0 stmt S1[i, j]: t += x[i][j] * x[i][j] stmt S2[i]: s += t * t\n}\n",
     {16384, 16384}, {"expand t", "partial"}},
    {"a table of few values",
     F "{\n" N M "array x[n]: u8 = \"x\" array t[m]: u8 = \"t\" array y[n]: u8 = \"y\" live do { "
       "for i: i32 = 0 .. n S0[i] }\nstmt S0[i]: y[i] = t[i32(x[i])]\n}\n",
     {1 << 26, 256}, {"per=16"}},
    {"the best of columns in steps of the host",
     F "reassociate {\n" N M "array v[n][m]: f32 = \"v\" live array x[m][m]: f32 = \"x\" do { "
       "for k: i32 = 1 .. n for j: i32 = 0 .. m { local b: f32 local a: i32 S0[k, j] for i: i32 = 0 .. m "
       "S1[k, j, i] S2[k, j] for l: i32 = 0 .. m S3[k, j, l] S4[k, j] } }\n"
       "stmt S0[k, j]: b = -1.0 stmt S1[k, j, i]: b max= v[k - 1][i] + x[i][j] stmt S2[k, j]: a = m "
       "stmt S3[k, j, l]: a min= v[k - 1][l] + x[l][j] == b ? l : m "
       "stmt S4[k, j]: v[k][j] = b + f32(a) * 0.001\n}\n",
     {1024, 1024}, {"expand b"}},
    {"sums of groups that a clause permits",
     F "{\n" N M "array x[n][8][m]: f32 = \"x\" array y[n][8][m]: f32 = \"y\" live do { "
       "for i: i32 = 0 .. n mark (parallel @1:1) { local t: f32 S0[i] "
       "for j: i32 = 0 .. 8 mark (parallel @2:1 reduce + t) "
       "for k: i32 = 0 .. m mark (parallel @2:1 reduce + t) S1[i, j, k] "
       "for q: i32 = 0 .. 8 for l: i32 = 0 .. m S2[i, q, l] } }\n"
       "stmt S0[i]: t = 0.0 stmt S1[i, j, k]: t += x[i][j][k] "
       "stmt S2[i, q, l]: y[i][q][l] = x[i][q][l] - t\n}\n",
     {8, 1 << 20}, {"expand t", "distribute i"}},
    {"the best of columns in their order, in steps of the host",
     F "{\n" N M "array v[n][m]: f32 = \"v\" live array x[m][m]: f32 = \"x\" do { "
       "for k: i32 = 1 .. n for j: i32 = 0 .. m { local b: f32 S0[k, j] for i: i32 = 0 .. m S1[k, j, i] "
       "S2[k, j] } }\n"
       "stmt S0[k, j]: b = -1.0 stmt S1[k, j, i]: b max= v[k - 1][i] + x[i][j] "
       "stmt S2[k, j]: v[k][j] = b + 1.0\n}\n",
     {1024, 4096}, {"expand b", "batch k"}},
};

static void one(const Case *x) {
    Compile *c = compile_new();
    Nest *start = start_of(c, x->text);
    const Nest *n = nest_for(c, start->region, x->sizes);
    for (int k = 0; k < 3 && x->wanted[k]; k++)
        if (!n || !strstr(n->recipe, x->wanted[k]))
            fail_msg("%s: no %s: %s", x->name, x->wanted[k], n ? n->recipe : "the standard nest");
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) one(&cases[k]);
}

// for a in 0 .. 3  for b in a + 1 .. 4  of an array of four: all in registers.
static void triangles(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n = start_of(c, F "{\n" N "array x[n]: f32 = \"x\" live do { for i: i32 = 0 .. n { local t[4]: f32 "
                            "for d: i32 = 0 .. 4 S0[i, d] for a: i32 = 0 .. 3 "
                            "for b: i32 = a + 1 .. 4 S1[i, a, b] S2[i] } }\n"
                            "stmt S0[i, d]: t[d] = x[i] stmt S1[i, a, b]: t[b] += t[a] "
                            "stmt S2[i]: x[i] = t[3]\n}\n");
    const DepInfo *d = dep_analyze(c, n->region);
    const Nest *made = plan_default(c, n->region, d, &(PlanOptions){"gpu", .asserted = true});
    const char *text = made ? ir_print_node(c->arena, made->root, 0) : "no nest";
    if (!strstr(text, "b: i32 = 1 .. 4")) fail_msg("%s", text);
    compile_free(c);
}

// What a mark permits a step's loops to reduce they reduce once it has an element for each step.
static void reduced(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n = start_of(c, F "{\n" N M "array u[n][n]: f32 = \"u\" live array v[n][n]: f32 = \"v\" live "
                            "array g: f32 = \"g\" live do { "
                            "for t: i32 = 0 .. m { local b: f32 local c: f32 S0[t] "
                            "for i: i32 = 1 .. n - 1 for j: i32 = 0 .. n S1[t, i, j] S2[t] "
                            "for p: i32 = 0 .. n mark (none @2:1 reduce max b) for q: i32 = 0 .. n "
                            "mark (none @2:1 reduce max b) S3[t, p, q] S4[t] "
                            "for k: i32 = 0 .. n for l: i32 = 0 .. n S5[t, k, l] S6[t] } }\n"
                            "stmt S0[t]: c = 0.0 stmt S1[t, i, j]: v[i][j] = u[i - 1][j] + u[i + 1][j] "
                            "stmt S2[t]: b = -1.0 stmt S3[t, p, q]: b max= v[p][q] - u[p][q] "
                            "stmt S4[t]: c = b > c ? b : c stmt S5[t, k, l]: u[k][l] = v[k][l] "
                            "stmt S6[t]: g = c\n}\n");
    const DepInfo *d = dep_analyze(c, n->region);
    const Nest *made = plan_default(c, n->region, d, &(PlanOptions){"gpu", .asserted = true});
    if (!made || !strstr(made->recipe, "expand b\n") || !strstr(made->recipe, "of=b_x"))
        fail_msg("%s", made ? made->recipe : "no nest");
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken), cmocka_unit_test(triangles),
                                       cmocka_unit_test(reduced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
