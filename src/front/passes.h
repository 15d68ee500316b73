// SPDX-License-Identifier: MIT
// passes.h -- from a function's statements to a region: the passes of this room, in the order in which
// front_read runs them.
#ifndef SCULPT_FRONT_PASSES_H
#define SCULPT_FRONT_PASSES_H
#include "front/front.h"
#include "parse/ast.h"

// plain.c: some whiles and switches become fors and ifs (plain.h).
// accept.c: one marked statement (or the statements of a scop, n of them) to a raw region:
//   - every scalar of the program that is only read is a parameter (E_SYM), every one that
//     is written a rank-0 PLACE_USER array, live_out as live.c says; variables declared
//     inside are PLACE_LOCAL in the N_SEQ of their block (renamed to be unique);
//   - pointers and arrays are PLACE_USER arrays; a bare pointer has rank 1 and no extent,
//     its subscript as written (i + pitch * j); T ** and T (*)[n] their ranks;
//   - one N_STMT an assignment, all of them OP_SET or op= as written; calls inlined.
// NULL after a located remark that says what is not taken and what to change.
typedef VEC(const char *) Reasons;
typedef struct RegionAst {
    const AstUnit *unit;
    Decl *func;            // the function around it
    MarkKind marked;
    Loc loc;
    int nstmts;
    Ast **stmts;
    int npragmas;          // pragmas at or inside the region, in order
    const Pragma **pragmas;
    int launch;            // of a hand-written kernel: how many loops of the launch stand around it
    Reasons *inexact;      // … and where what was read says less than it,
    Reasons *granted;      // … and what is taken for granted of a run
} RegionAst;
// A pointer that the region changes and that is used behind it: there it is base + moved.
typedef struct LeftPointer {
    const char *name, *base; // C; base: at the region's beginning
    const Array *at;         // the region's scalar that says how far it is; NULL: it stays at base
    Expr *moved;             // what that is in the end; NULL: not known (yet)
} LeftPointer;
// What is set behind the region.
typedef struct Left {
    const char *counters;    // C statements
    VEC(LeftPointer) pointers;
    const char *text;        // both, as C statements
    Returns returns;
} Left;
Region *accept_region(Compile *c, const RegionAst *ra, Left *left);
// live.c: may `d` be read after the last of stmts (in func, loops around them included)
// before it is certainly written again? Globals and escaped variables: yes.
bool live_after(Arena *a, const Decl *func, Ast *const *stmts, int nstmts, const Decl *d);
// May the statement read d before it has certainly set it? Does it certainly set it first?
bool live_into(Arena *a, const Decl *func, const Ast *s, const Decl *d);
bool live_sets(Arena *a, const Decl *func, const Ast *s, const Decl *d);
// section.c: elements lo … lo + size - 1 of an array's first dimension are there, as a clause, a declaration
// or what allocates them says.
typedef struct Section {
    const char *array;     // of the region
    int rank;              // of it
    const char *lo, *size; // C, at the region's place
    const char *said;      // "its declaration"; NULL: its allocation
    Loc loc;               // of the words
} Section;
typedef VEC(Section) Sections;
Sections *sections_of(Compile *c, const RegionAst *ra, const Region *raw);
// normal.c: the raw region to the final one; its passes each have a file. told: what is said of extents, may
// be NULL; left: whose text is made, may be NULL. NULL after remarks.
Region *normal_region(Compile *c, Region *raw, const Sections *told, Left *left);
// What can't be told of a pointer (accept_move.c, left.c).
#define POINTER_CHANGES "the loop changes the pointer '%s', which is used behind it, and what it is there " \
                        "can't be told; count with an integer, or mark the loops inside, between the changes"
// data.c: data directives as text to insert. The result is in the arena, in no order.
typedef VEC(FrontInsert) Inserts;
void data_find(Compile *c, const AstUnit *u, Inserts *out);
// scope.c: inferred data scopes, as text to insert; regions[i] came of asts[i].
void scope_find(Compile *c, const AstUnit *u, int nregions, const RegionAst *const *asts,
                const Region *const *regions, Inserts *out);
#endif
