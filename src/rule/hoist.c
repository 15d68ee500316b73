// SPDX-License-Identifier: MIT
// hoist.c -- keeps the elements that a loop reads or updates in registers while it runs.
//
//   for kt {                          register acc[256][8] digits 1
//     thread t {                      thread t { for i unroll { copy acc[t][i] = a[8*t + i] } }
//       for i {                 →     for kt { thread t { for i { acc[t][i] += … } } }
//         a[8*t + i] += … } } }       thread t { for i unroll { copy a[8*t + i] = acc[t][i] } }
//
// What else is read of the array, and moves with the loop or is too much, stays as it is if nothing is
// written. Of a box of which a part is written only that part goes back.
// At a block loop they are kept through all that a block does. What is written before it is read is not read
// from memory, and is stored once.
// With the loop inside the thread loops (or on a CPU) the registers are a local array. Where
// the subscripts use counters of inner loops, it is an array with one dimension for each.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/storage.h"

enum { MOST_READ = 20, MOST_WRITTEN = 256 };

static bool stands_in_threads(const Path *p) {
    for (int i = 0; i + 1 < p->n; i++)
        if (p->node[i]->kind == N_FOR && p->node[i]->how == HOW_THREAD) return true;
    return false;
}

static bool is_block(const Node *n) { return n->kind == N_FOR && n->how == HOW_BLOCK; }
static bool is_thread(const Node *n) { return n->kind == N_FOR && n->how == HOW_THREAD; }

static bool can_stand_around(Change *ch, Node *loop) {
    if (node_kernels(loop))
        return change_refuse(ch, "%s is a loop of the host, around kernels; registers live in one",
                             loop->iter->name);
    if (loop->how == HOW_SERIAL || loop->how == HOW_UNROLL) return true;
    if (loop->how == HOW_BLOCK && !node_any(loop->body, is_block)) return true;
    return change_refuse(ch, "%s is a %s loop; registers are kept while a serial loop or a block's work runs",
                         loop->iter->name, how_name(loop->how));
}

// Is it allowed to begin with the neutral element?
static bool check_init(Change *ch, const FootBox *b, const char *init) {
    if (!init || !str_eq(init, "zero")) return true;
    if (b->write && !b->plain && !b->read && b->op != OP_SET && neutral_element(ch->a, b->op, b->array->elem))
        return true;
    return change_refuse(ch, "init=zero is for sums: %s is not only updated, with one operator",
                         b->array->name);
}

// Of what is only read, boxes that are too large stay in memory; the others become registers.
static int64_t drop_large(FootBoxes *boxes, int64_t max) {
    FootBoxes kept = {0};
    int64_t all = 0, least = INT64_MAX;
    for (int k = 0; k < boxes->n; k++) {
        int64_t size = footprint_size(boxes->at[k]);
        least = size < least ? size : least;
        if (size > max - all) continue;
        all += size;
        boxes->at[kept.n++] = boxes->at[k];
    }
    if (kept.n) boxes->n = kept.n;
    return kept.n ? all : least;
}

static bool check_boxes(Change *ch, FootBoxes *boxes, const Array *array, const char *at) {
    bool writes = false;
    int64_t all = 0, max = change_text(ch, "max") ? change_int(ch, "max") : 0;
    for (int k = 0; k < boxes->n; k++) {
        writes = writes || boxes->at[k]->write;
        int64_t size = footprint_size(boxes->at[k]);
        all = size > (1 << 20) ? size : all + size;
    }
    if (!boxes->n) return change_refuse(ch, "%s is not used below %s", array->name, at);
    if (writes && boxes->n > 1)
        return change_refuse(
            ch, "%s is written below %s, and what else is used of it lies at no constant distance",
            array->name, at);
    if (!max) max = writes ? MOST_WRITTEN : MOST_READ;
    if (all > max && !writes) all = drop_large(boxes, max);
    if (all > max)
        return change_refuse(ch,
                             "%lld elements of %s are more than the %lld registers of max=", (long long)all,
                             array->name, (long long)max);
    return true;
}

// Elements that move with the loop are read where they are, as long as nothing is written.
static bool check_left(Change *ch, const FootWish *w, const FootBoxes *boxes) {
    bool writes = false;
    for (int k = 0; k < boxes->n; k++) writes = writes || boxes->at[k]->write;
    return !w->left || (boxes->n && !writes) || change_refuse(ch, "%s", w->left);
}

typedef struct Around {
    Expr *runs;               // the loop runs at all; NULL: always. Else its elements may not exist
    VEC(Node *) before, after;
} Around;

// What goes back: of elements that are read beside those that are written, these alone.
static Buffer written_part(Change *ch, FootWish *w, Node *place, FootBox *box, const Buffer *b) {
    FootWish writes = *w;
    FootBoxes all = {0};
    Buffer part;
    const char *why = ch->why;
    writes.writes = true;
    bool fits = !box->same && box->read && footprints_of(&writes, place, &all) && all.n == 1 &&
                buffer_part(ch, b, all.at[0], &part);
    ch->why = why;
    if (fits) footprint_parts(w, place, box);
    return fits ? part : *b;
}

static bool add_box(Change *ch, FootWish *w, Node *place, FootBox *box, bool phases, const char *name,
                    Around *x, Buffer *b) {
    const char *init = change_word(ch, "init");
    if (!check_init(ch, box, init)) return false;
    if (!buffer_make(ch, w, box, name, phases ? PLACE_REGISTER : PLACE_LOCAL, 0, NULL, 0, b)) return false;
    Buffer back = box->write ? written_part(ch, w, place, box, b) : *b;
    bool zero = init && str_eq(init, "zero");
    bool load = init && str_eq(init, "load") ? true
                                             : (box->read && !footprint_begins_written(box)) ||
                                                   (box->write && !box->plain);
    if (zero || load)
        vec_push(ch->a, &x->before,
                 buffer_copy(ch, w, b, zero ? COPY_ZERO : COPY_IN, HOW_UNROLL, x->runs).all);
    if (box->write)
        vec_push(ch->a, &x->after,
                 buffer_copy(ch, w, &back, zero ? COPY_ADD : COPY_OUT, HOW_UNROLL, x->runs).all);
    return true;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    const Array *array = change_array(ch, ch->step->words[0]);
    Node *loop = array ? change_loop(ch, change_text(ch, "at")) : NULL;
    Path p;
    if (!loop || !can_stand_around(ch, loop) || !path_to(ch->nest->root, loop, &p)) return NULL;
    bool threads = node_any(loop, is_thread);
    FootWish w = {.ch = ch, .array = array, .some = true};
    FootBoxes boxes = {0};
    bool block = is_block(loop);
    Node *place = block ? loop->body : loop; // of a block, all that it does
    if (!footprints_of(&w, place, &boxes) || !check_left(ch, &w, &boxes) ||
        !check_boxes(ch, &boxes, array, loop->iter->name))
        return NULL;
    const char *names[STEP_MAX];
    int nnames = change_names(ch, "as", names, STEP_MAX);
    Buffer *buffers = NEW_N(a, Buffer, boxes.n + 1);
    Around x = {.runs = expr_op(a, loop->step > 0 ? OP_LT : OP_GT, loop->lo,
                                expr_cast(a, loop->lo->type, loop->hi), NULL)};
    if (block || holds_at(ch->c, ch->nest, &p, x.runs)) x.runs = NULL;
    for (int k = 0; k < boxes.n; k++) {
        const char *name = change_name(ch, k < nnames ? names[k] : arena_printf(a, "%s_r", array->name));
        if (!add_box(ch, &w, place, boxes.at[k], threads && !stands_in_threads(&p), name, &x, &buffers[k]))
            return NULL;
    }
    Node *inside = buffers_redirect(&w, place, &boxes, buffers);
    vec_push(a, &x.before, inside);
    for (int k = 0; k < x.after.n; k++) vec_push(a, &x.before, x.after.at[k]);
    Node *all = node_seq(a, x.before.n, x.before.at);
    for (int k = 0; k < boxes.n; k++) all = seq_declare(a, all, buffers[k].array);
    Node *root = node_replace(a, ch->nest->root, place, all);
    for (int k = 0; k < all->nkids; k++)
        if (all->kids[k] != inside) root = simplify_at(ch->c, ch->nest, root, all->kids[k]);
    return change_done(ch, root);
}

static const Knob knobs[] = {
    {"at", "the loop while which the elements are kept", KNOB_NAMES, 0, 0, NULL, NULL},
    {"as", "names of the registers", KNOB_NAMES, 0, 0, NULL, ""},
    {"init", "begin with the element, or with the operator's neutral element and combine at the end",
     KNOB_WORD, 0, 0, "load|zero", ""},
    {"max", "the most registers a thread (default: 20, or 256 for what is written)", KNOB_INT, 1, 1024, NULL,
     ""},
};

// All pairs: x is read by both counters.
#define PAIRS \
    "sculpt 1\n" \
    "region pairs_1 @\"pairs.c\":1:1 scop {\n" \
    "    param n: i32 = \"n\"\n" \
    "    array x[n]: f32 = \"x\"\n" \
    "    array d[n]: f32 = \"d\" live\n" \
    "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { S0[i, j] } } }\n" \
    "    stmt S0[i, j]: d[i] += x[i] * x[j]\n" \
    "}\n"

static const RuleExample examples[] = {
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS,
     "hoist a at=kt as=acc", NULL},
    {"sculpt 1\n"
     "region rows_1 @\"rows.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    param m: i32 = \"m\"\n"
     "    array x[m][4]: f32 = \"x\"\n"
     "    array d[m][n]: f32 = \"d\" live\n"
     "    do { for i: i32 = 0 .. m { for j: i32 = 0 .. n { for k: i32 = 0 .. 4 { S0[i, j, k] } } } }\n"
     "    stmt S0[i, j, k]: d[i][j] += x[i][k]\n"
     "}\n",
     "", "hoist x at=j", NULL},
    // the elements k, and of those the ones behind the first
    {"sculpt 1\n"
     "region solve_1 @\"solve.c\":1:1 scop {\n"
     "    param m: i32 = \"m\"\n"
     "    array x[m][8]: f32 = \"x\" live\n"
     "    array d[8][8]: f32 = \"d\"\n"
     "    do { for i: i32 = 0 .. m { for k: i32 = 0 .. 8 { for j: i32 = k + 1 .. 8 { S0[i, k, j] } } } }\n"
     "    stmt S0[i, k, j]: x[i][j] += -x[i][k] * d[k][j]\n"
     "}\n",
     "hull j\ngrid i\n", "hoist x at=k", NULL},
    // what lies around is read, and does not go back
    {"sculpt 1\n"
     "region sweep_1 @\"sweep.c\":1:1 scop {\n"
     "    param m: i32 = \"m\"\n"
     "    array u[m][9][9]: f32 = \"u\" live\n"
     "    do { for t: i32 = 0 .. m { for i: i32 = 1 .. 9 { for j: i32 = 1 .. 9 { S0[t, i, j] } } } }\n"
     "    stmt S0[t, i, j]: u[t][i][j] = u[t][i - 1][j] + u[t][i][j - 1]\n"
     "}\n",
     "grid t\n"
     "tile i j by=2,2 as=ib,jb,ii,jj edge=exact\n", "hoist u at=ii", NULL},
    {"sculpt 1\n"
     "region rows_1 @\"rows.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    param m: i32 = \"m\"\n"
     "    array x[n]: f32 = \"x\"\n"
     "    array d[m]: f32 = \"d\" live\n"
     "    do { for i: i32 = 0 .. m { for k: i32 = 0 .. n { S0[i, k] } } }\n"
     "    stmt S0[i, k]: d[i] += x[k]\n"
     "}\n",
     "", "hoist x at=k", "moves with k"},
    {EXAMPLE_SUM, "map block i", "hoist a at=k", "k is a loop of the host"},
    {"sculpt 1\n"
     "region scaled_1 @\"scaled.c\":1:1 sculpt reassociate {\n"
     "    param n: i32 = \"n\"\n"
     "    param m: i32 = \"m\"\n"
     "    array a[n][m]: f32 = \"a\" live\n"
     "    do { for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. m S1[i, j] "
     "for k: i32 = 0 .. m S2[i, k] } }\n"
     "    stmt S0[i]: s = 1.0\n"
     "    stmt S1[i, j]: s += a[i][j]\n"
     "    stmt S2[i, k]: a[i][k] = a[i][k] / s\n"
     "}\n",
     "map block i\nreduce j k by=4 rounds=3", "hoist a at=i", NULL},
    {PAIRS, "define n value=33", "hoist x at=j", NULL},
    {PAIRS, "", "hoist x at=j", NULL},
    {0},
};

const Rule hoist_rule = {
    .name = "hoist",
    .usage = "hoist ARRAY at=LOOP [as=NAMES] [init=load|zero] [max=N]",
    .summary =
        "Keeps the elements of an array that a loop reads again, or updates, in registers while it runs.",
    .picture = "for k                        acc = a[i]\n"
               "    a[i] += b[k][i]    →     for k\n"
               "                                 acc += b[k][i]\n"
               "                             a[i] = acc\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_hoist,
    .examples = examples,
};
