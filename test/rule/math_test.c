// SPDX-License-Identifier: MIT
// math_test.c -- rule math: what each form is printed as, that values stay near, and that forms stay with
// their statements whatever other rules do.
#include "emit/emit.h"
#include "follow.h"
#include <math.h>

// y[i] = VALUE of two single numbers.
#define REGION(permission, value)                                                               \
    "sculpt 1 region one sculpt " permission " { param n: i32 = \"n\" array u[n]: f32 = \"u\" " \
    "array v[n]: f32 = \"v\" "                                                                  \
    "array y[n]: f32 = \"y\" live do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: y[i] = " value " }"

static char *printed(Compile *c, const Nest *n, DialectId d) {
    EmitOptions o = {.dialect = d};
    char *text = emit_kernels(c, n, &o);
    if (!text) fail_msg("%s", last_diag(c));
    return text;
}

static void expect(const char *text, const char *want, const char *of) {
    if (!strstr(text, want)) fail_msg("%s: no '%s' in\n%s", of, want, text);
}

// Without the casts to 64 bits that subscripts on a processor have.
static char *with_plain_subscripts(char *text) {
    static const char cast[] = "(long long)";
    for (char *s = text; (s = strstr(s, cast));) memmove(s, s + strlen(cast), strlen(s + strlen(cast)) + 1);
    return text;
}

static void words(void **state) {
    (void)state;
    static const struct {
        const char *value, *forms, *cuda, *opencl, *c;
    } rows[] = {
        {"u[i] / sqrtf.f32(v[i])", "rsqrt", "y[i] = u[i] * rsqrtf(v[i]);", "u[i] * rsqrt(v[i]);",
         "u[i] / sqrtf(v[i]);"},
        {"1.0 / sqrtf.f32(v[i])", "all", "y[i] = rsqrtf(v[i]);", "= rsqrt(v[i]);", "1.0f / sqrtf(v[i]);"},
        {"u[i] / (v[i] * sqrtf.f32(v[i]))", "rsqrt", "u[i] / v[i] * rsqrtf(v[i]);",
         "u[i] / v[i] * rsqrt(v[i]);", "u[i] / (v[i] * sqrtf(v[i]));"},
        {"u[i] / (sqrtf.f32(v[i]) * u[i])", "rsqrt divide", "__fdividef(u[i] * rsqrtf(v[i]), u[i]);",
         "native_divide(u[i] * rsqrt(v[i]), u[i]);",
         "u[i] / (sqrtf(v[i]) * u[i]);"},
        {"sqrtf.f32(1.0 / sqrtf.f32(u[i])) + sqrtf.f32(v[i])", "rsqrt sqrt",
         "sculpt_sqrt(rsqrtf(u[i])) + sculpt_sqrt(v[i]);",
         "native_sqrt(rsqrt(u[i])) + native_sqrt(v[i]);", "sqrtf(1.0f / sqrtf(u[i])) + sqrtf(v[i]);"},
        {"expf.f32(u[i]) * exp2f.f32(v[i])", "exp", "__expf(u[i]) * sculpt_exp2(v[i]);",
         "native_exp(u[i]) * native_exp2(v[i]);", "expf(u[i]) * exp2f(v[i]);"},
        {"logf.f32(u[i]) + log10f.f32(v[i])", "log", "__logf(u[i]) + __log10f(v[i]);",
         "native_log(u[i]) + native_log10(v[i]);", "logf(u[i]) + log10f(v[i]);"},
        {"sinf.f32(u[i]) - cosf.f32(v[i])", "trig", "__sinf(u[i]) - __cosf(v[i]);",
         "native_sin(u[i]) - native_cos(v[i]);", "sinf(u[i]) - cosf(v[i]);"},
        {"powf.f32(u[i], v[i])", "pow", "__powf(u[i], v[i]);", "pow(u[i], v[i]);", "powf(u[i], v[i]);"},
        {"u[i] / v[i]", "reciprocal", "u[i] * (1.0f / v[i]);", "u[i] * (1.0f / v[i]);",
         "u[i] * (1.0f / v[i]);"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Compile *c = compile_new();
        char *region = arena_printf(c->arena, REGION("approximate", "%s"), rows[k].value);
        Nest *n = follow(c, start_of(c, region), arena_printf(c->arena, "map block i\nmath %s at=S0\n",
            rows[k].forms), JUDGE_LAST);
        if (!n) fail_msg("%s: %s", rows[k].value, last_diag(c));
        assert_true(n->proof == PROOF_PROVED);
        check_text(c, n);
        expect(printed(c, n, DIALECT_CUDA), rows[k].cuda, rows[k].value);
        expect(printed(c, n, DIALECT_OPENCL), rows[k].opencl, rows[k].value);
        expect(with_plain_subscripts(printed(c, n, DIALECT_C)), rows[k].c, rows[k].value);
        assert_null(strstr(printed(c, n, DIALECT_CUDA), "options:")); // nothing is said for the whole program
        compile_free(c);
    }
}

// ---- values -----------------------------------------------------------------------------------
enum { N = 1000 };

static void run(Compile *c, const char *value, const char *forms, float *y) {
    Nest *n = follow(c, start_of(c, arena_printf(c->arena, REGION("approximate", "%s"), value)),
                     arena_printf(c->arena, "map block i\nmath %s\n", forms), JUDGE_NONE);
    if (!n) fail_msg("%s", last_diag(c));
    float u[N], v[N];
    for (int i = 0; i < N; i++) u[i] = (float)(i - 300) / 7, v[i] = 0.01f + (float)(i * i % 1013) / 3;
    InterpArg objects[] = {{"u", u}, {"v", v}, {"y", y}};
    InterpVal vals[] = {{n->region->params[0], N, 0}};
    assert_true(ir_interpret(c->arena, n->root, 3, objects, 1, vals, 0));
}

// A reciprocal is rounded twice; the functions have the values of those that they stand for.
static void values(void **state) {
    (void)state;
    Compile *c = compile_new();
    float plain[N], other[N];
    int differ = 0;
    run(c, "u[i] / v[i] * expf.f32(0.0 - v[i] / 100.0)", "exp", plain);
    run(c, "u[i] / v[i] * expf.f32(0.0 - v[i] / 100.0)", "exp divide", other);
    assert_memory_equal(plain, other, sizeof plain);
    run(c, "u[i] / v[i]", "divide", plain);
    run(c, "u[i] / v[i]", "reciprocal", other);
    for (int i = 0; i < N; i++) {
        differ += plain[i] != other[i];
        assert_true(fabsf(plain[i] - other[i]) <= 2.4e-7f * fabsf(plain[i])); // 2 units in the last place
    }
    assert_true(differ > N / 20);
    compile_free(c);
}

// ---- permission -------------------------------------------------------------------------------
static void permission(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n = follow(c, start_of(c, REGION("approximate", "expf.f32(u[i])")), "map block i\nmath exp\n",
                     JUDGE_LAST);
    assert_non_null(n);
    // A nest's text can't bring forms that its region does not permit.
    const char *nest = ir_print_nest(c->arena, n);
    assert_non_null(ir_parse(c, "with", arena_printf(c->arena, "%s %s",
                                                     REGION("approximate", "expf.f32(u[i])"), nest)));
    IrFile *f = ir_parse(c, "without", arena_printf(c->arena, "%s %s", REGION("", "expf.f32(u[i])"), nest));
    assert_true(!f || !ir_verify_nest(c, f->nests[0]));
    if (!strstr(last_diag(c), "nobody permitted")) fail_msg("%s", last_diag(c));
    assert_null(follow(c, start_of(c, REGION("", "expf.f32(u[i])")), "math exp\n", JUDGE_NONE));
    if (!strstr(last_diag(c), "--permit approximate")) fail_msg("%s", last_diag(c));
    // A division by a power of two is exact either way.
    assert_non_null(follow(c, start_of(c, REGION("", "u[i] / 8.0")), "math reciprocal\n", JUDGE_LAST));
    assert_null(follow(c, start_of(c, REGION("", "u[i] / 6.0")), "math reciprocal\n", JUDGE_NONE));
    compile_free(c);
}

// ---- other rules ------------------------------------------------------------------------------
#define FORCES                                                                                              \
    "sculpt 1 region forces sculpt reassociate approximate { param n: i32 = \"n\" array x[n]: f32 = \"x\" " \
    "array m[n]: f32 = \"m\" "                                                                              \
    "array f[n]: f32 = \"f\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "                 \
    "stmt S0[i, j]: f[i] += m[j] / sqrtf.f32((x[i] - x[j]) * (x[i] - x[j]) + 0.01) }"

typedef struct Count {
    int all, formed;
} Count;

static void count(Node *n, void *arg) {
    Count *x = arg;
    x->all += n->kind == N_STMT;
    x->formed += n->kind == N_STMT && n->forms == FORM_RSQRT;
}

static void other_rules(void **state) {
    (void)state;
    static const char *const after[] = {
        "strip i by=64 as=ib,it\nmap block ib\nmap thread it\nunroll j by=4\n",
        "strip i by=64 as=ib,it\nstrip j by=32 as=jt,jj\ninterchange ib jt it jj\nmap block ib\n"
        "map thread it\nstage x at=jt\n",
        "strip i by=8 as=ib,it\njam ib by=2\n",
        "hoist f at=j as=acc\nmap block i\n",
        "peel j first=1\n",
    };
    int whole = 0;
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, FORCES), "math rsqrt\n", JUDGE_NONE);
        assert_non_null(n);
        Nest *then = follow(c, n, after[k], JUDGE_NONE);
        if (then) {
            Count x = {0, 0};
            node_walk(then->root, count, &x);
            if (!x.all || x.formed != x.all) fail_msg("%d of %d statements have their form after\n%s",
                                                      x.formed, x.all, after[k]);
            whole++;
        } else print_message("%s: %s", after[k], last_diag(c));
        compile_free(c);
    }
    assert_true(whole >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(values),
                                       cmocka_unit_test(permission),
                                       cmocka_unit_test(other_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
