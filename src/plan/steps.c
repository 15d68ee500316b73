// SPDX-License-Identifier: MIT
// steps.c -- strategy: a few steps in order, of which a thread keeps in registers all that it works on.
//
//   for k < 32 { for i {                        thread i { row = a[i][0 … 31]
//     a[i][k] /= d[k][k]                          a row[k] /= d[k][k] for each k,
//     for j > k  a[i][j] -= a[i][k] * d[k][j]  →  a row[j] -= row[k] * d[k][j] for each j > k
//   } }                                           a[i][0 … 31] = row }
//
// All that is written names the threads' loop by itself in one dimension, so no thread meets another. Loops
// inside begin and end anywhere within constant bounds: all is written out; registers hold a row's elements.
#include "plan/strategy.h"
#include "rule/catalogue.h"
#include "rule/linear.h"
#include "rule/loops.h"

enum {
    MOST_STEPS = 64,
    STRIP = 32,      // iterations of a loop that may end early, at most
    MOST_KEPT = 64,  // elements of an array a thread
    MOST_INSIDE = 4, // loops
};
static const int team[] = {32, 64, 128}; // threads of a block

typedef struct Operand {      // what no step writes
    const Array *array;
    bool alike;               // do all threads read the same of it?
    int along;                // the last dimension along which loops inside go; -1: none
} Operand;

typedef enum Way {            // to an operand that all threads read alike
    WAY_PLAIN,                // element by element from memory, for each of which each thread waits
    WAY_SHARED,               // by way of shared memory
    WAY_ROWS,                 // and from there a step's at once, 16 bytes a load
} Way;

typedef struct Steps {
    const Site *s;
    const Node *steps, *rows;
    int ninside;
    const Node *inside[MOST_INSIDE];
    VEC(const Array *) kept;   // what is written, and
    VEC(int) dim;              // where its subscripts are the rows' counter; -1: nowhere
    VEC(bool) read;            // is it read, too?
    VEC(Operand) operand;
    bool no;
} Steps;

static bool is_counter(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

static int dim_of(const Steps *k, const Access *x) {
    for (int d = 0; d < x->array->rank; d++)
        if (is_counter(x->sub[d], k->rows->iter)) return d;
    return -1;
}

static int place_of(const Steps *k, const Array *x) {
    for (int i = 0; i < k->kept.n; i++)
        if (k->kept.at[i] == x) return i;
    return -1;
}

// What is written first, then whether all else that names it is the same thread's.
static void see_writes(Steps *k, const Node *n) {
    if (n->kind != N_STMT) return;
    AccessVec v = node_accesses(k->s->c->arena, n);
    k->no |= n->atomic || n->nvia;
    if (place_of(k, v.at[0].array) >= 0) return;
    vec_push(k->s->c->arena, &k->kept, v.at[0].array);
    vec_push(k->s->c->arena, &k->dim, dim_of(k, &v.at[0]));
    vec_push(k->s->c->arena, &k->read, false);
}

static void see_reads(Steps *k, const Node *body) {
    AccessVec v = tree_accesses(k->s->c->arena, body);
    for (int i = 0; i < v.n; i++)
        for (int e = 0; e < k->kept.n; e++) {
            int dim = k->dim.at[e];
            bool same = k->kept.at[e] == v.at[i].array && dim >= 0 && dim_of(k, &v.at[i]) == dim;
            k->no |= arrays_may_overlap(k->kept.at[e], v.at[i].array) && !same;
            k->read.at[e] |= same && v.at[i].read;
        }
}

static void see_operands(Steps *k, const Node *body) {
    AccessVec v = tree_accesses(k->s->c->arena, body);
    for (int i = 0; i < v.n; i++) {
        int at = 0;
        while (at < k->operand.n && k->operand.at[at].array != v.at[i].array) at++;
        if (place_of(k, v.at[i].array) >= 0) continue;
        if (at == k->operand.n) vec_push(k->s->c->arena, &k->operand, ((Operand){v.at[i].array, true, -1}));
        Operand *o = &k->operand.at[at];
        for (int d = 0; d < o->array->rank; d++) {
            o->alike &= !expr_uses_sym(v.at[i].sub[d], k->rows->iter);
            for (int l = 0; l < k->ninside; l++)
                if (expr_uses_sym(v.at[i].sub[d], k->inside[l]->iter)) o->along = d;
        }
    }
}

// Loops one inside the other at most, and nothing else.
static void look_inside(Steps *k, const Node *n, int depth) {
    k->no |= n->kind != N_SEQ && n->kind != N_FOR && n->kind != N_STMT && n->kind != N_IF;
    k->no |= n->kind == N_IF && (n->other || !cond_is_free(n->cond));
    k->no |= n->kind == N_SEQ && n->nlocals;
    if (n->kind == N_FOR) {
        k->no |= depth > 0 || k->ninside == MOST_INSIDE || n->step != 1 || loop_while(n);
        k->no |= expr_has_load(n->lo) || expr_has_load(n->hi);
        if (!k->no) k->inside[k->ninside++] = n;
    }
    for (int i = 0; node_kid(n, i) && !k->no; i++) look_inside(k, node_kid(n, i), depth + (n->kind == N_FOR));
}

// May the loop end before its strip does, where there are no more steps?
static bool ends_early(const Node *n) {
    const Expr *hi = n->hi;
    while (hi->kind == E_CAST) hi = hi->args[0];
    return hi->kind == E_OP && hi->op == OP_MIN;
}

// When does it not, as the first of the lesser two says? Its bounds are those of a whole strip then.
static Expr *ends_late(Arena *a, const Node *n) {
    Expr *hi = n->hi;
    int64_t trips;
    while (hi->kind == E_CAST) hi = hi->args[0];
    for (int k = 0; k < 2; k++) {
        bool whole = linear_distance(n->lo, hi->args[k], &trips) && trips <= STRIP;
        if (whole) return expr_op(a, OP_LE, hi->args[k], hi->args[1 - k], NULL);
    }
    return NULL;
}

static bool is_few(const Node *n) {
    int64_t trips;
    return loop_constant(n, &trips) && trips > 1 && trips <= MOST_STEPS;
}

// Around everything: the steps, and directly inside or outside of them the rows.
static bool find_steps(const Site *s, Steps *k) {
    *k = (Steps){.s = s};
    Node *outer = unwrap(s->start->root), *inner = outer->kind == N_FOR ? unwrap(outer->body) : NULL;
    if (!inner || inner->kind != N_FOR || !site_is_even(outer) || !site_is_even(inner)) return false;
    k->steps = is_few(outer) ? outer : inner;
    k->rows = k->steps == outer ? inner : outer;
    if (!is_few(k->steps) || is_few(k->rows)) return false;
    look_inside(k, unwrap(inner->body), 0);
    if (k->no) return false;
    node_each(n, inner->body) see_writes(k, n);
    see_reads(k, inner->body);
    see_operands(k, inner->body);
    return !k->no && k->kept.n;
}

static void stage(const Steps *k, Text *t, const Operand *o, Way way) {
    const char *name = o->array->name;
    bool rows = way == WAY_ROWS && o->along >= 0;
    text_printf(t, "stage %s at=%s_0", name, k->s->region->name);
    if (!rows) {
        text_put(t, "\n");
        return;
    }
    text_printf(t, " as=%s_c order=", name);
    for (int d = 0; d < o->array->rank; d++)
        if (d != o->along) text_printf(t, "%d,", d);
    text_printf(t, "%d\nstage %s_c at=%s as=%s_r\nvectorize %s_r\n", o->along, name, k->steps->iter->name,
                name, name);
}

// Steps of one copy of the loops, whose names end so. kept: what a thread works on stays in registers, and
// all is written out; what asks at each element would take a compiler a minute, and runs for one strip.
static void copy_steps(const Steps *k, Text *t, int threads, const char *behind, bool kept, bool early,
                       Way way) {
    for (int l = 0; kept && l < k->ninside; l++)
        if (expr_uses_iters(k->inside[l]->lo) || expr_uses_iters(k->inside[l]->hi))
            text_printf(t, "hull %s\n", k->inside[l]->iter->name);
    for (int l = 0; early && l < k->ninside; l++) {
        const char *name = k->inside[l]->iter->name;
        if (ends_early(k->inside[l]))
            text_printf(t, "strip %s by=%d as=%sb,%s\nunroll %sb\n", name, STRIP, name, name, name);
    }
    text_printf(t, "grid %s%s", k->rows->iter->name, behind);
    if (unwrap(k->steps->body) == k->rows) text_printf(t, " of=%s%s", k->steps->iter->name, behind);
    text_printf(t, " threads=%d\n", threads);
    for (int o = 0; way != WAY_PLAIN && o < k->operand.n; o++)
        if (k->operand.at[o].alike) stage(k, t, &k->operand.at[o], way);
    for (int e = 0; kept && e < k->kept.n; e++)
        if (k->read.at[e])
            text_printf(t, "hoist %s at=%s max=%d\n", k->kept.at[e]->name, k->steps->iter->name, MOST_KEPT);
    for (int l = 0; kept && l < k->ninside; l++) text_printf(t, "unroll %s\n", k->inside[l]->iter->name);
    if (kept) text_printf(t, "unroll %s\n", k->steps->iter->name);
}

// When no loop inside ends early: what a loop asks at each element then, all threads would wait for. NULL:
// none may, or that can't be asked.
static Expr *all_end_late(const Steps *k, Arena *a) {
    Expr *when = NULL;
    for (int l = 0; l < k->ninside; l++) {
        Expr *late = ends_early(k->inside[l]) ? ends_late(a, k->inside[l]) : NULL;
        if (late && !expr_uses_iters(late)) when = cond_and(a, when, late);
    }
    return when;
}

static const char *recipe(const Steps *k, Arena *a, int threads, Way way) {
    static const char other[] = "_e";
    Expr *late = all_end_late(k, a);
    Text t = text_new(a);
    const Node *first = unwrap(k->steps->body) == k->rows ? k->steps : k->rows;
    if (late)
        text_printf(&t, "either %s when=%s other=%s\n", first->iter->name, step_expr(a, k->s->start, late),
                    other);
    copy_steps(k, &t, threads, "", true, !late, way);
    if (late) copy_steps(k, &t, threads, other, false, false, WAY_PLAIN);
    return text_str(&t);
}

static int recipes(const Site *s, const char **out, const char **why) {
    Steps k;
    *why = "no few steps in order, each of which works on rows by themselves";
    if (!str_eq(s->call->target, "gpu") || !find_steps(s, &k)) return 0;
    bool alike = false;
    int n = 0;
    for (int o = 0; o < k.operand.n; o++) alike = alike || k.operand.at[o].alike;
    for (int way = alike ? WAY_ROWS : WAY_PLAIN; way >= WAY_PLAIN; way--)
        for (size_t i = 0; i < sizeof team / sizeof *team; i++)
            out[n++] = recipe(&k, s->c->arena, team[i], (Way)way);
    return n;
}

const Strategy steps_strategy = {"steps of which a thread keeps its rows", recipes};
