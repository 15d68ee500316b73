// SPDX-License-Identifier: MIT
// pack.c -- an operand is copied once, by a kernel of its own, into a temporary of the wanted
// order, aligned and padded to whole tiles.
//
//   kernel k0 { … c[j][k] … }   →   temp ct[ceil(p/16)*16][ceil(m/128)*128]
//                                   kernel k1 { … copy ct[k][j] = c[min(j, m-1)][min(k, p-1)] … }
//                                   kernel k0 { … ct[k][j] … }
//
// Where the order of dimensions changes, the copy goes through a square of shared memory, so
// that neighbouring threads touch neighbouring words on both sides. What is padded holds the
// last row or column again, or zero.
//
// With panel=P the copy's last dimension is cut in panels, one after the other (panel.c).
#include "rule/find_refs.h"
#include "rule/linear.h"
#include "rule/pack.h"
#include <string.h>

// A block's square, its threads, and the bytes of its vectors.
enum { SIDE = 64, THREADS = 256, VECTOR_BYTES = 16 };

// ---- the temporary ------------------------------------------------------------------------------
static bool read_knobs(Pack *p) {
    Change *ch = p->ch;
    int64_t given[STEP_MAX];
    int n = change_ints(ch, "order", given, STEP_MAX);
    p->rank = p->array->rank;
    if (p->array->place != PLACE_USER || p->rank < 1 || p->rank > PACK_RANK)
        return change_refuse(ch, "%s is no array of the program with one to three dimensions",
                             p->array->name);
    for (int k = 0; k < p->rank; k++) {
        p->order[k] = n ? given[k < n ? k : 0] : k;
        p->tile[k] = 1;
        for (int i = 0; i < k; i++)
            if (p->order[i] == p->order[k]) n = -1;
        if (p->order[k] >= p->rank) n = -1;
    }
    if (n < 0 || (n && n != p->rank))
        return change_refuse(ch, "order= names each of the %d dimensions of %s once, from 0", p->rank,
                             p->array->name);
    n = change_ints(ch, "tile", given, STEP_MAX);
    for (int k = 0; k < n && k < p->rank; k++) p->tile[k] = given[k];
    const char *edge = change_word(ch, "edge");
    p->zero = edge && str_eq(edge, "zero");
    p->panel = change_text(ch, "panel") ? change_int(ch, "panel") : 0;
    if (!p->panel) return true;
    if (n) return change_refuse(ch, "panels are whole: panel= takes no tile=");
    if (p->zero) return change_refuse(ch, "panels are not filled: panel= takes no edge=zero");
    if (p->rank != 2)
        return change_refuse(ch, "panels are cut of two dimensions, and %s has %d", p->array->name, p->rank);
    return str_eq(ch->nest->target, "cpu") ||
           change_refuse(ch, "panels are for caches: on a GPU tiles are staged in shared memory");
}

static Expr *i32(const Pack *p, int64_t v) { return expr_int(p->a, T_I32, v); }

Expr *pack_ceil_div(const Pack *p, Expr *x, int64_t by) {
    if (by == 1) return x;
    return expr_op(p->a, OP_FDIV, expr_add(p->a, x, i32(p, by - 1)), i32(p, by), NULL);
}

Expr *pack_extent(const Pack *p, int d) {
    Expr *n = expr_add(p->a, expr_sub(p->a, p->hi[d], p->lo[d]), i32(p, 1));
    return expr_op(p->a, OP_MAX, n, i32(p, 0), NULL);
}

static void make_copy(Pack *p) {
    const char *as = change_text(p->ch, "as");
    const char *name = change_name(p->ch, as ? as : arena_printf(p->a, "%s_p", p->array->name));
    Array *x = array_new(p->a, name, p->array->elem, PLACE_TEMP, p->rank + 1);
    x->rank = p->panel ? 3 : p->rank;
    for (int k = 0; k < p->rank; k++)
        x->extent[k] = expr_mul(p->a, pack_ceil_div(p, pack_extent(p, (int)p->order[k]), p->tile[k]),
                                i32(p, p->tile[k]));
    if (p->panel) panel_extents(p, x->extent);
    p->copy = x;
}

// ---- the kernel that packs --------------------------------------------------------------------------
const Sym *pack_counter(Pack *p, const char *stem) {
    Sym *s = NEW(p->a, Sym);
    *s = (Sym){change_name(p->ch, arena_printf(p->a, "%s_%s", p->copy->name, stem)), SYM_ITER, T_I32, NULL};
    return s;
}

Node *pack_loop(const Pack *p, const Sym *s, Expr *end, How how, Node *body) {
    return node_for(p->a, s, i32(p, 0), end, 1, how, body);
}

// The array's element at[d], by its dimensions, from their beginnings; beyond the edge the last one again.
static Expr *element(Pack *p, Expr *const *at) {
    Expr **from = NEW_N(p->a, Expr *, p->rank + 1);
    for (int d = 0; d < p->rank; d++)
        from[d] = expr_op(p->a, OP_MIN, expr_add(p->a, p->lo[d], at[d]), p->hi[d], NULL);
    return expr_load(p->a, p->array, from);
}

// to[sub] = value, or zero where at is beyond the edge and zero is wanted there.
static Node *get(Pack *p, const Array *to, Expr *const *sub, Expr *const *at, Expr *value) {
    Arena *a = p->a;
    Node *n = node_copy(a, to, sub, OP_SET, value);
    if (!p->zero) return n;
    Type t = to->elem;
    Expr *inside = NULL, *none = type_is_float(t) ? expr_float(a, t, 0) : expr_int(a, t, 0);
    for (int d = 0; d < p->rank; d++)
        inside = cond_and(a, inside, expr_op(a, OP_LE, expr_add(a, p->lo[d], at[d]), p->hi[d], NULL));
    return node_if(a, inside, n, node_copy(a, to, sub, OP_SET, none));
}

// if (at < extents of the copy) copy[at] = …; from the array, or a value that is complete.
static Node *put(Pack *p, Expr *const *at, Expr *from, Expr *complete) {
    Expr **sub = NEW_N(p->a, Expr *, p->rank + 1), *cond = NULL;
    for (int k = 0; k < p->rank; k++) {
        sub[k] = at[p->order[k]];
        cond = cond_and(p->a, cond, expr_op(p->a, OP_LT, sub[k], p->copy->extent[k], NULL));
    }
    return node_if(p->a, cond,
                   from ? get(p, p->copy, sub, at, from) : node_copy(p->a, p->copy, sub, OP_SET, complete),
                   NULL);
}

// Threads ty, tx and lines r: place lines*r + ty, width*tx in a square.
typedef struct Square {
    const Sym *y, *x, *r;
    int width, lines;      // elements side by side a thread, lines at a time
    Expr *line, *column;
} Square;

static Square square(Pack *p, int n, int width) {
    Arena *a = p->a;
    Square s = {.y = pack_counter(p, arena_printf(a, "y%d", n)),
                .x = pack_counter(p, arena_printf(a, "x%d", n)),
                .r = pack_counter(p, arena_printf(a, "r%d", n)),
                .width = width,
                .lines = THREADS * width / SIDE};
    s.line = expr_add(a, expr_mul(a, expr_sym(a, s.r), i32(p, s.lines)), expr_sym(a, s.y));
    s.column = expr_mul(a, expr_sym(a, s.x), i32(p, width));
    return s;
}

static Node *square_loops(Pack *p, const Square *s, Node *body) {
    return pack_loop(p, s->y, i32(p, s->lines), HOW_THREAD,
                     pack_loop(p, s->x, i32(p, SIDE / s->width), HOW_THREAD, body));
}

static Node *each_line(Pack *p, const Square *s, Node *body) {
    return pack_loop(p, s->r, i32(p, SIDE / s->lines), HOW_UNROLL, body);
}

// Registers of a thread.
static Array *few(Pack *p, const char *stem, int64_t n) {
    const char *name = change_name(p->ch, arena_printf(p->a, "%s_%s", p->copy->name, stem));
    Array *v = array_new(p->a, name, p->copy->elem, PLACE_LOCAL, 1);
    v->extent[0] = i32(p, n);
    return v;
}

// What a thread reads of the array, all of it before any is looked at: a condition around each read
// would make it wait for one after the other. NULL for `to`: the copy.
//
//   for r  v[r] = array[min(…)]        for r  to[sub] = v[r], or zero
static Node *fetch(Pack *p, const Square *s, Expr *const *at, const Array *to, Expr *const *sub) {
    Arena *a = p->a;
    const Array *v = few(p, "v", SIDE / s->lines);
    Expr *r[2] = {expr_sym(a, s->r), NULL}, *value = expr_load(a, v, r);
    Node *store = to ? get(p, to, sub, at, value) : put(p, at, value, NULL);
    Node *both[2] = {each_line(p, s, node_copy(a, v, r, OP_SET, element(p, at))),
        change_copy(p->ch, each_line(p, s, store))};
    return square_loops(p, s, seq_declare(a, node_seq(a, 2, both), v));
}

// The places of a square's lines and columns: u the dimension of the lines, v of the columns.
static void place(Pack *p, Expr **at, Expr *const *block, int u, int v, Expr *line, Expr *column) {
    Arena *a = p->a;
    for (int d = 0; d < p->rank; d++) at[d] = block[d];
    at[u] = expr_add(a, expr_mul(a, block[u], i32(p, SIDE)), line);
    at[v] = expr_add(a, expr_mul(a, block[v], i32(p, SIDE)), column);
}

// Elements of the copy that one instruction may write: rows are whole vectors if the tile says so.
static int width_of(const Pack *p) {
    int width = VECTOR_BYTES / type_size(p->copy->elem);
    return width > 0 && p->tile[p->rank - 1] % width == 0 ? width : 1;
}

// Lines of the square t are the copy's columns.
static Node *give(Pack *p, const Array *t, Expr *const *block, int u, int v) {
    Arena *a = p->a;
    Square out = square(p, 1, width_of(p));
    Expr *at[PACK_RANK];
    if (out.width == 1) {
        Expr *there[2] = {out.column, out.line};
        place(p, at, block, u, v, out.column, out.line);
        return square_loops(p, &out, each_line(p, &out, put(p, at, NULL, expr_load(a, t, there))));
    }
    const Array *w = few(p, "w", out.width);
    const Sym *gathered = pack_counter(p, "g"), *lane = pack_counter(p, "l");
    Expr *there[2] = {expr_add(a, out.column, expr_sym(a, gathered)),
        out.line}, *g[2] = {expr_sym(a, gathered), NULL}, *l[2] = {expr_sym(a, lane), NULL};
    place(p, at, block, u, v, expr_add(a, out.column, l[0]), out.line);
    Node *whole = put(p, at, NULL, expr_load(a, w, l));
    Expr *none = i32(p, 0);
    whole->cond = expr_subst(a, whole->cond, 1, &lane, &none); // a vector is in the copy or not
    whole->then = pack_loop(p, lane, i32(p, out.width), HOW_VECTOR, whole->then);
    Node *both[2] = {pack_loop(p, gathered, i32(p, out.width), HOW_UNROLL,
                               node_copy(a, w, g, OP_SET, expr_load(a, t, there))),
                     whole};
    return square_loops(p, &out, each_line(p, &out, seq_declare(a, node_seq(a, 2, both), w)));
}

// Both sides contiguous: squares that are read by one order and written by the other.
static Node *turned(Pack *p, Expr *const *block, int u, int v) {
    Arena *a = p->a;
    Square in = square(p, 0, 1);
    Expr *at[PACK_RANK];
    const char *name = change_name(p->ch, arena_printf(a, "%s_t", p->copy->name));
    Array *t = array_new(a, name, p->copy->elem, PLACE_SHARED, 2);
    t->extent[0] = i32(p, SIDE);
    t->extent[1] = i32(p, SIDE + 1);
    // v is contiguous in the array, u in the copy.
    place(p, at, block, u, v, in.line, in.column);
    Expr *here[2] = {in.line, in.column};
    Node *both[2] = {fetch(p, &in, at, t, here), give(p, t, block, u, v)};
    return seq_declare(a, node_seq(a, 2, both), t);
}

static Node *pack_kernel(Pack *p) {
    Arena *a = p->a;
    int v = p->rank - 1, u = (int)p->order[p->rank - 1]; // contiguous in the array, in the copy
    const Sym *sym[PACK_RANK];
    Expr *block[PACK_RANK], *extent[PACK_RANK], *at[PACK_RANK];
    bool turn = u != v;
    if (!turn && p->rank > 1) u = (int)p->order[p->rank - 2];
    for (int k = 0; k < p->rank; k++) extent[p->order[k]] = p->copy->extent[k];
    for (int d = 0; d < p->rank; d++)
        block[d] = expr_sym(a, sym[d] = pack_counter(p, arena_printf(a, "b%d", d)));
    Node *body;
    if (turn) {
        body = turned(p, block, u, v);
    } else if (p->rank > 1) {
        Square s = square(p, 0, 1);
        place(p, at, block, u, v, s.line, s.column);
        body = fetch(p, &s, at, NULL, NULL);
    } else {
        const Sym *x = pack_counter(p, "x");
        at[0] = expr_add(a, expr_mul(a, block[0], i32(p, THREADS)), expr_sym(a, x));
        body = pack_loop(p, x, i32(p, THREADS), HOW_THREAD, put(p, at, element(p, at), NULL));
    }
    for (int k = p->rank - 1; k >= 0; k--) { // the contiguous one innermost
        int d = k;
        int64_t by = p->rank == 1 ? THREADS : d == u || d == v ? SIDE : 1;
        body = pack_loop(p, sym[d], pack_ceil_div(p, extent[d], by), HOW_BLOCK, body);
    }
    return node_kernel(a, change_name(p->ch, arena_printf(a, "pack_%s", p->array->name)), body);
}

// ---- accesses -----------------------------------------------------------------------------------------
static bool to_copy(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Pack *p = arg;
    if (s->write) return p->why = arena_printf(p->a, "%s is written", p->array->name), false;
    for (int d = 0; d < p->rank; d++)
        if (expr_has_load(s->sub[d]))
            return p->why = arena_printf(p->a, "the data say which elements of %s are read", p->array->name),
                   false;
    Expr **at = NEW_N(p->a, Expr *, p->rank + 1);
    for (int k = 0; k < p->rank; k++) {
        int d = (int)p->order[k];
        at[k] = expr_sub(p->a, s->sub[d], expr_cast(p->a, s->sub[d]->type, p->lo[d]));
    }
    if (p->panel) at = panel_access(p, s, at);
    if (!at)
        return p->why =
                   arena_printf(p->a, "an access to %s may go from one panel to the next", p->array->name),
               false;
    *to = p->copy;
    *sub = at;
    return true;
}

static Nest *pack(Change *ch) {
    Pack p = {.ch = ch, .a = ch->a, .array = change_array(ch, ch->step->words[0])};
    Node *kernel = p.array ? change_kernel(ch, change_text(ch, "at")) : NULL;
    if (!kernel || !read_knobs(&p) || !array_box(ch, p.array, p.lo, p.hi, &p.used)) return NULL;
    if (ch->nest->root->kind != N_SEQ) return change_refuse(ch, "there is no place for a temporary");
    make_copy(&p);
    Node *inside = accesses_edit(ch->a, kernel, p.array, to_copy, &p);
    if (p.why) return change_refuse(ch, "%s in %s", p.why, kernel->name);
    if (!node_uses_array(ch->a, kernel, p.array))
        return change_refuse(ch, "%s is not used in %s", p.array->name, kernel->name);
    Node *packing = p.panel ? panel_kernel(&p) : pack_kernel(&p), *both[2] = {packing, inside};
    if (p.used) both[0] = node_if(ch->a, p.used, both[0], NULL);
    Node *root = node_replace(ch->a, ch->nest->root, kernel, node_seq(ch->a, 2, both));
    root = simplify_at(ch->c, ch->nest, root, packing);
    return change_done(ch, seq_declare(ch->a, root, p.copy));
}

static const Knob knobs[] = {
    {"at", "the kernel that reads the copy", KNOB_NAMES, 0, 0, NULL, NULL},
    {"as", "name of the copy", KNOB_NAMES, 0, 0, NULL, ""},
    {"order", "the array's dimensions in the copy's order, from 0; the last lies side by side", KNOB_INTS, 0,
     7, NULL, ""},
    {"tile", "the copy's extents are rounded up to multiples of these", KNOB_INTS, 1, 1024, NULL, ""},
    {"panel", "the copy's last dimension is cut in panels of so many elements, which lie one after the other",
     KNOB_INT, 1, 1024, NULL, ""},
    {"edge", "what the copy holds beyond the array: its last element again, or zero", KNOB_WORD, 0, 0,
     "redirect|zero", "redirect"},
};

#define PRODUCT                                                                                    \
    "sculpt 1\n"                                                                                   \
    "region product_1 @\"product.c\":1:1 scop {\n"                                                 \
    "    param n: i32 = \"n\"\n"                                                                   \
    "    param p: i32 = \"p\"\n"                                                                   \
    "    array a[n]: f32 = \"a\" live\n"                                                           \
    "    array c[n][p]: f32 = \"c\"\n"                                                             \
    "    do { for k: i32 = 0 .. p { for i: i32 = 0 .. n { S0[k, i] } } }\n"                        \
    "    stmt S0[k, i]: a[i] += c[i][k]\n"                                                         \
    "}\n"
#define MAPPED                                                                                     \
    "strip i by=64 as=ib,ii\n"                                                                     \
    "interchange ib ii k\n"                                                                        \
    "map block ib\n"                                                                               \
    "map thread ii\n"

static const RuleExample pack_examples[] = {
    {PRODUCT, MAPPED, "pack c at=k0 as=ct order=1,0 tile=16,64", NULL},
    {PRODUCT, MAPPED, "pack c at=k0 as=ct order=1,0 tile=16,64 edge=zero", NULL},
    {PRODUCT, MAPPED, "pack a at=k0", "is written"},
    {PRODUCT, MAPPED, "pack c at=k0 panel=8", "panels are for caches"},
    {"sculpt 1\n"
     "region gather_1 @\"gather.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    array at[n]: i32 = \"at\"\n"
     "    array x[n]: f32 = \"x\"\n"
     "    array y[n]: f32 = \"y\" live\n"
     "    do { for i: i32 = 0 .. n { S0[i] } }\n"
     "    stmt S0[i]: y[i] = x[at[i]]\n"
     "}\n",
     "map block i", "pack x at=k0", "the data say which elements of x are read"},
    {0},
};
static const RuleExample transpose_examples[] = {
    {PRODUCT, MAPPED, "transpose c at=k0 order=1,0", NULL},
    {0},
};

const Rule pack_rule = {
    .name = "pack",
    .usage = "pack ARRAY at=KERNEL [as=NAME] [order=D,…] [tile=N,…] [panel=N] [edge=redirect|zero]",
    .summary = "Copies an operand once into an aligned temporary, padded to whole tiles, in the wanted "
               "order; the kernel "
               "reads the copy.",
    .picture = "kernel k0                      kernel pack_c\n"
               "    … c[j][k] …        →           c_p[k][j] = c[min(j, m-1)][min(k, p-1)]\n"
               "                               kernel k0\n"
               "                                   … c_p[k][j] …\n",
    RULE_KNOBS(knobs),
    .apply = pack,
    .find = find_pack,
    .examples = pack_examples,
};

static const Knob transpose_knobs[] = {
    {"at", "the kernel that reads it", KNOB_NAMES, 0, 0, NULL, NULL},
    {"order", "the array's dimensions in the new order, from 0; the last lies side by side", KNOB_INTS, 0, 7,
     NULL, NULL},
    {"as", "name of the turned array", KNOB_NAMES, 0, 0, NULL, ""},
};

const Rule transpose_rule = {
    .name = "transpose",
    .usage = "transpose ARRAY at=KERNEL order=D,… [as=NAME]",
    .summary = "Changes the order of an array's dimensions for a kernel, so that neighbouring threads touch "
               "neighbouring words.",
    .picture = "x[tid][d]   →   x_p[d][tid]\n",
    RULE_KNOBS(transpose_knobs),
    .apply = pack,
    .find = find_transpose,
    .examples = transpose_examples,
};
