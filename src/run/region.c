// SPDX-License-Identifier: MIT
// region.c -- a region's text, read once; its nests for the device, chosen once.
#include "emit/emit.h"
#include "run/pick.h"
#include "run/state.h"
#include "run/wisdom.h"
#include <string.h>

static void name_objects(Unit *u) {
    const Region *r = u->region;
    Arena *a = u->c->arena;
    u->objects = NEW_N(a, const char *, r->narrays + 1);
    for (int i = 0; i < r->narrays; i++) {
        int k = 0;
        while (k < u->nobjects && !str_eq(u->objects[k], r->arrays[i]->object)) k++;
        if (k == u->nobjects) u->objects[u->nobjects++] = r->arrays[i]->object;
    }
    u->nargs = u->nobjects + r->nparams;
}

static int find_object(const Unit *u, const char *name) {
    for (int i = 0; i < u->nobjects; i++)
        if (str_eq(u->objects[i], name)) return i;
    return -1;
}

// ---- kernels and temporaries of the nest ---------------------------------------------------

static bool describe_kernel(Run *r, Unit *u, const Variant *v, Kernel *k) {
    Arena *a = u->c->arena;
    const Outline *o = k->node->outline;
    k->sig = ir_kernel_sig(a, k->node);
    ir_kernel_grid(k->node, &k->grid);
    k->shared = o ? o->shared : emit_shared(a, k->node);
    k->at_launch = o ? o->at_launch : build_launch_shared(r, k->node);
    k->waits = o && o->waits;
    k->move_object = NEW_N(a, int, k->node->nmoves + 1);
    for (int i = 0; i < k->node->nmoves; i++)
        if ((k->move_object[i] = find_object(u, k->node->moves[i].array->object)) < 0) return false;
    k->object = NEW_N(a, int, k->sig->narrays + 1);
    for (int i = 0; i < k->sig->narrays; i++) {
        const Array *x = k->sig->arrays[i];
        if (x->place == PLACE_USER) {
            k->object[i] = find_object(u, x->object);
            if (k->object[i] < 0) return false;
            continue;
        }
        int t = 0;
        while (t < v->ntemps && v->temps[t].array != x) t++;
        if (t == v->ntemps) return false;
        k->object[i] = -1 - t;
    }
    return true;
}

bool unit_variant(Run *r, Unit *u, const Nest *n, Digest digest, Variant *v) {
    Arena *a = u->c->arena;
    *v = (Variant){.nest = n, .digest = digest};
    VEC(Kernel) kernels = {0};
    VEC(Temp) temps = {0};
    node_each(k, n->root) {
        for (int i = 0; k->kind == N_SEQ && i < k->nlocals; i++)
            if (k->locals[i]->place == PLACE_TEMP) vec_push(a, &temps, ((Temp){.array = k->locals[i]}));
        if (k->kind == N_KERNEL) vec_push(a, &kernels, ((Kernel){.node = k}));
    }
    v->nkernels = kernels.n, v->kernels = kernels.at;
    v->ntemps = temps.n, v->temps = temps.at;
    for (int i = 0; i < v->nkernels; i++)
        if (!describe_kernel(r, u, v, &v->kernels[i])) return false;
    sizes_find(v);
    v->foot_object = NEW_N(a, int, n->nfeet + 1);
    for (int i = 0; i < n->nfeet; i++) {
        v->foot_object[i] = find_object(u, n->feet[i].array->object);
        if (v->foot_object[i] < 0) return false;
    }
    for (int i = 0; i < n->nfacts; i++)
        if (n->facts[i].array && find_object(u, n->facts[i].array->object) < 0) return false;
    return true;
}

// ---- does the device compute the very same bits? ---------------------------------------------
static bool is_call(const Expr *x) {
    return x->kind == E_CALL && !str_eq(x->fn, "sqrt") && !str_eq(x->fn, "sqrtf");
}

static bool is_exact(const Region *r) {
    if (r->reassociate || r->approximate) return false;
    node_each(n, r->root)
        for (int i = 0; n->mark && i < n->mark->nred; i++)
            if (n->mark->redop[i] != OP_SET) return false;
    for (int i = 0; i < r->nstmts; i++)
        if (expr_any(r->stmts[i]->rhs, is_call)) return false;
    return true;
}

static bool unreadable(Run *r, Unit *u) {
    const char *why = u->c->diags.n ? u->c->diags.at[0].text : "it cannot be read";
    report_warning(r, SC_NEST_SYNTAX, "%s:%d: the embedded nest: %s", u->file, u->line, why);
    return u->ir = NULL, false;
}

static Unit *unit_new(Run *r, const sculpt_region *region) {
    Compile *c = compile_new();
    Unit *u = NEW(c->arena, Unit);
    u->c = c;
    u->file = arena_strdup(c->arena, region->file ? region->file : "?");
    u->text = arena_strdup(c->arena, region->text ? region->text : "");
    u->line = region->line;
    u->always = region->flags & SCULPT_ALWAYS;
    u->fast = region->flags & SCULPT_FAST;
    u->of_host = region->flags & SCULPT_HOST;
    vec_push(r->arena, &r->units, u);
    if (region->abi > SCULPT_ABI) {
        report_warning(r, SC_NEST_VERSION, "%s:%d: the program was built by a later sculpt", u->file,
                       u->line);
        return u;
    }
    u->ir = ir_parse_head(c, "nest", u->text);
    if (!u->ir) return unreadable(r, u), u;
    u->region = u->ir->region;
    name_objects(u);
    return u;
}

bool unit_whole(Run *r, Unit *u) {
    if (!u->ir || !u->ir->head) return u->ir;
    if (!ir_parse_rest(u->c, u->ir)) return unreadable(r, u);
    u->digest = wisdom_region(u->text);
    u->exact = is_exact(u->region);
    return true;
}

Unit *unit_get(Run *r, sculpt_region *region) {
    if (!region->state) region->state = unit_new(r, region);
    return region->state;
}

PickDevice unit_device(const DeviceInfo *d) {
    return (PickDevice){d->target, d->warp, d->shared_optin > d->shared ? d->shared_optin : d->shared,
            d->max_threads};
}

// First what knows its cost, for the cheapest runs, then what does not.
static int place_of(const Unit *u, const Nest *n) {
    int i = 0;
    while (n->cost && i < u->variants.n && u->variants.at[i]->nest->cost) i++;
    while (!n->cost && i < u->variants.n && u->variants.at[i]->nest->cost) i++;
    return i;
}

static void insert(Unit *u, int at, Variant *v) {
    vec_push(u->c->arena, &u->variants, v);
    memmove(&u->variants.at[at + 1], &u->variants.at[at], sizeof v * (size_t)(u->variants.n - 1 - at));
    u->variants.at[at] = v;
}

// The number of a fact's slot, -1 where it is the device's.
static int slot_of(Unit *u, const Fact *f) {
    if (f->kind != FACT_MISALIGN && f->kind != FACT_TRAVELS && f->kind != FACT_LINK) return -1;
    int i = 0;
    while (i < u->asks.n && (u->asks.at[i].kind != f->kind || u->asks.at[i].array != f->array)) i++;
    if (i == u->asks.n) vec_push(u->c->arena, &u->asks, *f);
    return u->region->nparams + i;
}

typedef struct Words {
    Unit *u;
    int n;
    Meaning *of;
} Words;

static Formula *formula(const Words *w, const Expr *x) {
    return x ? formula_of(w->u->formulas, x, w->n, w->of) : NULL;
}

static Formula **formulas(const Words *w, Expr *const *x, int n) {
    Formula **out = x ? NEW_N(w->u->c->arena, Formula *, n + 1) : NULL;
    for (int i = 0; x && i < n; i++) out[i] = formula(w, x[i]);
    return out;
}

static void set_formulas(Unit *u, Variant *v) {
    Arena *a = u->c->arena;
    const Nest *n = v->nest;
    Meaning *m = NEW_N(a, Meaning, u->region->nparams + n->nfacts + 1);
    int nm = 0, before = u->asks.n;
    for (int i = 0; i < u->region->nparams; i++) m[nm++] = (Meaning){.sym = u->region->params[i], .slot = i};
    for (int i = 0; i < n->nfacts; i++)
        m[nm++] = (Meaning){n->facts[i].sym, slot_of(u, &n->facts[i]), u->facts[n->facts[i].kind]};
    if (!u->formulas) u->formulas = formulas_new(a);
    if (!u->slots || u->asks.n > before)
        u->slots = NEW_N(a, InterpVal, u->region->nparams + u->asks.n + 1);
    const Words w = {u, nm, m};
    v->when = formula(&w, n->when), v->cost = formula(&w, n->cost);
    v->flops = formula(&w, n->flops), v->bytes = formula(&w, n->bytes);
    v->operations = formula(&w, n->work);
    v->feet = NEW_N(a, FootFormulas, n->nfeet + 1);
    for (int i = 0; i < n->nfeet; i++) {
        const Foot *f = &n->feet[i];
        int rank = f->array->rank;
        v->feet[i] = (FootFormulas){formulas(&w, f->lo, rank),    formulas(&w, f->hi, rank),
                                    formulas(&w, f->first, rank), formulas(&w, f->last, rank),
                                    formulas(&w, f->array->extent, rank), formula(&w, f->written)};
    }
}

// NULL: the device can't run it.
static Variant *add(Run *r, Unit *u, const Nest *n, Digest digest, int at) {
    Variant *v = NEW(u->c->arena, Variant);
    if (!unit_variant(r, u, n, digest, v)) return NULL;
    set_formulas(u, v);
    for (int i = 0; i < n->nfacts; i++) u->asks_link |= n->facts[i].kind == FACT_LINK;
    insert(u, at, v);
    return v;
}

// Text that can't be read (an older cache, another version) is as if it were not there. How many nests,
// or -1.
static int read_nests(Unit *u, const char *text, IrNests *out) {
    Compile *c = u->c;
    int before = c->diags.n, errors = c->errors, n = ir_parse_nests(c, u->ir, "nest", text, true, out);
    c->diags.n = before, c->errors = errors;
    return n;
}

bool unit_add(Run *r, Unit *u, const CallKind *kind, const char *text) {
    PlannedKind *p = kind_find(u, kind);
    uint64_t digest = digest_of(text, strlen(text)).word[0];
    const PlannedKind *same = kind_of_nests(u, digest);
    p->came = true, p->sure = planned_is_sure(text), p->nests = digest;
    call_forget(u);
    if (same) return p->v = same->v, true;
    IrNests nests;
    PickDevice d = unit_device(r->info);
    int n = read_nests(u, text, &nests);
    for (int i = 0; i < n; i++) {
        if (!pick_has_room(u->c->arena, &d, nests.at[i])) continue;
        p->v = add(r, u, nests.at[i], nests.digest[i], place_of(u, nests.at[i]));
        if (p->v) p->v->planned = true, p->v->wise = planned_wise(text);
    }
    return n >= 0;
}

static void set_device_facts(Run *r, Unit *u) {
    if (!r->machine) r->machine = machine_in_use(r->arena, r->info);
    const Machine *m = r->machine;
    for (FactKind k = 0; k < FACT_KINDS; k++) u->facts[k] = m ? model_fact(m, k) : 1;
    u->facts[FACT_PROCESSORS] = r->info->sms > 0 ? r->info->sms : 1;
    u->pageable = m ? (int64_t)(1e3 * machine_link(m, false)) : 1;
    // Rule place, by the device's file: both ways' microseconds a byte.
    double locked = m && m->locking > 0 ? 1 / (1e3 * m->locking) + 1 / (1e3 * machine_link(m, true)) : 0;
    u->locking = locked > 0 && locked * (double)u->pageable < 1;
    if (u->locking) u->pageable = (int64_t)(1 / locked);
}

bool unit_choose(Run *r, Unit *u) {
    if (u->chosen) return u->variants.n > 0;
    u->chosen = true;
    set_device_facts(r, u);
    u->asks_link = u->ir->more; // by what may come
    PickDevice d = unit_device(r->info);
    for (int i = 0; i < u->ir->nnests; i++)
        if (pick_suits(u->c->arena, &d, u->ir->nnests, u->ir->nests, i))
            add(r, u, u->ir->nests[i], u->ir->digests[i], u->variants.n);
    call_forget(u);
    return u->variants.n > 0;
}
