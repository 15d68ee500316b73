// SPDX-License-Identifier: MIT
// apart.c -- a chain's body taken apart further than into the things that stand in it.
//
//   for i for j {                              for i for j {
//     t = 0                                      t = 0
//     for k in 0 .. i {                   →      for k in 0 .. i  t += B[k][j] * A[i][k]
//       C[k][j] += B[i][j] * A[i][k]             C[i][j] = … t … }
//       t += B[k][j] * A[i][k] }               for i for j for k in 0 .. i  C[k][j] += B[i][j] * A[i][k]
//     C[i][j] = … t … }
//
// Loops inside are distributed where dependences allow it; what the chain's groups (rule distribute) gain by
// that tells whether it stays so.
#include "plan/auto.h"
#include "rule/catalogue.h"

enum { MOST_INSIDE = 8 };

typedef struct Inside {
    int n;
    Node *loop[MOST_INSIDE];
} Inside;

// Loops directly inside the body that hold several things.
static bool find_inside(const Node *body, Inside *out) {
    *out = (Inside){0};
    for (int i = 0; i < body->nkids; i++) {
        Node *n = body->kids[i];
        if (n->kind != N_FOR) continue;
        const Node *seq = unwrap(n->body);
        if (seq->kind != N_SEQ || seq->nkids < 2 || seq->nlocals) continue;
        if (out->n == MOST_INSIDE) return false;
        out->loop[out->n++] = n;
    }
    return true;
}

// May each thing in the loop have a loop of its own, in the text's order, below one iteration of the chain?
static bool may_distribute(Plan *p, const ChainFacts *f, Node *loop) {
    int nhost = p->nhost, n = unwrap(loop->body)->nkids, *part = NEW_N(p->a, int, n + 1);
    if (nhost + f->chain.n > MAX_HOST_LOOPS) return false;
    for (int i = 0; i < f->chain.n; i++) p->host[p->nhost++] = f->chain.loop[i];
    ChainFacts *in = chain_facts(p, loop);
    bool fits = in->chain.n == 1 && in->rel->touches.n <= MOST_TOUCHES && distribute(in, part, NULL, p) == n;
    p->nhost = nhost;
    for (int i = 0; fits && i < n; i++) fits = part[i] == i;
    return fits;
}

// Locals that several groups would share are expanded, if nothing is gained without.
Node *plan_apart(Plan *p, ChainFacts *f) {
    const Node *body = f->things;
    Inside in;
    if (!p->gpu || f->nfree == f->chain.n || !body || body->kind != N_SEQ || !find_inside(body, &in) || !in.n)
        return NULL;
    PlanMark before = plan_mark(p);
    Node *tree = (Node *)f->chain.loop[0];
    for (int i = 0; i < in.n && tree; i++)
        tree = may_distribute(p, f, in.loop[i]) ? plan_step(p, tree, "distribute %s", in.loop[i]->iter->name)
                                                : NULL;
    Node *n = tree ? plan_groups(p, chain_facts(p, tree)) : NULL;
    for (int i = 0; i < body->nlocals && tree && !n; i++)
        tree = plan_step(p, tree, "expand %s", body->locals[i]->name);
    if (!n && tree && body->nlocals) n = plan_groups(p, chain_facts(p, tree));
    if (!n) plan_back(p, before);
    return n;
}

// for i { t = d[i][k]; for j  d[i][j] = f(t, d[k][j]) }   →   for i  t_x[i] = d[i][k];   for i for j  …
//
// A loop beside what is handed on in a local has the chain's loops to itself once these have elements.
Node *plan_expanded(Plan *p, ChainFacts *f) {
    const Node *body = f->things;
    bool several = body && body->kind == N_SEQ && body->nkids > 1;
    if (!p->cutting) several = several && body->nlocals; // else that was tried
    if (!p->gpu || !several || !plan_has_loop(body)) return NULL;
    PlanMark before = plan_mark(p);
    Node *tree = (Node *)f->chain.loop[0];
    for (int i = 0; i < body->nlocals && tree; i++)
        tree = plan_step(p, tree, "expand %s", body->locals[i]->name);
    Node *n = tree ? plan_groups(p, chain_facts(p, tree)) : NULL;
    if (!n) plan_back(p, before);
    return n;
}
