// SPDX-License-Identifier: MIT
// poly_agree.c -- do iterations that differ only in some counters agree on a condition or a value?
#include "ir/poly.h"
#include <isl/aff.h>

typedef struct Scope {
    const Sym **iters;
    int n;
} Scope;

static bool varies(const Sym *s, int nvary, const Sym *const *vary) { return has_pointer(nvary, vary, s); }

static isl_set *intersect_loop(Poly *p, PolyScope s, isl_set *dom, const Node *n) {
    isl_pw_aff *it = poly_aff(p, s, expr_sym(p->c->arena, n->iter), NULL);
    isl_pw_aff *lo = poly_aff(p, s, n->lo, NULL), *hi = poly_aff(p, s, n->hi, NULL);
    bool up = n->step > 0;
    if (lo) dom = isl_set_intersect(dom, up ? isl_pw_aff_ge_set(isl_pw_aff_copy(it), isl_pw_aff_copy(lo))
                                            : isl_pw_aff_le_set(isl_pw_aff_copy(it), isl_pw_aff_copy(lo)));
    if (hi) dom = isl_set_intersect(dom, up ? isl_pw_aff_lt_set(isl_pw_aff_copy(it), isl_pw_aff_copy(hi))
                                            : isl_pw_aff_gt_set(isl_pw_aff_copy(it), isl_pw_aff_copy(hi)));
    int64_t step = up ? n->step : -n->step;
    if (lo && step != 1) {
        isl_pw_aff *off = isl_pw_aff_sub(isl_pw_aff_copy(it), isl_pw_aff_copy(lo));
        dom = isl_set_intersect(dom, isl_pw_aff_zero_set(
                                         isl_pw_aff_mod_val(off, isl_val_int_from_si(p->ctx, step))));
    }
    isl_pw_aff_free(it);
    isl_pw_aff_free(lo);
    isl_pw_aff_free(hi);
    return dom;
}

// The points of the loops around where the conditions around hold.
static isl_set *domain_of(Poly *p, PolyScope s, int n, Node *const *around) {
    isl_set *dom = poly_universe(p, s);
    for (int i = 0; i < n; i++) {
        if (around[i]->kind == N_FOR) dom = intersect_loop(p, s, dom, around[i]);
        if (around[i]->kind != N_IF) continue;
        isl_set *yes = poly_cond(p, s, around[i]->cond, NULL);
        if (yes) dom = isl_set_intersect(dom, yes);
    }
    return dom;
}

static isl_set *project(isl_set *set, PolyScope s, int nvary, const Sym *const *vary) {
    for (int i = s.n - 1; i >= 0; i--)
        if (varies(s.iters[i], nvary, vary)) set = isl_set_project_out(set, isl_dim_set, (unsigned)i, 1);
    return set;
}

static PolyScope scope_of(Arena *a, int n, Node *const *around) {
    Scope s = {NEW_N(a, const Sym *, n + 1), 0};
    for (int i = 0; i < n; i++)
        if (around[i]->kind == N_FOR) s.iters[s.n++] = around[i]->iter;
    return (PolyScope){s.n, s.iters};
}

int poly_agree_cond(Compile *c, int n, Node *const *around, const Expr *x, int nvary,
                    const Sym *const *vary) {
    Poly *p = poly_new(c);
    PolyScope s = scope_of(c->arena, n, around);
    isl_set *yes = poly_cond(p, s, x, NULL);
    if (!yes) return poly_gave_up(p), -1;
    isl_set *dom = domain_of(p, s, n, around);
    isl_set *no = isl_set_subtract(isl_set_copy(dom), isl_set_copy(yes));
    yes = project(isl_set_intersect(yes, dom), s, nvary, vary);
    no = project(no, s, nvary, vary);
    bool agree = isl_set_is_disjoint(yes, no) == isl_bool_true;
    isl_set_free(yes);
    isl_set_free(no);
    return poly_gave_up(p) ? -1 : agree;
}

int poly_agree_value(Compile *c, int n, Node *const *around, const Expr *x, int nvary,
                     const Sym *const *vary) {
    Poly *p = poly_new(c);
    PolyScope s = scope_of(c->arena, n, around);
    isl_pw_aff *v = poly_aff(p, s, x, NULL);
    if (!v) return poly_gave_up(p), -1;
    isl_map *m = isl_map_intersect_domain(isl_map_from_pw_aff(v), domain_of(p, s, n, around));
    for (int i = s.n - 1; i >= 0; i--)
        if (varies(s.iters[i], nvary, vary)) m = isl_map_project_out(m, isl_dim_in, (unsigned)i, 1);
    bool agree = isl_map_is_single_valued(m) == isl_bool_true;
    isl_map_free(m);
    return poly_gave_up(p) ? -1 : agree;
}

bool poly_always(Compile *c, int n, Node *const *around, const Expr *x) {
    Poly *p = poly_new(c);
    PolyScope s = scope_of(c->arena, n, around);
    isl_set *in = poly_cond(p, s, x, NULL);
    isl_set *out = in ? isl_set_subtract(domain_of(p, s, n, around), in) : NULL;
    bool always = isl_set_is_empty(out) == isl_bool_true;
    isl_set_free(out);
    return always && !poly_gave_up(p);
}
