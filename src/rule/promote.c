// SPDX-License-Identifier: MIT
// promote.c -- locals of a block that is parted among kernels become temporaries of the device; those of a
// block that is parted among phases of a kernel go to shared memory.
//
//   for t { local s; S0[t]; for i S1[t, i] }      →      temp s_0; for t { S0[t]; for i S1[t, i] }
//
//   block b { for k { local p                     →      block b { for k { shared p_0
//       thread one S0[k]                                     thread one S0[k]
//       thread t   S1[k, t] } }                              thread t   S1[k, t] } }
//
// One copy is enough: the host, and the threads of a block together, run the executions of the block one
// after another.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// The first block outside of threads that declares a local of that name. *in: the kernel around it, or NULL.
static Node *block_of(Node *n, const char *name, const Node **in) {
    Node *found = NULL;
    if (n->kind == N_FOR && (n->how == HOW_THREAD || n->how == HOW_COOP)) return NULL;
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (n->locals[i]->place == PLACE_LOCAL && str_eq(n->locals[i]->name, name)) return n;
    for (int i = 0; !found && node_kid(n, i); i++) found = block_of(node_kid(n, i), name, in);
    if (found && n->kind == N_KERNEL) *in = n;
    return found;
}

static bool holds_threads(const Node *n) { return n->kind == N_FOR && n->how == HOW_THREAD; }

static bool is_small(const Array *x) {
    for (int d = 0; d < x->rank; d++)
        if (!x->extent[d] || x->extent[d]->kind != E_INT) return false;
    return true;
}

// What stands for x elsewhere. Statements name the program's own; what a rule added is named by nothing when
// it is gone.
static Array *copy_of(Change *ch, const Array *x, Place place) {
    const Node *in = NULL;
    Array *t = array_copy(ch->a, x, name_fresh(&ch->names, x->name), 0);
    t->place = place;
    if (block_of(ch->nest->region->root, x->name, &in)) t->of = (Array *)x;
    return t;
}

// The block with its locals in shared memory.
static Node *shared(Change *ch, Node *block) {
    Arena *a = ch->a;
    Node *n = block;
    if (!node_any(block, holds_threads))
        return change_refuse(ch, "its block holds no phases"), NULL;
    for (int i = 0; i < block->nlocals; i++)
        if (!is_small(block->locals[i]))
            return change_refuse(ch, "%s has no constant size", block->locals[i]->name), NULL;
    const Array **to = NEW_N(a, const Array *, block->nlocals + 1);
    for (int i = 0; i < block->nlocals; i++) {
        Array *x = copy_of(ch, block->locals[i], PLACE_SHARED);
        if (x->rank > 1) {
            Expr **last = &x->extent[x->rank - 1];
            *last = expr_int(a, (*last)->type, (*last)->i + change_int(ch, "pad"));
        }
        to[i] = x;
        n = node_redirect(a, n, block->locals[i], to[i]);
    }
    n = node_clone(a, n);
    n->locals = to;
    return n;
}

// The root with a temporary for each local of the block.
static Node *promoted(Change *ch, Node *root, Node *block) {
    Arena *a = ch->a;
    Node *n = block;
    const Array **temps = NEW_N(a, const Array *, block->nlocals + 1);
    for (int i = 0; i < block->nlocals; i++) {
        temps[i] = copy_of(ch, block->locals[i], PLACE_TEMP);
        n = node_redirect(a, n, block->locals[i], temps[i]);
    }
    n = node_clone(a, n);
    n->nlocals = 0;
    return root_with_temps(a, root, block, n, block->nlocals, temps);
}

static Nest *apply(Change *ch) {
    const char *name = ch->step->words[0];
    const Node *in = NULL;
    Node *block = block_of(ch->nest->root, name, &in), *n;
    if (!block) return change_refuse(ch, "no block outside of threads declares a local %s", name);
    if (in) {
        n = shared(ch, block);
        return n ? change_done(ch, node_replace(ch->a, ch->nest->root, block, n)) : NULL;
    }
    if (node_kernels(block)) return change_refuse(ch, "its block holds kernels already");
    return change_done(ch, promoted(ch, ch->nest->root, block));
}

static const Knob knobs[] = {
    {"pad", "unused elements at the end of each row in shared memory", KNOB_INT, 0, 64, NULL, "0"},
};

static void find_promote(Finder *f) {
    node_each(n, f->ch->nest->root)
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
            if (n->locals[i]->place == PLACE_LOCAL) finder_site(f, "promote %s", n->locals[i]->name);
}

#define STEPS                                                                                                \
    "sculpt 1 region steps sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array x[n]: f32 = \"x\" live " \
    "do { for t: i32 = 0 .. m { local s: f32 S0[t] for i: i32 = 0 .. n S1[t, i] } } "                        \
    "stmt S0[t]: s = x[0] + 1.0 stmt S1[t, i]: x[i] += s }"

// Of each row by itself.
#define ROWS                                                                                         \
    "sculpt 1 region rows sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "                       \
    "array x[m][n]: f32 = \"x\" live do { for b: i32 = 0 .. m for t: i32 = 0 .. 3 "                   \
    "{ local s: f32 S0[b, t] for i: i32 = 0 .. n S1[b, t, i] } } "                                  \
    "stmt S0[b, t]: s = x[b][0] + 1.0 stmt S1[b, t, i]: x[b][i] += s }"

static const RuleExample examples[] = {
    {STEPS, "", "promote s", NULL},
    {STEPS, "promote s\nsingle S0\n", "grid i threads=32", NULL},
    {STEPS, "hoist s at=i as=r\n", "promote r", NULL},
    {ROWS, "single S0 loop=one\nmap block b\nstrip i by=32 as=ib,it\nmap thread one\nmap thread it\n",
     "promote s", NULL},
    {ROWS, "map block b\n", "promote s", "no phases"},
    {EXAMPLE_SUM, "", "promote s", "declares a local"},
    {0},
};

const Rule promote_rule = {
    .name = "promote",
    .usage = "promote LOCAL [pad=N]",
    .summary =
        "Makes the locals of a block temporaries of the device, so that several kernels can share them; in a "
        "kernel, shared memory of its phases.",
    .picture = "for t { local s;  S0;  for i S1 }   →   temp s_0  for t { S0;  for i S1 }\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_promote,
    .examples = examples,
};
