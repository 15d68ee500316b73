// SPDX-License-Identifier: MIT
// expand.c -- scalar expansion: a local of a loop's body becomes an array with an element for each
// iteration, so that the body can be distributed.
//
//   for i { for j {                      temp s_x[n][m]
//     local s                            for i { for j {
//     s = 0                        →       s_x[i][j] = 0
//     for k  s += A[i][k] * B[k][j]        for k  s_x[i][j] += A[i][k] * B[k][j]
//     C[i][j] = s } }                      C[i][j] = s_x[i][j] } }
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/storage.h"

enum { MAX_LOOPS = 6 };

typedef struct Expand {
    Change *ch;
    Arena *a;
    const Array *local;
    Array *temp;
    int nloops, n;
    // around the declaration, outermost first; of a triangle with the bounds of the square around it
    const Node *loop[MAX_LOOPS];
    int first;                   // the outermost whose iterations have elements of their own
    bool block;                  // the array is a local of the block around that loop
    const Node *dim[MAX_LOOPS];  // [n] those, in the order of the array's dimensions
    bool falls[MAX_LOOPS];       // [dimension] the loop goes backwards through the other arrays, so here, too
} Expand;

static bool find_loops_around(Expand *x, Node *block) {
    Path p;
    const char *from = change_text(x->ch, "from");
    if (!path_to(x->ch->nest->root, block, &p)) return false;
    x->first = from && *from ? -1 : 0;
    for (int i = 0; i < p.n; i++) {
        const Node *n = p.node[i];
        if (n->kind == N_KERNEL)
            return change_refuse(x->ch, "%s is in a kernel; expand it before", x->local->name);
        if (n->kind != N_FOR) continue;
        const char *name = n->iter->name;
        Node *wide = p.node[i];
        for (int k = x->nloops - 1; k >= 0; k--)
            if ((expr_uses_sym(wide->lo, x->loop[k]->iter) || expr_uses_sym(wide->hi, x->loop[k]->iter)) &&
                !loop_widen(x->ch, &wide, x->loop[k]))
                return false;
        n = wide;
        bool fixed = !expr_uses_iters(n->lo) && !expr_uses_iters(n->hi);
        fixed = fixed && cond_is_free(n->lo) && cond_is_free(n->hi);
        if ((n->step != 1 && n->step != -1) || !fixed)
            return change_refuse(
                x->ch, "%s has a step other than 1 or bounds that other loops or memory change", name);
        if (x->nloops == MAX_LOOPS)
            return change_refuse(x->ch, "more than %d loops stand around %s", MAX_LOOPS, x->local->name);
        if (x->first < 0 && str_eq(name, from)) x->first = x->nloops;
        x->loop[x->nloops++] = n;
    }
    x->n = x->nloops - x->first;
    const char *named = x->first < 0 ? "of that name " : "";
    return (x->nloops && x->first >= 0) ||
           change_refuse(x->ch, "no loop %sstands around %s", named, x->local->name);
}

static bool choose_order(Expand *x) {
    int64_t order[STEP_MAX];
    int n = change_ints(x->ch, "order", order, STEP_MAX);
    unsigned seen = 0;
    for (int k = 0; k < x->n; k++) x->dim[k] = x->loop[x->first + k];
    for (int k = 0; k < n; k++) seen |= order[k] < x->n ? 1u << order[k] : 0;
    if (n && (n != x->n || seen != (1u << n) - 1))
        return change_refuse(x->ch, "order= names each of the %d loops around %s once", x->n, x->local->name);
    for (int k = 0; k < n; k++) x->dim[k] = x->loop[x->first + order[k]];
    return true;
}

static void make_temp(Expand *x) {
    Arena *a = x->a;
    const char *as = change_text(x->ch, "as");
    const char *name = change_name(x->ch, as && *as ? as : arena_printf(a, "%s_x", x->local->name));
    Array *t =
        array_new(a, name, x->local->elem, x->block ? PLACE_LOCAL : PLACE_TEMP, x->n + x->local->rank);
    for (int k = 0; k < x->n; k++) {
        x->falls[k] = loop_falls(a, x->dim[k]);
        Expr *n = expr_narrow(a, T_I32, loop_span(a, x->dim[k]));
        t->extent[k] = expr_op(a, OP_MAX, n, expr_int(a, T_I32, 0), NULL);
    }
    for (int k = 0; k < x->local->rank; k++) t->extent[x->n + k] = x->local->extent[k];
    x->temp = t;
}

// The root with the array where it belongs: at the start of the whole, or of the block around the loop.
static Node *declared(const Expand *x, Node *root) {
    if (!x->block) return seq_declare(x->a, root, x->temp);
    Node *loop = loop_named(root, x->loop[x->first]->iter->name);
    return node_replace(x->a, root, loop, seq_declare(x->a, loop, x->temp));
}

static bool to_temp(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Expand *x = arg;
    Expr **at = NEW_N(x->a, Expr *, x->temp->rank + 1);
    for (int k = 0; k < x->n; k++) {
        Expr *i = expr_sym(x->a, x->dim[k]->iter), *lo = x->dim[k]->lo, *hi = x->dim[k]->hi;
        at[k] = x->falls[k]            ? expr_sub(x->a, expr_sub(x->a, hi, expr_int(x->a, hi->type, 1)), i)
                : x->dim[k]->step > 0 ? expr_sub(x->a, i, lo)
                                      : expr_sub(x->a, lo, i);
    }
    for (int k = 0; k < x->local->rank; k++) at[x->n + k] = s->sub[k];
    *to = x->temp;
    *sub = at;
    return true;
}

// Where a mark says that loops reduce the variable, they reduce what takes its place.
static Node *marked(Node *n, void *arg) {
    const Expand *x = arg;
    n = node_map(x->a, n, marked, arg);
    const Mark *was = n->kind == N_FOR ? n->mark : NULL;
    for (int i = 0; was && i < was->nred; i++) {
        if (was->red[i] != x->local) continue;
        Mark *m = NEW_AS(x->a, Mark, *n->mark);
        m->red = NEW_N(x->a, const Array *, m->nred);
        for (int k = 0; k < m->nred; k++) m->red[k] = k == i ? x->temp : n->mark->red[k];
        n->mark = m;
    }
    return n;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    Expand x = {.ch = ch, .a = a, .local = change_array(ch, ch->step->words[0])};
    x.block = str_eq(change_word(ch, "in"), "block");
    if (!x.local) return NULL;
    if (x.local->place != PLACE_LOCAL || x.local->of)
        return change_refuse(ch, "%s is no local variable", x.local->name);
    Node *block = block_declaring(ch->nest->root, x.local);
    if (!block || !find_loops_around(&x, block) || !choose_order(&x)) return NULL;
    if (ch->nest->root->kind != N_SEQ) return change_refuse(ch, "there is no place for a temporary");
    for (int k = 0; k < x.local->rank; k++)
        if (!x.local->extent[k] || expr_uses_iters(x.local->extent[k]))
            return change_refuse(ch, "%s has no fixed size", x.local->name);
    make_temp(&x);
    for (int k = 0; x.block && k < x.temp->rank; k++)
        if (expr_uses_iters(x.temp->extent[k]))
            return change_refuse(ch, "%s would have no fixed size", x.temp->name);
    Node *inside = node_clone(a, marked(accesses_edit(a, block, x.local, to_temp, &x), &x));
    const Array **kept = NEW_N(a, const Array *, inside->nlocals + 1);
    int n = 0;
    for (int i = 0; i < inside->nlocals; i++)
        if (inside->locals[i] != x.local) kept[n++] = inside->locals[i];
    inside->locals = kept;
    inside->nlocals = n;
    return change_done(ch, declared(&x, node_replace(a, ch->nest->root, block, inside)));
}

static const Knob knobs[] = {
    {"as", "name of the array", KNOB_NAMES, 0, 0, NULL, ""},
    {"order", "the loops around it, from 0, in the order of the array's dimensions", KNOB_INTS, 0,
     MAX_LOOPS - 1, NULL, ""},
    {"from", "the outermost loop whose iterations have elements of their own; unless given, that of all",
     KNOB_NAMES, 0, 0, NULL, ""},
    {"in", "whose the array is: the device's, or the block's around that loop", KNOB_WORD, 0, 0, "temp|block",
     "temp"},
};

#define SUMS                                                                                       \
    "sculpt 1 region sums sculpt reassociate { param n: i32 = \"n\" param p: i32 = \"p\" "         \
    "array a[n][p]: f32 = \"a\" array c[n]: f32 = \"c\" live "                                     \
    "do { for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. p { S1[i, k] } S2[i] } } "    \
    "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += a[i][k] stmt S2[i]: c[i] = s }"

// Of a triangle each row below the diagonal.
#define HALVES                                                                                     \
    "sculpt 1 region halves sculpt reassociate { param n: i32 = \"n\" param p: i32 = \"p\" "       \
    "array a[n][n][p]: f32 = \"a\" array c[n][n]: f32 = \"c\" live "                               \
    "do { for i: i32 = 0 .. n for j: i32 = i .. n { local s: f32 S0[i, j] "                        \
    "for k: i32 = 0 .. p { S1[i, j, k] } S2[i, j] } } "                                            \
    "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += a[i][j][k] stmt S2[i, j]: c[i][j] = s }"

// Backwards through its arrays.
#define FALLS                                                                                      \
    "sculpt 1 region falls sculpt reassociate { param n: i32 = \"n\" param p: i32 = \"p\" "        \
    "array a[n][p]: f32 = \"a\" array c[n]: f32 = \"c\" live "                                     \
    "do { for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. p { S1[i, k] } S2[i] } } "    \
    "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += a[n - 1 - i][k] stmt S2[i]: c[n - 1 - i] = s }"

static const RuleExample examples[] = {
    {SUMS, "", "expand s", NULL},
    {SUMS, "strip i by=8", "expand s as=sums", NULL},
    {SUMS, "strip i by=8", "expand s order=1,0", NULL},
    {SUMS, "", "expand s order=1", "each of the 1 loops"},
    {SUMS, "strip i by=8", "expand s from=ii", NULL},
    {SUMS, "strip i by=8", "expand s from=ii in=block", NULL},
    {SUMS, "", "expand s from=k", "no loop of that name"},
    {HALVES, "", "expand s", NULL},
    {FALLS, "", "expand s", NULL},
    {FALLS, "strip i by=8", "expand s", NULL},
    {SUMS, "", "expand a", "is no local variable"},
    {SUMS, "strip i by=8\nmap block ib", "expand s", "is in a kernel"},
    {0},
};

const Rule expand_rule = {
    .name = "expand",
    .usage = "expand LOCAL [as=NAME] [order=D,…] [from=LOOP] [in=temp|block]",
    .summary = "Gives a local variable an element for each iteration of the loops around it, so that they "
               "can be distributed.",
    .picture = "for i                        for i\n"
               "    s = 0                        s_x[i] = 0\n"
               "    for k  s += …     →          for k  s_x[i] += …\n"
               "    c[i] = s                     c[i] = s_x[i]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_expand,
    .examples = examples,
};
