// SPDX-License-Identifier: MIT
// factor_test.c -- relations as products of relations between fewer dimensions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "dep/factor.h"
#include <isl/ctx.h>

enum { DIMS = 8 };

// What is asked of: dimensions of out, as bits. The pairs of m that are in the factor are all of m.
// Returns how many
// dimensions it has, in and out; 0: it is none.
static int dims_of_factor(isl_ctx *ctx, unsigned asked, const char *text) {
    bool in[DIMS] = {false}, out[DIMS] = {false};
    isl_map *m = isl_map_read_from_str(ctx, text);
    for (int i = 0; i < DIMS; i++) out[i] = asked >> i & 1;
    isl_map *part = factor_of(m, in, out);
    int dims = 0;
    if (part) {
        dims = (int)isl_map_dim(part, isl_dim_in) + (int)isl_map_dim(part, isl_dim_out);
        isl_map *again = factor_meet(isl_map_copy(m), part, in, out);
        assert_true(isl_map_is_equal(m, again) == isl_bool_true);
        isl_map_free(again);
    }
    isl_map_free(m);
    return dims;
}

#define BOTH "z = y and 0 <= y < 4"
static void products(void **state) {
    (void)state;
    isl_ctx *c = isl_ctx_alloc();
    const char *plain = "[n] -> { [t, y] -> [u, z] : 0 <= u < t < n and " BOTH " }";
    assert_int_equal(dims_of_factor(c, 1, plain), 2);
    assert_int_equal(dims_of_factor(c, 2, plain), 2);
    const char *remainder =
        "[n] -> { [t, y] -> [u, z] : (u + 3) mod 4 = t mod 4 and 0 <= u < t < n and " BOTH " }";
    assert_int_equal(dims_of_factor(c, 1, remainder), 2);
    const char *tied = "[n] -> { [t, y] -> [u, z] : 0 <= u < t < n and z = y and y <= t }";
    assert_int_equal(dims_of_factor(c, 1, tied), 4);
    const char *unknown = "{ [t, y] -> [u, z] : exists e : u = t and z = y and t = 2e + y }";
    assert_int_equal(dims_of_factor(c, 1, unknown), 4);
    const char *pieces = "[n] -> { [t, k, y] -> [u, l, z] : (0 <= u < t < n and 0 <= k, l < 8 and " BOTH
                         ") or (u = t and 0 <= t < n and 0 <= l < k < 8 and " BOTH ") }";
    assert_int_equal(dims_of_factor(c, 3, pieces), 4);
    assert_int_equal(dims_of_factor(c, 1, pieces), 0); // the pieces differ in k and l, too
    assert_int_equal(dims_of_factor(c, 4, pieces), 0);
    const char *parameters = "[n, m] -> { [t, y] -> [u, z] : u = t and z = y and m >= n }";
    assert_int_equal(dims_of_factor(c, 1, parameters), 2);
    isl_ctx_free(c);
}

// The last write of each read, asked of the factor alone, is the last of all.
static void lasts(void **state) {
    (void)state;
    isl_ctx *ctx = isl_ctx_alloc();
    isl_map *m = isl_map_read_from_str(
        ctx, "[n] -> { [t, y] -> [u, z] : (u + 3) mod 4 = t mod 4 and 0 <= u < t < n and " BOTH " }");
    bool in[DIMS] = {false}, out[DIMS] = {true};
    isl_map *part = factor_of(m, in, out);
    assert_true(in[0] && !in[1] && out[0] && !out[1]);
    isl_map *some = factor_meet(isl_map_copy(m), isl_map_lexmax(part), in, out), *all = isl_map_lexmax(m);
    assert_true(isl_map_is_equal(some, all) == isl_bool_true);
    isl_map_free(some);
    isl_map_free(all);
    isl_ctx_free(ctx);
}

// Asked of each factor, or of all of it: the answer is isl's.
static void one_to_one(void **state) {
    (void)state;
    isl_ctx *c = isl_ctx_alloc();
    static const struct {
        const char *text;
        bool injective;
    } of[] = {
        {"[n] -> { [b, t, y] -> [i, j] : i = 32 b + t and 0 <= t < 32 and 0 <= b < n and j = y }", true},
        {"[n] -> { [b, t, y] -> [i, j] : i = 32 b + t and 0 <= t < 33 and 0 <= b < n and j = y }", false},
        {"[n] -> { [t, y] -> [i, j] : i = t and 0 <= t < n and 0 <= j, y < 4 }", false},
        {"{ [t] -> [i] : exists e : t = 2 e and i = e }", true},
        {"{ [t, y] -> [i, j] : exists e : i = t - 4 e and 0 <= i < 4 and j = y and 0 <= t < 8 }", false},
        {"{ [t, y] -> [i] : (i = t and y = 0 and t >= 0) or (i = -1 - t and y = 1 and t >= 0) }", true},
        {"{ [t, y] -> [i] : (i = t and y = 0) or (i = t and y = 1) }", false},
        // no factor is, for parameters for which there is nothing
        {"[n] -> { [t, y] -> [i, j] : i = t and n = 0 and j = 0 and 0 <= y <= n }", true},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        isl_map *m = isl_map_read_from_str(c, of[k].text);
        assert_int_equal(isl_map_is_injective(m) == isl_bool_true, of[k].injective);
        assert_int_equal(factor_is_injective(m), of[k].injective);
        isl_map_free(m);
    }
    isl_ctx_free(c);
}

// What is projected out leaves unknowns that isl has no expression for.
static void unknowns(void **state) {
    (void)state;
    isl_ctx *c = isl_ctx_alloc();
    isl_map *m = isl_map_read_from_str(
        c, "[n] -> { [t, y, z] -> [u, e] : 3e <= t + n and 5e >= 2t - 7 and u = y and 0 <= z < 4 }");
    m = isl_map_project_out(m, isl_dim_out, 1, 1);
    bool in[DIMS] = {false, true}, out[DIMS] = {false};
    isl_map *part = factor_of(m, in, out);
    assert_non_null(part);
    assert_int_equal(isl_map_dim(part, isl_dim_in) + isl_map_dim(part, isl_dim_out), 2);
    assert_false(factor_is_injective(m));
    assert_int_equal(isl_ctx_last_error(c), isl_error_none);
    isl_map_free(part);
    isl_map_free(m);
    isl_ctx_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(lasts),
                                       cmocka_unit_test(one_to_one), cmocka_unit_test(unknowns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
