// SPDX-License-Identifier: MIT
// refs.h -- the array references of a tree, each with the loops around it: what patterns look at.
//
//   for i { for k { sum += A[i][k] * B[k][j] } }     A[i][k], loops i k;  B[k][j], loops i k;  sum …
//
// One walk collects them; a pattern then looks at each once, so that finding takes time linear in
// the number of references.
#ifndef SCULPT_RULE_REFS_H
#define SCULPT_RULE_REFS_H
#include "rule/catalogue.h"

typedef struct Ref {
    const Array *array;
    Expr *const *sub;      // [array->rank]
    bool read, write;      // an update is both
    Op op;                 // of a write
    Node *node;            // the statement, copy, condition or loop that holds it
    Node *kernel;          // around it; NULL: none
    int nloops;
    Node *const *loop;     // around it, outermost first
    int home;              // how many of these loops stand around what declares the array; 0: all are inside
    int use;               // which of Refs.uses
} Ref;
// All references of one array in one kernel (or outside of any).
typedef struct Use {
    const Array *array;
    const Node *kernel;
    bool read, written;
    int first;             // the first of them
    bool apart;            // some differ from the first by constants, in every subscript
} Use;
typedef struct Refs {
    Arena *a;
    Ref *at;
    int n, cap;
    VEC(Use) uses;
    int *slot, nslots;     // a hash table of uses, by array and kernel
} Refs;
// Every reference below root, in text order.
void refs_of(Arena *a, Node *root, Refs *out);

bool ref_names(const Ref *r, const Node *loop);          // does a subscript use its counter?
// The subscript that is `loop`'s counter plus what does not move with it; -1: none, or several,
// or with another factor than 1.
int ref_unit(const Ref *r, const Node *loop);
// The outermost thread loop's place in r->loop; r->nloops: none.
int ref_first_thread(const Ref *r);
const char *ref_text(Arena *a, const Ref *r);            // "A[i][k] in S0"
#endif
