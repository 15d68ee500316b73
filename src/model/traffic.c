// SPDX-License-Identifier: MIT
// traffic.c -- footprints of accesses, and what each cache can keep between two uses.
//
// The sectors that an access touches over some of its loops follow from the loops' strides:
//   stride 0            the same again
//   stride <= a piece   the piece grows
//   larger              so many pieces; with a stride that is a multiple, less than all of these reach, these
//                       reach further: 4 rows of a thread, 3 of its stencil and 8 threads are 34 rows
// A loop's iterations find each other's sectors in a cache when all that one iteration of it
// touches fits there.
#include "model/traffic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double up(double x, double unit) {
    return unit > 0 ? (double)(int64_t)((x + unit - 1) / unit) * unit : x;
}

static int by_stride(const void *x, const void *y) {
    const AccessDim *p = *(AccessDim *const *)x, *q = *(AccessDim *const *)y;
    int64_t s = llabs(p->stride), t = llabs(q->stride);
    return s < t ? -1 : s > t;
}

// Bytes of different sectors that an access touches over some of its loops (bit d of `over`: dims[d]).
// unit: of which size the pieces are (a sector, or what memory reads at once).
static double traffic_footprint(const AccessCost *c, int64_t unit, unsigned over) {
    const AccessDim *dim[MODEL_DIMS];
    int n = 0;
    double piece = c->width, pieces = 1, row = 1, apart = 0;
    for (int d = 0; d < c->ndims; d++) {
        const AccessDim *x = &c->dims[d];
        if (!(over >> d & 1) || x->trips <= 1) continue;
        if (!x->known) pieces *= x->trips; // anywhere: new places
        else if (x->stride) dim[n++] = x;
    }
    qsort(dim, (size_t)n, sizeof *dim, by_stride);
    for (int d = 0; d < n; d++) {
        double stride = (double)llabs(dim[d]->stride);
        if (stride <= up(piece, (double)unit)) {
            piece += stride * (dim[d]->trips - 1);
        } else if (apart > 0 && stride <= row * apart && fmod(stride, apart) == 0) {
            row += stride / apart * (dim[d]->trips - 1); // of a stencil's rows each loop has some of them
        } else {
            pieces *= row;
            apart = stride, row = dim[d]->trips;
        }
    }
    double bytes = pieces * row * up(piece, (double)unit);
    if (c->size > 0 && bytes > c->size) bytes = c->size; // data say where, but not beyond the array
    if (c->moved <= 0) return bytes;
    // No more than all requests together: of a triangle half. What lies side by side shares its units.
    double moved = piece < (double)unit ? c->sectors * (double)unit : c->moved;
    return bytes < moved ? bytes : moved;
}

// The same if the access had no fault: what its lanes use lies side by side then.
static double footprint_cured(const AccessCost *c, int64_t unit, bool cured) {
    AccessCost close = *c;
    double bytes = traffic_footprint(c, unit, ~0u);
    if (!cured || c->width <= 0) return bytes;
    close.sectors = c->useful / c->width;
    return fmin(bytes, traffic_footprint(&close, c->width, ~0u));
}

// Local memory is a thread's own, and counted apart.
static bool is_global(const AccessCost *c) { return !c->shared && !c->local; }

static int64_t memory_unit(const Machine *m) {
    return m->memory_granule > m->sector ? m->memory_granule : m->sector;
}

static bool is_thread(const AccessDim *x) {
    return x->loop->how == HOW_THREAD || x->loop->how == HOW_COOP || x->loop->how == HOW_VECTOR;
}
static bool is_block(const AccessDim *x) { return x->loop->how == HOW_BLOCK; }

static unsigned threads_of(const AccessCost *c) {
    unsigned over = 0;
    for (int d = 0; d < c->ndims; d++)
        if (is_thread(&c->dims[d])) over |= 1u << d;
    return over;
}

// ---- the first-level cache --------------------------------------------------------------------------
// Bytes of a block that one iteration of the loop touches: of all accesses below it.
static double working_set(const KernelCost *k, const Machine *m, const Node *loop) {
    double all = 0;
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        unsigned over = threads_of(c);
        bool below = false;
        if (!is_global(c)) continue;
        for (int d = 0; d < c->ndims; d++) {
            if (below && !is_block(&c->dims[d])) over |= 1u << d;
            below = below || c->dims[d].loop == loop;
        }
        if (below) all += traffic_footprint(c, m->sector, over);
    }
    return all;
}

// The blocks that share a multiprocessor lie as many apart as there are multiprocessors. Of each
// dimension of the grid: how many different places they have.
static void places(const KernelCost *k, const Machine *m, double blocks, double out[3]) {
    enum { MOST = 64 };
    int n = blocks < MOST ? (int)blocks : MOST;
    for (int d = 0; d < 3; d++) out[d] = 0;
    for (int i = 0; i < n; i++) {
        int64_t at = i * m->sms % (k->blocks > 0 ? k->blocks : 1), weight = 1;
        for (int d = 0; d < 3; weight *= k->grid[d++]) {
            bool news = true;
            for (int j = 0; j < i && news; j++)
                news = j * m->sms % k->blocks / weight % k->grid[d] != at / weight % k->grid[d];
            out[d] += news;
        }
    }
}

// Bytes that one block asks the next cache for when it is alone on the multiprocessor. cache: its part.
static double block_bytes(const KernelCost *k, const AccessCost *c, const Machine *m, double cache,
                          double blocks) {
    unsigned over = threads_of(c);
    double bytes = traffic_footprint(c, m->sector, over);
    for (int d = c->ndims; d-- > 0;) {
        const AccessDim *x = &c->dims[d];
        if (is_block(x) || is_thread(x) || x->trips <= 1) continue;
        double without = bytes * x->trips;
        over |= 1u << d;
        bool kept = !c->write && working_set(k, m, x->loop) * blocks <= cache;
        double with = traffic_footprint(c, m->sector, over);
        bytes = kept && with < without ? with : without;
    }
    return bytes;
}

// How many of the blocks on a multiprocessor read the same: all, over the different places that they have
// in the dimensions of the grid that move the access.
static double sharers(const KernelCost *k, const AccessCost *c, const Machine *m, double blocks) {
    double place[3], different = 1;
    int dim = 0;
    places(k, m, blocks, place);
    for (int d = c->ndims; d-- > 0;)
        if (is_block(&c->dims[d]) && dim < 3) {
            double here = place[dim++];
            if (!c->dims[d].known || c->dims[d].stride) different *= here;
        }
    return different < blocks ? blocks / different : 1;
}

// The part of its bytes that a block finds nobody to have brought.
//
// Blocks that read the same bytes s from end to end, each where it happens to be: one of `others` is
// ahead by less than what the cache still holds with chance 1 - (1 - held/s)^others. What it holds of
// each block is so much the more as fewer bytes are brought, so this is solved by turns. The blocks of the
// first wave begin together, and drift apart: they count as half in step.
typedef struct Sharing {
    // of each access: a block's, blocks that share them, the part brought
    double bytes[TRAFFIC_MOST], same[TRAFFIC_MOST], missing[TRAFFIC_MOST];
} Sharing;

static void share(const KernelCost *k, double cache, double blocks, double waves, Sharing *s) {
    int n = k->naccesses < TRAFFIC_MOST ? k->naccesses : TRAFFIC_MOST;
    for (int i = 0; i < n; i++) s->missing[i] = 1;
    for (int turn = 0; turn < 20; turn++) {
        double brought = 0;
        for (int i = 0; i < n; i++) brought += s->bytes[i] * s->missing[i];
        double held = brought > 0 ? cache / (blocks * brought) : 1;
        if (held > 1) held = 1;
        for (int i = 0; i < n; i++) {
            double alone = fmax(pow(1 - held, s->same[i] - 1), 1 / s->same[i]), step = 0.5 / waves;
            s->missing[i] = (s->missing[i] + (1 - step) * alone + step / s->same[i]) / 2;
        }
    }
}

// ---- memory --------------------------------------------------------------------------------------------
// The loops of an access with so many neighbouring blocks only: x first.
static double wave_footprint(const AccessCost *c, const Machine *m, double blocks, bool cured) {
    AccessCost part = *c;
    for (int d = part.ndims; d-- > 0;) {
        if (!is_block(&part.dims[d])) continue;
        if (part.dims[d].trips > blocks) part.dims[d].trips = blocks;
        blocks = part.dims[d].trips >= 1 ? blocks / part.dims[d].trips : blocks;
        if (blocks < 1) blocks = 1;
    }
    return footprint_cured(&part, memory_unit(m), cured);
}

// ---- neighbours ------------------------------------------------------------------------------------------
// Fields of one record lie in the same places, too.
static bool is_of_one(const Array *x, const Array *y) {
    return x == y || (x->object && y->object && str_eq(x->object, y->object) && x->stride == y->stride);
}

// Do they stand in the same loops of a thread? What stands in others comes later: another pass.
static bool in_one_pass(const AccessCost *x, const AccessCost *y) {
    bool same = x->ndims == y->ndims;
    for (int d = 0; same && d < x->ndims; d++)
        same = x->dims[d].loop == y->dims[d].loop || is_block(&x->dims[d]) || is_thread(&x->dims[d]);
    return same;
}

static bool goes_as(const AccessDim *x, const AccessDim *y) {
    bool same = x->nplaces == y->nplaces && x->trips == y->trips;
    for (int p = 0; p < x->nplaces && same; p++) same = x->place[p] == y->place[p];
    return same && (x->nplaces || (x->known && y->known && x->stride == y->stride));
}

// Do two accesses walk the same way, perhaps elsewhere?
static bool alongside(const AccessCost *x, const AccessCost *y) {
    bool same = is_of_one(x->array, y->array) && x->write == y->write && in_one_pass(x, y);
    for (int d = 0; same && d < x->ndims; d++)
        same = goes_as(&x->dims[d], &y->dims[d]);
    return same;
}

// Another access before this one stands for it.
static bool seen_before(const KernelCost *k, int i) {
    for (int j = 0; j < i; j++)
        if (alongside(k->accesses[j], k->accesses[i])) return true;
    return false;
}

// Is there an access before, in an earlier pass or of what is written, after which the last-level cache has
// what this one touches, if it keeps what blocks at work touch?
static bool was_touched(const KernelCost *k, const Machine *m, int i, double whole) {
    const AccessCost *c = k->accesses[i];
    for (int j = 0; j < i; j++) {
        const AccessCost *o = k->accesses[j];
        // what was written just before; a sum in memory is read before it is written
        bool reads = o->write && !c->write && o->node != c->node;
        if (!is_global(o) || o->array != c->array || (c->write && !o->write)) continue;
        if (in_one_pass(o, c) && !(reads && o->first == c->first)) continue;
        if (footprint_cured(o, memory_unit(m), false) > 0.9 * whole) return true;
    }
    return false;
}

// So far apart as `bytes`: steps of the loops with the largest strides first; what is left.
static double steps_apart(const AccessCost *c, double bytes, double steps[MODEL_DIMS]) {
    for (int d = 0; d < c->ndims; d++) steps[d] = 0;
    for (;;) {
        int best = -1;
        for (int d = 0; d < c->ndims; d++) {
            double s = (double)llabs(c->dims[d].stride);
            // a row less a few words is a row
            bool fits = s > 0 && c->dims[d].known && 0.9 * s <= fabs(bytes) && !steps[d];
            if (fits && (best < 0 || s > (double)llabs(c->dims[best].stride))) best = d;
        }
        if (best < 0) return bytes;
        double s = (double)llabs(c->dims[best].stride);
        steps[best] = floor(fabs(bytes) / s + 0.5) * (bytes < 0 ? -1 : 1);
        bytes -= steps[best] * s;
    }
}

// How far an access and its neighbours reach: steps of each loop; bytes.
typedef struct Reach {
    double low[MODEL_DIMS + 1], high[MODEL_DIMS + 1];
} Reach;

static void reach(const AccessCost *c, double bytes, Reach *out) {
    double steps[MODEL_DIMS + 1];
    steps[c->ndims] = steps_apart(c, bytes, steps);
    for (int d = 0; d <= c->ndims; d++)
        out->low[d] = fmin(out->low[d], steps[d]), out->high[d] = fmax(out->high[d], steps[d]);
}

// The access together with those that it stands for, as a stencil's: each loop makes as many iterations more
// as they reach further; where blocks of the grid go through rows, each block has so many.
// Iterations of loops that are written out are such neighbours, too, wherever they go.
static AccessCost with_neighbours(const KernelCost *k, const Machine *m, int i) {
    static const Node beside = {.kind = N_FOR, .how = HOW_THREAD};
    AccessCost c = *k->accesses[i], all;
    Reach r = {0};
    for (int d = 0; d < c.ndims; d++)
        if (c.dims[d].nplaces) c.dims[d].trips = 1;
    all = c;
    for (int j = i; j < k->naccesses; j++) {
        const AccessCost *o = k->accesses[j];
        if (j > i && (!is_global(o) || !alongside(k->accesses[i], o))) continue;
        double first = (double)(o->first - c.first);
        reach(&c, first, &r);
        for (int d = 0; d < o->ndims; d++)
            for (int p = 1; p < o->dims[d].nplaces; p++) reach(&c, first + (double)o->dims[d].place[p], &r);
        if (j == i) continue;
        all.moved += o->moved, all.useful += o->useful, all.lines += o->lines, all.sectors += o->sectors,
            all.requests += o->requests, all.ideal += o->ideal;
    }
    for (int d = 0; d < c.ndims; d++) {
        double more = (r.high[d] - r.low[d]) * (c.dims[d].trips > 1);
        if (!is_block(&c.dims[d])) all.dims[d].trips += more;
        else if (more > 0 && all.ndims < MODEL_DIMS)
            all.dims[all.ndims++] = (AccessDim){&beside, more + 1, c.dims[d].stride, true, 0, NULL};
    }
    all.width += (int)fmin(r.high[c.ndims] + up(-r.low[c.ndims], (double)m->sector), 1 << 20);
    return all;
}

// What the caches can't keep of the private arrays of all threads at work.
static void add_local(Traffic *t, const KernelCost *k, const Machine *m, double blocks, double cache,
                      const bool *cured) {
    double bytes = (double)(k->local + k->spilled) * (double)k->threads, loads = 0, all = 0;
    double here = bytes * blocks, everywhere = bytes * fmin((double)k->blocks, blocks * (double)m->sms);
    double past_l1 = here > cache ? 1 - fmax(cache, 0) / here : 0,
           past_l2 = everywhere > (double)m->l2 ? 1 - (double)m->l2 / everywhere : 0;
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        if (!c->local || (cured && cured[i])) continue;
        all += c->moved;
        loads += c->write ? 0 : c->moved;
    }
    t->l2 += all * past_l1;
    t->waited += loads * past_l1;
    t->asked += loads;
    t->local_dram = all * past_l1 * past_l2;
}

// Bytes of the access if threads of a block that want the same sector at once ask for it once: those that
// come right behind the first wait for the same answer.
static double asked_once(const AccessCost *c, const Machine *m) {
    double bytes = traffic_footprint(c, m->sector, threads_of(c));
    for (int d = 0; d < c->ndims; d++)
        if (!is_thread(&c->dims[d]) && c->dims[d].trips > 1) bytes *= c->dims[d].trips;
    return fmin(bytes, c->moved);
}

static bool in_sweep(const KernelCost *k, const AccessCost *c) {
    for (int d = 0; d < c->ndims; d++)
        if (c->dims[d].loop == k->sweep) return true;
    return !k->sweep;
}

double traffic_far(const Traffic *t, const Machine *m) {
    double from_l2 = t->asked > 0 ? fmin(1, t->waited / t->asked) : 0,
           from_dram = t->asked > 0 ? fmin(1, t->dram / t->asked) : 0;
    return fmax(from_l2, from_dram) * (m->latency_l2 - m->latency_l1) +
           from_dram * (m->latency_dram - m->latency_l2);
}

// Of loads of an access and its neighbours: what the first-level cache lacks, and both.
typedef struct Lacking {
    double past_l1[TRAFFIC_MOST], past_l2[TRAFFIC_MOST];
} Lacking;

static Traffic add_up(const KernelCost *k, const Machine *m, int64_t resident, const bool *cured,
                      Lacking *lacking) {
    Traffic t = {0};
    double some = (double)k->blocks / (double)m->sms, most = (double)(resident > 0 ? resident : 1);
    double blocks = some < 1      ? 1
                    : some < most ? ceil(some)
                                  : most,
           cache = fmax(0, (double)(m->l1 - (int64_t)blocks * k->shared));
    double wave = (double)m->sms * most, waves = up((double)k->blocks, wave) / wave, all = 0, in_wave = 0;
    Sharing s = {0};
    bool again_at[TRAFFIC_MOST] = {false};
    for (int i = 0; i < k->naccesses; i++) {
        bool mine = is_global(k->accesses[i]) && !seen_before(k, i);
        if (i < TRAFFIC_MOST) s.same[i] = 1;
        if (!mine) continue;
        AccessCost c = with_neighbours(k, m, i);
        double whole = footprint_cured(&c, memory_unit(m), cured && cured[i]);
        bool again = i < TRAFFIC_MOST && was_touched(k, m, i, whole);
        if (!again) t.compulsory += whole;
        if (!again) in_wave += wave_footprint(&c, m, wave, cured && cured[i]);
        if (i >= TRAFFIC_MOST) continue;
        again_at[i] = again;
        s.bytes[i] = block_bytes(k, &c, m, cache, blocks);
        s.same[i] = c.write ? 1 : sharers(k, &c, m, blocks);
    }
    share(k, cache, blocks, waves, &s);
    for (int i = 0; i < k->naccesses; i++) {
        if (!is_global(k->accesses[i]) || seen_before(k, i)) continue;
        AccessCost c = with_neighbours(k, m, i);
        bool good = cured && cured[i];
        double alone = i < TRAFFIC_MOST ? s.bytes[i] : block_bytes(k, &c, m, cache, blocks);
        alone *= (double)k->blocks;
        // stores go through
        double bytes = c.write ? c.moved : fmin(c.moved, alone * (i >= TRAFFIC_MOST ? 1 : s.missing[i]));
        double waited = c.write ? 0 : fmin(c.moved, alone), asked_for = c.write ? 0 : asked_once(&c, m);
        t.waited += waited;
        t.asked += asked_for;
        if (good) bytes = fmin(bytes, c.ideal * (double)m->sector);
        bool end = !in_sweep(k, k->accesses[i]);
        t.l2 += bytes;
        if (end) t.ends_l2 += bytes;
        double filled = c.sectors > 0 ? c.useful / (c.sectors * (double)m->sector) : 1;
        double some = c.write && !good ? fmin(1, 2 * (1 - filled)) : 0; // the ends of long rows count little
        t.partial += bytes / (double)m->sector * some;
        t.lines += c.lines * some;
        double whole = footprint_cured(&c, memory_unit(m), good),
               again = in_wave <= (double)m->l2 ? whole : waves * wave_footprint(&c, m, wave, good);
        double asked = fmax(bytes, whole); // what is brought once is brought whole
        double brought = again < asked ? fmax(again, whole) : asked;
        if (i < TRAFFIC_MOST && again_at[i] && in_wave <= (double)m->l2) brought = 0;
        if (lacking && i < TRAFFIC_MOST && asked_for > 0) {
            lacking->past_l2[i] = fmin(1, brought / asked_for);
            lacking->past_l1[i] = fmax(fmin(1, waited / asked_for), lacking->past_l2[i]);
        }
        all += brought;
        if (end) t.ends_dram += brought;
    }
    // What fits the last-level cache is there already when the kernel runs again.
    if (t.compulsory <= 0.5 * (double)m->l2) {
        all = t.ends_dram = 0;
        if (lacking) memset(lacking->past_l2, 0, sizeof lacking->past_l2);
    }
    t.dram = all;
    add_local(&t, k, m, blocks, cache, cured);
    t.dram += t.local_dram;
    return t;
}

Traffic traffic_of(const KernelCost *k, const Machine *m, int64_t resident, const bool *cured) {
    return add_up(k, m, resident, cured, NULL);
}

// Of an access and its neighbours together some lack what they ask for: the first of them do.
Traffic traffic_place(KernelCost *k, const Machine *m, int64_t resident) {
    Lacking lacking = {0};
    Traffic t = add_up(k, m, resident, NULL, &lacking);
    for (int i = 0; i < k->naccesses; i++) {
        int lead = i, first = 0, all = 1;
        for (int j = 0; j < k->naccesses; j++) {
            if (j == i || !alongside(k->accesses[j], k->accesses[i])) continue;
            if (j < lead) lead = j;
            first += j < i, all++;
        }
        AccessCost *c = k->accesses[i];
        bool known = lead < TRAFFIC_MOST;
        c->past_l1 = known ? fmax(0, fmin(1, lacking.past_l1[lead] * all - first)) : 1;
        c->past_l2 = known ? fmax(0, fmin(1, lacking.past_l2[lead] * all - first)) : 1;
    }
    return t;
}
