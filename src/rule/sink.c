// SPDX-License-Identifier: MIT
// sink.c -- unroll, jam: a loop's iterations side by side in the innermost bodies.
//
//   for j { S0(j); for k { S1(j, k) } }    →    for jb { S0(4*jb) … S0(4*jb+3);
//                                                        for k { S1(4*jb, k) … S1(4*jb+3, k) } }
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// ---- down to the statements ------------------------------------------------------------------
typedef struct Sink {
    Change *ch;
    const Node *loop;
    How how;
    bool used;           // the loop's own counter has a place already
} Sink;

static Node *put_loop(Sink *s, Node *body) {
    Arena *a = s->ch->a;
    Node *n = node_around(a, s->loop, body);
    n->how = s->how;
    if (s->used) {
        Sym *fresh = NEW_AS(a, Sym, *s->loop->iter);
        fresh->name = change_name(s->ch, s->loop->iter->name);
        Expr *to = expr_sym(a, fresh);
        n->iter = fresh;
        n->body = node_subst(a, body, 1, &s->loop->iter, &to);
    }
    s->used = true;
    return n;
}

static Node *sink(Sink *s, Node *n);

// Neighbours without loops stay together.
static Node *sink_seq(Sink *s, Node *n) {
    Arena *a = s->ch->a;
    if (n->nlocals)
        return change_refuse(s->ch, "a block with arrays of its own (%s) stands in loop %s",
                             n->locals[0]->name, s->loop->iter->name),
               NULL;
    VEC(Node *) out = {0};
    for (int i = 0; i < n->nkids;) {
        int j = i;
        while (j < n->nkids && !has_loops(n->kids[j])) j++;
        Node *kid = j == i ? n->kids[i] : j == i + 1 ? n->kids[i] : node_seq(a, j - i, n->kids + i);
        kid = sink(s, kid);
        if (!kid) return NULL;
        vec_push(a, &out, kid);
        i = j > i ? j : i + 1;
    }
    return node_seq(a, out.n, out.at);
}

static Node *sink(Sink *s, Node *n) {
    Arena *a = s->ch->a;
    const Sym *i = s->loop->iter;
    if (!has_loops(n)) return put_loop(s, n);
    if (n->kind == N_SEQ) return sink_seq(s, n);
    Node *m = node_clone(a, n);
    if (n->kind == N_FOR && n->how != HOW_COOP) {
        if (expr_uses_sym(n->lo, i) || expr_uses_sym(n->hi, i))
            return change_refuse(s->ch, "the bounds of %s depend on %s", n->iter->name, i->name), NULL;
        return (m->body = sink(s, n->body)) ? m : NULL;
    }
    if (n->kind == N_IF && cond_is_free(n->cond) && !expr_uses_sym(n->cond, i)) {
        m->then = sink(s, n->then);
        m->other = n->other && m->then ? sink(s, n->other) : NULL;
        return m->then && (m->other || !n->other) ? m : NULL;
    }
    return change_refuse(s->ch, "%s can't go inside what loop %s holds", i->name, i->name), NULL;
}

// The loop goes inside all loops below it; a block of statements keeps together (sink.c). Its
// copies are called after it, "_1" and so on; all of them run that way.
static Node *loop_sink(Change *ch, Node *root, Node *loop, How how) {
    Sink s = {ch, loop, how, false};
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi))
        return change_refuse(ch, "the bounds of %s read memory", loop->iter->name), NULL;
    Node *n = sink(&s, loop->body);
    return n ? node_replace(ch->a, root, loop, n) : NULL;
}

// ---- jam -----------------------------------------------------------------------------------------
static Nest *apply_jam(Change *ch) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    const Sym *names[2];
    if (!loop || !two_counters(ch, loop, counter_type(loop), "b", "u", names)) return NULL;
    if (loop->how != HOW_SERIAL && loop->how != HOW_BLOCK)
        return change_refuse(ch, "%s is a %s loop", loop->iter->name, how_name(loop->how));
    Node *serial = node_clone(ch->a, loop); // what a block would ask, its statements ask here
    serial->how = HOW_SERIAL;
    Node *root = node_replace(ch->a, ch->nest->root, loop, serial);
    StripWish w = {change_int(ch, "by"), names[0], names[1], str_eq(change_word(ch, "edge"), "exact")};
    root = loop_strip(ch, root, serial, &w);
    if (!root) return NULL;
    Node *outer = loop_named(root, names[0]->name), *n = node_clone(ch->a, outer);
    n->how = loop->how;
    root = node_replace(ch->a, root, outer, n);
    root = loop_sink(ch, root, loop_named(root, names[1]->name), HOW_UNROLL);
    return root ? change_done(ch, root) : NULL;
}

static const Knob jam_knobs[] = {
    {"by", "iterations side by side", KNOB_INT, 2, 64, NULL, NULL},
    {"as", "names of the loop that is left and of the one that is unrolled", KNOB_NAMES, 0, 0, NULL, ""},
    {"edge", "what is done about a number of iterations that by= doesn't divide", KNOB_WORD, 0, 0,
     "guard|exact", "guard"},
};

static void find_jam(Finder *f) { find_loops(f, loop_holds_loops, "jam %1 by=4"); }

static const RuleExample jam_examples[] = {
    {EXAMPLE_PRODUCT, "", "jam j by=4", NULL},
    {EXAMPLE_PRODUCT, "interchange i j k", "jam j by=3 as=jb,jj", NULL},
    {EXAMPLE_PRODUCT, "interchange i j k\nmap block i j", "jam j by=2", NULL},
    {EXAMPLE_BODY, "", "jam i by=2", "change the meaning"},
    {EXAMPLE_TRIANGLE, "", "jam i by=2", "the bounds of j depend on"},
    {EXAMPLE_SEIDEL, "", "jam t by=2", "change the meaning"},
    {NULL, NULL, NULL, NULL},
};

const Rule jam_rule = {
    .name = "jam",
    .usage = "jam LOOP by=N [as=OUTER,INNER] [edge=guard|exact]",
    .summary =
        "Unroll and jam: N iterations of an outer loop side by side in the bodies of the loops inside it.",
    .picture = "for j                            for jb\n"
               "    for k              →             for k\n"
               "        S(j, k)                          S(2*jb, k)\n"
               "                                         S(2*jb + 1, k)\n",
    RULE_KNOBS(jam_knobs),
    .apply = apply_jam,
    .find = find_jam,
    .examples = jam_examples,
};
