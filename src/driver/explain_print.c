// SPDX-License-Identifier: MIT
// explain_print.c -- a report to where the command line wants it: the page to its file; JSON, SARIF or
// text to stdout.
#include "driver/explain.h"
#include <jansson.h>
#include <string.h>

static void put_json(json_t *all) {
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

bool explain_print(Compile *c, const Report *r, const Advice *d, json_t *(*json)(const Report *r)) {
    const char *page = d->html ? report_html(r) : NULL;
    bool written = !page || file_write(d->html, page, strlen(page));
    if (!written) say_error(SC_FILE_IO, "cannot write '%s'", d->html), c->errors++;
    if (d->json && json) put_json(json(r));
    if (d->sarif) put_json(report_sarif(r));
    if (!d->json && !d->sarif && !d->html && !d->fix && (r->subjects.n || !c->errors)) report_text(stdout, r);
    return written;
}

void explain_put(json_t *all) { put_json(all); }

void explain_put_fixes(Compile *c, const Report *r, const char *file) {
    Text t = text_new(c->arena);
    for (int i = 0; i < r->subjects.n; i++)
        if (r->subjects.at[i]->fix && r->subjects.at[i]->fix->recipe)
            text_put(&t, r->subjects.at[i]->fix->recipe);
    if (!*file) fputs(text_str(&t), stdout);
    else if (t.n && !file_write(file, text_str(&t), t.n))
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot write '%s'", file);
}
