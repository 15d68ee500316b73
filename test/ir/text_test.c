// SPDX-License-Identifier: MIT
// text_test.c -- what is printed reads back the same; what is wrong is told with its place
#include "../sample.h"
#include "random_ir.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static char *print(Arena *a, const Region *r, int n, Nest *const *nests) {
    Text t = text_new(a);
    text_put(&t, "sculpt 1\n");
    text_put(&t, ir_print_region(a, r));
    for (int k = 0; k < n; k++) text_put(&t, ir_print_nest(a, nests[k]));
    return t.s;
}

static const char *first_diag(const Compile *c) { return c->diags.n ? c->diags.at[0].text : ""; }

static void round_trip(uint64_t seed) {
    Compile *c = compile_new();
    Rand g = {.a = c->arena, .state = seed};
    Region *r = rnd_region(&g);
    Nest *nests[2] = {rnd_nest(&g), rnd_nest(&g)};
    bool ok = ir_verify_region(c, r) && ir_verify_nest(c, nests[0]) && ir_verify_nest(c, nests[1]);
    if (!ok) fail_msg("seed %llu: %s", (unsigned long long)seed, first_diag(c));
    char *once = print(c->arena, r, 2, nests);
    IrFile *f = ir_parse(c, "random", once);
    if (!f)
        fail_msg("seed %llu: %d:%d %s\n%s", (unsigned long long)seed, c->diags.at[0].loc.line,
                 c->diags.at[0].loc.col, first_diag(c), once);
    assert_string_equal(once, print(c->arena, f->region, f->nnests, f->nests));
    compile_free(c);
}

static void random_round_trips(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (uint64_t k = 0; k < 1000; k++) round_trip(seed + k);
}

typedef struct Outlines {
    Arena *a;
    int n;
    Node *at[64];
} Outlines;

static void make_outline(Node *n, void *arg) {
    Outlines *all = arg;
    if (n->kind != N_KERNEL || all->n == 64) return;
    KernelGrid g;
    ir_kernel_grid(n, &g);
    for (int i = 0; i < g.nblock + g.nthread; i++) {
        const Node *l = i < g.nblock ? g.block[i] : g.thread[i - g.nblock];
        if (expr_has_load(l->lo) || expr_has_load(l->hi)) return;
    }
    Outline *o = NEW(all->a, Outline);
    *o = (Outline){.shared = all->n, .at_launch = -1, .waits = all->n & 1};
    all->at[all->n++] = ir_outline(all->a, n, o);
}

static char *names(Arena *a, const Node *kernel) {
    Text t = text_new(a);
    KernelSig *s = ir_kernel_sig(a, kernel);
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    for (int i = 0; i < s->narrays; i++) text_printf(&t, "%s%d ", s->arrays[i]->name, s->written[i]);
    for (int i = 0; i < s->nsyms; i++) text_printf(&t, "%s ", s->syms[i]->name);
    text_printf(&t, "%d %d %d %lld", g.nblock, g.nthread, g.phases, (long long)g.threads);
    for (int i = 0; i < g.nblock; i++) text_put(&t, ir_print_expr(a, g.block[i]->hi));
    return t.s;
}

// Beside a region's head a kernel's outline has all that a launch asks for; the rest of the region is read
// after it.
static void outline_trip(uint64_t seed, int *seen) {
    Compile *c = compile_new();
    Arena *a = c->arena;
    Rand g = {.a = a, .state = seed};
    Region *r = rnd_region(&g);
    Nest *n = rnd_nest(&g);
    Outlines all = {.a = a};
    node_walk(n->root, make_outline, &all);
    if (!ir_verify_region(c, r) || !ir_verify_nest(c, n)) fail_msg("seed %llu", (unsigned long long)seed);
    char *text = print(a, r, 0, NULL);
    IrFile *f = ir_parse_head(c, "random", text);
    assert_non_null(f);
    assert_null(f->region->root);
    for (int i = 0; i < all.n; i++) {
        Region bare = *r;
        bare.root = NULL;
        Nest one = *n;
        one.region = &bare, one.root = all.at[i];
        one.nfeet = 0, one.cost = one.flops = one.bytes = one.work = NULL, one.when = expr_int(a, T_I32, 1);
        char *once = ir_print_nest(a, &one);
        IrNests again;
        if (ir_parse_nests(c, f, "outline", once, true, &again) != 1) {
            assert_int_equal(c->diags.n, 1); // what stands around the kernel is not declared
            c->diags.n = 0;
            continue;
        }
        (*seen)++;
        assert_string_equal(names(a, all.at[i]), names(a, again.at[0]->root));
        assert_int_equal(again.at[0]->root->outline->shared, i);
        again.at[0]->region = &bare;
        assert_string_equal(once, ir_print_nest(a, again.at[0]));
    }
    assert_true(ir_parse_rest(c, f));
    assert_string_equal(text, print(a, f->region, 0, NULL));
    compile_free(c);
}

static void outlines(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    int seen = 0;
    for (uint64_t k = 0; k < 200; k++) outline_trip(seed + k, &seen);
    assert_true(seen > 20);
}

// A locale with a decimal comma must change nothing.
static void any_locale(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};
    for (size_t k = 0; k < 4 && !setlocale(LC_NUMERIC, names[k]); k++) continue;
    assert_string_equal(ir_print_expr(a, expr_float(a, T_F64, 1.5)), "1.5");
    assert_string_equal(ir_print_expr(a, expr_float(a, T_F32, 0.1)), "0.1f32");
    assert_string_equal(ir_print_expr(a, expr_float(a, T_F64, 3)), "3.0");
    Compile *c = compile_new();
    IrFile *f =
        ir_parse(c, "x", "sculpt 1 region f auto { array s: f64 do { S0[] } stmt S0[]: s = 2.25 }");
    assert_non_null(f);
    assert_true(f->region->stmts[0]->rhs->f == 2.25);
    setlocale(LC_NUMERIC, "C");
    compile_free(c);
    arena_free(a);
}

typedef struct Bad {
    const char *line; // in place of the statement's line
    int col;
    const char *says;
} Bad;

static void places(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"stmt S0[i]: a[q] = 1", 15, "'q' is not declared"},
        {"stmt S0[i]: z[i] = 1", 13, "the array that is assigned expected"},
        {"stmt S0[i]: a = 1", 15, "'[' expected before '='"},
        {"stmt S0[i]: a[i][i] = 1", 17, "a has 1 dimension"},
        {"stmt S0[i]: a[i] = 1.5", 20, "f64 is assigned to an element of i32"},
        {"stmt S0[i]: a[1.5] = 1", 15, "an integer expected"},
        {"stmt S0[i]: a[i] = n + 1i64", 24, "operands of + have types i32 and i64"},
        {"stmt S0[i]: a[i] = 2147483648", 20, "the literal does not fit into i32"},
        {"stmt S0[i]: a[i] = i32(1.5 % 2.0)", 24, "an operand of % has type f64"},
        {"stmt S0[i]: a[i] = foo(1)", 20, "'foo' is no type and no operator"},
        {"stmt S0[i]: a[i] = min(1)", 20, "min takes 2 operands"},
        {"stmt S0[i]: a[i] = i32(sqrt.f64(1.0, 2.0))", 24, "sqrt does not take these arguments"},
        {"stmt S0[n]: a[i] = 1", 9, "a loop's counter expected"},
        {"stmt S0[i, i]: a[i] = 1", 0, ""}, // more counters than the instance: told there
        {"stmt S0[i]: a[i] -= 1", 18, "'=' expected before '-'"},
        {"stmt S0[i]: a[i] = (1", 0, ""},
        {"stmt S0[i]: a[i] = 1 stmt S0[i]: a[i] = 2", 27, "S0 is there twice"},
        {"param a: i32", 7, "a is declared twice"},
        {"param k: i33", 10, "'i33' is no type"},
        {"stmt S0[i]: a[i] = \"x\"", 20, "an expression expected"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Compile *c = compile_new();
        bool head = str_has_prefix(bad[k].line, "param"); // what is declared stands ahead of the loops
        const char *loops = "do { for i: i32 = 0 .. n S0[i] }";
        char *text = arena_printf(c->arena,
                                  "sculpt 1\nregion f auto {\nparam n: i32 = \"n\"\narray a[n]: i32 = "
                                  "\"a\"\n%s\n%s\n}\n",
                                  head ? "" : loops, bad[k].line);
        assert_null(ir_parse(c, "t", text));
        assert_int_equal(c->diags.n, 1);
        const Diag *d = &c->diags.at[0];
        if (bad[k].col) {
            assert_string_equal(d->text, bad[k].says);
            assert_int_equal(d->loc.line, 6);
            assert_int_equal(d->loc.col, bad[k].col);
        }
        assert_string_equal(d->loc.file, "t");
        assert_int_equal(d->code, SC_NEST_SYNTAX);
        compile_free(c);
    }
}

// Typical text must be read in well under a millisecond.
static void is_fast(void **state) {
    (void)state;
    Arena *a = arena_new();
    size_t n;
    char *text = file_read(a, "test/fuzz/corpus/gemm.nest", &n);
    if (!text) skip();
    double best = 1;
    for (int k = 0; k < 20; k++) {
        Compile *c = compile_new();
        double from = time_used();
        assert_non_null(ir_parse(c, "gemm", text));
        double took = time_used() - from;
        best = took < best ? took : best;
        compile_free(c);
    }
    print_message("%zu bytes in %.0f us\n", n, best * 1e6);
    assert_true(best < 2e-3); // of a processor, sanitizers included
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_round_trips),
        cmocka_unit_test(outlines),
        cmocka_unit_test(any_locale),
        cmocka_unit_test(places),
        cmocka_unit_test(is_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
