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
