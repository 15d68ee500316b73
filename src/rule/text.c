// SPDX-License-Identifier: MIT
// text.c -- an expression as a recipe writes it: p/16, min(n,64), 4*(ib+1).
#include "rule/catalogue.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    Change *ch;
    const Path *place;
    const char *text, *at;
    Type type;
    int depth;
} Reader;

static Expr *sum(Reader *r);

static Expr *wrong(Reader *r, const char *what) {
    change_refuse(r->ch, "%s in '%s'", what, r->text);
    return NULL;
}

static bool eat(Reader *r, char c) {
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static const Sym *find_sym(Reader *r, const char *name) {
    const Region *g = r->ch->nest->region;
    for (int i = 0; i < g->nparams; i++)
        if (str_eq(g->params[i]->name, name)) return g->params[i];
    for (int i = 0; r->place && i + 1 < r->place->n; i++)
        if (r->place->node[i]->kind == N_FOR && str_eq(r->place->node[i]->iter->name, name))
            return r->place->node[i]->iter;
    return NULL;
}

static Expr *choice(Reader *r, Op op) {
    Expr *x = sum(r);
    if (!x) return NULL;
    if (!eat(r, ',')) return wrong(r, "a comma is missing");
    Expr *y = sum(r);
    if (!y) return NULL;
    return eat(r, ')') ? expr_op(r->ch->a, op, x, y, NULL) : wrong(r, "a bracket is missing");
}

static Expr *name(Reader *r) {
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') n++;
    const char *word = arena_strndup(r->ch->a, r->at, n);
    r->at += n;
    if (str_eq(word, "min") && eat(r, '(')) return choice(r, OP_MIN);
    if (str_eq(word, "max") && eat(r, '(')) return choice(r, OP_MAX);
    const Sym *s = find_sym(r, word);
    if (!s) return wrong(r, arena_printf(r->ch->a, "%s is no parameter and no loop around the place", word));
    if (!type_is_int(s->type)) return wrong(r, arena_printf(r->ch->a, "%s is no integer", word));
    return expr_cast(r->ch->a, r->type, expr_sym(r->ch->a, s));
}

static Expr *factor(Reader *r) {
    if (r->depth > 60) return wrong(r, "too many brackets");
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        size_t n = strspn(r->at, "0123456789");
        if (n > 18) return wrong(r, "too long a number");
        int64_t v = strtoll(r->at, &end, 10);
        r->at = end;
        return expr_int(r->ch->a, r->type, v);
    }
    if (isalpha((unsigned char)*r->at) || *r->at == '_') return name(r);
    bool minus = eat(r, '-');
    if (!minus && !eat(r, '(')) return wrong(r, "a number, a name or a bracket is expected");
    r->depth++;
    Expr *x = minus ? factor(r) : sum(r);
    r->depth--;
    if (!x) return NULL;
    if (minus) return expr_sub(r->ch->a, expr_int(r->ch->a, r->type, 0), x);
    return eat(r, ')') ? x : wrong(r, "a bracket is missing");
}

static Expr *product(Reader *r) {
    Expr *x = factor(r);
    while (x && *r->at && strchr("*/%", *r->at)) {
        char op = *r->at++;
        Expr *y = factor(r);
        if (!y) return NULL;
        if (op != '*' && (y->kind != E_INT || y->i <= 0))
            return wrong(r, "division by something else than a positive number");
        x = op == '*' ? expr_mul(r->ch->a, x, y)
                      : expr_op(r->ch->a, op == '/' ? OP_FDIV : OP_FMOD, x, y, NULL);
    }
    return x;
}

static Expr *sum(Reader *r) {
    Expr *x = product(r);
    while (x && (*r->at == '+' || *r->at == '-')) {
        char op = *r->at++;
        Expr *y = product(r);
        if (!y) return NULL;
        x = op == '+' ? expr_add(r->ch->a, x, y) : expr_sub(r->ch->a, x, y);
    }
    return x;
}

Expr *change_expr(Change *ch, const Path *place, Type t, const char *text) {
    Reader r = {ch, place, text, text, t, 0};
    Expr *x = sum(&r);
    return x && *r.at ? wrong(&r, arena_printf(ch->a, "'%s' is not understood", r.at)) : x;
}

// ---- as a nest's text has it --------------------------------------------------------------------
char *step_expr(Arena *a, const Nest *n, Expr *x) {
    for (int i = 0; i < n->nfacts; i++) {
        Sym *word = NEW_AS(a, Sym, *n->facts[i].sym);
        word->name = fact_word(n->facts[i].kind);
        Expr *to = expr_sym(a, word);
        if (n->facts[i].kind != FACT_MISALIGN) x = expr_subst(a, x, 1, &n->facts[i].sym, &to);
    }
    char *text = arena_strdup(a, ir_print_expr(a, x)), *out = text;
    for (const char *s = text; *s; s++)
        if (*s != ' ') *out++ = *s;
    *out = 0;
    return text;
}

Expr *change_value(Change *ch, Nest *n, const Path *place, Type t, const char *text) {
    const Sym *more[FACT_KINDS + PATH_MAX_NODES];
    int count = 0;
    for (FactKind k = FACT_MISALIGN + 1; k < FACT_KINDS; k++) {
        Sym *s = NEW_AS(ch->a, Sym, (Sym){fact_word(k), SYM_PARAM, T_I64, NULL});
        more[count++] = s;
    }
    for (int i = 0; place && i < place->n; i++)
        if (place->node[i]->kind == N_FOR) more[count++] = place->node[i]->iter;
    const char *why;
    Expr *x = ir_parse_expr(ch->c, n->region, count, more, t, text, &why);
    if (!x) return change_refuse(ch, "%s in '%s'", why, text), NULL;
    for (FactKind k = FACT_MISALIGN + 1; k < FACT_KINDS; k++) {
        if (!expr_uses_sym(x, more[k - 1])) continue;
        Names names = {.arena = ch->a, .region = n->region};
        Expr *to = expr_sym(ch->a, nest_fact(ch->a, n, k, name_fresh(&names, fact_stem(k))));
        x = expr_subst(ch->a, x, 1, &more[k - 1], &to);
    }
    return x;
}
