// SPDX-License-Identifier: MIT
// recover.c -- what is done where a number is NaN is looked for once a sum, not at each of its terms.
//
//   s = 0;                                   s = 0;
//   for (k…) {                               for (k…)  s += a[i][k] * b[k][j];
//       x = a[i][k] * b[k][j];          →    if (s is NaN) {
//       if (x is NaN) x = …;                     s = 0;
//       s += x;                                  for (k…) { x = …; if (x is NaN) x = …; s += x; }
//   }                                        }
//
// So products of complex numbers keep C's meaning of infinities (parse/complex.c) and are products all the
// same. A term that is NaN makes its sum NaN, whatever is added then and in whatever order.
#include "front/normal.h"

enum { MOST_VARS = 16, MOST_NODES = 60, MOST_UPDATES = 4, SHORT = 16 };

typedef struct Temp {
    const Array *v;
    Expr *value;     // made of what is no temporary
    unsigned poison; // which of the temporaries make it NaN when they are, by their numbers
} Temp;

typedef struct Recover {
    Normal *m;
    Node *body; // of the innermost loop
    int ntemps, nsums, nrepairs;
    Temp temp[MOST_VARS];
    const Node *sum[MOST_UPDATES]; // updates
    Expr *term[MOST_UPDATES];
    unsigned poison[MOST_UPDATES]; // of the sum
    unsigned repair[MOST_VARS];    // the temporaries that are all NaN there
} Recover;

static int temp_at(const Recover *s, const Array *v) {
    for (int i = 0; i < s->ntemps; i++)
        if (s->temp[i].v == v) return i;
    return -1;
}

static Expr *put_in(Rebuild *b, Expr *x) {
    const Recover *s = b->self;
    int t = x->kind == E_LOAD && !x->array->rank ? temp_at(s, x->array) : -1;
    return t >= 0 ? s->temp[t].value : x;
}

static unsigned poison_of(const Recover *s, const Expr *x) {
    unsigned all = 0;
    int t = x->kind == E_LOAD && !x->array->rank ? temp_at(s, x->array) : -1;
    if (t >= 0) return s->temp[t].poison | 1u << t;
    bool keeps = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL ||
                                     x->op == OP_DIV || x->op == OP_NEG || x->op == OP_FMA);
    keeps = keeps || (x->kind == E_CAST && type_is_float(x->args[0]->type));
    for (int k = 0; keeps && type_is_float(x->type) && k < x->nargs; k++) all |= poison_of(s, x->args[k]);
    return all;
}

// x != x && y != y of temporaries: which; 0: it is another condition.
static unsigned asked(const Recover *s, const Expr *x) {
    if (x->kind == E_OP && x->op == OP_LAND) {
        unsigned l = asked(s, x->args[0]), r = asked(s, x->args[1]);
        return l && r ? l | r : 0;
    }
    const Expr *v = expr_asks_nan(x) ? x->args[0] : NULL;
    int t = v && v->kind == E_LOAD && !v->array->rank ? temp_at(s, v->array) : -1;
    return t < 0 ? 0 : 1u << t;
}

static bool is_own(const Node *seq, const Array *v) {
    bool own = has_pointer(seq->nlocals, seq->locals, v);
    return own && !v->rank;
}

static bool add_temp(Recover *s, const Stmt *set) {
    Rebuild b = {.a = s->m->a, .expr = put_in, .self = s};
    bool fits =
        s->ntemps < MOST_VARS && is_own(s->body, set->lhs) && temp_at(s, set->lhs) < 0 && !set->atomic;
    if (!fits) return false;
    unsigned poison = poison_of(s, set->rhs);
    Expr *value = expr_cast(s->m->a, set->lhs->elem, rebuild_expr(&b, set->rhs));
    s->temp[s->ntemps++] = (Temp){set->lhs, value, poison};
    return expr_size(value) <= MOST_NODES;
}

// It changes nothing but temporaries that are NaN, and variables of its own.
static bool add_repair(Recover *s, Node *n) {
    unsigned of = n->other || s->nrepairs == MOST_VARS ? 0 : asked(s, n->cond);
    if (!of) return false;
    ArrayVec written = node_written(s->m->a, n->then);
    for (int i = 0; i < written.n; i++) {
        int t = temp_at(s, written.at[i]);
        if (written.at[i]->place != PLACE_LOCAL || (t >= 0 && !(of >> t & 1))) return false;
        if (t < 0 && is_own(s->body, written.at[i])) return false;
    }
    s->repair[s->nrepairs++] = of;
    return true;
}

static bool add_sum(Recover *s, const Node *n) {
    const Stmt *u = n->stmt;
    if (s->nsums == MOST_UPDATES || u->op != OP_ADD || u->atomic || !type_is_float(u->lhs->elem))
        return false;
    Rebuild b = {.a = s->m->a, .expr = put_in, .self = s};
    s->poison[s->nsums] = poison_of(s, u->rhs);
    s->sum[s->nsums] = n;
    s->term[s->nsums++] = rebuild_expr(&b, u->rhs);
    return expr_size(s->term[s->nsums - 1]) <= MOST_NODES;
}

// Do the terms, temporaries put in, leave alone what is added to, and does the loop's own counter?
static bool are_apart(const Recover *s, const Node *loop) {
    for (int i = 0; i < s->nsums; i++) {
        const Stmt *u = s->sum[i]->stmt;
        for (int j = 0; j < s->nsums; j++)
            if (expr_may_read(s->term[i], s->sum[j]->stmt->lhs) ||
                (i != j && arrays_may_overlap(u->lhs, s->sum[j]->stmt->lhs)))
                return false;
        for (const Node *at = loop; at->kind == N_FOR;) {
            for (int d = 0; d < u->lhs->rank; d++)
                if (expr_uses_sym(u->sub[d], at->iter) || expr_has_load(u->sub[d])) return false;
            const Node *in = at->body;
            while (in->kind == N_SEQ && in->nkids == 1 && !in->nlocals) in = in->kids[0];
            at = in;
        }
    }
    return true;
}

// Where some repair may have been: all sums that its temporaries reach are NaN.
static Expr *is_nan(Recover *s) {
    Arena *a = s->m->a;
    Expr *any = NULL;
    for (int r = 0; r < s->nrepairs; r++) {
        Expr *all = NULL;
        for (int i = 0; i < s->nsums; i++) {
            const Stmt *u = s->sum[i]->stmt;
            if (!(s->poison[i] & s->repair[r])) continue;
            Expr *x = expr_load(a, u->lhs, u->sub), *nan = expr_op(a, OP_NE, x, x, NULL);
            all = all ? expr_op(a, OP_LAND, all, nan, NULL) : nan;
        }
        if (!all) return NULL;
        bool same = any && expr_equal(any, all);
        any = !any || same ? all : expr_op(a, OP_LOR, any, all, NULL);
    }
    return any;
}

// How far other subscripts reach would have to be found out under the condition.
static bool has_affine(Recover *s, const Node *n) {
    expr_each(x, n->stmt->rhs)
        for (int d = 0; x->kind == E_LOAD && d < x->nargs; d++)
            if (!affine_in(s->m->c, x->args[d], n->stmt->depth, n->stmt->iters)) return false;
    return true;
}

static bool is_such(Recover *s, Node *loop) {
    Node *in = loop;
    int64_t trips = loop_literal_trips(loop->lo, loop->hi, loop->step);
    if (loop->how != HOW_SERIAL || (trips >= 0 && trips <= SHORT)) return false;
    for (; in->kind == N_FOR || (in->kind == N_SEQ && in->nkids == 1 && !in->nlocals);)
        in = in->kind == N_FOR ? in->body : in->kids[0];
    s->body = in;
    if (in->kind != N_SEQ) return false;
    for (int i = 0; i < in->nkids; i++) {
        Node *n = in->kids[i];
        bool ok = n->kind == N_IF         ? add_repair(s, n)
                  : n->kind != N_STMT     ? false
                  : !has_affine(s, n)     ? false
                  : n->stmt->op == OP_SET ? add_temp(s, n->stmt)
                                          : add_sum(s, n);
        if (!ok) return false;
    }
    return s->nsums && s->nrepairs && are_apart(s, loop);
}

// ---- the loops made anew -----------------------------------------------------------------------------
// The sums alone, in the place of the body.
static Node *plain(Recover *s) {
    Node **kids = NEW_N(s->m->a, Node *, s->nsums);
    for (int i = 0; i < s->nsums; i++) {
        Stmt *u = NEW_AS(s->m->a, Stmt, *s->sum[i]->stmt);
        u->depth = 0, u->iters = NULL; // region_with knows the loops around
        u->rhs = s->term[i];
        kids[i] = stmt_leaf(s->m->a, u);
        kids[i]->loc = s->sum[i]->loc;
    }
    return node_seq(s->m->a, s->nsums, kids);
}

static Node *with_body(Arena *a, Node *n, const Node *old, Node *body) {
    if (n == old) return body;
    Node *copy = node_clone(a, n);
    if (n->kind == N_FOR)
        copy->body = with_body(a, n->body, old, body);
    else
        return with_body(a, n->kids[0], old, body);
    return copy;
}

static Node *set_to(Normal *m, const Stmt *like, const Array *v, Expr **sub, Expr *rhs) {
    Stmt *s = NEW_AS(m->a, Stmt, *like);
    s->lhs = v, s->sub = sub, s->op = OP_SET, s->rhs = rhs;
    s->fused = false;
    s->depth = 0, s->iters = NULL;
    return stmt_leaf(m->a, s);
}

// What the sum begins with, where a statement in front of the loop says it; NULL: that can't be told.
static Expr *start_of(const Stmt *sum, Node *const *before, int n) {
    for (int i = n; i-- > 0;) {
        const Node *x = before[i];
        if (x->kind != N_STMT) return NULL;
        if (x->stmt->lhs != sum->lhs) continue;
        return x->stmt->op == OP_SET && !sum->lhs->rank && x->stmt->rhs->kind == E_FLOAT ? x->stmt->rhs
                                                                                         : NULL;
    }
    return NULL;
}

// before: the n statements in front of it, of the same sequence. NULL: it is no such loop.
static Node *looked_at_behind(Normal *m, Node *loop, Node *const *before, int n) {
    Recover s = {.m = m};
    if (!is_such(&s, loop)) return NULL;
    Expr *cond = is_nan(&s);
    if (!cond) return NULL;
    ArrayVec old = {0};
    VEC(Node *) first = {0}, again = {0};
    for (int i = 0; i < s.nsums; i++) {
        const Stmt *u = s.sum[i]->stmt;
        Expr *start = start_of(u, before, n);
        if (!start) {
            Array *v = NEW_AS(m->a, Array, (Array){.name = name_new(m, "old"),
                                                   .elem = u->lhs->elem,
                                                   .place = PLACE_LOCAL,
                                                   .constant_size = true,
                                                   .stride = type_size(u->lhs->elem)});
            v->object = v->name;
            vec_push(m->a, &old, (const Array *)v);
            vec_push(m->a, &first, set_to(m, u, v, NULL, expr_load(m->a, u->lhs, u->sub)));
            start = expr_load(m->a, v, NULL);
        }
        vec_push(m->a, &again, set_to(m, u, u->lhs, u->sub, start));
    }
    vec_push(m->a, &first, with_body(m->a, loop, s.body, plain(&s)));
    vec_push(m->a, &again, tree_anew(m, loop, true));
    Node *repair = node_if(m->a, cond, node_seq(m->a, again.n, again.at), NULL);
    repair->loc = loop->loc;
    vec_push(m->a, &first, repair);
    Node *all = node_seq(m->a, first.n, first.at);
    all->nlocals = old.n, all->locals = old.at;
    all->loc = loop->loc;
    return all;
}

static Node *visit(Normal *m, Node *n, bool *some) {
    if (!n) return NULL;
    if (n->kind == N_SEQ) {
        VEC(Node *) kids = {0};
        VEC(const Array *) locals = {0};
        for (int i = 0; i < n->nlocals; i++) vec_push(m->a, &locals, n->locals[i]);
        for (int i = 0; i < n->nkids; i++) {
            Node *kid = n->kids[i];
            Node *cut =
                kid->kind == N_FOR ? looked_at_behind(m, kid, n->kids, i) : NULL;
            *some |= cut != NULL;
            for (int k = 0; cut && k < cut->nlocals; k++) vec_push(m->a, &locals, cut->locals[k]);
            for (int k = 0; cut && k < cut->nkids; k++) vec_push(m->a, &kids, cut->kids[k]);
            if (!cut) vec_push(m->a, &kids, visit(m, kid, some));
        }
        Node *seq = node_clone(m->a, n);
        seq->nkids = kids.n, seq->kids = kids.at;
        seq->nlocals = locals.n, seq->locals = locals.at;
        return seq;
    }
    Node *copy = node_clone(m->a, n);
    if (n->kind == N_FOR) {
        Node *body = n->body->kind == N_SEQ ? n->body : node_seq(m->a, 1, &n->body);
        copy->body = visit(m, body, some);
    } else if (n->kind == N_IF) {
        copy->then = visit(m, n->then, some);
        copy->other = visit(m, n->other, some);
    }
    return copy;
}

Region *pass_recover(Normal *m, Region *r) {
    bool some = false;
    Node *root = visit(m, r->root, &some);
    return some ? region_with(m, r, root) : r;
}
