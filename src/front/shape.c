// SPDX-License-Identifier: MIT
// shape.c -- linearised subscripts: a[i*n + j] becomes a[i][j], with inner extent n.
//
// A subscript is a sum over counters (and loads) with coefficients that are polynomials in
// the parameters, plus such a polynomial. Coefficients that are no plain numbers give the
// strides of the array (rows.c: plain numbers too, where rows are long), the same for all accesses;
// each divides the next greater, or the host finds out that it does:
//
//   (i+1)*n*m + j*m + k     coefficients n*m, m, 1    strides n*m, m    extents [][n][m]
//                                                     subscripts [i+1][j][k]
//   q*plane + j*ld + i      coefficients plane, ld    extents [][plane / ld][ld], where nothing is left
//
// Any split of a subscript addresses the same element; that inner subscripts stay inside
// their extents is checked later, for all of them (at run time if need be). So what is
// chosen here need only be likely: it is tried out with numbers for the parameters.
#include "front/normal.h"
#include "front/shape.h"
#include <stdlib.h>
#include <string.h>

typedef struct Shapes {
    Normal *m;
    Sums k;
    VEC(ShapeLoop) loops; // all loops around the place where the walk is
    VEC(Shape) found;
    ArrayVec written;     // in the region
    ArrayVec flat;        // arrays whose rows are groups of rows: x[i][q * each + j]
    bool collecting;      // else rewriting
} Shapes;

// ---- coefficients ------------------------------------------------------------------------

// The terms of a subscript without varying factor.
static Sum *fixed_part(Sums *k, const Sum *s) {
    Sum *r = sum_int(k, 0);
    for (int i = 0; i < s->n; i++) {
        bool varies = false;
        for (int j = 0; j < s->t[i].n; j++) varies |= expr_varies(k->atoms.at[s->t[i].f[j]]);
        Sum one = {1, &s->t[i]};
        if (!varies) r = sum_add(k, r, &one, 1);
    }
    return r;
}

// One varying factor a term, or the subscript is not linear.
static bool add_coefficient(Sums *k, const Term *t, ShapeTerms *out) {
    int varying = -1, count = 0;
    Term rest = {.c = t->c, .f = NEW_N(k->a, int, t->n)};
    for (int j = 0; j < t->n; j++) {
        if (!expr_varies(k->atoms.at[t->f[j]])) rest.f[rest.n++] = t->f[j];
        else {
            varying = t->f[j];
            count++;
        }
    }
    if (count != 1) return count == 0;
    Sum one = {1, &rest};
    for (int i = 0; i < out->n; i++)
        if (out->at[i].atom == varying) {
            out->at[i].coef = sum_add(k, out->at[i].coef, &one, 1);
            return out->at[i].coef != NULL;
        }
    ShapeTerm st = {varying, sum_add(k, sum_int(k, 0), &one, 1)};
    vec_push(k->a, out, st);
    return true;
}

bool shape_terms(Sums *k, const Expr *x, ShapeTerms *out, Sum **fixed) {
    Sum *s = sum_of(k, x);
    if (!s) return false;
    *fixed = fixed_part(k, s);
    for (int i = 0; i < s->n; i++)
        if (!add_coefficient(k, &s->t[i], out)) return false;
    return *fixed != NULL;
}

// ---- collecting ---------------------------------------------------------------------------

static bool may_reshape(const Array *v) { return v->place == PLACE_USER && v->rank >= 1; }

// Fields of one array of structs have one shape.
static bool same_memory(const Array *x, const Array *y) {
    return x == y || (str_eq(x->object, y->object) && x->stride == y->stride && x->rank == y->rank);
}

static Shape *shape_of(Shapes *s, const Array *v) {
    for (int k = 0; k < s->found.n; k++)
        if (same_memory(s->found.at[k].array, v)) return &s->found.at[k];
    return NULL;
}

// Do only the data say how far it goes? Of a least (greatest) one end that they don't move is enough.
static bool is_told_by_data(const Expr *x, Op least) {
    if (x->kind == E_CAST) return is_told_by_data(x->args[0], least);
    if (x->kind == E_OP && x->op == least)
        return is_told_by_data(x->args[0], least) && is_told_by_data(x->args[1], least);
    return expr_reads_data(x);
}

// Is it the counter of a loop whose ends the data tell? for (k = 0; k < count[i]; k++) a[i * most + k]
static bool ends_by_data(const Shapes *s, const Expr *atom) {
    for (int i = s->loops.n; i-- > 0;) {
        const ShapeLoop *l = &s->loops.at[i];
        if (atom->kind == E_SYM && atom->sym == l->iter)
            return is_told_by_data(l->lo, OP_MAX) || is_told_by_data(l->hi, OP_MIN);
    }
    return false;
}

// Do two counters stay at a distance, as the bounds of the inner loop say?
//   for (j = i - kl; j < i + ku + 1; j++)
static bool go_together(const Shapes *s, int x, int y) {
    const Expr *p = s->k.atoms.at[x], *q = s->k.atoms.at[y];
    for (int i = 0; i < s->loops.n && p->kind == E_SYM && q->kind == E_SYM; i++) {
        const ShapeLoop *l = &s->loops.at[i];
        const Expr *other = l->iter == p->sym ? q : l->iter == q->sym ? p : NULL;
        if (other && expr_uses_sym(l->lo, other->sym) && expr_uses_sym(l->hi, other->sym)) return true;
    }
    return false;
}

// The stride that a coefficient tells: in a[i + j * (lda - 1)] rows have lda elements where i - j stays
// small, as in a matrix of which the diagonals of a band are kept.
static Sum *told_stride(Shapes *s, const ShapeTerms *terms, int at) {
    Sum *coef = terms->at[at].coef;
    int64_t c, off = sum_constant(coef);
    for (int i = 0; off && i < terms->n; i++)
        if (i != at && terms->at[i].coef && sum_is_const(terms->at[i].coef, &c) && c == -off &&
            go_together(s, terms->at[i].atom, terms->at[at].atom))
            return sum_add(&s->k, coef, sum_int(&s->k, c), 1);
    return coef;
}

// How many loops stand around the counter's; of what is no counter: 0.
static int depth_of(const Shapes *s, const Expr *atom) {
    for (int i = s->loops.n; i-- > 0 && atom->kind == E_SYM;)
        if (s->loops.at[i].iter == atom->sym) return i;
    return 0;
}

enum { CHOICES = 4 }; // conditions of one subscript that are told apart

// Does the region compute it, so that the host can't look?
static bool is_computed(const Shapes *s, const Expr *root) {
    expr_each(x, root) {
        if (x->kind != E_LOAD) continue;
        if (x->array->place != PLACE_USER || has_array(&s->written, x->array)) return true;
    }
    return false;
}

// Does a counter move the place in the row that data choose in terms[at]? x[i * n + j + off[k]]
static bool moves(const ShapeTerms *terms, int at) {
    int64_t c, d;
    for (int i = 0; i < terms->n; i++)
        if (i != at && terms->at[i].coef && sum_is_const(terms->at[i].coef, &d) &&
            sum_is_const(terms->at[at].coef, &c) && llabs(d) <= llabs(c))
            return true;
    return false;
}

static void collect_terms(Shapes *s, Shape *shape, Expr *x, int choices) {
    Expr *yes, *no, *cond = choices < CHOICES ? shape_choice(s->m->a, x, &yes, &no) : NULL;
    for (int holds = 1; cond && holds >= 0; holds--) {
        int told = s->k.facts.n;
        shape_learn(&s->k, cond, holds);
        collect_terms(s, shape, holds ? yes : no, choices + 1);
        s->k.facts.n = told;
    }
    if (cond) return;
    ShapeTerms terms = {0};
    Sum *fixed;
    s->k.wraps = false;
    if (!shape_terms(&s->k, x, &terms, &fixed)) {
        shape->failed = true;
        return;
    }
    shape->wraps |= s->k.wraps;
    ShapeLoop *loops = NEW_N(s->m->a, ShapeLoop, s->loops.n);
    for (int i = 0; i < s->loops.n; i++) loops[i] = s->loops.at[i];
    Sum **facts = NEW_N(s->m->a, Sum *, s->k.facts.n);
    for (int i = 0; i < s->k.facts.n; i++) facts[i] = s->k.facts.at[i];
    ShapeSeen seen = {x, s->loops.n, s->k.facts.n, loops, facts};
    vec_push(s->m->a, &shape->seen, seen);
    for (int i = 0; i < terms.n; i++) {
        int64_t c;
        bool in_row = !terms.at[i].coef || sum_is_const(terms.at[i].coef, &c);
        const Expr *atom = s->k.atoms.at[terms.at[i].atom];
        bool read = in_row && expr_reads_data(atom), ended = in_row && !read && ends_by_data(s, atom);
        shape->picked |= read || ended;
        shape->loose |= ended || (read && (!terms.at[i].coef || moves(&terms, i) || is_computed(s, atom)));
        shape->along |= in_row && !read && !ended;
        if (in_row) continue;
        ShapeCoef coef = {told_stride(s, &terms, i), depth_of(s, atom)};
        vec_push(s->m->a, &shape->coefs, coef);
    }
}

static bool is_flat(const Shapes *s, const Array *v) {
    for (int i = 0; i < s->flat.n; i++)
        if (same_memory(s->flat.at[i], v)) return true;
    return false;
}

// The subscript to split: the first, or of what is flat all as one.
static Expr *whole_subscript(const Shapes *s, const Array *v, Expr **sub) {
    Arena *a = s->m->a;
    if (!is_flat(s, v)) return sub[0];
    Expr *x = expr_cast(a, T_I64, sub[0]);
    for (int d = 1; d < v->rank; d++)
        x = expr_add(a, expr_op(a, OP_MUL, x, expr_cast(a, T_I64, v->extent[d]), NULL),
                     expr_cast(a, T_I64, sub[d]));
    return x;
}

// A row or column that a counter reaches by a parameter's steps may be a row of a group.
static void look_for_groups(Shapes *s, const Array *v, Expr **sub) {
    int64_t c;
    if (!may_reshape(v) || is_flat(s, v)) return;
    for (int d = 1; d < v->rank; d++) {
        ShapeTerms terms = {0};
        Sum *fixed;
        if (!v->extent || !v->extent[d] || !shape_terms(&s->k, sub[d], &terms, &fixed)) return;
        for (int i = 0; i < terms.n; i++) {
            bool counter = s->k.atoms.at[terms.at[i].atom]->kind == E_SYM;
            if (!counter || !terms.at[i].coef || sum_is_const(terms.at[i].coef, &c)) continue;
            vec_push(s->m->a, &s->flat, v);
            return;
        }
    }
}

static void collect_access(Shapes *s, const Array *v, Expr **sub, bool write) {
    if (!may_reshape(v)) return;
    Shape *shape = shape_of(s, v);
    if (!shape) {
        Shape fresh = {.array = v, .flat = is_flat(s, v)};
        vec_push(s->m->a, &s->found, fresh);
        shape = &s->found.at[s->found.n - 1];
    }
    shape->written |= write;
    collect_terms(s, shape, whole_subscript(s, v, sub), 0);
}

// ---- rewriting -----------------------------------------------------------------------------

static const Array *reshaped(Shapes *s, Shape *shape, const Array *v) {
    for (int k = 0; k < shape->made.n; k++)
        if (shape->made.at[k].from == v) return shape->made.at[k].to;
    const Array *to = shape_array(s->m, &s->k, shape, v);
    ShapeMade made = {v, to};
    vec_push(s->m->a, &shape->made, made);
    return to;
}

static void split(Shapes *s, Shape *shape, Expr *x, int choices, Expr **to) {
    Arena *a = s->m->a;
    Expr *yes, *no, *cond = choices < CHOICES ? shape_choice(a, x, &yes, &no) : NULL;
    if (!cond) {
        shape_split(&s->k, shape, x, s->loops.n, s->loops.at, to);
        return;
    }
    int n = shape->nstrides + 1;
    Expr **other = NEW_N(a, Expr *, n);
    for (int holds = 1; holds >= 0; holds--) {
        int told = s->k.facts.n;
        shape_learn(&s->k, cond, holds);
        split(s, shape, holds ? yes : no, choices + 1, holds ? to : other);
        s->k.facts.n = told;
    }
    for (int k = 0; k < n; k++) {
        if (expr_equal(to[k], other[k])) continue;
        Type t = to[k]->type == other[k]->type ? to[k]->type : T_I64;
        to[k] = expr_op(a, OP_SELECT, cond, expr_cast(a, t, to[k]), expr_cast(a, t, other[k]));
    }
}

static Expr **new_subscripts(Shapes *s, Shape *shape, const Array *v, Expr **sub) {
    int d = shape->nstrides, rank = shape->flat ? 1 : v->rank;
    Expr **to = NEW_N(s->m->a, Expr *, rank + d);
    split(s, shape, whole_subscript(s, v, sub), 0, to);
    for (int k = 1; k < rank; k++) to[d + k] = sub[k];
    return to;
}

static Expr *visit_expr(Rebuild *b, Expr *x) {
    Shapes *s = b->self;
    if (x->kind != E_LOAD || !may_reshape(x->array)) return x;
    if (s->collecting) {
        collect_access(s, x->array, x->args, false);
        return x;
    }
    Shape *shape = shape_of(s, x->array);
    if (!shape || !shape->nstrides) return x;
    Expr **sub = new_subscripts(s, shape, x->array, x->args);
    return expr_load(b->a, reshaped(s, shape, x->array), sub);
}

static Node *visit_stmt(Shapes *s, Rebuild *b, Node *n) {
    Stmt *t = NEW_AS(b->a, Stmt, *n->stmt);
    t->depth = 0;
    t->iters = NULL;
    t->sub = NEW_N(b->a, Expr *, t->lhs->rank);
    for (int k = 0; k < t->lhs->rank; k++) t->sub[k] = rebuild_expr(b, n->stmt->sub[k]);
    t->rhs = rebuild_expr(b, n->stmt->rhs);
    Shape *shape = NULL;
    if (may_reshape(t->lhs)) {
        if (s->collecting) collect_access(s, t->lhs, t->sub, true);
        else shape = shape_of(s, t->lhs);
    }
    if (shape && shape->nstrides) {
        t->sub = new_subscripts(s, shape, t->lhs, t->sub);
        t->lhs = reshaped(s, shape, t->lhs);
    }
    return stmt_leaf(b->a, t);
}

// Down the tree with the loops around at hand, which rebuild_node does not keep.
static Node *visit(Shapes *s, Rebuild *b, Node *n) {
    if (!n) return NULL;
    if (n->kind == N_STMT) return visit_stmt(s, b, n);
    Node *copy = node_clone(b->a, n);
    if (n->kind == N_SEQ) {
        copy->kids = NEW_N(b->a, Node *, n->nkids);
        for (int k = 0; k < n->nkids; k++) copy->kids[k] = visit(s, b, n->kids[k]);
    } else if (n->kind == N_FOR) {
        copy->lo = rebuild_expr(b, n->lo);
        copy->hi = rebuild_expr(b, n->hi);
        ShapeLoop loop = {n->iter, n->step > 0 ? n->lo : n->hi, n->step > 0 ? n->hi : n->lo, n->step > 0};
        vec_push(b->a, &s->loops, loop);
        copy->body = visit(s, b, n->body);
        s->loops.n--;
    } else if (n->kind == N_IF) {
        copy->cond = rebuild_expr(b, n->cond);
        copy->then = visit(s, b, n->then);
        copy->other = visit(s, b, n->other);
    }
    return copy;
}

static const Array *renamed(Rebuild *b, const Array *v) {
    Shapes *s = b->self;
    Shape *shape = may_reshape(v) ? shape_of(s, v) : NULL;
    return shape && shape->nstrides ? reshaped(s, shape, v) : v;
}

// Marks name arrays too.
static Node *rename_marks(Shapes *s, Node *root) {
    Rebuild b = {.a = s->m->a, .array = NULL, .self = s};
    VEC(Node *) stack = {0};
    vec_push(b.a, &stack, root);
    while (stack.n) {
        Node *n = stack.at[--stack.n];
        if (!n) continue;
        for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) vec_push(b.a, &stack, n->kids[k]);
        if (n->kind == N_IF) {
            vec_push(b.a, &stack, n->then);
            vec_push(b.a, &stack, n->other);
        }
        if (n->kind != N_FOR) continue;
        vec_push(b.a, &stack, n->body);
        if (!n->mark || !n->mark->nred) continue;
        Mark *mark = NEW(b.a, Mark);
        *mark = *n->mark;
        mark->red = NEW_N(b.a, const Array *, mark->nred);
        for (int k = 0; k < mark->nred; k++) mark->red[k] = renamed(&b, n->mark->red[k]);
        n->mark = mark;
    }
    return root;
}

// Of rows in which data choose a place, x[i * m + col[i]], the host looks whether the row has it. Where loops
// write them without a mark that vouches for these, they are needed. Else they are what tiles and teams ask
// for, in arrays that other accesses go along, or that are written; but a place that data move from where a
// counter is, x[i * m + j + off[k]], may well be in the next row.
static bool worth_a_look(const Shape *shape, bool dividing) {
    if (!shape->picked || (shape->written && dividing)) return true;
    return !shape->loose && (shape->written || shape->along);
}

// Strides that the host divides are needed where loops write: without them iterations may share elements.
// Where they don't divide the loops stay on the host, so nothing is gained by them where a mark says that
// iterations share none, or for arrays that are only read, unless others of the region rest on them anyway.
static bool find_all(Shapes *s, const Region *r) {
    bool any = false, dividing = r->marked != MARK_ACC && r->marked != MARK_OMP, told = false;
    for (int written = 1; written >= 0; written--)
        for (int k = 0; k < s->found.n; k++) {
            Shape *shape = &s->found.at[k];
            if (shape->written != written || !worth_a_look(shape, dividing)) continue;
            shape_find(s->m, &s->k, shape, written ? dividing : told);
            if (shape->flat && shape->nstrides < shape->array->rank) // it has as many dimensions already
                shape->nstrides = shape->told.n = 0;
            any |= shape->nstrides > 0;
            told |= shape->nstrides && shape->told.n;
        }
    return any;
}

Region *pass_shape(Normal *m, Region *r) {
    Shapes s = {.m = m, .k = {.a = m->a}, .collecting = true};
    Rebuild b = {.a = m->a, .expr = visit_expr, .self = &s};
    s.written = node_written(m->a, r->root);
    node_each(n, r->root) {
        if (n->kind == N_STMT) look_for_groups(&s, n->stmt->lhs, n->stmt->sub);
        node_each_expr(x, n)
            if (x->kind == E_LOAD) look_for_groups(&s, x->array, x->args);
    }
    visit(&s, &b, r->root);
    if (!find_all(&s, r)) return r;
    s.collecting = false, s.k.facts.n = 0;
    return region_with(m, r, rename_marks(&s, visit(&s, &b, r->root)));
}
