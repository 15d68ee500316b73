// SPDX-License-Identifier: MIT
// pick_test.c -- which nest of a chain runs: costs, what they ask of the device, their text
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define REGION                                                                                     \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n"                                                   \
    "    param n: i32 = \"n\"\n    array a[?]: f32 = \"a\" live\n"                                 \
    "    do { for i: i32 = 0 .. n S0[i] }\n    stmt S0[i]: a[i] += 1.0\n}\n"
#define BODY "do { kernel k for i: i32 = 0 .. n block S0[i] } }\n"
#define NEST(head, cost) "nest \"gpu\" { " head " when 1 " cost " " BODY

// Cheap for few elements; cheap on many multiprocessors; without a cost; cheaper than all behind it.
static const char *const chain =
    REGION NEST("", "cost f64(n)") NEST("fact sms processors", "cost 1000.0 / f64(sms)")
        NEST("", "") NEST("", "cost 0.0");

static int picked(const IrFile *f, int64_t n, int64_t sms) {
    NestPick pick = {.at = -1};
    for (int i = 0; i < f->nnests; i++) {
        const Nest *nest = f->nests[i];
        InterpVal vals[2] = {{.sym = f->region->params[0], .i = n}};
        if (nest->nfacts) vals[1] = (InterpVal){.sym = nest->facts[0].sym, .i = sms};
        if (nest_pick(&pick, i, nest, 1 + nest->nfacts, vals)) break;
    }
    return pick.at;
}

static void cheapest(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "chain", chain);
    assert_non_null(f);
    assert_int_equal(f->nnests, 4);
    assert_int_equal(picked(f, 3, 100), 0);   // 3 against 10
    assert_int_equal(picked(f, 30, 100), 1);  // 30 against 10
    assert_int_equal(picked(f, 30, 10), 0);   // 30 against 100
    assert_int_equal(picked(f, 30, 0), 0);    // a cost that is no number counts as none
    assert_int_equal(picked(f, -1, 0), 2);    // nor is there a negative one: the first without
    compile_free(c);
}

static void text(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "chain", chain);
    assert_non_null(f);
    char *once = ir_print_nest(c->arena, f->nests[1]);
    assert_non_null(strstr(once, "fact sms processors"));
    assert_non_null(strstr(once, "cost 1000.0 / f64(sms)"));
    IrFile *g = ir_parse(c, "again", arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region), once));
    assert_non_null(g);
    assert_string_equal(ir_print_nest(c->arena, g->nests[0]), once);
    assert_null(ir_parse(c, "whole", REGION NEST("", "cost n")));           // a cost is a real number
    assert_null(ir_parse(c, "unknown", REGION NEST("", "cost f64(sms)"))); // and asks only for what there is
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cheapest), cmocka_unit_test(text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
