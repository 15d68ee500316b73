// SPDX-License-Identifier: MIT
// svg.c -- what all pictures share: a title for those who don't see them, axes and their ticks.
#include "report/html.h"
#include <math.h>

void svg_begin(Page *p, const char *class, double width, double height, const char *title,
               const char *description) {
    int n = p->nsvg++;
    page_printf(p,
                "<svg class=%s viewBox=\"0 0 %g %g\" role=img aria-labelledby=\"g%d-t g%d-d\"><title "
                "id=g%d-t>%s</title><desc id=g%d-d>%s</desc>\n",
                class, width, height, n, n, n, title, n, description);
}

void svg_end(Page *p) { page_raw(p, "</svg>\n"); }

double axis_at(const Axis *x, double v) {
    double part = x->log ? log(fmax(v, x->lo) / x->lo) / log(x->hi / x->lo) : (v - x->lo) / (x->hi - x->lo);
    if (part < 0) part = 0;
    if (part > 1) part = 1;
    return x->from + part * (x->to - x->from);
}

const char *axis_text(Arena *a, double v) {
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    int k = 0;
    while (k < 5 && v >= 999.5) v /= 1000, k++;
    return arena_printf(a, "%.3g%s", v, prefixes[k]);
}

int axis_ticks(const Axis *x, double *out, int max) {
    int n = 0;
    if (x->log) {
        int first = (int)ceil(log10(x->lo) - 1e-9), last = (int)floor(log10(x->hi) + 1e-9),
            by = (last - first) / (max > 1 ? max - 1 : 1) + 1;
        bool fine = last - first < 2; // 1, 2, 5, 10, …
        for (int e = fine ? first - 1 : first; e <= last; e += by)
            for (int k = 0; k < (fine ? 3 : 1); k++) {
                double v = pow(10, e) * (k == 0 ? 1 : k == 1 ? 2 : 5);
                if (v >= x->lo * 0.999 && v <= x->hi * 1.001 && n < max) out[n++] = v;
            }
        return n;
    }
    static const double steps[] = {1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50, 64};
    double span = (x->hi - x->lo) / (max > 1 ? max - 1 : 1), unit = pow(10, floor(log10(span)) - 1),
           by = 100 * unit;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (steps[k] * unit >= span) { by = steps[k] * unit; break; }
    for (double v = ceil(x->lo / by) * by; v <= x->hi * (1 + 1e-9) && n < max; v += by) out[n++] = v;
    return n;
}
