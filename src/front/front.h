// SPDX-License-Identifier: MIT
// front.h -- C text to regions. clang.c alone sees libclang.
#ifndef SCULPT_FRONT_H
#define SCULPT_FRONT_H
#include "parse/flat.h"
#include "ir/ir.h"

// What stands in the user's text where a region was found; offsets are bytes in the unit's text.
// Loops that return from their function. On a device they set two variables, which the caller of the region
// declares and looks at.
#define FRONT_GONE "sculpt_gone_"
#define FRONT_RESULT "sculpt_result_"
typedef struct Returns {
    int n;                   // how many such statements there are
    const char *type;        // C, of the value; NULL: there is none
} Returns;

typedef struct FrontRegion {
    Region *region;          // NULL: marked, but not taken (diagnosed)
    MarkKind marked;
    size_t begin, end;       // the loops, pragma lines excluded; end is exclusive
    size_t pragma_begin;     // first byte of the mark (== begin when there is none)
    size_t reach;            // end of what the mark speaks of, of which begin to end may be nothing
    bool inside;             // of a loop whose own mark is not kept
    bool of_host;            // no directive gives it to the device: it works on the host's data
    const char *threads;     // by num_threads, as the program has it; NULL: not said, or a function's value
    bool waits;              // for tasks of the host, by a depend clause
    bool deferred;           // by nowait: the host's OpenMP may run it later
    bool joined;             // a loop of the host that nobody marked, with the marked loops in it
    const char *mark;        // the words of the directive, "omp parallel for"; NULL: none stands at the loops
    Loc loc;
    // C statements to run after the region when it ran on the device: the final values of
    // counters that the program reads afterwards; "" for none.
    const char *epilogue;
    Returns returns;
    // a variable that the region writes and that the host loop around it reads each time; NULL
    const char *looks_at;
    Loc looks;               // that loop
    int depth;               // loops that stand inside each other, at most FRONT_DEEPEST
    int loops;               // as the user counts them: 1; of `joined` the marked ones that its text holds
} FrontRegion;
enum { FRONT_DEEPEST = 16 };

// A data directive or an inferred scope: text to insert at a place.
typedef struct FrontInsert {
    size_t at;
    const char *text;
    // What is put in rests on every region of [begin, end) being called through libsculpt:
    // when one of them is left as it was, the insert must be dropped.
    size_t begin, end;
    int order;               // of inserts at one place
} FrontInsert;

typedef struct FrontUnit {
    const Flat *flat;
    int noutside;            // included files with marks that are not in the text
    const char *file, *text; // the main file, whole, with what flat.h puts in
    size_t size;
    int nregions;
    FrontRegion *regions;    // in text order, disjoint
    int nleft;
    FrontRegion *left;       // loops without a mark of which nothing was taken (auto_mark)
    int ninserts;
    FrontInsert *inserts;    // data scopes; in text order
    int nmacros;
    const char **macros;     // names of the program's own
} FrontUnit;

// Parses one C file with cc's flags (-I -D -std …; others are ignored). NULL after
// diagnostics when clang finds an error or the file can't be read. auto_mark: take every
// outermost loop nest that can be taken.
FrontUnit *front_read(Compile *c, const char *file, int nflags, const char *const *flags,
                      bool auto_mark);
#endif
