// SPDX-License-Identifier: MIT
// host.c -- values that the host must know between kernels.
#include "plan/auto.h"

static bool loads(const Expr *x) { return x->kind == E_LOAD || x->kind == E_CALL; }

bool host_can_eval(const Expr *x) { return !expr_any(x, loads) && type_is_int(x->type); }
