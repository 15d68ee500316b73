// SPDX-License-Identifier: MIT
// witness.c -- points that get to a place of a nest.
//
//   for i in 0 .. n { for ii in 0 .. 4 { 4*i + ii < n ? } }       n = 33, i = 32, ii = 0: not always
//
// Most questions about a place are answered by one point. A place has those of the place before it, each with
// a value for what is new, as far as what is told here holds for them; where too few are left, others are
// looked for from the beginning. Values are whole numbers without an end, as they are isl's; of what isl
// can't tell, and leaves out, nothing is asked.
#include "ir/value.h"
#include "rule/ground.h"
#include "rule/loops.h"

enum { FEW = 8, TRIES = 32 };
static const int64_t LEAST = -((int64_t)1 << 40), MOST = (int64_t)1 << 40; // beyond, a value is not used

typedef struct Point {
    const Syms *named;
    int n;            // of them have a value
    const int64_t *v;
    int64_t size;     // of parameters that have none
} Point;

// ---- values ----------------------------------------------------------------------------------------
static bool whole(const Point *p, const Expr *x, int64_t *out);

static bool is_within(int64_t v) { return v >= LEAST && v <= MOST; }

static bool value_of(const Point *p, const Sym *s, int64_t *out) {
    for (int i = p->n - 1; i >= 0; i--)
        if (p->named->at[i] == s) return *out = p->v[i], true;
    return *out = p->size, s->kind == SYM_PARAM && type_is_int(s->type);
}

static bool divided(Op op, int64_t x, int64_t y, int64_t *out) {
    if (y == 0) return false;
    bool down = x % y != 0 && (x < 0) != (y < 0);
    if (op == OP_DIV || op == OP_FDIV) *out = x / y - (op == OP_FDIV && down);
    else *out = x % y + (op == OP_FMOD && down ? y : 0);
    return true;
}

static bool operated(const Point *p, const Expr *x, int64_t *out) {
    int64_t a, b = 0;
    if (!whole(p, x->args[0], &a)) return false;
    if (x->op == OP_SELECT) return whole(p, x->args[a ? 1 : 2], out);
    if (x->op == OP_LAND || x->op == OP_LOR) {
        if ((a != 0) == (x->op == OP_LOR)) return *out = a != 0, true;
        return whole(p, x->args[1], &b) ? *out = b != 0, true : false;
    }
    if (x->nargs > 1 && !whole(p, x->args[1], &b)) return false;
    switch (x->op) {
    case OP_NEG: *out = -a; break;
    case OP_LNOT: *out = !a; break;
    case OP_ADD: *out = a + b; break;
    case OP_SUB: *out = a - b; break;
    case OP_MUL: return !__builtin_mul_overflow(a, b, out) && is_within(*out);
    case OP_MIN: *out = a < b ? a : b; break;
    case OP_MAX: *out = a > b ? a : b; break;
    case OP_LT: *out = a < b; break;
    case OP_LE: *out = a <= b; break;
    case OP_GT: *out = a > b; break;
    case OP_GE: *out = a >= b; break;
    case OP_EQ: *out = a == b; break;
    case OP_NE: *out = a != b; break;
    case OP_DIV: case OP_MOD: case OP_FDIV: case OP_FMOD: return divided(x->op, a, b, out);
    case OP_SHL:
        return b >= 0 && b < 40 && !__builtin_mul_overflow(a, (int64_t)1 << b, out) && is_within(*out);
    case OP_SHR:
        if (b < 0 || b > 62) return false;
        *out = a >> b;
        break;
    case OP_AND: *out = a & b; break;
    default: return false;
    }
    return is_within(*out);
}

// False: it has none here.
static bool whole(const Point *p, const Expr *x, int64_t *out) {
    if (!type_is_int(x->type)) return false;
    switch (x->kind) {
    case E_INT: return *out = x->i, is_within(x->i);
    case E_SYM: return value_of(p, x->sym, out);
    case E_OP: return operated(p, x, out);
    case E_CAST:
        if (!whole(p, x->args[0], out)) return false;
        if (x->type == T_BOOL) *out = *out != 0;
        else if (type_size(x->type) < 4) *out = value_wrap(x->type, *out);
        return true;
    default: return false;
    }
}

// ---- points ----------------------------------------------------------------------------------------
// Only the data decide it, so that isl leaves it out; a table of constants is told.
static bool is_data(const Expr *x) {
    return (x->kind == E_LOAD && !x->array->values) || x->kind == E_CALL || type_is_float(x->type);
}

static bool is_table(const Expr *x) { return x->kind == E_LOAD && x->array->values; }

static bool is_left_out(const Expr *x) { return !expr_any(x, is_table) && expr_any(x, is_data); }

static bool is_true(const Point *p, Expr *cond, bool value) {
    int64_t v;
    if (whole(p, cond, &v)) return (v != 0) == value;
    return is_left_out(cond);
}

// A condition in parts: what is left out of one says nothing of the others.
static bool is_met(const Point *p, const Ground *g) {
    Expr *t[TERMS_MAX];
    int n = g->kind == TRUE_HERE ? cond_terms(g->cond, t, TERMS_MAX) : 0;
    if (n <= 0) return is_true(p, g->cond, g->kind == TRUE_HERE);
    for (int i = 0; i < n; i++)
        if (!is_true(p, t[i], true)) return false;
    return true;
}

static uint64_t scatter(uint64_t x) {
    x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 29);
}

// Sizes in which tiles fit and don't; for some points one for all.
static int64_t size_for(int try, int ordinal) {
    static const int64_t sizes[] = {1024, 33, 257, 1, 64, 4099, 0, 129, 512, 7, 100, 16, 65, -3, 32, 2048};
    enum { N = sizeof sizes / sizeof *sizes };
    return sizes[(try + try / 4 + (try % 3 ? 0 : 5 * ordinal)) % N];
}

// The first, the last, or another iteration of the loop, which is the innermost of so many.
static bool iteration(const Point *p, const Node *loop, int depth, int try, int64_t *out) {
    int64_t lo, hi, step = loop->step > 0 ? loop->step : -loop->step;
    bool from = whole(p, loop->lo, &lo), to = whole(p, loop->hi, &hi);
    if (type_size(loop->iter->type) < 4) return false;
    if ((!from && !is_left_out(loop->lo)) || (!to && !is_left_out(loop->hi))) return false;
    if (!from) lo = to ? loop->step > 0 ? hi - 1 : hi + 1 : 0;
    if (!to) hi = loop->step > 0 ? lo + 1 : lo - 1;
    int64_t n = ((loop->step > 0 ? hi - lo : lo - hi) + step - 1) / step;
    if (n <= 0) return false;
    uint64_t any = scatter((uint64_t)(try + 64 * p->n));
    int way = try % 4 < 2 ? try % 4 : try % 4 == 2 ? depth <= 1 + try / 4 % 4 : (int)(any >> 60) % 3;
    int64_t k = way == 0 ? 0 : way == 1 ? n - 1 : (int64_t)(any % (uint64_t)n);
    return *out = lo + k * loop->step, is_within(*out);
}

// NAME == NUMBER, as a part of what holds
static bool is_given(const Expr *cond, const Sym *s, int64_t *v) {
    if (cond->kind != E_OP) return false;
    if (cond->op == OP_LAND) return is_given(cond->args[0], s, v) || is_given(cond->args[1], s, v);
    bool given = cond->op == OP_EQ && cond->args[1]->kind == E_INT && cond->args[0]->kind == E_SYM;
    return given && cond->args[0]->sym == s ? *v = cond->args[1]->i, true : false;
}

// v: with the values of the place before.
static bool go_on(const Ground *g, int try, int64_t *v) {
    if (!g->from) return true;
    Point p = {&g->named, g->from->named.n, v};
    bool enters = g->kind == ENTERED;
    for (; p.n < g->named.n - enters; p.n++) {
        bool given = g->kind == TRUE_HERE && is_given(g->cond, g->named.at[p.n], &v[p.n]);
        if (!given) v[p.n] = size_for(try, p.n);
    }
    if (!enters) return is_met(&p, g);
    return iteration(&p, g->loop, g->n, try, &v[p.n]);
}

static bool from_the_start(const Ground *g, int try, int64_t *v) {
    return !g->from || (from_the_start(g->from, try, v) && go_on(g, try, v));
}

static void keep(Arena *a, Ground *g, int try, const int64_t *v) {
    g->try[g->npoints] = try;
    int64_t *own = g->point[g->npoints++] = NEW_N(a, int64_t, g->named.n + 1);
    for (int i = 0; i < g->named.n; i++) own[i] = v[i];
}

int ground_points(Arena *a, Ground *g) {
    if (g->seen) return g->npoints;
    g->seen = true;
    int64_t *v = NEW_N(a, int64_t, g->named.n + 1);
    int before = g->from ? ground_points(a, g->from) : WITNESSES;
    for (int k = 0; k < before; k++) {
        int try = g->from ? g->from->try[k] : k;
        for (int i = 0; g->from && i < g->from->named.n; i++) v[i] = g->from->point[k][i];
        if (go_on(g, try, v)) keep(a, g, try, v);
    }
    for (int k = WITNESSES; before && g->npoints < FEW && k < WITNESSES + TRIES; k++)
        if (from_the_start(g, k, v)) keep(a, g, k, v);
    return g->npoints;
}

bool ground_shows(Arena *a, Ground *g, const Expr *cond, bool value) {
    ground_points(a, g);
    for (int k = 0; k < g->npoints; k++) {
        int64_t v;
        Point p = {&g->named, g->named.n, g->point[k], size_for(k, 0)};
        if (whole(&p, cond, &v) && (v != 0) == value) return true;
    }
    return false;
}
