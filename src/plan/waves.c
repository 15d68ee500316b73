// SPDX-License-Identifier: MIT
// waves.c -- loops that all carry dependences, as waves whose points are parallel.
//
//   for i { for j  u[i][j] = f(u[i-1][j], u[i][j-1]) }
//     →   for w { for i  u[i][w - i] = f(u[i-1][w - i], u[i][w - i - 1]) }       w = i + j
//
// On a GPU whole tiles make a wave, and a block goes through the waves of its tile, between barriers:
//
//   for w { block ib { for v { thread ii  u[64*ib + ii][64*(w - ib) + v - ii] = … } } }
//
// Staged tiles (PlanOptions) come and go through shared memory.
//
// That takes loops that may be exchanged, so that tiles wait for tiles: an inner counter gets outer ones
// added until no dependence goes back in it. What has loops inside is left to a wave of single points,
// whose threads don't wait for those of other points with more to do.
//
// A wave is a sum of the chain's counters, each some times, that is greater behind each dependence than
// before it (Lamport's hyperplanes). The innermost counter is in it once, so that the wave takes the place
// of that loop: rules skew, interchange and trim. The smallest such sum is taken. It is found by the
// dependences' distances: of those at which an iteration and a later one meet, none may have a sum that is
// not positive.
#include "dep/foot.h"
#include "plan/auto.h"
#include "plan/strategy.h"
#include "rule/branch.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

enum { MOST_WAVE_LOOPS = 4, MOST_TIMES = 6, MOST_SETS = 256 };

typedef struct Waves {
    Plan *p;
    ChainFacts *f;
    int n;                            // loops of the chain
    int nsets;
    isl_set *distance[MOST_SETS];     // of the chain's counters, in iterations; host counters agree
    int times[MOST_WAVE_LOOPS];       // each counter's
} Waves;

// ---- distances --------------------------------------------------------------------------------
// Of instances that meet on one element, of which the first stands before in the chain's loop l.
static isl_set *distances(const Waves *w, __isl_take isl_map *m, int l) {
    const ChainFacts *f = w->f;
    int base = f->base;
    for (int k = 0; k < base + l; k++) m = isl_map_equate(m, isl_dim_in, k, isl_dim_out, k);
    m = f->chain.loop[l]->step > 0 ? isl_map_order_lt(m, isl_dim_in, base + l, isl_dim_out, base + l)
                                   : isl_map_order_gt(m, isl_dim_in, base + l, isl_dim_out, base + l);
    int all = base + w->n, in = isl_map_dim(m, isl_dim_in), out = isl_map_dim(m, isl_dim_out);
    m = isl_map_project_out(m, isl_dim_in, (unsigned)all, (unsigned)(in - all));
    m = isl_map_project_out(m, isl_dim_out, (unsigned)all, (unsigned)(out - all));
    m = isl_map_project_out(m, isl_dim_in, 0, (unsigned)base);
    m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)base);
    m = isl_map_set_tuple_name(m, isl_dim_in, "");
    m = isl_map_set_tuple_name(m, isl_dim_out, "");
    m = isl_map_reset_tuple_id(m, isl_dim_in);
    m = isl_map_reset_tuple_id(m, isl_dim_out);
    return isl_set_coalesce(isl_map_deltas(m));
}

static bool is_known(const Waves *w, isl_set *d) {
    for (int i = 0; i < w->nsets; i++)
        if (isl_set_is_subset(d, w->distance[i]) == isl_bool_true) return true;
    return false;
}

// False: too many, or an access stands outside of the chain's body.
static bool find_distances(Waves *w) {
    const Relations *r = w->f->rel;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            if (x->first != i || y->first != j || !may_conflict(x, y)) continue;
            if (x->ev->depth < w->f->base + w->n || y->ev->depth < w->f->base + w->n) return false;
            poly_tick(r->poly);
            isl_map *m = same_element(w->f->rel, x, y);
            for (int l = 0; l < w->n; l++) {
                isl_set *d = distances(w, isl_map_copy(m), l);
                if (isl_set_is_empty(d) == isl_bool_true || is_known(w, d)) isl_set_free(d);
                else if (d && w->nsets < MOST_SETS) w->distance[w->nsets++] = own_set(w->p->a, d);
                else return isl_set_free(d), isl_map_free(m), false;
            }
            isl_map_free(m);
        }
    return true;
}

// ---- the wave ---------------------------------------------------------------------------------
static int direction(const Waves *w, int l) { return w->f->chain.loop[l]->step > 0 ? 1 : -1; }

// Is the sum positive for all of these distances?
static bool goes_forward(const Waves *w, isl_set *d) {
    isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_set_get_space(d)));
    for (int l = 0; l < w->n; l++)
        c = isl_constraint_set_coefficient_si(c, isl_dim_set, l, -w->times[l] * direction(w, l));
    isl_set *back = isl_set_add_constraint(isl_set_copy(d), c); // -sum >= 0
    bool none = isl_set_is_empty(back) == isl_bool_true;
    isl_set_free(back);
    return none;
}

static bool is_wave(const Waves *w) {
    for (int i = 0; i < w->nsets; i++)
        if (!goes_forward(w, w->distance[i])) return false;
    return true;
}

// Loops from l on add up to `left` times.
static bool find_times(Waves *w, int l, int left) {
    if (l == w->n - 1) return w->times[l] = 1, left == 0 && is_wave(w);
    for (w->times[l] = 0; w->times[l] <= left; w->times[l]++)
        if (find_times(w, l + 1, left - w->times[l])) return true;
    return false;
}

static bool find_wave(Waves *w) {
    for (int sum = 0; sum <= MOST_TIMES; sum++)
        if (find_times(w, 0, sum)) return true;
    return false;
}

// ---- the tree ---------------------------------------------------------------------------------------
// The steps that bring the wave outside of the chain's other loops, one a line: of each loop one at most.
static int wave_lines(const Waves *w, const char **line) {
    const Chain *c = &w->f->chain;
    const char *last = c->loop[w->n - 1]->iter->name;
    Text order = text_new(w->p->a);
    int n = 0;
    for (int l = 0; l < w->n - 1; l++) {
        const char *name = c->loop[l]->iter->name;
        int by = w->times[l] * direction(w, l) * direction(w, w->n - 1);
        if (by) line[n++] = arena_printf(w->p->a, "skew %s with=%s by=%d", last, name, by);
        text_printf(&order, " %s", name);
    }
    line[n++] = arena_printf(w->p->a, "interchange %s%s", last, text_str(&order));
    return n;
}

// The wave outermost; the chain's other loops inside of it, with bounds that name it.
static Node *in_waves(const Waves *w) {
    const Chain *c = &w->f->chain;
    const char *line[MOST_WAVE_LOOPS];
    Node *tree = in_loops(w->p->a, c->n, c->loop, c->body);
    int n = wave_lines(w, line);
    for (int i = 0; i < n; i++) tree = plan_step(w->p, tree, "%s", line[i]);
    for (int l = w->n - 2; tree && l >= 0; l--) {
        Node *t = plan_step(w->p, tree, "trim %s", c->loop[l]->iter->name);
        tree = t ? unwrap(t) : tree;
    }
    return tree;
}

// ---- tiles -----------------------------------------------------------------------------------------
enum { TILE_SIDE = 64, TILE_STEPS = 8 }; // of a wave's two loops; of those around them

// Counter l with outer ones added goes back in none of these distances.
static bool keeps_order(const Waves *w, isl_set *d, int l, const int *times) {
    isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_set_get_space(d)));
    for (int k = 0; k <= l; k++)
        c = isl_constraint_set_coefficient_si(c, isl_dim_set, k, -times[k] * direction(w, k));
    c = isl_constraint_set_constant_si(c, -1); // -sum >= 1
    isl_set *back = isl_set_add_constraint(isl_set_copy(d), c);
    bool none = isl_set_is_empty(back) == isl_bool_true;
    isl_set_free(back);
    return none;
}

// How often each counter around l is added to it: the least that will do, `left` in sum from k on.
static bool find_skews(const Waves *w, int l, int k, int left, int *times) {
    if (k == l) {
        times[l] = 1;
        for (int i = 0; i < w->nsets && left == 0; i++)
            if (!keeps_order(w, w->distance[i], l, times)) return false;
        return left == 0;
    }
    for (times[k] = 0; times[k] <= left; times[k]++)
        if (find_skews(w, l, k + 1, left - times[k], times)) return true;
    return false;
}

static bool least_skews(const Waves *w, int l, int *times) {
    for (int sum = 0; sum <= MOST_TIMES; sum++)
        if (find_skews(w, l, 0, sum, times)) return true;
    return false;
}

// The chain's loops so that they may be exchanged; NULL: they can't be.
static Node *exchangeable(const Waves *w, Node *tree) {
    const Chain *c = &w->f->chain;
    for (int l = w->n - 1; tree && l > 0; l--) {
        int times[MOST_WAVE_LOOPS];
        if (!least_skews(w, l, times)) return NULL;
        for (int k = 0; k < l; k++) {
            int by = times[k] * direction(w, k) * direction(w, l);
            if (by)
                tree = plan_step(w->p, tree, "skew %s with=%s by=%d", c->loop[l]->iter->name,
                                 c->loop[k]->iter->name, by);
        }
    }
    return tree;
}

// The last of these loops becomes a wave of all of them, outermost; the others have bounds that name it.
static Node *with_wave(Plan *p, Node *tree, int n, const char *const *name, bool trims) {
    Text order = text_new(p->a);
    for (int l = 0; l < n - 1; l++) {
        tree = plan_step(p, tree, "skew %s with=%s by=1", name[n - 1], name[l]);
        text_printf(&order, " %s", name[l]);
    }
    tree = plan_step(p, tree, "interchange %s%s", name[n - 1], text_str(&order));
    for (int l = n - 2; tree && trims && l >= 0; l--) {
        Node *t = plan_step(p, tree, "trim %s", name[l]);
        tree = t ? unwrap(t) : tree;
    }
    return tree;
}

// ---- tiles in shared memory -------------------------------------------------------------------------
//
//   block ib { coop su = u                          // with what lies around the tile
//              for v { thread iib { r = su; for ii, ji r[ii][ji] = …; su = r } }
//              coop u = su }
//
// A step then waits for shared memory instead of the device's. A thread takes a few points a step, which hand
// each other what they need in registers, so that one warp is enough for a tile: its steps are parted by
// barriers of a warp. The block has more threads, for the copies.
enum { POINTS_SIDE = 2, COPYING = 256 };

typedef struct Tile {
    Plan *p;
    const char *block;                // the innermost block loop
    VEC(const Array *) read, written; // the program's arrays in its tile
    VEC(const char *) loop;           // serial loops below, outermost first
    VEC(const char *) buffer;         // shared memory that is written
} Tile;

static bool is_among(int n, const Array *const *all, const Array *x) { return has_pointer(n, all, x); }

static bool is_written(const Tile *t, const Array *x) { return is_among(t->written.n, t->written.at, x); }

static void note_arrays(Tile *t, const Node *body) {
    AccessVec v = tree_accesses(t->p->a, body);
    for (int i = 0; i < v.n; i++) {
        const Access *x = &v.at[i];
        if (x->array->place != PLACE_USER || !x->array->rank) continue;
        bool reads = x->read || !x->write;
        if (x->write && !is_written(t, x->array)) vec_push(t->p->a, &t->written, x->array);
        if (reads && !is_among(t->read.n, t->read.at, x->array)) vec_push(t->p->a, &t->read, x->array);
    }
}

// The serial loops of the block anew; false: the tree is none, or these are not so many.
static bool look_again(Tile *t, const Node *tree, int most) {
    Node *block = tree ? loop_named((Node *)tree, t->block) : NULL;
    t->loop.n = 0;
    if (block)
        node_each(n, block->body)
            if (n->kind == N_FOR && n->how == HOW_SERIAL) vec_push(t->p->a, &t->loop, n->iter->name);
    return block && t->loop.n == most;
}

// Bytes of shared memory that the block has, of which it may have `most`.
static int64_t shared_bytes(const Node *block, int64_t most) {
    int64_t sum = 0;
    const Node *b = block->body;
    for (int i = 0; b->kind == N_SEQ && i < b->nlocals; i++) {
        int64_t bytes = type_size(b->locals[i]->elem);
        for (int d = 0; d < b->locals[i]->rank; d++)
            bytes *= b->locals[i]->extent[d]->kind == E_INT ? b->locals[i]->extent[d]->i : most + 1;
        sum += b->locals[i]->place == PLACE_SHARED ? bytes : 0;
    }
    return sum;
}

// The array's part in shared memory, with rows of an even length: neighbouring threads stand two rows and two
// columns apart, and so in different banks. NULL: it can't be there. *buffer: its name.
static Node *one_staged(Tile *t, Node *tree, const Array *x, const char **buffer) {
    PlanMark before = plan_mark(t->p);
    for (int pad = 0; pad < 2; pad++) {
        Node *n = plan_step(t->p, tree, "stage %s at=%s pad=%d", x->name, t->block, pad);
        const Node *block = n ? loop_named(n, t->block) : NULL;
        if (!block || shared_bytes(block, t->p->o->staged) > t->p->o->staged) break;
        const Array *last = block->body->locals[block->body->nlocals - 1];
        *buffer = last->name;
        const Expr *row = last->extent[last->rank - 1];
        if (row->kind != E_INT || row->i % 2 == 0 || pad) return n;
        plan_back(t->p, before);
    }
    return plan_back(t->p, before), NULL;
}

// What the tile reads in shared memory, but for vectors, of which a cache line serves many steps. NULL:
// something that it writes can't be there.
static Node *staged(Tile *t, Node *tree) {
    for (int i = 0; tree && i < t->read.n; i++) {
        const Array *x = t->read.at[i];
        const char *buffer = NULL;
        if (x->rank < 2 && !is_written(t, x)) continue;
        Node *n = one_staged(t, tree, x, &buffer);
        if (!n && is_written(t, x)) return NULL;
        if (n && is_written(t, x)) vec_push(t->p->a, &t->buffer, buffer);
        tree = n ? n : tree;
    }
    return t->buffer.n ? tree : NULL;
}

// Does it read memory only where its counters say so? What is around all that is read may not be there.
static bool chooses(const Node *n) {
    if (n->kind != N_STMT) return false;
    expr_each(x, n->stmt->rhs) {
        bool select = x->kind == E_OP && x->op == OP_SELECT && !expr_has_load(x->args[0]);
        if (select && (expr_has_load(x->args[1]) || expr_has_load(x->args[2]))) return true;
    }
    return false;
}

// The block's last two loops as waves of a few points a thread. `around`: how many stand outside of them.
static Node *in_shared(Plan *p, Node *tree, const char *block, int around) {
    Tile t = {.p = p, .block = block};
    if (!look_again(&t, tree, around + 2) || node_any(tree, chooses)) return NULL;
    note_arrays(&t, loop_named(tree, block)->body);
    tree = staged(&t, tree);
    const char *const *name = t.loop.at + around;
    tree = plan_step(p, tree, "tile %s %s by=%d,%d", name[0], name[1], POINTS_SIDE, POINTS_SIDE);
    if (!look_again(&t, tree, around + 4)) return NULL;
    const char *points[] = {t.loop.at[around + 2], t.loop.at[around + 3]};
    tree = with_wave(p, tree, 2, t.loop.at + around, false);
    if (!look_again(&t, tree, around + 4)) return NULL;
    tree = plan_step(p, tree, "strip %s by=%d", t.loop.at[around + 1], COPYING);
    if (!look_again(&t, tree, around + 5)) return NULL;
    const char *strips = t.loop.at[around + 1], *threads = t.loop.at[around + 2];
    tree = plan_step(p, tree, "map thread %s", threads);
    tree = plan_step(p, tree, "unroll %s", strips);
    for (int i = 0; i < t.buffer.n; i++)
        tree = plan_step(p, tree, "hoist %s at=%s", t.buffer.at[i], points[0]);
    tree = plan_step(p, tree, "unroll %s", points[1]);
    return plan_step(p, tree, "unroll %s", points[0]);
}

// The parameter that says how many iterations the loop has; NULL: none does.
static const Sym *trips_of(Arena *a, const Node *loop) {
    Linear d;
    bool one = linear_of(expr_sub(a, loop->hi, expr_cast(a, loop->hi->type, loop->lo)), &d) && d.n == 1 &&
               d.coef[0] == 1 && d.c == 0 && d.atom[0]->kind == E_SYM && d.atom[0]->sym->kind == SYM_PARAM;
    return one ? d.atom[0]->sym : NULL;
}

// A warp goes through a tile alone and waits for all that it asks. Whole tiles have a body in which no point
// asks whether it is there, and sizes that tiles divide a kernel without another one: a wave takes as long as
// its slowest tile.
static Node *with_whole(const Waves *w, Node *tree, const char *block) {
    Text sizes = text_new(w->p->a), sides = text_new(w->p->a);
    Node *both = plan_step(w->p, tree, "whole %s", block);
    tree = both ? both : tree;
    for (int l = 0; tree && l < w->n; l++) {
        const Sym *n = trips_of(w->p->a, w->f->chain.loop[l]);
        if (!n) return tree;
        text_printf(&sizes, "%s%s", l ? "," : "", n->name);
        text_printf(&sides, "%s%d", l ? "," : "", l < w->n - 2 ? TILE_STEPS : TILE_SIDE);
    }
    Node *two = plan_step(w->p, tree, "edge two of=%s multiple=%s", text_str(&sizes), text_str(&sides));
    return two ? two : tree;
}

static Node *in_tiles(const Waves *w) {
    Plan *p = w->p;
    if (p->o->staged && w->n > 2) return NULL; // a buffer for several steps takes all of the judge's budget
    const Chain *c = &w->f->chain;
    Text loops = text_new(p->a), sides = text_new(p->a), blocks = text_new(p->a);
    Node *tree = exchangeable(w, in_loops(p->a, c->n, c->loop, c->body));
    for (int l = 0; l < w->n; l++) {
        text_printf(&loops, " %s", c->loop[l]->iter->name);
        text_printf(&sides, "%s%d", l ? "," : "", l < w->n - 2 ? TILE_STEPS : TILE_SIDE);
    }
    tree = plan_step(p, tree, "tile%s by=%s", text_str(&loops), text_str(&sides));
    if (!tree || tree->kind != N_FOR) return NULL;
    Chain t = chain_of(tree);
    const char *name[2 * MOST_WAVE_LOOPS];
    if (t.n != 2 * w->n) return NULL;
    for (int l = 0; l < t.n; l++) name[l] = t.loop[l]->iter->name;
    tree = with_wave(p, tree, w->n, name, true);
    if (!p->o->staged) tree = with_wave(p, tree, 2, name + t.n - 2, false);
    for (int l = 0; l < w->n - 1; l++) text_printf(&blocks, " %s", name[l]);
    tree = plan_step(p, tree, "single %s", name[0]);
    tree = plan_step(p, tree, "map block%s", text_str(&blocks));
    tree = p->o->staged ? in_shared(p, tree, name[w->n - 2], w->n - 2)
                        : plan_step(p, tree, "map thread %s", name[t.n - 2]);
    tree = plan_step(p, tree, "batch %s as=graph", name[w->n - 1]);
    return p->o->staged ? with_whole(w, tree, name[w->n - 2]) : tree;
}

static bool is_plain(const Node *loop) {
    bool steps = (loop->step == 1 || loop->step == -1) && type_is_signed(loop->iter->type);
    return steps && !loop_is_unbounded(loop) && cond_is_free(loop->lo) && cond_is_free(loop->hi) &&
           !(loop->mark && loop->mark->assert == ASSERT_SEQ);
}

// ---- diagonals ----------------------------------------------------------------------------------
//   for s { for i in from(s) .. to(s)  S(s, i) }   →   for i { for j  S(i + j, i) }
//
// Waves that somebody wrote as such, over all of a rectangle: its rows can go in tiles. No dependence may go
// back in the new order.
static bool stays_in_order(const Waves *w, isl_set *d) {
    isl_set *up = isl_set_upper_bound_si(isl_set_copy(d), isl_dim_set, 1, -1); // to a row before
    isl_set *level = isl_set_fix_si(isl_set_copy(d), isl_dim_set, 1, 0);
    level = isl_set_upper_bound_si(level, isl_dim_set, 0, 0);
    bool none = isl_set_is_empty(up) == isl_bool_true && isl_set_is_empty(level) == isl_bool_true;
    isl_set_free(up);
    isl_set_free(level);
    return none && w->nsets > 0;
}

// { (s, i) } → { (i, s - i) }
static isl_set *as_rows(__isl_take isl_set *s) {
    isl_space *space = isl_space_map_from_set(isl_set_get_space(s));
    isl_map *m = isl_map_universe(space);
    isl_constraint *c = isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(m)));
    c = isl_constraint_set_coefficient_si(c, isl_dim_in, 0, 1);
    c = isl_constraint_set_coefficient_si(c, isl_dim_in, 1, -1);
    c = isl_constraint_set_coefficient_si(c, isl_dim_out, 1, -1);
    m = isl_map_add_constraint(isl_map_equate(m, isl_dim_in, 1, isl_dim_out, 0), c);
    return isl_set_apply(s, m);
}

// The rectangle's rows around the chain's body; NULL: it is none.
static Node *in_rows(const Waves *w) {
    Plan *p = w->p;
    Relations *r = w->f->rel;
    const Chain *c = &w->f->chain;
    isl_set *all = NULL;
    for (int i = 0; i < r->events.n; i++) {
        const Event *ev = r->events.at[i];
        if (ev->node->kind != N_STMT || ev->depth != 2 || w->f->base) continue;
        isl_set *s = isl_set_reset_tuple_id(isl_set_copy(ev->domain));
        all = all ? isl_set_union(all, s) : s;
    }
    if (!all) return NULL;
    all = isl_set_intersect_params(isl_set_coalesce(as_rows(all)), isl_set_copy(r->ctx));
    isl_set *box = foot_around(r->poly, all);
    const Sym *from[2];
    Expr *to[2], *lo[2], *hi[2];
    Type t = c->loop[0]->iter->type;
    bool whole = box && isl_set_is_subset(box, all) == isl_bool_true;
    for (int d = 0; d < 2 && whole; d++) {
        lo[d] = poly_bound(r->poly, all, d, false, r->ctx), hi[d] = poly_bound(r->poly, all, d, true, r->ctx);
        whole = lo[d] && hi[d];
        if (whole) lo[d] = expr_narrow(p->a, t, lo[d]), hi[d] = expr_narrow(p->a, t, hi[d]);
    }
    isl_set_free(all);
    isl_set_free(box);
    if (!whole) return NULL;
    const Sym *row = iter_fresh(&p->names, c->loop[1]->iter->name, t);
    const Sym *column = iter_fresh(&p->names, c->loop[0]->iter->name, t);
    Expr *i = expr_sym(p->a, row), *one = expr_int(p->a, t, 1);
    from[0] = c->loop[0]->iter, to[0] = expr_add(p->a, i, expr_sym(p->a, column));
    from[1] = c->loop[1]->iter, to[1] = i;
    Node *n = node_subst(p->a, c->body, 2, from, to);
    n = node_for(p->a, column, lo[1], expr_add(p->a, hi[1], one), 1, HOW_SERIAL, n);
    return node_for(p->a, row, lo[0], expr_add(p->a, hi[0], one), 1, HOW_SERIAL, n);
}

Node *plan_diagonals(Plan *p, ChainFacts *f) {
    Waves w = {.p = p, .f = f, .n = f->chain.n};
    const Node *const *loop = (const Node *const *)f->chain.loop;
    bool may = p->gpu && !p->waving && !p->nhost && w.n == 2 && !f->nfree;
    if (!may || f->rel->touches.n > MOST_TOUCHES || plan_has_loop(f->chain.body)) return NULL;
    for (int l = 0; l < 2; l++)
        may = may && is_plain(loop[l]) && loop[l]->step == 1 && loop[l]->iter->type == loop[0]->iter->type;
    may = may && expr_uses_sym(loop[1]->lo, loop[0]->iter) && expr_uses_sym(loop[1]->hi, loop[0]->iter);
    if (!may) return NULL;
    bool fits = find_distances(&w);
    for (int i = 0; i < w.nsets && fits; i++) fits = stays_in_order(&w, w.distance[i]);
    Node *rows = fits && w.nsets ? in_rows(&w) : NULL;
    PlanMark before = plan_mark(p);
    Node *n = rows ? plan_waves(p, chain_facts(p, rows)) : NULL;
    return n ? n : (plan_back(p, before), NULL);
}

// ---- borders ------------------------------------------------------------------------------------
//   for i { for j  if (i == 0) S0 else if (j == 0) S1 else S2 }
//     →   for j S0   for i { for j = 0  S1   for j > 0  S2 }
//
// A border that is free has a kernel of its own then, and no tile of the waves asks for it.

// Is the condition that changes in the loop whether the iteration is its first?
static bool asks_for_first(Node *loop) {
    const Expr *t = branch_term(loop);
    bool equal = t && (t->op == OP_EQ || t->op == OP_NE) && t->args[0]->kind == E_SYM;
    return equal && t->args[0]->sym == loop->iter && expr_equal(t->args[1], loop->lo);
}

// The last loop that has so many loops around it, following the last of each block.
static Node *last_loop(Node *n, int around) {
    for (n = unwrap(n); n->kind == N_SEQ || around > 0; n = unwrap(n))
        if (n->kind == N_SEQ && n->nkids) n = n->kids[n->nkids - 1];
        else if (n->kind == N_FOR) n = n->body, around--;
        else return n;
    return n;
}

Node *plan_borders(Plan *p, ChainFacts *f) {
    if (!p->gpu || p->o->plain || p->waving || f->nfree || f->chain.n < 2) return NULL;
    int parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    PlanMark before = plan_mark(p);
    Node *first = in_loops(p->a, f->chain.n, f->chain.loop, f->chain.body), *tree = first, *at = first;
    for (int l = 0; l < f->chain.n && tree && at->kind == N_FOR; l++) {
        if (asks_for_first(at)) tree = plan_step(p, tree, "branch %s", at->iter->name);
        if (tree) at = last_loop(tree, l + 1);
    }
    Node *n = tree && tree != first ? plan_node(p, tree) : NULL;
    if (n && p->nserial == serial && p->nparallel > parallel) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return plan_back(p, before), NULL;
}

// ---- which ----------------------------------------------------------------------------------------
static bool is_thread(const Node *n) { return n->kind == N_FOR && n->how == HOW_THREAD; }

static bool is_kernel(const Node *n) { return n->kind == N_KERNEL; }

static bool is_step(const Node *n) {
    bool serial = n->kind == N_FOR && n->how == HOW_SERIAL;
    return serial && !node_any(n, is_kernel) && node_any(n->body, is_thread);
}

static bool is_host(const Node *n) { return n->kind == N_FOR && node_any(n, is_kernel); }

// A loop of the host directly around launches: what each of them does may be a row of points.
static bool is_of_rows(const Node *n) { return is_host(n) && node_depth(n, is_host) == 1; }

bool plan_has_steps(const Nest *n) { return node_any(n->root, is_step) || node_any(n->root, is_of_rows); }

// Does the chain stay as it is with its outermost loop on the host?
static bool is_locked(Plan *p, const ChainFacts *f) {
    if (p->nhost == MAX_HOST_LOOPS) return false;
    p->host[p->nhost++] = f->chain.loop[0];
    const ChainFacts *inside = chain_facts(p, (Node *)f->chain.loop[1]);
    p->nhost--;
    return !inside->nfree;
}

Node *plan_waves(Plan *p, ChainFacts *f) {
    Waves w = {.p = p, .f = f, .n = f->chain.n};
    bool many = w.n > MOST_WAVE_LOOPS || f->rel->touches.n > MOST_TOUCHES;
    if (p->waving || f->nfree || w.n < 2 || many) return NULL;
    for (int l = 0; l < w.n; l++)
        if (!is_plain(f->chain.loop[l])) return NULL;
    if (!(p->o->staged || is_locked(p, f)) || !find_distances(&w) || !find_wave(&w)) return NULL;
    int parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    PlanMark before = plan_mark(p);
    Node *tiles = w.n < 4 && !plan_has_loop(f->chain.body) ? in_tiles(&w) : NULL;
    if (tiles) return p->nparallel++, tiles;
    plan_back(p, before);
    p->waving = true;
    Node *tree = in_waves(&w), *n = tree && tree->kind == N_FOR ? plan_host_loop(p, tree, f->cost) : NULL;
    p->waving = false;
    if (n && p->nserial == serial && p->nparallel > parallel) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    plan_back(p, before);
    return NULL;
}

// ---- for strategies ---------------------------------------------------------------------------------
const Node *site_waves(const Site *s, int around, const Node *const *outer, const Node *loop, Text *steps) {
    Compile *c = s->c;
    PlanOptions o = {s->call->target};
    Plan p = {.c = c, .a = c->arena, .region = s->region, .o = &o, .gpu = true};
    const char *line[MOST_WAVE_LOOPS];
    if (around > MAX_HOST_LOOPS) return NULL;
    for (int i = 0; i < around; i++) p.host[p.nhost++] = outer[i];
    ChainFacts *f = chain_order(&p, (Node *)loop);
    Waves w = {.p = &p, .f = f, .n = f->chain.n};
    if (w.n < 2 || w.n > MOST_WAVE_LOOPS || f->rel->touches.n > MOST_TOUCHES) return NULL;
    for (int l = 0; l < w.n; l++)
        if (!is_plain(f->chain.loop[l]) || f->chain.loop[l]->step != 1) return NULL;
    if (!find_distances(&w) || !w.nsets || !find_wave(&w)) return NULL;
    int n = wave_lines(&w, line);
    for (int i = 0; i < n; i++) text_printf(steps, "%s\n", line[i]);
    for (int l = w.n - 2; l >= 0; l--) {
        const char *name = f->chain.loop[l]->iter->name;
        text_printf(steps, "maybe %s_bounds: trim %s\n", name, name);
    }
    return f->chain.loop[w.n - 2];
}
