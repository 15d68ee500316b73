// SPDX-License-Identifier: MIT
// either.c -- loops twice, so that the sizes choose between two kernels when the nest runs.
//
//   for i S      →      if (n >= 4096) { for i S } else { for i S }
//
// What the condition decides in the first copy, which end of a loop is the lesser and whether something runs
// at all, is not asked there again. Both copies keep their names, unless the second gets others. Steps that
// look for loops outside of kernels find those of the first one until it is a kernel, and then those of the
// second.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/known.h"
#include "rule/loops.h"

typedef struct Decide {
    Arena *a;
    Known known;
} Decide;

static Expr *decided(Expr *x, void *arg) {
    const Decide *d = arg;
    x = expr_map(d->a, x, decided, arg);
    bool least = x->kind == E_OP && x->op == OP_MIN, most = x->kind == E_OP && x->op == OP_MAX;
    if ((!least && !most) || !type_is_int(x->type) || expr_has_load(x)) return x;
    Expr *l = x->args[least], *r = x->args[most]; // the second is the value where l >= r
    if (known_holds(&d->known, expr_op(d->a, OP_LE, r, l, NULL))) return r;
    return known_holds(&d->known, expr_op(d->a, OP_LE, l, r, NULL)) ? l : x;
}

static Node *without_asking(Node *n, void *arg) {
    Decide d = *(const Decide *)arg;
    if (n->kind == N_IF && cond_is_free(n->cond) && known_holds(&d.known, n->cond))
        return without_asking(n->then, arg);
    Node *m = node_clone(d.a, n);
    if (n->kind == N_FOR) {
        m->lo = decided(n->lo, &d);
        m->hi = decided(n->hi, &d);
        known_enter(&d.known, m);
    }
    if (n->kind == N_IF && !n->other) known_add(&d.known, n->cond);
    return node_map(d.a, m, without_asking, &d);
}

static bool asks(const Node *root) {
    node_each(n, root) {
        const Expr *ends[] = {n->lo, n->hi};
        if (n->kind == N_IF && cond_is_free(n->cond)) return true;
        for (int i = 0; n->kind == N_FOR && i < 2; i++)
            if (ends[i]->kind == E_OP && (ends[i]->op == OP_MIN || ends[i]->op == OP_MAX)) return true;
    }
    return false;
}

// The first copy.
static Node *first_copy(Change *ch, const Path *place, Node *loop, Expr *when) {
    if (!asks(loop)) return loop;
    Decide d = {ch->a, known_at(ch->c, ch->nest, place)};
    known_add(&d.known, when);
    return without_asking(loop, &d);
}

typedef struct Renamed {
    Change *ch;
    const char *behind; // the names; NULL: they stay
} Renamed;

// The nodes are its own: a step that changes one copy must not find the other.
static Node *second_copy(Node *n, void *arg) {
    Renamed *r = arg;
    Arena *a = r->ch->a;
    Node *m = node_clone(a, n);
    if (n->kind == N_FOR && r->behind) {
        Sym *s = NEW_AS(a, Sym, *n->iter);
        s->name = change_name(r->ch, arena_printf(a, "%s%s", n->iter->name, r->behind));
        Expr *to = expr_sym(a, s);
        m->iter = s;
        m->body = node_subst(a, n->body, 1, &n->iter, &to);
    }
    return node_map(a, m, second_copy, r);
}

static Nest *apply(Change *ch) {
    Node *loop = loop_outside(ch, ch->step->words[0]);
    Path place;
    if (!loop || !path_to(ch->nest->root, loop, &place)) return NULL;
    if (node_kernels(loop)) return change_refuse(ch, "%s holds kernels already", loop->iter->name);
    Nest facts = *ch->nest;
    Expr *when = change_value(ch, &facts, &place, T_I32, change_text(ch, "when"));
    if (!when) return NULL;
    if (expr_has_load(when)) return change_refuse(ch, "the host can't ask that");
    Renamed names = {ch, change_text(ch, "other")};
    Node *first = first_copy(ch, &place, loop, when);
    Node *two = node_if(ch->a, when, first, second_copy(loop, &names));
    Nest *n = change_done(ch, node_replace(ch->a, ch->nest->root, loop, two));
    n->nfacts = facts.nfacts;
    n->facts = facts.facts;
    return n;
}

static const Knob knobs[] = {
    {"when", "where the first copy runs: over parameters, counters of host loops and facts", KNOB_TEXT, 0, 0,
     NULL, NULL},
    {"other", "what the loops of the second copy have behind their names", KNOB_TEXT, 0, 0, NULL, ""},
};

static bool is_free(Node *loop) { return loop->how == HOW_SERIAL && !node_kernels(loop); }
static void find_either(Finder *f) { find_loops(f, is_free, "either %1 when=processors>=64"); }

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "", "either k when=n>=4", NULL},
    {EXAMPLE_PRODUCT, "either j when=i64(n)>=2*processors\ngrid i j threads=8,8 per=2,2\n",
     "either j when=n>=4", NULL},
    {EXAMPLE_PRODUCT, "strip k by=16 as=kb,kk\n", "either j when=p<=16 other=_2", NULL},
    {EXAMPLE_PRODUCT, "either j when=n>=4\nmap block j\n", "single i", NULL},
    {EXAMPLE_SUM, "map block i\n", "either k when=n>=4", "holds kernels already"},
    {EXAMPLE_SUM, "", "either k when=a[0]>=4.0", "the host can't ask that"},
    {0},
};

const Rule either_rule = {
    .name = "either",
    .usage = "either LOOP when=EXPR [other=BEHIND]",
    .summary = "Two copies of a nest of loops, for two kernels of which the sizes choose when the nest runs.",
    .picture = "for i  S   →   if (n >= 4096)  for i  S\n"
               "               else            for i  S\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_either,
    .examples = examples,
};
