// SPDX-License-Identifier: MIT
// pipeline.c -- copies into buffers run ahead of the iterations that use them.
//
//   for k {                     copies of iterations 0 and 1 into stages 0 and 1
//     copies into s             for k {
//     … s[i] … }           →        if (k + 2 < hi) { copies of iteration k + 2 into s[(k + 2) % 3] }
//                                   … s[k % 3][i] … }
//
// For buffers in shared memory the copies may be asynchronous; for local arrays (fragments)
// the loop is to be unrolled, so that the stages are constants.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/storage.h"
#include <string.h>

enum { MAX_BUFFERS = 8 };

typedef struct Pipe {
    Change *ch;
    Arena *a;
    const char *loop;
    int n;
    const Array *old[MAX_BUFFERS];
    Array *now[MAX_BUFFERS];
    int64_t stages;
    bool async;
    int next;                // the buffer that is being redirected
    const Node *at;          // the loop
} Pipe;

// ---- the copies at the start of the body ----------------------------------------------------------

static bool is_buffer(const Pipe *p, const Array *x) {
    for (int k = 0; k < p->n; k++)
        if (p->old[k] == x || p->now[k] == x) return true;
    return false;
}

// 1: only copies into the buffers; 0: none; -1: both kinds.
static int kind_of(const Pipe *p, Node *kid) {
    int mine = 0, others = 0; // copies into the buffers; other statements and copies
    node_each(n, kid) {
        bool fills = n->kind == N_COPY && is_buffer(p, n->dst);
        mine += fills;
        others += !fills && (n->kind == N_COPY || n->kind == N_STMT);
    }
    return !mine ? 0 : others ? -1 : 1;
}

static bool check_body(Pipe *p, const Node *loop) {
    bool rest = false, found = false;
    if (loop->body->kind != N_SEQ)
        return change_refuse(p->ch, "%s has no copies at the start of its body", p->loop);
    for (int k = 0; k < loop->body->nkids; k++) {
        int kind = kind_of(p, loop->body->kids[k]);
        if (kind < 0 || (kind > 0 && rest))
            return change_refuse(p->ch, "the copies into the buffers don't stand alone at the start of %s",
                                 p->loop);
        found = found || kind > 0;
        rest = rest || kind == 0;
    }
    return found || change_refuse(p->ch, "nothing is copied into the buffers at the start of %s", p->loop);
}

// ---- stages ---------------------------------------------------------------------------------------
static Expr *stage_of(const Pipe *p, const Node *loop) {
    Arena *a = p->a;
    Expr *it = expr_sym(a, loop->iter);
    bool natural = loop->lo->kind == E_INT && loop->lo->i >= 0;
    if (natural) return expr_op(a, OP_MOD, it, expr_int(a, it->type, p->stages), NULL);
    return expr_op(a, OP_MOD, expr_sub(a, it, loop->lo), expr_int(a, it->type, p->stages), NULL);
}

// Accesses in the loop go to the stage of their iteration, all others to stage 0.
static bool to_stage(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Pipe *p = arg;
    const Array *x = p->now[p->next];
    Expr *stage = expr_int(p->a, T_I32, 0);
    for (int k = 0; k < s->nloops; k++)
        if (s->loop[k]->iter == p->at->iter) stage = stage_of(p, p->at);
    Expr **v = NEW_N(p->a, Expr *, x->rank);
    for (int d = 0, from = 0; d < x->rank; d++) v[d] = d == x->digits ? stage : s->sub[from++];
    *to = x;
    *sub = v;
    return true;
}

static Array *staged_array(Pipe *p, const Array *x) {
    Array *y = array_copy(p->a, x, NULL, 1);
    for (int d = 0; d < x->digits; d++) y->extent[d] = x->extent[d];
    y->extent[x->digits] = expr_int(p->a, T_I32, p->stages);
    return y;
}

// What the body declares lives as long as the loop now.
static Node *lift_locals(Pipe *p, Node *body, Node *block) {
    const Array **stay = NEW_N(p->a, const Array *, body->nlocals + 1);
    int n = 0;
    for (int i = 0; i < body->nlocals; i++) {
        if (is_buffer(p, body->locals[i])) block = seq_declare(p->a, block, body->locals[i]);
        else stay[n++] = body->locals[i];
    }
    body->locals = stay;
    body->nlocals = n;
    return block;
}

// ---- copies ahead -----------------------------------------------------------------------------------
static Node *make_async(Node *n, void *a) {
    if (n->kind == N_STMT) return n;
    Node *m = node_map(a, n, make_async, a);
    if (n->kind != N_COPY) return m;
    bool loads =
        n->src->kind == E_LOAD && (n->src->array->place == PLACE_USER || n->src->array->place == PLACE_TEMP);
    m->async = loads && n->dst->place == PLACE_SHARED && n->op == OP_SET;
    return m;
}

// The copies for iteration `at`, where there is one.
static Node *copies_for(Pipe *p, const Node *loop, int n, Node *const *kids, Expr *at, bool second) {
    Node *all = node_seq(p->a, n, kids);
    if (second) all = change_copy(p->ch, all);
    all = node_subst(p->a, all, 1, &loop->iter, &at);
    Expr *there = expr_op(p->a, OP_LT, at, expr_cast(p->a, at->type, loop->hi), NULL);
    if (expr_is_int(there, 1)) return all;
    // Each iteration's copies are a group of their own, so that each can be waited for.
    Node *one = node_if(p->a, there, all, NULL);
    return node_seq(p->a, 1, &one);
}

static Node *ahead(Pipe *p, Node *root) {
    Arena *a = p->a;
    Node *loop = loop_named(root, p->loop), *n = node_clone(a, loop), *body = node_clone(a, loop->body);
    int copies = 0;
    while (copies < body->nkids && kind_of(p, body->kids[copies]) > 0) copies++;
    Node **kids = NEW_N(a, Node *, body->nkids + 1), **out = NEW_N(a, Node *, p->stages + 1);
    for (int k = 0; k < copies; k++) kids[k] = p->async ? make_async(body->kids[k], a) : body->kids[k];
    Type t = loop->iter->type;
    int nout = 0;
    for (int64_t s = 0; s + 1 < p->stages; s++)
        out[nout++] = copies_for(p, loop, copies, kids, expr_add(a, loop->lo, expr_int(a, t, s)), true);
    Node *later = copies_for(p, loop, copies, kids,
                             expr_add(a, expr_sym(a, loop->iter), expr_int(a, t, p->stages - 1)), false);
    Node **rest = NEW_N(a, Node *, body->nkids + 1);
    rest[0] = later;
    for (int k = copies; k < body->nkids; k++) rest[1 + k - copies] = body->kids[k];
    body->nkids += 1 - copies;
    body->kids = rest;
    n->body = body;
    out[nout++] = n;
    Node *block = node_seq(a, nout, out);
    block = lift_locals(p, body, block);
    root = node_replace(a, root, loop, block);
    for (int k = 0; k + 1 < nout; k++) root = simplify_at(p->ch->c, p->ch->nest, root, out[k]);
    return root;
}

static bool read_names(Pipe *p) {
    const char *names[STEP_MAX];
    p->n = change_names(p->ch, "buffers", names, STEP_MAX);
    if (p->n > MAX_BUFFERS) return change_refuse(p->ch, "more than %d buffers", MAX_BUFFERS);
    for (int k = 0; k < p->n; k++) {
        p->old[k] = change_array(p->ch, names[k]);
        if (!p->old[k]) return false;
        if (p->old[k]->place != PLACE_SHARED && p->old[k]->place != PLACE_LOCAL &&
            p->old[k]->place != PLACE_REGISTER)
            return change_refuse(p->ch, "%s is no buffer of a block or thread", names[k]);
        if (p->async && p->old[k]->place != PLACE_SHARED)
            return change_refuse(p->ch, "%s is not in shared memory; its copies can't be asynchronous",
                                 names[k]);
    }
    return true;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    bool async = s->nwords == 2 && str_eq(s->words[1], "async");
    if (s->nwords != 1 && !async) return change_refuse(ch, "it takes one loop; usage: %s", ch->rule->usage);
    Pipe p = {.ch = ch, .a = ch->a, .loop = s->words[0], .stages = change_int(ch, "stages"), .async = async};
    Node *loop = change_loop(ch, p.loop);
    if (!loop || !read_names(&p)) return NULL;
    if (loop->step != 1 || (loop->how != HOW_SERIAL && loop->how != HOW_UNROLL))
        return change_refuse(ch, "%s must be a serial loop with step 1", p.loop);
    if (!check_body(&p, loop)) return NULL;
    Node *root = ch->nest->root;
    p.at = loop;
    for (int k = 0; k < p.n; k++) {
        p.now[k] = staged_array(&p, p.old[k]);
        p.next = k;
        root = accesses_edit(ch->a, root, p.old[k], to_stage, &p);
        root = node_declared_anew(ch->a, root, p.old[k], p.now[k]);
    }
    return change_done(ch, ahead(&p, root));
}

static const Knob knobs[] = {
    {"buffers", "the buffers that the body's first copies fill", KNOB_NAMES, 0, 0, NULL, NULL},
    {"stages", "copies of each buffer; copies run that many iterations ahead, less one", KNOB_INT, 2, 8, NULL,
     "2"},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS
     "hoist a at=kt as=acc\n"
     "stage b at=kt as=sb\n",
     "pipeline kt async buffers=sb stages=3", NULL},
    {0},
};

const Rule pipeline_rule = {
    .name = "pipeline",
    .usage = "pipeline LOOP [async] buffers=NAMES [stages=N]",
    .summary = "Runs the copies into buffers ahead of the iterations that use them, in several stages.",
    .picture = "for k                     copies into s[0], s[1]\n"
               "    copies into s     →   for k\n"
               "    … s …                     if (k + 2 < hi) copies into s[(k + 2) % 3]\n"
               "                              … s[k % 3] …\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_pipeline,
    .examples = examples,
};
