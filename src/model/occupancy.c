// SPDX-License-Identifier: MIT
// occupancy.c -- theoretical occupancy, for each compute capability.
#include "model/occupancy.h"

static int64_t round_up(int64_t x, int64_t unit) { return unit > 1 ? (x + unit - 1) / unit * unit : x; }
static int64_t divide_up(int64_t x, int64_t y) { return (x + y - 1) / y; }

// Registers go to whole blocks: warps are counted in pairs first.
static int64_t by_block_registers(const Machine *m, int64_t warps, int64_t registers) {
    int64_t all = round_up(round_up(warps, m->warp_unit) * registers * m->warp, m->register_unit);
    return m->registers_sm / all;
}

// Each part of a multiprocessor has registers of its own and gives them to warps.
static int64_t by_warp_registers(const Machine *m, int64_t warps, int64_t registers) {
    int64_t parts = m->partitions > 0 ? m->partitions : 1;
    int64_t warp = round_up(registers * m->warp, m->register_unit);
    // One block must fit as if its warps were spread evenly over the parts.
    int64_t spread = round_up(warps, m->block_partitions > 0 ? m->block_partitions : parts);
    if (m->registers_block && warp * spread > m->registers_block) return 0;
    return m->registers_sm / parts / warp * parts / warps;
}

static int64_t by_registers(const Machine *m, int64_t warps, int64_t registers) {
    if (registers <= 0 || m->registers_sm <= 0) return INT64_MAX;
    if (m->registers_thread && registers > m->registers_thread) return 0;
    return str_eq(m->register_to, "block") ? by_block_registers(m, warps, registers)
                                           : by_warp_registers(m, warps, registers);
}

static int64_t by_shared(const Machine *m, int64_t shared) {
    int64_t most = machine_shared(m);
    if (most && shared > most) return 0;
    int64_t all = round_up(shared + m->shared_reserved, m->shared_unit);
    return all > 0 && m->shared_sm > 0 ? m->shared_sm / all : INT64_MAX;
}

static const char *too_much(OccupancyLimit l) {
    static const char *const names[LIMIT_COUNT] = {
        [LIMIT_WARPS] = "more threads than a block may have",
        [LIMIT_BLOCKS] = "the machine's file says no number of blocks",
        [LIMIT_REGISTERS] = "more registers than a block or thread may have",
        [LIMIT_SHARED] = "more shared memory than a block may have"};
    return names[l];
}

Occupancy occupancy_of(const Machine *m, int64_t threads, int64_t registers, int64_t shared) {
    Occupancy o = {0};
    int64_t warps = divide_up(threads > 0 ? threads : 1, m->warp);
    int64_t warps_sm = m->max_warps_sm > 0 ? m->max_warps_sm : warps;
    o.by[LIMIT_NONE] = INT64_MAX;
    o.by[LIMIT_WARPS] = m->max_threads && threads > m->max_threads ? 0 : warps_sm / warps;
    o.by[LIMIT_BLOCKS] = m->max_blocks_sm > 0 ? m->max_blocks_sm : INT64_MAX;
    o.by[LIMIT_REGISTERS] = by_registers(m, warps, registers);
    o.by[LIMIT_SHARED] = by_shared(m, shared);
    o.blocks = INT64_MAX;
    for (int l = LIMIT_WARPS; l < LIMIT_COUNT; l++)
        if (o.by[l] < o.blocks) o.blocks = o.by[l], o.limit = (OccupancyLimit)l;
    if (o.blocks == 0) o.why = too_much(o.limit), o.limit = LIMIT_NONE;
    o.warps = o.blocks * warps;
    o.share = (double)o.warps / (double)warps_sm;
    return o;
}

const char *occupancy_limit_name(OccupancyLimit l) {
    static const char *const names[LIMIT_COUNT] = {"none", "warps", "blocks", "registers", "shared memory"};
    return names[l];
}

// ---- alternatives ------------------------------------------------------------------------------
static Occupancy with(const Machine *m, int64_t v[3], OccupancyKnob knob, int64_t value) {
    int64_t x[3] = {v[0], v[1], v[2]};
    x[knob] = value;
    return occupancy_of(m, x[0], x[1], x[2]);
}

int occupancy_steps(const Machine *m, int64_t threads, int64_t registers, int64_t shared, OccupancyKnob knob,
                    OccupancyStep *out, int max) {
    int64_t now[3] = {threads, registers, shared};
    int64_t most = knob == KNOB_THREADS     ? m->max_threads
                   : knob == KNOB_REGISTERS ? m->registers_thread
                                            : machine_shared(m);
    int64_t unit = knob == KNOB_THREADS     ? m->warp
                   : knob == KNOB_REGISTERS ? 1
                   : m->shared_unit > 0     ? m->shared_unit
                                            : 1;
    int64_t least = knob == KNOB_SHARED ? 0 : unit;
    int n = 0;
    for (int64_t v = most; v >= least && n < max; v -= unit) {
        Occupancy o = with(m, now, knob, v);
        bool news = knob == KNOB_THREADS ? v % (4 * unit) == 0 || v <= 2 * unit
                                         : n == 0 || o.warps > out[n - 1].warps;
        if (o.blocks > 0 && news) out[n++] = (OccupancyStep){v, o.blocks, o.warps};
    }
    return n;
}
