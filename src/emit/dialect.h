// SPDX-License-Identifier: MIT
// dialect.h -- what differs between the C-family languages, and the printer's own state.
//
//   emit_kernels, emit_nest_c, emit_inspect, emit_program
//     -> printer.c (tree) -> phase.c (threads, dealt copies) -> lanes.c, simd.c (vector loops)
//     -> assign.c (statements) -> expr.c, access.c (elements)
//   all of them ask a Dialect (cuda.c opencl.c c.c) for their words
//
// A dialect is a table of words and a few functions. The printer writes a body first, collects
// the helper functions that the body turned out to need, and only then is a text assembled.
#ifndef SCULPT_EMIT_DIALECT_H
#define SCULPT_EMIT_DIALECT_H
#include "emit/emit.h"

typedef struct Printer Printer;

// How a function of ir/forms.c is called here.
typedef struct FormWord {
    const char *fn, *name;
    const char *text;              // of a helper function of that name; NULL: it is there
} FormWord;

// What is left of hi : lo by m, bit by bit.
#define WIDE_REMAINDER(before, word)                                                                      \
    before " " word " sculpt_wide_remainder(" word " hi, " word " lo, " word " m)\n{\n    hi %= m;\n"      \
    "    for (int k = 0; k < 64; k++) {\n        int over = hi >> 63 != 0;\n"                             \
    "        hi = hi << 1 | lo >> 63;\n        lo <<= 1;\n        if (over || hi >= m) hi -= m;\n"        \
    "    }\n    return hi;\n}\n"

typedef struct Dialect {
    const char *type[T_COUNT];     // how each type is called
    const char *suffix_i64, *suffix_u64;
    const char *inf[2], *nan[2];   // f32, f64
    const char *fma[2];            // f32, f64
    const char *block[3], *thread[3]; // the index of this block or thread; NULL: real loops
    const char *global, *shared;   // address spaces as they stand before a type
    const char *shared_pointee;    // the latter in casts to pointers
    const char *aligned[2];        // what makes a variable 16-byte aligned: before its type,
                                   // behind its declarator
    const char *barrier;           // the statement at which a block's threads wait; NULL: none
    const char *barrier_warp;      // … those of a warp; NULL: as a block's
    bool big_shared;               // shared memory beyond STATIC_SHARED is sized at launch
    const char *helper;            // what stands before a helper function
    const char *own;        // what names of helpers begin with; NULL: sculpt_
    const char *unroll;            // format of the line before a loop; takes the factor
    const char *unroll_all;        // the same, for all iterations
    const char *call_prefix;       // before each math function's name
    const char *rsqrt;             // text of float sculpt_rsqrt(float x), 1/sqrtf(x) rounded twice; NULL
    const char *divide;            // text of float sculpt_divide(float x, float d), d an odd integer; NULL
    const FormWord *words;         // ends with a NULL fn; NULL: none
    unsigned forms;                // the MathForms of a nest's statements that it has own words for
    bool inline_only;              // no helper functions can be printed: spell them out
    bool vla;                      // arrays of variable length may be declared
    bool heap;                     // malloc and free exist
    bool simd;                     // values of vector types, as GNU C has them
    const char *const *reserved;   // words that cannot name a variable; NULL ends
    // How the C function `fn` of math.h is called here; NULL: it has no counterpart.
    // "%s" stands for the arguments ("sqrt(%s)").
    const char *(*call)(Arena *a, const char *fn);
    // One update `*place op= value` of type t that no other thread can tear; place and value
    // are C text, space the address space before a type.
    void (*atomic)(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space);
    // The same in global memory, of 4 or 8 bytes, where threads side by side may update one element. NULL:
    // like any other.
    void (*atomic_joined)(Printer *p, Op op, Type t, const char *place, const char *value);
    // Vectors of two and four: the type's name without the number, NULL for none. NULL: no
    // dialect without threads has any.
    const char *(*vector)(Type t);
    // Prints a copy of 4, 8 or 16 bytes to shared memory that goes on by itself; what ends a
    // group of them; a wait until at most `pending` groups are under way. NULL: plain copies.
    void (*async)(Printer *p, const char *to, const char *from, int bytes);
    void (*commit)(Printer *p);
    void (*wait)(Printer *p, int pending);
    // Prints a matrix instruction with these operands (matrix_parts). NULL: there are none, and loops that
    // name them are printed as they stand.
    void (*matrix)(Printer *p, const Matrix *m, const char *const *part);
    // Text of a function NAME of n pointers that waits for the launch ahead, which may have written there,
    // and lets the next one begin. NULL: no launch begins early.
    const char *(*wait_for_launch)(Arena *a, const char *name, int n);
    // The kernel's head up to and including "{" and what unpacks the arguments.
    void (*open_kernel)(Printer *p, const Node *kernel, const KernelSig *sig);
    // What stands behind its "}"; NULL: nothing.
    void (*close_kernel)(Printer *p, const Node *kernel, const KernelSig *sig);
    // What stands before the helpers and kernels.
    void (*prelude)(const Printer *p, Text *out);
} Dialect;

extern const Dialect dialect_cuda, dialect_opencl, dialect_c;
extern const Dialect dialect_host; // C inside a function of the user's: nothing but statements

// A base pointer as the text at hand sees it.
typedef struct Object {
    const char *name; // Array.object
    Type elem;        // what it points to, unless bytes
    bool bytes;       // several element types or strides: addressed in bytes
    bool written;
} Object;

typedef struct Helper {
    const char *name, *text;
} Helper;

// A counter of thread loops as a digit of the thread's number: lo + number / weight % extent.
typedef struct Digit {
    const Sym *sym;
    int64_t extent, weight;
    Expr *lo;
    bool leads;     // no digit stands above it: number / weight is less than extent
    bool differs;   // it can't be declared at the kernel's head: it is a constant or begins at
                    // no constant, or another phase has another digit of this name
} Digit;
typedef VEC(Digit) Digits;

// A counter that the text declares.
typedef struct Counter {
    const Sym *sym;
    bool narrow;    // in 32 bits, its own type having 64
    bool known;     // the least and the greatest value that it has here are
    int64_t least, most;
} Counter;

struct Printer {
    Compile *c;             // NULL: nothing can be reported (emit_expr_c)
    Arena *a;
    const Dialect *d;
    bool wide, fast_math;
    bool reassociate;       // sums may be reordered
    bool sequential;        // one thread runs everything: no atomics, no parallel pragmas
    bool c89;               // declarations stand at the heads of blocks alone
    bool lines;             // each access to global or shared memory begins a line, behind the
                            // number of its statement in the kernel and its array's name
    int statement;          // that number; -1: outside of all
    const Node *kernel;     // being printed
    Text out;               // the body under construction
    int indent;
    VEC(Object) objects;
    VEC(Helper) helpers;    // in order of first use
    EmitTexts *ahead;       // of EmitOptions
    VEC(const Sym *) fixed; // parameters whose values are known, counters of loops printed as copies…
    VEC(Expr *) value;      // …and their values
    int nknown;             // how many of them are parameters
    // How a symbol or array's base is spelled when not by its own name; NULL: by its name.
    const char *(*spell_sym)(const Printer *p, const Sym *s);
    const char *(*spell_object)(const Printer *p, const Array *array);
    // Prints an N_COPY without destination (the leaf of an inspection).
    void (*leaf)(Printer *p, const Node *n);
    // Host programs: prints a launch; begins and ends the life of a temporary array.
    void (*launch)(Printer *p, Node *kernel);
    void (*temporary)(Printer *p, const Array *array, bool begin);
    void *hook_arg;         // for these three
    int omp;                // inside how many parallel loops
    bool shared_loop;       // all that the kernel does is one loop that its threads share
    int64_t threads;        // of a block in a kernel with phases; 0 elsewhere
    bool in_phase;          // inside a phase of such a kernel
    Digits digits;          // those declared at the kernel's head
    VEC(Counter) counters;  // that can be seen here, inner ones last
    int grouped;            // inside how many branches whose async copies are grouped outside
    bool uses_math;         // math.h
    bool truncates;         // a floating-point value becomes an integer
    Loc loc;                // of the statement being printed
    bool failed;            // diagnosed; the text is of no use
};

// printer.c
void put(Printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void put_line(Printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void put_indent(Printer *p);
void put_tree(Printer *p, Node *n);   // statements at the current indentation
void put_local(Printer *p, const Array *array, const char *space); // one declaration
void emit_fail(Printer *p, DiagCode code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void put_unrolled(Printer *p, Node *loop); // whole
// Trip count of a loop whose bounds are literals (after unrolling around it), else -1.
int64_t emit_trips(const Printer *p, const Node *loop);
// The same where both bounds are one expression plus constants.
int64_t emit_extent(const Printer *p, const Node *loop);

// names.c
const char *emit_name(const Printer *p, const char *name); // not a reserved word
const char *emit_sym(const Printer *p, const Sym *s);
const char *emit_type(const Printer *p, Type t);
const char *emit_file(const char *path);                   // without its folders

// expr.c: binding strengths, so that operands get parentheses where C wants them
enum { PREC_ANY = 0, PREC_SELECT = 3, PREC_UNARY = 14, PREC_PRIMARY = 15 };
void put_expr(Printer *p, const Expr *x, int prec);
const char *expr_text(Printer *p, const Expr *x, int prec); // the same as a string
Expr *emit_resolve(const Printer *p, Expr *x);              // counters of copies replaced
void put_condition(Printer *p, const Expr *x);              // something that `if` takes

// helper.c: returns the name of a helper function, remembered for printing
const char *helper_minmax(Printer *p, Op op, Type t);
const char *helper_floor(Printer *p, Op op, Type t);        // OP_FDIV, OP_FMOD
// `*place op= value` by compare-and-swap; see atomic.c. cas: format of the exchange of a
// word (w, old, new); narrow: words of 8 and 16 bits can be exchanged too.
void atomic_by_cas(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space, const char *cas, bool narrow);
const char *atomic_combined(Printer *p, Op op, Type t); // the value of "x op y", both of type t
const char *atomic_word(Op op);                         // what op_text says, as a part of a name
void helper_add(Printer *p, const char *name, const char *text);
bool helper_has(const Printer *p, const char *name);

// index.c: what bounds, conditions and subscripts are made of, in 32 bits where the printer may
bool emit_narrows(const Printer *p);
Expr *emit_index(Printer *p, Expr *x);               // resolved
// Does the condition hold for all counters here, by the sizes that are known?
bool emit_holds(const Printer *p, Expr *cond);
// The type in which a counter between lo and hi (NULL: a constant more) is declared. It can be seen until
// p->counters.n is what it was.
Type counter_begin(Printer *p, const Sym *s, Expr *lo, Expr *hi);
// The counter that was begun last goes from lo to hi - 1.
void counter_within(Printer *p, Expr *lo, Expr *hi);
bool counter_is_narrow(const Printer *p, const Sym *s);

// access.c
void objects_collect(Printer *p, Node *root);               // every base pointer below root
const Object *object_find(const Printer *p, const Array *array);
const char *object_name(const Printer *p, const Array *array);
// Is x, of a kernel's signature, a table of constants that stands in the kernel's own text? Then compilers
// compute with its elements where they know the subscript.
bool emit_is_table(const Printer *p, const Array *x);
void put_table(Printer *p, const Array *x, const char *qualifiers);
const char *object_type(const Printer *p, const Array *array); // "const float", "unsigned char"
// A register that stands for one element has no dimensions where it is printed.
bool dimension_is_stored(const Printer *p, const Array *array, int k);
void put_element(Printer *p, const Array *array, Expr *const *sub);
// what begins its line, where it has one of its own
const char *access_line(const Printer *p, const Array *array);

// assign.c: N_STMT and N_COPY
typedef struct Assign {
    const Array *array;
    Expr **sub;
    Op op;
    Expr *rhs;
    Expr *x, *y;         // fused: rhs is x * y, rounded together with the addition; rhs is NULL
    bool atomic, async;
    const char *place;   // the text of the element, if not that of array and sub
} Assign;
Assign assign_of(Printer *p, const Node *n);
void put_update(Printer *p, const Assign *g);      // without the indentation and the line's end
void put_note(Printer *p, const Node *n);          // " // S0 file.c:7" and the line's end
const char *element_text(Printer *p, const Array *array, Expr *const *sub);
void begin_leaf(Printer *p, const Node *n);        // where what is printed next comes from
void put_assign(Printer *p, Node *n);

// fast.c: x as the permissions allow it to be computed
Expr *fast_form(Printer *p, Expr *x);

// lanes.c: a vector loop on a machine that has no loops over lanes
void put_lanes(Printer *p, Node *loop);
// The factor of a counter in an integer expression; false: it isn't linear in it.
bool index_factor(const Expr *x, const Sym *s, int64_t *factor);

// simd.c: a vector loop in values of vector types; false: nothing was printed
bool put_simd(Printer *p, Node *loop);

// phase.c: kernels whose blocks work in phases
Node *only_loop(Node *n);                          // n or what alone stands in it; NULL: no loop
void put_digits(Printer *p, Node *kernel);         // sets threads; declares the number's digits
void put_phase(Printer *p, Node *loop);            // a nest of thread loops
void put_coop(Printer *p, Node *loop);             // a copy dealt over all threads
bool holds_async(const Node *n);                   // copies that are grouped around n

// shared.c: shared memory of a kernel, at its head
void put_shared_arrays(Printer *p, Node *kernel);

// early.c: the kernel's first statement, where it waits for the launch ahead
void put_wait(Printer *p, const KernelWait *w);

// math.c: is fn a function of C99's math.h (or abs and its kin)? base: its name for double.
bool math_known(const char *fn, const char **base);
// The row of a function of ir/forms.c; NULL: the dialect has none.
const FormWord *form_word(const Dialect *d, const char *fn);

// kernels.c
void put_params(Printer *p, const char *head, int n, const char *const *params);
int64_t emit_threads(const Printer *p, const Node *kernel, int64_t each[3]); // -1: not constant
Printer printer_new(Compile *c, const Dialect *d, bool wide);
char *printer_finish(Printer *p);     // prelude, helpers, body; NULL when it failed
#endif
