// SPDX-License-Identifier: MIT
// contract.c -- finds contractions in a region, by the structure of its loops and subscripts.
#include "plan/contract.h"
#include "rule/catalogue.h"

// ---- the loops ---------------------------------------------------------------------------
static bool is_parallel(const DepInfo *d, const Node *loop) {
    const LoopFact *f = dep_loop(d, loop);
    return f && f->parallel == ANSWER_ALWAYS;
}

static bool has_plain_bounds(const Node *loop) {
    return loop->step == 1 && !expr_uses_iters(loop->lo) && !expr_uses_iters(loop->hi) &&
           !expr_has_load(loop->lo) && !expr_has_load(loop->hi);
}

// Is x the counter and nothing else?
static bool is_counter(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

static bool uses_counters(const Contraction *k, const Expr *x) {
    return expr_uses_sym(x, k->x->iter) || expr_uses_sym(x, k->y->iter) || expr_uses_sym(x, k->k->iter);
}

// C[y][x]: the last subscript is x's counter, one other y's, the rest are parameters.
static bool find_loops(const DepInfo *d, const Node *const *loops, int rank, Expr *const *sub, Contraction *k) {
    if (rank < 2) return false;
    for (int i = 0; i < 3; i++) {
        const Node *loop = loops[i];
        if (!has_plain_bounds(loop)) return false;
        int at = -1;
        for (int e = 0; e < rank; e++)
            if (expr_uses_sym(sub[e], loop->iter)) {
                if (at >= 0 || !is_counter(sub[e], loop->iter)) return false;
                at = e;
            }
        const Node **which = at < 0 ? &k->k : at == rank - 1 ? &k->x : &k->y;
        if (*which) return false;
        *which = loop;
    }
    return k->x && k->y && k->k && is_parallel(d, k->x) && is_parallel(d, k->y);
}

typedef struct Search {
    const Stmt *stmt;
    Node *found;
} Search;

static void find_stmt(Node *n, void *arg) {
    Search *s = arg;
    if (n->kind == N_STMT && n->stmt == s->stmt) s->found = n;
}

// ---- the operands --------------------------------------------------------------------------
static bool add_operand(Contraction *k, const Access *a) {
    Operand o = {a->array, SIDE_NEITHER, -1, -1};
    for (int e = 0; e < a->array->rank; e++) {
        if (!uses_counters(k, a->sub[e])) continue;
        int *dim = is_counter(a->sub[e], k->k->iter) ? &o.k : &o.xy;
        if (dim == &o.xy) {
            bool x = is_counter(a->sub[e], k->x->iter);
            if (!x && !is_counter(a->sub[e], k->y->iter)) return false;
            if (o.side != SIDE_NEITHER) return false;
            o.side = x ? SIDE_X : SIDE_Y;
        }
        if (*dim >= 0) return false;
        *dim = e;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].array == o.array) return k->op[i].side == o.side && k->op[i].k == o.k && k->op[i].xy == o.xy;
    if (k->n == CONTRACT_OPERANDS) return false;
    k->op[k->n++] = o;
    return true;
}

static bool is_written(const Region *r, const Array *array) {
    for (int i = 0; i < r->nstmts; i++)
        if (arrays_may_overlap(array, r->stmts[i]->lhs)) return true;
    return false;
}

static bool find_operands(Compile *c, Contraction *k) {
    AccessVec v = {0};
    stmt_accesses(c->arena, k->stmt, &v);
    bool side[2] = {false, false};
    for (int i = 1; i < v.n; i++) {
        const Array *array = v.at[i].array;
        if (array->place != PLACE_USER || array->rank == 0 || array->rank > 2) return false;
        if (array->elem != k->stmt->lhs->elem || is_written(k->region, array)) return false;
        if (array->stride != type_size(array->elem) || !add_operand(k, &v.at[i])) return false;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER && k->op[i].k >= 0) side[k->op[i].side] = true;
    return side[SIDE_X] && side[SIDE_Y];
}

static void count_op(const Expr *x, void *arg) {
    *(int *)arg += x->kind == E_OP && type_is_float(x->type);
}

// An update of something by its own instance, directly in three loops; not yet which is which.
static bool find_update(Contraction *k, const Node *n) {
    if (n->kind != N_STMT || n->stmt->op == OP_SET || n->atomic || n->stmt->depth != 3) return false;
    k->stmt = n->stmt;
    for (int i = 0; i < n->stmt->depth; i++)
        if (!is_counter(n->at[i], n->stmt->iters[i])) return false;
    return type_size(n->stmt->lhs->elem) >= 4;
}

static bool finish(Compile *c, Contraction *k) {
    if (!find_operands(c, k)) return false;
    k->flops = 1;
    expr_walk(k->stmt->rhs, count_op, &k->flops);
    return true;
}

bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out) {
    *out = (Contraction){.region = r, .before = ""};
    if (r->nstmts != 1 || !d->bounds || r->ninspects) return false;
    Chain chain = chain_of(r->root);
    Node *body = chain.n == 3 ? unwrap(chain.body) : NULL;
    if (!body || !find_update(out, body)) return false;
    out->sum = out->stmt->lhs->name;
    return find_loops(d, chain.loop, out->stmt->lhs->rank, out->stmt->sub, out) && finish(c, out);
}

// ---- sums with a beginning or an end --------------------------------------------------------------
//   for y { for x { s = …;  for k { s += … }  C[y][x] = … s … } }
//
// s is a local or an element; the update is alone in its loops once they have been distributed.

// Which statement is the update: all others are on the way to it or from it.
static Node *find_sum(const Region *r, Contraction *k, Path *way) {
    Node *found = NULL;
    for (int i = 0; i < r->nstmts; i++) {
        Search s = {.stmt = r->stmts[i]};
        node_walk(r->root, find_stmt, &s);
        if (r->stmts[i]->depth != 3 || r->stmts[i]->op == OP_SET) continue;
        if (found || !s.found || !find_update(k, s.found) || !path_to(r->root, s.found, way)) return NULL;
        found = s.found;
    }
    return found;
}

// Every other statement uses what is summed, and no more loops than x and y. Gives the array that
// the result goes to: it tells x from y.
static const Stmt *find_result(Compile *c, const Region *r, const Contraction *k) {
    bool place = k->stmt->lhs->rank > 0;
    const Stmt *end = place ? k->stmt : NULL;
    for (int i = 0; i < r->nstmts; i++) {
        const Stmt *s = r->stmts[i];
        AccessVec v = {0};
        bool uses = false;
        if (s == k->stmt) continue;
        stmt_accesses(c->arena, s, &v);
        for (int j = 0; j < v.n; j++) uses = uses || v.at[j].array == k->stmt->lhs;
        if (!uses || s->depth != 2 || s->atomic) return NULL;
        if (!place && s->lhs->place == PLACE_USER) end = s;
    }
    return end;
}

// The loops around the update, outermost first. False: a condition, or not three.
static bool loops_on(const Path *way, const Node *loop[3]) {
    int n = 0;
    for (int i = 0; i < way->n; i++) {
        if (way->node[i]->kind == N_IF || (way->node[i]->kind == N_FOR && n == 3)) return false;
        if (way->node[i]->kind == N_FOR) loop[n++] = way->node[i];
    }
    return n == 3;
}

static const char *steps_before(Arena *a, const Contraction *k, const Node *const loop[3]) {
    Text t = text_new(a);
    int level = -1;
    for (int i = 0; i < 3; i++) {
        const Node *n = loop[i]->body;
        while (n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
        if (n->kind == N_SEQ) level = i;
    }
    if (!k->stmt->lhs->rank) text_printf(&t, "expand %s\n", k->stmt->lhs->name);
    for (; level >= 0; level--) text_printf(&t, "distribute %s\n", loop[level]->iter->name);
    return arena_strdup(a, text_str(&t));
}

// The loops after these steps, in the places of those of the region.
static bool move_loops(const Nest *n, Contraction *k) {
    Search s = {.stmt = k->stmt};
    const Node *loop[3], **mine[3] = {&k->x, &k->y, &k->k}, *now[3] = {NULL, NULL, NULL};
    Path way;
    node_walk(n->root, find_stmt, &s);
    if (!s.found || !path_to(n->root, s.found, &way) || !loops_on(&way, loop)) return false;
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++)
            for (int m = 0; m < 3; m++)
                if ((*mine[m])->iter == k->stmt->iters[e] && is_counter(s.found->at[e], loop[i]->iter)) now[m] = loop[i];
    for (int m = 0; m < 3; m++) {
        if (!now[m]) return false;
        *mine[m] = now[m];
    }
    k->sum = s.found->nvia && s.found->via[0] ? s.found->via[0]->name : k->stmt->lhs->name;
    return true;
}

bool contraction_find_sum(Compile *c, const Region *r, const DepInfo *d, const Nest *start, Contraction *out) {
    *out = (Contraction){.region = r, .joins = true};
    const Node *loop[3];
    Path way;
    if (r->nstmts < 2 || !d->bounds || r->ninspects || !find_sum(r, out, &way) || !loops_on(&way, loop)) return false;
    const Array *lhs = out->stmt->lhs;
    const Stmt *end = find_result(c, r, out);
    if (!end || (lhs->place != PLACE_USER && (lhs->place != PLACE_LOCAL || lhs->rank))) return false;
    if (!find_loops(d, loop, end->lhs->rank, end->sub, out) || !finish(c, out)) return false;
    out->stores = end->lhs->elem == lhs->elem;
    out->before = steps_before(c->arena, out, loop);
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "automatic"};
    int diags = c->diags.n, errors = c->errors;
    const Nest *n = recipe_apply(c, start, out->before, &o);
    c->diags.n = diags;
    c->errors = errors;
    return n && move_loops(n, out);
}
