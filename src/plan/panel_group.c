// SPDX-License-Identifier: MIT
// panel_group.c -- the kernels of what goes through a strip's steps together (panels.c).
//
// The near corner is a block's, whose threads wait for each other between steps. Rows and columns beside it
// are a thread's each, which keeps its elements in registers. What is far on two sides is a product.
#include "plan/panels.h"
#include "rule/loops.h"
#include "rule/refs.h"

// Far loops around near ones, so that each of their iterations may be a thread's.
static Node *far_outside(const Strip *s, Node *group) {
    Plan *p = s->p;
    Node *seq = unwrap(group->body);
    int n = seq->kind == N_SEQ ? seq->nkids : 1;
    for (int i = 0; i < n; i++) {
        Chain c = chain_of(seq->kind == N_SEQ ? seq->kids[i] : seq);
        bool near[PANEL_AROUND], mixed = false;
        Text order = text_new(p->a);
        for (int l = 0; l < c.n; l++) {
            near[l] = !panel_is_far(s, c.loop[l], l, c.loop);
            mixed |= l > 0 && near[l - 1] && !near[l];
        }
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < c.n; l++)
                if (near[l] == k) text_printf(&order, " %s", c.loop[l]->iter->name);
        Node *t = mixed ? plan_step(p, group, "interchange%s", text_str(&order)) : NULL;
        group = t ? t : group;
        seq = unwrap(group->body);
    }
    return group;
}

// Neighbouring loops of a step as one, where they go over the same.
static Node *with_fused(Plan *p, Node *group) {
    for (bool more = true; more;) {
        Node *seq = unwrap(group->body), *t = NULL;
        for (int i = 0; seq->kind == N_SEQ && i + 1 < seq->nkids && !t; i++) {
            const Node *x = unwrap(seq->kids[i]), *y = unwrap(seq->kids[i + 1]);
            bool loops = x->kind == N_FOR && y->kind == N_FOR;
            bool same = loops && expr_equal(x->lo, y->lo) && expr_equal(x->hi, y->hi);
            if (same) t = plan_step(p, group, "fuse %s %s", x->iter->name, y->iter->name);
        }
        more = t != NULL;
        group = t ? t : group;
    }
    return group;
}

// The loop in three, of which the second is the iteration `at`.
static Node *in_three(Plan *p, Node *group, const char *loop, Expr *at) {
    Expr *behind = expr_add(p->a, at, expr_int(p->a, at->type, 1));
    group = plan_step(p, group, "split %s at=%s", loop, plan_words(p, behind));
    return group ? plan_step(p, group, "split %s at=%s", loop, plan_words(p, at)) : NULL;
}

// The first loop of the group's chains whose iterations meet at one of them: *at.
static const Node *find_meeting(Plan *p, Node *group, Expr **at) {
    Node *seq = unwrap(group->body);
    const Node *found = NULL;
    p->host[p->nhost++] = group;
    for (int i = 0; i < (seq->kind == N_SEQ ? seq->nkids : 1) && !found; i++) {
        Node *kid = seq->kind == N_SEQ ? seq->kids[i] : seq;
        Expr *of[16];
        if (kid->kind != N_FOR) continue;
        ChainFacts *f = chain_facts(p, kid);
        if (f->nfree == f->chain.n || !plan_meets_at(p, f, of)) continue;
        for (int l = 0; l < f->chain.n && !found; l++)
            if (of[l]) found = f->chain.loop[l], *at = of[l];
    }
    p->nhost--;
    return found;
}

// Loops whose iterations meet at one of them in three, so that what meets stands one behind another.
static Node *with_meetings(Plan *p, Node *group) {
    Expr *at;
    for (const Node *loop; p->nhost < MAX_HOST_LOOPS && (loop = find_meeting(p, group, &at));) {
        Node *n = in_three(p, group, loop->iter->name, at);
        if (!n) break;
        group = n;
    }
    return group;
}

// All of a loop's statements in loops of their own, as the threads of a block take them one after another.
static Node *with_phases(Plan *p, Node *group) {
    for (bool more = true; more;) {
        Node *seq = unwrap(group->body), *t = NULL;
        for (int i = 0; i < (seq->kind == N_SEQ ? seq->nkids : 1) && !t; i++) {
            Chain c = chain_of(seq->kind == N_SEQ ? seq->kids[i] : seq);
            if (c.n && c.body->kind == N_SEQ && c.body->nkids > 1)
                t = plan_step(p, group, "distribute %s", c.loop[c.n - 1]->iter->name);
        }
        more = t != NULL;
        group = t ? t : group;
    }
    return group;
}

// A loop of the group whose bounds go with the step's counter or another of its chain, over all that it ever
// is in a strip: so it is one strip of threads, each of which keeps its element from step to step.
static Node *with_hulls(Plan *p, Node *group) {
    for (bool more = true; more;) {
        Node *seq = unwrap(group->body), *t = NULL;
        for (int i = 0; i < (seq->kind == N_SEQ ? seq->nkids : 1) && !t; i++) {
            Chain c = chain_of(seq->kind == N_SEQ ? seq->kids[i] : seq);
            for (int l = c.n - 1; l >= 0 && !t; l--)
                for (int o = l - 1; o >= -1 && !t; o--) {
                    const Sym *over = o < 0 ? group->iter : c.loop[o]->iter;
                    if (expr_uses_sym(c.loop[l]->lo, over) || expr_uses_sym(c.loop[l]->hi, over))
                        t = plan_step(p, group, "hull %s over=%s", c.loop[l]->iter->name, over->name);
                }
        }
        more = t != NULL;
        group = t ? t : group;
    }
    return group;
}

// A chain of one or two loops: its strips, and threads in them.
static Node *in_threads(const Strip *s, Node *group, const Chain *c) {
    Plan *p = s->p;
    Text order = text_new(p->a), threads = text_new(p->a);
    const char *name[2];
    for (int l = 0; l < c->n; l++) name[l] = c->loop[l]->iter->name;
    for (int l = 0; l < c->n; l++) {
        const char *o = name_fresh(&p->names, name[l]), *i = name_fresh(&p->names, name[l]);
        group = plan_step(p, group, "strip %s by=%lld as=%s,%s", name[l],
                          (long long)(c->n > 1 ? PANEL : s->length), o, i);
        text_printf(&order, " %s", o);
        text_printf(&threads, " %s", i);
    }
    if (c->n > 1) group = plan_step(p, group, "interchange%s%s", text_str(&order), text_str(&threads));
    return plan_step(p, group, "map thread%s", text_str(&threads));
}

// The first statement, so many conditions inside. NULL: it is a loop's.
static const char *first_of(const Node *n, int *out) {
    if (n->kind == N_STMT) return n->stmt->label;
    *out += n->kind == N_IF;
    const Node *kid = n->kind == N_FOR ? NULL : node_kid(n, 0);
    return kid ? first_of(kid, out) : NULL;
}

// What the steps of a corner read and write comes to shared memory first, and goes back at the end;
// temporaries of earlier steps, too, but those that are for others alone.
static Node *in_shared(Plan *p, Node *kernel) {
    Refs refs;
    refs_of(p->a, kernel, &refs);
    for (int i = 0; i < refs.uses.n; i++) {
        const Use *u = &refs.uses.at[i];
        if (u->array->place != PLACE_USER && (u->array->place != PLACE_TEMP || !u->read)) continue;
        Node *t = plan_step(p, kernel, "stage %s at=%s pad=1 async=yes", u->array->name,
                            unwrap(kernel)->name);
        kernel = t ? t : kernel;
    }
    return kernel;
}

// The near corner: one block goes through the steps.
static Node *in_block(const Strip *s, Node *group) {
    Plan *p = s->p;
    group = with_hulls(p, with_phases(p, with_meetings(p, group)));
    const Node *seq = unwrap(group->body);
    int n = seq->kind == N_SEQ ? seq->nkids : 1;
    Chain c[PANEL_KIDS];
    if (n > PANEL_KIDS) return NULL;
    for (int i = 0; i < n; i++) {
        c[i] = chain_of(seq->kind == N_SEQ ? seq->kids[i] : (Node *)seq);
        if (c[i].n > 2 || (c[i].body && plan_has_loop(c[i].body))) return NULL;
    }
    const char *once[PANEL_KIDS], *steps = group->iter->name;
    for (int i = 0; i < n && group; i++) {
        int out = 0;
        if (c[i].n) continue;
        once[i] = name_fresh(&p->names, "once");
        const char *first = first_of(c[i].body, &out);
        group = first ? plan_step(p, group, "single %s out=%d loop=%s", first, out, once[i]) : NULL;
    }
    group = plan_step(p, group, "single %s", steps);
    for (int i = 0; i < n && group; i++)
        group = c[i].n ? in_threads(s, group, &c[i]) : plan_step(p, group, "map thread %s", once[i]);
    return group ? in_shared(p, group) : NULL;
}

// A thread's rows, of which each element that the steps go on changing is kept in a register.
static Node *with_kept(Plan *p, Node *kernel) {
    Node *n = plan_step(p, kernel, "accumulate %s beside=others", unwrap(kernel)->name);
    return plan_each_kernel(p, n ? n : kernel, "unroll");
}

// A product: its terms, the steps of a strip, innermost. NULL: it is none.
static Node *in_product(const Strip *s, Node *group) {
    Chain c = chain_of(group);
    Node *trimmed = c.n == 3 ? plan_step(s->p, group, "trim %s", group->iter->name) : NULL;
    if (trimmed) group = trimmed, c = chain_of(group);
    bool product = c.n == 3 && !plan_has_loop(c.body) && panel_is_far(s, c.loop[1], 1, c.loop) &&
                   panel_is_far(s, c.loop[2], 2, c.loop);
    if (!product) return NULL;
    return plan_step(s->p, group, "interchange %s %s %s", c.loop[1]->iter->name, c.loop[2]->iter->name,
                     c.loop[0]->iter->name);
}

// What is no product has one far loop: its threads keep what is theirs (steps.c), or a warp's threads go
// through it, so that many multiprocessors have part in what is short and long.
static Node *plan_far(const Strip *s, Node *group) {
    Plan *p = s->p;
    PlanMark before = plan_mark(p);
    Node *product = in_product(s, group);
    if (product) return plan_node(p, product);
    plan_back(p, before);
    Chain c = chain_of(group);
    bool far = c.n > 1 && panel_is_far(s, c.loop[1], 1, c.loop);
    ChainFacts *f = chain_facts(p, group);
    bool free = far && f->loop[1].freedom == FREE_YES && !f->loop[1].when && !f->loop[1].asserted;
    const char *row = far ? c.loop[1]->iter->name : NULL;
    Node *part = free ? plan_part(p, group) : NULL;
    if (part) return p->nparallel++, part;
    Node *n = free ? plan_step(p, group, "grid %s of=%s threads=32", row, c.loop[0]->iter->name) : NULL;
    if (n) return p->nparallel++, with_kept(p, n);
    plan_back(p, before);
    int serial = p->nserial;
    n = plan_node(p, group);
    return p->nserial == serial && unwrap(n)->kind != N_FOR ? n : NULL;
}

Node *panel_group(const Strip *s, Node *group) {
    Strip own = *s;
    own.steps = group->iter;
    if (!panel_has_far(&own, group, 0, NULL)) return in_block(&own, group);
    return plan_far(&own, with_fused(s->p, far_outside(&own, group)));
}
