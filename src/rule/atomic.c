// SPDX-License-Identifier: MIT
// atomic.c -- updates of memory that other threads may make at the same time.
//
//   for i  bin[key[i]] += 1      →      for i  bin[key[i]] += 1 atomic
//
// Then the iterations need no order but for the rounding of float sums, which is for those who permit it.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

typedef struct Marked {
    Arena *a;
    int n;
    const Stmt *stmt[STEP_MAX];
} Marked;

static Node *marked(Node *n, void *arg) {
    const Marked *k = arg;
    if (n->kind == N_KERNEL) return n;
    Node *m = node_map(k->a, n, marked, arg);
    for (int i = 0; n->kind == N_STMT && i < k->n; i++) m->atomic = m->atomic || m->stmt == k->stmt[i];
    return m;
}

static const Stmt *update_named(Change *ch, const char *name) {
    const Region *r = ch->nest->region;
    for (int i = 0; i < r->nstmts; i++) {
        if (!str_eq(r->stmts[i]->label, name)) continue;
        if (r->stmts[i]->op != OP_SET) return r->stmts[i];
        return change_refuse(ch, "%s is no update", name), NULL;
    }
    return change_refuse(ch, "there is no statement %s", name), NULL;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    Marked k = {.a = ch->a};
    for (; k.n < s->nwords; k.n++)
        if (!(k.stmt[k.n] = update_named(ch, s->words[k.n])) || !node_outside(ch, s->words[k.n])) return NULL;
    return change_done(ch, marked(ch->nest->root, &k));
}

static void find_atomic(Finder *f) {
    node_each(n, f->ch->nest->root)
        if (n->kind == N_STMT && n->stmt->op != OP_SET && !n->atomic)
            finder_site(f, "atomic %s", n->stmt->label);
}

#define COUNTS                                                                                     \
    "sculpt 1 region counts sculpt { param n: i32 = \"n\" array c[n]: i32 = \"c\" live "             \
    "array a[n][n]: i32 = \"a\" do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "           \
    "stmt S0[i, j]: c[j] += a[i][j] }"

static const RuleExample examples[] = {
    {COUNTS, "", "atomic S0", NULL},
    {COUNTS, "atomic S0", "grid j i threads=8,8", NULL},
    {EXAMPLE_CHAIN, "", "atomic S0", "S0 is no update"},
    {0},
};

const Rule atomic_rule = {
    .name = "atomic",
    .usage = "atomic STATEMENT…",
    .summary = "Makes updates atomic, so that iterations that meet in nothing else may run at the same time.",
    .picture = "bin[key[i]] += 1   →   bin[key[i]] += 1 atomic\n",
    .apply = apply,
    .find = find_atomic,
    .examples = examples,
};
