// SPDX-License-Identifier: MIT
// flow.c -- facts about reads: the last plain write before, and the updates since.
//
//   (flow kernel 4 2 (base 3 PIECES) (update 5 PIECES) (summed PIECES))
//
// Load 2 of leaf 4 sees what leaf 3 wrote, where the base's pieces say at which of its counters; nothing,
// where there are none. Updates are all pairs of reader and updater; outside of `summed` are none.
#include "certify/certify.h"

void read_flow(const Item *x) {
    Program *p = program_of(x, 1);
    Leaf *l = leaf_of(x, 2, p);
    Access *r = load_of(x, 3, l);
    if (r->flow) malformed(x);
    r->flow = true;
    for (int i = 4; i < x->n; i++) {
        const Item *y = item_list(x, i);
        if (item_is(y, "summed")) {
            set_add_all(&r->summed, read_set(y, 1, l->depth, 0));
            continue;
        }
        const Leaf *w = leaf_of(y, 1, p);
        bool base = item_is(y, "base");
        Edge e = {w, base, read_set(y, 2, l->depth + (base ? 0 : w->depth), base ? w->depth : 0)};
        if (w->access[0].array != r->array || base != is(w->op, "=")) malformed(y);
        *MORE(r->edge, r->nedges) = e;
        if (base) set_add_all(&r->based, e.rel);
    }
}

// ---- one load; its counters are the variables from ATOMS on -----------------------------------------
static bool wrong(const Access *r, const char *what) {
    return fail("%s, read of %s at line %d: %s", r->leaf->program->name, r->array->name, r->leaf->line, what);
}

// Instances of w, cw, that touch what r reads and come before it; bad: a subscript is not affine.
static Set earlier(Conj j, const Access *r, const Leaf *w, int cw) {
    Set s = same_word(in_domain(set_of(j), w, cw), &w->access[0], cw, r, ATOMS);
    return before(s, w, cw, r->leaf, ATOMS);
}

static bool is_edge(Conj j, const Access *r, const Leaf *w, int cw) {
    return set_inside(set_of(j), earlier((Conj){.n = j.n}, r, w, cw), vars_of(j));
}

// Where its last plain write is w at cw (NULL: there is none): all other writes come before that, or are
// updates with an edge; and edges lead to updates behind it.
static bool all_told(Conj j, const Access *r, const Leaf *w, int cw) {
    const Program *p = r->leaf->program;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *o = p->leaf[i];
        if (o->barrier || o->access[0].array != r->array) continue;
        int co;
        Set fine = {0}, edges = {0};
        Conj with = with_counters(j, o, &co);
        Set frame = set_of((Conj){.n = with.n});
        Vars all = vars_of(with), both = vars_and(span(ATOMS, r->leaf->depth), co, o->depth);
        for (const Edge *e = r->edge; e < r->edge + r->nedges; e++)
            if (e->to == o && !e->base) set_add_all(&edges, set_put(frame, e->rel, both));
        set_add_all(&fine, edges);
        if (w) set_add_all(&fine, before(frame, o, co, w, cw));
        if (o == w) set_add(&fine, conj_same_vars(frame.at[0], co, cw, o->depth));
        if (!set_inside(earlier(with, r, o, co), fine, all)) return wrong(r, "a write before it is not told");
        Set told = set_put(set_of(with), edges, all);
        if (w && !set_inside(told, before(frame, w, cw, o, co), all))
            return wrong(r, "an edge to an update before the last write");
        for (int k = 0; k < told.n; k++)
            if (!is_edge(told.at[k], r, o, co)) return wrong(r, "an edge to what is no update of it");
    }
    return true;
}

static bool check_read(Access *r) {
    const Leaf *l = r->leaf;
    Vars reader = span(ATOMS, l->depth);
    Conj j = conj_here(ATOMS + l->depth);
    Set domain = in_domain(set_of(j), l, ATOMS), none = set_outside(domain, r->based, reader);
    r->covered = !none.n;
    for (const Edge *e = r->edge; e < r->edge + r->nedges; e++)
        for (int k = 0; k < domain.n; k++) {
            Set at = set_put(set_of(domain.at[k]), e->rel, reader);
            if (!e->base && !set_inside(at, r->summed, reader))
                return wrong(r, "there are updates where none should be");
            for (int i = 0; i < at.n && e->base; i++) {
                if (!is_edge(at.at[i], r, e->to, domain.at[k].n)) return wrong(r, "its last write is none");
                if (!all_told(at.at[i], r, e->to, domain.at[k].n)) return false;
            }
        }
    for (int i = 0; i < none.n; i++)
        if (!all_told(none.at[i], r, NULL, 0)) return false;
    return true;
}

void check_flow(void) {
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < programs[s].nleaves + narrays; i++)
            for (int k = 1; k < programs[s].leaf[i]->naccesses; k++) {
                size_t mark = take_mark();
                Access *r = &programs[s].leaf[i]->access[k];
                if (r->flow && !check_read(r)) refuse("%s", failed);
                take_back(mark);
            }
}
