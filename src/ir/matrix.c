// SPDX-License-Identifier: MIT
// matrix.c -- instructions by which a warp multiplies small matrices, and the loops that are bound to them.
//
//   thread yl (8) { thread xl (4) {                          lane 4·yl + xl
//       for kk (16) matrix m16n8k8 {
//           for yh (8) { for xh (4) { for xv (2) {
//               acc[yh][xh][xv] += a[8·yh + yl][kk] * b[kk][8·xh + 2·xl + xv]
//
// The instruction adds to D[r][c] the products A[r][k]·B[k][c]. If it is not known to do so in the order of
// k, each rounded once (bench/matrix.cu compares bits), it needs the permission to reassociate, as do sums
// of several products.
//
// A lane has rows yl and yl + 8 of D, which are two values of the innermost loop that the factor a names, and
// columns 2·xl and 2·xl + 1, two values of the innermost one that b names. Of A it holds rows yl and yl + 8
// at k = xl, xl + 4, …, of B column yl at the same k:
//
//   A   a, kk ← 4·i + xl                 B   b, kk ← 4·i + xl, xl ← yl / 2, xv ← yl % 2
//
// That is all there is to the layout: it holds for whatever a and b are, if a names no column and b no row.
// So each lane reads what others of its warp read in the loops; what threads keep to themselves it can't. All
// rows read an element of b, so no barrier is missing that the loops do without.
#include "ir/ir.h"
#include <string.h>

enum { MOST_LOOPS = 8, MOST_UPDATES = 8, MOST_DIGITS = 8, COLUMNS = 4, PAIR = 2 };

// Those that are ordered were compared on an H200 (bench/matrix.cu): millions of sums of ordinary numbers,
// any exponents, denormal, near overflow, with infinities and NaN, and such as nearly cancel. All had the
// bits of the chain, but for those of a NaN.
static const Matrix kinds[] = {
    {"m8n8k4", T_F64, 8, 8, 4, 80, true},
    {"m16n8k4", T_F64, 16, 8, 4, 90, true},
    {"m16n8k8", T_F64, 16, 8, 8, 90, true},
    {"m16n8k16", T_F64, 16, 8, 16, 90, true},
};

const Matrix *matrix_named(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(kinds[i].name, name)) return &kinds[i];
    return NULL;
}

int matrix_sums(const Matrix *m) { return m->m / 4; }
int matrix_parts(const Matrix *m) { return matrix_sums(m) + m->m * m->k / 32 + m->k / 4; }

// ---- the loops ------------------------------------------------------------------------------------
// The loops that one side of the product names, and how many of their values there are together.
typedef struct Side {
    int n;
    const Node *loop[MOST_LOOPS]; // outermost first
    int64_t all;
} Side;

typedef struct Update {
    const Array *sum;
    Expr **sub;
    int a, b;              // which factors
} Update;

typedef struct Product {
    const Matrix *kind;
    const Node *k, *row, *column; // the loop that names the instruction; the lanes' digits
    int64_t terms;
    Side rows, columns;
    int n, na, nb;
    Update update[MOST_UPDATES];
    Expr *a[MOST_UPDATES], *b[MOST_UPDATES]; // unlike factors
} Product;

// Where a loop stands: the thread loops around it, and whether a warp comes there as one.
typedef struct Around {
    Arena *a;
    bool reassociate;
    int ndigits;
    const Node *digit[MOST_DIGITS]; // outermost first
    Node *phase;           // the first of them
    bool apart;            // lanes of a warp may have gone different ways
    const Node *wanted;    // NULL: all that fit are bound
    const char *why;       // why that one doesn't fit
    bool found;
} Around;

static int64_t trips_of(const Node *loop) { return loop_literal_trips(loop->lo, loop->hi, loop->step); }

static Node *alone(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n;
}

static bool is_digit(const Node *loop, int64_t extent) {
    return expr_is_int(loop->lo, 0) && trips_of(loop) == extent;
}

static bool uses_any(const Expr *x, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++)
        if (expr_uses_sym(x, loop[i]->iter)) return true;
    return false;
}

static bool is_own(const Expr *x) { return x->kind == E_LOAD && x->array->place == PLACE_LOCAL; }

// Is each loop's counter one subscript, and its own?
static bool tells_apart(const Update *u, const Product *p, int n, const Node *const *loop) {
    for (int d = 0; d < u->sum->rank; d++)
        if (expr_uses_sym(u->sub[d], p->k->iter)) return false;
    for (int i = 0; i < n; i++) {
        int places = 0, uses = 0;
        for (int d = 0; d < u->sum->rank; d++) {
            const Expr *x = u->sub[d];
            places += x->kind == E_SYM && x->sym == loop[i]->iter;
            uses += expr_uses_sym(x, loop[i]->iter);
        }
        if (places != 1 || uses != 1) return false;
    }
    return true;
}

static int factor_number(Expr **of, int *n, Expr *x) {
    for (int i = 0; i < *n; i++)
        if (expr_equal(of[i], x)) return i;
    of[*n] = x;
    return (*n)++;
}

static bool reads_written(const Around *w, const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && tree_writes(w->phase, y->array)) return true;
    return false;
}
// One product that is added to the sum of u: its factors, the row's first.
static const char *read_factors(Around *w, Product *p, Update u, Expr *x, Expr *y) {
    const Sym *row = p->row->iter, *column = p->column->iter;
    bool turned = expr_uses_sym(x, column) || expr_uses_sym(y, row);
    Expr *factor[2] = {turned ? y : x, turned ? x : y};
    if (p->n == MOST_UPDATES) return "it holds too many products";
    if (expr_uses_sym(factor[0], column) || expr_uses_sym(factor[1], row))
        return "a factor names rows and columns";
    if (expr_any(x, is_own) || expr_any(y, is_own)) return "a factor is a thread's own";
    if (reads_written(w, x) || reads_written(w, y)) return "its phase writes what it reads";
    u.a = factor_number(p->a, &p->na, factor[0]);
    u.b = factor_number(p->b, &p->nb, factor[1]);
    p->update[p->n++] = u;
    return NULL;
}

// One statement: its sum, and its product or its several products, the last of which is added first.
static const char *read_update(Around *w, const Node *n, Product *p) {
    const Stmt *s = n->stmt;
    int access = 1;
    AccessVec v = node_accesses(w->a, n);
    Update u = {.sum = v.at[0].array, .sub = (Expr **)v.at[0].sub};
    bool own = u.sum->place == PLACE_REGISTER || u.sum->place == PLACE_LOCAL;
    if (!own) return "the sums are no thread's own";
    if (u.sum->elem != p->kind->elem) return "the sums are of another type";
    for (int i = 0; i < p->n; i++)
        if (p->update[i].sum == u.sum) return "two statements have one sum";
    for (int d = 0; d < s->lhs->rank; d++) node_routed(w->a, n, s->sub[d], &access);
    Expr *x = node_routed(w->a, n, s->rhs, &access);
    bool one = s->fused && x->kind == E_OP && x->op == OP_MUL;
    if (s->op != OP_ADD || n->atomic || s->atomic || n->forms) return "it is no sum of products";
    if (!one && !(w->reassociate && expr_is_products(x)))
        return "it is no product that is rounded with its sum";
    const char *why = NULL;
    for (; !why && x->op == OP_FMA; x = x->args[2]) why = read_factors(w, p, u, x->args[0], x->args[1]);
    bool minus = x->op == OP_NEG;
    if (minus) x = x->args[0];
    Expr *first = minus ? expr_op(w->a, OP_NEG, x->args[0], NULL, NULL) : x->args[0];
    return why ? why : read_factors(w, p, u, first, x->args[1]);
}

static const char *sort_loops(Product *p, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++) {
        bool row = false, column = false;
        for (int f = 0; f < p->na; f++) row = row || expr_uses_sym(p->a[f], loop[i]->iter);
        for (int f = 0; f < p->nb; f++) column = column || expr_uses_sym(p->b[f], loop[i]->iter);
        if (row == column) return "a loop inside is of rows and columns, or of neither";
        Side *s = row ? &p->rows : &p->columns;
        s->loop[s->n++] = loop[i];
        s->all *= trips_of(loop[i]);
    }
    for (int i = 0; i < p->n; i++)
        if (!tells_apart(&p->update[i], p, n, loop)) return "iterations share a sum";
    int least = p->kind->m / 8;
    if (least > 1 && (!p->rows.n || trips_of(p->rows.loop[p->rows.n - 1]) % least))
        return "its rows don't come in pairs";
    if (!p->columns.n || trips_of(p->columns.loop[p->columns.n - 1]) % PAIR)
        return "its columns don't come in pairs";
    return NULL;
}

// Why the loop is none that its instruction computes; NULL: it is.
static const char *read_product(Around *w, Node *k, Product *p) {
    const Node *loop[MOST_LOOPS];
    int n = 0;
    if (!k->matrix->ordered && !w->reassociate)
        return "it is not known to add terms in their order, which needs the permission 'reassociate'";
    if (w->ndigits < 2 || !is_digit(w->digit[w->ndigits - 1], COLUMNS) ||
        !is_digit(w->digit[w->ndigits - 2], 32 / COLUMNS))
        return "the last two of its thread loops are not 8 and 4 long";
    if (w->apart) return "lanes of a warp may go different ways to it";
    *p = (Product){.kind = k->matrix, .k = k, .rows.all = 1, .columns.all = 1};
    p->row = w->digit[w->ndigits - 2], p->column = w->digit[w->ndigits - 1];
    p->terms = trips_of(k);
    if (k->step != 1 || p->terms < 1 || p->terms % p->kind->k)
        return "its terms are no multiple of the instruction's";
    Node *body = alone(k->body);
    for (; body && body->kind == N_FOR; body = alone(body->body)) {
        bool serial = body->how == HOW_SERIAL || body->how == HOW_UNROLL;
        if (!serial || body->step != 1 || trips_of(body) < 1 || n == MOST_LOOPS)
            return "a loop inside has no constant number of iterations";
        loop[n++] = body;
    }
    int count = body && body->kind == N_SEQ ? body->nkids : 1;
    static const char *const more = "it holds more than sums";
    if (!body || count > MOST_UPDATES || (body->kind == N_SEQ && body->nlocals)) return more;
    for (int i = 0; i < count; i++) {
        const Node *leaf = body->kind == N_SEQ ? alone(body->kids[i]) : body;
        const char *why = leaf->kind == N_STMT ? read_update(w, leaf, p) : more;
        if (why) return why;
    }
    return p->n ? sort_loops(p, n, loop) : "it holds no sum";
}

// ---- the instructions -------------------------------------------------------------------------------
typedef struct Writer {
    Arena *a;
    const Product *p;
    const Array *part[2];  // fragments of the rows' factors, of the columns'
    VEC(Node *) out;
} Writer;

static Expr *number(const Writer *w, int64_t i) { return expr_int(w->a, T_I32, i); }

// Value number `at` of the side's loops.
static int put_values(const Writer *w, const Side *s, int64_t at, const Sym **from, Expr **to) {
    for (int i = s->n; i-- > 0;) {
        const Node *loop = s->loop[i];
        int64_t trips = trips_of(loop);
        from[i] = loop->iter;
        to[i] = expr_int(w->a, loop->iter->type, loop->lo->i + at % trips);
        at /= trips;
    }
    return s->n;
}

static Expr *in_type(const Writer *w, const Sym *of, const Sym *x) {
    return expr_cast(w->a, of->type, expr_sym(w->a, x));
}

// The factor that the lane holds of row (or of the pair of columns) number `at` and of the terms from k on.
static Expr *held(const Writer *w, bool column, Expr *factor, int64_t at, int64_t k) {
    const Product *p = w->p;
    const Side *s = column ? &p->columns : &p->rows;
    const Sym *from[MOST_LOOPS + 2], *row = p->row->iter;
    Expr *to[MOST_LOOPS + 2];
    int n = put_values(w, s, column ? at * PAIR : at, from, to);
    if (column) {
        Expr *odd = expr_op(w->a, OP_FMOD, expr_sym(w->a, row), expr_int(w->a, row->type, PAIR), NULL);
        Expr *half = expr_op(w->a, OP_FDIV, expr_sym(w->a, row), expr_int(w->a, row->type, PAIR), NULL);
        to[n - 1] = expr_add(w->a, to[n - 1], expr_cast(w->a, to[n - 1]->type, odd));
        from[n] = p->column->iter;
        to[n++] = expr_cast(w->a, p->column->iter->type, half);
    }
    from[n] = p->k->iter;
    to[n++] = expr_add(w->a, in_type(w, p->k->iter, p->column->iter),
                       expr_int(w->a, p->k->iter->type, p->k->lo->i + k));
    return expr_subst(w->a, factor, n, from, to);
}

// Element i of k / 4 that a lane holds of that row, in the buffer of step q.
static Expr **part_at(const Writer *w, bool column, int factor, int64_t q, int64_t at, int i) {
    const Product *p = w->p;
    int64_t each = p->kind->k / 4, all = column ? p->columns.all / PAIR : p->rows.all;
    Expr **sub = NEW_N(w->a, Expr *, 2);
    sub[0] = number(w, q % 2), sub[1] = number(w, (factor * all + at) * each + i);
    return sub;
}

static void put_loads(Writer *w, int64_t q) {
    const Product *p = w->p;
    for (int column = 0; column < 2; column++)
        for (int f = 0; f < (column ? p->nb : p->na); f++)
            for (int64_t at = 0; at < (column ? p->columns.all / PAIR : p->rows.all); at++)
                for (int i = 0; i < p->kind->k / 4; i++) {
                    Expr *x = held(w, column, column ? p->b[f] : p->a[f], at, q * p->kind->k + 4 * i);
                    Node *n = node_copy(w->a, w->part[column], part_at(w, column, f, q, at, i), OP_SET, x);
                    n->loc = p->k->loc;
                    vec_push(w->a, &w->out, n);
                }
}

static Expr *sum_at(const Writer *w, const Update *u, int64_t row, int64_t column) {
    const Sym *from[2 * MOST_LOOPS];
    Expr *to[2 * MOST_LOOPS], **sub = NEW_N(w->a, Expr *, u->sum->rank + 1);
    int n = put_values(w, &w->p->rows, row, from, to);
    n += put_values(w, &w->p->columns, column, from + n, to + n);
    for (int d = 0; d < u->sum->rank; d++) sub[d] = expr_subst(w->a, u->sub[d], n, from, to);
    return expr_load(w->a, u->sum, sub);
}

static void put_instruction(Writer *w, const Update *u, int64_t q, int64_t rows, int64_t columns) {
    const Product *p = w->p;
    int high = p->kind->m / 8, n = 0;
    Expr **part = NEW_N(w->a, Expr *, matrix_parts(p->kind));
    for (int i = 0; i < high * PAIR; i++)
        part[n++] = sum_at(w, u, rows * high + i / PAIR, columns * PAIR + i % PAIR);
    for (int i = 0; i < high * p->kind->k / 4; i++)
        part[n++] = expr_load(w->a, w->part[0], part_at(w, false, u->a, q, rows * high + i % high, i / high));
    for (int i = 0; i < p->kind->k / 4; i++)
        part[n++] = expr_load(w->a, w->part[1], part_at(w, true, u->b, q, columns, i));
    Expr *product = expr_op(w->a, OP_MUL, part[high * PAIR], part[n - 1], NULL);
    Node *c = node_copy(w->a, u->sum, part[0]->args, OP_ADD, product);
    c->loc = p->k->loc, c->matrix = p->kind, c->part = part;
    vec_push(w->a, &w->out, c);
}

// Two buffers: what the next instructions need is read before these begin.
static const Array *fragments(Arena *a, const char *name, Type t, int64_t n) {
    Array *x = array_new(a, name, t, PLACE_LOCAL, 2);
    x->extent[0] = expr_int(a, T_I32, 2), x->extent[1] = expr_int(a, T_I32, n);
    return x;
}

static Node *instructions(Arena *a, const Product *p) {
    int64_t each = p->kind->k / 4, steps = p->terms / p->kind->k, high = p->kind->m / 8;
    Writer w = {.a = a, .p = p};
    w.part[0] = fragments(a, "sculpt_rows", p->kind->elem, p->na * p->rows.all * each);
    w.part[1] = fragments(a, "sculpt_columns", p->kind->elem, p->nb * p->columns.all / PAIR * each);
    put_loads(&w, 0);
    for (int64_t q = 0; q < steps; q++) {
        if (q + 1 < steps) put_loads(&w, q + 1);
        for (int i = p->n; i-- > 0;)
            for (int64_t r = 0; r < p->rows.all / high; r++)
                for (int64_t c = 0; c < p->columns.all / PAIR; c++)
                    put_instruction(&w, &p->update[i], q, r, c);
    }
    return seq_declare_all(a, node_seq(a, w.out.n, w.out.at), 2, w.part);
}

// ---- all of a kernel ----------------------------------------------------------------------------------
// May lanes of one warp get different values of it?
static bool is_mixed(const Around *w, const Expr *x) {
    int lanes = w->ndigits < 2 ? w->ndigits : 2;
    return w->ndigits && (expr_has_load(x) || uses_any(x, lanes, w->digit + w->ndigits - lanes));
}

static Node *bound(Node *n, void *arg) {
    Around *w = arg, old = *w;
    if (n->kind == N_FOR && n->matrix && (!w->wanted || w->wanted == n)) {
        Product p;
        const char *why = read_product(w, n, &p);
        w->found = w->found || w->wanted == n;
        w->why = why;
        if (!why) return instructions(w->a, &p);
    }
    if (n->kind == N_FOR && n->how == HOW_THREAD) {
        if (!w->ndigits) w->phase = n;
        if (w->ndigits < MOST_DIGITS) w->digit[w->ndigits++] = n;
    } else if (n->kind == N_FOR) {
        w->apart = w->apart || is_mixed(w, n->lo) || is_mixed(w, n->hi);
    } else if (n->kind == N_IF) {
        w->apart = w->apart || is_mixed(w, n->cond);
    }
    bool leaf = n->kind == N_STMT || n->kind == N_COPY || n->kind == N_BARRIER;
    Node *m = leaf ? n : node_map(w->a, n, bound, w);
    old.found = w->found, old.why = w->why;
    *w = old;
    return m;
}

Node *matrix_bound(Arena *a, bool reassociate, Node *kernel) {
    Around w = {.a = a, .reassociate = reassociate};
    node_each(n, kernel)
        if (n->kind == N_FOR && n->matrix) return bound(kernel, &w);
    return kernel;
}

const char *matrix_misfit(Arena *a, bool reassociate, Node *root, const Node *loop) {
    Around w = {.a = a, .reassociate = reassociate, .wanted = loop};
    bound(root, &w);
    return w.found ? w.why : "it stands in no kernel";
}
