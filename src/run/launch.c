// SPDX-License-Identifier: MIT
// launch.c -- walks the host tree of a nest: time loops, conditions, kernels.
#include "emit/emit.h"
#include "run/graph.h"
#include <math.h>
#include <string.h>

enum { HOST_DEPTH = 32 };

// Values of the parameters and of the host loops around.
typedef struct Walk {
    Launch *l;
    InterpVal *vals;
    int nvals, cap;
    LaunchVisit *visit; // instead of launching; NULL: launch
    void *arg;
    bool noting;        // launches are noted, not done
    bool follows;       // what was queued last is a launch of this walk
} Walk;

static bool fail(Walk *w, const char *what) {
    snprintf(w->l->run->device->error, sizeof w->l->run->device->error, "%s", what);
    return false;
}

static const InterpVal *value_of(const Walk *w, const Sym *s) {
    for (int i = w->nvals - 1; i >= 0; i--)
        if (w->vals[i].sym == s) return &w->vals[i];
    return NULL;
}

// A symbol as bytes of its own type.
static bool store(const Walk *w, const Sym *s, void *to) {
    const InterpVal *v = value_of(w, s);
    if (!v) return false;
    float f = (float)v->f;
    if (s->type == T_F64) memcpy(to, &v->f, 8);
    else if (s->type == T_F32) memcpy(to, &f, 4);
    else memcpy(to, &v->i, (size_t)type_size(s->type)); // the low bytes: little-endian hosts
    return true;
}

// Trip counts of up to three loops, x first; absent ones count one. False: not to be told.
static bool extents(const Walk *w, int n, const Node *const *loops, int64_t out[3]) {
    for (int i = 0; i < 3; i++) {
        int64_t lo, hi;
        out[i] = 1;
        if (i >= n) continue;
        if (!ir_eval(loops[i]->lo, w->nvals, w->vals, &lo)) return false;
        if (!ir_eval(loops[i]->hi, w->nvals, w->vals, &hi)) return false;
        out[i] = hi > lo ? hi - lo : 0;
    }
    return true;
}

// Kernels on the host's own memory cannot be taken back once some have run; one that fails
// to start is then interpreted in its place.
static bool interpret(Walk *w, const Kernel *k) {
    Unit *u = w->l->unit;
    const Variant *v = w->l->call->v;
    Arena *scratch = arena_new();
    InterpArg *objects = NEW_N(scratch, InterpArg, u->nobjects + v->ntemps + 1);
    int n = 0;
    for (int i = 0; i < u->nobjects; i++)
        objects[n++] = (InterpArg){u->objects[i], w->l->call->args[i].p};
    for (int i = 0; i < v->ntemps; i++)
        objects[n++] = (InterpArg){v->temps[i].array->object, (void *)(uintptr_t)v->temps[i].ptr};
    InterpVal vals[w->nvals + 1];
    memcpy(vals, w->vals, sizeof *vals * (size_t)w->nvals);
    const Node *node = k->node;
    if (node->outline) node = kept_body(w->l->run, u, v, node, w->nvals, vals);
    bool ok = node && ir_interpret(scratch, node->body, n, objects, w->nvals, vals, 0);
    arena_free(scratch);
    return ok;
}

// Room for what a call is given.
typedef struct Room {
    DevPtr *ptr;
    int64_t *offset;
    uint64_t *space;
    const void **vals;
    int *sizes;
} Room;

static bool arguments(Walk *w, const Kernel *k, const Room *r, KernelCall *out) {
    const Launch *l = w->l;
    const KernelSig *sig = k->sig;
    for (int i = 0; i < sig->narrays; i++) {
        int o = k->object[i];
        r->ptr[i] = o < 0 ? l->call->v->temps[-1 - o].ptr : l->ptr[o];
        r->offset[i] = o < 0 ? 0 : l->offset[o];
    }
    for (int i = 0; i < sig->nsyms; i++) {
        if (!store(w, sig->syms[i], &r->space[i])) return fail(w, "a kernel's argument has no value");
        r->vals[i] = &r->space[i];
        r->sizes[i] = type_size(sig->syms[i]->type);
    }
    out->module = l->module, out->name = k->node->name, out->shared = k->at_launch;
    out->nptrs = sig->narrays, out->ptrs = r->ptr, out->offsets = r->offset;
    out->nvals = sig->nsyms, out->vals = r->vals, out->sizes = r->sizes;
    out->early = k->waits && w->follows;
    out->roomy = l->call->v->roomy;
    return true;
}

static bool start(Walk *w, const Kernel *k, KernelCall *c) {
    const KernelSig *sig = k->sig;
    DevPtr ptr[sig->narrays + 1];
    int64_t offset[sig->narrays + 1];
    uint64_t space[sig->nsyms + 1];
    const void *vals[sig->nsyms + 1];
    int sizes[sig->nsyms + 1];
    Device *d = w->l->run->device;
    return arguments(w, k, &(Room){ptr, offset, space, vals, sizes}, c) &&
           d->ops->launch(d, c);
}

// The grid and the block of a launch; *none: there is nothing to do.
static bool geometry(Walk *w, const Kernel *k, KernelCall *c, bool *none) {
    int64_t threads[3];
    const DeviceInfo *d = w->l->run->info;
    if (!extents(w, k->grid.nblock, k->grid.block, c->grid)) return fail(w, "a grid has no size");
    if (!extents(w, k->grid.nthread, k->grid.thread, threads)) return fail(w, "a block has no size");
    if (k->grid.phases) threads[0] = k->grid.threads;
    for (int i = 0; i < 3; i++) {
        if (!c->grid[i] || !threads[i]) return *none = true;
        c->block[i] = (int)threads[i];
    }
    bool ok = true;
    for (int i = 0; i < 3; i++)
        if (d->max_grid[i] > 0 && c->grid[i] > d->max_grid[i])
            ok = fail(w, "more blocks than the device takes");
    if (d->max_threads > 0 && threads[0] * threads[1] * threads[2] > d->max_threads)
        ok = fail(w, "more threads a block than the device takes");
    int64_t most = d->shared_optin > d->shared ? d->shared_optin : d->shared;
    if (most > 0 && k->shared > most) ok = fail(w, "more shared memory a block than the device has");
    return ok;
}

static const Kernel *kernel_of(const Walk *w, const Node *n) {
    const Kernel *k = w->l->call->v->kernels;
    while (k->node != n) k++;
    return k;
}

static bool kernel(Walk *w, const Node *n) {
    const Kernel *k = kernel_of(w, n);
    KernelCall c = {0};
    bool none = false, ok = geometry(w, k, &c, &none);
    if (none) return true;
    ok = ok && start(w, k, &c);
    if (!ok && w->l->launched && !w->l->run->memory && !w->noting) ok = interpret(w, k);
    w->l->launched += ok;
    w->follows = ok;
    return ok;
}

static bool walk(Walk *w, const Node *n);

// `count` iterations of a host loop from value `from` on.
static bool iterate(Walk *w, const Node *n, int64_t from, int64_t count) {
    if (w->nvals == w->cap) return fail(w, "host loops nest too deep");
    InterpVal *v = &w->vals[w->nvals++];
    *v = (InterpVal){.sym = n->iter};
    bool ok = true;
    for (int64_t k = 0; ok && k < count; k++) {
        v->i = from + k * n->step;
        ok = walk(w, n->body);
    }
    w->nvals--;
    return ok;
}

// Does what the launches below n do depend on a host counter?
static bool depends(const Walk *w, const Node *root, const Sym *s) {
    node_each(n, root) {
        if (expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s) || expr_uses_sym(n->cond, s)) return true;
        if (n->kind != N_KERNEL) continue;
        const Kernel *k = kernel_of(w, n);
        if (has_pointer(k->sig->nsyms, k->sig->syms, s)) return true;
        each_prune();
    }
    return false;
}

enum { GRAPH_STEPS = 64, GRAPH_MOST = 4096 };
static const double SHORT = 1e-4; // seconds of a launch, beside which what it costs to start it is nothing

// Are a nest's launches so short that replaying them pays? Where nobody knows, they may be.
static bool are_short(const Launch *l) {
    Call *c = l->call;
    double launches = cost_work(c).launches;
    double operations = c->operations > 0 ? c->operations / (double)l->unit->facts[FACT_FMA] : 0;
    double bytes = c->bytes > 0 ? c->bytes / (double)l->unit->facts[FACT_COPY] : 0;
    return 1e-6 * fmax(operations, bytes) <= SHORT * (launches > 1 ? launches : 1);
}

// Notes `count` iterations. False: it can't be done, and none of them has run.
static bool note(Walk *w, const Node *n, Graph *g, int64_t from, int64_t count) {
    Device *d = w->l->run->device;
    int64_t launched = w->l->launched;
    if (!d->ops->record(d)) return false;
    w->noting = true, w->follows = false;
    bool ok = iterate(w, n, from, count);
    w->noting = w->follows = false;
    void *exec = d->ops->recorded(d);
    w->l->launched = launched;
    if (exec && !ok) d->ops->forget(d, exec);
    if (exec && ok) graph_keep(g, exec);
    return exec && ok;
}

// The first iteration runs by itself: it loads what is loaded late. Iterations that are all alike
// are replayed some at a time; else all are noted, once the same call is made again.
static bool replay_for(Walk *w, const Node *n, int64_t from, int64_t count) {
    bool alike = !depends(w, n->body, n->iter);
    int64_t step = alike && count - 1 > GRAPH_STEPS ? GRAPH_STEPS : count - 1, done = 1;
    if (step < 2 || step > GRAPH_MOST) return iterate(w, n, from, count);
    if (!iterate(w, n, from, 1)) return false;
    bool seen;
    Graph *g = graph_find(w->l, n, alike ? 0 : from, step, w->nvals, w->vals, &seen);
    bool known = g && (seen || (count - 1) / step > 1);
    if (known && !graph_is_noted(g)) known = note(w, n, g, from + n->step, step);
    for (; known && done + step <= count; done += step) {
        if (!graph_replay(w->l, g)) {
            if (w->l->run->memory) return false;
            break; // none of it has run; launched one by one they are interpreted if need be
        }
        w->follows = false;
        w->l->launched++;
        w->l->unit->stats.replayed++;
    }
    return iterate(w, n, from + done * n->step, count - done);
}

static bool walk_for(Walk *w, const Node *n) {
    int64_t lo, hi, span, size = n->step > 0 ? n->step : -n->step;
    if (!ir_eval(n->lo, w->nvals, w->vals, &lo) || !ir_eval(n->hi, w->nvals, w->vals, &hi))
        return fail(w, "a host loop has no bounds");
    if (n->step > 0 ? __builtin_sub_overflow(hi, lo, &span) : __builtin_sub_overflow(lo, hi, &span))
        return fail(w, "a host loop has too many iterations");
    int64_t count = span <= 0 ? 0 : (span - 1) / size + 1;
    const Device *d = w->l->run->device;
    bool replayed = n->graph && !w->visit && !w->noting && d->ops->record && !d->captured && are_short(w->l);
    return replayed ? replay_for(w, n, lo, count) : iterate(w, n, lo, count);
}

static bool walk(Walk *w, const Node *n) {
    int64_t c;
    if (!n) return true;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++)
            if (!walk(w, n->kids[i])) return false;
        return true;
    case N_FOR: return walk_for(w, n);
    case N_IF:
        if (!ir_eval(n->cond, w->nvals, w->vals, &c)) return fail(w, "a host condition has no value");
        return walk(w, c ? n->then : n->other);
    case N_KERNEL: return w->visit ? w->visit(n, w->nvals, w->vals, w->arg) : kernel(w, n);
    default: return fail(w, "a statement outside a kernel");
    }
}

bool launch_walk(Launch *l, LaunchVisit *visit, void *arg) {
    int np = l->call->nvals;
    InterpVal vals[np + HOST_DEPTH];
    if (np) memcpy(vals, l->call->vals, sizeof *vals * (size_t)np);
    Walk w = {.l = l, .vals = vals, .nvals = np, .cap = np + HOST_DEPTH, .visit = visit, .arg = arg};
    return walk(&w, l->call->v->nest->root);
}

// Asked once a nest that runs. Much shared memory: more than a block has unless it asks for it.
void launch_waits(Run *r, Unit *u, Variant *v) {
    const DeviceInfo *d = r->info;
    KernelWaits waits = {0};
    if (v->waits_known) return;
    v->waits_known = true;
    if (!d->early_launch) return;
    emit_waits(u->c->arena, v->nest, &waits);
    for (int i = 0; i < v->nkernels; i++) {
        v->kernels[i].waits = emit_wait_of(&waits, v->kernels[i].node);
        v->roomy |= waits.n && v->kernels[i].shared > d->shared;
    }
}

bool launch_nest(Launch *l) {
    bool ok;
    launch_waits(l->run, l->unit, l->call->v);
    return chain_run(l, &ok) ? ok : launch_walk(l, NULL, NULL);
}

bool launch_call(Launch *l, Arena *a, const Node *n, int nvals, InterpVal *vals, KernelCall *out) {
    Walk w = {.l = l, .vals = vals, .nvals = nvals, .cap = nvals, .follows = true};
    const Kernel *k = kernel_of(&w, n);
    size_t np = (size_t)k->sig->narrays + 1, ns = (size_t)k->sig->nsyms + 1;
    Room r = {NEW_N(a, DevPtr, np), NEW_N(a, int64_t, np), NEW_N(a, uint64_t, ns), NEW_N(a, const void *, ns),
              NEW_N(a, int, ns)};
    bool none = false, ok = geometry(&w, k, out, &none) && !none && arguments(&w, k, &r, out);
    if (none) out->name = NULL;
    return ok || none;
}

bool launch_kernel(Launch *l, const Node *n, int nvals, InterpVal *vals) {
    Walk w = {.l = l, .vals = vals, .nvals = nvals, .cap = nvals};
    return kernel(&w, n);
}

static DevPtr give(Run *r, size_t bytes) {
    return r->memory ? memory_alloc(r->memory, bytes, false) : r->device->ops->alloc(r->device, bytes);
}

// Temporaries are sized by the parameters; they grow and stay for the next call.
bool launch_temps(Run *r, const Call *c) {
    const Binary *b = c->v->ntemps ? sizes_binary(c) : NULL;
    for (int i = 0; i < c->v->ntemps; i++) {
        Temp *t = &c->v->temps[i];
        if (!sizes_uses(c->v, b, i)) continue;
        int64_t bytes = type_size(t->array->elem), n;
        for (int d = 0; d < t->array->rank; d++) {
            if (!ir_eval(t->array->extent[d], c->nvals, c->vals, &n)) return false;
            if (n < 1) n = 1;
            if (__builtin_mul_overflow(bytes, n, &bytes)) return false;
        }
        t->held |= r->device->captured;
        if (t->ptr && t->bytes >= (size_t)bytes) continue;
        if (r->device->captured)
            return snprintf(r->device->error, sizeof r->device->error,
                            "the stream is captured, and no such call was made before"), false;
        if (t->ptr && !t->held) r->device->ops->free(r->device, t->ptr);
        t->held = false;
        t->ptr = give(r, (size_t)bytes);
        while (!t->ptr && r->memory && memory_evict(r->memory, 0, NULL)) t->ptr = give(r, (size_t)bytes);
        t->bytes = t->ptr ? (size_t)bytes : 0;
        if (!t->ptr) return false;
    }
    return true;
}
