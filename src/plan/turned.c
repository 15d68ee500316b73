// SPDX-License-Identifier: MIT
// turned.c -- strategy: arrays that are read across the way in which results are written come by as tiles in
// shared memory.
//
//   for i for j  b[j][i] = a[i][j]
//
//   block ib  block jb {
//     coop a_s[32][33] = a[32*ib ..][32*jb ..]      lanes side by side read along j
//     thread jr  thread it                          and write along i
//       for jq  b[32*jb + 4*jr + jq][32*ib + it] = a_s[it][4*jr + jq]
//   }
// On a processor the loops go by tiles, whose lines stay in the first cache until all of them is used.
#include "plan/auto.h"
#include "plan/strategy.h"
#include "rule/loops.h"

static const struct { int tile, rows; } tiles[] = {{32, 8}, {64, 16}, {64, 8}};

typedef struct Turn {
    const Site *s;
    const Node *x, *y;        // results lie along x, turned arrays along y
    const Array *turned[4];
    int n;
} Turn;

static bool goes_along(const Access *x, const Node *loop) {
    return x->array->rank > 1 && plan_along(x, loop->iter) > 0;
}

static void see_turned(Turn *t, const AccessVec *v) {
    for (int i = 0; i < v->n; i++) {
        const Access *x = &v->at[i];
        bool seen = x->array->place != PLACE_USER || !goes_along(x, t->y) || t->n == 4;
        for (int k = 0; k < t->n; k++) seen |= t->turned[k] == x->array;
        if (!seen && !x->write) t->turned[t->n++] = x->array;
    }
}

static bool writes_along(const AccessVec *v, const Node *loop) {
    for (int i = 0; i < v->n; i++)
        if (v->at[i].write && v->at[i].array->place == PLACE_USER && goes_along(&v->at[i], loop)) return true;
    return false;
}

static const char *recipe(const Turn *t, const Band *b, int tile, int rows) {
    Text r = text_new(t->s->c->arena), order = text_new(t->s->c->arena);
    const char *x = t->x->iter->name, *y = t->y->iter->name;
    for (int i = 0; i < b->n; i++)
        if (b->loop[i] != t->x && b->loop[i] != t->y) text_printf(&order, " %s", b->loop[i]->iter->name);
    text_printf(&r, "strip %s by=%d as=xb,xt\nstrip %s by=%d as=yb,yt\nstrip yt by=%d as=yq,yr\n", x, tile, y,
                tile, rows);
    text_printf(&r, "interchange%s xb yb yr xt yq\nmap block%s xb yb\nmap thread yr xt\n", text_str(&order),
                text_str(&order));
    for (int i = 0; i < t->n; i++) text_printf(&r, "stage %s at=yb pad=1\n", t->turned[i]->name);
    text_put(&r, "unroll yq\n");
    return text_str(&r);
}

static bool find(const Site *s, Turn *t, Band *b) {
    *t = (Turn){.s = s};
    if (!site_band(s, b) || b->n < 2) return false;
    for (int i = 0; i < b->n; i++)
        if (!site_is_free(s, b->loop[i])) return false;
    AccessVec v = tree_accesses(s->c->arena, b->body);
    for (int x = 0; x < b->n && !t->n; x++)
        for (int y = 0; y < b->n && !t->n; y++) {
            t->x = b->loop[x], t->y = b->loop[y];
            if (x != y && site_along(s, t->x) > 0 && !writes_along(&v, t->y)) see_turned(t, &v);
        }
    return t->n && !has_loops((Node *)b->body);
}

// On a processor, of the two loops inside. NULL: nothing to gain. *pays: neither is short.
char *turned_cpu_recipe(const Site *s, Expr **pays) {
    enum { TILE = 32, LEAST = 512 };
    Arena *a = s->c->arena;
    Turn t;
    Band b;
    if (!find(s, &t, &b)) return NULL;
    const Node *o = b.loop[b.n - 2], *i = b.loop[b.n - 1];
    if ((t.x != o && t.x != i) || (t.y != o && t.y != i)) return NULL;
    Expr *least = expr_int(a, T_I64, LEAST);
    *pays = expr_op(a, OP_LAND, expr_op(a, OP_GE, expr_cast(a, T_I64, loop_trips(a, o)), least, NULL),
                    expr_op(a, OP_GE, expr_cast(a, T_I64, loop_trips(a, i)), least, NULL), NULL);
    return arena_printf(a, "tile %s %s by=%d as=ob,ib,ot,it\ntrim ot\ntrim it\nmap block %s\n", o->iter->name,
                        i->iter->name, TILE, b.n > 2 ? b.loop[0]->iter->name : "ob");
}

static int recipes(const Site *s, const char **out, const char **why) {
    Turn t;
    Band b;
    int n = 0;
    *why = "no array is read across the way in which results are written";
    if (!find(s, &t, &b)) return 0;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        out[n++] = recipe(&t, &b, tiles[i].tile, tiles[i].rows);
    return n;
}

const Strategy turned_strategy = {"tiles turned in shared memory", recipes};
