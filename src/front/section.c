// SPDX-License-Identifier: MIT
// section.c -- how far a pointer reaches, as its program says it where the accesses can't tell.
//
//   #pragma acc parallel loop copyin(x[0:n])       elements 0 … n - 1 of x
//   #pragma omp target … map(to: a[1:m])           elements 1 … m of a
//   #pragma omp parallel for reduction(+: h[:n])   elements 0 … n - 1 of h
//   void f(int m, float table[m])                  elements 0 … m - 1 of table
//   float *x = malloc(n * sizeof *x);              elements 0 … n - 1 of x
//
// The words are C and are evaluated where the region stands. So they may name variables and constants of
// the file alone, which have the same value there as where the words stand, and members of records (s.n,
// p->x) where the words stand at the region.
#include "front/accept.h"
#include "front/item.h"
#include <ctype.h>
#include <string.h>

typedef struct Search {
    Compile *c;
    Arena *a;
    const RegionAst *ra;
    const Region *raw;
    const Pragma *p;       // NULL: a parameter's declaration
    size_t begin, end;     // of the region
    Sections *out;
} Search;

// ---- names ----------------------------------------------------------------------------------------
typedef struct Lookup {
    const char *name;
    const Decl *found;
    bool several;
} Lookup;

static void meet(Lookup *l, const Decl *d) {
    if (!d || !str_eq(d->name, l->name)) return;
    l->several |= l->found && l->found != d;
    l->found = d;
}

// The one variable of that name in the function; NULL: there is none, or there are several.
static const Decl *variable(const Search *s, const char *name, bool *several) {
    Lookup l = {.name = name};
    for (int k = 0; k < s->ra->func->nparams; k++) meet(&l, s->ra->func->params[k]);
    ast_each(e, s->ra->func->body) {
        if (e->kind == A_REF) meet(&l, e->decl);
        for (int k = 0; k < e->ndecls; k++) meet(&l, e->decls[k]);
    }
    *several = l.several;
    return l.several ? NULL : l.found;
}

// May the function set it at that place of the text or behind?
static bool is_set_since(const Search *s, const Decl *d, size_t since) {
    ast_each(e, s->ra->func->body) {
        bool sets = e->kind == A_ASSIGN || e->kind == A_INCDEC;
        bool later = e->begin >= since || e->end <= e->begin; // of a macro's text nobody knows
        if (sets && e->kids[0]->kind == A_REF && e->kids[0]->decl == d && later) return true;
        if (e->kind == A_OTHER && accept_count_uses(e, d) > 0) return true; // assembler text
    }
    return false;
}

static bool stands_at_region(const Search *s) {
    return s->p && s->p->target && s->p->target->begin >= s->begin;
}

// Has it the same value at the region as where the words stand?
static bool is_steady(const Search *s, const Decl *d) {
    if (stands_at_region(s)) return true;
    if (d->is_const) return true;
    if (d->is_global || d->is_static || d->address_taken) return false;
    return !is_set_since(s, d, s->p ? s->p->begin : 0);
}

// #define NAME 1024: a number and nothing else, in this file.
static bool is_number_macro(const Search *s, const char *name) {
    size_t n = strlen(name);
    for (const char *at = s->ra->unit->text; (at = strstr(at, "#define ")); at++) {
        const char *word = at + strlen("#define ");
        word += strspn(word, " \t");
        if (strncmp(word, name, n) != 0 || !isspace((unsigned char)word[n])) continue;
        word += n;
        size_t len = strcspn(word, "\n/");
        return strspn(word, " \t\r()0123456789+*-uUlL") >= len;
    }
    return false;
}

static size_t word_length(const char *text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    return n;
}

// name, name.member, name->member.member: the length; 0: neither.
static size_t path_length(const char *text) {
    size_t n = word_length(text);
    if (isdigit((unsigned char)*text)) return n;
    for (;;) {
        size_t mark = !n ? 0 : text[n] == '.' ? 1 : str_has_prefix(text + n, "->") ? 2 : 0;
        size_t word = mark ? word_length(text + n + mark) : 0;
        if (!word) return n;
        n += mark + word;
    }
}

// A variable or a member of one, which has the same value at the region as where the words stand; NULL: it is
// none, or there are several of that name.
static const CType *steady_type(const Search *s, const char *path) {
    size_t n = word_length(path);
    bool several;
    const Decl *d = variable(s, arena_strndup(s->a, path, n), &several);
    if (!d || !(path[n] ? stands_at_region(s) : is_steady(s, d))) return NULL;
    const CType *t = d->type;
    while (t && path[n]) {
        if (path[n++] == '-') n++, t = t->kind == CT_POINTER ? t->of : NULL;
        size_t word = word_length(path + n);
        const char *name = arena_strndup(s->a, path + n, word);
        const CField *f = t && t->kind == CT_RECORD ? ctype_field(t, name) : NULL;
        t = f ? f->type : NULL;
        n += word;
    }
    return t;
}

static bool is_known_name(const Search *s, const char *name) {
    bool several;
    if (!variable(s, name, &several) && !several && is_number_macro(s, name)) return true;
    const CType *t = steady_type(s, name);
    return t && t->kind == CT_SCALAR && type_is_int(t->scalar);
}

// Arithmetic on such names and whole numbers.
static bool is_known_text(const Search *s, const char *text) {
    if (!*text) return false;
    while (*text) {
        size_t n = path_length(text);
        if (n && !isdigit((unsigned char)*text) && !is_known_name(s, arena_strndup(s->a, text, n)))
            return false;
        if (!n && !strchr(" \t+-*/%()", *text)) return false;
        text += n ? n : 1;
    }
    return true;
}

// ---- arrays ---------------------------------------------------------------------------------------
// Do the first subscripts of the array count what the pointer points to?
static bool counts_elements(const Array *v, const CType *t) {
    int rank = 0;
    for (; t && (t->kind == CT_POINTER || t->kind == CT_ARRAY); t = t->of) rank++;
    return t && rank == v->rank && t->bytes == v->stride && !v->apart;
}

// source: of the pointer, in C, and its type.
static void tell(Search *s, const char *source, const CType *t, Section x) {
    for (int k = 0; k < s->raw->narrays; k++) {
        const Array *v = s->raw->arrays[k];
        if (!v->source || !str_eq(v->source, source) || !v->rank || v->extent[0] || !counts_elements(v, t))
            continue;
        x.array = v->name, x.rank = v->rank;
        vec_push(s->a, s->out, x);
    }
}

static void add(Search *s, const char *name, const char *lo, const char *size, Loc loc) {
    const CType *t = path_length(name) == strlen(name) ? steady_type(s, name) : NULL;
    if (!t || !is_known_text(s, lo) || !is_known_text(s, size)) return;
    const char *said = s->p ? "its mark's section" : "its declaration";
    tell(s, name, t, (Section){.loc = loc, .lo = lo, .size = size, .said = said});
}

// ---- clauses --------------------------------------------------------------------------------------
// name[lo:size], with more brackets behind or not.
static void read_item(Search *s, const char *at, const char *end) {
    const char *open = memchr(at, '[', (size_t)(end - at));
    if (!open) return;
    const char *close = item_mark(open + 1, end, "]"), *colon = item_mark(open + 1, close, ":");
    if (close >= end || colon >= close) return;
    char *lo = item_trimmed(s->a, open + 1, colon);
    add(s, item_trimmed(s->a, at, open), *lo ? lo : "0", item_trimmed(s->a, colon + 1, close), s->p->loc);
}

static bool tells_sections(const char *clause) {
    static const char *const names[] = {"map", "copy", "copyin", "copyout", "create", "present", "no_create",
        "pcopy", "pcopyin", "pcopyout", "pcreate", "present_or_copy", "present_or_copyin",
        "present_or_copyout", "present_or_create", "reduction"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (str_eq(names[k], clause)) return true;
    return false;
}

static void read_clause(Search *s, const Clause *cl) {
    if (!cl->args || !tells_sections(cl->name)) return;
    const char *end = cl->args + strlen(cl->args), *at = cl->args, *kind = item_mark(at, end, ":[");
    if (kind < end && *kind == ':') at = kind + 1; // map(always, to: …)
    while (at < end) {
        const char *stop = item_mark(at, end, ",");
        read_item(s, at, stop);
        at = stop + 1;
    }
}

// ---- declarations ---------------------------------------------------------------------------------
static void read_parameter(Search *s, const Decl *d) {
    const Ast *size = d->type && d->type->kind == CT_ARRAY ? d->type->size : NULL;
    if (!size) return;
    const char *text = size->kind == A_INT ? arena_printf(s->a, "%lld", (long long)size->i) : NULL;
    if (!text && size->end > size->begin)
        text = arena_strndup(s->a, s->ra->unit->text + size->begin, size->end - size->begin);
    if (text) add(s, d->name, "0", text, d->loc);
}

// ---- allocations ----------------------------------------------------------------------------------
// The first statements of a function run once, and in order. So what one allocates is as large as it says, as
// long as the pointer is set nowhere else and the variables in the size stay as they are.

// The number of bytes as C at the region's place. NULL: it can't be told there.
static const char *bytes_text(Search *s, const Ast *e, size_t since) {
    if (e->kind == A_INT) return arena_printf(s->a, "%lldLL", (long long)e->i);
    bool narrow = e->type && e->type->kind == CT_SCALAR && type_size(e->type->scalar) < 8;
    if (!e->type || e->type->kind != CT_SCALAR || !type_is_int(e->type->scalar)) return NULL;
    if (e->kind == A_CAST) return narrow ? NULL : bytes_text(s, e->kids[0], since);
    if (e->kind == A_REF) {
        bool several, own = e->decl->kind == D_VAR || e->decl->kind == D_PARAM;
        bool seen = !own || e->decl->is_global || e->decl->is_static || e->decl->address_taken;
        bool steady = !seen && !is_set_since(s, e->decl, since);
        return steady && variable(s, e->decl->name, &several) == e->decl
                   ? arena_printf(s->a, "((long long)%s)", e->decl->name)
                   : NULL;
    }
    bool plain = e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_DIV;
    if (e->kind != A_BINARY || !plain || (narrow && !type_is_signed(e->type->scalar))) return NULL;
    const char *x = bytes_text(s, e->kids[0], since), *y = bytes_text(s, e->kids[1], since);
    return x && y ? arena_printf(s->a, "(%s %s %s)", x, op_text(e->op), y) : NULL;
}

// Is it set so many times? Not where statements run again, or text that may do anything names it.
static bool is_set_times(const Ast *body, const Decl *d, int times) {
    ast_each(e, body) {
        if (e->kind == A_LABEL || (e->kind == A_OTHER && accept_count_uses(e, d) > 0)) return false;
        bool sets = e->kind == A_ASSIGN || e->kind == A_INCDEC;
        times -= sets && e->kids[0]->kind == A_REF && e->kids[0]->decl == d;
    }
    return !times;
}

// d = value, where the function's first statements say so, at `since`.
static void read_allocation(Search *s, const Decl *d, const Ast *value, bool declared, size_t since) {
    if (d->kind != D_VAR || d->type->kind != CT_POINTER || d->is_global || d->is_static || d->address_taken)
        return;
    const Ast *call = value ? accept_strip(value) : NULL;
    if (!call || call->kind != A_CALL || !call->decl || call->decl->body) return;
    bool zeroed = str_eq(call->decl->name, "calloc") && call->nkids == 2, several;
    bool plain = str_eq(call->decl->name, "malloc") && call->nkids == 1;
    if ((!zeroed && !plain) || !is_set_times(s->ra->func->body, d, !declared)) return;
    if (variable(s, d->name, &several) != d) return;
    const char *n = bytes_text(s, call->kids[0], since);
    const char *each = zeroed ? bytes_text(s, call->kids[1], since) : "1";
    if (!n || !each || !d->type->of || d->type->of->bytes <= 0) return;
    const char *size = arena_printf(s->a, "%s * %s / %lld", n, each, (long long)d->type->of->bytes);
    tell(s, d->name, d->type, (Section){.loc = d->loc, .lo = "0", .size = size});
}

static void read_allocations(Search *s) {
    const Ast *body = s->ra->func->body;
    for (int k = 0; body && k < body->nkids; k++) {
        const Ast *x = body->kids[k];
        if (!x || x->end <= x->begin || x->begin >= s->begin) continue;
        if (x->kind == A_EXPR) x = x->kids[0];
        for (int i = 0; x->kind == A_DECLS && i < x->ndecls; i++)
            read_allocation(s, x->decls[i], x->decls[i]->init, true, body->kids[k]->begin);
        if (x->kind == A_ASSIGN && x->op == OP_SET && x->kids[0]->kind == A_REF)
            read_allocation(s, x->kids[0]->decl, x->kids[1], false, body->kids[k]->begin);
    }
}

Sections *sections_of(Compile *c, const RegionAst *ra, const Region *raw) {
    Sections *out = NEW(c->arena, Sections);
    Search s = {.c = c,
                .a = c->arena,
                .ra = ra,
                .raw = raw,
                .out = out,
                .begin = ra->stmts[0]->begin,
                .end = ra->stmts[ra->nstmts - 1]->end};
    for (int k = 0; k < ra->npragmas; k++) {
        s.p = ra->pragmas[k];
        bool holds = s.p->target && s.p->target->begin <= s.begin && s.p->target->end >= s.end;
        for (int i = 0; holds && i < s.p->nclauses; i++) read_clause(&s, &s.p->clauses[i]);
    }
    s.p = NULL;
    for (int k = 0; k < ra->func->nparams; k++) read_parameter(&s, ra->func->params[k]);
    read_allocations(&s);
    return out;
}
