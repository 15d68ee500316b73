// SPDX-License-Identifier: MIT
// certificate_sets.c -- sets and relations of a certificate as conjunctions of affine rows, and relations as
// functions wherever they are such.
#include "equal/certificate.h"
#include <isl/aff.h>
#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>

void certificate_lacks(Certificate *k, const char *why) {
    if (!k->why) k->why = why;
}

static isl_space *parameters(Certificate *k) {
    Poly *p = k->p->f->poly;
    isl_space *space = isl_space_params_alloc(p->ctx, 0);
    for (int i = 0; i < p->params.n; i++) {
        space = isl_space_insert_dims(space, isl_dim_param, (unsigned)i, 1);
        space = isl_space_set_dim_id(space, isl_dim_param, (unsigned)i, poly_param(p, p->params.at[i]));
    }
    return space;
}

static isl_set *aligned_set(Certificate *k, isl_set *s) { return isl_set_align_params(s, parameters(k)); }

static void put_value(Certificate *k, Text *t, isl_val *v) {
    if (!v || isl_val_is_int(v) != isl_bool_true || isl_val_cmp_si(v, INT32_MAX) > 0 ||
        isl_val_cmp_si(v, -(long)INT32_MAX) < 0)
        certificate_lacks(k, "a set with large numbers");
    text_printf(t, " %ld", v ? isl_val_get_num_si(v) : 0);
    isl_val_free(v);
}

// Coefficients of an affine function, times its denominator: the number, parameters, dimensions, and its own
// quotients, which stand `skip` places later.
static void put_aff(Certificate *k, Text *t, const char *word, isl_aff *f, int skip) {
    isl_val *den = isl_aff_get_denominator_val(f);
    isl_aff *g = isl_aff_scale_val(f, isl_val_copy(den));
    text_printf(t, " (%s", word);
    put_value(k, t, den);
    put_value(k, t, isl_aff_get_constant_val(g));
    static const enum isl_dim_type types[] = {isl_dim_param, isl_dim_in, isl_dim_div};
    for (int d = 0; d < 3; d++) {
        for (int i = 0; d == 2 && i < skip; i++) text_put(t, " 0");
        for (int i = 0; i < isl_aff_dim(g, types[d]); i++)
            put_value(k, t, isl_aff_get_coefficient_val(g, types[d], i));
    }
    text_put(t, ")");
    isl_aff_free(g);
}

typedef struct Piecing {
    Certificate *k;
    Text *t;
    isl_multi_aff *images; // NULL: of a set
} Piecing;

static void put_rows(Certificate *k, Text *t, const char *word, isl_mat *m) {
    for (int r = 0; r < isl_mat_rows(m); r++) {
        text_printf(t, " (%s", word);
        for (int c = 0; c < isl_mat_cols(m); c++) put_value(k, t, isl_mat_get_element_val(m, r, c));
        text_put(t, ")");
    }
    isl_mat_free(m);
}

static isl_stat put_piece(isl_basic_set *b, void *arg) {
    Piecing *p = arg;
    Text *t = p->t;
    Certificate *k = p->k;
    int divs = (int)isl_basic_set_dim(b, isl_dim_div);
    text_put(t, "\n  (piece");
    for (int i = 0; i < divs; i++) {
        isl_aff *f = isl_basic_set_get_div(b, i);
        if (!f || isl_aff_is_nan(f) == isl_bool_true) certificate_lacks(k, "a set that has no quotients");
        if (f) put_aff(k, t, "div", f, 0);
    }
    put_rows(k, t, "eq",
             isl_basic_set_equalities_matrix(b, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
    put_rows(k, t, "ge",
             isl_basic_set_inequalities_matrix(b, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
    for (int i = 0; p->images && i < isl_multi_aff_dim(p->images, isl_dim_out); i++) {
        isl_aff *f = isl_multi_aff_get_aff(p->images, i);
        int own = (int)isl_aff_dim(f, isl_dim_div);
        for (int d = 0; d < own; d++) put_aff(k, t, "div", isl_aff_get_div(f, d), divs);
        put_aff(k, t, "is", f, divs);
        divs += own;
    }
    text_put(t, ")");
    isl_basic_set_free(b);
    return isl_stat_ok;
}

void certificate_set(Certificate *k, Text *t, isl_set *s) {
    Piecing p = {k, t, NULL};
    s = isl_set_compute_divs(aligned_set(k, isl_set_coalesce(s)));
    if (isl_set_foreach_basic_set(s, put_piece, &p) != isl_stat_ok)
        certificate_lacks(k, "a set that isl can't tell");
    isl_set_free(s);
}

static isl_stat put_image(isl_set *s, isl_multi_aff *f, void *arg) {
    Piecing p = *(Piecing *)arg;
    isl_space *space;
    s = isl_set_compute_divs(aligned_set(p.k, s));
    space = isl_space_params(isl_set_get_space(s));
    p.images = isl_multi_aff_align_params(f, space);
    isl_stat ok = isl_set_foreach_basic_set(s, put_piece, &p);
    isl_set_free(s);
    isl_multi_aff_free(p.images);
    return ok;
}

void certificate_function(Certificate *k, Text *t, isl_pw_multi_aff *f) {
    Piecing p = {k, t, NULL};
    if (!f || isl_pw_multi_aff_foreach_piece(f, put_image, &p) != isl_stat_ok)
        certificate_lacks(k, "a map that isl can't tell");
    isl_pw_multi_aff_free(f);
}

// ---- functions --------------------------------------------------------------------------------------
//   128 bx + tx + 5120 q = i,  0 <= bx < 40,  0 <= tx < 128
//   q = floor(i / 5120), bx = floor((i - 5120 q) / 128), …
//
// Columns are the number, parameters and dimensions, which are known, then quantified variables and images,
// which are solved one by one: the largest digit of an equality first.
typedef struct Solving {
    Certificate *k;
    int known, all; // columns
    int neq, nge;
    int64_t **eq, **ge; // rows
    bool *solved;
    int order[64], n; // of the columns that were solved
    Text t; // their quotients
} Solving;

static int64_t **rows_of(Certificate *k, isl_mat *m, int *n, int more) {
    int cols = (int)isl_mat_cols(m);
    *n = (int)isl_mat_rows(m);
    int64_t **rows = NEW_N(k->a, int64_t *, *n + more + 1);
    for (int r = 0; r < *n; r++) {
        rows[r] = NEW_N(k->a, int64_t, cols + 1);
        for (int c = 0; c < cols; c++) {
            isl_val *v = isl_mat_get_element_val(m, r, c);
            if (isl_val_cmp_si(v, INT32_MAX) > 0 || isl_val_cmp_si(v, -(long)INT32_MAX) < 0)
                certificate_lacks(k, "a set with large numbers");
            rows[r][c] = isl_val_get_num_si(v);
            isl_val_free(v);
        }
    }
    isl_mat_free(m);
    return rows;
}

static bool is_open(const Solving *s, const int64_t *row, int c) {
    return row[c] && c >= s->known && !s->solved[c];
}

// Column c is floor((by * row without c + number) / den).
static void solve_as(Solving *s, int c, const int64_t *row, int by, int64_t number, int64_t den) {
    text_printf(&s->t, " (div %lld %lld", (long long)den, (long long)(by * row[0] + number));
    for (int i = 1; i < s->known; i++) text_printf(&s->t, " %lld", (long long)(by * row[i]));
    for (int i = 0; i < s->n; i++) text_printf(&s->t, " %lld", (long long)(by * row[s->order[i]]));
    text_put(&s->t, ")");
    s->solved[c] = true;
    s->order[s->n++] = c;
}

// Numbers between which a column lies.
static bool range_of(const Solving *s, int c, int64_t *lo, int64_t *hi) {
    bool low = false, high = false;
    for (int r = 0; r < s->nge; r++) {
        const int64_t *row = s->ge[r];
        bool alone = row[c] == 1 || row[c] == -1;
        for (int i = 1; i < s->all && alone; i++) alone = i == c || !row[i];
        if (alone && row[c] > 0 && (!low || -row[0] > *lo)) *lo = -row[0], low = true;
        if (alone && row[c] < 0 && (!high || row[0] < *hi)) *hi = row[0], high = true;
    }
    return low && high;
}

// The row is between 0 and width.
static bool solve_digit(Solving *s, const int64_t *row, int64_t width) {
    int top = 0;
    int64_t least = 0, most = 0;
    for (int c = s->known; c < s->all; c++)
        if (is_open(s, row, c) && (!top || llabs(row[c]) > llabs(row[top]))) top = c;
    if (!top) return false;
    int64_t sign = row[top] > 0 ? 1 : -1, den = llabs(row[top]);
    if (sign > 0) least = -width;
    else most = width;
    for (int c = s->known; c < s->all; c++) {
        int64_t lo = 0, hi = 0, by = sign * row[c];
        if (c == top || !is_open(s, row, c)) continue;
        if (!range_of(s, c, &lo, &hi)) return false;
        least += by > 0 ? by * lo : by * hi;
        most += by > 0 ? by * hi : by * lo;
    }
    if (most - least >= den) return false;
    solve_as(s, top, row, (int)-sign, -least, den);
    return true;
}

// y with column c replaced as the equality x says; NULL: it can't be.
static int64_t *replaced(const Solving *s, const int64_t *x, const int64_t *y, int c) {
    if (x == y || llabs(x[c]) != 1 || !y[c] || llabs(y[c]) > 1 << 20) return NULL;
    int64_t *z = NEW_N(s->k->a, int64_t, s->all + 1);
    for (int i = 0; i < s->all; i++) z[i] = y[i] - x[c] * y[c] * x[i];
    return z;
}

// Two bounds of one sum.
static bool solve_between(Solving *s) {
    for (int r = 0; r < s->nge; r++)
        for (int q = 0; q < s->nge; q++) {
            const int64_t *low = s->ge[r], width = low[0] + s->ge[q][0], *z;
            bool opposite = r != q && width < INT32_MAX;
            for (int i = 1; i < s->all && opposite; i++) opposite = low[i] + s->ge[q][i] == 0;
            if (opposite && solve_digit(s, low, width)) return true;
            for (int e = 0; e < s->neq && opposite; e++)
                for (int c = s->known; c < s->all; c++)
                    if ((z = replaced(s, s->eq[e], low, c)) && solve_digit(s, z, width)) return true;
        }
    return false;
}

enum { MOST_EQUALITIES = 60 };
static void combine_equalities(Solving *s) {
    int begin = s->neq;
    for (int e = 0; e < begin; e++)
        for (int c = s->known; c < s->all; c++)
            for (int f = 0; f < begin && s->neq < MOST_EQUALITIES; f++) {
                int64_t *z = replaced(s, s->eq[e], s->eq[f], c);
                if (z) s->eq[s->neq++] = z;
            }
}

static void put_solved_rows(Solving *s, Text *t, const char *word, int64_t **rows, int n) {
    for (int r = 0; r < n; r++) {
        text_printf(t, " (%s", word);
        for (int c = 0; c < s->known; c++) text_printf(t, " %lld", (long long)rows[r][c]);
        for (int i = 0; i < s->n; i++) text_printf(t, " %lld", (long long)rows[r][s->order[i]]);
        text_put(t, ")");
    }
}

// False: it is not told by equalities in this way.
static bool put_solved(Certificate *k, Text *t, isl_basic_map *b) {
    enum isl_dim_type in[] = {isl_dim_cst, isl_dim_param, isl_dim_in, isl_dim_div, isl_dim_out};
    int outs = (int)isl_basic_map_dim(b, isl_dim_out), rows;
    int known = 1 + (int)isl_basic_map_dim(b, isl_dim_param) + (int)isl_basic_map_dim(b, isl_dim_in);
    Solving s = {.k = k, .known = known, .all = known + (int)isl_basic_map_dim(b, isl_dim_div) + outs};
    s.t = text_new(k->a);
    s.eq = rows_of(k, isl_basic_map_equalities_matrix(b, in[0], in[1], in[2], in[3], in[4]), &s.neq,
                   MOST_EQUALITIES);
    s.ge = rows_of(k, isl_basic_map_inequalities_matrix(b, in[0], in[1], in[2], in[3], in[4]), &s.nge, 0);
    s.solved = NEW_N(k->a, bool, s.all + 1);
    rows = s.neq;
    if (s.all - known > 60 || s.neq > MOST_EQUALITIES) return false;
    combine_equalities(&s);
    for (int before = -1; before != s.n && s.n < s.all - known;) {
        before = s.n;
        for (int e = 0; e < s.neq && before == s.n; e++) solve_digit(&s, s.eq[e], 0);
        if (before == s.n) solve_between(&s);
    }
    if (s.n < s.all - known) return false;
    text_printf(t, "\n  (piece%s", text_str(&s.t));
    put_solved_rows(&s, t, "eq", s.eq, rows);
    put_solved_rows(&s, t, "ge", s.ge, s.nge);
    for (int c = s.all - outs; c < s.all; c++) {
        text_put(t, " (is 1");
        for (int i = 0; i < known; i++) text_put(t, " 0");
        for (int i = 0; i < s.n; i++) text_printf(t, " %d", s.order[i] == c);
        text_put(t, ")");
    }
    text_put(t, ")");
    return true;
}

static isl_stat put_mapping(isl_basic_map *b, void *arg) {
    Piecing *p = arg;
    if (put_solved(p->k, p->t, b)) isl_basic_map_free(b);
    else certificate_function(p->k, p->t, isl_map_lexmin_pw_multi_aff(isl_map_from_basic_map(b)));
    return isl_stat_ok;
}

void certificate_map(Certificate *k, Text *t, isl_map *m) {
    Piecing p = {k, t, NULL};
    m = isl_map_coalesce(isl_map_align_params(m, parameters(k)));
    if (isl_map_foreach_basic_map(m, put_mapping, &p) != isl_stat_ok)
        certificate_lacks(k, "a map that isl can't tell");
    isl_map_free(m);
}

isl_set *certificate_pairs(const isl_map *m) {
    return isl_set_flatten(isl_map_wrap(isl_map_copy((isl_map *)m)));
}
