// SPDX-License-Identifier: MIT
// ir.h -- Region and Nest: what the user's loops say, and how they run.
//
//   Region   what the user wrote: parameters, arrays, statements, one tree of
//            serial loops. Immutable once the front end has made it.
//   Nest     a value: a tree of loops, kernels, statements and copies over one
//            Region, the buffers it adds, and the parameter values (`when`)
//            for which it means the same as the Region.
//
// Both are trees of Node, printed and parsed by one text form (ir_print,
// ir_parse). Everything lives in the arena of its Compile. Nodes, expressions
// and symbols are never changed after construction, only replaced: a rule
// copies the spine above what it changes (node_replace).
#ifndef SCULPT_IR_H
#define SCULPT_IR_H
#include "base/base.h"
#include "ir/walk.h"

// ---- types -------------------------------------------------------------------
typedef enum Type {
    T_NONE,
    T_BOOL, // C's _Bool
    T_I8, T_U8, T_I16, T_U16, T_I32, T_U32, T_I64, T_U64,
    T_F32, T_F64,
    T_COUNT
} Type;
const char *type_name(Type t); // "i32", "f64", ...
Type type_from_name(const char *name); // T_NONE: no such type
int type_size(Type t);         // bytes
bool type_is_float(Type t);
bool type_is_int(Type t);      // bool too
bool type_is_signed(Type t);   // integers only
int64_t type_least(Type t);    // of an integer type
int64_t type_most(Type t);     // of u64: what an int64_t can hold

// ---- symbols -------------------------------------------------------------------
// A value that does not change while it can be seen: a parameter of the region
// (a scalar of the program that the region only reads, whatever its type) or a
// loop counter. Compared by address; names are unique within a Region or Nest.
typedef enum SymKind { SYM_PARAM, SYM_ITER } SymKind;
typedef struct Sym {
    const char *name;
    SymKind kind;
    Type type;
    // The C expression that gives a parameter at the region's place ("p->n");
    // NULL for counters and for parameters that an Inspect computes.
    const char *source;
    bool held; // the source is a place, of which a device may have a newer value by a directive. Not printed
    // A counter that the program keeps in this type, in which it would wrap around before it ended if
    // steps of more than one, or `exactly`: a condition with !=, led beyond the bound. Such sizes are
    // left to the program (dep/relation.c). T_NONE: its counter does not wrap.
    Type counted;
    bool exactly;
    // For people, not printed: the program's name of a counter that has another here, NULL: it has the same;
    // and where the program's counter begins of which this one counts how far it has come down, NULL: it is
    // that.
    const char *said;
    struct Expr *down;
} Sym;

// ---- arrays --------------------------------------------------------------------
typedef struct Expr Expr;

typedef enum Place {
    PLACE_USER,     // the program's own memory; rank 0 is a scalar variable
    PLACE_LOCAL,    // private: one copy for each execution of the block that declares it
    PLACE_TEMP,     // device memory made for one execution of the nest
    PLACE_SHARED,   // one copy a thread block (CUDA shared, OpenCL local)
    PLACE_REGISTER, // one copy a thread, kept between the phases of a block: declared outside
                    // the thread loops; the first `digits` subscripts are the counters of the
                    // thread loops around the access, outermost first
} Place;

typedef struct Array {
    const char *name;
    Type elem;
    Place place;
    int rank;       // 0: a scalar
    Expr **extent;  // [rank], elements; extent[0] may be NULL (unknown), the others never.
                    // Row-major: the last subscript is the contiguous one.
    // Where element 0 is: user arrays that share `object` share one base pointer.
    // A plain array is an object of its own, with stride == type_size(elem) and
    // offset 0; the field of an array of structs has stride sizeof(struct).
    const char *object; // name of the base pointer; equal to name for plain arrays
    int64_t stride;     // bytes from one element to the next
    int64_t offset;     // bytes from the base pointer to element 0
    int packed;         // fields of one aligned record (a float4), which a lane may move at once: that many
                        // bytes, offset % packed of them before this field; 0: elements are moved one by one
    const char *source; // C expression for the base pointer ("p->data", "&s" for a scalar)
    bool live_out;      // PLACE_USER: the value after the region matters to the program
                        // (false for scalars and arrays of the function proved dead)
    bool constant_size; // all extents are declared by the program and count as its bounds
    bool rows;          // so do all but the first, of two or more: int (*a)[n]
    bool constant;      // PLACE_USER of a hand-written kernel: in constant memory. Not printed
    int lanes;          // PLACE_SHARED of one: what lanes of a warp hand each other, in order; 2: they add it
                        // up in an order of their own. Not printed
    // the members of records that lead to the array, a line each, behind what tells the outermost
    const char *member;
    const char *said;   // what the program has in its place; NULL: an array or scalar. Not printed
                        // record; NULL: none, or a pointer went there. Not printed
    bool apart;         // rows are objects of their own at equal distances (double **a)
    int levels;         // of a table of pointers to rows, how many subscripts lead to one, and C for it, the
    const char **row;   // subscripts between the pieces; 0: none. Not printed
    bool guessed;       // PLACE_USER: it is read where the program may not come to, so its memory need not be
                        // there: the system is asked before each call
    int nvalues;        // PLACE_USER, of constants of the program: its elements, row-major (of floats a
    const int64_t *values; // double's bits), or of large ones the least and the greatest. NULL: not known
    bool held;          // of a scalar: as of a parameter. Not printed
    bool lone;          // PLACE_USER: a number of the function's own that no pointer leads to. Not printed
    bool mixed;         // what is stored in it may be read as another type. Not printed
    bool watched;       // rank 0, named by no statement: the place of a parameter, or of a pointer,
                        // that must not lie in what the region writes; only the guard looks at it
    bool counter;       // of a watched one: of a loop's counter, which must not lie in what it reads, either
    // A buffer that caches elements of another array: element e of `of` is found at
    // e - origin. Subscripts of such a buffer are always those of `of` (the logical
    // element), so redirecting an access never changes its subscripts.
    struct Array *of;   // NULL: not a cache
    Expr **origin;      // [rank], evaluated where the buffer is declared; NULL: all zero
    int digits;         // PLACE_REGISTER: how many leading subscripts name the thread; their
                        // extents are those of the thread loops. No such dimension is stored.
} Array;

// May an element of x share bytes with one of y? Two views of one object do, unless they are
// different fields of its structs.
bool arrays_may_overlap(const Array *x, const Array *y);
struct Region;
bool region_writes(const struct Region *r, const Array *x); // or what may share bytes with it

// ---- expressions -----------------------------------------------------------------
// Part of a vector that a lane moves at once, *(float4 *)&a[i] of a hand-written kernel: `bytes` together, of
// which this element begins at byte `at`. bytes 0: it is moved alone. Not printed, not compared.
typedef struct Moved {
    short bytes, at;
} Moved;

// Immutable, shared. Operators take operands of one type (the front end makes C's
// conversions explicit casts); comparisons and logical operators give T_I32.
// Signed overflow does not happen (as in C); unsigned arithmetic wraps.
typedef enum ExprKind {
    E_INT,    // i, of any integer type
    E_FLOAT,  // f
    E_SYM,    // sym
    E_LOAD,   // array[args...]
    E_OP,     // op(args...)
    E_CAST,   // (type) args[0]; float to int truncates
    E_CALL,   // fn(args...): a C99 math function by its C name ("sqrtf", "exp")
} ExprKind;

typedef enum Op {
#define OP(name, text, arity) OP_##name,
#include "ir/op.def"
#undef OP
    OP_COUNT
} Op;
const char *op_text(Op op);  // "+"
int op_arity(Op op);
Op op_mirrored(Op op);       // of a comparison, seen from its other side: y > x is x < y

struct Expr {
    ExprKind kind;
    Type type;
    Op op;
    int nargs;
    Expr **args;     // operands, subscripts or call arguments
    int64_t i;
    double f;
    const Sym *sym;
    const Array *array;
    const char *fn;
    Loc loc;         // E_LOAD of a hand-written kernel: where the access is written; not compared
    Moved moved;     // E_LOAD
};

Expr *expr_int(Arena *a, Type t, int64_t v);
Expr *expr_float(Arena *a, Type t, double v);
Expr *expr_sym(Arena *a, const Sym *s);
// Such a sum on top of e, one fma for each product: fma(a, b, … fma(c, d, e)).
Expr *expr_products_onto(Arena *a, const Expr *x, Expr *e);
Expr *expr_load(Arena *a, const Array *array, Expr **subscripts); // [array->rank]
Expr *expr_op(Arena *a, Op op, Expr *x, Expr *y, Expr *z);  // unused operands NULL; folds constants
Expr *expr_cast(Arena *a, Type t, Expr *x);                 // x itself when the type is already t
Expr *expr_call(Arena *a, const char *fn, Type t, int n, Expr **args);
bool expr_equal(const Expr *x, const Expr *y);              // same structure
bool expr_is_int(const Expr *x, int64_t v);                 // the literal v?
Expr *neutral_element(Arena *a, Op op, Type t);             // of an update's operator
Expr *expr_updated(Arena *a, Op op, Expr *old, Expr *e);    // old op e, as a program writes it
// Updates of integers are computed modulo 2^n: in text that is the arithmetic of an unsigned type, for C's
// int must not overflow on the way. That type; T_NONE: their own will do.
Type update_modular(Op op, Type t);
Expr *expr_modular(Arena *a, Type u, Expr *x); // an operand of such an update in the unsigned type u
// Integer index arithmetic in the type of x (y is cast): x+y, x-y, x*y, folded.
Expr *expr_add(Arena *a, Expr *x, Expr *y);
Expr *expr_sub(Arena *a, Expr *x, Expr *y);
Expr *expr_mul(Arena *a, Expr *x, Expr *y);
// A copy of x in which from[k] is to[k] (k < n), cast to the symbol's type if needed.
Expr *expr_subst(Arena *a, Expr *x, int n, const Sym *const *from, Expr *const *to);
// Calls visit for x and everything below it, as expr_each (walk.h) goes.
void expr_walk(const Expr *x, void (*visit)(const Expr *x, void *arg), void *arg);
bool expr_any(const Expr *x, bool (*is)(const Expr *x)); // is x, or anything below it?
bool expr_asks_nan(const Expr *x);      // a condition that holds only where some number is NaN (x != x)
bool expr_uses_sym(const Expr *x, const Sym *s);
bool exprs_use(Expr *const *x, int n, const Sym *s);     // does one of them?
bool expr_uses_iters(const Expr *x);                     // any counter at all
bool expr_scales(const Expr *x, const Sym *s);           // is something with a counter multiplied by it?
bool expr_has_load(const Expr *x);
int expr_loads(const Expr *x);          // how many
// x without casts of integers to types that have room for them: of two values none become one.
const Expr *expr_kept(const Expr *x);
bool expr_is_index(const Expr *x);      // an element of an array of rank 1, whose place reads nothing
bool expr_is_products(const Expr *x);   // fma(a, b, … c * d): several products of floats, summed
bool expr_zero_of_zeros(const Expr *x); // certainly 0, and no NaN, when all that it reads is 0

// ---- statements ------------------------------------------------------------------
// One assignment of the user's text: lhs = rhs, or the update lhs op= rhs, where rhs
// does not read the element of lhs. An update is OP_ADD, OP_MUL, OP_MIN, OP_MAX,
// OP_AND, OP_OR, OP_XOR, OP_LAND or OP_LOR; OP_SET is a plain assignment.
// Sums and products of integers wrap, signed ones too: updates may come in any order.
// OP_MIN is `if (rhs < lhs) lhs = rhs`, OP_MAX is `if (rhs > lhs) lhs = rhs`.
// acc += x*y under contraction is an update with `fused` set: lhs = fma(x, y, lhs),
// rhs being OP_MUL(x, y) as written.
typedef struct Stmt {
    const char *label;   // "S0", unique in the region
    Loc loc;
    int depth;           // number of counters around it
    const Sym **iters;   // [depth], outermost first
    const Array *lhs;
    Expr **sub;          // [lhs->rank], over iters and parameters
    Op op;
    bool fused;
    bool atomic;         // the user asked (omp/acc atomic)
    bool async;          // of a hand-written kernel: it lands when its thread waits for it
    Moved moved;         // the lhs
    Expr *rhs;
} Stmt;
// The accesses of a statement in a fixed order: number 0 is lhs, then the loads of
// sub, then those of rhs, as expr_walk meets them.
typedef struct Access {
    const Array *array;
    Expr *const *sub; // [array->rank]
    bool write, read; // an update's lhs is both
    Loc loc;          // of the access in the user's text; no line: that of its statement
} Access;
typedef VEC(Access) AccessVec;
bool access_names(const Access *x, const Sym *s); // does a subscript use it?
AccessVec stmt_accesses(Arena *a, const Stmt *s);
bool stmt_is_own(const Stmt *s, const Expr *x); // is x a load of the element that s sets, to the letter?

// ---- the tree ----------------------------------------------------------------------------------
typedef enum NodeKind {
    N_SEQ,    // children in order; a block that may declare locals
    N_FOR,    // one loop
    N_IF,     // cond, then, else
    N_STMT,   // an instance of a statement of the region
    N_COPY,   // dst[sub] = src, or dst[sub] op= src: data movement that a rule added
    N_KERNEL, // one launch: everything below runs on the device
    N_BARRIER,// all threads of the block, or of a warp, wait for each other; in what dep_barriers returns
              // alone, never in a nest
} NodeKind;

// A kernel is a plain program with parallel marks: run in order it means what the kernel
// means. Block loops stand outermost, and nothing beside them. Thread loops stand inside the
// serial loops that order the phases of a block:
//
//   block ib { block jb { register acc[16][16][8][8]; shared sb[16][128], sc[16][128];
//       thread tj { thread ti { acc[tj][ti][…][…] = 0 } }
//       for kt {
//           coop k { coop i { copy sb[k][i] = b[16 * kt + k][128 * ib + i] } }
//           coop k { coop j { copy sc[k][j] = … } }
//           thread tj { thread ti { for k { … acc += sb * sc … } } }
//       }
//       thread tj { thread ti { … } }
//   } }
//
// One nest of thread loops is a phase. The counters of a phase, outermost first, are the
// digits of the thread's number, the innermost the fastest; a phase of fewer threads than
// the block leaves the last ones idle. No floor or modulus of a thread's number stands in a
// tree. A coop nest (loops standing directly inside each other, constant extents, step 1,
// around one copy and its conditions) is a phase too. No rule writes a barrier: dep_barriers
// computes them, and emission prints them. A kernel with one phase that is all of its block
// loops' body, and at most three thread loops, has x, y and z threads instead of digits.
//
// A thread's async copies form groups, in the order of execution. In each sequence the longest
// runs of neighbouring children that hold async copies are one group each; a barrier ends a
// run. A branch counts as one child whatever stands in it, and closes its group outside, so
// that all threads have the same number of groups even where the branch is not taken. What
// stands below a loop other than coop and vector loops, or in a sequence of its own, is
// grouped there, each time it runs, and not once more outside:
//
//   {  coop A async   coop B async   barrier   for s { coop C async }   if (x) { coop D async } }
//      └────────── 1 ──────────┘               one an iteration         └ 1, also if x is false ┘
typedef enum How {
    HOW_SERIAL,
    HOW_BLOCK,   // iterations are thread blocks (at most 3 a kernel; the innermost is x)
    HOW_THREAD,  // iterations are threads of a block (constant extents; the innermost is x)
    HOW_COOP,    // iterations of a copy are dealt over all threads of the block; in phases
    HOW_VECTOR,  // iterations are lanes of one instruction
    HOW_UNROLL,  // unrolled whole by the printer (constant trip count)
    HOW_COUNT
} How;
const char *how_name(How h);

// What the user's pragma says of a loop; on Region loops only.
typedef enum Assert { ASSERT_NONE, ASSERT_PARALLEL, ASSERT_SEQ } Assert;
typedef struct Mark {
    Loc loc;
    Assert assert;            // omp for / acc independent: the user vouches for parallelism
    bool dealt;               // to threads that run already (omp for), each with variables of its own
    // reduction(op: var): permission to reassociate; `=`: lastprivate(var), whose order has to be proved. Of
    // neither the mark says that iterations do not share it.
    int nred;
    const Array **red;
    Op *redop;
    const char *untold;       // arguments of a reduction by a declared operator whose meaning is not told
} Mark;

// Does the mark (which may be NULL) permit updates of the array, or of a temporary that stands for it, in any
// order?
bool mark_reduces(const Mark *m, const Array *array, Op op);
bool mark_permits(const Mark *m, const Array *array); // …whatever the operator is
bool mark_vouches(const Mark *m); // that the loop is parallel, and for all it touches

typedef struct Node Node;
struct Node {
    NodeKind kind;
    Loc loc;
    // N_SEQ
    int nkids;
    Node **kids;
    int nlocals;              // arrays whose life is one execution of this block
    const Array **locals;     // PLACE_LOCAL, _SHARED (in kernels) or _TEMP (at the host root)
    // N_FOR: for (iter = lo; step > 0 ? iter < hi : iter > hi; iter += step) body
    // iter is an i32 or i64, so that no distance between bounds wraps; unsigned only where memory says lo or
    // hi
    const Sym *iter;
    Expr *lo, *hi;            // evaluated once, at entry
    int64_t step;             // not 0
    How how;
    int unroll;               // a serial loop printed with this unroll factor (0, 1: leave)
    bool graph;               // of the host: the device may note its launches once and replay them
    const struct Matrix *matrix; // the loop, with those inside, is to be done by such instructions (matrix.c)
                              // where it fits and the device has them; NULL: none. Of what matrix_bound
                              // makes alone: an N_COPY that is one
    Node *body;               // N_FOR, N_KERNEL
    const Mark *mark;         // NULL: none
    // N_IF
    Expr *cond;
    Node *then, *other;       // other may be NULL
    // N_STMT: the instance `at` of stmt; access number k goes to via[k] when not NULL
    const Stmt *stmt;
    Expr **at;                // [stmt->depth]: values of stmt->iters
    int nvia;
    const Array **via;        // [nvia]; nvia is 0 or the number of accesses
    Expr ***via_sub;          // [nvia]; NULL, or where access k finds its element in via[k], over
                              // the counters around this node; an entry that is NULL: via[k]
                              // caches the array (`of`) and takes the access's own subscripts
    bool atomic;              // the update must be atomic between threads; of an N_COPY too
    unsigned forms;           // how its functions and divisions are computed: of MathForm, 0: as written
    // N_COPY: dst[sub] op= src
    const Array *dst;
    Expr **sub;               // [dst->rank]
    Op op;                    // OP_SET or an update
    Moved moved;              // the dst
    Expr *src;
    Expr **part;              // of such an instruction: loads of the sums, the rows', the columns' elements
    bool async;               // from device memory to shared memory, by no thread's register: the
                              // write may land any time before a barrier that waits for it. Set
                              // in coop nests alone, with OP_SET and a load as src.
    // N_KERNEL
    const char *name;         // unique in the nest, a C identifier
    int min_blocks;           // blocks that shall fit one multiprocessor together; 0: as it comes
    bool streamed;            // its data come and go launch by launch, while other launches run…
    int nmoves;
    struct Foot *moves;       // …these: the boxes that one launch touches, over parameters and the
                              // counters of the host loops around; none before the nest is closed
    const struct Outline *outline; // its body has the loops of the grid alone, for what a launch needs…
                                   // …stands here; NULL: the body is all of it
    // N_BARRIER
    bool alone;               // nobody waits for anybody: a hand-written kernel's thread ends a group of its
                              // asynchronous copies (pending COPIES_END), or waits for them
    bool warp;                // 32 threads with neighbouring numbers wait for each other alone
    int unfenced;             // a hand-written kernel's does not order memory of the block (1), of all (2)
    int pending;              // how many groups of async copies (see over `enum How`) may still be
                              // under way after it; 0: nothing may; -1: it waits for none
};

enum { COPIES_END = -2 };

Node *node_seq(Arena *a, int n, Node *const *kids);
Node *node_for(Arena *a, const Sym *iter, Expr *lo, Expr *hi, int64_t step, How how, Node *body);
Node *node_if(Arena *a, Expr *cond, Node *then, Node *other);
Node *node_stmt(Arena *a, const Stmt *s, Expr *const *at);
Node *node_copy(Arena *a, const Array *dst, Expr *const *sub, Op op, Expr *src);
Node *node_kernel(Arena *a, const char *name, Node *body);
Node *node_clone(Arena *a, const Node *n);      // this node only; children shared
// Are the trees the same to the word, with the same counters, arrays and statements, at the same places of
// the program? Nodes with what few have are so if they are one.
bool node_equal(const Node *x, const Node *y);
bool node_runs_alike(const Node *x, const Node *y); // two loops, whatever is in them
// Of all trees of the compile that are so the one that came first.
Node *node_once(Compile *c, Node *n);
// A copy of the tree in which `from` (an address in it) is `to`; to may be NULL inside
// a sequence, which removes it.
Node *node_replace(Arena *a, Node *root, const Node *from, Node *to);
// A copy of the tree with counters replaced by expressions, in `at`, bounds, conditions
// and copies. Loops over a replaced counter must not occur inside. A buffer that lies where
// a replaced counter says is another one in the copy, of the same name.
Node *node_subst(Arena *a, Node *root, int n, const Sym *const *from, Expr *const *to);
// Accesses of one array go to another of the same shape. NULL for NULL.
Node *node_redirect(Arena *a, Node *root, const Array *from, const Array *to);
Expr *expr_redirect(Arena *a, Expr *x, const Array *from, const Array *to); // the loads in x
// The tree in which blocks declare another array in the place of one; accesses stay as they are.
Node *node_declared_anew(Arena *a, Node *root, const Array *from, const Array *to);
// A copy of a loop or kernel with another body.
Node *node_around(Arena *a, const Node *around, Node *body);
// A copy of n alone, whose children are what map makes of them, in the order of the text. NULL takes a child
// out, and leaves an empty sequence where there must be one.
typedef Node *NodeMap(Node *n, void *arg);
Node *node_map(Arena *a, const Node *n, NodeMap *map, void *arg);
// A copy of n alone with what map makes of its own expressions: bounds, condition, subscripts, value,
// instance.
typedef Expr *ExprMap(Expr *x, void *arg);
Node *node_map_exprs(Arena *a, const Node *n, ExprMap *map, void *arg);
// x with what map makes of its operands; x itself where that changes none.
Expr *expr_map(Arena *a, Expr *x, ExprMap *map, void *arg);
Expr *expr_remake(Arena *a, const Expr *x, Expr **args); // with these operands
Expr **exprs_map(Arena *a, int n, Expr *const *x, ExprMap *map, void *arg);
// A copy of a statement's instance with via and via_sub of its own, an entry for each of its accesses.
Node *node_rerouted(Arena *a, const Node *n, int naccesses);
// A copy of a sequence with n nodes in the place of `gone` ones from number `at` on.
Node *seq_splice(Arena *a, const Node *seq, int at, int gone, int n, Node *const *kids);
// n, in a sequence if it is none, that declares these arrays, too.
Node *seq_declare_all(Arena *a, Node *n, int count, const Array *const *arrays);
Node *seq_declare(Arena *a, Node *n, const Array *array);
// A plain array of that name; its extents are still to be set.
Array *array_new(Arena *a, const char *name, Type elem, Place place, int rank);
// A copy with extents of its own, of which the first `more` are new and still to be set; name NULL: as it
// was.
Array *array_copy(Arena *a, const Array *from, const char *name, int more);
// In any of its expressions, or where an array that it touches lies.
bool node_uses_sym(Node *root, const Sym *s);
// Does a loop's bound or a condition below root name it?
bool tree_asks(const Node *root, const Sym *s);
// As node_each (walk.h) goes.
void node_walk(Node *root, void (*visit)(Node *n, void *arg), void *arg);
bool node_any(const Node *root, bool (*is)(const Node *n)); // is root, or anything below it?
// How many that count stand inside each other at most.
int node_depth(const Node *n, bool (*counts)(const Node *n));
int node_kernels(Node *root); // how many kernels it holds
// Which of the statements and copies below root, in that order, a leaf is; -1: none of them.
int node_leaf_number(const Node *root, const Node *leaf);
Node *node_kid(const Node *n, int k); // its direct child k, counted from 0; NULL behind the last
// The accesses of an N_STMT in the same order, where they really go: array and subscripts after
// via and via_sub, over the counters around the node. (A subscript that itself reads memory
// still names the array of the statement's text.) Those of an N_COPY: the element written, then
// the loads of the subscripts, then those of src. Other nodes have none.
AccessVec node_accesses(Arena *a, const Node *n);
// Those of any node: of loops and conditions the loads of their expressions; those of all below root.
AccessVec node_touches(Arena *a, const Node *n);
AccessVec tree_touches(Arena *a, const Node *root);
// Those of all statements below root, in the order of the text.
AccessVec tree_accesses(Arena *a, const Node *root);
// Does anything below root write it, or what may share bytes with it?
bool tree_writes(const Node *root, const Array *x);
// The value of an expression of the statement's text at instance n->at.
Expr *node_stmt_expr(Arena *a, const Node *n, Expr *x);
// The same with its loads where they really go. *access: the number of its first load, of the one behind it.
Expr *node_routed(Arena *a, const Node *n, Expr *x, int *access);

// ---- cheaper forms of functions and divisions (forms.c) ---------------------------------
typedef enum MathForm {
    FORM_RSQRT = 1, FORM_SQRT = 2, FORM_EXP = 4, FORM_LOG = 8, FORM_TRIG = 16, FORM_POW = 32,
    FORM_DIVIDE = 64, FORM_RECIPROCAL = 128,
} MathForm;
enum { FORM_ALL = FORM_RSQRT | FORM_SQRT | FORM_EXP | FORM_LOG | FORM_TRIG | FORM_POW | FORM_DIVIDE };
unsigned form_named(const char *name);          // 0: there is none of that name
const char *form_name(unsigned form);           // of one
const char *forms_text(Arena *a, unsigned forms); // "rsqrt, exp"
// x in these forms: its loads in the same number and order. x itself where nothing takes them.
Expr *math_form(Arena *a, unsigned forms, Expr *x);
// One operation as what all of its forms are alike in: the function itself, a product with a reciprocal.
Expr *math_common(Arena *a, Expr *x);
Expr *form_rhs(Arena *a, const Node *n);        // that of an N_STMT's statement, over its counters
unsigned forms_in(Arena *a, Expr *x);           // those that x has a place for
bool forms_round(Arena *a, unsigned forms, Expr *x); // may they change its value?

// ---- matrix instructions (matrix.c) -------------------------------------------------------
// A warp adds to m x n sums the products of m x k and k x n elements.
typedef struct Matrix {
    const char *name;         // "m16n8k8"
    Type elem;
    int m, n, k;
    int compute;              // NVIDIA's compute capability that has it, at least
    bool ordered;             // known to do so in the order of k, by fused multiply-adds, bit for bit
} Matrix;
const Matrix *matrix_named(const char *name); // NULL: there is none
int matrix_sums(const Matrix *m);             // that a lane has; and all of its elements
int matrix_parts(const Matrix *m);
// The kernel with instructions in the place of the loops that name them, as far as these fit. For printers
// and the model. reassociate: terms may be added in another order.
Node *matrix_bound(Arena *a, bool reassociate, Node *kernel);
// Why the loop, which names an instruction, is none that it computes; NULL: it is.
const char *matrix_misfit(Arena *a, bool reassociate, Node *root, const Node *loop);

// How many iterations a loop with these ends and this step makes, at most 2^62; -1: they are no literals.
int64_t loop_literal_trips(const Expr *lo, const Expr *hi, int64_t step);

// ---- loops that end when the data say so (leave.c) --------------------------------------
// A loop of so many iterations has no bound: `while` is a loop whose body is one condition on private scalars
// that it sets itself, and when it is false, nothing happens in any later iteration.
#define LOOP_UNBOUNDED ((int64_t)1 << 62)
enum { LOOP_ROUNDS = 16 }; // how many of them estimates take for granted
bool loop_is_unbounded(const Node *loop);
// That condition's N_IF, of bounded loops too: the loop may end where it is false. NULL: there is none.
Node *loop_while(const Node *loop);
// for k = x[place] .. x[place + 1]: the array x of the program's; NULL: the loop is none like that.
const Array *loop_stretches(Arena *a, const Node *loop, Expr **place);
// Has each unbounded loop such a condition? loops_end: and does it stand inside a kernel?
bool loops_leave(Node *root);
bool loops_end(Node *root);

// ---- run-time inspection -------------------------------------------------------------
// An extent that only the data tell: x[col[j]]. The host runs `tree`, a slice of the
// region's loops, and takes the least and greatest value of `value` at its leaves (each
// an N_COPY whose src is a value, T_I64; its dst is NULL). They become parameters lo and
// hi (T_I64; for no instance at all lo = 0, hi = -1).
typedef struct Inspect {
    const Array *array;
    int dim;
    const Sym *lo, *hi; // parameters of the region
    Node *tree;
    bool loose;         // leaves stand under fewer conditions than the accesses: lo, hi may be outside
    const Sym *differ;  // T_I64: not 0 where no value is there twice, of the leaf that stands for the only
                        // statement that touches the array (rank 1), which writes it. NULL: not asked
} Inspect;

// ---- region ----------------------------------------------------------------------------
typedef enum MarkKind { MARK_AUTO, MARK_SCOP, MARK_SCULPT, MARK_ACC, MARK_OMP } MarkKind;
typedef struct Region {
    const char *name;      // function_line, a C identifier
    Loc loc;               // of the first loop
    MarkKind marked;       // what made it a region
    bool reassociate;      // float sums, products, minima and maxima may be reordered in the whole region
    bool fast_math;        // division, functions and denormals need not be exact
    bool contracted;       // a sum of a product is rounded once, which the program leaves open. Not printed
    bool chunks;           // its loop was cut in chunks for many threads; few gain nothing
    bool linear;           // it could be, if sums might come in another order. Not printed
    bool approximate;      // statements may be computed in cheaper forms (Node.forms); fast_math says so too
    int nparams;
    const Sym **params;
    int narrays;
    const Array **arrays;  // PLACE_USER, in order of first use
    int nstmts;
    const Stmt **stmts;
    int nassumes;
    Expr **assumes;        // conditions over parameters that hold here in any C run
    int ninspects;
    const Inspect **inspects;
    Node *root;            // N_SEQ; all loops serial
} Region;
// The inspection of a dimension of x; NULL: there is none.
const Inspect *region_inspect(const Region *r, const Array *x, int dim);

// ---- nest ------------------------------------------------------------------------------
// The part of a user array that a nest touches: a box of subscripts, ends included,
// as expressions over the parameters. Empty when lo > hi in any dimension.
//
// Only what the program itself touches is known to be the program's: between the first and the
// last element that it touches lies one object, but a box may begin before and end behind them.
//
//   for i, j in n, n - i: a[i][j]      xxxx   box 0..n-1, 0..n-1; what follows the last x in
//                                      xxx.   the last row may be anybody's: within [0][0] to
//                                      xx..   [n-1][0]
//                                      x...
// What becomes of the program's memory while the nest has to do with it; where a device can't, as it is.
typedef enum HostPlace {
    HOST_AS_IS,
    HOST_LOCKED,   // page-locked for the time of a call
    HOST_UNIFIED,  // its copy is managed memory, whose pages move when they are touched
} HostPlace;

typedef struct Foot {
    const Array *array;
    Expr **lo, **hi;       // [rank]
    bool in;               // values from the host are needed
    bool out;              // values go back to the host
    bool exact;            // every element of the box is certainly written
    Expr **first, **last;  // [rank], subscripts: nothing of the box before first or behind last may be
                           // moved; first[0] > last[0]: nothing at all. NULL: the box's own ends
    bool loose;            // whether these ends are touched depends on data: memory may be absent
                           // there, and only what a kernel changed may be written back
    bool sparse;           // some elements of the box need not be touched: there may be holes without memory
    bool gaps;             // some elements of the box that goes home need not be touched, and others may be
                           // storing there meanwhile
    Expr *written;         // where it holds some element is certainly written, so its memory may be; where
                           // it doesn't, the box counts as loose when it goes home. NULL: it holds
    HostPlace place;
} Foot;

// A value that a nest's conditions and cost may ask for besides the region's parameters, known when it
// runs. Rates are those of the device's file (devices/*.dev), at least 1.
typedef enum FactKind {
    FACT_MISALIGN,   // of an array: how many bytes its element 0 lies past a multiple of 16 (devices
                     // keep that remainder)
    FACT_PROCESSORS, // multiprocessors of the device, at least 1
    FACT_TRAVELS,    // 1: this call's data come from the host and go home to it, and copies may go on beside
                     // kernels; 0: they stay on the device, or there are no copies
    FACT_LINK,       // bytes a microsecond between the call's arrays, as they lie, and the device, one way
    FACT_COPY,       // bytes a microsecond that kernels can read and write
    FACT_FMA,        // single-precision operations a microsecond
    FACT_KINDS
} FactKind;
typedef struct Fact {
    const Sym *sym;        // SYM_PARAM, T_I64, no source
    const Array *array;    // of FACT_MISALIGN alone
    FactKind kind;
} Fact;
const char *fact_word(FactKind k); // as in a nest's text
const char *fact_stem(FactKind k); // what the symbol of one is called, with a number behind it

// How far a nest may be trusted: the mark or a person said so, or nobody has asked the judge yet; it was
// compared with the original loops on data; the judge said so.
typedef enum Proof { PROOF_BELIEVED, PROOF_TESTED, PROOF_PROVED } Proof;
const char *proof_word(Proof p); // "believed", …

// What is so of the values of an integer array of rank 1 that the region does not write, in the part of it
// that is touched: no value is there twice, or none is less than the one before it. Checked before every
// launch.
typedef struct Promise {
    const Array *array;
    bool rises;
} Promise;
const char *promise_word(const Promise *p); // "distinct", "rising"

typedef struct Nest {
    const Region *region;
    const char *target;    // "gpu", "cpu": the kind of machine it was shaped for
    Node *root;            // N_SEQ: kernels, host loops, conditions over parameters
    int nfeet;
    Foot *feet;            // one a user array
    int nfacts;
    const Fact *facts;
    int npromised;
    const Promise *promised;
    Expr *when;            // over parameters and facts; T_I32; the nest is right when it is not 0
    Proof proof;
    const char *reason;    // why it is no better; NULL: the judge has not been asked
    const char *recipe;    // the steps that made it, one a line; "" for none
    bool whole;            // its recipe needs no other end (rule close); no part of the text
    int fresh;             // the number of the next name that a step makes; no part of the text
    int nbeside;
    Node *const *beside;   // what else the nest will hold when its tree is a part: names there are taken.
                           // No part of the text
    Expr *flops, *bytes;   // T_F64 over parameters: operations on real numbers, bytes that must move;
                           // NULL where they cannot be counted
    Expr *work;            // the same of all operations, two a statement at least; NULL: flops are all
    Expr *cost;            // T_F64 over parameters and facts: microseconds that it is expected to take;
                           // of a chain's nests that may run, the one of least cost does, and one
                           // without a cost only where none before it may. NULL: none
    const struct NestParts *parts; // its tree is that of a plainer nest with parts in the place of loops;
                                   // NULL: it is judged as a whole. No part of the text
} Nest;
// What proves a nest with parts: the plainer nest is the region, and each part is the loops in its place, a
// region of the same parameters.
typedef struct NestParts {
    const Nest *plainer;
    bool cut;                      // it has cuts that the standard nest has not
    int n;
    const Nest *const *nest;
} NestParts;
// The nest's fact of that kind (not FACT_MISALIGN), which gets one of that name if it has none yet.
const Sym *nest_fact(Arena *a, Nest *n, FactKind kind, const char *name);

// ---- text --------------------------------------------------------------------------------
// "sculpt 1" { region … nest … }*; the syntax is at the top of print.c.
enum { IR_VERSION = 1 };
char *ir_print_region(Arena *a, const Region *r);
char *ir_print_nest(Arena *a, const Nest *n); // without its region
char *ir_print_node(Arena *a, const Node *n, int indent);
char *ir_print_expr(Arena *a, const Expr *x);
typedef struct IrNests {
    int n;
    Nest **at;
    Digest *digest; // of the text of each
} IrNests;
typedef struct IrFile {
    bool head; // the region's loops and statements and the nests are not read yet
    Region *region;
    int nnests;
    Nest **nests;
    const Digest *digests; // of the text of each
    bool more;             // "more" at the end: where the program runs others are planned…
    bool unordered;        // …which may update floating-point values in any order (Compile.unordered)
    Loc loc;               // of the region in the text
    struct Parser *names;  // what the region declares, for ir_parse_nests
} IrFile;
// One region and the nests over it. NULL after diag() at a place in `text` (the Loc's
// file is `name`). Never crashes, whatever the text; depth and size are bounded.
// What is read has passed ir_verify.
IrFile *ir_parse(Compile *c, const char *name, const char *text);
// Only the region's parameters and arrays, up to its loops; ir_parse_rest reads on. False after diag(). The
// nests of a head are outlines.
IrFile *ir_parse_head(Compile *c, const char *name, const char *text);
bool ir_parse_rest(Compile *c, IrFile *f);
// One expression of the type t, as ir_print_expr writes it, over the region's parameters and arrays and n
// symbols more. NULL, and *why, where it can't be read; nothing is said.
Expr *ir_parse_expr(Compile *c, const Region *r, int n, const Sym *const *more, Type t, const char *text,
                    const char **why);
// Further nests over the region of f, which was parsed with c; their text begins with "nest". known: the text
// was read before, so ir_verify is not asked again. How many, into *out; -1 after diag().
int ir_parse_nests(Compile *c, const IrFile *f, const char *name, const char *text, bool known, IrNests *out);

// Checks every invariant written in this header; diag() and false at the first that fails.
bool ir_verify_region(Compile *c, const Region *r);
bool ir_verify_nest(Compile *c, const Nest *n);

// ---- what a kernel needs -----------------------------------------------------------------
// The arguments of a kernel, in the order in which every dialect and device pass them:
// base pointers of the objects (user arrays' objects and temporaries, by first use, one
// representative array an object), then symbols (parameters, inspected extents and
// counters of host loops around the kernel, by first use).
typedef struct KernelSig {
    int narrays;
    const Array **arrays;
    bool *written;       // [narrays]: does the kernel write any array of that object?
    int nsyms;
    const Sym **syms;
} KernelSig;
KernelSig *ir_kernel_sig(Arena *a, const Node *kernel);
// Launch geometry: BLOCK and THREAD loops below the kernel, x first. Bounds are over the
// signature's symbols (their extents are hi - lo; step is 1).
typedef struct KernelGrid {
    int nblock, nthread;           // 0 to 3 each; nthread is 0 with phases
    const Node *block[3];          // N_FOR, x first
    const Node *thread[3];
    bool phases;                   // threads are numbered in one dimension
    int64_t threads;               // with phases: of the largest phase of thread loops
} KernelGrid;
void ir_kernel_grid(const Node *kernel, KernelGrid *g);
// What a launch needs of a kernel whose body is not at hand (Node.outline): the same as is found in the body.
typedef struct Outline {
    KernelSig sig;
    int64_t threads;           // KernelGrid's with phases; 0: without
    int64_t shared, at_launch; // bytes of shared memory: of a block, and how many of them the launch gives
    bool waits;                // by itself for the launch ahead of it
} Outline;
// The kernel as one; o's signature is set here.
Node *ir_outline(Arena *a, const Node *kernel, Outline *o);
// Grids are limited to 65535 blocks in y and z, so kernels for any size go through larger ones in rounds:
//
//   for b = 0 .. min(n, 65535) block { … for i = b .. n step 65535 { S } }
//     →   for b = 0 .. n block { … S with b for i }
//
// The kernel with one such loop less, and the loop that it had; NULL: it has none. A launch that does all
// in one round asks for n <= 65535; what is to be proved of iterations in no order holds for those in rounds.
Node *ir_one_round(Arena *a, Node *kernel, const Node **loop);
// Blocks may also be launched a slice after the other:
//
//   for s = 0 .. k { kernel for b = b0 + n * s / k .. b0 + n * (s + 1) / k block { … } }   n = b1 - b0
//
// Slice number `counter` of the loop b0 .. b1, one of so many (of the type i64).
Node *ir_slice(Arena *a, const Node *loop, const Sym *counter, Expr *slices);
// What stands in a loop over slices, with all blocks at once: as many as there are in the slices together.
// NULL: it is no such loop, or not certain to have a slice.
Node *ir_one_slice(Arena *a, const Node *over);
// The loops of the phase that `thread` (its outermost loop) begins, outermost first, at most
// 8, and their extents. Returns how many.
int ir_phase(const Node *thread, const Node *loop[8], int64_t extent[8]);

// ---- interpreter: the oracle ---------------------------------------------------------------
// Memory for one execution. Base pointers are those of the C program.
typedef struct InterpArg {
    const void *object;  // the name of an object (const char *), matched by text
    void *base;
} InterpArg;
typedef struct InterpVal {
    const Sym *sym;
    int64_t i;           // integer parameters
    double f;            // floating parameters
} InterpVal;

// Runs a tree as a plain sequential program (parallel marks mean nothing) on the given
// memory. Bit for bit what C does with contraction only where fma says so. False when
// a step budget (max_steps, 0: none) was used up.
bool ir_interpret(Arena *scratch, Node *root, int nobjects, const InterpArg *objects,
                  int nvals, const InterpVal *vals, int64_t max_steps);
// Likewise, for *steps at most; below 0 afterwards: it was they that were used up.
bool ir_interpret_within(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                         const InterpVal *vals, int64_t *steps);
// The value of an expression over parameters only (no loads); integers. False: it has
// loads, unknown symbols, a division by zero.
bool ir_eval(const Expr *x, int nvals, const InterpVal *vals, int64_t *out);
bool ir_eval_float(const Expr *x, int nvals, const InterpVal *vals, double *out);
#endif
