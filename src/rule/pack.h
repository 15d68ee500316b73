// SPDX-License-Identifier: MIT
// pack.h -- an operand and its packed copy, as pack.c and panel.c see them.
#ifndef SCULPT_RULE_PACK_H
#define SCULPT_RULE_PACK_H
#include "rule/storage.h"

enum { PACK_RANK = 3 };

typedef struct Pack {
    Change *ch;
    Arena *a;
    const Array *array;
    int rank;
    int64_t order[PACK_RANK];  // dimension k of the copy is the array's order[k]
    int64_t tile[PACK_RANK];   // by the copy's dimensions
    int64_t panel;             // the copy's last dimension is cut in panels of so many; 0: it isn't
    Array *copy;
    Expr *lo[PACK_RANK], *hi[PACK_RANK]; // of the array's subscripts
    Expr *used;                // the array is used at all; NULL: always
    bool zero;                 // what is padded holds zero; else the last row or column again
    const char *why;           // why an access can't go to the copy; NULL: all can
} Pack;

// ceil(x / by); how many subscripts dimension d of the array has; a fresh counter COPY_STEM; a loop
// from 0.
Expr *pack_ceil_div(const Pack *p, Expr *x, int64_t by);
Expr *pack_extent(const Pack *p, int d);
const Sym *pack_counter(Pack *p, const char *stem);
Node *pack_loop(const Pack *p, const Sym *s, Expr *end, How how, Node *body);

// ---- panels (panel.c) ---------------------------------------------------------------------------
// The copy's extents: panels, the other dimension, a panel's width.
void panel_extents(Pack *p, Expr **extent);
Node *panel_kernel(Pack *p);
// Where the copy has the element at `at`, which is in the order of the copy and counts from 0; NULL:
// it can't be shown that one panel has it.
Expr **panel_access(Pack *p, const Site *s, Expr *const *at);
#endif
