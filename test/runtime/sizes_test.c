// SPDX-License-Identifier: MIT
// sizes_test.c -- which kernels are compiled for a call, and what they know of its sizes
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <string.h>
#include "emit/emit.h"
#include "plan/plan.h"
#include "run/state.h"

static const char pairs[] =
    "sculpt 1\nregion pairs_1 @\"pairs.c\":1:1 sculpt {\n"
    "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam dim: i32 = \"dim\"\n"
    "array x[?][dim]: f32 = \"x\" live\narray y[?][dim]: f32 = \"y\" live\n"
    "array out[?][m]: f32 = \"out\" live\n"
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: f32\n S0[i, j]\n"
    "for d: i32 = 0 .. dim { S1[i, j, d] }\n S2[i, j] } } }\n"
    "stmt S0[i, j]: s = 0.0\nstmt S1[i, j, d]: s += x[i][d] * y[j][d]\nstmt S2[i, j]: out[i][j] = s\n}\n";

static const char ring[] =
    "sculpt 1\nregion ring_1 @\"ring.c\":1:1 sculpt {\n"
    "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam dim: i32 = \"dim\"\n"
    "array x[n]: f32 = \"x\" live\narray out[m]: f32 = \"out\" live\n"
    "do { for i: i32 = 0 .. m { S0[i] } }\nstmt S0[i]: out[i] = x[(i + dim) % n]\n}\n";

typedef struct Bench {
    Compile *c;
    Variant v;
    InterpVal vals[8];
    Call call;
} Bench;

static void add_kernel(Node *n, void *arg) {
    Variant *v = arg;
    if (n->kind == N_KERNEL) v->kernels[v->nkernels++] = (Kernel){.node = n};
}

static Bench *bench_of(const char *text) {
    Compile *c = compile_new();
    Bench *b = NEW(c->arena, Bench);
    b->c = c;
    IrFile *f = ir_parse(c, "text", text);
    assert_non_null(f);
    b->v.nest = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    assert_non_null(b->v.nest);
    b->v.kernels = NEW_N(c->arena, Kernel, 100);
    node_walk(b->v.nest->root, add_kernel, &b->v);
    sizes_find(&b->v);
    b->call = (Call){.v = &b->v, .vals = b->vals, .nvals = 3};
    for (int i = 0; i < 3; i++) b->vals[i].sym = f->region->params[i];
    for (int i = 0; i < b->v.nest->nfacts; i++) // the multiprocessors
        b->vals[b->call.nvals++] = (InterpVal){.sym = b->v.nest->facts[i].sym, .i = 132};
    return b;
}

static Bench *bench_new(void) {
    Bench *b = bench_of(pairs);
    assert_true(b->v.nkernels > 2);
    return b;
}

static Binary *binary(Bench *b, int64_t n, int64_t m, int64_t dim) {
    b->vals[0].i = n, b->vals[1].i = m, b->vals[2].i = dim;
    b->call.flops = b->call.operations = 2.0 * (double)n * (double)m * (double)dim;
    return sizes_binary(&b->call);
}

static int kernels_in(Bench *b, const Binary *x, const char **text) {
    EmitOptions o = {.dialect = DIALECT_CUDA, .nknown = x->nknown, .known = x->known, .value = x->value,
                     .wanted = sizes_wanted,
                     .arg = &(Wanted){&b->v, x}};
    int n = 0;
    *text = emit_kernels(b->c, b->v.nest, &o);
    assert_non_null(*text);
    for (const char *s = *text; (s = strstr(s, "__global__")); s++) n++;
    return n;
}

static void small_sizes(void **state) {
    (void)state;
    const char *text;
    Bench *b = bench_new();
    assert_int_equal(b->v.nsmall, 1); // n and m end no innermost loop
    assert_string_equal(b->v.small[0]->name, "dim");
    Binary *x = binary(b, 8192, 8192, 13);
    assert_int_equal(x->nknown, 1);
    assert_int_equal(x->value[0], 13);
    assert_ptr_equal(binary(b, 8192, 8000, 13), x);
    assert_int_equal(kernels_in(b, x, &text), 1);
    assert_null(strstr(text, "< dim"));       // it remains an argument alone
    assert_int_equal(binary(b, 8192, 8192, 33)->nknown, 0); // not small
    assert_int_equal(binary(b, 40, 40, 13)->nknown, 0);     // little to do
    assert_int_equal(kernels_in(b, binary(b, 40, 40, 13), &text), 1);
    assert_non_null(strstr(text, "dim"));
    compile_free(b->c);
}

// A few sets of kernels, then the general one.
static void not_many(void **state) {
    (void)state;
    const char *text;
    Bench *b = bench_new();
    Binary *x = NULL;
    for (int dim = 1; dim <= MAX_SIZED + 1; dim++) x = binary(b, 8192, 8192, dim);
    assert_ptr_equal(x, &b->v.general[0]);
    assert_int_equal(x->nknown, 0);
    assert_int_equal(kernels_in(b, x, &text), b->v.nkernels);
    assert_ptr_not_equal(binary(b, 8192, 8192, 2), x); // those that are there stay
    compile_free(b->c);
}

// What numbers are divided by is a number.
static void divisors(void **state) {
    (void)state;
    const char *text;
    Bench *b = bench_of(ring);
    const Binary *x = binary(b, 4096, 1 << 27, 5);
    bool known = false; // among others, by which guards go
    for (int i = 0; i < x->nknown; i++) known |= str_eq(x->known[i]->name, "n") && x->value[i] == 4096;
    assert_true(known);
    kernels_in(b, x, &text);
    assert_null(strstr(text, "% n"));
    compile_free(b->c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_sizes), cmocka_unit_test(not_many),
                                       cmocka_unit_test(divisors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
