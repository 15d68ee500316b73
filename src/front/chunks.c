// SPDX-License-Identifier: MIT
// chunks.c -- linear recurrences: what a stretch of iterations makes of any beginning is told by what it
// makes of zero and of one.
//
//   for (i < n) {                        for c { v = 0, h = 1;                    (31 iterations a chunk)
//       x = c[i] ? 0 : a * x + b[i];         for i in chunk c { v = c[i] ? 0 : a * v + b[i];
//       y[i] = x;                  →                            h = c[i] ? 0 : a * h; }
//   }                                        of0[c] = v;  of1[c] = h; }
//                                        for c { at[c] = x;  x = of0[c] + of1[c] * x; }
//                                        for c { x = at[c];  for i in chunk c { the body as it is } }
//
// Segmented sums, lengths of runs, smoothing, filters, hashes: scalars whose new values are sums of products
// of their old ones and data. Of several, each has a run that begins with one in it alone. The loop over
// chunks is cut in chunks itself, so that what is left in order is short. Whole numbers are computed modulo
// 2^n, so exactly; sums of floating point come in another order, which needs a permission. What begins anew
// forgets an infinity: whether a chunk hands a scalar on at all is a run of its own where conditions choose.
#include "front/chunks.h"

// Odd: threads side by side begin in different banks.
static const int lengths[LEVELS] = {31, 63, 63};

static bool is_permitted(const Chunks *k) {
    for (int i = 0; i < k->nstates; i++)
        if (type_is_float(k->carriers.at[i]->elem) && !k->r->reassociate && !k->m->c->reassociate)
            return false;
    return !k->m->c->traps;
}

static Node *put(const Chunks *k, const Array *to, Expr *i, Expr *x) {
    Node *n = chunks_set(k, to, x);
    Expr **sub = NEW_N(k->a, Expr *, 1);
    sub[0] = i;
    ((Stmt *)n->stmt)->sub = sub;
    return n;
}

static Expr *get(const Chunks *k, const Array *x, Expr *i) { return expr_load(k->a, x, &i); }

// ---- chunks ----------------------------------------------------------------------------------------------
static Expr *at_counter(Rebuild *b, Expr *x) {
    const Chunks *k = b->self;
    return x->kind == E_SYM && x->sym == k->loop->iter ? k->at : x;
}

// The body of iteration number i.
static Node *body_at(Chunks *k, Expr *i) {
    const Node *l = k->loop;
    Expr *way = expr_mul(k->a, i, expr_int(k->a, i->type, l->step));
    k->at = expr_cast(k->a, l->iter->type, expr_add(k->a, expr_cast(k->a, i->type, l->lo), way));
    Rebuild b = {.a = k->a, .expr = at_counter, .self = k};
    return rebuild_node(&b, l->body);
}

static const Sym *new_counter(const Chunks *k, const char *name) {
    return NEW_AS(k->a, Sym, ((Sym){name_new(k->m, name), SYM_ITER, k->counter, NULL}));
}

static Node *counted(const Chunks *k, const Sym *i, Expr *n, Node *body) {
    Node *loop = node_for(k->a, i, expr_int(k->a, k->counter, 0), n, 1, HOW_SERIAL, body);
    loop->loc = k->loop->loc;
    return loop;
}

// A loop over the chunks of a level, and over what stands in one.
typedef struct Cut {
    int level;
    const Sym *c, *j;
    Expr *chunk, *i; // numbers of the chunk, and of what is in it
} Cut;

static Cut cut_of(const Chunks *k, int level) {
    Cut x = {.level = level, .c = new_counter(k, "c"), .j = new_counter(k, "j")};
    x.chunk = expr_sym(k->a, x.c);
    Expr *begin = expr_mul(k->a, x.chunk, expr_int(k->a, k->counter, lengths[level]));
    x.i = expr_add(k->a, begin, expr_sym(k->a, x.j));
    return x;
}

static Node *cut_loop(const Chunks *k, const Cut *x, Node *first, Node *each, Node *last,
                      const ArrayVec *locals) {
    Node *in = node_if(k->a, expr_op(k->a, OP_LT, x->i, k->trips[x->level], NULL), each, NULL);
    in = counted(k, x->j, expr_int(k->a, k->counter, lengths[x->level]), in);
    Node *all = seq_join(k->a, seq_join(k->a, first, in), last);
    all = seq_declare_all(k->a, all, locals->n, locals->at);
    return counted(k, x->c, k->trips[x->level + 1], all);
}

// ---- maps ----------------------------------------------------------------------------------------------

static const Array *map_array(Chunks *k, int level, const char *of, Type t) {
    Array *x = array_new(k->a, name_new(k->m, of), t, PLACE_LOCAL, 1);
    Expr *n = k->trips[level + 1];
    x->extent[0] = expr_op(k->a, OP_MAX, n, expr_int(k->a, n->type, 1), NULL);
    vec_push(k->a, &k->made, x);
    return x;
}

static const Array **map_of(Chunks *k, int level, int state) {
    Maps *m = &k->maps[level];
    return k->run == RUN_ZERO   ? &m->zero[state]
           : k->run == RUN_UNIT ? &m->unit[k->unit][state]
                                : &m->hands[k->unit][state];
}

static void make_maps(Chunks *k, int level) {
    for (int s = 0; s < k->nstates; s++) {
        const Array *v = k->carriers.at[s];
        chunks_first_run(k);
        do {
            if (chunks_copy(k, s))
                *map_of(k, level, s) = map_array(k, level, v->name, chunks_copy(k, s)->elem);
        } while (chunks_next_run(k));
        k->maps[level].at[s] = map_array(k, level, v->name, chunks_type(v->elem));
    }
}

// What chunk i of the level makes of the values.
static Expr *mapped(Chunks *k, int level, Expr *i, int state, Expr *const *value, bool zero) {
    const Maps *m = &k->maps[level];
    Expr *sum = zero ? get(k, m->zero[state], i) : NULL;
    Type t = chunks_type(k->carriers.at[state]->elem);
    for (int s = 0; s < k->nstates; s++) {
        if (!m->unit[s][state] || !value[s]) continue;
        Expr *none = chunks_number(k, t, 0), *from = expr_cast(k->a, t, value[s]);
        Expr *x = expr_op(k->a, OP_MUL, get(k, m->unit[s][state], i), from, NULL);
        Expr *some = type_is_float(t) ? expr_op(k->a, OP_NE, from, none, NULL) : NULL;
        if (m->hands[s][state]) {
            Expr *hands = expr_op(k->a, OP_NE, get(k, m->hands[s][state], i), expr_int(k->a, T_I32, 0), NULL);
            some = expr_op(k->a, OP_LAND, hands, some, NULL);
        }
        if (some) x = expr_op(k->a, OP_SELECT, some, x, none); // 0 times infinity
        sum = sum ? expr_op(k->a, OP_ADD, sum, x, NULL) : x;
    }
    return sum ? sum : chunks_number(k, t, 0);
}

static Expr *handed(Chunks *k, int level, Expr *i, int state, Expr *const *value) {
    const Maps *m = &k->maps[level];
    Expr *any = NULL;
    for (int s = 0; s < k->nstates; s++) {
        if (!m->hands[s][state] || !value[s]) continue;
        Expr *x = expr_op(k->a, OP_AND, get(k, m->hands[s][state], i), value[s], NULL);
        any = any ? expr_op(k->a, OP_OR, any, x, NULL) : x;
    }
    return any ? any : expr_int(k->a, T_I32, 0);
}

// All of them at once: each waits until all are computed.
static Node *assign(Chunks *k, int n, const Array *const *to, Expr *const *x) {
    Node *all = NULL, *then = NULL;
    ArrayVec wait = {0};
    int some = 0;
    for (int s = 0; s < n; s++) some += to[s] != NULL;
    for (int s = 0; s < n; s++) {
        if (!to[s]) continue;
        if (some == 1) return chunks_set(k, to[s], x[s]);
        const Array *t = local_copy(k->m, to[s]);
        all = seq_join(k->a, all, chunks_set(k, t, x[s]));
        then = seq_join(k->a, then, chunks_set(k, to[s], expr_load(k->a, t, NULL)));
        vec_push(k->a, &wait, t);
    }
    return some ? seq_declare_all(k->a, seq_join(k->a, all, then), wait.n, wait.at) : NULL;
}

// Of the chunks below: the run's values behind chunk i.
static Node *run_of_maps(Chunks *k, int level, Expr *i) {
    Node *all = NULL;
    chunks_first_run(k);
    do {
        const Array *to[MOST_STATES];
        Expr *value[MOST_STATES], *x[MOST_STATES];
        for (int s = 0; s < k->nstates; s++) {
            to[s] = chunks_copy(k, s);
            value[s] = to[s] ? expr_load(k->a, to[s], NULL) : NULL;
        }
        for (int s = 0; s < k->nstates; s++)
            x[s] = k->run == RUN_HANDS ? handed(k, level, i, s, value)
                                       : mapped(k, level, i, s, value, k->run == RUN_ZERO);
        all = seq_join(k->a, all, assign(k, k->nstates, to, x));
    } while (chunks_next_run(k));
    return all;
}

// The maps of a level's chunks.
static Node *make_up(Chunks *k, int level) {
    Cut x = cut_of(k, level);
    Node *first = NULL, *last = NULL;
    ArrayVec locals = {0};
    chunks_make_copies(k);
    make_maps(k, level);
    Node *each = level ? run_of_maps(k, level - 1, x.i) : chunks_runs_of(k, body_at(k, x.i));
    chunks_first_run(k);
    do {
        for (int s = 0; s < k->nstates; s++) {
            const Array *v = chunks_copy(k, s);
            if (!v) continue;
            vec_push(k->a, &locals, v);
            first = seq_join(k->a, first,
                             chunks_set(k, v, chunks_number(k, v->elem, k->run != RUN_ZERO && s == k->unit)));
            last = seq_join(k->a, last, put(k, *map_of(k, level, s), x.chunk, expr_load(k->a, v, NULL)));
        }
    } while (chunks_next_run(k));
    return tree_anew(k->m, cut_loop(k, &x, first, each, last, &locals), true);
}

// What each chunk of the highest level begins with; the scalars are then what they are in the end.
static Node *make_top(Chunks *k) {
    int top = LEVELS - 1;
    const Sym *c = new_counter(k, "c");
    Expr *chunk = expr_sym(k->a, c), *value[MOST_STATES], *x[MOST_STATES];
    Node *each = NULL;
    for (int s = 0; s < k->nstates; s++) {
        const Array *v = k->carriers.at[s];
        value[s] = expr_cast(k->a, chunks_type(v->elem), expr_load(k->a, v, NULL));
        if (k->writes) each = seq_join(k->a, each, put(k, k->maps[top].at[s], chunk, value[s]));
    }
    for (int s = 0; s < k->nstates; s++) x[s] = mapped(k, top, chunk, s, value, true);
    each = seq_join(k->a, each, assign(k, k->nstates, k->carriers.at, x));
    return counted(k, c, k->trips[LEVELS], each);
}

// What each chunk below begins with.
static Node *make_down(Chunks *k, int level) {
    Cut x = cut_of(k, level);
    Node *first = NULL, *each = NULL;
    ArrayVec locals = {0};
    Expr *value[MOST_STATES], *then[MOST_STATES];
    for (int s = 0; s < k->nstates; s++) {
        Array *v = (Array *)local_copy(k->m, k->carriers.at[s]);
        v->elem = chunks_type(v->elem);
        vec_push(k->a, &locals, v);
        value[s] = expr_load(k->a, v, NULL);
        first = seq_join(k->a, first, chunks_set(k, v, get(k, k->maps[level].at[s], x.chunk)));
        each = seq_join(k->a, each, put(k, k->maps[level - 1].at[s], x.i, value[s]));
    }
    for (int s = 0; s < k->nstates; s++) then[s] = mapped(k, level - 1, x.i, s, value, true);
    each = seq_join(k->a, each, assign(k, k->nstates, locals.at, then));
    return cut_loop(k, &x, first, each, NULL, &locals);
}

typedef struct Own {
    const Chunks *k;
    const Array *of[MOST_STATES];
} Own;

static const Array *own(Rebuild *b, const Array *v) {
    const Own *o = b->self;
    int c = chunks_carrier(o->k, v);
    return c >= 0 && c < o->k->nstates ? o->of[c] : v;
}

// The loop's own work, chunk by chunk.
static Node *make_last(Chunks *k) {
    Cut x = cut_of(k, 0);
    Own o = {.k = k};
    Node *first = NULL;
    ArrayVec locals = {0};
    for (int s = 0; s < k->nstates; s++) {
        o.of[s] = local_copy(k->m, k->carriers.at[s]);
        vec_push(k->a, &locals, o.of[s]);
        first = seq_join(k->a, first, chunks_set(k, o.of[s], get(k, k->maps[0].at[s], x.chunk)));
    }
    Rebuild b = {.a = k->a, .array = own, .self = &o};
    Node *each = rebuild_node(&b, body_at(k, x.i));
    return tree_anew(k->m, cut_loop(k, &x, first, each, NULL, &locals), true);
}

// ---- the pass ------------------------------------------------------------------------------------

static bool find_trips(Chunks *k) {
    const Node *l = k->loop;
    int64_t trips = loop_literal_trips(l->lo, l->hi, l->step), all = 1;
    k->counter = l->iter->type;
    if (k->counter != T_I32 && k->counter != T_I64) return false;
    if (expr_has_load(l->lo) || expr_has_load(l->hi)) return false;
    k->trips[0] = loop_count(k->a, l, k->counter, true);
    for (int i = 0; i < LEVELS; i++) {
        Expr *by = expr_int(k->a, k->counter, lengths[i]), *more = expr_int(k->a, k->counter, lengths[i] - 1);
        k->trips[i + 1] = expr_op(k->a, OP_FDIV, expr_add(k->a, k->trips[i], more), by, NULL);
        all *= lengths[i];
    }
    return trips < 0 || trips > lengths[0] * lengths[1];
}

// NULL: the loop stays as it is. *linear: it could be cut, perhaps with a permission.
static Node *in_chunks(Normal *m, const Region *r, Node *loop, bool *linear) {
    Chunks k = {.m = m, .a = m->a, .r = r, .loop = loop};
    if (!find_trips(&k) || !chunks_find(&k) || !chunks_stand_alone(&k)) return NULL;
    if (!chunks_beyond_sums(&k)) return NULL;
    Early e = {.k = &k};
    Node *plain = node_clone(k.a, loop), *all = NULL;
    plain->body = chunks_read_early(&e, loop->body);
    k.loop = plain;
    for (int i = 0; i < e.local.n; i++) chunks_need(&k, e.local.at[i]);
    chunks_see_choices(&k, plain->body, false);
    k.chooses |= k.nstates > 1;
    for (int i = 0; i < LEVELS && !k.no; i++) all = seq_join(k.a, all, make_up(&k, i));
    *linear = !k.no;
    if (k.no || !is_permitted(&k)) return NULL;
    all = seq_join(k.a, all, make_top(&k));
    for (int i = LEVELS - 1; i > 0 && k.writes; i--) all = seq_join(k.a, all, make_down(&k, i));
    if (k.writes) all = seq_join(k.a, all, make_last(&k));
    for (int i = 0; i < e.load.n; i++) {
        Array *v = (Array *)e.load.at[i]->array;
        v->guessed |= !v->constant_size;
    }
    return seq_declare_all(k.a, all, k.made.n, k.made.at);
}

typedef struct Pass {
    Normal *m;
    const Region *r;
    bool linear;
} Pass;

static Node *with_choices(Rebuild *b, Node *n) { return n->kind == N_IF ? arms_as_one(b->a, n) : n; }

static Node *cut(Pass *p, Node *loop) {
    if (loop_is_unbounded(loop) || loop_while(loop) || mark_vouches(loop->mark)) return loop;
    Arena *a = p->m->a;
    ArrayVec scalars = {0};
    Rebuild b = {.a = a, .node = with_choices};
    Node *first = NULL, *with = carry_back(p->m, rebuild_node(&b, loop), &first, &scalars);
    Node *all = in_chunks(p->m, p->r, with, &p->linear);
    return all ? seq_declare_all(a, seq_join(a, first, all), scalars.n, scalars.at) : loop;
}

// Loops that stand in no other.
static Node *cut_all(Pass *p, Node *n) {
    if (n->kind == N_FOR) return cut(p, n);
    if (n->kind != N_SEQ) return n;
    Node *copy = node_clone(p->m->a, n);
    bool some = false;
    copy->kids = NEW_N(p->m->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) some |= (copy->kids[i] = cut_all(p, n->kids[i])) != n->kids[i];
    return some ? copy : n;
}

static int outermost_loops(const Node *n) {
    int all = n->kind == N_FOR;
    for (int i = 0; !all && node_kid(n, i); i++) all += outermost_loops(node_kid(n, i));
    return all;
}

Region *pass_chunks(Normal *m, Region *r) {
    Pass p = {.m = m, .r = r};
    Node *root = cut_all(&p, r->root);
    bool alone = outermost_loops(r->root) == 1, some = root != r->root;
    if (!some && !p.linear) return r;
    r = region_with(m, r, root);
    r->chunks = some && alone;
    r->linear = p.linear && !some;
    return r;
}
