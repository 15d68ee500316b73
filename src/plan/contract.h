// SPDX-License-Identifier: MIT
// contract.h -- contractions: many updates of each element, from operands that are read again.
//
//   for y { for x { for k { C[y][x] op= f(A[y][k], B[k][x], d[k], …) } } }
//
// In whatever order the loops stand and the operands are stored; f and op are any. A product
// of matrices is one, and so are squared distances, A·diag(d)·B and (min, +). There may be more loops:
// further parallel ones (batches of products, contractions of tensors) and further summed ones, which
// subscripts may add to the three counters (convolutions: in[c][y + r][x + q] * w[f][c][r][q]). And there
// may be several updates in one body, of one element or of several: complex products, or two that share an
// operand.
#ifndef SCULPT_PLAN_CONTRACT_H
#define SCULPT_PLAN_CONTRACT_H
#include "plan/plan.h"

typedef enum Side { SIDE_X, SIDE_Y, SIDE_NEITHER } Side;

// One array that is read. In each of its subscripts is at most one of the three counters, plus something
// that is the same for a whole tile, and each in one dimension at most. Where elements are interleaved
// (a[i][2 * k] and a[i][2 * k + 1], or a[i][k][0] and a[i][k][1]) several places of it are one operand.
typedef struct Operand {
    const Array *array;
    Expr *const *sub;
    Side side;             // which parallel counter it moves with; SIDE_NEITHER: with k alone
    int k, xy;             // the dimension that k stands in, that x or y stands in; -1: none
    bool shifted;          // something is added to k, x or y: no row of it begins where a tile does
    int kby, xyby;         // what k, and x or y, are multiplied by; 1: nothing
    int places;            // that each iteration reads
    bool loose;            // neighbours along its last dimension are none in memory, or not of a tile
    bool again;            // the second place of an array that is read at two: rows for x, and rows for y
    unsigned batches;      // bit i: it names the contraction's batch[i]
} Operand;

// What is summed: an array, or a local that becomes one.
typedef struct Sum {
    const Stmt *stmt;      // its first update
    const char *name;      // of the array, after the steps before
    int places;            // elements of it that an iteration updates
    bool joins;            // other loops fill it before, or use it up behind,
    bool stores;           // and what they store is of its type
} Sum;

enum { CONTRACT_OPERANDS = 8, CONTRACT_MORE = 4, CONTRACT_SUMS = 4, CONTRACT_UPDATES = 8 };
typedef struct Contraction {
    const Region *region;
    int nupdates, nsums;
    const Stmt *update[CONTRACT_UPDATES]; // the statements in the innermost loop
    Sum sum[CONTRACT_SUMS];
    const Node *x, *y, *k; // the loops that are tiled; x is the one that C is contiguous in
    int nbatch, naround;
    // the other parallel loops: the first is one of blocks, the rest go around a block's tile
    const Node *batch[CONTRACT_MORE];
    const Node *around[CONTRACT_MORE]; // the other summed loops, in their order: around the strips of k
    int n;
    Operand op[CONTRACT_OPERANDS];
    bool shifted;          // C is, as operands may be
    int products;          // of all updates, at least one for each
    const char *before;    // steps that make a perfect nest of it; ""
    bool triangle;         // not each x and y has an element: a condition tells which have,
    bool strip;            // and not each element has all terms of k
} Contraction;

// Is the whole region one contraction with parallel x and y? Where more loops could be tiled, those are that
// have the most iterations as far as the text tells, and of these the last ones that C names.
bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out);
// Is it one whose sums begin, or go on, in other statements: s = 0; for k s += …; C[y][x] = 2 * s? Or one of
// which only a part is computed: for x <= y, if (x <= y), for k > y?
bool contraction_find_sum(Compile *c, const Region *r, const DepInfo *d, const Nest *start, Contraction *out);

// How one kernel is cut. A thread has 4·px by 4·py elements of C, a warp lx by ly threads, a
// block wx by wy warps; k goes in strips of bk, of which `stages` are in shared memory.
typedef struct Tile {
    int px, py, lx, ly, wx, wy, bk, stages;
    int min_blocks;        // 0: the device's compiler may take what registers it likes
    int chunk;             // terms after which a float sum begins anew, where that is permitted; 0: none
    bool shared_sums;      // the sums of chunks are kept in shared memory, not in registers
    bool early;            // sums begin with the element, for which short sums needn't wait at their end then
    bool through;          // sums meet memory through shared memory, where rows begin anywhere
    bool through_sums;     // from the second sums in shared memory, all of a tile at once
    const char *matrix;    // the instruction that adds up a warp's tile; NULL: threads do, each its own
} Tile;
int tile_x(const Tile *t); // elements of C a block has in x
int tile_y(const Tile *t);

// How operands come to shared memory.
typedef enum Way {
    WAY_DIRECT, // as they lie, in vectors; one whose k is contiguous is packed and turned first
    WAY_PACKED, // all are packed first: rows may begin anywhere
    WAY_ALIGNED, // as they lie, in vectors; one whose k is contiguous is turned on the way, element by
                // element: no kernel before
    // as they lie, in vectors, also along k where that is contiguous: lanes side by side have neighbouring
    WAY_ALONG,
                // rows then, and read a vector of k from each
    WAY_X_LIES, // x's operand as it lies, in vectors; the others are packed
    WAY_Y_LIES, // y's
    WAY_SINGLE, // as they lie, element by element: rows may begin anywhere
} Way;
// The iterations of a loop whose extent is a constant; -1: another.
int64_t contraction_trips(const Node *loop);
bool contraction_is_multiple(const Node *loop, int of); // are its iterations, whatever the sizes are?
// One kernel of a contraction.
typedef struct Shape {
    const Tile *tile;
    Way way;
    bool exact;            // for sizes that are whole tiles alone, which leaves no edges
    bool strips;           // whole tiles, and what remains on the right and below by kernels of their own
    int parts;             // the sums are split so often, which needs the permission to reassociate; 1: not
    // the blocks behind the last whole round of the machine have their sums split so often; 0: they are as
    // others
    int tail;
    int resident;          // blocks that fit one multiprocessor
    double speed;          // GFLOP/s of one multiprocessor that has many such blocks
    double alone;          // what beginning with nothing beside it costs, in blocks
    // how much longer a block takes whose operands are both turned on the way, half of it each
    double turning;
} Shape;
// The recipe for one shape.
char *contraction_recipe(Arena *a, const Contraction *k, const Shape *s);
// Microseconds that it takes, over the region's parameters and the number of multiprocessors.
Expr *contraction_cost(Arena *a, const Contraction *k, const Shape *s, const Sym *processors);
// Are there blocks behind the last whole round that the machine has its hands full with, and such before
// them?
Expr *contraction_has_tail(Arena *a, const Contraction *k, const Shape *s, const Sym *processors);
// Can it be made at all: its sizes, its permission, its packed operands?
bool contraction_allows(const Contraction *k, const Shape *s);
bool operand_is_packed(const Operand *o, Way way);
bool operand_is_turned(const Operand *o); // its k is contiguous
// The type of sums, and of operands but where these are cast.
Type contraction_type(const Contraction *k);
bool contraction_casts(const Contraction *k);
// Sums of one thread for each of its x and y.
int contraction_places(const Contraction *k);
// May all sums be in chunks, or in parts?
bool contraction_adds(const Contraction *k);
bool contraction_joins(const Contraction *k); // any of its sums
Expr *trips_of(Arena *a, const Node *loop); // hi - lo, an i64
// The tiles of what remains on the right and below, and how often their sums are split.
extern const Tile strip_right, strip_below;
enum { STRIP_PARTS = 8 };
#endif
