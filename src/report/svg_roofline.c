// SPDX-License-Identifier: MIT
// svg_roofline.c -- operations a second over operations a byte, both ceilings, and each nest on the way
// from the loops as they are written to what runs.
//
// The intensity is that of the traffic: operations over bytes through device memory, so that steps
// which save traffic move to the right. The dotted line stands where each byte would move once.
#include "report/html.h"
#include <math.h>

static const double STANDS_OUT = 1.4; // times the step before

typedef struct Point {
    const char *name, *class;
    int number;                   // of a rung that stands out; 0: it needs no number
    double x, y, seconds, bytes;  // flop a byte, flop/s
} Point;

typedef struct Points {
    VEC(Point) all;
    double least_x, most_x, least_y;
} Points;

static void add(Arena *a, Points *p, const char *name, const char *class, double flops, double bytes,
                double seconds) {
    if (seconds <= 0 || bytes <= 0) return;
    double last = p->all.n ? p->all.at[p->all.n - 1].seconds : 0;
    Point x = {name,    class, last >= STANDS_OUT * seconds ? p->all.n : 0, flops / bytes, flops / seconds,
               seconds, bytes};
    vec_push(a, &p->all, x);
    if (flops <= 0) return;
    p->least_x = fmin(p->least_x, x.x), p->most_x = fmax(p->most_x, x.x), p->least_y = fmin(p->least_y, x.y);
}

static void add_nest(Arena *a, Points *p, const Advised *v, const char *class) {
    if (v && v->cost) add(a, p, v->name, class, nest_flops(v->cost), nest_bytes(v->cost), v->cost->seconds);
}

static Points points_of(Page *p, const Subject *s) {
    Points all = {.least_x = INFINITY, .most_x = 0, .least_y = INFINITY};
    for (int i = 0; i < s->rungs.n; i++) {
        const Rung *r = &s->rungs.at[i];
        add(p->a, &all, arena_printf(p->a, "%d %s", r->number, r->step), "rung", r->flops, r->bytes,
            r->seconds);
    }
    add_nest(p->a, &all, s->before, "before");
    add_nest(p->a, &all, s->now, "now");
    if (s->fix && s->fix->recipe)
        add(p->a, &all, "with the suggested recipe", "fix", s->fix->flops, s->fix->bytes, s->fix->after);
    return all;
}

// ---- the axes and the roofs
// --------------------------------------------------------------------------------
static void put_axes(Page *p, const Axis *x, const Axis *y, double bottom) {
    double t[12];
    int n = axis_ticks(x, t, 8);
    for (int k = 0; k < n; k++) {
        double at = axis_at(x, t[k]);
        page_printf(p,
                    "<path class=grid d=\"M%.1f %.1fV%.1f\"/><text class=tick x=%.1f y=%.1f "
                    "text-anchor=middle>%s</text>\n",
                    at, y->to, y->from, at, y->from + 13, axis_text(p->a, t[k]));
    }
    n = axis_ticks(y, t, 8);
    for (int k = 0; k < n; k++) {
        double at = axis_at(y, t[k]);
        page_printf(p,
                    "<path class=grid d=\"M%.1f %.1fH%.1f\"/><text class=tick x=%.1f y=%.1f "
                    "text-anchor=end>%s</text>\n",
                    x->from, at, x->to, x->from - 5, at + 3.5, axis_text(p->a, t[k]));
    }
    page_printf(p,
                "<text class=axis x=%.1f y=%.1f text-anchor=middle>flop a byte of device memory</text><text "
                "class=axis x=4 y=11>flop/s</text>\n",
                (x->from + x->to) / 2, bottom);
}

static void put_roofs(Page *p, const Axis *x, const Axis *y, double flops, double bytes) {
    double ridge = flops / bytes, from = y->lo / bytes > x->lo ? y->lo / bytes : x->lo;
    page_printf(p, "<path class=roof d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n", axis_at(x, from),
                axis_at(y, from * bytes), axis_at(x, ridge), axis_at(y, flops), x->to);
    double slope = atan2(axis_at(y, from * bytes) - axis_at(y, flops), axis_at(x, ridge) - axis_at(x, from)) *
                   180 / M_PI;
    double mid = sqrt(from * ridge), mx = axis_at(x, mid), my = axis_at(y, mid * bytes);
    if (ridge > x->lo * 3)
        page_printf(p,
                    "<text class=roof-name x=%.1f y=%.1f text-anchor=middle transform=\"rotate(%.1f %.1f "
                    "%.1f)\">%s device memory</text>\n",
                    mx, my - 5, -slope, mx, my, figure(p->a, bytes, "B/s"));
    page_printf(p, "<text class=roof-name x=%.1f y=%.1f text-anchor=end>%s multiply-adds</text>\n", x->to - 2,
                axis_at(y, flops) - 5, figure(p->a, flops, "flop/s"));
}

static void put_point(Page *p, const Point *q, double x, double y) {
    page_printf(p, "<g class=\"point %s\"><title>%s: %s, %s at %s a byte</title>", q->class, q->name,
                figure_seconds(p->a, q->seconds), figure(p->a, q->y, "flop/s"), figure(p->a, q->x, "flop"));
    if (str_eq(q->class, "before"))
        page_printf(p, "<rect x=%.1f y=%.1f width=9 height=9 />", x - 4.5, y - 4.5);
    else if (str_eq(q->class, "fix")) page_printf(p, "<path d=\"M%.1f %.1fl5 9h-10z\"/>", x, y - 6);
    else page_printf(p, "<circle cx=%.1f cy=%.1f r=%s />", x, y, str_eq(q->class, "now") ? "5.5" : "3");
    if (q->number && str_eq(q->class, "rung"))
        page_printf(p, "<text class=tick x=%.1f y=%.1f>%d</text>", x + 6, y + 3.5, q->number);
    page_raw(p, "</g>\n");
}

static void put_table(Page *p, const Points *all, bool flops) {
    page_printf(p,
                "<table class=points><caption>Nests on the picture</caption><thead><tr><td><th "
                "scope=col>nest<th scope=col>time<th scope=col>%s<th scope=col>%s</tr></thead><tbody>\n",
                flops ? "flop/s" : "B/s", flops ? "flop/B" : "moved");
    for (int k = 0; k < all->all.n; k++) {
        const Point *q = &all->all.at[k];
        if (str_eq(q->class, "rung")) continue;
        page_printf(p,
                    "<tr><td><span class=\"mark %s\"></span><th scope=row>%s<td class=num>%s<td "
                    "class=num>%s<td class=num>%s</tr>\n",
                    q->class, q->name, figure_seconds(p->a, q->seconds),
                    flops ? figure(p->a, q->y, "") : figure(p->a, q->bytes / q->seconds, ""),
                    flops ? figure(p->a, q->x, "") : figure(p->a, q->bytes, "B"));
    }
    page_raw(p, "</tbody></table>\n");
}

static void put_roofline(Page *p, const Subject *s, const Points *all) {
    enum { W = 440, H = 300 };
    bool f64 = nest_is_double(s->now->cost);
    double flops = 1e9 * machine_flops(p->r->m, f64), bytes = 1e9 * machine_bandwidth(p->r->m),
           once = nest_flops(s->now->cost) / nest_compulsory(s->now->cost);
    double left = fmin(fmin(all->least_x, once), flops / bytes / 30),
           right = fmax(fmax(all->most_x, once), flops / bytes * 8);
    Axis x = {left / 1.6, right * 1.6, 46, W - 10, true}, y = {all->least_y / 2, flops * 3, H - 34, 18, true};
    svg_begin(p, "roofline", W, H, "Roofline",
              arena_printf(p->a,
                           "operations a second over operations a byte of device memory on %s, both axes "
                           "logarithmic; %d nests",
                           p->r->m->name, all->all.n));
    put_axes(p, &x, &y, H - 6);
    put_roofs(p, &x, &y, flops, bytes);
    page_printf(p,
                "<path class=once d=\"M%.1f %.1fV%.1f\"/><text class=tick x=%.1f y=%.1f text-anchor=%s>each "
                "byte once</text>\n",
                axis_at(&x, once), y.from, y.to, axis_at(&x, once) + (once > sqrt(left * right) ? -4 : 4),
                y.from - 5, once > sqrt(left * right) ? "end" : "start");
    page_raw(p, "<path class=way d=\"");
    for (int k = 0, n = 0; k < all->all.n; k++)
        if (str_eq(all->all.at[k].class, "rung"))
            page_printf(p, "%s%.1f %.1f", n++ ? "L" : "M", axis_at(&x, all->all.at[k].x),
                        axis_at(&y, all->all.at[k].y));
    if (!s->rungs.n) page_raw(p, "M0 0");
    page_raw(p, "\"/>\n");
    double last_x = 0, last_y = 0; // of the last number: none is put over another
    for (int k = 0; k < all->all.n; k++) {
        Point q = all->all.at[k];
        double at_x = axis_at(&x, q.x), at_y = axis_at(&y, q.y);
        if (q.number && fabs(at_x - last_x) < 14 && fabs(at_y - last_y) < 10) q.number = 0;
        if (q.number) last_x = at_x, last_y = at_y;
        put_point(p, &q, at_x, at_y);
    }
    svg_end(p);
}

// ---- nothing is computed: memory alone is the roof
// -----------------------------------------------------------
static void put_bandwidth(Page *p, const Subject *s, const Points *all) {
    enum { W = 440, ROW = 26, TOP = 22 };
    double bytes = 1e9 * machine_bandwidth(p->r->m), must = nest_compulsory(s->now->cost);
    int n = 0;
    for (int k = 0; k < all->all.n; k++) n += !str_eq(all->all.at[k].class, "rung");
    Axis x = {0, bytes * 1.08, 6, W - 6, false};
    svg_begin(p, "roofline", W, TOP + ROW * n + 8, "Bytes that must move, a second",
              arena_printf(p->a, "no floating-point operations; %s of device memory are the roof",
                           figure(p->a, bytes, "B/s")));
    page_printf(p,
                "<path class=roof d=\"M%.1f %dV%d\"/><text class=roof-name x=%.1f y=12 text-anchor=end>%s "
                "device memory</text>\n",
                axis_at(&x, bytes), TOP - 6, TOP + ROW * n + 4, axis_at(&x, bytes),
                figure(p->a, bytes, "B/s"));
    for (int k = 0, row = 0; k < all->all.n; k++) {
        const Point *q = &all->all.at[k];
        if (str_eq(q->class, "rung")) continue;
        int at = TOP + ROW * row++;
        page_printf(p,
                    "<g class=\"point %s\"><rect x=6 y=%d width=%.1f height=8 /></g><text class=tick x=6 "
                    "y=%d>%s: %s</text>\n",
                    q->class, at + 12, fmax(axis_at(&x, must / q->seconds) - 6, 1), at + 9, q->name,
                    figure(p->a, must / q->seconds, "B/s"));
    }
    svg_end(p);
}

void svg_roofline(Page *p, const Subject *s) {
    Points all = points_of(p, s);
    bool flops = isfinite(all.least_x) && isfinite(all.least_y) && nest_compulsory(s->now->cost) > 0;
    if (!all.all.n) return page_raw(p, "<p class=why>No nest has a predicted time.</p>\n");
    page_raw(p, "<div class=columns>\n<figure>");
    if (flops) put_roofline(p, s, &all);
    else put_bandwidth(p, s, &all);
    page_printf(p, "<figcaption>%s</figcaption></figure>\n<div>",
                !s->rungs.n && flops ? "Both axes are logarithmic."
                : flops ? "Rings are the steps of the ladder, in their order along the line; those that gain "
                          "much have their numbers."
                        : "No floating-point operations: memory is the only roof.");
    put_table(p, &all, flops);
    page_raw(p, "</div>\n</div>\n");
}
