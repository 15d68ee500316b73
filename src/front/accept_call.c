// SPDX-License-Identifier: MIT
// accept_call.c -- calls: math functions by name, functions with a known text inlined.
//
// A parameter becomes the argument itself where that is the same and costs nothing, else a
// local that holds it; pointers become other names of what they point to.
#include "front/accept.h"
#include "front/plain.h"
#include "ir/value.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- math -------------------------------------------------------------------------------------
static Expr *math_value(Accept *ac, const Ast *e, const MathFn *fn, const char *name) {
    Expr *args[3];
    if (e->nkids != fn->nargs)
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' takes %d arguments", name, fn->nargs);
    for (int k = 0; k < fn->nargs; k++) {
        args[k] = accept_value(ac, e->kids[k]);
        if (args[k] && fn->arg[k] != T_NONE)
            args[k] = accept_convert(ac, fn->arg[k], args[k]);
        if (!args[k])
            return NULL;
    }
    if (!math_takes(fn, fn->nargs, args))
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' of these types is not taken", name);
    if (str_eq(name, "fma") || str_eq(name, "fmaf"))
        return expr_op(ac->a, OP_FMA, args[0], args[1], args[2]);
    return expr_call(ac->a, fn->name, fn->type, fn->nargs, args);
}

static bool is_plain_load(const Expr *x) {
    for (int d = 0; x->kind == E_LOAD && d < x->array->rank; d++)
        if (expr_has_load(x->args[d])) return false;
    return x->kind == E_LOAD;
}

// x if it is cheap to write twice, else a local that holds it. A hand-written kernel reads once what it reads
// once.
static Expr *twice(Accept *ac, Expr *x) {
    if (x->nargs == 0 || (is_plain_load(x) && (!ac->kernel || x->array->rank == 0)))
        return x;
    Ref r;
    accept_local(ac, "t", ast_scalar(ac->a, x->type), ac->block, &r);
    return accept_put(ac, ac->loc, &r, OP_SET, x) ? accept_load(ac, &r, ac->loc) : NULL;
}

// abs and its kin, and conversions that round: functions with integers in them.
static Expr *integer_math(Accept *ac, const Ast *e, const char *name) {
    static const struct {
        const char *name, *fn;
        Type t;
    } rows[] = {
        {"abs", NULL, T_I32}, {"labs", NULL, T_I64}, {"llabs", NULL, T_I64},
        {"lround", "round", T_I64}, {"lroundf", "roundf", T_I64}, {"llround", "round", T_I64},
        {"llroundf", "roundf", T_I64}, {"lrint", "rint", T_I64}, {"lrintf", "rintf", T_I64},
        {"llrint", "rint", T_I64}, {"llrintf", "rintf", T_I64},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!str_eq(rows[k].name, name) || e->nkids != 1)
            continue;
        Expr *x = accept_value(ac, e->kids[0]);
        if (x && rows[k].fn) {
            const MathFn *fn = math_find(rows[k].fn, x->type);
            if (!fn)
                return NULL;
            return expr_cast(ac->a, T_I64, expr_call(ac->a, fn->name, fn->type, 1, &x));
        }
        x = x ? twice(ac, accept_convert(ac, rows[k].t, x)) : NULL;
        if (!x)
            return NULL;
        Expr *less = expr_op(ac->a, OP_LT, x, expr_int(ac->a, x->type, 0), NULL);
        return expr_op(ac->a, OP_SELECT, less, expr_op(ac->a, OP_NEG, x, NULL, NULL), x);
    }
    return NULL;
}

// C says only that these are not 0. The number is that of gcc, which has the sign of a float where it stands.
static Expr *sign_of(Accept *ac, Expr *x) {
    if (x->type == T_F64) return expr_call(ac->a, "signbit", T_I32, 1, &x);
    Expr *bits = expr_call(ac->a, "bits_of_float", T_U32, 1, &x);
    return expr_cast(ac->a, T_I32, expr_op(ac->a, OP_AND, bits, expr_int(ac->a, T_U32, 0x80000000), NULL));
}

static Expr *classify(Accept *ac, const Ast *e, const char *name) {
    bool nan = str_has_prefix(name, "isnan"), inf = str_has_prefix(name, "isinf");
    bool finite = str_eq(name, "isfinite") || str_eq(name, "finite"), normal = str_eq(name, "isnormal");
    bool sign = str_has_prefix(name, "signbit");
    if ((!nan && !inf && !finite && !normal && !sign) || e->nkids != 1)
        return NULL;
    Expr *x = accept_value(ac, e->kids[0]);
    x = x && type_is_float(x->type) ? twice(ac, x) : NULL;
    if (!x)
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' of this type is not taken", name);
    if (sign) return sign_of(ac, x);
    if (nan)
        return expr_op(ac->a, OP_NE, x, x, NULL);
    const char *fn = x->type == T_F32 ? "fabsf" : "fabs";
    Expr *size = expr_call(ac->a, fn, x->type, 1, &x);
    Expr *most = expr_float(ac->a, x->type, x->type == T_F32 ? 0x1.fffffep+127 : 0x1.fffffffffffffp+1023);
    Expr *is = expr_op(ac->a, inf ? OP_GT : OP_LE, size, most, NULL);
    if (str_has_prefix(name, "isinf_sign")) { // what isinf is in <math.h>
        Expr *less = expr_op(ac->a, OP_LT, x, expr_float(ac->a, x->type, 0), NULL);
        Expr *one = expr_int(ac->a, T_I32, 1), *minus = expr_int(ac->a, T_I32, -1);
        return expr_op(ac->a, OP_SELECT, is, expr_op(ac->a, OP_SELECT, less, minus, one),
                       expr_int(ac->a, T_I32, 0));
    }
    if (!normal) return is;
    Expr *least = expr_float(ac->a, x->type, x->type == T_F32 ? 0x1p-126 : 0x1p-1022);
    return expr_op(ac->a, OP_LAND, expr_op(ac->a, OP_GE, size, least, NULL), is, NULL);
}

// isgreater(x, y) and its kin: comparisons that a NaN does not meet.
static Expr *ordered(Accept *ac, const Ast *e, const char *name) {
    static const struct {
        const char *name;
        Op op, other; // OP_SET: none
    } rows[] = {{"isgreater", OP_GT, OP_SET}, {"isgreaterequal", OP_GE, OP_SET}, {"isless", OP_LT, OP_SET},
                {"islessequal", OP_LE, OP_SET}, {"islessgreater", OP_LT, OP_GT},
                {"isunordered", OP_NE, OP_NE}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!str_eq(rows[k].name, name) || e->nkids != 2) continue;
        Expr *x = accept_value(ac, e->kids[0]), *y = x ? accept_value(ac, e->kids[1]) : NULL;
        if (!y) return NULL;
        if (!type_is_float(x->type) || !type_is_float(y->type)) break;
        Type t = x->type == T_F64 || y->type == T_F64 ? T_F64 : T_F32;
        x = twice(ac, accept_convert(ac, t, x));
        y = x ? twice(ac, accept_convert(ac, t, y)) : NULL;
        if (!y) return NULL;
        bool each = rows[k].op == OP_NE; // with itself
        Expr *is = expr_op(ac->a, rows[k].op, x, each ? x : y, NULL);
        if (rows[k].other == OP_SET) return is;
        Expr *or = expr_op(ac->a, rows[k].other, each ? y : x, y, NULL);
        return expr_op(ac->a, OP_LOR, is, or, NULL);
    }
    return NULL;
}

static bool is_empty_text(const Ast *e) {
    while (e->kind == A_CAST && e->nkids == 1)
        e = e->kids[0];
    return e->kind == A_STRING && (!e->name || !*e->name || str_eq(e->name, "\"\""));
}

// What INFINITY, HUGE_VAL and NAN stand for: calls without an argument, or with an empty text.
static Expr *constant_call(Accept *ac, const Ast *e, const char *name) {
    if (e->type->kind != CT_SCALAR || !type_is_float(e->type->scalar))
        return NULL;
    bool inf =
        str_eq(name, "inf") || str_eq(name, "inff") || str_eq(name, "huge_val") || str_eq(name, "huge_valf");
    bool nan = str_eq(name, "nan") || str_eq(name, "nanf");
    if (inf && e->nkids == 0)
        return expr_float(ac->a, e->type->scalar, INFINITY);
    if (nan && e->nkids == 1 && is_empty_text(e->kids[0]))
        return expr_float(ac->a, e->type->scalar, NAN);
    return NULL;
}

// ---- bits ---------------------------------------------------------------------------------------
static Expr *bits_of(Accept *ac, Type t, uint64_t pattern) {
    return expr_int(ac->a, t, (int64_t)(t == T_U32 ? pattern & UINT32_MAX : pattern));
}

static Expr *shifted(Accept *ac, Op op, Expr *x, int by) {
    return expr_op(ac->a, op, x, expr_int(ac->a, x->type, by), NULL);
}

static Expr *masked(Accept *ac, Expr *x, uint64_t pattern) {
    return expr_op(ac->a, OP_AND, x, bits_of(ac, x->type, pattern), NULL);
}

static uint64_t ones(int n) { return UINT64_MAX >> (64 - n); }

static Type worked_in(const Expr *whole) { return type_size(whole->type) == 8 ? T_U64 : T_U32; }

// x shifted to where the part is, or from there.
static Expr *moved(Accept *ac, Op op, Expr *x, const Part *p) {
    Expr *by = expr_int(ac->a, x->type, p->of->low);
    if (p->by) by = expr_add(ac->a, by, p->by);
    return expr_op(ac->a, op, x, by, NULL);
}

Expr *accept_part(Accept *ac, const Part *p, Expr *whole) {
    Arena *a = ac->a;
    const CField *f = p->of;
    Type t = worked_in(whole);
    Expr *x = moved(ac, OP_SHR, expr_cast(a, t, whole), p);
    if (f->width < 8 * type_size(t)) x = masked(ac, x, ones(f->width));
    x = expr_cast(a, f->type->scalar, x);
    if (!f->is_signed || f->width == 32) return x;
    Expr *sign = expr_int(a, T_I32, (int64_t)1 << (f->width - 1)); // ones in front of a negative one
    return expr_op(a, OP_SUB, expr_op(a, OP_XOR, x, sign, NULL), sign, NULL);
}

Expr *accept_with_part(Accept *ac, const Part *p, Expr *whole, Expr *v) {
    uint64_t mask = ones(p->of->width);
    Type t = worked_in(whole);
    v = moved(ac, OP_SHL, masked(ac, expr_cast(ac->a, t, v), mask), p);
    Expr *all = expr_cast(ac->a, t, whole), *held = moved(ac, OP_SHL, bits_of(ac, t, mask), p);
    Expr *rest = p->by ? expr_op(ac->a, OP_AND, all, expr_op(ac->a, OP_NOT, held, NULL, NULL), NULL)
                       : masked(ac, all, ones(8 * p->of->unit) & ~(mask << p->of->low));
    return expr_cast(ac->a, whole->type, expr_op(ac->a, OP_OR, rest, v, NULL));
}

// How many bits of the unsigned x are set: in pairs, in fours, in bytes, in all.
static Expr *count_bits(Accept *ac, Expr *x) {
    Arena *a = ac->a;
    x = twice(ac, x);
    Expr *pairs = x ? masked(ac, shifted(ac, OP_SHR, x, 1), 0x5555555555555555) : NULL;
    x = pairs ? twice(ac, expr_op(a, OP_SUB, x, pairs, NULL)) : NULL;
    Expr *fours = x ? masked(ac, shifted(ac, OP_SHR, x, 2), 0x3333333333333333) : NULL;
    x = fours ? twice(ac, expr_op(a, OP_ADD, masked(ac, x, 0x3333333333333333), fours, NULL)) : NULL;
    if (!x) return NULL;
    x = masked(ac, expr_op(a, OP_ADD, x, shifted(ac, OP_SHR, x, 4), NULL), 0x0f0f0f0f0f0f0f0f);
    x = expr_op(a, OP_MUL, x, bits_of(ac, x->type, 0x0101010101010101), NULL);
    return expr_cast(a, T_I32, shifted(ac, OP_SHR, x, 8 * type_size(x->type) - 8));
}

// What gcc's functions of bits give. Of 0 the places of the first and the last bit are undefined in C.
static Expr *bit_function(Accept *ac, const Ast *e, const char *name) {
    static const char *const stems[] = {"popcount", "parity", "ctz", "ffs", "clz"};
    size_t which = 0, count = sizeof stems / sizeof *stems;
    while (which < count && !str_has_prefix(name, stems[which])) which++;
    const char *end = which < count ? name + strlen(stems[which]) : "-";
    bool wide = str_eq(end, "l") || str_eq(end, "ll");
    if ((!wide && *end) || e->nkids != 1) return NULL;
    Arena *a = ac->a;
    Type t = wide ? T_U64 : T_U32;
    Expr *x = accept_value(ac, e->kids[0]), *one = expr_int(a, t, 1), *none = expr_int(a, t, 0);
    x = x ? twice(ac, expr_cast(a, t, x)) : NULL;
    if (!x) return NULL;
    if (which == 0) return count_bits(ac, x);
    if (which == 1) {
        x = count_bits(ac, x);
        return x ? expr_op(a, OP_AND, x, expr_int(a, T_I32, 1), NULL) : NULL;
    }
    if (which == 4) { // all behind the first bit set, what is not lies in front of it
        for (int by = 1; x && by < 8 * type_size(t); by *= 2)
            x = twice(ac, expr_op(a, OP_OR, x, shifted(ac, OP_SHR, x, by), NULL));
        return x ? count_bits(ac, expr_op(a, OP_NOT, x, NULL, NULL)) : NULL;
    }
    Expr *least = expr_op(a, OP_AND, x, expr_op(a, OP_SUB, none, x, NULL), NULL);
    Expr *behind = count_bits(ac, expr_op(a, OP_SUB, least, one, NULL));
    if (!behind || which == 2) return behind;
    Expr *place = expr_op(a, OP_ADD, behind, expr_int(a, T_I32, 1), NULL);
    return expr_op(a, OP_SELECT, expr_op(a, OP_EQ, x, none, NULL), expr_int(a, T_I32, 0), place);
}

// bswap16, 32 and 64: bytes change places with their neighbours, then pairs, then fours.
static Expr *swap_bytes(Accept *ac, const Ast *e, const char *name) {
    static const uint64_t lower[] = {0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    int bits = str_has_prefix(name, "bswap") && e->nkids == 1 ? atoi(name + strlen("bswap")) : 0;
    if (bits != 16 && bits != 32 && bits != 64) return NULL;
    Expr *x = accept_convert(ac, e->type->scalar, accept_value(ac, e->kids[0]));
    if (x) x = expr_cast(ac->a, bits == 64 ? T_U64 : T_U32, x);
    for (int k = 0; x && 16 << k <= bits; k++) {
        x = twice(ac, x);
        if (!x) return NULL;
        Expr *up = shifted(ac, OP_SHL, masked(ac, x, lower[k]), 8 << k);
        x = expr_op(ac->a, OP_OR, up, masked(ac, shifted(ac, OP_SHR, x, 8 << k), lower[k]), NULL);
    }
    return x ? expr_cast(ac->a, e->type->scalar, x) : NULL;
}

// What only tells the compiler something: the value that it is about. Is an argument a constant? As far as
// it is asked here, none is.
static Expr *hint(Accept *ac, const Ast *e, const char *name) {
    if (str_eq(name, "constant_p")) return expr_int(ac->a, T_I32, 0);
    bool expect = str_eq(name, "expect") || str_eq(name, "expect_with_probability");
    return expect && e->nkids >= 2 && !ast_has_effect(e->kids[1]) ? accept_value(ac, e->kids[0]) : NULL;
}

static Expr *known_function(Accept *ac, const Ast *e, const char *name) {
    const char *plain = str_has_prefix(name, "__builtin_") ? name + strlen("__builtin_") : name;
    Expr *x = plain != name ? constant_call(ac, e, plain) : NULL;
    if (!x && !ac->failed && plain != name) x = hint(ac, e, plain);
    if (!x && !ac->failed && plain != name) x = bit_function(ac, e, plain);
    if (!x && !ac->failed && plain != name) x = swap_bytes(ac, e, plain);
    if (x || ac->failed) return x;
    x = integer_math(ac, e, plain);
    if (!x && !ac->failed)
        x = classify(ac, e, plain);
    if (!x && !ac->failed) x = ordered(ac, e, plain);
    if (x || ac->failed)
        return x;
    const MathFn *fn = e->type->kind == CT_SCALAR ? math_find(plain, e->type->scalar) : NULL;
    return fn && (!fn->ours || ac->kernel) ? math_value(ac, e, fn, plain) : NULL;
}

// ---- arguments ------------------------------------------------------------------------------------
static bool has_loop(const Ast *s) {
    bool found = s && s->kind == A_FOR;
    for (int k = 0; s && !found && k < s->nkids; k++)
        found = has_loop(s->kids[k]);
    return found;
}

// May each use of the parameter be replaced by the argument?
static bool may_substitute(Accept *ac, const Decl *f, const Decl *p, const Expr *x) {
    if (accept_writes_decl(ac->a, f->body, p))
        return false;
    if (x->nargs == 0 && x->kind != E_LOAD)
        return true;
    int size = 0;
    expr_each(part, x) size += part->kind == E_CALL ? 10 : 1;
    if (expr_has_load(x) && !accept_is_pure(ac->a, f))
        return false;
    bool scalar = x->kind == E_LOAD && x->array->rank == 0;
    return scalar || (!has_loop(f->body) && (size <= 3 || accept_count_uses(f->body, p) <= 1));
}

// Is it changed by the loops alone that count with it? Then they begin with what it is worth so far.
static bool is_counter(const Accept *ac, const Decl *p) {
    bool counts = accept_has_decl(&ac->writes.iters, p) && !accept_has_decl(&ac->writes.vars, p);
    return counts && !p->address_taken;
}

static bool bind_scalar(Accept *ac, const Decl *f, const Decl *p, const Ast *arg, Bind *out) {
    Expr *x = accept_convert(ac, p->type->scalar, accept_value(ac, arg));
    if (!x)
        return false;
    out->kind = BIND_VALUE;
    out->value = x;
    if (may_substitute(ac, f, p, x))
        return true;
    if (is_counter(ac, p)) {
        out->decl = NULL; // no variable at all
        x = accept_freeze(ac, x);
        accept_final_set(ac, p, x);
        return x != NULL;
    }
    out->kind = BIND_PLACE;
    accept_local(ac, p->name, p->type, ac->block, &out->ref);
    return accept_put(ac, arg->loc, &out->ref, OP_SET, x);
}

static bool bind_pointer(Accept *ac, const Decl *p, const Ast *arg, Bind *out) {
    out->kind = BIND_POINTER;
    if (!accept_pointer(ac, arg, &out->ref) || !accept_retype(ac, &out->ref, p->type->of, arg->loc))
        return false;
    accept_flatten(ac, &out->ref);
    for (int k = 0; k < out->ref.ndims; k++)
        if (!(out->ref.dim[k].sub = accept_freeze(ac, out->ref.dim[k].sub)))
            return false;
    return accept_track(ac, out, arg->loc);
}

// ---- lambdas ----------------------------------------------------------------------------------------
bool accept_is_lambda(const Ast *e) { return e->kind == A_OTHER && str_eq(e->name, "LambdaExpr"); }

// A variable of which a copy would be another; NULL: there is none.
static const Decl *changing_copy(const Accept *ac, const Ast *lambda) {
    const Decl *last = NULL;
    ast_each(e, lambda) {
        const Decl *d = e->kind == A_REF ? e->decl : NULL;
        bool own = d && (d->kind == D_VAR || d->kind == D_PARAM) && !d->is_global && !d->is_static;
        if (!own || d->space || accept_declares(lambda, d)) continue;
        bool plain = d->type->kind == CT_SCALAR || d->type->kind == CT_POINTER;
        bool changes = !plain || accept_writes_decl(ac->a, ac->ra->func->body, d);
        for (int k = 0; k < ac->calls.n && !changes; k++)
            changes = ac->calls.at[k]->body && accept_writes_decl(ac->a, ac->calls.at[k]->body, d);
        if (changes) last = d;
    }
    return last;
}

bool accept_lambda(Accept *ac, const Ast *e) {
    const AstUnit *u = ac->ra->unit;
    const char *s = e->begin + 3 < u->size ? u->text + e->begin : "";
    if (str_has_prefix(s, "[&]") || str_has_prefix(s, "[]")) return true;
    const Decl *d = changing_copy(ac, e);
    return !d || accept_refuse(ac, SC_EXPRESSION, e->loc, "a lambda expression with a copy of '%s', "
                               "which changes, is not taken here", d->name);
}

static bool bind_record(Accept *ac, const Decl *f, const Decl *p, const Ast *arg, Bind *out) {
    Ref from;
    out->kind = BIND_PLACE;
    if (!accept_place(ac, arg, &from))
        return false;
    if (accept_is_pure(ac->a, f) && !accept_writes_decl(ac->a, f->body, p)) {
        out->ref = from;
        return true;
    }
    accept_local(ac, p->name, p->type, ac->block, &out->ref);
    return accept_copy(ac, &out->ref, &from, arg->loc);
}

static bool bind_params(Accept *ac, const Ast *e, Bind *binds) {
    const Decl *f = e->decl;
    int before = ac->after.n;
    for (int k = 0; k < f->nparams; k++) {
        const Decl *p = f->params[k];
        binds[k] = (Bind){.decl = p};
        CTypeKind kind = p->type->kind;
        bool ok = kind == CT_SCALAR ? bind_scalar(ac, f, p, e->kids[k], &binds[k])
                : kind == CT_RECORD ? bind_record(ac, f, p, e->kids[k], &binds[k])
                : kind == CT_POINTER || kind == CT_ARRAY ? bind_pointer(ac, p, e->kids[k], &binds[k])
                                                         // an image, a sampler: nothing here reads it
                                                         : ac->kernel && kind == CT_OTHER;
        if (!ok)
            return accept_refuse(ac, SC_CALL, e->loc, "an argument of '%s' has a type that is not "
                                 "taken", f->name);
    }
    if (ac->after.n != before)
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "'++' inside the arguments of '%s'; write it as "
                             "a statement", f->name);
    return true;
}

// ---- inlining ---------------------------------------------------------------------------------------
static bool can_inline(Accept *ac, const Ast *e) {
    const Decl *f = e->decl;
    if (!f)
        return accept_refuse(ac, SC_CALL, e->loc, "a call through a pointer, or of one of several functions "
                             "that _Generic selects from; call the function by name");
    if (str_eq(f->name, ATOMIC_CALL))
        return accept_refuse(
            ac, SC_VOLATILE, e->loc,
            "an atomic operation stays on the host; a plain '+=' behind '#pragma omp atomic' "
            "is taken, or a reduction");
    if (!f->body && str_has_prefix(f->name, "__builtin_"))
        return accept_refuse(ac, SC_CALL, e->loc, "'%s', or what a header makes of it here, is a function of "
                             "the C compiler's own that is not taken; move the call out of the loop",
                             f->name + strlen("__builtin_"));
    if (!f->body && e->nkids && accept_is_complex(e->kids[0]) && str_has_prefix(f->name, "c"))
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' of complex numbers is not taken; move the call out "
                             "of the loop, or compute it from cexp, clog, csqrt and the parts", f->name);
    if (!f->body && f->is_library)
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' is a function of a library that no device has; move "
                             "the call out of the loop", f->name);
    if (!f->body)
        return accept_refuse(ac, SC_CALL, e->loc, "'%s' may do anything: its text is not in this file; "
                             "move the call out of the loop, or define the function here", f->name);
    if (f->is_weak)
        return accept_refuse(ac, SC_CALL, e->loc,
                             "'%s' is weak: another may take its place when the program is "
                             "linked",
                             f->name);
    if (accept_has_decl(&ac->calls, f))
        return accept_refuse(ac, SC_RECURSION, e->loc, "'%s' calls itself; write it as a loop", f->name);
    if (ac->calls.n >= ACCEPT_INLINE || e->nkids != f->nparams)
        return accept_refuse(ac, SC_CALL, e->loc, "the call of '%s' can't be inlined", f->name);
    return true;
}

// The one expression that a function returns, when that is all it does.
static const Ast *only_value(const Decl *f) {
    const Ast *s = f->body;
    while (s->kind == A_BLOCK && s->nkids == 1)
        s = s->kids[0];
    return s->kind == A_RETURN && s->nkids == 1 ? s->kids[0] : NULL;
}

static bool read_body(Accept *ac, const Decl *f) {
    Block b;
    accept_open(ac, &b);
    bool ok = accept_list(ac, f->body->nkids, f->body->kids);
    Node *seq = accept_close(ac, &b);
    accept_splice(ac, seq);
    return ok;
}

// What is asked for of a call: its value, its two parts, or the place where it is found; or nothing.
typedef struct Result {
    Expr **value;
    Complex *parts;
    Ref *place;
} Result;

static bool only_result(Accept *ac, const Ast *e, Type t, const Result *want) {
    if (want->value) return (*want->value = accept_settle(ac, 0, accept_value(ac, e))) != NULL;
    Complex *z = want->parts;
    if (!accept_complex(ac, e, z)) return false;
    if (!z->im) z->im = expr_float(ac->a, t, 0);
    z->re = accept_settle(ac, 0, accept_convert(ac, t, z->re));
    z->im = accept_settle(ac, 0, accept_convert(ac, t, z->im));
    return z->re && z->im;
}

// Reads the function f here, its parameters bound, in the place of e, which has the type t.
static bool inline_bound(Accept *ac, const Ast *e, const Decl *f, const CType *t, Bind *binds,
                         const Result *want) {
    int mark = ac->env.n;
    for (int k = 0; k < f->nparams; k++)
        vec_push(ac->a, &ac->env, binds[k]);
    Accept saved = *ac;
    vec_push(ac->a, &ac->calls, f);
    if (!ac->site.line && accept_is_elsewhere(ac, f->loc)) ac->site = e->loc;
    memset(&ac->after, 0, sizeof ac->after);
    ac->atomic = false;
    ac->conditional = 0;
    ac->guarded += saved.conditional > 0;
    ac->ret = (Return){.inside = true, .depth = ac->iters.n};
    bool ok;
    const Ast *only = want->value || want->parts ? only_value(f) : NULL;
    if (only) {
        ok = only_result(ac, only, want->parts ? t->fields[0].type->scalar : T_NONE, want);
    } else {
        if (t->kind != CT_VOID) {
            ac->ret.type = t;
            accept_local(ac, f->name, t, ac->block, &ac->ret.ref);
        }
        Ref ret = ac->ret.ref;
        ok = read_body(ac, f);
        if (ok && want->value)
            ok = (*want->value = accept_load(ac, &ret, e->loc)) != NULL;
        if (ok && want->parts) ok = accept_complex_load(ac, &ret, e->loc, want->parts);
        if (want->place)
            *want->place = ret;
    }
    accept_unbind(ac, mark);
    ac->calls.n = saved.calls.n;
    ac->after.at = saved.after.at, ac->after.n = saved.after.n, ac->after.cap = saved.after.cap;
    ac->atomic = saved.atomic;
    ac->conditional = saved.conditional;
    ac->guarded = saved.guarded;
    ac->ret = saved.ret;
    ac->loc = saved.loc;
    ac->site = saved.site;
    return ok;
}

// Reads the called function here; its value is *value, or is found at *place.
static bool inline_call(Accept *ac, const Ast *e, const Result *want) {
    if (!can_inline(ac, e))
        return false;
    Bind *binds = NEW_N(ac->a, Bind, e->decl->nparams + 1);
    return bind_params(ac, e, binds) && inline_bound(ac, e, e->decl, e->type, binds, want);
}

bool accept_call_with(Accept *ac, const Ast *e, const Decl *f, int n, Expr *const *args, Ref *out) {
    Bind *binds = NEW_N(ac->a, Bind, n + 1);
    for (int k = 0; k < n; k++) binds[k] = (Bind){.decl = f->params[k], .kind = BIND_VALUE, .value = args[k]};
    return inline_bound(ac, e, f, f->type->of, binds, &(Result){.place = out});
}

// CMPLX(x, y)
static bool made_of_parts(Accept *ac, const Ast *e, Complex *z) {
    Type t = e->type->fields[0].type->scalar;
    z->re = accept_convert(ac, t, accept_value(ac, e->kids[0]));
    z->im = z->re ? accept_convert(ac, t, accept_value(ac, e->kids[1])) : NULL;
    return z->im;
}

bool accept_call_complex(Accept *ac, const Ast *e, Complex *z) {
    bool made = e->decl && str_eq(e->decl->name, "__builtin_complex") && e->nkids == 2;
    if (made) return made_of_parts(ac, e, z);
    return inline_call(ac, e, &(Result){.parts = z});
}

Expr *accept_call_value(Accept *ac, const Ast *e) {
    const Decl *f = e->decl;
    Expr *x = NULL;
    bool done = false;
    if (ac->kernel && !accept_kernel_call(ac, e, &done, &x))
        return NULL;
    if (done)
        return x;
    if (f && !f->body) {
        x = known_function(ac, e, f->name);
        if (!x && !ac->failed && ac->kernel) x = accept_kernel_opaque(ac, e);
        if (x || ac->failed)
            return x;
    }
    if (e->type->kind != CT_SCALAR)
        return can_inline(ac, e) ? accept_refuse(ac, SC_CALL, e->loc, "the value of '%s' is of a type "
                                                 "that is not taken here", f->name) : NULL;
    return inline_call(ac, e, &(Result){.value = &x}) ? accept_convert(ac, e->type->scalar, x) : NULL;
}

bool accept_call_place(Accept *ac, const Ast *e, Ref *out) {
    return inline_call(ac, e, &(Result){.place = out});
}

bool accept_call_effect(Accept *ac, const Ast *e) {
    const Decl *f = e->decl;
    bool done = false;
    if (ac->kernel && !accept_kernel_call(ac, e, &done, NULL))
        return false;
    if (done)
        return true;
    if (accept_is_memory_call(e))
        return accept_memory_call(ac, e);
    if (f && !f->body && e->type->kind == CT_SCALAR)
        return accept_call_value(ac, e) != NULL;
    return inline_call(ac, e, &(Result){0});
}

// A function whose last statement returns a pointer, and which only declares before that.
bool accept_call_pointer(Accept *ac, const Ast *e, Ref *out) {
    if (!can_inline(ac, e))
        return false;
    const Decl *f = e->decl;
    const Ast *body = f->body;
    const Ast *last = body->kind == A_BLOCK && body->nkids ? body->kids[body->nkids - 1] : body;
    bool plain = last->kind == A_RETURN && last->nkids == 1;
    for (int k = 0; body->kind == A_BLOCK && k + 1 < body->nkids; k++)
        plain &= body->kids[k]->kind == A_DECLS;
    if (!plain)
        return accept_refuse(ac, SC_POINTER, e->loc, "which pointer '%s' returns can't be told", f->name);
    Bind *binds = NEW_N(ac->a, Bind, f->nparams + 1);
    if (!bind_params(ac, e, binds))
        return false;
    int mark = ac->env.n;
    for (int k = 0; k < f->nparams; k++)
        vec_push(ac->a, &ac->env, binds[k]);
    vec_push(ac->a, &ac->calls, f);
    bool ok = accept_list(ac, body->kind == A_BLOCK ? body->nkids - 1 : 0, body->kids) &&
              accept_pointer(ac, last->kids[0], out);
    ac->calls.n--;
    accept_unbind(ac, mark);
    return ok;
}
