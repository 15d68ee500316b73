// SPDX-License-Identifier: MIT
// contract_recipe.c -- the steps that make a contraction's kernel, as a recipe.
//
//   C[y][x]   a block has   wx·lx·px·4  ×  wy·ly·py·4   elements:
//
//             x = BX·xb + (BX/wx)·xw + (4·lx)·xh + 4·xl + xv       block, warp, piece, lane, vector
//
// The pieces of a thread lie a whole row of lanes apart, so that neighbouring lanes read
// neighbouring vectors of shared memory.
#include "plan/contract.h"

int tile_x(const Tile *t) { return 4 * t->px * t->lx * t->wx; }
int tile_y(const Tile *t) { return 4 * t->py * t->ly * t->wy; }

// A batch, where there is one, is a loop of blocks; what else is parallel goes around the block's work, and
// further sums around the strips of k.
typedef struct Writer {
    Arena *a;
    const Contraction *k;
    const Tile *t;
    Way way;
    bool whole[3];         // x, y and k are whole tiles, strips
    Text out;
} Writer;

// The four strips of one side: LOOP → b (block), w (warp), h (piece), l (lane), v (vector).
static void put_side(Writer *w, const char *loop, const char *s, int block, int warps, int lanes) {
    text_printf(&w->out, "strip %s by=%d as=%sb,%s1\n", loop, block, s, s);
    text_printf(&w->out, "strip %s1 by=%d as=%sw,%s2 edge=exact\n", s, block / warps, s, s);
    text_printf(&w->out, "strip %s2 by=%d as=%sh,%s3 edge=exact\n", s, 4 * lanes, s, s);
    text_printf(&w->out, "strip %s3 by=4 as=%sl,%sv edge=exact\n", s, s, s);
}

// Buffers are named after their array: b_p the packed copy, b_s the tile in shared memory, b_r the
// fragment in registers.
static const char *named(Writer *w, const Operand *o, const char *what) {
    return arena_printf(w->a, "%s_%s", o->array->name, what);
}

static bool is_tile(const Operand *o) { return o->k >= 0 && o->xy >= 0; }
bool operand_is_turned(const Operand *o) { return is_tile(o) && o->k > o->xy; }

bool operand_is_packed(const Operand *o, Way way) {
    return is_tile(o) && (way == WAY_PACKED || (way == WAY_DIRECT && operand_is_turned(o)));
}
static bool is_packed(const Writer *w, const Operand *o) { return operand_is_packed(o, w->way); }

// Is all of the operand in whole tiles?
static bool is_whole(const Writer *w, const Operand *o) { return w->whole[2] && (o->xy < 0 || w->whole[o->side == SIDE_X ? 0 : 1]); }

// The buffer's dimensions: those that a tile has one of, k, then the side that the lanes go along.
static const char *order_of(Writer *w, const Operand *o) {
    Text t = text_new(w->a);
    for (int e = 0; e < o->array->rank; e++)
        if (e != o->k && e != o->xy) text_printf(&t, "%d,", e);
    text_printf(&t, "%d,%d", o->k, o->xy);
    return arena_strdup(w->a, text_str(&t));
}

static void put_packs(Writer *w) {
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (!is_packed(w, o)) continue;
        text_printf(&w->out, "pack %s at=k0 as=%s order=%s tile=", o->array->name, named(w, o, "p"), order_of(w, o));
        for (int e = 2; e < o->array->rank; e++) text_put(&w->out, "1,");
        text_printf(&w->out, "%d,%d\n", w->t->bk, o->side == SIDE_X ? tile_x(w->t) : tile_y(w->t));
    }
}

// One line for each operand that moves with k: its tile, or where it has none its part of k.
static void put_stages(Writer *w) {
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k < 0) continue;
        bool packed = is_packed(w, o);
        text_printf(&w->out, "stage %s at=kt as=%s", packed ? named(w, o, "p") : o->array->name, named(w, o, "s"));
        if (operand_is_turned(o) && !packed) text_printf(&w->out, " order=%s pad=4", order_of(w, o));
        text_put(&w->out, "\n");
    }
    for (int i = 0; i < w->k->n; i++)
        if (w->k->op[i].k >= 0)
            text_printf(&w->out, "stage %s at=kk as=%s\n", named(w, &w->k->op[i], "s"), named(w, &w->k->op[i], "r"));
}

// Vectors are 16 bytes.
static void put_vectors(Writer *w, const char *buffer) {
    text_printf(&w->out, "vectorize %s%s\n", buffer, type_size(w->k->stmt->lhs->elem) > 4 ? " width=2" : "");
}

// Vectors, and what is done where tiles reach beyond the arrays.
static void put_edges(Writer *w) {
    if (!w->whole[0] || !w->whole[1] || !w->whole[2]) text_put(&w->out, "edge compute\n");
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k < 0) continue;
        bool straight = !operand_is_turned(o) && (w->way == WAY_DIRECT || w->way == WAY_ALIGNED);
        bool whole = is_packed(w, o), vector = is_tile(o) && (whole || straight);
        if (w->way == WAY_ALIGNED && !is_whole(w, o)) text_printf(&w->out, "edge %s by=redirect\n", named(w, o, "s"));
        if (vector) put_vectors(w, named(w, o, "s"));
        if (is_tile(o)) put_vectors(w, named(w, o, "r"));
    }
}

static const char *buffers(Writer *w, const char *what) {
    Text t = text_new(w->a);
    const char *sep = "";
    for (int i = 0; i < w->k->n; i++) {
        if (w->k->op[i].k < 0) continue;
        text_printf(&t, "%s%s", sep, named(w, &w->k->op[i], what));
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

bool contraction_has_multiple(const Node *loop, int of) {
    int64_t n = contraction_trips(loop);
    return n < 0 ? size_of(loop) != NULL : n % of == 0;
}

// For whole tiles alone.
static void put_sizes(Writer *w) {
    const Node *loop[3] = {w->k->x, w->k->y, w->k->k};
    int by[3] = {tile_x(w->t), tile_y(w->t), w->t->bk};
    for (int i = 0; i < 3; i++)
        if (size_of(loop[i]))
            text_printf(&w->out, "define %s multiple=%d least=%d\n", size_of(loop[i])->name, by[i], i < 2 ? by[i] : 2 * by[i]);
}

bool contraction_allows(const Contraction *k, const Shape *s) {
    enum { MOST_PACKED = 3 }; // dimensions
    const Tile *t = s->tile;
    bool sizes = contraction_has_multiple(k->x, tile_x(t)) && contraction_has_multiple(k->y, tile_y(t)) && contraction_has_multiple(k->k, t->bk);
    if (s->exact && !sizes) return false;
    if (s->parts > 1 && (!k->region->reassociate || k->naround || k->nbatch)) return false;
    for (int i = 0; i < k->n; i++) {
        const Operand *o = &k->op[i];
        if (operand_is_packed(o, s->way) && (o->shifted || o->array->rank > MOST_PACKED)) return false;
    }
    return true;
}

// Long sums of floats in chunks: their errors are much smaller then.
static void put_chunks(Writer *w) {
    const Stmt *s = w->k->stmt;
    if (!w->t->chunk || !w->k->region->reassociate || w->k->naround || s->op != OP_ADD || s->lhs->elem != T_F32) return;
    text_printf(&w->out, "chunk acc at=kt every=%d as=sum%s\n", w->t->chunk / w->t->bk, w->t->shared_sums ? " place=shared" : "");
}

// What stands before the sum and behind it, where the elements are in registers.
static void put_join(Writer *w, bool whole) {
    const Contraction *k = w->k;
    text_printf(&w->out, "join %s as=end\n", k->sum);
    bool in_place = k->stmt->lhs->place == PLACE_USER, vectors = w->way == WAY_DIRECT || w->way == WAY_ALIGNED;
    if (whole && k->stores && vectors && !k->shifted) put_vectors(w, in_place && !k->region->reassociate ? "acc" : "end");
}

static void put_names(Writer *w, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++) text_printf(&w->out, " %s", loop[i]->iter->name);
}

// All loops in their order, and what they are.
static void put_loops(Writer *w) {
    const Contraction *k = w->k;
    const Tile *t = w->t;
    int grid = k->nbatch > 0;
    put_side(w, k->x->iter->name, "x", tile_x(t), t->wx, t->lx);
    put_side(w, k->y->iter->name, "y", tile_y(t), t->wy, t->ly);
    text_printf(&w->out, "strip %s by=%d as=kt,kk\ninterchange", k->k->iter->name, t->bk);
    put_names(w, grid, k->batch);
    text_put(&w->out, " yb xb");
    put_names(w, k->nbatch - grid, k->batch + grid);
    put_names(w, k->naround, k->around);
    text_put(&w->out, " kt yw xw yl xl kk yh yv xh xv\nmap block");
    put_names(w, grid, k->batch);
    text_put(&w->out, " yb xb\nmap thread yw xw yl xl\n");
    if (t->min_blocks) text_printf(&w->out, "bounds k0 min_blocks=%d\n", t->min_blocks);
}

char *contraction_recipe(Arena *a, const Contraction *k, const Shape *shape) {
    const Tile *t = shape->tile;
    const Node *loop[3] = {k->x, k->y, k->k};
    int by[3] = {tile_x(t), tile_y(t), t->bk};
    bool vectors = shape->way == WAY_DIRECT || shape->way == WAY_ALIGNED;
    Writer w = {a, k, t, shape->way, {false}, text_new(a)};
    for (int i = 0; i < 3; i++) w.whole[i] = shape->exact || contraction_trips(loop[i]) % by[i] == 0;
    text_put(&w.out, k->before);
    if (shape->exact) put_sizes(&w);
    put_loops(&w);
    put_packs(&w);
    // With the permission sums begin with zero (minima with infinity) and meet the element at the
    // end: no thread waits for it before it can begin.
    text_printf(&w.out, "hoist %s at=%s%s as=acc\n", k->sum, k->naround ? k->around[0]->iter->name : "kt",
                k->region->reassociate ? " init=zero" : "");
    if (shape->parts > 1) text_printf(&w.out, "splitk kt by=%d\n", shape->parts);
    put_stages(&w);
    put_edges(&w);
    if (!k->joins && vectors && !k->shifted) put_vectors(&w, "acc");
    text_put(&w.out, "unroll yh\nunroll yv\nunroll xh\nunroll xv\n");
    if (!w.whole[2]) text_put(&w.out, "split kt at=full\n");
    put_chunks(&w);
    if (k->joins) put_join(&w, shape->parts <= 1);
    else if (k->region->reassociate && shape->parts <= 1) text_put(&w.out, "epilogue acc\n");
    text_printf(&w.out, "unroll kk\npipeline kk buffers=%s stages=2\n", buffers(&w, "r"));
    text_printf(&w.out, "pipeline kt async buffers=%s stages=%d\nrotate kt of=kk\n", buffers(&w, "s"), t->stages);
    return arena_strdup(a, text_str(&w.out));
}
