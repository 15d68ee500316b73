// SPDX-License-Identifier: MIT
// stream.c -- what all threads of a block read together goes through shared memory, a stretch of
// the loop at a time.
//
//   block ib { thread it {              block ib { register s_r[256], x_r[256]; shared y_s[1024]
//     if (i < n) {                        thread it { if (i < n) { s_r[it] = 0  x_r[it] = x[i] } }
//       s = 0                             for c in 0..ceil(m/1024) {
//       for j in 0..m             →         coop t { if (1024*c + t < m)  y_s[t] = y[1024*c + t] }
//         s += f(x[i], y[j])                thread it { for t in 0..min(1024, m - 1024*c)
//       out[i] = s                                        s_r[it] += f(x_r[it], y_s[t]) } }
//     } } }                               thread it { if (i < n) out[i] = s_r[it] } }
//
// One wait for memory a stretch instead of one every few iterations, and four neighbours in one
// read. Threads beyond the end go along, for they are needed in the copies: what they compute is
// of registers alone and nobody's (ghosts); accesses to memory keep their condition.
#include "rule/abreast.h"
#include "rule/loops.h"
#include "rule/reads.h"
#include "rule/stream.h"

enum { MAX_AROUND = 6, MAX_STAGED = 12, MAX_LOCALS = 32, MOST_REGISTERS = 96, MAX_GUARDS = 256, UNROLL = 8 };

// A read of the loop that names no thread.
typedef struct Staged {
    const Array *array;
    Expr **sub;
    int nloops, nconds;      // unrolled loops that it names, outermost first; conditions around it
    const Node *loop[MAX_AROUND];
    Expr *cond[MAX_AROUND];
    const Array *buffer;
} Staged;

typedef struct Stream {
    Names *names;
    Arena *a;
    Node *kernel;
    const Node *thread;
    const Sym *it;           // the thread
    const Sym *each;         // counts the iterations of a thread in `guard`
    Expr *guard, *all;       // this iteration exists; all of a thread's do
    int nguards;
    Expr *guards[MAX_GUARDS]; // its copies in the tree
    Node *seq, *loop;        // the thread's block, and the loop in it
    int at;                  // which kid
    int64_t tile;
    const Node *own;     // a condition that leaves the thread's own iteration out
    bool whole, no, any; // any: conditions go wherever they stand
    const Sym *t;        // counts a stretch
    int nstaged;
    Staged staged[MAX_STAGED];
    int nregs;
    const Array *reg[MAX_LOCALS];
    // the way to the node being looked at
    int nloops, nconds;
    const Node *around[MAX_AROUND];
    Expr *cond[MAX_AROUND];
} Stream;

static bool is_public(const Array *x) { return x->place == PLACE_USER || x->place == PLACE_TEMP; }

// ---- the thread's block -------------------------------------------------------------------------

static bool is_plain_loop(const Stream *s, const Node *n) {
    return n->kind == N_FOR && n->how == HOW_SERIAL && n->step == 1 && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi) && !expr_uses_sym(n->lo, s->it) && !expr_uses_sym(n->hi, s->it);
}

// Where the loop in a block runs at all: if (0 < m) { b; for j in 0..m { … } c }
static bool is_where_it_runs(Stream *s, const Node *n) {
    const Node *block = n->then;
    if (n->kind != N_IF || n->other || block->kind != N_SEQ) return false;
    for (int i = 0; i < block->nkids; i++) {
        const Node *l = block->kids[i];
        if (l->kind != N_FOR || l->how != HOW_SERIAL) continue;
        return expr_equal(n->cond, expr_op(s->a, OP_LT, l->lo, expr_cast(s->a, l->lo->type, l->hi), NULL));
    }
    return false;
}

// A node of such a block: the loop asks by itself, all else under the condition, inside of unrolled loops.
static Node *under(Stream *s, Expr *cond, Node *n) {
    if (n->kind == N_FOR && n->how == HOW_SERIAL) return n;
    if (n->kind != N_FOR || n->how != HOW_UNROLL) return node_if(s->a, cond, n, NULL);
    Node *m = node_clone(s->a, n);
    m->body = under(s, cond, n->body);
    return m;
}

static const Node *inner_block(Stream *s, const Node *n) {
    return n->kind == N_SEQ ? n : is_where_it_runs(s, n) ? n->then : NULL;
}

// { a; { local x; b; c } } as one block. Its locals have names of their own.
static Node *flat(Stream *s, Node *n) {
    int kids = 0, locals = n->nlocals;
    for (int i = 0; i < n->nkids; i++) {
        const Node *block = inner_block(s, n->kids[i]);
        kids += block ? block->nkids : 1;
        locals += block ? block->nlocals : 0;
    }
    Node *m = node_clone(s->a, n);
    m->kids = NEW_N(s->a, Node *, kids + 1);
    m->locals = NEW_N(s->a, const Array *, locals + 1);
    m->nkids = m->nlocals = 0;
    for (int i = 0; i < n->nlocals; i++) m->locals[m->nlocals++] = n->locals[i];
    for (int i = 0; i < n->nkids; i++) {
        Node *k = n->kids[i];
        const Node *block = inner_block(s, k);
        for (int l = 0; block && l < block->nlocals; l++) m->locals[m->nlocals++] = block->locals[l];
        for (int l = 0; block && l < block->nkids; l++)
            m->kids[m->nkids++] = k->kind == N_IF ? under(s, k->cond, block->kids[l]) : block->kids[l];
        if (!block) m->kids[m->nkids++] = k;
    }
    return m;
}

static bool is_flat(Stream *s, const Node *n) {
    for (int i = 0; i < n->nkids; i++)
        if (inner_block(s, n->kids[i])) return false;
    return true;
}

// The block { before; for j { … }; after } with its locals.
static bool find_block(Stream *s, Node *n) {
    while (n->kind == N_SEQ && n->nkids == 1 && n->nlocals == 0) n = n->kids[0];
    if (n->kind != N_SEQ) n = node_seq(s->a, 1, &n);
    while (!is_flat(s, n)) n = flat(s, n);
    if (n->nlocals > MAX_LOCALS) return false;
    s->seq = n;
    s->loop = NULL;
    for (int i = 0; i < n->nkids; i++) {
        if (n->kids[i]->kind == N_FOR && n->kids[i]->how == HOW_UNROLL) continue;
        if (n->kids[i]->kind != N_FOR) continue;
        if (s->loop || !is_plain_loop(s, n->kids[i])) return false;
        s->loop = n->kids[i];
        s->at = i;
    }
    for (int i = 0; i < n->nlocals; i++)
        if (n->locals[i]->place != PLACE_LOCAL || n->locals[i]->of) return false;
    return s->loop != NULL;
}

// ---- conditions at the accesses to memory alone ---------------------------------------------------

static bool names_thread(Stream *s, const Node *leaf) {
    if (leaf->kind == N_COPY) return is_public(leaf->dst) || expr_uses_sym(leaf->src, s->it);
    AccessVec acc = node_accesses(s->a, leaf);
    for (int k = 0; k < acc.n; k++)
        if (is_public(acc.at[k].array) && access_names(&acc.at[k], s->it)) return true;
    return false;
}

static bool is_risk(const Expr *x) {
    bool division =
        x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD || x->op == OP_FDIV || x->op == OP_FMOD);
    return division && type_is_int(x->type);
}

// The counter, among those of the unrolled loops around, that tells the thread's iterations apart in an
// element's subscripts.
static const Sym *iteration_in(const Stream *s, const Array *array, Expr *const *sub, int n,
                               const Node *const *around) {
    for (int d = 0; is_public(array) && d < array->rank; d++)
        for (int l = 0; expr_uses_sym(sub[d], s->it) && l < n; l++)
            if (expr_uses_sym(sub[d], around[l]->iter)) return around[l]->iter;
    return NULL;
}

static const Sym *iteration_of(Stream *s, const Node *leaf, int n, const Node *const *around) {
    const Sym *found = NULL;
    if (leaf->kind == N_COPY) {
        bool loads = leaf->src->kind == E_LOAD;
        found = iteration_in(s, leaf->dst, leaf->sub, n, around);
        return found || !loads ? found : iteration_in(s, leaf->src->array, leaf->src->args, n, around);
    }
    AccessVec acc = node_accesses(s->a, leaf);
    for (int k = 0; k < acc.n && !found; k++)
        found = iteration_in(s, acc.at[k].array, acc.at[k].sub, n, around);
    return found;
}

static Node *guard_leaf(Stream *s, Node *n) {
    if (!names_thread(s, n)) {
        bool risk = n->kind == N_COPY && n->src->kind == E_LOAD && is_public(n->src->array);
        if (n->kind == N_STMT) risk = expr_any(n->stmt->rhs, is_risk);
        s->no = s->no || risk;
        return n;
    }
    const Sym *r = iteration_of(s, n, s->nloops, s->around);
    if (!r || s->nguards == MAX_GUARDS) return s->no = true, n;
    Expr *to = expr_sym(s->a, r), *g = expr_subst(s->a, s->guard, 1, &s->each, &to);
    s->guards[s->nguards++] = g;
    return node_if(s->a, g, n, NULL);
}

static Node *guard_tree(Node *n, void *arg) {
    Stream *s = arg;
    if (s->no) return n;
    if (n->kind == N_STMT || n->kind == N_COPY) return guard_leaf(s, n);
    int before = s->nloops;
    if (n->kind == N_FOR && n->how == HOW_UNROLL) {
        if (s->nloops == MAX_AROUND) return s->no = true, n;
        s->around[s->nloops++] = n;
    }
    Node *m = node_map(s->a, n, guard_tree, arg);
    s->nloops = before;
    return m;
}

static bool is_guard(const Stream *s, const Expr *x) { return has_pointer(s->nguards, s->guards, x); }

// Without conditions around what has come to touch registers alone; any: without those conditions.
static Node *without_guards(Node *n, void *arg) {
    Stream *s = arg;
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    if (n->kind == N_IF && is_guard(s, n->cond) && (s->any || !names_thread(s, n->then))) return n->then;
    return node_map(s->a, n, without_guards, arg);
}

static Node *unguard(Stream *s, Node *n, bool any) {
    s->any = any;
    return without_guards(n, s);
}

// ---- what is staged ---------------------------------------------------------------------------------

static Staged *staged(Stream *s, const Access *x) {
    for (int i = 0; i < s->nstaged; i++) {
        bool same = s->staged[i].array == x->array;
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(s->staged[i].sub[d], x->sub[d]);
        if (same) return &s->staged[i];
    }
    return NULL;
}

// The copy has counters for the loops that the element names; a condition over others can't stand
// there.
static bool is_plain(const Stream *s, const Staged *g) {
    for (int k = 0; k < g->nconds; k++)
        for (int l = 0; l < s->nloops; l++) {
            bool own = !expr_uses_sym(g->cond[k], s->around[l]->iter);
            for (int e = 0; e < g->nloops; e++) own = own || g->loop[e] == s->around[l];
            if (!own) return false;
        }
    return true;
}

static void look_access(Stream *s, const Access *x) {
    if (!is_public(x->array) || !x->array->rank || !access_names(x, s->loop->iter) || access_names(x, s->it))
        return;
    for (int d = 0; d < x->array->rank; d++)
        if (expr_has_load(x->sub[d])) return;
    if (s->nstaged == MAX_STAGED || staged(s, x) || tree_writes(s->kernel, x->array)) return;
    Staged g = {.array = x->array, .sub = (Expr **)x->sub, .nconds = s->nconds};
    for (int l = 0; l < s->nloops; l++)
        if (access_names(x, s->around[l]->iter)) g.loop[g.nloops++] = s->around[l];
    for (int k = 0; k < s->nconds; k++) g.cond[k] = s->cond[k];
    if (is_plain(s, &g)) s->staged[s->nstaged++] = g;
}

// False: the condition can't stand at a copy, and nothing is staged below. Where each thread leaves out one
// iteration, others read what it does not.
static bool enter(Stream *s, Expr *cond) {
    bool names = expr_uses_sym(cond, s->it);
    if (expr_has_load(cond) || (names && !leaves_out_one(cond)) || s->nconds == MAX_AROUND) return false;
    if (!names) s->cond[s->nconds++] = cond;
    return true;
}

static void look(Stream *s, Node *n) {
    if (!n) return;
    int loops = s->nloops, conds = s->nconds;
    AccessVec acc = {0};
    switch (n->kind) {
    case N_STMT:
        acc = node_accesses(s->a, n);
        for (int k = 1; k < acc.n; k++) look_access(s, &acc.at[k]);
        return;
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) look(s, n->kids[i]);
        return;
    case N_IF:
        if (enter(s, n->cond)) look(s, n->then);
        break; // what stands in an else stays where it is
    case N_FOR:
        if (n->how != HOW_UNROLL || n->step != 1 || !expr_is_int(n->lo, 0) || n->hi->kind != E_INT) break;
        if (s->nloops == MAX_AROUND) break;
        s->around[s->nloops++] = n;
        look(s, n->body);
        break;
    default: break;
    }
    s->nloops = loops;
    s->nconds = conds;
}

static int64_t bytes_of(const Stream *s, const Staged *g) {
    int64_t n = s->tile * type_size(g->array->elem);
    for (int e = 0; e < g->nloops; e++) n *= g->loop[e]->hi->i;
    return n;
}

static int64_t all_bytes(const Stream *s) {
    int64_t n = 0;
    for (int i = 0; i < s->nstaged; i++) n += bytes_of(s, &s->staged[i]);
    return n;
}

static const Array *buffer_for(Stream *s, const Staged *g) {
    const char *name = name_fresh(s->names, arena_printf(s->a, "%s_s", g->array->name));
    Array *b = array_new(s->a, name, g->array->elem, PLACE_SHARED, 1 + g->nloops);
    b->extent[0] = expr_int(s->a, T_I32, s->tile);
    for (int e = 0; e < g->nloops; e++) b->extent[1 + e] = expr_int(s->a, T_I32, g->loop[e]->hi->i);
    return b;
}

static bool find_staged(Stream *s, int64_t most) {
    enum { LEAST_TILE = 16 };
    look(s, s->loop->body);
    while (all_bytes(s) > most && !s->whole && s->tile > LEAST_TILE) s->tile /= 2;
    for (int i = 0; i < s->nstaged; i++) s->staged[i].buffer = buffer_for(s, &s->staged[i]);
    return s->nstaged > 0 && all_bytes(s) <= most;
}

// ---- phases ------------------------------------------------------------------------------------------

static void make_registers(Stream *s) {
    for (s->nregs = 0; s->nregs < s->seq->nlocals; s->nregs++) {
        const Array *from = s->seq->locals[s->nregs];
        Array *b = array_copy(s->a, from, name_fresh(s->names, arena_printf(s->a, "%s_r", from->name)), 1);
        b->place = PLACE_REGISTER;
        b->digits = 1;
        b->extent[0] = s->thread->hi;
        s->reg[s->nregs] = b;
    }
}

static Node *phase(Stream *s, Node *n) {
    const Sym *it = iter_fresh(s->names, "lane", s->it->type);
    Expr *r = expr_sym(s->a, it);
    n = node_subst(s->a, n, 1, &s->it, &r);
    n = node_placed(s->names, n, 1, &r, s->nregs, s->seq->locals, s->reg);
    return n ? node_for(s->a, it, s->thread->lo, s->thread->hi, 1, HOW_THREAD, n) : NULL;
}

// The loop's counter in iteration t of stretch c (NULL: the only one).
static Expr *counter_at(Stream *s, const Sym *c, Expr *t) {
    Type type = s->loop->iter->type;
    Expr *x = expr_cast(s->a, type, t);
    if (c)
        x = expr_add(s->a,
                     expr_mul(s->a, expr_cast(s->a, type, expr_sym(s->a, c)), expr_int(s->a, type, s->tile)),
                     x);
    return expr_add(s->a, expr_cast(s->a, type, s->loop->lo), x);
}

// coop t { coop e { if (…) buffer[t][e] = array[…] } }
static Node *fill(Stream *s, const Staged *g, const Sym *c) {
    Arena *a = s->a;
    const Sym *from[MAX_AROUND + 1], *counter[MAX_AROUND + 1];
    Expr *to[MAX_AROUND + 1], *at[MAX_AROUND + 1];
    counter[0] = iter_fresh(s->names, "t", T_I32);
    at[0] = expr_sym(a, counter[0]);
    from[0] = s->loop->iter;
    to[0] = counter_at(s, c, at[0]);
    for (int e = 0; e < g->nloops; e++) {
        from[1 + e] = g->loop[e]->iter;
        counter[1 + e] = iter_fresh(s->names, "e", from[1 + e]->type);
        at[1 + e] = to[1 + e] = expr_sym(a, counter[1 + e]);
    }
    Expr **sub = NEW_N(a, Expr *, g->array->rank);
    for (int d = 0; d < g->array->rank; d++) sub[d] = expr_subst(a, g->sub[d], 1 + g->nloops, from, to);
    Expr *when = expr_op(a, OP_LT, to[0], expr_cast(a, to[0]->type, s->loop->hi), NULL);
    for (int k = 0; k < g->nconds; k++)
        when = expr_op(a, OP_LAND, when, expr_subst(a, g->cond[k], 1 + g->nloops, from, to), NULL);
    Node *n = node_if(a, when, node_copy(a, g->buffer, at, OP_SET, expr_load(a, g->array, sub)), NULL);
    for (int e = g->nloops; e >= 0; e--)
        n = node_for(a, counter[e], expr_int(a, counter[e]->type, 0),
                     expr_cast(a, counter[e]->type, g->buffer->extent[e]), 1, HOW_COOP, n);
    return n;
}

// A statement's reads of staged elements go to the buffers.
static Node *use_stmt(Stream *s, Node *n) {
    AccessVec acc = node_accesses(s->a, n);
    Node *m = NULL;
    for (int k = 1; k < acc.n; k++) {
        const Staged *g = is_public(acc.at[k].array) ? staged(s, &acc.at[k]) : NULL;
        if (!g) continue;
        if (!m) m = node_rerouted(s->a, n, acc.n);
        m->via[k] = g->buffer;
        m->via_sub[k] = NEW_N(s->a, Expr *, g->buffer->rank);
        m->via_sub[k][0] = expr_sym(s->a, s->t);
        for (int e = 0; e < g->nloops; e++) m->via_sub[k][1 + e] = expr_sym(s->a, g->loop[e]->iter);
    }
    return m ? m : n;
}

static Node *use(Node *n, void *arg) {
    Stream *s = arg;
    if (n->kind == N_COPY) return n;
    return n->kind == N_STMT ? use_stmt(s, n) : node_map(s->a, n, use, arg);
}

static bool holds_guard(Stream *s, Node *root) {
    bool found = s->no;
    s->no = false;
    node_each(n, root) found = found || (n->kind == N_IF && is_guard(s, n->cond));
    return found;
}

// Statements that the unrolled loops in n make.
static int64_t statements(Node *n) {
    int64_t all = n->kind == N_STMT || n->kind == N_COPY;
    for (int i = 0; node_kid(n, i); i++) all += statements(node_kid(n, i));
    return n->kind == N_FOR && n->how == HOW_UNROLL && n->hi->kind == E_INT ? all * n->hi->i : all;
}

// As often as may be without filling the instruction cache.
static int unroll_factor(Node *body) {
    enum { MOST = 1100 };
    int64_t all = statements(body);
    int factor = UNROLL;
    while (factor > 1 && factor * all > MOST) factor /= 2;
    return factor;
}

// for t in 0 .. left { the loop's body in iteration t of stretch c }; again: a second copy in the tree
static Node *stretch_loop(Stream *s, Node *body, const Sym *c, Expr *left, bool again) {
    Arena *a = s->a;
    const Sym *t = iter_fresh(s->names, "t", T_I32);
    Expr *j = counter_at(s, c, expr_sym(a, t));
    s->t = t;
    Node *n = node_subst(a, use(body, s), 1, &s->loop->iter, &j);
    n = node_for(a, t, expr_int(a, T_I32, 0), expr_cast(a, T_I32, left), 1, HOW_SERIAL, n);
    n->unroll = again ? 0 : unroll_factor(n->body);
    return again ? node_again(s->names, n) : n;
}

// ---- j != i -----------------------------------------------------------------------------------
// A loop over all but the thread's own iteration: most stretches have none of the block's.

static Node *own_condition(const Stream *s, Node *root) {
    node_each(n, root) {
        bool other = n->kind == N_IF && !n->other && n->cond->kind == E_OP && n->cond->op == OP_NE;
        if (other && expr_uses_sym(n->cond, s->it) && expr_uses_sym(n->cond, s->loop->iter) &&
            !expr_has_load(n->cond))
            return n;
    }
    return NULL;
}

// The least, or the greatest, value of x in stretch c for all threads; NULL: it can't be told.
static Expr *in_stretch(Stream *s, Expr *x, const Path *p, const Sym *c, bool greatest) {
    Arena *a = s->a;
    const Sym *t = iter_fresh(s->names, "t", T_I32);
    Expr *j = counter_at(s, c, expr_sym(a, t)), *zero = expr_int(a, T_I32, 0);
    x = expr_subst(a, x, 1, &s->loop->iter, &j);
    for (int i = p->n - 1; x && i >= 0; i--) {
        const Node *l = p->node[i];
        if (l->kind == N_FOR && expr_uses_sym(x, l->iter))
            x = expr_extreme(a, x, l->iter, l->lo, expr_sub(a, l->hi, expr_int(a, l->hi->type, 1)), greatest);
    }
    if (x) x = expr_extreme(a, x, t, zero, expr_int(a, T_I32, s->tile - 1), greatest);
    Expr *last = expr_sub(a, s->thread->hi, expr_int(a, s->thread->hi->type, 1));
    return x ? expr_extreme(a, x, s->it, s->thread->lo, last, greatest) : NULL;
}

// The body without the condition, and *when that holds for all of a block; NULL: there is none.
static Node *without_own(Stream *s, Node *body, const Sym *c, Expr **when) {
    Arena *a = s->a;
    Path p;
    s->own = c ? own_condition(s, body) : NULL;
    if (!s->own || !path_to(body, s->own, &p)) return NULL;
    Expr *x = expr_sub(a, s->own->cond->args[0], s->own->cond->args[1]);
    Expr *least = in_stretch(s, x, &p, c, false), *most = in_stretch(s, x, &p, c, true);
    if (!least || !most) return NULL;
    *when = expr_op(a, OP_LOR, expr_op(a, OP_GT, least, expr_int(a, least->type, 0), NULL),
                    expr_op(a, OP_LT, most, expr_int(a, most->type, 0), NULL), NULL);
    return node_replace(a, body, s->own, s->own->then);
}

// { coop …; thread { for t in 0 .. min(tile, what is left) … } }, for each stretch
static Node *stretches(Stream *s) {
    Arena *a = s->a;
    Type type = s->loop->iter->type;
    const Sym *c = s->whole ? NULL : iter_fresh(s->names, arena_printf(a, "%sc", s->loop->iter->name), type);
    Expr *trips = loop_trips(a, s->loop), *left = trips;
    Expr *tile = expr_int(a, trips->type, s->tile);
    if (c)
        left =
            expr_op(a, OP_MIN, tile,
                    expr_sub(a, trips, expr_mul(a, expr_cast(a, trips->type, expr_sym(a, c)), tile)), NULL);
    Node *kids[MAX_STAGED + 1], *body = s->loop->body;
    for (int i = 0; i < s->nstaged; i++) kids[i] = fill(s, &s->staged[i], c);
    Expr *when;
    Node *bare = unguard(s, body, true), *others = without_own(s, bare, c, &when);
    Node *n = stretch_loop(s, others ? others : bare, c, left, false);
    if (others) n = node_if(a, when, n, stretch_loop(s, bare, c, left, true));
    if (holds_guard(s, body)) n = node_if(a, s->all, n, stretch_loop(s, body, c, left, true));
    kids[s->nstaged] = phase(s, n);
    if (!kids[s->nstaged]) return NULL;
    n = node_seq(a, s->nstaged + 1, kids);
    if (!c) return n;
    Expr *count = expr_add(a, trips, expr_int(a, trips->type, s->tile - 1));
    count = expr_op(a, OP_FDIV, count, tile, NULL);
    return node_for(a, c, expr_int(a, type, 0), expr_cast(a, type, count), 1, HOW_SERIAL, n);
}

// What stands before or behind the loop: where all iterations of a thread exist, without a condition for
// each; those would else be kept through the loop.
static Node *beside(Stream *s, int n, Node **kids) {
    Node *all = node_seq(s->a, n, kids);
    if (!holds_guard(s, all)) return phase(s, all);
    return phase(s, node_if(s->a, s->all, unguard(s, all, true), node_again(s->names, all)));
}

static Node *in_phases(Stream *s) {
    Node *kids[3];
    int n = 0, after = s->seq->nkids - s->at - 1;
    make_registers(s);
    if (s->at > 0) kids[n++] = beside(s, s->at, s->seq->kids);
    kids[n++] = stretches(s);
    if (after > 0) kids[n++] = beside(s, after, s->seq->kids + s->at + 1);
    for (int i = 0; i < n; i++)
        if (!kids[i]) return NULL;
    Node *seq = seq_declare_all(s->a, node_seq(s->a, n, kids), s->nregs, s->reg);
    for (int i = 0; i < s->nstaged; i++) seq = seq_declare(s->a, seq, s->staged[i].buffer);
    return seq;
}

// ---- the rule ------------------------------------------------------------------------------------------

// thread { if (all iterations exist) side by side else for each { if (it exists) … } }
static bool find_thread(Stream *s, Node *n) {
    while (n->kind == N_FOR && n->how == HOW_BLOCK) n = unwrap(n->body);
    if (n->kind != N_FOR || n->how != HOW_THREAD || !expr_is_int(n->lo, 0)) return false;
    s->thread = n;
    s->it = n->iter;
    n = unwrap(n->body);
    if (n->kind != N_IF || !n->other) return false;
    Node *each = unwrap(n->other);
    if (each->kind != N_FOR || each->how != HOW_SERIAL) return false;
    Node *one = unwrap(each->body);
    if (one->kind != N_IF || one->other || expr_has_load(one->cond)) return false;
    s->each = each->iter;
    s->guard = one->cond;
    s->all = n->cond;
    return find_block(s, n->then);
}

Node *rule_stream(Names *names, Node *kernel, int64_t tile, bool whole, int64_t most_bytes) {
    Stream s = {.names = names, .a = names->arena, .kernel = kernel, .tile = tile, .whole = whole};
    if (!find_thread(&s, unwrap(kernel->body))) return NULL;
    Node *guarded = guard_tree(s.seq, &s);
    if (s.no || !find_block(&s, guarded)) return NULL;
    Node *hoisted = rule_hoist_reads(names, kernel, s.seq, s.loop, MOST_REGISTERS, NULL);
    if (!find_block(&s, hoisted)) return NULL;
    Node *loop = node_clone(s.a, s.loop);
    loop->body = unguard(&s, s.loop->body, false);
    if (!find_block(&s, node_replace(s.a, s.seq, s.loop, loop)) || !find_staged(&s, most_bytes)) return NULL;
    Node *body = in_phases(&s);
    return body ? node_replace(s.a, kernel, s.thread, body) : NULL;
}
