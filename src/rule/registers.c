// SPDX-License-Identifier: MIT
// registers.c -- loops that walk through a thread's own small array are unrolled, so that the
// array lives in registers instead of memory.
//
//   local t[8]                       local t[8]
//   for d in 0..dim  t[d] = …   →    for d in 0..8 unroll  if (d < dim)  t[d] = …
//
// Right when dim <= 8 whenever the loop runs: each iteration names t[d], and an element that
// the array doesn't have is not there to be named. A loop to the same end that stands behind it in
// the same block is then known to be as short:
//
//   for e in 0..dim  s += u[e] * t[3]   →   for e in 0..8 unroll  if (e < dim)  s += u[e] * t[3]
#include "rule/examples.h"
#include "rule/find.h"

enum {
    MAX_ELEMENTS = 32, // of an array that may become registers
    MAX_BODIES = 64,   // copies of a loop's body, all unrolled loops around it taken together
};

// Elements in dimension d of a thread's own small array; 0: it is none.
static int64_t small_extent(const Array *x, int d) {
    int64_t all = 1;
    if (x->place != PLACE_LOCAL || x->of) return 0;
    for (int i = 0; i < x->rank; i++) {
        if (!x->extent[i] || x->extent[i]->kind != E_INT || x->extent[i]->i < 1) return 0;
        if (__builtin_mul_overflow(all, x->extent[i]->i, &all) || all > MAX_ELEMENTS) return 0;
    }
    return x->extent[d]->i;
}

// The end that an access array[…, iter, …] sets to the counter; 0: none.
static int64_t access_end(const Array *array, Expr *const *sub, const Sym *iter) {
    int64_t end = 0;
    for (int d = 0; d < array->rank; d++) {
        if (sub[d]->kind != E_SYM || sub[d]->sym != iter) continue;
        int64_t n = small_extent(array, d);
        if (n && (!end || n < end)) end = n;
    }
    return end;
}

static int64_t lesser(int64_t x, int64_t y) { return !x || (y && y < x) ? y : x; }

static int64_t stmt_end(Arena *a, const Node *n, const Sym *iter) {
    int64_t end = 0;
    AccessVec acc = {0};
    node_accesses(a, n, &acc);
    for (int k = 0; k < acc.n; k++) end = lesser(end, access_end(acc.at[k].array, acc.at[k].sub, iter));
    return end;
}

// The end that each execution of n sets to the counter: accesses that always happen.
static int64_t certain_end(Arena *a, Node *n, const Sym *iter) {
    int64_t end = 0;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) end = lesser(end, certain_end(a, n->kids[i], iter));
        return end;
    case N_IF: {
        if (!n->other) return 0;
        int64_t x = certain_end(a, n->then, iter), y = certain_end(a, n->other, iter);
        return x && y ? (x > y ? x : y) : 0;
    }
    case N_STMT: return stmt_end(a, n, iter);
    default: return 0;
    }
}

// hi <= end, found by a loop that has run.
typedef struct Known {
    const Expr *hi;
    int64_t end;
    const struct Known *next;
} Known;

static int64_t known_end(const Known *k, const Expr *hi) {
    for (; k; k = k->next)
        if (expr_equal(k->hi, hi)) return k->end;
    return 0;
}

// What is known behind n, once it has run.
static const Known *learn(Arena *a, Node *n, const Known *before) {
    n = unwrap(n);
    if (n->kind != N_FOR || n->how != HOW_SERIAL || n->step != 1 || !expr_is_int(n->lo, 0)) return before;
    if (expr_has_load(n->hi) || n->hi->kind == E_INT) return before;
    int64_t end = certain_end(a, n->body, n->iter);
    if (end < 1) return before;
    Known *k = NEW(a, Known);
    *k = (Known){n->hi, end, before};
    return k;
}

// The loop unrolled, or NULL. *copies: of its body.
static Node *unroll(Arena *a, Node *loop, int64_t bodies, const Known *known_before, int64_t *copies) {
    if (loop->how != HOW_SERIAL || loop->step != 1 || loop->unroll > 1) return NULL;
    if (loop->lo->kind != E_INT || loop->lo->i < 0 || expr_has_load(loop->hi)) return NULL;
    int64_t end = certain_end(a, loop->body, loop->iter);
    if (!end) end = known_end(known_before, loop->hi);
    if (end <= loop->lo->i) return NULL;
    bool known = loop->hi->kind == E_INT && loop->hi->i <= end;
    *copies = (known ? loop->hi->i : end) - loop->lo->i;
    if (*copies < 1 || *copies * bodies > MAX_BODIES) return NULL;
    Node *n = node_clone(a, loop);
    n->how = HOW_UNROLL;
    if (known) return n;
    Type t = loop->iter->type;
    n->hi = expr_int(a, loop->hi->type, end);
    n->body = node_if(a, expr_op(a, OP_LT, expr_sym(a, loop->iter), expr_cast(a, t, loop->hi), NULL),
                      loop->body, NULL);
    return n;
}

static Node *walk(Arena *a, Node *n, int64_t bodies, const Known *known) {
    if (!n || n->kind == N_STMT || n->kind == N_COPY) return n;
    Node *m = node_clone(a, n);
    int64_t copies = 1;
    switch (n->kind) {
    case N_SEQ:
        m->kids = NEW_N(a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) {
            m->kids[i] = walk(a, n->kids[i], bodies, known);
            known = learn(a, n->kids[i], known);
        }
        return m;
    case N_IF:
        m->then = walk(a, n->then, bodies, known);
        m->other = walk(a, n->other, bodies, known);
        return m;
    case N_FOR: {
        Node *unrolled = unroll(a, n, bodies, known, &copies);
        if (unrolled) m = unrolled;
        else copies = 1;
        m->body = walk(a, m->body, bodies * copies, known);
        return m;
    }
    default: m->body = walk(a, n->body, bodies, known); return m;
    }
}

Node *rule_unroll_registers(Arena *a, Node *root) { return walk(a, root, 1, NULL); }

// ---- the rule -----------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    if (ch->step->nwords != 1) return change_refuse(ch, "it takes one kernel; usage: %s", ch->rule->usage);
    Node *kernel = change_kernel(ch, ch->step->words[0]);
    if (!kernel) return NULL;
    Node *k = rule_unroll_registers(ch->a, kernel);
    if (str_eq(ir_print_node(ch->a, k, 0), ir_print_node(ch->a, kernel, 0)))
        return change_refuse(ch, "no loop of %s walks through a small array of its own", kernel->name);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

static void find_registers(Change *ch, Found *found, void *arg) {
    find_kernels(ch, found, arg, "registers %1");
}

#define SMALL                                                                                               \
    "sculpt 1 region small sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" live "                     \
    "do { for i: i32 = 0 .. n { local t[4]: f32 for d: i32 = 0 .. 4 S0[i, d] for e: i32 = 0 .. 4 S1[i, e] " \
    "} } "                                                                                                  \
    "stmt S0[i, d]: t[d] = x[i] stmt S1[i, e]: x[i] += t[e] }"

static const RuleExample examples[] = {
    {SMALL, "grid i threads=64", "registers small_0", NULL},
    {EXAMPLE_EACH, "grid j i threads=16,4", "registers each_0", "walks through a small array"},
    {0},
};

const Rule registers_rule = {
    .name = "registers",
    .usage = "registers KERNEL",
    .summary =
        "Unrolls loops that walk through a thread's own small arrays, so that these live in registers.",
    .picture = "local t[8]                       local t[8]\n"
               "for d in 0 .. dim  t[d] = …  →   for d in 0 .. 8 unroll  if (d < dim)  t[d] = …\n",
    .apply = apply,
    .find = find_registers,
    .examples = examples,
};
