// SPDX-License-Identifier: MIT
// constants.c -- what a compiler computes of the counters of loops that are written out: numbers.
//
//   for p unroll   s += a[i + p] / (1 + p * p)      three copies: by 2, by 1, by 2
//
// So a statement's instructions are the mean of its copies', where literals cost nothing and a division by a
// power of two is a product. Its chain of operations is that of the longest copy.
#include "ir/deal.h"
#include "model/code.h"

enum { MOST_COPIES = 512, MOST_LOOPS = 6 };
enum { DIGIT = 5 }; // instructions of a division by a constant and of what it leaves

// Subscripts are counted with their accesses.
static bool decides(const Expr *x, const Sym *s) {
    if (x->kind == E_LOAD) return false;
    if (x->kind == E_SYM) return x->sym == s;
    for (int k = 0; k < x->nargs; k++)
        if (decides(x->args[k], s)) return true;
    return false;
}

// ---- what straight code computes once ----------------------------------------------------------------
static const Site *site_of(const Code *c, const Expr *load) {
    for (int k = 0; k < c->nsites; k++) {
        const Site *s = c->sites[k];
        bool same = s->array == load->array && !s->cost->write && !s->cost->local;
        for (int d = 0; same && d < load->array->rank; d++) same = expr_equal(s->sub[d], load->args[d]);
        if (same) return s;
    }
    return NULL;
}

// Does it hang on memory and counters alone? *site: one of the loads.
static bool is_of_memory(const Code *c, const Expr *x, const Site **site) {
    if (x->kind == E_LOAD) {
        const Site *s = site_of(c, x);
        if (s) *site = s;
        return s != NULL;
    }
    for (int k = 0; k < x->nargs; k++)
        if (!is_of_memory(c, x->args[k], site)) return false;
    return true;
}

enum { MOST_HEAVY = 8 };

static void find_heavy(Program *p, Code *c, const Expr *x) {
    const Site *site = NULL;
    bool heavy = (x->kind == E_CALL && !mix_is_plain(x->fn)) ||
                 (x->kind == E_OP && x->op == OP_DIV && type_is_float(x->type));
    if (heavy && is_of_memory(c, x, &site) && site && c->nheavy < MOST_HEAVY) {
        if (!c->heavy) c->heavy = NEW_N(p->a, Heavy, MOST_HEAVY);
        c->heavy[c->nheavy++] = (Heavy){x, site, {0}};
        return;
    }
    for (int k = 0; x->kind != E_LOAD && k < x->nargs; k++) find_heavy(p, c, x->args[k]);
}

// ---- copies ----------------------------------------------------------------------------------------------
typedef struct Copies {
    Program *p;
    Code *c;
    int n;
    const Node *loop[MOST_LOOPS];
    const Sym *from[MOST_LOOPS];
    Expr *to[MOST_LOOPS];
    Expr *rhs;
    double all, longest;
    bool found;             // by the compiler: a loop is not printed as copies
} Copies;

static void find_loops(Copies *k) {
    int64_t copies = 1;
    for (const Code *up = k->c->parent; up; up = up->parent) {
        if (up->n->kind != N_FOR || !code_is_written_out(up) || !code_is_literal(up)) continue;
        if (!decides(k->rhs, up->n->iter)) continue;
        int64_t trips = code_trips(up->n->lo->i, up->n->hi->i, up->n->step);
        if (trips < 1 || copies * trips > MOST_COPIES || k->n == MOST_LOOPS) return;
        copies *= trips;
        k->found = k->found || up->n->how != HOW_UNROLL;
        k->from[k->n] = up->n->iter;
        k->loop[k->n++] = up->n;
    }
    k->all = (double)copies;
}

static void see_copy(Copies *k) {
    bool by_hand = k->p->nest->region->nstmts == 0;
    double flops;
    Expr *x = expr_subst(k->p->a, k->rhs, k->n, k->from, k->to);
    InstructionMix m = mix_of(k->c->n, x, by_hand, k->found, k->p->nest->region->reassociate, &flops);
    double all = mix_total(&m);
    mix_add(&k->c->once, &m, 1 / k->all);
    k->c->flops += flops / k->all;
    for (int i = 0; i < k->c->nheavy; i++) {
        Heavy *h = &k->c->heavy[i];
        m = mix_expr(expr_subst(k->p->a, (Expr *)h->x, k->n, k->from, k->to), by_hand, k->found);
        mix_add(&h->mix, &m, 1 / k->all);
    }
    if (k->c->rhs && all <= k->longest) return;
    k->longest = all;
    k->c->rhs = x;
}

static void see_copies(Copies *k, int loop) {
    if (loop == k->n) return see_copy(k);
    const Node *n = k->loop[loop];
    int64_t trips = code_trips(n->lo->i, n->hi->i, n->step);
    for (int64_t i = 0; i < trips; i++) {
        k->to[loop] = expr_int(k->p->a, n->iter->type, n->lo->i + i * n->step);
        see_copies(k, loop + 1);
    }
}

// Instructions by which a thread finds the place of what it copies for its block: a division by a constant
// and what it leaves, for each coordinate that is a digit of an item's number (ir/deal.h).
static double dealing(const Program *p, const Code *c) {
    int64_t extent[DEAL_DIMS];
    int n = DEAL_DIMS;
    for (const Code *up = c->parent; up && n > 0; up = up->parent) {
        bool coop = up->n->kind == N_FOR && up->n->how == HOW_COOP;
        if (!coop) continue;
        if (up->n->lo->kind != E_INT || up->n->hi->kind != E_INT) return 0;
        extent[--n] = code_trips(up->n->lo->i, up->n->hi->i, up->n->step);
        if (extent[n] < 1) return 0;
    }
    Deal d;
    deal_out(DEAL_DIMS - n, extent + n, p->g.threads > 0 ? p->g.threads : 1, &d);
    return d.rest > 1 ? DIGIT * (d.rest - 1) : 0;
}

void constants_find(Program *p, Code *c) {
    const Node *n = c->n;
    Copies k = {.p = p, .c = c};
    for (int i = 0; i < c->nkids; i++) constants_find(p, c->kids[i]);
    if (n->kind == N_STMT) k.rhs = node_stmt_expr(p->a, n, form_rhs(p->a, n));
    else if (n->kind == N_COPY) k.rhs = n->src;
    else return (void)(c->once = mix_of(n, NULL, p->nest->region->nstmts == 0, false, false, &c->flops));
    find_loops(&k);
    find_heavy(p, c, k.rhs);
    if (k.all == 0) k.n = 0, k.all = 1; // too many
    see_copies(&k, 0);
    c->once.integer += dealing(p, c);
}
