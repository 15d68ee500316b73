// SPDX-License-Identifier: MIT
// chunk.c -- long sums are made in chunks: registers are added to a second sum from time to time.
//
//   acc = 0                               acc = 0;  sum = 0
//   for k  acc += …             →         for k {
//   a[i] += acc                               if (k % 64 == 63) { sum += acc;  acc = 0 }
//                                             acc += … }
//                                         acc += sum
//                                         a[i] += acc
//
// A float sum of n terms, one after the other, has an error that grows like n; in chunks of c
// terms it grows like sqrt(n·c) as long as n < c². (N. J. Higham, The accuracy of floating point
// summation, SIAM J. Sci. Comput. 14, 1993: blocked summation.) Pipelines run through: a chunk ends
// inside the loop, before its last iteration, so that the question is a short one.
//
// The second sums live in registers, or in shared memory, where every thread has words of its own:
//
//   sum[acc's dimensions but the last][thread][last]      where the last dimension is one vector
//   sum[acc's dimensions][thread]                         else; neighbours lie side by side in both
#include "rule/examples.h"
#include "rule/find_refs.h"
#include "rule/storage.h"

enum { VECTOR_BYTES = 16, MOST_BYTES = 227 * 1024 };

typedef struct Chunk {
    Change *ch;
    Arena *a;
    const Array *acc;
    Node *block, *loop;      // what declares acc, and the loop
    int at;                  // the loop stands in this child of the block
    Node *init;              // the child that sets acc to the neutral element
    Op op;
    Expr *begin;             // its neutral element
    bool shared, vector;
    Array *sum;
} Chunk;

// ---- what is there --------------------------------------------------------------------------------
static bool declares(const Node *n, const Array *x) {
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (n->locals[i] == x) return true;
    return false;
}

// The block that declares acc, and the child in which the loop stands: no loop between.
static bool find_block(Chunk *k) {
    Path p;
    if (!path_to(k->ch->nest->root, k->loop, &p)) return false;
    int i = p.n - 1;
    while (i >= 0 && !declares(p.node[i], k->acc)) i--;
    for (int j = i + 1; i >= 0 && j + 1 < p.n; j++)
        if (p.node[j]->kind == N_FOR)
            return change_refuse(k->ch, "%s stands between %s and its loop %s", p.node[j]->iter->name,
                                 k->acc->name, k->loop->iter->name);
    if (i < 0)
        return change_refuse(k->ch, "%s is no register that is kept while %s runs; hoist it", k->acc->name,
                             k->loop->iter->name);
    k->block = p.node[i];
    for (int c = 0; c < k->block->nkids; c++)
        if (k->block->kids[c] == p.node[i + 1]) k->at = c;
    return true;
}

typedef struct Look {
    const Chunk *k;
    const Node *set;         // the copy that begins the sum
    int sets;
    Op op;                   // of the updates; OP_SET: none yet
    bool other;              // the loop uses it in another way
} Look;

static void look_at(Look *l, const Node *root) {
    const Array *acc = l->k->acc;
    node_each(n, root) {
        if (n->kind == N_COPY && n->dst == acc) {
            l->set = n;
            l->sets++;
            l->other = l->other || n->op != OP_SET;
        }
        l->other |= n->kind == N_COPY && n->src->kind == E_LOAD && n->src->array == acc;
        for (int i = 0; n->kind == N_STMT && i < n->nvia; i++)
            if (n->via[i] == acc) {
                Op op = i ? OP_SET : n->stmt->op;
                l->other = l->other || op == OP_SET || (l->op != OP_SET && l->op != op);
                l->op = op;
            }
    }
}

static bool look(Chunk *k) {
    const char *name = k->acc->name;
    Look l = {.k = k, .op = OP_SET};
    // what comes behind is no matter
    for (int c = 0; c <= k->at; c++) look_at(&l, k->block->kids[c]);
    l.other = l.other || !node_uses_array(k->a, k->loop->body, k->acc);
    k->begin = l.op == OP_SET ? NULL : neutral_element(k->a, l.op, k->acc->elem);
    if (l.sets != 1 || l.other || !k->begin || !expr_equal(l.set->src, k->begin))
        return change_refuse(
            k->ch, "%s is no sum that begins with nothing and that %s alone adds to; hoist it init=zero",
            name, k->loop->iter->name);
    k->op = l.op;
    for (int c = 0; c < k->at; c++) {
        Path p;
        if (path_to(k->block->kids[c], l.set, &p)) k->init = k->block->kids[c];
    }
    return k->init || change_refuse(k->ch, "%s is not set before %s", name, k->loop->iter->name);
}

// ---- the second sums ---------------------------------------------------------------------------------
static bool choose_place(Chunk *k) {
    const char *place = change_word(k->ch, "place");
    const Array *acc = k->acc;
    k->shared = place && str_eq(place, "shared");
    if (!k->shared) return true;
    int64_t all = type_size(acc->elem);
    if (acc->place != PLACE_REGISTER || !acc->digits)
        return change_refuse(k->ch, "%s is no register array of a block's threads: there is nothing to share",
                             acc->name);
    for (int d = 0; d < acc->rank; d++)
        if (__builtin_mul_overflow(all, acc->extent[d]->i, &all) || all > MOST_BYTES)
            return change_refuse(k->ch, "the sums are more than the shared memory of a block holds");
    k->vector =
        acc->rank > acc->digits && acc->extent[acc->rank - 1]->i * type_size(acc->elem) == VECTOR_BYTES;
    return true;
}

// Dimension d of the sums is this one of the registers.
static int dimension(const Chunk *k, int d) {
    int own = k->acc->rank - k->acc->digits, front = own - k->vector;
    if (!k->shared) return d;
    if (d < front) return k->acc->digits + d;
    return d < front + k->acc->digits ? d - front : k->acc->rank - 1;
}

static bool make_sum(Chunk *k) {
    const char *names[1] = {arena_printf(k->a, "%s_sum", k->acc->name)};
    if (change_names(k->ch, "as", names, 1) > 1) return change_refuse(k->ch, "as= is one name");
    Array *x = array_copy(k->a, k->acc, change_name(k->ch, names[0]), 0);
    for (int d = 0; d < x->rank; d++) x->extent[d] = k->acc->extent[dimension(k, d)];
    if (k->shared) {
        x->place = PLACE_SHARED;
        x->digits = 0;
    }
    k->sum = x;
    return true;
}

// ---- copies --------------------------------------------------------------------------------------------
typedef enum Way { ZERO_ACC, ZERO_SUM, ADD_ACC, ADD_SUM } Way; // ADD_SUM: sum += acc

// Every thread does it for all of its registers: a phase of its own, where acc belongs to phases.
static Node *copies(const Chunk *k, Way way) {
    Arena *a = k->a;
    const Array *acc = k->acc;
    Sym *sym = NEW_N(a, Sym, acc->rank + 1);
    Expr **at = NEW_N(a, Expr *, acc->rank + 1), **sub = NEW_N(a, Expr *, acc->rank + 1);
    for (int d = 0; d < acc->rank; d++) {
        bool one = acc->extent[d]->i == 1 && d >= acc->digits;
        sym[d] = (Sym){one ? NULL : change_name(k->ch, arena_printf(a, "%s%d", k->sum->name, d)), SYM_ITER,
                       T_I32, NULL};
        at[d] = one ? expr_int(a, T_I32, 0) : expr_sym(a, &sym[d]);
    }
    for (int d = 0; d < acc->rank; d++) sub[d] = at[dimension(k, d)];
    Node *n = way == ZERO_ACC   ? node_copy(a, acc, at, OP_SET, k->begin)
              : way == ZERO_SUM ? node_copy(a, k->sum, sub, OP_SET, k->begin)
              : way == ADD_ACC  ? node_copy(a, acc, at, k->op, expr_load(a, k->sum, sub))
                                : node_copy(a, k->sum, sub, k->op, expr_load(a, acc, at));
    for (int d = acc->rank - 1; d >= 0; d--) {
        bool vector = k->vector && d == acc->rank - 1 && way != ZERO_ACC;
        How how = d < acc->digits ? HOW_THREAD : vector ? HOW_VECTOR : HOW_UNROLL;
        if (sym[d].name) n = node_for(a, &sym[d], expr_int(a, T_I32, 0), acc->extent[d], 1, how, n);
    }
    return n;
}

static Node *flush(const Chunk *k) {
    Arena *a = k->a;
    const Node *loop = k->loop;
    Node *kids[2] = {copies(k, ADD_SUM), copies(k, ZERO_ACC)};
    Expr *gone = expr_sub(a, expr_sym(a, loop->iter), expr_cast(a, loop->iter->type, loop->lo));
    int64_t every = change_int(k->ch, "every");
    Expr *number = expr_op(a, OP_MOD, gone, expr_int(a, gone->type, every), NULL);
    Expr *full = expr_op(a, OP_EQ, number, expr_int(a, gone->type, every - 1), NULL);
    return node_if(a, full, node_seq(a, 2, kids), NULL);
}

// Copies into buffers stay first in the body: the chunk ends before what uses acc.
static Node *new_loop(const Chunk *k) {
    Arena *a = k->a;
    Node *body = k->loop->body->kind == N_SEQ ? k->loop->body : node_seq(a, 1, &k->loop->body);
    for (int i = 0; i < body->nkids; i++)
        if (node_uses_array(a, body->kids[i], k->acc))
            return node_around(a, k->loop, seq_splice(a, body, i, 0, 1, &(Node *){flush(k)}));
    return node_around(a, k->loop, body);
}

// The last child that adds to acc as the loop does: strips behind the whole ones.
static int end_of_sum(const Chunk *k) {
    int end = k->at;
    for (int c = end + 1; c < k->block->nkids; c++) {
        Look l = {.k = k, .op = OP_SET};
        if (!node_uses_array(k->a, k->block->kids[c], k->acc)) continue;
        look_at(&l, k->block->kids[c]);
        if (l.sets || l.other || l.op != k->op) break;
        end = c;
    }
    return end;
}

static Node *new_block(const Chunk *k) {
    Arena *a = k->a;
    int init = 0; // it stands before the loop
    while (k->block->kids[init] != k->init) init++;
    Node *begin = copies(k, ZERO_SUM);
    Node *loop = node_replace(a, k->block->kids[k->at], k->loop, new_loop(k));
    Node *add = copies(k, ADD_ACC), *n = seq_splice(a, k->block, end_of_sum(k) + 1, 0, 1, &add);
    n = seq_splice(a, n, k->at, 1, 1, &loop);
    return seq_declare(a, seq_splice(a, n, init + 1, 0, 1, &begin), k->sum);
}

static Nest *apply(Change *ch) {
    Chunk k = {.ch = ch, .a = ch->a, .acc = change_array(ch, ch->step->words[0])};
    k.loop = k.acc ? change_loop(ch, change_text(ch, "at")) : NULL;
    if (!k.loop) return NULL;
    if (k.acc->place != PLACE_REGISTER && k.acc->place != PLACE_LOCAL)
        return change_refuse(ch, "%s is no register; hoist what is summed", k.acc->name);
    if (k.loop->how != HOW_SERIAL || k.loop->step != 1 || !cond_is_free(k.loop->lo))
        return change_refuse(ch, "%s is no serial loop with step 1", k.loop->iter->name);
    if (!find_block(&k) || !look(&k) || !choose_place(&k) || !make_sum(&k)) return NULL;
    Node *block = new_block(&k);
    Node *root = node_replace(ch->a, ch->nest->root, k.block, block);
    return change_done(ch, simplify_at(ch->c, ch->nest, root, block));
}

static const Knob knobs[] = {
    {"at", "the loop in which the terms are added", KNOB_NAMES, 0, 0, NULL, NULL},
    {"every", "iterations of the loop in a chunk", KNOB_INT, 1, 1 << 20, NULL, NULL},
    {"as", "name of the second sums", KNOB_NAMES, 0, 0, NULL, ""},
    {"place", "where they are: registers, or shared memory in words of each thread's own", KNOB_WORD, 0, 0,
     "register|shared", "register"},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc", "chunk acc at=kt every=2", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc",
     "chunk acc at=kt every=3 as=sum place=shared", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc\nstage b at=kt as=sb",
     "chunk acc at=kt every=1", NULL},
    {EXAMPLE_SUM, "interchange i k\nhoist a at=k init=zero as=acc", "chunk acc at=k every=4", NULL},
    {EXAMPLE_SUM, "interchange i k\nhoist a at=k init=zero as=acc", "chunk acc at=k every=4 place=shared",
     "nothing to share"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt as=acc", "chunk acc at=kt every=2", "init=zero"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "chunk a at=kt every=2", "is no register"},
    {0},
};

const Rule chunk_rule = {
    .name = "chunk",
    .usage = "chunk REGISTERS at=LOOP every=N [as=NAME] [place=register|shared]",
    .summary = "Makes a long sum in chunks: every N iterations the registers are added to second sums, and "
               "begin anew.",
    .picture = "acc = 0                      acc = 0;  sum = 0\n"
               "for k                        for k\n"
               "    acc += …          →          if (k % 64 == 63)  sum += acc;  acc = 0\n"
               "a[i] += acc                      acc += …\n"
               "                             acc += sum\n"
               "                             a[i] += acc\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_chunk,
    .examples = examples,
};
