// SPDX-License-Identifier: MIT
// distribute.c -- cuts the body of a chain into groups that may each have loops of their own.
//
//   for i { S0; for j S1; for j S2; }   →   for i S0;  for i for j S1;  for i for j S2
//
// Two children stay together when each depends on the other across iterations of the
// chain (a strongly connected component of the dependence graph: Allen and Kennedy, 1987),
// or when they share a local of the body. Where that is wanted (Plan.again) a statement that only sets a
// variable is computed again for each child that uses it, and counts as a part of these.
#include "plan/auto.h"
#include "rule/loops.h"

typedef struct Graph {
    int n;
    bool **edge;  // [n][n]; edge[u][v]: u must stay before v; after closure: reaches
    bool **gives; // [n][n]; gives[u][v]: u sets a variable that v uses, and may be computed again for it
} Graph;

static Graph *graph_new(Arena *a, int n) {
    Graph *g = NEW_AS(a, Graph, (Graph){n, NEW_N(a, bool *, n), NEW_N(a, bool *, n)});
    for (int u = 0; u < n; u++) g->edge[u] = NEW_N(a, bool, n), g->gives[u] = NEW_N(a, bool, n);
    return g;
}

static bool contains(Node *root, const Node *n) {
    if (root == n) return true;
    for (int i = 0; node_kid(root, i); i++)
        if (contains(node_kid(root, i), n)) return true;
    return false;
}

static int kid_of(const Node *seq, const Event *ev) {
    for (int i = 0; i < seq->nkids; i++)
        if (contains(seq->kids[i], ev->node)) return i;
    return -1;
}

static void add_edges(const ChainFacts *f, const Node *seq, Graph *g, bool again) {
    Relations *r = f->rel;
    int *kid = NEW_N(r->poly->c->arena, int, r->events.n + 1);
    for (int i = 0; i < r->events.n; i++) kid[i] = kid_of(seq, r->events.at[i]);
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            int u = kid[x->ev->order], v = kid[y->ev->order];
            if (u < 0 || v < 0 || u == v || g->edge[u][v] || !may_conflict(x, y)) continue;
            bool local = x->private_depth >= f->base + f->chain.n;
            if (local && again && things_set_again(r->poly->c->arena, seq, x->array))
                g->gives[u][v] |= thing_sets(seq, seq->kids[u]) && x->write && u < v;
            else if (local) g->edge[u][v] = g->edge[v][u] = true;
            else if (chain_before(f, x, y)) g->edge[u][v] = true;
        }
}

static bool gives(const Graph *g, int u) {
    for (int v = 0; v < g->n; v++)
        if (g->gives[u][v]) return true;
    return false;
}

// What such a statement must stay before, or behind, is so for those that it is computed for.
static void give_edges(Graph *g) {
    for (int u = 0; u < g->n; u++) {
        if (!gives(g, u)) continue;
        for (int v = 0; v < g->n; v++)
            for (int w = 0; w < g->n && g->gives[u][v]; w++) {
                if (w == v) continue;
                g->edge[v][w] |= g->edge[u][w];
                g->edge[w][v] |= g->edge[w][u];
            }
        for (int v = 0; v < g->n; v++) g->edge[u][v] = g->edge[v][u] = false;
    }
}

static void close_graph(Graph *g) {
    for (int k = 0; k < g->n; k++)
        for (int i = 0; i < g->n; i++)
            for (int j = 0; j < g->n; j++)
                g->edge[i][j] |= g->edge[i][k] && g->edge[k][j];
}

static bool together(const Graph *g, int u, int v) { return u == v || (g->edge[u][v] && g->edge[v][u]); }

// The next component all of whose predecessors are done, of those with such a child if there are any; text
// order among the ready. -1: none.
static int next_ready(const Graph *g, const bool *done, const bool *early) {
    for (int u = 0; u < g->n; u++) {
        if (done[u] || (early && !early[u])) continue;
        bool ready = true;
        for (int v = 0; v < g->n && ready; v++)
            ready = done[v] || together(g, u, v) || !g->edge[v][u];
        for (int w = 0; w < g->n && ready; w++)
            for (int v = 0; v < g->n && ready && together(g, u, w); v++)
                ready = done[v] || together(g, w, v) || !g->edge[v][w];
        if (ready) return u;
    }
    return early ? next_ready(g, done, NULL) : -1;
}

int distribute(const ChainFacts *f, int *part, const bool *early, Plan *p) {
    const Node *seq = f->things;
    if (seq->kind != N_SEQ || seq->nkids < 2) return 1;
    Graph *g = graph_new(p->a, seq->nkids);
    add_edges(f, seq, g, p->again);
    give_edges(g);
    close_graph(g);
    bool *done = NEW_N(p->a, bool, g->n);
    int n = 0;
    for (int u = 0; u < g->n; u++) done[u] = gives(g, u);
    for (int u; (u = next_ready(g, done, early)) >= 0; n++)
        for (int v = 0; v < g->n; v++)
            if (together(g, u, v)) part[v] = n, done[v] = true;
    for (int u = g->n - 1; u >= 0; u--)
        for (int v = g->n - 1; v > u; v--)
            if (g->gives[u][v]) part[u] = part[v];
    return n;
}
