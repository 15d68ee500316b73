// SPDX-License-Identifier: MIT
// table_test.c -- tables of constants: exact in subscripts where they are small, ranges where they are not.
#include "dep/dep.h"
#include "ir/ir.h"
#include "ir/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// y[i][t[k]] = x[i][k] in rows of four.
#define ROWS(extent, values)                                                            \
    "sculpt 1 region rows auto { param n: i32 = \"n\" array y[?][4]: f32 = \"y\" live " \
    "array x[?][4]: f32 = \"x\" "                                                       \
    "array t[" extent "]: i32 = \"t\" live constant " values " "                        \
    "do { for i: i32 = 0 .. n for k: i32 = 0 .. 4 S0[i, k] } stmt S0[i, k]: y[i][t[k]] = x[i][k] }"

static Region *read(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "table", text);
    return f && ir_verify_region(c, f->region) ? f->region : NULL;
}

static const DepInfo *facts(Compile *c, const char *text) {
    Region *r = read(c, text);
    if (!r) fail_msg("%s", c->diags.n ? c->diags.at[0].text : text);
    return dep_analyze(c, r);
}

static bool is_zero(const Expr *x) { return x && expr_is_int(x, 0); }

static void subscripts(void **state) {
    (void)state;
    Compile *c = compile_new();
    const DepInfo *each = facts(c, ROWS("4", "values (3, 0, 2, 1)")),
        *twice = facts(c, ROWS("4", "values (3, 0, 3, 1)"));
    assert_true(each->loops[0].parallel == ANSWER_ALWAYS && each->loops[1].parallel == ANSWER_ALWAYS);
    assert_true(twice->loops[0].parallel == ANSWER_ALWAYS && twice->loops[1].parallel != ANSWER_ALWAYS);
    assert_false(is_zero(each->bounds));
    assert_true(is_zero(facts(c, ROWS("4", "values (3, 0, 4, 1)"))->bounds)); // leaves its row
    assert_true(is_zero(facts(c, ROWS("4", ""))->bounds));                    // anybody's guess
    // the least and the greatest
    const DepInfo *large = facts(c, ROWS("100", "values (0, 3)"));
    assert_false(is_zero(large->bounds));
    assert_true(large->loops[0].parallel == ANSWER_ALWAYS && large->loops[1].parallel != ANSWER_ALWAYS);
    assert_true(is_zero(facts(c, ROWS("100", "values (-1, 3)"))->bounds));
    compile_free(c);
}

// An unsigned subtraction may wrap where nobody asks for it: on the other arm, or behind a condition.
static void arms(void **state) {
    (void)state;
    Compile *c = compile_new();
    const DepInfo *d = facts(c,
                             "sculpt 1 region arms auto { param n: i32 = \"n\" param k: u32 = \"k\" "
                             "array y[?]: f32 = \"y\" live "
                                "array x[?]: f32 = \"x\" do { for i: i32 = 0 .. n S0[i] } "
                                "stmt S0[i]: y[i] = x[u32(i) > k ? u32(i) - k : 0] }");
    assert_true(!d->bounds || expr_is_int(d->bounds, 1));
    const DepInfo *other = facts(c,
                                 "sculpt 1 region arms auto { param n: i32 = \"n\" param k: u32 = \"k\" "
                                 "array y[?]: f32 = \"y\" live "
                                    "array x[?]: f32 = \"x\" do { for i: i32 = 0 .. n S0[i] } "
                                    "stmt S0[i]: y[i] = x[u32(i) > k ? 0 : u32(i) - k] }");
    assert_false(!other->bounds || expr_is_int(other->bounds, 1));
    compile_free(c);
}

static void text(void **state) {
    (void)state;
    Compile *c = compile_new();
    Region *r = read(c, ROWS("4", "values (3, 0, -2, 1)"));
    assert_non_null(r);
    const char *once = ir_print_region(c->arena, r);
    assert_non_null(strstr(once, "constant values (3, 0, -2, 1)"));
    Region *again = read(c, arena_printf(c->arena, "sculpt 1 %s", once));
    assert_non_null(again);
    assert_string_equal(once, ir_print_region(c->arena, again));
    // Of floats, bit for bit; a number of a cast is no constant there.
    const char *floats = "array w[3]: f64 = \"w\" live constant values (0.1, -0, 3)",
               *head = "sculpt 1 region f auto { param n: i32 = \"n\" array y[?]: f64 = \"y\" live ",
               *body = " do { for i: i32 = 0 .. 3 S0[i] } stmt S0[i]: y[i] = w[i] }";
    r = read(c, arena_printf(c->arena, "%s%s%s", head, floats, body));
    assert_non_null(r);
    assert_non_null(strstr(ir_print_region(c->arena, r), "constant values (0.1, -0.0, 3.0)"));
    static const double want[] = {.1, -.0, 3};
    for (int k = 0; k < 3; k++)
        assert_true(table_element(c->arena, r->arrays[1], k)->f == want[k]);
    assert_true(signbit(table_element(c->arena, r->arrays[1], 1)->f) && table_has_each(r->arrays[1]));
    assert_false(array_is_table(r->arrays[1]));
    floats = "array w[1]: f64 = \"w\" live constant values (n)";
    assert_null(read(c, arena_printf(c->arena, "%s%s%s", head, floats, body)));
    // A table that the region writes is none.
    assert_null(read(c, "sculpt 1 region w auto { param n: i32 = \"n\" "
                        "array t[4]: i32 = \"t\" live constant values (1, 2, 3, 4) "
                        "do { for i: i32 = 0 .. 4 S0[i] } stmt S0[i]: t[i] = n }"));
    assert_non_null(strstr(c->diags.at[c->diags.n - 1].text, "is a table of constants, and written"));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(subscripts), cmocka_unit_test(arms),
                                       cmocka_unit_test(text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
