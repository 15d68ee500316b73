// SPDX-License-Identifier: MIT
// host.c -- values that the host must know between kernels.
#include "plan/auto.h"

static void find_load(const Expr *x, void *found) {
    if (x->kind == E_LOAD || x->kind == E_CALL) *(bool *)found = true;
}

bool host_can_eval(const Expr *x) {
    bool found = false;
    expr_walk(x, find_load, &found);
    return !found && type_is_int(x->type);
}
