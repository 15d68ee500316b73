// SPDX-License-Identifier: MIT
// html_code.c -- C, CUDA C and OpenCL C with comments, literals, words of the language and directives
// marked, by their looks alone.
#include "report/html.h"
#include <ctype.h>
#include <string.h>

static bool is_word(const char *s, size_t n) {
    static const char *const words[] = {"if", "else", "for", "while", "do", "return", "break", "continue",
        "const", "static", "void", "int", "float", "double", "long", "short", "char", "unsigned", "signed",
        "struct", "restrict", "inline", "extern", "sizeof", "typedef", "switch", "case", "default", "bool",
        "size_t", "volatile", "__restrict__", "__global__", "__device__", "__shared__", "__launch_bounds__",
        "__kernel", "__local", "__private", "kernel", "global", "local", "float2", "float4", "int2", "int4",
        "template", "typename", "register", "copy", "kernel", "async", "coop", "thread", "block", "vector"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == n && strncmp(words[k], s, n) == 0) return true;
    return false;
}

static void put(Page *p, const char *class, const char *s, size_t n) {
    const char *text = arena_strndup(p->a, s, n);
    if (class) page_printf(p, "<span class=%s>%s</span>", class, text);
    else page_text(p, text);
}

// The length of what begins at s, and how it is marked.
static size_t piece(const char *s, const char *end, bool *in_comment, const char **class) {
    size_t n = 0, left = (size_t)(end - s);
    *class = NULL;
    if (*in_comment || (left > 1 && s[0] == '/' && s[1] == '*')) {
        const char *close = memmem(s + (*in_comment ? 0 : 2), left - (*in_comment ? 0 : 2), "*/", 2);
        *class = "c";
        *in_comment = !close;
        return close ? (size_t)(close + 2 - s) : left;
    }
    if (left > 1 && s[0] == '/' && s[1] == '/') return *class = "c", left;
    if (*s == '"' || *s == '\'') {
        for (n = 1; n < left && s[n] != *s; n++) n += s[n] == '\\' && n + 1 < left;
        return *class = "s", n < left ? n + 1 : left;
    }
    if (isdigit((unsigned char)*s)) {
        while (n < left && (isalnum((unsigned char)s[n]) || s[n] == '.' ||
                            (strchr("+-", s[n]) && strchr("eEpP", s[n - 1]) && n)))
            n++;
        return *class = "n", n;
    }
    if (isalpha((unsigned char)*s) || *s == '_') {
        while (n < left && (isalnum((unsigned char)s[n]) || s[n] == '_')) n++;
        if (is_word(s, n)) *class = "k";
        return n;
    }
    while (n < left && !isalnum((unsigned char)s[n]) && !strchr("_\"'/", s[n])) n++;
    return n ? n : 1;
}

void page_code(Page *p, const char *text, size_t n, bool *in_comment) {
    const char *end = text + n, *s = text + strspn(text, " \t");
    if (!*in_comment && s < end && *s == '#') return put(p, "d", text, n);
    for (s = text; s < end;) {
        const char *class;
        size_t len = piece(s, end, in_comment, &class);
        put(p, class, s, len);
        s += len;
    }
}

void page_listing(Page *p, const char *text, const char *label) {
    bool in_comment = false;
    page_printf(p, "<pre class=code tabindex=0 role=region aria-label=\"%s\"><code>", label);
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        page_code(p, s, n, &in_comment);
        page_raw(p, "\n");
        s += n + (s[n] == '\n');
    }
    page_raw(p, "</code></pre>\n");
}
