// SPDX-License-Identifier: MIT
// findings_cache.c -- findings about memory near the multiprocessor: private arrays that are no registers,
// requests that keep the first-level cache busy though they hit it, words that many threads change.
#include "model/code.h"
#include "model/finder.h"

// ---- local memory ------------------------------------------------------------------------------------
static void spills(Finder *f) {
    Finding x = {.kind = FIND_LOCAL, .loc = f->nest->region->loc, .kernel = f->k->name};
    KernelCost without = *f->k;
    if (!f->k->spilled) return;
    without.spilled = 0;
    x.share = finder_saved(f, model_time(&without, f->m, f->t->registers, NULL).seconds);
    x.text = arena_printf(f->a,
                          "the compiler keeps %lld bytes a thread in local memory, beside %lld registers: "
                          "values that did not fit; the share is for moving each once",
                          (long long)f->k->spilled, (long long)f->t->registers);
    x.cure = f->by_hand ? "fewer values a thread at a time (smaller tiles, shorter unrolling), or a looser "
                          "__launch_bounds__"
                        : "smaller tiles a thread, or more registers (min_blocks in map)";
    finder_add(f, x);
}

// All accesses of one private array are one finding, at the first of them that asks by subscript.
static void private_array(Finder *f, int first) {
    const AccessCost *c = f->k->accesses[first], *told = c;
    const Array *x = local_base(c->array);
    bool *cured = NEW_N(f->a, bool, f->k->naccesses + 1);
    double requests = 0, moved = 0;
    for (int i = 0; i < f->k->naccesses; i++) {
        const AccessCost *o = f->k->accesses[i];
        if (!o->local || local_base(o->array) != x) continue;
        if (i < first) return;
        cured[i] = true, requests += o->requests, moved += o->moved;
        if (o->asked && !told->asked) told = o;
    }
    double warps = (double)f->k->warps * (double)f->k->blocks;
    Finding y = {.kind = FIND_LOCAL, .loc = told->loc, .kernel = f->k->name, .assumed = told->assumed};
    y.share = finder_saved(f, model_time(f->k, f->m, f->t->registers, cured).seconds);
    const char *why = told->asks
                          ? arena_printf(f->a, "the loop over %s says which element and is not written out",
                                         told->asks->iter->name)
                      : told->assumed ? "the data say which element"
                                      : "the element is not known when the kernel is compiled";
    y.text = arena_printf(f->a,
                          "the private array %s (%lld bytes a thread) lies in local memory: %s; %.4g loads "
                          "and stores a thread, %.3g sectors each",
                          x->name, (long long)local_bytes(x), why, requests / warps,
                          moved / (double)f->m->sector / requests);
    if (told->asks)
        y.cure =
            f->by_hand
                ? arena_printf(f->a,
                               "#pragma unroll before the loop over %s, so that each element is a register",
                               told->asks->iter->name)
                : arena_printf(f->a, "write the loop over %s out, so that each element is a register",
                               told->asks->iter->name);
    else
        y.cure = arena_printf(f->a,
                              "keep %s in shared memory with the threads side by side ([element][thread]), "
                              "or look it up outside the loop",
                              x->name);
    if (y.share >= FINDING_WORTH || f->by_hand) finder_add(f, y);
}

void find_local(Finder *f) {
    for (int i = 0; i < f->k->naccesses; i++)
        if (f->k->accesses[i]->local) private_array(f, i);
    spills(f);
}

// ---- the first-level cache ----------------------------------------------------------------------------
typedef struct Busy {
    double all, most;         // cycles of a kernel's requests, of the access that takes most
    int at;
} Busy;

static Busy busy(const Finder *f) {
    Busy b = {0};
    for (int i = 0; i < f->k->naccesses; i++) {
        double one = time_l1_cycles(f->k, i, f->m, false);
        b.all += one;
        if (one > b.most) b.most = one, b.at = i;
    }
    return b;
}

static const char *passes(Arena *a, const Machine *m, const AccessCost *c) {
    if (c->shared) return arena_printf(a, "%.3g wavefronts", c->wavefronts / c->requests);
    double bytes = c->sectors / c->requests * (double)m->sector;
    return arena_printf(a, "%.3g lines, %.3g sectors (%.4g bytes)", c->lines / c->requests,
                        c->sectors / c->requests, bytes);
}

// What would halve the requests: a value that several results use is loaded once, or four words at a time.
static const char *fewer(const Finder *f, const AccessCost *c) {
    const AccessDim *still = NULL;
    for (int d = 0; d < c->ndims; d++)
        if (c->dims[d].loop->how == HOW_THREAD && c->dims[d].known && c->dims[d].stride == 0 &&
            c->dims[d].trips > 1)
            still = &c->dims[d];
    const char *name = still ? still->loop->iter->name : NULL;
    if (f->by_hand && name)
        return arena_printf(f->a,
                            "all threads along %s load the same: several results of it a thread (in "
                            "registers), so that each loaded value is used more often",
                            name);
    if (f->by_hand)
        return c->width < 16 ? "several results a thread, so that each loaded value is used more often; or "
                               "four words a load (float4)"
                             : "several results a thread, so that each loaded value is used more often";
    if (name)
        return arena_printf(
            f->a,
            "several iterations of %s a thread (tile, then jam): each value of %s is then used more often",
            name, c->array->name);
    return arena_printf(f->a,
                        "several results a thread (jam), so that each value of %s is used more often; "
                        "vectorize for fewer requests",
                        c->array->name);
}

void find_cache(Finder *f) {
    if (f->t->limit != BOUND_L1) return;
    Busy b = busy(f);
    if (b.most <= 0) return; // nothing is asked for
    const AccessCost *c = f->k->accesses[b.at];
    double good = time_l1_cycles(f->k, b.at, f->m, true), part = b.most / b.all;
    // lanes share a few places
    bool few = !c->shared && c->sectors <= c->lanes * c->width / (double)f->m->sector;
    bool faulty = good < 0.75 * b.most && !c->local && !few;
    if (faulty && c->shared) return; // told as bank conflicts
    Finding x = {.kind = FIND_CACHE, .loc = c->loc, .kernel = f->k->name, .assumed = c->assumed};
    x.share = finder_saved(f, model_without(f->t, BOUND_L1, faulty ? (b.most - good) / b.all : 0.5 * part));
    x.text = arena_printf(f->a,
                          "the first-level cache and shared memory are what the kernel waits for; %s %s "
                          "takes %.0f %% of their time: %.4g requests a warp of %s each%s",
                          c->write ? "store" : "load", c->text, 100 * part,
                          c->requests / ((double)f->k->warps * (double)f->k->blocks), passes(f->a, f->m, c),
                          faulty ? ", though most of them hit" : "; with half of these requests");
    if (faulty)
        x.cure = "let neighbouring threads ask for neighbouring words (see coalescing), or go through a tile "
                 "in shared memory";
    else x.cure = fewer(f, c);
    if (x.share >= FINDING_WORTH) finder_add(f, x);
}

// ---- atomics -------------------------------------------------------------------------------------------
void find_atomics(Finder *f) {
    for (int i = 0; i < f->k->naccesses; i++) {
        const AccessCost *c = f->k->accesses[i];
        if (!c->atomic || !c->write ||
            (c->loc.line && i && f->k->accesses[i - 1]->atomic &&
             f->k->accesses[i - 1]->loc.line == c->loc.line))
            continue;
        bool hot = access_is_hot(c), queue = c->shared && c->wavefronts > 1.5 * c->requests;
        Finding x = {.kind = FIND_ATOMICS, .loc = c->loc, .kernel = f->k->name, .assumed = c->assumed};
        bool *cured = NEW_N(f->a, bool, f->k->naccesses + 1);
        cured[i] = true;
        x.share = finder_saved(f, model_time(f->k, f->m, f->t->registers, cured).seconds);
        if (hot)
            x.text =
                arena_printf(f->a,
                             "all threads change one word, %s: %.4g requests are served one after another",
                             c->text, c->requests);
        else if (queue)
            x.text =
                arena_printf(f->a,
                             "threads of a warp change the same word or bank of %s: %.3g passes a request",
                             c->text, c->wavefronts / c->requests);
        else if (c->assumed)
            x.text = arena_printf(f->a,
                                  "the data say which word of %s each thread changes: threads of a warp on "
                                  "one word go one after another, up to 32 times as long",
                                  c->text);
        else continue;
        x.cure =
            c->shared
                ? "a copy of the table a warp, added up at the end"
                : "add up within the warp, then the block (shared memory), and change the word once a block";
        if (x.share >= FINDING_WORTH || c->assumed || f->by_hand) finder_add(f, x);
    }
}
