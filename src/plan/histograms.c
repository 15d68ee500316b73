// SPDX-License-Identifier: MIT
// histograms.c -- strategy: arrays whose elements data choose are updated in copies of a block's own (rule
// privatize).
//
//   for i  bin[key[i]] += 1
//
// Of rows of bins, bin[k][key[k][i]], each row has blocks of its own. As few blocks as fill the device, since
// each adds its copies to memory. There are several copies where they fit, so that neighbouring threads that
// meet on an element, as they do where most data are alike, seldom wait.
#include "plan/strategy.h"
#include "rule/rule.h"

enum { STRETCH = 1 << 16, MOST_HERE = 1 << 12 }; // iterations, and elements of a copy, on a processor
enum { ROOM = 48 * 1024, MOST = 192 * 1024, GUESS = 256, LEAST = 32, COPIES = 8, RANK = 4 };

typedef struct Bins {
    const Site *s;
    int n;
    const Array *array[4];
    bool many;
    const Node *rows;     // the first loop, where its iterations have bins of their own; else NULL
} Bins;

static void see(Bins *b, const Node *n) {
    if (n->kind != N_STMT || n->stmt->op == OP_SET) return;
    const Array *x = n->stmt->lhs;
    bool chosen = false;
    for (int d = 0; d < x->rank; d++) chosen |= expr_has_load(n->stmt->sub[d]);
    const Expr *row = x->rank ? n->stmt->sub[0] : NULL;
    bool own = b->rows && x->rank > 1 && row->kind == E_SYM && row->sym == b->rows->iter;
    for (int i = 0; i < b->n; i++) chosen &= b->array[i] != x;
    if (!chosen || x->place != PLACE_USER) return;
    if (!own) b->rows = NULL;
    b->many |= b->n == 4 || x->rank > RANK;
    if (!b->many) b->array[b->n++] = x;
}

// How many elements from the least to the greatest in the call, or what stands for it where only the data
// tell; a power of two, so that data of the same kind have one kernel.
static int64_t length(const Site *s, const Array *x, int d) {
    const Region *r = s->region;
    int64_t v = 0, n = LEAST;
    for (int i = 0; i < r->ninspects; i++) {
        const Inspect *in = r->inspects[i];
        if (in->array != x || in->dim != d) continue;
        Expr *lo = expr_cast(s->c->arena, T_I64, expr_sym(s->c->arena, in->lo)),
             *hi = expr_cast(s->c->arena, T_I64, expr_sym(s->c->arena, in->hi));
        if (!ir_eval(expr_sub(s->c->arena, hi, lo), s->call->nvals, s->call->vals, &v)) v = -1;
        v++;
    }
    for (v = v > 0 ? v : x->rank > 1 ? LEAST : GUESS; n < v; n *= 2)
        if (n > MOST) return n;
    return n;
}

// "size=…" of all of them, and bytes of one copy of each.
static const char *sizes(const Site *s, const Bins *b, int64_t *bytes) {
    Text t = text_new(s->c->arena);
    const char *before = " size=";
    *bytes = 0;
    for (int i = 0; i < b->n; i++) {
        const Array *x = b->array[i];
        int64_t all = type_size(x->elem);
        for (int d = b->rows ? 1 : 0; d < x->rank && all <= MOST; d++) {
            bool known = (d || x->constant_size) && x->extent[d] && x->extent[d]->kind == E_INT;
            int64_t n = known ? x->extent[d]->i : length(s, x, d);
            all *= n;
            if (known) continue;
            text_printf(&t, "%s%lld", before, (long long)n);
            before = ",";
        }
        *bytes += all;
    }
    return text_str(&t);
}

// The loops that stand directly in each other; of a triangle, or of rows that the data end, too: blocks take
// iterations of the outer ones in turn.
static bool find_nest(const Site *s, Band *out) {
    Node *n = unwrap(s->start->root);
    for (*out = (Band){0}; n->kind == N_FOR; n = unwrap(n->body)) {
        if (out->n == 8 || n->step != 1 || loop_while(n)) return false;
        out->loop[out->n++] = n;
    }
    out->body = n;
    return out->n > 0;
}

static int recipes(const Site *s, const char **out, const char **why) {
    // threads, blocks of a multiprocessor, reads under way
    static const int shapes[][3] = {{1024, 2, 4}, {1024, 2, 8}, {1024, 2, 16}, {512, 4, 8}};
    Arena *a = s->c->arena;
    Bins bins = {.s = s};
    Band b;
    int64_t bytes, processors = s->call->machine ? s->call->machine->sms : s->call->processors;
    if (!find_nest(s, &b)) return *why = "its loops are no single nest", 0;
    bins.rows = b.n > 1 ? b.loop[0] : NULL;
    node_each(l, s->start->root) see(&bins, l);
    if (!bins.n || bins.many) return *why = "it updates no array whose elements data choose", 0;
    const char *size = sizes(s, &bins, &bytes);
    if (bytes > MOST) return *why = "what it updates does not fit shared memory", 0;
    Text of = text_new(a);
    for (int i = 0; i < bins.n; i++) text_printf(&of, "%s%s", i ? "," : "", bins.array[i]->name);
    int first = bins.rows ? 1 : 0; // of the loops that are dealt out
    const char *x = b.loop[b.n - 1]->iter->name, *y = b.n > first + 1 ? b.loop[first]->iter->name : "";
    int64_t rows = bins.rows ? site_trips(s, bins.rows) : 1;
    if (bins.rows) text_printf(&of, " rows=%s", bins.rows->iter->name);
    int most = COPIES, n = 0;
    while (most > 1 && most * bytes > ROOM) most /= 2;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int64_t blocks = processors * (most * bytes > ROOM ? 1 : shapes[k][1]);
        if (rows > 1) blocks = (blocks + rows - 1) / rows;
        out[n++] = arena_printf(a, "privatize %s %s of=%s%s copies=%d threads=%d blocks=%lld unroll=%d", x, y,
                                text_str(&of), size, most, shapes[k][0], (long long)blocks, shapes[k][2]);
    }
    return n;
}

// On a processor: each thread has a copy for a stretch of the loop. NULL: nothing to gain. *pays: the loop is
// long enough for the copies.
char *histogram_cpu_recipe(const Site *s, Expr **pays) {
    Arena *a = s->c->arena;
    Bins bins = {.s = s};
    Band b;
    if (!site_band(s, &b)) return NULL;
    bins.rows = b.n > 1 ? b.loop[0] : NULL;
    node_each(n, s->start->root) see(&bins, n);
    if (bins.n != 1 || bins.many || bins.rows) return NULL;
    const Array *x = bins.array[0];
    int64_t all = 1;
    bool asked = x->rank == 1 && !x->constant_size;
    for (int d = 0; d < x->rank && !asked; d++)
        all *=
            x->extent[d] && x->extent[d]->kind == E_INT && all <= MOST_HERE ? x->extent[d]->i : MOST_HERE + 1;
    if (all > MOST_HERE) return NULL;
    Expr *trips = expr_sub(a, expr_cast(a, T_I64, b.loop[0]->hi), expr_cast(a, T_I64, b.loop[0]->lo));
    *pays = expr_op(a, OP_GE, trips, expr_int(a, T_I64, STRETCH), NULL);
    const char *size = asked ? arena_printf(a, " size=%d", MOST_HERE) : "";
    return arena_printf(a, "privatize %s%s%s of=%s%s each=%d", b.loop[b.n - 1]->iter->name,
                        b.n > 1 ? " " : "", b.n > 1 ? b.loop[0]->iter->name : "", x->name, size, STRETCH);
}

const Strategy histograms_strategy = {"copies in shared memory of what data choose", recipes};
