// SPDX-License-Identifier: MIT
// scans_test.c -- sums so far and histograms: their strategies' nests are proved, are taken to be quicker
// than the standard nest, and do what the region does
#include "shaped.h"
#include "plan/strategy.h"

#define HEAD(permit)                                                                   \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt " permit "{\n    param n: i32 = \"n\"\n" \
    "    param m: i32 = \"m\"\n"
#define BINS                                                                             \
    "param lo: i64 param hi: i64\narray h[?]: i32 = \"h\" live array x[n]: i32 = \"x\" " \
    "array w[n]: i32 = \"w\"\n"
#define SUM(t)                                                                                     \
    "array s: " t " = \"s\" live array x[n]: " t " = \"x\" array w[n]: " t " = \"w\" array y[n]: " \
    t " = \"y\" live\n"
typedef struct Case {
    const char *name, *text, *word; // in the recipe
    int64_t m;
} Case;
static const Case cases[] = {
    {"a histogram", HEAD("") BINS "inspect h dim 0 as lo to hi for i_1: i32 = 0 .. n value i64(x[i_1]) + 3\n"
     "do { for i: i32 = 0 .. n S0[i] }\nstmt S0[i]: h[x[i] + 3] += 1\n}\n", "privatize i of=h size=32"},
    {"the least of each kind, and how many",
     HEAD("") "param lo: i64 param hi: i64\narray h[?]: i32 = \"h\" live "
     "array k[8]: i32 = \"k\" live constant "
     "array x[n]: i32 = \"x\" array w[n]: i32 = \"w\"\ninspect h dim 0 as lo to hi "
     "for i_1: i32 = 0 .. n value i64(x[i_1]) + 3\n"
     "do { for i: i32 = 0 .. n { S0[i] if (w[i] > 0) S1[i] } }\nstmt S0[i]: h[x[i] + 3] min= w[i]\n"
     "stmt S1[i]: k[w[i] & 7] += x[i]\n}\n", "of=h,k"},
    {"pairs", HEAD("") "array h[4][8]: i32 = \"h\" live constant array x[n][m]: i32 = \"x\" "
     "array w[n][m]: i32 = \"w\"\n"
     "do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] }\n"
     "stmt S0[i, j]: h[x[i][j] & 3][w[i][j] & 7] += 1\n}\n", "privatize j i of=h", 40},
    {"rows of bins that nobody declares",
     HEAD("") "param lo: i64 param hi: i64\narray h[?][8]: i32 = \"h\" live array x[n][m]: i32 = \"x\" "
     "array w[n][m]: i32 = \"w\"\ninspect h dim 1 as lo to hi for i_1: i32 = 0 .. n for j_1: i32 = 0 .. m "
     "value i64(x[i_1][j_1] & 3)\n"
     "do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] }\n"
     "stmt S0[i, j]: h[i][x[i][j] & 3] += w[i][j]\n}\n", "privatize j of=h rows=i", 40},
    {"rows of bins",
     HEAD("") "array h[n][8]: i32 = \"h\" live array x[n][m]: i32 = \"x\" array w[n][m]: i32 = \"w\"\n"
     "do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] }\n"
     "stmt S0[i, j]: h[i][x[i][j] & 7] += w[i][j]\n}\n", "privatize j of=h rows=i", 40},
    {"sums so far", HEAD("reassociate ") SUM("f32") "do { for i: i32 = 0 .. n { S0[i] S1[i] } }\n"
     "stmt S0[i]: s += x[i] * w[i]\nstmt S1[i]: y[i] = s\n}\n", "stage w"},
    {"before each", HEAD("") SUM("i32") "do { for i: i32 = 0 .. n { S1[i] S0[i] } }\nstmt S0[i]: s += x[i]\n"
     "stmt S1[i]: y[i] = s\n}\n", "out=y"},
    {"backwards, the greatest, with a local",
     HEAD("") SUM("i32") "do { for i: i32 = n - 1 .. -1 step -1 { local t: i32\nS0[i] S1[i] S2[i] } }\n"
     "stmt S0[i]: t = x[i] * w[i]\nstmt S1[i]: s max= t\nstmt S2[i]: y[n - 1 - i] = s + t\n}\n",
     "scan i of=s"},
    {"how many so far are above zero",
     HEAD("") SUM("i32") "do { for i: i32 = 0 .. n { if (x[i] > 0) S0[i] S1[i] } }\n"
     "stmt S0[i]: s += 1\nstmt S1[i]: y[i] = s + w[i]\n}\n", "stage w"},
    {"in place", HEAD("") SUM("i32") "do { for i: i32 = 0 .. n { S0[i] S1[i] } }\nstmt S0[i]: s += x[i]\n"
     "stmt S1[i]: x[i] = s - w[i]\n}\n", "out=x"},
};
enum { CASES = sizeof cases / sizeof *cases };

static int values(const Region *r, int64_t n, int64_t m, InterpVal *v) {
    for (int i = 0; i < r->nparams; i++) {
        char first = r->params[i]->name[0];
        v[i] = (InterpVal){.sym = r->params[i], .i = first == 'n' ? n : first == 'm' ? m : first == 'l' ? 0
                           : 6};
    }
    return r->nparams;
}

static void check_values_of(const Case *k, const Nest *n) {
    static const int64_t sizes[] = {1, 7, 70, 8300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        InterpVal v[8];
        int nv = values(n->region, sizes[i], k->m, v);
        if (same_values(n, nv, v, 3) != 1) fail_msg("%s: wrong at %d, or not for it\n%s", k->name,
                                                    (int)sizes[i], n->recipe);
    }
}

// In no order that anybody permitted.
static void strict(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "f",
                         HEAD("") SUM("f32") "do { for i: i32 = 0 .. n { S0[i] S1[i] } }\n"
                         "stmt S0[i]: s += x[i]\nstmt S1[i]: y[i] = s\n}\n");
    assert_non_null(f);
    assert_null(plan_default(c, f->region, dep_analyze(c, f->region),
                             &(PlanOptions){.target = "gpu", .asserted = true}));
    compile_free(c);
}

// Not of a nest that leaves out the greatest of the subscripts, or comes upon more than there are.
static void wrong(void **state) {
    (void)state;
    static const char *const recipes[] = {"privatize i of=h size=7 threads=32 blocks=2",
                                          "privatize i of=h size=32 threads=32 blocks=2"};
    for (int k = 0; k < 2; k++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, cases[0].text), recipes[k], JUDGE_LAST);
        if (!n) fail_msg("%s", last_diag(c));
        for (int64_t lo = 0; lo < 2; lo++) { // seven are there, eight are not
            InterpVal v[8];
            values(n->region, 50, 0, v);
            int64_t when = 1;
            v[3].i = lo ? 7 : 6;
            assert_true(ir_eval(n->when, n->region->nparams, v, &when));
            assert_int_equal(when, k || !lo);
        }
        compile_free(c);
    }
}

static void taken(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Compile *c = compile_new();
        c->confirm = true;
        Nest *start = start_of(c, cases[i].text);
        const DepInfo *d = dep_analyze(c, start->region);
        Nest *standard = plan_default(c, start->region, d, &(PlanOptions){.target = "gpu", .asserted = true}),
            *best[2];
        if (!standard) fail_msg("%s: no standard nest: %s", cases[i].name, last_diag(c));
        InterpVal v[8];
        PlanCall call = {.target = "gpu", .nvals = values(start->region, cases[i].m ? 4000 : 1 << 24,
                                                          cases[i].m ? 4000 : 0, v), .vals = v,
            .machine = machine_find(c->arena, "H200", NULL)};
        assert_non_null(call.machine);
        Site site = {c, start->region, d, start, &call};
        int n = plan_candidates(&site, standard, 0, best, 2);
        if (!n) fail_msg("%s: nothing quicker", cases[i].name);
        if (!strstr(best[0]->recipe, cases[i].word)) fail_msg("%s: %s", cases[i].name, best[0]->recipe);
        if (best[0]->proof != PROOF_PROVED) fail_msg("%s: %s", cases[i].name, best[0]->reason);
        check_values_of(&cases[i], standard);
        check_values_of(&cases[i], best[0]);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(strict), cmocka_unit_test(wrong),
                                       cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
