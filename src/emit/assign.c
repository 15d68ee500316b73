// SPDX-License-Identifier: MIT
// assign.c -- statements: an instance of the user's assignment, or a copy that a rule added.
#include "emit/dialect.h"

// ---- an instance of a statement ------------------------------------------------------------

// An expression of the statement as the nest and the permissions allow it to be computed, at this instance.
static Expr *computed(Printer *p, const Node *n, Expr *x, int *access) {
    unsigned own = n->forms & (p->d->forms | FORM_RECIPROCAL);
    return fast_form(p, emit_resolve(p, node_routed(p->a, n, math_form(p->a, own, x), access)));
}

// The node with each counter of the statement computed in as few bits as it may be, then widened to its type.
static const Node *counted(Printer *p, const Node *n) {
    if (!emit_narrows(p)) return n;
    Node *m = node_clone(p->a, n);
    m->at = NEW_N(p->a, Expr *, n->stmt->depth + 1);
    for (int k = 0; k < n->stmt->depth; k++)
        m->at[k] = expr_cast(p->a, n->stmt->iters[k]->type, emit_index(p, n->at[k]));
    return m;
}

static Assign from_stmt(Printer *p, const Node *n) {
    const Stmt *s = n->stmt;
    int access = 1;
    n = counted(p, n);
    Assign g = {.array = n->nvia && n->via[0] ? n->via[0] : s->lhs, .op = s->op};
    Expr **own = n->nvia && n->via[0] && n->via_sub ? n->via_sub[0] : NULL;
    g.sub = NEW_N(p->a, Expr *, (own ? g.array : s->lhs)->rank + 1);
    for (int k = 0; k < s->lhs->rank; k++) { // their loads are counted, too
        Expr *x = node_routed(p->a, n, s->sub[k], &access);
        if (!own) g.sub[k] = emit_resolve(p, x);
    }
    for (int k = 0; own && k < g.array->rank; k++) g.sub[k] = emit_resolve(p, own[k]);
    g.atomic = n->atomic;
    if (s->fused && type_is_float(s->lhs->elem) && s->rhs->kind == E_OP && s->rhs->op == OP_MUL) {
        g.x = computed(p, n, s->rhs->args[0], &access);
        g.y = computed(p, n, s->rhs->args[1], &access);
    } else {
        g.rhs = computed(p, n, s->rhs, &access);
    }
    return g;
}

static Assign from_copy(Printer *p, const Node *n) {
    Assign g = {.array = n->dst, .op = n->op, .rhs = emit_resolve(p, n->src), .atomic = n->atomic};
    g.sub = NEW_N(p->a, Expr *, n->dst->rank + 1);
    for (int k = 0; k < n->dst->rank; k++) g.sub[k] = emit_resolve(p, n->sub[k]);
    const Expr *x = g.rhs;
    g.async = n->async && p->d->async && g.op == OP_SET && x->kind == E_LOAD &&
              x->type == n->dst->elem && n->dst->place == PLACE_SHARED &&
              (x->array->place == PLACE_USER || x->array->place == PLACE_TEMP);
    return g;
}

Assign assign_of(Printer *p, const Node *n) {
    return n->kind == N_STMT ? from_stmt(p, n) : from_copy(p, n);
}

// ---- as text ---------------------------------------------------------------------------------

const char *element_text(Printer *p, const Array *array, Expr *const *sub) {
    Text saved = p->out;
    p->out = text_new(p->a);
    put_element(p, array, sub);
    const char *s = text_str(&p->out);
    p->out = saved;
    return s;
}

static void put_modular(Printer *p, const Assign *g, const char *place) {
    Type t = g->array->elem, u = update_modular(g->op, t);
    const Expr *x = expr_modular(p->a, u, g->rhs);
    bool minus = g->op == OP_ADD && x->kind == E_OP && x->op == OP_NEG;
    put(p, "%s = (%s)((%s)%s %s %s);", place, emit_type(p, t), emit_type(p, u), place,
        minus ? "-" : op_text(g->op), expr_text(p, minus ? x->args[0] : x, PREC_UNARY));
}

// Do data choose the element, so that neighbouring threads may have the same one?
static bool may_meet(const Assign *g) {
    bool chosen = false;
    for (int d = 0; d < g->array->rank; d++) chosen |= expr_has_load(g->sub[d]);
    return chosen && g->op != OP_SET && g->array->place != PLACE_SHARED && type_size(g->array->elem) >= 4;
}

static void put_atomic(Printer *p, const Assign *g, const char *place) {
    const Dialect *d = p->d;
    Expr *value = g->rhs ? g->rhs : expr_op(p->a, OP_MUL, g->x, g->y, NULL);
    Type u = update_modular(g->op, g->array->elem);
    if (u && value->kind == E_OP && value->op == OP_NEG)
        value = expr_cast(p->a, g->array->elem, expr_modular(p->a, u, value));
    const char *text = expr_text(p, value, PREC_SELECT);
    if (d->atomic_joined && may_meet(g))
        d->atomic_joined(p, g->op, g->array->elem, place, text);
    else
        d->atomic(p, g->op, g->array->elem, place, text,
                  g->array->place == PLACE_SHARED ? d->shared : d->global);
}

static void put_fused(Printer *p, const Assign *g, const char *place) {
    put(p, "%s = %s(%s, %s, %s);", place, p->d->fma[g->array->elem == T_F64],
        expr_text(p, g->x, PREC_SELECT), expr_text(p, g->y, PREC_SELECT), place);
}

static void put_minmax(Printer *p, const Assign *g, const char *place) {
    const char *value = expr_text(p, g->rhs, PREC_UNARY);
    if (p->d->inline_only)
        put(p, "if (%s %s %s) %s = %s;", value, g->op == OP_MIN ? "<" : ">", place, place, value);
    else
        put(p, "%s = %s(%s, %s);", place, helper_minmax(p, g->op, g->array->elem), place,
            expr_text(p, g->rhs, PREC_SELECT));
}

// Products that are summed onto what is there: each by one instruction.
static bool is_chain(const Printer *p, const Assign *g) {
    return p->reassociate && !g->place && g->op == OP_ADD && expr_is_products(g->rhs);
}

static void put_chain(Printer *p, const Assign *g, const char *place) {
    Expr *x = expr_products_onto(p->a, g->rhs, expr_load(p->a, g->array, g->sub));
    put(p, "%s = %s;", place, expr_text(p, x, PREC_SELECT));
}

// Does another thread see the array?
static bool is_visible(const Array *array) {
    return array->place != PLACE_LOCAL && array->place != PLACE_REGISTER;
}

void put_update(Printer *p, const Assign *g) {
    const char *place = g->place ? g->place : element_text(p, g->array, g->sub);
    int size = type_size(g->array->elem);
    if (g->atomic && !p->sequential && is_visible(g->array))
        put_atomic(p, g, place);
    else if (g->async && size >= 4)
        p->d->async(p, place, expr_text(p, g->rhs, PREC_UNARY), size);
    else if (!g->rhs)
        put_fused(p, g, place);
    else if (is_chain(p, g))
        put_chain(p, g, place);
    else if (g->op == OP_MIN || g->op == OP_MAX)
        put_minmax(p, g, place);
    else if (update_modular(g->op, g->array->elem))
        put_modular(p, g, place);
    else if (g->op == OP_LAND || g->op == OP_LOR)
        put(p, "%s = %s %s %s;", place, place, op_text(g->op), expr_text(p, g->rhs, 9));
    else if (g->array->elem == T_BOOL && g->op != OP_SET)
        put(p, "%s = (%s %s %s) != 0;", place, place, op_text(g->op),
            expr_text(p, g->rhs, PREC_UNARY));
    else
        put(p, "%s %s= %s;", place, g->op == OP_SET ? "" : op_text(g->op),
            expr_text(p, g->rhs, PREC_SELECT));
}

void put_note(Printer *p, const Node *n) {
    if (n->kind == N_STMT && p->loc.file)
        put(p, " // %s %s:%d", n->stmt->label, emit_file(p->loc.file), p->loc.line);
    else if (n->kind == N_STMT)
        put(p, " // %s", n->stmt->label);
    put(p, "\n");
}

void begin_leaf(Printer *p, const Node *n) {
    p->loc = n->kind == N_STMT ? n->stmt->loc : n->loc;
    p->statement = p->lines ? node_leaf_number(p->kernel, n) : -1;
}

// One instruction of a warp: its operands are elements.
static void put_matrix(Printer *p, const Node *n) {
    const char **part = NEW_N(p->a, const char *, matrix_parts(n->matrix));
    for (int k = 0; k < matrix_parts(n->matrix); k++)
        part[k] = element_text(p, n->part[k]->array, n->part[k]->args);
    put_indent(p);
    p->d->matrix(p, n->matrix, part);
    put(p, "\n");
}

void put_assign(Printer *p, Node *n) {
    if (n->kind == N_COPY && !n->dst) {
        p->leaf(p, n);
        return;
    }
    if (p->launch) {
        emit_fail(p, SC_BUG, "a statement of the host stands between kernels");
        return;
    }
    if (p->threads > 1 && !p->in_phase) { // a block of one thread is in order wherever it is
        emit_fail(p, SC_BUG, "a statement stands outside the phases of its kernel");
        return;
    }
    if (n->matrix) {
        put_matrix(p, n);
        return;
    }
    begin_leaf(p, n);
    Assign g = assign_of(p, n);
    put_indent(p);
    put_update(p, &g);
    put_note(p, n);
    p->statement = -1;
}
