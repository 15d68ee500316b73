// SPDX-License-Identifier: MIT
// scan.c -- C text as tokens and directives, for replacing a span without parsing it.
//
// The front end has understood the text; what remains here are questions of spelling: may a
// span be put into a block, is it cut by #if lines, is a name declared in it used later.
#include "driver/driver.h"
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

bool scan_directive(const char *text, size_t size, size_t at, size_t word[2], size_t *past) {
    if (!lex_is_directive(text, size, at)) return false;
    *past = lex_directive_end(text, size, at);
    size_t w = at + 1;
    while (w < *past && (text[w] == ' ' || text[w] == '\t')) w++;
    word[0] = w;
    while (w < *past && is_word(text[w])) w++;
    word[1] = w;
    return true;
}

bool scan_token(const char *text, size_t limit, size_t at, size_t *begin, size_t *end) {
    at = lex_skip(text, limit, at);
    if (at >= limit) return false;
    *begin = at;
    if (text[at] == '"' || text[at] == '\'') {
        at = lex_token(text, limit, at);
    } else if (is_word(text[at])) {
        while (at < limit && is_word(text[at])) at++;
    } else {
        at++;
    }
    *end = at;
    return true;
}

bool scan_is(const char *text, size_t begin, size_t end, const char *word) {
    return end - begin == strlen(word) && memcmp(text + begin, word, end - begin) == 0;
}

void scan_conditionals(const char *text, size_t begin, size_t end, int *least, int *final) {
    int depth = 0;
    *least = 0;
    for (size_t at = begin; at < end;) {
        size_t w[2], past;
        if (text[at] == '/' && at + 1 < end && (text[at + 1] == '/' || text[at + 1] == '*')) {
            at = lex_blank(text, end, at);
        } else if (text[at] == '"' || text[at] == '\'') {
            at = lex_token(text, end, at);
        } else if (scan_directive(text, end, at, w, &past)) {
            bool opens = scan_is(text, w[0], w[1], "if") || scan_is(text, w[0], w[1], "ifdef") ||
                         scan_is(text, w[0], w[1], "ifndef");
            bool middle = scan_is(text, w[0], w[1], "else") || scan_is(text, w[0], w[1], "elif");
            depth += opens ? 1 : scan_is(text, w[0], w[1], "endif") ? -1 : 0;
            int here = middle ? depth - 1 : depth;
            if (here < *least) *least = here;
            at = past;
        } else {
            at++;
        }
    }
    *final = depth;
}

char *scan_first_branches(Arena *a, const char *text, size_t begin, size_t end) {
    char *copy = arena_strndup(a, text + begin, end - begin);
    size_t size = end - begin, w[2], past;
    int depth = 0, dead = 0; // dead: the depth at which a later branch began, 0: none
    for (size_t at = 0; at < size; at++) {
        if (scan_directive(copy, size, at, w, &past)) {
            bool opens = scan_is(copy, w[0], w[1], "if") || scan_is(copy, w[0], w[1], "ifdef") ||
                         scan_is(copy, w[0], w[1], "ifndef");
            bool middle = scan_is(copy, w[0], w[1], "else") || scan_is(copy, w[0], w[1], "elif");
            if (opens) depth++;
            if (middle && !dead) dead = depth;
            if (scan_is(copy, w[0], w[1], "endif") && depth-- == dead) dead = 0;
            at = past - 1;
        } else if (dead && copy[at] != '\n') {
            copy[at] = ' ';
        }
    }
    return copy;
}

// Pragmas that must stand directly before a loop.
static bool binds(const char *text, size_t limit, const size_t word[2]) {
    size_t b, e;
    if (!scan_is(text, word[0], word[1], "pragma")) return false;
    if (!scan_token(text, limit, word[1], &b, &e)) return false;
    bool omp = scan_is(text, b, e, "omp");
    if (omp || scan_is(text, b, e, "GCC") || scan_is(text, b, e, "clang"))
        if (!scan_token(text, limit, e, &b, &e)) return false;
    static const char *const words[] = {"ivdep", "unroll", "nounroll", "novector", "loop",
        "unroll_and_jam", "nounroll_and_jam", "simd", "taskloop", "tile", NULL};
    for (const char *const *w = words; *w; w++)
        if (scan_is(text, b, e, *w)) return true;
    return omp && (scan_is(text, b, e, "parallel") || scan_is(text, b, e, "masked") ||
                   scan_is(text, b, e, "master")) &&
           scan_token(text, limit, e, &b, &e) && scan_is(text, b, e, "taskloop");
}

size_t scan_bound_pragma(const char *text, size_t at) {
    size_t b, e, last = 0, word[2], past;
    while (scan_token(text, at, last, &b, &e)) last = e;
    for (size_t i = last; i < at; i++)
        if (scan_directive(text, at, i, word, &past) && binds(text, past, word)) return i;
    return at;
}

// A word that a statement may follow.
static bool leads(const char *text, size_t b, size_t e) {
    static const char *const words[] = {"else", "do", "if", "for", "while", "switch", NULL};
    for (const char *const *w = words; *w; w++)
        if (scan_is(text, b, e, *w)) return true;
    return !is_word(text[b]);
}

bool scan_stands_free(const char *text, size_t at) {
    enum { DEPTH = 256 };
    size_t head[DEPTH][2], last[2] = {0, 0}, b, e; // head: the token before each open '('
    int depth = 0;
    for (size_t i = 0; scan_token(text, at, i, &b, &e); i = e) {
        bool opens = text[b] == '(', closes = text[b] == ')' && depth > 0;
        if (opens && depth < DEPTH) memcpy(head[depth], last, sizeof last);
        depth += opens - closes;
        if (closes && depth < DEPTH) memcpy(last, head[depth], sizeof last);
        else last[0] = b, last[1] = e;
    }
    return !last[1] || leads(text, last[0], last[1]);
}

bool scan_open_inline(const char *text, size_t at) {
    bool is_inline = false, is_static = false; // words of the declaration that is open
    size_t b, e;
    int depth = 0;
    for (size_t i = 0; scan_token(text, at, i, &b, &e); i = e) {
        depth += (text[b] == '{') - (text[b] == '}');
        if (depth > 0) continue;
        if (strchr(";}", text[b])) is_inline = is_static = false;
        is_inline |= scan_is(text, b, e, "inline") || scan_is(text, b, e, "__inline") ||
                     scan_is(text, b, e, "__inline__");
        is_static |= scan_is(text, b, e, "static");
    }
    return is_inline && !is_static;
}

bool scan_around(const char *text, size_t size, size_t at, size_t *begin, size_t *end) {
    bool fresh = true; // at the first word of a declaration
    int depth = 0;
    size_t b, e;
    for (size_t i = 0; scan_token(text, size, i, &b, &e); i = e) {
        if (fresh) *begin = b;
        fresh = false;
        depth += (text[b] == '{') - (text[b] == '}');
        if (depth > 0 || !strchr(";}", text[b])) continue;
        fresh = true;
        *end = e;
        if (e > at) return text[b] == '}' && *begin <= at;
    }
    return false;
}

int scan_line(const char *text, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++) line += text[i] == '\n';
    return line;
}

// ---- declarations -----------------------------------------------------------------------
static bool is_type_word(const char *text, size_t b, size_t e) {
    static const char *const words[] = {"int", "double", "float", "char", "short", "long",
        "unsigned", "signed", "_Bool", "bool", "const", "volatile", "static", "register", "struct",
        "union", "enum", "auto", "void", "__extension__", "_Alignas", "typedef", "extern",
        "restrict", "__restrict", "__restrict__", "typeof", "__typeof__", NULL};
    for (const char *const *w = words; *w; w++)
        if (scan_is(text, b, e, *w)) return true;
    return false;
}

static bool is_control_word(const char *text, size_t b, size_t e) {
    static const char *const words[] = {"for", "if", "while", "do", "switch", "else", "return",
        "case", "default", "break", "continue", "goto", "sizeof", NULL};
    for (const char *const *w = words; *w; w++)
        if (scan_is(text, b, e, *w)) return true;
    return false;
}

// Does a statement that begins with the word [b, e) declare something? "T x", "T *x" and
// words of types do.
static bool declares(const char *text, size_t limit, size_t b, size_t e) {
    if (!is_word(text[b]) || isdigit((unsigned char)text[b])) return false;
    if (is_type_word(text, b, e)) return true;
    if (is_control_word(text, b, e)) return false;
    size_t nb, ne;
    if (!scan_token(text, limit, e, &nb, &ne)) return false;
    while (text[nb] == '*' && scan_token(text, limit, ne, &nb, &ne)) {
    }
    return is_word(text[nb]);
}

// The names before '=', ',', '[' or ';' at the level of a declaration that begins at `at`;
// returns where it ends.
static size_t declared_names(Arena *a, const char *text, size_t limit, size_t at, Strings *out) {
    size_t b, e, last[2] = {0, 0};
    int depth = 0;
    bool in_value = false;
    for (; scan_token(text, limit, at, &b, &e); at = e) {
        char ch = text[b];
        bool ends = ch == ',' || ch == ';' || ch == '=' || ch == '[';
        if (depth == 0 && ends && !in_value && last[1]) {
            vec_push(a, out, arena_strndup(a, text + last[0], last[1] - last[0]));
            last[1] = 0;
        }
        if (depth == 0 && ch == ';') return e;
        if (depth == 0 && (ch == '=' || ch == '[')) in_value = true;
        if (depth == 0 && ch == ',') in_value = false;
        if (strchr("([{", ch)) depth++;
        if (strchr(")]}", ch)) depth--;
        if (is_word(ch)) last[0] = b, last[1] = e;
    }
    return limit;
}

void scan_declared(Arena *a, const char *text, size_t begin, size_t end, Strings *out) {
    size_t b, e;
    int braces = 0, parens = 0;
    bool fresh = true; // at the start of a statement
    for (size_t at = begin; scan_token(text, end, at, &b, &e); at = e) {
        char ch = text[b];
        if (fresh && braces == 0 && parens == 0 && declares(text, end, b, e)) {
            e = declared_names(a, text, end, b, out);
            continue;
        }
        braces += ch == '{' ? 1 : ch == '}' ? -1 : 0;
        parens += ch == '(' ? 1 : ch == ')' ? -1 : 0;
        fresh = parens == 0 && (ch == ';' || ch == '{' || ch == '}');
    }
}

bool scan_used_after(const char *text, size_t size, size_t at, const char *name) {
    size_t b, e;
    for (int depth = 0; scan_token(text, size, at, &b, &e); at = e) {
        depth += text[b] == '{' ? 1 : text[b] == '}' ? -1 : 0;
        if (depth < 0) return false;
        if (scan_is(text, b, e, name)) return true;
    }
    return false;
}

bool scan_has(const char *text, size_t begin, size_t end, const char *word) {
    size_t b, e;
    for (size_t at = begin; scan_token(text, end, at, &b, &e); at = e)
        if (scan_is(text, b, e, word)) return true;
    return false;
}

bool scan_is_named(const char *text, size_t begin, const char *name) {
    const char *paren = strchr(text + begin, '(');
    size_t n = name ? strlen(name) : 0;
    while (paren && isspace((unsigned char)paren[-1])) paren--;
    return n && paren && (size_t)(paren - (text + begin)) >= n && !strncmp(paren - n, name, n) &&
           !isalnum((unsigned char)paren[-(ptrdiff_t)n - 1]) && paren[-(ptrdiff_t)n - 1] != '_';
}

int scan_function(const char *text, size_t size, const char *name) {
    size_t tok, past, begin, end;
    for (size_t at = 0; scan_token(text, size, at, &tok, &past); at = end) {
        if (!scan_around(text, size, tok, &begin, &end)) end = past;
        else if (scan_is_named(text, begin, name)) return scan_line(text, begin);
    }
    return 0;
}
