// SPDX-License-Identifier: MIT
// integer.c -- has a conjunction of linear constraints no solution in whole numbers?
//
// Equalities are solved first, by steps as Euclid's. Then variables are eliminated one by one (Fourier and
// Motzkin), those first for which that is exact; where it is not, Pugh's cases are looked at. Each constraint
// is divided by the common divisor of its coefficients and rounded. Where numbers grow too large, or it takes
// too long, the answer is that a solution may be there.
#include "certify/certify.h"
#include <stdlib.h>
#include <string.h>

int checks;

static Int floor_div(Int a, Int b) { return a / b - (a % b < 0); }

// ---- rows -------------------------------------------------------------------------------------------
Linear linear_int(Int v) {
    Linear l = {0, take(sizeof(Int))};
    l.c[0] = v;
    return l;
}

Linear linear_var(int v) {
    Linear l = {v + 1, take((size_t)(v + 2) * sizeof(Int))};
    l.c[v + 1] = 1;
    return l;
}

Int linear_coef(Linear x, int v) { return v + 1 <= x.n ? x.c[v + 1] : 0; }

bool linear_is_int(Linear x, Int *v) {
    for (int i = 1; i <= x.n; i++)
        if (x.c[i]) return false;
    *v = x.c[0];
    return true;
}

Linear linear_add(Linear x, Int by, Linear y) {
    int n = x.n > y.n ? x.n : y.n;
    Linear l = {n, take((size_t)(n + 1) * sizeof(Int))};
    for (int i = 0; i <= n; i++) {
        Int a = i <= x.n ? x.c[i] : 0, b = i <= y.n ? y.c[i] : 0;
        if (__builtin_mul_overflow(b, by, &b) || __builtin_add_overflow(a, b, &l.c[i]))
            refuse("numbers grow too large");
    }
    return l;
}

static Conj row(Conj j, Linear l, bool equal, bool defines) {
    Row *r = take(sizeof *r + (size_t)(l.n + 1) * sizeof(Int));
    *r = (Row){.prev = j.last, .equal = equal, .defines = defines, .n = l.n};
    memcpy(r->c, l.c, (size_t)(l.n + 1) * sizeof(Int));
    if (l.n > j.n) refuse("a constraint names what is not there");
    j.last = r;
    return j;
}

Conj conj_row(Conj j, Linear l, bool equal) { return row(j, l, equal, false); }

Conj conj_less(Conj j, Linear x, Linear y, Int by) {
    return conj_row(j, linear_add(linear_add(y, -1, x), -1, linear_int(by)), false);
}

Conj conj_same(Conj j, Linear x, Linear y) { return conj_row(j, linear_add(x, -1, y), true); }
Conj conj_same_vars(Conj j, int v, int w) { return conj_same(j, linear_var(v), linear_var(w)); }

Conj conj_define(Conj j, int var, Linear x) {
    return row(j, linear_add(x, -1, linear_var(var)), true, true);
}

Conj conj_quotient(Conj j, Linear x, Int by, int *var) {
    if (by < 1) refuse("a divisor that is not positive");
    // floor((63 x + 1) / 64) is x + floor((1 - x) / 64): small coefficients are solved sooner
    Linear whole = {x.n, take((size_t)(x.n + 1) * sizeof(Int))};
    for (int i = 0; i <= x.n; i++) whole.c[i] = floor_div(x.c[i] + by / 2, by);
    x = linear_add(x, -by, whole);
    Linear q = linear_var(j.n++), low = linear_add(x, -by, q);
    j = row(j, low, by == 1, true);
    if (by > 1) j = row(j, linear_add(linear_int(by - 1), -1, low), false, true);
    *var = j.n++;
    return conj_define(j, *var, linear_add(whole, 1, q));
}

void conjs_add(Conjs *to, Conj j) {
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 4;
        Conj *more = take((size_t)to->room * sizeof *more);
        if (to->n) memcpy(more, to->at, (size_t)to->n * sizeof *more);
        to->at = more;
    }
    to->at[to->n++] = j;
}

// ---- no solution? -----------------------------------------------------------------------------------
typedef struct System {
    int vars, rows, room;
    Int *at; // rows of [equal, number, coefficients]
} System;

static bool too_large; // what the numbers or the work became
static long work;
enum { MOST_WORK = 30000000, MOST_ROWS = 3000, MOST_SPLINTERS = 130 };

static Int *row_at(const System *s, int r) { return s->at + (size_t)r * (size_t)(s->vars + 2); }

static Int *add_row(System *s) {
    if (s->rows == s->room) {
        s->room = 2 * s->room + 16;
        Int *more = take((size_t)s->room * (size_t)(s->vars + 2) * sizeof(Int));
        if (s->rows) memcpy(more, s->at, (size_t)s->rows * (size_t)(s->vars + 2) * sizeof(Int));
        s->at = more;
    }
    if (s->rows > MOST_ROWS) too_large = true;
    Int *r = row_at(s, s->rows++);
    memset(r, 0, (size_t)(s->vars + 2) * sizeof(Int));
    return r;
}

static void drop_row(System *s, int r) {
    s->rows--;
    if (r < s->rows) memcpy(row_at(s, r), row_at(s, s->rows), (size_t)(s->vars + 2) * sizeof(Int));
}

static Int magnitude(Int v) { return v < 0 ? -v : v; }

static Int divisor(Int a, Int b) {
    while (b) {
        Int t = a % b;
        a = b, b = t;
    }
    return a;
}

// to = p * x + q * y
static void mix(const System *s, Int *to, Int p, const Int *x, Int q, const Int *y) {
    work += s->vars;
    if (work > MOST_WORK) too_large = true;
    for (int i = 1; i < s->vars + 2; i++) {
        Int a, b;
        if (__builtin_mul_overflow(p, x[i], &a) || __builtin_mul_overflow(q, y[i], &b) ||
            __builtin_add_overflow(a, b, &to[i]) || to[i] == INT64_MIN)
            too_large = true, to[i] = 0;
    }
}

// Rows divided and rounded. True: one of them never holds.
static bool tighten(System *s) {
    for (int r = 0; r < s->rows; r++) {
        Int *x = row_at(s, r), g = 0;
        if (magnitude(x[1]) > (Int)1 << 61) too_large = true;
        for (int i = 2; i < s->vars + 2; i++)
            if (x[i]) g = divisor(magnitude(x[i]), g);
        if (!g && (x[0] ? x[1] != 0 : x[1] < 0)) return true;
        if (!g) {
            drop_row(s, r--);
            continue;
        }
        if (x[0] && x[1] % g) return true;
        x[1] = floor_div(x[1], g);
        for (int i = 2; g > 1 && i < s->vars + 2; i++) x[i] /= g;
    }
    return false;
}

// Solves an equality and takes its variable out of all rows. False: there is none.
static bool solve_equal(System *s) {
    int best = -1, var = 0;
    Int least = 0;
    for (int r = 0; r < s->rows; r++) {
        const Int *x = row_at(s, r);
        for (int i = 2; x[0] && i < s->vars + 2; i++)
            if (x[i] && (best < 0 || magnitude(x[i]) < least)) best = r, var = i, least = magnitude(x[i]);
    }
    if (best < 0) return false;
    Int *e = row_at(s, best);
    if (least == 1) {
        for (int r = 0; r < s->rows; r++) {
            Int *x = row_at(s, r);
            if (r != best && x[var]) mix(s, x, 1, x, -x[var] * e[var], e);
        }
        drop_row(s, best);
        return true;
    }
    // variable = t - sum of q[i] * the others: its new column is t's
    for (int i = 1; i < s->vars + 2; i++) {
        Int q = i == var ? 0 : e[i] / e[var];
        if (!q) continue;
        for (int r = 0; r < s->rows; r++) {
            Int *x = row_at(s, r), p;
            if (r != best &&
                (__builtin_mul_overflow(x[var], q, &p) || __builtin_sub_overflow(x[i], p, &x[i])))
                too_large = true;
        }
        e[i] -= q * e[var];
    }
    return true;
}

// Of rows that differ in their number alone the tighter one stays; opposite ones are an equality, or never
// hold together (*never).
static bool join_rows(System *s, bool *never) {
    work += (long)s->rows * s->rows;
    for (int r = 0; r < s->rows; r++)
        for (int q = r + 1; q < s->rows; q++) {
            Int *x = row_at(s, r), *y = row_at(s, q);
            bool same = true, opposite = true;
            for (int i = 2; (same || opposite) && i < s->vars + 2; i++) {
                same &= x[i] == y[i];
                opposite &= x[i] == -y[i];
            }
            if (same) {
                if (y[1] < x[1]) x[1] = y[1];
                drop_row(s, q--);
            } else if (opposite && x[1] + y[1] < 0) {
                *never = true;
                return true;
            } else if (opposite && x[1] + y[1] == 0) {
                x[0] = 1;
                drop_row(s, q);
                return true;
            }
        }
    return false;
}

typedef struct Choice {
    int var, lows, highs;
    bool exact;
} Choice;

// The variable that is best eliminated; var 0: there is none. One without a bound on one side takes all its
// rows with it.
static Choice choose(const System *s) {
    Choice best = {0};
    for (int i = 2; i < s->vars + 2; i++) {
        Choice c = {i, 0, 0, true};
        bool low_one = true, high_one = true;
        for (int r = 0; r < s->rows; r++) {
            Int v = row_at(s, r)[i];
            c.lows += v > 0, c.highs += v < 0;
            if (v > 1) low_one = false;
            if (v < -1) high_one = false;
        }
        c.exact = low_one || high_one || !c.lows || !c.highs;
        if (!c.lows && !c.highs) continue;
        int cost = c.lows * c.highs - c.lows - c.highs, of = best.lows * best.highs - best.lows - best.highs;
        if (!best.var || (c.exact && !best.exact) || (c.exact == best.exact && cost < of)) best = c;
    }
    return best;
}

static System copied(const System *s, int more) {
    System t = {.vars = s->vars, .rows = s->rows, .room = s->rows + more};
    size_t bytes = (size_t)(s->vars + 2) * sizeof(Int);
    t.at = take((size_t)t.room * bytes);
    memcpy(t.at, s->at, (size_t)s->rows * bytes);
    return t;
}

// The system without that variable. dark: only where certainly a whole number lies between.
static System shadow(const System *s, Choice c, bool dark) {
    System t = {.vars = s->vars};
    for (int r = 0; r < s->rows; r++)
        if (!row_at(s, r)[c.var]) {
            Int *to = add_row(&t);
            memcpy(to, row_at(s, r), (size_t)(s->vars + 2) * sizeof(Int));
        }
    for (int r = 0; r < s->rows; r++)
        for (int q = 0; q < s->rows && !too_large; q++) {
            const Int *low = row_at(s, r), *high = row_at(s, q);
            if (low[c.var] <= 0 || high[c.var] >= 0) continue;
            Int *to = add_row(&t), a = low[c.var], b = -high[c.var];
            mix(s, to, b, low, a, high);
            to[c.var] = 0;
            if (a > 1 << 20 || b > 1 << 20) too_large = true;
            else if (dark) to[1] -= (a - 1) * (b - 1);
        }
    return t;
}

static bool no_solution(System *s);

// Every solution that the dark shadow does not have lies near a lower bound.
static bool no_splinter(const System *s, Choice c) {
    Int most = 0;
    int tried = 0;
    for (int r = 0; r < s->rows; r++) {
        if (magnitude(row_at(s, r)[c.var]) > 1 << 20) return false;
        if (-row_at(s, r)[c.var] > most) most = -row_at(s, r)[c.var];
    }
    for (int r = 0; r < s->rows; r++) {
        Int a = row_at(s, r)[c.var], last = a > 0 ? (a * most - a - most) / most : -1;
        for (Int k = 0; k <= last; k++) {
            if (++tried > MOST_SPLINTERS) return false;
            size_t mark = take_mark();
            System t = copied(s, 4);
            row_at(&t, r)[0] = 1;
            row_at(&t, r)[1] -= k;
            bool none = no_solution(&t);
            take_back(mark);
            if (!none || too_large) return false;
        }
    }
    return true;
}

static bool no_solution(System *s) {
    while (!too_large) {
        if (work > MOST_WORK) too_large = true;
        work += (long)s->rows * s->vars;
        bool never = false;
        if (tighten(s)) return !too_large;
        if (solve_equal(s)) continue;
        if (join_rows(s, &never)) {
            if (never) return !too_large;
            continue;
        }
        Choice c = choose(s);
        if (!c.var) return false;
        System t = shadow(s, c, false);
        if (c.exact) {
            *s = t;
            continue;
        }
        if (no_solution(&t)) return true;
        t = shadow(s, c, true);
        return no_solution(&t) && no_splinter(s, c);
    }
    return false;
}

bool conj_empty(Conj j) {
    size_t mark = take_mark();
    int *column = take((size_t)(j.n + 1) * sizeof *column);
    System s = {0};
    int rows = 0;
    for (const Row *r = j.last; r; r = r->prev, rows++)
        for (int i = 1; i <= r->n; i++)
            if (r->c[i]) column[i - 1] = 1;
    for (int v = 0; v < j.n; v++)
        if (column[v]) column[v] = 2 + s.vars++;
    s.room = rows + 4;
    s.at = take((size_t)s.room * (size_t)(s.vars + 2) * sizeof(Int));
    for (const Row *r = j.last; r; r = r->prev) {
        Int *x = add_row(&s);
        x[0] = r->equal;
        x[1] = r->c[0];
        for (int i = 1; i <= r->n; i++)
            if (r->c[i]) x[column[i - 1]] = r->c[i];
    }
    too_large = false;
    work = 0;
    bool none = no_solution(&s) && !too_large;
    take_back(mark);
    checks += none;
    return none;
}

// ---- one conjunction in another ---------------------------------------------------------------------
Conj conj_put(Conj j, Conj b, int fixed, const int *map, bool rules, int *first) {
    const Row *rows[4096];
    int n = 0, begin = j.n;
    for (const Row *r = b.last; r; r = r->prev) {
        if (n == 4096) refuse("a set of too many constraints");
        rows[n++] = r;
    }
    if (first) *first = begin;
    j.n += b.n - fixed;
    while (n--) {
        const Row *r = rows[n];
        if (!rules && !r->defines) continue;
        Linear l = {j.n, take((size_t)(j.n + 1) * sizeof(Int))};
        l.c[0] = r->c[0];
        for (int i = 1; i <= r->n; i++)
            l.c[1 + (i - 1 < fixed ? (map ? map[i - 1] : i - 1) : begin + i - 1 - fixed)] += r->c[i];
        while (l.n && !l.c[l.n]) l.n--;
        j = row(j, l, r->equal, r->defines);
    }
    return j;
}

typedef struct Outside {
    const Conjs *pieces;
    int fixed;
    Found *found;
    void *arg;
} Outside;

static bool none(Conj j, void *arg) {
    (void)j, (void)arg;
    return false;
}

static bool outside(const Outside *o, Conj j, int k) {
    size_t mark = take_mark();
    if (conj_empty(j)) return true;
    if (k == o->pieces->n) return o->found(j, o->arg);
    Conj piece = o->pieces->at[k];
    bool ok = true;
    Conj both = conj_put(j, piece, o->fixed, NULL, true, NULL);
    if (k + 1 < o->pieces->n && conj_empty(both)) ok = outside(o, j, k + 1);
    else {
        Conj in = conj_put(j, piece, o->fixed, NULL, false, NULL);
        const Row *stop = in.last;
        for (const Row *r = both.last; r && r != stop && ok; r = r->prev) {
            if (r == j.last) break;
            if (r->defines) continue;
            Linear l = {r->n, take((size_t)(r->n + 1) * sizeof(Int))};
            memcpy(l.c, r->c, (size_t)(r->n + 1) * sizeof(Int));
            // not l >= 0: l <= -1
            ok = outside(o, conj_less(in, l, linear_int(0), 1), k + 1);
            if (ok && r->equal) ok = outside(o, conj_less(in, linear_int(0), l, 1), k + 1);
            in = conj_row(in, l, r->equal);
        }
    }
    if (o->found == none) take_back(mark); // else what was found may remember something
    return ok;
}

bool conj_outside(Conj j, const Conjs *pieces, int fixed, Found *found, void *arg) {
    Outside o = {pieces, fixed, found, arg};
    return outside(&o, j, 0);
}

bool conj_inside(Conj j, const Conjs *pieces, int fixed) {
    return conj_outside(j, pieces, fixed, none, NULL);
}
