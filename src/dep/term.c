// SPDX-License-Identifier: MIT
// term.c -- values that only the data tell, as dimensions of their own.
#include "dep/relation.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <string.h>

// ---- arrays ----------------------------------------------------------------------------------

typedef struct Find {
    Arena *a;
    VEC(const Array *) written, asked;
} Find;

static void find_arrays(Find *f, const Node *n) {
    if (n->kind == N_COPY) {
        if (n->dst) vec_push(f->a, &f->written, n->dst);
        expr_each(x, n->src)
            if (x->kind == E_LOAD) vec_push(f->a, &f->asked, x->array);
    }
    if (n->kind != N_STMT || !n->nvia) return;
    AccessVec acc = stmt_accesses(f->a, n->stmt);
    for (int k = 0; k < acc.n; k++)
        if (n->via[k]) vec_push(f->a, &f->asked, acc.at[k].array);
}

TermArrays *term_arrays(Arena *a, const Region *r, Node *root) {
    Find f = {.a = a};
    for (int i = 0; i < r->nstmts; i++) vec_push(a, &f.written, r->stmts[i]->lhs);
    node_each(n, root) find_arrays(&f, n);
    TermArrays *t = NEW_AS(a, TermArrays, (TermArrays){f.written.n, f.asked.n, f.written.at, f.asked.at});
    return t;
}

static bool overlaps_any(const Array *array, int n, const Array *const *list) {
    for (int i = 0; i < n; i++)
        if (arrays_may_overlap(list[i], array)) return true;
    return false;
}

bool term_is_asked(const TermArrays *t, const Array *array) {
    return overlaps_any(array, t->nwritten, t->written) || overlaps_any(array, t->nasked, t->asked);
}

bool term_is_stable(const TermArrays *t, const Array *array) {
    return array->place == PLACE_USER && !overlaps_any(array, t->nwritten, t->written);
}

// ---- expressions over counters and terms -----------------------------------------------------------

static PolyScope term_scope(const TermScope *s) { return (PolyScope){s->depth + s->nterms, s->sym}; }

static bool is_affine(const TermScope *s, const Expr *x) {
    isl_pw_aff *pa = type_is_int(x->type) ? poly_aff(s->poly, term_scope(s), x, NULL) : NULL;
    isl_pw_aff_free(pa);
    return pa != NULL;
}

static bool is_condition(const TermScope *s, const Expr *x) {
    isl_set *set = poly_cond(s->poly, term_scope(s), x, NULL);
    isl_set_free(set);
    return set != NULL;
}

static bool has_terms(const TermScope *s, const Expr *x) {
    for (int i = 0; i < s->nterms; i++)
        if (expr_uses_sym(x, s->term[i].sym)) return true;
    return false;
}

// The dimension that stands for x, whose operands are ready.
static Expr *term_of(TermScope *s, Expr *x) {
    Arena *a = s->poly->c->arena;
    for (int i = 0; i < s->nterms; i++)
        if (expr_equal(s->term[i].x, x)) return expr_sym(a, s->term[i].sym);
    if (!s->grow || s->nterms == TERM_MAX) return NULL;
    Sym *sym = NEW_AS(a, Sym, (Sym){.name = "?", .kind = SYM_ITER, .type = T_I64});
    s->term[s->nterms] = (Term){.sym = sym, .x = x};
    s->sym[s->depth + s->nterms++] = sym;
    return expr_sym(a, sym);
}

typedef Expr *Told(TermScope *s, Expr *x);

static Expr *with_operands(TermScope *s, Expr *x, Told *told) {
    Expr *y = NEW_AS(s->poly->c->arena, Expr, *x);
    y->args = NEW_N(s->poly->c->arena, Expr *, x->nargs + 1);
    for (int k = 0; k < x->nargs; k++) {
        bool choice = k == 0 && x->kind == E_OP && x->op == OP_SELECT;
        y->args[k] = choice ? term_cond(s, x->args[k]) : told(s, x->args[k]);
        if (!y->args[k]) return NULL;
    }
    return y;
}

// Is x what integers without limits would make of its operands, whatever values terms have?
static bool is_plain(const TermScope *s, const Expr *x, const Expr *old) {
    if (!has_terms(s, x)) return true;
    if (x->kind == E_OP)
        return type_is_signed(x->type) || x->op == OP_MIN || x->op == OP_MAX || x->op == OP_SELECT;
    Type from = old->args[0]->type;
    bool wider = type_size(x->type) > type_size(from) ||
                 (type_size(x->type) == type_size(from) && type_is_signed(x->type) == type_is_signed(from));
    return x->kind == E_CAST && type_is_int(from) && wider &&
           (type_is_signed(x->type) || !type_is_signed(from));
}

// ---- floating-point values ---------------------------------------------------------------------------
// What is made of floating-point values is one term, however it is made of them: a call of a function whose
// name says how, and whose operands are the whole numbers in it.
//
//   (int)(sqrtf(x[i] * x[i] + y[j]) / d)      "i32(sqrtf(x[#] * x[#] + y[#]) / d)"(i, i, j)
typedef struct Shape {
    TermScope *s;
    Text name;
    VEC(Expr *) operands;
} Shape;

static bool is_made_of_floats(const Expr *x) {
    if (type_is_float(x->type)) return true;
    return x->kind != E_LOAD && x->nargs > 0 && type_is_float(x->args[0]->type);
}

static bool put_shape(Shape *f, Expr *x) {
    if (x->kind == E_INT) return text_printf(&f->name, "%lld", (long long)x->i), true;
    if (!is_made_of_floats(x)) {
        Expr *told = term_value(f->s, x);
        if (told) vec_push(f->s->poly->c->arena, &f->operands, told);
        text_put(&f->name, "#");
        return told != NULL;
    }
    text_printf(&f->name, "%d:%d", (int)x->kind, (int)x->type);
    if (x->kind == E_FLOAT) text_printf(&f->name, "%a", x->f);
    else if (x->kind == E_SYM) text_printf(&f->name, "%p", (const void *)x->sym);
    else if (x->kind == E_LOAD) text_printf(&f->name, "%p", (const void *)x->array);
    else if (x->kind == E_OP) text_printf(&f->name, "%d", (int)x->op);
    else if (x->kind == E_CALL) text_put(&f->name, x->fn);
    if (x->kind == E_LOAD && !term_is_stable(f->s->arrays, x->array)) return false;
    for (int k = 0; k < x->nargs; k++) {
        text_put(&f->name, k ? "," : "(");
        if (!put_shape(f, x->args[k])) return false;
    }
    text_put(&f->name, x->nargs ? ")" : "");
    return true;
}

static Expr *float_term(TermScope *s, Expr *x) {
    Arena *a = s->poly->c->arena;
    Shape f = {.s = s, .name = text_new(a)};
    if (!put_shape(&f, x)) return NULL;
    return term_of(s, NEW_AS(a, Expr, ((Expr){.kind = E_CALL, .type = x->type, .nargs = f.operands.n,
                                              .args = f.operands.at, .fn = text_str(&f.name)})));
}

Expr *term_value(TermScope *s, Expr *x) {
    if (is_affine(s, x)) return x;
    if (is_made_of_floats(x)) return float_term(s, x);
    if (x->kind == E_LOAD && !term_is_stable(s->arrays, x->array)) return NULL;
    if (x->kind == E_SYM && x->sym->kind == SYM_ITER) return NULL;
    Expr *y = with_operands(s, x, term_value);
    if (!y) return NULL;
    bool arithmetic = (x->kind == E_OP && !(x->op >= OP_LT && x->op <= OP_LOR)) || x->kind == E_CAST;
    return arithmetic && is_plain(s, y, x) && is_affine(s, y) ? y : term_of(s, y);
}

static bool compares(const Expr *x) { return x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE; }

// Order and equality of floats are no integers': NaN.
Expr *term_cond(TermScope *s, Expr *x) {
    if (is_condition(s, x)) return x;
    bool joins = x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR || x->op == OP_LNOT);
    if (!joins && !(compares(x) && type_is_int(x->args[0]->type))) return term_value(s, x);
    Expr *y = with_operands(s, x, joins ? term_cond : term_value);
    return y && is_condition(s, y) ? y : NULL;
}

// ---- equal values ------------------------------------------------------------------------------------

static bool same_head(const Expr *x, const Expr *y) {
    if (x->kind != y->kind || x->type != y->type || x->nargs != y->nargs) return false;
    switch (x->kind) {
    case E_LOAD: return x->array == y->array;
    case E_OP: return x->op == y->op;
    case E_CALL: return strcmp(x->fn, y->fn) == 0;
    case E_CAST: return true;
    default: return expr_equal(x, y);
    }
}

// Counters and terms -> operand k; NULL: it is no integer.
static isl_map *operand(Poly *p, const Event *x, const Term *t, int k) {
    if (t->operand) return isl_map_copy(t->operand[k]);
    isl_pw_aff *pa = poly_aff(p, x->scope, t->x->args[k], NULL);
    return pa ? isl_map_from_pw_aff(pa) : NULL;
}

// Pairs of instances in which the operands of two terms are equal; NULL: the terms differ.
static isl_map *same_operands(Poly *p, const Event *x, const Term *a, const Event *y, const Term *b) {
    if (!same_head(a->x, b->x)) return NULL;
    isl_map *all = isl_map_from_domain_and_range(poly_universe(p, x->scope), poly_universe(p, y->scope));
    for (int k = 0; k < a->x->nargs; k++) {
        isl_map *u = operand(p, x, a, k), *v = operand(p, y, b, k);
        if (!u || !v) {
            isl_map_free(u);
            isl_map_free(v);
            isl_map_free(all);
            return NULL;
        }
        all = isl_map_intersect(all, isl_map_apply_range(u, isl_map_reverse(v)));
    }
    return all;
}

// ---- elements at the end ------------------------------------------------------------------------------

// { e, terms of e -> counters, terms of ev }, known: the terms of ev that are terms of e.
static isl_map *writer_of(Poly *p, const Event *ev, Expr *const *sub, int rank, const int *known) {
    isl_set *all = isl_set_universe(isl_space_set_alloc(p->ctx, 0, (unsigned)(rank + TERM_MAX)));
    isl_map *m = isl_map_from_domain_and_range(all, poly_universe(p, ev->scope));
    for (int d = 0; d < rank && m; d++) {
        isl_pw_aff *pa = poly_aff(p, ev->scope, sub[d], NULL);
        isl_map *one = pa ? isl_map_reverse(isl_map_from_pw_aff(pa)) : NULL;
        if (one) one = isl_map_insert_dims(one, isl_dim_in, 1, (unsigned)(rank + TERM_MAX - d - 1));
        if (one) one = isl_map_insert_dims(one, isl_dim_in, 0, (unsigned)d);
        m = one ? isl_map_intersect(m, one) : (isl_map_free(m), NULL);
    }
    for (int i = 0; i < ev->nterms && m; i++)
        if (known[i] >= 0) m = isl_map_equate(m, isl_dim_in, rank + known[i], isl_dim_out, ev->depth + i);
    return m;
}

// The operands of a term seen from the element; false: it does not tell them.
static bool move_operands(Poly *p, const Event *ev, const Term *t, isl_map *writer, Term *out) {
    *out = (Term){NULL, t->x, NEW_N(p->c->arena, isl_map *, t->x->nargs + 1)};
    for (int k = 0; k < t->x->nargs; k++) {
        isl_map *own = operand(p, ev, t, k);
        if (!own) return false;
        out->operand[k] = own_map(p->c->arena, isl_map_apply_range(isl_map_copy(writer), own));
        if (isl_map_is_single_valued(out->operand[k]) != isl_bool_true) return false;
    }
    return true;
}

static bool same_term(const Term *x, const Term *y) {
    bool same = same_head(x->x, y->x);
    for (int k = 0; same && k < x->x->nargs; k++)
        same = isl_map_is_equal(x->operand[k], y->operand[k]) == isl_bool_true;
    return same;
}

int term_of_elements(Poly *p, const Event *ev, Expr *const *sub, int rank, int nterms, Term *terms) {
    int known[TERM_MAX];
    for (int i = 0; i < TERM_MAX; i++) known[i] = -1;
    for (int i = 0; i < ev->nterms; i++) {
        isl_map *writer = writer_of(p, ev, sub, rank, known);
        Term t;
        if (writer && move_operands(p, ev, &ev->terms[i], writer, &t)) {
            for (int k = 0; k < nterms && known[i] < 0; k++)
                if (same_term(&terms[k], &t)) known[i] = k;
            if (known[i] < 0 && nterms < TERM_MAX) terms[known[i] = nterms++] = t;
        }
        isl_map_free(writer);
    }
    return nterms;
}

static Expr *wide(Arena *a, Expr *x) { return expr_cast(a, T_I64, x); }

// x % y is less than y and no more than x, where both are positive; NULL: the term is no remainder.
static isl_set *remainder_set(Poly *p, const Event *ev, const Term *t) {
    Arena *a = p->c->arena;
    if (t->operand || t->x->kind != E_OP || t->x->op != OP_MOD || !type_is_signed(t->x->type)) return NULL;
    Expr *u = expr_sym(a, t->sym), *x = wide(a, t->x->args[0]), *y = wide(a, t->x->args[1]);
    Expr *zero = expr_int(a, T_I64, 0), *last = expr_sub(a, y, expr_int(a, T_I64, 1));
    Expr *most = expr_op(a, OP_MIN, x, last, NULL);
    isl_set *given = poly_cond(p, ev->scope, expr_op(a, OP_LE, zero, most, NULL), NULL);
    isl_set *below = poly_cond(p, ev->scope, expr_op(a, OP_LE, u, most, NULL), NULL);
    isl_set *above = poly_cond(p, ev->scope, expr_op(a, OP_LE, zero, u, NULL), NULL);
    if (given && below && above)
        return isl_set_coalesce(isl_set_union(isl_set_complement(given), isl_set_intersect(below, above)));
    isl_set_free(given);
    isl_set_free(below);
    isl_set_free(above);
    return NULL;
}

static isl_set *consistent(Poly *p, const Event *x) {
    isl_set *all = NULL;
    for (int i = 0; i < x->nterms; i++) {
        isl_set *one = remainder_set(p, x, &x->terms[i]);
        if (one) all = all ? isl_set_intersect(all, one) : one;
    }
    for (int i = 0; i < x->nterms; i++)
        for (int j = 0; j < i; j++) {
            isl_map *same = same_operands(p, x, &x->terms[i], x, &x->terms[j]);
            if (!same) continue;
            isl_set *equal =
                isl_map_domain(isl_map_intersect(same, isl_set_identity(poly_universe(p, x->scope))));
            if (isl_set_is_disjoint(equal, x->domain) == isl_bool_true) { // those of different rows
                isl_set_free(equal);
                continue;
            }
            isl_set *one = isl_set_equate(poly_universe(p, x->scope), isl_dim_set, x->depth + i, isl_dim_set,
                                          x->depth + j);
            one = isl_set_union(one, isl_set_complement(equal));
            all = all ? isl_set_coalesce(isl_set_intersect(all, one)) : one;
        }
    return all;
}

isl_set *term_consistent(Poly *p, const Event *x) {
    Consistent *c = x->consistent;
    if (!c || c->known) return c ? c->set : NULL;
    c->known = true;
    return c->set = own_set(p->c->arena, consistent(p, x));
}

// term_agree looks at terms whose operands are equal in all of m alone: less would be taken away
// from others too, and more is never needed.
isl_map *term_agree(Poly *p, const Event *x, const Event *y, isl_map *m) {
    for (int i = 0; i < x->nterms; i++)
        for (int j = 0; j < y->nterms; j++) {
            isl_map *same = same_operands(p, x, &x->terms[i], y, &y->terms[j]);
            if (same && isl_map_is_subset(m, same) == isl_bool_true)
                m = isl_map_equate(m, isl_dim_in, x->depth + i, isl_dim_out, y->depth + j);
            isl_map_free(same);
        }
    return m;
}

isl_map *term_pinned(Poly *p, const Event *x, const Event *y, isl_map *m) {
    for (int j = 0; j < y->nterms; j++) {
        if (isl_map_involves_dims(m, isl_dim_out, (unsigned)(y->depth + j), 1) == isl_bool_false) continue;
        isl_map *one = isl_map_empty(isl_map_get_space(m));
        for (int i = 0; i < x->nterms; i++) {
            isl_map *same = same_operands(p, x, &x->terms[i], y, &y->terms[j]);
            if (!same) continue;
            same = isl_map_intersect(same, isl_map_copy(m));
            one =
                isl_map_union(one, isl_map_equate(same, isl_dim_in, x->depth + i, isl_dim_out, y->depth + j));
        }
        isl_map_free(m);
        m = one;
    }
    return m;
}

// m for any values of the terms that aren't known; *free: it does not ask for them, being consistent.
static isl_map *without_others(Poly *p, const Event *leaf, const bool *known, isl_map *m, bool *free) {
    isl_map *any = isl_map_copy(m);
    *free = true;
    for (int i = 0; i < leaf->nterms; i++) {
        unsigned at = (unsigned)(leaf->depth + i);
        if (known[i] || isl_map_involves_dims(m, isl_dim_in, at, 1) == isl_bool_false) continue;
        any = isl_map_insert_dims(isl_map_project_out(any, isl_dim_in, at, 1), isl_dim_in, at, 1);
        *free = false;
    }
    any = isl_map_coalesce(any);
    isl_set *possible = *free ? NULL : term_consistent(p, leaf);
    isl_map *all = isl_map_copy(any);
    if (possible) all = isl_map_intersect_domain(all, isl_set_copy(possible));
    *free = *free || isl_map_is_subset(all, m) == isl_bool_true;
    isl_map_free(all);
    isl_map_free(m);
    return any;
}

isl_map *term_match(Poly *p, const Event *leaf, const Event *region, isl_map *m, bool *told, bool *whole) {
    bool known[TERM_MAX] = {false};
    *whole = true;
    for (int j = 0; j < region->nterms; j++) {
        bool found = isl_set_involves_dims(region->domain, isl_dim_set, (unsigned)(region->depth + j), 1) ==
                     isl_bool_false;
        for (int i = 0; i < leaf->nterms; i++) {
            isl_map *same = same_operands(p, leaf, &leaf->terms[i], region, &region->terms[j]);
            bool all = same && isl_map_is_subset(m, same) == isl_bool_true;
            isl_map_free(same);
            if (!all) continue;
            known[i] = found = true;
            m = isl_map_equate(m, isl_dim_in, leaf->depth + i, isl_dim_out, region->depth + j);
        }
        *whole = *whole && found;
    }
    return without_others(p, leaf, known, m, told);
}

isl_map *term_apart(const Event *x, isl_map *m) {
    isl_map *same = isl_map_universe(isl_map_get_space(m));
    for (int d = 0; d < x->depth; d++) same = isl_map_equate(same, isl_dim_in, d, isl_dim_out, d);
    return isl_map_subtract(m, same);
}
