// SPDX-License-Identifier: MIT
// helper.c -- small functions that a text carries only when it uses them.
#include <string.h>
#include "emit/dialect.h"

bool helper_has(const Printer *p, const char *name) {
    for (int k = 0; k < p->helpers.n; k++)
        if (str_eq(p->helpers.at[k].name, name)) return true;
    return false;
}

void helper_add(Printer *p, const char *name, const char *text) {
    vec_push(p->a, &p->helpers, ((Helper){name, text}));
}

const char *helper_minmax(Printer *p, Op op, Type t) {
    char *name = arena_printf(p->a, "%s%s_%s", p->d->own ? p->d->own : "sculpt_", op_text(op), type_name(t));
    const char *type = emit_type(p, t);
    if (!helper_has(p, name))
        helper_add(p, name,
                   arena_printf(p->a, "%s%s %s(%s x, %s y)\n{\n    return y %c x ? y : x;\n}\n",
                                p->d->helper, type, name, type, type, op == OP_MIN ? '<' : '>'));
    return name;
}

// Rounding towards minus infinity differs from C's division when there is a remainder and the
// signs differ.
const char *helper_floor(Printer *p, Op op, Type t) {
    char *name = arena_printf(p->a, "%s%s_%s", p->d->own ? p->d->own : "sculpt_", op_text(op), type_name(t));
    const char *type = emit_type(p, t);
    const char *value = op == OP_FDIV ? "x / y - (r != 0 && (r < 0) != (y < 0))"
                                      : "r != 0 && (r < 0) != (y < 0) ? r + y : r";
    if (!helper_has(p, name))
        helper_add(p, name,
                   arena_printf(p->a,
                                "%s%s %s(%s x, %s y)\n{\n    const %s r = x %% y;\n"
                                "    return %s;\n}\n",
                                p->d->helper, type, name, type, type, type, value));
    return name;
}
