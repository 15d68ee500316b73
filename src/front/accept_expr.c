// SPDX-License-Identifier: MIT
// accept_expr.c -- C expressions: scalar values, lvalues, pointers, side effects.
//
// An expression may need statements before it (an inlined call, `a = b = 0`): they go into
// the open block. Operands that need not be evaluated are read in a block of their own; if
// that stays empty the operator is kept, else it becomes an if around a temporary.
#include "front/accept.h"
#include "ir/value.h"

const Ast *accept_strip(const Ast *e) {
    while (e && e->kind == A_CAST && e->nkids > 0)
        e = e->kids[0];
    return e;
}

// The list in (struct s){ … }, which clang shows in a node of its own; else e without casts.
const Ast *accept_literal(const Ast *e) {
    e = accept_strip(e);
    bool compound = e->kind == A_OTHER && str_eq(e->name, "CompoundLiteralExpr") && e->nkids > 0;
    return compound ? e->kids[e->nkids - 1] : e;
}

static Expr *zero_of(Accept *ac, Type t) {
    return type_is_float(t) ? expr_float(ac->a, t, 0) : expr_int(ac->a, t, 0);
}

static bool is_truth(const Expr *x) {
    if (x->kind != E_OP || x->type != T_I32)
        return false;
    switch (x->op) {
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
    case OP_LAND: case OP_LOR: case OP_LNOT: return true;
    default: return false;
    }
}

static Expr *truth_of(Accept *ac, Expr *x) {
    if (!x || is_truth(x))
        return x;
    return expr_op(ac->a, OP_NE, x, zero_of(ac, x->type), NULL);
}

// (int)(char)i of a counter i that is a char: it never leaves its type's range.
Expr *accept_counted(const Accept *ac, Expr *x) {
    for (int k = 0; k < ac->small.n; k++)
        if (expr_equal(x, ac->small.at[k])) return x->args[0];
    return x;
}

// Sums and differences that the program can compute ahead, of which a number does not fit the type t.
static bool wraps_surely(const Expr *x, Type t, bool *large) {
    bool plain = x->kind == E_SYM || x->kind == E_INT || x->kind == E_CAST ||
                 (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG));
    *large |= x->kind == E_INT && value_wrap(t, x->i) != x->i;
    for (int k = 0; plain && k < x->nargs; k++) plain = wraps_surely(x->args[k], t, large);
    return plain && type_is_int(x->type);
}

// (int)(n + 2147483648): what C makes of it is a parameter, for it is no sum of whole numbers.
static Expr *wrapped(Accept *ac, Expr *x) {
    bool large = false, narrows = x->kind == E_CAST && type_is_int(x->type) && x->type != T_BOOL &&
                                  type_size(x->type) < type_size(x->args[0]->type);
    if (ac->kernel || !narrows || !wraps_surely(x->args[0], x->type, &large) || !large) return x;
    const char *text = accept_source(ac->a, x);
    return text ? accept_param(ac, text, "wrapped", x->type) : x;
}

Expr *accept_convert(Accept *ac, Type t, Expr *x) {
    if (!x || x->type == t)
        return x;
    if (type_size(t) >= 4)
        x = accept_counted(ac, x);
    if (type_is_int(t) && t != T_BOOL && x->type == T_F64) {
        Expr *whole = accept_whole(ac->a, x);
        bool fits = whole && (whole->kind != E_INT || value_wrap(t, whole->i) == whole->i);
        x = fits ? whole : x;
    }
    x = expr_cast(ac->a, t, t == T_BOOL ? truth_of(ac, x) : x);
    if (!ac->kernel && type_is_int(t) && x->kind == E_CAST && x->args[0]->kind == E_FLOAT)
        return accept_refuse(ac, SC_EXPRESSION, ac->loc,
                             "a constant does not fit the type '%s' that it is converted to; "
                             "C does not say what comes of that", ast_scalar_text(t));
    return wrapped(ac, x);
}

// A variable of the open block that holds x from now on.
static bool keep(Accept *ac, Expr *x, Ref *out) {
    accept_local(ac, "t", ast_scalar(ac->a, x->type), ac->block, out);
    return accept_put(ac, ac->loc, out, OP_SET, x);
}

Expr *accept_freeze(Accept *ac, Expr *x) {
    Ref r;
    if (!x || !expr_has_load(x))
        return x;
    return keep(ac, x, &r) ? accept_load(ac, &r, ac->loc) : NULL;
}

// ---- operands that need not be evaluated ---------------------------------------------------
static Expr *value_apart(Accept *ac, const Ast *e, bool truth, Block *b) {
    accept_open(ac, b);
    ac->conditional++;
    Expr *x = truth ? accept_truth(ac, e) : accept_value(ac, e);
    ac->conditional--;
    ac->block = b->up;
    return x;
}

// if (cond) { x's statements; t = x } else { y's statements; t = y }
static Expr *branch(Accept *ac, Expr *cond, Block *bx, Expr *x, Block *by, Expr *y) {
    Ref t;
    accept_local(ac, "t", ast_scalar(ac->a, x->type), ac->block, &t);
    Block *blocks[2] = {bx, by};
    Expr *values[2] = {x, y};
    Node *sides[2];
    for (int k = 0; k < 2; k++) {
        blocks[k]->up = ac->block;
        ac->block = blocks[k];
        bool ok = accept_put(ac, ac->loc, &t, OP_SET, accept_convert(ac, x->type, values[k]));
        sides[k] = accept_close(ac, blocks[k]);
        if (!ok)
            return NULL;
    }
    Node *n = node_if(ac->a, cond, sides[0], sides[1]);
    n->loc = ac->loc;
    vec_push(ac->a, &ac->block->nodes, n);
    return accept_load(ac, &t, ac->loc);
}

// a < b ? a : b and its kin; for floats only the forms that mean OP_MIN and OP_MAX with
// NaN and the two zeros too (y < x ? y : x, y > x ? y : x).
static Expr *min_max(Accept *ac, const Expr *c, Expr *x, Expr *y) {
    if (c->kind != E_OP || c->nargs != 2 || expr_has_load(c) != (expr_has_load(x) || expr_has_load(y)))
        return NULL;
    bool straight = expr_equal(c->args[0], x) && expr_equal(c->args[1], y);
    bool crossed = expr_equal(c->args[0], y) && expr_equal(c->args[1], x);
    bool ints = type_is_int(x->type);
    if ((!straight && !crossed) || x->type != y->type)
        return NULL;
    bool less = c->op == OP_LT || (ints && c->op == OP_LE);
    bool more = c->op == OP_GT || (ints && c->op == OP_GE);
    if (!less && !more)
        return NULL;
    return expr_op(ac->a, less == straight ? OP_MIN : OP_MAX, y, x, NULL);
}

static Expr *choose(Accept *ac, const Ast *e) {
    int before = ac->after.n;
    Expr *c = accept_settle(ac, before, accept_truth(ac, e->kids[0]));
    Block bx, by;
    Expr *x = c ? value_apart(ac, e->kids[1], false, &bx) : NULL;
    Expr *y = x ? value_apart(ac, e->kids[2], false, &by) : NULL;
    if (!y)
        return NULL;
    if (e->type->kind == CT_SCALAR) {
        x = accept_convert(ac, e->type->scalar, x);
        y = accept_convert(ac, e->type->scalar, y);
    }
    if (bx.nodes.n || by.nodes.n)
        return branch(ac, c, &bx, x, &by, y);
    Expr *m = min_max(ac, c, x, y);
    return m ? m : expr_op(ac->a, OP_SELECT, c, x, y);
}

static Expr *logical(Accept *ac, const Ast *e) {
    int before = ac->after.n;
    Expr *x = accept_settle(ac, before, accept_truth(ac, e->kids[0]));
    Block by, none = {0};
    Expr *y = x ? value_apart(ac, e->kids[1], true, &by) : NULL;
    if (!y)
        return NULL;
    if (by.nodes.n == 0)
        return expr_op(ac->a, e->op, x, y, NULL);
    if (e->op == OP_LAND)
        return branch(ac, x, &by, y, &none, expr_int(ac->a, T_I32, 0));
    return branch(ac, x, &none, expr_int(ac->a, T_I32, 1), &by, y);
}

// ---- values ------------------------------------------------------------------------------------
static bool is_pointer(const Ast *e) {
    return e->type && (e->type->kind == CT_POINTER || e->type->kind == CT_ARRAY);
}

// p, p == NULL and their kin: a parameter.
static Expr *pointer_truth(Accept *ac, const Ast *e, bool not_null) {
    Ref r;
    if (!accept_pointer(ac, e, &r))
        return NULL;
    bool base = r.text && r.steps && expr_is_int(r.dim[r.ndims - 1].sub, 0);
    if (!base)
        return accept_refuse(ac, SC_POINTER, e->loc, "a pointer is compared that changes in the loop");
    const char *source = arena_printf(ac->a, "(%s %s 0)", r.text, not_null ? "!=" : "==");
    return accept_param(ac, source, r.text, T_I32);
}

// How far two pointers are behind a place of both, in elements.
typedef struct Apart {
    Ref p, q;
    Expr *x, *y;
} Apart;

static Expr *elements(Accept *ac, const Dim *d, int64_t size, Expr *before) {
    Expr *x = expr_cast(ac->a, T_I64, d->sub);
    if (d->bytes != size) x = expr_mul(ac->a, x, expr_int(ac->a, T_I64, d->bytes / size));
    return before ? expr_add(ac->a, before, x) : x;
}

// Where both are places of one object, whose rows lie side by side; false: that can't be seen.
static bool apart_inside(Accept *ac, Apart *f) {
    const Ref *p = &f->p, *q = &f->q;
    bool one = p->object == q->object && p->ndims == q->ndims && p->steps && q->steps && p->ndims > 0 &&
               p->offset == q->offset;
    int64_t size = one ? p->dim[p->ndims - 1].bytes : 0;
    for (int k = 0; one && k < p->ndims; k++) {
        const Dim *x = &p->dim[k], *y = &q->dim[k];
        bool last = k + 1 == p->ndims, whole = size > 0 && x->bytes > 0 && x->bytes % size == 0 && !x->cast;
        one = x->bytes == y->bytes && x->cast == y->cast;
        if (!one || (!last && expr_equal(x->sub, y->sub))) continue;
        one = last || whole;
        f->x = elements(ac, x, last ? x->bytes : size, f->x);
        f->y = elements(ac, y, last ? y->bytes : size, f->y);
    }
    return one;
}

// Behind where they point to when the region begins, which C tells there; false: it can't. A distance that is
// no whole number of elements is one that no array has.
static bool apart_before(Accept *ac, Apart *f) {
    const Ref *p = &f->p, *q = &f->q;
    if (!p->text || !q->text || !p->steps || !q->steps) return false;
    int64_t size = p->dim[p->ndims - 1].bytes;
    if (size <= 0 || size != q->dim[q->ndims - 1].bytes) return false;
    const char *bytes = arena_printf(ac->a, "((const char *)(%s) - (const char *)(%s))", p->text, q->text);
    const char *source = size == 1 ? bytes
                                   : arena_printf(ac->a, "(%s %% %lld ? 9223372036854775807 : %s / %lld)",
                                                  bytes, (long long)size, bytes, (long long)size);
    Expr *far = accept_param(ac, source, arena_printf(ac->a, "%s_to_%s", q->text, p->text), T_I64);
    f->x = elements(ac, &p->dim[p->ndims - 1], size, far);
    f->y = elements(ac, &q->dim[q->ndims - 1], size, NULL);
    return true;
}

// p < q, q - p: of pointers into one array. Who subtracts pointers promises that they are.
static Expr *far_apart(Accept *ac, const Ast *e) {
    Apart f = {.x = NULL};
    bool compares = e->op >= OP_LT && e->op <= OP_NE;
    if (!is_pointer(e->kids[0]) || !is_pointer(e->kids[1]) || !accept_pointer(ac, e->kids[0], &f.p) ||
        !accept_pointer(ac, e->kids[1], &f.q))
        return accept_refuse(ac, SC_POINTER, e->loc, "arithmetic on two pointers; use subscripts");
    if (compares ? !apart_inside(ac, &f)
                 : e->op != OP_SUB || (!apart_inside(ac, &f) && !apart_before(ac, &f)))
        return accept_refuse(ac, SC_POINTER, e->loc,
                             "arithmetic on pointers into two arrays; use subscripts");
    return expr_op(ac->a, e->op, f.x, f.y, NULL);
}

static Expr *compare_pointers(Accept *ac, const Ast *e) {
    const Ast *x = accept_strip(e->kids[0]), *y = accept_strip(e->kids[1]);
    bool equality = e->op == OP_EQ || e->op == OP_NE;
    if (equality && y->kind == A_INT && y->i == 0)
        return pointer_truth(ac, x, e->op == OP_NE);
    if (equality && x->kind == A_INT && x->i == 0)
        return pointer_truth(ac, y, e->op == OP_NE);
    return far_apart(ac, e);
}

static Expr *binary(Accept *ac, const Ast *e) {
    if (e->op == OP_LAND || e->op == OP_LOR)
        return logical(ac, e);
    if (is_pointer(e->kids[0]) || is_pointer(e->kids[1]))
        return compare_pointers(ac, e);
    if (accept_is_complex(e->kids[0]) || accept_is_complex(e->kids[1])) return accept_complex_compare(ac, e);
    if (accept_is_wide(e->kids[0]) || accept_is_wide(e->kids[1])) return accept_wide_compare(ac, e);
    Expr *x = accept_value(ac, e->kids[0]);
    Expr *y = x ? accept_value(ac, e->kids[1]) : NULL;
    if (!y)
        return NULL;
    if (e->op == OP_SHL || e->op == OP_SHR)
        y = expr_cast(ac->a, x->type, y);
    if (x->type != y->type)
        return accept_refuse(ac, SC_TYPE, e->loc, "operands of two types ('%s' and '%s')",
                             type_name(x->type), type_name(y->type));
    return expr_op(ac->a, e->op, x, y, NULL);
}

static Expr *unary(Accept *ac, const Ast *e) {
    if (e->op == OP_LNOT && is_pointer(e->kids[0]))
        return pointer_truth(ac, e->kids[0], false);
    Expr *x = e->op == OP_LNOT ? accept_truth(ac, e->kids[0]) : accept_value(ac, e->kids[0]);
    return x ? expr_op(ac->a, e->op, x, NULL, NULL) : NULL;
}

// k++ as a value: the old one, the change follows.
static Expr *postfix(Accept *ac, const Ast *e) {
    Ref r;
    if (!accept_place(ac, e->kids[0], &r))
        return NULL;
    Expr *old = accept_load(ac, &r, e->loc);
    if (!old || ac->conditional) {
        old = old ? accept_freeze(ac, old) : NULL;
        return old && accept_incdec(ac, e, &r) ? old : NULL;
    }
    if (type_size(old->type) < 4 || type_is_float(old->type))
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "'++' inside an expression is only taken of "
                             "an int or wider; write it as a statement");
    After after = {r, OP_ADD, expr_int(ac->a, old->type, e->op == OP_ADD ? 1 : -1)};
    vec_push(ac->a, &ac->after, after);
    return old;
}

static Expr *changed(Accept *ac, const Ast *e) {
    Ref r;
    if (e->kind == A_INCDEC && e->postfix)
        return postfix(ac, e);
    bool ok = e->kind == A_INCDEC ? accept_incdec(ac, e, &r) : accept_assign(ac, e, &r);
    if (!ok)
        return NULL;
    const Ast *right = e->kind == A_ASSIGN && e->op == OP_SET ? e->kids[1] : NULL;
    if (right && (right->kind == A_INT || right->kind == A_FLOAT) && r.type->kind == CT_SCALAR)
        return accept_convert(ac, r.type->scalar, accept_value(ac, right));
    return accept_load(ac, &r, e->loc);
}

static Expr *cast(Accept *ac, const Ast *e) {
    if (!accept_type_ok(ac, e->type, e->loc)) return NULL;
    if (e->type->kind != CT_SCALAR || e->type->scalar == T_NONE || is_pointer(e->kids[0]))
        return accept_refuse(ac, SC_TYPE, e->loc, "a conversion %sto '%s' is not taken",
                             is_pointer(e->kids[0]) ? "of a pointer " : "", e->type->text);
    if (accept_is_wide(e->kids[0])) return accept_wide_narrow(ac, e->kids[0], e->type->scalar);
    if (accept_is_complex(e->kids[0])) {
        Complex z;
        if (e->type->scalar == T_BOOL)
            return accept_convert(ac, T_BOOL, accept_complex_truth(ac, e->kids[0]));
        return accept_complex(ac, e->kids[0], &z) ? accept_convert(ac, e->type->scalar, z.re) : NULL;
    }
    return accept_convert(ac, e->type->scalar, accept_value(ac, e->kids[0]));
}

static Expr *literal(Accept *ac, const Ast *e) {
    if (!e->type || e->type->kind != CT_SCALAR || e->type->scalar == T_NONE)
        return accept_refuse(ac, SC_TYPE, e->loc, "a constant of a type that no device has");
    Type t = e->type->scalar;
    if (type_is_float(t))
        return expr_float(ac->a, t, e->kind == A_INT ? (double)e->i : e->f);
    return expr_int(ac->a, t, e->kind == A_INT ? e->i : (int64_t)e->f);
}

// A variable of the program that never changes is its initial value.
static const Ast *constant_of(const Ast *e) {
    const Decl *d = e->decl;
    const Ast *init = d && d->is_const && d->kind == D_VAR ? d->init : NULL;
    bool literal = init && (init->kind == A_INT || init->kind == A_FLOAT);
    bool same = literal && init->type && init->type->kind == CT_SCALAR &&
                d->type->kind == CT_SCALAR && init->type->scalar == d->type->scalar;
    return same && !d->type->is_volatile ? init : NULL;
}

static Expr *reference(Accept *ac, const Ast *e) {
    const Bind *b = accept_lookup(ac, e->decl);
    if (b && b->kind == BIND_VALUE)
        return b->value;
    if (constant_of(e))
        return literal(ac, constant_of(e));
    if (!b && accept_has_decl(&ac->writes.iters, e->decl) &&
        !accept_has_decl(&ac->writes.vars, e->decl)) {
        const Final *f = accept_final(ac, e->decl);
        if (f && f->known && !f->guard)
            return f->value;
        return accept_refuse(ac, SC_ITER_WRITTEN, e->loc, "the counter '%s' is used outside of its "
                             "loop, where its value can't be told; use another variable",
                             e->decl->name);
    }
    Ref r;
    return accept_place(ac, e, &r) ? accept_load(ac, &r, e->loc) : NULL;
}

// A form of expression or of a statement that is not read, in C's words for clang's.
const char *accept_form(const Ast *e) {
    static const char *const words[][2] = {
        {"CompoundLiteralExpr", "a compound literal"},
        {"StmtExpr", "an expression ({ … })"},
        {"GenericSelectionExpr", "this _Generic"},
        {"AddrLabelExpr", "the address of a label"},
        {"InitListExpr", "a list in braces"},
        {"ImaginaryLiteral", "an imaginary number"},
        {"UnaryExpr", "sizeof of what is known at run time alone"},
        {"StringLiteral", "text"},
        {"MemberRefExpr", "this member"},
        {"CallExpr", "this call"},
        {"LambdaExpr", "a lambda expression"},
        {"GCCAsmStmt", "assembler text"},
        {"IndirectGotoStmt", "a jump to an address"},
        {"CaseStmt", "a case outside of a plain switch"},
        {"DefaultStmt", "a default outside of a plain switch"},
    };
    for (size_t k = 0; e->name && k < sizeof words / sizeof *words; k++)
        if (str_eq(words[k][0], e->name)) return words[k][1];
    return e->type ? "this form of expression" : "this form of statement";
}

Expr *accept_value(Accept *ac, const Ast *e) {
    Ref r;
    if (accept_is_wide(e))
        return accept_refuse(ac, SC_TYPE, e->loc, "a value of type '%s' is not taken here", e->type->text);
    switch (e->kind) {
    case A_INT: case A_FLOAT: return literal(ac, e);
    case A_REF: return reference(ac, e);
    case A_INDEX: case A_FIELD: case A_DEREF:
        if (e->kind == A_FIELD && accept_is_complex(e->kids[0])) return accept_complex_part(ac, e);
        return accept_place(ac, e, &r) ? accept_load(ac, &r, e->loc) : NULL;
    case A_UNARY: return unary(ac, e);
    case A_BINARY: return binary(ac, e);
    case A_COND: return choose(ac, e);
    case A_CAST: return cast(ac, e);
    case A_CALL: return accept_call_value(ac, e);
    case A_ASSIGN: case A_INCDEC: return changed(ac, e);
    case A_COMMA:
        return accept_effect(ac, e->kids[0]) && accept_after(ac) ? accept_value(ac, e->kids[1]) : NULL;
    case A_STMT_EXPR: return accept_stmt_value(ac, e);
    case A_INIT_LIST:
        if (e->nkids == 1)
            return accept_value(ac, e->kids[0]);
        break;
    case A_STRING:
        return accept_refuse(ac, SC_TYPE, e->loc, "text in a loop; move it out of the loop");
    default: break;
    }
    return accept_refuse(ac, SC_EXPRESSION, e->loc, "%s is not taken; write it with plain operators",
                         accept_form(e));
}

Expr *accept_truth(Accept *ac, const Ast *e) {
    if (accept_is_complex(e)) return accept_complex_truth(ac, e);
    if (accept_is_wide(e)) return accept_wide_truth(ac, e);
    return is_pointer(e) ? pointer_truth(ac, e, true) : truth_of(ac, accept_value(ac, e));
}

bool accept_effect(Accept *ac, const Ast *e) {
    Ref r;
    switch (e->kind) {
    case A_ASSIGN: return accept_assign(ac, e, &r);
    case A_INCDEC: return accept_incdec(ac, e, &r);
    case A_CALL: return accept_call_effect(ac, e);
    case A_COMMA:
        return accept_effect(ac, e->kids[0]) && accept_after(ac) && accept_effect(ac, e->kids[1]);
    case A_CAST:
        if (e->type->kind == CT_VOID)
            return accept_effect(ac, e->kids[0]);
        break;
    case A_INT: case A_FLOAT: case A_REF: return true;
    default: break;
    }
    return accept_value(ac, e) != NULL;
}

// ---- lvalues and pointers ---------------------------------------------------------------------
static bool place_of_ref(Accept *ac, const Ast *e, Ref *out) {
    const Bind *b = accept_lookup(ac, e->decl);
    if (b && b->kind == BIND_PLACE) {
        *out = b->ref;
        return true;
    }
    if (b && b->kind == BIND_VALUE)
        return accept_refuse(ac, SC_ITER_WRITTEN, e->loc, "'%s' counts a loop or is an argument: it "
                             "can't be changed or pointed to here", e->decl->name);
    if (b)
        return accept_refuse(ac, SC_POINTER, e->loc, "'%s' is used where its value can't be told",
                             e->decl->name);
    if (!accept_variable(ac, e->decl, e->loc, out))
        return false;
    if (e->type && e->type->kind == CT_ARRAY)
        out->type = e->type; // its size may be known here only
    return true;
}

bool accept_has_place(const Ast *e) {
    switch (e->kind) {
    case A_REF: case A_INDEX: case A_DEREF: case A_FIELD: case A_ASSIGN: return true;
    case A_CALL: return e->decl && e->decl->body;
    default: return accept_literal(e) != e && e->kind != A_CAST;
    }
}

// c ? x : y of records: a variable that is set in either of two ways.
static bool chosen_record(Accept *ac, const Ast *e, Ref *out) {
    Expr *c = accept_settle(ac, ac->after.n, accept_truth(ac, e->kids[0]));
    if (!c) return false;
    Node *sides[2];
    accept_local(ac, "t", e->type, ac->block, out);
    for (int k = 0; k < 2; k++) {
        Block b;
        accept_open(ac, &b);
        ac->conditional++;
        bool ok = accept_init(ac, out, e->kids[1 + k]) && accept_after(ac);
        ac->conditional--;
        sides[k] = accept_close(ac, &b);
        if (!ok) return false;
    }
    Node *n = node_if(ac->a, c, sides[0], sides[1]);
    n->loc = e->loc;
    vec_push(ac->a, &ac->block->nodes, n);
    return true;
}

// "0123456789abcdef"[k]: the program has the text in its memory.
static bool place_of_text(Accept *ac, const Ast *e, Ref *out) {
    if (ac->kernel || !e->name || !e->type || e->type->kind != CT_ARRAY)
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "%s is not taken here", accept_form(e));
    *out = (Ref){.object = accept_object(ac, e->name, "text", NULL), .type = e->type, .path = ""};
    return true;
}

bool accept_place(Accept *ac, const Ast *e, Ref *out) {
    if (accept_is_complex(e) && !accept_has_place(e)) return accept_complex_place(ac, e, out);
    if (accept_is_wide(e) && !accept_wide_has_place(e)) return accept_wide_place(ac, e, out);
    switch (e->kind) {
    case A_REF: return place_of_ref(ac, e, out);
    case A_INDEX: {
        if (!accept_pointer(ac, e->kids[0], out))
            return false;
        Expr *sub = accept_value(ac, e->kids[1]);
        return sub && accept_step(ac, out, sub, e->loc);
    }
    case A_DEREF: return accept_pointer(ac, e->kids[0], out);
    case A_FIELD: {
        bool base = e->arrow ? accept_pointer(ac, e->kids[0], out) : accept_place(ac, e->kids[0], out);
        return base && accept_field(ac, out, e->name, e->loc);
    }
    case A_CALL: return accept_call_place(ac, e, out);
    case A_CAST: // of a struct: a literal, or only a qualifier
        return accept_place(ac, e->kids[0], out);
    case A_INIT_LIST:
        accept_local(ac, "t", e->type, ac->block, out);
        return accept_init(ac, out, e);
    case A_STRING: return place_of_text(ac, e, out);
    case A_ASSIGN: return accept_assign(ac, e, out);
    case A_COND:
        if (e->type->kind == CT_RECORD) return chosen_record(ac, e, out);
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "a choice between arrays is not taken here");
    default:
        if (accept_is_lambda(e)) {
            accept_local(ac, "t", e->type, ac->block, out);
            return accept_lambda(ac, e);
        }
        if (accept_literal(e) != e && e->type && (e->type->kind == CT_RECORD || e->type->kind == CT_ARRAY)) {
            accept_local(ac, "t", e->type, ac->block, out);
            return accept_init(ac, out, accept_literal(e));
        }
        return accept_refuse(ac, SC_EXPRESSION, e->loc, "%s is not taken here", accept_form(e));
    }
}

static bool pointer_sum(Accept *ac, const Ast *e, Ref *out) {
    bool left = is_pointer(e->kids[0]);
    if ((e->op != OP_ADD && e->op != OP_SUB) || is_pointer(e->kids[left ? 1 : 0]))
        return accept_refuse(ac, SC_POINTER, e->loc, "arithmetic on two pointers; use subscripts");
    if (!accept_pointer(ac, e->kids[left ? 0 : 1], out))
        return false;
    Expr *by = accept_value(ac, e->kids[left ? 1 : 0]);
    if (!by)
        return false;
    if (e->op == OP_SUB) {
        Type t = type_size(by->type) < 8 ? T_I64 : by->type;
        by = by->kind == E_INT || type_is_signed(by->type) ? by : expr_cast(ac->a, t, by);
        by = expr_op(ac->a, OP_NEG, by, NULL, NULL);
    }
    return accept_step(ac, out, by, e->loc);
}

// The pointer's own place in memory is followed, or an array becomes its first element.
static bool pointer_at(Accept *ac, const Ast *e, Ref *out) {
    if (!accept_place(ac, e, out))
        return false;
    if (out->type->kind == CT_ARRAY)
        return accept_decay(ac, out, e->loc);
    if (out->type->kind == CT_POINTER)
        return accept_follow(ac, out, e->loc);
    return accept_refuse(ac, SC_POINTER, e->loc, "this is no pointer");
}

static bool pointer_variable(Accept *ac, const Ast *e, Ref *out) {
    const Bind *b = accept_lookup(ac, e->decl);
    if (b && b->kind == BIND_POINTER)
        return accept_target(ac, b, e->loc, out);
    if (b && b->kind == BIND_GONE)
        return accept_refuse(ac, SC_POINTER, e->loc, "the pointer '%s' changes in the loop and its "
                             "target here can't be told; use the array with a subscript",
                             e->decl->name);
    return pointer_at(ac, e, out);
}

// What such a function without arguments points to, like the C library's tables of characters, stays where it
// is: isalpha(c) is (*__ctype_b_loc())[c] & 1024.
static bool fixed_pointer(Accept *ac, const Ast *e, Ref *out) {
    const CType *to = e->type->of;
    const char *text = arena_printf(ac->a, "%s()", e->decl->name);
    *out = (Ref){.object = accept_object(ac, text, e->decl->name, NULL), .type = to, .path = "", .text = text,
                 .ndims = 1, .steps = true};
    out->dim[0] = (Dim){.sub = expr_int(ac->a, T_I32, 0), .bytes = to->bytes};
    return accept_type_ok(ac, to, e->loc);
}

// c ? &a[x] : &a[y] is &a[c ? x : y]: both lead into one array, along the same dims.
static bool chosen_pointer(Accept *ac, const Ast *e, Ref *out) {
    Expr *c = accept_settle(ac, ac->after.n, accept_truth(ac, e->kids[0])), *sub[2];
    Ref to[2];
    for (int k = 0; k < 2; k++) {
        Block b;
        accept_open(ac, &b);
        ac->conditional++;
        bool ok = c && accept_pointer(ac, e->kids[k + 1], &to[k]);
        ac->conditional--;
        ac->block = b.up;
        if (!ok) return false;
        accept_flatten(ac, &to[k]);
        bool steps = to[k].ndims > 0 && to[k].steps && !b.nodes.n;
        sub[k] = steps ? expr_cast(ac->a, T_I64, to[k].dim[to[k].ndims - 1].sub) : NULL;
    }
    *out = to[0];
    bool same = sub[0] && sub[1] && to[0].object == to[1].object && to[0].offset == to[1].offset &&
                to[0].ndims == to[1].ndims && to[0].type == to[1].type && str_eq(to[0].path, to[1].path);
    for (int k = 0; same && k < to[0].ndims; k++) {
        const Dim *x = &to[0].dim[k], *y = &to[1].dim[k];
        same = x->bytes == y->bytes && x->inner == y->inner && !x->cast && !y->cast &&
               (x->extent == y->extent || (x->extent && y->extent && expr_equal(x->extent, y->extent))) &&
               (k == to[0].ndims - 1 || expr_equal(x->sub, y->sub));
    }
    if (same) out->dim[out->ndims - 1].sub = expr_op(ac->a, OP_SELECT, c, sub[0], sub[1]);
    return same || accept_refuse(ac, SC_POINTER, e->loc, "a pointer is one of two that don't lead into one "
                                 "array alike; choose the value, or the subscript");
}

static bool pointer_to(Accept *ac, const Ast *e, Ref *out) {
    switch (e->kind) {
    case A_COND: return chosen_pointer(ac, e, out);
    case A_REF: return pointer_variable(ac, e, out);
    case A_INDEX: case A_FIELD: case A_DEREF: case A_STRING: return pointer_at(ac, e, out);
    case A_ADDR: return accept_place(ac, e->kids[0], out);
    case A_BINARY: return pointer_sum(ac, e, out);
    case A_CAST:
        if (e->type->kind != CT_POINTER || !is_pointer(e->kids[0]))
            break;
        return accept_pointer(ac, e->kids[0], out) && accept_retype(ac, out, e->type->of, e->loc);
    case A_ASSIGN: case A_INCDEC: return accept_move_pointer(ac, e, out);
    case A_CALL:
        if (ac->kernel)
            return accept_call_pointer(ac, e, out);
        if (e->decl && e->decl->is_const && e->nkids == 0 && e->type->kind == CT_POINTER)
            return fixed_pointer(ac, e, out);
        break;
    case A_COMMA:
        return accept_effect(ac, e->kids[0]) && accept_after(ac) && accept_pointer(ac, e->kids[1], out);
    default:
        if (accept_literal(e) != e && e->type && e->type->kind == CT_ARRAY) return pointer_at(ac, e, out);
        break;
    }
    return accept_refuse(ac, SC_POINTER, e->loc, "the target of this pointer can't be told; use the "
                         "array itself");
}

bool accept_pointer(Accept *ac, const Ast *e, Ref *out) {
    bool ok = pointer_to(ac, e, out);
    if (e->kind != A_INDEX && e->kind != A_FIELD)
        out->member = NULL; // where it goes from here is not the member's business
    return ok;
}
