// SPDX-License-Identifier: MIT
// code.c -- a kernel's tree made ready for walking: which node makes which memory requests.
#include "ir/table.h"
#include "model/recall.h"
#include <math.h>

static bool is_own(const Array *x) { return x->place == PLACE_LOCAL || x->place == PLACE_REGISTER; }
static bool in_memory(const Array *x) {
    return x->place == PLACE_USER || x->place == PLACE_TEMP || x->place == PLACE_SHARED;
}

// ---- names and places ----------------------------------------------------------------------------
static const char *access_text(Arena *a, const Array *array, Expr *const *sub) {
    Text t = text_new(a);
    text_put(&t, array->name);
    for (int k = 0; k < array->rank; k++) text_printf(&t, "[%s]", ir_print_expr(a, sub[k]));
    return text_str(&t);
}

// Where the user's text names an array first: the place of copies that a rule made.
static Loc loc_of_array(const Region *r, const Array *array) {
    Arena *a = arena_new();
    Loc loc = {0};
    while (array->of) array = array->of;
    for (int i = 0; i < r->nstmts && !loc.line; i++) {
        AccessVec v = stmt_accesses(a, r->stmts[i]);
        for (int k = 0; k < v.n && !loc.line; k++)
            if (v.at[k].array == array) loc = r->stmts[i]->loc;
    }
    arena_free(a);
    return loc;
}

static Loc place_of(const Program *p, const Code *c, const Array *array) {
    Loc loc = c->n->kind == N_STMT ? c->n->stmt->loc : c->n->loc;
    if (!loc.line && array) loc = loc_of_array(p->nest->region, array);
    for (; !loc.line && c; c = c->parent) loc = c->n->loc;
    if (!loc.line) loc = p->nest->region->loc;
    if (!loc.file) loc.file = p->nest->region->loc.file;
    return loc;
}

// ---- accesses ------------------------------------------------------------------------------------
// A user's array, or a part or another reading of a shared one, lies where its stride says; buffers
// are dense.
static bool is_placed(const Array *x) {
    return x->place == PLACE_USER || (x->place == PLACE_SHARED && x->object && !str_eq(x->object, x->name));
}

int64_t array_offset(const Array *x) { return is_placed(x) ? x->offset : 0; }

// Bytes for a step of each subscript. NULL: an extent is not known.
static int64_t *pitches(Program *p, const Array *x) {
    int64_t *out = NEW_N(p->a, int64_t, x->rank + 1),
            step = is_placed(x) && x->stride > 0 ? x->stride : type_size(x->elem);
    for (int k = x->rank; k-- > 0;) {
        out[k] = step;
        if (k == 0) break;
        Lanes e;
        lanes_of(&p->env, x->extent[k], &e);
        if (is_own(x) && k < x->digits) step = 0; // the thread's own
        else if (e.known != KNOWN || !e.uniform || __builtin_mul_overflow(step, e.at[0], &step)) return NULL;
    }
    return out;
}

static bool in_local(const Program *p, const Array *x) {
    for (int k = 0; k < p->locals.n; k++)
        if (p->locals.at[k] == local_base(x)) return true;
    return false;
}

// Of what has no extent the call's footprint tells: NULL where there is none.
static const Foot *foot_of(const Program *p, const Array *x) {
    for (int k = 0; x->place == PLACE_USER && k < p->nest->nfeet; k++)
        if (p->nest->feet[k].array == x) return &p->nest->feet[k];
    return NULL;
}

// How many values a subscript has by its form alone: those of its narrowest type, what a mask or a remainder
// leaves. 0: any number.
static double values_of(const Expr *x) {
    if (x->kind == E_CAST) return values_of(x->args[0]);
    bool literal = x->kind == E_OP && x->nargs == 2 && x->args[1]->kind == E_INT && x->args[1]->i > 0;
    if (literal && (x->op == OP_FMOD || x->op == OP_MOD)) return (double)x->args[1]->i;
    if (literal && x->op == OP_AND) return (double)x->args[1]->i + 1;
    if (literal && (x->op == OP_ADD || x->op == OP_SUB)) return values_of(x->args[0]);
    return x->kind == E_LOAD && type_is_int(x->type) && type_size(x->type) <= 2
               ? ldexp(1, 8 * (int)type_size(x->type)) : 0;
}

static void measure(Program *p, Site *s) {
    const Array *x = s->array;
    Lanes lo, hi;
    s->pitch = pitches(p, x);
    s->cost->size = 0;
    if (!s->pitch || !x->rank) return;
    double values = values_of(s->sub[0]);
    s->cost->size = values * (double)s->pitch[0];
    const Foot *f = x->extent[0] ? NULL : foot_of(p, x);
    if (!x->extent[0] && !f) return;
    lanes_of(&p->env, f ? f->hi[0] : x->extent[0], &hi);
    if (f) lanes_of(&p->env, f->lo[0], &lo);
    else lanes_uniform(&lo, 0);
    bool known = hi.known == KNOWN && hi.uniform && lo.known == KNOWN && lo.uniform;
    double reach = known ? (double)(hi.at[0] - lo.at[0] + (f != NULL)) : 0;
    if (reach > 0 && !(values > 0 && values < reach)) s->cost->size = reach * (double)s->pitch[0];
}

static bool is_size(const Expr *x) { return x->kind == E_SYM && x->sym->kind == SYM_PARAM; }

static bool is_gathered(const Expr *x) { return x->kind == E_LOAD && !table_has_each(x->array); }

static bool is_fixed(const Array *x, Expr *const *sub) {
    for (int d = 0; d < x->rank; d++) {
        if (!x->extent[d] || expr_any(sub[d], is_size) || (x->extent[d] && expr_any(x->extent[d], is_size)) ||
            (x->of && x->origin && expr_any(x->origin[d], is_size)))
            return false;
    }
    return true;
}

AccessCost *code_add_site(Program *p, Code *c, const Array *array, Expr *const *sub, bool write, bool atomic,
                          const char *text, Moved moved) {
    bool local = in_local(p, array);
    if (!in_memory(array) && !local) return NULL;
    for (int k = 0; k < c->nsites; k++) { // the same element once, however often a statement reads it
        const Site *s = c->sites[k];
        bool same = s->array == array && s->cost->write == write;
        for (int d = 0; same && d < array->rank; d++) same = expr_equal(s->sub[d], sub[d]);
        if (same) return NULL;
    }
    AccessCost *cost = NEW(p->a, AccessCost);
    *cost = (AccessCost){.node = c->n,
                         .loc = place_of(p, c, array),
                         .array = array,
                         .text = text ? text : access_text(p->a, array, sub),
                         .write = write,
                         .shared = array->place == PLACE_SHARED || array->constant,
                         .constant = array->constant,
                         .atomic = atomic,
                         .async = c->n->async,
                         .local = local};
    for (int d = 0; d < array->rank; d++) cost->gathers |= expr_any(sub[d], is_gathered);
    Site *s = NEW_AS(p->a, Site, (Site){.cost = cost, .array = array, .sub = sub, .moved = moved});
    s->fixed = is_fixed(array, sub);
    measure(p, s);
    struct {
        Site **at;
        int n, cap;
    } v = {c->sites, c->nsites, c->nsites};
    vec_push(p->a, &v, s);
    c->sites = v.at;
    c->nsites = v.n;
    c->touches = true;
    vec_push(p->a, &p->accesses, cost);
    return cost;
}

static void add_loads(Program *p, Code *c, const Expr *root) {
    expr_each(x, root) {
        AccessCost *cost =
            x->kind == E_LOAD ? code_add_site(p, c, x->array, x->args, false, false, NULL, x->moved) : NULL;
        if (cost && x->loc.line) cost->loc = x->loc; // where the kernel's author wrote it
    }
}

static void add_stmt(Program *p, Code *c) {
    AccessVec v = node_accesses(p->a, c->n), own = stmt_accesses(p->a, c->n->stmt);
    bool atomic = c->n->atomic || c->n->stmt->atomic;
    for (int k = 0; k < v.n; k++) {
        const Access *x = &v.at[k];
        const char *text = x->array == own.at[k].array ? access_text(p->a, x->array, own.at[k].sub) : NULL;
        if (k || (x->read && !atomic))
            code_add_site(p, c, x->array, x->sub, false, false, text, (Moved){0, 0});
        if (!k) code_add_site(p, c, x->array, x->sub, true, atomic, text, (Moved){0, 0});
    }
    for (int k = 0; k < c->n->stmt->depth; k++) add_loads(p, c, c->n->at[k]);
}

static void add_copy(Program *p, Code *c) {
    const Node *n = c->n;
    add_loads(p, c, n->src);
    if (!n->dst) return;
    for (int k = 0; k < n->dst->rank; k++) add_loads(p, c, n->sub[k]);
    if (n->op != OP_SET && !n->atomic) code_add_site(p, c, n->dst, n->sub, false, false, NULL, n->moved);
    code_add_site(p, c, n->dst, n->sub, true, n->atomic, NULL, n->moved);
}

// A table of constants stands in the kernel's text: an element whose place is a number is one, too.
static void drop_numbers(Code *c) {
    int n = 0;
    for (int k = 0; k < c->nsites; k++) {
        const Site *s = c->sites[k];
        if (!table_has_each(s->array) || !local_is_fixed(s->array, s->sub, c)) c->sites[n++] = c->sites[k];
    }
    c->nsites = n;
    for (int k = 0; k < c->nkids; k++) drop_numbers(c->kids[k]);
}

// ---- private numbers --------------------------------------------------------------------------------
static bool is_private(const Array *x) {
    // one element a thread; registers that live from phase to phase name the thread
    return (x->place == PLACE_LOCAL || x->place == PLACE_REGISTER) && x->rank == x->digits;
}

// Integers are followed, and floats that integers are made of: whether all lanes have the same matters.
static bool is_followed(const Program *p, const Array *x) {
    bool yes = is_private(x) && type_is_int(x->elem);
    for (int k = 0; k < p->floats.n; k++) yes |= p->floats.at[k] == x;
    return yes;
}

static void note_private(Program *p, const Array *x) {
    if (!is_followed(p, x)) return;
    for (int k = 0; k < p->privates.n; k++)
        if (p->privates.at[k] == x) return;
    vec_push(p->a, &p->privates, x);
}

static void note_floats(Program *p, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_LOAD && is_private(x->array) && !is_followed(p, x->array))
            vec_push(p->a, &p->floats, x->array);
}

// Of what becomes an integer somewhere in it.
static void note_rounded(Program *p, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_CAST && type_is_int(x->type) && type_is_float(x->args[0]->type))
            note_floats(p, x->args[0]);
}

static const Array *set_by(const Node *n) {
    return n->kind == N_COPY ? n->dst : n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs;
}

static Expr *value_set(Program *p, const Node *n) {
    return n->kind == N_COPY ? n->src : n->nvia ? NULL : node_stmt_expr(p->a, n, n->stmt->rhs);
}

static void find_floats(Program *p, const Node *root) {
    for (int before = -1; before != p->floats.n;) { // what they are made of, in turn
        before = p->floats.n;
        node_each(n, root) {
            const Expr *ends[] = {n->lo, n->hi, n->cond};
            for (int k = 0; k < 3; k++) note_rounded(p, ends[k]);
            if (n->kind != N_COPY && n->kind != N_STMT) continue;
            const Array *set = set_by(n);
            const Expr *x = value_set(p, n);
            for (int d = 0; n->kind == N_COPY && n->dst && d < n->dst->rank; d++) note_rounded(p, n->sub[d]);
            note_rounded(p, x);
            if (set && !type_is_int(set->elem) && is_followed(p, set)) note_floats(p, x);
        }
    }
}

// x = value, x += value: what x is worth afterwards.
static void set_private(Program *p, Code *c) {
    const Node *n = c->n;
    const Array *set = set_by(n);
    if (!set || !is_followed(p, set)) return;
    Expr *x = value_set(p, n);
    Op op = n->kind == N_COPY ? n->op : n->stmt->op;
    c->set = set;
    c->steps = true;
    c->value =
        x && op != OP_SET
            ? expr_op(p->a, op, expr_load(p->a, set, n->kind == N_COPY ? n->sub : n->stmt->sub), x, NULL)
            : x;
}

static void hold(Program *p, const Array *x) {
    for (int k = 0; k < p->held.n; k++)
        if (p->held.at[k] == x) return;
    vec_push(p->a, &p->held, x);
}

// ---- building ----------------------------------------------------------------------------------------
static Code *build(Program *p, Node *n, Code *parent) {
    Code *c = NEW(p->a, Code);
    c->n = n;
    c->parent = parent;
    for (int k = 0; k < n->nlocals; k++) note_private(p, n->locals[k]);
    if (n->kind == N_STMT) add_stmt(p, c);
    if (n->kind == N_COPY) add_copy(p, c);
    for (int k = 0; n->kind == N_COPY && n->matrix && k < matrix_parts(n->matrix); k++)
        hold(p, n->part[k]->array);
    if (n->kind == N_FOR) add_loads(p, c, n->lo), add_loads(p, c, n->hi);
    if (n->kind == N_IF) add_loads(p, c, n->cond);
    if (n->kind == N_STMT || n->kind == N_COPY) set_private(p, c);
    Node *below[2] = {n->body ? n->body : n->then, n->other};
    int count = n->kind == N_SEQ ? n->nkids : below[0] ? below[1] ? 2 : 1 : 0;
    c->kids = NEW_N(p->a, Code *, count + 1);
    c->leaf = n->kind == N_FOR && n->how == HOW_SERIAL;
    for (int k = 0; k < count; k++) {
        Code *kid = build(p, n->kind == N_SEQ ? n->kids[k] : below[k], c);
        c->kids[c->nkids++] = kid;
        c->touches |= kid->touches;
        c->steps |= kid->steps;
    }
    if (n->kind == N_IF || n->kind == N_FOR) {
        c->branch = NEW(p->a, BranchCost);
        *c->branch = (BranchCost){.node = n, .loc = place_of(p, c, NULL), .loop = n->kind == N_FOR};
        vec_push(p->a, &p->branches, c->branch);
        if (c->branch->loop) vec_push(p->a, &p->loops, c);
    }
    return c;
}

static bool stays(const Code *c) {
    return c->n->kind == N_FOR && c->n->how == HOW_SERIAL &&
           !(code_is_literal(c) && code_is_small(c) && c->n->unroll <= 0);
}

// Is there a loop inside that is not written out?
static bool has_serial(const Code *c) {
    for (int k = 0; k < c->nkids; k++)
        if (stays(c->kids[k]) || has_serial(c->kids[k])) return true;
    return false;
}

// ---- what a loop need not repeat -----------------------------------------------------------------------
static const char *object_of(const Array *x) { return x->object ? x->object : x->name; }

static bool writes(const Code *c, const Array *x) {
    for (int k = 0; k < c->nsites; k++)
        if (c->sites[k]->cost->write && str_eq(object_of(c->sites[k]->array), object_of(x))) return true;
    for (int k = 0; k < c->nkids; k++)
        if (writes(c->kids[k], x)) return true;
    return false;
}

static bool varies(const Site *s, const Sym *iter) {
    for (int d = 0; d < s->array->rank; d++) {
        if (expr_uses_sym(s->sub[d], iter) || expr_has_load(s->sub[d])) return true;
        if (s->array->of && s->array->origin && expr_uses_sym(s->array->origin[d], iter)) return true;
    }
    return false;
}

// A compiler reads once before a loop what the loop neither moves nor writes. Barriers and
// branches are as far as it goes.
static void hoist(Site *s, Code *c) {
    if (s->cost->write || (c->n->kind != N_STMT && c->n->kind != N_COPY)) return;
    for (c = c->parent; c; c = c->parent) {
        if (c->n->kind == N_SEQ) continue;
        if (c->n->kind != N_FOR || (c->n->how != HOW_SERIAL && c->n->how != HOW_UNROLL)) return;
        if (varies(s, c->n->iter) || writes(c, s->array)) return;
        s->hoist = c;
    }
}

// A condition that a loop does not change is decided before it, and the loop written twice.
static void decide(Code *c) {
    const Expr *x = c->n->cond;
    if (expr_has_load(x)) return;
    for (Code *up = c->parent; up; up = up->parent) {
        if (up->n->kind == N_FOR && up->n->how != HOW_SERIAL && up->n->how != HOW_UNROLL) return;
        if (up->n->kind != N_FOR || up->n->how == HOW_UNROLL) continue; // each copy for itself
        if (expr_uses_sym(x, up->n->iter)) return;
        c->before = up;
    }
}

// ---- addresses -----------------------------------------------------------------------------------------
// Does the compiler know how far apart two iterations lie? Rows of a literal length, or the counter in the
// last subscript alone.
static bool is_steady(const Site *s, const Sym *iter) {
    bool literal = true;
    for (int d = s->array->rank; d-- > 0;) {
        if (expr_uses_sym(s->sub[d], iter) && !literal) return false;
        literal = literal && s->array->extent[d] && s->array->extent[d]->kind == E_INT;
    }
    return true;
}

static void price(Site *s, const Code *c) {
    const Sym *iter = NULL;
    for (const Code *up = c->parent; up && !iter; up = up->parent)
        if (up->n->kind == N_FOR && (up->n->how == HOW_SERIAL || up->n->how == HOW_UNROLL))
            iter = up->n->iter;
    s->steady = iter && is_steady(s, iter);
    for (int d = 0; d < s->array->rank; d++)
        s->index += mix_index(s->sub[d], iter);
}

// ---- records that are moved at once -------------------------------------------------------------------
typedef VEC(Site *) Run;

static int64_t field_at(const Site *s) {
    return s->moved.bytes ? s->moved.at : s->array->offset % s->array->packed;
}

// At most how many bytes of this access a lane moves at once.
static int most_at_once(const Site *s) { return s->moved.bytes ? s->moved.bytes : s->array->packed; }

// Lanes of one vector that lie in one array: as far apart as their places in it say.
static bool is_same_vector(Program *p, const Site *x, const Site *y) {
    const Array *v = x->array;
    bool same =
        v == y->array && x->moved.bytes == y->moved.bytes && x->cost->write == y->cost->write && v->rank > 0;
    int64_t step = is_placed(v) && v->stride > 0 ? v->stride : type_size(v->elem);
    for (int d = 0; same && d < v->rank - 1; d++) same = expr_equal(x->sub[d], y->sub[d]);
    if (!same) return false;
    Expr *far = expr_int(p->a, x->sub[v->rank - 1]->type, (y->moved.at - x->moved.at) / step);
    return expr_equal(expr_add(p->a, x->sub[v->rank - 1], far), y->sub[v->rank - 1]) ||
           expr_equal(x->sub[v->rank - 1], expr_sub(p->a, y->sub[v->rank - 1], far));
}

static bool is_same_record(Program *p, const Site *x, const Site *y) {
    const Array *v = x->array, *w = y->array;
    if (x->moved.bytes || y->moved.bytes) return is_same_vector(p, x, y);
    bool same = v->packed == w->packed && v->packed && x->cost->write == y->cost->write &&
                v->rank == w->rank && v->stride == w->stride &&
                v->offset / v->packed == w->offset / w->packed && str_eq(object_of(v), object_of(w));
    for (int d = 0; same && d < v->rank; d++) same = expr_equal(x->sub[d], y->sub[d]);
    return same;
}

// The fields of one record that straight code reads, or writes, are one access if they are a vector:
// 4, 8 or 16 bytes at a multiple of that. What is loaded may be more than what is asked for.
static void join_fields(Program *p, Run *run, int first) {
    Site *lead = run->at[first];
    int64_t lo = 16, hi = 0, bytes = 0;
    for (int k = first; k < run->n; k++) {
        Site *s = run->at[k];
        if (s->lead || !is_same_record(p, lead, s)) continue;
        int64_t at = field_at(s), size = type_size(s->array->elem);
        lo = at < lo ? at : lo, hi = at + size > hi ? at + size : hi;
        bytes += size;
    }
    int64_t width = type_size(lead->array->elem), own = field_at(lead);
    while (lo / width * width + width < hi) width *= 2;
    bool whole = bytes == width && hi - lo == width;
    if (bytes <= type_size(lead->array->elem) || width > most_at_once(lead) || (lead->cost->write && !whole))
        return;
    Array shown = *lead->array;
    shown.name = object_of(lead->array);
    lead->lead_width = (int)width;
    lead->lead_shift = lo / width * width - own;
    lead->cost->text = access_text(p->a, &shown, lead->sub);
    for (int k = first; k < run->n; k++)
        if (!run->at[k]->lead && is_same_record(p, lead, run->at[k])) run->at[k]->lead = lead;
}

static void end_run(Program *p, Run *run) {
    for (int k = 0; k < run->n; k++)
        if (!run->at[k]->lead) join_fields(p, run, k);
    run->n = 0;
}

static void find_runs(Program *p, Code *c, Run *run) {
    bool straight = c->n->kind == N_SEQ || c->n->kind == N_STMT || c->n->kind == N_COPY;
    for (int k = 0; k < c->nsites; k++)
        if ((c->sites[k]->array->packed || c->sites[k]->moved.bytes) && !c->sites[k]->cost->atomic)
            vec_push(p->a, run, c->sites[k]);
    for (int k = 0; k < c->nkids; k++) {
        if (!straight) end_run(p, run);
        find_runs(p, c->kids[k], run);
    }
    if (!straight) end_run(p, run);
}

// Fields that another access moves are none of their own.
static void forget_led(Program *p, Code *c) {
    for (int k = 0; k < c->nsites; k++) {
        Site *s = c->sites[k];
        if (!s->lead || s->lead == s) continue;
        int n = 0;
        for (int i = 0; i < p->accesses.n; i++)
            if (p->accesses.at[i] != s->cost) p->accesses.at[n++] = p->accesses.at[i];
        p->accesses.n = n;
    }
    for (int k = 0; k < c->nkids; k++) forget_led(p, c->kids[k]);
}

static void settle(Program *p, Code *c) {
    if (c->leaf) c->leaf = !has_serial(c);
    if (c->n->kind == N_IF) decide(c);
    for (int k = 0; k < c->nsites; k++) hoist(c->sites[k], c), price(c->sites[k], c);
    for (int k = 0; k < c->nkids; k++) settle(p, c->kids[k]);
}

static bool has_value(int n, const InterpVal *vals, const Sym *s) {
    for (int k = 0; k < n; k++)
        if (vals[k].sym == s) return true;
    return false;
}

Program *program_new(Arena *a, const Nest *n, const Node *kernel, int nvals, const InterpVal *vals,
                     const Machine *m) {
    Program *p = NEW(a, Program);
    p->a = a;
    p->nest = n;
    p->kernel = kernel;
    p->m = m;
    p->env = (Env){.a = a, .width = (int)(m->warp < MAX_LANES ? m->warp : MAX_LANES)};
    for (int k = 0; k < nvals; k++)
        if (type_is_int(vals[k].sym->type)) lanes_uniform(env_push(&p->env, vals[k].sym), vals[k].i);
    for (int k = 0; k < n->nfacts; k++)
        if (!has_value(nvals, vals, n->facts[k].sym)) lanes_uniform(env_push(&p->env, n->facts[k].sym), 0);
    ir_kernel_grid(kernel, &p->g);
    stretches_find(p, nvals, vals);
    const Node *runs = m->matrix64 > 0 ? matrix_bound(a, n->region->reassociate, (Node *)kernel) : kernel;
    find_floats(p, kernel);
    p->root = build(p, runs->kind == N_KERNEL ? runs->body : (Node *)runs, NULL);
    constants_find(p, p->root);
    local_find(p);
    drop_numbers(p->root);
    bends_find(p, p->root);
    settle(p, p->root);
    Run run = {0};
    find_runs(p, p->root, &run);
    end_run(p, &run);
    forget_led(p, p->root);
    recall_find(p, p->root);
    for (int k = 0; k < p->privates.n; k++) { // nothing is known of them at first
        Lanes *v = env_push(&p->env, p->privates.at[k]);
        v->known = UNKNOWN;
        v->uniform = false;
    }
    return p;
}

// Sums begin anew; how wide accesses are, and what was assumed, stays.
static void begin_again(Program *p, Code *c) {
    c->visits = c->entries = c->iterations = 0;
    c->sum = (InstructionMix){0};
    c->turned = NULL;
    if (c->branch) *c->branch = (BranchCost){.node = c->n, .loc = c->branch->loc, .loop = c->branch->loop};
    for (int k = 0; k < c->nsites; k++) {
        Site *s = c->sites[k];
        AccessCost *x = s->cost;
        if (!s->fixed) measure(p, s), s->form = NULL;
        s->probes = x->ndims = 0;
        x->requests = x->lanes = x->sectors = x->lines = x->useful = x->moved = x->ideal = x->misaligned = 0;
        x->wavefronts = x->wavefronts_ideal = 0;
    }
    recall_again(c);
    for (int k = 0; k < c->nkids; k++) begin_again(p, c->kids[k]);
}

void program_again(Program *p, int nvals, const InterpVal *vals) {
    for (int k = 0; k < nvals; k++)
        if (type_is_int(vals[k].sym->type)) lanes_uniform(env_find(&p->env, vals[k].sym), vals[k].i);
    stretches_measure(p, nvals, vals);
    p->size++;
    begin_again(p, p->root);
}
