// SPDX-License-Identifier: MIT
// shares.c -- few long sums cut in shares, which are sums of the same kind, and the sums of these.
//
//   for k { s = 0                        for k  s[k] = 0
//     for b for i  s += …          →     for b for p for k { c[b][p][k] = 0;  for q  c[b][p][k] += … }
//     y[k] = s }                         for b for p for k  s[k] += c[b][p][k]
//                                        for k  y[k] = s[k]
//
// Correlations, the gradient of a filter's weights, moments: there are fewer results than blocks that fit the
// device. Each piece is planned as a region of its own (parts.c): what the shares are made of is what any
// strategy finds for so many sums. The model compares that with whatever has no cut.
#include "plan/auto.h"
#include "rule/loops.h"

enum {
    BLOCKS = 8,       // of 256 threads that a multiprocessor has at once
    LONG = 4096,      // terms of a share at least
    MOST_SUMS = 8,    // loops of one sum
};

typedef struct Shares {
    Plan *p;
    Chain rows, sum;
    double results, terms;          // in the call; of one result
    const Node *update;
} Shares;

// Iterations of a loop in the call, where counters of loops around it are in their middle; -1: can't be told.
static double trips_in(const Shares *s, const Node *loop) {
    Arena *a = s->p->a;
    const PlanCall *k = s->p->o->call;
    Expr *trips = loop_trips(a, loop);
    for (int i = s->rows.n - 1; i >= 0; i--) {
        const Node *row = s->rows.loop[i];
        Expr *ends = expr_add(a, expr_cast(a, T_I64, row->lo), expr_cast(a, T_I64, row->hi));
        Expr *middle = expr_op(a, OP_FDIV, ends, expr_int(a, T_I64, 2), NULL);
        trips = expr_subst(a, trips, 1, (const Sym *const *)&row->iter, &middle);
    }
    int64_t n;
    if (expr_uses_iters(trips) || expr_has_load(trips) || !ir_eval(trips, k->nvals, k->vals, &n)) return -1;
    return n > 0 ? (double)n : 0;
}

// Free loops around everything, and how many results there are.
static bool find_rows(Shares *s, Node *loop) {
    const ChainFacts *f = chain_facts(s->p, loop);
    s->results = 1;
    s->rows = f->chain, s->rows.n = 0;
    while (s->rows.n < f->chain.n && f->loop[s->rows.n].freedom == FREE_YES) {
        double trips = trips_in(s, f->chain.loop[s->rows.n]);
        if (trips < 0) return false;
        s->results *= trips, s->rows.n++;
    }
    if (!s->rows.n) return false;
    s->rows.body = s->rows.n < f->chain.n ? (Node *)f->chain.loop[s->rows.n] : f->chain.body;
    return true;
}

// The only loop nest in a row, which does nothing but add to one element.
static bool find_sum(Shares *s) {
    Plan *p = s->p;
    Node *body = s->rows.body, *loop = NULL;
    for (int i = 0; i < (body->kind == N_SEQ ? body->nkids : 1); i++) {
        Node *n = body->kind == N_SEQ ? body->kids[i] : body;
        if (n->kind == N_FOR && loop) return false;
        if (n->kind == N_FOR) loop = n;
        else if (n->kind != N_STMT) return false;
    }
    if (!loop || p->nhost + s->rows.n > MAX_HOST_LOOPS) return false;
    for (int i = 0; i < s->rows.n; i++) p->host[p->nhost++] = s->rows.loop[i];
    const ChainFacts *f = chain_facts(p, loop);
    p->nhost -= s->rows.n;
    const Node *update = f->chain.body ? unwrap(f->chain.body) : NULL;
    bool adds = update && update->kind == N_STMT && update->stmt->op != OP_SET;
    if (f->chain.n > MOST_SUMS || !adds) return false;
    s->sum = f->chain, s->update = update, s->terms = 1;
    for (int i = 0; i < f->chain.n; i++) {
        double trips = trips_in(s, f->chain.loop[i]);
        if (f->loop[i].freedom != FREE_ATOMIC || f->loop[i].when || f->loop[i].asserted || trips < 0)
            return false;
        s->terms *= trips;
    }
    AccessVec v = node_accesses(p->a, update);
    for (int d = 0; d < v.at[0].array->rank; d++)
        for (int i = 0; i < f->chain.n; i++)
            if (expr_uses_sym(v.at[0].sub[d], f->chain.loop[i]->iter)) return false;
    return true;
}

// Takes whole loops of the sum as shares, from the outside in, and strips of the one that has too many
// iterations. How many loops these are; 0: a step does not fit.
static int strip(Shares *s, double wanted, Node **tree) {
    Plan *p = s->p;
    for (int i = 0; i < s->sum.n; i++) {
        const Node *loop = s->sum.loop[i];
        const char *name = loop->iter->name;
        double trips = trips_in(s, loop);
        if (expr_uses_iters(loop->lo) || expr_uses_iters(loop->hi))
            *tree = plan_step(p, *tree, "hull %s", name);
        if (trips <= wanted && i + 1 < s->sum.n) {
            wanted /= trips > 1 ? trips : 1;
            if (wanted < 2) return *tree ? i + 1 : 0;
            continue;
        }
        int64_t by = 1;
        while ((double)by < trips / wanted) by *= 2;
        *tree = plan_step(p, *tree, "strip %s by=%lld as=%s,%s", name, (long long)by,
                          name_fresh(&p->names, "shp"), name_fresh(&p->names, "shq"));
        return *tree ? i + 1 : 0;
    }
    return 0;
}

// A row's kids: those before the sum, it, and those behind it.
static const char *around_sum(Plan *p, const Node *body) {
    Text t = text_new(p->a);
    int part = 0;
    for (int i = 0; i < body->nkids; i++) {
        bool sum = body->kids[i]->kind == N_FOR;
        part += sum && i;
        text_printf(&t, "%s%d", i ? "," : "", part);
        part += sum;
    }
    return text_str(&t);
}

// The update in the tree, and the loops around it, outermost first.
static const Node *find_update(const Shares *s, Node *tree, Chain *around) {
    Path way;
    node_each(n, tree) {
        if (n->kind != N_STMT || n->stmt != s->update->stmt || !path_to(tree, n, &way)) continue;
        around->n = 0;
        for (int i = 0; i < way.n; i++)
            if (way.node[i]->kind == N_FOR) around->loop[around->n++] = way.node[i];
        return n;
    }
    return NULL;
}

// The first loops of the chain behind the next ones; the rest stays.
static Node *turned(Plan *p, Node *tree, const Chain *c, int first, int next) {
    Text t = text_new(p->a);
    for (int i = first; i < first + next; i++) text_printf(&t, " %s", c->loop[i]->iter->name);
    for (int i = 0; i < first; i++) text_printf(&t, " %s", c->loop[i]->iter->name);
    for (int i = first + next; i < c->n; i++) text_printf(&t, " %s", c->loop[i]->iter->name);
    return plan_step(p, tree, "interchange%s", text_str(&t));
}

// The loops around what is added up of the shares.
static Chain added_up(Node *tree) {
    Path way;
    Chain c = {0};
    node_each(n, tree) {
        if (n->kind != N_COPY || n->op == OP_SET || !path_to(tree, n, &way)) continue;
        for (int i = 0; i < way.n; i++)
            if (way.node[i]->kind == N_FOR) c.loop[c.n++] = way.node[i];
        break;
    }
    return c;
}

static Node *cut(Shares *s, double wanted) {
    Plan *p = s->p;
    Node *tree = in_loops(p->a, s->rows.n, s->rows.loop, s->rows.body), *body = s->rows.body;
    int shares = strip(s, wanted, &tree);
    const char *share = name_fresh(&p->names, "share");
    Chain c = {0};
    for (int i = 0; body->kind == N_SEQ && i < body->nlocals; i++)
        tree = plan_step(p, tree, "expand %s", body->locals[i]->name);
    if (body->kind == N_SEQ && body->nkids > 1)
        tree = plan_step(p, tree, "distribute %s parts=%s", s->rows.loop[0]->iter->name, around_sum(p, body));
    const Node *update = tree ? find_update(s, tree, &c) : NULL;
    if (!update || c.n <= s->rows.n + shares) return NULL;
    const char *target = update->nvia && update->via[0] ? update->via[0]->name : update->stmt->lhs->name;
    tree = turned(p, tree, &c, s->rows.n, shares); // shares outside: their results have terms in common
    tree = plan_step(p, tree, "hoist %s at=%s init=zero as=%s", target,
                     c.loop[s->rows.n + shares]->iter->name, share);
    tree = plan_step(p, tree, "expand %s as=%s", share, name_fresh(&p->names, "shares"));
    tree = plan_step(p, tree, "distribute %s parts=0,0,1", c.loop[s->rows.n]->iter->name);
    if (!tree) return NULL;
    c = added_up(tree);
    return turned(p, tree, &c, shares, s->rows.n);
}

Node *plan_shares(Plan *p, Node *loop) {
    const PlanCall *k = p->o->call;
    Shares s = {.p = p};
    if (p->cutting != CUT_SHARES || !p->gpu || !k || !k->machine || p->npieces || p->nhost) return NULL;
    if (!find_rows(&s, loop) || !find_sum(&s)) return NULL;
    double wanted = (double)(k->machine->sms * BLOCKS);
    if (2 * s.results > wanted) return NULL;
    if (wanted > s.terms / LONG) wanted = s.terms / LONG;
    if (wanted < 2) return NULL;
    PlanMark before = plan_mark(p);
    Node *pieces = cut(&s, wanted);
    if (!pieces) return plan_back(p, before), NULL;
    p->npieces++;
    return plan_node(p, pieces);
}
