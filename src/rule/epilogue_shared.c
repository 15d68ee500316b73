// SPDX-License-Identifier: MIT
// epilogue_shared.c -- sums that meet memory through shared memory, a few rows at a time.
//
//   thread y, x { for r { for v            for r {
//     if (…)                                 coop  s[…] = a[…]           rows of a, side by side
//       a[8*r + y][4*x + v] += acc[r][v]  →  thread y, x { for v  s[y][4*x + v] += acc[r][v] }
//   } }                                      coop  a[…] = s[…]
//                                          }
//
// A thread has 4 neighbours of a row, in vectors of shared memory. Where rows of `a` begin anywhere there are
// no such vectors of it, and threads side by side would touch words four apart: each sector of memory four
// times over. In the copies threads side by side touch words side by side. What is read comes by asynchronous
// copies, so none waits for another. Loops that don't move along a row stand outside: the buffer is small.
#include "rule/epilogue.h"
#include "rule/linear.h"

enum { VECTOR_BYTES = 16 };

static bool add_condition(Through *t, const Node *n) {
    if (n->other || !cond_is_free(n->cond))
        return change_refuse(t->ch, "%s stands under a condition that is not plain",
                             t->copy->src->array->name);
    t->cond = cond_and(t->a, t->cond, n->cond);
    return true;
}

// Loops that don't move along a row stand outside, as far as they come first.
static bool add_loop(Through *t, const Node *n) {
    int64_t trips;
    bool row = expr_uses_sym(t->copy->sub[t->copy->dst->rank - 1], n->iter);
    if (!loop_constant(n, &trips) || t->nouter + t->ninner == 8)
        return change_refuse(t->ch, "%s has not a constant number of iterations", n->iter->name);
    if (!row && !t->ninner) t->outer[t->nouter++] = n;
    else t->inner[t->ninner++] = n;
    return true;
}

bool epilogue_parts(Through *t, const Path *p, const Node *all) {
    int from = p->n - 1;
    while (p->node[from] != all) from--;
    for (int i = from; i < p->n - 1; i++) {
        const Node *n = p->node[i];
        if (n->kind == N_IF && !add_condition(t, n)) return false;
        if (n->kind == N_FOR && !add_loop(t, n)) return false;
    }
    int top = from;
    while (top > 0 && p->node[top - 1]->kind == N_FOR && p->node[top - 1]->how == HOW_THREAD) top--;
    t->nthreads = from - top;
    if (!t->nthreads || t->nthreads > 8)
        return change_refuse(t->ch, "%s is not added to memory by the threads of a block",
                             t->copy->src->array->name);
    for (int i = 0; i < t->nthreads; i++) t->thread[i] = p->node[top + i];
    t->top = p->node[top];
    return true;
}

static Node *set_async(Node *n, void *a) {
    Node *m = node_map(a, n, set_async, a);
    if (n->kind == N_COPY) m->async = true;
    return m;
}

// Are neighbours in the innermost loop neighbours in the register and in the buffer, a whole vector?
static bool is_vector(const Through *t, const Node *loop, const Node *add) {
    int64_t trips;
    Linear to, from;
    const Array *x = add->src->array;
    if (!loop_constant(loop, &trips) || trips * type_size(x->elem) != VECTOR_BYTES) return false;
    if (!linear_of(add->sub[add->dst->rank - 1], &to) || !linear_of(add->src->args[x->rank - 1], &from))
        return false;
    for (int k = 0; k < to.n; k++)
        if (to.atom[k]->kind != E_SYM || (to.atom[k]->sym != loop->iter && to.coef[k] % trips)) return false;
    int64_t row;
    const Expr *extent = add->dst->extent[add->dst->rank - 1];
    row = extent->kind == E_INT ? extent->i : 1;
    return to.c % trips == 0 && from.n == 1 && from.c == 0 && linear_coef(&to, loop->iter) == 1 &&
           linear_coef(&from, loop->iter) == 1 && row % trips == 0 && t->ninner > 0;
}

static Node *find_copy(Node *n) {
    while (n->kind != N_COPY) n = n->body;
    return n;
}

// What a thread adds: beyond the edge too, to words that nobody looks at.
static Node *add(Through *t, FootWish *w, const FootBoxes *boxes, const Buffer *buffer) {
    Node *bare = in_loops(t->a, t->nthreads, t->thread,
                          in_loops(t->a, t->ninner, t->inner, node_clone(t->a, t->copy)));
    Node *n = buffers_redirect(w, bare, boxes, buffer);
    if (t->ninner && is_vector(t, t->inner[t->ninner - 1], find_copy(n))) {
        Node *last = n;
        while (last->body->kind == N_FOR) last = last->body;
        last->how = HOW_VECTOR;
    }
    return n;
}

static Node *declare(Through *t, Node *root, const Node *loop, const Array *array) {
    Path p;
    Node *block = NULL;
    if (!path_to(root, loop, &p)) return root;
    for (int i = 0; i < p.n; i++)
        if (p.node[i]->kind == N_KERNEL || (p.node[i]->kind == N_FOR && p.node[i]->how == HOW_BLOCK))
            block = p.node[i];
    if (!block) return root;
    Node *n = node_clone(t->a, block);
    n->body = seq_declare(t->a, n->body, array);
    return node_replace(t->a, root, block, n);
}

Nest *epilogue_through(Change *ch, const Path *p, const Node *all) {
    Through t = {.ch = ch, .a = ch->a, .copy = p->node[p->n - 1]};
    const Array *to = t.copy->dst;
    if (to->rank < 1) return change_refuse(ch, "%s is no array", to->name);
    if (!epilogue_parts(&t, p, all)) return NULL;
    Node *body = node_clone(t.a, t.copy);
    if (t.cond) body = node_if(t.a, t.cond, body, NULL);
    Node *piece = in_loops(t.a, t.nthreads, t.thread, in_loops(t.a, t.ninner, t.inner, body));
    FootWish w = {.ch = ch, .array = to, .threads = true};
    FootBoxes boxes = {0};
    Buffer buffer;
    if (!footprints_of(&w, piece, &boxes)) return NULL;
    if (boxes.n != 1) return change_refuse(ch, "the elements of %s are no box", to->name);
    if (!buffer_make(ch, &w, boxes.at[0], change_name(ch, change_text(ch, "through")), PLACE_SHARED, 0, NULL,
                     0, &buffer))
        return NULL;
    Copies in = buffer_copy(ch, &w, &buffer, COPY_IN, HOW_COOP, NULL),
           out = buffer_copy(ch, &w, &buffer, COPY_OUT, HOW_COOP, NULL);
    Node *kids[3] = {set_async(in.all, t.a), add(&t, &w, &boxes, &buffer), out.all};
    Node *rounds = in_loops(t.a, t.nouter, t.outer, node_seq(t.a, 3, kids));
    Node *root = node_replace(t.a, ch->nest->root, t.top, rounds);
    root = declare(&t, root, rounds, buffer.array);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, rounds));
}
