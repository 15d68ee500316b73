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

// The first loop below that a term of it, which the chain's loops leave alone, splits.
static Node *site_in(const Chain *c) {
    node_each(n, c->body) {
        const Expr *term = n->kind == N_FOR && n->how == HOW_SERIAL ? branch_term(n) : NULL;
        bool fits = term;
        for (int i = 0; fits && i < c->n; i++)
            fits = !expr_uses_sym(term, c->loop[i]->iter) && c->loop[i] != n;
        if (fits) return n;
    }
    return NULL;
}

static Node *body_of(Node *root, int loops) {
    Node *n = unwrap(root);
    for (int i = 0; n && i < loops; i++)
        n = n->kind == N_FOR ? (i + 1 < loops ? unwrap(n->body) : n->body) : NULL;
    return n;
}

void plan_branches(Plan *p, Chain *c) {
    for (int cut = 0; cut < CUTS && c->n; cut++) {
        Node *loop = site_in(c);
        if (!loop) return;
        // The chain's loops around, so that the rule knows what stands where.
        Node *outer = in_loops(p->a, c->n, c->loop, c->body);
        PlanMark before = plan_mark(p);
        Node *after = plan_step(p, outer, "branch %s", loop->iter->name),
             *body = after ? body_of(after, c->n) : NULL;
        if (!body) return plan_back(p, before);
        c->body = body;
    }
}
