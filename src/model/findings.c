// SPDX-License-Identifier: MIT
// findings.c -- the model's figures as sentences: what, where, how much, and the cure.
#include "model/finder.h"
#include "model/maps.h"
#include <stdlib.h>

const char *finding_name(FindingKind k) {
    static const char *const names[FIND_KINDS] = {"coalescing", "alignment", "bank conflicts", "divergence",
                                                  "occupancy", "instruction mix", "launches", "read-back",
                                                  "idle multiprocessors", "local memory", "first-level cache",
                                                  "atomics", "constant memory", "race", "bounds", "barrier"};
    return names[k];
}

// Of an access or a branch; the cure of a kernel written by hand is a change of its text.
static Finding finder_by_hand(Finder *f, Finding x, const AccessCost *c, const BranchCost *b, int64_t pad) {
    const char *cure = f->by_hand ? cure_by_hand(f->a, x.kind, f->k, c, b, pad) : NULL;
    if (!cure) return x;
    x.cure = cure;
    x.step = false;
    return x;
}

void finder_add(Finder *f, Finding x) {
    if (x.share < 0) x.share = 0;
    vec_push(f->a, &f->out, x);
}

double finder_saved(const Finder *f, double seconds) {
    return f->n->seconds > 0 ? (f->t->seconds - seconds) / f->t->seconds * f->t->all / f->n->seconds : 0;
}

// Of a kernel that somebody wrote one place in the text is one fault, however far a loop that is written out
// moves its lanes.
static bool is_same_fault(const Finder *f, const AccessCost *x, const AccessCost *y) {
    bool here = x->array == y->array && x->write == y->write && x->loc.line == y->loc.line &&
                x->loc.col == y->loc.col && x->assumed == y->assumed;
    return here && ((f->by_hand && x->loc.line) || (x->strided == y->strided && x->stride == y->stride));
}

static const char *copies_text(Arena *a, int copies) {
    return copies > 1 ? arena_printf(a, " (%d times in the loop that is written out)", copies) : "";
}

// Copies of one access (unrolled, or in the stages of a pipeline) are told as one: their sum, and what curing
// them would save. False: it was told with one before.
static bool finder_gather(Finder *f, int i, AccessCost *all, double *share) {
    const AccessCost *c = f->k->accesses[i];
    int copies = 1;
    bool *cured = NEW_N(f->a, bool, f->k->naccesses + 1);
    *all = *c;
    for (int j = 0; j < f->k->naccesses; j++) {
        const AccessCost *o = f->k->accesses[j];
        if (!is_same_fault(f, c, o)) continue;
        if (j < i) return false;
        cured[j] = true;
        if (j == i) continue;
        copies += f->by_hand;
        all->strided = all->strided && o->strided && all->stride == o->stride;
        all->requests += o->requests;
        all->lanes += o->lanes;
        all->sectors += o->sectors;
        all->lines += o->lines;
        all->useful += o->useful;
        all->moved += o->moved;
        all->ideal += o->ideal;
        all->misaligned += o->misaligned;
        all->wavefronts += o->wavefronts;
        all->wavefronts_ideal += o->wavefronts_ideal;
        if (o->ways > all->ways) all->ways = o->ways;
    }
    *share = finder_saved(f, model_time(f->k, f->m, f->t->registers, cured).seconds);
    all->text = arena_printf(f->a, "%s%s", all->text, copies_text(f->a, copies));
    return true;
}

// ---- coalescing ------------------------------------------------------------------------------------
// The innermost thread loop that moves the address: the one whose step is from lane to lane.
static const AccessDim *lane_dim(const AccessCost *c) {
    const AccessDim *found = NULL;
    for (int d = 0; d < c->ndims; d++)
        if ((c->dims[d].loop->how == HOW_THREAD || c->dims[d].loop->how == HOW_COOP) && c->dims[d].trips > 1)
            found = &c->dims[d];
    return found;
}

// The order of an array's dimensions in which that of the subscript which moves with the lanes is last.
static const char *order_for(Arena *a, const AccessCost *c, const Node *loop) {
    int moving = -1;
    Expr *const *sub = NULL;
    if (c->node->kind == N_STMT) {
        AccessVec v = node_accesses(a, c->node);
        for (int k = 0; k < v.n && !sub; k++)
            if (v.at[k].array == c->array && (c->write ? v.at[k].write : v.at[k].read)) sub = v.at[k].sub;
    }
    for (int d = 0; sub && d < c->array->rank; d++)
        if (expr_uses_sym(sub[d], loop->iter)) moving = moving < 0 ? d : -2;
    if (moving < 0 || moving == c->array->rank - 1) return NULL;
    Text t = text_new(a);
    for (int d = 0; d < c->array->rank; d++)
        if (d != moving) text_printf(&t, "%d,", d);
    text_printf(&t, "%d", moving);
    return text_str(&t);
}

static bool is_written(const KernelCost *k, const Array *x) {
    for (int i = 0; i < k->naccesses; i++)
        if (k->accesses[i]->array == x && k->accesses[i]->write) return true;
    return false;
}

static void cure_coalescing(Finder *f, const AccessCost *c, Finding *x) {
    const AccessDim *lane = lane_dim(c);
    const char *order = lane && c->array->place == PLACE_USER ? order_for(f->a, c, lane->loop) : NULL;
    if (order && !is_written(f->k, c->array)) {
        x->cure = arena_printf(f->a, "transpose %s at=%s order=%s", c->array->name, f->k->name, order);
        x->step = true;
        return;
    }
    for (int d = 0; d < c->ndims && lane; d++) { // a loop that walks the row would serve as x
        const AccessDim *o = &c->dims[d];
        if (o->loop == lane->loop || !o->known || llabs(o->stride) != type_size(c->array->elem) ||
            o->trips <= 1)
            continue;
        x->cure = arena_printf(
            f->a,
            "let loop %s be the innermost thread loop (interchange, then map): it walks %s word by word",
            o->loop->iter->name, c->array->name);
        return;
    }
    if (c->assumed)
        x->cure = "sort or bin the indices, so that neighbouring threads ask for neighbouring words";
    else if (order)
        x->cure = arena_printf(f->a, "lay %s out with its dimensions in the order %s", c->array->name, order);
    else if (c->array->stride > type_size(c->array->elem))
        x->cure = "keep each field in an array of its own (a struct of arrays)";
}

static const char *lanes_text(Arena *a, const AccessCost *c) {
    if (c->assumed)
        return arena_printf(a,
                            "the data say where each thread goes: %.3g if neighbouring threads ask for "
                            "neighbouring words (1 if all ask for one), %.3g if none are near "
                            "each other, which is what is counted",
                            c->ideal / c->requests, c->sectors / c->requests);
    if (!c->strided) return "the threads of a warp go to places at unequal distances";
    return arena_printf(a, "neighbouring threads are %lld bytes apart", (long long)c->stride);
}

static void coalescing(Finder *f, int i) {
    AccessCost sum, *c = &sum;
    double share;
    if (!finder_gather(f, i, &sum, &share) || c->sectors <= 1.02 * c->ideal) return;
    // Lanes that share a few places ask for no more than lanes side by side would.
    if (c->sectors <= c->lanes * c->width / (double)f->m->sector) return;
    bool begins = c->misaligned > 0.5 * c->requests;
    // side by side: what lacks are lanes at work
    if (!begins && c->strided && llabs(c->stride) <= c->width) return;
    Finding x = {.kind = begins ? FIND_ALIGNMENT : FIND_COALESCING,
                 .loc = c->loc,
                 .kernel = f->k->name,
                 .assumed = c->assumed,
                 .share = share};
    double per = c->sectors / c->requests, ideal = c->ideal / c->requests;
    x.text = arena_printf(f->a,
                          "%s %s: %.3g sectors a request where %.3g would do (%.3g lines); %.0f %% of the "
                          "bytes moved are used; %s",
                          c->write ? "store" : "load", c->text, per, ideal, c->lines / c->requests,
                          100 * c->useful / (c->moved > 0 ? c->moved : 1),
                          begins ? "rows begin inside a sector" : lanes_text(f->a, c));
    if (begins) x.cure = "pad rows to multiples of 32 bytes, or begin at one (pack makes such a copy)";
    else cure_coalescing(f, c, &x);
    // Where the data decide the share is a guess; who wrote a kernel wants to know of all.
    if (x.share >= FINDING_WORTH || c->assumed || (f->by_hand && !begins))
        finder_add(f, finder_by_hand(f, x, c, NULL, 0));
}

// ---- banks ---------------------------------------------------------------------------------------------
static void banks(Finder *f, int i) {
    AccessCost sum, *c = &sum;
    double share;
    if (!finder_gather(f, i, &sum, &share) || c->wavefronts <= 1.02 * c->wavefronts_ideal) return;
    Finding x = {
        .kind = FIND_BANKS, .loc = c->loc, .kernel = f->k->name, .assumed = c->assumed, .share = share};
    if (c->constant) {
        x.kind = FIND_CONSTANT;
        x.text = arena_printf(f->a,
                              "load %s: lanes of a warp ask for %.3g different elements%s, which constant "
                              "memory gives one after another",
                              c->text, c->wavefronts / c->requests,
                              c->assumed ? ", if the data send each to one of its own" : "");
        x.cure = "keep the table in shared memory, or in global memory behind a cache; constant memory is "
                 "for what all lanes read at once";
        return finder_add(f, x);
    }
    const char *apart = c->strided ? arena_printf(f->a, "neighbouring threads are %lld words apart",
                                                  (long long)(c->stride / f->m->bank_bytes))
                                   : "threads of a warp meet in a bank";
    x.text = arena_printf(f->a, "%s %s: %.3g wavefronts a request where %.3g would do%s; %s",
                          c->write ? "store" : "load", c->text, c->wavefronts / c->requests,
                          c->wavefronts_ideal / c->requests,
                          c->ways ? arena_printf(f->a, " (%d ways at worst)", c->ways) : "", apart);
    int64_t pad = model_padding(f->m, c);
    if (pad)
        x.cure = arena_printf(
            f->a, "pad=%lld in the step that stages into %s: rows of %lld elements, each one bank further",
            (long long)pad, c->array->name, (long long)(c->array->extent[c->array->rank - 1]->i + pad));
    else
        x.cure =
            arena_printf(f->a,
                         "another order of %s's dimensions (order= in the step that stages it), or a swizzle",
                         c->array->name);
    x.step = pad > 0;
    if (x.share >= FINDING_WORTH || f->by_hand) finder_add(f, finder_by_hand(f, x, c, NULL, pad));
}

// ---- divergence ---------------------------------------------------------------------------------------
// One branch of the text: a loop that is written out has many copies of it. False: it was told with one
// before.
static bool gather_branch(const Finder *f, int i, BranchCost *all, int *copies) {
    *all = *f->k->branches[i];
    *copies = 1;
    for (int j = 0; j < f->k->nbranches; j++) {
        const BranchCost *o = f->k->branches[j];
        bool same = o->loc.line && o->loc.line == all->loc.line && o->loc.col == all->loc.col &&
                    o->loop == all->loop && o->assumed == all->assumed;
        if (j == i || !same) continue;
        if (j < i) return false;
        ++*copies;
        all->warps += o->warps, all->split += o->split, all->idle += o->idle, all->busy += o->busy,
            all->cost += o->cost, all->requests += o->requests;
    }
    return true;
}

// Without lanes that wait, fewer warps would issue, and ask memory.
static double without_idle(const Finder *f, const BranchCost *b, double part) {
    TimeCost t = *f->t;
    double asks = f->k->mix.global + f->k->mix.shared;
    if (asks > 0) t.by[BOUND_L1] *= 1 - b->requests / asks;
    return model_without(&t, BOUND_ISSUE, part);
}

static void divergence(Finder *f, int i) {
    BranchCost all, *b = &all;
    int copies;
    if (!gather_branch(f, i, &all, &copies)) return;
    double part = b->cost / (mix_total(&f->k->mix) > 0 ? mix_total(&f->k->mix) : 1);
    Finding x = {.kind = FIND_DIVERGENCE, .loc = b->loc, .kernel = f->k->name, .assumed = b->assumed};
    x.share = finder_saved(f, without_idle(f, b, part));
    const char *cond = b->loop ? arena_printf(f->a, "the loop over %s", b->node->iter->name)
                               : ir_print_expr(f->a, b->node->cond);
    double split = 100 * b->split / (b->warps > 0 ? b->warps : 1);
    if (b->assumed) {
        x.text =
            arena_printf(f->a, "%s: the data decide which lanes go on; a warp waits for the last of them",
                         cond);
        x.cure =
            b->loop ? "flatten the loop (one loop over all iterations of the threads), or sort rows by length"
                    : "sort, so that a warp's lanes agree";
        finder_add(f, finder_by_hand(f, x, NULL, b, 0));
        return;
    }
    x.text =
        arena_printf(f->a,
                     "%s%s splits %.3g %% of the warps that come by; %.0f %% of their lanes wait, %.3g %% of "
                     "the kernel's instructions",
                     cond, copies_text(f->a, copies), split, 100 * b->idle / (b->idle + b->busy), 100 * part);
    x.cure = b->loop ? "a trip count that is the same for the lanes of a warp (skew, or another loop as the "
                       "innermost thread loop)"
                     : "a condition in multiples of the warp, or split the loop there (split)";
    bool several = b->busy > b->split; // not one lane that speaks for its warp
    if ((part >= 0.01 && x.share >= FINDING_WORTH) || (f->by_hand && several && part >= 0.05))
        finder_add(f, finder_by_hand(f, x, NULL, b, 0));
}

// ---- occupancy, instructions, launches ------------------------------------------------------------------
const char *model_occupancy_table(Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m,
                                  OccupancyKnob knob) {
    enum { MOST = 8 };
    OccupancyStep s[48];
    int n = occupancy_steps(m, k->threads, t->registers, k->shared, knob, s, 48);
    static const char *const units[] = {"threads", "registers a thread", "bytes of shared memory"};
    Text x = text_new(a);
    for (int i = n > MOST ? n - MOST : 0; i < n; i++)
        text_printf(&x, "%s%lld to %lld", x.n ? ", " : "", (long long)s[i].blocks, (long long)s[i].value);
    text_printf(&x, " %s", units[knob]);
    return text_str(&x);
}

static void occupancy(Finder *f) {
    const Occupancy *o = &f->t->occupancy;
    if (f->t->limit != BOUND_LATENCY && o->blocks > 0) return;
    Finding x = {.kind = FIND_OCCUPANCY, .loc = f->nest->region->loc, .kernel = f->k->name};
    if (o->blocks == 0) {
        x.text = arena_printf(f->a, "no block fits a multiprocessor: %s", o->why);
        x.share = 1;
        finder_add(f, x);
        return;
    }
    double full = f->t->by[BOUND_LATENCY] * o->share;
    TimeCost t = *f->t;
    t.by[BOUND_LATENCY] = full;
    x.share = finder_saved(f, model_without(&t, BOUND_LATENCY, 0));
    x.text = arena_printf(f->a,
                          "%lld blocks, %lld of %lld warps a multiprocessor (%.0f %%), limited by %s; loads "
                          "wait for their values",
                          (long long)o->blocks, (long long)o->warps, (long long)f->m->max_warps_sm,
                          100 * o->share, occupancy_limit_name(o->limit));
    x.cure = f->k->inner_loop ? arena_printf(f->a, "unroll %s by=8", f->k->inner_loop->iter->name)
                              : "more elements a thread, loaded before the first is used";
    x.step = f->k->inner_loop != NULL;
    if (x.share >= FINDING_WORTH) finder_add(f, finder_by_hand(f, x, NULL, NULL, 0));
}

static void instructions(Finder *f) {
    const InstructionMix *i = &f->k->inner;
    double all = mix_total(i), work = all > 0 ? mix_work(i) / all : 1;
    double control = all > 0 ? i->control / all : 0,
           part = control * all / (mix_total(&f->k->mix) > 0 ? mix_total(&f->k->mix) : 1);
    if (!f->k->inner_loop || f->t->limit != BOUND_ISSUE || work > 0.8) return;
    Finding x = {.kind = FIND_MIX, .loc = f->k->inner_loop->loc, .kernel = f->k->name};
    if (!x.loc.line) x.loc = f->nest->region->loc;
    x.share = finder_saved(f, model_without(f->t, BOUND_ISSUE, 0.75 * part));
    x.text = arena_printf(f->a,
                          "of the inner loop over %s %.0f %% of the instructions are arithmetic, %.0f %% "
                          "memory, %.0f %% addresses, %.0f %% loop control",
                          f->k->inner_loop->iter->name, 100 * work, 100 * (i->global + i->shared) / all,
                          100 * i->integer / all, 100 * control);
    if (control > 0.1)
        x.cure = arena_printf(f->a, "unroll %s by=%d", f->k->inner_loop->iter->name,
                              f->k->inner_loop->unroll > 1 ? 4 * f->k->inner_loop->unroll : 16),
        x.step = true;
    else x.cure = "more elements a thread (jam), so that each loaded value is used more often";
    if (x.share >= FINDING_WORTH || control <= 0.1) finder_add(f, finder_by_hand(f, x, NULL, NULL, 0));
}

static void idle(Finder *f) {
    if (f->k->blocks >= f->m->sms || f->t->all < 0.02 * f->n->seconds) return;
    Finding x = {.kind = FIND_IDLE, .loc = f->nest->region->loc, .kernel = f->k->name};
    double rest = f->t->seconds - f->t->launch;
    x.share = finder_saved(f, f->t->launch + rest * (double)f->k->blocks / (double)f->m->sms);
    x.text = arena_printf(f->a, "%lld block%s for %lld multiprocessors: the others have nothing to do",
                          (long long)f->k->blocks, f->k->blocks == 1 ? "" : "s", (long long)f->m->sms);
    x.cure = "smaller blocks, fewer elements a thread, or the sum split over blocks (rule splitk)";
    if (x.share >= FINDING_WORTH) finder_add(f, finder_by_hand(f, x, NULL, NULL, 0));
}

static void read_backs(Finder *f) {
    const NestCost *n = f->n;
    double wait = model_wait(f->m);
    Finding x = {.kind = FIND_READ_BACK, .loc = f->nest->region->loc, .assumed = n->assumed};
    if (n->read_backs <= 0) return;
    x.text = arena_printf(f->a,
                          "%.4g times the host waits for a value of the device, and the device for the next "
                          "launch: about %.3g us each",
                          n->read_backs, 1e6 * wait);
    x.share = n->seconds > 0 ? n->read_backs * wait / n->seconds : 0;
    x.cure = "decide on the device, or look every few steps";
    if (x.share >= FINDING_WORTH) finder_add(f, x);
}

static void launches(Finder *f) {
    const NestCost *n = f->n;
    double overhead = 0, replayed = 0,
           graph = f->m->launch_graph > 0 ? 1 - f->m->launch_graph / f->m->launch : 0.5;
    for (int i = 0; i < n->nkernels; i++) {
        double all = n->times[i].launch * model_launches(n->kernels[i]);
        overhead += all;
        if (n->kernels[i]->noted) replayed += all;
    }
    Finding x = {.kind = FIND_LAUNCHES, .loc = f->nest->region->loc, .assumed = n->assumed};
    x.share = n->seconds > 0 ? (overhead - replayed) * graph / n->seconds : 0;
    x.text =
        arena_printf(f->a,
                     "%.4g launches, %.4g of them after one that they depend on: %.3g ms go by in launching",
                     n->launches, n->dependent, 1e3 * overhead);
    x.cure = n->nkernels > 1 ? "fuse the loops that allow it; the rest as a captured graph"
                             : "several steps a launch, or a captured graph";
    if (n->launches > 1 && x.share >= 0.05) finder_add(f, x);
}

static int by_share(const void *x, const void *y) {
    const Finding *p = x, *q = y;
    if (p->share != q->share) return p->share < q->share ? 1 : -1;
    return p->kind != q->kind ? (p->kind < q->kind ? -1 : 1) : p->loc.line - q->loc.line;
}

void model_looks(Arena *a, Findings *f, const NestCost *n, const Machine *m, Loc loc, const char *what) {
    double wait = model_wait(m), all = n->seconds + wait;
    Finding x = {.kind = FIND_READ_BACK, .loc = loc, .share = wait / all};
    x.text = arena_printf(a,
                          "the host's loop reads %s each time round: it waits for the device, and the device "
                          "for the next launch, %.3g us beside %.4g us of work",
                          what, 1e6 * wait, 1e6 * n->seconds);
    x.cure = arena_printf(
        a, "look at %s every few steps, or let the device decide and make many steps before the host looks",
        what);
    vec_push(a, f, x);
    qsort(f->at, (size_t)f->n, sizeof *f->at, by_share);
}

Findings model_findings(Arena *a, const Nest *nest, const NestCost *n, const Machine *m) {
    Finder f = {.a = a, .nest = nest, .n = n, .m = m, .by_hand = cure_is_by_hand(nest)};
    for (int i = 0; i < n->nkernels; i++) {
        f.k = n->kernels[i];
        f.t = &n->times[i];
        if (f.k->refused) continue;
        for (int j = 0; j < f.k->naccesses; j++) {
            if (f.k->accesses[j]->shared) banks(&f, j);
            else if (!f.k->accesses[j]->local) coalescing(&f, j);
        }
        for (int j = 0; j < f.k->nbranches; j++) divergence(&f, j);
        find_local(&f);
        find_cache(&f);
        find_atomics(&f);
        occupancy(&f);
        instructions(&f);
        idle(&f);
    }
    if (n->nkernels) launches(&f);
    read_backs(&f);
    if (f.out.n) qsort(f.out.at, (size_t)f.out.n, sizeof *f.out.at, by_share);
    return f.out;
}
