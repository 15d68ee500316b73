// SPDX-License-Identifier: MIT
// accept_table.c -- tables of numbers that are constants of the program.
//
//   static const int dx[4] = {0, 1, 0, -1};     values (0, 1, 0, -1)
//
// What their elements are used for is then as well known as a number that is written there. Of large ones of
// whole numbers the least and the greatest value are kept.
#include "front/accept.h"
#include "ir/table.h"

enum { EACH = 64, LARGEST = 1 << 16 }; // elements that are kept each, that are looked at

typedef struct Table {
    Accept *ac;
    const Array *v;
    int64_t *at;           // row-major
    int64_t n;
} Table;

// Of numbers that are written there alone.
static bool is_constant_value(const Ast *root) {
    ast_each(x, root)
        if (x->kind != A_INT && x->kind != A_FLOAT && x->kind != A_CAST && x->kind != A_UNARY &&
            x->kind != A_BINARY)
            return false;
    return root->type && root->type->kind == CT_SCALAR && root->type->scalar != T_NONE;
}

static bool number(const Table *t, const Ast *root, int64_t *v) {
    if (!is_constant_value(root)) return false;
    const Expr *x = accept_convert(t->ac, t->v->elem, accept_value(t->ac, root));
    if (!x || (x->kind != E_INT && x->kind != E_FLOAT)) return false;
    *v = table_bits(x);
    return true;
}

// The part of the table below dimension d that begins at element `from`, `size` elements.
static bool fill(Table *t, const Ast *list, int d, int64_t from, int64_t size) {
    if (list->kind != A_INIT_LIST || list->nkids > t->v->extent[d]->i) return false;
    int64_t each = size / t->v->extent[d]->i;
    for (int k = 0; k < list->nkids; k++) {
        int64_t v = 0, at = from + k * each;
        if (d + 1 < t->v->rank ? !fill(t, list->kids[k], d + 1, at, each) : !number(t, list->kids[k], &v))
            return false;
        if (d + 1 == t->v->rank) t->at[at] = v;
    }
    return true;
}

// clang says const of the array as a whole, or of its elements.
static bool is_constant(const Decl *d, const Array *v) {
    const CType *t = d->type;
    bool fixed = t->is_const, changes = t->is_volatile;
    int rank = 0;
    for (; t->kind == CT_ARRAY; t = t->of, rank++) fixed |= t->of->is_const, changes |= t->of->is_volatile;
    return rank == v->rank && t->kind == CT_SCALAR && fixed && !changes && t->bytes == v->stride;
}

static void keep_ends(Table *t) {
    int64_t least = t->at[0], most = t->at[0];
    for (int64_t k = 1; k < t->n; k++) {
        if (t->at[k] < least) least = t->at[k];
        if (t->at[k] > most) most = t->at[k];
    }
    t->at[0] = least, t->at[1] = most, t->n = 2;
}

void accept_table(Accept *ac, const Decl *d, Array *v) {
    if (!d || d->kind != D_VAR || !d->init || !v->rank || v->offset || v->place != PLACE_USER ||
        !v->constant_size || !is_constant(d, v))
        return;
    Table t = {.ac = ac, .v = v, .n = 1};
    for (int k = 0; k < v->rank; k++)
        if (v->extent[k]->kind != E_INT || v->extent[k]->i < 1 || (t.n *= v->extent[k]->i) > LARGEST) return;
    t.at = NEW_N(ac->a, int64_t, t.n + 1);
    if (!fill(&t, d->init, 0, 0, t.n)) return;
    if (t.n > EACH && type_is_float(v->elem)) return;
    if (t.n > EACH) keep_ends(&t);
    v->values = t.at;
    v->nvalues = (int)t.n;
}
