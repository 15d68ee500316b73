// SPDX-License-Identifier: MIT
// walk.c -- warps of a kernel go through its tree, all lanes at once.
#include "model/recall.h"
#include "ir/value.h"
#include <math.h>
#include <stdlib.h>

enum { WHOLE_LOOP = 4096, SMALL_UNROLL = 16, MOST_WHOLE = 1024, PATIENCE = 4, MISJUDGED = 100 };
enum { ENOUGH = 1 << 16 }; // iterations after the plan was misjudged, from where each loop gets one
enum { WHOLE = 1 << 16 }; // a plan that leaves nothing out
static const double LOOP_CONTROL = 3; // counter, test, jump

static void walk(Walk *w, Code *c);
static void walk_kids(Walk *w, Code *c) {
    for (int k = 0; k < c->nkids; k++) walk(w, c->kids[k]);
}

static void charge(Walk *w, Code *c, const InstructionMix *m, double times) {
    double n = mix_total(m) * times;
    mix_add(&c->sum, m, times);
    tally(&w->all, n, (double)count_lanes(w->mask) / w->p->env.width);
}

// ---- divergence ------------------------------------------------------------------------------------
typedef struct Before {
    Tally all, asks;
} Before;
static Before before(const Walk *w) { return (Before){w->all, w->asks}; }

// What the lanes that came here and did not work have cost since then.
static double lose_of(Tally *t, const Tally *at, double lanes) {
    double lost = (t->issued - at->issued) * lanes - (t->active - at->active) - (t->lost - at->lost);
    if (lost <= 1e-9) return 0;
    t->lost += lost;
    return lost;
}

static void lose(Walk *w, BranchCost *b, Before at) {
    double lanes = (double)count_lanes(w->mask) / w->p->env.width;
    b->cost += lose_of(&w->all, &at.all, lanes);
    b->requests += lose_of(&w->asks, &at.asks, lanes);
}

// ---- loops -------------------------------------------------------------------------------------------
typedef struct Range {
    Lanes lo;
    int64_t trips[MAX_LANES];         // not of uniform ones: most
    int64_t most, sum;
    bool known, uniform;
    bool assumed;                     // where the data put it
} Range;

// Iterations of a lane where only the data tell how many. A stretch is taken for MODEL_TRIPS elements,
// whoever goes through it: lane 3 of 8 takes the elements 3 and 11.
//
//   for k = from[row] + lane .. from[row + 1] step 8
static int64_t guess(const Range *r, const Node *n, int k) {
    int64_t step = llabs(n->step), at = n->step < 0 ? -lane(&r->lo, k) : lane(&r->lo, k);
    if (loop_is_unbounded(n) || step < 2) return MODEL_TRIPS;
    int64_t first = r->lo.known != UNKNOWN ? (at % step + step) % step : 0;
    return first < MODEL_TRIPS ? (MODEL_TRIPS - first + step - 1) / step : 0;
}

static void range_of(Walk *w, const Node *n, Range *r) {
    Lanes hi;
    lanes_of(&w->p->env, n->lo, &r->lo);
    lanes_of(&w->p->env, n->hi, &hi);
    r->known = r->lo.known == KNOWN && hi.known == KNOWN && !loop_is_unbounded(n);
    r->uniform = r->lo.uniform && hi.uniform;
    r->most = r->sum = 0;
    if (r->uniform && w->mask) {
        r->most = r->known ? code_trips(r->lo.at[0], hi.at[0], n->step) : guess(r, n, 0);
        r->sum = r->most * count_lanes(w->mask);
    }
    for (int k = 0; !r->uniform && k < w->p->env.width; k++) {
        if (!(w->mask >> k & 1)) continue;
        r->trips[k] = r->known ? code_trips(lane(&r->lo, k), lane(&hi, k), n->step) : guess(r, n, k);
        r->sum += r->trips[k];
        if (r->trips[k] > r->most) r->most = r->trips[k];
    }
    r->assumed = !r->known || (w->p->env.stretches && (expr_has_load(n->lo) || expr_has_load(n->hi)));
    if (r->assumed) w->k->assumed = true;
}

static void bind(Walk *w, Lanes *v, const Range *r, int64_t step, int64_t at) {
    v->known = r->lo.known;
    v->uniform = r->lo.uniform;
    for (int k = 0; k < (v->uniform ? 1 : w->p->env.width); k++) v->at[k] = r->lo.at[k] + step * at;
}

static uint64_t lanes_in(const Walk *w, uint64_t from, const Range *r, int64_t at) {
    uint64_t mask = 0;
    if (r->uniform) return at < r->most ? from : 0;
    for (int k = 0; k < w->p->env.width; k++)
        if ((from >> k & 1) && at < r->trips[k]) mask |= 1ull << k;
    return mask;
}

static void choose(Walk *w, Code *c, const Range *r, Samples *s) {
    int some = w->left > 0 || w->plan.loop < 2 ? w->plan.loop : 2;
    bool one = w->left < -ENOUGH; // dozens of loops inside each other
    bool follow = c->steps && r->most <= WHOLE_LOOP && !one; // what one iteration sets the next one reads
    if (c->n->how == HOW_UNROLL && some < SMALL_UNROLL) some = SMALL_UNROLL;
    if (follow && w->patience < r->most) follow = false, w->k->assumed = true;
    if (follow) {
        s->whole = true;
        s->n = r->most;
        w->patience -= r->most;
    } else if ((!c->touches && r->uniform) || one) {
        s->whole = false;
        s->n = r->most > 0;
        s->at[0] = r->most / 2;
        s->weight[0] = (double)r->most;
    } else {
        bends_spread(w, c, &r->lo, r->most, some, s);
    }
}

static void push_unrolled(Walk *w, const Code *c, const Range *r, Lanes *value) {
    int64_t factor = c->n->how == HOW_UNROLL ? r->most : c->n->unroll;
    // A loop of one statement with a constant trip count is unrolled without being told.
    bool small = c->leaf && r->most <= MOST_WHOLE && code_statements(c) <= 1;
    if (factor < 1 && code_is_literal(c) && (small || code_is_small(c))) factor = r->most;
    if (factor < 1 && code_is_literal(c)) factor = (int64_t)(1 / code_share(w->p, c) + 0.5); // by habit
    if (factor > 1 && r->uniform && w->nunrolled < MAX_UNROLLED)
        w->unrolled[w->nunrolled++] = (Unrolled){c->n->iter, value, c->n->step, factor, w->guards};
}

static void note_loop(Walk *w, Code *c, const Range *r) {
    BranchCost *b = c->branch;
    c->entries += w->weight;
    c->iterations += w->weight * (double)r->most;
    c->entry_weight = w->weight;
    b->warps += w->weight;
    b->assumed = b->assumed || (r->assumed && !r->uniform);
    b->guessed |= r->assumed;
    if (r->uniform) return;
    int64_t all = r->most * count_lanes(w->mask);
    b->split += r->sum != all || r->assumed ? w->weight : 0;
    b->idle += w->weight * (double)(all - r->sum);
    b->busy += w->weight * (double)r->sum;
}

bool walk_bind(Walk *w, Code *c, double part) {
    Range r;
    range_of(w, c->n, &r);
    bind(w, env_push(&w->p->env, c->n->iter), &r, c->n->step, (int64_t)(part * (double)r.most));
    return r.most > 0;
}

static void walk_loop(Walk *w, Code *c) {
    Range r;
    struct {
        uint64_t mask;
        double weight, share;
        int depth, nunrolled;
    } old = {w->mask, w->weight, w->share, w->depth, w->nunrolled};
    range_of(w, c->n, &r);
    note_loop(w, c, &r);
    if (r.most == 0) return;
    Samples s;
    choose(w, c, &r, &s);
    w->left -= s.n;
    w->k->loops_cut |= s.n < r.most && c->touches;
    Before at = before(w);
    int bound = w->p->env.bound.n;
    Lanes *v = env_push(&w->p->env, c->n->iter);
    double part = code_share(w->p, c);
    bool whole = c->n->how != HOW_SERIAL || part * (double)r.most <= 1; // nothing is left of the loop
    InstructionMix control = {.control = whole ? 0 : LOOP_CONTROL * part};
    w->depth++;
    w->share = c->n->how == HOW_SERIAL ? part : w->share;
    push_unrolled(w, c, &r, v);
    for (int64_t k = 0; k < s.n; k++) {
        bind(w, v, &r, c->n->step, sample(&s, k));
        w->mask = lanes_in(w, old.mask, &r, sample(&s, k));
        w->weight = old.weight * weight_of(&s, k);
        c->first = k == 0;
        if (c->n->how == HOW_SERIAL) w->nseen = 0;
        charge(w, c, &control, w->weight);
        walk_kids(w, c);
    }
    env_pop(&w->p->env, bound);
    w->mask = old.mask, w->weight = old.weight, w->depth = old.depth, w->share = old.share;
    w->nunrolled = old.nunrolled;
    if (c->n->how == HOW_SERIAL) w->nseen = 0;
    if (!r.uniform) lose(w, c->branch, at);
}

// ---- threads --------------------------------------------------------------------------------------------
int walk_chain(Code *c, Code *out[MODEL_DIMS]) {
    int n = 0;
    How how = c->n->how;
    while (c && n < MODEL_DIMS) {
        while (c->n->kind == N_SEQ && c->nkids == 1 && !c->n->nlocals) c = c->kids[0];
        if (c->n->kind != N_FOR || c->n->how != how) break;
        out[n++] = c;
        c = c->nkids ? c->kids[0] : NULL;
    }
    return n;
}

uint64_t walk_digits(Walk *w, int n, Code *const *loop, const int64_t *number) {
    uint64_t mask = w->mask;
    int64_t left[MAX_LANES];
    int width = w->p->env.width;
    for (int k = 0; k < width; k++) left[k] = number[k];
    for (int d = n; d-- > 0;) {
        Range r;
        range_of(w, loop[d]->n, &r);
        Lanes *v = env_push(&w->p->env, loop[d]->n->iter);
        v->known = r.lo.known;
        v->uniform = r.lo.uniform; // of a team as wide as the warp: its row
        int64_t first = r.most ? left[0] % r.most : 0;
        for (int k = 0; k < width; k++) {
            v->uniform = v->uniform && (r.most ? left[k] % r.most : 0) == first;
            v->at[k] = lane(&r.lo, k) + (r.most ? left[k] % r.most : 0) * loop[d]->n->step;
            left[k] = r.most ? left[k] / r.most : 1;
        }
        loop[d]->entries += w->weight;
        loop[d]->iterations += w->weight * (double)r.most;
    }
    for (int k = 0; k < width; k++)
        if (left[k]) mask &= ~(1ull << k);
    return mask;
}

static void walk_threads(Walk *w, Code *c) {
    Code *loop[MODEL_DIMS];
    if (w->in_phase) {
        w->k->refused = "thread loops that do not stand directly inside each other";
        return;
    }
    uint64_t mask = w->mask;
    int n = walk_chain(c, loop), bound = w->p->env.bound.n;
    int64_t number[MAX_LANES];
    for (int k = 0; k < w->p->env.width; k++) number[k] = w->thread + k;
    w->mask = walk_digits(w, n, loop, number);
    w->in_phase = true;
    w->nseen = 0;
    if (w->mask) walk_kids(w, loop[n - 1]);
    w->nseen = 0;
    env_pop(&w->p->env, bound);
    w->mask = mask, w->in_phase = false;
}

// Elements of the copy are dealt in their order: the first to thread 0, and on from there in turns.
static void walk_coop(Walk *w, Code *c) {
    Code *loop[MODEL_DIMS];
    uint64_t mask = w->mask;
    double weight = w->weight;
    int n = walk_chain(c, loop), bound = w->p->env.bound.n;
    double all = 1;
    for (int d = 0; d < n; d++) {
        Range r;
        range_of(w, loop[d]->n, &r);
        all *= (double)r.most;
    }
    Samples s;
    int64_t turns = (int64_t)((all + (double)w->p->threads - 1) / (double)w->p->threads);
    spread(&s, turns, w->plan.loop, w->depth);
    w->in_phase = true;
    for (int64_t t = 0; t < s.n; t++) {
        int64_t number[MAX_LANES];
        for (int k = 0; k < w->p->env.width; k++) number[k] = w->thread + k + w->p->threads * sample(&s, t);
        w->weight = weight * weight_of(&s, t);
        w->mask = mask;
        w->mask = walk_digits(w, n, loop, number);
        w->nseen = 0;
        if (w->mask) walk_kids(w, loop[n - 1]);
        env_pop(&w->p->env, bound);
    }
    w->mask = mask, w->weight = weight, w->in_phase = false;
}

// ---- vectors ----------------------------------------------------------------------------------------------
static bool is_flat(const Code *c) {
    if (c->n->kind == N_FOR || c->n->kind == N_IF) return false;
    for (int k = 0; k < c->nkids; k++)
        if (!is_flat(c->kids[k])) return false;
    return true;
}

static void walk_vector(Walk *w, Code *c) {
    Range r;
    range_of(w, c->n, &r);
    if (!r.uniform || w->vec.iter || !c->nkids || !is_flat(c->kids[0])) return walk_loop(w, c);
    int bound = w->p->env.bound.n;
    c->first = true;
    c->entry_weight = w->weight;
    c->entries += w->weight;
    c->iterations += w->weight * (double)r.most;
    Lanes *v = env_push(&w->p->env, c->n->iter);
    bind(w, v, &r, c->n->step, 0);
    w->vec = (Vector){c->n->iter, v, r.lo.at[0], r.most};
    if (r.most) walk_kids(w, c);
    w->vec = (Vector){0};
    env_pop(&w->p->env, bound);
}

// ---- branches and leaves --------------------------------------------------------------------------------
uint64_t walk_taken(const Walk *w, const Lanes *c) {
    uint64_t mask = 0;
    for (int k = 0; k < w->p->env.width; k++)
        if ((w->mask >> k & 1) && lane(c, k)) mask |= 1ull << k;
    return mask;
}

static void arm(Walk *w, Code *c, uint64_t mask, double weight, bool agreed) {
    struct {
        uint64_t mask;
        double weight;
        int nseen;
    } old = {w->mask, w->weight, w->nseen};
    w->mask = mask;
    w->weight = weight;
    w->guards++;
    if (mask && c) walk(w, c);
    w->guards--;
    w->mask = old.mask, w->weight = old.weight;
    // What is read in a branch is not known behind it; but compilers bring the loads of unrolled
    // iterations together though each has a condition of its own, if all lanes agree on it.
    if (w->nseen > old.nseen && !(agreed && w->nunrolled)) w->nseen = old.nseen;
}

// Has a compiler decided the branch before a loop of which this is not the first iteration?
static bool decided_before(const Code *c) {
    for (const Code *up = c->before ? c->parent : NULL; up; up = up->parent) {
        if (up->n->kind == N_FOR && up->n->how == HOW_SERIAL && !up->first) return true;
        if (up == c->before) break;
    }
    return false;
}

static void walk_if(Walk *w, Code *c) {
    Lanes v;
    BranchCost *b = c->branch;
    Code *other = c->nkids > 1 ? c->kids[1] : NULL;
    if (!decided_before(c)) charge(w, c, &c->once, w->weight);
    lanes_of(&w->p->env, c->n->cond, &v);
    b->warps += w->weight;
    if (v.known != KNOWN && expr_asks_nan(c->n->cond)) {
        arm(w, other, w->mask, w->weight, v.uniform);
        return;
    }
    if (v.known != KNOWN) { // taken; by half of those who come where there is something else to do
        double part = other && v.uniform ? 0.5 : 1;
        b->assumed = b->guessed = true;
        w->k->assumed = true;
        if (!v.uniform) b->split += w->weight;
        arm(w, c->kids[0], w->mask, w->weight * part, false);
        arm(w, other, w->mask, w->weight * part, false);
        return;
    }
    uint64_t then = walk_taken(w, &v), rest = w->mask & ~then;
    Before at = before(w);
    if (then && rest) {
        b->split += w->weight;
        b->idle += w->weight * count_lanes(rest);
        b->busy += w->weight * count_lanes(then);
    }
    arm(w, c->kids[0], then, w->weight, v.uniform);
    arm(w, other, rest, w->weight, v.uniform);
    if (then && rest) lose(w, b, at);
}

static void set_value(Walk *w, Code *c) {
    Lanes *v = env_find(&w->p->env, c->set), x = {.known = UNKNOWN};
    if (!v) return;
    if (c->value) lanes_of(&w->p->env, c->value, &x);
    uint64_t all = w->p->env.width == 64 ? ~0ull : (1ull << w->p->env.width) - 1;
    if (w->mask == all || x.known != KNOWN) {
        bool whole = w->mask == all;
        v->known = whole || x.known > v->known ? x.known : v->known;
        v->uniform = whole && x.uniform;
        env_set(&w->p->env, c->set, whole ? c->value : NULL);
        for (int k = 0; whole && k < w->p->env.width; k++) v->at[k] = lane(&x, k);
        return;
    }
    for (int k = 0; v->uniform && k < w->p->env.width; k++) v->at[k] = v->at[0];
    v->uniform = false;
    for (int k = 0; k < w->p->env.width; k++)
        if (w->mask >> k & 1) v->at[k] = lane(&x, k);
}

static void walk_leaf(Walk *w, Code *c) {
    double times = w->vec.iter ? (double)w->vec.trips : 1;
    charge(w, c, &c->once, w->weight * times);
    for (int k = 0; k < c->nheavy; k++)
        if (walk_again(w, c, &c->heavy[k])) charge(w, c, &c->heavy[k].mix, -w->weight);
    w->k->flops += c->flops * times * w->weight * count_lanes(w->mask);
    if (c->set) set_value(w, c);
}

static void go(Walk *w, Code *c) {
    c->visits += w->weight;
    for (int k = 0; k < c->nsites; k++) walk_site(w, c, c->sites[k]);
    switch (c->n->kind) {
    case N_FOR:
        if (c->n->how == HOW_THREAD) walk_threads(w, c);
        else if (c->n->how == HOW_COOP) walk_coop(w, c);
        else if (c->n->how == HOW_VECTOR) walk_vector(w, c);
        else walk_loop(w, c);
        break;
    case N_IF: walk_if(w, c); break;
    case N_STMT: case N_COPY: walk_leaf(w, c); break;
    default: walk_kids(w, c);
    }
}

static void walk(Walk *w, Code *c) {
    if (!w->mask || w->k->refused) return;
    if (c->piece) recall(w, c, go);
    else go(w, c);
}

// ---- the grid --------------------------------------------------------------------------------------------
static bool has_blocks(const Code *c) {
    if (c->n->kind == N_FOR && c->n->how == HOW_BLOCK) return true;
    for (int k = 0; k < c->nkids; k++)
        if (has_blocks(c->kids[k])) return true;
    return false;
}

static void walk_warps(Walk *w, Code *c) {
    Samples s;
    Warps all;
    int width = w->p->env.width, bound = w->p->env.bound.n;
    double weight = w->weight, asks = w->asks.issued, flops = w->k->flops;
    warps_spread(w, c, &all, &s);
    w->k->blocks_seen++;
    w->k->warps_seen = (double)s.n;
    for (int64_t k = 0; k < s.n; k++) {
        w->thread = sample(&s, k) * width;
        w->mask = warps_lanes(w);
        w->weight = weight * weight_of(&s, k);
        for (int i = 0; i < w->p->privates.n; i++) {
            Lanes *v = env_find(&w->p->env, w->p->privates.at[i]);
            v->known = UNKNOWN;
            v->uniform = false;
            env_set(&w->p->env, w->p->privates.at[i], NULL);
        }
        double before = w->all.issued;
        walk(w, c);
        warps_note(w, &all, &s, k, w->all.issued - before);
        env_pop(&w->p->env, bound);
    }
    warps_share(w, &all);
    if (w->asks.issued == asks && w->k->flops == flops) w->k->idle += weight;
    w->weight = weight;
}

static void walk_blocks(Walk *w, Code *c, int some) {
    if (!has_blocks(c)) return walk_warps(w, c);
    w->mask = 1;
    if (c->n->kind != N_FOR) {
        for (int k = 0; k < c->nkids; k++)
            if (has_blocks(c->kids[k])) walk_blocks(w, c->kids[k], some);
        return;
    }
    Range r;
    range_of(w, c->n, &r);
    Samples s;
    bends_spread(w, c, &r.lo, r.most, c->slanted && some == 1 ? 2 : some, &s);
    double weight = w->weight;
    int bound = w->p->env.bound.n;
    Lanes *v = env_push(&w->p->env, c->n->iter);
    c->entries += weight;
    c->iterations += weight * (double)r.most;
    w->depth++;
    for (int64_t k = 0; k < s.n; k++) {
        bind(w, v, &r, c->n->step, sample(&s, k));
        w->weight = weight * weight_of(&s, k);
        walk_blocks(w, c->kids[0], some);
        w->mask = 1;
    }
    w->depth--;
    w->weight = weight;
    env_pop(&w->p->env, bound);
}

// ---- how closely to look
// -----------------------------------------------------------------------------------
typedef struct Guess {
    const Plan *plan;
    double most;
    int n;
    InterpVal at[MODEL_DIMS]; // counters around, in the middle of their ranges
} Guess;

static double requests(const Code *c, Guess *g);

static double requests_below(const Code *c, Guess *g) {
    double n = c->nsites;
    for (int k = 0; k < c->nkids && n < g->most; k++) n += requests(c->kids[k], g);
    return n;
}

// Requests that one warp of one block makes under a plan; no more than `most` are counted.
static double requests(const Code *c, Guess *g) {
    if (c->n->kind != N_FOR) return requests_below(c, g);
    int64_t lo = 0, hi = INT32_MAX;
    bool known = !loop_is_unbounded(c->n) && ir_eval(c->n->lo, g->n, g->at, &lo) &&
                 ir_eval(c->n->hi, g->n, g->at, &hi),
         push = known && g->n < MODEL_DIMS;
    // none in the middle is not none at all
    double trips = known ? fmax(1, (double)code_trips(lo, hi, c->n->step)) : 1e9;
    if (push) g->at[g->n++] = (InterpVal){c->n->iter, lo + (int64_t)(trips / 2) * c->n->step, 0};
    double n = requests_below(c, g);
    g->n -= push;
    if (!c->touches && !c->steps) return n;
    double some = g->plan->loop + 1;
    if (c->steps) n += 0.1 * code_statements(c), some = WHOLE_LOOP; // every iteration is gone through
    if (c->n->how == HOW_UNROLL && some < SMALL_UNROLL) some = SMALL_UNROLL;
    if (c->n->how == HOW_BLOCK || c->n->how == HOW_THREAD || c->n->how == HOW_VECTOR) some = 1;
    if (c->n->how == HOW_COOP) some = 1.5;
    return n * (trips < some ? trips : some);
}

static double pow_int(double x, int n) { return n > 0 ? x * pow_int(x, n - 1) : 1; }

static int per_dimension(int all, int dims) {
    int n = all > 0;
    while (all > 0 && dims > 0 && pow_int(n + 1, dims) <= all) n++;
    return n;
}

static double count_blocks(const Program *p) {
    double n = 1;
    for (int d = 0; d < p->g.nblock; d++) {
        int64_t lo = 0, hi = WHOLE;
        bool known = ir_eval(p->g.block[d]->lo, 0, NULL, &lo) && ir_eval(p->g.block[d]->hi, 0, NULL, &hi);
        n *= known ? (double)code_trips(lo, hi, p->g.block[d]->step) : WHOLE;
    }
    return n;
}

static Plan choose_plan(const Program *p, int most) {
    static const Plan plans[] = {{WHOLE, WHOLE, WHOLE}, {27, 32, 16}, {27, 32, 8}, {16, 32, 8}, {9, 32, 8},
        {9, 32, 4}, {4, 32, 4}, {4, 32, 2}, {4, 8, 2}, {4, 2, 2}, {2, 1, 1}, {0, 0, 0}};
    int last = (int)(sizeof plans / sizeof *plans) - (most < MODEL_CLOSELY ? 1 : 2);
    double warps = (double)(p->threads + p->env.width - 1) / p->env.width;
    for (int k = 0; k < last; k++) {
        double w = warps < plans[k].warps + 1 ? warps : plans[k].warps + 1;
        double blocks = plans[k].blocks == WHOLE ? count_blocks(p) : plans[k].blocks + 1;
        Guess g = {.plan = &plans[k], .most = 1e7};
        if (requests(p->root, &g) * blocks * w <= most) return plans[k];
    }
    return plans[last];
}

void program_walk(Program *p, KernelCost *k, int most) {
    Walk w = {.p = p, .k = k, .weight = 1, .share = 1, .mask = 1};
    if (!p->plan) p->plan = NEW(p->a, Plan), *p->plan = choose_plan(p, most); // no size has a say
    w.plan = *p->plan;
    w.patience = (int64_t)most * PATIENCE;
    w.left = (int64_t)most * MISJUDGED;
    walk_blocks(&w, p->root, per_dimension(w.plan.blocks, p->g.nblock));
    k->efficiency = w.all.issued > 0 ? w.all.active / w.all.issued : 1;
    k->uneven = warps_unevenness(&w);
}
