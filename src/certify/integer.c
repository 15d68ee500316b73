// SPDX-License-Identifier: MIT
// integer.c -- has a conjunction of linear constraints no solution in whole numbers?
//
// Equalities are solved first, by steps as Euclid's. Then variables are eliminated one by one (Fourier and
// Motzkin), those first for which that is exact. Each constraint is divided by the common divisor of its
// coefficients and rounded. Where elimination is not exact, numbers grow too large, or it takes too long, the
// answer may be that there could be a solution.
#include "certify/certify.h"
#include <string.h>

int checks;

static Int floor_div(Int a, Int b) { return a / b - (a % b < 0); }

// ---- rows -------------------------------------------------------------------------------------------
static Linear linear(int n) { return (Linear){n, take((size_t)(n + 1) * sizeof(Int))}; }

Linear linear_int(Int v) {
    Linear l = linear(0);
    l.c[0] = v;
    return l;
}

Linear linear_var(int v) {
    Linear l = linear(v + 1);
    l.c[v + 1] = 1;
    return l;
}

bool linear_is_int(Linear x, Int *v) {
    for (int i = 1; i <= x.n; i++)
        if (x.c[i]) return false;
    *v = x.c[0];
    return true;
}

Linear linear_add(Linear x, Int by, Linear y) {
    Linear l = linear(x.n > y.n ? x.n : y.n);
    for (int i = 0; i <= l.n; i++) {
        Int a = i <= x.n ? x.c[i] : 0, b = i <= y.n ? y.c[i] : 0;
        if (__builtin_mul_overflow(b, by, &b) || __builtin_add_overflow(a, b, &l.c[i]))
            refuse("numbers grow too large");
    }
    return l;
}

static Conj row(Conj j, Linear l, bool equal, int defines) {
    Row *r = take(sizeof *r);
    *r = (Row){j.last, equal, defines, l};
    if (l.n > j.n) refuse("a constraint names what is not there");
    j.last = r;
    return j;
}

Conj conj_here(int n) { return (Conj){.last = context.last, .n = n}; }
Conj conj_row(Conj j, Linear l, bool equal) { return row(j, l, equal, -1); }

Conj conj_less(Conj j, Linear x, Linear y, Int by) {
    return conj_row(j, linear_add(linear_add(y, -1, x), -1, linear_int(by)), false);
}

Conj conj_same(Conj j, Linear x, Linear y) { return conj_row(j, linear_add(x, -1, y), true); }

Conj conj_same_vars(Conj j, int v, int w, int n) {
    for (int i = 0; i < n; i++) j = conj_same(j, linear_var(v + i), linear_var(w + i));
    return j;
}

Conj conj_define(Conj j, int var, Linear x) {
    return row(j, linear_add(x, -1, linear_var(var)), true, var);
}

Conj conj_quotient(Conj j, Linear x, Int by, int *var) {
    if (by < 1) refuse("a divisor that is not positive");
    // floor((63 x + 1) / 64) is x + floor((1 - x) / 64): small coefficients are solved sooner
    Linear whole = linear(x.n);
    for (int i = 0; i <= x.n; i++) whole.c[i] = floor_div(x.c[i] + by / 2, by);
    x = linear_add(x, -by, whole);
    int q = j.n++;
    Linear low = linear_add(x, -by, linear_var(q));
    j = row(j, low, by == 1, q);
    if (by > 1) j = row(j, linear_add(linear_int(by - 1), -1, low), false, q);
    *var = j.n++;
    return conj_define(j, *var, linear_add(whole, 1, linear_var(q)));
}

bool always_same(Conj j, Linear x, Linear y) {
    return conj_empty(conj_less(j, x, y, 1)) && conj_empty(conj_less(j, y, x, 1));
}

// ---- no solution? -----------------------------------------------------------------------------------
typedef struct System {
    int vars, rows, room;
    Int *at; // rows of [equal, number, coefficients]
} System;

static bool too_large; // what the numbers or the work became
static long work;
enum { MOST_WORK = 30000000, MOST_ROWS = 3000 };

static size_t row_bytes(const System *s) { return (size_t)(s->vars + 2) * sizeof(Int); }
static Int *row_at(const System *s, int r) { return s->at + (size_t)r * (size_t)(s->vars + 2); }

static Int *add_row(System *s, const Int *as) { // NULL: of zeros
    if (s->rows == s->room) {
        Int *more = take((size_t)(2 * s->room + 16) * row_bytes(s));
        if (s->rows) memcpy(more, s->at, (size_t)s->rows * row_bytes(s));
        s->at = more;
        s->room = 2 * s->room + 16;
    }
    if (s->rows > MOST_ROWS) too_large = true;
    Int *r = row_at(s, s->rows++);
    return as ? memcpy(r, as, row_bytes(s)) : memset(r, 0, row_bytes(s));
}

static void drop_row(System *s, int r) {
    s->rows--;
    if (r < s->rows) memcpy(row_at(s, r), row_at(s, s->rows), row_bytes(s));
}

static Int magnitude(Int v) { return v < 0 ? -v : v; }
static Int divisor(Int a, Int b) { return b ? divisor(b, a % b) : a; }

// Rows divided and rounded. True: one of them never holds.
static bool tighten(System *s) {
    for (int r = 0; r < s->rows; r++) {
        Int *x = row_at(s, r), g = 0;
        for (int i = 1; i < s->vars + 2; i++) {
            if (x[i] > (Int)1 << 61 || -((Int)1 << 61) > x[i]) return too_large = true, false;
            if (i > 1) g = divisor(magnitude(x[i]), g);
        }
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
    for (int r = 0; r < s->rows; r++) {
        const Int *x = row_at(s, r);
        for (int i = 2; x[0] && i < s->vars + 2; i++)
            if (x[i] && (best < 0 || magnitude(x[i]) < magnitude(row_at(s, best)[var]))) best = r, var = i;
    }
    if (best < 0) return false;
    // Its variable is t - sum of q[i] * the others, whose new column is t's. Of a coefficient 1 nothing else
    // is left, and t is 0.
    Int *e = row_at(s, best), last = magnitude(e[var]);
    for (int i = 1; i < s->vars + 2; i++) {
        Int q = i == var ? 0 : e[i] / e[var];
        for (int r = 0; q && r < s->rows; r++) {
            Int *x = row_at(s, r), p;
            if (__builtin_mul_overflow(x[var], q, &p) || __builtin_sub_overflow(x[i], p, &x[i]))
                too_large = true;
        }
    }
    for (int r = 0; r < s->rows && last == 1; r++) row_at(s, r)[var] = 0;
    return true;
}

// Of rows that differ in their number alone the tighter one stays; opposite ones are an equality, or never
// hold together. True: there were such.
static bool join_rows(System *s) {
    work += (long)s->rows * s->rows;
    for (int r = 0; r < s->rows; r++)
        for (int q = r + 1; q < s->rows; q++) {
            Int *x = row_at(s, r), *y = row_at(s, q);
            bool same = true, opposite = true;
            for (int i = 2; (same || opposite) && i < s->vars + 2; i++)
                same &= x[i] == y[i], opposite &= x[i] == -y[i];
            if (same && y[1] < x[1]) x[1] = y[1];
            if (same) drop_row(s, q--);
            else if (opposite && x[1] + y[1] <= 0) {
                x[0] = 1;
                if (x[1] + y[1] == 0) drop_row(s, q);
                return true;
            }
        }
    return false;
}

// The variable that is best eliminated; 0: there is none. Best is one for which that is exact: whose
// coefficients are 1 on one side, or that has no bound there and takes all its rows with it.
static int choose(const System *s) {
    int best = 0, least = 0;
    bool exact = false;
    for (int i = 2; i < s->vars + 2; i++) {
        int lows = 0, highs = 0;
        bool low_one = true, high_one = true;
        for (int r = 0; r < s->rows; r++) {
            Int v = row_at(s, r)[i];
            lows += v > 0, highs += v < 0;
            low_one &= v <= 1, high_one &= v >= -1;
        }
        bool one = low_one || high_one || !lows || !highs;
        int cost = lows * highs - lows - highs;
        if (!(lows + highs) || (best && (exact > one || (exact == one && cost >= least)))) continue;
        best = i, least = cost, exact = one;
    }
    return best;
}

// The system without that variable: it has a solution wherever s has one.
static System shadow(const System *s, int var) {
    System t = {.vars = s->vars};
    for (int r = 0; r < s->rows; r++)
        if (!row_at(s, r)[var]) add_row(&t, row_at(s, r));
    for (int r = 0; r < s->rows; r++)
        for (int q = 0; q < s->rows && !too_large; q++) {
            const Int *low = row_at(s, r), *high = row_at(s, q);
            if (low[var] <= 0 || high[var] >= 0) continue;
            Int *to = add_row(&t, NULL), a = low[var], b = -high[var];
            work += s->vars;
            for (int i = 1; i < s->vars + 2; i++) {
                Int x, y;
                if (__builtin_mul_overflow(b, low[i], &x) || __builtin_mul_overflow(a, high[i], &y) ||
                    __builtin_add_overflow(x, y, &to[i]) || to[i] == INT64_MIN)
                    too_large = true, to[i] = 0;
            }
        }
    return t;
}

static bool no_solution(System s) {
    while (!too_large) {
        work += (long)s.rows * s.vars;
        if (work > MOST_WORK) too_large = true;
        if (tighten(&s)) return !too_large;
        if (solve_equal(&s) || join_rows(&s)) continue;
        int var = choose(&s);
        if (!var) return false;
        s = shadow(&s, var);
    }
    return false;
}

bool conj_empty(Conj j) {
    size_t mark = take_mark();
    int *column = take((size_t)(j.n + 1) * sizeof *column);
    System s = {0};
    for (const Row *r = j.last; r; r = r->prev)
        for (int i = 1; i <= r->l.n; i++)
            if (r->l.c[i]) column[i] = 1;
    for (int i = 1; i <= j.n; i++)
        if (column[i]) column[i] = 2 + s.vars++;
    for (const Row *r = j.last; r; r = r->prev) {
        Int *x = add_row(&s, NULL);
        x[0] = r->equal;
        x[1] = r->l.c[0];
        for (int i = 1; i <= r->l.n; i++)
            if (r->l.c[i]) x[column[i]] = r->l.c[i];
    }
    too_large = false;
    work = 0;
    bool none = no_solution(s) && !too_large;
    take_back(mark);
    checks += none;
    return none;
}

// ---- sets -------------------------------------------------------------------------------------------
Vars vars_and(Vars x, int first, int n) {
    int *at = take((size_t)(x.n + n + 1) * sizeof *at);
    for (int i = 0; i < x.n + n; i++) at[i] = i < x.n ? x.at[i] : first + i - x.n;
    return (Vars){x.n + n, at};
}

Vars span(int first, int n) { return vars_and((Vars){0}, first, n); }
Vars vars_of(Conj j) { return span(ATOMS, j.n - ATOMS); }

static Conj put_rows(Conj j, const Row *r, const int *map, int given) {
    if (!r) return j;
    j = put_rows(j, r->prev, map, given);
    Linear l = linear(j.n);
    l.c[0] = r->l.c[0];
    for (int i = 1; i <= r->l.n; i++)
        if (r->l.c[i]) l.c[1 + map[i - 1]] += r->l.c[i];
    while (l.n && !l.c[l.n]) l.n--;
    return row(j, l, r->equal, r->defines < 0 || map[r->defines] < given ? -1 : map[r->defines]);
}

Conj conj_put(Conj j, Conj piece, Vars at) {
    int *map = take((size_t)(piece.n + 1) * sizeof *map), given = j.n;
    for (const Row *r = piece.last; r; r = r->prev)
        for (int i = 1; i <= r->l.n; i++)
            if (r->l.c[i]) map[i - 1] = 1;
    for (int v = 0; v < piece.n; v++)
        map[v] = v < ATOMS ? v : v < ATOMS + at.n ? at.at[v - ATOMS] : map[v] ? j.n++ : 0;
    return put_rows(j, piece.last, map, given);
}

void set_add(Set *to, Conj j) {
    *MORE(to->at, to->n) = j;
}

void set_add_all(Set *to, Set s) {
    to->bad |= s.bad;
    for (int i = 0; i < s.n; i++) set_add(to, s.at[i]);
}

Set set_of(Conj j) {
    Set s = {0};
    set_add(&s, j);
    return s;
}

Set set_put(Set s, Set pieces, Vars at) {
    Set out = {.bad = s.bad || pieces.bad};
    for (int i = 0; i < s.n; i++)
        for (int k = 0; k < pieces.n; k++) {
            Conj both = conj_put(s.at[i], pieces.at[k], at);
            if (!conj_empty(both)) set_add(&out, both);
        }
    return out;
}

// In each piece what a row defines is there for all values of the others, so that only the other rows are
// negated, one by one. A definition of what j has already is such a row, too. found NULL: false where there
// is something outside.
static bool outside(Conj j, Set pieces, int k, Vars at, Set *found) {
    if (conj_empty(j)) return true;
    if (k == pieces.n) return found && (set_add(found, j), true);
    Conj both = conj_put(j, pieces.at[k++], at), in = j;
    if (k < pieces.n && conj_empty(both)) return outside(j, pieces, k, at, found);
    in.n = both.n;
    for (const Row *r = both.last; r != j.last; r = r->prev)
        if (r->defines >= j.n) in = row(in, r->l, r->equal, r->defines);
    for (const Row *r = both.last; r != j.last; r = r->prev) {
        if (r->defines >= j.n) continue;
        Conj less = conj_less(in, r->l, linear_int(0), 1), more = conj_less(in, linear_int(0), r->l, 1);
        if (!outside(less, pieces, k, at, found)) return false;
        if (r->equal && !outside(more, pieces, k, at, found)) return false;
        in = conj_row(in, r->l, r->equal);
    }
    return true;
}

Set set_outside(Set s, Set pieces, Vars at) {
    Set found = {.bad = s.bad || pieces.bad};
    for (int i = 0; i < s.n; i++) outside(s.at[i], pieces, 0, at, &found);
    return found;
}

bool set_inside(Set s, Set pieces, Vars at) {
    size_t mark = take_mark();
    bool ok = !s.bad && !pieces.bad;
    for (int i = 0; i < s.n && ok; i++) ok = outside(s.at[i], pieces, 0, at, NULL);
    take_back(mark);
    return ok;
}
