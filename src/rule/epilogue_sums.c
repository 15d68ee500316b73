// SPDX-License-Identifier: MIT
// epilogue_sums.c -- sums that meet memory from the shared memory in which their chunks were added up.
//
//   thread y, x { for v  acc[v] += sum[y][x][v] }             thread y, x { for v  sum[y][x][v] += acc[v] }
//   thread y, x { for v  if (…)  a[…] += acc[v] }        →    thread x, v { old[8]
//                                                                 for y  if (…)  old[y] = a[…]
//                                                                 for y  if (…)  old[y] += sum[y][x][v]
//                                                                 for y  if (…)  a[…] = old[y] }
//
// The loops that move along a row of `a` become the threads, the fastest innermost, so that threads side by
// side touch words side by side; the others are left to each thread, which reads many elements before it
// writes one. Nothing waits in between but for the one barrier before the sums are read.
#include "rule/epilogue.h"
#include "rule/linear.h"

enum { MOST_LOOPS = 16, MOST_READ = 64 }; // elements that a thread reads at a time

typedef struct Deal {
    Through t;
    const Array *sums;
    Node *adding;                       // acc += sum
    Expr **place;                       // its subscripts of the sums, over the loops around the other copy
    int n, nthreads;                    // loops of all elements; the first are threads
    const Node *loop[MOST_LOOPS];       // threads: the fastest last; the others, as they were
    int64_t trips[MOST_LOOPS], move[MOST_LOOPS]; // move: words of a row that an iteration goes
} Deal;

// ---- what is there ---------------------------------------------------------------------------------

// Every register has one place in the sums: the copy names them with counters alone, as the other does.
static bool find_places(Deal *d) {
    const Array *acc = d->t.copy->src->array;
    node_each(c, d->t.ch->nest->root)
        if (c->kind == N_COPY && c->dst == acc && c->op == d->t.copy->op && c->src->kind == E_LOAD &&
            c->src->array == d->sums)
            d->adding = c;
    if (!d->adding)
        return change_refuse(d->t.ch, "%s holds no second sums that are added to %s; see chunk",
                             d->sums->name, acc->name);
    const Sym *from[MOST_LOOPS];
    Expr *to[MOST_LOOPS];
    int n = 0;
    for (int k = 0; k < acc->rank; k++) {
        const Expr *x = d->adding->sub[k];
        if (x->kind == E_INT) continue; // the only element
        if (x->kind != E_SYM || n == MOST_LOOPS)
            return change_refuse(d->t.ch, "the elements of %s are not named by counters", acc->name);
        from[n] = x->sym;
        to[n++] = d->t.copy->src->args[k];
    }
    d->place = NEW_N(d->t.a, Expr *, d->sums->rank + 1);
    for (int k = 0; k < d->sums->rank; k++)
        d->place[k] = expr_subst(d->t.a, d->adding->src->args[k], n, from, to);
    return true;
}

static bool take_loops(Deal *d, int n, const Node *const *loop) {
    Linear row;
    if (!linear_of(d->t.copy->sub[d->t.copy->dst->rank - 1], &row))
        return change_refuse(d->t.ch, "where a row goes can't be told");
    for (int i = 0; i < n; i++, d->n++) {
        if (d->n == MOST_LOOPS) return change_refuse(d->t.ch, "there are too many loops");
        d->loop[d->n] = loop[i];
        d->move[d->n] = linear_coef(&row, loop[i]->iter);
        if (!loop_constant(loop[i], &d->trips[d->n]) || !expr_is_int(loop[i]->lo, 0) || d->move[d->n] < 0)
            return change_refuse(d->t.ch, "%s does not go up from 0 by a constant number of iterations",
                                 loop[i]->iter->name);
    }
    return true;
}

// ---- who does what ---------------------------------------------------------------------------------
// Before the others: what a thread keeps for itself. Then rows, the fastest last.
static bool is_behind(const Deal *d, int i, int j) {
    return d->move[i] && (!d->move[j] || d->move[i] < d->move[j]);
}

static void swap(Deal *d, int i, int j) {
    const Node *loop = d->loop[i];
    int64_t trips = d->trips[i], move = d->move[i];
    d->loop[i] = d->loop[j], d->trips[i] = d->trips[j], d->move[i] = d->move[j];
    d->loop[j] = loop, d->trips[j] = trips, d->move[j] = move;
}

// All loops in the order of their words, and of these from the end as many as there are threads.
static bool deal(Deal *d) {
    int64_t threads = 1, dealt = 1;
    for (int i = 0; i < d->n; i++)
        for (int j = i; j > 0 && is_behind(d, j - 1, j); j--) swap(d, j - 1, j);
    for (int i = 0; i < d->t.nthreads; i++) {
        int64_t trips;
        loop_constant(d->t.thread[i], &trips);
        threads *= trips;
    }
    int from = d->n;
    while (from > 0 && dealt * d->trips[from - 1] <= threads) dealt *= d->trips[--from];
    if (dealt != threads)
        return change_refuse(d->t.ch, "the elements of %s can't be dealt to %d threads", d->sums->name,
                             (int)threads);
    d->nthreads = d->n - from;
    return true;
}

// ---- the phase --------------------------------------------------------------------------------------
static Node *loops(const Deal *d, int from, int to, How how, Node *body) {
    for (int i = to - 1; i >= from; i--) {
        body = node_around(d->t.a, d->loop[i], body);
        body->how = how;
    }
    return body;
}

static Node *one(const Deal *d, int from, const Array *to, Expr *const *sub, Op op, Expr *what) {
    Node *n = node_copy(d->t.a, to, sub, op, what);
    if (d->t.cond) n = node_if(d->t.a, d->t.cond, n, NULL);
    return loops(d, from, d->n - d->nthreads, HOW_UNROLL, n);
}

// Everything is done by the threads of a phase that has the loops' counters as its digits.
static Node *phase(const Deal *d) {
    Arena *a = d->t.a;
    const Node *c = d->t.copy;
    int own = d->n - d->nthreads, from = own;
    int64_t all = 1;
    while (from > 0 && all * d->trips[from - 1] <= MOST_READ) all *= d->trips[--from];
    Array *old = array_new(a, change_name(d->t.ch, "old"), c->dst->elem, PLACE_LOCAL, own - from);
    Expr **at = NEW_N(a, Expr *, own - from + 1);
    for (int i = from; i < own; i++) {
        old->extent[i - from] = expr_int(a, T_I32, d->trips[i]);
        at[i - from] = expr_sym(a, d->loop[i]->iter);
    }
    Node *kids[3] = {
        one(d, from, old, at, OP_SET, expr_load(a, c->dst, c->sub)),
        change_copy(d->t.ch, one(d, from, old, at, c->op, expr_load(a, d->sums, d->place))),
        change_copy(d->t.ch, one(d, from, c->dst, c->sub, OP_SET, expr_load(a, old, at))),
    };
    Node *three = seq_declare(a, node_seq(a, 3, kids), old);
    return loops(d, own, d->n, HOW_THREAD, loops(d, 0, from, HOW_UNROLL, three));
}

Nest *epilogue_sums(Change *ch, const Path *p, const Node *all, const Array *sums) {
    Deal d = {.t = {.ch = ch, .a = ch->a, .copy = p->node[p->n - 1]}, .sums = sums};
    if (d.t.copy->dst->rank < 1) return change_refuse(ch, "%s is no array", d.t.copy->dst->name);
    if (!epilogue_parts(&d.t, p, all) || !find_places(&d)) return NULL;
    if (!take_loops(&d, d.t.nouter, d.t.outer) || !take_loops(&d, d.t.nthreads, d.t.thread) ||
        !take_loops(&d, d.t.ninner, d.t.inner) || !deal(&d))
        return NULL;
    const Node *add = d.adding;
    Node *root =
        node_replace(ch->a, ch->nest->root, add,
                     node_copy(ch->a, sums, add->src->args, add->op, expr_load(ch->a, add->dst, add->sub)));
    Node *rows = phase(&d);
    root = node_replace(ch->a, root, d.t.top, rows);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, rows));
}
