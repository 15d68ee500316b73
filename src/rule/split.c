// SPDX-License-Identifier: MIT
// split.c -- split, peel: one range of iterations as two loops, one after the other.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/known.h"
#include "rule/linear.h"
#include "rule/loops.h"

bool loop_halves(Change *ch, Node *loop, Expr *at, bool second_keeps, Halves *out) {
    Arena *a = ch->a;
    if (loop->step != 1)
        return change_refuse(ch, "loop %s has step %lld, not 1", loop->iter->name, (long long)loop->step);
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi) || !cond_is_free(at))
        return change_refuse(ch, "the bounds of %s read memory", loop->iter->name);
    if (loop->how == HOW_BLOCK || loop->how == HOW_THREAD || loop->how == HOW_COOP)
        return change_refuse(ch, "%s is a %s loop", loop->iter->name, how_name(loop->how));
    at = expr_cast(a, loop->lo->type, at);
    Node *copy = change_copy(ch, loop);
    Node *first = node_clone(a, second_keeps ? copy : loop),
         *second = node_clone(a, second_keeps ? loop : copy);
    first->hi = expr_op(a, OP_MIN, at, loop->hi, NULL);
    second->lo = expr_op(a, OP_MAX, at, loop->lo, NULL);
    *out = (Halves){first, second};
    return true;
}

// ---- where all conditions inside are true --------------------------------------------------------
typedef struct Full {
    Change *ch;
    const Node *loop;
    Expr *lower, *upper;   // first iteration of the full part, end of it; NULL: no condition asks
    bool lost;             // a condition depends on the loop in another way
    int n;
    const Node *inside[PATH_MAX_NODES];
} Full;

// fdiv(x, c) in the counter's type.
static Expr *over(Full *f, Expr *x, int64_t c) {
    Arena *a = f->ch->a;
    return expr_narrow(a, f->loop->lo->type, expr_op(a, OP_FDIV, x, expr_int(a, x->type, c), NULL));
}

// d >= 0 for all iterations of the loops inside, as a bound of the loop.
static void want(Full *f, Expr *d) {
    Arena *a = f->ch->a;
    const Sym *i = f->loop->iter;
    int64_t c;
    Expr *base;
    d = expr_extreme_in(a, d, f->n, f->inside, false);
    if (!d || !affine_split(a, d, 1, &i, &c, &base) || c == INT64_MIN) {
        f->lost = true;
        return;
    }
    Type t = base->type;
    if (c < 0) {
        Expr *end = over(f, expr_add(a, base, expr_int(a, t, -c)), -c);
        f->upper = f->upper && !expr_equal(f->upper, end) ? expr_op(a, OP_MIN, f->upper, end, NULL) : end;
    } else if (c > 0) {
        Expr *past = expr_sub(a, expr_int(a, t, c - 1), base);
        Linear l;
        Expr *begin = over(f, linear_of(past, &l) ? linear_expr(a, t, &l) : past, c);
        f->lower =
            f->lower && !expr_equal(f->lower, begin) ? expr_op(a, OP_MAX, f->lower, begin, NULL) : begin;
    }
}

// x - y - less, without wrapping.
static Expr *difference(Full *f, Expr *x, Expr *y, int less) {
    Arena *a = f->ch->a;
    Type t = type_is_signed(x->type) && type_size(x->type) >= 4 ? x->type : T_I64;
    Expr *d = expr_sub(a, expr_cast(a, t, x), expr_cast(a, t, y));
    return less ? expr_sub(a, d, expr_int(a, t, less)) : d;
}

static void want_term(Full *f, Expr *t) {
    if (!expr_uses_sym(t, f->loop->iter)) return;
    Expr *x = t->nargs == 2 ? t->args[0] : NULL, *y = x ? t->args[1] : NULL;
    bool compares = t->kind == E_OP && x && type_is_int(x->type);
    if (compares && t->op == OP_LT) want(f, difference(f, y, x, 1));
    else if (compares && t->op == OP_LE) want(f, difference(f, y, x, 0));
    else if (compares && t->op == OP_GT) want(f, difference(f, x, y, 1));
    else if (compares && t->op == OP_GE) want(f, difference(f, x, y, 0));
    else f->lost = true;
}

bool loop_term(Change *ch, const Node *loop, Expr *term, Expr **lower, Expr **upper) {
    Full f = {.ch = ch, .loop = loop};
    want_term(&f, term);
    *lower = f.lower;
    *upper = f.upper;
    return !f.lost && (f.lower || f.upper);
}

// min(x, y): the operand with the counter is to win.
static void want_choices(Full *f, const Expr *root) {
    expr_each(e, root) {
        if (e->kind != E_OP || (e->op != OP_MIN && e->op != OP_MAX) || !type_is_int(e->type)) continue;
        bool x = expr_uses_sym(e->args[0], f->loop->iter), y = expr_uses_sym(e->args[1], f->loop->iter);
        if (x == y) continue;
        Expr *in = e->args[x ? 0 : 1], *limit = e->args[x ? 1 : 0];
        want(f, e->op == OP_MIN ? difference(f, limit, in, 0) : difference(f, in, limit, 0));
    }
}

static void want_all(Full *f, Node *n) {
    Expr *t[TERMS_MAX];
    if (!n) return;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) want_all(f, n->kids[i]);
        break;
    case N_FOR:
        want_choices(f, n->lo);
        want_choices(f, n->hi);
        if (f->n == PATH_MAX_NODES) return;
        f->inside[f->n++] = n;
        want_all(f, n->body);
        f->n--;
        break;
    case N_IF: {
        int count = cond_terms(n->cond, t, TERMS_MAX);
        for (int i = 0; i < count; i++) want_term(f, t[i]);
        want_all(f, n->then);
        want_all(f, n->other);
        break;
    }
    case N_COPY:
        want_choices(f, n->src);
        for (int d = 0; n->dst && d < n->dst->rank; d++) want_choices(f, n->sub[d]);
        break;
    case N_STMT:
        for (int k = 0; n->via_sub && k < n->nvia; k++)
            for (int d = 0; n->via_sub[k] && d < n->via[k]->rank; d++)
                want_choices(f, n->via_sub[k][d]);
        break;
    default: break;
    }
}

static Nest *split_full(Change *ch, Node *loop) {
    Full f = {.ch = ch, .loop = loop};
    Halves h = {0}, g = {0};
    want_all(&f, loop->body);
    if (!f.upper && !f.lower)
        return change_refuse(ch,
                             f.lost ? "no condition in %s is an affine bound of it"
                                    : "no condition in %s depends on it",
                             loop->iter->name);
    // The middle keeps the names.
    if (f.upper && !loop_halves(ch, loop, f.upper, false, &h)) return NULL;
    Node *middle = f.upper ? h.first : loop;
    if (f.lower && !loop_halves(ch, middle, f.lower, true, &g)) return NULL;
    Node *parts[3];
    int n = 0;
    if (f.lower) parts[n++] = g.first;
    parts[n++] = f.lower ? g.second : middle;
    if (f.upper) parts[n++] = h.second;
    Node *root = loop_parts(ch, ch->nest->root, loop, n, parts);
    for (int k = 0; k < n; k++) root = simplify_at(ch->c, ch->nest, root, parts[k]);
    return change_done(ch, root);
}

// ---- the rules --------------------------------------------------------------------------------------
static Nest *halve(Change *ch, Node *loop, Expr *at, bool second_keeps) {
    Halves h;
    if (!at || !loop_halves(ch, loop, at, second_keeps, &h)) return NULL;
    Node *parts[2] = {h.first, h.second};
    Node *root = loop_parts(ch, ch->nest->root, loop, 2, parts);
    root = simplify_at(ch->c, ch->nest, root, h.first);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, h.second));
}

static Node *the_loop(Change *ch, Path *p) {
    Node *loop = change_loop(ch, ch->step->words[0]);
    return loop && path_to(ch->nest->root, loop, p) ? loop : NULL;
}

static Nest *apply_split(Change *ch) {
    Path p;
    Node *loop = the_loop(ch, &p);
    const char *at = change_text(ch, "at");
    if (!loop) return NULL;
    if (loop->how == HOW_BLOCK) return split_blocks(ch, &p, loop);
    if (str_eq(at, "full")) return split_full(ch, loop);
    if (str_eq(at, "rounds"))
        return change_refuse(ch, "at=rounds is for block loops, and %s is none", loop->iter->name);
    return halve(ch, loop, change_expr(ch, &p, loop->lo->type, at), false);
}

static Nest *apply_peel(Change *ch) {
    Path p;
    Node *loop = the_loop(ch, &p);
    bool first = change_text(ch, "first"), last = change_text(ch, "last");
    if (!loop) return NULL;
    if (first == last) return change_refuse(ch, "it takes first=N or last=N");
    Expr *n = expr_int(ch->a, loop->lo->type, change_int(ch, first ? "first" : "last"));
    return halve(ch, loop, first ? expr_add(ch->a, loop->lo, n) : expr_sub(ch->a, loop->hi, n), first);
}

static const Knob split_knobs[] = {
    {"at",
     "the counter's value at which the second loop begins; full: where all conditions inside are true; "
     "rounds, of blocks: as "
     "many of them before as fill the multiprocessors a whole number of times",
     KNOB_TEXT, 0, 0, NULL, NULL},
};

static void find_split(Finder *f) {
    find_loops(f, loop_holds_conditions, "split %1 at=full");
    find_loops(f, loop_is_block, "split %1 at=rounds");
}

static const RuleExample split_examples[] = {
    {EXAMPLE_PRODUCT, "strip k by=16 as=kb,kk", "split kb at=full", NULL},
    {EXAMPLE_PRODUCT, "", "split i at=n/2", NULL},
    {EXAMPLE_PRODUCT, "", "split i at=5", NULL},
    {EXAMPLE_SEIDEL, "", "split i at=min(t,n-3)", NULL},
    {EXAMPLE_EACH, "", "split i at=full", NULL},
    {EXAMPLE_PRODUCT, "tile i j by=4 as=ib,jb,ii,ji\nmap block jb ib", "split jb at=rounds", NULL},
    {EXAMPLE_PRODUCT, "tile i j by=4 as=ib,jb,ii,ji\nmap block jb ib", "split ib at=n/8", NULL},
    {EXAMPLE_PRODUCT, "tile i j by=4 as=ib,jb,ii,ji\nmap block jb ib", "split jb at=ib",
     "ib is no parameter"},
    {EXAMPLE_PRODUCT, "", "split j at=rounds", "for block loops"},
    {EXAMPLE_PRODUCT, "", "split j at=k", "k is no parameter and no loop around the place"},
    {EXAMPLE_PRODUCT, "", "split j at=full", "no condition in j depends on it"},
    {NULL, NULL, NULL, NULL},
};

const Rule split_rule = {
    .name = "split",
    .usage = "split LOOP at=EXPR|full|rounds",
    .summary = "Index-set splitting: two loops one after the other; conditions that are then decided go "
               "away. Blocks become those of "
               "two kernels.",
    .picture = "for kb in 0 .. ceil(p/16)                      for kb in 0 .. p/16\n"
               "    for ki in 0 .. 16                  →           for ki in 0 .. 16  S\n"
               "        if (16*kb + ki < p) S                  for kb_1 in p/16 .. ceil(p/16)\n"
               "                                                   for ki_1 …  if (…) S\n",
    RULE_KNOBS(split_knobs),
    .apply = apply_split,
    .find = find_split,
    .examples = split_examples,
};

static const Knob peel_knobs[] = {
    {"first", "how many of the first iterations", KNOB_INT, 1, 1 << 20, NULL, ""},
    {"last", "how many of the last", KNOB_INT, 1, 1 << 20, NULL, ""},
};

static void find_peel(Finder *f) { find_loops(f, loop_is_serial, "peel %1 first=1"); }

static const RuleExample peel_examples[] = {
    {EXAMPLE_SEIDEL, "", "peel i first=1", NULL},
    {EXAMPLE_SEIDEL, "", "peel i last=2", NULL},
    {EXAMPLE_PRODUCT, "", "peel k first=3", NULL},
    {EXAMPLE_PRODUCT, "", "peel k first=3 last=3", "first=N or last=N"},
    {EXAMPLE_EACH, "", "peel j first=1", "has step -2, not 1"},
    {NULL, NULL, NULL, NULL},
};

const Rule peel_rule = {
    .name = "peel",
    .usage = "peel LOOP first=N|last=N",
    .summary = "Takes the first or last iterations of a loop out of it; what remains keeps the name.",
    .picture = "for i in 0 .. n                  for i_1 in 0 .. min(1, n)  S\n"
               "    S                  →         for i in 1 .. n  S\n",
    RULE_KNOBS(peel_knobs),
    .apply = apply_peel,
    .find = find_peel,
    .examples = peel_examples,
};
