// SPDX-License-Identifier: MIT
// expr_test.c -- folding, substitution, evaluation; trees and accesses
#include "ir/ir.h"
#include "ir/value.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

// Reads one assignment to an f64, i32, u32 or i64 scalar; returns its right-hand side.
static Expr *read_as(Compile *c, Type t, const char *text) {
    char *whole = arena_printf(
        c->arena,
        "sculpt 1 region f auto { param n: i32 = \"\" param m: i32 = \"\" param u: u32 = \"\" "
        "param w: u64 = \"\" param l: i64 = \"\" param x: f64 = \"\" array a[n]: i32 = \"a\" "
        "array s: %s = \"s\" do { S0[] } stmt S0[]: s = %s }",
        type_name(t), text);
    IrFile *f = ir_parse(c, "expr", whole);
    if (!f) fail_msg("%s: %s", text, c->diags.at[c->diags.n - 1].text);
    return f->region->stmts[0]->rhs;
}

typedef struct Fold {
    Type type;
    const char *from, *to;
} Fold;

static void folding(void **state) {
    (void)state;
    static const Fold table[] = {
        {T_I32, "1 + 2 * 3", "7"},
        {T_I32, "n + 0", "n"},
        {T_I32, "0 + n", "n"},
        {T_I32, "n * 1", "n"},
        {T_I32, "n * 0", "0"},
        {T_I32, "a[n] * 0", "a[n] * 0"},
        {T_I32, "3 + n", "n + 3"},
        {T_I32, "n + 1 + 2", "n + 3"},
        {T_I32, "n + 1 - 1", "n"},
        {T_I32, "n - 1 - 2", "n - 3"},
        {T_I32, "n - 3 + 1", "n - 2"},
        {T_I32, "n + -3", "n - 3"},
        {T_I32, "n + 2147483647 + 1", "n + 2147483647 + 1"}, // the sum does not fit
        {T_U32, "u - 1 + 1", "u"},
        {T_U32, "u - 1 - 2", "u - 3"},
        {T_U32, "u + 1 - 3", "u - 2"},
        {T_I32, "n - n", "0"},
        {T_I32, "a[n] - a[n]", "a[n] - a[n]"},
        {T_I32, "7 / 2", "3"},
        {T_I32, "-7 / 2", "-3"},
        {T_I32, "fdiv(-7, 2)", "-4"},
        {T_I32, "-7 % 2", "-1"},
        {T_I32, "fmod(-7, 2)", "1"},
        {T_I32, "1 / 0", "1 / 0"},
        {T_U32, "1u32 - 2u32", "4294967295"},
        {T_I32, "-2147483648 / -1", "-2147483648"},
        {T_I32, "min(3, n - n)", "0"},
        {T_I32, "max(n, n)", "n"},
        {T_I32, "1 && n", "n != 0"},
        {T_I32, "1 && n < m", "n < m"},
        {T_I32, "0 && n", "0"},
        {T_I32, "0 || n == 1", "n == 1"},
        {T_I32, "n || 1", "1"},
        {T_I32, "0 && a[0]", "0 && a[0]"},
        {T_I32, "1 ? n : m", "n"},
        {T_I32, "0 ? a[n] : m", "0 ? a[n] : m"},
        {T_I32, "n ? m : m", "m"},
        {T_I32, "n <= n", "1"},
        {T_I32, "!3", "0"},
        {T_I32, "~0", "-1"},
        {T_I32, "1 << 31", "-2147483648"},
        {T_I32, "1 << 32", "1 << 32"},
        {T_I32, "-8 >> 1", "-4"},
        {T_I32, "i32(3000000000u32)", "-1294967296"},
        {T_F64, "1.0 / 3.0", "0.3333333333333333"},
        {T_F64, "x + 0.0", "x + 0.0"},
        {T_F64, "x * 1.0", "x * 1.0"},
        {T_F64, "0.0 / 0.0", "0.0 / 0.0"},
        {T_F64, "f64(1)", "1.0"},
        {T_F64, "1.0 / 0.0", "#inf64"},
        {T_F32, "0.1f32 + 0.2f32", "0.3"},
        {T_F32, "f32(16777217)", "16777216.0"},
        {T_F32, "fma(0.1f32, 10.0f32, -1.0f32)", "1.49011612e-08"},
        {T_I32, "i32(1e300)", "i32(1e+300)"},
        {T_I32, "i32(-1.9)", "-1"},
        {T_F64, "f64(18446744073709551615u64)", "18446744073709552000.0"},
        {T_I32, "x < x", "x < x"},
        {T_I32, "-9223372036854775808i64 < 9223372036854775807i64", "1"},
        {T_I32, "18446744073709551615u64 > 1u64", "1"},
        {T_I64, "-9223372036854775808", "-9223372036854775808"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        Compile *c = compile_new();
        Expr *want = read_as(c, table[k].type, table[k].to);
        char *got = ir_print_expr(c->arena, read_as(c, table[k].type, table[k].from));
        if (strcmp(got, ir_print_expr(c->arena, want)) != 0)
            fail_msg("%s gives %s, not %s", table[k].from, got, table[k].to);
        compile_free(c);
    }
}

static void index_arithmetic(void **state) {
    (void)state;
    Arena *a = arena_new();
    Sym n = {"n", SYM_PARAM, T_I64, "n"}, i = {"i", SYM_ITER, T_I32, NULL};
    Expr *x = expr_sym(a, &n), *y = expr_sym(a, &i);
    assert_string_equal(ir_print_expr(a, expr_add(a, x, y)), "n + i64(i)");
    assert_string_equal(ir_print_expr(a, expr_mul(a, x, expr_int(a, T_I32, 4))), "n * 4");
    assert_true(expr_is_int(expr_sub(a, x, x), 0));
    const Sym *from[] = {&i};
    Expr *to[] = {x}, *sum = expr_add(a, y, expr_int(a, T_I32, 1));
    Expr *moved = expr_subst(a, sum, 1, from, to);
    assert_string_equal(ir_print_expr(a, moved), "i32(n) + 1");
    assert_true(expr_uses_sym(moved, &n) && !expr_uses_sym(moved, &i));
    assert_ptr_equal(expr_subst(a, x, 1, from, to), x); // nothing to do: shared
    arena_free(a);
}

// The symbols are each text's own: bound by name.
typedef struct Vals {
    InterpVal at[16];
    int n;
} Vals;

static void bind(const Expr *x, void *arg) {
    Vals *vals = arg;
    if (x->kind != E_SYM || vals->n == 16) return;
    char name = *x->sym->name;
    vals->at[vals->n++] = (InterpVal){x->sym, name == 'n' ? -7 : name == 'm' ? 9 : 3, 2.5};
}

static void evaluation(void **state) {
    (void)state;
    Compile *c = compile_new();
    static const struct {
        const char *text;
        int64_t is;
        bool ok;
    } table[] = {
        {"n / 2 * 2 + n % 2", -7, true},
        {"fdiv(n, 2)", -4, true},
        {"n / (n - n + m - m)", 0, false},
        {"a[n]", 0, false},
        {"m > 0 || a[n]", 1, true},
        {"n ? 5 : a[0]", 5, true},
        {"i32(sqrt.f64(f64(m * m)))", 9, true},
        {"i32(x)", 2, true},
        {"i32(u - 4u32 > u)", 1, true},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        Expr *e = read_as(c, T_I32, table[k].text);
        Vals vals = {.n = 0};
        expr_walk(e, bind, &vals);
        int64_t got = 0;
        bool ok = ir_eval(e, vals.n, vals.at, &got);
        if (ok != table[k].ok || (ok && got != table[k].is))
            fail_msg("%s: %d, %lld", table[k].text, ok, (long long)got);
    }
    double f = 0;
    assert_true(ir_eval_float(expr_float(c->arena, T_F64, 2.5), 0, NULL, &f) && f == 2.5);
    assert_true(ir_eval_float(expr_int(c->arena, T_U64, -1), 0, NULL, &f) &&
                f == 18446744073709551616.0);
    compile_free(c);
}

static void trees(void **state) {
    (void)state;
    Arena *a = arena_new();
    Sym i = {"i", SYM_ITER, T_I32, NULL}, j = {"j", SYM_ITER, T_I32, NULL};
    const Sym *iters[] = {&i};
    Array s = {.name = "s", .elem = T_F64, .rank = 0, .object = "s", .stride = 8};
    Expr *ext[] = {NULL};
    Array v = {.name = "v", .elem = T_F64, .rank = 1, .extent = ext, .object = "v", .stride = 8};
    Array idx = {
        .name = "idx", .elem = T_I32, .rank = 1, .extent = ext, .object = "idx", .stride = 4};
    Expr *ei = expr_sym(a, &i), *sub[] = {expr_load(a, &idx, &ei)};
    Stmt st = {.label = "S0",
               .depth = 1,
               .iters = iters,
               .lhs = &v,
               .sub = sub,
               .op = OP_ADD,
               .rhs = expr_op(a, OP_MUL, expr_load(a, &s, NULL), expr_load(a, &v, &ei), NULL)};
    AccessVec acc = stmt_accesses(a, &st);
    assert_int_equal(acc.n, 4);
    assert_true(acc.at[0].array == &v && acc.at[0].write && acc.at[0].read);
    assert_true(acc.at[1].array == &idx && acc.at[2].array == &s && acc.at[3].array == &v);

    Expr *ej = expr_add(a, expr_sym(a, &j), expr_int(a, T_I32, 1));
    Node *leaf = node_stmt(a, &st, &ej), *other = node_stmt(a, &st, &ei);
    Node *two[] = {leaf, other}, *seq = node_seq(a, 2, two);
    Node *loop = node_for(a, &j, expr_int(a, T_I32, 0), expr_int(a, T_I32, 9), 1, HOW_SERIAL, seq);
    assert_string_equal(ir_print_expr(a, node_stmt_expr(a, leaf, st.rhs)), "s * v[j + 1]");

    Node *shorter = node_replace(a, loop, other, NULL);
    assert_true(shorter != loop && shorter->body->nkids == 1 && shorter->body->kids[0] == leaf);
    assert_int_equal(seq->nkids, 2); // the old tree stays as it was
    Node *changed = node_replace(a, loop, leaf, other);
    assert_true(changed->body->kids[0] == other && changed->body->kids[1] == other);
    assert_ptr_equal(node_replace(a, loop, &(Node){0}, NULL), loop);

    const Sym *from[] = {&i};
    Expr *to[] = {expr_int(a, T_I32, 5)};
    Node *moved = node_subst(a, loop, 1, from, to);
    assert_true(expr_is_int(moved->body->kids[1]->at[0], 5));
    assert_true(other->at[0] == ei);
    assert_true(node_kid(loop, 0) == seq && !node_kid(loop, 1));
    assert_true(node_kid(seq, 0) == leaf && node_kid(seq, 1) == other && !node_kid(seq, 2));
    Node *either = node_if(a, ei, NULL, other);
    assert_true(node_kid(either, 0) == other && !node_kid(either, 1) && !node_kid(leaf, 0));
    arena_free(a);
}

static void literal_trips(void **state) {
    (void)state;
    Arena *a = arena_new();
    Expr *least = expr_int(a, T_I64, INT64_MIN), *most = expr_int(a, T_I64, INT64_MAX),
        *nine = expr_int(a, T_I64, 9);
    Expr *all = expr_int(a, T_U64, -1), *none = expr_int(a, T_U64, 0);
    assert_true(loop_literal_trips(least, most, 1) == (INT64_C(1) << 62) &&
                loop_literal_trips(least, most, -1) == 0);
    assert_true(loop_literal_trips(none, all, INT64_C(1) << 50) == 1 << 14 &&
                loop_literal_trips(all, none, 1) == 0);
    assert_true(loop_literal_trips(expr_int(a, T_I64, -1), nine, 3) == 4 &&
                loop_literal_trips(nine, nine, 1) == 0);
    assert_true(loop_literal_trips(nine, expr_int(a, T_I64, 0), -4) == 3);
    Sym n = {.name = "n", .kind = SYM_PARAM, .type = T_I64};
    assert_true(loop_literal_trips(expr_sym(a, &n), nine, 1) == -1);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_trips),
        cmocka_unit_test(folding),
        cmocka_unit_test(index_arithmetic),
        cmocka_unit_test(evaluation),
        cmocka_unit_test(trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
