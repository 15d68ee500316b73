// SPDX-License-Identifier: MIT
// storage.h -- what the storage-changing rules share: accesses, footprints, buffers, copies.
//
//   for kt {                              for kt {
//     thread ti { for kk {                  coop x { coop y { copy sb[x][y] = b[16*kt + x][128*ib + y] } }
//       … b[16*kt + kk][128*ib + ti] …  →   thread ti { for kk { … sb[kk][ti] … } } }
//
// A buffer holds the box of elements that the accesses below a place name. Each subscript is
// base + Σ coef * counter over the inner counters; a dimension of the array becomes one
// dimension of the buffer where the multiples leave no gaps, and several where they do:
// 32*i2 + i4 with i2 < 2 and i4 < 4 is a box of [2][4].
#ifndef SCULPT_RULE_STORAGE_H
#define SCULPT_RULE_STORAGE_H
#include "rule/loops.h"

// ---- accesses (access.c) ------------------------------------------------------------------------
// One access on the way down from a place.
typedef struct Site {
    int nloops;
    const Node **loop;            // around it, below (and with) the place; outermost first
    Expr *cond;                   // the conditions between, where they are known; NULL: none
    const Node *node;             // the statement, copy, condition or loop that holds it
    Expr *const *sub;
    bool write, read;
    Op op;                        // of a write: OP_SET or an update
} Site;
// Where the access shall go instead; false: it stays.
typedef bool (*SiteVisit)(const Site *s, const Array **to, Expr ***sub, void *arg);
// Visits all accesses of an array below n. Returns n with what changed.
Node *accesses_edit(Arena *a, Node *n, const Array *array, SiteVisit visit, void *arg);

// ---- footprints (footprint.c) ----------------------------------------------------------------------
enum { FOOT_TERMS = 24, FOOT_GROUPS = 12 };
// coef * (sym - pivot) in the array's dimension dim, at least 0 and in steps up to coef * span.
typedef struct FootTerm {
    int dim;
    const Sym *sym;
    int64_t coef, span;
    Expr *pivot;      // the counter's value where the term is 0
} FootTerm;
// A subscript of an access, taken apart.
typedef struct FootRef {
    int nterms;
    FootTerm term[FOOT_TERMS]; // by dimension, then by size of coef
    Expr **base;               // [rank]
} FootRef;
// One dimension of a buffer: elements base + stride * 0 … extent-1 of the array's dimension dim.
typedef struct FootGroup {
    int dim;
    int64_t stride, extent;
} FootGroup;
// The places of a box that some accesses have in common, by its groups.
typedef struct FootPart {
    int64_t lo[FOOT_GROUPS], hi[FOOT_GROUPS]; // hi: the first behind
} FootPart;
// Accesses whose boxes lie at constant distances from each other.
typedef struct FootBox {
    const Array *array;
    FootRef shape;             // of the first; its bases are the least
    int64_t *delta;            // [rank]: the farthest lies so far behind in each dimension,
    int64_t *grain;            // [rank]: in multiples of this
    int ngroups;
    FootGroup group[FOOT_GROUPS]; // by the array's dimensions, large strides first
    bool read, write, plain;   // plain: some write is no update
    Op op;                     // of the updates, when all have the same; else OP_SET
    int nterms;                // conditions that hold at all accesses, over inner counters
    Expr *terms[TERMS_MAX];
    bool same;                 // all accesses have the very same subscripts
    VEC(FootPart) parts;       // together what is touched of it; none: all may be
    // The first of them is a plain write by this statement, under conditions that are all among `terms` as
    // long as there are so many: what an element held before is not read then. NULL: it is none.
    const Node *writer;
    int nwriter;
} FootBox;
typedef VEC(FootBox *) FootBoxes;

typedef struct FootWish {
    Change *ch;
    const Array *array;
    bool threads;              // counters of thread loops are inner ones too
    bool writes;               // only what is written
    bool some;                 // reads that form no box may stay where they are…
    const char *left;          // …and why the first of them does not; NULL: there are none
    // Without that: the digits of the thread, by which all accesses are told apart; fresh
    // counters, made by footprints_of.
    int ndigits;
    const Sym *digit[8];
    int64_t digits[8];         // their extents
} FootWish;
// The boxes of all accesses below n. False after change_refuse.
bool footprints_of(FootWish *w, Node *n, FootBoxes *out);
// The box that an access belongs to, and its place in it: [ngroups]. NULL: none.
const FootBox *footprint_find(FootWish *w, const FootBoxes *all, const Site *s, Expr **index);
int64_t footprint_size(const FootBox *b);
// Finds the parts of a box that the accesses below n touch: a cross has no corners.
void footprint_parts(FootWish *w, Node *n, FootBox *b);
// Is each element certainly written before any of the accesses reads it?
bool footprint_begins_written(const FootBox *b);
// An access's condition or value over counters of a copy of the box (index[ngroups]) instead of
// the inner counters; NULL: it says more than which element.
Expr *footprint_express(Change *ch, const FootBox *b, Expr *x, Expr *const *index);

// ---- buffers and copies (buffer.c) ----------------------------------------------------------------------
typedef struct Buffer {
    const FootBox *box;
    Array *array;
    int ndigits;
    int order[FOOT_GROUPS];    // dimension k after the digits is group order[k] of the box
    int64_t from[FOOT_GROUPS]; // of each group: where in the array the box begins
    bool async;                // what comes in passes no register, so that nothing waits for it on the way
} Buffer;
// An array for a box. order: dimensions of the original array, outermost first (norder 0: as
// they are). False after change_refuse.
bool buffer_make(Change *ch, const FootWish *w, const FootBox *box, const char *name, Place place, int norder,
                 const int64_t *order, int64_t pad, Buffer *out);
// The same array for a box inside of its own. False after change_refuse.
bool buffer_part(Change *ch, const Buffer *whole, const FootBox *box, Buffer *out);
typedef enum CopyWay { COPY_IN, COPY_OUT, COPY_ADD, COPY_ZERO } CopyWay;
// The loops over a box and the copy. With digits: inside thread loops of its own. runs: when
// there is anything to copy at all; NULL: always.
typedef struct Copies {
    Node *all;                 // under the conditions of the accesses that it serves
    Node *bare;                // only as far as the elements exist; the same loops
} Copies;
Copies buffer_copy(Change *ch, const FootWish *w, const Buffer *b, CopyWay way, How how, Expr *runs);
// The tree in which c->all, or c->bare where that needs no condition, stands without
// conditions that hold.
Node *copies_settle(Change *ch, Node *root, const Copies *c);
// All accesses of the boxes' array go to the buffers.
Node *buffers_redirect(FootWish *w, Node *n, const FootBoxes *boxes, const Buffer *buffers);

// ---- what a nest touches (box.c) ------------------------------------------------------------------------
// The least and greatest subscripts of a user's array or a temporary, [rank], where *used holds (NULL:
// always; what it has on entry is kept). False after change_refuse.
bool array_box(Change *ch, const Array *x, Expr **lo, Expr **hi, Expr **used);
#endif
