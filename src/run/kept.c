// SPDX-License-Identifier: MIT
// kept.c -- calls that an earlier run of the program made: what they need, without the text of their nest.
//
// The second run of a program makes the calls of the first. What follows from a call's values alone is known
// then: which nest runs, that it may, how wide its indices are, what it launches. At exit it is kept in the
// kernel cache as an outline (Node.outline): the nest with these values put in, whose kernels have no bodies.
// Where the arrays are is looked at anew: footprints, and whether they overlap.
//
//     key     libsculpt, the region's text, the settings; the call's values, arrays' places modulo 16
//     record  Header, the outline's text
//
// A call that finds its record reads of the region's text the head alone. All others read everything.
#include "run/state.h"
#include "run/wisdom.h"
#include <string.h>

enum { KEY = 33, MOST_KEPT = 16 }; // a region; programs with more kinds of calls read the nests themselves

typedef struct Header {
    Digest device, wisdom, nest; // wisdom: of the region's rows, of which none may have come since
    int32_t travel;
    bool wide, roomy, asks_link, locking;
    Work work;
    int64_t pageable, facts[FACT_KINDS];
    uint64_t wise;         // Variant.wise
    char image[KEY], plan[KEY]; // in the cache: kernels, nests as planned
} Header;

struct Kept {
    Digest values;
    Header h;
    const char *text;
    Variant *v; // NULL: not read yet
    bool bad;
};

static Digest device_digest(Arena *a, const DeviceInfo *d) {
    const char *s = arena_printf(a, "%s|%s|%s|%s|%s|%d|%d|%lld", d->spec, d->name, d->driver, d->dialect,
                                 d->target, d->sms, d->early_launch, (long long)d->max_threads);
    return digest_of(s, strlen(s));
}

static bool is_same(Digest x, Digest y) { return x.word[0] == y.word[0] && x.word[1] == y.word[1]; }

static Digest values_of(const Unit *u, const sculpt_arg *args) {
    Digest d = {{0}};
    for (int i = 0; i < u->nargs; i++) {
        uint64_t x = i < u->nobjects ? (uintptr_t)args[i].p % 16 : (uint64_t)args[i].i;
        uint64_t both[] = {d.word[0], d.word[1], x};
        d = digest_of(both, sizeof both);
    }
    return d;
}

static const char *key_of(Arena *a, Run *r, Unit *u, Digest values) {
    const char *own = env_get("SCULPT_DEVICES");
    Digest d = digest_of(u->text, strlen(u->text));
    const char *device = r->set.device ? r->set.device : "";
    const char *s = arena_printf(a, "call|%s|%s|%d|%s|%s|%s", build_self(r), device, r->set.offload,
                                 own ? own : "", digest_text(a, d), digest_text(a, values));
    return digest_text(a, digest_of(s, strlen(s)));
}

static bool is_asked_for(const Run *r) { return r->set.check || r->set.repeat; }

// ---- reading -----------------------------------------------------------------------------------
Kept *kept_find(Run *r, Unit *u, const sculpt_arg *args) {
    if (!u->ir->head || is_asked_for(r) || run_on_host(r)) return NULL;
    Digest values = values_of(u, args);
    for (int i = 0; i < u->kept.n; i++)
        if (is_same(u->kept.at[i]->values, values)) return u->kept.at[i]->bad ? NULL : u->kept.at[i];
    if (u->kept.n == MOST_KEPT || !run_cache(r)) return NULL;
    Arena *a = u->c->arena;
    char *bytes;
    size_t n;
    bool found = cache_look(r->cache, a, key_of(a, r, u, values), (void **)&bytes, &n);
    if (!found || n <= sizeof(Header)) return NULL;
    Kept *k = NEW_AS(a, Kept, (Kept){.values = values});
    memcpy(&k->h, bytes, sizeof k->h);
    k->text = arena_strndup(a, bytes + sizeof k->h, n - sizeof k->h);
    vec_push(a, &u->kept, k);
    return k;
}

static bool open_kept(Run *r, Unit *u, Kept *k) {
    Arena *a = u->c->arena;
    IrNests nests;
    if (!is_same(device_digest(a, r->info), k->h.device)) return false;
    if (!is_same(wise_digest(r, u), k->h.wisdom)) return false;
    int before = u->c->diags.n, errors = u->c->errors;
    int n = ir_parse_nests(u->c, u->ir, "call", k->text, true, &nests);
    u->c->diags.n = before, u->c->errors = errors;
    Variant *v = NEW(a, Variant);
    if (n != 1 || !unit_variant(r, u, nests.at[0], k->h.nest, v)) return false;
    v->nsmall = 0;
    v->wise = k->h.wise;
    v->waits_known = true, v->roomy = k->h.roomy;
    v->image = k->h.image;
    u->asks_link = k->h.asks_link, u->locking = k->h.locking, u->pageable = k->h.pageable;
    memcpy(u->facts, k->h.facts, sizeof u->facts);
    k->v = v;
    return true;
}

Call *kept_call(Run *r, Unit *u, Kept *k, const sculpt_arg *args, const Thread *t) {
    if (!k->v && !k->bad) k->bad = !open_kept(r, u, k);
    Travel travel = call_travel(r, u, args, t);
    if (k->bad || travel != (Travel)k->h.travel) return NULL;
    Call *c = call_known(u, args, travel);
    if (c) return c;
    c = call_as(u, k->v, args, travel, k->h.wide, k->h.work);
    if (c && !build_module(r, u, c)) k->bad = true, c->used = false, c = NULL;
    return c;
}

void kept_spoil(Kept *k) { k->bad = true; }

// ---- writing -----------------------------------------------------------------------------------
typedef struct Ran {
    Digest values;
    const sculpt_arg *args;
    Travel travel;
} Ran;

void kept_note(Unit *u, const Call *c) {
    Digest values = values_of(u, c->args);
    for (int i = 0; i < u->ran.n; i++)
        if (is_same(u->ran.at[i]->values, values)) return;
    if (u->ran.n == MOST_KEPT) return;
    Arena *a = u->c->arena;
    sculpt_arg *args = NEW_N(a, sculpt_arg, u->nargs + 1);
    Ran *ran = NEW(a, Ran);
    *ran = (Ran){values, memcpy(args, c->args, sizeof *args * (size_t)u->nargs), c->travel};
    vec_push(a, &u->ran, ran);
}

typedef struct Put {
    Arena *a;
    const Call *call;
    int n;
    const Sym **from; // whole numbers among the values…
    Expr **to;        // …and what they are
} Put;

static Expr *put_in(const Put *p, Expr *x) { return expr_subst(p->a, x, p->n, p->from, p->to); }

static Expr **put_list(const Put *p, Expr **x, int n) {
    Expr **out = x ? NEW_N(p->a, Expr *, n + 1) : NULL;
    for (int i = 0; x && i < n; i++) out[i] = put_in(p, x[i]);
    return out;
}

static Foot put_foot(const Put *p, Foot f) {
    int n = f.array->rank;
    f.lo = put_list(p, f.lo, n), f.hi = put_list(p, f.hi, n);
    f.first = put_list(p, f.first, n), f.last = put_list(p, f.last, n);
    f.written = put_in(p, f.written);
    return f;
}

// The host's tree without the ways that these values don't go; kernels as outlines.
static Node *outlined(const Put *p, const Node *n) {
    const Variant *v = p->call->v;
    int64_t yes;
    if (!n) return node_seq(p->a, 0, NULL);
    if (n->kind == N_IF && ir_eval(n->cond, p->call->nvals, p->call->vals, &yes))
        return outlined(p, yes ? n->then : n->other);
    Node *copy = node_clone(p->a, n);
    if (n->nkids) copy->kids = NEW_N(p->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) copy->kids[i] = outlined(p, n->kids[i]);
    if (n->kind == N_FOR) copy->body = outlined(p, n->body);
    if (n->kind == N_IF) copy->then = outlined(p, n->then), copy->other = outlined(p, n->other);
    for (int i = 0; n->kind == N_KERNEL && i < v->nkernels; i++) {
        const Kernel *k = &v->kernels[i];
        if (k->node != n) continue;
        Outline *o = NEW(p->a, Outline);
        *o = (Outline){.shared = k->shared, .at_launch = k->at_launch, .waits = k->waits};
        copy = ir_outline(p->a, n, o);
    }
    return copy;
}

static const char *outline_of(Arena *a, const Unit *u, const Call *c) {
    Put p = {a, c, 0, NEW_N(a, const Sym *, c->nvals + 1), NEW_N(a, Expr *, c->nvals + 1)};
    for (int i = 0; i < c->nvals; i++) {
        const Sym *s = c->vals[i].sym;
        if (!type_is_int(s->type)) continue;
        p.from[p.n] = s;
        p.to[p.n++] = expr_int(a, s->type, c->vals[i].i);
    }
    Region bare = *u->region; // all locals are written out
    bare.root = NULL;
    Nest n = *c->v->nest;
    n.region = &bare;
    n.recipe = "", n.cost = NULL;
    n.when = expr_int(a, T_I32, 1);
    n.flops = c->flops < 0 ? NULL : expr_float(a, T_F64, c->flops);
    n.work = c->operations > c->flops ? expr_float(a, T_F64, c->operations) : NULL;
    n.bytes = c->bytes < 0 ? NULL : expr_float(a, T_F64, c->bytes);
    n.feet = NEW_N(a, Foot, n.nfeet + 1);
    for (int i = 0; i < n.nfeet; i++) n.feet[i] = put_foot(&p, c->v->nest->feet[i]);
    n.root = node_subst(a, outlined(&p, n.root), p.n, p.from, p.to);
    return ir_print_nest(a, &n);
}

static void set_key(char *to, const char *key) { memcpy(to, key, strlen(key) < KEY ? strlen(key) + 1 : 0); }

static void write_call(Run *r, Unit *u, Call *c, Arena *a) {
    const char *plan;
    void *image;
    size_t size;
    const char *key = build_key(r, u, c, a);
    if (c->v->image || !cache_look(r->cache, a, key, &image, &size)) return;
    if (!planned_done(r, u, c->args, c->travel, a, &plan)) return;
    launch_waits(r, u, c->v);
    Header h;
    memset(&h, 0, sizeof h);
    h.device = device_digest(a, r->info), h.nest = c->v->digest;
    h.travel = c->travel, h.wide = c->wide, h.roomy = c->v->roomy, h.work = cost_work(c);
    h.asks_link = u->asks_link, h.locking = u->locking, h.pageable = u->pageable;
    memcpy(h.facts, u->facts, sizeof h.facts);
    set_key(h.image, key);
    set_key(h.plan, plan);
    h.wisdom = wise_digest(r, u), h.wise = c->v->wise;
    Text t = text_new(a);
    text_putn(&t, (const char *)&h, sizeof h);
    text_put(&t, outline_of(a, u, c));
    cache_put(r->cache, key_of(a, r, u, values_of(u, c->args)), t.s, t.n);
}

void kept_write(Run *r) {
    if (!r->cache || r->forked || r->dead || is_asked_for(r)) return;
    for (int i = 0; i < r->units.n; i++) {
        Unit *u = r->units.at[i];
        for (int k = 0; u->ir && k < u->ran.n; k++) {
            Call *c = call_get(r, u, u->ran.at[k]->args, u->ran.at[k]->travel);
            Arena *a = arena_new();
            if (!c->refusal) write_call(r, u, c, a);
            arena_free(a);
        }
    }
}

// ---- the whole of an outline ---------------------------------------------------------------------
static const Nest *whole_of(Run *r, Unit *u, const Variant *v) {
    const Header *h = (const Header *)(v->image - offsetof(Header, image));
    void *text;
    size_t n;
    IrNests nests = {0};
    if (!unit_whole(r, u)) return NULL;
    for (int i = 0; i < u->ir->nnests; i++)
        if (is_same(u->ir->digests[i], v->digest)) return u->ir->nests[i];
    if (!cache_look(r->cache, u->c->arena, h->plan, &text, &n)) return NULL;
    text = arena_strndup(u->c->arena, text, n);
    if (ir_parse_nests(u->c, u->ir, "nest", text, true, &nests) < 0) return NULL;
    for (int i = 0; i < nests.n; i++)
        if (is_same(nests.digest[i], v->digest)) return nests.at[i];
    return NULL;
}

const Node *kept_body(Run *r, Unit *u, const Variant *v, const Node *kernel, int nvals, InterpVal *vals) {
    const Nest *n = whole_of(r, u, v);
    if (!n) return NULL;
    for (int i = 0; i < n->nfacts; i++) vals[u->region->nparams + i].sym = n->facts[i].sym;
    int before = u->region->nparams + n->nfacts;
    const Node *found = NULL;
    node_each(m, n->root) {
        if (m->kind == N_KERNEL && str_eq(m->name, kernel->name)) found = m;
        for (int i = before; m->kind == N_FOR && !found && i < nvals; i++)
            if (str_eq(vals[i].sym->name, m->iter->name)) vals[i].sym = m->iter;
    }
    return found;
}
