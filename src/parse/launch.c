// SPDX-License-Identifier: MIT
// launch.c -- the instance of a template that the host's code launches, where clang could read
// the launch: k<<<4, 256>>>(a) of a template k<T> is k<float>, as `a` says. How it is launched is not
// asked here (host.h).
#include "parse/reader.h"
#include <string.h>

typedef struct Launches {
    Reader *r;
    const char *wanted;      // the kernel's name; NULL: any
    CXCursor kernel;
    bool have;
} Launches;

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
    if (clang_getCursorKind(x) == CXCursor_CallExpr) kids = children(l->r, x);
    CXCursor config = kids.n > 1 ? kids.at[1] : clang_getNullCursor(), kernel = clang_getCursorReferenced(x);
    char *name = kids.n > 1 ? read_string(l->r, clang_getCursorSpelling(config)) : "";
    bool launches = strstr(name, "onfigur") && clang_getCursorKind(config) == CXCursor_CallExpr &&
                    clang_Cursor_getNumArguments(config) >= 2 && !clang_Cursor_isNull(kernel);
    if (!launches || (l->wanted && !has_name(l->r, kernel, l->wanted))) return CXChildVisit_Recurse;
    l->kernel = kernel;
    l->have = true;
    return CXChildVisit_Break;
}

void clang_launched(Reader *r) {
    Launches l = {.r = r, .wanted = r->launch ? r->launch->kernel : NULL};
    clang_visitChildren(clang_getTranslationUnitCursor(r->tu), look, &l);
    if (l.have) read_decl(r, l.kernel);
}
