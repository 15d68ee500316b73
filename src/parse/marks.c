// SPDX-License-Identifier: MIT
// marks.c -- pragmas: found in the text, split into kind and clauses, tied to statements.
//
//   #pragma acc parallel loop reduction(+:s) \      one logical line; _Pragma("…") is the
//           copyin(a[0:n])                          same in another dress
//   #if defined(X)                                  lines of the preprocessor in between
//   #endif                                          do not matter:
//   for (…)                                  ◄──    target: the statement that follows
//
// Words of a directive that are macros, and macros that hold a _Pragma, are expanded first (macro.c). Such a
// macro may also begin the loop: #define PARALLEL_FOR _Pragma("omp parallel for") for
#include "parse/ast.h"
#include "parse/lex.h"
#include "parse/marks_words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 }; // that can name a directive

// A directive, or a macro that may hold some, as it stands in the text.
typedef struct Found {
    const char *body;    // behind "pragma"; of a macro: what it becomes; NULL: that can't be told
    size_t begin, end;
    bool is_macro;
} Found;

typedef struct Marks {
    Compile *c;
    Arena *a;
    AstUnit *u;
    VEC(Found) raw;
    VEC(Pragma) found;
    size_t line_at;  // a place whose line is known
    int line;
    size_t line_start;
} Marks;

// Places are asked for in text order.
static Loc loc_at(Marks *m, size_t at) {
    for (; m->line_at < at; m->line_at++)
        if (m->u->text[m->line_at] == '\n') m->line++, m->line_start = m->line_at + 1;
    return flat_loc(m->u->flat, (Loc){m->u->file, m->line, (int)(at - m->line_start) + 1});
}

bool ast_is_skipped(const AstUnit *u, size_t at) {
    for (int i = 0; i < u->nskipped; i++)
        if (at >= u->skipped[i][0] && at < u->skipped[i][1]) return true;
    return false;
}

// ---- the words of one directive ------------------------------------------------------
// The directive's text in one line, without comments; strings are left alone.
static char *clean(Arena *a, const char *text, size_t begin, size_t end) {
    Text t = text_new(a);
    while (begin < end) {
        size_t next = lex_blank(text, end, begin);
        if (next > begin) text_put(&t, " ");
        if (next >= end) break;
        begin = lex_token(text, end, next);
        text_putn(&t, text + next, begin - next);
    }
    return arena_strdup(a, text_str(&t));
}

static const char *skip_space(const char *s) {
    while (isspace((unsigned char)*s) || *s == ',') s++;
    return s;
}

static const char *word_end(const char *s) {
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    return s;
}

// Past the bracket that closes the one at s; NULL: none does.
static const char *closing(const char *s) {
    int depth = 0;
    for (; *s; s++) {
        if (strchr("([{", *s)) depth++;
        if (strchr(")]}", *s) && --depth == 0) return s + 1;
    }
    return NULL;
}

static void add_clause(Marks *m, Pragma *p, Clause clause) {
    ClauseUse use = clause_use(clause.name);
    bool ours = p->kind != P_OMP_DECLARE && p->kind != P_ACC_ROUTINE;
    if (use == CLAUSE_UNKNOWN && ours)
        diag(m->c, DIAG_WARNING, SC_PRAGMA, clause.loc, "unknown clause %s of #pragma %s%s",
             clause.name, p->text, clause_meant(m->a, clause.name));
    const char *number =
        str_eq(clause.name, "collapse") && clause.args ? clause.args + strspn(clause.args, " ") : NULL;
    if (number && (atoi(number) < 1 || number[strspn(number, "0123456789 ")]))
        diag(m->c, DIAG_WARNING, SC_PRAGMA, clause.loc,
             "collapse(%s): a number is expected; the mark covers one loop", clause.args);
    Clause *grown = NEW_N(m->a, Clause, p->nclauses + 1);
    if (p->nclauses) memcpy(grown, p->clauses, sizeof *grown * (size_t)p->nclauses);
    grown[p->nclauses++] = clause;
    p->clauses = grown;
}

static void malformed(Marks *m, const Pragma *p, const char *at) {
    diag(m->c, DIAG_WARNING, SC_PRAGMA, p->loc, "cannot read '%.20s' in #pragma %s", at, p->text);
}

static void read_clauses(Marks *m, Pragma *p, const char *s) {
    for (s = skip_space(s); *s; s = skip_space(s)) {
        const char *end = word_end(s);
        if (end == s) {
            malformed(m, p, s);
            return;
        }
        Clause c = {.name = arena_strndup(m->a, s, (size_t)(end - s)), .loc = p->loc};
        s = end;
        while (*s == ' ') s++;
        if (*s == '(') {
            const char *close = closing(s);
            if (!close) {
                malformed(m, p, c.name);
                return;
            }
            c.args = arena_strndup(m->a, s + 1, (size_t)(close - s) - 2);
            s = close;
        }
        add_clause(m, p, c);
    }
}

// Words up to the first that has an argument.
static int split_words(Marks *m, const char *s, const char *words[WORDS],
                       const char *ends[WORDS]) {
    int n = 0;
    for (s = skip_space(s); n < WORDS && *s; s = skip_space(s)) {
        const char *end = word_end(s), *after = end;
        while (*after == ' ') after++;
        if (end == s || (*after == '(' && n != 1)) break; // critical(name) is a directive
        words[n] = arena_strndup(m->a, s, (size_t)(end - s));
        ends[n++] = s = end;
    }
    return n;
}

static bool shares_loop(Marks *m, const char *body) {
    const char *words[WORDS], *ends[WORDS];
    PragmaKind kind;
    int used = 0, n = split_words(m, body, words, ends);
    return directive_kind(n, words, &kind, &used) && kind == P_OMP_FOR;
}

// What a metadirective stands for: its first variant, where whichever the program takes shares out a loop.
// NULL: one doesn't, or none may be taken.
static const char *variant_of(Marks *m, const char *s) {
    const char *first = NULL;
    for (s = skip_space(s); *s; s = skip_space(s)) {
        const char *end = word_end(s), *open = end + strspn(end, " ");
        const char *close = *open == '(' ? closing(open) : NULL;
        if (end == s || !close) return NULL;
        const char *name = arena_strndup(m->a, s, (size_t)(end - s));
        const char *args = arena_strndup(m->a, open + 1, (size_t)(close - open) - 2), *at = args;
        bool when = str_eq(name, "when");
        int depth = 0;
        while (when && *at && (depth || *at != ':'))
            depth += !!strchr("([{", *at) - !!strchr(")]}", *at), at++;
        if (when && !*at++) return NULL;
        if (!when && !str_eq(name, "default") && !str_eq(name, "otherwise")) return NULL;
        const char *body = arena_printf(m->a, "omp %s", at);
        if (!shares_loop(m, body)) return NULL;
        if (!first) first = body;
        if (!when) return first;
        s = close;
    }
    return NULL; // the last one would be none
}

static void read_directive(Marks *m, const char *body, size_t begin, size_t end, MacroPlace place) {
    const char *words[WORDS], *ends[WORDS];
    int used = 0, n = split_words(m, body, words, ends);
    if (n == 2 && str_eq(words[0], "omp") && str_eq(words[1], "metadirective")) {
        const char *variant = variant_of(m, ends[1]);
        if (variant) n = split_words(m, body = variant, words, ends);
    }
    Pragma p = {.begin = begin, .end = end, .place = place, .loc = loc_at(m, begin)};
    if (!directive_kind(n, words, &p.kind, &used)) return;
    body = skip_space(body);
    p.text = arena_strndup(m->a, body, (size_t)(ends[used - 1] - body));
    bool ours = p.kind != P_OMP_OTHER && p.kind != P_ACC_OTHER;
    if (ours) read_clauses(m, &p, ends[used - 1]);
    vec_push(m->a, &m->found, p);
}

// ---- the directives of the file ------------------------------------------------------
static size_t pragma_line(Marks *m, size_t hash) {
    const char *text = m->u->text;
    size_t size = m->u->size, end = lex_directive_end(text, size, hash);
    size_t word = lex_blank(text, end, hash + 1);
    if (!lex_word_is(text, end, word, "pragma") || ast_is_skipped(m->u, hash)) return end;
    Found f = {clean(m->a, text, word + strlen("pragma"), end), hash, end, false};
    vec_push(m->a, &m->raw, f);
    return end;
}

// The string in the _Pragma("…") at `at`, unescaped; NULL: not of that form.
static char *operator_text(Marks *m, const char *text, size_t size, size_t at, size_t *end) {
    at = lex_blank(text, size, at + strlen("_Pragma"));
    if (at >= size || text[at] != '(') return NULL;
    size_t quote = lex_blank(text, size, at + 1);
    if (quote >= size || text[quote] != '"') return NULL;
    size_t past = lex_token(text, size, quote), close = lex_blank(text, size, past);
    if (close >= size || text[close] != ')') return NULL;
    *end = close + 1;
    Text t = text_new(m->a);
    for (size_t k = quote + 1; k + 1 < past; k++) {
        if (text[k] == '\\' && k + 2 < past) k++;
        text_putn(&t, text + k, 1);
    }
    return arena_strdup(m->a, text_str(&t));
}

static size_t pragma_operator(Marks *m, size_t at) {
    size_t end = at + strlen("_Pragma");
    char *body = ast_is_skipped(m->u, at) ? NULL : operator_text(m, m->u->text, m->u->size, at, &end);
    if (body) vec_push(m->a, &m->raw, ((Found){body, at, end, false}));
    return end;
}

static size_t macro_call(Marks *m, const Expansion *e) {
    vec_push(m->a, &m->raw,
             ((Found){arena_strndup(m->a, m->u->text + e->begin, e->end - e->begin), e->begin, e->end,
                      true}));
    return e->end;
}

static void find_all(Marks *m) {
    const char *text = m->u->text;
    size_t size = m->u->size, at = 0;
    int macro = 0, nmacros = m->u->expansions.n;
    while ((at = lex_blank(text, size, at)) < size) {
        while (macro < nmacros && m->u->expansions.at[macro].begin < at) macro++;
        if (lex_is_directive(text, size, at)) at = pragma_line(m, at);
        else if (macro < nmacros && m->u->expansions.at[macro].begin == at)
            at = macro_call(m, &m->u->expansions.at[macro]);
        else if (lex_word_is(text, size, at, "_Pragma")) at = pragma_operator(m, at);
        else at = lex_token(text, size, at);
    }
}

// ---- macros in them ------------------------------------------------------------------
Decl *ast_function_at(const AstUnit *u, size_t at) {
    for (int i = 0; i < u->nfuncs; i++) {
        const Ast *body = u->funcs[i]->body;
        if (body && at >= body->begin && at < body->end) return u->funcs[i];
    }
    return NULL;
}

static bool is_defined(const AstUnit *u, const char *word, size_t n) {
    for (int i = 0; i < u->macros.n; i++)
        if (strlen(u->macros.at[i]) == n && strncmp(u->macros.at[i], word, n) == 0) return true;
    return false;
}

// Is a word of a mark a macro? Bounds of array sections are C that stays C.
static bool names_macro(const AstUnit *u, const char *s) {
    static const char *const ours[] = {"omp", "acc", "sculpt"};
    bool mark = false;
    s = skip_space(s);
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        mark |= (size_t)(word_end(s) - s) == strlen(ours[k]) && str_has_prefix(s, ours[k]);
    for (int depth = 0; mark && *s; s = word_end(s) > s ? word_end(s) : s + 1) {
        depth += (*s == '[') - (*s == ']');
        if (depth == 0 && word_end(s) > s && is_defined(u, s, (size_t)(word_end(s) - s))) return true;
    }
    return false;
}

static void expand_all(Marks *m) {
    VEC(Expansion) asked = {0};
    VEC(Found *) whose = {0};
    for (int i = 0; i < m->raw.n; i++) {
        Found *f = &m->raw.at[i];
        const Decl *func = ast_function_at(m->u, f->begin);
        if (!func || (!f->is_macro && !names_macro(m->u, f->body))) continue;
        vec_push(m->a, &asked, ((Expansion){f->begin, f->end, func->begin, f->body}));
        vec_push(m->a, &whose, f);
    }
    if (asked.n) ast_expand(m->c, m->u, asked.n, asked.at);
    for (int i = 0; i < asked.n; i++) {
        Found *f = whose.at[i];
        f->body = asked.at[i].text;
        if (!f->body)
            diag(m->c, DIAG_WARNING, SC_PRAGMA, loc_at(m, f->begin),
                 "what the macros in this mark become can't be told");
    }
}

// Is the place in an argument, of a macro's call say, or in a macro's text?
static bool is_in_parens(const AstUnit *u, size_t at) {
    const Decl *func = ast_function_at(u, at);
    int parens = 0;
    for (size_t k = func ? func->begin : at; (k = lex_blank(u->text, u->size, k)) < at;) {
        parens += (u->text[k] == '(') - (u->text[k] == ')');
        k = lex_is_directive(u->text, u->size, k) ? lex_directive_end(u->text, u->size, k)
                                                  : lex_token(u->text, u->size, k);
    }
    return parens != 0;
}

// Does a directive stand in the same function?
static bool is_among_marks(const Marks *m, size_t at) {
    const Decl *func = ast_function_at(m->u, at);
    bool any = false;
    for (int i = 0; i < m->raw.n && !any; i++)
        any = !m->raw.at[i].is_macro && func && ast_function_at(m->u, m->raw.at[i].begin) == func;
    return any;
}

// The directives that a macro holds; what else it holds may begin their loop, or be all of it. One that opens
// a block and leaves it open, or closes one, is part of a loop that stands around it.
static void read_macro(Marks *m, const Found *f) {
    const char *text = f->body;
    size_t size = strlen(text), past;
    bool before = false, after = false, between = false;
    VEC(const char *) bodies = {0};
    for (size_t at = lex_blank(text, size, 0); at < size; at = lex_blank(text, size, past)) {
        char *body = lex_word_is(text, size, at, "_Pragma") ? operator_text(m, text, size, at, &past) : NULL;
        if (body) between |= after, vec_push(m->a, &bodies, (const char *)body);
        else past = lex_token(text, size, at);
        before |= !body && !bodies.n;
        after |= !body && bodies.n;
    }
    before |= between;
    bool counts = strstr(m->u->text, "__COUNTER__"); // a call would count twice
    bool lopsided = ast_is_lopsided(text);
    bool wanted = bodies.n ? before || lopsided : lopsided && is_among_marks(m, f->begin);
    if (wanted && !counts && !is_in_parens(m->u, f->begin))
        vec_push(m->a, &m->u->inside, ((Replaced){f->begin, f->end, f->body}));
    MacroPlace place = before ? MACRO_INSIDE : after ? MACRO_BEGINS : MACRO_NONE;
    for (int i = 0; i < bodies.n; i++)
        read_directive(m, bodies.at[i], f->begin, after ? f->begin : f->end, place);
}

static void read_all(Marks *m) {
    for (int i = 0; i < m->raw.n; i++) {
        const Found *f = &m->raw.at[i];
        if (f->is_macro && f->body) read_macro(m, f);
        else if (f->body) read_directive(m, f->body, f->begin, f->end, MACRO_NONE);
    }
}

const Clause *pragma_clause(const Pragma *p, const char *name) {
    for (int k = 0; k < p->nclauses; k++)
        if (str_eq(p->clauses[k].name, name)) return &p->clauses[k];
    return NULL;
}

bool pragma_says(const Pragma *p, const char *word) {
    const char *at = strstr(p->text, word);
    return at && (at == p->text || at[-1] == ' ') && (!at[strlen(word)] || at[strlen(word)] == ' ');
}

// ---- targets ---------------------------------------------------------------------------
static bool is_stmt(const Ast *x) {
    return x && x->kind >= A_EXPR && x->end > x->begin;
}

// The first statement below x that begins at or after `at`, inside what stands around `at`. The arms of what
// was a switch all have its place.
static Ast *following(Ast *x, size_t at) {
    bool inside = false;
    for (int i = 0; i < x->nkids; i++) {
        Ast *kid = x->kids[i];
        if (!is_stmt(kid) || kid->end <= at) continue;
        if (kid->begin >= at) return inside ? NULL : kid;
        Ast *found = following(kid, at);
        if (found) return found;
        inside = true;
    }
    return NULL;
}

static bool is_in_expression(const Ast *x, size_t at) {
    if (!x) return false;
    if (x->kind == A_STMT_EXPR && x->begin < at && at < x->end) return true;
    for (int i = 0; i < x->nkids; i++)
        if (is_in_expression(x->kids[i], at)) return true;
    for (int i = 0; i < x->ndecls; i++)
        if (is_in_expression(x->decls[i]->init, at)) return true;
    return false;
}

static void find_target(AstUnit *u, Pragma *p) {
    for (int i = 0; i < u->nfuncs && !p->target; i++) {
        Ast *body = u->funcs[i]->body;
        if (!body || body->begin >= p->begin || p->end >= body->end) continue;
        p->in_expression = is_in_expression(body, p->begin);
        p->target = p->in_expression ? NULL : following(body, p->end);
    }
    bool others = p->target && p->target->begin != p->begin;
    if (p->place == MACRO_BEGINS && others) p->place = MACRO_INSIDE; // and ends it
    if (p->place == MACRO_INSIDE) p->target = NULL;
}

// Clauses that ask for a launch are told once a file.
static void tell_hints(Compile *c, const AstUnit *u) {
    Text names = text_new(c->arena);
    const Clause *first = NULL;
    int kinds = 0, times = 0;
    for (int i = 0; i < u->npragmas; i++)
        for (int k = 0; k < u->pragmas[i].nclauses; k++) {
            const Clause *x = &u->pragmas[i].clauses[k];
            bool ours = u->pragmas[i].kind != P_OMP_DECLARE && u->pragmas[i].kind != P_ACC_ROUTINE;
            if (!ours || clause_use(x->name) != CLAUSE_HINT) continue;
            times++;
            if (!first) first = x;
            if (str_among(x->name, text_str(&names))) continue;
            text_printf(&names, kinds++ ? ", %s" : "%s", x->name);
        }
    if (!times) return;
    const char *often = times > 1 ? arena_printf(c->arena, " (%d clauses in this file)", times) : "";
    diag(c, DIAG_REMARK, SC_HINT, first->loc,
         "clause%s %s: a hint only, for launches are chosen from the sizes and the device%s",
         kinds > 1 ? "s" : "", text_str(&names), often);
}

void marks_read(Compile *c, AstUnit *u) {
    Marks m = {.c = c, .a = c->arena, .u = u, .line = 1};
    find_all(&m);
    expand_all(&m);
    m.line_at = 0, m.line = 1, m.line_start = 0;
    read_all(&m);
    u->npragmas = m.found.n;
    u->pragmas = m.found.at;
    for (int i = 0; i < u->npragmas; i++)
        if (directive_has_target(u->pragmas[i].kind)) find_target(u, &u->pragmas[i]);
    tell_hints(c, u);
}
