// SPDX-License-Identifier: MIT
// diag.c -- numbered messages with their place in the user's file, and the Compile that collects them.
#include "base/base.h"
#include <string.h>
#include <unistd.h>

Compile *compile_new(void) {
    Arena *a = arena_new();
    Compile *c = NEW(a, Compile);
    c->arena = a;
    c->fp_contract = true;
    return c;
}

void compile_free(Compile *c) {
    if (c) arena_free(c->arena);
}

static bool is_same(const Diag *x, const Diag *y) {
    return x->code == y->code && x->loc.line == y->loc.line && x->loc.col == y->loc.col &&
           str_eq(x->loc.file, y->loc.file) && str_eq(x->text, y->text);
}

void diag(Compile *c, DiagLevel level, DiagCode code, Loc loc, const char *fmt, ...) {
    Text t = text_new(c->arena);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    Diag d = {level, code, loc, text_str(&t)};
    for (int i = 0; i < c->diags.n; i++) // a region is planned once for each kind of machine
        if (is_same(&c->diags.at[i], &d)) return;
    vec_push(c->arena, &c->diags, d);
    if (level == DIAG_ERROR) c->errors++;
}

const char *diag_level_name(DiagLevel level) {
    static const char *const names[] = {"note", "remark", "warning", "error"};
    return names[level];
}

const char *diag_explain(DiagCode code) {
    switch (code) {
#define DIAG(number, name, what)                                                                   \
    case number: return what;
#include "base/diag.def"
#undef DIAG
    }
    return "";
}

static void print_source_line(FILE *out, Loc loc) {
    FILE *f = fopen(loc.file, "r");
    if (!f) return;
    char line[512];
    for (int n = 1; fgets(line, sizeof line, f); n += strchr(line, '\n') != NULL) {
        if (n != loc.line) continue;
        line[strcspn(line, "\r\n")] = 0;
        fprintf(out, "%5d | %s\n      | ", loc.line, line);
        for (int i = 0; i + 1 < loc.col && line[i]; i++) fputc(line[i] == '\t' ? '\t' : ' ', out);
        fputs("^\n", out);
        break;
    }
    fclose(f);
}

// The level in its colour, where that is seen by a person who did not say NO_COLOR.
static void print_level(FILE *out, DiagLevel level) {
    static const char *const colours[] = {"36", "34", "35", "31"}; // cyan, blue, magenta, red
    bool plain = env_get("NO_COLOR") || str_eq(env_get("TERM"), "dumb") || !isatty(fileno(out));
    if (plain) fprintf(out, "%s: ", diag_level_name(level));
    else fprintf(out, "\033[1;%sm%s:\033[0m ", colours[level], diag_level_name(level));
}

void diag_print(FILE *out, const Diag *d, bool with_source_line) {
    if (d->loc.file && d->loc.line > 0) fprintf(out, "%s:%d:%d: ", d->loc.file, d->loc.line, d->loc.col);
    else if (d->loc.file) fprintf(out, "%s: ", d->loc.file);
    else fputs("sculpt: ", out);
    print_level(out, d->level);
    fputs(d->text, out);
    if (d->code != SC_CLANG || d->level != DIAG_ERROR) fprintf(out, " [SC%04d]", d->code);
    fputc('\n', out);
    if (with_source_line && d->loc.file) print_source_line(out, d->loc);
}
