// SPDX-License-Identifier: MIT
// define.c -- what is known of a parameter is compiled into the kernel; the nest then runs only
// where it is so.
//
//   define n multiple=128 least=128         when n % 128 == 0 && n >= 128
//     for ib in 0 .. ceil(n / 128)     →      for ib in 0 .. n / 128
//       if (128*ib + ii < n) S                  S
//
// With value= it is that number everywhere in the tree, and loops over it have a constant number
// of iterations (DEFINEARG of J. Jepsen, "GPU programming made easier", 2014).
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static const Sym *param_named(Change *ch, const char *name) {
    const Region *r = ch->nest->region;
    for (int k = 0; k < r->nparams; k++)
        if (str_eq(r->params[k]->name, name)) {
            if (type_is_int(r->params[k]->type)) return r->params[k];
            change_refuse(ch, "%s is no integer", name);
            return NULL;
        }
    change_refuse(ch, "there is no parameter %s", name);
    return NULL;
}

static Expr *number(Change *ch, int64_t v) { return expr_int(ch->a, T_I64, v); }

// The condition that the knobs state; NULL after change_refuse.
static Expr *condition(Change *ch, const Sym *s, int64_t multiple, int64_t least) {
    Expr *x = expr_cast(ch->a, T_I64, expr_sym(ch->a, s)), *cond = NULL;
    if (change_text(ch, "value")) {
        if (multiple > 1 || least > 0)
            return change_refuse(ch, "value= says all; multiple= and least= say no more"), NULL;
        return expr_op(ch->a, OP_EQ, x, number(ch, change_int(ch, "value")), NULL);
    }
    if (multiple > 1) {
        Expr *rest = expr_op(ch->a, OP_FMOD, x, number(ch, multiple), NULL);
        cond = cond_and(ch->a, cond, expr_op(ch->a, OP_EQ, rest, number(ch, 0), NULL));
    }
    if (least > 0) cond = cond_and(ch->a, cond, expr_op(ch->a, OP_GE, x, number(ch, least), NULL));
    if (!cond) change_refuse(ch, "nothing is said of %s: multiple=, least= or value=", s->name);
    return cond;
}

typedef struct Put {
    Arena *a;
    const Sym *sym;
    Expr *value;
} Put;

// Accesses whose counters are multiplied by the parameter are linear with the number in its place.
static Node *in_subscripts(Node *n, void *arg) {
    const Put *p = arg;
    Node *m = node_map(p->a, n, in_subscripts, arg);
    AccessVec v = {0};
    if (m->kind == N_STMT) v = node_accesses(p->a, m);
    for (int k = 0, own = 0; k < v.n; k++) {
        bool scaled = false;
        const Access *x = &v.at[k];
        for (int d = 0; d < x->array->rank; d++) scaled |= expr_scales(x->sub[d], p->sym);
        for (int d = 0; d < x->array->rank; d++) scaled &= !expr_has_load(x->sub[d]);
        if (!scaled) continue;
        if (!own++) m = node_rerouted(p->a, m, v.n);
        Expr **sub = NEW_N(p->a, Expr *, x->array->rank + 1);
        for (int d = 0; d < x->array->rank; d++) sub[d] = expr_subst(p->a, x->sub[d], 1, &p->sym, &p->value);
        m->via[k] = x->array, m->via_sub[k] = sub;
    }
    return m;
}

static Nest *apply(Change *ch) {
    const Sym *s = param_named(ch, ch->step->words[0]);
    if (!s) return NULL;
    Expr *cond = condition(ch, s, change_int(ch, "multiple"), change_int(ch, "least"));
    if (!cond) return NULL;
    Node *root = ch->nest->root;
    if (change_text(ch, "value")) {
        Expr *value = expr_int(ch->a, s->type, change_int(ch, "value"));
        root = in_subscripts(node_subst(ch->a, root, 1, &s, &value), &(Put){ch->a, s, value});
    }
    Nest *n = change_done(ch, root);
    n->when = cond_and(ch->a, n->when, cond);
    n->root = simplify(ch->c, n, n->root);
    return n;
}

static const Knob knobs[] = {
    {"multiple", "the parameter is a multiple of it", KNOB_INT, 1, 1 << 20, NULL, "1"},
    {"least", "it is at least so much", KNOB_INT, 0, INT32_MAX, NULL, "0"},
    {"value", "it is just that", KNOB_INT, 0, INT32_MAX, NULL, ""},
};

// ---- where -----------------------------------------------------------------------------------
// Parameters that bounds and conditions of the tree name: there it saves something.
static void find_sizes(Finder *f, const Expr *root, bool *named) {
    expr_each(x, root) {
        if (x->kind != E_SYM || x->sym->kind != SYM_PARAM || !type_is_int(x->sym->type)) continue;
        *named = true;
        finder_site(f, "define %s multiple=32", x->sym->name);
    }
}

static void find_define(Finder *f) {
    bool named = false;
    node_each(n, f->ch->nest->root) {
        find_sizes(f, n->lo, &named);
        find_sizes(f, n->hi, &named);
        find_sizes(f, n->cond, &named);
    }
    if (!named) finder_miss(f, "the nest", "no bound and no condition names an integer parameter");
}

#define REGION                                                                                      \
    "sculpt 1\n"                                                                                    \
    "region scale_1 @\"scale.c\":1:1 scop {\n"                                                      \
    "    param n: i32 = \"n\"\n"                                                                    \
    "    array a[n]: f32 = \"a\" live\n"                                                            \
    "    do { for i: i32 = 0 .. n S0[i] }\n"                                                        \
    "    stmt S0[i]: a[i] = a[i] * 2.0\n"                                                           \
    "}\n"

static const RuleExample examples[] = {
    {REGION, "strip i by=8 as=ib,ii\n", "define n multiple=8", NULL},
    {EXAMPLE_PRODUCT, "", "define n value=5", NULL},
    {REGION, "strip i by=8 as=ib,ii\n", "define n value=16", NULL},
    {REGION, "", "define n value=8 least=4", "value= says all"},
    {REGION, "", "define n", "nothing is said"},
    {REGION, "", "define q multiple=4", "no parameter"},
    {0},
};

const Rule define_rule = {
    .name = "define",
    .usage = "define PARAMETER [multiple=N] [least=N] | value=N",
    .summary = "Compiles what is known of a parameter into the kernel, which then runs only where it is so.",
    .picture = "for ib in 0 .. ceil(n/32)             for ib in 0 .. n/32     when n % 32 == 0\n"
               "    for ii in 0 .. 32          →          for ii in 0 .. 32\n"
               "        if (32*ib + ii < n) S                 S\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_define,
    .examples = examples,
};
