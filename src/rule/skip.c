// SPDX-License-Identifier: MIT
// skip.c -- iterations of a loop in which no statement has anything to do are left out.
//
//   for jb block {                                   for jb block {
//     for jt thread { for it {                         if (64*jb <= 64*ib + 63)
//       if (64*jb + jt <= 64*ib + it) S } } }    →       for jt thread { for it {
//                                                          if (64*jb + jt <= 64*ib + it) S } } }
//
// What a condition takes at best, over the loops between, is asked once for all of them. Tiles that lie
// wholly beyond a triangle cost no more than this question; of a serial loop it becomes bounds (trim).
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

typedef struct Skip {
    Change *ch;
    Arena *a;
    const Node *loop;
    int n;                   // loops inside, around what is looked at; outermost first
    const Node *inside[PATH_MAX_NODES];
    bool any;                // a statement was met
    int nterms;              // that all statements met so far stand under
    Expr *terms[TERMS_MAX];
} Skip;

// The comparison where it holds at all; NULL: it tells nothing of the loop.
static Expr *weakened(const Skip *s, const Expr *t) {
    Expr *w = comparison_in(s->a, t, s->n, s->inside, false);
    return w && expr_uses_sym(w, s->loop->iter) ? w : NULL;
}

// What stands under these conditions.
static void meet(Skip *s, int n, Expr *const *terms) {
    int kept = 0;
    if (!s->any) {
        for (int i = 0; i < n; i++) s->terms[s->nterms++] = terms[i];
        s->any = true;
        return;
    }
    for (int i = 0; i < s->nterms; i++)
        for (int k = 0; k < n; k++)
            if (expr_equal(s->terms[i], terms[k])) {
                s->terms[kept++] = s->terms[i];
                break;
            }
    s->nterms = kept;
}

// terms: n conditions around the node, as far as they tell something of the loop.
static void look(Skip *s, Node *at, int n, Expr **terms) {
    Expr *t[TERMS_MAX], *more[TERMS_MAX];
    if (at->kind == N_STMT || at->kind == N_COPY) {
        meet(s, n, terms);
    } else if (at->kind == N_IF) {
        int count = cond_terms(at->cond, t, TERMS_MAX), m = 0;
        for (; m < n; m++) more[m] = terms[m];
        for (int i = 0; i < count && m < TERMS_MAX; i++)
            if ((more[m] = weakened(s, t[i]))) m++;
        look(s, at->then, m, more);
        if (at->other) look(s, at->other, n, terms);
    } else if (at->kind == N_FOR && s->n < PATH_MAX_NODES) {
        s->inside[s->n++] = at;
        look(s, at->body, n, terms);
        s->n--;
    } else if (at->kind == N_SEQ) {
        for (int i = 0; i < at->nkids; i++) look(s, at->kids[i], n, terms);
    } else {
        meet(s, 0, NULL);
    }
}

static Nest *apply(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    if (!loop) return NULL;
    if (loop->how != HOW_SERIAL && loop->how != HOW_BLOCK)
        return change_refuse(ch, "%s is a %s loop; conditions stand inside of these", loop->iter->name,
                             how_name(loop->how));
    Skip s = {.ch = ch, .a = ch->a, .loop = loop};
    Expr *cond = NULL;
    look(&s, loop->body, 0, NULL);
    for (int i = 0; i < s.nterms; i++) cond = cond_and(ch->a, cond, s.terms[i]);
    if (!cond)
        return change_refuse(ch, "no condition that all of %s stands under tells of its iterations",
                             loop->iter->name);
    Node *n = node_clone(ch->a, loop);
    n->body = node_if(ch->a, cond, loop->body, NULL);
    Node *root = simplify_at(ch->c, ch->nest, node_replace(ch->a, ch->nest->root, loop, n), n);
    Node *now = loop_named(root, loop->iter->name);
    if (now && unwrap(now->body)->kind != N_IF)
        return change_refuse(ch, "all iterations of %s may have something to do", loop->iter->name);
    return change_done(ch, root);
}

static bool may_skip(Node *loop) {
    return (loop->how == HOW_SERIAL || loop->how == HOW_BLOCK) && loop_holds_conditions(loop);
}

static void find_skip(Finder *f) { find_loops(f, may_skip, "skip %1"); }

#define TILES                                                                                      \
    "distribute i\nhull j\nstrip i_1 by=16 as=ib,ii\nstrip j by=16 as=jb,jj\ninterchange ib jb ii jj"

static const RuleExample skip_examples[] = {
    {EXAMPLE_TRIANGLE, TILES, "skip jb", NULL},
    {EXAMPLE_TRIANGLE, TILES "\nskip jb", "trim jb", NULL},
    {EXAMPLE_TRIANGLE, "distribute i\nhull j\nstrip i_1 by=16 as=ib,ii\ninterchange j ib ii", "skip ib",
     NULL},
    {EXAMPLE_PRODUCT, "", "skip k", "no condition that all of k stands under"},
    {NULL, NULL, NULL, NULL},
};

const Rule skip_rule = {
    .name = "skip",
    .usage = "skip LOOP",
    .summary = "Leaves out iterations of a loop in which the conditions inside hold for none of the "
               "iterations of the loops inside.",
    .picture = "for jb                                  for jb\n"
               "    for ii                                  if (16*jb <= 16*ib + 15)\n"
               "        for jj                      →           for ii\n"
               "            if (16*jb + jj <= 16*ib + ii) S         for jj\n"
               "                                                        if (…) S\n",
    .apply = apply,
    .find = find_skip,
    .examples = skip_examples,
};
