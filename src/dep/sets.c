// SPDX-License-Identifier: MIT
// sets.c -- the sets and maps that relations are made of.
#include "dep/relation.h"
#include <isl/aff.h>
#include <isl/space.h>

static void drop_set(void *s) { isl_set_free(s); }
static void drop_map(void *m) { isl_map_free(m); }

isl_set *own_set(Arena *a, __isl_take isl_set *s) { return s ? arena_own(a, s, drop_set) : NULL; }
isl_map *own_map(Arena *a, __isl_take isl_map *m) { return m ? arena_own(a, m, drop_map) : NULL; }

isl_map *relations_map(Poly *p, PolyScope scope, isl_set *domain, int rank, Expr *const *sub,
                       PolyFacts *facts, bool *affine) {
    isl_space *space = isl_space_alloc(p->ctx, 0, (unsigned)scope.n, (unsigned)rank);
    isl_map *map = isl_map_intersect_domain(isl_map_universe(space), domain);
    *affine = true;
    for (int d = 0; d < rank; d++) {
        isl_pw_aff *pa = sub[d] ? poly_aff(p, scope, sub[d], facts) : NULL;
        if (!pa) {
            *affine = false;
            continue;
        }
        bool everywhere = isl_pw_aff_isa_aff(pa) == isl_bool_true;
        isl_map *one = isl_map_from_pw_aff(pa);
        one = isl_map_insert_dims(one, isl_dim_out, 0, (unsigned)d);
        one = isl_map_insert_dims(one, isl_dim_out, (unsigned)d + 1, (unsigned)(rank - d - 1));
        // each point of the domain has its element
        map = everywhere ? poly_meet_map(map, one) : isl_map_intersect(map, one);
    }
    return map;
}

// ---- what always holds ---------------------------------------------------------------------

static isl_set *within_type(Poly *p, isl_set *ctx, const Sym *s) {
    PolyScope none = {0, NULL};
    isl_pw_aff *pa = poly_aff(p, none, expr_sym(p->c->arena, s), NULL);
    isl_pw_aff *least = poly_aff(p, none, expr_int(p->c->arena, T_I64, type_least(s->type)), NULL);
    isl_pw_aff *most = poly_aff(p, none, expr_int(p->c->arena, T_I64, type_most(s->type)), NULL);
    ctx = isl_set_intersect(ctx, isl_set_params(isl_pw_aff_ge_set(isl_pw_aff_copy(pa), least)));
    return isl_set_intersect(ctx, isl_set_params(isl_pw_aff_le_set(pa, most)));
}

isl_set *relations_known(const Relations *r) {
    Poly *p = r->poly;
    PolyScope none = {0, NULL};
    isl_set *ctx = isl_set_params(poly_universe(p, none));
    for (int i = 0; i < r->region->nparams; i++) {
        const Sym *s = r->region->params[i];
        if (type_is_int(s->type) && (type_size(s->type) < 4 || !type_is_signed(s->type)))
            ctx = within_type(p, ctx, s);
    }
    for (int i = 0; i < r->region->nassumes; i++) {
        isl_set *s = poly_cond(p, none, r->region->assumes[i], NULL);
        if (s) ctx = isl_set_intersect(ctx, isl_set_params(s));
    }
    return ctx;
}
