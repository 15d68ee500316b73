// SPDX-License-Identifier: MIT
// emit_simd_test.c -- vector loops in C: printed as values of vector types where that can be, and
// computing what the interpreter computes, bit for bit.
#include "build.h"

enum { N = 64 };

// A region with one statement over i, and a nest in which its loop is `lanes` wide.
static char *text_of(Arena *a, const char *type, const char *stmt, int lanes) {
    return arena_printf(a,
                        "sculpt 1\nregion v_1 scop {\n param n: i32 = \"n\"\n param s: %s = \"s\"\n"
                        " array x[?]: %s = \"x\" live\n"
                        " array y[?]: %s = \"y\"\n array z[?]: %s = \"z\"\n do { "
                        "for i: i32 = 0 .. n S0[i] }\n stmt S0[i]: %s\n}\n"
                        "nest \"cpu\" {\n when fmod(n, %d) == 0\n foot x[0 to n - 1] in out exact\n"
                        " foot y[0 to n] in\n"
                        " foot z[0 to n - 1] in\n do { kernel k0 { for ib: i32 = 0 .. fdiv(n, %d) block "
                        "for v: i32 = 0 .. %d vector "
                        "S0[%d * ib + v] } }\n}\n",
                        type, type, type, type, stmt, lanes, lanes, lanes, lanes);
}

typedef union Memory {
    float f[N + 4];
    double d[N + 4];
    int i[N + 4];
} Memory;

static void fill(Memory *m, Type t) {
    unsigned seed = 1;
    for (int array = 0; array < 3; array++)
        for (int k = 0; k < N + 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            double v = (int)(seed >> 16) % 2048 / 256.0 - 4;
            if (t == T_F32) m[array].f[k] = (float)(k % 9 == 4 ? -0.0 : k % 13 == 5 ? NAN : v);
            else if (t == T_F64) m[array].d[k] = k % 9 == 4 ? -0.0 : v;
            else m[array].i[k] = (int)(seed >> 20) - 2048;
        }
}

static const float s_f32 = 1.5f;
static const double s_f64 = 1.5;
static const int s_i32 = 3, count = N;

static void run_c(const char *c_text, Memory *m, Type t) {
    char path[] = "/tmp/sculpt-simd-XXXXXX.so";
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    close(fd);
    FILE *f = popen(arena_printf(arena_new(),
                                 "cc -O2 -march=native -ffp-contract=off -shared -fPIC -w -x c - -o %s -lm",
    path), "w");
    fputs(c_text, f);
    assert_int_equal(pclose(f), 0);
    void *lib = dlopen(path, RTLD_NOW);
    unlink(path);
    assert_non_null(lib);
    void (*kernel)(void *const *, const void *const *) = NULL;
    *(void **)&kernel = dlsym(lib, "k0");
    assert_non_null(kernel);
    void *s = t == T_F32 ? (void *)&s_f32 : t == T_F64 ? (void *)&s_f64 : (void *)&s_i32;
    // In the order of first use: arrays x y z as far as they are there, then n and s.
    kernel((void *[]){&m[0], &m[1], &m[2]}, (const void *[]){&count, s});
    dlclose(lib);
}

typedef struct Row {
    Type t;
    const char *type, *stmt;
    int lanes;
    bool vectors;            // in vector types; else as a loop
} Row;

static const Row rows[] = {
    {T_F32, "f32", "x[i] += y[i + 1] * z[i] fused", 16, true},
    {T_F32, "f32", "x[i] += y[i] * z[i] + 0.0f32 * s", 16, true},
    {T_F32, "f32", "x[i] = fma(y[i], z[i], s)", 8, true},
    {T_F32, "f32", "x[i] min= y[i] + z[i] * s", 16, true},
    {T_F32, "f32", "x[i] max= y[i] - z[i] * s", 4, true},
    {T_F32, "f32", "x[i] = -(y[i] / z[i]) * min(s, y[i] + z[i])", 8, true},
    {T_F64, "f64", "x[i] += y[i] * z[i] + s * 0.0", 8, true},
    {T_F64, "f64", "x[i] = fma(y[i], s, z[i])", 4, true},
    {T_F64, "f64", "x[i] min= max(y[i], z[i]) + s", 8, true},
    {T_I32, "i32", "x[i] += y[i] * z[i] + (s & y[i])", 16, true},
    {T_I32, "i32", "x[i] = y[i] / (z[i] * z[i] + s)", 8, false},
    {T_F32, "f32", "x[i] = y[2 * i - i + 3] + z[i] * s", 8, true},
    {T_F32, "f32", "x[i] = y[fdiv(i, 2)] + z[i] * s", 8, false},
    {T_F32, "f32", "x[i] = sqrtf.f32(y[i]) + z[i] * s", 8, false},
    {T_F32, "f32", "x[i] = y[i] + z[i] * s", 3, false},
};

static void same(const Row *r, const Memory *want, const Memory *have) {
    for (int k = 0; k < N; k++) {
        bool nan = (r->t == T_F32 && isnan(want->f[k]) && isnan(have->f[k])) ||
            (r->t == T_F64 && isnan(want->d[k]) && isnan(have->d[k]));
        size_t size = (size_t)type_size(r->t);
        if (!nan && memcmp((const char *)want + k * size, (const char *)have + k * size, size))
            fail_msg("%s, %d lanes: element %d differs", r->stmt, r->lanes, k);
    }
}

static void lanes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        Compile *c = compile_new();
        IrFile *f = ir_parse(c, "row", text_of(c->arena, r->type, r->stmt, r->lanes));
        if (!f) fail_msg("%s: %s", r->stmt, c->diags.at[0].text);
        const char *text = emit_kernels(c, f->nests[0], &(EmitOptions){.dialect = DIALECT_C});
        assert_non_null(text);
        bool vectors = strstr(text, "vector_size") != NULL;
        if (vectors != r->vectors) fail_msg("%s\n%s", r->stmt, text);
        if (N % r->lanes) {
            compile_free(c);
            continue;
        }
        Memory want[3], have[3];
        fill(want, r->t);
        fill(have, r->t);
        InterpArg objects[3] = {{"x", &want[0]}, {"y", &want[1]}, {"z", &want[2]}};
        InterpVal vals[2] = {{.sym = f->region->params[0], .i = N},
                             {.sym = f->region->params[1], .i = s_i32, .f = s_f64}};
        assert_true(ir_interpret(c->arena, f->region->root, 3, objects, 2, vals, 0));
        run_c(text, have, r->t);
        same(r, want, have);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
