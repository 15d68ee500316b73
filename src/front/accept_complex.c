// SPDX-License-Identifier: MIT
// accept_complex.c -- values of complex numbers, part by part.
//
//   x + y, ~x, c ? x : y     two expressions
//   x * y, x / y             the function that the library of complex.c has for it, inlined; where the
//                            compiler's flags leave infinities out, a*c - b*d and a*d + b*c
//   r * x, x / r             of a real r: two products, two quotients
//
// In memory a complex number is a record of two numbers (accept_ref.c). A value that has no place gets a
// variable of its own where one is asked for.
#include "front/accept.h"
#include "front/normal.h"
#include "front/plain.h"

bool accept_is_complex(const Ast *e) { return e->type && e->type->kind == CT_RECORD && e->type->is_complex; }

static Type part_type(const CType *t) { return t->fields[0].type->scalar; }

bool accept_parts(Accept *ac, const Ref *r, Loc loc, Ref *re, Ref *im) {
    *re = *im = *r;
    return accept_field(ac, re, "re", loc) && accept_field(ac, im, "im", loc);
}

bool accept_complex_load(Accept *ac, const Ref *r, Loc loc, Complex *z) {
    Ref re, im;
    return accept_parts(ac, r, loc, &re, &im) && (z->re = accept_load(ac, &re, loc)) &&
           (z->im = accept_load(ac, &im, loc));
}

static void converted(Accept *ac, Type t, Complex *z) {
    z->re = accept_convert(ac, t, z->re);
    if (z->im) z->im = accept_convert(ac, t, z->im);
}

static Expr *zero(Accept *ac, Type t) { return expr_float(ac->a, t, 0); }

static Expr *op(Accept *ac, Op o, Expr *x, Expr *y) { return expr_op(ac->a, o, x, y, NULL); }

// x * y; what is one stays.
static Expr *times(Accept *ac, Expr *x, Expr *y) {
    if (x->kind == E_FLOAT && x->f == 1) return y;
    if (y->kind == E_FLOAT && y->f == 1) return x;
    return op(ac, OP_MUL, x, y);
}

// An expression that may stand twice in the text: a place in memory, a number, with another sign perhaps.
static bool is_cheap(const Expr *x) {
    while ((x->kind == E_OP && x->op == OP_NEG) || x->kind == E_CAST) x = x->args[0];
    for (int k = 0; x->kind == E_LOAD && k < x->nargs; k++)
        if (expr_has_load(x->args[k])) return false;
    return x->kind != E_OP && x->kind != E_CALL;
}

static bool cheapen(Accept *ac, Expr **x) {
    Ref t;
    if (!*x || is_cheap(*x)) return *x != NULL;
    accept_local(ac, "t", ast_scalar(ac->a, (*x)->type), ac->block, &t);
    return accept_put(ac, ac->loc, &t, OP_SET, *x) && (*x = accept_load(ac, &t, ac->loc));
}

static bool both_cheap(Accept *ac, Complex *z) {
    return cheapen(ac, &z->re) && (!z->im || cheapen(ac, &z->im));
}

// ---- operators -----------------------------------------------------------------------------------------
static bool plus(Accept *ac, Op o, const Complex *x, const Complex *y, Complex *z) {
    z->re = op(ac, o, x->re, y->re);
    if (x->im && y->im)
        z->im = op(ac, o, x->im, y->im);
    else if (x->im)
        z->im = x->im;
    else
        z->im = o == OP_SUB ? op(ac, OP_NEG, y->im, NULL) : y->im;
    return true;
}

static bool by_function(Accept *ac, const Ast *e, const Complex *x, const Complex *y, Complex *z) {
    Expr *args[4] = {x->re, x->im, y->re, y->im};
    Ref r;
    return accept_call_with(ac, e, e->decl, 4, args, &r) && accept_complex_load(ac, &r, e->loc, z);
}

static bool product(Accept *ac, const Ast *e, Complex *x, Complex *y, Complex *z) {
    if (!x->im || !y->im) {
        Complex *whole = x->im ? x : y;
        Expr *real = x->im ? y->re : x->re;
        if (!cheapen(ac, &real)) return false;
        bool first = whole == y;
        z->re = first ? times(ac, real, whole->re) : times(ac, whole->re, real);
        z->im = first ? times(ac, real, whole->im) : times(ac, whole->im, real);
        return true;
    }
    if (!both_cheap(ac, x) || !both_cheap(ac, y)) return false;
    if (e->decl) return by_function(ac, e, x, y, z);
    z->re = op(ac, OP_SUB, times(ac, x->re, y->re), times(ac, x->im, y->im));
    z->im = op(ac, OP_ADD, times(ac, x->re, y->im), times(ac, x->im, y->re));
    return true;
}

static bool quotient(Accept *ac, const Ast *e, Complex *x, Complex *y, Complex *z) {
    if (!y->im) {
        if (!cheapen(ac, &y->re)) return false;
        z->re = op(ac, OP_DIV, x->re, y->re);
        z->im = op(ac, OP_DIV, x->im, y->re);
        return true;
    }
    if (!x->im) x->im = zero(ac, x->re->type);
    if (!e->decl) return accept_refuse(ac, SC_TYPE, e->loc, "this quotient of complex numbers is not taken");
    return both_cheap(ac, x) && both_cheap(ac, y) && by_function(ac, e, x, y, z);
}

// x op y, computed in parts of the type t.
static bool accept_complex_op(Accept *ac, const Ast *e, Type t, Complex *x, Complex *y, Complex *z) {
    converted(ac, t, x), converted(ac, t, y);
    switch (e->op) {
    case OP_ADD:
    case OP_SUB: return plus(ac, e->op, x, y, z);
    case OP_MUL: return product(ac, e, x, y, z);
    case OP_DIV: return quotient(ac, e, x, y, z);
    default: return accept_refuse(ac, SC_TYPE, e->loc, "this operator of complex numbers is not taken");
    }
}

static bool binary(Accept *ac, const Ast *e, Complex *z) {
    Complex x, y;
    return accept_complex(ac, e->kids[0], &x) && accept_complex(ac, e->kids[1], &y) &&
           accept_complex_op(ac, e, part_type(e->type), &x, &y, z);
}

Expr *accept_complex_compare(Accept *ac, const Ast *e) {
    Complex z[2];
    if (e->op != OP_EQ && e->op != OP_NE)
        return accept_refuse(ac, SC_TYPE, e->loc, "this operator of complex numbers is not taken");
    if (!accept_complex(ac, e->kids[0], &z[0]) || !accept_complex(ac, e->kids[1], &z[1])) return NULL;
    Type t = z[0].re->type == T_F64 || z[1].re->type == T_F64 ? T_F64 : T_F32;
    for (int k = 0; k < 2; k++) {
        converted(ac, t, &z[k]);
        if (!z[k].im) z[k].im = zero(ac, t);
    }
    return op(ac, e->op == OP_EQ ? OP_LAND : OP_LOR, op(ac, e->op, z[0].re, z[1].re),
              op(ac, e->op, z[0].im, z[1].im));
}

Expr *accept_complex_truth(Accept *ac, const Ast *e) {
    Complex z;
    if (!accept_complex(ac, e, &z)) return NULL;
    Expr *nil = zero(ac, z.re->type);
    return op(ac, OP_LOR, op(ac, OP_NE, z.re, nil), op(ac, OP_NE, z.im, nil));
}

static bool unary(Accept *ac, const Ast *e, Complex *z) {
    if (!accept_complex(ac, e->kids[0], z)) return false;
    z->im = op(ac, OP_NEG, z->im, NULL);
    if (e->op == OP_NEG) z->re = op(ac, OP_NEG, z->re, NULL);
    return e->op == OP_NEG || e->op == OP_NOT ||
           accept_refuse(ac, SC_TYPE, e->loc, "this operator of complex numbers is not taken");
}

static bool cast(Accept *ac, const Ast *e, Complex *z) {
    if (!accept_complex(ac, e->kids[0], z)) return false;
    converted(ac, part_type(e->type), z);
    if (!z->im) z->im = zero(ac, z->re->type);
    return z->re != NULL;
}

// ---- choices -------------------------------------------------------------------------------------------
static bool side(Accept *ac, const Ast *e, const CType *t, Block *b, Complex *z) {
    accept_open(ac, b);
    ac->conditional++;
    bool ok = accept_complex(ac, e, z);
    if (ok) converted(ac, part_type(t), z);
    if (ok && !z->im) z->im = zero(ac, z->re->type);
    ac->conditional--;
    ac->block = b->up;
    return ok;
}

// if (c) { statements of x; t = x } else { statements of y; t = y }
static bool branch(Accept *ac, Expr *c, Block *sides, const Complex *x, const Ast *e, Complex *z) {
    Ref t, re, im;
    Node *nodes[2];
    accept_local(ac, "t", e->type, ac->block, &t);
    if (!accept_parts(ac, &t, e->loc, &re, &im)) return false;
    for (int k = 0; k < 2; k++) {
        sides[k].up = ac->block;
        ac->block = &sides[k];
        bool ok =
            accept_put(ac, ac->loc, &re, OP_SET, x[k].re) && accept_put(ac, ac->loc, &im, OP_SET, x[k].im);
        nodes[k] = accept_close(ac, &sides[k]);
        if (!ok) return false;
    }
    Node *n = node_if(ac->a, c, nodes[0], nodes[1]);
    n->loc = ac->loc;
    vec_push(ac->a, &ac->block->nodes, n);
    return accept_complex_load(ac, &t, e->loc, z);
}

static bool choose(Accept *ac, const Ast *e, Complex *z) {
    Expr *c = accept_settle(ac, ac->after.n, accept_truth(ac, e->kids[0]));
    Block b[2];
    Complex x[2];
    if (!c || !side(ac, e->kids[1], e->type, &b[0], &x[0]) || !side(ac, e->kids[2], e->type, &b[1], &x[1]))
        return false;
    if (b[0].nodes.n || b[1].nodes.n) return branch(ac, c, b, x, e, z);
    if (!cheapen(ac, &c)) return false;
    z->re = expr_op(ac->a, OP_SELECT, c, x[0].re, x[1].re);
    z->im = expr_op(ac->a, OP_SELECT, c, x[0].im, x[1].im);
    return true;
}

// ---- values --------------------------------------------------------------------------------------------
static bool changed(Accept *ac, const Ast *e, Complex *z) {
    Ref r;
    if (e->kind == A_INCDEC && e->postfix)
        return accept_refuse(ac, SC_EXPRESSION, e->loc,
                             "'++' of a complex number inside an expression; write it "
                             "as a statement");
    bool ok = e->kind == A_INCDEC ? accept_incdec(ac, e, &r) : accept_assign(ac, e, &r);
    return ok && accept_complex_load(ac, &r, e->loc, z);
}

bool accept_complex(Accept *ac, const Ast *e, Complex *z) {
    Ref r;
    z->im = NULL;
    if (!accept_is_complex(e)) return (z->re = accept_value(ac, e)) != NULL;
    switch (e->kind) {
    case A_BINARY: return binary(ac, e, z);
    case A_UNARY: return unary(ac, e, z);
    case A_CAST: return cast(ac, e, z);
    case A_COND: return choose(ac, e, z);
    case A_CALL: return accept_call_complex(ac, e, z);
    case A_ASSIGN:
    case A_INCDEC: return changed(ac, e, z);
    case A_COMMA:
        return accept_effect(ac, e->kids[0]) && accept_after(ac) && accept_complex(ac, e->kids[1], z);
    case A_STMT_EXPR: return accept_stmt_complex(ac, e, z);
    case A_INIT_LIST:
        if (e->nkids == 1 && accept_complex(ac, e->kids[0], z)) {
            converted(ac, part_type(e->type), z);
            if (!z->im) z->im = zero(ac, z->re->type);
            return true;
        }
        if (e->nkids != 2) break;
        return (z->re = accept_value(ac, e->kids[0])) && (z->im = accept_value(ac, e->kids[1]));
    default: break;
    }
    if (!accept_has_place(e))
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "%s is not taken; write it with plain operators",
                             accept_form(e));
    return accept_place(ac, e, &r) && accept_complex_load(ac, &r, e->loc, z);
}

// Where the imaginary part is computed from the place of the real part, it is computed first.
static bool accept_complex_put(Accept *ac, Loc loc, const Ref *to, Op o, Complex *z) {
    Ref re, im;
    Expr **sub;
    if (!accept_parts(ac, to, loc, &re, &im)) return false;
    const Array *v = accept_array(ac, &re, &sub, loc);
    if (!v || (expr_may_read(z->im, v) && !(z->im = accept_freeze(ac, z->im)))) return false;
    return accept_put(ac, loc, &re, o, z->re) && accept_put(ac, loc, &im, o, z->im);
}

bool accept_complex_init(Accept *ac, const Ref *to, const Ast *e) {
    Complex z;
    if (!accept_complex(ac, e, &z)) return false;
    converted(ac, part_type(to->type), &z);
    if (!z.im) z.im = zero(ac, z.re->type);
    return accept_complex_put(ac, e->loc, to, OP_SET, &z);
}

// A variable of the open block that holds a value without a place.
bool accept_complex_place(Accept *ac, const Ast *e, Ref *out) {
    accept_local(ac, "t", e->type, ac->block, out);
    return accept_complex_init(ac, out, e);
}

// One part of a value without a place: creal(x * y).
Expr *accept_complex_part(Accept *ac, const Ast *e) {
    Complex z;
    const Ast *whole = e->kids[0];
    bool read =
        whole->kind == A_REF || whole->kind == A_INDEX || whole->kind == A_DEREF || whole->kind == A_FIELD;
    Ref r;
    if (read || e->arrow) return accept_place(ac, e, &r) ? accept_load(ac, &r, e->loc) : NULL;
    return !accept_complex(ac, whole, &z) ? NULL : str_eq(e->name, "im") ? z.im : z.re;
}

// ---- assignments ---------------------------------------------------------------------------------------
// x = y, x op= y: x, y or both are complex.
bool accept_complex_assign(Accept *ac, const Ast *e, Ref *lhs) {
    Complex x, y, z;
    const CType *to = e->kids[0]->type, *compute = e->compute;
    if (!accept_complex(ac, e->kids[1], &y) || !accept_place(ac, e->kids[0], lhs)) return false;
    bool whole = to->kind == CT_RECORD;
    Type t = whole ? part_type(to) : to->scalar;
    if (e->op != OP_SET) {
        bool same = whole && part_type(compute) == t;
        if (same && (e->op == OP_ADD || e->op == OP_SUB)) { // an update of each part
            converted(ac, t, &y);
            if (e->op == OP_SUB) y.re = accept_negated(ac, y.re);
            if (e->op == OP_SUB && y.im) y.im = accept_negated(ac, y.im);
            Ref re, im;
            if (y.im) return accept_complex_put(ac, e->loc, lhs, OP_ADD, &y);
            return accept_parts(ac, lhs, e->loc, &re, &im) && accept_put(ac, e->loc, &re, OP_ADD, y.re);
        }
        if (same && e->op == OP_MUL && !y.im) {
            Ref re, im;
            converted(ac, t, &y);
            return cheapen(ac, &y.re) && (y.im = y.re) && accept_parts(ac, lhs, e->loc, &re, &im) &&
                   accept_complex_put(ac, e->loc, lhs, OP_MUL, &y);
        }
        x.im = NULL;
        bool ok =
            whole ? accept_complex_load(ac, lhs, e->loc, &x) : (x.re = accept_load(ac, lhs, e->loc)) != NULL;
        if (!ok || !accept_complex_op(ac, e, part_type(compute), &x, &y, &z)) return false;
        y = z;
    }
    converted(ac, t, &y);
    if (!whole) return accept_put(ac, e->loc, lhs, OP_SET, y.re);
    if (!y.im) y.im = zero(ac, t);
    return accept_complex_put(ac, e->loc, lhs, OP_SET, &y);
}
