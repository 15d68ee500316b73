// SPDX-License-Identifier: MIT
// reader.h -- what the files that read libclang's cursors share; nobody else includes it.
//
//   unit.c        the translation unit: flags, clang's errors, which functions are wanted
//   type.c   CXType → CType, declarations → Decl
//   expr.c   expressions → Ast, with implicit conversions made explicit
//   stmt.c   statements → Ast, with their places in the text
#ifndef SCULPT_PARSE_READER_H
#define SCULPT_PARSE_READER_H
#include "parse/ast.h"
#include <clang-c/Index.h>

typedef VEC(CXCursor) Cursors;

// Open hashing from a number to a pointer.
typedef struct Map {
    uint64_t *key;
    void **value;
    int n, cap;
} Map;

typedef struct Body {
    Decl *decl;
    CXCursor cursor; // the definition
} Body;

// An error of clang's in a C file, where it stands after macros.
typedef struct CError {
    AstError said;
    CXFile file;
    unsigned offset;
    bool is_system;  // in a system's header
} CError;

typedef enum Language { LANGUAGE_C, LANGUAGE_CUDA, LANGUAGE_OPENCL } Language;

typedef struct Reader {
    const KernelLaunch *launch; // kernels: as given
    Compile *c;
    Language language;
    Arena *a;
    AstUnit *u;
    CXTranslationUnit tu;
    CXFile main;
    Map types, decls;
    VEC(Decl *) funcs;
    VEC(AstError) errors; // of device code
    VEC(CError) c_errors; // of a C file
    Map hurt;             // declarations: do they rest on one of these errors?
    Decl *self;           // `this` of the method that is being read; NULL: none
    VEC(Body) todo;       // functions whose bodies are still to be read
    CXFile last_file;     // a header whose name was asked for last
    const char *last_name;
} Reader;

// errors.c
// Takes down what clang found wrong in a C file. False, after diagnostics: nothing of the file can be
// trusted.
bool clang_note_errors(Reader *r);
const AstError *clang_error_inside(const Reader *r, CXCursor x); // the first in its text; NULL: none
// Does an expression name something whose declaration failed?
bool clang_rests_on_error(Reader *r, CXCursor x);

// macro.c
void clang_note_macros(Reader *r); // AstUnit.macros and .expansions

// undefined.c
// Notes the name of a diagnostic "use of undeclared identifier …".
void clang_note_undefined(Reader *r, CXDiagnostic d, const AstError *e);
// The names of `more` that `to` has not noted yet.
void clang_join_undefined(Arena *a, AstUnit *to, const AstUnit *more);
// Declarations of all that were noted, for a parse with them.
const char *clang_declare_undefined(Arena *a, const AstUnit *u, bool opencl, const KernelLaunch *l);

// type.c
void *map_get(const Map *m, uint64_t key);
void map_put(Arena *a, Map *m, uint64_t key, void *value);
// sizes: the size expressions of a declarator, innermost array first; may be NULL.
const CType *read_type(Reader *r, CXType t, const Cursors *sizes);
const CType *type_pointer_to(Reader *r, const CType *of);
// But for qualifiers; not strict: arrays of unknown or variable size match any size.
bool type_same(const CType *x, const CType *y, bool strict);
Decl *read_decl(Reader *r, CXCursor x);
char *read_string(Reader *r, CXString s);       // disposes of s

// expr.c
Ast *read_expr(Reader *r, CXCursor x);
Ast *read_cast(Reader *r, CXCursor x);            // an explicit conversion
// x converted to t; written: by a cast in the text, not by a rule of C.
Ast *cast_to(Reader *r, Ast *x, const CType *t, bool written);

// stmt.c
Ast *read_stmt(Reader *r, CXCursor x);
Ast *read_other(Reader *r, CXCursor x);         // A_OTHER, with what can be read below it

// kernel.c: what only CUDA C++ and OpenCL C have
bool reader_has_attribute(Reader *r, CXCursor x, enum CXCursorKind kind);
void kernel_mark(Reader *r, Decl *d, CXCursor x);         // spaces and kernels, from attributes
bool kernel_is_device(CXCursor x);                        // a function that runs on the device
bool kernel_is_wanted(Reader *r, CXCursor x, const char *name); // a kernel that the launch may mean
bool kernel_vector(Reader *r, CType *t, CXType from);     // float4: a record of lanes
Ast *kernel_expr(Reader *r, CXCursor x);                  // NULL: nothing special
void kernel_args(Reader *r, Ast *call);                   // references as pointers
Ast *kernel_ref(Reader *r, Ast *ref);                     // a reference, dereferenced
Ast *kernel_address(Reader *r, Ast *x);                   // &x

// launch.c: the instance of a template that a launch means, read like any kernel
void clang_launched(Reader *r);

// complex.c: what C says of complex numbers, as C
const char *complex_library(Arena *a);
Decl *complex_function(Reader *r, const char *name); // one of those; NULL: there is none
Decl *complex_operator(Reader *r, Op op, Type t);    // what computes x op y of complex numbers; NULL: nothing
bool is_complex(const Ast *x);
const CType *complex_double(void);
Ast *complex_pair(Reader *r, CXCursor x, const CType *t, Ast *re, Ast *im);

// predefined.c: the lines, as a text that clang reads before everything else
const char *clang_predefined(Arena *a, const char *defines);

// unit.c
// The same file with another text, without the bodies of its functions; it lives as long as c. NULL: not
// parsed.
CXTranslationUnit clang_parse_declarations(Compile *c, const AstUnit *u, const char *text);
Ast *ast_new(Reader *r, AstKind kind, CXCursor x);
void ast_kids(Reader *r, Ast *n, int nkids, Ast *const *kids);
Cursors children(Reader *r, CXCursor x);
Cursors expressions(Reader *r, CXCursor x); // those of the children that are
bool is_expression(CXCursor x);
bool is_statement(CXCursor x);                  // expressions are statements too
Loc read_loc(Reader *r, CXSourceLocation at);
#endif
