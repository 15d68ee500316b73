// SPDX-License-Identifier: MIT
// phase_sums.c -- sets of words as stretches, and sums over these as a tree.
//
//   word t: { 0, …, t }   →   s[t] = 0;  for k = 0 .. t + 1 { s[t] += was[k] }
#include "equal/phases.h"

enum { MOST_GAPS = 16 };

// ---- stretches ---------------------------------------------------------------------------------------
//   word w adds up  lo(w) … hi(w),  each w / group * group + c
typedef struct End {
    int group, c; // group 0: c alone
} End;

typedef struct Stretch {
    End lo, hi;
    int from, to; // of the words for which it holds
} Stretch;

static int end_at(End e, int w) { return (e.group ? w / e.group * e.group : 0) + e.c; }

static bool is_changed(const Run *r, const Source *s, int w) {
    const Row *x = &r->rows.at[s->base + w];
    return x->lost || x->n != 1 || x->at[0].lo != s->base + w || x->at[0].hi != s->base + w;
}

static const Source *owner(const Run *r, int symbol) {
    int i = 0;
    while (symbol >= r->sources.at[i].base + r->sources.at[i].words) i++;
    return &r->sources.at[i];
}

static bool holds(const Run *r, const Source *s, const Source *of, const Stretch *x, int w) {
    const Row *row = &r->rows.at[s->base + w];
    int lo = end_at(x->lo, w), hi = end_at(x->hi, w);
    if (!s->needed[w]) return true;
    if (row->lost || row->n > 1) return false;
    if (!row->n) return hi < lo;
    return row->at[0].lo == of->base + lo && row->at[0].hi == of->base + hi;
}

// The longest run of words for which it holds.
static void fit(const Run *r, const Source *s, const Source *of, Stretch x, Stretch *best) {
    for (int w = 0, from = 0; w <= s->words; w++) {
        if (w < s->words && holds(r, s, of, &x, w)) continue;
        if (w - from > best->to - best->from + 1) *best = x, best->from = from, best->to = w - 1;
        from = w + 1;
    }
}

// What most words of s add up, and of what; NULL: that is no stretch.
static const Source *stretch_of(const Run *r, const Source *s, Stretch *best) {
    int sample[3], n = 0;
    *best = (Stretch){.from = 0, .to = -1};
    const Source *of = NULL;
    for (int third = 0; third < 3; third++)
        for (int w = third * s->words / 3; w < s->words && n == third; w++) {
            const Row *x = &r->rows.at[s->base + w];
            const Source *o = s->needed[w] && !x->lost && x->n == 1 ? owner(r, x->at[0].lo) : NULL;
            if (o && (!of || o == of)) of = o, sample[n++] = w;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int g = 0; g <= 2 * s->words; g = g ? 2 * g : 1)
                for (int h = 0; h <= 2 * s->words; h = h ? 2 * h : 1) {
                    if (best->to - best->from == s->words - 1) break;
                    Stretch x = {{g, 0}, {h, 0}, 0, -1};
                    x.lo.c = r->rows.at[s->base + sample[i]].at[0].lo - of->base - end_at(x.lo, sample[i]);
                    x.hi.c = r->rows.at[s->base + sample[j]].at[0].hi - of->base - end_at(x.hi, sample[j]);
                    fit(r, s, of, x, best);
                }
    return best->to < best->from ? NULL : of;
}

// ---- the tree ------------------------------------------------------------------------------------------
static Expr *whole(Put *p, int64_t v) { return expr_int(p->g->a, T_I32, v); }

typedef struct Words { // loops over the words of an array
    int n, dim[MOST_DIMS + 1], weight[MOST_DIMS + 1];
    Sym *iter[MOST_DIMS + 1];
    Expr *flat, *sub[MOST_DIMS + 1];
} Words;

// group: numbers of words that are asked for, so that an array of one dimension has a counter for each.
static Words loops_over(Put *p, const Source *s, int group) {
    Arena *a = p->g->a;
    Words x = {.n = s->rank, .flat = whole(p, 0)};
    for (int d = 0; d < s->rank; d++) x.dim[d] = s->dim[d];
    bool split = s->rank == 1 && group > 1 && group < s->words && s->words % group == 0;
    if (split) x.n = 2, x.dim[0] = s->words / group, x.dim[1] = group;
    for (int d = x.n - 1, weight = 1; d >= 0; weight *= x.dim[d--]) x.weight[d] = weight;
    for (int d = 0; d < x.n; d++) {
        x.iter[d] = NEW(a, Sym);
        const char *name = arena_printf(a, "word_%d", ++p->g->fresh);
        *x.iter[d] = (Sym){.name = name, .kind = SYM_ITER, .type = T_I32};
        x.sub[d] = expr_sym(a, x.iter[d]);
        x.flat = expr_add(a, x.flat, expr_mul(a, x.sub[d], whole(p, x.weight[d])));
    }
    if (split) x.sub[0] = x.flat;
    return x;
}

static Node *around(Put *p, const Words *x, Node *body) {
    for (int d = x->n - 1; d >= 0; d--)
        body = node_for(p->g->a, x->iter[d], whole(p, 0), whole(p, x->dim[d]), 1, HOW_THREAD, body);
    return body;
}

static Expr *end_of(Put *p, const Words *x, End e) {
    Arena *a = p->g->a;
    Expr *at = whole(p, e.c);
    int rest = 1; // words of the counters that are no part of it
    for (int d = x->n - 1; d >= 0 && rest < e.group; d--) rest *= x->dim[d];
    if (!e.group) return at;
    if (rest != e.group && e.group > 1) {
        Expr *by = whole(p, e.group);
        return expr_add(a, expr_mul(a, expr_op(a, OP_FDIV, x->flat, by, NULL), by), at);
    }
    for (int d = 0; d < x->n; d++)
        if (x->weight[d] >= e.group)
            at = expr_add(a, expr_mul(a, expr_sym(a, x->iter[d]), whole(p, x->weight[d])), at);
    return at;
}

static Node *copy_to(Put *p, Loc loc, const Array *v, Expr *const *sub, Op op, Expr *src) {
    Expr **at = NEW_N(p->g->a, Expr *, v->rank + 1);
    for (int d = 0; d < v->rank; d++) at[d] = sub[d];
    Node *n = node_copy(p->g->a, v, at, op, src);
    n->loc = loc;
    return n;
}

static Expr *load_of(Put *p, const Array *v, Expr *const *sub) {
    Expr **at = NEW_N(p->g->a, Expr *, v->rank + 1);
    for (int d = 0; d < v->rank; d++) at[d] = sub[d];
    return expr_load(p->g->a, v, at);
}

typedef struct Only {
    Put *p;
    Source *of;
    SymVec iters;
} Only;

// The phase with nothing but the copy that is given something, to a row of its own.
static Node *only(Node *n, void *arg) {
    Only *o = arg;
    Arena *a = o->p->g->a;
    if (n->kind == N_COPY) {
        if (n != o->of->copy) return node_seq(a, 0, NULL);
        Expr *at = whole(o->p, 0);
        for (int d = 0; d < o->iters.n; d++)
            at = expr_add(a, expr_mul(a, at, whole(o->p, o->of->dim[d])), expr_sym(a, o->iters.at[d]));
        return copy_to(o->p, n->loc, o->of->was, &at, OP_SET, n->src);
    }
    if (n->kind == N_FOR) vec_push(a, &o->iters, n->iter);
    Node *m = node_map(a, n, only, arg);
    if (n->kind == N_FOR) o->iters.n--;
    return m;
}

// What was there before, in one row.
static const Array *before(Put *p, Source *s) {
    if (s->was) return s->was;
    Arena *a = p->g->a;
    Type t = s->v ? s->v->elem : s->copy->dst->elem;
    Array *v = array_new(a, arena_printf(a, "was_%d", ++p->g->fresh), t, PLACE_SHARED, 1);
    v->extent[0] = whole(p, s->words);
    s->was = v;
    vec_push(a, &p->locals, v);
    if (!s->v) {
        vec_push(a, &p->out, only((Node *)s->kid, &(Only){.p = p, .of = s}));
        return v;
    }
    Words x = loops_over(p, s, 0);
    vec_push(a, &p->out, around(p, &x, copy_to(p, s->loc, v, &x.flat, OP_SET, load_of(p, s->v, x.sub))));
    return v;
}

static Node *within(Put *p, const Words *x, const Source *s, int from, int to, Node *body) {
    Arena *a = p->g->a;
    Expr *lo = expr_op(a, OP_GE, x->flat, whole(p, from), NULL);
    Expr *hi = expr_op(a, OP_LE, x->flat, whole(p, to), NULL);
    if (to < s->words - 1) body = node_if(a, hi, body, NULL);
    return from ? node_if(a, lo, body, NULL) : body;
}

// Words that are set to something else are nobody's.
static void put_lost(Put *p, const Source *s, const Stretch *x) {
    Arena *a = p->g->a;
    for (int w = 0, gaps = 0; w < s->words; w++) {
        int from = w;
        while (w < s->words && (w < x->from || w > x->to) && s->needed[w] && is_changed(p->r, s, w)) w++;
        if (w == from) continue;
        Words loops = loops_over(p, s, 0);
        Array *none = array_new(a, arena_printf(a, "none_%d", ++p->g->fresh), s->v->elem, PLACE_LOCAL, 0);
        Node *set = copy_to(p, s->loc, s->v, loops.sub, OP_SET, expr_load(a, none, NULL));
        bool many = ++gaps > MOST_GAPS;
        set = within(p, &loops, s, many ? 0 : from, many ? s->words - 1 : w - 1, seq_declare(a, set, none));
        vec_push(a, &p->out, around(p, &loops, set));
        if (many) return;
    }
}

static void put_sums(Put *p, const Source *s, const Stretch *x, const Array *was) {
    Arena *a = p->g->a;
    Words loops = loops_over(p, s, x->lo.group > 1 ? x->lo.group : x->hi.group);
    Expr *lo = end_of(p, &loops, x->lo), *hi = expr_add(a, end_of(p, &loops, x->hi), whole(p, 1));
    Node *sums = NULL;
    if (x->lo.group == x->hi.group && x->lo.c == x->hi.c) {
        sums = copy_to(p, s->loc, s->v, loops.sub, OP_SET, load_of(p, was, &lo));
    } else {
        Type t = s->v->elem;
        Sym *k = NEW(a, Sym);
        *k = (Sym){.name = arena_printf(a, "term_%d", ++p->g->fresh), .kind = SYM_ITER, .type = T_I32};
        Expr *at = expr_sym(a, k), *zero = type_is_float(t) ? expr_float(a, t, 0) : expr_int(a, t, 0);
        Node *both[] = {copy_to(p, s->loc, s->v, loops.sub, OP_SET, zero),
                        node_for(a, k, lo, hi, 1, HOW_SERIAL,
                                 copy_to(p, s->loc, s->v, loops.sub, OP_ADD, load_of(p, was, &at)))};
        sums = node_seq(a, 2, both);
    }
    vec_push(a, &p->out, around(p, &loops, within(p, &loops, s, x->from, x->to, sums)));
    p->g->p->added_reals |= type_is_float(s->v->elem);
}

static bool declares(const Node *root, const Array *v) {
    node_each(n, root)
        for (int i = 0; i < n->nlocals; i++)
            if (n->locals[i] == v) return true;
    return false;
}

bool phase_reads(const Node *root, const Array *v) {
    node_each(n, root) copy_each_expr(x, n)
        if (x->kind == E_LOAD && x->array == v) return true;
    return false;
}

static bool is_among(const Node *n, int count, Node *const *kids) {
    for (int i = 0; i < count; i++)
        if (kids[i] == n) return true;
    return false;
}

// Which words of s are read elsewhere, or in the phases when they come again? False: none.
static bool find_needed(const Put *p, int count, Node *const *kids, Source *s) { // kids: as they stand there
    bool some = false, all = false;
    s->needed = NEW_N(p->g->a, bool, s->words + 1);
    for (int i = 0; i < count; i++)
        if (declares(kids[i], s->v)) return false;
    for (int i = 0; i < p->behind.n; i++) all |= phase_reads(p->behind.at[i], s->v);
    node_each(n, p->g->root) {
        if (is_among(n, count, kids)) {
            each_prune();
            continue;
        }
        copy_each_expr(x, n) {
            if (x->kind != E_LOAD || x->array != s->v) continue;
            int w = 0;
            for (int d = 0; d < x->nargs && w >= 0; d++)
                w = x->args[d]->kind == E_INT ? w * s->dim[d] + (int)x->args[d]->i : -1;
            bool one = w >= 0 && w < s->words;
            if (one) s->needed[w] = some = true;
            else all = true;
        }
    }
    all |= p->g->serial && (some || s->was);
    for (int w = 0; all && w < s->words; w++) s->needed[w] = true;
    return some || all;
}

// Sums in the place of the phases; there: with what leaves the block. False: they are too few, or what they
// do is not told.
bool phase_put_sums(Put *p, int n, Node *const *kids, Node *const *there) {
    Run *r = p->r;
    for (int i = 0; i < n && !r->failed; i++) r->kid = kids[i], phase_run(r, kids[i]);
    if (r->failed || r->adds < LEAST_ADDS || n < LEAST_PHASES) return false;
    int all = r->sources.n, found = 0;
    Stretch *x = NEW_N(p->g->a, Stretch, all + 1);
    const Source **of = NEW_N(p->g->a, const Source *, all + 1);
    bool *lives = NEW_N(p->g->a, bool, all + 1);
    for (int again = 0; again < 2; again++) // what others are made of lives, too
        for (int i = 0; i < all; i++) {
            Source *s = &r->sources.at[i];
            if (!s->v || !s->set || lives[i] || !find_needed(p, n, there, s)) continue;
            lives[i] = true;
            of[i] = stretch_of(r, s, &x[i]);
            found += of[i] != NULL;
            if (of[i]) before(p, (Source *)of[i]);
        }
    for (int i = 0; i < all; i++) {
        const Source *s = &r->sources.at[i];
        if (!lives[i]) continue;
        put_lost(p, s, &x[i]);
        if (of[i]) put_sums(p, s, &x[i], of[i]->was);
    }
    return found > 0;
}

