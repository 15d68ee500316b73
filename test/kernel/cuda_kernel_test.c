// SPDX-License-Identifier: MIT
// cuda_kernel_test.c -- hand-written kernels: the files of test/kernels with the findings that they announce,
// and what the nests compute, compared with plain C.
#include "dep/written.h"
#include "kernel/kernel.h"
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX_WORDS = 64, TRIPS = 300 };

static KernelNest *read_kernel(Compile *c, const char *file, const char *text) {
    char *words[MAX_WORDS], *copy = arena_strdup(c->arena, text);
    char *rest;
    int n = 0;
    for (char *w = strtok_r(copy, " ", &rest); w &&
         n < MAX_WORDS; w = strtok_r(NULL, " ", &rest)) words[n++] = w;
    KernelWords o;
    const char *why = NULL;
    if (!front_kernel_words(c->arena, n, words, &o, &why)) fail_msg("%s: %s", text, why);
    return front_read_kernel(c, front_kernel_file(c, file, 0, NULL), &o.launch);
}

// ---- the files and their findings ------------------------------------------------------------
typedef struct Run {
    const char *words;
    int nexpected;
    const char *expected[16]; // "error text"
} Run;

static void show_diags(const Compile *c) {
    for (int i = 0; i < c->diags.n; i++) diag_print(stderr, &c->diags.at[i], false);
}

static bool fits(const Diag *d, const char *expected) {
    const char *level = diag_level_name(d->level);
    size_t n = strlen(level);
    return strncmp(expected, level, n) == 0 && strstr(d->text, expected + n + 1);
}

static void check_round_trip(Compile *c, const Nest *n) {
    char *text = arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, n->region),
                              ir_print_nest(c->arena, n));
    IrFile *f = ir_parse(c, "nest", text);
    assert_non_null(f);
    assert_int_equal(f->nnests, 1);
    char *again = arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region),
                               ir_print_nest(c->arena, f->nests[0]));
    assert_string_equal(text, again);
}

// Each diagnostic is expected, and what is expected comes.
static bool run_one(const char *file, const Run *r) {
    Compile *c = compile_new();
    KernelNest *k = read_kernel(c, file, r->words);
    bool ok = true, came[16] = {false};
    if (k) {
        check_round_trip(c, k->nest);
        dep_check_written(c, k->nest, k->written, k->lockstep, NULL);
    }
    for (int i = 0; i < c->diags.n; i++) {
        bool known = c->diags.at[i].code == SC_TOO_HARD;
        for (int e = 0; e < r->nexpected; e++)
            if (fits(&c->diags.at[i], r->expected[e])) known = came[e] = true;
        ok &= known;
    }
    for (int e = 0; e < r->nexpected; e++) ok &= came[e];
    bool refused = !k && r->nexpected == 0;
    if (!ok || refused) {
        fprintf(stderr, "%s: %s\n", file, r->words);
        show_diags(c);
    }
    compile_free(c);
    return ok && !refused;
}

static const char *after(const char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, "// ", 3) == 0 && strncmp(line + 3, word, n) == 0 ? line + 3 + n : NULL;
}

static int check_file(Arena *a, const char *file, int *runs) {
    size_t size;
    char *text = file_read(a, file, &size), *rest;
    int bad = 0;
    Run r = {0};
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *words = after(line, "RUN "), *found[3] = {after(line, "ERROR "), after(line, "WARNING "),
            after(line, "REMARK ")};
        static const char *const levels[] = {"error", "warning", "remark"};
        for (int i = 0; i < 3; i++)
            if (found[i]) r.expected[r.nexpected++] = arena_printf(a, "%s %s", levels[i], found[i]);
        if (!words) continue;
        if (r.words) bad += !run_one(file, &r), ++*runs;
        r = (Run){.words = arena_strdup(a, words)};
    }
    if (r.words) bad += !run_one(file, &r), ++*runs;
    return bad;
}

static void findings_are_those_announced(void **state) {
    (void)state;
    glob_t g;
    Arena *a = arena_new();
    int bad = 0, runs = 0;
    assert_int_equal(glob("test/kernels/*.c[ul]", 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) bad += check_file(a, g.gl_pathv[i], &runs);
    globfree(&g);
    arena_free(a);
    assert_true(runs > 80);
    assert_int_equal(bad, 0);
}

// ---- what nests compute -----------------------------------------------------------------------
typedef struct Arg {
    const char *name;
    void *base;
} Arg;

static void interpret(const char *file, const char *words, int n, const Arg *args) {
    Compile *c = compile_new();
    KernelNest *k = read_kernel(c, file, words);
    if (!k) show_diags(c);
    assert_non_null(k);
    InterpArg objects[16];
    InterpVal vals[16];
    int nvals = 0;
    for (int i = 0; i < n; i++) objects[i] = (InterpArg){args[i].name, args[i].base};
    const Region *r = k->nest->region;
    for (int i = 0; i < r->nparams; i++) { // how often while loops may run; the others are given
        if (strncmp(r->params[i]->name, "trips", 5) != 0) fail_msg("%s: %s is open", words,
            r->params[i]->name);
        vals[nvals++] = (InterpVal){r->params[i], TRIPS, 0};
    }
    assert_true(ir_interpret(c->arena, k->nest->root, n, objects, nvals, vals, 0));
    compile_free(c);
}

static float *random_floats(int n) {
    float *x = malloc(sizeof *x * (size_t)n);
    for (int i = 0; i < n; i++) x[i] = (float)(rand() % 2001 - 1000) / 1000;
    return x;
}

static void assert_close(const float *x, const float *y, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabsf(x[i] - y[i]) <= 1e-4f * (1 + fabsf(y[i])))) fail_msg("element %d: %g, not %g", i, x[i],
            y[i]);
}

// a += b * c, column-major, n by m over p.
static void column_product(const char *words, int n, int m, int p, int pa, int pb, int pc) {
    int na = pa * m, nb = pb * p, nc = pc * m;
    float *a = random_floats(na), *b = random_floats(nb + pb), *c = random_floats(nc),
        *want = malloc(sizeof *want * (size_t)na);
    memcpy(want, a, sizeof *want * (size_t)na);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int k = 0; k < p; k++) sum += b[i + pb * k] * c[k + pc * j];
            want[i + pa * j] += sum;
        }
    interpret("test/kernels/first.cu", words, 3, (Arg[]){{"a", a}, {"b", b}, {"c", c}});
    assert_close(a, want, na);
    free(a), free(b), free(c), free(want);
}

static void products_by_strips_and_tiles(void **state) {
    (void)state;
#define SIZES " --arg pitch_a=64 --arg pitch_b=64 --arg pitch_c=64 --arg n=64 --arg m=64 --arg p=64"
    column_product("--kernel k1 --grid 2,64 --block 32" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel ks --grid 2,64 --block 32" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k2<32> --grid 2,64 --block 32" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k2<64> --grid 1,64 --block 64" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k3 --grid 1,64 --block 32" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k4 --grid 2,32 --block 32" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k5 --grid 4,4 --block 16,16" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel thin --grid 1,4 --block 16,4" SIZES, 64, 64, 64, 64, 64, 64);
    column_product("--kernel k4_edges --grid 2,17 --block 32 --arg pitch_a=50 --arg pitch_b=50 "
                   "--arg pitch_c=45 --arg n=50 "
                   "--arg m=33 --arg p=45", 50, 33, 45, 50, 50, 45);
#undef SIZES
}

static void row_product(const char *file, const char *words, const char *const name[3], int n) {
    float *a = random_floats(n * n), *b = random_floats(n * n), *c = random_floats(n * n),
        *want = malloc(sizeof *want * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            want[i * n + j] = sum;
        }
    interpret(file, words, 3, (Arg[]){{name[0], c}, {name[1], a}, {name[2], b}});
    assert_close(c, want, n * n);
    free(a), free(b), free(c), free(want);
}

static void products_of_the_notes(void **state) {
    (void)state;
    static const char *const small[] = {"c", "a", "b"}, *const large[] = {"C", "A", "B"};
    const char *cu = "test/kernels/notes.cu", *cl = "test/kernels/opencl.cl";
    row_product(cu, "--kernel product --grid 3,3 --block 16,16 --arg n=48", small, 48);
    row_product(cu, "--kernel product --grid 3,3 --block 16,16 --arg n=37", small, 37);
    row_product(cu, "--kernel tiled<16> --grid 3,3 --block 16,16 --arg n=48", small, 48);
    row_product(cu, "--kernel coarse --grid 2,4 --block 16,16 --arg n=64", small, 64);
    row_product(cl, "--kernel matmul_local --grid 3,3 --block 16,16 --arg n=48", large, 48);
    row_product(cl, "--kernel matmul_arg --grid 3,3 --block 16,16 --arg n=48 --arg at=256 --arg bt=256",
                large, 48);
}

// The sum over all that the blocks write is the sum of all that is read.
static void sum(const char *file, const char *words, int n, int blocks) {
    float *in = random_floats(n), *out = random_floats(blocks), want = 0, got = 0;
    interpret(file, words, 2, (Arg[]){{"in", in}, {"out", out}});
    for (int i = 0; i < n; i++) want += in[i];
    for (int i = 0; i < blocks; i++) got += out[i];
    assert_true(fabsf(want - got) < 1e-2f);
    free(in), free(out);
}

static void sums_by_trees(void **state) {
    (void)state;
    const char *cu = "test/kernels/notes.cu";
    sum(cu, "--kernel sum_interleaved --grid 4 --block 256 --arg n=1024", 1024, 4);
    sum(cu, "--kernel sum_strided --grid 4 --block 256 --arg n=1024", 1024, 4);
    sum(cu, "--kernel sum_contiguous --grid 3 --block 256 --arg n=1300 --shared 1024", 1300, 3);
    sum("test/kernels/hard.cu", "--kernel borrowed<float> --grid 2 --block 64 --arg n=100 --shared 256", 100,
        2);
    sum("test/kernels/opencl.cl", "--kernel reduce --grid 4 --block 64 --arg n=1000 --arg scratch=64", 1000,
        4);
}

static void transpose(const char *file, const char *words, int w, int h) {
    float *in = random_floats(w * h), *out = random_floats(w * h),
        *want = malloc(sizeof *want * (size_t)(w * h));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) want[x * h + y] = in[y * w + x];
    interpret(file, words, 2, (Arg[]){{"in", in}, {"out", out}});
    assert_close(out, want, w * h);
    free(in), free(out), free(want);
}

static void transposes(void **state) {
    (void)state;
    const char *cu = "test/kernels/notes.cu";
    transpose(cu, "--kernel transpose_naive --grid 2,3 --block 32,8 --arg width=64 --arg height=96", 64, 96);
    transpose(cu, "--kernel transpose_tiled --grid 2,3 --block 32,8 --arg width=64 --arg height=96", 64, 96);
    transpose("test/kernels/opencl.cl",
              "--kernel transpose --grid 3,4 --block 16,16 --arg w=40 --arg h=60 --arg tile=272", 40, 60);
}

static void scans(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        float *in = random_floats(256), *out = random_floats(256), want[256], at = 0;
        for (int i = 0; i < 256; i++) want[i] = at, at += in[i];
        interpret("test/kernels/notes.cu",
                  which ? "--kernel scan_tree --grid 1 --block 128 --arg n=256 --shared 1024"
                                                 : "--kernel scan_doubling --grid 1 --block 256 "
                                                 "--arg n=256 --shared 2048",
                  2, (Arg[]){{"in", in}, {"out", out}});
        assert_close(out, want, 256);
        free(in), free(out);
    }
}

static void jacobi(const char *file, const char *words, int n, int m) {
    float *a = random_floats(n * m), *b = random_floats(n * m),
        *want = malloc(sizeof *want * (size_t)(n * m));
    memcpy(want, b, sizeof *want * (size_t)(n * m));
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            want[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] +
                                       a[i * n + j + 1]);
    interpret(file, words, 2, (Arg[]){{"a", a}, {"b", b}});
    assert_close(b, want, n * m);
    free(a), free(b), free(want);
}

static void sweeps(void **state) {
    (void)state;
    jacobi("test/kernels/notes.cu", "--kernel jacobi --grid 2,4 --block 32,4 --arg n=60 --arg m=15", 60, 15);
    jacobi("test/kernels/notes.cu", "--kernel jacobi_shared --grid 2,4 --block 32,4 --arg n=66 --arg m=18",
           66, 18);
    jacobi("test/kernels/opencl.cl", "--kernel jacobi --grid 2,4 --block 32,4 --arg n=60 --arg m=15", 60, 15);
}

// ---- kernels of application suites ------------------------------------------------------------------
static void histograms(void **state) {
    (void)state;
    unsigned char data[1000];
    uint32_t bins[256] = {0}, want[256] = {0}, words[1000], few[64] = {0}, less[64] = {0};
    for (int i = 0; i < 1000; i++) data[i] = (unsigned char)rand(), want[data[i]]++,
        words[i] = (uint32_t)rand(), less[words[i] & 63]++;
    interpret("test/kernels/notes.cu", "--kernel histogram --grid 2 --block 64 --arg n=1000", 2,
              (Arg[]){{"bins", bins}, {"data", data}});
    assert_memory_equal(bins, want, sizeof bins);
    interpret("test/kernels/opencl.cl", "--kernel histogram --grid 4 --block 64 --arg n=1000", 2,
              (Arg[]){{"bins", few}, {"data", words}});
    assert_memory_equal(few, less, sizeof few);
}

static void sorting_and_searching(void **state) {
    (void)state;
    uint32_t v[256];
    for (int i = 0; i < 256; i++) v[i] = (uint32_t)rand();
    interpret("test/kernels/suite_irregular.cu", "--kernel bitonic --grid 2 --block 128", 1,
              (Arg[]){{"values", v}});
    for (int i = 1; i < 256; i++)
        if (i != 128) assert_true(v[i - 1] <= v[i]);
    float keys[100], wanted[60];
    int32_t out[60];
    for (int i = 0; i < 100; i++) keys[i] = (float)i * 2;
    for (int i = 0; i < 60; i++) wanted[i] = (float)(i * 3);
    interpret("test/kernels/suite_irregular.cu",
              "--kernel binary_search --grid 1 --block 64 --arg n=100 --arg m=60", 3,
              (Arg[]){{"keys", keys}, {"wanted", wanted}, {"out", out}});
    for (int i = 0; i < 60; i++) assert_int_equal(out[i], (i * 3 + 1) / 2);
}

static void factors_and_fronts(void **state) {
    (void)state;
    enum { N = 16 };
    float *m = random_floats(N * N), want[N * N];
    for (int i = 0; i < N; i++) m[i * N + i] += 8;
    memcpy(want, m, sizeof want);
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            want[i * N + k] /= want[k * N + k];
            for (int j = k + 1; j < N; j++) want[i * N + j] -= want[i * N + k] * want[k * N + j];
        }
    interpret("test/kernels/suite_grid.cu",
              "--kernel lud_diagonal --grid 1 --block 16 --arg matrix_dim=16 --arg offset=0", 1,
    (Arg[]){{"m", m}});
    assert_close(m, want, N * N);
    free(m);
    int32_t ref[17 * 17], got[17 * 17], best[17 * 17];
    for (int i = 0; i < 17 * 17; i++) ref[i] = rand() % 20 - 10,
        got[i] = best[i] = i < 17 ? -10 * i : i % 17 ? 0 : -10 * (i / 17);
    for (int i = 1; i < 17; i++)
        for (int j = 1; j < 17; j++) {
            int x = best[(i - 1) * 17 + j - 1] + ref[i * 17 + j], y = best[i * 17 + j - 1] - 10,
                z = best[(i - 1) * 17 + j] - 10;
            best[i * 17 + j] = x > y ? (x > z ? x : z) : y > z ? y : z;
        }
    interpret("test/kernels/suite_grid.cu",
              "--kernel needle1 --grid 1 --block 16 --arg cols=17 --arg penalty=10 --arg i=1 "
              "--arg block_width=1",
              2, (Arg[]){{"referrence", ref}, {"matrix_cuda", got}});
    assert_memory_equal(got, best, sizeof got);
}

static void sparse_and_graphs(void **state) {
    (void)state;
    enum { N = 50 };
    int32_t row[N + 1], col[N * 4];
    float val[N * 4], *x = random_floats(N), y[N], z[N], want[N];
    row[0] = 0;
    for (int i = 0; i < N; i++) {
        row[i + 1] = row[i] + i % 5;
        want[i] = 0;
        for (int j = row[i]; j < row[i + 1]; j++) col[j] = (i * 7 + j) % N, val[j] = (float)(j % 9) - 4,
            want[i] += val[j] * x[col[j]];
    }
    interpret("test/kernels/suite_irregular.cu", "--kernel csr_scalar --grid 1 --block 64 --arg dim=50", 5,
              (Arg[]){{"val", val}, {"cols", col}, {"rowDelimiters", row}, {"vec", x}, {"out", y}});
    assert_close(y, want, N);
    interpret("test/kernels/opencl.cl", "--kernel spmv --grid 1 --block 64 --arg rows=50", 5,
              (Arg[]){{"val", val}, {"col", col}, {"row", row}, {"x", x}, {"y", z}});
    assert_close(z, want, N);
    free(x);
    int32_t next[64], head[64], n[64];
    for (int i = 0; i < 64; i++) next[i] = i - 1, head[i] = i;
    interpret("test/kernels/suite_irregular.cu", "--kernel walk_list --grid 1 --block 64", 3,
              (Arg[]){{"next", next}, {"head", head}, {"out", n}});
    for (int i = 0; i < 64; i++) assert_int_equal(n[i], i + 1);
}

static void bodies_and_spectra(void **state) {
    (void)state;
    enum { N = 128 };
    float *pos = random_floats(4 * N), acc[2][4 * N] = {{0}}, want[4 * N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float d[3], r = 0.01f;
            for (int k = 0; k < 3; k++) d[k] = pos[4 * j + k] - pos[4 * i + k], r += d[k] * d[k];
            for (int k = 0; k < 3; k++) want[4 * i + k] += d[k] * pos[4 * j + 3] / sqrtf(r * r * r);
        }
    interpret("test/kernels/suite_irregular.cu", "--kernel nbody --grid 1 --block 128 --arg n=128", 2,
              (Arg[]){{"acc", acc[0]}, {"pos", pos}});
    interpret("test/kernels/opencl.cl", "--kernel nbody --grid 2 --block 64 --arg n=128", 2,
              (Arg[]){{"acc", acc[1]}, {"pos", pos}});
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < 4 * N; i++) assert_true(fabsf(acc[w][i] - want[i]) < 0.02f *
                                                    (1 + fabsf(want[i])));
    free(pos);
    float *x = random_floats(2 * N), f[2 * N];
    for (int k = 0; k < N; k++) {
        double re = 0, im = 0;
        for (int j = 0; j < N; j++) {
            double t = -2 * 3.14159265358979 * k * j / N;
            re += x[2 * j] * cos(t) - x[2 * j + 1] * sin(t), im += x[2 * j] * sin(t) + x[2 * j + 1] * cos(t);
        }
        f[2 * k] = (float)re, f[2 * k + 1] = (float)im;
    }
    interpret("test/kernels/suite_irregular.cu", "--kernel fft_radix2 --grid 1 --block 64", 1,
              (Arg[]){{"work", x}});
    for (int i = 0; i < 2 * N; i++) assert_true(fabsf(x[i] - f[i]) < 1e-3f);
    free(x);
}

static void vectors_and_early_ends(void **state) {
    (void)state;
    float *in = random_floats(1024), out[1024];
    interpret("test/kernels/opencl.cl", "--kernel swizzles --grid 4 --block 64", 2,
              (Arg[]){{"in", in}, {"out", out}});
    for (int i = 0; i < 256; i++) {
        const float v[4] = {in[4 * i + 2], in[4 * i + 3], in[4 * i + 1], in[4 * i]};
        for (int k = 0; k < 4; k++) assert_true(out[4 * i + k] == -(fmaxf(v[k], 0.5f) * 2.0f));
    }
    free(in);
    float segments[256], lengths[128];
    for (int i = 0; i < 256; i++) segments[i] = (float)(i * i);
    interpret("test/kernels/hard.cu", "--kernel methods --grid 2 --block 64", 2,
              (Arg[]){{"v", segments}, {"out", lengths}});
    for (int i = 0; i < 128; i++) assert_true(lengths[i] == segments[2 * i + 1] + 2 - (segments[2 * i] + 2) +
                                              (segments[2 * i] + 2));
    int32_t data[100 * 16], found[100];
    for (int i = 0; i < 1600; i++) data[i] = rand() % 14 - 4 + (rand() % 40 == 0) * 100;
    for (int i = 0; i < 100; i++) found[i] = -9;
    interpret("test/kernels/opencl.cl", "--kernel early --grid 2 --block 64 --arg n=100", 2,
              (Arg[]){{"in", data}, {"out", found}});
    for (int i = 0; i < 100; i++) {
        int best = -1, gone = 0;
        for (int k = 0; k < 16 && !gone; k++) {
            if (data[16 * i + k] == 7) { best = k; break; }
            gone = data[16 * i + k] > 100;
        }
        assert_int_equal(found[i], gone ? -9 : best);
    }
}

static void sizes_are_read_to_their_end(void **state) {
    (void)state;
    Compile *c = compile_new();
    KernelWords o;
    const char *why = NULL;
    char *whole[] = {"--shared", "768"}, *product[] = {"--shared", "(128 + 64) * 4"};
    char *less[] = {"--shared", "-1"};
    assert_true(front_kernel_words(c->arena, 2, whole, &o, &why));
    assert_int_equal(o.launch.shared, 768);
    assert_false(front_kernel_words(c->arena, 2, product, &o, &why));
    assert_string_equal(why, "'--shared (128 + 64) * 4' can't be read");
    assert_false(front_kernel_words(c->arena, 2, less, &o, &why));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read_to_their_end),
        cmocka_unit_test(findings_are_those_announced),
        cmocka_unit_test(products_by_strips_and_tiles),
        cmocka_unit_test(products_of_the_notes),
        cmocka_unit_test(sums_by_trees),
        cmocka_unit_test(transposes),
        cmocka_unit_test(scans),
        cmocka_unit_test(sweeps),
        cmocka_unit_test(histograms),
        cmocka_unit_test(sorting_and_searching),
        cmocka_unit_test(factors_and_fronts),
        cmocka_unit_test(sparse_and_graphs),
        cmocka_unit_test(bodies_and_spectra),
        cmocka_unit_test(vectors_and_early_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
