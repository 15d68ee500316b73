// SPDX-License-Identifier: MIT
// lex.c -- C text as bytes: comments, strings and lines, for finding where things end.
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

bool lex_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static bool starts_line(const char *text, size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
    return at == 0 || text[at - 1] == '\n';
}

size_t lex_line_end(const char *text, size_t size, size_t at) {
    for (; at < size; at++) {
        if (text[at] != '\n') continue;
        size_t back = at > 0 && text[at - 1] == '\r' ? at - 1 : at;
        if (back == 0 || text[back - 1] != '\\') return at + 1;
    }
    return size;
}

static size_t comment_end(const char *text, size_t size, size_t at) {
    const char *end = at + 2 < size ? strstr(text + at + 2, "*/") : NULL;
    return end && (size_t)(end - text) + 2 <= size ? (size_t)(end - text) + 2 : size;
}

size_t lex_blank(const char *text, size_t size, size_t at) {
    while (at < size) {
        char c = text[at], next = at + 1 < size ? text[at + 1] : 0;
        if (isspace((unsigned char)c) || (c == '\\' && (next == '\n' || next == '\r'))) at++;
        else if (c == '/' && next == '/') at = lex_line_end(text, size, at);
        else if (c == '/' && next == '*') at = comment_end(text, size, at);
        else break;
    }
    return at;
}

bool lex_is_directive(const char *text, size_t size, size_t at) {
    return at < size && text[at] == '#' && starts_line(text, at);
}

size_t lex_skip(const char *text, size_t size, size_t at) {
    at = lex_blank(text, size, at);
    while (lex_is_directive(text, size, at)) at = lex_blank(text, size, lex_directive_end(text, size, at));
    return at;
}

static size_t quoted_end(const char *text, size_t size, size_t at) {
    char quote = text[at++];
    for (; at < size && text[at] != quote && text[at] != '\n'; at++) {
        if (text[at] != '\\' || at + 1 >= size) continue;
        at++;
        if (text[at] == '\r' && at + 1 < size && text[at + 1] == '\n') at++;
    }
    return at < size ? at + 1 : size;
}

size_t lex_directive_end(const char *text, size_t size, size_t at) {
    while (at < size && text[at] != '\n') {
        char c = text[at], next = at + 1 < size ? text[at + 1] : 0;
        if (c == '/' && next == '/') return lex_line_end(text, size, at);
        if (c == '/' && next == '*') {
            at = comment_end(text, size, at);
        } else if (c == '"' || c == '\'') {
            size_t end = quoted_end(text, size, at);
            at = text[end - 1] == c && end > at + 1 ? end : at + 1; // the apostrophe of #error don't
        } else if (c == '\\' && (next == '\n' || next == '\r')) {
            at += next == '\r' && at + 2 < size && text[at + 2] == '\n' ? 3 : 2;
        } else {
            at++;
        }
    }
    return at < size ? at + 1 : size;
}

size_t lex_next_directive(const char *text, size_t size, size_t at) {
    while ((at = lex_blank(text, size, at)) < size && !lex_is_directive(text, size, at))
        at = lex_token(text, size, at);
    return at;
}

size_t lex_token(const char *text, size_t size, size_t at) {
    if (at >= size) return size;
    if (text[at] == '"' || text[at] == '\'') return quoted_end(text, size, at);
    if (!lex_word_char(text[at])) return at + 1;
    while (at < size && (lex_word_char(text[at]) || text[at] == '.')) at++;
    return at;
}

static int depth_of(char c) {
    return strchr("([{", c) && c ? 1 : strchr(")]}", c) && c ? -1 : 0;
}

size_t lex_balance(const char *text, size_t size, size_t at, size_t want) {
    int depth = 0;
    while (at < size && (at < want || depth > 0)) {
        size_t start = lex_skip(text, size, at);
        if (start >= want && depth <= 0) return at > want ? at : want;
        at = lex_token(text, size, start);
        if (at == start + 1) depth += depth_of(text[start]);
    }
    return at > want ? at : want;
}

size_t lex_find(const char *text, size_t size, size_t at, char mark) {
    int depth = 0;
    while ((at = lex_skip(text, size, at)) < size) {
        if (depth == 0 && text[at] == mark) return at;
        size_t end = lex_token(text, size, at);
        if (end == at + 1) depth += depth_of(text[at]);
        if (depth < 0) return size;
        at = end;
    }
    return size;
}

bool lex_word_is(const char *text, size_t size, size_t at, const char *word) {
    size_t n = strlen(word);
    return at + n <= size && strncmp(text + at, word, n) == 0 &&
           (at + n == size || !lex_word_char(text[at + n]));
}
