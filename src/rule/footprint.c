// SPDX-License-Identifier: MIT
// footprint.c -- which elements the accesses below a place name: boxes of constant extents.
//
//   a[j][i-1], a[j][i], a[j][i+1] with i = 64*ib + ii, ii < 64
//       one box: base 64*ib - 1, 66 elements; the places are ii, ii + 1, ii + 2
//   x[i][d], x[j][d]
//       two boxes, as i and j lie at no constant distance
#include "rule/linear.h"
#include "rule/storage.h"
#include <stdlib.h>
#include <string.h>

// ---- one access ----------------------------------------------------------------------------------
// The inner counters of an access: loops of constant extent below the place.
typedef struct Inner {
    int n;
    const Sym **sym;
    int64_t *span;                // greatest - least
    Expr **least, **greatest;
    bool within;                  // some go through a part of these steps only
    int nloose;
    const Sym **loose;            // counters of the loops whose extent is no constant
    int ndigits;
    const Node *digit[8];
} Inner;

static bool uses_inner(const Inner *in, const Expr *x) {
    for (int k = 0; k < in->n; k++)
        if (expr_uses_sym(x, in->sym[k])) return true;
    return false;
}

// The least or greatest that x becomes over the counters inside; NULL: it is not linear in them.
static Expr *end_of(Arena *a, const Inner *in, Expr *x, bool greatest) {
    int64_t *coef = NEW_N(a, int64_t, in->n + 1);
    Expr *base;
    if (expr_has_load(x) || !affine_split(a, x, in->n, in->sym, coef, &base)) return NULL;
    for (int k = 0; k < in->n; k++) {
        if (!coef[k]) continue;
        Expr *at = expr_cast(a, base->type, (coef[k] > 0) == greatest ? in->greatest[k] : in->least[k]);
        base = expr_add(a, base, expr_mul(a, at, expr_int(a, base->type, coef[k])));
    }
    return base;
}

// for l = 0 .. i inside of i < 32: l runs within 0 .. 31.
static bool add_within(Arena *a, Inner *in, const Node *loop) {
    int64_t span;
    if (loop->step != 1 || loop_is_unbounded(loop)) return false;
    Expr *lo = end_of(a, in, loop->lo, false), *hi = end_of(a, in, loop->hi, true);
    if (!lo || !hi || !linear_distance(lo, hi, &span) || --span < 0) return false;
    in->within = true;
    in->sym[in->n] = loop->iter;
    in->span[in->n] = span;
    in->least[in->n] = lo;
    in->greatest[in->n++] = expr_add(a, lo, expr_int(a, lo->type, span));
    return true;
}

static void add_inner(Arena *a, Inner *in, const Node *loop) {
    int64_t trips;
    if ((uses_inner(in, loop->lo) || uses_inner(in, loop->hi)) && add_within(a, in, loop)) return;
    if (!loop_constant(loop, &trips) || trips < 1 || uses_inner(in, loop->lo) || expr_has_load(loop->lo)) {
        in->loose[in->nloose++] = loop->iter;
        return;
    }
    int64_t span = (trips - 1) * loop->step;
    Expr *far = expr_add(a, loop->lo, expr_int(a, loop->lo->type, span));
    in->sym[in->n] = loop->iter;
    in->span[in->n] = span < 0 ? -span : span;
    in->least[in->n] = span < 0 ? far : loop->lo;
    in->greatest[in->n++] = span < 0 ? loop->lo : far;
}

static void inner_of(FootWish *w, const Site *s, Inner *in) {
    Arena *a = w->ch->a;
    int most = s->nloops + 1;
    *in = (Inner){.sym = NEW_N(a, const Sym *, most), .span = NEW_N(a, int64_t, most),
                  .least = NEW_N(a, Expr *, most), .greatest = NEW_N(a, Expr *, most),
                  .loose = NEW_N(a, const Sym *, most)};
    for (int k = 0; k < s->nloops; k++) {
        const Node *l = s->loop[k];
        if (l->how == HOW_THREAD && !w->threads) {
            if (in->ndigits < 8) in->digit[in->ndigits++] = l;
            continue;
        }
        add_inner(a, in, l);
    }
}

static int by_coef(const void *x, const void *y) {
    const FootTerm *p = x, *q = y;
    int64_t a = llabs(p->coef), b = llabs(q->coef);
    return p->dim != q->dim    ? p->dim - q->dim
           : a != b            ? (a < b ? -1 : 1)
           : p->span < q->span ? -1
                               : p->span > q->span;
}

// The site's thread counters as the wish's digits.
static Expr *canonical(FootWish *w, const Inner *in, Expr *x) {
    const Sym *from[8];
    Expr *to[8];
    for (int k = 0; k < in->ndigits && k < w->ndigits; k++) {
        from[k] = in->digit[k]->iter;
        to[k] = expr_sym(w->ch->a, w->digit[k]);
    }
    return w->ndigits ? expr_subst(w->ch->a, x, in->ndigits, from, to) : x;
}

// x where the nest runs only for one value of a parameter (rule define).
static Expr *defined(FootWish *w, Expr *x) {
    Expr *terms[TERMS_MAX];
    int n = w->ch->nest->when ? cond_terms(w->ch->nest->when, terms, TERMS_MAX) : 0;
    for (int k = 0; k < n; k++) {
        const Expr *t = terms[k], *is = t->kind == E_OP && t->op == OP_EQ ? t->args[0] : NULL;
        while (is && is->kind == E_CAST) is = is->args[0];
        if (!is || is->kind != E_SYM || t->args[1]->kind != E_INT || !expr_uses_sym(x, is->sym)) continue;
        Expr *value = expr_int(w->ch->a, is->sym->type, t->args[1]->i);
        x = expr_subst(w->ch->a, x, 1, &is->sym, &value);
    }
    return x;
}

static bool take_apart(FootWish *w, const Inner *in, const Array *array, Expr *const *sub, FootRef *r) {
    Arena *a = w->ch->a;
    *r = (FootRef){0};
    r->base = NEW_N(a, Expr *, array->rank + 1);
    int64_t *coef = NEW_N(a, int64_t, in->n + 1);
    for (int d = 0; d < array->rank; d++) {
        Expr *x = canonical(w, in, defined(w, sub[d])), *base;
        for (int k = 0; k < in->nloose; k++)
            if (expr_uses_sym(x, in->loose[k]))
                return change_refuse(
                    w->ch,
                    "a subscript of %s moves with %s, whose number of iterations is no constant; strip it",
                    array->name, in->loose[k]->name);
        if (expr_has_load(x) || !affine_split(a, x, in->n, in->sym, coef, &base))
            return change_refuse(w->ch, "the subscript %s of %s is not linear in the loops inside",
                                 ir_print_expr(a, x), array->name);
        for (int k = 0; k < in->n; k++) {
            if (!coef[k]) continue;
            Expr *pivot = coef[k] > 0 ? in->least[k] : in->greatest[k];
            base = expr_add(a, base,
                            expr_mul(a, expr_cast(a, base->type, pivot), expr_int(a, base->type, coef[k])));
            if (in->span[k] == 0) continue;
            if (r->nterms == FOOT_TERMS)
                return change_refuse(w->ch, "too many loops in the subscripts of %s", array->name);
            r->term[r->nterms++] = (FootTerm){d, in->sym[k], coef[k], in->span[k], pivot};
        }
        r->base[d] = base;
    }
    qsort(r->term, (size_t)r->nterms, sizeof *r->term, by_coef);
    return true;
}

// ---- do two accesses share a box? ---------------------------------------------------------------
// The term that alone moves a dimension word by word; NULL: it is none. Others may move it by more.
static const FootTerm *word_term(const FootRef *x, int k) {
    const FootTerm *t = &x->term[k];
    bool first = k == 0 || x->term[k - 1].dim != t->dim;
    bool alone = k + 1 == x->nterms || x->term[k + 1].dim != t->dim || llabs(x->term[k + 1].coef) > 1;
    return first && alone && llabs(t->coef) == 1 ? t : NULL;
}

// But for how far they go along a dimension that one counter moves word by word, and which way.
static bool same_shape(const FootRef *x, const FootRef *y) {
    if (x->nterms != y->nterms) return false;
    for (int k = 0; k < x->nterms; k++) {
        const FootTerm *p = &x->term[k], *q = &y->term[k];
        if (p->dim != q->dim || llabs(p->coef) != llabs(q->coef)) return false;
        if (p->span != q->span && (!word_term(x, k) || !word_term(y, k))) return false;
    }
    return true;
}

// x with a word term where y has one and x stays in one place, so that a[0] has the shape of a[i].
static void widen(Arena *a, FootRef *x, const FootRef *y) {
    for (int k = 0; k < y->nterms; k++) {
        int at = 0;
        while (at < x->nterms && x->term[at].dim < y->term[k].dim) at++;
        bool has = at < x->nterms && x->term[at].dim == y->term[k].dim && llabs(x->term[at].coef) == 1;
        if (has || !word_term(y, k) || x->nterms == FOOT_TERMS) continue;
        Sym *none = NEW(a, Sym); // stands in no tree
        *none = (Sym){y->term[k].sym->name, SYM_ITER, y->term[k].sym->type, NULL};
        memmove(x->term + at + 1, x->term + at, sizeof *x->term * (size_t)(x->nterms - at));
        x->term[at] = (FootTerm){y->term[k].dim, none, 1, 0, expr_sym(a, none)};
        x->nterms++;
    }
}

static int64_t gcd(int64_t x, int64_t y) {
    x = llabs(x), y = llabs(y);
    while (y) {
        int64_t r = x % y;
        x = y, y = r;
    }
    return x;
}

// r may get terms as the box has them.
static bool shares(Arena *a, const FootBox *b, FootRef *r, int64_t *d) {
    FootRef as = *r;
    widen(a, &as, &b->shape);
    if (!same_shape(&b->shape, &as)) return false;
    for (int k = 0; k < b->array->rank; k++)
        if (!linear_distance(b->shape.base[k], r->base[k], &d[k])) return false;
    *r = as;
    return true;
}

// ---- conditions that hold at all accesses ------------------------------------------------------------
// y over the counters of x's terms: the counters of two accesses of one shape correspond.
static Expr *translate(Arena *a, Expr *cond, const FootRef *of, const FootRef *to) {
    const Sym *from[FOOT_TERMS];
    Expr *as[FOOT_TERMS];
    int n = 0;
    for (int k = 0; k < of->nterms; k++) {
        const FootTerm *f = &of->term[k], *t = &to->term[k];
        if (f->sym == t->sym) continue;
        Expr *x = expr_sym(a, t->sym);
        if ((f->coef < 0) != (t->coef < 0)) x = expr_sub(a, expr_add(a, f->pivot, t->pivot), x);
        from[n] = f->sym;
        as[n++] = x;
    }
    return n ? expr_subst(a, cond, n, from, as) : cond;
}

// Does it use an inner counter that the access itself doesn't use?
static bool says_more(const Inner *in, const FootRef *r, const Expr *x) {
    for (int k = 0; k < in->nloose; k++)
        if (expr_uses_sym(x, in->loose[k])) return true;
    for (int k = 0; k < in->n; k++) {
        bool known = false;
        for (int i = 0; i < r->nterms; i++) known = known || r->term[i].sym == in->sym[k];
        if (!known && expr_uses_sym(x, in->sym[k])) return true;
    }
    return false;
}

// The counter of a single iteration has its value.
static Expr *told(Arena *a, const Inner *in, Expr *x) {
    const Sym **from = NEW_N(a, const Sym *, in->n + 1);
    Expr **to = NEW_N(a, Expr *, in->n + 1);
    int n = 0;
    for (int k = 0; k < in->n; k++)
        if (in->span[k] == 0) from[n] = in->sym[k], to[n++] = expr_cast(a, in->sym[k]->type, in->least[k]);
    return n ? expr_subst(a, x, n, from, to) : x;
}

static int conditions_of(FootWish *w, const Inner *in, const FootRef *r, const Site *s, Expr **out) {
    int n = s->cond ? cond_terms(s->cond, out, TERMS_MAX) : 0, kept = 0;
    for (int k = 0; k < n; k++) {
        Expr *x = told(w->ch->a, in, out[k]);
        if (cond_is_free(x) && !says_more(in, r, x)) out[kept++] = canonical(w, in, x);
    }
    return kept;
}

static void keep_common(FootWish *w, FootBox *b, const FootRef *r, Expr *const *terms, int n) {
    int kept = 0;
    for (int i = 0; i < b->nterms; i++)
        for (int k = 0; k < n; k++)
            if (expr_equal(b->terms[i], translate(w->ch->a, terms[k], r, &b->shape))) {
                b->terms[kept++] = b->terms[i];
                break;
            }
    b->nterms = kept;
}

// ---- one element of a box -----------------------------------------------------------------------------
// x where the conditions say what digits are: warp == 0 && lane == 0.
static Expr *fixed(const FootWish *w, Expr *x, Expr *const *terms, int nterms) {
    const Sym *from[8];
    Expr *to[8];
    int n = 0;
    for (int k = 0; k < nterms; k++) {
        const Expr *t = terms[k];
        bool is = t->kind == E_OP && t->op == OP_EQ && t->args[0]->kind == E_SYM && t->args[1]->kind == E_INT;
        if (!is) continue;
        for (int d = 0; d < w->ndigits && n < 8; d++)
            if (t->args[0]->sym == w->digit[d]) from[n] = w->digit[d], to[n++] = t->args[1];
    }
    return n ? expr_subst(w->ch->a, x, n, from, to) : x;
}

// Where in the box an access without inner counters is found, if its conditions say which thread makes it.
static bool is_element(const FootWish *w, const FootBox *b, const FootRef *r, Expr *const *terms, int nterms,
                       int64_t *index) {
    if (r->nterms || !b->shape.nterms) return false;
    for (int d = 0, g = 0; d < b->array->rank; d++) {
        int64_t left;
        if (!linear_distance(fixed(w, b->shape.base[d], terms, nterms), fixed(w, r->base[d], terms, nterms),
                             &left) || left < 0)
            return false;
        for (; g < b->ngroups && b->group[g].dim == d; g++) { // large strides first
            index[g] = left / b->group[g].stride;
            left -= index[g] * b->group[g].stride;
            if (index[g] >= b->group[g].extent) return false;
        }
        if (left) return false;
    }
    return true;
}

// Boxes that are one element of another become part of it.
static void absorb(const FootWish *w, FootBoxes *all) {
    int64_t index[FOOT_GROUPS];
    int n = 0;
    for (int k = 0; k < all->n; k++) {
        const FootBox *p = all->at[k];
        FootBox *in = NULL;
        for (int i = 0; i < all->n && !in && !p->write; i++)
            if (is_element(w, all->at[i], &p->shape, p->terms, p->nterms, index)) in = all->at[i];
        if (!in) {
            all->at[n++] = all->at[k];
            continue;
        }
        in->read = true;
        in->nterms = 0; // the element is there whatever they say…
        in->writer = NULL; // …and may be read first
    }
    all->n = n;
}

// ---- boxes
// -------------------------------------------------------------------------------------------------
typedef struct Collect {
    FootWish *w;
    FootBoxes *out;
    bool failed;
} Collect;

static bool set_digits(FootWish *w, const Inner *in) {
    if (w->threads) return true;
    bool first = !w->ndigits && !w->digits[0];
    for (int k = 0; k < in->ndigits; k++) {
        int64_t trips;
        if (!loop_constant(in->digit[k], &trips)) trips = 0;
        if (first) {
            const Sym *t = in->digit[k]->iter;
            Sym *s = NEW(w->ch->a, Sym);
            *s = (Sym){t->name, SYM_ITER, t->type, NULL}; // stands in no tree
            w->digit[k] = s;
            w->digits[k] = trips;
        } else if (k >= w->ndigits || w->digits[k] != trips) {
            return change_refuse(w->ch, "%s is accessed by phases whose threads are numbered differently",
                                 w->array->name);
        }
    }
    if (first) w->ndigits = in->ndigits;
    return in->ndigits == w->ndigits ||
           change_refuse(w->ch, "%s is accessed by phases whose threads are numbered differently",
                         w->array->name);
}

// Does the box begin with that access, in each iteration of constant loops, where `nterms` conditions hold?
static void note_first(FootBox *b, const Inner *in, const Site *s, int nterms) {
    Expr *all[TERMS_MAX];
    int n = s->cond ? cond_terms(s->cond, all, TERMS_MAX) : 0;
    if (s->write && s->op == OP_SET && !in->nloose && !in->within && n == nterms) b->writer = s->node;
    b->nwriter = nterms;
}

bool footprint_begins_written(const FootBox *b) {
    return b->writer && b->same && b->nterms == b->nwriter;
}

static void note_use(FootBox *b, const Site *s) {
    if (s->read && s->node == b->writer) b->writer = NULL; // it reads before it writes
    if (s->write && s->op == OP_SET) b->plain = true;
    if (s->write && s->op != OP_SET) b->op = !b->write ? s->op : b->op == s->op ? s->op : OP_SET;
    b->write = b->write || s->write;
    b->read = b->read || (s->read && !s->write);
}

// The longer of the box's accesses and this one along a dimension is what they all are. How much longer this
// one is.
static int64_t lengthen(FootBox *b, const FootRef *r, int dim) {
    for (int k = 0; k < r->nterms; k++) {
        FootTerm *t = &b->shape.term[k];
        int64_t by = r->term[k].span - t->span;
        if (t->dim == dim && (t->coef < 0) != (r->term[k].coef < 0)) b->same = false; // it goes the other way
        if (t->dim != dim || !by) continue;
        b->same = false;
        if (by > 0) t->span = r->term[k].span;
        return by;
    }
    return 0;
}

static bool collect(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    Collect *c = arg;
    FootWish *w = c->w;
    Inner in;
    FootRef r;
    if (c->failed || (w->writes && !s->write)) return false;
    inner_of(w, s, &in);
    if (!set_digits(w, &in) || !take_apart(w, &in, w->array, s->sub, &r)) {
        if (w->some && !s->write) {
            w->left = w->left ? w->left : w->ch->why;
            w->ch->why = NULL;
        } else {
            c->failed = true;
        }
        return false;
    }
    Expr *terms[TERMS_MAX];
    int nterms = conditions_of(w, &in, &r, s, terms), rank = w->array->rank;
    Arena *a = w->ch->a;
    int64_t *d = NEW_N(a, int64_t, rank + 1);
    for (int k = 0; k < c->out->n; k++) {
        FootBox *b = c->out->at[k];
        FootRef shape = b->shape;
        widen(a, &b->shape, &r);
        if (!shares(a, b, &r, d)) {
            b->shape = shape;
            continue;
        }
        for (int i = 0; i < rank; i++) {
            if (d[i]) b->same = false;
            int64_t longer = lengthen(b, &r, i); // from here on all are as long as the longest
            int64_t last = b->delta[i] - (longer > 0 ? longer : 0), here = d[i] + (longer < 0 ? longer : 0);
            if (d[i] < 0) b->shape.base[i] = r.base[i]; // it begins before the others
            b->delta[i] = (last > here ? last : here) - (d[i] < 0 ? d[i] : 0);
            b->grain[i] = longer ? 1 : gcd(b->grain[i], d[i]);
        }
        keep_common(w, b, &r, terms, nterms);
        note_use(b, s);
        return false;
    }
    FootBox *b = NEW_AS(a, FootBox, (FootBox){.array = w->array,
                                              .shape = r,
                                              .delta = NEW_N(a, int64_t, rank + 1),
                                              .grain = NEW_N(a, int64_t, rank + 1),
                                              .nterms = nterms,
                                              .same = true});
    memcpy(b->terms, terms, sizeof *terms * (size_t)nterms);
    note_first(b, &in, s, nterms);
    note_use(b, s);
    vec_push(a, c->out, b);
    return false;
}

// One more term of coefficient c > 0 and `span` steps; the terms come in rising order of c.
static bool add_term(FootBox *b, int first, int dim, int64_t c, int64_t span) {
    FootGroup *g = b->ngroups > first ? &b->group[b->ngroups - 1] : NULL;
    if (g && c % g->stride == 0 && c / g->stride <= g->extent) {
        return !__builtin_mul_overflow(c / g->stride, span, &span) &&
               !__builtin_add_overflow(g->extent, span, &g->extent);
    }
    if (b->ngroups == FOOT_GROUPS || __builtin_add_overflow(span, 1, &span)) return false;
    b->group[b->ngroups++] = (FootGroup){dim, c, span};
    return true;
}

static bool group_dimension(FootBox *b, int dim) {
    int first = b->ngroups;
    int64_t c = b->grain[dim], span = c ? b->delta[dim] / c : 0;
    for (int k = 0; k < b->shape.nterms; k++) {
        const FootTerm *t = &b->shape.term[k];
        if (t->dim != dim) continue;
        if (span && c <= llabs(t->coef)) {
            if (!add_term(b, first, dim, c, span)) return false;
            span = 0;
        }
        if (!add_term(b, first, dim, llabs(t->coef), t->span)) return false;
    }
    if (span && !add_term(b, first, dim, c, span)) return false;
    for (int i = first, j = b->ngroups - 1; i < j; i++, j--) { // large strides first
        FootGroup g = b->group[i];
        b->group[i] = b->group[j];
        b->group[j] = g;
    }
    return true;
}

bool footprints_of(FootWish *w, Node *n, FootBoxes *out) {
    Collect c = {w, out, false};
    accesses_edit(w->ch->a, n, w->array, collect, &c);
    if (c.failed) return false;
    for (int k = 0; k < out->n; k++)
        for (int d = 0; d < w->array->rank; d++)
            if (!group_dimension(out->at[k], d))
                return change_refuse(w->ch, "the elements of %s that are used form too many pieces",
                                     w->array->name);
    absorb(w, out);
    return true;
}

int64_t footprint_size(const FootBox *b) {
    int64_t all = 1;
    for (int k = 0; k < b->ngroups; k++)
        if (__builtin_mul_overflow(all, b->group[k].extent, &all)) return INT64_MAX;
    return all;
}

// ---- parts of a box --------------------------------------------------------------------------------
typedef struct Parts {
    FootWish *w;
    FootBox *b;
    bool all;
} Parts;

// Where dimension g of the access's own box lies in the box.
static void part_of(const FootBox *b, const FootRef *r, const int64_t *d, FootPart *out) {
    for (int g = 0; g < b->ngroups; g++) {
        int64_t span = 0;
        for (int k = 0; k < r->nterms; k++)
            if (r->term[k].dim == b->group[g].dim) span += llabs(r->term[k].coef) * r->term[k].span;
        out->lo[g] = d[b->group[g].dim];
        out->hi[g] = out->lo[g] + span + 1;
    }
}

static bool note_part(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    Parts *v = arg;
    FootWish *w = v->w;
    int64_t *d = NEW_N(w->ch->a, int64_t, w->array->rank + 1);
    Inner in;
    FootRef r;
    FootPart own = {0};
    if (v->all || (w->writes && !s->write)) return false;
    inner_of(w, s, &in);
    v->all = !take_apart(w, &in, w->array, s->sub, &r) || !shares(w->ch->a, v->b, &r, d);
    if (v->all) return false;
    part_of(v->b, &r, d, &own);
    vec_push(w->ch->a, &v->b->parts, own);
    return false;
}

// Two parts that are one: they differ along one group at most, and leave no gap there.
static bool unite(const FootBox *b, FootPart *x, const FootPart *y) {
    int at = -1;
    for (int g = 0; g < b->ngroups; g++) {
        if (x->lo[g] == y->lo[g] && x->hi[g] == y->hi[g]) continue;
        if (at >= 0 || x->hi[g] < y->lo[g] || y->hi[g] < x->lo[g]) return false;
        at = g;
    }
    if (at >= 0 && y->lo[at] < x->lo[at]) x->lo[at] = y->lo[at];
    if (at >= 0 && y->hi[at] > x->hi[at]) x->hi[at] = y->hi[at];
    return true;
}

void footprint_parts(FootWish *w, Node *n, FootBox *b) {
    Parts v = {w, b, false};
    for (int g = 0; g < b->ngroups; g++)
        v.all = v.all || b->group[g].stride != 1 || (g && b->group[g - 1].dim == b->group[g].dim);
    accesses_edit(w->ch->a, n, w->array, note_part, &v);
    if (v.all) b->parts.n = 0;
    for (int i = 0; i < b->parts.n; i++)
        for (int k = 0; k < b->parts.n; k++) {
            if (i == k || !unite(b, &b->parts.at[i], &b->parts.at[k])) continue;
            b->parts.at[k] = b->parts.at[--b->parts.n];
            i = -1; // from the first on
            break;
        }
}

// ---- places in a box
// ------------------------------------------------------------------------------------------ The group that a
// step of size c in a dimension belongs to.
static int group_of(const FootBox *b, int dim, int64_t c) {
    int best = -1;
    for (int k = 0; k < b->ngroups; k++)
        if (b->group[k].dim == dim && b->group[k].stride <= c &&
            (best < 0 || b->group[k].stride > b->group[best].stride))
            best = k;
    return best;
}

static void add_to(Arena *a, Expr **at, Expr *x, int64_t by) {
    x = expr_mul(a, x, expr_int(a, x->type, by));
    *at = *at ? expr_add(a, *at, expr_cast(a, (*at)->type, x)) : x;
}

const FootBox *footprint_find(FootWish *w, const FootBoxes *all, const Site *s, Expr **index) {
    Arena *a = w->ch->a;
    Inner in;
    FootRef r;
    inner_of(w, s, &in);
    if (!take_apart(w, &in, w->array, s->sub, &r)) return NULL;
    int64_t d[64], element[FOOT_GROUPS];
    Expr *terms[TERMS_MAX];
    int nterms = conditions_of(w, &in, &r, s, terms);
    for (int k = 0; k < all->n; k++) {
        const FootBox *b = all->at[k];
        if (is_element(w, b, &r, terms, nterms, element)) {
            for (int g = 0; g < b->ngroups; g++) index[g] = expr_int(a, T_I32, element[g]);
            return b;
        }
        if (b->array->rank > 64 || !shares(a, b, &r, d)) continue;
        for (int g = 0; g < b->ngroups; g++) index[g] = NULL;
        for (int i = r.nterms - 1; i >= 0; i--) {
            const FootTerm *t = &r.term[i];
            int g = group_of(b, t->dim, llabs(t->coef));
            Expr *x = expr_sub(a, expr_sym(a, t->sym), t->pivot);
            if (t->coef < 0) x = expr_sub(a, t->pivot, expr_sym(a, t->sym));
            add_to(a, &index[g], x, llabs(t->coef) / b->group[g].stride);
        }
        for (int i = 0; i < b->array->rank; i++) {
            if (!d[i]) continue;
            int g = group_of(b, i, b->grain[i]);
            add_to(a, &index[g], expr_int(a, T_I32, d[i] / b->group[g].stride), 1);
        }
        for (int g = 0; g < b->ngroups; g++)
            if (!index[g]) index[g] = expr_int(a, T_I32, 0);
        return b;
    }
    return NULL;
}

// ---- conditions over a copy's counters
// -------------------------------------------------------------------------- x depends on each group's
// counters only through their sum, so that one may stand for all.
static bool only_element(Arena *a, const FootBox *b, Expr *x) {
    const Sym *sym[FOOT_TERMS];
    int64_t coef[FOOT_TERMS], part[FOOT_GROUPS] = {0};
    bool seen[FOOT_GROUPS] = {false};
    Expr *base;
    const FootRef *r = &b->shape;
    for (int k = 0; k < r->nterms; k++) {
        sym[k] = r->term[k].sym;
        for (int i = 0; i < k; i++)
            if (sym[i] == sym[k]) return false; // a[i][i]
    }
    if (!affine_split(a, x, r->nterms, sym, coef, &base)) return false;
    for (int k = 0; k < r->nterms; k++) {
        int g = group_of(b, r->term[k].dim, llabs(r->term[k].coef));
        int64_t per = r->term[k].coef / b->group[g].stride; // steps of the group a step of the counter
        if (coef[k] % per) return false;
        if (seen[g] && part[g] != coef[k] / per) return false;
        part[g] = coef[k] / per;
        seen[g] = true;
    }
    return true;
}

Expr *footprint_express(Change *ch, const FootBox *b, Expr *x, Expr *const *index) {
    Arena *a = ch->a;
    const FootRef *r = &b->shape;
    const Sym *from[FOOT_TERMS];
    Expr *to[FOOT_TERMS];
    bool done[FOOT_GROUPS] = {false};
    bool compares =
        x->kind == E_OP && x->nargs == 2 && type_is_int(x->args[0]->type) && type_size(x->args[0]->type) >= 4;
    if (!compares || !b->same) { // of several accesses only what says nothing of the element
        for (int k = 0; k < r->nterms; k++)
            if (expr_uses_sym(x, r->term[k].sym)) return NULL;
        return x;
    }
    if (!only_element(a, b, expr_sub(a, x->args[0], x->args[1]))) return NULL;
    for (int k = 0; k < r->nterms; k++) {
        const FootTerm *t = &r->term[k];
        int g = group_of(b, t->dim, llabs(t->coef));
        bool unit = llabs(t->coef) == b->group[g].stride && !done[g];
        from[k] = t->sym;
        to[k] = expr_cast(a, t->sym->type, t->pivot);
        if (!unit) continue;
        done[g] = true;
        Expr *i = expr_cast(a, t->sym->type, index[g]);
        to[k] = t->coef > 0 ? expr_add(a, to[k], i) : expr_sub(a, to[k], i);
    }
    return expr_subst(a, x, r->nterms, from, to);
}
