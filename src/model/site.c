// SPDX-License-Identifier: MIT
// site.c -- the memory requests of an access: addresses of all lanes, and what they cost.
#include "model/walk.h"
#include "ir/value.h"
#include <math.h>
#include <string.h>

static void add_subscript(Walk *w, const Site *s, int d, Lanes *out) {
    const Array *x = s->array;
    Env *e = &w->p->env;
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
    for (int k = 0; k < (out->uniform ? 1 : e->width); k++) {
        int64_t far;
        if (__builtin_sub_overflow(lane(&sub, k), lane(&from, k), &far) ||
            __builtin_mul_overflow(s->pitch[d], far, &far) ||
            __builtin_add_overflow(out->at[k], far, &out->at[k]))
            out->at[k] = 0, out->known = UNKNOWN; // no memory is there
    }
}

// Of a private array: from where the arrays of the warp begin.
static void address_local(Walk *w, const Site *s, Lanes *out) {
    const Array *x = s->array;
    if (!s->pitch) out->known = UNKNOWN;
    for (int d = x->place == PLACE_REGISTER ? x->digits : 0; s->pitch && d < x->rank; d++)
        add_subscript(w, s, d, out);
    // an element of which all lanes have their own
    if (out->uniform && out->known != KNOWN) lanes_uniform(out, 0);
    if (out->known == OFFSET) out->known = UNKNOWN;
    for (int k = w->p->env.width; k-- > 0;) out->at[k] = local_place(x, lane(out, k), k, w->p->env.width);
    out->uniform = false;
}

static Form *form_of(Walk *w, const Site *s) {
    const Array *x = s->array;
    Form *f = NEW_AS(w->p->a, Form, (Form){.told = s->pitch && !s->cost->local, .base = array_offset(x)});
    for (int d = 0; f->told && d < x->rank; d++) {
        form_add(&w->p->env, f, s->sub[d], s->pitch[d]);
        if (x->of && x->origin) form_add(&w->p->env, f, x->origin[d], -s->pitch[d]);
    }
    return f;
}

const Form *site_form(Walk *w, Site *s) {
    if (!s->form) s->form = form_of(w, s);
    return s->form;
}

// Bytes from the array's aligned base in each lane.
static void address(Walk *w, Site *s, Lanes *out) {
    const Array *x = s->array;
    if (form_lanes(&w->p->env, site_form(w, s), out)) return;
    lanes_uniform(out, array_offset(x));
    if (s->cost->local) return address_local(w, s, out);
    if (!s->pitch) out->known = UNKNOWN;
    for (int d = 0; s->pitch && d < x->rank; d++) add_subscript(w, s, d, out);
}

// ---- strides ---------------------------------------------------------------------------------------
// The loops around an access, outermost first, with where their counters are bound.
typedef struct Around {
    int n;
    const Node *loop[MODEL_DIMS];
    bool written_out[MODEL_DIMS];
    Lanes *value[MODEL_DIMS];
} Around;

static void find_around(Walk *w, const Code *c, Around *out) {
    if (!c) return;
    find_around(w, c->parent, out);
    Lanes *v = c->n->kind == N_FOR ? env_find(&w->p->env, c->n->iter) : NULL;
    if (!v || out->n == MODEL_DIMS) return;
    out->loop[out->n] = c->n;
    out->written_out[out->n] = code_is_written_out(c);
    out->value[out->n++] = v;
}

static void move(Walk *w, Lanes *v, const Lanes *by, int64_t sign) {
    int n = v->uniform && !by->uniform ? -1 : v->uniform ? 1 : w->p->env.width;
    for (int k = 0; k < n; k++) v->at[k] += sign * lane(by, k);
}

// So many iterations further in loop d; loops inside that begin at its counter move along:
//   for ib block { for ic = ib .. n step 65535 … }
static void step_loop(Walk *w, const Around *r, int d, int64_t steps, Lanes by[MODEL_DIMS]) {
    Lanes before[MODEL_DIMS], after;
    for (int k = d + 1; k < r->n; k++) lanes_of(&w->p->env, r->loop[k]->lo, &before[k]);
    lanes_uniform(&by[d], steps * r->loop[d]->step);
    move(w, r->value[d], &by[d], 1);
    for (int k = d + 1; k < r->n; k++) {
        lanes_of(&w->p->env, r->loop[k]->lo, &after);
        by[k].known = KNOWN;
        by[k].uniform = after.uniform && before[k].uniform;
        for (int i = 0; i < (by[k].uniform ? 1 : w->p->env.width); i++)
            by[k].at[i] = lane(&after, i) - lane(&before[k], i);
        if (after.known == UNKNOWN || before[k].known == UNKNOWN) lanes_uniform(&by[k], 0);
        move(w, r->value[k], &by[k], 1);
    }
}

// Where the access goes in the first iteration of all loops around: accesses of a kind are compared there.
static int64_t origin(Walk *w, const Form *f, int n, const Node *const *loop) {
    int64_t at[MODEL_DIMS], sum = f->base, slope;
    for (int d = 0; d < n; d++) {
        Form from = {.told = true};
        form_add(&w->p->env, &from, loop[d]->lo, 1);
        at[d] = from.base;
        for (int i = 0; i < d; i++)
            if (form_slope(&from, loop[i]->iter, &slope)) at[d] += slope * at[i];
        if (form_slope(f, loop[d]->iter, &slope)) sum += slope * at[d];
    }
    return sum;
}

static AccessDim *dim_of(AccessCost *c, const Node *loop) {
    for (int k = 0; k < c->ndims; k++)
        if (c->dims[k].loop == loop) return &c->dims[k];
    return NULL;
}

// Do steps of the loops change the subscript? What data say of it stays where it names none of them.
static bool changes(const Site *s, int d, const Around *r, int from, const Lanes by[MODEL_DIMS]) {
    const Array *x = s->array;
    const Expr *part[] = {s->sub[d], x->of && x->origin ? x->origin[d] : NULL};
    for (int i = 0; i < 2 && part[i]; i++)
        expr_each(e, part[i]) {
            if (e->kind == E_LOAD && e->array->place != PLACE_USER) return true;
            for (int k = from; k < r->n; k++)
                if (e->kind == E_SYM && e->sym == r->loop[k]->iter && (!by[k].uniform || by[k].at[0]))
                    return true;
        }
    return false;
}

// The subscripts among them, in bytes. One row that data name is another one elsewhere, though all lanes have
// it alike.
static Lanes offset_of(Walk *w, const Site *s, const bool *among) {
    Lanes at;
    lanes_uniform(&at, 0);
    for (int d = 0; d < s->array->rank; d++) {
        if (!among[d]) continue;
        add_subscript(w, s, d, &at);
        if (at.known == OFFSET && s->array->rank > 1 && expr_has_load(s->sub[d])) at.known = UNKNOWN;
    }
    return at;
}

// One lane's place: what its own variables hold that data decide counts as a fixed number, as that does which
// all lanes share. False: data decide more.
static bool fixed_place(Env *e, const Expr *x, int64_t factor, int at, int64_t *sum) {
    Lanes v;
    lanes_of(e, x, &v);
    if (v.known != UNKNOWN) return *sum += factor * lane(&v, at), true;
    if (x->kind == E_LOAD) return env_same(e, x->array);
    bool same = x->kind == E_CAST && type_is_int(x->args[0]->type);
    if (same) return fixed_place(e, x->args[0], factor, at, sum);
    return x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->nargs == 2 &&
           fixed_place(e, x->args[0], factor, at, sum) &&
           fixed_place(e, x->args[1], x->op == OP_ADD ? factor : -factor, at, sum);
}

// How far the access is in so many more iterations of loop d; false: nobody can tell.
static bool moved(Walk *w, Site *s, const Lanes *here, int at, const Around *r, int d, int64_t steps,
                  int64_t *by) {
    Lanes step[MODEL_DIMS], there, from;
    bool row = here->known == OFFSET && s->array->rank > 1;
    bool *among = (here->known == UNKNOWN || row) && s->pitch && !s->cost->local
                      ? NEW_N(w->p->a, bool, s->array->rank + 1) : NULL;
    step_loop(w, r, d, steps, step);
    for (int k = 0; among && k < s->array->rank; k++) among[k] = changes(s, k, r, d, step);
    if (among) there = offset_of(w, s, among);
    else address(w, s, &there);
    int64_t before = 0, after = 0;
    bool fixed = among && s->array->rank == 1 &&
                 fixed_place(&w->p->env, s->sub[0], s->pitch[0], at, &after);
    for (int k = d; k < r->n; k++) move(w, r->value[k], &step[k], -1);
    from = among ? offset_of(w, s, among) : *here;
    *by = lane(&there, at) - lane(&from, at);
    if (from.known != UNKNOWN && there.known != UNKNOWN) return true;
    fixed = fixed && fixed_place(&w->p->env, s->sub[0], s->pitch[0], at, &before);
    if (fixed) *by = after - before;
    return fixed;
}

// Places of all iterations of a loop that is written out, from its first one on; NULL: they are not known.
static const int64_t *places(Walk *w, Site *s, const Lanes *here, int at, const Around *r, int d, int *n) {
    const Node *loop = r->loop[d];
    enum { MOST = 64 };
    if (!r->written_out[d] || !r->value[d]->uniform || loop->lo->kind != E_INT || loop->hi->kind != E_INT)
        return NULL;
    int64_t trips = code_trips(loop->lo->i, loop->hi->i, loop->step),
            now = (r->value[d]->at[0] - loop->lo->i) / loop->step;
    if (trips < 2 || trips > MOST) return NULL;
    int64_t *out = NEW_N(w->p->a, int64_t, trips);
    bool known = true;
    for (int64_t k = 0; k < trips && known; k++) known = moved(w, s, here, at, r, d, k - now, &out[k]);
    if (!known) return NULL;
    for (int64_t k = trips; k-- > 0;) out[k] -= out[0];
    *n = (int)trips;
    return out;
}

static bool is_affine(const Site *s, const Around *r) {
    int64_t slope;
    bool told = s->form && s->form->told;
    for (int d = 0; d < r->n && told; d++) told = form_slope(s->form, r->loop[d]->iter, &slope);
    return told;
}

static void probe(Walk *w, Site *s, const Lanes *here, int at, const Around *r, int d) {
    AccessCost *c = s->cost;
    int64_t stride;
    bool known = moved(w, s, here, at, r, d, 1, &stride);
    AccessDim *dim = dim_of(c, r->loop[d]);
    if (dim) {
        dim->known = dim->known && known && dim->stride == stride;
    } else if (c->ndims < MODEL_DIMS) {
        dim = &c->dims[c->ndims++];
        *dim = (AccessDim){.loop = r->loop[d], .stride = stride, .known = known};
        if (known && !is_affine(s, r)) dim->place = places(w, s, here, at, r, d, &dim->nplaces);
        for (int k = 0; k < dim->nplaces; k++) dim->known &= dim->place[k] == k * stride;
        if (dim->known) dim->nplaces = 0;
    }
}

// A place in the middle of the grid and of loops: at their ends subscripts may be others
// ((x + n - 1) % n, x > 0 ? x - 1 : 0).
static void to_middle(Walk *w, const Around *r) {
    for (int d = 0; d < r->n; d++) {
        Lanes lo, hi, by[MODEL_DIMS];
        if (r->written_out[d] || (r->loop[d]->how != HOW_BLOCK && r->loop[d]->how != HOW_SERIAL)) continue;
        lanes_of(&w->p->env, r->loop[d]->lo, &lo), lanes_of(&w->p->env, r->loop[d]->hi, &hi);
        if (lo.known != KNOWN || hi.known != KNOWN || !lo.uniform || !hi.uniform || !r->value[d]->uniform)
            continue;
        int64_t step = r->loop[d]->step, middle = code_trips(lo.at[0], hi.at[0], step) / 2;
        step_loop(w, r, d, middle - (r->value[d]->at[0] - lo.at[0]) / step, by);
    }
}

static int middle_lane(uint64_t mask) {
    for (int n = count_lanes(mask) / 2; n > 0; n--) mask &= mask - 1;
    return __builtin_ctzll(mask);
}

// Where it would be in the first iteration of all loops, if all went on as they do here.
static int64_t first_place(Walk *w, AccessCost *c, const Lanes *here, int at, const Around *r) {
    int64_t first = lane(here, at);
    for (int d = 0; d < r->n; d++) {
        Lanes lo;
        lanes_of(&w->p->env, r->loop[d]->lo, &lo);
        const AccessDim *dim = dim_of(c, r->loop[d]);
        int64_t steps = (lane(r->value[d], at) - lane(&lo, at)) / r->loop[d]->step;
        bool placed = dim && steps >= 0 && steps < dim->nplaces;
        if (dim && lo.known == KNOWN) first -= placed ? dim->place[steps] : steps * dim->stride;
    }
    return first;
}

// How far the loops around move the access.
static void look_around(Walk *w, const Code *c, Site *s) {
    Around r = {0};
    Lanes before[MODEL_DIMS], here;
    find_around(w, c, &r);
    for (int d = 0; d < r.n; d++) before[d] = *r.value[d];
    to_middle(w, &r);
    address(w, s, &here);
    int at = middle_lane(w->mask);
    for (int d = 0; d < r.n; d++) probe(w, s, &here, at, &r, d);
    if (!s->probes++)
        s->cost->first = is_affine(s, &r) ? origin(w, s->form, r.n, r.loop)
                                          : first_place(w, s->cost, &here, at, &r);
    for (int d = 0; d < r.n; d++) *r.value[d] = before[d];
}

// How much further the loops from d inward are when loop d is one iteration further: of those inside, what
// begins at its counter.
static bool steps_of(Walk *w, const Around *r, int d, int64_t by[MODEL_DIMS]) {
    by[d] = r->loop[d]->step;
    for (int k = d + 1; k < r->n; k++) {
        Form from = {.told = true};
        by[k] = 0;
        if (r->loop[k]->lo->kind == E_INT) continue;
        form_add(&w->p->env, &from, r->loop[k]->lo, 1);
        for (int i = d; i < k; i++) {
            int64_t slope;
            if (!form_slope(&from, r->loop[i]->iter, &slope)) return false;
            by[k] += slope * by[i];
        }
    }
    return true;
}

bool site_strides(Walk *w, const Code *c, Site *s) {
    const Form *f = site_form(w, s);
    Around r = {0};
    for (const Code *up = c; up; up = up->parent) r.n += up->n->kind == N_FOR;
    if (r.n > MODEL_DIMS) return false;
    int d = r.n;
    for (const Code *up = c; up; up = up->parent)
        if (up->n->kind == N_FOR) r.loop[--d] = up->n;
    for (d = 0; d < r.n; d++) {
        int64_t by[MODEL_DIMS], slope, stride = 0;
        if (!steps_of(w, &r, d, by)) return false;
        for (int k = d; k < r.n; k++) {
            if (!form_slope(f, r.loop[k]->iter, &slope)) return false;
            stride += slope * by[k];
        }
        s->cost->dims[d] = (AccessDim){.loop = r.loop[d], .stride = stride, .known = true};
    }
    s->cost->ndims = r.n;
    s->cost->first = origin(w, f, r.n, r.loop);
    s->probes = 2;
    return true;
}

// ---- requests ----------------------------------------------------------------------------------------
// Of pieces of an array, how many n lanes touch that go anywhere in it. size: of the array; 0: not known.
static double scattered(double n, double size, double unit) {
    double all = ceil(size / unit);
    return all > 0 ? all * (1 - pow(1 - 1 / all, n)) : n;
}

// Of lanes of which data decide where they go: those of one key to the same place, but for what is known.
typedef struct Places {
    uint64_t key[MAX_LANES];
    int64_t at[MAX_LANES];
} Places;

// What is known of a place lies apart by so much; what isn't tells lanes apart by its key.
static void add_place(Env *e, const Expr *x, int64_t factor, Places *out) {
    Lanes v;
    lanes_of(e, x, &v);
    if (v.known != UNKNOWN) {
        for (int k = 0; k < e->width; k++) out->at[k] += factor * lane(&v, k);
    } else if (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->nargs == 2) {
        add_place(e, x->args[0], factor, out);
        add_place(e, x->args[1], x->op == OP_ADD ? factor : -factor, out);
    } else if (x->kind == E_CAST && type_is_int(x->args[0]->type)) {
        add_place(e, x->args[0], factor, out);
    } else {
        lanes_keys(e, x, out->key);
    }
}

static void find_places(Walk *w, const Site *s, Places *out) {
    Env *e = &w->p->env;
    for (int k = 0; k < e->width; k++) out->key[k] = s->pitch ? 0 : (uint64_t)k, out->at[k] = 0;
    for (int d = 0; s->pitch && d < s->array->rank; d++) add_place(e, s->sub[d], s->pitch[d], out);
}

// How many pieces of so many bytes the lanes at work touch.
static double count_places(const Walk *w, const Places *p, int64_t unit) {
    int n = 0;
    for (int k = 0; k < w->p->env.width; k++) {
        bool news = w->mask >> k & 1;
        for (int i = 0; i < k && news; i++)
            news = !(w->mask >> i & 1) || p->key[i] != p->key[k] || p->at[i] / unit != p->at[k] / unit;
        n += news;
    }
    return n;
}

// Data decide: each lane, or all of one key, go anywhere in the array; of 32 words at random 3.5 meet in one
// bank. together: all lanes to one element, wherever it is.
static void assume(Walk *w, const Site *s, bool together, double weight) {
    AccessCost *c = s->cost;
    double n = together ? 1 : count_lanes(w->mask);
    const Machine *m = w->p->m;
    Places p;
    c->assumed = true;
    w->k->assumed = true;
    if (c->shared) {
        c->wavefronts += (c->constant ? n : together ? 1 : 3.5) * weight;
        c->wavefronts_ideal += weight;
        return;
    }
    if (!together) find_places(w, s, &p);
    const int64_t unit[] = {m->sector, m->line, m->load_granule};
    double pieces[3];
    for (int i = 0; i < 3; i++)
        pieces[i] = scattered(together ? 1 : count_places(w, &p, unit[i]), c->size, (double)unit[i]);
    c->sectors += pieces[0] * weight;
    c->lines += pieces[1] * weight;
    c->useful += n * c->width * weight;
    c->moved += pieces[2] * (double)m->load_granule * weight;
    c->ideal += ceil(n * c->width / (double)m->sector) * weight;
}

static void note_stride(const Site *s, AccessCost *c, uint64_t mask) {
    if (!(mask & (mask - 1))) return; // one lane alone has none
    if (c->requests == 0) c->strided = s->strided, c->stride = s->stride;
    else c->strided = c->strided && s->strided && c->stride == s->stride;
}

static void keep_worst(Walk *w, AccessCost *c, const Request *r, int cost) {
    if (c->worst && cost <= c->worst_cost) return;
    Request *copy = c->worst ? (Request *)c->worst : NEW(w->p->a, Request);
    *copy = *r;
    c->worst = copy;
    c->worst_cost = cost;
    c->worst_thread = w->thread;
}

// How far it lies from the last one in every lane; false: not all are the same, or there was none.
static bool is_moved(const Machine *m, const Site *s, const Request *r, int64_t *by) {
    const Request *o = &s->last;
    if (!s->counted || r->mask != o->mask || r->width != o->width || !r->mask) return false;
    int first = __builtin_ctzll(r->mask);
    *by = r->at[first] - o->at[first];
    for (int k = first + 1; k < m->warp; k++)
        if ((r->mask >> k & 1) && r->at[k] - o->at[k] != *by) return false;
    return true;
}

// One that lies whole lines, or words of banks, from the last one costs as much.
static void count(const Machine *m, Site *s, const Request *r) {
    int64_t by, period = s->cost->shared ? m->bank_bytes : m->line > 128 ? m->line : 128;
    bool moved = is_moved(m, s, r, &by);
    if (!moved) s->stride = 0, s->strided = request_stride(m, r, &s->stride);
    if (moved && period > 0 && by % period == 0) return;
    if (s->cost->shared) s->shared = s->cost->constant ? request_constant(m, r) : request_shared(m, r);
    if (s->cost->shared && s->cost->atomic) s->shared.wavefronts = request_atomic(m, r);
    if (!s->cost->shared) s->global = request_global(m, r);
    s->last = *r;
    s->counted = true;
}

static void request(Walk *w, Site *s, const Lanes *at, int width, double weight) {
    AccessCost *c = s->cost;
    const Machine *m = w->p->m;
    Request r;
    r.mask = w->mask, r.width = width, r.write = c->write; // lanes that are off are left as they are
    if (width > c->width) c->width = width;
    if (at->known == UNKNOWN) {
        assume(w, s, at->uniform, weight);
    } else {
        for (int k = 0; k < w->p->env.width; k++) r.at[k] = lane(at, k);
        count(m, s, &r);
        note_stride(s, c, r.mask);
        c->assumed = c->assumed || at->known == OFFSET;
        if (c->shared) {
            SharedCost q = s->shared;
            c->wavefronts += q.wavefronts * weight;
            c->wavefronts_ideal += q.ideal * weight;
            if (q.ways > c->ways) c->ways = q.ways;
            keep_worst(w, c, &r, q.wavefronts);
        } else {
            GlobalCost q = s->global;
            c->sectors += q.sectors * weight;
            c->lines += q.lines * weight;
            c->useful += q.useful * weight;
            c->moved += q.moved * weight;
            c->ideal += q.ideal * weight;
            c->misaligned += q.misaligned * weight;
            keep_worst(w, c, &r, q.sectors);
        }
    }
    c->requests += weight;
    c->lanes += weight * count_lanes(w->mask);
}

// How many bytes one lane takes at once, and how often.
static int64_t vector_requests(Walk *w, Site *s, const Lanes *first, int size, int *width) {
    Lanes next;
    int64_t slope;
    bool told = first->known != UNKNOWN && form_slope(s->form, w->vec.iter, &slope);
    bool side_by_side = !told || slope == size, still = !told || slope == 0;
    w->vec.value->at[0]++;
    if (!told) address(w, s, &next);
    w->vec.value->at[0]--;
    for (int k = 0; !told && k < w->p->env.width; k++) {
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

// ---- what compilers do ---------------------------------------------------------------------------
static uint64_t hash_of(const Walk *w, const Lanes *at) {
    uint64_t h = at->uniform ? 1 : 1469598103934665603u;
    for (int k = 0; k < (at->uniform ? 1 : w->p->env.width); k++) {
        h = (h ^ (uint64_t)at->at[k]) * 1099511628211u;
        h ^= h >> 32;
    }
    return h;
}

static const char *object_of(const Array *x) { return x->object ? x->object : x->name; }

// Registers are few: the oldest goes first.
static void keep_seen(Walk *w, Seen x) {
    if (w->nseen == MAX_SEEN) memmove(w->seen, w->seen + 1, sizeof x * (size_t)--w->nseen);
    w->seen[w->nseen++] = x;
}

// A second load of the same elements with nothing but straight code between is no load; a store
// ends that for its array.
static bool in_register(Walk *w, const Site *s, const Lanes *at) {
    int n = 0;
    if (at->known == UNKNOWN || w->vec.iter) return false;
    uint64_t hash = s->cost->write ? 0 : hash_of(w, at);
    for (int k = 0; k < w->nseen; k++) {
        const Seen *x = &w->seen[k];
        if (!s->cost->write && x->array == s->array && x->mask == w->mask && x->hash == hash) return true;
        if (!s->cost->write || !str_eq(object_of(x->array), object_of(s->array))) w->seen[n++] = *x;
    }
    w->nseen = n;
    if (!s->cost->write) keep_seen(w, (Seen){s->array, w->mask, hash});
    return false;
}

// The values that an expression of memory and counters hangs on.
static uint64_t hash_expr(Walk *w, const Code *c, const Expr *x, uint64_t h) {
    Lanes at;
    if (type_is_int(x->type) && !expr_has_load(x))
        return lanes_of(&w->p->env, x, &at), (h ^ hash_of(w, &at)) * 1099511628211u;
    h = (h ^ (uint64_t)x->kind ^ (uint64_t)x->op << 8) * 1099511628211u;
    if (x->kind == E_FLOAT) return (h ^ (uint64_t)(x->f * 0x1p20)) * 1099511628211u;
    if (x->kind == E_SYM) return (h ^ (uintptr_t)x->sym) * 1099511628211u;
    for (int k = 0; x->kind == E_CALL && x->fn[k]; k++) h = (h ^ (uint64_t)x->fn[k]) * 1099511628211u;
    if (x->kind != E_LOAD) {
        for (int k = 0; k < x->nargs; k++) h = hash_expr(w, c, x->args[k], h);
        return h;
    }
    for (int k = 0; k < c->nsites; k++) {
        Site *s = c->sites[k];
        bool same = s->array == x->array && !s->cost->write;
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(s->sub[d], x->args[d]);
        if (!same) continue;
        address(w, s, &at);
        return (h ^ hash_of(w, &at)) * 1099511628211u;
    }
    return h;
}

bool walk_again(Walk *w, const Code *c, const Heavy *x) {
    if (w->vec.iter) return false;
    uint64_t hash = hash_expr(w, c, x->x, 1469598103934665603u);
    for (int k = 0; k < w->nseen; k++)
        if (w->seen[k].array == x->site->array && w->seen[k].mask == w->mask && w->seen[k].hash == hash)
            return true;
    keep_seen(w, (Seen){x->site->array, w->mask, hash});
    return false;
}

static bool all_differ_by(const Walk *w, const Lanes *x, const Lanes *y, int64_t d) {
    for (int k = 0; k < w->p->env.width; k++)
        if ((w->mask >> k & 1) && lane(y, k) - lane(x, k) != d) return false;
    return true;
}

// Is an access a whole element further on in every lane, one iteration later?
static bool is_next(Walk *w, Site *s, const Lanes *at, const Unrolled *l, int size) {
    Lanes next;
    int64_t slope;
    if (form_slope(s->form, l->iter, &slope)) return slope * l->step == size;
    int n = l->value->uniform ? 1 : w->p->env.width;
    for (int k = 0; k < n; k++) l->value->at[k] += l->step;
    address(w, s, &next);
    for (int k = 0; k < n; k++) l->value->at[k] -= l->step;
    return all_differ_by(w, at, &next, size);
}

// Is x a multiple of `unit` wherever the counter is one (or is a sum of the counter and that)? Only
// what a compiler sees too: literals and products with literals.
static bool is_multiple(const Expr *x, const Sym *iter, int64_t unit) {
    if (unit <= 1 && !expr_uses_sym(x, iter)) return true;
    switch (x->kind) {
    case E_INT: return x->i % unit == 0;
    case E_SYM: return x->sym == iter;
    case E_CAST: return is_multiple(x->args[0], iter, unit);
    case E_OP:
        if (x->op == OP_ADD || x->op == OP_SUB)
            return is_multiple(x->args[0], iter, unit) && is_multiple(x->args[1], iter, unit);
        if (x->op != OP_MUL || expr_uses_sym(x, iter)) return false;
        for (int k = 0; k < 2; k++)
            if (x->args[k]->kind == E_INT && x->args[k]->i) {
                int64_t c = x->args[k]->i < 0 ? -x->args[k]->i : x->args[k]->i;
                return is_multiple(x->args[1 - k], iter, unit / value_gcd(unit, c));
            }
        return false;
    default: return false;
    }
}

// Does a compiler see that the counter walks a row that begins at a multiple of `unit` elements?
static bool is_aligned(const Site *s, const Sym *iter, int64_t unit, int size) {
    const Array *x = s->array;
    for (int d = 0; d < x->rank; d++) {
        bool last = d == x->rank - 1;
        int64_t need = last ? unit : unit / value_gcd(unit, s->pitch[d] / size);
        const Expr *from = x->of && x->origin ? x->origin[d] : NULL;
        if (!last && expr_uses_sym(s->sub[d], iter)) return false;
        if (!is_multiple(s->sub[d], iter, need) || (from && !is_multiple(from, iter, need))) return false;
    }
    return true;
}

// Loads from shared memory that iterations of an unrolled loop make side by side become loads of
// two or four elements, where these are aligned. at: the wide load's. How many it joins.
static int joined_loads(Walk *w, Site *s, Lanes *at, int size) {
    if (!s->cost->shared || s->cost->constant || s->cost->write || at->known != KNOWN || w->vec.iter)
        return 1;
    for (int u = w->nunrolled; u-- > 0;) {
        const Unrolled *l = &w->unrolled[u];
        if (l->guards != w->guards) return 1; // not all iterations need come to it
        if (!is_next(w, s, at, l, size)) continue;
        int first = __builtin_ctzll(w->mask), join = 16 / size;
        for (; join > 1; join /= 2) {
            int64_t rest = lane(at, first) % (join * size);
            bool same = l->factor % join == 0 && rest >= 0 && is_aligned(s, l->iter, join, size);
            for (int k = 0; same && k < w->p->env.width; k++)
                same = !(w->mask >> k & 1) || lane(at, k) % (join * size) == rest;
            if (!same) continue;
            for (int k = 0; k < (at->uniform ? 1 : w->p->env.width); k++) at->at[k] -= rest;
            return join;
        }
    }
    return 1;
}

static void charge(Walk *w, Code *c, const Site *s, double n) {
    const AccessCost *cost = s->cost;
    // an operand of the instruction that uses it
    if (cost->constant && s->counted && s->shared.wavefronts <= 1) return;
    // shared memory's are constants apart
    double index = n * s->index + (cost->shared ? 0 : n * (s->steady ? w->share : 1));
    if (cost->shared) c->sum.shared += n;
    else c->sum.global += n;
    c->sum.integer += index;
    double part = (double)count_lanes(w->mask) / w->p->env.width;
    tally(&w->all, n + index, part);
    tally(&w->asks, n, part);
}

void walk_site(Walk *w, Code *c, Site *s) {
    double weight = w->weight;
    if (s->lead && s->lead != s) return;
    for (Code *up = s->hoist ? c->parent : NULL; up; up = up->parent) {
        if (up->n->kind == N_FOR && !up->first) return;
        if (up->n->kind == N_FOR) weight = up->entry_weight;
        if (up == s->hoist) break;
    }
    Lanes at;
    address(w, s, &at);
    int size = s->lead ? s->lead_width : type_size(s->array->elem), width = size;
    for (int k = 0; s->lead && k < (at.uniform ? 1 : w->p->env.width); k++) at.at[k] += s->lead_shift;
    if (s->probes < 2 && !s->cost->local) look_around(w, c, s);
    if (in_register(w, s, &at)) return;
    int join = joined_loads(w, s, &at, size);
    weight /= join;
    width *= join;
    int64_t n = w->vec.iter ? vector_requests(w, s, &at, size, &width) : 1;
    for (int64_t k = 0; k < n; k++) {
        if (k) {
            w->vec.value->at[0] = w->vec.lo + k * (w->vec.trips / n);
            address(w, s, &at);
        }
        request(w, s, &at, width, weight);
    }
    if (w->vec.iter) w->vec.value->at[0] = w->vec.lo;
    charge(w, c, s, (double)n * weight);
}
