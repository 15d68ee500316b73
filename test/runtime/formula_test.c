// SPDX-License-Identifier: MIT
// formula_test.c -- the quick ways of a call give what the slow ones give: expressions of random shape over
// random values, and widths of random sizes
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <string.h>
#include "../sample.h"
#include "plan/plan.h"
#include "ir/span.h"
#include "run/state.h"

enum { SLOTS = 5 };
typedef struct Bench {
    Arena *a;
    uint64_t seed;
    Sym sym[SLOTS];
} Bench;

static uint32_t draw(Bench *b, uint32_t n) {
    b->seed = b->seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(b->seed >> 33) % n;
}

static Expr *raw(Bench *b, Op op, Type t, Expr *x, Expr *y, Expr *z) {
    Expr *e = NEW(b->a, Expr), *args[] = {x, y, z};
    *e = (Expr){.kind = E_OP, .op = op, .type = t, .nargs = op_arity(op), .args = NEW_N(b->a, Expr *, 3)};
    memcpy(e->args, args, sizeof args);
    return e;
}

static Expr *make(Bench *b, Type t, int depth);

static Expr *leaf(Bench *b, Type t) {
    static const int64_t some[] = {0, 1, 2, 3, -1, 7, 16, 32, 255, 256, 1000, -5, 1ll << 40};
    for (int tries = 0; tries < 4; tries++) {
        const Sym *s = &b->sym[draw(b, SLOTS)];
        if (s->type == t) return expr_sym(b->a, s);
    }
    int64_t v = some[draw(b, sizeof some / sizeof *some)];
    if (type_is_float(t)) return expr_float(b->a, t, 0.5 * (double)v);
    return expr_int(b->a, t, v < type_least(t) || v > type_most(t) ? 3 : v);
}

static Expr *make(Bench *b, Type t, int depth) {
    static const Op whole[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_FDIV, OP_FMOD, OP_MIN, OP_MAX,
                               OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR, OP_NEG, OP_NOT};
    static const Op real[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN, OP_MAX, OP_NEG};
    static const Op truth[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_LAND, OP_LOR, OP_LNOT};
    static const Type types[] = {T_I32, T_I64, T_U32, T_U64, T_F64, T_F32};
    if (depth == 0 || draw(b, 8) == 0) return leaf(b, t);
    Type other = types[draw(b, 6)];
    switch (draw(b, 5)) {
    case 0: return expr_cast(b->a, t, make(b, other, depth - 1));
    case 1:
        return raw(b, OP_SELECT, t, make(b, T_I32, depth - 1), make(b, t, depth - 1), make(b, t, depth - 1));
    case 2:
        if (t != T_I32) break;
        Op op = truth[draw(b, 9)];
        if (op == OP_LAND || op == OP_LOR || op == OP_LNOT) other = T_I32;
        return raw(b, op, T_I32, make(b, other, depth - 1), make(b, other, depth - 1), NULL);
    default: break;
    }
    Op op = type_is_float(t) ? real[draw(b, 7)] : whole[draw(b, 16)];
    return raw(b, op, t, make(b, t, depth - 1), make(b, t, depth - 1), NULL);
}

static InterpVal value(Bench *b, int i) {
    static const int64_t ends[] = {0, 1, -1, 2147483647, -2147483648ll, INT64_MAX, INT64_MIN, 1ll << 31};
    int64_t v = draw(b, 4) ? (int64_t)draw(b, 3000) - 20 : ends[draw(b, 8)];
    Type t = b->sym[i].type;
    if (type_is_int(t) && (v < type_least(t) || v > type_most(t))) v = 5;
    return (InterpVal){.sym = &b->sym[i], .i = v, .f = (double)v * 0.25};
}

static void test_expressions(void **state) {
    (void)state;
    Bench b = {.a = arena_new(), .seed = test_seed()};
    static const Type types[SLOTS] = {T_I32, T_I64, T_F64, T_I64, T_U32};
    Meaning m[SLOTS];
    uint64_t told = 0, count = test_count(4000, 400000);
    for (int i = 0; i < SLOTS; i++) {
        b.sym[i] = (Sym){.name = "s", .type = types[i]};
        m[i] = (Meaning){&b.sym[i], i, 0};
    }
    m[3] = (Meaning){&b.sym[3], -1, 132}; // the device's
    Formulas *f = formulas_new(b.a);
    for (uint64_t k = 0; k < count; k++) {
        if (k % 1000 == 999) arena_free(b.a), b.a = arena_new(), f = formulas_new(b.a);
        Expr *x = make(&b, draw(&b, 3) ? T_I32 : draw(&b, 2) ? T_I64 : T_F64, 5);
        Formula *quick = formula_of(f, x, SLOTS, m);
        assert_ptr_equal(quick, formula_of(f, x, SLOTS, m)); // the same is there once
        for (int round = 0; round < 4; round++) {
            InterpVal vals[SLOTS];
            for (int i = 0; i < SLOTS; i++) vals[i] = value(&b, i);
            vals[3].i = 132;
            formulas_begin(f, SLOTS, vals);
            SpanEnv e = {.nvals = SLOTS, .vals = vals};
            int64_t slow, got;
            double real, as;
            bool known = span_value(x, &e, &slow), found = formula_whole(f, quick, &got);
            assert_true(!found || (known && slow == got)); // else the slow way is asked
            told += found;
            known = ir_eval_float(x, SLOTS, vals, &real), found = formula_real(f, quick, &as);
            assert_int_equal(known, found);
            if (known) assert_memory_equal(&real, &as, sizeof real);
        }
    }
    assert_true(told > count / 2);
    arena_free(b.a);
}

// A triangle whose rows begin at an offset, in 32-bit counters.
static const char triangle[] =
    "sculpt 1\nregion t_1 @\"t.c\":1:1 sculpt {\n"
    "param n: i32 = \"n\"\nparam at: i64 = \"at\"\nparam by: u32 = \"by\"\n"
    "array a[?][n]: f32 = \"a\" live\n"
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { S0[i, j] } } }\n"
    "stmt S0[i, j]: a[i][j] += 1.0\n}\n";
static const char *const trees[] = {
    "kernel k for b: i32 = 0 .. fdiv(n + 255, 256) block for t: i32 = 0 .. 256 thread "
    "if (256 * b + t < n) for j: i32 = 0 .. 256 * b + t S0[256 * b + t, j]",
    "for s: i64 = at .. i64(n) { kernel k for j: i32 = 0 .. i32(s) S0[i32(s), j] }",
    "for s: i32 = 0 .. n * n { kernel k for j: i32 = 0 .. 2147000000 - n S0[s, j] }",
    "if (f64(n) > 500.0) kernel k for j: i32 = 0 .. n * 2000000 S0[n, j]",
    "for s: i64 = i64(by - u32(100)) .. i64(by) { kernel k for j: i32 = 0 .. n S0[i32(s), j] }",
    "for s: i32 = 50 .. i32(at) step -1 { kernel k for j: i32 = 0 .. s S0[s, j] }",
};

static void test_widths(void **state) {
    (void)state;
    Bench b = {.seed = test_seed()};
    int roomy = 0;
    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        Compile *c = compile_new();
        b.a = c->arena;
        IrFile *f = ir_parse(c, "t", arena_printf(c->arena, "%snest \"gpu\" { when 1 do { %s } }",
                                                  triangle, trees[k]));
        if (!f) fail_msg("tree %d: %s", (int)k, c->diags.at[0].text);
        Unit u = {.c = c, .region = f->region};
        Variant quick = {.nest = f->nests[0]};
        for (uint64_t i = 0; i < test_count(2000, 100000); i++) {
            InterpVal vals[3];
            for (int p = 0; p < 3; p++) {
                int64_t x = draw(&b, 3) ? draw(&b, 700) : (int64_t)draw(&b, 1u << 31) - draw(&b, 3);
                vals[p] = (InterpVal){.sym = f->region->params[p], .i = x};
            }
            Variant slow = {.nest = f->nests[0], .tries = 1000};
            Call x = {.v = &slow, .vals = vals, .nvals = 3}, y = {.v = &quick, .vals = vals, .nvals = 3};
            bool wide = false, as = false, holds = widths_hold(&u, &x, &wide);
            assert_int_equal(widths_hold(&u, &y, &as), holds);
            if (holds) assert_int_equal(as, wide);
        }
        roomy += quick.roomies != NULL;
        compile_free(c);
    }
    assert_true(roomy >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
