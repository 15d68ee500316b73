// SPDX-License-Identifier: MIT
// slots.c -- elements of which none is written twice (slots.h).
//
// What is asked of a region whose counter chooses them:
//   - the counter is an integer that the loops only add to, all of it up or all of it down;
//   - an array is written, and nowhere read, at scale * n + number alone;
//   - each such statement stands in a sequence that adds a number to n, always, with nothing between them
//     that may write either: a block. In one execution it has the places
//
//         scale * n + least  …  scale * n + least + scale * added - 1       of the value that n begins with
//
//     where `least` is the same for all blocks, and the next execution of any of them begins behind these.
// A counter of few bits comes back to where it was: so much may not be added to it in all.
#include "ir/slots.h"

typedef struct Block {
    int64_t added;           // to the counter
    int64_t least, most;     // places that are written, from what the counter begins with
} Block;

typedef struct Fill {
    Arena *a;
    const Region *r;
    const Array *x, *n;      // what is filled; the counter
    Expr *const *at;         // [n->rank]
    int dim;
    int64_t scale;
    int up;                  // 1: the counter grows, -1: it falls, 0: not known yet
    VEC(Slot) slots;
    VEC(Block) blocks;
    int placed;              // slots that stand in a block
    bool failed;
} Fill;

// ---- expressions -----------------------------------------------------------------------------------

static bool adds(const Fill *f, const Stmt *s) {
    if (s->lhs != f->n || s->op != OP_ADD) return false;
    for (int d = 0; d < f->n->rank; d++)
        if (!expr_equal(s->sub[d], f->at[d])) return false;
    return true;
}

static bool stays(const Array *n, Expr *const *sub) {
    for (int d = 0; d < n->rank; d++)
        if (expr_has_load(sub[d]) || expr_uses_iters(sub[d])) return false;
    return true;
}

// Is x = scale * load + by, without values that become one on the way? NULL: no. Else the load.
static const Expr *place_of(const Expr *x, int64_t *scale, int64_t *by) {
    *scale = 1, *by = 0;
    if (x->kind == E_LOAD) return x;
    if (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) && x->type != T_BOOL &&
        type_size(x->type) >= type_size(x->args[0]->type))
        return place_of(x->args[0], scale, by);
    if (x->kind != E_OP || x->nargs != 2) return NULL;
    int k = x->args[0]->kind == E_INT;
    const Expr *number = x->args[!k], *load = number->kind == E_INT ? place_of(x->args[k], scale, by) : NULL;
    int64_t v = load ? number->i : 0;
    if (!load || v > INT32_MAX || v < INT32_MIN) return NULL;
    if (x->op == OP_ADD) *by += v;
    else if (x->op == OP_SUB && !k) *by -= v;
    else if (x->op == OP_MUL && v > 0 && *scale == 1) *scale = v, *by *= v;
    else return NULL;
    return load;
}

// The least and the greatest number that is added. False: not known.
static bool added(const Expr *x, int64_t *lo, int64_t *hi) {
    bool truth = x->kind == E_OP && ((x->op >= OP_LT && x->op <= OP_NE) || x->op == OP_LAND ||
                                     x->op == OP_LOR || x->op == OP_LNOT);
    *lo = 0, *hi = 1;
    if (truth || x->type == T_BOOL) return true;
    if (x->kind == E_INT) *lo = *hi = x->i;
    if (x->kind == E_INT) return x->i <= INT32_MAX && x->i >= INT32_MIN;
    if (x->kind == E_CAST && type_is_int(x->type)) return added(x->args[0], lo, hi);
    int64_t lo2, hi2;
    if (x->kind != E_OP || x->op != OP_SELECT || !added(x->args[1], lo, hi) || !added(x->args[2], &lo2, &hi2))
        return false;
    *lo = lo2 < *lo ? lo2 : *lo;
    *hi = hi2 > *hi ? hi2 : *hi;
    return true;
}

// ---- statements --------------------------------------------------------------------------------------

// A load of what is filled, anywhere, and it is not.
static void see_reads(Fill *f) {
    node_each(n, f->r->root)
        node_each_expr(x, n) f->failed |= x->kind == E_LOAD && arrays_may_overlap(x->array, f->x);
}
// Is what was filled found again by the counter?
static bool reads_filled(const Fill *f) {
    node_each(n, f->r->root)
        node_each_expr(x, n)
            for (int d = 0; x->kind == E_LOAD && x->array == f->x && d < f->x->rank; d++)
                expr_each(y, x->args[d])
                    if (y->kind == E_LOAD && y->array == f->n) return true;
    return false;
}

static bool is_slot(Fill *f, const Stmt *s, int64_t *by) {
    const Expr *load = NULL;
    int64_t scale = 0;
    int dim = 0;
    for (int d = 0; d < s->lhs->rank; d++) {
        if (!expr_has_load(s->sub[d])) continue;
        if (load || !(load = place_of(s->sub[d], &scale, by))) return false;
        dim = d;
    }
    if (!load || s->op != OP_SET || !stays(load->array, load->args)) return false;
    if (!f->n) f->n = load->array, f->at = load->args, f->dim = dim, f->scale = scale;
    bool same = f->n == load->array && f->dim == dim && f->scale == scale;
    for (int d = 0; same && d < f->n->rank; d++) same = expr_equal(f->at[d], load->args[d]);
    return same;
}

static void find_slots(Fill *f) {
    for (int k = 0; k < f->r->nstmts && !f->failed; k++) {
        const Stmt *s = f->r->stmts[k];
        Slot slot = {.stmt = s, .from = f->x};
        if (!arrays_may_overlap(s->lhs, f->x)) continue;
        f->failed = s->lhs != f->x || !is_slot(f, s, &slot.place);
        vec_push(f->a, &f->slots, slot);
    }
    f->failed |= !f->n || f->n->place != PLACE_USER || !type_is_int(f->n->elem) || f->n->elem == T_BOOL;
}

static void see_counting(Fill *f) {
    for (int k = 0; k < f->r->nstmts && !f->failed; k++) {
        const Stmt *s = f->r->stmts[k];
        int64_t lo = 0, hi = 0;
        if (!arrays_may_overlap(s->lhs, f->n)) continue;
        f->failed = !adds(f, s) || !added(s->rhs, &lo, &hi) || (lo < 0 && hi > 0);
        int way = hi > 0 ? 1 : lo < 0 ? -1 : 0;
        f->failed |= way && f->up && way != f->up;
        f->up = way ? way : f->up;
    }
    f->failed |= !f->up;
}

// ---- blocks ------------------------------------------------------------------------------------------

static Slot *slot_of(const Fill *f, const Node *n) {
    for (int k = 0; n->kind == N_STMT && k < f->slots.n; k++)
        if (f->slots.at[k].stmt == n->stmt) return &f->slots.at[k];
    return NULL;
}

static bool counts(const Fill *f, const Node *n) {
    if (n->kind == N_STMT && (n->stmt->lhs == f->n || slot_of(f, n))) return true;
    for (int k = 0; node_kid(n, k); k++)
        if (counts(f, node_kid(n, k))) return true;
    return false;
}

static void see_blocks(Fill *f, const Node *n) {
    const Block none = {0, INT64_MAX, INT64_MIN};
    Block b = none;
    for (int k = 0; n->kind == N_SEQ && k <= n->nkids; k++) {
        const Node *kid = k < n->nkids ? n->kids[k] : NULL;
        Slot *s = kid ? slot_of(f, kid) : NULL;
        if (s) {
            s->block = f->blocks.n;
            s->place += f->scale * b.added;
            b.least = s->place < b.least ? s->place : b.least;
            b.most = s->place > b.most ? s->place : b.most;
            f->placed++;
        } else if (kid && kid->kind == N_STMT && kid->stmt->lhs == f->n && kid->stmt->rhs->kind == E_INT) {
            b.added += kid->stmt->rhs->i;
        } else if (!kid || counts(f, kid)) {
            if (b.least <= b.most) vec_push(f->a, &f->blocks, b);
            b = none;
        }
    }
}

// Does each block keep to its own places? *first: the first place of all; the last one where the counter
// falls.
static bool are_apart(const Fill *f, int64_t *first) {
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int k = 0; k < f->blocks.n; k++) {
        const Block *b = &f->blocks.at[k];
        least = b->least < least ? b->least : least;
        most = b->most > most ? b->most : most;
    }
    *first = f->up > 0 ? least : most;
    for (int k = 0; k < f->blocks.n; k++) {
        const Block *b = &f->blocks.at[k];
        int64_t own = f->scale * b->added * f->up;
        if (f->up > 0 ? b->most - least >= own : most - b->least >= own) return false;
    }
    return true;
}

// ---- how much is added -------------------------------------------------------------------------------

typedef struct Sum {
    const Fill *f;
    Expr *all;               // T_F64, scaled; NULL: it can't be told
    bool any;
} Sum;

// times: how often n runs at most.
static void sum_added(Sum *s, const Node *n, Expr *times) {
    Arena *a = s->f->a;
    int64_t lo, hi;
    if (n->kind == N_STMT && n->stmt->lhs == s->f->n && added(n->stmt->rhs, &lo, &hi)) {
        double most = (double)((s->f->up > 0 ? hi : -lo) * s->f->scale);
        Expr *x = most == 1 ? times : expr_op(a, OP_MUL, times, expr_float(a, T_F64, most), NULL);
        s->all = s->any ? expr_op(a, OP_ADD, s->all, x, NULL) : x;
        s->any = true;
    }
    if (n->kind == N_FOR && counts(s->f, n)) {
        bool told = !expr_has_load(n->lo) && !expr_has_load(n->hi) && !expr_uses_iters(n->lo) &&
                    !expr_uses_iters(n->hi);
        Expr *from = n->step > 0 ? n->lo : n->hi, *trips = expr_cast(a, T_F64, n->step > 0 ? n->hi : n->lo);
        if (!expr_is_int(from, 0)) trips = expr_op(a, OP_SUB, trips, expr_cast(a, T_F64, from), NULL);
        trips = expr_op(a, OP_MAX, trips, expr_float(a, T_F64, 0), NULL);
        bool one = times->kind == E_FLOAT && times->f == 1;
        if (told) times = one ? trips : expr_op(a, OP_MUL, times, trips, NULL);
        else s->all = NULL;
    }
    for (int k = 0; s->all && node_kid(n, k); k++) sum_added(s, node_kid(n, k), times);
}

// A number of 64 bits is not counted through. One of an `int` that overflows is no program.
static bool fits(const Fill *f, Expr *sum, Expr **fit) {
    int bits = 8 * type_size(f->n->elem);
    if (bits == 64 || (bits == 32 && type_is_signed(f->n->elem))) return true;
    if (!sum) return false;
    Expr *x = expr_op(f->a, OP_LE, sum, expr_float(f->a, T_F64, (double)(1ll << bits)), NULL);
    *fit = *fit ? expr_op(f->a, OP_LAND, *fit, x, NULL) : x;
    return true;
}

// ---- arrays ------------------------------------------------------------------------------------------

// The array as its slots are numbered: a dimension for the block, one for the place, one for each counter.
static const Array *renumbered(const Fill *f) {
    Array *to = NEW_AS(f->a, Array, *f->x);
    int depth = 0;
    for (int k = 0; k < f->slots.n; k++)
        depth = f->slots.at[k].stmt->depth > depth ? f->slots.at[k].stmt->depth : depth;
    to->rank = 2 + depth + f->x->rank - 1;
    to->constant_size = to->rows = false;
    to->extent = NEW_N(f->a, Expr *, to->rank);
    for (int d = 1; d < to->rank; d++) to->extent[d] = expr_int(f->a, T_I64, INT32_MAX);
    return to;
}

// What an inspection looks at.
static Slot inspected(Arena *a, const Region *r, const Inspect *in) {
    Fill f = {.a = a, .r = r, .x = in->array};
    Slot slot = {.from = in->array, .dim = in->dim};
    for (int k = 0; k < r->nstmts; k++) {
        const Stmt *s = r->stmts[k];
        if (!arrays_may_overlap(s->lhs, f.x)) continue;
        f.failed |= s->lhs != f.x || s->op != OP_SET || slot.stmt;
        slot.stmt = s;
        vec_push(a, &f.slots, slot);
    }
    see_reads(&f);
    if (f.failed || !slot.stmt || f.x->rank != 1) return (Slot){0};
    slot.to = renumbered(&f);
    return slot;
}

bool slots_are_read(const Slots *s, const Array *x) {
    for (int k = 0; k < s->nread; k++)
        if (s->read[k] == x) return true;
    return false;
}

Slots slots_of(Arena *a, const Region *r) {
    VEC(Slot) all = {0};
    VEC(const Array *) read = {0};
    Slots s = {0};
    for (int k = 0; k < r->narrays; k++) {
        Fill f = {.a = a, .r = r, .x = r->arrays[k]};
        if (!f.x->rank || !region_writes(r, f.x)) continue;
        const Inspect *in = region_inspect(r, f.x, 0);
        Slot one = in && in->differ ? inspected(a, r, in) : (Slot){0};
        if (one.stmt) {
            Expr *differ = expr_op(a, OP_NE, expr_sym(a, in->differ), expr_int(a, T_I64, 0), NULL);
            s.fit = s.fit ? expr_op(a, OP_LAND, s.fit, differ, NULL) : differ;
            vec_push(a, &all, one);
            continue;
        }
        find_slots(&f);
        if (!f.failed) see_counting(&f);
        bool filled = !f.failed;
        see_reads(&f);
        if (filled && f.failed && !reads_filled(&f)) vec_push(a, &read, f.x);
        if (!f.failed) node_each(n, r->root) see_blocks(&f, n);
        int64_t first;
        if (f.failed || f.placed != f.slots.n || !are_apart(&f, &first)) continue;
        Sum sum = {&f, expr_float(a, T_F64, 0), false};
        sum_added(&sum, r->root, expr_float(a, T_F64, 1));
        if (!fits(&f, sum.all, &s.fit)) continue;
        const Array *to = renumbered(&f);
        for (int i = 0; i < f.slots.n; i++) {
            Slot *x = &f.slots.at[i];
            x->to = to, x->dim = f.dim;
            x->counter = expr_load(a, f.n, (Expr **)f.at);
            x->scale = f.up * f.scale, x->first = first, x->sum = sum.all;
            vec_push(a, &all, *x);
        }
    }
    s.n = all.n, s.at = all.at;
    s.nread = read.n, s.read = read.at;
    return s;
}
