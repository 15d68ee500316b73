// SPDX-License-Identifier: MIT
// splitk.c -- a sum's iterations are dealt to blocks; a second kernel adds up what they found.
//
//   kernel k0 {                          temp a_part[4][n]
//     block ib { thread ii {             kernel k0 {
//       acc = 0                            block kp in 0..4 { block ib { thread ii {
//       for kt in 0..t  acc += …    →        acc = 0
//       a[i] += acc } } }                    for kt in 0..(t - kp + 3)/4  acc += … (4*kt + kp)
//                                            a_part[kp][i] = acc } } } }
//                                        kernel k0_sum { … a[i] += a_part[0][i], then [1], [2], [3] }
//
// For sums whose results are too few to fill the machine. The parts take turns, so that their
// lengths differ by one at most whatever t is; the order in which they are added is always the
// same, and so are the bits.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/storage.h"

enum { MAX_RANK = 6, GRID = 3, SUM_THREADS = 128, SUM_UNROLL = 8, MAX_SLANTS = 4, FEW = 16 };

// A condition on the elements that are summed, as a triangle has: rest + by[0] * e0 + by[1] * e1 … >= 0.
typedef struct Slant {
    Linear rest;
    int by[MAX_RANK];
} Slant;

typedef struct Deal {
    Change *ch;
    Arena *a;
    Node *kernel, *loop;
    int64_t parts, width;     // width: elements side by side that a thread adds up
    const Array *array;       // what is summed
    Op op;
    VEC(Node *) out;          // copies that add a register's sum to it
    Expr *runs;               // when they are reached at all; NULL: always
    Expr *lo[MAX_RANK], *hi[MAX_RANK]; // the subscripts that the nest touches
    int nslants;
    Slant slant[MAX_SLANTS];
    Array *part;
    const Sym *p;             // the part's number
} Deal;

static Expr *i32(const Deal *d, int64_t v) { return expr_int(d->a, T_I32, v); }

// ---- what the kernel does --------------------------------------------------------------------------
static bool is_memory(const Array *x) { return x->place == PLACE_USER || x->place == PLACE_TEMP; }

static bool check_way(Deal *d, const Path *p) {
    bool inside = false;
    for (int i = 0; i + 1 < p->n; i++) {
        const Node *n = p->node[i];
        if (n->kind == N_KERNEL) d->kernel = p->node[i], inside = true;
        if (inside && n->kind == N_FOR && n->how != HOW_BLOCK && n->how != HOW_THREAD)
            return change_refuse(d->ch, "%s loop %s stands around %s", how_name(n->how), n->iter->name,
                                 d->loop->iter->name);
    }
    return inside || change_refuse(d->ch, "%s is in no kernel; map its blocks first", d->loop->iter->name);
}

// Adds one copy out of registers.
static bool add_out(Deal *d, Node *n) {
    const char *loop = d->loop->iter->name;
    Path p;
    if (n->op == OP_SET || n->src->kind != E_LOAD || is_memory(n->src->array))
        return change_refuse(d->ch,
                             "the kernel writes %s other than by adding sums of %s; hoist it at=%s init=zero",
                             n->dst->name, loop, loop);
    if (d->array && (d->array != n->dst || d->op != n->op))
        return change_refuse(d->ch, "the kernel adds up %s and %s", d->array->name, n->dst->name);
    d->array = n->dst;
    d->op = n->op;
    vec_push(d->a, &d->out, n);
    if (d->out.n > 1 || !path_to(d->kernel, n, &p)) return d->out.n > 1;
    for (int i = 0; i + 1 < p.n; i++) {
        const Node *at = p.node[i];
        Expr *t[TERMS_MAX];
        int terms = at->kind == N_IF && at->then == p.node[i + 1] ? cond_terms(at->cond, t, TERMS_MAX) : 0;
        for (int k = 0; k < terms; k++)
            if (!expr_uses_iters(t[k]) && cond_is_free(t[k])) d->runs = cond_and(d->a, d->runs, t[k]);
    }
    return true;
}

// All writes to memory below n add registers to one array, outside the loop.
static bool find_outs(Deal *d, Node *n) {
    if (!n) return true;
    if (n->kind == N_COPY && is_memory(n->dst) && !add_out(d, n)) return false;
    if (n->kind == N_STMT || n == d->loop) return true;
    for (int i = 0; i < n->nkids; i++)
        if (!find_outs(d, n->kids[i])) return false;
    return find_outs(d, n->body) && find_outs(d, n->then) && find_outs(d, n->other);
}

typedef struct Writes {
    Deal *d;
    Arena *a;
    const Array *bad;         // memory that is written by other things than the copies found
    bool late;                // registers of a sum that do not begin with the neutral element
} Writes;

static void check_write(Writes *w, const Node *n) {
    if (n->kind == N_STMT) {
        AccessVec v = node_accesses(w->a, n);
        if (is_memory(v.at[0].array)) w->bad = v.at[0].array;
    }
    if (n->kind != N_COPY) return;
    bool known = false;
    for (int k = 0; k < w->d->out.n; k++) {
        const Array *acc = w->d->out.at[k]->src->array;
        known = known || w->d->out.at[k] == n;
        if (n->dst == acc && n->op == OP_SET &&
            !expr_equal(n->src, neutral_element(w->a, w->d->op, acc->elem)))
            w->late = true;
    }
    if (is_memory(n->dst) && !known) w->bad = n->dst;
}

// The least (greatest) subscript that the kernel's copy has in a dimension, whatever its conditions say;
// NULL: can't be told.
static Expr *farthest(Deal *d, const Path *p, int k, bool greatest) {
    Arena *a = d->a;
    Expr *x = d->out.at[0]->sub[k];
    for (int i = p->n - 1; x && i >= 0; i--) {
        const Node *l = p->node[i];
        if (l->kind != N_FOR || !expr_uses_sym(x, l->iter)) continue;
        x = expr_extreme(a, x, l->iter, l->lo, expr_sub(a, l->hi, expr_int(a, l->hi->type, 1)), greatest);
    }
    return x ? expr_narrow(a, T_I32, x) : NULL;
}

// Does the condition say sub <= an end that no counter moves?
static bool ends(Expr *cond, Expr *sub, Linear *end) {
    Linear s;
    if (!linear_cond(cond, end) || !linear_of(sub, &s) || !s.n || !linear_add(end, &s, 1)) return false;
    for (int i = 0; i < end->n; i++)
        if (expr_uses_iters(end->atom[i])) return false;
    return true;
}

static bool bounds(const Path *p, Expr *sub) {
    Expr *t[TERMS_MAX];
    Linear end;
    for (int i = 0; i < p->n; i++) {
        int n = p->node[i]->kind == N_IF ? cond_terms(p->node[i]->cond, t, TERMS_MAX) : 0;
        for (int k = 0; k < n; k++)
            if (ends(t[k], sub, &end)) return true;
    }
    return false;
}

// A kernel of a part of the array's rows or columns (of loops that were split) adds up that part: it begins
// where the kernel does, and ends there too, unless a condition ends it with the array.
static void narrow(Deal *d, int k) {
    Path p;
    if (!path_to(d->kernel, d->out.at[0], &p)) return;
    Expr *least = farthest(d, &p, k, false), *most = farthest(d, &p, k, true);
    // where a loop begins: it is touched if anything is
    if (least && !expr_equal(least, d->lo[k])) d->lo[k] = least;
    if (most && !bounds(&p, d->out.at[0]->sub[k])) d->hi[k] = expr_op(d->a, OP_MIN, d->hi[k], most, NULL);
}

static bool uses_counters(const Linear *x) {
    for (int i = 0; i < x->n; i++)
        if (expr_uses_iters(x->atom[i])) return true;
    return false;
}

// Does the condition say no more than how two of the copy's subscripts lie to each other?
static bool is_slant(const Deal *d, Expr *cond, Slant *out) {
    static const int signs[2] = {1, -1};
    Linear l, s[MAX_RANK];
    int rank = d->array->rank;
    if (!linear_cond(cond, &l) || !uses_counters(&l)) return false;
    for (int k = 0; k < rank; k++)
        if (!linear_of(d->out.at[0]->sub[k], &s[k])) return false;
    for (int i = 0; i < rank; i++)
        for (int k = 0; k < i; k++)
            for (int of = 0; of < 4; of++) {
                int x = signs[of & 1], y = signs[of >> 1];
                *out = (Slant){.rest = l};
                if (!linear_add(&out->rest, &s[i], -x) || !linear_add(&out->rest, &s[k], -y)) continue;
                if (uses_counters(&out->rest)) continue;
                out->by[i] = x, out->by[k] = y;
                return true;
            }
    return false;
}

static void find_slants(Deal *d) {
    Path p;
    Expr *t[TERMS_MAX];
    if (!path_to(d->kernel, d->out.at[0], &p)) return;
    for (int i = 0; i + 1 < p.n; i++) {
        const Node *n = p.node[i];
        int terms = n->kind == N_IF && n->then == p.node[i + 1] ? cond_terms(n->cond, t, TERMS_MAX) : 0;
        for (int k = 0; k < terms && d->nslants < MAX_SLANTS; k++)
            d->nslants += is_slant(d, t[k], &d->slant[d->nslants]);
    }
}

// Is the element one that is summed? NULL: all are.
static Expr *is_summed(const Deal *d, Expr *const *e) {
    Expr *all = NULL;
    for (int i = 0; i < d->nslants; i++) {
        const Slant *s = &d->slant[i];
        Expr *x = linear_expr(d->a, T_I32, &s->rest);
        for (int k = 0; k < d->array->rank; k++)
            if (s->by[k]) x = s->by[k] > 0 ? expr_add(d->a, x, e[k]) : expr_sub(d->a, x, e[k]);
        all = cond_and(d->a, all, expr_op(d->a, OP_GE, x, i32(d, 0), NULL));
    }
    return all;
}

static Expr *extent_of(const Deal *d, int k) {
    return expr_add(d->a, expr_sub(d->a, d->hi[k], d->lo[k]), i32(d, 1));
}

// The dimension that neighbouring threads go along. Behind it are short ones, which each thread goes through.
static int lanes_of(const Deal *d) {
    int64_t behind = 1;
    const Expr *n;
    int k = d->array->rank - 1;
    for (; k > 0 && d->width == 1 && (n = extent_of(d, k))->kind == E_INT && behind * n->i <= FEW; k--)
        behind *= n->i;
    return k;
}

static bool look(Deal *d) {
    const char *loop = d->loop->iter->name;
    Writes w = {.d = d, .a = d->a};
    if (!find_outs(d, d->kernel->body)) return false;
    node_each(n, d->kernel->body) check_write(&w, n);
    if (w.bad)
        return change_refuse(d->ch, "%s is written in %s; hoist it first, at=%s init=zero, and edge compute",
                             w.bad->name, loop, loop);
    if (!d->out.n) return change_refuse(d->ch, "the kernel writes nothing");
    if (w.late)
        return change_refuse(d->ch, "the sums do not begin with the neutral element; hoist %s init=zero",
                             d->array->name);
    if (d->array->rank < 1 || d->array->rank > MAX_RANK)
        return change_refuse(d->ch, "%s is no array of one to six dimensions", d->array->name);
    if (!array_box(d->ch, d->array, d->lo, d->hi, &d->runs)) return false;
    if (lanes_of(d) >= GRID)
        return change_refuse(d->ch, "%s has more than three long dimensions", d->array->name);
    for (int k = 0; d->out.n == 1 && k < d->array->rank; k++) narrow(d, k);
    if (d->out.n == 1) find_slants(d);
    return true;
}

// ---- the parts ----------------------------------------------------------------------------------------
// Rows begin at multiples of four elements.
static void make_part(Deal *d, const char *wish) {
    Arena *a = d->a;
    Array *x = array_new(a, change_name(d->ch, wish), d->array->elem, PLACE_TEMP, d->array->rank + 1);
    x->extent[0] = i32(d, d->parts);
    for (int k = 0; k + 1 < x->rank; k++) {
        Expr *n =
            expr_op(a, OP_MAX, expr_add(a, expr_sub(a, d->hi[k], d->lo[k]), i32(d, 1)), i32(d, 0), NULL);
        bool last = k + 2 == x->rank;
        x->extent[k + 1] =
            last ? expr_mul(a, expr_op(a, OP_FDIV, expr_add(a, n, i32(d, 3)), i32(d, 4), NULL), i32(d, 4))
                 : n;
    }
    d->part = x;
}

// kt takes the iterations number p, p + parts, …
static Node *deal_loop(const Deal *d) {
    Arena *a = d->a;
    const Node *loop = d->loop;
    Type t = loop->lo->type;
    Expr *of = expr_int(a, t, d->parts), *p = expr_cast(a, t, expr_sym(a, d->p));
    Expr *left =
        expr_sub(a,
                 expr_add(a, expr_sub(a, expr_cast(a, t, loop->hi), loop->lo), expr_int(a, t, d->parts - 1)),
                 p);
    Node *n = node_clone(a, loop);
    n->lo = expr_int(a, t, 0);
    n->hi = expr_op(a, OP_FDIV, left, of, NULL);
    Expr *number = expr_add(a, expr_mul(a, expr_cast(a, t, expr_sym(a, loop->iter)), of), p);
    Expr *value = expr_cast(a, loop->iter->type, expr_add(a, loop->lo, number));
    n->body = node_subst(a, loop->body, 1, &loop->iter, &value);
    return n;
}

// Does the condition say that the last subscript is at most the array's last? An array of a rule's has
// max(n, 0) elements a row, and one that has none is not asked for any.
static bool ends_row(const Deal *d, Expr *cond, Expr *sub) {
    Linear end, n;
    Expr *row = expr_add(d->a, d->hi[d->array->rank - 1], i32(d, 1));
    if (row->kind == E_OP && row->op == OP_MAX && expr_is_int(row->args[1], 0)) row = row->args[0];
    return ends(cond, sub, &end) && linear_of(row, &n) && linear_add(&end, &n, -1) && !end.n && end.c == -1;
}

// Rows of the parts are filled up to whole vectors: what ends a row of the array lets their last words be
// written too, which nobody reads. So registers may go there in vectors, whatever the array's rows are.
static Node *fill_rows(const Deal *d, Node *kernel, const Node *out) {
    Arena *a = d->a;
    Path p;
    Expr *t[TERMS_MAX];
    if (!path_to(kernel, out, &p)) return kernel;
    for (int i = 0; i < p.n; i++) {
        const Node *n = p.node[i];
        int terms = n->kind == N_IF && !n->other ? cond_terms(n->cond, t, TERMS_MAX) : 0;
        Expr *all = NULL;
        bool found = false;
        for (int k = 0; k < terms; k++) {
            Expr *x = out->sub[d->array->rank - 1];
            bool end = ends_row(d, t[k], x);
            Expr *place = expr_sub(a, x, expr_cast(a, x->type, d->lo[d->array->rank - 1]));
            all = cond_and(a, all,
                           end ? expr_op(a, OP_LT, place,
                                         expr_cast(a, x->type, d->part->extent[d->part->rank - 1]), NULL)
                               : t[k]);
            found = found || end;
        }
        if (found) return node_replace(a, kernel, n, node_if(a, all, n->then, NULL));
    }
    return kernel;
}

static Node *deal_kernel(const Deal *d) {
    Arena *a = d->a;
    Node *k = node_replace(a, d->kernel, d->loop, deal_loop(d));
    for (int i = 0; i < d->out.n; i++) k = fill_rows(d, k, d->out.at[i]);
    for (int i = 0; i < d->out.n; i++) {
        const Node *out = d->out.at[i];
        Expr *sub[MAX_RANK + 1] = {expr_sym(a, d->p)};
        for (int e = 0; e < d->array->rank; e++)
            sub[e + 1] = expr_sub(a, out->sub[e], expr_cast(a, out->sub[e]->type, d->lo[e]));
        k = node_replace(a, k, out, node_copy(a, d->part, sub, OP_SET, out->src));
    }
    return node_around(a, k, node_for(a, d->p, i32(d, 0), i32(d, d->parts), 1, HOW_BLOCK, k->body));
}

// ---- the kernel that adds them up ------------------------------------------------------------------------
static const Sym *counter(Deal *d, const char *stem) {
    Sym *s = NEW(d->a, Sym);
    *s = (Sym){change_name(d->ch, arena_printf(d->a, "%s_%s", d->part->name, stem)), SYM_ITER, T_I32, NULL};
    return s;
}

// for v { if (e + v exists)  sum[v] = a[e + v], or a[e + v] = sum[v] }
static Node *sum_ends(Deal *d, Expr *const *at, Expr *end, const Array *sum, bool back) {
    Arena *a = d->a;
    int last = d->array->rank - 1;
    const Sym *v = counter(d, back ? "o" : "i");
    Expr *lane[2] = {expr_sym(a, v), NULL}, *e[MAX_RANK], *x = expr_add(a, at[last], expr_sym(a, v));
    for (int k = 0; k <= last; k++) e[k] = expr_add(a, d->lo[k], k == last ? x : at[k]);
    Node *n = back ? node_copy(a, d->array, e, OP_SET, expr_load(a, sum, lane))
                   : node_copy(a, sum, lane, OP_SET, expr_load(a, d->array, e));
    Expr *there = cond_and(a, expr_op(a, OP_LT, x, end, NULL), is_summed(d, e));
    return node_for(a, v, i32(d, 0), i32(d, d->width), 1, HOW_UNROLL, node_if(a, there, n, NULL));
}

// Is the first element of a vector summed, or the last?
static Expr *any_summed(const Deal *d, Expr *const *at) {
    Arena *a = d->a;
    Expr *any = NULL, *e[MAX_RANK];
    for (int64_t lane = 0; d->nslants && lane < d->width; lane += d->width > 1 ? d->width - 1 : 1) {
        for (int k = 0; k < d->array->rank; k++) {
            e[k] = expr_add(a, d->lo[k], at[k]);
            if (k + 1 == d->array->rank) e[k] = expr_add(a, e[k], i32(d, lane));
        }
        Expr *one = is_summed(d, e);
        any = any ? expr_op(a, OP_LOR, any, one, NULL) : one;
    }
    return any;
}

//   sum = a[e];  for q { sum += part[q][e] }  a[e] = sum        a vector of elements, where they exist
static Node *sum_of(Deal *d, Expr *const *at, Expr *end) {
    Arena *a = d->a;
    int rank = d->array->rank, width = (int)d->width;
    const Sym *q = counter(d, "q"), *v = counter(d, "v");
    Expr *from[MAX_RANK + 1] = {expr_sym(a, q)}, *lane[2] = {expr_sym(a, v), NULL};
    for (int k = 0; k < rank; k++) from[k + 1] = k + 1 < rank ? at[k] : expr_add(a, at[k], lane[0]);
    const char *name = change_name(d->ch, arena_printf(a, "%s_s", d->part->name));
    Array *s = array_new(a, name, d->array->elem, PLACE_LOCAL, 1);
    s->extent[0] = i32(d, width);
    Node *one = node_for(a, v, i32(d, 0), i32(d, width), 1, width > 1 ? HOW_VECTOR : HOW_UNROLL,
                         node_copy(a, s, lane, d->op, expr_load(a, d->part, from)));
    Node *all = node_for(a, q, i32(d, 0), i32(d, d->parts), 1, HOW_SERIAL, one);
    all->unroll = (int)(d->parts < SUM_UNROLL ? d->parts : SUM_UNROLL);
    Node *kids[3] = {sum_ends(d, at, end, s, false), all, sum_ends(d, at, end, s, true)};
    return seq_declare(a, node_seq(a, 3, kids), s);
}

static Node *sum_kernel(Deal *d) {
    Arena *a = d->a;
    int rank = d->array->rank, width = (int)d->width, lanes = lanes_of(d);
    const Sym *b[MAX_RANK], *x = counter(d, "x");
    Expr *at[MAX_RANK], *n[MAX_RANK];
    for (int k = 0; k < rank; k++) {
        n[k] = extent_of(d, k);
        at[k] = expr_sym(a, b[k] = counter(d, arena_printf(a, "b%d", k)));
    }
    at[lanes] = expr_mul(a, expr_add(a, expr_mul(a, at[lanes], i32(d, SUM_THREADS)), expr_sym(a, x)),
                         i32(d, width));
    Node *body = sum_of(d, at, n[rank - 1]);
    Expr *any = any_summed(d, at);
    if (any) body = node_if(a, any, body, NULL);
    for (int k = rank - 1; k > lanes; k--) body = node_for(a, b[k], i32(d, 0), n[k], 1, HOW_UNROLL, body);
    body = node_if(a, expr_op(a, OP_LT, at[lanes], n[lanes], NULL), body, NULL);
    body = node_for(a, x, i32(d, 0), i32(d, SUM_THREADS), 1, HOW_THREAD, body);
    n[lanes] = expr_op(a, OP_FDIV, expr_add(a, n[lanes], i32(d, width * SUM_THREADS - 1)),
                       i32(d, width * SUM_THREADS), NULL);
    for (int k = lanes; k >= 0; k--) body = node_for(a, b[k], i32(d, 0), n[k], 1, HOW_BLOCK, body);
    return node_kernel(a, change_name(d->ch, arena_printf(a, "%s_sum", d->kernel->name)), body);
}

// ---- the rule
// -----------------------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Deal d = {.ch = ch,
              .a = a,
              .loop = change_loop(ch, ch->step->words[0]),
              .parts = change_int(ch, "by"),
              .width = change_int(ch, "width")};
    Path way;
    if (!d.loop || !path_to(ch->nest->root, d.loop, &way)) return NULL;
    const char *name = d.loop->iter->name, *as[2] = {arena_printf(a, "%sp", name), NULL};
    if (d.loop->how != HOW_SERIAL || d.loop->step != 1 || !cond_is_free(d.loop->lo) ||
        !cond_is_free(d.loop->hi))
        return change_refuse(ch, "%s is no serial loop with step 1 whose bounds read no memory", name);
    if (!check_way(&d, &way) || !loop_room(ch, ch->nest->root, d.loop, HOW_BLOCK) || !look(&d)) return NULL;
    if (ch->nest->root->kind != N_SEQ) return change_refuse(ch, "there is no place for a temporary");
    int given = change_names(ch, "as", as, 2);
    d.p = counter_named(ch, as[0], T_I32, NULL, given > 0);
    if (!d.p) return NULL;
    if (d.width & (d.width - 1) || d.width * type_size(d.array->elem) > 16)
        return change_refuse(ch, "width= is 1, 2 or 4, and at most 16 bytes");
    make_part(&d, given > 1 ? as[1] : arena_printf(a, "%s_part", d.array->name));
    Node *parts = deal_kernel(&d), *sum = sum_kernel(&d), *both[2] = {parts, sum};
    Node *block = node_seq(a, 2, both);
    if (d.runs) block = node_if(a, d.runs, block, NULL);
    Node *root = node_replace(a, ch->nest->root, d.kernel, block);
    root = simplify_at(ch->c, ch->nest, root, parts);
    return change_done(ch, seq_declare(a, root, d.part));
}

static const Knob knobs[] = {
    {"by", "parts", KNOB_INT, 2, 1024, NULL, NULL},
    {"as", "names of the parts' loop and of their array", KNOB_NAMES, 0, 0, NULL, ""},
    {"width", "elements side by side that one thread adds up, as vectors of the parts' rows: 1, 2 or 4",
     KNOB_INT, 1, 4, NULL, "1"},
};

static const RuleExample examples[] = {
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\nstrip k by=8 as=kt,kk\ninterchange j ib kt ii kk\nmap block j ib\nmap thread "
     "ii\n"
     "hoist a at=kt init=zero as=acc",
     "splitk kt by=4", NULL},
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii\nhoist a at=k init=zero "
     "as=acc",
     "splitk k by=3 as=part,sums", NULL},
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii\nhoist a at=k init=zero "
     "as=acc",
     "splitk k by=3 width=4", NULL},
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii\nhoist a at=k init=zero "
     "as=acc",
     "splitk k by=3 width=3", "width= is 1, 2 or 4"},
    {EXAMPLE_PRODUCT, "strip i by=32 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii",
     "splitk k by=3", "hoist it first"},
    {EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\ninterchange j ib ii k\nmap block j ib\nmap thread ii\nhoist a at=k init=load "
     "as=acc",
     "splitk k by=3", "hoist it at=k init=zero"},
    {EXAMPLE_PRODUCT, "", "splitk k by=3", "is in no kernel"},
    {0},
};

const Rule splitk_rule = {
    .name = "splitk",
    .usage = "splitk LOOP by=N [as=PART,ARRAY] [width=1|2|4]",
    .summary = "Deals the iterations of a sum to N blocks, and adds up their results in a second kernel.",
    .picture = "kernel                        kernel   block p\n"
               "    acc = 0                       acc = 0\n"
               "    for k  acc += …     →         for k  acc += … (N*k + p)\n"
               "    a[i] += acc                   part[p][i] = acc\n"
               "                              kernel\n"
               "                                  for p  a[i] += part[p][i]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_splitk,
    .examples = examples,
};
