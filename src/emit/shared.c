// SPDX-License-Identifier: MIT
// shared.c -- shared memory: arrays of their own, or places in one that is sized at launch.
//
//   __shared__ __align__(16) float sb[16][128];        up to 48 KiB, which every kernel has
//
//   extern __shared__ __align__(16) unsigned char sculpt_shared[];
//   float (&sb)[3][16][128] = *(float (*)[3][16][128])(sculpt_shared + 0);
#include "emit/dialect.h"

enum { STATIC_SHARED = 48 * 1024 };

typedef struct Lot {
    Arena *a;
    VEC(const Array *) arrays;
    int64_t bytes;      // of all, each at a multiple of 16
    bool unknown;       // a size is not a constant
} Lot;

static void take(Lot *lot, const Node *n) {
    for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++) {
        const Array *x = n->locals[k];
        int64_t bytes = type_size(x->elem);
        if (x->place != PLACE_SHARED) continue;
        for (int d = 0; d < x->rank; d++) {
            bool known = x->extent[d] && x->extent[d]->kind == E_INT && x->extent[d]->i >= 0;
            lot->unknown |= !known || __builtin_mul_overflow(bytes, x->extent[d]->i, &bytes);
        }
        vec_push(lot->a, &lot->arrays, x);
        bytes = (bytes + 15) & ~(int64_t)15;
        lot->unknown |= __builtin_add_overflow(lot->bytes, bytes, &lot->bytes);
    }
}

static Lot lot_of(Arena *a, const Node *kernel) {
    Lot lot = {.a = a};
    node_each(n, kernel->body) take(&lot, n);
    return lot;
}

int64_t emit_shared(Arena *a, const Node *kernel) {
    Lot lot = lot_of(a, kernel);
    return lot.unknown ? -1 : lot.bytes;
}

int64_t emit_launch_shared(Arena *a, const Node *kernel, DialectId d) {
    int64_t bytes = emit_shared(a, kernel);
    return d == DIALECT_CUDA && bytes > STATIC_SHARED ? bytes : 0;
}

static void put_place(Printer *p, const Array *x, int64_t at) {
    const char *type = emit_type(p, x->elem);
    Text dims = text_new(p->a);
    for (int d = 0; d < x->rank; d++) text_printf(&dims, "[%lld]", (long long)x->extent[d]->i);
    put_line(p, "%s (&%s)%s = *(%s (*)%s)(sculpt_shared + %lld);", type, emit_name(p, x->name),
             text_str(&dims), type, text_str(&dims), (long long)at);
}

void put_shared_arrays(Printer *p, Node *kernel) {
    Lot lot = lot_of(p->a, kernel);
    if (lot.unknown) {
        emit_fail(p, SC_BUG, "the shared memory of %s has no constant size", kernel->name);
        return;
    }
    bool at_launch = lot.bytes > STATIC_SHARED && p->d->big_shared;
    if (at_launch) put_line(p, "extern %s%sunsigned char sculpt_shared[];", p->d->shared, p->d->aligned[0]);
    int64_t at = 0;
    for (int k = 0; k < lot.arrays.n; k++) {
        const Array *x = lot.arrays.at[k];
        int64_t bytes = type_size(x->elem);
        for (int d = 0; d < x->rank; d++) bytes *= x->extent[d]->i;
        if (at_launch)
            put_place(p, x, at);
        else
            put_local(p, x, p->d->shared);
        at += (bytes + 15) & ~(int64_t)15;
    }
}
