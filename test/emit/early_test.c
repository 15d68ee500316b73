// SPDX-License-Identifier: MIT
// early_test.c -- which kernels wait by themselves for the launch ahead, for which arrays, and what a
// compiler makes of it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <string.h>
#include "device/cuda_nvrtc.h"
#include "emit/emit.h"

static const char region[] =
    "sculpt 1\nregion r_1 @\"r.c\":3:3 scop {\nparam n: i32 = \"n\"\n"
    "array y[n]: f32 = \"y\" live\narray x[n + 1]: f32 = \"x\"\n"
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @5:5: y[i] += x[i] * 2.0 + x[i + 1]\n}\n";

#define FEET "when n > 0\nfoot y[0 to n - 1] in out exact\nfoot x[0 to n] in\n"
#define NEST(body) "nest \"gpu\" {\n" FEET "do { " body " }\n}\n"
#define TEMPS "temp t[n]: f32\ntemp u[n]: f32\n"
#define PACK "kernel k0 { for b: i32 = 0 .. n block copy t[b] = x[b] * 2.0 } " \
             "kernel k1 { for c: i32 = 0 .. n block copy u[c] = x[c + 1] } "

static const char chain[] =
    NEST(TEMPS PACK "kernel k2 { for d: i32 = 0 .. n block copy y[d] += t[d] + u[d] } "
                                 "if (n > 50) kernel k3 { for e: i32 = 0 .. 1 block copy y[e] += 1.0 }");

static const struct {
    const char *nest, *waits;
} cases[] = {
    {chain, "k0(t) k1(u) k2(y t u) k3(y)"},
    {NEST("kernel k0 { for b: i32 = 0 .. n block S0[b] }"), ""},
    {NEST("if (n > 5) kernel k0 { for b: i32 = 0 .. n block S0[b] } else kernel k1 { "
          "for c: i32 = 0 .. n block S0[c] }"), ""},
    {NEST("for s: i32 = 0 .. 3 { kernel k0 { for b: i32 = s .. n block S0[b] } }"), "k0(y)"},
    {NEST("kernel k0 { for b: i32 = 0 .. 5 block S0[b] } if (n > 5) kernel k1 { "
          "for c: i32 = 5 .. n block S0[c] }"), "k0(y) k1(y)"},
    // A thread reads t after it has written y.
    {NEST(TEMPS PACK "kernel k2 { for d: i32 = 0 .. n / 2 block for e: i32 = 2 * d .. 2 * d + 2 { "
          "copy y[e] += t[e] } } "
          "kernel k3 { for f: i32 = 0 .. n block copy y[f] += u[f] }"), "k0(t) k1(u) k3(y u)"},
    {NEST(TEMPS PACK "kernel k2 { for d: i32 = 0 .. n block { copy y[d] += t[d] copy y[d] += u[d] } }"),
     "k0(t) k1(u)"},
    // It reads x, which nobody writes, and y, which it writes itself.
    {NEST(TEMPS PACK "kernel k2 { for d: i32 = 0 .. n block { copy y[d] += t[d] copy y[d] += x[d] } }"),
     "k0(t) k1(u) k2(y t)"},
    // There is one round but of large grids.
    {NEST(TEMPS PACK "kernel k2 { for d: i32 = 0 .. min(n, 65535) block for e: i32 = d .. n step 65535 { "
          "copy y[e] += t[e] } }"),
     "k0(t) k1(u) k2(y t)"},
};

static Nest *read_nest(Compile *c, const char *nest) {
    IrFile *f = ir_parse(c, "early", arena_printf(c->arena, "%s%s", region, nest));
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[0].text : "?", nest);
    return f->nests[0];
}

static void which(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile *c = compile_new();
        KernelWaits waits = {0};
        Text said = text_new(c->arena);
        emit_waits(c->arena, read_nest(c, cases[i].nest), &waits);
        for (int k = 0; k < waits.n; k++) {
            const KernelWait *w = &waits.at[k];
            text_printf(&said, "%s%s(", k ? " " : "", w->kernel->name);
            for (int j = 0; j < w->n; j++) text_printf(&said, "%s%s", j ? " " : "", w->arrays[j]->name);
            text_put(&said, ")");
            assert_ptr_equal(emit_wait_of(&waits, w->kernel), w);
        }
        assert_string_equal(text_str(&said), cases[i].waits);
        compile_free(c);
    }
}

static char *emit(Compile *c, const Nest *n, DialectId d, bool early) {
    char *text = emit_kernels(c, n, &(EmitOptions){.dialect = d, .early = early});
    assert_non_null(text);
    return text;
}

static void texts(void **state) {
    (void)state;
    Compile *c = compile_new();
    const Nest *n = read_nest(c, chain);
    const char *text = emit(c, n, DIALECT_CUDA, true);
    assert_non_null(strstr(text, "{\n    sculpt_wait_3(y, t, u);\n"));
    assert_non_null(strstr(text, "{\n    sculpt_wait_1(t);\n"));
    const char *once = strstr(text, "inline void sculpt_wait_1("); // of three kernels
    assert_true(once && !strstr(once + 1, "inline void sculpt_wait_1("));
    assert_null(strstr(emit(c, n, DIALECT_CUDA, false), "wait"));
    for (DialectId d = DIALECT_OPENCL; d <= DIALECT_C; d++) assert_string_equal(emit(c, n, d, true),
        emit(c, n, d, false));
    compile_free(c);
}

// No access to global memory stands before a wait, and none to what is written goes by the cache for
// constants.
static void compiled(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nvrtc *rtc = nvrtc_find(c->arena, 0);
    enum { UNKNOWN = 999 }; // for devices that it does not know, the compiler makes text
    void *image;
    size_t size;
    char *log = NULL;
    if (!rtc || !nvrtc_compile(c->arena, rtc, UNKNOWN, emit(c, read_nest(c, chain), DIALECT_CUDA, true),
                               &image, &size, &log)) {
        print_message("no NVRTC%s%s\n", log ? ": " : "", log ? log : "");
        compile_free(c);
        skip();
    }
    char *at = arena_printf(c->arena, "%.*s", (int)size, (char *)image);
    int kernels = 0;
    for (char *next; (at = strstr(at, ".entry ")); at = next, kernels++) {
        char *end = strstr(at + 1, ".entry ");
        next = end ? end - 1 : at + strlen(at);
        char *body = arena_printf(c->arena, "%.*s", (int)(next - at), at);
        char *wait = strstr(body, "griddepcontrol.wait"),
            *go = strstr(body, "griddepcontrol.launch_dependents");
        char *load = strstr(body, "ld.global"), *store = strstr(body, "st.global");
        assert_true(wait && go && store && wait < go && go < store && (!load || go < load));
        bool reads_x = strstr(body, ".entry k0(") || strstr(body, ".entry k1(");
        assert_int_equal(strstr(body, "ld.global.nc") != NULL, reads_x);
    }
    assert_int_equal(kernels, 4);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(which), cmocka_unit_test(texts),
                                       cmocka_unit_test(compiled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
