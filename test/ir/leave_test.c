// SPDX-License-Identifier: MIT
// leave_test.c -- loops that end when the data say so: found by their condition, run to their end.
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>


// Halves a[i] until it is below 4; `head` and `body` are the inner loop.
#define REGION(head, body)                                                                                \
    "sculpt 1 region r sculpt { param n: i32 = \"n\" array a[n]: i32 = \"a\" live "                       \
    "do { for i: i32 = 0 .. n { local go: i32 S0[i] " head " " body " } } "                               \
    "stmt S0[i]: go = 1 stmt S1[i, w]: go = a[i] >= 4 stmt S2[i, w]: a[i] = a[i] / 2 }"
#define ENDLESS "for w: i64 = 0 .. 4611686018427387904"

static IrFile *read(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "leave", text);
    if (!f) fail_msg("%d:%d %s", c->diags.at[0].loc.line, c->diags.at[0].loc.col, c->diags.at[0].text);
    return f;
}

static void find_wide(Node *n, void *arg) {
    if (n->kind == N_FOR && n->iter->type == T_I64) *(Node **)arg = n;
}

static Node *inner(Compile *c, const char *text) {
    Node *n = NULL;
    node_walk(read(c, text)->region->root, find_wide, &n);
    assert_non_null(n);
    return n;
}

static void conditions(void **state) {
    (void)state;
    Compile *c = compile_new();
    assert_non_null(loop_while(inner(c, REGION(ENDLESS, "if (go != 0) { S1[i, w] if (go != 0) S2[i, w] }"))));
    assert_non_null(loop_while(inner(c, REGION("for w: i64 = 0 .. 9", "{ if (go != 0) S1[i, w] }"))));
    // What the counter moves, what others may set, and what has something beside it, says nothing about later
    // iterations.
    assert_null(loop_while(inner(c, REGION(ENDLESS, "if (go != 0 && w > 3) S1[i, w]"))));
    assert_null(loop_while(inner(c, REGION(ENDLESS, "if (a[i] > 3) S2[i, w]"))));
    assert_null(loop_while(inner(c, REGION(ENDLESS, "{ S2[i, w] if (go != 0) S1[i, w] }"))));
    assert_null(loop_while(inner(c, REGION(ENDLESS, "if (go != 0) S1[i, w] else S2[i, w]"))));
    assert_true(loop_is_unbounded(inner(c, REGION(ENDLESS, "S2[i, w]"))));
    assert_false(loop_is_unbounded(inner(c, REGION("for w: i64 = 0 .. 9", "S2[i, w]"))));
    compile_free(c);
}

static void values(void **state) {
    (void)state;
    enum { N = 5 };
    int a[N] = {100, 3, 0, 7, 1 << 30};
    Compile *c = compile_new();
    IrFile *f = read(c, REGION(ENDLESS, "if (go != 0) { S1[i, w] if (go != 0) S2[i, w] }"));
    InterpArg objects[] = {{"a", a}};
    InterpVal vals[] = {{f->region->params[0], N, 0}};
    assert_true(ir_interpret(c->arena, f->region->root, 1, objects, 1, vals, 10000));
    assert_memory_equal(a, ((int[]){3, 3, 0, 3, 2}), sizeof a);
    compile_free(c);
}

static void kernels(void **state) {
    (void)state;
    Compile *c = compile_new();
    static const char outside[] = REGION(ENDLESS, "if (go != 0) { S1[i, w] if (go != 0) S2[i, w] }");
    IrFile *f = read(c, outside);
    assert_false(loops_end(f->region->root)); // the host would run it
    Node *body = f->region->root->kids[0]->body;
    Node *kernel = node_kernel(c->arena, "k", body);
    assert_true(loops_end(node_seq(c->arena, 1, &kernel)));
    f = read(c, REGION(ENDLESS, "S2[i, w]"));
    kernel = node_kernel(c->arena, "k", f->region->root->kids[0]->body);
    assert_false(loops_end(node_seq(c->arena, 1, &kernel)));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(conditions), cmocka_unit_test(values),
                                       cmocka_unit_test(kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
