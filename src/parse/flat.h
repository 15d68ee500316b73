// SPDX-License-Identifier: MIT
// flat.h -- a C file with those of the program's own files put in that hold marked loops.
#ifndef SCULPT_PARSE_FLAT_H
#define SCULPT_PARSE_FLAT_H
#include "base/base.h"

// From line `at` of the text on stand the lines of a file from `line` on, which the file, with #line,
// says are those of another from said_line on.
typedef struct Piece {
    int at;
    const char *file;
    int line;
    const char *said_file;
    int said_line;
} Piece;

typedef struct Flat {
    const char *file;        // as it was named
    char *text;
    size_t size;
    VEC(Piece) pieces;       // in order; one: nothing was put in
    VEC(const char *) files; // those that were put in, each time
    bool may_mark;           // is there anything that could be a mark, or, if these are wanted, a loop?
} Flat;

// Bytes of the text in whose place another text stands.
typedef struct Replaced {
    size_t begin, end;
    const char *text;
} Replaced;

// NULL: there is no such file.
Flat *front_flatten(Compile *c, const char *file, int nflags, const char *const *flags, bool auto_mark);
// The text with calls of macros written out, in text order: each statement in a line of its own, which says
// that it is the call's.
Flat *flat_write_out(Compile *c, const Flat *f, int n, const Replaced *calls);
// Has a file that was not put in marks? Then a remark says that they are left.
bool flat_leaves(Compile *c, const char *path, const char *text, size_t size);
// Where a place of the text, by its line or its byte, stands in the user's files.
Loc flat_loc(const Flat *f, Loc at);
int flat_line(const Flat *f, int line); // and which line of the text a line of the file itself is
Loc flat_place(const Flat *f, size_t at);
Loc flat_said(const Flat *f, size_t at); // as __FILE__ and __LINE__ are there
#endif
