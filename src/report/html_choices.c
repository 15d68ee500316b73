// SPDX-License-Identifier: MIT
// html_choices.c -- `sculpt plan --html`: a bar for each nest that a region could run as, and behind it what
// bounds its kernels and the steps that make it.
#include "report/choices.h"
#include "report/html.h"
#include <math.h>

// ---- one candidate -----------------------------------------------------------------------------------
static void put_shape(Page *p, const Candidate *x) {
    const KernelCost *k = x->price.most;
    page_printf(p, "<span class=verdict>%s", k ? limit_name(x->price.bound) : "nothing is launched");
    if (k)
        page_printf(p, "; %lld &times; %lld threads, %.4g KiB shared, %lld together", (long long)k->blocks,
                    (long long)k->threads, (double)k->shared / 1024, (long long)candidate_together(x));
    if (x->estimate >= 0) page_printf(p, "; its own estimate %s", figure_seconds(p->a, x->estimate));
    page_raw(p, "</span>");
}

// The least has a short bar, the most a whole one, on a logarithmic scale.
static double bar_of(const Choices *s, double seconds) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < s->n; i++) {
        double t = s->at[i].why ? 0 : s->at[i].price.seconds;
        if (t > 0) least = fmin(t, least), most = fmax(t, most);
    }
    return seconds > 0 && most > least ? 3 + 97 * log(seconds / least) / log(most / least) : 3;
}

static void put_candidate(Page *p, const Choices *s, int i) {
    const Candidate *x = &s->at[i];
    page_printf(p, "<li class=rung><details%s><summary><span class=no>%d</span><span>%s</span>",
                i == s->first ? " open" : "", i + 1, x->made);
    page_printf(p, "<span class=length><span style=\"--w:%.1f%%\"></span></span>",
                x->why ? 0 : bar_of(s, x->price.seconds));
    page_printf(p, "<span class=num>%s</span>", x->why ? "–" : figure_seconds(p->a, x->price.seconds));
    page_raw(p, i == s->first ? "<span class=gain>runs</span>" : "<span></span>");
    if (x->why) page_printf(p, "<span class=verdict>%s</span>", x->why);
    else put_shape(p, x);
    page_raw(p, "</summary>\n");
    if (!x->why && x->price.cost->nkernels) {
        page_raw(p, "<div class=columns>\n");
        for (int k = 0; k < x->price.cost->nkernels; k++) {
            if (x->price.cost->kernels[k]->refused) continue;
            page_raw(p, "<div>\n");
            page_parts(p, x->price.cost->kernels[k], &x->price.cost->times[k]);
            page_raw(p, "</div>\n");
        }
        page_raw(p, "</div>\n");
    }
    if (x->nest->recipe && *x->nest->recipe) page_listing(p, x->nest->recipe, "the steps that make it");
    page_raw(p, "</details></li>\n");
}

// ---- one region --------------------------------------------------------------------------------------
static void put_misfits(Page *p, const Choices *s) {
    if (!s->nmisfits) return;
    page_raw(p, "<div class=scroll tabindex=0 role=region aria-label=\"templates that do not fit\"><table>"
                "<caption>Templates that do not fit</caption><thead><tr><th scope=col>template<th scope=col>"
                "why</tr></thead><tbody>\n");
    for (int i = 0; i < s->nmisfits; i++)
        page_printf(p, "<tr><th scope=row>%s<td>%s</tr>\n", s->misfits[i].family, s->misfits[i].why);
    page_raw(p, "</tbody></table></div>\n");
}

static void put_region(Page *p, const Choices *s) {
    page_printf(p, "<section class=subject aria-labelledby=s%d><h2 id=s%d>%s <small>%s:%d", p->subject,
                p->subject, s->region, s->loc.file, s->loc.line);
    if (s->sizes) page_printf(p, ", at %s%s", s->sizes, s->assumed ? " (assumed)" : "");
    page_raw(p, "</small></h2>\n");
    if (!s->n) page_raw(p, "<p class=why>Nothing to choose from: the loops stay on the host.</p>\n");
    else if (s->first < 0) page_printf(p, "<p class=why>Nothing runs on the device: %s.</p>\n", s->why_none);
    else page_printf(p, "<p>%d runs: %s.</p>\n", s->first + 1, choices_reason(s));
    if (s->first >= 0 && s->least >= 0 && s->least != s->first)
        page_printf(p, "<p>By the model %d would be quicker: %s, not %s.</p>\n", s->least + 1,
                    figure_seconds(p->a, s->at[s->least].price.seconds),
                    figure_seconds(p->a, s->at[s->first].price.seconds));
    page_raw(p, "<ol class=ladder>\n");
    for (int i = 0; i < s->n; i++) put_candidate(p, s, i);
    page_raw(p, "</ol>\n");
    put_misfits(p, s);
    page_raw(p, "</section>\n");
}

const char *choices_html(Arena *a, int n, const Choices *const *of, const Machine *m, const char *title) {
    Page p = {.a = a, .out = text_new(a)};
    page_begin(&p, "plan", title, m->name);
    page_printf(&p,
                "</p>\n</header>\n<main id=main>\n<p class=aside>The nests that each marked loop could run "
                "as, with the price that the model gives them on %s. Bars are prices on a logarithmic scale. "
                "Each opens to what every part of the machine alone would take, and to the steps that make "
                "the nest, as <code>sculpt apply</code> takes them.</p>\n",
                m->name);
    for (int i = 0; i < n; i++) p.subject = i, put_region(&p, of[i]);
    if (!n) page_raw(&p, "<p class=why>There is no marked loop that a device could run.</p>\n");
    page_end(&p);
    return text_str(&p.out);
}
