// SPDX-License-Identifier: MIT
// svg_occupancy.c -- warps a multiprocessor over block size, registers or shared memory, coloured by
// what gives out first.
#include "report/html.h"

static const char *const names[] = {"threads a block", "registers a thread",
    "bytes of shared memory a block"};

static int64_t present(const KernelCost *k, const TimeCost *t, OccupancyKnob knob) {
    return knob == KNOB_THREADS ? k->threads : knob == KNOB_REGISTERS ? t->registers : k->shared;
}

// Where a stretch of points [i, end) begins and ends on the axis.
typedef struct Curve {
    const Axis *x, *y;
    int n;
    const OccupancyPoint *at;
} Curve;
static double left_of(const Curve *c, int i) { return axis_at(c->x, (double)c->at[i].value); }
static double right_of(const Curve *c, int i) { return i < c->n ? left_of(c, i) : c->x->to; }
static int limit_of(const OccupancyPoint *q) { return q->blocks ? (int)q->limit : 0; }

// Points with one limit: their steps as one area, and a band below the axis.
static int put_stretch(Page *p, const Curve *c, int i) {
    int from = i, end = i;
    while (end < c->n && limit_of(&c->at[end]) == limit_of(&c->at[from])) end++;
    page_printf(p, "<path class=\"area l%d\" d=\"M%.2f %.1f", limit_of(&c->at[from]), left_of(c, from),
                c->y->from);
    for (int k; i < end; i = k) {
        for (k = i + 1; k < end && c->at[k].warps == c->at[i].warps; k++);
        page_printf(p, "V%.1fH%.2f", axis_at(c->y, (double)c->at[i].warps), right_of(c, k));
    }
    page_printf(p, "V%.1fz\"/><path class=\"band l%d\" d=\"M%.2f %.1fH%.2fv4H%.2fz\"/>\n", c->y->from,
                limit_of(&c->at[from]), left_of(c, from), c->y->from + 1, right_of(c, end), left_of(c, from));
    return end;
}

static void put_axes(Page *p, const Axis *x, const Axis *y, OccupancyKnob knob, double bottom) {
    double t[8];
    int n = axis_ticks(y, t, 5);
    for (int k = 0; k < n; k++)
        page_printf(p,
                    "<path class=grid d=\"M%.1f %.1fH%.1f\"/><text class=tick x=%.1f y=%.1f "
                    "text-anchor=end>%g</text>\n",
                    x->from, axis_at(y, t[k]), x->to, x->from - 4, axis_at(y, t[k]) + 3.5, t[k]);
    int64_t by = 1;
    while (x->hi / (double)by > 4.5) by *= 2; // as people count blocks, registers and bytes
    for (int64_t v = knob == KNOB_SHARED ? 0 : by; (double)v <= x->hi; v += by) {
        const char *text = knob == KNOB_SHARED ? arena_printf(p->a, "%lld KiB", (long long)v / 1024)
                                               : arena_printf(p->a, "%lld", (long long)v);
        double at = axis_at(x, (double)v);
        page_printf(p, "<text class=tick x=%.1f y=%.1f text-anchor=%s>%s</text>", at, y->from + 17,
                    v == 0           ? "start"
                    : at > x->to - 8 ? "end"
                                     : "middle",
                    text);
    }
    page_printf(p, "<text class=axis x=%.1f y=%.1f text-anchor=middle>%s</text>\n", (x->from + x->to) / 2,
                bottom, knob == KNOB_SHARED ? "shared memory a block" : names[knob]);
}

void svg_curve(Page *p, const KernelCost *k, const TimeCost *t, OccupancyKnob knob) {
    enum { W = 300, H = 176 };
    const Machine *m = p->r->m;
    OccupancyPoint q[MODEL_CURVE];
    int n = model_curve(m, k->threads, t->registers, k->shared, knob, q, MODEL_CURVE);
    if (n < 2) return;
    int64_t now = present(k, t, knob), warps = m->max_warps_sm > 0 ? m->max_warps_sm : t->occupancy.warps;
    Axis x = {knob == KNOB_SHARED ? 0 : (double)q[0].value, (double)q[n - 1].value, 28, W - 6, false},
         y = {0, (double)(warps > 0 ? warps : 1), H - 38, 12, false};
    svg_begin(p, "curve", W, H,
              arena_printf(p->a, "Warps a multiprocessor over %s, %s", names[knob], k->name),
              arena_printf(p->a, "now %lld %s: %lld of %lld warps, limited by %s", (long long)now,
                           names[knob], (long long)t->occupancy.warps, (long long)warps,
                           occupancy_limit_name(t->occupancy.limit)));
    Curve c = {&x, &y, n, q};
    for (int i = 0; i < n;) i = put_stretch(p, &c, i);
    put_axes(p, &x, &y, knob, H - 4);
    page_raw(p, "<text class=axis x=2 y=9>warps</text>\n");
    if (now > 0 || knob == KNOB_SHARED) {
        double at = axis_at(&x, (double)now), up = axis_at(&y, (double)t->occupancy.warps);
        page_printf(p, "<g class=here><path d=\"M%.1f %.1fV%.1f\"/><circle cx=%.1f cy=%.1f r=4.5 /></g>\n",
                    at, y.from, up, at, up);
    }
    svg_end(p);
}
