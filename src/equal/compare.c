// SPDX-License-Identifier: MIT
// compare.c -- two values: where they are not known to be equal.
//
// Sums are compared as sets of what they add. What is added is named by what it reads: the map from a point
// and counters to all elements in it, its fingerprint. Where the loops' and the kernel's fingerprints meet,
// what is added is the same; each of theirs must meet one of ours, and the other way round.
#include "equal/flows.h"
#include <isl/map.h>
#include <isl/space.h>

enum { MOST_ALIKE = 48 };

bool value_has_sum(const Value *v) {
    bool has = v->kind == VALUE_SUM || v->kind == VALUE_STATE;
    for (int i = 0; i < v->nkids && !has; i++) has = value_has_sum(v->kid[i]);
    return has;
}

// ---- fingerprints ----------------------------------------------------------------------------------
static isl_map *join(isl_map *to, const isl_map *m) {
    return to ? isl_map_flat_range_product(to, isl_map_copy((isl_map *)m)) : isl_map_copy((isl_map *)m);
}

// turned: operands of equal skeletons that commute change places.
static isl_map *fingerprint(const Value *v, isl_map *to, bool turned) {
    if (v->map && v->kind != VALUE_STATE) to = join(to, v->map);
    bool turn = turned && value_commutes(v) && str_eq(v->kid[0]->skeleton, v->kid[1]->skeleton);
    for (int i = 0; i < v->nkids; i++) to = fingerprint(v->kid[turn ? v->nkids - 1 - i : i], to, turned);
    return to;
}

isl_map *value_fingerprint(const Value *v) { return fingerprint(v, NULL, false); }

static bool can_turn(const Value *v) {
    bool can = value_commutes(v) && str_eq(v->kid[0]->skeleton, v->kid[1]->skeleton);
    for (int i = 0; i < v->nkids && !can; i++) can = can_turn(v->kid[i]);
    return can;
}

// ---- parts -----------------------------------------------------------------------------------------
// Points [point, u] of the part where the point is in `at`.
static isl_set *part_at(const Part *t, isl_set *at) {
    unsigned more = (unsigned)(isl_set_dim(t->at, isl_dim_set) - isl_set_dim(at, isl_dim_set));
    return isl_set_intersect(isl_set_copy(t->at), isl_set_add_dims(isl_set_copy(at), isl_dim_set, more));
}

static isl_set *points_of(isl_set *s, unsigned n) {
    return isl_set_project_out(s, isl_dim_set, n, (unsigned)isl_set_dim(s, isl_dim_set) - n);
}

static bool one_operator(const Value *v, Op op) { return v->kind == VALUE_OP && sum_operator(v->x) == op; }

// v as a sum. Its parts' domains may be larger than `at`. *kept: Value's.
static Parts parts_of(Prover *p, const Value *v, Op op, bool ordered, isl_set *at, bool *kept) {
    Parts out = {0};
    const Origin *f = &v->from;
    if (v->kind == VALUE_SUM && v->op == op && (ordered || !v->kept))
        return *kept |= v->kept, *value_parts(p->a, v);
    bool again = (v->kind == VALUE_SUM && v->op == op) || (one_operator(v, op) && f->m);
    for (; again && f; f = f->next) {
        isl_map *m = isl_map_intersect_domain(isl_map_copy(f->m), isl_set_copy(at));
        *kept |= f->read ? sum_of_read(f->side, op, ordered, f->read, m, &out)
                         : sum_of_expr(f->side, op, ordered, f->leaf, f->x, m, &out);
    }
    if (again) return out;
    bool zero = v->kind == VALUE_NUMBER && sum_is_neutral(op, v->x);
    bool adds = op == OP_ADD || op == OP_OR || op == OP_XOR;
    if (v->kind == VALUE_INT && (adds || op == OP_MUL)) zero = value_is_number(v, adds ? 0 : 1);
    Part t = {.at = own_set(p->a, isl_set_copy(at)), .v = v, .direct = true, .first = true};
    if (!zero) vec_push(p->a, &out, t);
    bool untouched = v->kind == VALUE_INPUT || v->kind == VALUE_GATHER;
    if (f->m) vec_push(p->a, &out.reached, ((Reach){f->read, untouched, f->leaf, f->x, false, f->m}));
    return out;
}

typedef struct Both {
    Prover *p;
    Op op;
    unsigned n; // dimensions of points
    isl_set *at;
    Parts x, y;
    isl_set **xat, **yat; // parts' domains there
    isl_map **match; // [x.n * y.n], [point, u] → [point, v]; NULL: nothing in common
} Both;

static isl_map *matched(Both *b, int i, int j, bool turned) {
    const Part *x = &b->x.at[i], *y = &b->y.at[j];
    isl_map *f = fingerprint(x->v, NULL, false), *g = fingerprint(y->v, NULL, turned);
    isl_map *m;
    if (f && g) {
        f = isl_map_intersect_domain(f, isl_set_copy(b->xat[i]));
        g = isl_map_intersect_domain(g, isl_set_copy(b->yat[j]));
        m = isl_map_apply_range(f, isl_map_reverse(g));
    } else {
        isl_map_free(f);
        isl_map_free(g);
        m = isl_map_from_domain_and_range(isl_set_copy(b->xat[i]), isl_set_copy(b->yat[j]));
    }
    for (unsigned d = 0; d < b->n; d++) m = isl_map_equate(m, isl_dim_in, (int)d, isl_dim_out, (int)d);
    return isl_map_coalesce(m);
}

// Where the sums inside of x and y differ, which are the same but for these.
static isl_set *sums_differ(Prover *p, const Value *x, const Value *y, bool turned, isl_set *at) {
    const char *why = NULL;
    if (x->kind == VALUE_SUM || x->kind == VALUE_STATE) return compare_values(p, x, y, at, &why);
    bool turn = turned && value_commutes(y) && str_eq(y->kid[0]->skeleton, y->kid[1]->skeleton);
    isl_set *bad = isl_set_empty(isl_set_get_space(at));
    for (int i = 0; i < x->nkids; i++) {
        if (!value_has_sum(x->kid[i])) continue;
        const Value *z = y->kid[turn ? y->nkids - 1 - i : i];
        bad = isl_set_union(bad, sums_differ(p, x->kid[i], z, turned, isl_set_copy(at)));
    }
    isl_set_free(at);
    return bad;
}

// Less the pairs whose values differ in the sums inside of them.
static isl_map *with_sums(Both *b, int i, int j, bool turned, isl_map *m) {
    const Value *x = b->x.at[i].v, *y = b->y.at[j].v;
    if (!value_has_sum(x) || isl_map_is_empty(m) == isl_bool_true) return m;
    isl_map *in = isl_map_domain_map(isl_map_copy(m)), *out = isl_map_range_map(isl_map_copy(m));
    isl_set *pairs = isl_set_flatten(isl_map_wrap(isl_map_copy(m)));
    isl_map *flat = isl_set_flatten_map(isl_map_wrap(isl_map_copy(m)));
    flat = isl_map_reverse(flat); // flat → wrapped
    in = isl_map_apply_range(isl_map_copy(flat), in);
    out = isl_map_apply_range(flat, out);
    const char *why = NULL;
    const Value *xs = value_pulled(b->p->a, x, in), *ys = value_pulled(b->p->a, y, out);
    isl_set *bad = sums_differ(b->p, xs, ys, turned, isl_set_copy(pairs));
    if (isl_set_is_empty(bad) == isl_bool_true || !can_turn(x)) isl_set_free(pairs);
    else isl_set_free(bad), bad = compare_values(b->p, xs, ys, pairs, &why);
    in = isl_map_intersect_domain(in, isl_set_copy(bad));
    isl_map *lost = isl_map_apply_range(isl_map_reverse(in), isl_map_intersect_domain(out, bad));
    return isl_map_subtract(m, lost);
}

// Memory that was not written is nothing's counterpart.
static bool has_nothing(const Value *v) {
    bool has = v->kind == VALUE_NOTHING;
    for (int i = 0; i < v->nkids && !has; i++) has = has_nothing(v->kid[i]);
    return has;
}

// What one side adds and subtracts is nothing: s + x - x. Of floats where they may come in any order.
static void cancel(Both *b, const Parts *x, isl_set **at) {
    Prover *p = b->p;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->n; j++) {
            const Part *s = &x->at[i], *t = &x->at[j];
            bool alike = !s->minus && t->minus && s->v->type == t->v->type &&
                         str_eq(s->v->skeleton, t->v->skeleton) && !value_has_sum(s->v) && !has_nothing(s->v);
            bool real = type_is_float(s->v->type);
            isl_map *f = alike ? fingerprint(s->v, NULL, false) : NULL;
            if (!f || (real && !p->p->task->reassociate) || p->unknown || poly_tick(p->f->poly)) {
                isl_map_free(f);
                continue;
            }
            f = isl_map_intersect_domain(f, isl_set_copy(at[i]));
            isl_map *g = isl_map_intersect_domain(fingerprint(t->v, NULL, false), isl_set_copy(at[j]));
            isl_map *m = isl_map_apply_range(f, isl_map_reverse(g));
            for (unsigned d = 0; d < b->n; d++)
                m = isl_map_equate(m, isl_dim_in, (int)d, isl_dim_out, (int)d);
            bool once = isl_map_is_bijective(m) == isl_bool_true;
            if (once && isl_map_is_empty(m) == isl_bool_false) {
                at[i] = own_set(p->a, isl_set_subtract(isl_set_copy(at[i]), isl_map_domain(isl_map_copy(m))));
                at[j] = own_set(p->a, isl_set_subtract(isl_set_copy(at[j]), isl_map_range(isl_map_copy(m))));
                p->regrouped |= real, p->finite |= real;
            }
            isl_map_free(m);
        }
}

static void find_matches(Both *b) {
    b->match = NEW_N(b->p->a, isl_map *, b->x.n * b->y.n + 1);
    for (int i = 0; i < b->x.n; i++)
        for (int j = 0; j < b->y.n; j++) {
            const Part *x = &b->x.at[i], *y = &b->y.at[j];
            if (x->minus != y->minus || x->v->type != y->v->type || !str_eq(x->v->skeleton, y->v->skeleton))
                continue;
            if (has_nothing(x->v)) continue;
            if (b->p->unknown || poly_tick(b->p->f->poly)) return;
            isl_map *m = matched(b, i, j, false);
            bool turned = isl_map_is_empty(m) == isl_bool_true && can_turn(x->v);
            if (turned) {
                isl_map_free(m);
                m = matched(b, i, j, true);
            }
            b->match[i * b->y.n + j] = own_map(b->p->a, with_sums(b, i, j, turned, m));
        }
}

// ---- one for one -------------------------------------------------------------------------------------
static isl_set *side_of(const Both *b, int i, int j, bool loops) {
    isl_map *m = isl_map_copy(b->match[i * b->y.n + j]);
    return loops ? isl_map_domain(m) : isl_map_range(m);
}

// [point, x] for which m has two different images.
static isl_set *doubled(isl_map *m) {
    isl_map *pairs = isl_map_apply_range(isl_map_reverse(isl_map_copy(m)), isl_map_copy(m));
    isl_map *same = isl_map_identity(isl_map_get_space(pairs));
    return isl_map_domain(isl_map_intersect_range(m, isl_map_range(isl_map_subtract(pairs, same))));
}

// Points at which a search for a greatest value has met data.
static isl_set *begun(const Both *b, bool loops) {
    isl_set *at = isl_set_empty(isl_set_get_space(b->at));
    const Parts *x = loops ? &b->x : &b->y;
    for (int i = 0; i < x->n; i++)
        if (!value_is_beginning(b->p, b->op, x->at[i].v))
            at = isl_set_union(at, points_of(isl_set_copy(loops ? b->xat[i] : b->yat[i]), b->n));
    return isl_set_coalesce(at);
}

// Of part k of one side: points at which something has no counterpart go to *none, two of them to *two.
static void one_for_one(const Both *b, int k, bool loops, isl_set **none, isl_set **two) {
    isl_set *left = isl_set_copy(loops ? b->xat[k] : b->yat[k]);
    if (value_is_beginning(b->p, b->op, (loops ? &b->x : &b->y)->at[k].v)) {
        isl_set *some = isl_set_intersect(begun(b, true), begun(b, false));
        b->p->begins = true;
        left = isl_set_subtract(left, isl_set_add_dims(some, isl_dim_set,
                                                       (unsigned)isl_set_dim(left, isl_dim_set) - b->n));
    }
    isl_set *seen = isl_set_empty(isl_set_get_space(left));
    int others = loops ? b->y.n : b->x.n;
    for (int o = 0; o < others; o++) {
        int i = loops ? k : o, j = loops ? o : k;
        isl_map *m = b->match[i * b->y.n + j];
        if (!m || isl_map_is_empty(m) == isl_bool_true) continue;
        isl_set *s = side_of(b, i, j, loops);
        isl_map *to = loops ? isl_map_copy(m) : isl_map_reverse(isl_map_copy(m));
        if (isl_map_is_single_valued(to) == isl_bool_true) isl_map_free(to);
        else *two = isl_set_union(*two, points_of(doubled(to), b->n));
        *two = isl_set_union(*two, points_of(isl_set_intersect(isl_set_copy(s), isl_set_copy(seen)), b->n));
        left = isl_set_subtract(left, isl_set_copy(s));
        seen = isl_set_union(seen, s);
    }
    isl_set_free(seen);
    *none = isl_set_union(*none, points_of(left, b->n));
}

// ---- their order ----------------------------------------------------------------------------------------
// [point, u] → [point, w] where x's leaf adds before y's.
static isl_map *before(const Both *b, const Part *x, const Part *y, isl_set *xat, isl_set *yat) {
    isl_space *s = isl_space_alloc(isl_set_get_ctx(xat), 0, b->n, b->n);
    if (x->first || y->first) {
        isl_map *all = isl_map_from_domain_and_range(isl_set_copy(xat), isl_set_copy(yat));
        isl_space_free(s);
        for (unsigned d = 0; d < b->n; d++) all = isl_map_equate(all, isl_dim_in, (int)d, isl_dim_out,
                                                                 (int)d);
        return y->first ? isl_map_subtract(all, isl_map_copy(all)) : all;
    }
    isl_map *all =
        isl_map_from_domain_and_range(isl_set_copy(x->leaf->ev->domain), isl_set_copy(y->leaf->ev->domain));
    isl_map *m = isl_map_flat_product(isl_map_identity(s), flow_order(x->leaf, y->leaf, all, true));
    if (x->leaf == y->leaf && x->rank < y->rank) m = isl_map_union(m, isl_map_identity(isl_map_get_space(m)));
    return m;
}

static bool pair_in_order(const Both *b, int i, int j, int k, int l) {
    const isl_map *m = b->match[i * b->y.n + j], *n = b->match[k * b->y.n + l];
    if (!m || !n) return true;
    isl_map *s =
        isl_map_apply_range(isl_map_reverse(isl_map_copy((isl_map *)m)), before(b, &b->x.at[i], &b->x.at[k],
                b->xat[i], b->xat[k]));
    s = isl_map_apply_range(s, isl_map_copy((isl_map *)n));
    isl_map *ours = before(b, &b->y.at[j], &b->y.at[l], b->yat[j], b->yat[l]);
    bool same = isl_map_is_subset(s, ours) == isl_bool_true;
    isl_map_free(s);
    isl_map_free(ours);
    return same;
}

static bool all_direct(const Parts *x) {
    for (int i = 0; i < x->n; i++)
        if (!x->at[i].direct) return false;
    return true;
}

static bool in_order(const Both *b) {
    if (!all_direct(&b->x) || !all_direct(&b->y)) return false;
    for (int i = 0; i < b->x.n; i++)
        for (int k = 0; k < b->x.n; k++)
            for (int j = 0; j < b->y.n; j++)
                for (int l = 0; l < b->y.n; l++)
                    if (!pair_in_order(b, i, j, k, l)) return false;
    return true;
}

// Two numbers alone are added, which may change places.
static bool is_of_two(const Both *b) {
    bool two = b->x.n == 2;
    for (int i = 0; i < b->x.n && two; i++) {
        isl_map *m = isl_map_from_range(isl_set_copy(b->xat[i])); // point → u
        m = isl_map_move_dims(m, isl_dim_in, 0, isl_dim_out, 0, b->n);
        two = isl_map_is_single_valued(m) == isl_bool_true;
        isl_map_free(m);
    }
    return two;
}

// ---- sums ---------------------------------------------------------------------------------------------
// "a term of the loops' sum": how it is told that one has what the other lacks.
static const char *lacking(Arena *a, Op op, bool loops) {
    const char *part = op == OP_ADD ? "a term" : op == OP_MUL ? "a factor" : "an operand";
    const char *whole = op == OP_ADD   ? "sum"
                        : op == OP_MUL ? "product"
                        : op == OP_MIN ? "minimum"
                        : op == OP_MAX ? "maximum"
                                       : "expression";
    const char *here = loops ? "loops'" : "kernel's", *there = loops ? "kernel's" : "loops'";
    return arena_printf(a, "%s of the %s %s is not found in the %s", part, here, whole, there);
}

static const char *named(Prover *p, const Part *t, const char *what) {
    Loc l = t->leaf && t->leaf->node ? t->leaf->node->loc : (Loc){0};
    return l.line ? arena_printf(p->a, "%s, at line %d", what, l.line) : what;
}

// ordered: sums that are added as one number are compared as such.
static isl_set *compare_parts(Prover *p, Op op, bool ordered, Type t, const Value *x, const Value *y,
                              isl_set *at,
                              const char **why, bool *kept) {
    Both *b = &(Both){.p = p, .op = op, .n = (unsigned)isl_set_dim(at, isl_dim_set), .at = at};
    b->x = parts_of(p, x, op, ordered, at, kept);
    b->y = parts_of(p, y, op, ordered, at, kept);
    b->xat = NEW_N(p->a, isl_set *, b->x.n + 1);
    b->yat = NEW_N(p->a, isl_set *, b->y.n + 1);
    for (int i = 0; i < b->x.n; i++) b->xat[i] = own_set(p->a, part_at(&b->x.at[i], at));
    for (int j = 0; j < b->y.n; j++) b->yat[j] = own_set(p->a, part_at(&b->y.at[j], at));
    if (op == OP_ADD && !p->certificate) cancel(b, &b->x, b->xat), cancel(b, &b->y, b->yat);
    find_matches(b);
    isl_set *bad = isl_set_empty(isl_set_get_space(at));
    isl_set *two = isl_set_copy(bad);
    for (int i = 0; i < b->x.n && !p->unknown; i++) {
        one_for_one(b, i, true, &bad, &two);
        if (!*why && isl_set_is_empty(bad) == isl_bool_false)
            *why = lacking(p->a, op, true);
    }
    for (int j = 0; j < b->y.n && !p->unknown; j++) {
        one_for_one(b, j, false, &bad, &two);
        if (!*why && isl_set_is_empty(bad) == isl_bool_false)
            *why = named(p, &b->y.at[j], lacking(p->a, op, false));
    }
    if (op != OP_MIN && op != OP_MAX && op != OP_SELECT) {
        if (!*why && isl_set_is_empty(two) == isl_bool_false)
            *why = "terms of a sum that are equal cannot be told apart, or one is added twice";
        bad = isl_set_union(bad, two);
    } else isl_set_free(two);
    if (sum_has_order(op, t) && !p->regrouped && isl_set_is_empty(bad) == isl_bool_true &&
        !(ordered && (is_of_two(b) || in_order(b))))
        p->regrouped = true;
    bad = isl_set_coalesce(bad);
    if (p->certificate && !p->unknown) {
        isl_set *good = isl_set_subtract(isl_set_copy(at), isl_set_copy(bad));
        certificate_sum(p, &(SumProof){op, x, y, good, {&b->x, &b->y}, {b->xat, b->yat}, b->match});
        isl_set_free(good);
    }
    return bad;
}

static isl_set *compare_sums(Prover *p, Op op, Type t, const Value *x, const Value *y, isl_set *at,
                             const char **why) {
    bool ordered = sum_has_order(op, t), kept = false;
    isl_set *bad = compare_parts(p, op, ordered, t, x, y, at, why, &kept);
    p->has_sums |= ordered;
    if (op == OP_SELECT || (type_is_float(t) && (op == OP_MIN || op == OP_MAX))) p->no_nan = true;
    if (kept && isl_set_is_empty(bad) == isl_bool_false && !p->unknown) { // taken apart, in any order
        const char *other = NULL;
        isl_set_free(at);
        at = bad;
        bad = compare_parts(p, op, false, t, x, y, at, &other, &kept);
        *why = other;
    }
    isl_set_free(at);
    return bad;
}

// ---- values -----------------------------------------------------------------------------------------
static isl_set *compare_maps(const isl_map *x, const isl_map *y, isl_set *at) {
    isl_map *m = isl_map_intersect_domain(isl_map_copy((isl_map *)x), at);
    return isl_map_domain(isl_map_subtract(m, isl_map_copy((isl_map *)y)));
}

static isl_set *compare_kids(Prover *p, const Value *x, const Value *y, isl_set *at, bool turned,
                             const char **why) {
    isl_set *bad = isl_set_empty(isl_set_get_space(at));
    for (int i = 0; i < x->nkids; i++) {
        const Value *z = y->kid[turned ? x->nkids - 1 - i : i];
        bad = isl_set_union(bad, compare_values(p, x->kid[i], z, isl_set_copy(at), why));
    }
    isl_set_free(at);
    return isl_set_coalesce(bad);
}

static bool same_operation(const Value *x, const Value *y) {
    if (x->kind != VALUE_OP || y->kind != VALUE_OP || x->type != y->type || x->nkids != y->nkids)
        return false;
    if (x->x->kind != y->x->kind) return false;
    if (x->x->kind == E_CALL) return str_eq(x->x->fn, y->x->fn);
    return x->x->kind == E_CAST || x->op == y->op;
}

// The operator of which either is a sum; OP_SET: of none.
static Op summed(const Value *x, const Value *y) {
    if (x->kind == VALUE_SUM) return x->op;
    if (y->kind == VALUE_SUM) return y->op;
    Op op = x->kind == VALUE_OP ? sum_operator(x->x) : OP_SET;
    if (op == OP_SET && y->kind == VALUE_OP) op = sum_operator(y->x);
    return op;
}

static isl_set *differ(isl_set *at, const char *text, const char **why) {
    if (!*why && isl_set_is_empty(at) == isl_bool_false) *why = text;
    return at;
}

static isl_set *compare_structure(Prover *p, const Value *x, const Value *y, isl_set *at, const char **why) {
    const char *first = NULL, *second = NULL;
    isl_set *bad = compare_kids(p, x, y, isl_set_copy(at), false, &first);
    if (isl_set_is_empty(bad) == isl_bool_false && value_commutes(x)) {
        isl_set *other = compare_kids(p, x, y, isl_set_copy(at), true, &second);
        if (isl_set_is_subset(other, bad) == isl_bool_true) {
            isl_set_free(bad);
            bad = other;
        } else isl_set_free(other);
    }
    if (!*why) *why = first;
    isl_set_free(at);
    return bad;
}

// ---- recurrences ----------------------------------------------------------------------------------------
//   x = x * x + c[i], as often: the values are the same if those before the step are
// The innermost loop around l that is no thread's; -1: there is none.
static int serial_loop(const FlowLeaf *l) {
    int d = l->ev->depth - 1;
    while (d >= 0 && is_parallel(l->ev->loops[d])) d--;
    return d;
}

// Pairs of counters, and those that are as many steps before both.
static isl_map *and_before(Prover *p, const FlowLeaf *x, const FlowLeaf *y, isl_map *pairs) {
    int dx = serial_loop(x), dy = serial_loop(y), n = x->ev->scope.n, m = y->ev->scope.n;
    if (dx < 0 || dy < 0) return isl_map_free(pairs), NULL;
    Text t = text_new(p->a);
    text_put(&t, "{ [");
    for (int i = 0; i < n + m; i++) text_printf(&t, "%sd%d", i ? ", " : "", i);
    text_put(&t, "] -> [");
    for (int i = 0; i < n + m; i++)
        text_printf(&t, i == dx || i == n + dy ? "%se%d" : "%sd%d", i ? ", " : "", i);
    text_printf(&t, "] : exists t : t >= 0 and e%d = d%d %+lldt and e%d = d%d %+lldt }", dx, dx,
                -(long long)x->ev->loops[dx]->step, n + dy, n + dy, -(long long)y->ev->loops[dy]->step);
    isl_map *back = isl_map_read_from_str(p->f->poly->ctx, text_str(&t));
    isl_set *all = isl_set_apply(isl_set_flatten(isl_map_wrap(pairs)), back);
    isl_map *out = isl_map_from_domain_and_range(isl_set_copy(x->ev->domain), isl_set_copy(y->ev->domain));
    isl_set *flat = isl_set_flatten(isl_map_wrap(isl_map_copy(out)));
    isl_map *unflat = isl_set_unwrap(isl_set_apply(isl_set_intersect(flat, all), isl_map_reverse(
            isl_set_flatten_map(isl_map_wrap(isl_map_copy(out))))));
    isl_map_free(out);
    return isl_map_coalesce(unflat);
}

// Pairs that read the same element in the same round of the host's loop; NULL: which round of the loops' is
// the same is not known.
static isl_map *in_round(Prover *p, const FlowAccess *x, const FlowAccess *y, const isl_map *pairs) {
    const Event *e = x->leaf->ev, *f = y->leaf->ev;
    if (!p->rounds || !x->exact || !y->exact || !f->depth || is_parallel(f->loops[0])) return NULL;
    int round = 0;
    while (round + 1 < f->depth && !is_parallel(f->loops[round + 1])) round++;
    for (int d = 0; d < e->depth; d++) {
        bool once = e->loops[d]->hi->kind == E_INT && e->loops[d]->hi->i == 1;
        isl_map *m = isl_map_copy((isl_map *)pairs);
        unsigned behind = (unsigned)isl_map_dim(m, isl_dim_in) - (unsigned)d - 1;
        m = isl_map_project_out(m, isl_dim_in, (unsigned)d + 1, behind);
        m = isl_map_project_out(m, isl_dim_in, 0, (unsigned)d);
        m = isl_map_project_out(m, isl_dim_out, (unsigned)round + 1,
                                (unsigned)isl_map_dim(m, isl_dim_out) - (unsigned)round - 1);
        m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)round);
        bool same = !once && isl_map_is_subset(m, isl_map_identity(isl_map_get_space(m))) == isl_bool_true;
        isl_map_free(m);
        if (!same) continue;
        isl_map *a = isl_map_project_out(isl_map_copy(x->map), isl_dim_out, 0, (unsigned)x->scope);
        isl_map *b = isl_map_project_out(isl_map_copy(y->map), isl_dim_out, 0, (unsigned)y->scope);
        a = isl_map_intersect_domain(a, isl_set_copy(e->domain));
        b = isl_map_intersect_domain(b, isl_set_copy(f->domain));
        return isl_map_equate(isl_map_apply_range(a, isl_map_reverse(b)), isl_dim_in, d, isl_dim_out, round);
    }
    return NULL;
}

static isl_set *compare_states(Prover *p, const Value *x, const Value *y, isl_set *at, const char **why) {
    FlowAccess *r = x->read, *q = y->read;
    isl_map *mx = isl_map_intersect_domain(isl_map_copy(x->map), isl_set_copy(at));
    isl_map *my = isl_map_intersect_domain(isl_map_copy(y->map), isl_set_copy(at));
    isl_map *pairs = isl_map_apply_range(isl_map_reverse(mx), my);
    isl_set *none = isl_set_subtract(isl_set_copy(at), isl_set_copy(at));
    int n = p->alike.n, nmet = p->met.n;
    for (int i = 0; i < n; i++)
        if (p->alike.at[i].x == r && p->alike.at[i].y == q &&
            isl_map_is_subset(pairs, p->alike.at[i].pairs) == isl_bool_true) {
            isl_map_free(pairs);
            isl_set_free(at);
            return none;
        }
    isl_map *all = in_round(p, r, q, pairs);
    if (all && isl_map_is_subset(pairs, all) == isl_bool_true) isl_map_free(pairs), pairs = all;
    else isl_map_free(all), pairs = and_before(p, r->leaf, q->leaf, pairs);
    bool same = pairs && n < MOST_ALIKE;
    if (same) {
        vec_push(p->a, &p->alike, ((Alike){r, q, own_map(p->a, isl_map_copy(pairs))}));
        isl_map *flat = isl_map_reverse(isl_set_flatten_map(isl_map_wrap(isl_map_copy(pairs))));
        isl_map *to_x = isl_map_apply_range(isl_map_copy(flat), isl_map_domain_map(isl_map_copy(pairs)));
        isl_map *to_y = isl_map_apply_range(flat, isl_map_range_map(isl_map_copy(pairs)));
        Pieces a = {0}, b = {0};
        value_of_step(&p->loops, r, to_x, x->type, &a);
        value_of_step(&p->kernel, q, to_y, y->type, &b);
        for (int i = 0; i < a.n; i++)
            for (int j = 0; j < b.n && same && !p->unknown; j++) {
                const char *inner = NULL;
                isl_set *both = isl_set_intersect(isl_set_copy(a.at[i].at), isl_set_copy(b.at[j].at));
                isl_set *bad = compare_values(p, a.at[i].v, b.at[j].v, both, &inner);
                same = isl_set_is_empty(bad) == isl_bool_true;
                isl_set_free(bad);
            }
    }
    if (same && !p->unknown && p->certificate) certificate_steps(p, r, q, pairs);
    isl_map_free(pairs);
    if (same && !p->unknown) return isl_set_free(at), none;
    p->alike.n = n, p->met.n = nmet; // what was shown meanwhile rests on it
    isl_set_free(none);
    return differ(at, "a recurrence of the kernel is another one than the loops'", why);
}

// The same two sums are met again inside of others: at which counters they were shown to be the same is kept.
// NULL: they are no reads of memory, or a certificate wants each by itself.
static isl_map *met(Prover *p, const Value *x, const Value *y, const isl_set *at) {
    bool reads = x->kind == VALUE_SUM && y->kind == VALUE_SUM && x->from.read && y->from.read && x->from.m &&
                 y->from.m && !x->from.next && !y->from.next;
    if (!reads || p->certificate) return NULL;
    isl_map *mx = isl_map_intersect_domain(isl_map_copy(x->from.m), isl_set_copy((isl_set *)at));
    return own_map(p->a, isl_map_apply_range(isl_map_reverse(mx), isl_map_copy(y->from.m)));
}

static bool was_met(const Prover *p, const Value *x, const Value *y, isl_map *pairs) {
    for (int i = 0; i < p->met.n; i++) {
        const Alike *a = &p->met.at[i];
        if (a->x == x->from.read && a->y == y->from.read &&
            isl_map_is_subset(pairs, a->pairs) == isl_bool_true)
            return true;
    }
    return false;
}

// Sums are the same at points if they are so at the counters of both that these lead to. Gives the points
// where that is not known; NULL: it is not asked so. More pairs of counters are looked at than there are, so
// that no others have to exist. *met: all of them, as counters of where both come from, if nothing differs.
static isl_set *compare_afar(Prover *p, Op op, const Value *x, const Value *y, isl_set *at, isl_map **met,
                             const char **why) {
    if (!x->far || !y->far || p->certificate) return NULL;
    isl_map *mx = isl_map_intersect_domain(isl_map_copy(x->by), isl_set_copy(at));
    isl_map *my = isl_map_intersect_domain(isl_map_copy(y->by), isl_set_copy(at));
    isl_map *exact = isl_map_apply_range(isl_map_reverse(isl_map_copy(mx)), isl_map_copy(my));
    isl_map *pairs = isl_map_coalesce(isl_map_remove_unknown_divs(isl_map_copy(exact)));
    bool more = isl_map_plain_is_equal(exact, pairs) != isl_bool_true;
    isl_map_free(exact);
    isl_map *flat = isl_map_reverse(isl_set_flatten_map(isl_map_wrap(isl_map_copy(pairs))));
    isl_map *to_x = isl_map_apply_range(isl_map_copy(flat), isl_map_domain_map(isl_map_copy(pairs)));
    isl_map *to_y = isl_map_apply_range(flat, isl_map_range_map(isl_map_copy(pairs)));
    const Value *xs = value_pulled(p->a, x->far, to_x), *ys = value_pulled(p->a, y->far, to_y);
    isl_set *all = isl_set_flatten(isl_map_wrap(isl_map_copy(pairs)));
    isl_set *bad = compare_sums(p, op, x->type, xs, ys, all, why);
    isl_map_free(to_x), isl_map_free(to_y);
    bool same = !p->unknown && isl_set_is_empty(bad) == isl_bool_true;
    if (same && x->far->from.m && y->far->from.m) {
        pairs = isl_map_apply_domain(pairs, isl_map_copy(x->far->from.m));
        *met = own_map(p->a, isl_map_apply_range(pairs, isl_map_copy(y->far->from.m)));
    } else isl_map_free(pairs);
    isl_map *both = isl_map_flat_range_product(mx, my);
    bad = isl_set_apply(bad, isl_map_reverse(both));
    if (same || !more || isl_set_is_empty(bad) == isl_bool_true) return bad;
    isl_set_free(bad);
    return NULL;
}

isl_set *compare_values(Prover *p, const Value *x, const Value *y, isl_set *at, const char **why) {
    if (p->unknown || poly_tick(p->f->poly)) return at;
    if (isl_set_is_empty(at) == isl_bool_true) return at;
    if (x->kind == VALUE_NOTHING || y->kind == VALUE_NOTHING)
        return differ(at,
                      y->kind == VALUE_NOTHING ? "the kernel uses memory that it has not written"
                                               : "the loops use memory that they have not written",
                      why);
    bool same = x->kind == y->kind && x->type == y->type;
    if (same && x->kind == VALUE_INPUT && x->array == y->array)
        return differ(compare_maps(x->map, y->map, at), "the kernel uses another element than the loops",
                      why);
    if (x->kind == VALUE_INT && y->kind == VALUE_INT) // of any two types
        return differ(compare_maps(x->map, y->map, at), "the kernel uses another whole number than the loops",
                      why);
    if (same && x->kind == VALUE_STATE) return compare_states(p, x, y, at, why);
    if (same && x->kind == VALUE_NUMBER && expr_equal(x->x, y->x))
        return isl_set_subtract(at, isl_set_copy(at));
    if (same && x->kind == VALUE_PARAM && x->x->sym == y->x->sym)
        return isl_set_subtract(at, isl_set_copy(at));
    if (same && x->kind == VALUE_GATHER && x->array == y->array)
        return differ(compare_kids(p, x, y, at, false, why), "the kernel reads an array at another place",
                      why);
    const char *first = NULL;
    Op extreme = x->kind == VALUE_OP ? sum_operator(x->x) : OP_SET;
    if (type_is_float(x->type) && (extreme == OP_MAX || extreme == OP_MIN)) p->no_nan = true;
    if (same_operation(x, y)) {
        isl_set *bad = compare_structure(p, x, y, isl_set_copy(at), &first);
        if (isl_set_is_empty(bad) == isl_bool_true) {
            isl_set_free(at);
            return bad;
        }
        isl_set_free(at);
        at = bad;
    }
    Op op = x->type == y->type ? summed(x, y) : OP_SET;
    if (op != OP_SET) {
        const char *second = NULL;
        isl_map *pairs = met(p, x, y, at);
        if (pairs && was_met(p, x, y, pairs)) return isl_set_subtract(at, isl_set_copy(at));
        isl_map *afar = NULL;
        isl_set *bad = compare_afar(p, op, x, y, at, &afar, &second);
        if (afar && pairs) pairs = afar;
        if (bad) isl_set_free(at);
        else bad = compare_sums(p, op, x->type, x, y, at, &second);
        if (pairs && !p->unknown && isl_set_is_empty(bad) == isl_bool_true)
            vec_push(p->a, &p->met, ((Alike){x->from.read, y->from.read, pairs}));
        return differ(bad, first ? first : second, why);
    }
    return differ(at, first ? first : "the kernel computes another expression than the loops", why);
}
