// SPDX-License-Identifier: MIT
// shares_test.c -- few long sums of several loops, or with terms in common: they are cut in shares, proved
// piece by piece, priced below whatever has no cut, and right; sums in order, and many of them, are left as
// they are
#include "called.h"
#include "plan/auto.h"

typedef struct Case {
    const char *name, *type, *permit, *loops, *stmts;
    int64_t n, m, p;
    bool cut;
} Case;
#define WEIGHTS(type) "for k: i32 = 0 .. p { local s: " type " S0[k] for b: i32 = 0 .. n " \
                      "for i: i32 = 0 .. m { S1[k, b, i] } S2[k] }"
#define SUMS(zero) "stmt S0[k]: s = " zero " stmt S1[k, b, i]: s += x[b][i + k] * g[b][i] " \
                   "stmt S2[k]: y[k] = s"
static const Case cases[] = {
    {"weights of a filter", "f32", "reassociate", WEIGHTS("f32"), SUMS("0.0"), 64, 65536, 9, true},
    {"of whole numbers, as they are", "i32", "", WEIGHTS("i32"), SUMS("0"), 64, 65536, 9, true},
    {"in order", "f32", "", WEIGHTS("f32"), SUMS("0.0"), 64, 65536, 9, false},
    {"more results than blocks", "f32", "reassociate", WEIGHTS("f32"), SUMS("0.0"), 64, 65536, 2000, false},
    {"an autocorrelation in place", "f32", "reassociate",
     "for k: i32 = 0 .. p { S0[k] for i: i32 = 0 .. m - k { S1[k, i] } }",
     "stmt S0[k]: y[k] = 0.0 stmt S1[k, i]: y[k] += g[0][i] * g[0][i + k]", 1, 1 << 24, 64, true},
    {"counted from the lag on", "f32", "reassociate",
     "for k: i32 = 0 .. p { local s: f32 S0[k] for i: i32 = k .. m { S1[k, i] } S2[k] }",
     "stmt S0[k]: s = 1.0 stmt S1[k, i]: s += g[0][i] * g[0][i - k] stmt S2[k]: y[k] = s", 1, 1 << 24, 32,
     true},
};

static const Nest *cut_of(Compile *c, const Region *r, const Case *x) {
    Nest *nest[PLAN_VARIANTS];
    int n = nests_for(c, r, (int64_t[3]){x->n, x->m, x->p}, nest, NULL);
    for (int i = 0; i < n; i++)
        if (strstr(nest[i]->recipe, "expand share")) {
            if (i) fail_msg("%s: the cut is number %d", x->name, i);
            return nest[i];
        }
    return NULL;
}

static void check(const Case *x) {
    static const int64_t sizes[][3] = {{1, 1, 1}, {1, 9001, 5}, {3, 4100, 3}};
    Compile *c = compile_new();
    Nest *start = start_of(c, arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt %s {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
        "param p: i32 = \"p\"\narray x[n][m + p]: %s = \"x\" array g[n][m]: %s = \"g\" "
        "array y[p]: %s = \"y\" live do { %s }\n%s\n}\n", x->permit, x->type, x->type, x->type, x->loops,
        x->stmts));
    Nest *cut = (Nest *)cut_of(c, start->region, x);
    if (!cut != !x->cut) fail_msg("%s: %s", x->name, cut ? cut->recipe : "not cut");
    if (cut && (!plan_judge(c, cut) || cut->proof != PROOF_PROVED))
        fail_msg("%s: %s\n%s", x->name, cut->reason, cut->recipe);
    int compared = 0;
    for (size_t s = 0; cut && s < sizeof sizes / sizeof *sizes; s++) {
        int right = is_right(cut, &(Verdict){ANSWER_WHEN, cut->when, NULL}, sizes[s]);
        if (right == 0)
            fail_msg("%s: wrong at %d x %d\n%s", x->name, (int)sizes[s][1], (int)sizes[s][2], cut->recipe);
        compared += right > 0;
    }
    if (cut && !compared) fail_msg("%s: for none of the sizes\n%s", x->name, cut->recipe);
    compile_free(c);
}

static void taken(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
