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

bool role_has(const Role *r, const Node *loop) { return has_pointer(r->n, r->loop, loop); }

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

static void add_small(Small *k, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_SYM && x->sym->kind == SYM_PARAM && type_is_int(x->sym->type))
            site_add_size(k->s, x->sym, 0, k->most, &k->sizes);
}

// Is the counter that of a free loop of more iterations?
static bool is_longer(const Site *s, const Sym *counter, int64_t trips) {
    node_each(n, s->start->root)
        if (n->kind == N_FOR && n->iter == counter && site_is_free(s, n) && site_trips(s, n) > trips)
            return true;
    return false;
}

// Does a subscript name the loop's counter beside that of a longer free loop?
static bool meets_longer(const Site *s, const Node *loop, int64_t trips) {
    AccessVec v = tree_accesses(s->c->arena, loop->body);
    for (int i = 0; i < v.n; i++)
        for (int d = 0; d < v.at[i].array->rank; d++) {
            bool it = false, other = false;
            expr_each(x, v.at[i].sub[d]) {
                if (x->kind != E_SYM || x->sym->kind != SYM_ITER) continue;
                it |= x->sym == loop->iter;
                other |= x->sym != loop->iter && is_longer(s, x->sym, trips);
            }
            if (it && other) return true;
        }
    return false;
}

// Windows: short sums whose counter is in a subscript with that of a longer free loop.
static void see_sum(Small *k, const Node *n) {
    AccessVec v = {0};
    if (n->kind == N_STMT) v = node_accesses(k->s->c->arena, n);
    for (int i = 0; i < v.n; i++)
        for (int d = 0; d < v.at[i].array->rank; d++) add_small(k, v.at[i].sub[d]);
    if (n->kind != N_FOR || site_is_free(k->s, n)) return;
    int64_t trips = site_trips(k->s, n);
    if (trips <= 0 || trips > k->most || !meets_longer(k->s, n, trips)) return;
    add_small(k, n->lo);
    add_small(k, n->hi);
}

static void define(Lone *w, int64_t most) {
    Small k = {w->s, most, {0}};
    node_each(n, w->s->start->root) see_sum(&k, n);
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
    const Node *update = NULL; // in the most loops
    int stmts = 0;
    Path way;
    node_each(n, w->nest->root) {
        if (n->kind != N_STMT) continue;
        stmts++;
        if (n->stmt->depth > (update ? update->stmt->depth : 0)) update = n;
    }
    if (!update || !path_to(w->nest->root, update, &way)) return false;
    const Node *block = update;
    for (int i = 0; i < way.n; i++) {
        const Node *n = way.node[i];
        if (n->kind == N_SEQ && n->nkids > 1 && w->all.n) {
            block = n;
            break;
        }
        if (n->kind == N_IF && (n->other || !cond_is_free(n->cond))) return false;
        if (n->kind == N_FOR && (!site_is_even(n) || w->all.n == LONE_LOOPS)) return false;
        if (n->kind == N_FOR) role_put(&w->all, n);
    }
    w->joins = stmts > (block->kind == N_SEQ ? block->nkids : 1);
    return w->all.n == update->stmt->depth && see_body(w, block, w->all.n);
}

// ---- what the loops are --------------------------------------------------------------------------------

// Each is one of the region's.
static bool sort_loops(Lone *w) {
    const Stmt *s = w->update->stmt;
    AccessVec v = node_accesses(w->s->c->arena, w->update);
    for (int i = 0; i < w->all.n; i++) {
        const Sym *iter = NULL;
        const LoopFact *fact = NULL;
        for (int e = 0; e < s->depth; e++) {
            const Expr *x = w->update->at[e];
            while (x->kind == E_CAST) x = x->args[0];
            if (x->kind == E_SYM && x->sym == w->all.loop[i]->iter) iter = s->iters[e];
        }
        node_each(n, iter ? w->s->region->root : NULL)
            if (n->kind == N_FOR && n->iter == iter) fact = dep_loop(w->s->dep, n);
        if (!fact) return false;
        if (fact->parallel == ANSWER_ALWAYS) role_put(&w->free, w->all.loop[i]);
        else if (!access_names(&v.at[0], w->all.loop[i]->iter)) role_put(&w->sums, w->all.loop[i]);
        else return false;
        if (role_has(&w->sums, w->all.loop[i])) w->any_order &= fact->reduction == ANSWER_ALWAYS;
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
