// SPDX-License-Identifier: MIT
// partial.c -- many iterations update one element: partial results, combined in a fixed order.
//
//   for i in 0..n            kernel { block b { threads t:  acc = 0             (2,048 blocks of 128 threads)
//     s += a[i]        →         for i = 128*b + t; i < n; i += 262144  acc += a[i]
//                                a tree over the block's threads:  part[b] } }
//                            kernel { threads t:  acc = part[t] + part[t+32] + …  (32 threads)
//                                one of them:  s += … }
//
// The order of combination depends on the sizes alone, so the same program gives the same
// bits each time. On the CPU each of 64 workers takes one contiguous stretch, which the lanes of a vector add
// up term by term in turn; what is left of a stretch behind whole rows of lanes is a result of its own.
#include "rule/abreast.h"
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"
#include "rule/team.h"

enum {
    GPU_THREADS = 128,
    GPU_FEW = 64,        // … where many elements have their trees in shared memory together
    GPU_MANY = 20,       // elements
    GPU_BLOCKS = 2048,
    GPU_ROWS = 64,       // of the blocks, where two loops are dealt
    GPU_UNROLL = 4,      // reads under way together
    CPU_WORKERS = 64,
    CPU_VECTOR = 64,     // bytes of lanes
};

// One target's storage on the way.
typedef struct Slot {
    const PartialTarget *to;
    const Array *acc;   // the thread's register
    const Array *part;  // one element a block, or on a CPU a worker
} Slot;

typedef struct Partial {
    Names *names;
    Arena *a;
    const PartialRequest *q;
    int parts, lanes;   // lanes: of a worker, on a CPU
    Slot *slot;
} Partial;

static const Array *array_like(Partial *r, const PartialTarget *t, const char *stem, Place place,
                               int64_t elems) {
    bool stands_for = place == PLACE_LOCAL && elems == 0; // a register for the element itself
    const char *name = name_fresh(r->names, arena_printf(r->a, "%s_%s", t->array->name, stem));
    Array *x = array_new(r->a, name, t->array->elem, place, stands_for ? t->array->rank : elems > 0);
    for (int d = 0; d < x->rank; d++) x->extent[d] = expr_int(r->a, T_I32, stands_for ? 1 : elems);
    if (!stands_for) return x;
    x->of = t->array->of ? t->array->of : (Array *)t->array; // a temporary holds elements of a local
    x->origin = t->sub;
    return x;
}

typedef VEC(Node *) NodeVec;

static Node *block_of(Partial *r, NodeVec *kids, bool accs) {
    Node *n = node_seq(r->a, kids->n, kids->at);
    for (int i = 0; i < r->q->ntargets; i++)
        n = seq_declare(r->a, n, accs ? r->slot[i].acc : r->slot[i].part);
    return n;
}

static Expr *i32(Partial *r, int64_t v) { return expr_int(r->a, T_I32, v); }

// ---- the loops, dealt out ---------------------------------------------------------------

// Worker w of `of` takes iterations w, w + of, …: neighbours touch neighbours.
static Node *deal_cyclic(Partial *r, const Node *loop, Expr *w, int of) {
    Node *n = node_clone(r->a, loop);
    n->lo = loop_value(r->a, loop, w);
    n->step = loop->step * of;
    n->mark = NULL;
    if (!has_loops(n->body)) n->unroll = GPU_UNROLL;
    return n;
}

// Worker w takes the w-th of `of` equal stretches.
static Node *deal_blocks(Partial *r, const Node *loop, Expr *w, int of) {
    Arena *a = r->a;
    Node *n = node_clone(a, loop);
    Expr *trips = loop_trips(a, loop);
    Expr *each = expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, trips->type, of - 1)),
                         expr_int(a, trips->type, of), NULL);
    each = expr_op(a, OP_MAX, each, expr_int(a, each->type, 0), NULL);
    w = expr_cast(a, each->type, w);
    n->lo = loop_value(a, loop, expr_mul(a, each, w));
    Expr *end = loop_value(a, loop, expr_mul(a, each, expr_add(a, w, expr_int(a, w->type, 1))));
    n->hi = expr_op(a, loop->step > 0 ? OP_MIN : OP_MAX, end, expr_cast(a, end->type, loop->hi), NULL);
    n->mark = NULL;
    return n;
}

// The chain with dealt loops and updates into registers.
static Node *dealt(Partial *r, Expr *const *worker, const int *of) {
    const PartialRequest *q = r->q;
    Node *n = q->chain.body;
    for (int i = 0; i < q->ntargets; i++) n = node_redirect(r->a, n, r->slot[i].to->array, r->slot[i].acc);
    for (int i = q->chain.n - 1; i >= 0; i--) {
        const Node *loop = NULL;
        for (int d = 0; d < q->ndims; d++)
            if (q->dim[d] == i)
                loop = q->gpu ? deal_cyclic(r, q->chain.loop[i], worker[d], of[d])
                              : deal_blocks(r, q->chain.loop[i], worker[d], of[d]);
        n = node_around(r->a, loop ? loop : q->chain.loop[i], n);
    }
    return n;
}

// ---- on a GPU ------------------------------------------------------------------------------
static Team team_of(Partial *r, int threads) {
    Team t = {.names = r->names, .a = r->a, .threads = threads, .ndigits = threads > TEAM_WARP ? 2 : 1};
    if (t.ndigits > 1) {
        t.extent[0] = threads / TEAM_WARP;
        t.digit[0] = iter_fresh(r->names, "warp", T_I32);
    }
    t.extent[t.ndigits - 1] = TEAM_WARP;
    t.digit[t.ndigits - 1] = iter_fresh(r->names, "lane", T_I32);
    return t;
}

static Node *in_block(Partial *r, const char *stem, int blocks, Expr **number, Node *body) {
    const Sym *b = iter_fresh(r->names, stem, T_I32);
    *number = expr_sym(r->a, b);
    return node_for(r->a, b, i32(r, 0), i32(r, blocks), 1, HOW_BLOCK, body);
}

// The threads' work, with what they found put where all see it.
static Node *all_put(Partial *r, Team *t, Node *work, TeamTarget *g) {
    NodeVec kids = {0};
    vec_push(r->a, &kids, work);
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        g[i] = (TeamTarget){.array = s->to->array, .sub = s->to->sub, .op = s->to->op, .acc = s->acc};
        team_places(t, &g[i]);
        vec_push(r->a, &kids, team_put(t, &g[i]));
    }
    return team_phase(t, NULL, NULL, block_of(r, &kids, true));
}

static Node *phases_of(Partial *r, Team *t, TeamNodes *phases) {
    team_flush(t, phases);
    return seq_declare_all(r->a, node_seq(r->a, phases->n, phases->at), t->buffers.n, t->buffers.at);
}

static void begin_accs(Partial *r, NodeVec *kids) {
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        Expr *none = neutral_element(r->a, s->to->op, s->to->array->elem);
        vec_push(r->a, kids, node_copy(r->a, s->acc, s->to->sub, OP_SET, none));
    }
}

static Node *partial_gpu(Partial *r) {
    bool two = r->q->ndims == 2;
    Team t = team_of(r, r->q->ntargets > GPU_MANY ? GPU_FEW : GPU_THREADS);
    int xblocks = two ? GPU_BLOCKS / GPU_ROWS : GPU_BLOCKS, of[2] = {xblocks * (int)t.threads, GPU_ROWS};
    Expr *number[2];
    Node *x = in_block(r, "wb", xblocks, &number[0], NULL),
         *y = two ? in_block(r, "rb", GPU_ROWS, &number[1], x) : x;
    Expr *worker[2] = {expr_add(r->a, expr_mul(r->a, number[0], i32(r, t.threads)), team_number(&t)),
        two ? number[1] : NULL};
    Expr *block = two ? expr_add(r->a, expr_mul(r->a, number[1], i32(r, xblocks)), number[0]) : number[0];
    NodeVec kids = {0};
    begin_accs(r, &kids);
    vec_push(r->a, &kids, dealt(r, worker, of));
    TeamTarget *g = NEW_N(r->a, TeamTarget, r->q->ntargets + 1);
    TeamNodes phases = {0};
    vec_push(r->a, &phases, all_put(r, &t, node_seq(r->a, kids.n, kids.at), g));
    team_combine(&t, r->q->ntargets, g, NULL, &phases);
    for (int i = 0; i < r->q->ntargets; i++)
        team_solo(&t, NULL, node_copy(r->a, r->slot[i].part, &block, OP_SET, team_result(&t, &g[i], NULL)));
    x->body = phases_of(r, &t, &phases);
    return node_kernel(r->a, name_fresh(r->names, "partial"), y);
}

// All loads of a thread are under way together, and 32 words of shared memory are soon added by one: a second
// tree would save less than a microsecond, and the judge follows one tree at a time.
static Node *result_gpu(Partial *r) {
    Team t = team_of(r, TEAM_WARP);
    NodeVec kids = {0};
    TeamTarget *g = NEW_N(r->a, TeamTarget, r->q->ntargets + 1);
    TeamNodes phases = {0};
    begin_accs(r, &kids);
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        const Sym *k = iter_fresh(r->names, "k", T_I32);
        Expr *at = expr_sym(r->a, k);
        Node *add = node_copy(r->a, s->acc, s->to->sub, s->to->op, expr_load(r->a, s->part, &at));
        Node *all = node_for(r->a, k, team_number(&t), i32(r, r->parts), t.threads, HOW_SERIAL, add);
        all->unroll = r->parts / TEAM_WARP;
        vec_push(r->a, &kids, all);
    }
    vec_push(r->a, &phases, all_put(r, &t, node_seq(r->a, kids.n, kids.at), g));
    for (int i = 0; i < r->q->ntargets; i++) {
        Slot *s = &r->slot[i];
        const Sym *q = iter_fresh(r->names, "q", T_I32);
        Expr *at = expr_sym(r->a, q);
        Node *add = node_copy(r->a, s->acc, s->to->sub, s->to->op, expr_load(r->a, g[i].sums, &at));
        Node *all[3] = {node_copy(r->a, s->acc, s->to->sub, OP_SET,
                                  expr_load(r->a, s->to->array, s->to->sub)),
                        node_for(r->a, q, i32(r, 0), i32(r, TEAM_WARP), 1, HOW_UNROLL, add),
                        node_copy(r->a, s->to->array, s->to->sub, OP_SET,
                                  expr_load(r->a, s->acc, s->to->sub))};
        team_solo(&t, s->to->when, seq_declare(r->a, node_seq(r->a, 3, all), s->acc));
    }
    return node_kernel(r->a, name_fresh(r->names, "result"), phases_of(r, &t, &phases));
}

// ---- on a CPU ------------------------------------------------------------------------------
static Node *partial_body(Partial *r, Expr *const *worker, const int *of) {
    NodeVec kids = {0};
    begin_accs(r, &kids);
    vec_push(r->a, &kids, dealt(r, worker, of));
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        vec_push(r->a, &kids, node_copy(r->a, s->part, worker, OP_SET, expr_load(r->a, s->acc, s->to->sub)));
    }
    return block_of(r, &kids, true);
}

// { acc = 0; for i from lo to hi  acc += …; part[number] = acc }
static Node *stretch(Partial *r, const Node *loop, Node *body, Expr *number) {
    NodeVec kids = {0};
    Node *n = node_clone(r->a, loop);
    n->mark = NULL;
    n->body = body;
    begin_accs(r, &kids);
    vec_push(r->a, &kids, n);
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        vec_push(r->a, &kids, node_copy(r->a, s->part, &number, OP_SET, expr_load(r->a, s->acc, s->to->sub)));
    }
    return node_again(r->names, block_of(r, &kids, true));
}

// One: the worker adds up term by term.
static int lanes_of(const PartialRequest *q) {
    int size = 4;
    if (q->gpu || q->chain.n > 1 || q->chain.loop[0]->step != 1 || has_loops(q->chain.body)) return 1;
    for (int i = 0; i < q->ntargets; i++)
        if (type_size(q->target[i].array->elem) > size) size = type_size(q->target[i].array->elem);
    return CPU_VECTOR / size;
}

// Worker w's stretch in lanes. NULL: what the loop does can't stand side by side.
static Node *in_lanes(Partial *r, const Sym *w) {
    Arena *a = r->a;
    const Node *loop = r->q->chain.loop[0];
    Node bare = *loop, *body = r->q->chain.body, *both[2];
    Type t = type_size(loop->iter->type) < 4 ? T_I32 : loop->iter->type;
    int n = r->lanes, most = n * CPU_WORKERS;
    Expr *lanes = expr_int(a, t, n), *all = expr_int(a, t, most);
    Expr *zero = expr_int(a, t, 0), *trips = expr_cast(a, t, loop_trips(a, &bare));
    for (int i = 0; i < r->q->ntargets; i++)
        body = node_redirect(a, body, r->slot[i].to->array, r->slot[i].acc);
    Expr *rows = expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, t, most - 1)), all, NULL);
    rows = expr_op(a, OP_MAX, rows, zero, NULL);
    Expr *from = expr_mul(a, rows, expr_mul(a, expr_cast(a, t, expr_sym(a, w)), lanes));
    Expr *whole = expr_op(a, OP_FDIV, expr_sub(a, trips, from), lanes, NULL);
    whole = expr_op(a, OP_MAX, expr_op(a, OP_MIN, whole, rows, NULL), zero, NULL);
    Node *v = node_for(a, iter_fresh(r->names, "v", T_I32), i32(r, 0), i32(r, n), 1, HOW_VECTOR, NULL);
    Node *row = node_for(a, iter_fresh(r->names, "row", t), zero, whole, 1, HOW_SERIAL, NULL);
    Expr *at = expr_add(a, expr_add(a, from, expr_mul(a, expr_sym(a, row->iter), lanes)),
                        expr_cast(a, t, expr_sym(a, v->iter)));
    at = loop_value(a, loop, at);
    Expr *number = expr_add(a, expr_mul(a, expr_sym(a, w), i32(r, n)), expr_sym(a, v->iter));
    Node *one = stretch(r, row, node_subst(a, body, 1, &loop->iter, &at), number);
    const Node *loops[1] = {v};
    both[0] = rule_abreast(r->names, 1, loops, one);
    Node *left = node_clone(a, loop);
    Expr *end = expr_add(a, from, expr_mul(a, rows, lanes));
    left->lo = loop_value(a, loop, expr_add(a, from, expr_mul(a, whole, lanes)));
    left->hi = loop_value(a, loop, expr_op(a, OP_MIN, end, trips, NULL));
    both[1] = stretch(r, left, body, expr_add(a, expr_sym(a, w), i32(r, most)));
    return both[0] ? node_seq(a, 2, both) : NULL;
}

static Node *partial_cpu(Partial *r) {
    const Sym *w = iter_fresh(r->names, "w", T_I32);
    Expr *worker = expr_sym(r->a, w);
    int of = CPU_WORKERS;
    Node *n = r->lanes > 1 ? in_lanes(r, w) : partial_body(r, &worker, &of);
    if (!n) return NULL;
    n = node_for(r->a, w, i32(r, 0), i32(r, CPU_WORKERS), 1, HOW_BLOCK, n);
    return node_kernel(r->a, name_fresh(r->names, "partial"), n);
}

static Node *result_cpu(Partial *r) {
    NodeVec kids = {0};
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        const Sym *k = iter_fresh(r->names, "k", T_I32);
        Expr *at = expr_sym(r->a, k);
        Node *add = node_copy(r->a, s->to->array, s->to->sub, s->to->op, expr_load(r->a, s->part, &at));
        Node *all = node_for(r->a, k, i32(r, 0), i32(r, r->parts), 1, HOW_SERIAL, add);
        vec_push(r->a, &kids, s->to->when ? node_if(r->a, s->to->when, all, NULL) : all);
    }
    return node_kernel(r->a, name_fresh(r->names, "result"), node_seq(r->a, kids.n, kids.at));
}

static Node *in_parts(Partial *r, int parts, int lanes) {
    const PartialRequest *q = r->q;
    r->parts = parts;
    r->lanes = lanes;
    for (int i = 0; i < q->ntargets; i++) {
        const PartialTarget *t = &q->target[i];
        r->slot[i] = (Slot){t, array_like(r, t, "acc", PLACE_LOCAL, 0),
                            array_like(r, t, "part", PLACE_TEMP, parts)};
    }
    NodeVec kids = {0};
    Node *n = q->gpu ? partial_gpu(r) : partial_cpu(r);
    vec_push(r->a, &kids, n);
    if (n) vec_push(r->a, &kids, q->gpu ? result_gpu(r) : result_cpu(r));
    return n ? block_of(r, &kids, false) : NULL;
}

// Host sequence: the kernel of partial results, kernels that combine them. Its temporaries
// are declared by the sequence.
static Node *rule_partials(Names *names, const PartialRequest *q) {
    Arena *a = names->arena;
    Partial r = {.names = names, .a = a, .q = q, .slot = NEW_N(a, Slot, q->ntargets + 1)};
    int lanes = lanes_of(q);
    Node *n = lanes > 1 ? in_parts(&r, CPU_WORKERS * (lanes + 1), lanes) : NULL;
    return n ? n : in_parts(&r, q->gpu ? GPU_BLOCKS : CPU_WORKERS, 1);
}

// ---- the rule -------------------------------------------------------------------------------------
// The first statement that updates the array of that name, and the element.
static const Node *update_of(Arena *a, Node *root, const char *name, Access *to) {
    node_each(n, root) {
        if (n->kind != N_STMT || n->stmt->op == OP_SET) continue;
        AccessVec v = node_accesses(a, n);
        *to = v.at[0];
        if (str_eq(to->array->name, name)) return n;
    }
    return NULL;
}

static bool find_targets(Change *ch, Nest *facts, const Path *place, PartialRequest *q) {
    const char *name[STEP_MAX], *when[STEP_MAX];
    q->ntargets = change_names(ch, "of", name, STEP_MAX);
    int nwhen = change_names(ch, "when", when, STEP_MAX);
    q->target = NEW_N(ch->a, PartialTarget, q->ntargets + 1);
    for (int i = 0; i < q->ntargets; i++) {
        Access to;
        const Node *stmt = update_of(ch->a, q->chain.body, name[i], &to);
        if (!stmt) return change_refuse(ch, "nothing in these loops updates %s", name[i]), false;
        if (!node_touches_only(ch->a, q->chain.body, to.array, (Expr **)to.sub))
            return change_refuse(ch, "other elements of %s are used there, too", name[i]), false;
        if (!node_only_updates(ch->a, q->chain.body, to.array, (Expr **)to.sub, stmt->stmt->op))
            return change_refuse(ch, "more is done to %s there than one operator's updates", name[i]), false;
        for (int d = 0; d < to.array->rank; d++)
            for (int l = 0; l < q->chain.n; l++)
                if (expr_uses_sym(to.sub[d], q->chain.loop[l]->iter))
                    return change_refuse(ch, "which element of %s changes with %s", name[i],
                                         q->chain.loop[l]->iter->name),
                           false;
        q->target[i] = (PartialTarget){to.array, (Expr **)to.sub, stmt->stmt->op, NULL};
        if (i >= nwhen || str_eq(when[i], "-")) continue;
        q->target[i].when = change_value(ch, facts, place, T_I32, when[i]);
        if (!q->target[i].when) return false;
    }
    return true;
}

// The loops that are named, in the nest of loops that begins at from=, or at the outermost of them.
static bool find_dealt(Change *ch, PartialRequest *q, Node **top) {
    const Step *s = ch->step;
    const char *from = change_text(ch, "from");
    *top = loop_outside(ch, from ? from : s->words[s->nwords - 1]);
    if (!*top) return false;
    q->chain = chain_of(*top);
    for (int k = 0; k < s->nwords; k++) {
        int at = -1;
        for (int i = 0; i < q->chain.n; i++)
            if (str_eq(q->chain.loop[i]->iter->name, s->words[k])) at = i;
        if (at < 0)
            return change_refuse(ch, "%s and the others do not stand directly inside each other",
                                 s->words[k]),
                   false;
        q->dim[q->ndims++] = at;
        for (int i = 0; i < q->chain.n; i++)
            if (expr_uses_sym(q->chain.loop[at]->lo, q->chain.loop[i]->iter) ||
                expr_uses_sym(q->chain.loop[at]->hi, q->chain.loop[i]->iter))
                return change_refuse(ch, "the bounds of %s change with %s", s->words[k],
                                     q->chain.loop[i]->iter->name),
                       false;
    }
    return true;
}

static Nest *apply(Change *ch) {
    PartialRequest q = {.gpu = str_eq(ch->nest->target, "gpu")};
    int most = q.gpu ? 2 : 1;
    Node *top;
    Path place;
    Nest facts = *ch->nest;
    if (ch->step->nwords > most)
        return change_refuse(ch, "it takes one to %d loops; usage: %s", most, ch->rule->usage);
    if (!find_dealt(ch, &q, &top) || !path_to(ch->nest->root, top, &place) ||
        !find_targets(ch, &facts, &place, &q))
        return NULL;
    const Array *local = path_local(&place, top);
    if (local) return change_refuse(ch, "%s stands outside of the kernels that this makes", local->name);
    Node *n = rule_partials(&ch->names, &q), *both = node_clone(ch->a, n);
    both->nlocals = 0;
    return change_done(ch, root_with_temps(ch->a, ch->nest->root, top, both, n->nlocals, n->locals));
}

static const Knob knobs[] = {
    {"of", "the arrays whose elements are updated, each one element", KNOB_NAMES, 0, 0, NULL, NULL},
    {"from", "the loop with which the nest of loops begins; else the last that is named", KNOB_NAMES, 0, 0,
     NULL, ""},
    {"when", "for each array when its element exists at all; a dash: always", KNOB_TEXT, 0, 0, NULL, ""},
};

static void find_partial(Finder *f) {
    node_each(n, f->ch->nest->root) {
        Chain c = n->kind == N_FOR ? chain_of(n) : (Chain){0};
        Node *s = c.n ? unwrap(c.body) : NULL;
        if (s && s->kind == N_STMT && s->stmt->op != OP_SET)
            finder_site(f, "partial %s of=%s", c.loop[c.n - 1]->iter->name, s->stmt->lhs->name);
    }
}

#define DOT                                                                                        \
    "sculpt 1 region dot sculpt reassociate { param n: i32 = \"n\" array s: f32 = \"s\" live "         \
    "array x[n]: f32 = \"x\" array y[n]: f32 = \"y\" do { for i: i32 = 0 .. n S0[i] } "            \
    "stmt S0[i]: s += x[i] * y[i] }"
#define CHOSEN                                                                                     \
    "sculpt 1 region chosen sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" array s: f32 = " \
    "\"s\" live array x[n]: f32 = \"x\" array y[m]: f32 = \"y\" do { for i: i32 = 0 .. n "                 \
    "for j: i32 = 0 .. m S0[i, j] } stmt S0[i, j]: s += x[i] * y[j] }"
#define SCALED                                                                                     \
    "sculpt 1 region scaled sculpt { param n: i32 = \"n\" array s: i32 = \"s\" live "                  \
    "array x[n]: i32 = \"x\" do { for i: i32 = 0 .. n { S0[i] S1[i] } } "                            \
    "stmt S0[i]: s *= 10 stmt S1[i]: s += x[i] }"

static const RuleExample examples[] = {
    {DOT, "", "partial i of=s", NULL},
    {EXAMPLE_SUM, "", "partial i of=a", "changes with i"},
    {DOT, "", "partial i of=x", "nothing in these loops updates x"},
    {SCALED, "", "partial i of=s", "more is done to s"},
    {CHOSEN, "hoist x at=j", "partial j of=s", "stands outside of the kernels"},
    {0},
};

const Rule partial_rule = {
    .name = "partial",
    .usage = "partial X [Y] of=ARRAYS [from=LOOP] [when=EXPR,…]",
    .summary = "Deals the iterations of loops that update one element of an array to many threads, whose "
               "partial results a "
               "second kernel combines in an order that depends on sizes alone.",
    .picture = "for i  s += a[i]   →   kernel  part[b] = the sum of a block's terms\n"
               "                       kernel  s += part[0] + part[1] + …\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_partial,
    .examples = examples,
};
