// SPDX-License-Identifier: MIT
// stencils_test.c -- stencils in several spellings: shapes of their kernels are found for a call, priced
// below the standard nest, proved, and right; constants are numbers in their texts
#include "../rule/follow.h"
#include "../sample.h"
#include "emit/emit.h"
#include "model/machine.h"
#include "model/model.h"
#include "plan/variants.h"

#define HEAD "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n    param n: i32 = \"n\"\n"
#define INNER(i) "for " #i ": i32 = 1 .. n - 1 "
#define SHORT(p) "for " #p ": i32 = -1 .. 2 "
typedef struct Case {
    const char *name, *text;
    int64_t n;            // of the call
    double gain;          // the standard nest takes so many times as long, at least
    const char *within;   // the kernel's text
} Case;
static const Case cases[] = {
    {"27 points, weights divide, the sum in a local",
     HEAD "array a[n][n][n]: f32 = \"a\"\narray b[n][n][n]: f32 = \"b\" live\n"
     "do { " INNER(i) INNER(j) INNER(k) "{ local s: f32\n S0[i, j, k] " SHORT(p) SHORT(q) SHORT(r)
     "{ S1[i, j, k, p, q, r] } S2[i, j, k] } }\n"
     "stmt S0[i, j, k]: s = 0.0\nstmt S1[i, j, k, p, q, r]: s += a[i + p][j + q][k + r] / "
     "f32(1 + p * p + q * q + r * r)\n"
     "stmt S2[i, j, k]: b[i][j][k] = s\n}\n", 256, 2, "+ kt_2 - 1)], 3.0f)"},
    {"27 points, weights multiply, the sum in place",
     HEAD "array a[n][n][n]: f32 = \"a\"\narray b[n][n][n]: f32 = \"b\" live\n"
     "do { " INNER(i) INNER(j) INNER(k) "{ S0[i, j, k] for p: i32 = 0 .. 3 for q: i32 = 0 .. 3 "
     "for r: i32 = 0 .. 3 { S1[i, j, k, p, q, r] } } }\n"
     "stmt S0[i, j, k]: b[i][j][k] = 0.0\n"
     "stmt S1[i, j, k, p, q, r]: b[i][j][k] += a[i + p - 1][j + q - 1][k + r - 1]"
     " * (1.0 / (1.0 + f32((p - 1) * (p - 1)) + f32((q - 1) * (q - 1)) + f32((r - 1) * (r - 1))))\n}\n",
     256, 1.3, "* 0.25f"},
    {"a box whose loops go with the point, in place",
     HEAD "array a[n][n]: f32 = \"a\"\narray b[n][n]: f32 = \"b\" live\n"
     "do { " INNER(i) INNER(j) "{ S0[i, j] for u: i32 = i - 1 .. i + 2 "
     "for v: i32 = j - 1 .. j + 2 { S1[i, j, u, v] } S2[i, j] } }\n"
     "stmt S0[i, j]: b[i][j] = 0.0\nstmt S1[i, j, u, v]: b[i][j] += a[u][v]\n"
     "stmt S2[i, j]: b[i][j] *= 0.125\n}\n", 8192, 1.1, NULL},
    {"a box of longs, divided",
     HEAD "array a[n][n]: i64 = \"a\"\narray b[n][n]: i64 = \"b\" live\n"
     "do { " INNER(i) INNER(j) "{ local s: i64\n S0[i, j] " SHORT(p) SHORT(q)
     "{ S1[i, j, p, q] } S2[i, j] } }\n"
     "stmt S0[i, j]: s = 0\nstmt S1[i, j, p, q]: s += a[i + p][j + q]\nstmt S2[i, j]: b[i][j] = s / 9\n}\n",
     8192, 1.1, NULL},
    {"7 points",
     HEAD "array a[n][n][n]: f32 = \"a\"\narray b[n][n][n]: f32 = \"b\" live\ndo { "
     INNER(i) INNER(j) INNER(k) "{ S0[i, j, k] } }\n"
     "stmt S0[i, j, k]: b[i][j][k] = a[i][j][k] + 0.1 * (a[i - 1][j][k] + a[i + 1][j][k] + "
     "a[i][j - 1][k] + a[i][j + 1][k]"
     " + a[i][j][k - 1] + a[i][j][k + 1])\n}\n", 512, 1.2, NULL},
};

static void check(Compile *c, const Case *x, const Nest *n) {
    static const int64_t sizes[] = {3, 20, 35};
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN)
        fail_msg("%s: %s\n%s", x->name, v.why ? v.why : "not decided", n->recipe);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        InterpVal val = {n->region->params[0], sizes[k], 0};
        Nest any = *n;
        any.when = v.answer == ANSWER_ALWAYS ? NULL : v.when;
        if (same_values(&any, 1, &val, 7) == 0) fail_msg("%s: wrong at %d\n%s", x->name, (int)sizes[k],
                                                         n->recipe);
    }
}

static void chosen(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        const char *why;
        Nest *start = start_of(c, cases[k].text), *nest[PLAN_VARIANTS];
        const Region *r = start->region;
        const Machine *m = machine_find(c->arena, "H200", &why);
        InterpVal val = {r->params[0], cases[k].n, 0};
        PlanCall call = {.target = "gpu", .nvals = 1, .vals = &val, .processors = m->sms, .machine = m,
                         .most = 6};
        const DepInfo *d = dep_analyze(c, r);
        PlanOptions o = {"gpu", .asserted = true};
        Nest *standard = plan_default(c, r, d, &o);
        int n = plan_shapes(c, r, d, &call, nest, PLAN_VARIANTS);
        if (n < 2) fail_msg("%s: %d nests", cases[k].name, n);
        double whole = model_price(model_priced(c->arena, standard, m), 1, &val).seconds,
               best = model_price(model_priced(c->arena, nest[0], m), 1, &val).seconds;
        if (best * cases[k].gain > whole) fail_msg("%s: %g of %g us\n%s", cases[k].name, best * 1e6,
                                                   whole * 1e6, nest[0]->recipe);
        check(c, &cases[k], nest[0]);
        check(c, &cases[k], nest[n - 1]);
        const char *text = emit_kernels(c, nest[0], &(EmitOptions){.dialect = DIALECT_CUDA});
        if (cases[k].within && !strstr(text, cases[k].within)) fail_msg("%s: no %s\n%s", cases[k].name,
            cases[k].within, text);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
