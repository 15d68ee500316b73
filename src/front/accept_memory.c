// SPDX-License-Identifier: MIT
// accept_memory.c -- memset, memcpy and memmove of whole elements, as the loops that they are.
//
//   memset(h, 0, n * sizeof *h);      for (e = 0; e < n; e++) h[e] = 0;
//   memcpy(a[i], b, sizeof b);        for (e = 0; e < 16; e++) a[i][e] = b[e];
//   memcpy(&u, &x[i], sizeof u);      u = bits_of_float(x[i]);
#include "front/accept.h"
#include <string.h>

bool accept_is_memory_call(const Ast *e) {
    static const char *const names[] = {"memset", "memcpy", "memmove"};
    if (e->kind != A_CALL || !e->decl || e->decl->body || e->nkids != 3) return false;
    const char *name = e->decl->name;
    if (str_has_prefix(name, "__builtin_")) name += strlen("__builtin_");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (str_eq(name, names[k])) return true;
    return false;
}

static bool refuse(Accept *ac, const Ast *e) {
    return accept_refuse(ac, SC_CALL, e->loc, "'%s' of what are no whole elements of one type; write a loop",
                         e->decl->name);
}

// bytes / size, where that is a number or a factor times one; NULL: it may have a remainder.
static Expr *elements(Accept *ac, Expr *bytes, int64_t size) {
    while (bytes->kind == E_CAST && type_is_int(bytes->args[0]->type) && type_size(bytes->args[0]->type) >= 4)
        bytes = bytes->args[0];
    if (size == 1) return expr_cast(ac->a, T_I64, bytes);
    bool whole = bytes->kind == E_INT && bytes->i >= 0 && bytes->i % size == 0;
    if (whole) return expr_int(ac->a, T_I64, bytes->i / size);
    if (bytes->kind != E_OP || bytes->op != OP_MUL) return NULL;
    for (int k = 0; k < 2; k++) {
        const Expr *c = bytes->args[k];
        Expr *other = bytes->args[1 - k];
        if (c->kind == E_INT && c->i > 0 && c->i % size == 0)
            return expr_mul(ac->a, expr_cast(ac->a, T_I64, other), expr_int(ac->a, T_I64, c->i / size));
        Expr *part = elements(ac, other, size);
        if (part) return expr_mul(ac->a, part, expr_cast(ac->a, T_I64, bytes->args[k]));
    }
    return NULL;
}

static bool put_one(Accept *ac, const Ast *e, const Ref *to, const Ref *from, int64_t byte);

// The int that a count was made of, which C may not have be negative; else the count.
static Expr *as_counted(Expr *n) {
    Expr *x = n;
    while (x->kind == E_CAST && (x->type == T_I64 || x->type == T_U64)) x = x->args[0];
    return x->type == T_I32 ? x : n;
}

// n elements at `to`, which is the first.
static bool put_all(Accept *ac, const Ast *e, const Ref *to, const Ref *from, int64_t byte, Expr *n) {
    Sym *i = NEW(ac->a, Sym);
    n = as_counted(n);
    *i = (Sym){.name = accept_name(ac, "e"), .kind = SYM_ITER, .type = n->type};
    Ref x = *to, y = from ? *from : *to;
    Block b;
    accept_open(ac, &b);
    vec_push(ac->a, &ac->iters, (const Sym *)i);
    Expr *at = expr_sym(ac->a, i);
    bool ok = accept_step(ac, &x, at, e->loc) && (!from || accept_step(ac, &y, at, e->loc)) &&
              put_one(ac, e, &x, from ? &y : NULL, byte);
    ac->iters.n--;
    Node *loop = node_for(ac->a, i, expr_int(ac->a, n->type, 0), n, 1, HOW_SERIAL, accept_close(ac, &b));
    loop->loc = e->loc;
    vec_push(ac->a, &ac->block->nodes, loop);
    return ok;
}

static bool put_one(Accept *ac, const Ast *e, const Ref *to, const Ref *from, int64_t byte) {
    const CType *t = to->type;
    if (t->kind == CT_ARRAY && t->size && t->size->kind == A_INT) {
        Ref x = *to, y = from ? *from : *to;
        return accept_decay(ac, &x, e->loc) && (!from || accept_decay(ac, &y, e->loc)) &&
               put_all(ac, e, &x, from ? &y : NULL, byte, expr_int(ac->a, T_I64, t->size->i));
    }
    if (t->kind == CT_RECORD && from) return accept_copy(ac, to, from, e->loc);
    if (t->kind == CT_RECORD && t->is_union) {
        int n;
        const Ref *x = accept_union_elements(ac, to, e->loc, &n);
        for (int k = 0; x && k < n; k++)
            if (!put_one(ac, e, &x[k], NULL, byte)) return false;
        return x != NULL;
    }
    if (t->kind == CT_RECORD) {
        for (int k = 0; k < t->nfields; k++) {
            Ref x = *to;
            if (!accept_field(ac, &x, t->fields[k].name, e->loc) || !put_one(ac, e, &x, NULL, byte))
                return false;
        }
        return true;
    }
    bool same = !from || (from->type->kind == CT_SCALAR && from->type->scalar == t->scalar);
    if (t->kind != CT_SCALAR || !same) return refuse(ac, e);
    if (from) return accept_copy(ac, to, from, e->loc);
    bool fits =
        byte == 0 || (type_is_int(t->scalar) && (byte == 255 || t->bytes == 1) && t->scalar != T_BOOL);
    if (!fits) return refuse(ac, e);
    int64_t all = t->bytes == 1 && !type_is_signed(t->scalar) ? byte : (int8_t)byte; // 255 in each byte is -1
    Expr *v = type_is_float(t->scalar) ? expr_float(ac->a, t->scalar, 0) : expr_int(ac->a, t->scalar, all);
    return accept_put(ac, e->loc, to, OP_SET, v);
}

static bool same_type(const CType *x, const CType *y) {
    bool arrays = x->kind == CT_ARRAY && y->kind == CT_ARRAY;
    return arrays ? x->bytes == y->bytes && same_type(x->of, y->of)
                  : x->kind == y->kind &&
                        (x->kind == CT_SCALAR ? x->scalar == y->scalar : str_eq(x->text, y->text));
}

Expr *accept_bits(Accept *ac, Type t, Expr *v) {
    bool wide = type_size(t) == 8, to = type_is_float(t), from = type_is_float(v->type);
    Type bits = wide ? T_U64 : T_U32;
    if (from && !to) v = expr_call(ac->a, wide ? "bits_of_double" : "bits_of_float", bits, 1, &v);
    if (to && !from) {
        v = expr_cast(ac->a, bits, v);
        v = expr_call(ac->a, wide ? "double_of_bits" : "float_of_bits", t, 1, &v);
    }
    return expr_cast(ac->a, t, v);
}

// One number in the place of another; its bytes are those of both.
static bool is_one_number(const Ast *e, const Ref *to, const Ref *from) {
    const CType *x = to->type, *y = from->type;
    const Ast *bytes = accept_strip(e->kids[2]);
    return x->kind == CT_SCALAR && y->kind == CT_SCALAR && x->bytes == y->bytes && bytes->kind == A_INT &&
           bytes->i == x->bytes && x->scalar != T_BOOL && y->scalar != T_BOOL;
}

static bool copy_number(Accept *ac, const Ast *e, const Ref *to, const Ref *from) {
    Expr *v = accept_load(ac, from, e->loc);
    return v && accept_put(ac, e->loc, to, OP_SET, accept_bits(ac, to->type->scalar, v));
}

bool accept_memory_call(Accept *ac, const Ast *e) {
    Ref to, from;
    bool sets = strstr(e->decl->name, "memset") != NULL;
    const Ast *byte = sets ? accept_strip(e->kids[1]) : NULL;
    if (!accept_pointer(ac, accept_strip(e->kids[0]), &to)) return false;
    if (!sets && !accept_pointer(ac, accept_strip(e->kids[1]), &from)) return false;
    if (!sets && is_one_number(e, &to, &from)) return copy_number(ac, e, &to, &from);
    if (!to.steps || to.type->bytes <= 0 ||
        (sets ? byte->kind != A_INT : !from.steps || !same_type(to.type, from.type)))
        return refuse(ac, e);
    if (!sets && to.object == from.object) return refuse(ac, e); // they might overlap
    Expr *bytes = accept_freeze(ac, accept_value(ac, e->kids[2]));
    Expr *n = bytes ? elements(ac, bytes, to.type->bytes) : NULL;
    if (!n) return bytes && refuse(ac, e);
    return put_all(ac, e, &to, sets ? NULL : &from, sets ? byte->i & 255 : 0, n);
}
