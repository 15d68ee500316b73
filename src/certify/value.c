// SPDX-License-Identifier: MIT
// value.c -- the walk: what an element is in the end, in both programs at once.
//
// j says for which sizes, elements and counters; x and y are where both programs' values stand. Loads are
// followed to what was written last, by the facts of flow, until both are operations, elements that nothing
// wrote before, or numbers. Then operators, and operand by operand, are compared; sums by their facts.
#include "certify/certify.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEEP = 400 };
static int deep;

static bool is_select(const Ex *x) { return x->kind == EX_OP && is(x->word, "?:"); }

const char *sum_operator(const Ex *x) {
    if (x->kind != EX_OP) return NULL;
    return among(x->word, "+ -") ? "+" : among(x->word, "* min max & | ^") ? x->word : NULL;
}

static bool commutes(const Ex *x) {
    return x->kind == EX_OP && x->nargs == 2 && among(x->word, "+ * min max & | ^ == !=");
}

// ---- loads ------------------------------------------------------------------------------------------
typedef struct Loading {
    At x;
    Value *value;
    void *arg;
} Loading;

static bool without_base(Conj j, void *arg) {
    const Loading *g = arg;
    At x = g->x;
    x.untouched = true;
    return g->value(j, x, g->arg);
}

bool by_bases(Conj j, At x, Value *value, void *arg) {
    const Access *r = &x.leaf->access[x.x->access];
    Vars at = span(x.c, x.leaf->depth);
    bool any = written(x.leaf->program, r->array);
    if (any && !r->flow)
        return fail("line %d: where the value of %s comes from is not told", x.leaf->line, r->array->name);
    for (const Edge *e = r->edge; e < r->edge + r->nedges; e++) {
        Set s = e->base ? set_put(j, e->rel, at) : (Set){0};
        for (int i = 0; i < s.n; i++)
            if (!value(s.at[i], (At){e->to, j.n, e->to->src}, arg)) return false;
    }
    return r->covered || conj_outside(j, r->based, at, without_base, &(Loading){x, value, arg});
}

static bool without_updates(Conj j, void *arg) {
    const Loading *g = arg;
    return by_bases(j, g->x, g->value, g->arg);
}

// All that the load x may be.
static bool follow(Conj j, At x, Value *value, void *arg) {
    const Access *r = &x.leaf->access[x.x->access];
    Vars at = span(x.c, x.leaf->depth);
    Set s = set_put(j, r->summed, at);
    At sum = x;
    sum.sum = true;
    for (int i = 0; i < s.n; i++)
        if (!value(s.at[i], sum, arg)) return false;
    return conj_outside(j, r->summed, at, without_updates, &(Loading){x, value, arg});
}

static bool is_open(At x) { return x.x->kind == EX_LOAD && !x.untouched && !x.sum; }

// *ok: what is chosen is. False: the condition is not affine.
static bool choose(Conj j, At x, Value *value, void *arg, bool *ok) {
    Set on[2] = {{0}};
    for (int k = 0; k < 2; k++)
        if (!holds(x.x->arg[0], x.c, !k, j, &on[k])) return false;
    *ok = true;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < on[k].n && *ok; i++)
            *ok = value(on[k].at[i], (At){x.leaf, x.c, x.x->arg[1 + k]}, arg);
    return true;
}

// ---- what adds nothing ------------------------------------------------------------------------------
static bool number(const Ex *x, double *v) {
    *v = x->kind == EX_INT ? (double)x->i : x->kind == EX_FLOAT ? strtod(x->word, NULL) : 0;
    return x->kind == EX_INT || x->kind == EX_FLOAT;
}

static bool neutral_value(Conj j, At x, void *arg) { return is_neutral(j, x, arg); }

bool is_neutral(Conj j, At x, const char *op) {
    double v, none = is(op, "*") ? 1 : is(op, "max") ? -__builtin_inf() : is(op, "min") ? __builtin_inf() : 0;
    bool ok = false;
    if (conj_empty(j)) return true;
    if (x.untouched || x.sum || is(op, "&") || ++deep > MOST_DEEP) return false;
    if (is_open(x)) ok = follow(j, x, neutral_value, (void *)op);
    else if (number(x.x, &v)) ok = v == none;
    else if (is_select(x.x) && choose(j, x, neutral_value, (void *)op, &ok)) ;
    else if (is(op, "+") && x.x->kind == EX_OP && is(x.x->word, "*"))
        ok = is_neutral(j, (At){x.leaf, x.c, x.x->arg[0]}, op) &&
             is_neutral(j, (At){x.leaf, x.c, x.x->arg[1]}, op);
    deep--;
    return ok;
}

// ---- the same? --------------------------------------------------------------------------------------
typedef struct Pair {
    Vars p;
    At x, y; // of the loops, of the kernel
} Pair;

static bool with_x(Conj j, At x, void *arg) {
    const Pair *pair = arg;
    return same_value(j, pair->p, x, pair->y);
}

static bool with_y(Conj j, At y, void *arg) {
    const Pair *pair = arg;
    return same_value(j, pair->p, pair->x, y);
}

static bool differ(At x, At y, const char *what) {
    return fail("%s, at line %d of the loops and line %d of the kernel", what, x.leaf->line, y.leaf->line);
}

// Both are affine: 1 the same, 0 not, -1 they are not affine.
static int same_whole(Conj j, At x, At y) {
    Set a = {0};
    if (!affine_both(x.x, x.c, y.x, y.c, j, &a)) return -1;
    for (int i = 0; i < a.n; i++)
        if (!always_same(a.at[i], a.at[i].v, a.at[i].w)) return 0;
    return 1;
}

static const Ex *not_widened(const Ex *x) {
    bool wider = x->kind == EX_CAST && is(x->type, "i64") && is(x->arg[0]->type, "i32");
    return wider ? not_widened(x->arg[0]) : x;
}

bool same_subscript(Conj j, Vars p, At x, At y) {
    x.x = not_widened(x.x), y.x = not_widened(y.x);
    int whole = same_whole(j, x, y);
    return whole > 0 || (whole < 0 && same_value(j, p, x, y));
}

static bool same_operands(Conj j, Vars p, At x, At y, bool turned) {
    for (int i = 0; i < x.x->nargs; i++) {
        At a = {x.leaf, x.c, x.x->arg[i]}, b = {y.leaf, y.c, y.x->arg[turned ? x.x->nargs - 1 - i : i]};
        if (!(x.untouched ? same_subscript : same_value)(j, p, a, b)) return false;
    }
    return true;
}

static bool same_operation(Conj j, void *pair) {
    Vars p = ((Pair *)pair)->p;
    At x = ((Pair *)pair)->x, y = ((Pair *)pair)->y;
    const Ex *a = x.x, *b = y.x;
    double v, w;
    if (x.sum || y.sum) return differ(x, y, "there is no fact about a sum");
    if (a->kind != b->kind || !is(a->type, b->type)) return differ(x, y, "other expressions");
    if (a->kind == EX_LOAD) {
        if (a->array != b->array) return differ(x, y, "other arrays");
        if (!a->array->user) return differ(x, y, "a word that was not written");
        return same_operands(j, p, x, y, false) || differ(x, y, "other elements");
    }
    if (number(a, &v)) return (number(b, &w) && !memcmp(&v, &w, sizeof v)) || differ(x, y, "other numbers");
    if (a->kind == EX_SYM)
        return (a->var < 0 && b->var < 0 && is(a->word, b->word)) || differ(x, y, "other names");
    if (a->nargs != b->nargs || (a->kind != EX_CAST && !is(a->word, b->word)))
        return differ(x, y, "other operations");
    return same_operands(j, p, x, y, false) || (commutes(a) && same_operands(j, p, x, y, true));
}

// ---- recurrences ------------------------------------------------------------------------------------
//   (steps 4 1 7 2 PIECES)   load 1 of the loops' leaf 4 and load 2 of the kernel's leaf 7 have the same
//                            values at these pairs of counters
//
// To show it the values are followed, so that what is used of such a fact lies before it.
typedef struct Steps {
    const Access *end[2];
    Set pairs;
} Steps;
static Steps *steps;
static int nsteps;

void read_steps(const Item *x) {
    Steps s = {0};
    for (int k = 0; k < 2; k++) s.end[k] = load_of(x, 2 + 2 * k, leaf_of(x, 1 + 2 * k, &programs[k]));
    s.pairs = read_set(x, 5, s.end[0]->leaf->depth + s.end[1]->leaf->depth, 0);
    steps = more_room(steps, nsteps, sizeof s);
    steps[nsteps++] = s;
}

static bool is_state(int k, At x) {
    for (int i = 0; i < nsteps; i++)
        if (steps[i].end[k] == &x.leaf->access[x.x->access]) return true;
    return false;
}

static bool step_of_x(Conj j, void *pair) { return follow(j, ((Pair *)pair)->x, with_x, pair); }

static bool same_steps(Conj j, Pair pair) {
    Set told = {0};
    Vars at = vars_and(span(pair.x.c, pair.x.leaf->depth), span(pair.y.c, pair.y.leaf->depth));
    for (const Steps *s = steps; s < steps + nsteps; s++)
        if (s->end[0] == &pair.x.leaf->access[pair.x.x->access] &&
            s->end[1] == &pair.y.leaf->access[pair.y.x->access])
            set_add_all(&told, s->pairs);
    return conj_outside(j, told, at, step_of_x, &pair);
}

void check_steps(void) {
    for (const Steps *s = steps; s < steps + nsteps; s++) {
        const Leaf *x = s->end[0]->leaf, *y = s->end[1]->leaf;
        int cx = ATOMS, cy = ATOMS + x->depth;
        Set pairs = set_put(conj_here(cy + y->depth), s->pairs, span(cx, x->depth + y->depth));
        for (int i = 0; i < pairs.n; i++) {
            Set in = in_domain(pairs.at[i], x, cx);
            for (int k = 0; k < in.n; k++) {
                Set both = in_domain(in.at[k], y, cy);
                Pair pair = {span(0, 0), {x, cx, s->end[0]->load}, {y, cy, s->end[1]->load}};
                for (int m = 0; m < both.n; m++)
                    if (!step_of_x(both.at[m], &pair)) refuse("a recurrence: %s", failed);
            }
        }
    }
}

// ---- all --------------------------------------------------------------------------------------------
static bool same(Conj j, Vars p, At x, At y) {
    bool ok, x_open = is_open(x), y_open = is_open(y);
    Pair pair = {p, x, y};
    if (x_open && !(y_open && is_state(0, x))) return follow(j, x, with_x, &pair);
    if (y_open && !(x_open && is_state(1, y))) return follow(j, y, with_y, &pair);
    if (x_open) return same_steps(j, pair);
    int whole = is(x.x->type, y.x->type) ? same_whole(j, x, y) : -1;
    if (whole >= 0) return whole || differ(x, y, "other whole numbers");
    if (is_select(x.x) && choose(j, x, with_x, &pair, &ok)) return ok;
    if (is_select(y.x) && choose(j, y, with_y, &pair, &ok)) return ok;
    return is(x.x->type, y.x->type) ? by_sums(j, p, x, y, same_operation, &pair) : same_operation(j, &pair);
}

bool same_value(Conj j, Vars points, At x, At y) {
    if (conj_empty(j)) return true;
    if (++deep > MOST_DEEP) return fail("values are too deep");
    size_t mark = take_mark();
    bool ok = same(j, points, x, y);
    take_back(mark);
    deep--;
    return ok;
}

void check_arrays(void) {
    for (int i = 0; i < narrays; i++) {
        const Array *a = &arrays[i];
        if (!a->user || !(written(&programs[0], a) || written(&programs[1], a))) continue;
        size_t mark = take_mark();
        const Leaf *x = program_end(&programs[0], a), *y = program_end(&programs[1], a);
        Conj j = {context.last, ATOMS + a->rank};
        if (!same_value(j, vars_of(j), (At){x, ATOMS, x->src}, (At){y, ATOMS, y->src}))
            refuse("%s: %s", a->name, failed);
        take_back(mark);
    }
}
