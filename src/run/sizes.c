// SPDX-License-Identifier: MIT
// sizes.c -- which kernels a call takes: those that it launches, with its small sizes compiled in
// where there is much to do.
//
// A nest holds kernels for all sizes. Only those that a call's sizes lead to are compiled for it.
//
//   for d in 0..dim  s += f(x[i][d], y[j][d])     dim = 5: five lines, no loop; an array of eight
//                                                 that loops to dim walk through has five left
//
// A size is small when it ends an innermost loop, or the iterations of an unrolled one, and is at most 32. A
// size of any kind is worth knowing where guards in loops go by it, 512 * r + t < m holds for all threads
// where m is 8192, and where whole numbers are divided by it: (i + 1) % m takes one operation then. So that
// a hundred sizes don't make a hundred kernels, a nest gets a few such modules, for the calls that come
// first; all others share the general one.
#include "ir/span.h"
#include "run/state.h"

enum { SMALL = 32, MAX_AROUND = 16 };

typedef struct Find {
    Variant *v;
    int nunrolled;
    const Sym *unrolled[MAX_AROUND];
} Find;

static const Sym *param_of(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym->kind == SYM_PARAM && type_is_int(x->sym->type) ? x->sym : NULL;
}

static void add(Find *f, const Sym *s) {
    Variant *v = f->v;
    for (int i = 0; i < v->nsmall; i++)
        if (v->small[i] == s) return;
    if (s && v->nsmall < MAX_SMALL) v->small[v->nsmall++] = s;
}

// d < dim, d being the counter of an unrolled loop or what is left of it, a number.
static void find_end(Find *f, const Expr *x) {
    if (x->kind != E_OP) return;
    for (int i = 0; x->op == OP_LAND && i < 2; i++) find_end(f, x->args[i]);
    if (x->op != OP_LT || !param_of(x->args[1])) return;
    const Expr *d = x->args[0];
    while (d->kind == E_CAST) d = d->args[0];
    for (int i = 0; d->kind == E_SYM && i < f->nunrolled; i++)
        if (f->unrolled[i] == d->sym) add(f, param_of(x->args[1]));
}

static bool holds_loop(const Node *n) {
    const Node *kid;
    for (int i = 0; (kid = node_kid(n, i)); i++)
        if ((kid->kind == N_FOR && kid->how == HOW_SERIAL) || holds_loop(kid)) return true;
    return false;
}

static void find(Find *f, Node *n) {
    int before = f->nunrolled;
    if (n->kind == N_IF) find_end(f, n->cond);
    if (n->kind == N_FOR && n->how == HOW_SERIAL && !holds_loop(n)) add(f, param_of(n->hi));
    if (n->kind == N_FOR && n->how == HOW_UNROLL && f->nunrolled < MAX_AROUND)
        f->unrolled[f->nunrolled++] = n->iter;
    for (int i = 0; node_kid(n, i); i++) find(f, node_kid(n, i));
    f->nunrolled = before;
}

void sizes_find(Variant *v) {
    for (int i = 0; i < v->nkernels; i++) find(&(Find){.v = v}, v->kernels[i].node->body);
}

// Which of them are small in this call, with their values. Returns how many.
static int small_ones(const Call *c, const Sym **known, int64_t *value) {
    int n = 0;
    for (int i = 0; i < c->v->nsmall; i++)
        for (int k = 0; k < c->nvals; k++) {
            if (c->vals[k].sym != c->v->small[i] || c->vals[k].i < 1 || c->vals[k].i > SMALL) continue;
            known[n] = c->v->small[i];
            value[n++] = c->vals[k].i;
        }
    return n;
}

// ---- sets of kernels ------------------------------------------------------------------------
enum { WORDS = sizeof(KernelSet) / sizeof(uint64_t), LAST = WORDS * 64 - 1 };

static void set_add(KernelSet *s, int i) {
    if (i > LAST) i = LAST;
    s->word[i / 64] |= 1ull << (i % 64);
}

static bool set_has(const KernelSet *s, int i) {
    if (i > LAST) i = LAST;
    return s->word[i / 64] >> (i % 64) & 1;
}

static bool set_within(const KernelSet *x, const KernelSet *y) {
    for (int w = 0; w < WORDS; w++)
        if (x->word[w] & ~y->word[w]) return false;
    return true;
}

KernelSet sizes_all(void) {
    KernelSet s;
    for (int w = 0; w < WORDS; w++) s.word[w] = ~0ull;
    return s;
}

static void add_kernel(const Call *c, const Node *kernel, KernelSet *s) {
    int i = 0;
    while (c->v->kernels[i].node != kernel) i++;
    set_add(s, i);
}

// The kernels that the host's part may come to; where a condition can't be told, both ways.
static void launched(const Call *c, Node *n, KernelSet *s) {
    int64_t yes;
    if (!n) return;
    if (n->kind == N_KERNEL) {
        add_kernel(c, n, s);
    } else if (n->kind == N_IF && ir_eval(n->cond, c->nvals, c->vals, &yes)) {
        launched(c, yes ? n->then : n->other, s);
    } else {
        for (int i = 0; node_kid(n, i); i++) launched(c, node_kid(n, i), s);
    }
}

// ---- guards that sizes decide -----------------------------------------------------------------------
// A size that is compiled in changes how a compiler lays out all of a kernel, not always for the better. So
// guards have to be a part of what a thread does.
static const double PART = 1.0 / 32;

typedef struct Guards {
    SpanEnv env;
    double times, threads;    // how often a thread comes by; threads among which loops are dealt
    bool repeated;            // in a loop of a thread
    double work, held;        // statements of a thread; guards in its loops that hold, and divisions
    int n;
    const Sym *known[MAX_SMALL];
} Guards;

static void note_param(Guards *g, const Sym *s) {
    for (int i = 0; i < g->n && i < MAX_SMALL; i++)
        if (g->known[i] == s) return;
    if (g->n < MAX_SMALL) g->known[g->n] = s;
    g->n += g->n <= MAX_SMALL; // one more says that there are too many
}

static void note_params(Guards *g, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_SYM && x->sym->kind == SYM_PARAM) note_param(g, x->sym);
}

static bool divides(const Expr *x) {
    bool by = x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD || x->op == OP_FDIV || x->op == OP_FMOD);
    return by && type_is_int(x->type) && param_of(x->args[1]);
}

// What is divided by a size takes about as long as a statement.
static void note_divided(Guards *g, const Expr *root) {
    expr_each(x, root) {
        if (!divides(x)) continue;
        g->held += g->times;
        if (x->args[1]->kind == E_SYM && x->args[1]->sym->kind == SYM_PARAM) note_param(g, x->args[1]->sym);
    }
}

static void find_divisions(Guards *g, const Node *n) {
    const Stmt *s = n->kind == N_STMT ? n->stmt : NULL;
    note_divided(g, s ? s->rhs : n->src);
    for (int d = 0; s && d < s->lhs->rank; d++) note_divided(g, s->sub[d]);
}

// How often a thread makes an iteration of a loop over such counters.
static double turns(const Guards *g, const Node *loop, const Span *counters) {
    double trips = counters ? (double)(counters->hi - counters->lo) / (double)loop->step + 1 : 1;
    if (loop->how == HOW_COOP) return trips / g->threads;
    return loop->how == HOW_SERIAL || loop->how == HOW_UNROLL ? trips : 1;
}

static void enter_loop(Guards *g, const Node *n) {
    Span lo = {0}, hi = {0};
    g->env.over = false;
    bool known = n->step > 0 && span_of(n->lo, &g->env, &lo) && span_of(n->hi, &g->env, &hi);
    known = known && hi.hi > lo.lo && !g->env.over && !lo.data && !hi.data;
    Span all = {lo.lo, hi.hi - 1, false};
    g->times *= turns(g, n, known ? &all : NULL);
    g->repeated |= n->how == HOW_SERIAL || n->how == HOW_UNROLL || n->how == HOW_COOP;
    if (n->how == HOW_COOP) g->threads = 1; // dealt once over all loops inside each other
    if (known) span_push(&g->env, n->iter, all);
}

static void find_guards(Guards *g, const Node *n) {
    Span holds;
    const Node *kid;
    int before = g->env.n, had = g->n;
    double times = g->times, threads = g->threads;
    bool repeated = g->repeated;
    if (n->kind == N_FOR) enter_loop(g, n);
    if (n->kind == N_STMT || n->kind == N_COPY) g->work += g->times, find_divisions(g, n);
    g->env.over = false;
    bool asked = n->kind == N_IF && g->repeated && span_of(n->cond, &g->env, &holds);
    if (asked && !g->env.over && !holds.data && holds.lo == 1) {
        g->held += g->times;
        note_params(g, n->cond);
    }
    for (int i = 0; (kid = node_kid(n, i)); i++) find_guards(g, kid);
    if (n->kind == N_FOR && g->n > had) // the counter's range says so, too
        note_params(g, n->lo), note_params(g, n->hi);
    g->env.n = before, g->times = times, g->threads = threads, g->repeated = repeated;
}

// Sizes that make guards of the call's kernels hold everywhere; with those in `known` no more than there is
// room for.
static int guarding(const Call *c, const KernelSet *launched, int n, const Sym **known, int64_t *value) {
    Guards g = {.env = {.strict = true, .nvals = c->nvals, .vals = c->vals}};
    for (int i = 0; i < c->v->nkernels; i++) {
        KernelGrid grid;
        if (!set_has(launched, i)) continue;
        ir_kernel_grid(c->v->kernels[i].node, &grid);
        g.times = 1, g.threads = grid.threads > 0 ? (double)grid.threads : 1;
        find_guards(&g, c->v->kernels[i].node->body);
    }
    for (int i = 0; i < g.n && g.n <= MAX_SMALL && g.held >= PART * g.work; i++) {
        int k = 0, v = 0;
        while (k < n && known[k] != g.known[i]) k++;
        while (v < c->nvals && c->vals[v].sym != g.known[i]) v++;
        if (k == n && n < MAX_SMALL && v < c->nvals) known[n] = g.known[i], value[n++] = c->vals[v].i;
    }
    return n;
}

bool sizes_wanted(const Node *kernel, const void *arg) {
    const Wanted *w = arg;
    for (int i = 0; i < w->v->nkernels; i++)
        if (w->v->kernels[i].node == kernel) return set_has(&w->binary->kernels, i);
    return true;
}

bool sizes_uses(const Variant *v, const Binary *b, int t) {
    for (int i = 0; i < v->nkernels; i++)
        for (int k = 0; set_has(&b->kernels, i) && k < v->kernels[i].sig->narrays; k++)
            if (v->kernels[i].object[k] == -1 - t) return true;
    return false;
}

static bool is_same(const Binary *b, const Binary *x) {
    if (b->wide != x->wide || b->nknown != x->nknown || !set_within(&x->kernels, &b->kernels)) return false;
    for (int i = 0; i < b->nknown; i++)
        if (b->known[i] != x->known[i] || b->value[i] != x->value[i]) return false;
    return true;
}

// A nest of many kernels (several contractions, each in many shapes) has none of all its kernels, as long
// as there is room for what the calls take.
static int most_binaries(const Variant *v) {
    enum { FEW = 12 };
    return v->nkernels <= FEW ? MAX_SIZED : MAX_BINARIES;
}

static Binary *find_same(Variant *v, const Binary *want) {
    for (int i = 0; i < v->nbinaries; i++)
        if (is_same(&v->binaries[i], want)) return &v->binaries[i];
    return NULL;
}

Binary *sizes_binary(const Call *c) {
    Variant *v = c->v;
    Binary want = {.wide = c->wide}, *found;
    launched(c, v->nest->root, &want.kernels);
    if (c->operations >= MODEL_SIZED) {
        want.nknown = small_ones(c, want.known, want.value);
        want.nknown = guarding(c, &want.kernels, want.nknown, want.known, want.value);
    }
    if ((found = find_same(v, &want))) return found;
    if (v->nbinaries >= MAX_SIZED && want.nknown) {
        want.nknown = 0;
        if ((found = find_same(v, &want))) return found;
    }
    if (v->nbinaries < most_binaries(v))
        return v->binaries[v->nbinaries] = want, &v->binaries[v->nbinaries++];
    Binary *general = &v->general[c->wide];
    general->wide = c->wide;
    general->kernels = sizes_all();
    return general;
}
