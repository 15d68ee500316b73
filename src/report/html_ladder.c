// SPDX-License-Identifier: MIT
// html_ladder.c -- the nest after each step: predicted time, gain over the step before, the judge's
// word, the tree with what is new in it; and what --fix tried.
#include "report/html.h"
#include <math.h>
#include <string.h>

static const double NEWS = 1.05; // a gain that is worth showing

bool has_ladder(const Report *r, const Subject *s) { return (void)r, s->rungs.n > 0 || s->no_rungs; }

// ---- trees -----------------------------------------------------------------------------------------------
static bool has_line(const char *tree, const char *line, size_t n) {
    for (const char *s = tree; s && *s;) {
        size_t blank = strspn(s, " "), len = strcspn(s, "\n");
        if (len - (blank < len ? blank : len) == n && strncmp(s + blank, line, n) == 0) return true;
        s += len + (s[len] == '\n');
    }
    return false;
}

// Lines that the tree before does not have are marked.
static void put_tree(Page *p, const char *tree, const char *before) {
    page_raw(p, "<pre class=code tabindex=0 role=region aria-label=\"the nest as a tree\"><code>");
    for (const char *s = tree; *s;) {
        size_t len = strcspn(s, "\n"), blank = strspn(s, " ");
        const char *text = arena_strndup(p->a, s, len);
        bool news = before && len > blank && !has_line(before, s + blank, len - blank);
        if (news) page_printf(p, "<mark>%s</mark>\n", text);
        else page_printf(p, "%s\n", text);
        s += len + (s[len] == '\n');
    }
    page_raw(p, "</code></pre>");
}

// ---- rungs -----------------------------------------------------------------------------------------------
typedef struct Range {
    double least, most; // seconds of all rungs
} Range;

static Range range_of(const Subject *s) {
    Range r = {INFINITY, 0};
    for (int i = 0; i < s->rungs.n; i++) {
        double t = s->rungs.at[i].seconds;
        if (t > 0 && t < r.least) r.least = t;
        if (t > r.most) r.most = t;
    }
    return r;
}

static void put_gain(Page *p, double gain) {
    if (gain >= NEWS) page_printf(p, "<span class=gain>%s&times;</span>", figure_gain(p->a, gain));
    else if (gain > 0 && gain <= 1 / NEWS) page_printf(p, "<span class=loss>%.2g&times;</span>", gain);
    else page_raw(p, "<span></span>");
}

static void put_rung(Page *p, const Subject *s, int i, double last, Range all) {
    const Rung *r = &s->rungs.at[i];
    double gain = last > 0 && r->seconds > 0 ? last / r->seconds : 0;
    double width = r->seconds > 0 && all.most > all.least
                       ? 3 + 97 * log(r->seconds / all.least) / log(all.most / all.least)
                       : 0;
    page_printf(p, "<li class=rung><details><summary><span class=no>%d</span>", r->number);
    page_printf(p, i && r->number ? "<code>%s</code>" : "<span>%s</span>", r->step);
    page_printf(p, "<span class=length><span style=\"--w:%.1f%%\"></span></span>", width);
    if (r->seconds > 0) page_printf(p, "<span class=num>%s</span>", figure_seconds(p->a, r->seconds));
    else page_raw(p, "<span class=num>&ndash;</span>");
    put_gain(p, gain);
    if (r->verdict) page_printf(p, "<span class=verdict>%s</span>", r->verdict);
    if (r->why) page_printf(p, "<span class=verdict>%s</span>", r->why);
    page_raw(p, "</summary>");
    put_tree(p, r->tree ? r->tree : "", i ? s->rungs.at[i - 1].tree : NULL);
    page_raw(p, "</details></li>\n");
}

void page_ladder(Page *p, const Subject *s) {
    double last = 0;
    Range all = range_of(s);
    if (s->no_rungs) page_printf(p, "<p class=why>No steps: %s.</p>\n", s->no_rungs);
    if (!s->rungs.n) return;
    page_printf(p,
                "<p class=aside>%c%s. Bars are the predicted time on a logarithmic scale; the factor is the "
                "gain over the step before. Each step opens the nest&rsquo;s "
                "tree after it, with what is new marked.</p>\n<ol class=ladder start=0>\n",
                s->ladder[0] >= 'a' ? s->ladder[0] - 32 : s->ladder[0], s->ladder + 1);
    for (int i = 0; i < s->rungs.n; i++) {
        put_rung(p, s, i, last, all);
        if (s->rungs.at[i].seconds > 0) last = s->rungs.at[i].seconds;
    }
    page_raw(p, "</ol>\n");
    bool judged = false;
    for (int i = 0; i < s->rungs.n; i++) judged = judged || s->rungs.at[i].verdict;
    page_printf(p, "<p class=aside>The whole is <b>%s</b>.%s</p>\n", s->now->proof,
                judged
                    ? ""
                    : " The judge was not asked after each step (<code>--judge each</code> with a recipe).");
}

// ---- --fix ---------------------------------------------------------------------------------------------
void page_fix(Page *p, const Subject *s) {
    const Suggestion *f = s->fix;
    if (f->recipe && f->before > 0)
        page_printf(p, "<p>Predicted <b>%s</b> with it, <b>%s</b> without: %s.</p>\n",
                    figure_seconds(p->a, f->after), figure_seconds(p->a, f->before),
                    f->helps ? "it helps" : "it does not help");
    if (f->why) page_printf(p, "<p class=why>%s.</p>\n", f->why);
    if (f->recipe) page_listing(p, f->recipe, "the suggested recipe");
    if (!f->tried || !f->tried->rows.n) return;
    page_raw(p,
             "<div class=scroll tabindex=0 role=region aria-label=\"what was tried\"><table><caption>What "
             "was tried</caption><thead><tr><th scope=col>step<th scope=col>outcome</tr></thead><tbody>\n");
    for (int i = 0; i < f->tried->rows.n; i++)
        page_printf(p, "<tr><td><code>%s</code><td>%s</tr>\n", f->tried->rows.at[i].cell[0],
                    f->tried->rows.at[i].cell[1]);
    page_raw(p, "</tbody></table></div>\n");
}
