// SPDX-License-Identifier: MIT
// slice_side.c -- what a subscript is at most and at least, by the conditions that hold where it is used and
// by what temporaries in it were set to (sides.c says what follows from one condition).
#include "front/slice.h"

// Where n is met on the way to s->at; *set: x is set between.
static bool leads_there(const Slice *s, const Node *n, const Array *x, bool *set) {
    if (!n) return false;
    bool before = false;
    if (n == s->at) return true;
    for (int k = 0; node_kid(n, k); k++) {
        const Node *kid = node_kid(n, k);
        if (leads_there(s, kid, x, set)) {
            *set |= (n->kind == N_SEQ && before) || (n->kind == N_FOR && node_writes((Node *)n, x));
            return true;
        }
        before = before || node_writes((Node *)kid, x);
    }
    return false;
}

// Has the expression at s->at, which is in that arm, the value that it had where the arm begins?
static bool is_kept(Slice *s, const Node *arm, const Expr *root) {
    expr_each(x, root) {
        bool set = false;
        if (x->kind != E_LOAD) continue;
        if (is_own_number(x)) leads_there(s, arm, x->array, &set);
        else set = !slice_may_read(s, x);
        if (set) return false;
    }
    return true;
}

// The conditions that hold at s->at as they held where they were asked.
static void facts_there(Slice *s, const Expr *guard, AtMosts *out) {
    if (guard) facts_add(s->a, out, guard, true);
    for (int k = 0; k < s->conds.n; k++) {
        const Cond *c = &s->conds.at[k];
        AtMosts all = {0};
        facts_add(s->a, &all, c->n->cond, c->holds);
        for (int j = 0; j < all.n; j++) {
            const Node *arm = c->holds ? c->n->then : c->n->other;
            bool kept = is_kept(s, arm, all.at[j].less) && is_kept(s, arm, all.at[j].more);
            if (kept) vec_push(s->a, out, all.at[j]);
        }
    }
}

// The assignment ahead of s->at, in a block around it, behind which x has no value from before it.
static bool find_last_set(const Slice *s, const Node *n, const Array *x, const Node **set) {
    if (n == s->at) return true;
    for (int k = 0; node_kid(n, k); k++) {
        if (!find_last_set(s, node_kid(n, k), x, set)) continue;
        for (int j = k - 1; n->kind == N_SEQ && j >= 0 && !*set; j--) {
            const Node *kid = node_kid(n, j);
            bool whole = kid->kind == N_STMT && kid->stmt->lhs == x && kid->stmt->op == OP_SET;
            if (whole) *set = kid;
        }
        return true;
    }
    return false;
}

// Is x, whatever stands in it, y or beyond it?
static bool is_beyond(const Expr *x, const Expr *y, bool most) {
    int64_t mx, my;
    bool alike = expr_equal(expr_without_number(x, &mx), expr_without_number(y, &my));
    return alike && (most ? mx >= my : mx <= my);
}

static bool follow_side(Slice *s, Expr *sub, bool most) {
    const Array *x = slice_temporary(s, sub);
    if (!x) return false;
    Way w = {.x = x, .sub = sub, .sided = true, .most = most};
    find_last_set(s, s->root, x, &w.from);
    for (int k = 0; k < s->ways.n; k++) {
        const Way *v = &s->ways.at[k];
        bool all = v->x == w.x && v->sided && v->most == most && (!v->from || v->from == w.from);
        if (all && is_beyond(v->sub, w.sub, most)) return true;
    }
    if (s->ways.n == MOST_WAYS) return false;
    vec_push(s->a, &s->ways, w);
    return true;
}

static bool is_readable_there(const Expr *x, void *arg) { return slice_may_read(arg, x); }

static bool has_no_value(const Expr *x, bool most, void *arg, ExprVec *out) {
    (void)x, (void)most, (void)arg, (void)out;
    return false;
}

// Is x set between the assignment and s->at?
static bool is_set_behind(const Slice *s, const Node *n, const Node *set, const Array *x) {
    bool found = false, behind = false;
    for (int k = 0; node_kid(n, k); k++) {
        const Node *kid = node_kid(n, k);
        if (behind && leads_there(s, kid, x, &found)) return found;
        if (!behind && kid != set && leads_there(s, kid, x, &found)) return is_set_behind(s, kid, set, x);
        found = found || (behind && node_writes((Node *)kid, x));
        behind = behind || kid == set;
    }
    return true;
}

// Of a temporary that is set just once on the way to s->at, what it was set to, where the host knows that.
static bool value_there(const Expr *x, bool most, void *arg, ExprVec *out) {
    Slice *s = arg;
    const Node *set = NULL, *at = s->at;
    AtMosts none = {0};
    ExprVec all = {0};
    find_last_set(s, s->root, x->array, &set);
    if (!set || is_set_behind(s, s->root, set, x->array)) return false;
    s->at = (Node *)set;
    bool told = side_terms(s->a, set->stmt->rhs, most, &none, is_readable_there, has_no_value, s, &all);
    for (int k = 0; k < all.n && told; k++) told = slice_may_read(s, all.at[k]);
    s->at = (Node *)at;
    for (int k = 0; k < all.n && told; k++) vec_push(s->a, out, all.at[k]);
    return told;
}

Node *slice_side(Slice *s, Expr *sub, Expr *guard, bool most) {
    AtMosts facts = {0};
    ExprVec all = {0};
    facts_there(s, guard, &facts);
    Node *tree = NULL;
    bool told = side_terms(s->a, sub, most, &facts, is_readable_there, value_there, s, &all);
    for (int k = 0; k < all.n && told; k++) {
        Expr *x = all.at[k];
        Expr *part = slice_may_fail(x) ? guard : slice_readable(s, guard);
        if (!slice_may_read(s, x)) told = follow_side(s, x, most);
        else tree = seq_join(s->a, tree, slice_leaf(s, x, part));
    }
    s->needed = s->loose = true;
    if (!told) slice_needs(s, sub);
    return tree;
}
