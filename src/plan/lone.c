// SPDX-License-Identifier: MIT
// lone.c -- a region's only sum, alone in its loops, and what these loops are.
#include "plan/lone.h"
#include "plan/near.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include "rule/linear.h"
#include "rule/loops.h"

void role_put(Role *r, const Node *loop) { r->loop[r->n++] = loop; }

void role_drop(Role *r, const Node *loop) {
    int n = 0;
    for (int i = 0; i < r->n; i++)
        if (r->loop[i] != loop) r->loop[n++] = r->loop[i];
    r->n = n;
}

bool role_has(const Role *r, const Node *loop) {
    for (int i = 0; i < r->n; i++)
        if (r->loop[i] == loop) return true;
    return false;
}

const char *loop_name(const Node *loop) { return loop->iter->name; }

int64_t lone_trips(const Lone *w, const Node *loop) {
    int64_t n = site_trips(w->s, loop);
    return n < 0 ? 1 << 20 : n;
}

// ---- the update alone in its loops --------------------------------------------------------------------
static bool step(Lone *w, const char *line) {
    const Nest *n = recipe_then(w->s->c, w->nest, line, NULL);
    if (!n) return false;
    w->nest = n;
    text_printf(&w->steps, "%s\n", line);
    return true;
}

// ---- small numbers ---------------------------------------------------------------------------------------
typedef struct Small {
    const Site *s;
    int64_t most;
    Sizes sizes;
} Small;

static void see_small(const Expr *x, void *arg) {
    Small *k = arg;
    bool is = x->kind == E_SYM && x->sym->kind == SYM_PARAM && type_is_int(x->sym->type);
    if (is) site_add_size(k->s, x->sym, 0, k->most, &k->sizes);
}

typedef struct Meets {
    const Site *s;
    const Sym *counter, *at;
    int64_t trips;
    bool it, other, found;
} Meets;

static void see_longer(Node *n, void *arg) {
    Meets *m = arg;
    if (n->kind == N_FOR && n->iter == m->at)
        m->other |= site_is_free(m->s, n) && site_trips(m->s, n) > m->trips;
}

static void see_counter(const Expr *x, void *arg) {
    Meets *m = arg;
    if (x->kind != E_SYM || x->sym->kind != SYM_ITER) return;
    m->at = x->sym, m->it |= x->sym == m->counter;
    if (x->sym != m->counter) node_walk(m->s->start->root, see_longer, m);
}

static void see_meeting(Node *n, void *arg) {
    Meets *m = arg;
    AccessVec v = {0};
    if (n->kind == N_STMT) node_accesses(m->s->c->arena, n, &v);
    for (int i = 0; i < v.n; i++)
        for (int d = 0; d < v.at[i].array->rank; d++) {
            m->it = m->other = false;
            expr_walk(v.at[i].sub[d], see_counter, m);
            m->found |= m->it && m->other;
        }
}

// Windows: short sums whose counter is in a subscript with that of a longer free loop.
static void see_sum(Node *n, void *arg) {
    Small *k = arg;
    AccessVec v = {0};
    if (n->kind == N_STMT) node_accesses(k->s->c->arena, n, &v);
    for (int i = 0; i < v.n; i++)
        for (int d = 0; d < v.at[i].array->rank; d++) expr_walk(v.at[i].sub[d], see_small, k);
    if (n->kind != N_FOR || site_is_free(k->s, n)) return;
    int64_t trips = site_trips(k->s, n);
    Meets m = {.s = k->s, .counter = n->iter, .trips = trips};
    if (trips > 0 && trips <= k->most) node_walk(n->body, see_meeting, &m);
    if (!m.found) return;
    expr_walk(n->lo, see_small, k);
    expr_walk(n->hi, see_small, k);
}

static void define(Lone *w, int64_t most) {
    Small k = {w->s, most, {0}};
    node_walk(w->s->start->root, see_sum, &k);
    for (int i = 0; i < k.sizes.n; i++)
        step(w, arena_printf(w->s->c->arena, "define %s value=%lld", k.sizes.sym[i]->name,
                             (long long)k.sizes.value[i]));
}

// ---- the update ---------------------------------------------------------------------------------------
static bool cut(Lone *w) {
    Arena *a = w->s->c->arena;
    Chain c = chain_of(w->nest->root);
    if (!c.n || c.body->kind != N_SEQ) return c.n > 0;
    for (int i = 0; i < c.body->nlocals; i++)
        if (!step(w, arena_printf(a, "expand %s", c.body->locals[i]->name))) return false;
    for (int i = c.n - 1; i >= 0 && c.body->nkids > 1; i--)
        if (!step(w, arena_printf(a, "distribute %s", loop_name(c.loop[i])))) return false;
    return true;
}

typedef struct Deepest {
    const Node *update;
    int depth, stmts;
} Deepest;

static void see_stmt(Node *n, void *arg) {
    Deepest *d = arg;
    if (n->kind != N_STMT) return;
    d->stmts++;
    if (n->stmt->depth > d->depth) d->depth = n->stmt->depth, d->update = n;
}

static bool is_plain(const Node *n) {
    return n->step == 1 && !expr_uses_iters(n->lo) && !expr_uses_iters(n->hi) && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi) && !loop_while(n);
}

static const char *sum_of(const Node *n) {
    return n->nvia && n->via[0] ? n->via[0]->name : n->stmt->lhs->name;
}

// Updates that stand together, with what they share in the block's own locals.
static bool see_body(Lone *w, const Node *n, int depth) {
    int nstmts = n->kind == N_SEQ ? n->nkids : 1;
    w->body = n, w->update = NULL;
    for (int i = 0; i < nstmts; i++) {
        const Node *s = n->kind == N_SEQ ? n->kids[i] : n;
        if (s->kind != N_STMT || s->atomic || s->stmt->depth != depth) return false;
        bool local = false;
        for (int k = 0; k < n->nlocals; k++) local |= n->kind == N_SEQ && s->stmt->lhs == n->locals[k];
        if (local) continue;
        if (s->stmt->op == OP_SET) return false;
        for (int k = 0; k < w->sum.n; k++)
            if (str_eq(w->sum.at[k], sum_of(s))) return false;
        vec_push(w->s->c->arena, &w->sum, sum_of(s));
        w->update = w->update ? w->update : s;
    }
    return w->update != NULL;
}

static bool find_update(Lone *w) {
    Deepest d = {0};
    Path way;
    node_walk(w->nest->root, see_stmt, &d);
    if (!d.update || !path_to(w->nest->root, d.update, &way)) return false;
    const Node *block = d.update;
    for (int i = 0; i < way.n; i++) {
        const Node *n = way.node[i];
        if (n->kind == N_SEQ && n->nkids > 1 && w->all.n) {
            block = n;
            break;
        }
        if (n->kind == N_IF && (n->other || !cond_is_free(n->cond))) return false;
        if (n->kind == N_FOR && (!is_plain(n) || w->all.n == LONE_LOOPS)) return false;
        if (n->kind == N_FOR) role_put(&w->all, n);
    }
    w->joins = d.stmts > (block->kind == N_SEQ ? block->nkids : 1);
    return w->all.n == d.update->stmt->depth && see_body(w, block, w->all.n);
}

// ---- what the loops are --------------------------------------------------------------------------------
typedef struct Facts {
    const Site *s;
    const Sym *iter;
    const LoopFact *fact;
} Facts;

static void see_fact(Node *n, void *arg) {
    Facts *f = arg;
    if (n->kind == N_FOR && n->iter == f->iter) f->fact = dep_loop(f->s->dep, n);
}

bool access_uses(const Access *x, const Node *loop) {
    for (int d = 0; d < x->array->rank; d++)
        if (expr_uses_sym(x->sub[d], loop->iter)) return true;
    return false;
}

// Each is one of the region's.
static bool sort_loops(Lone *w) {
    const Stmt *s = w->update->stmt;
    AccessVec v = {0};
    node_accesses(w->s->c->arena, w->update, &v);
    for (int i = 0; i < w->all.n; i++) {
        Facts f = {.s = w->s};
        for (int e = 0; e < s->depth; e++) {
            const Expr *x = w->update->at[e];
            while (x->kind == E_CAST) x = x->args[0];
            if (x->kind == E_SYM && x->sym == w->all.loop[i]->iter) f.iter = s->iters[e];
        }
        if (f.iter) node_walk(w->s->region->root, see_fact, &f);
        if (!f.fact) return false;
        if (f.fact->parallel == ANSWER_ALWAYS) role_put(&w->free, w->all.loop[i]);
        else if (!access_uses(&v.at[0], w->all.loop[i])) role_put(&w->sums, w->all.loop[i]);
        else return false;
        if (role_has(&w->sums, w->all.loop[i])) w->any_order &= f.fact->reduction == ANSWER_ALWAYS;
    }
    return true;
}

int64_t access_coef(const Access *x, int dim, const Node *loop) {
    Linear l;
    return linear_of(x->sub[dim], &l) ? linear_coef(&l, loop->iter) : 0;
}

// Subscripts are sums of counters, times constants.
bool access_is_linear(const Lone *w, const Access *x) {
    if (x->array->rank > LONE_RANK) return false;
    for (int d = 0; d < x->array->rank; d++)
        for (int i = 0; i < w->all.n; i++) {
            Linear l;
            const Sym *iter = w->all.loop[i]->iter;
            if (!linear_of(x->sub[d], &l)) return false;
            if (linear_uses(&l, iter) && !linear_coef(&l, iter)) return false;
        }
    return true;
}

bool lone_find(const Site *s, int64_t most, Lone *w) {
    int diags = s->c->diags.n, errors = s->c->errors;
    *w = (Lone){.s = s, .nest = s->start, .steps = text_new(s->c->arena), .any_order = true};
    define(w, most);
    bool fits = cut(w) && find_update(w) && sort_loops(w);
    s->c->diags.n = diags, s->c->errors = errors;
    return fits;
}
