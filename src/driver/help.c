// SPDX-License-Identifier: MIT
// help.c -- `sculpt help`: the texts of help/, as text, as a manual page, as words for a shell.
//
// A text is lines: "usage: …"; "  --option VALUE   what" with what follows below it; "  $ command"; and
// paragraphs. The manual page and the completion are made from these, so there is one place to write in.
#include "driver/driver.h"
#include "model/embedded.h"
#include "rule/catalogue.h"
#include <string.h>

extern const EmbeddedFile embedded_help[];

// In the order of the manual; the first are verbs.
static const char *const names[] = {"run", "cc", "check", "explain", "emit", "apply", "rules", "bench",
                                    "devices", "cache", "marks", "recipes", "environment", NULL};
enum { VERBS = 10 };

const char *help_text(const char *name) {
    for (const EmbeddedFile *f = embedded_help; f->name; f++)
        if (str_has_prefix(f->name, name) && str_eq(f->name + strlen(name), ".txt")) return f->text;
    return NULL;
}

// ---- lines ---------------------------------------------------------------------------------
static const char *next_line(const char *s) {
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

// The length of what stands before the gap in "  --option VALUE   what"; 0: no such line.
static size_t head_length(const char *line) {
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
    size_t n = strcspn(s, "\n"), head = head_length(s), indent = blanks(s);
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
    for (const char *s = text; *s; s = next_line(s)) put_line(s, &entry);
}

static int put_manual(void) {
    printf(".TH SCULPT 1 \"\" \"sculpt %s\"\n.SH NAME\nsculpt \\- plain C loop nests as kernels for GPUs and CPUs\n", SCULPT_VERSION);
    put_section("SYNOPSIS", help_text("sculpt"));
    for (int i = 0; names[i]; i++) {
        char title[64];
        snprintf(title, sizeof title, "%s%s", i < VERBS ? "sculpt " : "", names[i]);
        put_section(title, help_text(names[i]));
    }
    return 0;
}

// ---- completion ------------------------------------------------------------------------------
// The options of a text, one after another.
static void put_options(const char *text) {
    for (const char *s = text; *s; s = next_line(s)) {
        size_t end = head_length(s);
        for (size_t at = 2; at < end; at += strcspn(s + at, " "), at += blanks(s + at))
            if (s[at] == '-') printf("%.*s ", (int)strcspn(s + at, "[=,: \n"), s + at);
    }
}

static int put_completion(void) {
    puts("# bash completion for sculpt, made by 'sculpt help --completion'\n_sculpt() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} words=\n    if [ \"$COMP_CWORD\" = 1 ]; then");
    fputs("        words=\"help --version", stdout);
    for (int i = 0; i < VERBS; i++) printf(" %s", names[i]);
    puts("\"\n    else\n        case ${COMP_WORDS[1]} in");
    for (int i = 0; i < VERBS; i++) {
        printf("        %s) words=\"", names[i]);
        put_options(help_text(names[i]));
        puts("--help\" ;;");
    }
    fputs("        help) words=\"", stdout);
    for (int i = 0; names[i]; i++) printf("%s ", names[i]);
    fputs("\" ;;\n        esac\n    fi\n    [ \"${COMP_WORDS[1]}\" = rules ] && words=\"", stdout);
    for (const Rule *const *r = rule_catalogue; *r; r++) printf("%s ", (*r)->name);
    puts("\"\n    COMPREPLY=()\n"
         "    case ${COMP_WORDS[1]}:$COMP_CWORD:$cur in\n"
         "    *:1:* | help:* | rules:* | *:-*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
         "    esac\n}\ncomplete -o default -F _sculpt sculpt");
    return 0;
}

// ---- the verb --------------------------------------------------------------------------------
const char *help_nearest(const char *word) { return word_nearest(word, names); }

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
    if (str_eq(word, "--completion")) return put_completion();
    if (!text) {
        const char *near = help_nearest(word);
        return usage_error("help", "there is nothing about '%s'%s%s%s", word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    fputs(text, stdout);
    return 0;
}
