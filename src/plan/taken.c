// SPDX-License-Identifier: MIT
// taken.c -- the steps of the catalogue that the planner takes: each is applied to the part of the tree under
// way and noted, and one may go back to where something else was tried.
#include "plan/auto.h"
#include "ir/poly.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <string.h>

void plan_note(Plan *p, const char *line) { p->steps = arena_printf(p->a, "%s# %s\n", p->steps, line); }

// With copies: one may go back to what was there before something else was tried.
PlanMark plan_mark(const Plan *p) {
    Fact *facts = NEW_N(p->a, Fact, p->facts.n + 1);
    const Array **temps = NEW_N(p->a, const Array *, p->temps.n + 1);
    for (int i = 0; i < p->facts.n; i++) facts[i] = p->facts.at[i];
    for (int i = 0; i < p->temps.n; i++) temps[i] = p->temps.at[i];
    Expr **asked = NEW_N(p->a, Expr *, p->asked.n + 1);
    for (int i = 0; i < p->asked.n; i++) asked[i] = p->asked.at[i];
    return (PlanMark){p->steps, p->names.next, p->facts.n, p->temps.n, p->asked.n, facts, temps, asked};
}

void plan_back(Plan *p, PlanMark m) {
    p->steps = m.steps;
    p->names.next = m.next;
    p->facts.n = p->temps.n = p->asked.n = 0;
    for (int i = 0; i < m.nasked; i++) vec_push(p->a, &p->asked, m.asked[i]);
    for (int i = 0; i < m.nfacts; i++) vec_push(p->a, &p->facts, m.facts[i]);
    for (int i = 0; i < m.ntemps; i++) vec_push(p->a, &p->temps, m.temps[i]);
}

// The tree below the loops of the host that stand around the place.
static Node *below_host(const Plan *p, Node *root) {
    for (int i = 0; i < p->nhost; i++) root = unwrap(root)->body;
    return unwrap(root);
}

// What was planned of the nest besides the tree that a step is about to change.
static Node **beside(const Plan *p) {
    Node **all = NEW_N(p->a, Node *, p->done.n + 1);
    for (int i = 0; i < p->done.n; i++) all[i] = p->done.at[i];
    all[p->done.n] = node_seq(p->a, 0, NULL);
    all[p->done.n]->nlocals = p->temps.n;
    all[p->done.n]->locals = p->temps.at;
    return all;
}

// ---- what was taken before ---------------------------------------------------------------------------
// Other ways to plan a region take many of the same steps. Nodes never change, so a step that begins with the
// same tree, names and surroundings ends with the same.
typedef struct TakenKey {
    const Region *region;
    const char *target, *line;
    const Node *tree;
    int fresh, nhost, ndone, ntemps, nfacts;
    const Node *const *host, *const *done;
    const Array *const *temps;
    const Fact *facts;
} TakenKey;

struct TakenMemo {
    TakenKey key;
    Node *tree;                // NULL: it does not fit
    const Nest *after;
    const char *steps;         // what it added to those before
    int nlocals;
    const Array **locals;
    struct TakenMemo *next;
};

enum { SLOTS = 1024 };
struct TakenMemos {
    struct TakenMemo *slot[SLOTS]; // by tree and line
};

static const void *kept(Arena *a, const void *at, int n, size_t size) {
    void *copy = arena_alloc(a, size * (size_t)n + 1);
    if (n) memcpy(copy, at, size * (size_t)n);
    return copy;
}

static bool same_facts(const TakenKey *x, const TakenKey *y) {
    bool same = x->nfacts == y->nfacts;
    for (int i = 0; same && i < x->nfacts; i++)
        same = x->facts[i].sym == y->facts[i].sym && x->facts[i].array == y->facts[i].array;
    return same;
}

static bool same_list(int n, const void *x, int m, const void *y) {
    return n == m && (!n || memcmp(x, y, sizeof(void *) * (size_t)n) == 0);
}

static bool same_nodes(int n, const Node *const *x, int m, const Node *const *y,
                       bool (*same)(const Node *x, const Node *y)) {
    for (int i = 0; n == m && i < n; i++)
        if (!same(x[i], y[i])) return false;
    return n == m;
}

static bool same_key(const TakenKey *x, const TakenKey *y) {
    return x->tree == y->tree && x->fresh == y->fresh && str_eq(x->line, y->line) && x->region == y->region &&
           str_eq(x->target, y->target) &&
           same_nodes(x->nhost, x->host, y->nhost, y->host, node_runs_alike) &&
           same_nodes(x->ndone, x->done, y->ndone, y->done, node_equal) &&
           same_list(x->ntemps, x->temps, y->ntemps, y->temps) && same_facts(x, y);
}

static struct TakenMemo **slot_of(const Plan *p, const TakenKey *k) {
    if (!p->c->taken) {
        p->c->taken = NEW(p->a, struct TakenMemos);
        *p->c->taken = (struct TakenMemos){0};
    }
    uint64_t tree = hash_bytes(&k->tree, sizeof k->tree, (uint64_t)k->fresh);
    return &p->c->taken->slot[hash_bytes(k->line, strlen(k->line), tree) % SLOTS];
}

static struct TakenMemo *taken_before(const Plan *p, const TakenKey *k) {
    struct TakenMemo *m = *slot_of(p, k);
    while (m && !same_key(&m->key, k)) m = m->next;
    return m;
}

static TakenKey key_of(const Plan *p, const Node *tree, const char *line) {
    return (TakenKey){p->region,  p->o->target, line,           tree,          p->names.next,
                      p->nhost,   p->done.n,    p->temps.n,     p->facts.n,    p->host,
                      (const Node *const *)p->done.at, p->temps.at, p->facts.at};
}

// Did an earlier step make the temporary?
static bool is_known(const Plan *p, const Array *x) { return has_pointer(p->temps.n, p->temps.at, x); }

static struct TakenMemo *take(Plan *p, TakenKey k, Node *tree) {
    Node *all = in_loops(p->a, p->nhost, p->host, tree);
    Nest nest = {.region = p->region,
                 .target = p->o->target,
                 .root = seq_declare_all(p->a, node_seq(p->a, 1, &all), p->temps.n, p->temps.at),
                 .recipe = "",
                 .fresh = p->names.next,
                 .nbeside = p->done.n + 1,
                 .beside = beside(p),
                 .nfacts = p->facts.n,
                 .facts = p->facts.at,
                 .nfeet = p->dep ? p->dep->nfeet : 0,
                 .feet = p->dep ? p->dep->feet : NULL};
    struct TakenMemo *m = NEW(p->a, struct TakenMemo);
    k.host = kept(p->a, k.host, k.nhost, sizeof *k.host);
    k.done = kept(p->a, k.done, k.ndone, sizeof *k.done);
    k.temps = kept(p->a, k.temps, k.ntemps, sizeof *k.temps);
    k.facts = kept(p->a, k.facts, k.nfacts, sizeof *k.facts);
    *m = (struct TakenMemo){.key = k, .after = recipe_then(p->c, &nest, k.line, NULL)};
    if (m->after) {
        Node *root = m->after->root;
        m->locals = NEW_N(p->a, const Array *, root->nlocals + 1);
        for (int i = 0; i < root->nlocals; i++)
            if (!is_known(p, root->locals[i])) m->locals[m->nlocals++] = root->locals[i];
        root->nlocals = 0; // the whole nest's root declares them
        m->tree = below_host(p, root);
    }
    bool sure = isl_ctx_last_error(poly_new(p->c)->ctx) == isl_error_none; // else more may fit
    struct TakenMemo **slot = slot_of(p, &m->key);
    if (sure) m->next = *slot, *slot = m;
    return m;
}

Node *plan_step(Plan *p, Node *tree, const char *fmt, ...) {
    if (!tree) return NULL;
    Text line = text_new(p->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&line, fmt, ap);
    va_end(ap);
    tree = node_once(p->c, tree);
    TakenKey k = key_of(p, tree, text_str(&line));
    const struct TakenMemo *m = taken_before(p, &k);
    if (!m) m = take(p, k, tree);
    if (!m->tree) return NULL;
    p->steps = arena_printf(p->a, "%s%s", p->steps, m->after->recipe);
    p->names.next = m->after->fresh;
    p->names.tree = m->tree; // a rule may have made names that end in a number
    if (m->after->when) vec_push(p->a, &p->asked, m->after->when);
    for (int i = p->facts.n; i < m->after->nfacts; i++) vec_push(p->a, &p->facts, m->after->facts[i]);
    for (int i = 0; i < m->nlocals; i++) vec_push(p->a, &p->temps, m->locals[i]);
    return m->tree;
}

Node *plan_each_kernel(Plan *p, Node *tree, const char *rule) {
    VEC(const char *) names = {0};
    node_each(n, tree)
        if (n->kind == N_KERNEL) vec_push(p->a, &names, n->name);
    for (int i = 0; i < names.n; i++) {
        Node *n = plan_step(p, tree, "%s %s", rule, names.at[i]);
        tree = n ? n : tree;
    }
    return tree;
}

const char *plan_numbers(Plan *p, int n, const int *number) {
    Text t = text_new(p->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%d", i ? "," : "", number[i]);
    return text_str(&t);
}

char *plan_words(Plan *p, Expr *x) {
    Nest facts = {.nfacts = p->facts.n, .facts = p->facts.at};
    return step_expr(p->a, &facts, x);
}
