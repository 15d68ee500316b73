// SPDX-License-Identifier: MIT
// pick.c -- which nest of a chain runs: the cheapest of those that know their cost.
#include "ir/ir.h"
#include <math.h>

bool nest_pick(NestPick *p, int at, const Nest *n, int nvals, const InterpVal *vals) {
    double cost;
    if (!n->cost) {
        if (p->at < 0) *p = (NestPick){at, 0};
        return true;
    }
    // A cost that is no number promises nothing.
    bool known = ir_eval_float(n->cost, nvals, vals, &cost) && isfinite(cost) && cost >= 0;
    if (known && (p->at < 0 || cost < p->cost)) *p = (NestPick){at, cost};
    return false;
}
