// SPDX-License-Identifier: MIT
// verify_state.h -- shared by verify.c, verify_tree.c and verify_expr.c
//
// Every check returns false after verify_fail, which keeps the first reason.
#ifndef SCULPT_IR_VERIFY_STATE_H
#define SCULPT_IR_VERIFY_STATE_H
#include "ir/verify.h"

typedef enum VerifyKind { VERIFY_VALUE, VERIFY_LABEL, VERIFY_KERNEL } VerifyKind;
typedef struct VerifyName {
    const char *name; // NULL: a free slot
    VerifyKind kind;
    const void *is;
} VerifyName;

// Which symbols and arrays an expression may mention.
typedef enum VerifyScope {
    SCOPE_PARAMS, // parameters alone
    SCOPE_STMT,   // ... and the counters of `stmt`
    SCOPE_TREE,   // ... and the counters and blocks around
} VerifyScope;

typedef struct Verify {
    Arena *arena;
    const Region *region;
    const char *why;             // the first failure
    Loc where, loc;              // its place; the place of what is being checked
    VerifyName *slots;           // open hash of nslots, a power of two
    size_t nslots, nnames;
    VerifyScope scope;
    bool loads;                  // may expressions read arrays here?
    const Stmt *stmt;
    VEC(const Sym *) counters;   // of the loops around
    VEC(const Array *) arrays;   // of the blocks around
    bool in_nest, in_inspect;
    const Node *root;            // of the nest
    const Node *kernel;          // the kernel around; NULL: the host
    int nblock, nthread, ncoop;  // loops around
    const Node *thread[8];       // the thread loops around, outermost first
    int nvalues;                 // leaves of an inspection
} Verify;

bool verify_fail(Verify *v, Loc loc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// Registers a name; the same thing may come again, another of that name may not.
bool verify_name(Verify *v, VerifyKind kind, const char *name, const void *is);
bool verify_is_named(Verify *v, VerifyKind kind, const char *name, const void *is);
bool verify_array_in_scope(Verify *v, const Array *a);
bool verify_expr(Verify *v, const Expr *x);
bool verify_int(Verify *v, const Expr *x);
// An access: its array is in scope, and the threads that a register names are those around.
bool verify_access(Verify *v, const Array *a, Expr *const *sub);
bool verify_param_expr(Verify *v, const Expr *x, bool integer); // no loads, no counters
bool verify_is_update(Op op);                                   // OP_SET included

// verify_tree.c
bool verify_tree(Verify *v, const Node *n);
bool verify_array(Verify *v, const Array *a); // its own fields; names it
#endif
