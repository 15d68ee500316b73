// SPDX-License-Identifier: MIT
// auto.c -- the default nest of a region.
//
// For each loop from the outside in, the first that applies:
//   1. loops of its chain on whose counters all conflicting instances agree become blocks
//      and threads (rule map), all in one kernel;
//   2. where cutting the chain's body in groups gives some group more such loops, each
//      group is planned by itself; before that, where few are free, a copy of what the chain
//      overwrites may free more (snapshots.c);
//   3. loops whose conflicts are updates only become partial results (rule/partial.c) or
//      atomic updates;
//   4. the loop runs on the host, its body is planned;
//   5. one thread runs it, when nothing inside is parallel.
#include "ir/verify.h"
#include "plan/auto.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include "rule/loops.h"
#include <string.h>

const char *kernel_name(Plan *p) { return name_fresh(&p->names, p->region->name); }

Expr *plan_fact(Plan *p, FactKind kind, const Array *array) {
    for (int i = 0; i < p->facts.n; i++)
        if (p->facts.at[i].kind == kind && p->facts.at[i].array == array)
            return expr_sym(p->a, p->facts.at[i].sym);
    Names names = {.arena = p->a, .region = p->region};
    Sym *s = NEW(p->a, Sym);
    *s = (Sym){kind == FACT_PROCESSORS ? name_fresh(&names, "sms") : name_fresh(&p->names, "at"), SYM_PARAM,
               T_I64, NULL};
    Fact f = {s, array, kind};
    vec_push(p->a, &p->facts, f);
    return expr_sym(p->a, s);
}

Expr *plan_processors(Plan *p) { return plan_fact(p, FACT_PROCESSORS, NULL); }

void plan_require(Plan *p, Expr *when) {
    if (when) vec_push(p->a, &p->when, when);
}

// ---- one thread ---------------------------------------------------------------------------

// What a step calls a node: its loop or its first statement, so many conditions inside. NULL: nothing.
static const char *name_of(const Node *n, int *out) {
    if (n->kind == N_FOR) return n->iter->name;
    if (n->kind == N_STMT) return n->stmt->label;
    *out += n->kind == N_IF;
    const Node *kid = node_kid(n, 0);
    return kid ? name_of(kid, out) : NULL;
}

static Node *plan_serial(Plan *p, Node *n) {
    int out = 0, ignored = 0;
    const char *first = name_of(n, &out),
               *last = n->kind == N_SEQ && n->nkids > 1 ? name_of(n->kids[n->nkids - 1], &ignored) : NULL;
    p->nserial += plan_has_loop(n);
    Node *k = !first ? NULL
              : last ? plan_step(p, n, "single %s %s", first, last)
                     : plan_step(p, n, "single %s out=%d", first, out);
    if (!k) k = node_kernel(p->a, kernel_name(p), n);
    return p->o->plain ? k : plan_each_kernel(p, k, "accumulate");
}

// ---- 1: map -----------------------------------------------------------------------------

// "32,8" of numbers; nothing where all are `standard`.
static void put_numbers(Text *t, const char *knob, int n, const int64_t *v, int64_t standard) {
    bool some = false;
    for (int i = 0; i < n; i++) some |= v[i] != standard;
    if (some) text_printf(t, " %s=", knob);
    for (int i = 0; some && i < n; i++) text_printf(t, "%s%lld", i ? "," : "", (long long)v[i]);
}

static void put_bounds(Plan *p, Text *t, const char *knob, int n, const MapDim *dims, bool upper) {
    bool some = false;
    for (int i = 0; i < n; i++) some |= !dims[i].exact;
    if (some) text_printf(t, " %s=", knob);
    for (int i = 0; some && i < n; i++)
        text_printf(t, "%s%s", i ? "," : "",
                    dims[i].exact ? "-"
                                  : plan_words(p, expr_cast(p->a, T_I64, upper ? dims[i].hi : dims[i].lo)));
}

static Node *chain_tree(Plan *p, const Chain *c) { return in_loops(p->a, c->n, c->loop, c->body); }

Node *plan_grid(Plan *p, Node *tree, const Chain *c, int n, const MapDim *dims, const char *more) {
    Text t = text_new(p->a);
    int64_t threads[3], per[3];
    int outer = dims[0].loop;
    text_put(&t, "grid");
    for (int d = 0; d < n; d++) {
        text_printf(&t, " %s", c->loop[dims[d].loop]->iter->name);
        threads[d] = dims[d].threads;
        per[d] = dims[d].per > 1 ? dims[d].per : 1;
        if (dims[d].loop < outer) outer = dims[d].loop;
    }
    if (outer) text_printf(&t, " of=%s", c->loop[0]->iter->name);
    if (p->gpu) put_numbers(&t, "threads", n, threads, 1);
    put_numbers(&t, "per", n, per, 1);
    if (dims[0].apart) text_put(&t, " apart=yes");
    if (dims[0].before) text_printf(&t, " before=%lld", (long long)dims[0].before);
    put_bounds(p, &t, "lo", n, dims, false);
    put_bounds(p, &t, "hi", n, dims, true);
    return plan_step(p, tree, "%s%s", text_str(&t), more);
}

// The judge knows nothing of products of counters, and one way for all iterations is enough.
Expr *plan_typical(Plan *p, Expr *x) {
    Arena *a = p->a;
    for (int i = p->nhost - 1; i >= 0; i--) {
        const Node *loop = p->host[i];
        const Sym *s = loop->iter;
        if (!expr_uses_sym(x, s)) continue;
        Expr *three = expr_int(a, loop->lo->type, 3), *trips = expr_sub(a, loop->hi, loop->lo);
        Expr *at = expr_add(a, loop->lo, expr_op(a, OP_FDIV, trips, three, NULL));
        at = expr_cast(a, s->type, at);
        x = expr_subst(a, x, 1, &s, &at);
    }
    return x;
}

Node *plan_either(Plan *p, Node *tree, const Chain *c, Expr *when) {
    when = plan_typical(p, when);
    return plan_step(p, tree, "either %s when=%s", c->loop[0]->iter->name, plan_words(p, when));
}

void plan_use_loop(Plan *p, const LoopFreedom *l) {
    plan_require(p, l->when);
    p->asserted |= l->asserted;
}

int loops_to_map(int n, int64_t *trips, int x, int *at) {
    int others = -1, k = 1;
    for (int i = 0; i < n; i++) others += trips[i] != 0;
    for (; others > 2; others--) {
        int least = -1;
        for (int i = n - 1; i >= 0; i--)
            if (i != x && trips[i] && (least < 0 || trips[i] <= trips[least])) least = i;
        trips[least] = 0;
    }
    at[0] = x;
    for (int i = n - 1; i >= 0; i--)
        if (i != x && trips[i]) at[k++] = i;
    return k;
}

// The free loops as x, y, z: the best coalesced first, then from the inside out.
static int choose_dims(const ChainFacts *f, Freedom least, MapDim *dims) {
    int x = -1, best = 0, at[3];
    int64_t trips[16] = {0};
    for (int i = 0; i < f->chain.n; i++) {
        if (f->loop[i].freedom < least || !f->loop[i].bounded) continue;
        const Node *loop = f->chain.loop[i];
        int64_t literal = loop_literal_trips(loop->lo, loop->hi, loop->step);
        trips[i] = literal < 0 ? INT64_MAX : literal + 1;
        int score = chain_x_score(f, i);
        if (x < 0 || score >= best) x = i, best = score;
    }
    if (x < 0) return 0;
    int n = loops_to_map(f->chain.n, trips, x, at);
    for (int d = 0; d < n; d++) dims[d] = f->loop[at[d]].dim;
    return n;
}

static int threads_at_most(const ChainFacts *f, const MapDim *d, int wanted) {
    const Node *loop = f->chain.loop[d->loop];
    int64_t n = loop_literal_trips(loop->lo, loop->hi, loop->step);
    int t = wanted;
    while (n >= 0 && t > 1 && t / 2 >= n) t /= 2;
    return t;
}

static void choose_threads(const ChainFacts *f, int n, MapDim *dims) {
    int left = 256;
    for (int d = 0; d < n; d++) {
        int wanted = n == 1 || d == n - 1 ? left : d == 0 ? 32 : 8;
        if (d == 2) wanted = 1;
        dims[d].threads = threads_at_most(f, &dims[d], wanted < left ? wanted : left);
        left /= dims[d].threads;
    }
}

static Node *map_gpu(Plan *p, ChainFacts *f, Freedom least) {
    MapDim dims[3];
    int n = choose_dims(f, least, dims);
    choose_threads(f, n, dims);
    for (int d = 0; d < n; d++) plan_use_loop(p, &f->loop[dims[d].loop]);
    if (!p->o->plain) plan_branches(p, &f->chain);
    Node *tree = chain_tree(p, &f->chain);
    return p->o->plain || p->o->one_each ? plan_grid(p, tree, &f->chain, n, dims, "")
                       : plan_coarsen(p, tree, &f->chain, n, dims);
}

// Loops of so few iterations that the compiler makes one row of statements of them all?
static bool is_short(Node *n) {
    enum { MOST_COPIES = 64 };
    int64_t all = 1;
    for (n = unwrap(n); n; ) {
        Node *inner = NULL;
        int loops = 0;
        for (int i = 0; node_kid(n, i); i++)
            if (plan_has_loop(node_kid(n, i))) inner = node_kid(n, i), loops++;
        int64_t trips = n->kind == N_FOR ? loop_literal_trips(n->lo, n->hi, n->step) : 1;
        if (trips < 0 || loops > 1 || (all *= trips) > MOST_COPIES) return false;
        n = inner;
    }
    return true;
}

// Lanes are those of the free loop that touches neighbours; another one is rows of it.
static Node *in_lanes(Plan *p, ChainFacts *f, Freedom least, Node *plain) {
    MapDim dims[3];
    int n = least == FREE_YES ? choose_dims(f, least, dims) : 0;
    for (int d = 0; d < n; d++)
        if (f->loop[dims[d].loop].when || f->loop[dims[d].loop].asserted) return plain; // not needed so far
    if (n == 1 && dims[0].loop == f->chain.n - 1 && f->chain.n > 1 && !plan_has_loop(f->chain.body))
        return plan_bands(p, &f->chain, &dims[0], plain);
    if (f->nfree == f->chain.n && is_short(f->chain.body)) return plain;
    return n ? plan_lanes(p, &f->chain, &dims[0], n > 1 ? &dims[1] : NULL, plain) : plain;
}

// The outermost free loop; the next one too while a third is left for the SIMD lanes.
static Node *map_cpu(Plan *p, ChainFacts *f, Freedom least) {
    MapDim dims[2];
    int n = 0, first = -1;
    for (int i = 0; i < f->chain.n && n < 2; i++) {
        if (f->loop[i].freedom < least || !f->loop[i].bounded) continue;
        if (n == 1 && (i != first + 1 || i == f->chain.n - 1 || !f->loop[i].dim.exact)) break;
        if (n == 0) first = i;
        dims[n++] = f->loop[i].dim;
        plan_use_loop(p, &f->loop[i]);
    }
    if (n == 2) { // x is the inner one
        MapDim t = dims[0];
        dims[0] = dims[1];
        dims[1] = t;
    }
    bool last_mapped = dims[0].loop == f->chain.n - 1 || (n == 2 && dims[1].loop == f->chain.n - 1);
    bool vector = !last_mapped && !p->o->plain && chain_can_vector(p, f);
    Node *tree = chain_tree(p, &f->chain);
    Node *several = vector || p->o->plain ? NULL : plan_jam(p, tree, &f->chain, n, dims);
    const LoopFreedom *last = &f->loop[f->chain.n - 1];
    bool inside = !several && !vector && !p->o->plain && least == FREE_YES && last->freedom == FREE_YES &&
                  !last->when && !last->asserted;
    Node *jammed = inside ? plan_jam_inside(p, &f->chain, n, dims) : NULL;
    Node *plain = jammed;
    if (!plain)
        plain = plan_grid(p, several ? several : tree, &f->chain, n, dims, vector ? " lanes=yes" : "");
    return vector || p->o->plain ? plain : in_lanes(p, f, least, plain);
}

Node *plan_map(Plan *p, ChainFacts *f, Freedom least) {
    Node *k = p->gpu ? map_gpu(p, f, least) : map_cpu(p, f, least);
    p->nparallel++;
    if (p->o->plain) return k;
    k = plan_each_kernel(p, k, "accumulate");
    return p->gpu ? plan_each_kernel(p, plan_each_kernel(p, k, "registers"), "unroll") : k;
}

// ---- 2: cut the body in groups -------------------------------------------------------------

bool plan_has_loop(const Node *n) {
    if (n->kind == N_FOR) return true;
    for (int i = 0; node_kid(n, i); i++)
        if (plan_has_loop(node_kid(n, i))) return true;
    return false;
}

static bool body_has_loop(const Chain *c) { return c->body && plan_has_loop(c->body); }

// Do groups of the chain's body have more loops that are free?
static bool is_freer(Plan *p, const ChainFacts *f, const Node *groups) {
    int best = 0;
    for (int i = 0; i < groups->nkids; i++) {
        ChainFacts *g = chain_facts(p, groups->kids[i]);
        if (g->nfree > best) best = g->nfree;
    }
    return best > f->nfree;
}

Node *plan_groups(Plan *p, ChainFacts *f) {
    if (!body_has_loop(&f->chain) && f->nfree > 0) return NULL;
    int *part = NEW_N(p->a, int, f->things->nkids + 1);
    PlanMark before = plan_mark(p);
    int ngroups = distribute(f, part, NULL, p);
    p->again = false; // the groups are planned as any loops
    if (ngroups < 2) return NULL;
    Node *tree = chain_tree(p, &f->chain);
    Node *groups = plan_step(p, tree, "distribute %s parts=%s", f->chain.loop[0]->iter->name,
                             plan_numbers(p, f->things->nkids, part));
    if (groups && is_freer(p, f, groups)) return plan_node(p, groups);
    plan_back(p, before);
    return NULL;
}

// The same with variables that several groups use computed by each of them.
static Node *plan_again(Plan *p, ChainFacts *f) {
    p->again = true;
    Node *n = plan_groups(p, f);
    p->again = false;
    return n;
}

Node *plan_free(Plan *p, ChainFacts *f) {
    Node *n = p->o->plain ? NULL : plan_groups(p, f);
    return !n && f->nfree > 0 ? plan_map(p, f, FREE_YES) : n;
}

// ---- 4 and 5: the host ---------------------------------------------------------------------------

Node *plan_host_loop(Plan *p, Node *loop, int cost) {
    if (p->nhost == MAX_HOST_LOOPS || !host_can_eval(loop->lo) || !host_can_eval(loop->hi)) return NULL;
    if (!plan_has_loop(loop->body) || p->cost + cost > MOST_COST) return NULL;
    Node *panels = plan_panels(p, loop);
    if (panels) return panels;
    int parallel = p->nparallel, nwhen = p->when.n;
    PlanMark before = plan_mark(p);
    p->host[p->nhost++] = loop, p->cost += cost;
    Node *body = plan_node(p, loop->body);
    p->nhost--, p->cost -= cost;
    if (p->nparallel == parallel) {
        p->when.n = nwhen;
        return plan_back(p, before), NULL;
    }
    Node *n = node_around(p->a, loop, body);
    // Whether its launches are short enough for a graph is asked when they are made.
    return p->gpu ? plan_step(p, n, "batch %s as=graph", loop->iter->name) : n;
}

// How many loops whose iterations follow one another stand around a statement: of the host, and of a thread,
// but short ones and strides over the grid.
static bool is_long_serial(const Node *n) {
    bool serial = n->kind == N_FOR && n->how == HOW_SERIAL && (n->step == 1 || n->step == -1);
    return serial && loop_literal_trips(n->lo, n->hi, n->step) < 0;
}

// How many loops of the host stand around a kernel.
static int host_depth(const Node *n) {
    int most = 0;
    for (int i = 0; n->kind != N_KERNEL && node_kid(n, i); i++) {
        int d = host_depth(node_kid(n, i));
        most = d > most ? d : most;
    }
    return most + (n->kind == N_FOR);
}

// In waves; on the host as it stands, or with another loop outermost where that leaves less to one thread, or
// has fewer loops wait for each other.
static Node *plan_host(Plan *p, ChainFacts *f) {
    int serial = p->nserial, sums = p->nsums, panels = p->npanels;
    PlanMark before = plan_mark(p);
    Node *n = p->gpu && !p->o->plain ? plan_waves(p, f) : NULL;
    if (n) return n;
    n = plan_host_loop(p, (Node *)f->chain.loop[0], f->cost);
    bool whole = n && p->nserial == serial;
    int depth = n ? p->nsums > sums ? host_depth(n) : node_depth(n, is_long_serial) : 0;
    if (p->o->plain || (whole && depth < 2 && p->nsums == sums) || p->npanels > panels) return n;
    PlanMark after = plan_mark(p);
    int parallel = p->nparallel, nwhen = p->when.n, all = p->nserial;
    plan_back(p, before);
    Node *fused = whole ? NULL : plan_fused(p, f);
    if (fused) return p->nserial = serial, fused;
    serial = all;
    Node *turned = plan_outward(p, f);
    bool better = !whole || p->npanels > panels || (turned && node_depth(turned, is_long_serial) < depth);
    if (turned && better) return turned;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return plan_back(p, after), n;
}

// Loops of which some are free, as steps that each work on what lies behind them: many steps are a product
// then.
static Node *plan_steps(Plan *p, Node *loop) {
    if (p->cutting != CUT_STEPS || p->nhost || p->turning || !p->gpu) return NULL;
    ChainFacts *f = chain_facts(p, loop);
    PlanMark before = plan_mark(p);
    Node *n = f->nfree ? plan_outward(p, f) : NULL;
    p->nturned += n != NULL;
    return n ? n : (plan_back(p, before), NULL);
}

// Free rows, each loop in them by itself: one that walks along memory has threads side by side then.
static Node *plan_loops(Plan *p, Node *loop) {
    if (p->cutting != CUT_LOOPS || !p->gpu) return NULL;
    ChainFacts *f = chain_facts(p, loop);
    Node *n = f->nfree || f->natomic ? plan_expanded(p, f) : NULL;
    p->npieces += n != NULL;
    return n;
}

// for i  for j = 1 + i % 2 .. n step 2   →   for i  for jn = 0 .. (n - i % 2) / 2
//
// A free loop in steps whose beginning goes with a loop around it has no steps in common with its neighbours:
// counted one by one it may be mapped.
static Node *plan_counted(Plan *p, ChainFacts *f) {
    PlanMark before = plan_mark(p);
    Node *tree = (Node *)f->chain.loop[0], *first = tree;
    for (int i = 1; i < f->chain.n && tree; i++) {
        const char *name = f->chain.loop[i]->iter->name;
        if (f->chain.loop[i]->step == 1 || f->loop[i].bounded || f->loop[i].freedom != FREE_YES) continue;
        tree = plan_step(p, tree, "strip %s by=1 as=%sn,%so", name, name, name);
        tree = plan_step(p, tree, "collapse %sn %so", name, name);
    }
    Node *n = tree && tree != first ? plan_free(p, chain_facts(p, tree)) : NULL;
    return n ? n : (plan_back(p, before), NULL);
}

static Node *plan_for(Plan *p, Node *loop) {
    Node *n = plan_pieces(p, loop);
    if (!n) n = plan_steps(p, loop);
    if (!n) n = plan_loops(p, loop);
    if (!n) n = plan_shares(p, loop);
    if (!n) n = plan_part(p, loop);
    if (n) return n;
    ChainFacts *f = chain_facts(p, loop);
    if (!p->o->plain) n = plan_apart(p, f);
    if (!n && !p->o->plain) n = plan_snapshots(p, f);
    if (!n && !p->o->plain) n = plan_pivots(p, f);
    if (!n && !p->o->plain) n = plan_diagonals(p, f);
    if (!n && p->gpu && !p->o->plain) n = plan_counted(p, f);
    if (!n) n = plan_free(p, f);
    if (!n && f->natomic > 0 && !p->o->plain) n = plan_updates(p, f);
    if (!n && !p->o->plain) n = plan_scatter(p, f);
    if (!n && !p->o->plain) n = plan_scans(p, f);
    if (!n && !p->o->plain && !f->nfree) n = plan_again(p, f);
    if (!n && !p->o->plain && !f->nfree) n = plan_expanded(p, f);
    if (!n) n = plan_borders(p, f);
    if (!n) n = plan_host(p, f);
    return n ? n : plan_serial(p, loop);
}

// if (c) for … S  →  for … if (c) S, where nothing in the loop writes what c reads.
static Node *sink_if(Plan *p, Node *n) {
    Node *loop = unwrap(n->then);
    if (n->other || loop->kind != N_FOR || expr_has_load(n->cond)) return NULL;
    return node_around(p->a, loop, node_if(p->a, n->cond, loop->body, NULL));
}

static Node *plan_if(Plan *p, Node *n) {
    if (!plan_has_loop(n)) return plan_serial(p, n);
    if (host_can_eval(n->cond)) {
        Node *m = node_clone(p->a, n);
        m->then = plan_node(p, n->then);
        m->other = n->other ? plan_node(p, n->other) : NULL;
        return m;
    }
    Node *sunk = sink_if(p, n);
    return sunk ? plan_for(p, sunk) : plan_serial(p, n);
}

// Neighbours without loops share one kernel.
static Node *plan_seq(Plan *p, Node *seq) {
    if (!plan_has_loop(seq)) return plan_serial(p, seq);
    while (seq->nlocals) { // they outlive a kernel
        Node *n = plan_step(p, seq, "promote %s", seq->locals[0]->name);
        if (!n || n->nlocals >= seq->nlocals) return plan_serial(p, seq);
        seq = n;
    }
    VEC(Node *) out = {0};
    int done = p->done.n;
    for (int i = 0, taken; i < seq->nkids;) {
        int j = i;
        Node *part = plan_neighbours(p, seq->nkids - i, seq->kids + i, &taken);
        while (!part && j < seq->nkids && !plan_has_loop(seq->kids[j])) j++;
        if (part) i += taken;
        else if (j > i) part = plan_serial(p, node_seq(p->a, j - i, seq->kids + i)), i = j;
        else part = plan_node(p, seq->kids[i++]);
        vec_push(p->a, &out, part);
        vec_push(p->a, &p->done, part);
    }
    p->done.n = done;
    Node *n = node_clone(p->a, seq);
    n->nkids = out.n;
    n->kids = out.at;
    return n;
}

Node *plan_node(Plan *p, Node *n) {
    switch (n->kind) {
    case N_SEQ: return plan_seq(p, n);
    case N_FOR: return plan_for(p, n);
    case N_IF: return plan_if(p, n);
    default: return plan_serial(p, n);
    }
}

// ---- the whole region -------------------------------------------------------------------------------

// What the chosen parallelism needs; NULL: nothing.
static Expr *all_needed(const Plan *p) {
    Expr *when = NULL;
    for (int i = 0; i < p->when.n; i++) {
        bool known = expr_is_int(p->when.at[i], 1);
        for (int j = 0; j < i; j++) known = known || expr_equal(p->when.at[i], p->when.at[j]);
        if (!known) when = when ? expr_op(p->a, OP_LAND, when, p->when.at[i], NULL) : p->when.at[i];
    }
    return when;
}

static Plan *plan_begin(Compile *c, const Region *r, const PlanOptions *o) {
    Plan *p = NEW_AS(c->arena, Plan, (Plan){.c = c,
                                            .a = c->arena,
                                            .region = r,
                                            .o = o,
                                            .gpu = strcmp(o->target, "gpu") == 0,
                                            .names = {.arena = c->arena, .region = r},
                                            .steps = ""});
    poly_restart(c);
    return p;
}

// The steps that end a nest. NULL: one does not fit.
static Nest *with_end(Plan *p, Nest *n) {
    Expr *when = all_needed(p);
    n = plan_promise(p->c, n, p->promised.n, p->promised.at);
    if (n && when)
        n = recipe_then(p->c, n, arena_printf(p->a, "pays when=%s", step_expr(p->a, n, when)), NULL);
    return n ? recipe_then(p->c, n, p->o->staged ? "close" : "close asis=yes", NULL) : NULL;
}

static Nest *plan_end(Plan *p, const DepInfo *d, Node *root) {
    Nest *n = NEW(p->a, Nest);
    root = root->kind == N_SEQ ? node_clone(p->a, root) : node_seq(p->a, 1, &root);
    for (int i = 0; i < root->nlocals; i++) vec_push(p->a, &p->temps, root->locals[i]);
    root->nlocals = p->temps.n;
    root->locals = p->temps.at;
    Expr *when = d->bounds;
    for (int i = 0; i < p->asked.n; i++)
        when = when ? expr_op(p->a, OP_LAND, when, p->asked.at[i], NULL) : p->asked.at[i];
    *n = (Nest){.region = p->region,
                .target = p->o->target,
                .root = root,
                .nfacts = p->facts.n,
                .facts = p->facts.at,
                .nfeet = d->nfeet,
                .feet = d->feet,
                .when = when,
                .reason = p->asserted ? plan_marked : NULL,
                .recipe = p->steps,
                .fresh = p->names.next,
                .flops = d->flops,
                .bytes = d->bytes,
                .work = d->operations};
    return with_end(p, n);
}

bool plan_is_sound(Compile *c, const Nest *n, const char *cost) {
    Loc where;
    if (!verify_nest(c->arena, n, &where)) return true;
    diag(c, DIAG_REMARK, SC_BUG, n->region->loc,
         "%s: sculpt made a mistake in their kernels and noticed it; please report these loops", cost);
    return false;
}

static Nest *nest_of(Compile *c, const Region *r, const DepInfo *d, const PlanOptions *o) {
    Plan *p = plan_begin(c, r, o);
    p->dep = d;
    Node *root = plan_node(p, plan_start(c, r, d, o->target)->root);
    if (poly_gave_up(poly_new(c))) return stay_too_hard(c, r);
    if (p->nparallel == 0) {
        if (!p->scans) stay_not_parallel(p);
        return NULL;
    }
    if (!loops_end(root)) return stay_never_ends(c, r);
    root = plan_scratch(p, root);
    if (!root) return stay_no_scratch(c, r);
    Nest *n = plan_end(p, d, root);
    return n && plan_confirmed(c, n) ? n : NULL;
}

Nest *plan_in_turn(Compile *c, const Region *r, const DepInfo *d, const char *target) {
    PlanOptions *o = NEW(c->arena, PlanOptions);
    *o = (PlanOptions){target};
    Plan *p = plan_begin(c, r, o);
    p->dep = d;
    Node *root = plan_serial(p, plan_start(c, r, d, target)->root);
    root = loops_end(root) ? plan_scratch(p, root) : NULL;
    return root ? plan_end(p, d, root) : NULL;
}

Nest *plan_default(Compile *c, const Region *r, const DepInfo *d, const PlanOptions *o) {
    if (d->gave_up || !d->bounds) return stay_too_hard(c, r);
    if (r->chunks && !str_eq(o->target, "gpu")) return NULL;
    stay_check_marks(c, d);
    if (!stay_feet_known(c, r, d)) return NULL;
    if (d->never) return stay_never_inside(c, d);
    Nest *n = nest_of(c, r, d, o);
    if (n) stay_tell_asserted(c, d);
    if (!n || plan_is_sound(c, n, "these loops run as plain kernels, perhaps slower than they could"))
        return n;
    PlanOptions *plain = NEW_AS(c->arena, PlanOptions, (PlanOptions){o->target, o->asserted, .plain = true});
    n = nest_of(c, r, d, plain);
    return n && plan_is_sound(c, n, "these loops stay on the host") ? n : NULL;
}

// Is there anything that could be a contraction, or sums of rows?
static bool has_sums(const Region *r) {
    for (int i = 0; i < r->nstmts; i++)
        if (r->stmts[i]->op != OP_SET && r->stmts[i]->depth >= 2) return true;
    return false;
}

static bool stands_in(const Node *root, const Node *n) {
    if (root == n) return true;
    for (int i = 0; node_kid(root, i); i++)
        if (stands_in(node_kid(root, i), n)) return true;
    return false;
}

// The nest with each part's loops as they are; what is no longer where it was put was given up, or is judged
// with the rest. NULL: a part can't be judged by itself.
static const NestParts *parts_of(Plan *p, const DepInfo *d, Node *root) {
    NestParts *out = NEW(p->a, NestParts);
    const Nest **nest = NEW_N(p->a, const Nest *, PLAN_PART_NESTS * p->parts.n + 1);
    int ntemps = p->temps.n;
    *out = (NestParts){.nest = nest, .cut = p->cutting};
    for (int i = 0; i < p->parts.n; i++) {
        const PlanPart *x = &p->parts.at[i];
        if (!stands_in(root, x->node)) continue;
        if (!x->alone) return NULL;
        for (int k = 0; k < x->n; k++) nest[out->n++] = x->nest[k];
        root = node_replace(p->a, root, x->node, x->loops);
    }
    out->plainer = plan_end(p, d, root);
    p->temps.n = ntemps;
    return out->n && out->plainer ? out : NULL;
}

Nest *plan_shaping(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Cutting cutting) {
    bool sums = has_sums(r);
    if (d->gave_up || !d->bounds || (!sums && (cutting == CUT_TURNED || cutting == CUT_STEPS))) return NULL;
    PlanOptions *o = NEW(c->arena, PlanOptions);
    *o = (PlanOptions){k->target, true, .call = k->vals ? k : NULL};
    Plan *p = plan_begin(c, r, o);
    p->dep = d;
    p->shaping = true;
    p->cutting = cutting;
    p->root = plan_start(c, r, d, k->target)->root;
    p->several = unwrap(p->root)->kind == N_SEQ;
    Node *root = plan_node(p, p->root);
    bool turns = cutting == CUT_TURNED || cutting == CUT_STEPS;
    if (cutting == CUT_LOOPS && p->npanels) return NULL; // that is as good without a cut
    if (cutting == CUT_ROWS && !p->npanels && !sums) return NULL;
    int shaped = cutting == CUT_ROWS && p->npanels ? p->parts.n : cutting ? 0 : p->nshaped;
    int made = turns ? p->nturned : p->npieces + shaped;
    if (!made || !loops_end(root) || poly_gave_up(poly_new(c))) return NULL;
    root = plan_scratch(p, root);
    if (!root) return NULL;
    const NestParts *parts = parts_of(p, d, root);
    Nest *n = plan_end(p, d, root);
    if (n) n->parts = parts;
    return n;
}
