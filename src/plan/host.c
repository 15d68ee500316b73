// SPDX-License-Identifier: MIT
// host.c -- what stands between kernels: values that the host must know, locals that
// outlive one kernel.
#include "plan/auto.h"

static void find_load(const Expr *x, void *found) {
    if (x->kind == E_LOAD || x->kind == E_CALL) *(bool *)found = true;
}

bool host_can_eval(const Expr *x) {
    bool found = false;
    expr_walk(x, find_load, &found);
    return !found && type_is_int(x->type);
}

// One device copy is enough: the host runs the executions of the block one after another.
Node *host_promote_locals(Plan *p, Node *seq) {
    Node *n = seq;
    const Array **temps = NEW_N(p->a, const Array *, seq->nlocals + 1);
    for (int i = 0; i < seq->nlocals; i++) {
        Array *t = NEW(p->a, Array);
        *t = *seq->locals[i];
        t->name = name_fresh(&p->names, t->name);
        t->object = t->name;
        t->place = PLACE_TEMP;
        t->of = (Array *)seq->locals[i];
        temps[i] = t;
        n = rule_redirect(p->a, n, seq->locals[i], t);
    }
    if (n == seq) n = node_clone(p->a, seq);
    n->locals = temps;
    return n;
}

// Temporaries of blocks move to the root: they are made once for the whole nest.
static void take_temps(Node *n, void *arg) {
    Node *root = arg;
    if (n->kind != N_SEQ || n == root || n->nlocals == 0 || n->locals[0]->place != PLACE_TEMP) return;
    for (int i = 0; i < n->nlocals; i++) root->locals[root->nlocals++] = n->locals[i];
    n->nlocals = 0;
}

static void count_temps(Node *n, void *arg) {
    if (n->kind == N_SEQ) *(int *)arg += n->nlocals;
}

Node *host_lift_temps(Plan *p, Node *tree) {
    int most = 0;
    node_walk(tree, count_temps, &most);
    Node *root = tree->kind == N_SEQ ? node_clone(p->a, tree) : node_seq(p->a, 1, &tree);
    const Array **own = root->locals;
    root->locals = NEW_N(p->a, const Array *, most + 1);
    for (int i = 0; i < root->nlocals; i++) root->locals[i] = own[i];
    node_walk(root, take_temps, root);
    return root;
}
