// SPDX-License-Identifier: MIT
// svg_launches.c -- the launches one after another, to scale: what an empty launch takes, and the rest.
#include "report/html.h"

enum { W = 440, ROW = 30, TOP = 4, MOST = 24 };

void svg_launches(Page *p, const NestCost *n) {
    int rows = n->nkernels < MOST ? n->nkernels : MOST;
    if (!rows || n->seconds <= 0) return;
    page_raw(p, "<figure class=timeline>");
    svg_begin(p, "launches", W, TOP + ROW * rows + 20, "Launches",
              arena_printf(p->a, "%d kernel%s one after another in %s", n->nkernels,
                           n->nkernels == 1 ? "" : "s", figure_seconds(p->a, n->seconds)));
    Axis x = {0, n->seconds, 4, W - 4, false};
    double at = 0;
    for (int k = 0; k < rows; k++) {
        const TimeCost *t = &n->times[k];
        double all = t->all, idle = t->launch * model_launches(n->kernels[k]), y = TOP + ROW * k;
        double left = axis_at(&x, at), mid = axis_at(&x, at + idle), right = axis_at(&x, at + all);
        if (right < left + 1) right = left + 1;
        const char *text =
            model_launches(n->kernels[k]) == 1
                ? arena_printf(p->a, "%s: %s", n->kernels[k]->name, figure_seconds(p->a, t->seconds))
                : arena_printf(p->a, "%s: %.4g x %s", n->kernels[k]->name, model_launches(n->kernels[k]),
                               figure_seconds(p->a, t->seconds));
        page_printf(p,
                    "<path class=grid d=\"M4 %.1fH%d\"/><rect class=idle x=%.2f y=%.1f width=%.2f height=9 "
                    "/><rect class=busy x=%.2f y=%.1f width=%.2f height=9 />",
                    y + 22, W - 4, left, y + 13, mid - left, mid, y + 13, right > mid ? right - mid : 0.5);
        page_printf(p, "<text class=tick x=%.1f y=%.1f text-anchor=%s>%s</text>\n",
                    left > W / 2 ? (double)W - 4 : left, y + 10, left > W / 2 ? "end" : "start", text);
        at += all;
    }
    page_printf(p, "<text class=axis x=4 y=%d>0</text><text class=axis x=%d y=%d text-anchor=end>%s</text>\n",
                TOP + ROW * rows + 14, W - 4, TOP + ROW * rows + 14, figure_seconds(p->a, n->seconds));
    svg_end(p);
    page_raw(p, "<figcaption>In the order of the text; dark is the work, light what an empty launch "
                "takes.</figcaption></figure>\n");
}
