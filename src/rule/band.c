// SPDX-License-Identifier: MIT
// band.c -- loops of a band: found by name, counted, exchanged, brought to lo = 0.
//
//   for j { if (c) for k { for i in j .. n  S } }   →   for i in 0 .. n { for j { for k {
//                                                         if (c && i >= j) S } } }
//
// Conditions between the loops go to the statements. A loop whose bounds use a counter that
// comes to stand inside it runs over the least and greatest of them, and asks inside.
#include "rule/loops.h"
#include <ctype.h>
#include <string.h>

Type counter_type(const Node *loop) { return type_size(loop->iter->type) < 4 ? T_I32 : loop->iter->type; }

// x as base + constant; base NULL for a literal.
static const Expr *offset(const Expr *x, int64_t *c) {
    *c = 0;
    if (x->kind == E_INT) return *c = x->i, NULL;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->args[1]->kind == E_INT;
    if (!sum || x->args[1]->i == INT64_MIN) return x;
    *c = x->op == OP_ADD ? x->args[1]->i : -x->args[1]->i;
    return x->args[0];
}

bool loop_constant(const Node *loop, int64_t *trips) {
    int64_t lo, hi, step = loop->step > 0 ? loop->step : -loop->step;
    const Expr *x = offset(loop->lo, &lo), *y = offset(loop->hi, &hi);
    if (x != y && !expr_equal(x, y)) return false;
    int64_t span = loop->step > 0 ? hi - lo : lo - hi;
    *trips = span > 0 ? (span + step - 1) / step : 0;
    return true;
}

Expr *loop_span(Arena *a, const Node *loop) {
    int64_t trips;
    if (loop_constant(loop, &trips)) return expr_int(a, loop->lo->type, trips);
    return loop_trips(a, loop);
}

// ---- how many of a kind --------------------------------------------------------------------------
bool loop_room(Change *ch, Node *root, Node *loop, How how) {
    Path p;
    int there = 0;
    int most = how == HOW_BLOCK ? 3 : how == HOW_THREAD ? 8 : 0;
    if (!most || !path_to(root, loop, &p)) return true;
    for (int i = 0; i + 1 < p.n; i++) there += p.node[i]->kind == N_FOR && p.node[i]->how == how;
    // Below it, phases stand beside each other; block loops don't.
    if (how == HOW_BLOCK) node_each(n, loop->body) there += n->kind == N_FOR && n->how == how;
    if (there < most) return true;
    return change_refuse(ch, "%s would be one %s loop too many; there may be %d", loop->iter->name,
                         how_name(how), most);
}

// ---- new counters -----------------------------------------------------------------------------
static bool is_name(const char *s) {
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

// A name of the region is its counter's, and no other's. NULL: the name is free, or not to be had.
static const Sym *known_counter(Change *ch, const char *name, Type t, const Node *old) {
    for (int i = 0; i < ch->given.n; i++)
        if (str_eq(ch->given.at[i], name)) return NULL;
    const Node *loop = old && str_eq(name, old->iter->name) ? old : NULL;
    if (!loop && !loop_named(ch->nest->root, name)) loop = loop_named(ch->nest->region->root, name);
    if (!loop || loop->iter->type != t) return NULL;
    vec_push(ch->a, &ch->given, name);
    return loop->iter;
}

const Sym *counter_named(Change *ch, const char *wish, Type t, const Node *old, bool by_user) {
    if (by_user && !is_name(wish)) return change_refuse(ch, "%s can't be the name of a loop", wish), NULL;
    const Sym *known = known_counter(ch, wish, t, old);
    if (known) return known;
    const char *name = change_name(ch, wish);
    if (by_user && name != wish) return change_refuse(ch, "the name %s is taken", wish), NULL;
    Sym *s = NEW_AS(ch->a, Sym, (Sym){name, SYM_ITER, t, NULL});
    return s;
}

bool two_counters(Change *ch, const Node *loop, Type t, const char *outer, const char *inner,
                  const Sym *out[2]) {
    const char *names[3];
    int n = change_names(ch, "as", names, 3);
    if (n != 0 && n != 2) return change_refuse(ch, "as= takes two names, OUTER,INNER");
    if (!n) {
        names[0] = arena_printf(ch->a, "%s%s", loop->iter->name, outer);
        names[1] = arena_printf(ch->a, "%s%s", loop->iter->name, inner);
    }
    for (int k = 0; k < 2; k++)
        if (!(out[k] = counter_named(ch, names[k], t, loop, n != 0))) return false;
    return true;
}

// ---- bands --------------------------------------------------------------------------------------
typedef struct Band {
    int n;
    Node *loop[PATH_MAX_NODES];
    Expr *guard;         // conditions met between the loops
    Node *body;
} Band;

// The band from `top` down to `last`, which must be inside. False: refused.
static bool band_between(Change *ch, Node *top, Node *last, Band *b) {
    Path p;
    if (!path_to(top, last, &p))
        return change_refuse(ch, "loop %s is not inside loop %s", last->iter->name, top->iter->name);
    *b = (Band){0};
    for (int i = 0; i < p.n; i++) {
        Node *n = p.node[i];
        if (n->kind == N_FOR) {
            b->loop[b->n++] = n;
        } else if (n->kind == N_IF && !n->other && cond_is_free(n->cond)) {
            b->guard = cond_and(ch->a, b->guard, n->cond);
        } else if (n->kind != N_SEQ || n->nlocals || n->nkids != 1) {
            const char *why =
                n->kind == N_SEQ && n->nlocals ? "a block with its own arrays stands between them"
                : n->kind == N_SEQ    ? "other statements stand between them; distribute would part them"
                : n->kind == N_KERNEL ? "a kernel stands between them"
                                      : "a condition that has an else or reads memory stands between them";
            return change_refuse(ch, "loops %s and %s are no band: %s", top->iter->name, last->iter->name,
                                 why);
        }
    }
    b->body = last->body;
    return true;
}

static bool uses(const Node *loop, const Node *other) {
    return expr_uses_sym(loop->lo, other->iter) || expr_uses_sym(loop->hi, other->iter);
}

bool loop_widen(Change *ch, Node **loop, const Node *other) {
    Arena *a = ch->a;
    Expr *least, *most;
    Node *n = node_clone(a, *loop);
    const char *x = n->iter->name, *y = other->iter->name;
    if (n->step != 1 && n->step != -1)
        return change_refuse(ch, "the bounds of %s depend on %s, and it has a step", x, y);
    loop_range(a, other, &least, &most);
    bool up = n->step > 0;
    n->lo = expr_extreme(a, n->lo, other->iter, least, most, !up);
    n->hi = expr_extreme(a, n->hi, other->iter, least, most, up);
    *loop = n;
    if (n->lo && n->hi) return true;
    return change_refuse(ch, "the bounds of %s depend on %s in a way that can't be moved", x, y);
}

Expr *loop_bounds(Arena *a, const Node *loop) {
    Expr *i = expr_sym(a, loop->iter);
    bool up = loop->step > 0;
    return cond_and(a, expr_op(a, up ? OP_GE : OP_LE, i, expr_cast(a, i->type, loop->lo), NULL),
                    expr_op(a, up ? OP_LT : OP_GT, i, expr_cast(a, i->type, loop->hi), NULL));
}

// Which loop of the band stands at each place afterwards.
static bool new_order(Change *ch, const Band *b, int n, const char *const *order, Node **out) {
    int next = 0;
    for (int i = 0; i < b->n; i++) {
        bool named = false;
        for (int k = 0; k < n; k++) named = named || str_eq(order[k], b->loop[i]->iter->name);
        out[i] = named ? NULL : b->loop[i];
        for (int k = 0; named && k < b->n; k++)
            if (str_eq(b->loop[k]->iter->name, order[next])) out[i] = b->loop[k];
        next += named;
    }
    return next == n || change_refuse(ch, "the loops are not on one band");
}

static int place_of(const Band *b, Node *const *order, const Node *loop) {
    for (int i = 0; i < b->n; i++)
        if (order[i] == loop) return i;
    return -1;
}

// A loop that depends on others which come inside it: the nearest of them first, since its own
// bounds may bring in those further out.
static bool free_bounds(Change *ch, Band *b, Node **order) {
    Node *bare[PATH_MAX_NODES];
    for (int i = 0; i < b->n; i++) {
        bare[i] = order[i];
        int old = 0;
        while (b->loop[old] != order[i]) old++;
        bool asked = false;
        for (int k = old - 1; k >= 0; k--) {
            if (place_of(b, order, b->loop[k]) < i || !uses(bare[i], b->loop[k])) continue;
            if (!loop_widen(ch, &bare[i], b->loop[k])) return false;
            asked = true;
        }
        if (asked) b->guard = cond_and(ch->a, b->guard, loop_bounds(ch->a, order[i]));
    }
    for (int i = 0; i < b->n; i++) order[i] = bare[i];
    return true;
}

// The outermost and innermost of the named loops.
static bool band_ends(Change *ch, Node *root, int n, const char *const *names, Node **top, Node **last) {
    int least = 0, most = -1;
    for (int k = 0; k < n; k++) {
        Path p;
        Node *loop = loop_named(root, names[k]);
        if (!loop) return change_loop(ch, names[k]) != NULL;
        for (int j = 0; j < k; j++)
            if (str_eq(names[j], names[k])) return change_refuse(ch, "loop %s is named twice", names[k]);
        if (!path_to(root, loop, &p)) return change_refuse(ch, "the nest is too deep");
        if (k == 0 || p.n < least) least = p.n, *top = loop;
        if (p.n > most) most = p.n, *last = loop;
    }
    return true;
}

// Blocks hold threads, threads what runs by itself, coop loops nothing but their like and lanes.
static bool may_hold(How outer, How inner) {
    if (outer == HOW_THREAD) return inner != HOW_BLOCK && inner != HOW_COOP;
    return outer != HOW_COOP || inner == HOW_COOP || inner == HOW_VECTOR;
}

static bool ways_fit(Change *ch, int n, Node *const *order) {
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (!may_hold(order[i]->how, order[k]->how))
                return change_refuse(ch, "%s loop %s may not stand inside %s loop %s",
                                     how_name(order[k]->how), order[k]->iter->name, how_name(order[i]->how),
                                     order[i]->iter->name);
    return true;
}

Node *loops_permute(Change *ch, Node *root, int n, const char *const *names) {
    Node *top = NULL, *last = NULL, *order[PATH_MAX_NODES];
    Band b;
    if (n < 1) return root;
    if (!band_ends(ch, root, n, names, &top, &last) || !band_between(ch, top, last, &b) ||
        !new_order(ch, &b, n, names, order) || !ways_fit(ch, b.n, order) || !free_bounds(ch, &b, order))
        return NULL;
    Node *body = guard_sink(ch->a, b.body, b.guard);
    return node_replace(ch->a, root, top, in_loops(ch->a, b.n, (const Node *const *)order, body));
}

// ---- normal form ----------------------------------------------------------------------------------
Node *loop_normal(Change *ch, Node *root, Node *loop) {
    if (expr_is_int(loop->lo, 0) && loop->step == 1) return root;
    Arena *a = ch->a;
    Node *n = node_clone(a, loop);
    Expr *value = loop_value(a, loop, expr_sym(a, loop->iter));
    n->body = node_subst(a, loop->body, 1, &loop->iter, &value);
    n->hi = loop_span(a, loop);
    n->lo = expr_int(a, loop->lo->type, 0);
    n->step = 1;
    return node_replace(a, root, loop, n);
}

// ---- several in the place of one ---------------------------------------------------------------------
Node *loop_parts(Change *ch, Node *root, Node *loop, int n, Node *const *parts) {
    Path p;
    Node *seq = path_to(root, loop, &p) && p.n > 1 ? p.node[p.n - 2] : NULL;
    if (!seq || seq->kind != N_SEQ) return node_replace(ch->a, root, loop, node_seq(ch->a, n, parts));
    int at = 0;
    while (seq->kids[at] != loop) at++;
    return node_replace(ch->a, root, seq, seq_splice(ch->a, seq, at, 1, n, parts));
}
