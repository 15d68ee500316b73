// SPDX-License-Identifier: MIT
// accept_text.c -- expressions over parameters as C at the region's place.
#include "front/accept.h"
#include <math.h>

static const char *int_text(Arena *a, const Expr *x) {
    if (x->type == T_U64)
        return arena_printf(a, "%lluULL", (unsigned long long)x->i);
    if (x->i == INT64_MIN)
        return "(-9223372036854775807LL - 1)";
    const char *tail = x->type == T_I64 ? "LL" : x->type == T_U32 ? "u" : "";
    if (x->type == T_I32 && x->i == INT32_MIN)
        return "(-2147483647 - 1)";
    return arena_printf(a, x->i < 0 ? "(%lld%s)" : "%lld%s", (long long)x->i, tail);
}

static const char *op_source(Arena *a, const Expr *x) {
    const char *s[3] = {0};
    for (int k = 0; k < x->nargs; k++) {
        s[k] = accept_source(a, x->args[k]);
        if (!s[k])
            return NULL;
    }
    switch (x->op) {
    case OP_NEG: case OP_NOT: case OP_LNOT: return arena_printf(a, "(%s%s)", op_text(x->op), s[0]);
    case OP_SELECT: return arena_printf(a, "(%s ? %s : %s)", s[0], s[1], s[2]);
    case OP_MIN: return arena_printf(a, "(%s < %s ? %s : %s)", s[1], s[0], s[1], s[0]);
    case OP_MAX: return arena_printf(a, "(%s > %s ? %s : %s)", s[1], s[0], s[1], s[0]);
    case OP_FDIV: case OP_FMOD: case OP_FMA: case OP_SET: return NULL;
    default: return arena_printf(a, "(%s %s %s)", s[0], op_text(x->op), s[1]);
    }
}

static bool is_word(const char *s) {
    for (; *s; s++)
        if (!(*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
              (*s >= 'A' && *s <= 'Z')))
            return false;
    return true;
}

const char *accept_source(Arena *a, const Expr *x) {
    switch (x->kind) {
    case E_INT: return int_text(a, x);
    case E_FLOAT:
        if (!isfinite(x->f))
            return NULL;
        return arena_printf(a, "(%a%s)", x->f, x->type == T_F32 ? "f" : "");
    case E_SYM:
        if (!x->sym->source)
            return NULL;
        return is_word(x->sym->source) ? x->sym->source : arena_printf(a, "(%s)", x->sym->source);
    case E_CAST: {
        const char *s = accept_source(a, x->args[0]);
        return s ? arena_printf(a, "((%s)%s)", ast_scalar_text(x->type), s) : NULL;
    }
    case E_OP: return op_source(a, x);
    default: return NULL;
    }
}
