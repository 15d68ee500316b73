// SPDX-License-Identifier: MIT
// accept_union.c -- members of unions: one place, seen as numbers of several types.
//
//   union { float v[4]; struct { float x, y, z, w; }; } *a;
//   a[i].y = a[i].v[k];                    a[i][1] = a[i][k], of 4 floats
//
//   union { float f; unsigned u; } *a;
//   a[i].u = a[i].u >> 1; y[i] = a[i].f;   a[i] of unsigned; y[i] = float_of_bits(a[i])
//
//   union { unsigned u; unsigned char b[4]; } t;
//   t.b[1] = 7; x[i] = t.u;                t = t & 0xffff00ff | 7 << 8; x[i] = t
//
// For a region a union is an array of elements as large as the largest number that the region names in it. If
// all that it names have one type the elements have it, else they are unsigned and hold bits. So dependences
// know one array, and a kernel never writes as one type what it reads as another.
#include "front/accept.h"
#include <string.h>

// ---- the numbers that are named -----------------------------------------------------------------
static Type unsigned_of(int64_t bytes) {
    return bytes == 1 ? T_U8 : bytes == 2 ? T_U16 : bytes == 4 ? T_U32 : bytes == 8 ? T_U64 : T_NONE;
}

static void add_number(Union *u, Type t, int64_t bytes, int64_t at) {
    u->mixed |= u->elem != T_NONE && u->elem != t;
    u->elem = u->mixed ? T_NONE : t;
    if (bytes > u->bytes) u->bytes = bytes;
    u->odd |= unsigned_of(bytes) == T_NONE;
    u->askew |= bytes > 0 && at % bytes;
    u->truth |= t == T_BOOL;
}

static void add_numbers(Union *u, const CType *t, int64_t at) {
    switch (t->kind) {
    case CT_ARRAY: add_numbers(u, t->of, at); return;
    case CT_SCALAR: add_number(u, t->scalar, t->bytes, at); return;
    case CT_POINTER: add_number(u, T_U64, t->bytes, at); return; // it is copied, no more
    case CT_RECORD:
        for (int k = 0; k < t->nfields; k++) {
            const CField *f = &t->fields[k];
            if (f->width) add_number(u, unsigned_of(f->unit), f->unit, at + f->base);
            else add_numbers(u, f->type, at + f->offset);
        }
        return;
    default: u->odd = true;
    }
}

// Two scopes may have unions of one name.
static bool is_same_union(const CType *x, const CType *t) {
    bool same = x && x->kind == CT_RECORD && x->is_union && str_eq(x->text, t->text) &&
                x->bytes == t->bytes && x->nfields == t->nfields;
    for (int k = 0; same && k < t->nfields; k++)
        same = str_eq(x->fields[k].name, t->fields[k].name) && x->fields[k].offset == t->fields[k].offset &&
               str_eq(x->fields[k].type->text, t->fields[k].type->text);
    return same;
}

static void add_member(Union *u, const CField *f) {
    if (f && f->width) add_number(u, unsigned_of(f->unit), f->unit, f->base);
    else if (f) add_numbers(u, f->type, f->offset);
}

static void add_listed(Union *u, const CType *t, const Ast *list) {
    for (int k = 0; k < list->nkids; k++) {
        const Ast *e = list->kids[k];
        bool named = e->kind == A_OTHER && str_eq(e->name, "designated") && e->kids[0]->kind == A_FIELD;
        add_member(u, named ? ctype_field(t, e->kids[0]->name) : t->nfields ? &t->fields[0] : NULL);
    }
}

// Members that a text names, and those that functions which it calls do.
static void add_named(Accept *ac, Union *u, const CType *t, const Ast *root, DeclVec *seen) {
    ast_each(e, root) {
        const CType *of = e->kind == A_FIELD && e->nkids ? e->kids[0]->type : NULL;
        if (of && e->arrow && of->of) of = of->of;
        if (is_same_union(of, t)) add_member(u, ctype_field(t, e->name));
        if (e->kind == A_INIT_LIST && is_same_union(e->type, t)) add_listed(u, t, e);
        if (e->kind != A_CALL || !e->decl || !e->decl->body || accept_has_decl(seen, e->decl)) continue;
        vec_push(ac->a, seen, e->decl);
        add_named(ac, u, t, e->decl->body, seen);
    }
}

static const Union *union_of(Accept *ac, const CType *t) {
    for (int k = 0; k < ac->unions.n; k++)
        if (is_same_union(ac->unions.at[k]->type, t)) return ac->unions.at[k];
    Union *u = NEW(ac->a, Union);
    DeclVec seen = {0};
    u->type = t;
    for (int k = 0; k < ac->ra->nstmts; k++) add_named(ac, u, t, ac->ra->stmts[k], &seen);
    if (!u->bytes) add_numbers(u, t, 0); // it is only copied
    if (u->askew) u->bytes = t->bytes, u->mixed = true;
    if (u->mixed) u->elem = unsigned_of(u->bytes);
    u->odd |= unsigned_of(u->bytes) == T_NONE || t->bytes % u->bytes || (u->mixed && u->truth);
    u->n = u->odd ? 0 : (int)(t->bytes / u->bytes);
    vec_push(ac->a, &ac->unions, (const Union *)u);
    return u;
}

bool accept_enter_union(Accept *ac, Ref *r, Loc loc) {
    if (r->shared) return true; // a union in a union: the outer one tells
    const Union *u = union_of(ac, r->type);
    if (u->odd)
        return accept_refuse(ac, SC_TYPE, loc, "members of '%s' that are used here are no numbers that lie "
                             "in each other; use one of them, or integers and floats of one size",
                             r->type->text);
    Shared *s = NEW(ac->a, Shared);
    *s = (Shared){.of = u, .ndims = r->ndims, .offset = r->offset, .path = r->path, .member = r->member};
    r->shared = s;
    return true;
}

// ---- places ---------------------------------------------------------------------------------------
static void to_element(Accept *ac, Ref *r, Expr *sub) {
    const Shared *s = r->shared;
    r->type = ast_scalar(ac->a, s->of->elem);
    r->ndims = s->ndims, r->offset = s->offset, r->member = s->member;
    r->path = arena_printf(ac->a, "%s_%s", s->path, s->of->mixed ? "bits" : "numbers"); // no variable itself
    r->shared = NULL, r->bits = NULL, r->part = NULL, r->text = NULL;
    r->mixed = s->of->mixed;
    r->steps = false, r->fresh = true;
    if (s->of->n == 1) return;
    r->dim[r->ndims] = (Dim){.extent = expr_int(ac->a, T_I32, s->of->n), .sub = sub, .bytes = s->of->bytes,
                             .bounds = true, .inner = r->ndims > 0};
    r->ndims++, r->steps = true, r->fresh = false;
}

const Ref *accept_union_elements(Accept *ac, const Ref *r, Loc loc, int *n) {
    Ref in = *r;
    if (!accept_enter_union(ac, &in, loc)) return NULL;
    *n = in.shared->of->n;
    if (r->shared || *n > ACCEPT_UNFOLD || in.shared->ndims >= ACCEPT_DIMS)
        return accept_refuse(ac, SC_TYPE, loc, "'%s' in one piece; copy its members", r->type->text);
    Ref *each = NEW_N(ac->a, Ref, *n);
    for (int k = 0; k < *n; k++) {
        each[k] = in;
        to_element(ac, &each[k], expr_int(ac->a, T_I32, k));
    }
    return each;
}

// sum + sub * by
static Expr *stepped(Accept *ac, Expr *sum, Expr *sub, int64_t by) {
    Expr *x = expr_mul(ac->a, sub, expr_int(ac->a, sub->type, by));
    return sum ? expr_add(ac->a, expr_cast(ac->a, T_I64, sum), expr_cast(ac->a, T_I64, x)) : x;
}

// Which element, and where in it the number begins: *at bytes behind its own, and as many bits more as *by
// says, where all is one element.
static Expr *element_of(Accept *ac, const Ref *r, int64_t *at, Expr **by) {
    const Shared *s = r->shared;
    int64_t bytes = s->of->bytes, off = r->offset - s->offset;
    Expr *sub = NULL;
    for (int k = s->ndims; k < r->ndims; k++) {
        const Dim *d = &r->dim[k];
        if (d->sub->kind == E_INT) off += d->sub->i * d->bytes;
        else if (d->bytes > 0 && d->bytes % bytes == 0) sub = stepped(ac, sub, d->sub, d->bytes / bytes);
        else if (d->bytes > 0 && s->of->n == 1) *by = stepped(ac, *by, d->sub, 8 * d->bytes);
        else return NULL;
    }
    *at = off % bytes;
    if (*by) *by = expr_cast(ac->a, bytes == 8 ? T_U64 : T_U32, *by);
    Expr *whole = expr_int(ac->a, sub ? sub->type : T_I32, off / bytes);
    return off < 0 ? NULL : sub ? expr_add(ac->a, sub, whole) : whole;
}

static bool whole_of_union(Accept *ac, const Ref *r, Loc loc, Ref *whole, Part *part) {
    const Union *u = r->shared->of;
    int64_t at = 0, bytes = r->part ? r->bits->bytes : type_size(r->type->scalar);
    Expr *sub = r->type->kind == CT_SCALAR ? element_of(ac, r, &at, &part->by) : NULL;
    if (!sub || at + bytes > u->bytes || r->shared->ndims >= ACCEPT_DIMS)
        return accept_refuse(ac, SC_TYPE, loc, "'%s' has numbers of several sizes here, and which part of "
                             "the largest this is shows only while the loop runs; shift and mask the largest",
                             u->type->text);
    *whole = *r;
    to_element(ac, whole, sub);
    part->of = NULL;
    if (!r->part && bytes == u->bytes) return true;
    CField *f = NEW(ac->a, CField);
    if (r->part) *f = *r->part;
    else *f = (CField){.type = ast_scalar(ac->a, unsigned_of(bytes)), .width = (int)(8 * bytes)};
    f->low += (int)(8 * at), f->unit = (int)u->bytes;
    part->of = f;
    return true;
}

bool accept_whole_of(Accept *ac, const Ref *r, Loc loc, Ref *whole, Part *part) {
    *part = (Part){.of = r->part};
    if (r->shared) return whole_of_union(ac, r, loc, whole, part);
    *whole = *r;
    whole->type = r->bits, whole->bits = NULL, whole->part = NULL;
    whole->mixed = !r->part;
    return true;
}
