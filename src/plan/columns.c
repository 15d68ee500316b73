// SPDX-License-Identifier: MIT
// columns.c -- strategy: long sums of which neighbours in memory belong to different results.
//
//   for j { s = 0                     block jb { thread lane { thread jt {     32 columns, side by side
//     for i  s += a[i][j]     →         acc = 0
//     y[j] = s }                        for i = lane, lane + 16, …  acc += a[i][32*jb + jt]
//                                       … what the lanes of a column found is combined by a tree
//
// A thread a column would do where there are columns enough to fill the machine. There are not: so several
// threads share a column (rule reduce, outside=yes), and where that is too little, several blocks do, each a
// stretch of the sum, of which the results are sums of columns again. What stands beside the sums in their
// loops is done by the same threads, or is cut off (expand, distribute): then each piece has its own kernel,
// and sums along rows, as of a matrix of which half is stored, get theirs from teams that lie along a row.
#include "plan/columns.h"
#include "plan/auto.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

enum {
    COLUMN_ROWS = 3,   // loops around a sum whose iterations are results
    COLUMN_DEALT = 8,  // loops in one row
    TARGETS = 4,       // results of one sum that is made in stretches
    PIECES = 16,
    FILLING = 1 << 18, // threads that every machine is content with
};

typedef struct Piece {
    const Node *top, *row[COLUMN_ROWS], *sum[COLUMN_DEALT];
    const Node *x;     // of the rows, the one that lies side by side
    Node *body;        // of all of its loops, or of its rows
    int nrows, nsums, across, along;
} Piece;

void column_step(Build *b, const char *line) {
    const Nest *n = b->failed ? NULL : recipe_then(b->s->c, b->n, line, NULL);
    b->failed = !n;
    if (!n) return;
    b->n = n;
    text_printf(&b->steps, "%s\n", line);
}

// ---- what lies where ------------------------------------------------------------------------------
// How well accesses go along one loop, of those that name the other (NULL: of all).
static int along(const Build *b, const Node *in, const Node *loop, const Node *of) {
    AccessVec v = tree_accesses(b->s->c->arena, in);
    int score = 0;
    for (int i = 0; i < v.n; i++)
        if (!of || access_names(&v.at[i], of->iter)) score += plan_along(&v.at[i], loop->iter);
    return score;
}

// Of the rows, which one lies side by side?
static void look_at(const Build *b, Piece *p) {
    for (int i = 0; i < p->nrows; i++) {
        int score = p->nsums ? 0 : along(b, p->top, p->row[i], NULL);
        for (int k = 0; k < p->nsums; k++) score += along(b, p->top, p->row[i], p->sum[k]);
        if (!p->x || score >= p->across) p->x = p->row[i], p->across = score;
    }
    for (int k = 0; k < p->nsums; k++) p->along += along(b, p->top, p->sum[k], p->sum[k]);
}

static bool is_of_columns(const Piece *p) { return p->nsums && p->across > 0 && p->across > p->along; }

// Loops of the region keep their names where they don't become several.
static bool is_free(const Build *b, const Node *loop) {
    node_each(n, b->s->start->root)
        if (n->kind == N_FOR && str_eq(n->iter->name, loop->iter->name) && site_is_free(b->s, n)) return true;
    return false;
}

// A nest of loops, of which one is a sum.
static bool find_chain(const Build *b, Node *top, Piece *p) {
    Chain c = chain_of(top);
    *p = (Piece){.top = top, .body = c.body};
    for (int i = 0; i < c.n; i++) {
        bool row = i < b->nrows || is_free(b, c.loop[i]);
        if (c.loop[i]->step != 1 || (row ? p->nrows == COLUMN_ROWS : p->nsums == 1)) return false;
        if (row) p->row[p->nrows++] = c.loop[i];
        else p->sum[p->nsums++] = c.loop[i];
    }
    if (!p->nrows || has_loops(c.body)) return false;
    look_at(b, p);
    return true;
}

static void add_dealt(Piece *p, Node *n, bool *many) {
    *many |= n->kind == N_FOR && p->nsums == COLUMN_DEALT;
    if (n->kind == N_FOR && !*many) p->sum[p->nsums++] = n;
    for (int i = 0; n->kind != N_FOR && node_kid(n, i); i++) add_dealt(p, node_kid(n, i), many);
}

// Rows around all sorts of things.
static bool find_rows(const Build *b, Node *top, Piece *p) {
    Chain c = chain_of(top);
    bool many = false;
    *p = (Piece){.top = top};
    for (int i = 0; i < b->nrows; i++) p->row[p->nrows++] = c.loop[i], p->body = c.loop[i]->body;
    if (!p->nrows) return false;
    add_dealt(p, p->body, &many);
    look_at(b, p);
    return !many;
}

// ---- kernels ---------------------------------------------------------------------------------------
static void put_others(Text *t, const Piece *p) {
    for (int i = 0; i < p->nrows; i++)
        if (p->row[i] != p->x) text_printf(t, " %s", p->row[i]->iter->name);
}

// Columns that stand side by side in a block.
static int width_of(const Build *b, const Node *x) {
    int64_t trips = site_trips(b->s, x);
    int width = COLUMN_WARP;
    while (trips >= 0 && width > 1 && width / 2 >= trips) width /= 2;
    return width;
}

// Loops that are in order: blocks of so many threads that share columns.
static void column_kernel(Build *b, const Piece *p, int threads) {
    Arena *a = b->s->c->arena;
    Text map = text_new(a), reduce = text_new(a);
    int number = b->nnames++, width = width_of(b, p->x);
    column_step(b, arena_printf(a, "strip %s by=%d as=cb%d,ct%d", p->x->iter->name, width, number, number));
    text_put(&map, "map block");
    put_others(&map, p);
    text_printf(&map, " cb%d", number);
    text_put(&reduce, "reduce");
    for (int i = 0; i < p->nsums; i++) text_printf(&reduce, " %s", p->sum[i]->iter->name);
    text_printf(&reduce, " by=%d outside=yes", threads / width);
    column_step(b, text_str(&map));
    column_step(b, arena_printf(a, "map thread ct%d", number));
    column_step(b, text_str(&reduce));
    b->nsums++;
}

static void row_kernel(Build *b, const Piece *p) {
    enum { TEAMS = 8 };
    Arena *a = b->s->c->arena;
    Text map = text_new(a);
    const Node *last = p->row[p->nrows - 1];
    int number = b->nnames++;
    column_step(b, arena_printf(a, "strip %s by=%d as=cb%d,ct%d", last->iter->name, TEAMS, number, number));
    text_put(&map, "map block");
    for (int i = 0; i + 1 < p->nrows; i++) text_printf(&map, " %s", p->row[i]->iter->name);
    text_printf(&map, " cb%d", number);
    column_step(b, text_str(&map));
    column_step(b, arena_printf(a, "map thread ct%d", number));
    column_step(b, arena_printf(a, "reduce %s by=%d", p->sum[0]->iter->name, COLUMN_WARP));
}

static void plain_kernel(Build *b, const Piece *p) {
    static const char *const threads[] = {"256", "32,8", "32,8,1"};
    Text t = text_new(b->s->c->arena);
    text_printf(&t, "grid %s", p->x->iter->name);
    put_others(&t, p);
    text_printf(&t, " of=%s threads=%s", chain_of((Node *)p->top).loop[0]->iter->name, threads[p->nrows - 1]);
    column_step(b, text_str(&t));
}

// Rows outside, x the last of them, perhaps another loop before it, then the sum.
static void column_order(Build *b, const Piece *p, const char *before_x) {
    Text t = text_new(b->s->c->arena);
    text_put(&t, "interchange");
    put_others(&t, p);
    if (before_x) text_printf(&t, " %s", before_x);
    text_printf(&t, " %s %s", p->x->iter->name, p->sum[0]->iter->name);
    column_step(b, text_str(&t));
}

static bool is_in_order(const Piece *p) {
    Chain c = chain_of((Node *)p->top);
    return c.loop[c.n - 1] == p->sum[0] && c.loop[c.n - 2] == p->x;
}

// ---- sums in stretches --------------------------------------------------------------------------------
// How long; 0: there is nothing to gain from some.
static int64_t stretch_of(const Build *b, const Piece *p) {
    int64_t trips = site_trips(b->s, p->sum[0]), threads = b->way.threads, length = 4 * threads / COLUMN_WARP;
    for (int i = 0; i < p->nrows; i++) {
        int64_t n = site_trips(b->s, p->row[i]), width = p->row[i] == p->x ? width_of(b, p->x) : 1;
        if (n < 0 || threads > FILLING) return 0;
        threads *= (n + width - 1) / width;
    }
    if (threads < 1 || 2 * threads > FILLING) return 0;
    while (length * (FILLING / threads) < trips) length *= 2;
    for (int i = 1; i < b->way.stretch; i++) length /= 2;
    return length >= 2 * b->way.threads / COLUMN_WARP && 2 * length <= trips ? length : 0;
}

typedef struct Targets {
    Arena *a;
    const char *name[TARGETS];
    int n;
    bool other;
} Targets;

static void see_target(Targets *t, const Node *n) {
    bool known = false;
    if (n->kind == N_COPY) t->other = true;
    if (n->kind != N_STMT) return;
    AccessVec v = node_accesses(t->a, n);
    for (int i = 0; i < t->n; i++) known |= str_eq(t->name[i], v.at[0].array->name);
    if (n->stmt->op == OP_SET || (!known && t->n == TARGETS)) t->other = true;
    else if (!known) t->name[t->n++] = v.at[0].array->name;
}

Node *column_loop(Node *n) {
    node_each(x, n) {
        if (x->kind == N_FOR) return x;
        if (x->kind != N_SEQ) each_prune();
    }
    return NULL;
}

// The loops that stand in the places of a piece's: other rows, stretches, x.
static bool moved(const Build *b, const Piece *p, const Node *sum, Piece *out, const Node **stretches) {
    Node *top = column_loop(b->n->root);
    Chain c = top ? chain_of(top) : (Chain){0};
    if (c.n < p->nrows + 1) return false;
    *out = (Piece){.top = top, .x = c.loop[p->nrows]};
    for (int i = 0; i < p->nrows + 1; i++)
        if (i != p->nrows - 1) out->row[out->nrows++] = c.loop[i];
    *stretches = c.loop[p->nrows - 1];
    out->sum[out->nsums++] = sum ? sum : *stretches;
    return true;
}

static void stretched(Build *b, const Piece *p, const Targets *t, int64_t length) {
    Arena *a = b->s->c->arena;
    Text parts = text_new(a);
    int number = b->nnames++;
    const char *outer = arena_printf(a, "cp%d", number), *inner = arena_printf(a, "cq%d", number);
    column_step(b, arena_printf(a, "strip %s by=%lld as=%s,%s", p->sum[0]->iter->name, (long long)length,
                                outer, inner));
    Node *within = b->failed ? NULL : loop_named(b->n->root, inner);
    if (!within) return;
    Piece q = *p;
    q.sum[0] = within;
    column_order(b, &q, outer);
    for (int i = 0; i < t->n; i++)
        column_step(b, arena_printf(a, "hoist %s at=%s as=ca%d_%d init=zero", t->name[i], inner, number, i));
    for (int i = 0; i < t->n; i++)
        column_step(b, arena_printf(a, "expand ca%d_%d as=cs%d_%d", number, i, number, i));
    const Node *stretches, *first = b->failed ? NULL : column_loop(b->n->root);
    if (!first) return;
    text_printf(&parts, "distribute %s parts=0", first->iter->name);
    for (int i = 0; i < 2 * t->n; i++) text_put(&parts, i < t->n ? ",0" : ",1");
    column_step(b, text_str(&parts));
    if (b->failed || (b->failed = !moved(b, p, within, &q, &stretches))) return;
    q.row[q.nrows - 1] = stretches; // one more row, which needs no order
    Piece made = q;
    made.row[made.nrows++] = q.x;
    column_kernel(b, &made, b->way.threads);
    if (b->failed || (b->failed = !moved(b, p, NULL, &q, &stretches))) return;
    column_order(b, &q, NULL);
    column_kernel(b, &q, 8 * COLUMN_WARP);
}

// ---- all pieces ---------------------------------------------------------------------------------------
static void column_piece(Build *b, Piece *p) {
    Targets t = {.a = b->s->c->arena};
    int64_t length = b->way.stretch ? stretch_of(b, p) : 0;
    node_each(n, p->body) see_target(&t, n);
    if (length && !t.other && t.n) {
        stretched(b, p, &t, length);
        return;
    }
    if (!is_in_order(p)) column_order(b, p, NULL);
    column_kernel(b, p, b->way.threads);
}

static void make_piece(Build *b, Node *top) {
    Piece p;
    if (b->way.whole) {
        b->failed = !find_rows(b, top, &p) || !is_of_columns(&p);
        if (!b->failed) column_kernel(b, &p, b->way.threads);
        return;
    }
    b->failed = !find_chain(b, top, &p);
    if (b->failed) return;
    if (is_of_columns(&p)) column_piece(b, &p);
    else if (p.nsums && p.along > 0 && p.row[p.nrows - 1] == chain_of(top).loop[p.nrows - 1])
        row_kernel(b, &p);
    else plain_kernel(b, &p);
}

// Where a loop's counter passes what a condition compares it with; NULL: there is no such condition.
static const char *split_at(const Build *b, const Node *loop) {
    Arena *a = b->s->c->arena;
    const Node *n = unwrap(loop->body);
    const Expr *x = n->kind == N_IF ? n->cond : NULL;
    if (!x || x->kind != E_OP || x->nargs != 2) return NULL;
    bool after = x->op == OP_LE || x->op == OP_GT, turned;
    if (!after && x->op != OP_LT && x->op != OP_GE) return NULL;
    for (int k = 0; k < 2; k++) {
        Expr *side = x->args[k], *other = x->args[1 - k];
        if (side->kind != E_SYM || side->sym != loop->iter || expr_uses_sym(other, loop->iter)) continue;
        turned = k == 1;
        if (after != turned) other = expr_add(a, other, expr_int(a, other->type, 1));
        return step_expr(a, b->n, other);
    }
    return NULL;
}

void column_split(Build *b) {
    node_each(n, b->n->root) {
        const char *at = n->kind == N_FOR && b->n == b->s->start && !b->failed ? split_at(b, n) : NULL;
        const char *line = at ? arena_printf(b->s->c->arena, "split %s at=%s", n->iter->name, at) : NULL;
        if (line && recipe_then(b->s->c, b->n, line, NULL)) column_step(b, line);
    }
}

// Each thing that the rows hold, or that stands in a sum around rows, in loops of its own.
static void cut(Build *b) {
    Arena *a = b->s->c->arena;
    Chain c = chain_of(b->n->root);
    if (c.body->kind != N_SEQ) return;
    for (int i = 0; i < c.body->nlocals; i++)
        column_step(b, arena_printf(a, "expand %s", c.body->locals[i]->name));
    if (c.body->nkids < 2 || (!has_loops(c.body) && !b->nrows)) return;
    for (int i = c.n - 1; i >= 0; i--)
        column_step(b, arena_printf(a, "distribute %s", c.loop[i]->iter->name));
}

static const char *build(const Site *s, int nrows, Way way) {
    Build b = {.s = s, .n = s->start, .way = way, .nrows = nrows, .steps = text_new(s->c->arena)};
    Node *top;
    if (!way.whole) column_split(&b), cut(&b);
    for (int i = 0; !b.failed && (top = column_loop(b.n->root)); i++) {
        if (i == PIECES) return NULL;
        make_piece(&b, top);
    }
    return b.failed || !b.nsums ? NULL : text_str(&b.steps);
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const Way ways[] = {{512, 0, true}, {1024, 0, true}, {256, 0, true}, {512, 0, false},
                               {1024, 0, false}, {256, 0, false}, {512, 1, false}, {512, 2, false},
                               {512, 3, false}};
    Chain c = chain_of(s->start->root);
    int n = 0, nrows = 0, diags = s->c->diags.n, errors = s->c->errors;
    *why = "no sums of which neighbours in memory belong to different results";
    node_each(l, s->start->root) // loops that must run in their order
        if (l->kind == N_FOR && !site_is_free(s, l) && !site_is_sum(s, l)) return 0;
    while (nrows < c.n && nrows < COLUMN_ROWS && site_is_free(s, c.loop[nrows])) nrows++;
    for (size_t i = 0; c.n && i < sizeof ways / sizeof *ways && n < SITE_RECIPES; i++) {
        if (ways[i].whole && (!nrows || nrows == c.n - 1)) continue;
        const char *text = build(s, nrows, ways[i]);
        for (int k = 0; k < n && text; k++)
            if (str_eq(text, out[k])) text = NULL;
        if (text) out[n++] = text;
    }
    s->c->diags.n = diags, s->c->errors = errors;
    return n;
}

const Strategy columns_strategy = {"sums along columns", recipes};
