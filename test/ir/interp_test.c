// SPDX-License-Identifier: MIT
// interp_test.c -- the interpreter does what C does
#include "ir/ir.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static IrFile *read(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "interp", text);
    if (!f)
        fail_msg("%d:%d %s", c->diags.at[0].loc.line, c->diags.at[0].loc.col, c->diags.at[0].text);
    return f;
}

static const char gemm[] =
    "sculpt 1 region f auto { param n: i32 = \"n\" param pitch: i64 = \"p\" "
    "array a[?][pitch]: f32 = \"a\" array b[n][n]: f32 = \"b\" array c[n][n]: f32 = \"c\" "
    "do { for j: i32 = 0 .. n for i: i32 = 0 .. n for k: i32 = n - 1 .. -1 step -1 S0[j, i, k] } "
    "stmt S0[j, i, k]: a[j][i] += b[j][k] * c[k][i] fused } "
    // tiled, with a register and a staged copy: the same sums in the same order
    "nest \"gpu\" { when 1 do { kernel k0 for jb: i32 = 0 .. (n + 3) / 4 block { "
    "shared bs[4][64]: f32 of b origin (jb * 4, 0) "
    "for jt: i32 = 0 .. 4 thread for k: i32 = 0 .. n if (jb * 4 + jt < n) "
    "copy bs[jb * 4 + jt][k] = b[jb * 4 + jt][k] "
    "for jt: i32 = 0 .. 4 thread if (jb * 4 + jt < n) for i: i32 = 0 .. n { "
    "local acc[1][1]: f32 of a origin (jb * 4 + jt, i) "
    "copy acc[jb * 4 + jt][i] = a[jb * 4 + jt][i] "
    "for k: i32 = n - 1 .. -1 step -1 S0[jb * 4 + jt, i, k] via (acc, bs, -) "
    "copy a[jb * 4 + jt][i] = acc[jb * 4 + jt][i] } } } }";

static void product(void **state) {
    (void)state;
    enum { N = 13, P = 17 };
    float a[N * P], b[N * N], c[N * N], want[N * P];
    for (int k = 0; k < N * N; k++) b[k] = sinf((float)k), c[k] = cosf((float)k * 3);
    Compile *cc = compile_new();
    IrFile *f = read(cc, gemm);
    Node *roots[] = {f->region->root, f->nests[0]->root};
    InterpArg objects[] = {{"a", a}, {"b", b}, {"c", c}};
    InterpVal vals[] = {{f->region->params[0], N, 0}, {f->region->params[1], P, 0}};
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < N * P; k++) a[k] = want[k] = (float)k / 7;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                for (int k = N - 1; k > -1; k--)
                    want[j * P + i] = fmaf(b[j * N + k], c[k * N + i], want[j * P + i]);
        assert_true(ir_interpret(cc->arena, roots[t], 3, objects, 2, vals, 0));
        assert_memory_equal(a, want, sizeof a);
    }
    assert_false(ir_interpret(cc->arena, roots[0], 3, objects, 2, vals, 100)); // budget
    assert_false(ir_interpret(cc->arena, roots[0], 1, objects, 2, vals, 0));   // b, c: no memory
    compile_free(cc);
}

typedef struct Point {
    double x;
    uint8_t tag;
    float y;
} Point;

static void structures(void **state) {
    (void)state;
    Compile *c = compile_new();
    char *text = arena_printf(c->arena,
                              "sculpt 1 region f auto { param n: u32 = \"n\" "
                              "array x[n]: f64 object p stride %zu offset %zu = \"p\" "
                              "array tag[n]: u8 object p stride %zu offset %zu = \"p\" "
                              "array y[n]: f32 object p stride %zu offset %zu = \"p\" "
                              "do { for i: i32 = i32(n) - 1 .. 0 step -1 { S0[i] S1[i] S2[i] } } "
                              "stmt S0[i]: x[i] += f64(y[i - 1]) / 3.0 "
                              "stmt S1[i]: tag[i] += tag[i - 1] "
                              "stmt S2[i]: y[i] = f32(x[i]) * y[i] - y[i - 1] }",
                              sizeof(Point), offsetof(Point, x), sizeof(Point),
                              offsetof(Point, tag), sizeof(Point), offsetof(Point, y));
    IrFile *f = read(c, text);
    Point p[9], want[9];
    memset(p, 0, sizeof p);
    for (int k = 0; k < 9; k++)
        p[k].x = k / 9.0, p[k].tag = (uint8_t)(k * 60), p[k].y = (float)k / 7;
    memcpy(want, p, sizeof p);
    for (unsigned i = 8; i > 0; i--) {
        want[i].x += (double)want[i - 1].y / 3;
        want[i].tag += want[i - 1].tag;
        float product = (float)want[i].x * want[i].y;
        want[i].y = product - want[i - 1].y;
    }
    InterpArg object = {"p", p};
    InterpVal n = {f->region->params[0], 9, 0};
    assert_true(ir_interpret(c->arena, f->region->root, 1, &object, 1, &n, 0));
    assert_memory_equal(p, want, sizeof p);
    compile_free(c);
}

// One assignment to a scalar of some type, whose bits must be those given.
static void check_bits(const char *type, const char *update, const char *text, const void *before,
                       const void *want, size_t size) {
    Compile *c = compile_new();
    IrFile *f = read(
        c,
        arena_printf(
            c->arena,
            "sculpt 1 region f auto { param n: i32 = \"n\" param z: i32 = \"\" array s: %s = \"s\" "
            "do { S0[] } stmt S0[]: s %s %s }",
            type, update, text));
    char s[8] = {0};
    memcpy(s, before, size);
    InterpArg object = {"s", s};
    InterpVal vals[] = {{f->region->params[0], -7, 0}, {f->region->params[1], 0, 0}};
    assert_true(ir_interpret(c->arena, f->region->root, 1, &object, 2, vals, 0));
    if (memcmp(s, want, size) != 0) fail_msg("%s %s %s", type, update, text);
    compile_free(c);
}
#define CHECK(T, type, old, update, text, want)                                                    \
    check_bits(type, update, text, &(T){old}, &(T){want}, sizeof(T))

static void operators(void **state) {
    (void)state;
    volatile int n = -7; // so the compiler computes nothing by itself
    volatile float one = 1, three = 3, big = 16777216;
    CHECK(int32_t, "i32", 0, "=", "n / 2", n / 2);
    CHECK(int32_t, "i32", 0, "=", "n % 2", n % 2);
    CHECK(int32_t, "i32", 0, "=", "fdiv(n, 2)", -4);
    CHECK(int32_t, "i32", 0, "=", "fmod(n, 2)", 1);
    CHECK(int32_t, "i32", 0, "=", "n >> 1", n >> 1);
    CHECK(int32_t, "i32", 0, "=", "n / z + n % z + fdiv(n, z)", 0); // nothing in C; no crash here
    CHECK(int32_t, "i32", 0, "=", "(n - 2147483641) / (z - 1)", INT32_MIN);
    CHECK(uint32_t, "u32", 0, "=", "u32(n) / 2", (uint32_t)n / 2);
    CHECK(uint32_t, "u32", 0, "=", "u32(n) >> 1", (uint32_t)n >> 1);
    CHECK(uint64_t, "u64", 0, "=", "u64(n) % 1000", (uint64_t)n % 1000);
    CHECK(uint64_t, "u64", 0, "=", "u64(u32(n)) * u64(n)", (uint64_t)(uint32_t)n * (uint64_t)n);
    CHECK(uint8_t, "u8", 200, "+=", "u8(n)", (uint8_t)(200 + (uint8_t)n));
    CHECK(int8_t, "i8", 100, "=", "i8(n * 100)", (int8_t)(n * 100));
    CHECK(_Bool, "bool", 0, "=", "bool(f64(n) / 100.0)", 1);
    CHECK(uint64_t, "u64", 5, "max=", "u64(n)", (uint64_t)n);
    CHECK(int64_t, "i64", 5, "min=", "i64(n)", n);
    CHECK(int32_t, "i32", 6, "&=", "n", 6 & n);
    CHECK(int32_t, "i32", 6, "^=", "n", 6 ^ n);
    CHECK(int32_t, "i32", 6, "&&=", "n", 1);
    CHECK(double, "f64", 0.5, "||=", "f64(z)", 1);
    CHECK(double, "f64", 0, "&&=", "1.0", 0);
    CHECK(float, "f32", 0, "=", "f32(z + 1) / 3.0 * 3.0f32 - f32(n)",
          one / three * three - (float)n);
    CHECK(float, "f32", 16777216, "+=", "f32(z + 1)", big + one);
    CHECK(float, "f32", 0, "=", "f32(16777217 + z)", (float)(16777217 + 0 * n));
    CHECK(float, "f32", 0, "=", "f32(u64(n))", (float)(uint64_t)n);
    CHECK(float, "f32", 0, "=", "sinf.f32(f32(n))", sinf((float)n));
    CHECK(double, "f64", 0, "=", "sin.f64(f64(n))", sin(n));
    CHECK(double, "f64", 0, "=", "f64(f32(sin.f64(f64(n))))", (float)sin(n));
    CHECK(double, "f64", 0, "=", "ldexp.f64(1.5, n)", ldexp(1.5, n));
    CHECK(double, "f64", 0, "=", "fma(f64(n), 0.1, 0.7)", fma(n, 0.1, 0.7));
    CHECK(double, "f64", 0, "=", "atan2.f64(f64(n), 3.0)", atan2(n, 3.0));
    CHECK(int32_t, "i32", 0, "=", "i32(f64(n) / 2.0)", -3);
    CHECK(int32_t, "i32", 0, "=", "isnan.i32(f64(z) / f64(z))", 1);
    CHECK(int32_t, "i32", 0, "=", "n < 0 || 1 / z", 1);
    CHECK(int32_t, "i32", 0, "=", "u32(n) > 5u32 ? 1 : 2", 1);
    CHECK(int64_t, "i64", 0, "=", "i64(lround.i64(f64(n) / 2.0))", lround(n / 2.0));
}

// Loops at the ends of their types, blocks that renew their locals, instances whose `at`
// mentions the statement's own counters.
static void edges(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f =
        read(c, "sculpt 1 region f auto { param n: i32 = \"n\" array count[5]: i32 = \"count\" "
                "do { for i: i32 = 0 .. n for k: i32 = 0 .. n S0[i, k] for q: i32 = 2147483643 .. "
                "2147483647 step 3 S1[q] } "
                "stmt S0[i, k]: count[i] += k stmt S1[q]: count[3] += q - 2147483600 } "
                "nest \"cpu\" { when 1 do { kernel a for i: i32 = 0 .. n for k: i32 = 0 .. n "
                "{ local t: i32 copy t = 0 S0[k, i] copy t += 1 copy count[4] max= t } } }");
    int count[5] = {0};
    InterpArg object = {"count", count};
    InterpVal n = {f->region->params[0], 3, 0};
    assert_true(ir_interpret(c->arena, f->region->root, 1, &object, 1, &n, 1000));
    assert_int_equal(count[2], 3);
    assert_int_equal(count[3], 89);
    memset(count, 0, sizeof count);
    assert_true(ir_interpret(c->arena, f->nests[0]->root, 1, &object, 1, &n, 1000));
    assert_true(count[0] == 3 && count[1] == 3 && count[2] == 3 && count[4] == 1);
    compile_free(c);
}

// A kernel alone: its temporaries are given like the program's arrays.
static void kernel_alone(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f =
        read(c, "sculpt 1 region f auto { param n: i32 = \"n\" array a[n]: i32 = \"a\" do { } } "
                "nest \"cpu\" { when 1 do { temp t[n]: i32 kernel k for i: i32 = 0 .. n { "
                "local r: i32 copy r = t[i] * 2 copy a[i] = r } } }");
    int a[4] = {0}, t[4] = {1, 2, 3, 4}, want[4] = {2, 4, 6, 8};
    InterpArg objects[] = {{"a", a}, {"t", t}};
    InterpVal n = {f->region->params[0], 4, 0};
    assert_true(ir_interpret(c->arena, f->nests[0]->root->kids[0]->body, 2, objects, 1, &n, 0));
    assert_memory_equal(a, want, sizeof a);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product), cmocka_unit_test(structures),   cmocka_unit_test(operators),
        cmocka_unit_test(edges),   cmocka_unit_test(kernel_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
