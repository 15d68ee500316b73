// SPDX-License-Identifier: MIT
// teams.c -- rows that are reduced, each by a team of threads.
//
//   for i {                                   block ib { thread i {                8 rows, a warp each
//     m = …;  for j  m = max(m, x[i][j])        lanes of the warp: j = lane, lane + 32, …
//     s = 0;  for k  s += exp(x[i][k] - m)  →   what they found is combined by a tree
//     for l  y[i][l] = exp(x[i][l] - m) / s }   the next loop of the row likewise
//
// A thread a row would read a row apart from its neighbours. With a team a row neighbours read neighbours;
// how large it is depends on how many rows there are and on how long they are. The order of float sums
// changes, so this is for those that may be reassociated (dep/ says so, loop by loop), and for what has no
// order to lose.
#include "plan/teams.h"
#include "plan/auto.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

enum {
    BLOCK = 256,         // threads, whatever the team
    RESIDENT = 2048,     // threads of a multiprocessor
    UNROLL = 4,          // reads that a thread has under way, which rule reduce sees to
    LEAST_LENGTH = 12,   // iterations that are worth a team
    STEP_PASSES = 5,     // of a warp through shared memory, for a step of a tree
    SUM_PASSES = 6,      // … for what stands before the tree and behind it
};
static const double START = 5;     // microseconds: a launch, the first loads, the last stores
static const double SHARE = 0.9;   // of the rate at which memory is copied
static const double ROUND = 0.7;   // microseconds until reads of memory are there, and what follows from them
static const double STEP = 0.04;   // of a tree
static const double MEET = 0.5;    // of all warps of a block
static const double BESIDE = 0.05; // of what could go beside something else, that does not
static const double PASSES = 1700; // through a multiprocessor's shared memory, a microsecond

// ---- loops ------------------------------------------------------------------------------------------
static bool is_row(const DepInfo *d, const Node *n) {
    const LoopFact *f = n->kind == N_FOR ? dep_loop(d, n) : NULL;
    return f && f->parallel == ANSWER_ALWAYS && n->step == 1 && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi);
}

// A sum's updates must be of one element each: that of the row.
static bool is_sum(Arena *a, const LoopFact *f, const Node *loop, bool swapped) {
    VEC(const Sym *) counters = {0}; // of the loop and those inside
    if (f->reduction != ANSWER_ALWAYS) return false;
    if (swapped) vec_push(a, &counters, loop->iter); // all loops inside will stand around it
    else
        node_each(n, loop)
            if (n->kind == N_FOR) vec_push(a, &counters, n->iter);
    node_each(n, loop) {
        bool shared = false;
        for (int i = 0; n->kind == N_STMT && i < f->nred; i++) shared = shared || f->red[i] == n->stmt->lhs;
        for (int e = 0; shared && e < n->stmt->lhs->rank; e++) {
            Expr *x = node_stmt_expr(a, n, n->stmt->sub[e]);
            if (expr_has_load(x)) return false;
            for (int i = 0; i < counters.n; i++)
                if (expr_uses_sym(x, counters.at[i])) return false;
        }
    }
    return true;
}

static bool is_along(Arena *a, const Chain *c, int loop) {
    AccessVec v = tree_accesses(a, c->body);
    for (int i = 0; i < v.n; i++)
        if (v.at[i].array->rank > 1 && plan_along(&v.at[i], c->loop[loop]->iter) > 0) return true;
    return false;
}

// for k  for j  s += x[i][k][j]: neighbours in memory are iterations of the innermost loop; it goes outside.
static bool is_turned(Arena *a, const DepInfo *d, const Chain *c) {
    for (int i = 0; i < c->n; i++) {
        const Node *n = c->loop[i];
        const LoopFact *f = dep_loop(d, n);
        bool plain = n->step == 1 && !loop_is_unbounded(n) && !expr_has_load(n->lo) && !expr_has_load(n->hi);
        for (int e = 0; e < i; e++)
            plain = plain && !expr_uses_sym(n->lo, c->loop[e]->iter) &&
                    !expr_uses_sym(n->hi, c->loop[e]->iter);
        if (!plain || !f || (f->parallel != ANSWER_ALWAYS && f->reduction != ANSWER_ALWAYS)) return false;
    }
    return c->n > 1 && !has_loops(c->body) && is_along(a, c, c->n - 1) && !is_along(a, c, 0);
}

static bool add_dealt(Arena *a, const DepInfo *d, Teams *k, const Node *outer) {
    Chain c = chain_of((Node *)outer);
    bool turned = !k->swapped && is_turned(a, d, &c);
    const Node *n = turned ? c.loop[--c.n] : outer;
    const LoopFact *f = dep_loop(d, n);
    bool free = f && f->parallel == ANSWER_ALWAYS, sum = f && !free && is_sum(a, f, outer, k->swapped);
    if ((!free && !sum) || k->ndealt == TEAMS_LOOPS || loop_is_unbounded(n)) return false;
    for (int i = 0; i < k->ndealt; i++)
        if (k->dealt[i]->iter == n->iter) return false; // names of steps would be those of the first
    if (turned) k->around[k->ndealt] = c;
    k->dealt[k->ndealt++] = n;
    k->nsums += sum;
    return true;
}

// The loops of a row's body.
static bool add_body(Arena *a, const DepInfo *d, Teams *k, Node *n) {
    if (n->kind == N_FOR) return add_dealt(a, d, k, n);
    if (n->kind == N_STMT) return !n->nvia;
    if (n->kind == N_IF)
        return !has_loops(n) || (!expr_has_load(n->cond) && add_body(a, d, k, n->then) &&
                                (!n->other || add_body(a, d, k, n->other)));
    if (n->kind != N_SEQ) return false;
    for (int i = 0; i < n->nkids; i++)
        if (!add_body(a, d, k, n->kids[i])) return false;
    return true;
}

// for j { for i  y[i] += … }: rows inside of the only sum, all of it one nest of loops.
static bool add_swapped(Arena *a, const DepInfo *d, Teams *k, const Chain *c) {
    if (c->n < 2 || c->n > TEAMS_ROWS || has_loops(c->body)) return false;
    k->swapped = true;
    for (int i = 0; i < c->n; i++) {
        if (!is_row(d, c->loop[i]) ? k->ndealt || !add_dealt(a, d, k, c->loop[i]) : k->nrows == TEAMS_ROWS)
            return false;
        if (is_row(d, c->loop[i])) k->row[k->nrows++] = c->loop[i];
    }
    return k->nrows && k->nsums;
}

// Rows of which the data say how long they are can't be dealt together with the loop around them.
static bool has_ragged(const Teams *k) {
    for (int i = 0; i < k->ndealt; i++)
        if (expr_has_load(k->dealt[i]->lo) || expr_has_load(k->dealt[i]->hi)) return true;
    return false;
}

static bool add_loops(Arena *a, const DepInfo *d, Teams *k, Node *root) {
    Chain c = chain_of(root);
    while (k->nrows < c.n && k->nrows < TEAMS_ROWS && is_row(d, c.loop[k->nrows]))
        k->row[k->nrows] = c.loop[k->nrows], k->nrows++;
    if (!k->nrows) return add_swapped(a, d, k, &c);
    return add_body(a, d, k, unwrap(k->row[k->nrows - 1]->body)) && (k->nsums || has_ragged(k));
}

// ---- what is read and written -------------------------------------------------------------------------
typedef struct Look {
    Arena *a;
    Teams *k;
    int at;                  // which dealt loop
    const Array *rank1;      // walked in a loop of which the data say where it begins and ends
    bool along, apart;       // some walk along the rows; some would be better off with a thread a row
} Look;

// The counter plus what does not move with it?
static bool is_unit(Arena *a, Expr *x, const Sym *s) {
    int64_t coef;
    Expr *base;
    return affine_split(a, x, 1, &s, &coef, &base) && (coef == 1 || coef == -1);
}

// Do the data say where the loop's iterations go? Where they only say where a row begins they don't.
static bool is_chosen(const Expr *x, const Sym *s) {
    bool chosen = x->kind == E_LOAD && expr_uses_sym(x, s);
    for (int k = 0; k < x->nargs && !chosen; k++) chosen = is_chosen(x->args[k], s);
    return chosen;
}

// Is it another element in each row?
static bool names_rows(const Look *l, const Node *loop, const Access *x) {
    for (int i = 0; i < l->k->nrows; i++) {
        const Sym *s = l->k->row[i]->iter;
        if (!access_names(x, s) && !expr_uses_sym(loop->lo, s) && !expr_uses_sym(loop->hi, s))
            return false;
    }
    return true;
}

static void see_access(Look *l, const Node *loop, const Access *x) {
    int last = x->array->rank - 1;
    if (x->array->place != PLACE_USER || last < 0) return;
    bool names = exprs_use(x->sub, last + 1, loop->iter),
         along = !exprs_use(x->sub, last, loop->iter) && is_unit(l->a, x->sub[last], loop->iter);
    const Sym *inner = l->k->row[l->k->nrows - 1]->iter;
    bool across = is_unit(l->a, x->sub[last], inner) && !expr_uses_sym(x->sub[last], loop->iter);
    bool chosen = false; // as good one way as the other
    for (int e = 0; e <= last; e++) chosen = chosen || is_chosen(x->sub[e], loop->iter);
    if (!names || chosen) return;
    if (across || !along) l->apart = true;
    if (!along || !names_rows(l, loop, x)) return;
    l->along = true;
    if (!last) l->rank1 = x->array;
    for (int i = 0; i < l->k->nwalks; i++) {
        Walk *w = &l->k->walk[i];
        if (w->array != x->array || w->write != x->write) continue;
        w->loops |= 1u << l->at;
        return; // the cache has it
    }
    if (l->k->nwalks < TEAMS_WALKS) l->k->walk[l->k->nwalks++] = (Walk){x->array, x->write, 1u << l->at};
    l->k->bytes[l->at] += type_size(x->array->elem);
}

// ---- how many ---------------------------------------------------------------------------------------
static Expr *real(Arena *a, double x) { return expr_float(a, T_F64, x); }
static Expr *more(Arena *a, Expr *x, Expr *y) { return expr_op(a, OP_MAX, x, y, NULL); }
static Expr *over(Arena *a, Expr *x, Expr *y) { return expr_op(a, OP_DIV, x, y, NULL); }

// Iterations of a loop where the rows around it are in their middle: of a triangle the mean. NULL: not over
// parameters.
static Expr *trips_of(Arena *a, const Teams *k, int n, const Node *loop) {
    const Sym *from[TEAMS_ROWS];
    Expr *to[TEAMS_ROWS];
    for (int i = 0; i < n; i++) {
        Expr *lo = expr_cast(a, T_I64, k->row[i]->lo), *hi = expr_cast(a, T_I64, k->row[i]->hi);
        from[i] = k->row[i]->iter;
        to[i] =
            expr_op(a, OP_FDIV, expr_add(a, expr_subst(a, lo, i, from, to), expr_subst(a, hi, i, from, to)),
                    expr_int(a, T_I64, 2), NULL);
    }
    Expr *trips = expr_subst(a, expr_cast(a, T_F64, loop_trips(a, loop)), n, from, to);
    return expr_uses_iters(trips) || expr_has_load(trips) ? NULL : more(a, trips, real(a, 0));
}

// What is touched of an array with one subscript.
static Expr *touched(Arena *a, const DepInfo *d, const Array *x) {
    for (int i = 0; i < d->nfeet; i++) {
        const Foot *f = &d->feet[i];
        if (f->array != x || !f->lo[0] || !f->hi[0]) continue;
        Expr *n = expr_sub(a, expr_cast(a, T_I64, f->hi[0]), expr_cast(a, T_I64, f->lo[0]));
        return more(a, expr_cast(a, T_F64, expr_add(a, n, expr_int(a, T_I64, 1))), real(a, 0));
    }
    return NULL;
}

static bool find_sizes(Arena *a, const DepInfo *d, Teams *k, const Array *const *rank1) {
    k->rows = real(a, 1);
    for (int i = 0; i < k->nrows; i++) {
        Expr *n = trips_of(a, k, i, k->row[i]);
        if (!n) return false;
        k->rows = expr_mul(a, k->rows, n);
    }
    k->rows = more(a, k->rows, real(a, 1));
    for (int i = 0; i < k->ndealt; i++) {
        Expr *n = trips_of(a, k, k->nrows, k->dealt[i]),
             *all = n || !rank1[i] ? NULL : touched(a, d, rank1[i]);
        k->length[i] = n ? n : all ? over(a, all, k->rows) : NULL;
        if (!k->length[i]) return false;
        k->each[i] = real(a, 1);
        for (int e = 0; e < k->around[i].n; e++) {
            Expr *each = trips_of(a, k, k->nrows, k->around[i].loop[e]);
            if (!each) return false;
            k->each[i] = expr_mul(a, k->each[i], each);
        }
    }
    return true;
}

// few: of rows that neighbours in memory belong to, or that don't say what is read.
static bool find(Compile *c, const Region *r, const DepInfo *d, bool few, Teams *out) {
    *out = (Teams){.region = r};
    Look l = {.a = c->arena, .k = out};
    const Array *rank1[TEAMS_LOOPS] = {0};
    if (!d->bounds || !add_loops(c->arena, d, out, r->root)) return false;
    for (; l.at < out->ndealt; l.at++) {
        l.rank1 = NULL;
        const Node *dealt = out->dealt[l.at];
        AccessVec v = tree_accesses(c->arena, dealt->body);
        for (int i = 0; i < v.n; i++) see_access(&l, dealt, &v.at[i]);
        rank1[l.at] = l.rank1;
    }
    return (l.along && !l.apart) != few && find_sizes(c->arena, d, out, rank1);
}

bool teams_find(Compile *c, const Region *r, const DepInfo *d, Teams *out) {
    return find(c, r, d, false, out);
}

bool teams_find_few(Compile *c, const Region *r, const DepInfo *d, Teams *out) {
    return find(c, r, d, true, out);
}

// ---- the recipe -----------------------------------------------------------------------------------------
static Text recipe_of(Arena *a, const Teams *k, int by) {
    Text t = text_new(a);
    const char *last = k->row[k->nrows - 1]->iter->name;
    bool several = by < BLOCK;
    if (k->swapped) {
        text_put(&t, "interchange");
        for (int i = 0; i < k->nrows; i++) text_printf(&t, " %s", k->row[i]->iter->name);
        text_printf(&t, " %s\n", k->dealt[0]->iter->name);
    }
    for (int i = 0; i < k->ndealt; i++) {
        if (k->around[i].n) text_printf(&t, "interchange %s", k->dealt[i]->iter->name);
        for (int e = 0; e < k->around[i].n; e++) text_printf(&t, " %s", k->around[i].loop[e]->iter->name);
        if (k->around[i].n) text_put(&t, "\n");
    }
    if (several) text_printf(&t, "strip %s by=%d as=rb,ri\n", last, BLOCK / by);
    text_put(&t, "map block");
    for (int i = 0; i + 1 < k->nrows; i++) text_printf(&t, " %s", k->row[i]->iter->name);
    text_printf(&t, " %s\n", several ? "rb" : last);
    if (several) text_put(&t, "map thread ri\n");
    text_put(&t, "reduce");
    for (int i = 0; i < k->ndealt; i++) text_printf(&t, " %s", k->dealt[i]->iter->name);
    text_printf(&t, " by=%d", by);
    return t;
}

char *teams_recipe(Arena *a, const Teams *k, int by) {
    Text t = recipe_of(a, k, by);
    text_put(&t, "\n");
    return arena_strdup(a, text_str(&t));
}

// The loops that read or write the walk's array; 0: an earlier walk has it.
static unsigned loops_of(const Teams *k, int walk, bool *written) {
    unsigned loops = 0;
    *written = false;
    for (int i = 0; i < k->nwalks; i++) {
        if (k->walk[i].array != k->walk[walk].array) continue;
        if (i < walk) return 0;
        loops |= k->walk[i].loops;
        *written = *written || k->walk[i].write;
    }
    return loops;
}

int teams_held(const Teams *k) {
    int n = 0;
    bool written;
    for (int i = 0; i < k->ndealt; i++)
        if (k->around[i].n) return 0; // whole planes are too many registers
    for (int i = 0; i < k->nwalks; i++) n += __builtin_popcount(loops_of(k, i, &written)) > 1;
    return n;
}

char *teams_resident(Arena *a, const Teams *k, int by, int rounds, int width) {
    Text t = recipe_of(a, k, by);
    const char *at = by < BLOCK ? "rb" : k->row[k->nrows - 1]->iter->name;
    bool written;
    text_printf(&t, " rounds=%d", rounds);
    if (width > 1) text_printf(&t, " width=%d", width);
    text_put(&t, "\n");
    for (int i = 0; i < k->nwalks; i++) {
        const char *name = k->walk[i].array->name;
        if (__builtin_popcount(loops_of(k, i, &written)) < 2) continue;
        if (written) text_printf(&t, "hoist %s at=%s as=%s_row max=%d\n", name, at, name, rounds * width);
        else text_printf(&t, "stage %s at=%s in=register as=%s_row\n", name, at, name);
    }
    return arena_strdup(a, text_str(&t));
}

// ---- when, and how long -----------------------------------------------------------------------------------
Expr *teams_pays(Arena *a, const Teams *k, int by) {
    Expr *longest = k->length[0];
    for (int i = 1; i < k->ndealt; i++) longest = more(a, longest, k->length[i]);
    return expr_op(a, OP_GE, longest, real(a, by > LEAST_LENGTH ? by / 2 : LEAST_LENGTH), NULL);
}

static int steps_of(int by) {
    int n = 0;
    for (; by > 1; by = (by + 3) / 4) n++;
    return n;
}

// What a team takes for a row when nothing else holds it up: rounds of reads, and trees.
static Expr *row_time(Arena *a, const Teams *k, int by) {
    Expr *time = real(a, k->nsums * (STEP * (steps_of(by) + 1) + (by > 32 ? MEET : 0)));
    for (int i = 0; i < k->ndealt; i++) {
        Expr *rounds = more(a, over(a, k->length[i], real(a, (double)UNROLL * by)), real(a, 1));
        time = expr_add(a, time, expr_mul(a, expr_mul(a, rounds, k->each[i]), real(a, ROUND)));
    }
    return time;
}

// All trees through shared memory: those of a warp's teams go together.
static Expr *tree_time(Arena *a, const Teams *k, int by, const Sym *processors) {
    double passes = k->nsums * (SUM_PASSES + STEP_PASSES * steps_of(by)) * (by / 32.0);
    return over(a, expr_mul(a, k->rows, real(a, passes / PASSES)),
                expr_cast(a, T_F64, expr_sym(a, processors)));
}

// All that is touched once through the memory, rows one after another in the threads that there are, and
// trees: what takes longest, and of the rest what does not go beside it.
Expr *teams_cost(Arena *a, const Teams *k, int by, const Sym *copying, const Sym *processors) {
    Expr *bytes = real(a, 0);
    for (int i = 0; i < k->ndealt; i++)
        bytes = expr_add(a, bytes, expr_mul(a, expr_mul(a, k->length[i], k->each[i]), real(a, k->bytes[i])));
    Expr *rate = expr_mul(a, real(a, SHARE), expr_cast(a, T_F64, expr_sym(a, copying)));
    Expr *places = expr_mul(a, real(a, (double)RESIDENT / by), expr_cast(a, T_F64, expr_sym(a, processors)));
    Expr *turns = more(a, over(a, k->rows, places), real(a, 1));
    Expr *memory = over(a, expr_mul(a, k->rows, bytes), rate);
    Expr *trees = tree_time(a, k, by, processors), *waiting = expr_mul(a, turns, row_time(a, k, by));
    Expr *all = expr_add(a, memory, expr_add(a, trees, waiting)),
         *longest = more(a, memory, more(a, trees, waiting));
    all = expr_add(a, expr_mul(a, real(a, BESIDE), all), expr_mul(a, real(a, 1 - BESIDE), longest));
    return expr_add(a, real(a, START), all);
}
