// SPDX-License-Identifier: MIT
// interp.h -- the compiled form of a tree, between interp_code.c and interp.c
#ifndef SCULPT_IR_INTERP_H
#define SCULPT_IR_INTERP_H
#include "ir/value.h"

typedef struct Code Code;

// An array and its memory.
typedef struct Store {
    const Array *array;
    Type elem;
    int rank;
    int64_t stride, offset;
    int64_t *extent, *origin;    // [rank], as evaluated where the array is declared
    Code **extents, **origins;   // what to evaluate; extents[0] and origins may be NULL
    bool owned;                  // a block declares it: memory is ours, subscripts are checked
    char *base;
    size_t bytes;                // of owned memory
} Store;

struct Code {
    ExprKind kind;
    Type type, from;             // of the value, of the first operand
    Op op;
    int nargs;
    Code **args;
    Value literal;
    int slot;                    // E_SYM
    Store *store;                // E_LOAD
    Loc loc;                     // likewise, where its text tells
    const MathFn *fn;            // E_CALL; NULL: no such function
};

typedef struct Act Act;
struct Act {
    NodeKind kind;
    const Node *node;
    int nkids, nlocals;          // N_SEQ
    Act **kids;
    Store **locals;
    int slot;                    // N_FOR: the counter; N_STMT: the first of its counters
    Type type;                   // N_FOR: of the counter
    int64_t step;
    Code *lo, *hi, *cond;
    Act *body, *other;           // N_FOR, N_KERNEL; N_IF: then and else
    int nat;                     // N_STMT: how many counters
    Code **at;
    Store *dst;                  // N_STMT, N_COPY; NULL: only evaluated
    Code **sub;
    Op op;
    bool fused;                  // src is a product
    Code *src;
};

// One access of a run. Before a write `at` holds the old value, after it (done) the new one.
typedef struct InterpTouch {
    const Node *node;            // the statement or copy; of a condition or bound, its N_IF or N_FOR
    const Array *array;
    const int64_t *sub;          // [rank]
    const char *at;
    Loc loc;
    bool write, done;
} InterpTouch;

// What looks on while a tree runs. Subscripts are not checked when touch() is asked: false ends the run.
typedef struct InterpWatch {
    void *arg;
    bool (*touch)(void *arg, const InterpTouch *t);
    void (*fresh)(void *arg, const Array *array, char *base, size_t bytes); // of a block's memory
    void (*enter)(void *arg, const Node *n, int64_t v); // an iteration, a kernel, a barrier
} InterpWatch;

typedef struct Interp {
    Arena *arena;
    const InterpWatch *watch;    // NULL: nobody
    const Node *now;             // what runs, for the watch
    VEC(Value) slots;
    VEC(const Sym *) syms;       // which symbol a slot is; NULL: a statement's own counter
    VEC(Store *) stores;
    const Node *node;            // while compiling an N_STMT: the node, where its slots
    int first, access;           // begin, and the number of the next access
    int deepest;                 // the most counters of any statement
    Value *moved;                // [deepest]
    int64_t steps, max_steps;
    bool apart;                  // products are rounded by themselves, as without contraction
    bool failed;                 // budget used up, or memory that isn't there
} Interp;

// As ir_interpret, for arithmetic without contraction.
bool interpret_apart(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                     const InterpVal *vals, int64_t max_steps);
// As ir_interpret, watched.
bool interpret_watched(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                       const InterpVal *vals, int64_t max_steps, const InterpWatch *watch);
Act *interp_compile(Interp *in, const Node *n); // NULL for NULL
int interp_slot(Interp *in, const Sym *s);
#endif
