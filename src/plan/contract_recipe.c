// SPDX-License-Identifier: MIT
// contract_recipe.c -- the steps that make a contraction's kernel, as a recipe.
//
//   C[y][x]   a block has   wx·lx·px·4  ×  wy·ly·py·4   elements:
//
//             x = BX·xb + (BX/wx)·xw + (4·lx)·xh + 4·xl + xv       block, warp, piece, lane, vector
//
// Where matrix instructions add up a warp's tile, its lanes are theirs: BX/wx·xw + 8·xh + 2·xl + xv, and
// BY/wy·yw + 8·yh + yl. Fragments are the instruction's affair, and operands lie in shared memory as they do
// in the program's, rows padded so that the lanes' elements are in banks of their own.
//
// The pieces of a thread lie a whole row of lanes apart, so that neighbouring lanes read
// neighbouring vectors of shared memory. Where vectors go along k (WAY_ALONG) it is … + lx·xv + xl:
// lanes read neighbouring rows.
//
//   ┌─────────┬─┐  With strips C is cut at the last whole tile: k0 has no edges, and what remains on the
//   │   k0    │k1  right and below, if it is little, goes to thin tiles, whose sums are split to fill the
//   ├─────────┼─┘  machine. Their names have an R or a B.
//   └───k2────┘
//
// With a tail the blocks of k0 are cut at the last whole round of the machine; those behind it, too few for a
// round, are kernel k0_1, whose names end in "_1" and whose sums are in parts.
//
// Of a triangle blocks that lie wholly beyond it are left out (rule skip), and those on the diagonal compute
// what nobody keeps. Of a triangle of terms the strips of k that have some are gone through, and the terms of
// those on the diagonal are asked for one by one.
#include "plan/contract.h"

enum { MOST_BROAD = 16 };

const Tile strip_right = {.px = 1, .py = 1, .lx = 4, .ly = 8, .wx = 1, .wy = 2, .bk = 16, .stages = 4};
const Tile strip_below = {.px = 1, .py = 1, .lx = 8, .ly = 4, .wx = 2, .wy = 1, .bk = 16, .stages = 4};

int tile_x(const Tile *t) { return 4 * t->px * t->lx * t->wx; }
int tile_y(const Tile *t) { return 4 * t->py * t->ly * t->wy; }

// One kernel: its loops, and what its names have. A batch, where there is one, is a loop of blocks; what else
// is parallel goes around the block's work, and further sums around the strips of k.
typedef struct Part {
    const char *q, *kernel, *x, *y, *k;
    const Tile *t;
    Way way;
    int parts;
    bool behind;           // the blocks behind k0's whole rounds, cut off when its loops are made
    bool zeros;            // packed operands hold zeros beyond their edges
    bool whole[3];         // x, y and k are whole tiles, strips
} Part;

typedef struct Writer {
    Arena *a;
    const Contraction *k;
    int n;
    Part part[4];
    bool strips;
    Text out;
} Writer;

// ---- operands -----------------------------------------------------------------------------------
static bool is_tile(const Operand *o) { return o->k >= 0 && o->xy >= 0; }
bool operand_is_turned(const Operand *o) { return is_tile(o) && o->k > o->xy; }

bool operand_is_packed(const Operand *o, Way way) {
    if (way == WAY_X_LIES || way == WAY_Y_LIES)
        return is_tile(o) && o->side != (way == WAY_X_LIES ? SIDE_X : SIDE_Y);
    return is_tile(o) && (way == WAY_PACKED || (way == WAY_DIRECT && operand_is_turned(o)));
}

// Is an operand of this side turned?
static bool contraction_turns(const Contraction *k, Side side) {
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side == side && operand_is_turned(&k->op[i])) return true;
    return false;
}

// Three loops, and no subscript with more than its counter.
static bool contraction_is_plain(const Contraction *k) {
    for (int i = 0; i < k->n; i++)
        if (k->op[i].shifted) return false;
    return !k->nbatch && !k->naround && !k->shifted;
}

// Does an update add nothing where packed operands hold zeros beyond their edges?
static bool contraction_zeros(const Contraction *k) {
    if (!contraction_is_plain(k) || k->strip) return false;
    for (int i = 0; i < k->n; i++)
        if (k->op[i].k >= 0 && !is_tile(&k->op[i])) return false;
    for (int i = 0; i < k->nupdates; i++)
        if (!expr_zero_of_zeros(k->update[i]->rhs)) return false;
    return k->region->reassociate && contraction_adds(k);
}

static int width_of(Type t) { return type_size(t) > 4 ? 2 : 4; }
static int width_of_sums(const Writer *w) { return width_of(contraction_type(w->k)); }

// Buffers are named after their array: b_p the packed copy, b_s the tile in shared memory, b_r the
// fragment in registers; b_2s and b_2r those of its second place. What is behind reads k0's packed copies.
static const char *named(Writer *w, const Part *p, const Operand *o, const char *what) {
    const char *q = *what == 'p' ? w->part[0].q : p->q;
    return arena_printf(w->a, "%s%s_%s%s", o->array->name, q, o->again ? "2" : "", what);
}

// Registers and second sums, and what is stored: one for each sum.
static const char *summed(Writer *w, const Part *p, int sum, const char *what) {
    const char *const nth[CONTRACT_SUMS] = {"", "b", "c", "d"};
    return arena_printf(w->a, "%s%s%s", what, nth[sum], p->q);
}

// The other place of an operand's array, NULL: there is none.
static const Operand *second_place(const Writer *w, const Operand *o) {
    for (int i = 0; i < w->k->n; i++)
        if (w->k->op[i].array == o->array && w->k->op[i].again && !o->again) return &w->k->op[i];
    return NULL;
}

static bool is_along(const Part *p, const Operand *o) { return p->way == WAY_ALONG && operand_is_turned(o); }

// Is there a loop over vectors of k?
static bool has_along(const Writer *w, const Part *p) {
    return p->way == WAY_ALONG && (contraction_turns(w->k, SIDE_X) || contraction_turns(w->k, SIDE_Y));
}

// Do the elements of C that a thread has lie side by side, in whole vectors of memory?
static bool stores_vectors(const Writer *w, const Part *p) {
    if (p->way == WAY_ALONG && contraction_turns(w->k, SIDE_X)) return false;
    if (w->k->shifted || w->k->triangle) return false;
    return p->way == WAY_DIRECT || p->way == WAY_ALIGNED || p->way == WAY_ALONG ||
           (p->parts > 1 && (p->behind || !w->strips));
}

// Is all of the operand in whole tiles?
static bool is_whole(const Part *p, const Operand *o) {
    return p->whole[2] && (o->xy < 0 || p->whole[o->side == SIDE_X ? 0 : 1]);
}

// The buffer's dimensions: those that a tile has one of, k, then the side that the lanes go along.
static const char *order_of(Writer *w, const Operand *o) {
    Text t = text_new(w->a);
    for (int e = 0; e < o->array->rank; e++)
        if (e != o->k && e != o->xy) text_printf(&t, "%d,", e);
    text_printf(&t, "%d,%d", o->k, o->xy);
    return arena_strdup(w->a, text_str(&t));
}

// ---- loops ---------------------------------------------------------------------------------------
// The four strips of one side: LOOP → b (block), w (warp), h (piece), l (lane), v (vector).
static void put_side(Writer *w, const Part *p, Side side) {
    const Tile *t = p->t;
    bool x = side == SIDE_X, rows = p->way == WAY_ALONG && contraction_turns(w->k, side);
    bool last = !t->matrix || x; // is there a loop over vectors?
    int block = x ? tile_x(t) : tile_y(t), warps = x ? t->wx : t->wy, lanes = x ? t->lx : t->ly;
    const char *q = p->q, *s = x ? "x" : "y";
    text_printf(&w->out, "strip %s by=%d as=%sb%s,%s1%s\n", x ? p->x : p->y, block, s, q, s, q);
    text_printf(&w->out, "strip %s1%s by=%d as=%sw%s,%s2%s edge=exact\n", s, q, block / warps, s, q, s, q);
    text_printf(&w->out, "strip %s2%s by=%d as=%sh%s,%s%s%s edge=exact\n", s, q, t->matrix ? 8 : 4 * lanes,
                s, q, s, last ? "3" : "l", q);
    if (!last) return;
    if (rows) text_printf(&w->out, "strip %s3%s by=%d as=%sv%s,%sl%s edge=exact\n", s, q, lanes, s, q, s, q);
    else
        text_printf(&w->out, "strip %s3%s by=%d as=%sl%s,%sv%s edge=exact\n", s, q, t->matrix ? 2 : 4, s, q,
                    s, q);
}

static void put_names(Writer *w, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++) text_printf(&w->out, " %s", loop[i]->iter->name);
}

// All loops in their order, and what they are.
static void put_loops(Writer *w, const Part *p) {
    const Contraction *k = w->k;
    const char *q = p->q;
    int grid = k->nbatch > 0;
    bool along = has_along(w, p);
    if (p->behind) return;
    put_side(w, p, SIDE_X);
    put_side(w, p, SIDE_Y);
    text_printf(&w->out, "strip %s by=%d as=kt%s,%s%s\n", p->k, p->t->bk, q, along ? "k1" : "kk", q);
    if (along) text_printf(&w->out, "strip k1%s by=%d as=kq%s,kk%s edge=exact\n", q, width_of_sums(w), q, q);
    text_put(&w->out, "interchange");
    put_names(w, grid, k->batch);
    text_printf(&w->out, " yb%s xb%s", q, q);
    put_names(w, k->nbatch - grid, k->batch + grid);
    put_names(w, k->naround, k->around);
    text_printf(&w->out, " kt%s yw%s xw%s yl%s xl%s", q, q, q, q, q);
    if (along) text_printf(&w->out, " kq%s", q);
    text_printf(&w->out, " kk%s yh%s", q, q);
    if (!p->t->matrix) text_printf(&w->out, " yv%s", q);
    text_printf(&w->out, " xh%s xv%s\nmap block", q, q);
    put_names(w, grid, k->batch);
    text_printf(&w->out, " yb%s xb%s\nmap thread yw%s xw%s yl%s xl%s\n", q, q, q, q, q, q);
    if (k->triangle) text_printf(&w->out, "skip xb%s\n", q);
    if (k->strip) text_printf(&w->out, "skip kt%s\ntrim kt%s\n", q, q);
    if (p->t->min_blocks) text_printf(&w->out, "bounds %s min_blocks=%d\n", p->kernel, p->t->min_blocks);
}

// ---- copies --------------------------------------------------------------------------------------
static void put_packs(Writer *w, const Part *p) {
    for (int i = 0; i < w->k->n && !p->behind; i++) {
        const Operand *o = &w->k->op[i];
        if (!operand_is_packed(o, p->way) || o->again) continue;
        int x = tile_x(p->t), y = tile_y(p->t), both = x > y ? x : y; // tiles are powers of two
        text_printf(&w->out, "pack %s at=%s as=%s order=%s tile=", o->array->name, p->kernel,
                    named(w, p, o, "p"), order_of(w, o));
        for (int e = 2; e < o->array->rank; e++) text_put(&w->out, "1,");
        int side = second_place(w, o) ? both : o->side == SIDE_X ? x : y;
        text_printf(&w->out, "%d,%d%s\n", p->t->bk * o->kby, side * o->xyby, p->zeros ? " edge=zero" : "");
    }
}

// Are parts added up in vectors of memory? Many parts are for few elements, which are to keep many threads at
// work.
static bool adds_vectors(const Part *p) {
    return p->parts > 1 && p->parts <= MOST_BROAD &&
           (p->way == WAY_ALIGNED || p->way == WAY_ALONG || p->behind);
}

// With the permission sums begin with zero (minima with infinity) and meet the element at the
// end: no thread waits for it before it can begin. Short sums rather wait for it there, with their first
// operands. What is behind whole rounds is cut off with its sums.
static void put_sums(Writer *w, const Part *p) {
    const Contraction *k = w->k;
    if (p->behind) text_put(&w->out, "split yb at=rounds\n");
    for (int i = 0; !p->behind && i < k->nsums; i++)
        text_printf(&w->out, "hoist %s at=%s%s%s as=%s\n", k->sum[i].name,
                    k->naround ? k->around[0]->iter->name : "kt", k->naround ? "" : p->q,
                    k->region->reassociate && !p->t->early ? " init=zero" : "", summed(w, p, i, "acc"));
    if (p->parts <= 1) return;
    if (k->naround) text_printf(&w->out, "splitk %s by=%d", k->around[0]->iter->name, p->parts);
    else text_printf(&w->out, "splitk kt%s by=%d", p->q, p->parts);
    if (adds_vectors(p)) text_printf(&w->out, " width=%d", width_of_sums(w));
    text_put(&w->out, "\n");
}

// The loop directly around the strips of k.
static const char *around_strips(const Writer *w, const Part *p) {
    const Contraction *k = w->k;
    if (k->naround) return k->around[k->naround - 1]->iter->name;
    return k->nbatch > 1 ? k->batch[k->nbatch - 1]->iter->name : arena_printf(w->a, "xb%s", p->q);
}

// What moves with x or y alone is read once.
static void put_sides(Writer *w, const Part *p) {
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i], *second = second_place(w, o);
        if (o->k >= 0 || o->side == SIDE_NEITHER || o->again) continue;
        text_printf(&w->out, "stage %s at=%s in=register as=%s", o->array->name, around_strips(w, p),
                    named(w, p, o, "r"));
        if (second) text_printf(&w->out, ",%s", named(w, p, second, "r"));
        text_put(&w->out, "\n");
    }
}

// One line for each operand that moves with k: its tile, or where it has none its part of k.
static void put_stages(Writer *w, const Part *p) {
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        const Operand *second = second_place(w, o);
        if (o->k < 0 || o->again) continue;
        bool packed = operand_is_packed(o, p->way);
        text_printf(&w->out, "stage %s at=kt%s as=%s", packed ? named(w, p, o, "p") : o->array->name, p->q,
                    named(w, p, o, "s"));
        if (second) text_printf(&w->out, ",%s", named(w, p, second, "s"));
        if (p->t->matrix && is_tile(o)) text_printf(&w->out, " pad=%d", 32 / type_size(o->array->elem));
        else if (is_along(p, o)) text_put(&w->out, " pad=4");
        else if (operand_is_turned(o) && !packed) text_printf(&w->out, " order=%s pad=4", order_of(w, o));
        text_put(&w->out, "\n");
    }
    for (int i = 0; i < w->k->n && !p->t->matrix; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k >= 0)
            text_printf(&w->out, "stage %s at=k%c%s as=%s\n", named(w, p, o, "s"), is_along(p, o) ? 'q' : 'k',
                        p->q, named(w, p, o, "r"));
    }
}

// Vectors are 16 bytes.
static void put_vectors(Writer *w, int width, const char *buffer) {
    text_printf(&w->out, "vectorize %s%s\n", buffer, width < 4 ? " width=2" : "");
}

static void put_zeros(Writer *w, const Part *p) {
    if (p->zeros && !p->whole[2]) text_printf(&w->out, "edge zeros %s\n", p->kernel);
}

// Vectors, and what is done where tiles reach beyond the arrays.
static void put_edges(Writer *w, const Part *p) {
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k < 0) continue;
        bool straight = (!operand_is_turned(o) || p->t->matrix) && p->way != WAY_SINGLE;
        bool whole = operand_is_packed(o, p->way),
             vector = is_tile(o) && (whole || straight || is_along(p, o));
        bool redirect = p->way != WAY_PACKED && (p->way != WAY_SINGLE || w->strips);
        if (redirect && !whole && !is_whole(p, o))
            text_printf(&w->out, "edge %s by=redirect\n", named(w, p, o, "s"));
        int width = width_of(o->array->elem);
        if (vector) put_vectors(w, width, named(w, p, o, "s"));
        // the last dimension is theirs
        bool pairs = o->loose && o->places > 1 && !whole && !operand_is_turned(o);
        if (is_tile(o) && !pairs && !p->t->matrix) put_vectors(w, width, named(w, p, o, "r"));
    }
}

static const char *buffers(Writer *w, const Part *p, const char *what) {
    Text t = text_new(w->a);
    const char *sep = "";
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k < 0 || (*what == 'r' && (is_along(p, o) || p->t->matrix))) continue;
        text_printf(&t, "%s%s", sep, named(w, p, o, what));
        sep = ",";
    }
    return arena_strdup(w->a, text_str(&t));
}

// ---- sizes ------------------------------------------------------------------------------------
static const Sym *size_of(const Node *loop) {
    const Expr *hi = loop->hi;
    while (hi->kind == E_CAST) hi = hi->args[0];
    return expr_is_int(loop->lo, 0) && hi->kind == E_SYM && hi->sym->kind == SYM_PARAM ? hi->sym : NULL;
}

// Can `loop` be asked to have a multiple of some number of iterations, or is it known to have?
static bool contraction_has_multiple(const Node *loop, int of) {
    return size_of(loop) || contraction_is_multiple(loop, of);
}

// For whole tiles alone.
static void put_sizes(Writer *w, const Tile *t) {
    const Node *loop[3] = {w->k->x, w->k->y, w->k->k};
    int by[3] = {tile_x(t), tile_y(t), t->bk};
    for (int i = 0; i < 3; i++)
        if (size_of(loop[i]))
            text_printf(&w->out, "define %s multiple=%d least=%d\n", size_of(loop[i])->name, by[i],
                        i < 2 ? by[i] : 2 * by[i]);
}

static void put_cuts(Writer *w, const Tile *t) {
    const char *x = w->k->x->iter->name, *y = w->k->y->iter->name, *nx = size_of(w->k->x)->name,
               *ny = size_of(w->k->y)->name;
    text_printf(&w->out, "interchange %s %s %s\n", x, y, w->k->k->iter->name);
    text_printf(&w->out, "split %s at=%s/%d*%d\nsplit %s at=%s/%d*%d\n", x, nx, tile_x(t), tile_x(t), y, ny,
                tile_y(t), tile_y(t));
    text_printf(&w->out, "distribute %s\n", x);
}

// ---- the ends of sums ----------------------------------------------------------------------------
// Long sums of floats in chunks: their errors are much smaller then. Parts of a tail are as short by
// themselves.
static bool has_chunks(const Writer *w, const Part *p) {
    return p->t->chunk && !p->behind && w->k->region->reassociate && !w->k->naround &&
           contraction_adds(w->k) && contraction_type(w->k) == T_F32;
}

static void put_chunks(Writer *w, const Part *p) {
    for (int i = 0; has_chunks(w, p) && i < w->k->nsums; i++)
        text_printf(&w->out, "chunk %s at=kt%s every=%d as=%s%s\n", summed(w, p, i, "acc"), p->q,
                    p->t->chunk / p->t->bk, summed(w, p, i, "sum"), p->t->shared_sums ? " place=shared" : "");
}

// What stands before the sum and behind it, where the elements are in registers.
static void put_join(Writer *w, const Part *p, int sum) {
    const Contraction *k = w->k;
    const Sum *s = &k->sum[sum];
    text_printf(&w->out, "join %s as=%s\n", s->name, summed(w, p, sum, "end"));
    bool in_place = s->stmt->lhs->place == PLACE_USER;
    if (p->parts <= 1 && s->stores && stores_vectors(w, p))
        put_vectors(w, width_of_sums(w),
                    summed(w, p, sum, in_place && !k->region->reassociate ? "acc" : "end"));
}

static void put_end(Writer *w, const Part *p, int sum) {
    bool rows = !stores_vectors(w, p), sums = rows && p->t->through_sums && has_chunks(w, p);
    text_printf(&w->out, "epilogue %s", summed(w, p, sum, "acc"));
    if (sums) text_printf(&w->out, " through=%s", summed(w, p, sum, "sum"));
    else if (rows && (p->t->through || p->t->through_sums))
        text_printf(&w->out, " through=%s%s_s", w->k->sum[sum].name, p->q);
    text_put(&w->out, "\n");
}

static void put_ends(Writer *w, const Part *p) {
    bool anew = w->k->region->reassociate && !p->t->early && p->parts <= 1;
    for (int i = 0; i < w->k->nsums; i++) {
        if (w->k->sum[i].joins) put_join(w, p, i);
        else if (anew) put_end(w, p, i);
    }
}

static void put_pipeline(Writer *w, const Part *p) {
    const char *q = p->q, *fragments = buffers(w, p, "r");
    bool along = has_along(w, p);
    text_printf(&w->out, "unroll kk%s\n", q);
    if (*fragments) text_printf(&w->out, "pipeline kk%s buffers=%s stages=2\n", q, fragments);
    if (along) text_printf(&w->out, "unroll kq%s\n", q);
    text_printf(&w->out, "pipeline kt%s async buffers=%s stages=%d\n", q, buffers(w, p, "s"), p->t->stages);
    if (p->t->matrix) text_printf(&w->out, "matrix kk%s by=%s\n", q, p->t->matrix);
    else if (!along) text_printf(&w->out, "rotate kt%s of=kk%s\n", q, q);
}

// ---- the recipe -----------------------------------------------------------------------------------
static void set_parts(Writer *w, const Shape *s) {
    const Contraction *k = w->k;
    const Node *loop[3] = {k->x, k->y, k->k};
    const int by[3] = {tile_x(s->tile), tile_y(s->tile), s->tile->bk};
    Part all = {.q = "",
                .kernel = "k0",
                .x = k->x->iter->name,
                .y = k->y->iter->name,
                .k = k->k->iter->name,
                .t = s->tile,
                .way = s->way,
                .parts = s->parts};
    all.zeros = s->way == WAY_PACKED && contraction_zeros(k);
    for (int i = 0; i < 3; i++)
        all.whole[i] = s->exact || (s->strips && i < 2) || contraction_is_multiple(loop[i], by[i]);
    w->strips = s->strips;
    w->part[w->n++] = all;
    if (s->tail > 1) {
        Part behind = all;
        behind.q = "_1", behind.kernel = "k0_1", behind.parts = s->tail, behind.behind = true;
        w->part[w->n++] = behind;
    }
    for (int i = 0; s->strips && i < 2; i++) {
        const char *stem = i ? "_2" : "_1";
        w->part[w->n++] = (Part){.q = i ? "B" : "R",
                                 .kernel = i ? "k2" : "k1",
                                 .x = arena_printf(w->a, "%s%s", all.x, stem),
                                 .y = arena_printf(w->a, "%s%s", all.y, stem),
                                 .k = arena_printf(w->a, "%s%s", all.k, stem),
                                 .t = i ? &strip_below : &strip_right,
                                 .way = WAY_SINGLE,
                                 .parts = STRIP_PARTS};
    }
}

static void each(Writer *w, void (*put)(Writer *, const Part *)) {
    for (int i = 0; i < w->n; i++) put(w, &w->part[i]);
}

static void put_unrolls(Writer *w, const Part *p) {
    const char *q = p->q;
    for (int i = 0; i < w->k->nsums && stores_vectors(w, p); i++)
        if (!w->k->sum[i].joins || p->parts > 1) put_vectors(w, width_of_sums(w), summed(w, p, i, "acc"));
    text_printf(&w->out, "unroll yh%s\n", q);
    if (!p->t->matrix) text_printf(&w->out, "unroll yv%s\n", q);
    text_printf(&w->out, "unroll xh%s\nunroll xv%s\n", q, q);
    if ((!p->whole[2] && !p->zeros) || w->k->strip) text_printf(&w->out, "split kt%s at=full\n", q);
}

// Matrix instructions add products to sums, each rounded once; rule matrix says in which order.
static bool suits_matrix(const Contraction *k, const char *name) {
    const Matrix *m = matrix_named(name);
    bool reassociate = k->region->reassociate;
    for (int i = 0; i < k->nupdates; i++) {
        const Stmt *s = k->update[i];
        bool one = s->fused && s->rhs->kind == E_OP && s->rhs->op == OP_MUL;
        if (s->op != OP_ADD || !(one || (reassociate && expr_is_products(s->rhs)))) return false;
    }
    bool apart = k->nsums == k->nupdates && contraction_places(k) == k->nsums;
    return m && m->elem == contraction_type(k) && apart && (reassociate || m->ordered);
}

bool contraction_allows(const Contraction *k, const Shape *s) {
    enum { MOST_PACKED = 3 }; // dimensions
    const Tile *t = s->tile;
    if (t->matrix && !suits_matrix(k, t->matrix)) return false;
    bool whole = contraction_has_multiple(k->x, tile_x(t)) && contraction_has_multiple(k->y, tile_y(t)) &&
                 contraction_has_multiple(k->k, t->bk);
    if (s->exact && !whole) return false;
    if ((s->parts > 1 || s->tail) && (!k->region->reassociate || k->nbatch)) return false;
    if ((s->parts > 1 || s->tail) && contraction_places(k) > 1) return false;
    if (s->tail && (k->naround || contraction_joins(k))) return false;
    if ((k->triangle || k->strip) && (s->tail || s->strips)) return false;
    if (k->strip && s->parts > 1) return false;
    if (s->strips && (contraction_joins(k) || *k->before || !size_of(k->x) || !size_of(k->y) ||
                      !contraction_zeros(k)))
        return false;
    if ((s->way == WAY_X_LIES && contraction_turns(k, SIDE_X)) ||
        (s->way == WAY_Y_LIES && contraction_turns(k, SIDE_Y)))
        return false;
    bool along = contraction_is_plain(k) && contraction_turns(k, SIDE_X) && !contraction_casts(k);
    if (s->way == WAY_ALONG && !along) return false;
    for (int i = 0; i < k->n; i++) {
        const Operand *o = &k->op[i];
        bool packed = operand_is_packed(o, s->way);
        if (packed && (o->shifted || o->array->rank > MOST_PACKED)) return false;
        if (!packed && o->loose && s->way != WAY_SINGLE) return false;
        if (o->places > 1 && s->way == WAY_ALONG) return false;
    }
    return true;
}

char *contraction_recipe(Arena *a, const Contraction *k, const Shape *shape) {
    Writer w = {.a = a, .k = k, .out = text_new(a)};
    text_put(&w.out, k->before);
    if (shape->exact) put_sizes(&w, shape->tile);
    if (shape->strips) put_cuts(&w, shape->tile);
    set_parts(&w, shape);
    each(&w, put_loops);
    each(&w, put_packs);
    each(&w, put_sums);
    each(&w, put_stages);
    each(&w, put_sides);
    const bool *whole = w.part[0].whole;
    bool edges = !whole[0] || !whole[1] || !whole[2] || k->triangle;
    if (w.strips || edges) text_put(&w.out, "edge compute\n");
    if (edges) each(&w, put_zeros);
    each(&w, put_edges);
    each(&w, put_unrolls);
    each(&w, put_chunks);
    each(&w, put_ends);
    each(&w, put_pipeline);
    const Part *parts = &w.part[shape->tail > 1];
    bool aligned = parts->way != WAY_PACKED && parts->way != WAY_SINGLE && !k->triangle;
    if (adds_vectors(parts) && aligned && !contraction_joins(k))
        put_vectors(&w, width_of_sums(&w), arena_printf(a, "%s_part_s", k->sum[0].name));
    return arena_strdup(a, text_str(&w.out));
}
