// SPDX-License-Identifier: MIT
// equal.h -- somebody else's kernel against a loop nest: proved equal, refuted by a run, or not decided.
//
//   region    for i for j { s = 0; for k s += a[i][k] * b[k][j]; c[i][j] = s }
//   kernels   launches of trees of copies (kernel/kernel.h); their grids are expressions of the sizes
//
//   pair.c      both as trees of copies over the same arrays and sizes
//   split.c     a flat subscript as one of rows
//   flow_tree.c  the two as the proof looks at them
//   forward.c   a thread's whole numbers, put where they are used
//   trips.c     loops whose trips data tell, as loops that are long enough
//   phases.c    what the threads of a block add up between them, as one sum each (phase_run.c, phase_sums.c)
//   places.c    the place of a greatest value, handed on beside it
//   swizzle.c   columns of shared memory that change places row by row
//   strides.c   strides of a grid that is large enough; rows that go round
//   rows.c      memory that is there although one run does not lead to it
//   factors.c   numbers that run to a product of sizes, as a loop for each factor
//   digits.c    threads' numbers that are divided, as digits
//   roll.c      what the fields of a vector are copied one by one, as a loop over them
//   run.c       both run at some sizes, watched: values, bounds, races
//   sizes.c     which sizes; the data
//   derive.c    which writes a value rests on
//   value.c     what an access reads, as an expression of what was there before, piece by piece
//   sum.c       sums: the set of what is added, through any number of buffers
//   ties.c      places: are they compared by their own values, and the right one of equal ones kept?
//   compare.c   two values: where they are not known to be equal
//   widths.c    whole numbers in the types in which both compute them
//   order.c     threads that meet on a word without a barrier between them; bounds
//   certificate.c  the facts of a proof as text, which sculpt-certify checks without isl
//   equal.c     the answer
//
// A value is compared with another as C's operations are written: real arithmetic's laws are not used, but
// that a sum's terms may come in any order where that is permitted.
#ifndef SCULPT_EQUAL_H
#define SCULPT_EQUAL_H
#include "ir/ir.h"

// One launch of a hand-written kernel.
typedef struct EqualLaunch {
    const Region *region; // its parameters and arrays
    Node *root; // with the author's barriers
    int lockstep; // KernelNest's
    const char *grid_of[3], *shared_of; // KernelLaunch's
    int loop; // around it, a number in EqualTask.loop; -1: none
} EqualLaunch;

// A loop of the host's around launches: name = lo, lo + step, … below hi.
typedef struct EqualLoop {
    const char *name, *lo, *hi, *step;
    int outer; // -1: none
} EqualLoop;

// What stands for a parameter or array of launch number `launch` (-1: of any): an expression over the
// region's parameters, or the name of an array, of the region's or of one that the launches share.
typedef struct EqualBind {
    int launch;
    const char *ours, *theirs;
    const char *offset; // of an array: it begins so many elements of `bytes` behind theirs; NULL: with it
    int64_t bytes;
} EqualBind;

// Where the kernel's array has an element of one of the loops': B[j * ld + i] = b[i][j]. The address is an
// expression of the indices and the region's parameters. One array of the kernel's may hold several.
typedef struct EqualLayout {
    const char *ours, *address, *theirs;
    int n;
    const char *index[4]; // of theirs
} EqualLayout;

// Memory that the host allocates for the launches, named "@NAME" by a bind.
typedef struct EqualTemporary {
    const char *name, *bytes; // an expression over the region's parameters; NULL: nobody knows
} EqualTemporary;

// One more parameter, a whole number that the launches hang on.
typedef struct EqualFree {
    const char *name;
    const char *is; // what it is when it is run, of those before and the region's; NULL: anything
} EqualFree;

typedef struct EqualTask {
    const Region *region; // the loops
    int nlaunch;
    const EqualLaunch *launch; // in order
    const EqualLoop *loop;
    int ngranted;
    const char *const *granted; // conditions over the region's parameters that are taken for granted
    int nbind;
    const EqualBind *bind;
    int nlayout;
    const EqualLayout *layout;
    int ntemporary;
    const EqualTemporary *temporary;
    const char *where; // a condition over the region's parameters; NULL: none
    int nfree;
    const EqualFree *free;
    bool reassociate; // float sums may come in another order
    bool approximate; // fast functions and reciprocals stand for those that are rounded well
    bool certificate; // the facts of the proof are wanted
    bool unrun; // other sizes were run; these may be too large for that, or none at all
} EqualTask;

typedef enum EqualAnswer { EQUAL_PROVED, EQUAL_REFUTED, EQUAL_UNDECIDED, EQUAL_NOT_READ } EqualAnswer;

// A write that a refuted value rests on; those that it read follow, one deeper.
typedef struct EqualStep {
    int depth;
    const char *element;
    const char *was; // nobody wrote it: "as it was"; NULL: somebody did
    Loc loc;
    int times; // the statement updated it so often
} EqualStep;
typedef VEC(EqualStep) EqualSteps;

typedef struct EqualReport {
    EqualAnswer answer;
    const char *why; // refuted: what went wrong; not decided: what stands in the way
    // not proved: a condition over the sizes under which all is; NULL: none was found
    const char *when;
    const char *sizes; // refuted: "n = 17, m = 3"
    const char *element; // refuted: "c[16][3]"; NULL: it is no matter of one
    const char *theirs, *ours; // refuted: what the loops and the kernel leave there
    Loc loc, from; // refuted: in the kernel and in the loops; no line: not known
    EqualSteps steps[2]; // refuted by the element: what the loops' value rests on, and the kernel's
    const char *order; // proved: "same", "regrouped": of float sums; NULL: there are none
    const char *granted; // proved where this holds of the sizes, which is taken for granted; NULL: nothing
    bool finite; // proved for data without infinities and NaN: zeros are multiplied with them
    bool no_nan; // proved for data without NaN: a greatest or least is taken
    bool begins; // proved for data beyond the number with which a search for the greatest or least begins
    // proved, where it is wanted: for sculpt-certify; NULL: there is none, as why says
    const char *certificate;
    int runs; // how many sizes were tried
    struct isl_set *open; // sizes for which it is not shown; for equal.c
} EqualReport;

EqualReport equal_check(Compile *c, const EqualTask *t);
#endif
