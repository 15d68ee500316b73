// SPDX-License-Identifier: MIT
// flow.c -- facts about reads: the last plain write before, and the updates since.
//
//   (flow kernel 4 2 (base 3 PIECES) (update 5 PIECES) (rest PIECES) (summed PIECES))
//
// Load 2 of leaf 4 sees what leaf 3 wrote, where the base's pieces say at which of its counters;
// nothing, where `rest` says so. Updates are all pairs of reader and updater; outside of `summed` are
// none.
#include "certify/certify.h"
#include <string.h>

static Access *access_of(const Item *x) {
    Program *p = !strcmp(item_word(x, 1), programs[0].name) ? &programs[0] : &programs[1];
    Int leaf = item_int(x, 2), load = item_int(x, 3);
    if (leaf < 0 || leaf >= p->nleaves + narrays || load < 1 || load >= p->leaf[leaf]->naccesses)
        refuse("line %d: there is no such load", x->line);
    return &p->leaf[leaf]->access[load];
}

void read_flow(const Item *x) {
    Access *r = access_of(x);
    Program *p = r->leaf->program;
    if (r->flow) refuse("line %d: two facts about one load", x->line);
    r->flow = true;
    r->base = take((size_t)x->n * sizeof *r->base);
    r->update = take((size_t)x->n * sizeof *r->update);
    for (int i = 4; i < x->n; i++) {
        const Item *y = item_list(x, i);
        int dims = r->leaf->depth;
        if (item_is(y, "rest")) read_set(y, 1, dims, &r->rest);
        else if (item_is(y, "summed")) read_set(y, 1, dims, &r->summed);
        else {
            Int leaf = item_int(y, 1);
            if (leaf < 0 || leaf >= p->nleaves || p->leaf[leaf]->barrier)
                refuse("line %d: there is no such statement", y->line);
            bool base = item_is(y, "base");
            Edge *e = base ? &r->base[r->nbases++] : &r->update[r->nupdates++];
            e->leaf = (int)leaf;
            if (base) read_map(y, 2, dims, p->leaf[leaf]->depth, &e->rel);
            else read_set(y, 2, dims + p->leaf[leaf]->depth, &e->rel);
        }
    }
}

// ---- one load ---------------------------------------------------------------------------------------
typedef struct Job {
    const Access *r;
    const Leaf *leaf;
    int c; // its counters
} Job;

static const char *name_of(const Access *r) { return r->array->name; }

static bool wrong(const Access *r, const char *what) {
    return fail("%s, read of %s at line %d: %s", r->leaf->program->name, name_of(r), r->leaf->line, what);
}

// Every case of j is inside.
static bool all_inside(const Conjs *all, const Conjs *pieces, int fixed) {
    for (int i = 0; i < all->n; i++)
        if (!conj_inside(all->at[i], pieces, fixed)) return false;
    return true;
}

static bool all_empty(const Conjs *all) {
    for (int i = 0; i < all->n; i++)
        if (!conj_empty(all->at[i])) return false;
    return true;
}


// Instances of w that touch what r reads and come before it, added to j.
static bool earlier(const Conjs *from, const Job *q, const Leaf *w, int *cw, Conjs *out) {
    for (int i = 0; i < from->n; i++) {
        Conj j = with_counters(from->at[i], w, cw);
        Conjs in = {0}, same = {0};
        in_domain(j, w, *cw, &in);
        for (int k = 0; k < in.n; k++)
            if (!same_word(in.at[k], &w->access[0], *cw, q->r, q->c, &same))
                return wrong(q->r, "a subscript is not affine");
        for (int k = 0; k < same.n; k++) before(same.at[k], w, *cw, q->leaf, q->c, out);
    }
    return true;
}

// The writer's counters of an edge are certainly such: in the domain, the same word, before the read.
static bool is_edge(Conj j, const Job *q, const Leaf *w, int cw) {
    Conj frame = {.n = j.n};
    Conjs domain = {0}, same = {0}, order = {0};
    in_domain(frame, w, cw, &domain);
    if (!same_word(frame, &w->access[0], cw, q->r, q->c, &same))
        return wrong(q->r, "a subscript is not affine");
    before(frame, w, cw, q->leaf, q->c, &order);
    return conj_inside(j, &domain, j.n) && conj_inside(j, &same, j.n) && conj_inside(j, &order, j.n);
}

static Conj reader(const Job *q) {
    Conj j = context;
    j.n = ATOMS + q->leaf->depth;
    return j;
}

static bool is_update(const Leaf *l) { return strcmp(l->op, "="); }

// After the base at cb (NULL: there is none) all updates are edges, and all edges are such.
static bool updates_of(const Job *q, Conj j, const Leaf *base, int cb) {
    const Access *r = q->r;
    Program *p = r->leaf->program;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *u = p->leaf[i];
        if (u->barrier || u->access[0].array != r->array || !is_update(u)) continue;
        int cu;
        Conjs from = {0}, all = {0}, pieces = {0}, rel = {0};
        conjs_add(&from, j);
        if (!earlier(&from, q, u, &cu, &all)) return false;
        Conj frame = {.n = cu + u->depth};
        int *map = take((size_t)(ATOMS + q->leaf->depth + u->depth) * sizeof *map);
        for (int v = 0; v < ATOMS + q->leaf->depth; v++) map[v] = v;
        for (int v = 0; v < u->depth; v++) map[ATOMS + q->leaf->depth + v] = cu + v;
        for (int e = 0; e < r->nupdates; e++)
            for (int k = 0; k < r->update[e].rel.n && r->update[e].leaf == i; k++)
                conjs_add(&rel, r->update[e].rel.at[k]);
        for (int k = 0; k < rel.n; k++)
            conjs_add(&pieces,
                      conj_put(frame, rel.at[k], ATOMS + q->leaf->depth + u->depth, map, true, NULL));
        if (base) before(frame, u, cu, base, cb, &pieces);
        if (!all_inside(&all, &pieces, frame.n)) return wrong(r, "an update before it has no edge");
        for (int k = 0; k < rel.n; k++) { // and the other way round
            Conj e = conj_put((Conj){j.last, frame.n}, rel.at[k], ATOMS + q->leaf->depth + u->depth, map,
                              true, NULL);
            Conjs later = {0};
            if (conj_empty(e)) continue;
            if (!is_edge(e, q, u, cu)) return wrong(r, "an edge to what is no update of it");
            if (base) before((Conj){.n = e.n}, base, cb, u, cu, &later);
            if (base && !conj_inside(e, &later, e.n))
                return wrong(r, "an edge to an update before the last write");
        }
    }
    return true;
}

static bool is_last(const Job *q, Conj j, const Leaf *w, int cw) {
    Program *p = q->leaf->program;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *o = p->leaf[i];
        if (o->barrier || o->access[0].array != q->r->array || is_update(o)) continue;
        int co;
        Conjs from = {0}, all = {0}, fine = {0};
        conjs_add(&from, j);
        if (!earlier(&from, q, o, &co, &all)) return false;
        if (!w) {
            if (!all_empty(&all)) return wrong(q->r, "something is written where nothing should be");
            continue;
        }
        Conj same = {.n = co + o->depth};
        before(same, o, co, w, cw, &fine);
        if (o == w) {
            for (int d = 0; d < o->depth; d++) same = conj_same_vars(same, co + d, cw + d);
            conjs_add(&fine, same);
        }
        if (!all_inside(&all, &fine, co + o->depth)) return wrong(q->r, "it is written again before that");
    }
    return true;
}

static bool check_read(const Access *r) {
    Job *q = &(Job){r, r->leaf, ATOMS};
    int dims = ATOMS + r->leaf->depth;
    Conjs covers = {0}, domain = {0};
    for (int b = 0; b < r->nbases; b++)
        for (int i = 0; i < r->base[b].rel.n; i++) {
            const Leaf *w = r->leaf->program->leaf[r->base[b].leaf];
            Conj piece = r->base[b].rel.at[i];
            int cw;
            conjs_add(&covers, piece);
            Conj at = conj_put(reader(q), piece, dims, NULL, true, &cw);
            Conjs where = {0};
            in_domain(at, q->leaf, q->c, &where);
            for (int k = 0; k < where.n; k++) {
                Conj j = where.at[k];
                if (conj_empty(j)) continue;
                if (w->access[0].array != r->array || is_update(w) || !is_edge(j, q, w, cw))
                    return wrong(r, "its last write is none");
                if (!is_last(q, j, w, cw) || !updates_of(q, j, w, cw)) return false;
            }
        }
    in_domain(reader(q), q->leaf, q->c, &domain);
    for (int i = 0; i < r->rest.n; i++) {
        conjs_add(&covers, r->rest.at[i]);
        for (int k = 0; k < domain.n; k++) {
            Conj j = conj_put(domain.at[k], r->rest.at[i], dims, NULL, true, NULL);
            if (conj_empty(j)) continue;
            if (!is_last(q, j, NULL, 0) || !updates_of(q, j, NULL, 0)) return false;
        }
    }
    if (!all_inside(&domain, &covers, dims)) return wrong(r, "what it sees is not told everywhere");
    for (int e = 0; e < r->nupdates; e++)
        for (int i = 0; i < r->update[e].rel.n; i++)
            for (int k = 0; k < domain.n; k++)
                if (!conj_inside(conj_put(domain.at[k], r->update[e].rel.at[i], dims, NULL, true, NULL),
                                 &r->summed, dims))
                    return wrong(r, "there are updates where none should be");
    return true;
}

void check_flow(void) {
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < programs[s].nleaves + narrays; i++)
            for (int k = 1; k < programs[s].leaf[i]->naccesses; k++) {
                size_t mark = take_mark();
                const Access *r = &programs[s].leaf[i]->access[k];
                if (r->flow && !check_read(r)) refuse("%s", failed);
                take_back(mark);
            }
}
