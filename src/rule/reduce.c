// SPDX-License-Identifier: MIT
// reduce.c -- the iterations of a sum by many threads of a block, whose parts a tree combines.
//
//   block ib { thread i {            block ib { shared y_sums[8][32]
//     y[i] = 0                         thread i { thread l { if (l == 0) y[i] = 0 } }
//     for k in 0..n        →           thread i { thread l { acc = 0
//       y[i] += a[i][k] } }                                  for k in l..n step 32  acc += a[i][k]
//                                                            y_sums[i][l] = acc } }
//                                      thread i { thread l { if (l < 8) y_sums[i][4 * l] += the next 3 } }
//                                      … 2, 1 (team_tree.c)
//                                      thread i { thread l { if (l == 0) y[i] += y_sums[i][0] } } }
//
// Outside of the thread loops the lanes put rows side by side, not the sum's terms: of columns, where that is
// how they lie in memory.
//
// Any associative and commutative update will do: + * min max & | ^ && ||. Where that changes a float's bits,
// the judge asks for the permission. Loops of which no iteration needs another may be dealt as well: of a row
// that is summed, then divided by its sum, a thread keeps to its own columns.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/storage.h"
#include "rule/team.h"

enum { MOST_THREADS = 1024 };

static bool is_team(const Node *n) {
    return n->kind == N_FOR && (n->how == HOW_THREAD || n->how == HOW_COOP);
}

// The kernel around the first loop, the threads in it, and the work that they do.
static bool find_place(Team *t, Path *p) {
    Node *kernel = NULL, *inside = NULL;
    for (int i = 0; i + 1 < p->n; i++) {
        Node *n = p->node[i];
        if (n->kind == N_KERNEL || (n->kind == N_FOR && n->how == HOW_BLOCK)) inside = n->body;
        if (n->kind == N_KERNEL) kernel = n;
        if (n->kind == N_FOR && n->how != HOW_SERIAL && n->how != HOW_BLOCK && n->how != HOW_THREAD)
            return change_refuse(t->ch, "%s loop %s stands around %s", how_name(n->how), n->iter->name,
                                 t->loop[0]->iter->name);
        if (!is_team(n)) continue;
        if (t->nrows == TEAM_ROWS - 1)
            return change_refuse(t->ch, "too many thread loops stand around %s", t->loop[0]->iter->name);
        if (!t->nrows) t->place = n;
        t->row[t->nrows++] = n;
        t->work = n->body;
    }
    if (!kernel)
        return change_refuse(t->ch, "%s is in no kernel; map its blocks first", t->loop[0]->iter->name);
    if (!t->nrows) t->place = t->work = inside;
    return true;
}

static bool is_row_of(const Team *t, const Node *n) { return has_pointer(t->nrows, t->row, n); }
// Do other phases stand in the kernel, whose threads would be numbered anew?
static bool is_alone(Team *t, const Path *p) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i]->kind == N_KERNEL)
            node_each(n, p->node[i])
                if (is_team(n) && !is_row_of(t, n))
                    return change_refuse(
                        t->ch, "threads of other phases stand in the kernel; reduce before what made them");
    return true;
}

static bool take_loops(Team *t) {
    const Step *s = t->ch->step;
    if (s->nwords > TEAM_LOOPS)
        return change_refuse(t->ch, "it takes 1 to %d loops; usage: %s", TEAM_LOOPS, t->ch->rule->usage);
    for (int k = 0; k < s->nwords; k++) {
        Node *n = t->loop[t->nloops++] = change_loop(t->ch, s->words[k]);
        if (!n) return false;
        if (n->how != HOW_SERIAL || loop_is_unbounded(n))
            return change_refuse(t->ch, "%s is no serial loop with an end", n->iter->name);
    }
    return true;
}

static bool check_loops(Team *t) {
    Path p;
    for (int k = 0; k < t->nloops; k++) {
        if (!path_to(t->work, t->loop[k], &p))
            return change_refuse(t->ch, "%s is no work of the same threads as %s", t->loop[k]->iter->name,
                                 t->loop[0]->iter->name);
        for (int i = 0; i < t->nloops; i++)
            if (i != k && path_to(t->loop[i], t->loop[k], &p))
                return change_refuse(t->ch, "%s stands in %s", t->loop[k]->iter->name,
                                     t->loop[i]->iter->name);
    }
    return true;
}

static bool make_digits(Team *t) {
    int64_t all = t->threads, trips = 1;
    const char *names[2] = {"lane", "warp"}, *wish[2];
    int given = change_names(t->ch, "as", names, 2);
    if (t->threads & (t->threads - 1))
        return change_refuse(t->ch, "by= is a power of two, not %lld", (long long)t->threads);
    for (int k = 0; k < t->nrows; k++) all *= loop_constant(t->row[k], &trips) ? trips : 1;
    if (all > MOST_THREADS)
        return change_refuse(t->ch, "a block would have %lld threads, more than %d", (long long)all,
                             MOST_THREADS);
    t->ndigits = t->threads > TEAM_WARP && !t->outside ? 2 : 1;
    t->extent[0] = t->ndigits > 1 ? t->threads / TEAM_WARP : t->threads;
    t->extent[1] = TEAM_WARP;
    wish[t->ndigits - 1] = names[0];
    wish[0] = t->ndigits > 1 ? names[1] : names[0];
    for (int k = 0; k < t->ndigits; k++)
        if (!(t->digit[k] = counter_named(t->ch, wish[k], T_I32, NULL, t->ndigits - k <= given)))
            return false;
    return true;
}

// Where the loops' iterations are counted from: the least of the loops' beginnings, as far as they differ by
// constants. *when: no loop has more iterations than fit.
static bool make_rounds(Team *t, Expr **when) {
    Arena *a = t->a;
    *when = NULL;
    if (!t->rounds) return t->width == 1 || change_refuse(t->ch, "width= is for rounds=");
    if (t->outside) return change_refuse(t->ch, "rounds= is for neighbours that are lanes, not rows");
    for (int k = 0; k < t->nloops; k++) {
        const Node *n = t->loop[k];
        int64_t before = 0;
        if (n->step != 1 || has_loops(n->body) || expr_has_load(n->lo) || expr_has_load(n->hi) ||
            expr_uses_iters(n->lo) || expr_uses_iters(n->hi))
            return change_refuse(t->ch, "%s has no rounds of one length: it is no loop by ones, without "
                                 "others in it, with ends that are the same for all", n->iter->name);
        if (k && !linear_distance(t->origin, n->lo, &before))
            return change_refuse(t->ch, "%s and %s begin at no constant distance", t->loop[0]->iter->name,
                                 n->iter->name);
        if (!k || before < 0) t->origin = n->lo;
    }
    for (int k = 0; k < t->nloops; k++) {
        Expr *n = expr_sub(a, expr_cast(a, T_I64, t->loop[k]->hi), expr_cast(a, T_I64, t->origin));
        Expr *fits = expr_op(a, OP_LE, n, expr_int(a, T_I64, t->rounds * t->width * t->threads), NULL);
        if (!*when || !expr_equal(*when, fits)) *when = cond_and(a, *when, fits);
    }
    return true;
}

static Nest *apply(Change *ch) {
    Team t = {.ch = ch, .a = ch->a, .region = ch->nest->region, .threads = change_int(ch, "by")};
    t.width = change_int(ch, "width");
    t.outside = str_eq(change_word(ch, "outside"), "yes");
    if (change_text(ch, "rounds")) t.rounds = change_int(ch, "rounds");
    Path p;
    Expr *when;
    if (!take_loops(&t) || !path_to(ch->nest->root, t.loop[0], &p)) return NULL;
    if (!find_place(&t, &p) || !check_loops(&t) || !is_alone(&t, &p) || !make_digits(&t)) return NULL;
    if (!make_rounds(&t, &when)) return NULL;
    Node *n = team_spread(&t);
    if (!n) return NULL;
    Nest *out = change_done(ch, node_replace(ch->a, ch->nest->root, t.place, n));
    out->when = cond_and(ch->a, out->when, when);
    return out;
}

static const Knob knobs[] = {
    {"by", "threads, a power of two; more than 32 are warps of 32", KNOB_INT, 2, MOST_THREADS, NULL, "32"},
    {"outside", "the threads stand around the thread loops that there are, so that neighbours are "
     "iterations of these: for sums along columns", KNOB_WORD, 0, 0, "yes|no", "no"},
    {"as", "names of the counters of the lanes and of the warps", KNOB_NAMES, 0, 0, NULL, ""},
    {"rounds", "iterations that a thread has at most, of all loops the same ones, written out; the nest then "
     "runs where these are enough", KNOB_INT, 1, 64, NULL, ""},
    {"width", "neighbours in each of them", KNOB_INT, 1, 16, NULL, "1"},
};

// A row of numbers that is scaled so that its sum is one; the sum stays in the row's own scalar.
#define SCALED                                                                                      \
    "sculpt 1 region scaled sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" "        \
    "array a[n][m]: f32 = \"a\" live do { for i: i32 = 0 .. n { local s: f32 S0[i] "                \
    "for j: i32 = 0 .. m S1[i, j] for k: i32 = 0 .. m S2[i, k] } } "                                \
    "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += a[i][j] stmt S2[i, k]: a[i][k] = a[i][k] * s }"
// Rows of a sparse matrix: where they begin and end the data say.
#define SPARSE                                                                                            \
    "sculpt 1 region sparse sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "                          \
    "array row[n + 1]: i32 = \"row\" "                                                                    \
    "array v[m]: i32 = \"v\" array y[n]: i32 = \"y\" live "                                               \
    "do { for i: i32 = 0 .. n { local s: i32 S0[i] for k: i32 = row[i] .. row[i + 1] S1[i, k] S2[i] } } " \
    "stmt S0[i]: s = 0 stmt S1[i, k]: s += v[k] stmt S2[i]: y[i] = s }"
// A sum for each element of such rows.
#define ELEMENTS                                                                                          \
    "sculpt 1 region elements sculpt { param n: i32 = \"n\" param m: i32 = \"m\" param p: i32 = \"p\" "   \
    "array row[n + 1]: i32 = \"row\" array a[n][p]: i32 = \"a\" array x[m]: i32 = \"x\" live "            \
    "do { for i: i32 = 0 .. n for k: i32 = row[i] .. row[i + 1] { local s: i32 S0[i, k] "                 \
    "for j: i32 = 0 .. p S1[i, k, j] S2[i, k] } } "                                                       \
    "stmt S0[i, k]: s = 0 stmt S1[i, k, j]: s += a[i][j] * k stmt S2[i, k]: x[k] = s }"
#define RISING "assume data rising row\n"
// Sums of columns.
#define SUM_OF_COLUMNS                                                                              \
    "sculpt 1 region columns sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" "       \
    "array a[n][m]: f32 = \"a\" array y[m]: f32 = \"y\" live do { for j: i32 = 0 .. m { local s: f32 S0[j] " \
    "for i: i32 = 0 .. n S1[j, i] S2[j] } } "                                                       \
    "stmt S0[j]: s = 0.0 stmt S1[j, i]: s += a[i][j] stmt S2[j]: y[j] = s }"
// Sums of rows, in strict order.
#define STRICT                                                                                      \
    "sculpt 1 region strict sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "                    \
    "array a[n][m]: f32 = \"a\" array y[n]: f32 = \"y\" live "                                      \
    "do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] } stmt S0[i, j]: y[i] += a[i][j] }"

// Several sums at once, one element of a row each.
#define ROW_OF_SUMS                                                                                     \
    "sculpt 1 region sums sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" "              \
    "array a[n][m]: i32 = \"a\" array y[n][3]: i32 = \"y\" live "                                       \
    "do { for i: i32 = 0 .. n { local s[3]: i32 for c: i32 = 0 .. 3 S0[i, c] "                          \
    "for j: i32 = 0 .. m for k: i32 = 0 .. 3 S1[i, j, k] for d: i32 = 0 .. 3 S2[i, d] } } "             \
    "stmt S0[i, c]: s[c] = c stmt S1[i, j, k]: s[k] += a[i][j] * (j + k) stmt S2[i, d]: y[i][d] = s[d] }"

// Sums so far: each needs the one before it.
#define RUNNING                                                                                     \
    "sculpt 1 region running sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" "       \
    "array a[n][m]: f32 = \"a\" live do { for i: i32 = 0 .. n for j: i32 = 1 .. m S0[i, j] } "       \
    "stmt S0[i, j]: a[i][j] += a[i][j - 1] }"

static const RuleExample examples[] = {
    {EXAMPLE_TRIANGLE, "strip i by=4 as=ib,ii\nmap block ib\nmap thread ii", "reduce j by=8", NULL},
    {EXAMPLE_TRIANGLE, "map block i", "reduce j by=32 as=l", NULL},
    {EXAMPLE_TRIANGLE, "map block i", "reduce j by=128", NULL},
    {EXAMPLE_SUM, "interchange i k\nmap block i", "reduce k by=4", NULL},
    {SCALED, "strip i by=2 as=ib,ii\nmap block ib\nmap thread ii", "reduce j k by=4", NULL},
    {SCALED, "map block i", "reduce j by=16", NULL},
    {SPARSE, "strip i by=4 as=ib,ii\nmap block ib\nmap thread ii", "reduce k by=4", NULL},
    {ELEMENTS, RISING "strip k by=4 as=kb,kk\nmap block i\nmap thread kk", "reduce j by=8", NULL},
    {ELEMENTS, RISING "map block i", "reduce j by=32", NULL},
    {ELEMENTS, RISING "strip i by=4 as=ib,ii\nmap block ib\nmap thread ii", "reduce j by=8", "may disagree"},
    {SCALED, "strip i by=8 as=ib,ii\nmap block ib\nmap thread ii", "reduce j k by=4 outside=yes", NULL},
    {SCALED, "strip i by=2 as=ib,ii\nmap block ib\nmap thread ii", "reduce j k by=4 rounds=3", NULL},
    {SCALED, "map block i", "reduce j k by=64 rounds=1 width=2", NULL},
    {SUM_OF_COLUMNS, "strip j by=32 as=jb,jt\nmap block jb\nmap thread jt", "reduce i by=16 outside=yes",
     NULL},
    {ROW_OF_SUMS, "map block i", "reduce j by=64", NULL},
    {ROW_OF_SUMS, "strip i by=2 as=ib,ii\nmap block ib\nmap thread ii", "reduce j by=4", NULL},
    {ROW_OF_SUMS, "strip i by=4 as=ib,ii\nmap block ib\nmap thread ii", "reduce j by=8 outside=yes", NULL},
    {STRICT, "map block i", "reduce j", "permission to reassociate"},
    {EXAMPLE_TRIANGLE, "map block i", "reduce j by=12", "is a power of two"},
    {EXAMPLE_TRIANGLE, "map block i", "reduce j by=32 rounds=4", "no rounds of one length"},
    {EXAMPLE_TRIANGLE, "", "reduce j", "is in no kernel"},
    {EXAMPLE_TRIANGLE, "strip i by=64 as=ib,ii\nmap block ib\nmap thread ii", "reduce j by=32",
     "2048 threads"},
    {EXAMPLE_SEIDEL, "", "reduce i", "is in no kernel"},
    {EXAMPLE_PRODUCT, "map block j", "reduce i by=16", NULL},
    {EXAMPLE_PRODUCT, "map block j", "reduce k", "updates more than one element of a"},
    {RUNNING, "map block i", "reduce j", "change the meaning"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "stage b at=kt as=sb", "reduce kk", "other phases"},
    {0},
};

const Rule reduce_rule = {
    .name = "reduce",
    .usage = "reduce LOOP… [by=N] [outside=yes] [rounds=N] [width=N] [as=LANE,WARP]",
    .summary = "Deals the iterations of sums, and of loops beside them, to N threads of the block, whose "
               "parts a tree combines.",
    .picture = "thread i                     thread i  thread l\n"
               "    for k                        acc = 0\n"
               "        y[i] += a[i][k]  →       for k = l .. by 32  acc += a[i][k]\n"
               "                                 s[i][l] = acc\n"
               "                             thread i  thread l\n"
               "                                 if (l < 8)  s[i][4*l] += s[i][4*l+1], +2, +3   then 2, 1\n"
               "                             thread i  thread l\n"
               "                                 if (l == 0)  y[i] += s[i][0]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_reduce,
    .examples = examples,
};
