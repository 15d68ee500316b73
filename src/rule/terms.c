// SPDX-License-Identifier: MIT
// terms.c -- the terms of an ordered sum by many threads, the sum itself by one.
//
//   block ib { thread it {          block ib { register s_r[4][32]; shared e_s[4][32]
//     local s; s = 0                  thread jt { thread it { s_r[jt][it] = 0 } }
//     for j in 0..n {          →      for c in 0..n/4 {
//       local e                         thread jt { thread it { local e; e = …  (j = 4 * c + jt)
//       e = … many operations …                                  e_s[jt][it] = e } }
//       s += w * e }                    thread jt { thread it { if (jt == 0)
//     out[i] = s } }                      for q in 0..4  s_r[jt][it] += w * e_s[q][it] } } }
//                                     thread jt { thread it { if (jt == 0) out[i] = s_r[jt][it] } } }
//
// For few sums of long terms: four times as many threads, and each sum keeps its order. Right
// when an iteration writes nothing but its own locals and the sums. Where sums may be reordered
// each thread has a part of its own, and the parts meet at the end.
#include "rule/abreast.h"
#include "rule/reads.h"
#include "rule/terms.h"
#include "rule/examples.h"
#include "rule/find.h"

enum {
    MAX_SUMS = 8,
    MAX_UNROLLED = 4,
    MAX_CONDITIONS = 8,
    MAX_OPERANDS = 8,
    MAX_LOCALS = 24,
    REGISTERS = 24
};

// An update of a sum, and what stands around it in the loop.
typedef struct Sum {
    Node *stmt;
    const Array *array;
    int nloops, nconds;
    const Node *loop[MAX_UNROLLED];
    Expr *cond[MAX_CONDITIONS];
    int64_t words;
    AccessVec acc;
    const Array *buffer[MAX_OPERANDS]; // [acc.n]; NULL: read where it is
} Sum;

typedef struct Terms {
    Names *names;
    Arena *a;
    Node *seq, *loop;        // the thread's block, the loop in it
    Expr *guard;             // around the block; NULL: none
    const Sym *lane;         // the old thread counter
    int at;                  // which kid the loop is
    Type type;               // of counters
    int nsums;
    Sum sum[MAX_SUMS];
    int nregs;               // the block's locals, and as registers
    const Array *reg[MAX_LOCALS];
    VEC(const Array *) buffers;
    Sum way;                 // to the node being looked at
    bool lost, no;
    bool parts;              // the sums may be reordered
} Terms;

// ---- is it like that? ------------------------------------------------------------------------------

static bool is_of_block(const Terms *t, const Array *x) {
    return has_pointer(t->seq->nlocals, t->seq->locals, x);
}

static void look_stmt(Terms *t, Node *n) {
    Sum s = t->way;
    s.stmt = n;
    s.acc = node_accesses(t->a, n);
    s.array = s.acc.at[0].array;
    if (s.array->place == PLACE_LOCAL && !is_of_block(t, s.array)) return;
    bool sum = s.array->place == PLACE_LOCAL && s.array->rank == 0 && n->stmt->op != OP_SET && !n->atomic;
    if (!sum || t->lost || t->nsums == MAX_SUMS || s.acc.n > MAX_OPERANDS) {
        t->no = true;
        return;
    }
    s.words = 1;
    for (int k = 0; k < s.nloops; k++) s.words *= s.loop[k]->hi->i;
    t->sum[t->nsums++] = s;
}

static void look(Terms *t, Node *n) {
    if (!n) return;
    Sum before = t->way;
    bool lost = t->lost;
    switch (n->kind) {
    case N_STMT: look_stmt(t, n); return;
    case N_COPY: t->no = true; return;
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) look(t, n->kids[i]);
        return;
    case N_IF:
        t->lost = lost || expr_has_load(n->cond) || t->way.nconds == MAX_CONDITIONS;
        if (!t->lost) t->way.cond[t->way.nconds++] = n->cond;
        look(t, n->then);
        t->way = before;
        t->lost = true;
        look(t, n->other);
        break;
    case N_FOR:
        t->lost = lost || n->how != HOW_UNROLL || n->step != 1 || !expr_is_int(n->lo, 0) ||
                  n->hi->kind != E_INT || t->way.nloops == MAX_UNROLLED;
        if (!t->lost) t->way.loop[t->way.nloops++] = n;
        look(t, n->body);
        break;
    default: t->no = true;
    }
    t->way = before;
    t->lost = lost;
}

// Is a sum named anywhere in the loop but by its update?
static void look_again(Terms *t, const Node *body) {
    node_each(n, body) {
        AccessVec acc = {0};
        if (n->kind != N_COPY) acc = node_touches(t->a, n);
        for (int i = 0; i < t->nsums; i++)
            for (int k = 0; k < acc.n; k++)
                if (acc.at[k].array == t->sum[i].array && (k > 0 || n != t->sum[i].stmt)) t->no = true;
    }
}

static bool is_plain_loop(const Node *n) {
    return n->kind == N_FOR && n->how == HOW_SERIAL && n->step == 1 && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi);
}

// The block { before; for j { … }; after } with its locals.
static bool find_block(Terms *t, Node *n) {
    while (n->kind == N_SEQ && n->nkids == 1 && n->nlocals == 0) n = n->kids[0];
    if (n->kind == N_IF && !n->other && !t->guard && !expr_has_load(n->cond)) {
        t->guard = n->cond;
        return find_block(t, n->then);
    }
    if (n->kind != N_SEQ || n->nlocals == 0 || n->nlocals > MAX_LOCALS) return false;
    t->seq = n;
    for (int i = 0; i < n->nkids; i++) {
        if (!is_plain_loop(n->kids[i])) continue;
        if (t->loop) return false;
        t->loop = n->kids[i];
        t->at = i;
    }
    for (int i = 0; i < n->nlocals; i++)
        if (n->locals[i]->place != PLACE_LOCAL || n->locals[i]->of) return false;
    return t->loop && !expr_uses_sym(t->loop->lo, t->lane) && !expr_uses_sym(t->loop->hi, t->lane);
}

// ---- buffers ---------------------------------------------------------------------------------------

static const Array *array_of(Terms *t, const Array *like, const char *suffix, Place place, int rank,
                             const int64_t *extent) {
    const char *name = name_fresh(t->names, arena_printf(t->a, "%s_%s", like->name, suffix));
    bool kept = place == PLACE_REGISTER;
    Array *b = array_new(t->a, name, like->elem, place, rank + (kept ? like->rank : 0));
    if (kept) b->digits = rank;
    for (int d = 0; d < b->rank; d++)
        b->extent[d] = d < rank ? expr_int(t->a, T_I32, extent[d]) : like->extent[d - rank];
    return b;
}

static void make_registers(Terms *t) {
    int64_t extent[2] = {TERM_ROWS, TERM_LANES};
    for (t->nregs = 0; t->nregs < t->seq->nlocals; t->nregs++)
        t->reg[t->nregs] = array_of(t, t->seq->locals[t->nregs], "r", PLACE_REGISTER, 2, extent);
}

// One for each operand of a sum that is a local of the iteration.
static bool make_buffers(Terms *t, int64_t most) {
    int64_t bytes = 0;
    for (int i = 0; i < t->nsums; i++) {
        Sum *s = &t->sum[i];
        int64_t extent[3] = {TERM_ROWS, s->words, TERM_LANES};
        for (int k = 0; k < s->acc.n; k++) {
            const Array *x = s->acc.at[k].array;
            s->buffer[k] = NULL;
            if (k == 0 || x->place != PLACE_LOCAL || is_of_block(t, x)) continue;
            s->buffer[k] = array_of(t, x, "s", PLACE_SHARED, 3, extent);
            bytes += type_size(x->elem) * extent[0] * extent[1] * extent[2];
            vec_push(t->a, &t->buffers, s->buffer[k]);
        }
    }
    return bytes <= most && t->buffers.n > 0;
}

static Expr *number_of(Terms *t, const Sum *s) {
    Expr *w = expr_int(t->a, T_I32, 0);
    for (int k = 0; k < s->nloops; k++) {
        w = expr_mul(t->a, w, expr_int(t->a, T_I32, s->loop[k]->hi->i));
        w = expr_add(t->a, w, expr_cast(t->a, T_I32, expr_sym(t->a, s->loop[k]->iter)));
    }
    return w;
}

// ---- phases ----------------------------------------------------------------------------------------

typedef struct Phase {
    const Sym *row, *lane;
    Expr *r[2];              // their values
} Phase;

static Phase phase_new(Terms *t) {
    Phase p = {.row = iter_fresh(t->names, "row", t->type), .lane = iter_fresh(t->names, "lane", t->type)};
    p.r[0] = expr_sym(t->a, p.row);
    p.r[1] = expr_sym(t->a, p.lane);
    return p;
}

static Expr *both(Arena *a, Expr *x, Expr *y) { return x && y ? expr_op(a, OP_LAND, x, y, NULL) : x ? x : y; }

// thread row { thread lane { if (when && guard) n } }; one: only the first row.
static Node *phase_node(Terms *t, const Phase *p, Expr *when, bool one, Node *n) {
    Arena *a = t->a;
    const Array *const *locals = t->seq->locals;
    n = node_subst(a, n, 1, &t->lane, (Expr *const *)&p->r[1]);
    n = node_placed(t->names, n, 2, p->r, t->nregs, locals, t->reg);
    if (!n) return NULL;
    Expr *guard = t->guard ? expr_subst(a, t->guard, 1, &t->lane, (Expr *const *)&p->r[1]) : NULL;
    guard = both(a, guard, when);
    if (one) guard = both(a, expr_op(a, OP_EQ, p->r[0], expr_int(a, t->type, 0), NULL), guard);
    if (guard) n = node_if(a, guard, n, NULL);
    n = node_for(a, p->lane, expr_int(a, t->type, 0), expr_int(a, t->type, TERM_LANES), 1, HOW_THREAD, n);
    return node_for(a, p->row, expr_int(a, t->type, 0), expr_int(a, t->type, TERM_ROWS), 1, HOW_THREAD, n);
}

static Expr *in_loop(Terms *t, Expr *j) {
    return expr_op(t->a, OP_LT, j, expr_cast(t->a, j->type, t->loop->hi), NULL);
}

// The loop's counter in row `row` of chunk c.
static Expr *counter_at(Terms *t, const Sym *chunk, Expr *row) {
    Arena *a = t->a;
    Type type = t->loop->iter->type;
    Expr *c = expr_mul(a, expr_cast(a, type, expr_sym(a, chunk)), expr_int(a, type, TERM_ROWS));
    return expr_add(a, expr_cast(a, type, t->loop->lo), expr_add(a, c, expr_cast(a, type, row)));
}

// An iteration by its own thread: the sums' operands are put down where the sums were.
static Node *produce(Terms *t, const Sym *chunk) {
    Arena *a = t->a;
    Phase p = phase_new(t);
    Node *n = t->loop->body;
    for (int i = 0; i < t->nsums; i++) {
        const Sum *s = &t->sum[i];
        Node *kids[MAX_OPERANDS];
        int count = 0;
        for (int k = 1; k < s->acc.n; k++) {
            if (!s->buffer[k]) continue;
            Expr *sub[3] = {p.r[0], number_of(t, s), p.r[1]};
            kids[count++] = node_copy(a, s->buffer[k], sub, OP_SET,
                                      expr_load(a, s->acc.at[k].array, (Expr **)s->acc.at[k].sub));
        }
        n = node_replace(a, n, s->stmt, node_seq(a, count, kids));
    }
    Expr *j = counter_at(t, chunk, p.r[0]);
    n = node_subst(a, n, 1, &t->loop->iter, &j);
    return phase_node(t, &p, in_loop(t, j), false, n);
}

// The updates of a chunk, in their order.
static Node *consume(Terms *t, const Sym *chunk) {
    Arena *a = t->a;
    Phase p = phase_new(t);
    const Sym *q = iter_fresh(t->names, "q", t->type);
    Node *kids[MAX_SUMS];
    for (int i = 0; i < t->nsums; i++) {
        const Sum *s = &t->sum[i];
        Node *n = node_rerouted(a, s->stmt, s->acc.n);
        for (int k = 0; k < s->acc.n; k++) {
            if (!s->buffer[k]) continue;
            n->via[k] = s->buffer[k];
            n->via_sub[k] = NEW_N(a, Expr *, 3);
            n->via_sub[k][0] = expr_sym(a, q);
            n->via_sub[k][1] = number_of(t, s);
            n->via_sub[k][2] = p.r[1];
        }
        for (int k = s->nconds - 1; k >= 0; k--) n = node_if(a, s->cond[k], n, NULL); // over counters alone
        kids[i] = node_again(t->names, in_loops(a, s->nloops, s->loop, n));
    }
    Expr *j = counter_at(t, chunk, expr_sym(a, q));
    Node *n = node_if(a, in_loop(t, j), t->nsums == 1 ? kids[0] : node_seq(a, t->nsums, kids), NULL);
    n = node_subst(a, n, 1, &t->loop->iter, &j);
    n = node_for(a, q, expr_int(a, t->type, 0), expr_int(a, t->type, TERM_ROWS), 1, HOW_SERIAL, n);
    n->unroll = 4;
    return phase_node(t, &p, NULL, true, n);
}

// ---- parts -----------------------------------------------------------------------------------------

static bool can_be_parts(const Terms *t) {
    for (int i = 0; i < t->nsums; i++) {
        Type type = t->sum[i].array->elem;
        if (!t->names->region->reassociate && !type_is_int(type)) return false;
        if (!neutral_element(t->a, t->sum[i].stmt->stmt->op, type)) return false;
        for (int k = 0; k < i; k++)
            if (t->sum[k].array == t->sum[i].array) return false;
    }
    return true;
}

// The sums of all rows but the first begin with nothing.
static Node *begin_parts(Terms *t) {
    Arena *a = t->a;
    Phase p = phase_new(t);
    Node *kids[MAX_SUMS];
    for (int i = 0; i < t->nsums; i++)
        kids[i] = node_copy(a, t->sum[i].array, NULL, OP_SET,
                            neutral_element(a, t->sum[i].stmt->stmt->op, t->sum[i].array->elem));
    Expr *below = expr_op(a, OP_GT, p.r[0], expr_int(a, t->type, 0), NULL);
    return phase_node(t, &p, below, false, node_seq(a, t->nsums, kids));
}

static Node *part(Terms *t, const Sym *chunk) {
    Phase p = phase_new(t);
    Expr *j = counter_at(t, chunk, p.r[0]);
    return phase_node(t, &p, in_loop(t, j), false, node_subst(t->a, t->loop->body, 1, &t->loop->iter, &j));
}

// Each row puts its part down, the first takes them all.
static void join_parts(Terms *t, Node *kids[2]) {
    Arena *a = t->a;
    Phase put = phase_new(t), get = phase_new(t);
    Node *down[MAX_SUMS], *up[MAX_SUMS];
    const Sym *q = iter_fresh(t->names, "q", t->type);
    int64_t extent[2] = {TERM_ROWS, TERM_LANES};
    for (int i = 0; i < t->nsums; i++) {
        const Array *sum = t->sum[i].array, *b = array_of(t, sum, "s", PLACE_SHARED, 2, extent);
        Expr *at[2] = {expr_sym(a, q), get.r[1]};
        vec_push(a, &t->buffers, b);
        down[i] = node_copy(a, b, put.r, OP_SET, expr_load(a, sum, NULL));
        up[i] = node_copy(a, sum, NULL, t->sum[i].stmt->stmt->op, expr_load(a, b, at));
    }
    Node *n = node_for(a, q, expr_int(a, t->type, 1), expr_int(a, t->type, TERM_ROWS), 1, HOW_SERIAL,
                       node_seq(a, t->nsums, up));
    kids[0] = phase_node(t, &put, NULL, false, node_seq(a, t->nsums, down));
    kids[1] = phase_node(t, &get, NULL, true, n);
}

static Node *chunks(Terms *t) {
    Arena *a = t->a;
    const Sym *chunk = iter_fresh(t->names, arena_printf(a, "%sb", t->loop->iter->name), t->loop->iter->type);
    Node *kids[2] = {NULL, NULL};
    if (t->parts) kids[0] = part(t, chunk);
    else kids[0] = produce(t, chunk), kids[1] = consume(t, chunk);
    if (!kids[0] || (!kids[1] && !t->parts)) return NULL;
    Expr *trips = loop_trips(a, t->loop);
    trips = expr_add(a, trips, expr_int(a, trips->type, TERM_ROWS - 1));
    trips = expr_op(a, OP_FDIV, trips, expr_int(a, trips->type, TERM_ROWS), NULL);
    return node_for(a, chunk, expr_int(a, t->loop->lo->type, 0), trips, 1, HOW_SERIAL,
                    t->parts ? kids[0] : node_seq(a, 2, kids));
}

static Node *in_order(Terms *t) {
    Phase first = phase_new(t), last = phase_new(t);
    Node *kids[6];
    int n = 0;
    if (t->at > 0) kids[n++] = phase_node(t, &first, NULL, false, node_seq(t->a, t->at, t->seq->kids));
    if (t->parts) kids[n++] = begin_parts(t);
    kids[n++] = chunks(t);
    if (t->parts) join_parts(t, kids + n), n += 2;
    int after = t->seq->nkids - t->at - 1;
    if (after > 0)
        kids[n++] = phase_node(t, &last, NULL, true, node_seq(t->a, after, t->seq->kids + t->at + 1));
    for (int i = 0; i < n; i++)
        if (!kids[i]) return NULL;
    Node *seq = seq_declare_all(t->a, node_seq(t->a, n, kids), t->nregs, t->reg);
    return seq_declare_all(t->a, seq, t->buffers.n, t->buffers.at);
}

// ---- the rule ----------------------------------------------------------------------------------------

static int weigh(Node *n) {
    int all = n->kind == N_STMT || n->kind == N_IF;
    expr_each(x, n->kind == N_STMT ? n->stmt->rhs : n->cond) {
        bool slow = x->kind == E_CALL || (x->kind == E_OP && x->op == OP_DIV);
        all += slow ? 8 : x->kind == E_OP;
    }
    for (int i = 0; node_kid(n, i); i++) all += weigh(node_kid(n, i));
    return n->kind == N_FOR && n->how == HOW_UNROLL && n->hi->kind == E_INT ? all * (int)n->hi->i : all;
}

// Before the loop nothing but locals may be written: all rows do it.
static bool is_private(const Terms *t) {
    for (int i = 0; i < t->at; i++)
        node_each(n, t->seq->kids[i]) {
            AccessVec acc = node_accesses(t->a, n);
            if (acc.n && !is_of_block(t, acc.at[0].array)) return false;
        }
    return true;
}

Node *rule_terms(Names *names, Node *kernel, int64_t most_bytes, int *weight) {
    Terms t = {.names = names, .a = names->arena};
    Node *block = unwrap(kernel->body);
    if (block->kind != N_FOR || block->how != HOW_BLOCK) return NULL;
    Node *thread = unwrap(block->body);
    if (thread->kind != N_FOR || thread->how != HOW_THREAD || !expr_is_int(thread->hi, TERM_LANES))
        return NULL;
    t.lane = thread->iter;
    t.type = thread->iter->type;
    if (!find_block(&t, thread->body)) return NULL;
    Node *hoisted = rule_hoist_reads(names, kernel, t.seq, t.loop, REGISTERS, NULL);
    t.loop = NULL;
    t.guard = NULL;
    Node *inside = node_replace(t.a, thread->body, t.seq, hoisted);
    if (!find_block(&t, inside) || !is_private(&t)) return NULL;
    look(&t, t.loop->body);
    look_again(&t, t.loop->body);
    if (t.no || t.nsums == 0) return NULL;
    if (!make_buffers(&t, most_bytes)) return NULL;
    int64_t words = 0;
    for (int i = 0; i < t.nsums; i++)
        for (int k = 0; k < t.sum[i].acc.n; k++) words += t.sum[i].buffer[k] ? t.sum[i].words : 0;
    *weight = (int)(weigh(t.loop->body) / words);
    t.parts = can_be_parts(&t);
    if (t.parts) t.buffers.n = 0; // no term is handed over
    make_registers(&t);
    Node *body = in_order(&t);
    if (!body) return NULL;
    return node_around(t.a, kernel, node_around(t.a, block, body));
}

// ---- the rule -------------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    Node *kernel = change_kernel(ch, ch->step->words[0]);
    if (!kernel) return NULL;
    int weight = 0;
    Node *k = rule_terms(&ch->names, kernel, change_int(ch, "most"), &weight);
    if (!k)
        return change_refuse(ch, "what the threads of %s compute is not only terms of sums", kernel->name);
    if (weight < change_int(ch, "least"))
        return change_refuse(ch, "its terms have %d operations, which is too few to hand them over", weight);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

static const Knob knobs[] = {
    {"most", "bytes of shared memory", KNOB_INT, 1, 1 << 18, NULL, "24576"},
    {"least", "operations of a term, roughly, that are worth it", KNOB_INT, 0, 1000, NULL, "0"},
};

static void find_terms(Finder *f) { find_kernels(f, "terms %1"); }

static const RuleExample examples[] = {
    {EXAMPLE_PRODUCT, "grid i j threads=32,8", "terms product_0", "not only terms of sums"},
    {EXAMPLE_EACH, "grid j i threads=16,4", "terms each_0", "not only terms of sums"},
    {0},
};

const Rule terms_rule = {
    .name = "terms",
    .usage = "terms KERNEL [most=N] [least=N]",
    .summary =
        "Lets several threads share the terms of an ordered sum, which one of them adds up in its order.",
    .picture = "thread i                     thread i  thread q  shared t[…] = f(x[i], y[4*k + q])\n"
               "    for j                →   thread i             s += t[0] + t[1] + …\n"
               "        s += f(x[i], y[j])\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_terms,
    .examples = examples,
};
