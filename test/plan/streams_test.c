// SPDX-License-Identifier: MIT
// streams_test.c -- all pairs in several spellings: what all threads read comes by in shared memory
#include "shaped.h"
#include <string.h>

#define HEAD                                                                                         \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n    param n: i32 = \"n\"\n    param m: i32 = \"m\"\n" \
    "    param p: i32 = \"p\"\n"
typedef struct Case {
    const char *name, *text;
    int streams;             // kernels that stage something
    bool own;                // stretches without a thread's own iteration ask for it no more
} Case;
static const Case cases[] = {
    {"a scalar sum",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { local s: f32\n S0[i] for j: i32 = 0 .. m { S1[i, j] } S2[i] } }\n"
     "    stmt S0[i]: s = 0.0\n    stmt S1[i, j]: s += (x[i] - y[j]) * y[j]\n    stmt S2[i]: a[i] = s\n}\n",
     3},
    {"in place",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { S0[i] for j: i32 = 0 .. m { S1[i, j] } } }\n"
     "    stmt S0[i]: a[i] = 0.0\n    stmt S1[i, j]: a[i] += (x[i] - y[j]) * y[j]\n}\n", 3},
    {"loops swapped",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for j: i32 = 0 .. m { for i: i32 = 0 .. n { S1[j, i] } } }\n"
     "    stmt S1[j, i]: a[i] += (x[i] - y[j]) * y[j]\n}\n", 3},
    {"double: four iterations a thread at most",
     HEAD "    array a[n]: f64 = \"a\" live\n    array x[n]: f64 = \"x\"\n    array y[m]: f64 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S1[i, j] } } }\n"
     "    stmt S1[i, j]: a[i] += (x[i] - y[j]) * y[j]\n}\n", 2},
    {"rows of short vectors", // the weights alone, and both with rows that are kept
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[?][p]: f32 = \"x\"\n    array y[?][p]: f32 = \"y\"\n"
     "    array w[m]: f32 = \"w\"\n"
     "    do { for i: i32 = 0 .. n { local s: f32\n S0[i] for j: i32 = 0 .. m { local r: f32\n"
     "        S1[i, j] for d: i32 = 0 .. p { S2[i, j, d] } S3[i, j] } S4[i] } }\n"
     "    stmt S0[i]: s = 0.0\n    stmt S1[i, j]: r = 1.0\n"
     "    stmt S2[i, j, d]: r += (x[i][d] - y[j][d]) * y[j][d]\n"
     "    stmt S3[i, j]: s += w[j] / r\n    stmt S4[i]: a[i] = s\n}\n", 3},
    {"a division jumps: more threads, not more iterations of each",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { local s: f32\n S0[i] for j: i32 = 0 .. m { S1[i, j] } S2[i] } }\n"
     "    stmt S0[i]: s = 0.0\n    stmt S1[i, j]: s += y[j] / (x[i] - y[j])\n    stmt S2[i]: a[i] = s\n}\n",
     1},
    {"rows of three that are written side by side, each without itself",
     HEAD "    array a[n][3]: f32 = \"a\" live\n    array x[n][3]: f32 = \"x\"\n"
     "    do { for i: i32 = 0 .. n { local s[3]: f32\n for k: i32 = 0 .. 3 S0[i, k] for j: i32 = 0 .. n { "
     "if (j != i) { local r: f32\n"
     "        S1[i, j] for d: i32 = 0 .. 3 { S2[i, j, d] } for e: i32 = 0 .. 3 { S3[i, j, e] } } } "
     "for l: i32 = 0 .. 3 S4[i, l] } }\n"
     "    stmt S0[i, k]: s[k] = 0.0\n    stmt S1[i, j]: r = 1.0\n"
     "    stmt S2[i, j, d]: r += (x[i][d] - x[j][d]) * x[j][d]\n"
     "    stmt S3[i, j, e]: s[e] += r * x[j][e]\n    stmt S4[i, l]: a[i][l] = s[l]\n}\n", 2, true},
    {"rows of five, known",
     HEAD "    array a[?][m]: f32 = \"a\" live\n    array x[?][5]: f32 = \"x\"\n"
     "    array y[?][5]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: f32\n S0[i, j] "
     "for d: i32 = 0 .. 5 { S1[i, j, d] } S2[i, j] } } }\n"
     "    stmt S0[i, j]: s = 0.0\n    stmt S1[i, j, d]: s += (x[i][d] - y[j][d]) * y[j][d]\n"
     "    stmt S2[i, j]: a[i][j] = s\n}\n", 2},
};

static void count_streams(Node *n, void *count) {
    if (n->kind != N_KERNEL) return;
    Arena *a = arena_new();
    *(int *)count += strstr(ir_print_node(a, n->body, 0), " coop") != NULL;
    arena_free(a);
}

static void spellings(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1300, 9, 3}, {70, 9, 3}, {5, 33, 16}, {1, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        IrFile *f = ir_parse(c, cases[k].name, cases[k].text);
        if (!f) fail_msg("%s: %s", cases[k].name, last_diag(c));
        Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
        if (!n) fail_msg("%s: %s", cases[k].name, last_diag(c));
        int streams = 0;
        node_walk(n->root, count_streams, &streams);
        if (streams != cases[k].streams) fail_msg("%s: %d kernels\n%s", cases[k].name, streams,
                                                  ir_print_nest(c->arena, n));
        if (cases[k].own && !strstr(ir_print_nest(c->arena, n), " > 0 || ")) fail_msg("%s: all stretches ask",
            cases[k].name);
        for (size_t i = cases[k].own ? 0 : 1; i < sizeof sizes / sizeof *sizes; i++) {
            Verdict v = {ANSWER_ALWAYS, NULL, NULL};
            if (is_right(n, &v, sizes[i]) != 1) fail_msg("%s: wrong", cases[k].name);
        }
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spellings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
