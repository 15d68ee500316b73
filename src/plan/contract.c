// SPDX-License-Identifier: MIT
// contract.c -- finds contractions in a region, by the structure of its loops and subscripts.
#include "plan/contract.h"
#include "plan/contract_find.h"

// ---- the loops ---------------------------------------------------------------------------
static bool is_parallel(const DepInfo *d, const Node *loop) {
    const LoopFact *f = dep_loop(d, loop);
    return f && f->parallel == ANSWER_ALWAYS;
}

static bool is_counted(const Node *loop) {
    return loop->step == 1 && !expr_has_load(loop->lo) && !expr_has_load(loop->hi);
}

bool contract_is_plain(const Node *loop) {
    return is_counted(loop) && !expr_uses_iters(loop->lo) && !expr_uses_iters(loop->hi);
}

bool contract_is_counter(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

// The counter plus something without it.
static bool moves_with(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    if (x->kind == E_SYM) return x->sym == s;
    if (x->kind != E_OP || (x->op != OP_ADD && x->op != OP_SUB)) return false;
    int in = expr_uses_sym(x->args[0], s) ? 0 : 1;
    return !expr_uses_sym(x->args[1 - in], s) && (x->op == OP_ADD || in == 0) && moves_with(x->args[in], s);
}

int64_t contraction_trips(const Node *loop) {
    const Expr *lo = loop->lo, *hi = loop->hi;
    while (lo->kind == E_CAST) lo = lo->args[0];
    while (hi->kind == E_CAST) hi = hi->args[0];
    int64_t n = loop_literal_trips(lo, hi, loop->step);
    return n > 0 ? n : -1;
}

// What the text tells of a loop's length; sizes that it does not tell are long.
static int64_t length_of(const Node *loop) {
    enum { LONG = 1 << 20 };
    int64_t n = contraction_trips(loop);
    return n < 0 || n > LONG ? LONG : n;
}

// Parallel loops with the place of their counter in C, and summed ones.
typedef struct Sorted {
    int nfree, nsums;
    const Node *free[3 + CONTRACT_MORE], *sums[3 + CONTRACT_MORE]; // free: in the order of C's subscripts
    bool shifted;                                                  // C[y + 1][x + 1]
} Sorted;

// Each subscript of C is a parallel counter and something without counters, or is without.
static bool sort_loops(const DepInfo *d, int n, const Node *const *loop, int rank, Expr *const *sub,
                       Sorted *out) {
    const Node *at[16] = {NULL};
    if (n > 3 + CONTRACT_MORE || rank < 2 || rank > 16) return false;
    for (int i = 0; i < n; i++) {
        int found = -1;
        if (!is_counted(loop[i])) return false;
        for (int e = 0; e < rank; e++)
            if (expr_uses_sym(sub[e], loop[i]->iter)) {
                if (found >= 0 || at[e] || !moves_with(sub[e], loop[i]->iter)) return false;
                out->shifted |= !contract_is_counter(sub[e], loop[i]->iter);
                at[found = e] = loop[i];
            }
        if (found < 0) out->sums[out->nsums++] = loop[i];
        else if (!is_parallel(d, loop[i])) return false;
    }
    for (int e = 0; e < rank; e++)
        if (at[e]) out->free[out->nfree++] = at[e];
    return out->nfree >= 2 && out->nsums >= 1 && at[rank - 1];
}

// ---- the operands --------------------------------------------------------------------------
// Another place of the same array: the other side's, and it lies as the first does.
static bool is_other_side(const Contraction *k, const Operand *first, const Operand *o) {
    int places = 0;
    for (int i = 0; i < k->n; i++) places += k->op[i].array == o->array;
    bool sides = first->side != SIDE_NEITHER && o->side != SIDE_NEITHER && first->side != o->side;
    return places == 1 && sides && first->k == o->k && first->xy == o->xy && first->k >= 0;
}

static bool same_subscripts(const Operand *o, const Access *a) {
    for (int e = 0; e < a->array->rank; e++)
        if (!expr_equal(o->sub[e], a->sub[e])) return false;
    return true;
}

// The counter of the three that x uses: 0 x, 1 y, 2 k; -1: none; -2: several.
static int counter_in(const Contraction *k, const Expr *x) {
    const Node *const loop[3] = {k->x, k->y, k->k};
    int found = -1;
    for (int i = 0; i < 3; i++)
        if (expr_uses_sym(x, loop[i]->iter)) found = found == -1 ? i : -2;
    return found;
}

static bool add_operand(Contraction *k, const Access *a) {
    const Node *const loop[3] = {k->x, k->y, k->k};
    Operand o = {a->array, a->sub, SIDE_NEITHER, -1, -1};
    for (int i = 0; i < k->n; i++)
        if (k->op[i].array == o.array && same_subscripts(&k->op[i], a)) return true;
    for (int e = 0; e < a->array->rank; e++) {
        int which = counter_in(k, a->sub[e]);
        if (which == -1) continue;
        if (which == -2 || !moves_with(a->sub[e], loop[which]->iter)) return false;
        int *dim = which == 2 ? &o.k : &o.xy;
        if (*dim >= 0) return false;
        *dim = e;
        if (which < 2) o.side = which == 0 ? SIDE_X : SIDE_Y;
        o.shifted |= !contract_is_counter(a->sub[e], loop[which]->iter);
    }
    for (int i = 0; i < k->n; i++) {
        if (k->op[i].array != o.array) continue;
        if (!is_other_side(k, &k->op[i], &o)) return false;
        o.again = true;
    }
    if (k->n == CONTRACT_OPERANDS) return false;
    k->op[k->n++] = o;
    return true;
}

static bool is_written(const Region *r, const Array *array) {
    for (int i = 0; i < r->nstmts; i++)
        if (arrays_may_overlap(array, r->stmts[i]->lhs)) return true;
    return false;
}

static bool find_operands(Contraction *k, const AccessVec *v) {
    bool side[2] = {false, false};
    k->n = 0;
    for (int i = 1; i < v->n; i++) {
        const Array *array = v->at[i].array;
        if (array->place != PLACE_USER || array->rank == 0) return false;
        if (array->elem != k->stmt->lhs->elem || is_written(k->region, array)) return false;
        if (array->stride != type_size(array->elem) || !add_operand(k, &v->at[i])) return false;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER && k->op[i].k >= 0) side[k->op[i].side] = true;
    return side[SIDE_X] && side[SIDE_Y];
}

static void count_op(const Expr *x, void *arg) {
    *(int *)arg += x->kind == E_OP && type_is_float(x->type);
}

// ---- which loops are tiled -----------------------------------------------------------------
// Those that are not; of the batches the longest first, as it is one of the grid's dimensions.
static bool put_others(const Sorted *s, Contraction *k) {
    k->nbatch = k->naround = 0;
    if (s->nfree - 2 > CONTRACT_MORE || s->nsums - 1 > CONTRACT_MORE) return false;
    for (int i = 0; i < s->nfree; i++) {
        const Node *n = s->free[i];
        if (n == k->x || n == k->y) continue;
        bool first = k->nbatch && length_of(n) > length_of(k->batch[0]);
        k->batch[k->nbatch++] = first ? k->batch[0] : n;
        if (first) k->batch[0] = n;
    }
    for (int i = 0; i < s->nsums; i++)
        if (s->sums[i] != k->k) k->around[k->naround++] = s->sums[i];
    return true;
}

static void find_batches(Contraction *k, Operand *o) {
    for (int i = 0; i < k->nbatch; i++)
        for (int e = 0; e < o->array->rank; e++)
            if (expr_uses_sym(o->sub[e], k->batch[i]->iter)) o->batches |= 1u << i;
}

// Sums in another order than the text's need the permission.
static bool keeps_order(const Contraction *k, const Sorted *s) {
    return k->region->reassociate || k->k == s->sums[s->nsums - 1];
}

bool contract_sort(Compile *c, const DepInfo *d, int n, const Node *const *loop, const Stmt *result,
                   Contraction *k) {
    Sorted s = {0};
    AccessVec v = {0};
    int64_t best = 0;
    if (n < 3 || !sort_loops(d, n, loop, result->lhs->rank, result->sub, &s)) return false;
    stmt_accesses(c->arena, k->stmt, &v);
    k->x = s.free[s.nfree - 1];
    const Node *y = NULL, *sum = NULL;
    for (int i = 0; i < s.nfree - 1; i++)
        for (int j = 0; j < s.nsums; j++) {
            k->y = s.free[i];
            k->k = s.sums[j];
            int64_t size = length_of(k->y) * length_of(k->k);
            if (size < best || !keeps_order(k, &s) || !find_operands(k, &v)) continue;
            best = size;
            y = k->y;
            sum = k->k;
        }
    if (!y) return false;
    k->y = y;
    k->k = sum;
    k->flops = 1;
    k->shifted = s.shifted;
    expr_walk(k->stmt->rhs, count_op, &k->flops);
    if (!find_operands(k, &v) || !put_others(&s, k)) return false;
    for (int i = 0; i < k->n; i++) find_batches(k, &k->op[i]);
    return true;
}

// ---- a region that is one ------------------------------------------------------------------
bool contract_is_update(Contraction *k, const Node *n) {
    if (n->kind != N_STMT || n->stmt->op == OP_SET || n->atomic) return false;
    k->stmt = n->stmt;
    for (int i = 0; i < n->stmt->depth; i++)
        if (!contract_is_counter(n->at[i], n->stmt->iters[i])) return false;
    return type_size(n->stmt->lhs->elem) >= 4;
}

bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out) {
    *out = (Contraction){.region = r, .before = ""};
    if (r->nstmts != 1 || !d->bounds || r->ninspects) return false;
    Chain chain = chain_of(r->root);
    Node *body = unwrap(chain.body);
    if (!body || !contract_is_update(out, body) || out->stmt->depth != chain.n) return false;
    for (int i = 0; i < chain.n; i++)
        if (!contract_is_plain(chain.loop[i])) return false;
    out->sum = out->stmt->lhs->name;
    return contract_sort(c, d, chain.n, chain.loop, out->stmt, out);
}
