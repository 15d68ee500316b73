// SPDX-License-Identifier: MIT
// emit_kernel_test.c -- kernels in the three dialects: what they look like, that compilers take
// them, and that the C ones compute what the interpreter computes.
#include "build.h"

typedef struct Gemm {
    Builder b;
    Region *r;
    Nest *nest;
} Gemm;

// for i, j (blocks of 16 threads): for k: c[i][j] += a[i][k] * b[k][j]
static Node *mapped(Builder *b, const Sym *const *i, const Sym *n, const Stmt *s) {
    Arena *a = b->a;
    Type t = n->type;
    const Sym *ib = sym(a, "ib", SYM_ITER, t), *it = sym(a, "it", SYM_ITER, t);
    Expr *end = expr_sym(a, n), *zero = expr_int(a, t, 0), *sixteen = expr_int(a, t, 16);
    Expr *blocks = expr_op(a, OP_FDIV, expr_add(a, end, expr_int(a, t, 15)), sixteen, NULL);
    Expr *at[3] = {expr_add(a, expr_mul(a, expr_sym(a, ib), sixteen), expr_sym(a, it)),
                   expr_sym(a, i[1]), expr_sym(a, i[2])};
    Node *k = node_for(a, i[2], zero, end, 1, HOW_SERIAL, node_stmt(a, s, at));
    k = node_if(a, expr_op(a, OP_LT, at[0], end, NULL), k, NULL);
    k = node_for(a, it, zero, sixteen, 1, HOW_THREAD, k);
    k = node_for(a, ib, zero, blocks, 1, HOW_BLOCK, k);
    return node_for(a, i[1], zero, end, 1, HOW_BLOCK, k);
}

// Its counters and its size are of this type.
static Gemm gemm_of(Type t) {
    Gemm g = {0};
    g.b.c = compile_new();
    Arena *a = g.b.a = g.b.c->arena;
    Builder *b = &g.b;
    const Sym *n = param(b, "n", t), *alpha = param(b, "kernel", T_F32);
    const Sym **i = NEW_N(a, const Sym *, 3);
    for (int k = 0; k < 3; k++)
        i[k] = sym(a, (const char *[]){"i", "j", "k"}[k], SYM_ITER, t);
    Expr *size = expr_sym(a, n), *ei = expr_sym(a, i[0]), *ej = expr_sym(a, i[1]),
         *ek = expr_sym(a, i[2]);
    Array *c = array(b, "c", T_F32, 2, list(a, 2, size, size));
    Array *x = array(b, "a", T_F32, 2, list(a, 2, size, size));
    Array *y = array(b, "b", T_F32, 2, list(a, 2, size, size));
    Expr *l = expr_load(a, x, list(a, 2, ei, ek)), *r = expr_load(a, y, list(a, 2, ek, ej));
    l = expr_op(a, OP_MUL, expr_sym(a, alpha), l, NULL);
    Stmt *s = stmt(b, 3, i, c, list(a, 2, ei, ej), OP_ADD, expr_op(a, OP_MUL, l, r, NULL));
    s->fused = true;
    Node *loop = plain(b, s);
    for (int k = 3; k-- > 0;)
        loop = node_for(a, i[k], expr_int(a, t, 0), size, 1, HOW_SERIAL, loop);
    g.r = region(b, node_seq(a, 1, &loop));
    Node *kernel = node_kernel(a, "test_1_k0", mapped(b, i, n, s));
    g.nest = NEW(a, Nest);
    *g.nest = (Nest){.region = g.r, .target = "gpu", .root = node_seq(a, 1, &kernel),
                     .proof = PROOF_PROVED, .recipe = ""};
    g.nest->nfeet = 3;
    g.nest->feet = NEW_N(a, Foot, 3);
    for (int k = 0; k < 3; k++) {
        Expr *zero = expr_int(a, t, 0), *last = expr_sub(a, size, expr_int(a, t, 1));
        g.nest->feet[k] = (Foot){b->arrays.at[k], list(a, 2, zero, zero), list(a, 2, last, last),
                                 true, k == 0, k == 0};
    }
    g.nest->when = expr_op(a, OP_GT, size, expr_int(a, t, 0), NULL);
    return g;
}

static Gemm gemm(void) { return gemm_of(T_I32); }

static char *text_of(Gemm *g, DialectId d) {
    EmitOptions o = {.dialect = d};
    char *s = emit_kernels(g->b.c, g->nest, &o);
    assert_non_null(s);
    return s;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part))
        print_message("%s\ndoes not contain: %s\n", text, part);
    assert_non_null(strstr(text, part));
}

static void kernels_read_well(void **state) {
    (void)state;
    Gemm g = gemm();
    const char *cuda = text_of(&g, DIALECT_CUDA);
    has(cuda, "extern \"C\" __global__ void __launch_bounds__(16) test_1_k0(");
    has(cuda, "(float *__restrict__ c,\n"
        "        const float *__restrict__ a, const float *__restrict__ b, const int n,");
    has(cuda, "const int j = (int)blockIdx.y;");
    has(cuda, "const int it = (int)threadIdx.x;");
    has(cuda, "c[(ib * 16 + it) * n + j] = fmaf(kernel * a[(ib * 16 + it) * n + k], b[k * n + j], "
              "c[(ib * 16 + it) * n + j]); // S0 loop.c:7");
    const char *cl = text_of(&g, DIALECT_OPENCL);
    has(cl, "reqd_work_group_size(16, 1, 1)");
    has(cl, "__global const float *restrict sculpt_p_a, const long sculpt_off_a");
    has(cl, "const float kernel_");
    has(cl, "= fma(kernel_ * a[");
    const char *c = text_of(&g, DIALECT_C);
    // compilers believe restrict of parameters alone: all threads call a function
    has(c, "#pragma omp for collapse(2) schedule(static) nowait");
    has(c, "const float *restrict a,");
    has(c, "#pragma omp parallel\n    sculpt_team_test_1_k0(ptrs[0], ptrs[1], ptrs[2],");
    has(c, "b[(long long)k * (long long)n + (long long)j]"); // a processor has registers of 64 bits
    compile_free(g.b.c);
}

static void wide_indices(void **state) {
    (void)state;
    Gemm g = gemm();
    EmitOptions o = {.dialect = DIALECT_CUDA, .wide = true};
    has(emit_kernels(g.b.c, g.nest, &o), "b[(long long)k * (long long)n + (long long)j]");
    compile_free(g.b.c);
}

// Counters of 64 bits are 32 wide where the printer may: so are bounds, conditions and subscripts.
static void long_counters_are_narrow(void **state) {
    (void)state;
    Gemm g = gemm_of(T_I64);
    const char *cuda = text_of(&g, DIALECT_CUDA), *c = text_of(&g, DIALECT_C);
    has(cuda, "const int j = (int)blockIdx.y;");
    has(cuda, "if (ib * 16 + it < (int)n) {");
    has(cuda, "for (int k = 0; k < (int)n; k++) {");
    has(cuda, "kernel * a[(ib * 16 + it) * (int)n + k], b[k * (int)n + j], c[(ib * 16 + it) * (int)n + j]");
    has(c, "for (long long k = 0LL; k < n; k++)"); // a processor has registers of 64 bits
    EmitOptions o = {.dialect = DIALECT_CUDA, .wide = true};
    has(emit_kernels(g.b.c, g.nest, &o), "for (long long k = 0LL; k < n; k++) {");
    compile_free(g.b.c);
}

static bool there_is(const char *tool) {
    return system(tool) == 0;
}

// Runs a compiler over text in a file with this suffix.
static void compiles(Gemm *g, const char *text, const char *suffix, char **argv, int at) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/sculpt-emit-%d%s", (int)getpid(), suffix);
    assert_true(file_write(path, text, strlen(text)));
    argv[at] = path;
    char *err = NULL;
    int rc = process_run(g->b.a, argv, NULL, &err);
    unlink(path);
    if (rc)
        print_message("%s\n%s\n", text, err);
    assert_int_equal(rc, 0);
}

static void compilers_take_them(void **state) {
    (void)state;
    Gemm g = gemm();
    EmitOptions cuda = {.dialect = DIALECT_CUDA}, cl = {.dialect = DIALECT_OPENCL};
    char *nvcc[] = {"nvcc", "-arch=sm_90", "--fmad=false", "-cubin", "-o", "/dev/null", NULL, NULL};
    char *clang[] = {"clang-19", "-x", "cl", "-Xclang", "-finclude-default-header",
                     "-fsyntax-only", "-Werror", NULL, NULL};
    char *gcc[] = {"gcc", "-Wall", "-Werror", "-x", "c", "-o", "/dev/null", NULL, "-lOpenCL", NULL};
    if (there_is("nvcc --version >/dev/null 2>&1")) {
        compiles(&g, emit_kernels(g.b.c, g.nest, &cuda), ".cu", nvcc, 6);
        compiles(&g, emit_program(g.b.c, g.nest, &cuda), ".cu", nvcc, 6);
    }
    if (there_is("clang-19 --version >/dev/null 2>&1"))
        compiles(&g, emit_kernels(g.b.c, g.nest, &cl), ".cl", clang, 7);
    if (there_is("echo '#include <CL/cl.h>' | gcc -E - >/dev/null 2>&1"))
        compiles(&g, emit_program(g.b.c, g.nest, &cl), ".c", gcc, 7);
    compile_free(g.b.c);
}

// A host loop around the kernel and a temporary array, as a program that runs.
static void program_runs(void **state) {
    (void)state;
    if (!there_is("echo '#include <CL/cl.h>' | gcc -E - >/dev/null 2>&1"))
        skip();
    Gemm g = gemm();
    Arena *a = g.b.a;
    const Sym *t = sym(a, "time", SYM_ITER, T_I32);
    Node *kernel = g.nest->root->kids[0];
    Node *loop = node_for(a, t, expr_int(a, T_I32, 0), expr_int(a, T_I32, 2), 1, HOW_SERIAL, kernel);
    Node *root = node_seq(a, 1, &loop);
    Array *temp = NEW(a, Array);
    *temp = (Array){.name = "temp", .elem = T_F64, .place = PLACE_TEMP, .rank = 1, .object = "temp",
                    .extent = list(a, 1, expr_sym(a, g.r->params[0]), NULL), .stride = 8};
    root->nlocals = 1;
    root->locals = NEW_N(a, const Array *, 1);
    root->locals[0] = temp;
    g.nest->root = root;
    EmitOptions o = {.dialect = DIALECT_OPENCL};
    char *text = emit_program(g.b.c, g.nest, &o), *out = NULL, *err = NULL;
    assert_non_null(text);
    char *path = arena_printf(a, "/tmp/sculpt-program-%d", (int)getpid());
    char *source = arena_printf(a, "%s.c", path);
    assert_true(file_write(source, text, strlen(text)));
    char *cc[] = {"gcc", "-Wall", "-Werror", "-o", path, source, "-lOpenCL", NULL};
    int rc = process_run(a, cc, NULL, &err);
    if (rc)
        print_message("%s\n%s\n", text, err);
    assert_int_equal(rc, 0);
    char *run[] = {path, "33", "0.5", NULL};
    rc = process_run(a, run, &out, &err);
    unlink(path);
    unlink(source);
    if (rc && strstr(err, "OpenCL: error")) // no device here
        skip();
    assert_int_equal(rc, 0);
    has(out, "c                checksum ");
    compile_free(g.b.c);
}

static void c_kernel_computes(void **state) {
    (void)state;
    Gemm g = gemm();
    void *so = build_c(g.b.a, text_of(&g, DIALECT_C));
    void (*fn)(void *const *, const void *const *) = NULL;
    *(void **)&fn = dlsym(so, "test_1_k0");
    assert_non_null(fn);
    enum { N = 19 };
    static float x[N * N], y[N * N], c[2][N * N];
    for (int k = 0; k < N * N; k++) {
        x[k] = (float)(k * 7 % 31) / 3, y[k] = (float)(k * 5 % 29) / 7;
        c[0][k] = c[1][k] = (float)k;
    }
    int n = N;
    float alpha = 1.1f;
    fn((void *[]){c[0], x, y}, (const void *[]){&n, &alpha});
    KernelSig *sig = ir_kernel_sig(g.b.a, g.nest->root->kids[0]);
    assert_string_equal(sig->syms[0]->name, "n");
    InterpArg objects[] = {{"a", x}, {"b", y}, {"c", c[1]}};
    InterpVal vals[] = {{g.r->params[0], N, 0}, {g.r->params[1], 0, alpha}};
    assert_true(ir_interpret(g.b.a, g.r->root, 3, objects, 2, vals, 0));
    assert_memory_equal(c[0], c[1], sizeof c[0]);
    dlclose(so);
    compile_free(g.b.c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_read_well), cmocka_unit_test(wide_indices),
        cmocka_unit_test(long_counters_are_narrow),
        cmocka_unit_test(compilers_take_them), cmocka_unit_test(program_runs),
        cmocka_unit_test(c_kernel_computes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
