// SPDX-License-Identifier: MIT
// sizes.c -- which kernels a call takes: those that it launches, with its small sizes compiled in
// where there is much to do.
//
// A nest holds kernels for all sizes. Only those that a call's sizes lead to are compiled for it.
//
//   for d in 0..dim  s += f(x[i][d], y[j][d])     dim = 5: five lines, no loop; an array of eight
//                                                 that loops to dim walk through has five left
//
// A size is small when it ends an innermost loop, or the iterations of an unrolled one, and is at
// most 32. Where threads take turns in a row, 512 * r + t < m, most guards go when m is known, whatever it
// is. So that a hundred sizes don't make a hundred kernels, a nest gets a few such modules,
// for the calls that come first; all others share the general one.
#include "run/state.h"

enum { SMALL = 32, MAX_AROUND = 16 };
static const double MUCH = 1e8; // operations of a call

typedef struct Find {
    Variant *v;
    int nunrolled, nthreads;
    const Sym *unrolled[MAX_AROUND], *thread[MAX_AROUND];
} Find;

static const Sym *param_of(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym->kind == SYM_PARAM && type_is_int(x->sym->type) ? x->sym : NULL;
}

// any: it is worth knowing if it is large, too.
static void add(Find *f, const Sym *s, bool any) {
    Variant *v = f->v;
    int i = 0;
    while (i < v->nsmall && v->small[i] != s) i++;
    if (!s || i == MAX_SMALL) return;
    if (i == v->nsmall) v->small[v->nsmall++] = s, v->large[i] = false;
    v->large[i] |= any;
}

typedef struct Others {
    const Find *f;
    bool *found;
} Others;

// A symbol that is no counter of an unrolled loop, nor one of a block's threads.
static void find_other(const Expr *x, void *arg) {
    Others *o = arg;
    bool counted = x->kind != E_SYM;
    for (int i = 0; i < o->f->nunrolled && !counted; i++) counted = o->f->unrolled[i] == x->sym;
    for (int i = 0; i < o->f->nthreads && !counted; i++) counted = o->f->thread[i] == x->sym;
    *o->found |= !counted || x->kind == E_LOAD;
}

// d < dim, d being the counter of an unrolled loop or what is left of it, a number: a small dim. Or one of
// threads, too, so that known sizes say of most iterations that all threads have them: any dim.
static void find_end(Find *f, const Expr *x) {
    if (x->kind != E_OP) return;
    for (int i = 0; x->op == OP_LAND && i < 2; i++) find_end(f, x->args[i]);
    const Sym *end = x->op == OP_LT ? param_of(x->args[1]) : NULL;
    if (!end) return;
    const Expr *d = x->args[0];
    while (d->kind == E_CAST) d = d->args[0];
    bool unrolled = false;
    for (int i = 0; i < f->nunrolled; i++) unrolled |= expr_uses_sym(d, f->unrolled[i]);
    bool other = false;
    expr_walk(d, find_other, &(Others){f, &other});
    if (unrolled && !other) add(f, end, d->kind != E_SYM);
}

static bool holds_loop(const Node *n) {
    const Node *kid;
    for (int i = 0; (kid = node_kid(n, i)); i++)
        if ((kid->kind == N_FOR && kid->how == HOW_SERIAL) || holds_loop(kid)) return true;
    return false;
}

static void find(Find *f, Node *n) {
    int before = f->nunrolled, threads = f->nthreads;
    if (n->kind == N_IF) find_end(f, n->cond);
    if (n->kind == N_FOR && n->how == HOW_SERIAL && !holds_loop(n)) add(f, param_of(n->hi), false);
    if (n->kind == N_FOR && n->how == HOW_UNROLL && f->nunrolled < MAX_AROUND)
        f->unrolled[f->nunrolled++] = n->iter;
    if (n->kind == N_FOR && n->how == HOW_THREAD && f->nthreads < MAX_AROUND)
        f->thread[f->nthreads++] = n->iter;
    for (int i = 0; node_kid(n, i); i++) find(f, node_kid(n, i));
    f->nunrolled = before, f->nthreads = threads;
}

void sizes_find(Variant *v) {
    for (int i = 0; i < v->nkernels; i++) find(&(Find){.v = v}, v->kernels[i].node->body);
}

// Which of them are small in this call, with their values. Returns how many.
static int small_ones(const Call *c, const Sym **known, int64_t *value) {
    int n = 0;
    for (int i = 0; i < c->v->nsmall; i++)
        for (int k = 0; k < c->nvals; k++) {
            int64_t most = c->v->large[i] ? INT32_MAX : SMALL;
            if (c->vals[k].sym != c->v->small[i] || c->vals[k].i < 1 || c->vals[k].i > most) continue;
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
    if (c->flops >= MUCH) want.nknown = small_ones(c, want.known, want.value);
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
