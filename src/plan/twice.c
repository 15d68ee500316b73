// SPDX-License-Identifier: MIT
// twice.c -- strategy: a matrix of which each element is a term of a sum along its row and of one along its
// column is read once: a symmetric matrix of which half is stored, by a vector; both ways through a matrix.
//
//   for i  for j                       block ia  block jg  for ic {
//     s[i] += a[i][j] * x[j]      →      lane l  for it  for k { across[k] += a[i][32*k + l] * x[i]
//   for i  for j                                                 found[l][it] += a[i][32*k + l] * x[j] }
//     s[j] += a[i][j] * x[i]             lane t  along[ic][t] = found[0][t] + found[1][t] + … }
//                                      s[i] += along of all jg;  s[j] += across of all ia
//
// A warp goes down 32 rows at a time. Each lane has a few columns, whose sums stay in registers; what it
// finds of a row goes through shared memory, turned, so that a lane adds up a row. Both are a few words for
// a thousand that are read.
#include "plan/columns.h"
#include "plan/auto.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

enum {
    LANES = 32,
    AHEAD = 8,   // rows that are read at once
    MOST_LOOPS = 12,
    THREADS = 256
};

// What a block of one warp goes through: as many rows as columns, in multiples of its lanes.
typedef struct Shape {
    int side;
    bool apart; // blocks of which all is in the matrix, or its half, have a kernel of their own
} Shape;

// A sum of two loops: out[row] += … a[r][c] ….
typedef struct Half {
    const Node *outer, *inner, *stmt;
    const Sym *row;           // of the two, the result's
} Half;

typedef struct Tops {
    Node *loop[MOST_LOOPS];
    int n;
} Tops;

static void add_top(Tops *t, Node *n) {
    if (n->kind == N_FOR && t->n < MOST_LOOPS) t->loop[t->n++] = n;
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++) add_top(t, n->kids[i]);
}

static Tops tops_of(const Build *b) {
    Tops t = {0};
    add_top(&t, b->n->root);
    return t;
}

static const char *name(const Node *loop) { return loop->iter->name; }

// ---- what it is ------------------------------------------------------------------------------------
static bool find_half(const Build *b, Node *top, Half *h) {
    Arena *a = b->s->c->arena;
    Chain c = chain_of(top);
    Node *body = unwrap(c.body);
    if (c.n != 2 || body->kind != N_STMT || body->stmt->op == OP_SET) return false;
    AccessVec v = node_accesses(a, body);
    if (!b->s->region->reassociate && !type_is_int(v.at[0].array->elem)) return false;
    *h = (Half){c.loop[0], c.loop[1], body, NULL};
    for (int k = 0; k < 2; k++) {
        bool named = access_names(&v.at[0], c.loop[k]->iter);
        if (named && h->row) return false;
        if (named) h->row = c.loop[k]->iter;
    }
    return h->row != NULL;
}

static const Node *row_of(const Half *h) { return h->outer->iter == h->row ? h->outer : h->inner; }
static const Node *sum_of(const Half *h) { return h->outer->iter == h->row ? h->inner : h->outer; }

// Does the sum read x by r and c, along memory by c?
static bool is_read(Arena *a, const Half *h, const Array *x, const Node *r, const Node *c) {
    AccessVec v = node_accesses(a, (Node *)h->stmt);
    for (int i = 1; i < v.n; i++)
        if (v.at[i].array == x && access_names(&v.at[i], r->iter) && plan_along(&v.at[i], c->iter) > 0)
            return true;
    return false;
}

// The matrix that p reads along its rows and q along its columns; NULL: there is none.
static const Array *matrix_of(Arena *a, const Half *p, const Half *q) {
    AccessVec v = node_accesses(a, (Node *)p->stmt);
    for (int i = 1; i < v.n; i++)
        if (is_read(a, p, v.at[i].array, row_of(p), sum_of(p)) &&
            is_read(a, q, v.at[i].array, sum_of(q), row_of(q)))
            return v.at[i].array;
    return NULL;
}

// ---- cut --------------------------------------------------------------------------------------------
static bool cut_one(Build *b, Node *top) {
    Arena *a = b->s->c->arena;
    Chain c = chain_of(top);
    if (c.body->kind != N_SEQ || c.body->nkids < 2) return false;
    for (int i = 0; i < c.body->nlocals; i++)
        column_step(b, arena_printf(a, "expand %s", c.body->locals[i]->name));
    for (int i = c.n - 1; i >= 0; i--) column_step(b, arena_printf(a, "distribute %s", name(c.loop[i])));
    return true;
}

static void cut(Build *b) {
    for (int i = 0; i < MOST_LOOPS && !b->failed; i++) {
        Tops t = tops_of(b);
        bool some = false;
        for (int k = 0; k < t.n && !some; k++) some = cut_one(b, t.loop[k]);
        if (!some) return;
    }
}

// ---- tiles -------------------------------------------------------------------------------------------
// The first or the last loop directly below n.
static const Node *loop_in(const Node *n, bool last) {
    const Node *found = NULL;
    if (!n || n->kind == N_FOR) return n;
    for (int i = 0; n->kind == N_SEQ && i < n->nkids && (last || !found); i++) {
        const Node *x = loop_in(n->kids[i], last);
        if (x) found = x;
    }
    return found;
}

// Element by row, then column; of a triangle the bounds that the conditions say.
static void put_row_first(Build *b, const Half *h, const Node *r, const Node *c) {
    Arena *a = b->s->c->arena;
    if (h->outer == r) return;
    column_step(b, arena_printf(a, "interchange %s %s", name(r), name(c)));
    const char *trim = arena_printf(a, "trim %s", name(c));
    if (!b->failed && recipe_then(b->s->c, b->n, trim, NULL)) column_step(b, trim);
}

static const char *target_of(Arena *a, const Half *h) {
    AccessVec v = node_accesses(a, (Node *)h->stmt);
    return v.at[0].array->name;
}

// Strips of both sums begin at multiples, so that their tiles are the same.
static void strip(Build *b, const Node *loop, int by, const char *as) {
    const char *edge = expr_is_int(loop->lo, 0) ? "" : " edge=multiples";
    column_step(b, arena_printf(b->s->c->arena, "strip %s by=%d as=%s%s", name(loop), by, as, edge));
}

// The sums of columns. ya yg: blocks of rows and of columns; yc yt: rows of a block; yk yl: columns of
// a lane and lanes. A block adds up its rows.
static void tile_across(Build *b, const Half *h, const Shape *shape) {
    Arena *a = b->s->c->arena;
    strip(b, sum_of(h), shape->side, "ya,yi");
    column_step(b, arena_printf(a, "strip yi by=%d as=yc,yt", LANES));
    strip(b, row_of(h), shape->side, "yg,yj");
    column_step(b, arena_printf(a, "strip yj by=%d as=yk,yl", LANES));
    column_step(b, "interchange ya yg yk yl yc yt");
    column_step(b, arena_printf(a, "hoist %s at=yc as=yr init=zero", target_of(a, h)));
    column_step(b, "expand yr as=yp");
    column_step(b, "distribute yk parts=0,1,2");
}

// The sums of rows, in loops alike: what a lane finds of a row, then of each row what the lanes found.
static void tile_along(Build *b, const Half *h, const Shape *shape) {
    Arena *a = b->s->c->arena;
    strip(b, row_of(h), shape->side, "xa,xi");
    column_step(b, arena_printf(a, "strip xi by=%d as=xc,xt", LANES));
    strip(b, sum_of(h), shape->side, "xg,xj");
    column_step(b, arena_printf(a, "strip xj by=%d as=xk,xl", LANES));
    column_step(b, "interchange xa xg xc xl xt xk");
    column_step(b, arena_printf(a, "hoist %s at=xk as=xr init=zero", target_of(a, h)));
    column_step(b, "expand xr as=xs from=xl in=block");
    column_step(b, "distribute xl parts=0,0,1");
    const Node *tiles = b->failed ? NULL : loop_named(b->n->root, "xc");
    Chain c = tiles ? chain_of((Node *)loop_in(tiles->body, true)) : (Chain){0};
    if (b->failed || (b->failed = c.n != 2)) return;
    column_step(b, arena_printf(a, "interchange %s %s", name(c.loop[1]), name(c.loop[0])));
    column_step(b, arena_printf(a, "hoist %s at=%s as=xv init=zero", target_of(a, h), name(c.loop[0])));
    column_step(b, "expand xv as=xp");
    column_step(b, arena_printf(a, "distribute %s parts=0,0,1", name(c.loop[1])));
    column_step(b, "distribute xc parts=0,0,1");
}

static Chain loops_in(const Node *n, bool last) {
    const Node *loop = loop_in(n, last);
    return loop ? chain_of((Node *)loop) : (Chain){0};
}

static void fuse(Build *b, const Node *x, const Node *y) {
    column_step(b, arena_printf(b->s->c->arena, "fuse %s %s", name(x), name(y)));
}

static Chain top_at(const Build *b, int at) {
    Tops t = b->failed ? (Tops){0} : tops_of(b);
    return at < t.n ? chain_of(t.loop[at]) : (Chain){0};
}

// Both in the same loops, from the outside in. What adds up the blocks' sums stands behind.
static void put_together(Build *b, int at) {
    Arena *a = b->s->c->arena;
    Chain q = top_at(b, at), p = top_at(b, at + 1);
    if (b->failed || (b->failed = q.n != 2 || p.n != 2)) return;
    fuse(b, q.loop[0], p.loop[0]);
    fuse(b, q.loop[1], p.loop[1]);
    column_step(b, arena_printf(a, "distribute %s parts=0,0,1,0,2", name(q.loop[0])));
    q = top_at(b, at);
    if (b->failed || (b->failed = q.n != 2 || q.body->kind != N_SEQ || q.body->nkids != 3)) return;
    Chain start = loops_in(q.body->kids[0], false), across = loops_in(q.body->kids[1], false);
    const Node *tiles = loop_in(q.body->kids[2], false);
    Chain along = tiles ? loops_in(tiles->body, false) : (Chain){0};
    if ((b->failed = start.n != 2 || across.n != 4 || along.n != 2)) return;
    column_step(b, arena_printf(a, "interchange %s %s", name(start.loop[1]), name(start.loop[0])));
    column_step(b, arena_printf(a, "interchange yc %s yt %s", name(across.loop[1]), name(across.loop[0])));
    column_step(b, arena_printf(a, "fuse yc %s", name(tiles)));
    fuse(b, across.loop[1], along.loop[0]);
    column_step(b, arena_printf(a, "fuse yt %s", name(along.loop[1])));
    column_step(b, "hoist xs at=xk as=xw");
    column_step(b, arena_printf(a, "unroll %s", name(across.loop[0])));
    column_step(b, "unroll xk");
}

// A kernel for whole blocks, without conditions, and one for the others. How many there are.
static int part_whole(Build *b, int at) {
    Arena *a = b->s->c->arena;
    Chain c = top_at(b, at);
    if (c.n != 2) return 0;
    const char *split = arena_printf(a, "split %s at=full", name(c.loop[1]));
    if (!recipe_then(b->s->c, b->n, split, NULL)) return 1;
    int before = tops_of(b).n;
    column_step(b, split);
    column_step(b, arena_printf(a, "distribute %s", name(c.loop[0])));
    return tops_of(b).n - before + 1;
}

// A few rows' elements of a lane are read at once, whatever conditions then say of their use: else a block at
// a border would wait for each row by itself.
static void read_ahead(Build *b, const Node *rows, int number, const Array *matrix) {
    Arena *a = b->s->c->arena;
    column_step(b, arena_printf(a, "strip %s by=%d as=yo%d,yu%d", name(rows), AHEAD, number, number));
    column_step(b, arena_printf(a, "stage %s at=yo%d in=local as=sv%d", matrix->name, number, number));
    column_step(b, arena_printf(a, "unroll yu%d", number));
}

static void tile_kernel(Build *b, int at, int number, const Array *matrix) {
    Arena *a = b->s->c->arena;
    Chain c = top_at(b, at);
    const Node *start = c.n == 2 ? loop_in(c.body, false) : NULL;
    const Node *tiles = start ? loop_in(c.body, true) : NULL;
    const Node *lanes = tiles ? loop_in(tiles->body, false) : NULL;
    const Node *rows = lanes ? loop_in(tiles->body, true) : NULL;
    const Node *sum = rows ? loop_in(rows->body, true) : NULL;
    const Node *each = sum ? loop_in(lanes->body, false) : NULL;
    if (b->failed || (b->failed = !each)) return;
    column_step(b, arena_printf(a, "map block %s %s", name(c.loop[0]), name(c.loop[1])));
    column_step(b, arena_printf(a, "map thread %s", name(lanes)));
    column_step(b, arena_printf(a, "map thread %s", name(start)));
    column_step(b, arena_printf(a, "map thread %s", name(rows)));
    column_step(b, "promote xs pad=1");
    read_ahead(b, each, number, matrix);
    column_step(b, arena_printf(a, "hoist yp at=%s as=yq%d", name(tiles), number));
    column_step(b, arena_printf(a, "hoist xp at=%s as=xq%d", name(sum), number));
}

static void join_last(Build *b, const Shape *shape, const char *last, const char *block, const char *part,
                      const char *lane) {
    Arena *a = b->s->c->arena;
    const char *steps[] = {arena_printf(a, "strip %s by=%d as=za,zi", last, shape->side),
                           arena_printf(a, "strip zi by=%d as=zc,zt", LANES),
                           arena_printf(a, "fuse %s za", block), arena_printf(a, "fuse %s zc", part),
                           arena_printf(a, "fuse %s zt", lane)};
    const int nsteps = sizeof steps / sizeof *steps;
    const Nest *n = b->n;
    for (int i = 0; n && i < nsteps; i++) n = recipe_then(b->s->c, n, steps[i], NULL);
    for (int i = 0; n && i < nsteps; i++) column_step(b, steps[i]);
}

// Sums of what the tiles found, of columns and of rows in one kernel: blocks are square, so both lie alike. A
// loop behind that does something with each sum joins them where it may.
static void sum_parts(Build *b, const Shape *shape, int at) {
    Arena *a = b->s->c->arena;
    Chain p = top_at(b, at), q = top_at(b, at + 1), last = top_at(b, at + 2);
    if ((b->failed |= p.n != 4 || q.n != 4)) return;
    const char *block = name(p.loop[1]), *part = name(p.loop[2]), *lane = name(p.loop[3]);
    column_step(b, arena_printf(a, "interchange %s %s %s %s", block, part, lane, name(p.loop[0])));
    column_step(b, arena_printf(a, "interchange %s %s %s %s", name(q.loop[0]), name(q.loop[2]),
                                name(q.loop[3]), name(q.loop[1])));
    column_step(b, arena_printf(a, "fuse %s %s", block, name(q.loop[0])));
    column_step(b, arena_printf(a, "fuse %s %s", part, name(q.loop[2])));
    column_step(b, arena_printf(a, "fuse %s %s", lane, name(q.loop[3])));
    if (last.n == 1) join_last(b, shape, name(last.loop[0]), block, part, lane);
    column_step(b, arena_printf(a, "map block %s %s", block, part));
    column_step(b, arena_printf(a, "map thread %s", lane));
    column_step(b, arena_printf(a, "reduce %s %s by=%d outside=yes", name(p.loop[0]), name(q.loop[1]),
                                THREADS / LANES));
}

// ---- the recipe ---------------------------------------------------------------------------------------
// Where the pair stands among the pieces; all others are a loop each. -1: it is no such region.
static int find_pair(const Build *b, Half *p, Half *q, const Array **matrix, bool *turned) {
    Arena *a = b->s->c->arena;
    Tops t = tops_of(b);
    int at = -1;
    for (int i = 0; i + 1 < t.n && at < 0; i++) {
        if (!find_half(b, t.loop[i], q) || !find_half(b, t.loop[i + 1], p)) continue;
        *matrix = matrix_of(a, q, p);
        *turned = *matrix != NULL;
        if (*turned || (*matrix = matrix_of(a, p, q))) at = i;
    }
    for (int i = 0; i < t.n && at >= 0; i++)
        if (i != at && i != at + 1 && has_loops(t.loop[i]->body)) return -1;
    return at;
}

// The sums of columns, in loops that go along rows, before those of rows.
static int ordered(Build *b, Half *p, Half *q, const Array **matrix) {
    Arena *a = b->s->c->arena;
    bool turned = false;
    int at = b->failed ? -1 : find_pair(b, p, q, matrix, &turned);
    if (at < 0) return -1;
    if (turned) {
        Half h = *p;
        *p = *q, *q = h;
    }
    put_row_first(b, p, row_of(p), sum_of(p));
    put_row_first(b, q, sum_of(q), row_of(q));
    if (!turned || b->failed) return b->failed ? -1 : at;
    Tops t = tops_of(b);
    fuse(b, t.loop[at], t.loop[at + 1]);
    column_step(b, arena_printf(a, "distribute %s parts=1,0", name(t.loop[at])));
    t = tops_of(b);
    return !b->failed && find_half(b, t.loop[at], q) && find_half(b, t.loop[at + 1], p) ? at : -1;
}

static const char *build(const Site *s, const Shape *shape) {
    Build b = {.s = s, .n = s->start, .steps = text_new(s->c->arena)};
    Arena *a = s->c->arena;
    const Array *matrix = NULL;
    Half p, q;
    column_split(&b);
    cut(&b);
    int at = ordered(&b, &p, &q, &matrix);
    if (at < 0) return NULL;
    tile_across(&b, &q, shape);
    tile_along(&b, &p, shape);
    put_together(&b, at);
    for (int i = 0, kernels = shape->apart ? part_whole(&b, at) : 1; i < kernels; i++)
        tile_kernel(&b, at, i, matrix);
    sum_parts(&b, shape, at);
    for (Node *top; !b.failed && (top = column_loop(b.n->root));)
        column_step(&b, arena_printf(a, "grid %s of=%s threads=%d", name(top), name(top), THREADS));
    return b.failed ? NULL : text_str(&b.steps);
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const Shape shapes[] = {{32, false}, {64, true}};
    int n = 0, diags = s->c->diags.n, errors = s->c->errors;
    *why = "no matrix of which each element is a term of two sums that may be reordered, along its row and "
           "its column";
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const char *text = build(s, &shapes[i]);
        if (!text) break;
        out[n++] = text;
    }
    s->c->diags.n = diags, s->c->errors = errors;
    return n;
}

const Strategy twice_strategy = {"sums both ways through a matrix", recipes};
