// SPDX-License-Identifier: MIT
// affine.c -- is an expression affine? As the dependence analysis sees it.
#include "front/normal.h"
#include "ir/poly.h"
#include <isl/aff.h>

bool affine_in(Compile *c, const Expr *x, int n, const Sym *const *iters) {
    Poly *p = poly_new(c);
    isl_pw_aff *pa = poly_aff(p, (PolyScope){n, iters}, x, NULL);
    bool yes = pa != NULL;
    isl_pw_aff_free(pa);
    poly_gave_up(p);
    return yes;
}
