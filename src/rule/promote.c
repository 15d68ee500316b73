// SPDX-License-Identifier: MIT
// promote.c -- locals of a block that is parted among kernels become temporaries of the device.
//
//   for t { local s; S0[t]; for i S1[t, i] }      →      temp s_0; for t { S0[t]; for i S1[t, i] }
//
// One copy is enough: the host runs the executions of the block one after another.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// The first block outside of kernels that declares a local of that name.
static Node *block_of(Node *n, const char *name) {
    Node *found = NULL;
    if (n->kind == N_KERNEL) return NULL;
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (n->locals[i]->place == PLACE_LOCAL && str_eq(n->locals[i]->name, name)) return n;
    for (int i = 0; !found && node_kid(n, i); i++) found = block_of(node_kid(n, i), name);
    return found;
}

// The root with a temporary for each local of the block.
static Node *promoted(Change *ch, Node *root, Node *block) {
    Arena *a = ch->a;
    Node *n = block;
    const Array **temps = NEW_N(a, const Array *, block->nlocals + 1);
    for (int i = 0; i < block->nlocals; i++) {
        Array *t = array_copy(a, block->locals[i], name_fresh(&ch->names, block->locals[i]->name), 0);
        t->place = PLACE_TEMP;
        // Statements name the program's own; what a rule added is named by nothing when it is gone.
        bool own = block_of(ch->nest->region->root, block->locals[i]->name);
        if (own) t->of = (Array *)block->locals[i];
        temps[i] = t;
        n = rule_redirect(a, n, block->locals[i], t);
    }
    n = node_clone(a, n);
    n->nlocals = 0;
    return root_with_temps(a, root, block, n, block->nlocals, temps);
}

static Nest *apply(Change *ch) {
    if (ch->step->nwords != 1) return change_refuse(ch, "it takes one local; usage: %s", ch->rule->usage);
    const char *name = ch->step->words[0];
    Node *block = block_of(ch->nest->root, name);
    if (!block) return change_refuse(ch, "no block outside of kernels declares a local %s", name);
    if (node_kernels(block)) return change_refuse(ch, "its block holds kernels already");
    return change_done(ch, promoted(ch, ch->nest->root, block));
}

static void find_block(Node *n, void *arg) {
    Finder *f = arg;
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (n->locals[i]->place == PLACE_LOCAL) finder_site(f, "promote %s", n->locals[i]->name);
}

static void find_promote(Change *ch, Found *found, void *arg) {
    Finder f = {.ch = ch, .found = found, .arg = arg};
    node_walk(ch->nest->root, find_block, &f);
}

#define STEPS                                                                                                \
    "sculpt 1 region steps sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array x[n]: f32 = \"x\" live " \
    "do { for t: i32 = 0 .. m { local s: f32 S0[t] for i: i32 = 0 .. n S1[t, i] } } "                        \
    "stmt S0[t]: s = x[0] + 1.0 stmt S1[t, i]: x[i] += s }"

static const RuleExample examples[] = {
    {STEPS, "", "promote s", NULL},
    {STEPS, "promote s\nsingle S0\n", "grid i threads=32", NULL},
    {STEPS, "hoist s at=i as=r\n", "promote r", NULL},
    {EXAMPLE_SUM, "", "promote s", "declares a local"},
    {0},
};

const Rule promote_rule = {
    .name = "promote",
    .usage = "promote LOCAL",
    .summary =
        "Makes the locals of a block temporaries of the device, so that several kernels can share them.",
    .picture = "for t { local s;  S0;  for i S1 }   →   temp s_0  for t { S0;  for i S1 }\n",
    .apply = apply,
    .find = find_promote,
    .examples = examples,
};
