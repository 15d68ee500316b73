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

const char *sum_operator(const Ex *x) {
    if (x->kind != EX_OP) return NULL;
    return among(x->word, "+ -") ? "+" : among(x->word, "* min max & | ^") ? x->word : NULL;
}

// ---- loads ------------------------------------------------------------------------------------------
static Set all_at(Set s, At x) {
    for (int i = 0; i < s.n; i++) s.at[i].at = x;
    return s;
}

Set bases(Conj j, At x) {
    const Access *r = &x.leaf->access[x.x->access];
    Set here = set_of(j), none = {0}, out = {.bad = !r->flow && written(x.leaf->program, r->array)};
    Vars at = span(x.c, x.leaf->depth);
    if (out.bad) fail("line %d: where the value of %s comes from is not told", x.leaf->line, r->array->name);
    for (const Edge *e = r->edge; e < r->edge + r->nedges; e++)
        if (e->base) set_add_all(&out, all_at(set_put(here, e->rel, at), (At){e->to, j.n, e->to->src}));
    x.untouched = true;
    if (!r->covered) none = set_outside(here, r->based, at);
    set_add_all(&out, all_at(none, x));
    return out;
}

// All that the load x may be.
static Set follow(Conj j, At x) {
    const Access *r = &x.leaf->access[x.x->access];
    Vars at = span(x.c, x.leaf->depth);
    Set rest = set_outside(set_of(j), r->summed, at), out = {0};
    for (int i = 0; i < rest.n; i++) set_add_all(&out, bases(rest.at[i], x));
    x.sum = true;
    set_add_all(&out, all_at(set_put(set_of(j), r->summed, at), x));
    return out;
}

static bool is_open(At x) { return x.x->kind == EX_LOAD && !x.untouched && !x.sum; }

// All that x may choose. Bad: it chooses nothing, or by what is not affine.
static Set choose(Conj j, At x) {
    Set out = {.bad = x.x->kind != EX_OP || !is(x.x->word, "?:")};
    for (int k = 0; k < 2 && !out.bad; k++)
        set_add_all(&out, all_at(holds(x.x->arg[0], x.c, !k, set_of(j)), (At){x.leaf, x.c, x.x->arg[1 + k]}));
    return out;
}

// ---- what adds nothing ------------------------------------------------------------------------------
static bool number(const Ex *x, double *v) {
    *v = x->kind == EX_INT ? (double)x->i : x->kind == EX_FLOAT ? strtod(x->word, NULL) : 0;
    return x->kind == EX_INT || x->kind == EX_FLOAT;
}

bool is_neutral(Conj j, At x, const char *op) {
    double v, none = is(op, "*") ? 1 : is(op, "max") ? -__builtin_inf() : is(op, "min") ? __builtin_inf() : 0;
    if (conj_empty(j)) return true;
    if (x.untouched || x.sum || is(op, "&") || ++deep > MOST_DEEP) return false;
    Set cases = is_open(x) ? follow(j, x) : choose(j, x);
    bool ok = !cases.bad;
    if (ok) {
        for (int i = 0; i < cases.n && ok; i++) ok = is_neutral(cases.at[i], cases.at[i].at, op);
    } else if (number(x.x, &v)) ok = v == none;
    else if (is(op, "+") && x.x->nargs) { // what is made of zeros alone
        ok = x.x->kind == EX_CAST || among(x.x->word, "+ - * fabsf fabs abs sqrtf sqrt");
        for (int i = 0; i < x.x->nargs && ok; i++) ok = is_neutral(j, (At){x.leaf, x.c, x.x->arg[i]}, op);
    }
    deep--;
    return ok;
}

// ---- the same? --------------------------------------------------------------------------------------
// In each case x, of the loops, is what is found there; or y, of the kernel.
static bool same_cases(Set s, Vars p, At x, At y, bool of_y) {
    if (s.bad) return false;
    for (int i = 0; i < s.n; i++) {
        At found = s.at[i].at;
        if (!same_value(s.at[i], p, of_y ? x : found, of_y ? found : y)) return false;
    }
    return true;
}

static bool differ(At x, At y, const char *what) {
    return fail("%s, at line %d of the loops and line %d of the kernel", what, x.leaf->line, y.leaf->line);
}

// Both are affine: 1 the same, 0 not, -1 they are not affine.
static int same_whole(Conj j, At x, At y) {
    Set a = affine_both(x.x, x.c, y.x, y.c, set_of(j));
    if (a.bad) return -1;
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

static bool same_operation(Conj j, Vars p, At x, At y) {
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
    bool commutes = a->kind == EX_OP && a->nargs == 2 && among(a->word, "+ * min max & | ^ == !=");
    return same_operands(j, p, x, y, false) || (commutes && same_operands(j, p, x, y, true));
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
    *MORE(steps, nsteps) = s;
}

static bool is_state(int k, At x) {
    for (int i = 0; i < nsteps; i++)
        if (steps[i].end[k] == &x.leaf->access[x.x->access]) return true;
    return false;
}

static bool same_step(Conj j, Vars p, At x, At y) { return same_cases(follow(j, x), p, x, y, false); }

static bool same_steps(Conj j, Vars p, At x, At y) {
    const Access *end[2] = {&x.leaf->access[x.x->access], &y.leaf->access[y.x->access]};
    Set told = {0};
    for (const Steps *s = steps; s < steps + nsteps; s++)
        if (s->end[0] == end[0] && s->end[1] == end[1]) set_add_all(&told, s->pairs);
    Set rest = set_outside(set_of(j), told, vars_and(span(x.c, x.leaf->depth), y.c, y.leaf->depth));
    for (int i = 0; i < rest.n; i++)
        if (!same_step(rest.at[i], p, x, y)) return false;
    return true;
}

void check_steps(void) {
    for (const Steps *s = steps; s < steps + nsteps; s++) {
        const Leaf *x = s->end[0]->leaf, *y = s->end[1]->leaf;
        int cx = ATOMS, cy = ATOMS + x->depth;
        Set pairs = set_put(set_of(conj_here(cy + y->depth)), s->pairs, span(cx, x->depth + y->depth));
        Set both = in_domain(in_domain(pairs, x, cx), y, cy);
        At at_x = {x, cx, s->end[0]->load}, at_y = {y, cy, s->end[1]->load};
        for (int k = 0; k < both.n; k++)
            if (!same_step(both.at[k], span(0, 0), at_x, at_y)) refuse("a recurrence: %s", failed);
    }
}

// ---- all --------------------------------------------------------------------------------------------
static bool same(Conj j, Vars p, At x, At y) {
    bool x_open = is_open(x), y_open = is_open(y);
    Set apart = {0}, chosen;
    if (x_open && !(y_open && is_state(0, x))) return same_step(j, p, x, y);
    if (y_open && !(x_open && is_state(1, y))) return same_cases(follow(j, y), p, x, y, true);
    if (x_open) return same_steps(j, p, x, y);
    bool typed = is(x.x->type, y.x->type);
    int whole = typed ? same_whole(j, x, y) : -1;
    if (whole >= 0) return whole || differ(x, y, "other whole numbers");
    if (!(chosen = choose(j, x)).bad) return same_cases(chosen, p, x, y, false);
    if (!(chosen = choose(j, y)).bad) return same_cases(chosen, p, x, y, true);
    if (!typed) return same_operation(j, p, x, y);
    if (!by_sums(j, p, x, y, &apart)) return false;
    for (int i = 0; i < apart.n; i++)
        if (!same_operation(apart.at[i], p, x, y)) return false;
    return true;
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
