// SPDX-License-Identifier: MIT
// accept_cast.c -- pointers that are converted to pointers of another type.
//
//   *(float4 *)&a[i]                          a[i], a[i + 1], a[i + 2], a[i + 3], moved as 16 bytes
//   ((float *)((char *)a + y * pitch))[x]     the float at byte y * pitch + 4 * x of a; an element of a,
//                                             where y * pitch is certainly a multiple of 4
//
// A conversion in the middle of an array is one more dim, of elements of the new type; the dims from there
// on are added up when an element is named at last.
#include "front/accept.h"
#include "ir/value.h"
#include <string.h>

static const CType *innermost(const CType *t) {
    while (t->kind == CT_ARRAY)
        t = t->of;
    return t;
}

static bool same_element(const CType *x, const CType *y) {
    x = innermost(x), y = innermost(y);
    if (x->kind != y->kind)
        return false;
    if (x->kind == CT_SCALAR)
        return x->scalar == y->scalar;
    return x->kind == CT_RECORD && x->is_complex == y->is_complex && x->bytes == y->bytes &&
           x->nfields == y->nfields &&
           (x->nfields == 0 || str_eq(x->fields[0].name, y->fields[0].name));
}

static int rank_of(const CType *t) {
    int n = 0;
    for (; t->kind == CT_ARRAY; t = t->of)
        n++;
    return n;
}

// ---- in the middle of an array -------------------------------------------------------------------
// x / q where x is certainly a multiple of q; NULL: that can't be seen.
static Expr *quotient(Arena *a, Expr *x, int64_t q) {
    Expr *l, *r;
    if (q == 1) return x;
    if (x->kind == E_INT) return x->i % q == 0 ? expr_int(a, x->type, x->i / q) : NULL;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type))
        return (l = quotient(a, x->args[0], q)) ? expr_cast(a, x->type, l) : NULL;
    if (x->kind != E_OP || x->nargs != 2) return NULL;
    switch (x->op) {
    case OP_ADD: case OP_SUB:
        l = quotient(a, x->args[0], q), r = quotient(a, x->args[1], q);
        return l && r ? expr_op(a, x->op, l, r, NULL) : NULL;
    case OP_MUL:
        if ((l = quotient(a, x->args[0], q))) return expr_op(a, OP_MUL, l, x->args[1], NULL);
        return (r = quotient(a, x->args[1], q)) ? expr_op(a, OP_MUL, x->args[0], r, NULL) : NULL;
    case OP_SHL: {
        bool fits = x->args[1]->kind == E_INT && x->args[1]->i > 0 && x->args[1]->i < 31 &&
                    (1LL << x->args[1]->i) % q == 0;
        return fits ? expr_mul(a, x->args[0], expr_int(a, x->type, (1LL << x->args[1]->i) / q)) : NULL;
    }
    default: return NULL;
    }
}

// What is left of x by q where all of it but a number is certainly a multiple; 0: that can't be seen.
static int64_t remainder_of(Arena *a, Expr *x, int64_t q) {
    if (x->kind == E_INT) return x->i % q;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type)) return remainder_of(a, x->args[0], q);
    if (x->kind != E_OP || x->nargs != 2 || (x->op != OP_ADD && x->op != OP_SUB)) return 0;
    int64_t l = remainder_of(a, x->args[0], q), r = remainder_of(a, x->args[1], q);
    if ((!l && !quotient(a, x->args[0], q)) || (!r && !quotient(a, x->args[1], q))) return 0;
    return (x->op == OP_ADD ? l + r : l - r) % q;
}

// The device stops where the address of a vector is no multiple of its size. That it is one is taken for
// granted where it can't be seen.
static void say_misaligned(Accept *ac, const Ref *r, const CType *pointee, Loc loc) {
    static const char told[] = "addresses of vectors that are multiples of their size";
    int64_t left = r->offset, size = pointee->bytes;
    if (!ac->c->in_order || pointee->bytes <= 1 || pointee->bytes & (pointee->bytes - 1)) return;
    if (pointee->kind == CT_RECORD && !pointee->packed && !pointee->lanes) return;
    for (int k = 0; k < r->ndims; k++) {
        if (r->dim[k].bytes <= 0) return accept_say_once(ac, ac->ra->granted, told);
        Expr *sub = r->dim[k].sub;
        int64_t each = size / value_gcd(r->dim[k].bytes, size), part = remainder_of(ac->a, sub, each);
        if (!part && !quotient(ac->a, sub, each)) return accept_say_once(ac, ac->ra->granted, told);
        left += part * r->dim[k].bytes;
    }
    if (left % size == 0) return;
    loc = accept_site(ac, loc);
    vec_push(ac->a, ac->ra->inexact,
             arena_printf(ac->a, "the address of a '%s' at %d:%d is no multiple of its size", pointee->text,
                          loc.line, loc.col));
}

// False, with nothing said: it is no place that another type can be read at.
static bool push_cast(Accept *ac, Ref *r, const CType *pointee, Loc loc) {
    bool plain = pointee->kind == CT_SCALAR || pointee->kind == CT_RECORD;
    if (!r->steps || !plain || pointee->bytes <= 0 || r->ndims < 1 || r->ndims >= ACCEPT_DIMS) return false;
    while (r->type->kind == CT_ARRAY)
        if (!accept_decay(ac, r, loc)) return false;
    if (r->type->bytes <= 0 || r->ndims >= ACCEPT_DIMS) return false;
    Type from = r->type->kind == CT_SCALAR ? r->type->scalar : T_NONE;
    say_misaligned(ac, r, pointee, loc);
    r->dim[r->ndims++] = (Dim){.sub = expr_int(ac->a, T_I32, 0),
                               .bytes = pointee->bytes,
                               .cast = true,
                               .from = from,
                               .base = r->offset,
                               .path = r->path};
    r->type = pointee;
    r->record = NULL, r->field = NULL, r->text = NULL;
    r->packed = 0;
    r->fresh = false;
    return true;
}

static int first_cast(const Ref *r) {
    int j = 0;
    while (j < r->ndims && !r->dim[j].cast) j++;
    return j;
}

// The step of a dim in units of so many bytes; NULL: it is not certainly a whole number of them.
static Expr *in_units(Arena *a, const Dim *d, Type t, int64_t unit) {
    int64_t g = value_gcd(d->bytes, unit);
    Expr *x = d->bytes > 0 ? quotient(a, expr_cast(a, t, d->sub), unit / g) : NULL;
    return x ? expr_mul(a, x, expr_int(a, t, d->bytes / g)) : NULL;
}

static Type widest(const Ref *r) {
    for (int k = 0; k < r->ndims; k++)
        if (type_size(r->dim[k].sub->type) > 4) return T_I64;
    return T_I32;
}

// An element of the array itself.
static bool into_last(Accept *ac, Ref *r, int j) {
    int64_t size = type_size(r->type->scalar), off = r->offset - r->dim[j].base;
    Type from = r->dim[j].from, t = widest(r);
    if (j < 1 || from == T_NONE || type_size(from) != size || r->dim[j - 1].bytes != size || off % size)
        return false;
    Expr *sum = expr_cast(ac->a, t, r->dim[j - 1].sub);
    for (int k = j; k < r->ndims; k++) {
        Expr *x = in_units(ac->a, &r->dim[k], t, size);
        if (!x) return false;
        sum = expr_add(ac->a, sum, x);
    }
    r->dim[j - 1].sub = expr_add(ac->a, sum, expr_int(ac->a, t, off / size));
    r->offset = r->dim[j].base;
    r->path = r->dim[j].path;
    r->ndims = j;
    return true;
}

// An element of another view of it: units of as many bytes as all steps are whole numbers of.
static bool into_bytes(Accept *ac, Ref *r) {
    int64_t unit = type_size(r->type->scalar), all = 0;
    Type t = widest(r);
    if (r->object->block) return false;
    for (int k = 0; k < r->ndims; k++) {
        if (r->dim[k].bytes <= 0) return false;
        if (!in_units(ac->a, &r->dim[k], t, unit)) unit = value_gcd(unit, r->dim[k].bytes);
    }
    if (r->dim[0].extent && r->dim[0].extent->kind == E_INT) all = r->dim[0].extent->i * r->dim[0].bytes;
    Expr *sub = expr_int(ac->a, t, 0);
    for (int k = 0; k < r->ndims; k++) sub = expr_add(ac->a, sub, in_units(ac->a, &r->dim[k], t, unit));
    r->dim[0] = (Dim){.sub = sub, .bytes = unit, .extent = all ? expr_int(ac->a, T_I32, all / unit) : NULL};
    r->ndims = 1;
    return true;
}

bool accept_casts(Accept *ac, Ref *r, Loc loc) {
    int j = first_cast(r);
    if (j == r->ndims || into_last(ac, r, j) || into_bytes(ac, r)) return true;
    return accept_refuse(ac, SC_POINTER, loc, "'%s' is read here as another type; use one type for the array",
                         r->object->like);
}

Moved accept_vector_of(const Ref *r) {
    int j = first_cast(r);
    bool part = j < r->ndims && r->record && r->packed > 0 && r->ndims == j + 1;
    return part ? (Moved){(short)r->packed, (short)(r->offset - r->dim[j].base)} : (Moved){0, 0};
}

static bool is_sized(const CType *t) {
    while (t->kind == CT_ARRAY && t->size) t = t->of;
    return t->kind != CT_ARRAY;
}

// The pointer r is converted to a pointer to `pointee`.
bool accept_retype(Accept *ac, Ref *r, const CType *pointee, Loc loc) {
    if (!accept_type_ok(ac, pointee, loc))
        return false;
    if (pointee->kind == CT_VOID)
        return true;
    if (same_element(r->type, pointee) && rank_of(r->type) == rank_of(pointee)) {
        if (!is_sized(r->type)) r->type = pointee; // the type of a cast; the declarator has the sizes
        return true;
    }
    bool numbers = r->type->kind == CT_SCALAR && pointee->kind == CT_SCALAR && !ac->kernel &&
                   r->type->bytes == pointee->bytes && r->type->scalar != T_BOOL && !r->part &&
                   pointee->scalar != T_BOOL && pointee->scalar != T_NONE && r->type->scalar != T_NONE;
    if (numbers) { // the same numbers, of which the bits are taken for others
        if (!r->bits && !r->shared) r->bits = r->type;
        if (r->bits && same_element(r->bits, pointee)) r->bits = NULL;
        r->type = pointee, r->text = NULL;
        return true;
    }
    Dim *last = r->ndims ? &r->dim[r->ndims - 1] : NULL;
    bool start = r->steps && expr_is_int(last->sub, 0);
    int64_t from = r->type->bytes, to = pointee->bytes, at = 0; // elements of `pointee` behind the start
    bool whole = ac->kernel && r->steps && r->ndims == 1 && last->sub->kind == E_INT && from > 0 && to > 0 &&
                 last->sub->i * from % to == 0;
    if (whole)
        at = last->sub->i * from / to;
    if (same_element(r->type, pointee) && rank_of(pointee) == 0) {
        while (r->type->kind == CT_ARRAY)
            if (!accept_decay(ac, r, loc))
                return false;
        accept_flatten(ac, r);
        return true;
    }
    if (same_element(r->type, pointee) && rank_of(r->type) == 0 && start && r->ndims == 1) {
        *last = (Dim){.sub = last->sub, .bytes = pointee->bytes};
        r->text = NULL;
        r->type = pointee;
        return true;
    }
    const char *text = start || whole ? r->text : NULL;
    if (!text || (r->object && r->object->block) || pointee->kind == CT_ARRAY || pointee->bytes <= 0)
        return (ac->kernel && push_cast(ac, r, pointee, loc)) ||
               accept_refuse(ac, SC_POINTER, loc,
                             "a pointer to '%s' is converted to a pointer to "
                             "'%s' here; use one type for the array",
                             r->type->text, pointee->text);
    const char *source = arena_printf(ac->a, "((%s *)%s)", pointee->text, text);
    Object *o = accept_object(ac, source, text, NULL);
    *r = (Ref){.object = o, .type = pointee, .path = "", .text = source, .ndims = 1, .steps = true};
    r->dim[0] = (Dim){.sub = expr_int(ac->a, at > INT32_MAX ? T_I64 : T_I32, at), .bytes = pointee->bytes};
    return true;
}

