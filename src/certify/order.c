// SPDX-License-Identifier: MIT
// order.c -- accesses inside their arrays; threads that meet on a word with no barrier between them.
#include "certify/certify.h"
#include <string.h>

// ---- bounds -----------------------------------------------------------------------------------------
//   (rows 2 first 0 1 PIECES)   of array 2 the loops touch no row before that of load 1 of leaf 0, at the
//                               counters that the pieces say: memory between the first and the last is there
typedef struct Edging {
    const Array *array;
    bool first;
    const Access *by;
    Conjs at; // no dimensions, to the leaf's counters
    struct Edging *next;
} Edging;
static Edging *edgings;

void read_edges(const Item *x) {
    Edging *e = take(sizeof *e);
    Int array = item_int(x, 1), leaf = item_int(x, 3), k = item_int(x, 4);
    if (array < 0 || array >= narrays || leaf < 0 || leaf >= programs[0].nleaves || k < 0 ||
        k >= programs[0].leaf[leaf]->naccesses)
        refuse("line %d: there is no such access", x->line);
    const Access *by = &programs[0].leaf[leaf]->access[k];
    *e = (Edging){&arrays[array], !strcmp(item_word(x, 2), "first"), by, .next = edgings};
    if (by->array != e->array || !e->array->rank) refuse("line %d: it touches another array", x->line);
    read_map(x, 5, 0, programs[0].leaf[leaf]->depth, &e->at);
    edgings = e;
}

// Where a load is evaluated, at any of its places in x, as far as affine conditions around it say. False: it
// stands nowhere in x.
static bool evaluated(const Ex *x, int access, int c, Conj j, Conjs *out) {
    bool found = x->kind == EX_LOAD && x->access == access;
    if (found) conjs_add(out, j);
    for (int i = 0; i < x->nargs; i++) {
        Conjs on = {0};
        bool choice = x->kind == EX_OP && !strcmp(x->word, "?:") && i;
        bool second = x->kind == EX_OP && i && (!strcmp(x->word, "&&") || !strcmp(x->word, "||"));
        bool want = choice ? i == 1 : second && x->word[0] == '&';
        if (!(choice || second) || !holds(x->arg[0], c, want, j, &on)) on.n = 0, conjs_add(&on, j);
        for (int k = 0; k < on.n; k++) found |= evaluated(x->arg[i], access, c, on.at[k], out);
    }
    return found;
}

static void touched(Conj j, const Access *x, int c, Conjs *out) {
    Conjs in = {0};
    in_domain(j, x->leaf, c, &in);
    for (int i = 0; i < in.n; i++)
        if (!x->load || x->addressing || !evaluated(x->leaf->src, x->load->access, c, in.at[i], out))
            conjs_add(out, in.at[i]);
}

static void check_edging(const Edging *e) {
    for (int i = 0; i < e->at.n; i++) {
        int c;
        Conj j = conj_put((Conj){context.last, ATOMS}, e->at.at[i], ATOMS, NULL, true, &c);
        Conjs there = {0};
        if (conj_empty(j)) continue;
        touched((Conj){.n = j.n}, e->by, c, &there);
        if (!conj_inside(j, &there, j.n)) refuse("%s: a row that the loops do not touch", e->array->name);
    }
}

// Frames in which first row <= v <= last row.
static void between_rows(int n, const Array *a, Linear v, Conjs *out) {
    for (const Edging *e = edgings; e; e = e->next)
        for (const Edging *f = edgings; f; f = f->next)
            for (int i = 0; i < e->at.n && e->array == a && f->array == a && e->first && !f->first; i++)
                for (int k = 0; k < f->at.n; k++) {
                    int ce, cf;
                    Cases low = {0}, high = {0};
                    Conj j = conj_put((Conj){.n = n}, e->at.at[i], ATOMS, NULL, true, &ce);
                    if (!affine(e->by->sub[0], ce, j, &low) || low.n != 1) continue;
                    j = conj_put(low.at[0].j, f->at.at[k], ATOMS, NULL, true, &cf);
                    if (!affine(f->by->sub[0], cf, j, &high) || high.n != 1) continue;
                    conjs_add(out, conj_less(conj_less(high.at[0].j, low.at[0].v, v, 0), v, high.at[0].v, 0));
                }
}

static bool is_within(Conj j, const Array *a, int d, Linear v) {
    Conjs room = {0};
    if (!d && !strcmp(a->place, "user")) between_rows(j.n, a, v, &room);
    else {
        Cases n = {0};
        if (!a->extent[d] || !affine(a->extent[d], 0, (Conj){.n = j.n}, &n)) return false;
        for (int i = 0; i < n.n; i++)
            conjs_add(&room, conj_less(conj_less(n.at[i].j, linear_int(0), v, 0), v, n.at[i].v, 1));
    }
    return conj_inside(j, &room, j.n);
}

// Sizes at which the loops do nothing need no memory.
static void busy(Conj j, Conjs *out) {
    const Program *p = &programs[0];
    for (int i = 0; i < p->nleaves; i++) {
        bool known = false;
        for (int k = 0; k < p->nleaves && !known; k++) {
            const Leaf *o = p->leaf[k], *l = p->leaf[i];
            bool wider = !o->nconds && common_loops(o, l) == o->depth;
            known = k != i && wider && (o->depth < l->depth || l->nconds || k < i);
        }
        int c;
        Conj with = with_counters(j, p->leaf[i], &c);
        if (!known) in_domain(with, p->leaf[i], c, out);
    }
}

static void check_access(const Access *x) {
    const Array *a = x->array;
    int c;
    Conjs at = {0};
    if (!a->rank || (!strcmp(a->place, "temp") && !a->sized)) return;
    Conj j = with_counters((Conj){context.last, ATOMS}, x->leaf, &c);
    touched(j, x, c, &at);
    for (int i = 0; i < at.n; i++) {
        Conjs does = {0};
        if (conj_empty(at.at[i])) continue;
        busy(at.at[i], &does);
        for (int k = 0; k < does.n; k++)
            for (int d = 0; d < a->rank; d++) {
                Cases v = {0};
                if (!affine(x->sub[d], c, does.at[k], &v))
                    refuse("%s: a subscript at line %d of the kernel is not affine", a->name, x->leaf->line);
                for (int m = 0; m < v.n; m++)
                    if (!conj_empty(v.at[m].j) && !is_within(v.at[m].j, a, d, v.at[m].v))
                        refuse("%s: the access at line %d of the kernel may be outside", a->name,
                               x->leaf->line);
            }
    }
}

void check_bounds(void) {
    const Program *p = &programs[1];
    for (const Edging *e = edgings; e; e = e->next) check_edging(e);
    for (int i = 0; i < p->nleaves; i++)
        for (int k = 0; k < p->leaf[i]->naccesses; k++) {
            size_t mark = take_mark();
            check_access(&p->leaf[i]->access[k]);
            take_back(mark);
        }
}

// ---- threads that meet ------------------------------------------------------------------------------
static bool is_how(const Loop *l, const char *how) { return !strcmp(l->how, how); }

static int thread_loops(const Leaf *l, int *first) {
    int n = 0;
    *first = l->depth;
    for (int i = 0; i < l->depth; i++)
        if (is_how(l->loop[i], "thread") && !n++) *first = i;
    return n;
}

static Linear thread_number(const Leaf *l, int c) {
    int first, n = thread_loops(l, &first);
    Linear sum = linear_int(0);
    Int weight = 1;
    for (int i = first + n - 1; n && i >= first; i--) {
        const Loop *loop = l->loop[i];
        if (!is_how(loop, "thread") || loop->hi->kind != EX_INT || loop->lo->kind != EX_INT || loop->lo->i ||
            loop->step != 1)
            refuse("the threads of line %d cannot be numbered", l->line);
        sum = linear_add(sum, weight, linear_var(c + i));
        weight *= loop->hi->i;
    }
    return sum;
}

// Frames, over cx and cy, in which barrier b comes after x and before y.
static void parted_by(int n, const Leaf *b, const Leaf *x, int cx, const Leaf *y, int cy, Conjs *out) {
    for (int k = 0; k < 2; k++) { // in the round of x, or of y
        const Leaf *l = k ? y : x;
        int c;
        Conj j = with_counters((Conj){.n = n}, b, &c);
        if (common_loops(b, l) < b->depth) continue;
        for (int i = 0; i < b->depth; i++) j = conj_define(j, c + i, linear_var((k ? cy : cx) + i));
        if (b->warp) { // orders threads of one warp
            int p, r;
            j = conj_quotient(j, thread_number(x, cx), 32, &p);
            j = conj_quotient(j, thread_number(y, cy), 32, &r);
            j = conj_same_vars(j, p, r);
        }
        Conjs in = {0}, after = {0};
        in_domain(j, b, c, &in);
        for (int i = 0; i < in.n; i++) before(in.at[i], x, cx, b, c, &after);
        for (int i = 0; i < after.n; i++) before(after.at[i], b, c, y, cy, out);
    }
}

static bool is_parted(Conj j, const Leaf *x, int cx, const Leaf *y, int cy) {
    const Program *p = &programs[1];
    Conjs ordered = {0};
    if (conj_empty(j)) return true;
    for (int i = 0; i < p->nleaves; i++) {
        const Leaf *b = p->leaf[i];
        if (!b->barrier || b->kernel != x->kernel) continue;
        parted_by(j.n, b, x, cx, y, cy, &ordered);
        parted_by(j.n, b, y, cy, x, cx, &ordered);
    }
    return conj_inside(j, &ordered, j.n);
}

static void may_meet(Conj j, const Access *x, int cx, const Access *y, int cy) {
    const Leaf *l = x->leaf, *m = y->leaf;
    int n = common_loops(l, m), first;
    const char *array = x->array->name;
    for (int i = 0; i < l->depth || i < m->depth; i++) {
        bool apart =
            (i < l->depth && is_how(l->loop[i], "block")) || (i < m->depth && is_how(m->loop[i], "block"));
        if (!apart) continue;
        if (i >= n) refuse("%s: blocks of loops of their own", array);
        Linear a = linear_var(cx + i), b = linear_var(cy + i);
        if (!conj_empty(conj_less(j, a, b, 1)) || !conj_empty(conj_less(j, b, a, 1)))
            refuse("blocks may meet on %s: lines %d and %d of the kernel", array, l->line, m->line);
        j = conj_same(j, a, b);
    }
    if (thread_loops(l, &first) && thread_loops(m, &first)) {
        Linear a = thread_number(l, cx), b = thread_number(m, cy);
        if (is_parted(conj_less(j, a, b, 1), l, cx, m, cy) && is_parted(conj_less(j, b, a, 1), l, cx, m, cy))
            return;
    } else if (is_parted(j, l, cx, m, cy)) return;
    refuse("threads may meet on %s with no barrier between: lines %d and %d of the kernel", array, l->line,
           m->line);
}

static void check_pair(const Access *x, const Access *y) {
    int cx, cy;
    Conjs in = {0}, both = {0}, same = {0};
    Conj j = with_counters(with_counters((Conj){context.last, ATOMS}, x->leaf, &cx), y->leaf, &cy);
    in_domain(j, x->leaf, cx, &in);
    for (int i = 0; i < in.n; i++) in_domain(in.at[i], y->leaf, cy, &both);
    for (int i = 0; i < both.n; i++)
        if (!same_word(both.at[i], x, cx, y, cy, &same))
            refuse("%s: a subscript is not affine", x->array->name);
    for (int i = 0; i < same.n; i++)
        if (!conj_empty(same.at[i])) may_meet(same.at[i], x, cx, y, cy);
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
                    bool atomic = l->atomic && m->atomic && !a && !b && !strcmp(l->op, m->op);
                    if (x->array != y->array || (a && b) || atomic || x->array->lanes) continue;
                    size_t mark = take_mark();
                    check_pair(x, y);
                    take_back(mark);
                }
        }
}
