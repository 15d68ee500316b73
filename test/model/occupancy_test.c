// SPDX-License-Identifier: MIT
// occupancy_test.c -- machines as data, and occupancy against NVIDIA's own tables
#include "model/occupancy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static Machine *machine(Arena *a, const char *name) {
    const char *why = NULL;
    Machine *m = machine_find(a, name, &why);
    if (!m) fail_msg("%s: %s", name, why);
    return m;
}

// ---- files -----------------------------------------------------------------------------------
static void every_file(void **state) {
    (void)state;
    Arena *a = arena_new();
    int n = 0;
    for (const char **name = machine_names(a); *name; name++, n++) {
        const char *why;
        Machine *m = machine(a, *name), *again = machine_read(a, *name, machine_print(a, m, NULL, "test"),
            &why);
        if (!again) fail_msg("%s: %s", *name, why);
        assert_string_equal(machine_print(a, m, NULL, "test"), machine_print(a, again, NULL, "test"));
        if (!str_eq(m->kind, "gpu") || str_has_prefix(*name, "sm_")) continue;
        if (machine_bandwidth(m) <= 0 || machine_flops(m, false) <= 0 || !m->max_warps_sm || !m->banks ||
            !m->sector)
            fail_msg("%s says too little", *name);
    }
    assert_true(n >= 27);
    arena_free(a);
}

// Each line says where its figure is from.
static void every_line_has_a_source(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (const char **name = machine_names(a); *name; name++) {
        const char *path = arena_printf(a, "devices/%s.dev", *name);
        char *text = file_read(a, path, NULL);
        assert_non_null(text);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (!strchr(line, '#') || strlen(strchr(line, '#')) < 3) fail_msg("%s: no source: %s", path,
                line);
    }
    arena_free(a);
}

static void refused(void **state) {
    (void)state;
    Arena *a = arena_new();
    static const char *const bad[][2] = {
        {"name x\nkind gpu\nsms 1\nwarp 32\nspeed 3\n", "x:5: there is no field 'speed'"},
        {"name x\nkind gpu\nsms many\n", "x:3: 'many' is no value of sms"},
        {"name x\nkind gpu\nsms 1\nwarp 32\nshared_sm 4 KB\n", "x:5: '4 KB' is no value of shared_sm"},
        {"name x\nkind abacus\nsms 1\nwarp 32\n", "x: its kind is neither gpu nor cpu"},
        {"kind gpu\nsms 1\nwarp 32\n", "x: it gives no name"},
        {"name x\nkind gpu\nsms 1\nwarp 65\n", "x: no multiprocessors or warps"},
        {"base nothing\n", "x:1: base nothing: no machine is called 'nothing'; known are"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *why = NULL;
        assert_null(machine_read(a, "x", bad[i][0], &why));
        if (!why || !str_has_prefix(why, bad[i][1])) fail_msg("%s instead of %s", why, bad[i][1]);
    }
    // What is not said but divided by is there all the same.
    const char *why = NULL;
    Machine *m = machine_read(a, "x", "name x\nkind gpu\nsms 1\nwarp 8\n", &why);
    assert_true(m && m->sector > 0 && m->banks > 0 && m->request_lanes == 8 && m->clock > 0 && m->fp32 > 0);
    arena_free(a);
}

static void found(void **state) {
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(machine(a, "h200")->name, "NVIDIA H200");
    assert_string_equal(machine(a, "NVIDIA H200 NVL")->file, "built in: H200.dev");
    assert_int_equal(machine(a, "sm_90")->compute, 90);
    // Known by its name; by its family only; what the driver says goes before the file.
    Machine *m = machine_of(a, &(MachineSeen){.name = "Tesla K20Xm", .kind = "gpu", .compute = 35,
                                              .sms = 14});
    assert_int_equal(m->sms, 14);
    assert_int_equal(m->dram, 208);
    m = machine_of(a, &(MachineSeen){.name = "NVIDIA L4", .kind = "gpu", .compute = 89, .sms = 58,
                                     .clock_khz = 2040000,
                                     .dram = 300});
    assert_string_equal(m->name, "NVIDIA L4");
    assert_int_equal(machine_bandwidth(m), 300); // no file says it, its driver does
    assert_int_equal(m->max_warps_sm, 48);
    assert_int_equal(machine_flops(m, false), 2 * 58 * 128 * 2.04);
    assert_null(m->match);
    m = machine_of(a, &(MachineSeen){.name = "someone's CPU", .kind = "cpu", .sms = 3});
    assert_string_equal(m->kind, "cpu");
    arena_free(a);
}

// ---- occupancy ---------------------------------------------------------------------------------
// Blocks a multiprocessor, as the occupancy calculator gives them.
typedef struct Row {
    const char *machine;
    int64_t threads, registers, shared, blocks;
    OccupancyLimit limit;
} Row;
static const Row rows[] = {
    // Hopper: 64 warps, 65536 registers in 4 parts, 228 KiB of which each block loses 1 KiB.
    {"sm_90", 256, 32, 0, 8, LIMIT_WARPS},
    {"sm_90", 256, 33, 0, 6, LIMIT_REGISTERS},       // 40 * 32 = 1280 a warp: 12 a part, 48 warps
    {"sm_90", 256, 128, 0, 2, LIMIT_REGISTERS},
    {"sm_90", 256, 168, 0, 1, LIMIT_REGISTERS},
    {"sm_90", 128, 168, 0, 3, LIMIT_REGISTERS},      // 5376 a warp: 3 a part, 12 warps
    {"sm_90", 32, 16, 0, 32, LIMIT_BLOCKS},
    {"sm_90", 96, 80, 0, 8, LIMIT_REGISTERS},        // 2560: 6 a part, 24 warps of 3
    {"sm_90", 256, 64, 48 * 1024, 4, LIMIT_REGISTERS},
    {"sm_90", 256, 40, 48 * 1024, 4, LIMIT_SHARED},  // 49 KiB of 228
    {"sm_90", 1024, 64, 0, 1, LIMIT_REGISTERS},
    {"sm_90", 1024, 65, 0, 0, LIMIT_NONE},
    {"sm_90", 128, 32, 227 * 1024, 1, LIMIT_SHARED},
    {"sm_90", 128, 32, 228 * 1024, 0, LIMIT_NONE},
    {"sm_80", 256, 32, 20 * 1024, 7, LIMIT_SHARED},  // 21 KiB of 164
    {"sm_86", 256, 32, 0, 6, LIMIT_WARPS},           // 48 warps
    {"sm_86", 64, 32, 0, 16, LIMIT_BLOCKS},
    {"sm_75", 256, 32, 0, 4, LIMIT_WARPS},           // 32 warps
    {"sm_70", 256, 32, 24 * 1024, 4, LIMIT_SHARED},  // nothing is kept back
    {"sm_60", 256, 40, 0, 6, LIMIT_REGISTERS},       // 2 parts: 25 warps each, 50 of 8
    {"sm_60", 530, 111, 0, 0, LIMIT_NONE},           // 17 warps count as 20 of 3584
    {"sm_61", 256, 40, 0, 6, LIMIT_REGISTERS},       // 4 parts: 12 each, 48
    {"sm_60", 128, 44, 0, 10, LIMIT_REGISTERS},      // 1536 a warp: 21 a part, 42 warps
    {"sm_61", 128, 44, 0, 10, LIMIT_REGISTERS},      // 10 a part, 40 warps
    {"sm_52", 192, 37, 0, 8, LIMIT_REGISTERS},       // 1280: 12 a part, 48 warps of 6
    {"sm_35", 256, 63, 0, 4, LIMIT_REGISTERS},
    {"sm_35", 64, 20, 0, 16, LIMIT_BLOCKS},
    {"sm_35", 256, 30, 12 * 1024, 4, LIMIT_SHARED},
    {"sm_37", 256, 63, 0, 8, LIMIT_WARPS},           // twice the registers
    // Fermi: 32768 registers in units of 64 a warp, 48 warps, 8 blocks.
    {"sm_20", 256, 20, 0, 6, LIMIT_WARPS},
    {"sm_20", 192, 33, 0, 5, LIMIT_REGISTERS},       // 1088 a warp: 15 a part, 30 warps of 6 are 5
    {"sm_20", 64, 10, 0, 8, LIMIT_BLOCKS},
    {"sm_20", 256, 16, 16 * 1024, 3, LIMIT_SHARED},
    // GT200: 16384 registers in units of 512 a block.
    {"sm_13", 256, 16, 0, 4, LIMIT_WARPS},
    {"sm_13", 256, 17, 0, 3, LIMIT_REGISTERS},       // 4352 a block becomes 4608
    {"sm_13", 128, 20, 4096, 4, LIMIT_SHARED},
    {"sm_13", 64, 30, 1088, 8, LIMIT_BLOCKS},
    {"sm_13", 512, 33, 0, 0, LIMIT_NONE},
};

static void tables(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        Occupancy o = occupancy_of(machine(a, r->machine), r->threads, r->registers, r->shared);
        if (o.blocks != r->blocks || o.limit != r->limit)
            fail_msg("%s, %d threads, %d registers, %d bytes: %d blocks, limit %s", r->machine,
                     (int)r->threads, (int)r->registers,
                     (int)r->shared, (int)o.blocks, occupancy_limit_name(o.limit));
        assert_int_equal(o.why != NULL, r->blocks == 0);
    }
    Occupancy o = occupancy_of(machine(a, "H200"), 256, 128, 0);
    assert_int_equal(o.warps, 16);
    assert_true(o.share == 0.25);
    arena_free(a);
}

static void alternatives(void **state) {
    (void)state;
    Arena *a = arena_new();
    const Machine *m = machine(a, "H200");
    OccupancyStep s[64];
    int n = occupancy_steps(m, 256, 128, 0, KNOB_REGISTERS, s, 64);
    // 1 block to 255, 2 to 128, 3 to 80, 4 to 64, 5 to 48, 6 to 40, 8 to 32.
    static const int64_t want[][2] = {{255, 1}, {128, 2}, {80, 3}, {64, 4}, {48, 5}, {40, 6}, {32, 8}};
    assert_int_equal(n, 7);
    for (int i = 0; i < n; i++) {
        assert_int_equal(s[i].value, want[i][0]);
        assert_int_equal(s[i].blocks, want[i][1]);
    }
    n = occupancy_steps(m, 256, 32, 0, KNOB_SHARED, s, 64);
    assert_int_equal(s[n - 1].blocks, 8);
    assert_int_equal(s[n - 1].value, 27 * 1024 + 512 - 128 + 128); // 228 KiB / 8 - 1 KiB
    n = occupancy_steps(m, 256, 32, 0, KNOB_THREADS, s, 64);
    assert_true(n >= 9 && s[0].value == 1024 && s[0].warps == 64);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file),
                                       cmocka_unit_test(every_line_has_a_source), cmocka_unit_test(refused),
                                       cmocka_unit_test(found), cmocka_unit_test(tables),
                                       cmocka_unit_test(alternatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
