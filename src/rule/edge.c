// SPDX-License-Identifier: MIT
// edge.c -- how sizes that don't divide are met where elements are copied, and whether what
// lies beyond the edge is computed all the same.
//
//   guard      if (x < n) copy s[i] = a[x]                        what is left stays undefined
//   zero       if (x < n) copy s[i] = a[x] else copy s[i] = 0
//   redirect   copy s[i] = a[min(x, n - 1)]                       reads the last element again
//
//   compute    if (x < n && k < p) acc[i] += …   →   if (k < p) acc[i] += …
//   zeros      if (k < p) acc[i] += sb[…] * sc[…]   →   acc[i] += sb[…] * sc[…]
//
// The last drops conditions that tell no more than which register is updated: a register
// beyond the edge belongs to no element, and its value is thrown away where registers are
// stored under the same condition. That it is, the judge sees. The last adds zero where there is
// nothing to add: right where all that the statement reads was filled with zeros beyond the edge
// (pack edge=zero, edge by=zero), which the judge sees too. It makes +0 of a sum that is -0, so sums of
// floats need the permission to reassociate.
#include "rule/edge.h"
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include "rule/storage.h"

// ---- copies -----------------------------------------------------------------------------------
typedef enum By { BY_GUARD, BY_REDIRECT, BY_ZERO } By;
typedef struct Edge {
    Change *ch;
    Arena *a;
    const Array *array;      // the buffer
    By by;
    int met;                 // copies into it
    int changed;
    VEC(Node *) fresh;       // what to simplify
} Edge;

static Node *only(Node *n) {
    while (n && ((n->kind == N_SEQ && n->nkids == 1 && !n->nlocals))) n = n->kids[0];
    return n;
}

// The copy into the buffer that n is, below vector loops and blocks; NULL: it is none.
static Node *copy_in(const Edge *e, Node *n) {
    n = only(n);
    while (n && n->kind == N_FOR && n->how == HOW_VECTOR) n = only(n->body);
    bool fits = n && n->kind == N_COPY && n->dst == e->array && n->op == OP_SET && n->src->kind == E_LOAD;
    return fits ? n : NULL;
}

// Terms that bound a subscript of the load become min and max of it; the others are returned.
static Expr *clamp(Edge *e, Expr **terms, int n, Expr **sub, int rank) {
    Arena *a = e->a;
    Expr *rest = NULL;
    for (int k = 0; k < n; k++) {
        Linear d, s, b;
        bool done = false;
        for (int i = 0; i < rank && !done && linear_cond(terms[k], &d); i++) {
            if (!linear_of(sub[i], &s) || !s.n) continue;
            for (int sign = 1; sign >= -1 && !done; sign -= 2) { // d + s: the greatest; s - d: the least
                b = sign > 0 ? d : s;
                if (!linear_add(&b, sign > 0 ? &s : &d, sign)) continue;
                bool free = b.n < s.n + d.n;
                for (int l = 0; l < s.n; l++)
                    if (s.atom[l]->kind == E_SYM && s.atom[l]->sym->kind == SYM_ITER &&
                        linear_uses(&b, s.atom[l]->sym))
                        free = false;
                if (!free) continue;
                sub[i] =
                    expr_op(a, sign > 0 ? OP_MIN : OP_MAX, sub[i], linear_expr(a, sub[i]->type, &b), NULL);
                done = true;
            }
        }
        if (!done) rest = cond_and(a, rest, terms[k]);
    }
    return rest;
}

static Node *new_edge(Edge *e, Node *n) {
    Arena *a = e->a;
    Node *c = copy_in(e, n->then);
    Expr *terms[TERMS_MAX];
    int count = cond_terms(n->cond, terms, TERMS_MAX);
    e->changed++;
    if (e->by == BY_GUARD) return node_if(a, n->cond, n->then, NULL);
    if (e->by == BY_ZERO) {
        Expr *none =
            type_is_float(e->array->elem) ? expr_float(a, e->array->elem, 0) : expr_int(a, e->array->elem, 0);
        return node_if(a, n->cond, n->then,
                       node_replace(a, n->then, c, node_copy(a, c->dst, c->sub, OP_SET, none)));
    }
    Node *m = node_clone(a, c);
    Expr **sub = NEW_N(a, Expr *, c->src->array->rank + 1);
    for (int d = 0; d < c->src->array->rank; d++) sub[d] = c->src->args[d];
    Expr *rest = count < 0 ? n->cond : clamp(e, terms, count, sub, c->src->array->rank);
    m->src = expr_load(a, c->src->array, sub);
    Node *then = node_replace(a, n->then, c, m);
    return rest ? node_if(a, rest, then, NULL) : then;
}

static Node *walk(Node *n, void *arg) {
    Edge *e = arg;
    if (n->kind == N_IF && copy_in(e, n->then)) {
        e->met++;
        Node *m = new_edge(e, n);
        vec_push(e->a, &e->fresh, m);
        return m;
    }
    if (copy_in(e, n)) e->met++;
    return n->kind == N_STMT || n->kind == N_COPY ? n : node_map(e->a, n, walk, arg);
}

static Nest *copies(Change *ch, const Array *array) {
    const char *by = change_word(ch, "by");
    Edge e = {.ch = ch, .a = ch->a, .array = array};
    if (!by) return change_refuse(ch, "by= is missing: guard, redirect or zero");
    e.by = str_eq(by, "redirect") ? BY_REDIRECT : str_eq(by, "zero") ? BY_ZERO : BY_GUARD;
    if (array->place == PLACE_USER)
        return change_refuse(ch, "%s is no buffer; name what it is copied to", array->name);
    Node *root = walk(ch->nest->root, &e);
    if (!e.met) return change_refuse(ch, "nothing is copied into %s", array->name);
    if (!e.changed) return change_refuse(ch, "the copies into %s have no conditions", array->name);
    for (int k = 0; k < e.fresh.n; k++) root = simplify_at(ch->c, ch->nest, root, e.fresh.at[k]);
    return change_done(ch, root);
}

// ---- compute --------------------------------------------------------------------------------------
typedef struct Declared {
    const Array *array;
    int nloops;              // around its declaration
} Declared;
typedef struct Ghosts {
    Change *ch;
    Arena *a;
    VEC(const Sym *) loops;
    VEC(Declared) arrays;
    bool zeros;              // drop the others: those that tell whether there is anything to add
    int dropped;
} Ghosts;

typedef struct Ask {
    const Ghosts *g;
    const Expr *term;
    bool fine;
    int stmts;
    VEC(const Array *) own;  // locals of blocks under the condition: what is in them ends there
} Ask;

static bool share_loops(const Ghosts *g, const Expr *x, const Expr *term) {
    for (int k = 0; k < g->loops.n; k++)
        if (expr_uses_sym(x, g->loops.at[k]) && expr_uses_sym(term, g->loops.at[k])) return true;
    return false;
}

// What a statement reads of memory itself, where the condition may be what keeps it inside: no buffer holds
// anything for it beyond the edge.
static bool reads_there(const Ghosts *g, const Node *n, const Expr *term) {
    AccessVec v = stmt_accesses(g->a, n->stmt);
    for (int i = 1; i < v.n; i++) {
        if (i < n->nvia && n->via[i]) continue;
        for (int e = 0; e < v.at[i].array->rank; e++)
            for (int d = 0; d < n->stmt->depth; d++)
                if (expr_uses_sym(v.at[i].sub[e], n->stmt->iters[d]) && share_loops(g, n->at[d], term))
                    return true;
    }
    return false;
}

// Does the condition tell no more than which element of the register n updates?
static void ask(Ask *q, const Node *n) {
    const Ghosts *g = q->g;
    if (n->kind == N_COPY) {
        bool inside = n->dst && n->dst->place == PLACE_LOCAL && n->src->kind == E_LOAD &&
                      n->src->array->place != PLACE_USER;
        q->fine = q->fine && inside;
    }
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) vec_push(g->a, &q->own, n->locals[i]);
    if (n->kind != N_STMT) return;
    q->stmts++;
    if (reads_there(g, n, q->term)) {
        q->fine = false;
        return;
    }
    for (int k = 0; k < q->own.n && !g->zeros; k++)
        if (n->stmt->lhs == q->own.at[k] && n->stmt->lhs->place == PLACE_LOCAL) return;
    if (g->zeros) {
        const Stmt *s = n->stmt;
        bool free = type_is_int(s->lhs->elem) || g->ch->nest->region->reassociate || g->ch->c->reassociate;
        q->fine = q->fine && s->op == OP_ADD && free && expr_zero_of_zeros(s->rhs);
        return;
    }
    const Array *to = n->nvia ? n->via[0] : NULL;
    Expr **sub = to && n->via_sub ? n->via_sub[0] : NULL;
    int depth = -1;
    for (int k = 0; to && k < g->arrays.n; k++)
        if (g->arrays.at[k].array == to) depth = g->arrays.at[k].nloops;
    if (depth < 0 || !sub || (to->place != PLACE_REGISTER && to->place != PLACE_LOCAL)) {
        q->fine = false;
        return;
    }
    for (int k = depth; k < g->loops.n; k++) {
        if (!expr_uses_sym(q->term, g->loops.at[k])) continue;
        bool named = false;
        for (int d = 0; d < to->rank; d++) named = named || expr_uses_sym(sub[d], g->loops.at[k]);
        q->fine = q->fine && named;
    }
}

static Node *drop(Node *n, void *arg);

static Node *drop_if(Ghosts *g, Node *n) {
    Expr *terms[TERMS_MAX], *rest = NULL;
    int count = n->other ? -1 : cond_terms(n->cond, terms, TERMS_MAX);
    Node *then = drop(n->then, g);
    for (int k = 0; k < count; k++) {
        Ask q = {.g = g, .term = terms[k], .fine = cond_is_free(terms[k])};
        node_each(m, n->then) ask(&q, m);
        if (q.fine && q.stmts) g->dropped++;
        else rest = cond_and(g->a, rest, terms[k]);
    }
    if (count < 0) return node_if(g->a, n->cond, then, n->other ? drop(n->other, g) : NULL);
    return rest ? node_if(g->a, rest, then, NULL) : then;
}

static Node *drop(Node *n, void *arg) {
    Ghosts *g = arg;
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    if (n->kind == N_IF) return drop_if(g, n);
    int arrays = g->arrays.n;
    int64_t trips;
    // The counter of a single iteration tells nothing apart, and no subscript need name it.
    bool tells = n->kind == N_FOR && !(loop_constant(n, &trips) && trips == 1);
    if (tells) vec_push(g->a, &g->loops, n->iter);
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) {
        Declared d = {n->locals[i], g->loops.n};
        vec_push(g->a, &g->arrays, d);
    }
    Node *m = node_map(g->a, n, drop, arg);
    g->arrays.n = arrays;
    if (tells) g->loops.n--;
    return m;
}

// In one kernel, or in all.
static Nest *compute(Change *ch, bool zeros) {
    Ghosts g = {.ch = ch, .a = ch->a, .zeros = zeros};
    const Step *s = ch->step;
    if (change_text(ch, "by")) return change_refuse(ch, "by= is for copies");
    Node *root = ch->nest->root, *kernel = s->nwords == 2 ? change_kernel(ch, s->words[1]) : NULL;
    if (s->nwords == 2 && !kernel) return NULL;
    root = kernel ? node_replace(ch->a, root, kernel, drop(kernel, &g)) : drop(root, &g);
    if (!g.dropped && zeros)
        return change_refuse(ch,
                             "no condition stands around sums alone that are zero where all they read is");
    if (!g.dropped)
        return change_refuse(ch, "no condition around a statement tells only which register it updates");
    return change_done(ch, root);
}

static Nest *apply(Change *ch) {
    if (ch->step->nwords && str_eq(ch->step->words[0], "two")) return edge_two(ch);
    bool word =
        ch->step->nwords && (str_eq(ch->step->words[0], "compute") || str_eq(ch->step->words[0], "zeros"));
    if (ch->step->nwords != 1 && !(word && ch->step->nwords == 2))
        return change_refuse(ch, "it takes one buffer, or the word compute; usage: %s", ch->rule->usage);
    if (change_text(ch, "of") || change_text(ch, "multiple"))
        return change_refuse(ch, "of= and multiple= are for edge two");
    if (str_eq(ch->step->words[0], "compute")) return compute(ch, false);
    if (str_eq(ch->step->words[0], "zeros")) return compute(ch, true);
    const Array *array = change_array(ch, ch->step->words[0]);
    return array ? copies(ch, array) : NULL;
}

static const Knob knobs[] = {
    {"by", "what the copies into the buffer do at the edge", KNOB_WORD, 0, 0, "guard|redirect|zero", ""},
    {"of", "with two: the sizes that are multiples in the fast version", KNOB_NAMES, 0, 0, NULL, ""},
    {"multiple", "with two: of what they are multiples, one number for each", KNOB_INTS, 2, 1 << 20, NULL,
     ""},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\n"
                        "stage b at=kt as=sb\n",
     "edge sb by=redirect", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb\n",
     "edge two of=n,p multiple=64,4", NULL},
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb\nedge compute\nedge sb by=redirect\n",
     "edge two k0 of=n,p multiple=64,4", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "edge two of=n,q multiple=64,4", "q is no whole number"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "edge two of=n,p multiple=64", "as many sizes as tiles"},
    {EXAMPLE_SUM, "", "edge two of=n multiple=64", "there are 0 kernels"},
    {"sculpt 1\n"
     "region sum_1 @\"sum.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    array a[n]: f32 = \"a\" live\n"
     "    array b[n]: f32 = \"b\"\n"
     "    do { for i: i32 = 0 .. n { S0[i] } }\n"
     "    stmt S0[i]: a[i] += b[i]\n"
     "}\n",
     "", "edge compute", "tells only which register"},
    // b would be read beyond its end
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc", "edge compute", "tells only which register"},
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\nstrip k by=8 as=kt,kk\ninterchange j ib kt ii kk\nmap block j ib\nmap thread "
     "ii\n"
     "pack b at=k0 as=bp tile=8,32 edge=zero\npack c at=k0 as=cp tile=1,8 edge=zero\nhoist a at=kt init=zero "
     "as=acc\n"
     "edge compute",
     "edge zeros", NULL},
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb\nedge compute\nedge sb by=zero",
     "edge zeros", NULL},
    {EXAMPLE_EACH, "strip j by=32", "edge zeros", "that are zero"},
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb\nedge compute k0\nedge sb by=zero",
     "edge zeros k0", NULL},
    {0},
};

const Rule edge_rule = {
    .name = "edge",
    .usage = "edge BUFFER by=guard|redirect|zero, or edge compute [KERNEL], or edge zeros [KERNEL], or edge "
             "two [KERNEL] of=SIZES multiple=N,…",
    .summary = "Chooses how copies into a buffer meet sizes that don't divide, lets statements compute "
               "beyond the edge "
               "what nobody keeps, or puts a version for whole tiles beside the kernel for all sizes.",
    .picture = "if (x < n)                  sb[i] = b[min(x, n - 1)]\n"
               "    sb[i] = b[x]      →\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_edge,
    .examples = examples,
};
