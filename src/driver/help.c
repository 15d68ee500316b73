// SPDX-License-Identifier: MIT
// help.c -- `sculpt help`: the texts of help/, as text and as a manual page (complete.c: as words for
// shells).
//
// A text is lines: "usage: …"; "  --option VALUE   what" with what follows below it; "  $ command"; and
// paragraphs. The manual page and the completion are made from these, so there is one place to write in.
#include "driver/driver.h"
#include "model/embedded.h"
#include <string.h>

extern const EmbeddedFile embedded_help[];

const char *const help_names[] = {"run", "cc", "check", "explain", "plan", "emit", "apply", "rules", "bench",
                                  "tune", "wisdom", "devices", "cache", "doctor", "marks", "recipes",
                                  "kernels", "environment", NULL};

const char *help_text(const char *name) {
    for (const EmbeddedFile *f = embedded_help; f->name; f++)
        if (str_has_prefix(f->name, name) && str_eq(f->name + strlen(name), ".txt")) return f->text;
    return NULL;
}

// ---- lines ---------------------------------------------------------------------------------
const char *help_next(const char *s) {
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

size_t help_head(const char *line) {
    if (strncmp(line, "  ", 2) != 0 || strchr(" \n$", line[2])) return 0;
    size_t end = strcspn(line, "\n"), n = 2;
    while (n < end && strncmp(line + n, "  ", 2) != 0) n++;
    return n;
}

// ---- the manual page -------------------------------------------------------------------------
static void put_roff(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\') fputs("\\e", stdout);
        else if (s[i] == '-') fputs("\\-", stdout);
        else if (i == 0 && (s[i] == '.' || s[i] == '\'')) printf("\\&%c", s[i]);
        else putchar(s[i]);
    }
    putchar('\n');
}

static size_t blanks(const char *s) { return strspn(s, " "); }

// One line of a text; *table: whether it belongs to a table's entry above.
static void put_line(const char *s, bool *entry) {
    size_t n = strcspn(s, "\n"), head = help_head(s), indent = blanks(s);
    if (!n) {
        puts(".PP");
    } else if (str_has_prefix(s, "usage: ")) {
        puts(".br");
        put_roff(s + 7, n - 7);
    } else if (head) {
        puts(".TP 22");
        put_roff(s + 2, head - 2);
        if (head < n) put_roff(s + head + blanks(s + head), n - head - blanks(s + head));
    } else if (indent && !*entry) {
        puts(".br");
        put_roff(s, n);
    } else {
        put_roff(s + indent, n - indent);
    }
    *entry = n && (head || (indent && *entry));
}

static void put_section(const char *title, const char *text) {
    bool entry = false;
    printf(".SH %s\n", title);
    for (const char *s = text; *s; s = help_next(s)) put_line(s, &entry);
}

static int put_manual(void) {
    printf(".TH SCULPT 1 \"\" \"sculpt %s\"\n.SH NAME\nsculpt \\- plain C loop nests as kernels for GPUs and "
           "CPUs\n",
           SCULPT_VERSION);
    put_section("SYNOPSIS", help_text("sculpt"));
    for (int i = 0; help_names[i]; i++) {
        char title[64];
        snprintf(title, sizeof title, "%s%s", i < HELP_VERBS ? "sculpt " : "", help_names[i]);
        put_section(title, help_text(help_names[i]));
    }
    return 0;
}

// ---- the verb --------------------------------------------------------------------------------
const char *help_meant(Arena *a, const char *word) {
    for (int i = 0; *word && help_names[i]; i++)
        if (str_has_prefix(help_names[i], word))
            return arena_printf(a, " (did you mean '%s'?)", help_names[i]);
    return word_meant(a, word, help_names);
}

// The page that has the word most often; NULL: none has it.
static const char *page_with(const char *word) {
    const char *page = NULL;
    for (int i = 0, most = 0; *word && help_names[i]; i++) {
        int n = 0;
        for (const char *p = help_text(help_names[i]); p && (p = strcasestr(p, word)); p++) n++;
        if (n > most) most = n, page = help_names[i];
    }
    return page;
}

const char *help_option(Arena *a, const char *verb, const char *word) {
    VEC(const char *) options = {0};
    for (const char *p = help_text(verb); p && (p = strstr(p, "--")); p += 2) {
        size_t n = 2 + strspn(p + 2, "abcdefghijklmnopqrstuvwxyz-");
        if (n > 2) vec_push(a, &options, (const char *)arena_strndup(a, p, n));
    }
    vec_push(a, &options, (const char *)NULL);
    return word_nearest(arena_strndup(a, word, strcspn(word, "=")), options.at);
}

int help_main(int argc, char **argv) {
    const char *word = argc ? argv[0] : "sculpt", *text = help_text(word);
    if (str_eq(word, "--man")) return put_manual();
    if (str_eq(word, "--completion")) return help_complete(argc > 1 ? argv[1] : "bash");
    if (text) return fputs(text, stdout), 0;
    Arena *a = arena_new();
    const char *meant = help_meant(a, word), *page = *meant ? NULL : page_with(word);
    usage_error("help", "there is no page '%s'%s", word,
                page ? arena_printf(a, "; 'sculpt help %s' has the word", page) : meant);
    arena_free(a);
    return 2;
}
