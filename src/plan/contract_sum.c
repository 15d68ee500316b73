// SPDX-License-Identifier: MIT
// contract_sum.c -- contractions whose sums have a beginning or an end
//
//   for y { for x { s = …;  for k { s += … }  C[y][x] = … s … } }
//
// s is a local or an element, and there may be several; the updates are alone in their loops once they have
// been distributed. Where bounds go with other counters, or conditions stand in the loops, it is a part of a
// contraction: loops become those of the whole one (rule hull), and conditions around the update tell which
// part.
#include "plan/contract_find.h"
#include "plan/recipe.h"
#include "rule/loops.h"

// The instance of the statement, the last if there are several.
static Node *instance_of(Node *root, const Stmt *s) {
    Node *found = NULL;
    node_each(n, root)
        if (n->kind == N_STMT && n->stmt == s) found = n;
    return found;
}

enum { MOST_LOOPS = 3 + CONTRACT_MORE };

static bool is_update(const Contraction *k, const Stmt *s) { return has_pointer(k->nupdates, k->update, s); }

// Which statements are the updates: those in the most loops, one or all of a block; all others are on the
// way to them or from them.
static bool find_sums(const Region *r, Contraction *k, Path *way) {
    const Stmt *deepest = r->stmts[0];
    int as_deep = 0;
    for (int i = r->nstmts - 1; i >= 0; i--)
        if (r->stmts[i]->depth >= deepest->depth) deepest = r->stmts[i];
    for (int i = 0; i < r->nstmts; i++) as_deep += r->stmts[i]->depth == deepest->depth;
    Node *found = instance_of(r->root, deepest);
    if (!found || !path_to(r->root, found, way)) return false;
    const Node *block = as_deep > 1 && way->n > 1 ? way->node[way->n - 2] : found;
    return contract_are_updates(k, block) && k->nupdates == as_deep;
}

// Every other statement uses what is summed. Gives those that store the results: their arrays tell x from y.
static bool find_results(Compile *c, const Region *r, const Contraction *k, const Stmt **end) {
    for (int e = 0; e < k->nsums; e++) end[e] = k->sum[e].stmt->lhs->rank > 0 ? k->sum[e].stmt : NULL;
    for (int i = 0; i < r->nstmts; i++) {
        const Stmt *s = r->stmts[i];
        bool uses = false;
        if (is_update(k, s)) continue;
        AccessVec v = stmt_accesses(c->arena, s);
        for (int e = 0; e < k->nsums; e++)
            for (int j = 0; j < v.n; j++) {
                if (v.at[j].array != k->sum[e].stmt->lhs) continue;
                uses = true;
                if (!k->sum[e].stmt->lhs->rank && s->lhs->place == PLACE_USER) end[e] = s;
            }
        if (!uses || s->atomic) return false;
    }
    for (int e = 0; e < k->nsums; e++)
        if (!end[e]) return false;
    return true;
}

// Does a statement besides the updates use what is summed?
static bool is_joined(Compile *c, const Region *r, const Contraction *k, const Array *x) {
    for (int i = 0; i < r->nstmts; i++) {
        if (is_update(k, r->stmts[i])) continue;
        AccessVec v = stmt_accesses(c->arena, r->stmts[i]);
        for (int j = 0; j < v.n; j++)
            if (v.at[j].array == x) return true;
    }
    return false;
}

// And no more loops than those that C names.
static bool are_outside(const Region *r, const Contraction *k) {
    for (int i = 0; i < r->nstmts; i++)
        if (!is_update(k, r->stmts[i]) && r->stmts[i]->depth != 2 + k->nbatch) return false;
    return true;
}

// The loops around the update, outermost first; how many. 0: other than the update's, or a condition that is
// no bound.
static int loops_on(const Path *way, const Contraction *k, const Node *loop[MOST_LOOPS]) {
    int n = 0;
    for (int i = 0; i < way->n; i++) {
        const Node *at = way->node[i];
        if (at->kind == N_IF && (at->other || !cond_is_free(at->cond))) return 0;
        if (at->kind == N_FOR && n == MOST_LOOPS) return 0;
        if (at->kind == N_FOR) loop[n++] = at;
    }
    return n == k->update[0]->depth ? n : 0;
}

// ---- the steps before ----------------------------------------------------------------------------
// A nest on the way to plain loops, and the lines that made it.
typedef struct Making {
    Compile *c;
    const Nest *nest;
    Text lines;
    Path way;              // to the update
} Making;

static bool find_way(Making *m, const Contraction *k) {
    Node *found = instance_of(m->nest->root, k->update[0]);
    return found && path_to(m->nest->root, found, &m->way);
}

static bool step(Making *m, const Contraction *k, const char *line) {
    const Nest *n = recipe_then(m->c, m->nest, line, NULL);
    if (!n) return false;
    m->nest = n;
    text_printf(&m->lines, "%s\n", line);
    return find_way(m, k);
}

static bool has_condition(const Path *way) {
    for (int i = 0; i < way->n; i++)
        if (way->node[i]->kind == N_IF) return true;
    return false;
}

// Conditions become bounds: of the innermost loop first.
static bool trim(Making *m, const Contraction *k) {
    for (int i = m->way.n - 1; i >= 0 && has_condition(&m->way); i--) {
        const Node *n = i < m->way.n ? m->way.node[i] : NULL;
        if (!n || n->kind != N_FOR) continue;
        const char *line = arena_printf(m->c->arena, "trim %s", n->iter->name);
        const Nest *next = recipe_then(m->c, m->nest, line, NULL);
        if (next && !step(m, k, line)) return false;
    }
    return !has_condition(&m->way);
}

// Each loop alone with what it holds, from the inside out; what the innermost holds are the updates.
static bool part(Making *m, const Contraction *k) {
    Arena *a = m->c->arena;
    const Node *loop[MOST_LOOPS];
    int n = loops_on(&m->way, k, loop), level = -1;
    for (int i = 0; i < n; i++)
        if (unwrap(loop[i]->body)->kind == N_SEQ && (i < n - 1 || k->nupdates == 1)) level = i;
    const char *name[MOST_LOOPS];
    for (int i = 0; i < n; i++) name[i] = loop[i]->iter->name;
    for (int i = 0; i < k->nsums; i++) {
        const Array *sum = k->sum[i].stmt->lhs;
        if (!sum->rank && !step(m, k, arena_printf(a, "expand %s", sum->name))) return false;
    }
    for (; level >= 0; level--)
        if (!step(m, k, arena_printf(a, "distribute %s", name[level]))) return false;
    return true;
}

// Bounds that go with other counters become conditions again, now around the update alone.
static bool square(Making *m, const Contraction *k) {
    const Node *loop[MOST_LOOPS];
    for (int i = 0; i < k->update[0]->depth; i++) {
        if (loops_on(&m->way, k, loop) != k->update[0]->depth) return false;
        if (!contract_is_plain(loop[i]) &&
            !step(m, k, arena_printf(m->c->arena, "hull %s", loop[i]->iter->name)))
            return false;
    }
    return true;
}

// The summed loop among those around the update.
static const Node *sum_loop(const Contraction *k, const Path *way, int n, const Node *const *loop) {
    const Node *at = way->node[way->n - 1];
    for (int e = 0; e < k->update[0]->depth; e++)
        for (int i = 0; i < n; i++)
            if (k->update[0]->iters[e] == k->k->iter && contract_is_counter(at->at[e], loop[i]->iter))
                return loop[i];
    return NULL;
}

// Where bounds of others went with the summed loop, it may have iterations without terms: k < i leaves none
// to i = 0. Strips would begin there, and packed operands where they are used; so it goes innermost, and its
// bounds are made anew from the condition. Nothing is done where they stay the same.
static bool narrow(Making *m, const Contraction *k) {
    const Node *loop[MOST_LOOPS];
    int n = loops_on(&m->way, k, loop);
    const Node *sum = sum_loop(k, &m->way, n, loop), *after = NULL;
    if (!sum || sum == loop[n - 1] || !has_condition(&m->way)) return true;
    const char *name = sum->iter->name, *lines[3];
    Text order = text_new(m->c->arena);
    text_put(&order, "interchange");
    for (int i = 0; i < n; i++)
        if (loop[i] != sum) text_printf(&order, " %s", loop[i]->iter->name);
    lines[0] = arena_printf(m->c->arena, "%s %s", text_str(&order), name);
    lines[1] = arena_printf(m->c->arena, "trim %s", name);
    lines[2] = arena_printf(m->c->arena, "hull %s", name);
    Making then = *m;
    for (int i = 0; i < 3; i++)
        if (!(then.nest = recipe_then(m->c, then.nest, lines[i], NULL))) return true;
    if (!find_way(&then, k) || loops_on(&then.way, k, loop) != n) return true;
    after = sum_loop(k, &then.way, n, loop);
    if (!after || (expr_equal(after->lo, sum->lo) && expr_equal(after->hi, sum->hi))) return true;
    for (int i = 0; i < 3; i++)
        if (!step(m, k, lines[i])) return false;
    return true;
}

// The loop in the place of one of the region's.
static bool move_loop(const Contraction *k, const Node *at, int n, const Node *const *loop,
                      const Node **mine) {
    for (int e = 0; e < k->update[0]->depth; e++)
        for (int i = 0; i < n; i++)
            if ((*mine)->iter == k->update[0]->iters[e] && contract_is_counter(at->at[e], loop[i]->iter))
                return *mine = loop[i], contract_is_plain(loop[i]);
    return false;
}

// The loops after these steps.
static bool move_loops(const Making *m, Contraction *k) {
    const Node *at = m->way.node[m->way.n - 1];
    const Node *loop[MOST_LOOPS], **mine[MOST_LOOPS] = {&k->x, &k->y, &k->k};
    int count = 3, n = loops_on(&m->way, k, loop);
    for (int i = 0; i < k->nbatch; i++) mine[count++] = &k->batch[i];
    for (int i = 0; i < k->naround; i++) mine[count++] = &k->around[i];
    for (int i = 0; i < count; i++)
        if (!n || !move_loop(k, at, n, loop, mine[i])) return false;
    for (int i = 0; i < k->nsums; i++) {
        const Node *found = instance_of(m->nest->root, k->sum[i].stmt);
        if (found && found->nvia && found->via[0]) k->sum[i].name = found->via[0]->name;
    }
    return true;
}

// What the conditions around the update tell: which elements there are, or which terms they have.
static bool sort_conditions(const Path *way, Contraction *k) {
    Expr *t[TERMS_MAX];
    for (int i = 0; i < way->n; i++) {
        int n = way->node[i]->kind == N_IF ? cond_terms(way->node[i]->cond, t, TERMS_MAX) : 0;
        if (n < 0) return false;
        for (int e = 0; e < n; e++) {
            for (int l = 0; l < k->naround; l++)
                if (expr_uses_sym(t[e], k->around[l]->iter)) return false;
            *(expr_uses_sym(t[e], k->k->iter) ? &k->strip : &k->triangle) = true;
        }
    }
    return true;
}

static bool is_plain(const Path *way) {
    for (int i = 0; i < way->n; i++) {
        const Node *n = way->node[i];
        if (n->kind == N_IF || (n->kind == N_FOR && !contract_is_plain(n))) return false;
    }
    return true;
}

bool contraction_find_sum(Compile *c, const Region *r, const DepInfo *d, const Nest *start,
                          Contraction *out) {
    *out = (Contraction){.region = r};
    const Node *loop[MOST_LOOPS];
    const Stmt *end[CONTRACT_SUMS];
    Path way;
    int n;
    if (!r->nstmts || !d->bounds || r->ninspects || !find_sums(r, out, &way) ||
        !(n = loops_on(&way, out, loop)) ||
        (r->nstmts == out->nupdates && is_plain(&way)) || !find_results(c, r, out, end))
        return false;
    for (int i = 0; i < out->nsums; i++) {
        const Array *lhs = out->sum[i].stmt->lhs;
        if (lhs->place != PLACE_USER && (lhs->place != PLACE_LOCAL || lhs->rank)) return false;
        out->sum[i].joins = is_joined(c, r, out, lhs);
        out->sum[i].stores = end[i]->lhs->elem == lhs->elem;
        for (int e = 0; e < i; e++) out->sum[i].stores &= end[e] != end[i]; // the first one's registers are
    }
    if (!contract_sort(c, d, n, loop, end, out) || !are_outside(r, out)) return false;
    Making m = {.c = c, .nest = start, .lines = text_new(c->arena)};
    if (!find_way(&m, out) || !trim(&m, out) || !part(&m, out) || !square(&m, out) || !narrow(&m, out))
        return false;
    out->before = arena_strdup(c->arena, text_str(&m.lines));
    return move_loops(&m, out) && sort_conditions(&m.way, out);
}
