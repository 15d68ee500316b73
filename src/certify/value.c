// SPDX-License-Identifier: MIT
// value.c -- the walk: what an element is in the end, in both programs at once.
//
// j says for which sizes, elements and counters; x and y are where both programs' values stand. Loads are
// followed to what was written last, by the facts of flow, until both are operations, elements that nothing
// wrote before, or numbers. Then operators, and operand by operand, are compared; sums by their facts.
#include "certify/certify.h"
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 400 };
static int deep;

static bool is(const char *x, const char *y) { return !strcmp(x, y); }

static bool is_select(const Ex *x) { return x->kind == EX_OP && is(x->word, "?:"); }
static bool is_whole(const Ex *x) { return x->type[0] != 'f'; }

const char *sum_operator(const Ex *x) {
    if (x->kind == EX_OP && (is(x->word, "+") || is(x->word, "-"))) return "+";
    if (x->kind == EX_OP && (is(x->word, "*") || is(x->word, "min") || is(x->word, "max") ||
                             is(x->word, "&") || is(x->word, "|") || is(x->word, "^")))
        return x->word;
    return NULL;
}

static bool commutes(const Ex *x) {
    return x->kind == EX_OP && x->nargs == 2 &&
           (is(x->word, "==") || is(x->word, "!=") || (sum_operator(x) && !is(x->word, "-")));
}

// ---- loads ------------------------------------------------------------------------------------------
typedef bool Value(Conj j, At x, void *arg);

typedef struct Loading {
    At x;
    Value *value;
    void *arg;
} Loading;

static int *counters(const Leaf *l, int c) {
    int *map = take((size_t)(ATOMS + l->depth) * sizeof *map);
    for (int i = 0; i < ATOMS + l->depth; i++) map[i] = i < ATOMS ? i : c + i - ATOMS;
    return map;
}

// Where no update is.
static bool unsummed(Conj j, void *arg) {
    const Loading *g = arg;
    const Leaf *l = g->x.leaf;
    const Access *r = &l->access[g->x.x->access];
    int dims = ATOMS + l->depth, *map = counters(l, g->x.c), cw;
    for (int b = 0; b < r->nbases; b++) {
        const Leaf *w = l->program->leaf[r->base[b].leaf];
        for (int i = 0; i < r->base[b].rel.n; i++) {
            Conj at = conj_put(j, r->base[b].rel.at[i], dims, map, true, &cw);
            if (!conj_empty(at) && !g->value(at, (At){w, cw, w->src}, g->arg)) return false;
        }
    }
    At rest = g->x;
    rest.untouched = true;
    for (int i = 0; i < r->rest.n; i++) {
        Conj at = conj_put(j, r->rest.at[i], dims, map, true, NULL);
        if (!conj_empty(at) && !g->value(at, rest, g->arg)) return false;
    }
    return true;
}

// All that the load x may be.
static bool follow(Conj j, At x, Value *value, void *arg) {
    const Access *r = &x.leaf->access[x.x->access];
    int dims = ATOMS + x.leaf->depth, *map = counters(x.leaf, x.c);
    if (!written(x.leaf->program, r->array)) {
        x.untouched = true;
        return value(j, x, arg);
    }
    if (!r->flow)
        return fail("line %d: where the value of %s comes from is not told", x.leaf->line, r->array->name);
    Conjs summed = {0};
    At sum = x;
    sum.sum = true;
    for (int i = 0; i < r->summed.n; i++) {
        Conj at = conj_put(j, r->summed.at[i], dims, map, true, NULL);
        if (!conj_empty(at) && !value(at, sum, arg)) return false;
        conjs_add(&summed, conj_put((Conj){.n = j.n}, r->summed.at[i], dims, map, true, NULL));
    }
    Loading g = {x, value, arg};
    return conj_outside(j, &summed, j.n, unsummed, &g);
}

static bool is_open(At x) { return x.x->kind == EX_LOAD && !x.untouched && !x.sum; }

static bool choose(Conj j, At x, Value *value, void *arg, bool *ok) {
    Conjs on[2] = {{0}};
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
    if (x->kind == EX_INT) *v = (double)x->i;
    else if (x->kind == EX_FLOAT) *v = strtod(x->word, NULL);
    else return false;
    return true;
}

static bool neutral_of(const char *op, double *v) {
    if (is(op, "+") || is(op, "|") || is(op, "^")) *v = 0;
    else if (is(op, "*")) *v = 1;
    else if (is(op, "max")) *v = -__builtin_inf();
    else if (is(op, "min")) *v = __builtin_inf();
    else return false;
    return true;
}

static bool neutral_value(Conj j, At x, void *arg) { return is_neutral(j, x, arg); }

bool is_neutral(Conj j, At x, const char *op) {
    double v, none;
    bool ok = false;
    if (conj_empty(j)) return true;
    if (x.untouched || x.sum || !neutral_of(op, &none) || ++deep > DEEPEST) return false;
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
    Points p;
    At other; // of both, that which stays
    bool first; // the one that is followed is the loops'
} Pair;

static bool pair_value(Conj j, At x, void *arg) {
    const Pair *q = arg;
    return q->first ? same_value(j, q->p, x, q->other) : same_value(j, q->p, q->other, x);
}

static bool differ(At x, At y, const char *what) {
    return fail("%s, at line %d of the loops and line %d of the kernel", what, x.leaf->line, y.leaf->line);
}

// Both are affine: 1 the same, 0 not, -1 they are not affine.
static int same_whole(Conj j, At x, At y) {
    Cases a = {0};
    if (!is_whole(x.x) || !is_whole(y.x) || !affine(x.x, x.c, j, &a)) return -1;
    for (int i = 0; i < a.n; i++) {
        Cases b = {0};
        if (!affine(y.x, y.c, a.at[i].j, &b)) return -1;
        for (int k = 0; k < b.n; k++)
            if (!conj_empty(conj_less(b.at[k].j, a.at[i].v, b.at[k].v, 1)) ||
                !conj_empty(conj_less(b.at[k].j, b.at[k].v, a.at[i].v, 1)))
                return 0;
    }
    return 1;
}

static bool same_operands(Conj j, Points p, At x, At y, bool turned) {
    for (int i = 0; i < x.x->nargs; i++) {
        At a = {x.leaf, x.c, x.x->arg[i]}, b = {y.leaf, y.c, y.x->arg[turned ? x.x->nargs - 1 - i : i]};
        int whole = x.untouched ? same_whole(j, a, b) : -1; // subscripts, of whatever type
        if (!whole || (whole < 0 && !same_value(j, p, a, b))) return false;
    }
    return true;
}

static bool same_operation(Conj j, Points p, At x, At y) {
    const Ex *a = x.x, *b = y.x;
    if (a->kind != b->kind || !is(a->type, b->type) || x.sum || y.sum)
        return differ(x, y, x.sum || y.sum ? "there is no fact about a sum" : "other expressions");
    if (a->kind == EX_LOAD) {
        if (a->array != b->array) return differ(x, y, "other arrays");
        if (!is(a->array->place, "user")) return differ(x, y, "a word that was not written");
        return same_operands(j, p, x, y, false) || differ(x, y, "other elements");
    }
    double v, w;
    if (number(a, &v)) return (number(b, &w) && !memcmp(&v, &w, sizeof v)) || differ(x, y, "other numbers");
    if (a->kind == EX_SYM)
        return (a->var < 0 && b->var < 0 && is(a->word, b->word)) || differ(x, y, "other names");
    if (a->nargs != b->nargs || (a->kind != EX_CAST && !is(a->word, b->word)))
        return differ(x, y, "other operations");
    return same_operands(j, p, x, y, false) || (commutes(a) && same_operands(j, p, x, y, true));
}

typedef struct Here {
    Points p;
    At x, y;
} Here;

static bool apart_from_sums(Conj j, void *arg) {
    const Here *h = arg;
    return same_operation(j, h->p, h->x, h->y);
}

static bool by_facts(Conj j, Points p, At x, At y) {
    int k = 0;
    Conjs at = {0};
    const Sum *s;
    int *map = take((size_t)(ATOMS + p.n) * sizeof *map);
    for (int i = 0; i < ATOMS + p.n; i++) map[i] = i < ATOMS ? i : p.var[i - ATOMS];
    while (is(x.x->type, y.x->type) && (s = find_sum(p.n, x, y, &k))) {
        const Conjs *points = sum_points(s);
        for (int i = 0; i < points->n; i++) {
            Conj in = conj_put(j, points->at[i], ATOMS + p.n, map, true, NULL);
            if (conj_empty(in)) continue;
            if (!sum_holds(s, in, p, x, y)) return false;
            conjs_add(&at, conj_put((Conj){.n = j.n}, points->at[i], ATOMS + p.n, map, true, NULL));
        }
    }
    Here h = {p, x, y};
    return conj_outside(j, &at, j.n, apart_from_sums, &h);
}

static bool same(Conj j, Points p, At x, At y) {
    bool ok;
    if (is_open(x)) return follow(j, x, pair_value, &(Pair){p, y, true});
    if (is_open(y)) return follow(j, y, pair_value, &(Pair){p, x, false});
    int whole = is(x.x->type, y.x->type) ? same_whole(j, x, y) : -1;
    if (whole >= 0) return whole || differ(x, y, "other whole numbers");
    if (is_select(x.x) && choose(j, x, pair_value, &(Pair){p, y, true}, &ok)) return ok;
    if (is_select(y.x) && choose(j, y, pair_value, &(Pair){p, x, false}, &ok)) return ok;
    return by_facts(j, p, x, y);
}

bool same_value(Conj j, Points p, At x, At y) {
    if (conj_empty(j)) return true;
    if (++deep > DEEPEST) return fail("values are too deep");
    size_t mark = take_mark();
    bool ok = same(j, p, x, y);
    take_back(mark);
    deep--;
    return ok;
}

void check_arrays(void) {
    for (int i = 0; i < narrays; i++) {
        const Array *a = &arrays[i];
        if (strcmp(a->place, "user") || !(written(&programs[0], a) || written(&programs[1], a))) continue;
        size_t mark = take_mark();
        int *point = take((size_t)(a->rank + 1) * sizeof *point);
        At at[2];
        for (int d = 0; d < a->rank; d++) point[d] = ATOMS + d;
        for (int k = 0; k < 2; k++) {
            Leaf *l = program_end(&programs[k], a);
            at[k] = (At){l, ATOMS, l->src};
        }
        if (!same_value((Conj){context.last, ATOMS + a->rank}, (Points){a->rank, point}, at[0], at[1]))
            refuse("%s: %s", a->name, failed);
        take_back(mark);
    }
}
