// SPDX-License-Identifier: MIT
// phases.c -- what the threads of a block add up between them, as one sum each.
//
//   for o = 1, 2, 4, … 64 { if (t >= o) v = s[t - o];  barrier;  s[t] += v;  barrier }
//   →  was[k] = s[k];  s[t] = 0;  for k = 0 .. t + 1 { s[t] += was[k] }
//
// Phases that copy and add words of the block's memory, and ask nothing but threads' numbers, can be run:
// each word is then a set of words that were there before. Where these sets are stretches whose ends hang on
// the word's number, or that of its group, sums over them stand in the phases' place. However the phases got
// there (doubling offsets, a tree up and down, lanes, two buffers), the proof sees the same.
//
// Threads must not meet in a phase; that, and what is accessed, is looked at in the phases themselves.
#include "equal/pair.h"
#include "front/normal.h"

enum { MOST_WORDS = 1 << 17, MOST_DIMS = 4, MOST_STEPS = 1 << 20, MOST_RANGES = 256, MOST_GAPS = 16 };
enum { LEAST_ADDS = 3 }; // fewer are no trouble as they are

typedef struct Range { // of symbols: what words held before, and what is given
    int lo, hi;
} Range;

typedef struct Row { // the symbols that a word adds up
    Range *at;
    int n;
    bool lost; // something was read that nobody has written
} Row;

typedef struct Source { // an array's words, or what a copy takes from elsewhere at each of its counters
    const Array *v; // NULL: a copy's
    const Node *copy, *kid; // …and the phase that it stands in
    int base, words, rank, dim[MOST_DIMS];
    Loc loc; // of what set it last
    bool set;
    const Array *was; // it as it was before, in one row; NULL: nobody has asked
    bool *needed; // words that somebody reads later
} Source;

typedef struct Run {
    Pair *p;
    Arena *a;
    VEC(Source) sources;
    VEC(Row) rows; // of each word, by its symbol
    VEC(InterpVal) at; // counters…
    VEC(const Node *) loops; // …and their loops
    const Node *kid;
    int adds, steps;
    bool failed;
} Run;

typedef struct Phases {
    Pair *p;
    Arena *a;
    const Node *root;
    bool changed;
    int serial; // loops around that are no threads'
    int fresh;
} Phases;

typedef VEC(Node *) NodeVec;
typedef VEC(const Sym *) SymVec;

// ---- what can be run -----------------------------------------------------------------------------
static bool is_block_memory(const Array *v) {
    return v->place == PLACE_SHARED || v->place == PLACE_REGISTER || v->place == PLACE_LOCAL;
}

// Is it made of these counters alone?
static bool is_counted(const Expr *x, const SymVec *of) {
    expr_each(y, x) {
        if (y->kind == E_LOAD || y->kind == E_CALL) return false;
        bool known = y->kind != E_SYM;
        for (int i = 0; i < of->n && !known; i++) known = of->at[i] == y->sym;
        if (!known) return false;
    }
    return true;
}

static bool reads_block(const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && is_block_memory(y->array)) return true;
    return false;
}

static bool is_zero(const Expr *x) {
    return (x->kind == E_INT && !x->i) || (x->kind == E_FLOAT && x->f == 0);
}

static bool all_counted(int n, Expr *const *x, const SymVec *of) {
    for (int i = 0; i < n; i++)
        if (!is_counted(x[i], of)) return false;
    return true;
}

static bool is_linear(const Expr *x, const SymVec *of) {
    if (is_zero(x)) return true;
    if (x->kind == E_LOAD)
        return is_block_memory(x->array) && x->type == x->array->elem && all_counted(x->nargs, x->args, of);
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    bool sum = x->kind == E_OP && x->op == OP_ADD && x->nargs == 2;
    if (!(choice && is_counted(x->args[0], of)) && !sum) return false;
    return is_linear(x->args[choice], of) && is_linear(x->args[choice + 1], of);
}

static bool is_added(const Run *r, Type t) {
    return type_size(t) >= 4 && (type_is_int(t) || (type_is_float(t) && r->p->task->reassociate));
}

static bool can_run(Run *r, const Node *n, SymVec *of) {
    if (n->kind == N_SEQ) {
        for (int i = 0; i < n->nkids; i++)
            if (!can_run(r, n->kids[i], of)) return false;
        return true;
    }
    if (n->kind == N_IF)
        return is_counted(n->cond, of) && can_run(r, n->then, of) && (!n->other || can_run(r, n->other, of));
    if (n->kind == N_FOR) {
        if (n->step <= 0 || n->how == HOW_BLOCK || !is_counted(n->lo, of) || !is_counted(n->hi, of))
            return false;
        vec_push(r->a, of, n->iter);
        bool ok = can_run(r, n->body, of);
        of->n--;
        return ok;
    }
    if (n->kind != N_COPY || !n->dst) return false;
    if (n->dst == r->p->barrier) return n->src->kind == E_INT && n->src->i <= BARRIER_WARP;
    bool plain = is_block_memory(n->dst) && !n->atomic && !n->async && (n->op == OP_SET || n->op == OP_ADD);
    if (!plain || n->src->type != n->dst->elem || !all_counted(n->dst->rank, n->sub, of)) return false;
    bool given = !reads_block(n->src) && !is_zero(n->src);
    if (given && n->op == OP_SET) return true; // of any type
    return (given || is_linear(n->src, of)) && is_added(r, n->dst->elem);
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

static int constant(const Expr *x) {
    while (x && x->kind == E_CAST) x = x->args[0];
    return x && x->kind == E_INT && x->i > 0 && x->i <= MOST_WORDS ? (int)x->i : 0;
}

static int source_of(Run *r, const Array *v) {
    for (int i = 0; i < r->sources.n; i++)
        if (r->sources.at[i].v == v) return i;
    Source s = {.v = v, .rank = v->rank};
    if (v->rank > MOST_DIMS) return r->failed = true, -1;
    for (int d = 0; d < v->rank; d++) s.dim[d] = constant(v->extent[d]);
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
            s.dim[d] = expr_is_int(l->lo, 0) && l->step == 1 ? constant(l->hi) : 0;
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

static void run(Run *r, const Node *n);

static void run_loop(Run *r, const Node *n) {
    int64_t lo, hi;
    if (!worth(r, n->lo, &lo) || !worth(r, n->hi, &hi)) return;
    vec_push(r->a, &r->at, ((InterpVal){.sym = n->iter}));
    vec_push(r->a, &r->loops, n);
    for (int64_t i = lo; i < hi && !r->failed; i += n->step) {
        r->at.at[r->at.n - 1].i = i;
        run(r, n->body);
    }
    r->at.n--, r->loops.n--;
}

static void run_copy(Run *r, const Node *n) {
    if (n->dst == r->p->barrier) return;
    bool is_given = !reads_block(n->src) && !is_zero(n->src);
    int g = is_given ? given(r, n) : -1;
    Row x = is_given && g >= 0 ? r->rows.at[g] : is_given ? (Row){0} : sum(r, n->src);
    int w = r->failed ? -1 : word_of(r, n->dst, n->sub);
    if (w < 0) return;
    r->adds += n->op == OP_ADD;
    r->rows.at[w] = n->op == OP_ADD ? both(r, r->rows.at[w], x) : x;
    Source *s = &r->sources.at[source_of(r, n->dst)];
    s->set = true, s->loc = n->loc;
}

static void run(Run *r, const Node *n) {
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
    for (int i = 0; i < n->nkids; i++) run(r, n->kids[i]);
    if (n->kind == N_FOR) run_loop(r, n);
    else if (n->kind == N_IF && worth(r, n->cond, &v) && (v || n->other)) run(r, v ? n->then : n->other);
    else if (n->kind == N_COPY) run_copy(r, n);
}

// ---- stretches ---------------------------------------------------------------------------------------
//   word w adds up  lo(w) … hi(w),  each w / group * group + c
typedef struct End {
    int group, c; // group 0: c alone
} End;

typedef struct Stretch {
    End lo, hi;
    int from, to; // of the words for which it holds
} Stretch;

static int end_at(End e, int w) { return (e.group ? w / e.group * e.group : 0) + e.c; }

static bool is_changed(const Run *r, const Source *s, int w) {
    const Row *x = &r->rows.at[s->base + w];
    return x->lost || x->n != 1 || x->at[0].lo != s->base + w || x->at[0].hi != s->base + w;
}

static const Source *owner(const Run *r, int symbol) {
    int i = 0;
    while (symbol >= r->sources.at[i].base + r->sources.at[i].words) i++;
    return &r->sources.at[i];
}

static bool holds(const Run *r, const Source *s, const Source *of, const Stretch *x, int w) {
    const Row *row = &r->rows.at[s->base + w];
    int lo = end_at(x->lo, w), hi = end_at(x->hi, w);
    if (!s->needed[w]) return true;
    if (row->lost || row->n > 1) return false;
    if (!row->n) return hi < lo;
    return row->at[0].lo == of->base + lo && row->at[0].hi == of->base + hi;
}

// The longest run of words for which it holds.
static void fit(const Run *r, const Source *s, const Source *of, Stretch x, Stretch *best) {
    for (int w = 0, from = 0; w <= s->words; w++) {
        if (w < s->words && holds(r, s, of, &x, w)) continue;
        if (w - from > best->to - best->from + 1) *best = x, best->from = from, best->to = w - 1;
        from = w + 1;
    }
}

// What most words of s add up, and of what; NULL: that is no stretch.
static const Source *stretch_of(const Run *r, const Source *s, Stretch *best) {
    int sample[3], n = 0;
    *best = (Stretch){.from = 0, .to = -1};
    const Source *of = NULL;
    for (int third = 0; third < 3; third++)
        for (int w = third * s->words / 3; w < s->words && n == third; w++) {
            const Row *x = &r->rows.at[s->base + w];
            const Source *o = s->needed[w] && !x->lost && x->n == 1 ? owner(r, x->at[0].lo) : NULL;
            if (o && (!of || o == of)) of = o, sample[n++] = w;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int g = 0; g <= 2 * s->words; g = g ? 2 * g : 1)
                for (int h = 0; h <= 2 * s->words; h = h ? 2 * h : 1) {
                    if (best->to - best->from == s->words - 1) break;
                    Stretch x = {{g, 0}, {h, 0}, 0, -1};
                    x.lo.c = r->rows.at[s->base + sample[i]].at[0].lo - of->base - end_at(x.lo, sample[i]);
                    x.hi.c = r->rows.at[s->base + sample[j]].at[0].hi - of->base - end_at(x.hi, sample[j]);
                    fit(r, s, of, x, best);
                }
    return best->to < best->from ? NULL : of;
}

// ---- the tree ------------------------------------------------------------------------------------------
typedef struct Put {
    Phases *g;
    Run *r;
    NodeVec out, behind; // what comes behind the sums: what leaves the block…
    ArrayVec locals, written; // …to these
} Put;

static Expr *whole(Put *p, int64_t v) { return expr_int(p->g->a, T_I32, v); }

typedef struct Words { // loops over the words of an array
    int n, dim[MOST_DIMS + 1], weight[MOST_DIMS + 1];
    Sym *iter[MOST_DIMS + 1];
    Expr *flat, *sub[MOST_DIMS + 1];
} Words;

// group: numbers of words that are asked for, so that an array of one dimension has a counter for each.
static Words loops_over(Put *p, const Source *s, int group) {
    Arena *a = p->g->a;
    Words x = {.n = s->rank, .flat = whole(p, 0)};
    for (int d = 0; d < s->rank; d++) x.dim[d] = s->dim[d];
    bool split = s->rank == 1 && group > 1 && group < s->words && s->words % group == 0;
    if (split) x.n = 2, x.dim[0] = s->words / group, x.dim[1] = group;
    for (int d = x.n - 1, weight = 1; d >= 0; weight *= x.dim[d--]) x.weight[d] = weight;
    for (int d = 0; d < x.n; d++) {
        x.iter[d] = NEW(a, Sym);
        const char *name = arena_printf(a, "word_%d", ++p->g->fresh);
        *x.iter[d] = (Sym){.name = name, .kind = SYM_ITER, .type = T_I32};
        x.sub[d] = expr_sym(a, x.iter[d]);
        x.flat = expr_add(a, x.flat, expr_mul(a, x.sub[d], whole(p, x.weight[d])));
    }
    if (split) x.sub[0] = x.flat;
    return x;
}

static Node *around(Put *p, const Words *x, Node *body) {
    for (int d = x->n - 1; d >= 0; d--)
        body = node_for(p->g->a, x->iter[d], whole(p, 0), whole(p, x->dim[d]), 1, HOW_THREAD, body);
    return body;
}

static Expr *end_of(Put *p, const Words *x, End e) {
    Arena *a = p->g->a;
    Expr *at = whole(p, e.c);
    int rest = 1; // words of the counters that are no part of it
    for (int d = x->n - 1; d >= 0 && rest < e.group; d--) rest *= x->dim[d];
    if (!e.group) return at;
    if (rest != e.group && e.group > 1) {
        Expr *by = whole(p, e.group);
        return expr_add(a, expr_mul(a, expr_op(a, OP_FDIV, x->flat, by, NULL), by), at);
    }
    for (int d = 0; d < x->n; d++)
        if (x->weight[d] >= e.group)
            at = expr_add(a, expr_mul(a, expr_sym(a, x->iter[d]), whole(p, x->weight[d])), at);
    return at;
}

static Node *copy_to(Put *p, Loc loc, const Array *v, Expr *const *sub, Op op, Expr *src) {
    Expr **at = NEW_N(p->g->a, Expr *, v->rank + 1);
    for (int d = 0; d < v->rank; d++) at[d] = sub[d];
    Node *n = node_copy(p->g->a, v, at, op, src);
    n->loc = loc;
    return n;
}

static Expr *load_of(Put *p, const Array *v, Expr *const *sub) {
    Expr **at = NEW_N(p->g->a, Expr *, v->rank + 1);
    for (int d = 0; d < v->rank; d++) at[d] = sub[d];
    return expr_load(p->g->a, v, at);
}

typedef struct Only {
    Put *p;
    Source *of;
    SymVec iters;
} Only;

// The phase with nothing but the copy that is given something, to a row of its own.
static Node *only(Node *n, void *arg) {
    Only *o = arg;
    Arena *a = o->p->g->a;
    if (n->kind == N_COPY) {
        if (n != o->of->copy) return node_seq(a, 0, NULL);
        Expr *at = whole(o->p, 0);
        for (int d = 0; d < o->iters.n; d++)
            at = expr_add(a, expr_mul(a, at, whole(o->p, o->of->dim[d])), expr_sym(a, o->iters.at[d]));
        return copy_to(o->p, n->loc, o->of->was, &at, OP_SET, n->src);
    }
    if (n->kind == N_FOR) vec_push(a, &o->iters, n->iter);
    Node *m = node_map(a, n, only, arg);
    if (n->kind == N_FOR) o->iters.n--;
    return m;
}

// What was there before, in one row.
static const Array *before(Put *p, Source *s) {
    if (s->was) return s->was;
    Arena *a = p->g->a;
    Type t = s->v ? s->v->elem : s->copy->dst->elem;
    Array *v = array_new(a, arena_printf(a, "was_%d", ++p->g->fresh), t, PLACE_SHARED, 1);
    v->extent[0] = whole(p, s->words);
    s->was = v;
    vec_push(a, &p->locals, v);
    if (!s->v) {
        vec_push(a, &p->out, only((Node *)s->kid, &(Only){.p = p, .of = s}));
        return v;
    }
    Words x = loops_over(p, s, 0);
    vec_push(a, &p->out, around(p, &x, copy_to(p, s->loc, v, &x.flat, OP_SET, load_of(p, s->v, x.sub))));
    return v;
}

static Node *within(Put *p, const Words *x, const Source *s, int from, int to, Node *body) {
    Arena *a = p->g->a;
    Expr *lo = expr_op(a, OP_GE, x->flat, whole(p, from), NULL);
    Expr *hi = expr_op(a, OP_LE, x->flat, whole(p, to), NULL);
    if (to < s->words - 1) body = node_if(a, hi, body, NULL);
    return from ? node_if(a, lo, body, NULL) : body;
}

// Words that are set to something else are nobody's.
static void put_lost(Put *p, const Source *s, const Stretch *x) {
    Arena *a = p->g->a;
    for (int w = 0, gaps = 0; w < s->words; w++) {
        int from = w;
        while (w < s->words && (w < x->from || w > x->to) && s->needed[w] && is_changed(p->r, s, w)) w++;
        if (w == from) continue;
        Words loops = loops_over(p, s, 0);
        Array *none = array_new(a, arena_printf(a, "none_%d", ++p->g->fresh), s->v->elem, PLACE_LOCAL, 0);
        Node *set = copy_to(p, s->loc, s->v, loops.sub, OP_SET, expr_load(a, none, NULL));
        bool many = ++gaps > MOST_GAPS;
        set = within(p, &loops, s, many ? 0 : from, many ? s->words - 1 : w - 1, seq_declare(a, set, none));
        vec_push(a, &p->out, around(p, &loops, set));
        if (many) return;
    }
}

static void put_sums(Put *p, const Source *s, const Stretch *x, const Array *was) {
    Arena *a = p->g->a;
    Words loops = loops_over(p, s, x->lo.group > 1 ? x->lo.group : x->hi.group);
    Expr *lo = end_of(p, &loops, x->lo), *hi = expr_add(a, end_of(p, &loops, x->hi), whole(p, 1));
    Node *sums = NULL;
    if (x->lo.group == x->hi.group && x->lo.c == x->hi.c) {
        sums = copy_to(p, s->loc, s->v, loops.sub, OP_SET, load_of(p, was, &lo));
    } else {
        Type t = s->v->elem;
        Sym *k = NEW(a, Sym);
        *k = (Sym){.name = arena_printf(a, "term_%d", ++p->g->fresh), .kind = SYM_ITER, .type = T_I32};
        Expr *at = expr_sym(a, k), *zero = type_is_float(t) ? expr_float(a, t, 0) : expr_int(a, t, 0);
        Node *both[] = {copy_to(p, s->loc, s->v, loops.sub, OP_SET, zero),
                        node_for(a, k, lo, hi, 1, HOW_SERIAL,
                                 copy_to(p, s->loc, s->v, loops.sub, OP_ADD, load_of(p, was, &at)))};
        sums = node_seq(a, 2, both);
    }
    vec_push(a, &p->out, around(p, &loops, within(p, &loops, s, x->from, x->to, sums)));
    p->g->p->added_reals |= type_is_float(s->v->elem);
}

static bool declares(const Node *root, const Array *v) {
    node_each(n, root)
        for (int i = 0; i < n->nlocals; i++)
            if (n->locals[i] == v) return true;
    return false;
}

static bool reads(const Node *root, const Array *v) {
    node_each(n, root) copy_each_expr(x, n)
        if (x->kind == E_LOAD && x->array == v) return true;
    return false;
}

static bool is_among(const Node *n, int count, Node *const *kids) {
    for (int i = 0; i < count; i++)
        if (kids[i] == n) return true;
    return false;
}

// Which words of s are read elsewhere, or in the phases when they come again? False: none.
static bool find_needed(const Put *p, int count, Node *const *kids, Source *s) { // kids: as they stand there
    bool some = false, all = false;
    s->needed = NEW_N(p->g->a, bool, s->words + 1);
    for (int i = 0; i < count; i++)
        if (declares(kids[i], s->v)) return false;
    for (int i = 0; i < p->behind.n; i++) all |= reads(p->behind.at[i], s->v);
    node_each(n, p->g->root) {
        if (is_among(n, count, kids)) {
            each_prune();
            continue;
        }
        copy_each_expr(x, n) {
            if (x->kind != E_LOAD || x->array != s->v) continue;
            int w = 0;
            for (int d = 0; d < x->nargs && w >= 0; d++)
                w = x->args[d]->kind == E_INT ? w * s->dim[d] + (int)x->args[d]->i : -1;
            bool one = w >= 0 && w < s->words;
            if (one) s->needed[w] = some = true;
            else all = true;
        }
    }
    all |= p->g->serial && (some || s->was);
    for (int w = 0; all && w < s->words; w++) s->needed[w] = true;
    return some || all;
}

// Sums in the place of the phases; there: with what leaves the block. False: they are too few, or what they
// do is not told.
static bool put_phases(Put *p, int n, Node *const *kids, Node *const *there) {
    Run *r = p->r;
    for (int i = 0; i < n && !r->failed; i++) r->kid = kids[i], run(r, kids[i]);
    if (r->failed || r->adds < LEAST_ADDS || n < 2 * LEAST_ADDS) return false;
    int all = r->sources.n, found = 0;
    Stretch *x = NEW_N(p->g->a, Stretch, all + 1);
    const Source **of = NEW_N(p->g->a, const Source *, all + 1);
    bool *lives = NEW_N(p->g->a, bool, all + 1);
    for (int again = 0; again < 2; again++) // what others are made of lives, too
        for (int i = 0; i < all; i++) {
            Source *s = &r->sources.at[i];
            if (!s->v || !s->set || lives[i] || !find_needed(p, n, there, s)) continue;
            lives[i] = true;
            of[i] = stretch_of(r, s, &x[i]);
            found += of[i] != NULL;
            if (of[i]) before(p, (Source *)of[i]);
        }
    for (int i = 0; i < all; i++) {
        const Source *s = &r->sources.at[i];
        if (!lives[i]) continue;
        put_lost(p, s, &x[i]);
        if (of[i]) put_sums(p, s, &x[i], of[i]->was);
    }
    return found > 0;
}

// ---- what leaves the block meanwhile -----------------------------------------------------------------
//   if (t == 0) { sums[b] = s[127];  s[127] = 0; }   →   if (t == 0) { left[t] = s[127];  s[127] = 0; }
//                                                        and behind all phases  if (t == 0) sums[b] = left[t]
typedef struct Leaving {
    Run *r;
    VEC(const Node *) loops; // around
    SymVec iters;
    ArrayVec *locals;
    NodeVec stays; // the copies that take the words' place
    VEC(const Array *) left; // where what leaves is kept…
    VEC(const Node *) copies; // …of these
    int *fresh;
    bool later; // it is what comes behind that is made
} Leaving;

static bool leaves(const Leaving *l, const Node *n) {
    bool out = n->kind == N_COPY && n->dst && n->dst != l->r->p->barrier && !is_block_memory(n->dst);
    if (!out || n->atomic || n->async || n->op != OP_SET || n->src->type != n->dst->elem) return false;
    for (int d = 0; d < n->dst->rank; d++)
        if (reads_block(n->sub[d])) return false;
    return reads_block(n->src) && is_linear(n->src, &l->iters) && is_added(l->r, n->dst->elem);
}

// Is all that n does such copies?
static bool only_leaves(const Leaving *l, const Node *n) {
    if (n->kind == N_IF) return !n->other && !reads_block(n->cond) && only_leaves(l, n->then);
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++)
        if (!only_leaves(l, n->kids[i])) return false;
    return n->kind == N_SEQ ? n->nkids > 0 && !n->nlocals : leaves(l, n);
}

static Node *kept(Leaving *l, const Node *n) {
    Arena *a = l->r->a;
    int k = 0;
    while (k < l->copies.n && l->copies.at[k] != n) k++;
    Expr **at = NEW_N(a, Expr *, l->loops.n + 1);
    for (int d = 0; d < l->loops.n; d++) at[d] = expr_sym(a, l->loops.at[d]->iter);
    if (k < l->copies.n) { // later
        Node *m = node_clone(a, n);
        m->src = expr_load(a, l->left.at[k], at);
        return m;
    }
    Array *v = array_new(a, arena_printf(a, "left_%d", ++*l->fresh), n->dst->elem, PLACE_SHARED, l->loops.n);
    for (int d = 0; d < l->loops.n; d++) v->extent[d] = l->loops.at[d]->hi;
    vec_push(a, l->locals, v);
    vec_push(a, &l->left, v);
    vec_push(a, &l->copies, n);
    Node *m = node_copy(a, v, at, OP_SET, n->src);
    m->loc = n->loc;
    return m;
}

static void keep_all(Leaving *l, const Node *n) {
    if (n->kind == N_COPY) vec_push(l->r->a, &l->stays, kept(l, n));
    if (n->kind == N_IF) keep_all(l, n->then);
    for (int i = 0; i < n->nkids; i++) keep_all(l, n->kids[i]);
}

static Node *left_out(Node *n, void *arg) {
    Leaving *l = arg;
    Arena *a = l->r->a;
    bool loop = n->kind == N_FOR, plain = loop && expr_is_int(n->lo, 0) && n->step == 1 && constant(n->hi);
    bool asks = n->kind == N_IF && is_counted(n->cond, &l->iters); // …threads alone: it is asked there, too
    if (!loop && !asks && !l->later && only_leaves(l, n)) {
        l->stays.n = 0;
        keep_all(l, n);
        Node **kids = NEW_N(a, Node *, l->stays.n + 1);
        for (int i = 0; i < l->stays.n; i++) kids[i] = l->stays.at[i];
        return node_seq(a, l->stays.n, kids);
    }
    if (n->kind == N_COPY && l->later) return leaves(l, n) ? kept(l, n) : node_seq(a, 0, NULL);
    if (loop && !plain) return l->later ? node_seq(a, 0, NULL) : n;
    if (loop) vec_push(a, &l->loops, n), vec_push(a, &l->iters, n->iter);
    Node *m = node_map(a, n, left_out, arg);
    if (loop) l->loops.n--, l->iters.n--;
    return m;
}

// Phase n without what leaves the block, and *behind what that is then; n itself, and NULL: nothing does.
static Node *without_leaving(Phases *g, Run *r, Node *n, ArrayVec *locals, Node **behind) {
    Leaving l = {.r = r, .locals = locals, .fresh = &g->fresh};
    Node *m = left_out(n, &l);
    l.later = true, l.loops.n = l.iters.n = 0;
    *behind = l.copies.n ? left_out(n, &l) : NULL;
    return l.copies.n ? m : n;
}

// Does it do nothing but set words to what is given?
static bool fills(const Node *root) {
    node_each(n, root)
        if (n->kind == N_COPY && (n->op != OP_SET || reads_block(n->src))) return false;
    return true;
}

static Node *phased(Node *n, void *arg) {
    Phases *g = arg;
    if (n->kind == N_FOR && !is_parallel(n)) {
        g->serial++;
        Node *m = node_map(g->a, n, phased, arg);
        g->serial--;
        return m;
    }
    if (n->kind != N_SEQ || equal_count_flat(n) < 2 * LEAST_ADDS) return node_map(g->a, n, phased, arg);
    Node *flat = equal_flat_seq(g->a, n);
    NodeVec out = {0};
    ArrayVec locals = {0};
    for (int i = 0; i < flat->nkids;) {
        Run r = {.p = g->p, .a = g->a};
        SymVec of = {0};
        int to = i;
        Node **kids = NEW_N(g->a, Node *, flat->nkids + 1), *behind;
        Put p = {.g = g, .r = &r};
        for (; to < flat->nkids; to++) {
            kids[to] = without_leaving(g, &r, flat->kids[to], &p.locals, &behind);
            bool stale = false; // it reads what a copy behind would have written
            int before = p.written.n;
            node_each(m, behind)
                if (m->kind == N_COPY) vec_push(g->a, &p.written, m->dst);
            for (int k = 0; k < p.written.n; k++) stale |= reads(flat->kids[to], p.written.at[k]);
            if (stale || !can_run(&r, kids[to], &of)) {
                p.written.n = before;
                break;
            }
            if (behind) vec_push(g->a, &p.behind, behind);
        }
        for (; i < to && fills(kids[i]); i++) vec_push(g->a, &out, flat->kids[i]);
        if (to > i && put_phases(&p, to - i, &kids[i], &flat->kids[i])) {
            for (int k = 0; k < p.out.n; k++) vec_push(g->a, &out, p.out.at[k]);
            for (int k = 0; k < p.behind.n; k++) vec_push(g->a, &out, p.behind.at[k]);
            for (int k = 0; k < p.locals.n; k++) vec_push(g->a, &locals, p.locals.at[k]);
            g->changed = true;
        } else {
            for (int k = i; k < to; k++) vec_push(g->a, &out, flat->kids[k]);
        }
        if (to < flat->nkids) vec_push(g->a, &out, phased(flat->kids[to], arg));
        i = to + 1;
    }
    Node *m = node_clone(g->a, flat);
    m->kids = out.at, m->nkids = out.n;
    return seq_declare_all(g->a, m, locals.n, locals.at);
}

Node *equal_phases(Pair *p, Node *root) {
    Phases g = {.p = p, .a = p->a, .root = root};
    Node *m = phased(root, &g);
    return g.changed ? m : NULL;
}
