// SPDX-License-Identifier: MIT
// time.c -- how long a launch takes: what each part of the machine needs, and the longest of them.
#include "model/traffic.h"
#include <math.h>

// How what is busy and what waits add up: the exponent of a norm, 1 for one after the other, more for side by
// side. (Chosen on the ladders, the examples and the notes, timed on an H200; bench/unseen stood aside. The
// constants of the machine are in its file; so is how busy parts of it add up.)
static const double WAITING = 2;
enum { FULL = 4 }; // warps of a scheduler that fill each other's pauses; more make no difference

const char *limit_name(Limit l) {
    static const char *const names[BOUND_COUNT] = {"instruction issue", "single-precision units",
                                                   "double-precision units", "special-function units",
                                                   "first-level cache and shared memory", "last-level cache",
                                                   "device memory", "giving out blocks", "latency"};
    return names[l];
}

static double over(double x, double y) { return y > 0 ? x / y : 0; }

bool access_is_hot(const AccessCost *c) {
    bool hot = c->atomic && c->write && !c->shared && !c->assumed;
    for (int d = 0; d < c->ndims && hot; d++)
        hot = c->dims[d].known && (c->dims[d].stride == 0 || c->dims[d].trips <= 1);
    return hot;
}

double time_l1_cycles(const KernelCost *k, int i, const Machine *m, bool good) {
    const AccessCost *c = k->accesses[i];
    if (good && c->local) return 0; // it is in registers then
    if (c->constant) return good ? 0 : c->wavefronts - c->requests;
    double lines = good ? over(c->ideal * (double)m->sector, (double)m->line) : c->lines;
    double bytes = (good ? c->ideal : c->sectors) * (double)m->sector;
    double each = fmax(1, m->l1_request) + (c->async && !c->shared && c->width < 16 ? m->async_word : 0);
    double least = c->requests * each, passes = good ? c->wavefronts_ideal : c->wavefronts;
    return fmax(least, c->shared ? passes : fmax(lines, over(bytes, m->l1_rate)));
}

// Cycles of the first-level cache: a line looked up, or what it gives in one go.
static double l1_cycles(const KernelCost *k, const Machine *m, const bool *cured) {
    // each word out and in once, at least
    double cycles = 0, spills = 2.0 * (double)(k->spilled / 4) * (double)k->warps * (double)k->blocks;
    cycles = fmax(spills, k->spills) * fmax(1, m->l1_request);
    for (int i = 0; i < k->naccesses; i++) cycles += time_l1_cycles(k, i, m, cured && cured[i]);
    return cycles;
}

// A block's path, longer or shorter as loads come from farther or nearer than it was followed for.
static double path_cycles(const KernelCost *k, const Traffic *t, const Machine *m) {
    return k->path_near + (k->path - k->path_near) * over(traffic_far(t, m), k->far);
}

// How often a multiprocessor has a block's path behind the other: its blocks over those that fit together.
// While they are few all of a round begin and end together.
static double rounds(double blocks, double fit) {
    enum { TOGETHER = 3 };
    double n = fit > 0 ? blocks / fit : 1;
    return n <= TOGETHER ? ceil(n) : n;
}

// Those that have something to do; where there are few of them, what the others do counts, too.
static double busy_blocks(const KernelCost *k, const Machine *m) {
    return fmax(fmin((double)k->blocks, (double)m->sms), (double)k->blocks - k->idle);
}

static double blocks_together(const KernelCost *k, const Machine *m, int64_t fit) {
    return fmin((double)(fit > 0 ? fit : 1), ceil(busy_blocks(k, m) / (double)m->sms));
}

// Warps at work on a multiprocessor that is busy, for each of its schedulers.
static double warps_together(const KernelCost *k, const Machine *m, int64_t fit) {
    return blocks_together(k, m, fit) * (double)k->warps / (double)m->schedulers;
}

// Work of a multiprocessor's busiest scheduler over that of all of them in the mean: it has whole warps, and
// blocks begin anew only where others end.
static double uneven(const KernelCost *k, const Machine *m, int64_t fit) {
    double busiest = ceil(busy_blocks(k, m) / (double)m->sms), warps = (double)k->warps,
           all = (double)m->schedulers;
    double most = fmin((double)(fit > 0 ? fit : 1), busiest), full = floor(busiest / most);
    double have = full * ceil(most * warps / all) + ceil((busiest - full * most) * warps / all);
    return fmax(k->uneven, have * all / (busiest * warps));
}

// The last-level cache changes a word for one request a cycle.
static double atomic_cycles(const KernelCost *k, const bool *cured) {
    double n = 0;
    for (int i = 0; i < k->naccesses; i++)
        if (!(cured && cured[i]) && access_is_hot(k->accesses[i])) n += k->accesses[i]->requests;
    return n;
}

static void ceilings(TimeCost *t, const KernelCost *k, const Machine *m, const Traffic *traffic,
                     const bool *cured) {
    double cycle = 1e-6 / m->clock, sms = (double)m->sms, blocks = busy_blocks(k, m);
    double busiest = ceil(blocks / sms) / blocks;         // the part of the work that one multiprocessor has
    double rate32 = 2e-3 * sms * (double)m->fp32 * m->clock, fit = over(machine_flops(m, false), rate32);
    double most = uneven(k, m, t->occupancy.blocks);
    t->by[BOUND_ISSUE] = mix_total(&k->mix) * most * busiest / (double)m->schedulers * cycle / fit;
    t->by[BOUND_FP32] = k->mix.fp32 * most * (double)m->warp * busiest / (double)m->fp32 * cycle / fit;
    double doubles = k->mix.fp64 / (double)(m->fp64 > 0 ? m->fp64 : 1);
    doubles += over(k->mix.products, (double)m->matrix64);
    t->by[BOUND_FP64] = doubles * (double)m->warp * busiest * cycle / fit;
    t->by[BOUND_SPECIAL] =
        m->sfu > 0 ? k->mix.special * most * (double)m->warp * busiest / (double)m->sfu * cycle : 0;
    t->by[BOUND_L1] = l1_cycles(k, m, cured) * busiest * cycle;
    double whole = traffic->l2 - (m->l2_store > 0 ? traffic->partial * (double)m->sector : 0);
    t->by[BOUND_L2] = over(whole, m->l2_rate * 1e9) +
                      fmax(over(traffic->partial, m->l2_store), over(traffic->lines, m->l2_lines)) * cycle;
    t->by[BOUND_L2] += atomic_cycles(k, cured) * cycle;
    t->by[BOUND_DRAM] = over(traffic->dram, machine_bandwidth(m) * 1e9);
    t->ends[BOUND_L2] = over(traffic->ends_l2, m->l2_rate * 1e9);
    t->ends[BOUND_DRAM] = over(traffic->ends_dram, machine_bandwidth(m) * 1e9);
    t->by[BOUND_BLOCKS] = over((double)k->blocks, m->block_rate) * cycle;
    t->by[BOUND_LATENCY] =
        path_cycles(k, traffic, m) * rounds(ceil(blocks / sms), (double)t->occupancy.blocks) * cycle;
}

static double norm(int n, const double x[], double exponent) {
    double most = 0, sum = 0;
    for (int i = 0; i < n; i++) most = fmax(most, x[i]);
    for (int i = 0; i < n && most > 0; i++) sum += pow(x[i] / most, exponent);
    return most > 0 ? most * pow(sum, 1 / exponent) : 0;
}

// The longest, and a little more: parts that are nearly as busy get in each other's way, the more the fewer
// warps there are to fill one's pauses. Units of arithmetic don't: what they do was issued.
static double together(const TimeCost *t, const double by[BOUND_COUNT], Limit *limit) {
    double most = 0, busy[BOUND_COUNT] = {0}, ends = 0, least = 0;
    for (int b = 0; b < BOUND_COUNT; b++)
        if (by[b] > most) most = by[b], *limit = (Limit)b;
    for (int b = 0; b < BOUND_LATENCY; b++) {
        double end = fmin(t->ends[b], by[b]);
        Limit as = b <= BOUND_SPECIAL ? BOUND_ISSUE : (Limit)b;
        busy[as] = fmax(busy[as], by[b] - end), ends = fmax(ends, end);
        least = fmax(least, by[b]); // a part's ends and the rest are work of that one part
    }
    double work = norm(2, (double[]){norm(BOUND_LATENCY, busy, t->mixing), ends}, t->staggered);
    work = fmax(work, least);
    return norm(2, (double[]){work, by[BOUND_LATENCY]}, WAITING);
}

double model_without(const TimeCost *t, Limit part, double less) {
    double by[BOUND_COUNT];
    Limit limit = BOUND_ISSUE;
    for (int b = 0; b < BOUND_COUNT; b++) by[b] = t->by[b];
    by[part] *= 1 - less;
    if (part == BOUND_ISSUE)
        by[BOUND_FP32] *= 1 - less, by[BOUND_FP64] *= 1 - less, by[BOUND_SPECIAL] *= 1 - less;
    return t->launch + t->start + together(t, by, &limit);
}

static TimeCost time_of(const KernelCost *k, const Machine *m, int64_t registers, const bool *cured) {
    TimeCost t = {.registers = registers};
    if (k->refused || k->blocks < 1) return t;
    int64_t least = registers > 0 ? registers : k->held / 4; // of 32 bits
    t.occupancy = occupancy_of(m, k->threads, least, k->shared);
    Traffic traffic = traffic_of(k, m, t.occupancy.blocks, cured);
    ceilings(&t, k, m, &traffic, cured);
    t.mixing = m->overlap + m->overlap_warp * fmin(warps_together(k, m, t.occupancy.blocks), FULL);
    t.staggered = 1 + m->stagger * (blocks_together(k, m, t.occupancy.blocks) - 1);
    bool graph = (k->noted || k->chained) && m->launch_graph > 0;
    t.start = graph ? 0 : m->start * 1e-6; // its kernels are fetched while others run
    double work = t.start + together(&t, t.by, &t.limit), each = m->launch * 1e-6;
    if (graph) each = (k->chained && m->chain > 0 ? m->chain : m->launch_graph) * 1e-6;
    // The host sends the next one while this one works.
    t.launch = k->launches > 1 ? fmax(each - work, m->launch_graph * 1e-6) : fmax(0, each - t.start);
    t.seconds = t.launch + work;
    t.l2_bytes = traffic.l2;
    t.dram_bytes = traffic.dram;
    t.compulsory = traffic.compulsory;
    t.intensity = over(k->flops, traffic.compulsory);
    bool f64 = k->mix.fp64 + k->mix.products > k->mix.fp32;
    double flops = k->mix.products > k->mix.fp64 ? machine_matrix_flops(m) : machine_flops(m, f64);
    t.roof = fmax(over(k->flops, flops * 1e9),
                  over(traffic.compulsory, machine_bandwidth(m) * 1e9));
    return t;
}

TimeCost model_time(const KernelCost *k, const Machine *m, int64_t registers, const bool *cured) {
    TimeCost t = time_of(k, m, registers, cured);
    for (const KernelCost *o = k; o; o = o->next)
        t.all += (o == k ? t.seconds : time_of(o, m, registers, NULL).seconds) * o->launches;
    return t;
}

double model_launches(const KernelCost *k) {
    double n = 0;
    for (; k; k = k->next) n += k->launches;
    double whole = floor(n + 0.5);
    return fabs(n - whole) < 1e-9 * whole ? whole : n; // weights are fractions
}
