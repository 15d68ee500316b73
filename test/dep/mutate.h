// SPDX-License-Identifier: MIT
// mutate.h -- texts of nests, changed in one place at random.
#ifndef TEST_DEP_MUTATE_H
#define TEST_DEP_MUTATE_H
#include "../sample.h"
#include "dice.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Mutation {
    Arena *a;
    uint64_t state;
    const char *body;        // the text from the first kernel on
    VEC(int) numbers, names, relations, branches;
} Mutation;

static inline bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static inline int pick(Mutation *m, int n) { return (int)(next(&m->state) % (uint64_t)n); }

// Where things begin that can be changed.
static inline void survey(Mutation *m) {
    for (int i = 1; m->body[i]; i++) {
        const char *s = m->body + i;
        bool begins = !is_word(s[-1]) && s[-1] != '.';
        if (begins && isdigit((unsigned char)*s)) vec_push(m->a, &m->numbers, i);
        if (begins && isalpha((unsigned char)*s)) vec_push(m->a, &m->names, i);
        if (begins && strncmp(s, "if (", 4) == 0) vec_push(m->a, &m->branches, i);
        bool relates = strchr("<>=!&|", *s) && s[-1] == ' ' && (s[1] == ' ' || s[2] == ' ') &&
            strncmp(s, "= ", 2) != 0;
        if (relates) vec_push(m->a, &m->relations, i);
    }
}

static inline char *with(Mutation *m, int from, int to, const char *put) {
    return arena_printf(m->a, "%.*s%s%s", from, m->body, put, m->body + to);
}

static inline char *other_number(Mutation *m) {
    int at = m->numbers.at[pick(m, m->numbers.n)];
    char *end;
    long v = strtol(m->body + at, &end, 10);
    return with(m, at, (int)(end - m->body), arena_printf(m->a, "%ld", v + (v == 0 || pick(m, 2) ? 1 : -1)));
}

// A counter or parameter as another one of the text.
static inline char *other_name(Mutation *m) {
    int at[2], len[2];
    for (int k = 0; k < 2; k++)
        do {
            at[k] = m->names.at[pick(m, m->names.n)];
            for (len[k] = 1; is_word(m->body[at[k] + len[k]]);) len[k]++;
        } while (len[k] > 2);
    return with(m, at[0], at[0] + len[0], arena_strndup(m->a, m->body + at[1], (size_t)len[1]));
}

static inline int branch_end(const Mutation *m, int at) {
    int end = at + 3, depth = 0;
    do {
        depth += (m->body[end] == '(') - (m->body[end] == ')');
        end++;
    } while (depth);
    return end;
}

static inline char *no_branch(Mutation *m) {
    int at = m->branches.at[pick(m, m->branches.n)];
    return with(m, at, branch_end(m, at), "");
}

static inline char *negated(Mutation *m) {
    int at = m->branches.at[pick(m, m->branches.n)], end = branch_end(m, at);
    return with(m, at, end, arena_printf(m->a, "if (!%.*s)", end - at - 3, m->body + at + 3));
}

// A comparison or connective as another one.
static inline char *other_relation(Mutation *m) {
    static const char *const order[] = {"<", "<=", ">", ">=", "==", "!="};
    int at = m->relations.at[pick(m, m->relations.n)], len = m->body[at + 1] == ' ' ? 1 : 2;
    const char *put = m->body[at] == '&' ? "||" : m->body[at] == '|' ? "&&" : order[pick(m, 6)];
    return with(m, at, at + len, put);
}

// The text with a change behind the first `from`.
static inline char *mutate(Arena *a, const char *text, const char *from, uint64_t state) {
    Mutation m = {.a = a, .state = state, .body = strstr(text, from)};
    const char *head = arena_strndup(a, text, (size_t)(m.body - text));
    survey(&m);
    if (!m.numbers.n) return arena_strdup(a, text);
    int kind = pick(&m, 12);
    char *body = kind < 5 ? other_number(&m) : kind < 8 && m.names.n > 1 ? other_name(&m) : NULL;
    if (kind >= 8 && kind < 10 && m.relations.n) body = other_relation(&m);
    if (kind == 10 && m.branches.n) body = negated(&m);
    if (!body) body = m.branches.n ? no_branch(&m) : other_number(&m);
    return arena_printf(a, "%s%s", head, body);
}
#endif
