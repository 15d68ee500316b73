// SPDX-License-Identifier: MIT
// path.c -- the longest chain of a block: what waits for what when nothing else is in its way.
//
//   v = x[i]        load          begins at once; its value is there a latency later
//   s += v * v      two in turn   begins when v and s are there
//   w[t] = s        store         the phase ends when all of its stores have their values
//   ---- barrier                  all threads wait for the last one
//
// Warps issue in order, but only the use of a value waits for it. A loop that is unrolled u times has the
// loads of u iterations under way together, so these cost one wait, and what an iteration hands on to the
// next (a sum) is one chain over all of them. Found by going through the body of a loop twice.
//
// A processor's core issues what is ready, out of as many iterations as its window has room for, and fetches
// ahead of loops that go along memory: these wait for what iterations hand on, and for little else.
#include "ir/deal.h"
#include "model/walk.h"
#include <math.h>
#include <string.h>

// Loads that a compiler has under way together at most, for want of registers; and those that each have a
// condition of their own, for want of predicates: NVIDIA's threads have seven of these, and the code around
// them needs some, too.
enum { UNDER_WAY = 16, GUARDED = 5 };
static const double FP64_SLOWER = 2;      // chains of double arithmetic, by their latency

typedef struct Value {
    const Array *of;
    double at;                            // when it is there
} Value;

typedef struct Path {
    Program *p;
    bool sized;                           // sizes are compiled in where conditions hold by them
    bool near;                            // all loads find what they want in the first-level cache
    bool under_way;                       // loads are, since another iteration began
    double batch;                         // iterations that have their loads under way together
    double now;                           // nothing begins earlier
    double unit;                          // the scheduler's matrix unit is free
    double end;                           // the last store's value is there
    bool phases;                          // there are barriers
    // private variables; those that are not here are there from the start
    VEC(Value) values;
} Path;

// ---- values ------------------------------------------------------------------------------------------
static bool is_private(const Array *x) { return x->place == PLACE_LOCAL || x->place == PLACE_REGISTER; }

// One variable, not a row of them of which unrolled code names another each time.
static bool is_single(const Array *x) {
    for (int k = 0; k < x->rank; k++)
        if (!(x->place == PLACE_REGISTER && k < x->digits) && !(x->extent[k] && expr_is_int(x->extent[k], 1)))
            return false;
    return is_private(x);
}

static double ready(const Path *s, const Array *x) {
    for (int k = s->values.n; k-- > 0;)
        if (s->values.at[k].of == x) return s->values.at[k].at;
    return 0;
}

static void set(Path *s, const Array *x, double at) {
    for (int k = 0; k < s->values.n; k++)
        if (s->values.at[k].of == x) return (void)(s->values.at[k].at = at);
    vec_push(s->p->a, &s->values, ((Value){x, at}));
}

// all: rows of registers too; else only what code that follows may have to wait for.
static double latest(const Path *s, bool all) {
    double t = s->end > s->now ? s->end : s->now;
    for (int k = 0; k < s->values.n; k++)
        if (s->values.at[k].at > t && (all || is_single(s->values.at[k].of))) t = s->values.at[k].at;
    return t;
}

typedef struct State {
    double end;
    int n;
    Value *values;
} State;

static State keep(const Path *s) {
    State k = {s->end, s->values.n, NEW_N(s->p->a, Value, s->values.n + 1)};
    for (int i = 0; i < s->values.n; i++) k.values[i] = s->values.at[i];
    return k;
}

static void restore(Path *s, const State *k) {
    s->end = k->end;
    s->values.n = k->n;
    for (int i = 0; i < k->n; i++) s->values.at[i] = k->values[i];
}

// The latest of what has come since, or `from`.
static double latest_since(const Path *s, const State *k, double from) {
    double t = fmax(s->now, s->end > k->end ? s->end : from);
    for (int i = 0; i < s->values.n; i++)
        if (i >= k->n || s->values.at[i].at > k->values[i].at) t = fmax(t, s->values.at[i].at);
    return t;
}

// What has come since, behind `from`, comes that much sooner or later.
static void stretch(Path *s, const State *since, double from, double by) {
    s->now = s->now > from ? from + by * (s->now - from) : s->now;
    s->end = s->end > fmax(from, since->end) ? from + by * (s->end - from) : s->end;
    s->unit = s->unit > from ? from + by * (s->unit - from) : s->unit;
    for (int k = 0; k < s->values.n; k++) {
        double *at = &s->values.at[k].at;
        if (*at > from && (k >= since->n || *at > since->values[k].at)) *at = from + by * (*at - from);
    }
}

// ---- expressions ------------------------------------------------------------------------------------
// Cycles of the operators on the longest way through an expression.
static double slower(const Path *s, Type t) { return t == T_F64 && !s->p->m->window ? FP64_SLOWER : 1; }

static double depth_of(const Path *s, const Expr *x) {
    const Machine *m = s->p->m;
    bool by_hand = s->p->nest->region->nstmts == 0;
    const Expr *squared = mix_inverse_root(x, by_hand);
    double most = squared ? depth_of(s, squared) : 0;
    for (int k = 0; x->kind != E_LOAD && !squared && k < x->nargs; k++)
        most = fmax(most, depth_of(s, x->args[k]));
    bool counts =
        x->kind == E_CALL || (x->kind == E_OP && x->op != OP_NEG && type_is_float(x->args[0]->type));
    if (!counts) return most;
    Sequence q = mix_sequence(x, by_hand);
    return most + m->latency_fma * mix_length(x, by_hand) * slower(s, x->type) +
           m->latency_special * q.special;
}

// Cycles from a load to its value. Of a batch that is under way together all wait for the farthest.
static double latency(const Path *s, const Site *x) {
    const Machine *m = s->p->m;
    const AccessCost *c = x->cost;
    if (c->shared) return m->latency_shared;
    if (c->local || s->near || (x->steady && m->window)) return m->latency_l1;
    return m->latency_l1 + (1 - pow(1 - c->past_l1, s->batch)) * (m->latency_l2 - m->latency_l1) +
           (1 - pow(1 - c->past_l2, s->batch)) * (m->latency_dram - m->latency_l2);
}

// What a subscript waits for.
typedef struct Where {
    const Path *s;
    const Code *c;
    double ready;                         // of private variables, the last; -1: there are none
    double loads;                         // cycles of the load that says where it goes; 0: there is none
} Where;

static void find_where(Where *w, const Expr *x) {
    if (x->kind != E_LOAD) return;
    if (is_single(x->array)) w->ready = fmax(w->ready, ready(w->s, x->array));
    for (int k = 0; k < w->c->nsites && !is_single(x->array); k++) {
        const Site *o = w->c->sites[k];
        if (o->array == x->array && !o->cost->write) w->loads = fmax(w->loads, latency(w->s, o));
    }
}

// Is x a load of what the same statement stores?
static bool is_own_store(const Code *c, const Site *x) {
    for (int k = 0; k < c->nsites && !x->cost->write && !x->cost->shared; k++) {
        const Site *o = c->sites[k];
        bool same = o->cost->write && o->array == x->array;
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(o->sub[d], x->sub[d]);
        if (same) return true;
    }
    return false;
}

// When the values that a statement reads are there: of loads that it makes itself, and private ones.
static double inputs(const Path *s, const Code *c) {
    double t = s->now;
    for (int k = 0; k < c->nsites; k++) {
        const Site *x = c->sites[k];
        Where w = {s, c, -1, 0};
        for (int d = 0; d < x->array->rank; d++) expr_each(y, x->sub[d]) find_where(&w, y);
        if (x->cost->write || x->hoist) continue;
        double load = latency(s, x);
        if (w.ready > 0) t = fmax(t, w.ready + load); // it can't begin before
        if (s->under_way) continue;
        // stores go through, but those that a core has under way itself
        double stored = s->p->m->window ? s->p->m->latency_l1 : s->p->m->latency_l2;
        if (!x->cost->local && is_own_store(c, x)) load = fmax(load, stored);
        t = fmax(t, s->now + w.loads + load);
    }
    for (int k = 0; k < c->nreads; k++) t = fmax(t, ready(s, c->reads[k]));
    return t;
}

// ---- statements -----------------------------------------------------------------------------------------
static void finish(Path *s, const Array *to, double at) {
    if (is_single(to)) set(s, to, at);
    else if (is_private(to)) set(s, to, fmax(at, ready(s, to)));
    else if (at > s->end) s->end = at;
}

// Private variables that a statement reads.
static void find_reads(Path *s, Code *c) {
    AccessVec v = node_accesses(s->p->a, c->n);
    c->reads = NEW_N(s->p->a, const Array *, v.n + 1);
    for (int k = 1; k < v.n; k++)
        if (is_single(v.at[k].array)) c->reads[c->nreads++] = v.at[k].array;
}

// A scheduler's matrix unit does the instructions of all of the block's warps that it has one after another.
static double matrix_cycles(const Path *s, const Matrix *m) {
    const Machine *on = s->p->m;
    double schedulers = (double)on->schedulers;
    double warps = ceil((double)s->p->threads / (double)on->warp / schedulers);
    return warps * m->m * m->n * m->k * schedulers / (double)on->matrix64;
}

static void leaf(Path *s, Code *c) {
    const Node *n = c->n;
    if (n->async || (n->kind == N_COPY && !n->dst)) return; // goes on by itself
    const Array *to = n->kind == N_COPY ? n->dst : n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs;
    Op op = n->kind == N_COPY ? n->op : n->stmt->op;
    if (!c->reads) find_reads(s, c);
    if (n->matrix) {
        s->unit = fmax(s->unit, inputs(s, c)) + matrix_cycles(s, n->matrix);
        return finish(s, to, s->unit);
    }
    double t = inputs(s, c) + depth_of(s, c->rhs);
    bool fused = n->kind == N_STMT
                     ? n->stmt->fused
                     : s->p->nest->region->nstmts == 0 && n->src->kind == E_OP && n->src->op == OP_MUL;
    // fused: the product's instruction adds
    if (op != OP_SET)
        t = fmax(fused ? t - s->p->m->latency_fma : t, is_single(to) ? ready(s, to) : s->now) +
            s->p->m->latency_fma;
    finish(s, to, t);
}

// ---- trees ------------------------------------------------------------------------------------------------
static void follow(Path *s, Code *c);
static void follow_kids(Path *s, Code *c) {
    for (int k = 0; k < c->nkids; k++) follow(s, c->kids[k]);
}

static int phases(const Code *c) {
    bool head = c->n->kind == N_FOR && (c->n->how == HOW_THREAD || c->n->how == HOW_COOP);
    int n = head;
    for (int k = 0; !head && k < c->nkids; k++) n += phases(c->kids[k]);
    return n;
}

// Do all threads meet the condition whenever they come by?
static bool always_holds(const Code *c) {
    return c->branch->split <= 0 && c->kids[0]->visits >= (1 - 1e-9) * c->visits;
}

// Is it a condition whose answer changes with the counters of these loops?
static bool is_guard(const Path *s, const Code *c, int n, Code *const *loop) {
    bool asks = false;
    if (c->n->kind != N_IF || !c->nkids || (s->sized && always_holds(c))) return false;
    for (int k = 0; k < n; k++) asks |= expr_uses_sym(c->n->cond, loop[k]->n->iter);
    return asks;
}

// Loads from global memory that each iteration makes.
typedef struct Loads {
    double all, guarded;
} Loads;

static void loads_below(const Path *s, const Code *c, int n, Code *const *loop, bool guarded, Loads *out) {
    guarded = guarded || is_guard(s, c, n, loop);
    for (int k = 0; k < c->nsites; k++) {
        bool load = !c->sites[k]->cost->write && !c->sites[k]->cost->shared && !c->sites[k]->hoist;
        out->all += load, out->guarded += load && guarded;
    }
    for (int k = 0; k < c->nkids; k++) loads_below(s, c->kids[k], n, loop, guarded, out);
}

// How many iterations of loops that are dealt out by these counters may have their loads under way together.
static double room(const Path *s, const Code *c, int n, Code *const *loop) {
    Loads l = {0};
    loads_below(s, c, n, loop, false, &l);
    double most = UNDER_WAY / fmax(1, l.all);
    return fmax(1, l.guarded > 0 ? fmin(most, GUARDED / l.guarded) : most);
}

static bool same_place(const Site *x, const Site *y) {
    bool same = x->array == y->array;
    for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(x->sub[d], y->sub[d]);
    return same;
}

// Is there an access that may meet x somewhere else in its array? Of others printed kernels say that they
// can't.
static bool may_meet(const Program *p, const Code *c, const Site *x) {
    for (int k = 0; k < c->nsites; k++) {
        const Site *o = c->sites[k];
        bool other = p->nest->region->nstmts == 0 && o->array->elem == x->array->elem;
        if (!o->cost->shared && (o->array == x->array || other) && !same_place(o, x)) return true;
    }
    for (int k = 0; k < c->nkids; k++)
        if (may_meet(p, c->kids[k], x)) return true;
    return false;
}

// Does a loop's body read what the iteration before stored at the same place of global memory? Where nothing
// else can have changed it a compiler keeps it in a register.
static bool hands_on(const Program *p, const Code *loop, const Code *c) {
    for (int i = 0; i < c->nsites; i++) {
        bool stays = is_own_store(c, c->sites[i]);
        for (int d = 0; stays && d < c->sites[i]->array->rank; d++)
            stays = !expr_uses_sym(c->sites[i]->sub[d], loop->n->iter);
        if (stays && may_meet(p, loop, c->sites[i])) return true;
    }
    for (int k = 0; k < c->nkids; k++)
        if (hands_on(p, loop, c->kids[k])) return true;
    return false;
}

// Of all iterations, with the loops inside.
static double instructions(const Code *c) {
    double n = mix_total(&c->sum);
    for (int k = 0; k < c->nkids; k++) n += instructions(c->kids[k]);
    return n;
}

// How many iterations have their loads under way together.
static double together(const Path *s, Code *c, double trips) {
    double u = c->n->how == HOW_UNROLL ? trips
               : c->leaf && !phases(c) ? 1 / code_share(s->p, c)
                                       : 1;
    u = fmin(u, room(s, c, 1, &c));
    double window = (double)s->p->m->window;
    if (window > 0) u = fmax(u, window * c->iterations / fmax(1, instructions(c)));
    if (c->n->how == HOW_SERIAL && hands_on(s->p, c, c)) u = 1;
    return u > trips ? trips : u;
}

// Of u iterations whose loads are under way together the first waits for them. The next ones begin their
// arithmetic when it has ended: compilers mix iterations of a loop little, those of a loop that is written
// out (register tiles) wholly, but for what one hands on to the next.
static void repeat(Path *s, Code *c, double trips, double u, bool in_order) {
    double from = s->now, t[2] = {0}, batch = s->batch;
    bool under_way = s->under_way;
    s->batch *= u;
    State before = keep(s); // what was under way before is not this loop's
    for (int k = 0; k < 2; k++) {
        follow_kids(s, c);
        t[k] = latest_since(s, &before, from);
        if (u <= 1) break;
        s->now = in_order ? fmax(from, t[k]) : from;
        s->under_way |= in_order;
    }
    s->batch = batch, s->under_way = under_way;
    double first = t[0] - from, next = u > 1 ? t[1] - t[0] : 0, all = trips / u * (first + (u - 1) * next);
    double end = latest_since(s, &before, from);
    if (t[0] > from) stretch(s, &before, from, all / (end - from));
    if (c->n->how == HOW_SERIAL && trips > u) s->now = from + all; // its last iteration's uses have waited
}

static void follow_loop(Path *s, Code *c) {
    double trips = c->entries > 0 ? c->iterations / c->entries : 0;
    if (trips <= 0) return;
    bool serial = c->n->how == HOW_SERIAL;
    if (serial) s->now = latest(s, false); // what its iterations use they wait for once
    repeat(s, c, trips, together(s, c, trips), serial && !s->p->m->window);
}

// What a block copies together, each of its threads in turns.
static void follow_copies(Path *s, Code *c) {
    Code *loop[MODEL_DIMS];
    int n = walk_chain(c, loop), moving = 0;
    int64_t extent[MODEL_DIMS];
    bool known = n <= DEAL_DIMS;
    for (int k = 0; k < n; k++) {
        known = known && code_is_literal(loop[k]);
        extent[k] = known ? code_trips(loop[k]->n->lo->i, loop[k]->n->hi->i, loop[k]->n->step) : 0;
        known = known && extent[k] > 0;
    }
    Deal d = {.turns = 1};
    if (known) deal_out(n, extent, s->p->threads > 0 ? s->p->threads : 1, &d);
    for (int k = 0; k < n; k++)
        if (k < d.rest || d.share[k].turns > 1) loop[moving++] = loop[k];
    double turns = (double)d.turns;
    repeat(s, c, turns, fmin(turns, room(s, c, moving, loop)), true);
}

static void follow_phase(Path *s, Code *c) {
    if (c->n->how == HOW_COOP) follow_copies(s, c);
    else follow_kids(s, c);
    if (!s->phases) return;
    s->now = (s->end > s->now ? s->end : s->now) + s->p->m->barrier;
}

// A block waits for those of its warps that take the longer arm, and for those that take both.
static void follow_if(Path *s, Code *c) {
    double warps = (double)((s->p->threads + s->p->env.width - 1) / s->p->env.width), from = s->now,
           arm[2] = {0};
    double both = c->branch->warps > 0 ? c->branch->split / c->branch->warps : 0;
    State before = keep(s), after = before;
    for (int k = 0; k < c->nkids; k++) {
        if (c->visits <= 0 || c->kids[k]->visits <= 0) continue;
        double some = c->kids[k]->visits / c->visits * warps; // of a block's warps
        if (k) after = keep(s), restore(s, &before);
        s->now = from;
        follow(s, c->kids[k]);
        arm[k] = (latest_since(s, &before, from) - from) * (some < 1 ? some : 1);
    }
    for (int i = 0; i < after.n; i++)
        set(s, after.values[i].of, fmax(after.values[i].at, ready(s, after.values[i].of)));
    s->end = fmax(s->end, after.end);
    double all = fmax(arm[0], arm[1]) + fmin(both * warps, 1) * fmin(arm[0], arm[1]);
    double end = latest_since(s, &before, from);
    if (end > from) stretch(s, &before, from, all / (end - from));
    s->now = from;
}

static void follow(Path *s, Code *c) {
    switch (c->n->kind) {
    case N_FOR:
        if (c->n->how == HOW_SERIAL || c->n->how == HOW_UNROLL) follow_loop(s, c);
        else if ((c->n->how == HOW_THREAD || c->n->how == HOW_COOP) && c->parent &&
                 c->parent->n->how != c->n->how)
            follow_phase(s, c);
        else follow_kids(s, c);
        break;
    case N_IF: follow_if(s, c); break;
    case N_STMT: case N_COPY: leaf(s, c); break;
    default: follow_kids(s, c);
    }
}

double program_path(Program *p, const KernelCost *k, bool near) {
    Path s = {.p = p, .sized = k->flops >= MODEL_SIZED, .near = near, .batch = 1};
    s.phases = phases(p->root) > 1 && p->threads > p->env.width;
    follow(&s, p->root);
    return latest(&s, true);
}
