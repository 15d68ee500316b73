// SPDX-License-Identifier: MIT
// html.c -- the page: head, contents, and each subject's sections in their order.
#include "report/html.h"
#include "model/embedded.h"
#include <string.h>

extern const EmbeddedFile embedded_report[]; // page.css

static bool has_facts(const Report *r, const Subject *s) { return (void)r, s->facts.n > 0; }
static bool has_text(const Report *r, const Subject *s) {
    return has_nest(r, s) && (s->now->kernels || s->now->tree || (s->before && s->before->kernels));
}
static bool has_warps(const Report *r, const Subject *s) { return has_nest(r, s) && r->m->max_warps_sm > 0; }
static bool has_fix(const Report *r, const Subject *s) { return (void)r, s->fix != NULL; }
static bool has_any(const Report *r, const Subject *s) {
    return has_nest(r, s) || has_facts(r, s) || s->host_why;
}

static const Section sections[] = {
    {"findings", "Findings", has_nest, page_findings},
    {"ladder", "The way there", has_ladder, page_ladder},
    {"fix", "What --fix suggests", has_fix, page_fix},
    {"roofline", "Roofline", has_nest, svg_roofline},
    {"time", "Launches, and what each waits for", has_nest, page_time},
    {"occupancy", "Occupancy", has_warps, page_occupancy},
    {"memory", "Memory requests and banks", has_nest, page_accesses},
    {"kernels", "Kernels, before and after", has_text, page_kernels},
    {"facts", "What was understood", has_facts, page_facts},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static const char *base_name(const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file ? file : "";
}

static const char *title(const Report *r) {
    Text t = text_new(r->a);
    for (int i = 0; i < r->sources.n; i++)
        text_printf(&t, "%s%s", i ? ", " : "", base_name(r->sources.at[i].file));
    return text_str(&t);
}

void page_begin(Page *p, const char *verb, const char *title, const char *machine) {
    page_raw(p, "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta "
                "name=color-scheme content=\"light dark\">\n"
                "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n");
    page_printf(p, "<title>%s on %s</title>\n<style>\n", title, machine);
    page_raw(p, embedded_report[0].text);
    page_raw(p, "</style>\n</head>\n<body>\n<a class=skip href=\"#main\">To the findings</a>\n");
    page_printf(p, "<header>\n<p class=tool>sculpt %s</p>\n<h1>%s</h1>\n<p class=on>on %s", verb, title,
                machine);
}

void page_end(Page *p) {
    page_raw(p, "</main>\n<footer><p>");
    if (p->measured) page_raw(p, "Times were measured, in seconds of the device alone.");
    else page_raw(p, "Times are predictions of a model of the machine, in seconds of the device alone; "
                     "<code>sculpt bench</code> measures.");
    page_raw(p, "</p></footer>\n</body>\n</html>\n");
}

static void put_contents(Page *p) {
    page_raw(p, "<nav aria-label=Contents>\n<details open><summary>Contents</summary>\n<ul>\n<li><a "
                "href=\"#source\">Annotated source</a></li>\n");
    for (int i = 0; i < p->r->subjects.n; i++) {
        const Subject *s = p->r->subjects.at[i];
        page_printf(p, "<li><a href=\"#s%d\">%s</a>\n<ul>\n", i, s->name);
        for (int k = 0; k < SECTIONS; k++)
            if (sections[k].has(p->r, s))
                page_printf(p, "<li><a href=\"#s%d-%s\">%s</a></li>\n", i, sections[k].id, sections[k].title);
        page_raw(p, "</ul></li>\n");
    }
    page_raw(p, "<li><a href=\"#machine\">The machine</a></li>\n</ul>\n</details>\n</nav>\n");
}

static void put_subject(Page *p, const Subject *s) {
    page_printf(p,
                "<section class=subject id=s%d aria-labelledby=s%d-h>\n<h2 id=s%d-h>%s <small>%s:%d, "
                "%s</small></h2>\n",
                p->subject, p->subject, p->subject, s->name, base_name(s->loc.file), s->loc.line, s->kind);
    if (s->host_why) page_printf(p, "<p class=why>Stays on the host: %s.</p>\n", s->host_why);
    page_summary(p, s);
    for (int k = 0; k < SECTIONS; k++) {
        if (!sections[k].has(p->r, s)) continue;
        page_printf(p, "<section id=s%d-%s aria-labelledby=s%d-%s-h>\n<h3 id=s%d-%s-h>%s</h3>\n", p->subject,
                    sections[k].id, p->subject, sections[k].id, p->subject, sections[k].id,
                    sections[k].title);
        sections[k].put(p, s);
        page_raw(p, "</section>\n");
    }
    if (!has_any(p->r, s)) page_raw(p, "<p class=why>Nothing can be said of it.</p>\n");
    page_raw(p, "</section>\n");
}

static int diags_of(const Report *r, DiagLevel level) {
    int n = 0;
    for (int i = 0; i < r->ndiags; i++) n += r->diags[i].level == level;
    return n;
}

static void put_header(Page *p) {
    const Report *r = p->r;
    int n = 0, errors = diags_of(r, DIAG_ERROR), warnings = diags_of(r, DIAG_WARNING);
    for (int i = 0; i < r->subjects.n; i++)
        if (r->subjects.at[i]->now) n += r->subjects.at[i]->now->findings.n;
    page_begin(p, "explain", title(r), r->m->name);
    page_printf(p, " &middot; %d finding%s", n, n == 1 ? "" : "s");
    if (errors) page_printf(p, " &middot; <b>%d error%s</b>", errors, errors == 1 ? "" : "s");
    if (warnings) page_printf(p, " &middot; %d warning%s", warnings, warnings == 1 ? "" : "s");
    page_raw(p, "</p>\n</header>\n");
}

const char *report_html(const Report *r) {
    Page p = {.a = r->a, .out = text_new(r->a), .r = r};
    put_header(&p);
    put_contents(&p);
    page_raw(&p, "<main id=main>\n");
    page_glance(&p);
    page_source(&p);
    for (int i = 0; i < r->subjects.n; i++) {
        p.subject = i;
        put_subject(&p, r->subjects.at[i]);
    }
    page_machine(&p);
    page_end(&p);
    return text_str(&p.out);
}
