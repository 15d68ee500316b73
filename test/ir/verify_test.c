// SPDX-License-Identifier: MIT
// verify_test.c -- what the verifier refuses and why; what a kernel needs
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define REGION                                                                                     \
    "sculpt 1 region f auto { param n: i32 = \"n\" array a[n]: i32 = \"a\" array b[n]: i32 = "     \
    "\"b\" "                                                                                       \
    "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: a[i] = b[i] } "

static void refused(const char *text, const char *why) {
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "v", text);
    if (f) fail_msg("taken: %s", text);
    assert_int_equal(c->diags.n, 1);
    assert_int_equal(c->diags.at[0].code, SC_NEST_INVALID);
    assert_string_equal(c->diags.at[0].text, why);
    compile_free(c);
}

static void nest_refused(const char *tree, const char *why) {
    Arena *a = arena_new();
    refused(arena_printf(a, REGION "nest \"gpu\" { when 1 do { %s } }", tree), why);
    arena_free(a);
}

static void region_refused(const char *items, const char *why) {
    Arena *a = arena_new();
    refused(
        arena_printf(
            a, "sculpt 1 region f auto { param n: i32 = \"n\" array a[n]: i32 = \"a\" %s }", items),
        why);
    arena_free(a);
}

static void nests(void **state) {
    (void)state;
    nest_refused("for i: i32 = 0 .. n S0[i]", "a computation outside all kernels");
    nest_refused("copy a[0] = 1", "a computation outside all kernels");
    nest_refused("if (a[0]) { }", "a is read where only values may stand");
    nest_refused("for i: i32 = 0 .. n block { }", "block loop i is in no kernel");
    nest_refused("kernel k for i: i32 = 0 .. n thread S0[i]",
                 "thread loop i must have a constant extent");
    nest_refused("kernel k for i: i32 = 0 .. n unroll S0[i]",
                 "unroll loop i must have a constant extent");
    nest_refused("kernel k for i: i32 = 0 .. 8 step 2 thread S0[i]",
                 "thread loop i must have step 1");
    nest_refused("kernel k for i: i32 = 0 .. 8 thread for j: i32 = 0 .. n block { }",
                 "block loop j inside a thread loop");
    nest_refused("kernel k for i: i32 = 0 .. n block for j: i32 = 0 .. n block for q: i32 = 0 .. n "
                 "block for r: i32 = 0 .. n block { }",
                 "more than three block loops");
    nest_refused("kernel k { for i: i32 = 0 .. n block S0[i] copy a[0] = 1 }",
                 "beside loops over blocks stands what no block does");
    nest_refused("kernel k { kernel l { } }", "a kernel can't be here");
    nest_refused("kernel k { } kernel k { }", "two different things are named k");
    nest_refused("kernel k { local t[n]: i32 }", "t must have constant extents in a kernel");
    nest_refused("kernel k { temp t[4]: i32 }", "temp t can't be declared here");
    nest_refused("{ temp t[4]: i32 }", "temp t can't be declared here");
    nest_refused("local t[4]: i32", "local t can't be declared here");
    nest_refused("kernel k for i: i32 = 0 .. 8 thread { shared t[4]: i32 }",
                 "shared t can't be declared here");
    nest_refused("kernel k { local t[4]: i32 for i: i32 = 0 .. n S0[i] via (-, t) }",
                 "t is no cache of b");
    nest_refused("kernel k { { local t[4]: i32 of b } for i: i32 = 0 .. n S0[i] via (-, t) }",
                 "the array t is not in scope");
    nest_refused("kernel k { for j: i32 = 0 .. n { } S0[j] }", "the counter j is not in scope");
    nest_refused("kernel k for i: i32 = 0 .. n for i: i32 = 0 .. n { }",
                 "the counter i is in use already");
    nest_refused("kernel k { local t[4]: f32 of b }", "t has another rank or type than b");
    nest_refused("kernel k value 3", "a value that goes nowhere");
}

static void regions(void **state) {
    (void)state;
    region_refused("do { kernel k { } }", "a kernel can't be here");
    region_refused("do { copy a[0] = 1 }", "a copy in a region");
    region_refused("do { for i: i32 = 0 .. n vector { } }", "loop i of a region must be serial");
    region_refused("do S0[] stmt S0[]: a[0] = 1", "the root is no block");
    region_refused("do { for i: i32 = 0 .. n { } S0[] } stmt S0[]: a[0] = i",
                   "i is no counter of S0");
    region_refused("do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: a[i] = 1 fused",
                   "S0 is no sum of a product");
    region_refused("assume a[0] do { }", "a is read where only values may stand");
    region_refused("inspect a dim 1 as n to n value 1 do { }", "a has no dimension 1");
    region_refused("inspect a dim 0 as n to n value 1 do { }",
                   "an inspection computes no parameter of type i64");
    region_refused("param l: i64 param h: i64 inspect a dim 0 as l to h { } do { }",
                   "an inspection must have a value");
    region_refused("param l: i64 param h: i64 inspect a dim 0 as l to h value 1i32 do { }",
                   "an inspected value is no i64");
}

static void accepted(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(
        c, "v",
        REGION "nest \"gpu\" { when n > 0 do { temp u[n]: i32 of b "
               "for t: i32 = 0 .. n if (t < 5) kernel k for jb: i32 = 0 .. (n + 31) / 32 block "
               "for jt: i32 = jb * 32 .. jb * 32 + 32 thread if (jt < n) S0[jt] via (-, u) } }");
    if (!f) fail_msg("%s", c->diags.at[0].text);
    assert_true(ir_verify_region(c, f->region) && ir_verify_nest(c, f->nests[0]));

    Node *host_if = f->nests[0]->root->kids[0]->body, *kernel = host_if->then;
    KernelSig *sig = ir_kernel_sig(c->arena, kernel);
    assert_int_equal(sig->narrays, 2);
    assert_string_equal(sig->arrays[0]->name, "a");
    assert_string_equal(sig->arrays[1]->name, "u"); // b is not touched: redirected
    assert_true(sig->written[0] && !sig->written[1]);
    assert_int_equal(sig->nsyms, 1);
    assert_string_equal(sig->syms[0]->name, "n");
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    assert_true(g.nblock == 1 && g.nthread == 1);
    assert_string_equal(g.thread[0]->iter->name, "jt");
    compile_free(c);
}

// Fields of one object are one argument; a host loop's counter is one; the innermost loop is x.
static void signature(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(
        c, "v",
        "sculpt 1 region f auto { param n: i32 = \"n\" param s: f64 = \"s\" "
        "array x[n]: f64 object p stride 16 = \"p\" array y[n]: f64 object p stride 16 offset 8 = "
        "\"p\" "
        "array z[n][n]: f64 = \"z\" do { for t: i32 = 0 .. n for i: i32 = 0 .. n for j: i32 = 0 .. "
        "n "
        "S0[t, i, j] } stmt S0[t, i, j]: y[i] = x[i] + z[t][j] * s } "
        "nest \"gpu\" { when 1 do { for t: i32 = 0 .. n kernel k for i: i32 = 0 .. n block "
        "for j: i32 = 0 .. n block S0[t, i, j] } }");
    if (!f) fail_msg("%s", c->diags.at[0].text);
    Node *kernel = f->nests[0]->root->kids[0]->body;
    KernelSig *sig = ir_kernel_sig(c->arena, kernel);
    assert_int_equal(sig->narrays, 2);
    assert_string_equal(sig->arrays[0]->object, "p");
    assert_true(sig->written[0] && !sig->written[1]);
    assert_int_equal(sig->nsyms, 3);
    assert_string_equal(sig->syms[0]->name, "n");
    assert_string_equal(sig->syms[1]->name, "t");
    assert_string_equal(sig->syms[2]->name, "s");
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    assert_int_equal(g.nblock, 2);
    assert_string_equal(g.block[0]->iter->name, "j");
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nests),
        cmocka_unit_test(regions),
        cmocka_unit_test(accepted),
        cmocka_unit_test(signature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
