// SPDX-License-Identifier: MIT
// close.c -- what makes of loops in any state a nest that can run.
//
//   for j { for k { … } }          do { kernel k0 { for j { for k { … } } } }
//
// Nothing is lost by a recipe that stops early: what has no kernel yet runs in one thread. Conditions go as
// far out as they can, and a grid that some device can't have is asked for in `when`. Every recipe ends so by
// itself; as a step it gives the kernels their names, for steps behind it.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

typedef struct Close {
    Arena *a;
    Node *root;
    int next; // number of the next kernel's name
    Expr *when;
} Close;

static bool is_empty(const Node *n) { return n->kind == N_SEQ && !n->nkids; }

static Node *new_kernel(Close *x, Node *body) {
    const char *name;
    do name = arena_printf(x->a, "k%d", x->next++);
    while (kernel_named(x->root, name));
    return node_kernel(x->a, name, body);
}

// Arrays that a block of the host declares stay with the kernel when it holds none.
static Node *close_node(Node *n, void *arg) {
    Close *x = arg;
    if (n->kind == N_KERNEL) return n;
    if (!node_kernels(n) && !(n == x->root && n->nlocals)) return is_empty(n) ? n : new_kernel(x, n);
    return node_map(x->a, n, close_node, x);
}

Nest *nest_closed(Arena *a, const Nest *n) {
    Close x = {.a = a, .root = n->root};
    Nest *m = NEW_AS(a, Nest, *n);
    m->root = close_node(n->root, &x);
    if (m->root->kind == N_KERNEL) m->root = node_seq(a, 1, &m->root);
    return m;
}

// ---- grids ---------------------------------------------------------------------------------------
enum { MAX_GRID_YZ = 65535 }; // blocks in y and z that every CUDA device takes

static bool is_block(const Node *n) { return n->kind == N_FOR && n->how == HOW_BLOCK; }

static bool is_asked(Expr *when, Expr *cond) {
    Expr *term[TERMS_MAX];
    int n = when ? cond_terms(when, term, TERMS_MAX) : 0;
    for (int i = 0; i < n; i++)
        if (expr_equal(term[i], cond)) return true;
    return false;
}

Nest *nest_finished(Arena *a, const Nest *n) {
    if (n->whole) return nest_closed(a, n);
    Nest *m = nest_closed(a, n);
    m->root = guard_float(a, m->root);
    if (!str_eq(m->target, "gpu")) return m;
    node_each(b, m->root) { // block loops but the innermost of a kernel
        if (!is_block(b) || !node_any(b->body, is_block)) continue;
        if (b->hi->kind == E_INT || expr_uses_iters(b->hi)) continue;
        Expr *few = expr_op(a, OP_LE, b->hi, expr_int(a, b->hi->type, MAX_GRID_YZ), NULL);
        if (!is_asked(m->when, few)) m->when = cond_and(a, m->when, few);
    }
    return m;
}

// ---- as it is ---------------------------------------------------------------------------------

static Node *copy_blocks(Node *n, void *a) {
    return n->kind == N_KERNEL ? n : node_map(a, n, copy_blocks, a);
}

static Nest *as_it_is(Change *ch) {
    int most = 0;
    Node *root = copy_blocks(ch->nest->root, ch->a);
    const Array **own = root->locals;
    node_each(n, root)
        if (n->kind == N_SEQ) most += n->nlocals;
    root->locals = NEW_N(ch->a, const Array *, most + 1);
    for (int i = 0; i < root->nlocals; i++) root->locals[i] = own[i];
    node_each(n, root) { // temporaries of blocks move to the root: they are made once for the whole nest
        if (n->kind != N_SEQ || n == root || n->nlocals == 0 || n->locals[0]->place != PLACE_TEMP) continue;
        for (int i = 0; i < n->nlocals; i++) root->locals[root->nlocals++] = n->locals[i];
        n->nlocals = 0;
    }
    Nest *n = change_done(ch, root);
    n->whole = true;
    return n;
}

// ---- the rule -----------------------------------------------------------------------------------
// Kernels called NAME_0, NAME_1, … in the order of the text.
typedef struct Naming {
    Arena *a;
    const char *name;
    int next;
} Naming;

static Node *with_names(Node *n, void *arg) {
    Naming *w = arg;
    if (n->kind != N_KERNEL) return node_map(w->a, n, with_names, arg);
    Node *m = node_clone(w->a, n);
    m->name = arena_printf(w->a, "%s_%d", w->name, w->next++);
    return m;
}

static Nest *apply(Change *ch) {
    const char *name[1];
    if (str_eq(change_word(ch, "asis"), "yes")) return as_it_is(ch);
    Nest *n = nest_finished(ch->a, ch->nest);
    if (change_names(ch, "as", name, 1)) n->root = with_names(n->root, &(Naming){ch->a, name[0], 0});
    Nest *m = change_done(ch, n->root);
    m->when = n->when;
    return m;
}

static void find_close(Finder *f) { finder_site(f, "close as=part"); }

static const Knob knobs[] = {
    {"as", "kernels are called this, with _0, _1 and so on behind it", KNOB_NAMES, 0, 0, NULL, ""},
    {"asis",
     "every computation stands in a kernel, conditions stay where they are and grids fit; only temporaries "
     "are "
     "made outside of all loops",
     KNOB_WORD, 0, 0, "yes|no", "no"},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "map block i", "close as=sum", NULL},
    {EXAMPLE_CHAIN, "map block i", "close", NULL},
    {EXAMPLE_CHAIN, "", "close i", "usage: "},
    {0},
};

const Rule close_rule = {
    .name = "close",
    .usage = "close [as=NAME] [asis=yes]",
    .summary = "Makes a nest that can run as it is: a kernel of one thread around what has none, conditions "
               "as far out as they go. "
               "Every recipe ends so by itself.",
    .picture = "for j { for k { … } }   →   kernel k0 { for j { for k { … } } }\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_close,
    .examples = examples,
};
