// SPDX-License-Identifier: MIT
// walks.c -- strategy: rows, or few columns, that a thread walks along, each step after the one before it,
// come and go by tiles in shared memory.
//
//   for i { s = 0                        block ib {                     32 rows
//     for j { s += x[i][j]                 thread i { s[i] = 0 }
//       y[i][j] = s } }              →     for jt { coop x_s[32][33] = x    lanes side by side, along the row
//                                            thread i { for j { s[i] += x_s[i][j]; y_s[i][j] = s[i] } }
//                                            coop y = y_s } }
//
// Where a row is a plane, for j for k  s += x[i][j][k], its loops around the walk stay around the tiles.
// Prefix sums of segments, filters, tridiagonal systems, checks: neighbouring threads are a row apart, and
// each takes a word of a sector at a time. The order of a row's steps stays. What lives from one loop of a
// row to the next has an element for each thread.
#include "plan/auto.h"
#include "plan/strategy.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

enum {
    MOST_PARTS = 12,
    MOST_ARRAYS = 8,
    MOST_AROUND = 3,
    FILLING = 1 << 16, // columns that have enough reads under way as they are
    LONG = 64,         // steps of a column that are worth tiles
};
static const struct { int rows, tile, stages; } tiles[] = {
    {32, 32, 3}, {32, 32, 1}, {32, 16, 4}, {64, 16, 3}, {64, 16, 1}, {128, 16, 1}, {32, 64, 4},
};

typedef struct Part { // a child of the row's body
    const Node *loop; // that walks, or its only one; NULL: it has none
    int naround;
    const Node *around[MOST_AROUND]; // loops of the row that stand around it
    int n;
    const Array *array[MOST_ARRAYS]; // that the loop walks along
    bool written[MOST_ARRAYS];
    bool columns;                    // some lie side by side as the rows' threads do
    int nkept;
    const Array *kept[MOST_ARRAYS];  // of which all steps set one element
} Part;

typedef struct Walks {
    const Site *s;
    Band around;      // free loops, the last one goes through the rows
    const Node *row;
    bool few;         // columns would be
    int nlocals, nparts;
    const Array *const *locals;
    Part part[MOST_PARTS];
} Walks;

// Does the last subscript go along one loop alone, and one of the others with the other loop?
static bool lies(const Access *x, const Node *along, const Node *other) {
    const Expr *last = x->array->rank > 1 ? x->sub[x->array->rank - 1] : NULL;
    if (!last || x->array->place != PLACE_USER || plan_along(x, along->iter) <= 0) return false;
    bool across = false;
    for (int d = 0; d + 1 < x->array->rank; d++) across |= expr_uses_sym(x->sub[d], other->iter);
    return across && !expr_uses_sym(last, other->iter);
}

// An element of an array that each step sets once more lives in a register.
static void see_kept(Part *p, const Access *x) {
    bool known = p->nkept == MOST_ARRAYS || !x->array->rank || access_names(x, p->loop->iter);
    for (int e = 0; e < p->nkept; e++) known |= p->kept[e] == x->array;
    if (x->write && !known) p->kept[p->nkept++] = x->array;
}

static void add_array(Part *p, const Access *x) {
    int e = 0;
    while (e < p->n && p->array[e] != x->array) e++;
    if (e == MOST_ARRAYS) return;
    if (e == p->n) p->array[p->n++] = x->array, p->written[e] = false;
    p->written[e] |= x->write;
}

static void see(const Walks *k, Part *p, const Node *body) {
    AccessVec v = tree_accesses(k->s->c->arena, body);
    int64_t steps = site_trips(k->s, p->loop);
    for (int i = 0; i < v.n; i++) {
        see_kept(p, &v.at[i]);
        p->columns |= k->few && steps >= LONG && !v.at[i].write && lies(&v.at[i], k->row, p->loop);
        if (lies(&v.at[i], p->loop, k->row)) add_array(p, &v.at[i]);
    }
    for (int i = 0; i < v.n && p->columns; i++) {
        const Access *x = &v.at[i];
        bool all = x->array->rank && !x->write && x->array->place == PLACE_USER &&
                   plan_along(x, p->loop->iter) > 0 && !access_names(x, k->row->iter);
        if (all || (!x->write && lies(x, k->row, p->loop))) add_array(p, x);
    }
}

// The free loops around the rows, and of the rows' body each child; does a serial loop walk along memory?
static bool find(Walks *k) {
    if (!site_free_band(k->s, &k->around)) return false;
    const Node *n = k->around.body;
    k->row = k->around.loop[k->around.n - 1];
    int64_t all = 1;
    for (int i = 0; i < k->around.n && all >= 0 && all < FILLING; i++) {
        int64_t trips = site_trips(k->s, k->around.loop[i]);
        all = trips < 0 ? trips : all * trips;
    }
    k->few = all >= 0 && all < FILLING;
    bool alone = n->kind != N_SEQ, walks = false;
    k->nlocals = alone ? 0 : n->nlocals;
    k->locals = alone ? NULL : n->locals;
    k->nparts = alone ? 1 : n->nkids;
    if (k->nparts > MOST_PARTS) return false;
    for (int i = 0; i < k->nlocals; i++)
        if (k->locals[i]->rank) return false;
    for (int i = 0; i < k->nparts; i++) {
        Part *part = &k->part[i];
        part->loop = unwrap(alone ? (Node *)n : n->kids[i]);
        if (part->loop->kind != N_FOR) {
            part->loop = NULL;
            continue;
        }
        if (!site_is_even(part->loop)) return false;
        for (const Node *in = unwrap(part->loop->body); in->kind == N_FOR; in = unwrap(in->body)) {
            if (part->naround == MOST_AROUND || !site_is_even(in)) return false;
            part->around[part->naround++] = part->loop;
            part->loop = in;
        }
        see(k, part, part->loop->body);
        walks |= part->n && !site_is_free(k->s, part->loop);
    }
    return walks;
}

static const char *row_loop(const Walks *k, int part) { // distribute makes one for each child
    return part ? arena_printf(k->s->c->arena, "ri_%d", part) : "ri";
}

static const char *recipe(const Walks *k, int rows, int tile, int stages) {
    Text t = text_new(k->s->c->arena);
    text_printf(&t, "strip %s by=%d as=rb,ri\n", k->row->iter->name, rows);
    for (int i = 0; i < k->nlocals; i++)
        text_printf(&t, "expand %s as=%s_x\n", k->locals[i]->name, k->locals[i]->name);
    if (k->nparts > 1) text_put(&t, "distribute ri\n");
    text_put(&t, "map block");
    for (int i = 0; i + 1 < k->around.n; i++) text_printf(&t, " %s", k->around.loop[i]->iter->name);
    text_put(&t, " rb\n");
    for (int i = 0; i < k->nparts; i++) {
        const Part *p = &k->part[i];
        if (p->n) {
            text_printf(&t, "strip %s by=%d as=kt%d,kk%d\ninterchange", p->loop->iter->name, tile, i, i);
            for (int e = 0; e < p->naround; e++) text_printf(&t, " %s", p->around[e]->iter->name);
            text_printf(&t, " kt%d %s kk%d\n", i, row_loop(k, i), i);
        }
        text_printf(&t, "map thread %s\n", row_loop(k, i));
    }
    for (int i = 0; i < k->nparts; i++) {
        const Part *p = &k->part[i];
        if (!p->n) continue;
        const char *at = p->naround ? p->around[0]->iter->name : arena_printf(k->s->c->arena, "kt%d", i);
        for (int e = 0; e < k->nlocals; e++)
            if (node_uses_array(k->s->c->arena, (Node *)p->loop, k->locals[e]))
                text_printf(&t, "hoist %s_x at=%s\n", k->locals[e]->name, at);
        for (int e = 0; e < p->nkept && !p->naround; e++)
            text_printf(&t, "hoist %s at=%s\n", p->kept[e]->name, at);
        Text come = text_new(k->s->c->arena);
        for (int e = 0; e < 2 * p->n; e++) { // what is only read first: its copies may run ahead
            const char *name = p->array[e % p->n]->name;
            bool written = p->written[e % p->n];
            if (written != (e >= p->n)) continue;
            text_printf(&t, "stage %s at=kt%d as=%s_%d pad=1\n", name, i, name, i);
            if (!written) text_printf(&come, "%s%s_%d", come.n ? "," : "", name, i);
        }
        text_printf(&t, "unroll kk%d\n", i);
        if (stages > 1 && come.n)
            text_printf(&t, "pipeline kt%d async buffers=%s stages=%d\n", i, text_str(&come), stages);
    }
    return text_str(&t);
}

static int recipes(const Site *s, const char **out, const char **why) {
    Walks k = {.s = s};
    int n = 0;
    *why = "no loop that follows its steps goes along rows of which each thread has one, or few columns";
    if (!str_eq(s->call->target, "gpu") || !find(&k)) return 0;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        out[n++] = recipe(&k, tiles[i].rows, tiles[i].tile, tiles[i].stages);
    return n;
}

const Strategy walks_strategy = {"rows walked by way of shared memory", recipes};
