// SPDX-License-Identifier: MIT
// abreast.c -- unroll and jam: several iterations of a parallel loop side by side.
//
//   for r in 0..4 {                  local sum_j[4]
//     local sum                      for r unroll  sum_j[r] = 0
//     sum = 0                   →    for k in 0..p
//     for k in 0..p                    for r unroll  sum_j[r] += a[4 * i + r][k] * b[k]
//       sum += a[4 * i + r][k] * b[k]  for r unroll  out[4 * i + r] = sum_j[r]
//     out[4 * i + r] = sum }
//
// The last of the loops may be one of vector lanes: its copies stay a loop, the innermost.
//
// What does not name r (b[k]) is read once for all of them, and their chains of operations are
// independent of each other. Right when the iterations of r may run in any order: each keeps its
// own order, and what it keeps for itself becomes an array of as many elements.
#include "rule/abreast.h"
#include <string.h>

enum { MAX_PRIVATE = 256 }; // elements of all copies of one private array

typedef struct Expanded {
    const Array *from, *to;
    bool unit;               // a register for one element of another array: no subscripts remain
} Expanded;
typedef struct Jam {
    Names *names;
    Arena *a;
    int n;                   // loops to be jammed, outermost first
    bool lanes;              // the last is of vector lanes: it stands inside all others, unrolled ones too
    bool waiting; // only loops whose iterations wait for each other: copies keep the others as they are
    const Node *const *loop;
    Expr *const *r; // the copy that is being made
    VEC(Expanded) map;
    bool failed;
} Jam;

// ---- which loops can stand outside ---------------------------------------------------------

static bool is_fixed(const Jam *j, const Expr *x) {
    if (expr_has_load(x)) return false;
    for (int i = 0; i < j->n; i++)
        if (expr_uses_sym(x, j->loop[i]->iter)) return false;
    return true;
}

static bool differ(const Access *x, const Access *y) {
    for (int d = 0; d < x->array->rank; d++)
        if (!expr_equal(x->sub[d], y->sub[d])) return true;
    return false;
}

static bool declares(const Node *n, const Array *x) {
    for (int i = 0; i < n->nlocals; i++)
        if (n->locals[i] == x) return true;
    for (int i = 0; node_kid((Node *)n, i); i++)
        if (declares(node_kid((Node *)n, i), x)) return true;
    return false;
}

// A call that takes longer than some loads.
static bool is_call(const Expr *x) {
    static const char *const quick[] = {"sqrt", "fabs", "floor",    "ceil", "trunc", "rint",
                                        "fmin", "fmax", "copysign", "abs",  "fma"};
    if (x->kind != E_CALL) return false;
    for (size_t k = 0; k < sizeof quick / sizeof *quick; k++) {
        size_t n = strlen(quick[k]);
        if (!strncmp(x->fn, quick[k], n) && (!x->fn[n] || str_eq(x->fn + n, "f"))) return false;
    }
    return true;
}

bool node_calls(Node *root) {
    node_each(n, root)
        if (n->kind == N_STMT && expr_any(n->stmt->rhs, is_call)) return true;
    return false;
}

// Does an iteration need what an earlier one left: a sum, an element that was written before?
static bool waits(const Jam *j, Node *loop) {
    AccessVec acc = {0};
    if (node_calls(loop->body)) return false; // one call takes longer
    node_each(n, loop->body) {
        AccessVec own = node_accesses(j->a, n);
        for (int k = 0; k < own.n; k++) vec_push(j->a, &acc, own.at[k]);
    }
    for (int k = 0; k < acc.n; k++) {
        const Access *x = &acc.at[k];
        if (!x->write || declares(loop->body, x->array)) continue;
        if (!exprs_use(x->sub, x->array->rank, loop->iter)) return true;
        for (int i = 0; i < acc.n; i++)
            if (acc.at[i].array == x->array && differ(x, &acc.at[i])) return true;
    }
    return false;
}

// Does the tree hold a loop that all copies can run through together? Not one that each leaves on its own.
static bool sinks(const Jam *j, Node *n) {
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++)
            if (sinks(j, n->kids[i])) return true;
        return false;
    case N_IF:
        return is_fixed(j, n->cond) && (j->lanes || sinks(j, n->then) || (n->other && sinks(j, n->other)));
    case N_FOR:
        if (!is_fixed(j, n->lo) || !is_fixed(j, n->hi) || loop_while(n)) return false;
        if (j->waiting && !waits(j, n)) return false;
        return n->how == HOW_SERIAL || (j->lanes && n->how == HOW_UNROLL) || sinks(j, n->body);
    default: return false;
    }
}

// ---- private arrays, one a copy --------------------------------------------------------------

static const Expanded *expanded(const Jam *j, const Array *array) {
    for (int i = j->map.n - 1; i >= 0; i--)
        if (j->map.at[i].from == array) return &j->map.at[i];
    return NULL;
}

static bool is_unit(const Array *array) {
    for (int d = 0; d < array->rank; d++)
        if (!expr_is_int(array->extent[d], 1)) return false;
    return array->of != NULL;
}

static const Array *expand(Jam *j, const Array *from) {
    if (!j->loop) return j->failed = true, from;
    bool unit = is_unit(from);
    int64_t size = 1;
    Array *to = array_copy(j->a, from, name_fresh(j->names, arena_printf(j->a, "%s_j", from->name)), j->n);
    to->of = NULL;
    to->origin = NULL;
    if (unit) to->rank = j->n;
    int before = j->n - j->lanes;
    for (int d = 0; d < to->rank; d++) {
        bool lane = j->lanes && d == to->rank - 1;
        to->extent[d] = lane ? j->loop[j->n - 1]->hi : d < before ? j->loop[d]->hi : from->extent[d - before];
        bool known = to->extent[d] && to->extent[d]->kind == E_INT && to->extent[d]->i > 0;
        if (!known || __builtin_mul_overflow(size, to->extent[d]->i, &size)) size = MAX_PRIVATE + 1;
    }
    if (from->place != PLACE_LOCAL || (from->of && !unit) || size > MAX_PRIVATE) j->failed = true;
    vec_push(j->a, &j->map, ((Expanded){from, to, unit}));
    return to;
}

// Where element sub of a private array is for the copy whose numbers are j->r.
static Expr **placed(Jam *j, const Expanded *e, Expr *const *sub) {
    Expr *const *r = j->r;
    Expr **out = NEW_N(j->a, Expr *, e->to->rank + 1);
    int before = j->n - j->lanes, own = e->to->rank - (j->lanes > 0);
    for (int d = 0; d < own; d++) out[d] = d < before ? r[d] : sub[d - before];
    if (j->lanes) out[own] = r[j->n - 1]; // lanes lie side by side
    return out;
}

static Expr *in_expr(Expr *x, void *arg) {
    Jam *j = arg;
    x = expr_map(j->a, x, in_expr, arg);
    const Expanded *e = x->kind == E_LOAD ? expanded(j, x->array) : NULL;
    return e ? expr_load(j->a, e->to, placed(j, e, x->args)) : x;
}

static Node *in_stmt(Jam *j, const Node *n) {
    AccessVec acc = node_accesses(j->a, n);
    Node *m = node_rerouted(j->a, n, acc.n);
    bool any = false;
    for (int k = 0; k < acc.n; k++) {
        const Expanded *e = expanded(j, acc.at[k].array);
        if (!e) continue;
        for (int d = 0; d < e->from->rank; d++)
            if (!e->unit && expr_has_load(acc.at[k].sub[d])) j->failed = true;
        m->via[k] = e->to;
        m->via_sub[k] = placed(j, e, acc.at[k].sub);
        any = true;
    }
    return any ? m : node_clone(j->a, n);
}

static Node *in_copy(Jam *j, const Node *n) {
    const Expanded *e = expanded(j, n->dst);
    Node *m = node_clone(j->a, n);
    if (e) {
        m->sub = placed(j, e, n->sub);
        m->dst = e->to;
    }
    m->src = in_expr(n->src, j);
    return m;
}

static Node *in_node(Node *n, void *arg) {
    Jam *j = arg;
    if (n->kind == N_STMT) return in_stmt(j, n);
    if (n->kind == N_COPY) return in_copy(j, n);
    if (n->kind == N_KERNEL || n->kind == N_BARRIER) j->failed = true;
    const Array **locals = NEW_N(j->a, const Array *, n->nlocals + 1);
    for (int i = 0; i < n->nlocals; i++) // the place of a cache may name r
        locals[i] = n->locals[i]->of ? expand(j, n->locals[i]) : n->locals[i];
    Node *m = node_map_exprs(j->a, node_map(j->a, n, in_node, arg), in_expr, arg);
    m->locals = locals;
    return m;
}

// ---- the rule --------------------------------------------------------------------------------

// for r unroll { n }, r being fresh counters; a loop that each copy keeps for itself stands once.
static Node *wrap(Jam *j, Node *n) {
    const Sym **from = NEW_N(j->a, const Sym *, j->n);
    bool whole = j->waiting && n->kind == N_FOR;
    Expr **r = NEW_N(j->a, Expr *, j->n);
    Node **loops = NEW_N(j->a, Node *, j->n);
    for (int i = 0; i < j->n; i++) {
        from[i] = j->loop[i]->iter;
        loops[i] = node_clone(j->a, j->loop[i]);
        loops[i]->iter = iter_fresh(j->names, "r", from[i]->type);
        loops[i]->how = j->lanes && i == j->n - 1 ? HOW_VECTOR : whole ? HOW_SERIAL : HOW_UNROLL;
        r[i] = expr_sym(j->a, loops[i]->iter);
    }
    j->r = r;
    return in_loops(j->a, j->n, (const Node *const *)loops, in_node(node_subst(j->a, n, j->n, from, r), j));
}

static Node *jam(Jam *j, Node *n);

static bool stands_once(const Jam *j, const Node *first, const Node *next) {
    return j->waiting && (first->kind == N_FOR || next->kind == N_FOR);
}

static Node *jam_seq(Jam *j, Node *n) {
    Node *m = node_clone(j->a, n);
    m->kids = NEW_N(j->a, Node *, n->nkids + 1);
    m->nkids = 0;
    m->locals = NEW_N(j->a, const Array *, n->nlocals + 1);
    for (int i = 0; i < n->nlocals; i++) m->locals[i] = expand(j, n->locals[i]);
    for (int i = 0; i < n->nkids;) {
        int k = i;
        while (k < n->nkids && !sinks(j, n->kids[k]) && !(k > i && stands_once(j, n->kids[i], n->kids[k])))
            k++;
        if (k > i)
            m->kids[m->nkids++] = wrap(j, k == i + 1 ? n->kids[i] : node_seq(j->a, k - i, n->kids + i));
        else m->kids[m->nkids++] = jam(j, n->kids[k++]);
        i = k;
    }
    return m;
}

// Instructions, roughly.
static int weight_of(const Node *body) {
    int all = 0;
    node_each(n, body) {
        all += n->kind == N_STMT || n->kind == N_COPY;
        if (n->kind != N_STMT) continue;
        expr_each(x, n->stmt->rhs) {
            bool slow = x->kind == E_CALL || (x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD));
            all += slow ? 8 : x->kind == E_OP;
        }
    }
    return all;
}

// Iterations of a loop of copies that are printed one after another.
static int unroll_factor(const Jam *j, Node *loop) {
    enum { MOST = 1024 };    // instructions in a row
    int all = weight_of(loop->body), factor = 8;
    for (int i = 0; i < j->n - j->lanes; i++) all *= (int)j->loop[i]->hi->i;
    while (factor > 1 && factor * all > MOST) factor /= 2;
    return factor;
}

static Node *jam(Jam *j, Node *n) {
    if (!sinks(j, n)) return wrap(j, n);
    if (n->kind == N_SEQ) return jam_seq(j, n);
    Node *m = node_clone(j->a, n);
    if (n->kind == N_IF) {
        m->then = jam(j, n->then);
        m->other = n->other ? jam(j, n->other) : NULL;
        return m;
    }
    if (n->how == HOW_SERIAL && n->unroll < 2 && !sinks(j, n->body)) m->unroll = unroll_factor(j, n);
    m->body = jam(j, n->body);
    return m;
}

static Node *abreast(Names *names, int n, const Node *const *loops, Node *body, bool waiting) {
    Jam j = {.names = names,
             .waiting = waiting,
             .a = names->arena,
             .n = n,
             .loop = loops,
             .lanes = n > 0 && loops[n - 1]->how == HOW_VECTOR};
    for (int i = 0; i < n; i++)
        if (!expr_is_int(loops[i]->lo, 0) || loops[i]->hi->kind != E_INT || loops[i]->step != 1) return NULL;
    Node *m = jam(&j, body);
    return j.failed ? NULL : m;
}

Node *rule_abreast(Names *names, int n, const Node *const *loops, Node *body) {
    return abreast(names, n, loops, body, false);
}

Node *rule_abreast_waiting(Names *names, int n, const Node *const *loops, Node *body) {
    return abreast(names, n, loops, body, true);
}

Node *node_placed(Names *names, Node *n, int nr, Expr *const *r, int count, const Array *const *from,
                  const Array *const *to) {
    Jam j = {.names = names, .a = names->arena, .n = nr, .r = r};
    for (int i = 0; i < count; i++) vec_push(j.a, &j.map, ((Expanded){from[i], to[i], false}));
    Node *m = in_node(n, &j);
    return j.failed ? NULL : m;
}

// ---- a second copy of a tree ------------------------------------------------------------------

static Node *again(Node *n, void *arg) {
    Names *names = arg;
    Node *m = node_clone(names->arena, n);
    if (n->kind == N_FOR) {
        m->iter = iter_fresh(names, n->iter->name, n->iter->type);
        Expr *to = expr_sym(names->arena, m->iter);
        m->body = node_subst(names->arena, n->body, 1, &n->iter, &to);
    }
    return node_map(names->arena, m, again, arg);
}

Node *node_again(Names *names, Node *n) { return again(n, names); }
