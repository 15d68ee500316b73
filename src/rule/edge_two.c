// SPDX-License-Identifier: MIT
// edge_two.c -- a version of a kernel for whole tiles beside the one for all sizes.
//
//                           if (n % 128 == 0 && m % 128 == 0)
//   kernel k0       →           kernel k0        no conditions, no redirected reads
//                           else kernel k0_1     as it was
//
// The host asks before it launches. What the sizes decide goes away in the first: conditions,
// min and max, loops that never run. Both have names of their own, so what follows in the recipe
// changes one of them.
#include "rule/edge.h"
#include "rule/loops.h"

static const Sym *param_named(const Nest *n, const char *name) {
    for (int i = 0; i < n->region->nparams; i++)
        if (str_eq(n->region->params[i]->name, name)) return n->region->params[i];
    return NULL;
}

// Is each size a multiple?
static Expr *whole_tiles(Change *ch) {
    Arena *a = ch->a;
    const char *of[STEP_MAX];
    int64_t by[STEP_MAX];
    int n = change_names(ch, "of", of, STEP_MAX), m = change_ints(ch, "multiple", by, STEP_MAX);
    if (!n || n != m)
        return change_refuse(ch, "of= and multiple= name as many sizes as tiles: of=n,m multiple=128,64"),
               NULL;
    Expr *all = NULL;
    for (int i = 0; i < n; i++) {
        const Sym *s = param_named(ch->nest, of[i]);
        if (!s || !type_is_int(s->type))
            return change_refuse(ch, "%s is no whole number that the region is given", of[i]), NULL;
        if (by[i] < 2) return change_refuse(ch, "multiple=%lld is no tile", (long long)by[i]), NULL;
        Expr *rest = expr_op(a, OP_FMOD, expr_sym(a, s), expr_int(a, s->type, by[i]), NULL);
        all = cond_and(a, all, expr_op(a, OP_EQ, rest, expr_int(a, s->type, 0), NULL));
    }
    return all;
}

Nest *edge_two(Change *ch) {
    Arena *a = ch->a;
    const Step *s = ch->step;
    int n = 0;
    Node *kernel = NULL;
    if (change_text(ch, "by")) return change_refuse(ch, "by= is for copies");
    if (s->nwords == 2) {
        kernel = change_kernel(ch, s->words[1]);
        if (!kernel) return NULL;
    } else {
        node_each(k, ch->nest->root)
            if (k->kind == N_KERNEL) kernel = k, n++;
        if (n != 1) return change_refuse(ch, "there are %d kernels; say which one: edge two KERNEL", n);
    }
    Expr *whole = whole_tiles(ch);
    if (!whole) return NULL;
    Node *general = change_twin(ch, kernel), *fast = node_clone(a, kernel);
    Node *both = node_if(a, whole, node_seq(a, 1, &fast), node_seq(a, 1, &general));
    Node *root = node_replace(a, ch->nest->root, kernel, both);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, fast));
}
