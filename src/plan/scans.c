// SPDX-License-Identifier: MIT
// scans.c -- loops that do something with a sum at each term (rule scan), and the strategy of their sizes.
//
//   for i  s += x[i];  y[i] = s
//
// All that iterations meet in is the sum: with one of its own each could run at any time. Arrays that go
// along the loop come and go through shared memory.
#include "plan/auto.h"
#include "plan/recipe.h"
#include "plan/strategy.h"

enum { NAMES = 4 };
typedef struct ScannedSum {
    const Array *array;
    Expr **sub;
    Op op;
} ScannedSum;

typedef struct Scanned {
    Arena *a;
    const Node *loop;
    int nsums;
    ScannedSum sum[NAMES];
    bool read, others;          // a sum's value is asked for, too; iterations hand on something else
    int nin, nout, nasked;
    const Array *in[NAMES], *out[NAMES], *asked[NAMES];
} Scanned;

static bool is_still(const Scanned *x, const Access *at) {
    for (int d = 0; d < at->array->rank; d++)
        if (expr_has_load(at->sub[d]) || expr_uses_sym(at->sub[d], x->loop->iter)) return false;
    return true;
}

static bool is_sum(const Scanned *x, const Array *array) {
    for (int i = 0; i < x->nsums; i++)
        if (x->sum[i].array == array) return true;
    return false;
}

static void see_sum(Scanned *x, const Node *n) {
    if (n->kind != N_STMT || n->stmt->op == OP_SET || x->nsums == NAMES) return;
    AccessVec v = node_accesses(x->a, n);
    const Array *to = v.at[0].array;
    bool lasts = to->place == PLACE_USER || to->place == PLACE_TEMP;
    if (!lasts || is_sum(x, to) || !is_still(x, &v.at[0])) return;
    x->sum[x->nsums++] = (ScannedSum){to, (Expr **)v.at[0].sub, n->stmt->op};
}

static void note(const Array *array, int *n, const Array **list) {
    for (int i = 0; i < *n; i++)
        if (list[i] == array) return;
    if (*n < NAMES) list[(*n)++] = array;
}

static void see_access(Scanned *x, const Access *at) {
    bool sum = is_sum(x, at->array);
    x->read |= sum && !at->write;
    x->others |= !sum && at->write && at->array->place != PLACE_LOCAL && is_still(x, at);
    if (sum || plan_along(at, x->loop->iter) <= 0) return;
    if (!at->write) note(at->array, &x->nin, x->in);
    else if (!at->read) note(at->array, &x->nout, x->out);
}

static void see_others(Scanned *x, const Node *n) {
    AccessVec v = {0};
    if (n->kind == N_STMT) v = node_accesses(x->a, n);
    for (int i = 0; i < v.n; i++) see_access(x, &v.at[i]);
    // What a condition reads stays where it is: the judge does not follow it through copies.
    expr_each(e, n->kind == N_IF ? n->cond : NULL) {
        x->read |= e->kind == E_LOAD && is_sum(x, e->array);
        if (e->kind == E_LOAD) note(e->array, &x->nasked, x->asked);
    }
}

static bool is_in(const Array *x, int n, const Array *const *list) { return has_pointer(n, list, x); }

// Of arrays that are read and written in place the tiles come and go.
static void settle(Scanned *x) {
    int n = 0;
    for (int i = 0; i < x->nin; i++)
        if (!is_in(x->in[i], x->nout, x->out) && !is_in(x->in[i], x->nasked, x->asked)) x->in[n++] = x->in[i];
    x->nin = n;
    n = 0;
    for (int i = 0; i < x->nout; i++)
        if (!is_in(x->out[i], x->nasked, x->asked)) x->out[n++] = x->out[i];
    x->nout = n;
}

static bool find(Scanned *x, Arena *a, const Node *loop) {
    *x = (Scanned){.a = a, .loop = loop};
    node_each(n, loop->body) see_sum(x, n);
    if (!x->nsums) return false;
    node_each(n, loop->body) see_others(x, n);
    settle(x);
    bool alone = true;
    for (int i = 0; i < x->nsums; i++)
        alone = alone && node_touches_only(a, loop->body, x->sum[i].array, x->sum[i].sub);
    return x->read && (x->others || alone);
}

static const char *names(Arena *a, int n, const Array *const *list) {
    Text t = text_new(a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%s", i ? "," : " out=", list[i]->name);
    return text_str(&t);
}

static const char *sums_of(const Scanned *x) {
    Text t = text_new(x->a);
    for (int i = 0; i < x->nsums; i++) text_printf(&t, "%s%s", i ? "," : "", x->sum[i].array->name);
    return text_str(&t);
}

// ---- the standard nest ----------------------------------------------------------------------------
// May sums be made in another order?
static bool is_permitted(const Plan *p, const Scanned *x) {
    bool all = true;
    for (int i = 0; i < x->nsums; i++)
        all = all && (type_is_int(x->sum[i].array->elem) || p->c->reassociate || p->region->reassociate ||
                      mark_reduces(x->loop->mark, x->sum[i].array, x->sum[i].op));
    return all;
}

// Is the loop free when each iteration has sums of its own?
static bool is_free_else(Plan *p, const Scanned *x) {
    PlanMark before = plan_mark(p);
    Node *body = x->loop->body;
    for (int i = 0; i < x->nsums; i++) {
        const ScannedSum *s = &x->sum[i];
        const char *own = name_fresh(&p->names, "own");
        Array *stands = array_new(p->a, own, s->array->elem, PLACE_LOCAL, s->array->rank);
        for (int d = 0; d < stands->rank; d++) stands->extent[d] = expr_int(p->a, T_I32, 1);
        stands->of = (Array *)s->array;
        stands->origin = s->sub;
        Node *begin = node_copy(p->a, stands, s->sub, OP_SET, neutral_element(p->a, s->op, s->array->elem));
        Node *both[2] = {begin, node_redirect(p->a, body, s->array, stands)};
        body = seq_declare(p->a, node_seq(p->a, 2, both), stands);
    }
    ChainFacts *f = chain_facts(p, node_around(p->a, x->loop, body));
    plan_back(p, before);
    return f->chain.n > 0 && f->loop[0].freedom == FREE_YES && !f->loop[0].when;
}

static const Node *last_blocks(const Node *n) {
    if (n->kind == N_FOR && n->how == HOW_BLOCK) return n;
    int k = 0;
    const Node *found = NULL, *kid;
    for (; (kid = node_kid(n, k)); k++) found = last_blocks(kid) ? last_blocks(kid) : found;
    return found;
}

// Several sums in one loop: a loop for each. NULL: some stay in order.
static Node *apart(Plan *p, ChainFacts *f) {
    const Node *body = f->things;
    int *part = NEW_N(p->a, int, body->nkids + 1), parallel = p->nparallel, serial = p->nserial;
    if (body->kind != N_SEQ || body->nlocals) return NULL;
    PlanMark before = plan_mark(p);
    int nwhen = p->when.n, groups = distribute(f, part, NULL, p);
    if (groups < 2) return NULL;
    Node *n = plan_step(p, (Node *)f->chain.loop[0], "distribute %s parts=%s", f->chain.loop[0]->iter->name,
                        plan_numbers(p, body->nkids, part));
    n = n ? plan_node(p, n) : NULL;
    if (n && p->gpu && p->nserial == serial && p->nparallel == parallel + groups) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return plan_back(p, before), NULL;
}

// Is the sum's memory there? A variable's is; an element's where it is certainly touched: that is required.
static bool is_there(Plan *p, ChainFacts *f, const Array *sum) {
    if (!sum->rank || sum->place != PLACE_USER) return true;
    for (int i = 0; i < f->rel->touches.n; i++) {
        const Touch *t = &f->rel->touches.at[i];
        Expr *runs = t->array == sum && t->exact ? chain_runs(p, f, t) : NULL;
        if (runs) return plan_require(p, runs), true;
    }
    return false;
}

Node *plan_scans(Plan *p, ChainFacts *f) {
    Scanned x;
    Node *loop = (Node *)f->chain.loop[0];
    if (!find(&x, p->a, loop)) return NULL;
    Node *each = x.others || x.nsums > 1 ? apart(p, f) : NULL;
    if (each || x.others) return each;
    for (int i = 0; i < x.nsums; i++)
        if (!is_there(p, f, x.sum[i].array)) return NULL;
    if (!is_permitted(p, &x) || !is_free_else(p, &x)) return NULL;
    p->scans |= !p->gpu;
    if (!p->gpu) return NULL;
    const char *line = arena_printf(p->a, "scan %s of=%s threads=512 per=15%s", loop->iter->name, sums_of(&x),
                                    names(p->a, x.nout, x.out));
    Node *n = plan_step(p, loop, "%s", line);
    for (int i = 0; n && i < x.nin; i++) {
        const Node *c = last_blocks(n);
        const char *as = name_fresh(&p->names, arena_printf(p->a, "%s_s", x.in[i]->name));
        Node *staged = c ? plan_step(p, n, "stage %s at=%s as=%s", x.in[i]->name, c->iter->name, as) : NULL;
        n = staged ? staged : n;
    }
    if (n) p->nparallel++;
    return n;
}

// ---- the strategy ---------------------------------------------------------------------------------
typedef struct Loops {
    Arena *a;
    int n;
    Scanned at[NAMES];
} Loops;

// Loops that stand in no other.
static void find_loops(Node *n, Loops *l) {
    for (int i = 0; n->kind != N_FOR && node_kid(n, i); i++) find_loops(node_kid(n, i), l);
    if (n->kind != N_FOR || loop_while(n) || l->n == NAMES) return;
    Scanned *x = &l->at[l->n];
    l->n += find(x, l->a, n) && !x->others;
}

// The start, with what outlives a kernel in memory.
static const Nest *in_memory(const Site *s, Text *steps) {
    const Nest *n = s->start;
    for (const Node *b = n->root; n; b = b->kids[0]) {
        if (b->kind != N_SEQ || !b->nkids) return n;
        if (!b->nlocals || b->locals[0]->place != PLACE_LOCAL) continue;
        const char *line = arena_printf(s->c->arena, "promote %s", b->locals[0]->name);
        text_printf(steps, "%s\n", line);
        return recipe_then(s->c, n, line, NULL);
    }
    return NULL;
}

// threads, and how many neighbours each has
static bool put_shape(const Site *s, const Scanned *x, int threads, int per, Text *t) {
    const char *name = x->loop->iter->name;
    int64_t trips = site_trips(s, x->loop), size = threads * per;
    int64_t chunks = (trips + size - 1) / size, second = (chunks + threads - 1) / threads | 1;
    text_printf(t, "scan %s of=%s threads=%d per=%d second=%lld%s\n", name, sums_of(x), threads, per,
                (long long)second, names(x->a, x->nout, x->out));
    for (int i = 0; i < x->nin; i++) text_printf(t, "stage %s at=%s_c_1\n", x->in[i]->name, name);
    return trips >= 0;
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const int shapes[][2] = {{512, 15}, {512, 31}, {256, 31}, {256, 15}, {1024, 15}};
    Loops l = {.a = s->c->arena};
    Text first = text_new(l.a);
    const Nest *start = in_memory(s, &first);
    if (start) find_loops(start->root, &l);
    if (!l.n) return *why = "no loop does something with a sum at each term", 0;
    int n = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        Text t = text_new(l.a);
        text_put(&t, text_str(&first));
        for (int i = 0; i < l.n; i++)
            if (!put_shape(s, &l.at[i], shapes[k][0], shapes[k][1], &t))
                return *why = "how long the loop is is not known", 0;
        out[n++] = text_str(&t);
    }
    return n;
}

const Strategy scans_strategy = {"sums so far in chunks of other sizes", recipes};
