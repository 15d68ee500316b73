// SPDX-License-Identifier: MIT
// phase_test.c -- kernels of several phases: their text, meaning, geometry, and what is refused
#include "ir/ir.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

// a[i] += b[k] * b[i], 16 elements a block, b staged twice in turn.
#define REGION                                                                                     \
    "sculpt 1\n"                                                                                   \
    "region f_1 @\"g.c\":1:1 scop {\n"                                                             \
    "    param n: i32 = \"n\"\n"                                                                   \
    "    array a[?]: f32 = \"a\" live\n"                                                           \
    "    array b[?]: f32 = \"b\"\n"                                                                \
    "    do { for i: i32 = 0 .. n for k: i32 = 0 .. n S0[i, k] }\n"                                \
    "    stmt S0[i, k]: a[i] += b[k] * b[i] fused\n"                                               \
    "}\n"
#define BLOCK                                                                                      \
    "nest \"gpu\" { fact b_at misalign b\n when b_at == 0 && n % 16 == 0\n"                        \
    "do { kernel k0 min_blocks 2 { for ib: i32 = 0 .. n / 16 block {\n"                            \
    "register acc[16][1]: f32 digits 1\n shared sb[2][16]: f32\n"
#define LOAD "for t: i32 = 0 .. 16 thread copy acc[t][0] = a[16 * ib + t]\n"
#define COPY "for kk: i32 = 0 .. 16 coop copy sb[kt % 2][kk] = b[16 * kt + kk] async\n"
#define STEP                                                                                       \
    "for t: i32 = 0 .. 16 thread for k: i32 = 0 .. 16 unroll\n"                                    \
    "    S0[16 * ib + t, 16 * kt + k] via (acc[t][0], sb[kt % 2][k], -)\n"
#define STORE "for t: i32 = 0 .. 16 thread copy a[16 * ib + t] = acc[t][0]\n"
#define END "} } } }\n"
static const char *const product =
    REGION BLOCK LOAD "for kt: i32 = 0 .. n / 16 {\n" COPY STEP "}\n" STORE END;

static void round_trip(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "product", product);
    assert_non_null(f);
    Text t = text_new(c->arena);
    text_printf(&t, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region),
                ir_print_nest(c->arena, f->nests[0]));
    IrFile *again = ir_parse(c, "again", t.s);
    assert_non_null(again);
    assert_string_equal(ir_print_nest(c->arena, again->nests[0]),
                        ir_print_nest(c->arena, f->nests[0]));
    compile_free(c);
}

static void run(const IrFile *f, Node *root, float *a, float *b, int n) {
    Arena *scratch = arena_new();
    InterpArg objects[] = {{"a", a}, {"b", b}};
    InterpVal value = {f->region->params[0], n, 0};
    assert_true(ir_interpret(scratch, root, 2, objects, 1, &value, 0));
    arena_free(scratch);
}

static void same_meaning(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "product", product);
    assert_non_null(f);
    enum { N = 48 };
    float a[N], b[N], have[N];
    for (int k = 0; k < N; k++) a[k] = have[k] = (float)k / 7, b[k] = 1 / (float)(k + 3);
    run(f, f->region->root, a, b, N);
    run(f, f->nests[0]->root, have, b, N);
    assert_memory_equal(a, have, sizeof a);
    compile_free(c);
}

static void geometry(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "product", product);
    assert_non_null(f);
    const Node *kernel = f->nests[0]->root->kids[0];
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    assert_true(g.phases);
    assert_int_equal(g.threads, 16);
    assert_int_equal(g.nblock, 1);
    assert_int_equal(kernel->min_blocks, 2);
    KernelSig *sig = ir_kernel_sig(c->arena, kernel);
    assert_int_equal(sig->narrays, 2);
    assert_int_equal(sig->nsyms, 1); // n: neither the fact nor a counter
    compile_free(c);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {REGION BLOCK "for t: i32 = 0 .. 16 thread copy acc[15 - t][0] = 0\n" END, "not the thread's"},
        {REGION BLOCK "for t: i32 = 0 .. 8 thread copy acc[t][0] = 0\n" END, "not the thread's"},
        {REGION BLOCK "for t: i32 = 0 .. 16 thread for u: i32 = 0 .. 2 thread copy acc[t][0] = 0\n" END,
         "names 1 digits"},
        {REGION BLOCK "for t: i32 = 0 .. n coop copy sb[0][t] = b[t]\n" END, "constant extent"},
        {REGION BLOCK "for t: i32 = 0 .. 16 thread for u: i32 = 0 .. 2 coop copy sb[0][u] = b[u]\n" END,
         "inside a thread loop"},
        {REGION BLOCK "for t: i32 = 0 .. 16 coop S0[t, t]\n" END, "only copies"},
        {REGION BLOCK "for t: i32 = 0 .. 16 thread copy sb[0][t] = b[t] async\n" END, "asynchronous"},
        {REGION BLOCK "for t: i32 = 0 .. 16 thread { shared x[4]: f32 }\n" END, "can't be declared"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Compile *c = compile_new();
        assert_null(ir_parse(c, "wrong", wrong[k].text));
        if (!c->diags.n || !strstr(c->diags.at[0].text, wrong[k].why))
            fail_msg("%zu: %s", k, c->diags.n ? c->diags.at[0].text : "no message");
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(same_meaning),
        cmocka_unit_test(geometry),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
