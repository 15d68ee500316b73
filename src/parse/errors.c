// SPDX-License-Identifier: MIT
// errors.c -- what an error of clang's costs in a C file that the host compiler may well take.
//
//   in a system header       nothing by itself: only what names the declaration it stands in is not read
//   in a function's body     that function's loops stay on the host, and no call of it is inlined
//   in another declaration   what names it is not read
//   anywhere else, or fatal  the file: clang may have understood something else than was written
#include "parse/reader.h"

typedef struct Extent {
    CXFile file;
    unsigned from, to;
} Extent;
typedef VEC(Extent) Extents;

static CError place_of(CXSourceLocation at) {
    CError e = {.is_system = clang_Location_isInSystemHeader(at)};
    clang_getExpansionLocation(at, &e.file, NULL, NULL, &e.offset);
    return e;
}

static Extent extent_of(CXCursor x) {
    CXSourceRange range = clang_getCursorExtent(x);
    CError from = place_of(clang_getRangeStart(range)), to = place_of(clang_getRangeEnd(range));
    return (Extent){from.file, from.offset, to.offset};
}

static bool is_within(const CError *e, const Extent *x) {
    return x->from <= e->offset && e->offset < x->to && e->file && x->file &&
           clang_File_isEqual(x->file, e->file);
}

static Extents declarations(Reader *r) {
    Extents extents = {0};
    Cursors tops = children(r, clang_getTranslationUnitCursor(r->tu));
    for (int i = 0; i < tops.n; i++)
        if (clang_isDeclaration(clang_getCursorKind(tops.at[i])))
            vec_push(r->a, &extents, extent_of(tops.at[i]));
    return extents;
}

static bool is_declared(const CError *e, const Extents *declared) {
    for (int i = 0; i < declared->n; i++)
        if (is_within(e, &declared->at[i])) return true;
    return false;
}

// Where a macro fails, it may do so hundreds of times: one error a place is enough.
static bool is_noted(const Reader *r, const CError *e) {
    if (!r->c_errors.n || !e->file) return false;
    const CError *last = &r->c_errors.at[r->c_errors.n - 1];
    return last->file && last->offset == e->offset && clang_File_isEqual(last->file, e->file);
}

// Notes an error. False: the file is lost by it.
static bool note_error(Reader *r, CXDiagnostic d, const Extents *declared) {
    CXSourceLocation at = clang_getDiagnosticLocation(d);
    bool fatal = clang_getDiagnosticSeverity(d) == CXDiagnostic_Fatal;
    CError e = place_of(at);
    if (!fatal && is_noted(r, &e)) return true;
    e.said.loc = read_loc(r, at);
    e.said.text = read_string(r, clang_getDiagnosticSpelling(d));
    vec_push(r->a, &r->c_errors, e);
    if (e.is_system || (!fatal && is_declared(&e, declared))) return true;
    diag(r->c, DIAG_ERROR, SC_CLANG, e.said.loc, "%s", e.said.text);
    return false;
}

// The first of the user's errors stands for all: the host compiler tells them if it has them, too.
static void tell_first(Reader *r) {
    const AstError *first = NULL;
    for (int i = r->c_errors.n; i-- > 0;)
        if (!r->c_errors.at[i].is_system) first = &r->c_errors.at[i].said;
    if (first)
        diag(r->c, DIAG_REMARK, SC_CLANG, first->loc,
             "clang refuses this, so loops that rest on it stay on the host: %s", first->text);
}

bool clang_note_errors(Reader *r) {
    bool usable = true;
    unsigned n = clang_getNumDiagnostics(r->tu);
    Extents declared = {0};
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(r->tu, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            if (!declared.n) declared = declarations(r);
            usable &= note_error(r, d, &declared);
        }
        clang_disposeDiagnostic(d);
    }
    if (usable) tell_first(r);
    return usable;
}

const AstError *clang_error_inside(const Reader *r, CXCursor x) {
    if (!r->c_errors.n) return NULL;
    Extent inside = extent_of(x);
    for (int i = 0; i < r->c_errors.n; i++)
        if (is_within(&r->c_errors.at[i], &inside)) return &r->c_errors.at[i].said;
    return NULL;
}

// ---- what rests on a declaration that failed ---------------------------------------------------------
typedef struct Resting {
    Reader *r;
    bool found;
} Resting;

static bool is_hurt(Reader *r, CXCursor decl);

static enum CXChildVisitResult look(CXCursor x, CXCursor parent, CXClientData arg) {
    (void)parent;
    Resting *s = arg;
    if (clang_getCursorKind(x) == CXCursor_CompoundStmt) return CXChildVisit_Continue;
    if (is_hurt(s->r, clang_getCursorReferenced(x))) return s->found = true, CXChildVisit_Break;
    return CXChildVisit_Recurse;
}

// A prototype is fine as long as its types are: what clang dislikes in its attributes changes no call.
static bool is_own_fault(const Reader *r, CXCursor decl) {
    bool prototype = clang_getCursorKind(decl) == CXCursor_FunctionDecl && !clang_isCursorDefinition(decl);
    return clang_isInvalidDeclaration(decl) || (!prototype && clang_error_inside(r, decl));
}

static bool is_hurt(Reader *r, CXCursor decl) {
    static char yes, no;
    if (clang_getCursorKind(decl) == CXCursor_EnumConstantDecl) decl = clang_getCursorSemanticParent(decl);
    if (!clang_isDeclaration(clang_getCursorKind(decl))) return false;
    CXCursor definition = clang_getCursorDefinition(decl);
    if (!clang_Cursor_isNull(definition)) decl = definition;
    uint64_t key = (uint64_t)(uintptr_t)decl.data[0];
    const void *known = map_get(&r->hurt, key);
    if (known) return known == &yes;
    map_put(r->a, &r->hurt, key, &no); // it may name itself
    Resting s = {r, is_own_fault(r, decl)};
    if (!s.found) clang_visitChildren(decl, look, &s);
    if (s.found) map_put(r->a, &r->hurt, key, &yes);
    return s.found;
}

static enum CXChildVisitResult look_at_type(CXCursor x, CXCursor parent, CXClientData arg) {
    (void)parent;
    Resting *s = arg;
    if (clang_getCursorKind(x) != CXCursor_TypeRef || !is_hurt(s->r, clang_getCursorReferenced(x)))
        return CXChildVisit_Continue;
    s->found = true;
    return CXChildVisit_Break;
}

bool clang_rests_on_error(Reader *r, CXCursor x) {
    if (!r->c_errors.n) return false;
    Resting s = {r, is_hurt(r, clang_getCursorReferenced(x))};
    if (!s.found) clang_visitChildren(x, look_at_type, &s);
    return s.found;
}
