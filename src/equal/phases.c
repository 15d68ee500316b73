// SPDX-License-Identifier: MIT
// phases.c -- what the threads of a block add up between them, as one sum each.
//
//   for o = 1, 2, 4, … 64 { if (t >= o) v = s[t - o];  barrier;  s[t] += v;  barrier }
//   →  was[k] = s[k];  s[t] = 0;  for k = 0 .. t + 1 { s[t] += was[k] }
//
// Phases that copy and add words of the block's memory, and ask nothing but threads' numbers, can be run:
// each word is then a set of words that were there before. Where these sets are stretches whose ends hang on
// the word's number, or that of its group, sums over them stand in the phases' place. However the phases got
// there (doubling offsets, a tree up and down, lanes, two buffers), the proof sees the same.
//
// Threads must not meet in a phase; that, and what is accessed, is looked at in the phases themselves.
#include "equal/phases.h"

// ---- what leaves the block meanwhile -----------------------------------------------------------------
//   if (t == 0) { sums[b] = s[127];  s[127] = 0; }   →   if (t == 0) { left[t] = s[127];  s[127] = 0; }
//                                                        and behind all phases  if (t == 0) sums[b] = left[t]
typedef struct Leaving {
    Run *r;
    VEC(const Node *) loops; // around
    SymVec iters;
    ArrayVec *locals;
    NodeVec stays; // the copies that take the words' place
    VEC(const Array *) left; // where what leaves is kept…
    VEC(const Node *) copies; // …of these
    int *fresh;
    bool later; // it is what comes behind that is made
} Leaving;

static bool leaves(const Leaving *l, const Node *n) {
    bool out = n->kind == N_COPY && n->dst && n->dst != l->r->p->barrier && !phase_is_block_memory(n->dst);
    if (!out || n->atomic || n->async || n->op != OP_SET || n->src->type != n->dst->elem) return false;
    for (int d = 0; d < n->dst->rank; d++)
        if (phase_reads_block(n->sub[d])) return false;
    bool sum = phase_reads_block(n->src) && phase_is_linear(n->src, &l->iters);
    return sum && phase_is_added(l->r, n->dst->elem);
}

// Is all that n does such copies?
static bool only_leaves(const Leaving *l, const Node *n) {
    if (n->kind == N_IF) return !n->other && !phase_reads_block(n->cond) && only_leaves(l, n->then);
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++)
        if (!only_leaves(l, n->kids[i])) return false;
    return n->kind == N_SEQ ? n->nkids > 0 && !n->nlocals : leaves(l, n);
}

static Node *kept(Leaving *l, const Node *n) {
    Arena *a = l->r->a;
    int k = 0;
    while (k < l->copies.n && l->copies.at[k] != n) k++;
    Expr **at = NEW_N(a, Expr *, l->loops.n + 1);
    for (int d = 0; d < l->loops.n; d++) at[d] = expr_sym(a, l->loops.at[d]->iter);
    if (k < l->copies.n) { // later
        Node *m = node_clone(a, n);
        m->src = expr_load(a, l->left.at[k], at);
        return m;
    }
    Array *v = array_new(a, arena_printf(a, "left_%d", ++*l->fresh), n->dst->elem, PLACE_SHARED, l->loops.n);
    for (int d = 0; d < l->loops.n; d++) v->extent[d] = l->loops.at[d]->hi;
    vec_push(a, l->locals, v);
    vec_push(a, &l->left, v);
    vec_push(a, &l->copies, n);
    Node *m = node_copy(a, v, at, OP_SET, n->src);
    m->loc = n->loc;
    return m;
}

static void keep_all(Leaving *l, const Node *n) {
    if (n->kind == N_COPY) vec_push(l->r->a, &l->stays, kept(l, n));
    if (n->kind == N_IF) keep_all(l, n->then);
    for (int i = 0; i < n->nkids; i++) keep_all(l, n->kids[i]);
}

static Node *left_out(Node *n, void *arg) {
    Leaving *l = arg;
    Arena *a = l->r->a;
    bool loop = n->kind == N_FOR;
    bool plain = loop && expr_is_int(n->lo, 0) && n->step == 1 && phase_constant(n->hi);
    bool asks = n->kind == N_IF && phase_is_counted(n->cond, &l->iters); // it is asked in the phase, too
    if (!loop && !asks && !l->later && only_leaves(l, n)) {
        l->stays.n = 0;
        keep_all(l, n);
        Node **kids = NEW_N(a, Node *, l->stays.n + 1);
        for (int i = 0; i < l->stays.n; i++) kids[i] = l->stays.at[i];
        return node_seq(a, l->stays.n, kids);
    }
    if (n->kind == N_COPY && l->later) return leaves(l, n) ? kept(l, n) : node_seq(a, 0, NULL);
    if (loop && !plain) return l->later ? node_seq(a, 0, NULL) : n;
    if (loop) vec_push(a, &l->loops, n), vec_push(a, &l->iters, n->iter);
    Node *m = node_map(a, n, left_out, arg);
    if (loop) l->loops.n--, l->iters.n--;
    return m;
}

// Phase n without what leaves the block, and *behind what that is then; n itself, and NULL: nothing does.
static Node *without_leaving(Phases *g, Run *r, Node *n, ArrayVec *locals, Node **behind) {
    Leaving l = {.r = r, .locals = locals, .fresh = &g->fresh};
    Node *m = left_out(n, &l);
    l.later = true, l.loops.n = l.iters.n = 0;
    *behind = l.copies.n ? left_out(n, &l) : NULL;
    return l.copies.n ? m : n;
}

// Does it do nothing but set words to what is given?
static bool fills(const Node *root) {
    node_each(n, root)
        if (n->kind == N_COPY && (n->op != OP_SET || phase_reads_block(n->src))) return false;
    return true;
}

static Node *phased(Node *n, void *arg) {
    Phases *g = arg;
    if (n->kind == N_FOR && !is_parallel(n)) {
        g->serial++;
        Node *m = node_map(g->a, n, phased, arg);
        g->serial--;
        return m;
    }
    if (n->kind != N_SEQ || equal_count_flat(n) < LEAST_PHASES) return node_map(g->a, n, phased, arg);
    Node *flat = equal_flat_seq(g->a, n);
    NodeVec out = {0};
    ArrayVec locals = {0};
    for (int i = 0; i < flat->nkids;) {
        Run r = {.p = g->p, .a = g->a};
        SymVec of = {0};
        int to = i;
        Node **kids = NEW_N(g->a, Node *, flat->nkids + 1), *behind;
        Put p = {.g = g, .r = &r};
        for (; to < flat->nkids; to++) {
            kids[to] = without_leaving(g, &r, flat->kids[to], &p.locals, &behind);
            bool stale = false; // it reads what a copy behind would have written
            int before = p.written.n;
            node_each(m, behind)
                if (m->kind == N_COPY) vec_push(g->a, &p.written, m->dst);
            for (int k = 0; k < p.written.n; k++) stale |= phase_reads(flat->kids[to], p.written.at[k]);
            if (stale || !phase_can_run(&r, kids[to], &of)) {
                p.written.n = before;
                break;
            }
            if (behind) vec_push(g->a, &p.behind, behind);
        }
        for (; i < to && fills(kids[i]); i++) vec_push(g->a, &out, flat->kids[i]);
        if (to > i && phase_put_sums(&p, to - i, &kids[i], &flat->kids[i])) {
            for (int k = 0; k < p.out.n; k++) vec_push(g->a, &out, p.out.at[k]);
            for (int k = 0; k < p.behind.n; k++) vec_push(g->a, &out, p.behind.at[k]);
            for (int k = 0; k < p.locals.n; k++) vec_push(g->a, &locals, p.locals.at[k]);
            g->changed = true;
        } else {
            for (int k = i; k < to; k++) vec_push(g->a, &out, flat->kids[k]);
        }
        if (to < flat->nkids) vec_push(g->a, &out, phased(flat->kids[to], arg));
        i = to + 1;
    }
    Node *m = node_clone(g->a, flat);
    m->kids = out.at, m->nkids = out.n;
    return seq_declare_all(g->a, m, locals.n, locals.at);
}

Node *equal_phases(Pair *p, Node *root) {
    Phases g = {.p = p, .a = p->a, .root = root};
    Node *m = phased(root, &g);
    return g.changed ? m : NULL;
}

