// SPDX-License-Identifier: MIT
// clang_launch.c -- reads a kernel's launch from the host's code: k<<<grid, block, shared>>>(…).
//
//   int n = 1024;                           grid 64 x 64, block 16 x 16, and n = 1024
//   dim3 block(16, 16);
//   dim3 grid(n / block.x, n / 16);
//   k<<<grid, block>>>(a, b, n);
//
// Values are those of constants, of --arg, and of variables' initialisers. What can't be told so is
// left to the command line. Host code is only looked at where a launch needs it: it may name
// things that nobody declared.
#include "front/clang.h"
#include "front/kernel.h"
#include <string.h>

typedef struct Launches {
    Reader *r;
    const KernelLaunch *given;
    CXCursor found[3];       // the call, its configuration, the kernel
    int depth;
    bool have;
} Launches;

static bool value_of(Launches *l, CXCursor x, int64_t *v);
static bool sizes_of(Launches *l, CXCursor x, int64_t out[3]);

// ---- values --------------------------------------------------------------------------------
static bool given_value(const Launches *l, const char *name, int64_t *v) {
    for (int i = 0; i < l->given->nargs; i++)
        if (str_eq(l->given->args[i].name, name)) return *v = (int64_t)l->given->args[i].value, true;
    return false;
}

static bool computed(enum CXBinaryOperatorKind op, int64_t x, int64_t y, int64_t *v) {
    if ((op == CXBinaryOperator_Div || op == CXBinaryOperator_Rem) && y == 0) return false;
    switch (op) {
    case CXBinaryOperator_Add: *v = x + y; return true;
    case CXBinaryOperator_Sub: *v = x - y; return true;
    case CXBinaryOperator_Mul: *v = x * y; return true;
    case CXBinaryOperator_Div: *v = x / y; return true;
    case CXBinaryOperator_Rem: *v = x % y; return true;
    case CXBinaryOperator_Shl: *v = y >= 0 && y < 62 ? x * (1ll << y) : 0; return y >= 0 && y < 62;
    case CXBinaryOperator_Shr: *v = y >= 0 && y < 62 ? x >> y : 0; return y >= 0 && y < 62;
    case CXBinaryOperator_EQ: *v = x == y; return true;
    case CXBinaryOperator_NE: *v = x != y; return true;
    case CXBinaryOperator_LT: *v = x < y; return true;
    case CXBinaryOperator_GT: *v = x > y; return true;
    default: return false;
    }
}

static bool variable(Launches *l, CXCursor x, int64_t *v) {
    CXCursor d = clang_getCursorReferenced(x);
    if (given_value(l, read_string(l->r, clang_getCursorSpelling(d)), v)) return true;
    if (clang_getCursorKind(d) != CXCursor_VarDecl) return false;
    CXCursor init = clang_Cursor_getVarDeclInitializer(d);
    return !clang_Cursor_isNull(init) && value_of(l, init, v);
}

// block.x of a dim3 variable.
static bool component(Launches *l, CXCursor x, CXCursor base, int64_t *v) {
    int64_t n[3];
    char *name = read_string(l->r, clang_getCursorSpelling(x));
    int d = name[0] - 'x';
    if (name[1] || d < 0 || d > 2 || !sizes_of(l, base, n)) return false;
    *v = n[d];
    return true;
}

static bool operated(Launches *l, CXCursor x, const Cursors *kids, int64_t *v) {
    int64_t a, b;
    switch ((int)clang_getCursorKind(x)) {
    case CXCursor_BinaryOperator:
        return kids->n == 2 && value_of(l, kids->at[0], &a) && value_of(l, kids->at[1], &b) &&
               computed(clang_getCursorBinaryOperatorKind(x), a, b, v);
    case CXCursor_ConditionalOperator:
        return kids->n == 3 && value_of(l, kids->at[0], &a) && value_of(l, kids->at[a ? 1 : 2], v);
    case CXCursor_MemberRefExpr: return kids->n == 1 && component(l, x, kids->at[0], v);
    case CXCursor_DeclRefExpr: return variable(l, x, v);
    case CXCursor_ParenExpr: case CXCursor_UnexposedExpr: case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr: case CXCursor_CXXFunctionalCastExpr:
        return kids->n > 0 && value_of(l, kids->at[kids->n - 1], v);
    default: return false;
    }
}

static bool value_of(Launches *l, CXCursor x, int64_t *v) {
    enum { DEEP = 64 };
    if (l->depth > DEEP) return false;
    if (evaluate_int(x, v)) return true;
    Cursors kids = {0};
    children(l->r, x, &kids);
    l->depth++;
    bool ok = operated(l, x, &kids, v);
    l->depth--;
    return ok;
}

static bool is_sizes(CXCursor x) {
    CXType t = clang_getCanonicalType(clang_getCursorType(x));
    CXString s = clang_getTypeSpelling(t);
    bool is = strstr(clang_getCString(s), "dim3") != NULL;
    clang_disposeString(s);
    return is;
}

// A dim3: built of numbers, copied, or a variable.
static bool sizes_of(Launches *l, CXCursor x, int64_t out[3]) {
    for (int d = 0; d < 3; d++) out[d] = 1;
    if (!is_sizes(x)) return value_of(l, x, &out[0]);
    if (clang_getCursorKind(x) == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(x), init = clang_Cursor_getVarDeclInitializer(d);
        return clang_getCursorKind(d) == CXCursor_VarDecl && !clang_Cursor_isNull(init) && sizes_of(l, init, out);
    }
    int n = clang_getCursorKind(x) == CXCursor_CallExpr ? clang_Cursor_getNumArguments(x) : -1;
    if (n < 0) { // an implicit conversion
        Cursors kids = {0};
        children(l->r, x, &kids);
        return kids.n > 0 && sizes_of(l, kids.at[kids.n - 1], out);
    }
    if (n == 1 && is_sizes(clang_Cursor_getArgument(x, 0))) return sizes_of(l, clang_Cursor_getArgument(x, 0), out);
    for (int d = 0; d < n && d < 3; d++) {
        CXCursor arg = clang_Cursor_getArgument(x, (unsigned)d);
        Cursors kids = {0};
        children(l->r, arg, &kids);
        bool left_out = kids.n == 0 && clang_getCursorKind(arg) == CXCursor_UnexposedExpr;
        if (!left_out && !value_of(l, arg, &out[d])) return false;
    }
    return true;
}

// ---- the launch --------------------------------------------------------------------------------
static bool has_name(Reader *r, CXCursor x, const char *name) {
    size_t n = strcspn(name, "<");
    char *own = read_string(r, clang_getCursorSpelling(x));
    return strlen(own) == n && strncmp(own, name, n) == 0;
}

static enum CXChildVisitResult look(CXCursor x, CXCursor parent, CXClientData arg) {
    (void)parent;
    Launches *l = arg;
    if (l->have) return CXChildVisit_Break;
    Cursors kids = {0};
    if (clang_getCursorKind(x) == CXCursor_CallExpr) children(l->r, x, &kids);
    CXCursor config = kids.n > 1 ? kids.at[1] : clang_getNullCursor(), kernel = clang_getCursorReferenced(x);
    char *name = kids.n > 1 ? read_string(l->r, clang_getCursorSpelling(config)) : "";
    bool launches = strstr(name, "onfigur") && clang_getCursorKind(config) == CXCursor_CallExpr &&
                    clang_Cursor_getNumArguments(config) >= 2 && !clang_Cursor_isNull(kernel);
    if (!launches || (l->given->kernel && !has_name(l->r, kernel, l->given->kernel))) return CXChildVisit_Recurse;
    l->found[0] = x, l->found[1] = config, l->found[2] = kernel;
    l->have = true;
    return CXChildVisit_Break;
}

// Scalars of the call whose values are known.
static void take_args(Launches *l, const Decl *kernel, KernelLaunch *out) {
    VEC(KernelArg) args = {0};
    for (int i = 0; i < l->given->nargs; i++) vec_push(l->r->a, &args, l->given->args[i]);
    int n = clang_Cursor_getNumArguments(l->found[0]);
    for (int i = 0; i < n && i < kernel->nparams; i++) {
        const Decl *p = kernel->params[i];
        int64_t v;
        bool whole = p->type->kind == CT_SCALAR && type_is_int(p->type->scalar);
        if (!whole || given_value(l, p->name, &v) || !value_of(l, clang_Cursor_getArgument(l->found[0], (unsigned)i), &v)) continue;
        KernelArg a = {p->name, (double)v, false};
        vec_push(l->r->a, &args, a);
    }
    out->nargs = args.n;
    out->args = args.at;
}

void clang_launch(Reader *r, const KernelLaunch *given, KernelLaunch *out) {
    Launches l = {.r = r, .given = given};
    *out = *given;
    clang_visitChildren(clang_getTranslationUnitCursor(r->tu), look, &l);
    if (!l.have) return;
    const Decl *kernel = read_decl(r, l.found[2]);
    int64_t grid[3], block[3], shared;
    CXCursor config = l.found[1];
    if (!out->has_grid && sizes_of(&l, clang_Cursor_getArgument(config, 0), grid)) {
        memcpy(out->grid, grid, sizeof grid);
        out->has_grid = true;
    }
    if (!out->has_block && sizes_of(&l, clang_Cursor_getArgument(config, 1), block)) {
        memcpy(out->block, block, sizeof block);
        out->has_block = true;
    }
    bool more = out->shared < 0 && clang_Cursor_getNumArguments(config) > 2;
    if (more && value_of(&l, clang_Cursor_getArgument(config, 2), &shared)) out->shared = shared;
    if (!given->has_grid || !given->has_block) out->from = read_loc(r, clang_getCursorLocation(l.found[0]));
    take_args(&l, kernel, out);
}
