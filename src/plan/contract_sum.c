// SPDX-License-Identifier: MIT
// contract_sum.c -- contractions whose sums have a beginning or an end
//
//   for y { for x { s = …;  for k { s += … }  C[y][x] = … s … } }
//
// s is a local or an element; the update is alone in its loops once they have been distributed.
#include "plan/contract_find.h"
#include "plan/recipe.h"

typedef struct Search {
    const Stmt *stmt;
    Node *found;
} Search;

static void find_stmt(Node *n, void *arg) {
    Search *s = arg;
    if (n->kind == N_STMT && n->stmt == s->stmt) s->found = n;
}

enum { MOST_LOOPS = 3 + CONTRACT_MORE };

// Which statement is the update: the one in the most loops; all others are on the way to it or from it.
static bool find_sum(const Region *r, Contraction *k, Path *way) {
    const Stmt *deepest = r->stmts[0];
    int as_deep = 0;
    for (int i = 0; i < r->nstmts; i++)
        if (r->stmts[i]->depth > deepest->depth) deepest = r->stmts[i];
    for (int i = 0; i < r->nstmts; i++) as_deep += r->stmts[i]->depth == deepest->depth;
    Search s = {.stmt = deepest};
    node_walk(r->root, find_stmt, &s);
    return as_deep == 1 && s.found && contract_is_update(k, s.found) && path_to(r->root, s.found, way);
}

// Every other statement uses what is summed. Gives the one that stores the result: its array tells x from y.
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
        if (!uses || s->atomic) return NULL;
        if (!place && s->lhs->place == PLACE_USER) end = s;
    }
    return end;
}

// And no more loops than those that C names.
static bool are_outside(const Region *r, const Contraction *k) {
    for (int i = 0; i < r->nstmts; i++)
        if (r->stmts[i] != k->stmt && r->stmts[i]->depth != 2 + k->nbatch) return false;
    return true;
}

// The loops around the update, outermost first; how many. 0: a condition, or other than the update's.
static int loops_on(const Path *way, const Contraction *k, const Node *loop[MOST_LOOPS]) {
    int n = 0;
    for (int i = 0; i < way->n; i++) {
        if (way->node[i]->kind == N_IF || (way->node[i]->kind == N_FOR && n == MOST_LOOPS)) return 0;
        if (way->node[i]->kind == N_FOR) loop[n++] = way->node[i];
    }
    return n == k->stmt->depth ? n : 0;
}

static const char *steps_before(Arena *a, const Contraction *k, int n, const Node *const *loop) {
    Text t = text_new(a);
    int level = -1;
    for (int i = 0; i < n; i++) {
        const Node *in = loop[i]->body;
        while (in->kind == N_SEQ && in->nkids == 1) in = in->kids[0];
        if (in->kind == N_SEQ) level = i;
    }
    if (!k->stmt->lhs->rank) text_printf(&t, "expand %s\n", k->stmt->lhs->name);
    for (; level >= 0; level--) text_printf(&t, "distribute %s\n", loop[level]->iter->name);
    return arena_strdup(a, text_str(&t));
}

// The loop in the place of one of the region's.
static bool move_loop(const Contraction *k, const Node *at, int n, const Node *const *loop,
                      const Node **mine) {
    for (int e = 0; e < k->stmt->depth; e++)
        for (int i = 0; i < n; i++)
            if ((*mine)->iter == k->stmt->iters[e] && contract_is_counter(at->at[e], loop[i]->iter))
                return *mine = loop[i], true;
    return false;
}

// The loops after these steps.
static bool move_loops(const Nest *nest, Contraction *k) {
    Search s = {.stmt = k->stmt};
    const Node *loop[MOST_LOOPS], **mine[MOST_LOOPS] = {&k->x, &k->y, &k->k};
    Path way;
    int count = 3, n;
    node_walk(nest->root, find_stmt, &s);
    if (!s.found || !path_to(nest->root, s.found, &way) || !(n = loops_on(&way, k, loop))) return false;
    for (int i = 0; i < k->nbatch; i++) mine[count++] = &k->batch[i];
    for (int i = 0; i < k->naround; i++) mine[count++] = &k->around[i];
    for (int i = 0; i < count; i++)
        if (!move_loop(k, s.found, n, loop, mine[i])) return false;
    k->sum = s.found->nvia && s.found->via[0] ? s.found->via[0]->name : k->stmt->lhs->name;
    return true;
}

bool contraction_find_sum(Compile *c, const Region *r, const DepInfo *d, const Nest *start,
                          Contraction *out) {
    *out = (Contraction){.region = r, .joins = true};
    const Node *loop[MOST_LOOPS];
    Path way;
    int n;
    if (r->nstmts < 2 || !d->bounds || r->ninspects || !find_sum(r, out, &way) ||
        !(n = loops_on(&way, out, loop)))
        return false;
    const Array *lhs = out->stmt->lhs;
    const Stmt *end = find_result(c, r, out);
    if (!end || (lhs->place != PLACE_USER && (lhs->place != PLACE_LOCAL || lhs->rank))) return false;
    if (!contract_sort(c, d, n, loop, end, out) || !are_outside(r, out)) return false;
    out->stores = end->lhs->elem == lhs->elem;
    out->before = steps_before(c->arena, out, n, loop);
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "automatic"};
    int diags = c->diags.n, errors = c->errors;
    const Nest *nest = recipe_apply(c, start, out->before, &o);
    c->diags.n = diags;
    c->errors = errors;
    return nest && move_loops(nest, out);
}
