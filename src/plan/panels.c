// SPDX-License-Identifier: MIT
// panels.c -- a host loop whose steps each work on what lies behind them, many steps at a time.
//
//   for t { for i > t { A[i][t] /= A[t][t]; for j > t  A[i][j] -= A[i][t] * A[t][j] } }
//     →   for tb { one block: for ti { i, j < e }              e = 32*tb + 32: the end of the strip
//                  a thread an i >= e: for ti { … j < e }
//                  a thread a j >= e: for ti { i < e … }
//                  i, j >= e: for ti  A[i][j] -= A[i][t] * A[t][j] }
//
// The loop goes in strips (rule strip). Loops that begin behind t are split where the strip ends (split),
// near ones and far ones get loops over the strip's steps of their own (distribute), as the dependences let
// them. So the near corner is a single block's, whose threads wait for each other between steps; rows and
// columns beside it are a thread's each, and what lies behind, which is most of the work, becomes a
// product.
#include "plan/auto.h"
#include "rule/loops.h"

enum { PANEL = 32, MOST_SPLITS = 24, MOST_KIDS = 24 };

typedef struct Panels {
    Plan *p;
    const Sym *steps;          // counter of a strip's steps
    const char *end;           // where the strip ends, as a step's knob has it
    int nsplit;
    const char *split[MOST_SPLITS];
} Panels;

// ---- near and far -----------------------------------------------------------------------------------
// Does the loop begin behind the step, by its own bounds or those of loops around it?
static bool is_near(const Node *loop, int n, const Node *const *around, const Sym *steps) {
    if (expr_uses_sym(loop->lo, steps)) return true;
    for (int k = n - 1; k >= 0; k--)
        if (expr_uses_sym(loop->lo, around[k]->iter) && is_near(around[k], k, around, steps)) return true;
    return false;
}

typedef struct Walk {
    const Panels *v;
    int n;
    const Node *around[16];
} Walk;

static bool is_split(const Panels *v, const char *name) {
    for (int i = 0; i < v->nsplit; i++)
        if (str_eq(v->split[i], name)) return true;
    return false;
}

// A near loop that has not been split yet; NULL: there is none.
static const Node *find_near(Walk *w, Node *n) {
    bool loop = n->kind == N_FOR;
    if (loop && w->n == 16) return NULL;
    if (loop && n->iter != w->v->steps && is_near(n, w->n, w->around, w->v->steps) &&
        !is_split(w->v, n->iter->name))
        return n;
    if (loop) w->around[w->n++] = n;
    const Node *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_near(w, node_kid(n, i));
    w->n -= loop;
    return found;
}

static Node *with_splits(Panels *v, Node *tree) {
    const Node *loop;
    for (Walk w = {.v = v}; tree && (loop = find_near(&w, tree)); w = (Walk){.v = v}) {
        if (v->nsplit == MOST_SPLITS || loop->step != 1) return NULL;
        v->split[v->nsplit++] = loop->iter->name;
        Node *n = plan_step(v->p, tree, "split %s at=%s", loop->iter->name, v->end);
        tree = n ? unwrap(n) : tree;
    }
    return tree;
}

// Is there a loop that begins behind the strip, or at a place that has nothing to do with it?
static bool has_far(Node *n, Walk *w) {
    bool loop = n->kind == N_FOR, its = loop && n->iter != w->v->steps;
    bool far = its && !is_near(n, w->n, w->around, w->v->steps);
    if (loop && w->n < 16) w->around[w->n++] = n;
    for (int i = 0; node_kid(n, i) && !far; i++) far = has_far(node_kid(n, i), w);
    w->n -= loop;
    return far;
}

// ---- loops of their own ---------------------------------------------------------------------------------
// Things in the loop with far loops in them behind those without: *parts says which. False: they stay
// together.
static bool far_apart(const Panels *v, Node *loop, int *parts) {
    Node *seq = unwrap(loop->body);
    int order[MOST_KIDS];
    ChainFacts *f = chain_facts(v->p, loop);
    if (f->chain.n != 1 || seq->kind != N_SEQ || seq->nkids > MOST_KIDS) return false;
    if (distribute(f, order, v->p) < 2) return false;
    int last = -1, first = MOST_KIDS;
    for (int i = 0; i < seq->nkids; i++) {
        Walk w = {.v = v};
        for (int k = 0; k < v->p->nhost; k++) w.around[w.n++] = v->p->host[k];
        w.around[w.n++] = loop;
        parts[i] = has_far(seq->kids[i], &w);
        if (!parts[i] && order[i] > last) last = order[i];
        if (parts[i] && order[i] < first) first = order[i];
    }
    return last >= 0 && first < MOST_KIDS && last < first;
}

// The loop inside of which that can be done; NULL: there is none. Loops around it count as the host's.
static Node *find_mixed(const Panels *v, Node *n, int *parts) {
    Plan *p = v->p;
    bool loop = n->kind == N_FOR;
    if (p->nhost == MAX_HOST_LOOPS) return NULL;
    if (loop && n->iter != v->steps && far_apart(v, n, parts)) return n;
    if (loop) p->host[p->nhost++] = n;
    Node *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_mixed(v, node_kid(n, i), parts);
    p->nhost -= loop;
    return found;
}

static Node *with_parts(const Panels *v, Node *tree) {
    int parts[MOST_KIDS];
    Node *loop;
    while (tree && (loop = find_mixed(v, tree, parts)))
        tree = plan_step(v->p, tree, "distribute %s parts=%s", loop->iter->name,
                         plan_numbers(v->p, unwrap(loop->body)->nkids, parts));
    return tree;
}

// tree: strips, in them their steps. Those of each group of things that need each other by themselves.
static Node *with_groups(Plan *p, Node *tree) {
    Node *steps = unwrap(tree->body), *seq = steps->kind == N_FOR ? unwrap(steps->body) : NULL;
    int part[MOST_KIDS];
    if (!seq || seq->kind != N_SEQ || seq->nkids > MOST_KIDS || p->nhost == MAX_HOST_LOOPS) return NULL;
    p->host[p->nhost++] = tree;
    ChainFacts *f = chain_facts(p, steps);
    int n = f->chain.n == 1 ? distribute(f, part, p) : 0;
    p->nhost--;
    if (n < 2) return NULL;
    return plan_step(p, tree, "distribute %s parts=%s", steps->iter->name, plan_numbers(p, seq->nkids, part));
}

// ---- one group ------------------------------------------------------------------------------------------
// Far loops around near ones, so that each of their iterations may be a thread's.
static Node *far_outside(Plan *p, Node *group) {
    Node *seq = unwrap(group->body);
    int n = seq->kind == N_SEQ ? seq->nkids : 1;
    for (int i = 0; i < n; i++) {
        Chain c = chain_of(seq->kind == N_SEQ ? seq->kids[i] : seq);
        bool near[16], mixed = false;
        Text order = text_new(p->a);
        for (int l = 0; l < c.n; l++) {
            near[l] = is_near(c.loop[l], l, c.loop, group->iter);
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
static Node *in_threads(Plan *p, Node *group, const Chain *c) {
    Text order = text_new(p->a), threads = text_new(p->a);
    const char *name[2];
    for (int l = 0; l < c->n; l++) name[l] = c->loop[l]->iter->name;
    for (int l = 0; l < c->n; l++) {
        const char *o = name_fresh(&p->names, name[l]), *i = name_fresh(&p->names, name[l]);
        group = plan_step(p, group, "strip %s by=%d as=%s,%s", name[l], PANEL, o, i);
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

// What the steps of a corner read and write comes to shared memory first, and goes back at the end.
static Node *in_shared(Plan *p, Node *kernel) {
    const Region *r = p->region;
    for (int i = 0; i < r->narrays; i++) {
        if (!node_uses_array(p->a, kernel, r->arrays[i])) continue;
        Node *t = plan_step(p, kernel, "stage %s at=%s pad=1", r->arrays[i]->name, unwrap(kernel)->name);
        kernel = t ? t : kernel;
    }
    return kernel;
}

// The near corner: one block goes through the steps.
static Node *in_block(Plan *p, Node *group) {
    group = with_hulls(p, with_phases(p, group));
    const Node *seq = unwrap(group->body);
    int n = seq->kind == N_SEQ ? seq->nkids : 1;
    Chain c[MOST_KIDS];
    if (n > MOST_KIDS) return NULL;
    for (int i = 0; i < n; i++) {
        c[i] = chain_of(seq->kind == N_SEQ ? seq->kids[i] : (Node *)seq);
        if (c[i].n > 2 || (c[i].body && plan_has_loop(c[i].body))) return NULL;
    }
    const char *once[MOST_KIDS], *steps = group->iter->name;
    for (int i = 0; i < n && group; i++) {
        int out = 0;
        if (c[i].n) continue;
        once[i] = name_fresh(&p->names, "once");
        const char *first = first_of(c[i].body, &out);
        group = first ? plan_step(p, group, "single %s out=%d loop=%s", first, out, once[i]) : NULL;
    }
    group = plan_step(p, group, "single %s", steps);
    for (int i = 0; i < n && group; i++)
        group = c[i].n ? in_threads(p, group, &c[i]) : plan_step(p, group, "map thread %s", once[i]);
    return group ? in_shared(p, group) : NULL;
}

// A thread's rows, of which each element that the steps go on changing is kept in a register.
static Node *with_kept(Plan *p, Node *kernel) {
    Node *n = plan_step(p, kernel, "accumulate %s beside=others", unwrap(kernel)->name);
    return plan_each_kernel(p, n ? n : kernel, "unroll");
}

// A product: its terms, the steps of a strip, innermost. What else has one far loop: its threads keep what is
// theirs (steps.c), or a warp's threads go through it, so that many multiprocessors have part in what is short
// and long.
static Node *plan_far(Plan *p, Node *group) {
    Chain c = chain_of(group);
    bool far = c.n > 1 && !is_near(c.loop[1], 0, NULL, group->iter), product = c.n == 3 && far;
    product = product && !plan_has_loop(c.body) && !is_near(c.loop[2], 2, c.loop, group->iter);
    if (product) {
        Node *t = plan_step(p, group, "interchange %s %s %s", c.loop[1]->iter->name, c.loop[2]->iter->name,
                            c.loop[0]->iter->name);
        return t ? plan_node(p, t) : NULL;
    }
    PlanMark before = plan_mark(p);
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

static Node *plan_group(Plan *p, Node *group) {
    Panels v = {.p = p, .steps = group->iter};
    Walk w = {.v = &v};
    return has_far(group, &w) ? plan_far(p, with_fused(p, far_outside(p, group))) : in_block(p, group);
}

static Node *planned_groups(Plan *p, Node *tree) {
    Node *seq = node_clone(p->a, unwrap(tree->body));
    if (seq->kind != N_SEQ || seq->nlocals) return NULL;
    Node **kid = NEW_N(p->a, Node *, seq->nkids);
    p->host[p->nhost++] = tree;
    int done = 0, before = p->done.n;
    for (; done < seq->nkids; done++) {
        if (seq->kids[done]->kind != N_FOR || !(kid[done] = plan_group(p, seq->kids[done]))) break;
        vec_push(p->a, &p->done, kid[done]);
    }
    p->nhost--, p->done.n = before;
    if (done < seq->nkids) return NULL;
    seq->kids = kid;
    return plan_step(p, node_around(p->a, tree, seq), "batch %s as=graph", tree->iter->name);
}

// ---- which loops ---------------------------------------------------------------------------------------
// How many loops stand around a statement below, at most; -1: something is no plain loop.
static int depth_of(const Node *n, const Sym *counter, bool *behind) {
    if (n->kind == N_STMT) return 0;
    bool plain = n->kind == N_SEQ ? !n->nlocals : n->kind == N_IF ? !n->other : n->kind == N_FOR;
    if (n->kind == N_FOR) {
        plain = !loop_is_unbounded(n) && cond_is_free(n->lo) && cond_is_free(n->hi) && n->how == HOW_SERIAL;
        *behind |= expr_uses_sym(n->lo, counter);
    }
    int most = 0;
    for (int i = 0; plain && node_kid(n, i); i++) {
        int d = depth_of(node_kid(n, i), counter, behind);
        plain = d >= 0;
        most = d > most ? d : most;
    }
    return plain ? most + (n->kind == N_FOR) : -1;
}

static Node *in_panels(Plan *p, Node *loop) {
    Node *tree = plan_step(p, loop, "strip %s by=%d", loop->iter->name, PANEL);
    if (!tree || tree->kind != N_FOR) return NULL;
    Node *steps = unwrap(tree->body);
    if (steps->kind != N_FOR) return NULL;
    Arena *a = p->a;
    Type t = tree->iter->type;
    Expr *strips = expr_mul(a, expr_sym(a, tree->iter), expr_int(a, t, PANEL));
    Expr *end = expr_add(a, expr_cast(a, t, loop->lo), expr_add(a, strips, expr_int(a, t, PANEL)));
    Panels v = {.p = p, .steps = steps->iter, .end = plan_words(p, end)};
    tree = with_parts(&v, with_splits(&v, tree));
    tree = tree ? with_groups(p, tree) : NULL;
    return tree && tree->kind == N_FOR ? planned_groups(p, tree) : NULL;
}

// Has the loop, in a call that is known, no more steps than a strip?
static bool is_short(const Plan *p, const Node *loop) {
    const PlanCall *k = p->o->call;
    Expr *trips = loop_trips(p->a, loop);
    int64_t n;
    return k && k->vals && !expr_uses_iters(trips) && ir_eval(trips, k->nvals, k->vals, &n) && n <= PANEL;
}

Node *plan_panels(Plan *p, Node *loop) {
    bool behind = false;
    if (p->paneling || p->o->plain || !p->gpu || p->nhost) return NULL;
    if (loop->step != 1 || !type_is_signed(loop->iter->type) || is_short(p, loop)) return NULL;
    if (expr_uses_iters(loop->lo) || depth_of(loop->body, loop->iter, &behind) < 1 || !behind) return NULL;
    int parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    PlanMark before = plan_mark(p);
    p->paneling = true;
    Node *n = in_panels(p, loop);
    p->paneling = false;
    if (n) return p->npanels++, n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return plan_back(p, before), NULL;
}
