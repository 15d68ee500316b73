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
// product (panel_group.c).
//
// Where steps work on all rows, those before the pivot too, loops are split where the strip begins as well;
// what far parts read and later steps overwrite is kept from step to step (keeps.c). Gauss and Jordan's
// elimination becomes products on all sides of the strip. Floyd and Warshall's steps read rows and columns
// that they change, too: some parts see these as they were before, some behind, and each has its own copy.
#include "plan/panels.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include "rule/refs.h"

enum { MOST_SPLITS = 24 };

typedef struct Panels {
    Strip s;
    const char *start, *end;   // of the strip, as a step's knob has them
    bool across;               // loops go through rows before the strip, too
    int nsplit;
    const char *split[MOST_SPLITS]; // loops that begin behind the step
} Panels;

// ---- near and far -----------------------------------------------------------------------------------
// Does the loop begin behind the step, by its own bounds or those of loops around it?
static bool is_behind(const Node *loop, int n, const Node *const *around, const Sym *steps) {
    if (expr_uses_sym(loop->lo, steps)) return true;
    for (int k = n - 1; k >= 0; k--)
        if (expr_uses_sym(loop->lo, around[k]->iter) && is_behind(around[k], k, around, steps)) return true;
    return false;
}

// Is x that term, or the least or greatest of several of which it is one?
static bool has_term(Expr *x, Op op, Expr *term) {
    int64_t d;
    if (linear_distance(x, term, &d)) return d == 0;
    if (x->kind == E_CAST) return has_term(x->args[0], op, term);
    if (x->kind != E_OP || x->op != op) return false;
    return has_term(x->args[0], op, term) || has_term(x->args[1], op, term);
}

Side panel_side(const Strip *s, const Node *loop, int n, const Node *const *around) {
    bool from = has_term(loop->lo, OP_MAX, s->start), to = has_term(loop->hi, OP_MIN, s->end);
    if ((from && to) || is_behind(loop, n, around, s->steps)) return SIDE_NEAR;
    if (has_term(loop->lo, OP_MAX, s->end)) return SIDE_BEHIND;
    return has_term(loop->hi, OP_MIN, s->start) ? SIDE_BEFORE : SIDE_ELSEWHERE;
}

bool panel_is_far(const Strip *s, const Node *loop, int n, const Node *const *around) {
    return panel_side(s, loop, n, around) != SIDE_NEAR;
}

typedef struct Walk {
    const Strip *s;
    int n;
    const Node *around[PANEL_AROUND];
} Walk;

static bool has_far(Walk *w, Node *n) {
    bool loop = n->kind == N_FOR;
    bool far = loop && n->iter != w->s->steps && panel_is_far(w->s, n, w->n, w->around);
    if (loop && w->n < PANEL_AROUND) w->around[w->n++] = n;
    for (int i = 0; node_kid(n, i) && !far; i++) far = has_far(w, node_kid(n, i));
    w->n -= loop;
    return far;
}

bool panel_has_far(const Strip *s, const Node *tree, int n, const Node *const *around) {
    Walk w = {.s = s};
    for (int i = 0; i < n && w.n < PANEL_AROUND; i++) w.around[w.n++] = around[i];
    return has_far(&w, (Node *)tree);
}

// ---- loops in two or three ----------------------------------------------------------------------------
static bool is_split(const Panels *v, const char *name) {
    for (int i = 0; i < v->nsplit; i++)
        if (str_eq(v->split[i], name)) return true;
    return false;
}

// A loop that begins behind the step, and has not been split yet; NULL: there is none.
static const Node *find_behind(const Panels *v, Walk *w, Node *n) {
    bool loop = n->kind == N_FOR;
    if (loop && w->n == PANEL_AROUND) return NULL;
    bool its = loop && n->iter != v->s.steps && !is_split(v, n->iter->name);
    if (its && is_behind(n, w->n, w->around, v->s.steps)) return n;
    if (loop) w->around[w->n++] = n;
    const Node *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_behind(v, w, node_kid(n, i));
    w->n -= loop;
    return found;
}

static bool goes_along(Expr *sub, const Sym *counter) {
    Linear l;
    return linear_of(sub, &l) && linear_coef(&l, counter) == 1;
}

// In which dimensions of written arrays does the loop go through places of which the step's number is one? A
// bit for each; its bounds are the same in all steps.
static unsigned across(const Refs *refs, const Node *loop, const Sym *steps) {
    unsigned dims = 0;
    if (expr_uses_iters(loop->lo) || expr_uses_iters(loop->hi)) return 0;
    for (int i = 0; i < refs->n; i++)
        for (int j = 0; j < refs->n; j++) {
            const Ref *x = &refs->at[i], *y = &refs->at[j];
            if (x->array != y->array || !refs->uses.at[x->use].written) continue;
            for (int d = 0; d < x->array->rank && d < 32; d++)
                if (goes_along(x->sub[d], loop->iter) && goes_along(y->sub[d], steps)) dims |= 1u << d;
        }
    return dims;
}

static const Node *find_across(Node *tree, const Refs *refs, const Sym *steps) {
    if (tree->kind == N_FOR && tree->iter != steps && across(refs, tree, steps)) return tree;
    const Node *found = NULL;
    for (int i = 0; node_kid(tree, i) && !found; i++) found = find_across(node_kid(tree, i), refs, steps);
    return found;
}

static unsigned all_across(Node *tree, const Refs *refs, const Sym *steps) {
    unsigned dims = tree->kind == N_FOR ? across(refs, tree, steps) : 0;
    for (int i = 0; node_kid(tree, i); i++) dims |= all_across(node_kid(tree, i), refs, steps);
    return dims;
}

static Node *with_splits(Panels *v, Node *tree) {
    Plan *p = v->s.p;
    const Node *loop;
    for (Walk w = {.s = &v->s}; tree && (loop = find_behind(v, &w, tree)); w.n = 0) {
        if (v->nsplit == MOST_SPLITS || loop->step != 1) return NULL;
        v->split[v->nsplit++] = loop->iter->name;
        Node *n = plan_step(p, tree, "split %s at=%s", loop->iter->name, v->end);
        tree = n ? unwrap(n) : tree;
    }
    for (Refs refs; tree && v->across; tree = unwrap(tree)) {
        Node *steps = unwrap(tree->body);
        refs_of(p->a, steps, &refs);
        if (!(loop = find_across(steps->body, &refs, v->s.steps))) break;
        if (loop->step != 1) return NULL;
        tree = plan_step(p, tree, "split %s at=%s", loop->iter->name, v->end);
        tree = tree ? plan_step(p, unwrap(tree), "split %s at=%s", loop->iter->name, v->start) : NULL;
    }
    return tree;
}

// ---- loops of their own ---------------------------------------------------------------------------------
// Things in the loop with far loops in them each by itself, behind those without: *parts says which. False:
// they stay together.
static bool far_apart(const Panels *v, Node *loop, int *parts) {
    Plan *p = v->s.p;
    int order[PANEL_KIDS];
    bool near[PANEL_KIDS];
    ChainFacts *f = chain_order(p, loop);
    const Node *seq = f->things;
    if (f->chain.n != 1 || seq->kind != N_SEQ || seq->nkids > PANEL_KIDS) return false;
    Walk w = {.s = &v->s};
    for (int k = 0; k < p->nhost; k++) w.around[w.n++] = p->host[k];
    w.around[w.n++] = loop;
    for (int i = 0; i < seq->nkids; i++) near[i] = !panel_has_far(w.s, seq->kids[i], w.n, w.around);
    if (distribute(f, order, near, p) < 2) return false;
    int last = -1, first = PANEL_KIDS;
    for (int i = 0; i < seq->nkids; i++) {
        if (near[i] && order[i] > last) last = order[i];
        if (!near[i] && order[i] < first) first = order[i];
    }
    bool several = false, together = last < first; // near ones first and together, else each where it may be
    for (int i = 0; i < seq->nkids; i++) {
        parts[i] = !together ? order[i] : near[i] ? 0 : order[i] - first + (last >= 0);
        several |= parts[i] != parts[0];
        for (int k = 0; k < i && !together; k++)
            if (near[i] != near[k] && order[i] == order[k]) return false;
    }
    return several;
}

// The loop inside of which that can be done; NULL: there is none. Loops around it count as the host's.
static Node *find_mixed(const Panels *v, Node *n, int *parts) {
    Plan *p = v->s.p;
    bool loop = n->kind == N_FOR;
    if (p->nhost == MAX_HOST_LOOPS) return NULL;
    if (loop && n->iter != v->s.steps && far_apart(v, n, parts)) return n;
    if (loop) p->host[p->nhost++] = n;
    Node *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_mixed(v, node_kid(n, i), parts);
    p->nhost -= loop;
    return found;
}

static Node *with_parts(const Panels *v, Node *tree) {
    int parts[PANEL_KIDS];
    Plan *p = v->s.p;
    Node *loop;
    while (tree && (loop = find_mixed(v, tree, parts)))
        tree = plan_step(p, tree, "distribute %s parts=%s", loop->iter->name,
                         plan_numbers(p, loop_things(p->a, unwrap(loop->body))->nkids, parts));
    return tree;
}

// tree: strips, in them their steps. Those of each group of things that need each other by themselves.
static Node *with_groups(Plan *p, Node *tree) {
    Node *steps = unwrap(tree->body);
    int part[PANEL_KIDS];
    if (steps->kind != N_FOR || p->nhost == MAX_HOST_LOOPS) return NULL;
    p->host[p->nhost++] = tree;
    ChainFacts *f = chain_order(p, steps);
    bool fits = f->chain.n == 1 && f->things->kind == N_SEQ && f->things->nkids <= PANEL_KIDS;
    int n = fits ? distribute(f, part, NULL, p) : 0;
    p->nhost--;
    if (n < 2) return NULL;
    return plan_step(p, tree, "distribute %s parts=%s", steps->iter->name,
                     plan_numbers(p, f->things->nkids, part));
}

static Node *planned_groups(const Strip *s, Node *tree) {
    Plan *p = s->p;
    Node *seq = node_clone(p->a, unwrap(tree->body));
    if (seq->kind != N_SEQ || seq->nlocals) return NULL;
    Node **kid = NEW_N(p->a, Node *, seq->nkids);
    p->host[p->nhost++] = tree;
    int done = 0, before = p->done.n;
    for (; done < seq->nkids; done++) {
        if (seq->kids[done]->kind != N_FOR || !(kid[done] = panel_group(s, seq->kids[done]))) break;
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
    bool plain = n->kind == N_SEQ || (n->kind == N_IF ? !n->other : n->kind == N_FOR);
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) plain &= !n->locals[i]->rank;
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

static const Array *find_local(const Node *n) {
    if (n->kind == N_SEQ && n->nlocals) return n->locals[0];
    const Array *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_local(node_kid(n, i));
    return found;
}

// Variables of a step with an element for each of the strip.
static Node *with_elements(Plan *p, Node *tree, const Sym *steps) {
    for (const Array *x; tree && (x = find_local(tree));)
        tree = plan_step(p, tree, "expand %s from=%s", x->name, steps->name);
    return tree;
}

// How many steps a strip has. Each is a launch of one block and one of all others, which steps of one loop,
// as those of a triangular system, hardly fill: then as many as a corner's rows fit shared memory.
static int64_t length_of(const Plan *p, const Refs *refs, int depth) {
    const PlanCall *k = p->o->call;
    int64_t length = PANEL, row = 0;
    for (int i = 0; i < refs->n; i++)
        if (refs->at[i].array->rank > 1 && row < type_size(refs->at[i].array->elem))
            row = type_size(refs->at[i].array->elem);
    if (depth > 1 || !k || !k->machine) return PANEL;
    for (; length < LONG_PANEL; length *= 2)
        if ((2 * length + 2) * (2 * length + 2) * row > k->machine->shared_optin) break;
    return length;
}

static Node *in_panels(Plan *p, Node *loop, bool both, int64_t length) {
    Node *tree = plan_step(p, loop, "strip %s by=%lld", loop->iter->name, (long long)length);
    if (!tree || tree->kind != N_FOR) return NULL;
    Node *steps = unwrap(tree->body);
    if (steps->kind != N_FOR) return NULL;
    Arena *a = p->a;
    Type t = tree->iter->type;
    Expr *strips = expr_mul(a, expr_sym(a, tree->iter), expr_int(a, t, length));
    Expr *start = expr_add(a, expr_cast(a, t, loop->lo), strips);
    Expr *end = expr_add(a, start, expr_int(a, t, length));
    Panels v = {.s = {p, steps->iter, start, end, length}, .across = both};
    v.start = plan_words(p, start), v.end = plan_words(p, end);
    tree = with_parts(&v, with_splits(&v, with_elements(p, tree, steps->iter)));
    tree = tree ? panel_keeps(&v.s, tree) : NULL;
    tree = tree ? with_groups(p, tree) : NULL;
    return tree && tree->kind == N_FOR ? planned_groups(&v.s, tree) : NULL;
}

// Has the loop, in a call that is known, no more steps than a strip?
static bool is_short(const Plan *p, const Node *loop) {
    const PlanCall *k = p->o->call;
    Expr *trips = loop_trips(p->a, loop);
    int64_t n;
    return k && k->vals && !expr_uses_iters(trips) && ir_eval(trips, k->nvals, k->vals, &n) && n <= PANEL;
}

// A loop below the tree that ends as far before a place as the counter has come; NULL: there is none. Loops
// around it count as the host's: *free says whether it is free where it stands.
static const Node *find_before(Plan *p, Node *n, const Sym *counter, bool *free) {
    if (p->nhost == MAX_HOST_LOOPS) return NULL;
    bool loop = n->kind == N_FOR;
    Linear end;
    if (loop && n->step == 1 && !expr_uses_iters(n->lo) && linear_of(n->hi, &end) &&
        linear_coef(&end, counter) == -1) {
        *free = chain_facts(p, n)->loop[0].freedom == FREE_YES;
        return n;
    }
    if (loop) p->host[p->nhost++] = n;
    const Node *found = NULL;
    for (int i = 0; node_kid(n, i) && !found; i++) found = find_before(p, node_kid(n, i), counter, free);
    p->nhost -= loop;
    return found;
}

// for k { for i in 0 .. n - 1 - k  S(k, i) }   →   for k { for i in k + 1 .. n  S(k, n - 1 - i) }
//
// Loops that go through what lies before the step, as a substitution from below has them, go through what
// lies behind it. NULL: there are none, or one is not free.
static Node *turned_behind(Plan *p, Node *loop) {
    Node *tree = loop;
    const Node *inner;
    for (bool free = true; tree && (inner = find_before(p, tree, loop->iter, &free));) {
        Expr *step = expr_cast(p->a, inner->hi->type, expr_sym(p->a, loop->iter));
        Expr *about = linear_tidy(p->a, expr_add(p->a, inner->hi, step));
        tree = !free || expr_uses_iters(about) ? NULL
               : plan_step(p, tree, "reverse %s about=%s", inner->iter->name, plan_words(p, about));
    }
    return tree == loop ? NULL : tree;
}

Node *plan_panels(Plan *p, Node *loop) {
    bool behind = false;
    if (p->paneling || p->o->plain || !p->gpu || p->nhost) return NULL;
    if (loop->step != 1 || !type_is_signed(loop->iter->type) || is_short(p, loop)) return NULL;
    int depth = expr_uses_iters(loop->lo) ? -1 : depth_of(loop->body, loop->iter, &behind);
    if (depth < 1) return NULL;
    Refs refs;
    refs_of(p->a, loop->body, &refs);
    // Of loops across in two dimensions there are twice as many parts: more than the judge decides, but where
    // each is planned, and judged, by itself.
    unsigned dims = all_across(loop->body, &refs, loop->iter);
    bool both = dims && (p->shaping || !(dims & (dims - 1)));
    // Sums in variables are better turned outward (outward.c).
    PlanMark before = plan_mark(p);
    if (!both && !behind) {
        Node *turned = turned_behind(p, loop), *n = turned ? plan_panels(p, turned) : NULL;
        return n ? n : (plan_back(p, before), NULL);
    }
    if (!both && find_local(loop->body)) return NULL;
    int parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    p->paneling = true;
    Node *n = in_panels(p, loop, both, length_of(p, &refs, depth));
    p->paneling = false;
    if (n) return p->npanels++, n;
    poly_restart(p->c); // what that was worth is not missing elsewhere
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return plan_back(p, before), NULL;
}
