// SPDX-License-Identifier: MIT
// split.c -- a kernel's body cut at its barriers: phases of thread loops between them.
//
//   thread tx {                        thread tx { A }
//       A; barrier;                    barrier
//       for k { B; barrier; C }   →    for k { thread tx { B } barrier thread tx { C } }
//   }
//
// A loop or condition around a barrier moves outside of the threads, so all of them must agree on
// it. They do where nothing in it depends on the thread (what a value depends on is followed
// through the private variables), or where isl finds that no two threads of a block differ.
// Private variables that live from phase to phase become registers; those that such a loop or
// condition reads are computed once for the block.
#include "kernel/pass.h"
#include "kernel/vary.h"
#include "ir/poly.h"

typedef struct Splitter {
    KernelRead *k;
    Arena *a;
    Vary vary;
    int nblock, nthread;
    Node *const *around;         // block loops, thread loops
    const Sym *thread[3];
    VEC(Node *) path;            // loops and conditions around, those of `around` first
    ArrayVec uniform;            // variables that the block keeps
    Split *out;
} Splitter;

// ---- questions -----------------------------------------------------------------------------
static const Node *first_barrier(const Node *root) {
    node_each(n, root)
        if (n->kind == N_BARRIER) return n;
    return NULL;
}

static bool has_barrier(const Node *n) { return first_barrier(n) != NULL; }

typedef struct Bare {
    Arena *a;
    bool warps;
} Bare;

// Without its barriers; warps: only those of warps go.
static Node *bare(Node *n, void *arg) {
    Bare *b = arg;
    if (n->kind == N_BARRIER && (!b->warps || n->pending < 0)) return NULL;
    return node_map(b->a, n, bare, arg);
}

static Node *without_barriers(Splitter *s, Node *n, bool warps) { return bare(n, &(Bare){s->a, warps}); }

// ---- do all threads agree? ---------------------------------------------------------------------
static Expr *for_first_thread(Splitter *s, Expr *x) {
    const Sym *from[3];
    Expr *to[3];
    for (int d = 0; d < s->nthread; d++) from[d] = s->thread[d], to[d] = expr_int(s->a, from[d]->type, 0);
    return expr_subst(s->a, x, s->nthread, from, to);
}

static bool is_open(const Expr *x) { return x->kind == E_SYM && x->sym->kind == SYM_PARAM; }

// Does x have two values among the threads of the first block? False if that hangs on more than they.
static bool differs_at_once(Splitter *s, const Expr *x) {
    int n = s->nblock + s->nthread;
    InterpVal v[6];
    int64_t first, own, total = 1;
    for (int d = 0; d < n; d++) v[d] = (InterpVal){s->around[d]->iter, 0, 0};
    if (!ir_eval(x, n, v, &first)) return false;
    for (int d = 0; d < s->nthread; d++) total *= s->k->launch.block[d];
    for (int64_t t = 1; t < total; t++) {
        int64_t left = t;
        for (int d = n - 1; d >= s->nblock; d--) { // the loops' bounds are the block's sizes
            int64_t size = s->around[d]->hi->kind == E_INT ? s->around[d]->hi->i : 1;
            v[d].i = left % size;
            left /= size;
        }
        if (ir_eval(x, n, v, &own) && own != first) return true;
    }
    return false;
}

// Are they known to disagree (0), under this launch whatever the parameters are? -1: not known.
static bool is_certain(Splitter *s, int agree, const Expr *x) {
    bool open = expr_any(x, is_open);
    return agree == 0 ? !open : agree < 0 && !open && differs_at_once(s, x);
}

// The condition as all threads see it; NULL: they may differ, *certain: they do.
static Expr *agreed_cond(Splitter *s, Expr *x, bool *certain) {
    *certain = false;
    if (!vary_expr(&s->vary, x)) return x;
    if (expr_has_load(x)) return NULL;
    int agree = poly_agree_cond(s->k->c, s->path.n, s->path.at, x, s->nthread, s->thread);
    *certain = is_certain(s, agree, x);
    return agree == 1 ? for_first_thread(s, x) : NULL;
}

// lo + step * t for t in 0 … trips, where only lo depends on the thread and all make as many trips.
static Node *agreed_for(Splitter *s, Node *n, bool *certain) {
    *certain = false;
    if (!vary_expr(&s->vary, n->lo) && !vary_expr(&s->vary, n->hi)) return n;
    if (n->step <= 0 || expr_has_load(n->lo) || expr_has_load(n->hi)) return NULL;
    Arena *a = s->a;
    Expr *span = expr_add(a, expr_sub(a, n->hi, n->lo), expr_int(a, n->lo->type, n->step - 1));
    Expr *trips = expr_op(a, OP_FDIV, span, expr_int(a, n->lo->type, n->step), NULL);
    trips = expr_op(a, OP_MAX, trips, expr_int(a, n->lo->type, 0), NULL);
    int agree = poly_agree_value(s->k->c, s->path.n, s->path.at, trips, s->nthread, s->thread);
    *certain = is_certain(s, agree, trips);
    if (agree != 1) return NULL;
    Sym *t = NEW(a, Sym);
    *t = (Sym){.name = arena_printf(a, "%s_trip", n->iter->name), .kind = SYM_ITER, .type = n->iter->type};
    Expr *value = expr_add(a, n->lo, expr_mul(a, expr_sym(a, t), expr_int(a, t->type, n->step)));
    Node *loop = node_for(a, t, expr_int(a, t->type, 0), for_first_thread(s, trips), 1, HOW_SERIAL,
                          vary_subst(a, n->body, n->iter, value));
    loop->loc = n->loc;
    return loop;
}

static bool same_place(Loc x, Loc y) { return x.line == y.line && x.col == y.col; }

static bool has_return(const Ast *x) {
    if (!x) return false;
    if (x->kind == A_RETURN) return true;
    for (int i = 0; i < x->nkids; i++)
        if (has_return(x->kids[i])) return true;
    return false;
}

// Is the condition at `at` that under which threads return from the kernel?
static bool is_way_out(const Ast *x, Loc at) {
    if (!x) return false;
    if (x->kind == A_IF && same_place(x->loc, at))
        return has_return(x->kids[1]) || (x->nkids > 2 && has_return(x->kids[2]));
    for (int i = 0; i < x->nkids; i++)
        if (is_way_out(x->kids[i], at)) return true;
    return false;
}

static void complain(Splitter *s, const Node *n, const Expr *x, bool certain) {
    const Node *b = first_barrier(n);
    const char *why = vary_reason(&s->vary, x);
    bool left = n->kind == N_IF && !s->k->opencl && is_way_out(s->k->kernel->body, n->loc);
    if (left) {
        diag(s->k->c, DIAG_REMARK, SC_BARRIER, b->loc,
             "threads that returned at %d:%d%s don't arrive at this barrier: CUDA waits only for those "
             "that are left, OpenCL forbids it",
             n->loc.line, n->loc.col, why);
        return;
    }
    bool data = !certain && expr_has_load(x);
    s->k->unsure |= !certain;
    diag(s->k->c, certain || data ? DIAG_ERROR : DIAG_WARNING, SC_BARRIER, b->loc,
         "this barrier is under the %s at %d:%d, on which the threads of a block "
         "may disagree%s: not all of them would arrive",
         n->kind == N_FOR ? "loop" : "condition", n->loc.line, n->loc.col, why);
}

static bool is_of_block(const Node *n) { return n->kind == N_BARRIER && !n->warp; }

// Do all threads of a warp see the condition as their first one does?
static bool warp_agrees(Splitter *s, Expr *x) {
    const Sym *t = s->nthread ? s->thread[s->nthread - 1] : NULL;
    if (expr_has_load(x) || !t || s->k->launch.block[0] % 32) return false;
    Expr *n = expr_int(s->a, t->type, 32), *tx = expr_sym(s->a, t);
    Expr *first = expr_mul(s->a, expr_op(s->a, OP_DIV, tx, n, NULL), n);
    Expr *there = expr_subst(s->a, x, 1, &t, &first), *both = expr_op(s->a, OP_LAND, x, there, NULL);
    Expr *none = expr_op(s->a, OP_LNOT, expr_op(s->a, OP_LOR, x, there, NULL), NULL, NULL);
    Expr *alike = expr_op(s->a, OP_LOR, both, none, NULL);
    return poly_agree_cond(s->k->c, s->path.n, s->path.at, alike, s->nthread, s->thread) == 1;
}

// A condition around barriers on which threads disagree: may it be so?
static void complain_cond(Splitter *s, const Node *n, bool certain) {
    bool left = n->kind == N_IF && !s->k->opencl && is_way_out(s->k->kernel->body, n->loc);
    if (node_any(n, is_of_block)) complain(s, n, n->cond, certain);
    else s->k->unsure |= expr_has_load(n->cond) || !(left || warp_agrees(s, n->cond));
}

// if (c) { A; barrier; B }  →  if (c) A; barrier; if (c) B: the others arrive too.
static Node *dealt(Splitter *s, Node *n, Expr *cond) {
    Arena *a = s->a;
    if (n->kind == N_BARRIER) return n;
    if (!has_barrier(n)) {
        Node *c = NEW(a, Node);
        *c = (Node){.kind = N_IF, .loc = n->loc, .cond = cond, .then = n};
        return c;
    }
    Node *c = node_clone(a, n);
    if (n->kind == N_SEQ) {
        c->kids = NEW_N(a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) c->kids[i] = dealt(s, n->kids[i], cond);
    }
    if (n->body) c->body = dealt(s, n->body, cond);
    if (n->then) c->then = dealt(s, n->then, cond);
    if (n->other) c->other = dealt(s, n->other, cond);
    return c;
}

static Node *settle(Splitter *s, Node *n);

// Threads disagree on the condition. It must be the same at each of its copies: without loads it is.
static Node *settle_apart(Splitter *s, Node *n) {
    if (expr_has_load(n->cond)) return without_barriers(s, n, false);
    Node *both[2] = {n->then ? dealt(s, settle(s, n->then), n->cond) : NULL, NULL};
    if (n->other)
        both[1] =
            dealt(s, settle(s, n->other), expr_op(s->a, OP_EQ, n->cond, expr_int(s->a, T_I32, 0), NULL));
    return both[0] && both[1] ? node_seq(s->a, 2, both) : both[0] ? both[0] : both[1];
}

// Barriers where threads may not arrive are named; loops and conditions around the others say the
// same for all threads.
static Node *settle(Splitter *s, Node *n) {
    if (!has_barrier(n)) return n;
    bool certain;
    Node *c = node_clone(s->a, n);
    if (n->kind == N_SEQ) {
        c->kids = NEW_N(s->a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) c->kids[i] = settle(s, n->kids[i]);
    } else if (n->kind == N_IF) {
        Expr *cond = agreed_cond(s, n->cond, &certain);
        if (!cond) {
            complain_cond(s, n, certain);
            return settle_apart(s, n);
        }
        c->cond = cond;
        vec_push(s->a, &s->path, c);
        c->then = settle(s, n->then);
        s->path.n--;
        if (n->other) c->other = settle(s, n->other);
    } else if (n->kind == N_FOR) {
        Node *loop = agreed_for(s, n, &certain);
        if (!loop) {
            complain(s, n, vary_expr(&s->vary, n->hi) ? n->hi : n->lo, certain);
            return without_barriers(s, n, false);
        }
        c = node_clone(s->a, loop);
        vec_push(s->a, &s->path, c);
        c->body = settle(s, loop->body);
        s->path.n--;
    }
    return c;
}

// ---- what the block keeps -------------------------------------------------------------------------
static bool keeps(const Splitter *s, const Array *v) { return has_array(&s->uniform, v); }

static void keep_reads(Splitter *s, const Node *n) {
    node_each_expr(x, n)
        if (x->kind == E_LOAD && x->array->place == PLACE_LOCAL && !keeps(s, x->array))
            vec_push(s->a, &s->uniform, x->array);
}

static bool sets_kept(Splitter *s, Node *n) {
    for (int i = 0; i < s->uniform.n; i++)
        if (node_writes(n, s->uniform.at[i])) return true;
    return false;
}

// Private variables that the loops and conditions around barriers read, and those that these are computed
// from, until nothing is added.
static void keep_all(Splitter *s, Node *body) {
    node_each(n, body)
        if (has_barrier(n)) keep_reads(s, n);
    for (int before = -1; before != s->uniform.n;) {
        before = s->uniform.n;
        node_each(n, body)
            if (sets_kept(s, n)) keep_reads(s, n);
    }
}

// ---- cutting ------------------------------------------------------------------------------------------
static Node *in_threads(Splitter *s, int n, Node *const *kids, int nlocals, const Array *const *locals) {
    Node *body = node_seq(s->a, n, kids);
    body->nlocals = nlocals;
    body->locals = NEW_N(s->a, const Array *, nlocals + 1);
    for (int i = 0; i < nlocals; i++) body->locals[i] = locals[i];
    body->loc = kids[0]->loc;
    for (int d = s->nthread - 1; d >= 0; d--) {
        Node *loop = node_clone(s->a, s->around[s->nblock + d]);
        loop->body = body;
        loop->loc = kids[0]->loc;
        body = loop;
    }
    return body;
}

static bool is_block_level(Splitter *s, Node *n) { return has_barrier(n) || sets_kept(s, n); }

static Node *cut(Splitter *s, Node *n);

static Node *cut_seq(Splitter *s, Node *n) {
    VEC(Node *) out = {0};
    VEC(Node *) run = {0};       // neighbouring statements of threads
    VEC(int) from = {0};         // out.at[i] is made of run from.at[i]; -1: of the block
    VEC(Node *) runs = {0};
    for (int i = 0; i <= n->nkids; i++) {
        Node *kid = i < n->nkids ? n->kids[i] : NULL;
        if (kid && !is_block_level(s, kid)) {
            vec_push(s->a, &run, kid);
            continue;
        }
        if (run.n) {
            vec_push(s->a, &runs, node_seq(s->a, run.n, run.at));
            vec_push(s->a, &out, NULL);
            vec_push(s->a, &from, runs.n - 1);
            run.n = 0, run.cap = 0, run.at = NULL;
        }
        if (!kid) break;
        vec_push(s->a, &out, cut(s, kid));
        vec_push(s->a, &from, -1);
    }
    ArrayVec kept = {0}, *own = NEW_N(s->a, ArrayVec, runs.n + 1);
    for (int v = 0; v < n->nlocals; v++) {
        int uses = 0, at = -1;
        for (int i = 0; i < out.n; i++) {
            bool in_run = from.at[i] >= 0;
            if (!node_uses(in_run ? runs.at[from.at[i]] : out.at[i], n->locals[v])) continue;
            uses += in_run ? 1 : 2;
            at = from.at[i];
        }
        if (keeps(s, n->locals[v])) vec_push(s->a, &kept, n->locals[v]);
        else if (uses == 1) vec_push(s->a, &own[at], n->locals[v]);
        else if (uses > 1) {
            vec_push(s->a, &kept, n->locals[v]);
            vec_push(s->a, &s->out->registers, n->locals[v]);
        }
    }
    for (int i = 0; i < out.n; i++)
        if (from.at[i] >= 0) {
            Node *r = runs.at[from.at[i]];
            out.at[i] = in_threads(s, r->nkids, r->kids, own[from.at[i]].n, own[from.at[i]].at);
        }
    Node *c = node_seq(s->a, out.n, out.at);
    c->loc = n->loc;
    c->nlocals = kept.n;
    c->locals = kept.at;
    return c;
}

static Node *as_seq(Splitter *s, Node *n) { return n->kind == N_SEQ ? n : node_seq(s->a, 1, &n); }

static Node *cut(Splitter *s, Node *n) {
    Node *c = node_clone(s->a, n);
    switch (n->kind) {
    case N_SEQ: return cut_seq(s, n);
    case N_FOR: c->body = cut_seq(s, as_seq(s, n->body)); return c;
    case N_IF:
        c->then = cut_seq(s, as_seq(s, n->then));
        if (n->other) c->other = cut_seq(s, as_seq(s, n->other));
        return c;
    default: return n; // a barrier, or a statement that the block makes once
    }
}

Split *kernel_split(KernelRead *k, Node *body, int nblock, int nthread, Node *const *around) {
    Splitter s = {.k = k, .a = k->a, .nblock = nblock, .nthread = nthread, .around = around};
    for (int i = 0; i < nblock + nthread; i++) vec_push(s.a, &s.path, around[i]);
    for (int d = 0; d < nthread; d++) s.thread[d] = around[nblock + d]->iter;
    s.out = NEW(s.a, Split);
    body = as_seq(&s, k->launch.lanes ? body : without_barriers(&s, body, true));
    vary_start(&s.vary, s.a, nthread, s.thread, body);
    body = as_seq(&s, vary_take_offsets(&s.vary, body));
    body = settle(&s, body);
    keep_all(&s, body);
    s.out->body = cut_seq(&s, as_seq(&s, body));
    return s.out;
}
