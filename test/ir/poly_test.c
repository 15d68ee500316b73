// SPDX-License-Identifier: MIT
// poly_test.c -- what libisl refuses because it was asked for what is not there is told, once a region; what
// it refuses because the budget is used up is not.
#include "ir/poly.h"
#include <isl/ctx.h>
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// The greatest point of what has no end.
static void ask_wrongly(Compile *c) {
    Poly *p = poly_new(c);
    assert_null(isl_set_dim_max(isl_set_universe(isl_space_set_alloc(p->ctx, 0, 1)), 0));
    assert_int_not_equal(isl_ctx_last_error(p->ctx), isl_error_none);
}

static void mistakes(void **state) {
    (void)state;
    Compile *c = compile_new();
    Poly *p = poly_new(c);
    poly_restart(c);
    assert_false(poly_gave_up(p));
    for (int line = 1; line <= 2; line++) {
        c->at = (Loc){"a.c", line, 1};
        for (int again = 0; again < 2; again++) {
            ask_wrongly(c);
            assert_true(poly_gave_up(p));
            ask_wrongly(c);
            poly_restart(c); // which would forget it, too
        }
        assert_int_equal(c->diags.n, line);
        assert_int_equal(c->diags.at[line - 1].code, SC_BUG);
        assert_int_equal(c->diags.at[line - 1].loc.line, line);
    }
    diag(c, DIAG_ERROR, SC_TYPE, c->at, "tried in vain");
    diag_forget(c, 0); // what was tried is taken back, but for them
    assert_int_equal(c->diags.n, 2);
    assert_int_equal(c->errors, 0);
    compile_free(c);
}

static void budget(void **state) {
    (void)state;
    Compile *c = compile_new();
    Poly *p = poly_new(c);
    poly_restart(c);
    ask_wrongly(c); // the last error is what counts for isl: here one that came of the budget's end
    isl_ctx_set_max_operations(p->ctx, 1);
    assert_true(poly_gave_up(p));
    assert_int_equal(c->diags.n, 0);
    poly_restart(c);
    ask_wrongly(c);
    assert_false(poly_forgive(p, true)); // an answer, where it was asked for with care
    assert_false(poly_gave_up(p));
    assert_int_equal(c->diags.n, 0);
    compile_free(c);
}

// Numbers of isl's that no expression holds have none, which is no mistake.
static void long_numbers(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bool fits;
    } of[] = {{"9223372036854775807", true},  {"9223372036854775808", false}, {"-9223372036854775808", true},
              {"-9223372036854775809", false}};
    Compile *c = compile_new();
    Poly *p = poly_new(c);
    poly_restart(c);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        isl_val *v = isl_val_read_from_str(p->ctx, of[k].value);
        int64_t n = 1;
        assert_int_equal(poly_int(v, &n), of[k].fits);
        if (of[k].fits) assert_true(n == INT64_MAX || n == INT64_MIN);
        isl_set *any = isl_set_universe(isl_space_params_alloc(p->ctx, 0));
        isl_set *point = isl_set_universe(isl_space_params_alloc(p->ctx, 0));
        Expr *x = poly_expr(p, isl_pw_aff_val_on_domain(point, v), any);
        assert_int_equal(x != NULL, of[k].fits);
        isl_set_free(any);
    }
    assert_false(poly_gave_up(p));
    assert_int_equal(c->diags.n, 0);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes), cmocka_unit_test(budget),
                                       cmocka_unit_test(long_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
