// SPDX-License-Identifier: MIT
// text.c -- a report for a terminal.
#include "report/report.h"
#include "model/maps.h"
#include <string.h>

// ---- facts ---------------------------------------------------------------------------------------------
static void put_table(FILE *out, const FactTable *t) {
    enum { MOST = 34 };
    int width[FACT_COLUMNS] = {0};
    for (int i = 0; i < t->rows.n; i++)
        for (int k = 0; k + 1 < t->ncols; k++) {
            int n = t->rows.at[i].cell[k] ? (int)strlen(t->rows.at[i].cell[k]) : 0;
            if (n > width[k] && n <= MOST) width[k] = n;
        }
    fprintf(out, "\n  %s\n", t->title);
    for (int i = 0; i < t->rows.n; i++) {
        const FactRow *r = &t->rows.at[i];
        int last = t->ncols - 1;
        while (last > 0 && (!r->cell[last] || !*r->cell[last])) last--;
        fputs("    ", out);
        for (int k = 0; k < last; k++) fprintf(out, "%-*s  ", width[k], r->cell[k] ? r->cell[k] : "");
        fprintf(out, "%s\n", r->cell[last] ? r->cell[last] : "");
    }
    if (!t->rows.n && t->none) fprintf(out, "    %s\n", t->none);
}

// ---- a kernel ------------------------------------------------------------------------------------------
static void put_occupancy(FILE *out, Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m) {
    const Occupancy *o = &t->occupancy;
    fprintf(out,
            "      occupancy    %lld blocks, %lld of %lld warps a multiprocessor (%.0f %%), limited by %s",
            (long long)o->blocks, (long long)o->warps, (long long)m->max_warps_sm, 100 * o->share,
            o->blocks ? occupancy_limit_name(o->limit) : o->why);
    if (k->shared) fprintf(out, "; %lld bytes of shared memory a block", (long long)k->shared);
    if (t->registers) fprintf(out, "; %lld registers a thread\n", (long long)t->registers);
    else fprintf(out, "; registers not known (--registers asks the compiler)\n");
    fprintf(out, "                   blocks: %s\n", model_occupancy_table(a, k, t, m, KNOB_THREADS));
    fprintf(out, "                   blocks: %s\n", model_occupancy_table(a, k, t, m, KNOB_REGISTERS));
    if (k->shared)
        fprintf(out, "                   blocks: %s\n", model_occupancy_table(a, k, t, m, KNOB_SHARED));
}

static void put_access(FILE *out, Arena *a, const Machine *m, const AccessCost *c) {
    fprintf(out, "      %-5s %-28s ", c->write ? "store" : "load", c->text);
    if (c->constant)
        fprintf(out, "%5.2f elements a request (constant memory gives one at a time)",
                c->wavefronts / c->requests);
    else if (c->shared)
        fprintf(out, "%5.2f wavefronts a request (%.2f without conflicts)", c->wavefronts / c->requests,
                c->wavefronts_ideal / c->requests);
    else
        fprintf(out, "%5.2f sectors, %5.2f lines a request; %s of the bytes used", c->sectors / c->requests,
                c->lines / c->requests, figure_percent(a, c->useful, c->moved));
    if (c->local) fputs(" (local memory)", out);
    fprintf(out, ", %d byte%s a lane, %s requests%s\n", c->width, c->width == 1 ? "" : "s",
            figure(a, c->requests, ""),
            !c->assumed ? ""
            : c->shared ? " (assumed: data decide)"
                        : arena_printf(a, " (data decide: from %.3g sectors)", c->ideal / c->requests));
    int64_t pad = c->shared && c->wavefronts > 1.02 * c->wavefronts_ideal ? model_padding(m, c) : 0;
    if (pad) fprintf(out, "            with rows %lld elements longer without conflicts\n", (long long)pad);
}

static void put_parts(FILE *out, Arena *a, const TimeCost *t) {
    fprintf(out, "      each alone   launch %s", figure_seconds(a, t->launch));
    for (int b = 0; b < BOUND_COUNT; b++)
        if (t->by[b] > 0.01 * t->seconds)
            fprintf(out, ", %s %s", limit_name((Limit)b), figure_seconds(a, t->by[b]));
    fputs("\n", out);
}

static void put_mix(FILE *out, Arena *a, const KernelCost *k, const SassMix *code) {
    const char *where;
    const InstructionMix *i = kernel_mix(a, k, code, &where);
    double all = mix_total(i);
    fprintf(out, "      instructions %s: %s arithmetic, %s memory, %s addresses, %s control", where,
            figure_percent(a, mix_work(i), all), figure_percent(a, i->global + i->shared, all),
            figure_percent(a, i->integer, all), figure_percent(a, i->control, all));
    fprintf(out, "%s; %.1f %% of the lanes at work\n", code && code->known ? "" : " (from the tree)",
            100 * k->efficiency);
}

static void put_kernel(FILE *out, Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m,
                       const SassMix *code) {
    fprintf(out, "    %s: %s of %lld threads", k->name, figure_grid(a, k), (long long)k->threads);
    if (model_launches(k) != 1) fprintf(out, ", launched %.4g times", model_launches(k));
    if (k->refused) return (void)fprintf(out, ": nothing can be said: %s\n", k->refused);
    fprintf(out, "\n      predicted    %s a launch, for want of %s", figure_seconds(a, t->seconds),
            limit_name(t->limit));
    if (k->flops > 0) fprintf(out, "; %s", figure(a, k->flops / t->seconds, "flop/s"));
    fprintf(out, "; %s of what must move\n", figure(a, t->compulsory / t->seconds, "B/s"));
    const char *guesses = figure_guesses(a, k), *seen = figure_seen(a, k);
    if (guesses) fprintf(out, "      assumed      %s: only the data tell\n", guesses);
    if (seen)
        fprintf(out, "      followed     %s; sums are those of all, as they would be with these\n", seen);
    put_parts(out, a, t);
    fprintf(out, "      roofline     %s, %s at least (%.3g flop a byte): %s at the ceilings\n",
            figure(a, k->flops, "flop"), figure(a, t->compulsory, "B"), t->intensity,
            figure_seconds(a, t->roof));
    put_occupancy(out, a, k, t, m);
    put_mix(out, a, k, code);
    for (int j = 0; j < k->naccesses; j++) {
        AccessCost sum;
        if (access_sum(k, j, &sum)) put_access(out, a, m, &sum);
    }
}

// ---- findings and the way there ------------------------------------------------------------------------
static const char *place(Arena *a, Loc loc) {
    return loc.file ? arena_printf(a, "%s:%d:%d", loc.file, loc.line, loc.col) : "(no place)";
}

static void put_findings(FILE *out, Arena *a, const Advised *v) {
    fputs(v->findings.n ? "\n  findings\n" : "\n  no findings\n", out);
    for (int k = 0; k < v->findings.n; k++) {
        const Finding *f = &v->findings.at[k];
        fprintf(out, "    %2d. %s: %s: %s", k + 1, place(a, f->loc), finding_name(f->kind), f->text);
        fprintf(out, " (%s)%s\n", figure_weight(a, f), f->assumed ? " [assumed]" : "");
        if (f->cure) fprintf(out, "        %s: %s\n", f->step ? "step" : "cure", f->cure);
    }
}

static void put_rungs(FILE *out, Arena *a, const Subject *s) {
    double last = 0;
    if (s->rungs.n) fprintf(out, "\n  %s\n", s->ladder);
    for (int i = 0; i < s->rungs.n; i++) {
        const Rung *r = &s->rungs.at[i];
        fprintf(out, "    %3d %10s", r->number, r->seconds > 0 ? figure_seconds(a, r->seconds) : "-");
        if (r->seconds > 0 && last > 0) fprintf(out, " %8sx", figure_gain(a, last / r->seconds));
        else fprintf(out, " %9s", "");
        fprintf(out, "  %s%s%s\n", r->step, r->verdict ? "   # " : "", r->verdict ? r->verdict : "");
        if (r->seconds > 0) last = r->seconds;
    }
    if (s->no_rungs) fprintf(out, "\n  no ladder: %s\n", s->no_rungs);
}

static void put_fix(FILE *out, Arena *a, const Suggestion *f) {
    if (!f) return;
    fprintf(out, "\n  --fix: %s", f->recipe ? f->helps ? "helps" : "does not help" : "no recipe");
    if (f->recipe && f->before > 0)
        fprintf(out, ", %s before, %s after", figure_seconds(a, f->before), figure_seconds(a, f->after));
    fprintf(out, "%s%s\n", f->why ? ": " : "", f->why ? f->why : "");
}

// The answer before its reasons.
static void put_summary(FILE *out, Arena *a, const Report *r, const Subject *s) {
    const Advised *v = s->now;
    if (!v) return (void)fprintf(out, "  stays on the host%s\n", s->host_why ? "" : "; the remark says why");
    if (v->why) return;
    fprintf(out, "  predicted %s on %s%s%s; %s; ", figure_seconds(a, v->cost->seconds), r->m->name,
            *v->sizes ? " at " : "", v->sizes, v->proof);
    fprintf(out, "%s%s\n", figure_findings(a, &v->findings), v->findings.n ? ", at the end" : "");
    if (v->assumed)
        fprintf(out, "  assumed, because nobody gives it: %s (--arg NAME=VALUE does)\n", v->assumed);
    if (v->beyond) fprintf(out, "  does not fit: %s\n", v->beyond);
    if (v->cost->guessed)
        fprintf(out, "  assumed: the host's loop over %s makes %d iterations; only the data tell\n",
                v->cost->guessed->iter->name, MODEL_TRIPS);
}

static void put_subject(FILE *out, const Report *r, const Subject *s) {
    Arena *a = r->a;
    const Advised *v = s->now;
    fprintf(out, "%s: %s, %s\n", place(a, s->loc), s->name, s->kind);
    put_summary(out, a, r, s);
    for (int i = 0; i < s->facts.n; i++) put_table(out, s->facts.at[i]);
    if (s->host_why) fprintf(out, "\n  stays on the host: %s\n", s->host_why);
    fputs("\n", out);
    if (!v) return;
    if (v->why) return (void)fprintf(out, "  on %s: %s\n\n", r->m->name, v->why);
    fprintf(out, "  on %s%s%s%s\n", r->m->name, *v->sizes ? ", " : "", v->sizes,
            v->guessed ? " (assumed; --machine NAME takes another machine)" : "");
    if (v->compiler) fprintf(out, "    registers are not known: %s\n", v->compiler);
    for (int k = 0; k < v->cost->nkernels; k++)
        put_kernel(out, a, v->cost->kernels[k], &v->cost->times[k], r->m, v->code ? &v->code[k] : NULL);
    fprintf(out, "    in all %s: %.4g launch%s, %.4g of them dependent, %.4g read-backs",
            figure_seconds(a, v->cost->seconds), v->cost->launches, v->cost->launches == 1 ? "" : "es",
            v->cost->dependent, v->cost->read_backs);
    if (v->cost->noted > 0)
        fprintf(out, "; %.4g launches are replayed as a graph (batch), if they are short", v->cost->noted);
    fputs("\n", out);
    if (s->before && s->before->cost)
        fprintf(out, "    %s: %s\n", s->before->name, figure_seconds(a, s->before->cost->seconds));
    put_rungs(out, a, s);
    put_fix(out, a, s->fix);
    put_findings(out, a, v);
    fputs("\n", out);
}

void report_text(FILE *out, const Report *r) {
    for (int i = 0; i < r->subjects.n; i++) put_subject(out, r, r->subjects.at[i]);
}
