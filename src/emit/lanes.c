// SPDX-License-Identifier: MIT
// lanes.c -- vector loops: elements that lie side by side in memory move at once.
//
//   vector v (4) { copy f[v] = s[k][4 * i + v] }
//
//     const float4 sculpt_v0 = *(const float4 *)&s[k][4 * i];
//     f[0] = sculpt_v0.x;   f[1] = sculpt_v0.y;   f[2] = sculpt_v0.z;   f[3] = sculpt_v0.w;
//
// Whoever placed the loop has proved that the memory is aligned to the vector's size. A loop
// in which nothing lies side by side, or that holds more than copies and statements, is
// unrolled instead.
#include <string.h>
#include "emit/dialect.h"
#include "ir/table.h"

enum { MAX_WIDTH = 4, MAX_BYTES = 16 }; // of one access

static const char *const component = "xyzw";

// One load of several lanes: array[sub] at the first lane.
typedef struct Load {
    const Expr *x;       // the load, with the loop's counter in it
    const Sym *lane[MAX_WIDTH];
} Load;

typedef struct Lanes {
    Printer *p;
    const Sym *v;
    Assign g;            // with the counter in its subscripts
    int width;           // lanes of one access
    bool store;          // the element written is memory side by side
    VEC(Load) loads;
} Lanes;

// ---- side by side? ---------------------------------------------------------------------------

bool index_factor(const Expr *x, const Sym *s, int64_t *factor) {
    int64_t l = 0, r = 0;
    *factor = 0;
    if (!expr_uses_sym(x, s)) return true;
    if (x->kind == E_SYM) return *factor = 1, true;
    bool widens = x->kind == E_CAST && type_is_int(x->type) &&
                  type_size(x->type) >= type_size(x->args[0]->type);
    if (widens) return index_factor(x->args[0], s, factor);
    if (x->kind != E_OP || op_arity(x->op) != 2) return false;
    if (!index_factor(x->args[0], s, &l) || !index_factor(x->args[1], s, &r)) return false;
    switch (x->op) {
    case OP_ADD: return !__builtin_add_overflow(l, r, factor);
    case OP_SUB: return !__builtin_sub_overflow(l, r, factor);
    case OP_MUL:
        if (x->args[1]->kind == E_INT) return !__builtin_mul_overflow(l, x->args[1]->i, factor);
        return x->args[0]->kind == E_INT && !__builtin_mul_overflow(r, x->args[0]->i, factor);
    default: return false;
    }
}

static bool side_by_side(const Array *x, Expr *const *sub, const Sym *v) {
    int64_t factor;
    if (x->place == PLACE_LOCAL || x->place == PLACE_REGISTER || x->rank == 0) return false;
    if (x->place == PLACE_USER && (x->stride != type_size(x->elem) || table_has_each(x))) return false;
    for (int d = 0; d < x->rank - 1; d++)
        if (expr_uses_sym(sub[d], v)) return false;
    return index_factor(sub[x->rank - 1], v, &factor) && factor == 1;
}

static bool has_vectors(const Printer *p, Type t) {
    return p->d->vector(t) && t != T_BOOL;
}

// ---- what is loaded ----------------------------------------------------------------------------

// The loads of x that are not inside another's subscripts.
static void find_loads(Lanes *l, const Expr *x) {
    if (!x) return;
    if (x->kind != E_LOAD) {
        for (int k = 0; k < x->nargs; k++) find_loads(l, x->args[k]);
        return;
    }
    if (!side_by_side(x->array, x->args, l->v) || !has_vectors(l->p, x->type)) return;
    for (int k = 0; k < l->loads.n; k++)
        if (expr_equal(l->loads.at[k].x, x)) return;
    Load load = {.x = x};
    for (int k = 0; k < MAX_WIDTH; k++) {
        Sym *s = NEW_AS(l->p->a, Sym, (Sym){.kind = SYM_ITER, .type = x->type});
        s->name = arena_printf(l->p->a, "sculpt_v%d.%c", l->loads.n, component[k]);
        load.lane[k] = s;
    }
    vec_push(l->p->a, &l->loads, load);
}

// The widest access that all elements moved at once allow.
static int width_of(const Lanes *l, int64_t trips) {
    int width = MAX_WIDTH;
    for (int k = -1; k < l->loads.n; k++) {
        if (k < 0 && !l->store) continue;
        int size = type_size(k < 0 ? l->g.array->elem : l->loads.at[k].x->type);
        while (width * size > MAX_BYTES) width /= 2;
    }
    while (width > 1 && trips % width) width /= 2;
    return l->loads.n || l->store ? width : 1;
}

// ---- one access, one lane ---------------------------------------------------------------------

static Expr *at_lane(Lanes *l, Expr *x, Expr *value) {
    const Sym *from[1] = {l->v};
    return expr_subst(l->p->a, x, 1, from, &value);
}

static Expr **subs_at(Lanes *l, const Array *array, Expr *const *sub, Expr *value) {
    Expr **s = NEW_N(l->p->a, Expr *, array->rank + 1);
    for (int d = 0; d < array->rank; d++) s[d] = at_lane(l, sub[d], value);
    return s;
}

// x with the vectors' components for what was loaded.
static Expr *components(Lanes *l, Expr *x, int lane) {
    Arena *a = l->p->a;
    for (int k = 0; x->kind == E_LOAD && k < l->loads.n; k++)
        if (expr_equal(l->loads.at[k].x, x)) return expr_sym(a, l->loads.at[k].lane[lane]);
    if (x->kind == E_LOAD || !x->nargs) return x;
    Expr **to = NEW_N(a, Expr *, x->nargs + 3);
    for (int k = 0; k < x->nargs; k++) to[k] = components(l, x->args[k], lane);
    return expr_remake(a, x, to);
}

static const char *vector_type(Lanes *l, Type t) {
    return arena_printf(l->p->a, "%s%d", l->p->d->vector(t), l->width);
}

// "*(const float4 *)&b[i]"; without the star it is the address.
static const char *vector_text(Lanes *l, const Array *x, Expr *const *sub, bool read) {
    Printer *p = l->p;
    const char *space = x->place == PLACE_SHARED ? p->d->shared_pointee : p->d->global;
    bool lines = p->lines;
    p->lines = false;
    const char *element = element_text(p, x, sub);
    p->lines = lines;
    return arena_printf(p->a, "%s*(%s%s%s *)&%s", access_line(p, x), space, read ? "const " : "",
                        vector_type(l, x->elem), element);
}

static const char *load_text(Lanes *l, const Expr *x, Expr *first) {
    return vector_text(l, x->array, subs_at(l, x->array, x->args, first), true);
}

// ---- all lanes of one access ------------------------------------------------------------------

// Memory to memory without a change; true: done.
static bool put_whole(Lanes *l, Expr *first) {
    Printer *p = l->p;
    const Assign *g = &l->g;
    const Expr *x = g->rhs;
    if (!l->store || g->op != OP_SET || !l->loads.n || !x || x != l->loads.at[0].x ||
        x->type != g->array->elem)
        return false;
    Expr **to = subs_at(l, g->array, g->sub, first);
    put_indent(p);
    if (g->async && l->width * type_size(x->type) >= 4)
        p->d->async(p, element_text(p, g->array, to),
                    element_text(p, x->array, subs_at(l, x->array, x->args, first)),
                    l->width * type_size(x->type));
    else
        put(p, "%s = %s;", vector_text(l, g->array, to, false), load_text(l, x, first));
    return true;
}

static void put_lane(Lanes *l, Expr *first, int lane) {
    Assign g = l->g;
    Expr *at = expr_add(l->p->a, first, expr_int(l->p->a, first->type, lane));
    g.async = false;
    if (l->store)
        g.place = arena_printf(l->p->a, "sculpt_v.%c", component[lane]);
    else
        g.sub = subs_at(l, g.array, g.sub, at);
    Expr **part[3] = {&g.rhs, &g.x, &g.y};
    for (int k = 0; k < 3; k++)
        if (*part[k]) *part[k] = at_lane(l, components(l, *part[k], lane), at);
    put_indent(l->p);
    put_update(l->p, &g);
}

static void put_access(Lanes *l, const Node *n, Expr *first) {
    Printer *p = l->p;
    const Assign *g = &l->g;
    if (put_whole(l, first)) {
        put_note(p, n);
        return;
    }
    put_line(p, "{");
    p->indent++;
    for (int k = 0; k < l->loads.n; k++)
        put_line(p, "const %s sculpt_v%d = %s;", vector_type(l, l->loads.at[k].x->type), k,
                 load_text(l, l->loads.at[k].x, first));
    const char *place = NULL;
    if (l->store) {
        Expr **to = subs_at(l, g->array, g->sub, first);
        place = vector_text(l, g->array, to, false);
        const char *old = arena_printf(p->a, " = %s", vector_text(l, g->array, to, true));
        put_line(p, "%s sculpt_v%s;", vector_type(l, g->array->elem), g->op == OP_SET ? "" : old);
    }
    for (int k = 0; k < l->width; k++) {
        put_lane(l, first, k);
        put_note(p, n);
    }
    if (l->store) put_line(p, "%s = sculpt_v;", place);
    p->indent--;
    put_line(p, "}");
}

// ---- the loop -----------------------------------------------------------------------------------

static bool put_vector(Printer *p, const Node *loop, const Node *n, int64_t trips) {
    Lanes l = {.p = p, .v = loop->iter};
    if ((n->kind != N_STMT && n->kind != N_COPY) || n->atomic) return false;
    begin_leaf(p, n);
    vec_push(p->a, &p->counters, ((Counter){l.v})); // it gets values in its own type
    l.g = assign_of(p, n);
    p->counters.n--;
    l.store = side_by_side(l.g.array, l.g.sub, l.v) && has_vectors(p, l.g.array->elem);
    find_loads(&l, l.g.rhs);
    find_loads(&l, l.g.x);
    find_loads(&l, l.g.y);
    l.width = width_of(&l, trips);
    if (l.width < 2) return false;
    Expr *lo = emit_resolve(p, loop->lo);
    for (int64_t k = 0; k < trips; k += l.width)
        put_access(&l, n, expr_add(p->a, lo, expr_int(p->a, lo->type, k)));
    p->statement = -1;
    return true;
}

void put_lanes(Printer *p, Node *loop) {
    Node *n = loop->body;
    int64_t trips = emit_extent(p, loop);
    while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    bool placed = p->threads <= 1 || p->in_phase;
    if (trips < 1 || !placed || !put_vector(p, loop, n, trips)) put_unrolled(p, loop);
}
