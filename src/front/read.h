// SPDX-License-Identifier: MIT
// read.h -- what read.c and candidates.c share: statements on their way to regions.
#ifndef SCULPT_FRONT_READ_H
#define SCULPT_FRONT_READ_H
#include "front/passes.h"

typedef VEC(Ast *) Statements;

// A statement, or a run of statements of one block, that may become a region.
typedef struct Candidate {
    Decl *func;
    MarkKind marked;
    const struct Candidate *around; // it was refused, this one stands inside of it; NULL: none
    bool whole;            // a target construct, or a host loop of marked ones
    bool undone;           // that was refused, and the marks in it stand for themselves; or one that is in it
    int nstmts;
    Ast **stmts;
    size_t pragma_begin;
    bool steps, of_host;   // a host loop of marked ones; of which one works on the host's data
    Ast written;           // the host loop as it is without that
    const char *behind;    // C that moves pointers as its steps would have; NULL: none
} Candidate;

typedef struct Reading {
    Compile *c;
    Arena *a;
    AstUnit *u;
    VEC(Candidate) candidates;      // disjoint
    VEC(FrontRegion) regions;
    VEC(FrontRegion) left;          // unmarked ones of which nothing is taken
    const char **handed; // [u->nfuncs] under which directive the host's compiler makes them for devices
    const AstError *told;           // whose loops were said to stay
    bool partly;                    // marked loops are left, whole or in part, without a region
    VEC(const RegionAst *) taken;
    VEC(const Region *) taken_regions; // [taken.n]
} Reading;

// A mark at `at` whose loops, as far as `reach`, stay as they are, which has been said.
void leave_mark(Reading *rd, MarkKind marked, Loc loc, size_t at, size_t reach);
// Does no directive give the candidate's loops to the device, so that they work on the host's data?
bool is_of_host(const Reading *rd, const Candidate *cand);
// candidates.c: the marked statements; with auto_mark also the loops that have no mark.
void find_candidates(Reading *rd, bool auto_mark);
// Looks for marks once more in a target construct that was not taken whole.
void find_inside(Reading *rd, size_t begin, size_t end);
// handed.c: functions as in Reading.handed; the same of a candidate, NULL: libsculpt may be called there.
const char **functions_handed(Arena *a, const AstUnit *u);
const char *handed(const Reading *rd, const Candidate *cand);
bool follows_openmp(const AstUnit *u);
bool follows_openacc(const AstUnit *u);
// asked.c: would a loop that nobody marked set errno, or flags of <fenv.h>, that its file asks for? Then it
// stays on the host, with a remark.
bool sets_what_is_asked(Compile *c, const RegionAst *ra, const Region *r);
// A target construct that is nothing but loops with marks of their own, and that gives back what they write?
bool is_whole_construct(const Reading *rd, const Pragma *p);
// The outermost for loops at or below x, in text order.
void outermost_loops(Arena *a, Ast *x, Statements *out);
#endif
