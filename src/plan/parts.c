// SPDX-License-Identifier: MIT
// parts.c -- regions of several loop nests: the shaped kernels of those that are contractions or sums of
// rows.
//
//   for i, j { e = 0; for k e += a * b }          if (cost₁ <= cost₂) { tiles of 256 x 128 } else …
//   for i, j { f = 0; for k f += c * d }    →     if (…) … else { one element a thread }
//   for i  x[i] = …                               x: as ever
//
// While the default nest is planned from the outside in, what would have a shape alone is looked at as a
// region (part.c), gets the nests that it would have alone (variants.c), and these go back into the tree. Of
// each part the cheapest that may run does, by its own estimate, whatever the other parts do: the choice is a
// condition of the host, so there is no product of choices. For a call only the one that it takes is there.
#include "plan/part.h"
#include "plan/variants.h"
#include <string.h>

enum { MOST_NEIGHBOURS = 3 }; // before the sum, the sum, behind it

// ---- candidates -------------------------------------------------------------------------
typedef struct Look {
    int depth, deepest, sums;  // loops here; loops around the innermost statement; updates that stand so deep
    const Array *sum;
    bool chosen, no;           // data choose what it updates
} Look;

static void look_deeper(Look *l, const Node *n) {
    if (n->kind == N_COPY || n->kind == N_KERNEL) l->no = true;
    if (l->no) return;
    if (n->kind == N_STMT && l->depth >= l->deepest) {
        if (l->depth > l->deepest) l->sums = 0, l->sum = NULL;
        l->sums++;
        l->deepest = l->depth;
        if (n->stmt->op != OP_SET) l->sum = n->stmt->lhs;
        for (int d = 0; n->stmt->op != OP_SET && d < n->stmt->lhs->rank; d++)
            l->chosen |= expr_has_load(n->stmt->sub[d]);
    }
    l->depth += n->kind == N_FOR;
    for (int i = 0; node_kid(n, i); i++) look_deeper(l, node_kid(n, i));
    l->depth -= n->kind == N_FOR;
}

// One update in three loops or more, everything else in fewer, updates in two, or of elements that data
// choose. To save looking closer at all that is neither contraction nor rows nor histogram.
static const Array *summed_in(const Node *tree) {
    Look l = {0};
    look_deeper(&l, tree);
    return !l.no && (l.chosen || l.deepest == 2 || (l.sums == 1 && l.deepest >= 3)) ? l.sum : NULL;
}

// ---- the choice -----------------------------------------------------------------------------
typedef struct Choice {
    Expr *when, *cost;         // cost: NULL: it runs whenever it may
    Node *node;
} Choice;

static const double NEVER = 1e300;

static Expr *price(Arena *a, const Choice *x) {
    Expr *cost = x->cost ? x->cost : expr_float(a, T_F64, 0);
    return expr_op(a, OP_SELECT, x->when, cost, expr_float(a, T_F64, NEVER));
}

static Expr *least_of(Arena *a, int n, const Choice *x) {
    if (n == 1) return price(a, x);
    return expr_op(a, OP_MIN, least_of(a, n / 2, x), least_of(a, n - n / 2, x + n / 2), NULL);
}

// Halves against each other, so that a cost is written as often as the tree is deep.
static Node *cheapest(Arena *a, int n, const Choice *x) {
    if (n == 1) return x->node;
    Expr *first = expr_op(a, OP_LE, least_of(a, n / 2, x), least_of(a, n - n / 2, x + n / 2), NULL);
    return node_if(a, first, cheapest(a, n / 2, x), cheapest(a, n - n / 2, x + n / 2));
}

static Node *choose(Arena *a, int n, const Choice *x, Node *plain) {
    Expr *any = NULL;
    for (int i = 0; i < n; i++) any = any ? expr_op(a, OP_LOR, any, x[i].when, NULL) : x[i].when;
    return node_if(a, any, cheapest(a, n, x), plain);
}

// ---- the call of a part -----------------------------------------------------------------------
typedef struct Within {
    Plan *p;
    const Part *part;
    int n;
    const Sym **counter;       // of the host's loops
    Expr **value;
} Within;

// Nests of the part as the whole's, which whoever knows the call is asked about.
static int pick_within(Compile *c, int n, Nest *const *chain, const void *arg) {
    const Within *w = arg;
    const PlanCall *call = w->p->o->call;
    PlanMark before = plan_mark(w->p);
    Nest **whole = NEW_N(c->arena, Nest *, n + 1);
    for (int i = 0; i < n; i++) {
        Nest *x = whole[i] = NEW(c->arena, Nest);
        *x = *chain[i];
        x->when = x->when ? part_expr(w->p, w->part, chain[i], x->when) : NULL;
        x->cost = x->cost ? part_expr(w->p, w->part, chain[i], x->cost) : NULL;
        if (x->when) x->when = expr_subst(c->arena, x->when, w->n, w->counter, w->value);
        if (x->cost) x->cost = expr_subst(c->arena, x->cost, w->n, w->counter, w->value);
        PlanMark facts = plan_mark(w->p);
        x->nfacts = facts.nfacts;
        x->facts = (Fact *)facts.facts;
    }
    plan_back(w->p, before);
    return call->pick(c, n, whole, call->arg);
}

// With values for the counters of the host's loops: a third of the way. NULL: they can't be told.
static const PlanCall *call_within(Plan *p, const Part *part) {
    const Region *r = part_region(part);
    PlanCall *call = NEW(p->a, PlanCall);
    InterpVal *v = NEW_N(p->a, InterpVal, r->nparams + p->nhost + 1);
    Within *w = NEW_AS(p->a, Within, (Within){.p = p, .part = part, .n = p->nhost});
    w->counter = NEW_N(p->a, const Sym *, p->nhost + 1);
    w->value = NEW_N(p->a, Expr *, p->nhost + 1);
    *call = *p->o->call;
    memcpy(v, call->vals, sizeof *v * (size_t)call->nvals);
    call->vals = v;
    for (int i = 0; i < p->nhost; i++) {
        const Node *loop = p->host[i];
        Expr *lo = expr_subst(p->a, loop->lo, i, w->counter, w->value);
        Expr *hi = expr_subst(p->a, loop->hi, i, w->counter, w->value);
        int64_t from, to;
        if (!ir_eval(lo, call->nvals, v, &from) || !ir_eval(hi, call->nvals, v, &to)) return NULL;
        int64_t at = from + (to - from) / 3;
        w->counter[i] = loop->iter;
        w->value[i] = expr_int(p->a, loop->iter->type, at);
        v[call->nvals++] = (InterpVal){.sym = r->params[p->region->nparams + i], .i = at};
    }
    call->pick = call->pick ? pick_within : NULL;
    call->arg = w;
    return call;
}

// ---- one part ---------------------------------------------------------------------------------
static Node *plain_nest(Plan *p, Node *tree) {
    p->shaping = false;
    Node *n = plan_node(p, tree);
    p->shaping = true;
    return n;
}

// The loops of a part as they are planned without a shape: the part's standard nest, where it can be judged
// by itself, else what stands there in the plan of the whole.
static Node *plain_of(Plan *p, Node *tree, const Part *part, const PlanCall *call, PlanPart *out) {
    const Nest *standard = NULL;
    if (part && call->vals && part_lives(part)) {
        PartNests *kept = part_nests(part, true);
        if (!kept->plain) kept->standard = plan_standard(p->c, part_region(part), part_dep(part), call);
        kept->plain = true;
        standard = kept->standard;
    }
    // What is asked of data before a launch is the whole nest's to ask, and for all iterations of the host.
    Expr *when = standard && standard->when ? part_expr(p, part, standard, standard->when) : NULL;
    bool stands = standard && !standard->npromised && !(when && expr_uses_iters(when));
    Node *n = stands ? part_back(p, part, standard) : NULL;
    if (n) out->nest[out->n++] = standard;
    if (n) plan_require(p, when);
    return n ? n : plain_nest(p, tree);
}

static int choices_of(Plan *p, const Part *part, const PlanCall *call, Choice *out, PlanPart *parts) {
    PartNests *kept = part_nests(part, call->vals);
    if (!kept->shaped)
        kept->n = plan_shapes(p->c, part_region(part), part_dep(part), call, kept->nest, PLAN_VARIANTS);
    kept->shaped = true;
    Nest **first = kept->nest;
    int count = kept->n, n = 0;
    if (count > 1 && call->pick) {
        int at = call->pick(p->c, count, first, call->arg);
        first += at > 0 ? at : 0, count = at >= 0;
    }
    for (int i = 0; i < count; i++) {
        Choice x = {part_expr(p, part, first[i], first[i]->when), NULL, part_back(p, part, first[i])};
        if (first[i]->cost) x.cost = part_expr(p, part, first[i], first[i]->cost);
        if (x.node) out[n++] = x;
        if (x.node && parts->n < PLAN_PART_NESTS - 1) parts->nest[parts->n++] = first[i];
    }
    return n;
}

// also: its standard nest where it has no shape. A part of a host loop need not add up anything.
static Node *part_of(Plan *p, Node *tree, bool also) {
    Choice choice[PLAN_VARIANTS];
    if (!p->shaping || (!summed_in(tree) && !also && !p->nhost && !p->several)) return NULL;
    if (p->cutting && tree == unwrap(p->root)) return NULL; // whoever cuts the region has looked at the whole
    Compile *c = p->c;
    int diags = c->diags.n, errors = c->errors;
    const PlanCall any = {.target = p->o->target};
    Part *part = part_new(p, tree);
    const PlanCall *call = part && p->o->call ? call_within(p, part) : NULL;
    if (!call) call = &any;
    PlanPart out = {.loops = tree};
    int n = part ? choices_of(p, part, call, choice, &out) : 0, shaped = out.n;
    Node *plain = n || (part && also) ? plain_of(p, tree, part, call, &out) : NULL;
    c->diags.n = diags, c->errors = errors;
    if (!n && out.n == shaped) return NULL; // as ever
    p->nshaped += n > 0;
    p->nparallel++;
    out.node = n ? choose(p->a, n, choice, plain) : plain;
    out.alone = out.n == n + 1;
    vec_push(p->a, &p->parts, out);
    return (Node *)out.node;
}

Node *plan_part(Plan *p, Node *tree) {
    // A loop of the host is no piece that is planned by itself: what stands in it may be.
    bool rows = (p->cutting && p->cutting != CUT_LOOPS) || tree->kind != N_FOR || chain_facts(p, tree)->nfree;
    if (!p->cutting && !rows) return NULL;
    return part_of(p, tree, p->cutting && p->cutting != CUT_STEPS && rows);
}

Node *plan_neighbours(Plan *p, int n, Node *const *kids, int *taken) {
    if (!p->shaping) return NULL;
    for (*taken = n < MOST_NEIGHBOURS ? n : MOST_NEIGHBOURS; *taken > 1; --*taken) {
        Node *seq = node_seq(p->a, *taken, kids), *part;
        const Array *sum = summed_in(seq);
        bool all = sum != NULL;
        for (int i = 0; all && i < *taken; i++) all = node_uses_array(p->a, kids[i], sum);
        if (all && (part = part_of(p, seq, false))) return part;
    }
    return NULL;
}
