// SPDX-License-Identifier: MIT
// stage.c -- what the body of a loop reads of an array is copied nearer first.
//
//   for kt {                          shared sb[16][128]
//     thread … {                      for kt {
//       … b[16*kt + kk][ii] … } }  →      coop x { coop y { copy sb[x][y] = b[16*kt + x][y] } }
//                                       thread … { … sb[kk][ii] … } }
//
// in=shared: by all threads of the block together; in=local and in=register: each thread its own
// part (fragments). Stencils get their halo, as neighbours at constant distance share a box. What is written
// there, too, comes by asynchronous copies (with async=yes all does) and goes back behind the body, without
// the halo; what is only written, and all of it, does not come.
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/storage.h"
#include <string.h>

enum { MOST_BYTES = 227 << 10, MOST_LOCAL = 512 };

typedef struct Stage {
    Change *ch;
    const Array *array;
    Node *loop;            // …or the kernel
    const char *at;        // its name
    Path path;             // to it
    Place place;
    FootWish w;
    FootBoxes boxes;
    Buffer *buffers;
    int first;             // the body's child before which the copies stand
    Node *body;            // a sequence
    bool writes;           // it is written below,
    bool reads;            // and read
    FootBoxes written;     // those elements
    bool fills;            // each of them, and before it is read: none comes in
} Stage;

// ---- where ----------------------------------------------------------------------------------------
static bool in_threads(const Path *p) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i]->kind == N_FOR && p->node[i]->how == HOW_THREAD) return true;
    return false;
}

// Of a kernel the loop over its blocks, the innermost: each block has shared memory of its own.
static Node *innermost_block(Node *n) {
    Node *in = n;
    for (n = unwrap(n->body); n->kind == N_FOR && n->how == HOW_BLOCK; n = unwrap(n->body)) in = n;
    return in;
}

static bool choose_place(Stage *s) {
    const char *in = change_word(s->ch, "in");
    bool inside = in_threads(&s->path);
    if (!in) in = inside ? "local" : "shared";
    s->place = str_eq(in, "local") ? PLACE_LOCAL : str_eq(in, "register") ? PLACE_REGISTER : PLACE_SHARED;
    bool loop = s->loop->kind == N_FOR;
    if (loop && (s->loop->how == HOW_COOP || s->loop->how == HOW_VECTOR))
        return change_refuse(s->ch, "%s is a %s loop", s->at, how_name(s->loop->how));
    if (s->place != PLACE_LOCAL && inside)
        return change_refuse(s->ch, "%s stands in a thread; what it copies is local", s->at);
    bool kernel = false;
    for (int i = 0; i < s->path.n; i++) kernel = kernel || s->path.node[i]->kind == N_KERNEL;
    if (!kernel && s->place != PLACE_LOCAL)
        return change_refuse(s->ch, "%s is in no kernel; map its blocks first", s->at);
    return true;
}

// ---- uses in the children of the body ----------------------------------------------------------------
typedef struct Uses {
    bool read, write;
} Uses;

static bool note(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    Uses *u = arg;
    u->read = u->read || s->read;
    u->write = u->write || s->write;
    return false;
}

// Behind what fills the array in the body itself.
static bool choose_child(Stage *s) {
    Arena *a = s->ch->a;
    s->body = s->loop->body->kind == N_SEQ ? s->loop->body : node_seq(a, 1, &s->loop->body);
    int read = -1, written = -1;
    bool anew = false; // written behind what reads it, or there
    for (int k = 0; k < s->body->nkids; k++) {
        Uses u = {0};
        accesses_edit(a, s->body->kids[k], s->array, note, &u);
        if (u.read && read < 0) read = k;
        if (u.write && written < 0) written = k;
        anew = anew || (u.write && read >= 0);
    }
    s->reads = read >= 0;
    s->writes = s->reads ? anew : written >= 0;
    s->first = s->reads ? read : written;
    if (s->writes && s->place != PLACE_SHARED)
        return change_refuse(s->ch, "%s is written %sbelow %s; hoist keeps what is written",
                             s->array->name, s->reads ? "and read " : "", s->at);
    return s->first >= 0 ||
           change_refuse(s->ch, "%s is not used below %s", s->array->name, s->at);
}

static bool check_size(Stage *s) {
    int64_t all = 0, size = type_size(s->array->elem);
    for (int k = 0; k < s->boxes.n; k++) {
        int64_t n = footprint_size(s->boxes.at[k]);
        all = n > MOST_BYTES ? MOST_BYTES : all + n;
    }
    if (s->place == PLACE_SHARED && all * size > MOST_BYTES)
        return change_refuse(s->ch, "the elements of %s are more than the shared memory of a block holds",
                             s->array->name);
    if (s->place != PLACE_SHARED && all > MOST_LOCAL)
        return change_refuse(s->ch, "%lld elements of %s are too many for a thread", (long long)all,
                             s->array->name);
    return true;
}

// ---- what is written ---------------------------------------------------------------------------------
typedef struct Sets {
    Arena *a;
    const Array *array;
    const FootBox *box;
} Sets;

// Does the box ask for all of the condition, so that its copies do, too?
static bool is_asked(const Sets *s, Expr *cond) {
    Expr *terms[TERMS_MAX];
    int n = cond_terms(cond, terms, TERMS_MAX), known = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < s->box->nterms; i++)
            if (expr_equal(terms[k], s->box->terms[i])) {
                known++;
                break;
            }
    return known == n;
}

// Is it set below whenever the box's conditions hold?
static bool is_set(const Sets *s, Node *n) {
    bool some = false;
    switch (n->kind) {
    case N_STMT:
        return node_accesses(s->a, n).at[0].array == s->array && n->stmt->op == OP_SET;
    case N_COPY: return n->dst == s->array && n->op == OP_SET;
    case N_FOR: return is_set(s, n->body);
    case N_SEQ:
        for (int k = 0; k < n->nkids && !some; k++) some = is_set(s, n->kids[k]);
        return some;
    case N_IF: {
        bool then = is_set(s, n->then), other = n->other && is_set(s, n->other);
        return (then && (other || is_asked(s, n->cond))) ||
               (other && is_asked(s, expr_op(s->a, OP_LNOT, n->cond, NULL, NULL)));
    }
    default: return false;
    }
}

static bool find_written(Stage *s, Node *rest) {
    FootWish w = {.ch = s->ch, .array = s->array, .threads = true, .writes = true};
    if (!footprints_of(&w, rest, &s->written)) return false;
    if (s->boxes.n == 1) footprint_parts(&s->w, rest, s->boxes.at[0]);
    if (s->written.n == 1) footprint_parts(&w, rest, s->written.at[0]);
    Sets sets = {s->ch->a, s->array, s->written.n == 1 ? s->written.at[0] : NULL};
    s->fills = s->boxes.n == 1 && (s->reads ? footprint_begins_written(s->boxes.at[0])
                                            : !sets.box || is_set(&sets, rest));
    return (s->boxes.n == 1 && s->written.n == 1) ||
           change_refuse(s->ch, "%s is written below %s, and what else is used of it lies at no constant "
                                "distance", s->array->name, s->at);
}

// ---- building --------------------------------------------------------------------------------------
static bool make_buffers(Stage *s) {
    Change *ch = s->ch;
    const char *names[STEP_MAX];
    int64_t order[STEP_MAX];
    int nnames = change_names(ch, "as", names, STEP_MAX), norder = change_ints(ch, "order", order, STEP_MAX);
    int64_t pad = change_int(ch, "pad");
    s->buffers = NEW_N(ch->a, Buffer, s->boxes.n + 2);
    for (int k = 0; k < s->boxes.n; k++) {
        const char *wish =
            k < nnames ? names[k]
                       : arena_printf(ch->a, "%c%s", s->place == PLACE_SHARED ? 's' : 'f', s->array->name);
        if (!buffer_make(ch, &s->w, s->boxes.at[k], change_name(ch, wish), s->place, norder, order, pad,
                         &s->buffers[k]))
            return false;
    }
    return !s->writes || buffer_part(ch, &s->buffers[0], s->written.at[0], &s->buffers[s->boxes.n]);
}

static int coming_in(const Stage *s) { return s->fills ? 0 : s->boxes.n; }

static Node *new_body(Stage *s, Copies *copies) {
    Arena *a = s->ch->a;
    int n = s->boxes.n, in = coming_in(s), users = s->body->nkids - s->first, all = in + users;
    Node **kids = NEW_N(a, Node *, all + 1);
    for (int i = 0; i < in; i++) {
        s->buffers[i].async = s->writes || str_eq(change_word(s->ch, "async"), "yes");
        How how = s->place == PLACE_SHARED ? HOW_COOP : HOW_UNROLL;
        copies[i] = buffer_copy(s->ch, &s->w, &s->buffers[i], COPY_IN, how, NULL);
        kids[i] = copies[i].all;
    }
    for (int k = 0; k < users; k++)
        kids[in + k] = buffers_redirect(&s->w, s->body->kids[s->first + k], &s->boxes, s->buffers);
    if (s->writes) {
        copies[in] = buffer_copy(s->ch, &s->w, &s->buffers[s->boxes.n], COPY_OUT, HOW_COOP, NULL);
        kids[all++] = copies[in].all;
    }
    Node *b = seq_splice(a, s->body, s->first, users, users ? all : 0, kids);
    for (int i = 0; s->place != PLACE_SHARED && i < n; i++) b = seq_declare(a, b, s->buffers[i].array);
    return b;
}

// Shared buffers belong to the block: they are declared inside the innermost block loop.
static Node *declare_shared(Stage *s, Node *root, const Node *loop) {
    Path p;
    Node *around = NULL;
    if (!path_to(root, loop, &p)) return root;
    for (int i = 0; i < p.n; i++) {
        const Node *n = p.node[i];
        if (n->kind == N_KERNEL || (n->kind == N_FOR && n->how == HOW_BLOCK)) around = p.node[i];
    }
    if (!around) return root;
    Node *n = node_clone(s->ch->a, around);
    for (int i = 0; i < s->boxes.n; i++) n->body = seq_declare(s->ch->a, n->body, s->buffers[i].array);
    return node_replace(s->ch->a, root, around, n);
}

static Nest *build(Stage *s) {
    Change *ch = s->ch;
    Copies *copies = NEW_N(ch->a, Copies, s->boxes.n + 2);
    Node *loop = node_around(ch->a, s->loop, new_body(s, copies));
    Node *root = node_replace(ch->a, ch->nest->root, s->loop, loop);
    if (s->place == PLACE_SHARED) root = declare_shared(s, root, loop);
    for (int i = 0; i < coming_in(s) + s->writes; i++) root = copies_settle(ch, root, &copies[i]);
    return change_done(ch, root);
}

static Nest *apply(Change *ch) {
    Stage s = {.ch = ch, .array = change_array(ch, ch->step->words[0])};
    s.at = change_text(ch, "at");
    s.loop = s.array ? change_place(ch, s.at) : NULL;
    if (s.loop && s.loop->kind == N_KERNEL) s.loop = innermost_block(s.loop);
    if (!s.loop || !path_to(ch->nest->root, s.loop, &s.path) || !choose_place(&s) || !choose_child(&s))
        return NULL;
    s.w = (FootWish){.ch = ch, .array = s.array, .threads = s.place == PLACE_SHARED};
    Node *rest = node_seq(ch->a, s.body->nkids - s.first, s.body->kids + s.first);
    if (!footprints_of(&s.w, rest, &s.boxes) || (s.writes && !find_written(&s, rest))) return NULL;
    return check_size(&s) && make_buffers(&s) ? build(&s) : NULL;
}

static const Knob knobs[] = {
    {"at", "the loop at the start of whose iterations the elements are copied, or a kernel: of each block",
     KNOB_NAMES, 0, 0, NULL, NULL},
    {"in", "where to: shared memory, a register array kept between phases, or a local array of the thread",
     KNOB_WORD, 0, 0, "shared|register|local", ""},
    {"as", "names of the buffers", KNOB_NAMES, 0, 0, NULL, ""},
    {"order", "the array's dimensions in the buffer's order, from 0; the last lies side by side", KNOB_INTS,
     0, 31, NULL, ""},
    {"pad", "unused elements at the end of each row of the buffer", KNOB_INT, 0, 64, NULL, "0"},
    {"async", "what is only read comes by asynchronous copies, too, so that all of it is under way at once",
     KNOB_WORD, 0, 0, "yes|no", "no"},
};

#define EXAMPLE_ONWARD                                                                                       \
    "sculpt 1 region onward scop { param n: i32 = \"n\" array a[n]: f32 = \"a\" live "                       \
    "do { for i: i32 = 1 .. n S0[i] } stmt S0[i]: a[i] = a[i - 1] }"

#define EXAMPLE_ROWS                                                                                         \
    "sculpt 1 region rows scop { param n: i32 = \"n\" array x[n][8]: f32 = \"x\" live "                      \
    "do { for i: i32 = 0 .. n { for j: i32 = 1 .. 8 { for l: i32 = 0 .. j { S0[i, j, l] } } } } "            \
    "stmt S0[i, j, l]: x[i][j] += -0.5 * x[i][l] }"

#define EXAMPLE_STAR                                                                                         \
    "sculpt 1\n"                                                                                             \
    "region jacobi_1 @\"jacobi.c\":1:1 scop {\n"                                                             \
    "    param n: i32 = \"n\"\n"                                                                             \
    "    array x[n][n]: f32 = \"x\"\n"                                                                       \
    "    array y[n][n]: f32 = \"y\" live\n"                                                                  \
    "    do { for i: i32 = 1 .. n - 1 { for j: i32 = 1 .. n - 1 { S0[i, j] } } }\n"                          \
    "    stmt S0[i, j]: y[i][j] = x[i][j] + x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]\n"         \
    "}\n"
#define STAR_TILES                                                                                           \
    "strip i by=8 as=ib,ii\nstrip j by=32 as=jb,jj\ninterchange ib jb ii jj\n"                               \
    "map block ib jb\nmap thread ii jj\n"

// What is written where the condition does not hold is half of each tile.
#define EXAMPLE_ELSE                                                                                         \
    "sculpt 1 region other scop { param n: i32 = \"n\" array y[n][8]: f32 = \"y\" live "                     \
    "array z[n]: f32 = \"z\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. 8 "                             \
    "{ if (i >= j) S0[i, j] else S1[i, j] } } stmt S0[i, j]: z[i] = 2.0 stmt S1[i, j]: y[i][j] = 1.0 }"

// No condition holds for all that is written, and some of a tile is not.
#define EXAMPLE_SOME                                                                                         \
    "sculpt 1 region some scop { param n: i32 = \"n\" array y[n][8]: f32 = \"y\" live "                      \
    "do { for i: i32 = 0 .. n for j: i32 = 0 .. 8 { if (j <= i) S0[i, j] if (j == i + 2) S1[i, j] } } "      \
    "stmt S0[i, j]: y[i][j] = 2.0 stmt S1[i, j]: y[i][j] = 1.0 }"

static const RuleExample examples[] = {
    {EXAMPLE_SOME, "grid i threads=32", "stage y at=some_0", NULL},
    {EXAMPLE_ELSE, "grid i threads=32", "stage y at=other_0", NULL},
    {EXAMPLE_STAR, STAR_TILES, "stage x at=jb", NULL},
    {EXAMPLE_STAR, STAR_TILES, "stage y at=jb", NULL},
    {EXAMPLE_ONWARD, "", "stage a at=i in=local", "written and read"},
    {EXAMPLE_ONWARD, "strip i by=32 as=ib,ii\nstrip ii by=1 as=iu,it\nsingle iu\nmap thread it",
     "stage a at=onward_0", NULL},
    {EXAMPLE_PRODUCT, "grid i j threads=32,8", "stage b at=product_0", "no constant"},
    {EXAMPLE_ROWS, "grid i threads=32", "stage x at=rows_0 pad=1", NULL},
    {EXAMPLE_STAR, STAR_TILES, "stage x at=jb async=yes", NULL},
    {"sculpt 1 region back scop { param n: i32 = \"n\" array y[n][8]: f32 = \"y\" live array z[n][8]: f32 = "
     "\"z\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. 8 { S0[i, j] S1[i, j] } } "
     "stmt S0[i, j]: y[i][j] = 1.0 stmt S1[i, j]: z[i][j] = y[i][7 - j] }",
     "grid i threads=32", "stage y at=back_0", NULL},
    {"sculpt 1\n"
     "region sweep_1 @\"sweep.c\":1:1 scop {\n"
     "    param n: i32 = \"n\"\n"
     "    array u[n][n]: f32 = \"u\" live\n"
     "    do { for i: i32 = 1 .. n { for j: i32 = 1 .. n { S0[i, j] } } }\n"
     "    stmt S0[i, j]: u[i][j] = u[i - 1][j] + u[i][j - 1]\n"
     "}\n",
     "tile i j by=4,4 as=ib,jb,ii,jj\n"
     "skew jb with=ib by=1\n"
     "interchange jb ib\n"
     "map block ib\n",
     "stage u at=ib", NULL},
    {0},
};

const Rule stage_rule = {
    .name = "stage",
    .usage = "stage ARRAY at=LOOP|KERNEL [in=shared|register|local] [as=NAMES] [order=D,…] [pad=N] "
             "[async=yes]",
    .summary =
        "Copies what the body of a loop reads of an array into shared memory (all threads together) or into "
        "registers (fragments) at the start of each iteration, and from shared memory back what it writes.",
    .picture = "for kt                               for kt\n"
               "    thread …                 →           coop … sb = b\n"
               "        … b[16*kt + kk][ii]              thread …\n"
               "                                             … sb[kk][ii]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_stage,
    .examples = examples,
};
