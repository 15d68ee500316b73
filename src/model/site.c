// SPDX-License-Identifier: MIT
// site.c -- the memory requests of an access: addresses of all lanes, and what they cost.
#include "model/walk.h"

// Bytes from the array's aligned base in each lane.
static void address(Walk *w, const Site *s, Lanes *out) {
    const Array *x = s->array;
    Env *e = &w->p->env;
    lanes_uniform(out, x->place == PLACE_USER ? x->offset : 0);
    if (!s->pitch) out->known = UNKNOWN;
    for (int d = 0; s->pitch && d < x->rank; d++) {
        Lanes sub, from;
        lanes_of(e, s->sub[d], &sub);
        lanes_uniform(&from, 0);
        if (x->of && x->origin) lanes_of(e, x->origin[d], &from);
        Known known = sub.known > from.known ? sub.known : from.known;
        if (known > out->known) out->known = known;
        bool uniform = sub.uniform && from.uniform;
        if (out->uniform && !uniform)
            for (int k = 1; k < e->width; k++) out->at[k] = out->at[0];
        out->uniform = out->uniform && uniform;
        for (int k = 0; k < (out->uniform ? 1 : e->width); k++)
            out->at[k] += s->pitch[d] * (lane(&sub, k) - lane(&from, k));
    }
}

// ---- strides ---------------------------------------------------------------------------------------
static void probe(Walk *w, Site *s, const Lanes *here, int lane_at, const Node *loop) {
    AccessCost *c = s->cost;
    Lanes *v = env_find(&w->p->env, loop->iter), there;
    if (!v || c->ndims == MODEL_DIMS) return;
    for (int k = 0; k < (v->uniform ? 1 : w->p->env.width); k++) v->at[k] += loop->step;
    address(w, s, &there);
    for (int k = 0; k < (v->uniform ? 1 : w->p->env.width); k++) v->at[k] -= loop->step;
    int64_t stride = lane(&there, lane_at) - lane(here, lane_at);
    bool known = here->known != UNKNOWN && there.known != UNKNOWN;
    for (int d = 0; d < c->ndims; d++) {
        if (c->dims[d].loop != loop) continue;
        c->dims[d].known = c->dims[d].known && known && c->dims[d].stride == stride;
        return;
    }
    c->dims[c->ndims++] = (AccessDim){.loop = loop, .stride = stride, .known = known};
}

static void probe_outer(Walk *w, Site *s, const Lanes *here, int lane_at, const Code *c) {
    if (!c) return;
    probe_outer(w, s, here, lane_at, c->parent);
    if (c->n->kind == N_FOR) probe(w, s, here, lane_at, c->n);
}

// ---- requests ----------------------------------------------------------------------------------------
// Data decide: each lane goes to a sector of its own; of 32 words at random 3.5 meet in one bank.
static void assume(Walk *w, AccessCost *c, double weight) {
    double n = count_lanes(w->mask);
    const Machine *m = w->p->m;
    c->assumed = true;
    w->k->assumed = true;
    if (c->shared) {
        c->wavefronts += 3.5 * weight;
        c->wavefronts_ideal += weight;
        return;
    }
    c->sectors += n * weight;
    c->lines += n * weight;
    c->useful += n * c->width * weight;
    c->moved += n * (double)m->load_granule * weight;
    c->ideal += (n * c->width + (double)m->sector - 1) / (double)m->sector * weight;
}

static void note_stride(const Machine *m, AccessCost *c, const Request *r) {
    int64_t stride = 0;
    if (!(r->mask & (r->mask - 1))) return; // one lane alone has none
    bool same = request_stride(m, r, &stride);
    if (c->requests == 0) c->strided = same, c->stride = stride;
    else c->strided = c->strided && same && c->stride == stride;
}

static void request(Walk *w, AccessCost *c, const Lanes *at, int width, double weight) {
    const Machine *m = w->p->m;
    Request r = {.mask = w->mask, .width = width, .write = c->write};
    if (width > c->width) c->width = width;
    if (at->known == UNKNOWN) {
        assume(w, c, weight);
    } else {
        for (int k = 0; k < w->p->env.width; k++) r.at[k] = lane(at, k);
        note_stride(m, c, &r);
        c->assumed = c->assumed || at->known == OFFSET;
        if (c->shared) {
            SharedCost q = request_shared(m, &r);
            c->wavefronts += q.wavefronts * weight;
            c->wavefronts_ideal += q.ideal * weight;
            if (q.ways > c->ways) c->ways = q.ways;
        } else {
            GlobalCost q = request_global(m, &r);
            c->sectors += q.sectors * weight;
            c->lines += q.lines * weight;
            c->useful += q.useful * weight;
            c->moved += q.moved * weight;
            c->ideal += q.ideal * weight;
            c->misaligned += q.misaligned * weight;
        }
    }
    c->requests += weight;
    c->lanes += weight * count_lanes(w->mask);
}

// How many bytes one lane takes at once, and how often.
static int64_t vector_requests(Walk *w, Site *s, const Lanes *first, int size, int *width) {
    Lanes next;
    w->vec.value->at[0]++;
    address(w, s, &next);
    w->vec.value->at[0]--;
    bool side_by_side = true, still = true;
    for (int k = 0; k < w->p->env.width; k++) {
        if (!(w->mask >> k & 1)) continue;
        int64_t d = lane(&next, k) - lane(first, k);
        side_by_side = side_by_side && d == size;
        still = still && d == 0;
    }
    *width = size;
    if (still) return 1;
    int most = 16 / size < 4 ? 16 / size : 4;
    while (side_by_side && most > 1 && w->vec.trips % most) most /= 2;
    if (!side_by_side || most <= 1) return w->vec.trips;
    *width = size * most;
    return w->vec.trips / most;
}

static void charge(Walk *w, Code *c, const AccessCost *cost, double n) {
    double index = cost->shared ? 0 : n * w->share; // shared memory's addresses are constants apart
    if (cost->shared) c->sum.shared += n;
    else c->sum.global += n;
    c->sum.integer += index;
    w->issued += n + index;
    w->active += (n + index) * count_lanes(w->mask) / w->p->env.width;
}

void walk_site(Walk *w, Code *c, Site *s) {
    double weight = w->weight;
    for (Code *up = s->hoist ? c->parent : NULL; up; up = up->parent) {
        if (up->n->kind == N_FOR && !up->first) return;
        if (up->n->kind == N_FOR) weight = up->entry_weight;
        if (up == s->hoist) break;
    }
    Lanes at;
    address(w, s, &at);
    int size = type_size(s->array->elem), width = size;
    if (s->probes < 2) {
        s->probes++;
        probe_outer(w, s, &at, __builtin_ctzll(w->mask), c);
    }
    int64_t n = w->vec.iter ? vector_requests(w, s, &at, size, &width) : 1;
    for (int64_t k = 0; k < n; k++) {
        if (k) {
            w->vec.value->at[0] = w->vec.lo + k * (w->vec.trips / n);
            address(w, s, &at);
        }
        request(w, s->cost, &at, width, weight);
    }
    if (w->vec.iter) w->vec.value->at[0] = w->vec.lo;
    charge(w, c, s->cost, (double)n * weight);
}
