// SPDX-License-Identifier: MIT
// kernel.c -- everything that is known of one kernel, put together.
#include "model/code.h"
#include "model/traffic.h"

// ---- its shape --------------------------------------------------------------------------------------
static bool extent_of(Program *p, const Node *loop, int64_t *out) {
    Lanes lo, hi;
    lanes_of(&p->env, loop->lo, &lo);
    lanes_of(&p->env, loop->hi, &hi);
    if (lo.known != KNOWN || hi.known != KNOWN || !lo.uniform || !hi.uniform) return false;
    int64_t span = loop->step > 0 ? hi.at[0] - lo.at[0] : lo.at[0] - hi.at[0],
            by = loop->step > 0 ? loop->step : -loop->step;
    *out = span > 0 ? (span + by - 1) / by : 0;
    return true;
}

// The largest phase, its extents being numbers once parameters have values; 0: they are not known.
static int64_t threads_of(Program *p) {
    int64_t most = 1;
    node_each(n, p->kernel) {
        const Node *loop[8];
        int64_t extent[8], all = 1;
        if (n->kind != N_FOR || n->how != HOW_THREAD) continue;
        int count = ir_phase(n, loop, extent);
        for (int k = 0; k < count; k++) {
            if (!extent_of(p, loop[k], &extent[k])) return 0;
            all *= extent[k] > 0 ? extent[k] : 1;
        }
        if (all > most) most = all;
    }
    return most;
}

static const char *shape(Program *p, KernelCost *k) {
    int64_t threads = threads_of(p);
    k->blocks = 1;
    if (!threads) return "the number of threads is not known";
    p->threads = k->threads = threads;
    k->warps = (threads + p->env.width - 1) / p->env.width;
    for (int d = 0; d < 3; d++) {
        k->grid[d] = 1;
        // A grid that depends on another block's counter is counted by the walk.
        if (d < p->g.nblock && !extent_of(p, p->g.block[d], &k->grid[d]))
            return k->blocks = 1, "the number of blocks is not known";
        if (__builtin_mul_overflow(k->blocks, k->grid[d], &k->blocks))
            return k->blocks = 1, "there are too many blocks";
    }
    p->blocks = k->blocks;
    return k->blocks ? NULL : "there is nothing to do for these values";
}

// Shared memory, each variable once: arrays may be views of one.
typedef struct Lot {
    Program *p;
    VEC(const char *) name;
    VEC(int64_t) bytes;
} Lot;

static void add_bytes(Lot *lot, const char *name, int64_t bytes) {
    for (int k = 0; k < lot->name.n; k++) {
        if (!str_eq(lot->name.at[k], name)) continue;
        if (bytes > lot->bytes.at[k]) lot->bytes.at[k] = bytes;
        return;
    }
    vec_push(lot->p->a, &lot->name, name);
    vec_push(lot->p->a, &lot->bytes, bytes);
}

static void add_shared(Lot *lot, const Node *n) {
    for (int k = 0; k < n->nlocals; k++) {
        const Array *x = n->locals[k];
        bool part = x->object && !str_eq(x->object, x->name);
        int64_t bytes = part && x->stride > 0 ? x->stride : type_size(x->elem);
        if (x->place != PLACE_SHARED) continue;
        for (int d = 0; d < x->rank; d++) {
            Lanes e;
            lanes_of(&lot->p->env, x->extent[d], &e);
            bytes *= e.known == KNOWN && e.uniform ? e.at[0] : 0;
        }
        add_bytes(lot, x->object ? x->object : x->name, (bytes + 15) & ~(int64_t)15);
    }
}

static int64_t shared_of(Program *p) {
    Lot lot = {.p = p};
    int64_t all = 0;
    node_each(n, p->kernel) add_shared(&lot, n);
    for (int i = 0; i < lot.bytes.n; i++) all += lot.bytes.at[i];
    return all;
}

const char *model_lacks(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m) {
    node_each(kernel, n->root) {
        if (kernel->kind != N_KERNEL) continue;
        KernelCost k = {0};
        Program *p = program_new(a, n, kernel, nvals, vals, m);
        const char *why = shape(p, &k) ? NULL : occupancy_of(m, k.threads, 0, shared_of(p)).why;
        if (why) return why;
    }
    return NULL;
}

// ---- sums ----------------------------------------------------------------------------------------------
static InstructionMix sum_of(const Code *c) {
    InstructionMix m = c->sum;
    for (int k = 0; k < c->nkids; k++) {
        InstructionMix kid = sum_of(c->kids[k]);
        mix_add(&m, &kid, 1);
    }
    return m;
}

static void find_inner(const Code *c, KernelCost *k) {
    if (c->leaf && c->iterations > c->entries) {
        InstructionMix m = sum_of(c);
        if (mix_total(&m) > mix_total(&k->inner)) k->inner = m, k->inner_loop = c->n;
        return;
    }
    for (int i = 0; i < c->nkids; i++) find_inner(c->kids[i], k);
}

static const Node *outermost(const Code *c) {
    const Node *n = NULL;
    for (; c; c = c->parent)
        if (c->n->kind == N_FOR && c->n->how == HOW_SERIAL) n = c->n;
    return n;
}

static const Code *code_of(const Code *c, const Node *n) {
    if (c->n == n) return c;
    const Code *found = NULL;
    for (int k = 0; k < c->nkids && !found; k++) found = code_of(c->kids[k], n);
    return found;
}

static void finish(Program *p, KernelCost *k) {
    k->mix = sum_of(p->root);
    find_inner(p->root, k);
    if (mix_total(&k->inner) < 0.05 * mix_total(&k->mix)) k->inner_loop = NULL; // a remainder, not the work
    const Code *inner = k->inner_loop ? code_of(p->root, k->inner_loop) : NULL;
    k->sweep = outermost(inner);
    k->spills = spill_requests(p, k, inner);
    k->mix.global += k->spills;
    k->naccesses = 0;
    k->accesses = NEW_N(p->a, AccessCost *, p->accesses.n + 1);
    for (int i = 0; i < p->accesses.n; i++) {
        AccessCost *c = p->accesses.at[i];
        if (c->requests <= 0) continue;
        for (int d = 0; d < c->ndims; d++) {
            const Code *loop = code_of(p->root, c->dims[d].loop);
            c->dims[d].trips = loop && loop->entries > 0 ? loop->iterations / loop->entries : 1;
        }
        k->accesses[k->naccesses++] = c;
    }
    Occupancy fit = occupancy_of(p->m, k->threads, k->held / 4, k->shared);
    Traffic traffic = traffic_place(k, p->m, fit.blocks);
    k->path_near = program_path(p, k, true);
    k->path = program_path(p, k, false);
    k->far = traffic_far(&traffic, p->m);
    k->branches = NEW_N(p->a, BranchCost *, p->branches.n + 1);
    k->guesses = NEW_N(p->a, BranchCost *, p->branches.n + 1);
    for (int i = 0; i < p->branches.n; i++) {
        BranchCost *b = p->branches.at[i];
        if (b->split > 0) k->branches[k->nbranches++] = b;
        if (b->guessed && b->warps > 0) k->guesses[k->nguesses++] = b;
    }
}

// The program's accesses are its next values' then.
static void keep_accesses(Arena *a, KernelCost *k) {
    AccessCost *copy = NEW_N(a, AccessCost, k->naccesses + 1);
    for (int i = 0; i < k->naccesses; i++) copy[i] = *k->accesses[i], k->accesses[i] = &copy[i];
    k->nbranches = k->nguesses = 0;
}

KernelCost *kernel_cost(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                        const Machine *m, int requests, Program **kept) {
    KernelCost *k = NEW(a, KernelCost);
    Program *p = kept ? *kept : NULL;
    *k = (KernelCost){.kernel = kernel, .name = kernel->name ? kernel->name : "kernel", .launches = 1};
    if (p) program_again(p, nvals, vals);
    else p = program_new(a, n, kernel, nvals, vals, m);
    k->refused = shape(p, k);
    if (k->refused) return k;
    k->shared = shared_of(p);
    for (int i = 0; i < p->locals.n; i++) k->local += local_bytes(p->locals.at[i]);
    for (int i = 0; i < p->held.n; i++) k->held += local_bytes(p->held.at[i]);
    program_walk(p, k, requests);
    if (!k->refused) finish(p, k);
    k->assumed = p->assumed = p->assumed || k->assumed;
    if (kept && !k->refused) *kept = p, keep_accesses(a, k);
    return k;
}

KernelCost *model_kernel_within(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                                const Machine *m, int requests) {
    return kernel_cost(a, n, kernel, nvals, vals, m, requests, NULL);
}

KernelCost *model_kernel(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                         const Machine *m) {
    return model_kernel_within(a, n, kernel, nvals, vals, m, MODEL_CLOSELY);
}
