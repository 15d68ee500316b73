// SPDX-License-Identifier: MIT
// inspect.c -- extents that only the data tell.
//
//   for (i…) for (j = row[i]; j < row[i+1]; j++) y[i] += val[j] * x[col[j]];
//
// Nothing in the text says how far x and val reach. Before a launch the host runs
//
//   x:   for (i…) for (j = row[i]; j < row[i+1]; j++) leaf(col[j])
//   val: for (i…) if (row[i] < row[i+1]) { leaf(row[i]); leaf(row[i+1] - 1) }
//
// and takes the least and the greatest value. Where it can't, what the program says (section.c) is believed.
// What the slice reads must be what the region reads there: memory that it doesn't write, or that each
// iteration reads before it writes it
//
//   for (i…) if (mask[i]) { mask[i] = 0; …x[col[i]]… }
//
// and no other iteration touches.
//
// A condition that the region computes is left out where what stands under it reads nothing and divides by
// nothing that may be 0: then the least and the greatest value may lie beyond what is touched
// (Inspect.loose). What is touched anyway, and once more under a condition, is looked at once.
//
// A subscript that the region computes, where no clause says how far the array reaches, is enclosed
// (reach.c), or followed to where its temporary is set:
//
//   for (i…) { best = -1; for (j…) if (…) best = j; if (best >= 0) …x[best]… }   for (i…) for (j…) leaf(j)
//
// Else it is asked what it is at most and at least (sides.c), by conditions that hold there, and what
// temporaries in that are at most and at least where they are set:
//
//   lo = 0; hi = n; while (lo < hi) { m = (lo + hi) / 2; if (x[m] < v) lo = m + 1; else hi = m; }     0, n
//
// Of a row that a linear subscript was split into (shape.c) the same is asked where data choose a column,
// g[i][label[i]]: all columns must be there, so every access is looked at.
#include "front/slice.h"
#include "ir/show.h"
#include "ir/slots.h"

// ---- what the slice may read ---------------------------------------------------------------

// Do all writes that may meet the load write its element, and none of them before it is read?
static bool is_written_behind(const Slice *s, const Expr *load) {
    bool read = false;
    node_each(n, s->root) {
        read |= n == s->at;
        if (n->kind != N_STMT || !arrays_may_overlap(n->stmt->lhs, load->array)) continue;
        if (!read || n->stmt->lhs != load->array) return false;
        for (int k = 0; k < load->nargs; k++)
            if (!expr_equal(n->stmt->sub[k], load->args[k])) return false;
    }
    return true;
}

// Is every loop around the place a subscript of the load by itself, so that no two iterations
// read one element?
static bool is_own_element(Slice *s, const Expr *load) {
    if (load->nargs != s->iters.n) return false;
    for (int k = 0; k < s->iters.n; k++) {
        bool found = false;
        for (int d = 0; d < load->nargs; d++)
            found |= load->args[d]->kind == E_SYM && load->args[d]->sym == s->iters.at[k];
        if (!found) return false;
    }
    return true;
}

static bool reads_old_value(Slice *s, const Expr *load) {
    if (load->array->place != PLACE_USER) return false;
    bool written = false;
    for (int k = 0; k < s->written.n; k++) written |= arrays_may_overlap(s->written.at[k], load->array);
    return !written || (is_own_element(s, load) && is_written_behind(s, load));
}

static const Array *changed_in(Slice *s, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_LOAD && !reads_old_value(s, x)) return x->array;
    return NULL;
}

void slice_needs(Slice *s, const Expr *x) {
    if (!s->changed) s->changed = changed_in(s, x);
}

bool slice_may_read(Slice *s, const Expr *x) { return !changed_in(s, x); }

// ---- leaves --------------------------------------------------------------------------------

static bool is_unknown(Slice *s, const Expr *x) {
    for (int k = 0; k < s->iters.n; k++)
        if (s->data_bound.at[k] && expr_uses_sym(x, s->iters.at[k])) return true;
    return !affine_in(s->m->c, x, s->iters.n, s->iters.at);
}

static bool is_asked(Slice *s, const Expr *x) { return s->all || is_unknown(s, x); }

Node *slice_leaf(Slice *s, Expr *value, Expr *guard) {
    slice_needs(s, value);
    slice_needs(s, guard);
    Node *n = NEW(s->a, Node);
    *n = (Node){.kind = N_COPY, .op = OP_SET, .src = expr_cast(s->a, T_I64, value)};
    return guard ? node_if(s->a, guard, n, NULL) : n;
}

static Expr *both(Slice *s, Expr *guard, Expr *x, bool holds) {
    if (!holds) x = expr_op(s->a, OP_LNOT, x, NULL, NULL);
    return guard ? expr_op(s->a, OP_LAND, guard, x, NULL) : x;
}

static bool is_certain(const Slice *s, const Expr *load) {
    for (int k = 0; s && k < s->certain.n; k++)
        if (expr_equal(s->certain.at[k], load)) return true;
    return false;
}

// s: what is read on the way there in any case may be read. NULL: nothing may.
static bool fails_there(const Slice *s, const Expr *x) {
    if (x->kind == E_LOAD && !is_certain(s, x)) return true;
    bool divides = x->op == OP_DIV || x->op == OP_MOD || x->op == OP_FDIV || x->op == OP_FMOD;
    if (x->kind == E_OP && divides && !(x->args[1]->kind == E_INT && x->args[1]->i > 0)) return true;
    for (int k = 0; k < x->nargs; k++)
        if (fails_there(s, x->args[k])) return true;
    return false;
}

bool slice_may_fail(const Expr *x) { return fails_there(NULL, x); }

static bool is_logical(const Expr *x) { return x->op == OP_LAND || x->op == OP_LOR; }

// The loads that x makes whatever it finds.
static void add_certain(Slice *s, const Expr *x) {
    if (!x) return;
    if (x->kind == E_LOAD) vec_push(s->a, &s->certain, x);
    bool first = x->kind == E_OP && (x->op == OP_SELECT || is_logical(x));
    for (int k = 0; k < (first ? 1 : x->nargs); k++) add_certain(s, x->args[k]);
}

// Parameters and counters.
static bool is_plain(const Expr *x, void *arg) {
    (void)arg;
    return !slice_may_fail(x);
}

// ---- what encloses a subscript ---------------------------------------------------------------

static const Scope *scope_of(const Slice *s, const Array *x) {
    for (int k = 0; k < s->scopes.n; k++)
        if (s->scopes.at[k].x == x) return &s->scopes.at[k];
    return NULL;
}

typedef struct Given {
    Arena *a;
    const Array *x;
    Expr *value;
} Given;

static Expr *give(Expr *x, void *arg) {
    const Given *g = arg;
    return x->kind == E_LOAD && x->array == g->x ? g->value : expr_map(g->a, x, give, arg);
}

// e with the value in the temporary's place.
static Expr *given(Slice *s, const Array *x, Expr *value, Expr *e) {
    Given g = {s->a, x, expr_cast(s->a, x->elem, value)};
    return e ? give(e, &g) : NULL;
}

// Is it made of the temporary, and of what is the same in all of its block?
static bool is_of_block(const Slice *s, const Expr *e, const Array *x, const Scope *in) {
    for (int k = in->niters; k < s->iters.n; k++)
        if (expr_uses_sym(e, s->iters.at[k])) return false;
    expr_each(y, e)
        if (y->kind == E_LOAD && y->array != x) return false;
    return true;
}

// What is certain of the temporary where it is used: conditions around, behind which it is not set.
static Expr *certain_of(Slice *s, const Array *x, const Scope *in, Expr *guard) {
    Expr *all = guard && is_of_block(s, guard, x, in) ? guard : NULL;
    for (int k = in->nconds; k < s->conds.n; k++) {
        const Cond *c = &s->conds.at[k];
        bool set = node_writes(c->holds ? c->n->then : c->n->other, x);
        if (!set && is_of_block(s, c->n->cond, x, in)) all = both(s, all, c->n->cond, c->holds);
    }
    return all;
}

const Array *slice_temporary(const Slice *s, const Expr *sub) {
    expr_each(x, sub) {
        if (!is_own_number(x)) continue;
        const Scope *in = scope_of(s, x->array);
        return in && is_of_block(s, sub, x->array, in) ? x->array : NULL;
    }
    return NULL;
}

static bool follow(Slice *s, Expr *sub, Expr *guard) {
    const Array *x = slice_temporary(s, sub);
    if (!x || slice_may_fail(given(s, x, expr_int(s->a, x->elem, 0), sub))) return false;
    Way w = {x, sub, certain_of(s, x, scope_of(s, x), guard)};
    for (int k = 0; k < s->ways.n; k++) {
        const Way *v = &s->ways.at[k];
        bool alike = v->guard && w.guard ? expr_equal(v->guard, w.guard) : v->guard == w.guard;
        if (v->x == w.x && alike && expr_equal(v->sub, w.sub)) return true;
    }
    if (s->ways.n == MOST_WAYS) return false;
    vec_push(s->a, &s->ways, w);
    return true;
}

static Node *touched(Slice *s, Expr *sub, Expr *guard);

// What of a condition the host can ask; NULL: nothing.
Expr *slice_readable(Slice *s, Expr *guard) {
    if (!guard || slice_may_read(s, guard)) return guard;
    if (guard->kind != E_OP || guard->op != OP_LAND) return NULL;
    Expr *x = slice_readable(s, guard->args[0]), *y = slice_readable(s, guard->args[1]);
    return x && y ? both(s, x, y, true) : x ? x : y;
}

static Node *wide_leaf(Slice *s, Expr *sub, Expr *guard) {
    ExprVec ends = {0};
    if (slice_may_read(s, sub)) {
        Expr *part = slice_may_fail(sub) ? guard : slice_readable(s, guard);
        s->loose |= part != guard;
        return slice_leaf(s, sub, part);
    }
    if (s->sided) {
        Node *most = slice_side(s, sub, guard, true);
        return seq_join(s->a, most, slice_side(s, sub, guard, false));
    }
    guard = slice_readable(s, guard);
    bool enclosed = reach_ends(s->a, sub, is_plain, NULL, &ends);
    if (!enclosed && !follow(s, sub, guard)) return slice_leaf(s, sub, guard);
    s->needed = s->loose = true;
    Node *all = NULL;
    for (int k = 0; enclosed && k < ends.n; k++) all = seq_join(s->a, all, slice_leaf(s, ends.at[k], guard));
    return all;
}

// The subscript of the way with the value in the temporary's place.
static Node *way_value(Slice *s, Expr *value) {
    const Way *w = s->way;
    Expr *guard = given(s, w->x, value, w->guard);
    if (guard && expr_is_int(guard, 0)) return NULL;
    return touched(s, given(s, w->x, value, w->sub), guard && guard->kind == E_INT ? NULL : guard);
}

// x for (int)(long long)x.
static Expr *there_and_back(Expr *x) {
    const Expr *wide = x->kind == E_CAST ? x->args[0] : NULL;
    bool back = wide && wide->kind == E_CAST && type_is_int(wide->type) && wide->args[0]->type == x->type &&
                type_is_int(x->type) && type_size(wide->type) >= type_size(x->type);
    return back ? wide->args[0] : x;
}

// With either arm of a choice, whatever it asks for, but what is certain not to be used.
static Node *way_arms(Slice *s, Expr *value) {
    const Way *w = s->way;
    Expr *guard = given(s, w->x, value, w->guard);
    if (guard && expr_is_int(guard, 0)) return NULL;
    if (value->kind != E_OP || value->op != OP_SELECT)
        return touched(s, there_and_back(given(s, w->x, value, w->sub)), NULL);
    if (slice_may_fail(value->args[1]) || slice_may_fail(value->args[2])) s->changed = s->way->x;
    if (s->changed) return NULL;
    s->loose = true;
    Node *then = way_arms(s, value->args[1]);
    return seq_join(s->a, then, way_arms(s, value->args[2]));
}

// With what is assigned here. The least and the greatest are one of those.
static Node *way_leaf(Slice *s, const Stmt *t) {
    if (s->way->sided) {
        s->begun |= s->at == s->way->from || !s->way->from;
        Expr *value = t->rhs;
        if (t->op != OP_SET) value = expr_op(s->a, t->op, expr_load(s->a, t->lhs, NULL), value, NULL);
        return s->begun ? slice_side(s, given(s, t->lhs, value, s->way->sub), NULL, s->way->most) : NULL;
    }
    if (t->op == OP_SET) return way_value(s, t->rhs);
    if (t->op == OP_MIN || t->op == OP_MAX) return way_arms(s, t->rhs);
    s->changed = s->way->x;
    return NULL;
}

static Node *touched(Slice *s, Expr *sub, Expr *guard) {
    if (!s->way && !is_asked(s, sub)) return NULL;
    for (int k = 0; k < s->seen.n; k++)
        if (expr_equal(s->seen.at[k], sub)) return NULL;
    if (!guard && !expr_has_load(sub)) vec_push(s->a, &s->seen, (const Expr *)sub);
    return s->wide ? wide_leaf(s, sub, guard) : slice_leaf(s, sub, guard);
}

// The leaves of the accesses in x, each under the conditions under which it is evaluated.
static Node *expr_leaves(Slice *s, Expr *x, Expr *guard) {
    if (!x || s->way) return NULL;
    Node *all = NULL;
    for (int k = 0; k < x->nargs; k++) {
        Expr *under = guard;
        if (x->kind == E_OP && x->op == OP_SELECT && k > 0) under = both(s, guard, x->args[0], k == 1);
        if (x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR) && k == 1)
            under = both(s, guard, x->args[0], x->op == OP_LAND);
        all = seq_join(s->a, all, expr_leaves(s, x->args[k], under));
    }
    if (x->kind != E_LOAD || x->array != s->v) return all;
    return seq_join(s->a, all, touched(s, x->args[s->dim], guard));
}

static Node *stmt_leaves(Slice *s, const Stmt *t) {
    if (s->way) return t->lhs == s->way->x ? way_leaf(s, t) : NULL;
    Node *all = NULL;
    for (int k = 0; k < t->lhs->rank; k++) all = seq_join(s->a, all, expr_leaves(s, t->sub[k], NULL));
    all = seq_join(s->a, all, expr_leaves(s, t->rhs, NULL));
    if (t->lhs == s->v) all = seq_join(s->a, all, touched(s, t->sub[s->dim], NULL));
    if (all && !s->needed) s->loc = t->loc;
    s->needed |= all != NULL;
    return all;
}

// ---- loops and conditions ----------------------------------------------------------------------

static Node *slice(Slice *s, Node *n);

static Node *slice_for(Slice *s, Node *n) {
    s->at = n;
    Node *before = seq_join(s->a, expr_leaves(s, n->lo, NULL), expr_leaves(s, n->hi, NULL));
    bool data = is_unknown(s, n->lo) || is_unknown(s, n->hi);
    vec_push(s->a, &s->iters, n->iter);
    vec_push(s->a, &s->data_bound, data);
    add_certain(s, n->lo), add_certain(s, n->hi);
    Node *body = slice(s, n->body);
    s->iters.n--;
    s->data_bound.n--;
    if (before && !s->needed) s->loc = n->loc;
    s->needed |= before != NULL;
    if (!body) return before;
    s->at = n;
    slice_needs(s, n->lo);
    slice_needs(s, n->hi);
    return seq_join(s->a, before, slice_loop(s, n, body));
}

// May the host run it where the program does not?
static bool may_fail(const Slice *s, const Node *n) {
    if (!n) return false;
    for (int k = 0; node_kid(n, k); k++)
        if (may_fail(s, node_kid(n, k))) return true;
    if (n->kind == N_FOR) return fails_there(s, n->lo) || fails_there(s, n->hi);
    if (n->kind == N_IF) return fails_there(s, n->cond);
    return n->kind == N_COPY && fails_there(s, n->src);
}

static Node *slice_arm(Slice *s, const Node *n, Node *arm, bool holds) {
    vec_push(s->a, &s->conds, ((Cond){n, holds}));
    Node *some = slice(s, arm);
    s->conds.n--;
    return some;
}

static Node *slice_if(Slice *s, Node *n) {
    s->at = n;
    Node *before = expr_leaves(s, n->cond, NULL);
    int seen = s->seen.n;
    add_certain(s, n->cond);
    Node *then = slice_arm(s, n, n->then, true);
    s->seen.n = seen;
    Node *other = n->other ? slice_arm(s, n, n->other, false) : NULL, *rest = NULL;
    if (before && !s->needed) s->loc = n->loc;
    s->needed |= before != NULL;
    s->at = n;
    const Array *before_it = s->changed;
    if (then || other) slice_needs(s, n->cond);
    if (s->changed && !before_it && (!s->dim || s->wide) && !may_fail(s, then) && !may_fail(s, other)) {
        s->changed = NULL, s->loose = true;
        Expr *part = then && !other ? slice_readable(s, n->cond) : NULL;
        if (part) then = node_if(s->a, part, then, NULL);
        return seq_join(s->a, before, seq_join(s->a, then, other));
    }
    if (then) rest = node_if(s->a, n->cond, then, other);
    else if (other) rest = node_if(s->a, expr_op(s->a, OP_LNOT, n->cond, NULL, NULL), other, NULL);
    return seq_join(s->a, before, rest);
}

// What a statement reads is there for what follows it.
static Node *slice_kid(Slice *s, Node *kid) {
    Node *all = slice(s, kid);
    if (kid->kind != N_STMT) return all;
    for (int k = 0; k < kid->stmt->lhs->rank; k++) add_certain(s, kid->stmt->sub[k]);
    add_certain(s, kid->stmt->rhs);
    return all;
}

// The part of n that leads to the accesses; NULL: none.
static Node *slice(Slice *s, Node *n) {
    if (n->kind == N_STMT) {
        s->at = n;
        return stmt_leaves(s, n->stmt);
    }
    int seen = s->seen.n, scopes = s->scopes.n, certain = s->certain.n;
    Node *all = NULL;
    for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++)
        vec_push(s->a, &s->scopes, ((Scope){n->locals[k], s->iters.n, s->conds.n}));
    if (n->kind == N_FOR) all = slice_for(s, n);
    if (n->kind == N_IF) all = slice_if(s, n);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        all = seq_join(s->a, all, slice_kid(s, n->kids[k]));
    s->seen.n = seen, s->scopes.n = scopes, s->certain.n = certain;
    return all;
}

// ---- the pass ------------------------------------------------------------------------------------

// Can the host run the slice before the region?
static bool is_readable(const Slice *s, const Slots *slots) {
    // OpenMP has such a clause for constructs of devices alone.
    const char *clause = s->m->marked == MARK_OMP ? "by omp target teams distribute parallel for map(tofrom: "
                                               : "in the mark: copy(";
    if (s->changed && slots_are_read(slots, s->v))
        diag(s->m->c, DIAG_REMARK, SC_EXTENT, s->loc,
             "'%s' is read in the loop that fills it, one element after the other by '%s'; fill another "
             "array, and copy that back behind the loop",
             show_number(s->a, s->v, NULL), show_number(s->a, s->changed, NULL));
    else if (s->changed)
        diag(s->m->c, DIAG_REMARK, SC_EXTENT, s->loc,
             "how far '%s' reaches depends on '%s', which is computed in the region; "
             "declare the array with its size, or tell it %s%s[0:size])",
             show_number(s->a, s->v, NULL), show_number(s->a, s->changed, NULL), clause, show_object(s->v));
    return !s->changed;
}

static const Sym *bound(Slice *s, const char *which) {
    Sym *sym = NEW(s->a, Sym);
    sym->name = name_new(s->m, arena_printf(s->a, "%s_%s", s->v->name, which));
    sym->kind = SYM_PARAM;
    sym->type = T_I64;
    return sym;
}

// ---- what the program says -----------------------------------------------------------------------

static Expr *told_value(Slice *s, const char *which, const char *source) {
    Sym *sym = NEW(s->a, Sym);
    *sym = (Sym){name_new(s->m, arena_printf(s->a, "%s_%s", s->v->name, which)), SYM_PARAM, T_I64, source};
    vec_push(s->a, s->params, sym);
    return expr_sym(s->a, sym);
}

// Where the slice can't be run: the first and the last element that a clause or a declaration names, or of
// what is allocated. NULL: there are none.
static Node *told_tree(Slice *s, bool allocated) {
    const Sections *all = s->m->told;
    for (int k = 0; all && k < all->n; k++) {
        const Section *x = &all->at[k];
        if (!x->said != allocated) continue;
        if (!str_eq(x->array, s->v->name) || x->rank != s->v->rank || s->dim) continue;
        s->loose |= allocated;
        if (!allocated) diag(s->m->c, DIAG_NOTE, SC_EXTENT, x->loc,
             "how far '%s' reaches depends on '%s', which is computed in the region; "
             "%s is taken for true",
             show_number(s->a, s->v, NULL), show_number(s->a, s->changed, NULL), x->said);
        Expr *first = told_value(s, "first", arena_printf(s->a, "(long long)(%s)", x->lo));
        Expr *size = told_value(s, "size", arena_printf(s->a, "(long long)(%s)", x->size));
        Expr *last = expr_sub(s->a, expr_add(s->a, first, size), expr_int(s->a, T_I64, 1));
        s->changed = NULL;
        Expr *some = expr_op(s->a, OP_GT, size, expr_int(s->a, T_I64, 0), NULL);
        Node *ends = seq_join(s->a, slice_leaf(s, first, NULL), slice_leaf(s, last, NULL));
        return node_if(s->a, some, ends, NULL);
    }
    return NULL;
}

// NULL: nothing encloses what is touched; `changed` is still why.
static Node *wide_tree(Slice *s, bool sided) {
    Slice w = {.m = s->m, .a = s->a, .v = s->v, .dim = s->dim, .all = s->all, .root = s->root};
    w.wide = true, w.sided = sided;
    w.written = s->written;
    Node *tree = slice(&w, s->root);
    for (int k = 0; k < w.ways.n && !w.changed; k++) {
        Way way = w.ways.at[k]; // more are found on the way
        w.way = &way, w.begun = false;
        tree = seq_join(s->a, tree, slice(&w, s->root));
    }
    if (w.changed || !tree) return NULL;
    s->changed = NULL, s->loose |= w.loose;
    return tree;
}

// ---- what a counter fills ---------------------------------------------------------------------------

// a[n++] = …  The first element is told by the counter as it is before the region, and there may be so many
// as are added to it at most. NULL: v is no such array, or the counter's memory need not be there.
static Node *filled_tree(Slice *s, const Slots *slots) {
    Arena *a = s->a;
    const Slot *x = NULL;
    for (int k = 0; k < slots->n && !x; k++)
        if (slots->at[k].from == s->v && slots->at[k].dim == s->dim) x = &slots->at[k];
    if (!x || !x->sum || (x->counter->nargs && !x->counter->array->constant_size)) return NULL;
    int64_t scale = x->scale > 0 ? x->scale : -x->scale;
    Expr *first = expr_mul(a, expr_cast(a, T_I64, x->counter), expr_int(a, T_I64, scale));
    first = expr_add(a, first, expr_int(a, T_I64, x->first));
    Expr *most = expr_float(a, T_F64, (double)(1ll << 62));
    Expr *more = expr_cast(a, T_I64, expr_op(a, OP_MIN, x->sum, most, NULL));
    more = expr_sub(a, more, expr_int(a, T_I64, 1));
    Expr *end[2] = {first, x->scale > 0 ? expr_add(a, first, more) : expr_sub(a, first, more)};
    Node *leaf[2];
    for (int k = 0; k < 2; k++) {
        leaf[k] = NEW(a, Node);
        *leaf[k] = (Node){.kind = N_COPY, .op = OP_SET, .src = end[k]};
    }
    s->changed = NULL, s->loose = true;
    Expr *some = expr_op(a, OP_GT, x->sum, expr_float(a, T_F64, 0), NULL);
    return node_if(a, some, node_seq(a, 2, leaf), NULL);
}

typedef VEC(const Inspect *) InspectVec;

static bool inspect_dim(Normal *m, Node *root, const Array *v, int dim, const Slots *slots, InspectVec *out,
                        SymVec *params) {
    Slice s = {.m = m, .a = m->a, .v = v, .dim = dim, .root = root, .params = params};
    s.written = node_written(m->a, root);
    Node *tree = slice(&s, root);
    if (!tree) return true;
    if (dim) s.all = true, tree = slice(&s, root);
    if (s.changed) tree = told_tree(&s, false);
    if (!tree) tree = filled_tree(&s, slots);
    if (!tree) tree = wide_tree(&s, false);
    if (!tree) tree = wide_tree(&s, true);
    if (!tree) tree = told_tree(&s, true);
    if (!tree && dim) return true; // rows are what C says they are, or no size is known to be right
    if (!tree) return is_readable(&s, slots);
    Inspect *in = NEW(m->a, Inspect);
    *in = (Inspect){v, dim, bound(&s, "lo"), bound(&s, "hi"), tree, s.loose, NULL};
    vec_push(m->a, out, in);
    return true;
}

// Of subscripts that may be all different the same loops ask for their ends.
static void inspect_differing(Normal *m, Node *root, const Array *v, InspectVec *out) {
    Node *tree = differ_tree(m, root, v);
    Slice s = {.m = m, .a = m->a, .v = v};
    if (!tree) return;
    int k = 0;
    while (k < out->n && out->at[k]->array != v) k++;
    Inspect *in = NEW(m->a, Inspect);
    if (k < out->n) *in = *out->at[k];
    else *in = (Inspect){v, 0, bound(&s, "lo"), bound(&s, "hi"), tree, false, NULL};
    in->tree = tree, in->loose = false;
    in->differ = bound(&s, "differ");
    if (k < out->n) out->at[k] = in;
    else vec_push(m->a, out, in);
}

Region *pass_inspect(Normal *m, Region *old) {
    InspectVec all = {0};
    SymVec params = {0};
    Node *root = NULL;
    Slots slots = slots_of(m->a, old);
    for (int k = 0; k < old->narrays; k++) {
        const Array *v = old->arrays[k];
        for (int d = 0; d < v->rank; d++) {
            if (d ? v->constant_size || v->rows : v->extent[0] != NULL) continue; // C's own rule bounds it
            if (!root) root = subst_anywhere(m, old);
            if (!inspect_dim(m, root, v, d, &slots, &all, &params)) return NULL;
        }
        if (!root) root = subst_anywhere(m, old);
        inspect_differing(m, root, v, &all);
    }
    if (!all.n) return old;
    Region *r = NEW(m->a, Region);
    *r = *old;
    r->inspects = all.at;
    r->ninspects = all.n;
    r->params = NEW_N(m->a, const Sym *, old->nparams + params.n + 3 * all.n);
    for (int k = 0; k < old->nparams; k++) r->params[k] = old->params[k];
    for (int k = 0; k < params.n; k++) r->params[r->nparams++] = params.at[k];
    for (int k = 0; k < all.n; k++) {
        r->params[r->nparams++] = all.at[k]->lo;
        r->params[r->nparams++] = all.at[k]->hi;
        if (all.at[k]->differ) r->params[r->nparams++] = all.at[k]->differ;
    }
    return r;
}
