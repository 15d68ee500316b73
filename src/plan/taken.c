// SPDX-License-Identifier: MIT
// taken.c -- the steps of the catalogue that the planner takes: each is applied to the part of the tree under
// way and noted, and one may go back to where something else was tried.
#include "plan/auto.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"

void plan_note(Plan *p, const char *line) { p->steps = arena_printf(p->a, "%s# %s\n", p->steps, line); }

// With copies: one may go back to what was there before something else was tried.
PlanMark plan_mark(const Plan *p) {
    Fact *facts = NEW_N(p->a, Fact, p->facts.n + 1);
    const Array **temps = NEW_N(p->a, const Array *, p->temps.n + 1);
    for (int i = 0; i < p->facts.n; i++) facts[i] = p->facts.at[i];
    for (int i = 0; i < p->temps.n; i++) temps[i] = p->temps.at[i];
    Expr **asked = NEW_N(p->a, Expr *, p->asked.n + 1);
    for (int i = 0; i < p->asked.n; i++) asked[i] = p->asked.at[i];
    return (PlanMark){p->steps, p->names.next, p->facts.n, p->temps.n, p->asked.n, facts, temps, asked};
}

void plan_back(Plan *p, PlanMark m) {
    p->steps = m.steps;
    p->names.next = m.next;
    p->facts.n = p->temps.n = p->asked.n = 0;
    for (int i = 0; i < m.nasked; i++) vec_push(p->a, &p->asked, m.asked[i]);
    for (int i = 0; i < m.nfacts; i++) vec_push(p->a, &p->facts, m.facts[i]);
    for (int i = 0; i < m.ntemps; i++) vec_push(p->a, &p->temps, m.temps[i]);
}

// The tree below the loops of the host that stand around the place.
static Node *below_host(const Plan *p, Node *root) {
    for (int i = 0; i < p->nhost; i++) root = unwrap(root)->body;
    return unwrap(root);
}

// What was planned of the nest besides the tree that a step is about to change.
static Node **beside(const Plan *p) {
    Node **all = NEW_N(p->a, Node *, p->done.n + 1);
    for (int i = 0; i < p->done.n; i++) all[i] = p->done.at[i];
    all[p->done.n] = node_seq(p->a, 0, NULL);
    all[p->done.n]->nlocals = p->temps.n;
    all[p->done.n]->locals = p->temps.at;
    return all;
}

Node *plan_step(Plan *p, Node *tree, const char *fmt, ...) {
    if (!tree) return NULL;
    Text line = text_new(p->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&line, fmt, ap);
    va_end(ap);
    Node *all = in_loops(p->a, p->nhost, p->host, tree);
    Nest nest = {.region = p->region,
                 .target = p->o->target,
                 .root = node_seq(p->a, 1, &all),
                 .recipe = p->steps,
                 .fresh = p->names.next,
                 .nbeside = p->done.n + 1,
                 .beside = beside(p),
                 .nfacts = p->facts.n,
                 .facts = p->facts.at,
                 .nfeet = p->dep ? p->dep->nfeet : 0,
                 .feet = p->dep ? p->dep->feet : NULL};
    Nest *after = recipe_then(p->c, &nest, text_str(&line), NULL);
    if (!after) return NULL;
    p->steps = after->recipe;
    p->names.next = after->fresh;
    if (after->when) vec_push(p->a, &p->asked, after->when);
    for (int i = p->facts.n; i < after->nfacts; i++) vec_push(p->a, &p->facts, after->facts[i]);
    for (int i = 0; i < after->root->nlocals; i++) vec_push(p->a, &p->temps, after->root->locals[i]);
    after->root->nlocals = 0; // the whole nest's root declares them
    return below_host(p, after->root);
}

typedef struct KernelNames {
    Arena *a;
    VEC(const char *) names;
} KernelNames;

static void note_kernel(Node *n, void *arg) {
    KernelNames *k = arg;
    if (n->kind == N_KERNEL) vec_push(k->a, &k->names, n->name);
}

Node *plan_each_kernel(Plan *p, Node *tree, const char *rule) {
    KernelNames k = {.a = p->a};
    if (tree) node_walk(tree, note_kernel, &k);
    for (int i = 0; i < k.names.n; i++) {
        Node *n = plan_step(p, tree, "%s %s", rule, k.names.at[i]);
        tree = n ? n : tree;
    }
    return tree;
}

const char *plan_numbers(Plan *p, int n, const int *number) {
    Text t = text_new(p->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%d", i ? "," : "", number[i]);
    return text_str(&t);
}

char *plan_words(Plan *p, Expr *x) {
    Nest facts = {.nfacts = p->facts.n, .facts = p->facts.at};
    return step_expr(p->a, &facts, x);
}
