// SPDX-License-Identifier: MIT
// findings_test.c -- what is told of a nest: findings with cures, launches, registers of a cubin
#include "h200.h"
#include "device/cubin.h"
#include "device/cuda_nvrtc.h"
#include "model/findings.h"
#include <math.h>
#include <string.h>

static NestCost *cost(const char *tree, int64_t n, Findings *out) {
    char *text = arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\"\n"
        "array a[?][n]: f32 = \"a\" array b[?][n]: f32 = \"b\" live array v[?]: f32 = \"v\" live "
        "array x[?]: i32 = \"x\" live\n"
        "do { for i: i32 = 0 .. n for j: i32 = 0 .. n { S0[i, j] @3:5 } } "
        "stmt S0[i, j] @3:5: b[i][j] = a[j][i] }\n"
        "nest \"gpu\" { when 1 do { %s } }\n", tree);
    IrFile *f = ir_parse(c, "f.nest", text);
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?", tree);
    InterpVal val = {.sym = f->region->params[0], .i = n};
    NestCost *r = model_nest(c->arena, f->nests[0], 1, &val, h200);
    *out = model_findings(c->arena, f->nests[0], r, h200);
    return r;
}

static const Finding *finding(const Findings *f, FindingKind kind) {
    for (int i = 0; i < f->n; i++)
        if (f->at[i].kind == kind) return &f->at[i];
    fail_msg("no finding about %s among %d", finding_name(kind), f->n);
    return NULL;
}

static void transposed(void **state) {
    (void)state;
    Findings f;
    cost("kernel k for ib: i32 = 0 .. n block for jb: i32 = 0 .. fdiv(n, 256) block "
         "for t: i32 = 0 .. 256 thread S0[ib, 256 * jb + t]", 8192, &f);
    const Finding *x = finding(&f, FIND_COALESCING);
    assert_string_equal(x->cure, "transpose a at=k order=1,0");
    assert_true(x->step && x->share > 0.3 && x->share < 1);
    assert_int_equal(x->loc.line, 3);
    assert_non_null(strstr(x->text, "load a[j][i]: 32 sectors a request where 4 would do"));
    // The other way round it is the store, which no transposed copy cures.
    cost("kernel k for jb: i32 = 0 .. n block for ib: i32 = 0 .. fdiv(n, 256) block "
         "for t: i32 = 0 .. 256 thread S0[256 * ib + t, jb]", 8192, &f);
    x = finding(&f, FIND_COALESCING);
    assert_false(x->step);
    assert_non_null(strstr(x->text, "store b[i][j]"));
    // Rows that begin anywhere in a sector.
    cost("kernel k for ib: i32 = 0 .. n block for jb: i32 = 0 .. fdiv(n, 256) block "
         "for t: i32 = 0 .. 256 thread copy b[ib][256 * jb + t] = a[ib][256 * jb + t]", 8191, &f);
    for (int i = 0; i < f.n; i++) assert_int_not_equal(f.at[i].kind, FIND_COALESCING);
}

static const char tile[] =
    "kernel k for ib: i32 = 0 .. fdiv(n, 32) block for jb: i32 = 0 .. fdiv(n, 32) block { "
    "shared w[32][%d]: f32 "
    "for y: i32 = 0 .. 8 thread for t: i32 = 0 .. 32 thread for r: i32 = 0 .. 4 unroll "
    "copy w[y + 8 * r][t] = a[32 * jb + y + 8 * r][32 * ib + t] "
    "for y2: i32 = 0 .. 8 thread for t2: i32 = 0 .. 32 thread for r2: i32 = 0 .. 4 unroll "
    "copy b[32 * ib + y2 + 8 * r2][32 * jb + t2] = w[t2][y2 + 8 * r2] }";

static void conflicts(void **state) {
    (void)state;
    Findings f;
    NestCost *bad = cost(arena_printf(c->arena, tile, 32), 8192, &f);
    const Finding *x = finding(&f, FIND_BANKS);
    assert_true(str_has_prefix(x->cure, "pad=1 in the step that stages into w"));
    assert_non_null(strstr(x->text, "32 wavefronts a request where 1 would do"));
    NestCost *good = cost(arena_printf(c->arena, tile, 33), 8192, &f);
    for (int i = 0; i < f.n; i++) assert_int_not_equal(f.at[i].kind, FIND_BANKS);
    assert_true(good->seconds < bad->seconds);
    // the share is what it saves
    assert_true(fabs(bad->seconds * (1 - x->share) - good->seconds) < 0.05 * good->seconds);
}

static void launches(void **state) {
    (void)state;
    Findings f;
    NestCost *r = cost("for s: i32 = 0 .. 100 { kernel k for q: i32 = 0 .. 4 block "
                       "for t: i32 = 0 .. 32 thread copy v[32 * q + t] += 1.0 "
                       "kernel l for q: i32 = 0 .. 4 block for t: i32 = 0 .. 32 thread "
                       "copy b[0][32 * q + t] = v[32 * q + t] }", 256, &f);
    assert_int_equal(r->nkernels, 2);
    assert_true(r->launches == 200 && r->dependent == 199 && r->read_backs == 0);
    finding(&f, FIND_LAUNCHES);
    assert_int_equal(finding(&f, FIND_IDLE)->kind, FIND_IDLE);
}

#define STEPS(how, at)                                                                                    \
    "for s: i32 = 0 .. 100 " how "kernel k for q: i32 = 0 .. 4 block for t: i32 = 0 .. 32 thread copy b[" \
    at "][32 * q + t] += 1.0"
static void independent_launches(void **state) {
    (void)state;
    Findings f;
    assert_true(cost(STEPS("", "s"), 256, &f)->dependent == 0);
    assert_true(cost(STEPS("", "s + 1"), 256, &f)->dependent == 0);
    assert_true(cost(STEPS("", "0"), 256, &f)->dependent == 99);
    assert_true(cost(STEPS("", "fmod(s, 2)"), 256, &f)->dependent == 99);
    // Written where another step reads.
    assert_true(cost("for s: i32 = 0 .. 100 kernel k for t: i32 = 0 .. 32 block copy b[s][t] = b[s + 1][t]",
                     256, &f)->dependent == 99);
}

static void replayed_launches(void **state) {
    (void)state;
    Findings f, g;
    NestCost *one = cost(STEPS("", "s"), 256, &f), *graph = cost(STEPS("graph ", "s"), 256, &g);
    assert_true(graph->seconds < one->seconds / 3 && graph->launches == 100);
    finding(&f, FIND_LAUNCHES);
    for (int i = 0; i < g.n; i++) assert_int_not_equal(g.at[i].kind, FIND_LAUNCHES);
}

static void looks_at_results(void **state) {
    (void)state;
    const char *once = "kernel k for q: i32 = 0 .. 4 block for t: i32 = 0 .. 32 thread "
                       "copy v[32 * q + t] += 1.0";
    Findings f;
    NestCost *never = cost(once, 256, &f), *each = cost(once, 256, &f);
    model_calls(never, 64, 0, h200);
    model_calls(each, 64, 1, h200);
    assert_true(never->launches == 64 && never->dependent == 63 && never->read_backs == 0);
    assert_true(each->read_backs == 64 && each->seconds > 2 * never->seconds);
    assert_true(fabs(each->seconds - never->seconds - 64 * model_wait(h200)) < 1e-9);
}

static void data_dependent(void **state) {
    (void)state;
    Findings f;
    cost("kernel k for q: i32 = 0 .. 4096 block for t: i32 = 0 .. 256 thread "
         "for k: i32 = x[256 * q + t] .. x[256 * q + t + 1] copy v[256 * q + t] += a[0][k]", 1 << 20, &f);
    const Finding *x = finding(&f, FIND_DIVERGENCE);
    assert_true(x->assumed);
    assert_non_null(strstr(x->cure, "flatten"));
    finding(&f, FIND_COALESCING); // rows lie one behind another
    cost("kernel k for q: i32 = 0 .. 4096 block for t: i32 = 0 .. 256 thread "
         "for k: i32 = 0 .. x[256 * q + t] copy v[256 * q + t] += a[0][k + x[t]]", 1 << 20, &f);
    assert_true(finding(&f, FIND_COALESCING)->assumed);
}

// Registers: from the machine code of NVIDIA's compiler, where it is here.
static void registers(void **state) {
    (void)state;
    KernelUsage u;
    assert_false(cubin_usage("no ELF file", 11, "k", &u));
    Nvrtc *rtc = nvrtc_find(c->arena, 0);
    void *image = NULL;
    size_t size = 0;
    char *log = "";
    static const char text[] =
        "extern \"C\" __global__ void __launch_bounds__(256) k(float *x) { __shared__ float w[256]; "
        "w[threadIdx.x] = x[threadIdx.x]; "
                               "__syncthreads(); x[threadIdx.x] = w[255 - threadIdx.x]; }\n"
                               "__global__ void mangled(float *x) { x[threadIdx.x] = 1; }\n"
                               "template <int N> __global__ void twice(float *x) { x[threadIdx.x] = N; }\n"
                               "template __global__ void twice<1>(float *); template __global__ void "
                               "twice<2>(float *);\n"
                               "template <int N> __global__ void once(float *x) { x[threadIdx.x] = N; } "
                               "template __global__ void once<1>(float *);";
    if (!rtc || !nvrtc_compile(c->arena, rtc, 90, text, &image, &size,
                               &log)) return print_message("no NVRTC: %s\n", log);
    assert_true(cubin_usage(image, size, "k", &u));
    assert_true(u.registers >= 4 && u.registers <= 64);
    assert_false(cubin_usage(image, size, "other", &u));
    assert_string_equal(cubin_symbol(image, size, "k"), "k");
    assert_string_equal(cubin_symbol(image, size, "mangled"), "_Z7mangledPf");
    assert_true(cubin_usage(image, size, cubin_symbol(image, size, "once<1>"), &u) && u.registers > 0);
    assert_null(cubin_symbol(image, size, "twice")); // which of them?
    assert_null(cubin_symbol(image, size, "mangle"));
    assert_null(cubin_symbol("no ELF file", 11, "k"));
    char *cut = arena_alloc(c->arena, size);
    // no read beyond its end
    for (size_t n = 0; n < size; n += 97) memcpy(cut, image, n), cubin_usage(cut, n, "k", &u),
        cubin_symbol(cut, n, "mangled");
}

// What the host's loop reads each time round is told beside what the nest itself waits for.
static void looked_at(void **state) {
    (void)state;
    Findings f;
    NestCost *n = cost("kernel k for z: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread copy v[t] = 1.0", 64,
                       &f);
    int before = f.n;
    model_looks(c->arena, &f, n, h200, (Loc){"f.c", 9, 5}, "err");
    assert_int_equal(f.n, before + 1);
    const Finding *x = finding(&f, FIND_READ_BACK);
    assert_int_equal(x->loc.line, 9);
    assert_non_null(strstr(x->text, "reads err each time round"));
    assert_true(x->share > 0.5 && x == &f.at[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looked_at), cmocka_unit_test(transposed), cmocka_unit_test(conflicts),
            cmocka_unit_test(launches),
        cmocka_unit_test(independent_launches), cmocka_unit_test(replayed_launches),
        cmocka_unit_test(looks_at_results),
        cmocka_unit_test(data_dependent), cmocka_unit_test(registers),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
