// SPDX-License-Identifier: MIT
// verify_tree.c -- the invariants of nodes and of the arrays that blocks declare
#include "ir/verify_state.h"

bool verify_is_update(Op op) {
    switch (op) {
    case OP_SET: case OP_ADD: case OP_MUL: case OP_MIN: case OP_MAX: case OP_AND: case OP_OR:
    case OP_XOR: case OP_LAND: case OP_LOR: return true;
    default: return false;
    }
}

// ---- arrays -------------------------------------------------------------------------------
static bool check_extents(Verify *v, const Array *a) {
    bool constant = v->kernel && a->place != PLACE_TEMP && a->place != PLACE_USER;
    for (int d = 0; d < a->rank; d++) {
        if (!a->extent || !a->extent[d]) {
            if (d == 0 && a->place == PLACE_USER) continue;
            return verify_fail(v, v->loc, "an extent of %s is missing", a->name);
        }
        if (!verify_param_expr(v, a->extent[d], true)) return false;
        if (constant && (a->extent[d]->kind != E_INT || a->extent[d]->i < 0))
            return verify_fail(v, v->loc, "%s must have constant extents in a kernel", a->name);
    }
    return true;
}

static bool check_cache(Verify *v, const Array *a) {
    if (!a->of) return !a->origin || verify_fail(v, v->loc, "%s caches no array", a->name);
    if (a->of->rank != a->rank || a->of->elem != a->elem)
        return verify_fail(v, v->loc, "%s has another rank or type than %s", a->name, a->of->name);
    if (!verify_is_named(v, VERIFY_VALUE, a->of->name, a->of))
        return verify_fail(v, v->loc, "%s caches an array that is not declared", a->name);
    for (int d = 0; a->origin && d < a->rank; d++)
        if (!verify_int(v, a->origin[d])) return false;
    return true;
}

bool verify_array(Verify *v, const Array *a) {
    if (!a) return verify_fail(v, v->loc, "an array is missing");
    if (!verify_name(v, VERIFY_VALUE, a->name, a)) return false;
    if (a->elem <= T_NONE || a->elem >= T_COUNT || a->rank < 0 || a->rank > 32)
        return verify_fail(v, v->loc, "%s has no type or a wrong rank", a->name);
    if (a->place == PLACE_USER && !a->object) return verify_fail(v, v->loc, "%s has no object", a->name);
    if (a->stride == 0 || (a->place != PLACE_USER && a->stride < type_size(a->elem)))
        return verify_fail(v, v->loc, "the stride of %s is too small", a->name);
    if (a->place == PLACE_USER && a->of)
        return verify_fail(v, v->loc, "%s is no buffer and can't cache", a->name);
    if (a->digits < 0 || a->digits > a->rank || a->digits > 8 ||
        (a->digits && a->place != PLACE_REGISTER))
        return verify_fail(v, v->loc, "%s has threads where it can't", a->name);
    if (a->nvalues && a->place != PLACE_USER)
        return verify_fail(v, v->loc, "%s has values where it can't", a->name);
    return check_extents(v, a) && check_cache(v, a);
}

static bool check_local(Verify *v, const Array *a, bool root) {
    static const char *const places[] = {"array", "local", "temp", "shared", "register"};
    if (!verify_array(v, a)) return false;
    for (int k = 0; k < v->arrays.n; k++)
        if (v->arrays.at[k] == a) return verify_fail(v, v->loc, "%s is in scope already", a->name);
    bool ok = false;
    switch (a->place) {
    case PLACE_USER: break;
    case PLACE_LOCAL: ok = !v->in_nest || v->kernel; break;
    case PLACE_SHARED:
    case PLACE_REGISTER: ok = v->kernel && !v->nthread && !v->ncoop; break;
    case PLACE_TEMP: ok = v->in_nest && root; break;
    }
    return ok || verify_fail(v, v->loc, "%s %s can't be declared here", places[a->place], a->name);
}

// ---- nodes -----------------------------------------------------------------------------------
static bool is_block(const Node *n) { return n->kind == N_FOR && n->how == HOW_BLOCK; }

// All that a kernel does some block does: what stood beside the loops over blocks would be done by each of
// them.
static bool check_beside(Verify *v, const Node *n) {
    for (int k = 0; v->kernel && n->nkids > 1 && k < n->nkids; k++)
        if (node_any(n->kids[k], is_block))
            return verify_fail(v, n->kids[k]->loc, "beside loops over blocks stands what no block does");
    return true;
}

static bool check_seq(Verify *v, const Node *n) {
    int arrays = v->arrays.n;
    if (!check_beside(v, n)) return false;
    for (int k = 0; k < n->nlocals; k++) {
        if (!check_local(v, n->locals[k], n == v->root)) return false;
        vec_push(v->arena, &v->arrays, n->locals[k]);
    }
    for (int k = 0; k < n->nkids; k++)
        if (!verify_tree(v, n->kids[k])) return false;
    v->arrays.n = arrays;
    return true;
}

// x as base + constant: base NULL for a literal.
static const Expr *offset(const Expr *x, int64_t *c) {
    *c = 0;
    if (x->kind == E_INT) return *c = x->i, NULL;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB);
    if (!sum || x->args[1]->kind != E_INT) return x;
    *c = x->op == OP_ADD ? x->args[1]->i : (int64_t)-(uint64_t)x->args[1]->i;
    return x->args[0];
}

static bool is_constant_extent(const Node *n) {
    int64_t lo, hi;
    const Expr *x = offset(n->lo, &lo), *y = offset(n->hi, &hi);
    return x == y || expr_equal(x, y);
}

static bool check_how(Verify *v, const Node *n) {
    const char *name = n->iter->name;
    if (n->graph && (!v->in_nest || v->kernel || n->how != HOW_SERIAL))
        return verify_fail(v, n->loc, "loop %s is none of the host's, so it has no launches to note", name);
    if (n->matrix && !v->nthread)
        return verify_fail(v, n->loc, "loop %s is no thread's, so it has no instruction", name);
    if ((unsigned)n->how >= HOW_COUNT) return verify_fail(v, n->loc, "loop %s runs no way", name);
    if (n->how != HOW_SERIAL && !v->in_nest)
        return verify_fail(v, n->loc, "loop %s of a region must be serial", name);
    if (n->how == HOW_THREAD || n->how == HOW_UNROLL || n->how == HOW_COOP)
        if (!is_constant_extent(n))
            return verify_fail(v, n->loc, "%s loop %s must have a constant extent",
                               how_name(n->how), name);
    if (v->ncoop && n->how != HOW_COOP && n->how != HOW_VECTOR)
        return verify_fail(v, n->loc, "%s loop %s inside a coop loop", how_name(n->how), name);
    if (n->how != HOW_BLOCK && n->how != HOW_THREAD && n->how != HOW_COOP) return true;
    if (!v->kernel) return verify_fail(v, n->loc, "%s loop %s is in no kernel", how_name(n->how), name);
    if (n->step != 1) return verify_fail(v, n->loc, "%s loop %s must have step 1", how_name(n->how), name);
    if (n->how != HOW_THREAD && v->nthread)
        return verify_fail(v, n->loc, "%s loop %s inside a thread loop", how_name(n->how), name);
    if (n->how == HOW_BLOCK) return v->nblock < 3 || verify_fail(v, n->loc, "more than three block loops");
    return n->how == HOW_COOP || v->nthread < 8 ||
           verify_fail(v, n->loc, "more than eight thread loops");
}

static bool check_for(Verify *v, const Node *n) {
    if (!n->iter || n->iter->kind != SYM_ITER || !type_is_int(n->iter->type))
        return verify_fail(v, n->loc, "a loop without a counter");
    if (!verify_name(v, VERIFY_VALUE, n->iter->name, n->iter)) return false;
    if (!verify_int(v, n->lo) || !verify_int(v, n->hi)) return false;
    bool wide =
        n->iter->type == T_I32 || n->iter->type == T_I64 || expr_has_load(n->lo) || expr_has_load(n->hi);
    if (!wide) return verify_fail(v, n->loc, "the counter %s is no i32 or i64", n->iter->name);
    for (int k = 0; k < v->counters.n; k++)
        if (v->counters.at[k] == n->iter)
            return verify_fail(v, n->loc, "the counter %s is in use already", n->iter->name);
    int64_t most = INT64_C(1) << (v->in_nest ? 50 : 30); // rules multiply steps by numbers of threads
    if (n->step == 0 || n->step > most || n->step < -most)
        return verify_fail(v, n->loc, "loop %s has step 0 or too large a step", n->iter->name);
    if (!check_how(v, n)) return false;
    vec_push(v->arena, &v->counters, n->iter);
    v->nblock += n->how == HOW_BLOCK;
    v->ncoop += n->how == HOW_COOP;
    if (n->how == HOW_THREAD) v->thread[v->nthread++] = n;
    bool ok = verify_tree(v, n->body);
    v->nblock -= n->how == HOW_BLOCK;
    v->nthread -= n->how == HOW_THREAD;
    v->ncoop -= n->how == HOW_COOP;
    v->counters.n--;
    return ok;
}

// Of an element that data choose, another place is chosen by the same data.
static bool check_via_sub(Verify *v, const Array *via, Expr **sub, const Access *x) {
    bool loads = v->loads;
    v->loads = false;
    for (int d = 0; d < x->array->rank; d++) v->loads |= expr_has_load(x->sub[d]);
    bool ok = true;
    for (int d = 0; ok && d < via->rank; d++) ok = verify_int(v, sub[d]);
    v->loads = loads;
    return ok && verify_access(v, via, sub);
}

static bool check_via(Verify *v, const Node *n, const AccessVec *accesses) {
    if (n->nvia && n->nvia != accesses->n)
        return verify_fail(v, n->loc, "%s has %d accesses, not %d", n->stmt->label, accesses->n,
                           n->nvia);
    for (int k = 0; k < accesses->n; k++) {
        const Array *a = accesses->at[k].array, *via = n->nvia ? n->via[k] : NULL;
        Expr **sub = via && n->via_sub ? n->via_sub[k] : NULL;
        if (via && !sub && via->of != a)
            return verify_fail(v, n->loc, "%s is no cache of %s", via->name, a->name);
        if (via && via->elem != a->elem)
            return verify_fail(v, n->loc, "%s has another type than %s", via->name, a->name);
        if (!verify_array_in_scope(v, via ? via : a)) return false;
        if (sub && !check_via_sub(v, via, sub, &accesses->at[k])) return false;
    }
    return true;
}

static bool is_on_device(Verify *v, const Node *n) {
    return !v->in_nest || v->kernel ||
           verify_fail(v, n->loc, "a computation outside all kernels");
}

static bool check_forms(Verify *v, const Node *n) {
    if (!n->forms) return true;
    unsigned none = n->forms & ~forms_in(v->arena, n->stmt->rhs);
    if (none)
        return verify_fail(v, n->loc, "%s has no place for the form %s", n->stmt->label,
                           form_name(none & -none));
    if (n->forms & FORM_DIVIDE && n->forms & FORM_RECIPROCAL)
        return verify_fail(v, n->loc, "%s divides in two ways", n->stmt->label);
    return v->region->approximate || !forms_round(v->arena, n->forms, n->stmt->rhs) ||
           verify_fail(v, n->loc, "%s is computed in forms that nobody permitted", n->stmt->label);
}

static bool check_stmt(Verify *v, const Node *n) {
    const Stmt *s = n->stmt;
    if (!s || !verify_is_named(v, VERIFY_LABEL, s->label, s))
        return verify_fail(v, n->loc, "an instance of no statement of the region");
    if (v->in_inspect) return verify_fail(v, n->loc, "a statement in an inspection");
    if (v->ncoop) return verify_fail(v, n->loc, "%s in a coop loop, which only copies", s->label);
    if (!is_on_device(v, n)) return false;
    for (int k = 0; k < s->depth; k++)
        if (!n->at || !verify_int(v, n->at[k])) return false;
    if (!check_forms(v, n)) return false;
    AccessVec accesses = stmt_accesses(v->arena, s);
    return check_via(v, n, &accesses);
}

static bool check_copy(Verify *v, const Node *n) {
    if (!n->dst) {
        v->nvalues++;
        if (!v->in_inspect) return verify_fail(v, n->loc, "a value that goes nowhere");
        if (!verify_int(v, n->src)) return false;
        return n->src->type == T_I64 || verify_fail(v, n->loc, "an inspected value is no i64");
    }
    if (!v->in_nest) return verify_fail(v, n->loc, "a copy in a region");
    if (!is_on_device(v, n) || !verify_array_in_scope(v, n->dst)) return false;
    for (int k = 0; k < n->dst->rank; k++)
        if (!verify_int(v, n->sub[k])) return false;
    if (!verify_access(v, n->dst, n->sub)) return false;
    if (!verify_is_update(n->op)) return verify_fail(v, n->loc, "a copy with no update's operator");
    if (!verify_expr(v, n->src)) return false;
    if (n->async && (!v->ncoop || n->op != OP_SET || n->dst->place != PLACE_SHARED ||
                     n->src->kind != E_LOAD ||
                     (n->src->array->place != PLACE_USER && n->src->array->place != PLACE_TEMP)))
        return verify_fail(v, n->loc, "no asynchronous copy can be made of this");
    return n->src->type == n->dst->elem ||
           verify_fail(v, n->loc, "%s goes to an element of %s", type_name(n->src->type),
                       type_name(n->dst->elem));
}

// What a streamed kernel's launches move: expressions over parameters and host counters.
static bool check_moves(Verify *v, const Node *n) {
    if (n->nmoves && !n->streamed)
        return verify_fail(v, n->loc, "%s moves data and is not streamed", n->name);
    for (int k = 0; k < n->nmoves; k++) {
        const Foot *f = &n->moves[k];
        if (!f->array || f->array->place != PLACE_USER || !verify_array_in_scope(v, f->array))
            return verify_fail(v, n->loc, "%s moves no array of the region", n->name);
        Expr **ends[4] = {f->lo, f->hi, f->first, f->last};
        for (int e = 0; e < 4; e++)
            for (int d = 0; ends[e] && d < f->array->rank; d++)
                if (!verify_int(v, ends[e][d])) return false;
    }
    return true;
}

static bool check_kernel(Verify *v, const Node *n) {
    if (!v->in_nest || v->kernel) return verify_fail(v, n->loc, "a kernel can't be here");
    if (verify_is_named(v, VERIFY_KERNEL, n->name, n))
        return verify_fail(v, n->loc, "the kernel %s is there twice", n->name);
    if (!verify_name(v, VERIFY_KERNEL, n->name, n) || !check_moves(v, n)) return false;
    v->kernel = n;
    v->loads = true;
    bool ok = verify_tree(v, n->body);
    v->kernel = NULL;
    v->loads = false;
    return ok;
}

static bool check(Verify *v, const Node *n) {
    switch (n->kind) {
    case N_SEQ: return check_seq(v, n);
    case N_FOR: return check_for(v, n);
    case N_IF:
        return verify_int(v, n->cond) && verify_tree(v, n->then) &&
               (!n->other || verify_tree(v, n->other));
    case N_STMT: return check_stmt(v, n);
    case N_COPY: return check_copy(v, n);
    case N_KERNEL: return check_kernel(v, n);
    case N_BARRIER: return verify_fail(v, n->loc, "a barrier in a nest");
    }
    return verify_fail(v, n->loc, "a node of no kind");
}

bool verify_tree(Verify *v, const Node *n) {
    if (!n) return verify_fail(v, v->loc, "a node is missing");
    Loc outer = v->loc;
    if (n->loc.line) v->loc = n->loc;
    bool ok = check(v, n);
    v->loc = outer;
    return ok;
}
