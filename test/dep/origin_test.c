// SPDX-License-Identifier: MIT
// origin_test.c -- loops that count from zero, from where they begin.
#include "trees.h"

#define NEST                                                                                          \
    "sculpt 1 region wave auto { param n: i32 = \"n\" param m: i32 = \"m\" "                          \
    "array u[n + m]: f32 = \"u\" live "                                                               \
    "do { for t: i32 = 0 .. n for i: i32 = max(0, t - m) .. t + 1 S0[t, i] } "                        \
    "stmt S0[t, i]: u[i] = u[i] * 2.0f32 } "                                                          \
    "nest \"gpu\" { when 1 do { for t: i32 = 0 .. n kernel k0 for ib: i32 = LOOP S0[t, AT] } }"

static void loops(void **state) {
    (void)state;
    static const struct {
        const char *loop, *at, *now; // NULL: as it was
    } of[] = {
        {"0 .. t + 1 - max(0, t - m)", "max(0, t - m) + ib", "max(0, t - m) .. t + 1"},
        {"0 .. min(n, t + 1) - max(0, t - m)", "max(0, t - m) + ib", "max(0, t - m) .. min(n, t + 1)"},
        {"0 .. t + 1 - max(0, t - m)", "max(0, t - m) + 2 * ib", NULL},
        {"0 .. t + 1 - max(0, t - m)", "max(1, t - m) + ib", NULL},
        {"1 .. t + 1 - max(0, t - m)", "max(0, t - m) + ib", NULL},
        {"0 .. t + 1 - max(0, t - m) step 2", "max(0, t - m) + ib", NULL},
        {"0 .. n - m", "m + ib", NULL}, // a parameter is no more pieces
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        Compile *c = compile_new();
        char *text = replace(c->arena, NEST, "LOOP", of[k].loop);
        IrFile *f = read_nest(c, replace(c->arena, text, "AT", of[k].at));
        const Node *was = f->nests[0]->root;
        char *now = ir_print_node(c->arena, dep_from_origins(c->arena, was), 0);
        if (of[k].now) {
            assert_non_null(strstr(now, of[k].now));
            assert_non_null(strstr(now, "S0[t, ib]"));
        } else {
            assert_string_equal(now, ir_print_node(c->arena, was, 0));
        }
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
