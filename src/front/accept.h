// SPDX-License-Identifier: MIT
// accept.h -- what the files of accept.c share: one region on its way from Ast to Region.
//
//   Ast lvalue ──► Ref (object, subscripts, fields) ──► Array + subscripts ──► load or store
//   Ast scalar ──► Expr
//   Ast statement ──► nodes of the open Block
//
// Everything that fails has said so once (accept_refuse) and returns NULL or false.
#ifndef SCULPT_ACCEPT_H
#define SCULPT_ACCEPT_H
#include "front/passes.h"

enum {
    ACCEPT_DIMS = 12,     // subscripts on one access
    ACCEPT_INLINE = 24,   // calls inside calls
    ACCEPT_STMTS = 4000,  // statements of one region, after inlining
    ACCEPT_UNFOLD = 64,   // elements of an array copied one by one
};

// The sequence that is being filled.
typedef struct Block {
    VEC(Node *) nodes;
    VEC(const Array *) locals;
    struct Block *up;
} Block;

// ---- memory --------------------------------------------------------------------------
typedef struct Object Object;

// One step through an array: element `sub` of `extent` elements of `bytes` bytes each.
typedef struct Dim {
    Expr *extent;   // NULL: not known
    Expr *sub;
    int64_t bytes;  // -1: not constant (an array of variable size)
    bool bounds;    // the extent is a declared bound
    bool inner;     // fields were passed between the dim before and this one
    // A pointer was converted before this dim (accept_cast.c):
    bool cast;
    Type from;      // what it pointed to; T_NONE: a record
    int64_t base;   // Ref.offset there
    const char *path; // Ref.path there
} Dim;

// What a region takes a union for (accept_union.c): n elements of `bytes` bytes.
typedef struct Union {
    const CType *type;
    Type elem;
    int64_t bytes;
    int n;
    bool mixed;            // numbers of several types are named: the elements are bits
    bool truth;            // a _Bool is
    bool askew;            // one lies across two of its size: all is one element
    bool odd;              // what is named are no numbers that lie in such elements
} Union;

// Bits of a number: those of a bit-field, so many further up as `by` says. NULL: none, all of it.
typedef struct Part {
    const CField *of;
    Expr *by;
} Part;

// Where a place is in a union.
typedef struct Shared {
    const Union *of;
    int ndims;             // of the union itself
    int64_t offset;
    const char *path, *member;
} Shared;

// A place in memory: what an lvalue denotes or a pointer points to.
typedef struct Ref {
    Object *object;
    const CType *type;     // of what is here
    int64_t offset;        // bytes of the fields passed on the way
    int packed;            // of the record that the last field is of (CType)
    const char *path;      // those fields' names, "_pos_x"; "" for none
    const char *member;    // Array.member; NULL: a pointer may have left the member
    const CType *record;   // the record the last field was taken from; NULL: none
    const char *field;     // that field
    const CType *bits;     // of a bit-field, of a number that a pointer's cast gives another type: what its
                           // place is; NULL: what `type` says
    const CField *part;    // that bit-field; NULL: it is none
    const Shared *shared;  // the outermost union around it; NULL: none
    bool mixed;            // what is stored here may be read as another type
    bool fresh;            // a field was passed after the last dim
    int ndims;
    Dim dim[ACCEPT_DIMS];
    bool steps;            // `type` is an element of the last dim: pointer arithmetic moves there
    // C for this place at the region's beginning: of the pointer to element 0 of the last dim
    // when `steps`, else of the lvalue. NULL: it depends on what the region computes.
    const char *text;
    const char *table;     // C for the pointer to element 0 of the last dim, where text is NULL: the place is
    const char *column;    // (table)[sub]column; NULL: it is not so simple
} Ref;

// What one pointer of the program points to, or one variable.
struct Object {
    const char *name;      // unique; NULL before its first use in an expression
    const char *like;      // what the name is made from
    const char *source;    // base pointer in C; NULL: local to the region
    const Decl *variable;  // the variable that this is; NULL: reached through a pointer
    const char *said;      // Decl.said
    struct Rows *rows;     // the rows of a table: each is an object
    bool handed;           // firstprivate: iterations begin with copies of it
    Block *block;          // locals: where they are declared
    VEC(const Array *) views;
    VEC(const char *) paths;   // [views]: the fields that a local view stands for
    VEC(Ref) pointers;         // locals: what pointer fields point to,
    VEC(const char *) fields;  // and which fields they are
};

// A table of pointers to rows (accept_rows.c).
enum { TABLE_LEVELS = 2 };
typedef struct Rows {
    const char *table;     // C
    const char *column;    // C, the field of a table of records: ".row"; "" for none
    Object *object;        // all rows
    int levels;            // 1: pointers to rows; 2: pointers to tables of these
    Expr *pitch[TABLE_LEVELS]; // parameters: from one row to the next, in elements, is the last; the first
                               // of two counts rows, from one table to the next
    int64_t bytes;         // of an element
    Loc loc;               // of its first use
} Rows;

// A parameter, or a pointer, that is read from memory which the region might write.
typedef struct Watch {
    const char *text;      // C for its place
    Type type;
    bool pointer;
    bool counter;          // a loop's: what is read counts, too
    bool mixed;            // in a union
    bool element;          // other elements of the same object may be written
    const Object *object;  // that it is part of; NULL: not known
} Watch;

// ---- names of the user's text ------------------------------------------------------------
typedef enum BindKind {
    BIND_VALUE,   // a value that does not change: a counter, an argument
    BIND_PLACE,   // a variable in memory
    BIND_POINTER, // a pointer; ref is what it points to
    BIND_GONE     // a pointer or counter whose value is not known here
} BindKind;
typedef struct Bind {
    const Decl *decl;
    BindKind kind;
    bool again;      // the declaration is further out: forget on the way there
    Expr *value;
    Ref ref;
    bool walks;      // a pointer that is moved: it stands `at` elements behind ref
    Ref at;
} Bind;

// The value of a counter after its loop: where guard holds (NULL: always) it is value.
typedef struct Final {
    const Decl *decl;
    bool known;      // else: changed in a way that can't be written down
    Expr *guard, *value;
} Final;
typedef VEC(Final) FinalVec;

typedef VEC(const Decl *) DeclVec;

// A pointer of the program that is changed here and used behind the region.
typedef struct Kept {
    const Decl *decl;
    Ref at;          // how far it has moved from its target; object NULL: it has not
} Kept;

// What a piece of the program writes (accept_scan.c).
typedef struct Writes {
    DeclVec vars;      // variables assigned by name, or whose address is passed on
    DeclVec iters;     // loop counters
    DeclVec pointers;  // pointer variables assigned,
    DeclVec moves;     // and moved: p++, p -= 2, p = p + n
    DeclVec funcs;     // functions called, each walked once
    VEC(const CType *) records;  // [fields]: record and
    VEC(const char *) fields;    // field written
    bool memory[T_COUNT];        // types written through subscripts and pointers
} Writes;

// A statement to run after the one that is being read: k++ inside an expression.
typedef struct After {
    Ref ref;
    Op op;
    Expr *rhs;
} After;

// What became of `return` in the function that is being inlined.
typedef struct Return {
    const CType *type;   // NULL: void, or the region itself (no return at all)
    Ref ref;             // where the value goes
    bool inside;         // a function is being inlined
    int depth;           // counters around its call
} Return;

typedef struct Accept {
    Compile *c;
    Arena *a;
    const RegionAst *ra;
    Region *region;
    bool failed;                 // a remark has been given
    Loc loc;                     // of the statement at hand
    Loc site;                    // of the call of a function elsewhere that is being read; no line: none
    Block *block;
    Writes writes;               // of the whole region
    VEC(Bind) env;
    VEC(Object *) objects;       // the program's
    VEC(Rows *) rows;
    VEC(Watch) watches;
    VEC(const Union *) unions;
    VEC(const Sym *) params;
    VEC(const Sym *) iters;      // counters around, outermost first
    VEC(const Expr *) small;     // counters that C keeps in another type than the loop's, cast to it
    VEC(const Array *) arrays;
    VEC(const Stmt *) stmts;
    VEC(const char *) names;     // in use
    VEC(After) after;
    FinalVec finals;
    DeclVec calls;               // functions being inlined, outermost first
    VEC(Kept) kept;
    DeclVec privates;            // counters that a clause declares private
    Return ret;
    int conditional;             // inside an operand that need not be evaluated
    int guarded;                 // inside an if
    int joins;                   // branches that hold what follows them, for a pointer's sake
    bool bounding;               // inside a loop's bound
    bool async;                  // the statement at hand is an asynchronous copy
    bool atomic;                 // the statement at hand is marked atomic
    int ordered;                 // statements so far that keep to the order of the text
    bool kernel;                 // a hand-written kernel, from kernel.c
    Returns returns;             // from the region's own function
    bool guesses;                // what is read may lie where the program does not come to
} Accept;

// ---- accept.c ----
// Does a place stand in the prelude, or in an included file that is not read for loops, as a system's header?
bool accept_is_elsewhere(const Accept *ac, Loc loc);
// The place in the user's text: of what stands elsewhere, that of the call.
Loc accept_site(const Accept *ac, Loc loc);
void *accept_refuse(Accept *ac, DiagCode code, Loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5))); // NULL, after the region's one remark
const char *accept_name(Accept *ac, const char *like);  // a new unique name
Expr *accept_param(Accept *ac, const char *source, const char *like, Type t);
// May a directive, of whatever file, keep the variable (NULL: what a pointer leads to) on a device? x: a
// parameter that is it, or is in it, which is noted.
bool accept_is_held(const Accept *ac, const Decl *d);
Expr *accept_held(const Accept *ac, const Decl *d, Expr *x);
void accept_open(Accept *ac, Block *b);
Node *accept_close(Accept *ac, Block *b);               // the block as N_SEQ
void accept_splice(Accept *ac, Node *seq);              // a block without locals loses its braces
void accept_bind(Accept *ac, const Decl *d, BindKind kind, Expr *value, const Ref *ref);
Bind *accept_lookup(Accept *ac, const Decl *d);
void accept_unbind(Accept *ac, int mark);               // back to env.n == mark
bool accept_is_lambda(const Ast *e);
// Its value: nothing is kept in it, where it is called its body reads the variables themselves.
bool accept_lambda(Accept *ac, const Ast *e);
bool accept_has_decl(const DeclVec *v, const Decl *d);
bool accept_is_inside(const Accept *ac, const Decl *d); // declared in what the region runs
bool accept_put(Accept *ac, Loc loc, const Ref *ref, Op op, Expr *rhs); // one statement

// ---- accept_ref.c ----
bool accept_variable(Accept *ac, const Decl *d, Loc loc, Ref *out);  // of the program
void accept_local(Accept *ac, const char *name, const CType *type, Block *b, Ref *out);
bool accept_decay(Accept *ac, Ref *r, Loc loc);         // array to its first element
bool accept_step(Accept *ac, Ref *r, Expr *by, Loc loc);  // pointer arithmetic
bool accept_field(Accept *ac, Ref *r, const char *name, Loc loc);
bool accept_retype(Accept *ac, Ref *r, const CType *pointee, Loc loc);
bool accept_follow(Accept *ac, Ref *r, Loc loc);        // a pointer in memory to its target
// The object that a pointer of this text points to, made when it is met first.
Object *accept_object(Accept *ac, const char *source, const char *like, const Decl *variable);
// accept_cast.c. Adds up the dims behind conversions of the pointer; false after a refusal.
bool accept_casts(Accept *ac, Ref *r, Loc loc);
Moved accept_vector_of(const Ref *r); // with what else a lane moves this element
const Array *accept_array(Accept *ac, const Ref *r, Expr ***sub, Loc loc);
Expr *accept_part(Accept *ac, const Part *p, Expr *whole);               // its value
Expr *accept_with_part(Accept *ac, const Part *p, Expr *whole, Expr *v); // the whole with another one
Expr *accept_bits(Accept *ac, Type t, Expr *v); // those of v as a value of type t, which has as many
// The number that has the bits of what is at r, all of them or a part.
bool accept_whole_of(Accept *ac, const Ref *r, Loc loc, Ref *whole, Part *part);
bool accept_enter_union(Accept *ac, Ref *r, Loc loc); // r is a union; its members come next
const Ref *accept_union_elements(Accept *ac, const Ref *r, Loc loc, int *n); // of a union; NULL: refused
Expr *accept_load(Accept *ac, const Ref *r, Loc loc);
const char *accept_place_text(Accept *ac, const Ref *r); // C for the lvalue, or NULL
void accept_flatten(Accept *ac, Ref *r);                // &A[0][0]: one dim over all of A
bool accept_type_ok(Accept *ac, const CType *t, Loc loc); // no device has volatile and the like

// ---- accept_watch.c ----
// What is at r, C text `text`, is read once before the region.
void accept_watch(Accept *ac, const Ref *r, const char *text);
// d counts a loop. A pointer that leads to it must not be read in the region, either.
void accept_watch_counter(Accept *ac, const Decl *d, Loc loc);
void accept_watches_settle(Accept *ac);                 // once the region has been read
// May a store of type w change a value that is read as type t?
bool accept_may_alias(Type t, Type w);
bool accept_is_bound(Accept *ac, const Ref *r); // an element that a loop ends with

// ---- accept_rows.c ----
bool accept_row(Accept *ac, Ref *r, Loc loc);           // a row of a table; false: it is none
bool accept_rows_settle(Accept *ac, const Node *root);  // once the region has been read

// ---- accept_expr.c ----
Expr *accept_value(Accept *ac, const Ast *e);
const char *accept_form(const Ast *e);                  // what is not read, in words
Expr *accept_truth(Accept *ac, const Ast *e);           // as a condition, T_I32
bool accept_place(Accept *ac, const Ast *e, Ref *out);  // an lvalue
bool accept_pointer(Accept *ac, const Ast *e, Ref *out); // what it points to
bool accept_effect(Accept *ac, const Ast *e);           // for its side effects only
Expr *accept_freeze(Accept *ac, Expr *x);               // its value now, whatever is written later
Expr *accept_convert(Accept *ac, Type t, Expr *x);      // C's conversion
Expr *accept_counted(const Accept *ac, Expr *x);        // a counter without the cast to its own type
const Ast *accept_strip(const Ast *e);                  // without casts
const Ast *accept_literal(const Ast *e);                // and of (struct s){ … } the list

// ---- accept_wide.c: __int128 ----
bool accept_is_wide(const Ast *e);
bool accept_wide_has_place(const Ast *e);
bool accept_wide_init(Accept *ac, const Ref *to, const Ast *e);
bool accept_wide_place(Accept *ac, const Ast *e, Ref *out); // of a value without a place
bool accept_wide_assign(Accept *ac, const Ast *e, Ref *lhs);
bool accept_wide_step(Accept *ac, const Ast *e, Ref *lhs);  // ++, --
Expr *accept_wide_truth(Accept *ac, const Ast *e);
Expr *accept_wide_narrow(Accept *ac, const Ast *e, Type t); // (t)e
Expr *accept_wide_compare(Accept *ac, const Ast *e);

// ---- accept_complex.c ----
typedef struct Complex {
    Expr *re, *im; // im NULL: a real operand, which C does not convert
} Complex;
bool accept_is_complex(const Ast *e);
bool accept_has_place(const Ast *e);                       // a complex number in memory
bool accept_complex(Accept *ac, const Ast *e, Complex *z); // of a real e, too
bool accept_parts(Accept *ac, const Ref *r, Loc loc, Ref *re, Ref *im);
bool accept_complex_load(Accept *ac, const Ref *r, Loc loc, Complex *z);
bool accept_complex_init(Accept *ac, const Ref *to, const Ast *e);
bool accept_complex_place(Accept *ac, const Ast *e, Ref *out); // of a value without a place
bool accept_complex_assign(Accept *ac, const Ast *e, Ref *lhs);
Expr *accept_complex_part(Accept *ac, const Ast *e);           // __real__ x, __imag__ x of such a value
Expr *accept_complex_compare(Accept *ac, const Ast *e);
Expr *accept_complex_truth(Accept *ac, const Ast *e);

// ---- accept_whole.c ----
// The same number in T_I64, where x computes whole numbers in double and that is exact; or NULL.
Expr *accept_whole(Arena *a, const Expr *x);

// ---- accept_assign.c ----
bool accept_assign(Accept *ac, const Ast *e, Ref *lhs); // lhs: what was assigned
bool accept_incdec(Accept *ac, const Ast *e, Ref *lhs);
Expr *accept_negated(Accept *ac, Expr *x);
bool accept_copy(Accept *ac, const Ref *to, const Ref *from, Loc loc); // records, arrays
bool accept_init(Accept *ac, const Ref *to, const Ast *init);

// ---- accept_join.c ----
// The if that rest is to stand in both branches of, because a pointer that s sets leads into one array or
// another; NULL: none. Declares what s declares.
const Ast *accept_join(Accept *ac, const Ast *s, int n, Ast *const *rest);

// ---- accept_move.c ----
bool accept_is_pointer(const Ast *e);                   // a variable that may point elsewhere
// d + n and n + d, d - n (minus): n; NULL: another form.
const Ast *accept_distance(const Ast *e, const Decl *d, bool *minus);
const Decl *accept_moved(const Ast *e);                 // p of p++ and its kin, else NULL
bool accept_track(Accept *ac, Bind *b, Loc loc);        // a pointer has a target: will it move?
bool accept_target(Accept *ac, const Bind *b, Loc loc, Ref *out); // where it points now
bool accept_move(Accept *ac, const Ast *e);
bool accept_move_pointer(Accept *ac, const Ast *e, Ref *out);  // its value as an expression
bool accept_track_outer(Accept *ac);                    // pointers from outside of the region
// Pointers that are used behind the region: which, before it is read, and what they are then.
bool accept_keep(Accept *ac, const DeclVec *changed);
bool accept_kept(Accept *ac, Left *left);

// ---- accept_call.c ----
Expr *accept_call_value(Accept *ac, const Ast *e);
bool accept_call_place(Accept *ac, const Ast *e, Ref *out); // of record type
bool accept_call_complex(Accept *ac, const Ast *e, Complex *z);
// f with such arguments, in the place of e; what it returns is found at *out.
bool accept_call_with(Accept *ac, const Ast *e, const Decl *f, int n, Expr *const *args, Ref *out);
bool accept_call_effect(Accept *ac, const Ast *e);
bool accept_call_pointer(Accept *ac, const Ast *e, Ref *out); // what a call's value points to

// ---- accept_memory.c ----
bool accept_is_memory_call(const Ast *e);               // memset and its kin
bool accept_memory_call(Accept *ac, const Ast *e);

// ---- accept_table.c ----
// v, of the variable d: its values, if they are constants
void accept_table(Accept *ac, const Decl *d, Array *v);

// ---- accept_device.c ----
// The value of a function of the device whose meaning nobody here knows: some value; NULL: it is none.
Expr *accept_kernel_opaque(Accept *ac, const Ast *e);
void accept_say_once(Accept *ac, Reasons *all, const char *what); // of a kernel: adds that to the reasons
// Calls that only kernels have; value NULL: for the effect. *done: it was one of those.
bool accept_kernel_call(Accept *ac, const Ast *e, bool *done, Expr **value);

// ---- accept_stmt.c ----
bool accept_stmt(Accept *ac, const Ast *s);
bool accept_list(Accept *ac, int n, Ast *const *stmts);
Expr *accept_stmt_value(Accept *ac, const Ast *e);      // of ({ … }); some number where it has none
bool accept_stmt_complex(Accept *ac, const Ast *e, Complex *z);
bool accept_decl(Accept *ac, const Decl *d);            // one declaration, with its initialiser
bool accept_after(Accept *ac);                          // flushes ac->after
// The same for a value that is used behind the flush; `before` is ac->after.n before it.
Expr *accept_settle(Accept *ac, int before, Expr *x);

// ---- accept_loop.c ----
bool accept_for(Accept *ac, const Ast *f);
const Decl *accept_counter(const Ast *f);               // of a for; NULL: not of the form

// ---- accept_final.c ----
void accept_finals_enter(Accept *ac, const Ast *body, FinalVec *before);
void accept_finals_loop(Accept *ac, const FinalVec *before, const Node *loop);
void accept_finals_if(Accept *ac, const FinalVec *before, Expr *cond);
void accept_final_set(Accept *ac, const Decl *d, Expr *value);
const Final *accept_final(Accept *ac, const Decl *d);
Expr *accept_final_value(Accept *ac, const Node *loop);
char *accept_epilogue(Accept *ac);                      // NULL: refused

// ---- accept_leave.c ----
bool accept_has_break(const Ast *f);                    // that leaves this for
bool accept_while(Accept *ac, const Ast *s);            // a while, a do, a for without a counter
bool accept_breaking(Accept *ac, const Ast *f);         // a counted for with a break

// ---- accept_jump.c ----
// Does a loop hold a return, or a goto to a label that it does not hold?
bool accept_jumps_out(const Ast *s);
Ast *accept_jumping(Accept *ac, const Ast *loop);       // with breaks for them
// Of the region's only loop, which returns from the program's function: what is returned is kept, and breaks
// stand there. NULL after a remark.
Ast *accept_returning(Accept *ac, const Ast *loop);

// ---- accept_mark.c ----
// What pragmas say of a loop whose body has been read; NULL: nothing.
// combiner.c: what the combiner of a declared reduction does, omp_out += omp_in: an operator's update, of the
// variable or of members of it. False: that can't be told.
bool accept_combiner(const char *text, Op *op);
// in_order: statements in the loop follow one another as in the text.
const Mark *accept_mark(Accept *ac, const Ast *f, bool in_order);
// Does a pragma before a loop around f speak of f too, so that nothing may stand between their heads?
bool mark_binds(const AstUnit *u, const Ast *f);
bool accept_privates(Accept *ac, const Ast *s);         // clauses of s, into the open block
bool accept_pragmas_ok(Accept *ac, const Ast *s);       // refuses critical and its kin
bool accept_is_atomic(Accept *ac, const Ast *s);
// Does a clause of that name speak of d, which f uses? NULL: any clause.
bool accept_names(const Pragma *p, const char *name, const Ast *f, const Decl *d);
void accept_reduce(Accept *ac, Mark *m, const Decl *d, Op op);  // every view of what the program calls d here
// d gets a place in the open block; first: with the value from before. False after a remark.
bool accept_make_private(Accept *ac, const Decl *d, bool first, Loc loc);

// ---- accept_own.c ----
// What each thread has for itself and no iteration needs from another becomes private to the
// iteration, in the open block.
// Is the loop's counter the directive's, for the host's compiler too? Then nothing is left in it behind.
bool accept_owns_counter(const Accept *ac, const Ast *f, const Decl *d);
bool accept_own_privates(Accept *ac, const Ast *f);
// Where one needs it, the mark does not vouch for the loop any more.
void accept_own_mark(Accept *ac, const Ast *f, Mark *m);
// Does p make the threads among which another mark shares out its statement?
bool accept_is_shared_out(const AstUnit *u, const Pragma *p);

// ---- accept_scan.c ----
void accept_scan(Arena *a, const Ast *s, Writes *w);
bool accept_writes_decl(Arena *a, const Ast *s, const Decl *d);  // loop headers count, and taking its address
bool accept_assigns_decl(Arena *a, const Ast *s, const Decl *d); // taking its address does not
bool accept_mentions(const Ast *s, const Decl *d);
bool accept_declares(const Ast *s, const Decl *d);
int accept_count_uses(const Ast *s, const Decl *d);
bool accept_is_pure(Arena *a, const Decl *func);        // writes nothing but its own locals

// ---- accept_text.c ----
const char *accept_source(Arena *a, const Expr *x);     // C over sources of parameters, or NULL
#endif
