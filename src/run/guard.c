// SPDX-License-Identifier: MIT
// guard.c -- may the nest run with these arguments? Sizes, footprints, aliasing, widths.
#include "run/pick.h"
#include "ir/span.h"
#include "run/state.h"
#include <math.h>
#include <string.h>

static bool refuse(Call *c, DiagCode code, const char *fmt, const char *what, const char *other) {
    c->refusal = code;
    snprintf(c->why, sizeof c->why, fmt, what, other);
    return false;
}

// The program's words for an array: p->data, of &(p->n) what is in the brackets.
typedef struct Said {
    char text[80];
} Said;

static Said said(const Foot *f) {
    Said x;
    const char *s = f->array->source ? f->array->source : f->array->name;
    int n = (int)strlen(s), bare = str_has_prefix(s, "&(") && s[n - 1] == ')' ? 2 : *s == '&';
    snprintf(x.text, sizeof x.text, "%.*s", n - bare - (bare == 2), s + bare);
    return x;
}

static void set_values(const Unit *u, Call *c) {
    const Region *r = u->region;
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        const sculpt_arg *a = &c->args[u->nobjects + i];
        c->vals[i] = (InterpVal){.sym = s};
        if (s->type == T_F32) c->vals[i].f = (float)a->f;
        else if (type_is_float(s->type)) c->vals[i].f = a->f;
        else c->vals[i].i = a->i;
    }
    c->nvals = r->nparams;
}

static int object_of(const Unit *u, const Array *array) {
    int o = 0;
    while (!str_eq(u->objects[o], array->object)) o++;
    return o;
}

static int64_t fact_of(const Unit *u, const Call *c, const Fact *f) {
    switch (f->kind) {
    // Device memory keeps where an element is, counted from a multiple of 16.
    case FACT_MISALIGN:
        return (int64_t)(((uintptr_t)c->args[object_of(u, f->array)].p + (uintptr_t)f->array->offset) % 16);
    case FACT_TRAVELS: return c->travel != TRAVEL_NONE;
    case FACT_LINK: return c->travel == TRAVEL_PAGEABLE ? u->pageable : u->facts[FACT_LINK];
    default: return u->facts[f->kind];
    }
}

static void set_facts(const Unit *u, Call *c) {
    const Nest *n = c->v->nest;
    c->nvals = u->region->nparams + n->nfacts;
    for (int i = 0; i < n->nfacts; i++)
        c->vals[u->region->nparams + i] =
            (InterpVal){.sym = n->facts[i].sym, .i = fact_of(u, c, &n->facts[i])};
}

// A footprint and where its base pointer is. x: NULL, or the footprint's formulas with the call's values.
typedef struct Print {
    const Foot *f;
    const FootFormulas *x;
    Formulas *formulas;
    uintptr_t base;
    SpanEnv *e;
} Print;

static bool value(const Print *p, const Expr *x, Formula *as, int64_t *out) {
    return (as && formula_whole(p->formulas, as, out)) || span_value(x, p->e, out);
}

#define VALUE(p, list, d, out) value(p, (p)->f->list[d], (p)->x ? (p)->x->list[d] : NULL, out)

static bool place_of(const Print *p, bool last, const int64_t *pitch, uintptr_t *out) {
    int64_t at = p->f->array->offset, x;
    for (int d = 0; d < p->f->array->rank; d++)
        if (!(last ? VALUE(p, last, d, &x) : VALUE(p, first, d, &x)) ||
            __builtin_mul_overflow(x, pitch[d], &x) || __builtin_add_overflow(at, x, &at))
            return false;
    *out = p->base + (uintptr_t)at;
    return at >= 0 || (uintptr_t)-at <= p->base;
}

// Leaves what lies between the first and the last element that the region touches.
static bool cut(const Print *p, const int64_t *pitch, Box *b) {
    int64_t lo, hi;
    uintptr_t first, last;
    if (!VALUE(p, first, 0, &lo) || !VALUE(p, last, 0, &hi)) return false;
    if (lo > hi) return box_cut(b, b->first, b->first), true;
    if (!place_of(p, false, pitch, &first) || !place_of(p, true, pitch, &last)) return false;
    box_cut(b, first, last + (uintptr_t)type_size(p->f->array->elem));
    return true;
}

// A footprint as bytes: element subscripts lo..hi of each dimension, row-major pitches.
static bool foot_box(const Print *p, Box *out) {
    const Foot *f = p->f;
    const Array *a = f->array;
    int64_t n[BOX_DIMS], pitch[BOX_DIMS], step = a->stride, at = a->offset;
    if (a->rank > BOX_DIMS) return false;
    for (int d = a->rank - 1; d >= 0; d--) {
        int64_t lo, hi, far;
        if (!VALUE(p, lo, d, &lo) || !VALUE(p, hi, d, &hi)) return false;
        if (lo > hi) return *out = (Box){0}, true;
        if (__builtin_sub_overflow(hi, lo, &n[d]) || __builtin_add_overflow(n[d], 1, &n[d])) return false;
        pitch[d] = step;
        if (__builtin_mul_overflow(lo, step, &far) || __builtin_add_overflow(at, far, &at)) return false;
        if (d == 0) break;
        int64_t extent;
        if (!value(p, a->extent[d], p->x ? p->x->extent[d] : NULL, &extent) || extent <= 0) return false;
        if (__builtin_mul_overflow(step, extent, &step)) return false;
    }
    if (at < 0 && (uintptr_t)-at > p->base) return false;
    if (!box_make(out, p->base + (uintptr_t)at, type_size(a->elem), a->rank, n, pitch)) return false;
    bool written = f->written && value(p, f->written, p->x ? p->x->written : NULL, &at) && at;
    out->loose = f->loose || (f->written && !written);
    return !f->first || cut(p, pitch, out);
}

// An empty dimension empties the box whatever the others say, so extents that make no
// sense (0 or less) are no error then.
static bool foot_is_empty(const Print *p) {
    for (int d = 0; d < p->f->array->rank; d++) {
        int64_t lo, hi;
        if (VALUE(p, lo, d, &lo) && VALUE(p, hi, d, &hi) && lo > hi) return true;
    }
    return false;
}

bool guard_box(const Foot *f, uintptr_t base, int nvals, const InterpVal *vals, Box *out) {
    SpanEnv e = {.nvals = nvals, .vals = vals};
    Print p = {f, NULL, NULL, base, &e};
    *out = (Box){0};
    return foot_is_empty(&p) || foot_box(&p, out);
}

static bool check_feet(const Unit *u, Call *c, SpanEnv *e) {
    const Variant *v = c->v;
    for (int i = 0; i < v->nest->nfeet; i++) {
        const Foot *f = &v->nest->feet[i];
        uintptr_t base = (uintptr_t)c->args[v->foot_object[i]].p;
        Print p = {f, v->feet ? &v->feet[i] : NULL, u->formulas, base, e};
        c->boxes[i] = (Box){0};
        if (foot_is_empty(&p)) continue;
        if (!foot_box(&p, &c->boxes[i]))
            return refuse(c, SC_GUARD, "what the loops use of %s%s is out of range", said(f).text, "");
        if (!base && !box_is_empty(&c->boxes[i]))
            return refuse(c, SC_GUARD, "%s%s is a null pointer", said(f).text, "");
    }
    return true;
}

static bool check_alias(Call *c) {
    const Foot *f = c->v->nest->feet;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        for (int k = 0; k < i; k++) {
            bool set = f[i].out || f[k].out || f[i].array->counter || f[k].array->counter;
            if (c->v->foot_object[i] == c->v->foot_object[k] || !set) continue;
            if (!box_disjoint(&c->boxes[i], &c->boxes[k]))
                return refuse(c, SC_ALIAS, "%s and %s overlap", said(&f[k]).text, said(&f[i]).text);
        }
    return true;
}

// < 0: not known.
static double amount(const Unit *u, const Call *c, const Expr *x, Formula *as) {
    double n;
    bool known = as ? formula_real(u->formulas, as, &n) : x && ir_eval_float(x, c->nvals, c->vals, &n);
    return known && n >= 0 ? n : -1;
}

static void estimate(const Unit *u, Call *c) {
    c->flops = amount(u, c, c->v->nest->flops, c->v->flops);
    c->bytes = amount(u, c, c->v->nest->bytes, c->v->bytes);
    c->operations = fmax(c->flops, amount(u, c, c->v->nest->work, c->v->operations));
}

// ---- which variant -------------------------------------------------------------------------------
static void set_slots(const Unit *u, const Call *c) {
    int n = u->region->nparams;
    memcpy(u->slots, c->vals, sizeof *c->vals * (size_t)n);
    for (int i = 0; i < u->asks.n; i++) u->slots[n + i].i = fact_of(u, c, &u->asks.at[i]);
    formulas_begin(u->formulas, n + u->asks.n, u->slots);
}

static bool holds(const Unit *u, Call *c, Variant *v) {
    int64_t yes;
    if (c->doubted && v->nest->npromised) return false;
    c->v = v;
    if (!v->when) return true;
    if (formula_whole(u->formulas, v->when, &yes)) return yes != 0;
    set_facts(u, c);
    return pick_holds(v->nest, false, c->nvals, c->vals);
}

// The planner's answer for the kind of call that is most like this one, where its nest's condition holds.
// NULL: there is none.
static const PlannedKind *planned_for(const Unit *u, Call *c, const CallKind *kind) {
    const PlannedKind *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < u->kinds.n && least > 0; i++) {
        const PlannedKind *p = &u->kinds.at[i];
        double d = kind_distance(u, p, kind, c->args);
        if (d < least && (!p->v || holds(u, c, p->v))) best = p, least = d;
    }
    return best;
}

// What was planned for calls like it. Where that is none, of the variants that the program carries, and where
// nothing was planned for such a call, of all but what measuring chose: the one of least cost whose condition
// holds, or the first that has no cost.
static bool choose(const Unit *u, Call *c, const CallKind *kind) {
    Pick pick = {.at = -1};
    set_slots(u, c);
    const PlannedKind *p = planned_for(u, c, kind);
    Variant *found = p ? p->v : NULL;
    for (int i = 0; !found && i < u->variants.n; i++) {
        Variant *v = u->variants.at[i];
        double cost;
        if (v->wise || (p && v->planned) || !holds(u, c, v)) continue;
        if (v->cost && !formula_real(u->formulas, v->cost, &cost)) cost = NAN;
        if (pick_offer(&pick, i, v->cost ? &cost : NULL)) break;
    }
    if (!found && pick.at < 0) return false;
    c->v = found ? found : u->variants.at[pick.at];
    set_facts(u, c);
    return true;
}

// What the places of the arrays decide.
static bool check_places(const Unit *u, Call *c) {
    SpanEnv e = {.nvals = c->nvals, .vals = c->vals};
    return check_feet(u, c, &e) && check_alias(c);
}

static void prepare(Unit *u, Call *c, const CallKind *kind) {
    set_values(u, c);
    if (!choose(u, c, kind)) {
        refuse(c, SC_GUARD, "%s%s", "no kernel is proved for these sizes, or for arrays that lie like these",
               "");
        return;
    }
    if (!check_places(u, c)) return;
    bool wide = false;
    if (!widths_hold(u, c, &wide)) {
        refuse(c, SC_GUARD, "%s%s", "counters or subscripts come near the ends of their types", "");
        return;
    }
    c->wide = wide;
    estimate(u, c);
}

// Whoever times kernels again and again asks what they take where their data are.
Travel call_travel(const Run *r, const Unit *u, const sculpt_arg *args, const Thread *t) {
    const DeviceOps *ops = r->device->ops;
    if (!r->memory || !ops->use || t->depth > 0 || r->memory->holds || r->set.repeat) return TRAVEL_NONE;
    for (int o = 0; (u->asks_link || u->locking) && o < u->nobjects; o++)
        if (!ops->whose || ops->whose(r->device, args[o].p) == WHOSE_HOST) return TRAVEL_PAGEABLE;
    return TRAVEL_PINNED;
}

// Where a call with these arguments is remembered.
static CallSet **set_of(Unit *u, const sculpt_arg *args) {
    uint64_t h = 14695981039346656037u, word;
    for (int i = 0; i < u->nargs; i++)
        for (size_t at = 0; at + sizeof word <= sizeof *args; at += sizeof word) {
            memcpy(&word, (const char *)&args[i] + at, sizeof word);
            h = (h ^ word) * 1099511628211u;
        }
    return &u->calls[(h ^ h >> 32) % CALL_SETS];
}

// Calls are remembered: most programs repeat themselves, swap two arrays, or go through the steps of a
// factorisation once more.
Call *call_known(Unit *u, const sculpt_arg *args, Travel travel) {
    size_t bytes = sizeof *args * (size_t)u->nargs;
    CallSet *s = *set_of(u, args);
    for (int i = 0; s && i < CALL_WAYS; i++)
        if (s->at[i].used && s->at[i].travel == travel && memcmp(s->at[i].args, args, bytes) == 0)
            return &s->at[i];
    return NULL;
}

void call_forget(Unit *u) {
    for (int k = 0; k < CALL_SETS; k++)
        for (int i = 0; u->calls[k] && i < CALL_WAYS; i++) u->calls[k]->at[i].used = false;
}

// A new call in the place of the oldest of its set, with room for any of these variants.
static Call *call_new(Unit *u, const sculpt_arg *args, Travel travel, int n, Variant *const *variants) {
    CallSet **set = set_of(u, args);
    if (!*set) *set = NEW(u->c->arena, CallSet);
    Call *c = &(*set)->at[(*set)->next++ % CALL_WAYS];
    int feet = 0, facts = 0;
    for (int i = 0; i < n; i++) {
        const Nest *x = variants[i]->nest;
        feet = x->nfeet > feet ? x->nfeet : feet;
        facts = x->nfacts > facts ? x->nfacts : facts;
    }
    Arena *a = u->c->arena;
    Call fresh = {.used = true,
                  .travel = travel,
                  .args = c->args,
                  .vals = c->vals,
                  .boxes = c->boxes,
                  .feet = c->feet,
                  .facts = c->facts};
    if (!c->args || feet > c->feet) fresh.boxes = NEW_N(a, Box, feet + 1), fresh.feet = feet;
    if (!c->args || facts > c->facts)
        fresh.vals = NEW_N(a, InterpVal, u->region->nparams + facts + 1), fresh.facts = facts;
    if (!c->args) fresh.args = NEW_N(a, sculpt_arg, u->nargs + 1);
    *c = fresh;
    memcpy(c->args, args, sizeof *args * (size_t)u->nargs);
    return c;
}

Call *call_get(Run *r, Unit *u, const sculpt_arg *args, Travel travel) {
    Call *c = call_known(u, args, travel);
    if (c) return c;
    WiseHit hit = wise_hit(r, u, args);
    CallKind kind = kind_of(u, args, travel, hit.row);
    planned_ask(r, u, args, &kind, hit.row);
    if (r->set.verbose) wise_tell(u, &hit);
    if (r->set.log) wise_log(r, u, args);
    c = call_new(u, args, travel, u->variants.n, u->variants.at);
    prepare(u, c, &kind);
    return c;
}

bool call_doubt(Run *r, Unit *u, Call *c) {
    if (c->doubted || c->v->image) return false; // its nest alone was read
    CallKind kind = kind_of(u, c->args, c->travel, wise_hit(r, u, c->args).row);
    for (int doubted = 1; doubted >= 0; doubted--) {
        c->doubted = doubted, c->refusal = 0, c->decided = c->weighed = false;
        prepare(u, c, &kind);
        if (doubted && !c->refusal) return true;
    }
    return false;
}

Call *call_as(Unit *u, Variant *v, const sculpt_arg *args, Travel travel, bool wide, Work work) {
    Call *c = call_new(u, args, travel, 1, &v);
    c->v = v, c->wide = wide, c->work = work, c->weighed = true;
    set_values(u, c);
    set_facts(u, c);
    bool ok = pick_holds(v->nest, false, c->nvals, c->vals) && check_places(u, c) && !c->refusal;
    if (!ok) return c->used = false, NULL;
    estimate(u, c);
    return c;
}
