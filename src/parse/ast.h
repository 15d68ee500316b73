// SPDX-License-Identifier: MIT
// ast.h -- the user's C as a small tree of our own.
//
// unit.c makes it from libclang and is the only file that sees libclang; everything else
// in this room reads Ast. Constant expressions are folded, macros expanded, typedefs
// resolved, implicit conversions made explicit (A_CAST), parentheses dropped.
#ifndef SCULPT_AST_H
#define SCULPT_AST_H
#include "parse/flat.h"
#include "parse/launched.h"
#include "ir/ir.h"

// ---- C types ---------------------------------------------------------------------
typedef enum CTypeKind {
    CT_VOID, CT_SCALAR, CT_POINTER, CT_ARRAY, CT_RECORD, CT_FUNCTION,
    CT_OTHER // long double…: never taken
} CTypeKind;
typedef struct CField CField;
typedef struct CType CType;
struct CType {
    CTypeKind kind;
    const char *text;       // as clang spells it
    bool is_const, is_volatile, is_atomic;
    Type scalar;            // CT_SCALAR (enums count as their integer type; char by its sign)
    const CType *of;        // pointee or element
    struct Ast *size;       // CT_ARRAY: number of elements; NULL: unknown ([])
    int64_t bytes;          // sizeof, -1 if not constant
    int nfields;            // CT_RECORD
    CField *fields;
    bool is_complex;        // CT_RECORD: of the fields "re" and "im", which are numbers
    bool is_wide;           // CT_RECORD of the words "lo" and "hi": __int128
    bool is_union;          // CT_RECORD of C: its fields share their bytes
    // CT_RECORD with a stricter alignment than its fields: bytes that are moved at once
    int packed;
    int lanes;              // CT_RECORD that is a vector type (float4): its lanes, one field each
    bool is_reference;      // CT_POINTER: a reference of C++ (naming it dereferences it)
    bool is_local;          // CT_POINTER: into a block's shared memory (OpenCL's __local)
};
struct CField {
    const char *name;
    const CType *type;
    int64_t offset;         // bytes; -1: bit-field
    // Of a bit-field: `width` bits, from bit `low` on, of the number of `unit` bytes at byte `base`, which
    // holds bit-fields alone. width 0: there is no such number. type is what its value has.
    int width, low, unit;
    bool is_signed;
    int64_t base;
};

static inline bool ctype_is_number(const CType *t) {
    return t->kind == CT_SCALAR || (t->kind == CT_RECORD && t->is_complex);
}

// NULL: it has none of that name. An unnamed union is a member whose name begins with "@".
const CField *ctype_field(const CType *record, const char *name);
static inline bool is_unnamed_field(const char *name) { return name[0] == '@'; }

// An error of clang's; in device code the function around it stands in the lines first to last.
typedef struct AstError {
    Loc loc;
    const char *text;
    int first, last;
} AstError;

// ---- declarations ------------------------------------------------------------------
typedef enum DeclKind { D_VAR, D_PARAM, D_FUNCTION } DeclKind; // a constant of an enum is its number
typedef struct Decl Decl;
// Where a kernel's variable lives, as its author says.
typedef enum Space { SPACE_NONE, SPACE_SHARED, SPACE_CONSTANT, SPACE_DEVICE } Space;
struct Decl {
    DeclKind kind;
    const char *name;
    const char *said;       // what the program has in the place of a variable that the front end made;
                            // NULL: it has the variable
    const CType *type;      // of a parameter: as declared (float A[n][m] keeps its array type)
    Loc loc;
    bool is_global, is_static;
    bool is_const;          // D_FUNCTION: declared as one whose value hangs on its arguments alone
    bool per_thread;        // declared __thread or _Thread_local
    Space space;
    bool is_library;        // D_FUNCTION: a system's header declares it
    bool is_weak;           // D_FUNCTION: another may stand in its place when the program is linked
    bool is_kernel;         // D_FUNCTION: __global__ or __kernel
    bool is_broken;         // D_FUNCTION of device code: clang found errors in it, it has no body here
    // D_FUNCTION of a C file: clang found one in its body, of which parts may be missing
    const AstError *error;
    bool address_taken;     // & is applied to it somewhere in its function (any, for globals),
                            // other than as the callee's business in a mark's clause
    struct Ast *init;       // D_VAR; NULL: none
    bool has_self;          // D_FUNCTION: a method of C++; params[0] is `this`
    int nparams;            // D_FUNCTION
    Decl **params;
    size_t begin;           // D_FUNCTION, when defined in the main file: where its declaration begins
    struct Ast *body;       // D_FUNCTION, when defined in this file; NULL else
};

// ---- expressions and statements -------------------------------------------------------
typedef enum AstKind {
    // expressions
    A_INT, A_FLOAT, A_STRING,
    A_REF,        // decl
    A_INDEX,      // kid[0][kid[1]]
    A_FIELD,      // kid[0].name  (arrow: kid[0]->name)
    A_DEREF,      // *kid[0]
    A_ADDR,       // &kid[0]
    A_UNARY,      // op: OP_NEG OP_NOT (of a complex number: its conjugate) OP_LNOT; unary + is dropped
    A_BINARY,     // op: C's arithmetic, comparison, logical; decl: what computes it (complex.c), or NULL
    A_ASSIGN,     // kid[0] op= kid[1]; op is OP_SET for plain =; compute: the type in which
                  // a compound assignment computes
    A_INCDEC,     // kid[0]++ and its kin: op OP_ADD or OP_SUB; postfix
    A_COND,       // kid[0] ? kid[1] : kid[2]
    A_CAST,       // (type) kid[0]
    A_CALL,       // decl(kid...), or through a pointer: decl NULL
    A_COMMA,
    A_INIT_LIST,  // { kid... }
    A_STMT_EXPR,  // GNU's ({ … }): kid[0] is the block; the value is that of its last statement
    // statements
    A_EXPR,       // kid[0] as a statement
    A_DECLS,      // decls
    A_BLOCK, A_IF, A_FOR, A_WHILE, A_DO, A_SWITCH, A_BREAK, A_CONTINUE, A_RETURN,
    A_GOTO,       // name: of the label
    A_LABEL,      // name; kid[0] is the statement behind it
    A_EMPTY,
    A_BARRIER,    // all threads of the block wait (i 0; -i: it leaves that in no order),
                  // or those of the warp (i 1); or nobody:
                  // a group of the thread's asynchronous copies ends (i 2), or all but i - 3
                  // groups have landed
    A_OTHER       // anything else (an expression or a statement; cases too); name
                  // tells clang's word for it; kids: what it is made of, which it may read and
                  // write in any way
} AstKind;

typedef struct Ast Ast;
struct Ast {
    AstKind kind;
    Loc loc;               // of the expansion, in the main file
    size_t begin, end;     // bytes of the main file, end exclusive, a statement's ';' included
    const CType *type;     // expressions
    int nkids;
    Ast **kids;            // A_IF: cond, then, else?; A_FOR: init, cond, inc, body (NULL if absent)
    Op op;
    How how;               // A_FOR: how it runs (serial but for those made for a kernel's launch)
    int unroll;            // A_FOR of device code: what #pragma unroll says, -1: whole; 0: nothing
    bool postfix, arrow;
    bool refused;          // A_OTHER: it names something whose declaration clang refuses
    const CType *compute;
    int64_t i;
    double f;
    const char *name;      // field, string, clang's word
    Decl *decl;            // A_REF, A_CALL; A_BINARY and A_ASSIGN of complex numbers
    int ndecls;            // A_DECLS
    Decl **decls;
    const Ast *like;       // it is a copy of this one, whose marks are its own, too; NULL: it is none
};
// A loop over x and all below it, as those of ir/walk.h; initialisers of what is declared on the way, and
// sizes of arrays, are part of it.
#define ast_each(x, root) EACH_(const Ast, x, preorder_ast, preorder_of(&order_, root))
const Ast *preorder_ast(Preorder *w);
// ---- make.c: trees that stand where `like` does --------------------------------------------
Ast *ast_make(Arena *a, AstKind kind, const Ast *like, const CType *type, int n, Ast *const *kids);
const char *ast_scalar_text(Type t); // C's word
const CType *ast_scalar(Arena *a, Type t);
Ast *ast_number(Arena *a, const Ast *like, const CType *type, int64_t v);
Ast *ast_ref(Arena *a, const Ast *like, Decl *d);
Ast *ast_binary(Arena *a, Op op, const CType *type, Ast *x, Ast *y);
Ast *ast_set(Arena *a, const Ast *like, Ast *x, Ast *y); // the statement x = y
Decl *ast_variable(Arena *a, const char *name, const CType *type, Ast *init, Loc loc);
Ast *ast_declare(Arena *a, const Ast *like, Decl *d);
bool ast_holds(const Ast *root, AstKind kind); // is it one of that kind, or anything below it?
static inline const Ast *ast_marked(const Ast *x) { return x->like ? x->like : x; }

// ---- pragmas ------------------------------------------------------------------------
// A clause: name and the text between its parentheses (NULL: none).
typedef struct Clause {
    const char *name, *args;
    Loc loc;
} Clause;
typedef enum PragmaKind {
    P_SCOP, P_ENDSCOP, P_SCULPT, P_ACC_LOOP, P_ACC_PARALLEL, P_ACC_KERNELS, P_ACC_DATA,
    P_ACC_ENTER_DATA, P_ACC_EXIT_DATA, P_ACC_UPDATE, P_ACC_OTHER,
    P_OMP_FOR,            // every directive that ends in a worksharing or distribute loop
    P_OMP_PARALLEL,       // parallel without for: a block that may hold omp for
    P_OMP_SIMD, P_OMP_ATOMIC, P_OMP_TARGET_DATA, P_OMP_ENTER_DATA, P_OMP_EXIT_DATA,
    P_OMP_UPDATE, P_OMP_OTHER,
    P_SCULPT_DATA, P_OMP_THREADPRIVATE,
    P_OMP_DECLARE, P_ACC_ROUTINE // their words are clauses
} PragmaKind;
// A call that stands for an operation of gcc's on atomic objects (predefined.c).
#define ATOMIC_CALL "__sculpt_atomic"
// What else there is in the macro that holds a directive.
typedef enum MacroPlace {
    MACRO_NONE,   // nothing, or no macro
    MACRO_BEGINS, // the beginning of the loop that it marks
    MACRO_INSIDE  // all of it, or something in front of the directive, which can't be parted from it
} MacroPlace;
typedef struct Pragma {
    PragmaKind kind;
    Loc loc;
    MacroPlace place;
    size_t begin, end;     // bytes, from '#' to past the newline (continuation lines included)
    const char *text;      // the directive's words, for messages
    int nclauses;
    Clause *clauses;
    Ast *target;           // the statement that follows it; NULL for standalone directives
    bool in_expression;    // it stands in a ({ … }), where it has none
} Pragma;

// A name of device code that nothing defines (undefined.c).
typedef struct Undefined {
    const char *name;
    bool called;
    int first, last;       // lines of the function that uses it first
} Undefined;

// Text of the main file in which macros are expanded.
typedef struct Expansion {
    size_t begin, end;     // of the text
    size_t before;         // where the function around it begins
    const char *text;      // asked: the text; answered: what it becomes, NULL if that can't be told
} Expansion;

typedef struct AstUnit {
    int nerrors;
    AstError *errors;
    const Flat *flat;      // NULL: a file of kernels
    int noutside;          // included files with marks that are not in the text; each has its remark
    const char *file, *text;
    size_t size;
    int nfuncs;
    Decl **funcs;          // defined in the main file or a header included by it, in order
    int npragmas;
    Pragma *pragmas;       // of the main file, in order
    int nflags;            // of the command line
    const char *const *flags;
    VEC(const char *) macros;  // names of the program's own, each as often as it is defined
    // Of those that hold a _Pragma or half a block, in text order; their text is not known yet.
    VEC(Expansion) expansions;
    VEC(Replaced) inside;      // calls of macros that hold marks and what can't be parted from their loops
    int nskipped;          // spans of the main file that #if leaves out: [begin, end) pairs
    size_t (*skipped)[2];
    const char *missing;   // of kernels: headers that were not found, "'a.h' 'b.h'"; NULL: none
    // of kernels: names that were declared as open numbers, or functions of unknown value
    int nundefined;
    Undefined *undefined;
    // of kernels in OpenCL C: something is a 16-bit float (read as a whole number of that size)
    bool has_half;
    bool volatiles;        // of kernels: something is volatile (which is not kept otherwise)
} AstUnit;

// ---- what this room does ---------------------------------------------------------------
// unit.c: NULL after diagnostics.
AstUnit *ast_read(Compile *c, const Flat *flat, int nflags, const char *const *flags);
// Does an option of gcc's, with the next word as its value or without one, change what a text means? So clang
// is given it.
bool ast_takes_flag(const char *flag, bool value);
// Does #if leave out the place?
bool ast_is_skipped(const AstUnit *u, size_t at);
// macro.c: expands n texts of functions; `asked` is in text order.
void ast_expand(Compile *c, const AstUnit *u, int n, Expansion *asked);
bool ast_is_lopsided(const char *text); // does it open a brace that it leaves open, or close another's?
// A file of kernels, in CUDA C++ or OpenCL C by its name's end, as clang has parsed it; it lives as long as
// c. use: names what must be instantiated ("reduce<256>"), NULL: nothing. NULL after diagnostics.
typedef struct AstFile AstFile;
AstFile *ast_open_kernels(Compile *c, const char *file, int nflags, const char *const *flags,
                          const char *use);
// The same as ast_read of such a file, as often as there are kernels. Errors are not reported but kept in
// `errors`; those outside of device code are the host program's affair and ignored. launch: tells which
// kernel is wanted.
AstUnit *ast_read_kernels(Compile *c, const AstFile *f, const KernelLaunch *launch);
// prelude.c: what device code may name without including anything.
const char *prelude_cuda(void);
const char *prelude_opencl(void);
// libraries.c: and what CUDA's headers bring beyond that.
const char *prelude_libraries(Arena *a);
#define PRELUDE_PATH "/sculpt-prelude.h" // exists in libclang's eyes alone
// Is this the file that the prelude is for clang?
bool is_prelude(const char *file);
#define UNDEFINED_PATH "/sculpt-undefined.h" // the same, for what undefined.c declares
// marks.c: splits pragma lines (found by position in the text) into kind and clauses.
void marks_read(Compile *c, AstUnit *u);
bool pragma_says(const Pragma *p, const char *word); // among the directive's words
const Clause *pragma_clause(const Pragma *p, const char *name); // the first one; NULL: it has none
Decl *ast_function_at(const AstUnit *u, size_t at); // in whose body the byte stands; NULL: none
bool ast_has_effect(const Ast *e); // or a call, whose effects nobody asked about
bool ast_same(const Ast *x, const Ast *y); // the same operators on the same variables and numbers
#endif
