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
    if (r->flow) refuse("line %d: two facts about one load", x->line);
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
        if (w->access[0].array != r->array || base != is(w->op, "="))
            refuse("line %d: no such write", y->line);
        *MORE(r->edge, r->nedges) = e;
        if (base) set_add_all(&r->based, e.rel);
    }
}

// ---- one load; its counters are the variables from ATOMS on -----------------------------------------
static bool wrong(const Access *r, const char *what) {
    return fail("%s, read of %s at line %d: %s", r->leaf->program->name, r->array->name, r->leaf->line, what);
}

// Instances of w, cw, that touch what r reads and come before it.
static bool earlier(Conj j, const Access *r, const Leaf *w, int cw, Set *out) {
    Set s = in_domain(j, w, cw);
    if (!same_word(&s, &w->access[0], cw, r, ATOMS)) return wrong(r, "a subscript is not affine");
    *out = before(s, w, cw, r->leaf, ATOMS);
    return true;
}

static bool is_edge(Conj j, const Access *r, const Leaf *w, int cw) {
    Set s;
    return earlier((Conj){.n = j.n}, r, w, cw, &s) && conj_inside(j, s, vars_of(j));
}

// Where its last plain write is w at cw (NULL: there is none): all other writes come before that, or are
// updates with an edge; and edges lead to updates behind it.
static bool all_told(Conj j, const Access *r, const Leaf *w, int cw) {
    const Program *p = r->leaf->program;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *o = p->leaf[i];
        if (o->barrier || o->access[0].array != r->array) continue;
        int co;
        Set all, fine = {0}, edges = {0}, behind = {0};
        Conj with = with_counters(j, o, &co), frame = {.n = with.n};
        Vars both = vars_and(span(ATOMS, r->leaf->depth), span(co, o->depth));
        if (!earlier(with, r, o, co, &all)) return false;
        for (const Edge *e = r->edge; e < r->edge + r->nedges; e++)
            if (e->to == o && !e->base) set_add_all(&edges, set_put(frame, e->rel, both));
        set_add_all(&fine, edges);
        if (w) set_add_all(&fine, before(set_of(frame), o, co, w, cw));
        if (o == w) set_add(&fine, conj_same_vars(frame, co, cw, o->depth));
        if (!set_inside(all, fine, vars_of(with))) return wrong(r, "a write before it is not told");
        if (w) behind = before(set_of(frame), w, cw, o, co);
        for (int k = 0; k < edges.n; k++) {
            Conj e = conj_put(with, edges.at[k], vars_of(with));
            if (conj_empty(e)) continue;
            if (!is_edge(e, r, o, co)) return wrong(r, "an edge to what is no update of it");
            if (w && !conj_inside(e, behind, vars_of(with)))
                return wrong(r, "an edge to an update before the last write");
        }
    }
    return true;
}

static bool check_read(Access *r) {
    const Leaf *l = r->leaf;
    Vars reader = span(ATOMS, l->depth);
    Set domain = in_domain(conj_here(ATOMS + l->depth), l, ATOMS);
    r->covered = true;
    for (int k = 0; k < domain.n; k++) {
        for (const Edge *e = r->edge; e < r->edge + r->nedges; e++) {
            Set at = set_put(domain.at[k], e->rel, reader);
            for (int i = 0; i < at.n; i++) {
                if (!e->base && !conj_inside(at.at[i], r->summed, reader))
                    return wrong(r, "there are updates where none should be");
                if (e->base && !is_edge(at.at[i], r, e->to, domain.at[k].n))
                    return wrong(r, "its last write is none");
                if (e->base && !all_told(at.at[i], r, e->to, domain.at[k].n)) return false;
            }
        }
        Set none = conj_outside(domain.at[k], r->based, reader);
        r->covered &= !none.n;
        for (int i = 0; i < none.n; i++)
            if (!all_told(none.at[i], r, NULL, 0)) return false;
    }
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
