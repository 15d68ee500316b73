// SPDX-License-Identifier: MIT
// near_test.c -- what lies near a multiprocessor: functions and their unit, private arrays in local memory,
// words that all threads change, gathers, the first-level cache
#include "h200.h"
#include "model/code.h"
#include "model/findings.h"
#include <math.h>
#include <string.h>

// One kernel over arrays of floats v, w, doubles q, integers p.
static NestCost *nest(const char *body, Findings *out) {
    char *text = arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\"\n"
        "array v[?]: f32 = \"v\" live array w[?]: f32 = \"w\" live array q[?]: f64 = \"q\" live "
        "array p[?]: i32 = \"p\" live\n"
        "do { for i: i32 = 0 .. n { S0[i] @3:5 } } stmt S0[i] @3:5: v[i] += 1.0 }\n"
        "nest \"gpu\" { when 1 do { kernel k for b: i32 = 0 .. 4096 block "
        "for t: i32 = 0 .. 256 thread { %s } } }\n", body);
    IrFile *f = ir_parse(c, "f.nest", text);
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?", body);
    InterpVal val = {.sym = f->region->params[0], .i = 1024};
    NestCost *r = model_nest(c->arena, f->nests[0], 1, &val, h200);
    if (r->kernels[0]->refused) fail_msg("%s: %s", body, r->kernels[0]->refused);
    *out = model_findings(c->arena, f->nests[0], r, h200);
    return r;
}

static const Finding *finding(const Findings *f, FindingKind kind) {
    for (int i = 0; i < f->n; i++)
        if (f->at[i].kind == kind) return &f->at[i];
    return NULL;
}

static const AccessCost *access(const NestCost *r, const char *text, bool write) {
    for (int i = 0; i < r->kernels[0]->naccesses; i++)
        if (str_eq(r->kernels[0]->accesses[i]->text, text) &&
            r->kernels[0]->accesses[i]->write == write) return r->kernels[0]->accesses[i];
    fail_msg("there is no access %s", text);
    return NULL;
}

// ---- functions -------------------------------------------------------------------------------------
static bool is(double x, double want) { return fabs(x - want) < 1e-6; }

static InstructionMix once(const char *expr, const char *array) {
    Findings f;
    NestCost *r = nest(arena_printf(c->arena, "copy %s[256 * b + t] = %s", array, expr), &f);
    InstructionMix m = r->kernels[0]->mix, out = {0};
    mix_add(&out, &m, 1.0 / (4096 * 8)); // a warp
    return out;
}

static void functions(void **state) {
    (void)state;
    InstructionMix e = once("expf.f32(w[256 * b + t])", "v"), l = once("logf.f32(w[256 * b + t])", "v"),
        d = once("exp.f64(q[256 * b + t])", "q");
    assert_true(is(e.special, 1) && is(e.fp32, 6) && is(e.fp64, 0));
    assert_true(is(l.special, 0) && is(l.fp32, 19)); // a polynomial
    assert_true(is(d.special, 0) && is(d.fp64, 15) && is(d.fp32, 0));
    assert_true(d.others > e.others);
    // A root's reciprocal is one sequence where sculpt prints it, not a root and a division. The function is
    // an instruction and what keeps small numbers.
    InstructionMix r = once("1.0 / sqrtf.f32(w[256 * b + t])", "v"),
        s = once("2.5 / sqrtf.f32(w[256 * b + t])", "v");
    assert_true(mix_work(&r) < 0.8 * mix_work(&s));
    InstructionMix q = once("rsqrtf.f32(w[256 * b + t])", "v");
    assert_true(is(q.special, 1) && is(q.fp32, 3) && is(q.others, 0));
    // Of a kernel that is written so by hand, the compiler makes both.
    Expr *one = expr_float(c->arena, T_F32, 1), *two = expr_float(c->arena, T_F32, 2);
    Expr *root = expr_call(c->arena, "sqrtf", T_F32, 1, &two),
        inverse = {.kind = E_OP, .type = T_F32, .op = OP_DIV, .nargs = 2, .args = (Expr *[]){one, root}};
    assert_ptr_equal(mix_inverse_root(&inverse, false), two);
    assert_null(mix_inverse_root(&inverse, true));
    InstructionMix f = once("fast_expf.f32(w[256 * b + t])", "v");
    assert_true(is(f.special, 1) && is(f.fp32, 4) && is(f.others, 0));
    // Halving is a product.
    assert_true(is(once("w[256 * b + t] / 2.0", "v").fp32, 1) &&
                is(once("w[256 * b + t] / 2.0", "v").special, 0));
    assert_true(is(once("w[256 * b + t] / 6.0", "v").special, 1));
    assert_true(is(once("w[256 * b + t] / 3.0", "v").special, 0)); // the text is a product and its correction
}

static InstructionMix divided(const char *body) {
    Findings f;
    NestCost *r = nest(arena_printf(c->arena, "local s: f32 copy s = 0.0 %s copy v[256 * b + t] = s", body),
                       &f);
    InstructionMix out = {0};
    mix_add(&out, &r->kernels[0]->mix, 1.0 / (4096 * 8));
    return out;
}

// Counters of loops that are written out are numbers, and straight code divides the same once.
static void numbers(void **state) {
    (void)state;
    // by 2, 1, 2
    InstructionMix m = divided("for y: i32 = -1 .. 2 unroll copy s += w[256 * b + t] / f32(1 + y * y)");
    assert_true(is(m.special, 0) && is(m.fp32, 2 + 3)); // a product less: by 2 twice
    // by 10, 11, 12
    assert_true(is(divided("for y: i32 = 4 .. 7 unroll copy s += w[256 * b + t] / f32(y + 6)").special, 2));
    assert_true(is(divided("for y: i32 = 0 .. 3 unroll copy s += w[256 * b + t] / 10.0").special, 1));
    assert_true(is(divided("for y: i32 = 0 .. 3 unroll copy s += w[256 * b + t + y] / 10.0").special, 3));
}

// Four rows of a thread with their neighbours are six of the first-level cache.
static void rows(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("local s: f32 copy s = 0.0 for y: i32 = 0 .. 4 unroll for z: i32 = 0 .. 3 unroll "
                       "copy s += w[4096 * (y + z) + 256 * b + t] copy v[256 * b + t] = s", &f);
    assert_true(r->times[0].l2_bytes < 1.05 * (6 + 1) * 1024 * 4096);
}

// 32 functions of a warp take the unit two cycles each; the multiply-adds beside them less.
static void special_units(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("local s: f32 copy s = v[256 * b + t] for j: i32 = 0 .. 1000 unroll 8 "
                       "copy s = exp2f.f32(s) copy v[256 * b + t] = s", &f);
    double want = 1000 * ceil(4096.0 / 132) * 8 * 2 / h200->clock * 1e-6,
        have = r->times[0].by[BOUND_SPECIAL];
    assert_true(fabs(have - want) < 0.02 * want);
    assert_true(have > r->times[0].by[BOUND_FP32]);
    Machine slow = *h200;
    slow.sfu = 4;
    assert_true(fabs(model_time(r->kernels[0], &slow, 0, NULL).by[BOUND_SPECIAL] - 4 * have) < 1e-9);
}

// ---- local memory ------------------------------------------------------------------------------------
static void registers_have_no_subscripts(void **state) {
    (void)state;
    Findings f;
    const char *text = "local a[%d]: f32 for k: i32 = 0 .. %d copy a[k] = w[256 * k + t] for r: i32 = 0 .. n "
                       "copy v[256 * b + t] += a[%s] + 1.0";
    NestCost *r = nest(arena_printf(c->arena, text, 16, 16, "fmod(r, 16)"), &f);
    const AccessCost *load = access(r, "a[fmod(r, 16)]", false);
    assert_true(load->local && load->sectors == 4 * load->requests); // one element of all lanes, side by side
    assert_int_equal(r->kernels[0]->local, 64);
    const Finding *x = finding(&f, FIND_LOCAL);
    assert_non_null(x);
    assert_true(x->share > 0.03 && !x->assumed);
    assert_non_null(strstr(x->text, "the private array a (64 bytes a thread) lies in local memory"));
    // Four elements are picked by comparing; numbers and counters of loops that are written out name
    // registers.
    assert_null(finding((nest(arena_printf(c->arena, text, 4, 4, "fmod(r, 4)"), &f), &f), FIND_LOCAL));
    assert_null(finding((nest(arena_printf(c->arena, text, 16, 16, "3"), &f), &f), FIND_LOCAL));
    nest("local a[16]: f32 for k: i32 = 0 .. 16 copy a[k] = w[256 * k + t] for k2: i32 = 0 .. 16 "
         "copy v[256 * b + t] += a[15 - k2]", &f);
    assert_null(finding(&f, FIND_LOCAL));
}

static void elements_of_their_own(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("local a[64]: f32 for k: i32 = 0 .. 64 copy a[k] = w[256 * k + t] for r: i32 = 0 .. n "
                       "copy v[256 * b + t] += a[fmod(r + 8 * t, 64)]", &f);
    const AccessCost *load = access(r, "a[fmod(r + 8 * t, 64)]", false);
    assert_true(load->sectors > 30 * load->requests); // each lane another element, each in a row of its own
    r = nest("local a[64]: f32 for k: i32 = 0 .. 64 copy a[k] = w[256 * k + t] for r: i32 = 0 .. n "
             "copy v[256 * b + t] += a[p[256 * b + t + r]]", &f);
    assert_true(finding(&f, FIND_LOCAL)->assumed);
    assert_true(access(r, "a[p[256 * b + t + r]]", false)->assumed);
    // Of a loop that stays the cure is to write it out.
    nest("local a[64]: f32 for k: i32 = 0 .. 64 unroll 1 copy a[k] = w[256 * k + t] for k2: i32 = 0 .. 64 "
         "copy v[256 * b + t] += a[k2]", &f);
    assert_string_equal(finding(&f, FIND_LOCAL)->cure,
                        "write the loop over k out, so that each element is a register");
}

static void spilled(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("copy v[256 * b + t] = w[256 * b + t]", &f);
    double before = r->times[0].by[BOUND_L1];
    r->kernels[0]->spilled = 400;
    assert_true(model_time(r->kernels[0], h200, 64, NULL).by[BOUND_L1] > 20 * before);
}

// ---- atomics, gathers, cache ----------------------------------------------------------------------------
static void one_word(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("copy w[0] += v[256 * b + t] atomic", &f);
    const Finding *x = finding(&f, FIND_ATOMICS);
    assert_non_null(x);
    assert_true(x->share > 0.3);
    assert_non_null(strstr(x->text, "all threads change one word, w[0]"));
    assert_true(r->times[0].by[BOUND_L2] > 4096 * 8 / h200->clock * 1e-6);
    nest("copy w[256 * b + t] += v[256 * b + t] atomic", &f);
    assert_null(finding(&f, FIND_ATOMICS));
    nest("copy w[p[256 * b + t]] += v[256 * b + t] atomic", &f);
    assert_true(finding(&f, FIND_ATOMICS)->assumed);
}

static void gathers(void **state) {
    (void)state;
    Findings f;
    NestCost *r = nest("copy v[256 * b + t] = w[p[256 * b + t]]", &f);
    const AccessCost *load = access(r, "w[p[256 * b + t]]", false);
    assert_true(load->sectors == 32 * load->requests && load->ideal == 4 * load->requests);
    assert_non_null(strstr(finding(&f, FIND_COALESCING)->text,
                           "the data say where each thread goes: 4 if neighbouring threads ask "
                           "for neighbouring words"));
    // Wherever it is, all lanes ask for the same.
    r = nest("copy v[256 * b + t] = w[p[b]]", &f);
    load = access(r, "w[p[b]]", false);
    assert_true(load->sectors == load->requests);
}

static void hits(void **state) {
    (void)state;
    Findings f;
    nest("local s: f32 copy s = 0.0 for k: i32 = 0 .. 1024 copy s += v[k] * w[4 * (k + t)] "
         "copy v[256 * b + t] = s", &f);
    const Finding *x = finding(&f, FIND_CACHE);
    assert_non_null(x);
    assert_non_null(strstr(x->text, "load w["));
    assert_true(x->share > 0.1 && x->share < 1);
    nest("copy v[256 * b + t] = w[256 * b + t]", &f);
    assert_null(finding(&f, FIND_CACHE));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions), cmocka_unit_test(numbers),
                                       cmocka_unit_test(rows), cmocka_unit_test(special_units),
        cmocka_unit_test(registers_have_no_subscripts),
                                       cmocka_unit_test(elements_of_their_own), cmocka_unit_test(spilled),
                                       cmocka_unit_test(one_word), cmocka_unit_test(gathers),
                                       cmocka_unit_test(hits)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
