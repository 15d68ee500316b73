// SPDX-License-Identifier: MIT
// find_copies.c -- sites of the rules that work on buffers and on the copies that fill them.
//
//   for kt { copies into sb, sc;  thread { for k { copies into rb;  … } } }
//
//   edge       copies into a buffer under conditions; statements on registers under conditions; sizes
//              that conditions compare tiles with
//   pipeline   a loop whose body begins with copies into buffers
//   rotate     an inner pipeline at the end of what an outer loop's threads do
//   vectorize  a buffer that copies fill
//   expand     a local declared in a loop, outside of kernels
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/loops.h"

static bool is_buffer(const Array *x) {
    return x->place == PLACE_SHARED || x->place == PLACE_LOCAL || x->place == PLACE_REGISTER;
}

// ---- what a subtree does -------------------------------------------------------------------------
enum { MOST = 8 };
typedef struct Does {
    int nbuffers;
    const Array *buffer[MOST]; // that copies fill from memory or from other buffers
    bool shared;               // all of them are in shared memory, and asynchronous none
    int others;                // statements, and copies to elsewhere
} Does;

static void note_buffer(Does *d, const Array *x) {
    for (int k = 0; k < d->nbuffers; k++)
        if (d->buffer[k] == x) return;
    if (d->nbuffers < MOST) d->buffer[d->nbuffers++] = x;
}

static Does does(const Node *root) {
    Does d = {.shared = true};
    node_each(n, root) {
        bool fills = n->kind == N_COPY && is_buffer(n->dst) && n->op == OP_SET && n->src->kind == E_LOAD;
        d.others += n->kind == N_STMT || (n->kind == N_COPY && !fills);
        if (!fills) continue;
        d.shared = d.shared && n->dst->place == PLACE_SHARED && !n->async;
        note_buffer(&d, n->dst);
    }
    return d;
}

static const char *names_of(Arena *a, const Does *d) {
    Text t = text_new(a);
    for (int k = 0; k < d->nbuffers; k++) text_printf(&t, "%s%s", k ? "," : "", d->buffer[k]->name);
    return text_str(&t);
}

// ---- edge --------------------------------------------------------------------------------------
typedef struct Edges {
    Finder *f;
    bool copies, compute;      // any copies at all; a condition around a statement on registers
} Edges;

static bool is_on_registers(const Node *n) {
    const Array *to = n->kind == N_STMT && n->nvia ? n->via[0] : NULL;
    return to && (to->place == PLACE_REGISTER || to->place == PLACE_LOCAL);
}

static void each_edge(Edges *e, const Node *n) {
    if (n->kind == N_COPY && is_buffer(n->dst)) e->copies = true;
    if (n->kind != N_IF) return;
    Node *in = n->then;
    while ((in->kind == N_SEQ && in->nkids == 1) || (in->kind == N_FOR && in->how == HOW_VECTOR))
        in = in->kind == N_SEQ ? in->kids[0] : in->body;
    if (in->kind == N_COPY && is_buffer(in->dst) && in->op == OP_SET && in->src->kind == E_LOAD) {
        finder_site(e->f, "edge %s by=redirect", in->dst->name);
        finder_site(e->f, "edge %s by=zero", in->dst->name);
        return;
    }
    e->compute |= !n->other && node_any(n->then, is_on_registers);
}

// Sizes that conditions in a kernel compare tiles with, and how long the tiles are: 64 * ib + ii < n.
typedef struct Sizes {
    int n;
    const Sym *sym[MOST];
    int64_t tile[MOST];
} Sizes;

static void note_size(Sizes *s, const Linear *d) {
    const Sym *size = NULL;
    int64_t tile = 0;
    for (int k = 0; k < d->n; k++) {
        const Expr *x = d->atom[k];
        if (x->kind != E_SYM) return;
        if (x->sym->kind == SYM_PARAM && d->coef[k] == 1) size = size ? NULL : x->sym;
        else if (x->sym->kind == SYM_ITER && -d->coef[k] > tile) tile = -d->coef[k];
    }
    if (!size || tile < 2) return;
    int k = 0;
    while (k < s->n && s->sym[k] != size) k++;
    if (k == MOST) return;
    if (k == s->n) s->sym[s->n] = size, s->tile[s->n++] = tile;
    else if (tile > s->tile[k]) s->tile[k] = tile;
}

static void note_sizes(Sizes *s, const Node *n) {
    Expr *terms[TERMS_MAX];
    int count = n->kind == N_IF ? cond_terms(n->cond, terms, TERMS_MAX) : 0;
    for (int k = 0; k < count; k++) {
        Linear d;
        if (linear_cond(terms[k], &d)) note_size(s, &d);
    }
}

static void each_kernel(Edges *e, const Node *n) {
    if (n->kind != N_KERNEL) return;
    Sizes s = {0};
    node_each(m, n->body) note_sizes(&s, m);
    if (!s.n) return;
    Text names = text_new(e->f->ch->a), tiles = text_new(e->f->ch->a);
    for (int k = 0; k < s.n; k++) {
        text_printf(&names, "%s%s", k ? "," : "", s.sym[k]->name);
        text_printf(&tiles, "%s%lld", k ? "," : "", (long long)s.tile[k]);
    }
    finder_site(e->f, "edge two %s of=%s multiple=%s", n->name, text_str(&names), text_str(&tiles));
}

void find_edge(Finder *f) {
    Edges e = {.f = f};
    node_each(n, f->ch->nest->root) each_edge(&e, n);
    node_each(n, f->ch->nest->root) each_kernel(&e, n);
    if (e.compute) finder_site(e.f, "edge compute");
    if (!e.f->n)
        finder_miss(e.f, "the nest",
                    e.copies ? "its copies into buffers stand under no conditions"
                             : "nothing is copied into a buffer; stage an array first");
}

// ---- pipeline ------------------------------------------------------------------------------------
static void pipeline_at(Finder *f, const Node *loop) {
    Does all = {.shared = true};
    const Node *body = loop->body;
    int k = 0;
    for (; body->kind == N_SEQ && k < body->nkids; k++) {
        Does d = does(body->kids[k]);
        if (!d.nbuffers || d.others) break;
        all.shared = all.shared && d.shared;
        for (int i = 0; i < d.nbuffers && all.nbuffers < MOST; i++) all.buffer[all.nbuffers++] = d.buffer[i];
    }
    if (!all.nbuffers) {
        finder_miss(f, loop->iter->name, "its body does not begin with copies into buffers");
        return;
    }
    if (k == body->nkids) {
        finder_miss(f, loop->iter->name, "it holds copies alone: nothing in it uses what they bring");
        return;
    }
    const char *names = names_of(f->ch->a, &all);
    if (all.shared) finder_site(f, "pipeline %s async buffers=%s stages=3", loop->iter->name, names);
    finder_site(f, "pipeline %s buffers=%s stages=2", loop->iter->name, names);
}

void find_pipeline(Finder *f) {
    node_each(n, f->ch->nest->root)
        if (n->kind == N_FOR && (n->how == HOW_SERIAL || n->how == HOW_UNROLL)) pipeline_at(f, n);
}

// ---- rotate --------------------------------------------------------------------------------------
// Does it copy ahead under a condition, into registers?
static bool is_pipeline(const Node *n) {
    if (n->kind != N_FOR || n->body->kind != N_SEQ || !n->body->nkids) return false;
    const Node *first = n->body->kids[0];
    while (first->kind == N_SEQ && first->nkids == 1) first = first->kids[0];
    if (first->kind != N_IF || first->other) return false;
    Does d = does(first->then);
    return d.nbuffers && !d.others && d.buffer[0]->place != PLACE_SHARED;
}

static void each_rotate(Finder *f, const Node *n) {
    if (n->kind != N_FOR || n->how != HOW_SERIAL) return;
    const Node *last = n->body;
    while (last->kind == N_SEQ && last->nkids) last = last->kids[last->nkids - 1];
    if (last->kind != N_FOR || last->how != HOW_THREAD) {
        finder_miss(f, n->iter->name, "its body does not end with thread loops");
        return;
    }
    const Node *loop = NULL; // the last one
    node_each(in, last->body)
        if (is_pipeline(in)) loop = in;
    if (loop) finder_site(f, "rotate %s of=%s", n->iter->name, loop->iter->name);
    else finder_miss(f, n->iter->name, "no loop of its threads is a pipeline into registers");
}

void find_rotate(Finder *f) {
    node_each(n, f->ch->nest->root) each_rotate(f, n);
}

// ---- vectorize -----------------------------------------------------------------------------------

void find_vectorize(Finder *f) {
    node_each(n, f->ch->nest->root) {
        bool load = n->kind == N_COPY && n->src->kind == E_LOAD;
        const Array *to = load ? n->dst : NULL, *from = load ? n->src->array : NULL;
        if (load && (is_buffer(to) || is_buffer(from)))
            finder_site(f, "vectorize %s width=4", (is_buffer(to) ? to : from)->name);
    }
    if (!f->n)
        finder_miss(f, "the nest",
                    "nothing is copied into or out of a buffer; stage or hoist an array first");
}

// ---- expand --------------------------------------------------------------------------------------
typedef struct Locals {
    Finder *f;
    bool any;
} Locals;

static void locals_below(Locals *l, Node *n, bool in_loop, bool in_kernel) {
    if (!n) return;
    for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++) {
        const Array *x = n->locals[k];
        if (x->place != PLACE_LOCAL || x->of) continue;
        l->any = true;
        if (in_kernel) finder_miss(l->f, x->name, "it is in a kernel; expand it before");
        else if (!in_loop) finder_miss(l->f, x->name, "no loop stands around it");
        else finder_site(l->f, "expand %s", x->name);
    }
    in_loop = in_loop || n->kind == N_FOR;
    in_kernel = in_kernel || n->kind == N_KERNEL;
    for (int k = 0; k < n->nkids; k++) locals_below(l, n->kids[k], in_loop, in_kernel);
    locals_below(l, n->body, in_loop, in_kernel);
    locals_below(l, n->then, in_loop, in_kernel);
    locals_below(l, n->other, in_loop, in_kernel);
}

void find_expand(Finder *f) {
    Locals l = {.f = f};
    locals_below(&l, f->ch->nest->root, false, false);
    if (!l.any) finder_miss(l.f, "the nest", "it has no local variables");
}
