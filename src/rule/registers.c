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
#include "rule/linear.h"
#include "rule/loops.h"

enum {
    MAX_ELEMENTS = 32, // of an array that may become registers
    MAX_BODIES = 512,  // copies of a loop's body, all unrolled loops around it taken together
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
    AccessVec acc = node_accesses(a, n);
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
    Known *k = NEW_AS(a, Known, (Known){n->hi, end, before});
    return k;
}

// An unrolled loop around the place, and the values that its counter has.
typedef struct Unrolled {
    const Sym *iter;
    int64_t least, most;
    const struct Unrolled *next;
} Unrolled;

// The least or greatest that a sum of counters of unrolled loops is. False: there is more in it.
static bool extreme(Expr *x, const Unrolled *around, bool greatest, int64_t *out) {
    Linear l;
    if (!linear_of(x, &l)) return false;
    *out = l.c;
    for (int i = 0; i < l.n; i++) {
        const Unrolled *u = around;
        while (u && !(l.atom[i]->kind == E_SYM && l.atom[i]->sym == u->iter)) u = u->next;
        if (!u) return false;
        *out += l.coef[i] * ((l.coef[i] > 0) == greatest ? u->most : u->least);
    }
    return true;
}

// Does anything in the loop name elements of a small array with its counter?
static bool walks_small(const Node *loop) {
    node_each(n, loop->body) {
        node_each_expr(x, n)
            for (int d = 0; x->kind == E_LOAD && d < x->nargs; d++)
                if (expr_uses_sym(x->args[d], loop->iter) && small_extent(x->array, 0)) return true;
        for (int d = 0; n->kind == N_STMT && d < n->stmt->lhs->rank; d++)
            if (expr_uses_sym(n->stmt->sub[d], loop->iter) && small_extent(n->stmt->lhs, 0)) return true;
    }
    return false;
}

// for b in a + 1 .. 9 in an unrolled loop over a: the same iterations whatever the sizes. Which copies of
// those from 1 to 9 are none the compiler knows.
static Node *unroll_constant(Arena *a, Node *loop, int64_t bodies, const Unrolled *around, Unrolled *own,
                             int64_t *copies) {
    int64_t end;
    if (loop->how != HOW_SERIAL || loop->step != 1 || loop->unroll > 1) return NULL;
    if (!extreme(loop->lo, around, false, &own->least) || !extreme(loop->hi, around, true, &end)) return NULL;
    own->most = end - 1;
    *copies = end - own->least;
    if (*copies < 1 || *copies * bodies > MAX_BODIES) return NULL;
    if (!walks_small(loop)) return NULL;
    Node *n = node_clone(a, loop);
    Type t = loop->iter->type;
    Expr *iter = expr_sym(a, loop->iter), *from = NULL, *to = NULL;
    n->how = HOW_UNROLL;
    n->lo = expr_int(a, loop->lo->type, own->least);
    n->hi = expr_int(a, loop->hi->type, end);
    if (loop->lo->kind != E_INT) from = expr_op(a, OP_GE, iter, expr_cast(a, t, loop->lo), NULL);
    if (loop->hi->kind != E_INT) to = expr_op(a, OP_LT, iter, expr_cast(a, t, loop->hi), NULL);
    if (from || to) n->body = node_if(a, cond_and(a, from, to), loop->body, NULL);
    return n;
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

static Node *walk(Arena *a, Node *n, int64_t bodies, const Known *known, const Unrolled *around) {
    if (!n || n->kind == N_STMT || n->kind == N_COPY) return n;
    Node *m = node_clone(a, n);
    int64_t copies = 1;
    switch (n->kind) {
    case N_SEQ:
        m->kids = NEW_N(a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) {
            m->kids[i] = walk(a, n->kids[i], bodies, known, around);
            known = learn(a, n->kids[i], known);
        }
        return m;
    case N_IF:
        m->then = walk(a, n->then, bodies, known, around);
        m->other = walk(a, n->other, bodies, known, around);
        return m;
    case N_FOR: {
        Unrolled own = {.iter = n->iter, .next = around};
        Node *constant = unroll_constant(a, n, bodies, around, &own, &copies);
        Node *unrolled = constant ? constant : unroll(a, n, bodies, known, &copies);
        if (unrolled) m = unrolled;
        else copies = 1;
        m->body = walk(a, m->body, bodies * copies, known, constant ? &own : around);
        return m;
    }
    default: m->body = walk(a, n->body, bodies, known, around); return m;
    }
}

Node *rule_unroll_registers(Arena *a, Node *root) { return walk(a, root, 1, NULL, NULL); }

// ---- the rule -----------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    Node *kernel = change_kernel(ch, ch->step->words[0]);
    if (!kernel) return NULL;
    Node *k = rule_unroll_registers(ch->a, kernel);
    if (str_eq(ir_print_node(ch->a, k, 0), ir_print_node(ch->a, kernel, 0)))
        return change_refuse(ch, "no loop of %s walks through a small array of its own", kernel->name);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

static void find_registers(Finder *f) { find_kernels(f, "registers %1"); }

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
