// SPDX-License-Identifier: MIT
// rotate.c -- the first copies of an inner pipeline run at the end of the iteration before, so
// that the pipeline never runs empty.
//
//   for kt {                                   thread { r[0] = s(first kt)[0] }
//     …                                        for kt {
//     thread {                                   …
//       r[0] = s(kt)[0]                    →     thread {
//       for k in 0 .. n {                          for k in 0 .. n - 1 {
//         if (k + 1 < n) r[(k + 1) % 2] = …          r[(k + 1) % 2] = … ;  use r[k % 2] } }
//         use r[k % 2] } } }                     thread { r[0] = s(kt + 1)[0];  use r[(n - 1) % 2] } }
//
// What the phase declares becomes registers that live over all of it. The last iteration reads
// ahead what nobody uses.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/storage.h"

typedef struct Turn {
    Change *ch;
    Arena *a;
    Node *outer, *inner;     // kt and k
    int ndigits;
    const Node *digit[8];    // the thread loops of the phase
    int ncopies;
    Node **copies;           // before the inner loop
    int64_t trips;           // of the inner loop
    Node *body;              // what the threads do in the phase
    int nregisters;
    Array **registers;       // in the place of what body declared
    int next;                // the one whose accesses are being changed
} Turn;

static Node *plain(Node *n) {
    while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n;
}

// k + 1 < n, the condition of copies that run one iteration ahead
static bool runs_one_ahead(const Turn *t, const Node *n) {
    if (n->kind != N_IF || n->other || n->cond->kind != E_OP || n->cond->op != OP_LT) return false;
    const Expr *x = n->cond->args[0];
    return x->kind == E_OP && x->op == OP_ADD && x->args[0]->kind == E_SYM &&
           x->args[0]->sym == t->inner->iter && expr_is_int(x->args[1], 1) &&
           expr_is_int(n->cond->args[1], t->trips);
}

static bool copies_only(const Node *n) {
    switch (n->kind) {
    case N_COPY: return n->dst->place != PLACE_SHARED && n->dst->place != PLACE_USER && n->op == OP_SET;
    case N_FOR: return copies_only(n->body);
    case N_IF: return copies_only(n->then) && (!n->other || copies_only(n->other));
    case N_SEQ:
        for (int k = 0; k < n->nkids; k++)
            if (!copies_only(n->kids[k])) return false;
        return !n->nlocals;
    default: return false;
    }
}

// The last phase of the outer loop: thread loops around copies and the inner loop.
static bool find_phase(Turn *t) {
    Change *ch = t->ch;
    Node *body = plain(t->outer->body), *last = body;
    if (body->kind == N_SEQ && body->nkids) last = plain(body->kids[body->nkids - 1]);
    int64_t extent[8];
    t->ndigits = ir_phase(last, t->digit, extent);
    if (!t->ndigits)
        return change_refuse(ch, "the body of %s does not end with thread loops", t->outer->iter->name);
    Node *n = plain(t->digit[t->ndigits - 1]->body);
    if (n->kind != N_SEQ || n->nkids < 2)
        return change_refuse(ch, "%s has no pipeline: nothing is read before it", t->inner->iter->name);
    if (plain(n->kids[n->nkids - 1]) != t->inner)
        return change_refuse(ch, "%s is not the last thing that the threads do in %s", t->inner->iter->name,
                             t->outer->iter->name);
    t->body = n;
    t->copies = n->kids;
    t->ncopies = n->nkids - 1;
    for (int k = 0; k < t->ncopies; k++)
        if (!copies_only(t->copies[k]))
            return change_refuse(ch, "not only registers are filled before %s", t->inner->iter->name);
    return true;
}

static bool check_inner(Turn *t) {
    Node *in = t->inner;
    bool fits = in->step == 1 && expr_is_int(in->lo, 0) && loop_constant(in, &t->trips) &&
                in->body->kind == N_SEQ && !in->body->nlocals && in->body->nkids >= 2 &&
                runs_one_ahead(t, plain(in->body->kids[0]));
    if (!fits) return change_refuse(t->ch, "%s is no pipeline that runs one iteration ahead", in->iter->name);
    return t->trips % 2 == 0 ||
           change_refuse(t->ch,
                         "%s has an odd number of iterations: the first stage is still in use at its end",
                         in->iter->name);
}

static Node *in_threads(const Turn *t, Node *body) { return in_loops(t->a, t->ndigits, t->digit, body); }

static Node *at_value(const Turn *t, Node *n, const Node *loop, Expr *value) {
    return node_subst(t->a, n, 1, &loop->iter, &value);
}

static Node *copies_at(const Turn *t, Expr *value) {
    return at_value(t, node_seq(t->a, t->ncopies, t->copies), t->outer, value);
}

// All iterations of the inner loop but the last; their copies ahead are for the same tile.
static Node *most(const Turn *t) {
    Node *body = t->inner->body, *ahead = plain(body->kids[0])->then;
    Node *n = node_around(t->a, t->inner, seq_splice(t->a, body, 0, 1, 1, &ahead));
    n->hi = expr_int(t->a, n->iter->type, t->trips - 1);
    return in_threads(t, n);
}

static Node *last(const Turn *t) {
    const Node *body = t->inner->body;
    Expr *next = expr_add(t->a, expr_sym(t->a, t->outer->iter), expr_int(t->a, t->outer->iter->type, 1));
    Expr *end = expr_int(t->a, t->inner->iter->type, t->trips - 1);
    Node *kids[2] = {copies_at(t, next), NULL};
    kids[1] = at_value(t, node_seq(t->a, body->nkids - 1, body->kids + 1), t->inner, end);
    return change_copy(t->ch, in_threads(t, node_seq(t->a, 2, kids)));
}

static Node *turned(const Turn *t) {
    Node *n = node_clone(t->a, t->outer), *body = plain(n->body);
    int before = body->kind == N_SEQ ? body->nkids - 1 : 0;
    Node **kids = NEW_N(t->a, Node *, before + 2);
    for (int k = 0; k < before; k++) kids[k] = body->kids[k];
    kids[before] = most(t);
    kids[before + 1] = last(t);
    n->body = node_seq(t->a, before + 2, kids);
    if (body->kind == N_SEQ) {
        n->body->nlocals = body->nlocals;
        n->body->locals = body->locals;
    }
    return n;
}

// ---- registers that outlive the phase -------------------------------------------------------------
static bool to_register(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Turn *t = arg;
    const Array *x = t->registers[t->next];
    Expr **v = NEW_N(t->a, Expr *, x->rank);
    for (int d = 0; d < t->ndigits; d++) v[d] = expr_sym(t->a, t->digit[d]->iter);
    for (int d = t->ndigits; d < x->rank; d++) v[d] = s->sub[d - t->ndigits];
    *to = x;
    *sub = v;
    return true;
}

static Array *register_for(const Turn *t, const Array *x) {
    Array *y = NEW_AS(t->a, Array, *x);
    y->name = change_name(t->ch, x->name);
    y->object = y->name;
    y->place = PLACE_REGISTER;
    y->of = NULL;
    y->origin = NULL;
    y->digits = t->ndigits;
    y->rank = x->rank + t->ndigits;
    y->extent = NEW_N(t->a, Expr *, y->rank);
    for (int d = 0; d < t->ndigits; d++) y->extent[d] = t->digit[d]->hi;
    for (int d = t->ndigits; d < y->rank; d++) y->extent[d] = x->extent[d - t->ndigits];
    return y;
}

static void use_registers(Turn *t) {
    const Node *was = t->body;
    Node *n = node_clone(t->a, was);
    n->nlocals = 0;
    n->locals = NULL;
    t->registers = NEW_N(t->a, Array *, was->nlocals + 1);
    for (; t->nregisters < was->nlocals; t->nregisters++) {
        t->next = t->nregisters;
        t->registers[t->next] = register_for(t, was->locals[t->next]);
        n = accesses_edit(t->a, n, was->locals[t->next], to_register, t);
    }
    t->body = n;
    t->copies = n->kids;
    t->inner = plain(n->kids[n->nkids - 1]);
}

static Nest *apply(Change *ch) {
    const char *names[1];
    if (change_names(ch, "of", names, 1) != 1) return change_refuse(ch, "of= names one loop");
    Turn t = {.ch = ch,
              .a = ch->a,
              .outer = change_loop(ch, ch->step->words[0]),
              .inner = change_loop(ch, names[0])};
    if (!t.outer || !t.inner) return NULL;
    if (t.outer->step != 1 || t.outer->how != HOW_SERIAL)
        return change_refuse(ch, "%s must be a serial loop with step 1", t.outer->iter->name);
    if (!check_inner(&t) || !find_phase(&t)) return NULL;
    for (int d = 0; d < t.ndigits; d++)
        if (!expr_is_int(t.digit[d]->lo, 0))
            return change_refuse(ch, "thread loop %s does not begin with 0", t.digit[d]->iter->name);
    use_registers(&t);
    Node *parts[2] = {change_copy(ch, in_threads(&t, copies_at(&t, t.outer->lo))), turned(&t)};
    Node *both = node_seq(t.a, 2, parts);
    for (int k = 0; k < t.nregisters; k++) both = seq_declare(t.a, both, t.registers[k]);
    return change_done(ch, node_replace(t.a, ch->nest->root, t.outer, both));
}

static const Knob knobs[] = {
    {"of", "the inner loop, pipelined in two stages", KNOB_NAMES, 0, 0, NULL, NULL},
};

#define BEFORE                                                                                      \
    EXAMPLE_SUM_BLOCKS                                                                              \
    "hoist a at=kt as=acc\n"                                                                        \
    "stage b at=kt as=sb\n"                                                                         \
    "stage sb at=kk as=rb\n"                                                                        \
    "edge compute\n"                                                                                \
    "edge sb by=redirect\n"                                                                         \
    "split kt at=full\n"                                                                            \
    "unroll kk\n"

static const RuleExample examples[] = {
    {EXAMPLE_SUM, BEFORE "pipeline kk buffers=rb\npipeline kt buffers=sb stages=3\n", "rotate kt of=kk",
     NULL},
    {EXAMPLE_SUM, BEFORE, "rotate kt of=kk", "no pipeline"},
    {0},
};

const Rule rotate_rule = {
    .name = "rotate",
    .usage = "rotate LOOP of=LOOP",
    .summary = "Fills an inner pipeline's first stage at the end of the iteration before.",
    .picture = "for kt                          r[0] = s(0)[0]\n"
               "    r[0] = s(kt)[0]             for kt\n"
               "    for k                →          for k but the last\n"
               "        r[(k+1) % 2] = …                r[(k+1) % 2] = …; … r[k % 2] …\n"
               "        … r[k % 2] …                r[0] = s(kt + 1)[0]; … r[(n-1) % 2] …\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_rotate,
    .examples = examples,
};
