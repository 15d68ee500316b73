// SPDX-License-Identifier: MIT
// subst.c -- integer scalars whose value is known where they are used.
//
//   idx = i*n + j;                      →   a[i*n + j] = 0;
//   a[idx] = 0;
//
// The tree is walked in the order of execution with the facts that certainly hold: "this
// scalar has the value of that expression, and nothing in it has changed since". Loops are
// walked twice: first with symbols for the values at the start of an iteration, which tells
// how they change in one (induction.c), then with what was found. Only integers are
// substituted: a floating value is computed where and when the program says. One exception is what a
// temporary holds of the element that a statement, or what a condition guards, is about to set; an update
// names it:
//
//   old = m; x = a[i];                  →   x = a[i];
//   m = old > x ? old : x;                  m = m > x ? m : x;
#include "front/normal.h"

enum { MAX_SIZE = 300 }; // nodes of an expression that is worth substituting

typedef struct Held Held;
struct Held {
    const Held *next;
    const Array *var;
    Expr *value;
    bool closed; // found by induction: better than reading the variable, loads or not
    bool target; // to be put in only where what it reads is set
};

typedef VEC(const Stmt *) StmtVec;

typedef struct Subst {
    Normal *m;
    Arena *a;
    const Held *facts; // that hold here
    StmtVec targets;   // the statements whose values, or conditions, are looked at
    VEC(const Sym *) around; // counters of the loops around
    bool anywhere;     // the tree is only looked at: loads may be repeated
    bool trying;       // only the facts behind the tree are asked for, it is made later
} Subst;

static Node *walk(Subst *s, Node *n);

// ---- facts -------------------------------------------------------------------------------

static const Held *fact_of(const Held *facts, const Array *v) {
    while (facts && facts->var != v) facts = facts->next;
    return facts;
}

static void learn(Subst *s, const Array *v, Expr *value, bool closed, bool target) {
    Held *f = NEW_AS(s->a, Held, (Held){s->facts, v, value, closed, target});
    s->facts = f;
}

static bool reads_any(const Expr *x, const ArrayVec *v) {
    for (int k = 0; k < v->n; k++)
        if (expr_may_read(x, v->at[k])) return true;
    return false;
}

// The facts that still hold once these arrays may have changed.
static const Held *surviving(Subst *s, const Held *facts, const ArrayVec *changed) {
    if (!facts) return NULL;
    const Held *rest = surviving(s, facts->next, changed);
    if (has_array(changed, facts->var) || reads_any(facts->value, changed)) return rest;
    if (rest == facts->next) return facts;
    Held *copy = NEW_AS(s->a, Held, *facts);
    copy->next = rest;
    return copy;
}

static void forget(Subst *s, const Array *v) {
    ArrayVec one = {0};
    vec_push(s->a, &one, v);
    s->facts = surviving(s, s->facts, &one);
}

// n = n + 2, n += 2, n -= 2: what is added. NULL: no number.
static Expr *step_of(Arena *a, const Stmt *t) {
    const Expr *x = t->rhs;
    bool set = t->op == OP_SET, named = set && x->kind == E_OP && x->nargs == 2 &&
                                        x->args[0]->kind == E_LOAD && x->args[0]->array == t->lhs;
    Op op = set ? named ? x->op : OP_SET : t->op;
    Expr *by = set ? named ? x->args[1] : NULL : t->rhs;
    if (t->lhs->rank > 0 || !type_is_int(t->lhs->elem) || !by || by->kind != E_INT) return NULL;
    if (by->type != t->lhs->elem || type_size(by->type) < 4) return NULL; // narrower ones come back in a cast
    return op == OP_ADD ? by : op == OP_SUB && by->i > -INT32_MAX ? expr_int(a, by->type, -by->i) : NULL;
}

typedef struct Step {
    const Array *of;
    Expr *by;
    bool other; // a load that may be another view of it
} Step;

static Expr *step_back(Rebuild *b, Expr *x) {
    Step *t = b->self;
    if (x->kind != E_LOAD) return x;
    t->other |= x->array != t->of && arrays_may_overlap(x->array, t->of);
    return x->array == t->of ? expr_op(b->a, OP_SUB, x, t->by, NULL) : x;
}

// The facts once `by` has been added to v: what was v is v - by now.
static const Held *stepped(Subst *s, const Held *facts, const Array *v, Expr *by) {
    if (!facts) return NULL;
    const Held *rest = stepped(s, facts->next, v, by);
    Step step = {v, by, false};
    Rebuild b = {.a = s->a, .expr = step_back, .self = &step};
    Expr *value = rebuild_expr(&b, facts->value);
    if (step.other || arrays_may_overlap(facts->var, v)) return rest;
    Held *copy = NEW(s->a, Held);
    *copy = *facts;
    copy->value = value;
    copy->next = rest;
    return copy;
}

static bool is_scalar(const Array *v) {
    return v->rank == 0 && (v->place == PLACE_USER || v->place == PLACE_LOCAL);
}

static bool is_candidate(const Array *v) { return is_scalar(v) && type_is_int(v->elem); }

// Its result may differ between host and device in the last bit.
static bool is_call(const Expr *x) { return x->kind == E_CALL; }

static bool can_stand_for(const Array *v, const Expr *x) {
    return x->type == v->elem && !expr_any(x, is_call) && !expr_reads(x, v) && expr_size(x) <= MAX_SIZE;
}

// ---- expressions ---------------------------------------------------------------------------

static const Held *fact_at(const Subst *s, const Expr *x) {
    return x->kind == E_LOAD && x->array->rank == 0 ? fact_of(s->facts, x->array) : NULL;
}

static Expr *replace_all(Rebuild *b, Expr *x) {
    const Held *f = fact_at(b->self, x);
    return f ? f->value : x;
}

static Expr *replace_load(Rebuild *b, Expr *x) {
    const Held *f = fact_at(b->self, x);
    return f && !f->target ? f->value : x;
}

// Can another iteration set the same element?
static bool comes_again(const Subst *s, const Stmt *t) {
    bool loads = false;
    for (int d = 0; d < t->lhs->rank; d++) loads |= expr_has_load(t->sub[d]);
    for (int i = 0; i < s->around.n && !loads; i++) {
        bool named = false;
        for (int d = 0; d < t->lhs->rank; d++) named |= expr_uses_sym(t->sub[d], s->around.at[i]);
        if (!named) return true;
    }
    return loads;
}

// Does x read an element that is about to be set?
static bool reads_target(const Subst *s, const Expr *x) {
    for (int k = 0; k < s->targets.n && x->kind == E_LOAD; k++) {
        const Stmt *t = s->targets.at[k];
        bool same = t->lhs == x->array && comes_again(s, t);
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(t->sub[d], x->args[d]);
        if (same) return true;
    }
    for (int k = 0; k < x->nargs; k++)
        if (reads_target(s, x->args[k])) return true;
    return false;
}

static Expr *replace_known(Rebuild *b, Expr *x) {
    Subst *s = b->self;
    const Held *f = fact_at(s, x);
    bool repeats = f && (s->m->once ? expr_has_load(f->value) : expr_reads_data(f->value));
    return f && (f->closed || !(repeats || f->target) || (!s->m->once && reads_target(s, f->value)))
               ? f->value
               : x;
}

// In subscripts and bounds all that is known is put in; in values and conditions a load is
// not repeated, but for one of a table of constants.
static Expr *in_subscript(Subst *s, Expr *x);

static Expr *subscripts_inside(Rebuild *b, Expr *x) {
    if (x->kind != E_LOAD || x->array->rank == 0) return replace_known(b, x);
    Expr **args = NEW_N(b->a, Expr *, x->nargs);
    for (int k = 0; k < x->nargs; k++) args[k] = in_subscript(b->self, x->args[k]);
    return expr_remake(b->a, x, args);
}

static Expr *in_subscript(Subst *s, Expr *x) {
    Rebuild b = {.a = s->a, .expr = s->m->once ? replace_known : replace_load, .self = s};
    return rebuild_expr(&b, x);
}

static Expr *in_value(Subst *s, Expr *x) {
    if (s->anywhere) return in_subscript(s, x);
    Rebuild b = {.a = s->a, .expr = subscripts_inside, .self = s};
    return rebuild_expr(&b, x);
}

// ---- statements ------------------------------------------------------------------------------

// What a scalar holds once t, which was `before`, has set it.
static Expr *value_after(Subst *s, const Stmt *before, const Stmt *t, bool *target) {
    bool is_int = type_is_int(t->lhs->elem);
    Expr *value = is_int ? in_subscript(s, before->rhs) : t->rhs;
    const Held *old = fact_of(s->facts, t->op != OP_SET         ? t->lhs
                                        : value->kind == E_LOAD ? value->array
                                                                : NULL);
    *target = !is_int || (old && old->target);
    if (t->op == OP_SET && !is_int && value->kind != E_LOAD) return NULL;
    if (t->op == OP_SET) return *target && old ? old->value : value;
    return old && value->type == t->lhs->elem ? expr_op(s->a, t->op, old->value, value, NULL) : NULL;
}

static Node *walk_stmt(Subst *s, Node *n) {
    Stmt *t = NEW_AS(s->a, Stmt, *n->stmt);
    t->depth = 0;
    t->iters = NULL;
    t->sub = NEW_N(s->a, Expr *, t->lhs->rank);
    for (int k = 0; k < t->lhs->rank; k++) t->sub[k] = in_subscript(s, n->stmt->sub[k]);
    vec_push(s->a, &s->targets, t);
    t->rhs = in_value(s, n->stmt->rhs);
    s->targets.n--;
    bool target = false;
    Expr *value = is_scalar(t->lhs) ? value_after(s, n->stmt, t, &target) : NULL;
    bool plain = s->m->once && t->op != OP_SET && value && !target && !expr_has_load(value);
    // what was before is not needed
    if (plain && can_stand_for(t->lhs, value)) t->op = OP_SET, t->rhs = value;
    Expr *by = step_of(s->a, n->stmt);
    if (by && !s->m->once) s->facts = stepped(s, s->facts, t->lhs, by);
    else forget(s, t->lhs);
    if (value && can_stand_for(t->lhs, value)) learn(s, t->lhs, value, false, target);
    return stmt_leaf(s->a, t);
}

// ---- branches --------------------------------------------------------------------------------

// What holds after an if: what both arms agree on, or a choice where the condition can be
// computed again.
static void merge(Subst *s, Expr *cond, const Held *yes, const Held *no) {
    s->facts = NULL;
    for (const Held *f = yes; f; f = f->next) {
        const Held *g = fact_of(no, f->var);
        if (!g || fact_of(s->facts, f->var)) continue;
        bool target = f->target || g->target;
        bool loads = expr_has_load(cond) || expr_has_load(f->value) || expr_has_load(g->value);
        if (expr_equal(f->value, g->value)) {
            learn(s, f->var, f->value, f->closed && g->closed, target);
        } else {
            Expr *both = expr_op(s->a, OP_SELECT, cond, f->value, g->value);
            if (can_stand_for(f->var, both)) learn(s, f->var, both, false, target || (loads && !s->anywhere));
        }
    }
}

static Node *walk_if(Subst *s, Node *n) {
    Node *copy = node_clone(s->a, n);
    int outside = s->targets.n;
    node_each(k, n->then)
        if (k->kind == N_STMT) vec_push(s->a, &s->targets, k->stmt);
    copy->cond = in_value(s, n->cond);
    s->targets.n = outside;
    Rebuild all = {.a = s->a, .expr = s->m->once ? replace_known : replace_all, .self = s};
    Expr *known = rebuild_expr(&all, n->cond);
    const Held *before = s->facts;
    copy->then = walk(s, n->then);
    const Held *yes = s->facts;
    s->facts = before;
    if (n->other) copy->other = walk(s, n->other);
    if (yes != s->facts) merge(s, known, yes, s->facts);
    return copy;
}

static Node *walk_seq(Subst *s, Node *n) {
    Node *copy = node_clone(s->a, n);
    copy->kids = NEW_N(s->a, Node *, n->nkids);
    for (int k = 0; k < n->nkids; k++) copy->kids[k] = walk(s, n->kids[k]);
    for (int k = 0; k < n->nlocals; k++) forget(s, n->locals[k]);
    return copy;
}

// ---- loops -------------------------------------------------------------------------------------

// Where a loop runs, max(0, hi - lo) is hi - lo.
static Expr *runs_here(Rebuild *b, Expr *x) {
    const Node *loop = b->self;
    if (!type_is_int(x->type) || type_size(x->type) < 4 || x->kind != E_OP) return x;
    bool trips = expr_equal(x, loop_count(b->a, loop, x->type, false));
    return trips ? loop_count(b->a, loop, x->type, true) : x;
}

static void know_it_runs(Subst *s, Node *loop) {
    Rebuild b = {.a = s->a, .expr = runs_here, .self = loop};
    const Held *old = s->facts;
    VEC(const Held *) all = {0};
    for (; old; old = old->next) vec_push(s->a, &all, old);
    s->facts = NULL;
    for (int k = all.n - 1; k >= 0; k--)
        learn(s, all.at[k]->var, rebuild_expr(&b, all.at[k]->value), all.at[k]->closed, all.at[k]->target);
}

typedef VEC(Recurrence) RecurrenceVec;

static void find_recurrences(Subst *s, const Node *loop, const ArrayVec *written, RecurrenceVec *out) {
    for (int k = 0; k < written->n; k++) {
        const Array *v = written->at[k];
        const Held *f = is_candidate(v) ? fact_of(s->facts, v) : NULL;
        if (!f || f->target || reads_any(f->value, written) || expr_uses_sym(f->value, loop->iter)) continue;
        Sym *top = NEW_AS(s->a, Sym, (Sym){.name = v->name, .kind = SYM_PARAM, .type = v->elem});
        Recurrence r = {.var = v, .start = f->value, .top = top};
        vec_push(s->a, out, r);
    }
}

// One iteration with symbols for the values at its start.
static void try_body(Subst *s, Node *loop, const Held *outside, RecurrenceVec *all) {
    bool was = s->trying;
    s->facts = outside;
    s->trying = true;
    for (int k = 0; k < all->n; k++) learn(s, all->at[k].var, expr_sym(s->a, all->at[k].top), false, false);
    walk(s, loop->body);
    s->trying = was;
    for (int k = 0; k < all->n; k++) {
        const Held *f = fact_of(s->facts, all->at[k].var);
        all->at[k].end = f ? f->value : NULL;
    }
    solve_loop(s->a, loop, all->n, all->at);
}

static Stmt *drop_writes(Rebuild *b, Stmt *t) { return t->lhs == b->self ? NULL : t; }

// The increments go when nothing needs them; the last value is assigned after the loop.
static Node *assign_final(Subst *s, Node *loop, Node *whole, const Recurrence *r) {
    if (!r->final || !node_writes(whole, r->var) || node_needs(loop->body, r->var)) return whole;
    Rebuild b = {.a = s->a, .stmt = drop_writes, .self = (void *)r->var};
    Node *rest = rebuild_node(&b, whole);
    Stmt *t = NEW_AS(s->a, Stmt, (Stmt){.loc = loop->loc, .lhs = r->var, .op = OP_SET, .rhs = r->final});
    return seq_join(s->a, rest, stmt_leaf(s->a, t));
}

static void walk_body(Subst *s, Node *loop, const Held *outside, const RecurrenceVec *all) {
    s->facts = outside;
    for (int k = 0; k < all->n; k++)
        if (all->at[k].value && can_stand_for(all->at[k].var, all->at[k].value))
            learn(s, all->at[k].var, all->at[k].value, true, false);
    know_it_runs(s, loop);
    vec_push(s->a, &s->around, loop->iter);
    loop->body = walk(s, loop->body);
    s->around.n--;
}

static Node *walk_for(Subst *s, Node *n) {
    Node *loop = node_clone(s->a, n);
    loop->lo = in_subscript(s, n->lo);
    loop->hi = in_subscript(s, n->hi);
    ArrayVec written = node_written(s->a, n->body);
    RecurrenceVec all = {0};
    if (!reads_any(loop->lo, &written) && !reads_any(loop->hi, &written))
        find_recurrences(s, loop, &written, &all);
    const Held *outside = surviving(s, s->facts, &written);
    if (all.n) try_body(s, loop, outside, &all);
    if (!s->trying) walk_body(s, loop, outside, &all);

    s->facts = outside;
    Node *whole = loop;
    for (int k = 0; k < all.n; k++) {
        Recurrence *r = &all.at[k];
        if (!r->final || !can_stand_for(r->var, r->final)) continue;
        if (whole) whole = assign_final(s, loop, whole, r);
        learn(s, r->var, r->final, true, false);
    }
    return whole;
}

// Behind a barrier other threads may have changed what is in memory.
static const Held *without_loads(Subst *s, const Held *facts) {
    if (!facts) return NULL;
    const Held *rest = without_loads(s, facts->next);
    if (expr_has_load(facts->value)) return rest;
    Held *copy = NEW_AS(s->a, Held, *facts);
    copy->next = rest;
    return copy;
}

static Node *walk(Subst *s, Node *n) {
    switch (n->kind) {
    case N_SEQ: return walk_seq(s, n);
    case N_FOR: return walk_for(s, n);
    case N_IF: return walk_if(s, n);
    case N_STMT: return walk_stmt(s, n);
    case N_BARRIER: s->facts = without_loads(s, s->facts); return n;
    default: return n;
    }
}

// ---- the pass ------------------------------------------------------------------------------------

// At entry an integer scalar that the region writes has the value that the program gave
// it: a parameter of its own, kept if something uses it.
static void learn_entry(Subst *s, const Region *r) {
    for (int k = 0; k < r->narrays; k++) {
        const Array *v = r->arrays[k];
        if (!is_candidate(v) || !v->source || v->offset || !str_eq(v->object, v->name)) continue;
        Sym *sym = NEW(s->a, Sym);
        const char *source = v->source[0] == '&' ? v->source + 1 : arena_printf(s->a, "*(%s)", v->source);
        const char *name = name_new(s->m, arena_printf(s->a, "%s_in", v->name));
        *sym = (Sym){.name = name, .kind = SYM_PARAM, .type = v->elem, .source = source, .held = v->held};
        learn(s, v, expr_sym(s->a, sym), true, false);
    }
}

// How far pointers have gone that are used behind the region.
static void tell_left(const Subst *s, Left *left) {
    for (int k = 0; left && k < left->pointers.n; k++) {
        LeftPointer *p = &left->pointers.at[k];
        const Held *f = p->at ? fact_of(s->facts, p->at) : NULL;
        p->moved = f && !f->target ? f->value : NULL;
    }
}

Region *pass_subst(Normal *m, Region *r) {
    Subst s = {.m = m, .a = m->a};
    learn_entry(&s, r);
    Node *root = walk(&s, r->root);
    tell_left(&s, m->left);
    return region_drop_dead(m, region_with(m, r, root));
}

// A scalar's value at entry, if a parameter has it already.
static void learn_params(Subst *s, const Region *r) {
    for (int k = 0; k < r->narrays; k++) {
        const Array *v = r->arrays[k];
        if (!is_candidate(v) || !v->source || v->source[0] != '&') continue;
        for (int j = 0; j < r->nparams; j++) {
            const Sym *p = r->params[j];
            if (p->source && str_eq(p->source, v->source + 1) && p->type == v->elem)
                learn(s, v, expr_sym(s->a, p), true, false);
        }
    }
}

Node *subst_anywhere(Normal *m, const Region *r) {
    Subst s = {.m = m, .a = m->a, .anywhere = true};
    learn_params(&s, r);
    return walk(&s, r->root);
}
