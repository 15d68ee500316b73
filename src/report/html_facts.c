// SPDX-License-Identifier: MIT
// html_facts.c -- the kernels' text before and after, the tables of facts, and the machine.
#include "report/html.h"

// ---- kernels
// -----------------------------------------------------------------------------------------------
static void put_text(Page *p, const Advised *v, bool open) {
    if (v->kernels) {
        page_printf(p, "<details%s><summary>%s: %s</summary>\n", open ? " open" : "", v->name, v->dialect);
        page_listing(p, v->kernels, "kernel text");
        page_raw(p, "</details>\n");
    }
    if (!v->tree) return;
    page_printf(p, "<details><summary>%s: the nest as a tree</summary>\n", v->name);
    page_listing(p, v->tree, "the nest as a tree");
    page_raw(p, "</details>\n");
}

void page_kernels(Page *p, const Subject *s) {
    if (s->before && s->before->kernels) put_text(p, s->before, false);
    put_text(p, s->now, true);
    if (!s->now->kernels) page_raw(p, "<p class=aside>The kernel&rsquo;s text is the source above.</p>\n");
}

// ---- facts
// ---------------------------------------------------------------------------------------------------
static void put_table(Page *p, const FactTable *t) {
    page_printf(p,
                "<details><summary>%s <small>%d</small></summary>\n<div class=scroll tabindex=0 role=region "
                "aria-label=\"%s\"><table class=facts>\n",
                t->title, t->rows.n, t->title);
    page_printf(p, "<caption>%s</caption>\n<thead><tr>", t->title);
    for (int k = 0; k < t->ncols; k++)
        page_printf(p, *t->heads[k] ? "<th scope=col>%s" : "<td>%s", t->heads[k]);
    page_raw(p, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < t->rows.n; i++) {
        page_raw(p, "<tr>");
        for (int k = 0; k < t->ncols; k++) page_printf(p, "<td>%s", t->rows.at[i].cell[k]);
        page_raw(p, "</tr>\n");
    }
    if (!t->rows.n && t->none) page_printf(p, "<tr><td colspan=%d>%s</tr>\n", t->ncols, t->none);
    page_raw(p, "</tbody></table></div></details>\n");
}

void page_facts(Page *p, const Subject *s) {
    for (int i = 0; i < s->facts.n; i++) put_table(p, s->facts.at[i]);
}

// ---- the machine
// ---------------------------------------------------------------------------------------------
static void put_ceiling(Page *p, const char *name, double value, const char *unit, bool measured) {
    if (value > 0)
        page_printf(p, "<div><dt>%s</dt><dd>%s <small>%s</small></dd></div>\n", name,
                    figure(p->a, value, unit), measured ? "measured" : "data sheet");
}

static void put_field(Page *p, const char *name, const char *value, const char *meaning) {
    page_printf(p, "<tr><th scope=row><code>%s</code><td class=num>%s<td>%s</tr>\n", name, value, meaning);
}

void page_machine(Page *p) {
    const Machine *m = p->r->m;
    Arena *a = p->a;
    page_printf(p,
                "<section id=machine aria-labelledby=machine-h>\n<h2 id=machine-h>The machine "
                "<small>%s</small></h2>\n<dl class=stats>\n",
                m->name);
    put_ceiling(p, "single multiply-adds", 1e9 * machine_flops(m, false), "flop/s", m->fma > 0);
    put_ceiling(p, "double multiply-adds", 1e9 * machine_flops(m, true), "flop/s", m->fma64 > 0);
    put_ceiling(p, "device memory, copied", 1e9 * machine_bandwidth(m), "B/s", m->copy > 0);
    put_ceiling(p, "last-level cache", 1e9 * m->l2_rate, "B/s", m->l2_rate > 0);
    if (m->launch > 0)
        page_printf(p, "<div><dt>launch to launch</dt><dd>%s</dd></div>\n",
                    figure_seconds(a, m->launch * 1e-6));
    page_printf(
        p,
        "</dl>\n<details><summary>All of %s</summary>\n<div class=scroll tabindex=0 role=region "
        "aria-label=\"the machine's file\"><table class=facts><caption>%s</caption>"
        "<thead><tr><th scope=col>field<th scope=col>value<th scope=col>meaning</tr></thead><tbody>\n",
        m->file ? m->file : "its file", m->file ? m->file : "its file");
#define TEXT(x) ((x) ? (x) : "")
#define COUNT(x) arena_printf(a, "%lld", (long long)(x))
#define BYTES(x) arena_printf(a, (x) % 1024 ? "%lld" : "%lld KiB", (long long)((x) % 1024 ? (x) : (x) / 1024))
#define RATE(x) arena_printf(a, "%g", (double)(x))
#define CAPABILITY(x) arena_printf(a, "%d.%d", (x) / 10, (x) % 10)
#define KNOWN_TEXT(x) ((x) != NULL)
#define KNOWN_COUNT(x) ((x) != 0)
#define KNOWN_BYTES(x) ((x) != 0)
#define KNOWN_RATE(x) ((x) != 0)
#define KNOWN_CAPABILITY(x) ((x) != 0)
#define FIELD(kind, name, meaning) if (KNOWN_##kind(m->name)) put_field(p, #name, kind(m->name), meaning);
#include "model/machine.def"
    page_raw(p, "</tbody></table></div></details>\n</section>\n");
}
