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

typedef struct Writer {
    Arena *a;
    const Contraction *k;
    const Tile *t;
    Text out;
} Writer;

// The four strips of one side: LOOP → b (block), w (warp), h (piece), l (lane), v (vector).
static void put_side(Writer *w, const char *loop, const char *s, int block, int warps, int lanes) {
    text_printf(&w->out, "strip %s by=%d as=%sb,%s1\n", loop, block, s, s);
    text_printf(&w->out, "strip %s1 by=%d as=%sw,%s2 edge=exact\n", s, block / warps, s, s);
    text_printf(&w->out, "strip %s2 by=%d as=%sh,%s3 edge=exact\n", s, 4 * lanes, s, s);
    text_printf(&w->out, "strip %s3 by=4 as=%sl,%sv edge=exact\n", s, s, s);
}

// Buffers are named after their array.
static const char *named(Writer *w, const char *what, const Operand *o) {
    return arena_printf(w->a, "%s_%s", o->array->name, what);
}

// The buffer's dimensions: all others, then k, then the side that the lanes go along.
static void put_order(Writer *w, const Operand *o) {
    const char *sep = "";
    for (int d = 0; d < o->array->rank; d++) {
        if (d == o->k || d == o->xy) continue;
        text_printf(&w->out, "%s%d", sep, d);
        sep = ",";
    }
    if (o->k >= 0) text_printf(&w->out, "%s%d", sep, o->k), sep = ",";
    if (o->xy >= 0) text_printf(&w->out, "%s%d", sep, o->xy);
}

static bool is_turned(const Operand *o) { return o->k >= 0 && o->xy >= 0 && o->k > o->xy; }

static void put_buffers(Writer *w) {
    const char *sep = "";
    Text shared = text_new(w->a), parts = text_new(w->a);
    for (int i = 0; i < w->k->n; i++) {
        const Operand *o = &w->k->op[i];
        if (o->k < 0) continue;
        text_printf(&w->out, "stage %s at=kt as=%s order=", o->array->name, named(w, "s", o));
        put_order(w, o);
        text_put(&w->out, is_turned(o) ? " pad=4\n" : "\n");
        text_printf(&shared, "%s%s", sep, named(w, "s", o));
        text_printf(&parts, "%s%s", sep, named(w, "r", o));
        sep = ",";
    }
    for (int i = 0; i < w->k->n; i++)
        if (w->k->op[i].k >= 0)
            text_printf(&w->out, "stage %s at=kk as=%s\n", named(w, "s", &w->k->op[i]), named(w, "r", &w->k->op[i]));
    text_put(&w->out, "edge compute\n");
    for (int i = 0; i < w->k->n; i++)
        if (w->k->op[i].k >= 0) text_printf(&w->out, "edge %s by=redirect\n", named(w, "s", &w->k->op[i]));
    for (int i = 0; i < w->k->n; i++)
        if (w->k->op[i].k >= 0 && w->k->op[i].xy >= 0)
            text_printf(&w->out, "vectorize %s\n", named(w, "r", &w->k->op[i]));
    text_put(&w->out, "unroll yh\nunroll yv\nunroll xh\nunroll xv\nsplit kt at=full\nunroll kk\n");
    text_printf(&w->out, "pipeline kk buffers=%s stages=2\n", text_str(&parts));
    text_printf(&w->out, "pipeline kt async buffers=%s stages=%d\n", text_str(&shared), w->t->stages);
}

char *contraction_recipe(Arena *a, const Contraction *k, const Tile *t) {
    Writer w = {a, k, t, text_new(a)};
    put_side(&w, k->x->iter->name, "x", tile_x(t), t->wx, t->lx);
    put_side(&w, k->y->iter->name, "y", tile_y(t), t->wy, t->ly);
    text_printf(&w.out, "strip %s by=%d as=kt,kk\n", k->k->iter->name, t->bk);
    text_put(&w.out, "interchange yb xb kt yw xw yl xl kk yh yv xh xv\n"
                     "map block yb xb\nmap thread yw xw yl xl\n");
    text_printf(&w.out, "bounds k0 min_blocks=%d\n", t->min_blocks);
    text_printf(&w.out, "hoist %s at=kt as=acc\n", k->stmt->lhs->name);
    put_buffers(&w);
    return arena_strdup(a, text_str(&w.out));
}
