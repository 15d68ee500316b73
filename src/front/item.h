// SPDX-License-Identifier: MIT
// item.h -- what clauses list: a, a[lo:len], s.x, s->x[0:n], rows[0:n][0:m].
#ifndef SCULPT_FRONT_ITEM_H
#define SCULPT_FRONT_ITEM_H
#include "parse/ast.h"

char *item_trimmed(Arena *a, const char *s, const char *end);
// Where one of the marks stands outside of brackets in [s, end); end: nowhere.
const char *item_mark(const char *s, const char *end, const char *marks);

// Where the clause stands.
typedef struct ItemPlace {
    Arena *a;
    const AstUnit *u;
    const Decl *func;
    const Pragma *p;
    // of what is there already: a pointer's name stands for all that was entered there
    bool ends;
} ItemPlace;
typedef struct Item {
    const char *address, *bytes; // C expressions
    // Rows where pointers say: how many; address is that of the first pointer, bytes are those of a row, and
    // from where in it, an element's number. NULL: one stretch of memory.
    const char *rows, *column;
    const char *whole;      // the structure that it is a member of, by . or ->; NULL: none
} Item;
// False: its size is not told.
bool item_read(const ItemPlace *at, const char *s, const char *end, Item *out);
#endif
