// SPDX-License-Identifier: MIT
// private.c -- temporaries move to the innermost block that needs them.
//
//   float t;                               for (i…) { float t; t = a[i]; b[i] = t*t; }
//   for (i…) { t = a[i]; b[i] = t*t; }  →  for (i…) { float t_1; t_1 = …; … }
//   for (i…) { t = …; … t … }
//
// A block may have its own copy when every read in it is certainly preceded by a write in
// the same execution of the block, and nothing reads the value afterwards. A scalar whose
// last value the program sees gets it from the last iteration:
//
//   for (i…) { t = a[i]; … }   →   for (i…) { t_1 = a[i]; …; if (i == hi-1) t = t_1; }
#include "front/normal.h"

typedef struct Private {
    Normal *m;
    Arena *a;
    const Array *v;    // what is being moved
    bool v_free;       // v itself may serve as the first copy
} Private;

static Node *settle(Private *p, Node *n);

// ---- copies -----------------------------------------------------------------------------

static const Array *new_copy(Private *p) {
    if (!p->v_free) return local_copy(p->m, p->v);
    p->v_free = false;
    return p->v;
}

typedef struct Rename {
    const Array *from, *to;
} Rename;

static const Array *rename_array(Rebuild *b, const Array *v) {
    const Rename *r = b->self;
    return v == r->from ? r->to : v;
}

static Node *renamed(Private *p, Node *n, const Array *to) {
    Rename r = {p->v, to};
    Rebuild b = {.a = p->a, .array = rename_array, .self = &r};
    return to == p->v ? n : rebuild_node(&b, n);
}

static Node *seq_copy(Private *p, Node *n) {
    Node *s = NEW(p->a, Node);
    if (n->kind == N_SEQ) {
        *s = *n;
        s->kids = NEW_N(p->a, Node *, n->nkids + 1);
        for (int k = 0; k < n->nkids; k++) s->kids[k] = n->kids[k];
        return s;
    }
    *s = (Node){.kind = N_SEQ, .loc = n->loc, .nkids = 1, .kids = NEW_N(p->a, Node *, 2)};
    s->kids[0] = n;
    return s;
}

static void declare(Private *p, Node *seq, const Array *v) {
    const Array **locals = NEW_N(p->a, const Array *, seq->nlocals + 1);
    for (int k = 0; k < seq->nlocals; k++) locals[k] = seq->locals[k];
    locals[seq->nlocals++] = v;
    seq->locals = locals;
}

static Node *declared_around(Private *p, Node *n) {
    const Array *w = new_copy(p);
    Node *s = seq_copy(p, renamed(p, n, w));
    declare(p, s, w);
    return s;
}

// ---- groups: the children of a sequence that must share one copy --------------------------

// Can child k start with a copy of its own? Not if a later child may see what was before k.
static bool starts_anew(Private *p, Node *seq, int k, bool used_after) {
    if (node_exposed(p->a, seq->kids[k], p->v)) return false;
    if (node_certainly_writes(p->a, seq->kids[k], p->v)) return true;
    for (int j = k + 1; j < seq->nkids; j++) {
        if (!node_uses(seq->kids[j], p->v)) continue;
        if (node_exposed(p->a, seq->kids[j], p->v)) return false;
        if (node_certainly_writes(p->a, seq->kids[j], p->v)) return true;
    }
    return !used_after;
}

static Node *last_private(Private *p, Node *n);

// Children first … last-1 of s are a group.
static void settle_group(Private *p, Node *s, int first, int last, bool stays) {
    int users = 0;
    for (int k = first; k < last; k++) users += node_uses(s->kids[k], p->v);
    if (!users) return;
    const Array *w = NULL;
    if (!stays && users > 1) declare(p, s, w = new_copy(p));
    for (int k = first; k < last; k++) {
        if (!node_uses(s->kids[k], p->v)) continue;
        if (stays) s->kids[k] = last_private(p, s->kids[k]);
        else s->kids[k] = w ? renamed(p, s->kids[k], w) : settle(p, s->kids[k]);
    }
}

// incoming: v has a value before the sequence; used_after: its value at the end matters.
// There v stays; elsewhere each group gets a copy.
static Node *settle_seq(Private *p, Node *n, bool incoming, bool used_after) {
    Node *s = seq_copy(p, n);
    bool *fresh = NEW_N(p->a, bool, n->nkids);
    for (int k = 0; k < n->nkids; k++)
        fresh[k] = node_uses(n->kids[k], p->v) && starts_anew(p, n, k, used_after);
    for (int first = 0, k = 1; k <= n->nkids; k++) {
        if (k < n->nkids && !fresh[k]) continue;
        if (fresh[first]) incoming = false;
        settle_group(p, s, first, k, incoming || (used_after && k == n->nkids));
        first = k;
    }
    return s;
}

// n reads only what it wrote itself, and nothing after n reads v.
static Node *settle(Private *p, Node *n) {
    if (n->kind == N_SEQ) return settle_seq(p, n, false, false);
    if (n->kind == N_IF) {
        Node *copy = node_clone(p->a, n);
        if (node_uses(n->then, p->v)) copy->then = settle(p, n->then);
        if (n->other && node_uses(n->other, p->v)) copy->other = settle(p, n->other);
        return copy;
    }
    if (n->kind != N_FOR || node_exposed(p->a, n->body, p->v)) return declared_around(p, n);
    Node *copy = node_clone(p->a, n);
    copy->body = settle(p, n->body);
    return copy;
}

// ---- last values ------------------------------------------------------------------------------

static bool is_fixed_bound(const Expr *x) { return !expr_varies(x); }

Node *only_loop_with(Node *n, const Array *v) {
    while (n->kind == N_SEQ) {
        Node *user = NULL;
        for (int k = 0; k < n->nkids; k++) {
            if (!node_uses(n->kids[k], v)) continue;
            if (user) return NULL;
            user = n->kids[k];
        }
        if (!user) return NULL;
        n = user;
    }
    return n->kind == N_FOR ? n : NULL;
}

// The loop l inside loops of which the last iterations are meant by `cond`.
static Node *last_private_in(Private *p, Node *l, Expr *cond) {
    if (l->kind != N_FOR || expr_has_load(l->lo) || expr_has_load(l->hi)) return NULL;
    if (cond && (!is_fixed_bound(l->lo) || !is_fixed_bound(l->hi))) return NULL;
    if (node_exposed(p->a, l->body, p->v)) return NULL;
    Expr *i = expr_sym(p->a, l->iter);
    Expr *here = expr_op(p->a, OP_EQ, i, expr_cast(p->a, i->type, loop_last(p->a, l)), NULL);
    cond = cond ? expr_op(p->a, OP_LAND, cond, here, NULL) : here;
    Node *copy = node_clone(p->a, l);
    Node *inner = only_loop_with(l->body, p->v);
    bool written = node_certainly_writes(p->a, l->body, p->v);
    bool collapsed = inner && inner->mark && inner->mark->assert == ASSERT_PARALLEL;
    Node *done = inner && (!written || collapsed) ? last_private_in(p, inner, cond) : NULL;
    if (done) {
        copy->body = node_replace(p->a, l->body, inner, done);
        return copy;
    }
    if (!written) return NULL;
    const Array *w = new_copy(p);
    Stmt *t = NEW(p->a, Stmt);
    *t = (Stmt){.loc = l->loc, .lhs = p->v, .op = OP_SET, .rhs = expr_load(p->a, w, NULL)};
    Node *body = seq_copy(p, renamed(p, l->body, w));
    declare(p, body, w);
    body->kids[body->nkids++] = node_if(p->a, cond, stmt_leaf(p->a, t), NULL);
    copy->body = body;
    return copy;
}

// For v that stays: a loop that certainly writes it in each iteration gets a copy, also in sequences and
// arms.
static Node *last_private(Private *p, Node *n) {
    if (n->kind == N_SEQ) return settle_seq(p, n, true, true);
    if (n->kind == N_IF) {
        Node *copy = node_clone(p->a, n);
        copy->then = last_private(p, n->then);
        if (n->other) copy->other = last_private(p, n->other);
        return copy;
    }
    Node *done = p->v->rank == 0 ? last_private_in(p, n, NULL) : NULL;
    return done ? done : n;
}

// ---- the pass ----------------------------------------------------------------------------------

static bool has_steady_extents(const Array *v) {
    for (int k = 0; k < v->rank; k++)
        if (!v->extent[k] || expr_varies(v->extent[k])) return false;
    return true;
}

static Node *sink_locals(Rebuild *b, Node *n) {
    if (n->kind != N_SEQ) return n;
    for (int k = n->nlocals - 1; k >= 0; k--) {
        const Array *v = n->locals[k];
        if (v->place != PLACE_LOCAL || !has_steady_extents(v) || node_exposed(b->a, n, v)) continue;
        Node *bare = node_clone(b->a, n);
        const Array **rest = NEW_N(b->a, const Array *, n->nlocals);
        bare->nlocals = 0;
        for (int j = 0; j < n->nlocals; j++)
            if (j != k) rest[bare->nlocals++] = n->locals[j];
        bare->locals = rest;
        Private p = {b->self, b->a, v, true};
        n = settle_seq(&p, bare, false, false);
    }
    return n;
}

Region *pass_private(Normal *m, Region *r) {
    Node *root = r->root;
    for (int k = 0; k < r->narrays; k++) {
        const Array *v = r->arrays[k];
        if ((v->rank && v->live_out) || !has_steady_extents(v) || !node_writes(root, v)) continue;
        Private p = {m, m->a, v, false};
        root = settle_seq(&p, root, true, v->live_out);
    }
    Rebuild b = {.a = m->a, .node = sink_locals, .self = m};
    return region_drop_dead(m, region_with(m, r, rebuild_node(&b, root)));
}
