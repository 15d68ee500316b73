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

typedef struct Use {
    const Sym *sym;
    bool found;
} Use;

static void use_array(Use *u, const Array *array) {
    for (int k = 0; array && k < array->rank; k++) {
        u->found |= array->extent[k] && expr_uses_sym(array->extent[k], u->sym);
        u->found |= array->origin && expr_uses_sym(array->origin[k], u->sym);
    }
}

static void use_expr_arrays(const Expr *x, void *arg) {
    if (x->kind == E_LOAD) use_array(arg, x->array);
}

static void use_expr(Use *u, const Expr *x) {
    if (!x) return;
    u->found |= expr_uses_sym(x, u->sym);
    expr_walk(x, use_expr_arrays, u);
}

static void use_node(Node *n, void *arg) {
    Use *u = arg;
    use_expr(u, n->lo);
    use_expr(u, n->hi);
    use_expr(u, n->cond);
    use_expr(u, n->src);
    use_array(u, n->dst);
    for (int k = 0; n->dst && k < n->dst->rank; k++) use_expr(u, n->sub[k]);
    for (int k = 0; k < n->nlocals; k++) use_array(u, n->locals[k]);
    for (int k = 0; k < n->nvia; k++) {
        use_array(u, n->via[k]);
        for (int d = 0; n->via[k] && n->via_sub && n->via_sub[k] && d < n->via[k]->rank; d++)
            use_expr(u, n->via_sub[k][d]);
    }
    if (n->kind != N_STMT) return;
    use_array(u, n->stmt->lhs);
    use_expr(u, n->stmt->rhs);
    for (int k = 0; k < n->stmt->lhs->rank; k++) use_expr(u, n->stmt->sub[k]);
    for (int k = 0; k < n->stmt->depth; k++) use_expr(u, n->at[k]);
}

static void put_params_of(Printer *p, const Region *r, Node *root) {
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        Use u = {s, false};
        node_walk(root, use_node, &u);
        if (u.found)
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
