// SPDX-License-Identifier: MIT
// halos.c -- strategy: several steps of a stencil in one kernel, in tiles that overlap (rule halo).
//
//   for t { for i, j v[i][j] = f(u[i ± 1][j ± 1]);  for i, j u[i][j] = g(v[i ± 1][j ± 1]) }
//
// Steps that are left over run one by one, so numbers of steps come first that leave few. Of three loops a
// tile with all that several steps need would not fit: each step is a kernel whose threads go through planes.
#include "plan/strategy.h"
#include "rule/rule.h"

// What the judge can follow: launches' loop nests, and reads of each that computes, by each, of each array.
enum { MOST_NESTS = 12, MOST_FOLLOWED = 48, MANY = 1 << 20 };

typedef struct HaloShape {
    const char *region, *threads;
} HaloShape;
static const HaloShape shapes[2][2] = {
    {{"2048", "512"}, {"1024", "256"}},
    {{"48,128", "4,128"}, {"64,128", "4,128"}},
};
// The single steps.
static const char *const alone[] = {"threads=256", "threads=32,8 per=1,4 apart=yes before=1"};
static const char *const planes[] = {"threads=64,8,1 per=1,1,16 before=1",
                                     "threads=32,8,1 per=1,2,8 before=1"};

// Of `trips` steps two launches of `by` at a time leave so many.
static int64_t left(int64_t trips, int64_t by) { return trips % (2 * by); }

typedef struct Nests {
    int all, computing; // those that do more than copy
} Nests;

static bool follows(const Nests *n, int64_t by) {
    return by * n->all <= MOST_NESTS && by * n->computing * n->computing * n->computing <= MOST_FOLLOWED;
}

// "grid j i …" of each loop nest below n, whose loops are all free; false: some are not. *d: how many loops
// all of them have. shape: of three.
static bool grids(const Site *s, Node *n, const char *shape, Text *out, int *d, Nests *nests) {
    n = unwrap(n);
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++)
        if (!grids(s, n->kids[i], shape, out, d, nests)) return false;
    if (n->kind == N_SEQ) return !n->nlocals;
    if (n->kind == N_IF) return grids(s, n->then, shape, out, d, nests) && !n->other;
    Chain c = chain_of(n);
    if (c.n < 1 || c.n > 3 || (*d && c.n != *d)) return false;
    const Node *body = unwrap(c.body);
    nests->all++;
    nests->computing += body->kind != N_STMT || body->stmt->op != OP_SET || body->stmt->rhs->kind != E_LOAD;
    *d = c.n;
    text_put(out, "\ngrid");
    for (int k = c.n - 1; k >= 0; k--) {
        if (!site_is_free(s, c.loop[k])) return false;
        text_printf(out, " %s", c.loop[k]->iter->name);
    }
    text_printf(out, " %s", c.n == 3 ? shape : alone[c.n - 1]);
    return true;
}

// The grids of all steps, those that are left over, too.
static bool all_grids(const Site *s, Node *root, Node *time, const char *shape, Text *out, int *d,
                      Nests *nests) {
    Nests others = {0};
    if (!grids(s, time->body, shape, out, d, nests)) return false;
    for (int i = 1; time != root && i < root->nkids; i++)
        if (!grids(s, root->kids[i], shape, out, d, &others)) return false;
    return true;
}

static int recipes(const Site *s, const char **out, const char **why) {
    Arena *a = s->c->arena;
    Node *root = unwrap(s->start->root), *time = root;
    Text rest;
    Nests nests;
    int d = 0, n = 0;
    *why = "no steps in order that each go through the same points";
    if (root->kind == N_SEQ && !root->nlocals && root->nkids) time = unwrap(root->kids[0]);
    if (time->kind != N_FOR || site_is_free(s, time)) return 0;
    do {
        rest = text_new(a), nests = (Nests){0};
        if (!all_grids(s, root, time, planes[n], &rest, &d, &nests)) return 0;
        if (d < 3) break;
        out[n++] = arena_printf(a, "%s\nbatch %s as=graph", text_str(&rest) + 1, time->iter->name);
    } while (n < (int)(sizeof planes / sizeof *planes));
    if (d == 3) return n;
    int64_t trips = site_trips(s, time);
    if (trips < 0) trips = MANY; // no call is at hand
    for (int64_t by = 1; 2 * by <= trips && follows(&nests, by); by++) {
        bool best = true; // of more steps a launch some leave no more
        for (int64_t k = by + 1; best && 2 * k <= trips && follows(&nests, k) && k < 2 * by; k++)
            best = left(trips, k) > left(trips, by);
        for (int k = 0; k < 2 && best && n < SITE_RECIPES; k++)
            out[n++] = arena_printf(a, "halo %s by=%lld region=%s threads=%s%s\nbatch %s as=graph",
                                    time->iter->name, (long long)by, shapes[d - 1][k].region,
                                    shapes[d - 1][k].threads, text_str(&rest), time->iter->name);
    }
    if (!n) *why = "it has too few steps";
    return n;
}

const Strategy halos_strategy = {"several steps of a stencil together", recipes};
