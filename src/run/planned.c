// SPDX-License-Identifier: MIT
// planned.c -- nests that are planned where the program runs.
//
// A program carries its region and one plain nest for each kind of device. For each kind of call (kinds.c)
// the planner is asked here for the nest that suits the machine and the call best. It comes with the judge's
// verdict, and both are kept in the kernel cache: under a key of the region's text, the device, this
// libsculpt and the kind of call.
//
//     the program's thread   call: plain nest ─── call: plain nest ─── call: planned nest
//                               │ order                                  ▲ add, under the lock
//     planning                  +- plan, judge - keep - print, compile --+
//
// The thread has copies of all that it looks at: its own Compile, its own Unit. It takes the lock to
// fetch an order and to add a nest. It ends when there are no orders; at exit it is told to stop, and
// waited for: isl gives up, a C
// compiler is killed, NVRTC finishes. In the child of a fork there is none.
#include "base/guest.h"
#include "ir/watch.h"
#include "plan/plan.h"
#include "run/state.h"
#include "run/wisdom.h"
#include <stdlib.h>
#include <string.h>

// Kinds of calls of one region that are planned for in one process, of each order of magnitude: the large
// steps of a factorisation come behind many small ones. What is in the cache is no matter of number.
enum { MOST_KINDS = 16, SMALL_BITS = 56 };
static const char unbuilt[] = "// the kernels are not in the cache yet\n";
static const char measured[] = "// wisdom "; // and the row's number: at the head of what measuring chose
static const char unsure[] = "// the judge did not decide of quicker ones\n"; // at the head of the next best
static const double PLAN_SECONDS = 20;      // of a processor that one planning may take, or a little more

// ---- kinds of calls ----------------------------------------------------------------------------
// How large the sizes are together, in steps of four; all that is small is one.
static int magnitude_of(const Unit *u, const sculpt_arg *args) {
    int bits = 0;
    for (int i = u->nobjects; i < u->nargs; i++)
        if (type_is_int(u->region->params[i - u->nobjects]->type) && args[i].i > 1)
            bits += 64 - __builtin_clzll((uint64_t)args[i].i);
    return bits < SMALL_BITS ? 0 : bits / 2;
}

bool planned_is_sure(const char *nests) { return !str_has_prefix(nests, unsure); }

uint64_t planned_wise(const char *nests) {
    return str_has_prefix(nests, measured) ? strtoull(nests + strlen(measured), NULL, 16) : 0;
}

static const char *key_of(Arena *a, Run *r, const Unit *u, uint64_t kind) {
    const char *what = arena_printf(a, "plan|%016llx|%s", (unsigned long long)kind, build_self(r));
    return wisdom_key(a, what, u->digest, r->info);
}

// ---- planning ------------------------------------------------------------------------------------
// All that planning needs, apart from what the program may change meanwhile.
typedef struct Order {
    Arena *a;
    Unit *unit;                 // touched under the lock alone
    const char *text, *file, *key;
    const char *nests;          // what was planned; NULL: nothing yet
    Device *device;
    const DeviceInfo *info;
    const Machine *machine;
    const char *self;
    const char *recipe;         // that measuring chose; NULL: none
    CallKind kind;
    uint64_t wise;              // the number of the row that the nests come from; 0: none
    bool unsure;                // the judge did not decide of a quicker one
    Cache *cache;
    Settings set;
    int line;
    int nobjects, nargs;
    const sculpt_arg *args;
    int64_t facts[FACT_KINDS];
} Order;

static Order *order_new(Run *r, Unit *u, const sculpt_arg *args, CallKind kind, const Wise *row) {
    Arena *a = arena_new();
    Order *o = NEW(a, Order);
    sculpt_arg *mine = NEW_N(a, sculpt_arg, u->nargs + 1);
    memcpy(mine, args, sizeof *args * (size_t)u->nargs);
    *o = (Order){.a = a,
                 .unit = u,
                 .text = u->text,
                 .file = u->file,
                 .line = u->line,
                 .key = key_of(a, r, u, kind.hash),
                 .device = r->device,
                 .info = r->info,
                 .machine = r->machine,
                 .self = build_self(r),
                 .recipe = row && *row->recipe ? arena_strdup(a, row->recipe) : NULL,
                 .kind = kind,
                 .wise = kind.wise,
                 .cache = r->cache,
                 .set = r->set,
                 .nobjects = u->nobjects,
                 .nargs = u->nargs,
                 .args = mine};
    memcpy(o->facts, u->facts, sizeof o->facts);
    o->facts[FACT_TRAVELS] = kind.travel != TRAVEL_NONE;
    if (kind.travel == TRAVEL_PAGEABLE) o->facts[FACT_LINK] = u->pageable;
    return o;
}

static int object_of(const Region *r, const Array *x) {
    const char *seen[r->narrays + 1];
    int n = 0;
    for (int i = 0; i < r->narrays; i++) {
        int k = 0;
        while (k < n && !str_eq(seen[k], r->arrays[i]->object)) k++;
        if (str_eq(r->arrays[i]->object, x->object)) return k;
        if (k == n) seen[n++] = r->arrays[i]->object;
    }
    return 0;
}

typedef struct Asked {
    const Order *order;
    const Region *region;
    InterpVal *vals;             // the parameters'
} Asked;

static int64_t fact_of(const Asked *k, const Fact *f) {
    if (f->kind != FACT_MISALIGN) return k->order->facts[f->kind];
    uintptr_t at = (uintptr_t)k->order->args[object_of(k->region, f->array)].p;
    return (int64_t)((at + (uintptr_t)f->array->offset) % 16);
}

static int pick(Compile *c, int n, Nest *const *chain, const void *arg) {
    const Asked *k = arg;
    const Region *r = k->region;
    PickDevice d = unit_device(k->order->info);
    Pick p = {.at = -1};
    for (int i = 0; i < n; i++) {
        const Nest *x = chain[i];
        if (!pick_has_room(c->arena, &d, x)) continue;
        InterpVal *v = NEW_N(c->arena, InterpVal, r->nparams + x->nfacts + 1);
        memcpy(v, k->vals, sizeof *v * (size_t)r->nparams);
        for (int f = 0; f < x->nfacts; f++)
            v[r->nparams + f] = (InterpVal){.sym = x->facts[f].sym, .i = fact_of(k, &x->facts[f])};
        if (pick_look(&p, i, x, r->nparams + x->nfacts, v)) break;
    }
    return p.at;
}

static PlanCall *call_of(Arena *a, Order *o, const Region *r) {
    Asked *k = NEW_AS(a, Asked, (Asked){o, r, NEW_N(a, InterpVal, r->nparams + 1)});
    for (int i = 0; i < r->nparams; i++) {
        const sculpt_arg *x = &o->args[o->nobjects + i];
        k->vals[i] = (InterpVal){.sym = r->params[i]};
        if (type_is_float(r->params[i]->type)) k->vals[i].f = x->f;
        else k->vals[i].i = x->i;
    }
    PlanCall *call = NEW(a, PlanCall);
    *call = (PlanCall){.target = o->info->target,
                       .nvals = r->nparams,
                       .vals = k->vals,
                       .processors = o->facts[FACT_PROCESSORS],
                       .machine = o->machine,
                       .stays = o->kind.travel == TRAVEL_NONE,
                       .alone = o->info->warp <= 1 && str_eq(o->info->target, "gpu"),
                       .pick = pick,
                       .arg = k,
                       .unsure = &o->unsure};
    return call;
}

static bool travels(const Nest *n) {
    for (int i = 0; n && i < n->nfacts; i++)
        if (n->facts[i].kind == FACT_TRAVELS && n->when && expr_uses_sym(n->when, n->facts[i].sym))
            return true;
    return false;
}

// What measuring chose, where that may run; else what the planner expects to be the quickest. Measured were
// kernels whose data are there: data that come and go beside the kernels may be worth more than that.
static const Nest *best_nest(Compile *c, Order *o, IrFile *f) {
    PlanCall *call = call_of(c->arena, o, f->region);
    const Nest *n = NULL;
    if (o->recipe && o->kind.travel != TRAVEL_NONE) {
        n = plan_best(c, f->region, call, f->nnests, f->nests);
        if (travels(n)) return o->wise = 0, n;
    }
    const Nest *wise = o->recipe ? wise_nest(c, f->region, call, o->recipe) : NULL;
    if (wise) return wise;
    o->wise = 0;
    return n ? n : plan_best(c, f->region, call, f->nnests, f->nests);
}

// ---- what was proved before ------------------------------------------------------------------------
// Calls of many kinds get the same nest, and the judge takes most of the time that planning takes.
static const char *recall_key(Arena *a, const Order *o, const char *key) {
    const char *all = arena_printf(a, "%s|%s", o->self, key);
    return digest_text(a, digest_of(all, strlen(all)));
}

static const char *recall_find(void *arg, Arena *a, const char *key) {
    const Order *o = arg;
    void *text;
    size_t n;
    bool found = o->cache && cache_look(o->cache, a, recall_key(a, o, key), &text, &n);
    return found ? arena_strndup(a, text, n) : NULL;
}

static void recall_keep(void *arg, const char *key, const char *text) {
    const Order *o = arg;
    if (o->cache) cache_put(o->cache, recall_key(o->a, o, key), text, strlen(text));
}

// What sculpt did wrong is said where it happens, too.
static void tell_mistakes(const Compile *c, const Order *o) {
    for (int i = 0; i < c->diags.n; i++) {
        Diag d = c->diags.at[i];
        d.loc = (Loc){.file = o->file, .line = o->line};
        if (d.code == SC_BUG) diag_print(stderr, &d, false);
    }
}

// ---- what the next kind of calls has of it -----------------------------------------------------------
// Most of what planning takes is the same for all kinds of calls of a region: its dependences, and what steps
// make of its loops. It stays for the next, unless the judge was asked: what he leaves is large, and his
// verdicts are in the cache.
typedef struct Shop {
    const char *text;           // the region's
    Compile *c;
    IrFile *f;                  // NULL: not read
} Shop;

enum { MOST_SHOPS = 8 };
typedef struct Shops {
    int n;
    Shop at[MOST_SHOPS];        // the one that was in use last comes last
} Shops;

static Shop shop_remove(Shops *s, int i) {
    Shop x = s->at[i];
    memmove(&s->at[i], &s->at[i + 1], sizeof *s->at * (size_t)(--s->n - i));
    return x;
}

static Shop shop_take(Shops *s, const char *text) {
    for (int i = 0; i < s->n; i++)
        if (str_eq(s->at[i].text, text)) return shop_remove(s, i);
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "region", text);
    if (f) c->unordered = f->unordered;
    return (Shop){arena_strdup(c->arena, text), c, f};
}

static void shop_give_back(Shops *s, Shop x) {
    watch_end(x.c);
    x.c->diags.n = x.c->errors = 0;
    if (!x.f || plan_has_judged(x.c) || time_used() > x.c->limit) return compile_free(x.c);
    if (s->n == MOST_SHOPS) compile_free(shop_remove(s, 0).c);
    s->at[s->n++] = x;
}

// The nest as text in the order's arena; "\n": none is better than what the program carries.
static const char *plan(Order *o, Shops *shops, const atomic_bool *stop) {
    double t = time_now();
    Shop shop = shop_take(shops, o->text);
    Compile *c = shop.c;
    IrFile *f = shop.f;
    c->stop = stop;
    c->recall = &(Recall){recall_find, recall_keep, o};
    watch_limit(c, PLAN_SECONDS);
    const Nest *n = f ? best_nest(c, o, f) : NULL;
    const char *text = n ? ir_print_nest(c->arena, n) : "\n";
    IrNests again; // what is kept is not verified when it is read
    if (n && ir_parse_nests(c, f, "nest", text, false, &again) != 1) n = NULL, text = "\n";
    text = n && o->wise ? arena_printf(o->a, "%s%016llx\n%s", measured, (unsigned long long)o->wise, text)
                        : arena_printf(o->a, "%s%s", o->unsure ? unsure : "", text);
    bool told = o->set.verbose && !atomic_load(stop);
    if (told)
        fprintf(stderr, "sculpt: %s:%d: planned in %.3f s%s: %s%s%s\n", o->file, o->line, time_now() - t,
                o->recipe ? o->wise ? ", by wisdom" : ", as what measuring chose may not run" : "", n
                ? proof_word(n->proof) : "the plain nest",
                n && n->reason ? ": " : "", n && n->reason ? n->reason : "");
    if (told) tell_mistakes(c, o);
    c->recall = NULL;
    c->stop = NULL;
    shop_give_back(shops, shop);
    return text;
}

static void keep(const Order *o, bool built) {
    const char *text = built ? o->nests : arena_printf(o->a, "%s%s", unbuilt, o->nests);
    cache_put(o->cache, o->key, text, strlen(text));
}

// ---- beside the program -----------------------------------------------------------------------------
// A call holds libsculpt's lock as long as it runs, so orders have one of their own.
typedef struct Planner {
    atomic_bool stop;
    pthread_mutex_t lock;       // of what follows
    bool working;               // the thread is there
    bool begun;                 // or was, and is to be joined
    pthread_t thread;
    atomic_bool aside;          // it may compile: at exit it is stopped before what the compiler does then
    VEC(Order *) orders;        // not begun
    Shops shops;                // the thread's
} Planner;

// The call's kernels, into the cache. False: they can't be built.
static bool build(const Order *o, const atomic_bool *stop) {
    if (!o->cache) return true; // by the next call, then
    Run run = {.arena = o->a,
               .device = o->device,
               .info = o->info,
               .machine = o->machine,
               .self = o->self,
               .tried = true,
               .cache_tried = true,
               .cache = o->cache,
               .set = o->set};
    sculpt_region region = {.abi = SCULPT_ABI, .file = o->file, .line = o->line, .text = o->text};
    Unit *u = unit_get(&run, &region);
    bool ok = unit_whole(&run, u);
    u->c->stop = stop;
    if (ok) u->ir->more = false;
    ok = ok && unit_choose(&run, u);
    if (ok) kind_note(u, &o->kind, o->args);
    ok = ok && unit_add(&run, u, &o->kind, o->nests);
    Call *c = ok ? call_get(&run, u, o->args, o->kind.travel) : NULL;
    if (c && !c->refusal) ok = build_ahead(&run, u, c);
    compile_free(u->c);
    return ok;
}

// False: there is nothing to add.
static bool carry_out(Order *o, Planner *p) {
    if (!o->nests) o->nests = plan(o, &p->shops, &p->stop);
    bool aside = atomic_load(&p->aside); // else the next call compiles
    if (atomic_load(&p->stop)) return false;
    keep(o, !aside);
    if (!aside) return true;
    bool ok = build(o, &p->stop);
    if (atomic_load(&p->stop)) return false;
    if (!ok) o->nests = "\n";
    keep(o, true);
    return ok;
}

static Order *next(Planner *p) {
    pthread_mutex_lock(&p->lock);
    Order *o = p->orders.n && !atomic_load(&p->stop) ? p->orders.at[--p->orders.n] : NULL;
    p->working = o != NULL;
    pthread_mutex_unlock(&p->lock);
    return o;
}

static void *work(void *arg) {
    Planner *p = arg;
    for (Order *o; (o = next(p));) {
        bool ok = carry_out(o, p);
        Run *r = run_lock();
        if (ok && !r->dead) unit_add(r, o->unit, &o->kind, o->nests);
        run_unlock(r);
        arena_free(o->a);
    }
    return NULL;
}

// At the process's end, before what libraries do then that the thread is in. Who ends the process from inside
// of libsculpt waits for nothing.
static void stop(void) {
    Run *r = run_lock();
    Planner *p = r->planner;
    bool wait = p && p->begun && r->depth == 1;
    if (p) atomic_store(&p->stop, true);
    if (wait) p->begun = false;
    run_unlock(r);
    if (wait) pthread_join(p->thread, NULL);
}

// What was registered last runs first at exit, so this is said once more when the compiler has said its own.
void planned_compiled(Run *r) {
    Planner *p = r->planner;
    if (!p || !r->info->aside || atomic_load(&p->aside)) return;
    if (atexit(stop) == 0) atomic_store(&p->aside, true);
}

static Planner *planner(Run *r) {
    if (r->planner) return r->planner;
    r->planner = NEW(r->arena, Planner);
    pthread_mutex_init(&r->planner->lock, NULL);
    r->device->stop = &r->planner->stop;
    if (!r->info->aside) atexit(stop);
    planned_compiled(r);
    return r->planner;
}

static bool begin(Planner *p) {
    if (p->begun) pthread_join(p->thread, NULL);
    p->begun = p->working = thread_start(&p->thread, work, p) == 0;
    return p->begun;
}

static void order(Run *r, Order *o) {
    Planner *p = planner(r);
    pthread_mutex_lock(&p->lock);
    vec_push(r->arena, &p->orders, o);
    bool taken = !atomic_load(&p->stop) && (p->working || begin(p));
    if (!taken) p->orders.n--;
    pthread_mutex_unlock(&p->lock);
    if (!taken) arena_free(o->a);
}

void planned_forget(Run *r) { r->planner = NULL, r->shops = NULL; }

// ---- a call asks -------------------------------------------------------------------------------------
static void plan_now(Run *r, Order *o) {
    static const atomic_bool never = false;
    double t = time_now();
    if (!r->shops) r->shops = NEW_AS(r->arena, Shops, (Shops){0});
    o->nests = plan(o, r->shops, &never);
    keep(o, true);
    t = time_now() - t;
    o->unit->stats.plan += t;
    r->away += t;
}

// The nests' text in what is kept; built: with their kernels.
static const char *nests_of(Arena *a, const void *kept, size_t size, bool *built) {
    const char *text = arena_strndup(a, kept, size);
    *built = !str_has_prefix(text, unbuilt);
    return *built ? text : text + strlen(unbuilt);
}

bool planned_done(Run *r, Unit *u, const sculpt_arg *args, Travel travel, Arena *a, const char **key) {
    *key = "";
    if (!u->ir->more) return true;
    CallKind kind = kind_of(u, args, travel, wise_hit(r, u, args).row);
    const PlannedKind *p = kind_find(u, &kind);
    *key = key_of(a, r, u, kind.hash);
    return p && p->came;
}

static bool have_enough(const Unit *u, const sculpt_arg *args) {
    int magnitude = magnitude_of(u, args), as_large = 0;
    for (int i = 0; i < u->kinds.n; i++)
        as_large += u->kinds.at[i].planned && magnitude_of(u, u->kinds.at[i].args) == magnitude;
    return as_large >= MOST_KINDS;
}

void planned_ask(Run *r, Unit *u, const sculpt_arg *args, const CallKind *kind, const Wise *row) {
    if (!u->ir->more || kind_find(u, kind)) return;
    bool enough = have_enough(u, args), sync = r->set.sync || r->set.check || r->set.repeat;
    PlannedKind *p = kind_note(u, kind, args);
    run_cache(r);
    Order *o = order_new(r, u, args, *kind, row);
    void *kept = NULL;
    size_t size;
    bool built = true;
    if (cache_look(r->cache, o->a, o->key, &kept, &size)) o->nests = nests_of(o->a, kept, size, &built);
    else if (enough) return arena_free(o->a);
    else p->planned = true;
    if (!sync && (!kept || !built)) return order(r, o);
    if (!kept) plan_now(r, o);
    unit_add(r, u, kind, o->nests);
    arena_free(o->a);
}
