// SPDX-License-Identifier: MIT
// step.c -- one line of a recipe: rule, words, knobs.
//
//   strip i by=128/2 as=ib,ii   # thread tiles
//   ^rule ^word ^knob           ^comment
#include "rule/catalogue.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_rule_name(const char *s) {
    if (!isalpha((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-') return false;
    return true;
}

// The next word of the line at *p, or NULL. White space and `#` end a word.
static const char *next_word(Arena *a, const char **p) {
    while (isspace((unsigned char)**p)) (*p)++;
    size_t n = strcspn(*p, " \t\r\n\f\v#");
    if (!n) return NULL;
    const char *word = arena_strndup(a, *p, n);
    *p += n;
    return word;
}

int step_list(Arena *a, const char *text, const char **out, int max) {
    int n = 0, depth = 0;
    const char *begin = text;
    for (const char *s = text;; s++) {
        depth += (*s == '(') - (*s == ')');
        if (*s && (*s != ',' || depth > 0)) continue;
        if (s > begin && n < max) out[n++] = arena_strndup(a, begin, (size_t)(s - begin));
        if (!*s) return n;
        begin = s + 1;
    }
}

Step *step_parse(Compile *c, Loc loc, const char *line) {
    Arena *a = c->arena;
    Step *s = NEW(a, Step);
    s->loc = loc;
    s->words = NEW_N(a, const char *, STEP_MAX);
    s->knobs = NEW_N(a, KnobValue, STEP_MAX);
    s->rule = next_word(a, &line);
    if (!s->rule) return s;
    if (!is_rule_name(s->rule)) {
        diag(c, DIAG_ERROR, SC_RECIPE, loc,
             "'%s' can't be the name of a rule; a step is: RULE WORDS… KNOB=VALUE…", s->rule);
        return NULL;
    }
    for (const char *w; (w = next_word(a, &line));) {
        const char *eq = strchr(w, '=');
        if (eq == w || s->nwords + s->nknobs >= STEP_MAX) {
            diag(c, DIAG_ERROR, SC_RECIPE, loc,
                 eq == w ? "'%s' has no knob before the =" : "the step has too many words ('%s')", w);
            return NULL;
        }
        if (eq) {
            KnobValue k = {arena_strndup(a, w, (size_t)(eq - w)), eq + 1};
            s->knobs[s->nknobs++] = k;
        } else if (s->nknobs) {
            diag(c, DIAG_ERROR, SC_RECIPE, loc,
                 "'%s' stands behind a knob; loops and arrays come before them, and a value has no "
                 "space in it",
                 w);
            return NULL;
        } else {
            s->nwords += step_list(a, w, s->words + s->nwords, STEP_MAX - s->nwords);
        }
    }
    return s;
}

char *step_print(Arena *a, const Step *s) {
    Text t = text_new(a);
    text_put(&t, s->rule ? s->rule : "");
    for (int i = 0; i < s->nwords; i++) text_printf(&t, " %s", s->words[i]);
    for (int i = 0; i < s->nknobs; i++) text_printf(&t, " %s=%s", s->knobs[i].name, s->knobs[i].value);
    return arena_strdup(a, text_str(&t));
}

// ---- constant arithmetic ------------------------------------------------------------------------
typedef struct Sum {
    const char *at;
    bool ok;
    int depth;
} Sum;

static int64_t sum(Sum *s);

static int64_t factor(Sum *s) {
    if (++s->depth > 100) s->ok = false;
    int64_t v = 0;
    if (!s->ok) return 0;
    if (*s->at == '(') {
        s->at++;
        v = sum(s);
        s->ok = s->ok && *s->at == ')';
        s->at += s->ok;
    } else if (*s->at == '-') {
        s->at++;
        v = -factor(s); // no literal is INT64_MIN
    } else {
        char *end;
        s->ok = isdigit((unsigned char)*s->at) && strcspn(s->at, "+-*/%()") <= 18;
        if (!s->ok) return 0;
        v = strtoll(s->at, &end, 10);
        s->at = end;
    }
    s->depth--;
    return v;
}

static int64_t product(Sum *s) {
    int64_t v = factor(s);
    while (s->ok && *s->at && strchr("*/%", *s->at)) {
        char op = *s->at++;
        int64_t w = factor(s);
        if (op == '*') s->ok = s->ok && !__builtin_mul_overflow(v, w, &v);
        else if (w <= 0 || v < 0) s->ok = false;
        else v = op == '/' ? v / w : v % w;
    }
    return v;
}

static int64_t sum(Sum *s) {
    int64_t v = product(s);
    while (s->ok && (*s->at == '+' || *s->at == '-')) {
        char op = *s->at++;
        int64_t w = product(s);
        s->ok = s->ok && !(op == '+' ? __builtin_add_overflow(v, w, &v) : __builtin_sub_overflow(v, w, &v));
    }
    return v;
}

bool step_int(const char *text, int64_t *v) {
    Sum s = {text, true, 0};
    *v = sum(&s);
    return s.ok && !*s.at;
}
