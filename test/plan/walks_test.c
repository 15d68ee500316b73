// SPDX-License-Identifier: MIT
// walks_test.c -- rows that a thread walks along, in several spellings: by tiles in shared memory, proved,
// priced far below the standard nest, and right
#include "shaped.h"
#include "model/machine.h"
#include "model/model.h"
#include "plan/choose.h"

typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    const char *stages; // an array that comes or goes by tiles; NULL: none that is proved
} Case;
#define X "array x[n][m]: f32 = \"x\" "
#define Y "array y[n][m]: f32 = \"y\" live "
#define ROWS "for i: i32 = 0 .. n "
static const Case cases[] = {
    {"sums so far in a scalar", X Y, ROWS "{ local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] S2[i, j] } }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += x[i][j] stmt S2[i, j]: y[i][j] = s", "stage y"},
    {"in place", Y, ROWS "for j: i32 = 1 .. m S0[i, j]", "stmt S0[i, j]: y[i][j] += y[i][j - 1]", "stage y"},
    {"a filter of two steps in place", Y "array a[n]: f32 = \"a\" ",
     ROWS "{ local s: f32 local t: f32 S0[i] S1[i] for j: i32 = 0 .. m { S2[i, j] S3[i, j] S4[i, j] } }",
     "stmt S0[i]: s = 0.0 stmt S1[i]: t = 1.0 stmt S2[i, j]: y[i][j] = y[i][j] * a[i] + s "
     "stmt S3[i, j]: s = t - y[i][j] stmt S4[i, j]: t = y[i][j] * 0.5", "stage y"},
    {"onward and back", X Y,
     ROWS "{ S0[i] for j: i32 = 1 .. m S1[i, j] for k: i32 = 0 .. m - 1 S2[i, k] }",
     "stmt S0[i]: y[i][0] = y[i][0] * 0.5 stmt S1[i, j]: y[i][j] = y[i][j] - y[i][j - 1] * x[i][j] "
     "stmt S2[i, k]: y[i][m - 2 - k] = y[i][m - 2 - k] - y[i][m - 1 - k] * x[i][m - 2 - k]", "stage x"},
    {"a check of each row", "array x[n][m]: i32 = \"x\" array y[n]: i32 = \"y\" live ",
     ROWS "{ local s: i32 S0[i] for j: i32 = 0 .. m S1[i, j] S2[i] }",
     "stmt S0[i]: s = 7 stmt S1[i, j]: s = (s * 33 + x[i][j]) & 65535 stmt S2[i]: y[i] = s", "stage x"},
    {"batches", "array x[p][n][m]: f32 = \"x\" array y[p][n][m]: f32 = \"y\" live ",
     "for b: i32 = 0 .. p " ROWS "{ local s: f32 S0[b, i] for j: i32 = 0 .. m { S1[b, i, j] S2[b, i, j] } }",
     "stmt S0[b, i]: s = -100.0 stmt S1[b, i, j]: s max= x[b][i][j] stmt S2[b, i, j]: y[b][i][j] = s",
     "stage y"},
    {"planes", "array x[n][p][m]: f32 = \"x\" array y[n][p][m]: f32 = \"y\" live ",
     ROWS "{ local s: f32 S0[i] for q: i32 = 0 .. p for j: i32 = 0 .. m S1[i, q, j] "
     "for t: i32 = 0 .. p for k: i32 = 0 .. m S2[i, t, k] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, q, j]: s += x[i][q][j] stmt S2[i, t, k]: y[i][t][k] = x[i][t][k] - s",
     "stage y"},
    {"what only some steps write", X Y,
     ROWS "{ local s: f32 S0[i] for j: i32 = 0 .. m { S1[i, j] if (s > 0.5) S2[i, j] } }",
     "stmt S0[i]: s = 0.0 stmt S1[i, j]: s = s * 0.5 + x[i][j] stmt S2[i, j]: y[i][j] = s", NULL},
    {"columns, side by side, in order", X "array y[m]: f32 = \"y\" live ",
     "for j: i32 = 0 .. m { local s: f32 S0[j] for i: i32 = 0 .. n S1[j, i] S2[j] }",
     "stmt S0[j]: s = 0.0 stmt S1[j, i]: s += x[i][j] stmt S2[j]: y[j] = s", "stage x"},
    {"columns, an element each", X "array y[m]: f32 = \"y\" live ",
     "for j: i32 = 0 .. m { S0[j] for i: i32 = 0 .. n S1[j, i] }",
     "stmt S0[j]: y[j] = 0.0 stmt S1[j, i]: y[j] = (y[j] + x[i][j]) * 0.5", "stage x"},
    {"columns by what all read", X "array y[m]: f32 = \"y\" live array a[n]: f32 = \"a\" ",
     "for j: i32 = 0 .. m { local s: f32 S0[j] for i: i32 = 0 .. n S1[j, i] S2[j] }",
     "stmt S0[j]: s = -100.0 stmt S1[j, i]: s max= x[i][j] + a[i] stmt S2[j]: y[j] = s", "stage a"},
    {"neighbours side by side", X Y,
     "for j: i32 = 0 .. m { local s: f32 S0[j] for i: i32 = 0 .. n { S1[j, i] S2[j, i] } }",
     "stmt S0[j]: s = 0.0 stmt S1[j, i]: s += x[i][j] stmt S2[j, i]: y[i][j] = s", NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

// All may run, and they come with the quickest first.
static int first(Compile *c, int n, Nest *const *chain, const void *arg) {
    (void)c, (void)chain, (void)arg;
    return n ? 0 : -1;
}

static double seconds(Compile *c, const Nest *n, const PlanCall *call) {
    return model_price(model_priced(c->arena, n, call->machine), call->nvals, call->vals).seconds;
}

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {9, 70, 2}, {33, 3, 1}, {70, 40, 1}, {130, 100, 1},
                                       {3, 301, 1}};
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_printf(c->arena, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\n"
        "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam p: i32 = \"p\"\n%s do { %s }\n%s\n}\n",
        x->arrays, x->loops, x->stmts));
    const char *why;
    Nest *nest[PLAN_VARIANTS];
    InterpVal vals[8];
    const Region *r = start->region;
    set_sizes(r, (int64_t[3]){65536, 2048, 2}, vals);
    PlanCall call = {.target = "gpu", .nvals = r->nparams, .vals = vals, .processors = 132, .pick = first,
                     .machine = machine_find(c->arena, "H200", &why)};
    const DepInfo *d = dep_analyze(c, r);
    const Nest *standard = plan_default(c, r, d, &(PlanOptions){"gpu", .asserted = true}), *n = NULL;
    int count = plan_variants_for(c, r, d, &call, standard, nest, PLAN_VARIANTS);
    for (int i = 0; i < count && !n; i++)
        if (strstr(nest[i]->recipe, x->stages ? x->stages : "stage y")) n = nest[i];
    Verdict v = {.answer = ANSWER_NEVER};
    if (n) v = dep_judge(c, n->region, n->root);
    bool proved = v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN;
    if (proved != (x->stages != NULL))
        fail_msg("%s: %s\n%s", x->name, n ? v.why ? v.why : "proved" : "no such nest",
                 n ? n->recipe : count ? nest[0]->recipe : "");
    if (proved) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (is_right(n, &v, sizes[s]) == 0) fail_msg("%s: wrong at %d x %d\n%s", x->name,
                                                         (int)sizes[s][0], (int)sizes[s][1], n->recipe);
        if (!(seconds(c, n, &call) < 0.4 * seconds(c, standard, &call)))
            fail_msg("%s: %g s, the standard nest %g s", x->name, seconds(c, n, &call),
                     seconds(c, standard, &call));
    }
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (unsigned i = 0; i < CASES; i++)
        if (test_takes(i, 4, seed)) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
