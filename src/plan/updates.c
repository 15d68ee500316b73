// SPDX-License-Identifier: MIT
// updates.c -- loops whose iterations meet in updates only.
//
//   s += a[i]           one element for all iterations    partial results (rule/partial.c)
//   bin[data[i]] += 1   an element that varies            atomic updates
#include "plan/auto.h"

typedef struct Updates {
    Plan *p;
    ChainFacts *f;
    PartialRequest q;
    VEC(const Stmt *) atomic;        // statements whose element varies
} Updates;

// Does the element stay the same in all iterations of the chain, with nothing else of its
// array touched, and nothing else done to it?
static bool is_fixed(const Updates *u, const Touch *t) {
    for (int s = 0; s < t->array->rank; s++) {
        if (expr_has_load(t->sub[s])) return false;
        for (int l = u->f->base; l < t->ev->depth; l++)
            if (expr_uses_sym(t->sub[s], t->ev->loops[l]->iter)) return false;
    }
    return node_only_updates(u->p->a, u->f->chain.body, t->array, (Expr **)t->sub, t->update);
}

// Does a clause name the array as a reduction of a loop around? Its threads' updates have no order.
static bool is_reduced(const Touch *t) {
    for (int l = 0; l < t->ev->depth; l++)
        if (mark_reduces(t->ev->loops[l]->mark, t->array, t->update)) return true;
    return false;
}

static bool may_be_atomic(const Updates *u, const Touch *t) {
    bool rounds = type_is_float(t->array->elem) && t->update != OP_MIN && t->update != OP_MAX;
    bool free = !rounds || u->p->c->unordered || t->ev->node->stmt->atomic || is_reduced(t);
    return t->ev->node->kind == N_STMT && free;
}

static bool add_atomic(Updates *u, const Stmt *s) {
    for (int i = 0; i < u->atomic.n; i++)
        if (u->atomic.at[i] == s) return true;
    vec_push(u->p->a, &u->atomic, s);
    return true;
}

// When the element is updated, and so exists; scalars always do. False: unknown.
static bool when_updated(Updates *u, const Touch *t, Expr **when) {
    *when = NULL;
    if (t->array->rank == 0) return true;
    *when = chain_runs(u->p, u->f, t);
    if (!*when) return false;
    if (expr_is_int(*when, 1)) *when = NULL;
    return true;
}

static bool add_target(Updates *u, const Touch *t) {
    Expr *when;
    if (!when_updated(u, t, &when)) return false;
    for (int i = 0; i < u->q.ntargets; i++) {
        PartialTarget *known = &u->q.target[i];
        if (known->array != t->array) continue;
        known->when = known->when && when ? expr_op(u->p->a, OP_LOR, known->when, when, NULL) : NULL;
        return true;
    }
    u->q.target[u->q.ntargets++] = (PartialTarget){t->array, (Expr **)t->sub, t->update, when};
    return true;
}

// The outermost loop in whose iterations it is another element, as far as can be told.
static void blame(Updates *u, const Touch *t) {
    Plan *p = u->p;
    for (int i = 0; i < u->f->chain.n && !p->blame; i++) {
        bool varies = false;
        for (int d = 0; d < t->array->rank; d++)
            varies |= expr_has_load(t->sub[d]) || expr_uses_sym(t->sub[d], u->f->chain.loop[i]->iter);
        if (varies) p->blame = u->f->chain.loop[i], p->blame_x = p->blame_y = t;
    }
}

static bool sort_updates(Updates *u, const Conflicts *k) {
    for (int i = 0; i < k->updates.n; i++) {
        const Touch *t = k->updates.at[i];
        bool ok = is_fixed(u, t) ? add_target(u, t) : may_be_atomic(u, t) && add_atomic(u, t->ev->node->stmt);
        if (ok) continue;
        blame(u, t);
        return false;
    }
    return true;
}

// The loops whose iterations are dealt out: on a GPU two, x the innermost; on a CPU the
// outermost.
static void choose_loops(Updates *u) {
    int most = u->p->gpu ? 2 : 1, n = u->f->chain.n;
    for (int k = 0; k < n && u->q.ndims < most; k++) {
        int i = u->p->gpu ? n - 1 - k : k;
        if (u->f->loop[i].freedom != FREE_NO && u->f->loop[i].dim.exact) u->q.dim[u->q.ndims++] = i;
    }
}

// The chain with updates that are atomic. False: it can't be.
static bool make_atomic(Updates *u) {
    Text t = text_new(u->p->a);
    ChainFacts *f = u->f;
    text_put(&t, "atomic");
    for (int i = 0; i < u->atomic.n; i++) text_printf(&t, " %s", u->atomic.at[i]->label);
    Node *n =
        plan_step(u->p, in_loops(u->p->a, f->chain.n, f->chain.loop, f->chain.body), "%s", text_str(&t));
    if (n) f->chain = chain_of(n);
    return n != NULL;
}

static Node *in_partials(Updates *u) {
    Text t = text_new(u->p->a), when = text_new(u->p->a);
    const Chain *c = &u->f->chain;
    bool asks = false;
    text_put(&t, "partial");
    for (int d = 0; d < u->q.ndims; d++) text_printf(&t, " %s", c->loop[u->q.dim[d]]->iter->name);
    text_printf(&t, " from=%s of=", c->loop[0]->iter->name);
    for (int i = 0; i < u->q.ntargets; i++) {
        const PartialTarget *x = &u->q.target[i];
        text_printf(&t, "%s%s", i ? "," : "", x->array->name);
        text_printf(&when, "%s%s", i ? "," : " when=", x->when ? plan_words(u->p, x->when) : "-");
        asks |= x->when != NULL;
    }
    return plan_step(u->p, in_loops(u->p->a, c->n, c->loop, c->body), "%s%s", text_str(&t),
                     asks ? text_str(&when) : "");
}

Node *plan_updates(Plan *p, ChainFacts *f) {
    Updates u = {.p = p, .f = f, .q = {.gpu = p->gpu}};
    choose_loops(&u);
    int most = 0;
    for (int d = 0; d < u.q.ndims; d++) most += f->loop[u.q.dim[d]].conflicts->updates.n;
    u.q.target = NEW_N(p->a, PartialTarget, most + 1);
    for (int d = 0; d < u.q.ndims; d++)
        if (!sort_updates(&u, f->loop[u.q.dim[d]].conflicts)) return NULL;
    if (u.q.ndims == 0) return NULL;
    if (u.atomic.n && !make_atomic(&u)) return NULL;
    if (u.q.ntargets == 0) return plan_map(p, f, FREE_ATOMIC);
    Node *n = in_partials(&u);
    if (!n) return NULL;
    for (int d = 0; d < u.q.ndims; d++) plan_use_loop(p, &f->loop[u.q.dim[d]]);
    p->nparallel++, p->nsums++;
    return n;
}
