// SPDX-License-Identifier: MIT
// once_test.c -- trees that are the same to the word have one address; others have their own.
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const char text[] =
    "sculpt 1 region r sculpt { param n: i32 = \"n\" array a[n]: i32 = \"a\" live "
    "do { for i: i32 = 0 .. n { local s: i32 S0[i] for k: i32 = 0 .. i { if (k < 3) S1[i, k] } S2[i] } } "
    "stmt S0[i]: s = 1 stmt S1[i, k]: s += a[k] stmt S2[i]: a[i] = s }";

static Node *copied(Node *n, void *arg) { return node_map(arg, node_clone(arg, n), copied, arg); }

// Numbers the nodes; number `at` becomes another one.
typedef struct Change {
    Arena *a;
    int at, n;
    bool done;
} Change;

static Node *changed(Node *n, void *arg) {
    Change *c = arg;
    bool here = c->n++ == c->at;
    Node *m = node_clone(c->a, n);
    if (here && n->kind == N_FOR)
        m->hi = expr_add(c->a, n->hi, expr_int(c->a, n->hi->type, 1)), c->done = true;
    if (here && n->kind == N_IF) m->cond = expr_op(c->a, OP_LNOT, n->cond, NULL, NULL), c->done = true;
    if (here && n->kind == N_STMT) m->atomic = true, c->done = true;
    if (here && n->kind == N_SEQ && n->nlocals) m->nlocals = 0, c->done = true;
    return node_map(c->a, m, changed, c);
}

static void one_address(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "once", text);
    assert_non_null(f);
    Node *root = f->region->root, *again = copied(root, c->arena);
    assert_ptr_not_equal(again, root);
    assert_ptr_equal(node_once(c, root), root);
    assert_ptr_equal(node_once(c, again), root);
    int different = 0;
    for (Change k = {.a = c->arena}; k.at < 12; k.at++, k.n = 0, k.done = false) {
        Node *other = changed(root, &k);
        if (k.done) assert_ptr_equal(node_once(c, other), other);
        else assert_ptr_equal(node_once(c, other), root);
        different += k.done;
    }
    assert_int_equal(different, 7); // two loops, a condition, three statements, a block with a local
    // The same text read once more has counters and arrays of its own.
    assert_ptr_not_equal(node_once(c, ir_parse(c, "once", text)->region->root), root);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
