// SPDX-License-Identifier: MIT
// slices.c -- what one launch of a kernel touches.
//
//   for s = 0 .. (n + 63) / 64 { kernel { for i = 64*s .. min(64*s + 64, n)  y[i] = x[i - 1] + x[i + 1] } }
//
//   y[64*s to min(64*s + 63, n - 1)] out exact     x[64*s - 1 to min(64*s + 64, n)] in
//
// Where the host cuts the blocks in a way that no linear condition says (i in n*s/12 .. n*(s + 1)/12), the
// boxes are those of any part of the blocks, from one to another, and these two are put in at the end.
//
// Footprints are those of a region (foot.h) whose loops are the kernel's and whose parameters
// are the host's counters too; between which values these lie is assumed there.
#include "dep/foot.h"
#include "ir/watch.h"

static const double SECONDS = 2; // of isl for one kernel: without slices data travel whole

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

enum { SWAPS = SLICE_LOOPS + 6 };
// param[k] stands for as_counter[k]; the first n are counters, the others ends of block loops.
typedef struct Swap {
    int n, all;
    const Sym *counter[SLICE_LOOPS], *param[SWAPS];
    Expr *as_param[SWAPS], *as_counter[SWAPS];
} Swap;

// The counters as parameters of the same names, and the region that has them.
static Region *region_with(Arena *a, const Nest *n, const Around *around, Swap *swap) {
    Region *r = NEW_AS(a, Region, *n->region);
    r->params = NEW_N(a, const Sym *, r->nparams + around->n + 7);
    r->assumes = NEW_N(a, Expr *, r->nassumes + 2 * around->n + 16);
    for (int i = 0; i < r->nparams; i++) r->params[i] = n->region->params[i];
    for (int i = 0; i < r->nassumes; i++) r->assumes[i] = n->region->assumes[i];
    if (n->when) r->assumes[r->nassumes++] = n->when;
    for (int i = 0; i < around->n; i++) {
        const Node *loop = around->loop[i];
        Sym *s = NEW_AS(a, Sym, *loop->iter);
        s->kind = SYM_PARAM;
        Expr *lo = expr_subst(a, loop->lo, swap->n, swap->counter, swap->as_param);
        Expr *hi = expr_subst(a, loop->hi, swap->n, swap->counter, swap->as_param);
        swap->counter[i] = loop->iter;
        swap->param[i] = s;
        swap->as_param[i] = expr_sym(a, s);
        swap->as_counter[i] = expr_sym(a, loop->iter);
        swap->all = ++swap->n;
        bool up = loop->step > 0;
        r->params[r->nparams++] = s;
        r->assumes[r->nassumes++] =
            expr_op(a, up ? OP_GE : OP_LE, swap->as_param[i], expr_cast(a, s->type, lo), NULL);
        r->assumes[r->nassumes++] =
            expr_op(a, up ? OP_LT : OP_GT, swap->as_param[i], expr_cast(a, s->type, hi), NULL);
    }
    return r;
}

// ---- what is assumed of counters that count for nothing ---------------------------------------------
static bool names(const Node *root, const Sym *s) {
    node_each(n, root) {
        Expr *const one[] = {n->lo, n->hi, n->cond, n->src};
        for (int k = 0; k < 4; k++)
            if (expr_uses_sym(one[k], s)) return true;
        for (int d = 0; n->kind == N_STMT && d < n->stmt->depth; d++)
            if (expr_uses_sym(n->at[d], s)) return true;
        for (int d = 0; n->kind == N_COPY && n->dst && d < n->dst->rank; d++)
            if (expr_uses_sym(n->sub[d], s)) return true;
        for (int i = 0; n->kind == N_STMT && n->via_sub && i < n->nvia; i++)
            for (int d = 0; n->via_sub[i] && d < n->via[i]->rank; d++)
                if (expr_uses_sym(n->via_sub[i][d], s)) return true;
    }
    return false;
}

// Once the ends of the blocks are parameters, the body may not name the counter any more that cuts them. What
// region_with has assumed of it from `first` on would only split every set in as many parts.
static void forget_unused(Region *r, int first, const Swap *swap, Node *body) {
    for (int i = swap->n - 1; i >= 0; i--) {
        int own = first + 2 * i;
        bool used = names(body, swap->param[i]);
        for (int k = 0; k < r->nassumes; k++)
            used = used || ((k < own || k > own + 1) && expr_uses_sym(r->assumes[k], swap->param[i]));
        if (used) continue;
        for (int k = own; k + 2 < r->nassumes; k++) r->assumes[k] = r->assumes[k + 2];
        r->nassumes -= 2;
    }
}

// ---- ends that are cut otherwise than by lines -----------------------------------------------------
static bool is_product(const Expr *x) {
    return x->kind == E_OP && x->op == OP_MUL && x->args[0]->kind != E_INT && x->args[1]->kind != E_INT;
}

typedef struct Ends {
    Arena *a;
    Region *r;
    Swap *swap;
    int loops;
    const Node *loop[3];
} Ends;

// A parameter in the place of an end, on the right side of what max (lo) or min (hi) says of it.
static Expr *open_end(Ends *e, Expr *x, Type t, bool lo) {
    Arena *a = e->a;
    Sym *s = NEW_AS(a, Sym, (Sym){arena_printf(a, "cut_%d", e->swap->all), SYM_PARAM, t, NULL});
    Expr *as = expr_sym(a, s);
    e->swap->param[e->swap->all] = s;
    e->swap->as_param[e->swap->all] = as;
    e->swap->as_counter[e->swap->all++] = x;
    e->r->params[e->r->nparams++] = s;
    for (int i = 0; i < 2 && x->kind == E_OP && x->op == (lo ? OP_MAX : OP_MIN); i++)
        if (!expr_any(x->args[i], is_product) && !expr_uses_iters(x->args[i]))
            e->r->assumes[e->r->nassumes++] =
                expr_op(a, lo ? OP_GE : OP_LE, as, expr_cast(a, t, x->args[i]), NULL);
    return as;
}

static Node *open_ends(Ends *e, Node *body) {
    node_each(n, body)
        if (n->kind == N_FOR && n->how == HOW_BLOCK && e->loops < 3 &&
            (expr_any(n->lo, is_product) || expr_any(n->hi, is_product)))
            e->loop[e->loops++] = n;
    for (int i = 0; i < e->loops; i++) {
        Node *n = node_clone(e->a, e->loop[i]);
        Type t = n->iter->type;
        n->lo = open_end(e, n->lo, t, true);
        n->hi = open_end(e, n->hi, t, false);
        e->r->assumes[e->r->nassumes++] = expr_op(e->a, OP_LT, n->lo, n->hi, NULL);
        body = node_replace(e->a, body, e->loop[i], n);
    }
    return body;
}

static bool is_known(const Foot *f) {
    for (int d = 0; d < f->array->rank; d++)
        if (!f->lo[d] || !f->hi[d]) return false;
    return true;
}

static void over_counters(Arena *a, const Swap *swap, Foot *f) {
    Expr **ends[2] = {f->lo, f->hi};
    for (int e = 0; e < 2; e++)
        for (int d = 0; d < f->array->rank; d++)
            ends[e][d] = expr_subst(a, ends[e][d], swap->all, swap->param, swap->as_counter);
}

static bool is_touched(const Relations *r, const Array *array, bool write) {
    for (int i = 0; i < r->touches.n; i++)
        if (r->touches.at[i].array == array && (r->touches.at[i].write || !write)) return true;
    return false;
}

// Where the region touches nothing, neither does a part of it.
static void empty_with(Arena *a, const Foot *all, Foot *f) {
    Expr *some = NULL;
    for (int d = 0; d < f->array->rank; d++) {
        Expr *here = expr_op(a, OP_LE, all->lo[d], all->hi[d], NULL);
        some = some ? expr_op(a, OP_LAND, some, here, NULL) : here;
    }
    if (!some || expr_is_int(some, 1)) return;
    Expr *before = expr_sub(a, expr_cast(a, T_I64, f->lo[0]), expr_int(a, T_I64, 1));
    f->hi[0] = expr_op(a, OP_SELECT, some, expr_cast(a, T_I64, f->hi[0]), before);
}

// What holds for all of the region holds for its parts: what is touched first and last bounds what may be
// moved; what needs no values from the host needs none here; where every element is certainly written, some
// launch writes it before it comes home for good.
static void set_directions(Arena *a, const Relations *r, const Nest *n, Foot *f) {
    f->out = is_touched(r, f->array, true);
    f->in = true;
    for (int i = 0; i < n->nfeet; i++) {
        const Foot *all = &n->feet[i];
        if (all->array != f->array) continue;
        f->first = all->first, f->last = all->last, f->loose = all->loose, f->sparse = all->sparse;
        f->gaps = all->gaps;
        f->in = all->in;
        f->exact = all->out && all->exact;
        empty_with(a, all, f);
    }
}

// ---- what is on the way to the program's arrays ------------------------------------------------------
static bool touches_user(Arena *a, const Node *n) {
    AccessVec v = n->kind == N_COPY ? node_accesses(a, n) : stmt_accesses(a, n->stmt);
    for (int i = 0; i < v.n; i++) {
        bool elsewhere = n->kind == N_STMT && n->nvia && n->via[i];
        if ((elsewhere ? n->via[i] : v.at[i].array)->place == PLACE_USER) return true;
    }
    return false;
}

// The tree without what touches registers, shared memory and temporaries alone. NULL: nothing is left.
static Node *only_user(Arena *a, Node *n) {
    if (!n || n->kind == N_BARRIER) return NULL;
    if (n->kind == N_STMT || n->kind == N_COPY) return touches_user(a, n) ? n : NULL;
    Node *m = node_clone(a, n);
    int kept = 0;
    if (n->nkids) m->kids = NEW_N(a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = only_user(a, n->kids[i]);
        if (kid) m->kids[kept++] = kid;
    }
    m->nkids = kept;
    m->body = only_user(a, n->body);
    m->then = only_user(a, n->then);
    m->other = only_user(a, n->other);
    if (!kept && !m->body && !m->then && !m->other) return NULL;
    if (m->kind == N_IF && !m->then) m->then = node_seq(a, 0, NULL);
    return m;
}

Foot *dep_kernel_feet(Compile *c, const Nest *n, const Node *kernel, Node *body, int *nfeet) {
    Arena *a = c->arena;
    Around around = {0};
    Swap swap = {0};
    if (!loops_around(n->root, kernel, &around)) return NULL;
    Region *region = region_with(a, n, &around, &swap);
    int counters = region->nassumes - 2 * around.n; // where their ranges begin
    body = open_ends(&(Ends){.a = a, .r = region, .swap = &swap}, body);
    body = node_subst(a, body, swap.n, swap.counter, swap.as_param);
    body = only_user(a, body);
    if (body) forget_unused(region, counters, &swap, body);
    poly_restart(c);
    watch_start(c, SECONDS);
    Relations *r = relations_new(c, region, node_seq(a, body ? 1 : 0, &body));
    Foot *feet = NEW_N(a, Foot, region->narrays + 1);
    int count = 0;
    *nfeet = 0;
    for (int i = 0; i < region->narrays; i++) {
        if (!is_touched(r, region->arrays[i], false)) continue;
        Foot *f = &feet[count];
        *f = foot_box(r, region->arrays[i]);
        if (poly_gave_up(r->poly) || !is_known(f)) return NULL;
        over_counters(a, &swap, f);
        set_directions(a, r, n, f);
        count++;
    }
    *nfeet = count;
    return feet;
}
