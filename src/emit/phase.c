// SPDX-License-Identifier: MIT
// phase.c -- kernels whose blocks work in phases: thread loops as digits, copies dealt out.
//
//   thread j (8) { thread i (16) { … } }        const int j = tid / 16, i = tid % 16;  { … }
//
//   coop k (16) { coop i (128) { copy } }       const int i = tid % 128;
//                                               for (turn = 0; turn < 8; turn++) {
//     dealt over 256 threads                        const int k = tid / 128 + 2 * turn;  copy }
//
// Threads take the elements of a coop nest in its order, so that neighbours take neighbours.
// Where the extents allow, only the last coordinate depends on the turn: what an address needs
// of the others is computed once.
#include <string.h>
#include "dep/dep.h"
#include "emit/dialect.h"
#include "ir/deal.h"

enum { MAX_TURNS = 64 }; // more of them are not unrolled whole

Node *only_loop(Node *n) {
    while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n->kind == N_FOR ? n : NULL;
}

bool holds_async(const Node *n) { return dep_is_async(n); }

// ---- loops directly inside each other ------------------------------------------------------

typedef struct Chain {
    int n;
    Node *loop[DEAL_DIMS];      // outermost first
    int64_t extent[DEAL_DIMS];
    Expr *lo[DEAL_DIMS];
    int64_t all;               // product of the extents
    Node *body;
} Chain;

static bool chain_of(Printer *p, Node *n, Chain *c) {
    *c = (Chain){.all = 1};
    How how = n->how;
    for (Node *k = n; k && k->how == how; k = only_loop(c->body)) {
        int64_t trips = emit_extent(p, k);
        if (trips < 0 || c->n == DEAL_DIMS) {
            emit_fail(p, SC_BUG, "the extent of the %s loop %s is not a constant", how_name(how),
                      k->iter->name);
            return false;
        }
        c->loop[c->n] = k;
        c->extent[c->n] = trips;
        c->lo[c->n++] = emit_resolve(p, k->lo);
        c->all *= trips;
        c->body = k->body;
    }
    return true;
}

static void fix(Printer *p, const Sym *s, Expr *value) {
    value = emit_resolve(p, value);
    vec_push(p->a, &p->fixed, s);
    vec_push(p->a, &p->value, value);
}

// const int i = lo + value;
static void put_counter(Printer *p, const Sym *s, Expr *lo, int64_t extent, const char *value) {
    Type t = counter_begin(p, s, lo, NULL);
    counter_within(p, lo, expr_add(p->a, lo, expr_int(p->a, lo->type, extent)));
    const char *type = emit_type(p, t);
    lo = emit_index(p, lo);
    const char *from = expr_is_int(lo, 0) ? "" : arena_printf(p->a, "%s + ", expr_text(p, lo, 12));
    const char *cast = t == T_I32 ? "" : arena_printf(p->a, "(%s)(", type);
    const char *end = *cast ? ")" : "";
    put_line(p, "const %s %s = %s%s%s%s;", type, emit_sym(p, s), from, cast, value, end);
}

// number / weight % extent, as far as that is needed.
static const char *digit_text(Printer *p, const char *number, int64_t weight, int64_t extent,
                              bool leads) {
    char *by = weight > 1 ? arena_printf(p->a, " / %lld", (long long)weight) : "";
    char *in = leads ? "" : arena_printf(p->a, " %% %lld", (long long)extent);
    return arena_printf(p->a, "%s%s%s", number, by, in);
}

// ---- the thread's number --------------------------------------------------------------------

static void digits_of(Printer *p, const Chain *c, Digits *out) {
    int64_t weight = c->all;
    for (int k = 0; k < c->n; k++) {
        weight /= c->extent[k] ? c->extent[k] : 1;
        Digit d = {c->loop[k]->iter, c->extent[k], weight, c->lo[k]};
        d.leads = weight * d.extent >= p->threads;
        d.differs = d.lo->kind != E_INT || d.extent <= 1;
        vec_push(p->a, out, d);
    }
}

static bool same_digit(const Digit *x, const Digit *y) {
    return x->extent == y->extent && x->weight == y->weight && expr_equal(x->lo, y->lo);
}

static void put_digit(Printer *p, const Digit *d) {
    if (d->extent <= 1)
        fix(p, d->sym, d->lo);
    else
        put_counter(p, d->sym, d->lo, d->extent, digit_text(p, "tid", d->weight, d->extent, d->leads));
}

static Digit *find_digit(Printer *p, const Sym *s) {
    for (int k = 0; k < p->digits.n; k++)
        if (p->digits.at[k].sym == s) return &p->digits.at[k];
    return NULL;
}

// Counters that are the same digit in all phases are declared once.
static void collect(Printer *p, Node *n) {
    Chain c;
    if (n->kind == N_FOR && n->how == HOW_THREAD) {
        Digits own = {0};
        if (!chain_of(p, n, &c)) return;
        digits_of(p, &c, &own);
        for (int k = 0; k < own.n; k++) {
            Digit *known = find_digit(p, own.at[k].sym);
            if (!known)
                vec_push(p->a, &p->digits, own.at[k]);
            else
                known->differs |= !same_digit(known, &own.at[k]);
        }
        return;
    }
    for (int k = 0; node_kid(n, k); k++) collect(p, node_kid(n, k));
}

void put_digits(Printer *p, Node *kernel) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    if (!g.phases) return;
    p->threads = g.threads;
    p->digits.n = 0;
    // Unsigned, so that division by a power of two is a shift.
    put_line(p, "const %s tid = (%s)%s;", emit_type(p, T_U32), emit_type(p, T_U32), p->d->thread[0]);
    collect(p, kernel->body);
    for (int k = 0; k < p->digits.n; k++)
        if (!p->digits.at[k].differs) put_digit(p, &p->digits.at[k]);
}

void put_phase(Printer *p, Node *loop) {
    Chain c;
    Digits own = {0};
    int fixed = p->fixed.n, seen = p->counters.n;
    if (p->in_phase) emit_fail(p, SC_BUG, "the thread loop %s stands inside another phase", loop->iter->name);
    if (p->failed || !chain_of(p, loop, &c)) return;
    digits_of(p, &c, &own);
    bool some = c.all < p->threads;
    if (some)
        put_line(p, "if (tid < %lld) {", (long long)c.all);
    p->indent += some;
    for (int k = 0; k < own.n; k++) {
        const Digit *head = find_digit(p, own.at[k].sym);
        if (!head || head->differs) put_digit(p, &own.at[k]);
    }
    p->in_phase = true;
    put_tree(p, c.body);
    p->in_phase = false;
    p->indent -= some;
    if (some)
        put_line(p, "}");
    p->fixed.n = p->value.n = fixed;
    p->counters.n = seen;
}

// ---- copies dealt over the threads ------------------------------------------------------------

static const char *turn_text(Printer *p, const Deal *d, int64_t weight, int64_t turns) {
    bool leads = weight * turns == d->turns;
    const char *s = digit_text(p, "turn", weight, turns, leads);
    return strcmp(s, "turn") ? arena_printf(p->a, "(%s)", s) : s;
}

static void put_share(Printer *p, const Chain *c, const Deal *d, int k) {
    const Share *s = &d->share[k];
    Text t = text_new(p->a);
    if (s->width > 1) text_put(&t, digit_text(p, "tid", s->weight, s->width, s->leads));
    if (s->turns > 1) {
        text_put(&t, s->width > 1 ? " + " : "");
        if (s->width > 1) text_printf(&t, "%lld * ", (long long)s->width);
        text_put(&t, turn_text(p, d, s->turn_weight, s->turns));
    }
    put_counter(p, c->loop[k]->iter, c->lo[k], c->extent[k], text_str(&t));
}

static bool is_still(const Deal *d, int k) {
    return k >= d->rest && d->share[k].turns == 1;
}

// Coordinates that don't depend on the turn, or those that do.
static void put_coordinates(Printer *p, const Chain *c, const Deal *d, bool still) {
    int64_t weight = 1;
    for (int k = c->n; k-- > d->rest;) {
        const Share *s = &d->share[k];
        if (is_still(d, k) != still) continue;
        if (s->width == 1 && s->turns == 1)
            fix(p, c->loop[k]->iter, c->lo[k]);
        else
            put_share(p, c, d, k);
    }
    for (int k = d->rest; !still && k-- > 0;) {
        put_counter(p, c->loop[k]->iter, c->lo[k], c->extent[k],
                    digit_text(p, "item", weight, c->extent[k], k == 0));
        weight *= c->extent[k];
    }
}

// The condition that coordinates are in the box; false: they always are.
static bool put_ends(Printer *p, const Chain *c, const Deal *d) {
    Text t = text_new(p->a);
    for (int k = 0; k < c->n; k++) {
        if (!d->share[k].ends_early) continue;
        Expr *end = expr_add(p->a, c->lo[k], expr_int(p->a, c->lo[k]->type, c->extent[k]));
        text_printf(&t, "%s%s < %s", *text_str(&t) ? " && " : "", emit_sym(p, c->loop[k]->iter),
                    expr_text(p, end, PREC_UNARY));
    }
    if (*text_str(&t)) put_line(p, "if (%s) {", text_str(&t));
    return *text_str(&t) != 0;
}

static void put_turns(Printer *p, const Chain *c, const Deal *d) {
    const char *all = p->d->unroll_all;
    char some[64];
    snprintf(some, sizeof some, p->d->unroll, 8);
    if (d->turns > 1) {
        put_line(p, "%s", d->turns <= MAX_TURNS ? all : some);
        put_line(p, "for (int turn = 0; turn < %lld; turn++) {", (long long)d->turns);
        p->indent++;
    }
    if (d->rest) {
        const char *number = digit_text(p, "tid", d->rest_weight, 0, true);
        if (d->turns > 1)
            put_line(p, "const int item = %s + %lld * turn;", number, (long long)d->rest_width);
        else
            put_line(p, "const int item = %s;", number);
    }
    bool last_short = d->rest && d->rest_width * d->turns > d->rest_all;
    if (last_short)
        put_line(p, "if (item < %lld) {", (long long)d->rest_all);
    p->indent += last_short;
    put_coordinates(p, c, d, false);
    bool early = put_ends(p, c, d);
    p->indent += early;
    put_tree(p, c->body);
    p->indent -= early;
    if (early)
        put_line(p, "}");
    p->indent -= last_short;
    if (last_short)
        put_line(p, "}");
    if (d->turns > 1) {
        p->indent--;
        put_line(p, "}");
    }
}

void put_coop(Printer *p, Node *loop) {
    Chain c;
    Deal d;
    int fixed = p->fixed.n, seen = p->counters.n;
    if (p->in_phase) emit_fail(p, SC_BUG, "the coop loop %s stands inside another phase", loop->iter->name);
    if (p->failed || !chain_of(p, loop, &c) || c.all == 0) return;
    deal_out(c.n, c.extent, p->threads, &d);
    bool some = d.busy < p->threads;
    if (some)
        put_line(p, "if (tid < %lld) {", (long long)d.busy);
    p->indent += some;
    put_coordinates(p, &c, &d, true);
    p->in_phase = true;
    p->grouped++;
    put_turns(p, &c, &d);
    p->grouped--;
    p->in_phase = false;
    p->indent -= some;
    if (some)
        put_line(p, "}");
    p->fixed.n = p->value.n = fixed;
    p->counters.n = seen;
}
