// SPDX-License-Identifier: MIT
// pick_test.c -- which nest of a chain runs, for calls and for the advisor: costs, what they ask of the
// device, room
#include "run/pick.h"
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

static int picked_from(const IrFile *f, int64_t n, int64_t sms) {
    Pick pick = {.at = -1};
    for (int i = 0; i < f->nnests; i++) {
        const Nest *nest = f->nests[i];
        InterpVal vals[2] = {{.sym = f->region->params[0], .i = n}};
        if (nest->nfacts) vals[1] = (InterpVal){.sym = nest->facts[0].sym, .i = sms};
        if (pick_look(&pick, i, nest, 1 + nest->nfacts, vals)) break;
    }
    return pick.at;
}

static void cheapest(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "chain", chain);
    assert_non_null(f);
    assert_int_equal(f->nnests, 4);
    assert_int_equal(picked_from(f, 3, 100), 0);   // 3 against 10
    assert_int_equal(picked_from(f, 30, 100), 1);  // 30 against 10
    assert_int_equal(picked_from(f, 30, 10), 0);   // 30 against 100
    assert_int_equal(picked_from(f, 30, 0), 0);    // a cost that is no number counts as none
    assert_int_equal(picked_from(f, -1, 0), 2);    // nor is there a negative one: the first without
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
    IrFile *g =
        ir_parse(c, "again",
                 arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region), once));
    assert_non_null(g);
    assert_string_equal(ir_print_nest(c->arena, g->nests[0]), once);
    assert_null(ir_parse(c, "whole", REGION NEST("", "cost n")));           // a cost is a real number
    assert_null(ir_parse(c, "unknown", REGION NEST("", "cost f64(sms)"))); // and asks only for what there is
    compile_free(c);
}

static const char start[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam far: i64\n"
    "array a[?]: f32 = \"a\" live\ndo { for i: i32 = 0 .. n S0[i] }\nstmt S0[i]: a[i] += 1.0\n}\n";
static const char body[] =
    "do { kernel k for b: i32 = 0 .. fdiv(n + 31, 32) block %s for t: i32 = 0 .. %d thread "
    "if (32 * b + t < n) S0[32 * b + t] %s } }\n";

// A nest for "gpu": its condition and cost, shared memory of a block, threads.
static void put(Text *t, const char *when, const char *cost, const char *shared, int threads) {
    text_printf(t, "nest \"gpu\" { when %s %s ", when, cost);
    text_printf(t, body, *shared ? shared : "", threads, *shared ? "}" : "");
}

static int picked(const Text *text, int64_t n, bool far_is_known, PickDevice d, bool hopeful) {
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "f", text_str((Text *)text));
    if (!f) fail_msg("%s", c->diags.at[0].text);
    InterpVal vals[] = {{.sym = f->region->params[0], .i = n}, {.sym = f->region->params[1], .i = 7}};
    Pick p = {.at = -1, .hopeful = hopeful};
    for (int i = 0; i < f->nnests; i++)
        if (pick_suits(c->arena, &d, f->nnests, f->nests, i) &&
            pick_look(&p, i, f->nests[i], 1 + far_is_known, vals))
            break;
    compile_free(c);
    return p.at;
}

static const PickDevice gpu = {"gpu", 32, 49152, 1024};

static void first(void **state) {
    (void)state;
    Arena *a = arena_new();
    Text t = text_new(a);
    text_put(&t, start);
    put(&t, "n > 1000", "cost 5.0", "", 32);
    put(&t, "1", "cost 0.01 * f64(n)", "", 32);
    put(&t, "1", "", "", 32);
    assert_int_equal(picked(&t, 2000, true, gpu, false), 0);
    assert_int_equal(picked(&t, 100, true, gpu, false), 1); // the one behind knows no cost
    arena_free(a);
}

// What nobody can tell: a call leaves such a nest alone, the advisor hopes that the data will do.
static void untold(void **state) {
    (void)state;
    Arena *a = arena_new();
    Text t = text_new(a);
    text_put(&t, start);
    put(&t, "far > 3", "cost 1.0", "", 32);
    put(&t, "1", "cost 2.0 * f64(far)", "", 32);
    assert_int_equal(picked(&t, 10, true, gpu, false), 0);
    assert_int_equal(picked(&t, 10, false, gpu, false), -1);
    assert_int_equal(picked(&t, 10, false, gpu, true), 0);
    arena_free(a);
}

// Whether a nest pays may be a question of real numbers.
static void real_numbers(void **state) {
    (void)state;
    Arena *a = arena_new();
    Text t = text_new(a);
    text_put(&t, start);
    put(&t, "n > 0 && max(f64(n), 1.0) / 2.0 >= 16.0", "cost 1.0", "", 32);
    put(&t, "1", "", "", 32);
    assert_int_equal(picked(&t, 32, true, gpu, false), 0);
    assert_int_equal(picked(&t, 31, true, gpu, false), 1);
    arena_free(a);
}

static void room(void **state) {
    (void)state;
    Arena *a = arena_new();
    Text t = text_new(a);
    text_put(&t, start);
    put(&t, "1", "cost 1.0", "{ shared s[20000]: f32", 32);
    put(&t, "1", "cost 2.0", "{ shared s[20]: f32", 512);
    put(&t, "1", "", "", 2048);
    assert_int_equal(picked(&t, 10, true, gpu, false), 1);
    assert_int_equal(picked(&t, 10, true, (PickDevice){"gpu", 32, 100000, 1024}, false), 0);
    // whatever it lacks
    assert_int_equal(picked(&t, 10, true, (PickDevice){"gpu", 32, 49152, 256}, false), 2);
    assert_int_equal(picked(&t, 10, true, (PickDevice){"cpu", 0, 0, 0}, false), -1);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cheapest), cmocka_unit_test(first),
                                       cmocka_unit_test(untold),   cmocka_unit_test(real_numbers),
                                       cmocka_unit_test(room),     cmocka_unit_test(text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
