// SPDX-License-Identifier: MIT
// execute.c -- one call on the device: data in, kernels, data out; or nothing at all.
#include "run/state.h"
#include <string.h>

typedef struct Job {
    Run *r;
    Unit *u;
    Call *c;
    const Thread *t;
    bool resident;        // data may stay on the device (a scope is open, no check runs)
    Range2 *range;        // [nobjects]
    DevPtr *ptr;
    int64_t *offset;
    bool lost;            // a failure leaves results that nobody has
    const Array *torn;    // the region reads it, and some of its new values came home: the original loops
                          // could no longer start from the old ones
} Job;

// Bytes between a base pointer and what is touched, beyond which the device has no memory for them. (Offsets
// are signed, so element 0 may lie before all memory.)
static const uintptr_t FAR = 1u << 28;

// What each object's arrays span, its base pointer included, and what is cut off of their boxes:
// kernels may read all of a box, though nothing comes of what was not brought.
static void hulls(Job *j) {
    for (int i = 0; i < j->c->v->nest->nfeet; i++) {
        const Box *b = &j->c->boxes[i];
        Range2 *g = &j->range[j->c->v->foot_object[i]];
        if (b->run == 0 || !j->c->args[j->c->v->foot_object[i]].p || j->c->v->nest->feet[i].array->watched)
            continue;
        uintptr_t end = box_end(b);
        bool first = g->lo == g->hi;
        g->managed = g->managed || j->c->v->nest->feet[i].place == HOST_UNIFIED;
        if (first || b->origin < g->lo) g->lo = b->origin;
        if (first || end > g->hi) g->hi = end;
    }
    for (int o = 0; o < j->u->nobjects; o++) {
        uintptr_t base = (uintptr_t)j->c->args[o].p;
        Range2 *g = &j->range[o];
        if (g->lo == g->hi) g->lo = g->hi = base;
        if (base < g->lo && g->lo - base < FAR) g->lo = base;
        if (base > g->hi && base - g->hi < FAR) g->hi = base;
    }
}

// Variables, and arrays on the stack above the frame that opened the scope, may be gone
// before the scope ends: they go home at once.
static bool may_stay(const Job *j, const Foot *f, const Box *b) {
    if (memory_held(j->r->memory, b)) return true;
    if (!j->resident || f->array->rank == 0 || tables_have(j->t, b)) return false;
    char *here = __builtin_frame_address(0);
    return !((uintptr_t)here <= b->first && b->first < (uintptr_t)j->t->frame);
}

static Slab *slab_of(const Job *j, int foot) { return j->range[j->c->v->foot_object[foot]].slab; }

static bool map_objects(Job *j) {
    hulls(j);
    if (!memory_map(j->r->memory, j->u->nobjects, j->range)) return false;
    for (int o = 0; o < j->u->nobjects; o++) {
        Slab *s = j->range[o].slab;
        j->ptr[o] = s ? s->ptr : 0;
        j->offset[o] = s ? (int64_t)((uintptr_t)j->c->args[o].p - s->lo) + s->skip : 0;
        if (s && j->resident) s->owners |= 1ull << (j->t->index % 64);
    }
    return true;
}

// Of data that directives move whole nothing need be told apart.
static Box box_of(const Job *j, int foot) {
    Box b = j->c->boxes[foot];
    if ((b.loose || b.gaps) && hold_moves_whole(j->r->memory, &b)) b.loose = b.gaps = false;
    return b;
}

static bool data_in(Job *j) {
    Memory *m = j->r->memory;
    const Nest *n = j->c->v->nest;
    if (!map_objects(j)) return false;
    for (int i = 0; i < n->nfeet; i++) {
        const Foot *f = &n->feet[i];
        Box b = box_of(j, i);
        if (box_is_empty(&b) || !(f->in || (f->out && !f->exact))) continue;
        Slab *s = slab_of(j, i);
        bool noted = f->out && (b.loose || b.gaps);
        if (!(noted ? memory_need_noted(m, s, &b) : memory_need(m, s, &b))) return false;
    }
    return true;
}

// Brings home the outputs that may not stay, those that the original loops would overwrite
// whole first.
static bool settle(Job *j, bool in_place) {
    Device *d = j->r->device;
    for (int i = 0; i < j->c->v->nest->nfeet; i++) {
        const Foot *f = &j->c->v->nest->feet[i];
        const Box *b = &j->c->boxes[i];
        if (!f->out || box_is_empty(b) || may_stay(j, f, b)) continue;
        if (in_place != (f->in || !f->exact)) continue;
        d->fetched = false;
        bool ok = memory_settle(j->r->memory, slab_of(j, i), b);
        if (in_place && d->fetched && !j->torn) j->torn = f->array;
        if (!ok) return false;
    }
    return true;
}

// What may stay is noted as newer on the device; the rest comes home. All is noted first:
// two arrays of one object may share bytes between their rows.
static bool data_out(Job *j) {
    Memory *m = j->r->memory;
    const Nest *n = j->c->v->nest;
    for (int i = 0; i < n->nfeet; i++) {
        Box b = box_of(j, i);
        if (!n->feet[i].out || box_is_empty(&b)) continue;
        if (!memory_written(m, slab_of(j, i), &b)) return j->lost = true, false;
    }
    if (!settle(j, false) || !settle(j, true)) return false;
    for (int i = 0; i < n->nfeet; i++) {
        const Box *b = &j->c->boxes[i];
        Slab *s = slab_of(j, i);
        if (!s || box_is_empty(b)) continue;
        if (!may_stay(j, &n->feet[i], b)) {
            if (!memory_flush(m, b)) return j->lost = true, false;
            memory_forget(m, s, b);
        }
        memory_release_unowned(m, s);
    }
    return true;
}

// After a failed call: what it wrote on the device alone is not to be brought home.
static void disown_outputs(Job *j) {
    for (int i = 0; i < j->c->v->nest->nfeet; i++)
        if (j->c->v->nest->feet[i].out && !box_is_empty(&j->c->boxes[i]) && slab_of(j, i))
            memory_forget(j->r->memory, slab_of(j, i), &j->c->boxes[i]);
}

// Would a failure now lose values that only the device has? Only if kernels may have
// written over them.
static bool outputs_were_dirty(const Job *j) {
    for (int i = 0; i < j->c->v->nest->nfeet; i++)
        if (j->c->v->nest->feet[i].out && !box_is_empty(&j->c->boxes[i]) &&
            memory_is_dirty(j->r->memory, &j->c->boxes[i]))
            return true;
    return false;
}

static void account(Job *j, double kernel) {
    Stats *s = &j->u->stats;
    s->kernel += kernel;
    s->device_calls++;
    s->kept += j->c->v->image != NULL;
    s->measured += j->c->v->wise != 0;
    if (j->c->flops < 0) s->flops = -1;
    else if (s->flops >= 0) s->flops += j->c->flops;
    if (j->c->bytes < 0) s->bytes = -1;
    else if (s->bytes >= 0) s->bytes += j->c->bytes;
}

// Is all that the call uses held on the device, and was there before? Then nothing of it is read from
// the host or written there, and what comes next waits for it in the device's own order.
static bool stays(const Job *j, double bytes_up) {
    if (!j->r->memory || j->r->memory->bytes_up != bytes_up) return false;
    for (int i = 0; i < j->c->v->nest->nfeet; i++)
        if (!box_is_empty(&j->c->boxes[i]) && !memory_held(j->r->memory, &j->c->boxes[i])) return false;
    return true;
}

// Starts the kernels; *seconds is what they took, measured only when somebody asks. bytes_up: what had
// been moved before the call.
static bool run_kernels(Job *j, Launch *l, double bytes_up, double *seconds) {
    Device *d = j->r->device;
    bool timed = j->r->set.time_path != NULL;
    double t = time_now();
    if (timed && !d->ops->sync(d) && !j->r->info->host_memory) return false;
    if (timed) d->ops->mark(d, 0);
    if (!launch_nest(l)) return false;
    if (timed) d->ops->mark(d, 1);
    // Inside a scope the next call may be started while this one runs.
    // On the host's own memory launches have run when they return, and nothing can undo them.
    bool wait = timed || !(j->resident || stays(j, bytes_up));
    if (wait && !d->ops->sync(d) && !j->r->info->host_memory) return false;
    double all = time_now() - t, on_device = timed ? d->ops->elapsed(d) : -1;
    *seconds = on_device >= 0 && on_device < all ? on_device : all;
    j->u->stats.waiting += all - *seconds;
    j->r->away += all;
    return true;
}

static Outcome failed(Job *j, DiagCode code, const char *what) {
    char why[sizeof j->r->device->error + 32];
    snprintf(why, sizeof why, "%s%s%s", what, *what ? ": " : "", j->r->device->error);
    if (code != SC_OUT_OF_MEMORY && code != SC_GUARD) j->r->dead = true;
    if (j->torn || j->lost || (j->r->memory && !memory_flush(j->r->memory, NULL)))
        report_lost(j->u, why, j->torn);
    report_refusal(j->r, j->u, code, "%s", why);
    if (j->r->memory) memory_forget_all(j->r->memory, NULL);
    return OUTCOME_REFUSED;
}

// Nobody but this call has anything to do with its slabs: then its data may come and go in parts.
static bool are_ours(const Job *j) {
    if (j->resident || j->r->memory->holds) return false;
    for (int o = 0; o < j->u->nobjects; o++) {
        const Slab *s = j->range[o].slab;
        if (s && (s->owners || s->valid.n || s->dirty.n)) return false;
    }
    return true;
}

// A streamed nest, on memory that is mapped. Its time is that of everything, and stands under
// `kernel`. False: it is to be run the plain way.
static bool run_streamed(Job *j, Launch *l, Outcome *out) {
    Memory *m = j->r->memory;
    if (!are_ours(j)) return false;
    Arena *a = arena_new();
    Stream *s = stream_plan(a, l, NULL);
    bool ok = true;
    double t = time_now();
    if (s) {
        ok = stream_run(s, &j->torn);
        m->bytes_up += stream_bytes(s, true);
        m->bytes_down += stream_bytes(s, false);
        m->epoch++;
    }
    t = time_now() - t;
    arena_free(a);
    if (!s) return false;
    j->r->away += t;
    *out = ok ? OUTCOME_DONE : failed(j, SC_DEVICE_FAILED, "streaming");
    if (ok) account(j, t), j->u->stats.streamed++, repeat_time(l);
    return true;
}

static Outcome run_job(Job *j) {
    Memory *m = j->r->memory;
    double bytes_up = m ? m->bytes_up : 0;
    Module *mod = build_module(j->r, j->u, j->c);
    if (!mod) {
        if (j->u->stats.why != SC_BUILD_FAILED)
            report_refusal(j->r, j->u, SC_BUILD_FAILED, "its kernels cannot be built");
        return OUTCOME_REFUSED;
    }
    j->r->device->error[0] = 0;
    if (!launch_temps(j->r, j->c)) return failed(j, SC_OUT_OF_MEMORY, "temporaries");
    Launch l = {j->r, j->u, j->c, mod, j->ptr, j->offset, 0};
    Outcome streamed;
    if (m) {
        if (map_objects(j) && run_streamed(j, &l, &streamed)) return streamed;
        if (!data_in(j)) {
            for (int o = 0; o < j->u->nobjects; o++)
                if (j->range[o].lo != j->range[o].hi && !j->range[o].slab)
                    return failed(j, SC_OUT_OF_MEMORY, j->u->objects[o]);
            return failed(j, SC_DEVICE_FAILED, "upload");
        }
    } else {
        for (int o = 0; o < j->u->nobjects; o++) j->ptr[o] = (DevPtr)(uintptr_t)j->c->args[o].p;
    }
    bool precious = m && outputs_were_dirty(j);
    double seconds = 0;
    if (!run_kernels(j, &l, bytes_up, &seconds)) {
        j->lost = l.launched && (precious || !m);
        return failed(j, SC_DEVICE_FAILED, "launch");
    }
    if (m && !data_out(j)) {
        j->lost |= precious;
        if (!j->torn && !j->lost) disown_outputs(j);
        return failed(j, SC_DEVICE_FAILED, "download");
    }
    account(j, seconds);
    repeat_time(&l);
    return OUTCOME_DONE;
}

Outcome execute(Run *r, Unit *u, Call *c, const Thread *t, bool resident) {
    int n = u->nobjects + 1;
    Range2 range[n];
    DevPtr ptr[n];
    int64_t offset[n];
    memset(range, 0, sizeof range);
    memset(offset, 0, sizeof offset);
    Job j = {r, u, c, t, resident, range, ptr, offset, false, NULL};
    Locks locks;
    lock_arrays(r, u, c, &locks);
    Outcome out = run_job(&j);
    // Uploads of a call that stays on the device may be under way still.
    if (locks.n && resident && !r->dead) r->device->ops->sync(r->device);
    lock_release(r, &locks);
    u->stats.locking += locks.seconds;
    r->away += locks.seconds;
    return out;
}
