// SPDX-License-Identifier: MIT
// twice.c -- strategy: a matrix of which each element is a term of a sum along its row and of one along its
// column is read once: a symmetric matrix of which half is stored, by a vector; both ways through a matrix.
//
//   for i  for j                       block ia  block jg  for jc {
//     s[i] += a[i][j] * x[j]      →      a_s = a's tile [32*ia ..][256*jg + 32*jc ..]
//   for i  for j                         thread t  { along[t] += a_s[t][0] * x + a_s[t][1] * x + …
//     s[j] += a[i][j] * x[i]                        across[ia][…] = a_s[0][t] * x + … } }
//                                      s[i] += along of all jg;  s[j] += across of all ia
//
// Sums of a row stay in registers while a block goes along a few tiles; sums of columns are one for each
// tile, and so a few words for a thousand that are read.
#include "plan/columns.h"
#include "plan/auto.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

enum { TILE = 32, MOST_LOOPS = 12, THREADS = 256 };

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
static bool find_half(Arena *a, Node *top, Half *h) {
    Chain c = chain_of(top);
    Node *body = unwrap(c.body);
    AccessVec v = {0};
    if (c.n != 2 || body->kind != N_STMT || body->stmt->op == OP_SET) return false;
    node_accesses(a, body, &v);
    *h = (Half){c.loop[0], c.loop[1], body, NULL};
    for (int k = 0; k < 2; k++) {
        bool named = false;
        for (int d = 0; d < v.at[0].array->rank; d++) named |= expr_uses_sym(v.at[0].sub[d], c.loop[k]->iter);
        if (named && h->row) return false;
        if (named) h->row = c.loop[k]->iter;
    }
    return h->row != NULL;
}

static const Node *row_of(const Half *h) { return h->outer->iter == h->row ? h->outer : h->inner; }
static const Node *sum_of(const Half *h) { return h->outer->iter == h->row ? h->inner : h->outer; }

static bool is_read(Arena *a, const Half *h, const Array *x, const Node *r, const Node *c) {
    AccessVec v = {0};
    node_accesses(a, (Node *)h->stmt, &v);
    for (int i = 1; i < v.n; i++)
        if (v.at[i].array == x && x->rank == 2 && expr_uses_sym(v.at[i].sub[0], r->iter) &&
            expr_uses_sym(v.at[i].sub[1], c->iter) && plan_along(&v.at[i], c->iter) > 0)
            return true;
    return false;
}

// The matrix that a sum reads along its rows and the other along its columns.
static const Array *matrix_of(Arena *a, const Half *p, const Half *q) {
    AccessVec v = {0};
    node_accesses(a, (Node *)p->stmt, &v);
    for (int i = 1; i < v.n; i++)
        if (is_read(a, p, v.at[i].array, row_of(p), sum_of(p)) &&
            is_read(a, q, v.at[i].array, sum_of(q), row_of(q)))
            return v.at[i].array;
    return NULL;
}

// ---- cut --------------------------------------------------------------------------------------------
// Is the first of two sums in the same loops that of a column? Then the other goes first.
static bool is_across_first(Build *b, const Chain *c) {
    Arena *a = b->s->c->arena;
    if (c->n != 2 || c->body->kind != N_SEQ || c->body->nkids != 2 || c->body->nlocals) return false;
    AccessVec v = {0};
    if (c->body->kids[0]->kind != N_STMT) return false;
    node_accesses(a, c->body->kids[0], &v);
    return plan_along(&v.at[0], c->loop[1]->iter) > 0;
}

// A sum that goes through a matrix from row to row?
static bool goes_across(Arena *a, const Node *loop) {
    AccessVec v = {0};
    bool across = false;
    if (loop->kind != N_FOR || unwrap(loop->body)->kind != N_STMT) return false;
    node_accesses(a, unwrap(loop->body), &v);
    for (int i = 1; i < v.n; i++) across |= v.at[i].array->rank == 2 && plan_along(&v.at[i], loop->iter) < 0;
    return across;
}

// Rows around two sums, of which the one along the row is to stand first.
static const char *parts_of(Arena *a, const Node *seq) {
    Text t = text_new(a);
    bool some = false;
    for (int i = 0; i < seq->nkids; i++) {
        bool turned = i + 1 < seq->nkids && goes_across(a, seq->kids[i]) && seq->kids[i + 1]->kind == N_FOR &&
                      !goes_across(a, seq->kids[i + 1]);
        text_printf(&t, turned ? "%s%d,%d" : "%s%d", t.n ? "," : " parts=", i + turned, i);
        i += turned, some |= turned;
    }
    return some ? text_str(&t) : "";
}

static bool cut_one(Build *b, Node *top) {
    Arena *a = b->s->c->arena;
    Chain c = chain_of(top);
    if (c.body->kind != N_SEQ || c.body->nkids < 2) return false;
    for (int i = 0; i < c.body->nlocals; i++)
        column_step(b, arena_printf(a, "expand %s", c.body->locals[i]->name));
    if (is_across_first(b, &c)) {
        column_step(b, arena_printf(a, "distribute %s parts=1,0", name(top)));
        return true;
    }
    const char *parts = c.n == 1 ? parts_of(a, c.body) : "";
    for (int i = c.n - 1; i >= 0; i--)
        column_step(b, arena_printf(a, "distribute %s%s", name(c.loop[i]), parts));
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
// Element by row, then column; of a triangle the bounds that the conditions say.
static void put_row_first(Build *b, const Half *h, const Node *r, const Node *c) {
    Arena *a = b->s->c->arena;
    if (h->outer == r) return;
    column_step(b, arena_printf(a, "interchange %s %s", name(r), name(c)));
    const char *trim = arena_printf(a, "trim %s", name(c));
    if (!b->failed && recipe_then(b->s->c, b->n, trim, NULL)) column_step(b, trim);
}

static const char *target_of(Arena *a, const Half *h) {
    AccessVec v = {0};
    node_accesses(a, (Node *)h->stmt, &v);
    return v.at[0].array->name;
}

// Strips of both sums begin at multiples, so that their tiles are the same.
static void strip(Build *b, const Node *loop, int by, const char *as) {
    const char *edge = expr_is_int(loop->lo, 0) ? "" : " edge=multiples";
    column_step(b, arena_printf(b->s->c->arena, "strip %s by=%d as=%s%s", name(loop), by, as, edge));
}

// Loops xa xg xc xt xu for rows, blocks' columns, their tiles, a tile's rows, its columns.
static void tile_along(Build *b, const Half *h, int columns) {
    Arena *a = b->s->c->arena;
    strip(b, row_of(h), TILE, "xa,xt");
    strip(b, sum_of(h), columns, "xg,xx");
    column_step(b, arena_printf(a, "strip xx by=%d as=xc,xu", TILE));
    column_step(b, "interchange xa xg xc xt xu");
    column_step(b, arena_printf(a, "hoist %s at=xc as=xr init=zero", target_of(a, h)));
    column_step(b, "expand xr as=xp");
}

static void tile_across(Build *b, const Half *h, int columns) {
    Arena *a = b->s->c->arena;
    strip(b, sum_of(h), TILE, "ya,yu");
    strip(b, row_of(h), columns, "yg,yx");
    column_step(b, arena_printf(a, "strip yx by=%d as=yc,yt", TILE));
    column_step(b, "interchange ya yg yc yt yu");
    column_step(b, arena_printf(a, "hoist %s at=yu as=yr init=zero", target_of(a, h)));
    column_step(b, "expand yr as=yp");
    column_step(b, "distribute ya parts=0,0,1");
}

// Both in the same loops: fused from the outside in, with what only the first does taken out before.
static void put_together(Build *b, int at, Chain *out) {
    Arena *a = b->s->c->arena;
    Tops t = tops_of(b);
    Chain q = at + 1 < t.n ? chain_of(t.loop[at + 1]) : (Chain){0};
    if (b->failed || (b->failed = q.n < 4)) return;
    column_step(b, arena_printf(a, "fuse xa %s", name(q.loop[0])));
    column_step(b, arena_printf(a, "fuse xg %s", name(q.loop[1])));
    column_step(b, "distribute xa parts=0,0,1,0");
    column_step(b, arena_printf(a, "fuse xc %s", name(q.loop[2])));
    column_step(b, arena_printf(a, "fuse xt %s", name(q.loop[3])));
    if (b->failed) return;
    t = tops_of(b);
    *out = chain_of(t.loop[at]);
    b->failed = out->n != 2 || out->body->kind != N_SEQ || unwrap(out->body->kids[0])->kind != N_FOR;
}

// Of a triangle, the blocks of which all is in it have a kernel of their own, without conditions. How many
// kernels there are.
static int part_whole(Build *b, const Chain *c) {
    Arena *a = b->s->c->arena;
    const char *split = arena_printf(a, "split %s at=full", name(c->loop[1]));
    const Sym *rows = c->loop[0]->iter;
    bool triangle = expr_uses_sym(c->loop[1]->lo, rows) || expr_uses_sym(c->loop[1]->hi, rows);
    if (!triangle || !recipe_then(b->s->c, b->n, split, NULL)) return 1;
    int before = tops_of(b).n;
    column_step(b, split);
    column_step(b, arena_printf(a, "distribute %s", name(c->loop[0])));
    return tops_of(b).n - before + 1;
}

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

static void tile_kernel(Build *b, int at, int number, const char *matrix) {
    Arena *a = b->s->c->arena;
    Tops t = tops_of(b);
    Chain c = at < t.n ? chain_of(t.loop[at]) : (Chain){0};
    const Node *first = c.n == 2 ? loop_in(c.body, false) : NULL;
    const Node *tiles = first ? loop_in(c.body, true) : NULL;
    const Node *rows = tiles ? loop_in(tiles->body, false) : NULL;
    const Node *sum = rows ? loop_in(rows->body, true) : NULL;
    if (b->failed || (b->failed = !sum)) return;
    column_step(b, arena_printf(a, "map block %s %s", name(c.loop[0]), name(c.loop[1])));
    column_step(b, arena_printf(a, "map thread %s", name(rows)));
    column_step(b, arena_printf(a, "map thread %s", name(first)));
    column_step(b, arena_printf(a, "stage %s at=%s pad=1", matrix, name(tiles)));
    column_step(b, arena_printf(a, "hoist yp at=%s as=yq%d init=zero", name(sum), number));
    column_step(b, arena_printf(a, "hoist xp at=%s as=xq%d", name(tiles), number));
}

// Sums of what the tiles found: the loop at `sum` of the chain is added up, the last one lies side by side.
static void sum_parts(Build *b, int at, int sum) {
    Tops t = tops_of(b);
    if (b->failed || (b->failed = at >= t.n)) return;
    Chain c = chain_of(t.loop[at]);
    if ((b->failed = c.n < 3 || c.n > COLUMN_ROWS + 1)) return;
    Piece p = {.top = c.loop[0], .x = c.loop[c.n - 1], .sum = {c.loop[sum]}, .nsums = 1};
    for (int i = 0; i < c.n; i++)
        if (i != sum) p.row[p.nrows++] = c.loop[i];
    column_order(b, &p, NULL);
    column_kernel(b, &p, THREADS);
}

// ---- the recipe ---------------------------------------------------------------------------------------
// Where the pair stands among the pieces; all others are a loop each. -1: it is no such region.
static int find_pair(const Build *b, Half *p, Half *q, const Array **matrix) {
    Arena *a = b->s->c->arena;
    Tops t = tops_of(b);
    int at = -1;
    for (int i = 0; i + 1 < t.n && at < 0; i++)
        if (find_half(a, t.loop[i], p) && find_half(a, t.loop[i + 1], q) && (*matrix = matrix_of(a, p, q)))
            at = i;
    for (int i = 0; i < t.n && at >= 0; i++)
        if (i != at && i != at + 1 && has_loops(t.loop[i]->body)) return -1;
    return at;
}

static const char *build(const Site *s, int columns) {
    Build b = {.s = s, .n = s->start, .steps = text_new(s->c->arena)};
    Arena *a = s->c->arena;
    const Array *matrix = NULL;
    Half p, q;
    Chain c;
    column_split(&b);
    cut(&b);
    int at = b.failed ? -1 : find_pair(&b, &p, &q, &matrix);
    if (at < 0) return NULL;
    put_row_first(&b, &p, row_of(&p), sum_of(&p));
    put_row_first(&b, &q, sum_of(&q), row_of(&q));
    tile_along(&b, &p, columns);
    tile_across(&b, &q, columns);
    put_together(&b, at, &c);
    if (b.failed) return NULL;
    for (int i = 0, kernels = part_whole(&b, &c); i < kernels; i++) tile_kernel(&b, at, i, matrix->name);
    sum_parts(&b, at, 1);
    sum_parts(&b, at, 0);
    for (Node *top; !b.failed && (top = column_loop(b.n->root));)
        column_step(&b, arena_printf(a, "grid %s of=%s threads=%d", name(top), name(top), THREADS));
    return b.failed ? NULL : text_str(&b.steps);
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const int columns[] = {64, 256};
    int n = 0, diags = s->c->diags.n, errors = s->c->errors;
    *why = "no matrix of which each element is a term of two sums, one along its row, one along its column";
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *text = build(s, columns[i]);
        if (!text) break;
        out[n++] = text;
    }
    s->c->diags.n = diags, s->c->errors = errors;
    return n;
}

const Strategy twice_strategy = {"sums both ways through a matrix", recipes};
