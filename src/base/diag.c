// SPDX-License-Identifier: MIT
// diag.c -- numbered messages with their place in the user's file, and the Compile that collects them.
#include "base/base.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

// A region is planned once for each kind of machine. The compiler's own mistakes there differ in names alone.
static bool is_same(const Diag *x, const Diag *y) {
    return x->code == y->code && x->loc.line == y->loc.line && x->loc.col == y->loc.col &&
           str_eq(x->loc.file, y->loc.file) && (x->code == SC_BUG || str_eq(x->text, y->text));
}

void diag(Compile *c, DiagLevel level, DiagCode code, Loc loc, const char *fmt, ...) {
    Text t = text_new(c->arena);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    Diag d = {level, code, loc, text_str(&t)};
    for (int i = 0; i < c->diags.n; i++)
        if (is_same(&c->diags.at[i], &d)) return;
    vec_push(c->arena, &c->diags, d);
    if (level == DIAG_ERROR) c->errors++;
}

void diag_forget(Compile *c, int from) {
    int n = from;
    for (int i = from; i < c->diags.n; i++) {
        if (c->diags.at[i].code == SC_BUG) c->diags.at[n++] = c->diags.at[i];
        else if (c->diags.at[i].level == DIAG_ERROR) c->errors--;
    }
    c->diags.n = n;
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

// How many columns fit into a line: the terminal's, else 100.
static int columns(FILE *out) {
    struct winsize size;
    bool known = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
    return known && size.ws_col >= 40 ? size.ws_col : 100;
}

// The columns that a byte takes: of UTF-8 a letter's first byte takes its column.
static int width(char c) { return c == '\t' ? 8 : ((unsigned char)c & 0xc0) != 0x80; }

// The line from the byte `begin` on, as far as `room` columns reach, and a caret below the byte `at`.
static void print_part(FILE *out, int line, const char *text, size_t at, size_t begin, int room) {
    size_t end = begin;
    for (int n = 0; text[end] && (n += width(text[end])) <= room;) end++;
    const char *before = begin ? "..." : "";
    fprintf(out, "%5d | %s%.*s%s\n      | %*s", line, before, (int)(end - begin), text + begin,
            text[end] ? "..." : "", (int)strlen(before), "");
    for (size_t i = begin; i < at && i < end; i++)
        if (width(text[i])) fputc(text[i] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
}

static int width_of(const char *text) {
    int all = 0;
    for (size_t i = 0; text[i]; i++) all += width(text[i]);
    return all;
}

// Where a line that does not fit begins, so that `at` stands in the middle of `room` columns.
static size_t first_shown(const char *text, size_t at, int room) {
    int all = width_of(text), behind = width_of(text + at), n = 0;
    int ahead = behind < room / 2 ? room - behind : room / 2; // what the right side leaves free, too
    if (all <= room || all - behind <= ahead) return 0;
    while (at > 0 && n < ahead) n += width(text[--at]);
    return at;
}

static void print_source_line(FILE *out, Loc loc) {
    FILE *f = fopen(loc.file, "r");
    char *line = NULL;
    size_t size = 0;
    for (int n = 1; f && n <= loc.line && getline(&line, &size, f) >= 0; n++) {
        if (n != loc.line) continue;
        line[strcspn(line, "\r\n")] = 0;
        size_t at = loc.col > 0 ? strnlen(line, (size_t)loc.col - 1) : 0;
        int room = columns(out) - (int)strlen("12345 | ");
        if (width_of(line) > room) room -= 2 * (int)strlen("...");
        print_part(out, n, line, at, first_shown(line, at, room), room);
    }
    free(line);
    if (f) fclose(f);
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
