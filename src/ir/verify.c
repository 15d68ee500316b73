// SPDX-License-Identifier: MIT
// verify.c -- checks every invariant written in ir.h, of regions and of nests
#include "ir/parse.h"
#include "ir/verify_state.h"

// ---- regions ----------------------------------------------------------------------------
static void name_locals(Verify *v, const Region *r) {
    node_each(n, r->root)
        for (int k = 0; k < n->nlocals && !v->why; k++)
            if (n->locals[k]) verify_name(v, VERIFY_VALUE, n->locals[k]->name, n->locals[k]);
}

static bool check_params(Verify *v, const Region *r) {
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        if (!s || s->kind != SYM_PARAM || s->type <= T_NONE || s->type >= T_COUNT)
            return verify_fail(v, v->loc, "a parameter without a type");
        if (verify_is_named(v, VERIFY_VALUE, s->name, s))
            return verify_fail(v, v->loc, "the parameter %s is there twice", s->name);
        if (!verify_name(v, VERIFY_VALUE, s->name, s)) return false;
    }
    return true;
}

static bool check_arrays(Verify *v, const Region *r) {
    for (int k = 0; k < r->narrays; k++) {
        const Array *a = r->arrays[k];
        if (!a || a->place != PLACE_USER)
            return verify_fail(v, v->loc, "an array of the region is not the program's");
        if (!verify_array(v, a)) return false;
    }
    return true;
}

static bool check_text(Verify *v, const Stmt *s) {
    v->stmt = s;
    v->scope = SCOPE_STMT;
    v->loads = true;
    if (!verify_array_in_scope(v, s->lhs)) return false;
    if (s->lhs->nvalues)
        return verify_fail(v, s->loc, "%s is a table of constants, and written", s->lhs->name);
    for (int k = 0; k < s->lhs->rank; k++)
        if (!verify_int(v, s->sub[k])) return false;
    if (!verify_expr(v, s->rhs)) return false;
    if (s->rhs->type != s->lhs->elem)
        return verify_fail(v, s->loc, "%s is assigned to an element of %s",
                           type_name(s->rhs->type), type_name(s->lhs->elem));
    if (!verify_is_update(s->op)) return verify_fail(v, s->loc, "%s is no assignment", s->label);
    bool product = s->rhs->kind == E_OP && s->rhs->op == OP_MUL;
    if (s->fused && (s->op != OP_ADD || !product))
        return verify_fail(v, s->loc, "%s is no sum of a product", s->label);
    return true;
}

static bool check_stmts(Verify *v, const Region *r) {
    for (int k = 0; k < r->nstmts; k++) {
        const Stmt *s = r->stmts[k];
        if (!s) return verify_fail(v, v->loc, "a statement is missing");
        v->loc = s->loc.line ? s->loc : r->loc;
        if (verify_is_named(v, VERIFY_LABEL, s->label, s))
            return verify_fail(v, s->loc, "%s is there twice", s->label);
        if (!verify_name(v, VERIFY_LABEL, s->label, s)) return false;
        if (parse_reserved(s->label)) return verify_fail(v, s->loc, "no label: %s", s->label);
        for (int i = 0; i < s->depth; i++)
            if (!s->iters[i] || s->iters[i]->kind != SYM_ITER || !type_is_int(s->iters[i]->type))
                return verify_fail(v, s->loc, "a counter of %s is none", s->label);
        if (!check_text(v, s)) return false;
        v->loc = r->loc;
    }
    return true;
}

static bool check_inspect(Verify *v, const Inspect *i) {
    const Region *r = v->region;
    if (!i || !verify_array_in_scope(v, i->array)) return verify_fail(v, v->loc, "no array to inspect");
    if (i->dim < 0 || i->dim >= i->array->rank)
        return verify_fail(v, v->loc, "%s has no dimension %d", i->array->name, i->dim);
    const Sym *ends[3] = {i->lo, i->hi, i->differ};
    for (int k = 0; k < 2 + (i->differ != NULL); k++)
        if (!ends[k] || !verify_is_named(v, VERIFY_VALUE, ends[k]->name, ends[k]) ||
            ends[k]->kind != SYM_PARAM || ends[k]->type != T_I64 || ends[k]->source)
            return verify_fail(v, r->loc, "an inspection computes no parameter of type i64");
    v->in_inspect = true;
    v->nvalues = 0;
    bool ok = verify_tree(v, i->tree);
    v->in_inspect = false;
    if (ok && v->nvalues < 1) ok = verify_fail(v, v->loc, "an inspection must have a value");
    v->nvalues = 0;
    return ok;
}

static bool check_region(Verify *v, const Region *r) {
    if (!verify_name(v, VERIFY_KERNEL, r->name, r)) return false;
    if (!r->root || r->root->kind != N_SEQ) return verify_fail(v, v->loc, "the root is no block");
    if (!check_params(v, r) || !check_arrays(v, r)) return false;
    name_locals(v, r);
    if (v->why || !check_stmts(v, r)) return false;
    for (int k = 0; k < r->nassumes; k++)
        if (!verify_param_expr(v, r->assumes[k], true)) return false;
    v->scope = SCOPE_TREE;
    v->loads = true;
    for (int k = 0; k < r->ninspects; k++)
        if (!check_inspect(v, r->inspects[k])) return false;
    return verify_tree(v, r->root);
}

// ---- nests -----------------------------------------------------------------------------------
static bool check_foot(Verify *v, const Foot *f) {
    if (!f->array || f->array->place != PLACE_USER || !verify_array_in_scope(v, f->array))
        return verify_fail(v, v->loc, "a footprint of no array of the region");
    for (int d = 0; d < f->array->rank; d++)
        if (!verify_param_expr(v, f->lo[d], true) || !verify_param_expr(v, f->hi[d], true)) return false;
    for (int d = 0; f->first && d < f->array->rank; d++)
        if (!verify_param_expr(v, f->first[d], true) || !verify_param_expr(v, f->last[d], true)) return false;
    return !f->written || verify_param_expr(v, f->written, true);
}

static bool check_count(Verify *v, const Expr *x) {
    if (!x) return true;
    if (!verify_param_expr(v, x, false)) return false;
    return x->type == T_F64 || verify_fail(v, v->loc, "a count must have type f64");
}

// The names of the region: what a nest adds must not take them.
static bool take_names(Verify *v, const Region *r) {
    for (int k = 0; k < r->narrays; k++)
        if (!verify_name(v, VERIFY_VALUE, r->arrays[k]->name, r->arrays[k])) return false;
    for (int k = 0; k < r->nstmts; k++) {
        const Stmt *s = r->stmts[k];
        if (!verify_name(v, VERIFY_LABEL, s->label, s)) return false;
        for (int i = 0; i < s->depth; i++)
            if (!verify_name(v, VERIFY_VALUE, s->iters[i]->name, s->iters[i])) return false;
    }
    name_locals(v, r);
    return !v->why && check_params(v, r);
}

static bool check_nest(Verify *v, const Nest *n) {
    if (!take_names(v, n->region)) return false;
    for (int k = 0; k < n->nfacts; k++) {
        const Fact *f = &n->facts[k];
        if (!f->sym || f->sym->kind != SYM_PARAM || f->sym->type != T_I64 || f->sym->source)
            return verify_fail(v, v->loc, "a fact is no parameter of type i64");
        if (!verify_name(v, VERIFY_VALUE, f->sym->name, f->sym)) return false;
        if (f->kind < 0 || f->kind >= FACT_KINDS || (f->array != NULL) != (f->kind == FACT_MISALIGN))
            return verify_fail(v, v->loc, "a fact of an unknown kind, or about the wrong thing");
        if (f->array && (f->array->place != PLACE_USER || !verify_array_in_scope(v, f->array)))
            return verify_fail(v, v->loc, "a fact about no array of the region");
    }
    for (int k = 0; k < n->npromised; k++) {
        const Array *x = n->promised[k].array;
        if (!x || x->place != PLACE_USER || x->rank != 1 || !type_is_int(x->elem) ||
            !verify_array_in_scope(v, x))
            return verify_fail(v, v->loc, "a promise about no integer array of rank 1");
    }
    if (!verify_param_expr(v, n->when, true)) return false;
    for (int k = 0; k < n->nfeet; k++)
        if (!check_foot(v, &n->feet[k])) return false;
    if (!check_count(v, n->flops) || !check_count(v, n->bytes) || !check_count(v, n->work) ||
        !check_count(v, n->cost))
        return false;
    if (!n->root || n->root->kind != N_SEQ) return verify_fail(v, v->loc, "the root is no block");
    v->scope = SCOPE_TREE;
    v->root = n->root;
    return verify_tree(v, n->root);
}

// ---- entry -------------------------------------------------------------------------------------
const char *verify_region(Arena *a, const Region *r, Loc *where) {
    Verify v = {.arena = a, .region = r, .loc = r->loc};
    check_region(&v, r);
    *where = v.where;
    return v.why;
}

const char *verify_nest(Arena *a, const Nest *n, Loc *where) {
    Verify v = {.arena = a, .region = n->region, .loc = n->region->loc, .in_nest = true};
    check_nest(&v, n);
    *where = v.where;
    return v.why;
}

bool ir_verify_region(Compile *c, const Region *r) {
    Loc where;
    const char *why = verify_region(c->arena, r, &where);
    if (why) diag(c, DIAG_ERROR, SC_NEST_INVALID, where, "%s", why);
    return !why;
}

bool ir_verify_nest(Compile *c, const Nest *n) {
    Loc where;
    const char *why = verify_nest(c->arena, n, &where);
    if (why) diag(c, DIAG_ERROR, SC_NEST_INVALID, where, "%s", why);
    return !why;
}
