// SPDX-License-Identifier: MIT
// branches.c -- loops inside of the mapped ones taken apart where a condition changes (rule branch).
//
//   for i, j mapped {  for k { if (k < m) S else T }  }   →   {  for k < m { S }   for k_1 >= m { T }  }
//
// Only where all threads agree: the condition names the loop's own counter, parameters and host loops. Where
// it names a mapped loop, threads would walk through different iterations side by side, and what they read
// together would be read apart.
#include "plan/auto.h"
#include "rule/branch.h"

enum { CUTS = 4 };

typedef struct Site {
    const Chain *chain;
    Node *loop;
} Site;

static void find_site(Node *n, void *arg) {
    Site *s = arg;
    if (s->loop || n->kind != N_FOR || n->how != HOW_SERIAL) return;
    const Expr *term = branch_term(n);
    if (!term) return;
    for (int i = 0; i < s->chain->n; i++)
        if (expr_uses_sym(term, s->chain->loop[i]->iter) || s->chain->loop[i] == n) return;
    s->loop = n;
}

static Node *body_of(Node *root, int loops) {
    Node *n = unwrap(root);
    for (int i = 0; n && i < loops; i++)
        n = n->kind == N_FOR ? (i + 1 < loops ? unwrap(n->body) : n->body) : NULL;
    return n;
}

void plan_branches(Plan *p, Chain *c) {
    for (int cut = 0; cut < CUTS && c->n; cut++) {
        Site s = {.chain = c};
        node_walk(c->body, find_site, &s);
        if (!s.loop) return;
        // The chain's loops around, so that the rule knows what stands where.
        Node *outer = in_loops(p->a, c->n, c->loop, c->body);
        PlanMark before = plan_mark(p);
        Node *after = plan_step(p, outer, "branch %s", s.loop->iter->name),
             *body = after ? body_of(after, c->n) : NULL;
        if (!body) return plan_back(p, before);
        c->body = body;
    }
}
