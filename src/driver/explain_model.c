// SPDX-License-Identifier: MIT
// explain_model.c -- `sculpt explain`: what a nest costs on a machine, for people.
#include "driver/explain_model.h"

static const char *quantity(Arena *a, double x, const char *unit) {
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    int p = 0;
    while (p < 5 && x >= 9999.5) x /= 1000, p++;
    return arena_printf(a, "%.4g%s%s", x, p ? prefixes[p] : " ", unit);
}

static const char *seconds(Arena *a, double s) {
    if (s >= 1) return arena_printf(a, "%.3g s", s);
    return s >= 1e-3 ? arena_printf(a, "%.3g ms", 1e3 * s) : arena_printf(a, "%.3g us", 1e6 * s);
}

static const char *percent(Arena *a, double part, double all) { return arena_printf(a, "%.0f %%", all > 0 ? 100 * part / all : 0); }

// ---- a kernel ---------------------------------------------------------------------------------------
static void put_occupancy(Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m) {
    const Occupancy *o = &t->occupancy;
    printf("      occupancy    %lld blocks, %lld of %lld warps a multiprocessor (%.0f %%), limited by %s", (long long)o->blocks,
           (long long)o->warps, (long long)m->max_warps_sm, 100 * o->share, o->blocks ? occupancy_limit_name(o->limit) : o->why);
    if (k->shared) printf("; %lld bytes of shared memory a block", (long long)k->shared);
    if (t->registers) printf("; %lld registers a thread\n", (long long)t->registers);
    else printf("; registers not known (--registers asks the compiler)\n");
    printf("                   blocks: %s\n", model_occupancy_table(a, k, t, m, KNOB_REGISTERS));
    if (k->shared) printf("                   blocks: %s\n", model_occupancy_table(a, k, t, m, KNOB_SHARED));
}

// Copies of one access (unrolled, or in a pipeline's stages) as one: their sum. False: c was in one before.
static bool sum_up(const KernelCost *k, int at, AccessCost *sum) {
    const AccessCost *c = k->accesses[at];
    *sum = *c;
    for (int j = 0; j < k->naccesses; j++) {
        const AccessCost *o = k->accesses[j];
        bool same = o->array == c->array && o->write == c->write && o->loc.line == c->loc.line && o->width == c->width && o->strided == c->strided &&
                    o->stride == c->stride;
        if (!same || j == at) continue;
        if (j < at) return false;
        sum->requests += o->requests, sum->sectors += o->sectors, sum->lines += o->lines, sum->useful += o->useful, sum->moved += o->moved;
        sum->wavefronts += o->wavefronts, sum->wavefronts_ideal += o->wavefronts_ideal;
    }
    return true;
}

static void put_access(Arena *a, const AccessCost *c) {
    printf("      %-5s %-28s ", c->write ? "store" : "load", c->text);
    if (c->shared)
        printf("%5.2f wavefronts a request (%.2f without conflicts)", c->wavefronts / c->requests, c->wavefronts_ideal / c->requests);
    else
        printf("%5.2f sectors, %5.2f lines a request; %s of the bytes used", c->sectors / c->requests, c->lines / c->requests,
               percent(a, c->useful, c->moved));
    printf(", %d byte%s a lane, %s requests%s\n", c->width, c->width == 1 ? "" : "s", quantity(a, c->requests, ""), c->assumed ? " (assumed: data decide)" : "");
}

// The instruction mix: of the machine code where it was looked at, else of the tree.
static void put_mix(Arena *a, const KernelCost *k, const SassMix *code) {
    const InstructionMix *i = code ? &code->inner : k->inner_loop ? &k->inner : &k->mix;
    double all = mix_total(i);
    const char *loop = code ? (code->loop ? "inner loop" : "all") : k->inner_loop ? arena_printf(a, "inner loop %s", k->inner_loop->iter->name) : "all";
    printf("      instructions %s: %s arithmetic, %s memory, %s addresses, %s control", loop, percent(a, i->fp32 + i->fp64 + i->special, all),
           percent(a, i->global + i->shared, all), percent(a, i->integer, all), percent(a, i->control, all));
    printf(" (%s); %.1f %% of the lanes at work\n", code ? "machine code" : "from the tree", 100 * k->efficiency);
}

static void put_kernel(Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m, const SassMix *code) {
    printf("    %s: %lld x %lld x %lld blocks of %lld threads", k->name, (long long)k->grid[0], (long long)k->grid[1], (long long)k->grid[2], (long long)k->threads);
    if (k->launches != 1) printf(", launched %.4g times", k->launches);
    if (k->refused) return (void)printf(": nothing can be said: %s\n", k->refused);
    printf("\n      predicted    %s a launch, for want of %s", seconds(a, t->seconds), limit_name(t->limit));
    if (k->flops > 0) printf("; %s", quantity(a, k->flops / t->seconds, "flop/s"));
    printf("; %s\n", quantity(a, t->compulsory / t->seconds, "B/s of what must move"));
    printf("      roofline     %s, %s at least (%.3g flop a byte): %s at the ceilings\n", quantity(a, k->flops, "flop"),
           quantity(a, t->compulsory, "B"), t->intensity, seconds(a, t->roof));
    put_occupancy(a, k, t, m);
    put_mix(a, k, code && code->known ? code : NULL);
    for (int j = 0; j < k->naccesses; j++) {
        AccessCost sum;
        if (sum_up(k, j, &sum)) put_access(a, &sum);
    }
}

// ---- findings -----------------------------------------------------------------------------------------
static void put_finding(Arena *a, int number, const Finding *f) {
    printf("    %2d. %s: %s: %s", number, show_loc(a, f->loc), finding_name(f->kind), f->text);
    printf(" (%.0f %% of the time)%s\n", 100 * f->share, f->assumed ? " [assumed]" : "");
    if (f->cure) printf("        %s: %s\n", f->step ? "step" : "cure", f->cure);
}

static void put_advised(Compile *c, const Advice *d, const Advised *v) {
    Arena *a = c->arena;
    if (v->why) return (void)printf("  on %s: %s\n\n", d->m->name, v->why);
    printf("  on %s%s%s%s\n", d->m->name, *v->sizes ? ", " : "", v->sizes, v->guessed ? " (--arg NAME=VALUE chooses, --machine another machine)" : "");
    if (v->compiler) printf("    registers are not known: %s\n", v->compiler);
    for (int k = 0; k < v->cost->nkernels; k++) put_kernel(a, v->cost->kernels[k], &v->cost->times[k], d->m, v->code ? &v->code[k] : NULL);
    printf("    in all %s: %.4g launch%s, %.4g of them dependent, %.4g read-backs\n", seconds(a, v->cost->seconds), v->cost->launches,
           v->cost->launches == 1 ? "" : "es", v->cost->dependent, v->cost->read_backs);
    puts(v->findings.n ? "\n  findings" : "\n  no findings");
    for (int k = 0; k < v->findings.n; k++) put_finding(a, k + 1, &v->findings.at[k]);
    putchar('\n');
}

void advice_put(Compile *c, const Advice *d, const Part *p) {
    Advised *v = advice_of(c, d, p);
    if (v) put_advised(c, d, v);
}

void advice_put_nest(Compile *c, const Advice *d, Nest *n) {
    Advised *v = advice_nest(c, d, n);
    if (v) put_advised(c, d, v);
}
