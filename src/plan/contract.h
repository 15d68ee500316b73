// SPDX-License-Identifier: MIT
// contract.h -- contractions: many updates of each element, from operands that are read again.
//
//   for y { for x { for k { C[y][x] op= f(A[y][k], B[k][x], d[k], …) } } }
//
// In whatever order the loops stand and the operands are stored; f and op are any. A product
// of matrices is one, and so are squared distances, A·diag(d)·B and (min, +).
#ifndef SCULPT_PLAN_CONTRACT_H
#define SCULPT_PLAN_CONTRACT_H
#include "plan/plan.h"

typedef enum Side { SIDE_X, SIDE_Y, SIDE_NEITHER } Side;

// One array that is read; its subscripts are counters, each in one dimension, or parameters.
typedef struct Operand {
    const Array *array;
    Side side;             // which parallel counter it moves with; SIDE_NEITHER: with k alone
    int k, xy;             // the dimension that k stands in, that x or y stands in; -1: none
} Operand;

enum { CONTRACT_OPERANDS = 8 };
typedef struct Contraction {
    const Region *region;
    const Stmt *stmt;
    const Node *x, *y, *k; // the loops; x is the one that C is contiguous in
    int n;
    Operand op[CONTRACT_OPERANDS];
    int flops;             // arithmetic operations an update
    const char *sum;       // the array that is summed, after these steps:
    const char *before;    // what makes a perfect nest of it; ""
    bool joins;            // other loops fill it before, or use it up behind,
    bool stores;           // and what they store is of its type
} Contraction;

// Is the whole region one contraction with parallel x and y?
bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out);
// Is it one whose sums begin, or go on, in other statements: s = 0; for k s += …; C[y][x] = 2 * s?
bool contraction_find_sum(Compile *c, const Region *r, const DepInfo *d, const Nest *start, Contraction *out);

// How one kernel is cut. A thread has 4·px by 4·py elements of C, a warp lx by ly threads, a
// block wx by wy warps; k goes in strips of bk, of which `stages` are in shared memory.
typedef struct Tile {
    int px, py, lx, ly, wx, wy, bk, stages;
    int min_blocks;        // 0: the device's compiler may take what registers it likes
    int chunk;             // terms after which a float sum begins anew, where that is permitted; 0: none
    bool shared_sums;      // the sums of chunks are kept in shared memory, not in registers
} Tile;
int tile_x(const Tile *t); // elements of C a block has in x
int tile_y(const Tile *t);

// How operands come to shared memory.
typedef enum Way {
    WAY_DIRECT, // as they lie, in vectors; one whose k is contiguous is packed and turned first
    WAY_PACKED, // all are packed first: rows may begin anywhere
    WAY_ALIGNED, // as they lie, in vectors; one whose k is contiguous is turned on the way, element by
                // element: no kernel before
    WAY_SINGLE, // as they lie, element by element: rows may begin anywhere
} Way;
// Are the sizes plain parameters, of which multiples can be asked?
bool contraction_has_sizes(const Contraction *k);
// One kernel of a contraction.
typedef struct Shape {
    const Tile *tile;
    Way way;
    bool exact;            // for sizes that are whole tiles alone, which leaves no edges
    int parts;             // the sums are split so often, which needs the permission to reassociate; 1: not
    int resident;          // blocks that fit one multiprocessor
    double speed;          // GFLOP/s of one multiprocessor that has many such blocks
    double alone;          // with n blocks it has speed * n / (n + alone)
    double turning;        // speed that each operand costs which is turned on the way
} Shape;
// The recipe for one shape.
char *contraction_recipe(Arena *a, const Contraction *k, const Shape *s);
// Microseconds that it takes, over the region's parameters and the number of multiprocessors.
Expr *contraction_cost(Arena *a, const Contraction *k, const Shape *s, const Sym *processors);
bool operand_is_packed(const Operand *o, Way way);
bool operand_is_turned(const Operand *o); // its k is contiguous
#endif
