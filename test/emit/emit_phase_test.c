// SPDX-License-Identifier: MIT
// emit_phase_test.c -- kernels that work in phases: the nests in nests/*.nest, interpreted, on the
// CPU, through OpenCL, and through NVIDIA's compiler.
//
// Every element's sum is taken in the region's own order, so all results agree bit for bit.
#include "build.h"
#include "device/cuda_nvrtc.h"
#include "device/device.h"
#include "dep/dep.h"

enum { MARGIN = 64, MOST = 80000 }; // elements around and in an array

typedef struct Case {
    Compile *c;
    const Region *r;
    const Nest *nest;
    InterpVal vals[16];
    int nvals;
    size_t elements[4];  // of each array of the region
    float *memory[4];    // MARGIN + elements + MARGIN
} Case;

static char *nest_text(Compile *c, const char *name) {
    size_t size;
    char *path = arena_printf(c->arena, "test/emit/nests/%s.nest", name);
    char *text = file_read(c->arena, path, &size);
    if (!text)
        fail_msg("%s can't be read", path);
    return arena_strndup(c->arena, text, size);
}

static Case open_text(Compile *c, const char *name, const char *text) {
    IrFile *f = ir_parse(c, name, text);
    if (!f)
        fail_msg("%s:%d: %s", name, c->diags.at[0].loc.line, c->diags.at[0].text);
    return (Case){.c = c, .r = f->region, .nest = f->nests[0]};
}

static Case open_case(const char *name) {
    Compile *c = compile_new();
    return open_text(c, name, nest_text(c, name));
}

static void set(Case *t, const char *name, int64_t v) {
    for (int k = 0; k < t->r->nparams; k++)
        if (str_eq(t->r->params[k]->name, name))
            t->vals[t->nvals++] = (InterpVal){.sym = t->r->params[k], .i = v};
}

static bool holds(Case *t) {
    int64_t v;
    for (int k = 0; k < t->nest->nfacts; k++)
        t->vals[t->nvals++] = (InterpVal){.sym = t->nest->facts[k].sym};
    return !t->nest->when || (ir_eval(t->nest->when, t->nvals, t->vals, &v) && v);
}

// The same values each time.
static void fill(Case *t) {
    unsigned seed = 1;
    for (int k = 0; k < t->r->narrays; k++) {
        int64_t hi, width;
        const Array *x = t->r->arrays[k];
        assert_true(ir_eval(t->nest->feet[k].hi[0], t->nvals, t->vals, &hi));
        assert_true(ir_eval(x->extent[1], t->nvals, t->vals, &width));
        t->elements[k] = (size_t)((hi + 2) * width);
        assert_true(t->elements[k] < MOST);
        t->memory[k] = NEW_N(t->c->arena, float, t->elements[k] + 2 * MARGIN);
        for (size_t i = 0; i < t->elements[k] + 2 * MARGIN; i++) {
            seed = seed * 1664525 + 1013904223;
            t->memory[k][i] = (float)(seed >> 9) / 1048576 - 4;
        }
    }
}

static float *copy_of(Case *t, int k) {
    size_t n = t->elements[k] + 2 * MARGIN;
    float *x = NEW_N(t->c->arena, float, n);
    memcpy(x, t->memory[k], n * sizeof *x);
    return x;
}

// The first array (the only one written) after a run of `root` by the interpreter.
static float *interpreted(Case *t, Node *root) {
    InterpArg objects[4];
    float *out = copy_of(t, 0);
    for (int k = 0; k < t->r->narrays; k++)
        objects[k] = (InterpArg){t->r->arrays[k]->object, (k ? t->memory[k] : out) + MARGIN};
    Arena *scratch = arena_new();
    assert_true(ir_interpret(scratch, root, t->r->narrays, objects, t->nvals, t->vals, 0));
    arena_free(scratch);
    return out;
}

static void same(Case *t, const float *want, const float *have, const char *what) {
    for (size_t i = 0; i < t->elements[0] + 2 * MARGIN; i++)
        if (memcmp(&want[i], &have[i], sizeof *want))
            fail_msg("%s, element %ld: %.9g, not %.9g", what, (long)i - MARGIN, have[i], want[i]);
}

// ---- on a device ---------------------------------------------------------------------------

static int index_of(const Case *t, const Array *x) {
    int k = 0;
    while (t->r->arrays[k] != x)
        k++;
    return k;
}

static void start(Case *t, Device *d, Module *m, const Node *kernel, const DevPtr *memory) {
    KernelSig *sig = ir_kernel_sig(t->c->arena, kernel);
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    assert_true(g.phases);
    int64_t grid[3] = {1, 1, 1}, offset[4], hi;
    int block[3] = {(int)g.threads, 1, 1}, sizes[16];
    DevPtr ptr[4];
    const void *vals[16];
    for (int k = 0; k < g.nblock; k++) {
        assert_true(ir_eval(g.block[k]->hi, t->nvals, t->vals, &hi));
        grid[k] = hi;
    }
    for (int k = 0; k < sig->narrays; k++) {
        ptr[k] = memory[index_of(t, sig->arrays[k])];
        offset[k] = MARGIN * (int64_t)sizeof(float);
    }
    for (int k = 0; k < sig->nsyms; k++)
        for (int i = 0; i < t->nvals; i++)
            if (t->vals[i].sym == sig->syms[k])
                vals[k] = &t->vals[i].i, sizes[k] = type_size(sig->syms[k]->type);
    int64_t shared = str_eq(d->ops->info(d)->dialect, "cuda")
                         ? emit_launch_shared(t->c->arena, kernel, DIALECT_CUDA) : 0;
    KernelCall call = {.module = m, .name = kernel->name, .shared = shared, .nptrs = sig->narrays,
                       .ptrs = ptr,
                       .offsets = offset, .nvals = sig->nsyms, .vals = vals, .sizes = sizes};
    memcpy(call.grid, grid, sizeof call.grid);
    memcpy(call.block, block, sizeof call.block);
    if (!d->ops->launch(d, &call)) fail_msg("%s", d->error);
}

static float *on_device(Case *t, Device *d, Module *m) {
    DevPtr memory[4];
    size_t bytes[4];
    float *out = copy_of(t, 0);
    for (int k = 0; k < t->r->narrays; k++) {
        bytes[k] = (t->elements[k] + 2 * MARGIN) * sizeof(float);
        memory[k] = d->ops->alloc(d, bytes[k]);
        assert_true(memory[k] && d->ops->upload(d, memory[k], 0, t->memory[k], bytes[k]));
    }
    for (int k = 0; k < t->nest->root->nkids; k++)
        start(t, d, m, t->nest->root->kids[k], memory);
    assert_true(d->ops->sync(d));
    assert_true(d->ops->download(d, out, memory[0], 0, bytes[0]));
    for (int k = 0; k < t->r->narrays; k++)
        d->ops->free(d, memory[k]);
    return out;
}

static Module *build(Case *t, Device *d, bool wide) {
    const char *dialect = d->ops->info(d)->dialect;
    EmitOptions o = {.wide = wide, .dialect = str_eq(dialect, "c")      ? DIALECT_C
                                              : str_eq(dialect, "cuda") ? DIALECT_CUDA
                                                                        : DIALECT_OPENCL};
    char *text = emit_kernels(t->c, t->nest, &o), *log = NULL;
    void *image;
    size_t size;
    assert_non_null(text);
    if (!d->ops->compile(d, t->c->arena, text, &image, &size, &log))
        fail_msg("%s\n%s", text, log);
    Module *m = d->ops->load(d, t->c->arena, image, size);
    if (!m)
        fail_msg("%s", d->error);
    return m;
}

static void set_sizes(Case *t, const int size[3]) {
    t->nvals = 0;
    set(t, "n", size[0]);
    set(t, "m", size[1]);
    set(t, "p", size[2]);
    set(t, "pa", size[0] + 3);
    set(t, "pb", (size[0] + 7) / 4 * 4);
    set(t, "pc", size[2] + 1);
    if (!holds(t))
        fail_msg("size %d %d %d does not fit", size[0], size[1], size[2]);
    fill(t);
}

// n, m, p; the widths of rows are a little larger.
static void run_sizes(const char *name, const char *spec, const int (*size)[3], int count) {
    Case t = open_case(name);
    Arena *a = arena_new();
    const char *why = NULL;
    Device *d = device_open(a, spec, &why);
    if (!d) {
        print_message("%s: %s\n", spec, why);
        arena_free(a);
        compile_free(t.c);
        return;
    }
    Module *m[2] = {build(&t, d, false), count > 1 ? build(&t, d, true) : NULL};
    for (int k = 0; k < count; k++) {
        set_sizes(&t, size[k]);
        float *want = interpreted(&t, t.r->root);
        same(&t, want, interpreted(&t, t.nest->root), "the nest, interpreted");
        same(&t, want, on_device(&t, d, m[k % 2]), d->ops->info(d)->spec);
    }
    compile_free(t.c); // the modules, before their device
    arena_free(a);
}

static const char *const specs[] = {"cpu", "opencl", "cuda"};
#define ON_ALL(name, sizes)                                                                        \
    for (int s = 0; s < 3; s++)                                                                    \
    run_sizes(name, specs[s], sizes, sizeof sizes / sizeof *sizes)

static void single_copies(void **state) {
    (void)state;
    static const int size[][3] = {{1, 1, 1}, {15, 16, 4}, {16, 16, 8}, {17, 33, 3}, {31, 15, 13},
                                  {48, 7, 21}, {5, 50, 26}};
    ON_ALL("gemm_small", size);
}

static void vector_copies(void **state) {
    (void)state;
    static const int size[][3] = {{16, 1, 1}, {16, 17, 4}, {48, 16, 15}, {32, 33, 10}, {80, 5, 7}};
    ON_ALL("gemm_vector", size);
}

static void large_tiles(void **state) {
    (void)state;
    static const int size[][3] = {{128, 9, 66}};
    ON_ALL("gemm_128", size);
}

static void uneven_boxes(void **state) {
    (void)state;
    static const int size[][3] = {{3, 4, 0}, {16, 12, 0}, {17, 14, 0}, {35, 50, 0}, {50, 26, 0}};
    ON_ALL("stencil", size);
}

static void one_thread(void **state) {
    (void)state;
    static const int size[][3] = {{1, 8, 0}, {33, 8, 0}};
    ON_ALL("one_thread", size);
}

// The whole nest as one sequential function.
static void as_plain_c(void **state) {
    (void)state;
    static const char *const name[] = {"gemm_small", "gemm_vector", "stencil"};
    for (int i = 0; i < 3; i++) {
        Case t = open_case(name[i]);
        char *text = emit_nest_c(t.c, t.r, t.nest->root, "whole");
        assert_non_null(text);
        void (*fn)(void *const *, const void *) = NULL;
        *(void **)&fn = dlsym(build_c(t.c->arena, text), "whole");
        set_sizes(&t, (const int[3]){16, 18, 11});
        void *objects[4] = {copy_of(&t, 0)};
        float *out = objects[0];
        int64_t params[16]; // sculpt_arg: eight bytes each
        for (int k = 0; k < t.r->narrays; k++)
            objects[k] = (k ? t.memory[k] : out) + MARGIN;
        for (int k = 0; k < t.r->nparams; k++)
            for (int v = 0; v < t.nvals; v++)
                if (t.vals[v].sym == t.r->params[k])
                    params[k] = t.vals[v].i;
        fn(objects, params);
        same(&t, interpreted(&t, t.r->root), out, name[i]);
        compile_free(t.c);
    }
}

// ---- the text -------------------------------------------------------------------------------

static void has(const char *text, const char *part) {
    if (!strstr(text, part))
        print_message("%s\ndoes not contain: %s\n", text, part);
    assert_non_null(strstr(text, part));
}

static void reads_well(void **state) {
    (void)state;
    Case t = open_case("gemm_128");
    EmitOptions o = {.dialect = DIALECT_CUDA};
    const char *cuda = emit_kernels(t.c, t.nest, &o);
    has(cuda, "__launch_bounds__(256, 2) k0(");
    has(cuda, "float (&sc)[3][16][132] = *(float (*)[3][16][132])(sculpt_shared + 24576);");
    has(cuda, "const int wi = tid / 32 % 2;");
    has(cuda, "float acc[2][4][2][4];");
    has(cuda, "sculpt_async_16(&sb[0][ck][4 * ci], &b[ck * pb + (128 * ib + 4 * ci)]);");
    has(cuda, "const float4 sculpt_v0 = *(const float4 *)&sb[");
    has(cuda, "        sculpt_async_commit();\n");
    has(cuda, "sculpt_async_wait_1();\n        __syncthreads();");
    assert_int_equal(emit_launch_shared(t.c->arena, t.nest->root->kids[0], DIALECT_CUDA), 49920);
    assert_int_equal(emit_launch_shared(t.c->arena, t.nest->root->kids[0], DIALECT_OPENCL), 0);
    o.dialect = DIALECT_OPENCL;
    const char *cl = emit_kernels(t.c, t.nest, &o);
    has(cl, "__local float sb[3][16][128] __attribute__((aligned(16)));");
    has(cl, "*(__local float4 *)&sb[0][ck][4 * ci] = *(__global const float4 *)&b[");
    has(cl, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    compile_free(t.c);
}

// The calls of an asynchronous copy, its groups and their ends, in the order of the text.
static char *groups_of(Case *t) {
    EmitOptions o = {.dialect = DIALECT_CUDA};
    const char *s = emit_kernels(t->c, t->nest, &o);
    Text calls = text_new(t->c->arena);
    for (s = strstr(s, "__global__"); (s = strstr(s, "sculpt_async_")); s++)
        text_printf(&calls, "%.*s ", (int)strcspn(s, "("), s);
    return arena_strdup(t->c->arena, text_str(&calls));
}

// A condition around all phases is around the groups too: each is ended inside.
static void phases_in_a_condition(void **state) {
    (void)state;
    Case plain = open_case("gemm_small");
    Compile *c = compile_new();
    char *text = nest_text(c, "gemm_small");
    char *first = strstr(text, "for wj: i32"), *last = strstr(text, "\n            }\n        }\n");
    assert_non_null(first);
    assert_non_null(last);
    Text t = text_new(c->arena);
    text_putn(&t, text, (size_t)(first - text));
    text_put(&t, "if (16*jb < m) { ");
    text_putn(&t, first, (size_t)(last - first));
    text_printf(&t, " }%s", last);
    Case inside = open_text(c, "inside", text_str(&t));
    char *want = groups_of(&plain);
    has(want, "sculpt_async_commit sculpt_async_wait_");
    assert_string_equal(groups_of(&inside), want);
    compile_free(plain.c);
    compile_free(c);
}

static long number_after(const char *text, const char *word, bool before) {
    const char *at = text ? strstr(text, word) : NULL;
    if (!at)
        fail_msg("%s\nhas no %s", text, word);
    if (!before)
        return strtol(at + strlen(word), NULL, 10);
    while (at > text && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')))
        at--;
    return strtol(at, NULL, 10);
}

// Accumulators and fragments end up in registers, two blocks a multiprocessor.
static void fits_in_registers(void **state) {
    (void)state;
    if (system("nvcc --version >/dev/null 2>&1"))
        skip();
    Case t = open_case("gemm_128");
    EmitOptions o = {.dialect = DIALECT_CUDA};
    char *text = emit_kernels(t.c, t.nest, &o), *err = NULL;
    char *path = arena_printf(t.c->arena, "/tmp/sculpt-phase-%d.cu", (int)getpid());
    assert_true(file_write(path, text, strlen(text)));
    char *nvcc[] = {"nvcc", "-arch=sm_90", "--fmad=false", "-Xptxas", "-v", "-cubin", "-o",
                    "/dev/null", path, NULL};
    int rc = process_run(t.c->arena, nvcc, NULL, &err);
    unlink(path);
    if (rc)
        print_message("%s\n%s\n", text, err);
    assert_int_equal(rc, 0);
    assert_true(number_after(err, "Used ", false) <= 128);
    assert_int_equal(number_after(err, " bytes spill stores", true), 0);
    assert_int_equal(number_after(err, " bytes stack frame", true), 0);
    compile_free(t.c);
}

// The compiler that runs beside the program takes the text without any header, also for
// machines that have no asynchronous copies.
static void runtime_compiler_takes_it(void **state) {
    (void)state;
    Case t = open_case("gemm_128");
    Arena *a = t.c->arena;
    Nvrtc *n = nvrtc_find(a, 0);
    if (n) {
        EmitOptions o = {.dialect = DIALECT_CUDA};
        char *text = emit_kernels(t.c, t.nest, &o), *log = "";
        void *image;
        size_t size;
        if (!nvrtc_compile(a, n, 90, text, &image, &size, &log) ||
            !nvrtc_compile(a, n, 75, text, &image, &size, &log))
            fail_msg("%s", log);
    }
    compile_free(t.c);
    if (!n)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_copies), cmocka_unit_test(vector_copies),
        cmocka_unit_test(large_tiles), cmocka_unit_test(uneven_boxes), cmocka_unit_test(one_thread),
        cmocka_unit_test(as_plain_c),
        cmocka_unit_test(reads_well), cmocka_unit_test(phases_in_a_condition),
        cmocka_unit_test(fits_in_registers),
        cmocka_unit_test(runtime_compiler_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
