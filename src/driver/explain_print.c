// SPDX-License-Identifier: MIT
// explain_print.c -- a report to where the command line wants it: the page to its file; JSON, SARIF or
// text to stdout.
#include "driver/explain.h"
#include <jansson.h>
#include <string.h>

void explain_put(json_t *all) {
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

bool explain_page(Compile *c, const Advice *d, const char *page) {
    if (file_write(d->html, page, strlen(page))) return true;
    say_error(SC_FILE_IO, "cannot write '%s'", d->html);
    c->errors++;
    return false;
}

bool explain_print(Compile *c, const Report *r, const Advice *d, json_t *(*json)(const Report *r)) {
    bool written = !d->html || explain_page(c, d, report_html(r));
    if (d->json && json) explain_put(json(r));
    if (d->sarif) explain_put(report_sarif(r));
    if (!d->json && !d->sarif && !d->html && !d->fix && (r->subjects.n || !c->errors)) report_text(stdout, r);
    return written;
}

void explain_put_fixes(Compile *c, const Report *r, const char *file) {
    Text t = text_new(c->arena);
    for (int i = 0; i < r->subjects.n; i++)
        if (r->subjects.at[i]->fix && r->subjects.at[i]->fix->recipe)
            text_put(&t, r->subjects.at[i]->fix->recipe);
    if (!*file) fputs(text_str(&t), stdout);
    else if (t.n && !file_write(file, text_str(&t), t.n))
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot write '%s'", file);
}
