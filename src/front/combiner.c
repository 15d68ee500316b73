// SPDX-License-Identifier: MIT
// combiner.c -- what the combiner of a declared reduction does.
//
//   omp_out += omp_in                                     +
//   omp_out = omp_in > omp_out ? omp_in : omp_out         max
//   omp_out.re += omp_in.re, omp_out.im += omp_in.im      + of both
//
// Its words are those of a directive, of which clang makes nothing where it does not follow OpenMP. What is
// none of these forms is not told: the loop's updates then keep to their order.
#include "front/accept.h"
#include <ctype.h>
#include <string.h>

typedef struct Combiner {
    const char *at;
    const char *member; // of the part that is read; what is behind omp_out or omp_in
    size_t n;
} Combiner;

static bool accepts(Combiner *c, const char *word) {
    c->at += strspn(c->at, " ");
    if (!str_has_prefix(c->at, word)) return false;
    c->at += strlen(word);
    return true;
}

// omp_out: 1, omp_in: 2, with the part's member behind it; else 0.
static int side(Combiner *c) {
    int is = accepts(c, "omp_out") ? 1 : accepts(c, "omp_in") ? 2 : 0;
    size_t n = 0;
    while (isalnum((unsigned char)c->at[n]) || c->at[n] == '_' || c->at[n] == '.') n++;
    if (!c->member) c->member = c->at, c->n = n;
    bool same = n == c->n && strncmp(c->at, c->member, n) == 0 && (!n || *c->at == '.');
    c->at += n;
    return same ? is : 0;
}

static bool both(int x, int y) { return x + y == 3 && x && y; }

static bool operator(Combiner *c, Op *op) {
    static const struct {
        const char *text;
        Op op;
    } ops[] = {{"&&", OP_LAND}, {"||", OP_LOR}, {"+", OP_ADD}, {"*", OP_MUL},
               {"&", OP_AND},   {"|", OP_OR},   {"^", OP_XOR}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (accepts(c, ops[k].text)) return *op = ops[k].op, true;
    return false;
}

static bool function(Combiner *c, Op *op) {
    static const char *const names[] = {"fmaxf", "fmax", "fminf", "fmin"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!accepts(c, names[k])) continue;
        *op = k < 2 ? OP_MAX : OP_MIN;
        if (!accepts(c, "(")) return false;
        int x = side(c), y = accepts(c, ",") ? side(c) : 0;
        return both(x, y) && accepts(c, ")");
    }
    return false;
}

// x > y ? x : y, where x has been read
static bool choice(Combiner *c, int x, Op *op) {
    bool greater = accepts(c, ">");
    if (!greater && !accepts(c, "<")) return false;
    accepts(c, "=");
    int y = side(c), yes = accepts(c, "?") ? side(c) : 0, no = accepts(c, ":") ? side(c) : 0;
    *op = greater == (yes == x) ? OP_MAX : OP_MIN;
    return both(x, y) && both(yes, no);
}

static bool part(Combiner *c, Op *op) {
    c->member = NULL;
    if (side(c) != 1) return false;
    if (!accepts(c, "=")) return operator(c, op) && accepts(c, "=") && side(c) == 2;
    if (function(c, op)) return true;
    bool closes = accepts(c, "(");
    int x = side(c);
    if (!x) return false;
    bool is = choice(c, x, op) || (operator(c, op) && both(x, side(c)));
    return is && (!closes || accepts(c, ")"));
}

bool accept_combiner(const char *text, Op *op) {
    Combiner c = {.at = text};
    Op first = OP_SET;
    bool closes = accepts(&c, "(");
    do {
        if (!part(&c, op) || (first != OP_SET && *op != first)) return false;
        first = *op;
    } while (accepts(&c, ","));
    return (!closes || accepts(&c, ")")) && !c.at[strspn(c.at, " ")];
}
