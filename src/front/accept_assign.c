// SPDX-License-Identifier: MIT
// accept_assign.c -- assignments, ++ and --, initialisers, copies of structs.
#include "front/accept.h"
#include "ir/value.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The element that r names at index k of the array at r.
static bool element(Accept *ac, const Ref *r, int64_t k, Loc loc, Ref *out) {
    *out = *r;
    return accept_decay(ac, out, loc) && accept_step(ac, out, expr_int(ac->a, T_I32, k), loc);
}

static bool copy_pointer(Accept *ac, const Ref *to, const Ref *from, Loc loc) {
    Ref target = *from;
    if (!to->object->block || to->ndims > 0)
        return accept_refuse(ac, SC_POINTER, loc, "a pointer is stored; keep pointers as they are "
                             "inside the loop");
    if (!accept_follow(ac, &target, loc))
        return false;
    vec_push(ac->a, &to->object->pointers, target);
    vec_push(ac->a, &to->object->fields, to->path);
    return true;
}

bool accept_copy(Accept *ac, const Ref *to, const Ref *from, Loc loc) {
    const CType *t = to->type;
    if (t->kind == CT_SCALAR)
        return accept_put(ac, loc, to, OP_SET, accept_load(ac, from, loc));
    if (t->kind == CT_POINTER)
        return copy_pointer(ac, to, from, loc);
    if (t->kind == CT_RECORD && t->is_union) {
        int n;
        const Ref *x = accept_union_elements(ac, to, loc, &n), *y = accept_union_elements(ac, from, loc, &n);
        for (int k = 0; x && y && k < n; k++)
            if (!accept_copy(ac, &x[k], &y[k], loc)) return false;
        return x && y;
    }
    if (t->kind == CT_RECORD) {
        for (int k = 0; k < t->nfields; k++) {
            Ref x = *to, y = *from;
            if (!accept_field(ac, &x, t->fields[k].name, loc) ||
                !accept_field(ac, &y, t->fields[k].name, loc) || !accept_copy(ac, &x, &y, loc))
                return false;
        }
        return true;
    }
    bool small = t->kind == CT_ARRAY && t->size && t->size->kind == A_INT &&
                 t->size->i <= ACCEPT_UNFOLD;
    if (!small)
        return accept_refuse(ac, SC_TYPE, loc, "a copy of '%s' in one piece; copy its elements",
                             t->text);
    for (int64_t k = 0; k < t->size->i; k++) {
        Ref x, y;
        if (!element(ac, to, k, loc, &x) || !element(ac, from, k, loc, &y) ||
            !accept_copy(ac, &x, &y, loc))
            return false;
    }
    return true;
}

// ---- initialisers ------------------------------------------------------------------------------
static bool init_zero(Accept *ac, const Ref *to, Loc loc);

// for (z = from; z < n; z++) to[z] = 0
static bool zero_tail(Accept *ac, const Ref *to, int64_t from, Loc loc) {
    const CType *t = to->type;
    int64_t n = t->size->i;
    if (n - from <= 8) {
        Ref x;
        for (int64_t k = from; k < n; k++)
            if (!element(ac, to, k, loc, &x) || !init_zero(ac, &x, loc))
                return false;
        return true;
    }
    Sym *z = NEW(ac->a, Sym);
    *z = (Sym){.name = accept_name(ac, "z"), .kind = SYM_ITER, .type = T_I32};
    Block body;
    Ref x = *to;
    vec_push(ac->a, &ac->iters, (const Sym *)z);
    accept_open(ac, &body);
    bool ok = accept_decay(ac, &x, loc) && accept_step(ac, &x, expr_sym(ac->a, z), loc) &&
              init_zero(ac, &x, loc);
    Node *seq = accept_close(ac, &body);
    ac->iters.n--;
    Node *loop = node_for(ac->a, z, expr_int(ac->a, T_I32, from), expr_int(ac->a, T_I32, n), 1,
                          HOW_SERIAL, seq);
    loop->loc = loc;
    vec_push(ac->a, &ac->block->nodes, loop);
    return ok;
}

static bool init_zero(Accept *ac, const Ref *to, Loc loc) {
    const CType *t = to->type;
    if (t->kind == CT_SCALAR)
        return accept_put(ac, loc, to, OP_SET, type_is_float(t->scalar)
                                                   ? expr_float(ac->a, t->scalar, 0)
                                                   : expr_int(ac->a, t->scalar, 0));
    if (t->kind == CT_ARRAY && t->size && t->size->kind == A_INT)
        return zero_tail(ac, to, 0, loc);
    if (t->kind != CT_RECORD)
        return accept_refuse(ac, SC_TYPE, loc, "an initialiser of '%s' is not taken", t->text);
    if (t->is_union) {
        int n;
        const Ref *x = accept_union_elements(ac, to, loc, &n);
        for (int k = 0; x && k < n; k++)
            if (!init_zero(ac, &x[k], loc)) return false;
        return x != NULL;
    }
    for (int k = 0; k < t->nfields; k++) {
        Ref x = *to;
        if (!accept_field(ac, &x, t->fields[k].name, loc) || !init_zero(ac, &x, loc))
            return false;
    }
    return true;
}

static bool is_aggregate(const CType *t) {
    return t->kind == CT_ARRAY || t->kind == CT_RECORD;
}

static int64_t member_count(const CType *t) {
    if (t->kind == CT_RECORD)
        return t->nfields;
    return t->kind == CT_ARRAY && t->size && t->size->kind == A_INT ? t->size->i : -1;
}

static bool member(Accept *ac, const Ref *to, int64_t k, Loc loc, Ref *out) {
    *out = *to;
    return to->type->kind == CT_RECORD ? accept_field(ac, out, to->type->fields[k].name, loc)
                                       : element(ac, to, k, loc, out);
}

// Members of `to` from list's entry *at on; without braces of their own inner aggregates take
// as many entries as they have members. What is left over is zero.
static bool init_members(Accept *ac, const Ref *to, const Ast *list, int *at) {
    int64_t n = to->type->is_union ? 1 : member_count(to->type);
    if (n < 0)
        return accept_refuse(ac, SC_EXPRESSION, list->loc, "this initialiser is not taken; assign the "
                             "elements one by one");
    for (int64_t k = 0; k < n; k++) {
        Ref x;
        if (*at >= list->nkids && to->type->kind == CT_ARRAY)
            return zero_tail(ac, to, k, list->loc);
        if (!member(ac, to, k, list->loc, &x))
            return false;
        const Ast *e = *at < list->nkids ? list->kids[*at] : NULL;
        bool inner = e && is_aggregate(x.type) && e->kind != A_INIT_LIST && !is_aggregate(e->type);
        bool ok = inner ? init_members(ac, &x, list, at)
                : e ? accept_init(ac, &x, e) : init_zero(ac, &x, list->loc);
        *at += e && !inner;
        if (!ok)
            return false;
    }
    return true;
}

static bool is_designated(const Ast *e) {
    return e->kind == A_OTHER && str_eq(e->name, "designated");
}

// The number of the member that a designator names; -1: none.
static int64_t member_named(const CType *t, const Ast *by) {
    int64_t n = member_count(t);
    if (by->kind != A_FIELD)
        return by->kind == A_INT && t->kind == CT_ARRAY && by->i >= 0 && by->i < n ? by->i : -1;
    for (int64_t k = 0; k < n && t->kind == CT_RECORD; k++)
        if (str_eq(t->fields[k].name, by->name))
            return k;
    return -1;
}

// { .y = 1, [2] = 5, 6 }: all is zero but what is named.
static bool init_designated(Accept *ac, const Ref *to, const Ast *list) {
    int64_t next = 0;
    if (!init_zero(ac, to, list->loc))
        return false;
    for (int k = 0; k < list->nkids; k++) {
        const Ast *e = list->kids[k];
        int depth = is_designated(e) ? e->nkids - 1 : 0;
        Ref x = *to;
        for (int d = 0; d < depth; d++) {
            int64_t at = member_named(x.type, accept_strip(e->kids[d]));
            Ref outer = x;
            if (at < 0 || !member(ac, &outer, at, e->loc, &x))
                return accept_refuse(ac, SC_EXPRESSION, e->loc, "this designator is not taken");
            next = d == 0 ? at : next;
        }
        bool follows = k + 1 < list->nkids && !is_designated(list->kids[k + 1]);
        if (next >= member_count(to->type) || (depth > 1 && follows) ||
            (!depth && !member(ac, to, next, e->loc, &x)))
            return accept_refuse(ac, SC_EXPRESSION, e->loc, "a designator must be written here");
        const Ast *value = depth ? e->kids[depth] : e;
        if (is_aggregate(x.type) && value->kind != A_INIT_LIST && !is_aggregate(value->type))
            return accept_refuse(ac, SC_EXPRESSION, e->loc, "inner braces must be written here");
        if (!accept_init(ac, &x, value))
            return false;
        next++;
    }
    return true;
}

static bool init_list(Accept *ac, const Ref *to, const Ast *init) {
    for (int k = 0; k < init->nkids; k++)
        if (is_designated(init->kids[k]))
            return init_designated(ac, to, init);
    int at = 0;
    if (!init_members(ac, to, init, &at))
        return false;
    return at >= init->nkids || accept_refuse(ac, SC_EXPRESSION, init->loc, "this initialiser is not "
                                              "taken; assign the elements one by one");
}

// The number of a character that clang prints as itself or behind a backslash.
static int character(const char **at) {
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    const char *s = *at;
    int c = (unsigned char)*s++;
    if (c == '\\' && (*s == 'x' || (*s >= '0' && *s <= '7'))) {
        bool hex = *s == 'x';
        char digits[4] = {0};
        for (int k = 0; k < (hex ? 2 : 3); k++) {
            char d = s[hex + k];
            if (!(hex ? isxdigit((unsigned char)d) : d >= '0' && d <= '7')) break;
            digits[k] = d;
        }
        c = (int)strtol(digits, NULL, hex ? 16 : 8);
        s += hex + strlen(digits);
    } else if (c == '\\' && *s) {
        const char *name = strchr(names, *s);
        c = name ? values[name - names] : (unsigned char)*s;
        s++;
    }
    *at = s;
    return c;
}

// char t[8] = "text"; false: text of wider characters, or more than t holds.
static bool init_text(Accept *ac, const Ref *to, const Ast *e) {
    const CType *t = to->type;
    int64_t n = member_count(t), k = 0;
    const char *s = e->name && e->name[0] == '"' && t->of->bytes == 1 ? e->name + 1 : "";
    const char *end = s + strlen(s) - 1;
    for (; *s && s < end; k++) {
        Ref x;
        Expr *c = expr_int(ac->a, t->of->scalar, value_wrap(t->of->scalar, character(&s)));
        if (k >= n || !element(ac, to, k, e->loc, &x) || !accept_put(ac, e->loc, &x, OP_SET, c)) return false;
    }
    return s == end && zero_tail(ac, to, k, e->loc);
}

bool accept_init(Accept *ac, const Ref *to, const Ast *init) {
    const CType *t = to->type;
    if (t->kind == CT_SCALAR) {
        Expr *x = accept_value(ac, init);
        return x && accept_put(ac, init->loc, to, OP_SET, x) && accept_after(ac);
    }
    if (t->kind == CT_POINTER) {
        Ref target;
        if (!to->object->block || to->ndims > 0)
            return accept_refuse(ac, SC_POINTER, init->loc, "a pointer is stored in an array");
        if (!accept_pointer(ac, init, &target))
            return false;
        vec_push(ac->a, &to->object->pointers, target);
        vec_push(ac->a, &to->object->fields, to->path);
        return true;
    }
    if (t->kind == CT_RECORD && t->is_wide) return accept_wide_init(ac, to, init) && accept_after(ac);
    if (t->kind == CT_RECORD && t->is_complex)
        return accept_complex_init(ac, to, init) && accept_after(ac);
    const Ast *e = accept_literal(init);
    if (accept_is_lambda(e)) return accept_lambda(ac, e);
    if (e->kind == A_INIT_LIST && is_aggregate(t))
        return init_list(ac, to, e);
    if (e->kind == A_STRING && t->kind == CT_ARRAY && init_text(ac, to, e)) return true;
    if (t->kind != CT_RECORD)
        return accept_refuse(ac, SC_TYPE, init->loc, "an initialiser of '%s' is not taken", t->text);
    Ref from;
    return accept_place(ac, e, &from) && accept_copy(ac, to, &from, init->loc);
}

// ---- assignments -------------------------------------------------------------------------------
// p = &a[i]: from here to the end of the block p is another name of that place.
static bool set_pointer(Accept *ac, const Ast *e) {
    const Ast *p = e->kids[0];
    Ref target;
    if (p->kind != A_REF || e->op != OP_SET)
        return accept_refuse(ac, SC_POINTER, e->loc, "a pointer is changed inside the loop; use the "
                             "array with a computed subscript");
    if (!accept_pointer(ac, e->kids[1], &target) || !accept_retype(ac, &target, p->type->of, e->loc))
        return false;
    accept_flatten(ac, &target);
    for (int k = 0; k < target.ndims; k++)
        if (!(target.dim[k].sub = accept_freeze(ac, target.dim[k].sub)))
            return false;
    accept_bind(ac, p->decl, BIND_POINTER, NULL, &target);
    ac->env.at[ac->env.n - 1].again = true;
    return accept_track(ac, &ac->env.at[ac->env.n - 1], e->loc);
}

static bool is_update(Op op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR;
}

// -x, with the sign moved into a product, which is exact and keeps it a product.
Expr *accept_negated(Accept *ac, Expr *x) {
    if (x->kind == E_OP && x->op == OP_MUL && type_is_float(x->type))
        return expr_op(ac->a, OP_MUL, expr_op(ac->a, OP_NEG, x->args[0], NULL, NULL), x->args[1], NULL);
    return expr_op(ac->a, OP_NEG, x, NULL, NULL);
}

// lhs = (type of lhs) ((compute) lhs op rhs)
static bool spelled_out(Accept *ac, Loc loc, const Ref *lhs, Op op, Type compute, Expr *rhs) {
    Expr *old = accept_load(ac, lhs, loc);
    if (!old)
        return false;
    old = accept_convert(ac, compute, old);
    rhs = accept_convert(ac, compute, rhs);
    return accept_put(ac, loc, lhs, OP_SET, expr_op(ac->a, op, old, rhs, NULL));
}

static bool change(Accept *ac, Loc loc, const Ref *lhs, Op op, Type compute, Expr *rhs) {
    Type t = lhs->type->scalar;
    if (compute != t || !is_update(op))
        return spelled_out(ac, loc, lhs, op, compute, rhs);
    rhs = accept_convert(ac, t, rhs);
    if (op == OP_SUB)
        return accept_put(ac, loc, lhs, OP_ADD, accept_negated(ac, rhs));
    return accept_put(ac, loc, lhs, op, rhs);
}

bool accept_assign(Accept *ac, const Ast *e, Ref *lhs) {
    if (accept_is_pointer(e->kids[0]) || e->kids[0]->type->kind == CT_POINTER) {
        *lhs = (Ref){.type = e->kids[0]->type, .path = ""};
        return accept_moved(e) ? accept_move(ac, e) : set_pointer(ac, e);
    }
    bool real = e->kids[0]->type->kind == CT_SCALAR;
    if (accept_is_complex(e->kids[0]) || (real && accept_is_complex(e->kids[1])))
        return accept_complex_assign(ac, e, lhs);
    if (accept_is_wide(e->kids[0]) || accept_is_wide(e->kids[1])) return accept_wide_assign(ac, e, lhs);
    if (e->kids[0]->type->kind == CT_RECORD) {
        Ref from;
        const Ast *right = e->kids[1];
        return accept_place(ac, right, &from) && accept_place(ac, e->kids[0], lhs) &&
               accept_copy(ac, lhs, &from, e->loc);
    }
    Expr *rhs = accept_value(ac, e->kids[1]);
    if (!rhs || !accept_place(ac, e->kids[0], lhs))
        return false;
    if (lhs->type->kind != CT_SCALAR)
        return accept_refuse(ac, SC_TYPE, e->loc, "an assignment to '%s' is not taken", lhs->type->text);
    if (e->op == OP_SET)
        return accept_put(ac, e->loc, lhs, OP_SET, rhs);
    Type compute = e->compute ? e->compute->scalar : lhs->type->scalar;
    return change(ac, e->loc, lhs, e->op, compute, rhs);
}

bool accept_incdec(Accept *ac, const Ast *e, Ref *lhs) {
    if (accept_is_complex(e->kids[0])) {
        Ref im, re;
        Type t = e->type->fields[0].type->scalar;
        return accept_place(ac, e->kids[0], lhs) && accept_parts(ac, lhs, e->loc, &re, &im) &&
               accept_put(ac, e->loc, &re, OP_ADD, expr_float(ac->a, t, e->op == OP_ADD ? 1 : -1));
    }
    if (accept_is_wide(e->kids[0])) return accept_wide_step(ac, e, lhs);
    if (e->kids[0]->type->kind != CT_SCALAR) {
        *lhs = (Ref){.type = e->kids[0]->type, .path = ""};
        return accept_move(ac, e);
    }
    if (!accept_place(ac, e->kids[0], lhs))
        return false;
    Type t = lhs->type->scalar;
    bool wide = type_size(t) >= 4;
    Type compute = wide ? t : T_I32;
    Expr *one = type_is_float(t) ? expr_float(ac->a, t, 1) : expr_int(ac->a, compute, 1);
    return change(ac, e->loc, lhs, e->op, compute, one);
}
