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
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

enum { FACTOR_DIMS = 96 };

typedef struct Groups {
    int ndims;               // in, then out: as one set has them
    int group[FACTOR_DIMS];  // of each dimension, a number; then of each unknown of the piece at hand
} Groups;

// The group of y is that of x, too, from here on.
static void join(Groups *g, int n, int x, int y) {
    int from = g->group[x], to = g->group[y];
    for (int i = 0; i < n; i++)
        if (g->group[i] == from) g->group[i] = to;
}

static bool has(isl_constraint *c, int ndims, int i) {
    return isl_constraint_involves_dims(c, i < ndims ? isl_dim_set : isl_dim_div,
                                        (unsigned)(i < ndims ? i : i - ndims), 1) == isl_bool_true;
}

// Joins what the constraints of one piece have together; its unknowns are the last in g. False: too many.
static bool join_piece(Groups *g, isl_basic_set *piece) {
    int n = g->ndims + (int)isl_basic_set_dim(piece, isl_dim_div);
    if (n > FACTOR_DIMS) return false;
    for (int i = g->ndims; i < n; i++) g->group[i] = i;
    isl_constraint_list *all = isl_basic_set_get_constraint_list(piece);
    for (int k = 0; k < isl_constraint_list_n_constraint(all); k++) {
        isl_constraint *c = isl_constraint_list_get_constraint(all, k);
        int first = -1;
        for (int i = 0; i < n; i++) {
            if (!has(c, g->ndims, i)) continue;
            if (first < 0) first = i;
            else join(g, n, i, first);
        }
        isl_constraint_free(c);
    }
    isl_constraint_list_free(all);
    for (int i = g->ndims - 1; i >= 0; i--) // named by its first dimension, which no unknown has for a name
        for (int k = 0, from = g->group[i]; k < n && from >= g->ndims; k++)
            if (g->group[k] == from) g->group[k] = i;
    return true;
}

static isl_constraint *with(isl_constraint *to, enum isl_dim_type type, int at, isl_constraint *from,
                            enum isl_dim_type as, int i) {
    return isl_constraint_set_coefficient_val(to, type, at, isl_constraint_get_coefficient_val(from, as, i));
}

// The constraints of a piece on those dimensions, and what unknowns go with them, that are in the groups (or
// are not), over all dimensions.
static isl_set *part_of(const Groups *g, isl_basic_set *piece, const bool *inside, bool wanted) {
    int ndivs = (int)isl_basic_set_dim(piece, isl_dim_div), n = g->ndims + ndivs;
    int nparams = (int)isl_basic_set_dim(piece, isl_dim_param);
    isl_space *space = isl_space_add_dims(isl_basic_set_get_space(piece), isl_dim_set, (unsigned)ndivs);
    isl_basic_set *out = isl_basic_set_universe(isl_space_copy(space));
    isl_constraint_list *all = isl_basic_set_get_constraint_list(piece);
    for (int k = 0; k < isl_constraint_list_n_constraint(all); k++) {
        isl_constraint *c = isl_constraint_list_get_constraint(all, k);
        int first = 0;
        while (first < n && !has(c, g->ndims, first)) first++;
        bool in = first < n && inside[g->group[first]];
        if (in == wanted) {
            isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
            isl_constraint *x = isl_constraint_is_equality(c) == isl_bool_true
                                    ? isl_constraint_alloc_equality(ls)
                                    : isl_constraint_alloc_inequality(ls);
            x = isl_constraint_set_constant_val(x, isl_constraint_get_constant_val(c));
            for (int i = 0; i < nparams; i++) x = with(x, isl_dim_param, i, c, isl_dim_param, i);
            for (int i = 0; i < g->ndims; i++) x = with(x, isl_dim_set, i, c, isl_dim_set, i);
            for (int i = 0; i < ndivs; i++) x = with(x, isl_dim_set, g->ndims + i, c, isl_dim_div, i);
            out = isl_basic_set_add_constraint(out, x);
        }
        isl_constraint_free(c);
    }
    isl_constraint_list_free(all);
    isl_space_free(space);
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

isl_map *factor_of(isl_map *m, bool *in, bool *out) {
    Groups g = {0};
    int nin = (int)isl_map_dim(m, isl_dim_in), nout = (int)isl_map_dim(m, isl_dim_out);
    bool inside[FACTOR_DIMS] = {false}, fits = nin + nout <= FACTOR_DIMS;
    g.ndims = nin + nout;
    isl_set *flat = isl_set_flatten(isl_map_wrap(isl_map_copy(m)));
    isl_basic_set_list *all = isl_set_get_basic_set_list(flat);
    isl_set_free(flat);
    for (int i = 0; fits && i < g.ndims; i++) g.group[i] = i;
    for (int i = 0; fits && i < isl_basic_set_list_n_basic_set(all); i++) {
        isl_basic_set *piece = piece_of(all, i);
        fits = join_piece(&g, piece);
        isl_basic_set_free(piece);
    }
    for (int i = 0; fits && i < g.ndims; i++)
        if (i < nin ? in[i] : out[i - nin]) inside[g.group[i]] = true;
    isl_set *part = fits ? common_factor(&g, all, inside) : NULL;
    isl_basic_set_list_free(all);
    if (!part) return NULL;
    int left = 0;
    for (int i = g.ndims - 1; i >= 0; i--) {
        bool is_in = inside[g.group[i]];
        if (i < nin) in[i] = is_in, left += is_in;
        else out[i - nin] = is_in;
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
