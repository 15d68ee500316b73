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
    bool ends;              // of what is there already: a pointer's name stands for all that was entered there
} ItemPlace;
typedef struct Item {
    const char *address, *bytes; // C expressions
    // not NULL: `sculpt_row` counts up to it, for rows that lie where pointers say (address and bytes name it)
    const char *rows;
} Item;
// False: its size is not told.
bool item_read(const ItemPlace *at, const char *s, const char *end, Item *out);
#endif
