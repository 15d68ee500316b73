// SPDX-License-Identifier: MIT
// flow_choice.c -- conditions on what the loops write, as values that flow can compare.
//
//   if (s < best) { best = s; at = j; }     →     t = s < best;  best = t ? s : best;  at = t ? j : at
//
// A statement that keeps its element then writes what was there. So the tree and the region are judged with
// more reads and writes than they have, and the same values: an answer that they are alike holds for what
// stands there as well, and no other answer is given. As no memory may be touched that the condition
// keeps untouched, the statements are those that write variables from variables and from what the condition
// reads anyway.
#include "dep/flow_choice.h"

enum { MOST_LOADS = 16 };

// ---- the region's -----------------------------------------------------------------------------------
static int stmts_of(const Node *n, const Node **out, int at) {
    if (!n || at < 0) return -1;
    if (n->kind == N_STMT) return at < MOST_CHOSEN ? out[at] = n, at + 1 : -1;
    if (n->kind != N_SEQ || n->nlocals) return -1;
    for (int i = 0; i < n->nkids; i++) at = stmts_of(n->kids[i], out, at);
    return at;
}

typedef struct Reads {
    bool written, elements, branches, nested;
} Reads;

static bool holds(const Expr *root, const Expr *x) {
    expr_each(y, root)
        if (expr_equal(x, y)) return true;
    return false;
}

// Loads of elements must be those of `within`; NULL: any may be.
static Reads reads_of(const Region *r, const Expr *root, const Expr *within) {
    Reads k = {0};
    expr_each(x, root) {
        k.branches |= x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR || x->op == OP_SELECT);
        if (x->kind != E_LOAD) continue;
        k.written |= region_writes(r, x->array);
        for (int d = 0; d < x->array->rank; d++) k.nested |= expr_has_load(x->args[d]);
        k.elements |= x->array->rank > 0 && !holds(within, x);
    }
    return k;
}

// Does it write a variable of the loops, from variables and what the condition reads?
static bool is_plain(const Region *r, const Stmt *s, const Expr *cond) {
    Reads reads = reads_of(r, s->rhs, cond);
    return s->lhs->rank == 0 && s->lhs->place == PLACE_LOCAL && !s->atomic && !reads.elements &&
           !reads.nested;
}

// The statement without its condition.
static const Stmt *chosen(Choices *k, const Choice *x, const Stmt *s) {
    Stmt *to = NEW(k->a, Stmt);
    Expr *none[1] = {NULL};
    Expr *args[3] = {expr_load(k->a, x->value, none), s->rhs, expr_load(k->a, s->lhs, none)};
    *to = *s;
    to->rhs = expr_call(k->a, "choose", s->lhs->elem, 3, args); // which of them does not matter: any name
    to->op = OP_SET;
    to->fused = false;
    return to;
}

// Is the condition, on what the region writes, and all below it taken?
static bool note(Choices *k, const Node *n, int depth, const Sym *const *iters) {
    const Node *stmt[MOST_CHOSEN];
    int count = stmts_of(n->then, stmt, 0);
    Reads reads = reads_of(k->r, n->cond, NULL);
    if (!reads.written) return false;
    bool plain = !n->other && count >= 1 && k->n < MOST_CHOICES && !reads.branches && !reads.nested;
    for (int i = 0; plain && i < count; i++) {
        plain = is_plain(k->r, stmt[i]->stmt, n->cond) && !stmt[i]->nvia && stmt[i]->stmt->depth == depth;
        for (int d = 0; plain && d < depth; d++)
            plain = stmt[i]->at[d]->kind == E_SYM && stmt[i]->at[d]->sym == iters[d];
    }
    if (!plain) return flow_note_block(k, n, depth, iters);
    Choice *x = &k->at[k->n++];
    x->cond = n->cond;
    x->value = NEW(k->a, Array);
    *x->value = (Array){
        .name = "?", .object = "?", .elem = T_I32, .place = PLACE_LOCAL, .stride = type_size(T_I32)};
    Stmt *truth = NEW(k->a, Stmt);
    *truth = (Stmt){.label = arena_printf(k->a, "the condition of %s", stmt[0]->stmt->label),
                    .loc = n->loc,
                    .depth = depth,
                    .iters = NEW_N(k->a, const Sym *, depth + 1),
                    .lhs = x->value,
                    .sub = NEW_N(k->a, Expr *, 1),
                    .op = OP_SET,
                    .rhs = n->cond};
    for (int d = 0; d < depth; d++) truth->iters[d] = iters[d];
    x->truth = truth;
    x->n = count;
    for (int i = 0; i < count; i++) x->from[i] = stmt[i]->stmt, x->to[i] = chosen(k, x, stmt[i]->stmt);
    return true;
}

enum { MOST_LOOPS = 32 };

static void find_choices(Choices *k, const Node *n, int depth, const Sym **iters) {
    if (n->kind == N_IF && note(k, n, depth, iters)) return;
    if (n->kind == N_FOR && depth == MOST_LOOPS) return;
    if (n->kind == N_FOR) iters[depth] = n->iter;
    for (int i = 0; node_kid(n, i); i++) find_choices(k, node_kid(n, i), depth + (n->kind == N_FOR), iters);
}

// ---- a tree's ---------------------------------------------------------------------------------------
typedef struct Match {
    Choices *k;
    const Stmt *truth;
    Expr *const *at;         // the instance
    int n;
    const Array *via[MOST_LOADS];
    Expr **sub[MOST_LOADS];
    bool moved;
} Match;

static bool same_here(const Match *m, Expr *x, const Expr *y) {
    return expr_equal(expr_subst(m->k->a, x, m->truth->depth, m->truth->iters, (Expr **)m->at), y);
}

// Is y the condition x of that instance, but for where it finds what it reads?
static bool same_cond(Match *m, Expr *x, Expr *y) {
    if (!expr_has_load(x)) return same_here(m, x, y);
    if (x->kind != y->kind || x->type != y->type) return false;
    if (x->kind == E_LOAD) {
        if (m->n == MOST_LOADS) return false;
        bool same = x->array == y->array && same_here(m, x, y);
        if (!same && y->array->of) return false;
        m->via[m->n] = same ? NULL : y->array;
        m->sub[m->n++] = same ? NULL : y->args;
        m->moved |= !same;
        return same || x->array->elem == y->array->elem;
    }
    if (x->nargs != y->nargs || (x->kind == E_OP && x->op != y->op) ||
        (x->kind == E_CALL && !str_eq(x->fn, y->fn)))
        return false;
    for (int i = 0; i < x->nargs; i++)
        if (!same_cond(m, x->args[i], y->args[i])) return false;
    return x->kind == E_OP || x->kind == E_CAST || x->kind == E_CALL;
}

static Node *truth_of(Choices *k, const Choice *x, const Node *n, Expr *const *at) {
    Match m = {.k = k, .truth = x->truth, .at = at};
    if (!same_cond(&m, x->cond, n->cond)) return NULL;
    Node *t = node_stmt(k->a, x->truth, at);
    t->loc = n->loc;
    if (!m.moved) return t;
    t->nvia = 1 + m.n;
    t->via = NEW_N(k->a, const Array *, t->nvia + 1);
    t->via_sub = NEW_N(k->a, Expr **, t->nvia + 1);
    for (int i = 0; i < m.n; i++) t->via[1 + i] = m.via[i], t->via_sub[1 + i] = m.sub[i];
    return t;
}

// The instance with the truth read before what it reads, and its element behind.
static Node *chosen_at(Choices *k, const Stmt *to, const Node *n) {
    Node *s = node_stmt(k->a, to, n->at);
    s->loc = n->loc;
    if (!n->nvia) return s;
    s->nvia = n->nvia + 2;
    s->via = NEW_N(k->a, const Array *, s->nvia + 1);
    s->via_sub = NEW_N(k->a, Expr **, s->nvia + 1);
    for (int i = 0; i <= n->nvia; i++) {
        int from = i < n->nvia ? i : 0, at = i ? i + 1 : 0;
        s->via[at] = n->via[from];
        s->via_sub[at] = n->via_sub ? n->via_sub[from] : NULL;
    }
    return s;
}

static const Choice *choice_of(const Choices *k, const Stmt *s) {
    for (int i = 0; i < k->n; i++)
        for (int j = 0; j < k->at[i].n; j++)
            if (k->at[i].from[j] == s) return &k->at[i];
    return NULL;
}

static bool same_instance(const Node *x, const Node *y) {
    for (int d = 0; d < x->stmt->depth; d++)
        if (!expr_equal(x->at[d], y->at[d])) return false;
    return true;
}

// All of one choice, as it stands in the region; NULL: it is none.
static Node *as_values(Choices *k, const Node *n) {
    const Node *stmt[MOST_CHOSEN];
    int count = n->other ? -1 : stmts_of(n->then, stmt, 0);
    const Choice *x = count > 0 ? choice_of(k, stmt[0]->stmt) : NULL;
    if (!x || x->n != count) return NULL;
    Node *kid[MOST_CHOSEN + 1] = {truth_of(k, x, n, stmt[0]->at)};
    for (int i = 0; i < count; i++) {
        if (!kid[0] || stmt[i]->stmt != x->from[i] || stmt[i]->atomic) return NULL;
        if (!same_instance(stmt[0], stmt[i])) return NULL;
        kid[1 + i] = chosen_at(k, x->to[i], stmt[i]);
    }
    Node *seq = node_seq(k->a, 1 + count, kid);
    seq->nlocals = 1;
    seq->locals = NEW_N(k->a, const Array *, 1);
    seq->locals[0] = x->value;
    return seq;
}

static Node *rewrite(Node *n, void *arg) {
    Choices *k = arg;
    Node *m = n->kind == N_IF ? as_values(k, n) : NULL;
    if (!m && n->kind == N_IF) m = flow_block_as_value(k, n);
    if (m) return m;
    if (n->kind == N_STMT && (choice_of(k, n->stmt) || flow_in_block(k, n->stmt))) k->fails = true;
    return n->kind == N_STMT || n->kind == N_COPY ? n : node_map(k->a, n, rewrite, arg);
}

bool flow_choices(Compile *c, const Region **r, const Node **root) {
    Choices *k = NEW(c->arena, Choices);
    const Sym *iters[MOST_LOOPS];
    *k = (Choices){.c = c, .a = c->arena, .r = *r};
    find_choices(k, (*r)->root, 0, iters);
    if (!k->n && !k->nblocks) return false;
    Region *to = NEW_AS(c->arena, Region, **r);
    to->root = rewrite((*r)->root, k);
    Node *tree = rewrite((Node *)*root, k);
    VEC(const Stmt *) stmts = {0};
    for (int i = 0; i < (*r)->nstmts; i++) {
        const Stmt *s = (*r)->stmts[i];
        for (int j = 0; j < k->n; j++)
            for (int e = 0; e < k->at[j].n; e++)
                if (k->at[j].from[e] == s) s = k->at[j].to[e];
        if (!flow_in_block(k, s)) vec_push(c->arena, &stmts, s);
    }
    for (int j = 0; j < k->n; j++) vec_push(c->arena, &stmts, k->at[j].truth);
    for (int j = 0; j < k->nblocks; j++) {
        vec_push(c->arena, &stmts, k->block[j].taken);
        for (int v = 0; v < k->block[j].nvars; v++)
            if (k->block[j].left[v]) vec_push(c->arena, &stmts, k->block[j].left[v]);
    }
    to->stmts = stmts.at, to->nstmts = stmts.n;
    *r = to;
    *root = tree;
    return !k->fails;
}
