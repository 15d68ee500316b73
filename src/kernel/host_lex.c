// SPDX-License-Identifier: MIT
// host_lex.c -- host code as tokens: macros put in, #if decided, headers beside the file read.
#include "kernel/host.h"
#include "kernel/host_run.h"
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

enum { MAX_INCLUDES = 16, MAX_EXPANSIONS = 64, MAX_TOKENS = 400000 };

typedef struct Macro {
    const char *name;
    int nparams;           // -1: no parentheses
    const char **params;
    HostToks body;
    bool hidden;           // being expanded, or no longer defined
} Macro;

typedef struct Pre {
    Arena *a;
    VEC(Macro *) macros;
    VEC(const char *) dirs, seen;
    HostToks out;
    int depth;
} Pre;

// ---- tokens ----------------------------------------------------------------------------------
static const char *const signs[] = {"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=",
                                    ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                    "^=", "::", "##"};

static size_t sign_end(const char *text, size_t size, size_t at) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i]);
        if (at + n <= size && strncmp(text + at, signs[i], n) == 0) return at + n;
    }
    return at + 1;
}

static size_t number_end(const char *text, size_t size, size_t at) {
    for (; at < size; at++) {
        char c = text[at];
        bool power = (c == '+' || c == '-') && strchr("eEpP", text[at - 1]) && !strchr("xX", text[at - 1]);
        if (!isalnum((unsigned char)c) && c != '.' && c != '\'' && !power) break;
    }
    return at;
}

static HostTok token_at(Pre *p, const char *text, size_t size, size_t *at) {
    size_t from = *at;
    unsigned char c = (unsigned char)text[from];
    bool digit = isdigit(c) || (c == '.' && from + 1 < size && isdigit((unsigned char)text[from + 1]));
    HostTok t = {.kind = HT_SIGN};
    if (digit) t.kind = HT_NUMBER, *at = number_end(text, size, from + 1);
    else if (c == '"' || c == '\'') t.kind = HT_TEXT, *at = lex_token(text, size, from);
    else if (isalpha(c) || c == '_') t.kind = HT_WORD, *at = lex_token(text, size, from);
    else *at = sign_end(text, size, from);
    t.text = arena_strndup(p->a, text + from, *at - from);
    return t;
}

static void tokens_of(Pre *p, const char *text, size_t size, HostToks *out) {
    for (size_t at = lex_blank(text, size, 0); at < size; at = lex_blank(text, size, at))
        vec_push(p->a, out, token_at(p, text, size, &at));
}

// ---- macros ------------------------------------------------------------------------------------
static Macro *find_macro(Pre *p, const char *name) {
    for (int i = p->macros.n - 1; i >= 0; i--)
        if (str_eq(p->macros.at[i]->name, name)) return p->macros.at[i]->hidden ? NULL : p->macros.at[i];
    return NULL;
}

static void expand(Pre *p, const HostTok *t, int n, HostToks *out);

// One argument of each parameter from behind '('; where the call ends, 0: it does not.
static int read_args(Pre *p, const HostTok *t, int n, HostToks *args, int nparams) {
    int depth = 1, which = 0;
    for (int i = 0; i < n; i++) {
        depth += str_eq(t[i].text, "(") - str_eq(t[i].text, ")");
        if (depth == 0) return i + 1;
        if (depth == 1 && str_eq(t[i].text, ",") && which + 1 < nparams) which++;
        else if (which < nparams) vec_push(p->a, &args[which], t[i]);
    }
    return 0;
}

static int param_of(const Macro *m, const char *name) {
    for (int i = 0; i < m->nparams; i++)
        if (str_eq(m->params[i], name)) return i;
    return -1;
}

static void substitute(Pre *p, const Macro *m, const HostToks *args, Loc loc, HostToks *out) {
    for (int i = 0; i < m->body.n; i++) {
        HostTok t = m->body.at[i];
        int which = t.kind == HT_WORD ? param_of(m, t.text) : -1;
        bool pastes = str_eq(t.text, "##") && out->n && i + 1 < m->body.n;
        t.loc = loc;
        if (which >= 0) expand(p, args[which].at, args[which].n, out);
        else if (!pastes) vec_push(p->a, out, t);
        else { // the two tokens beside ## become one
            const HostTok *next = &m->body.at[++i];
            int w = param_of(m, next->text);
            const char *text = w >= 0 ? (args[w].n ? args[w].at[0].text : "") : next->text;
            HostTok *last = &out->at[out->n - 1];
            last->text = arena_printf(p->a, "%s%s", last->text, text);
        }
    }
}

// A macro's use at t[0] put in; how many tokens it took, 0: it is none.
static int expand_use(Pre *p, const HostTok *t, int n, HostToks *out) {
    Macro *m = t->kind == HT_WORD ? find_macro(p, t->text) : NULL;
    if (!m || p->depth > MAX_EXPANSIONS || out->n > MAX_TOKENS) return 0;
    int used = 1;
    HostToks *args = NEW_N(p->a, HostToks, m->nparams + 1), text = {0};
    if (m->nparams >= 0) {
        if (n < 2 || !str_eq(t[1].text, "(")) return 0;
        used = read_args(p, t + 2, n - 2, args, m->nparams);
        if (!used) return 0;
        used += 2;
    }
    substitute(p, m, args, t->loc, &text);
    m->hidden = true;
    p->depth++;
    expand(p, text.at, text.n, out);
    p->depth--;
    m->hidden = false;
    return used;
}

static void expand(Pre *p, const HostTok *t, int n, HostToks *out) {
    for (int i = 0; i < n;) {
        int used = expand_use(p, t + i, n - i, out);
        if (!used) vec_push(p->a, out, t[i]);
        i += used ? used : 1;
    }
}

static void define(Pre *p, const char *line, size_t size) {
    size_t at = lex_blank(line, size, 0), end = lex_token(line, size, at);
    Macro *m = NEW(p->a, Macro);
    *m = (Macro){.name = arena_strndup(p->a, line + at, end - at), .nparams = -1};
    if (end < size && line[end] == '(') {
        VEC(const char *) params = {0};
        for (at = end + 1; at < size && line[at] != ')'; at = lex_blank(line, size, at)) {
            HostTok t = token_at(p, line, size, &at);
            if (str_eq(t.text, "...")) t.kind = HT_WORD, t.text = "__VA_ARGS__";
            if (t.kind == HT_WORD) vec_push(p->a, &params, t.text);
        }
        m->nparams = params.n;
        m->params = params.at;
        end = at < size ? at + 1 : size;
    }
    if (end < size) tokens_of(p, line + end, size - end, &m->body);
    vec_push(p->a, &p->macros, m);
}

static void undefine(Pre *p, const char *name) {
    Macro *m = find_macro(p, name);
    if (m) m->hidden = true;
}

// ---- conditions ------------------------------------------------------------------------------------
static bool holds(Pre *p, const char *line, size_t size) {
    HostToks raw = {0}, with = {0}, text = {0};
    tokens_of(p, line, size, &raw);
    for (int i = 0; i < raw.n; i++) {
        HostTok t = raw.at[i];
        if (str_eq(t.text, "defined")) {
            while (i + 1 < raw.n && raw.at[i + 1].kind != HT_WORD) i++;
            t = (HostTok){HT_NUMBER, i + 1 < raw.n && find_macro(p, raw.at[i + 1].text) ? "1" : "0", t.loc};
            i++;
            if (i + 1 < raw.n && str_eq(raw.at[i + 1].text, ")") && i >= 2 && str_eq(raw.at[i - 1].text, "("))
                i++;
        }
        vec_push(p->a, &with, t);
    }
    expand(p, with.at, with.n, &text);
    for (int i = 0; i < text.n; i++) // what nobody defined is 0
        if (text.at[i].kind == HT_WORD && !str_eq(text.at[i].text, "true"))
            text.at[i] = (HostTok){HT_NUMBER, "0", text.at[i].loc};
    HostVal v = host_constant(p->a, &text);
    return v.kind >= HOST_BOOL && v.kind <= HOST_FLOAT && (v.kind == HOST_FLOAT ? v.f != 0 : v.i[0] != 0);
}

// ---- files --------------------------------------------------------------------------------------------
static void read_text(Pre *p, const char *file, const char *text, size_t size);

static void include(Pre *p, const char *from, const char *line, size_t size) {
    const char *open = memchr(line, '"', size),
               *close = open ? memchr(open + 1, '"', size - (size_t)(open + 1 - line)) : NULL;
    if (!close || p->seen.n >= MAX_INCLUDES) return;
    const char *name = arena_strndup(p->a, open + 1, (size_t)(close - open) - 1), *slash = strrchr(from, '/');
    for (int i = -1; i < p->dirs.n; i++) {
        const char *dir = i >= 0  ? p->dirs.at[i]
                          : slash ? arena_strndup(p->a, from, (size_t)(slash - from))
                                  : ".";
        const char *path = arena_printf(p->a, "%s/%s", dir, name);
        size_t n;
        char *text = file_read(p->a, path, &n);
        if (!text) continue;
        for (int k = 0; k < p->seen.n; k++)
            if (str_eq(p->seen.at[k], path)) return;
        vec_push(p->a, &p->seen, path);
        read_text(p, path, text, n);
        return;
    }
}

typedef struct Cond { bool active, taken, outer; } Cond;
typedef struct File {
    const char *name;
    VEC(Cond) conds;
    HostToks pending;      // not yet expanded
    int line;
} File;

static bool is_active(const File *f) { return !f->conds.n || f->conds.at[f->conds.n - 1].active; }

static void flush(Pre *p, File *f) {
    expand(p, f->pending.at, f->pending.n, &p->out);
    f->pending.n = 0;
}

static void begin_cond(Pre *p, File *f, bool holds) {
    bool outer = is_active(f);
    Cond c = {outer && holds, outer && holds, outer};
    vec_push(p->a, &f->conds, c);
}

static void directive(Pre *p, File *f, const char *line, size_t size) {
    size_t at = lex_blank(line, size, 1), end = lex_token(line, size, at);
    const char *word = arena_strndup(p->a, line + at, end - at), *rest = line + end;
    size_t left = size - end, name_at = lex_blank(line, size, end);
    const char *name = arena_strndup(p->a, line + name_at, lex_token(line, size, name_at) - name_at);
    Cond *in = f->conds.n ? &f->conds.at[f->conds.n - 1] : NULL;
    flush(p, f);
    if (str_eq(word, "ifdef")) begin_cond(p, f, find_macro(p, name) != NULL);
    else if (str_eq(word, "ifndef")) begin_cond(p, f, find_macro(p, name) == NULL);
    else if (str_eq(word, "if")) begin_cond(p, f, is_active(f) && holds(p, rest, left));
    else if (str_eq(word, "endif") && in) f->conds.n--;
    else if (str_eq(word, "else") && in) in->active = in->outer && !in->taken, in->taken = true;
    else if (str_eq(word, "elif") && in) {
        in->active = in->outer && !in->taken && holds(p, rest, left);
        in->taken |= in->active;
    } else if (!is_active(f)) return;
    else if (str_eq(word, "define")) define(p, rest, left);
    else if (str_eq(word, "undef")) undefine(p, name);
    else if (str_eq(word, "include")) include(p, f->name, rest, left);
}

static void read_text(Pre *p, const char *file, const char *text, size_t size) {
    File f = {.name = file, .line = 1};
    size_t counted = 0, start = 0; // lines up to `counted` are in f.line, the last began at `start`
    for (size_t at = lex_blank(text, size, 0); at < size && p->out.n < MAX_TOKENS;
         at = lex_blank(text, size, at)) {
        if (lex_is_directive(text, size, at)) {
            size_t end = lex_directive_end(text, size, at);
            directive(p, &f, text + at, end - at);
            at = end;
            continue;
        }
        for (; counted < at; counted++)
            if (text[counted] == '\n') f.line++, start = counted + 1;
        size_t from = at;
        HostTok t = token_at(p, text, size, &at);
        t.loc = (Loc){file, f.line, (int)(from - start) + 1};
        if (is_active(&f)) vec_push(p->a, &f.pending, t);
    }
    flush(p, &f);
}

// -DNAME, -DNAME=VALUE, -Idir; the same with a space.
static void read_flags(Pre *p, int nflags, const char *const *flags) {
    for (int i = 0; i < nflags; i++) {
        bool macro = str_has_prefix(flags[i], "-D"), dir = str_has_prefix(flags[i], "-I");
        if (!macro && !dir) continue;
        const char *word = flags[i][2] ? flags[i] + 2 : i + 1 < nflags ? flags[++i] : "";
        if (dir) {
            vec_push(p->a, &p->dirs, word);
            continue;
        }
        char *line = arena_printf(p->a, "%s%s", word, strchr(word, '=') ? "" : " 1"), *eq = strchr(line, '=');
        if (eq) *eq = ' ';
        define(p, line, strlen(line));
    }
}

HostToks host_tokens(Arena *a, const char *file, const char *text, size_t size, int nflags,
                     const char *const *flags) {
    static const char *const always[] = {"__CUDACC__ 1", "__NVCC__ 1", "__linux__ 1", "__cplusplus 201703L"};
    Pre p = {.a = a};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) define(&p, always[i], strlen(always[i]));
    read_flags(&p, nflags, flags);
    read_text(&p, file, text, size);
    return p.out;
}
