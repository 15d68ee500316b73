// SPDX-License-Identifier: MIT
// tune_test.c -- measuring on the host's processor: right results, wrong ones, samples, products.
#include "tune/instances.h"
#include "tune/space.h"
#include "tune/tune.h"
#include "tune/vendor.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <math.h>
#include <string.h>

// a(n x m) += b * c, column-major; LHS, B and C are subscripts.
#define GEMM(B, C, OP)                                                                             \
    "sculpt 1\nregion gemm sculpt {\n param n: i32 = \"n\"\n param m: i32 = \"m\"\n param p: i32 = \"p\"\n" \
    " param pa: i32 = \"pa\"\n param pb: i32 = \"pb\"\n param pc: i32 = \"pc\"\n"                   \
    " array a[?][pa]: f32 = \"a\" live\n array b[?][pb]: f32 = \"b\"\n array c[?][pc]: f32 = \"c\"\n" \
    " do { for j: i32 = 0 .. m { for k: i32 = 0 .. p { for i: i32 = 0 .. n { S0[j, k, i] } } } }\n" \
    " stmt S0[j, k, i]: a[j][i] += b[" B "] " OP " c[" C "]\n}\n"

static Lab *lab(void **state) { return *state; }

static Case *make(Lab *l, const char *text, const char *settings, bool vendor) {
    SettingVec s = {0};
    assert_true(settings_read(l->a, settings, &s));
    CaseOptions o = {.seed = 3, .samples = 100, .vendor = vendor, .nsettings = s.n, .settings = s.at};
    const char *why = "";
    Case *c = case_new(l, "test", text, &o, &why);
    if (!c) print_message("%s\n", why);
    assert_non_null(c);
    return c;
}

static void settings(void **state) {
    Arena *a = lab(state)->a;
    SettingVec s = {0};
    int64_t v;
    assert_true(settings_read(a, "n=40, m=n*2 pad=m-n", &s));
    assert_int_equal(s.n, 3);
    assert_true(setting_value(a, s.n, s.at, "pad+n", &v));
    assert_int_equal(v, 80);
    assert_false(setting_value(a, 1, s.at, "m", &v)); // stands behind
    assert_false(settings_read(a, "n", &s));
}

static void products(void **state) {
    static const struct {
        const char *text;
        bool ta, tb;
    } rows[] = {{GEMM("k][i", "j][k", "*"), false, false}, {GEMM("k][i", "k][j", "*"), false, true},
                {GEMM("i][k", "j][k", "*"), true, false}, {GEMM("i][k", "k][j", "*"), true, true}};
    for (int i = 0; i < 4; i++) {
        Case *c = make(lab(state), rows[i].text, "n=20 m=30 p=40", false);
        assert_true(c->is_product);
        const Product *p = &c->product;
        assert_int_equal(p->ta, rows[i].ta);
        assert_int_equal(p->tb, rows[i].tb);
        assert_true(p->m == 20 && p->n == 30 && p->k == 40 && p->ldc == 20);
        assert_true(p->lda == (rows[i].ta ? 40 : 20) && p->ldb == (rows[i].tb ? 30 : 40));
        assert_true(c->flops == 2.0 * 20 * 30 * 40);
        case_free(c);
    }
    Case *c = make(lab(state), GEMM("k][i", "j][k", "+"), "n=20 m=30 p=40", false);
    assert_false(c->is_product);
    case_free(c);
}

// The samples against sums of their own.
static void samples(void **state) {
    Case *c = make(lab(state), GEMM("k][i", "j][k", "*"), "n=21 m=13 p=17 pad=3", false);
    assert_null(c->unsampled);
    assert_int_equal(c->nsamples, 100);
    const float *a = (float *)c->objects[0].host, *b = (float *)c->objects[1].host,
        *d = (float *)c->objects[2].host;
    for (int s = 0; s < c->nsamples; s++) {
        int64_t at = c->samples[s].offset / 4, j = at / 24, i = at % 24;
        assert_true(i < 21 && j < 13);
        double sum = a[at];
        for (int k = 0; k < 17; k++) sum += (double)b[k * 24 + i] * d[j * 20 + k];
        assert_true(fabs(sum - c->samples[s].value) < 1e-12);
        assert_true(c->samples[s].terms == 17);
    }
    case_free(c);
}

// A sum that a local gathers in the loop that also stores below its own row takes all of that loop.
static void samples_of_what_a_local_gathers(void **state) {
    Case *c = make(lab(state), "sculpt 1\nregion symm sculpt {\n param n: i32 = \"n\"\n"
                   " array c[?][n]: f32 = \"c\" live\n array b[?][n]: f32 = \"b\"\n do {\n"
                   " for i: i32 = 0 .. n { for j: i32 = 0 .. n { local t: f32\n S0[i, j]\n"
                   " for k: i32 = 0 .. i { S1[i, j, k] S2[i, j, k] }\n S3[i, j] } } }\n"
                   " stmt S0[i, j]: t = 0.0\n stmt S1[i, j, k]: c[k][j] += b[i][k]\n"
                   " stmt S2[i, j, k]: t += b[k][j]\n stmt S3[i, j]: c[i][j] = 0.5 * c[i][j] + t\n}\n",
                   "n=9", false);
    const float *was = (float *)c->objects[0].host, *b = (float *)c->objects[1].host;
    double want[81];
    for (int i = 0; i < 81; i++) want[i] = was[i];
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            double t = 0;
            for (int k = 0; k < i; k++) want[k * 9 + j] += b[i * 9 + k], t += b[k * 9 + j];
            want[i * 9 + j] = 0.5 * want[i * 9 + j] + t;
        }
    assert_null(c->unsampled);
    assert_int_equal(c->nsamples, 81);
    for (int s = 0; s < c->nsamples; s++)
        assert_true(fabs(want[c->samples[s].offset / 4] - c->samples[s].value) < 1e-12);
    case_free(c);
}

#define SWEEP(RHS)                                                                                 \
    "sculpt 1\nregion sweep sculpt {\n param n: i32 = \"n\"\n array a[?]: f32 = \"a\" live\n"      \
    " do { for i: i32 = 1 .. n { S0[i] } }\n stmt S0[i]: a[i] = " RHS "\n}\n"

static void dependent_elements_are_refused(void **state) {
    Case *c = make(lab(state), SWEEP("a[i - 1] * 0.5"), "n=20", false);
    assert_non_null(c->unsampled);
    case_free(c);
    c = make(lab(state), SWEEP("a[i] * 0.5"), "n=20", false);
    assert_null(c->unsampled);
    case_free(c);
}

// Where numbers on both sides of zero give none, positive ones are taken; where those give none either, that
// is right.
static void results_that_are_no_numbers(void **state) {
    for (int i = 0; i < 2; i++) {
        Case *c = make(lab(state), i ? SWEEP("sqrtf.f32(a[i] - 2.0)") : SWEEP("sqrtf.f32(a[i])"), "n=90",
                       false);
        assert_null(c->unsampled);
        for (int s = 0; s < c->nsamples; s++) assert_int_equal(isfinite(c->samples[s].value) != 0, i == 0);
        assert_true(isfinite(c->bound));
        float *left = (float *)c->objects[0].result;
        for (int e = 0; e < 90; e++) left[e] = sqrtf(((float *)c->objects[0].host)[e] - (i ? 2 : 0));
        assert_true(case_error(c, false) <= c->bound);
        for (int e = 0; e < 90; e++) left[e] = i ? 1 : NAN;
        assert_false(case_error(c, false) <= c->bound);
        case_free(c);
    }
}

static Trial trial(const char *recipe) {
    return (Trial){.name = "t", .kind = TRIAL_RECIPE, .text = recipe, .judging = JUDGE_LAST};
}

static void recipes_run(void **state) {
    Lab *l = lab(state);
    Case *c = make(l, GEMM("k][i", "j][k", "*"), "n=33 m=20 p=18", true);
    Trial t[2] = {trial("strip i by=8 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii\n"),
                  trial("map block k\n")};
    TrialOptions o = {.pairs = 3, .keep = 1, .host_to_host = true};
    trials_build(c, 2, t);
    if (!trial_run(c, &t[0], &o)) print_message("%s\n", t[0].why);
    assert_null(t[0].why);
    assert_true(t[0].right && t[0].proved && t[0].median_s > 0 && t[0].error <= c->bound);
    assert_true(t[0].instances >= 33 * 20 * 18);
    assert_true(!l->vendor || (t[0].ratio > 0 && t[0].vendor_s > 0 && t[0].difference >= 0));
    assert_false(trial_run(c, &t[1], &o)); // every k adds to the same elements
    assert_non_null(t[1].why);
    trial_free(&t[0]);
    trial_free(&t[1]);
    case_free(c);
}

// A nest that leaves out the last column must not pass.
static void wrong_results_are_seen(void **state) {
    static const char nest[] =
        "nest \"cpu\" {\n when n > 0 && m > 0 && p > 0\n foot a[0 to m - 1][0 to n - 1] in out exact\n"
                               " foot b[0 to p - 1][0 to n - 1] in\n foot c[0 to m - 1][0 to p - 1] in\n"
                               " do { kernel k0 {\n"
                               " for j: i32 = 0 .. m - 1 block for i: i32 = 0 .. n "
                               "for k: i32 = 0 .. p S0[j, k, i] } }\n}\n";
    Case *c = make(lab(state), GEMM("k][i", "j][k", "*"), "n=33 m=20 p=18", false);
    Trial t = {.name = "short", .kind = TRIAL_NEST, .text = nest};
    TrialOptions o = {.pairs = 1, .keep = 1};
    trials_build(c, 1, &t);
    assert_false(trial_run(c, &t, &o));
    assert_non_null(t.why);
    assert_non_null(strstr(t.why, "wrong results"));
    assert_false(t.right);
    trial_free(&t);
    case_free(c);
}

#define NEST(WHEN)                                                                                 \
    "nest \"cpu\" {\n when n > 0 && m > 0 && p > 0" WHEN "\n foot a[0 to m - 1][0 to n - 1] in out exact\n" \
    " foot b[0 to p - 1][0 to n - 1] in\n foot c[0 to m - 1][0 to p - 1] in\n do { kernel k0 {\n"    \
    " for j: i32 = 0 .. m block for i: i32 = 0 .. n for k: i32 = 0 .. p S0[j, k, i] } }\n}\n"

static void chains_choose_by_size(void **state) {
    for (int n = 32; n <= 33; n++) {
        Case *c = make(lab(state), GEMM("k][i", "j][k", "*"),
                       arena_printf(lab(state)->a, "n=%d m=20 p=18", n), false);
        Trial t = {.name = "two", .kind = TRIAL_NEST, .text = NEST(" && fmod(n, 8) == 0") NEST("")};
        TrialOptions o = {.pairs = 1, .keep = 1};
        trials_build(c, 1, &t);
        assert_true(trial_run(c, &t, &o));
        assert_int_equal(t.link, n == 33);
        trial_free(&t);
        case_free(c);
    }
}

// A sum that its mark calls parallel is no loop of which blocks may be made as it stands; a free one is.
static void sums_are_no_blocks(void **state) {
    static const char *const regions[] = {
        "sculpt 1\nregion sum omp {\n param n: i32 = \"n\"\n array s: f64 = \"&s\" live constant\n"
        " array x[?]: f64 = \"x\"\n do { for i: i32 = 0 .. n mark (parallel @1:1 reduce + s) { S0[i] } }\n"
        " stmt S0[i]: s += x[i]\n}\n",
        "sculpt 1\nregion twice omp {\n param n: i32 = \"n\"\n array s[?]: f64 = \"s\" live\n"
        " array x[?]: f64 = \"x\"\n do { for i: i32 = 0 .. n mark (parallel @1:1) { S0[i] } }\n"
        " stmt S0[i]: s[i] = 2 * x[i]\n}\n"};
    for (int k = 0; k < 2; k++) {
        Case *c = make(lab(state), regions[k], "n=2000000", false);
        const char *why = "";
        Space *s = space_make(c, EFFORT_PATIENT, 20, &why);
        assert_non_null(s);
        int strips = 0;
        for (int i = 0; i < s->n; i++) strips += strstr(s->at[i].form, "map block tx_") != NULL;
        assert_int_equal(strips > 0, k == 1);
        case_free(c);
    }
}

static int open_lab(void **state) {
    Arena *a = arena_new();
    const char *why = "";
    *state = lab_open(a, "cpu", &why);
    return *state ? 0 : -1;
}

static int close_lab(void **state) {
    arena_free(lab(state)->a);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings), cmocka_unit_test(products), cmocka_unit_test(samples),
        cmocka_unit_test(samples_of_what_a_local_gathers),
        cmocka_unit_test(dependent_elements_are_refused), cmocka_unit_test(results_that_are_no_numbers),
        cmocka_unit_test(recipes_run),
        cmocka_unit_test(wrong_results_are_seen), cmocka_unit_test(chains_choose_by_size),
        cmocka_unit_test(sums_are_no_blocks),
    };
    return cmocka_run_group_tests(tests, open_lab, close_lab);
}
