// SPDX-License-Identifier: MIT
// html_kernel.c -- the figures of a nest's kernels: the summary, the time and its parts, occupancy,
// memory requests.
#include "report/html.h"
#include <math.h>

bool has_nest(const Report *r, const Subject *s) { return (void)r, s->now && s->now->cost; }

// ---- summary ---------------------------------------------------------------------------------------------
static void put_stat(Page *p, const char *name, const char *value, const char *more) {
    page_printf(p, "<div><dt>%s</dt><dd><span class=value>%s</span>%s", name, value, more ? " " : "");
    if (more) page_printf(p, "<small>%s</small>", more);
    page_raw(p, "</dd></div>\n");
}

static double roof_of(const NestCost *n) {
    double sum = 0;
    for (int i = 0; i < n->nkernels; i++) sum += n->times[i].roof * model_launches(n->kernels[i]);
    return sum;
}

// The kernel that takes the most of the time.
static int main_kernel(const NestCost *n) {
    int most = 0;
    for (int i = 1; i < n->nkernels; i++)
        if (n->times[i].all > n->times[most].all) most = i;
    return most;
}

void page_summary(Page *p, const Subject *s) {
    const Advised *v = s->now;
    Arena *a = p->a;
    if (!v) return;
    if (v->why) return page_printf(p, "<p class=why>On %s: %s.</p>\n", p->r->m->name, v->why);
    const NestCost *n = v->cost;
    double flops = nest_flops(n), bytes = nest_compulsory(n);
    page_printf(p, "<p class=aside>On %s%s%s.</p>\n", p->r->m->name, *v->sizes ? ", " : "", v->sizes);
    if (v->assumed)
        page_printf(
            p,
            "<p class=aside>Assumed, because nobody gives it: %s (<code>--arg NAME=VALUE</code> does).</p>\n",
            v->assumed);
    if (v->beyond) page_printf(p, "<p class=aside>Does not fit: %s.</p>\n", v->beyond);
    if (n->guessed)
        page_printf(p,
                    "<p class=aside>Assumed: the host&rsquo;s loop over %s makes %d iterations; only the "
                    "data tell.</p>\n",
                    n->guessed->iter->name, MODEL_TRIPS);
    if (v->compiler) page_printf(p, "<p class=why>Registers are not known: %s</p>\n", v->compiler);
    if (!n->nkernels) return page_raw(p, "<p class=why>Nothing runs on the device.</p>\n");
    page_raw(p, "<dl class=stats>\n");
    put_stat(p, "predicted", figure_seconds(a, n->seconds), v->name);
    if (flops > 0) put_stat(p, "arithmetic", figure(a, flops / n->seconds, "flop/s"), NULL);
    else put_stat(p, "memory", figure(a, bytes / n->seconds, "B/s"), "of what must move");
    put_stat(p, "of the roofline", figure_percent(a, roof_of(n), n->seconds), figure_seconds(a, roof_of(n)));
    page_printf(p, "<div><dt>for want of</dt><dd class=words>%s</dd></div>\n",
                limit_name(n->times[main_kernel(n)].limit));
    put_stat(p, "launches", arena_printf(a, "%.4g", n->launches),
             n->read_backs > 0 ? arena_printf(a, "%.4g read-backs", n->read_backs) : NULL);
    if (s->before && s->before->cost && s->before->cost->seconds > 0)
        put_stat(p, s->before->name, figure_seconds(a, s->before->cost->seconds),
                 arena_printf(a, "%.3gx", s->before->cost->seconds / n->seconds));
    page_raw(p, "</dl>\n");
}

void page_glance(Page *p) {
    const Report *r = p->r;
    page_raw(
        p, "<div class=scroll tabindex=0 role=region aria-label=\"At a glance\"><table "
           "class=glance><caption>At a glance</caption><thead><tr><th scope=col>region<th scope=col>line<th "
           "scope=col>predicted<th scope=col>of the roofline<th scope=col>for want of<th "
           "scope=col>findings</tr></thead><tbody>\n");
    for (int i = 0; i < r->subjects.n; i++) {
        const Subject *s = r->subjects.at[i];
        const NestCost *n = s->now ? s->now->cost : NULL;
        page_printf(p, "<tr><th scope=row><a href=\"#s%d\">%s</a><td class=num>%d", i, s->name, s->loc.line);
        if (!n || !n->nkernels)
            page_printf(p, "<td colspan=4>%s</tr>\n",
                        s->host_why             ? s->host_why
                        : s->now && s->now->why ? s->now->why
                                                : "stays on the host");
        else
            page_printf(p, "<td class=num>%s<td class=num>%s<td>%s<td class=num>%d</tr>\n",
                        figure_seconds(p->a, n->seconds), figure_percent(p->a, roof_of(n), n->seconds),
                        limit_name(n->times[main_kernel(n)].limit), s->now->findings.n);
    }
    page_raw(p, "</tbody></table></div>\n");
}

// ---- time ------------------------------------------------------------------------------------------------
static void put_part(Page *p, const char *name, double seconds, double all, bool longest) {
    double width = all > 0 ? 100 * seconds / all : 0;
    page_printf(p, "<tr%s", longest ? " class=longest" : "");
    page_printf(p,
                "><th scope=row>%s<td class=num>%s<td class=wide><span class=length><span "
                "style=\"--w:%.1f%%\"></span></span></tr>\n",
                name, figure_seconds(p->a, seconds), width > 100 ? 100 : width);
}

void page_parts(Page *p, const KernelCost *k, const TimeCost *t) {
    page_printf(p, "<table class=parts><caption><b>%s</b>: %s of %lld threads", k->name, figure_grid(p->a, k),
                (long long)k->threads);
    if (model_launches(k) != 1) page_printf(p, ", %.4g launches", model_launches(k));
    page_printf(p, "; %s a launch. What each part of the machine alone would take:</caption>\n<tbody>\n",
                figure_seconds(p->a, t->seconds));
    put_part(p, "launch itself", t->launch, t->seconds, false);
    for (int b = 0; b < BOUND_COUNT; b++)
        if (t->by[b] > 0.005 * t->seconds || b == (int)t->limit)
            put_part(p, limit_name((Limit)b), t->by[b], t->seconds, b == (int)t->limit);
    page_raw(p, "</tbody></table>\n");
}

static void put_mix(Page *p, const KernelCost *k, const SassMix *code) {
    const char *where;
    const InstructionMix *i = kernel_mix(p->a, k, code, &where);
    double all = mix_total(i);
    if (all <= 0) return;
    const double part[] = {mix_work(i), i->global + i->shared, i->integer, i->control};
    static const char *const names[] = {"arithmetic", "memory", "addresses", "loop control"};
    page_printf(p, "<p class=mix><span class=label>instructions, %s</span>", where);
    page_raw(p, "<span class=stack>");
    for (int x = 0; x < 4; x++)
        page_printf(p, "<span class=p%d style=\"--w:%.2f%%\"></span>", x, 100 * part[x] / all);
    page_raw(p, "</span>");
    for (int x = 0; x < 4; x++)
        page_printf(p, "<span><span class=\"swatch p%d\"></span><b>%.0f&nbsp;%%</b> %s</span> ", x,
                    100 * part[x] / all, names[x]);
    page_printf(p, "<span class=label>%.1f&nbsp;%% of the lanes at work</span></p>\n", 100 * k->efficiency);
}

// What the figures rest on.
static void put_basis(Page *p, const KernelCost *k) {
    const char *guesses = figure_guesses(p->a, k), *seen = figure_seen(p->a, k);
    if (guesses) page_printf(p, "<p class=aside>Assumed: %s: only the data tell.</p>\n", guesses);
    if (seen)
        page_printf(p,
                    "<p class=aside>Followed: %s; sums are those of all, as they would be with these.</p>\n",
                    seen);
}

void page_time(Page *p, const Subject *s) {
    const NestCost *n = s->now->cost;
    svg_launches(p, n);
    page_printf(p,
                "<p class=aside>%.4g launch%s, %.4g of them after one that they depend on; %.4g times the "
                "host waits for a value of the device.</p>\n",
                n->launches, n->launches == 1 ? "" : "es", n->dependent, n->read_backs);
    page_raw(p, "<div class=columns>\n");
    for (int i = 0; i < n->nkernels; i++) {
        const KernelCost *k = n->kernels[i];
        page_raw(p, "<div>\n");
        if (k->refused) page_printf(p, "<p class=why>%s: nothing can be said: %s</p>\n", k->name, k->refused);
        else
            page_parts(p, k, &n->times[i]), put_mix(p, k, s->now->code ? &s->now->code[i] : NULL),
                put_basis(p, k);
        page_raw(p, "</div>\n");
    }
    page_raw(p, "</div>\n");
}

// ---- occupancy
// ---------------------------------------------------------------------------------------------
static void put_key(Page *p) {
    page_raw(p, "<p class=key>Limited by ");
    for (int l = LIMIT_WARPS; l < LIMIT_COUNT; l++)
        page_printf(p, "<span class=\"swatch l%d\"></span>%s%s", l, occupancy_limit_name((OccupancyLimit)l),
                    l + 1 < LIMIT_COUNT ? ", " : "; ");
    page_raw(p, "the ring is the kernel as it is.</p>\n");
}

void page_occupancy(Page *p, const Subject *s) {
    const NestCost *n = s->now->cost;
    bool any = false;
    for (int i = 0; i < n->nkernels; i++) {
        const KernelCost *k = n->kernels[i];
        const TimeCost *t = &n->times[i];
        const Occupancy *o = &t->occupancy;
        if (k->refused) continue;
        page_printf(p, "<p><b>%s</b>: ", k->name);
        if (o->blocks)
            page_printf(p,
                        "%lld block%s, %lld of %lld warps a multiprocessor (%.0f&nbsp;%%), limited by %s; ",
                        (long long)o->blocks, o->blocks == 1 ? "" : "s", (long long)o->warps,
                        (long long)p->r->m->max_warps_sm, 100 * o->share, occupancy_limit_name(o->limit));
        else page_printf(p, "no block fits: %s; ", o->why ? o->why : "not known");
        page_printf(p, "%lld bytes of shared memory a block; ", (long long)k->shared);
        if (t->registers) page_printf(p, "%lld registers a thread.</p>\n", (long long)t->registers);
        else
            page_raw(p, "registers not known (<code>--registers</code> asks the compiler), so they limit "
                        "nothing here.</p>\n");
        page_raw(p, "<div class=curves>\n");
        for (int knob = KNOB_THREADS; knob <= KNOB_SHARED; knob++) svg_curve(p, k, t, (OccupancyKnob)knob);
        page_raw(p, "</div>\n");
        any = true;
    }
    if (any) put_key(p);
}

// ---- memory
// ------------------------------------------------------------------------------------------------
static void put_access(Page *p, const AccessCost *c) {
    page_raw(p, "<tr><td>");
    page_place(p, c->loc);
    page_printf(p, "<td>%s%s<td><code>%s</code>", c->write ? "store" : "load",
                c->constant ? ", constant" : c->shared ? ", shared" : c->atomic ? ", atomic" : "", c->text);
    if (c->shared)
        page_printf(p, "<td class=num>%.3g <small>of %.3g</small>", c->wavefronts / c->requests,
                    c->wavefronts_ideal / c->requests);
    else
        page_printf(p, "<td class=num>%.3g <small>of %.3g</small>", c->sectors / c->requests,
                    c->ideal / c->requests);
    if (c->shared) page_printf(p, "<td class=num>%d-way", c->ways);
    else page_printf(p, "<td class=num>%.0f&nbsp;%%", c->moved > 0 ? 100 * c->useful / c->moved : 100);
    page_printf(p, "<td class=num>%d&nbsp;B<td class=num>%s<td>", c->width, figure(p->a, c->requests, ""));
    svg_request(p, c);
    page_printf(p, "%s</tr>\n", c->assumed ? "the data decide" : "");
}

static bool has_conflict(const AccessCost *c) { return c->wavefronts > 1.02 * c->wavefronts_ideal; }

// The request as it is, and with its cure where padding is one.
static void put_map(Page *p, const AccessCost *c) {
    const Machine *m = p->r->m;
    BankMap *b = model_banks(p->a, m, c, 0);
    int64_t pad = has_conflict(c) ? model_padding(m, c) : 0;
    BankMap *cured = pad ? model_banks(p->a, m, c, pad) : NULL;
    if (!b) return;
    page_raw(p, "<div class=maps>\n");
    svg_banks(p, b,
              arena_printf(p->a, "%s of %s by threads %lld to %lld", c->write ? "store" : "load", c->text,
                           (long long)c->worst_thread, (long long)(c->worst_thread + m->warp - 1)));
    if (cured)
        svg_banks(p, cured,
                  arena_printf(p->a, "the same with rows of %s %lld element%s longer (pad=%lld)",
                               c->array->name, (long long)pad, pad == 1 ? "" : "s", (long long)pad));
    else if (has_conflict(c))
        page_raw(p, "<p class=aside>No padding by a power of two up to 32 elements parts these words; "
                    "another order of the dimensions may.</p>\n");
    page_raw(p, "</div>\n");
}

// Those with conflicts first; the others behind a line that opens.
static void put_maps(Page *p, const KernelCost *k) {
    int without = 0;
    AccessCost c;
    for (int j = 0; j < k->naccesses; j++) {
        if (!access_sum(k, j, &c) || !c.shared || c.constant || !c.worst) continue;
        if (has_conflict(&c)) put_map(p, &c);
        else without++;
    }
    if (!without) return;
    page_printf(p, "<details><summary>Bank maps of %d access%s without conflicts</summary>\n", without,
                without == 1 ? "" : "es");
    for (int j = 0; j < k->naccesses; j++)
        if (access_sum(k, j, &c) && c.shared && !c.constant && c.worst && !has_conflict(&c)) put_map(p, &c);
    page_raw(p, "</details>\n");
}

void page_accesses(Page *p, const Subject *s) {
    const NestCost *n = s->now->cost;
    for (int i = 0; i < n->nkernels; i++) {
        const KernelCost *k = n->kernels[i];
        if (k->refused || !k->naccesses) continue;
        page_printf(p,
                    "<div class=scroll tabindex=0 role=region aria-label=\"accesses of %s\"><table "
                    "class=accesses><caption><b>%s</b>: a warp's requests. Global memory: sectors of "
                    "%lld bytes that one asks for, of how many would do, and the bytes used of those moved; "
                    "shared memory: wavefronts.</caption>\n",
                    k->name, k->name, (long long)p->r->m->sector);
        page_raw(p, "<thead><tr><th scope=col>line<th scope=col>what<th scope=col>access<th scope=col>a "
                    "request<th scope=col>used, ways<th scope=col>a lane<th "
                    "scope=col>requests<th scope=col>the costliest one</tr></thead>\n<tbody>\n");
        for (int j = 0; j < k->naccesses; j++) {
            AccessCost c;
            if (access_sum(k, j, &c)) put_access(p, &c);
        }
        page_raw(p, "</tbody></table></div>\n");
        put_maps(p, k);
    }
}
