// SPDX-License-Identifier: MIT
// request_test.c -- one warp's memory instruction: sectors and banks of the textbook's cases
#include "model/request.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static Machine *machine(Arena *a, const char *name) {
    const char *why;
    return machine_find(a, name, &why);
}

// Lane k at offset + stride * k.
static Request line_of(int width, int64_t offset, int64_t stride) {
    Request r = {.mask = 0xffffffff, .width = width};
    for (int k = 0; k < 32; k++) r.at[k] = offset + stride * k;
    return r;
}

static void coalesced(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    // floats; offset in elements: 32 of them are four sectors, or five when they begin inside one
    for (int offset = 0; offset <= 32; offset++) {
        Request r = line_of(4, 4 * offset, 4);
        GlobalCost c = request_global(m, &r);
        assert_int_equal(c.sectors, offset % 8 ? 5 : 4);
        assert_int_equal(c.lines, offset % 32 ? 2 : 1);
        assert_int_equal(c.useful, 128);
        assert_int_equal(c.ideal, 4);
        assert_int_equal(c.misaligned, offset % 8 != 0);
        assert_int_equal(c.moved, 32 * c.sectors);
    }
    // stride s: min(4 s, 32) sectors
    for (int s = 1; s <= 32; s++) {
        Request r = line_of(4, 0, 4 * s);
        GlobalCost c = request_global(m, &r);
        assert_int_equal(c.sectors, s < 8 ? 4 * s : 32);
        assert_int_equal(c.lines, s);
        assert_int_equal(c.useful, 128);
        assert_false(c.misaligned && s > 1);
    }
    arena_free(a);
}

static void widths(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    // width, sectors, lines
    static const int want[][3] = {{1, 1, 1}, {2, 2, 1}, {4, 4, 1}, {8, 8, 2}, {16, 16, 4}};
    for (int i = 0; i < 5; i++) {
        Request r = line_of(want[i][0], 0, want[i][0]);
        GlobalCost c = request_global(m, &r);
        assert_int_equal(c.sectors, want[i][1]);
        assert_int_equal(c.lines, want[i][2]);
    }
    // All lanes at one word; a permutation; the second half idle; backwards.
    Request r = line_of(4, 64, 0);
    assert_int_equal(request_global(m, &r).sectors, 1);
    assert_int_equal(request_global(m, &r).useful, 4);
    r = line_of(4, 0, 4);
    for (int k = 0; k < 32; k++) r.at[k] = 4 * (k ^ 21);
    assert_int_equal(request_global(m, &r).sectors, 4);
    r.mask = 0xffff;
    assert_int_equal(request_global(m, &r).useful, 64);
    r = line_of(4, 0, -4);
    assert_int_equal(request_global(m, &r).sectors, 5); // -124 … 3
    // A struct of 12 bytes read field by field: 12 sectors for 4
    r = line_of(4, 8, 12);
    assert_int_equal(request_global(m, &r).sectors, 12);
    arena_free(a);
}

// Each generation's way: GT200 by halves and segments, Fermi by lines, Kepler and later by sectors.
static void generations(void **state) {
    (void)state;
    Arena *a = arena_new();
    static const struct {
        const char *machine;
        int64_t offset, stride;
        int moved;
    } want[] = {
        {"GTX280", 0, 4, 128},  // two halves of 64 bytes
        {"GTX280", 4, 4, 224},  // 128 for the first half (its 64 bytes end at 68), 64 + 32 for the second
        {"GTX280", 0, 8, 256},  // a segment of 128 each
        {"GTX280", 0, 128, 1024}, // 32 segments of 32
        {"C2070", 0, 4, 128},   {"C2070", 4, 4, 256},   {"C2070", 0, 128, 4096}, {"K20", 4, 4, 160},
        {"K20", 0, 128, 1024},  {"V100", 4, 4, 160},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        Request r = line_of(4, want[i].offset, want[i].stride);
        int moved = request_global(machine(a, want[i].machine), &r).moved;
        if (moved != want[i].moved) fail_msg("%d: %s %d instead of %d", (int)i, want[i].machine, moved,
                                             want[i].moved);
    }
    Request r = line_of(4, 0, 128); // what is written goes by sectors on Fermi too
    r.write = true;
    assert_int_equal(request_global(machine(a, "C2070"), &r).moved, 1024);
    arena_free(a);
}

static int gcd(int x, int y) { return y ? gcd(y, x % y) : x; }

static void banks(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200"), *old = machine(a, "GTX280");
    // stride s words: gcd(s, 32) ways; 16 banks and half warps before Fermi
    for (int s = 1; s <= 33; s++) {
        Request r = line_of(4, 0, 4 * s);
        SharedCost c = request_shared(m, &r);
        assert_int_equal(c.ways, gcd(s, 32));
        assert_int_equal(c.wavefronts, gcd(s, 32));
        assert_int_equal(c.ideal, 1);
        c = request_shared(old, &r);
        assert_int_equal(c.ways, gcd(s, 16));
        assert_int_equal(c.wavefronts, 2 * gcd(s, 16));
    }
    // Everyone the same word: one pass. Two words of one bank: two.
    Request r = line_of(4, 128, 0);
    assert_int_equal(request_shared(m, &r).wavefronts, 1);
    for (int k = 0; k < 32; k++) r.at[k] = k % 2 ? 0 : 128;
    assert_int_equal(request_shared(m, &r).wavefronts, 2);
    // A tile of 32 columns read down a column, and with one column more.
    r = line_of(4, 20, 4 * 32);
    assert_int_equal(request_shared(m, &r).ways, 32);
    r = line_of(4, 20, 4 * 33);
    assert_int_equal(request_shared(m, &r).ways, 1);
    // An xor swizzle of that column: word 32 * k + (k ^ 5)
    for (int k = 0; k < 32; k++) r.at[k] = 4 * (32 * k + (k ^ 5));
    assert_int_equal(request_shared(m, &r).ways, 1);
    // bytes: four neighbours share a word
    r = line_of(1, 0, 1);
    assert_int_equal(request_shared(m, &r).ways, 1);
    arena_free(a);
}

static void wide_banks(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    // doubles side by side: two halves, no conflict; every second: two words a bank in each half
    Request r = line_of(8, 0, 8);
    SharedCost c = request_shared(m, &r);
    assert_int_equal(c.wavefronts, 2);
    assert_int_equal(c.ideal, 2);
    r = line_of(8, 0, 16);
    c = request_shared(m, &r);
    assert_int_equal(c.ways, 2);
    assert_int_equal(c.wavefronts, 4);
    // four floats a lane: four quarters; rows of 16 floats apart: lanes 0, 2, 4, 6 meet
    r = line_of(16, 0, 16);
    c = request_shared(m, &r);
    assert_int_equal(c.wavefronts, 4);
    assert_int_equal(c.ideal, 4);
    r = line_of(16, 0, 64);
    c = request_shared(m, &r);
    assert_int_equal(c.ways, 4);
    assert_int_equal(c.wavefronts, 16);
    arena_free(a);
}

// Wavefronts of loads and stores as an H200 counts them, lane k at slot(k).
static int slot(int pattern, int k) {
    const int at[] = {k, 0, k / 4, k % 8, k / 8, k % 4, k / 2, k % 16, 2 * k, k ^ 1, k % 2,
                      k % 2 + 2 * (k / 16), 4 * k, k / 16,
                      8 * (k % 4) + k / 4, 3 * k, 33 * k % 64, k / 8 * 8, k % 2 * 8 + k / 2 % 4, 5 * k};
    return at[pattern];
}

static void counted(void **state) {
    (void)state;
    static const int loads[3][20] = {{1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1},
                                     {2, 1, 1, 2, 1, 2, 1, 2, 4, 2, 1, 1, 8, 1, 4, 2, 2, 2, 2, 2},
                                     {4, 2, 2, 4, 2, 4, 2, 4, 8, 4, 2, 2, 16, 2, 16, 4, 4, 4, 8, 4}};
    static const int stores[3][20] = {{1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1},
                                      {2, 2, 2, 2, 2, 2, 2, 2, 4, 2, 2, 2, 8, 2, 4, 2, 2, 2, 2, 2},
                                      {4, 4, 4, 4, 4, 4, 4, 4, 8, 4, 4, 4, 16, 4, 16, 4, 4, 4, 8, 4}};
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    for (int w = 0; w < 3; w++)
        for (int p = 0; p < 20; p++) {
            Request r = {.mask = 0xffffffff, .width = 4 << w};
            for (int k = 0; k < 32; k++) r.at[k] = (int64_t)r.width * slot(p, k);
            int load = request_shared(m, &r).wavefronts;
            r.write = true;
            int store = request_shared(m, &r).wavefronts;
            if (load != loads[w][p] || store != stores[w][p]) fail_msg("%d bytes, pattern %d: %d and %d",
                r.width, p, load, store);
        }
    arena_free(a);
}

static void strides(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    int64_t s = 0;
    Request r = line_of(4, 8, 12);
    assert_true(request_stride(m, &r, &s) && s == 12);
    r.at[31]++;
    assert_false(request_stride(m, &r, &s));
    r.mask = 1;
    assert_false(request_stride(m, &r, &s));
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coalesced), cmocka_unit_test(widths),
                                       cmocka_unit_test(generations),
                                       cmocka_unit_test(banks), cmocka_unit_test(wide_banks),
                                       cmocka_unit_test(counted), cmocka_unit_test(strides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
