// SPDX-License-Identifier: MIT
// time.c -- how long a launch takes: what each part of the machine needs, and the longest of them.
#include "model/traffic.h"
#include <math.h>

// How parts of the machine that are nearly as busy add up (the exponent of a norm), and what the
// first-level cache loses against one line a cycle: fitted to 59 kernels of the ladders and examples,
// timed on an H200.
enum { CROWDED_PERCENT = 110 };
static const double MIXING = 4;

const char *limit_name(Limit l) {
    static const char *const names[BOUND_COUNT] = {"instruction issue", "single-precision units", "double-precision units",
                                                   "first-level cache and shared memory", "last-level cache", "device memory", "latency"};
    return names[l];
}

static double over(double x, double y) { return y > 0 ? x / y : 0; }

// Cycles of the first-level cache: a line looked up, or what it gives in one go.
static double l1_cycles(const KernelCost *k, const Machine *m, const bool *cured) {
    double cycles = 0;
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        bool good = cured && cured[i];
        double lines = good ? over(c->ideal * (double)m->sector, (double)m->line) : c->lines;
        double bytes = (good ? c->ideal : c->sectors) * (double)m->sector;
        if (lines < c->requests) lines = c->requests;
        cycles += c->shared ? (good ? c->wavefronts_ideal : c->wavefronts) : fmax(lines, over(bytes, m->l1_rate));
    }
    return cycles;
}

// Loads that a warp has under way together: those of one innermost loop, as often as it is unrolled.
static double under_way(const KernelCost *k) {
    enum { HABIT = 4, MOST = 16 };
    double loads = 0;
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        bool inside = !k->inner_loop;
        for (int d = 0; d < c->ndims; d++) inside = inside || c->dims[d].loop == k->inner_loop;
        loads += inside && !c->write && !c->shared;
    }
    double unrolled = k->inner_loop ? (k->inner_loop->unroll > 1 ? k->inner_loop->unroll : HABIT) : 1;
    loads *= unrolled;
    return loads < 1 ? 1 : loads > MOST ? MOST : loads;
}

// Each load takes its latency; the warps of a multiprocessor wait side by side.
static double latency_cycles(const KernelCost *k, const Machine *m, const Traffic *t, double warps) {
    double requests = 0, bytes = 0, shared = 0;
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        if (c->write) continue;
        if (c->shared) shared += c->requests;
        else requests += c->requests, bytes += c->moved;
    }
    double from_dram = fmin(1, over(t->dram, bytes)), from_l2 = fmin(1, over(t->waited, bytes));
    double wait = m->latency_l1 + from_l2 * (m->latency_l2 - m->latency_l1) + from_dram * (m->latency_dram - m->latency_l2);
    return (requests * wait + shared * m->latency_shared) / (under_way(k) * warps);
}

static void ceilings(TimeCost *t, const KernelCost *k, const Machine *m, const Traffic *traffic, const bool *cured) {
    double cycle = 1e-6 / m->clock, sms = (double)m->sms, blocks = (double)k->blocks;
    double busiest = ceil(blocks / sms) / blocks;         // the part of the work that one multiprocessor has
    double rate32 = 2e-3 * sms * (double)m->fp32 * m->clock, fit = over(machine_flops(m, false), rate32);
    double warps = fmin((double)t->occupancy.warps, ceil(blocks / sms) * (double)k->warps);
    t->by[BOUND_ISSUE] = mix_total(&k->mix) * busiest / (double)m->schedulers * cycle / fit;
    t->by[BOUND_FP32] = (k->mix.fp32 + k->mix.special) * (double)m->warp * busiest / (double)m->fp32 * cycle / fit;
    t->by[BOUND_FP64] = k->mix.fp64 * (double)m->warp * busiest / (double)(m->fp64 > 0 ? m->fp64 : 1) * cycle / fit;
    t->by[BOUND_L1] = l1_cycles(k, m, cured) * busiest * cycle * CROWDED_PERCENT / 100;
    t->by[BOUND_L2] = over(traffic->l2, m->l2_rate * 1e9);
    t->by[BOUND_DRAM] = over(traffic->dram, machine_bandwidth(m) * 1e9);
    t->by[BOUND_LATENCY] = latency_cycles(k, m, traffic, warps > 0 ? warps : 1) * busiest * cycle;
}

// The longest, and a little more: parts that are nearly as busy get in each other's way.
static double together(const double by[BOUND_COUNT], Limit *limit) {
    double most = 0, sum = 0;
    for (int b = 0; b < BOUND_COUNT; b++)
        if (by[b] > most) most = by[b], *limit = (Limit)b;
    for (int b = 0; b < BOUND_COUNT; b++) sum += most > 0 ? pow(by[b] / most, MIXING) : 0;
    return most * pow(sum, 1 / MIXING);
}

double model_without(const TimeCost *t, Limit part, double less) {
    double by[BOUND_COUNT];
    Limit limit = BOUND_ISSUE;
    for (int b = 0; b < BOUND_COUNT; b++) by[b] = t->by[b];
    by[part] *= 1 - less;
    if (part == BOUND_ISSUE) by[BOUND_FP32] *= 1 - less, by[BOUND_FP64] *= 1 - less;
    return t->launch + together(by, &limit);
}

TimeCost model_time(const KernelCost *k, const Machine *m, int64_t registers, const bool *cured) {
    TimeCost t = {.registers = registers};
    if (k->refused || k->blocks < 1) return t;
    t.occupancy = occupancy_of(m, k->threads, registers, k->shared);
    Traffic traffic = traffic_of(k, m, t.occupancy.blocks, cured);
    ceilings(&t, k, m, &traffic, cured);
    t.launch = m->launch * 1e-6;
    t.seconds = t.launch + together(t.by, &t.limit);
    t.l2_bytes = traffic.l2;
    t.dram_bytes = traffic.dram;
    t.compulsory = traffic.compulsory;
    t.intensity = over(k->flops, traffic.compulsory);
    bool f64 = k->mix.fp64 > k->mix.fp32;
    t.roof = fmax(over(k->flops, machine_flops(m, f64) * 1e9), over(traffic.compulsory, machine_bandwidth(m) * 1e9));
    return t;
}
