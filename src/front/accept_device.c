// SPDX-License-Identifier: MIT
// accept_device.c -- functions that only device code has: atomics, fences, what is refused by name.
//
//   old = atomicAdd(&a[i], x)     t = a[i]; atomic a[i] += x; old = t
#include "front/accept.h"
#include <string.h>

typedef enum AtomicKind {
    AT_ADD,
    AT_SUB,
    AT_MIN,
    AT_MAX,
    AT_SET,
    AT_INC,
    AT_DEC,
    AT_AND,
    AT_OR,
    AT_XOR,
    AT_CAS
} AtomicKind;

// atomicAdd, atomic_add, atom_add and their kin.
static bool atomic_kind(const char *name, AtomicKind *kind) {
    static const struct { const char *name; AtomicKind kind; } rows[] = {
        {"Add", AT_ADD}, {"Sub", AT_SUB}, {"Min", AT_MIN}, {"Max", AT_MAX}, {"Exch", AT_SET},
        {"Inc", AT_INC}, {"Dec", AT_DEC}, {"And", AT_AND}, {"Or", AT_OR}, {"Xor", AT_XOR},
        {"CAS", AT_CAS}, {"add", AT_ADD}, {"sub", AT_SUB}, {"min", AT_MIN},
        {"max", AT_MAX}, {"xchg", AT_SET}, {"inc", AT_INC}, {"dec", AT_DEC}, {"and", AT_AND},
        {"or", AT_OR}, {"xor", AT_XOR}, {"cmpxchg", AT_CAS},
    };
    const char *root = str_has_prefix(name, "atomic_") ? name + 7 : str_has_prefix(name, "atom_") ? name + 5
                     : str_has_prefix(name, "atomic") ? name + 6 : "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(root, rows[i].name)) return *kind = rows[i].kind, true;
    return false;
}

static bool is_fence(const char *name) {
    return str_has_prefix(name, "__threadfence") || str_eq(name, "mem_fence") ||
           str_eq(name, "read_mem_fence") || str_eq(name, "write_mem_fence") ||
           str_among(name, "printf __assert_fail prefetch __nanosleep __trap __prof_trigger __builtin_assume "
                           "atomic_work_item_fence assert __builtin_trap");
}

static bool is_texture(const char *name) {
    return str_has_prefix(name, "tex1D") || str_has_prefix(name, "tex2D") || str_has_prefix(name, "tex3D") ||
           str_has_prefix(name, "surf1D") || str_has_prefix(name, "surf2D") ||
           str_has_prefix(name, "surf3D") || str_has_prefix(name, "read_image") ||
           str_has_prefix(name, "write_image");
}

static bool is_across_lanes(const char *name) {
    return str_has_prefix(name, "__shfl") || str_has_prefix(name, "__ballot") ||
           str_has_prefix(name, "__any") || str_has_prefix(name, "__all") ||
           str_has_prefix(name, "__syncthreads_") || str_has_prefix(name, "__activemask") ||
           str_has_prefix(name, "__match") || str_has_prefix(name, "__reduce") ||
           str_has_prefix(name, "sub_group_") || str_has_prefix(name, "intel_sub_group_") ||
           str_has_prefix(name, "work_group_");
}

// What the kind of atomic puts in the place of `old`.
static bool change(Accept *ac, AtomicKind kind, Loc loc, const Ref *at, Expr *old, Expr *x, Expr *y) {
    Type t = at->type->scalar;
    Expr *one = type_is_float(t) ? expr_float(ac->a, t, 1) : expr_int(ac->a, t, 1);
    Expr *zero = type_is_float(t) ? expr_float(ac->a, t, 0) : expr_int(ac->a, t, 0);
    switch (kind) {
    case AT_ADD: return accept_put(ac, loc, at, OP_ADD, x);
    case AT_SUB: return accept_put(ac, loc, at, OP_ADD, expr_op(ac->a, OP_NEG, x, NULL, NULL));
    case AT_MIN: return accept_put(ac, loc, at, OP_MIN, x);
    case AT_MAX: return accept_put(ac, loc, at, OP_MAX, x);
    case AT_AND: return accept_put(ac, loc, at, OP_AND, x);
    case AT_OR: return accept_put(ac, loc, at, OP_OR, x);
    case AT_XOR: return accept_put(ac, loc, at, OP_XOR, x);
    case AT_SET: return accept_put(ac, loc, at, OP_SET, x);
    case AT_INC:
        if (!x) return accept_put(ac, loc, at, OP_ADD, one);
        x = expr_op(ac->a, OP_SELECT, expr_op(ac->a, OP_GE, old, x, NULL), zero,
                    expr_op(ac->a, OP_ADD, old, one, NULL));
        return accept_put(ac, loc, at, OP_SET, x);
    case AT_DEC:
        if (!x) return accept_put(ac, loc, at, OP_ADD, expr_op(ac->a, OP_NEG, one, NULL, NULL));
        y = expr_op(ac->a, OP_LOR, expr_op(ac->a, OP_EQ, old, zero, NULL),
                    expr_op(ac->a, OP_GT, old, x, NULL), NULL);
        x = expr_op(ac->a, OP_SELECT, y, x, expr_op(ac->a, OP_SUB, old, one, NULL));
        return accept_put(ac, loc, at, OP_SET, x);
    case AT_CAS:
        x = expr_op(ac->a, OP_SELECT, expr_op(ac->a, OP_EQ, old, x, NULL), y, old);
        return accept_put(ac, loc, at, OP_SET, x);
    }
    return false;
}

static bool needs_old(AtomicKind kind, const Expr *x) {
    return kind == AT_CAS || ((kind == AT_INC || kind == AT_DEC) && x);
}

static bool take_atomic(Accept *ac, const Ast *e, AtomicKind kind, Expr **value) {
    Ref at, kept;
    Expr *x[2] = {NULL, NULL}, *old = NULL;
    if (e->nkids < 1 || e->nkids > 3)
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' with %d arguments", e->name, e->nkids);
    for (int i = 1; i < e->nkids; i++)
        if (!(x[i - 1] = accept_value(ac, e->kids[i]))) return false;
    if (!accept_pointer(ac, e->kids[0], &at)) return false;
    if (at.type->kind != CT_SCALAR)
        return accept_refuse(ac, SC_TYPE, e->loc, "'%s' of a '%s'", e->name, at.type->text);
    for (int i = 0; i < 2; i++) x[i] = accept_convert(ac, at.type->scalar, x[i]);
    if (value || needs_old(kind, x[0])) {
        if (!(old = accept_load(ac, &at, e->loc))) return false;
        accept_local(ac, "old", at.type, ac->block, &kept);
        if (!accept_put(ac, e->loc, &kept, OP_SET, old) || !(old = accept_load(ac, &kept, e->loc)))
            return false;
    }
    bool atomic = ac->atomic;
    ac->atomic = true;
    bool ok = change(ac, kind, e->loc, &at, old, x[0], x[1]);
    ac->atomic = atomic;
    if (value) *value = old;
    return ok;
}

void accept_say_once(Accept *ac, Reasons *all, const char *what) {
    for (int i = 0; i < all->n; i++)
        if (str_eq(all->at[i], what)) return;
    vec_push(ac->a, all, what);
}

static void say_inexact(Accept *ac, const char *what) { accept_say_once(ac, ac->ra->inexact, what); }

// What lanes of a warp hand each other is not in the nest: a thread sees its own value in its place.
// That changes no access, only what is computed, and is said.
static bool from_other_lanes(Accept *ac, const Ast *e, const char *name, Expr **value) {
    bool masked = str_has_suffix(name, "_sync") && !str_has_prefix(name, "__syncthreads");
    const Ast *own = masked ? (e->nkids > 1 ? e->kids[1] : NULL) : e->nkids ? e->kids[0] : NULL;
    Expr *x = own ? accept_value(ac, own) : expr_int(ac->a, T_I32, -1);
    if (!x) return false;
    if (str_has_prefix(name, "__syncthreads_") || str_has_prefix(name, "work_group_")) {
        Node *n = NEW(ac->a, Node);
        n->kind = N_BARRIER;
        n->pending = 1; // the library's, for a sum or a vote: nobody put it there to order anything
        n->loc = accept_site(ac, e->loc);
        vec_push(ac->a, &ac->block->nodes, n);
    }
    Loc at = accept_site(ac, e->loc);
    say_inexact(ac,
                arena_printf(ac->a, "'%s' at %d:%d gives each thread its own value, not that of another lane",
                             name, at.line, at.col));
    bool scalar = e->type && e->type->kind == CT_SCALAR;
    if (value) *value = scalar ? accept_convert(ac, e->type->scalar, x) : x;
    return true;
}

// A value that data decide and nobody here knows: that of a variable which nobody sets.
static Expr *unknown(Accept *ac, const Ast *e, Type t) {
    Ref at;
    accept_local(ac, "unknown", ast_scalar(ac->a, t), ac->block, &at);
    return accept_load(ac, &at, e->loc);
}

// What a texture or an image gives lies in an order of its own: its accesses are not told, the numbers are
// unknown, and that is said. What its coordinates read is told.
static bool from_texture(Accept *ac, const Ast *e, const char *name, Expr **value) {
    Type t = e->type && e->type->kind == CT_SCALAR ? e->type->scalar : T_F32;
    for (int i = 0; i < e->nkids; i++) {
        bool scalar = e->kids[i]->type && e->kids[i]->type->kind == CT_SCALAR;
        Expr *x = scalar ? accept_value(ac, e->kids[i]) : NULL;
        Ref at;
        if (scalar && !x) return false;
        if (!x || !expr_has_load(x)) continue;
        accept_local(ac, "coordinate", ast_scalar(ac->a, x->type), ac->block, &at);
        if (!accept_put(ac, e->loc, &at, OP_SET, x)) return false;
    }
    Loc at = accept_site(ac, e->loc);
    say_inexact(
        ac, arena_printf(
                ac->a,
                "what '%s' at %d:%d moves is not counted: textures and images lie in an order of their own",
                name, at.line, at.col));
    if (value) *value = unknown(ac, e, t);
    return !value || *value;
}

// Functions of parse/libraries.c that stand for something else.
static bool stands_for(Accept *ac, const Ast *e, const char *name, Expr **value) {
    if (str_eq(name, "sculpt_async")) return ac->async = e->kids[0]->i != 0, true; // kernel/copies.c
    Expr *x = e->nkids == 1 ? accept_value(ac, e->kids[0]) : NULL;
    if (!x) return false;
    const char *what = "16-bit floats are computed as whole numbers of that size";
    bool to = str_eq(name, "sculpt_to_half"), half = to || str_eq(name, "sculpt_from_half");
    if (half && ac->c->in_order) { // values are compared
        x = accept_convert(ac, to ? T_F32 : T_U16, x);
        Expr *y = to ? expr_call(ac->a, "half_of_float", T_U16, 1, &x)
                     : expr_call(ac->a, "float_of_half", T_F32, 1, &x);
        if (value) *value = accept_convert(ac, e->type->scalar, y);
        return true;
    }
    if (str_eq(name, "sculpt_random")) what = "random numbers are not those of the library";
    if (str_eq(name, "sculpt_grid")) what = "a barrier of the whole grid is taken for one of each block";
    if (str_eq(name, "sculpt_coalesced"))
        what = "which lanes run at once is not known: all of a warp are taken";
    say_inexact(ac, what);
    if (value) *value = accept_convert(ac, e->type->scalar, x);
    return true;
}

// Functions of device code whose values nobody here computes (__popc, as_int, normcdf): no address can hang
// on more than that they have one, and that is said.
static bool is_opaque(const Accept *ac, const Ast *e) {
    const AstUnit *u = ac->ra->unit;
    bool guess = false, scalars = true; // a function that nobody defines could write through a pointer
    for (int i = 0; e->decl && i < u->nundefined; i++)
        guess |= u->undefined[i].called && str_eq(u->undefined[i].name, e->decl->name);
    for (int i = 0; i < e->nkids; i++) scalars &= e->kids[i]->type && e->kids[i]->type->kind == CT_SCALAR;
    if (guess && !scalars) return false;
    bool builtin = e->decl && (guess || is_prelude(e->decl->loc.file) || !e->decl->loc.line);
    return builtin && e->nkids > 0 && e->type && e->type->kind == CT_SCALAR;
}

Expr *accept_kernel_opaque(Accept *ac, const Ast *e) {
    if (!is_opaque(ac, e)) return NULL;
    const Ast *first = e->kids[0];
    bool scalar = first->type && first->type->kind == CT_SCALAR;
    Expr *x = scalar ? accept_value(ac, first) : NULL;
    Loc at = accept_site(ac, e->loc);
    if (scalar && !x) return NULL;
    say_inexact(ac, arena_printf(ac->a, "the value of '%s' at %d:%d is not computed", e->decl->name, at.line,
                                 at.col));
    return x && expr_has_load(x) ? accept_convert(ac, e->type->scalar, x) : unknown(ac, e, e->type->scalar);
}

bool accept_kernel_call(Accept *ac, const Ast *e, bool *done, Expr **value) {
    AtomicKind kind;
    const char *name = e->name && e->decl && !e->decl->body ? e->name : "";
    *done = true;
    if (atomic_kind(name, &kind)) return take_atomic(ac, e, kind, value);
    if (is_texture(name)) return from_texture(ac, e, name, value);
    if (str_has_prefix(name, "sculpt_")) return stands_for(ac, e, name, value);
    if (is_across_lanes(name)) return from_other_lanes(ac, e, name, value);
    *done = is_fence(name);
    if (*done && value) *value = expr_int(ac->a, T_I32, 0);
    return true;
}
