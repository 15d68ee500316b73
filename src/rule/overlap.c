// SPDX-License-Identifier: MIT
// overlap.c -- a kernel's blocks in slices, whose data come and go while other slices run.
//
//       upload    s0 ▒▒▒ s1 ▒▒▒ s2 ▒▒▒ s3 ▒▒▒
//       kernels          s0 ███ s1 ███ s2 ███ s3 ███
//       download                s0 ░░░ s1 ░░░ s2 ░░░ s3 ░░░     one time step a column
//
// The rule only cuts the grid and marks the kernel as streamed. Which boxes a slice touches is
// told by dep_kernel_feet when the nest is closed; what the run time sends before a launch is
// what that launch touches and no launch before it has brought, and what it fetches behind a
// launch is what no later one writes. So an operand that all slices read goes up once, before
// the first; a halo goes up with the first slice that needs it.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

static int kernel_on(const Path *p) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i]->kind == N_KERNEL) return i;
    return -1;
}

// Where the loop over slices goes: around the kernel, or around a host loop that holds nothing else.
static Node *place_of(Change *ch, const Path *p, int kernel) {
    const char *name[2];
    int n = change_names(ch, "around", name, 2);
    if (n == 0) return p->node[kernel];
    for (int i = 0; i < kernel; i++) {
        if (p->node[i]->kind != N_FOR || !str_eq(p->node[i]->iter->name, name[0])) continue;
        for (int k = i + 1; k < kernel; k++) {
            const Node *m = p->node[k];
            if (m->kind != N_FOR && (m->kind != N_SEQ || m->nkids != 1))
                return change_refuse(ch, "%s holds more than kernel %s", name[0], p->node[kernel]->name),
                       NULL;
        }
        return p->node[i];
    }
    return change_refuse(ch, "no host loop %s stands around kernel %s", name[0], p->node[kernel]->name), NULL;
}

static Nest *stream_whole(Change *ch, Node *kernel) {
    if (change_int(ch, "by") || change_int(ch, "in"))
        return change_refuse(ch, "by= needs a block loop, and %s is a kernel", kernel->name);
    if (kernel->streamed) return change_refuse(ch, "kernel %s is streamed already", kernel->name);
    Node *n = node_clone(ch->a, kernel);
    n->streamed = true;
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, n));
}

static Node *streamed(Arena *a, const Node *kernel, const Node *loop, Node *part) {
    Node *k = node_clone(a, kernel);
    k->body = node_replace(a, kernel->body, loop, part);
    k->streamed = true;
    return k;
}

// The blocks from by * s to by * (s + 1) of the loop.
static Node *slice_of(Change *ch, Node *kernel, Node *loop, Expr *s, int64_t by) {
    Arena *a = ch->a;
    Node *n = node_clone(a, loop);
    Type t = loop->iter->type;
    n->lo = expr_add(a, loop->lo, expr_cast(a, t, expr_mul(a, s, expr_int(a, s->type, by))));
    n->hi = expr_op(a, OP_MIN, loop->hi, expr_add(a, n->lo, expr_int(a, t, by)), NULL);
    return streamed(a, kernel, loop, n);
}

// slices: how many, at least 1; over parameters and facts. counter: a fresh one of the host.
static Node *rule_slices(Arena *a, const Node *kernel, const Node *loop, const Sym *counter, Expr *slices) {
    slices = expr_cast(a, T_I64, slices);
    Node *k = streamed(a, kernel, loop, ir_slice(a, loop, counter, slices));
    return node_for(a, counter, expr_int(a, counter->type, 0), expr_cast(a, counter->type, slices), 1,
                    HOW_SERIAL, k);
}

// ---- a whole nest ---------------------------------------------------------------------------------
static bool none(Kernels *k, const char *why) { return k->why = why, false; }

static bool collect(Arena *a, Node *n, Kernels *k) {
    switch (n->kind) {
    case N_KERNEL:
        if (k->n == KERNELS_MAX || n->streamed) return none(k, "it has many kernels");
        k->kernel[k->n++] = n;
        return true;
    case N_SEQ:
        if (n->nlocals) return none(k, "it has temporaries, for which slices would wait");
        for (int i = 0; i < n->nkids; i++)
            if (!collect(a, n->kids[i], k)) return false;
        return true;
    case N_IF:
        k->when = cond_and(a, k->when, n->cond);
        return collect(a, n->then, k);
    default: return none(k, "loops of the host use the data again and again");
    }
}

// A launch for a slice has its blocks in one round, which is asked of the sizes.
static Node *one_round(Arena *a, Node *kernel, Expr **when) {
    const Node *loop;
    for (Node *less; (less = ir_one_round(a, kernel, &loop)); kernel = less)
        *when = cond_and(
            a, *when, expr_op(a, OP_LE, expr_cast(a, T_I64, loop->hi), expr_int(a, T_I64, loop->step), NULL));
    return kernel;
}

bool kernels_sliced(Arena *a, Node *root, Kernels *out) {
    *out = (Kernels){0};
    if (!collect(a, root, out)) return false;
    if (!out->n) return none(out, "it has no kernel");
    for (int i = 0; i < out->n; i++) out->kernel[i] = one_round(a, out->kernel[i], &out->when);
    return true;
}

// The kernels of the branches for large sizes alone, all streamed, the last one's blocks in slices.
static Nest *whole(Change *ch, const char *name, const char *text) {
    Arena *a = ch->a;
    Kernels k;
    if (!kernels_sliced(a, ch->nest->root, &k)) return change_refuse(ch, "%s", k.why);
    for (int i = 0; i < k.n; i++) {
        k.kernel[i] = node_clone(a, k.kernel[i]);
        k.kernel[i]->name = arena_printf(a, "%s_part", k.kernel[i]->name);
        k.kernel[i]->streamed = true;
    }
    Node **last = &k.kernel[k.n - 1], *blocks = loop_named(*last, name);
    if (!blocks || blocks->how != HOW_BLOCK)
        return change_refuse(ch, "%s is no block loop of the last kernel", name);
    Nest facts = *ch->nest;
    Expr *slices = change_value(ch, &facts, NULL, T_I64, text);
    if (!slices) return NULL;
    *last = rule_slices(a, *last, blocks, iter_fresh(&ch->names, "slice", T_I32), slices);
    Nest *n = change_done(ch, node_seq(a, k.n, k.kernel));
    n->nfacts = facts.nfacts;
    n->facts = facts.facts;
    n->when = cond_and(a, n->when, k.when);
    return n;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    const Step *s = ch->step;
    const char *slices_text = change_text(ch, "slices");
    if (s->nwords == 1 && slices_text) return whole(ch, s->words[0], slices_text);
    Node *kernel_of_name = kernel_named(ch->nest->root, s->words[0]);
    if (kernel_of_name) return stream_whole(ch, kernel_of_name);
    Node *loop = change_loop(ch, s->words[0]);
    Path p;
    if (!loop || !path_to(ch->nest->root, loop, &p)) return NULL;
    int kernel = kernel_on(&p);
    if (kernel < 0 || loop->how != HOW_BLOCK) return change_refuse(ch, "%s is no block loop", s->words[0]);
    int64_t by = change_int(ch, "by"), in = change_int(ch, "in");
    if (!by == !in)
        return change_refuse(ch,
                             "by= or in=: how many blocks of %s make a slice, or how many slices there are",
                             s->words[0]);
    Node *place = place_of(ch, &p, kernel);
    if (!place) return NULL;
    Type t = counter_type(loop);
    const char *wish[2];
    bool named = change_names(ch, "as", wish, 2) > 0;
    const Sym *counter =
        counter_named(ch, named ? wish[0] : arena_printf(a, "%ss", loop->iter->name), t, NULL, named);
    if (!counter) return NULL;
    Node wide = *loop;
    wide.lo = expr_cast(a, t, loop->lo);
    wide.hi = expr_cast(a, t, loop->hi);
    Expr *up = expr_add(a, loop_span(a, &wide), expr_int(a, t, by - 1));
    if (in) {
        if (place != p.node[kernel]) return change_refuse(ch, "around= goes with by=");
        return change_done(ch, node_replace(a, ch->nest->root, place,
                                            rule_slices(a, place, loop, counter, expr_int(a, T_I64, in))));
    }
    Expr *slices = expr_op(a, OP_FDIV, up, expr_int(a, t, by), NULL);
    Node *k = slice_of(ch, p.node[kernel], loop, expr_sym(a, counter), by);
    Node *body = node_replace(a, place, p.node[kernel], k);
    Node *over = node_for(a, counter, expr_int(a, t, 0), slices, 1, HOW_SERIAL, body);
    return change_done(ch, node_replace(a, ch->nest->root, place, over));
}

static const Knob knobs[] = {
    {"by", "iterations of the block loop a slice; for a kernel's name: none", KNOB_INT, 0, 1 << 20, NULL,
     "0"},
    {"in", "so many slices, whatever the number of blocks", KNOB_INT, 0, 256, NULL, "0"},
    {"slices",
     "so many slices by the size, an expression of the type i64; of the whole nest the kernels of the "
     "branches for large "
     "sizes stay, under their conditions, and the blocks are those of the last: the automatic mode's way",
     KNOB_TEXT, 0, 0, NULL, ""},
    {"as", "name of the loop over slices", KNOB_NAMES, 0, 0, NULL, ""},
    {"around", "a host loop that the loop over slices goes around; else it stands around the kernel",
     KNOB_NAMES, 0, 0, NULL, ""},
};

static void find_overlap(Finder *f) { find_loops(f, loop_is_block, "overlap %1 by=2"); }

// A stencil: slices share a row on either side.
#define EXAMPLE_HALO                                                                               \
    "sculpt 1 region halo sculpt { param n: i32 = \"n\" array x[n + 2]: f32 = \"x\" live "         \
    "array y[n + 2]: f32 = \"y\" live do { for i: i32 = 1 .. n + 1 S0[i] } "                       \
    "stmt S0[i]: y[i] = x[i - 1] + x[i] + x[i + 1] }"
#define EXAMPLE_HALO_BLOCKS "strip i by=32 as=ib,ii\nmap block ib\nmap thread ii\n"

static const RuleExample examples[] = {
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap ib by=4", NULL},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap k0", NULL},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS "define n value=16\n", "overlap ib slices=2", NULL},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap ii slices=2", "no block loop of the last kernel"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "overlap ib by=2 as=s", NULL},
    {EXAMPLE_PRODUCT,
     "strip k by=8 as=ks,kk\ninterchange ks j i kk\ntile j i by=4 as=jb,ib,ji,ii\nmap block jb ib\nmap "
     "thread ji ii\n",
     "overlap jb by=2 around=ks", NULL},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS "overlap ib by=4\n", "overlap ib by=1 as=t", NULL},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap ii by=4", "no block loop"},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap ib", "how many blocks of ib make a slice"},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap k0 by=2", "by= needs a block loop"},
    {EXAMPLE_HALO, EXAMPLE_HALO_BLOCKS, "overlap ib by=2 around=q", "no host loop q stands around"},
    {NULL, NULL, NULL, NULL},
};

const Rule overlap_rule = {
    .name = "overlap",
    .usage = "overlap BLOCKS by=N|in=N|slices=EXPR [as=SLICES] [around=HOSTLOOP], or overlap KERNEL",
    .summary = "Runs the blocks of a kernel in slices, so that the upload of one slice, the kernel of "
               "another and the download "
               "of a third go on at once.",
    .picture = "kernel k0                     for s in 0 .. ceil(blocks/4)\n"
               "    for jb block         →        kernel k0 streamed\n"
               "                                      for jb in 4*s .. min(4*s + 4, blocks) block\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_overlap,
    .examples = examples,
};
