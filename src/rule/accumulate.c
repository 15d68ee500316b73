// SPDX-License-Identifier: MIT
// accumulate.c -- keeps an element that a loop updates again and again in a register (the planner's way).
//
//   for k in 0..p              if (0 < p) {
//     a[j][i] += …        →      local acc = a[j][i]
//                                for k in 0..p  acc += …
//                                a[j][i] = acc }
//
// Right when, inside the loop, every access of the array names that very element, or, with beside=others, one
// that it is shown never to be (x[j] with j < 32 beside x[32 + i]): other arrays can't overlap it (a run-time
// guard says so) and nobody else may touch it while a thread updates it. The sequence of updates stays the
// same, so the bits do.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/known.h"
#include "rule/storage.h"

typedef struct Hoist {
    Names *names;
    Compile *c;       // NULL: nothing but equal subscripts is looked at
    Nest nest;        // what is known of the kernel's loops: with what was kept so far
} Hoist;

// ---- does x stay the same inside the loop? ------------------------------------------

typedef struct SymSet {
    const Sym *at[64];
    int n;
} SymSet;

static bool is_invariant(Expr *x, const SymSet *inner) {
    if (expr_has_load(x)) return false;
    for (int i = 0; i < inner->n; i++)
        if (expr_uses_sym(x, inner->at[i])) return false;
    return inner->n < 64;
}

// ---- an update that always runs: no condition between the loop and it ------------------

// Updates directly below the loop, or below inner loops whose ranges do not depend on it.
typedef struct Update {
    Node *stmt;
    Expr *runs; // when it runs at least once, given that the loop is reached
} Update;
typedef VEC(Update) UpdateVec;

static Expr *nonempty(Arena *a, const Node *loop) {
    return expr_op(a, loop->step > 0 ? OP_LT : OP_GT, loop->lo, expr_cast(a, loop->lo->type, loop->hi), NULL);
}

// Is what the statement sets made of what was there, by its operator or by a load: x = min(x, y + z)?
static bool is_update(const Stmt *s) {
    expr_each(x, s->rhs)
        if (stmt_is_own(s, x)) return true;
    return s->op != OP_SET;
}

// A loop of one thread, written out or not.
static bool runs_in_turn(const Node *n) {
    return n->kind == N_FOR && (n->how == HOW_SERIAL || n->how == HOW_UNROLL);
}

static void find_updates(Arena *a, Node *n, const SymSet *inner, Expr *runs, UpdateVec *out) {
    if (n->kind == N_SEQ)
        for (int i = 0; i < n->nkids; i++) find_updates(a, n->kids[i], inner, runs, out);
    if (runs_in_turn(n) && is_invariant(n->lo, inner) &&
        is_invariant(n->hi, inner)) {
        Expr *some = nonempty(a, n);
        find_updates(a, n->body, inner, runs ? expr_op(a, OP_LAND, runs, some, NULL) : some, out);
    }
    if (n->kind == N_STMT && is_update(n->stmt) && !n->atomic) {
        Update u = {n, runs};
        vec_push(a, out, u);
    }
}

// ---- the rule ------------------------------------------------------------------------

static const Array *target_of(const Node *stmt) {
    return stmt->nvia && stmt->via[0] ? stmt->via[0] : stmt->stmt->lhs;
}

static Expr **target_sub(Arena *a, const Node *stmt, const SymSet *inner) {
    const Stmt *s = stmt->stmt;
    Expr **sub = NEW_N(a, Expr *, s->lhs->rank + 1);
    for (int d = 0; d < s->lhs->rank; d++) {
        sub[d] = node_stmt_expr(a, stmt, s->sub[d]);
        if (!is_invariant(sub[d], inner)) return NULL;
    }
    return sub;
}

static const Array *register_for(Names *names, const Array *array, Expr **sub) {
    Arena *a = names->arena;
    Array *acc = array_copy(a, array, name_fresh(names, arena_printf(a, "%s_acc", array->name)), 0);
    acc->place = PLACE_LOCAL;
    acc->stride = type_size(array->elem);
    acc->offset = 0;
    acc->source = NULL;
    acc->of = (Array *)array;
    acc->origin = sub;
    for (int d = 0; d < array->rank; d++) acc->extent[d] = expr_int(a, T_I32, 1);
    return acc;
}

// Does the loop hold nothing but the update (in inner loops)?
static bool is_alone(Node *loop, const Node *stmt) {
    Node *n = loop;
    while (n->kind == N_FOR || (n->kind == N_SEQ && n->nkids == 1))
        n = n->kind == N_FOR ? n->body : n->kids[0];
    return n == stmt;
}

// Accesses of one element, and where it is kept.
typedef struct Kept {
    const Array *array, *acc;
    Expr **sub;
    const Known *at;    // the loop
    bool apart;         // so far all others are of other elements
} Kept;

static bool names_it(const Kept *k, const Site *s) {
    bool same = true;
    for (int d = 0; d < k->array->rank && same; d++) same = expr_equal(s->sub[d], k->sub[d]);
    return same;
}

static bool look_apart(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)to, (void)sub;
    Kept *k = arg;
    if (!k->apart || names_it(k, s)) return false;
    Known at = *k->at;
    Expr *meet = s->cond;
    for (int l = 0; l < s->nloops; l++) known_enter(&at, s->loop[l]);
    for (int d = 0; d < k->array->rank; d++) {
        if (expr_has_load(s->sub[d])) return k->apart = false;
        Expr *x = s->sub[d], *y = expr_cast(at.a, x->type, k->sub[d]);
        meet = cond_and(at.a, meet, expr_op(at.a, OP_EQ, x, y, NULL));
    }
    k->apart = meet && known_never(&at, meet);
    return false;
}

static bool to_register(const Site *s, const Array **to, Expr ***sub, void *arg) {
    (void)sub;
    const Kept *k = arg;
    *to = k->acc;
    return names_it(k, s);
}

// Is every access in the loop of that element, or never of it?
static bool is_its_own(const Hoist *h, Node *loop, const Array *array, Expr **sub) {
    Arena *a = h->names->arena;
    Path p;
    if (node_touches_only(a, loop, array, sub)) return true;
    if (!h->c || !path_to(h->nest.root, loop, &p)) return false;
    poly_restart(h->c);
    Known at = known_at(h->c, &h->nest, &p);
    Kept k = {array, NULL, sub, &at, true};
    accesses_edit(a, loop, array, look_apart, &k);
    return k.apart;
}

static Node *hoist_one(Names *names, Node *loop, const Update *u, const Array *array, Expr **sub) {
    Arena *a = names->arena;
    const Array *acc = register_for(names, array, sub);
    Kept its = {.array = array, .acc = acc, .sub = sub};
    bool alone = is_alone(loop, u->stmt); // then one condition serves all three
    Node *kids[3] = {
        node_copy(a, acc, sub, OP_SET, expr_load(a, array, sub)),
        accesses_edit(a, loop, array, to_register, &its),
        node_copy(a, array, sub, OP_SET, expr_load(a, acc, sub)),
    };
    for (int i = 0; i < 3 && !alone; i += 2) kids[i] = node_if(a, u->runs, kids[i], NULL);
    Node *seq = seq_declare(a, node_seq(a, 3, kids), acc);
    return alone ? node_if(a, u->runs, seq, NULL) : seq;
}

// The loop with the first element hoisted that can be; NULL: none.
static Node *hoist_loop(const Hoist *h, Node *loop) {
    Arena *a = h->names->arena;
    SymSet inner = {0};
    node_each(n, loop)
        if (n->kind == N_FOR && inner.n < 64) inner.at[inner.n++] = n->iter;
    UpdateVec updates = {0};
    find_updates(a, loop->body, &inner, nonempty(a, loop), &updates);
    for (int i = 0; i < updates.n; i++) {
        const Array *array = target_of(updates.at[i].stmt);
        bool memory = array->place != PLACE_LOCAL && array->place != PLACE_REGISTER;
        if (!memory || array->of || array->rank != updates.at[i].stmt->stmt->lhs->rank) continue;
        Expr **sub = target_sub(a, updates.at[i].stmt, &inner);
        if (!sub) continue;
        if (is_its_own(h, loop, array, sub)) return hoist_one(h->names, loop, &updates.at[i], array, sub);
    }
    return NULL;
}

static Node *hoisted(Node *n, void *arg) {
    Hoist *h = arg;
    Node *m = runs_in_turn(n) ? hoist_loop(h, n) : NULL;
    if (m && h->c) h->nest.root = node_replace(h->names->arena, h->nest.root, n, m);
    return m ? hoisted(m, arg) : node_map(h->names->arena, n, hoisted, arg);
}

Node *rule_hoist_updates(Names *names, Node *root) { return hoisted(root, &(Hoist){.names = names}); }

// ---- the rule -----------------------------------------------------------------------------------
static Nest *apply(Change *ch) {
    Node *kernel = change_kernel(ch, ch->step->words[0]);
    if (!kernel) return NULL;
    bool beside = str_eq(change_word(ch, "beside"), "others");
    Hoist h = {&ch->names, beside ? ch->c : NULL, *ch->nest};
    Node *k = hoisted(kernel, &h);
    if (str_eq(ir_print_node(ch->a, k, 0), ir_print_node(ch->a, kernel, 0)))
        return change_refuse(ch, "no loop of %s updates one element alone", kernel->name);
    return change_done(ch, node_replace(ch->a, ch->nest->root, kernel, k));
}

static void find_accumulate(Finder *f) { find_kernels(f, "accumulate %1"); }

static const Knob knobs[] = {
    {"beside", "what else the loop may touch of the array: nothing, or elements that are shown to be others",
     KNOB_WORD, 0, 0, "nothing|others", "nothing"},
};

// Rows behind a corner: what is taken from them stands before them.
#define EXAMPLE_BEHIND                                                                                       \
    "sculpt 1 region behind sculpt { param n: i32 = \"n\" "                                                  \
    "array a[n][32]: f64 = \"a\" array x[n]: f64 = \"x\" live "                                              \
    "do { for i: i32 = 32 .. n { for k: i32 = 0 .. 32 S0[i, k] } } "                                         \
    "stmt S0[i, k]: x[i] += -a[i][k] * x[k] }"

// What was there is one of the operands.
#define EXAMPLE_WAYS                                                                                         \
    "sculpt 1 region ways sculpt { param n: i32 = \"n\" array a[n][n]: i32 = \"a\" "                         \
    "array b[n][n]: i32 = \"b\" array d[n][n]: i32 = \"d\" live "                                            \
    "do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { for k: i32 = 0 .. n S0[i, j, k] } } } "                \
    "stmt S0[i, j, k]: d[i][j] = min(a[i][k] + b[k][j], d[i][j]) }"

static const RuleExample examples[] = {
    {EXAMPLE_PRODUCT, "grid i j threads=32,8", "accumulate product_0", NULL},
    {EXAMPLE_BEHIND, "grid i threads=32", "accumulate behind_0 beside=others", NULL},
    {EXAMPLE_BEHIND, "grid i threads=32", "accumulate behind_0", "updates one element alone"},
    {EXAMPLE_WAYS, "grid j i threads=16,4", "accumulate ways_0", NULL},
    {EXAMPLE_EACH, "grid j i threads=16,4", "accumulate each_0", "updates one element alone"},
    {0},
};

const Rule accumulate_rule = {
    .name = "accumulate",
    .usage = "accumulate KERNEL [beside=nothing|others]",
    .summary = "Keeps each element that a loop of a thread updates again and again in a register while the "
               "loop runs.",
    .picture = "for k                 acc = a[j][i]\n"
               "    a[j][i] += …  →   for k  acc += …\n"
               "                      a[j][i] = acc\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_accumulate,
    .examples = examples,
};
