// SPDX-License-Identifier: MIT
// slices.c -- what one launch of a kernel touches.
//
//   for s = 0 .. (n + 63) / 64 { kernel { for i = 64*s .. min(64*s + 64, n)  y[i] = x[i - 1] + x[i + 1] } }
//
//   y[64*s to min(64*s + 63, n - 1)] out exact     x[64*s - 1 to min(64*s + 64, n)] in
//
// Footprints are those of a region (foot.h) whose loops are the kernel's and whose parameters
// are the host's counters too; between which values these lie is assumed there.
#include "dep/foot.h"

enum { SLICE_LOOPS = 16 };

typedef struct Around {
    int n;
    const Node *loop[SLICE_LOOPS];
} Around;

// The host loops between root and the kernel, outermost first. False: it isn't there, or too deep.
static bool loops_around(const Node *root, const Node *kernel, Around *out) {
    if (!root || root == kernel) return root != NULL;
    if (root->kind == N_KERNEL) return false;
    if (root->kind == N_FOR) {
        if (out->n == SLICE_LOOPS) return false;
        out->loop[out->n++] = root;
        if (loops_around(root->body, kernel, out)) return true;
        out->n--;
        return false;
    }
    for (int i = 0; i < root->nkids; i++)
        if (loops_around(root->kids[i], kernel, out)) return true;
    return loops_around(root->then, kernel, out) || loops_around(root->other, kernel, out);
}

typedef struct Swap {
    int n;
    const Sym *counter[SLICE_LOOPS], *param[SLICE_LOOPS];
    Expr *as_param[SLICE_LOOPS], *as_counter[SLICE_LOOPS];
} Swap;

// The counters as parameters of the same names, and the region that has them.
static Region *region_with(Arena *a, const Nest *n, const Around *around, Swap *swap) {
    Region *r = NEW(a, Region);
    *r = *n->region;
    r->params = NEW_N(a, const Sym *, r->nparams + around->n + 1);
    r->assumes = NEW_N(a, Expr *, r->nassumes + 2 * around->n + 1);
    for (int i = 0; i < r->nparams; i++) r->params[i] = n->region->params[i];
    for (int i = 0; i < r->nassumes; i++) r->assumes[i] = n->region->assumes[i];
    if (n->when) r->assumes[r->nassumes++] = n->when;
    for (int i = 0; i < around->n; i++) {
        const Node *loop = around->loop[i];
        Sym *s = NEW(a, Sym);
        *s = *loop->iter;
        s->kind = SYM_PARAM;
        Expr *lo = expr_subst(a, loop->lo, swap->n, swap->counter, swap->as_param);
        Expr *hi = expr_subst(a, loop->hi, swap->n, swap->counter, swap->as_param);
        swap->counter[i] = loop->iter;
        swap->param[i] = s;
        swap->as_param[i] = expr_sym(a, s);
        swap->as_counter[i] = expr_sym(a, loop->iter);
        swap->n++;
        bool up = loop->step > 0;
        r->params[r->nparams++] = s;
        r->assumes[r->nassumes++] = expr_op(a, up ? OP_GE : OP_LE, swap->as_param[i], expr_cast(a, s->type, lo), NULL);
        r->assumes[r->nassumes++] = expr_op(a, up ? OP_LT : OP_GT, swap->as_param[i], expr_cast(a, s->type, hi), NULL);
    }
    return r;
}

static bool is_known(const Foot *f) {
    for (int d = 0; d < f->array->rank; d++)
        if (!f->lo[d] || !f->hi[d]) return false;
    return true;
}

static void over_counters(Arena *a, const Swap *swap, Foot *f) {
    Expr **ends[4] = {f->lo, f->hi, f->first, f->last};
    for (int e = 0; e < 4; e++)
        for (int d = 0; ends[e] && d < f->array->rank; d++)
            ends[e][d] = expr_subst(a, ends[e][d], swap->n, swap->param, swap->as_counter);
}

static bool is_touched(const Relations *r, const Array *array) {
    for (int i = 0; i < r->touches.n; i++)
        if (r->touches.at[i].array == array) return true;
    return false;
}

Foot *dep_kernel_feet(Compile *c, const Nest *n, const Node *kernel, int *nfeet) {
    Arena *a = c->arena;
    Around around = {0};
    Swap swap = {0};
    if (!loops_around(n->root, kernel, &around)) return NULL;
    const Region *region = region_with(a, n, &around, &swap);
    Node *body = node_subst(a, kernel->body, swap.n, swap.counter, swap.as_param);
    poly_restart(c);
    Relations *r = relations_new(c, region, node_seq(a, 1, &body));
    int all;
    Foot *feet;
    foot_all(r, &all, &feet);
    foot_trim(r, all, feet);
    if (!poly_gave_up(r->poly)) foot_ends(r, all, feet);
    else return NULL;
    if (poly_gave_up(r->poly)) return NULL;
    *nfeet = 0;
    for (int i = 0; i < all; i++) {
        if (!is_touched(r, feet[i].array)) continue;
        if (!is_known(&feet[i])) return NULL;
        over_counters(a, &swap, &feet[i]);
        feet[(*nfeet)++] = feet[i];
    }
    return feet;
}
