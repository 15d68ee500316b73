// SPDX-License-Identifier: MIT
// coarsen.c -- how many iterations of the mapped loops one thread takes.
//
// Two things are gained. A value that an inner loop reads and that does not depend on a mapped
// loop is read once for all iterations of that loop in the thread:
//
//   for d  out[i][j] += f(x[i][d], y[j][d])     x[i][d] does not name j, y[j][d] not i:
//                                               4 x 4 outputs a thread read 8 values, not 32
//
// And where there is no inner loop, the more independent reads a thread has under way, the more
// of the memory's speed is used. The price is fewer threads, so the choice is made by the sizes
// when the nest runs.
//
// An operand that threads side by side would read in steps of a row, y[j][d], is copied with its
// rows and columns exchanged when there are enough columns to make that worth a kernel.
#include "plan/auto.h"
#include "rule/loops.h"
#include "rule/terms.h"
#include "rule/turn.h"

enum {
    BIG_TILE = 8,        // iterations a thread in each of two dimensions with a turned operand
    TURN_COLUMNS = 8,    // the fewest for which an operand is turned
    THREADS = 384,       // that keep a multiprocessor busy: 12 warps
    REUSE_STMTS = 24,    // the most statements in an inner loop of which copies are made
    STREAM_STMTS = 8,    // … in a body without loops
    STREAM_LOADS = 16,
    LINE = 32,           // threads side by side that should touch one line of memory
};

// ---- what the body does -----------------------------------------------------------------------

typedef struct Shape {
    Plan *p;
    int ndims;
    const Sym *mapped[3];
    int stmts, loads;    // loads of memory that threads share
    int loops;           // serial ones
    int inner;           // statements in them
    bool saves[3];       // an inner loop reads memory without naming that mapped counter
    bool no;             // has something that forbids or spoils it
    bool conditions;
    const Node *loop;    // the innermost loop around, of those that are not mapped
    const Array *steps;  // is read at [mapped[0]][counter of walks] …
    const Node *walks;
    bool mixed;          // … and in other ways, or it is not the only one
} Shape;

static bool is_shared(const Array *array) { return array->place == PLACE_USER || array->place == PLACE_TEMP; }

static bool is_sym(const Expr *x, const Sym *s) { return x->kind == E_SYM && x->sym == s; }

// y[j][d]: neighbouring threads are a row apart.
static void see_steps(Shape *s, const Access *x) {
    const Array *y = x->array;
    bool steps =
        s->loop && y->rank == 2 && is_sym(x->sub[0], s->mapped[0]) && is_sym(x->sub[1], s->loop->iter);
    if (!steps) {
        if (y == s->steps || exprs_use(&x->sub[0], y->rank - 1, s->mapped[0])) s->mixed = true;
        return;
    }
    if (s->steps && (s->steps != y || s->walks != s->loop)) s->mixed = true;
    s->steps = y;
    s->walks = s->loop;
}

static void see_stmt(Shape *s, const Node *n, bool inside) {
    AccessVec acc = node_accesses(s->p->a, n);
    s->stmts++;
    s->inner += inside;
    s->no = s->no || n->atomic;
    for (int k = 0; k < acc.n; k++) {
        const Access *x = &acc.at[k];
        if (!is_shared(x->array)) continue;
        if (x->write && x->array == s->steps) s->mixed = true;
        if (!x->read || (k == 0 && x->write)) continue;
        if (x->array->rank > 0) see_steps(s, x);
        s->loads++;
        for (int d = 0; d < x->array->rank; d++) s->no = s->no || expr_has_load(x->sub[d]);
        for (int d = 0; d < s->ndims; d++)
            if (inside && !exprs_use(x->sub, x->array->rank, s->mapped[d])) s->saves[d] = true;
    }
}

static bool is_even(const Shape *s, const Expr *x) {
    if (expr_has_load(x)) return false;
    for (int d = 0; d < s->ndims; d++)
        if (expr_uses_sym(x, s->mapped[d])) return false;
    return true;
}

static void see(Shape *s, Node *n, bool inside) {
    const Node *around = s->loop;
    switch (n->kind) {
    case N_STMT: see_stmt(s, n, inside); return;
    case N_IF: s->conditions = true; break;
    case N_FOR:
        s->loops++;
        inside = true;
        s->loop = n;
        // Threads of unlike lengths would wait for each other.
        if (!is_even(s, n->lo) || !is_even(s, n->hi) || loop_while(n)) s->no = true;
        break;
    case N_SEQ: break;
    default: s->no = true;
    }
    for (int i = 0; node_kid(n, i); i++) see(s, node_kid(n, i), inside);
    s->loop = around;
}

static Shape shape_of(Plan *p, const Chain *c, int ndims, const MapDim *dims) {
    Shape s = {.p = p, .ndims = ndims};
    bool mapped[16] = {false};
    for (int d = 0; d < ndims; d++) {
        s.mapped[d] = c->loop[dims[d].loop]->iter;
        mapped[dims[d].loop] = true;
    }
    bool inside = false;
    for (int i = 0; i < c->n; i++) {
        if (mapped[i]) continue;
        inside = true;
        s.loops++;
        s.loop = c->loop[i];
        if (!is_even(&s, c->loop[i]->lo) || !is_even(&s, c->loop[i]->hi)) s.no = true;
    }
    see(&s, c->body, inside);
    return s;
}

// ---- how many -----------------------------------------------------------------------------------

static bool can_have_several(const Chain *c, const MapDim *d) {
    return d->exact && d->threads > 1 && c->loop[d->loop]->lo->kind != E_LOAD && host_can_eval(d->lo) &&
           host_can_eval(d->hi);
}

// Where neighbours touch neighbouring words, blocks begin at a whole line.
static void align(MapDim *x) {
    if (x->lo->kind == E_INT && x->lo->i > 0 && x->threads % LINE == 0) x->before = x->lo->i % LINE;
}

// False: one iteration a thread is best, whatever the sizes.
static bool choose(const Shape *s, const Chain *c, MapDim *dims) {
    MapDim *x = &dims[0], *y = s->ndims > 1 ? &dims[1] : NULL;
    if (s->no) return false;
    x->apart = true;
    if (s->loops == 0) {
        if (s->conditions || s->stmts > STREAM_STMTS || s->loads > STREAM_LOADS || !s->loads) return false;
        MapDim *d = y ? y : x;
        if (!can_have_several(c, d)) return false;
        d->per = 4;
        if (y) align(x);
        return true;
    }
    if (s->inner > REUSE_STMTS) return false;
    if (s->saves[0] && can_have_several(c, x)) x->per = 4;
    if (y && s->saves[1] && can_have_several(c, y)) y->per = 4;
    return x->per > 1 || (y && y->per > 1);
}

// Are there enough iterations to fill the machine, and whole strips of them?
static Expr *is_enough(Plan *p, const Chain *c, int ndims, const MapDim *dims) {
    Arena *a = p->a;
    Expr *all = expr_int(a, T_I64, 1), *ok = NULL;
    int64_t each = 1;
    for (int d = 0; d < ndims; d++) {
        if (!host_can_eval(dims[d].lo) || !host_can_eval(dims[d].hi)) return NULL;
        Node bare = *c->loop[dims[d].loop];
        bare.lo = expr_cast(a, T_I64, dims[d].lo);
        bare.hi = expr_cast(a, T_I64, dims[d].hi);
        Expr *trips = loop_trips(a, &bare);
        all = expr_mul(a, all, trips);
        if (dims[d].per < 2) continue;
        each *= dims[d].per;
        Expr *long_enough =
            expr_op(a, OP_GE, trips, expr_int(a, T_I64, 4 * dims[d].per * dims[d].threads), NULL);
        ok = ok ? expr_op(a, OP_LAND, ok, long_enough, NULL) : long_enough;
    }
    Expr *many =
        expr_op(a, OP_GE, all, expr_mul(a, expr_int(a, T_I64, each * THREADS), plan_processors(p)), NULL);
    return expr_op(a, OP_LAND, ok, many, NULL);
}

// ---- an operand turned ---------------------------------------------------------------------------

// From 0 to what the parameters say?
static bool is_plain_range(const Expr *lo, const Expr *hi) {
    return expr_is_int(lo, 0) && host_can_eval(hi) && !expr_uses_iters(hi);
}

// for d for j  y_t[d][j] = y[j][d]
static Node *turn_kernel(Plan *p, const Shape *s, const Array *to, const Node *rows) {
    Arena *a = p->a;
    Node *d = node_clone(a, s->walks), *j = node_clone(a, rows);
    d->iter = iter_fresh(&p->names, s->walks->iter->name, T_I32);
    j->iter = iter_fresh(&p->names, rows->iter->name, T_I32);
    Chain c = {.n = 2, .loop = {d, j}, .body = turned_copy(&p->names, s->steps, to, j->iter, d->iter)};
    MapDim dims[2] = {
        {.loop = 1, .threads = 32, .lo = rows->lo, .hi = rows->hi, .exact = true},
        {.loop = 0, .threads = 8, .lo = s->walks->lo, .hi = s->walks->hi, .exact = true},
    };
    return rule_map_gpu(&p->names, &c, 2, dims, kernel_name(p));
}

// { turn y; kernel with y turned and a big tile }; NULL: y isn't like that. *when: where it pays.
static Node *turned_kernels(Plan *p, const Shape *s, const Chain *c, int ndims, const MapDim *dims,
                            Expr **when) {
    Arena *a = p->a;
    const Node *rows = c->loop[dims[0].loop];
    if (ndims != 2 || !s->steps || s->mixed || dims[0].per < 2 || dims[1].per < 2 || s->inner > 4)
        return NULL;
    if (!is_plain_range(rows->lo, rows->hi) || !is_plain_range(s->walks->lo, s->walks->hi)) return NULL;
    if (rows->step != 1 || s->walks->step != 1) return NULL;
    MapDim big[2] = {dims[0], dims[1]};
    big[0].per = type_size(s->steps->elem) > 4 ? BIG_TILE / 2 : BIG_TILE; // sums of two registers
    big[1].per = BIG_TILE;
    Expr *many = expr_op(a, OP_GE, expr_cast(a, T_I64, s->walks->hi), expr_int(a, T_I64, TURN_COLUMNS), NULL);
    *when = is_enough(p, c, ndims, big);
    const Array *to = turned_array(&p->names, s->steps, rows->hi, s->walks->hi);
    Node *main = *when ? rule_map_gpu(&p->names, c, ndims, big, kernel_name(p)) : NULL;
    main = main ? rule_turn(a, main, s->steps, to) : NULL;
    if (!main) return NULL;
    main->min_blocks = 2;
    *when = expr_op(a, OP_LAND, many, *when, NULL);
    Node *kids[2] = {turn_kernel(p, s, to, rows), main};
    Node *both = node_seq(a, 2, kids);
    both->nlocals = 1;
    both->locals = NEW_N(a, const Array *, 1);
    both->locals[0] = to;
    return both;
}

// ---- outputs through shared memory ---------------------------------------------------------------
// A step on the only kernel of the tree, whose registers are as its loops need them.
static Node *settled(Plan *p, Node *tree, const char *rule, const char *knobs) {
    if (!tree) return NULL;
    tree = plan_each_kernel(p, plan_each_kernel(p, tree, "accumulate"), "registers");
    node_each(n, tree)
        if (n->kind == N_KERNEL) return plan_step(p, tree, "%s %s%s", rule, n->name, knobs);
    return NULL;
}

// A kernel whose threads write several words side by side; NULL: they don't.
static Node *staged_kernel(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    enum { STAGED_THREADS = 128 };
    MapDim flat[3];
    for (int d = 0; d < ndims; d++) {
        flat[d] = dims[d];
        flat[d].threads = d == 0 ? STAGED_THREADS : 1;
    }
    return settled(p, plan_grid(p, tree, c, ndims, flat, ""), "outputs", "");
}

// ---- few sums of long terms ------------------------------------------------------------------------
// Are there too few sums for one thread each?
static Expr *are_few(Plan *p, const Chain *c, const MapDim *row) {
    enum { LEAST_SUMS = 1024 };
    Arena *a = p->a;
    Node bare = *c->loop[row->loop];
    bare.lo = expr_cast(a, T_I64, row->lo);
    bare.hi = expr_cast(a, T_I64, row->hi);
    Expr *sums = loop_trips(a, &bare),
         *many = expr_mul(a, expr_int(a, T_I64, 4 * THREADS), plan_processors(p));
    Expr *some = expr_op(a, OP_GE, sums, expr_int(a, T_I64, LEAST_SUMS), NULL);
    return expr_op(a, OP_LAND, some, expr_op(a, OP_LT, sums, many, NULL), NULL);
}

// The chain in the tree as a kernel in which several threads share the terms of a sum, where there are too
// few sums for one thread each; else it stands there still. NULL: there is no such sum.
static Node *with_terms(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    static const char LEAST[] = " least=24";
    if (ndims != 1 || !host_can_eval(dims[0].lo) || !host_can_eval(dims[0].hi)) return NULL;
    MapDim row = dims[0];
    row.threads = TERM_LANES;
    PlanMark before = plan_mark(p);
    bool fits = settled(p, plan_grid(p, tree, c, 1, &row, ""), "terms", LEAST) != NULL;
    plan_back(p, before);
    if (!fits) return NULL;
    Expr *when = are_few(p, c, &row);
    if (expr_is_int(when, 0)) return plan_back(p, before), tree;
    Node *n = expr_is_int(when, 1) ? tree : plan_either(p, tree, c, when);
    return settled(p, n ? plan_grid(p, n, c, 1, &row, "") : NULL, "terms", LEAST);
}

// if (when) { node } else { other }
static Node *either(Plan *p, Expr *when, Node *node, Node *other) {
    if (!node || expr_is_int(when, 0)) return other;
    return expr_is_int(when, 1) ? node : node_if(p->a, when, node, other);
}

// The chain in the tree with several iterations a thread where there are enough of them. NULL: that can't be
// told.
static Node *several(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    PlanMark before = plan_mark(p);
    Expr *enough = is_enough(p, c, ndims, dims);
    Node *n = !enough                  ? NULL
              : expr_is_int(enough, 0) ? NULL
              : expr_is_int(enough, 1) ? tree
                                       : plan_either(p, tree, c, enough);
    n = n ? plan_grid(p, n, c, ndims, dims, "") : NULL;
    if (!n) plan_back(p, before);
    return n || !enough ? n : tree;
}

// The chain in the tree with one iteration a thread, if it stands in the tree still.
static Node *one_each(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    Node *n = plan_grid(p, tree, c, ndims, dims, "");
    return n ? n : tree;
}

// One that is no row of a few elements?
static bool has_long_loop(Node *n) {
    enum { SHORT = 16 };
    int64_t trips;
    bool found = n->kind == N_FOR && (!loop_constant(n, &trips) || trips > SHORT);
    for (int i = 0; !found && node_kid(n, i); i++) found = has_long_loop(node_kid(n, i));
    return found;
}

Node *plan_coarsen(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    MapDim more[3];
    for (int d = 0; d < ndims; d++) more[d] = dims[d];
    Shape s = shape_of(p, c, ndims, dims);
    PlanMark before = plan_mark(p);
    Node *staged = s.loops ? staged_kernel(p, tree, c, ndims, dims) : NULL;
    bool streams = s.loops && !s.no && s.inner <= REUSE_STMTS;
    if (staged && streams && has_long_loop(c->body)) {
        Node *streamed = plan_streams(p, c, ndims, dims, staged);
        return streamed ? streamed : staged;
    }
    if (staged) return staged;
    plan_back(p, before);
    Expr *when = NULL;
    Node *terms = s.loops && !s.no ? with_terms(p, tree, c, ndims, dims) : NULL;
    if (terms) return one_each(p, terms, c, ndims, dims);
    plan_back(p, before);
    Node *streamed =
        streams ? plan_streams(p, c, ndims, dims, one_each(p, tree, c, ndims, dims)) : NULL;
    if (streamed) return streamed;
    plan_back(p, before);
    Node *n = choose(&s, c, more) ? several(p, tree, c, ndims, more) : NULL;
    if (!n) return one_each(p, tree, c, ndims, dims);
    n = one_each(p, n, c, ndims, dims);
    before = plan_mark(p);
    Node *turned = turned_kernels(p, &s, c, ndims, more, &when);
    if (!turned) plan_back(p, before);
    n = either(p, when ? plan_typical(p, when) : NULL, turned, n);
    before = plan_mark(p);
    Node *rows = plan_rows(p, c, ndims, dims, n);
    if (rows == n) plan_back(p, before);
    return rows;
}
