// SPDX-License-Identifier: MIT
// verdict_test.c -- what the judge said of a nest is asked for again only of the same nest of the same loops
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dep/flow.h"
#include "plan/plan.h"

static const char loops[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
    "array a[?][m]: f32 = \"a\" live\narray b[?][m]: f32 = \"b\" live\n"
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }\n"
    "stmt S0[i, j]: a[i][j] = %s\n}\n";

enum { MOST = 8 };
typedef struct Book {
    int n, finds, found;
    char *key[MOST], *text[MOST];
} Book;

static const char *find(void *arg, Arena *a, const char *key) {
    Book *b = arg;
    b->finds++;
    for (int i = 0; i < b->n; i++)
        if (str_eq(b->key[i], key)) return b->found++, arena_strdup(a, b->text[i]);
    return NULL;
}

static void keep(void *arg, const char *key, const char *text) {
    Book *b = arg;
    assert_true(b->n < MOST);
    b->key[b->n] = strdup(key), b->text[b->n++] = strdup(text);
}

// What is planned for these loops, as text; when: stands in the nest beside its own.
static void planned(Book *b, const char *value, const char *when, char *out, size_t size) {
    Compile *c = compile_new();
    Recall r = {find, keep, b};
    IrFile *f = ir_parse(c, "f", arena_printf(c->arena, loops, value));
    if (!f) fail_msg("%s", c->diags.at[0].text);
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    assert_non_null(n);
    const char *why;
    if (when) n->when = ir_parse_expr(c, f->region, 0, NULL, T_I32, when, &why);
    c->recall = b ? &r : NULL;
    assert_true(plan_judge(c, n));
    assert_int_equal(n->proof, PROOF_PROVED);
    snprintf(out, size, "%s", ir_print_nest(c->arena, n));
    compile_free(c);
}

static void test_again(void **state) {
    (void)state;
    Book b = {0};
    char fresh[8192], first[8192], again[8192];
    for (int k = 0; k < 2; k++) {
        const char *when = k ? "n >= 64" : NULL;
        planned(NULL, "b[i][j] * 2.0", when, fresh, sizeof fresh);
        planned(&b, "b[i][j] * 2.0", when, first, sizeof first);
        assert_int_equal(b.n, k + 1);
        assert_int_equal(b.found, k); // another condition is another nest
        planned(&b, "b[i][j] * 2.0", when, again, sizeof again);
        assert_int_equal(b.n, k + 1);
        assert_int_equal(b.found, k + 1);
        assert_string_equal(first, fresh);
        assert_string_equal(again, fresh);
    }
    planned(&b, "b[i][j] * 3.0", NULL, first, sizeof first); // and so are other loops
    assert_int_equal(b.n, 3);
    assert_int_equal(b.finds, 5);
    for (int i = 0; i < b.n; i++) free(b.key[i]), free(b.text[i]);
}

// What took all of the budget is not asked again, whatever the call.
static void test_budget(void **state) {
    (void)state;
    Book b = {0};
    for (int k = 0; k < 2; k++) {
        Compile *c = compile_new();
        Recall r = {find, keep, &b};
        IrFile *f = ir_parse(c, "f", arena_printf(c->arena, loops, "b[i][j] * 2.0"));
        if (!f) fail_msg("%s", c->diags.at[0].text);
        Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
        assert_non_null(n);
        c->recall = &r;
        c->thrift = k ? 1 : 1 << 20; // of a budget so small that nothing is decided
        assert_true(plan_judge(c, n));
        assert_int_equal(b.n, 1);
        assert_int_equal(b.found, k);
        assert_int_equal(n->proof, PROOF_BELIEVED);
        assert_string_equal(n->reason, OVER_BUDGET);
        compile_free(c);
    }
    free(b.key[0]), free(b.text[0]);
}

// Rows of one array lie apart for sizes in three pieces; for all of them together the analysis is too dear.
static void test_pieces(void **state) {
    (void)state;
    static const char text[] =
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
        "array A[6000]: i32 = \"A\" live constant\n"
        "do { for i: i32 = 0 .. n mark (none @1:1) { local t: i32 constant S0[i] "
        "for j: i32 = 0 .. m { S1[i, j] } S2[i] S3[i] } }\n"
        "stmt S0[i]: t = A[i]\nstmt S1[i, j]: t = t * 31 + A[j + 3000]\n"
        "stmt S2[i]: A[i] = t\nstmt S3[i]: A[i + 3000 + m] = t\n}\n";
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "f", text);
    if (!f) fail_msg("%s", c->diags.at[0].text);
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    assert_non_null(n);
    assert_true(plan_judge(c, n));
    if (n->proof != PROOF_PROVED) fail_msg("%s", n->reason);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_again), cmocka_unit_test(test_budget),
                                       cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
