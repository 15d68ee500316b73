// SPDX-License-Identifier: MIT
// accept_ref.c -- places in memory: from variables, subscripts, fields and pointers to arrays.
//
//   pts[i].pos[k]      object pts, dims (i of sizeof *pts bytes) and, past a field, (k of 4),
//                      offset of pos: a view of rank 2 with sizeof *pts / 4 columns
//   p->data[i * n + j] object "p->data", one dim of unknown extent
//   (*A)[n], A[i][j]   object "A", two dims, the second of n elements
#include "front/accept.h"
#include "front/normal.h"
#include <string.h>

bool accept_type_ok(Accept *ac, const CType *t, Loc loc) {
    for (; t; t = t->of) {
        if (t->is_volatile || t->is_atomic)
            return accept_refuse(ac, SC_VOLATILE, loc, "'%s' is volatile or atomic; the loop stays "
                                 "on the host unless it works on a plain copy", t->text);
        if (t->kind == CT_OTHER)
            return ac->kernel && (strstr(t->text, "sampler_t") || strstr(t->text, "image2d") ||
                                  strstr(t->text, "image3d"))
                       ? accept_refuse(ac, SC_TYPE, loc, "'%s': textures are not taken; read an array",
                                       t->text)
                       : accept_refuse(ac, SC_TYPE, loc,
                                       "no device has the type '%s'; use integers, float, double, "
                                       "or arrays and structs of these", t->text);
        if (t->kind != CT_ARRAY)
            break;
    }
    return true;
}

// ---- objects -----------------------------------------------------------------------------------
Object *accept_object(Accept *ac, const char *source, const char *like,
                                const Decl *variable) {
    for (int k = 0; k < ac->objects.n; k++)
        if (str_eq(ac->objects.at[k]->source, source))
            return ac->objects.at[k];
    Object *o = NEW(ac->a, Object);
    o->like = like;
    o->source = source;
    o->variable = variable;
    vec_push(ac->a, &ac->objects, o);
    return o;
}

static bool declares_other(const Ast *s, const Decl *d) {
    if (!s)
        return false;
    for (int k = 0; k < s->ndecls; k++)
        if (s->decls[k] != d && str_eq(s->decls[k]->name, d->name))
            return true;
    for (int k = 0; k < s->nkids; k++)
        if (declares_other(s->kids[k], d))
            return true;
    return false;
}

// What a name means at a place in the text.
typedef struct Scope {
    const char *name;
    size_t at;
    const Decl *is; // NULL: what stands outside of the function
    bool unsure;    // a macro made what may declare another one
} Scope;

static void look_up(const Ast *s, const Decl *d, Scope *scope) {
    for (int k = 0; k < s->nkids; k++) {
        const Ast *x = s->kids[k];
        if (!x) continue;
        if (x->end <= x->begin) scope->unsure |= declares_other(x, d);
        else if (x->kind == A_DECLS)
            for (int j = 0; j < x->ndecls && x->begin < scope->at; j++)
                if (str_eq(x->decls[j]->name, scope->name)) scope->is = x->decls[j];
        if (x->begin <= scope->at && scope->at < x->end) look_up(x, d, scope);
    }
}

// Does the name of a global mean something else where the region begins?
static bool is_hidden(const RegionAst *ra, const Decl *d) {
    const Decl *func = ra->func;
    const Ast *first = ra->nstmts > 0 ? ra->stmts[0] : NULL;
    if (!d->is_global) return false;
    Scope scope = {.name = d->name, .at = first ? first->begin : 0};
    for (int k = 0; k < func->nparams; k++)
        if (str_eq(func->params[k]->name, d->name)) scope.is = func->params[k];
    if (!first || first->end <= first->begin) return scope.is || declares_other(func->body, d);
    look_up(func->body, d, &scope);
    return scope.unsure || (scope.is && scope.is != d);
}

bool accept_variable(Accept *ac, const Decl *d, Loc loc, Ref *out) {
    if (!accept_type_ok(ac, d->type, loc))
        return false;
    if (d->kind != D_VAR && d->kind != D_PARAM)
        return accept_refuse(ac, SC_EXPRESSION, loc, "'%s' is not a variable", d->name);
    bool lambda = ac->kernel && !d->is_static; // one's body has the kernel's own variables
    if (ac->calls.n > 0 && !d->is_global && !lambda)
        return accept_refuse(ac, SC_CALL, loc, "'%s' is a static variable of an inlined function; "
                             "declare it outside of functions", d->name);
    if (is_hidden(ac->ra, d))
        return accept_refuse(ac, SC_EXPRESSION, loc, "the global '%s' is hidden by another '%s' in "
                             "'%s'; rename one", d->name, d->name, ac->ra->func->name);
    bool itself = d->type->kind == CT_ARRAY;
    *out = (Ref){.type = d->type, .path = "", .text = d->name};
    if (d->type->kind == CT_POINTER)
        return true; // only what it points to is an object
    const char *source = itself ? d->name : arena_printf(ac->a, "&%s", d->name);
    out->object = accept_object(ac, source, d->name, d);
    return true;
}

void accept_local(Accept *ac, const char *name, const CType *type, Block *b, Ref *out) {
    Object *o = NEW(ac->a, Object);
    o->like = name;
    o->block = b;
    *out = (Ref){.object = o, .type = type, .path = ""};
}

static bool is_local(const Ref *r) {
    return r->object && r->object->block;
}

// ---- extents -------------------------------------------------------------------------------------
static bool is_assigned_since(const Ast *body, const Decl *d, Loc since) {
    ast_each(e, body) {
        bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC;
        if (!changes || e->kids[0]->kind != A_REF || e->kids[0]->decl != d) continue;
        bool earlier = e->loc.line < since.line || (e->loc.line == since.line && e->loc.col < since.col);
        if (!earlier) return true;
    }
    return false;
}

// Variables in its size must have the values they had at the declaration of the array (NULL: not known).
static bool is_stable(Accept *ac, const Ast *size, const Decl *array) {
    ast_each(e, size) {
        if (e->kind != A_REF || accept_lookup(ac, e->decl)) continue;
        if (e->decl->is_const && e->decl->init) continue;
        if (!array || e->decl->is_global || e->decl->is_static || e->decl->address_taken) return false;
        if (is_assigned_since(ac->ra->func->body, e->decl, array->loc)) return false;
    }
    return true;
}

static const Decl *declared_array(Accept *ac, const Ref *r) {
    if (r->object && r->object->variable)
        return r->object->variable;
    // what a parameter or local pointer points to was declared with it
    const Decl *func = ac->ra->func;
    for (int k = 0; r->object && k < func->nparams; k++)
        if (str_eq(func->params[k]->name, r->object->source))
            return func->params[k];
    const Decl *found = NULL;
    ast_each(e, r->object ? func->body : NULL)
        for (int k = 0; k < e->ndecls; k++) {
            const Decl *d = e->decls[k];
            if (d->type->kind != CT_POINTER || !str_eq(d->name, r->object->source)) continue;
            if (found) return NULL;
            found = d;
        }
    return found;
}

// A text that has the type of the array at r; it is not evaluated, so all rows of a variable are alike.
// NULL: there is none.
static const char *typed_text(Accept *ac, const Ref *r) {
    const char *text = accept_place_text(ac, r);
    const CType *t = r->object && r->object->variable ? r->object->variable->type : NULL;
    if (text || !t) return text;
    text = r->object->source;
    for (int k = 0; t && k < r->ndims; k++) t = t->of, text = arena_printf(ac->a, "%s[0]", text);
    return t == r->type ? text : NULL;
}

// The number of elements of the array at r, or NULL after a remark.
static Expr *extent_of(Accept *ac, const Ref *r, Loc loc) {
    const Ast *size = r->type->size;
    if (size->kind == A_INT)
        return expr_int(ac->a, T_I32, size->i)->i == size->i ? expr_int(ac->a, T_I32, size->i)
                                                             : expr_int(ac->a, T_I64, size->i);
    // what is declared in the region changes no parameter
    bool stable = is_local(r) || is_stable(ac, size, declared_array(ac, r));
    int calls = ac->calls.n;
    ac->calls.n = 0; // the size belongs to the declaration, not to a function inlined here
    Expr *x = stable ? accept_value(ac, size) : NULL;
    ac->calls.n = calls;
    if (ac->failed || (x && !expr_varies(x)))
        return x;
    if (is_local(r) && x)
        return accept_freeze(ac, x);
    const char *text = is_local(r) ? NULL : typed_text(ac, r);
    if (!text)
        return accept_refuse(ac, SC_EXTENT, loc,
                             "what the size of an array is made of may change between its declaration and "
                             "the loop; keep it in a variable whose address is not taken");
    const char *source = arena_printf(ac->a, "(long long)(sizeof(%s) / sizeof((%s)[0]))", text, text);
    return accept_param(ac, source, "extent", T_I64);
}

// ---- moving through memory -------------------------------------------------------------------------
static bool push_dim(Accept *ac, Ref *r, Dim d, Loc loc) {
    if (r->ndims == ACCEPT_DIMS)
        return accept_refuse(ac, SC_EXPRESSION, loc, "more than %d subscripts", ACCEPT_DIMS);
    d.inner = r->fresh && r->ndims > 0;
    r->dim[r->ndims++] = d;
    r->fresh = false;
    r->steps = true;
    return true;
}

// struct { int n; double x[]; } *p: p->x[i] lies behind the record, which is no row of an array.
static bool is_open_end(const Ref *r) {
    bool first = r->fresh && r->field && !r->type->size;
    for (int k = 0; first && k < r->ndims; k++) first = expr_is_int(r->dim[k].sub, 0);
    return first;
}

bool accept_decay(Accept *ac, Ref *r, Loc loc) {
    if (!accept_type_ok(ac, r->type, loc))
        return false;
    if (is_open_end(r)) r->ndims = 0;
    bool param = !r->record && r->ndims == 0 && r->object && r->object->variable &&
                 r->object->variable->kind == D_PARAM; // its first extent binds nobody
    Dim d = {.sub = expr_int(ac->a, T_I32, 0), .bytes = r->type->of->bytes, .bounds = !param};
    if (!r->type->size && r->ndims > 0 && !r->fresh) // a record tells how long its rows are
        return accept_refuse(ac, SC_EXTENT, loc,
                             "how long these rows are is told by a cast alone; declare a "
                             "pointer of that type and let it point there");
    if (r->type->size && !param && !(d.extent = extent_of(ac, r, loc)))
        return false;
    d.bounds &= d.extent != NULL;
    const char *text = is_local(r) ? NULL : accept_place_text(ac, r);
    if (!push_dim(ac, r, d, loc))
        return false;
    r->type = r->type->of;
    r->text = text;
    return true;
}

bool accept_step(Accept *ac, Ref *r, Expr *by, Loc loc) {
    if (expr_is_int(by, 0))
        return true;
    if (!r->steps)
        return accept_refuse(ac, SC_POINTER, loc, "arithmetic on the address of a single object");
    Dim *d = &r->dim[r->ndims - 1];
    by = accept_counted(ac, by);
    if (expr_is_int(d->sub, 0)) {
        d->sub = by;
    } else {
        Type t = d->sub->type == by->type ? by->type : T_I64;
        d->sub = expr_add(ac->a, expr_cast(ac->a, t, d->sub), expr_cast(ac->a, t, by));
    }
    return true;
}

const char *accept_place_text(Accept *ac, const Ref *r) {
    if (!r->text || !r->steps)
        return r->text;
    const char *sub = accept_source(ac->a, r->dim[r->ndims - 1].sub);
    return sub ? arena_printf(ac->a, "%s[%s]", r->text, sub) : NULL;
}

// As C's operator, which is no name that a record's member could have.
static const char *part_of(const char *name) { return str_eq(name, "im") ? "__imag__" : "__real__"; }

// Records that dims lead to lie side by side, and array members hold what their type says, or C leaves it
// open.
static const char *member_of(Accept *ac, const Ref *r, const CField *f) {
    bool sized = f->type->kind != CT_ARRAY || f->type->bytes > 0;
    int64_t whole = r->type->bytes;
    const char *base = r->member;
    if (!sized || whole <= 0)
        return NULL;
    for (int k = 0; k < r->ndims && !base; k++)
        if (r->dim[k].bytes % whole || r->dim[k].cast)
            return NULL;
    if (!base)
        base = arena_printf(ac->a, "%s %lld", r->type->text, (long long)(r->offset % whole));
    return arena_printf(ac->a, "%s\n%s", base, r->type->is_complex ? part_of(f->name) : f->name);
}

// The number that holds a bit-field, as a field.
static const CField *bits_field(Accept *ac, const CField *f, const char *name) {
    static const Type types[] = {[1] = T_U8, [2] = T_U16, [4] = T_U32};
    CType *t = NEW(ac->a, CType);
    CField *whole = NEW(ac->a, CField);
    *t = *f->type;
    t->scalar = types[f->unit], t->bytes = f->unit, t->text = type_name(t->scalar);
    *whole = (CField){.name = name, .type = t, .offset = f->base};
    return whole;
}

bool accept_field(Accept *ac, Ref *r, const char *name, Loc loc) {
    const CField *f = r->type->kind == CT_RECORD ? ctype_field(r->type, name) : NULL;
    if (f && f->type->kind == CT_OTHER)
        return accept_refuse(ac, SC_TYPE, loc, "no device has the type '%s' of the field '%s'",
                             f->type->text, name);
    if (f && f->offset < 0 && !f->width)
        return accept_refuse(ac, SC_TYPE, loc, "the bit-field '%s' shares bytes with fields that are none; a "
                             "whole number in its place is taken", name);
    if (!f)
        return accept_refuse(ac, SC_TYPE, loc, "the bytes of the field '%s' of '%s' stand in another order",
                             name, r->type->text);
    if (r->type->is_union && !accept_enter_union(ac, r, loc)) return false;
    bool arrow = r->text && r->steps && expr_is_int(r->dim[r->ndims - 1].sub, 0);
    const char *text = is_local(r) ? NULL : accept_place_text(ac, r);
    if (r->steps)
        r->table = text ? NULL : r->text, r->column = "";
    if (r->table && !is_unnamed_field(name))
        r->column = arena_printf(ac->a, "%s.%s", r->column, name);
    if (r->type->is_complex) {
        r->table = NULL; // a part of a row of pointers is no place that a suffix names
        r->text = text ? arena_printf(ac->a, "(%s %s)", part_of(name), text) : NULL;
    } else if (r->type->is_wide)
        r->text = r->table = NULL; // no suffix names a word
    else if (is_unnamed_field(name))
        r->text = text;
    else if (arrow)
        r->text = arena_printf(ac->a, "%s->%s", r->text, name);
    else
        r->text = text ? arena_printf(ac->a, "%s.%s", text, name) : NULL;
    r->record = r->type;
    r->field = f->name;
    if (f->width) {
        const char *whole = arena_printf(ac->a, "bits%d", (int)f->base);
        f = bits_field(ac, f, whole);
        r->bits = f->type, r->part = ctype_field(r->type, name), r->text = NULL;
        name = whole;
    }
    r->member = member_of(ac, r, f);
    r->type = r->part ? r->part->type : f->type;
    r->offset += f->offset;
    r->packed = r->record->packed;
    r->path = arena_printf(ac->a, "%s_%s", r->path, name + is_unnamed_field(name));
    r->steps = false;
    r->fresh = true;
    return accept_type_ok(ac, r->type, loc);
}

void accept_flatten(Accept *ac, Ref *r) {
    if (r->ndims < 2 || r->type->kind == CT_ARRAY || !r->steps)
        return;
    Dim d = r->dim[r->ndims - 1];
    Expr *whole = expr_int(ac->a, T_I64, 1);
    for (int k = 0; k < r->ndims; k++) {
        if (!expr_is_int(r->dim[k].sub, 0) || r->dim[k].inner || r->dim[k].cast ||
            (k > 0 && !r->dim[k].extent))
            return;
        whole = whole && r->dim[k].extent ? expr_mul(ac->a, whole, r->dim[k].extent) : NULL;
        d.bounds &= r->dim[k].bounds;
    }
    d.extent = whole;
    r->dim[0] = d;
    r->ndims = 1;
}

// ---- pointers in memory -----------------------------------------------------------------------------
static bool field_written(Accept *ac, const Ref *r) {
    for (int k = 0; r->field && k < ac->writes.fields.n; k++)
        if (str_eq(ac->writes.fields.at[k], r->field) &&
            str_eq(ac->writes.records.at[k]->text, r->record->text))
            return true;
    return false;
}

static bool follow_local(Accept *ac, Ref *r, Loc loc) {
    Object *o = r->object;
    for (int k = o->pointers.n - 1; k >= 0; k--)
        if (r->ndims == 0 && str_eq(o->fields.at[k], r->path)) {
            *r = o->pointers.at[k];
            return true;
        }
    return accept_refuse(ac, SC_POINTER, loc, "the target of this pointer cannot be told; use the "
                         "array itself");
}

bool accept_follow(Accept *ac, Ref *r, Loc loc) {
    const CType *to = r->type->of;
    if (is_local(r))
        return follow_local(ac, r, loc);
    if (to->kind == CT_FUNCTION || to->kind == CT_OTHER)
        return accept_refuse(ac, SC_POINTER, loc, "a pointer to '%s' can't be used on a device",
                             to->text);
    const char *text = accept_place_text(ac, r);
    if (!text && !field_written(ac, r) && accept_row(ac, r, loc))
        return true;
    if (!text || field_written(ac, r))
        return accept_refuse(ac, SC_POINTER, loc, "the loop looks up this pointer while it runs; "
                             "use one array with computed subscripts instead of rows of pointers");
    accept_watch(ac, r, text);
    Object *o = accept_object(ac, text, text, NULL);
    *r = (Ref){.object = o, .type = to, .path = "", .text = text, .ndims = 1, .steps = true};
    r->dim[0] = (Dim){.sub = expr_int(ac->a, T_I32, 0), .bytes = to->bytes};
    return accept_type_ok(ac, to, loc);
}

// ---- views --------------------------------------------------------------------------------------------
// Rows of a record: how many elements of d's size lie between two of the dim before.
// False when they don't divide.
static bool row_extents(Accept *ac, Ref *r) {
    for (int k = 1; k < r->ndims; k++) {
        if (!r->dim[k].inner)
            continue;
        int64_t row = r->dim[k - 1].bytes, e = r->dim[k].bytes;
        if (e <= 0 || row % e != 0)
            return false;
        r->dim[k].extent = expr_int(ac->a, T_I32, row / e);
        r->dim[k].bounds = false;
    }
    return true;
}

// All dims as one, in units of the element.
static bool one_dim(Accept *ac, Ref *r, int64_t unit) {
    Expr *sub = expr_int(ac->a, T_I64, 0);
    for (int k = 0; k < r->ndims; k++) {
        if (r->dim[k].bytes <= 0 || r->dim[k].bytes % unit != 0 || r->offset % unit != 0)
            return false;
        Expr *x = expr_cast(ac->a, T_I64, r->dim[k].sub);
        Expr *scaled = expr_mul(ac->a, x, expr_int(ac->a, T_I64, r->dim[k].bytes / unit));
        sub = expr_add(ac->a, sub, scaled);
    }
    r->dim[0] = (Dim){.sub = sub, .bytes = unit};
    r->ndims = 1;
    return true;
}

static bool is_view(const Array *v, const Ref *r, Type t, int64_t stride) {
    if (v->elem != t || v->rank != r->ndims || v->stride != stride || v->offset != r->offset)
        return false;
    for (int k = 0; k < r->ndims; k++) {
        Expr *x = v->extent[k], *y = r->dim[k].extent;
        if ((x == NULL) != (y == NULL) || (x && !expr_equal(x, y)))
            return false;
    }
    return true;
}

static const Array *find_view(const Ref *r, Type t, int64_t stride) {
    Object *o = r->object;
    for (int k = 0; k < o->views.n; k++) {
        if (o->block ? str_eq(o->paths.at[k], r->path) : is_view(o->views.at[k], r, t, stride))
            return o->views.at[k];
    }
    return NULL;
}

// An array of the function that nothing but subscripts names: nobody else can see it.
static bool is_own_array(const Decl *func, const Decl *d) {
    if (d->kind != D_VAR || d->is_global || d->is_static || d->type->kind != CT_ARRAY || !func->body)
        return false;
    int all = 0, plain = 0;
    ast_each(e, func->body) {
        all += e->kind == A_REF && e->decl == d;
        bool element = e->kind == A_INDEX && e->type && e->type->kind == CT_SCALAR;
        const Ast *base = element ? accept_strip(e->kids[0]) : NULL;
        if (base && base->kind == A_INDEX) base = accept_strip(base->kids[0]);
        plain += base && base->kind == A_REF && base->decl == d;
    }
    return all == plain;
}

static const Array *new_view(Accept *ac, const Ref *r, Type t, int64_t stride) {
    Object *o = r->object;
    Array *v = NEW(ac->a, Array);
    if (!o->name && (!o->block || r->path[0] == 0))
        o->name = accept_name(ac, o->like);
    bool plain = r->path[0] == 0;
    for (int k = 0; k < o->views.n; k++)
        plain &= !str_eq(o->views.at[k]->name, o->name);
    const char *stem = o->name ? o->name : o->like;
    v->name = plain ? o->name : accept_name(ac, arena_printf(ac->a, "%s%s", stem, r->path));
    v->elem = t;
    v->rank = r->ndims;
    v->extent = NEW_N(ac->a, Expr *, r->ndims + 1);
    v->constant_size = true;
    v->rows = r->ndims > 1;
    for (int k = 0; k < r->ndims; k++) {
        v->extent[k] = r->dim[k].extent;
        v->rows &= k == 0 || r->dim[k].bounds;
        v->constant_size &= r->dim[k].bounds;
    }
    v->place = o->block ? PLACE_LOCAL : PLACE_USER;
    v->object = o->block ? v->name : o->name;
    v->stride = o->block ? type_size(t) : stride;
    v->offset = o->block ? 0 : r->offset;
    v->packed =
        !o->block && ac->kernel && r->path[0] && stride % (r->packed ? r->packed : 1) == 0 ? r->packed : 0;
    v->source = o->source;
    v->apart = o->rows != NULL;
    v->member = r->member;
    const Decl *d = o->variable;
    v->said = o->said;
    v->constant = !o->block && d && d->space == SPACE_CONSTANT;
    bool scalar = d && ctype_is_number(d->type);
    v->held = scalar && accept_is_held(ac, d);
    v->lone = d && d->type->kind == CT_SCALAR && !v->held && !d->is_global && !d->is_static &&
              !d->address_taken && !o->block;
    bool ends = scalar || (d && is_own_array(ac->ra->func, d));
    v->live_out = !o->block && (!ends || live_after(ac->a, ac->ra->func, ac->ra->stmts, ac->ra->nstmts, d));
    accept_table(ac, d, v);
    vec_push(ac->a, &o->views, v);
    vec_push(ac->a, &o->paths, r->path);
    if (o->block)
        vec_push(ac->a, &o->block->locals, v);
    else
        vec_push(ac->a, &ac->arrays, v);
    return v;
}

// The subscripts of an array of the block's own that a pointer to one of its elements is used for, too: both
// forms go for the view that came first. NULL: how long its rows are is not known.
static Expr **other_form(Accept *ac, const Ref *r, const Array *v) {
    Expr *at = expr_int(ac->a, T_I64, 0), **sub = NEW_N(ac->a, Expr *, v->rank + 1);
    for (int k = 0; k < r->ndims; k++) {
        if (k > 0 && !r->dim[k].extent) return NULL;
        if (k > 0) at = expr_mul(ac->a, at, expr_cast(ac->a, T_I64, r->dim[k].extent));
        at = expr_add(ac->a, at, expr_cast(ac->a, T_I64, r->dim[k].sub));
    }
    for (int k = v->rank - 1; k > 0; k--) {
        if (!v->extent[k]) return NULL;
        Expr *row = expr_cast(ac->a, T_I64, v->extent[k]);
        sub[k] = expr_op(ac->a, OP_MOD, at, row, NULL);
        at = expr_op(ac->a, OP_DIV, at, row, NULL);
    }
    sub[0] = at;
    return sub;
}

const Array *accept_array(Accept *ac, const Ref *at, Expr ***sub, Loc loc) {
    if (!accept_type_ok(ac, at->type, loc))
        return NULL;
    if (at->type->kind != CT_SCALAR || at->type->scalar == T_NONE)
        return accept_refuse(ac, SC_TYPE, loc, "a value of type '%s' is not taken here",
                             at->type->text);
    Ref r = *at;
    Part part = {0};
    if (r.shared && !accept_whole_of(ac, at, loc, &r, &part)) return NULL;
    if (part.of || r.type->scalar != at->type->scalar)
        return accept_refuse(ac, SC_TYPE, loc, "a part of the union '%s' is not taken here",
                             at->shared->of->type->text);
    Type t = r.type->scalar;
    if (!accept_casts(ac, &r, loc))
        return NULL;
    if (!is_local(&r) && !row_extents(ac, &r) && !one_dim(ac, &r, type_size(t)))
        return accept_refuse(ac, SC_TYPE, loc, "the size of this struct is no multiple of the size "
                             "of the element; pad the struct");
    int64_t stride = r.ndims ? r.dim[r.ndims - 1].bytes : type_size(t);
    if (stride <= 0)
        return accept_refuse(ac, SC_EXTENT, loc, "the size of an element is not constant");
    *sub = NEW_N(ac->a, Expr *, r.ndims + 1);
    for (int k = 0; k < r.ndims; k++)
        (*sub)[k] = r.dim[k].sub;
    Array *v = (Array *)find_view(&r, t, stride);
    if (v && !(v->member && r.member && str_eq(v->member, r.member)))
        v->member = NULL;
    if (!v) v = (Array *)new_view(ac, &r, t, stride);
    if (v->rank != r.ndims && !(*sub = other_form(ac, &r, v)))
        return accept_refuse(ac, SC_POINTER, loc, "how long the rows of '%s' are can't be told where this "
                             "pointer leads into it; use the array itself", v->name);
    v->mixed |= r.mixed;
    v->guessed |= ac->guesses && v->place == PLACE_USER && v->rank && !v->constant_size;
    return v;
}

// ---- loads ----------------------------------------------------------------------------------------------
static bool in_declared_bounds(const Ref *r) {
    for (int k = 0; k < r->ndims; k++) {
        const Dim *d = &r->dim[k];
        if (d->sub->kind != E_INT)
            return false;
        bool whole = d->bounds && d->extent->kind == E_INT;
        if (!(whole && d->sub->i >= 0 && d->sub->i < d->extent->i) &&
            !(k == 0 && !d->extent && d->sub->i == 0))
            return false;
    }
    return true;
}

// Does the region leave what is here as it is? Then it is a parameter.
static bool is_invariant(Accept *ac, const Ref *r, const char *text) {
    for (int k = 0; k < ac->watches.n; k++) // a loop ends with it
        if (ac->watches.at[k].element && str_eq(ac->watches.at[k].text, text)) return true;
    bool known = in_declared_bounds(r), first = ac->iters.n + ac->conditional + ac->guarded == 0;
    if (is_local(r) || (!known && !first))
        return false;
    const Decl *d = r->object->variable;
    if (d && !d->is_global && !d->is_static && !d->address_taken && d->type->kind != CT_ARRAY &&
        !accept_has_decl(&ac->writes.vars, d))
        return true;
    if (r->ndims == 0 && d) {
        bool touched = accept_has_decl(&ac->writes.vars, d);
        if (r->field)
            return !field_written(ac, r) || (!touched && !d->is_global && !d->address_taken);
        return !touched;
    }
    if (r->ndims == 1 && r->field && r->fresh)
        return !field_written(ac, r);
    // an element behind a pointer, or at a place that is computed, is only looked at early where it is
    // certainly looked at
    bool certain = first || (known && r->dim[0].extent);
    Type t = r->type->scalar;
    bool written = false;
    for (int w = 0; w < T_COUNT; w++)
        written |= ac->writes.memory[w] && (type_size(t) == 1 || accept_may_alias(t, (Type)w));
    // whether a bound is where the loop writes is looked at before each call (accept_watch.c)
    return certain && (!written || (ac->bounding && first && !ac->stmts.n));
}

Expr *accept_load(Accept *ac, const Ref *r, Loc loc) {
    if (!accept_type_ok(ac, r->type, loc))
        return NULL;
    const char *text = is_local(r) || r->bits ? NULL : accept_place_text(ac, r);
    if (text && r->type->kind == CT_SCALAR && r->type->scalar != T_NONE && is_invariant(ac, r, text)) {
        accept_watch(ac, r, text);
        return accept_held(ac, r->object->variable, accept_param(ac, text, text, r->type->scalar));
    }
    if (r->bits || r->shared) {
        Ref whole;
        Part part;
        Expr *x = accept_whole_of(ac, r, loc, &whole, &part) ? accept_load(ac, &whole, loc) : NULL;
        if (x && part.of) x = accept_part(ac, &part, x);
        return x ? accept_bits(ac, r->type->scalar, x) : NULL;
    }
    Expr **sub;
    const Array *v = accept_array(ac, r, &sub, loc);
    Expr *x = v ? expr_load(ac->a, v, sub) : NULL;
    if (x) {
        x->loc = accept_site(ac, loc);
        x->moved = accept_vector_of(r);
    }
    return x;
}
