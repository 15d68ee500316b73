// SPDX-License-Identifier: MIT
// recall.c -- what was counted once is not counted again.
//
//   for k                         a piece is walked the first time that it is come to with
//     copy s[t] = a[64*b+t][k]    these addresses modulo a line, these answers of its comparisons,
//     if (64*b + t < n) …         these trips of its loops; whoever comes with the same again adds
//                                 up what was counted then, by his own weight
//
// A piece is what a warp does of the kernel, what stands in a serial loop, or what all threads do between two
// barriers: no load before it is remembered inside. Its subscripts, bounds and comparisons are taken apart
// into what comes from outside, one number each, and what its own loops add:
//
//   64*b + t < n        outside 64*b - n, which matters only between -31 and 0 where t is one of 32 lanes
//
// Figures of requests depend on addresses modulo a line, as far as rows lie further apart than all that is
// added inside of them; so sizes that differ by lines are one.
#include "model/recall.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 128, OUTSIDE = 24, FEW_REQUESTS = 4, TALLIES = 7 };
static const int64_t NO_END = INT64_MAX / 4;

// What comes from outside: a counter or parameter, or an expression of such.
typedef struct Outside {
    const void *key;   // NULL: an expression
    const Expr *x;
    int64_t div, count, step; // a counter of threads: number / div % count * step; count 0: it is none
    // ---- here and now
    int64_t at;        // of the first lane
    uint64_t shape;    // how far the other lanes lie from it; 0: all are the same, and all is known
    int64_t low, high; // the least and the most of that
} Outside;

typedef struct Piece Piece;
typedef enum Matter { MATTERS_WHOLE, MATTERS_MODULO, MATTERS_BETWEEN } Matter;

// A number from outside, sum of base and factor[k] * outside[of[k]], and why it matters.
typedef struct Input {
    Matter why;
    int64_t base;
    int n;
    int of[FORM_TERMS];
    int64_t factor[FORM_TERMS];
    int64_t low, high; // MATTERS_BETWEEN: what the piece's own loops add
    Site *site;        // whose address it is; NULL: no site's
    Code *of_site;
} Input;

// What was counted of a class of visits, for a weight of 1.
typedef struct Visit Visit;
struct Visit {
    uint64_t key[2];
    int n;
    int *slot;
    double *sum;
    double tallies[TALLIES];
    int size;          // the last at which it was seen; Program.size
    Visit *next;
};

enum { BUCKETS = 64, MOST_VISITS = 1 << 14 }; // at first, a power of two; of a piece that are kept
struct Piece {
    Code *c;
    bool ready, odd;          // its inputs are known; it can't be recalled
    VEC(Outside) outside;
    bool numbered;            // which warp comes matters as it is
    VEC(int64_t) dealt;       // threads that some of its loops are dealt to
    VEC(Input) inputs;
    uint64_t own, exactly;    // what its own loops add to the inputs: rows far apart are alike; as it is
    VEC(double *) slots;      // where its figures are added up
    double *before;           // [slots]: what they were
    // loops around, by depth: where all are in their first iteration it does something
    uint64_t once;
                              // for all of them; 0: never
    uint64_t decides;         // …where branches of it may have been decided already
    Visit **seen; // nseen visits in nbuckets lists
    int nbuckets, nseen;
};

// ---- hashes ------------------------------------------------------------------------------------------
static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

// ---- its own loops -------------------------------------------------------------------------------------
static bool is_inside(const Code *c, const Code *of) {
    while (c && c != of) c = c->parent;
    return c != NULL;
}

static const Code *loop_of(const Walk *w, const Piece *p, const Sym *s) {
    for (int k = 0; k < w->p->loops.n; k++)
        if (w->p->loops.at[k]->n->iter == s && is_inside(w->p->loops.at[k], p->c)) return w->p->loops.at[k];
    return NULL;
}

static bool is_outside(const Walk *w, const Piece *p, const Expr *x) {
    bool out = x->kind != E_SYM || !loop_of(w, p, x->sym);
    for (int k = 0; k < x->nargs && out; k++) out = is_outside(w, p, x->args[k]);
    return out;
}

// What a loop adds to its first value at most; NO_END: nobody knows.
static int64_t reach(const Env *e, const Node *loop) {
    Form f = {.told = true};
    form_add(e, &f, loop->hi, 1);
    form_add(e, &f, loop->lo, -1);
    for (int k = 0; k < f.n; k++) f.told = f.told && !f.at[k].factor;
    int64_t trips = f.told ? code_trips(0, f.base, loop->step) : 0;
    return !f.told || loop_is_unbounded(loop) ? NO_END : trips > 0 ? (trips - 1) * loop->step : 0;
}

// ---- inputs --------------------------------------------------------------------------------------------
static int outside(Walk *w, Piece *p, const void *key, const Expr *x) {
    for (int k = 0; k < p->outside.n; k++)
        if (key ? p->outside.at[k].key == key : !p->outside.at[k].key && expr_equal(p->outside.at[k].x, x))
            return k;
    vec_push(w->p->a, &p->outside, ((Outside){.key = key, .x = x}));
    return p->outside.n - 1;
}

typedef struct OwnTerm {
    int64_t factor, reach;
    const Node *loop;
    bool dealt; // its threads come with numbers of their own
} OwnTerm;
typedef struct Own {
    int n;
    OwnTerm at[2 * FORM_TERMS];
    bool mixed; // with something else than a sum
} Own;

static void take(Walk *w, Piece *p, const Expr *x, Matter why);
static void add_form(Walk *w, Piece *p, const Form *f, Input in);

static bool is_least_or_most(const Expr *x) {
    return x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX) && (x->type == T_I32 || x->type == T_I64);
}

// The counter of a loop that is dealt to threads, as a number from outside; -1: it is none, or nobody knows
// its extents.
static int digit(Walk *w, Piece *p, const Code *loop) {
    int64_t div = 1, own = reach(&w->p->env, loop->n);
    if (p->numbered || loop->n->how != HOW_THREAD || own >= NO_END) return -1;
    for (const Code *in = loop->nkids ? loop->kids[0] : NULL; in; in = in->nkids ? in->kids[0] : NULL) {
        bool passed = in->n->kind == N_SEQ && in->nkids == 1 && !in->n->nlocals;
        if (!passed && (in->n->kind != N_FOR || in->n->how != HOW_THREAD)) break;
        if (!passed) div *= reach(&w->p->env, in->n) / in->n->step + 1;
    }
    int at = outside(w, p, loop->n->iter, NULL);
    Outside *o = &p->outside.at[at];
    o->div = div, o->count = own / loop->n->step + 1, o->step = loop->n->step;
    return at;
}

static bool part(Walk *w, Piece *p, const Form *f, Input *in, Own *own);

// The term's first value is part of the sum in turn, and its counter one of its own loops'.
static bool own_counter(Walk *w, Piece *p, const FormTerm *t, const Code *loop, Input *in, Own *own) {
    Form from = {.told = true};
    form_add(&w->p->env, &from, loop->n->lo, t->factor);
    if (own->n == 2 * FORM_TERMS || !from.told || !part(w, p, &from, in, own)) return false;
    int at = digit(w, p, loop);
    own->at[own->n++] = (OwnTerm){t->factor, reach(&w->p->env, loop->n), loop->n, at >= 0};
    if (at < 0) return true;
    if (in->n == FORM_TERMS) return false;
    in->of[in->n] = at, in->factor[in->n++] = t->factor;
    return true;
}

// min(l, r): which of them it is, l as part of the sum, and r.
static bool least_or_most(Walk *w, Piece *p, const FormTerm *t, Input *in, Own *own) {
    Form which = {.told = true}, l = which, r = which;
    form_add(&w->p->env, &which, t->rest->args[0], 1);
    form_add(&w->p->env, &which, t->rest->args[1], -1);
    form_add(&w->p->env, &l, t->rest->args[0], t->factor);
    form_add(&w->p->env, &r, t->rest->args[1], t->factor);
    add_form(w, p, &which, (Input){.why = MATTERS_BETWEEN});
    add_form(w, p, &r, (Input){.why = MATTERS_MODULO});
    return l.told && part(w, p, &l, in, own);
}

// Terms of a sum, by who has them.
static bool part(Walk *w, Piece *p, const Form *f, Input *in, Own *own) {
    bool told = true;
    in->base += f->base;
    for (int k = 0; k < f->n && told; k++) {
        const FormTerm *t = &f->at[k];
        const Code *loop = t->rest->kind == E_SYM ? loop_of(w, p, t->rest->sym) : NULL;
        if (!t->factor) continue;
        if (loop) {
            told = own_counter(w, p, t, loop, in, own);
        } else if (is_outside(w, p, t->rest)) {
            told = in->n < FORM_TERMS;
            if (told) in->of[in->n] = outside(w, p, t->key, t->rest), in->factor[in->n++] = t->factor;
        } else if (in->why == MATTERS_MODULO && is_least_or_most(t->rest)) {
            told = least_or_most(w, p, t, in, own);
        } else {
            for (int i = 0; i < t->rest->nargs; i++) take(w, p, t->rest->args[i], MATTERS_WHOLE);
            p->exactly = mix(p->exactly, (uint64_t)t->factor), p->own = mix(p->own, (uint64_t)t->factor);
            own->mixed = true;
        }
    }
    return told;
}

// Steps that are larger than all that smaller ones reach are alike if they are modulo a line.
static void note_own(Piece *p, Own *own, bool modulo) {
    int64_t span = own->mixed ? NO_END : PERIOD;
    for (int k = 1; k < own->n; k++)
        for (int i = k; i > 0 && llabs(own->at[i].factor) < llabs(own->at[i - 1].factor); i--) {
            OwnTerm t = own->at[i];
            own->at[i] = own->at[i - 1], own->at[i - 1] = t;
        }
    for (int k = 0; k < own->n; k++) {
        const OwnTerm *t = &own->at[k];
        int64_t f = t->factor, much = llabs(f), all;
        bool far = modulo && span < NO_END && much >= span;
        p->own = mix(p->own, (uintptr_t)t->loop), p->exactly = mix(p->exactly, (uintptr_t)t->loop);
        p->exactly = mix(p->exactly, (uint64_t)f);
        p->own = mix(p->own, (uint64_t)(far ? (f < 0 ? -1 : 1) * (NO_END - PERIOD + much % PERIOD) : f));
        bool over =
            t->reach >= NO_END || __builtin_mul_overflow(much, llabs(t->reach), &all) || all >= NO_END;
        span = over || span >= NO_END ? NO_END : span + all;
    }
}

static void add_form(Walk *w, Piece *p, const Form *f, Input in) {
    Matter why = in.why;
    Own own = {0};
    if (!f->told || !part(w, p, f, &in, &own)) return (void)(p->odd = true);
    if (why == MATTERS_BETWEEN && own.mixed) in.why = MATTERS_WHOLE;
    for (int k = 0; k < own.n && why == MATTERS_BETWEEN; k++) {
        const OwnTerm *t = &own.at[k];
        int64_t far = 0;
        bool over = t->reach >= NO_END || __builtin_mul_overflow(t->factor, t->dealt ? 0 : t->reach, &far) ||
                    llabs(far) >= NO_END / 4;
        if (over) in.why = MATTERS_WHOLE;
        else if (far < 0) in.low += far;
        else in.high += far;
    }
    note_own(p, &own, why == MATTERS_MODULO);
    vec_push(w->p->a, &p->inputs, in);
}

static bool is_sum(const Expr *x) {
    if (x->kind == E_SYM || x->kind == E_INT) return true;
    return x->kind == E_OP && x->nargs == 2 && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL);
}

static bool compares(const Expr *x) {
    return x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE &&
           (x->args[0]->type == T_I32 || x->args[0]->type == T_I64);
}

static void take(Walk *w, Piece *p, const Expr *x, Matter why) {
    Form f = {.told = true};
    if (x->kind == E_INT || x->kind == E_FLOAT) return;
    if (compares(x)) {
        form_add(&w->p->env, &f, x->args[0], 1);
        form_add(&w->p->env, &f, x->args[1], -1);
        return add_form(w, p, &f, (Input){.why = MATTERS_BETWEEN});
    }
    if (is_sum(x) || is_outside(w, p, x)) {
        form_add(&w->p->env, &f, x, 1);
        return add_form(w, p, &f, (Input){.why = why});
    }
    for (int k = 0; k < x->nargs; k++) take(w, p, x->args[k], MATTERS_WHOLE);
}

static void take_site(Walk *w, Piece *p, Code *c, Site *s) {
    const Array *x = s->array;
    const Form *f = site_form(w, s);
    if (f->told) return add_form(w, p, f, (Input){.why = MATTERS_MODULO, .site = s, .of_site = c});
    for (int d = 0; d < x->rank; d++) {
        uint64_t pitch = s->pitch ? (uint64_t)s->pitch[d] : 0;
        p->own = mix(p->own, pitch), p->exactly = mix(p->exactly, pitch);
        take(w, p, s->sub[d], MATTERS_WHOLE);
        if (x->of && x->origin) take(w, p, x->origin[d], MATTERS_WHOLE);
    }
}

static void take_slots(Arena *a, Piece *p, Code *c) {
    double *own[] = {&c->visits, &c->entries, &c->iterations};
    double *mixed = (double *)&c->sum;
    for (int k = 0; k < 3; k++) vec_push(a, &p->slots, own[k]);
    for (size_t k = 0; k < sizeof c->sum / sizeof *mixed; k++) vec_push(a, &p->slots, mixed + k);
    if (c->branch) {
        BranchCost *b = c->branch;
        double *of[] = {&b->warps, &b->split, &b->idle, &b->busy, &b->cost, &b->requests};
        for (int k = 0; k < 6; k++) vec_push(a, &p->slots, of[k]);
    }
    for (int i = 0; i < c->nsites; i++) {
        AccessCost *x = c->sites[i]->cost;
        double *of[] = {&x->requests, &x->lanes, &x->sectors, &x->lines, &x->useful, &x->moved, &x->ideal,
                        &x->misaligned, &x->wavefronts, &x->wavefronts_ideal};
        for (int k = 0; k < 10; k++) vec_push(a, &p->slots, of[k]);
    }
}

// ---- what stands outside ------------------------------------------------------------------------------
static int depth_of(const Code *c) {
    int n = 0;
    for (c = c->parent; c; c = c->parent) n += c->n->kind == N_FOR;
    return n;
}

// Loops around the piece from `from` inward, by their depth.
static uint64_t loops_from(const Code *c, const Code *from) {
    int most = depth_of(c), least = depth_of(from);
    return most > least && most < 64 ? (1ull << most) - (1ull << least) : 0;
}

// Loops around that are in their first iteration, by depth.
static uint64_t firsts(const Code *c) {
    uint64_t out = 0;
    int at = depth_of(c);
    for (const Code *up = c->parent; up; up = up->parent)
        if (up->n->kind == N_FOR && --at < 64) out |= (uint64_t)up->first << at;
    return out;
}

// Is it all the same to a piece which warp comes, but for its counters? Fills in how many threads there are.
static bool deals(Walk *w, Piece *p, const Code *c, int64_t *threads) {
    bool thread = c->n->kind == N_FOR && c->n->how == HOW_THREAD;
    if (c->n->kind == N_FOR && c->n->how == HOW_COOP) return false;
    if (thread && (c->n->lo->kind != E_INT || c->n->step <= 0 || reach(&w->p->env, c->n) >= NO_END))
        return false;
    int64_t all = thread ? *threads * (reach(&w->p->env, c->n) / c->n->step + 1) : *threads;
    for (int k = 0; k < c->nkids; k++) {
        int64_t below = all;
        if (!deals(w, p, c->kids[k], &below)) return false;
    }
    if (thread) vec_push(w->p->a, &p->dealt, all);
    return true;
}

// ---- preparing -------------------------------------------------------------------------------------------
static void prepare_from(Walk *w, Piece *p, Code *c) {
    if (!p->before) take_slots(w->p->a, p, c);
    if (c->n->kind == N_FOR && !code_is_literal(c)) {
        Form f = {.told = true};
        form_add(&w->p->env, &f, c->n->hi, 1);
        form_add(&w->p->env, &f, c->n->lo, -1);
        add_form(w, p, &f, (Input){.why = MATTERS_WHOLE});
    }
    if (c->n->kind == N_IF) take(w, p, c->n->cond, MATTERS_WHOLE);
    if (c->before && !is_inside(c->before, p->c)) p->decides |= loops_from(p->c, c->before);
    for (int k = 0; k < c->nsites; k++) {
        Site *s = c->sites[k];
        if (s->lead && s->lead != s) continue;
        take_site(w, p, c, s);
        if (!s->hoist || is_inside(s->hoist, p->c)) continue;
        uint64_t around = loops_from(p->c, s->hoist);
        if (!p->once || (around & p->once) == around) p->once = around;
    }
    for (int k = 0; k < c->nkids; k++) prepare_from(w, p, c->kids[k]);
}

static void prepare(Walk *w, Piece *p) {
    p->ready = true;
    p->outside.n = p->inputs.n = 0;
    p->own = p->exactly = p->once = p->decides = 0;
    p->odd = depth_of(p->c) >= 64 || w->p->m->line > PERIOD || w->p->m->bank_bytes > PERIOD;
    p->dealt.n = 0;
    int64_t threads = 1;
    p->numbered = !deals(w, p, p->c, &threads);
    prepare_from(w, p, p->c);
    p->odd = p->odd || p->outside.n > OUTSIDE;
    if (!p->before) p->before = NEW_N(w->p->a, double, p->slots.n + 1);
}

// ---- here and now
// ------------------------------------------------------------------------------------------
static void shape_of(int width, const Lanes *v, Outside *o) {
    o->at = v->known == UNKNOWN ? 0 : v->at[0];
    o->shape = v->known == KNOWN ? 0 : (uint64_t)v->known << 8 | v->uniform;
    o->low = o->high = 0;
    if (v->uniform || v->known == UNKNOWN) return;
    o->shape = mix(o->shape, 1);
    for (int k = 1; k < width; k++) {
        int64_t by = v->at[k] - v->at[0];
        o->shape = mix(o->shape, (uint64_t)by);
        if (by < o->low) o->low = by;
        if (by > o->high) o->high = by;
    }
    o->shape |= 1;
}

// A counter of the threads of a warp, which is always the same.
typedef struct Digits {
    int64_t thread;
    Outside of;
} Digits;
enum { DIGITS = 256 };

static void look_at_threads(Walk *w, Outside *o) {
    Program *p = w->p;
    uint64_t at =
        mix(mix((uint64_t)w->thread, (uint64_t)o->div), (uint64_t)(o->count * 64 + o->step)) % DIGITS;
    if (!p->digits) p->digits = NEW_N(p->a, Digits, DIGITS);
    Digits *d = &p->digits[at];
    if (d->thread != w->thread || d->of.div != o->div || d->of.count != o->count || d->of.step != o->step) {
        Lanes v = {.known = KNOWN};
        for (int k = 0; k < p->env.width; k++) v.at[k] = (w->thread + k) / o->div % o->count * o->step;
        shape_of(p->env.width, &v, o);
        *d = (Digits){w->thread, *o};
    }
    o->at = d->of.at, o->shape = d->of.shape, o->low = d->of.low, o->high = d->of.high;
}

static void look(Walk *w, Outside *o) {
    Lanes own;
    if (o->count) return look_at_threads(w, o);
    const Lanes *v = o->key ? env_find(&w->p->env, o->key) : NULL;
    if (!v) lanes_of(&w->p->env, o->x, &own), v = &own;
    shape_of(w->p->env.width, v, o);
}

static int64_t value(const Piece *p, const Input *in, uint64_t *shape) {
    int64_t sum = in->base, low = in->low, high = in->high;
    for (int k = 0; k < in->n; k++) {
        const Outside *o = &p->outside.at[in->of[k]];
        int64_t f = in->factor[k];
        sum = (int64_t)((uint64_t)sum + (uint64_t)o->at * (uint64_t)f);
        if (!o->shape) continue;
        if (!o->count) *shape = mix(*shape, (uint64_t)f);
        low += f < 0 ? f * o->high : f * o->low, high += f < 0 ? f * o->low : f * o->high;
    }
    if (in->why == MATTERS_WHOLE) return sum;
    if (in->why == MATTERS_MODULO) return sum & (PERIOD - 1);
    // sum + (low … high) against 0
    return sum > -low ? 1 - low : sum < -high ? -high - 1 : sum;
}

static void key_of(Walk *w, Piece *p, uint64_t key[2]) {
    uint64_t h = mix(w->mask, p->numbered ? (uint64_t)w->thread : 0), shape = 0;
    for (int k = 0; k < p->dealt.n; k++) {
        int64_t left = p->dealt.at[k] - w->thread;
        h = mix(h, (uint64_t)(left < 0 ? 0 : left > w->p->env.width ? w->p->env.width : left));
    }
    for (int k = 0; k < p->outside.n; k++) {
        look(w, &p->outside.at[k]);
        if (!p->outside.at[k].count) shape |= p->outside.at[k].shape;
        if (p->outside.at[k].shape) h = mix(h, p->outside.at[k].shape ^ (uint64_t)k << 56);
    }
    h = mix(h, shape ? p->exactly : p->own);
    h = mix(h, (uint64_t)(w->share * 0x1p40) ^ (uint64_t)w->plan.loop << 50);
    if (p->decides) h = mix(h, firsts(p->c) & p->decides);
    for (int k = 0; k < w->nunrolled; k++) h = mix(h, (uint64_t)w->unrolled[k].factor);
    uint64_t g = h ^ 0x5bd1e995;
    for (int k = 0; k < p->inputs.n; k++) {
        uint64_t v = (uint64_t)value(p, &p->inputs.at[k], &g);
        h = mix(h, v);
        g = (g ^ v) * 0x100000001b3u + (g >> 31);
    }
    key[0] = h, key[1] = g;
}

static void tallies(Walk *w, double *of[TALLIES]) {
    double *all[] = {&w->all.issued,  &w->all.active,  &w->all.lost, &w->asks.issued,
                     &w->asks.active, &w->asks.lost, &w->k->flops};
    for (int k = 0; k < TALLIES; k++) of[k] = all[k];
}

static void add(Walk *w, Piece *p, const Visit *v) {
    double *of[TALLIES];
    tallies(w, of);
    for (int k = 0; k < v->n; k++) *p->slots.at[v->slot[k]] += w->weight * v->sum[k];
    for (int k = 0; k < TALLIES; k++) *of[k] += w->weight * v->tallies[k];
}

static Visit **visits_of(const Piece *p, uint64_t key) { return &p->seen[key & (uint64_t)(p->nbuckets - 1)]; }

static void spread_visits(Arena *a, Piece *p) {
    Visit **old = p->seen;
    int n = p->nbuckets;
    p->nbuckets = n ? 4 * n : BUCKETS;
    p->seen = NEW_N(a, Visit *, p->nbuckets);
    for (int k = 0; k < n; k++)
        for (Visit *v = old[k], *next; v; v = next) {
            Visit **list = visits_of(p, v->key[0]);
            next = v->next;
            v->next = *list;
            *list = v;
        }
}

static void keep(Walk *w, Piece *p, const uint64_t key[2], const double before[TALLIES]) {
    Arena *a = w->p->a;
    Visit *v = NEW(a, Visit);
    double *of[TALLIES];
    int n = 0;
    tallies(w, of);
    for (int k = 0; k < p->slots.n; k++) n += *p->slots.at[k] != p->before[k];
    *v = (Visit){.key = {key[0], key[1]}, .size = w->p->size};
    v->slot = NEW_N(a, int, n + 1), v->sum = NEW_N(a, double, n + 1);
    for (int k = 0; k < p->slots.n; k++) {
        if (*p->slots.at[k] == p->before[k]) continue;
        v->slot[v->n] = k;
        v->sum[v->n++] = (*p->slots.at[k] - p->before[k]) / w->weight;
    }
    for (int k = 0; k < TALLIES; k++) v->tallies[k] = (*of[k] - before[k]) / w->weight;
    if (++p->nseen > 2 * p->nbuckets) spread_visits(a, p);
    Visit **list = visits_of(p, key[0]);
    v->next = *list;
    *list = v;
}

static void remember(Walk *w, Piece *p, double tally[TALLIES]) {
    double *of[TALLIES];
    tallies(w, of);
    for (int k = 0; k < TALLIES; k++) tally[k] = *of[k];
    for (int k = 0; k < p->slots.n; k++) p->before[k] = *p->slots.at[k];
}

// Of accesses that were counted without being gone through at these sizes: how they go with the loops around.
// False: some of them don't tell.
static bool probe(Walk *w, Piece *p) {
    bool told = true;
    for (int k = 0; k < p->inputs.n; k++) {
        Input in = p->inputs.at[k];
        if (!in.site || in.site->probes || in.site->cost->shared || in.site->cost->requests <= 0) continue;
        told = site_strides(w, in.of_site, in.site) && told;
    }
    return told;
}

// Goes through it to see where its accesses go, and counts nothing.
static void look_through(Walk *w, Code *c, void (*walk)(Walk *w, Code *c)) {
    double tally[TALLIES], *of[TALLIES];
    remember(w, c->piece, tally);
    walk(w, c);
    w->nseen = 0;
    tallies(w, of);
    for (int k = 0; k < TALLIES; k++) *of[k] = tally[k];
    for (int k = 0; k < c->piece->slots.n; k++) *c->piece->slots.at[k] = c->piece->before[k];
}

void recall(Walk *w, Code *c, void (*walk)(Walk *w, Code *c)) {
    Piece *p = c->piece;
    uint64_t key[2];
    double tally[TALLIES];
    if (!p->ready) prepare(w, p);
    bool once = p->once && (firsts(c) & p->once) == p->once;
    if (p->odd || w->nseen || w->weight <= 0 || once) return walk(w, c);
    key_of(w, p, key);
    for (Visit *v = p->nseen ? *visits_of(p, key[0]) : NULL; v; v = v->next) {
        if (v->key[0] != key[0] || v->key[1] != key[1]) continue;
        add(w, p, v);
        if (v->size != w->p->size && !probe(w, p)) look_through(w, c, walk);
        v->size = w->p->size;
        return;
    }
    if (p->nseen >= MOST_VISITS) return walk(w, c);
    remember(w, p, tally);
    walk(w, c);
    w->nseen = 0;
    keep(w, p, key, tally);
}

void recall_again(Code *c) {
    if (c->piece) c->piece->ready = false;
}

// ---- which ----------------------------------------------------------------------------------------------
static bool is_all_threads(const Code *c) {
    bool phase = c->n->kind == N_FOR && (c->n->how == HOW_THREAD || c->n->how == HOW_COOP);
    return phase && !(c->parent && c->parent->n->kind == N_FOR && c->parent->n->how == c->n->how);
}

static double sites_of(const Code *c) {
    double n = c->nsites;
    for (int k = 0; k < c->nkids; k++) n += sites_of(c->kids[k]);
    return c->n->kind == N_FOR && c->n->how != HOW_THREAD && c->n->how != HOW_COOP ? 4 * n : n;
}

static bool has_private(const Program *p, const Expr *root) {
    expr_each(x, root)
        for (int k = 0; x->kind == E_LOAD && k < p->privates.n; k++)
            if (p->privates.at[k] == x->array) return true;
    return false;
}

// Does the walk of c ask what a thread has in a variable of its own?
static bool asks_private(Program *p, const Code *c) {
    if (!p->privates.n) return false;
    if (has_private(p, c->n->lo) || has_private(p, c->n->hi) || has_private(p, c->n->cond)) return true;
    for (int k = 0; k < c->nsites; k++)
        for (int d = 0; d < c->sites[k]->array->rank; d++)
            if (has_private(p, c->sites[k]->sub[d])) return true;
    for (int k = 0; k < c->nkids; k++)
        if (asks_private(p, c->kids[k])) return true;
    return false;
}

static bool has_blocks(const Code *c) {
    if (c->n->kind == N_FOR && c->n->how == HOW_BLOCK) return true;
    for (int k = 0; k < c->nkids; k++)
        if (has_blocks(c->kids[k])) return true;
    return false;
}

void recall_find(Program *p, Code *c) {
    const Node *above = c->parent ? c->parent->n : NULL;
    bool body = above && above->kind == N_FOR && above->how == HOW_SERIAL;
    bool warp = !above || (above->kind == N_FOR && above->how == HOW_BLOCK);
    bool apart = !has_blocks(c) && (body || warp || is_all_threads(c));
    if (apart && sites_of(c) >= FEW_REQUESTS && !c->steps && !asks_private(p, c)) {
        c->piece = NEW(p->a, Piece);
        *c->piece = (Piece){.c = c};
    }
    for (int k = 0; k < c->nkids; k++) recall_find(p, c->kids[k]);
}
