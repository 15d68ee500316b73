// SPDX-License-Identifier: MIT
// team_tree.c -- a loop dealt to a team, and the tree that combines what its threads found.
//
//   for k  s += …      →      acc = 0;  for k = number .. by 64  acc += …;  s_sums[warp][lane] = acc
//                             if (lane < 8)  s_sums[warp][4 * lane] += s_sums[warp][4 * lane + 1], +2, +3
//                             if (lane < 2)  s_sums[warp][16 * lane] += s_sums[warp][16 * lane + 4], +8, +12
//                             if (lane < 1)  s_sums[warp][0] += s_sums[warp][16]
//                             if (lane == 0)  s_warps[warp] = s_sums[warp][0]
//                             if (warp == 0 && lane < 1)  s_warps[0] += s_warps[1]
//                             s += s_warps[0]
//
// Branches of four, because a step waits for memory and for its warp, and three words are on their way at
// once. Lanes that are at work stand side by side, and touch different banks in each step: 8 lanes 4 words
// apart, 2 lanes 16. What a place holds is then the sum of neighbours, which the judge sees as a range, not
// as a list that doubles with each step.
//
// Neighbours take neighbours, so that what they read side by side comes in whole sectors. The order of
// combination depends on nothing but the number of threads.
#include "rule/storage.h"
#include "rule/team.h"

enum {
    UNROLL = 4,    // iterations whose reads are under way together
    BRANCHES = 4,  // of the tree
};

// ---- what the loop updates ---------------------------------------------------------------------------
typedef struct Scan {
    Team *t;
    const Node *loop;
    VEC(const Sym *) counters;         // the loop's and those inside
    VEC(const Array *) own;            // declared inside: each iteration has its own
    int n;
    TeamTarget target[TEAM_TARGETS];
    bool many;
    const Array *moving;               // of which an iteration updates elements that it shares with others
} Scan;

static bool is_own(const Scan *s, const Array *x) { return has_pointer(s->own.n, s->own.at, x); }

static bool is_still(const Scan *s, const Expr *x) {
    if (expr_has_load(x)) return false;
    for (int k = 0; k < s->counters.n; k++)
        if (expr_uses_sym(x, s->counters.at[k])) return false;
    return true;
}

static bool same_subs(const TeamTarget *g, Expr *const *sub) {
    for (int d = 0; d < g->array->rank && !g->row; d++)
        if (!expr_equal(g->sub[d], sub[d])) return false;
    return true;
}

// Elements of a local array that is small enough for a copy of each thread's own; 0: it isn't.
static int64_t row_of(const Array *x) {
    if (x->place != PLACE_LOCAL || x->of || x->rank != 1) return 0;
    const Expr *n = x->extent[0];
    return n && n->kind == E_INT && n->i <= TEAM_ROW ? n->i : 0;
}

// When the loop gets to the update, as far as the loop's own counters have no part in it.
static Expr *runs_of(const Scan *s, const Node *n) {
    Arena *a = s->t->a;
    Expr *runs = NULL, *term[TERMS_MAX];
    Path p;
    if (!path_to((Node *)s->loop, n, &p)) return NULL;
    for (int i = 0; i + 1 < p.n; i++) {
        const Node *up = p.node[i];
        if (up->kind == N_FOR && (i == 0 || (is_still(s, up->lo) && is_still(s, up->hi))))
            runs = cond_and(a, runs,
                            expr_op(a, up->step > 0 ? OP_LT : OP_GT, up->lo,
                                    expr_cast(a, up->lo->type, up->hi), NULL));
        int terms = up->kind == N_IF && up->then == p.node[i + 1] ? cond_terms(up->cond, term, TERMS_MAX) : 0;
        for (int k = 0; k < terms; k++)
            if (is_still(s, term[k]) && cond_is_free(term[k])) runs = cond_and(a, runs, term[k]);
    }
    return runs;
}

static void see_update(Scan *s, const Node *n, const Array *x, Expr *const *sub, Op op) {
    if (op == OP_SET || is_own(s, x)) return;
    bool still = true, named = false, chosen = false;
    for (int d = 0; d < x->rank; d++) {
        still = still && is_still(s, sub[d]);
        named = named || expr_uses_sym(sub[d], s->loop->iter);
        chosen = chosen || expr_has_load(sub[d]);
    }
    int64_t row = still || named || chosen ? 0 : row_of(x);
    bool apart = still || row > 0;
    if (!apart && (!named || chosen)) s->moving = x;
    if (!apart) return;
    // else it certainly exists
    bool memory = x->rank > 0 && (x->place == PLACE_USER || x->place == PLACE_TEMP);
    Expr *runs = memory ? runs_of(s, n) : NULL;
    for (int k = 0; k < s->n; k++) {
        TeamTarget *g = &s->target[k];
        if (g->array != x || !(row || same_subs(g, sub))) continue;
        if (row) g->row = row;
        if (!runs || !g->runs) g->runs = NULL;
        else if (!expr_equal(runs, g->runs)) g->runs = expr_op(s->t->a, OP_LOR, g->runs, runs, NULL);
        return;
    }
    if (s->n == TEAM_TARGETS) s->many = true;
    else s->target[s->n++] = (TeamTarget){.array = x, .sub = (Expr **)sub, .row = row, .op = op,
                                          .runs = runs};
}

// Is the element used in other ways, or what may overlap it? Reads of other elements are none of them, and
// whether they are others the judge sees.
typedef struct Use {
    const Scan *s;
    const TeamTarget *g;
    bool other;
} Use;

static void see_array(Use *u, const Array *x, Expr *const *sub, Op op, bool write) {
    if (!arrays_may_overlap(x, u->g->array)) return;
    bool same = x == u->g->array && same_subs(u->g, sub);
    if (x != u->g->array || (write ? !same || op != u->g->op : same)) u->other = true;
}

static bool is_used_otherwise(const Scan *s, const TeamTarget *g, const Node *body) {
    Use u = {s, g, false};
    node_each(n, body) {
        AccessVec v = node_touches(s->t->a, n);
        for (int k = 0; k < v.n; k++)
            see_array(&u, v.at[k].array, v.at[k].sub, n->kind == N_STMT ? n->stmt->op : n->op, v.at[k].write);
    }
    return u.other;
}

static bool find_targets(Scan *s, Node *loop) {
    const char *name = loop->iter->name;
    Change *ch = s->t->ch;
    Arena *a = s->t->a;
    node_each(n, loop) {
        if (n->kind == N_FOR) vec_push(a, &s->counters, n->iter);
        for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++) vec_push(a, &s->own, n->locals[k]);
    }
    node_each(n, loop->body) {
        AccessVec v = node_accesses(a, n);
        if (v.n && !n->atomic)
            see_update(s, n, v.at[0].array, v.at[0].sub, n->kind == N_STMT ? n->stmt->op : n->op);
    }
    if (s->many) return change_refuse(ch, "%s updates more than %d elements", name, TEAM_TARGETS);
    if (s->moving)
        return change_refuse(ch, "%s updates more than one element of %s, each in several iterations", name,
                             s->moving->name);
    for (int k = 0; k < s->n; k++) {
        TeamTarget *g = &s->target[k];
        if (is_used_otherwise(s, g, loop->body))
            return change_refuse(ch, "%s is not only updated in %s, at one element with one operator",
                                 g->array->name, name);
        if (!neutral_element(a, g->op, g->array->elem))
            return change_refuse(ch, "the operator on %s has no neutral element", g->array->name);
    }
    return true;
}

// ---- rows of elements --------------------------------------------------------------------------------
// The counter of a row's elements; NULL: it is a single one.
static const Sym *element_of(Team *t, const TeamTarget *g) {
    Sym *e = g->row ? NEW(t->a, Sym) : NULL;
    if (e) *e = (Sym){team_name(t, "e"), SYM_ITER, T_I32, NULL};
    return e;
}

static Node *each_element(const Team *t, const TeamTarget *g, const Sym *e, Node *n) {
    if (!e) return n;
    return node_for(t->a, e, expr_int(t->a, T_I32, 0), expr_int(t->a, T_I32, g->row), 1, HOW_UNROLL, n);
}

// Of the array itself, and of the thread's own part.
static Expr **target_subs(const Team *t, const TeamTarget *g, const Sym *e) {
    Expr **sub = e ? NEW(t->a, Expr *) : g->sub;
    if (e) *sub = expr_sym(t->a, e);
    return sub;
}

// Of what the team keeps of it.
static Expr **kept_subs(const Team *t, const Sym *e, int extra, Expr *const *more) {
    Expr **rest = team_subs(t, extra, more), **sub = NEW_N(t->a, Expr *, t->nrows + extra + 2);
    if (!e) return rest;
    sub[0] = expr_sym(t->a, e);
    for (int k = 0; k < t->nrows + extra; k++) sub[k + 1] = rest[k];
    return sub;
}

// An array of the team's with the row's elements as its first dimension.
static const Array *kept_array(Team *t, const TeamTarget *g, const char *what, int extra) {
    const char *name = arena_printf(t->a, "%s_%s", g->array->name, what);
    Array *x = (Array *)team_array(t, name, g->array, extra, t->extent, false);
    if (!g->row) return x;
    for (int k = x->rank++; k > 0; k--) x->extent[k] = x->extent[k - 1];
    x->extent[0] = expr_int(t->a, T_I32, g->row);
    return x;
}

// ---- each thread's part --------------------------------------------------------------------------------
void team_places(Team *t, TeamTarget *g) {
    g->sums = kept_array(t, g, "sums", t->ndigits);
    if (t->ndigits > 1) g->across = kept_array(t, g, "warps", 1);
}

static void make_arrays(Team *t, TeamTarget *g) {
    const char *name = team_name(t, arena_printf(t->a, "%s_acc", g->array->name));
    Array *acc = array_new(t->a, name, g->array->elem, PLACE_LOCAL, g->row > 0);
    if (g->row) acc->extent[0] = expr_int(t->a, T_I32, g->row);
    g->acc = acc;
    team_places(t, g);
}

static bool to_acc(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const TeamTarget *g = arg;
    if (!same_subs(g, s->sub)) return false;
    *to = g->acc;
    *sub = (Expr **)s->sub; // of a single element: none is looked at
    return true;
}

// Where rows lie side by side in a block, they begin together, so that neighbours are at the same iteration:
// those that would begin later do nothing until then.
static Node *begun_together(const Team *t, const Node *loop) {
    Node *n = node_clone(t->a, loop);
    Expr *lo = loop->lo, *least, *last;
    for (int k = t->nrows - 1; t->outside && lo && k >= 0; k--) {
        if (!expr_uses_sym(lo, t->row[k]->iter)) continue;
        loop_range(t->a, t->row[k], &least, &last);
        lo = expr_extreme(t->a, lo, t->row[k]->iter, least, last, loop->step < 0);
    }
    if (lo == loop->lo || !lo || (loop->step != 1 && loop->step != -1)) return n;
    Expr *at = expr_sym(t->a, loop->iter), *from = expr_cast(t->a, at->type, loop->lo);
    n->lo = lo;
    n->body = guard_sink(t->a, n->body, expr_op(t->a, loop->step > 0 ? OP_GE : OP_LE, at, from, NULL));
    return n;
}

// for r unroll  for v unroll  if (in the loop's bounds)
//     iteration origin + (r * threads + number) * width + v
static Node *rounds_of(Team *t, const Node *loop) {
    Arena *a = t->a;
    const int64_t extent[2] = {t->rounds, t->width};
    const Sym *digit[2];
    Type type = loop->iter->type;
    Expr *at = team_number(t), *cond = NULL;
    for (int k = 0; k < 2; k++) {
        Sym *s = NEW(a, Sym);
        *s = (Sym){extent[k] > 1 ? team_name(t, k ? "v" : "r") : NULL, SYM_ITER, T_I32, NULL};
        digit[k] = s;
    }
    if (t->rounds > 1)
        at = expr_add(a, expr_mul(a, expr_sym(a, digit[0]), expr_int(a, T_I32, t->threads)), at);
    at = expr_mul(a, at, expr_int(a, T_I32, t->width));
    if (t->width > 1) at = expr_add(a, at, expr_sym(a, digit[1]));
    at = expr_add(a, expr_cast(a, type, t->origin), expr_cast(a, type, at));
    if (!expr_equal(loop->lo, t->origin)) cond = expr_op(a, OP_GE, at, expr_cast(a, type, loop->lo), NULL);
    cond = cond_and(a, cond, expr_op(a, OP_LT, at, expr_cast(a, type, loop->hi), NULL));
    Node *n = node_if(a, cond, node_subst(a, loop->body, 1, &loop->iter, &at), NULL);
    for (int k = 1; k >= 0; k--)
        if (extent[k] > 1)
            n = node_for(a, digit[k], expr_int(a, T_I32, 0), expr_int(a, T_I32, extent[k]), 1, HOW_UNROLL, n);
    return n;
}

// The iterations of one thread: it begins at its number, and goes on by that of all.
static Node *dealt_loop(Team *t, const Node *first) {
    if (t->rounds) return rounds_of(t, first);
    const Node *loop = begun_together(t, first);
    Node *n = node_clone(t->a, loop);
    n->lo = loop_value(t->a, loop, team_number(t));
    n->step = loop->step * t->threads;
    if (!has_loops(n->body)) n->unroll = UNROLL;
    n->mark = NULL;
    return n;
}

Node *team_put(Team *t, const TeamTarget *g) {
    const Sym *e = element_of(t, g);
    Expr *at[2];
    for (int k = 0; k < t->ndigits; k++) at[k] = expr_sym(t->a, t->digit[k]);
    return each_element(t, g, e, node_copy(t->a, g->sums, kept_subs(t, e, t->ndigits, at), OP_SET,
                                           expr_load(t->a, g->acc, target_subs(t, g, e))));
}

static Node *part(Team *t, const Scan *s, const Node *loop) {
    Arena *a = t->a;
    Node *n = dealt_loop(t, loop);
    if (!s->n) return n;
    TeamNodes kids = {0};
    for (int k = 0; k < s->n; k++) {
        const TeamTarget *g = &s->target[k];
        const Sym *e = element_of(t, g);
        n = accesses_edit(a, n, g->array, to_acc, (void *)g);
        vec_push(a, &kids, each_element(t, g, e, node_copy(a, g->acc, target_subs(t, g, e), OP_SET,
                                                           neutral_element(a, g->op, g->acc->elem))));
    }
    vec_push(a, &kids, n);
    for (int k = 0; k < s->n; k++) vec_push(a, &kids, team_put(t, &s->target[k]));
    Node *seq = node_seq(a, kids.n, kids.at);
    for (int k = 0; k < s->n; k++) seq = seq_declare(a, seq, s->target[k].acc);
    return seq;
}

// ---- the tree -----------------------------------------------------------------------------------------
static Expr *is_first(const Team *t, int digit) {
    return expr_op(t->a, OP_EQ, expr_sym(t->a, t->digit[digit]), expr_int(t->a, T_I32, 0), NULL);
}

// Lanes below `left / by` take `by` neighbours each, which lie `unit` apart, of all targets; across: those of
// the warps.
static Node *step(Team *t, int n, const TeamTarget *target, int64_t unit, int64_t by, bool across) {
    Arena *a = t->a;
    TeamNodes kids = {0};
    Sym *q = NEW(a, Sym);
    *q = (Sym){team_name(t, "q"), SYM_ITER, T_I32, NULL};
    Expr *at = expr_mul(a, team_lane(t), expr_int(a, T_I32, unit * by));
    Expr *other = expr_add(a, at, expr_mul(a, expr_sym(a, q), expr_int(a, T_I32, unit)));
    for (int k = 0; k < n; k++) {
        const TeamTarget *g = &target[k];
        const Array *x = across ? g->across : g->sums;
        Expr *warp = expr_sym(a, t->digit[0]), *to[2] = {warp, at}, *from[2] = {warp, other};
        int skip = across || t->ndigits == 1;
        const Sym *e = element_of(t, g);
        Expr *src = expr_load(a, x, kept_subs(t, e, 2 - skip, from + skip));
        vec_push(a, &kids, each_element(t, g, e, node_copy(a, x, kept_subs(t, e, 2 - skip, to + skip), g->op,
                                                           src)));
    }
    Node *all = kids.n == 1 ? kids.at[0] : node_seq(a, kids.n, kids.at);
    return node_for(a, q, expr_int(a, T_I32, 1), expr_int(a, T_I32, by), 1, HOW_UNROLL, all);
}

// What `left` neighbours hold, combined in the first.
static void fold(Team *t, int n, const TeamTarget *target, Expr *guard, int64_t left, bool across,
                 TeamNodes *out) {
    for (int64_t unit = 1, by; left > 1; unit *= by) {
        by = left >= BRANCHES ? BRANCHES : left;
        left /= by;
        Expr *who = expr_op(t->a, OP_LT, team_lane(t), expr_int(t->a, T_I32, left), NULL);
        if (across) who = cond_and(t->a, is_first(t, 0), who);
        vec_push(t->a, out, team_phase(t, guard, who, step(t, n, target, unit, by, across)));
    }
}

void team_combine(Team *t, int n, const TeamTarget *target, Expr *guard, TeamNodes *out) {
    Arena *a = t->a;
    fold(t, n, target, guard, t->extent[t->ndigits - 1], false, out);
    if (t->ndigits == 1) return;
    TeamNodes kids = {0};
    for (int k = 0; k < n; k++) {
        const TeamTarget *g = &target[k];
        const Sym *e = element_of(t, g);
        Expr *warp = expr_sym(a, t->digit[0]), *from[2] = {warp, expr_int(a, T_I32, 0)};
        vec_push(a, &kids, each_element(t, g, e, node_copy(a, g->across, kept_subs(t, e, 1, &warp), OP_SET,
                                                           expr_load(a, g->sums, kept_subs(t, e, 2, from)))));
    }
    vec_push(a, out, team_phase(t, guard, is_first(t, 1), node_seq(a, kids.n, kids.at)));
    fold(t, n, target, guard, t->extent[0], true, out);
}

Expr *team_result(const Team *t, const TeamTarget *g, const Sym *e) {
    Expr *none[2] = {expr_int(t->a, T_I32, 0), expr_int(t->a, T_I32, 0)};
    return expr_load(t->a, g->across ? g->across : g->sums, kept_subs(t, e, 1, none));
}

bool team_deal(Team *t, Node *loop, Expr *guard, TeamNodes *out) {
    Arena *a = t->a;
    Scan s = {.t = t, .loop = loop};
    if (!find_targets(&s, loop)) return false;
    for (int k = 0; k < s.n; k++) make_arrays(t, &s.target[k]);
    vec_push(a, out, team_phase(t, guard, NULL, part(t, &s, loop)));
    if (!s.n) return true;
    team_combine(t, s.n, s.target, guard, out);
    for (int k = 0; k < s.n; k++) {
        const TeamTarget *g = &s.target[k];
        const Sym *e = element_of(t, g);
        Node *to = node_copy(a, g->array, target_subs(t, g, e), g->op, team_result(t, g, e));
        team_solo(t, cond_and(a, guard, g->runs), each_element(t, g, e, to));
    }
    return true;
}
