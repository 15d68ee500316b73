// SPDX-License-Identifier: MIT
// keeps.c -- what parts of a strip's steps read, kept from step to step (rule keep).
//
//   for ti { row t of a, near;  i far: a[i][j] -= a[t][j];  … row t again, in a later step }
//     →   for ti { row t …; a_k[ti][j] = a[t][j];  i far: a[i][j] -= a_k[ti][j];  … }
//
// A far part waits for the whole strip, so nothing that it reads may be overwritten by a later step. Parts
// with the same far loops stay together and need nothing kept for each other.
#include "plan/panels.h"
#include "rule/loops.h"
#include "rule/refs.h"
#include "rule/storage.h"

enum { MOST_KEEPS = 48 };

typedef struct Kept { // reads of one element in a part
    const Node *loop;
    const Array *array;
    const Touch *touch;
    int n, number[PANEL_KIDS];
} Kept;

typedef struct Keeps {
    const Strip *s;
    const ChainFacts *f;
    Refs refs[PANEL_KIDS];     // of each part
    int n;
    Kept all[MOST_KEEPS];
} Keeps;

// ---- parts that stay together ---------------------------------------------------------------------
static bool goes_along(const Ref *r, int dim, const Node *loop) {
    return dim < r->array->rank && expr_uses_sym(r->sub[dim], loop->iter);
}

// Do two loops go along the same dimension of some array?
static bool along_the_same(const Refs *x, const Node *lx, const Refs *y, const Node *ly) {
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            for (int d = 0; x->at[i].array == y->at[j].array && d < x->at[i].array->rank; d++)
                if (goes_along(&x->at[i], d, lx) && goes_along(&y->at[j], d, ly)) return true;
    return false;
}

// Has each far loop around a reference of x one like it in y?
static bool has_likes(const Strip *s, const Refs *x, const Refs *y) {
    for (int i = 0; i < x->n; i++)
        for (int l = 0; l < x->at[i].nloops; l++) {
            const Node *loop = x->at[i].loop[l];
            const Node *const *around = (const Node *const *)x->at[i].loop;
            bool like = !panel_is_far(s, loop, l, around);
            for (int j = 0; j < y->n && !like; j++)
                for (int m = 0; m < y->at[j].nloops && !like; m++) {
                    const Node *other = y->at[j].loop[m], *const *beside = (const Node *const *)y->at[j].loop;
                    like = panel_side(s, other, m, beside) == panel_side(s, loop, l, around) &&
                           along_the_same(x, loop, y, other);
                }
            if (!like) return false;
        }
    return true;
}

// ---- what is to be kept ---------------------------------------------------------------------------
static int part_of(const Keeps *k, const Node *n) {
    for (int i = 0; i < k->f->things->nkids; i++)
        for (int r = 0; r < k->refs[i].n; r++)
            if (k->refs[i].at[r].node == n) return i;
    return -1;
}

static Node *loop_in(Node *n) {
    while (n && n->kind != N_FOR) n = n->kind == N_SEQ && n->nkids > 1 ? NULL : node_kid(n, 0);
    return n;
}

static bool is_overwritten(const Keeps *k, const Touch *r, int part) {
    const Relations *rel = k->f->rel;
    for (int i = 0; i < rel->touches.n; i++) {
        const Touch *w = &rel->touches.at[i];
        int other = w->write && may_conflict(r, w) ? part_of(k, w->ev->node) : -1;
        if (other < 0 || other == part || !chain_before(k->f, r, w)) continue;
        const Refs *x = &k->refs[part], *y = &k->refs[other];
        if (!has_likes(k->s, x, y) || !has_likes(k->s, y, x)) return true;
    }
    return false;
}

typedef struct Count {
    const Touch *touch;
    Kept *kept;
    int met;
} Count;

static bool count(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Count *c = arg;
    (void)to, (void)sub;
    if (s->write) return false;
    bool same = true;
    for (int d = 0; d < c->touch->array->rank; d++) same = same && expr_equal(c->touch->sub[d], s->sub[d]);
    if (same && c->kept->n < PANEL_KIDS) c->kept->number[c->kept->n++] = c->met;
    c->met++;
    return false;
}

static bool is_noted(const Keeps *k, const Touch *t, const Node *loop) {
    for (int i = 0; i < k->n; i++) {
        const Kept *x = &k->all[i];
        bool same = x->loop == loop && x->array == t->array;
        for (int d = 0; d < t->array->rank && same; d++) same = expr_equal(x->touch->sub[d], t->sub[d]);
        if (same) return true;
    }
    return false;
}

// False: there are too many, or a part is no loop.
static bool note(Keeps *k, const Touch *t, int part) {
    Node *loop = loop_in(k->f->things->kids[part]);
    if (!loop || k->n == MOST_KEEPS) return false;
    if (is_noted(k, t, loop)) return true;
    Kept *x = &k->all[k->n++];
    *x = (Kept){.loop = loop, .array = t->array, .touch = t};
    accesses_edit(k->s->p->a, loop, t->array, count, &(Count){t, x, 0});
    return true;
}

static bool find(Keeps *k) {
    const Relations *rel = k->f->rel;
    for (int i = 0; i < rel->touches.n; i++) {
        const Touch *t = &rel->touches.at[i];
        if (t->write || !t->array->rank || t->array->place == PLACE_LOCAL) continue;
        int part = part_of(k, t->ev->node);
        bool far = part >= 0 && panel_has_far(k->s, k->f->things->kids[part], 0, NULL);
        if (far && is_overwritten(k, t, part) && !note(k, t, part)) return false;
    }
    return true;
}

// Reads that have been sent elsewhere are none of the array any more: so many of those before.
static const char *numbers(const Keeps *k, int at) {
    const Kept *x = &k->all[at];
    int number[PANEL_KIDS];
    for (int i = 0; i < x->n; i++) {
        number[i] = x->number[i];
        for (int j = 0; j < at; j++) {
            const Kept *y = &k->all[j];
            for (int m = 0; y->loop == x->loop && y->array == x->array && m < y->n; m++)
                number[i] -= y->number[m] < x->number[i];
        }
    }
    return plan_numbers(k->s->p, x->n, number);
}

Node *panel_keeps(const Strip *s, Node *tree) {
    Plan *p = s->p;
    Node *steps = unwrap(tree->body);
    if (steps->kind != N_FOR || p->nhost == MAX_HOST_LOOPS) return NULL;
    Keeps *k = NEW(p->a, Keeps);
    p->host[p->nhost++] = tree;
    *k = (Keeps){.s = s, .f = chain_order(p, steps)};
    p->nhost--;
    const Node *seq = k->f->things;
    if (k->f->chain.n != 1 || seq->kind != N_SEQ || seq->nkids > PANEL_KIDS) return tree;
    for (int i = 0; i < seq->nkids; i++) refs_of(p->a, seq->kids[i], &k->refs[i]);
    p->host[p->nhost++] = tree;
    bool found = find(k);
    p->nhost--;
    for (int i = 0; i < k->n && tree && found; i++) {
        const Kept *x = &k->all[i];
        tree = plan_step(p, tree, "keep %s at=%s over=%s reads=%s", x->array->name, x->loop->iter->name,
                         s->steps->name, numbers(k, i));
    }
    return found ? tree : NULL;
}
