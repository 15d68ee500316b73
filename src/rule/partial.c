// SPDX-License-Identifier: MIT
// partial.c -- many iterations update one element: partial results, combined in a fixed order.
//
//   for i in 0..n            kernel { block b thread t:  acc = 0                  (65,536 threads)
//     s += a[i]        →       for i = t; i < n; i += 65536  acc += a[i];  part[t] = acc }
//                            kernel { thread u:  acc = part[u] + part[u+256] + …; part2[u] = acc }
//                            kernel { s += part2[0]; s += part2[1]; … }
//
// The order of combination depends on the sizes alone, so the same program gives the same
// bits each time. On the CPU each of 64 workers takes one contiguous stretch.
#include "rule/rule.h"
#include <math.h>

enum { GPU_THREADS = 256, GPU_BLOCKS = 256, GPU_ROWS = 64, CPU_WORKERS = 64 };

Expr *neutral_element(Arena *a, Op op, Type t) {
    if (type_is_float(t)) {
        double v = op == OP_ADD ? -0.0 : op == OP_MUL ? 1 : op == OP_MIN ? INFINITY : -INFINITY;
        return expr_float(a, t, v);
    }
    int bits = 8 * type_size(t);
    bool sign = type_is_signed(t);
    int64_t most = sign ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1) : bits == 64 ? -1 : (int64_t)((UINT64_C(1) << bits) - 1);
    int64_t least = sign ? -most - 1 : 0;
    switch (op) {
    case OP_MUL:
    case OP_LAND: return expr_int(a, t, 1);
    case OP_MIN: return expr_int(a, t, t == T_BOOL ? 1 : most);
    case OP_MAX: return expr_int(a, t, least);
    case OP_AND: return expr_int(a, t, t == T_BOOL ? 1 : -1);
    default: return expr_int(a, t, 0);
    }
}

// One target's storage on the way.
typedef struct Slot {
    const PartialTarget *to;
    const Array *acc;   // the thread's register
    const Array *part;  // one element a thread
    const Array *part2; // GPU: one element a thread of the second kernel
} Slot;

typedef struct Partial {
    Names *names;
    Arena *a;
    const PartialRequest *q;
    int workers;
    Slot *slot;
} Partial;

static const Array *array_like(Partial *r, const PartialTarget *t, const char *stem, Place place, int64_t elems) {
    Array *x = NEW(r->a, Array);
    *x = (Array){.name = name_fresh(r->names, arena_printf(r->a, "%s_%s", t->array->name, stem)),
                 .elem = t->array->elem, .place = place, .stride = type_size(t->array->elem)};
    x->object = x->name;
    if (place == PLACE_LOCAL && elems == 0) { // a register that stands for the element itself
        x->rank = t->array->rank;
        x->of = (Array *)t->array;
        x->origin = t->sub;
        x->extent = NEW_N(r->a, Expr *, x->rank + 1);
        for (int d = 0; d < x->rank; d++) x->extent[d] = expr_int(r->a, T_I32, 1);
    } else if (elems > 0) {
        x->rank = 1;
        x->extent = NEW_N(r->a, Expr *, 1);
        x->extent[0] = expr_int(r->a, T_I32, elems);
    }
    return x;
}

typedef VEC(Node *) NodeVec;

static Node *block_of(Partial *r, NodeVec *kids, int which) {
    Node *n = node_seq(r->a, kids->n, kids->at);
    n->nlocals = r->q->ntargets;
    n->locals = NEW_N(r->a, const Array *, n->nlocals + 1);
    for (int i = 0; i < n->nlocals; i++) {
        const Slot *s = &r->slot[i];
        n->locals[i] = which == 0 ? s->acc : which == 1 ? s->part : s->part2;
    }
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
    return n;
}

// Worker w takes the w-th of `of` equal stretches.
static Node *deal_blocks(Partial *r, const Node *loop, Expr *w, int of) {
    Arena *a = r->a;
    Node *n = node_clone(a, loop);
    Expr *trips = loop_trips(a, loop);
    Expr *each = expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, trips->type, of - 1)), expr_int(a, trips->type, of), NULL);
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
    for (int i = 0; i < q->ntargets; i++) n = rule_redirect(r->a, n, r->slot[i].to->array, r->slot[i].acc);
    for (int i = q->chain.n - 1; i >= 0; i--) {
        Node *loop = NULL;
        for (int d = 0; d < q->ndims; d++)
            if (q->dim[d] == i)
                loop = q->gpu ? deal_cyclic(r, q->chain.loop[i], worker[d], of[d]) : deal_blocks(r, q->chain.loop[i], worker[d], of[d]);
        if (!loop) loop = node_clone(r->a, q->chain.loop[i]);
        loop->body = n;
        n = loop;
    }
    return n;
}

static Node *partial_body(Partial *r, Expr *const *worker, const int *of, Expr *slot_index) {
    NodeVec kids = {0};
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        Expr *none = neutral_element(r->a, s->to->op, s->to->array->elem);
        vec_push(r->a, &kids, node_copy(r->a, s->acc, s->to->sub, OP_SET, none));
    }
    vec_push(r->a, &kids, dealt(r, worker, of));
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        vec_push(r->a, &kids, node_copy(r->a, s->part, &slot_index, OP_SET, expr_load(r->a, s->acc, s->to->sub)));
    }
    return block_of(r, &kids, 0);
}

// Dimension d's worker number: threads * block + thread, with loops to put around.
static Expr *gpu_worker(Partial *r, const char *stem, int blocks, int threads, Node **block, Node **thread) {
    const Sym *b = iter_fresh(r->names, arena_printf(r->a, "%sb", stem), T_I32);
    *block = node_for(r->a, b, i32(r, 0), i32(r, blocks), 1, HOW_BLOCK, NULL);
    *thread = NULL;
    if (threads == 1) return expr_sym(r->a, b);
    const Sym *t = iter_fresh(r->names, arena_printf(r->a, "%st", stem), T_I32);
    *thread = node_for(r->a, t, i32(r, 0), i32(r, threads), 1, HOW_THREAD, NULL);
    return expr_add(r->a, expr_mul(r->a, expr_sym(r->a, b), i32(r, threads)), expr_sym(r->a, t));
}

static Node *partial_gpu(Partial *r) {
    Node *block[2] = {0}, *thread[2] = {0};
    Expr *worker[2];
    bool two = r->q->ndims == 2;
    int xblocks = two ? GPU_BLOCKS / GPU_ROWS : GPU_BLOCKS;
    int of[2] = {xblocks * GPU_THREADS, GPU_ROWS};
    worker[0] = gpu_worker(r, "w", xblocks, GPU_THREADS, &block[0], &thread[0]);
    Expr *index = worker[0];
    if (two) {
        worker[1] = gpu_worker(r, "r", GPU_ROWS, 1, &block[1], &thread[1]);
        index = expr_add(r->a, expr_mul(r->a, worker[1], i32(r, of[0])), worker[0]);
    }
    Node *n = partial_body(r, worker, of, index);
    thread[0]->body = n;
    block[0]->body = thread[0];
    if (two) block[1]->body = block[0];
    return node_kernel(r->a, name_fresh(r->names, "partial"), two ? block[1] : block[0]);
}

static Node *partial_cpu(Partial *r) {
    const Sym *w = iter_fresh(r->names, "w", T_I32);
    Expr *worker = expr_sym(r->a, w);
    int of = CPU_WORKERS;
    Node *n = partial_body(r, &worker, &of, worker);
    n = node_for(r->a, w, i32(r, 0), i32(r, CPU_WORKERS), 1, HOW_BLOCK, n);
    return node_kernel(r->a, name_fresh(r->names, "partial"), n);
}

// ---- combining ---------------------------------------------------------------------------

// Each of GPU_THREADS threads combines workers/GPU_THREADS partial results.
static Node *middle_gpu(Partial *r) {
    const Sym *t = iter_fresh(r->names, "u", T_I32);
    NodeVec kids = {0};
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        const Sym *k = iter_fresh(r->names, "k", T_I32);
        Expr *at = expr_sym(r->a, t);
        vec_push(r->a, &kids, node_copy(r->a, s->part2, &at, OP_SET, expr_load(r->a, s->part, &at)));
        Expr *from = expr_add(r->a, expr_mul(r->a, expr_sym(r->a, k), i32(r, GPU_THREADS)), at);
        Node *add = node_copy(r->a, s->part2, &at, s->to->op, expr_load(r->a, s->part, &from));
        vec_push(r->a, &kids, node_for(r->a, k, i32(r, 1), i32(r, r->workers / GPU_THREADS), 1, HOW_SERIAL, add));
    }
    Node *n = node_seq(r->a, kids.n, kids.at);
    n = node_for(r->a, t, i32(r, 0), i32(r, GPU_THREADS), 1, HOW_THREAD, n);
    return node_kernel(r->a, name_fresh(r->names, "combine"), n);
}

static Node *last_kernel(Partial *r) {
    NodeVec kids = {0};
    for (int i = 0; i < r->q->ntargets; i++) {
        const Slot *s = &r->slot[i];
        const Sym *k = iter_fresh(r->names, "k", T_I32);
        Expr *at = expr_sym(r->a, k);
        const Array *from = r->q->gpu ? s->part2 : s->part;
        Node *add = node_copy(r->a, s->to->array, s->to->sub, s->to->op, expr_load(r->a, from, &at));
        int n = r->q->gpu ? GPU_THREADS : CPU_WORKERS;
        Node *all = node_for(r->a, k, i32(r, 0), i32(r, n), 1, HOW_SERIAL, add);
        vec_push(r->a, &kids, s->to->when ? node_if(r->a, s->to->when, all, NULL) : all);
    }
    return node_kernel(r->a, name_fresh(r->names, "result"), node_seq(r->a, kids.n, kids.at));
}

Node *rule_partials(Names *names, const PartialRequest *q) {
    Arena *a = names->arena;
    Partial r = {names, a, q, q->gpu ? GPU_BLOCKS * GPU_THREADS : CPU_WORKERS, NEW_N(a, Slot, q->ntargets + 1)};
    for (int i = 0; i < q->ntargets; i++) {
        const PartialTarget *t = &q->target[i];
        r.slot[i] = (Slot){t, array_like(&r, t, "acc", PLACE_LOCAL, 0), array_like(&r, t, "part", PLACE_TEMP, r.workers),
                           q->gpu ? array_like(&r, t, "part2", PLACE_TEMP, GPU_THREADS) : NULL};
    }
    NodeVec kids = {0};
    vec_push(a, &kids, q->gpu ? partial_gpu(&r) : partial_cpu(&r));
    if (q->gpu) vec_push(a, &kids, middle_gpu(&r));
    vec_push(a, &kids, last_kernel(&r));
    if (!q->gpu) return block_of(&r, &kids, 1);
    Node *inner = block_of(&r, &kids, 1);
    NodeVec outer = {0};
    vec_push(a, &outer, inner);
    return block_of(&r, &outer, 2);
}
