// SPDX-License-Identifier: MIT
// tree.c -- nodes: making, walking, replacing, substituting; the accesses of a statement
#include "ir/ir.h"
#include <string.h>

static Node *make(Arena *a, NodeKind kind) {
    Node *n = NEW(a, Node);
    n->kind = kind;
    return n;
}

static void *copy_of(Arena *a, const void *from, int n) {
    if (!n) return NULL;
    void **to = NEW_N(a, void *, n);
    memcpy(to, from, sizeof *to * (size_t)n);
    return to;
}

Node *node_seq(Arena *a, int n, Node *const *kids) {
    Node *s = make(a, N_SEQ);
    s->nkids = n;
    s->kids = copy_of(a, kids, n);
    return s;
}

Node *node_for(Arena *a, const Sym *iter, Expr *lo, Expr *hi, int64_t step, How how, Node *body) {
    Node *n = make(a, N_FOR);
    n->iter = iter;
    n->lo = lo;
    n->hi = hi;
    n->step = step;
    n->how = how;
    n->body = body;
    return n;
}

Node *node_if(Arena *a, Expr *cond, Node *then, Node *other) {
    Node *n = make(a, N_IF);
    n->cond = cond;
    n->then = then;
    n->other = other;
    return n;
}

Node *node_stmt(Arena *a, const Stmt *s, Expr *const *at) {
    Node *n = make(a, N_STMT);
    n->loc = s->loc;
    n->stmt = s;
    n->at = copy_of(a, at, s->depth);
    n->atomic = s->atomic;
    return n;
}

Node *node_copy(Arena *a, const Array *dst, Expr *const *sub, Op op, Expr *src) {
    Node *n = make(a, N_COPY);
    n->dst = dst;
    n->sub = dst ? copy_of(a, sub, dst->rank) : NULL;
    n->op = op;
    n->src = src;
    return n;
}

Node *node_kernel(Arena *a, const char *name, Node *body) {
    Node *n = make(a, N_KERNEL);
    n->name = name;
    n->body = body;
    return n;
}

Node *node_clone(Arena *a, const Node *n) { return NEW_AS(a, Node, *n); }

bool mark_reduces(const Mark *m, const Array *array, Op op) {
    for (int i = 0; m && i < m->nred; i++)
        if ((m->red[i] == array || m->red[i] == array->of) && m->redop[i] == op) return true;
    return false;
}

bool mark_permits(const Mark *m, const Array *array) {
    for (int i = 0; m && i < m->nred; i++)
        if (m->redop[i] != OP_SET && mark_reduces(m, array, m->redop[i])) return true;
    return false;
}

bool mark_vouches(const Mark *m) {
    bool all = m && m->assert == ASSERT_PARALLEL;
    for (int i = 0; all && i < m->nred; i++) all = m->redop[i] != OP_SET;
    return all;
}

// ---- walking -------------------------------------------------------------------------
Node *node_kid(const Node *n, int k) {
    switch (n->kind) {
    case N_SEQ: return k < n->nkids ? n->kids[k] : NULL;
    case N_FOR: case N_KERNEL: return k == 0 ? n->body : NULL;
    case N_IF: return k == 0 && n->then ? n->then : k == (n->then != NULL) ? n->other : NULL;
    default: return NULL;
    }
}

static __int128 literal(const Expr *x) { return x->type == T_U64 ? (__int128)(uint64_t)x->i : x->i; }

const Array *loop_stretches(Arena *a, const Node *loop, Expr **place) {
    const Expr *lo = expr_kept(loop->lo), *hi = expr_kept(loop->hi);
    if (loop->step != 1 || !expr_is_index(lo) || !expr_is_index(hi)) return NULL;
    Expr *next = expr_add(a, lo->args[0], expr_int(a, lo->args[0]->type, 1));
    if (lo->array != hi->array || lo->array->place != PLACE_USER) return NULL;
    if (!expr_equal(next, hi->args[0])) return NULL;
    return *place = lo->args[0], lo->array;
}

int64_t loop_literal_trips(const Expr *lo, const Expr *hi, int64_t step) {
    if (lo->kind != E_INT || hi->kind != E_INT) return -1;
    __int128 most = (__int128)1 << 62, by = step > 0 ? step : -(__int128)step;
    __int128 span = step > 0 ? literal(hi) - literal(lo) : literal(lo) - literal(hi),
             n = (span + by - 1) / by;
    return span <= 0 ? 0 : n < most ? (int64_t)n : (int64_t)most;
}

bool node_any(const Node *root, bool (*is)(const Node *n)) {
    if (is(root)) return true;
    for (int k = 0; node_kid(root, k); k++)
        if (node_any(node_kid(root, k), is)) return true;
    return false;
}

int node_depth(const Node *n, bool (*counts)(const Node *n)) {
    int most = 0;
    for (int k = 0; node_kid(n, k); k++) {
        int depth = node_depth(node_kid(n, k), counts);
        most = depth > most ? depth : most;
    }
    return most + counts(n);
}

int node_kernels(Node *root) {
    int count = 0;
    node_each(n, root) count += n->kind == N_KERNEL;
    return count;
}

int node_leaf_number(const Node *root, const Node *leaf) {
    int before = 0, at = -1;
    node_each(n, root) {
        if (n->kind != N_STMT && n->kind != N_COPY) continue;
        if (n == leaf) at = before;
        before++;
    }
    return at;
}

// ---- replacing ------------------------------------------------------------------------
//        root                root'
//       /    \              /     \        (only the spine above `from` is copied)
//      x     from   →      x      to
typedef struct Swap {
    Arena *arena;
    const Node *from;
    Node *to;
} Swap;

static Node *swap(Swap *s, Node *n);

// The sequence with child k changed; a NULL child goes away.
static Node *swap_seq(Swap *s, Node *n) {
    for (int k = 0; k < n->nkids; k++) {
        Node *kid = swap(s, n->kids[k]);
        if (kid == n->kids[k]) continue;
        Node *copy = node_clone(s->arena, n);
        copy->kids = copy_of(s->arena, n->kids, n->nkids);
        if (kid) {
            copy->kids[k] = kid;
        } else {
            copy->nkids--;
            memmove(copy->kids + k, copy->kids + k + 1,
                    sizeof *copy->kids * (size_t)(n->nkids - k - 1));
        }
        return copy;
    }
    return n;
}

static Node *swap(Swap *s, Node *n) {
    if (!n) return NULL;
    if (n == s->from) return s->to;
    if (n->kind == N_SEQ) return swap_seq(s, n);
    Node *body = swap(s, n->body), *then = swap(s, n->then);
    Node *other = then != n->then ? n->other : swap(s, n->other);
    if (body == n->body && then == n->then && other == n->other) return n;
    Node *copy = node_clone(s->arena, n);
    // What was removed outside a sequence leaves an empty one behind (an absent else is none).
    copy->body = n->body && !body ? node_seq(s->arena, 0, NULL) : body;
    copy->then = n->then && !then ? node_seq(s->arena, 0, NULL) : then;
    copy->other = other;
    return copy;
}

Node *node_replace(Arena *a, Node *root, const Node *from, Node *to) {
    Swap s = {a, from, to};
    return from ? swap(&s, root) : root;
}

// ---- instances ---------------------------------------------------------------------------
Expr *node_stmt_expr(Arena *a, const Node *n, Expr *x) {
    return expr_subst(a, x, n->stmt->depth, n->stmt->iters, n->at);
}

Expr *node_routed(Arena *a, const Node *n, Expr *x, int *access) {
    if (x->kind == E_SYM) return node_stmt_expr(a, n, x);
    if (!x->nargs && x->kind != E_LOAD) return x;
    int k = x->kind == E_LOAD ? (*access)++ : -1;
    const Array *via = k >= 0 && n->nvia ? n->via[k] : NULL;
    Expr **own = via && n->via_sub ? n->via_sub[k] : NULL, **args = NEW_N(a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) args[i] = node_routed(a, n, x->args[i], access);
    return x->kind == E_LOAD ? expr_load(a, via ? via : x->array, own ? own : args) : expr_remake(a, x, args);
}

// ---- accesses ------------------------------------------------------------------------------
static void collect_loads(Arena *a, const Expr *root, AccessVec *out) {
    expr_each(x, root) {
        Access load = {x->array, x->args, false, true, x->loc};
        if (x->kind == E_LOAD) vec_push(a, out, load);
    }
}

bool stmt_is_own(const Stmt *s, const Expr *x) {
    bool own = x->kind == E_LOAD && x->array == s->lhs;
    for (int d = 0; own && d < s->lhs->rank; d++) own = expr_equal(x->args[d], s->sub[d]);
    return own;
}

AccessVec stmt_accesses(Arena *a, const Stmt *s) {
    AccessVec out = {0};
    vec_push(a, &out, ((Access){s->lhs, s->sub, true, s->op != OP_SET, s->loc}));
    for (int k = 0; k < s->lhs->rank; k++) collect_loads(a, s->sub[k], &out);
    collect_loads(a, s->rhs, &out);
    return out;
}

static AccessVec copy_accesses(Arena *a, const Node *n) {
    AccessVec out = {0};
    if (n->dst) vec_push(a, &out, ((Access){n->dst, n->sub, true, n->op != OP_SET, n->loc}));
    for (int k = 0; n->dst && k < n->dst->rank; k++) collect_loads(a, n->sub[k], &out);
    collect_loads(a, n->src, &out);
    return out;
}

AccessVec node_accesses(Arena *a, const Node *n) {
    if (n->kind == N_COPY) return copy_accesses(a, n);
    AccessVec out = {0};
    if (n->kind == N_STMT) out = stmt_accesses(a, n->stmt);
    for (int k = 0; k < out.n; k++) {
        Access *x = &out.at[k];
        const Array *via = n->nvia ? n->via[k] : NULL;
        if (via && n->via_sub && n->via_sub[k]) {
            x->sub = n->via_sub[k];
        } else {
            Expr **sub = NEW_N(a, Expr *, x->array->rank);
            int at = k + 1; // the loads in its subscripts are the accesses that follow
            for (int d = 0; d < x->array->rank; d++)
                sub[d] = n->nvia && expr_has_load(x->sub[d]) ? node_routed(a, n, x->sub[d], &at)
                                                             : node_stmt_expr(a, n, x->sub[d]);
            x->sub = sub;
        }
        if (via) x->array = via;
    }
    return out;
}

AccessVec node_touches(Arena *a, const Node *n) {
    AccessVec out = node_accesses(a, n);
    if (n->kind == N_FOR) collect_loads(a, n->lo, &out), collect_loads(a, n->hi, &out);
    if (n->kind == N_IF) collect_loads(a, n->cond, &out);
    return out;
}

static AccessVec all_below(Arena *a, const Node *root, bool statements) {
    AccessVec all = {0};
    node_each(n, root) {
        AccessVec own = {0};
        if (!statements || n->kind == N_STMT) own = node_touches(a, n);
        for (int k = 0; k < own.n; k++) vec_push(a, &all, own.at[k]);
    }
    return all;
}

AccessVec tree_accesses(Arena *a, const Node *root) { return all_below(a, root, true); }

AccessVec tree_touches(Arena *a, const Node *root) { return all_below(a, root, false); }

bool tree_writes(const Node *root, const Array *x) {
    node_each(n, root) {
        const Array *to = n->kind == N_COPY ? n->dst
                          : n->kind == N_STMT ? (n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs) : NULL;
        if (to && arrays_may_overlap(to, x)) return true;
    }
    return false;
}

// ---- which symbols a tree names ----------------------------------------------------------------------

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

static void use_expr(Use *u, const Expr *root) {
    if (!root) return;
    u->found |= expr_uses_sym(root, u->sym);
    expr_each(x, root)
        if (x->kind == E_LOAD) use_array(u, x->array);
}

static void use_node(Use *u, const Node *n) {
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

bool node_uses_sym(Node *root, const Sym *s) {
    Use u = {s, false};
    node_each(n, root) {
        use_node(&u, n);
        if (u.found) return true;
    }
    return false;
}

bool tree_asks(const Node *root, const Sym *s) {
    node_each(n, root)
        if (expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s) || expr_uses_sym(n->cond, s)) return true;
    return false;
}

const Inspect *region_inspect(const Region *r, const Array *x, int dim) {
    for (int i = 0; i < r->ninspects; i++)
        if (r->inspects[i]->array == x && r->inspects[i]->dim == dim) return r->inspects[i];
    return NULL;
}
