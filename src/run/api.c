// SPDX-License-Identifier: MIT
// api.c -- the functions of sculpt.h.
#include "run/state.h"
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

// ---- regions -----------------------------------------------------------------------------------
// The original loops are about to run: they must see what the device has, and what it has
// is old afterwards. Without boxes (the sizes made no sense) that goes for everything.
static void give_to_host(Run *r, const Unit *u, const Call *c) {
    if (!r->memory || r->dead || !r->memory->slabs) return;
    if (!c || c->refusal) {
        if (!memory_flush(r->memory, NULL)) report_lost(u, r->device->error, NULL);
        memory_forget_all(r->memory, NULL);
        return;
    }
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        if (box_is_empty(&c->boxes[i])) continue;
        if (!memory_flush(r->memory, &c->boxes[i])) report_lost(u, r->device->error, NULL);
        if (c->v->nest->feet[i].out) memory_forget_all(r->memory, &c->boxes[i]);
    }
}

static int on_host(Run *r, Unit *u, const Call *c) {
    u->stats.host_calls++;
    give_to_host(r, u, c);
    return 0;
}

static const char *why_host(const Run *r) {
    if (r->set.offload == OFFLOAD_NEVER) return "SCULPT_OFFLOAD=never";
    if (r->forked) return "this process was forked from one with an open device";
    if (r->dead) return "the device failed earlier";
    if (r->left) return "the program is at its end";
    return r->tried ? "no device could be opened" : "no device is to be used";
}

// Does the program have subnormal numbers taken for zero? Fast math sets it at a program's start.
static bool flushes(void) {
#ifdef __SSE__
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    return __builtin_ia32_stmxcsr() & (FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
#else
    return false;
#endif
}

// Devices round to nearest, and nothing there traps.
static const char *unlike_devices(void) {
    if (fegetround() != FE_TONEAREST) return "the program rounds otherwise than to nearest";
#ifdef __GLIBC__
    if (fegetexcept()) return "the program traps floating-point exceptions";
#endif
    return NULL;
}

// The checker takes what changes between the elements that the region writes for a mistake.
static bool writes_between(const Run *r, const Call *c) {
    if (!r->set.check) return false;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Foot *f = &c->v->nest->feet[i];
        if (f->out && !f->exact && f->array->rank > 0 && !box_is_empty(&c->boxes[i])) return true;
    }
    return false;
}

// Reads all of the region's text. False: nothing of it runs on a device.
static bool is_worth_reading(Run *r, Unit *u, const sculpt_arg *args) {
    bool automatic = r->set.offload == OFFLOAD_AUTO && !r->set.check && !u->always;
    if (!unit_whole(r, u)) return report_refusal(r, u, SC_NEST_SYNTAX, "its nest cannot be read"), false;
    if (!u->ir->nnests)
        return report_refusal(r, u, SC_NO_PARALLEL, "there is no kernel of it for any device"), false;
    bool tiny = !r->tried && automatic && !run_on_host(r) && cost_is_tiny(u, args);
    if (tiny) report_refusal(r, u, SC_TINY, "too little work for a device");
    return !tiny;
}

static double memory_seconds(const Run *r) {
    const Memory *m = r->memory;
    return m ? m->seconds_up + m->seconds_down + m->seconds_alloc : 0;
}

// Looks at the program's memory that began then.
static void account_looks(Run *r, Unit *u, double since) {
    double looking = time_now() - memory_seconds(r) - since;
    u->stats.looking += looking;
    r->away += looking;
}

// A kept call has one nest: are values not as that has them promised?
static bool is_promised_in_vain(Run *r, Unit *u, const Call *c) {
    if (c->refusal || !c->v->nest->npromised) return false;
    double since = time_now() - memory_seconds(r);
    bool broken = !present_all(r, c) && promise_broken(r, u, c);
    account_looks(r, u, since);
    return broken;
}

// As an earlier run of the program kept it, else from the region's text. NULL after report_refusal.
static Call *call_of(Run *r, Unit *u, const sculpt_arg *args, const Thread *t) {
    Kept *kept = kept_find(r, u, args);
    if (!kept && !is_worth_reading(r, u, args)) return NULL;
    const char *unlike = unlike_devices();
    if (unlike) return report_refusal(r, u, SC_GUARD, "%s", unlike), NULL;
    if (!run_device(r)) return report_refusal(r, u, SC_NO_DEVICE, "%s", why_host(r)), NULL;
    if (!u->fast && flushes())
        return report_refusal(r, u, SC_GUARD, "the program takes subnormal numbers for zero"), NULL;
    Call *c = kept ? kept_call(r, u, kept, args, t) : NULL;
    if (c && is_promised_in_vain(r, u, c)) kept_spoil(kept), c = NULL;
    if (c || !is_worth_reading(r, u, args)) return c;
    if (unit_choose(r, u)) return call_get(r, u, args, call_travel(r, u, args, t));
    return report_refusal(r, u, SC_NO_PARALLEL, "there is no kernel of it for a %s", r->info->target), NULL;
}

// What the device's memory took since it was asked last goes to this region, as far as it was ahead of the
// call (data scopes, other regions' results) as well; only what was in the call is no work of its own.
static void account_memory(Run *r, Stats *s, double ahead) {
    Memory *m = r->memory;
    r->away += memory_seconds(r) - ahead;
    if (!m) return;
    s->upload += m->seconds_up, s->download += m->seconds_down, s->alloc += m->seconds_alloc;
    s->bytes_up += m->bytes_up, s->bytes_down += m->bytes_down;
    m->seconds_up = m->seconds_down = m->seconds_alloc = m->bytes_up = m->bytes_down = 0;
}

// Is one of the arrays in the device's own memory? The host's loops can't run on it then.
static bool is_of_device(const Run *r, const Unit *u, const sculpt_arg *args, int nargs) {
    if (!r->memory || !r->memory->holds || nargs < u->nobjects) return false;
    for (int i = 0; i < u->nobjects; i++)
        if (memory_is_own(r->memory, (uintptr_t)args[i].p)) return true;
    return false;
}

// An array of loops of the host of which directives keep a copy on the device, which only their updates bring
// up to date; NULL: none.
static const Array *copied_by_directives(const Run *r, const Unit *u, const Call *c) {
    if (!u->of_host || !r->memory || !r->memory->holds || r->set.check) return NULL;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (memory_holds_some(r->memory, &c->boxes[i])) return c->v->nest->feet[i].array;
    return NULL;
}

static __thread sculpt_refusal *on_refusal;

sculpt_refusal *sculpt_on_refusal(sculpt_refusal *f) {
    sculpt_refusal *before = on_refusal;
    on_refusal = f;
    run_hear_all(f);
    return before;
}

static void refuse(void) {
    const char *why = sculpt_message();
    if (on_refusal) on_refusal(why);
    fprintf(stderr, "sculpt: loops on the device's own memory could not run there: %s\n", why);
    abort();
}

// Is the region what the program takes it for?
static bool is_readable(Run *r, Unit *u, int nargs) {
    if (!u->ir) report_refusal(r, u, SC_NEST_SYNTAX, "its nest cannot be read");
    else if (nargs == -2) report_refusal(r, u, SC_PRAGMA, "by its mark one thread runs the iterations");
    else if (nargs < 0)
        report_refusal(r, u, SC_GUARD, "the threads that share its iterations have data of their own");
    else if (nargs != u->nargs) report_refusal(r, u, SC_BUG, "%d arguments instead of %d", nargs, u->nargs);
    else return true;
    return false;
}

// Does the call suit a device, as far as its arguments tell? alone: no other thread is at work.
static bool is_fit(Run *r, Unit *u, const Call *c, bool alone) {
    if (c->refusal) report_refusal(r, u, c->refusal, "%s", c->why);
    else if (!alone && writes_between(r, c))
        report_refusal(r, u, SC_GUARD,
                       "other threads run, and elements of theirs may lie between those it writes");
    else return true;
    return false;
}

// Does it pay?
static bool is_worth_it(Run *r, Unit *u, Call *c, Thread *t, bool wanted) {
    if (!wanted && !cost_decide(r, c, t))
        report_refusal(r, u, SC_TINY, "quicker on the host than on %s", r->info->spec);
    else if (cost_is_sparse(r, c))
        report_refusal(r, u, SC_TINY, "its loops use next to nothing of the memory that they reach across");
    else return true;
    return false;
}

// Is its memory there, once, with values as they are promised?
static bool has_memory(Run *r, Unit *u, Call *c) {
    double since = time_now() - memory_seconds(r);
    const Array *missing = present_all(r, c), *mirrored = missing ? NULL : twice_mapped(r, c);
    const Promise *broken = missing || mirrored ? NULL : promise_broken(r, u, c);
    account_looks(r, u, since);
    if (broken && call_doubt(r, u, c)) return has_memory(r, u, c);
    if (missing)
        report_refusal(r, u, SC_GUARD,
                       "%s reaches where the program has no memory, or none that may be written",
                       missing->name);
    else if (mirrored)
        report_refusal(r, u, SC_ALIAS, "the same memory of %s is mapped at two addresses", mirrored->name);
    else if (broken)
        report_refusal(r, u, SC_GUARD, "a value of %s is %s", broken->array->name,
                       broken->rises ? "less than the one before it" : "there twice");
    return !missing && !mirrored && !broken;
}

static int enter(Run *r, Unit *u, const sculpt_arg *args, int nargs, bool alone) {
    u->stats.calls++;
    if (!is_readable(r, u, nargs)) return on_host(r, u, NULL);
    Thread *t = run_thread();
    const sculpt_arg *packed = tables_begin(r, u, args, t);
    if (packed) args = packed;
    Call *c = call_of(r, u, args, t);
    if (!c || !is_fit(r, u, c, alone)) return on_host(r, u, packed ? NULL : c);
    bool of_device = is_of_device(r, u, args, nargs);
    const Array *copied = of_device ? NULL : copied_by_directives(r, u, c);
    if (copied) {
        report_refusal(r, u, SC_GUARD, "directives keep a copy of %s for loops that they give to the device",
                       copied->name);
        u->stats.host_calls++;
        return 0;
    }
    const Call *boxes = packed ? NULL : c; // where packed rows are is known to nobody else
    if (!is_worth_it(r, u, c, t, u->always || on_refusal || of_device)) return on_host(r, u, boxes);
    if (packed && !tables_pack(r, u, c, t)) return on_host(r, u, boxes);
    if (!has_memory(r, u, c)) return on_host(r, u, boxes);
    if (r->set.check) {
        check_enter(r, u, c, t);
        return on_host(r, u, boxes);
    }
    others_between(r, c);
    if (execute(r, u, c, t, t->depth > 0) != OUTCOME_DONE) return on_host(r, u, boxes);
    if (packed) tables_unpack(r, u, c, t);
    if (!c->ran && !c->v->image) kept_note(u, c);
    inspected_note(r, u, c);
    c->ran = true;
    return 1;
}

int run_enter(sculpt_region *region, const sculpt_arg *args, int nargs, bool *is_refused) {
    Run *r = run_lock();
    double t = time_now();
    r->away = r->opening = 0;
    double ahead = memory_seconds(r);
    run_thread()->message[0] = 0;
    Unit *u = unit_get(r, region);
    bool alone = (region->flags & SCULPT_TEAM) || !run_others(), first = !u->stats.calls;
    r->looked = false;
    if (first && r->memory) others_look(r);
    int done = enter(r, u, args, nargs, alone);
    Thread *self = run_thread();
    if (!done && !self->stash) tables_end(self); // the loops that run now may have calls inside
    if (first && r->memory) others_leave(r);
    *is_refused = !done && is_of_device(r, u, args, nargs);
    u->stats.opening += r->opening;
    account_memory(r, &u->stats, ahead);
    u->stats.own += time_now() - t - r->away;
    run_unlock(r);
    return done;
}

int sculpt_enter(sculpt_region *region, const sculpt_arg *args, int nargs) {
    bool is_refused = false;
    int done = run_within() ? 0 : run_enter(region, args, nargs, &is_refused);
    if (is_refused) refuse();
    return done;
}

int sculpt_recall(sculpt_region *region, sculpt_arg *args, int nargs) {
    if (run_within()) return 0;
    Run *r = run_lock();
    double t = time_now();
    double ahead = memory_seconds(r);
    r->away = 0;
    Unit *u = unit_get(r, region);
    bool readable = u->ir && nargs == u->nargs;
    bool idle = readable && !r->set.check && inspected_idle(u);
    int known = readable && inspected_recall(r, u, args) ? 1 : idle ? 2 : 0;
    account_memory(r, &u->stats, ahead);
    u->stats.own += time_now() - t - r->away;
    run_unlock(r);
    return known;
}

void sculpt_leave(sculpt_region *region, const sculpt_arg *args, int nargs) {
    (void)args, (void)nargs;
    if (run_within()) return;
    Thread *t = run_thread();
    if ((!t->stash && !t->tables) || tables_are_of_another(t, region->state)) return;
    Run *r = run_lock();
    if (t->stash) tables_read_again(t);
    if (t->stash && region->state) check_leave(region->state, t);
    tables_end(t);
    run_unlock(r);
}

// ---- data --------------------------------------------------------------------------------------
// The table of memory, when there is one in use.
static Memory *table(Run *r, bool open) {
    if (r->set.check) return NULL;
    if (open) run_device(r);
    return r->dead || r->forked ? NULL : r->memory;
}

// A transfer failed: what only the device has is lost, else the host goes on alone.
static void settle_failure(Run *r, Memory *m, const char *what) {
    char why[sizeof r->device->error + 32];
    snprintf(why, sizeof why, "%s: %s", what, r->device->error);
    if (memory_any_dirty(m) && !memory_flush(m, NULL)) report_lost(NULL, why, NULL);
    report_warning(r, SC_DEVICE_FAILED, "%s; the original loops run", why);
    memory_forget_all(m, NULL);
    r->dead = true;
}

void sculpt_data_begin(void) {
    if (run_within()) return;
    Thread *t = run_thread();
    if (t->depth++ > 0) return;
    t->frame = __builtin_frame_address(0);
    Run *r = run_lock();
    r->scopes++;
    run_set_little(r);
    run_unlock(r);
}

void sculpt_data_end(void) {
    if (run_within()) return;
    Thread *t = run_thread();
    if (t->depth == 0 || --t->depth > 0) return;
    Run *r = run_lock();
    Memory *m = table(r, false);
    if (m && !memory_scope_end(m, t->index)) settle_failure(r, m, "end of a data scope");
    r->scopes--;
    run_set_little(r);
    run_unlock(r);
}

typedef bool RangeFn(Memory *m, uintptr_t lo, uintptr_t hi, int how);

static void on_range(void *p, size_t bytes, int how, bool open, RangeFn *fn, const char *what) {
    if (!p || (!bytes && open) || run_within()) return;
    Run *r = run_lock();
    Memory *m = table(r, open);
    uintptr_t lo = (uintptr_t)p;
    if (m) {
        Thread *t = run_thread();
        if (!(how & SCULPT_ALSO)) t->turn = ++m->turns;
        m->turn = t->turn;
    }
    if (m && !bytes) bytes = hold_bytes(m, lo);
    if (m && lo + bytes > lo && !fn(m, lo, lo + bytes, how)) settle_failure(r, m, what);
    run_set_little(r);
    run_unlock(r);
}

static bool update_host(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    (void)how;
    Box b = box_interval(lo, hi);
    return memory_update_host(m, &b);
}

static bool update_device(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    (void)how;
    return hold_update_device(m, lo, hi);
}

void sculpt_data_enter(void *p, size_t bytes, int how) {
    on_range(p, bytes, how, true, hold_enter, "enter data");
}
void sculpt_data_exit(void *p, size_t bytes, int how) {
    on_range(p, bytes, how, false, hold_exit, "exit data");
}

int sculpt_is_present(const void *p, size_t bytes) {
    Run *r = run_lock();
    Memory *m = table(r, true);
    uintptr_t lo = (uintptr_t)p;
    int there = p && (!m || r->info->host_memory || hold_around(m, lo, lo + (bytes ? bytes : 1)));
    run_unlock(r);
    return there;
}

void sculpt_update_host(void *p, size_t bytes) {
    on_range(p, bytes, SCULPT_ALSO, false, update_host, "update host");
}
void sculpt_update_device(void *p, size_t bytes) {
    on_range(p, bytes, SCULPT_ALSO, false, update_device, "update device");
}

int run_meet(void *stream, bool ours_waits) {
    Run *r = run_lock();
    Device *d = run_device(r);
    bool ok = d && !r->dead && (d->ops->meet ? d->ops->meet(d, stream, ours_waits) : d->ops->sync(d));
    int answer = !ok ? 0 : d->captured ? 2 : 1;
    run_unlock(r);
    return answer;
}

int sculpt_after_stream(void *stream) { return run_meet(stream, true); }
int sculpt_before_stream(void *stream) { return run_meet(stream, false); }

void sculpt_flush(void) {
    if (run_within()) return;
    Run *r = run_lock();
    Memory *m = table(r, false);
    if (m && !memory_flush(m, NULL)) settle_failure(r, m, "flush");
    run_unlock(r);
}

// ---- memory ------------------------------------------------------------------------------------
// Pinned blocks stand in a list of their own; all others are malloc's.
typedef struct Pinned {
    struct Pinned *next;
    void *p;
} Pinned;
static Pinned *pinned; // guarded by the run-time lock

void *sculpt_malloc(size_t bytes) {
    Run *r = run_lock();
    Device *d = run_device(r);
    void *p = NULL;
    Pinned *note = d && d->ops->pin_alloc ? malloc(sizeof *note) : NULL;
    if (note && (p = d->ops->pin_alloc(d, bytes))) {
        *note = (Pinned){pinned, p};
        pinned = note;
    } else {
        free(note);
        p = malloc(bytes);
    }
    run_unlock(r);
    return p;
}

void sculpt_free(void *p) {
    if (!p) return;
    Run *r = run_lock();
    Pinned **at = &pinned;
    while (*at && (*at)->p != p) at = &(*at)->next;
    Pinned *note = *at;
    if (note) {
        *at = note->next;
        if (!r->forked && !r->left) r->device->ops->pin_free(r->device, p);
        free(note);
    } else {
        free(p);
    }
    run_unlock(r);
}

// ---- queries -----------------------------------------------------------------------------------
const char *sculpt_message(void) { return run_thread()->message; }

const char *sculpt_device_name(void) {
    static _Thread_local char name[256];
    Run *r = run_lock();
    if (run_device(r)) snprintf(name, sizeof name, "%s %s", r->info->spec, r->info->name);
    else snprintf(name, sizeof name, "host");
    run_unlock(r);
    return name;
}
