// SPDX-License-Identifier: MIT
// expr.c -- expressions: clang's cursors to Ast.
//
// clang has already inserted every implicit conversion; libclang shows it as an unexposed
// node with one child, the same extent and another type. Those that change a scalar's type
// stay (A_CAST), the others (value of an object, array to pointer, const added) vanish.
#include "ir/value.h"
#include "parse/reader.h"
#include <string.h>

static bool evaluate_int(CXCursor x, int64_t *value) {
    CXEvalResult e = clang_Cursor_Evaluate(x);
    if (!e) return false;
    bool is_int = clang_EvalResult_getKind(e) == CXEval_Int;
    if (is_int)
        *value = clang_EvalResult_isUnsignedInt(e) ? (int64_t)clang_EvalResult_getAsUnsigned(e)
                                                   : (int64_t)clang_EvalResult_getAsLongLong(e);
    clang_EvalResult_dispose(e);
    return is_int;
}

static bool evaluate_float(CXCursor x, double *value) {
    CXEvalResult e = clang_Cursor_Evaluate(x);
    if (!e) return false;
    bool is_float = clang_EvalResult_getKind(e) == CXEval_Float;
    if (is_float) *value = clang_EvalResult_getAsDouble(e);
    clang_EvalResult_dispose(e);
    return is_float;
}

static bool is_scalar(const Ast *x) { return x->type && x->type->kind == CT_SCALAR; }
static bool is_int(const Ast *x) { return is_scalar(x) && type_is_int(x->type->scalar); }

// ---- folding ---------------------------------------------------------------------------
static bool compare(Op op, bool less, bool equal) {
    switch (op) {
    case OP_LT: return less;
    case OP_LE: return less || equal;
    case OP_GT: return !less && !equal;
    case OP_GE: return !less;
    case OP_EQ: return equal;
    default: return !equal;
    }
}

static bool divide(Op op, Type t, int64_t x, int64_t y, int64_t *out) {
    if (y == 0 || (x == INT64_MIN && y == -1)) return false;
    if (type_is_signed(t)) *out = op == OP_DIV ? x / y : x % y;
    else *out = (int64_t)(op == OP_DIV ? (uint64_t)x / (uint64_t)y : (uint64_t)x % (uint64_t)y);
    return true;
}

static bool shift(Op op, Type t, int64_t x, int64_t y, int64_t *out) {
    if (y < 0 || y >= 8 * type_size(t)) return false;
    if (op == OP_SHL) *out = (int64_t)((uint64_t)x << y);
    else *out = type_is_signed(t) ? x >> y : (int64_t)((uint64_t)x >> y);
    return true;
}

// x op y, both of type t. False: not for compile time.
static bool fold(Op op, Type t, int64_t x, int64_t y, int64_t *out) {
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    bool less = type_is_signed(t) ? x < y : a < b;
    switch (op) {
    case OP_ADD: *out = (int64_t)(a + b); return true;
    case OP_SUB: *out = (int64_t)(a - b); return true;
    case OP_MUL: *out = (int64_t)(a * b); return true;
    case OP_AND: *out = x & y; return true;
    case OP_OR: *out = x | y; return true;
    case OP_XOR: *out = x ^ y; return true;
    case OP_DIV: case OP_MOD: return divide(op, t, x, y, out);
    case OP_SHL: case OP_SHR: return shift(op, t, x, y, out);
    case OP_LAND: *out = x && y; return true;
    case OP_LOR: *out = x || y; return true;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
        *out = compare(op, less, x == y);
        return true;
    default: return false;
    }
}

static Ast *make_int(Ast *n, int64_t v) {
    n->kind = A_INT;
    n->i = value_wrap(n->type->scalar, v);
    n->nkids = 0;
    return n;
}

static Ast *fold_binary(Ast *n) {
    Ast *x = n->kids[0], *y = n->kids[1];
    int64_t v;
    if (x->kind != A_INT || y->kind != A_INT || !is_int(n)) return n;
    return fold(n->op, x->type->scalar, x->i, y->i, &v) ? make_int(n, v) : n;
}

static Ast *fold_unary(Ast *n) {
    Ast *x = n->kids[0];
    if (!is_scalar(n)) return n;
    if (x->kind == A_FLOAT && n->op == OP_NEG && type_is_float(n->type->scalar)) {
        n->kind = A_FLOAT;
        n->f = -x->f;
        n->nkids = 0;
        return n;
    }
    if (x->kind != A_INT || !is_int(n)) return n;
    return make_int(n, n->op == OP_NEG ? (int64_t)(0 - (uint64_t)x->i)
                       : n->op == OP_NOT ? ~x->i : !x->i);
}

// ---- conversions -----------------------------------------------------------------------
static Ast *convert_literal(Reader *r, Ast *x, const CType *t) {
    bool to_float = type_is_float(t->scalar);
    Ast *n = NEW_AS(r->a, Ast, *x);
    n->type = t;
    if (x->kind == A_INT && !to_float) return make_int(n, t->scalar == T_BOOL ? x->i != 0 : x->i);
    if (x->kind == A_FLOAT && !to_float) return NULL;
    double v = x->kind == A_FLOAT ? x->f : x->type->scalar == T_U64 ? (double)(uint64_t)x->i
                                                                   : (double)x->i;
    if (x->kind == A_INT && t->scalar == T_F32) // one rounding, not two
        v = x->type->scalar == T_U64 ? (double)(float)(uint64_t)x->i : (double)(float)x->i;
    n->kind = A_FLOAT;
    n->f = t->scalar == T_F32 ? (double)(float)v : v;
    return n;
}

Ast *cast_to(Reader *r, Ast *x, const CType *t, bool written) {
    const CType *from = x->type;
    if (!from || !t) return x;
    if (t->kind == CT_SCALAR && from->kind == CT_SCALAR) {
        if (t->scalar == from->scalar) return x;
        Ast *n = x->kind == A_INT || x->kind == A_FLOAT ? convert_literal(r, x, t) : NULL;
        return n ? n : ast_make(r->a, A_CAST, x, t, 1, &x);
    }
    bool decays = t->kind == CT_POINTER && (from->kind == CT_ARRAY || from->kind == CT_FUNCTION);
    if (decays && (from->kind == CT_FUNCTION || type_same(from->of, t->of, written))) return x;
    if (t->kind == from->kind && type_same(from, t, written)) return x;
    return ast_make(r->a, A_CAST, x, t, 1, &x);
}

// C's usual arithmetic conversions.
static Type usual(Type x, Type y) {
    if (x == T_F64 || y == T_F64) return T_F64;
    if (x == T_F32 || y == T_F32) return T_F32;
    if (type_size(x) < 4) x = T_I32;
    if (type_size(y) < 4) y = T_I32;
    if (x == y) return x;
    if (type_size(x) != type_size(y)) return type_size(x) > type_size(y) ? x : y;
    return type_is_signed(x) ? y : x;
}

// ---- operators ---------------------------------------------------------------------------
static bool binary_op(enum CXBinaryOperatorKind k, Op *op) {
    switch (k) {
    case CXBinaryOperator_Mul: case CXBinaryOperator_MulAssign: *op = OP_MUL; return true;
    case CXBinaryOperator_Div: case CXBinaryOperator_DivAssign: *op = OP_DIV; return true;
    case CXBinaryOperator_Rem: case CXBinaryOperator_RemAssign: *op = OP_MOD; return true;
    case CXBinaryOperator_Add: case CXBinaryOperator_AddAssign: *op = OP_ADD; return true;
    case CXBinaryOperator_Sub: case CXBinaryOperator_SubAssign: *op = OP_SUB; return true;
    case CXBinaryOperator_Shl: case CXBinaryOperator_ShlAssign: *op = OP_SHL; return true;
    case CXBinaryOperator_Shr: case CXBinaryOperator_ShrAssign: *op = OP_SHR; return true;
    case CXBinaryOperator_And: case CXBinaryOperator_AndAssign: *op = OP_AND; return true;
    case CXBinaryOperator_Or: case CXBinaryOperator_OrAssign: *op = OP_OR; return true;
    case CXBinaryOperator_Xor: case CXBinaryOperator_XorAssign: *op = OP_XOR; return true;
    case CXBinaryOperator_LT: *op = OP_LT; return true;
    case CXBinaryOperator_GT: *op = OP_GT; return true;
    case CXBinaryOperator_LE: *op = OP_LE; return true;
    case CXBinaryOperator_GE: *op = OP_GE; return true;
    case CXBinaryOperator_EQ: *op = OP_EQ; return true;
    case CXBinaryOperator_NE: *op = OP_NE; return true;
    case CXBinaryOperator_LAnd: *op = OP_LAND; return true;
    case CXBinaryOperator_LOr: *op = OP_LOR; return true;
    case CXBinaryOperator_Assign: *op = OP_SET; return true;
    default: return false;
    }
}

// The operands of a cursor, exactly n of them.
static bool operands(Reader *r, CXCursor x, int n, Ast **out) {
    Cursors kids = children(r, x);
    if (kids.n != n) return false;
    for (int i = 0; i < n; i++) out[i] = read_expr(r, kids.at[i]);
    return true;
}

static const CType *own_type(Reader *r, CXCursor x) {
    return read_type(r, clang_getCursorType(x), NULL);
}

static Ast *node(Reader *r, AstKind kind, CXCursor x, const CType *t, int n, Ast **kids) {
    Ast *out = ast_new(r, kind, x);
    out->type = t;
    ast_kids(r, out, n, kids);
    return out;
}

// A real operand of complex arithmetic, which C does not convert to a complex number (clang does, where it is
// a whole number).
static Ast *real_operand(Reader *r, Ast *kid, CXCursor x, const CType *t) {
    bool implied = clang_getCursorKind(x) == CXCursor_UnexposedExpr && kid->kind == A_CAST &&
                   is_complex(kid) && is_scalar(kid->kids[0]);
    kid = implied ? kid->kids[0] : kid;
    return is_scalar(kid) ? cast_to(r, kid, t->fields[0].type, false) : cast_to(r, kid, t, false);
}

// n, of complex numbers: by what it is computed, and in which type t.
static Ast *complex_arithmetic(Reader *r, CXCursor x, Ast *n, const CType *t) {
    Cursors kids = children(r, x);
    if (n->op != OP_ADD && n->op != OP_SUB && n->op != OP_MUL && n->op != OP_DIV) return n;
    for (int i = n->kind == A_ASSIGN; i < 2; i++) n->kids[i] = real_operand(r, n->kids[i], kids.at[i], t);
    bool first = is_complex(n->kids[0]), second = is_complex(n->kids[1]);
    if (second && (first || n->op == OP_DIV)) n->decl = complex_operator(r, n->op, t->fields[0].type->scalar);
    return n;
}

// The type in which x op= y is computed.
static const CType *complex_type(const Ast *x, const Ast *y) {
    bool second = is_complex(y) && (!is_complex(x) || y->type->bytes > x->type->bytes);
    return second ? y->type : x->type;
}

static Ast *make_zero(Reader *r, CXCursor x, const Ast *like) {
    Ast *n = ast_new(r, A_INT, x);
    n->type = like->type;
    if (is_int(n)) return make_int(n, 0);
    n->kind = A_FLOAT;
    return is_scalar(n) ? n : read_other(r, x);
}

static Ast *read_binary(Reader *r, CXCursor x) {
    enum CXBinaryOperatorKind k = clang_getCursorBinaryOperatorKind(x);
    Ast *kids[2];
    Op op = OP_SET;
    if ((k != CXBinaryOperator_Comma && !binary_op(k, &op)) || !operands(r, x, 2, kids))
        return read_other(r, x);
    AstKind kind = k == CXBinaryOperator_Comma ? A_COMMA : op == OP_SET ? A_ASSIGN : A_BINARY;
    const CType *t = kind == A_COMMA ? kids[1]->type : kind == A_ASSIGN ? kids[0]->type
                                                                       : own_type(r, x);
    Ast *n = node(r, kind, x, t, 2, kids);
    n->op = op;
    if (kind == A_BINARY && is_complex(n)) return complex_arithmetic(r, x, n, n->type);
    return kind == A_BINARY ? fold_binary(n) : n;
}

static Ast *read_compound(Reader *r, CXCursor x) {
    Ast *kids[2];
    Op op;
    if (!binary_op(clang_getCursorBinaryOperatorKind(x), &op) || !operands(r, x, 2, kids))
        return read_other(r, x);
    Ast *n = node(r, A_ASSIGN, x, kids[0]->type, 2, kids);
    n->op = op;
    if (is_scalar(kids[0]) && is_scalar(kids[1])) {
        Type left = kids[0]->type->scalar, right = kids[1]->type->scalar;
        bool shifts = op == OP_SHL || op == OP_SHR;
        n->compute = ast_scalar(r->a, shifts ? usual(left, T_I32) : usual(left, right));
        if (!shifts) n->kids[1] = cast_to(r, kids[1], n->compute, false);
    } else if (is_complex(kids[0]) || is_complex(kids[1])) {
        n->compute = complex_type(kids[0], kids[1]);
        return complex_arithmetic(r, x, n, n->compute);
    }
    return n;
}

static Ast *read_incdec(Reader *r, CXCursor x, enum CXUnaryOperatorKind k, Ast *kid) {
    Ast *n = node(r, A_INCDEC, x, kid->type, 1, &kid);
    n->op = k == CXUnaryOperator_PostInc || k == CXUnaryOperator_PreInc ? OP_ADD : OP_SUB;
    n->postfix = k == CXUnaryOperator_PostInc || k == CXUnaryOperator_PostDec;
    return n;
}

static Ast *read_arith(Reader *r, CXCursor x, Op op, Ast *kid) {
    Ast *n = node(r, A_UNARY, x, own_type(r, x), 1, &kid);
    n->op = op;
    return is_complex(n) ? n : fold_unary(n);
}

// __real__ and __imag__
static Ast *read_part(Reader *r, CXCursor x, Ast *kid, bool imaginary) {
    if (!is_complex(kid)) return imaginary ? make_zero(r, x, kid) : kid;
    Ast *n = node(r, A_FIELD, x, kid->type->fields[imaginary].type, 1, &kid);
    n->name = kid->type->fields[imaginary].name;
    return n;
}

static Ast *read_unary(Reader *r, CXCursor x) {
    enum CXUnaryOperatorKind k = clang_getCursorUnaryOperatorKind(x);
    Ast *kid;
    if (!operands(r, x, 1, &kid)) return read_other(r, x);
    switch (k) {
    case CXUnaryOperator_PostInc: case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PostDec: case CXUnaryOperator_PreDec:
        return read_incdec(r, x, k, kid);
    case CXUnaryOperator_Plus: case CXUnaryOperator_Extension: return kid;
    case CXUnaryOperator_Real: case CXUnaryOperator_Imag:
        return read_part(r, x, kid, k == CXUnaryOperator_Imag);
    case CXUnaryOperator_Minus: return read_arith(r, x, OP_NEG, kid);
    case CXUnaryOperator_Not: return read_arith(r, x, OP_NOT, kid);
    case CXUnaryOperator_LNot: return read_arith(r, x, OP_LNOT, kid);
    case CXUnaryOperator_AddrOf:
        if (kid->kind == A_DEREF) return kid->kids[0];
        return node(r, A_ADDR, x, type_pointer_to(r, kid->type), 1, &kid);
    case CXUnaryOperator_Deref: {
        const CType *t = kid->type;
        if (!t || (t->kind != CT_POINTER && t->kind != CT_ARRAY)) return kid; // a function
        if (kid->kind == A_ADDR) return kid->kids[0];
        return node(r, A_DEREF, x, t->of, 1, &kid);
    }
    default: return read_other(r, x);
    }
}

static bool points(const Ast *x) {
    return x->type && (x->type->kind == CT_POINTER || x->type->kind == CT_ARRAY);
}

static Ast *read_index(Reader *r, CXCursor x) {
    Ast *kids[2];
    if (!operands(r, x, 2, kids)) return read_other(r, x);
    if (!points(kids[0])) { // i[a]
        Ast *t = kids[0];
        kids[0] = kids[1];
        kids[1] = t;
    }
    return points(kids[0]) ? node(r, A_INDEX, x, kids[0]->type->of, 2, kids) : read_other(r, x);
}

static const CType *field_type(const CType *record, const char *name) {
    static const CType no_place = {.kind = CT_OTHER, .text = "bit-field", .bytes = -1};
    const CField *f = record ? ctype_field(record, name) : NULL;
    return !f ? NULL : f->offset < 0 && !f->width ? &no_place : f->type;
}

// The unnamed union whose member it is; NULL: it is the record's own.
static const CField *holder_of(const CType *record, const char *name) {
    if (ctype_field(record, name)) return NULL;
    for (int i = 0; i < record->nfields; i++) {
        const CField *f = &record->fields[i];
        if (is_unnamed_field(f->name) && (ctype_field(f->type, name) || holder_of(f->type, name))) return f;
    }
    return NULL;
}

static bool has_no_name(CXCursor x) {
    CXType t = clang_getCanonicalType(clang_getCursorType(clang_getCursorReferenced(x)));
    return clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(t));
}

static Ast *read_field(Reader *r, CXCursor x) {
    Cursors kids = children(r, x);
    if (!kids.n || !is_expression(kids.at[0])) return read_other(r, x);
    Ast *base = read_expr(r, kids.at[0]);
    char *name = read_string(r, clang_getCursorSpelling(x));
    bool arrow = base->type && base->type->kind != CT_RECORD && points(base);
    const CType *record = arrow ? base->type->of : base->type;
    if (!field_type(record, name) && has_no_name(x)) return base; // whose members are found from around it
    for (const CField *f; record && (f = holder_of(record, name)); arrow = false) {
        base = node(r, A_FIELD, x, f->type, 1, &base);
        base->name = f->name;
        base->arrow = arrow;
        record = f->type;
    }
    Ast *n = node(r, A_FIELD, x, field_type(record, name), 1, &base);
    if (!n->type) n->type = own_type(r, x);
    n->name = name;
    n->arrow = arrow;
    return n;
}

static Ast *read_constant(Reader *r, CXCursor x);

// The function that an expression names; a null cursor: it is another one.
static CXCursor named_function(CXCursor x) {
    CXCursor d = clang_getCursorReferenced(x);
    return clang_getCursorKind(d) == CXCursor_FunctionDecl ? d : clang_getNullCursor();
}

// The one of _Generic's expressions that the selection's type can be; false: several can, and are not one
// function. What it selects by comes last, or first.
static bool selected(Reader *r, CXCursor x, CXCursor *out) {
    Cursors kids = children(r, x);
    CXType want = clang_getCanonicalType(clang_getCursorType(x));
    int found = 0;
    for (int i = 0; i < kids.n; i++) {
        if (!is_expression(kids.at[i])) continue;
        CXType have = clang_getCanonicalType(clang_getCursorType(kids.at[i]));
        if (!clang_equalTypes(want, have) || !i) continue;
        CXCursor is = named_function(kids.at[i]);
        if (!found || clang_Cursor_isNull(is) || !clang_equalCursors(is, named_function(*out)))
            *out = kids.at[i], found++;
    }
    return found == 1;
}

static Ast *read_selection(Reader *r, CXCursor x) {
    CXCursor one;
    return selected(r, x, &one) ? read_expr(r, one) : read_constant(r, x);
}

static Decl *callee_of(Reader *r, CXCursor x) {
    for (int depth = 0; depth < 16; depth++) {
        enum CXCursorKind k = clang_getCursorKind(x);
        if (k == CXCursor_GenericSelectionExpr && selected(r, x, &x)) continue;
        CXCursor d = clang_getCursorReferenced(x);
        // of a template, around its value
        bool argument = k == CXCursor_DeclRefExpr && clang_Cursor_isNull(d);
        if (k == CXCursor_DeclRefExpr && !argument)
            return clang_getCursorKind(d) == CXCursor_FunctionDecl ? read_decl(r, d) : NULL;
        bool address = k == CXCursor_UnaryOperator; // of a function, or what is there: both are the function
        Cursors kids = children(r, x);
        if ((k != CXCursor_UnexposedExpr && k != CXCursor_ParenExpr && !argument && !address) || kids.n != 1)
            return NULL;
        x = kids.at[0];
    }
    return NULL;
}

// A function of <complex.h> that this file does not define is that of the library here.
static Decl *library_function(Reader *r, Decl *d) {
    const char *name = d && d->kind == D_FUNCTION ? d->name : NULL;
    for (int i = 0; i < r->todo.n; i++)
        if (r->todo.at[i].decl == d) return d;
    if (name && str_has_prefix(name, "__builtin_")) name += strlen("__builtin_");
    bool may = name && name[0] == 'c' && d->type->kind == CT_FUNCTION && r->language == LANGUAGE_C;
    for (int i = 0; may && i < d->nparams; i++) may = d->params[i]->type->is_complex;
    Decl *own = may && d->nparams ? complex_function(r, name) : NULL;
    return own ? own : d;
}

// creal, cimag and conj are what __real__, __imag__ and ~ are. NULL: it is another call.
static Ast *part_call(Reader *r, CXCursor x, Ast *n) {
    const char *name = n->decl && n->nkids == 1 && is_complex(n->kids[0]) ? n->decl->name : "";
    if (str_has_prefix(name, "__sculpt_creal")) return read_part(r, x, n->kids[0], false);
    if (str_has_prefix(name, "__sculpt_cimag")) return read_part(r, x, n->kids[0], true);
    return str_has_prefix(name, "__sculpt_conj") ? read_arith(r, x, OP_NOT, n->kids[0]) : NULL;
}

static Ast *read_call(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    if (!cs.n) return read_other(r, x);
    Ast *n = ast_new(r, A_CALL, x);
    n->type = own_type(r, x);
    n->decl = library_function(r, callee_of(r, cs.at[0]));
    n->name = n->decl ? n->decl->name : NULL;
    int from = n->decl ? 1 : 0; // a pointer that is called is read too
    Ast **kids = NEW_N(r->a, Ast *, cs.n + 1);
    for (int i = from; i < cs.n; i++) kids[i - from] = read_expr(r, cs.at[i]);
    ast_kids(r, n, cs.n - from, kids);
    if (r->language == LANGUAGE_CUDA) kernel_args(r, n);
    Ast *part = part_call(r, x, n);
    return part ? part : n;
}

static Ast *read_cond(Reader *r, CXCursor x) {
    Ast *kids[3];
    if (!operands(r, x, 3, kids)) return read_other(r, x);
    if (kids[0]->kind == A_INT) return kids[kids[0]->i ? 1 : 2];
    return node(r, A_COND, x, own_type(r, x), 3, kids);
}

// ---- the rest ------------------------------------------------------------------------------
static Ast *read_ref(Reader *r, CXCursor x) {
    CXCursor d = clang_getCursorReferenced(x);
    enum CXCursorKind k = clang_getCursorKind(d);
    Ast *n = ast_new(r, A_REF, x);
    if (k == CXCursor_EnumConstantDecl) {
        n->type = own_type(r, x);
        return make_int(n, clang_getEnumConstantDeclValue(d));
    }
    if (k != CXCursor_VarDecl && k != CXCursor_ParmDecl && k != CXCursor_FunctionDecl)
        return read_other(r, x);
    n->decl = read_decl(r, d);
    n->type = n->decl->type;
    n->name = n->decl->name;
    bool sized_later = n->type && n->type->kind == CT_ARRAY && !n->type->size && n->decl->is_global;
    if (sized_later) n->type = own_type(r, x);
    return n->type && n->type->is_reference ? kernel_ref(r, n) : n;
}

// 2.0i
static Ast *read_imaginary(Reader *r, CXCursor x) {
    Ast *kid;
    const CType *t = own_type(r, x);
    if (!operands(r, x, 1, &kid) || !is_scalar(kid)) return read_other(r, x);
    if (is_int(kid)) t = complex_double(); // 2i, which is converted where it is used
    return t->kind == CT_RECORD ? complex_pair(r, x, t, make_zero(r, x, kid), kid) : read_other(r, x);
}

static Ast *read_literal(Reader *r, CXCursor x) {
    Ast *n = ast_new(r, A_INT, x);
    n->type = own_type(r, x);
    int64_t i;
    if (is_int(n) && evaluate_int(x, &i)) return make_int(n, i);
    double f;
    bool half =
        r->language == LANGUAGE_OPENCL && is_int(n) && clang_getCursorKind(x) == CXCursor_FloatingLiteral;
    if (half) return make_int(n, evaluate_float(x, &f) && f > -32768 && f < 65536 ? (int64_t)f : 1);
    n->kind = A_FLOAT;
    if (is_scalar(n) && type_is_float(n->type->scalar) && evaluate_float(x, &n->f)) {
        if (n->type->scalar == T_F32) n->f = (double)(float)n->f;
        return n;
    }
    return read_other(r, x);
}

Ast *read_cast(Reader *r, CXCursor x) {
    Cursors kids = expressions(r, x);
    if (!kids.n) return read_other(r, x);
    Ast *kid = read_expr(r, kids.at[--kids.n]);
    return cast_to(r, kid, read_type(r, clang_getCursorType(x), &kids), true);
}

static bool same_extent(CXCursor x, CXCursor y) {
    return clang_equalRanges(clang_getCursorExtent(x), clang_getCursorExtent(y));
}

// A form whose value clang knows: sizeof, offsetof, _Generic over constants.
static Ast *read_constant(Reader *r, CXCursor x) {
    Ast *n = ast_new(r, A_INT, x);
    int64_t v;
    n->type = own_type(r, x);
    return is_int(n) && evaluate_int(x, &v) ? make_int(n, v) : read_other(r, x);
}

// GNU's a ?: b, of which libclang shows the parts alone: a ? a : b, for an a that does nothing. NULL: it is
// none.
static Ast *read_or_else(Reader *r, CXCursor x, Cursors kids) {
    if (kids.n < 2 || !is_expression(kids.at[0]) || !is_expression(kids.at[kids.n - 1])) return NULL;
    Ast *a = read_expr(r, kids.at[0]), *b = read_expr(r, kids.at[kids.n - 1]);
    const char *text = r->u->text + a->end, *end = r->u->text + b->begin;
    text += a->end < b->begin ? strspn(text, " \t\n)") : 0;
    if (a->end >= b->begin || *text != '?' || ast_has_effect(a)) return NULL;
    text += 1 + strspn(text + 1, " \t\n");
    const CType *t = own_type(r, x);
    if (*text != ':' || text >= end || t->kind != CT_SCALAR) return NULL;
    return node(r, A_COND, x, t, 3, (Ast *[]){a, cast_to(r, a, t, false), cast_to(r, b, t, false)});
}

// An implicit conversion, or a form of expression that libclang does not name.
static Ast *read_unexposed(Reader *r, CXCursor x) {
    Cursors kids = children(r, x);
    Ast *either = read_or_else(r, x, kids);
    if (either) return either;
    if (kids.n == 1 && is_expression(kids.at[0]) && same_extent(x, kids.at[0]))
        return cast_to(r, read_expr(r, kids.at[0]), own_type(r, x), false);
    return read_constant(r, x);
}

// .name = value or [3] = value in a list, of which libclang shows no more than the parts. No
// expression begins like that.
static bool is_designated(Reader *r, const Ast *n) {
    const char *text = r->u->text;
    if (n->end <= n->begin || n->end > r->u->size) return false;
    bool field = text[n->begin] == '.' && (text[n->begin + 1] < '0' || text[n->begin + 1] > '9');
    return field || text[n->begin] == '[';
}

// Designators (A_FIELD with a name, or a number), then the value.
static Ast *read_designated(Reader *r, CXCursor x, Ast *n) {
    Cursors cs = children(r, x);
    if (memmem(r->u->text + n->begin, n->end - n->begin, "...", 3)) return read_other(r, x);
    Ast **kids = NEW_N(r->a, Ast *, cs.n + 1);
    for (int i = 0; i < cs.n; i++) {
        bool field = clang_getCursorKind(cs.at[i]) == CXCursor_MemberRef;
        if (!field && !is_expression(cs.at[i])) return read_other(r, x);
        kids[i] = field ? ast_new(r, A_FIELD, cs.at[i]) : read_expr(r, cs.at[i]);
        if (field) kids[i]->name = read_string(r, clang_getCursorSpelling(cs.at[i]));
    }
    n->name = "designated";
    ast_kids(r, n, cs.n, kids);
    return n;
}

static Ast *read_list(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_INIT_LIST, x);
    n->type = own_type(r, x);
    bool scalars = n->type->kind == CT_ARRAY && n->type->of->kind == CT_SCALAR;
    Ast **kids = NEW_N(r->a, Ast *, cs.n + 1);
    for (int i = 0; i < cs.n; i++) {
        if (!is_expression(cs.at[i])) return read_other(r, x);
        Ast *place = ast_new(r, A_OTHER, cs.at[i]);
        bool named = is_designated(r, place);
        kids[i] = named ? read_designated(r, cs.at[i], place) : read_expr(r, cs.at[i]);
        if (scalars && !named) kids[i] = cast_to(r, kids[i], n->type->of, false);
    }
    ast_kids(r, n, cs.n, kids);
    return n;
}

static Ast *read_stmt_expr(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_STMT_EXPR, x), *block = cs.n == 1 ? read_stmt(r, cs.at[0]) : NULL;
    if (!block) return read_other(r, x);
    n->type = own_type(r, x);
    ast_kids(r, n, 1, &block);
    return n;
}

static Ast *read_text(Reader *r, CXCursor x) {
    Ast *n = ast_new(r, A_STRING, x);
    n->type = own_type(r, x);
    n->name = read_string(r, clang_getCursorSpelling(x));
    return n;
}

static Ast *read_refused(Reader *r, CXCursor x) {
    Ast *n = read_other(r, x);
    n->refused = true;
    return n;
}

Ast *read_expr(Reader *r, CXCursor x) {
    Ast *special = r->language == LANGUAGE_C ? NULL : kernel_expr(r, x);
    if (special) return special;
    if (clang_rests_on_error(r, x)) return read_refused(r, x);
    switch ((int)clang_getCursorKind(x)) {
    case CXCursor_IntegerLiteral: case CXCursor_CharacterLiteral: case CXCursor_FloatingLiteral:
    case CXCursor_CXXBoolLiteralExpr:
        return read_literal(r, x);
    case CXCursor_ImaginaryLiteral: return read_imaginary(r, x);
    case CXCursor_StringLiteral: return read_text(r, x);
    case CXCursor_ParenExpr: {
        Ast *kid;
        return operands(r, x, 1, &kid) ? kid : read_other(r, x);
    }
    case CXCursor_DeclRefExpr: return read_ref(r, x);
    case CXCursor_UnexposedExpr: return read_unexposed(r, x);
    case CXCursor_UnaryOperator: return read_unary(r, x);
    case CXCursor_BinaryOperator: return read_binary(r, x);
    case CXCursor_CompoundAssignOperator: return read_compound(r, x);
    case CXCursor_ConditionalOperator: return read_cond(r, x);
    case CXCursor_ArraySubscriptExpr: return read_index(r, x);
    case CXCursor_MemberRefExpr: return read_field(r, x);
    case CXCursor_CallExpr: return read_call(r, x);
    case CXCursor_CStyleCastExpr: return read_cast(r, x);
    case CXCursor_UnaryExpr: return read_constant(r, x);
    case CXCursor_GenericSelectionExpr: return read_selection(r, x);
    case CXCursor_InitListExpr: return read_list(r, x);
    case CXCursor_StmtExpr: return read_stmt_expr(r, x);
    default: return read_other(r, x);
    }
}
