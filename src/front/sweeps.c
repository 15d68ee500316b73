// SPDX-License-Identifier: MIT
// sweeps.c -- sums over all rows so far, in one sweep, are sums along each row, and then down the columns.
//
//   for (i < n) {                                 for (i < n) { row = 0;
//       row = 0;                                      for (j < m) { row += a[i][j];  s[i][j] = row; } }
//       for (j < m) {                        →    for (i < n)
//           row += a[i][j];                           for (j < m) s[i][j] = s[i - 1][j] + s[i][j];
//           s[i][j] = s[i - 1][j] + row; } }
//
// Of the first loops the rows are free, of the second the columns; of what was written neither. Each element
// waits in its own place for the row above, so all values are those of the one sweep. Where sums may come in
// any order, s[i][j] = a[i][j] + s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1] is such a sweep, too.
#include "front/normal.h"

typedef struct Sweep {
    Normal *m;
    Arena *a;
    const Region *r;
    bool some;
    const Node *i, *j;      // the loops
    ArrayVec kept;          // arrays whose elements wait
    VEC(const Stmt *) last; // what they get then, in order
    const Array *row;       // while a statement is looked at: the sum that it reads
} Sweep;

// ---- places --------------------------------------------------------------------------------------------
// x - y, where that is a number; false: it is none.
static bool apart(const Sweep *s, const Expr *x, const Expr *y, int64_t *by) {
    return !expr_has_load(x) && !expr_has_load(y) && expr_difference(s->a, x, y, by);
}

static int dim_along(const Array *v, Expr *const *sub, const Sym *c) {
    int found = -1;
    for (int d = 0; d < v->rank; d++) {
        if (!expr_uses_sym(sub[d], c)) continue;
        if (found >= 0) return -1;
        found = d;
    }
    return found;
}

// How many rows above the element that `set` sets, and how many columns before it, a load of the same array
// lies; false: elsewhere, or that can't be told.
static bool place_of(const Sweep *s, const Stmt *set, const Expr *load, int64_t *up, int64_t *back) {
    int row = dim_along(set->lhs, set->sub, s->i->iter), column = dim_along(set->lhs, set->sub, s->j->iter);
    if (row < 0 || column < 0 || row == column || load->array != set->lhs) return false;
    for (int d = 0; d < set->lhs->rank; d++) {
        int64_t by;
        if (!apart(s, set->sub[d], load->args[d], &by)) return false;
        if (d == row) *up = by;
        else if (d == column) *back = by;
        else if (by) return false;
    }
    return true;
}

// Are row and column told by the two counters, one by one?
static bool is_told(const Sweep *s, const Stmt *set) {
    const Array *v = set->lhs;
    int row = dim_along(v, set->sub, s->i->iter), column = dim_along(v, set->sub, s->j->iter);
    int64_t by;
    return v->place == PLACE_USER && row >= 0 && column >= 0 && row != column &&
           apart(s, set->sub[row], expr_sym(s->a, s->i->iter), &by) &&
           apart(s, set->sub[column], expr_sym(s->a, s->j->iter), &by);
}

// Is the load in a column before all that the loop sets?
static bool is_before(const Sweep *s, const Stmt *set, const Expr *load) {
    int column = dim_along(set->lhs, set->sub, s->j->iter);
    const Sym *j = s->j->iter;
    Expr *lo = s->j->lo, *first = expr_subst(s->a, set->sub[column], 1, &j, &lo);
    int64_t by;
    return load->array == set->lhs && apart(s, first, load->args[column], &by) && by > 0;
}

static bool counts(const Node *n) {
    return n->kind == N_FOR && n->step == 1 && !loop_is_unbounded(n) && !loop_while(n) &&
           !expr_has_load(n->lo) && !expr_has_load(n->hi) && !mark_vouches(n->mark);
}

static Stmt *setting(const Sweep *s, const Stmt *like, Op op, Expr *value) {
    Stmt *set = NEW_AS(s->a, Stmt, *like);
    set->op = op;
    set->fused = false;
    set->rhs = value;
    return set;
}

static Node *scalar_set(const Sweep *s, const Array *v, Loc loc, Op op, Expr *value) {
    Stmt *set = NEW(s->a, Stmt);
    *set = (Stmt){.loc = loc, .lhs = v, .op = op, .rhs = value};
    return stmt_leaf(s->a, set);
}

// ---- two sweeps -------------------------------------------------------------------------------------------
// Does the statement give an element what stands above it, and one sum along the row?
static bool waits(Sweep *s, const Stmt *set) {
    bool above = false;
    s->row = NULL;
    if (set->op != OP_SET || !is_told(s, set)) return false;
    for (int d = 0; d < set->lhs->rank; d++)
        if (expr_has_load(set->sub[d])) return false;
    expr_each(x, set->rhs) {
        int64_t up, back;
        if (x->kind != E_LOAD) continue;
        const Array *v = x->array;
        if (v->place == PLACE_LOCAL) {
            if (s->row && s->row != v) return false;
            s->row = v;
        } else if (arrays_may_overlap(v, set->lhs)) {
            if (!place_of(s, set, x, &up, &back) || up < 1) return false;
            above = true;
        } else if (tree_writes(s->i, v)) {
            return false;
        }
    }
    const Node *in = s->j->body;
    for (int k = 0; k < in->nlocals; k++)
        if (in->locals[k] == s->row) return false; // of one column
    return above && s->row && !s->row->rank && s->row->elem == set->lhs->elem &&
           node_writes(s->j->body, s->row);
}

// Nothing but sums along the row may see the elements that wait: each itself before it is set, and what lies
// before all of them in its row or the one above.
static bool is_seen(Sweep *s, const Stmt *set) {
    bool behind = false;
    node_each(n, s->i->body) {
        if (n->kind == N_STMT && n->stmt == set) {
            behind = true;
            continue;
        }
        if (n->kind == N_STMT && arrays_may_overlap(n->stmt->lhs, set->lhs)) return true;
        node_each_expr(x, n) {
            int64_t up, back;
            if (x->kind != E_LOAD || !arrays_may_overlap(x->array, set->lhs)) continue;
            bool own = !behind && place_of(s, set, x, &up, &back) && !up && !back;
            if (!own && !is_before(s, set, x)) return true;
        }
    }
    return false;
}

static Stmt *leave_sum(Rebuild *b, Stmt *set) {
    Sweep *s = b->self;
    for (int k = 0; k < s->kept.n; k++)
        if (s->kept.at[k] == set->lhs && waits(s, set))
            return setting(s, set, OP_SET, expr_load(s->a, s->row, NULL));
    return set;
}

static Expr *own_sum(Rebuild *b, Expr *x) {
    const Stmt *set = b->self;
    return x->kind == E_LOAD && x->array->place == PLACE_LOCAL ? expr_load(b->a, set->lhs, set->sub) : x;
}

static Node *second_sweep(Sweep *s) {
    Node **kids = NEW_N(s->a, Node *, s->last.n);
    for (int k = 0; k < s->last.n; k++) {
        const Stmt *set = s->last.at[k];
        Rebuild b = {.a = s->a, .expr = own_sum, .self = (void *)set};
        kids[k] = stmt_leaf(s->a, setting(s, set, OP_SET, rebuild_expr(&b, set->rhs)));
    }
    Node *along = node_clone(s->a, s->j), *down = node_clone(s->a, s->i);
    along->body = node_seq(s->a, s->last.n, kids);
    down->body = node_seq(s->a, 1, &along);
    return tree_anew(s->m, down, false);
}

// The only loop in what the loop over rows holds, its last; what stands before it sets locals. NULL: it is
// none.
static const Node *loop_along(const Node *i) {
    const Node *in = i->body;
    if (in->kind != N_SEQ || !in->nkids) return NULL;
    for (int k = 0; k + 1 < in->nkids; k++)
        if (in->kids[k]->kind != N_STMT || in->kids[k]->stmt->lhs->place != PLACE_LOCAL) return NULL;
    const Node *j = in->kids[in->nkids - 1];
    bool alike = !expr_uses_sym(j->lo, i->iter) && !expr_uses_sym(j->hi, i->iter); // in all rows
    return counts(j) && j->body->kind == N_SEQ && alike ? j : NULL;
}

static Node *in_two(Sweep *s, Node *i) {
    s->i = i;
    s->j = loop_along(i);
    s->kept.n = s->last.n = 0;
    for (int k = 0; s->j && k < s->j->body->nkids; k++) {
        const Node *n = s->j->body->kids[k];
        if (n->kind != N_STMT || !waits(s, n->stmt) || is_seen(s, n->stmt)) continue;
        vec_push(s->a, &s->kept, n->stmt->lhs);
        vec_push(s->a, &s->last, n->stmt);
    }
    if (!s->kept.n) return i;
    s->some = true;
    Node *then = second_sweep(s);
    Rebuild b = {.a = s->a, .stmt = leave_sum, .self = s};
    return seq_join(s->a, rebuild_node(&b, i), then);
}

// ---- a sum of neighbours --------------------------------------------------------------------------------
typedef struct Addend {
    Expr *when, *x; // when NULL: always
    int sign;
} Addend;

typedef struct Addends {
    Sweep *s;
    const Array *v; // a local that collects them; NULL: there is none
    VEC(Addend) at;
} Addends;

static bool is_nothing(const Expr *x) { return expr_is_int(x, 0) || (x->kind == E_FLOAT && x->f == 0); }

static Expr *nothing(const Sweep *s, Type t) {
    return type_is_float(t) ? expr_float(s->a, t, 0) : expr_int(s->a, t, 0);
}

static void add_up(Addends *t, Expr *when, Expr *x, int sign) {
    if (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB)) {
        add_up(t, when, x->args[0], sign);
        add_up(t, when, x->args[1], x->op == OP_SUB ? -sign : sign);
    } else if (x->kind == E_OP && x->op == OP_NEG) {
        add_up(t, when, x->args[0], -sign);
    } else if (x->kind == E_OP && x->op == OP_SELECT && !when && is_nothing(x->args[2])) {
        add_up(t, x->args[0], x->args[1], sign);
    } else {
        vec_push(t->s->a, &t->at, ((Addend){when, x, sign}));
    }
}

// v += x, v -= x, v = v + x; the first of all is v = x.
static bool adds(Addends *t, Expr *when, const Node *n) {
    const Stmt *s = n->kind == N_STMT ? n->stmt : NULL;
    if (!s || s->lhs != t->v) return false;
    if (s->op == OP_SET) {
        if (t->at.n || when) return false;
        add_up(t, NULL, s->rhs, 1);
        return true;
    }
    if ((s->op != OP_ADD && s->op != OP_SUB) || !t->at.n) return false;
    add_up(t, when, s->rhs, s->op == OP_SUB ? -1 : 1);
    return true;
}

// The statement that all in the loop along the row comes to, and what it adds up. NULL: it is more.
static const Stmt *added_up(Addends *t, const Node *j) {
    const Node *in = j->body;
    if (in->nlocals > 1 || in->nkids < 1 || in->kids[in->nkids - 1]->kind != N_STMT) return NULL;
    const Stmt *set = in->kids[in->nkids - 1]->stmt;
    t->v = in->nlocals ? in->locals[0] : NULL;
    for (int k = 0; k + 1 < in->nkids; k++) {
        const Node *n = in->kids[k];
        Expr *when = NULL;
        if (n->kind == N_IF && !n->other && n->then->kind == N_SEQ && n->then->nkids == 1)
            when = n->cond, n = n->then->kids[0];
        if (!t->v || t->v->rank || !adds(t, when, n)) return NULL;
    }
    bool all = t->v && set->rhs->kind == E_LOAD && set->rhs->array == t->v && t->v->elem == set->lhs->elem;
    if (t->v && !all) return NULL;
    if (!t->v) add_up(t, NULL, set->rhs, 1);
    Expr *own = expr_load(t->s->a, set->lhs, set->sub);
    if (set->op == OP_ADD) vec_push(t->s->a, &t->at, ((Addend){NULL, own, 1}));
    return set->op == OP_SET || set->op == OP_ADD ? set : NULL;
}

// Does the condition hold everywhere but where the loop begins?
static bool is_not_first(const Sweep *s, const Expr *x, const Node *loop) {
    int64_t by;
    if (x->kind != E_OP) return false;
    bool more = x->op == OP_GT || x->op == OP_GE || x->op == OP_NE, less = x->op == OP_LT || x->op == OP_LE;
    if (!more && !less) return false;
    const Expr *c = x->args[more ? 0 : 1], *end = x->args[more ? 1 : 0];
    bool equal = x->op == OP_GE || x->op == OP_LE;
    return c->kind == E_SYM && c->sym == loop->iter && apart(s, end, loop->lo, &by) && by == equal;
}

static bool is_neither_first(const Sweep *s, const Expr *x) {
    if (x->kind != E_OP || x->op != OP_LAND) return false;
    return (is_not_first(s, x->args[0], s->i) && is_not_first(s, x->args[1], s->j)) ||
           (is_not_first(s, x->args[0], s->j) && is_not_first(s, x->args[1], s->i));
}

typedef struct Corner {
    const Addend *up, *back, *both; // the three neighbours
    Expr *rest;                     // the other addends
} Corner;

static bool sort_addends(Sweep *s, const Stmt *set, const Addends *t, Corner *c) {
    Type type = set->lhs->elem;
    for (int k = 0; k < t->at.n; k++) {
        const Addend *d = &t->at.at[k];
        int64_t up, back;
        if (d->x->type != type) return false;
        bool mine = d->x->kind == E_LOAD && d->x->array == set->lhs;
        if (mine && place_of(s, set, d->x, &up, &back) && (up || back)) {
            const Addend **to = up == 1 && !back ? &c->up : !up && back == 1 ? &c->back : &c->both;
            bool beside = up >= 0 && up <= 1 && back >= 0 && back <= 1;
            if (*to || !beside || d->sign != (to == &c->both ? -1 : 1)) return false;
            *to = d;
            continue;
        }
        expr_each(x, d->x) {
            if (x->kind != E_LOAD || !arrays_may_overlap(x->array, set->lhs)) continue;
            if (!place_of(s, set, x, &up, &back) || up || back) return false;
        }
        Expr *x = d->x;
        if (d->when) x = expr_op(s->a, OP_SELECT, d->when, x, nothing(s, type));
        if (d->sign < 0) x = expr_op(s->a, OP_NEG, x, NULL, NULL);
        c->rest = c->rest ? expr_op(s->a, OP_ADD, c->rest, x, NULL) : x;
    }
    return c->up && c->back && c->both && c->rest;
}

// Do the neighbours' conditions go together?
static bool fits(const Sweep *s, const Corner *c) {
    const Expr *up = c->up->when, *back = c->back->when, *both = c->both->when;
    if ((up && !is_not_first(s, up, s->i)) || (back && !is_not_first(s, back, s->j))) return false;
    if (up && back) return both && is_neither_first(s, both);
    if (!up && !back) return !both;
    return both && is_not_first(s, both, up ? s->i : s->j);
}

// What the row has added up before its loop begins.
static Expr *first_sum(const Sweep *s, const Stmt *set, const Corner *c) {
    Type t = set->lhs->elem;
    Expr *lo = s->j->lo;
    const Sym *j = s->j->iter;
    if (c->back->when) return nothing(s, t);
    Expr *own = expr_subst(s->a, c->back->x, 1, &j, &lo), *above = expr_subst(s->a, c->both->x, 1, &j, &lo);
    if (c->both->when) above = expr_op(s->a, OP_SELECT, c->both->when, above, nothing(s, t));
    Type u = update_modular(OP_ADD, t); // the program need not compute that difference
    if (u == T_NONE) return expr_op(s->a, OP_SUB, own, above, NULL);
    own = expr_modular(s->a, u, own), above = expr_modular(s->a, u, above);
    return expr_cast(s->a, t, expr_op(s->a, OP_SUB, own, above, NULL));
}

static Node *as_sweep(Sweep *s, Node *i) {
    Addends t = {.s = s};
    Corner c = {0};
    s->i = i;
    s->j = loop_along(i);
    if (!s->j || i->body->nkids != 1 || i->body->nlocals) return i;
    const Stmt *set = added_up(&t, s->j);
    if (!set || !is_told(s, set) || !sort_addends(s, set, &t, &c) || !fits(s, &c)) return i;
    Type type = set->lhs->elem;
    if (type_is_float(type) ? !s->r->reassociate : type_size(type) < 4) return i;
    Array *row = array_new(s->a, name_new(s->m, "row"), type, PLACE_LOCAL, 0);
    row->object = row->name;
    row->stride = type_size(type);
    Expr *up = c.up->when ? expr_op(s->a, OP_SELECT, c.up->when, c.up->x, nothing(s, type)) : c.up->x;
    up = expr_op(s->a, OP_ADD, up, expr_load(s->a, row, NULL), NULL);
    Node *adds[] = {scalar_set(s, row, set->loc, OP_ADD, c.rest),
                    stmt_leaf(s->a, setting(s, set, OP_SET, up))};
    Node *along = node_clone(s->a, s->j), *down = node_clone(s->a, i);
    along->body = node_seq(s->a, 2, adds);
    Node *kids[] = {scalar_set(s, row, set->loc, OP_SET, first_sum(s, set, &c)), along};
    down->body = seq_declare(s->a, node_seq(s->a, 2, kids), row);
    s->some = true;
    return down;
}

// Where the rows have no columns nothing is touched.
static Node *sweep(Rebuild *b, Node *n) {
    Sweep *s = b->self;
    if (!counts(n)) return n;
    Node *one = as_sweep(s, n), *two = in_two(s, one);
    if (one == n) return two;
    const Node *j = loop_along(one);
    return node_if(s->a, expr_op(s->a, OP_LT, j->lo, j->hi, NULL), node_seq(s->a, 1, &two), NULL);
}

Region *pass_sweeps(Normal *m, Region *r) {
    Sweep s = {.m = m, .a = m->a, .r = r};
    Rebuild b = {.a = m->a, .node = sweep, .self = &s};
    Node *root = rebuild_node(&b, r->root);
    return s.some ? region_with(m, r, root) : r;
}
