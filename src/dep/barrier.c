// SPDX-License-Identifier: MIT
// barrier.c -- puts barriers where threads of one block must wait for each other.
//
//   for kt {                          for kt {
//       coop …  { copy sb … }             coop …  { copy sb … }
//                               →         barrier
//       thread … { … sb … }               thread … { … sb … }
//   }                                     barrier
//                                     }
#include "dep/barrier.h"
#include "ir/watch.h"

enum { MAX_SECONDS = 3 }; // then every pair that is left counts as meeting

// ---- the tree with its barriers -------------------------------------------------------------------

static Node *barrier_node(Arena *a, const Gap *g) {
    Node *n = NEW(a, Node);
    n->kind = N_BARRIER;
    n->pending = g->pending;
    n->warp = g->warp;
    return n;
}

static Node *rebuild(Barriers *b, const Spot *p);

static Node *rebuild_seq(Barriers *b, const Spot *p) {
    VEC(Node *) kids = {0};
    for (int i = 0; i < p->nkids; i++) {
        const Gap *g = i ? &b->k->gaps.at[p->gap + i - 1] : NULL;
        if (g && g->chosen) vec_push(b->a, &kids, barrier_node(b->a, g));
        vec_push(b->a, &kids, rebuild(b, p->kids[i]));
    }
    Node *n = node_clone(b->a, p->node);
    n->nkids = kids.n;
    n->kids = kids.at;
    return n;
}

// A body or branch: an async copy alone in it becomes a sequence, so that groups always end in one.
static Node *rebuild_alone(Barriers *b, const Spot *p) {
    Node *n = rebuild(b, p);
    bool inside = false;
    for (const Spot *up = p->up; up; up = up->up) inside |= dep_is_async(up->node);
    return dep_is_async(n) && !inside ? node_seq(b->a, 1, &n) : n;
}

static Node *with_end(Barriers *b, Node *body, const Gap *g) {
    Node *kids[2] = {body, barrier_node(b->a, g)};
    if (body->kind != N_SEQ) return node_seq(b->a, 2, kids);
    Node *n = node_clone(b->a, body);
    n->kids = NEW_N(b->a, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++) n->kids[i] = body->kids[i];
    n->kids[n->nkids++] = kids[1];
    return n;
}

static Node *rebuild(Barriers *b, const Spot *p) {
    if (p->is_phase || p->nkids == 0) return p->node;
    if (p->node->kind == N_SEQ) return rebuild_seq(b, p);
    Node *n = node_clone(b->a, p->node);
    if (n->kind == N_FOR) {
        n->body = rebuild_alone(b, p->kids[0]);
        const Gap *end = spot_is_serial_loop(p) ? &b->k->gaps.at[p->gap] : NULL;
        if (end && end->chosen) n->body = with_end(b, n->body, end);
        return n;
    }
    if (n->then) n->then = rebuild_alone(b, p->kids[0]);
    if (n->other) n->other = rebuild_alone(b, p->kids[p->nkids - 1]);
    return n;
}

// ---- kernels ------------------------------------------------------------------------------------------

static Node *synchronize(Barriers *b) {
    if (!barriers_find_needs(b)) return NULL;
    barriers_pick(b);
    barriers_count_pending(b);
    barriers_narrow(b);
    Node *kernel = node_clone(b->a, b->k->kernel);
    kernel->body = rebuild_alone(b, b->k->root);
    return kernel;
}

// What holds when the nest runs.
static isl_set *context(Relations *r, const Nest *n) {
    isl_set *when = n && n->when ? poly_cond(r->poly, (PolyScope){0, NULL}, n->when, NULL) : NULL;
    isl_set *ctx = isl_set_copy(r->ctx);
    return when ? isl_set_intersect(ctx, isl_set_params(when)) : ctx;
}

static bool is_phased(const Node *n) { return n->kind == N_KERNEL && kernel_has_phases(n); }

Node *dep_barriers(Compile *c, const Nest *nest, Node *root) {
    if (!node_any(root, is_phased)) return root;
    poly_restart(c);
    watch_start(c, MAX_SECONDS);
    Relations *r = relations_new(c, nest->region, root);
    PhasesVec kernels = {0};
    phases_of(c->arena, r, root, &kernels);
    isl_set *when = own_set(c->arena, context(r, nest));
    isl_set *ctx = own_set(c->arena, isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(when))));
    Node *out = root;
    for (int i = 0; out && i < kernels.n; i++) {
        if (!kernel_has_phases(kernels.at[i]->kernel)) continue;
        Barriers b = {.c = c, .a = c->arena, .r = r, .k = kernels.at[i], .ctx = ctx, .when = when};
        Node *kernel = synchronize(&b);
        out = kernel ? node_replace(c->arena, out, b.k->kernel, kernel) : NULL;
    }
    poly_gave_up(r->poly); // what was left undecided has its barriers
    return out;
}
