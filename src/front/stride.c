// SPDX-License-Identifier: MIT
// stride.c -- strides of a linearised array, and subscripts divided by them.
#include "front/shape.h"
#include <stdlib.h>

// ---- finding strides -----------------------------------------------------------------------

int64_t sum_constant(const Sum *s) { return s->n && s->t[s->n - 1].n == 0 ? s->t[s->n - 1].c : 0; }

// n before n+1, n before n*m: a diagonal a[i*n + i] has n+1 as its coefficient, where
// other accesses tell that the stride is n.
static int simpler_first(const void *px, const void *py) {
    const ShapeCoef *p = px, *q = py;
    const Sum *x = p->sum, *y = q->sum;
    if (sum_degree(x) != sum_degree(y)) return sum_degree(x) - sum_degree(y);
    int64_t cx = llabs(sum_constant(x)), cy = llabs(sum_constant(y));
    if (cx != cy) return cx < cy ? -1 : 1;
    int64_t lx = llabs(x->t[0].c), ly = llabs(y->t[0].c);
    if (lx != ly) return lx < ly ? -1 : 1;
    return x->n != y->n ? x->n - y->n : q->depth - p->depth;
}

// x as whole multiples of the strides so far (the greatest first) and a number.
static bool is_made_of(Sums *k, const Sum *x, int n, Sum **strides) {
    Sum *rest = sum_add(k, x, sum_int(k, 0), 1);
    int64_t c;
    for (int i = 0; rest && i < n; i++) {
        Sum *r, *q = sum_div(k, rest, strides[i], &r);
        if (q && sum_is_const(q, &c)) rest = r;
    }
    return rest && sum_is_const(rest, &c);
}

static Sum *positive(Sums *k, const Sum *s) {
    return sum_add(k, sum_int(k, 0), s, s->t[0].c < 0 ? -1 : 1);
}

static bool is_atom(const Sum *s) { return s->n == 1 && s->t[0].n == 1 && s->t[0].c == 1; }

// A parameter that the program names; NULL: it is something else.
static const Sym *named(const Sums *k, int atom) {
    const Expr *x = atom >= 0 ? k->atoms.at[atom] : NULL;
    return x && x->kind == E_SYM && x->sym->kind == SYM_PARAM && x->sym->source ? x->sym : NULL;
}

// s with what is told of parameters in it; NULL: numbers too great.
static Sum *with_told(Sums *k, const Shape *shape, const Sum *x) {
    Sum *s = sum_add(k, x, sum_int(k, 0), 1);
    for (int i = 0; i < shape->told.n && s; i++) {
        Sum *to = sum_int(k, 0);
        for (int t = 0; t < s->n && to; t++) {
            Sum *product = sum_int(k, s->t[t].c);
            for (int f = 0; f < s->t[t].n && product; f++) {
                int atom = s->t[t].f[f];
                const ShapeTold *told = &shape->told.at[i];
                Sum *is = atom == told->atom ? told->sum : sum_atom(k, k->atoms.at[atom]);
                product = sum_mul(k, product, is);
            }
            to = product ? sum_add(k, to, product, 1) : NULL;
        }
        s = to;
    }
    return s;
}

// The one factor of x that y has not; -1: there is none, there are more, or they are no single products.
static int other_factor(const Sum *x, const Sum *y) {
    int other = -1, n = 0;
    if (x->n != 1 || y->n != 1 || x->t[0].c != 1 || y->t[0].c != 1) return -1;
    for (int i = 0, j = 0; i < x->t[0].n; i++) { // the factors are sorted
        while (j < y->t[0].n && y->t[0].f[j] < x->t[0].f[i]) j++;
        if (j < y->t[0].n && y->t[0].f[j] == x->t[0].f[i]) j++;
        else other = x->t[0].f[i], n++;
    }
    return n == 1 ? other : -1;
}

const Expr *host_quotient(Normal *m, Sums *k, Type t, const char *x, const char *by, int otherwise,
                          const char *name) {
    x = arena_printf(m->a, "(long long)(%s)", x); // what is below 0 stays so
    by = arena_printf(m->a, "(long long)(%s)", by);
    const char *source =
        arena_printf(m->a, "(%s > 0 && %s %% %s == 0 ? %s / %s : %d)", by, x, by, x, by, otherwise);
    for (int i = 0; i < k->atoms.n; i++) {
        const Expr *old = k->atoms.at[i];
        bool same = old->kind == E_SYM && old->type == t && old->sym->source;
        if (same && str_eq(old->sym->source, source)) return old;
    }
    Sym *s = NEW_AS(m->a, Sym, ((Sym){.name = name_new(m, name), .kind = SYM_PARAM, .type = t,
                                      .source = source}));
    return expr_sym(m->a, s);
}

// A coefficient as a multiple of the greatest stride so far, which the program calls `by`: what the host
// finds when it divides the parameters in which they differ. 0, so that no row is one, where something is
// left. NULL: it can't be asked.
static Sum *divided(Normal *m, Sums *k, Shape *shape, const Sum *coef, const Sum *by) {
    int x = other_factor(coef, by), y = other_factor(by, coef);
    const Sym *p = named(k, x), *q = named(k, y);
    if (!p || !q || shape->wraps) return NULL;
    Sum *of = with_told(k, shape, sum_atom(k, k->atoms.at[y]));
    const char *name = arena_printf(m->a, "%s_rows", shape->array->name);
    const Expr *rows = host_quotient(m, k, T_I64, p->source, q->source, 0, name);
    ShapeTold told = {x, of ? sum_mul(k, sum_atom(k, rows), of) : NULL};
    if (!told.sum) return NULL;
    vec_push(m->a, &shape->told, told);
    return with_told(k, shape, coef);
}

// The strides of coefficients that are sorted; false: they don't fit together.
static bool find_chain(Normal *m, Sums *k, Shape *shape, int n, const ShapeCoef *all, bool dividing) {
    Sum **strides = NEW_N(k->a, Sum *, n), *greatest = NULL; // …as the program has it
    int found = 0;
    for (int i = 0; i < n; i++) {
        Sum *stride = with_told(k, shape, all[i].sum), *r = sum_int(k, 0);
        if (!stride) return false;
        if (is_made_of(k, stride, found, strides)) continue;
        if (found && (!sum_div(k, stride, strides[0], &r) || r->n))
            stride = dividing ? divided(m, k, shape, all[i].sum, greatest) : NULL;
        if (!stride) return false;
        for (int j = found++; j > 0; j--) strides[j] = strides[j - 1];
        strides[0] = stride, greatest = all[i].sum;
    }
    bool one_sym = found == 1 && strides[0]->n == 1 && strides[0]->t[0].n == 1;
    if (shape->wraps && !one_sym) return false; // no bound to check could be given
    shape->strides = strides;
    shape->nstrides = found;
    return found > 0;
}

// ---- scales ------------------------------------------------------------------------------------
// What counters are multiplied by in a row and from row to row is no stride:
//
//   in[(c * H + oy * st + r) * W + ox * st + q]      coefficients H*W, st*W, W, st, 1    strides H*W, W
//                                                    subscripts [c][oy * st + r][ox * st + q]

enum { MOST_SCALES = 2, MOST_NAMED = 6 };

static bool shape_scales(const Shape *shape, int atom) {
    for (int i = 0; i < shape->nscales; i++)
        if (shape->scale[i] == atom) return true;
    return false;
}

// The coefficients without the scales.
static bool unscaled(Sums *k, const Shape *shape, int n, const ShapeCoef *all, ShapeCoef *out) {
    for (int i = 0; i < n; i++) {
        Sum *to = sum_int(k, 0);
        for (int t = 0; t < all[i].sum->n && to; t++) {
            const Term *from = &all[i].sum->t[t];
            Term term = {.c = from->c, .f = NEW_N(k->a, int, from->n)};
            for (int f = 0; f < from->n; f++)
                if (!shape_scales(shape, from->f[f])) term.f[term.n++] = from->f[f];
            Sum one = {1, &term};
            to = sum_add(k, to, &one, 1);
        }
        if (!to) return false;
        out[i] = (ShapeCoef){to, all[i].depth};
    }
    qsort(out, (size_t)n, sizeof *out, simpler_first);
    return true;
}

typedef struct Scales {
    int atom[MOST_NAMED], n;
} Scales;

static void add_scale(const Sums *k, Scales *s, int atom) {
    if (s->n == MOST_NAMED || !named(k, atom)) return;
    for (int i = 0; i < s->n; i++)
        if (s->atom[i] == atom) return;
    s->atom[s->n++] = atom;
}

// What may be a scale: parameters that are coefficients by themselves, those of outer loops first; then those
// in coefficients that are products, where a group of rows is one,
//
//   x[((i * c) + q * cg + j) * s + k]                coefficients c*s, cg*s, s, 1        strides c*s, s
static Scales scales_of(const Sums *k, int n, const ShapeCoef *all) {
    Scales s = {0};
    for (int i = n; i-- > 0;)
        if (is_atom(all[i].sum)) add_scale(k, &s, all[i].sum->t[0].f[0]);
    for (int i = 0; i < n; i++)
        for (int f = 0; all[i].sum->n == 1 && f < all[i].sum->t[0].n; f++)
            add_scale(k, &s, all[i].sum->t[0].f[f]);
    return s;
}

// As few scales as it takes, and such that all accesses are likely to stay in rows.
static bool find_scaled(Normal *m, Sums *k, Shape *shape, int n, const ShapeCoef *all) {
    Scales s = scales_of(k, n, all);
    int names = s.n, *name = s.atom;
    ShapeCoef *less = NEW_N(k->a, ShapeCoef, n);
    for (int most = 1; most <= MOST_SCALES; most++)
        for (int i = 0; i < names; i++)
            for (int j = most > 1 ? i + 1 : i; j < (most > 1 ? names : i + 1); j++) {
                shape->nscales = 0, shape->scale[shape->nscales++] = name[i];
                if (j != i) shape->scale[shape->nscales++] = name[j];
                if (unscaled(k, shape, n, all, less) && find_chain(m, k, shape, n, less, false) &&
                    shape_stays(k, shape, false))
                    return true;
            }
    shape->nscales = shape->nstrides = 0;
    return false;
}

// Does a loop over as many iterations as the scale says go along where the scale itself is the next stride?
// Then rows of that length are what the program means:
//
//   for (q…) for (j = 0; j < each; j++)  … x[(i * c + q * each + j) * s + k]
static bool is_row_length(Sums *k, const ShapeSeen *x, const ShapeTerms *terms, int at, int scale) {
    const Expr *atom = k->atoms.at[terms->at[at].atom];
    for (int l = 0; atom->kind == E_SYM && l < x->nloops; l++) {
        if (x->loops[l].iter != atom->sym) continue;
        Sum *lo = sum_of(k, x->loops[l].lo), *hi = sum_of(k, x->loops[l].hi), *r;
        if (!lo || lo->n || !hi || !is_atom(hi) || hi->t[0].f[0] != scale) return false;
        for (int i = 0; i < terms->n; i++) {
            const Sum *row = terms->at[i].coef, *along = terms->at[at].coef;
            Sum *q = row && along ? sum_div(k, positive(k, row), positive(k, along), &r) : NULL;
            if (q && !r->n && is_atom(q) && q->t[0].f[0] == scale) return true;
        }
    }
    return false;
}

static bool scales_are_lengths(Sums *k, const Shape *shape) {
    for (int i = 0; i < shape->seen.n; i++) {
        const ShapeSeen *x = &shape->seen.at[i];
        ShapeTerms terms = {0};
        Sum *fixed;
        shape_terms(k, x->x, &terms, &fixed);
        for (int t = 0; t < terms.n; t++)
            for (int c = 0; c < shape->nscales; c++)
                if (is_row_length(k, x, &terms, t, shape->scale[c])) return true;
    }
    return false;
}

static bool shares_factor(const Term *t, const Sum *s) {
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->t[i].n; j++)
            for (int f = 0; f < t->n; f++)
                if (t->f[f] == s->t[i].f[j]) return true;
    return false;
}

// Does a counter go from element to element?
static bool goes_along(Sums *k, const Shape *shape) {
    for (int i = 0; i < shape->seen.n; i++) {
        ShapeTerms terms = {0};
        Sum *fixed;
        int64_t c;
        shape_terms(k, shape->seen.at[i].x, &terms, &fixed);
        for (int t = 0; t < terms.n; t++)
            if (terms.at[t].coef && sum_is_const(terms.at[t].coef, &c)) return true;
    }
    return false;
}

// Does a counter that goes along a row end the sooner the longer rows are? Places d apart are no rows:
//   for (i = 0; i < n - d * (m - 1); i++) for (k = 0; k < m; k++)  s += x[i + d * k]
static bool overlaps(Sums *k, const Shape *shape) {
    const Sum *stride = shape->strides[0];
    for (int i = 0; i < shape->seen.n && !shape->written; i++) {
        const ShapeSeen *x = &shape->seen.at[i];
        ShapeTerms terms = {0};
        Sum *fixed;
        shape_terms(k, x->x, &terms, &fixed);
        for (int t = 0; t < terms.n; t++)
            for (int l = 0; l < x->nloops; l++) {
                const Expr *atom = k->atoms.at[terms.at[t].atom];
                int64_t c;
                bool along = terms.at[t].coef && sum_is_const(terms.at[t].coef, &c);
                Sum *hi = along && atom->kind == E_SYM && atom->sym == x->loops[l].iter
                              ? sum_of(k, x->loops[l].hi) : NULL;
                for (int j = 0; hi && j < hi->n; j++)
                    if (hi->t[j].c < 0 && hi->t[j].n > 0 && shares_factor(&hi->t[j], stride)) return true;
            }
    }
    return false;
}

bool shape_find(Normal *m, Sums *k, Shape *shape, bool dividing) {
    if (shape->failed) return false;
    if (!shape->coefs.n) return shape_find_rows(k, shape) || shape_find_edges(k, shape);
    int n = shape->coefs.n;
    ShapeCoef *all = NEW_N(k->a, ShapeCoef, n);
    for (int i = 0; i < n; i++)
        all[i] = (ShapeCoef){positive(k, shape->coefs.at[i].sum), shape->coefs.at[i].depth};
    qsort(all, (size_t)n, sizeof *all, simpler_first);
    if (find_chain(m, k, shape, n, all, false)) {
        if (shape->nstrides == 1 && overlaps(k, shape)) shape->nstrides = 0;
        return shape->nstrides > 0;
    }
    bool scales = !shape->wraps && !(dividing && shape->written) && goes_along(k, shape),
         scaled = scales && find_scaled(m, k, shape, n, all);
    if (scaled && !scales_are_lengths(k, shape)) return true;
    if ((scaled || dividing) && find_chain(m, k, shape, n, all, true)) {
        shape->nscales = 0;
        return true;
    }
    shape->told.n = 0;
    return scaled;
}

// ---- the array -------------------------------------------------------------------------------

static Expr *extent_expr(Sums *k, const Sum *s) {
    return sum_expr(k, s, is_atom(s) ? k->atoms.at[s->t[0].f[0]]->type : T_I64);
}

// Below 2^32 elements no product in 32-bit unsigned arithmetic can have wrapped; the host
// computes how many rows that is.
static Expr *row_limit(Normal *m, const Array *v, Expr *inner) {
    if (inner->kind != E_SYM || !inner->sym->source) return NULL;
    const char *text = inner->sym->source;
    Sym *s = NEW(m->a, Sym);
    s->name = name_new(m, arena_printf(m->a, "%s_rows", v->name));
    s->kind = SYM_PARAM;
    s->type = T_I64;
    s->source = arena_printf(m->a, "((%s) > 0 ? 4294967296LL / (long long)(%s) : 0)", text, text);
    return expr_sym(m->a, s);
}

static Expr *first_extent(Normal *m, Sums *k, const Shape *shape, const Array *v) {
    if (shape->flat) return NULL;
    if (shape->wraps && shape->nstrides == 1) return row_limit(m, v, extent_expr(k, shape->strides[0]));
    if (!v->extent || !v->extent[0]) return NULL;
    Sum *r, *whole = sum_of(k, v->extent[0]), *q = whole ? sum_div(k, whole, shape->strides[0], &r) : NULL;
    return q && !r->n ? extent_expr(k, q) : NULL;
}

const Array *shape_array(Normal *m, Sums *k, const Shape *shape, const Array *v) {
    Array *w = NEW_AS(m->a, Array, *v);
    int d = shape->nstrides, rank = shape->flat ? 1 : v->rank;
    w->rank = rank + d;
    w->constant_size = w->rows = false;
    w->extent = NEW_N(m->a, Expr *, w->rank);
    w->extent[0] = first_extent(m, k, shape, v);
    for (int i = 1; i <= d; i++) {
        Sum *r, *q = i < d ? sum_div(k, shape->strides[i - 1], shape->strides[i], &r) : shape->strides[d - 1];
        w->extent[i] = extent_expr(k, q);
    }
    for (int i = 1; i < rank; i++) w->extent[d + i] = v->extent[i];
    return w;
}

// ---- trying out ----------------------------------------------------------------------------------

enum { SOME_SIZE = 1000 }; // what a parameter of a stride counts as; others count half: in
                           // a[i*n + i] with a fixed i, i is a column

static bool is_in_stride(const Sums *k, const Expr *x) {
    for (int i = 0; k->sized && i < k->sized->nstrides; i++) {
        const Sum *s = k->sized->strides[i];
        for (int t = 0; t < s->n; t++)
            for (int f = 0; f < s->t[t].n; f++)
                if (expr_uses_sym(k->atoms.at[s->t[t].f[f]], x->sym)) return true;
    }
    return false;
}

static bool is_scale(const Sums *k, const Expr *x) {
    for (int i = 0; k->sized && i < k->sized->nscales; i++)
        if (k->atoms.at[k->sized->scale[i]]->sym == x->sym) return true;
    return false;
}

static double try_expr(Sums *k, const Expr *x, int nloops, const ShapeLoop *loops, bool greatest);

// v, the least or greatest value of x where cond holds, moved to where that bounds x.
static double try_where(Sums *k, const Expr *cond, const Expr *x, double v, int nloops,
                        const ShapeLoop *loops, bool greatest) {
    if (cond->kind != E_OP || cond->nargs != 2) return v;
    if (cond->op == OP_LAND) {
        v = try_where(k, cond->args[0], x, v, nloops, loops, greatest);
        return try_where(k, cond->args[1], x, v, nloops, loops, greatest);
    }
    bool below = cond->op == OP_LT || cond->op == OP_LE, above = cond->op == OP_GT || cond->op == OP_GE;
    bool turned = expr_equal(cond->args[1], x);
    if (!(below || above) || greatest != (below != turned)) return v;
    if (!turned && !expr_equal(cond->args[0], x)) return v;
    double end = try_expr(k, cond->args[!turned], nloops, loops, greatest);
    if (cond->op == OP_LT || cond->op == OP_GT) end += greatest ? -1 : 1;
    return greatest == (end < v) ? end : v;
}

static double try_atom(Sums *k, const Expr *x, int nloops, const ShapeLoop *loops, bool greatest) {
    if (x->kind == E_SYM && x->sym->kind == SYM_PARAM)
        return is_in_stride(k, x) ? SOME_SIZE : is_scale(k, x) ? 1 : SOME_SIZE / 2;
    if (x->kind == E_SYM)
        for (int i = nloops - 1; i >= 0; i--) {
            if (loops[i].iter != x->sym) continue;
            const ShapeLoop *l = &loops[i];
            if (greatest) return try_expr(k, l->hi, i, loops, true) - (l->upward ? 1 : 0);
            return try_expr(k, l->lo, i, loops, false) + (l->upward ? 0 : 1);
        }
    if (x->kind == E_OP && x->nargs == 2 && (x->op == OP_DIV || x->op == OP_FDIV)) {
        double y = try_expr(k, x->args[1], nloops, loops, !greatest);
        return y ? try_expr(k, x->args[0], nloops, loops, greatest) / y : 0;
    }
    if (x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX)) {
        double a = try_expr(k, x->args[0], nloops, loops, greatest);
        double b = try_expr(k, x->args[1], nloops, loops, greatest);
        return (x->op == OP_MIN) == (a < b) ? a : b;
    }
    if (x->kind == E_OP && x->op == OP_SELECT) {
        double a = try_expr(k, x->args[1], nloops, loops, greatest);
        double b = try_expr(k, x->args[2], nloops, loops, greatest);
        a = try_where(k, x->args[0], x->args[1], a, nloops, loops, greatest);
        return greatest == (a > b) ? a : b;
    }
    return 0;
}

// About the least or greatest value of a sum over the loops around.
static double try_sum(Sums *k, const Sum *s, int nloops, const ShapeLoop *loops, bool greatest) {
    double total = 0;
    for (int i = 0; i < s->n; i++) {
        double v = (double)s->t[i].c;
        for (int j = 0; j < s->t[i].n; j++)
            v *= try_atom(k, k->atoms.at[s->t[i].f[j]], nloops, loops, greatest == (s->t[i].c > 0));
        total += v;
    }
    return total;
}

static double try_expr(Sums *k, const Expr *x, int nloops, const ShapeLoop *loops, bool greatest) {
    Sum *s = sum_of(k, x);
    return s ? try_sum(k, s, nloops, loops, greatest) : 0;
}

static bool bounds_a_loop(Sums *k, const Term *t, int nloops, const ShapeLoop *loops) {
    for (int f = 0; f < t->n; f++) {
        const Expr *atom = k->atoms.at[t->f[f]];
        for (int i = 0; i < nloops && atom->kind == E_SYM; i++)
            if (expr_uses_sym(loops[i].lo, atom->sym) || expr_uses_sym(loops[i].hi, atom->sym)) return true;
    }
    return false;
}

// s without parameters that have nothing to do with the stride or the loops: `off` in
// a[off + i*n + j] may be anything.
static Sum *comparable(Sums *k, const Sum *s, const Sum *stride, int nloops, const ShapeLoop *loops) {
    Sum *r = sum_int(k, 0);
    for (int i = 0; i < s->n; i++) {
        bool varies = s->t[i].n == 0;
        for (int j = 0; j < s->t[i].n; j++) varies |= expr_varies(k->atoms.at[s->t[i].f[j]]);
        Sum one = {1, &s->t[i]};
        varies |= shares_factor(&s->t[i], stride) || bounds_a_loop(k, &s->t[i], nloops, loops);
        if (varies) r = sum_add(k, r, &one, 1);
    }
    return r;
}

double shape_outside(Sums *k, const Sum *s, const Sum *stride, int nloops, const ShapeLoop *loops) {
    s = comparable(k, s, stride, nloops, loops);
    double lo = try_sum(k, s, nloops, loops, false), hi = try_sum(k, s, nloops, loops, true);
    for (int i = 0; i < k->facts.n; i++) {
        const Sum *less = sum_add(k, s, k->facts.at[i], -1), *more = sum_add(k, s, k->facts.at[i], 1);
        double least = less ? try_sum(k, less, nloops, loops, false) : lo,
               most = more ? try_sum(k, more, nloops, loops, true) : hi;
        if (least > lo) lo = least;
        if (most < hi) hi = most;
    }
    double limit = try_sum(k, stride, 0, NULL, true) - 1;
    return (lo < 0 ? -lo : 0) + (hi > limit ? hi - limit : 0);
}

// ---- splitting -------------------------------------------------------------------------------------

typedef struct Split {
    Sum *row, *rest; // x = row * stride + rest
} Split;

// Divides each coefficient by the stride; what a division leaves goes to rest.
static Split divide(Sums *k, const Shape *shape, const ShapeTerms *terms, const Sum *fixed,
                    const Sum *stride) {
    Sum *r, *q = sum_div(k, fixed, stride, &r);
    Split s = {q, r};
    int64_t c;
    for (int i = 0; i < terms->n; i++) {
        Sum *atom = sum_atom(k, k->atoms.at[terms->at[i].atom]);
        q = sum_div(k, terms->at[i].coef, stride, &r);
        bool scaled = q && shape->nscales && q->n == 1 && !r->n;
        for (int f = 0; scaled && f < q->t[0].n; f++) scaled = shape_scales(shape, q->t[0].f[f]);
        if (!q || (!sum_is_const(q, &c) && !scaled)) {
            q = sum_int(k, 0);
            r = terms->at[i].coef;
        }
        s.row = sum_add(k, s.row, sum_mul(k, atom, q), 1);
        s.rest = sum_add(k, s.rest, sum_mul(k, atom, r), 1);
    }
    return s;
}

// i*n + n - 1 - j is row i+1 column -1-j, or better row i column n-1-j.
static Split adjust(Sums *k, Split s, const Sum *stride, int nloops, const ShapeLoop *loops) {
    static const int shifts[] = {-1, 1, -2, 2};
    Split best = s;
    double least = shape_outside(k, s.rest, stride, nloops, loops);
    for (int i = 0; i < 4 && least > 0; i++) {
        Split t = {sum_add(k, s.row, sum_int(k, shifts[i]), 1), sum_add(k, s.rest, stride, -shifts[i])};
        double far = t.row && t.rest ? shape_outside(k, t.rest, stride, nloops, loops) : least;
        if (far >= least || far > SOME_SIZE / 10) continue; // still far outside: it proves nothing
        least = far;
        best = t;
    }
    return best;
}

// A sum again as coefficients of its varying atoms.
static Expr *subscript(Sums *k, const Sum *s, Type as) {
    if (is_atom(s)) return k->atoms.at[s->t[0].f[0]];
    return sum_expr(k, s, as);
}

static Type index_type(Sums *k, const Expr *x, const Sum *s) {
    if (type_size(x->type) > 4) return T_I64;
    for (int i = 0; i < s->n; i++) {
        if (s->t[i].c != (int32_t)s->t[i].c) return T_I64;
        for (int j = 0; j < s->t[i].n; j++) {
            Type t = k->atoms.at[s->t[i].f[j]]->type;
            if (type_size(t) > 4 || t == T_U32) return T_I64;
        }
    }
    return T_I32;
}

void shape_split(Sums *k, const Shape *shape, Expr *x, int nloops, const ShapeLoop *loops, Expr **to) {
    Expr *rest = x;
    k->sized = shape;
    for (int i = 0; i < shape->nstrides; i++) {
        ShapeTerms terms = {0};
        Sum *fixed = NULL;
        shape_terms(k, rest, &terms, &fixed);
        for (int t = 0; t < terms.n; t++) terms.at[t].coef = with_told(k, shape, terms.at[t].coef);
        fixed = with_told(k, shape, fixed);
        Split s = divide(k, shape, &terms, fixed, shape->strides[i]);
        if (s.row && s.rest) s = adjust(k, s, shape->strides[i], nloops, loops);
        else s = (Split){sum_int(k, 0), sum_of(k, rest)}; // numbers too great
        to[i] = subscript(k, s.row, index_type(k, x, s.row));
        rest = subscript(k, s.rest, index_type(k, x, s.rest));
    }
    to[shape->nstrides] = rest;
}
