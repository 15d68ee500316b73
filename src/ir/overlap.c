// SPDX-License-Identifier: MIT
// overlap.c -- may two arrays of a region share bytes?
//
//   struct { float x, y; } p[n]      p_x: stride 8 offset 0    p_y: stride 8 offset 4     never
//   struct { float a[4], b[4]; } s              s_a: member a         s_b: member b           never
//   float A[n][m], *flat = &A[0][0]  A: rank 2                 flat: rank 1               yes
//
// Different objects never do: a run-time guard compares their footprints.
#include "ir/ir.h"
#include <string.h>

// The bytes of a struct that a field array uses, counted from the struct's beginning.
static bool fields_are_apart(const Array *x, const Array *y) {
    if (x->stride != y->stride || x->stride <= 0) return false;
    int64_t at = x->offset % x->stride, to = y->offset % y->stride;
    if (at < 0) at += x->stride;
    if (to < 0) to += y->stride;
    return at + type_size(x->elem) <= to || to + type_size(y->elem) <= at;
}

// Two members of one record: their paths differ in a line before either ends.
static bool members_are_apart(const char *x, const char *y) {
    if (!x || !y || strcspn(x, "\n") != strcspn(y, "\n") || strncmp(x, y, strcspn(x, "\n"))) return false;
    while (*x && *y) {
        size_t n = strcspn(x, "\n"), m = strcspn(y, "\n");
        if (n != m || strncmp(x, y, n)) return true;
        x += n + (x[n] != 0), y += m + (y[m] != 0);
    }
    return false;
}

bool arrays_may_overlap(const Array *x, const Array *y) {
    if (x == y) return true;
    if (x->place != y->place || (x->place != PLACE_USER && x->place != PLACE_SHARED)) return false;
    return x->object && y->object && strcmp(x->object, y->object) == 0 && !fields_are_apart(x, y) &&
           !members_are_apart(x->member, y->member);
}

bool region_writes(const Region *r, const Array *x) {
    for (int i = 0; i < r->nstmts; i++)
        if (arrays_may_overlap(x, r->stmts[i]->lhs)) return true;
    return false;
}
