// SPDX-License-Identifier: MIT
// factor.c -- the part of a relation that has to do with some of its dimensions.
//
//   { [kt, yw, yl] -> [kt', yw', yl'] : kt' + 3 = kt - 4 q and 0 <= kt' < n, yw' = yw, 0 <= yl' = yl < 4 }
//
//   is the product of a relation between kt and kt', one between yw and yw', and one between yl and yl'.
//   Which kt' is the greatest is asked of the first alone.
//
// A piece of a relation is what its constraints say, with some unknowns. Dimensions and unknowns that a
// constraint has together belong together. For each value of the parameters the piece is the product of what
// is said of each such group; pieces that differ in one group alone are that product of the union.
#include "dep/factor.h"
#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>

enum { FACTOR_DIMS = 96 };

typedef struct Groups {
    int nin, ndims;          // in, then out: as one set has them
    int group[FACTOR_DIMS];  // of each dimension, a number; then of each unknown of the piece at hand
} Groups;

// The group of y is that of x, too, from here on.
static void join(Groups *g, int n, int x, int y) {
    int from = g->group[x], to = g->group[y];
    for (int i = 0; i < n; i++)
        if (g->group[i] == from) g->group[i] = to;
}

// The constraints of a piece: equalities and inequalities, a row each, over its dimensions, its unknowns, the
// parameters and one.
typedef struct Rows {
    isl_mat *mat[2];
} Rows;

static Rows rows_of(__isl_keep isl_basic_set *piece) {
    const enum isl_dim_type x = isl_dim_set, y = isl_dim_div, z = isl_dim_param, one = isl_dim_cst;
    return (Rows){{isl_basic_set_equalities_matrix(piece, x, y, z, one),
                   isl_basic_set_inequalities_matrix(piece, x, y, z, one)}};
}

static void drop_rows(Rows *rows) {
    for (int k = 0; k < 2; k++) isl_mat_free(rows->mat[k]);
}

// The first of the columns from..n of a row that says something; n: none does.
static int next_in(isl_mat *m, int row, int from, int n) {
    for (; from < n; from++) {
        isl_val *v = isl_mat_get_element_val(m, row, from);
        bool zero = isl_val_is_zero(v) == isl_bool_true;
        isl_val_free(v);
        if (!zero) break;
    }
    return from;
}

// Joins what the constraints of one piece have together; its unknowns are the last in g. False: too many.
static bool join_piece(Groups *g, isl_basic_set *piece) {
    int n = g->ndims + (int)isl_basic_set_dim(piece, isl_dim_div);
    if (n > FACTOR_DIMS) return false;
    for (int i = g->ndims; i < n; i++) g->group[i] = i;
    Rows rows = rows_of(piece);
    for (int k = 0; k < 2; k++)
        for (int row = 0; row < isl_mat_rows(rows.mat[k]); row++) {
            int first = next_in(rows.mat[k], row, 0, n);
            for (int i = first; (i = next_in(rows.mat[k], row, i + 1, n)) < n;) join(g, n, i, first);
        }
    drop_rows(&rows);
    for (int i = g->ndims - 1; i >= 0; i--) // named by its first dimension, which no unknown has for a name
        for (int k = 0, from = g->group[i]; k < n && from >= g->ndims; k++)
            if (g->group[k] == from) g->group[k] = i;
    return true;
}

// The constraints of a piece on those dimensions, and what unknowns go with them, that are in the groups (or
// are not), over all dimensions.
static isl_set *part_of(const Groups *g, isl_basic_set *piece, const bool *inside, bool wanted) {
    int ndivs = (int)isl_basic_set_dim(piece, isl_dim_div), n = g->ndims + ndivs;
    isl_space *space = isl_space_add_dims(isl_basic_set_get_space(piece), isl_dim_set, (unsigned)ndivs);
    Rows rows = rows_of(piece);
    for (int k = 0; k < 2; k++)
        for (int row = (int)isl_mat_rows(rows.mat[k]) - 1; row >= 0; row--) {
            int first = next_in(rows.mat[k], row, 0, n);
            bool in = first < n && inside[g->group[first]];
            if (in != wanted) rows.mat[k] = isl_mat_drop_rows(rows.mat[k], (unsigned)row, 1);
        }
    isl_basic_set *out = isl_basic_set_from_constraint_matrices(space, rows.mat[0], rows.mat[1], isl_dim_set,
                                                                isl_dim_div, isl_dim_param, isl_dim_cst);
    out = isl_basic_set_project_out(out, isl_dim_set, (unsigned)g->ndims, (unsigned)ndivs);
    return isl_set_from_basic_set(out);
}

static isl_basic_set *piece_of(__isl_keep isl_basic_set_list *all, int i) {
    return isl_basic_set_list_get_basic_set(all, i);
}

// The product's factor for the groups that are inside, over all dimensions; NULL: it is none.
static isl_set *common_factor(Groups *g, __isl_keep isl_basic_set_list *all, const bool *inside) {
    isl_set *rest = NULL, *sum = NULL;
    bool same = true;
    for (int i = 0; i < isl_basic_set_list_n_basic_set(all) && same; i++) {
        isl_basic_set *piece = piece_of(all, i);
        join_piece(g, piece);
        isl_set *in = part_of(g, piece, inside, true), *out = part_of(g, piece, inside, false);
        isl_basic_set_free(piece);
        same = !rest || isl_set_plain_is_equal(rest, out) == isl_bool_true;
        sum = sum ? isl_set_union(sum, in) : in;
        isl_set_free(rest);
        rest = out;
    }
    isl_set_free(rest);
    if (same) return sum;
    isl_set_free(sum);
    return NULL;
}

static isl_basic_set_list *pieces_of(__isl_keep isl_map *m) {
    isl_set *flat = isl_set_flatten(isl_map_wrap(isl_map_copy(m)));
    isl_basic_set_list *all = isl_set_get_basic_set_list(flat);
    isl_set_free(flat);
    return all;
}

// Each dimension by itself. False: there are too many.
static bool begin(Groups *g, __isl_keep isl_map *m) {
    g->nin = (int)isl_map_dim(m, isl_dim_in);
    g->ndims = g->nin + (int)isl_map_dim(m, isl_dim_out);
    for (int i = 0; i < g->ndims && i < FACTOR_DIMS; i++) g->group[i] = i;
    return g->ndims <= FACTOR_DIMS;
}

isl_map *factor_of(isl_map *m, bool *in, bool *out) {
    Groups g;
    bool inside[FACTOR_DIMS] = {false}, fits = begin(&g, m);
    isl_basic_set_list *all = pieces_of(m);
    for (int i = 0; fits && i < isl_basic_set_list_n_basic_set(all); i++) {
        isl_basic_set *piece = piece_of(all, i);
        fits = join_piece(&g, piece);
        isl_basic_set_free(piece);
    }
    for (int i = 0; fits && i < g.ndims; i++)
        if (i < g.nin ? in[i] : out[i - g.nin]) inside[g.group[i]] = true;
    isl_set *part = fits ? common_factor(&g, all, inside) : NULL;
    isl_basic_set_list_free(all);
    if (!part) return NULL;
    int left = 0;
    for (int i = g.ndims - 1; i >= 0; i--) {
        bool is_in = inside[g.group[i]];
        if (i < g.nin) in[i] = is_in, left += is_in;
        else out[i - g.nin] = is_in;
        if (!is_in) part = isl_set_project_out(part, isl_dim_set, (unsigned)i, 1); // nothing is said of it
    }
    return isl_map_move_dims(isl_map_from_range(part), isl_dim_in, 0, isl_dim_out, 0, (unsigned)left);
}

isl_map *factor_meet(isl_map *m, isl_map *part, const bool *in, const bool *out) {
    int nin = (int)isl_map_dim(m, isl_dim_in), nout = (int)isl_map_dim(m, isl_dim_out);
    for (int i = 0; i < nin; i++)
        if (!in[i]) part = isl_map_insert_dims(part, isl_dim_in, (unsigned)i, 1);
    for (int i = 0; i < nout; i++)
        if (!out[i]) part = isl_map_insert_dims(part, isl_dim_out, (unsigned)i, 1);
    return isl_map_intersect(m, part);
}

// Does the piece, of which the dimensions of one group alone are left, relate one value to each?
static bool is_factor_injective(const Groups *g, isl_basic_set *piece, int group) {
    bool inside[FACTOR_DIMS] = {false};
    inside[group] = true;
    isl_set *part = part_of(g, piece, inside, true);
    int nin = 0;
    for (int i = g->ndims - 1; i >= 0; i--) {
        if (g->group[i] != group) part = isl_set_project_out(part, isl_dim_set, (unsigned)i, 1);
        else nin += i < g->nin;
    }
    isl_map *m = isl_map_move_dims(isl_map_from_range(part), isl_dim_in, 0, isl_dim_out, 0, (unsigned)nin);
    bool injective = isl_map_is_injective(m) == isl_bool_true;
    isl_map_free(m);
    return injective;
}

bool factor_is_injective(isl_map *m) {
    Groups g;
    if (!begin(&g, m) || isl_map_n_basic_map(m) != 1) return isl_map_is_injective(m) == isl_bool_true;
    isl_basic_set_list *all = pieces_of(m);
    isl_basic_set *piece = piece_of(all, 0);
    bool injective = join_piece(&g, piece);
    for (int i = 0; injective && i < g.ndims; i++)
        if (g.group[i] == i) injective = is_factor_injective(&g, piece, i);
    isl_basic_set_free(piece);
    isl_basic_set_list_free(all);
    return injective || isl_map_is_injective(m) == isl_bool_true;
}
