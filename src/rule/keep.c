// SPDX-License-Identifier: MIT
// keep.c -- keep: what loops read of an array in each of some steps, in a temporary of its own.
//
//   for k { for j  d[k][j] …                   for k { for j  d[k][j] …
//           for i, j  d[i][j] -= d[k][j] }  →          for j_1  d_k[k][j_1] = d[k][j_1]
//                                                      for i, j  d[i][j] -= d_k[k][j] }
//
// A later step may overwrite what this one read before the loops have read it: they see it as it was in their
// step, and may wait until the steps are done. (Node splitting: Kuck, Kuhn, Padua, Leasure and Wolfe, 1981.)
// The temporary has an element for each step, and for each iteration of the loops that the subscripts name.
#include "rule/find.h"
#include "rule/refs.h"
#include "rule/snapshot.h"

enum { MOST_NAMED = 4 };

typedef struct Keep {
    Change *ch;
    Arena *a;
    const Array *array;
    Node *loop, *steps;
    int met, nwanted;
    int64_t wanted[STEP_MAX];  // of the reads, in the order of the text; none: all
    Expr *const *sub;          // of the first of them; NULL: none yet
    int n;
    const Node *named[MOST_NAMED], *wide[MOST_NAMED]; // loops that it names; whatever stands around them does
    Expr *cond;                // under which it reads; NULL: always
    Array *temp;
} Keep;

// ---- what is read ---------------------------------------------------------------------------------
static bool same_sub(const Keep *k, const Site *s) {
    bool same = true;
    for (int d = 0; d < k->array->rank; d++) same = same && expr_equal(k->sub[d], s->sub[d]);
    return same;
}

static bool is_named(const Keep *k, const Node *loop) { return has_pointer(k->n, k->named, loop); }

// The loops that the subscripts name, with those that their bounds name.
static bool find_named(Keep *k, const Site *s) {
    bool named[PATH_MAX_NODES] = {0};
    for (int l = s->nloops - 1; l >= 0; l--) {
        const Sym *i = s->loop[l]->iter;
        for (int d = 0; d < k->array->rank; d++) named[l] |= expr_uses_sym(k->sub[d], i);
        for (int m = l + 1; m < s->nloops; m++)
            named[l] |= named[m] && (expr_uses_sym(s->loop[m]->lo, i) || expr_uses_sym(s->loop[m]->hi, i));
    }
    for (int l = 0; l < s->nloops; l++) {
        if (!named[l]) continue;
        if (k->n == MOST_NAMED || s->loop[l]->step != 1 || !cond_is_free(s->loop[l]->lo) ||
            !cond_is_free(s->loop[l]->hi))
            return change_refuse(k->ch, "loop %s can't be gone through again", s->loop[l]->iter->name);
        k->named[k->n++] = s->loop[l];
    }
    return true;
}

// Is the expression over loops that are named, and those around?
static bool is_known(const Keep *k, const Site *s, const Expr *x) {
    bool known = cond_is_free(x);
    for (int l = 0; l < s->nloops; l++)
        known &= is_named(k, s->loop[l]) || !expr_uses_sym(x, s->loop[l]->iter);
    return known;
}

// When the element is read at all: as conditions say, and where none of the other loops is empty.
static bool find_cond(Keep *k, const Site *s) {
    Expr *term[TERMS_MAX + PATH_MAX_NODES];
    int n = s->cond ? cond_terms(s->cond, term, TERMS_MAX) : 0;
    if (n < 0) return change_refuse(k->ch, "many conditions decide what is read of %s", k->array->name);
    for (int l = 0; l < s->nloops; l++) {
        const Node *loop = s->loop[l];
        if (!is_named(k, loop)) term[n++] = expr_op(k->a, OP_LT, loop->lo, loop->hi, NULL);
    }
    for (int t = 0; t < n; t++) {
        if (!is_known(k, s, term[t]))
            return change_refuse(k->ch, "a condition inside decides what is read of %s", k->array->name);
        k->cond = cond_and(k->a, k->cond, term[t]);
    }
    return true;
}

static bool is_read(Keep *k, const Site *s) {
    return !s->write && read_is_wanted(k->nwanted, k->wanted, k->met++);
}

static bool look(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Keep *k = arg;
    (void)to, (void)sub;
    if (!is_read(k, s) || k->ch->why) return false;
    if (k->sub && !same_sub(k, s)) change_refuse(k->ch, "several elements of %s are read", k->array->name);
    if (k->sub || k->ch->why) return false;
    k->sub = s->sub;
    for (int d = 0; d < k->array->rank; d++)
        if (expr_has_load(s->sub[d]))
            change_refuse(k->ch, "the data say which element of %s is read", k->array->name);
    if (!k->ch->why && find_named(k, s)) find_cond(k, s);
    return false;
}

// ---- the temporary ----------------------------------------------------------------------------------
// The loop without the counter of one around it, if it goes with that.
static bool widen(Keep *k, Node **loop, const Node *out) {
    bool goes = expr_uses_sym((*loop)->lo, out->iter) || expr_uses_sym((*loop)->hi, out->iter);
    return !goes || loop_widen(k->ch, loop, out);
}

// Each loop over all that it ever is, whatever stands around it. The path ends
// with the outermost of them.
static bool widen_all(Keep *k, const Path *p) {
    for (int i = 0; i < k->n; i++) {
        Node *wide = (Node *)k->named[i];
        for (int m = i - 1; m >= 0; m--)
            if (!widen(k, &wide, k->named[m])) return false;
        for (int m = p->n - 2; m >= 0; m--)
            if (p->node[m]->kind == N_FOR && !widen(k, &wide, p->node[m])) return false;
        if (expr_uses_iters(wide->lo) || expr_uses_iters(wide->hi))
            return change_refuse(k->ch, "it can't be told how far %s goes", wide->iter->name);
        k->wide[i] = wide;
    }
    return true;
}

// Where the temporary's elements begin: at 0, but for a loop that may begin below.
static Expr *first_of(const Keep *k, int i) {
    Expr *lo = k->wide[i]->lo;
    return lo->kind == E_INT && lo->i >= 0 ? expr_int(k->a, lo->type, 0) : lo;
}

static void make_temp(Keep *k, int64_t steps) {
    Arena *a = k->a;
    const char *as = change_text(k->ch, "as");
    const char *name = change_name(k->ch, as && *as ? as : arena_printf(a, "%s_k", k->array->name));
    k->temp = array_new(a, name, k->array->elem, PLACE_TEMP, k->n + 1);
    k->temp->extent[0] = expr_int(a, T_I32, steps);
    for (int i = 0; i < k->n; i++) {
        Node all = *k->wide[i];
        all.lo = first_of(k, i);
        Expr *n = expr_narrow(a, T_I32, loop_span(a, &all));
        k->temp->extent[i + 1] = expr_op(a, OP_MAX, n, expr_int(a, T_I32, 0), NULL);
    }
}

static Expr **place_of(const Keep *k, Expr *const *counter) {
    Expr **at = NEW_N(k->a, Expr *, k->n + 1);
    at[0] = expr_sub(k->a, expr_sym(k->a, k->steps->iter), k->steps->lo);
    for (int i = 0; i < k->n; i++) at[i + 1] = expr_sub(k->a, counter[i], first_of(k, i));
    return at;
}

static bool redirect(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Keep *k = arg;
    Expr *counter[MOST_NAMED];
    if (!is_read(k, s)) return false;
    for (int i = 0; i < k->n; i++) counter[i] = expr_sym(k->a, k->named[i]->iter);
    *to = k->temp;
    *sub = place_of(k, counter);
    return true;
}

static Node *fill(Keep *k) {
    Arena *a = k->a;
    const Sym *from[MOST_NAMED];
    Expr *to[MOST_NAMED], **sub = NEW_N(a, Expr *, k->array->rank + 1);
    for (int i = 0; i < k->n; i++) {
        from[i] = k->named[i]->iter;
        to[i] = expr_sym(a, iter_fresh(&k->ch->names, from[i]->name, from[i]->type));
    }
    for (int d = 0; d < k->array->rank; d++) sub[d] = expr_subst(a, k->sub[d], k->n, from, to);
    Node *n = node_copy(a, k->temp, place_of(k, to), OP_SET, expr_load(a, k->array, sub));
    if (k->cond) n = node_if(a, expr_subst(a, k->cond, k->n, from, to), n, NULL);
    for (int i = k->n - 1; i >= 0; i--) {
        const Node *loop = k->named[i];
        Expr *lo = expr_subst(a, loop->lo, i, from, to), *hi = expr_subst(a, loop->hi, i, from, to);
        n = node_for(a, to[i]->sym, lo, hi, 1, HOW_SERIAL, n);
    }
    return n;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Keep k = {.ch = ch, .a = a, .array = change_array(ch, ch->step->words[0])};
    Path p;
    int64_t steps = 0;
    k.loop = k.array ? change_loop(ch, change_text(ch, "at")) : NULL;
    k.steps = k.loop ? change_loop(ch, change_text(ch, "over")) : NULL;
    if (!k.steps || !path_to(ch->nest->root, k.loop, &p)) return NULL;
    bool around = false;
    for (int i = 0; i < p.n; i++) {
        around |= p.node[i] == k.steps && k.steps != k.loop;
        if (p.node[i]->kind == N_KERNEL) return change_refuse(ch, "%s is in a kernel", k.loop->iter->name);
    }
    if (!around || k.steps->step != 1)
        return change_refuse(ch, "%s does not stand in loop %s", k.loop->iter->name, k.steps->iter->name);
    if (!loop_constant(k.steps, &steps) || steps < 1 || steps > 1 << 16)
        return change_refuse(ch, "%s has no constant number of steps; strip it before", k.steps->iter->name);
    if (k.array->place == PLACE_LOCAL || !k.array->rank || ch->nest->root->kind != N_SEQ)
        return change_refuse(ch, "%s is no array of several kernels", k.array->name);
    k.nwanted = change_ints(ch, "reads", k.wanted, STEP_MAX);
    accesses_edit(a, k.loop, k.array, look, &k);
    if (ch->why) return NULL;
    if (!k.sub) return change_refuse(ch, "%s reads no such element of %s", k.loop->iter->name, k.array->name);
    if (!widen_all(&k, &p)) return NULL;
    make_temp(&k, steps);
    k.met = 0;
    Node *parts[2] = {fill(&k), accesses_edit(a, k.loop, k.array, redirect, &k)};
    Node *root = loop_parts(ch, ch->nest->root, k.loop, 2, parts);
    return change_done(ch, seq_declare(a, root, k.temp));
}

// ---- where ----------------------------------------------------------------------------------------
// Reads in a loop that stands in a strip of steps, of arrays that are written there, too.
static void find_at(Finder *f, const Node *n) {
    int64_t trips;
    Refs refs;
    if (n->kind != N_FOR || n->how != HOW_SERIAL || !loop_constant(n, &trips)) return;
    refs_of(f->ch->a, n->body, &refs);
    for (int r = 0; r < refs.n; r++) {
        const Ref *x = &refs.at[r];
        bool written = false;
        for (int w = 0; w < refs.n; w++) written |= refs.at[w].array == x->array && refs.at[w].write;
        if (written && !x->write && x->nloops && !x->kernel && x->array->rank)
            finder_site(f, "keep %s at=%s over=%s reads=0", x->array->name, x->loop[0]->iter->name,
                        n->iter->name);
    }
}

static void find_keep(Finder *f) {
    node_each(n, f->ch->nest->root) find_at(f, n);
}

static const Knob knobs[] = {
    {"at", "the loop whose reads see the temporary, which is filled before that", KNOB_NAMES, 0, 0, NULL,
     NULL},
    {"over", "the loop over steps around it, of a constant number of iterations", KNOB_NAMES, 0, 0, NULL,
     NULL},
    {"reads",
     "which of the loop's reads of the array, by number from 0 in the order of the text, all of one element; "
     "all unless given",
     KNOB_INTS, 0, 1000, NULL, ""},
    {"as", "name of the temporary", KNOB_NAMES, 0, 0, NULL, ""},
};

#define JORDAN                                                                                           \
    "sculpt 1 region jordan sculpt { param n: i32 = \"n\" array a[n][n]: f64 = \"a\" live "                  \
    "do { for k: i32 = 0 .. n { for i: i32 = 0 .. n for j: i32 = 0 .. n if (i != k) { S0[k, i, j] } } } "    \
    "stmt S0[k, i, j]: a[i][j] = a[i][j] - a[k][j] * 0.5 }"

static const RuleExample examples[] = {
    {JORDAN, "strip k by=8\nsplit i at=kb*8", "keep a at=i over=ki reads=1", NULL},
    {JORDAN, "strip k by=8\nsplit i at=kb*8+8", "keep a at=i_1 over=ki reads=1 as=row", NULL},
    {JORDAN, "strip k by=8", "keep a at=i over=ki reads=1", "decides what is read"},
    {JORDAN, "strip k by=8", "keep a at=i over=kb", "no constant number"},
    {JORDAN, "strip k by=8", "keep a at=ki over=ki", "does not stand in"},
    {JORDAN, "strip k by=8", "keep a at=i over=ki", "several elements"},
    {JORDAN, "strip k by=8", "keep a at=i over=ki reads=7", "reads no such element"},
    {0},
};

const Rule keep_rule = {
    .name = "keep",
    .usage = "keep ARRAY at=LOOP over=LOOP [reads=N,…] [as=NAME]",
    .summary = "Keeps what loops read of an array in each of some steps, so that they see it as it was in "
               "their step however late they run.",
    .picture = "for k                        for k\n"
               "    for j  d[k][j] = …           for j  d[k][j] = …\n"
               "    for i, j             →       for j_1  d_k[k][j_1] = d[k][j_1]\n"
               "        … d[k][j]                for i, j  … d_k[k][j]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_keep,
    .examples = examples,
};
