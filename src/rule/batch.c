// SPDX-License-Identifier: MIT
// batch.c -- many small launches as one, or as one graph.
//
//   launch   the iterations of a host loop become one more dimension of its kernel's grid. They
//            must not depend on each other, for blocks of one launch have no order. A loop over
//            several kernels is distributed first.
//   graph    the launches of a host loop, in their order, are noted once and queued all together
//            from then on (run/graph.c). What depends on what stays as it is: for time steps.
//
// An empty kernel costs the H200 4.2 us a launch, 0.53 us a node of a graph.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static Nest *as_graph(Change *ch, Node *loop) {
    if (loop->graph) return change_refuse(ch, "%s is replayed as a graph already", loop->iter->name);
    Node *n = node_clone(ch->a, loop);
    n->graph = true;
    return change_done(ch, node_replace(ch->a, ch->nest->root, loop, n));
}

// for t { kernel { … } }  →  kernel { for t block { … } }
static Nest *as_launch(Change *ch, Node *loop) {
    Arena *a = ch->a;
    const char *name = loop->iter->name;
    Node *k = unwrap(loop->body);
    if (k->kind != N_KERNEL)
        return change_refuse(ch, "%s holds more than one kernel%s", name,
                             node_kernels(loop) > 1 ? "; distribute it first" : " alone");
    if (k->streamed) return change_refuse(ch, "kernel %s is streamed launch by launch", k->name);
    int dims = 0;
    const char *dim[4];
    node_each(n, k->body)
        if (n->kind == N_FOR && n->how == HOW_BLOCK && dims < 4) dim[dims++] = n->iter->name;
    if (dims >= 3) return change_refuse(ch, "the grid of %s has three dimensions already", k->name);
    Node *inner = node_clone(a, loop), *kernel = node_clone(a, k);
    inner->graph = false;
    inner->body = k->body;
    kernel->body = inner;
    Node *root = node_replace(a, ch->nest->root, loop, kernel);
    root = loop_block(ch, root, name);
    // Blocks are counted before any runs: bounds that name this loop's counter become hulls.
    for (int i = 0; i < dims && root; i++) root = loop_block(ch, root, dim[i]);
    return root ? change_done(ch, root) : NULL;
}

static Nest *apply(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop) return NULL;
    if (!node_kernels(loop))
        return change_refuse(ch, "%s is no loop of the host around kernels", loop->iter->name);
    return str_eq(change_word(ch, "as"), "graph") ? as_graph(ch, loop) : as_launch(ch, loop);
}

static bool holds_kernels(Node *loop) { return node_kernels(loop) > 0; }

static void find_batch(Finder *f) {
    find_loops(f, holds_kernels, "batch %1");
    find_loops(f, holds_kernels, "batch %1 as=graph");
}

static const Knob knobs[] = {
    {"as", "one launch of all iterations, or a graph of all launches", KNOB_WORD, 0, 0, "launch|graph",
     "launch"},
};

#define EXAMPLE_STEPS                                                                              \
    "sculpt 1 region steps sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" "            \
    "array x[n]: f64 = \"x\" live array y[n]: f64 = \"y\" live do { for t: i32 = 0 .. steps { "     \
    "for i: i32 = 1 .. n - 1 S0[t, i] for k: i32 = 1 .. n - 1 S1[t, k] } } "                        \
    "stmt S0[t, i]: y[i] = x[i - 1] - x[i + 1] stmt S1[t, k]: x[k] = y[k] }"

static const RuleExample examples[] = {
    {EXAMPLE_PRODUCT, "map block i", "batch j", "holds more than one kernel"},
    {EXAMPLE_PRODUCT, "interchange j i k\nmap block i", "batch j", NULL},
    {EXAMPLE_SUM, "map block i", "batch k", "would change the meaning"},
    {EXAMPLE_EACH, "map block j", "batch i", NULL},
    {EXAMPLE_STEPS, "map block i\nmap block k", "batch t as=graph", NULL},
    {EXAMPLE_STEPS, "map block i\nmap block k", "batch t", "distribute it first"},
    {EXAMPLE_STEPS, "map block i\nmap block k", "batch i", "no loop of the host around kernels"},
    {NULL, NULL, NULL, NULL},
};

const Rule batch_rule = {
    .name = "batch",
    .usage = "batch HOSTLOOP [as=launch|graph]",
    .summary = "Makes one launch of the launches of a host loop where they may run together, or a graph that "
               "is replayed "
               "where they may not.",
    .picture = "for t                             kernel k0\n"
               "    kernel k0          →              for t block\n"
               "        for ib block                      for ib block\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_batch,
    .examples = examples,
};
