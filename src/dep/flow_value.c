// SPDX-License-Identifier: MIT
// flow_value.c -- what a read's value is made of, copies looked through.
//
//   r reads acc ← copy acc = a[..]      base: element a[..], level 1
//             ← S0 via acc              update: instances of S0, level 0
//             ← copy acc += part[..]    updates of part, whose base must be the neutral element
#include "dep/flow.h"

enum { MAX_LEVEL = 24 };

typedef struct Chase {
    FlowTree *t;
    Flow *f;
    FlowValue *out;
    const Event *asker;      // whose read it is
    bool summing;            // below an adding copy
    Op op;
    FlowClosed closed;       // reads that are being chased: coming back to them has been counted
    int outside;             // so many of them before the last adding copy: its rounds are not counted
    bool round;              // below a read that is reached by several rounds
} Chase;

static bool is_none(isl_map *m) { return isl_map_is_empty(m) == isl_bool_true; }

// ---- copies ------------------------------------------------------------------------------------

const Expr *flow_number(Arena *a, Type t, const Expr *x) {
    Expr *y = NULL;
    if (x->kind == E_INT) y = expr_int(a, x->type, x->i);
    else if (x->kind == E_FLOAT) y = expr_float(a, x->type, x->f);
    else if (x->kind == E_CAST || (x->kind == E_OP && x->op == OP_NEG))
        y = (Expr *)flow_number(a, x->args[0]->type, x->args[0]);
    if (y && x->kind == E_OP) y = expr_op(a, OP_NEG, y, NULL, NULL);
    if (y) y = expr_cast(a, t, expr_cast(a, x->type, y));
    return y && (y->kind == E_INT || y->kind == E_FLOAT) ? y : NULL;
}

// ---- finding -------------------------------------------------------------------------------------

static void found(Chase *k, FlowFrom from, isl_map *m, bool update) {
    from.map = own_map(k->f->a, isl_map_coalesce(m));
    if (isl_map_is_empty(from.map) == isl_bool_true) return;
    if (update) vec_push(k->f->a, &k->out->updates, from);
    else vec_push(k->f->a, &k->out->bases, from);
}

static void chase(Chase *k, FlowAccess *r, isl_map *m, int level);

static void base_from_copy(Chase *k, FlowAccess *r, const FlowAccess *w, isl_map *m, int level) {
    const Expr *src = w->leaf->node->src;
    const Expr *number = flow_number(k->f->a, w->array->elem, src);
    if (src->kind == E_LOAD) {
        chase(k, &w->leaf->access[1], m, level + 1);
    } else if (number) {
        FlowFrom from = {.number = number, .via = r, .level = level};
        m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)isl_map_dim(m, isl_dim_out));
        found(k, from, m, false);
    } else {
        flow_give_up(k->f, arena_printf(k->f->a, "%s computes", flow_name(k->f->a, w->leaf)));
        isl_map_free(m);
    }
}

// An instance of a statement, or a ghost of it.
static void from_statement(Chase *k, FlowAccess *r, const FlowAccess *w, isl_map *m, int level, bool update) {
    FlowFrom from = {.leaf = w->leaf->region, .via = r, .level = level};
    FlowFrom ghost = {.ghost = w->leaf, .via = r, .level = level};
    if (isl_set_is_empty(w->leaf->ghost) != isl_bool_true)
        found(k, ghost, isl_map_intersect_range(isl_map_copy(m), isl_set_copy(w->leaf->ghost)), update);
    if (update) from.by = w->leaf, from.when = own_map(k->f->a, isl_map_copy(m)), from.round = k->round;
    m = isl_map_apply_range(m, isl_map_copy(w->leaf->orig));
    // Terms of the asker that were lost on the way, through copies that know of none.
    found(k, from, term_agree(k->f->poly, k->asker, w->leaf->region->ev, m), update);
}

static void from_start(Chase *k, FlowAccess *r, isl_map *m, int level) {
    FlowFrom from = {.array = r->array, .via = r, .level = level};
    if (!r->exact)
        flow_give_up(k->f, arena_printf(k->f->a, "which element it reads cannot be told: %s",
                                        flow_text(k->f->a, r)));
    found(k, from, isl_map_apply_range(m, isl_map_copy(r->map)), false);
}

// The copy adds what it reads; of the bases of all that is added up, one may be more than neutral.
static void from_adding_copy(Chase *k, const FlowAccess *u, isl_map *m, int level) {
    Chase inner = {k->t, k->f, k->out, k->asker, true, u->update, k->closed, k->closed.n, k->round};
    k->out->regrouped = true;
    if (u->leaf->node->src->kind == E_LOAD && (!k->summing || k->op == u->update)) {
        chase(&inner, &u->leaf->access[1], m, level + 1);
    } else {
        flow_give_up(k->f, arena_printf(k->f->a, "%s computes", flow_name(k->f->a, u->leaf)));
        isl_map_free(m);
    }
}

bool flow_is_number(const Expr *x, int v) {
    return x && (x->kind == E_INT ? x->i == v : x->f == v);
}

static bool is_neutral(Arena *a, Op op, const Expr *x) {
    if (op == OP_ADD) return flow_is_number(x, 0); // 0.0 is taken for -0.0
    bool has = op == OP_MUL || op == OP_MIN || op == OP_MAX || op == OP_AND || op == OP_OR || op == OP_XOR ||
               op == OP_LAND || op == OP_LOR;
    return has && expr_equal(x, neutral_element(a, op, x->type));
}

static void chase_bases(Chase *k, FlowAccess *r, isl_map *m, int level) {
    for (int i = 0; i < r->bases.n; i++) {
        const FlowEdge *e = &r->bases.at[i];
        isl_map *at = isl_map_apply_range(isl_map_copy(m), isl_map_copy(e->map));
        if (is_none(at)) isl_map_free(at);
        else if (e->to->leaf->stmt) from_statement(k, r, e->to, at, level, false);
        else base_from_copy(k, r, e->to, at, level);
    }
    if (isl_set_is_empty(r->rest) != isl_bool_true)
        from_start(k, r, isl_map_intersect_range(isl_map_copy(m), isl_set_copy(r->rest)), level);
}

static bool is_nothing(Arena *a, const FlowFrom *b, Op op) {
    return b->number && is_neutral(a, op, b->number);
}

// A base that is added takes the place of neutral ones, first..mark, which stand there for nothing.
static void replace_nothing(Chase *k, int first, int mark, FlowFrom b, Op op) {
    isl_set *open = isl_map_domain(isl_map_copy(b.map));
    for (int i = first; i < mark; i++) {
        FlowFrom *x = &k->out->bases.at[i];
        if (!is_nothing(k->f->a, x, op)) continue;
        isl_set *at = isl_map_domain(isl_map_copy(x->map));
        x->map = own_map(k->f->a,
                         isl_map_subtract_domain(isl_map_copy(x->map), isl_map_domain(isl_map_copy(b.map))));
        open = isl_set_subtract(open, at);
    }
    flow_accuse(k->f, isl_set_params(open), "%s adds up what did not begin as %s", flow_text(k->f->a, b.via),
                op == OP_ADD ? "zero" : op == OP_MUL ? "one" : "the operator's neutral element");
}

// What begins a sum: bases first..mark were found before those that adding copies bring.
static void settle_bases(Chase *k, int first, int mark, Op op) {
    int n = k->out->bases.n, kept = mark;
    for (int i = mark; i < n; i++) {
        FlowFrom b = k->out->bases.at[i];
        if (is_nothing(k->f->a, &b, op)) continue;
        replace_nothing(k, first, kept, b, op);
        k->out->bases.at[kept++] = b;
    }
    k->out->bases.n = kept;
}

// x && 1 is 1 where x is 5: of nothing, too, that makes another value, unless x began as 0 or 1 (bases
// from..to). What comes by adding copy u began at update number `first`.
static void check_truths(Chase *k, const FlowAccess *u, __isl_take isl_set *asked, int from, int to,
                         int first) {
    bool truth = u->update == OP_LAND || u->update == OP_LOR;
    for (int i = from; truth && i < to; i++) {
        const FlowFrom *b = &k->out->bases.at[i];
        if (flow_is_number(b->number, 0) || flow_is_number(b->number, 1))
            asked = isl_set_subtract(asked, isl_map_domain(isl_map_copy(b->map)));
    }
    for (int i = first; truth && i < k->out->updates.n; i++)
        asked = isl_set_subtract(asked, isl_map_domain(isl_map_copy(k->out->updates.at[i].map)));
    if (truth && u->array->elem != T_BOOL)
        flow_accuse(k->f, isl_set_params(asked), "%s makes 0 or 1 of what is not updated at all",
                    flow_text(k->f->a, u));
    else isl_set_free(asked);
}

// What all who ask find, at those points that are asked about.
static void chase_plain(Chase *k, const FlowValue *plain, isl_map *m, int level) {
    for (int i = 0; i < plain->bases.n; i++) {
        FlowFrom from = plain->bases.at[i];
        from.level = level;
        found(k, from, isl_map_apply_range(isl_map_copy(m), isl_map_copy(from.map)), false);
    }
    isl_map_free(m);
}

static void chase(Chase *k, FlowAccess *r, isl_map *m, int level) {
    poly_tick(k->f->poly);
    const FlowValue *plain = flow_plain(k->t, r);
    if (plain) {
        chase_plain(k, plain, m, level);
        return;
    }
    FlowClosed outside = {.at = k->closed.at, .n = k->outside};
    if (level > MAX_LEVEL || k->f->unknown || flow_is_closed(&outside, r))
        flow_give_up(k->f, "values go through too many copies");
    if (k->f->unknown || flow_is_closed(&k->closed, r)) {
        isl_map_free(m);
        return;
    }
    int mark = k->out->bases.n;
    bool round = k->round;
    flow_compute(k->t, r);
    if (!r->leaf->stmt) m = flow_rounds(k->t, &k->closed, r, m, &k->round);
    vec_push(k->f->a, &k->closed, r);
    chase_bases(k, r, m, level);
    for (int i = 0; i < r->updates.n; i++) {
        const FlowEdge *e = &r->updates.at[i];
        isl_map *at = isl_map_apply_range(isl_map_copy(m), isl_map_copy(e->map));
        if (is_none(at)) {
            isl_map_free(at);
        } else if (e->to->leaf->stmt) {
            from_statement(k, r, e->to, at, level, true);
        } else {
            int before = k->out->bases.n, first = k->out->updates.n;
            isl_set *asked = isl_map_domain(isl_map_copy(at));
            from_adding_copy(k, e->to, at, level);
            check_truths(k, e->to, asked, mark, before, first);
            settle_bases(k, mark, before, e->to->update);
        }
    }
    k->closed.n--;
    k->round = round;
    isl_map_free(m);
}

void flow_value(FlowTree *t, const Event *asker, FlowAccess *r, isl_map *m, FlowValue *out) {
    Chase k = {.t = t, .f = t->flow, .out = out, .asker = asker};
    chase(&k, r, m, 0);
}
