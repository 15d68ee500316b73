// SPDX-License-Identifier: MIT
// factors.c -- numbers that run to a product of sizes, as a loop for each factor.
//
//   for bx = 0 .. (n * c + 255) / 256 block { for tx = 0 .. 256 thread {
//       if (256 * bx + tx < n * c) y[256 * bx + tx] = x[256 * bx + tx] + b[(256 * bx + tx) % c]
//   →   for i = 0 .. n block { for j = 0 .. c block { y[i][j] = x[i][j] + b[j] } }
//
// A thread's number that is used as a whole is one counter, as far as the bound that the grid reaches; so is
// a block's that runs to a product (blockIdx.z / c). What it is divided by, and the rows of the arrays that
// it is a subscript of, tell its factors. That none of these is negative is taken for granted, and said. For
// the flow alone: runs take the threads as they are.
#include "equal/pair.h"
#include "front/normal.h"

enum { MAX_CUTS = 8 };

typedef struct Factors {
    Pair *p;
    Arena *a;
    Sums k;
    const Sym *from; // the number
    const Sym *part[2]; // counters that the number is made of; NULL: it is one itself
    const Sym *gone; // the counter in whose place `instead` is put; NULL: none
    const Sum *instead;
    int n; // cuts: 1 = cut[0] | cut[1] | … | cut[n] = what it runs to
    Sum *cut[MAX_CUTS + 2];
    const Sym *digit[MAX_CUTS + 1];
    bool whole; // of threads and blocks at once: one loop is worth it, too
    bool failed;
} Factors;

// As a sum, also through conversions to fewer bits: indices fit.
static Expr *wide(Expr *x, void *arg) {
    Factors *f = arg;
    if (!x || (x->kind == E_CAST && !type_is_int(x->args[0]->type))) return x;
    bool fits = x->kind == E_CAST && x->type == T_I32 && type_size(x->args[0]->type) == 8;
    if (fits) return wide(x->args[0], arg);
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_NEG);
    return sum || x->kind == E_CAST ? expr_map(f->a, x, wide, arg) : x;
}

static Sum *plain(Factors *f, const Expr *x) { return sum_of(&f->k, wide((Expr *)x, f)); }

static Sum *difference(Factors *f, const Sum *x, const Sum *y) { return sum_add(&f->k, x, y, -1); }

static bool same(Factors *f, const Sum *x, const Sum *y) {
    const Sum *d = x && y ? difference(f, x, y) : NULL;
    return d && !d->n;
}

// x / y, where nothing is left.
static Sum *exact(Factors *f, const Sum *x, const Sum *y) {
    Sum *rest = NULL, *q = x && y && y->n ? sum_div(&f->k, x, y, &rest) : NULL;
    return q && !rest->n ? q : NULL;
}

// ---- what it is divided by -----------------------------------------------------------------------
static void add_cut(Factors *f, Sum *s) {
    int at = 0;
    if (!s->n || s->t[0].c < 0) return; // a row that is counted from its end
    while (at < f->n && !exact(f, f->cut[at], s)) at++;
    if (!at || at == f->n || f->n > MAX_CUTS || same(f, f->cut[at], s) || !exact(f, s, f->cut[at - 1]))
        return;
    for (int i = f->n++; i > at; i--) f->cut[i] = f->cut[i - 1];
    f->cut[at] = s;
}

// What x's first operand is divided by, as / and % or as >> and &; NULL: it is not.
static Expr *divisor(Arena *a, const Expr *x, bool *rest) {
    if (x->kind != E_OP || x->nargs != 2 || !type_is_int(x->type)) return NULL;
    const Expr *y = x->args[1];
    *rest = x->op == OP_MOD || x->op == OP_FMOD || x->op == OP_AND;
    if (x->op == OP_SHR && y->kind == E_INT && y->i >= 0 && y->i < 31) return expr_int(a, T_I64, 1 << y->i);
    if (x->op == OP_AND && y->kind == E_INT && y->i > 0 && !(y->i & (y->i + 1)))
        return expr_int(a, T_I64, y->i + 1);
    return x->op == OP_DIV || x->op == OP_FDIV || x->op == OP_MOD || x->op == OP_FMOD ? (Expr *)y : NULL;
}

static bool is_conversion(const Expr *x) {
    return x->kind == E_CAST && type_is_int(x->type) && type_size(x->type) >= 4;
}

// Of which unit of the number x is a quotient or remainder; NULL: it is none.
static Sum *unit_of(Factors *f, const Expr *x) {
    while (is_conversion(x)) x = x->args[0];
    bool rest;
    Expr *by = divisor(f->a, x, &rest);
    if (by) {
        Sum *unit = unit_of(f, x->args[0]), *cut = unit ? sum_mul(&f->k, unit, plain(f, by)) : NULL;
        if (cut) add_cut(f, cut);
        return rest ? unit : cut;
    }
    return same(f, plain(f, x), sum_atom(&f->k, expr_sym(f->a, f->from))) ? f->cut[0] : NULL;
}

static Sum *flat_of(Factors *f, const Array *v, Expr *const *sub) {
    Sum *s = sum_int(&f->k, 0);
    for (int d = 0; d < v->rank; d++) {
        Sum *row = d ? plain(f, v->extent[d]) : sum_int(&f->k, 1);
        s = sum_add(&f->k, sum_mul(&f->k, s, row), plain(f, sub[d]), 1);
    }
    return s;
}

// Rows that lie behind each other: not those of a layout, where nothing goes on in the next row.
static bool is_rows(const Factors *f, const Array *v) {
    for (int i = 0; i < f->p->laid.n; i++)
        if (f->p->laid.at[i] == v) return false;
    return (v->place == PLACE_USER || v->place == PLACE_TEMP) && v->rank > 1;
}

// The rows of an array that it is a subscript of.
static void cuts_of_access(Factors *f, const Array *v, Expr *const *sub) {
    Sum *flat = is_rows(f, v) ? flat_of(f, v, sub) : NULL, *rest;
    Sum *each = flat ? sum_div(&f->k, flat, sum_atom(&f->k, expr_sym(f->a, f->from)), &rest) : NULL;
    Sum *row = sum_int(&f->k, 1);
    for (int d = v->rank - 1; d > 0 && each && each->n; d--) {
        row = sum_mul(&f->k, row, plain(f, v->extent[d]));
        Sum *cut = row ? exact(f, row, each) : NULL;
        if (row && !cut) cut = exact(f, plain(f, equal_in_parts(f->p, sum_expr(&f->k, row, T_I64))), each);
        if (cut) add_cut(f, cut);
    }
}

static void find_cuts(Factors *f, const Node *root) {
    node_each(n, root) {
        copy_each_expr(x, n) {
            unit_of(f, x);
            if (x->kind == E_LOAD) cuts_of_access(f, x->array, x->args);
        }
        if (n->kind == N_COPY && n->dst) cuts_of_access(f, n->dst, n->sub);
    }
}

// ---- the factors in its place ----------------------------------------------------------------------
// Σ of the digits from cut i on, below cut j, in units of cut i.
static Sum *digits_of(Factors *f, int i, int j) {
    Sum *s = sum_int(&f->k, 0);
    for (int k = i; k < j; k++) {
        Sum *d = sum_atom(&f->k, expr_sym(f->a, f->digit[k]));
        s = sum_add(&f->k, s, sum_mul(&f->k, d, exact(f, f->cut[k], f->cut[i])), 1);
    }
    return s;
}

// x / d and x % d, where x's lower digits are those below d.
static Sum *quotient(Factors *f, const Sum *x, const Sum *d, Sum **rest) {
    for (int i = 0; i < f->n; i++)
        for (int j = i; j < f->n; j++) {
            if (!same(f, exact(f, f->cut[j], f->cut[i]), d) && j > i) continue;
            *rest = digits_of(f, i, j);
            Sum *q = *rest ? exact(f, difference(f, x, *rest), d) : NULL;
            if (q) return q;
        }
    return NULL;
}

static bool uses(const Factors *f, const Expr *x) {
    for (int k = 0; k + 1 < f->n; k++)
        if (f->digit[k] && expr_uses_sym(x, f->digit[k])) return true;
    return expr_uses_sym(x, f->from);
}

// Sums are put together again, as far as the number is in them; x's operands are done.
static Expr *settled(Factors *f, Expr *x) {
    if (!type_is_int(x->type) || x->kind == E_LOAD || !uses(f, x)) return x;
    bool less = x->kind == E_OP && (x->op == OP_SUB || x->op == OP_NEG), rest;
    f->failed |= less && !type_is_signed(x->type); // that may wrap, which is looked at elsewhere
    Expr *by = divisor(f->a, x, &rest);
    Sum *n = by ? plain(f, x->args[0]) : NULL, *d = n ? plain(f, by) : NULL, *left;
    Sum *q = d && d->n && f->digit[0] ? quotient(f, n, d, &left) : NULL;
    if (q) return sum_expr(&f->k, rest ? left : q, x->type);
    bool parts = false; // else it stays as it was written
    for (int i = 0; i < 2; i++) parts |= f->part[i] && expr_uses_sym(x, f->part[i]);
    if (!parts && !less) return x;
    bool sum = less || is_conversion(x) || (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_MUL));
    Sum *s = sum ? plain(f, x) : NULL;
    return s ? sum_expr(&f->k, s, x->type) : x;
}

static Expr *put(Expr *x, void *arg) {
    Factors *f = arg;
    if (!x) return NULL;
    if (x->kind == E_SYM && x->sym == f->gone) return sum_expr(&f->k, f->instead, x->type);
    Expr *y = settled(f, expr_map(f->a, x, put, arg));
    Sum *flat = y->kind == E_LOAD && is_rows(f, y->array) ? flat_of(f, y->array, y->args) : NULL;
    Expr **sub = flat ? equal_split(f->p, y->array, sum_expr(&f->k, flat, T_I64)) : NULL;
    if (!sub) return y;
    Expr *z = expr_load(f->a, y->array, sub);
    z->loc = y->loc;
    return z;
}

static Node *put_all(Node *n, void *arg) {
    Factors *f = arg;
    Node *m = node_map_exprs(f->a, node_map(f->a, n, put_all, arg), put, arg);
    Sum *flat = m->kind == N_COPY && m->dst && is_rows(f, m->dst) ? flat_of(f, m->dst, m->sub) : NULL;
    Expr **sub = flat ? equal_split(f->p, m->dst, sum_expr(&f->k, flat, T_I64)) : NULL;
    if (sub) m->sub = sub;
    return m;
}

// The same with the counter replaced; NULL: it can't be told.
static Node *with(Factors *f, Node *body, const Sym *gone, const Sum *instead) {
    f->gone = gone;
    f->instead = instead;
    body = put_all(body, f);
    return f->failed ? NULL : body;
}

static bool begin(Factors *f, const Sym *from, Sum *top) {
    f->from = from;
    f->cut[0] = sum_int(&f->k, 1);
    f->cut[1] = top;
    f->n = 2;
    return top && top->n;
}

// The body in loops over the factors; NULL: nothing tells these.
static Node *in_loops(Factors *f, const Node *loop, Node *body) {
    find_cuts(f, body);
    if (f->n < 3 && !f->whole) return NULL;
    for (int k = 0; k + 1 < f->n; k++) {
        Sym *s = NEW(f->a, Sym);
        *s = (Sym){.name = arena_printf(f->a, "%s_%d", f->from->name, k), .kind = SYM_ITER,
                   .type = f->from->type};
        f->digit[k] = s;
    }
    body = with(f, body, f->from, digits_of(f, 0, f->n - 1));
    for (int k = 0; k + 1 < f->n && body; k++) {
        Node *m = node_clone(f->a, loop);
        m->iter = f->digit[k];
        m->lo = expr_int(f->a, f->from->type, 0);
        m->hi = sum_expr(&f->k, exact(f, f->cut[k + 1], f->cut[k]), f->from->type);
        m->body = body;
        body = m;
        if (f->n > 2) equal_not_negative(f->p, m->hi);
    }
    return body;
}

static bool is_from_zero(const Node *n) { return n->lo->kind == E_INT && n->lo->i == 0 && n->step == 1; }

// ---- the whole number of a thread --------------------------------------------------------------------
// Is it x < (a product), of whole numbers? Or x / m < n, which is x < n * m.
static bool is_below(Factors *f, const Expr *x, const Sum *number, Expr **top) {
    if (x->kind != E_OP || x->op != OP_LT || !type_is_int(x->args[0]->type)) return false;
    *top = x->args[1];
    const Expr *y = x->args[0];
    while (is_conversion(y)) y = y->args[0];
    bool rest = true;
    Expr *by = divisor(f->a, y, &rest);
    if (by && !rest) equal_not_negative(f->p, by);
    if (by && !rest) *top = expr_mul(f->a, expr_cast(f->a, T_I64, *top), expr_cast(f->a, T_I64, by));
    return same(f, plain(f, by && !rest ? y->args[0] : y), number);
}

// cond without the conjunct that is a bound of the number, which goes to *top; NULL in *left: nothing else.
static bool without_bound(Factors *f, Expr *cond, const Sum *number, Expr **top, Expr **left) {
    *left = NULL;
    if (is_below(f, cond, number, top)) return true;
    if (cond->kind != E_OP || cond->op != OP_LAND) return false;
    for (int i = 0; i < 2; i++)
        if (without_bound(f, cond->args[i], number, top, left)) {
            Expr *other = cond->args[1 - i];
            *left = !*left ? other : expr_op(f->a, OP_LAND, i ? other : *left, i ? *left : other, NULL);
            return true;
        }
    return false;
}

static const Node *only(const Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n;
}

// Is threads * blocks >= top? As (top + 255) / 256 and (top - 1) / 256 + 1 blocks are.
static bool reaches(Factors *f, const Expr *blocks, int64_t threads, const Sum *top) {
    Sum *more = sum_int(&f->k, 0);
    int64_t by, spare;
    if (blocks->kind == E_OP && blocks->op == OP_ADD) {
        more = plain(f, blocks->args[1]);
        blocks = blocks->args[0];
    }
    bool divides = blocks->kind == E_OP && (blocks->op == OP_DIV || blocks->op == OP_FDIV);
    Sum *d = divides ? plain(f, blocks->args[1]) : NULL;
    if (!d || !sum_is_const(d, &by) || by <= 0 || threads < by) return false;
    Sum *n = sum_add(&f->k, plain(f, blocks->args[0]), sum_mul(&f->k, more, d), 1);
    Sum *left = n ? difference(f, n, top) : NULL;
    return left && sum_is_const(left, &spare) && spare >= by - 1;
}

// for t = 0 .. (number < top ? (top - number - 1) / stride + 1 : 0), where number + stride * t is meant.
static bool is_stride_loop(Factors *f, const Node *n, const Sum *number, const Sum *stride, Expr **top) {
    const Expr *x = n->hi;
    Expr *left;
    if (n->how != HOW_SERIAL || !is_from_zero(n) || x->kind != E_OP || x->op != OP_SELECT) return false;
    if (!without_bound(f, x->args[0], number, top, &left) || left) return false;
    if (x->args[2]->kind != E_INT || x->args[2]->i) return false;
    Sum *one = sum_int(&f->k, 1), *trips = plain(f, x->args[1]);
    trips = trips ? difference(f, trips, one) : NULL;
    if (!trips || trips->n != 1 || trips->t[0].n != 1 || trips->t[0].c != 1) return false;
    const Expr *q = f->k.atoms.at[trips->t[0].f[0]];
    if (q->kind != E_OP || (q->op != OP_DIV && q->op != OP_FDIV)) return false;
    Sum *span = difference(f, plain(f, *top), number);
    return span && same(f, plain(f, q->args[0]), difference(f, span, one)) &&
           same(f, plain(f, q->args[1]), stride);
}

static bool is_loop(const Node *n, How how) { return n && n->kind == N_FOR && n->how == how; }

static Node *around(Arena *a, const Node *loop, Node *body) {
    Node *m = node_clone(a, loop);
    m->body = body;
    return m;
}

// The loops over blocks and threads, where they are all there is, the outermost first, and what is inside.
typedef struct Launch {
    VEC(const Node *) loops;
    Node *body;
} Launch;

static Launch launch_at(Arena *a, Node *n) {
    Launch l = {0};
    const Node *at = n;
    for (; is_loop(at, HOW_BLOCK) || (l.loops.n && is_loop(at, HOW_THREAD)); at = only(at->body)) {
        vec_push(a, &l.loops, at);
        l.body = at->body;
    }
    return l;
}

// blocks → threads { body }, of which the body knows B * block + thread alone: below a bound that the grid
// reaches, or as threads go on with the grid's stride, or all that there are.
static Node *whole_number(Pair *p, const Launch *l, const Node *block, const Node *thread) {
    Factors f = {.p = p, .a = p->a, .k = {.a = p->a}, .whole = true};
    const Node *test = only(l->body);
    int64_t threads;
    if (!is_from_zero(block) || !is_from_zero(thread) || !test) return NULL;
    Sum *all = plain(&f, thread->hi), *bx = sum_atom(&f.k, expr_sym(p->a, block->iter));
    if (!all || !sum_is_const(all, &threads)) return NULL;
    const Sym *own = threads > 1 ? thread->iter : block->iter;
    Sum *first = threads > 1 ? sum_mul(&f.k, bx, all) : sum_int(&f.k, 0);
    Sum *stride = sum_mul(&f.k, plain(&f, block->hi), all);
    Sum *number = sum_add(&f.k, first, sum_atom(&f.k, expr_sym(p->a, own)), 1);
    Expr *left = NULL, *top = NULL;
    bool strides = test->kind == N_FOR && is_stride_loop(&f, test, number, stride, &top);
    bool once = test->kind == N_IF && !test->other && without_bound(&f, test->cond, number, &top, &left);
    if (!stride || threads < 2 - strides) return NULL;
    once = once && reaches(&f, block->hi, threads, plain(&f, top));
    Sym *g = NEW(p->a, Sym);
    *g = (Sym){.name = "whole", .kind = SYM_ITER, .type = strides ? test->iter->type : thread->iter->type};
    if (!begin(&f, g, strides || once ? plain(&f, top) : stride)) return NULL;
    Node *body = strides ? test->body : once ? test->then : l->body;
    if (once && left) {
        body = node_clone(p->a, test);
        body->cond = left;
    }
    if (strides)
        first = sum_add(&f.k, first, sum_mul(&f.k, stride, sum_atom(&f.k, expr_sym(p->a, test->iter))), 1);
    f.part[0] = threads > 1 ? block->iter : thread->iter;
    f.part[1] = strides ? test->iter : NULL;
    body = with(&f, body, own, difference(&f, sum_atom(&f.k, expr_sym(p->a, g)), first));
    if (!body || node_uses_sym(body, block->iter)) return NULL;
    if (strides && node_uses_sym(body, test->iter)) return NULL;
    const Node *alone = node_clone(p->a, thread); // one thread of a block for each
    ((Node *)alone)->hi = expr_int(p->a, thread->iter->type, 1);
    for (int i = l->loops.n - 1; i >= 0 && l->loops.at[i]->how == HOW_THREAD; i--)
        body = around(p->a, l->loops.at[i] == thread ? alone : l->loops.at[i], body);
    body = in_loops(&f, block, body);
    for (int i = l->loops.n - 1; i >= 0 && body; i--) {
        const Node *o = l->loops.at[i];
        if (o->how == HOW_BLOCK && o != block) body = around(p->a, o, body);
    }
    return body;
}

// ---- what threads deal among themselves ----------------------------------------------------------------
//   for ty = 0 .. 16 thread { for tx = 0 .. 16 thread {
//       for e = 16 * ty + tx .. 324 step 256 { s[e / 18][e % 18] = …
//   →  for r = 0 .. 18 thread { for q = 0 .. 18 thread { s[r][q] = …
//
// Elements that one thread took one after the other are taken as those of threads of their own: whatever
// meets there has no barrier between, and is not proved. The number of such a thread is still that of who
// took the first ones, and nobody's beyond.
typedef struct Dealing {
    Pair *p;
    VEC(const Node *) threads; // all loops over the block's threads, the outermost first
} Dealing;

static bool needs_order(const Node *n) {
    copy_each_expr(x, n)
        if (x->kind == E_LOAD && x->array->place == PLACE_REGISTER) return true;
    bool own = n->kind == N_COPY && (n->async || !n->dst || n->dst->place == PLACE_REGISTER);
    return own || n->kind == N_BARRIER || (n->kind == N_FOR && is_parallel(n));
}

// n, that all threads run; NULL: it is no such loop, or nothing divides its number.
static Node *dealt(Dealing *d, const Node *n) {
    Factors f = {.p = d->p, .a = d->p->a, .k = {.a = d->p->a}};
    if (!n || n->kind != N_FOR || is_parallel(n) || n->step < 1 || n->hi->kind != E_INT) return NULL;
    Sum *number = sum_int(&f.k, 0);
    int64_t all = 1;
    for (int i = d->threads.n - 1; i >= 0; i--) {
        const Node *t = d->threads.at[i];
        if (!is_from_zero(t) || t->hi->kind != E_INT || node_uses_sym(n->body, t->iter)) return NULL;
        Sum *own = sum_mul(&f.k, sum_atom(&f.k, expr_sym(f.a, t->iter)), sum_int(&f.k, all));
        number = sum_add(&f.k, number, own, 1);
        all *= t->hi->i;
    }
    int64_t each = n->step / all; // neighbours that a thread takes at once
    if (node_any(n->body, needs_order) || each < 1 || n->step % all || n->hi->i % each) return NULL;
    if (!same(&f, plain(&f, n->lo), sum_mul(&f.k, number, sum_int(&f.k, each)))) return NULL;
    Sym *g = NEW(f.a, Sym);
    *g = (Sym){.name = n->iter->name, .kind = SYM_ITER, .type = n->iter->type};
    if (!begin(&f, g, sum_int(&f.k, n->hi->i / each))) return NULL;
    Sum *first = sum_mul(&f.k, sum_atom(&f.k, expr_sym(f.a, g)), sum_int(&f.k, each));
    Node *body = with(&f, n->body, n->iter, first);
    return body ? in_loops(&f, d->threads.at[0], body) : NULL;
}

static Node *among_threads(const Dealing *d, Node *body) {
    for (int i = d->threads.n - 1; i >= 0; i--) body = around(d->p->a, d->threads.at[i], body);
    return body;
}

// What the threads of n do, a part of it for itself where it is dealt.
static Node *dealings(Pair *p, Node *n) {
    Dealing d = {.p = p};
    const Node *at = n;
    for (; is_loop(at, HOW_THREAD); at = only(at->body)) vec_push(p->a, &d.threads, at);
    bool parts = at && at->kind == N_SEQ && !at->nlocals, any = false;
    int count = parts ? at->nkids : 1;
    Node **kids = NEW_N(p->a, Node *, count + 1);
    for (int i = 0; i < count && at; i++) {
        Node *kid = parts ? at->kids[i] : (Node *)at, *m = dealt(&d, only(kid));
        any |= m != NULL;
        kids[i] = m ? m : among_threads(&d, kid);
    }
    return any ? node_seq(p->a, count, kids) : n;
}

static Node *factors(Node *n, void *arg) {
    Pair *p = arg;
    if (is_loop(n, HOW_THREAD)) return dealings(p, n);
    Launch l = launch_at(p->a, n);
    for (int i = 0; i < l.loops.n; i++)
        for (int j = i + 1; j < l.loops.n; j++) {
            if (l.loops.at[i]->how != HOW_BLOCK || l.loops.at[j]->how != HOW_THREAD) continue;
            Node *m = whole_number(p, &l, l.loops.at[i], l.loops.at[j]);
            if (m) return factors(m, arg);
        }
    Node *m = node_map(p->a, n, factors, arg);
    if (n->kind != N_FOR || !is_parallel(n) || !is_from_zero(n)) return m;
    Factors f = {.p = p, .a = p->a, .k = {.a = p->a}};
    bool product = begin(&f, n->iter, plain(&f, n->hi)) && sum_degree(f.cut[1]) > 1;
    Node *out = product ? in_loops(&f, m, m->body) : NULL;
    return out ? out : m;
}

Node *equal_factors(Pair *p, Node *root) { return factors(root, p); }
