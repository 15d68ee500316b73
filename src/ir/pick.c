// SPDX-License-Identifier: MIT
// pick.c -- which nest of a chain runs: the cheapest of those that know their cost.
#include "ir/ir.h"

bool nest_pick(NestPick *p, int at, const Nest *n, int nvals, const InterpVal *vals) {
    double cost = 0;
    bool known = n->cost && ir_eval_float(n->cost, nvals, vals, &cost) && cost >= 0;
    if (p->at >= 0 && (!known || cost >= p->cost)) return !n->cost;
    *p = (NestPick){at, cost};
    return !n->cost;
}
