// SPDX-License-Identifier: MIT
// flow_block.c -- what stands under a condition on what the loops write, as one value of what goes into it.
//
//   if (s != s) { s = 0; for k { t = a[i][k] * b[k][j]; if (t != t) t = f(a[i][k]); s += t } }
//
//   →     v = g(s);  s = h(v)
//
// Such a block writes variables from variables and from arrays that the loops leave alone. So for an instance
// of the loops around it, what it leaves behind is a function of the variables' values before; which one does
// not matter where the tree has the same block for the same instance.
#include "dep/flow_choice.h"

// ---- the region's -----------------------------------------------------------------------------------
typedef struct Closing {
    Choices *k;
    Block *x;
    VEC(const Array *) inner; // declared in the block
    bool open;                // it touches something else
} Closing;

static int var_of(const Block *x, const Array *array) {
    for (int i = 0; i < x->nvars; i++)
        if (x->var[i] == array) return i;
    return -1;
}

static void see_array(Closing *c, const Array *array, bool write) {
    for (int i = 0; i < c->inner.n; i++)
        if (c->inner.at[i] == array) return;
    int v = var_of(c->x, array);
    if (v < 0 && array->rank == 0 && array->place == PLACE_LOCAL && c->x->nvars < MOST_CHOSEN)
        c->x->var[v = c->x->nvars++] = array;
    if (v >= 0) c->x->written[v] |= write;
    else c->open |= write || array->place == PLACE_LOCAL || region_writes(c->k->r, array);
}

static void see_node(Closing *c, const Node *n) {
    bool loop = n->kind == N_FOR, stmt = n->kind == N_STMT;
    c->open |= !(n->kind == N_SEQ || n->kind == N_IF || (loop && n->how == HOW_SERIAL) || stmt);
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) vec_push(c->k->a, &c->inner, n->locals[i]);
    c->open |= stmt && (n->nvia || n->atomic || n->stmt->atomic);
    if (stmt) see_array(c, n->stmt->lhs, true);
    node_each_expr(x, n)
        if (x->kind == E_LOAD) see_array(c, x->array, false);
}

static Stmt *value_of(Choices *k, const Block *x, const Array *lhs, int n, Expr **args) {
    Expr **sub = NEW_N(k->a, Expr *, 1);
    Stmt *s = NEW(k->a, Stmt);
    *s = (Stmt){.label = arena_printf(k->a, "what stands under the condition at line %d", x->node->loc.line),
                .loc = x->node->loc, .depth = x->depth, .iters = x->iters, .lhs = lhs, .sub = sub,
                .op = OP_SET, .rhs = expr_call(k->a, "choose", lhs->elem, n, args)};
    return s;
}

bool flow_note_block(Choices *k, const Node *n, int depth, const Sym *const *iters) {
    if (k->nblocks == MOST_CHOICES) return false;
    Block *x = &k->block[k->nblocks];
    *x = (Block){.node = n, .depth = depth, .iters = NEW_N(k->a, const Sym *, depth + 1)};
    for (int d = 0; d < depth; d++) x->iters[d] = iters[d];
    Closing c = {.k = k, .x = x};
    node_each(m, n) see_node(&c, m);
    if (c.open || !x->nvars) return false;
    Array *v = NEW(k->a, Array);
    *v = (Array){.name = "?", .object = "?", .elem = T_I32, .place = PLACE_LOCAL, .stride = type_size(T_I32)};
    Expr *args[MOST_CHOSEN], *none[1] = {NULL}, *value = expr_load(k->a, v, none);
    for (int i = 0; i < x->nvars; i++) args[i] = expr_load(k->a, x->var[i], none);
    x->value = v;
    x->taken = value_of(k, x, v, x->nvars, args);
    for (int i = 0; i < x->nvars; i++)
        if (x->written[i]) x->left[i] = value_of(k, x, x->var[i], 1, &value);
    k->nblocks++;
    return true;
}

static bool holds(const Node *n, const Stmt *s) {
    bool found = n->kind == N_STMT && n->stmt == s;
    for (int i = 0; !found && node_kid(n, i); i++) found = holds(node_kid(n, i), s);
    return found;
}

bool flow_in_block(const Choices *k, const Stmt *s) {
    for (int i = 0; i < k->nblocks; i++)
        if (holds(k->block[i].node, s)) return true;
    return false;
}

// ---- a tree's ---------------------------------------------------------------------------------------
// A statement's instance in which the accesses to the block's variables go where they lie in the tree.
static Node *placed(const Twin *t, const Block *x, const Stmt *s, int first, int n, const int *var) {
    Node *m = node_stmt(t->a, s, t->to.at);
    m->loc = x->node->loc;
    m->nvia = first + n + (first == 0); // behind a variable that is written, the value that is read
    m->via = NEW_N(t->a, const Array *, m->nvia + 1);
    m->via_sub = NEW_N(t->a, Expr **, m->nvia + 1);
    for (int i = 0; i < n; i++) {
        bool moved = t->place[var[i]] != x->var[var[i]];
        m->via[first + i] = moved ? t->place[var[i]] : NULL;
        m->via_sub[first + i] = moved ? (Expr **)t->sub[var[i]] : NULL;
    }
    return m;
}

Node *flow_block_as_value(Choices *k, const Node *n) {
    for (int i = 0; i < k->nblocks; i++) {
        const Block *x = &k->block[i];
        const Node *here = twin_first(x->node), *there = twin_first(n);
        if (!here || !there || here->stmt != there->stmt || here->stmt->depth < x->depth) continue;
        Twin t = {.a = k->a, .nvars = x->nvars, .var = x->var};
        bool same = true;
        for (int d = 0; d < x->depth; d++) {
            same = same && here->at[d]->kind == E_SYM && here->at[d]->sym == x->iters[d];
            vec_push(k->a, &t.from, x->iters[d]);
            vec_push(k->a, &t.to, there->at[d]);
        }
        if (!same || !twin_same(&t, x->node, n)) continue;
        int kids = 0, all[MOST_CHOSEN];
        Node *kid[MOST_CHOSEN + 1];
        for (int v = 0; v < x->nvars; v++) all[v] = v;
        kid[kids++] = placed(&t, x, x->taken, 1, x->nvars, all);
        for (int v = 0; v < x->nvars; v++)
            if (x->left[v]) kid[kids++] = placed(&t, x, x->left[v], 0, 1, &v);
        Node *seq = node_seq(k->a, kids, kid);
        seq->nlocals = 1;
        seq->locals = NEW_N(k->a, const Array *, 1);
        seq->locals[0] = x->value;
        return seq;
    }
    return NULL;
}
