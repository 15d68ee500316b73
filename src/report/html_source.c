// SPDX-License-Identifier: MIT
// html_source.c -- the source with each finding at its line, and the findings as a table.
#include "report/html.h"
#include <string.h>

enum { WHOLE_FILE = 240, CONTEXT = 4 };

// ---- one finding ----------------------------------------------------------------------------------------
static void put_share(Page *p, const Finding *f) {
    if (f->code) return page_printf(p, "<span class=share>SC%04d</span>", f->code);
    if (f->assumed && f->share < 0.005) return page_raw(p, "<span class=share>the data decide</span>");
    int percent = (int)(100 * f->share + 0.5);
    page_printf(p, "<span class=share><span class=bar style=\"--w:%d%%\"></span>%d&nbsp;%%</span>",
                percent > 100 ? 100 : percent, percent);
}

static void put_level(Page *p, const char *level) {
    page_printf(p, "<span class=\"level %s\">%s</span>", level, level);
}

static void put_cure(Page *p, const Finding *f) {
    if (!f->cure) return;
    if (f->step) page_printf(p, "<p class=cure><b>step</b> <code>%s</code></p>", f->cure);
    else page_printf(p, "<p class=cure><b>cure</b> %s</p>", f->cure);
}

// lines are #L<number>-<line>; -1: it is none
static int page_source_number(const Report *r, const char *file) {
    for (int i = 0; i < r->sources.n; i++)
        if (str_eq(r->sources.at[i].file, file)) return i;
    return -1;
}

void page_place(Page *p, Loc loc) {
    int source = page_source_number(p->r, loc.file);
    if (loc.line <= 0) return;
    if (source >= 0 && loc.line < p->nlines[source] && p->shown[source][loc.line])
        page_printf(p, "<a href=\"#L%d-%d\">%d:%d</a>", source, loc.line, loc.line, loc.col);
    else page_printf(p, "%d:%d", loc.line, loc.col);
}

// ---- the table
// ----------------------------------------------------------------------------------------------
void page_findings(Page *p, const Subject *s) {
    const Advised *v = s->now;
    if (!v->findings.n)
        page_raw(p, "<p>None: of all that the model looks for (coalescing, banks, divergence, occupancy, "
                    "instructions, launches) nothing would save half a per cent of the time.</p>\n");
    if (v->findings.n)
        page_raw(p, "<div class=scroll tabindex=0 role=region aria-label=Findings><table "
                    "class=findings><caption>What is wrong, then what costs time, the most first; the share "
                    "is that of the "
                    "predicted time that a cure would save</caption>\n<thead><tr><th scope=col>no.<th "
                    "scope=col>level<th scope=col>share<th scope=col>what, where<th "
                    "scope=col>figure and cure</tr></thead>\n<tbody>\n");
    for (int k = 0; k < v->findings.n; k++) {
        const Finding *f = &v->findings.at[k];
        page_printf(p, "<tr class=finding id=s%d-f%d data-kind=\"%s\"><td>%d<td>", p->subject, k + 1,
                    finding_name(f->kind), k + 1);
        put_level(p, report_level(f));
        page_raw(p, "<td>");
        put_share(p, f);
        page_printf(p, "<td>%s<br>", finding_name(f->kind));
        page_place(p, f->loc);
        page_printf(p, "<td>%s", f->text);
        put_cure(p, f);
        if (f->assumed)
            page_raw(p,
                     "<p class=cure><b>assumed</b> the data decide; the figure rests on an assumption</p>");
        page_raw(p, "</tr>\n");
    }
    if (v->findings.n) page_raw(p, "</tbody></table></div>\n");
    if (!s->before || !s->before->cost) return;
    page_printf(p, "<p class=aside>%s: <b>%s</b>, %d finding%s", s->before->name,
                figure_seconds(p->a, s->before->cost->seconds), s->before->findings.n,
                s->before->findings.n == 1 ? "" : "s");
    for (int k = 0; k < s->before->findings.n; k++)
        page_printf(p, "%s%s (%.0f&nbsp;%%)", k ? ", " : ": ", finding_name(s->before->findings.at[k].kind),
                    100 * s->before->findings.at[k].share);
    page_raw(p, ".</p>\n");
}

// ---- the source
// ----------------------------------------------------------------------------------------------
typedef struct Lines {
    int n;
    const char **at;
    size_t *len;
} Lines;

static Lines lines_of(Arena *a, const char *text) {
    Lines l = {0};
    int most = 1;
    for (const char *s = text; *s; s++) most += *s == '\n';
    l.at = NEW_N(a, const char *, most);
    l.len = NEW_N(a, size_t, most);
    while (*text) {
        size_t n = strcspn(text, "\n");
        l.at[l.n] = text;
        l.len[l.n++] = n;
        text += n + (text[n] == '\n');
    }
    return l;
}

// Findings and diagnostics at a line. How many; put: print them.
static int notes_at(Page *p, const char *file, int line, bool put) {
    const Report *r = p->r;
    int n = 0;
    for (int i = 0; i < r->subjects.n; i++) {
        const Advised *v = r->subjects.at[i]->now;
        for (int k = 0; v && k < v->findings.n; k++) {
            const Finding *f = &v->findings.at[k];
            if (f->loc.line != line || !str_eq(f->loc.file, file)) continue;
            n++;
            if (!put) continue;
            page_raw(p, "<div class=note-at>");
            put_level(p, report_level(f));
            page_printf(p, " <a href=\"#s%d-f%d\">%s</a> ", i, k + 1, finding_name(f->kind));
            put_share(p, f);
            page_printf(p, "<p>%s</p>", f->text);
            put_cure(p, f);
            page_raw(p, "</div>\n");
        }
    }
    for (int i = 0; i < r->ndiags; i++) {
        const Diag *d = &r->diags[i];
        if (d->loc.line != line || !str_eq(d->loc.file, file)) continue;
        n++;
        if (!put) continue;
        page_raw(p, "<div class=note-at>");
        put_level(p, report_diag_level(d->level));
        page_printf(p, " SC%04d<p>%s</p></div>\n", d->code, d->text);
    }
    return n;
}

// Lines worth showing of a long file: those of subjects, those with something to say, and some around.
static bool is_shown(Page *p, const char *file, const Lines *l, int line) {
    if (l->n <= WHOLE_FILE) return true;
    for (int i = 0; i < p->r->subjects.n; i++) {
        const Subject *s = p->r->subjects.at[i];
        int last = s->last;
        if (!str_eq(s->loc.file, file)) continue;
        for (int k = s->first; !last && k < l->n; k++) // a kernel: to the brace that closes it
            if (l->at[k][0] == '}') last = k + 1;
        if (line >= s->first - CONTEXT && line <= last + CONTEXT) return true;
    }
    for (int k = line - CONTEXT; k <= line + CONTEXT; k++)
        if (notes_at(p, file, k, false)) return true;
    return false;
}

static void put_source(Page *p, const Source *s, int number) {
    Lines l = lines_of(p->a, s->text);
    bool in_comment = false;
    int left_out = 0;
    p->nlines[number] = l.n + 1;
    p->shown[number] = NEW_N(p->a, bool, l.n + 1);
    page_printf(p,
                "<table class=source><caption>%s</caption>\n<colgroup><col "
                "class=line-number><col></colgroup><tbody>\n",
                s->file);
    for (int k = 0; k < l.n; k++) {
        size_t before = p->out.n;
        bool shown = is_shown(p, s->file, &l, k + 1);
        if (shown && left_out)
            page_printf(p, "<tr class=gap><td><td>%d line%s left out</tr>\n", left_out,
                        left_out == 1 ? "" : "s");
        if (shown) left_out = 0, p->shown[number][k + 1] = true;
        bool noted = shown && notes_at(p, s->file, k + 1, false) > 0;
        page_raw(p, noted ? "<tr class=noted>" : "<tr>");
        page_printf(p, "<th scope=row id=L%d-%d>%d<td><code>", number, k + 1, k + 1);
        page_code(p, l.at[k], l.len[k], &in_comment);
        page_raw(p, "</code></tr>\n");
        if (noted) {
            page_raw(p, "<tr class=notes><td><td>");
            notes_at(p, s->file, k + 1, true);
            page_raw(p, "</tr>\n");
        }
        if (!shown) p->out.n = before, p->out.s[before] = 0, left_out++; // it was read for its comments alone
    }
    if (left_out)
        page_printf(p, "<tr class=gap><td><td>%d line%s left out</tr>\n", left_out, left_out == 1 ? "" : "s");
    page_raw(p, "</tbody></table>\n");
}

void page_source(Page *p) {
    page_raw(p, "<section id=source aria-labelledby=source-h>\n<h2 id=source-h>Annotated source</h2>\n");
    p->nlines = NEW_N(p->a, int, p->r->sources.n + 1);
    p->shown = NEW_N(p->a, bool *, p->r->sources.n + 1);
    for (int i = 0; i < p->r->sources.n; i++) put_source(p, &p->r->sources.at[i], i);
    int n = 0;
    for (int i = 0; i < p->r->ndiags; i++) {
        const Diag *d = &p->r->diags[i];
        if (d->loc.file && d->loc.line) continue;
        page_raw(p, n++ ? "<br>" : "<p class=aside>");
        put_level(p, report_diag_level(d->level));
        page_printf(p, " %s", d->text);
    }
    page_raw(p, n ? "</p>\n</section>\n" : "</section>\n");
}
