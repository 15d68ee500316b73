// SPDX-License-Identifier: MIT
// fuse.c -- fuse, distribute: neighbouring loops as one, the statements of a loop as loops.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// ---- fuse --------------------------------------------------------------------------------------
// Two loops beside each other in one block.
typedef struct Pair {
    Node *seq, *first, *second;
    int at;
} Pair;

static bool find_pair(Change *ch, Pair *p) {
    const Step *s = ch->step;
    Path path;
    p->first = change_loop(ch, s->words[0]);
    p->second = p->first ? change_loop(ch, s->words[1]) : NULL;
    if (!p->second || !path_to(ch->nest->root, p->first, &path)) return false;
    p->seq = path.n > 1 ? path.node[path.n - 2] : NULL;
    for (p->at = 0; p->seq && p->at + 1 < p->seq->nkids; p->at++)
        if (p->seq->kids[p->at] == p->first && p->seq->kids[p->at + 1] == p->second) return true;
    return change_refuse(ch, "loop %s does not stand directly behind loop %s", s->words[1], s->words[0]);
}

// The things of both blocks, and what they declare, in one.
static Node *joined(Arena *a, Node *const block[2]) {
    Node *all = node_seq(a, 2, block);
    for (int k = 1; k >= 0; k--) {
        const Node *n = block[k];
        if (n->kind == N_SEQ)
            all = seq_declare_all(a, seq_splice(a, all, k, 1, n->nkids, n->kids), n->nlocals, n->locals);
    }
    return all;
}

// The loop with a counter of the type, which its body may not use if it has another one; NULL: it does.
static Node *of_type(Arena *a, Node *loop, Type t) {
    if (loop->iter->type == t) return loop;
    if (node_uses_sym(loop->body, loop->iter)) return NULL;
    Sym *counter = NEW_AS(a, Sym, *loop->iter);
    Node *n = node_clone(a, loop);
    counter->type = t;
    n->iter = counter;
    n->lo = expr_cast(a, t, loop->lo), n->hi = expr_cast(a, t, loop->hi);
    return n;
}

// The same iterations, so many counts later.
static Node *delayed(Arena *a, Node *loop, int64_t by) {
    if (!by) return loop;
    Expr *late = expr_int(a, loop->iter->type, by), *at = expr_sub(a, expr_sym(a, loop->iter), late);
    Node *n = node_clone(a, loop);
    n->lo = expr_add(a, loop->lo, late), n->hi = expr_add(a, loop->hi, late);
    n->body = node_subst(a, loop->body, 1, &loop->iter, &at);
    return n;
}

static Nest *apply_fuse(Change *ch) {
    Arena *a = ch->a;
    Pair p = {0};
    if (!find_pair(ch, &p)) return NULL;
    Type t = p.second->iter->type;
    Node *x = of_type(a, p.first, t), *y = delayed(a, p.second, change_int(ch, "late"));
    if (!x || x->step != y->step || x->how != y->how)
        return change_refuse(ch, "the loops have different steps, types or kinds");
    if (!cond_is_free(y->lo) || !cond_is_free(y->hi) || !cond_is_free(x->hi))
        return change_refuse(ch, "the bounds of a loop read memory");
    bool same_lo = expr_equal(x->lo, y->lo), same_hi = expr_equal(x->hi, y->hi), up = x->step > 0;
    if (!same_lo && x->step != 1 && x->step != -1)
        return change_refuse(ch, "the loops begin at different places and have a step");
    Expr *to = expr_sym(a, x->iter);
    Node *n = node_clone(a, x), *bodies[2] = {x->body, node_subst(a, y->body, 1, &y->iter, &to)};
    if (!same_lo) n->lo = expr_op(a, up ? OP_MIN : OP_MAX, x->lo, y->lo, NULL);
    if (!same_hi) n->hi = expr_op(a, up ? OP_MAX : OP_MIN, x->hi, y->hi, NULL);
    for (int k = 0; k < 2; k++) {
        Node probe = *(k ? y : x);
        probe.iter = x->iter;
        Expr *in = same_lo && same_hi ? NULL : loop_bounds(a, &probe);
        bodies[k] = guard_sink(a, bodies[k], in);
    }
    n->body = joined(a, bodies);
    Node *root = node_replace(a, ch->nest->root, p.seq, seq_splice(a, p.seq, p.at, 2, 1, &n));
    return change_done(ch, simplify_at(ch->c, ch->nest, root, n));
}

static const Knob fuse_knobs[] = {
    {"late", "by how many counts an iteration of the second loop comes later than one of the first", KNOB_INT,
     0, 1 << 20, NULL, "0"},
};

static void find_fuse(Finder *f) { find_neighbours(f, "fuse %1 %2"); }

static const RuleExample fuse_examples[] = {
    {EXAMPLE_CHAIN, "", "fuse i k", NULL},
    {EXAMPLE_CHAIN, "peel k first=2", "fuse i k_1", NULL},
    {EXAMPLE_LOCAL, "peel i first=2", "fuse i_1 i", NULL},
    {EXAMPLE_CHAIN, "", "fuse k l", "change the meaning"},
    {EXAMPLE_CHAIN, "", "fuse i k late=2", NULL},
    {EXAMPLE_CHAIN, "", "fuse i l", "does not stand directly behind"},
    {NULL, NULL, NULL, NULL},
};

const Rule fuse_rule = {
    .name = "fuse",
    .usage = "fuse LOOP LOOP [late=N]",
    .summary = "Runs two loops that stand one after the other as one loop.",
    .picture = "for i  S(i)            →         for i  { S(i); T(i) }\n"
               "for k  T(k)\n",
    RULE_KNOBS(fuse_knobs),
    .apply = apply_fuse,
    .find = find_fuse,
    .examples = fuse_examples,
};

// ---- distribute ------------------------------------------------------------------------------------
Node *loop_things(Arena *a, Node *body) {
    bool cond = body->kind == N_IF && !body->other && cond_is_free(body->cond);
    if (body->kind != N_SEQ && !cond) return body;
    const Node *seq = cond ? loop_things(a, body->then) : body;
    if (seq->kind != N_SEQ) return body;
    if (!cond && seq->nkids == 1 && !seq->nlocals) return loop_things(a, seq->kids[0]);
    VEC(Node *) kids = {0};
    for (int i = 0; i < seq->nkids; i++) {
        Node *n = cond ? guard_sink(a, seq->kids[i], body->cond) : loop_things(a, seq->kids[i]);
        bool open = n->kind == N_SEQ && !n->nlocals;
        for (int k = 0; open && k < n->nkids; k++) vec_push(a, &kids, n->kids[k]);
        if (!open) vec_push(a, &kids, n);
    }
    Node *n = node_seq(a, kids.n, kids.at);
    n->locals = seq->locals;
    n->nlocals = seq->nlocals;
    return n;
}

bool thing_sets(const Node *seq, const Node *thing) {
    return thing->kind == N_STMT && thing->stmt->op == OP_SET && !thing->stmt->lhs->rank &&
           has_pointer(seq->nlocals, seq->locals, thing->stmt->lhs);
}

bool things_set_again(Arena *a, const Node *seq, const Array *x) {
    bool again = has_pointer(seq->nlocals, seq->locals, x) && !x->rank;
    for (int i = 0; i < seq->nkids && again; i++) {
        AccessVec v = tree_accesses(a, seq->kids[i]);
        for (int k = 0; k < v.n; k++)
            again &= v.at[k].array != x || !v.at[k].write || thing_sets(seq, seq->kids[i]);
    }
    return again;
}

// The things that go to a part, with those of the block's locals that they use, in loops of their own. What
// these locals are set to is computed again in each part that uses it.
static Node *part_of(Change *ch, const Chain *c, const Node *seq, const int64_t *part, int64_t number) {
    Arena *a = ch->a;
    Node **kids = NEW_N(a, Node *, seq->nkids);
    int first = seq->nkids;
    for (int i = seq->nkids - 1; i >= 0; i--) {
        bool goes = part[i] == number;
        for (int k = first; k < seq->nkids && !goes; k++)
            goes = thing_sets(seq, seq->kids[i]) && node_uses_array(a, kids[k], seq->kids[i]->stmt->lhs);
        if (goes) kids[--first] = seq->kids[i];
    }
    int n = seq->nkids - first;
    kids += first;
    Node *body = node_seq(a, n, kids);
    for (int i = 0; i < seq->nlocals; i++)
        if (node_uses_array(a, body, seq->locals[i])) body = seq_declare(a, body, seq->locals[i]);
    return chain_rebuild(&ch->names, c, body);
}

static bool is_shared(Change *ch, const Node *seq, const int64_t *part, const Array *x) {
    int64_t first = -1;
    for (int i = 0; i < seq->nkids; i++) {
        if (!node_uses_array(ch->a, seq->kids[i], x)) continue;
        if (first >= 0 && part[i] != first) return !things_set_again(ch->a, seq, x);
        first = part[i];
    }
    return false;
}

// All loops that stand directly around the things, for each part.
static Nest *in_parts(Change *ch, Node *loop) {
    Chain c = chain_of(loop);
    const Node *seq = loop_things(ch->a, c.body);
    int most = seq->nkids + 1, n = change_names(ch, "parts", NEW_N(ch->a, const char *, most), most),
        count = 0;
    int64_t *part = NEW_N(ch->a, int64_t, most);
    change_ints(ch, "parts", part, most);
    if (seq->kind != N_SEQ || n != seq->nkids)
        return change_refuse(ch, "parts= says of each thing inside of %s to which part it goes",
                             loop->iter->name);
    for (int i = 0; i < seq->nlocals; i++)
        if (is_shared(ch, seq, part, seq->locals[i]))
            return change_refuse(ch, "two parts use %s", seq->locals[i]->name);
    for (int i = 0; i < c.n; i++)
        if (c.loop[i]->how != HOW_SERIAL)
            return change_refuse(ch, "%s is a %s loop", c.loop[i]->iter->name, how_name(c.loop[i]->how));
    Node **parts = NEW_N(ch->a, Node *, n);
    for (int64_t k = 0; k < n; k++) {
        bool some = false;
        for (int i = 0; i < n; i++) some |= part[i] == k;
        if (some) parts[count++] = part_of(ch, &c, seq, part, k);
    }
    return change_done(ch, loop_parts(ch, ch->nest->root, loop, count, parts));
}

static Nest *apply_distribute(Change *ch) {
    Arena *a = ch->a;
    const Step *s = ch->step;
    Node *loop = change_text(ch, "parts") ? loop_outside(ch, s->words[0]) : change_loop(ch, s->words[0]);
    if (!loop) return NULL;
    if (change_text(ch, "parts")) return in_parts(ch, loop);
    Node *seq = loop->body;
    while (seq->kind == N_SEQ && seq->nkids == 1 && !seq->nlocals) seq = seq->kids[0];
    seq = loop_things(a, seq);
    if (seq->kind != N_SEQ || seq->nkids < 2)
        return change_refuse(ch, "loop %s holds one thing only", s->words[0]);
    if (seq->nlocals)
        return change_refuse(ch, "%s lives in one iteration of %s", seq->locals[0]->name, s->words[0]);
    if (loop->how == HOW_BLOCK || loop->how == HOW_COOP)
        return change_refuse(ch, "%s is a %s loop", s->words[0], how_name(loop->how));
    int after = (int)change_int(ch, "after");
    if (after >= seq->nkids)
        return change_refuse(ch, "loop %s holds %d things, so after= is less", s->words[0], seq->nkids);
    VEC(Node *) parts = {0};
    for (int i = 0; i < seq->nkids;) {
        int end = !after ? i + 1 : i < after ? after : seq->nkids;
        Node *n = node_clone(a, loop);
        n->body = end == i + 1 ? seq->kids[i] : node_seq(a, end - i, seq->kids + i);
        // a part without launches comes into a kernel as a whole
        n->graph = loop->graph && node_kernels(n->body) > 0;
        if (i > 0) {
            // Loops inside keep their names: each of them is in one part.
            Sym *fresh = NEW_AS(a, Sym, *loop->iter);
            fresh->name = change_name(ch, loop->iter->name);
            Expr *to = expr_sym(a, fresh);
            n->body = node_subst(a, n->body, 1, &loop->iter, &to);
            n->iter = fresh;
        }
        vec_push(a, &parts, n);
        i = end;
    }
    return change_done(ch, loop_parts(ch, ch->nest->root, loop, parts.n, parts.at));
}

static const Knob distribute_knobs[] = {
    {"after", "how many of the things inside stay in the first loop; each gets a loop when it isn't given",
     KNOB_INT, 1, 1000, NULL, ""},
    {"parts",
     "of each thing inside, to which part it goes; the parts stand in the order of their numbers, each in "
     "all loops "
     "that stand directly around the things",
     KNOB_INTS, 0, 1 << 16, NULL, ""},
};

static void find_distribute(Finder *f) { find_loops(f, loop_holds_several, "distribute %1"); }

static const RuleExample distribute_examples[] = {
    {EXAMPLE_TRIANGLE, "", "distribute i", NULL},
    {EXAMPLE_TRIANGLE, "single j\naccumulate triangle_0", "distribute i", NULL}, // a buffer that lies at i
    {EXAMPLE_BODY, "", "distribute i after=2", "change the meaning"},
    {EXAMPLE_CHAIN, "fuse i k", "distribute i parts=0,1", NULL},
    {EXAMPLE_BODY, "", "distribute i parts=1,0,1", "change the meaning"},
    {EXAMPLE_BODY, "", "distribute i parts=0,1", "says of each thing"},
    {EXAMPLE_CHAIN, "fuse i k", "distribute i", NULL},
    {EXAMPLE_LOCAL, "", "distribute i parts=0,0,2,1", NULL},
    {EXAMPLE_LOCAL, "", "distribute i parts=0,0,1,2", "change the meaning"},
    {EXAMPLE_PRODUCT, "", "distribute j", "holds one thing only"},
    {NULL, NULL, NULL, NULL},
};

const Rule distribute_rule = {
    .name = "distribute",
    .usage = "distribute LOOP [after=N|parts=N,…]",
    .summary = "Loop fission: each thing that a loop holds in a loop of its own.",
    .picture = "for i  { S(i); T(i) }  →         for i    S(i)\n"
               "                                 for i_1  T(i_1)\n",
    RULE_KNOBS(distribute_knobs),
    .apply = apply_distribute,
    .find = find_distribute,
    .examples = distribute_examples,
};
