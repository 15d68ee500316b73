// SPDX-License-Identifier: MIT
// html_tuned.c -- `sculpt tune --html`: what was measured, one after another, and the best so far.
#include "report/html.h"
#include "report/tuned.h"
#include <math.h>

static double speed(const Tried *t) { return t->seconds > 0 && t->base > 0 ? t->base / t->seconds : 0; }

// How much quicker than the standard each is, in the order of measuring; a line for the best so far.
static void put_search(Page *p, const Tuned *t) {
    enum { W = 500, H = 210 };
    double most = 1.25, least = 0.8, ticks[8], best = 1;
    for (int i = 0; i < t->n; i++)
        if (speed(&t->at[i]) > 0) most = fmax(most, speed(&t->at[i])), least = fmin(least, speed(&t->at[i]));
    Axis x = {0, t->n > 1 ? t->n : 1, 40, W - 8, false},
         y = {fmax(least, most / 1000), most * 1.1, H - 36, 10, true};
    svg_begin(p, "search", W, H, "The search",
              arena_printf(p->a,
                           "%d of %d candidates were measured; the best "
                           "took %.3g of the time of what runs without tuning",
                           t->n, t->points, 1 / t->gain));
    int n = axis_ticks(&y, ticks, 6);
    for (int i = 0; i < n; i++)
        page_printf(p,
                    "<path class=grid d=\"M%.1f %.1fH%.1f\"/><text class=tick x=%.1f y=%.1f text-anchor=end>"
                    "%g&times;</text>\n",
                    x.from, axis_at(&y, ticks[i]), x.to, x.from - 4, axis_at(&y, ticks[i]) + 3.5, ticks[i]);
    n = axis_ticks(&x, ticks, 6);
    for (int i = 0; i < n; i++)
        page_printf(p, "<text class=tick x=%.1f y=%d text-anchor=middle>%g</text>\n", axis_at(&x, ticks[i]),
                    H - 20, ticks[i]);
    page_printf(p,
                "<text class=axis x=%d y=%d text-anchor=middle>candidates measured</text>\n<path class=roof "
                "d=\"M%.1f %.1f",
                W / 2, H - 4, x.from, axis_at(&y, 1));
    for (int i = 0; i < t->n; i++) {
        best = str_eq(t->at[i].outcome, "ok") ? fmax(best, speed(&t->at[i])) : best;
        page_printf(p, "H%.1fV%.1f", axis_at(&x, i + 1), axis_at(&y, best));
    }
    page_raw(p, "\"/>\n");
    for (int i = 0; i < t->n; i++)
        if (speed(&t->at[i]) > 0)
            page_printf(
                p,
                "<g class=\"point rung\"><circle cx=%.1f cy=%.1f r=3.5><title>%d: %.3g</title></circle>"
                "</g>\n",
                axis_at(&x, i + 1), axis_at(&y, speed(&t->at[i])), i + 1, speed(&t->at[i]));
    svg_end(p);
}

static void put_tried(Page *p, const Tuned *t, int i) {
    const Tried *x = &t->at[i];
    page_printf(p, "<li class=rung><details><summary><span class=no>%d</span><span>%s</span>", i + 1,
                x->outcome);
    page_printf(p, "<span class=num>%s</span><span class=gain>",
                x->seconds > 0 ? figure_seconds(p->a, x->seconds) : "–");
    if (speed(x) > 0) page_printf(p, "%.2f&times;", speed(x));
    page_printf(p, "</span><span class=verdict>by the model %s</span></summary>\n",
                x->price > 0 ? figure_seconds(p->a, x->price) : "not known");
    page_listing(p, x->form, "the steps that make it");
    page_raw(p, "</details></li>\n");
}

static void put_one(Page *p, const Tuned *t) {
    page_printf(
        p, "<section class=subject aria-labelledby=s%d><h2 id=s%d>%s <small>%s, at %s on %s</small></h2>\n",
        p->subject, p->subject, t->region, t->place, t->sizes, t->device);
    page_printf(p, "<p>%d candidates, %d measured: %s. ", t->points, t->n, t->ended);
    page_printf(p, "Without tuning %s", figure_seconds(p->a, t->base));
    if (*t->recipe)
        page_printf(p, "; tuned %s, %.2f times as quick (%s)", figure_seconds(p->a, t->seconds), t->gain,
                    t->verdict);
    else
        page_raw(p, "; nothing beats it, so it stays");
    if (t->ceiling > 0) page_printf(p, ". At the machine's ceilings %s", figure_seconds(p->a, t->ceiling));
    page_raw(p, ".</p>\n");
    if (t->n) put_search(p, t);
    if (*t->recipe) page_listing(p, t->recipe, "what won");
    page_raw(p, "<ol class=ladder>\n");
    for (int i = 0; i < t->n; i++) put_tried(p, t, i);
    page_raw(p, "</ol>\n</section>\n");
}

const char *tuned_html(Arena *a, int n, const Tuned *of, const char *title) {
    Page p = {.a = a, .out = text_new(a), .measured = true};
    page_begin(&p, "tune", title, n ? of[0].device : "");
    page_raw(&p,
             "</p>\n</header>\n<main id=main>\n<p class=aside>How many times as quick as what runs without "
             "tuning each candidate was, in the order in which they were measured; the line is the best so "
             "far.</p>\n");
    for (int i = 0; i < n; i++) p.subject = i, put_one(&p, &of[i]);
    if (!n) page_raw(&p, "<p class=why>Nothing was tuned.</p>\n");
    page_end(&p);
    return text_str(&p.out);
}
