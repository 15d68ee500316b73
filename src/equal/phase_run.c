// SPDX-License-Identifier: MIT
// phase_run.c -- phases of a block run with sets of words in the place of numbers.
//
//   s[t] += s[t + 64]      word t: { t, t + 64 }, of the words as they were before
#include "equal/phases.h"

enum { MOST_WORDS = 1 << 17, MOST_STEPS = 1 << 20, MOST_RANGES = 256 };

// ---- what can be run -----------------------------------------------------------------------------
bool phase_is_block_memory(const Array *v) {
    return v->place == PLACE_SHARED || v->place == PLACE_REGISTER || v->place == PLACE_LOCAL;
}

// Is it made of these counters alone?
bool phase_is_counted(const Expr *x, const SymVec *of) {
    expr_each(y, x) {
        if (y->kind == E_LOAD || y->kind == E_CALL) return false;
        bool known = y->kind != E_SYM;
        for (int i = 0; i < of->n && !known; i++) known = of->at[i] == y->sym;
        if (!known) return false;
    }
    return true;
}

bool phase_reads_block(const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && phase_is_block_memory(y->array)) return true;
    return false;
}

static bool is_zero(const Expr *x) {
    return (x->kind == E_INT && !x->i) || (x->kind == E_FLOAT && x->f == 0);
}

static bool all_counted(int n, Expr *const *x, const SymVec *of) {
    for (int i = 0; i < n; i++)
        if (!phase_is_counted(x[i], of)) return false;
    return true;
}

bool phase_is_linear(const Expr *x, const SymVec *of) {
    if (is_zero(x)) return true;
    if (x->kind == E_LOAD)
        return phase_is_block_memory(x->array) && x->type == x->array->elem &&
               all_counted(x->nargs, x->args, of);
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    bool sum = x->kind == E_OP && x->op == OP_ADD && x->nargs == 2;
    if (!(choice && phase_is_counted(x->args[0], of)) && !sum) return false;
    return phase_is_linear(x->args[choice], of) && phase_is_linear(x->args[choice + 1], of);
}

bool phase_is_added(const Run *r, Type t) {
    return type_size(t) >= 4 && (type_is_int(t) || (type_is_float(t) && r->p->task->reassociate));
}

bool phase_can_run(Run *r, const Node *n, SymVec *of) {
    if (n->kind == N_SEQ) {
        for (int i = 0; i < n->nkids; i++)
            if (!phase_can_run(r, n->kids[i], of)) return false;
        return true;
    }
    if (n->kind == N_IF)
        return phase_is_counted(n->cond, of) && phase_can_run(r, n->then, of) &&
               (!n->other || phase_can_run(r, n->other, of));
    if (n->kind == N_FOR) {
        bool counted = phase_is_counted(n->lo, of) && phase_is_counted(n->hi, of);
        if (!counted || n->step <= 0 || n->how == HOW_BLOCK) return false;
        vec_push(r->a, of, n->iter);
        bool ok = phase_can_run(r, n->body, of);
        of->n--;
        return ok;
    }
    if (n->kind != N_COPY || !n->dst) return false;
    if (n->dst == r->p->barrier) return n->src->kind == E_INT && n->src->i <= BARRIER_WARP;
    bool plain = phase_is_block_memory(n->dst) && !n->atomic && !n->async;
    plain = plain && (n->op == OP_SET || n->op == OP_ADD);
    if (!plain || n->src->type != n->dst->elem || !all_counted(n->dst->rank, n->sub, of)) return false;
    bool given = !phase_reads_block(n->src) && !is_zero(n->src);
    if (given && n->op == OP_SET) return true; // of any type
    return (given || phase_is_linear(n->src, of)) && phase_is_added(r, n->dst->elem);
}

// ---- memory -----------------------------------------------------------------------------------------
static int add_source(Run *r, Source s) {
    s.words = 1;
    for (int d = 0; d < s.rank; d++) {
        if (s.dim[d] <= 0 || (int64_t)s.words * s.dim[d] > MOST_WORDS) return r->failed = true, -1;
        s.words *= s.dim[d];
    }
    s.base = r->rows.n;
    if (r->rows.n + s.words > MOST_WORDS) return r->failed = true, -1;
    for (int i = 0; i < s.words; i++) {
        Range *one = NEW(r->a, Range);
        *one = (Range){s.base + i, s.base + i};
        vec_push(r->a, &r->rows, ((Row){one, 1, false}));
    }
    vec_push(r->a, &r->sources, s);
    return r->sources.n - 1;
}

int phase_constant(const Expr *x) {
    while (x && x->kind == E_CAST) x = x->args[0];
    return x && x->kind == E_INT && x->i > 0 && x->i <= MOST_WORDS ? (int)x->i : 0;
}

static int source_of(Run *r, const Array *v) {
    for (int i = 0; i < r->sources.n; i++)
        if (r->sources.at[i].v == v) return i;
    Source s = {.v = v, .rank = v->rank};
    if (v->rank > MOST_DIMS) return r->failed = true, -1;
    for (int d = 0; d < v->rank; d++) s.dim[d] = phase_constant(v->extent[d]);
    return add_source(r, s);
}

static bool worth(Run *r, const Expr *x, int64_t *v) {
    if (!ir_eval(x, r->at.n, r->at.at, v)) r->failed = true;
    return !r->failed;
}

// The symbol of an element; -1: it is outside.
static int word_of(Run *r, const Array *v, Expr *const *sub) {
    int k = source_of(r, v), at = 0;
    for (int d = 0; d < v->rank && !r->failed; d++) {
        int64_t i;
        if (worth(r, sub[d], &i) && (i < 0 || i >= r->sources.at[k].dim[d])) r->failed = true;
        if (!r->failed) at = at * r->sources.at[k].dim[d] + (int)i;
    }
    return r->failed ? -1 : r->sources.at[k].base + at;
}

// What copy n is given at the counters at hand.
static int given(Run *r, const Node *n) {
    int k = 0, at = 0;
    while (k < r->sources.n && r->sources.at[k].copy != n) k++;
    if (k == r->sources.n) {
        Source s = {.copy = n, .kid = r->kid, .rank = r->loops.n, .loc = n->loc};
        if (s.rank > MOST_DIMS) return r->failed = true, -1;
        for (int d = 0; d < s.rank; d++) {
            const Node *l = r->loops.at[d];
            s.dim[d] = expr_is_int(l->lo, 0) && l->step == 1 ? phase_constant(l->hi) : 0;
        }
        k = add_source(r, s);
    }
    for (int d = 0; d < r->loops.n && !r->failed; d++) at = at * r->sources.at[k].dim[d] + (int)r->at.at[d].i;
    return r->failed ? -1 : r->sources.at[k].base + at;
}

// ---- sums -------------------------------------------------------------------------------------------
// x and y, which must have no symbol in common.
static Row both(Run *r, Row x, Row y) {
    if (!x.n && !y.lost) return y.lost |= x.lost, y;
    if (!y.n && !x.lost) return x.lost |= y.lost, x;
    Row z = {NEW_N(r->a, Range, x.n + y.n + 1), 0, x.lost || y.lost};
    for (int i = 0, j = 0; i < x.n || j < y.n;) {
        bool first = j == y.n || (i < x.n && x.at[i].lo < y.at[j].lo);
        Range next = first ? x.at[i++] : y.at[j++], *last = z.n ? &z.at[z.n - 1] : NULL;
        if (last && next.lo <= last->hi) r->failed = true; // twice
        if (last && next.lo == last->hi + 1) last->hi = next.hi;
        else z.at[z.n++] = next;
    }
    if (z.n > MOST_RANGES) r->failed = true;
    return z;
}

static Row sum(Run *r, const Expr *x) {
    Row none = {0};
    int64_t v;
    if (r->failed || is_zero(x)) return none;
    if (x->kind == E_LOAD) {
        int w = word_of(r, x->array, x->args);
        return w < 0 ? none : r->rows.at[w];
    }
    if (x->op == OP_SELECT) return worth(r, x->args[0], &v) ? sum(r, x->args[v ? 1 : 2]) : none;
    r->adds++;
    Row a = sum(r, x->args[0]);
    return both(r, a, sum(r, x->args[1]));
}

static void run_loop(Run *r, const Node *n) {
    int64_t lo, hi;
    if (!worth(r, n->lo, &lo) || !worth(r, n->hi, &hi)) return;
    vec_push(r->a, &r->at, ((InterpVal){.sym = n->iter}));
    vec_push(r->a, &r->loops, n);
    for (int64_t i = lo; i < hi && !r->failed; i += n->step) {
        r->at.at[r->at.n - 1].i = i;
        phase_run(r, n->body);
    }
    r->at.n--, r->loops.n--;
}

static void run_copy(Run *r, const Node *n) {
    if (n->dst == r->p->barrier) return;
    bool is_given = !phase_reads_block(n->src) && !is_zero(n->src);
    int g = is_given ? given(r, n) : -1;
    Row x = is_given && g >= 0 ? r->rows.at[g] : is_given ? (Row){0} : sum(r, n->src);
    int w = r->failed ? -1 : word_of(r, n->dst, n->sub);
    if (w < 0) return;
    r->adds += n->op == OP_ADD;
    r->rows.at[w] = n->op == OP_ADD ? both(r, r->rows.at[w], x) : x;
    Source *s = &r->sources.at[source_of(r, n->dst)];
    s->set = true, s->loc = n->loc;
}

void phase_run(Run *r, const Node *n) {
    int64_t v;
    if (r->failed || ++r->steps > MOST_STEPS) {
        r->failed = true;
        return;
    }
    for (int i = 0; i < n->nlocals; i++) { // nobody has written them
        int k = source_of(r, n->locals[i]);
        for (int w = 0; k >= 0 && w < r->sources.at[k].words; w++)
            r->rows.at[r->sources.at[k].base + w] = (Row){NULL, 0, true};
    }
    for (int i = 0; i < n->nkids; i++) phase_run(r, n->kids[i]);
    if (n->kind == N_FOR) run_loop(r, n);
    else if (n->kind == N_IF && worth(r, n->cond, &v) && (v || n->other))
        phase_run(r, v ? n->then : n->other);
    else if (n->kind == N_COPY) run_copy(r, n);
}

