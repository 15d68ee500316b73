// SPDX-License-Identifier: MIT
// team.c -- a thread's work in phases of a team: what one thread does, what all do, and what is kept between.
//
//   thread i { local s             shared s_row[8]
//     s = 0                  →     thread i { thread l { if (l == 0) s_row[i] = 0 } }
//     for k  s += …                … the loop's phases (team_tree.c)
//     y[i] = s }                   thread i { thread l { if (l == 0) y[i] = s_row[i] } }
//
// Conditions go inside of the thread loops, so that all threads of a block come to all of its barriers; loops
// around dealt ones stay outside, and must not differ between threads.
#include "rule/storage.h"
#include "rule/team.h"

enum { MOST_SHARED = 48 * 1024 };

// ---- phases ----------------------------------------------------------------------------------------
Expr *team_lane(const Team *t) { return expr_sym(t->a, t->digit[t->ndigits - 1]); }

Expr *team_number(const Team *t) {
    Expr *lane = team_lane(t);
    if (t->ndigits == 1) return lane;
    return expr_add(t->a, expr_mul(t->a, expr_sym(t->a, t->digit[0]), expr_int(t->a, T_I32, t->extent[1])),
                    lane);
}

static Expr *is_zero(Arena *a, const Sym *s) {
    return expr_op(a, OP_EQ, expr_sym(a, s), expr_int(a, s->type, 0), NULL);
}

// it is the team's first
static Expr *team_first(const Team *t) {
    Expr *first = NULL;
    for (int k = 0; k < t->ndigits; k++) first = cond_and(t->a, first, is_zero(t->a, t->digit[k]));
    return first;
}

Node *team_phase(const Team *t, Expr *guard, Expr *who, Node *n) {
    Arena *a = t->a;
    Expr *cond = cond_and(a, guard, who);
    if (cond) n = node_if(a, cond, n, NULL);
    if (t->outside) n = in_loops(a, t->nrows, t->row, n);
    for (int k = t->ndigits - 1; k >= 0; k--)
        n = node_for(a, t->digit[k], expr_int(a, T_I32, 0), expr_int(a, T_I32, t->extent[k]), 1, HOW_THREAD,
                     n);
    return t->outside ? n : in_loops(a, t->nrows, t->row, n);
}

void team_solo(Team *t, Expr *guard, Node *n) {
    vec_push(t->a, &t->solo, guard ? node_if(t->a, guard, n, NULL) : n);
}

void team_flush(Team *t, TeamNodes *out) {
    if (!t->solo.n) return;
    Node *n = t->solo.n == 1 ? t->solo.at[0] : node_seq(t->a, t->solo.n, t->solo.at);
    vec_push(t->a, out, team_phase(t, NULL, team_first(t), n));
    t->solo.at = NULL;
    t->solo.n = t->solo.cap = 0;
}

const char *team_name(Team *t, const char *wish) {
    return t->ch ? change_name(t->ch, wish) : name_fresh(t->names, wish);
}

// ---- what is kept ------------------------------------------------------------------------------------
static int64_t trips_of(const Node *loop) {
    int64_t n = 0;
    return loop_constant(loop, &n) ? n : 0;
}

// In the order of the thread loops, so that neighbours touch neighbouring words.
static int row_at(const Team *t, int extra, int k) { return t->outside ? extra + k : k; }
static int digit_at(const Team *t, int k) { return t->outside ? k : t->nrows + k; }

const Array *team_array(Team *t, const char *wish, const Array *like, int extra, const int64_t *extent,
                        bool keeps) {
    Arena *a = t->a;
    Array *x = array_new(a, team_name(t, wish), like->elem, PLACE_SHARED, t->nrows + extra + like->rank);
    x->rank = t->nrows + extra;
    for (int k = 0; k < t->nrows; k++)
        x->extent[row_at(t, extra, k)] = expr_int(a, T_I32, trips_of(t->row[k]));
    for (int k = 0; k < extra; k++) x->extent[digit_at(t, k)] = expr_int(a, T_I32, extent[k]);
    for (int k = 0; keeps && k < like->rank; k++) x->extent[x->rank++] = like->extent[k];
    vec_push(a, &t->buffers, x);
    return x;
}

Expr **team_subs(const Team *t, int extra, Expr *const *more) {
    Expr **sub = NEW_N(t->a, Expr *, t->nrows + extra + 1);
    for (int k = 0; k < t->nrows; k++) sub[row_at(t, extra, k)] = expr_sym(t->a, t->row[k]->iter);
    for (int k = 0; k < extra; k++) sub[digit_at(t, k)] = more[k];
    return sub;
}

static bool keep(Team *t, const Array *x) {
    if (x->place != PLACE_LOCAL || x->of)
        return change_refuse(t->ch, "%s stands beside the loops; reduce before what made it", x->name);
    for (int k = 0; k < x->rank; k++)
        if (!x->extent[k] || x->extent[k]->kind != E_INT)
            return change_refuse(t->ch, "%s has no constant size", x->name);
    vec_push(t->a, &t->locals, x);
    vec_push(t->a, &t->kept, team_array(t, arena_printf(t->a, "%s_row", x->name), x, 0, NULL, true));
    return true;
}

typedef struct Move {
    const Team *t;
    const Array *from, *to;
} Move;

static bool to_kept(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const Move *m = arg;
    const int nrows = m->t->nrows;
    Expr **at = NEW_N(m->t->a, Expr *, nrows + m->from->rank + 1);
    for (int k = 0; k < nrows; k++) at[k] = expr_sym(m->t->a, m->t->row[k]->iter);
    for (int d = 0; d < m->from->rank; d++) at[nrows + d] = s->sub[d];
    *to = m->to;
    *sub = at;
    return true;
}

static Node *move_locals(const Team *t, Node *n) {
    for (int k = 0; k < t->locals.n; k++) {
        Move m = {t, t->locals.at[k], t->kept.at[k]};
        n = accesses_edit(t->a, n, m.from, to_kept, &m);
    }
    return n;
}

// ---- the work --------------------------------------------------------------------------------------
static bool holds(const Team *t, Node *n) {
    Path p;
    for (int k = 0; k < t->nloops; k++)
        if (path_to(n, t->loop[k], &p)) return true;
    return false;
}

static bool is_dealt(const Team *t, const Node *n) { return has_pointer(t->nloops, t->loop, n); }

static bool spread(Team *t, Node *n, Expr *guard, TeamNodes *out);

// Is it the same for all threads?
static bool is_even(const Team *t, const Expr *x) {
    for (int k = 0; k < t->nrows; k++)
        if (expr_uses_sym(x, t->row[k]->iter)) return false;
    return !expr_has_load(x) || cond_is_steady(t->region, x);
}

// A loop around dealt ones: all threads go through it together.
static bool spread_loop(Team *t, Node *n, Expr *guard, TeamNodes *out) {
    if (n->how != HOW_SERIAL || !is_even(t, n->lo) || !is_even(t, n->hi))
        return change_refuse(t->ch, "%s stands around the loop, and threads may disagree on its iterations",
                             n->iter->name);
    TeamNodes inside = {0};
    team_flush(t, out);
    if (!spread(t, n->body, guard, &inside)) return false;
    team_flush(t, &inside);
    Node *body = inside.n == 1 ? inside.at[0] : node_seq(t->a, inside.n, inside.at);
    vec_push(t->a, out, node_around(t->a, n, body));
    return true;
}

static bool spread_if(Team *t, Node *n, Expr *guard, TeamNodes *out) {
    if (expr_has_load(n->cond) && !cond_is_steady(t->region, n->cond))
        return change_refuse(t->ch, "a condition around the loop reads what is written");
    if (!spread(t, n->then, cond_and(t->a, guard, n->cond), out)) return false;
    return !n->other ||
           spread(t, n->other, cond_and(t->a, guard, expr_op(t->a, OP_LNOT, n->cond, NULL, NULL)), out);
}

static bool spread(Team *t, Node *n, Expr *guard, TeamNodes *out) {
    if (is_dealt(t, n)) return team_flush(t, out), team_deal(t, n, guard, out);
    if (!holds(t, n)) return team_solo(t, guard, n), true;
    if (n->kind == N_IF) return spread_if(t, n, guard, out);
    if (n->kind == N_FOR) return spread_loop(t, n, guard, out);
    for (int k = 0; k < n->nlocals; k++)
        if (!keep(t, n->locals[k])) return false;
    for (int k = 0; k < n->nkids; k++)
        if (!spread(t, n->kids[k], guard, out)) return false;
    return true;
}

static bool fits(const Team *t) {
    int64_t all = 0;
    for (int k = 0; k < t->buffers.n; k++) {
        int64_t bytes = type_size(t->buffers.at[k]->elem);
        for (int d = 0; d < t->buffers.at[k]->rank; d++)
            if (__builtin_mul_overflow(bytes, t->buffers.at[k]->extent[d]->i, &bytes)) return false;
        if (__builtin_add_overflow(all, bytes, &all)) return false;
    }
    return all <= MOST_SHARED ||
           change_refuse(t->ch, "what the threads keep between phases takes %lld bytes of shared memory",
                         (long long)all);
}

Node *team_spread(Team *t) {
    TeamNodes out = {0};
    if (!spread(t, t->work, NULL, &out)) return NULL;
    team_flush(t, &out);
    if (!fits(t)) return NULL;
    Node *n = node_seq(t->a, out.n, out.at);
    n = move_locals(t, n);
    for (int k = 0; k < t->buffers.n; k++) n = seq_declare(t->a, n, t->buffers.at[k]);
    return n;
}
