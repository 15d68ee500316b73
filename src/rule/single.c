// SPDX-License-Identifier: MIT
// single.c -- what stands between kernels becomes a kernel of one thread.
//
//   S0; S1; for i S2      →      kernel k { S0; S1 }  for i S2
//
// Or a loop of one iteration, which may be mapped to a thread: a phase of a block that is one thread's.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// The condition so many conditions up the way; the place itself for none.
static Node *outward(Change *ch, const Path *p, int64_t conditions) {
    Node *n = p->node[p->n - 1];
    for (int i = p->n - 2; i >= 0 && conditions > 0; i--) {
        if (p->node[i]->kind == N_FOR || p->node[i]->kind == N_KERNEL) break;
        if (p->node[i]->kind == N_IF) n = p->node[i], conditions--;
    }
    return conditions
               ? (Node *)change_refuse(ch, "so many conditions do not stand around %s", ch->step->words[0])
               : n;
}

// The innermost block that holds both ways, each in another child: *i and *j. NULL: there is none.
static Node *common_block(const Path *x, const Path *y, int *i, int *j) {
    int k = 0;
    while (k + 1 < x->n && k + 1 < y->n && x->node[k + 1] == y->node[k + 1]) k++;
    Node *seq = x->node[k];
    if (seq->kind != N_SEQ || k + 1 >= x->n || k + 1 >= y->n) return NULL;
    for (int n = 0; n < seq->nkids; n++) {
        if (seq->kids[n] == x->node[k + 1]) *i = n;
        if (seq->kids[n] == y->node[k + 1]) *j = n;
    }
    return *i < *j ? seq : NULL;
}

// In a kernel of its own, or in a loop of one iteration. NULL: that can't have its name.
static Node *wrapped(Change *ch, Node *n) {
    const char *loop = NULL;
    if (!change_names(ch, "loop", &loop, 1))
        return node_kernel(ch->a, name_fresh(&ch->names, ch->nest->region->name), n);
    const Sym *counter = counter_named(ch, loop, T_I32, NULL, true);
    Expr *none = expr_int(ch->a, T_I32, 0), *one = expr_int(ch->a, T_I32, 1);
    return counter ? node_for(ch->a, counter, none, one, 1, HOW_SERIAL, n) : NULL;
}

// The block with its children i to j in one kernel.
static Node *in_block(Change *ch, Node *seq, int i, int j) {
    if (i == 0 && j == seq->nkids - 1) return wrapped(ch, seq);
    Node *k = wrapped(ch, node_seq(ch->a, j - i + 1, seq->kids + i));
    return k ? seq_splice(ch->a, seq, i, j - i + 1, 1, &k) : NULL;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    Path x, y;
    int i = -1, j = -1;
    Node *root = ch->nest->root, *first = node_outside(ch, s->words[0]),
         *last = first ? node_outside(ch, s->words[s->nwords - 1]) : NULL;
    if (!last || !path_to(root, first, &x) || !path_to(root, last, &y)) return NULL;
    Node *from = s->nwords == 1 ? outward(ch, &x, change_int(ch, "out")) : common_block(&x, &y, &i, &j);
    if (!from)
        return change_refuse(ch, "%s and %s do not stand one after the other", s->words[0], s->words[1]);
    if (node_kernels(from) && s->nwords == 1)
        return change_refuse(ch, "%s holds kernels already", s->words[0]);
    for (int k = i; k >= 0 && k <= j; k++)
        if (node_kernels(from->kids[k]))
            return change_refuse(ch, "there are kernels between %s and %s", s->words[0], s->words[1]);
    // The kernel stands inside the block where it is not all of it.
    bool within = s->nwords == 2 && !(i == 0 && j == from->nkids - 1);
    const char *loop = NULL;
    const Array *local = change_names(ch, "loop", &loop, 1) ? NULL
                         : path_local(&x, within ? from->kids[i] : from);
    if (local) return change_refuse(ch, "%s stands outside of the kernel; promote it before", local->name);
    Node *to = s->nwords == 1 ? wrapped(ch, from) : in_block(ch, from, i, j);
    if (!to) return NULL;
    root = from == root ? node_seq(ch->a, 1, &to) : node_replace(ch->a, root, from, to);
    return change_done(ch, root);
}

static const Knob knobs[] = {
    {"out", "so many conditions directly around it go with it", KNOB_INT, 0, 64, NULL, "0"},
    {"loop", "name of a loop of one iteration that is made instead", KNOB_NAMES, 0, 0, NULL, ""},
};

static bool is_free(Node *loop) { return loop->how == HOW_SERIAL && !node_kernels(loop); }
static void find_single(Finder *f) { find_loops(f, is_free, "single %1"); }

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "", "single i", NULL},
    {EXAMPLE_BODY, "", "single S0 S1", NULL},
    {EXAMPLE_EACH, "", "single S0 out=1", NULL},
    {EXAMPLE_CHAIN, "", "single i k", NULL},
    {EXAMPLE_CHAIN, "map block k", "single i l", "there are kernels between"},
    {EXAMPLE_SUM, "", "single i out=1", "so many conditions"},
    {EXAMPLE_BODY, "", "single S0 loop=once", NULL},
    {EXAMPLE_SUM, "", "single i loop=k", "the name k is taken"},
    {0},
};

const Rule single_rule = {
    .name = "single",
    .usage = "single FIRST [LAST] [out=N] [loop=NAME]",
    .summary = "Makes a kernel of one thread of a loop or a statement, or of all from one to another that "
               "stands behind it in a block; or a loop of one iteration.",
    .picture = "S0; S1; for i S2   →   kernel k { S0; S1 }  for i S2\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_single,
    .examples = examples,
};
