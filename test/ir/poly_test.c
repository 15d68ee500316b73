// SPDX-License-Identifier: MIT
// poly_test.c -- what libisl refuses because it was asked for what is not there is told, once a region; what
// it refuses because the budget is used up is not.
#include "ir/poly.h"
#include "ir/watch.h"
#include <isl/ctx.h>
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
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

static bool stopped_at_deadline(Compile *c, Poly *p) {
    double most = time_used() + 20;
    isl_set *some = isl_set_read_from_str(p->ctx, "{ [i] : 2i > 5 }");
    watch_start(c, 0.05);
    while (isl_ctx_last_error(p->ctx) == isl_error_none && time_used() < most)
        isl_set_free(isl_set_lexmin(isl_set_copy(some)));
    isl_set_free(some);
    return isl_ctx_last_error(p->ctx) == isl_error_abort;
}

// A child has none of its parent's threads: deadlines are kept there, too, and in both it can end.
static void forked(void **state) {
    (void)state;
    Compile *c = compile_new();
    Poly *p = poly_new(c);
    int status = 0;
    poly_restart(c);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool stopped = stopped_at_deadline(c, p);
        compile_free(c);
        _exit(!stopped);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(stopped_at_deadline(c, p));
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

static Expr *op(Arena *a, Op o, Expr *x, Expr *y) { return expr_op(a, o, x, y, NULL); }

static Sym *counter(Arena *a, const char *name) {
    return NEW_AS(a, Sym, ((Sym){.name = name, .kind = SYM_ITER, .type = T_I32}));
}

// Beyond the greatest of several bounds are the points of one piece, which are the same ones.
static void bounds(void **state) {
    (void)state;
    Compile *c = compile_new();
    Arena *a = c->arena;
    Poly *p = poly_new(c);
    poly_restart(c);
    const Sym *iters[] = {counter(a, "t"), counter(a, "r")};
    PolyScope s = {2, iters};
    Expr *t = expr_sym(a, iters[0]), *r = expr_sym(a, iters[1]), *three = expr_int(a, T_I32, 3);
    Expr *bound = op(a, OP_MAX, op(a, OP_MAX, op(a, OP_MUL, t, expr_int(a, T_I32, 16)), three), t);
    static const struct {
        Op op;
        bool swapped, one;
    } of[] = {{OP_GE, false, true},  {OP_GT, false, true}, {OP_LT, true, true},
              {OP_LT, false, false}, {OP_EQ, false, false}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        isl_set *set = of[k].swapped ? poly_compare(p, s, of[k].op, bound, r, NULL)
                                     : poly_compare(p, s, of[k].op, r, bound, NULL);
        isl_pw_aff *x = poly_aff(p, s, r, NULL), *y = poly_aff(p, s, bound, NULL);
        isl_set *same = of[k].op == OP_GE                       ? isl_pw_aff_ge_set(x, y)
                        : of[k].op == OP_GT || of[k].swapped ? isl_pw_aff_gt_set(x, y)
                        : of[k].op == OP_LT                  ? isl_pw_aff_lt_set(x, y)
                                                             : isl_pw_aff_eq_set(x, y);
        assert_true(isl_set_is_equal(set, same) == isl_bool_true);
        if (of[k].one) assert_int_equal(isl_set_n_basic_set(set), 1);
        isl_set_free(set);
        isl_set_free(same);
    }
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds), cmocka_unit_test(mistakes),
                                       cmocka_unit_test(budget), cmocka_unit_test(forked),
                                       cmocka_unit_test(long_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
