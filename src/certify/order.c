// SPDX-License-Identifier: MIT
// order.c -- accesses inside their arrays; threads that meet on a word with no barrier between them.
#include "certify/certify.h"

// ---- bounds -----------------------------------------------------------------------------------------
//   (rows 2 first 0 1 PIECES)   of array 2 the loops touch no row before that of load 1 of leaf 0, at the
//                               counters that the pieces say: memory between the first and the last is there
typedef struct Edging {
    const Access *by;
    bool first;
    Set at; // images: the leaf's counters
} Edging;
static Edging *edgings;
static int nedgings;

void read_rows(const Item *x) {
    const Leaf *l = leaf_of(x, 3, &programs[0]);
    Edging e = {&l->access[item_index(x, 4, l->naccesses)], is(item_word(x, 2), "first"),
                read_set(x, 5, 0, l->depth)};
    const Array *a = e.by->array;
    if (l->number >= programs[0].nleaves || a->number != item_int(x, 1) || !a->rank) malformed(x);
    *MORE(edgings, nedgings) = e;
}

// As far as affine conditions on its first way say.
static Set touched(int n, const Access *x, int c) {
    return set_put(set_of((Conj){.n = n}), x->way->where, span(c, x->leaf->depth));
}

static void check_rows(void) {
    for (const Edging *e = edgings; e < edgings + nedgings; e++) {
        Set at = set_put(set_of(conj_here(ATOMS)), e->at, span(0, 0));
        for (int i = 0; i < at.n; i++)
            if (!set_inside(set_of(at.at[i]), touched(at.at[i].n, e->by, ATOMS), vars_of(at.at[i])))
                refuse("%s: a row that the loops do not touch", e->by->array->name);
    }
}

// First or last rows that are known to be touched, as v.
static Set known_rows(Conj j, const Array *a, bool first) {
    Set out = {0};
    for (const Edging *e = edgings; e < edgings + nedgings; e++) {
        if (e->by->array != a || e->first != first) continue;
        set_add_all(&out, affine(e->by->sub[0], j.n, set_put(set_of(j), e->at, span(0, 0))));
    }
    return out.bad ? (Set){0} : out;
}

static bool is_within(Conj j, const Array *a, int d, Linear v) {
    Set room = {0}, n = {0};
    Conj here = {.n = j.n};
    if (!d && a->user) {
        Set low = known_rows(here, a, true);
        for (int i = 0; i < low.n; i++) {
            Set high = known_rows(conj_less(low.at[i], low.at[i].v, v, 0), a, false);
            for (int k = 0; k < high.n; k++) set_add(&room, conj_less(high.at[k], v, high.at[k].v, 0));
        }
    } else if (!a->extent[d] || (n = affine(a->extent[d], 0, set_of(here))).bad) return false;
    for (int i = 0; i < n.n; i++)
        set_add(&room, conj_less(conj_less(n.at[i], linear_int(0), v, 0), v, n.at[i].v, 1));
    return set_inside(set_of(j), room, vars_of(j));
}

// Sizes at which the loops do nothing need no memory.
static Set busy(Conj j) {
    const Program *p = &programs[0];
    Set out = {0};
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *l = p->leaf[i];
        bool known = false; // by one that runs whenever this does
        for (int k = 0; k < p->nleaves && !known; k++) {
            const Leaf *o = p->leaf[k];
            bool wider = !o->guarded && common_loops(o, l) == o->depth;
            known = k != i && wider && (o->depth < l->depth || l->guarded || k < i);
        }
        int c;
        Conj with = with_counters(j, l, &c);
        if (!known) set_add_all(&out, in_domain(set_of(with), l, c));
    }
    return out;
}

//   (place 3 1 0 2 PIECES)   load 1 of the kernel's leaf 3 is made where load 2 of the loops' leaf 0 is, at
//                            the counters that the pieces say: subscripts and conditions of data are the same
typedef struct Place {
    const Access *x, *y;
    Set map;
} Place;
static Place *places;
static int nplaces;

void read_place(const Item *x) {
    Place p = {load_of(x, 2, leaf_of(x, 1, &programs[1])), load_of(x, 4, leaf_of(x, 3, &programs[0]))};
    p.map = read_set(x, 5, p.x->leaf->depth, p.y->leaf->depth);
    if (p.x->array != p.y->array || p.y->leaf->number >= programs[0].nleaves) malformed(x);
    *MORE(places, nplaces) = p;
}

// Is a condition of the loops' on this way, too?
static bool is_asked(Conj j, const Way *w, At x, At cond, bool want) {
    for (const Asked *a = w->asked; a; a = a->prev)
        if (a->want == want && same_value(j, span(0, 0), cond, (At){x.leaf, x.c, a->cond})) return true;
    return false;
}

// j: the kernel's access on its way w, with counters from c on, and those of the loops, from cy on.
static bool is_place(Conj j, const Place *p, const Way *w, int c, int cy) {
    const Leaf *l = p->x->leaf, *m = p->y->leaf;
    if (!set_inside(set_of(j), touched(j.n, p->y, cy), vars_of(j))) return false;
    for (const Asked *a = p->y->way->asked; a; a = a->prev)
        if (!is_asked(j, w, (At){l, c}, (At){m, cy, a->cond}, a->want)) return false;
    for (int d = 0; d < p->x->array->rank; d++)
        if (!same_subscript(j, span(0, 0), (At){m, cy, p->y->sub[d]}, (At){l, c, p->x->sub[d]})) return false;
    return true;
}

// Data tell where: the loops touch the same. False: no fact says so.
static bool check_places(Conj j, const Access *x, int c, const Way *w) {
    Set all = {0};
    Vars at = span(c, x->leaf->depth);
    for (const Place *p = places; p < places + nplaces; p++) {
        if (p->x != x) continue;
        Set s = set_put(set_of(j), p->map, at);
        for (int i = 0; i < s.n; i++)
            if (!is_place(s.at[i], p, w, c, j.n)) return false;
        set_add_all(&all, p->map);
    }
    return all.n && set_inside(set_of(j), all, at);
}

static void check_access(const Access *x, const Way *w) {
    const Array *a = x->array;
    int c;
    if (!a->rank || (is(a->place, "temp") && !a->sized)) return;
    Conj j = with_counters(conj_here(ATOMS), x->leaf, &c);
    Set at = set_put(set_of(j), w->where, span(c, x->leaf->depth));
    for (int i = 0; i < at.n; i++) {
        if (check_places(at.at[i], x, c, w)) continue;
        Set does = busy(at.at[i]);
        for (int d = 0; d < a->rank; d++) {
            Set v = affine(x->sub[d], c, does);
            bool ok = !v.bad;
            for (int m = 0; m < v.n && ok; m++) ok = is_within(v.at[m], a, d, v.at[m].v);
            if (!ok) refuse("%s: the access at line %d of the kernel may be outside", a->name, x->leaf->line);
        }
    }
}

void check_bounds(void) {
    const Program *p = &programs[1];
    check_rows();
    for (int i = 0; i < p->nleaves; i++)
        for (int k = 0; k < p->leaf[i]->naccesses; k++) {
            size_t mark = take_mark();
            const Access *x = &p->leaf[i]->access[k];
            for (int n = 0; n < x->nways; n++) check_access(x, &x->way[n]);
            take_back(mark);
        }
}

// ---- threads that meet ------------------------------------------------------------------------------
static bool is_how(const Leaf *l, int i, const char *how) { return i < l->depth && is(l->loop[i]->how, how); }

// Among those of its block; threads: how many there are, 0 outside of loops over threads.
static Linear thread_number(const Leaf *l, int c, Int *threads) {
    Linear sum = linear_int(0);
    *threads = 0;
    for (int i = l->depth - 1; i >= 0; i--) {
        const Loop *t = l->loop[i];
        if (!is_how(l, i, "thread")) continue;
        if (t->hi->kind != EX_INT || t->lo->kind != EX_INT || t->lo->i || t->step != 1)
            refuse("the threads of line %d cannot be numbered", l->line);
        Int inside = *threads ? *threads : 1;
        sum = linear_add(sum, inside, linear_var(c + i));
        if (__builtin_mul_overflow(inside, t->hi->i, threads)) refuse("numbers grow too large");
    }
    return sum;
}

// Frames, over cx and cy, in which barrier b comes after x and before y.
static void parted_by(int n, const Leaf *b, const Leaf *x, int cx, const Leaf *y, int cy, Set *out) {
    for (int k = 0; k < 2; k++) { // in the round of x, or of y
        const Leaf *l = k ? y : x;
        int c;
        Conj j = with_counters((Conj){.n = n}, b, &c);
        if (common_loops(b, l) < b->depth) continue;
        for (int i = 0; i < b->depth; i++) j = conj_define(j, c + i, linear_var((k ? cy : cx) + i));
        if (b->warp) { // orders threads of one warp
            int p, r;
            Int threads;
            j = conj_quotient(j, thread_number(x, cx, &threads), 32, &p);
            j = conj_quotient(j, thread_number(y, cy, &threads), 32, &r);
            j = conj_same_vars(j, p, r, 1);
        }
        set_add_all(out, before(before(in_domain(set_of(j), b, c), x, cx, b, c), b, c, y, cy));
    }
}

static bool is_parted(Conj j, const Leaf *x, int cx, const Leaf *y, int cy) {
    const Program *p = &programs[1];
    Set ordered = {0};
    if (conj_empty(j)) return true;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *b = p->leaf[i];
        if (!b->barrier || b->kernel != x->kernel) continue;
        parted_by(j.n, b, x, cx, y, cy, &ordered);
        parted_by(j.n, b, y, cy, x, cx, &ordered);
    }
    return set_inside(set_of(j), ordered, vars_of(j));
}

static void may_meet(Conj j, const Access *x, int cx, const Access *y, int cy) {
    const Leaf *l = x->leaf, *m = y->leaf;
    int n = common_loops(l, m);
    const char *array = x->array->name;
    j = conj_same_vars(j, cx, cy, l->outer); // each round of the host's loops is a launch of its own
    for (int i = 0; i < l->depth || i < m->depth; i++) {
        if (!is_how(l, i, "block") && !is_how(m, i, "block")) continue;
        if (i >= n) refuse("%s: blocks of loops of their own", array);
        if (!always_same(j, linear_var(cx + i), linear_var(cy + i)))
            refuse("blocks may meet on %s: lines %d and %d of the kernel", array, l->line, m->line);
        j = conj_same_vars(j, cx + i, cy + i, 1);
    }
    Int of_l, of_m;
    Linear a = thread_number(l, cx, &of_l), b = thread_number(m, cy, &of_m);
    if (of_l && of_m) {
        if (is_parted(conj_less(j, a, b, 1), l, cx, m, cy) && is_parted(conj_less(j, b, a, 1), l, cx, m, cy))
            return;
    } else if (is_parted(j, l, cx, m, cy)) return;
    refuse("threads may meet on %s with no barrier between: lines %d and %d of the kernel", array, l->line,
           m->line);
}

static void check_pair(const Access *x, const Access *y) {
    int cx, cy;
    Conj j = with_counters(with_counters(conj_here(ATOMS), x->leaf, &cx), y->leaf, &cy);
    Set both = same_word(in_domain(in_domain(set_of(j), x->leaf, cx), y->leaf, cy), x, cx, y, cy);
    if (both.bad) refuse("%s: a subscript is not affine", x->array->name);
    for (int i = 0; i < both.n; i++)
        if (!conj_empty(both.at[i])) may_meet(both.at[i], x, cx, y, cy);
}

void check_order(void) {
    const Program *p = &programs[1];
    for (int i = 0; i < p->nleaves; i++)
        for (int k = i; k < p->nleaves; k++) {
            const Leaf *l = p->leaf[i], *m = p->leaf[k];
            if (l->kernel != m->kernel || !l->kernel) continue;
            for (int a = 0; a < l->naccesses; a++)
                for (int b = i == k ? a : 0; b < m->naccesses; b++) {
                    const Access *x = &l->access[a], *y = &m->access[b];
                    bool atomic = l->atomic && m->atomic && !a && !b && is(l->op, m->op);
                    if (x->array != y->array || (a && b) || atomic || x->array->lanes) continue;
                    size_t mark = take_mark();
                    check_pair(x, y);
                    take_back(mark);
                }
        }
}
