// SPDX-License-Identifier: MIT
// tiles.c -- strategy: blocks whose tiles have several loops a side, for contractions with more loops than a
// product has.
//
// Sums over windows that move with their results, with weights for several results at each place, are
// convolutions of one to three dimensions, with strides, in any layout:
//
//   for n for k for i for j { for c for p for q  y[n][k][i][j] += x[n][c][2*i + p][2*j + q] * w[k][c][p][q] }
//
//   block n, tile of i, tile of j {
//     for tile of k  for strip of c {
//       coop x_s = x[n][strip][rows and columns of the tile, with their halo]      once for all windows
//       coop w_s = w[tile of k][strip][all p, all q]
//       thread { for c of the strip {
//         x_r = what the thread's places see through all windows
//         for p for q  { w_r = w_s[…];  for its k, i, j  sum += x_r[i + p][j + q] * w_r[k] } } } } }
//
// Without windows it is a product of tensors, or many products: places are what one operand names alone, and
// channels what the other does.
//
//   for a for b for c for d  for e for f  z[a][b][c][d] += x[a][e][b][f] * y[f][c][e][d]
//
// places: b and a, with a thread's sums going along both, and channels: d and c. Short free loops are a
// thread's own, as the window in the gradient of a convolution's weights:
//
//   for k for c for p for q  for n for i for j  w[k][c][p][q] += x[n][c][i + p][j + q] * y[n][k][i][j]
//
// Where that makes few blocks for long sums, their terms are dealt to several (splitk), if that is permitted.
#include "plan/lone.h"
#include "rule/catalogue.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include <math.h>
#include <stdlib.h>

enum {
    WIDEST = 16,          // iterations of a window's loop
    SIDE = 8,             // …of the loop that lanes go along
    OWN = 4,              // …of a loop that is a thread's own
    ROUNDS = 2,           // blocks of a multiprocessor that parts of sums should make
    LEAST_PARTS = 4,      // else they are not worth a second kernel
    UNROLLED = 1800,      // updates in a row
    GRID = 3,             // dimensions of a grid
    SHARED = 46 << 10,    // bytes that every device has for a block
    SUMS = 128,           // of four bytes that a thread has registers for
    VECTOR = 16,
};

// A thread has x by y places by `out` by `more` channels. Lanes along x and along the first channels, at
// most; what is left of the threads goes along y.
typedef struct Cut {
    int x, y, out, more, threads, lanes, outs;
    bool vectors;         // copies move vectors, where operands lie so
} Cut;
static const Cut of_windows[] = {{4, 4, 8, 1, 256, 32, 8, false}, {4, 4, 8, 1, 128, 8, 8, false},
                                 {4, 4, 8, 1, 128, 16, 8, false}, {4, 2, 8, 1, 256, 32, 8, false},
                                 {4, 2, 8, 1, 128, 8, 8, false},  {4, 2, 8, 1, 256, 16, 8, false},
                                 {4, 4, 4, 1, 256, 32, 8, false}, {4, 1, 8, 1, 128, 16, 16, false}},
                 of_tensors[] = {{4, 2, 4, 2, 256, 16, 16, true},  {4, 2, 4, 2, 128, 8, 16, true},
                                 {4, 2, 4, 2, 128, 16, 8, true},   {4, 2, 4, 2, 64, 8, 8, true},
                                 {4, 2, 4, 2, 256, 16, 16, false}, {4, 2, 4, 2, 128, 8, 16, false},
                                 {4, 2, 4, 2, 64, 8, 8, false},    {4, 1, 4, 1, 256, 16, 16, true},
                                 {4, 1, 4, 1, 256, 16, 16, false}};

typedef struct Windows {
    Lone u;
    Role place;           // free ones that windows move with, the one that lies side by side first
    Role window, deep;    // sums: those that move with places, the others
    Role rest;            // free ones that have no tile
    Role own;             // free ones that a thread goes through
    Role out;             // free ones that the weights have and the image has not, the same
    AccessVec reads;      // of arrays in memory
    const Access *image;
    bool across;          // results of neighbours in `out` lie side by side
} Windows;

// A counter of a place and one of a window in one subscript. meet: windows of neighbouring places, as those
// of 9 * c + 3 * p + q, where p and q are columns of a row c, do not.
static void find_windows(Windows *w, const Access *x, int dim, bool meet) {
    for (int i = 0; i < w->u.sums.n; i++) {
        const Node *sum = w->u.sums.loop[i];
        int64_t trips = -1;
        if (!access_coef(x, dim, sum) || !loop_constant(sum, &trips) || trips > WIDEST) continue;
        for (int k = 0; k < w->u.free.n; k++) {
            int64_t step = llabs(access_coef(x, dim, w->u.free.loop[k]));
            if (!step || (meet && step > llabs(access_coef(x, dim, sum)) * (trips - 1))) continue;
            w->image = x;
            if (!role_has(&w->place, w->u.free.loop[k])) role_put(&w->place, w->u.free.loop[k]);
            if (!role_has(&w->window, sum)) role_put(&w->window, sum);
        }
    }
}

// Loops of one operand alone, the one that lies side by side in the result first.
static void find_side(Windows *w, const Access *result, const Access *of, const Access *other, Role *out) {
    for (int d = result->array->rank - 1; d >= 0; d--)
        for (int i = 0; i < w->u.free.n; i++) {
            const Node *f = w->u.free.loop[i];
            bool alone = access_names(of, f->iter) && !access_names(other, f->iter);
            if (alone && expr_uses_sym(result->sub[d], f->iter) && !role_has(out, f)) role_put(out, f);
        }
}

static void find_channels(Windows *w, const Access *result) {
    for (int i = 0; i < w->reads.n; i++)
        if (&w->reads.at[i] != w->image) find_side(w, result, &w->reads.at[i], w->image, &w->out);
}

// Two operands: the one that the result's neighbours lie along has the channels.
static void find_sides(Windows *w, const Access *result) {
    bool first = false;
    if (w->reads.n != 2 || w->u.all.n < 4) return;
    for (int i = 0; i < w->u.free.n; i++) {
        const Node *f = w->u.free.loop[i];
        if (expr_uses_sym(result->sub[result->array->rank - 1], f->iter))
            first = access_names(&w->reads.at[0], f->iter);
    }
    w->image = &w->reads.at[first ? 1 : 0];
    find_side(w, result, w->image, &w->reads.at[first ? 0 : 1], &w->place);
    find_channels(w, result);
}

static bool sort_reads(Windows *w) {
    AccessVec v = node_accesses(w->u.s->c->arena, w->u.update);
    for (int i = 1; i < v.n; i++) {
        const Access *x = &v.at[i];
        if (x->write || x->array->place == PLACE_LOCAL || !x->array->rank) continue;
        if (!access_is_linear(&w->u, x)) return false;
        vec_push(w->u.s->c->arena, &w->reads, *x);
    }
    for (int meet = 1; meet >= 0 && !w->image; meet--)
        for (int i = 0; i < w->reads.n; i++)
            for (int d = w->reads.at[i].array->rank - 1; d >= 0; d--) {
                const Access *before = w->image;
                find_windows(w, &w->reads.at[i], d, meet);
                if (before && before != w->image) return false; // two images
            }
    if (w->image) find_channels(w, &v.at[0]);
    else find_sides(w, &v.at[0]);
    if (!w->place.n || !w->out.n) return false;
    const Expr *last = v.at[0].sub[v.at[0].array->rank - 1];
    w->across = expr_uses_sym(last, w->out.loop[0]->iter);
    return true;
}

// Does an operand lie along the loop?
static bool lies_along(const Windows *w, const Node *loop) {
    for (int i = 0; i < w->reads.n; i++)
        if (expr_uses_sym(w->reads.at[i].sub[w->reads.at[i].array->rank - 1], loop->iter)) return true;
    return false;
}

// A side's first loop has lanes along it: another one where the first is too short for that.
static void put_long_first(const Windows *w, Role *side) {
    int longest = 0;
    for (int i = 1; i < side->n; i++)
        if (lone_trips(&w->u, side->loop[i]) > lone_trips(&w->u, side->loop[longest])) longest = i;
    if (!side->n || lone_trips(&w->u, side->loop[0]) >= SIDE) return;
    const Node *first = side->loop[0];
    side->loop[0] = side->loop[longest], side->loop[longest] = first;
}

// Without windows: short loops other than the sides' first.
static void find_own(Windows *w) {
    int64_t all = 1, trips = 0;
    for (int i = 0; i < w->u.free.n && !w->window.n; i++) {
        const Node *f = w->u.free.loop[i];
        if (f == w->place.loop[0] || f == w->out.loop[0] || !loop_constant(f, &trips) || trips < 1) continue;
        if (trips > OWN || all * trips > OWN * OWN) continue;
        all *= trips;
        role_put(&w->own, f), role_drop(&w->place, f), role_drop(&w->out, f);
    }
}

// The text's order of terms, if it must stay: the windows' sums are the inner ones.
static bool sort_sums(Windows *w) {
    bool seen = false, order = true;
    Role inner = {0};
    for (int i = 0; i < w->u.sums.n; i++) {
        bool window = role_has(&w->window, w->u.sums.loop[i]);
        role_put(window ? &inner : &w->deep, w->u.sums.loop[i]);
        order &= window || !seen;
        seen |= window;
    }
    w->window = inner;
    for (int i = 0; w->u.any_order && i < w->deep.n; i++) // strips of what lies side by side
        if (lies_along(w, w->deep.loop[i])) {
            const Node *last = w->deep.loop[w->deep.n - 1];
            w->deep.loop[w->deep.n - 1] = w->deep.loop[i], w->deep.loop[i] = last;
            break;
        }
    put_long_first(w, &w->place), put_long_first(w, &w->out);
    find_own(w);
    if (w->place.n > 2) w->place.n = 2;
    if (w->out.n > 2 || inner.n) w->out.n = w->out.n > 1 && !inner.n ? 2 : 1;
    for (int i = 0; i < w->u.free.n; i++) {
        const Node *f = w->u.free.loop[i];
        if (!role_has(&w->out, f) && !role_has(&w->place, f) && !role_has(&w->own, f)) role_put(&w->rest, f);
    }
    for (int i = 0; w->u.any_order && i + 2 < w->deep.n; i++) // of which there are parts
        if (lone_trips(&w->u, w->deep.loop[i + 1]) > lone_trips(&w->u, w->deep.loop[0])) {
            const Node *first = w->deep.loop[0];
            w->deep.loop[0] = w->deep.loop[i + 1], w->deep.loop[i + 1] = first;
        }
    return order || w->u.any_order;
}

// ---- how large tiles are --------------------------------------------------------------------------------
typedef struct Tiles {
    Cut cut;
    int xl, yl, ol;       // threads of a block
    int strip, inner;     // iterations of the last deep sum; the first window that is unrolled
    int64_t parts;        // of the first deep sum
    bool whole;           // and the strip with it
} Tiles;

static int covering(int64_t trips, int most) {
    int n = 1;
    while (n < most && n < trips) n *= 2;
    return n;
}

static int64_t ceil_div(int64_t n, int by) { return (n + by - 1) / by; }

// Elements of an access that a block reads in a strip.
static int64_t extent(const Windows *w, const Tiles *t, const Access *x) {
    int64_t all = 1;
    for (int d = 0; d < x->array->rank; d++) {
        int64_t n = 1;
        for (int i = 0; i < w->u.all.n; i++) {
            const Node *l = w->u.all.loop[i];
            int64_t trips = 1;
            if (l == w->out.loop[0]) trips = t->ol * t->cut.out + 4;
            else if (w->out.n > 1 && l == w->out.loop[1]) trips = t->cut.more;
            else if (l == w->place.loop[0]) trips = t->xl * t->cut.x;
            else if (w->place.n > 1 && l == w->place.loop[1]) trips = t->yl * t->cut.y;
            else if (w->deep.n && l == w->deep.loop[w->deep.n - 1]) trips = t->strip;
            else if (role_has(&w->window, l) || role_has(&w->own, l)) trips = lone_trips(&w->u, l);
            n += llabs(access_coef(x, d, l)) * (trips - 1);
        }
        all *= n;
    }
    return all;
}

static int64_t shared(const Windows *w, const Tiles *t) {
    int64_t bytes = 0;
    for (int i = 0; i < w->reads.n; i++)
        bytes += extent(w, t, &w->reads.at[i]) * type_size(w->reads.at[i].array->elem);
    return bytes * (w->deep.n ? 2 : 1);
}

typedef struct Block {
    const char *name;
    int64_t trips;
} Block;

// The loops of blocks.
static int blocks_of(const Windows *w, const Tiles *t, Block b[LONE_LOOPS]) {
    int n = 0;
    for (; n < w->rest.n; n++) b[n] = (Block){loop_name(w->rest.loop[n]), lone_trips(&w->u, w->rest.loop[n])};
    if (w->out.n > 1) b[n++] = (Block){"vpb", ceil_div(lone_trips(&w->u, w->out.loop[1]), t->cut.more)};
    b[n++] = (Block){"vob", ceil_div(lone_trips(&w->u, w->out.loop[0]), t->ol * t->cut.out)};
    if (w->place.n > 1)
        b[n++] = (Block){"vyb", ceil_div(lone_trips(&w->u, w->place.loop[1]), t->yl * t->cut.y)};
    b[n++] = (Block){"vxb", ceil_div(lone_trips(&w->u, w->place.loop[0]), t->xl * t->cut.x)};
    return n;
}

// How many parts of the sums make enough blocks; 1: there are enough, or none may be made.
static int64_t parts_for(const Windows *w, const Tiles *t) {
    const Site *s = w->u.s;
    Block b[LONE_LOOPS];
    double blocks = 1, sms = (double)(s->call->machine ? s->call->machine->sms : s->call->processors);
    if (!w->u.any_order || !w->deep.n) return 1;
    for (int i = blocks_of(w, t, b); i-- > 0;) blocks *= b[i].trips > 0 ? (double)b[i].trips : 1;
    int64_t terms = lone_trips(&w->u, w->deep.loop[0]) / (w->deep.n > 1 ? 1 : 4 * t->strip);
    int64_t parts = (int64_t)fmin(ROUNDS * sms / blocks, (double)terms);
    return parts < LEAST_PARTS ? 1 : parts;
}

static bool tiles_for(const Windows *w, const Cut *cut, Tiles *t) {
    *t = (Tiles){.cut = *cut, .strip = !w->deep.n ? 1 : w->window.n ? 8 : 16};
    if (w->place.n < 2) t->cut.x *= t->cut.y, t->cut.y = 1;
    if (w->out.n < 2) t->cut.out *= t->cut.more, t->cut.more = 1;
    int size = type_size(w->u.update->stmt->lhs->elem), sums = 1;
    for (int i = 0; i < w->own.n; i++) sums *= (int)lone_trips(&w->u, w->own.loop[i]);
    while (w->own.n && sums * t->cut.x * t->cut.y * t->cut.out * t->cut.more * size > 4 * SUMS) {
        int *most = t->cut.out > t->cut.x ? &t->cut.out : &t->cut.x;
        if (*most < 2) return false;
        *most /= 2;
    }
    sums *= t->cut.x * t->cut.y * t->cut.out * t->cut.more;
    if (sums * size > 4 * SUMS) return false;
    t->ol = covering(ceil_div(lone_trips(&w->u, w->out.loop[0]), t->cut.out), t->cut.outs);
    t->xl = covering(ceil_div(lone_trips(&w->u, w->place.loop[0]), t->cut.x), t->cut.lanes);
    t->yl = 1;
    if (w->place.n > 1)
        t->yl = covering(ceil_div(lone_trips(&w->u, w->place.loop[1]), t->cut.y),
                         t->cut.threads / (t->ol * t->xl));
    if (t->ol * t->xl * t->yl < 32) return false;
    if (w->deep.n) t->strip = covering(lone_trips(&w->u, w->deep.loop[w->deep.n - 1]), t->strip);
    while (t->strip > 1 && shared(w, t) > SHARED) t->strip /= 2;
    int64_t copies = sums;
    for (t->inner = w->window.n; t->inner > 0; t->inner--) {
        copies *= lone_trips(&w->u, w->window.loop[t->inner - 1]);
        if (copies > UNROLLED) break;
    }
    t->whole = t->inner == 0 && copies * t->strip <= UNROLLED;
    t->parts = parts_for(w, t);
    return shared(w, t) <= SHARED;
}

// ---- the recipe -------------------------------------------------------------------------------------
// Blocks with few iterations, where a grid has no dimension for them, go around the sums.
static void put_blocks(const Windows *w, const Tiles *t, Text *grid, Text *inside) {
    Block b[LONE_LOOPS];
    int n = blocks_of(w, t, b), most = t->parts > 1 ? GRID - 1 : GRID;
    for (int i = 0; i < n; i++) {
        int more = 0;
        for (int k = 0; k < n; k++) more += b[k].trips > b[i].trips || (b[k].trips == b[i].trips && k > i);
        text_printf(more < most ? grid : inside, " %s", b[i].name);
    }
}

static void put_loops(const Windows *w, const Tiles *t, Text *r) {
    Arena *a = w->u.s->c->arena;
    Text grid = text_new(a), inside = text_new(a), threads = text_new(a);
    const char *y = w->place.n > 1 ? " vyl" : "";
    put_blocks(w, t, &grid, &inside);
    text_printf(r, "strip %s by=%d as=vob,vo1\nstrip vo1 by=%d as=vol,vov edge=exact\n",
                loop_name(w->out.loop[0]), t->ol * t->cut.out, t->cut.out);
    if (w->out.n > 1) text_printf(r, "strip %s by=%d as=vpb,vpv\n", loop_name(w->out.loop[1]), t->cut.more);
    text_printf(r, "strip %s by=%d as=vxb,vx1\nstrip vx1 by=%d as=vxl,vxv edge=exact\n",
                loop_name(w->place.loop[0]), t->xl * t->cut.x, t->cut.x);
    if (w->place.n > 1)
        text_printf(r, "strip %s by=%d as=vyb,vy1\nstrip vy1 by=%d as=vyl,vyv edge=exact\n",
                    loop_name(w->place.loop[1]), t->yl * t->cut.y, t->cut.y);
    for (int i = 0; i + 1 < w->deep.n; i++) text_printf(&inside, " %s", loop_name(w->deep.loop[i]));
    if (w->deep.n)
        text_printf(r, "strip %s by=%d as=vkt,vkk\n", loop_name(w->deep.loop[w->deep.n - 1]), t->strip);
    if (w->across) text_printf(&threads, "%s vxl vol", y);
    else text_printf(&threads, " vol%s vxl", y);
    text_printf(r, "interchange%s%s%s%s%s", text_str(&grid), text_str(&inside), w->deep.n ? " vkt" : "",
                text_str(&threads), w->deep.n ? " vkk" : "");
    for (int i = 0; i < w->window.n; i++) text_printf(r, " %s", loop_name(w->window.loop[i]));
    for (int i = 0; i < w->own.n; i++) text_printf(r, " %s", loop_name(w->own.loop[i]));
    text_printf(r, " %svov%s vxv\nmap block%s\nmap thread%s\n", w->out.n > 1 ? "vpv " : "",
                w->place.n > 1 ? " vyv" : "", text_str(&grid),
                text_str(&threads));
}

// Dimensions in the buffer's order: those that lanes go along last. How far that is from the array's.
static bool put_order(const Windows *w, const Access *x, Text *r) {
    int rank[LONE_RANK], order[LONE_RANK], n = x->array->rank;
    bool moved = false;
    for (int d = 0; d < n; d++) {
        const Expr *s = x->sub[d];
        rank[d] = 0;
        if (w->deep.n && expr_uses_sym(s, w->deep.loop[w->deep.n - 1]->iter)) rank[d] = 1;
        for (int i = 0; i < w->window.n; i++)
            if (expr_uses_sym(s, w->window.loop[i]->iter)) rank[d] = 2;
        if (w->place.n > 1 && expr_uses_sym(s, w->place.loop[1]->iter)) rank[d] = 3;
        if (w->out.n > 1 && expr_uses_sym(s, w->out.loop[1]->iter)) rank[d] = 3;
        if (expr_uses_sym(s, w->out.loop[0]->iter) || expr_uses_sym(s, w->place.loop[0]->iter)) rank[d] = 4;
        int at = d;
        for (; at > 0 && rank[order[at - 1]] > rank[d]; at--) order[at] = order[at - 1], moved = true;
        order[at] = d;
    }
    for (int d = 0; d < n && moved; d++) text_printf(r, "%s%d", d ? "," : " order=", order[d]);
    return moved;
}

static void put_stages(const Windows *w, const Tiles *t, const char *at, Text *r) {
    const char *thread = w->across ? "vol" : "vxl", *strip = w->deep.n ? "vkk" : thread;
    const char *last = w->window.n ? loop_name(w->window.loop[w->window.n - 1]) : strip;
    for (int i = 0; i < w->reads.n; i++) {
        const Access *x = &w->reads.at[i];
        text_printf(r, "stage %s at=%s as=v%d_s", x->array->name, at, i);
        bool moved = put_order(w, x, r);
        text_printf(r, "%s\n", moved ? " pad=4" : "");
    }
    for (int i = 0; i < w->reads.n; i++) {
        bool image = &w->reads.at[i] == w->image;
        const char *place = !image ? last : t->inner ? loop_name(w->window.loop[t->inner - 1]) : strip;
        text_printf(r, "stage v%d_s at=%s as=v%d_r\n", i, place, i);
    }
}

// Do vectors of memory go where lanes go?
static bool lies_so(const Windows *w, const Access *x) {
    const Expr *last = x->sub[x->array->rank - 1];
    const Node *side = x == w->image ? w->place.loop[0] : w->out.loop[0];
    for (int i = 0; i < w->u.sums.n; i++)
        if (expr_uses_sym(last, w->u.sums.loop[i]->iter)) return false;
    return expr_uses_sym(last, side->iter);
}

// Do neighbours of its side lie side by side once their dimension is the last?
static bool lies_side_by_side(const Windows *w, const Access *x) {
    const Node *side = x == w->image ? w->place.loop[0] : w->out.loop[0];
    int64_t step = 0;
    for (int d = 0; d < x->array->rank; d++) step += llabs(access_coef(x, d, side));
    return step == 1;
}

static char *recipe(const Windows *w, const Tiles *t) {
    Arena *a = w->u.s->c->arena;
    Text r = text_new(a), buffers = text_new(a);
    int width = VECTOR / type_size(w->u.update->stmt->lhs->elem);
    const char *whole = t->whole ? "" : " by=1", *wide = width < 4 ? " width=2" : "";
    const char *first = w->deep.n > 1 ? loop_name(w->deep.loop[0])
                        : w->deep.n   ? "vkt"
                                      : loop_name(w->window.loop[0]);
    text_put(&r, text_str(&w->u.steps));
    put_loops(w, t, &r);
    text_printf(&r, "hoist %s at=%s%s as=vsum\n", w->u.sum.at[0], first, t->parts > 1 ? " init=zero" : "");
    if (t->parts > 1) text_printf(&r, "splitk %s by=%lld\n", first, (long long)t->parts);
    put_stages(w, t, w->deep.n ? "vkt" : "vxb", &r);
    text_put(&r, "edge compute\n");
    for (int i = 0; i < w->reads.n; i++) {
        if (t->cut.vectors && lies_so(w, &w->reads.at[i]))
            text_printf(&r, "edge v%d_s by=redirect\nvectorize v%d_s%s\n", i, i, wide);
        int side = &w->reads.at[i] == w->image ? t->cut.x : t->cut.out;
        bool so = side > 1 && lies_side_by_side(w, &w->reads.at[i]);
        if (so && (&w->reads.at[i] != w->image || !w->window.n))
            text_printf(&r, "vectorize v%d_r%s\n", i, side < 4 ? " width=2" : wide);
        text_printf(&buffers, "%sv%d_s", i ? "," : "", i);
    }
    text_printf(&r, "%sunroll vov\n%sunroll vxv\n", w->out.n > 1 ? "unroll vpv\n" : "",
                w->place.n > 1 ? "unroll vyv\n" : "");
    for (int i = 0; i < w->own.n; i++) text_printf(&r, "unroll %s\n", loop_name(w->own.loop[i]));
    for (int i = t->inner; i < w->window.n; i++) text_printf(&r, "unroll %s\n", loop_name(w->window.loop[i]));
    for (int i = 0; i < t->inner; i++) text_printf(&r, "unroll %s by=1\n", loop_name(w->window.loop[i]));
    if (w->u.joins) text_printf(&r, "join %s as=vend\nedge compute\n", w->u.sum.at[0]);
    if (w->deep.n)
        text_printf(&r, "unroll vkk%s\npipeline vkt async buffers=%s stages=2\n", whole, text_str(&buffers));
    return arena_strdup(a, text_str(&r));
}

static int recipes(const Site *s, const char **out, const char **why) {
    Windows w = {0};
    int n = 0;
    *why = "no contraction with more loops than a product has";
    bool fits = lone_find(s, WIDEST, &w.u) && w.u.body == w.u.update && sort_reads(&w) && sort_sums(&w);
    const Cut *cuts = w.window.n ? of_windows : of_tensors;
    size_t ncuts = w.window.n ? sizeof of_windows / sizeof *cuts : sizeof of_tensors / sizeof *cuts;
    for (size_t i = 0; fits && i < ncuts && n < SITE_RECIPES; i++) {
        Tiles t;
        const char *text = tiles_for(&w, &cuts[i], &t) ? recipe(&w, &t) : NULL;
        for (int k = 0; k < n && text; k++)
            if (str_eq(text, out[k])) text = NULL;
        if (text) out[n++] = text;
    }
    return n;
}

const Strategy tiles_strategy = {"tiles of several loops a side", recipes, true};
