// SPDX-License-Identifier: MIT
// kernel_test.c -- whole kernels as nests: sectors, banks, divergence, instructions by hand
#include "h200.h"
#include "model/model.h"
#include "model/traffic.h"
#include <math.h>
#include <string.h>

// One kernel over arrays a, b (floats, rows of n), x (ints), with parameters n and s. feet: of the nest.
static KernelCost *cost_with(const char *feet, const char *kernel, int64_t n, int64_t s) {
    char *text = arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\" param s: i32 = \"s\"\n"
        "array a[?][n]: f32 = \"a\" live array b[?][n]: f32 = \"b\" live array x[?]: i32 = \"x\" "
        "array v[?]: f32 = \"v\" live array d[?]: f64 = \"d\" live\n"
        "do { for i: i32 = 0 .. n { S0[i] @3:5 } } stmt S0[i] @3:5: v[i] += a[0][i] * b[0][i] fused }\n"
        "nest \"gpu\" { when 1 %s do { kernel k %s } }\n", feet, kernel);
    IrFile *f = ir_parse(c, "f.nest", text);
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?", kernel);
    InterpVal vals[2] = {{.sym = f->region->params[0], .i = n}, {.sym = f->region->params[1], .i = s}};
    const Node *k = f->nests[0]->root->kids[0];
    KernelCost *r = model_kernel(c->arena, f->nests[0], k, 2, vals, h200);
    if (r->refused) fail_msg("%s: %s", kernel, r->refused);
    return r;
}

static KernelCost *cost(const char *kernel, int64_t n, int64_t s) { return cost_with("", kernel, n, s); }

static const AccessCost *access_of(const KernelCost *k, const char *text, bool write) {
    for (int i = 0; i < k->naccesses; i++)
        if (str_eq(k->accesses[i]->text, text) && k->accesses[i]->write == write) return k->accesses[i];
    for (int i = 0; i < k->naccesses; i++) print_message("%s %d\n", k->accesses[i]->text,
                                                         k->accesses[i]->write);
    fail_msg("there is no access %s", text);
    return NULL;
}

static void is_near(double x, double want, const char *what) {
    if (fabs(x - want) > 1e-6 * fabs(want) + 1e-9) fail_msg("%s: %.9g instead of %.9g", what, x, want);
}

static void sectors(const KernelCost *k, const char *text, bool write, double per_request, double requests) {
    const AccessCost *x = access_of(k, text, write);
    is_near(x->requests, requests, text);
    is_near(x->sectors / x->requests, per_request, text);
}

#define BLOCKS(count) "for bi: i32 = 0 .. " count " block "

// ---- coalescing ----------------------------------------------------------------------------------
static void copies(void **state) {
    (void)state;
    for (int offset = 0; offset <= 32; offset++) {
        KernelCost *k = cost(BLOCKS("64") "for t: i32 = 0 .. 256 thread { "
                             "copy a[0][256 * bi + t] = b[0][256 * bi + t + s] }", 1 << 20, offset);
        sectors(k, "b[0][256 * bi + t + s]", false, offset % 8 ? 5 : 4, 64 * 8);
        sectors(k, "a[0][256 * bi + t]", true, 4, 64 * 8);
        const AccessCost *b = access_of(k, "b[0][256 * bi + t + s]", false);
        is_near(b->misaligned, offset % 8 ? b->requests : 0, "misaligned");
        assert_true(b->strided && b->stride == 4);
        assert_int_equal(k->blocks, 64);
        assert_int_equal(k->threads, 256);
    }
    for (int stride = 1; stride <= 32; stride++) {
        KernelCost *k = cost(BLOCKS("64") "for t: i32 = 0 .. 256 thread { "
                             "copy a[0][256 * bi + t] = b[0][(256 * bi + t) * s] }", 1 << 20, stride);
        sectors(k, "b[0][(256 * bi + t) * s]", false, stride < 8 ? 4 * stride : 32, 64 * 8);
        assert_int_equal(access_of(k, "b[0][(256 * bi + t) * s]", false)->stride, 4 * stride);
    }
}

// A matrix walked along its rows and down its columns by neighbouring threads.
static void rows_and_columns(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("8") "for t: i32 = 0 .. 128 thread for j: i32 = 0 .. n { "
                         "copy v[128 * bi + t] += a[j][128 * bi + t] }", 1024, 0);
    sectors(k, "a[j][128 * bi + t]", false, 4, 8 * 4 * 1024);
    k = cost(BLOCKS("8") "for t: i32 = 0 .. 128 thread for j: i32 = 0 .. n { "
             "copy v[128 * bi + t] += a[128 * bi + t][j] }", 1024, 0);
    sectors(k, "a[128 * bi + t][j]", false, 32, 8 * 4 * 1024);
    assert_int_equal(access_of(k, "a[128 * bi + t][j]", false)->stride, 4096);
    // Rows of 1023: one in eight begins at a sector, the others at five.
    k = cost(BLOCKS("8") "for t: i32 = 0 .. 128 thread for j: i32 = 0 .. n { "
             "copy v[128 * bi + t] += a[j][128 * bi + t] }", 1023, 0);
    const AccessCost *a = access_of(k, "a[j][128 * bi + t]", false);
    assert_true(fabs(a->sectors / a->requests - 4.875) < 0.02);
}

static void vectors(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("16") "for t: i32 = 0 .. 64 thread { local f[4]: f32 "
                         "for v0: i32 = 0 .. 4 vector copy f[v0] = b[0][256 * bi + 4 * t + v0] "
                         "for v1: i32 = 0 .. 4 vector copy a[0][256 * bi + v1 * 64 + t] = f[v1] }", 1 << 20,
                         0);
    sectors(k, "b[0][256 * bi + 4 * t + v0]", false, 16, 16 * 2);
    assert_int_equal(access_of(k, "b[0][256 * bi + 4 * t + v0]", false)->width, 16);
    sectors(k, "a[0][256 * bi + v1 * 64 + t]", true, 4, 16 * 2 * 4); // not side by side: four stores
    k = cost(BLOCKS("16") "for t: i32 = 0 .. 64 thread { copy d[64 * bi + t] = d[64 * bi + t] * 2.0 }",
             1 << 20, 0);
    sectors(k, "d[64 * bi + t]", false, 8, 16 * 2);
}

// What a loop does not move is read once; what is the same for all lanes is one sector.
static void repeated(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. n { "
                         "copy v[32 * bi + t] += a[0][32 * bi + t] * b[0][j] }", 512, 0);
    sectors(k, "a[0][32 * bi + t]", false, 4, 4);
    sectors(k, "b[0][j]", false, 1, 4 * 512);
    sectors(k, "v[32 * bi + t]", true, 4, 4 * 512);
}

static void unknown_places(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread { "
                         "copy v[32 * bi + t] = a[0][x[32 * bi + t]] }", 512, 0);
    assert_true(k->assumed);
    assert_true(access_of(k, "a[0][x[32 * bi + t]]", false)->assumed);
    sectors(k, "a[0][x[32 * bi + t]]", false, 32, 4);
    sectors(k, "x[32 * bi + t]", false, 4, 4);
    // A row that the data name, but the same for all lanes: only where it begins is unknown.
    k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread { copy v[32 * bi + t] = a[x[bi]][t] }", 512, 0);
    sectors(k, "a[x[bi]][t]", false, 4, 4);
    assert_true(access_of(k, "a[x[bi]][t]", false)->assumed);
    // A place that is rounded from a product with a number from memory: lanes for which both factors are the
    // same go to the same place, but for what is known, and each to its own where one is a lane's own.
    for (int own = 0; own < 3; own++) {
        static const char *const text[] = {
            BLOCKS("4") "for t: i32 = 0 .. 32 thread { local f: f32 local g: f32 local q: i32 "
                        "copy f = v[bi] copy g = f * f32(bi) copy q = i32(g) "
                        "copy v[32 * bi + t] = v[q + t] }",
            BLOCKS("4") "for t: i32 = 0 .. 32 thread { local f: f32 local g: f32 local q: i32 "
                        "copy f = v[bi] copy g = f * f32(fdiv(t, 16)) copy q = i32(g) "
                        "copy v[32 * bi + t] = v[q + t] }",
            BLOCKS("4") "for t: i32 = 0 .. 32 thread { local f: f32 local g: f32 local q: i32 "
                        "copy f = v[bi] copy g = f * f32(t) copy q = i32(g) "
                        "copy v[32 * bi + t] = v[q + t] }"};
        k = cost(text[own], 512, 0);
        sectors(k, "v[q + t]", false, own == 2 ? 32 : 4, 4);
        const AccessCost *x = access_of(k, "v[q + t]", false);
        assert_true(x->assumed && x->ndims > 0 && x->dims[0].known); // in one lane it is some fixed number
    }
    // Rows that data name, each of so many lanes side by side.
    for (int lanes = 1; lanes <= 32; lanes *= 2) {
        char *text = arena_printf(c->arena, BLOCKS("4") "for r: i32 = 0 .. %d thread for t: i32 = 0 .. %d "
                                  "thread { copy v[32 * bi + t] = a[x[%d * bi + r]][t] }", 32 / lanes, lanes,
                                  32 / lanes);
        k = cost(text, 1 << 20, 0);
        const char *read = arena_printf(c->arena, "a[x[%sbi + r]][t]",
                                        lanes < 32 ? arena_printf(c->arena, "%d * ", 32 / lanes) : "");
        sectors(k, read, false, lanes < 8 ? 32.0 / lanes : 4, 4);
    }
}

// Along a row that data name a thread goes on as in any other row: what a sector has it finds again.
static void along_unknown_rows(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. n { "
                         "copy v[32 * bi + t] += a[x[32 * bi + t]][j] }", 64, 0);
    const AccessCost *a = access_of(k, "a[x[32 * bi + t]][j]", false);
    int known = 0;
    for (int d = 0; d < a->ndims; d++) {
        known += a->dims[d].known;
        if (a->dims[d].known) assert_int_equal(a->dims[d].stride, 4);
    }
    assert_int_equal(known, 1);
    Traffic t = traffic_of(k, h200, 8, NULL);
    is_near(t.waited, 4 * 32 * 64 * 4 + 2 * 4 * 128, "bytes that miss"); // rows, v and x once each
    // A row that all lanes read alike is another one in each iteration.
    k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. n { "
             "copy v[32 * bi + t] += a[x[j]][t] }", 64, 0);
    a = access_of(k, "a[x[j]][t]", false);
    for (int d = 0; d < a->ndims; d++)
        assert_int_equal(a->dims[d].known, a->dims[d].loop->how != HOW_SERIAL);
    // A number that nobody knows is the same everywhere.
    k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. n { "
             "copy v[32 * bi + t] += a[x[0]][j] }", 64, 0);
    a = access_of(k, "a[x[0]][j]", false);
    for (int d = 0; d < a->ndims; d++) assert_true(a->dims[d].known);
}

// ---- banks ----------------------------------------------------------------------------------------
static int ways(const KernelCost *k, const char *text) { return access_of(k, text, false)->ways; }

static void shared_strides(void **state) {
    (void)state;
    for (int stride = 1; stride <= 32; stride++) {
        KernelCost *k = cost(BLOCKS("4") "{ shared w[1024]: f32 for u: i32 = 0 .. 1024 coop "
                             "copy w[u] = a[0][u] "
                             "for t: i32 = 0 .. 32 thread { copy v[t] = w[t * s] } }" , 1024, stride);
        int g = stride & -stride;
        assert_int_equal(ways(k, "w[t * s]"), g > 32 ? 32 : g);
        assert_int_equal(k->shared, 4096);
        // 1024 elements by 32 threads are 32 turns of a warp
        sectors(k, "a[0][u]", false, 4, 4 * 32);
        is_near(access_of(k, "w[u]", true)->wavefronts, 4 * 32, "w[u]");
    }
}

// A tile written by rows and read by columns: as it is, and with one column more.
static void transposition(void **state) {
    (void)state;
    static const char tile[] =
        BLOCKS("4") "{ shared w[32][%d]: f32 for y: i32 = 0 .. 8 thread for t: i32 = 0 .. 32 thread "
                               "for r: i32 = 0 .. 4 unroll "
                               "copy w[y + 8 * r][t] = a[y + 8 * r][t] "
                               "for y2: i32 = 0 .. 8 thread for t2: i32 = 0 .. 32 thread "
                               "for r2: i32 = 0 .. 4 unroll copy b[y2 + 8 * r2][t2] = w[t2][y2 + 8 * r2] }";
    KernelCost *k = cost(arena_printf(c->arena, tile, 32), 4096, 0);
    assert_int_equal(ways(k, "w[t2][y2 + 8 * r2]"), 32);
    is_near(access_of(k, "w[t2][y2 + 8 * r2]", false)->wavefronts, 4 * 8 * 4 * 32, "wavefronts");
    sectors(k, "a[y + 8 * r][t]", false, 4, 4 * 8 * 4);
    k = cost(arena_printf(c->arena, tile, 33), 4096, 0);
    assert_int_equal(ways(k, "w[t2][y2 + 8 * r2]"), 1);
    assert_int_equal(k->shared, 32 * 33 * 4);
}

// ---- divergence ------------------------------------------------------------------------------------
static const BranchCost *branch_at(const KernelCost *k, int i) {
    if (i >= k->nbranches) fail_msg("only %d branches split", k->nbranches);
    return k->branches[i];
}

static void branches(void **state) {
    (void)state;
    static const char text[] =
        BLOCKS("10") "for t: i32 = 0 .. 256 thread { if (%s) { copy v[t] = 1.0 } else { "
        "copy v[t + 256] = 2.0 } }";
    KernelCost *k = cost(arena_printf(c->arena, text, "t > 2"), 64, 0);
    const BranchCost *b = branch_at(k, 0);
    is_near(b->warps, 80, "warps");
    is_near(b->split, 10, "one warp of eight");
    is_near(b->idle, 30, "lanes 0, 1, 2");
    assert_true(b->cost > 0);
    k = cost(arena_printf(c->arena, text, "fdiv(t, 32) > 2"), 64, 0);
    assert_int_equal(k->nbranches, 0);
    is_near(k->efficiency, 1, "efficiency");
    k = cost(arena_printf(c->arena, text, "fmod(t, 2) == 0"), 64, 0);
    is_near(branch_at(k, 0)->split, 80, "all");
    // An 8 x 8 block: rows of 8 threads, four rows a warp.
    k = cost(BLOCKS("5") "for y: i32 = 0 .. 8 thread for t: i32 = 0 .. 8 thread { if (y < 3) { "
             "copy v[8 * y + t] = 1.0 } }", 64, 0);
    is_near(branch_at(k, 0)->split, 5, "the first of two warps");
    // The edge of n: only the last block.
    k = cost(BLOCKS("fdiv(n + 127, 128)") "for t: i32 = 0 .. 128 thread { if (128 * bi + t < n) { "
             "copy v[128 * bi + t] = 1.0 } }", 1000, 0);
    is_near(branch_at(k, 0)->split, 1, "the warp with 992 … 1023");
    is_near(branch_at(k, 0)->idle, 24, "lanes");
}

static void loops(void **state) {
    (void)state;
    // Lane t makes t iterations of 32: half of them are lost.
    KernelCost *k = cost(BLOCKS("3") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. t { "
                         "copy v[t] += a[0][j] }", 64, 0);
    const BranchCost *b = branch_at(k, 0);
    assert_true(b->loop);
    is_near(b->busy, 3 * 31 * 16, "iterations");
    is_near(b->idle, 3 * (31 * 32 - 31 * 16), "lost");
    // The data decide.
    k = cost(BLOCKS("3") "for t: i32 = 0 .. 32 thread for j: i32 = x[t] .. x[t + 1] { copy v[t] += a[0][j] }",
             64, 0);
    assert_true(branch_at(k, 0)->assumed);
    // The same number for all lanes, from memory: nobody waits.
    k = cost(BLOCKS("3") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. x[bi] { copy v[t] += a[0][j] }", 64,
             0);
    assert_int_equal(k->nbranches, 0);
    assert_true(k->assumed);
}

// ---- instructions --------------------------------------------------------------------------------------
static void instructions(void **state) {
    (void)state;
    // Four multiply-adds an iteration, no memory: 4 instructions of work, 3 of control over 8.
    KernelCost *k = cost(BLOCKS("2") "for t: i32 = 0 .. 64 thread { local f[4]: f32 "
                         "for j: i32 = 0 .. n unroll 8 "
                         "{ for u: i32 = 0 .. 4 unroll S0[t] via (f[u], f[u], f[u]) } }", 800, 0);
    is_near(k->mix.fp32, 2 * 2 * 800 * 4, "multiply-adds");
    is_near(k->mix.control, 2 * 2 * 800 * 3 / 8.0, "control");
    is_near(k->flops, 2.0 * 2 * 64 * 800 * 4, "operations");
    assert_string_equal(k->inner_loop->iter->name, "j");
    is_near(k->inner.fp32 / mix_total(&k->inner), 4 / (4 + 3 / 8.0), "share of work");
    is_near(k->efficiency, 1, "efficiency");
    k = cost(BLOCKS("2") "for t: i32 = 0 .. 48 thread { copy v[t] = sqrtf.f32(v[t]) / 3.0 }", 800, 0);
    assert_true(k->mix.special > 0 && k->mix.others > 0 && k->mix.fp64 == 0);
    is_near(k->efficiency, 0.75, "a warp and a half");
}

// Large grids and long loops are looked at in samples; what is the same everywhere stays exact.
static void sampled(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("n") "for bj: i32 = 0 .. n block for t: i32 = 0 .. 1024 thread "
                         "for j: i32 = 0 .. n for l: i32 = 0 .. n "
                         "{ copy v[t] += a[l][t] * b[t][j] }", 1000, 0);
    is_near(access_of(k, "a[l][t]", false)->requests, 1e6 * 32 * 1e6, "requests");
    is_near(access_of(k, "b[t][j]", false)->requests, 1e6 * 32 * 1e3, "read once a row");
    // triangles
    k = cost(BLOCKS("n") "for t: i32 = 0 .. 32 thread for j: i32 = 0 .. bi { copy v[t] += a[j][t] }", 1000,
             0);
    double want = 1000.0 * 999 / 2;
    assert_true(fabs(access_of(k, "a[j][t]", false)->requests - want) < 0.02 * want);
}

// A private integer that one iteration sets for the next.
static void private_counters(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("1") "{ shared w[256]: f32 for t: i32 = 0 .. 256 thread { "
                         "local z: i32 copy z = 1 "
                         "for r: i32 = 0 .. 8 { copy w[t * z] += 1.0 copy z = z * 2 } } }", 64, 0);
    // strides 1, 2, 4 … 128: 1 + 2 + 4 + 8 + 16 + 32 + 32 + 32 wavefronts for each of 8 warps
    is_near(access_of(k, "w[t * z]", false)->wavefronts, 8 * 127, "w[t * z]");
}

// ---- what compilers do with loads -------------------------------------------------------------------
static void wide_loads(void **state) {
    (void)state;
    // A row of a tile walked by an unrolled loop: four words at a time; the lanes of a warp read one word.
    static const char text[] =
        BLOCKS("4") "{ shared w[16][%s]: f32 for c0: i32 = 0 .. 16 coop for c1: i32 = 0 .. 16 coop "
                               "copy w[c0][c1] = a[c0][c1] "
                               "for t: i32 = 0 .. 32 thread { local f: f32 copy f = 0.0 "
                               "for j: i32 = 0 .. 16 %s copy f += w[%s] copy v[t] = f } }";
    KernelCost *k = cost(arena_printf(c->arena, text, "16", "unroll", "0][j"), 512, 0);
    const AccessCost *x = access_of(k, "w[0][j]", false);
    assert_int_equal(x->width, 16);
    is_near(x->requests, 4 * 4, "requests");
    is_near(x->wavefronts, 4 * 4 * 2, "two passes: all lanes share");
    k = cost(arena_printf(c->arena, text, "17", "unroll", "t / 4][j"), 512, 0); // rows begin anywhere
    assert_int_equal(access_of(k, "w[t / 4][j]", false)->width, 4);
    k = cost(arena_printf(c->arena, text, "16", "unroll 2", "1][j"), 512, 0);
    assert_int_equal(access_of(k, "w[1][j]", false)->width, 8);
    // side by side, but who can know
    k = cost(arena_printf(c->arena, text, "16", "unroll", "0][j * s"), 512, 1);
    assert_int_equal(access_of(k, "w[0][j * s]", false)->width, 4);
}

static void read_once(void **state) {
    (void)state;
    // Rows r, r + 1, r + 2 of four unrolled r's are six rows; behind a store they are read again.
    KernelCost *k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for r: i32 = 0 .. 4 unroll { "
                         "copy v[128 * r + t] = a[r][t] + a[r + 1][t] + a[r + 2][t] }", 512, 0);
    double all = access_of(k, "a[r][t]", false)->requests + access_of(k, "a[r + 1][t]", false)->requests +
        access_of(k, "a[r + 2][t]", false)->requests;
    is_near(all, 4 * 6, "requests");
    k = cost(BLOCKS("4") "for t: i32 = 0 .. 32 thread for r: i32 = 0 .. 4 unroll { "
             "copy a[r + 3][t] = a[r][t] + a[r + 1][t] }", 512, 0);
    all = access_of(k, "a[r][t]", false)->requests + access_of(k, "a[r + 1][t]", false)->requests;
    is_near(all, 4 * 8, "requests");
}

// ---- time -------------------------------------------------------------------------------------------
static void times(void **state) {
    (void)state;
    // A large copy: its bytes at the speed of memory.
    KernelCost *k = cost(BLOCKS("fdiv(n, 256)") "for t: i32 = 0 .. 256 thread "
                         "copy v[256 * bi + t] = f32(d[256 * bi + t])", 1 << 28, 0);
    TimeCost t = model_time(k, h200, 0, NULL);
    assert_int_equal(t.limit, BOUND_DRAM);
    is_near(t.compulsory, 12.0 * (1 << 28), "bytes");
    assert_true(t.roof <= t.seconds && t.seconds < 1.3 * t.roof);
    // Twice the stride, twice the bytes of what is read; one that fits the last-level cache moves none.
    KernelCost *two = cost(BLOCKS("fdiv(n, 256)") "for t: i32 = 0 .. 256 thread "
                           "copy v[256 * bi + t] = f32(d[s * (256 * bi + t)])", 1 << 28, 2);
    is_near(model_time(two, h200, 0, NULL).compulsory, 20.0 * (1 << 28), "bytes");
    k = cost(BLOCKS("fdiv(n, 256)") "for t: i32 = 0 .. 256 thread "
             "copy v[256 * bi + t] = f32(d[256 * bi + t])", 1 << 20, 0);
    is_near(model_time(k, h200, 0, NULL).dram_bytes, 0, "bytes");
    // Arithmetic alone.
    k = cost(BLOCKS("1056") "for t: i32 = 0 .. 256 thread { local f[8]: f32 for j: i32 = 0 .. n unroll 16 "
             "for u: i32 = 0 .. 8 unroll S0[t] via (f[u], f[u], f[u]) }", 1 << 16, 0);
    t = model_time(k, h200, 32, NULL);
    assert_true(t.limit == BOUND_FP32 || t.limit == BOUND_ISSUE);
    assert_true(k->flops / t.seconds > 0.6 * 63.8e12 && k->flops / t.seconds < 63.9e12);
    // A cure helps, and only the access that is cured.
    k = cost(BLOCKS("8192") "for t: i32 = 0 .. 256 thread copy v[256 * bi + t] = a[t][bi]", 8192, 0);
    bool cured[2] = {true, true};
    assert_true(model_time(k, h200, 0, cured).by[BOUND_L1] < 0.3 * model_time(k, h200, 0, NULL).by[BOUND_L1]);
}

// Rows bounded by data: stretches of 16, one behind another.
static void stretches(void **state) {
    (void)state;
    KernelCost *k = cost(BLOCKS("64") "for t: i32 = 0 .. 32 thread "
                         "for j: i32 = x[32 * bi + t] .. x[32 * bi + t + 1] { "
                         "copy a[0][32 * bi + t] += v[j] }", 512, 0);
    sectors(k, "v[j]", false, 32, 64 * 16);
    assert_true(k->assumed);
    k = cost(BLOCKS("64") "for r: i32 = 0 .. 4 thread for t: i32 = 0 .. 8 thread "
             "for j: i32 = x[4 * bi + r] + t .. x[4 * bi + r + 1] step 8 { copy a[0][4 * bi + r] += v[j] }",
             512, 0);
    sectors(k, "v[j]", false, 4, 64 * 2);
    k = cost(BLOCKS("64") "for t: i32 = 0 .. 32 thread for j: i32 = t .. x[bi + 1] - x[bi] step 32 { "
             "copy a[0][32 * bi + t] += v[x[bi] + j] }", 512, 0);
    sectors(k, "v[x[bi] + j]", false, 2, 64); // half of the lanes
    // How long they are footprints tell, over as many elements as an iteration goes along, in any loop.
    static const char *const loops[] = {
        "for j: i32 = x[32 * bi + t] .. x[32 * bi + t + 1] copy a[0][32 * bi + t] += v[4 * j]",
        "for j: i32 = 0 .. x[32 * bi + t + 1] - x[32 * bi + t] "
        "copy a[0][32 * bi + t] += v[4 * (x[32 * bi + t] + j)]"};
    static const char *const reads[] = {"v[4 * j]", "v[4 * (x[32 * bi + t] + j)]"};
    for (int i = 0; i < 2; i++) {
        char *text = arena_printf(c->arena, BLOCKS("64") "for t: i32 = 0 .. 32 thread %s", loops[i]);
        k = cost_with("foot x[0 to 2048] in foot v[0 to 8 * 4 * 2048 - 1] in", text, 512, 0);
        sectors(k, reads[i], false, 32, 64 * 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies), cmocka_unit_test(rows_and_columns), cmocka_unit_test(vectors),
            cmocka_unit_test(repeated),
        cmocka_unit_test(unknown_places), cmocka_unit_test(along_unknown_rows),
        cmocka_unit_test(shared_strides), cmocka_unit_test(transposition),
        cmocka_unit_test(branches),
        cmocka_unit_test(loops), cmocka_unit_test(instructions), cmocka_unit_test(sampled),
        cmocka_unit_test(wide_loads), cmocka_unit_test(read_once), cmocka_unit_test(times),
        cmocka_unit_test(private_counters), cmocka_unit_test(stretches)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
