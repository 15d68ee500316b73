// SPDX-License-Identifier: MIT
// slides.c -- strategy: sums over windows that slide along with their results, in registers.
//
//   for i { s = 0                          block { for strip of k {
//     for k  s += h[k] * x[i + k]              coop x_s = x[the block's places, and those of the strip]
//     y[i] = s }                      →        thread { for eight of the strip {
//                                                x_r[14] = x_s[…]          what seven places see
//                                                for each k  for its i  sum[i] += h[k] * x_r[i + k] } } }
//                                              thread { y_s[…] = sum } coop y = y_s }
//
// Filters, correlations, boxes, the greatest of a neighbourhood, products with Toeplitz matrices: each
// element is read by as many places as the window is long, and a thread that has several places reads it once
// for all of them. These lie side by side, an odd number of them, so that lanes are in different banks. A
// window of few iterations is written out, with all of its halo in shared memory where that has room; a long
// one, or one of which nobody knows the length, goes by in strips. Where windows go down the columns of what
// lanes lie along, a thread's places are rows, and nothing is shared.
#include "plan/lone.h"
#include "rule/catalogue.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHOLE = 32,           // iterations of a window that is written out
    STRIP = 64, STEP = 8, // of one that is not: what is shared, what is in registers
    WARP = 32,
    SHARED = 46 << 10,    // bytes that every device has for a block
    GRID = 3,             // dimensions of a grid
    ROUNDS = 2,           // blocks of a multiprocessor that parts of sums should make
    LEAST_PARTS = 2,
    TERMS = 64, FEW = 8,  // of sums that are written out, and of one that goes down columns
};

// Places of a thread, and warps of a block, each with a row of its own where there are rows.
typedef struct Cut {
    int places, warps;
} Cut;
static const Cut along[] = {{7, 8}, {7, 4}, {7, 1}, {15, 4}, {5, 8}, {3, 8}};
static const Cut across[] = {{8, 4}, {16, 4}, {4, 8}, {16, 1}};

typedef struct Slide {
    Lone u;
    const Access *image;      // what the window moves over, in one of its dimensions
    const Node *place, *window;
    const Node *row;          // another free loop; NULL: there is none
    const Node *lane;         // that neighbours in memory lie along
    Role outer, rest;         // the other sums, and the other free loops
    AccessVec reads;
    int64_t trips;            // of the window, where it is written out; else 0
} Slide;

// ---- what slides -----------------------------------------------------------------------------------------
// The free loop that the window moves with by the least, those inside first: neighbours share most of theirs.
// NULL: windows have nothing in common.
static const Node *place_of(const Slide *w, const Access *x, int d, const Node *window) {
    const Node *best = NULL;
    int64_t least = llabs(access_coef(x, d, window)) * lone_trips(&w->u, window);
    for (int f = w->u.free.n - 1; f >= 0; f--) {
        int64_t by = llabs(access_coef(x, d, w->u.free.loop[f]));
        if (by && by < least) best = w->u.free.loop[f], least = by;
    }
    return best;
}

static bool finds(Slide *w, bool last) {
    for (int i = 0; i < w->reads.n; i++)
        for (int d = w->reads.at[i].array->rank - 1; d >= 0; d--) {
            const Access *x = &w->reads.at[i];
            if ((d == x->array->rank - 1) != last) continue;
            for (int k = w->u.sums.n - 1; k >= 0; k--) {
                w->window = w->u.sums.loop[k], w->image = x;
                if ((w->place = place_of(w, x, d, w->window))) return true;
            }
        }
    return false;
}

// The free loop with most iterations, those first that another sum moves with.
static const Node *best_row(const Slide *w) {
    const Node *best = NULL;
    bool moves = false;
    for (int f = 0; f < w->u.free.n; f++) {
        const Node *n = w->u.free.loop[f];
        bool with = false;
        if (n == w->lane) continue;
        for (int d = 0; d < w->image->array->rank; d++)
            for (int k = 0; k < w->outer.n; k++)
                with |= access_coef(w->image, d, n) && access_coef(w->image, d, w->outer.loop[k]);
        if (!best || with > moves || (with == moves && lone_trips(&w->u, n) > lone_trips(&w->u, best)))
            best = n, moves = with;
    }
    return best;
}

static bool sort(Slide *w, bool last) {
    if (!finds(w, last)) return false;
    if (w->window != w->u.sums.loop[w->u.sums.n - 1] && !w->u.any_order) return false;
    const Expr *end = w->image->sub[w->image->array->rank - 1];
    w->lane = last ? w->place : NULL;
    for (int f = 0; f < w->u.free.n && !last; f++)
        if (expr_uses_sym(end, w->u.free.loop[f]->iter)) w->lane = w->u.free.loop[f];
    if (!w->lane || (!last && w->lane == w->place)) return false;
    w->outer = w->u.sums, w->rest = w->u.free;
    role_drop(&w->outer, w->window), role_drop(&w->rest, w->lane);
    if (!loop_constant(w->window, &w->trips) || w->trips > WHOLE) w->trips = 0;
    w->row = last ? best_row(w) : NULL;
    role_drop(&w->rest, last ? w->row : w->place);
    return true;
}

// ---- recipes ------------------------------------------------------------------------------------
// Elements of the image that a block reads with all of its windows; -1: that goes with a size.
static int64_t halo(const Slide *w, const Cut *cut) {
    int64_t all = 1;
    for (int d = 0; d < w->image->array->rank; d++) {
        int64_t n = 1, trips;
        for (int i = 0; i < w->u.all.n; i++) {
            const Node *l = w->u.all.loop[i];
            int64_t c = llabs(access_coef(w->image, d, l));
            if (!c || role_has(&w->rest, l)) continue;
            if (l == w->row) trips = cut->warps;
            else if (l == w->place) trips = (int64_t)cut->places * WARP * (w->row ? 1 : cut->warps);
            else if (!loop_constant(l, &trips)) return -1;
            n += c * (trips - 1);
        }
        all *= n;
    }
    return all;
}

// The loops of blocks, and those for which a grid has no dimension: these go around the sums.
static void put_rest(const Slide *w, int room, Text *blocks, Text *inside) {
    for (int i = 0; i < w->rest.n; i++) {
        int more = 0;
        for (int k = 0; k < w->rest.n; k++) {
            int64_t a = lone_trips(&w->u, w->rest.loop[i]), b = lone_trips(&w->u, w->rest.loop[k]);
            more += b > a || (b == a && k > i);
        }
        text_printf(more < room ? blocks : inside, " %s", loop_name(w->rest.loop[i]));
    }
}

// How many parts of the sums make enough blocks.
static int64_t parts_for(const Slide *w, double blocks, int64_t terms) {
    const PlanCall *k = w->u.s->call;
    double sms = (double)(k->machine ? k->machine->sms : k->processors);
    int64_t parts = (int64_t)fmin(ROUNDS * sms / blocks, (double)terms);
    return w->u.any_order && parts >= LEAST_PARTS ? parts : 1;
}

static bool is_first(const Slide *w, int i) {
    for (int k = 0; k < i; k++)
        if (w->reads.at[k].array == w->reads.at[i].array) return false;
    return true;
}

// Does the window move over it with the results?
static bool is_image(const Slide *w, const Array *a) {
    for (int i = 0; i < w->reads.n; i++)
        for (int d = 0; d < a->rank && w->reads.at[i].array == a; d++) {
            const Access *x = &w->reads.at[i];
            if (access_coef(x, d, w->window) && access_coef(x, d, w->place)) return true;
        }
    return false;
}

// What other reads name sums alone is shared as the image is, if its size is known.
static void put_weights(const Slide *w, const char *at, bool near, Text *r) {
    for (int i = 0; i < w->reads.n; i++) {
        const Access *x = &w->reads.at[i];
        bool fits = is_first(w, i) && !is_image(w, x->array) && access_names(x, w->window->iter);
        for (int f = 0; f < w->u.free.n; f++) fits &= !access_names(x, w->u.free.loop[f]->iter);
        for (int k = 0; near && k < w->outer.n; k++) {
            int64_t trips;
            fits &= !access_names(x, w->outer.loop[k]->iter) || loop_constant(w->outer.loop[k], &trips);
        }
        if (fits) text_printf(r, "stage %s at=%s as=w%d_s\n", x->array->name, at, i);
    }
}

// Arrays in memory that the sums end in.
static LoopNames results_of(const Slide *w) {
    LoopNames all = {0};
    node_each(n, w->u.nest->root) {
        const Array *a = n->kind != N_STMT ? NULL : n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs;
        bool known = !a || a->place != PLACE_USER;
        for (int i = 0; !known && i < all.n; i++) known = str_eq(all.at[i], a->name);
        if (!known) vec_push(w->u.s->c->arena, &all, a->name);
    }
    return all;
}

static char *recipe(const Slide *w, const Cut *cut, bool last) {
    Arena *a = w->u.s->c->arena;
    Text r = text_new(a), blocks = text_new(a), inside = text_new(a);
    int64_t size = 0, all = last ? halo(w, cut) : 1;
    for (int i = 0; i < w->reads.n; i++)
        if (is_first(w, i) && is_image(w, w->reads.at[i].array))
            size += type_size(w->reads.at[i].array->elem);
    bool near = w->trips && all > 0 && all * size <= SHARED;
    int lanes = WARP * (w->row ? 1 : cut->warps), wide = last ? lanes * cut->places : lanes;
    double n = ceil((double)lone_trips(&w->u, w->lane) / wide);
    text_put(&r, text_str(&w->u.steps));
    put_rest(w, GRID - 1 - (last && !w->row ? 0 : 1), &blocks, &inside);
    if (last) {
        text_printf(&r, "strip %s by=%d as=wxb,wx1\nstrip wx1 by=%d as=wxl,wpv edge=exact\n",
                    loop_name(w->lane), wide, cut->places);
        if (w->row) {
            text_printf(&r, "strip %s by=%d as=wyb,wyl\n", loop_name(w->row), cut->warps);
            text_put(&blocks, " wyb"), n *= ceil((double)lone_trips(&w->u, w->row) / cut->warps);
        }
    } else {
        text_printf(&r, "strip %s by=%d as=wxb,wxl\nstrip %s by=%d as=wyb,wpv\n", loop_name(w->lane), wide,
                    loop_name(w->place), cut->places);
        text_put(&blocks, " wyb"), n *= ceil((double)lone_trips(&w->u, w->place) / cut->places);
    }
    for (int i = 0; i < w->rest.n; i++) n *= (double)lone_trips(&w->u, w->rest.loop[i]);
    text_put(&blocks, " wxb");
    const char *threads = last && w->row ? "wyl wxl" : "wxl";
    const char *window = w->trips ? loop_name(w->window) : "wkv";
    const char *deepest = w->outer.n ? loop_name(w->outer.loop[w->outer.n - 1]) : NULL;
    if (!w->trips && last)
        text_printf(&r, "strip %s by=%d as=wkb,wk1\nstrip wk1 by=%d as=wkq,wkv edge=exact\n",
                    loop_name(w->window), STRIP, STEP);
    else if (!w->trips) text_printf(&r, "strip %s by=%d as=wkq,wkv\n", loop_name(w->window), STEP);
    const char *strip = w->trips ? NULL : last ? "wkb" : "wkq", *first = strip ? strip : window;
    if (w->outer.n) first = loop_name(w->outer.loop[0]);
    bool early = near || !last;  // threads stand around all sums
    text_printf(&r, "interchange%s%s", text_str(&blocks), text_str(&inside));
    if (early) text_printf(&r, " %s", threads);
    for (int i = 0; i < w->outer.n; i++) text_printf(&r, " %s", loop_name(w->outer.loop[i]));
    if (strip) text_printf(&r, " %s", strip);
    if (!early) text_printf(&r, " %s", threads);
    text_printf(&r, "%s %s wpv\nmap block%s\nmap thread %s\n", strip && last ? " wkq" : "", window,
                text_str(&blocks), threads);
    int64_t terms = w->outer.n ? lone_trips(&w->u, w->outer.loop[0]) : lone_trips(&w->u, w->window) / STRIP;
    int64_t parts = (w->trips && !w->outer.n) || w->u.sum.n > 1 ? 1 : parts_for(w, n, terms);
    for (int i = 0; i < w->u.sum.n; i++)
        text_printf(&r, "hoist %s at=%s%s as=wsum%d\n", w->u.sum.at[i], first,
                    parts > 1 ? " init=zero" : "", i);
    if (parts > 1) text_printf(&r, "splitk %s by=%lld\n", first, (long long)parts);
    const char *around = strip ? "wkq" : deepest && early ? deepest : "wxl";
    const char *at = near ? "wxb" : strip ? strip : deepest;
    for (int i = 0; last && i < w->reads.n; i++)
        if (is_first(w, i) && is_image(w, w->reads.at[i].array))
            text_printf(&r, "stage %s at=%s as=w%d_s\n", w->reads.at[i].array->name, at, i);
    if (last) put_weights(w, at, near, &r);
    for (int i = 0; i < w->reads.n; i++) {
        const char *from = w->reads.at[i].array->name;
        if (!is_first(w, i) || !is_image(w, w->reads.at[i].array)) continue;
        text_printf(&r, "stage %s at=%s as=w%d_r\n", last ? arena_printf(a, "w%d_s", i) : from, around, i);
    }
    text_printf(&r, "edge compute\nunroll wpv\nunroll %s\n", window);
    for (int i = 0; w->u.joins && i < w->u.sum.n; i++)
        text_printf(&r, "join %s as=wend%d\nedge compute\n", w->u.sum.at[i], i);
    LoopNames results = results_of(w);
    for (int i = 0; last && parts == 1 && i < results.n; i++)
        text_printf(&r, "stage %s at=wxb as=wy%d_s\n", results.at[i], i);
    return arena_strdup(a, text_str(&r));
}

static bool see_reads(Slide *w) {
    const Node *b = w->u.body;
    for (int s = 0; s < (b->kind == N_SEQ ? b->nkids : 1); s++) {
        AccessVec v = node_accesses(w->u.s->c->arena, b->kind == N_SEQ ? b->kids[s] : b);
        for (int i = 1; i < v.n; i++) {
            const Access *x = &v.at[i];
            if (x->write || x->array->place == PLACE_LOCAL || !x->array->rank) continue;
            if (!access_is_linear(&w->u, x)) return false;
            vec_push(w->u.s->c->arena, &w->reads, *x);
        }
    }
    return w->reads.n > 0;
}

// Are all sums of so few terms, as the region says, that a thread with several rows has them written out?
// Then a compiler reads once what several of them name, and asks less often whether it is there: 7 x 7 of
// 16384^2 took 0.91 ms so on an H200, and 1.19 by way of registers.
static bool is_written_out(const Slide *w) {
    bool told = strstr(text_str(&w->u.steps), "define ") != NULL; // sizes of the call
    int64_t terms = !told, trips = 0;
    for (int i = 0; i < w->reads.n; i++)
        for (int f = 0; f < w->u.free.n; f++)
            if (!is_image(w, w->reads.at[i].array) && access_names(&w->reads.at[i], w->u.free.loop[f]->iter))
                return false; // weights of many filters
    for (int i = 0; i < w->u.sums.n; i++)
        terms = loop_constant(w->u.sums.loop[i], &trips) ? terms * trips : 0;
    return terms > 0 && terms <= TERMS && w->trips > 0 && w->trips <= FEW;
}

static int recipes(const Site *s, const char **out, const char **why) {
    Slide w = {0};
    int n = 0;
    *why = "no sums over windows that move with their results";
    if (!str_eq(s->call->target, "gpu") || !lone_find(s, WHOLE, &w.u) || !see_reads(&w)) return 0;
    for (int last = 1; last >= 0; last--) {
        if (!sort(&w, last) || (!last && is_written_out(&w))) continue;
        const Cut *cut = last ? along : across;
        for (size_t i = 0; i < (last ? sizeof along : sizeof across) / sizeof *cut && n < SITE_RECIPES; i++)
            out[n++] = recipe(&w, &cut[i], last);
    }
    return n;
}

const Strategy slides_strategy = {"windows that slide, in registers", recipes, true};
