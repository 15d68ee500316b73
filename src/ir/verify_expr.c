// SPDX-License-Identifier: MIT
// verify_expr.c -- names, scopes and the types of expressions
#include "ir/verify_state.h"
#include "ir/value.h"
#include <string.h>

bool verify_fail(Verify *v, Loc loc, const char *fmt, ...) {
    if (v->why) return false;
    Text t = text_new(v->arena);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    v->why = text_str(&t);
    v->where = loc.line || !v->loc.line ? loc : v->loc;
    return false;
}

// ---- names ---------------------------------------------------------------------------
static bool is_identifier(const char *s) {
    if (!s || !*s || strlen(s) > 200 || (*s >= '0' && *s <= '9')) return false;
    for (; *s; s++)
        if (!(*s >= '0' && *s <= '9') && !(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
            *s != '_')
            return false;
    return true;
}

static VerifyName *find(Verify *v, VerifyKind kind, const char *name) {
    size_t k = hash_bytes(name, strlen(name), (uint64_t)kind) & (v->nslots - 1);
    while (v->slots[k].name && (v->slots[k].kind != kind || strcmp(v->slots[k].name, name) != 0))
        k = (k + 1) & (v->nslots - 1);
    return &v->slots[k];
}

static void make_room(Verify *v) {
    if (2 * (v->nnames + 1) < v->nslots) return;
    VerifyName *old = v->slots;
    size_t n = v->nslots;
    v->nslots = n ? 2 * n : 64;
    v->slots = NEW_N(v->arena, VerifyName, v->nslots);
    for (size_t k = 0; k < n; k++)
        if (old[k].name) *find(v, old[k].kind, old[k].name) = old[k];
}

bool verify_name(Verify *v, VerifyKind kind, const char *name, const void *is) {
    if (!is_identifier(name)) return verify_fail(v, v->loc, "'%s' is no name", name ? name : "");
    make_room(v);
    VerifyName *slot = find(v, kind, name);
    if (slot->name && slot->is != is)
        return verify_fail(v, v->loc, "two different things are named %s", name);
    if (!slot->name) v->nnames++;
    *slot = (VerifyName){name, kind, is};
    return true;
}

bool verify_is_named(Verify *v, VerifyKind kind, const char *name, const void *is) {
    if (!name || !v->nslots) return false;
    const VerifyName *slot = find(v, kind, name);
    return slot->name && slot->is == is;
}

// ---- what may be mentioned -----------------------------------------------------------------
static bool check_sym(Verify *v, const Sym *s) {
    if (!s || !s->name) return verify_fail(v, v->loc, "a symbol is missing");
    if (s->kind == SYM_PARAM) {
        if (verify_is_named(v, VERIFY_VALUE, s->name, s)) return true;
        return verify_fail(v, v->loc, "%s is no parameter of the region", s->name);
    }
    if (v->scope == SCOPE_PARAMS)
        return verify_fail(v, v->loc, "the counter %s where only parameters may stand", s->name);
    if (v->scope == SCOPE_STMT) {
        for (int k = 0; k < v->stmt->depth; k++)
            if (v->stmt->iters[k] == s) return true;
        return verify_fail(v, v->loc, "%s is no counter of %s", s->name, v->stmt->label);
    }
    for (int k = v->counters.n; k-- > 0;)
        if (v->counters.at[k] == s) return true;
    return verify_fail(v, v->loc, "the counter %s is not in scope", s->name);
}

bool verify_array_in_scope(Verify *v, const Array *a) {
    if (!a || !a->name) return verify_fail(v, v->loc, "an array is missing");
    if (v->scope == SCOPE_STMT || a->place == PLACE_USER) {
        if (verify_is_named(v, VERIFY_VALUE, a->name, a)) return true;
        return verify_fail(v, v->loc, "%s is no array of the region", a->name);
    }
    for (int k = v->arrays.n; k-- > 0;)
        if (v->arrays.at[k] == a) return true;
    return verify_fail(v, v->loc, "the array %s is not in scope", a->name);
}

static bool is_literal(const Expr *x, int64_t *value) {
    *value = x && x->kind == E_INT ? x->i : 0;
    return x && x->kind == E_INT;
}

bool verify_access(Verify *v, const Array *a, Expr *const *sub) {
    if (!verify_array_in_scope(v, a)) return false;
    for (int k = 0; k < a->digits; k++) {
        const Node *t = k < v->nthread ? v->thread[k] : NULL;
        int64_t lo = 0, hi = 0, extent = 0;
        bool fits = t && sub[k]->kind == E_SYM && sub[k]->sym == t->iter &&
                    is_literal(t->lo, &lo) && is_literal(t->hi, &hi) && lo == 0 &&
                    is_literal(a->extent[k], &extent) && extent == hi;
        if (!fits)
            return verify_fail(v, v->loc, "subscript %d of the register %s is not the thread's", k,
                               a->name);
    }
    return a->digits == 0 || a->digits == v->nthread ||
           verify_fail(v, v->loc, "the register %s names %d digits of a thread that has %d", a->name,
                       a->digits, v->nthread);
}

// ---- types ---------------------------------------------------------------------------------
static bool check_op(Verify *v, const Expr *x) {
    if ((unsigned)x->op >= OP_COUNT || x->op == OP_SET || x->nargs != op_arity(x->op))
        return verify_fail(v, v->loc, "an operator without its operands");
    int first = x->op == OP_SELECT;
    for (int k = 0; k < x->nargs; k++) {
        Type t = x->args[k]->type;
        if (op_takes_ints(x->op) && !type_is_int(t))
            return verify_fail(v, v->loc, "an operand of %s has type %s", op_text(x->op),
                               type_name(t));
        if (k >= first && op_is_even(x->op) && t != x->args[first]->type)
            return verify_fail(v, v->loc, "operands of %s have types %s and %s", op_text(x->op),
                               type_name(x->args[first]->type), type_name(t));
    }
    Type t = first ? x->args[1]->type : op_type(x->op, x->args[0]->type);
    return x->type == t || verify_fail(v, v->loc, "%s gives %s, not %s", op_text(x->op),
                                       type_name(t), type_name(x->type));
}

static bool check_load(Verify *v, const Expr *x) {
    if (!v->loads) return verify_fail(v, v->loc, "%s is read where only values may stand",
                                      x->array ? x->array->name : "an array");
    // The accesses of a statement are checked where it is used, as `via` may redirect them.
    if (!verify_array_in_scope(v, x->array)) return false;
    if (x->nargs != x->array->rank || x->type != x->array->elem)
        return verify_fail(v, v->loc, "%s is read with a wrong rank or type", x->array->name);
    for (int k = 0; k < x->nargs; k++)
        if (!type_is_int(x->args[k]->type))
            return verify_fail(v, v->loc, "a subscript of %s is no integer", x->array->name);
    return verify_access(v, x->array, x->args);
}

static bool check_call(Verify *v, const Expr *x) {
    const MathFn *fn = x->fn ? math_find(x->fn, x->type) : NULL;
    return (fn && math_takes(fn, x->nargs, x->args)) ||
           verify_fail(v, v->loc, "no math function %s of these types", x->fn ? x->fn : "");
}

bool verify_expr(Verify *v, const Expr *x) {
    if (!x) return verify_fail(v, v->loc, "an expression is missing");
    if (x->type <= T_NONE || x->type >= T_COUNT)
        return verify_fail(v, v->loc, "an expression without a type");
    for (int k = 0; k < x->nargs; k++)
        if (!verify_expr(v, x->args[k])) return false;
    switch (x->kind) {
    case E_INT:
        return (type_is_int(x->type) && value_wrap(x->type, x->i) == x->i) ||
               verify_fail(v, v->loc, "a literal does not fit its type");
    case E_FLOAT:
        return type_is_float(x->type) || verify_fail(v, v->loc, "a literal of a wrong type");
    case E_SYM:
        if (!check_sym(v, x->sym)) return false;
        return x->type == x->sym->type ||
               verify_fail(v, v->loc, "%s has another type", x->sym->name);
    case E_LOAD: return check_load(v, x);
    case E_OP: return check_op(v, x);
    case E_CAST: return x->nargs == 1 || verify_fail(v, v->loc, "a cast of nothing");
    case E_CALL: return check_call(v, x);
    }
    return verify_fail(v, v->loc, "an expression of no kind");
}

bool verify_int(Verify *v, const Expr *x) {
    if (!verify_expr(v, x)) return false;
    return type_is_int(x->type) || verify_fail(v, v->loc, "an integer must stand here");
}

bool verify_param_expr(Verify *v, const Expr *x, bool integer) {
    VerifyScope scope = v->scope;
    bool loads = v->loads;
    v->scope = SCOPE_PARAMS;
    v->loads = false;
    bool ok = integer ? verify_int(v, x) : verify_expr(v, x);
    v->scope = scope;
    v->loads = loads;
    return ok;
}
