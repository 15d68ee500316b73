// SPDX-License-Identifier: MIT
// affine.c -- whole numbers and conditions of them as linear constraints; what runs when and touches what.
#include "certify/certify.h"
#include <string.h>

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

static bool product(Linear x, Linear y, Linear *out) {
    *out = linear_int(0);
    for (int i = 0; i <= x.n; i++)
        for (int k = 0; k <= y.n; k++) {
            Int by;
            if (!x.c[i] || !y.c[k]) continue;
            if ((i > ATOMS && k) || (k > ATOMS && i)) return false;
            if (__builtin_mul_overflow(x.c[i], y.c[k], &by)) return false;
            Linear one = !i ? linear_int(1) : linear_var(i - 1);
            if (k) one = i ? product_of(i - 1, k - 1) : linear_var(k - 1);
            *out = linear_add(*out, by, one);
        }
    return true;
}

// ---- whole numbers ----------------------------------------------------------------------------------
static void add_case(Set *to, Conj j, Linear v) {
    j.v = v;
    set_add(to, j);
}

static Linear minus(Linear x) { return linear_add(linear_int(0), -1, x); }

// j.v by a number, as C or with rounding down.
static bool divided(const char *op, Conj x, Int by, Set *out) {
    bool shift = among(op, "<< >>"), mask = is(op, "&"), c = among(op, "/ %");
    bool rest = mask || among(op, "% fmod");
    if (by < 0 || (!shift && !by) || (shift && by > 40) || (mask && (by & (by + 1)))) return false;
    if (shift) by = (Int)1 << by;
    if (is(op, "<<")) return add_case(out, x, linear_add(linear_int(0), by, x.v)), true;
    by += mask;
    for (int below = 0; below <= c; below++) {
        int q;
        Conj j = x;
        if (c) j = below ? conj_less(j, x.v, linear_int(0), 1) : conj_less(j, linear_int(0), x.v, 0);
        j = conj_quotient(j, below ? minus(x.v) : x.v, by, &q);
        Linear quotient = below ? minus(linear_var(q)) : linear_var(q);
        add_case(out, j, rest ? linear_add(x.v, -by, quotient) : quotient);
    }
    return true;
}

static bool combined(const char *op, Conj x, Set *out) { // of x.v and x.w
    Linear v;
    Int by;
    if (among(op, "+ -")) return add_case(out, x, linear_add(x.v, *op == '+' ? 1 : -1, x.w)), true;
    if (is(op, "*")) return product(x.v, x.w, &v) && (add_case(out, x, v), true);
    if (among(op, "min max")) {
        bool min = op[1] == 'i';
        add_case(out, conj_less(x, x.v, x.w, 0), min ? x.v : x.w);
        add_case(out, conj_less(x, x.w, x.v, 1), min ? x.w : x.v);
        return true;
    }
    if (is(op, "&") && linear_is_int(x.v, &by)) x.v = x.w, x.w = linear_int(by);
    return among(op, "/ % fdiv fmod << >> &") && linear_is_int(x.w, &by) && divided(op, x, by, out);
}

static bool operation(const Ex *x, int c, Conj j, Set *out) {
    Set a = {0};
    if (is(x->word, "?:")) {
        for (int k = 0; k < 2; k++) {
            Set on = {0};
            if (!holds(x->arg[0], c, !k, j, &on)) return false;
            for (int i = 0; i < on.n; i++)
                if (!affine(x->arg[1 + k], c, on.at[i], out)) return false;
        }
        return true;
    }
    for (int k = 0; k < 2 && among(x->word, "< <= == != && || !"); k++) { // a condition: 1 or 0
        Set on = {0};
        if (!holds(x, c, !k, j, &on)) return false;
        for (int i = 0; i < on.n; i++) add_case(out, on.at[i], linear_int(!k));
        if (k) return true;
    }
    if (is(x->word, "~")) return false;
    if (!(x->nargs == 1 ? affine(x->arg[0], c, j, &a) : affine_both(x->arg[0], c, x->arg[1], c, j, &a)))
        return false;
    for (int i = 0; i < a.n; i++) {
        if (x->nargs == 1) add_case(out, a.at[i], minus(a.at[i].v));
        else if (!combined(x->word, a.at[i], out)) return false;
    }
    return true;
}

static bool is_invariant(const Ex *x) {
    bool yes = x->kind != EX_LOAD && x->var < 0;
    for (int i = 0; i < x->nargs; i++) yes &= is_invariant(x->arg[i]);
    return yes;
}

bool affine(const Ex *x, int c, Conj j, Set *out) {
    Set found = {0};
    if (x->type[0] == 'f') return false;
    bool ok = false;
    if (x->kind == EX_INT && !(x->i < 0 && x->type[0] == 'u'))
        return add_case(out, j, linear_int(x->i)), true;
    if (x->kind == EX_SYM && x->var >= 0) return add_case(out, j, linear_var(c + x->var)), true;
    if (x->kind == EX_CAST) // to a type of at least 32 bits, where no number is lost
        ok = among(x->type, "i32 u32 i64 u64") && affine(x->arg[0], c, j, &found);
    if (x->kind == EX_OP) ok = operation(x, c, j, &found);
    if (!ok && !is_invariant(x)) return false;
    if (ok) set_add_all(out, found);
    else add_case(out, j, atom((Atom){.x = x}));
    return true;
}

bool affine_both(const Ex *x, int cx, const Ex *y, int cy, Conj j, Set *out) {
    Set a = {0};
    if (!affine(x, cx, j, &a)) return false;
    for (int i = 0; i < a.n; i++) {
        Set b = {0};
        if (!affine(y, cy, a.at[i], &b)) return false;
        for (int k = 0; k < b.n; k++) {
            b.at[k].w = b.at[k].v, b.at[k].v = a.at[i].v;
            set_add(out, b.at[k]);
        }
    }
    return true;
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

bool holds(const Ex *x, int c, bool want, Conj j, Set *out) {
    static Ex zero = {EX_INT, "i64", .var = -1};
    bool op = x->kind == EX_OP;
    if (op && is(x->word, "!")) return holds(x->arg[0], c, !want, j, out);
    bool with_zero = op && among(x->word, "!= ==") && x->arg[1]->kind == EX_INT && !x->arg[1]->i;
    if (with_zero && x->arg[0]->kind == EX_OP && among(x->arg[0]->word, "< <= == != && || !"))
        return holds(x->arg[0], c, want == (x->word[0] == '!'), j, out);
    if (op && among(x->word, "&& ||")) {
        bool both = (x->word[0] == '&') == want; // the one alone does not decide
        Set first = {0};
        if (!holds(x->arg[0], c, both ? want : !want, j, &first)) return false;
        for (int i = 0; i < first.n; i++)
            if (!holds(x->arg[1], c, want, first.at[i], out)) return false;
        return both || holds(x->arg[0], c, want, j, out);
    }
    bool compares = op && among(x->word, "< <= == !=");
    Set a = {0};
    if (!(compares ? affine_both(x->arg[0], c, x->arg[1], c, j, &a) : affine_both(x, c, &zero, c, j, &a)))
        return false;
    for (int i = 0; i < a.n; i++) compared(compares ? x->word : "!=", want, a.at[i], out);
    return true;
}

// ---- what runs when, and touches what ---------------------------------------------------------------
Set in_loop(const Loop *l, int var, Set around) {
    Set out = {0};
    for (int i = 0; i < around.n; i++) {
        Set ends = {0};
        if (!affine_both(l->lo, ATOMS, l->hi, ATOMS, around.at[i], &ends)) refuse("%s: not affine", l->name);
        for (int k = 0; k < ends.n; k++) {
            bool up = l->step > 0;
            int q;
            Conj j = ends.at[k];
            Linear at = linear_var(var), far = up ? linear_add(at, -1, j.v) : linear_add(j.v, -1, at);
            j = conj_less(j, linear_int(0), far, 0);
            j = up ? conj_less(j, at, j.w, 1) : conj_less(j, j.w, at, 1);
            if (l->step > 1 || l->step < -1) {
                Int by = up ? l->step : -l->step;
                j = conj_quotient(j, far, by, &q);
                j = conj_same(j, far, linear_add(linear_int(0), by, linear_var(q)));
            }
            set_add(&out, j);
        }
    }
    return set_put((Conj){.n = ATOMS + DEEPEST}, out, span(ATOMS, DEEPEST));
}

Conj with_counters(Conj j, const Leaf *l, int *c) {
    *c = j.n;
    j.n += l->depth;
    return j;
}

Set in_domain(Conj j, const Leaf *l, int c) { return set_put(j, l->domain, span(c, l->depth)); }

Set in_domains(Conj j, const Leaf *l, int cl, const Leaf *m, int cm) {
    Set one = in_domain(j, l, cl), both = {0};
    for (int i = 0; i < one.n; i++) set_add_all(&both, in_domain(one.at[i], m, cm));
    return both;
}

bool same_word(Set *s, const Access *x, int cx, const Access *y, int cy) {
    if (x->array != y->array) s->n = 0;
    for (int i = 0; i < s->n; i++) s->at[i] = conj_same_vars(s->at[i], cx, cy, x->array->scope);
    for (int d = 0; d < x->array->rank && s->n; d++) {
        Set v = {0};
        for (int i = 0; i < s->n; i++)
            if (!affine_both(x->sub[d], cx, y->sub[d], cy, s->at[i], &v)) return false;
        for (int i = 0; i < v.n; i++) v.at[i] = conj_same(v.at[i], v.at[i].v, v.at[i].w);
        *s = v;
    }
    return true;
}

// As serial loops and the text order them; blocks and threads order nothing.
Set before(Set s, const Leaf *x, int cx, const Leaf *y, int cy) {
    int n = common_loops(x, y);
    Set out = {0};
    for (int k = 0; k < s.n; k++) {
        Conj j = s.at[k];
        for (int i = 0; i < n; i++) {
            Linear a = linear_var(cx + i), b = linear_var(cy + i);
            if (is(x->loop[i]->how, "serial"))
                set_add(&out, x->loop[i]->step > 0 ? conj_less(j, a, b, 1) : conj_less(j, b, a, 1));
            j = conj_same(j, a, b);
        }
        if (x->order < y->order) set_add(&out, j);
    }
    return out;
}
