// SPDX-License-Identifier: MIT
// time_test.c -- what a launch waits for: chains, barriers, blocks, caches; launches of host loops summed
#include "h200.h"
#include "model/traffic.h"
#include <math.h>
#include <string.h>

// A body of the host with arrays of floats v, w, rows a[?][n], of integers from, and the parameter n.
static const Nest *nest_of(const char *body, InterpVal *val, int64_t n) {
    char *text = arena_printf(c->arena,
        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\"\n"
        "array a[?][n]: f32 = \"a\" live array v[?]: f32 = \"v\" live array w[?]: f32 = \"w\" live "
        "array from[?]: i32 = \"from\" array from_here[3]: i32 = \"from_here\" values (1, -1, 0)\n"
        "do { for i: i32 = 0 .. n { S0[i] @3:5 } } stmt S0[i] @3:5: v[i] += 1.0 }\n"
        "nest \"gpu\" { when 1 do { %s } }\n", body);
    IrFile *f = ir_parse(c, "f.nest", text);
    if (!f) fail_msg("%s\n%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?", body);
    *val = (InterpVal){.sym = f->region->params[0], .i = n};
    return f->nests[0];
}

// What it launches.
static NestCost *nest(const char *body, int64_t n) {
    InterpVal val;
    const Nest *launched = nest_of(body, &val, n);
    NestCost *r = model_nest(c->arena, launched, 1, &val, h200);
    for (int k = 0; k < r->nkernels; k++)
        if (r->kernels[k]->refused) fail_msg("%s: %s", body, r->kernels[k]->refused);
    return r;
}

static void is_about(double x, double want, double part, const char *what) {
    if (fabs(x - want) > part * fabs(want)) fail_msg("%s: %.9g instead of %.9g", what, x, want);
}

// ---- chains --------------------------------------------------------------------------------------
static void sums_in_turn(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread { "
                       "local s: f32 copy s = v[t] "
                       "for j: i32 = 0 .. 10000 unroll 16 copy s = s * s copy v[t] = s }", 1);
    is_about(r->kernels[0]->path, 10000 * h200->latency_fma, 0.05, "a product after the other");
    assert_int_equal(r->times[0].limit, BOUND_LATENCY);
}

// Loads of unrolled iterations wait together; each of a chain waits for the one before.
static void loads(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread { "
                       "local s: f32 copy s = 0.0 "
                       "for j: i32 = 0 .. 1600 unroll 4 copy s += a[j][t] copy v[t] = s }", 64);
    is_about(r->kernels[0]->path, 400 * (h200->latency_l2 + 4 * h200->latency_fma), 0.05, "four at once");
    r = nest("kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread { local p: i32 copy p = 0 "
             "for j: i32 = 0 .. 1600 unroll 4 copy p = i32(w[p]) copy v[t] = w[p] }", 64);
    is_about(r->kernels[0]->path, 1600 * h200->latency_l1, 0.15,
             "each where the one before says, in the nearest cache");
}

// Loads that each have a condition of their own ask for predicates, of which there are few; a condition that
// stays as it is asks for one.
static void guarded_loads(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread { local s: f32 "
                       "copy s = 0.0 for j: i32 = 0 .. 1600 unroll 16 if (%s < n) copy s += a[j][t] "
                       "copy v[t] = s }";
    double free = nest(arena_printf(c->arena, text, "t"), 64)->kernels[0]->path,
           own = nest(arena_printf(c->arena, text, "j + t"), 1620)->kernels[0]->path;
    is_about(free, 100 * (h200->latency_l2 + 16 * h200->latency_fma), 0.05, "sixteen at once");
    is_about(own, 320 * (h200->latency_l2 + 5 * h200->latency_fma), 0.05, "five at once");
}

// What each thread copies for its block in turns waits as loads of a loop do.
static void copies_in_turns(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1 block { shared z[32][32]: f32 "
                       "for j: i32 = 0 .. 100 { for r: i32 = 0 .. 32 coop for q: i32 = 0 .. 32 coop "
                       "%s copy z[r][q] = a[32 * j + r][q] "
                       "for t: i32 = 0 .. 32 thread copy v[32 * j + t] = z[31 - t][t] } }";
    double free = nest(arena_printf(c->arena, text, ""), 64)->kernels[0]->path,
           row = nest(arena_printf(c->arena, text, "if (q + j < n)"), 1000)->kernels[0]->path,
           own = nest(arena_printf(c->arena, text, "if (r + j < n)"), 1000)->kernels[0]->path;
    is_about(free, 100 * (2 * h200->latency_l2 + h200->latency_shared), 0.05, "sixteen at once");
    is_about(row, free, 0.01, "of a thread's turns all have one condition");
    is_about(own, 100 * (6.4 * h200->latency_l2 + h200->latency_shared), 0.05, "five at once");
}

// A sum that stays in memory: each iteration waits for the store before.
static void sums_in_memory(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 32 thread "
                       "for j: i32 = 0 .. 1600 unroll 4 copy v[t] += v[j + 32]", 64);
    is_about(r->kernels[0]->path_near, 1600 * (h200->latency_l2 + h200->latency_fma), 0.05,
             "each after the other");
}

static void barriers(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for b: i32 = 0 .. 1 block { shared s[256]: f32 shared z[256]: f32 "
                       "for t0: i32 = 0 .. 256 thread copy s[t0] = v[t0] "
                       "for j: i32 = 0 .. 1000 { for t1: i32 = 0 .. 256 thread copy z[t1] = s[255 - t1] "
                       "for t2: i32 = 0 .. 256 thread copy s[t2] = z[255 - t2] } "
                       "for t3: i32 = 0 .. 256 thread copy v[t3] = s[t3] }", 1);
    is_about(r->kernels[0]->path, 2000 * (h200->latency_shared + h200->barrier), 0.05, "2000 phases");
}

// One arm of a branch, where warps agree; both, where they don't.
static void arms(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1 block for t: i32 = 0 .. 64 thread { "
                       "local s: f32 copy s = v[t] "
                       "if (%s) { for j: i32 = 0 .. 4000 unroll 16 copy s = s * s } else { "
                       "for j2: i32 = 0 .. 4000 unroll 16 copy s = s * s } copy v[t] = s }";
    NestCost *one = nest(arena_printf(c->arena, text, "fdiv(t, 32) == 0"), 1),
        *both = nest(arena_printf(c->arena, text, "fmod(t, 2) == 0"), 1);
    is_about(one->kernels[0]->path, 4000 * h200->latency_fma, 0.1, "one arm");
    is_about(both->kernels[0]->path, 8000 * h200->latency_fma, 0.1, "both arms");
}

// ---- throughput --------------------------------------------------------------------------------------
static void many_blocks(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for b: i32 = 0 .. 100000 block for t: i32 = 0 .. 32 thread if (b + t == 0) "
                       "copy v[0] = 1.0", 1);
    assert_int_equal(r->times[0].limit, BOUND_BLOCKS);
    is_about(r->times[0].by[BOUND_BLOCKS], 100000 / h200->block_rate / h200->clock * 1e-6, 1e-9, "blocks");
}

// Of two warps one has nothing to do: half of the schedulers are idle. Of four, too.
static void uneven_warps(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1000 block for t: i32 = 0 .. %d thread { local s: f32 "
                       "copy s = 1.0 if (%s) { for j: i32 = 0 .. 999 copy s = s * s } copy v[t] = s }";
    is_about(nest(arena_printf(c->arena, text, 64, "t < 32"), 1)->kernels[0]->uneven, 2, 0.05, "one of two");
    is_about(nest(arena_printf(c->arena, text, 128, "t < 32"), 1)->kernels[0]->uneven, 4, 0.05,
             "one of four");
    is_about(nest(arena_printf(c->arena, text, 256, "t < 128"), 1)->kernels[0]->uneven, 1, 0.05,
             "four of eight");
}

static void stores_of_parts(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 4096 block for t: i32 = 0 .. 256 thread copy v[%s] = 1.0";
    NestCost *whole = nest(arena_printf(c->arena, text, "256 * b + t"), 1),
        *parts = nest(arena_printf(c->arena, text, "8 * (256 * b + t)"), 1);
    Traffic t = traffic_of(parts->kernels[0], h200, 8, NULL);
    assert_true(traffic_of(whole->kernels[0], h200, 8, NULL).partial == 0);
    assert_true(t.partial > 0.99 * 4096 * 256 && t.partial < 2 * 4096 * 256);
    assert_true(parts->times[0].by[BOUND_L2] > 4096.0 * 256 / h200->l2_store / h200->clock * 1e-6);
}

// Blocks of a multiprocessor that read the same row from end to end find a part of it; those alone nothing.
static void sharing(void **state) {
    (void)state;
    const char *text = "kernel k for y: i32 = 0 .. 4096 block for x: i32 = 0 .. 4 block "
                       "for t: i32 = 0 .. 256 thread { local s: f32 copy s = 0.0 "
                       "for j: i32 = 0 .. 1024 copy s += a[%s][256 * x + t] copy v[t] = s }";
    NestCost *same = nest(arena_printf(c->arena, text, "j"), 1024),
        *own = nest(arena_printf(c->arena, text, "j + 1024 * y"), 1024);
    double all = 4096.0 * 4 * 256 * 1024 * 4;
    is_about(own->times[0].l2_bytes, all, 0.02, "rows of their own");
    assert_true(same->times[0].l2_bytes > 0.2 * all && same->times[0].l2_bytes < 0.8 * all);
}

// A row's neighbours above and below are the same rows of other threads: two more, not three times as many.
static void stencil(void **state) {
    (void)state;
    NestCost *r = nest("kernel k for y: i32 = 0 .. 64 block for x: i32 = 0 .. 64 block "
                       "for t: i32 = 0 .. 16 thread for u: i32 = 0 .. 16 thread "
                       "copy v[u] = a[16 * y + t + 1][16 * x + u + 8] + a[16 * y + t][16 * x + u + 8] + "
                       "a[16 * y + t + 2][16 * x + u + 8]", 1040);
    double rows = 64 * 64 * 18.0 * 16 * 4;
    assert_true(r->times[0].l2_bytes > 0.9 * rows && r->times[0].l2_bytes < 1.6 * rows);
}

// ---- launches -------------------------------------------------------------------------------------------
// Rows of a triangle: n launches, each as large as its place; the sum is exact for what goes with the
// counter.
static void triangle(void **state) {
    (void)state;
    NestCost *r = nest("for k: i32 = 0 .. n { kernel step for b: i32 = 0 .. n - k block "
                       "for t: i32 = 0 .. 32 thread copy v[32 * b + t] += 1.0 }", 1000);
    double blocks = 0, flops = 0;
    for (const KernelCost *k = r->kernels[0]; k; k = k->next) blocks += (double)k->blocks * k->launches,
        flops += k->flops * k->launches;
    is_about(r->launches, 1000, 1e-9, "launches");
    is_about(model_launches(r->kernels[0]), 1000, 1e-9, "of the kernel");
    is_about(blocks, 1000 * 1001 / 2, 1e-9, "blocks");
    is_about(flops, 32 * 1000 * 1001 / 2, 1e-3, "operations");
    assert_int_equal(r->kernels[0]->blocks, 500);
    r = nest("for k: i32 = 0 .. n { for j: i32 = k + 1 .. n { kernel step for b: i32 = 0 .. 4 block "
             "for t: i32 = 0 .. 32 thread copy v[32 * b + t] += 1.0 } }", 101);
    is_about(r->launches, 101 * 100 / 2, 1e-9, "a loop inside the other");
    r = nest("for k: i32 = 0 .. 2 { kernel step for b: i32 = 0 .. k + 1 block for t: i32 = 0 .. 32 thread "
             "copy v[32 * b + t] += 1.0 }", 1);
    is_about(r->launches, 2, 1e-9, "two");
    r = nest("for k: i32 = 0 .. n { kernel step for b: i32 = 0 .. 64 block for t: i32 = 0 .. 32 thread "
             "copy v[32 * b + t] += 1.0 }", 64);
    assert_null(r->kernels[0]->next); // all are alike
    is_about(r->seconds, r->times[0].all, 1e-9, "their sum");
}

// ---- prices ---------------------------------------------------------------------------------------------
static Price price(const char *body, int64_t n) {
    InterpVal val;
    const Nest *priced = nest_of(body, &val, n);
    return model_price(model_priced(c->arena, priced, h200), 1, &val);
}

// What can't be told, or can't run, is never the cheapest; what has nothing to do is.
static void prices(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. %s block for t: i32 = 0 .. 32 thread "
                       "copy v[32 * b + t] += 1.0";
    Price p = price(arena_printf(c->arena, text, "n"), 100000);
    assert_true(p.seconds > 1e-6 && p.seconds < 1e-3 && !p.why && p.bound == BOUND_BLOCKS &&
                p.most->blocks == 100000);
    p = price(arena_printf(c->arena, text, "from[0]"), 100000);
    assert_true(isinf(p.seconds) && p.why);
    p = price("kernel k for b: i32 = 0 .. n block { shared s[65536]: f32 for t: i32 = 0 .. 32 thread { "
              "copy s[t] = v[t] copy v[t] = s[t] } }", 100);
    assert_true(isinf(p.seconds) && strstr(p.why, "shared"));
    p = price(arena_printf(c->arena, text, "n"), 0);
    assert_true(p.seconds == 0 && !p.why && !p.most);
}

// A row whose length only the data tell is as long for a team of threads as for one of them.
static void rows_of_data(void **state) {
    (void)state;
    const char *of_team =
        "kernel k for b: i32 = 0 .. 10000 block for r: i32 = 0 .. %d thread for t: i32 = 0 .. %d thread { "
        "local s: f32 copy s = 0.0 for k: i32 = from[%d * b + r] + t .. from[%d * b + r + 1] step %d copy s "
        "+= v[k] copy w[b] = s }";
    double lanes[4];
    Compile *of = c;
    const int team[] = {1, 8, 32, 256};
    for (int i = 0; i < 4; i++) {
        int rows = 256 / team[i];
        NestCost *c = nest(arena_printf(of->arena, of_team, rows, team[i], rows, rows, team[i]), 1);
        lanes[i] = 0;
        for (int a = 0; a < c->kernels[0]->naccesses; a++)
            if (str_eq(c->kernels[0]->accesses[a]->array->name, "v"))
                lanes[i] = c->kernels[0]->accesses[a]->lanes / rows;
        is_about(lanes[i], 10000.0 * MODEL_TRIPS, 0.01, "elements of a row");
    }
}

// Of rows that meet at their ends, and of neighbours that a table names, each element comes from memory once,
// and to as many blocks as have its row beside theirs.
static void neighbours(void **state) {
    (void)state;
    const char *text = "kernel k for y: i32 = 0 .. n block for xb: i32 = 0 .. 64 block "
                       "for t: i32 = 0 .. 128 thread { local s: f32 copy s = 0.0 "
                       "for q: i32 = 0 .. 3 unroll copy s += a[%s][%s] copy v[n * y + 128 * xb + t] = s }",
               *rows[] = {"y + q", "fmod(y + q + n - 1, n)", "y + from_here[q] >= n ? 0 : y + from_here[q]"};
    double all = 8192.0 * 8192 * 4;
    for (int i = 0; i < 3; i++) {
        NestCost *r = nest(arena_printf(c->arena, text, rows[i],
                                        i ? "128 * xb + t > 0 ? 128 * xb + t - 1 : n - 1" : "128 * xb + t"),
                           8192);
        is_about(r->times[0].dram_bytes, 2 * all, 0.05, rows[i]);
        is_about(r->times[0].l2_bytes, 4 * all, 0.1, rows[i]);
    }
    // fields of a record, each of another row
    NestCost *r = nest(arena_printf(c->arena, text, "y + q", "3 * (128 * xb + t) + from_here[q] + 1"),
                       3 * 8192);
    is_about(r->times[0].dram_bytes, (3 * 3 + 3) * all, 0.05, "records");
}

// An element of a table of constants is a number where its place is one; else it is in memory.
static void tables(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1000 block for t: i32 = 0 .. 96 thread { local s: f32 "
                       "copy s = 0.0 for q: i32 = 0 .. 3 unroll copy s += f32(from_here[%s]) copy v[t] = s }";
    NestCost *numbers = nest(arena_printf(c->arena, text, "q"), 1),
        *asked = nest(arena_printf(c->arena, text, "fmod(t, 3)"), 1);
    assert_int_equal(numbers->kernels[0]->naccesses, 1);
    assert_int_equal(asked->kernels[0]->naccesses, 2);
    assert_false(asked->kernels[0]->accesses[0]->constant);
    is_about(asked->kernels[0]->accesses[0]->sectors, asked->kernels[0]->accesses[0]->requests, 1e-9,
             "sectors");
}

// Of sums for which there are no registers those too many go to memory and back; a thread of a large block
// has fewer.
static void spills(void **state) {
    (void)state;
    const struct {
        int sums, threads, lacking;
    } of[] = {{128, 256, 0}, {240, 256, 0}, {300, 256, 300 + 8 - 255}, {100, 512, 0}, {128, 512, 8}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        int n = of[i].sums;
        const char *text = "kernel k for b: i32 = 0 .. 10 block for t: i32 = 0 .. %d thread { "
                           "local s[%d]: f32 for q: i32 = 0 .. %d unroll copy s[q] = 0.0 "
                           "for j: i32 = 0 .. 100 for p: i32 = 0 .. %d unroll copy s[p] += v[j] * w[p] "
                           "for z: i32 = 0 .. %d unroll copy v[%d * t + z] = s[z] }";
        NestCost *r = nest(arena_printf(c->arena, text, of[i].threads, n, n, n, n, n), 1);
        is_about(r->kernels[0]->spills, 10 * of[i].threads / 32.0 * 100 * 2 * of[i].lacking, 1e-6, "words");
    }
    // what changes in two of 128 iterations goes first
    NestCost *r = nest("kernel k for b: i32 = 0 .. 10 block for t: i32 = 0 .. 256 thread { "
                       "local s[128]: f32 local z[200]: f32 for q: i32 = 0 .. 200 unroll copy z[q] = 0.0 "
                       "for j: i32 = 0 .. 128 { for p: i32 = 0 .. 128 unroll copy s[p] += v[j] * w[p] "
                       "if (fmod(j, 64) == 63) for x: i32 = 0 .. 200 unroll copy z[x] += s[fmod(x, 128)] } "
                       "for y: i32 = 0 .. 200 unroll copy v[200 * t + y] = z[y] }", 1);
    is_about(r->kernels[0]->spills, 80 * 2 * 2 * (128 + 200 + 8 - 255), 1e-6, "seldom");
}

// Two warps keep two schedulers busy, however many there are.
static void few_warps(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 132 block for t: i32 = 0 .. %d thread { local s: f32 "
                       "copy s = v[t] for j: i32 = 0 .. 4096 unroll 16 copy s = s * s + 1.0 copy v[t] = s }";
    NestCost *two = nest(arena_printf(c->arena, text, 64), 1),
        *four = nest(arena_printf(c->arena, text, 128), 1);
    is_about(two->times[0].by[BOUND_ISSUE], four->times[0].by[BOUND_ISSUE], 0.01, "issue");
    assert_true(two->times[0].mixing < four->times[0].mixing);
}

// Copies past registers of a word a lane take the first-level cache longer than those of four.
static void narrow_copies(void **state) {
    (void)state;
    const char *text = "kernel k for b: i32 = 0 .. 1320 block { shared s[4096]: f32 "
                       "for j: i32 = 0 .. %d coop %s async }";
    NestCost *words = nest(arena_printf(c->arena, text, 4096, "copy s[j] = v[j]"), 1);
    NestCost *vectors = nest(arena_printf(c->arena, text, 1024,
                                          "for u: i32 = 0 .. 4 vector copy s[4 * j + u] = v[4 * j + u]"), 1);
    double requests = 1320.0 * 4096 / 32, more = requests * h200->async_word / 132 / h200->clock * 1e-6;
    assert_true(words->times[0].by[BOUND_L1] > vectors->times[0].by[BOUND_L1] + more);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_in_turn),   cmocka_unit_test(loads),
                                       cmocka_unit_test(guarded_loads),  cmocka_unit_test(copies_in_turns),
                                       cmocka_unit_test(sums_in_memory), cmocka_unit_test(barriers),
                                       cmocka_unit_test(arms),           cmocka_unit_test(many_blocks),
                                       cmocka_unit_test(uneven_warps),   cmocka_unit_test(stores_of_parts),
                                       cmocka_unit_test(sharing),        cmocka_unit_test(stencil),
                                       cmocka_unit_test(triangle),       cmocka_unit_test(prices),
                                       cmocka_unit_test(rows_of_data),   cmocka_unit_test(few_warps),
                                       cmocka_unit_test(neighbours),     cmocka_unit_test(tables),
                                       cmocka_unit_test(spills),
                                       cmocka_unit_test(narrow_copies)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
