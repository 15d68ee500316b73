// SPDX-License-Identifier: MIT
// stream.c -- launches whose data come and go while other launches run.
//
//   queue UP     need(0)  need(1)  need(2) …        need(g): what launch g touches and none before it
//   queues RUN       launch(0) launch(1) …          home(g): what launch g writes and none after it
//   queue DOWN           home(0)  home(1) …
//
// Boxes are computed before anything moves (Kernel.moves of the nest, with the values of the
// host's loops). A box that was brought, or written, is never sent again, so an upload never
// meets what a kernel wrote. Where boxes of one object meet in any other way than these two
// (sent after part of it was written, partly written again later), the object travels whole,
// before the first launch and after the last. Kernels go to four queues in turns, so that a slice
// which leaves multiprocessors idle runs beside the next; one that touches what an earlier one
// in another queue writes, or the other way round, waits for it.
#include "run/state.h"
#include <string.h>

enum { STREAM_LAUNCHES = 256, RUNS = 4 };
static const Queue run_queue[RUNS] = {QUEUE_RUN, QUEUE_RUN2, QUEUE_RUN3, QUEUE_RUN4};

// One box of one launch.
typedef struct Part {
    const Foot *foot;
    int object;
    Box box;
    bool send, fetch;
} Part;

typedef struct Step {
    const Node *kernel;
    InterpVal *vals;
    int nvals, nparts;
    Part *part;
    bool waits[RUNS];    // for the other queues of kernels
} Step;

struct Stream {
    Launch *l;
    Arena *a;
    uintptr_t *base;     // [nobjects], on the host
    bool *whole;         // [nobjects]
    VEC(Step) steps;
    VEC(Part) whole_parts; // of the nest: the boxes of such objects
    VEC(Box) have;       // while planning: what is on the device
    double up, down;     // bytes that travel
    const Array *torn;   // of what the region also reads, the first of which values may have come home
};

static bool is_needed(const Foot *f) { return f->in || (f->out && !f->exact); }

// ---- the plan ------------------------------------------------------------------------------
static bool add_step(const Node *kernel, int nvals, InterpVal *vals, void *arg) {
    Stream *s = arg;
    const Kernel *k = s->l->call->v->kernels;
    while (k->node != kernel) k++;
    if (!kernel->streamed || s->steps.n == STREAM_LAUNCHES) return false;
    Step g = {.kernel = kernel, .nvals = nvals, .nparts = kernel->nmoves};
    g.vals = NEW_N(s->a, InterpVal, nvals + 1);
    if (nvals) memcpy(g.vals, vals, sizeof *vals * (size_t)nvals);
    g.part = NEW_N(s->a, Part, kernel->nmoves + 1);
    for (int i = 0; i < kernel->nmoves; i++) {
        Part *p = &g.part[i];
        *p = (Part){.foot = &kernel->moves[i], .object = k->move_object[i]};
        if (!guard_box(p->foot, s->base[p->object], nvals, vals, &p->box)) return false;
        if (p->box.loose) s->whole[p->object] = true;
    }
    vec_push(s->a, &s->steps, g);
    return true;
}

static bool is_covered(const Stream *s, const Box *b) {
    for (int i = 0; i < s->have.n; i++)
        if (box_contains(&s->have.at[i], b)) return true;
    return false;
}

static void note(Stream *s, const Box *b) {
    if (is_covered(s, b)) return;
    Box all = *b;
    for (int i = s->have.n - 1; i >= 0; i--)
        if (box_join(&all, &s->have.at[i])) s->have.at[i] = s->have.at[--s->have.n], i = s->have.n;
    vec_push(s->a, &s->have, all);
}

// Does an earlier (later) launch write into the box? within: only if none of them holds all of it.
static bool is_written(const Stream *s, int from, int to, const Part *p) {
    for (int g = from; g < to; g++)
        for (int i = 0; i < s->steps.at[g].nparts; i++) {
            const Part *q = &s->steps.at[g].part[i];
            if (q->object == p->object && q->foot->out && !box_disjoint(&q->box, &p->box)) return true;
        }
    return false;
}

static bool is_written_over(const Stream *s, int from, const Part *p) {
    for (int g = from; g < s->steps.n; g++)
        for (int i = 0; i < s->steps.at[g].nparts; i++) {
            const Part *q = &s->steps.at[g].part[i];
            if (q->object == p->object && q->foot->out && box_contains(&q->box, &p->box)) return true;
        }
    return false;
}

static bool is_only_read(const Stream *s, int object) {
    for (int g = 0; g < s->steps.n; g++)
        for (int i = 0; i < s->steps.at[g].nparts; i++)
            if (s->steps.at[g].part[i].object == object && s->steps.at[g].part[i].foot->out) return false;
    return true;
}

// Short rows travel slowly. Where later launches read on in the same rows, these go as one.
static void widen(Stream *s, int number, Part *p) {
    enum { SHORT_ROW = 16 << 10 };
    if (!p->box.ndims || p->box.run >= SHORT_ROW || !is_only_read(s, p->object)) return;
    for (int g = number + 1; g < s->steps.n; g++)
        for (int i = 0; i < s->steps.at[g].nparts; i++) {
            const Part *q = &s->steps.at[g].part[i];
            if (q->foot == p->foot && q->box.ndims && !box_join(&p->box, &q->box)) return;
        }
}

static void plan_step(Stream *s, int number) {
    Step *g = &s->steps.at[number];
    for (int i = 0; i < g->nparts; i++) {
        Part *p = &g->part[i];
        if (box_is_empty(&p->box)) continue;
        p->send = is_needed(p->foot) && !is_covered(s, &p->box);
        if (p->send && is_written(s, 0, number, p)) s->whole[p->object] = true;
        if (p->send) widen(s, number, p);
        p->fetch = p->foot->out && !is_written_over(s, number + 1, p);
        if (p->fetch && is_written(s, number + 1, s->steps.n, p)) s->whole[p->object] = true;
    }
    for (int i = 0; i < g->nparts; i++)
        if (is_needed(g->part[i].foot) || g->part[i].foot->out) note(s, &g->part[i].box);
    // Two boxes of one launch that meet (views of one object) come home one after the other.
    for (int i = 0; i < g->nparts; i++)
        for (int k = 0; k < i; k++) {
            const Part *p = &g->part[i], *q = &g->part[k];
            bool both = p->object == q->object && (p->foot->out || q->foot->out);
            if (both && !box_disjoint(&p->box, &q->box)) s->whole[p->object] = true;
        }
}

static bool meet(const Step *x, const Step *y) {
    for (int i = 0; i < x->nparts; i++)
        for (int k = 0; k < y->nparts; k++) {
            const Part *p = &x->part[i], *q = &y->part[k];
            bool either = p->object == q->object && (p->foot->out || q->foot->out);
            if (either && !box_disjoint(&p->box, &q->box)) return true;
        }
    return false;
}

// Temporaries are one for all launches.
static void plan_order(Stream *s) {
    bool temps = s->l->call->v->ntemps > 0;
    for (int g = 1; g < s->steps.n; g++) {
        bool *waits = s->steps.at[g].waits;
        for (int k = g - 1; k >= 0; k--)
            if (k % RUNS != g % RUNS && !waits[k % RUNS])
                waits[k % RUNS] = temps || meet(&s->steps.at[g], &s->steps.at[k]);
    }
}

static void plan_whole(Stream *s) {
    const Call *c = s->l->call;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        Part p = {.foot = &c->v->nest->feet[i], .object = c->v->foot_object[i]};
        if (!s->whole[p.object] || !guard_box(p.foot, s->base[p.object], c->nvals, c->vals, &p.box)) continue;
        p.send = is_needed(p.foot);
        p.fetch = p.foot->out;
        vec_push(s->a, &s->whole_parts, p);
    }
}

static void count_part(Stream *s, const Part *p) {
    if (p->send) s->up += (double)box_bytes(&p->box);
    if (p->fetch) s->down += (double)box_bytes(&p->box);
}

// Data that only the run time's table of memory knows how to treat.
static bool is_plain(const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (c->boxes[i].loose || c->boxes[i].gaps || c->v->nest->feet[i].place == HOST_UNIFIED) return false;
    return true;
}

Stream *stream_plan(Arena *a, Launch *l, char *const *host) {
    const Unit *u = l->unit;
    bool any = false;
    for (int i = 0; i < l->call->v->nkernels; i++) any = any || l->call->v->kernels[i].node->streamed;
    if (!any || !is_plain(l->call)) return NULL;
    Stream *s = NEW(a, Stream);
    s->l = l;
    s->a = a;
    s->base = NEW_N(a, uintptr_t, u->nobjects + 1);
    s->whole = NEW_N(a, bool, u->nobjects + 1);
    for (int o = 0; o < u->nobjects; o++)
        s->base[o] = host ? (uintptr_t)host[o] : (uintptr_t)l->call->args[o].p;
    if (!launch_walk(l, add_step, s)) return NULL;
    for (int g = 0; g < s->steps.n; g++) plan_step(s, g);
    plan_order(s);
    plan_whole(s);
    for (int g = 0; g < s->steps.n; g++)
        for (int i = 0; i < s->steps.at[g].nparts; i++) {
            Part *p = &s->steps.at[g].part[i];
            if (s->whole[p->object]) p->send = p->fetch = false;
            count_part(s, p);
        }
    for (int i = 0; i < s->whole_parts.n; i++) count_part(s, &s->whole_parts.at[i]);
    return s;
}

double stream_bytes(const Stream *s, bool up) { return up ? s->up : s->down; }

// ---- running it -----------------------------------------------------------------------------
typedef struct Move {
    const Stream *s;
    int object;
    bool up;
} Move;

static bool move_rows(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    const Move *m = arg;
    const Launch *l = m->s->l;
    Device *d = l->run->device;
    size_t at = (size_t)(l->offset[m->object] + (int64_t)(first - m->s->base[m->object]));
    DevPtr ptr = l->ptr[m->object];
    if (m->up)
        return d->ops->upload_rows(d, ptr, at, (void *)first, (size_t)width, (size_t)rows, (size_t)pitch);
    return d->ops->download_rows(d, (void *)first, ptr, at, (size_t)width, (size_t)rows, (size_t)pitch);
}

static bool move_part(Stream *s, const Part *p, bool up) {
    if (!(up ? p->send : p->fetch)) return true;
    Device *d = s->l->run->device;
    d->fetched = false;
    bool ok = box_each(&p->box, true, move_rows, &(Move){s, p->object, up});
    if (d->fetched && !s->torn && is_needed(p->foot)) s->torn = p->foot->array;
    return ok;
}

static bool use(const Stream *s, Queue q) {
    Device *d = s->l->run->device;
    return !d->ops->use || d->ops->use(d, q);
}

static bool after(const Stream *s, Queue q, Queue other) {
    Device *d = s->l->run->device;
    return !d->ops->after || d->ops->after(d, q, other);
}

static bool all_queues(const Stream *s) {
    for (Queue q = QUEUES - 1; q > QUEUE_RUN; q--)
        if (!use(s, q) || !after(s, q, QUEUE_RUN)) return false;
    return use(s, QUEUE_RUN);
}

static bool bring(Stream *s, const Step *g) {
    if (!use(s, QUEUE_UP)) return false;
    for (int i = 0; i < g->nparts; i++)
        if (!move_part(s, &g->part[i], true)) return false;
    return true;
}

static bool take_home(Stream *s, const Step *g) {
    if (!use(s, QUEUE_DOWN)) return false;
    for (int i = 0; i < g->nparts; i++)
        if (!move_part(s, &g->part[i], false)) return false;
    return true;
}

static bool bring_whole(Stream *s) {
    if (!use(s, QUEUE_UP)) return false;
    for (int i = 0; i < s->whole_parts.n; i++)
        if (!move_part(s, &s->whole_parts.at[i], true)) return false;
    return true;
}

static bool take_whole_home(Stream *s) {
    for (int k = 0; k < RUNS; k++)
        if (!after(s, QUEUE_DOWN, run_queue[k])) return false;
    if (!use(s, QUEUE_DOWN)) return false;
    for (int i = 0; i < s->whole_parts.n; i++)
        if (!move_part(s, &s->whole_parts.at[i], false)) return false;
    return true;
}

// point: behind what launch n needs, in the queue of what goes up; < 0: that is all that is in it.
static bool launch_step(Stream *s, int n, int point) {
    const Step *g = &s->steps.at[n];
    Device *d = s->l->run->device;
    Queue mine = run_queue[n % RUNS];
    if (point < 0 ? !after(s, mine, QUEUE_UP) : !d->ops->after_point(d, mine, QUEUE_UP, point)) return false;
    for (int k = 0; k < RUNS; k++)
        if (g->waits[k] && !after(s, mine, run_queue[k])) return false;
    return use(s, mine) && launch_kernel(s->l, g->kernel, g->nvals, g->vals);
}

// Behind the launch after it: the host, which must see to pageable data itself, does so while that
// one runs. Nothing else has gone to its queue so far.
static bool finish_step(Stream *s, int n) {
    return n < 0 || (after(s, QUEUE_DOWN, run_queue[n % RUNS]) && take_home(s, &s->steps.at[n]));
}

// Where a queue has points, data for the next launches are on their way while the host waits for those of
// this one: threads that send pageable memory are never idle.
static bool run_steps(Stream *s) {
    enum { AHEAD = 2 };
    Device *d = s->l->run->device;
    int point[AHEAD + 1], brought = 0;
    if (!all_queues(s) || !bring_whole(s)) return false;
    for (int n = 0; n < s->steps.n; n++) {
        for (; brought < s->steps.n && brought <= n + (d->ops->point ? AHEAD : 0); brought++) {
            int *at = &point[brought % (AHEAD + 1)];
            if (!bring(s, &s->steps.at[brought])) return false;
            *at = d->ops->point ? d->ops->point(d, QUEUE_UP) : -1;
            if (d->ops->point && *at < 0) return false;
        }
        if (!launch_step(s, n, point[n % (AHEAD + 1)]) || !finish_step(s, n - 1)) return false;
    }
    return finish_step(s, s->steps.n - 1) && take_whole_home(s);
}

bool stream_run(Stream *s, const Array **torn) {
    Device *d = s->l->run->device;
    bool ok = run_steps(s);
    char error[sizeof d->error];
    memcpy(error, d->error, sizeof error);
    use(s, QUEUE_RUN);
    *torn = s->torn;
    if (!d->ops->sync(d)) return false;
    if (!ok) memcpy(d->error, error, sizeof error);
    return ok;
}
