// SPDX-License-Identifier: MIT
// grid.c -- binds loops to thread blocks and threads.
//
//   for i in 0..n              kernel {
//     for k in 0..p              block ib in 0 .. ceil(n/8)  block jb in 0 .. ceil(m/32)
//       for j in 0..m     →        thread it in 0..8  thread jt in 0..32
//         S[i, k, j]                 if (8*ib+it < n && 32*jb+jt < m)
//                                      for k in 0..p  S[8*ib+it, k, 32*jb+jt] }
//
// Right when instances that conflict agree on every mapped counter: then they are in one
// thread, in their old order. For the same reason several iterations of a mapped loop may share
// a thread, side by side: threads whose iterations all exist run them so, others one by one.
//
// On a CPU blocks are cores, and loops run over their exact ranges.
#include "rule/abreast.h"
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

enum { MAX_GRID_YZ = 65535 }; // blocks in y and z that every CUDA device takes

// The loops and expressions that stand for one mapped counter.
typedef struct Strip {
    Node *block, *chunk, *thread; // chunk, thread: NULL when not needed
    Expr *number;                 // of the block
    Expr *lane;                   // of the thread in it
    Node bare;                    // the loop with the bounds of its strips
    int per;                      // iterations a thread
    bool apart;
    bool before; // begins before the loop does
} Strip;

static Type strip_type(const Sym *iter) { return type_size(iter->type) < 4 ? T_I32 : iter->type; }

static Strip strip(Names *names, const Node *loop, const MapDim *d, bool limited) {
    Arena *a = names->arena;
    Type t = strip_type(loop->iter);
    Strip s = {.bare = *loop, .per = d->per > 1 ? d->per : 1, .apart = d->apart, .before = d->before > 0};
    s.bare.lo = expr_sub(a, expr_narrow(a, t, d->lo), expr_int(a, t, d->before));
    s.bare.hi = expr_narrow(a, t, d->hi);
    int64_t each = (int64_t)d->threads * s.per; // iterations of a block
    Expr *blocks = loop_trips(a, &s.bare);
    if (each > 1)
        blocks =
            expr_op(a, OP_FDIV, expr_add(a, blocks, expr_int(a, t, each - 1)), expr_int(a, t, each), NULL);
    const Sym *ib = iter_fresh(names, arena_printf(names->arena, "%sb", loop->iter->name), t);
    Expr *zero = expr_int(a, t, 0), *grid = blocks;
    s.number = expr_sym(a, ib);
    if (limited) {
        const Sym *ic = iter_fresh(names, arena_printf(names->arena, "%sc", loop->iter->name), t);
        grid = expr_op(a, OP_MIN, blocks, expr_int(a, t, MAX_GRID_YZ), NULL);
        s.chunk = node_for(a, ic, s.number, blocks, MAX_GRID_YZ, HOW_SERIAL, NULL);
        s.number = expr_sym(a, ic);
    }
    s.block = node_for(a, ib, zero, grid, 1, HOW_BLOCK, NULL);
    s.lane = zero;
    if (d->threads > 1) {
        const Sym *it = iter_fresh(names, arena_printf(names->arena, "%st", loop->iter->name), t);
        s.thread = node_for(a, it, zero, expr_int(a, t, d->threads), 1, HOW_THREAD, NULL);
        s.lane = expr_sym(a, it);
    }
    return s;
}

// The counter in iteration r of a thread:
//   lo + step * (threads * block + thread)                  one a thread
//   lo + step * ((threads * block + thread) * per + r)      neighbours
//   lo + step * (threads * (per * block + r) + thread)      apart
static Expr *value_at(Arena *a, const Strip *s, Expr *r) {
    Expr *at = s->number, *per = expr_int(a, at->type, s->per);
    r = expr_cast(a, at->type, r);
    if (s->per > 1 && s->apart) at = expr_add(a, expr_mul(a, at, per), r);
    if (s->thread) at = expr_add(a, expr_mul(a, at, s->thread->hi), s->lane);
    if (s->per > 1 && !s->apart) at = expr_add(a, expr_mul(a, at, per), r);
    return expr_cast(a, s->bare.iter->type, loop_value(a, &s->bare, at));
}

static Expr *both(Arena *a, Expr *x, Expr *y) { return x ? expr_op(a, OP_LAND, x, y, NULL) : y; }

static Expr *in_range(Arena *a, const Node *loop, bool check_lo) {
    Expr *i = expr_sym(a, loop->iter);
    bool up = loop->step > 0;
    Expr *ok = expr_op(a, up ? OP_LT : OP_GT, i, expr_cast(a, i->type, loop->hi), NULL);
    if (!check_lo) return ok;
    return both(a, expr_op(a, up ? OP_GE : OP_LE, i, expr_cast(a, i->type, loop->lo), NULL), ok);
}

static const MapDim *dim_of(int ndims, const MapDim *dims, int loop) {
    for (int d = 0; d < ndims; d++)
        if (dims[d].loop == loop) return &dims[d];
    return NULL;
}

// The chain without its mapped loops: conditions take their places. Conditions over
// parameters and mapped counters alone are gathered in *outer.
static Node *body_of(Arena *a, const Chain *c, int ndims, const MapDim *dims, Expr **outer) {
    Node *n = c->body;
    for (int i = c->n - 1; i >= 0; i--) {
        const MapDim *d = dim_of(ndims, dims, i);
        if (!d) {
            n = node_around(a, c->loop[i], n);
        } else if (!d->exact) {
            n = node_if(a, in_range(a, c->loop[i], true), n, NULL);
        }
    }
    for (int d = 0; d < ndims; d++)
        if (dims[d].exact) *outer = both(a, *outer, in_range(a, c->loop[dims[d].loop], dims[d].before > 0));
    return n;
}

static Node *around(Node *outer, Node *body) {
    if (!outer) return body;
    outer->body = body;
    return outer;
}

// ---- several iterations a thread ----------------------------------------------------------------

typedef struct Coarse {
    Names *names;
    int n;
    const Strip *strip;
    const Sym **from; // [n]: the mapped counters
    bool cpu;
} Coarse;

// x in iteration r[d] of each dimension.
static Expr *expr_in(const Coarse *k, Expr *x, Expr *const *r) {
    Arena *a = k->names->arena;
    Expr *to[3];
    for (int d = 0; d < k->n; d++) to[d] = value_at(a, &k->strip[d], r[d]);
    return expr_subst(a, x, k->n, k->from, to);
}

// Do all iterations of the thread exist? The first and the last do.
static Expr *all_in_range(const Coarse *k, Expr *guard) {
    Arena *a = k->names->arena;
    Expr *first[3], *last[3];
    for (int d = 0; d < k->n; d++) {
        first[d] = expr_int(a, T_I32, 0);
        last[d] = expr_int(a, T_I32, k->strip[d].per - 1);
    }
    Expr *x = expr_in(k, guard, first), *y = expr_in(k, guard, last);
    bool lower = false;
    for (int d = 0; d < k->n; d++) lower = lower || k->strip[d].before;
    return lower ? both(a, x, y) : y;
}

// Loops over the iterations of a thread: fresh counters r, one a dimension that has several.
static int count_loops(const Coarse *k, const Node **loops, Expr **r) {
    Arena *a = k->names->arena;
    int n = 0;
    for (int d = k->n - 1; d >= 0; d--) {
        r[d] = expr_int(a, T_I32, 0);
        if (k->strip[d].per < 2) continue;
        const Sym *s = iter_fresh(k->names, "r", T_I32);
        r[d] = expr_sym(a, s);
        loops[n++] =
            node_for(a, s, expr_int(a, T_I32, 0), expr_int(a, T_I32, k->strip[d].per), 1, HOW_SERIAL, NULL);
    }
    return n;
}

static Node *body_in(const Coarse *k, Node *body, Expr *const *r) {
    Arena *a = k->names->arena;
    Expr *to[3];
    for (int d = 0; d < k->n; d++) to[d] = value_at(a, &k->strip[d], r[d]);
    return node_subst(a, node_again(k->names, body), k->n, k->from, to);
}

// if (all iterations exist) side by side; else for r if (this one exists) body
static Node *coarse_body(const Coarse *k, Node *body, Expr *guard) {
    Arena *a = k->names->arena;
    const Node *loops[3];
    Expr *r[3];
    int n = count_loops(k, loops, r);
    Node *hoisted = rule_unroll_registers(a, rule_hoist_updates(k->names, body_in(k, body, r)));
    Node *jammed = (k->cpu ? rule_abreast_waiting : rule_abreast)(k->names, n, loops, hoisted);
    if (!jammed) return NULL;
    n = count_loops(k, loops, r);
    Node *rest = node_if(a, expr_in(k, guard, r), body_in(k, body, r), NULL);
    return node_if(a, all_in_range(k, guard), jammed, in_loops(a, n, loops, rest));
}

Node *rule_map_gpu(Names *names, const Chain *c, int ndims, const MapDim *dims, const char *name) {
    Arena *a = names->arena;
    Expr *guard = NULL;
    Node *n = body_of(a, c, ndims, dims, &guard);
    const Sym *from[3];
    Expr *to[3];
    Strip s[3];
    bool several = false;
    for (int d = 0; d < ndims; d++) {
        const Node *loop = c->loop[dims[d].loop];
        s[d] = strip(names, loop, &dims[d], d > 0 && !dims[d].small);
        from[d] = loop->iter;
        to[d] = value_at(a, &s[d], expr_int(a, T_I32, 0));
        several = several || s[d].per > 1;
    }
    Coarse k = {names, ndims, s, from, false};
    if (several) n = guard ? coarse_body(&k, n, guard) : NULL;
    else n = node_subst(a, guard ? node_if(a, guard, n, NULL) : n, ndims, from, to);
    if (!n) return NULL;
    for (int d = 0; d < ndims; d++) n = around(s[d].chunk, n); // inside: the threads need not meet
    for (int d = 0; d < ndims; d++) n = around(s[d].thread, n);
    for (int d = 0; d < ndims; d++) n = around(s[d].block, n);
    return node_kernel(a, name, n);
}

Node *rule_map_cpu(Names *names, const Chain *c, int ndims, const MapDim *dims, bool vector,
                   const char *name) {
    Arena *a = names->arena;
    Chain copy = *c;
    if (vector) {
        Node *last = node_clone(a, c->loop[c->n - 1]);
        last->how = HOW_VECTOR;
        copy.loop[c->n - 1] = last;
    }
    Expr *ignore = NULL, *guard = NULL;
    Node *n = body_of(a, &copy, ndims, dims, &ignore); // loops run over their exact ranges
    const Sym *from[3];
    Expr *to[3];
    Strip s[3];
    for (int d = 0; d < ndims; d++) {
        const Node *loop = c->loop[dims[d].loop];
        MapDim one = dims[d];
        one.threads = 1;
        s[d] = strip(names, loop, &one, false);
        if (s[d].per > 1) guard = both(a, guard, in_range(a, loop, false));
        from[d] = loop->iter;
        to[d] = value_at(a, &s[d], expr_int(a, T_I32, 0));
    }
    Coarse k = {names, ndims, s, from, true};
    n = guard ? coarse_body(&k, n, guard) : node_subst(a, n, ndims, from, to);
    if (!n) return NULL;
    for (int d = 0; d < ndims; d++) n = around(s[d].block, n);
    return node_kernel(a, name, n);
}

// ---- the rule -------------------------------------------------------------------------------------
static int place_in(const Chain *c, const char *name) {
    for (int i = 0; i < c->n; i++)
        if (str_eq(c->loop[i]->iter->name, name)) return i;
    return -1;
}

// The chain that begins at of=, else at the outermost of the loops. False: refused.
static bool find_chain(Change *ch, Chain *c, Node **top) {
    const Step *s = ch->step;
    const char *of = change_text(ch, "of");
    for (int k = 0; k < (of ? 1 : s->nwords); k++) {
        *top = loop_outside(ch, of ? of : s->words[k]);
        if (!*top) return false;
        *c = chain_of(*top);
        int met = 0;
        for (int i = 0; i < s->nwords; i++) met += place_in(c, s->words[i]) >= 0;
        if (met == s->nwords) return true;
    }
    return change_refuse(ch, "%s and the others do not stand directly inside each other", s->words[0]), false;
}

static bool own_bounds(Change *ch, const Chain *c, MapDim *d) {
    const Node *loop = c->loop[d->loop];
    bool plain = !expr_has_load(loop->lo) && !expr_has_load(loop->hi);
    for (int i = 0; i < c->n; i++)
        plain =
            plain && !expr_uses_sym(loop->lo, c->loop[i]->iter) && !expr_uses_sym(loop->hi, c->loop[i]->iter);
    if (!plain)
        return change_refuse(ch,
                             "the bounds of %s are not known before the kernel begins; lo= and hi= say "
                             "between what it lies",
                             loop->iter->name),
               false;
    int64_t n = loop_literal_trips(loop->lo, loop->hi, loop->step);
    d->lo = loop->lo;
    d->hi = loop->hi;
    d->exact = true;
    d->small = (n > 0 && n <= MAX_GRID_YZ) || str_eq(change_word(ch, "rounds"), "no");
    return true;
}

typedef struct Texts {
    int n;
    const char *at[3];
} Texts;

// Part k of a list of expressions; NULL: it is not there, or a dash.
static const char *text_at(const Texts *t, int k) {
    return k < t->n && !str_eq(t->at[k], "-") ? t->at[k] : NULL;
}

static bool find_dims(Change *ch, Nest *facts, const Chain *c, const Path *place, MapDim *dims) {
    Texts lo = {0}, hi = {0};
    int64_t threads[3] = {1, 1, 1}, per[3] = {0};
    lo.n = change_names(ch, "lo", lo.at, 3);
    hi.n = change_names(ch, "hi", hi.at, 3);
    change_ints(ch, "threads", threads, 3);
    change_ints(ch, "per", per, 3);
    int64_t all = threads[0] * threads[1] * threads[2];
    if (all > 1024)
        return change_refuse(ch, "%lld threads are more than the 1024 that a block may have", (long long)all),
               false;
    for (int k = 0; k < ch->step->nwords; k++) {
        MapDim *d = &dims[k];
        *d =
            (MapDim){.loop = place_in(c, ch->step->words[k]), .threads = (int)threads[k], .per = (int)per[k]};
        const char *from = text_at(&lo, k), *to = text_at(&hi, k);
        if (!from != !to) return change_refuse(ch, "lo= and hi= go together"), false;
        if (!from && !own_bounds(ch, c, d)) return false;
        if (!from) continue;
        if (c->loop[d->loop]->step != 1)
            return change_refuse(ch, "%s runs in steps; lo= and hi= are for single ones", ch->step->words[k]),
                   false;
        d->lo = change_value(ch, facts, place, T_I64, from);
        d->hi = d->lo ? change_value(ch, facts, place, T_I64, to) : NULL;
        if (!d->hi) return false;
    }
    dims[0].apart = str_eq(change_word(ch, "apart"), "yes");
    dims[0].before = change_int(ch, "before");
    return true;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    bool gpu = str_eq(ch->nest->target, "gpu");
    int most = gpu ? 3 : 2;
    Chain c;
    Node *top;
    Path place;
    MapDim dims[3];
    Nest facts = *ch->nest;
    if (s->nwords > most)
        return change_refuse(ch, "it takes one to %d loops; usage: %s", most, ch->rule->usage);
    if (!find_chain(ch, &c, &top) || !path_to(ch->nest->root, top, &place) ||
        !find_dims(ch, &facts, &c, &place, dims))
        return NULL;
    const Array *local = gpu ? path_local(&place, top) : NULL;
    if (local) return change_refuse(ch, "%s stands outside of the kernel that this makes", local->name);
    const char *name = name_fresh(&ch->names, ch->nest->region->name);
    bool lanes = str_eq(change_word(ch, "lanes"), "yes");
    if (lanes && place_in(&c, s->words[0]) == c.n - 1)
        return change_refuse(ch, "%s can't be in lanes and in blocks", s->words[0]);
    Node *k = gpu ? rule_map_gpu(&ch->names, &c, s->nwords, dims, name)
                  : rule_map_cpu(&ch->names, &c, s->nwords, dims, lanes, name);
    if (!k) return change_refuse(ch, "iterations of what %s holds can't stand side by side", s->words[0]);
    return change_done(ch, node_replace(ch->a, ch->nest->root, top, k));
}

static const Knob knobs[] = {
    {"of", "the loop with which the nest of loops begins; else the outermost that is named", KNOB_NAMES, 0, 0,
     NULL, ""},
    {"threads", "of a block, for each loop", KNOB_INTS, 1, 1024, NULL, ""},
    {"per", "iterations a thread, side by side, for each loop", KNOB_INTS, 0, 64, NULL, ""},
    {"apart",
     "those of the first loop lie as many apart as a block has threads, so that neighbours stay together",
     KNOB_WORD, 0, 0, "yes|no", "no"},
    {"before",
     "so many iterations before its first one the blocks of the first loop begin, for whole lines of memory",
     KNOB_INT, 0, 4096, NULL, "0"},
    {"lo",
     "from where loops may run whose bounds are not known before the kernel begins; a dash for the others",
     KNOB_TEXT, 0, 0, NULL, ""},
    {"hi", "and to where, itself not included", KNOB_TEXT, 0, 0, NULL, ""},
    {"rounds", "no: there are never more than 65535 blocks in y and z, so no loop goes through more",
     KNOB_WORD, 0, 0, "yes|no", "yes"},
    {"lanes", "on a CPU the innermost loop runs in SIMD lanes", KNOB_WORD, 0, 0, "yes|no", "no"},
};

static bool may_be_grid(Node *loop) { return loop->how == HOW_SERIAL && !node_kernels(loop); }

static void find_grid(Finder *f) {
    if (str_eq(f->ch->nest->target, "gpu")) find_loops(f, may_be_grid, "grid %1 threads=64");
}

static const RuleExample examples[] = {
    {EXAMPLE_TRIANGLE, "hoist y at=j", "grid j", "stands outside of the kernel"},
    {EXAMPLE_PRODUCT, "", "grid i j threads=32,8", NULL},
    {EXAMPLE_PRODUCT, "", "grid i j threads=8,8 per=2,2 apart=yes", NULL},
    {EXAMPLE_SUM, "", "grid i of=k threads=64", NULL},
    {EXAMPLE_EACH, "", "grid j i threads=16,4", NULL},
    {EXAMPLE_SUM, "", "grid k threads=64", "change the meaning"},
    {EXAMPLE_TRIANGLE, "", "grid j threads=64", "change the meaning"},
    {EXAMPLE_EACH, "", "grid j i threads=16,4 lo=0", "lo= and hi= go together"},
    {EXAMPLE_CHAIN, "", "grid i k threads=8,8", "do not stand directly inside each other"},
    {0},
};

const Rule grid_rule = {
    .name = "grid",
    .usage = "grid X [Y [Z]] threads=N,… [of=LOOP] [per=N,…] [apart=yes] [before=N] [lo=EXPR,… hi=EXPR,…] "
             "[rounds=no] [lanes=yes]",
    .summary = "Makes a kernel of a nest of loops: those named are dealt to blocks and threads (on a CPU: to "
               "cores), the first to "
               "neighbouring threads; the others stay in each thread, in their order.",
    .picture = "for i                            block ib  block jb  thread it  thread jt\n"
               "    for k             →              if (8*ib+it < n && 32*jb+jt < m)\n"
               "        for j  S(i, k, j)                for k  S(8*ib+it, k, 32*jb+jt)\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_grid,
    .examples = examples,
};
