// SPDX-License-Identifier: MIT
// program.c -- the two programs: loops, conditions, copies; what runs when and touches what.
#include "certify/certify.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Program programs[2];
int narrays;
Array *arrays;
Conj context;
Item *columns;

static bool is(const char *x, const char *y) { return !strcmp(x, y); }

// Is it one of the words?
static bool among(const char *word, const char *words) {
    size_t n = strlen(word);
    for (const char *s = words; n && (s = strstr(s, word)); s++)
        if ((s == words || s[-1] == ' ') && (!s[n] || s[n] == ' ')) return true;
    return false;
}

// ---- sizes, and what is made of them alone ----------------------------------------------------------
typedef struct Atom {
    const char *text; // NULL: a product
    int n, factor[4]; // of a product: other atoms, ascending
} Atom;
static Atom atoms[ATOMS];
static int natoms;

static int atom(Atom a) {
    for (int i = 0; i < natoms; i++)
        if (a.text ? atoms[i].text && is(atoms[i].text, a.text)
                   : !atoms[i].text && atoms[i].n == a.n &&
                         !memcmp(atoms[i].factor, a.factor, (size_t)a.n * sizeof(int)))
            return i;
    if (natoms == ATOMS) refuse("too many products of sizes");
    atoms[natoms] = a;
    return natoms++;
}

const char *atom_name(int v) { return atoms[v].text ? atoms[v].text : "a product"; }

static int product_atom(int x, int y) {
    Atom a = {0};
    int from[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        const Atom *f = &atoms[from[k]];
        for (int i = 0; i < (f->text ? 1 : f->n); i++) {
            if (a.n == 4) refuse("a product of too many sizes");
            int v = f->text ? from[k] : f->factor[i], at = a.n++;
            for (; at && a.factor[at - 1] > v; at--) a.factor[at] = a.factor[at - 1];
            a.factor[at] = v;
        }
    }
    return atom(a);
}

static bool is_of_sizes(Linear x) {
    for (int i = ATOMS + 1; i <= x.n; i++)
        if (x.c[i]) return false;
    return true;
}

static bool product(Linear x, Linear y, Linear *out) {
    Int v;
    if (linear_is_int(x, &v)) return *out = linear_add(linear_int(0), v, y), true;
    if (linear_is_int(y, &v)) return *out = linear_add(linear_int(0), v, x), true;
    if (!is_of_sizes(x) || !is_of_sizes(y)) return false;
    Linear sum = linear_int(0);
    for (int i = 0; i <= x.n; i++)
        for (int k = 0; k <= y.n; k++) {
            if (!x.c[i] || !y.c[k]) continue;
            Linear one = !i && !k ? linear_int(1)
                         : !i     ? linear_var(k - 1)
                         : !k     ? linear_var(i - 1)
                                  : linear_var(product_atom(i - 1, k - 1));
            if (__builtin_mul_overflow(x.c[i], y.c[k], &v)) return false;
            sum = linear_add(sum, v, one);
        }
    *out = sum;
    return true;
}

// ---- expressions ------------------------------------------------------------------------------------
typedef struct Reading {
    Program *p;
    Leaf *leaf; // whose accesses are counted; NULL: none
    const Loop *loop[64];
    int depth, kernel, kernels;
    const Ex *cond[64];
    bool want[64];
    int nconds;
    bool here[256]; // arrays that are declared around
} Reading;

static const Array *array_of(const Item *x, int k) {
    Int n = item_int(x, k);
    if (n < 0 || n >= narrays) refuse("line %d: there is no such array", x->line);
    return &arrays[n];
}

static Ex *expression(Reading *r, const Item *x) {
    Ex *e = take(sizeof *e);
    const char *head = item_word(x, 0);
    int from = 4;
    e->id = (int)item_int(x, 1);
    e->type = is(head, "load") ? array_of(x, 3)->type : item_word(x, 2);
    if (is(head, "int")) e->kind = EX_INT, e->i = item_int(x, 3);
    else if (is(head, "float")) e->kind = EX_FLOAT, e->word = item_word(x, 3);
    else if (is(head, "name")) e->kind = EX_SYM, e->word = item_word(x, 3);
    else if (is(head, "load")) e->kind = EX_LOAD, e->array = array_of(x, 3);
    else if (is(head, "op")) e->kind = EX_OP, e->word = item_word(x, 3);
    else if (is(head, "call")) e->kind = EX_CALL, e->word = item_word(x, 3);
    else if (is(head, "cast")) e->kind = EX_CAST, from = 3;
    else refuse("line %d: what is '%s'?", x->line, head);
    e->var = -1;
    for (int i = r->depth - 1; e->kind == EX_SYM && i >= 0 && e->var < 0; i--)
        if (is(r->loop[i]->name, e->word)) e->var = i;
    e->access = e->kind == EX_LOAD ? (int)item_int(x, 2) : 0;
    if (x->n > from) e->arg = take((size_t)(x->n - from) * sizeof *e->arg);
    for (int i = from; i < x->n; i++) e->arg[e->nargs++] = expression(r, item_list(x, i));
    if (e->kind == EX_LOAD && e->nargs != e->array->rank) refuse("line %d: another rank", x->line);
    if (e->kind == EX_OP && (is(e->word, ">") || is(e->word, ">="))) { // as < and <=
        if (e->nargs != 2) refuse("line %d: two operands are missing", x->line);
        Ex *first = e->arg[0];
        e->arg[0] = e->arg[1], e->arg[1] = first;
        e->word = e->word[1] ? "<=" : "<";
    }
    int operands = e->kind != EX_OP ? -1 : is(e->word, "?:") ? 3 : among(e->word, "~ !") ? 1 : 2;
    if (operands > 0 && e->nargs != operands && !(is(e->word, "-") && e->nargs == 1))
        refuse("line %d: operands are missing", x->line);
    if (e->kind == EX_CAST && e->nargs != 1) refuse("line %d: an operand is missing", x->line);
    return e;
}

bool same_expression(const Ex *x, const Ex *y) {
    if (x->kind != y->kind || x->nargs != y->nargs || !is(x->type, y->type) || x->array != y->array)
        return false;
    if (x->i != y->i || x->var != y->var || !x->word != !y->word || (x->word && !is(x->word, y->word)))
        return false;
    for (int i = 0; i < x->nargs; i++)
        if (!same_expression(x->arg[i], y->arg[i])) return false;
    return true;
}

static bool is_whole(const Ex *x) { return x->type[0] != 'f'; }

static bool is_invariant(const Ex *x) {
    if (x->kind == EX_LOAD || (x->kind == EX_SYM && x->var >= 0)) return false;
    for (int i = 0; i < x->nargs; i++)
        if (!is_invariant(x->arg[i])) return false;
    return true;
}

static size_t put_text(char *to, size_t room, const Ex *x) {
    size_t n = x->kind == EX_INT ? (size_t)snprintf(to, room, "(%lld", (long long)x->i)
                                 : (size_t)snprintf(to, room, "(%s", x->word ? x->word : x->type);
    for (int i = 0; i < x->nargs && n < room; i++) n += put_text(to + n, room - n, x->arg[i]);
    if (n + 2 > room) refuse("an expression is too long");
    return n + (size_t)snprintf(to + n, room - n, ")");
}

static void add_case(Cases *to, Conj j, Linear v) {
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 2;
        Case *more = take((size_t)to->room * sizeof *more);
        if (to->n) memcpy(more, to->at, (size_t)to->n * sizeof *more);
        to->at = more;
    }
    to->at[to->n++] = (Case){j, v};
}

static Linear minus(Linear x) { return linear_add(linear_int(0), -1, x); }

// By a number, as C or with rounding down.
static bool divided(const Ex *e, Case x, Int by, Cases *out) {
    const char *op = e->word;
    int q;
    bool shift = is(op, "<<") || is(op, ">>"), mask = is(op, "&"), c = is(op, "/") || is(op, "%");
    if (by < 0 || (!shift && !by) || (shift && by > 40) || (mask && (by & (by + 1)))) return false;
    if (shift) by = (Int)1 << by;
    if (is(op, "<<")) return add_case(out, x.j, linear_add(linear_int(0), by, x.v)), true;
    by += mask;
    bool rest = mask || is(op, "%") || is(op, "fmod");
    for (int below = 0; below <= (c ? 1 : 0); below++) {
        Conj j = x.j;
        if (c) j = below ? conj_less(j, x.v, linear_int(0), 1) : conj_less(j, linear_int(0), x.v, 0);
        j = conj_quotient(j, below ? minus(x.v) : x.v, by, &q);
        Linear quotient = below ? minus(linear_var(q)) : linear_var(q);
        add_case(out, j, rest ? linear_add(x.v, -by, quotient) : quotient);
    }
    return true;
}

static bool combined(const Ex *e, Case x, Linear y, Cases *out) {
    const char *op = e->word;
    Linear v;
    Int by;
    if (is(op, "+") || is(op, "-")) return add_case(out, x.j, linear_add(x.v, *op == '+' ? 1 : -1, y)), true;
    if (is(op, "*")) return product(x.v, y, &v) && (add_case(out, x.j, v), true);
    if (is(op, "min") || is(op, "max")) {
        bool min = op[1] == 'i';
        add_case(out, conj_less(x.j, x.v, y, 0), min ? x.v : y);
        add_case(out, conj_less(x.j, y, x.v, 1), min ? y : x.v);
        return true;
    }
    if (is(op, "&") && linear_is_int(x.v, &by)) return divided(e, (Case){x.j, y}, by, out);
    return among(op, "/ % fdiv fmod << >> &") && linear_is_int(y, &by) && divided(e, x, by, out);
}

static bool operation(const Ex *x, int c, Conj j, Cases *out) {
    if (is(x->word, "?:")) {
        for (int k = 0; k < 2; k++) {
            Conjs on = {0};
            if (!holds(x->arg[0], c, !k, j, &on)) return false;
            for (int i = 0; i < on.n; i++)
                if (!affine(x->arg[1 + k], c, on.at[i], out)) return false;
        }
        return true;
    }
    Cases a = {0};
    if (among(x->word, "< <= == != && || ! ~") || !affine(x->arg[0], c, j, &a)) return false;
    for (int i = 0; i < a.n; i++) {
        Cases b = {0};
        if (x->nargs == 1) add_case(out, a.at[i].j, minus(a.at[i].v));
        else if (!affine(x->arg[1], c, a.at[i].j, &b)) return false;
        for (int k = 0; k < b.n; k++)
            if (!combined(x, (Case){b.at[k].j, a.at[i].v}, b.at[k].v, out)) return false;
    }
    return true;
}

bool affine(const Ex *x, int c, Conj j, Cases *out) {
    if (!is_whole(x)) return false;
    int had = out->n;
    bool ok = false;
    if (x->kind == EX_INT && !(x->i < 0 && x->type[0] == 'u'))
        return add_case(out, j, linear_int(x->i)), true;
    if (x->kind == EX_SYM && x->var >= 0) return add_case(out, j, linear_var(c + x->var)), true;
    if (x->kind == EX_SYM) return add_case(out, j, linear_var(atom((Atom){.text = x->word}))), true;
    if (x->kind == EX_CAST) // to a type of at least 32 bits, where no number is lost
        ok = among(x->type, "i32 u32 i64 u64") && is_whole(x->arg[0]) && affine(x->arg[0], c, j, out);
    if (x->kind == EX_OP) ok = operation(x, c, j, out);
    if (ok) return true;
    out->n = had;
    if (!is_invariant(x)) return false;
    char text[512];
    size_t n = put_text(text, sizeof text, x);
    char *kept = take(n + 1);
    memcpy(kept, text, n);
    add_case(out, j, linear_var(atom((Atom){.text = kept})));
    return true;
}

// ---- conditions -------------------------------------------------------------------------------------
static bool compared(const char *op, bool want, Case x, Linear y, Conjs *out) {
    if (is(op, "<=") || is(op, "<")) {
        Int by = op[1] ? 0 : 1;
        conjs_add(out, want ? conj_less(x.j, x.v, y, by) : conj_less(x.j, y, x.v, 1 - by));
    } else if (is(op, want ? "==" : "!=")) {
        conjs_add(out, conj_same(x.j, x.v, y));
    } else {
        conjs_add(out, conj_less(x.j, x.v, y, 1));
        conjs_add(out, conj_less(x.j, y, x.v, 1));
    }
    return true;
}

static bool is_truth(const Ex *x) { return x->kind == EX_OP && among(x->word, "< <= == != && || !"); }
static bool is_zero(const Ex *x) { return x->kind == EX_INT && !x->i; }

bool holds(const Ex *x, int c, bool want, Conj j, Conjs *out) {
    bool op = x->kind == EX_OP;
    if (op && is(x->word, "!")) return holds(x->arg[0], c, !want, j, out);
    if (op && (is(x->word, "!=") || is(x->word, "==")) && is_zero(x->arg[1]) && is_truth(x->arg[0]))
        return holds(x->arg[0], c, want == (x->word[0] == '!'), j, out);
    if (op && (is(x->word, "&&") || is(x->word, "||"))) {
        bool both = (x->word[0] == '&') == want; // the one alone does not decide
        Conjs first = {0};
        if (!holds(x->arg[0], c, both ? want : !want, j, &first)) return false;
        for (int i = 0; i < first.n; i++)
            if (!holds(x->arg[1], c, want, first.at[i], out)) return false;
        return both || holds(x->arg[0], c, want, j, out);
    }
    bool compares = op && among(x->word, "< <= == !=");
    Cases a = {0};
    if (!affine(compares ? x->arg[0] : x, c, j, &a)) return false;
    for (int i = 0; i < a.n; i++) {
        Cases b = {0};
        if (!compares) add_case(&b, a.at[i].j, linear_int(0));
        else if (!affine(x->arg[1], c, a.at[i].j, &b)) return false;
        for (int k = 0; k < b.n; k++)
            compared(compares ? x->word : "!=", want, (Case){b.at[k].j, a.at[i].v}, b.at[k].v, out);
    }
    return true;
}

// ---- trees ------------------------------------------------------------------------------------------
void read_arrays(const Item *x) {
    Reading none = {0};
    arrays = take((size_t)x->n * sizeof *arrays);
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        Array *a = &arrays[narrays];
        *a = (Array){item_word(y, 0), item_word(y, 1), item_word(y, 2), .number = narrays};
        a->lanes = item_int(y, 3), a->sized = item_int(y, 4);
        a->rank = y->n - 5;
        a->extent = take((size_t)(a->rank + 1) * sizeof *a->extent);
        for (int d = 0; d < a->rank; d++)
            if (!y->at[5 + d]->word) a->extent[d] = expression(&none, y->at[5 + d]);
        narrays++;
    }
    if (narrays > 250) refuse("too many arrays");
}

static void find_accesses(Leaf *l, const Ex *x, bool addressing) {
    if (x->kind == EX_LOAD) {
        if (x->access < 1 || x->access >= l->naccesses) refuse("a load of the wrong number");
        const Ex *other = l->access[x->access].load;
        if (other && !same_expression(other, x)) refuse("two loads of one number");
        addressing |= other && l->access[x->access].addressing;
        l->access[x->access] =
            (Access){.leaf = l, .array = x->array, .sub = x->arg, .load = x, .addressing = addressing};
    }
    for (int i = 0; i < x->nargs; i++) find_accesses(l, x->arg[i], addressing);
}

static int last_load(const Item *x) {
    Int n = item_is(x, "load") ? item_int(x, 2) : 0;
    if (n < 0 || n > 1000) refuse("line %d: too many loads", x->line);
    for (int i = 0; i < x->n; i++)
        if (last_load(x->at[i]) > n) n = last_load(x->at[i]);
    return (int)n;
}

static void add_leaf(Program *p, Leaf *l) {
    if (p->nleaves % 32 == 0) {
        Leaf **more = take((size_t)(p->nleaves + 33) * sizeof *more);
        if (p->nleaves) memcpy(more, p->leaf, (size_t)p->nleaves * sizeof *more);
        p->leaf = more;
    }
    l->number = l->order = p->nleaves;
    p->leaf[p->nleaves++] = l;
}

static void make_domain(Leaf *l);

static void read_copy(Reading *r, const Item *x, bool barrier) {
    Leaf *l = take(sizeof *l);
    *l = (Leaf){.program = r->p, .depth = r->depth, .line = (int)item_int(x, 1), .kernel = r->kernel};
    l->barrier = barrier;
    l->loop = take((size_t)(r->depth + 1) * sizeof *l->loop);
    memcpy(l->loop, r->loop, (size_t)r->depth * sizeof *l->loop);
    l->cond = take((size_t)(r->nconds + 1) * sizeof *l->cond);
    memcpy(l->cond, r->cond, (size_t)r->nconds * sizeof *l->cond);
    l->want = take((size_t)(r->nconds + 1));
    memcpy(l->want, r->want, (size_t)r->nconds);
    l->nconds = r->nconds;
    l->op = "=";
    if (barrier) {
        l->warp = item_int(x, 2);
        for (int i = 0; i < r->depth; i++)
            if (is(r->loop[i]->how, "thread"))
                refuse("line %d: a barrier that not all threads reach", x->line);
    } else {
        const Item *sub = item_list(x, 3);
        l->atomic = item_int(x, 5);
        l->op = item_word(x, 4);
        l->naccesses = 1 + last_load(x);
        l->access = take((size_t)l->naccesses * sizeof *l->access);
        Access *w = &l->access[0];
        *w = (Access){.leaf = l, .array = array_of(x, 2)};
        Ex **e = take((size_t)(sub->n + 1) * sizeof *e);
        if (sub->n != w->array->rank) refuse("line %d: another rank", x->line);
        for (int i = 0; i < sub->n; i++) e[i] = expression(r, item_list(sub, i));
        w->sub = e;
        l->src = expression(r, item_list(x, 6));
        if (!is(l->src->type, w->array->type)) refuse("line %d: a value of another type", x->line);
        find_accesses(l, l->src, false);
        for (int i = 0; i < sub->n; i++) find_accesses(l, e[i], true);
        for (int k = 0; k < l->naccesses; k++) {
            const Array *a = l->access[k].array;
            if (!a) refuse("line %d: loads are not numbered", x->line);
            if (strcmp(a->place, "user") && !r->here[a->number])
                refuse("line %d: %s is not declared", x->line, a->name);
        }
    }
    add_leaf(r->p, l);
    make_domain(l);
}

static void tree(Reading *r, const Item *x) {
    int depth = r->depth, conds = r->nconds;
    if (depth > 60 || conds > 60) refuse("line %d: too many loops inside each other", x->line);
    if (item_is(x, "seq")) {
        const Item *locals = item_list(x, 1);
        for (int i = 0; i < locals->n; i++) {
            Array *a = &arrays[array_of(locals, i)->number];
            if (a->declared || is(a->place, "user"))
                refuse("line %d: %s is declared twice", x->line, a->name);
            a->declared = r->here[a->number] = true;
            a->scope = r->depth;
        }
        for (int i = 2; i < x->n; i++) tree(r, x->at[i]);
        for (int i = 0; i < locals->n; i++) r->here[array_of(locals, i)->number] = false;
    } else if (item_is(x, "for")) {
        Loop *l = take(sizeof *l);
        *l = (Loop){item_word(x, 1), item_word(x, 2), .step = item_int(x, 3)};
        l->lo = expression(r, item_list(x, 4)), l->hi = expression(r, item_list(x, 5));
        if (!l->step || l->step == INT64_MIN) refuse("line %d: a step of 0", x->line);
        if (!among(l->how, "serial block thread")) refuse("line %d: a loop that is %s", x->line, l->how);
        for (int i = 0; i < depth; i++)
            if (is(r->loop[i]->name, l->name)) refuse("line %d: a counter of that name is there", x->line);
        r->loop[r->depth++] = l;
        tree(r, item_list(x, 6));
    } else if (item_is(x, "kernel")) {
        if (r->kernel) refuse("line %d: a kernel in a kernel", x->line);
        r->kernel = ++r->kernels;
        tree(r, item_list(x, 1));
        r->kernel = 0;
    } else if (item_is(x, "if")) {
        r->cond[r->nconds++] = expression(r, item_list(x, 1));
        for (int k = 0; k < 2 && k + 2 < x->n; k++) {
            r->want[conds] = !k;
            tree(r, item_list(x, 2 + k));
        }
    } else if (item_is(x, "copy") || item_is(x, "barrier")) read_copy(r, x, item_is(x, "barrier"));
    else refuse("line %d: what is this part of a program?", x->line);
    r->depth = depth, r->nconds = conds;
}

void read_program(const Item *x, Program *p) {
    Reading r = {.p = p};
    p->name = item_word(x, 1);
    tree(&r, item_list(x, 2));
    int n = p->nleaves;
    for (int i = 0; i < narrays; i++) {
        Leaf *l = take(sizeof *l);
        *l = (Leaf){.program = p, .depth = arrays[i].rank, .op = "=", .naccesses = 2};
        l->access = take(2 * sizeof *l->access);
        Ex *e = take(sizeof *e);
        *e = (Ex){EX_LOAD, arrays[i].type, .array = &arrays[i], .nargs = arrays[i].rank, .access = 1};
        e->arg = take((size_t)(e->nargs + 1) * sizeof *e->arg);
        for (int d = 0; d < e->nargs; d++) {
            e->arg[d] = take(sizeof *e);
            *e->arg[d] = (Ex){EX_SYM, "i64", .word = "element", .var = d};
        }
        l->src = e;
        l->access[1] = (Access){.leaf = l, .array = &arrays[i], .sub = e->arg, .load = e};
        add_leaf(p, l);
        l->order = INT_MAX;
        conjs_add(&l->domain, (Conj){.n = ATOMS + l->depth});
    }
    p->nleaves = n;
}

Leaf *program_end(Program *p, const Array *a) { return p->leaf[p->nleaves + a->number]; }

// ---- what runs when, and touches what ---------------------------------------------------------------
bool is_serial(const Loop *l) { return is(l->how, "serial"); }

static bool in_loop(const Loop *l, int c, int v, Conj j, Conjs *out) {
    Cases lo = {0};
    if (!affine(l->lo, c, j, &lo)) return false;
    for (int i = 0; i < lo.n; i++) {
        Cases hi = {0};
        bool up = l->step > 0;
        if (!affine(l->hi, c, lo.at[i].j, &hi)) return false;
        for (int k = 0; k < hi.n; k++) {
            Linear from = lo.at[i].v, to = hi.at[k].v, at = linear_var(v);
            Conj one = up ? conj_less(hi.at[k].j, from, at, 0) : conj_less(hi.at[k].j, at, from, 0);
            one = up ? conj_less(one, at, to, 1) : conj_less(one, to, at, 1);
            Int step = up ? l->step : -l->step;
            int q;
            if (step > 1) {
                one = conj_quotient(one, linear_add(at, -1, from), step, &q);
                one =
                    conj_same(one, linear_add(at, -1, from), linear_add(linear_int(0), step, linear_var(q)));
            }
            conjs_add(out, one);
        }
    }
    return true;
}

static void make_domain(Leaf *l) {
    Conjs now = {0};
    conjs_add(&now, (Conj){.n = ATOMS + l->depth});
    for (int k = 0; k < l->depth + l->nconds; k++) {
        Conjs next = {0};
        for (int i = 0; i < now.n; i++)
            if (!(k < l->depth
                      ? in_loop(l->loop[k], ATOMS, ATOMS + k, now.at[i], &next)
                      : holds(l->cond[k - l->depth], ATOMS, l->want[k - l->depth], now.at[i], &next)))
                refuse("%s: when the statement of line %d runs is not affine", l->program->name, l->line);
        now = (Conjs){0};
        for (int i = 0; i < next.n; i++)
            if (!conj_empty(next.at[i])) conjs_add(&now, next.at[i]);
    }
    l->domain = now;
}

bool written(const Program *p, const Array *a) {
    for (int i = 0; i < p->nleaves; i++)
        if (!p->leaf[i]->barrier && p->leaf[i]->access[0].array == a) return true;
    return false;
}

Conj with_counters(Conj j, const Leaf *l, int *c) {
    *c = j.n;
    j.n += l->depth;
    return j;
}

static int *counters_map(int dims, int c) {
    int *map = take((size_t)(ATOMS + dims) * sizeof *map);
    for (int i = 0; i < ATOMS + dims; i++) map[i] = i < ATOMS ? i : c + i - ATOMS;
    return map;
}

void in_domain(Conj j, const Leaf *l, int c, Conjs *out) {
    int *map = counters_map(l->depth, c);
    for (int i = 0; i < l->domain.n; i++)
        conjs_add(out, conj_put(j, l->domain.at[i], ATOMS + l->depth, map, true, NULL));
}

static bool same_from(Conj j, const Access *x, int cx, const Access *y, int cy, int d, Conjs *out) {
    if (d == x->array->rank) return conjs_add(out, j), true;
    Cases a = {0};
    if (!affine(x->sub[d], cx, j, &a)) return false;
    for (int i = 0; i < a.n; i++) {
        Cases b = {0};
        if (!affine(y->sub[d], cy, a.at[i].j, &b)) return false;
        for (int k = 0; k < b.n; k++)
            if (!same_from(conj_same(b.at[k].j, a.at[i].v, b.at[k].v), x, cx, y, cy, d + 1, out))
                return false;
    }
    return true;
}

bool same_word(Conj j, const Access *x, int cx, const Access *y, int cy, Conjs *out) {
    if (x->array != y->array) return true;
    for (int i = 0; i < x->array->scope; i++) j = conj_same_vars(j, cx + i, cy + i);
    return same_from(j, x, cx, y, cy, 0, out);
}

int common_loops(const Leaf *x, const Leaf *y) {
    int n = 0;
    if (x->loop && y->loop)
        while (n < x->depth && n < y->depth && x->loop[n] == y->loop[n]) n++;
    return n;
}

// As serial loops and the text order them; blocks and threads order nothing.
void before(Conj j, const Leaf *x, int cx, const Leaf *y, int cy, Conjs *out) {
    int n = common_loops(x, y);
    for (int i = 0; i < n; i++) {
        Linear a = linear_var(cx + i), b = linear_var(cy + i);
        if (is_serial(x->loop[i]))
            conjs_add(out, x->loop[i]->step > 0 ? conj_less(j, a, b, 1) : conj_less(j, b, a, 1));
        j = conj_same(j, a, b);
    }
    if (x->order < y->order) conjs_add(out, j);
}

// ---- sets of facts ----------------------------------------------------------------------------------
// Coefficients of the number, the parameters of facts, and the variables from ATOMS on as in `var`.
static Linear coefficients(const Item *x, int from, int nvars, const int *var) {
    Linear l = linear_int(item_int(x, from));
    for (int i = from + 1; i < x->n; i++) {
        Int by = item_int(x, i);
        int k = i - from - 1, params = columns->n - 1;
        if (!by) continue;
        if (k < params) {
            Reading none = {0};
            Cases v = {0};
            Ex *e = expression(&none, item_list(columns, 1 + k));
            if (!affine(e, 0, (Conj){.n = ATOMS}, &v) || v.n != 1 || v.at[0].j.last) refuse("a parameter");
            l = linear_add(l, by, v.at[0].v);
        } else {
            if (k - params >= nvars) refuse("line %d: a coefficient of nothing", x->line);
            l = linear_add(l, by, linear_var(var[k - params]));
        }
    }
    return l;
}

static Conj read_piece(const Item *x, int dims, int images) {
    int var[512], n = 0, image = 0;
    Conj j = {.n = ATOMS + dims + images};
    if (dims + images + x->n > 500) refuse("line %d: too much in one piece", x->line);
    for (; n < dims; n++) var[n] = ATOMS + n;
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        if (item_is(y, "eq") || item_is(y, "ge"))
            j = conj_row(j, coefficients(y, 1, n, var), item_is(y, "eq"));
        else if (item_is(y, "div")) {
            Linear of = coefficients(y, 2, n, var);
            j = conj_quotient(j, of, item_int(y, 1), &var[n]);
            n++;
        } else if (item_is(y, "is") && image < images) { // the next image: a quotient, too
            int q;
            j = conj_quotient(j, coefficients(y, 2, n, var), item_int(y, 1), &q);
            j = conj_define(j, ATOMS + dims + image++, linear_var(q));
        } else refuse("line %d: what is this part of a set?", y->line);
    }
    if (image != images) refuse("line %d: images are missing", x->line);
    return j;
}

void read_map(const Item *x, int from, int dims, int images, Conjs *out) {
    for (int i = from; i < x->n; i++) {
        if (!item_is(item_list(x, i), "piece")) refuse("line %d: a piece is missing", x->line);
        conjs_add(out, read_piece(x->at[i], dims, images));
    }
}

void read_set(const Item *x, int from, int dims, Conjs *out) { read_map(x, from, dims, 0, out); }

// Its quotients are atoms, too.
void read_sizes(const Item *x, Conjs *out) {
    Conjs sets = {0};
    read_set(x, 1, 0, &sets);
    for (int i = 0; i < sets.n; i++) {
        Conj s = sets.at[i];
        int *map = take((size_t)(s.n + 1) * sizeof *map);
        for (int v = 0; v < s.n; v++) {
            char *name = take(16);
            snprintf(name, 16, "/%d", v);
            map[v] = v < ATOMS ? v : atom((Atom){.text = name});
        }
        conjs_add(out, conj_put((Conj){.n = ATOMS}, s, s.n, map, true, NULL));
    }
}
