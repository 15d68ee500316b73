// SPDX-License-Identifier: MIT
// outputs.c -- words side by side that one thread writes go through shared memory.
//
//   block jb { thread jt {                  block jb {
//     for a in 0..3 unroll                    shared s[128][3]
//       if (a < d)                            thread jt { for a in 0..3 unroll
//         k[j][a] = …          →                if (a < d)  s[jt][a] = … }
//   } }                                       thread g in 0..42 { thread a in 0..3
//                                               for l in 0..4
//                                                 if (42 * l + g < 128 && a < d)
//                                                   k[128 * jb + 42 * l + g][a] = s[42 * l + g][a] } }
//
// Threads side by side write words three apart, and most of each line of memory comes in
// several pieces; in the copy threads side by side write words side by side. Right when k is written there
// alone, each element once, and read nowhere in the kernel.
#include "rule/outputs.h"
#include "rule/examples.h"
#include "rule/find.h"

enum { MAX_UNROLLED = 6, MAX_OUTPUTS = 8, MAX_CONDITIONS = 16, FEWEST = 3 };

// A statement that writes side by side, and what stands around it below the thread loop.
typedef struct Output {
    const Node *stmt;
    const Array *array;
    Expr **sub;
    int nloops, nconds;
    const Node *loop[MAX_UNROLLED];
    Expr *cond[MAX_CONDITIONS];
    int64_t words;           // of a thread
    const Array *buffer;
} Output;

typedef struct Stage {
    Names *names;
    Arena *a;
    Node *thread;
    int n;
    Output out[MAX_OUTPUTS];
    Output at;               // the way to the node being looked at
    bool lost;               // too deep, or a way that can't be repeated
} Stage;

// ---- which ---------------------------------------------------------------------------------------

static bool is_alone(Arena *a, Node *root, const Node *stmt, const Array *array);

// Is dimension d of the access the counter of one of the loops around, in their order?
static bool ends_in_loops(const Output *o) {
    int rank = o->array->rank, first = rank - o->nloops;
    if (o->nloops == 0 || first < 1) return false;
    for (int k = 0; k < o->nloops; k++) {
        const Expr *x = o->sub[first + k];
        if (x->kind != E_SYM || x->sym != o->loop[k]->iter) return false;
        for (int d = 0; d < first; d++)
            if (expr_uses_sym(o->sub[d], o->loop[k]->iter)) return false;
    }
    return true;
}

static void look_stmt(Stage *s, const Node *n) {
    AccessVec acc = node_accesses(s->a, n);
    Output o = s->at;
    o.stmt = n;
    o.array = acc.at[0].array;
    o.sub = (Expr **)acc.at[0].sub;
    if (s->lost || n->atomic || n->stmt->op != OP_SET || o.array->place != PLACE_USER) return;
    if (o.array->stride != type_size(o.array->elem) || type_size(o.array->elem) < 4) return;
    if (!ends_in_loops(&o)) return;
    const Sym *t = s->thread->iter;
    int at = o.array->rank - o.nloops - 1;
    for (int d = 0; d < o.array->rank; d++)
        if (expr_has_load(o.sub[d]) || (d != at && expr_uses_sym(o.sub[d], t))) return;
    o.words = 1;
    for (int k = 0; k < o.nloops; k++) o.words *= o.loop[k]->hi->i;
    if (!expr_uses_sym(o.sub[at], t) || o.words < FEWEST || o.words > s->thread->hi->i || s->n == MAX_OUTPUTS)
        return;
    if (is_alone(s->a, s->thread, n, o.array)) s->out[s->n++] = o;
}

static void look(Stage *s, Node *n) {
    if (!n) return;
    Output before = s->at;
    bool lost = s->lost;
    switch (n->kind) {
    case N_STMT: look_stmt(s, n); return;
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) look(s, n->kids[i]);
        return;
    case N_IF:
        s->lost = lost || expr_has_load(n->cond) || s->at.nconds == MAX_CONDITIONS;
        if (!s->lost) s->at.cond[s->at.nconds++] = n->cond;
        look(s, n->then);
        s->at = before;
        s->lost = true;      // the way to an else is not written down
        look(s, n->other);
        break;
    case N_FOR:
        s->lost = lost || n->how != HOW_UNROLL || n->step != 1 || !expr_is_int(n->lo, 0) ||
                  n->hi->kind != E_INT || s->at.nloops == MAX_UNROLLED;
        if (!s->lost) s->at.loop[s->at.nloops++] = n;
        look(s, n->body);
        break;
    default: break;
    }
    s->at = before;
    s->lost = lost;
}

// Does nothing else below root touch the array?
static bool is_alone(Arena *a, Node *root, const Node *stmt, const Array *array) {
    node_each(n, root) {
        AccessVec acc = node_touches(a, n);
        for (int k = n == stmt; k < acc.n; k++)
            if (arrays_may_overlap(acc.at[k].array, array)) return false;
    }
    return true;
}

// ---- the buffer ------------------------------------------------------------------------------------

// shared s[threads][words], each thread's words an odd number apart: no two threads in one bank
static const Array *buffer_for(Stage *s, const Output *o) {
    const char *name = name_fresh(s->names, arena_printf(s->a, "%s_s", o->array->name));
    Array *b = array_new(s->a, name, o->array->elem, PLACE_SHARED, 2);
    b->extent[0] = s->thread->hi;
    b->extent[1] = expr_int(s->a, T_I32, o->words | 1);
    return b;
}

// The number of a thread's word: counters of the loops as digits.
static Expr *word_of(Stage *s, const Output *o, const Sym *const *counter) {
    Expr *at = expr_int(s->a, T_I32, 0);
    for (int k = 0; k < o->nloops; k++) {
        at = expr_mul(s->a, at, expr_int(s->a, T_I32, o->loop[k]->hi->i));
        at = expr_add(s->a, at, expr_cast(s->a, T_I32, expr_sym(s->a, counter[k])));
    }
    return at;
}

static Node *to_buffer(Stage *s, const Output *o) {
    AccessVec acc = node_accesses(s->a, o->stmt);
    Node *n = node_rerouted(s->a, o->stmt, acc.n);
    const Sym *counter[MAX_UNROLLED];
    for (int k = 0; k < o->nloops; k++) counter[k] = o->loop[k]->iter;
    n->via[0] = o->buffer;
    n->via_sub[0] = NEW_N(s->a, Expr *, 2);
    n->via_sub[0][0] = expr_sym(s->a, s->thread->iter);
    n->via_sub[0][1] = word_of(s, o, counter);
    return n;
}

static Node *threads(Stage *s, const Sym *iter, int64_t trips, Node *body) {
    return node_for(s->a, iter, expr_int(s->a, iter->type, 0), expr_int(s->a, iter->type, trips), 1,
                    HOW_THREAD, body);
}

// thread g { thread a { for l { if (all conditions) copy array = buffer } } }
static Node *from_buffer(Stage *s, const Output *o) {
    Arena *a = s->a;
    const Sym *from[MAX_UNROLLED + 1], *counter[MAX_UNROLLED];
    Expr *to[MAX_UNROLLED + 1];
    Type t = s->thread->iter->type;
    const Sym *group = iter_fresh(s->names, "g", t), *turn = iter_fresh(s->names, "l", t);
    int64_t all = s->thread->hi->i, groups = all / o->words, turns = (all + groups - 1) / groups;
    for (int k = 0; k < o->nloops; k++) {
        from[k] = o->loop[k]->iter;
        counter[k] = iter_fresh(s->names, "w", from[k]->type);
        to[k] = expr_sym(a, counter[k]);
    }
    from[o->nloops] = s->thread->iter;
    Expr *l = expr_add(a, expr_mul(a, expr_sym(a, turn), expr_int(a, t, groups)), expr_sym(a, group));
    to[o->nloops] = l;
    Expr *at[2] = {l, word_of(s, o, counter)};
    Node *n = node_copy(a, o->array, o->sub, OP_SET, expr_load(a, o->buffer, at));
    for (int d = 0; d < o->array->rank; d++) n->sub[d] = expr_subst(a, o->sub[d], o->nloops + 1, from, to);
    Expr *when = turns * groups > all ? expr_op(a, OP_LT, l, expr_int(a, t, all), NULL) : NULL;
    for (int k = 0; k < o->nconds; k++) {
        Expr *x = expr_subst(a, o->cond[k], o->nloops + 1, from, to);
        when = when ? expr_op(a, OP_LAND, when, x, NULL) : x;
    }
    if (when) n = node_if(a, when, n, NULL);
    n = node_for(a, turn, expr_int(a, t, 0), expr_int(a, t, turns), 1, HOW_SERIAL, n);
    n->unroll = turns < 4 ? (int)turns : 4;
    for (int k = o->nloops - 1; k >= 0; k--) n = threads(s, counter[k], o->loop[k]->hi->i, n);
    return threads(s, group, groups, n);
}

// ---- the rule ----------------------------------------------------------------------------------------

// Loops from n on that run like this; what the last holds.
static Node *peel(Node *n, How how, const Node **loop, int most, int *count) {
    for (*count = 0; n->kind == N_FOR && n->how == how && *count < most; n = unwrap(n->body))
        loop[(*count)++] = n;
    return n;
}

// Drops outputs, the last first, until the buffers fit.
static void fit(Stage *s, int64_t most) {
    for (;;) {
        int64_t bytes = 0;
        for (int i = 0; i < s->n; i++)
            bytes += s->thread->hi->i * (s->out[i].words | 1) * type_size(s->out[i].array->elem);
        if (bytes <= most) return;
        s->n--;
    }
}

// A kernel as rule_map_gpu makes it, with one thread loop, whose thread writes several words side
// by side of some array. most: bytes of shared memory. NULL: there is none such.
static Node *rule_stage_outputs(Names *names, Node *kernel, int64_t most) {
    Arena *a = names->arena;
    const Node *block[3], *thread[2], *chunk[3];
    int nblock, nthread, nchunk;
    Node *n = peel(unwrap(kernel->body), HOW_BLOCK, block, 3, &nblock);
    n = peel(n, HOW_THREAD, thread, 2, &nthread);
    if (nthread != 1 || !expr_is_int(thread[0]->lo, 0) || thread[0]->hi->kind != E_INT) return NULL;
    n = peel(n, HOW_SERIAL, chunk, 3, &nchunk); // of the grid: the same for all threads
    for (int i = 0; i < nchunk; i++)
        if (chunk[i]->step < 65535) return NULL;
    Stage s = {.names = names, .a = a, .thread = node_clone(a, thread[0])};
    s.thread->body = n;
    look(&s, n);
    fit(&s, most);
    if (s.n == 0) return NULL;
    Node *kids[MAX_OUTPUTS + 1];
    const Array **buffers = NEW_N(a, const Array *, s.n);
    for (int i = 0; i < s.n; i++) {
        s.out[i].buffer = buffers[i] = buffer_for(&s, &s.out[i]);
        n = node_replace(a, n, s.out[i].stmt, to_buffer(&s, &s.out[i]));
        kids[i + 1] = from_buffer(&s, &s.out[i]);
    }
    s.thread->body = n;
    kids[0] = s.thread;
    Node *seq = seq_declare_all(a, node_seq(a, s.n + 1, kids), s.n, buffers);
    return node_around(a, kernel, in_loops(a, nblock, block, in_loops(a, nchunk, chunk, seq)));
}

// ---- the rule -------------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    Node *kernel = change_kernel(ch, ch->step->words[0]);
    if (!kernel) return NULL;
    Node *k = rule_stage_outputs(&ch->names, kernel, change_int(ch, "most"));
    if (!k)
        return change_refuse(ch, "no thread of %s writes several words side by side, alone", kernel->name);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

static const Knob knobs[] = {
    {"most", "bytes of shared memory", KNOB_INT, 1, 1 << 18, NULL, "32768"},
};

static void find_outputs(Finder *f) { find_kernels(f, "outputs %1"); }

#define SIDES                                                                                           \
    "sculpt 1 region sides sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" array o[n][4]: f32 = " \
    "\"o\" live "                                                                                       \
    "do { for i: i32 = 0 .. n for a: i32 = 0 .. 4 S0[i, a] } "                                          \
    "stmt S0[i, a]: o[i][a] = x[i] * 2.0 }"

static const RuleExample examples[] = {
    {SIDES, "grid i threads=128\nunroll a\n", "outputs sides_0", NULL},
    {EXAMPLE_EACH, "grid j i threads=16,4", "outputs each_0", "several words side by side"},
    {0},
};

const Rule outputs_rule = {
    .name = "outputs",
    .usage = "outputs KERNEL [most=N]",
    .summary = "Sends words side by side that one thread writes through shared memory, so that neighbours "
               "write neighbours.",
    .picture = "thread jt                         shared s[128][3]\n"
               "    for a unroll  k[j][a] = …  →   thread jt  for a unroll  s[jt][a] = …\n"
               "                                   thread g  thread a  for l  k[…][a] = s[42*l + g][a]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_outputs,
    .examples = examples,
};
