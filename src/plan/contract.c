// SPDX-License-Identifier: MIT
// contract.c -- finds contractions in a region, by the structure of its loops and subscripts.
#include "plan/contract.h"
#include "plan/contract_find.h"
#include "rule/linear.h"

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

static const Expr *without_casts(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x;
}

static bool is_literal(const Expr *x, int64_t from, int64_t to) {
    return x->kind == E_INT && x->i >= from && x->i < to;
}

enum { MOST_INTERLEAVED = 4 };

// The counter, or so many times it, plus something without it.
static bool moves_with(const Expr *x, const Sym *s, int *by) {
    x = without_casts(x);
    *by = 1;
    if (x->kind == E_SYM) return x->sym == s;
    if (x->kind != E_OP) return false;
    int in = expr_uses_sym(x->args[0], s) ? 0 : 1;
    const Expr *other = x->nargs == 2 ? without_casts(x->args[1 - in]) : x;
    if (x->op == OP_MUL && is_literal(other, 2, MOST_INTERLEAVED + 1) && contract_is_counter(x->args[in], s))
        return *by = (int)other->i, true;
    if (x->op != OP_ADD && x->op != OP_SUB) return false;
    return !expr_uses_sym(other, s) && (x->op == OP_ADD || in == 0) && moves_with(x->args[in], s, by);
}

// By times the counter, and one of the places that lie there.
static bool is_place(const Expr *x, const Sym *s, int by) {
    x = without_casts(x);
    if (by == 1) return contract_is_counter(x, s);
    if (x->kind == E_OP && x->op == OP_ADD && is_literal(without_casts(x->args[1]), 0, by))
        x = without_casts(x->args[0]);
    return x->kind == E_OP && x->op == OP_MUL;
}

int64_t contraction_trips(const Node *loop) {
    int64_t n;
    return linear_distance(loop->lo, loop->hi, &n) && n > 0 ? n : -1;
}

bool contraction_is_multiple(const Node *loop, int of) { return linear_apart(loop->lo, loop->hi, of); }

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
    bool shifted;          // C[y + 1][x + 1], or elements of different sums lie side by side
} Sorted;

// Is dimension d of the array one of few places, by a literal?
static bool is_few(const Array *array, Expr *const *sub, int d) {
    return d > 0 && is_literal(without_casts(array->extent[d]), 1, MOST_INTERLEAVED + 1) &&
           without_casts(sub[d])->kind == E_INT;
}

// Each subscript of C is a parallel counter and something without counters, or is without.
static bool sort_loops(const DepInfo *d, int n, const Node *const *loop, const Stmt *result, Sorted *out) {
    const Node *at[16] = {NULL};
    int rank = result->lhs->rank, last = rank - 1, by;
    *out = (Sorted){0};
    if (n > 3 + CONTRACT_MORE || rank < 2 || rank > 16) return false;
    for (int i = 0; i < n; i++) {
        int found = -1;
        if (!is_counted(loop[i])) return false;
        for (int e = 0; e < rank; e++)
            if (expr_uses_sym(result->sub[e], loop[i]->iter)) {
                if (found >= 0 || at[e] || !moves_with(result->sub[e], loop[i]->iter, &by)) return false;
                out->shifted |= !contract_is_counter(result->sub[e], loop[i]->iter);
                at[found = e] = loop[i];
            }
        if (found < 0) out->sums[out->nsums++] = loop[i];
        else if (!is_parallel(d, loop[i])) return false;
    }
    for (int e = 0; e < rank; e++)
        if (at[e]) out->free[out->nfree++] = at[e];
    while (last > 0 && !at[last] && is_few(result->lhs, result->sub, last)) last--, out->shifted = true;
    out->shifted |= result->lhs->stride != type_size(result->lhs->elem);
    return out->nfree >= 2 && out->nsums >= 1 && at[last];
}

// By what stores each of the sums: all tell the same.
static bool sort_all(const DepInfo *d, int n, const Node *const *loop, const Stmt *const *result, int nsums,
                     Sorted *out) {
    if (!sort_loops(d, n, loop, result[0], out)) return false;
    for (int i = 1; i < nsums; i++) {
        Sorted s;
        if (!sort_loops(d, n, loop, result[i], &s) || s.nfree != out->nfree) return false;
        for (int e = 0; e < s.nfree; e++)
            if (s.free[e] != out->free[e]) return false;
        out->shifted |= s.shifted;
    }
    return true;
}

// ---- the operands --------------------------------------------------------------------------
// Another place of the same array: the other side's, and it lies as the first does.
static bool is_other_side(const Contraction *k, const Operand *first, const Operand *o) {
    int places = 0;
    for (int i = 0; i < k->n; i++) places += k->op[i].array == o->array;
    bool sides = first->side != SIDE_NEITHER && o->side != SIDE_NEITHER && first->side != o->side;
    return places == 1 && sides && first->k == o->k && first->xy == o->xy;
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

// How the array's subscripts go with the counters. False: in no way that has tiles.
static bool read_operand(const Contraction *k, const Access *a, Operand *o) {
    const Node *const loop[3] = {k->x, k->y, k->k};
    *o = (Operand){a->array, a->sub, SIDE_NEITHER, -1, -1, .kby = 1, .xyby = 1, .places = 1};
    for (int e = 0; e < a->array->rank; e++) {
        int which = counter_in(k, a->sub[e]), by;
        if (which == -1) continue;
        if (which == -2 || !moves_with(a->sub[e], loop[which]->iter, &by)) return false;
        int *dim = which == 2 ? &o->k : &o->xy;
        if (*dim >= 0) return false;
        *dim = e;
        *(which == 2 ? &o->kby : &o->xyby) = by;
        if (which < 2) o->side = which == 0 ? SIDE_X : SIDE_Y;
        o->shifted |= !is_place(a->sub[e], loop[which]->iter, by);
    }
    int last = o->k > o->xy ? o->k : o->xy;
    o->loose = a->array->stride != type_size(a->array->elem) || (last >= 0 && last < a->array->rank - 1);
    return true;
}

// Another place beside one that is read: of elements that are interleaved.
static bool is_beside(const Operand *o, const Operand *p) {
    if (o->k != p->k || o->xy != p->xy || o->side != p->side || o->kby != p->kby || o->xyby != p->xyby ||
        o->shifted || p->shifted)
        return false;
    for (int e = 0; e < o->array->rank; e++) {
        bool apart = (e == o->k && o->kby > 1) || (e == o->xy && o->xyby > 1) ||
                     (is_few(o->array, o->sub, e) && is_few(p->array, p->sub, e));
        if (!apart && !expr_equal(o->sub[e], p->sub[e])) return false;
    }
    return true;
}

static bool add_operand(Contraction *k, const Access *a) {
    Operand o;
    if (!read_operand(k, a, &o)) return false;
    for (int i = 0; i < k->n; i++) {
        if (k->op[i].array != o.array) continue;
        if (same_subscripts(&k->op[i], a)) return true;
        if (is_beside(&k->op[i], &o)) return k->op[i].places++, true;
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

// Elements may be of another type than the sums that they are cast to, but no larger.
static bool fits_sum(Type elem, Type sum) {
    return elem == sum || (type_size(elem) >= 4 && type_size(elem) <= type_size(sum));
}

// v: what is read.
static bool find_operands(Contraction *k, const AccessVec *v) {
    bool side[2] = {false, false};
    k->n = 0;
    for (int i = 0; i < v->n; i++) {
        const Array *array = v->at[i].array;
        if (array->place != PLACE_USER || array->rank == 0) return false;
        if (!fits_sum(array->elem, contraction_type(k)) || region_writes(k->region, array)) return false;
        if (!add_operand(k, &v->at[i])) return false;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].places < k->op[i].kby * k->op[i].xyby) return false;
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER && k->op[i].k >= 0) side[k->op[i].side] = true;
    return side[SIDE_X] && side[SIDE_Y];
}

static int products_of(const Contraction *k) {
    int all = 0;
    for (int i = 0; i < k->nupdates; i++) {
        int n = 0;
        expr_each(x, k->update[i]->rhs)
            n += x->kind == E_OP && (x->op == OP_MUL || x->op == OP_FMA) && type_is_float(x->type);
        all += n > 1 ? n : 1;
    }
    return all;
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

// All that the updates read beside what they update.
static void find_reads(Compile *c, const Contraction *k, AccessVec *out) {
    for (int i = 0; i < k->nupdates; i++) {
        AccessVec v = stmt_accesses(c->arena, k->update[i]);
        for (int e = 1; e < v.n; e++) vec_push(c->arena, out, v.at[e]);
    }
}

bool contract_sort(Compile *c, const DepInfo *d, int n, const Node *const *loop, const Stmt *const *result,
                   Contraction *k) {
    Sorted s = {0};
    AccessVec v = {0};
    int64_t best = 0;
    if (n < 3 || !sort_all(d, n, loop, result, k->nsums, &s)) return false;
    find_reads(c, k, &v);
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
    k->shifted = s.shifted;
    k->products = products_of(k);
    if (!find_operands(k, &v) || !put_others(&s, k)) return false;
    for (int i = 0; i < k->n; i++) find_batches(k, &k->op[i]);
    return true;
}

// ---- updates and sums ------------------------------------------------------------------------
Type contraction_type(const Contraction *k) { return k->update[0]->lhs->elem; }

int contraction_places(const Contraction *k) {
    int n = 0;
    for (int i = 0; i < k->nsums; i++) n += k->sum[i].places;
    return n;
}

bool contraction_casts(const Contraction *k) {
    for (int i = 0; i < k->n; i++)
        if (k->op[i].array->elem != contraction_type(k)) return true;
    return false;
}

bool contraction_adds(const Contraction *k) {
    for (int i = 0; i < k->nsums; i++)
        if (k->sum[i].stmt->op != OP_ADD) return false;
    return true;
}

bool contraction_joins(const Contraction *k) {
    for (int i = 0; i < k->nsums; i++)
        if (k->sum[i].joins) return true;
    return false;
}

// Does an earlier update name the same element?
static bool is_known(const Contraction *k, const Stmt *s) {
    for (int i = 0; i < k->nupdates; i++) {
        const Stmt *t = k->update[i];
        bool same = t->lhs == s->lhs;
        for (int e = 0; same && e < s->lhs->rank; e++) {
            for (int l = 0; l < s->depth; l++) same = same && s->iters[l] == t->iters[l];
            same = same && expr_equal(s->sub[e], t->sub[e]);
        }
        if (same) return true;
    }
    return false;
}

static bool add_update(Contraction *k, const Node *n) {
    const Stmt *s = n->stmt;
    int at = 0;
    if (n->kind != N_STMT || s->op == OP_SET || n->atomic || k->nupdates == CONTRACT_UPDATES) return false;
    for (int i = 0; i < s->depth; i++)
        if (!contract_is_counter(n->at[i], s->iters[i])) return false;
    if (type_size(s->lhs->elem) < 4 || (k->nupdates && s->lhs->elem != contraction_type(k))) return false;
    if (k->nupdates && s->depth != k->update[0]->depth) return false;
    while (at < k->nsums && k->sum[at].stmt->lhs != s->lhs) at++;
    if (at == CONTRACT_SUMS) return false;
    if (at == k->nsums) k->sum[k->nsums++] = (Sum){.stmt = s, .name = s->lhs->name};
    else if (k->sum[at].stmt->op != s->op) return false;
    k->sum[at].places += !is_known(k, s);
    k->update[k->nupdates++] = s;
    return true;
}

bool contract_are_updates(Contraction *k, const Node *n) {
    k->nupdates = k->nsums = 0;
    if (n->kind != N_SEQ) return add_update(k, n);
    for (int i = 0; i < n->nkids; i++)
        if (!add_update(k, n->kids[i])) return false;
    return n->nkids > 0 && !n->nlocals;
}

// ---- a region that is one ------------------------------------------------------------------
bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out) {
    *out = (Contraction){.region = r, .before = ""};
    if (!r->nstmts || !d->bounds || r->ninspects) return false;
    Chain chain = chain_of(r->root);
    Node *body = unwrap(chain.body);
    const Stmt *result[CONTRACT_SUMS];
    if (!body || !contract_are_updates(out, body) || out->nupdates != r->nstmts ||
        out->update[0]->depth != chain.n)
        return false;
    for (int i = 0; i < chain.n; i++)
        if (!contract_is_plain(chain.loop[i])) return false;
    for (int i = 0; i < out->nsums; i++) result[i] = out->sum[i].stmt;
    return contract_sort(c, d, chain.n, chain.loop, result, out);
}
