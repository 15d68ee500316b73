// SPDX-License-Identifier: MIT
// figures.c -- numbers with their units, and sums over a nest's kernels and an access's copies.
#include "report/report.h"

const char *figure(Arena *a, double x, const char *unit) {
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    int p = 0;
    while (p < 5 && x >= 9999.5) x /= 1000, p++;
    return arena_printf(a, "%.4g%s%s", x, p ? prefixes[p] : *unit ? " " : "", unit);
}

const char *figure_seconds(Arena *a, double s) {
    if (s >= 1) return arena_printf(a, s >= 999.5 ? "%.0f s" : "%.3g s", s);
    if (s >= 1e-3) return arena_printf(a, "%.3g ms", 1e3 * s);
    return s >= 1e-7 || s <= 0 ? arena_printf(a, "%.3g us", 1e6 * s) : arena_printf(a, "%.3g ns", 1e9 * s);
}

const char *figure_percent(Arena *a, double part, double all) {
    return arena_printf(a, "%.0f %%", all > 0 ? 100 * part / all : 0);
}

const char *figure_grid(Arena *a, const KernelCost *k) {
    if (k->grid[2] > 1)
        return arena_printf(a, "%lld x %lld x %lld blocks", (long long)k->grid[0], (long long)k->grid[1],
                            (long long)k->grid[2]);
    if (k->grid[1] > 1)
        return arena_printf(a, "%lld x %lld blocks", (long long)k->grid[0], (long long)k->grid[1]);
    return arena_printf(a, "%lld block%s", (long long)k->grid[0], k->grid[0] == 1 ? "" : "s");
}

double nest_flops(const NestCost *n) {
    double sum = 0;
    for (int i = 0; i < n->nkernels; i++)
        for (const KernelCost *k = n->kernels[i]; k; k = k->next) sum += k->flops * k->launches;
    return sum;
}

double nest_bytes(const NestCost *n) {
    double sum = 0;
    for (int i = 0; i < n->nkernels; i++) {
        const TimeCost *t = &n->times[i];
        sum +=
            (t->dram_bytes > t->compulsory ? t->dram_bytes : t->compulsory) * model_launches(n->kernels[i]);
    }
    return sum;
}

double nest_compulsory(const NestCost *n) {
    double sum = 0;
    for (int i = 0; i < n->nkernels; i++) sum += n->times[i].compulsory * model_launches(n->kernels[i]);
    return sum;
}

bool nest_is_double(const NestCost *n) {
    double single = 0, twice = 0;
    for (int i = 0; i < n->nkernels; i++) {
        single += n->kernels[i]->mix.fp32 * model_launches(n->kernels[i]);
        twice += (n->kernels[i]->mix.fp64 + n->kernels[i]->mix.products) * model_launches(n->kernels[i]);
    }
    return twice > single;
}

const InstructionMix *kernel_mix(Arena *a, const KernelCost *k, const SassMix *code, const char **where) {
    bool known = code && code->known;
    if (known) *where = code->loop ? "machine code, inner loop" : "machine code, all";
    else *where = k->inner_loop ? arena_printf(a, "inner loop %s", k->inner_loop->iter->name) : "all";
    return known ? &code->inner : k->inner_loop ? &k->inner : &k->mix;
}

static bool is_copy(const AccessCost *x, const AccessCost *y) {
    return x->array == y->array && x->write == y->write && x->loc.line == y->loc.line &&
           x->width == y->width && x->strided == y->strided && x->stride == y->stride;
}

bool access_sum(const KernelCost *k, int at, AccessCost *sum) {
    const AccessCost *c = k->accesses[at];
    *sum = *c;
    for (int j = 0; j < k->naccesses; j++) {
        const AccessCost *o = k->accesses[j];
        if (j == at || !is_copy(o, c)) continue;
        if (j < at) return false;
        sum->requests += o->requests, sum->sectors += o->sectors, sum->lines += o->lines;
        sum->useful += o->useful, sum->moved += o->moved, sum->ideal += o->ideal,
            sum->misaligned += o->misaligned;
        sum->wavefronts += o->wavefronts, sum->wavefronts_ideal += o->wavefronts_ideal;
        if (o->ways > sum->ways) sum->ways = o->ways;
        if (o->worst && (!sum->worst || o->worst_cost > sum->worst_cost))
            sum->worst = o->worst, sum->worst_cost = o->worst_cost, sum->worst_thread = o->worst_thread;
    }
    return true;
}

const char *report_level(const Finding *f) {
    return f->code ? report_diag_level(f->level) : f->share >= 0.1 ? "warning" : "note";
}

const char *figure_weight(Arena *a, const Finding *f) {
    if (f->code) return arena_printf(a, "%s SC%04d", diag_level_name(f->level), f->code);
    return arena_printf(a, "%.0f %% of the time", 100 * f->share);
}

const char *figure_findings(Arena *a, const Findings *f) {
    int errors = 0;
    for (int i = 0; i < f->n; i++) errors += f->at[i].code && f->at[i].level == DIAG_ERROR;
    int rest = f->n - errors;
    const char *others = rest ? arena_printf(a, "%d finding%s", rest, rest == 1 ? "" : "s") : "no findings";
    if (!errors) return others;
    return arena_printf(a, "%d error%s%s%s", errors, errors == 1 ? "" : "s", rest ? ", " : "",
                        rest ? others : "");
}

const char *figure_seen(Arena *a, const KernelCost *k) {
    Text t = text_new(a);
    bool blocks = k->blocks_seen < (double)k->blocks, warps = k->warps_seen < (double)k->warps;
    if (blocks) text_printf(&t, "%.0f of %lld blocks", k->blocks_seen, (long long)k->blocks);
    if (warps)
        text_printf(&t, "%s%.0f of %lld warps of each", t.n ? ", " : "", k->warps_seen, (long long)k->warps);
    if (k->loops_cut) text_printf(&t, "%ssome iterations of long loops", t.n ? ", " : "");
    return t.n ? text_str(&t) : NULL;
}

// A `while` has branches of its own, and a loop that is written out has many of one.
static bool is_told(const KernelCost *k, int i) {
    const BranchCost *b = k->guesses[i];
    for (int j = 0; j < k->nguesses && b->loc.line; j++) {
        const BranchCost *o = k->guesses[j];
        bool same = j != i && o->loc.line == b->loc.line && o->loc.col == b->loc.col;
        if (same && (o->loop > b->loop || (o->loop == b->loop && j < i))) return true;
    }
    return false;
}

const char *figure_guesses(Arena *a, const KernelCost *k) {
    enum { MOST = 6 };
    Text t = text_new(a);
    int n = 0;
    for (int i = 0; i < k->nguesses; i++) {
        const BranchCost *b = k->guesses[i];
        if (is_told(k, i) || n++ >= MOST) continue;
        const char *at = b->loc.line ? arena_printf(a, " at %d:%d", b->loc.line, b->loc.col) : "";
        bool dealt = b->loop && b->node->step != 1 && b->node->step != -1;
        if (b->loop)
            text_printf(&t, "%sthe loop over %s%s %s %d %s", t.n ? "; " : "", b->node->iter->name, at,
                        dealt ? "walks" : "makes", MODEL_TRIPS, dealt ? "elements" : "iterations");
        else
            text_printf(&t, "%sthe branch%s is taken%s", t.n ? "; " : "", at,
                        b->node->other ? " by half" : "");
    }
    if (n > MOST) text_printf(&t, "; %d more", n - MOST);
    return t.n ? text_str(&t) : NULL;
}

const char *report_diag_level(DiagLevel l) {
    return l == DIAG_ERROR ? "error" : l == DIAG_WARNING ? "warning" : "note";
}

const char *figure_gain(Arena *a, double x) { return arena_printf(a, x >= 99.5 ? "%.0f" : "%.3g", x); }
