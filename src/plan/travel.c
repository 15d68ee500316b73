// SPDX-License-Identifier: MIT
// travel.c -- what the way of a call's data costs, and nests in which it goes on beside kernels.
//
//   one after the other   up ▒▒▒▒▒▒▒▒▒▒▒▒  kernel ████████  down ░░░░
//   in slices             up ▒▒▒▒▒▒▒▒▒▒▒▒                              ▒ what all slices read goes first
//                              ████████
//                                 ░░░░
//
// A nest of one kernel (or of some, of which the last is the large one) gets a copy by the rule
// `overlap`, its slowest block loop in parts, each of which fills the multiprocessors a whole number of
// times, as far as there are few parts. Both nests know their costs, from the sizes, the rates of the
// device's file and how fast the link is for the arrays as they lie (facts); the copy runs only where data
// travel at all.
#include "plan/plan.h"
#include "dep/dep.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"

// microseconds that a slice costs: a launch, a few copies, events between them
static const double LAUNCH = 10;
static const double SHARE = 0.85; // of the ceilings, that kernels reach which nothing better is known of
enum { FEWEST = 6, MOST = 16 };

static Expr *whole(Arena *a, int64_t v) { return expr_int(a, T_I64, v); }
static Expr *real(Arena *a, Expr *x) { return expr_cast(a, T_F64, x); }
static Expr *number(Arena *a, double x) { return expr_float(a, T_F64, x); }
static Expr *binary(Arena *a, Op op, Expr *x, Expr *y) {
    return x && y ? expr_op(a, op, x, y, NULL) : x ? x : y;
}

// ---- facts -------------------------------------------------------------------------------
// A nest's own list of facts, with one more if it has none of that kind.
static Expr *fact(Compile *c, Nest *n, FactKind kind) {
    Names names = {.arena = c->arena, .region = n->region};
    return expr_sym(c->arena, nest_fact(c->arena, n, kind, name_fresh(&names, fact_stem(kind))));
}

// ---- microseconds ------------------------------------------------------------------------
static Expr *foot_bytes(Arena *a, const Foot *f) {
    Expr *bytes = number(a, type_size(f->array->elem));
    for (int d = 0; d < f->array->rank; d++) {
        Expr *n = expr_add(a, expr_sub(a, expr_cast(a, T_I64, f->hi[d]), expr_cast(a, T_I64, f->lo[d])),
                           whole(a, 1));
        bytes = expr_mul(a, bytes, real(a, binary(a, OP_MAX, n, whole(a, 0))));
    }
    return bytes;
}

static bool comes(const Foot *f) { return f->in || (f->out && !f->exact); }

typedef struct Way {
    // what goes before any slice, all that goes up, all that comes home; NULL: nothing
    Expr *first, *up, *down;
} Way;

static Way way_of(Compile *c, Nest *n, const bool *sliced) {
    Arena *a = c->arena;
    Way w = {0};
    for (int i = 0; i < n->nfeet; i++) {
        const Foot *f = &n->feet[i];
        if (!f->array->rank) continue;
        Expr *bytes = foot_bytes(a, f);
        if (comes(f)) w.up = binary(a, OP_ADD, w.up, bytes);
        if (comes(f) && !sliced[i]) w.first = binary(a, OP_ADD, w.first, bytes);
        if (f->out) w.down = binary(a, OP_ADD, w.down, bytes);
    }
    Expr **all[3] = {&w.first, &w.up, &w.down};
    for (int i = 0; i < 3; i++)
        *all[i] = binary(a, OP_DIV, *all[i] ? *all[i] : number(a, 0), real(a, fact(c, n, FACT_LINK)));
    return w;
}

Expr *plan_kernel_cost(Compile *c, Nest *n) {
    Arena *a = c->arena;
    if (n->cost) return n->cost;
    if (!n->flops || !n->bytes) return NULL;
    Expr *f = binary(a, OP_DIV, n->flops, real(a, fact(c, n, FACT_FMA))),
         *b = binary(a, OP_DIV, n->bytes, real(a, fact(c, n, FACT_COPY)));
    return expr_add(a, number(a, LAUNCH), expr_mul(a, number(a, 1 / SHARE), binary(a, OP_MAX, f, b)));
}

// Everything once, one after the other.
static Expr *serial_cost(Compile *c, Nest *n, Expr *kernel) {
    Arena *a = c->arena;
    bool none[n->nfeet + 1];
    for (int i = 0; i < n->nfeet; i++) none[i] = false;
    Way w = way_of(c, n, none);
    return expr_add(a, kernel, expr_mul(a, real(a, fact(c, n, FACT_TRAVELS)), expr_add(a, w.up, w.down)));
}

// The slowest of the three hides the others, but for the first slice's way up and the last one's home.
static Expr *sliced_cost(Compile *c, Nest *n, Expr *kernel, Expr *slices, const bool *sliced) {
    Arena *a = c->arena;
    Way w = way_of(c, n, sliced);
    Expr *rest = expr_sub(a, w.up, w.first);
    Expr *most = binary(a, OP_MAX, binary(a, OP_MAX, rest, w.down), kernel);
    Expr *all = expr_add(a, expr_add(a, rest, w.down), kernel);
    Expr *ends = binary(a, OP_DIV, expr_sub(a, all, most), real(a, slices));
    return expr_add(a, expr_add(a, w.first, most),
                    expr_add(a, ends, expr_mul(a, number(a, LAUNCH), real(a, slices))));
}

// ---- slices ------------------------------------------------------------------------------
// The blocks that are launched last to first: whole rows of the results, where these are stored by rows.
static const Node *slowest_blocks(const Node *kernel) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    return g.nblock ? g.block[g.nblock - 1] : NULL;
}

// As many slices as the kernel's blocks fill the device, but FEWEST at least and MOST at most.
static Expr *slices_of(Compile *c, Nest *n, const Node *kernel) {
    Arena *a = c->arena;
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    int64_t threads = g.phases ? g.threads : 256, resident = kernel->min_blocks ? kernel->min_blocks
                                                             : threads < 1024   ? 1024 / threads
                                                                                : 1;
    Expr *blocks = whole(a, 1), *room = expr_mul(a, fact(c, n, FACT_PROCESSORS), whole(a, resident));
    for (int i = 0; i < g.nblock; i++)
        blocks =
            expr_mul(a, blocks,
                     expr_sub(a, expr_cast(a, T_I64, g.block[i]->hi), expr_cast(a, T_I64, g.block[i]->lo)));
    Expr *times = binary(a, OP_FDIV, expr_sub(a, expr_add(a, blocks, room), whole(a, 1)), room);
    return binary(a, OP_MAX, whole(a, FEWEST), binary(a, OP_MIN, whole(a, MOST), times));
}

// Which arrays a launch moves by itself; false: not all are known.
static bool see_moves(const Nest *nest, const Node *n, bool *sliced) {
    if (n->kind != N_KERNEL) return true;
    for (int i = 0; i < n->nmoves; i++) {
        const Foot *f = &n->moves[i];
        bool moves = false;
        for (int d = 0; d < f->array->rank; d++)
            moves = moves || expr_uses_iters(f->lo[d]) || expr_uses_iters(f->hi[d]);
        for (int k = 0; k < nest->nfeet; k++)
            if (nest->feet[k].array == f->array && !moves) sliced[k] = false;
    }
    return n->streamed;
}

// Which arrays come and go in slices; false: none, or it can't be told.
static bool find_sliced(const Nest *n, bool *sliced) {
    bool any = false, told = true; // the boxes of all kernels are known
    for (int i = 0; i < n->nfeet; i++) sliced[i] = n->feet[i].array->rank > 0 && !n->feet[i].loose;
    node_each(k, n->root) told &= see_moves(n, k, sliced);
    for (int i = 0; i < n->nfeet; i++) any = any || (sliced[i] && (n->feet[i].in || n->feet[i].out));
    return any && told;
}

// A cost over facts of `with`, which may have more of them than the nest.
static Nest *at_cost(Compile *c, const Nest *n, const Nest *with, Expr *cost) {
    return recipe_then(c, n, arena_printf(c->arena, "pays cost=%s", step_expr(c->arena, with, cost)), NULL);
}

static Nest *in_slices(Compile *c, const Nest *n, const char **why) {
    Arena *a = c->arena;
    Nest with = *n;
    Expr *kernel = plan_kernel_cost(c, &with);
    *why = "its operations or its bytes cannot be counted";
    if (!kernel) return NULL;
    Kernels k = {0};
    if (!kernels_sliced(a, n->root, &k)) return *why = k.why, NULL;
    *why = "none of its arrays can be told to come or go in slices";
    const Node *last = k.kernel[k.n - 1], *blocks = slowest_blocks(last);
    if (!blocks) return NULL;
    Expr *slices = slices_of(c, &with, last);
    Expr *count = expr_sub(a, expr_cast(a, T_I64, blocks->hi), expr_cast(a, T_I64, blocks->lo));
    Expr *travels = binary(a, OP_NE, fact(c, &with, FACT_TRAVELS), whole(a, 0));
    Expr *when = binary(a, OP_LAND, travels, binary(a, OP_GE, count, slices));
    char *line = arena_printf(a, "overlap %s slices=%s", blocks->iter->name, step_expr(a, &with, slices));
    Nest *m = recipe_then(c, n, arena_printf(a, "pays when=%s", step_expr(a, &with, when)), why);
    m = m ? recipe_then(c, m, line, why) : NULL;
    bool sliced[n->nfeet + 1];
    if (m) m->root = recipe_streams(c, m);
    if (!m || !find_sliced(m, sliced)) return NULL;
    with.feet = m->feet;
    m = at_cost(c, m, &with, sliced_cost(c, &with, kernel, slices, sliced));
    return m && plan_is_sound(c, m, LEFT_OUT) ? m : NULL;
}

// The nest's cost holds the way of its data.
static void with_way(Compile *c, Nest *n) {
    Nest with = *n;
    Expr *cost = serial_cost(c, &with, plan_kernel_cost(c, &with));
    Nest *m = at_cost(c, n, &with, cost);
    if (m) *n = *m;
}

// Of all; for a call only of the quickest that comes in slices.
static int copies(Compile *c, const PlanCall *k, int n, Nest *const *shaped, int most, Nest **out,
                  const char **why) {
    enum { TRIES = 3 };
    Nest *left[n + 1];
    int nleft = 0, got = 0;
    for (int i = 0; i < n; i++)
        if (shaped[i]->cost) left[nleft++] = shaped[i];
    bool known = k && k->pick;
    for (int i = 0; nleft && got < most && !(known && (got || i == TRIES)); i++) {
        int at = known ? k->pick(c, nleft, left, k->arg) : 0;
        if (at < 0) at = 0;
        Nest *copy = in_slices(c, left[at], why);
        if (copy) out[got++] = copy;
        for (nleft--; at < nleft; at++) left[at] = left[at + 1];
    }
    return got;
}

int plan_travel(Compile *c, const PlanCall *k, Nest *standard, int n, Nest **shaped, int max,
                const char **why) {
    const char *reason = NULL;
    if (!why) why = &reason;
    bool stays = k && k->stays;
    int all = stays ? n : n + copies(c, k, n, shaped, max - n, shaped + n, why);
    // Where shaped nests know their costs, the standard one has none and comes behind them.
    Nest *copy = stays || n || all == max || !standard ? NULL : in_slices(c, standard, why);
    if (copy) shaped[all++] = copy;
    if (all == n && !stays) return n;
    for (int i = 0; i < n; i++)
        if (shaped[i]->cost) with_way(c, shaped[i]);
    if (copy) with_way(c, standard);
    return all;
}
