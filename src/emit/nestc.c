// SPDX-License-Identifier: MIT
// nestc.c -- a whole tree, kernels and all, as one sequential C function.
//
//   void NAME(void *const *objects, const sculpt_arg *params)
//
// No pointer is `restrict` here: the text means what the user's loops mean for any memory.
#include "emit/dialect.h"

static const char *const arg_type =
    "typedef union sculpt_arg {\n    void *p;\n    long long i;\n    double f;\n} sculpt_arg;\n\n";

static void put_objects(Printer *p, const Region *r) {
    int count = 0;
    for (int k = 0; k < r->narrays; k++) {
        bool first = true;
        for (int j = 0; j < k; j++) first &= !str_eq(r->arrays[j]->object, r->arrays[k]->object);
        if (!first) continue;
        if (object_find(p, r->arrays[k]))
            put_line(p, "%s *const %s = objects[%d];", object_type(p, r->arrays[k]),
                     object_name(p, r->arrays[k]), count);
        count++;
    }
}

static void put_params_of(Printer *p, const Region *r, Node *root) {
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        if (node_uses_sym(root, s))
            put_line(p, "const %s %s = (%s)params[%d].%s;", emit_type(p, s->type), emit_sym(p, s),
                     emit_type(p, s->type), k, type_is_float(s->type) ? "f" : "i");
    }
}

char *emit_nest_c(Compile *c, const Region *r, const Node *root, const char *name) {
    Printer p = printer_new(c, &dialect_c, true);
    Node *tree = (Node *)root; // walks take trees they do not change without const
    p.sequential = true;
    p.indent = 1;
    objects_collect(&p, tree);
    put(&p, "%svoid %s(void *const *objects, const sculpt_arg *params)\n{\n", arg_type, name);
    put_line(&p, "(void)objects, (void)params;");
    put_objects(&p, r);
    put_params_of(&p, r, tree);
    put_tree(&p, tree);
    put(&p, "}\n");
    return printer_finish(&p);
}
