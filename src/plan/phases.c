// SPDX-License-Identifier: MIT
// phases.c -- strategy: a block for each iteration of the free loops around steps that follow one another;
// its threads share what is free inside of a step.
//
//   for b                                   block b { shared a_s = a[b], p
//     for k {                                 for k {
//       p = sqrt(a[b][k][k]); …                 thread one { p = …; … }
//       for i > k  a[b][i][k] /= p     →        thread i   if (i > k) a_s[i][k] /= p
//       for i > k for j > k                     thread i   if (i > k) for j > k  a_s[i][j] -= …
//         a[b][i][j] -= … }                   }
//                                             a[b] = a_s }
//
// Batches of small factorisations, of systems, of relaxations; of elements whose steps hand each other arrays
// of their own. Where sizes are compiled in, what moves with the blocks' loops lies in shared memory. Small
// loops are threads as they stand; others go in strips of as many threads as a block has. Barriers stand
// where phases need them.
//
// Loops of which none is free, but whose points are in waves (waves.c), are waves of the block: tables of
// many pairs of texts, trees of many prices.
//
// Where steps hold sums, or the greatest of a column, a block's threads are a team that deals out each loop
// of a step (rule reduce): a panel of a factorisation, with its pivots or norms, is one launch. So are
// several sums of each iteration, without steps. What short loops do beside them is one thread's.
#include "plan/near.h"
#include "rule/loops.h"

enum { BLOCK_LOOPS = 3, LARGE = 128, WARP = 32, MOST_THREADS = 512, TEAM_LOOPS = 8, SHORT = 16 };
enum { MOST_AROUND = MAX_HOST_LOOPS, MOST_WAVES = 4 };
static const int team[] = {128, 256, 512, 1024}; // threads

typedef struct Phases {
    const Site *s;
    Band b;
    bool no;
    int nthreads, nsingle;
    int naround;                   // loops around what is looked at
    const Node *around[MOST_AROUND];
    int nwaves;
    const char *point[MOST_WAVES]; // the loop of a wave's points
    bool in_turn;                  // some phases stand in a loop that goes step by step
    bool arrays;                   // phases hand each other arrays of the block's own
    Text single, promote, hull, strip, map, map_strips, waves;
} Phases;

// Is it, or is something below it, a loop whose iterations may be threads?
static bool holds_free(const Phases *p, const Node *n) {
    if (n->kind == N_FOR && site_is_free(p->s, n)) return true;
    for (int i = 0; node_kid(n, i); i++)
        if (holds_free(p, node_kid(n, i))) return true;
    return false;
}

static bool is_while(const Node *n) { return n->kind == N_FOR && loop_while(n); }

// The point's loop of the waves that the loop and those directly inside of it are; NULL: they are none.
static const Node *points_of(const Phases *p, const Node *n, Text *steps) {
    if (n->kind != N_FOR || holds_free(p, n)) return NULL;
    return site_waves(p->s, p->naround, p->around, n, steps);
}

static bool holds_threads(Phases *p, const Node *n) {
    Text steps = text_new(p->s->c->arena);
    if (holds_free(p, n) || points_of(p, n, &steps)) return true;
    bool in = n->kind == N_FOR && p->naround < MOST_AROUND, some = false;
    if (in) p->around[p->naround++] = n;
    for (int i = 0; node_kid(n, i) && !some; i++) some = holds_threads(p, node_kid(n, i));
    p->naround -= in;
    return some;
}

// What a step names it by.
static const char *name_of(const Node *n) {
    return n->kind == N_FOR ? n->iter->name : n->kind == N_STMT ? n->stmt->label : NULL;
}

static void put_single(Phases *p, const Node *first, const Node *last) {
    const char *x = name_of(first), *y = name_of(last);
    if (!x || !y) return (void)(p->no = true);
    bool one = first == last;
    text_printf(&p->single, "single %s%s%s loop=one%d\n", x, one ? "" : " ", one ? "" : y, p->nsingle);
    text_printf(&p->map, "map thread one%d\n", p->nsingle);
    text_printf(&p->map_strips, "map thread one%d\n", p->nsingle++);
}

// Free loops directly inside are threads, too, while a block has room for them.
static void put_threads(Phases *p, const Node *n) {
    const char *x = n->iter->name;
    if (n->step != 1) return (void)(p->no = true);
    if (expr_uses_iters(n->lo) || expr_uses_iters(n->hi)) text_printf(&p->hull, "hull %s\n", x);
    text_printf(&p->map, "map thread %s", x);
    text_printf(&p->strip, "strip %s by=%d as=%s_c,%s_t\n", x, LARGE, x, x);
    text_printf(&p->map_strips, "map thread %s_t\n", x);
    int64_t all = loop_literal_trips(n->lo, n->hi, 1);
    for (n = unwrap(n->body); all > 0 && n->kind == N_FOR && site_is_free(p->s, n); n = unwrap(n->body)) {
        int64_t trips = loop_literal_trips(n->lo, n->hi, n->step);
        if (n->step != 1 || trips < 0 || (all *= trips) > MOST_THREADS) break;
        text_printf(&p->map, " %s", n->iter->name);
    }
    text_put(&p->map, "\n");
    p->nthreads++;
}

static void see(Phases *p, const Node *n, bool in_turn);

// Statements and loops that nothing is free in are one thread's, as many as stand together.
static void see_block(Phases *p, const Node *n, bool in_turn) {
    int first = -1;
    for (int i = 0; i < n->nlocals; i++) p->arrays |= n->locals[i]->rank > 0;
    if (n->nlocals) text_printf(&p->promote, "promote %s\n", n->locals[0]->name);
    for (int i = 0; i <= n->nkids; i++) {
        bool shared = i == n->nkids || holds_threads(p, n->kids[i]);
        if (!shared && first < 0) first = i;
        if (shared && first >= 0) put_single(p, n->kids[first], n->kids[i - 1]), first = -1;
        if (i < n->nkids && shared) see(p, n->kids[i], in_turn);
    }
}

static bool put_waves(Phases *p, const Node *n) {
    const Node *point = p->nwaves < MOST_WAVES ? points_of(p, n, &p->waves) : NULL;
    if (!point) return false;
    p->point[p->nwaves++] = point->iter->name;
    p->nthreads++;
    return p->in_turn = true;
}

static void see(Phases *p, const Node *n, bool in_turn) {
    if (n->kind == N_SEQ) return see_block(p, n, in_turn);
    if (n->kind == N_IF) {
        p->no |= !cond_is_free(n->cond);
        see(p, n->then, in_turn);
        if (n->other) see(p, n->other, in_turn);
    } else if (n->kind != N_FOR || !holds_threads(p, n)) {
        put_single(p, n, n);
    } else if (site_is_free(p->s, n)) {
        p->in_turn |= in_turn;
        put_threads(p, n);
    } else if (!put_waves(p, n)) {
        p->no |= p->naround == MOST_AROUND;
        if (p->no) return;
        p->around[p->naround++] = n;
        see(p, n->body, true);
        p->naround--;
    }
}

static bool moves_with(const Phases *p, const Access *x) {
    for (int d = 0; d < x->array->rank; d++)
        for (int l = 0; l < p->b.n; l++)
            if (expr_uses_sym(x->sub[d], p->b.loop[l]->iter)) return true;
    return false;
}

// Arrays of which each block has other elements.
static void put_staged(const Phases *p, Text *t) {
    VEC(const Array *) all = {0};
    AccessVec v = tree_accesses(t->arena, p->b.body);
    for (int i = 0; i < v.n; i++) {
        const Array *x = v.at[i].array;
        bool known = x->place != PLACE_USER || !x->rank || !moves_with(p, &v.at[i]);
        for (int k = 0; k < all.n; k++) known |= all.at[k] == x;
        if (known) continue;
        vec_push(t->arena, &all, x);
        text_printf(t, "stage %s at=%s pad=1\n", x->name, p->b.loop[p->b.n - 1]->iter->name);
    }
}

// Few iterations, without loops inside: no work for a team.
static bool is_short(const Node *n) {
    int64_t trips;
    return n->kind == N_FOR && loop_constant(n, &trips) && trips <= SHORT && !has_loops(n->body);
}

// Loops inside, all of them short: of a sum, its terms go to the elements of a row.
static bool is_row(const Node *n) {
    bool all = true;
    node_each(k, n->body) all &= k->kind != N_FOR || is_short(k);
    return all && has_loops(n->body);
}

// The outermost loops that are free or sums, where some are sums and stand in steps, or are several sums
// each; how many. -1: a team can't deal them.
static int see_team(const Site *s, const Node *n, bool in_turn, bool *sums, Text *t) {
    int all = 0;
    if (is_short(n)) return 0;
    if (n->kind == N_FOR && (site_is_free(s, n) || site_is_sum(s, n))) {
        *sums |= !site_is_free(s, n) && (in_turn || is_row(n));
        text_printf(t, " %s", n->iter->name);
        return n->step == 1 ? 1 : -1;
    }
    if ((n->kind == N_IF && !cond_is_free(n->cond)) || is_while(n)) return -1;
    for (int i = 0; node_kid(n, i) && all >= 0; i++) {
        int more = see_team(s, node_kid(n, i), in_turn || n->kind == N_FOR, sums, t);
        all = more < 0 || all + more > TEAM_LOOPS ? -1 : all + more;
    }
    return all;
}

static int team_recipes(const Phases *p, const char **out) {
    Text loops = text_new(p->s->c->arena), blocks = text_new(p->s->c->arena);
    bool sums = false;
    int n = 0;
    if (see_team(p->s, p->b.body, false, &sums, &loops) <= 0 || !sums) return 0;
    for (int i = 0; i < p->b.n; i++) text_printf(&blocks, " %s", p->b.loop[i]->iter->name);
    for (size_t i = 0; i < sizeof team / sizeof *team; i++)
        out[n++] = arena_printf(p->s->c->arena, "map block%s\nreduce%s by=%d\n", text_str(&blocks),
                                text_str(&loops), team[i]);
    return n;
}

// Points of a wave are threads' in strips.
static void put_points(const Phases *p, int threads, Text *t) {
    text_put(t, text_str(&p->waves));
    for (int i = 0; i < p->nwaves; i++)
        text_printf(t, "strip %s by=%d as=%s_c,%s_t\nmap thread %s_t\n", p->point[i], threads, p->point[i],
                    p->point[i], p->point[i]);
}

// sizes: that are compiled in; NULL: none. whole: loops are threads as they stand.
static const char *recipe(const Phases *p, const Sizes *sizes, bool whole, bool staged, int threads) {
    Text t = text_new(p->s->c->arena);
    if (sizes) site_define(sizes, &t);
    text_put(&t, text_str(&p->single));
    if (!whole) text_put(&t, text_str(&p->strip));
    text_put(&t, "map block");
    for (int i = 0; i < p->b.n; i++) text_printf(&t, " %s", p->b.loop[i]->iter->name);
    text_printf(&t, "\n%s%s%s", whole ? text_str(&p->hull) : "", text_str(whole ? &p->map : &p->map_strips),
                text_str(&p->promote));
    if (staged) put_staged(p, &t);
    put_points(p, threads, &t);
    return text_str(&t);
}

static int recipes(const Site *s, const char **out, const char **why) {
    Arena *a = s->c->arena;
    Phases p = {.s = s, .single = text_new(a), .promote = text_new(a), .hull = text_new(a),
                .strip = text_new(a), .map = text_new(a), .map_strips = text_new(a), .waves = text_new(a)};
    Sizes sizes;
    int n = 0;
    *why = "no steps in turn, inside of free loops, of which each has something free";
    if (!str_eq(s->call->target, "gpu") || !site_free_band(s, &p.b) || p.b.n > BLOCK_LOOPS) return 0;
    if (node_any((Node *)p.b.body, is_while)) return 0;
    n = team_recipes(&p, out);
    if (n) return n;
    for (int i = 0; i < p.b.n; i++) p.around[p.naround++] = p.b.loop[i];
    see(&p, p.b.body, false);
    if (p.no || !p.nthreads || !(p.in_turn || (p.arrays && p.nthreads > 1))) return 0;
    bool small = site_sizes(s, p.b.body, SHORT_ROW, &sizes);
    int64_t room = s->call->machine ? machine_shared(s->call->machine) : 0; // elements of a row at most
    for (int threads = p.nwaves ? WARP : LARGE; threads <= LARGE; threads *= LARGE / WARP) {
        if (small || site_sizes(s, p.b.body, room, &sizes))
            out[n++] = recipe(&p, &sizes, small, true, threads);
        if (small) out[n++] = recipe(&p, &sizes, true, false, threads);
        out[n++] = recipe(&p, NULL, false, false, threads);
    }
    return n;
}

const Strategy phases_strategy = {"phases of a block", recipes};
