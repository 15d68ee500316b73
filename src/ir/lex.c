// SPDX-License-Identifier: MIT
// lex.c -- nest text as tokens; errors with their place
#include "ir/parse.h"
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_alnum(char c) { return is_digit(c) || is_alpha(c); }
static bool is_hex(char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

void parse_error(Parser *p, Token at, const char *fmt, ...) {
    if (p->failed) return;
    p->failed = true;
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag(p->c, DIAG_ERROR, SC_NEST_SYNTAX, (Loc){p->file, at.line, at.col}, "%s", text);
    p->tok = (Token){.kind = TK_END, .s = "", .line = at.line, .col = at.col};
}

static void skip_space(Parser *p) {
    for (;; p->at++) {
        while (*p->at == ' ') p->at++;
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        } else if (p->at[0] == '/' && p->at[1] == '/') {
            while (p->at[1] && p->at[1] != '\n') p->at++;
        } else if (*p->at != '\t' && *p->at != '\r') {
            return;
        }
    }
}

// 12 5i64 1.5 1e-3f32 0x1.8p-3: digits, fraction, exponent, then the name of a type.
static const char *end_of_number(const char *s) {
    bool hex = s[0] == '0' && s[1] == 'x';
    if (hex) s += 2;
    while (hex ? is_hex(*s) : is_digit(*s)) s++;
    if (*s == '.' && s[1] != '.')
        for (s++; hex ? is_hex(*s) : is_digit(*s);) s++;
    if (*s == (hex ? 'p' : 'e')) {
        const char *e = s + 1 + (s[1] == '+' || s[1] == '-');
        if (is_digit(*e))
            for (s = e; is_digit(*s);) s++;
    }
    while (is_alnum(*s)) s++;
    return s;
}

static void lex_quoted(Parser *p, Token *t) {
    const char *s = ++p->at;
    while (*s && *s != '"' && *s != '\n') s += s[0] == '\\' && s[1] && s[1] != '\n' ? 2 : 1;
    if (*s != '"') {
        parse_error(p, *t, "a string without its end");
        return;
    }
    t->kind = TK_STRING;
    t->s = p->at;
    t->n = (int)(s - p->at);
    p->at = s + 1;
}

static int punct_length(const char *s) {
    static const char *const longer[] = {"&&=", "||=", "..", "<=", ">=", "==", "!=", "<<", ">>",
                                         "&&",  "||",  "+=", "*=", "&=", "|=", "^="};
    if (!s[1] || !strchr(".=<>&|", s[1])) return 1;
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
        if (str_has_prefix(s, longer[k])) return (int)strlen(longer[k]);
    return 1;
}

void lex_next(Parser *p) {
    if (p->failed) return;
    skip_space(p);
    const char *s = p->at, *e = s;
    Token t = {.s = s, .line = p->line, .col = (int)(s - p->line_start) + 1};
    if (*s == '"') {
        lex_quoted(p, &t);
        if (!p->failed) p->tok = t;
        return;
    }
    if (is_alpha(*s) || *s == '#') {
        t.kind = *s == '#' ? TK_SPECIAL : TK_NAME;
        for (e++; is_alnum(*e);) e++;
    } else if (is_digit(*s)) {
        t.kind = TK_NUMBER;
        e = end_of_number(s);
    } else if (*s) {
        t.kind = TK_PUNCT;
        e = s + punct_length(s);
        for (int k = 0; k < e - s; k++) t.punct |= (unsigned)(unsigned char)s[k] << 8 * k;
    }
    t.n = (int)(e - s);
    p->at = e;
    p->tok = t;
}

bool lex_accept(Parser *p, unsigned punct) {
    if (!lex_is(p, punct)) return false;
    lex_next(p);
    return true;
}

static void expected(Parser *p, const char *what) {
    if (p->tok.kind == TK_END) parse_error(p, p->tok, "%s expected at the end of the text", what);
    else parse_error(p, p->tok, "%s expected before '%.*s'", what, p->tok.n < 40 ? p->tok.n : 40,
                     p->tok.s);
}

bool lex_expect(Parser *p, unsigned punct) {
    if (lex_accept(p, punct)) return true;
    char what[8];
    snprintf(what, sizeof what, "'%c%c'", (int)(punct & 255), (int)(punct >> 8 & 255));
    if (punct < 256) memcpy(what + 2, "'", 2);
    expected(p, what);
    return false;
}

bool lex_expect_word(Parser *p, const char *word) {
    if (lex_accept_word(p, word)) return true;
    expected(p, word);
    return false;
}

char *lex_name(Parser *p) {
    if (p->tok.kind != TK_NAME) {
        expected(p, "a name");
        return NULL;
    }
    if (p->tok.n > 200) {
        parse_error(p, p->tok, "the name is too long");
        return NULL;
    }
    char *name = arena_strndup(p->arena, p->tok.s, (size_t)p->tok.n);
    lex_next(p);
    return name;
}

int64_t lex_int(Parser *p, int64_t lo, int64_t hi) {
    Token at = p->tok;
    bool minus = lex_accept(p, '-');
    if (p->tok.kind != TK_NUMBER) {
        expected(p, "a number");
        return lo;
    }
    uint64_t v = 0;
    bool over = false;
    for (int k = 0; k < p->tok.n; k++) {
        if (!is_digit(p->tok.s[k])) {
            parse_error(p, at, "a whole number expected");
            return lo;
        }
        over |= __builtin_mul_overflow(v, 10u, &v);
        over |= __builtin_add_overflow(v, (uint64_t)(p->tok.s[k] - '0'), &v);
    }
    uint64_t most = minus ? (uint64_t)1 << 63 : INT64_MAX;
    int64_t r = minus ? (int64_t)-v : (int64_t)v;
    if (over || v > most || r < lo || r > hi) {
        parse_error(p, at, "the number is out of range");
        return lo;
    }
    lex_next(p);
    return r;
}

// ---- strings --------------------------------------------------------------------------
static int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10; }

// One escape at s (after the backslash); returns what follows it, NULL when it is none.
static const char *unescape(const char *s, char *out) {
    if (*s == 'n') *out = '\n';
    else if (*s == 't') *out = '\t';
    else if (*s == '"' || *s == '\\') *out = *s;
    else if (*s == 'x' && is_hex(s[1]) && is_hex(s[2])) {
        *out = (char)(16 * hex_value(s[1]) + hex_value(s[2]));
        return *out ? s + 3 : NULL;
    } else {
        return NULL;
    }
    return s + 1;
}

char *lex_string(Parser *p) {
    if (p->tok.kind != TK_STRING) {
        expected(p, "a string");
        return NULL;
    }
    Text t = text_new(p->arena);
    for (; p->tok.kind == TK_STRING; lex_next(p)) {
        const char *s = p->tok.s, *end = s + p->tok.n;
        while (s < end) {
            char c = *s++;
            if (c == '\\' && !(s = unescape(s, &c))) {
                parse_error(p, p->tok, "an escape that is not known in a string");
                return NULL;
            }
            text_putn(&t, &c, 1);
        }
    }
    return t.s ? t.s : arena_strdup(p->arena, "");
}
