// SPDX-License-Identifier: MIT
// halo.c -- several steps of a stencil in one kernel: tiles that overlap, in shared memory.
//
//   for t                          for p   kernel block ib block jb
//       for i for j v = f(u)   →               su = u, the tile and what lies around it
//       for i for j u = g(v)                   for k  thread … sv = f(su)   thread … su = g(sv)
//                                              w = su, the tile
//                                          kernel … the same from w; u = su, v = sv
//                                  for t   the steps that are left
//
// What lies around a tile is computed by its neighbours, too, a ring less after each loop nest. Blocks of one
// launch must not write what others read, so two launches go together: the first one's results are in
// temporaries. Elements that the steps never write, the border of the matrix, stay where they are.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/storage.h"
#include <string.h>

enum { MOST_STAGES = 6, MOST_HELD = 6, MOST_DIMS = 3, MOST_OFFSETS = 32 };

typedef struct Held { // an array that the steps write
    const Array *array;
    const struct Stage *stage; // that writes it
    bool carried;              // a step reads what the step before has written
    Array *temp;               // what the first launch leaves of it; NULL: it is not carried
    int noffsets;              // where reads lie beside the counters, but for none at all
    int64_t offset[MOST_OFFSETS][MOST_DIMS];
    bool written;        // by a stage before the one that is looked at
    const Array *shared; // where it is in the kernel that is being made
    struct Held *border; // whose elements that no step writes are in its place
} Held;

typedef struct Stage { // a loop nest of a step
    Chain chain;
    bool reads[MOST_HELD];
    Held *copy, *of; // it does no more than copy = of, and may hand the place over; NULL: it does more
    int64_t reach[MOST_DIMS]; // how far its reads of held arrays lie beside
    int64_t ring[MOST_DIMS];  // that of all up to it
} Stage;

typedef struct Halo {
    Change *ch;
    Arena *a;
    Node *time;
    int64_t by; // steps a launch
    int d;
    int64_t period; // after so many steps arrays are in their places again
    int nstages, nheld;
    Stage stage[MOST_STAGES];
    Held held[MOST_HELD];
    int64_t region[MOST_DIMS], threads[MOST_DIMS], tile[MOST_DIMS], side[MOST_DIMS]; // side: of the halo
    Expr *lo[MOST_DIMS], *hi[MOST_DIMS];                                             // of the stages' loops
    Expr *origin[MOST_DIMS]; // of the block's region, in the kernel that is being made
} Halo;

// ---- what the steps do -----------------------------------------------------------------------------
static Held *held(Halo *h, const Array *x) {
    for (int i = 0; i < h->nheld; i++)
        if (h->held[i].array == x) return &h->held[i];
    return NULL;
}

static bool note_offset(Halo *h, Held *x, const int64_t *at) {
    bool none = true;
    for (int d = 0; d < h->d; d++) none &= at[d] == 0;
    for (int i = 0; i < x->noffsets && !none; i++)
        none = memcmp(x->offset[i], at, sizeof *at * (size_t)h->d) == 0;
    if (none) return true;
    if (x->noffsets == MOST_OFFSETS)
        return change_refuse(h->ch, "it reads %s in many places", x->array->name);
    memcpy(x->offset[x->noffsets++], at, sizeof *at * (size_t)h->d);
    return true;
}

// Subscripts that are the stage's counters in their order, and a number each.
static bool is_beside(const Halo *h, const Stage *s, const Access *x, int64_t *at) {
    for (int d = 0; d < h->d; d++) {
        int64_t coef[MOST_DIMS];
        const Sym *counter[MOST_DIMS];
        Expr *base;
        for (int k = 0; k < h->d; k++) counter[k] = s->chain.loop[k]->iter;
        if (!affine_split(h->a, x->sub[d], h->d, counter, coef, &base) || base->kind != E_INT) return false;
        for (int k = 0; k < h->d; k++)
            if (coef[k] != (k == d)) return false;
        at[d] = base->i;
    }
    return true;
}

typedef struct Look {
    Halo *h;
    Stage *s;
    bool writes, fits;
} Look;

static void look_at(Look *l, const Node *n) {
    Halo *h = l->h;
    if (n->kind != N_STMT) {
        bool plain = n->kind == N_SEQ || (n->kind == N_IF && !expr_has_load(n->cond));
        l->fits = l->fits && (plain || change_refuse(h->ch, "%s holds more than statements",
                                                     l->s->chain.loop[0]->iter->name));
        return;
    }
    AccessVec v = node_accesses(h->a, n);
    for (int i = 0; i < v.n && l->fits; i++) {
        const Access *x = &v.at[i];
        Held *e = held(h, x->array);
        int64_t at[MOST_DIMS] = {0};
        if (l->writes != x->write || x->array->place == PLACE_LOCAL || (!x->write && !e)) continue;
        if (x->array->rank != h->d || !is_beside(h, l->s, x, at)) {
            l->fits = change_refuse(h->ch, "%s is touched in other places than beside its counters",
                                    x->array->name);
            return;
        }
        if (x->write) {
            bool here = true;
            for (int d = 0; d < h->d; d++) here &= at[d] == 0;
            if (!here || e || h->nheld == MOST_HELD)
                l->fits = change_refuse(h->ch, "%s is written in several places", x->array->name);
            else h->held[h->nheld++] = (Held){.array = x->array, .stage = l->s, .carried = x->read};
            continue;
        }
        l->fits = note_offset(h, e, at);
        for (int d = 0; d < h->d; d++) {
            int64_t far = at[d] < 0 ? -at[d] : at[d];
            if (far > l->s->reach[d]) l->s->reach[d] = far;
        }
        e->carried |= !e->written;
        l->s->reads[e - h->held] = true;
    }
}

static bool is_branch(const Node *n) { return n->kind == N_IF; }

// What a stage under no condition has written it does not read from the step before.
static void note_written(Halo *h, const Stage *s) {
    for (int i = 0; i < h->nheld; i++)
        h->held[i].written |= h->held[i].stage == s && !node_any(s->chain.body, is_branch);
}

// ---- copies -----------------------------------------------------------------------------------
//   for i, j v = f(u)  for i, j u = v      v's place in shared memory becomes u's, u's becomes v's
//
// Nobody may read v until it is written anew, and elements that no step writes may be read of one array
// alone.
static bool is_copy(Halo *h, Stage *s) {
    Node *n = unwrap(s->chain.body);
    const Expr *from = n->kind == N_STMT && n->stmt->op == OP_SET ? n->stmt->rhs : NULL;
    s->of = from && from->kind == E_LOAD ? held(h, from->array) : NULL;
    s->copy = s->of ? held(h, n->stmt->lhs) : NULL;
    for (int d = 0; s->of && d < h->d; d++) s->of = s->reach[d] ? NULL : s->of;
    if (!s->of || s->of == s->copy) return false;
    for (int i = 1; i < h->nstages; i++) {
        const Stage *t = &h->stage[(s - h->stage + i) % h->nstages];
        if (t->reads[s->of - h->held]) return false;
        if (t == s->of->stage) return true;
    }
    return false;
}

static void swap(Held *x, Held *y) {
    const Array *shared = x->shared;
    x->shared = y->shared;
    y->shared = shared;
}

// After how many steps is all in place again?
static int64_t period(Halo *h) {
    const Array *own[MOST_HELD];
    int64_t steps = 0;
    for (int i = 0; i < h->nheld; i++) own[i] = h->held[i].shared = h->held[i].array;
    for (bool same = false; !same; steps++) {
        for (int i = 0; i < h->nstages; i++)
            if (h->stage[i].of) swap(h->stage[i].copy, h->stage[i].of);
        same = true;
        for (int i = 0; i < h->nheld; i++) same &= h->held[i].shared == own[i];
    }
    return steps;
}

static void forget_copies(Halo *h) {
    for (int i = 0; i < h->nstages; i++) h->stage[i].of = NULL;
    for (int i = 0; i < h->nheld; i++) h->held[i].border = &h->held[i];
    h->period = 1;
}

static void find_copies(Halo *h) {
    bool apart = true;
    forget_copies(h);
    for (int i = 0; i < h->nstages; i++)
        if (!is_copy(h, &h->stage[i])) h->stage[i].of = NULL;
    for (int i = 0; i < h->nstages; i++) {
        Stage *s = &h->stage[i];
        if (!s->of) continue;
        Held *x = s->copy->border, *y = s->of->border;
        apart &= x == y || !x->noffsets || !y->noffsets;
        for (int k = 0; k < h->nheld; k++)
            if (h->held[k].border == x || h->held[k].border == y) h->held[k].border = x->noffsets ? x : y;
    }
    h->period = period(h);
    if (!apart || h->by % h->period) forget_copies(h);
}

static bool is_stage(Halo *h, Node *n) {
    Chain c = chain_of(n);
    if (!c.n || (h->d && c.n != h->d) || c.n > MOST_DIMS || h->nstages == MOST_STAGES) return false;
    h->d = c.n;
    for (int d = 0; d < c.n; d++) {
        const Node *l = c.loop[d];
        if (l->step != 1 || expr_uses_iters(l->lo) || expr_uses_iters(l->hi) || loop_while(l)) return false;
        if (!h->nstages) h->lo[d] = l->lo, h->hi[d] = l->hi;
        if (!expr_equal(l->lo, h->lo[d]) || !expr_equal(l->hi, h->hi[d])) return false;
    }
    h->stage[h->nstages++] = (Stage){.chain = c};
    return true;
}

static bool find_stages(Halo *h) {
    Change *ch = h->ch;
    Node *body = unwrap(h->time->body);
    bool fits = h->time->step == 1 && !loop_while(h->time) && (body->kind != N_SEQ || !body->nlocals);
    for (int i = 0; fits && i < (body->kind == N_SEQ ? body->nkids : 1); i++)
        fits = is_stage(h, body->kind == N_SEQ ? body->kids[i] : body);
    if (!fits || !h->nstages)
        return change_refuse(ch, "%s holds more than loop nests over the same points", h->time->iter->name);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < h->nstages; i++) {
            Look l = {h, &h->stage[i], pass == 0, true};
            node_each(n, h->stage[i].chain.body) look_at(&l, n);
            if (!l.fits) return false;
            if (pass) note_written(h, &h->stage[i]);
        }
    int64_t ring[MOST_DIMS] = {0}, any = 0;
    for (int i = 0; i < h->nstages; i++)
        for (int d = 0; d < h->d; d++) {
            any |= h->stage[i].reach[d];
            h->stage[i].ring[d] = ring[d] += h->stage[i].reach[d];
        }
    for (int d = 0; d < h->d; d++) h->side[d] = h->by * ring[d];
    if (!any) return change_refuse(ch, "no step reads what lies beside a point");
    find_copies(h);
    return true;
}

static bool find_tile(Halo *h) {
    Change *ch = h->ch;
    int64_t all = 1;
    if (change_ints(ch, "region", h->region, MOST_DIMS) != h->d ||
        change_ints(ch, "threads", h->threads, MOST_DIMS) != h->d)
        return change_refuse(ch, "region= and threads= have a number for each of the %d loops", h->d);
    for (int d = 0; d < h->d; d++) {
        h->tile[d] = h->region[d] - 2 * h->side[d];
        all *= h->threads[d];
        if (h->region[d] % h->threads[d]) return change_refuse(ch, "threads= does not divide region=");
        if (h->tile[d] < 1)
            return change_refuse(ch, "the region has no room for %lld steps", (long long)h->by);
    }
    if (all > 1024) return change_refuse(ch, "a block may have 1024 threads");
    return true;
}

// ---- expressions --------------------------------------------------------------------------------------
static Expr *num(const Halo *h, Type t, int64_t v) { return expr_int(h->a, t, v); }
static Type dim_type(const Halo *h, int d) { return counter_type(h->stage[0].chain.loop[d]); }
static Expr *less(const Halo *h, Expr *x, Expr *y) {
    return expr_op(h->a, OP_LT, x, expr_cast(h->a, x->type, y), NULL);
}
static Expr *least(const Halo *h, Expr *x, Expr *y) {
    return expr_op(h->a, OP_LE, expr_cast(h->a, y->type, x), y, NULL);
}

// lo + off <= x < hi + off in dimension d.
static Expr *in_loop(const Halo *h, int d, Expr *x, int64_t off) {
    Expr *o = num(h, x->type, off), *lo = expr_cast(h->a, x->type, h->lo[d]),
         *hi = expr_cast(h->a, x->type, h->hi[d]);
    return cond_and(h->a, least(h, expr_add(h->a, lo, o), x), less(h, x, expr_add(h->a, hi, o)));
}

static Expr *in_loops_at(const Halo *h, Expr *const *x, const int64_t *off) {
    Expr *all = NULL;
    for (int d = 0; d < h->d; d++) all = cond_and(h->a, all, in_loop(h, d, x[d], off ? off[d] : 0));
    return all;
}

// Where some read of the array lies.
static Expr *is_read(const Halo *h, const Held *e, Expr *const *x) {
    Expr *any = NULL;
    for (int i = 0; i < e->noffsets; i++) {
        Expr *one = in_loops_at(h, x, e->offset[i]);
        any = any ? expr_op(h->a, OP_LOR, any, one, NULL) : one;
    }
    return any;
}

// Where an element of an array lies in the block's region.
static Expr **in_region(const Halo *h, Expr *const *at) {
    Expr **sub = NEW_N(h->a, Expr *, h->d);
    for (int d = 0; d < h->d; d++)
        sub[d] = expr_sub(h->a, expr_cast(h->a, h->origin[d]->type, at[d]), h->origin[d]);
    return sub;
}

// ---- a kernel -------------------------------------------------------------------------------------------
// Elements of the array that come in from `from`: those that steps write, or those that they read and never
// write, of which most blocks have none.
static Node *come_in(Halo *h, const Held *e, const Array *from, const Array *to, bool written) {
    Arena *a = h->a;
    const Sym *k[MOST_DIMS];
    Expr *at[MOST_DIMS], *inside = NULL;
    for (int d = 0; d < h->d; d++) {
        Type t = h->origin[d]->type;
        k[d] = iter_fresh(&h->ch->names, "x", T_I32);
        at[d] = expr_add(a, h->origin[d], expr_cast(a, t, expr_sym(a, k[d])));
        Expr *end = expr_add(a, h->origin[d], num(h, t, h->region[d]));
        inside = cond_and(a, inside, least(h, expr_cast(a, t, h->lo[d]), h->origin[d]));
        inside = cond_and(a, inside, least(h, end, expr_cast(a, t, h->hi[d])));
    }
    Expr *read = is_read(h, e, at), *here = in_loops_at(h, at, NULL);
    if (!written && !read) return NULL;
    Node *n = node_copy(a, to, in_region(h, at), OP_SET, expr_load(a, from, at));
    n->async = true;
    n = written ? node_if(a, here, n, NULL)
                : node_if(a, cond_and(a, expr_op(a, OP_LNOT, here, NULL, NULL), read), n, NULL);
    for (int d = h->d - 1; n && d >= 0; d--)
        n = node_for(a, k[d], num(h, T_I32, 0), num(h, T_I32, h->region[d]), 1, HOW_COOP, n);
    return written ? n : node_if(a, expr_op(a, OP_LNOT, inside, NULL, NULL), n, NULL);
}

static Expr *most(const Halo *h, Expr *x, Expr *y, Op op) {
    return expr_op(h->a, op, x, expr_cast(h->a, x->type, y), NULL);
}

// The points of a region less a ring, by the threads: in the last dimension neighbours, in the others some
// next to each other, which have reads in common.
static Node *points(Halo *h, Expr *const *ring, Node *(*make)(Halo *, Expr **, const void *),
                    const void *arg) {
    Arena *a = h->a;
    Node *loop[MOST_DIMS], *thread[MOST_DIMS];
    Expr *at[MOST_DIMS], *there = NULL;
    int last = h->d - 1;
    for (int d = 0; d < h->d; d++) {
        Type t = h->origin[d]->type;
        Expr *none = num(h, t, 0), *per = num(h, t, h->region[d] / h->threads[d]),
             *all = num(h, t, h->region[d]);
        Expr *from = expr_cast(a, t, ring[d]), *to = expr_sub(a, all, from);
        const Sym *number = iter_fresh(&h->ch->names, "t", T_I32), *r = iter_fresh(&h->ch->names, "r", t);
        thread[d] = node_for(a, number, num(h, T_I32, 0), num(h, T_I32, h->threads[d]), 1, HOW_THREAD, NULL);
        Expr *mine = expr_cast(a, t, expr_sym(a, number)), *i = expr_sym(a, r);
        if (d == last) {
            Expr *place = expr_add(a, mine, expr_mul(a, i, num(h, t, h->threads[d])));
            at[d] = expr_add(a, h->origin[d], place);
            there = cond_and(a, least(h, from, place), less(h, place, to));
            there = cond_and(a, there, in_loop(h, d, at[d], 0));
            loop[d] = node_for(a, r, none, per, 1, HOW_UNROLL, NULL);
            continue;
        }
        Expr *first = expr_mul(a, mine, per), *end = expr_add(a, first, per);
        at[d] = expr_add(a, h->origin[d], i);
        first = most(h, most(h, first, from, OP_MAX), expr_sub(a, expr_cast(a, t, h->lo[d]), h->origin[d]),
                     OP_MAX);
        end = most(h, most(h, end, to, OP_MIN), expr_sub(a, expr_cast(a, t, h->hi[d]), h->origin[d]), OP_MIN);
        loop[d] = node_for(a, r, first, end, 1, HOW_SERIAL, NULL);
        if (d == last - 1) loop[d]->unroll = (int)per->i;
    }
    Node *n = make(h, at, arg);
    if (last) n = node_around(a, loop[last - 1], n);
    n = node_around(a, loop[last], node_if(a, there, n, NULL));
    for (int d = last - 2; d >= 0; d--) n = node_around(a, loop[d], n);
    for (int d = last; d >= 0; d--) n = node_around(a, thread[d], n);
    return n;
}

typedef struct Turn {
    const Stage *stage;
    Expr *step; // the time loop's counter
} Turn;

typedef struct Aim {
    const Halo *h;
    const Array *shared;
} Aim;

static bool to_shared(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const Aim *x = arg;
    *to = x->shared;
    *sub = in_region(x->h, s->sub);
    return true;
}

static Node *stage_at(Halo *h, Expr **at, const void *arg) {
    const Turn *t = arg;
    const Chain *c = &t->stage->chain;
    const Sym *from[MOST_DIMS + 1] = {h->time->iter};
    Expr *to[MOST_DIMS + 1] = {t->step};
    for (int d = 0; d < h->d; d++)
        from[d + 1] = c->loop[d]->iter, to[d + 1] = expr_cast(h->a, c->loop[d]->iter->type, at[d]);
    Node *n = node_subst(h->a, c->body, h->d + 1, from, to);
    for (int i = 0; i < h->nheld; i++) {
        Aim x = {h, h->held[i].shared};
        n = accesses_edit(h->a, n, h->held[i].array, to_shared, &x);
    }
    return n;
}

static Node *results_at(Halo *h, Expr **at, const void *arg) {
    const bool *last = arg;
    Node *kid[MOST_HELD];
    int n = 0;
    for (int i = 0; i < h->nheld; i++) {
        const Held *e = &h->held[i];
        if (!*last && !e->temp) continue;
        kid[n++] = node_copy(h->a, *last ? e->array : e->temp, at, OP_SET,
                             expr_load(h->a, e->shared, in_region(h, at)));
    }
    return node_seq(h->a, n, kid);
}

// Step `number` behind `first`, behind what is in `all`. plain: copies are made, for both arrays are wanted;
// else they say that what is in one place is the other array now.
static Node *turn(Halo *h, Node *all, Expr *first, Expr *number, bool plain) {
    Arena *a = h->a;
    for (int i = 0; i < h->nstages; i++) {
        Stage *s = &h->stage[i];
        Expr *ring[MOST_DIMS];
        Turn turn = {s, expr_add(a, first, expr_cast(a, first->type, number))};
        for (int d = 0; d < h->d; d++)
            ring[d] = expr_add(a, expr_mul(a, number, num(h, T_I32, h->side[d] / h->by)),
                               num(h, T_I32, s->ring[d]));
        const Array *spare = NULL;
        if (s->of && !plain) swap(s->copy, s->of), spare = s->of->shared, s->of->shared = s->copy->shared;
        all = seq_splice(a, all, all->nkids, 0, 1, (Node *[]){points(h, ring, stage_at, &turn)});
        if (spare) s->of->shared = spare;
    }
    return all;
}

// `by` steps from number `first` on. last: all that they write is wanted.
static Node *turns(Halo *h, Expr *first, bool last) {
    Arena *a = h->a;
    const Sym *k = iter_fresh(&h->ch->names, "k", T_I32);
    Node *all = node_seq(a, 0, NULL);
    int64_t p = h->period, rounds = h->by / p - (last && p > 1);
    for (int64_t i = 0; i < p; i++) {
        Expr *number = expr_mul(a, expr_sym(a, k), num(h, T_I32, p));
        all = turn(h, all, first, expr_add(a, number, num(h, T_I32, i)), false);
    }
    all = node_for(a, k, num(h, T_I32, 0), num(h, T_I32, rounds), 1, HOW_SERIAL, all);
    all = node_seq(a, rounds > 0, (Node *[]){all});
    for (int64_t i = rounds * p; i < h->by; i++) all = turn(h, all, first, num(h, T_I32, i), i == h->by - 1);
    return all;
}

// The kernel of the steps from number `first` on. last: the second of two launches.
static Node *launch(Halo *h, Expr *first, bool last) {
    Arena *a = h->a;
    Change *ch = h->ch;
    Node *block[MOST_DIMS], *kid[2 * MOST_HELD + 2];
    Expr *ring[MOST_DIMS];
    int n = 0;
    for (int d = 0; d < h->d; d++) {
        Type t = dim_type(h, d);
        Expr *lo = expr_cast(a, t, h->lo[d]), *span = expr_sub(a, expr_cast(a, t, h->hi[d]), lo);
        const Sym *b =
            iter_fresh(&ch->names, arena_printf(a, "%sb", h->stage[0].chain.loop[d]->iter->name), t);
        Expr *blocks =
            expr_op(a, OP_FDIV, expr_add(a, span, num(h, t, h->tile[d] - 1)), num(h, t, h->tile[d]), NULL);
        block[d] = node_for(a, b, num(h, t, 0), blocks, 1, HOW_BLOCK, NULL);
        h->origin[d] = expr_add(a, expr_mul(a, expr_sym(a, b), num(h, t, h->tile[d])),
                                expr_sub(a, lo, num(h, t, h->side[d])));
    }
    const Array *own[MOST_HELD];
    for (int i = 0; i < h->nheld; i++) {
        const Array *x = h->held[i].array;
        const char *name = name_fresh(&ch->names, arena_printf(a, "%s_s", x->name));
        Array *s = array_new(a, name, x->elem, PLACE_SHARED, h->d);
        for (int d = 0; d < h->d; d++) s->extent[d] = num(h, T_I32, h->region[d]);
        own[i] = h->held[i].shared = s;
    }
    for (int i = 0; i < h->nheld; i++) {
        const Held *e = &h->held[i];
        if (e->temp) kid[n++] = come_in(h, e, last ? e->temp : e->array, own[i], true);
        Node *border = come_in(h, e->border, e->border->array, own[i], false);
        if (border) kid[n++] = border;
    }
    kid[n++] = turns(h, first, last);
    for (int d = 0; d < h->d; d++) ring[d] = num(h, T_I32, h->side[d]);
    kid[n++] = points(h, ring, results_at, &last);
    Node *all = node_seq(a, n, kid);
    for (int i = 0; i < h->nheld; i++) all = seq_declare(a, all, own[i]);
    for (int d = h->d - 1; d >= 0; d--) all = node_around(a, block[d], all);
    return node_kernel(a, name_fresh(&ch->names, ch->nest->region->name), all);
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Halo h = {.ch = ch, .a = a, .by = change_int(ch, "by")};
    if (!str_eq(ch->nest->target, "gpu")) return change_refuse(ch, "blocks of a GPU have shared memory");
    if (!(h.time = loop_outside(ch, ch->step->words[0])) || !find_stages(&h) || !find_tile(&h)) return NULL;
    const Array *temps[MOST_HELD];
    int ntemps = 0;
    for (int i = 0; i < h.nheld; i++) {
        Held *e = &h.held[i];
        if (!e->carried) continue;
        const char *name = change_name(ch, arena_printf(a, "%s_w", e->array->name));
        e->temp = array_new(a, name, e->array->elem, PLACE_TEMP, h.d);
        for (int d = 0; d < h.d; d++)
            e->temp->extent[d] = expr_op(a, OP_MAX, expr_cast(a, T_I64, h.hi[d]), num(&h, T_I64, 0), NULL);
        temps[ntemps++] = e->temp;
    }
    Type t = h.time->iter->type;
    Expr *pair = num(&h, t, 2 * h.by), *lo = h.time->lo;
    Expr *pairs = expr_op(a, OP_FDIV, expr_sub(a, h.time->hi, lo), pair, NULL);
    pairs = expr_op(a, OP_MAX, pairs, num(&h, t, 0), NULL);
    const Sym *p = iter_fresh(&ch->names, arena_printf(a, "%sp", h.time->iter->name), t);
    Expr *first = expr_add(a, lo, expr_mul(a, expr_sym(a, p), pair));
    Node *two[2] = {launch(&h, first, false), launch(&h, expr_add(a, first, num(&h, t, h.by)), true)};
    Node *rest = node_clone(a, h.time);
    rest->lo = expr_add(a, lo, expr_mul(a, pairs, pair));
    Node *parts[2] = {node_for(a, p, num(&h, t, 0), pairs, 1, HOW_SERIAL, node_seq(a, 2, two)), rest};
    parts[0]->graph = true;
    return change_done(ch, root_with_temps(a, ch->nest->root, h.time, node_seq(a, 2, parts), ntemps, temps));
}

static const Knob knobs[] = {
    {"by", "steps a launch", KNOB_INT, 1, 32, NULL, NULL},
    {"region", "points that a block has in shared memory, in each loop's direction", KNOB_INTS, 1, 1024, NULL,
     NULL},
    {"threads", "of a block", KNOB_INTS, 1, 1024, NULL, NULL},
};

static void find_halo(Finder *f) { find_loops(f, loop_holds_several, "halo %1 by=2 region=64 threads=32"); }

#define STEPS \
    "sculpt 1 region steps sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" " \
    "array x[n]: f64 = \"x\" live array y[n]: f64 = \"y\" live do { for t: i32 = 0 .. steps { " \
    "for i: i32 = 1 .. n - 1 S0[t, i] for k: i32 = 1 .. n - 1 S1[t, k] } } " \
    "stmt S0[t, i]: y[i] = x[i - 1] - x[i + 1] stmt S1[t, k]: x[k] = y[k] }"
// Two of four neighbours, there and back; what lies around belongs to others.
#define PLANES \
    "sculpt 1 region planes sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" " \
    "array x[?][n]: f32 = \"x\" live array y[?][n]: f32 = \"y\" live do { for t: i32 = 0 .. steps { " \
    "for i: i32 = 1 .. n - 1 for j: i32 = 1 .. n - 1 S0[t, i, j] " \
    "for k: i32 = 1 .. n - 1 for l: i32 = 1 .. n - 1 S1[t, k, l] } } " \
    "stmt S0[t, i, j]: y[i][j] = x[i - 1][j] + x[i][j + 1] stmt S1[t, k, l]: x[k][l] = y[k + 1][l] - " \
    "y[k][l - 1] }"
// Three arrays change places by copies.
#define PLACES \
    "sculpt 1 region places sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" array x[n]: f32 = " \
    "\"x\" live " \
    "array y[n]: f32 = \"y\" live array z[n]: f32 = \"z\" live do { for t: i32 = 0 .. steps { " \
    "for i: i32 = 1 .. n - 1 S0[t, i] for k: i32 = 1 .. n - 1 S1[t, k] for l: i32 = 1 .. n - 1 S2[t, l] } " \
    "} " \
    "stmt S0[t, i]: z[i] = y[i - 1] + y[i + 1] - x[i] stmt S1[t, k]: x[k] = y[k] stmt S2[t, l]: y[l] = " \
    "z[l] }"

static const RuleExample examples[] = {
    {STEPS, "", "halo t by=2 region=32 threads=8", NULL},
    {PLANES, "", "halo t by=1 region=16,32 threads=2,8", NULL},
    {PLACES, "", "halo t by=3 region=32 threads=8", NULL},
    {PLANES, "", "halo t by=1 region=256,256 threads=4,128", NULL}, // that there is room the machine says
    {PLANES, "", "halo t by=2 region=8,32 threads=2,8", "no room"},
    {PLANES, "", "halo t by=1 region=16 threads=8", "for each of the 2 loops"},
    {EXAMPLE_SEIDEL, "", "halo t by=1 region=32 threads=32", "change the meaning"},
    {EXAMPLE_CHAIN, "", "halo i by=1 region=32 threads=32", "more than loop nests"},
    {0},
};

const Rule halo_rule = {
    .name = "halo",
    .usage = "halo LOOP by=STEPS region=N,… threads=N,…",
    .summary = "Takes several steps of a stencil in one kernel: tiles in shared memory that overlap, so that "
               "what lies around them is computed again by each.",
    .picture = "for t                      for p  kernel block ib  su = u, with what lies around\n"
               "    for i  v = f(u)   →                for k  thread …  sv = f(su)  su = g(sv)\n"
               "    for i  u = g(v)                    u = su\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_halo,
    .examples = examples,
};
