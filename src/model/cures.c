// SPDX-License-Identifier: MIT
// cures.c -- what a person would change in a kernel written by hand, where no recipe can.
//
//   a[tx * n + k]     each thread walks a row       stage a tile, or store it transposed
//   a[tx * n + ty]    y walks word by word          exchange threadIdx.x and threadIdx.y
//   p[i].x            other fields lie between      an array a field
//   s[tx][k]          rows of 32 words              one column more
#include "model/findings.h"
#include <stdlib.h>

// such a nest has only copies (kernel/kernel.h)
bool cure_is_by_hand(const Nest *n) { return n->region->nstmts == 0; }

static bool is_thread(const AccessDim *d) { return d->loop->how == HOW_THREAD && d->trips > 1; }

// tx, ty and tz are the counters that the front end gives the threads.
static const char *axis(const Node *loop) {
    const char *name = loop->iter->name;
    return name[0] == 't' && name[1] >= 'x' && name[1] <= 'z' && !name[2] ? name + 1 : name;
}

static const AccessDim *walking(const AccessCost *c, How how, const AccessDim *but) {
    for (int d = c->ndims; d-- > 0;) {
        const AccessDim *o = &c->dims[d];
        if (o != but && o->loop->how == how && o->known && o->trips > 1 &&
            llabs(o->stride) == type_size(c->array->elem))
            return o;
    }
    return NULL;
}

// An access to another array that goes along its rows as the threads are.
static const AccessCost *in_order(const KernelCost *k, const AccessCost *c) {
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *o = k->accesses[i];
        bool along = !o->shared && !o->assumed && o->array != c->array && o->strided &&
                     o->stride == type_size(o->array->elem);
        if (along && o->write != c->write) return o;
    }
    return NULL;
}

static const char *coalescing(Arena *a, const KernelCost *k, const AccessCost *c) {
    const char *name = c->array->object ? c->array->object : c->array->name;
    const AccessDim *lane = NULL, *o;
    for (int d = 0; d < c->ndims; d++)
        if (is_thread(&c->dims[d])) lane = &c->dims[d];
    if (c->assumed && !c->gathers)
        return arena_printf(a,
                            "let the lanes of a warp take neighbouring elements of one row (a whole warp to "
                            "a row), not a row each: they then ask for %s side by side",
                            name);
    if (c->assumed)
        return "sort or bin the indices, so that neighbouring threads ask for neighbouring words; a small "
               "table can be staged in shared memory";
    if (c->array->stride > type_size(c->array->elem))
        return arena_printf(a,
                            "keep each field of %s in an array of its own (a struct of arrays): neighbouring "
                            "threads then read neighbouring words",
                            name);
    const AccessCost *other = in_order(k, c);
    if ((o = walking(c, HOW_THREAD, lane)) && lane && other)
        return arena_printf(a,
                            "threads along %s walk %s across its rows and %s along them: hand a tile on "
                            "through shared memory (rows one element longer), and let x walk along the rows "
                            "of both",
                            axis(lane->loop), name,
                            other->array->object ? other->array->object : other->array->name);
    if (o && lane)
        return arena_printf(a,
                            "exchange threadIdx.%s and threadIdx.%s in the index of %s: threads along %s are "
                            "neighbours in a warp, and %s walks it word by word",
                            axis(lane->loop), axis(o->loop), name, axis(lane->loop), axis(o->loop));
    if ((o = walking(c, HOW_SERIAL, lane)))
        return arena_printf(a,
                            "each thread walks %s along %s by itself: let neighbouring threads %s "
                            "neighbouring elements along %s and hand them on through a tile in shared "
                            "memory (rows one element longer), or keep %s transposed",
                            name, o->loop->iter->name, c->write ? "store" : "load", o->loop->iter->name,
                            name);
    if ((o = walking(c, HOW_BLOCK, lane)))
        return arena_printf(a,
                            "blocks are neighbours in %s, threads are not: let blockIdx * blockDim + "
                            "threadIdx be the index that moves by one",
                            name);
    return arena_printf(a,
                        "keep %s in the order in which threads along x ask for it (transposed), or go "
                        "through a tile in shared memory",
                        name);
}

static const char *banks(Arena *a, const AccessCost *c, int64_t pad) {
    const Array *x = c->array;
    if (pad && x->rank > 1) {
        Text t = text_new(a);
        for (int d = 0; d < x->rank; d++)
            text_printf(&t, "[%lld]", (long long)(x->extent[d]->i + (d == x->rank - 1 ? pad : 0)));
        return arena_printf(a, "declare %s%s: rows of %lld elements begin one bank further each", x->name,
                            text_str(&t), (long long)(x->extent[x->rank - 1]->i + pad));
    }
    if (c->assumed) return "the data decide: a copy of the table a warp, or other keys, part the threads";
    if (x->rank == 1)
        return arena_printf(a,
                            "let neighbouring threads touch neighbouring elements of %s (in a tree: s[i] += "
                            "s[i + half], not s[2 * half * i]), or leave one element free after every 32",
                            x->name);
    return arena_printf(a,
                        "exchange the subscripts of %s, lengthen its rows by one element, or mix the row "
                        "into the column (row ^ column)",
                        x->name);
}

const char *cure_by_hand(Arena *a, FindingKind kind, const KernelCost *k, const AccessCost *c,
                         const BranchCost *b, int64_t pad) {
    const Node *inner = k->inner_loop;
    switch (kind) {
    case FIND_COALESCING: return coalescing(a, k, c);
    case FIND_ALIGNMENT:
        return "let rows begin at multiples of 32 bytes: pad their length (cudaMallocPitch does), or begin "
               "the work at such an element";
    case FIND_BANKS: return banks(a, c, pad);
    case FIND_DIVERGENCE:
        if (b->assumed)
            return b->loop
                       ? "give threads of a warp rows of like length (sort them), or a whole warp to a row"
                       : "sort the work, so that a warp's threads agree";
        return b->loop ? "let all threads of a warp make as many iterations, and deal what is left over to "
                         "whole warps"
                       : "let whole warps take one side: number the active threads from 0 on, or compare "
                         "threadIdx / 32";
    case FIND_OCCUPANCY:
        return inner ? arena_printf(a,
                                    "#pragma unroll 8 before the loop over %s, so that loads are under way "
                                    "together; or more warps",
                                    inner->iter->name)
                     : "several elements a thread, all loaded before the first is used; or more warps";
    case FIND_MIX:
        return inner ? arena_printf(a,
                                    "#pragma unroll before the loop over %s; several results a thread, so "
                                    "that each loaded value is used more often",
                                    inner->iter->name)
                     : NULL;
    case FIND_IDLE:
        return "more and smaller blocks, fewer elements a thread, or each sum split over several blocks";
    default: return NULL;
    }
}
