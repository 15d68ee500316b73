// SPDX-License-Identifier: MIT
// emit_feature_test.c -- structs, caches, shared arrays, unrolling, atomics, inspections: the parts
// of the printer that a plain kernel does not reach.
#include "build.h"

static Builder fresh(void) {
    Builder b = {.c = compile_new()};
    b.a = b.c->arena;
    return b;
}

static void has(const char *text, const char *part) {
    if (!text || !strstr(text, part))
        print_message("%s\ndoes not contain: %s\n", text ? text : "(nothing)", part);
    assert_true(text && strstr(text, part));
}

static Expr *lit(Builder *b, int64_t v) {
    return expr_int(b->a, T_I32, v);
}

static const Sym **iters(Builder *b, const char *name) {
    const Sym **i = NEW_N(b->a, const Sym *, 1);
    i[0] = sym(b->a, name, SYM_ITER, T_I32);
    return i;
}

// One kernel: `body` for every i of blocks.
static Nest *nest_of(Builder *b, Node *body) {
    Node *kernel = node_kernel(b->a, "k0", body);
    Nest *n = NEW(b->a, Nest);
    *n = (Nest){.region = region(b, body), .target = "gpu", .root = node_seq(b->a, 1, &kernel),
                .recipe = ""};
    return n;
}

static char *kernels(Builder *b, const Nest *n, DialectId d) {
    EmitOptions o = {.dialect = d};
    return emit_kernels(b->c, n, &o);
}

static void compiles(Builder *b, const Nest *n) {
    static const char *const tool[] = {"nvcc --version >/dev/null 2>&1",
                                       "clang-19 --version >/dev/null 2>&1"};
    for (int d = 0; d < 2; d++) {
        if (system(tool[d]))
            continue;
        char path[64], *err = NULL;
        snprintf(path, sizeof path, "/tmp/sculpt-feature-%d.%s", (int)getpid(), d ? "cl" : "cu");
        char *nvcc[] = {"nvcc", "-arch=sm_90", "--fmad=false", "-cubin", "-o", "/dev/null", path, NULL};
        char *clang[] = {"clang-19", "-x", "cl", "-cl-std=CL1.2", "-Xclang",
                         "-finclude-default-header", "-fsyntax-only", "-Werror", path, NULL};
        char *text = kernels(b, n, d ? DIALECT_OPENCL : DIALECT_CUDA);
        assert_non_null(text);
        assert_true(file_write(path, text, strlen(text)));
        int rc = process_run(b->a, d ? clang : nvcc, NULL, &err);
        unlink(path);
        if (rc)
            print_message("%s\n%s\n", text, err);
        assert_int_equal(rc, 0);
    }
}

static void fields_of_structs(void **state) {
    (void)state;
    Builder b = fresh();
    const Sym *n = param(&b, "n", T_I32), **i = iters(&b, "i");
    Array *x = array(&b, "pts_x", T_F64, 1, list(b.a, 1, expr_sym(b.a, n), NULL));
    Array *id = array(&b, "pts_id", T_I32, 1, x->extent);
    x->object = id->object = "pts";
    x->stride = id->stride = 24;
    id->offset = 16;
    Stmt *s = stmt(&b, 1, i, x, list(b.a, 1, expr_sym(b.a, i[0]), NULL), OP_ADD,
                   expr_cast(b.a, T_F64, load1(&b, id, i[0])));
    Node *loop = node_for(b.a, i[0], lit(&b, 0), expr_sym(b.a, n), 1, HOW_BLOCK, plain(&b, s));
    Nest *nest = nest_of(&b, node_seq(b.a, 1, &loop));
    char *cuda = kernels(&b, nest, DIALECT_CUDA);
    has(cuda, "unsigned char *__restrict__ pts");
    has(cuda, "(*(double *)(pts + 24LL * i)) += (double)(*(int *)(pts + 16 + 24LL * i));");
    has(kernels(&b, nest, DIALECT_OPENCL), "(*(__global double *)(pts + 24L * i))");
    compiles(&b, nest);
    struct { double x, y; int id; } pts[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    void *so = build_c(b.a, kernels(&b, nest, DIALECT_C));
    void (*fn)(void *const *, const void *const *) = NULL;
    *(void **)&fn = dlsym(so, "k0");
    fn((void *[]){pts}, (const void *[]){&(int){3}});
    assert_true(pts[0].x == 4 && pts[1].x == 10 && pts[2].x == 16 && pts[2].y == 8);
    compile_free(b.c);
}

// A row of a is staged in shared memory and read from there at its own subscripts.
static void caches_and_unrolling(void **state) {
    (void)state;
    Builder b = fresh();
    const Sym **i = iters(&b, "i"), *ib = sym(b.a, "ib", SYM_ITER, T_I32),
              *t = sym(b.a, "t", SYM_ITER, T_I32);
    Array *x = array(&b, "x", T_F32, 1, list(b.a, 1, lit(&b, 64), NULL));
    Array *y = array(&b, "y", T_F32, 1, x->extent);
    Array *tile = NEW(b.a, Array);
    *tile = (Array){.name = "tile", .elem = T_F32, .place = PLACE_SHARED, .rank = 1, .stride = 4,
                    .extent = list(b.a, 1, lit(&b, 4), NULL), .of = x};
    Expr *origin = expr_mul(b.a, expr_sym(b.a, ib), lit(&b, 4));
    tile->origin = list(b.a, 1, origin, NULL);
    Expr *at = expr_add(b.a, origin, expr_sym(b.a, t));
    Node *kids[2];
    kids[0] = node_for(b.a, t, lit(&b, 0), lit(&b, 4), 1, HOW_UNROLL,
                       node_copy(b.a, tile, &at, OP_SET, expr_load(b.a, x, &at)));
    Stmt *s = stmt(&b, 1, i, y, list(b.a, 1, expr_sym(b.a, i[0]), NULL), OP_SET, load1(&b, x, i[0]));
    Node *copy = node_stmt(b.a, s, &at);
    copy->nvia = 2;
    copy->via = NEW_N(b.a, const Array *, 2);
    copy->via[1] = tile;
    kids[1] = node_for(b.a, t, lit(&b, 3), lit(&b, -1), -1, HOW_SERIAL, copy);
    Node *seq = node_seq(b.a, 2, kids);
    seq->nlocals = 1;
    seq->locals = NEW_N(b.a, const Array *, 1);
    seq->locals[0] = tile;
    Node *loop = node_for(b.a, ib, lit(&b, 0), lit(&b, 16), 1, HOW_BLOCK, seq);
    Nest *nest = nest_of(&b, node_seq(b.a, 1, &loop));
    has(kernels(&b, nest, DIALECT_CUDA), "__shared__ __align__(16) float tile[4];");
    has(kernels(&b, nest, DIALECT_OPENCL), "__local float tile[4] __attribute__((aligned(16)));");
    has(kernels(&b, nest, DIALECT_CUDA), "x[ib * 4 + 3];");
    compiles(&b, nest);
    float from[64], to[2][64] = {{0}};
    for (int k = 0; k < 64; k++)
        from[k] = (float)k * 1.5f;
    void *so = build_c(b.a, kernels(&b, nest, DIALECT_C));
    void (*fn)(void *const *, const void *const *) = NULL;
    *(void **)&fn = dlsym(so, "k0");
    KernelSig *sig = ir_kernel_sig(b.a, nest->root->kids[0]);
    fn((void *[]){sig->arrays[0] == x ? from : to[0], sig->arrays[0] == x ? to[0] : from}, NULL);
    assert_memory_equal(from, to[0], sizeof from);
    char *whole = emit_nest_c(b.c, nest->region, nest->root, "whole");
    void (*seqfn)(void *const *, const void *) = NULL;
    *(void **)&seqfn = dlsym(build_c(b.a, whole), "whole");
    seqfn((void *[]){from, to[1]}, NULL);
    assert_memory_equal(from, to[1], sizeof from);
    compile_free(b.c);
}

// Constants that threads ask for are no array of each thread's own, which would be local memory.
static void tables(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "f.nest",
                         "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\"\n"
                         "array v[?]: i32 = \"v\" live array by[3]: i32 = \"by\" values (1, -1, 7)\n"
                         "do { for i: i32 = 0 .. n S0[i] @3:5 } stmt S0[i] @3:5: v[i] = by[fmod(i, 3)] }\n"
                         "nest \"gpu\" { when 1 do { kernel k for b: i32 = 0 .. n block S0[b] } }\n");
    assert_non_null(f);
    has(emit_kernels(c, f->nests[0], &(EmitOptions){.dialect = DIALECT_CUDA}),
        "static const int by[3] = {1, -1, 7};");
    compile_free(c);
}

static bool on_floats(Op op) {
    return op != OP_AND && op != OP_OR && op != OP_XOR;
}

// hist_T[key[i] or i & 3] op= w_T[i], atomically: every update on every type, counted by many threads.
// Where data choose the element, the lanes of a warp that share one add up first.
static void every_atomic(void **state) {
    (void)state;
    static const Op ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR};
    Builder b = fresh();
    const Sym **i = iters(&b, "i");
    VEC(Node *) kids = {0};
    Expr **extent = list(b.a, 1, lit(&b, 4096), NULL);
    Array *key = array(&b, "key", T_I32, 1, extent);
    for (Type t = T_I8; t < T_COUNT; t++) {
        Array *w = array(&b, arena_printf(b.a, "w_%s", type_name(t)), t, 1, extent);
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
            if (type_is_float(t) && !on_floats(ops[k]))
                continue;
            Array *h = array(&b, arena_printf(b.a, "h_%s_%d", type_name(t), (int)k), t, 1, extent);
            Expr *bin = k % 2 ? load1(&b, key, i[0])
                              : expr_op(b.a, OP_AND, expr_sym(b.a, i[0]), lit(&b, 3), NULL);
            Stmt *s = stmt(&b, 1, i, h, list(b.a, 1, bin, NULL), ops[k], load1(&b, w, i[0]));
            Node *n = node_clone(b.a, plain(&b, s));
            n->atomic = true;
            vec_push(b.a, &kids, n);
        }
    }
    Node *loop = node_for(b.a, i[0], lit(&b, 0), lit(&b, 4096), 1, HOW_BLOCK,
                          node_seq(b.a, kids.n, kids.at));
    Nest *nest = nest_of(&b, node_seq(b.a, 1, &loop));
    compiles(&b, nest);
    has(kernels(&b, nest, DIALECT_CUDA), "sculpt_join_mul_f32(&h_f32_1[key[i]], w_f32[i]);");
    has(kernels(&b, nest, DIALECT_CUDA), "atomicAdd(&h_f32_0[i & 3], w_f32[i]);");
    void *so = build_c(b.a, kernels(&b, nest, DIALECT_C));
    void (*fn)(void *const *, const void *const *) = NULL;
    *(void **)&fn = dlsym(so, "k0");
    KernelSig *sig = ir_kernel_sig(b.a, nest->root->kids[0]);
    void **mine = NEW_N(b.a, void *, sig->narrays);
    InterpArg *ref = NEW_N(b.a, InterpArg, sig->narrays);
    for (int k = 0; k < sig->narrays; k++) {
        const Array *x = sig->arrays[k];
        size_t size = 4096 * (size_t)type_size(x->elem);
        unsigned char *p = mine[k] = arena_alloc(b.a, size), *q = arena_alloc(b.a, size);
        for (int e = 0; e < 4096; e++) {
            float f = (float)(e % 7 == 0 ? 2 : 1);
            double d = f;
            int64_t v = e % 7 == 0 ? 3 : 1;
            memcpy(p + e * type_size(x->elem),
                   x->elem == T_F32 ? (void *)&f : x->elem == T_F64 ? (void *)&d : (void *)&v,
                   (size_t)type_size(x->elem));
        }
        memcpy(q, p, size);
        ref[k] = (InterpArg){x->name, q};
    }
    fn(mine, NULL);
    assert_true(ir_interpret(b.a, nest->region->root, sig->narrays, ref, 0, NULL, 0));
    for (int k = 0; k < sig->narrays; k++)
        assert_memory_equal(mine[k], ref[k].base, 4096 * (size_t)type_size(sig->arrays[k]->elem));
    compile_free(b.c);
}

// y[i] = x[col[i]]: col's least and greatest values, from inside a user's function.
static void inspections(void **state) {
    (void)state;
    Builder b = fresh();
    Sym *n = param(&b, "n", T_I32);
    n->source = "p->n";
    const Sym **i = iters(&b, "i");
    Sym *lo = param(&b, "x_lo", T_I64), *hi = param(&b, "x_hi", T_I64);
    Sym *differ = param(&b, "x_differ", T_I64);
    lo->source = hi->source = differ->source = NULL;
    Array *col = array(&b, "col", T_I32, 1, list(b.a, 1, expr_sym(b.a, n), NULL));
    col->source = "p->col";
    Expr *value = expr_op(b.a, OP_FDIV, load1(&b, col, i[0]), lit(&b, 3), NULL);
    Node *leaf = node_copy(b.a, NULL, NULL, OP_SET, value);
    Node *loop = node_for(b.a, i[0], lit(&b, 0), expr_sym(b.a, n), 1, HOW_SERIAL, leaf);
    Inspect in = {.array = col, .lo = lo, .hi = hi, .tree = node_seq(b.a, 1, &loop), .differ = differ};
    const Inspect *all[] = {&in};
    Region *r = region(&b, node_seq(b.a, 0, NULL));
    r->ninspects = 1;
    r->inspects = all;
    char *text = emit_inspect(b.c, r);
    assert_non_null(text);
    char *program = arena_printf(
        b.a,
        "struct s { int n; int *col, known; };\n"
        "void user(struct s *p, long long *out);\n"
        "void user(struct s *p, long long *out) {\n"
        "    const int i = 0, sculpt_known = p->known; (void)i;\n    {\n%s"
        "    out[0] = sculpt_x_lo; out[1] = sculpt_x_hi;\n"
        "    out[2] = sculpt_x_differ;\n    }\n}\n", text);
    void (*fn)(void *, long long *) = NULL;
    *(void **)&fn = dlsym(build_c(b.a, program), "user");
    struct { int n; int *col, known; } s = {4, (int[]){5, -4, 7, 0}, 0};
    long long out[3];
    fn(&s, out);
    assert_true(out[0] == -2 && out[1] == 2 && out[2] == 1);
    s.known = 2; // nobody wants to know whether they differ
    fn(&s, out);
    assert_true(out[0] == -2 && out[1] == 2 && out[2] == 0);
    s.known = 0, s.col = (int[]){5, -4, 7, 6};
    fn(&s, out);
    assert_true(out[0] == -2 && out[1] == 2 && out[2] == 0);
    s.col = (int[]){-(1 << 30), 0, 3, 7 << 26};
    fn(&s, out);
    assert_true(out[0] < -(1 << 28) && out[2] == 1);
    s.col = (int[]){-2147483647, 2147483647, 3, 0}; // too far apart for a bitmap
    fn(&s, out);
    assert_true(out[1] == 715827882 && out[2] == 0);
    s.n = 0;
    fn(&s, out);
    assert_true(out[0] == 0 && out[1] == -1 && out[2] == 1);
    compile_free(b.c);
}

static void math_functions(void **state) {
    (void)state;
    static const struct { const char *fn; int n; } fns[] = {
        {"sqrt", 1}, {"exp", 1}, {"pow", 2}, {"fabs", 1}, {"nearbyint", 1}, {"fmod", 2},
        {"erf", 1}, {"hypot", 2}, {"floor", 1}, {"cbrt", 1}, {"tgamma", 1}, {"copysign", 2},
        {"log1p", 1}, {"atan2", 2}, {"fdim", 2}, {"round", 1}, {"trunc", 1}, {"remainder", 2}};
    Builder b = fresh();
    const Sym **i = iters(&b, "i");
    VEC(Node *) kids = {0};
    for (Type t = T_F32; t <= T_F64; t++) {
        Expr **extent = list(b.a, 1, lit(&b, 8), NULL);
        Array *x = array(&b, arena_printf(b.a, "x_%s", type_name(t)), t, 1, extent);
        for (size_t k = 0; k < sizeof fns / sizeof *fns; k++) {
            const char *fn = arena_printf(b.a, "%s%s", fns[k].fn, t == T_F32 ? "f" : "");
            Expr *v = load1(&b, x, i[0]), *args[2] = {v, v};
            Stmt *s = stmt(&b, 1, i, x, list(b.a, 1, expr_sym(b.a, i[0]), NULL), OP_SET,
                           expr_call(b.a, fn, t, fns[k].n, args));
            vec_push(b.a, &kids, plain(&b, s));
        }
    }
    Node *loop = node_for(b.a, i[0], lit(&b, 0), lit(&b, 8), 1, HOW_BLOCK,
                          node_seq(b.a, kids.n, kids.at));
    Nest *nest = nest_of(&b, node_seq(b.a, 1, &loop));
    compiles(&b, nest);
    has(kernels(&b, nest, DIALECT_OPENCL), "= fabs(x_f32[i]);");
    build_c(b.a, kernels(&b, nest, DIALECT_C));
    compile_free(b.c);
}

static void unknown_functions_are_refused(void **state) {
    (void)state;
    Builder b = fresh();
    const Sym **i = iters(&b, "i");
    Array *x = array(&b, "x", T_F32, 1, list(b.a, 1, lit(&b, 8), NULL));
    Expr *v = load1(&b, x, i[0]);
    Stmt *s = stmt(&b, 1, i, x, list(b.a, 1, expr_sym(b.a, i[0]), NULL), OP_SET,
                   expr_call(b.a, "frobnicate", T_F32, 1, &v));
    Node *loop = node_for(b.a, i[0], lit(&b, 0), lit(&b, 8), 1, HOW_BLOCK, plain(&b, s));
    Nest *nest = nest_of(&b, node_seq(b.a, 1, &loop));
    assert_null(kernels(&b, nest, DIALECT_CUDA));
    assert_int_equal(b.c->diags.n, 1);
    assert_int_equal(b.c->diags.at[0].code, SC_CALL);
    assert_int_equal(b.c->diags.at[0].loc.line, 7);
    compile_free(b.c);
}

static void host_expressions(void **state) {
    (void)state;
    Builder b = fresh();
    Expr *n = expr_sym(b.a, param(&b, "n", T_I32)), *m = expr_sym(b.a, param(&b, "m", T_I32));
    Expr *x = expr_op(b.a, OP_LOR, expr_op(b.a, OP_LE, n, lit(&b, 0), NULL),
                      expr_op(b.a, OP_GT, m, lit(&b, 3), NULL), NULL);
    assert_string_equal(emit_expr_c(b.a, x), "n <= 0 || m > 3");
    x = expr_op(b.a, OP_SUB, n, expr_op(b.a, OP_SUB, m, n, NULL), NULL);
    assert_string_equal(emit_expr_c(b.a, x), "n - (m - n)");
    x = expr_op(b.a, OP_NEG, expr_op(b.a, OP_NEG, n, NULL, NULL), NULL, NULL);
    void *so = build_c(b.a, arena_printf(b.a, "int f(int n) { return %s; }\n", emit_expr_c(b.a, x)));
    assert_non_null(so);
    compile_free(b.c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_structs), cmocka_unit_test(caches_and_unrolling),
        cmocka_unit_test(tables), cmocka_unit_test(every_atomic), cmocka_unit_test(inspections),
        cmocka_unit_test(math_functions), cmocka_unit_test(unknown_functions_are_refused),
        cmocka_unit_test(host_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
