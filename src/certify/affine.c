// SPDX-License-Identifier: MIT
// affine.c -- whole numbers and conditions of them as linear constraints.
#include "certify/certify.h"
#include <string.h>

static Ex zero = {EX_INT, "i64", .var = -1};

// ---- sizes, and what is made of them alone ----------------------------------------------------------
typedef struct Atom {
    const Ex *x; // NULL: a product, or a quotient that the sizes have
    int n, factor[4]; // of a product: other atoms, ascending
} Atom;
static Atom atoms[ATOMS];
static int natoms;

int atoms_used(int more) {
    if (natoms + more > ATOMS) refuse("too many sizes, and products of them");
    return natoms += more;
}

const char *atom_name(int v) { return !atoms[v].x ? "…" : atoms[v].x->word ? atoms[v].x->word : "(…)"; }

static Linear atom(Atom a) {
    int i = 0;
    for (; i < natoms; i++)
        if (a.x ? atoms[i].x && same_expression(a.x, atoms[i].x)
                : atoms[i].n == a.n && !memcmp(atoms[i].factor, a.factor, sizeof a.factor))
            return linear_var(i);
    atoms_used(1);
    atoms[i] = a;
    return linear_var(i);
}

static Linear product_of(int x, int y) {
    Atom a = {0};
    int from[2] = {x, y};
    for (int k = 0; k < 2; k++)
        for (int i = 0; !i || i < atoms[from[k]].n; i++) {
            if (a.n == 4) refuse("a product of too many sizes");
            int v = atoms[from[k]].n ? atoms[from[k]].factor[i] : from[k], at = a.n++;
            for (; at && a.factor[at - 1] > v; at--) a.factor[at] = a.factor[at - 1];
            a.factor[at] = v;
        }
    return atom(a);
}

// ---- whole numbers ----------------------------------------------------------------------------------
static Set with_value(Set s, Linear v) {
    Set out = {.bad = s.bad};
    for (int i = 0; i < s.n; i++) {
        set_add(&out, s.at[i]);
        out.at[i].v = v;
    }
    return out;
}

static Set is_value(Conj j, Linear v) { return with_value(set_of(j), v); }

static Set product(Conj j) {
    Linear sum = linear_int(0), x = j.v, y = j.w;
    for (int i = 0; i <= x.n; i++)
        for (int k = 0; k <= y.n; k++) {
            Int by;
            if (!x.c[i] || !y.c[k]) continue;
            bool counters = (i > ATOMS && k) || (k > ATOMS && i); // a product that is not linear
            if (counters || __builtin_mul_overflow(x.c[i], y.c[k], &by)) return (Set){.bad = true};
            Linear one = !i ? linear_int(1) : linear_var(i - 1);
            if (k) one = i ? product_of(i - 1, k - 1) : linear_var(k - 1);
            sum = linear_add(sum, by, one);
        }
    return is_value(j, sum);
}

// j.v by a number, as C or with rounding down.
static Set divided(const char *op, Conj x, Int by) {
    bool shift = among(op, "<< >>"), mask = is(op, "&"), c = among(op, "/ %");
    bool rest = mask || among(op, "% fmod");
    Set out = {.bad = by < 0 || (shift ? by > 40 : !by) || (mask && (by & (by + 1)))};
    if (out.bad) return out;
    if (shift) by = (Int)1 << by;
    if (is(op, "<<")) return is_value(x, linear_add(linear_int(0), by, x.v));
    by += mask;
    for (int below = 0; below <= c; below++) {
        int q, sign = below ? -1 : 1;
        Linear zero_or = linear_int(0), v = linear_add(zero_or, sign, x.v);
        Conj j = c ? conj_less(x, zero_or, v, below) : x;
        j = conj_quotient(j, v, by, &q);
        Linear quotient = linear_add(zero_or, sign, linear_var(q));
        set_add_all(&out, is_value(j, rest ? linear_add(x.v, -by, quotient) : quotient));
    }
    return out;
}

static Set combined(const char *op, Conj x) { // of x.v and x.w
    Int by;
    if (among(op, "+ -")) return is_value(x, linear_add(x.v, *op == '+' ? 1 : -1, x.w));
    if (among(op, "min max")) {
        bool min = op[1] == 'i';
        Set out = is_value(conj_less(x, x.v, x.w, 0), min ? x.v : x.w);
        set_add_all(&out, is_value(conj_less(x, x.w, x.v, 1), min ? x.w : x.v));
        return out;
    }
    if (is(op, "*")) return product(x);
    if (is(op, "&") && linear_is_int(x.v, &by)) x.v = x.w, x.w = linear_int(by);
    bool known = among(op, "/ % fdiv fmod << >> &") && linear_is_int(x.w, &by);
    return known ? divided(op, x, by) : (Set){.bad = true};
}

static Set operation(const Ex *x, int c, Set s) {
    Set out = {0};
    bool choice = is(x->word, "?:"), negated = x->nargs == 1;
    if (choice || among(x->word, "< <= == != && || !")) { // a condition by itself: 1 or 0
        for (int k = 0; k < 2 && !out.bad; k++) {
            Set on = holds(choice ? x->arg[0] : x, c, !k, s);
            set_add_all(&out, choice ? affine(x->arg[1 + k], c, on) : with_value(on, linear_int(!k)));
        }
        return out;
    }
    s = affine_both(negated ? &zero : x->arg[0], c, x->arg[!negated], c, s);
    out.bad = s.bad || is(x->word, "~");
    for (int i = 0; i < s.n && !out.bad; i++) set_add_all(&out, combined(x->word, s.at[i]));
    return out;
}

static bool is_invariant(const Ex *x) {
    bool yes = x->kind != EX_LOAD && x->var < 0;
    for (int i = 0; i < x->nargs; i++) yes &= is_invariant(x->arg[i]);
    return yes;
}

Set affine(const Ex *x, int c, Set s) {
    Set out = {.bad = true};
    if (x->type[0] == 'f' || s.bad) return out;
    if (x->kind == EX_INT && !(x->i < 0 && x->type[0] == 'u')) return with_value(s, linear_int(x->i));
    if (x->kind == EX_SYM && x->var >= 0) return with_value(s, linear_var(c + x->var));
    if (x->kind == EX_CAST && among(x->type, "i32 u32 i64 u64")) // where no number is lost
        out = affine(x->arg[0], c, s);
    if (x->kind == EX_OP) out = operation(x, c, s);
    return out.bad && is_invariant(x) ? with_value(s, atom((Atom){.x = x})) : out;
}

Set affine_both(const Ex *x, int cx, const Ex *y, int cy, Set s) {
    Set a = affine(x, cx, s), out = {.bad = a.bad};
    for (int i = 0; i < a.n && !out.bad; i++) {
        int from = out.n;
        set_add_all(&out, affine(y, cy, set_of(a.at[i])));
        for (int k = from; k < out.n; k++) out.at[k].w = out.at[k].v, out.at[k].v = a.at[i].v;
    }
    return out;
}

// ---- conditions -------------------------------------------------------------------------------------
static void compared(const char *op, bool want, Conj x, Set *out) { // x.v with x.w
    if (among(op, "<= <")) {
        Int by = op[1] ? 0 : 1;
        set_add(out, want ? conj_less(x, x.v, x.w, by) : conj_less(x, x.w, x.v, 1 - by));
    } else if (is(op, want ? "==" : "!=")) {
        set_add(out, conj_same(x, x.v, x.w));
    } else {
        set_add(out, conj_less(x, x.v, x.w, 1));
        set_add(out, conj_less(x, x.w, x.v, 1));
    }
}

Set holds(const Ex *x, int c, bool want, Set s) {
    bool op = x->kind == EX_OP, compares = op && among(x->word, "< <= == !=");
    if (op && is(x->word, "!")) return holds(x->arg[0], c, !want, s);
    bool with_zero = op && among(x->word, "!= ==") && x->arg[1]->kind == EX_INT && !x->arg[1]->i;
    if (with_zero && x->arg[0]->kind == EX_OP && among(x->arg[0]->word, "< <= == != && || !"))
        return holds(x->arg[0], c, want == (x->word[0] == '!'), s);
    if (op && among(x->word, "&& ||")) {
        bool both = (x->word[0] == '&') == want; // the one alone does not decide
        Set out = holds(x->arg[1], c, want, holds(x->arg[0], c, both ? want : !want, s));
        if (!both) set_add_all(&out, holds(x->arg[0], c, want, s));
        return out;
    }
    s = compares ? affine_both(x->arg[0], c, x->arg[1], c, s) : affine_both(x, c, &zero, c, s);
    Set out = {.bad = s.bad};
    for (int i = 0; i < s.n && !out.bad; i++) compared(compares ? x->word : "!=", want, s.at[i], &out);
    return out;
}
