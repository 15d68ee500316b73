// SPDX-License-Identifier: MIT
// inspect.c -- the least and greatest values of a subscript, found before the region runs.
//
//   long long sculpt_x_lo = MAX, sculpt_x_hi = -MAX;
//   {
//       int sculpt_j;
//       for (sculpt_j = 0; sculpt_j < (n); sculpt_j++) {
//           const long long sculpt_value = ((const int *)(col))[sculpt_j];
//           sculpt_x_lo = sculpt_value < sculpt_x_lo ? sculpt_value : sculpt_x_lo;
//           sculpt_x_hi = …
//       }
//   }
//   if (sculpt_x_lo > sculpt_x_hi) …                       there was none: 0 to -1
//
// The text stands inside a function of the user's, which may be C89: declarations come first,
// all its own names begin with sculpt_, and what is the user's is written as the user would
// write it there.
#include "emit/dialect.h"

static const char *spell_sym(const Printer *p, const Sym *s) {
    if (s->kind == SYM_PARAM && s->source)
        return arena_printf(p->a, "((%s)(%s))", emit_type(p, s->type), s->source);
    return arena_printf(p->a, "sculpt_%s", s->name);
}

static const char *spell_object(const Printer *p, const Array *array) {
    const Object *o = object_find(p, array);
    bool bytes = o && o->bytes;
    return arena_printf(p->a, "((const %s *)(%s))",
                        bytes ? "unsigned char" : emit_type(p, o ? o->elem : array->elem),
                        array->source ? array->source : array->object);
}

static void put_leaf(Printer *p, const Node *n) {
    const Inspect *in = p->hook_arg;
    const char *lo = emit_sym(p, in->lo), *hi = emit_sym(p, in->hi);
    put_line(p, "{");
    p->indent++;
    put_line(p, "const long long sculpt_value = (long long)%s;",
             expr_text(p, emit_resolve(p, n->src), PREC_UNARY));
    put_line(p, "%s = sculpt_value < %s ? sculpt_value : %s;", lo, lo, lo);
    put_line(p, "%s = sculpt_value > %s ? sculpt_value : %s;", hi, hi, hi);
    p->indent--;
    put_line(p, "}");
}

char *emit_inspect(Compile *c, const Region *r) {
    Printer p = printer_new(c, &dialect_host, true);
    p.sequential = p.c89 = true;
    p.spell_sym = spell_sym;
    p.spell_object = spell_object;
    p.leaf = put_leaf;
    for (int k = 0; k < r->ninspects; k++) objects_collect(&p, r->inspects[k]->tree);
    for (int k = 0; k < r->ninspects; k++) {
        const Inspect *in = r->inspects[k];
        put_line(&p, "long long %s = __LONG_LONG_MAX__, %s = -__LONG_LONG_MAX__;", emit_sym(&p, in->lo),
                 emit_sym(&p, in->hi));
    }
    for (int k = 0; k < r->ninspects; k++) {
        p.hook_arg = (void *)r->inspects[k];
        put_tree(&p, r->inspects[k]->tree);
        const char *lo = emit_sym(&p, r->inspects[k]->lo), *hi = emit_sym(&p, r->inspects[k]->hi);
        put_line(&p, "if (%s > %s) %s = 0, %s = -1;", lo, hi, lo, hi);
    }
    return p.failed ? NULL : arena_strdup(c->arena, text_str(&p.out));
}
