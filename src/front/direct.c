// SPDX-License-Identifier: MIT
// direct.c -- values that statements of one block hand each other.
//
//   v[j][i] = s / m;  v[i][j] = v[j][i];     →   v[j][i] = s / m;  v[i][j] = s / m;
//   t = a[k] * b[k];  p = s + t;  s = p;     →   s = s + a[k] * b[k];
//
// What is stored is put in where it is read next: where a local hands it on once or only holds another (there
// in conditions that follow, too), and where an element is stored once more as it is. It has the type of what
// held it, and comes after fma.c, so that it has the same bits. Sums are recognised as updates behind it once
// more.
#include "front/normal.h"

enum { MOST_NODES = 16 };    // of a value that is computed again

typedef struct Handed {
    const Stmt *from;
    Expr *value;
    bool stored;             // only to be stored once more
} Handed;

typedef struct Direct {
    Normal *m;
    Node *root;
    VEC(Handed) facts;         // that hold here
    bool some;
} Direct;

static bool is_call(const Expr *x) { return x->kind == E_CALL; }

static bool is_costly(const Expr *x) {
    return is_call(x) || (x->kind == E_LOAD && (x->array->place != PLACE_LOCAL || x->array->rank > 0));
}

static bool is_handed_once(const Direct *f, const Node *seq, const Array *v) {
    int loads = 0, writes = 0;
    bool here = has_pointer(seq->nlocals, seq->locals, v);
    if (!here || v->rank || !type_is_float(v->elem)) return false;
    node_each(n, f->root) {
        node_each_expr(x, n) loads += x->kind == E_LOAD && x->array == v;
        writes += n->kind == N_STMT && n->stmt->lhs == v;
    }
    return loads == 1 && writes == 1;
}

// What a load gives; NULL: it is not known, or not to be put there.
static Expr *value_of(Direct *f, const Expr *x, bool stored) {
    for (int i = 0; x->kind == E_LOAD && i < f->facts.n; i++) {
        const Stmt *s = f->facts.at[i].from;
        bool same = s->lhs == x->array && (stored || !f->facts.at[i].stored);
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(s->sub[d], x->args[d]);
        if (same) return f->some = true, f->facts.at[i].value;
    }
    return NULL;
}

static Expr *put_in(Rebuild *b, Expr *x) {
    Expr *value = value_of(b->self, x, false);
    return value ? value : x;
}

// Only the local that another one holds: nothing is computed again.
static Expr *put_held(Rebuild *b, Expr *x) {
    const Direct *f = b->self;
    for (int i = 0; x->kind == E_LOAD && i < f->facts.n; i++) {
        const Expr *v = f->facts.at[i].value;
        bool holds = v->kind == E_LOAD && v->array->place == PLACE_LOCAL && !v->nargs;
        if (holds && f->facts.at[i].from->lhs == x->array) return put_in(b, x);
    }
    return x;
}

static Stmt *put_whole(Rebuild *b, Stmt *s) {
    Expr *value = s->op == OP_SET ? value_of(b->self, s->rhs, true) : NULL;
    if (value) s->rhs = value;
    return s;
}

// A place that only the data tell, of an array that no size bounds: the host looks how far it reaches, by
// what is evaluated in any case.
static bool is_looked_up(const Expr *x) {
    bool chosen = false;
    if (x->kind != E_LOAD || x->array->place != PLACE_USER) return false;
    if (!x->array->rank || x->array->extent[0]) return false;
    for (int d = 0; d < x->nargs; d++) chosen = chosen || expr_has_load(x->args[d]);
    return chosen;
}

// Such values are not put where they need not be evaluated.
static void keep_ahead(Direct *f, const Expr *x, bool lazy) {
    for (int k = 0; k < x->nargs; k++) {
        bool choice = x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
        keep_ahead(f, x->args[k], lazy || (choice && k > 0));
    }
    for (int i = 0; lazy && x->kind == E_LOAD && i < f->facts.n; i++)
        if (f->facts.at[i].from->lhs == x->array && expr_any(f->facts.at[i].value, is_looked_up))
            f->facts.at[i--] = f->facts.at[--f->facts.n];
}

// What holds once the node has run.
static void forget(Direct *f, Node *n) {
    int kept = 0;
    ArrayVec changed = node_written(f->m->a, n);
    for (int i = 0; i < f->facts.n; i++) {
        Handed x = f->facts.at[i];
        bool holds = true;
        for (int k = 0; k < changed.n; k++)
            holds = holds && !expr_may_read(x.value, changed.at[k]) &&
                    !arrays_may_overlap(x.from->lhs, changed.at[k]);
        if (holds) f->facts.at[kept++] = x;
    }
    f->facts.n = kept;
}

static void learn(Direct *f, const Node *seq, const Stmt *s) {
    bool local = s->lhs->place == PLACE_LOCAL;
    if (s->op != OP_SET || expr_may_read(s->rhs, s->lhs)) return;
    if (local && (s->lhs->rank || !type_is_float(s->lhs->elem))) return;
    for (int d = 0; d < s->lhs->rank; d++)
        if (expr_has_load(s->sub[d])) return;
    bool small = expr_size(s->rhs) <= MOST_NODES && !expr_any(s->rhs, is_call);
    bool cheap = small && !expr_any(s->rhs, is_costly);
    bool used = is_handed_once(f, seq, s->lhs) || (cheap && local && s->rhs->kind == E_LOAD);
    if (!used && (!small || (local && !cheap))) return;
    Handed x = {s, expr_cast(f->m->a, s->lhs->elem, s->rhs), !used};
    vec_push(f->m->a, &f->facts, x);
}

// Blocks in a block, such as what calls leave behind, as one.
static void flatten(Arena *a, Node *n) {
    VEC(Node *) kids = {0};
    VEC(const Array *) locals = {0};
    for (int i = 0; i < n->nlocals; i++) vec_push(a, &locals, n->locals[i]);
    for (int i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool block = kid->kind == N_SEQ;
        if (!block) vec_push(a, &kids, n->kids[i]);
        for (int k = 0; block && k < kid->nkids; k++) vec_push(a, &kids, kid->kids[k]);
        for (int k = 0; block && k < kid->nlocals; k++) vec_push(a, &locals, kid->locals[k]);
    }
    n->kids = kids.at, n->nkids = kids.n;
    n->locals = locals.at, n->nlocals = locals.n;
}

// The statements of a block, one after the other; what else stands there keeps what it does not change.
static Node *in_seq(Rebuild *outer, Node *n) {
    Direct *f = outer->self;
    if (n->kind != N_SEQ) return n;
    flatten(f->m->a, n);
    Rebuild b = {.a = outer->a, .expr = put_in, .stmt = put_whole, .self = f};
    Rebuild held = {.a = outer->a, .expr = put_held, .self = f};
    f->facts.n = 0;
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        bool plain = kid->kind == N_STMT && !kid->atomic;
        if (plain) keep_ahead(f, kid->stmt->rhs, false);
        if (plain) n->kids[i] = kid = rebuild_node(&b, kid);
        forget(f, kid);
        if (kid->kind == N_IF) n->kids[i] = rebuild_node(&held, kid);
        if (plain) learn(f, n, kid->stmt);
    }
    return n;
}

Region *pass_direct(Normal *m, Region *r) {
    Direct f = {.m = m, .root = r->root};
    Rebuild b = {.a = m->a, .node = in_seq, .self = &f};
    Node *root = rebuild_node(&b, r->root);
    if (!f.some) return r;
    return pass_update(m, region_drop_dead(m, region_with(m, r, root)));
}
