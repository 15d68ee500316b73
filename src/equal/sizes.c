// SPDX-License-Identifier: MIT
// sizes.c -- which sizes both programs are run at, and on what data.
//
// Floats are small multiples of 1/16, so that sums of products come out the same in any order. What loops
// count by is ascending, and what subscripts are made of stays inside.
#include "equal/run.h"
#include "dep/dep.h"
#include "front/normal.h"
#include "ir/value.h"
#include <string.h>

enum { MOST_ELEMENTS = 1 << 22, GATHERED = 40, ROOM = 260 }; // rows where data tell which: as bytes can

static bool is_inspected(const Region *r, const Sym *s) {
    for (int i = 0; i < r->ninspects; i++)
        if (r->inspects[i]->lo == s || r->inspects[i]->hi == s || r->inspects[i]->differ == s) return true;
    return false;
}

bool equal_is_size(const Pair *p, int k) {
    const Sym *s = p->region->params[k];
    return type_is_int(s->type) && !is_inspected(p->region, s);
}

const char *equal_sizes_text(const Pair *p, const int64_t *sizes) {
    Text t = text_new(p->a);
    for (int i = 0; i < p->region->nparams; i++)
        if (equal_is_size(p, i))
            text_printf(&t, "%s%s = %lld", t.n ? ", " : "", p->region->params[i]->name, (long long)sizes[i]);
    return text_str(&t);
}

// ---- what the arrays are used for ----------------------------------------------------------------
typedef struct Use {
    bool index, bound;
    bool place; // where elements are set, each once
    int64_t most; // what a subscript may be, where it is one by itself
} Use;

static bool one_reads(int n, Expr *const *x, const Array *v) {
    for (int i = 0; i < n; i++)
        if (expr_reads(x[i], v)) return true;
    return false;
}

// v tells places in w: an element by itself may tell any that is there.
static void limit(Use *u, const Pair *p, const Setting *set, const Array *v, const Array *w,
                  Expr *const *sub) {
    const int64_t *extent = NULL;
    for (int k = 0; k < p->region->narrays; k++)
        if (p->region->arrays[k] == w) extent = set->extent[k];
    for (int d = 0; d < w->rank; d++) {
        const Expr *x = sub[d];
        while (x->kind == E_CAST) x = x->args[0];
        int64_t most = extent && x->kind == E_LOAD && x->array == v ? extent[d] : GATHERED;
        if (expr_reads(sub[d], v) && most < u->most) u->most = most;
    }
}

static Use use_of(const Pair *p, const Setting *set, const Array *v) {
    Use u = {.most = 256};
    node_each(n, p->loops) {
        bool place = n->kind == N_COPY && n->dst && one_reads(n->dst->rank, n->sub, v);
        if (place) limit(&u, p, set, v, n->dst, n->sub);
        copy_each_expr(x, n) {
            if (x->kind != E_LOAD || !one_reads(x->nargs, x->args, v)) continue;
            u.index = true;
            limit(&u, p, set, v, x->array, x->args);
        }
        u.index |= place;
        u.bound |= n->kind == N_FOR && (expr_reads(n->lo, v) || expr_reads(n->hi, v));
        u.place |= place && n->op == OP_SET && !expr_reads(n->src, n->dst);
    }
    return u;
}

// ---- data ----------------------------------------------------------------------------------------
static uint64_t random_of(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

static bool is_rounded_whole(const Expr *x) {
    return x->kind == E_CAST && type_is_float(x->type) && type_size(x->args[0]->type) >= 4;
}

static bool rounds_whole(const Node *n) {
    copy_each_expr(x, n)
        if (is_rounded_whole(x)) return true;
    return false;
}

// All bits of numbers without a sign, whose arithmetic may wrap in C. Sums of floats made of them would be
// rounded.
static bool is_wide(const Pair *p, const Array *v, const Use *u, int seed) {
    bool plain = !u->index && !u->bound && !u->place && !type_is_float(v->elem) && v->elem != T_BOOL;
    return seed && plain && !type_is_signed(v->elem) &&
           (type_size(v->elem) < 2 || (type_size(v->elem) >= 4 && !node_any(p->loops, rounds_whole)));
}

void equal_fill(Pair *p, const Setting *set, int k, int seed, void *to) {
    const Array *v = p->region->arrays[k];
    Use u = use_of(p, set, v);
    bool wide = is_wide(p, v, &u, seed);
    int64_t n = 1, up = 0;
    for (int d = 0; d < v->rank; d++) n *= set->extent[k][d];
    uint64_t s = (uint64_t)seed * 7919 + (uint64_t)k * 104729 + 12345;
    if (p->ties) s += (uint64_t)n * 15485863; // where the greatest is hangs on all of them
    for (int64_t i = 0; i < n; i++) {
        int64_t r = (int64_t)random_of(&s), w = u.bound ? up : u.index ? r % u.most : r % 200 - 100;
        if (u.place) w = (i * 7919 + seed) % n; // each once: the loops say nothing else of who is the last
        if (!type_is_signed(v->elem) && !type_is_float(v->elem) && w < 0) w = -w;
        up += r % 4 == 3 ? 0 : r % 3;
        if (up > 4 * GATHERED) up = 4 * GATHERED;
        double d = seed ? (double)(1 + r % 128) / 16 : (double)(r % 257 - 128) / 16;
        if (seed == 2) d /= 1024; // against what is added to keep a divisor from 0
        // what a float can't hold, and what 16 bits can't
        if (seed == 3) d += (double)random_of(&s) / (v->elem == T_F64 ? 4294967296e1 : 4294967296e3);
        if (wide) w = (int64_t)(random_of(&s) << 33 ^ (uint64_t)r << 8 ^ random_of(&s));
        if (p->ties && seed) { // few values, or none twice
            int64_t x = seed == 1 ? r % 3 : r;
            w = u.index || u.bound || u.place ? w : x, d = (double)(1 + x) / 16;
        }
        float f = (float)d;
        size_t b = (size_t)type_size(v->elem);
        char *at = (char *)to + (size_t)i * b;
        if (v->elem == T_F32) memcpy(at, &f, b);
        else if (v->elem == T_F64) memcpy(at, &d, b);
        else if (v->elem == T_BOOL) *at = (char)(r & 1);
        else memcpy(at, &w, b);
    }
}

// ---- settings --------------------------------------------------------------------------------------
static bool holds(const Region *r, const Setting *s) {
    for (int i = 0; i < r->nassumes; i++) {
        int64_t v = 1;
        if (ir_eval(r->assumes[i], s->nvals, s->val, &v) && !v) return false;
    }
    return true;
}

static int64_t value(const Expr *x, const Setting *s, int64_t or_else) {
    int64_t v;
    return x && ir_eval(x, s->nvals, s->val, &v) ? v : or_else;
}

static const Foot *foot_of(const DepInfo *d, const Array *v) {
    for (int i = 0; i < d->nfeet; i++)
        if (d->feet[i].array == v || str_eq(d->feet[i].array->name, v->name)) return &d->feet[i];
    return NULL;
}

// Rows that are there even if the data of this run don't lead to them.
static void known_rows(Pair *p, const Array *v, const Foot *f, const Setting *s, int64_t row[2]) {
    const Rows *r = equal_rows(p, v);
    row[0] = 0, row[1] = -1;
    if (r->data && f && f->array->rank == v->rank && f->lo && f->lo[0] && f->hi && f->hi[0])
        row[0] = value(f->lo[0], s, 0), row[1] = value(f->hi[0], s, -1);
    for (int i = 0; i < r->spans.n; i++) {
        const Span *x = &r->spans.at[i];
        int64_t lo = value(x->lo, s, 0), hi = value(x->hi, s, -1);
        if (!value(x->when, s, 0) || lo > hi || lo < 0) continue;
        bool none = row[0] > row[1];
        if (none || lo < row[0]) row[0] = lo;
        if (none || hi > row[1]) row[1] = hi;
    }
}

static const DepInfo *feet_of(Pair *p) {
    return p->feet ? p->feet : (p->feet = dep_analyze(p->c, p->task->region));
}

Expr *equal_rows_touched(Pair *p, const Array *v) {
    const Foot *f = foot_of(feet_of(p), v);
    bool flat = f && f->array->rank == v->rank && f->hi && f->hi[0];
    if (v->extent[0] || !flat) return v->extent[0];
    Sums k = {.a = p->a};
    Sum *last = sum_of(&k, f->hi[0]);
    return last ? sum_expr(&k, sum_add(&k, last, sum_int(&k, 1), 1), T_I64) : NULL;
}

bool equal_setting(Pair *p, Arena *a, const int64_t *sizes, Setting *out) {
    const Region *r = p->region;
    const DepInfo *d = feet_of(p);
    *out =
        (Setting){.val = NEW_N(a, InterpVal, r->nparams + 1), .extent = NEW_N(a, int64_t *, r->narrays + 1)};
    out->row = arena_alloc(a, sizeof(int64_t[2]) * (size_t)(r->narrays + 1));
    int64_t most = 1;
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        InterpVal v = {s, sizes[i], i % 2 ? 0.5 : 2};
        for (int k = 0; k < r->ninspects; k++) {
            if (r->inspects[k]->lo == s) v.i = 0;
            if (r->inspects[k]->hi == s) v.i = 4 * GATHERED + 4;
        }
        if (equal_is_size(p, i) && v.i > most) most = v.i;
        out->val[out->nvals++] = v;
    }
    if (!holds(r, out)) return false;
    for (int k = 0; k < r->narrays; k++) {
        const Array *v = r->arrays[k];
        const Foot *f = foot_of(d, v);
        int64_t n = 1, *e = out->extent[k] = NEW_N(a, int64_t, v->rank + 1);
        for (int i = 0; i < v->rank; i++) {
            bool flat = f && f->array->rank == v->rank;
            int64_t rest =
                flat && f->hi && f->hi[i] ? value(f->hi[i], out, most + 8) + 1 : 4 * GATHERED + most + 8;
            e[i] = v->extent[i] ? value(v->extent[i], out, 1) : rest;
            if (e[i] < 1) e[i] = 1;
            if (!i) known_rows(p, v, f, out, out->row[k]);
            if (!i && e[0] < ROOM + most && equal_rows(p, v)->unknown) e[0] = ROOM + most;
            if (!i && e[0] <= out->row[k][1]) e[0] = out->row[k][1] + 1;
            if (__builtin_mul_overflow(n, e[i], &n) || n > MOST_ELEMENTS) return false;
        }
    }
    return true;
}

// ---- which sizes -------------------------------------------------------------------------------------
// Values that one size alone may have: small ones, and those around the numbers of threads.
static const int64_t tried[] = {1,   2,    3,    4,    5,    7,    8,    9,    15,   16,   17,
                                24,  31,   32,   33,   40,   48,   63,   64,   65,   100,  127,
                                128, 129,  192,  255,  256,  257,  300,  384,  511,  512,  513,
                                640, 1000, 1023, 1024, 1025, 1500, 2048, 2049, 4096, 4097, 7617};
enum { NTRIED = sizeof tried / sizeof *tried };

// Each size in its turn beyond what threads have at once, the others small.
static const int64_t beyond[] = {33, 129, 257, 300, 513, 1025};
enum { SMALL = 8, NBEYOND = sizeof beyond / sizeof *beyond };

void equal_settle_sizes(const Pair *p, int64_t *sizes) {
    InterpVal val[64];
    int n = p->region->nparams, first = n - p->free.n;
    for (int i = 0; i < n && n <= 64; i++) {
        if (i >= first && p->free.at[i - first]) ir_eval(p->free.at[i - first], i, val, &sizes[i]);
        val[i] = (InterpVal){p->region->params[i], sizes[i], 0};
    }
}

// Does a node have the parameter where it says how far a loop runs, or which elements are touched?
static bool directs(const Node *n, const Sym *s) {
    if (n->kind == N_FOR && (expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s))) return true;
    for (int d = 0; n->kind == N_COPY && n->dst && d < n->dst->rank; d++)
        if (expr_uses_sym(n->sub[d], s)) return true;
    copy_each_expr(x, n)
        for (int i = 0; x->kind == E_LOAD && i < x->nargs; i++)
            if (expr_uses_sym(x->args[i], s)) return true;
    return false;
}

bool equal_directs(const Pair *p, const Sym *s) {
    const Region *r = p->region;
    node_each(n, p->loops)
        if (directs(n, s)) return true;
    for (int k = 0; k < r->narrays; k++)
        for (int d = 0; d < r->arrays[k]->rank; d++)
            if (r->arrays[k]->extent[d] && expr_uses_sym(r->arrays[k]->extent[d], s)) return true;
    return false;
}

// The signed numbers that are computed with and decide nothing else: every second time they are negative.
static const bool *signed_values(Pair *p) {
    const Region *r = p->region;
    if (p->values) return p->values;
    p->values = NEW_N(p->a, bool, r->nparams + 1);
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        bool decides = !type_is_signed(s->type) || equal_directs(p, s);
        node_each(n, p->loops) decides |= n->kind == N_IF && expr_uses_sym(n->cond, s);
        node_each(n, p->kernel) decides |= directs(n, s) || (n->kind == N_IF && expr_uses_sym(n->cond, s));
        p->values[i] = !decides;
    }
    return p->values;
}

bool equal_next_sizes(Pair *p, int *state, int64_t *sizes) {
    int k = (*state)++, n = 0, at = 0;
    uint64_t s = (uint64_t)k * 977 + 31;
    for (int i = 0; i < p->region->nparams; i++) n += equal_is_size(p, i);
    bool one = n > 1 && k >= SMALL && k < SMALL + n * NBEYOND;
    int turn = one ? (k - SMALL) % n : 0, large = one ? (k - SMALL) / n : 0;
    if (n > 1 && k >= SMALL + n * NBEYOND) k -= n * NBEYOND;
    if (k >= 2 * NTRIED || (n < 2 && k >= NTRIED)) return false;
    bool mixed = n > 1 && k % 2;
    int upto = n > 1 ? k / 2 : k;
    for (int i = 0; i < p->region->nparams; i++) {
        sizes[i] = 0;
        if (!equal_is_size(p, i)) continue;
        sizes[i] =
            tried[mixed ? (int)(random_of(&s) % (uint64_t)(upto + 3 < NTRIED ? upto + 3 : NTRIED)) : upto];
        if (one) sizes[i] = at == turn ? beyond[large] : 3;
        if (*state % 2 == 0 && signed_values(p)[i]) sizes[i] = -sizes[i];
        at++;
    }
    equal_settle_sizes(p, sizes);
    return true;
}
