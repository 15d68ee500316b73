// SPDX-License-Identifier: MIT
// item.c -- items of clauses as C expressions: where they are, and how many bytes.
//
//   g.k                &(g.k)            sizeof(g.k)
//   s->x[lo:n]         &(s->x)[lo]       n * sizeof((s->x)[0])
//   p                  p                 0, all that was entered there (where data end or are updated)
//   rows[0:n][lo:m]    &(rows)[0]        m * sizeof((rows)[0][0]), n times from lo, where rows holds pointers
#include "front/item.h"
#include <ctype.h>
#include <string.h>

char *item_trimmed(Arena *a, const char *s, const char *end) {
    while (s < end && isspace((unsigned char)*s)) s++;
    while (end > s && isspace((unsigned char)end[-1])) end--;
    return arena_strndup(a, s, (size_t)(end - s));
}

const char *item_mark(const char *s, const char *end, const char *marks) {
    for (int depth = 0; s < end; s++) {
        if (!depth && strchr(marks, *s)) return s;
        depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
    }
    return end;
}

// ---- names --------------------------------------------------------------------------------
typedef struct Lookup {
    const char *name;
    const Decl *found;
    size_t before; // uses after this place count only when there are none before
} Lookup;

static void look(const Ast *x, Lookup *l) {
    if (!x) return;
    bool hit = x->kind == A_REF && x->decl && str_eq(x->decl->name, l->name);
    if (hit && (!l->found || x->begin <= l->before)) l->found = x->decl;
    for (int i = 0; i < x->nkids; i++) look(x->kids[i], l);
    for (int i = 0; i < x->ndecls; i++) {
        if (str_eq(x->decls[i]->name, l->name) && x->begin <= l->before) l->found = x->decls[i];
        look(x->decls[i]->init, l);
    }
}

// The variable of that name at the directive, as well as uses around tell.
static const Decl *variable(const ItemPlace *at, const char *name) {
    Lookup l = {.name = name, .before = at->p->begin};
    for (int i = 0; i < at->func->nparams; i++)
        if (str_eq(at->func->params[i]->name, name)) l.found = at->func->params[i];
    look(at->func->body, &l);
    for (int i = 0; i < at->u->nfuncs && !l.found; i++) { // a global that this function never names
        look(at->u->funcs[i]->body, &l);
        if (l.found && !l.found->is_global) l.found = NULL;
    }
    return l.found;
}

// ---- types --------------------------------------------------------------------------------
static bool is_name(const char *s) {
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
    return n && !s[n] && !isdigit((unsigned char)*s);
}

static const CType *type_of(const ItemPlace *at, const char *s);

static const CType *type_of_name(const ItemPlace *at, const char *name) {
    const Decl *v = variable(at, name);
    if (!v || !v->type || v->kind != D_PARAM || v->type->kind != CT_ARRAY) return v ? v->type : NULL;
    CType *t = NEW(at->a, CType); // what a parameter really is
    *t = (CType){.kind = CT_POINTER, .of = v->type->of, .bytes = (int64_t)sizeof(void *), .text = "pointer"};
    return t;
}

static const CType *inside(const CType *t) {
    return t && (t->kind == CT_POINTER || t->kind == CT_ARRAY) ? t->of : NULL;
}

static const CType *member(const CType *t, const char *name) {
    for (int i = 0; t && t->kind == CT_RECORD && i < t->nfields; i++)
        if (str_eq(t->fields[i].name, name)) return t->fields[i].type;
    return NULL;
}

// Where the bracket that the text ends with begins; NULL: it ends otherwise, or none does.
static const char *last_bracket(const char *s, const char *brackets) {
    size_t n = strlen(s);
    int depth = 0;
    if (!n || s[n - 1] != brackets[1]) return NULL;
    for (const char *at = s + n - 1; at >= s; at--) {
        depth += strchr(")]}", *at) ? 1 : strchr("([{", *at) ? -1 : 0;
        if (!depth) return *at == brackets[0] ? at : NULL;
    }
    return NULL;
}

// Of a, *a, (a), a[i], a.m and a->m; NULL: not known.
static const CType *type_of(const ItemPlace *at, const char *s) {
    if (is_name(s)) return type_of_name(at, s);
    if (*s == '*') return inside(type_of(at, item_trimmed(at->a, s + 1, s + strlen(s))));
    const char *open = last_bracket(s, "()"), *end = s + strlen(s);
    if (open) return open == s ? type_of(at, item_trimmed(at->a, s + 1, end - 1)) : NULL;
    open = last_bracket(s, "[]");
    if (open) return inside(type_of(at, item_trimmed(at->a, s, open)));
    const char *name = end;
    while (name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    const char *dot = name;
    while (dot > s && isspace((unsigned char)dot[-1])) dot--;
    bool arrow = dot - s >= 2 && dot[-1] == '>' && dot[-2] == '-';
    if (name == end || !(arrow || (dot > s && dot[-1] == '.'))) return NULL;
    const CType *of = type_of(at, item_trimmed(at->a, s, dot - (arrow ? 2 : 1)));
    return member(arrow ? inside(of) : of, name);
}

// The structure of a member: what stands before the first dot or arrow.
static const char *whole_of(const ItemPlace *at, const char *s) {
    const char *end = s + strlen(s), *dot = item_mark(s, end, ".>");
    return dot < end ? item_trimmed(at->a, s, dot + 1) : NULL;
}

// ---- items --------------------------------------------------------------------------------
// The member of a union, say, is what C says it is.
static bool read_whole(const ItemPlace *at, const char *s, Item *out) {
    const CType *t = type_of(at, s);
    bool path = !is_name(s), pointer = t && t->kind == CT_POINTER;
    if (at->ends && pointer && (!path || at->p->kind == P_ACC_EXIT_DATA || at->p->kind == P_OMP_EXIT_DATA)) {
        *out = (Item){.address = s, .bytes = "0"};
        return true;
    }
    bool sized = t ? t->kind != CT_VOID && t->kind != CT_FUNCTION && (t->kind != CT_ARRAY || t->size) : path;
    if (!sized || (pointer && !at->ends)) return false;
    *out = (Item){.address = arena_printf(at->a, "&(%s)", s),
                  .bytes = arena_printf(at->a, "sizeof(%s)", s),
                  .whole = whole_of(at, s)};
    return true;
}

typedef struct Stretch {
    const char *lo, *len; // C; len NULL: to the end
    const char *behind;   // its bracket
} Stretch;

// [lo:len], or where `one` an element's [i] as well; open: its bracket.
static bool read_stretch(const ItemPlace *at, const char *open, const char *end, bool one, Stretch *x) {
    if (open >= end || *open != '[') return false;
    const char *close = item_mark(open + 1, end, "]"), *colon = item_mark(open + 1, close, ":?");
    bool told = colon < close && *colon == ':';
    if (close >= end || !(told || one)) return false;
    if (!told) colon = close;
    x->lo = item_trimmed(at->a, open + 1, colon);
    x->len = told ? item_trimmed(at->a, colon + 1, close) : "1";
    if (!*x->lo) x->lo = "0";
    if (!*x->len) x->len = NULL;
    x->behind = close + 1;
    return true;
}

static bool end_stretch(const ItemPlace *at, const char *base, const CType *t, Stretch *x) {
    if (x->len) return true;
    x->len = arena_printf(at->a, "sizeof(%s) / sizeof((%s)[0]) - (__SIZE_TYPE__)(%s)", base, base, x->lo);
    return t && t->kind == CT_ARRAY && t->size;
}

static bool read_section(const ItemPlace *at, const char *base, const char *open, const char *end,
                         Item *out) {
    const CType *t = type_of(at, base), *row = inside(t);
    Stretch x, y;
    if (!read_stretch(at, open, end, true, &x) || !end_stretch(at, base, t, &x)) return false;
    const char *first = arena_printf(at->a, "(%s)[%s]", base, x.lo);
    const char *next = x.behind + strspn(x.behind, " \t");
    bool rows = row && row->kind == CT_POINTER && read_stretch(at, next, end, true, &y);
    if (!rows) {
        *out = (Item){.address = arena_printf(at->a, "&%s", first),
                      .bytes = arena_printf(at->a, "(__SIZE_TYPE__)(%s) * sizeof((%s)[0])", x.len, base),
                      .whole = t && t->kind == CT_ARRAY ? whole_of(at, base) : NULL};
        return true;
    }
    if (!end_stretch(at, first, row, &y)) return false;
    *out = (Item){.address = arena_printf(at->a, "&%s", first),
                  .bytes = arena_printf(at->a, "(__SIZE_TYPE__)(%s) * sizeof(%s[0])", y.len, first),
                  .rows = x.len,
                  .column = y.lo};
    return true;
}

// The first bracket with a stretch in it; end: there is none.
static const char *find_section(const ItemPlace *at, const char *s, const char *end) {
    Stretch x;
    while ((s = item_mark(s, end, "[")) < end) {
        if (read_stretch(at, s, end, false, &x)) return s;
        s = item_mark(s + 1, end, "]") + 1;
        if (s > end) s = end;
    }
    return end;
}

bool item_read(const ItemPlace *at, const char *s, const char *end, Item *out) {
    const char *open = find_section(at, s, end);
    char *base = item_trimmed(at->a, s, open);
    if (!*base) return false;
    return open < end ? read_section(at, base, open, end, out) : read_whole(at, base, out);
}
