// SPDX-License-Identifier: MIT
// privatize.c -- updates of elements that data choose: each block has copies of the array in shared memory.
//
//   for i in 0..n            kernel { block b { shared own[256][32]                     (264 blocks of 512)
//     bin[key[i]] += 1   →       coop k  coop c     own[k][c] = 0
//                                thread w  thread c
//                                    for i = 512*b + 32*w + c; i < n; i += 135168
//                                        own[key[i]][c] += 1 atomic
//                                thread t  for k = t; k < 256; k += 512
//                                    sum = own[k][0] + own[k][1] + …
//                                    bin[k] += sum atomic } }
//
// Where some subscripts stay the same in there (bin[k][key[i]]) a copy is one row; rows=k makes the loop
// around one of blocks, too, each of which works on a row.
//
// On a processor a block is a stretch of the loop, and its one copy is its own: no update in there is atomic.
//
// Threads that meet on an element wait for each other; in shared memory that is a few cycles, and with
// several copies, which lie in banks of their own, they seldom meet. Memory sees one update for each element
// and block. The copies have a constant size: what the program declares, or size=, which the nest asks for.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"
#include "rule/storage.h"

enum { MOST_ARRAYS = 4, MOST_RANK = 4, MOST_SHARED = 224 * 1024 };

// One array, and its copies.
typedef struct Own {
    const Array *array;
    Op op;                     // OP_SET: not seen yet
    bool other;                // it is used in other ways, too
    Expr *const *sub;          // of its first access
    bool fixed[MOST_RANK];     // all accesses have this subscript, and no loop in there changes it
    int64_t size[MOST_RANK];   // of a copy
    Expr *lo[MOST_RANK], *end[MOST_RANK];
    Array *copies;             // [size…][copies]
} Own;

typedef struct Privatize {
    Change *ch;
    Arena *a;
    Nest *facts;
    bool cpu;
    int n;
    Own own[MOST_ARRAYS];
    int ndeal;
    Node *deal[2];             // x, and the one around it whose iterations are the blocks'
    Node *rows;                // the loop around, whose iterations have blocks of their own; NULL: the host's
    int64_t threads, copies, blocks, unroll, each;
    const Sym *copy;           // the number of a thread's copy: the last digit of its number
} Privatize;

static Expr *i32(const Privatize *p, int64_t v) { return expr_int(p->a, T_I32, v); }

// ---- what is updated ---------------------------------------------------------------------------------
static bool see_use(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    Own *o = arg;
    if (!o->sub) o->sub = s->sub;
    for (int d = 0; d < o->array->rank; d++) o->fixed[d] &= expr_equal(s->sub[d], o->sub[d]);
    if (!s->write || s->op == OP_SET || (o->op != OP_SET && o->op != s->op)) o->other = true;
    o->op = s->op;
    return false;
}

// From where to where subscripts go, and how long a copy is; *wish: what size= has left to say.
static bool find_extents(Privatize *p, Own *o, const int64_t **wish, int *nwish) {
    Change *ch = p->ch;
    Arena *a = p->a;
    for (int d = 0; d < o->array->rank; d++) {
        if (o->fixed[d]) {
            o->lo[d] = o->sub[d], o->size[d] = 1;
            continue;
        }
        const Inspect *in = region_inspect(ch->nest->region, o->array, d);
        Expr *extent = d || o->array->constant_size ? o->array->extent[d] : NULL;
        if (!in && !extent)
            return change_refuse(ch, "where subscripts of %s begin and end is not known", o->array->name);
        o->lo[d] = in ? expr_cast(a, T_I64, expr_sym(a, in->lo)) : expr_int(a, T_I32, 0);
        o->end[d] = in ? expr_add(a, expr_sym(a, in->hi), expr_int(a, T_I64, 1)) : extent;
        if (extent && extent->kind == E_INT) {
            o->size[d] = extent->i;
            continue;
        }
        if (!*nwish)
            return change_refuse(ch, "size= says too little: how long is dimension %d of %s?", d,
                                 o->array->name);
        o->size[d] = *(*wish)++;
        --*nwish;
        Expr *span = expr_sub(a, expr_cast(a, T_I64, o->end[d]), expr_cast(a, T_I64, o->lo[d]));
        p->facts->when = cond_and(a, p->facts->when,
                                  expr_op(a, OP_LE, span, expr_int(a, T_I64, o->size[d]), NULL));
    }
    return true;
}

static void ask(Privatize *p, Expr *least, Expr *most) {
    Arena *a = p->a;
    Expr *x = expr_cast(a, T_I64, least), *y = expr_cast(a, T_I64, most);
    p->facts->when = cond_and(a, p->facts->when, expr_op(a, OP_LE, x, y, NULL));
}

// The copies are added to all elements that they stand for. Where the region touches fewer, none where its
// loops don't run, the others may not be on the device.
static void ask_for_elements(Privatize *p, const Own *o) {
    Arena *a = p->a;
    const Nest *n = p->ch->nest;
    const Foot *f = NULL;
    for (int i = 0; i < n->nfeet; i++)
        if (n->feet[i].array == o->array) f = &n->feet[i];
    for (int d = 0; f && d < o->array->rank; d++) {
        if (!f->lo[d] || !f->hi[d]) continue;
        if (d == 0) ask(p, f->lo[d], f->hi[d]);
        if (o->fixed[d]) continue;
        ask(p, f->lo[d], o->lo[d]);
        ask(p, o->end[d], expr_add(a, expr_cast(a, T_I64, f->hi[d]), expr_int(a, T_I64, 1)));
    }
}

static bool find_arrays(Privatize *p, Node *top) {
    Change *ch = p->ch;
    const char *name[MOST_ARRAYS];
    int64_t size[MOST_ARRAYS * MOST_RANK], bytes = 0;
    const int64_t *wish = size;
    int nwish = change_ints(ch, "size", size, MOST_ARRAYS * MOST_RANK);
    p->n = change_names(ch, "of", name, MOST_ARRAYS);
    for (int i = 0; i < p->n; i++) {
        Own *o = &p->own[i];
        if (!(o->array = change_array(ch, name[i]))) return false;
        if (o->array->place != PLACE_USER || o->array->rank < 1 || o->array->rank > MOST_RANK)
            return change_refuse(ch, "%s is no array of the program", name[i]);
        for (int d = 0; d < o->array->rank; d++) o->fixed[d] = true;
        accesses_edit(p->a, top, o->array, see_use, o);
        for (int d = 0; o->sub && d < o->array->rank; d++) {
            o->fixed[d] &= !expr_has_load(o->sub[d]);
            node_each(n, top)
                if (n->kind == N_FOR) o->fixed[d] &= !expr_uses_sym(o->sub[d], n->iter);
        }
        if (o->other) return change_refuse(ch, "%s is used in other ways, too", name[i]);
        if (o->op == OP_SET) return change_refuse(ch, "nothing in %s updates %s", top->iter->name, name[i]);
        if (!neutral_element(p->a, o->op, o->array->elem))
            return change_refuse(ch, "the operator on %s has no neutral element", name[i]);
        if (!find_extents(p, o, &wish, &nwish)) return false;
        ask_for_elements(p, o);
        int64_t all = p->copies * type_size(o->array->elem);
        for (int d = 0; d < o->array->rank && all <= MOST_SHARED; d++) all *= o->size[d];
        bytes += all;
        if (bytes > MOST_SHARED)
            return change_refuse(ch, "the copies of %s do not fit shared memory", name[i]);
    }
    return true;
}

static void make_copies(Privatize *p, Own *o) {
    Arena *a = p->a;
    int rank = o->array->rank;
    o->copies = array_new(a, change_name(p->ch, arena_printf(a, "%s_own", o->array->name)), o->array->elem,
                          p->cpu ? PLACE_LOCAL : PLACE_SHARED, rank + 1);
    for (int d = 0; d < rank; d++) o->copies->extent[d] = i32(p, o->size[d]);
    o->copies->extent[rank] = i32(p, p->copies);
}

// The element of a copy that stands for an element of the array.
static Expr **in_copy(const Privatize *p, const Own *o, Expr *const *sub, Expr *copy) {
    int rank = o->array->rank;
    Expr **at = NEW_N(p->a, Expr *, rank + 1);
    for (int d = 0; d < rank; d++) {
        at[d] = i32(p, 0);
        if (o->fixed[d]) continue;
        Expr *from_lo = expr_sub(p->a, expr_cast(p->a, o->lo[d]->type, sub[d]), o->lo[d]);
        bool wraps = !type_is_signed(sub[d]->type) && type_size(sub[d]->type) >= 4; // in 32 bits alone
        at[d] = wraps ? from_lo : expr_narrow(p->a, T_I32, from_lo);
    }
    at[rank] = copy;
    return at;
}

// ---- the kernel ------------------------------------------------------------------------------------------
static Node *zeroed(const Privatize *p, const Own *o) {
    Arena *a = p->a;
    int rank = o->copies->rank;
    const Sym **k = NEW_N(a, const Sym *, rank);
    Expr **at = NEW_N(a, Expr *, rank);
    for (int d = 0; d < rank; d++)
        k[d] = iter_fresh(&p->ch->names, "k", T_I32), at[d] = expr_sym(a, k[d]);
    Node *n = node_copy(a, o->copies, at, OP_SET, neutral_element(a, o->op, o->array->elem));
    for (int d = rank - 1; d >= 0; d--)
        n = node_for(a, k[d], i32(p, 0), o->copies->extent[d], 1, p->cpu ? HOW_SERIAL : HOW_COOP, n);
    return n;
}

typedef struct Aim {
    const Privatize *p;
    const Own *o;
} Aim;

static bool to_copy(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const Aim *x = arg;
    *to = x->o->copies;
    *sub = in_copy(x->p, x->o, s->sub, x->p->cpu ? i32(x->p, 0) : expr_sym(x->p->a, x->p->copy));
    return true;
}

static Node *as_atomic(Node *n, void *arg) {
    const Privatize *p = arg;
    Node *m = node_map(p->a, n, as_atomic, arg);
    for (int i = 0; n->kind == N_STMT && i < p->n; i++)
        m->atomic = m->atomic || n->stmt->lhs == p->own[i].array;
    return m;
}

static Node *dealt(const Privatize *p, Node *loop, Expr *number, int64_t of, int64_t unroll, Node *body) {
    Node *n = node_around(p->a, loop, body);
    n->lo = loop_value(p->a, loop, number);
    n->step = loop->step * of;
    n->how = HOW_SERIAL;
    n->mark = NULL;
    if (!has_loops(body)) n->unroll = (int)unroll;
    return n;
}

static Node *to_copies(Privatize *p, Node *n) {
    for (int i = 0; i < p->n; i++) {
        Aim x = {p, &p->own[i]};
        n = accesses_edit(p->a, n, p->own[i].array, to_copy, &x);
    }
    return n;
}

// A block's stretch of the loop.
static Node *stretch(Privatize *p, Expr *block) {
    Arena *a = p->a;
    Node *top = p->deal[p->ndeal - 1], *n = node_clone(a, top);
    Type t = top->iter->type;
    Expr *from = expr_add(a, top->lo, expr_mul(a, expr_cast(a, t, block), expr_int(a, t, p->each)));
    n->lo = from;
    n->hi = expr_op(a, OP_MIN, expr_add(a, from, expr_int(a, t, p->each)), top->hi, NULL);
    n->mark = NULL;
    return to_copies(p, as_atomic(n, p)); // for the judge: of a thread's own array none is printed
}

// All threads' iterations, whose updates go to the copies.
static Node *updates(Privatize *p, Expr *block) {
    Arena *a = p->a;
    if (p->cpu) return stretch(p, block);
    const Sym *w = iter_fresh(&p->ch->names, "w", T_I32);
    p->copy = iter_fresh(&p->ch->names, "c", T_I32);
    Node *body = as_atomic(p->deal[0]->body, p);
    Expr *thread = expr_add(a, expr_mul(a, expr_sym(a, w), i32(p, p->copies)), expr_sym(a, p->copy));
    Expr *number = p->ndeal > 1 ? thread : expr_add(a, expr_mul(a, block, i32(p, p->threads)), thread);
    int64_t of = p->ndeal > 1 ? p->threads : p->blocks * p->threads;
    Node *n = dealt(p, p->deal[0], number, of, p->unroll, body);
    if (p->ndeal > 1) {
        Node *between = node_replace(a, p->deal[1]->body, p->deal[0], n);
        n = dealt(p, p->deal[1], block, p->blocks, 1, as_atomic(between, p));
    }
    n = to_copies(p, n);
    n = node_for(a, p->copy, i32(p, 0), i32(p, p->copies), 1, HOW_THREAD, n);
    return node_for(a, w, i32(p, 0), i32(p, p->threads / p->copies), 1, HOW_THREAD, n);
}

// The sum of an element's copies is added to it. Neighbouring threads begin with different copies, which lie
// in different banks.
static Node *summed(const Privatize *p, const Own *o, Expr *const *at, Expr *number) {
    Arena *a = p->a;
    Array *sum = array_new(a, change_name(p->ch, arena_printf(a, "%s_sum", o->array->name)), o->array->elem,
                           PLACE_LOCAL, 0);
    const Sym *c = iter_fresh(&p->ch->names, "c", T_I32);
    Expr *copy = expr_add(a, expr_sym(a, c), number);
    copy = p->copies > 1 ? expr_op(a, OP_FMOD, copy, i32(p, p->copies), NULL) : i32(p, 0);
    Node *add = node_copy(a, sum, NULL, o->op, expr_load(a, o->copies, in_copy(p, o, at, copy)));
    Node *kids[3] = {node_copy(a, sum, NULL, OP_SET, neutral_element(a, o->op, o->array->elem)),
                     node_for(a, c, i32(p, 0), i32(p, p->copies), 1, HOW_UNROLL, add),
                     node_copy(a, o->array, at, o->op, expr_load(a, sum, NULL))};
    kids[2]->atomic = true;
    return seq_declare(a, node_seq(a, 3, kids), sum);
}

static Node *combined(const Privatize *p, const Own *o) {
    Arena *a = p->a;
    int rank = o->array->rank, x = 0; // the longest dimension is the threads'
    for (int d = 0; d < rank; d++)
        if (!o->fixed[d] && (o->fixed[x] || o->size[d] >= o->size[x])) x = d;
    const Sym *t = iter_fresh(&p->ch->names, "t", T_I32);
    const Sym **k = NEW_N(a, const Sym *, rank);
    Expr **at = NEW_N(a, Expr *, rank);
    for (int d = 0; d < rank; d++)
        k[d] = iter_fresh(&p->ch->names, "k", o->lo[d]->type),
        at[d] = o->fixed[d] ? o->lo[d] : expr_sym(a, k[d]);
    Node *n = summed(p, o, at, p->cpu ? i32(p, 0) : expr_sym(a, t));
    for (int d = rank - 1; d >= 0; d--) {
        if (o->fixed[d]) continue;
        Expr *lo = d == x && !p->cpu ? expr_add(a, o->lo[d], expr_cast(a, o->lo[d]->type, expr_sym(a, t)))
                                     : o->lo[d];
        n = node_for(a, k[d], lo, expr_cast(a, lo->type, o->end[d]), d == x ? p->threads : 1, HOW_SERIAL, n);
    }
    if (p->cpu) return n;
    // of one element one thread
    return node_for(a, t, i32(p, 0), i32(p, o->fixed[x] ? 1 : p->threads), 1, HOW_THREAD, n);
}

static Expr *number_of_blocks(const Privatize *p) {
    Arena *a = p->a;
    const Node *top = p->deal[p->ndeal - 1];
    if (!p->cpu) return i32(p, p->blocks);
    Type t = top->iter->type;
    Expr *trips = expr_add(a, expr_sub(a, top->hi, top->lo), expr_int(a, t, p->each - 1));
    return expr_op(a, OP_FDIV, trips, expr_int(a, t, p->each), NULL);
}

static Node *kernel_of(Privatize *p) {
    Arena *a = p->a;
    const Sym *b = iter_fresh(&p->ch->names, "b", p->cpu ? p->deal[p->ndeal - 1]->iter->type : T_I32);
    Node *kids[2 * MOST_ARRAYS + 1];
    int n = 0;
    for (int i = 0; i < p->n; i++) make_copies(p, &p->own[i]), kids[n++] = zeroed(p, &p->own[i]);
    kids[n++] = updates(p, expr_sym(a, b));
    for (int i = 0; i < p->n; i++) kids[n++] = combined(p, &p->own[i]);
    Node *all = node_seq(a, n, kids);
    for (int i = 0; i < p->n; i++) all = seq_declare(a, all, p->own[i].copies);
    all = node_for(a, b, expr_int(a, b->type, 0), number_of_blocks(p), 1, HOW_BLOCK, all);
    if (p->rows) all = node_around(a, p->rows, all), all->mark = NULL;
    return node_kernel(a, name_fresh(&p->ch->names, "private"), all);
}

// ---- the rule -------------------------------------------------------------------------------------
static bool find_rows(Privatize *p) {
    Change *ch = p->ch;
    const char *name;
    if (!change_names(ch, "rows", &name, 1)) return true;
    Node *top = p->deal[p->ndeal - 1];
    if (!(p->rows = loop_outside(ch, name))) return false;
    if (unwrap(p->rows->body) == top) return true;
    return change_refuse(ch, "%s does not stand alone in %s", top->iter->name, name);
}

static bool find_dealt(Privatize *p) {
    Change *ch = p->ch;
    const Step *s = ch->step;
    for (; p->ndeal < s->nwords; p->ndeal++)
        if (!(p->deal[p->ndeal] = loop_outside(ch, s->words[p->ndeal]))) return false;
    Node *x = p->deal[0], *y = p->deal[s->nwords - 1];
    Chain c = chain_of(y);
    bool inside = x == y;
    for (int i = 0; i < c.n; i++) inside |= c.loop[i] == x;
    if (!inside)
        return change_refuse(ch, "%s does not stand directly inside %s", x->iter->name, y->iter->name);
    if (!find_rows(p)) return false;
    for (int k = 0; k < p->ndeal; k++)
        if (loop_is_unbounded(p->deal[k])) return change_refuse(ch, "%s has no end", p->deal[k]->iter->name);
    return true;
}

static Nest *apply(Change *ch) {
    Nest facts = *ch->nest;
    Privatize p = {.ch = ch, .a = ch->a, .facts = &facts, .threads = change_int(ch, "threads"),
                   .copies = change_int(ch, "copies"), .blocks = change_int(ch, "blocks"),
                   .unroll = change_int(ch, "unroll"), .each = change_int(ch, "each")};
    p.cpu = str_eq(ch->nest->target, "cpu");
    if (p.cpu) p.threads = p.copies = 1;
    if (p.threads % p.copies) return change_refuse(ch, "copies= does not divide threads=");
    if (!find_dealt(&p)) return NULL;
    Node *top = p.deal[p.ndeal - 1];
    if (p.cpu && (top->step != 1 || p.rows))
        return change_refuse(ch, "on a processor a block is a stretch of single steps");
    if (!find_arrays(&p, top)) return NULL;
    Path place;
    Node *old = p.rows ? p.rows : top;
    const Array *local = path_to(ch->nest->root, old, &place) ? path_local(&place, old) : NULL;
    if (local) return change_refuse(ch, "%s stands outside of the kernel that this makes", local->name);
    Node *root = node_replace(ch->a, ch->nest->root, old, kernel_of(&p));
    if (p.rows && !(root = loop_block(ch, root, p.rows->iter->name))) return NULL;
    Nest *n = change_done(ch, root);
    n->when = facts.when;
    return n;
}

static const Knob knobs[] = {
    {"of", "the arrays that are updated, in these loops in no other way", KNOB_NAMES, 0, 0, NULL, NULL},
    {"size", "elements of a copy, for each dimension whose length is no constant; the nest asks for no more",
     KNOB_INTS, 1, 1 << 16, NULL, ""},
    {"rows", "the loop around, whose iterations have blocks of their own", KNOB_NAMES, 0, 0, NULL, ""},
    {"copies", "of the array in a block; neighbouring threads have different ones", KNOB_INT, 1, 1024, NULL,
     "1"},
    {"threads", "of a block", KNOB_INT, 32, 1024, NULL, "256"},
    {"blocks", "among which the iterations are dealt", KNOB_INT, 1, 65535, NULL, "256"},
    {"each", "iterations of a block, on a processor", KNOB_INT, 1, 1 << 30, NULL, "65536"},
    {"unroll", "iterations of a thread whose reads are under way together", KNOB_INT, 1, 32, NULL, "8"},
};

static void find_privatize(Finder *f) {
    node_each(n, f->ch->nest->root) {
        Chain c = n->kind == N_FOR ? chain_of(n) : (Chain){0};
        Node *s = c.n ? unwrap(c.body) : NULL;
        if (!s || s->kind != N_STMT || s->stmt->op == OP_SET || s->stmt->lhs->rank < 1) continue;
        const Array *x = s->stmt->lhs;
        Text size = text_new(f->ch->a);
        for (int d = 0; d < x->rank; d++)
            if (!x->constant_size) text_printf(&size, "%s%d", d ? "," : " size=", x->rank == 1 ? 256 : 32);
        finder_site(f, "privatize %s of=%s%s", c.loop[c.n - 1]->iter->name, x->name, text_str(&size));
    }
}

// Where subscripts begin and end is looked at before a launch.
#define BINS                                                                                       \
    "sculpt 1 region bins sculpt { param n: i32 = \"n\" param lo: i64 param hi: i64 "              \
    "array bin[?]: i32 = \"bin\" live array key[?]: u8 = \"key\" "                                 \
    "inspect bin dim 0 as lo to hi for i_1: i32 = 0 .. n value i64(key[i_1]) "                     \
    "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: bin[key[i]] += 1 }"
// The program says how many there are.
#define DIGITS                                                                                     \
    "sculpt 1 region digits sculpt { param n: i32 = \"n\" array bin[8]: i32 = \"bin\" live constant " \
    "array key[n]: i32 = \"key\" do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: bin[key[i] & 7] += 1 }"
#define PAIRS                                                                                      \
    "sculpt 1 region pairs sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "                    \
    "array bin[4][8]: i32 = \"bin\" live constant array x[n][m]: i32 = \"x\" array y[n][m]: i32 = \"y\" " \
    "do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] } "                                     \
    "stmt S0[i, j]: bin[x[i][j] & 3][y[i][j] & 7] max= j }"
// Of each row by itself.
#define ROWS                                                                                       \
    "sculpt 1 region rows sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "                    \
    "array bin[n][8]: i32 = \"bin\" live array key[n][m]: i32 = \"key\" "                         \
    "do { for k: i32 = 0 .. n for i: i32 = 0 .. m S0[k, i] } stmt S0[k, i]: bin[k][key[k][i] & 7] += 1 }"
#define CHOSEN                                                                                     \
    "sculpt 1 region chosen sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array bin[8]: i32 = "  \
    "\"bin\" live constant array key[n]: i32 = \"key\" do { for i: i32 = 0 .. n for j: i32 = 0 .. m "   \
    "S0[i, j] } stmt S0[i, j]: bin[key[i] & 7] += j }"
#define WEIGHTS                                                                                    \
    "sculpt 1 region weights sculpt { param n: i32 = \"n\" array bin[8]: f32 = \"bin\" live constant " \
    "array key[n]: i32 = \"key\" array w[n]: f32 = \"w\" do { for i: i32 = 0 .. n S0[i] } "          \
    "stmt S0[i]: bin[key[i] & 7] += w[i] }"

static const RuleExample examples[] = {
    {DIGITS, "", "privatize i of=bin threads=64", NULL},
    {DIGITS, "", "privatize i of=bin copies=4 threads=32 blocks=3 unroll=2", NULL},
    {PAIRS, "", "privatize j i of=bin threads=64 blocks=4", NULL},
    {PAIRS, "", "privatize j of=bin threads=32 copies=2 blocks=2", NULL},
    {ROWS, "", "privatize i of=bin rows=k threads=64 blocks=2 copies=2", NULL},
    {ROWS, "", "privatize i of=bin", NULL},
    {PAIRS, "", "privatize j of=bin rows=j", "does not stand alone"},
    {WEIGHTS, "", "privatize i of=bin", "permission to reassociate"},
    {BINS, "", "privatize i of=bin", "how long is dimension 0"},
    {BINS, "", "privatize i of=key size=16", "in other ways"},
    {BINS, "", "privatize i of=bin size=4096 copies=32", "do not fit shared memory"},
    {BINS, "", "privatize i of=bin size=16 threads=64 copies=3", "does not divide"},
    {EXAMPLE_SEIDEL, "", "privatize i of=x size=16", "in other ways"},
    {CHOSEN, "hoist key at=j", "privatize j of=bin", "stands outside of the kernel"},
    {0},
};

const Rule privatize_rule = {
    .name = "privatize",
    .usage = "privatize X [Y] of=ARRAYS [size=N,…] [rows=LOOP] [copies=N] [threads=N] [blocks=N] [each=N] "
             "[unroll=N]",
    .summary = "Gives each block copies in shared memory of arrays whose elements loops update, and adds "
               "these up at the end.",
    .picture = "for i                    block b  own[k][c] = 0\n"
               "    bin[key[i]] += 1  →      thread w  thread c  for i …  own[key[i]][c] += 1 atomic\n"
               "                             thread k  bin[k] += own[k][0] + own[k][1] + … atomic\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_privatize,
    .examples = examples,
};
