// SPDX-License-Identifier: MIT
// whole.c -- whole tiles have a body of their own, in which nothing asks whether it is there.
//
//   for ib block {                            for ib block {
//       for ii thread                             if (64*ib + 63 < n)
//           if (64*ib + ii < n) S      →              for ii thread  S
//   }                                             else
//                                                     for ii_1 thread  if (64*ib + ii_1 < n) S  }
//
// The condition is the same for all threads: it is what the conditions inside take at worst, over the loops
// between. Those count that name a counter of the loop or of one around it, and one inside. Of x == y it is
// wanted that it never holds, so that a border is left to the other body; of min(x, n - 1), where a copy
// reads what the tile lacks, that nothing is lacking.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/known.h"
#include "rule/loops.h"

typedef struct Whole {
    Change *ch;
    Arena *a;
    const Path *way;             // to the loop
    Known known;                 // there, and what is wanted so far
    Expr *cond;                  // that; NULL: nothing
    int n;                       // loops inside, around what is looked at; outermost first
    const Node *inside[PATH_MAX_NODES];
} Whole;

// ---- what is wanted ------------------------------------------------------------------------------
static bool is_of_tile(const Whole *w, const Expr *x) {
    bool out = false, in = false;
    for (int k = 0; k < w->way->n; k++)
        out |= w->way->node[k]->kind == N_FOR && expr_uses_sym(x, w->way->node[k]->iter);
    for (int k = 0; k < w->n; k++) in |= expr_uses_sym(x, w->inside[k]->iter);
    return out && in;
}

static void want(Whole *w, Expr *x) {
    if (!x || known_holds(&w->known, x) || known_never(&w->known, x)) return;
    w->cond = cond_and(w->a, w->cond, x);
    known_add(&w->known, x);
}

// x op y in all iterations inside; NULL: never, or that can't be told.
static Expr *everywhere(const Whole *w, Op op, Expr *x, Expr *y) {
    Expr *all = comparison_in(w->a, expr_op(w->a, op, x, y, NULL), w->n, w->inside, true);
    return all && !known_never(&w->known, all) ? all : NULL;
}

static void want_term(Whole *w, const Expr *t) {
    if (t->kind != E_OP || t->nargs != 2 || !is_of_tile(w, t)) return;
    if (t->op != OP_EQ && t->op != OP_NE) return want(w, comparison_in(w->a, t, w->n, w->inside, true));
    if (!type_is_int(t->args[0]->type)) return;
    Expr *less = everywhere(w, OP_LT, t->args[0], t->args[1]);
    Expr *more = everywhere(w, OP_GT, t->args[0], t->args[1]);
    want(w, less && more ? expr_op(w->a, OP_LOR, less, more, NULL) : less ? less : more);
}

static void look(Whole *w, Node *n) {
    if (n->kind == N_IF) {
        Expr *t[TERMS_MAX];
        int count = cond_terms(n->cond, t, TERMS_MAX);
        for (int i = 0; i < count; i++) want_term(w, t[i]);
    }
    if (n->kind == N_FOR && w->n == PATH_MAX_NODES) return;
    if (n->kind == N_FOR) w->inside[w->n++] = n;
    for (int k = 0; node_kid(n, k); k++) look(w, node_kid(n, k));
    w->n -= n->kind == N_FOR;
}

// ---- both bodies -----------------------------------------------------------------------------------
typedef struct Shared {
    Arena *a;
    VEC(const Array *) all;
} Shared;

// Both bodies work in the same shared memory, so that the block needs no more of it than before.
static Node *without_shared(Node *n, void *arg) {
    Shared *s = arg;
    Node *m = n->kind == N_STMT || n->kind == N_COPY ? n : node_map(s->a, n, without_shared, arg);
    if (m->kind != N_SEQ || !m->nlocals) return m;
    int left = 0;
    m->locals = NEW_N(s->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) {
        if (n->locals[i]->place == PLACE_SHARED) vec_push(s->a, &s->all, n->locals[i]);
        else m->locals[left++] = n->locals[i];
    }
    m->nlocals = left;
    return m;
}

static bool is_grid(const Node *n) {
    return n->kind == N_KERNEL || (n->kind == N_FOR && n->how == HOW_BLOCK);
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Path p;
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop || !path_to(ch->nest->root, loop, &p)) return NULL;
    const char *name = loop->iter->name;
    if (loop->how != HOW_BLOCK && loop->how != HOW_SERIAL)
        return change_refuse(ch, "%s is a %s loop; name one around the tile", name, how_name(loop->how));
    if (node_any(loop->body, is_grid)) return change_refuse(ch, "blocks stand inside of %s", name);
    poly_restart(ch->c);
    Whole w = {.ch = ch, .a = a, .way = &p, .known = known_at(ch->c, ch->nest, &p)};
    known_enter(&w.known, loop);
    look(&w, loop->body);
    if (!w.cond) return change_refuse(ch, "nothing in %s asks whether a part of its tile is there", name);
    Shared s = {.a = a};
    Node *body = without_shared(loop->body, &s), *fast = node_seq(a, body->nkids, body->kids);
    if (body->kind != N_SEQ) fast = node_seq(a, 1, &body);
    Node *both = node_if(a, w.cond, fast, change_copy(ch, fast));
    if (body->kind == N_SEQ) both = seq_declare_all(a, both, body->nlocals, body->locals);
    Node *around = node_around(a, loop, seq_declare_all(a, both, s.all.n, s.all.at));
    Node *root = node_replace(a, ch->nest->root, loop, around);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, fast));
}

static bool is_if(const Node *n) { return n->kind == N_IF; }

static bool may_hold_tiles(Node *loop) {
    return (loop->how == HOW_BLOCK || loop_is_serial(loop)) && !node_any(loop->body, is_grid) &&
           node_any(loop->body, is_if);
}

static void find_whole(Finder *f) { find_loops(f, may_hold_tiles, "whole %1"); }

#define EXAMPLE_BORDER                                                                             \
    "sculpt 1 region border sculpt { param n: i32 = \"n\" array x[n][n]: f32 = \"x\" live "         \
    "do { for i: i32 = 0 .. n for j: i32 = 0 .. n { if (i == j) S0[i, j] else S1[i, j] } } "         \
    "stmt S0[i, j]: x[i][j] = 1.0 stmt S1[i, j]: x[i][j] *= 2.0 }"

static const RuleExample examples[] = {
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "whole ib", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb", "whole ib", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc\nstage b at=kt as=sb\nedge sb by=redirect",
     "whole kt", NULL},
    {EXAMPLE_BORDER, "tile i j by=16,32 as=ib,jb,ii,ji\nmap block ib jb\nmap thread ii ji", "whole jb", NULL},
    {EXAMPLE_PRODUCT, "strip k by=16 as=kb,kk", "whole kb", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "whole ii", "is a thread loop"},
    {EXAMPLE_BORDER, "tile i j by=16,32 as=ib,jb,ii,ji\nmap block ib jb\nmap thread ii ji", "whole ib",
     "blocks stand inside of ib"},
    {EXAMPLE_PRODUCT, "", "whole k", "nothing in k asks"},
    {NULL, NULL, NULL, NULL},
};

const Rule whole_rule = {
    .name = "whole",
    .usage = "whole LOOP",
    .summary = "Gives whole tiles a body of their own, in which nothing asks whether it is there; a block, "
               "or an iteration, decides for all of its threads which of the two it runs.",
    .picture = "for ib block                          for ib block\n"
               "    for ii thread                         if (64*ib + 63 < n)\n"
               "        if (64*ib + ii < n)    →              for ii thread  S\n"
               "            S                             else\n"
               "                                              for ii_1 thread  if (…) S\n",
    .apply = apply,
    .find = find_whole,
    .examples = examples,
};
