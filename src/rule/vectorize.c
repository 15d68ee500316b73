// SPDX-License-Identifier: MIT
// vectorize.c -- copies move several neighbouring words at once.
//
//   coop x {                        coop x {
//     if (c(x))               →       if (c(4*x)) vector v {
//       copy s[x] = b[x + e] }          copy s[4*x + v] = b[4*x + v + e] } }
//
// Memory must be aligned to the vector's size. Shared memory is, when the rows of a buffer are
// whole vectors; of the program's arrays it is a condition of the nest: where the array begins,
// how far its rows lie apart. So is it that an edge cuts no vector. A CPU loads vectors from
// anywhere, and longer ones.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/storage.h"

enum { GPU_BYTES = 16, CPU_BYTES = 64 }; // of one vector

typedef struct Vectors {
    Change *ch;
    Arena *a;
    int64_t width;
    bool cpu;                  // memory need not be aligned
    const Array *buffer;       // whose copies; NULL: those in `only`
    const Sym *only;           // a loop; NULL: any
    Expr *when;                // gathered conditions over parameters and facts
    VEC(Fact) facts;
    int done;
    const char *why;           // why the first copy that could not be changed was not
} Vectors;

static bool fail(Vectors *v, const char *fmt, const char *x) {
    if (!v->why) v->why = arena_printf(v->a, fmt, x);
    return false;
}

// ---- conditions of the nest ---------------------------------------------------------------------
static void require(Vectors *v, Expr *cond) {
    Expr *t[TERMS_MAX];
    int n = v->when ? cond_terms(v->when, t, TERMS_MAX) : 0;
    for (int k = 0; k < n; k++)
        if (expr_equal(t[k], cond)) return;
    v->when = cond_and(v->a, v->when, cond);
}

// x is a multiple of `by`, whatever the counters: their factors are, and what is left of
// parameters is a condition of the nest.
static bool is_multiple(Vectors *v, const Linear *x, int64_t by) {
    Linear rest = {.c = x->c % by};
    for (int k = 0; k < x->n; k++) {
        if (x->coef[k] % by == 0) continue;
        if (expr_uses_iters(x->atom[k]) || expr_has_load(x->atom[k]))
            return fail(v, "%s moves by less than a vector", ir_print_expr(v->a, x->atom[k]));
        rest.atom[rest.n] = x->atom[k];
        rest.coef[rest.n++] = x->coef[k];
    }
    if (!rest.n) return rest.c == 0 || fail(v, "%s", "a vector would begin between two aligned places");
    Expr *sum = linear_expr(v->a, T_I64, &rest);
    Expr *mod = expr_op(v->a, OP_FMOD, sum, expr_int(v->a, T_I64, by), NULL);
    require(v, expr_op(v->a, OP_EQ, mod, expr_int(v->a, T_I64, 0), NULL));
    return true;
}

static const Sym *misalignment(Vectors *v, const Array *x) {
    const Nest *n = v->ch->nest;
    for (int k = 0; k < n->nfacts; k++)
        if (n->facts[k].array == x) return n->facts[k].sym;
    for (int k = 0; k < v->facts.n; k++)
        if (v->facts.at[k].array == x) return v->facts.at[k].sym;
    Sym *s = NEW(v->a, Sym);
    *s = (Sym){change_name(v->ch, arena_printf(v->a, "%s_at", x->name)), SYM_PARAM, T_I64, NULL};
    Fact f = {s, x};
    vec_push(v->a, &v->facts, f);
    return s;
}

// ---- one access ------------------------------------------------------------------------------------
// The last subscript, for the vector that begins where s is a multiple of the width: the
// clamped subscript min(x, e) becomes min(x, e - 3) + lane. NULL: not side by side.
static Expr *first_of(Vectors *v, Expr *x, const Sym *s, bool *clamped) {
    Arena *a = v->a;
    if (x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX)) {
        for (int k = 0; k < 2; k++) {
            Expr *in = x->args[k], *end = x->args[1 - k];
            if (expr_uses_sym(end, s)) continue;
            Expr *first = first_of(v, in, s, clamped);
            Linear e;
            if (!first || !linear_of(end, &e)) return NULL;
            if (x->op == OP_MIN) e.c -= v->width - 1;
            if (!is_multiple(v, &e, v->width)) return NULL;
            *clamped = true;
            return expr_op(a, x->op, first, linear_expr(a, x->type, &e), NULL);
        }
        return NULL;
    }
    Linear l;
    if (!linear_of(x, &l) || linear_coef(&l, s) != 1) return NULL;
    Linear rest = l;
    Linear own = {.n = 1, .atom = {expr_sym(a, s)}, .coef = {1}};
    if (!linear_add(&rest, &own, -1) || linear_uses(&rest, s)) return NULL;
    return v->cpu || is_multiple(v, &rest, v->width) ? x : NULL;
}

static bool check_array(Vectors *v, const Array *x) {
    Linear pitch;
    int size = type_size(x->elem);
    int most = v->cpu ? CPU_BYTES : GPU_BYTES;
    if (v->width * size > most)
        return fail(v, "%s bytes",
                    arena_printf(v->a, "%s: that many elements are more than %d", x->name, most));
    if (x->stride != size) return fail(v, "the elements of %s do not lie side by side", x->name);
    if (v->cpu) return true;
    if (x->rank > 1 && (!x->extent[x->rank - 1] || !linear_of(x->extent[x->rank - 1], &pitch) ||
                        !is_multiple(v, &pitch, v->width)))
        return fail(v, "the rows of %s are not whole vectors", x->name);
    if (x->place != PLACE_USER) return true;
    Expr *at = expr_sym(v->a, misalignment(v, x));
    Expr *mod =
        v->width * size == 16 ? at : expr_op(v->a, OP_FMOD, at, expr_int(v->a, T_I64, v->width * size), NULL);
    require(v, expr_op(v->a, OP_EQ, mod, expr_int(v->a, T_I64, 0), NULL));
    return true;
}

static bool is_memory(const Array *x) {
    return x->place == PLACE_USER || x->place == PLACE_TEMP || x->place == PLACE_SHARED;
}

// Rewrites the subscripts of an access in place (s is the first lane's place, `lane` is added).
static bool widen_access(Vectors *v, const Array *x, Expr **sub, const Sym *s, Expr *lane, Expr *at) {
    Arena *a = v->a;
    int last = x->rank - 1;
    bool memory = is_memory(x), uses = false, clamped = false;
    for (int d = 0; d < x->rank; d++) uses = uses || expr_uses_sym(sub[d], s);
    if (memory && uses) {
        for (int d = 0; d < last; d++)
            if (expr_uses_sym(sub[d], s))
                return fail(v, "neighbours of the copy lie in different rows of %s", x->name);
        Expr *first = first_of(v, sub[last], s, &clamped);
        if (!first) return fail(v, "neighbours of the copy do not lie side by side in %s", x->name);
        if (!check_array(v, x)) return false;
        sub[last] = expr_add(a, expr_subst(a, first, 1, &s, &at), lane);
        return true;
    }
    Expr *both = expr_add(a, at, lane);
    for (int d = 0; d < x->rank; d++) sub[d] = expr_subst(a, sub[d], 1, &s, &both);
    return true;
}

// ---- one copy -----------------------------------------------------------------------------------------
// Terms of a condition for whole vectors. NULL: an edge might cut one.
static Expr *widen_cond(Vectors *v, Expr *cond, const Sym *s, Expr *at) {
    Expr *t[TERMS_MAX], *out = NULL;
    int n = cond_terms(cond, t, TERMS_MAX);
    if (n < 0) return NULL;
    for (int k = 0; k < n; k++) {
        Linear d;
        if (expr_uses_sym(t[k], s)) {
            if (!linear_cond(t[k], &d))
                return fail(v, "the condition %s is no bound", ir_print_expr(v->a, t[k])), NULL;
            int64_t c = linear_coef(&d, s);
            if (c != 1 && c != -1)
                return fail(v, "the condition %s is no bound of a vector", ir_print_expr(v->a, t[k])), NULL;
            // d(s) >= 0 for all lanes or for none: d + 1 (falling) or d (rising) in whole vectors.
            if (c < 0) d.c++;
            Linear own = {.n = 1, .atom = {expr_sym(v->a, s)}, .coef = {1}};
            if (!linear_add(&d, &own, -c) || linear_uses(&d, s) || !is_multiple(v, &d, v->width)) return NULL;
        }
        out = cond_and(v->a, out, expr_subst(v->a, t[k], 1, &s, &at));
    }
    return out;
}

static Node *widen_copy(Vectors *v, const Node *n, const Sym *s, Expr *at) {
    Arena *a = v->a;
    Sym *lane = NEW_AS(a, Sym, (Sym){change_name(v->ch, "v"), SYM_ITER, s->type, NULL});
    Expr *l = expr_sym(a, lane);
    Node *m = node_clone(a, n);
    m->sub = NEW_N(a, Expr *, n->dst->rank + 1);
    for (int d = 0; d < n->dst->rank; d++) m->sub[d] = n->sub[d];
    if (!widen_access(v, n->dst, m->sub, s, l, at)) return NULL;
    if (n->src->kind == E_LOAD) {
        const Array *x = n->src->array;
        Expr **sub = NEW_N(a, Expr *, x->rank + 1);
        for (int d = 0; d < x->rank; d++) sub[d] = n->src->args[d];
        if (!widen_access(v, x, sub, s, l, at)) return NULL;
        m->src = expr_load(a, x, sub);
    } else {
        Expr *both = expr_add(a, at, l);
        m->src = expr_subst(a, n->src, 1, &s, &both);
    }
    return node_for(a, lane, expr_int(a, lane->type, 0), expr_int(a, lane->type, v->width), 1, HOW_VECTOR, m);
}

// What stands inside the loop over s, for vectors. NULL: it can't be.
static Node *widen(Vectors *v, Node *n, const Sym *s, Expr *at) {
    Node *m;
    switch (n->kind) {
    case N_COPY: return widen_copy(v, n, s, at);
    case N_IF:
        m = node_clone(v->a, n);
        m->cond = widen_cond(v, n->cond, s, at);
        m->then = m->cond ? widen(v, n->then, s, at) : NULL;
        m->other = m->then && n->other ? widen(v, n->other, s, at) : NULL;
        return m->then && (!n->other || m->other) ? m : NULL;
    case N_FOR:
        if (n->how == HOW_VECTOR || expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s)) return NULL;
        m = node_clone(v->a, n);
        m->body = widen(v, n->body, s, at);
        return m->body ? m : NULL;
    case N_SEQ:
        if (n->nkids != 1 || n->nlocals) return fail(v, "%s", "more than one copy in a loop"), NULL;
        return widen(v, n->kids[0], s, at);
    default: return fail(v, "%s", "what is no copy"), NULL;
    }
}

// ---- which loop ---------------------------------------------------------------------------------------
typedef struct Sides {
    const Vectors *v;
    const Sym *s;
    bool fits, copies, mine;
} Sides;

static bool steps_by_one(const Array *x, Expr *const *sub, const Sym *s) {
    Linear l;
    if (!is_memory(x)) return true;
    if (!x->rank) return false;
    Expr *e = sub[x->rank - 1];
    while (e->kind == E_OP && (e->op == OP_MIN || e->op == OP_MAX))
        e = expr_uses_sym(e->args[0], s) ? e->args[0] : e->args[1];
    return linear_of(e, &l) && linear_coef(&l, s) == 1;
}

static void look_at(Sides *q, const Node *n) {
    if (n->kind == N_STMT || (n->kind == N_FOR && n->how == HOW_VECTOR)) q->fits = false;
    if (n->kind != N_COPY) return;
    q->copies = true;
    bool loads = n->src->kind == E_LOAD;
    bool stores = n->dst->place == PLACE_USER || n->dst->place == PLACE_TEMP;
    q->mine = q->mine || n->dst == q->v->buffer || (loads && stores && n->src->array == q->v->buffer);
    q->fits = q->fits && steps_by_one(n->dst, n->sub, q->s) &&
              (!loads || steps_by_one(n->src->array, n->src->args, q->s));
}

static bool is_candidate(Vectors *v, Node *n) {
    int64_t trips;
    if (n->kind != N_FOR || (n->how != HOW_COOP && n->how != HOW_UNROLL && n->how != HOW_SERIAL))
        return false;
    if (v->only && n->iter != v->only) return false;
    Sides q = {v, n->iter, true, false, false};
    node_each(m, n->body) look_at(&q, m);
    if (!q.copies || (!v->only && !q.mine)) return false;
    if (!q.fits) { // an inner loop may fit
        if (!has_loops(n->body)) fail(v, "neighbours in %s do not lie side by side in memory", n->iter->name);
        return false;
    }
    if (!loop_constant(n, &trips) || trips % v->width || n->step != 1 || !expr_is_int(n->lo, 0))
        return fail(v, "the iterations of %s are no multiple of the width", n->iter->name);
    return true;
}

static Node *walk(Node *n, void *arg) {
    Vectors *v = arg;
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    if (is_candidate(v, n)) {
        Arena *a = v->a;
        Expr *at = expr_mul(a, expr_sym(a, n->iter), expr_int(a, n->iter->type, v->width));
        Expr *when = v->when;
        Node *body = widen(v, n->body, n->iter, at);
        // A CPU's copies at an edge are few: they stay as they are, and sizes what they like.
        if (body && v->cpu && v->when != when)
            body = fail(v, "%s", "an edge would cut a vector") ? body : NULL;
        if (body) {
            Node *m = node_around(a, n, body);
            m->hi = expr_int(a, n->hi->type, n->hi->i / v->width);
            v->done++;
            return m;
        }
        v->when = when;
    }
    return node_map(v->a, n, walk, arg);
}

static Nest *finish(Vectors *v, Node *root) {
    Nest *n = change_done(v->ch, root);
    if (v->facts.n) {
        Fact *all = NEW_N(v->a, Fact, n->nfacts + v->facts.n);
        for (int k = 0; k < n->nfacts; k++) all[k] = n->facts[k];
        for (int k = 0; k < v->facts.n; k++) all[n->nfacts + k] = v->facts.at[k];
        n->nfacts += v->facts.n;
        n->facts = all;
    }
    if (v->when) n->when = n->when && !expr_is_int(n->when, 1) ? cond_and(v->a, n->when, v->when) : v->when;
    return n;
}

static Nest *apply(Change *ch) {
    const char *name = ch->step->words[0];
    Vectors v = {.ch = ch, .a = ch->a, .width = change_int(ch, "width")};
    Node *loop = loop_named(ch->nest->root, name);
    v.cpu = str_eq(ch->nest->target, "cpu");
    if (v.width & (v.width - 1) || (v.width > 4 && !v.cpu))
        return change_refuse(ch, "the width is 2 or 4; on a CPU 8 or 16 too");
    if (loop) v.only = loop->iter;
    else v.buffer = change_array(ch, name);
    if (!loop && !v.buffer) return NULL;
    Node *root = walk(ch->nest->root, &v);
    if (!v.done)
        return change_refuse(ch, "%s", v.why ? v.why : arena_printf(ch->a, "%s is in no copy", name));
    return finish(&v, root);
}

static const Knob knobs[] = {
    {"width", "elements at once: 2 or 4; on a CPU 8 or 16 too", KNOB_INT, 2, 16, NULL, "4"},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS
     "hoist a at=kt as=acc\n"
     "stage b at=kt as=sb\n",
     "vectorize sb", NULL},
    {"sculpt 1\n"
     "region sum_1 @\"sum.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    array a[n]: f32 = \"a\" live\n"
     "    do { for i: i32 = 0 .. n { S0[i] } }\n"
     "    stmt S0[i]: a[i] = 1\n"
     "}\n",
     "", "vectorize a", "in no copy"},
    {"sculpt 1\n"
     "region dot @\"dot.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    array x[n]: f32 = \"x\"\n"
     "    array s: f32 = \"s\" live\n"
     "    do { for i: i32 = 0 .. n { S0[i] } }\n"
     "    stmt S0[i]: s += x[i]\n"
     "}\n",
     "strip i by=4 as=ib,ii\n"
     "hoist s at=ii as=acc\n",
     "vectorize x", "x is in no copy"},
    {0},
};

const Rule vectorize_rule = {
    .name = "vectorize",
    .usage = "vectorize BUFFER|LOOP [width=2|4|8|16]",
    .summary = "Moves two or four neighbouring elements at once in the copies of a buffer, where memory is "
               "aligned (on a CPU up to "
               "sixteen, aligned or not).",
    .picture = "coop x in 0 .. 128              coop x in 0 .. 32\n"
               "    sb[x] = b[x]         →          vector v in 0 .. 4\n"
               "                                        sb[4*x + v] = b[4*x + v]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_vectorize,
    .examples = examples,
};
