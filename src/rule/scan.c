// SPDX-License-Identifier: MIT
// scan.c -- sums so far: the sums of chunks, the sums of all chunks before each, then each chunk by itself.
//
//   for i in 0..n        kernel { block c:  sums[c] = Σ x[i] of chunk c, in any order }
//     s += x[i]          kernel { one block:  before[c] = s + sums[0] + … + sums[c - 1];  s += all }
//     y[i] = s     →     kernel { block c, a thread has 15 neighbours:
//                            tot[g][q] = their sum
//                            pre[g][q] = tot[g][0] + … + tot[g][q - 1],  gt[g] = all 16   (a thread for g)
//                            gp[g] = before[c] + gt[0] + … + gt[g - 1]                    (one thread)
//                            acc = gp[g] + pre[g][q];  for each of the 15  acc += x[i];  y[i] = acc }
//
// What the loop writes goes through shared memory where out= says so, so that neighbouring threads write
// neighbours. Any operator of updates will do, and the loop may do with the sum whatever it likes. The order
// of sums depends on knobs alone, so the same program gives the same bits each time. Each term is computed in
// both kernels that need it. Several sums (counters of what is kept, and of what is not) go side by side.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"
#include "rule/storage.h"

enum { SIDE = 16, MOST_OUT = 4, MOST_SUMS = 4 }; // SIDE: threads whose sums one thread goes through

typedef struct ScanSum {
    const Array *array;         // s
    Expr **sub;
    Op op;
    bool other;                 // it is written in other ways
    const Array *sums, *before; // an element a chunk
} ScanSum;

// An array that the loop writes once in each iteration, and a tile of it in shared memory.
typedef struct ScanOut {
    const Array *array, *tile;
    Expr **sub;
    int writes, reads;
    bool other;                 // it is updated, or not always written
} ScanOut;

typedef struct Scan {
    Change *ch;
    Arena *a;
    Node *loop;
    int nsums;
    ScanSum s[MOST_SUMS];
    int64_t threads, per, second;
    Expr *trips, *chunks;
    int nout;
    ScanOut out[MOST_OUT];
    VEC(const Array *) by_sum;  // locals that the body sets by what a sum is
    const Array *hangs;         // a sum whose terms are so; NULL: none
} Scan;

// A block's places for one sum.
typedef struct Places {
    const Array *tot, *pre, *gt, *gp;
} Places;

// A block while it goes through one tile.
typedef struct Tile {
    const Scan *p;
    const Sym *g, *q;           // digits of a thread's number
    int64_t groups, per;
    bool all;                   // what comes before each thread is asked for, too
    Places at[MOST_SUMS];
    bool outs;                  // what the loop writes has tiles
    VEC(Node *) phases;
} Tile;

// A local of each sum.
typedef struct Accs {
    const Array *of[MOST_SUMS];
} Accs;

static Expr *i32(const Scan *p, int64_t v) { return expr_int(p->a, T_I32, v); }
static Expr *neutral(const Scan *p, int s) {
    return neutral_element(p->a, p->s[s].op, p->s[s].array->elem);
}

static const Array *array_of(const Scan *p, int s, const char *stem, Place place, int rank,
                             const int64_t *extent) {
    const Array *of = p->s[s].array;
    Array *x = array_new(p->a, name_fresh(&p->ch->names, arena_printf(p->a, "%s_%s", of->name, stem)),
                         of->elem, place, rank);
    for (int d = 0; d < rank; d++) x->extent[d] = i32(p, extent[d]);
    return x;
}

static Tile tile_of(const Scan *p, int64_t per, bool all) {
    Tile t = {.p = p, .groups = p->threads / SIDE, .per = per, .all = all};
    int64_t extent[2] = {t.groups, SIDE};
    t.g = iter_fresh(&p->ch->names, "g", T_I32);
    t.q = iter_fresh(&p->ch->names, "q", T_I32);
    for (int s = 0; s < p->nsums; s++) {
        Places *x = &t.at[s];
        x->tot = array_of(p, s, "tot", PLACE_SHARED, 2, extent);
        x->gt = array_of(p, s, "gt", PLACE_SHARED, 1, extent);
        if (!all) continue;
        x->pre = array_of(p, s, "pre", PLACE_SHARED, 2, extent);
        x->gp = array_of(p, s, "gp", PLACE_SHARED, 1, extent);
    }
    return t;
}

static void add_phase(Tile *t, int64_t extent, const Sym *digit, Node *n) {
    n = node_for(t->p->a, digit, i32(t->p, 0), i32(t->p, extent), 1, HOW_THREAD, n);
    vec_push(t->p->a, &t->phases, n);
}

static void add_threads(Tile *t, Node *n) {
    add_phase(t, t->groups, t->g, node_for(t->p->a, t->q, i32(t->p, 0), i32(t->p, SIDE), 1, HOW_THREAD, n));
}

static Expr *load(const Scan *p, const Array *x, Expr *i, Expr *k) {
    Expr *at[2] = {i, k};
    return expr_load(p->a, x, at);
}

static Node *store(const Scan *p, const Array *x, Expr *i, Expr *k, Expr *v) {
    Expr *at[2] = {i, k};
    return node_copy(p->a, x, at, OP_SET, v);
}

// That of the blocks: of the loop's name, for steps that follow.
static const Sym *counter(const Scan *p, Type t) {
    return counter_named(p->ch, arena_printf(p->a, "%s_c", p->loop->iter->name), t, NULL, false);
}

static Accs accs_of(const Scan *p) {
    Accs acc = {{0}};
    for (int s = 0; s < p->nsums; s++) acc.of[s] = array_of(p, s, "acc", PLACE_LOCAL, 0, NULL);
    return acc;
}

static Node *set(const Scan *p, const Array *acc, Expr *v) { return node_copy(p->a, acc, NULL, OP_SET, v); }
static Node *add(const Scan *p, int s, const Array *acc, Expr *v) {
    return node_copy(p->a, acc, NULL, p->s[s].op, v);
}
static Expr *value(const Scan *p, const Array *acc) { return expr_load(p->a, acc, NULL); }

typedef struct Steps {
    VEC(Node *) at;
} Steps;

static void step(const Scan *p, Steps *s, Node *n) { vec_push(p->a, &s->at, n); }
static Node *steps_of(const Scan *p, const Steps *s) { return node_seq(p->a, s->at.n, s->at.at); }
static Node *with_accs(const Scan *p, const Steps *s, const Accs *acc) {
    Node *n = steps_of(p, s);
    for (int i = 0; i < p->nsums; i++) n = seq_declare(p->a, n, acc->of[i]);
    return n;
}

// The thread's sums, then those of the threads before it in its group, and the group's.
static void put_sums(Tile *t, const Accs *acc, Node *work) {
    const Scan *p = t->p;
    Expr *g = expr_sym(p->a, t->g), *q = expr_sym(p->a, t->q);
    Steps mine = {0}, each = {0}, all = {0};
    for (int s = 0; s < p->nsums; s++) step(p, &mine, set(p, acc->of[s], neutral(p, s)));
    step(p, &mine, work);
    for (int s = 0; s < p->nsums; s++) step(p, &mine, store(p, t->at[s].tot, g, q, value(p, acc->of[s])));
    add_threads(t, with_accs(p, &mine, acc));
    Accs sum = accs_of(p);
    const Sym *g2 = iter_fresh(&p->ch->names, "g", T_I32), *q2 = iter_fresh(&p->ch->names, "q", T_I32);
    g = expr_sym(p->a, g2), q = expr_sym(p->a, q2);
    for (int s = 0; s < p->nsums; s++) {
        if (t->all) step(p, &each, store(p, t->at[s].pre, g, q, value(p, sum.of[s])));
        step(p, &each, add(p, s, sum.of[s], load(p, t->at[s].tot, g, q)));
        step(p, &all, set(p, sum.of[s], neutral(p, s)));
    }
    step(p, &all, node_for(p->a, q2, i32(p, 0), i32(p, SIDE), 1, HOW_UNROLL, steps_of(p, &each)));
    for (int s = 0; s < p->nsums; s++) step(p, &all, store(p, t->at[s].gt, g, NULL, value(p, sum.of[s])));
    add_phase(t, t->groups, g2, with_accs(p, &all, &sum));
}

// One thread goes through the groups' sums, which begin with `first`. What comes of all goes to `to` (NULL:
// nowhere), at `sub` or (NULL) where the sum itself is.
static void put_groups(Tile *t, Expr *const *first, const Array *const *to, Expr *const *sub) {
    const Scan *p = t->p;
    Accs sum = accs_of(p);
    const Sym *z = iter_fresh(&p->ch->names, "z", T_I32), *g2 = iter_fresh(&p->ch->names, "g", T_I32);
    Expr *g = expr_sym(p->a, g2);
    Steps each = {0}, all = {0};
    for (int s = 0; s < p->nsums; s++) {
        if (t->all) step(p, &each, store(p, t->at[s].gp, g, NULL, value(p, sum.of[s])));
        step(p, &each, add(p, s, sum.of[s], load(p, t->at[s].gt, g, NULL)));
        step(p, &all, set(p, sum.of[s], first[s]));
    }
    step(p, &all, node_for(p->a, g2, i32(p, 0), i32(p, t->groups), 1, HOW_UNROLL, steps_of(p, &each)));
    for (int s = 0; to && s < p->nsums; s++)
        step(p, &all, node_copy(p->a, to[s], sub ? sub : p->s[s].sub, OP_SET, value(p, sum.of[s])));
    add_phase(t, 1, z, with_accs(p, &all, &sum));
}

// Each thread begins with what comes before it.
static void put_work(Tile *t, const Accs *acc, Node *work) {
    const Scan *p = t->p;
    Expr *g = expr_sym(p->a, t->g), *q = expr_sym(p->a, t->q);
    Steps all = {0};
    for (int s = 0; s < p->nsums; s++) {
        step(p, &all, set(p, acc->of[s], load(p, t->at[s].gp, g, NULL)));
        step(p, &all, add(p, s, acc->of[s], load(p, t->at[s].pre, g, q)));
    }
    step(p, &all, work);
    add_threads(t, with_accs(p, &all, acc));
}

static Node *block_of(Tile *t, const char *stem, const Sym *c, Expr *blocks) {
    const Scan *p = t->p;
    Node *n = node_seq(p->a, t->phases.n, t->phases.at);
    for (int s = 0; s < p->nsums; s++) {
        const Array *all[4] = {t->at[s].tot, t->at[s].gt, t->at[s].pre, t->at[s].gp};
        n = seq_declare_all(p->a, n, t->all ? 4 : 2, all);
    }
    for (int i = 0; i < p->nout && t->outs; i++) n = seq_declare(p->a, n, p->out[i].tile);
    n = node_for(p->a, c, expr_int(p->a, c->type, 0), blocks, 1, HOW_BLOCK, n);
    return node_kernel(p->a, name_fresh(&p->ch->names, stem), n);
}

// The number of element e of the thread, in the tile numbered c (NULL: the only one). `dealt`: neighbouring
// threads have neighbours.
static Expr *number(const Tile *t, const Sym *c, const Sym *e, bool dealt) {
    const Scan *p = t->p;
    Arena *a = p->a;
    Expr *thread = expr_add(a, expr_mul(a, expr_sym(a, t->g), i32(p, SIDE)), expr_sym(a, t->q));
    Expr *k = dealt ? expr_add(a, expr_mul(a, expr_sym(a, e), i32(p, p->threads)), thread)
                    : expr_add(a, expr_mul(a, thread, i32(p, t->per)), expr_sym(a, e));
    if (!c) return k;
    Expr *begin = expr_mul(a, expr_sym(a, c), expr_int(a, c->type, p->threads * t->per));
    return expr_add(a, begin, expr_cast(a, c->type, k));
}

static Node *elements(const Tile *t, const Sym *e, Expr *k, Expr *of, bool unroll, Node *body) {
    const Scan *p = t->p;
    body = node_if(p->a, expr_op(p->a, OP_LT, k, expr_cast(p->a, k->type, of), NULL), body, NULL);
    Node *n = node_for(p->a, e, i32(p, 0), i32(p, t->per), 1, unroll ? HOW_UNROLL : HOW_SERIAL, body);
    if (!unroll) n->unroll = 4;
    return n;
}

// ---- the loop's body ----------------------------------------------------------------------------------
static bool is_sum(const Scan *p, const Array *x) {
    for (int s = 0; s < p->nsums; s++)
        if (p->s[s].array == x) return true;
    return false;
}

static bool is_by_sum(const Scan *p, const Array *x) {
    for (int k = 0; k < p->by_sum.n; k++)
        if (p->by_sum.at[k] == x) return true;
    return is_sum(p, x);
}

static bool reads_sum(const Scan *p, const Expr *x) {
    bool any = x->kind == E_LOAD && is_by_sum(p, x->array);
    for (int k = 0; k < x->nargs && !any; k++) any = reads_sum(p, x->args[k]);
    return any;
}

// Does the statement set something by the sum, or by what was set so?
static bool goes_by_sum(const Scan *p, const Node *n) {
    AccessVec v = node_accesses(p->a, n);
    for (int i = 1; i < v.n; i++)
        if (is_by_sum(p, v.at[i].array)) return true;
    return false;
}

// What hangs on the sum, by value or by whether it is set. under: by a condition or a bound around n.
static void see_hanging(Scan *p, const Node *n, bool under) {
    if (n->kind == N_STMT && (under || goes_by_sum(p, n))) {
        AccessVec v = node_accesses(p->a, n);
        const Array *to = v.at[0].array;
        if (is_sum(p, to)) p->hangs = to;
        else if (to->place == PLACE_LOCAL && !is_by_sum(p, to)) vec_push(p->a, &p->by_sum, to);
    }
    if (n->kind == N_IF) under = under || reads_sum(p, n->cond);
    if (n->kind == N_FOR) under = under || reads_sum(p, n->lo) || reads_sum(p, n->hi);
    for (int k = 0; node_kid(n, k); k++) see_hanging(p, node_kid(n, k), under);
}

static bool terms_stand(Scan *p) {
    for (int before = -1; before != p->by_sum.n && !p->hangs;) {
        before = p->by_sum.n;
        see_hanging(p, p->loop->body, false);
    }
    if (!p->hangs) return true;
    const char *what = p->nsums > 1 ? "these sums are" : "it is";
    return change_refuse(p->ch, "what is added to %s hangs on what %s", p->hangs->name, what);
}

// What the sum's terms need: its updates, and what goes to locals by other things than the sum.
static Node *terms_of(Node *n, void *arg) {
    const Scan *p = arg;
    if (n->kind == N_STMT) {
        AccessVec v = node_accesses(p->a, n);
        const Array *to = v.at[0].array;
        if (!is_sum(p, to) && (to->place != PLACE_LOCAL || is_by_sum(p, to))) return NULL;
    }
    return node_map(p->a, n, terms_of, arg);
}

typedef struct Aim {
    const Array *acc;
} Aim;

static bool to_acc(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const Aim *x = arg;
    *to = x->acc;
    *sub = (Expr **)s->sub; // of rank 0: none is looked at
    return true;
}

static Node *body_at(const Scan *p, Expr *k, const Accs *acc, bool all) {
    const Sym *i = p->loop->iter;
    Expr *at = loop_value(p->a, p->loop, k);
    Node *n = all ? p->loop->body : terms_of(p->loop->body, (void *)p);
    if (!all) n = change_copy(p->ch, n);
    n = node_subst(p->a, n, 1, &i, &at);
    for (int s = 0; s < p->nsums; s++) {
        Aim x = {acc->of[s]};
        n = accesses_edit(p->a, n, p->s[s].array, to_acc, &x);
    }
    return n;
}

// ---- what the loop writes ------------------------------------------------------------------------------
static bool see_out(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    ScanOut *o = arg;
    o->reads += !s->write;
    if (!s->write) return false;
    o->writes++;
    o->other |= s->read || s->op != OP_SET || s->nloops || s->cond || s->node->kind != N_STMT;
    o->sub = (Expr **)s->sub;
    return false;
}

static bool find_outs(Scan *p) {
    const char *name[MOST_OUT];
    int64_t size = p->threads * p->per;
    p->nout = change_names(p->ch, "out", name, MOST_OUT);
    for (int i = 0; i < p->nout; i++) {
        ScanOut *o = &p->out[i];
        if (!(o->array = change_array(p->ch, name[i]))) return false;
        accesses_edit(p->a, p->loop->body, o->array, see_out, o);
        if (o->writes != 1 || o->other || is_sum(p, o->array))
            return change_refuse(p->ch, "%s is not just written once in each iteration", name[i]);
        if (o->reads && !node_touches_only(p->a, p->loop->body, o->array, o->sub))
            return change_refuse(p->ch, "%s is read elsewhere than it is written", name[i]);
        const char *tile = name_fresh(&p->ch->names, arena_printf(p->a, "%s_tile", name[i]));
        Array *x = array_new(p->a, tile, o->array->elem, PLACE_SHARED, 1);
        x->extent[0] = i32(p, size);
        o->tile = x;
    }
    return true;
}

typedef struct ToTile {
    const ScanOut *o;
    Expr **at;
} ToTile;

static bool to_tile(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)s;
    const ToTile *x = arg;
    *to = x->o->tile;
    *sub = x->at;
    return true;
}

// The body whose results go to the tiles, at `place`.
static Node *in_tiles(const Scan *p, Node *n, Expr *place) {
    for (int i = 0; i < p->nout; i++) {
        ToTile x = {&p->out[i], NEW_N(p->a, Expr *, 1)};
        x.at[0] = place;
        n = accesses_edit(p->a, n, p->out[i].array, to_tile, &x);
    }
    return n;
}

// All threads write the tiles to memory; or read what the loop reads of what it writes.
static void move_tiles(Tile *t, const Sym *c, bool in) {
    const Scan *p = t->p;
    Arena *a = p->a;
    int64_t size = p->threads * p->per;
    for (int i = 0; i < p->nout; i++) {
        const ScanOut *o = &p->out[i];
        if (in && !o->reads) continue;
        const Sym *l = iter_fresh(&p->ch->names, "l", T_I32), *iter = p->loop->iter;
        Expr *place = expr_sym(a, l), *begin = expr_mul(a, expr_sym(a, c), expr_int(a, c->type, size));
        Expr *k = expr_add(a, begin, expr_cast(a, c->type, place)), *at = loop_value(a, p->loop, k);
        Expr **sub = NEW_N(a, Expr *, o->array->rank + 1);
        for (int d = 0; d < o->array->rank; d++) sub[d] = expr_subst(a, o->sub[d], 1, &iter, &at);
        Node *n = in ? node_copy(a, o->tile, &place, OP_SET, expr_load(a, o->array, sub))
                     : node_copy(a, o->array, sub, OP_SET, expr_load(a, o->tile, &place));
        n = node_if(a, expr_op(a, OP_LT, k, expr_cast(a, k->type, p->trips), NULL), n, NULL);
        vec_push(a, &t->phases, node_for(a, l, i32(p, 0), i32(p, size), 1, HOW_COOP, n));
    }
}

// ---- three kernels ---------------------------------------------------------------------------------------
static Node *chunk_sums(const Scan *p) {
    Tile t = tile_of(p, p->per, false);
    Accs acc = accs_of(p);
    const Sym *c = counter(p, p->chunks->type), *e = iter_fresh(&p->ch->names, "e", T_I32);
    Expr *k = number(&t, c, e, true), *at = expr_sym(p->a, c), *first[MOST_SUMS];
    const Array *to[MOST_SUMS];
    put_sums(&t, &acc, elements(&t, e, k, p->trips, true, body_at(p, k, &acc, false)));
    for (int s = 0; s < p->nsums; s++) first[s] = neutral(p, s), to[s] = p->s[s].sums;
    put_groups(&t, first, to, &at);
    return block_of(&t, "sums", c, p->chunks);
}

static Node *chunk_starts(const Scan *p) {
    Tile t = tile_of(p, p->second, true);
    Accs acc = accs_of(p), acc2 = accs_of(p);
    const Sym *c = iter_fresh(&p->ch->names, "c", T_I32), *e = iter_fresh(&p->ch->names, "e", T_I32),
              *e2 = iter_fresh(&p->ch->names, "e", T_I32);
    Expr *k = number(&t, NULL, e, false), *k2 = number(&t, NULL, e2, false), *first[MOST_SUMS];
    const Array *to[MOST_SUMS];
    Steps sums = {0}, both = {0};
    for (int s = 0; s < p->nsums; s++) {
        const ScanSum *x = &p->s[s];
        first[s] = expr_load(p->a, x->array, x->sub), to[s] = x->array;
        step(p, &sums, add(p, s, acc.of[s], load(p, x->sums, k, NULL)));
        step(p, &both, store(p, x->before, k2, NULL, value(p, acc2.of[s])));
        step(p, &both, add(p, s, acc2.of[s], load(p, x->sums, k2, NULL)));
    }
    Node *each = p->nsums == 1 ? sums.at.at[0] : steps_of(p, &sums);
    put_sums(&t, &acc, elements(&t, e, k, p->chunks, false, each));
    put_groups(&t, first, to, NULL);
    put_work(&t, &acc2, elements(&t, e2, k2, p->chunks, false, steps_of(p, &both)));
    return block_of(&t, "starts", c, i32(p, 1));
}

static Node *chunk_scans(const Scan *p) {
    Tile t = tile_of(p, p->per, true);
    Accs acc = accs_of(p), acc2 = accs_of(p);
    const Sym *c = counter(p, p->chunks->type), *e = iter_fresh(&p->ch->names, "e", T_I32),
              *e2 = iter_fresh(&p->ch->names, "e", T_I32);
    Expr *k = number(&t, c, e, false), *k2 = number(&t, c, e2, false), *first[MOST_SUMS];
    move_tiles(&t, c, true);
    Node *terms = in_tiles(p, body_at(p, k, &acc, false), number(&t, NULL, e, false));
    put_sums(&t, &acc, elements(&t, e, k, p->trips, true, terms));
    for (int s = 0; s < p->nsums; s++) first[s] = load(p, p->s[s].before, expr_sym(p->a, c), NULL);
    put_groups(&t, first, NULL, NULL);
    Node *body = in_tiles(p, body_at(p, k2, &acc2, true), number(&t, NULL, e2, false));
    put_work(&t, &acc2, elements(&t, e2, k2, p->trips, true, body));
    move_tiles(&t, c, false);
    t.outs = true;
    return block_of(&t, "scans", c, p->chunks);
}

// ---- the rule -------------------------------------------------------------------------------------

static bool find_sum(Scan *p, const char *name) {
    Change *ch = p->ch;
    ScanSum *s = &p->s[p->nsums];
    node_each(n, p->loop->body) {
        if (n->kind != N_STMT) continue;
        AccessVec v = node_accesses(p->a, n);
        if (!str_eq(v.at[0].array->name, name)) continue;
        s->other |= n->stmt->op == OP_SET || (s->array && s->op != n->stmt->op);
        s->array = v.at[0].array;
        s->sub = (Expr **)v.at[0].sub;
        s->op = n->stmt->op;
    }
    if (!s->array) return change_refuse(ch, "nothing in %s updates %s", p->loop->iter->name, name);
    if (s->other) return change_refuse(ch, "%s is written in other ways, too", name);
    if (is_sum(p, s->array)) return change_refuse(ch, "%s is named twice", name);
    if (s->array->place != PLACE_USER && s->array->place != PLACE_TEMP)
        return change_refuse(ch, "%s is private", name);
    if (!neutral(p, p->nsums)) return change_refuse(ch, "the operator on %s has no neutral element", name);
    const char *moved = NULL; // a counter of the loop, or of one inside, that chooses the element
    node_each(n, p->loop)
        for (int d = 0; n->kind == N_FOR && d < s->array->rank; d++)
            if (expr_uses_sym(s->sub[d], n->iter) || expr_has_load(s->sub[d])) moved = n->iter->name;
    if (moved) return change_refuse(ch, "which element of %s changes with %s", name, moved);
    p->nsums++;
    return node_touches_only(p->a, p->loop->body, s->array, s->sub) ||
           change_refuse(ch, "other elements of %s are used there, too", name);
}

static bool find_sums(Scan *p) {
    const char *name[MOST_SUMS];
    int n = change_names(p->ch, "of", name, MOST_SUMS);
    for (int i = 0; i < n; i++)
        if (!find_sum(p, name[i])) return false;
    return n > 0;
}

static void find_sizes(Scan *p) {
    Arena *a = p->a;
    int64_t size = p->threads * p->per;
    p->trips = loop_trips(a, p->loop);
    Expr *up = expr_add(a, p->trips, expr_int(a, p->trips->type, size - 1));
    p->chunks = expr_op(a, OP_MAX, expr_op(a, OP_FDIV, up, expr_int(a, up->type, size), NULL),
                        expr_int(a, up->type, 0), NULL);
    for (int s = 0; s < p->nsums; s++)
        for (int i = 0; i < 2; i++) {
            Array *x = (Array *)array_of(p, s, i ? "before" : "sums", PLACE_TEMP, 1, &size);
            x->extent[0] = p->chunks;
            *(i ? &p->s[s].before : &p->s[s].sums) = x;
        }
}

static Nest *apply(Change *ch) {
    Scan p = {.ch = ch, .a = ch->a, .threads = change_int(ch, "threads"), .per = change_int(ch, "per"),
              .second = change_int(ch, "second")};
    if (!str_eq(ch->nest->target, "gpu")) return change_refuse(ch, "it is for blocks of a GPU");
    if (p.threads % SIDE) return change_refuse(ch, "threads= is a multiple of %d", SIDE);
    p.loop = loop_outside(ch, ch->step->words[0]);
    if (!p.loop || !find_sums(&p) || !find_outs(&p)) return NULL;
    if (loop_is_unbounded(p.loop)) return change_refuse(ch, "%s has no end", p.loop->iter->name);
    if (!terms_stand(&p)) return NULL;
    find_sizes(&p);
    if (expr_uses_iters(p.trips))
        return change_refuse(ch, "the bounds of %s change with a loop around", p.loop->iter->name);
    const Array *temps[2 * MOST_SUMS];
    for (int s = 0; s < p.nsums; s++) temps[2 * s] = p.s[s].sums, temps[2 * s + 1] = p.s[s].before;
    Node *kids[3] = {chunk_sums(&p), chunk_starts(&p), chunk_scans(&p)};
    Node *all = node_seq(p.a, 3, kids);
    Nest *n = change_done(ch, root_with_temps(ch->a, ch->nest->root, p.loop, all, 2 * p.nsums, temps));
    Expr *most = expr_int(p.a, T_I64, p.threads * p.second);
    n->when = cond_and(p.a, n->when, expr_op(p.a, OP_LE, expr_cast(p.a, T_I64, p.chunks), most, NULL));
    return n;
}

static const Knob knobs[] = {
    {"of", "what the sums so far are of: scalars, or one element of an array each", KNOB_NAMES, 0, 0, NULL,
     NULL},
    {"threads", "of a block", KNOB_INT, SIDE, 1024, NULL, "256"},
    {"per", "neighbours that a thread has; of an odd number none meet in a bank", KNOB_INT, 1, 64, NULL,
     "15"},
    {"second", "chunks that a thread has of those whose sums one block adds up; the nest asks for no more",
     KNOB_INT, 1, 4096, NULL, "256"},
    {"out", "arrays, written once in each iteration, that go through shared memory", KNOB_NAMES, 0, 0, NULL,
     ""},
};

static void find_scan(Finder *f) {
    node_each(n, f->ch->nest->root) {
        Node *b = n->kind == N_FOR ? n->body : NULL;
        for (int k = 0; b && node_kid(b, k); k++) {
            Node *s = node_kid(b, k);
            if (s->kind == N_STMT && s->stmt->op != OP_SET && s->stmt->lhs->rank == 0)
                finder_site(f, "scan %s of=%s", n->iter->name, s->stmt->lhs->name);
        }
    }
}

#define SCANNED(permit, op)                                                                       \
    "sculpt 1 region scanned sculpt " permit "{ param n: i32 = \"n\" array s: f32 = \"s\" live "   \
    "array x[n]: f32 = \"x\" array y[n]: f32 = \"y\" live do { for i: i32 = 0 .. n { S0[i] S1[i] } } " \
    "stmt S0[i]: s " op " x[i] stmt S1[i]: y[i] = s }"

// In place, and whole numbers, of which sums are the same in any order.
#define IN_PLACE                                                                                   \
    "sculpt 1 region place sculpt { param n: i32 = \"n\" array s: i32 = \"s\" live "               \
    "array x[n]: i32 = \"x\" live do { for i: i32 = n - 1 .. -1 step -1 { S0[i] S1[i] } } "        \
    "stmt S0[i]: s += x[i] stmt S1[i]: x[i] = s }"

// What is added hangs on what the sum is.
#define HANGING                                                                                    \
    "sculpt 1 region hanging sculpt { param n: i32 = \"n\" array s: i32 = \"s\" live "             \
    "array x[n]: i32 = \"x\" do { for i: i32 = 0 .. n { if (x[i] > s) S0[i] } } "                  \
    "stmt S0[i]: s += 1 }"

// A local that keeps what the sum was.
#define BEFORE                                                                                     \
    "sculpt 1 region before sculpt { param n: i32 = \"n\" array s: i32 = \"s\" live "               \
    "array x[n]: i32 = \"x\" live do { for i: i32 = 0 .. n { local t: i32 S0[i] S1[i] S2[i] } } "   \
    "stmt S0[i]: t = s stmt S1[i]: s += x[i] stmt S2[i]: x[i] = s - 3 * t }"

static const RuleExample examples[] = {
    {SCANNED("reassociate ", "+="), "", "scan i of=s threads=32 per=3 second=2", NULL},
    {BEFORE, "", "scan i of=s threads=16 per=1 second=2 out=x", NULL},
    {SCANNED("reassociate ", "+="), "", "scan i of=s threads=32 per=1 second=2 out=y", NULL},
    {SCANNED("reassociate ", "+="), "", "scan i of=s out=x", "not just written once"},
    {SCANNED("reassociate ", "max="), "", "scan i of=s threads=16 per=1 second=3", NULL},
    {IN_PLACE, "", "scan i of=s threads=16 per=3 second=2 out=x", NULL},
    {SCANNED("", "+="), "", "scan i of=s", "change the meaning"},
    {HANGING, "", "scan i of=s", "hangs on what it is"},
    {SCANNED("", "+="), "", "scan i of=x", "nothing in i updates x"},
    {SCANNED("", "+="), "", "scan i of=y", "in other ways"},
    {EXAMPLE_SUM, "", "scan k of=a", "changes with i"},
    {0},
};

const Rule scan_rule = {
    .name = "scan",
    .usage = "scan LOOP of=SUMS [threads=N] [per=N] [second=N] [out=ARRAYS]",
    .summary = "Makes sums so far in three kernels: the sums of chunks, what comes before each chunk, and "
               "each chunk by itself.",
    .picture = "for i  s += x[i]; y[i] = s   →   kernel  sums[c] = the sum of chunk c\n"
               "                                 kernel  before[c] = s + sums[0] + … + sums[c - 1]\n"
               "                                 kernel  for i in chunk c  y[i] = before[c] + … + x[i]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_scan,
    .examples = examples,
};
