// SPDX-License-Identifier: MIT
// kernel.c -- what CUDA C++ and OpenCL C add to C: memory spaces, vectors, references.
//
//   float4 v        a record of four lanes               v.s01   a vector of two lanes of v
//   T &x            a pointer that every use follows     f(x)    f(&x) where f takes a T &
//   a + b           of structs: a call of operator+      a = b   of structs: an assignment
#include "parse/reader.h"
#include <string.h>

// ---- declarations --------------------------------------------------------------------------
bool reader_has_attribute(Reader *r, CXCursor x, enum CXCursorKind kind) {
    Cursors kids = children(r, x);
    for (int i = 0; i < kids.n; i++) {
        if (clang_getCursorKind(kids.at[i]) != kind) continue;
        if (kind != CXCursor_AnnotateAttr) return true;
        if (str_eq(read_string(r, clang_getCursorSpelling(kids.at[i])), "sculpt_kernel")) return true;
    }
    return false;
}

static enum CXChildVisitResult find_device(CXCursor x, CXCursor parent, CXClientData found) {
    (void)parent;
    enum CXCursorKind k = clang_getCursorKind(x);
    if (k == CXCursor_CUDAGlobalAttr || k == CXCursor_CUDADeviceAttr) *(bool *)found = true;
    return CXChildVisit_Continue;
}

bool kernel_is_device(CXCursor x) {
    bool found = false;
    clang_visitChildren(x, find_device, &found);
    return found;
}

bool kernel_is_wanted(Reader *r, CXCursor x, const char *name) {
    if (!reader_has_attribute(r, x, CXCursor_CUDAGlobalAttr)) return false;
    const char *wanted = r->launch ? r->launch->kernel : NULL;
    size_t n = wanted ? strcspn(wanted, "<") : 0;
    return !wanted || (strlen(name) == n && strncmp(name, wanted, n) == 0);
}

static Space space_of(Reader *r, CXCursor x) {
    if (r->language == LANGUAGE_OPENCL) { // numbers of clang's address spaces
        unsigned space = clang_getAddressSpace(clang_getCursorType(x));
        return space == 2 ? SPACE_SHARED : space == 3 ? SPACE_CONSTANT : SPACE_NONE;
    }
    if (reader_has_attribute(r, x, CXCursor_CUDASharedAttr)) return SPACE_SHARED;
    if (reader_has_attribute(r, x, CXCursor_CUDAConstantAttr)) return SPACE_CONSTANT;
    return reader_has_attribute(r, x, CXCursor_CUDADeviceAttr) ? SPACE_DEVICE : SPACE_NONE;
}

void kernel_mark(Reader *r, Decl *d, CXCursor x) {
    if (d->kind == D_FUNCTION) {
        CXCursor def = clang_getCursorDefinition(x);
        if (clang_Cursor_isNull(def)) def = x;
        bool cuda = r->language == LANGUAGE_CUDA;
        d->is_kernel = reader_has_attribute(r, def, cuda ? CXCursor_CUDAGlobalAttr : CXCursor_AnnotateAttr);
        // an instance of a template has its attributes from there
        CXCursor from = clang_getSpecializedCursorTemplate(def);
        if (!clang_Cursor_isNull(from))
            d->is_kernel |= reader_has_attribute(r, from, CXCursor_CUDAGlobalAttr);
    } else if (d->kind == D_VAR) {
        d->space = space_of(r, x);
        if (d->space == SPACE_SHARED) d->init = NULL;
    }
    bool empty = d->init && d->init->kind == A_OTHER && str_eq(d->init->name, "default construction");
    if (empty) d->init = NULL;
}

// ---- types -----------------------------------------------------------------------------------
static const char *const lane_names[16] = {"x", "y", "z", "w", "s4", "s5", "s6", "s7",
                                           "s8", "s9", "sa", "sb", "sc", "sd", "se", "sf"};

static void make_lanes(Reader *r, CType *t, const CType *of, int n) {
    t->kind = CT_RECORD;
    t->lanes = t->nfields = n;
    t->fields = NEW_N(r->a, CField, n);
    for (int k = 0; k < n; k++) t->fields[k] = (CField){lane_names[k], of, k * of->bytes};
}

bool kernel_vector(Reader *r, CType *t, CXType from) {
    const CType *of = read_type(r, clang_getElementType(from), NULL);
    long long n = clang_getNumElements(from);
    if (of->kind != CT_SCALAR || n < 1 || n > 16) return false;
    make_lanes(r, t, of, (int)n);
    return true;
}

// ---- references ------------------------------------------------------------------------------
Ast *kernel_ref(Reader *r, Ast *ref) { return ast_make(r->a, A_DEREF, ref, ref->type->of, 1, &ref); }

Ast *kernel_address(Reader *r, Ast *x) {
    if (!x) return NULL;
    if (x->kind == A_DEREF) return x->kids[0];
    return ast_make(r->a, A_ADDR, x, type_pointer_to(r, x->type), 1, &x);
}

void kernel_args(Reader *r, Ast *call) {
    const Decl *f = call->decl;
    for (int k = 0; f && k < call->nkids && k < f->nparams; k++)
        if (f->params[k]->type->is_reference) call->kids[k] = kernel_address(r, call->kids[k]);
}

// ---- swizzles --------------------------------------------------------------------------------
static int lane_number(char c, bool digits) {
    static const char xyzw[] = "xyzw", rgba[] = "rgba", hex[] = "0123456789abcdef";
    const char *in = digits ? hex : strchr(xyzw, c) ? xyzw : rgba;
    if (digits && c >= 'A' && c <= 'F') c = (char)(c - 'A' + 'a');
    const char *at = strchr(in, c);
    return at && c ? (int)(at - in) : -1;
}

// The lanes that a name behind the dot means; 0: none.
static int lanes_named(const char *name, int lanes, int out[16]) {
    int n = 0, half = lanes == 3 ? 2 : lanes / 2;
    bool lo = str_eq(name, "lo"), hi = str_eq(name, "hi"), even = str_eq(name, "even"),
         odd = str_eq(name, "odd");
    if (lo || hi || even || odd) {
        for (; n < half; n++) out[n] = lo ? n : hi ? half + n : even ? 2 * n : 2 * n + 1;
        return n;
    }
    bool digits = (name[0] == 's' || name[0] == 'S') && name[1];
    for (const char *p = name + digits; *p && n < 16; p++) {
        out[n] = lane_number(*p, digits);
        if (out[n] < 0 || out[n] >= lanes) return 0;
        n++;
    }
    return n;
}

static Ast *lane(Reader *r, Ast *v, int k) {
    Ast *n = ast_make(r->a, A_FIELD, v, v->type->fields[k].type, 1, &v);
    n->name = v->type->fields[k].name;
    return n;
}

// The last word of the cursor's tokens.
static char *last_word(Reader *r, CXCursor x) {
    CXToken *tokens;
    unsigned n;
    char *word = NULL;
    clang_tokenize(r->tu, clang_getCursorExtent(x), &tokens, &n);
    if (n) word = read_string(r, clang_getTokenSpelling(r->tu, tokens[n - 1]));
    clang_disposeTokens(r->tu, tokens, n);
    return word;
}

// v.x is a field, v.xy a list of fields.
static Ast *read_swizzle(Reader *r, CXCursor x, CXCursor base) {
    int at[16];
    Ast *v = read_expr(r, base);
    if (v->type && v->type->kind == CT_POINTER) v = ast_make(r->a, A_DEREF, v, v->type->of, 1, &v);
    char *word = v->type && v->type->lanes ? last_word(r, x) : NULL;
    int n = word ? lanes_named(word, v->type->lanes, at) : 0;
    if (n == 0) return NULL;
    if (n == 1) return lane(r, v, at[0]);
    Ast *list = ast_new(r, A_INIT_LIST, x), *kids[16];
    list->type = read_type(r, clang_getCursorType(x), NULL);
    list->name = "swizzle";
    for (int k = 0; k < n; k++) kids[k] = lane(r, v, at[k]);
    ast_kids(r, list, n, kids);
    return list;
}

// ---- calls of C++ ------------------------------------------------------------------------------
static Ast *read_construction(Reader *r, CXCursor x) {
    int n = clang_Cursor_getNumArguments(x);
    if (n == 1) return read_expr(r, clang_Cursor_getArgument(x, 0));
    const CType *t = read_type(r, clang_getCursorType(x), NULL);
    bool list_like = n || (t && t->kind == CT_RECORD && !t->nfields); // of a functor there is nothing to set
    Ast *list = ast_new(r, list_like ? A_INIT_LIST : A_OTHER, x), **kids = NEW_N(r->a, Ast *, n + 1);
    list->type = t;
    list->name = list_like ? NULL : "default construction";
    for (int k = 0; k < n; k++) kids[k] = read_expr(r, clang_Cursor_getArgument(x, (unsigned)k));
    ast_kids(r, list, n < 0 ? 0 : n, kids);
    return list;
}

// a + b of structs is a call of operator+, a = b an assignment unless someone wrote it.
static Ast *read_operator(Reader *r, CXCursor x, CXCursor callee) {
    int n = clang_Cursor_getNumArguments(x);
    if (n < 1 || n > 4) return NULL;
    bool assigns = str_eq(read_string(r, clang_getCursorSpelling(callee)), "operator=");
    bool method = clang_getCursorKind(callee) == CXCursor_CXXMethod,
         defined = !clang_Cursor_isNull(clang_getCursorDefinition(callee));
    if (method && assigns && defined && !clang_CXXMethod_isDefaulted(callee)) assigns = false;
    Ast *call = ast_new(r, assigns ? A_ASSIGN : A_CALL, x), *kids[4];
    call->type = read_type(r, clang_getCursorType(x), NULL);
    for (int k = 0; k < n; k++) kids[k] = read_expr(r, clang_Cursor_getArgument(x, (unsigned)k));
    ast_kids(r, call, n, kids);
    call->op = OP_SET;
    if (assigns) {
        call->type = kids[0]->type;
        return call;
    }
    if (method)
        kids[0] = call->kids[0] =
            kids[0]->type && kids[0]->type->kind == CT_POINTER ? kids[0] : kernel_address(r, kids[0]);
    call->decl = read_decl(r, callee);
    call->name = call->decl->name;
    kernel_args(r, call);
    return call->type && call->type->is_reference ? kernel_ref(r, call) : call;
}

static Ast *self_ref(Reader *r, CXCursor x) {
    Ast *n = ast_new(r, A_REF, x);
    n->decl = r->self;
    n->name = r->self->name;
    n->type = r->self->type;
    return n;
}

// What a member is taken of: what stands before the dot, or `this`.
static Ast *member_base(Reader *r, CXCursor member) {
    Cursors kids = children(r, member);
    for (int i = 0; i < kids.n; i++)
        if (is_expression(kids.at[i])) return read_expr(r, kids.at[i]);
    return r->self ? self_ref(r, member) : NULL;
}

// a.f(x): a call of f with the address of a before the arguments.
static Ast *read_method(Reader *r, CXCursor x, CXCursor callee) {
    Cursors kids = children(r, x);
    bool is_static = clang_CXXMethod_isStatic(callee);
    Ast *base = kids.n && !is_static ? member_base(r, kids.at[0]) : NULL;
    if (!is_static && !base) return NULL;
    int n = clang_Cursor_getNumArguments(x), from = !is_static;
    Ast *call = ast_new(r, A_CALL, x), **args = NEW_N(r->a, Ast *, n + 2);
    if (base) args[0] = base->type && base->type->kind == CT_POINTER ? base : kernel_address(r, base);
    for (int k = 0; k < n; k++) args[from + k] = read_expr(r, clang_Cursor_getArgument(x, (unsigned)k));
    ast_kids(r, call, n + from, args);
    call->type = read_type(r, clang_getCursorType(x), NULL);
    call->decl = read_decl(r, callee);
    call->name = call->decl->name;
    kernel_args(r, call);
    return call->type && call->type->is_reference ? kernel_ref(r, call) : call;
}

// A member of `this` that is named alone.
static Ast *read_own_member(Reader *r, CXCursor x) {
    Cursors kids = children(r, x);
    for (int i = 0; i < kids.n; i++)
        if (is_expression(kids.at[i])) return NULL;
    if (!r->self || clang_getCursorKind(clang_getCursorReferenced(x)) != CXCursor_FieldDecl) return NULL;
    Ast *self = self_ref(r, x);
    Ast *n = ast_make(r->a, A_FIELD, self, read_type(r, clang_getCursorType(x), NULL), 1, &self);
    n->name = read_string(r, clang_getCursorSpelling(x));
    n->arrow = true;
    return n;
}

static Ast *read_cpp_call(Reader *r, CXCursor x) {
    CXCursor callee = clang_getCursorReferenced(x);
    enum CXCursorKind k = clang_getCursorKind(callee);
    if (k == CXCursor_Constructor) return read_construction(r, x);
    bool plain = k == CXCursor_CXXMethod &&
                 !str_has_prefix(read_string(r, clang_getCursorSpelling(callee)), "operator");
    if (plain || k == CXCursor_ConversionFunction) return read_method(r, x, callee);
    char *name = read_string(r, clang_getCursorSpelling(callee));
    bool function = k == CXCursor_FunctionDecl || k == CXCursor_CXXMethod;
    return function && str_has_prefix(name, "operator") ? read_operator(r, x, callee) : NULL;
}

// The one expression below an unexposed node; null: there is another number of them.
static CXCursor only_child(Reader *r, CXCursor x) {
    Cursors kids = children(r, x);
    return kids.n == 1 && is_expression(kids.at[0]) ? kids.at[0] : clang_getNullCursor();
}

static bool is_vector(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Vector || t.kind == CXType_ExtVector;
}

static CXType pointee_or_self(CXType t) {
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Pointer ? clang_getPointeeType(t) : t;
}

// as_float(x), __builtin_astype(x, float): libclang shows a nameless node around what stood in parentheses.
static bool is_same_bits(Reader *r, CXCursor x, CXCursor kid) {
    CXFile f;
    unsigned line, col, begin;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(x)), &f, &line, &col, &begin);
    const char *prelude = prelude_opencl(), *text = NULL;
    if (f && clang_File_isEqual(f, r->main)) text = begin < r->u->size ? r->u->text + begin : NULL;
    else if (f && is_prelude(read_string(r, clang_getFileName(f))))
        text = begin < strlen(prelude) ? prelude + begin : NULL;
    if (!text || (!str_has_prefix(text, "as_") && !str_has_prefix(text, "__builtin_astype"))) return false;
    CXType t = clang_getCanonicalType(clang_getCursorType(x)),
           from = clang_getCanonicalType(clang_getCursorType(kid));
    if (clang_Type_getSizeOf(t) != clang_Type_getSizeOf(from) ||
        clang_getCursorKind(x) != CXCursor_UnexposedExpr)
        return false;
    if (clang_getCursorKind(kid) == CXCursor_ParenExpr) return true;
    CXCursor inner =
        clang_getCursorKind(kid) == CXCursor_UnexposedExpr ? only_child(r, kid) : clang_getNullCursor();
    return clang_getCursorKind(inner) == CXCursor_ParenExpr &&
           clang_equalTypes(clang_getUnqualifiedType(from),
                            clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(inner))));
}

static Ast *read_bits(Reader *r, CXCursor x, CXCursor kid) {
    Ast *n = ast_new(r, A_CALL, x), *value;
    if (!is_same_bits(r, x, kid) || !(value = read_expr(r, kid))) return NULL;
    n->type = read_type(r, clang_getCursorType(x), NULL);
    if (value->type && value->type->kind == n->type->kind && str_eq(value->type->text, n->type->text))
        return value;
    Decl *d = NEW(r->a, Decl);
    *d = (Decl){.kind = D_FUNCTION, .name = arena_printf(r->a, "as_%s", n->type->text), .type = n->type};
    n->decl = d;
    n->name = "as_bits";
    ast_kids(r, n, 1, &value);
    return n;
}

static Ast *read_unexposed(Reader *r, CXCursor x) {
    CXCursor kid = only_child(r, x);
    if (clang_Cursor_isNull(kid)) return NULL;
    Ast *bits = r->language == LANGUAGE_OPENCL ? read_bits(r, x, kid) : NULL;
    if (bits) return bits;
    CXType t = clang_getCursorType(x), from = clang_getCursorType(kid);
    bool same = clang_equalRanges(clang_getCursorExtent(x), clang_getCursorExtent(kid));
    if (!same && is_vector(pointee_or_self(from))) return read_swizzle(r, x, kid);
    // what clang wraps around a temporary, and a template's argument
    if (!same && clang_equalTypes(clang_getCanonicalType(clang_getUnqualifiedType(t)),
                                  clang_getCanonicalType(clang_getUnqualifiedType(from))))
        return read_expr(r, kid);
    return NULL;
}

// A template's parameter in an instance: a reference to nothing around the value.
static Ast *read_argument(Reader *r, CXCursor x) {
    if (!clang_Cursor_isNull(clang_getCursorReferenced(x))) return NULL;
    CXCursor kid = only_child(r, x);
    return clang_Cursor_isNull(kid) ? NULL : read_expr(r, kid);
}

Ast *kernel_expr(Reader *r, CXCursor x) {
    switch ((int)clang_getCursorKind(x)) {
    case CXCursor_CXXStaticCastExpr: case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr: case CXCursor_CXXFunctionalCastExpr:
        return read_cast(r, x);
    case CXCursor_CallExpr: return r->language == LANGUAGE_CUDA ? read_cpp_call(r, x) : NULL;
    case CXCursor_UnexposedExpr: return read_unexposed(r, x);
    case CXCursor_DeclRefExpr: return read_argument(r, x);
    case CXCursor_CXXThisExpr: return r->self ? self_ref(r, x) : NULL;
    case CXCursor_MemberRefExpr: return read_own_member(r, x);
    default: return NULL;
    }
}
