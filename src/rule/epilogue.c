// SPDX-License-Identifier: MIT
// epilogue.c -- sums that meet memory: all of it is read before any of it is written.
//
// As `hoist init=zero` leaves it, each element is read, added to and written before the next is
// read: the device's compiler can't know that they differ, so every read waits for memory anew.
// A block all of whose elements exist takes a way without conditions; the others read some elements at
// a time into registers of their own, which no addition waits for:
//
//   if (32*ib + 31 < n) { for v  acc[v] += a[…]   for v  a[…] = acc[v] }
//   else { old[4]:  for v  if (32*ib + 4*il + v < n)  old[v] = a[…]
//                   for v  if (…)  acc[v] += old[v]
//                   for v  if (…)  a[…] = acc[v] }
#include "rule/epilogue.h"
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/linear.h"
#include "rule/loops.h"
#include "rule/storage.h"

static bool in_registers(const Array *x) { return x->place == PLACE_REGISTER || x->place == PLACE_LOCAL; }

// Is it a copy that adds registers, of the array if it is not NULL, to memory?
static bool adds_registers(const Node *n, const Array *x) {
    if (n->kind != N_COPY || n->op == OP_SET || n->atomic || !n->dst || in_registers(n->dst) ||
        n->dst->place == PLACE_SHARED)
        return false;
    return n->src->kind == E_LOAD && in_registers(n->src->array) && (!x || n->src->array == x);
}

// How many there are; *copy is the first.
static int registers_added(Node *root, const Array *x, Node **copy) {
    int count = 0;
    node_each(n, root)
        if (adds_registers(n, x) && !count++) *copy = n;
    return count;
}

static bool holds_alone(const Node *n, const Node *kid) {
    if (n->kind == N_SEQ) return n->nkids == 1 && n->kids[0] == kid && !n->nlocals;
    if (n->kind == N_IF) return !n->other;
    return n->kind == N_FOR && (n->how == HOW_UNROLL || n->how == HOW_VECTOR || n->how == HOW_SERIAL);
}

// The outermost node that holds nothing but the copy, for one thread.
static Node *all_of(const Path *p) {
    int i = p->n - 1;
    while (i > 0 && holds_alone(p->node[i - 1], p->node[i])) i--;
    return p->node[i];
}

// The condition for all threads and all turns of the loops around the copy; NULL: can't be told.
static Expr *for_all(Arena *a, const Path *p, Expr *term) {
    Linear d;
    if (!linear_cond(term, &d)) return NULL;
    Type t = term->args[0]->type;
    Expr *x = linear_expr(a, t, &d);
    for (int i = p->n - 1; x && i >= 0 && p->node[i]->kind != N_KERNEL; i--) {
        const Node *l = p->node[i];
        if (l->kind != N_FOR || l->how == HOW_BLOCK || !expr_uses_sym(x, l->iter)) continue;
        x = expr_extreme(a, x, l->iter, l->lo, expr_sub(a, l->hi, expr_int(a, l->hi->type, 1)), false);
    }
    return x ? expr_op(a, OP_GE, x, expr_int(a, x->type, 0), NULL) : NULL;
}

typedef struct Way {
    Expr *open;      // when none of the conditions on the way says no
    bool bound;      // there are conditions, and one could not be told for all
} Way;

static Way way_of(Arena *a, const Path *p, const Node *all) {
    Way w = {0};
    Expr *terms[TERMS_MAX];
    for (int i = p->n - 1; i >= 0; i--) {
        const Node *n = p->node[i];
        int count = n->kind == N_IF ? cond_terms(n->cond, terms, TERMS_MAX) : 0;
        w.bound = w.bound || count < 0;
        for (int k = 0; k < count && !w.bound; k++) {
            Expr *x = for_all(a, p, terms[k]);
            if (x) w.open = cond_and(a, w.open, x);
            else w.bound = true;
        }
        if (n == all) break;
    }
    return w;
}

// Only the loops from `all` on, with n in the copy's place.
static Node *loops_around(Arena *a, const Path *p, const Node *all, Node *n) {
    for (int i = p->n - 2; i >= 0 && p->node[i + 1] != all; i--) {
        if (p->node[i]->kind == N_FOR) n = node_around(a, p->node[i], n);
    }
    return n;
}

// ---- with conditions ----------------------------------------------------------------------------
enum { MOST_OLD = 32 }; // elements that are read at a time

// The innermost loops on the way to the copy, as many as have MOST_OLD iterations together.
typedef struct Batch {
    Node *root;              // of what they hold
    int n;
    const Node *loop[8];     // from the outside in
    int64_t trips[8];
} Batch;

static Batch batch_of(const Path *p, const Node *all) {
    Batch b = {.root = p->node[p->n - 1]};
    int64_t product = 1, trips;
    for (int i = p->n - 2; i >= 0 && b.root != all; i--) {
        Node *n = p->node[i];
        if (n->kind == N_FOR) {
            if (b.n == 8 || !loop_constant(n, &trips) || !expr_is_int(n->lo, 0) || n->step != 1 ||
                (product *= trips) > MOST_OLD)
                break;
            for (int k = b.n++; k > 0; k--) b.loop[k] = b.loop[k - 1], b.trips[k] = b.trips[k - 1];
            b.loop[0] = n;
            b.trips[0] = trips;
        }
        b.root = n;
    }
    return b;
}

static const Array *old_elements(Change *ch, const Batch *b, const Array *acc) {
    Arena *a = ch->a;
    Array *old = array_new(a, change_name(ch, "old"), acc->elem, PLACE_LOCAL, b->n);
    for (int k = 0; k < b->n; k++) old->extent[k] = expr_int(a, T_I32, b->trips[k]);
    return old;
}

static Node *carefully(Change *ch, const Path *p, Node *all, const Node *c) {
    Arena *a = ch->a;
    Batch b = batch_of(p, all);
    if (!b.n) return all;
    const Array *acc = c->src->array, *old = old_elements(ch, &b, acc);
    Expr **at = NEW_N(a, Expr *, b.n + 1);
    for (int k = 0; k < b.n; k++) at[k] = expr_sym(a, b.loop[k]->iter);
    Node *kids[3] = {
        node_replace(a, b.root, c, node_copy(a, old, at, OP_SET, expr_load(a, c->dst, c->sub))),
        change_copy(ch, node_replace(a, b.root, c,
                                     node_copy(a, acc, c->src->args, c->op, expr_load(a, old, at)))),
        change_copy(ch, node_replace(a, b.root, c,
                                     node_copy(a, c->dst, c->sub, OP_SET, expr_load(a, acc, c->src->args)))),
    };
    Node *three = seq_declare(a, node_seq(a, 3, kids), old);
    return all == b.root ? three : node_replace(a, all, b.root, three);
}

// The shared buffer of that name; NULL: there is none.
static const Array *shared_named(Node *root, const char *name) {
    const Array *x = NULL;
    node_each(n, root)
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
            if (n->locals[i]->place == PLACE_SHARED && str_eq(n->locals[i]->name, name)) x = n->locals[i];
    return x;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    const Array *acc = change_array(ch, ch->step->words[0]);
    if (!acc) return NULL;
    if (!in_registers(acc)) return change_refuse(ch, "%s is not in registers", acc->name);
    Node *c = NULL;
    int n = registers_added(ch->nest->root, acc, &c);
    if (n != 1)
        return change_refuse(ch, "%s is added to memory in %s", acc->name, n ? "several places" : "no place");
    Path p;
    if (!path_to(ch->nest->root, c, &p)) return change_refuse(ch, "the loops are too deep");
    Node *all = all_of(&p), *kids[2];
    const char *through = change_text(ch, "through");
    if (through) {
        const Array *sums = shared_named(ch->nest->root, through);
        return sums ? epilogue_sums(ch, &p, all, sums) : epilogue_through(ch, &p, all);
    }
    Expr **sub = c->src->args;
    Node *in = node_copy(a, acc, sub, c->op, expr_load(a, c->dst, c->sub));
    Node *out = node_copy(a, c->dst, c->sub, OP_SET, expr_load(a, acc, sub));
    Way w = way_of(a, &p, all);
    bool free = w.open && !w.bound;
    kids[0] = free ? loops_around(a, &p, all, in) : node_replace(a, all, c, in);
    kids[1] = change_copy(ch, free ? loops_around(a, &p, all, out) : node_replace(a, all, c, out));
    Node *both = node_seq(a, 2, kids);
    if (free) both = node_if(a, w.open, both, change_copy(ch, carefully(ch, &p, all, c)));
    return change_done(ch, node_replace(a, ch->nest->root, all, both));
}

static void find_epilogue(Finder *f) {
    Node *c = NULL;
    if (registers_added(f->ch->nest->root, NULL, &c) == 1) finder_site(f, "epilogue %s", c->src->array->name);
}

#define BLOCKED                                                                                    \
    "strip i by=32 as=ib,i1\nstrip i1 by=4 as=il,iv edge=exact\ninterchange j ib il k iv\n"         \
    "map block j ib\nmap thread il\nhoist a at=k init=zero as=acc"

static const RuleExample examples[] = {
    {EXAMPLE_PRODUCT, BLOCKED, "epilogue acc", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc", "epilogue acc", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=load as=acc", "epilogue acc", "in no place"},
    {EXAMPLE_PRODUCT, BLOCKED, "epilogue acc through=a_s", "by the threads of a block"},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc", "epilogue acc through=a_s", NULL},
    {EXAMPLE_SUM,
     EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc\nchunk acc at=kt every=2 as=sum place=shared",
     "epilogue acc through=sum", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS "hoist a at=kt init=zero as=acc\nstage b at=kt as=sb",
     "epilogue acc through=sb", "holds no second sums"},
    {EXAMPLE_SUM, "", "epilogue a", "is not in registers"},
    {NULL, NULL, NULL, NULL},
};

static const Knob knobs[] = {
    {"through",
     "a buffer in shared memory that the elements go through, so that threads side by side touch words side "
     "by side: a new one for "
     "some rows, or the second sums of chunk",
     KNOB_NAMES, 0, 0, NULL, ""},
};

const Rule epilogue_rule = {
    .name = "epilogue",
    .usage = "epilogue ARRAY [through=NAME]",
    .summary = "Where sums in registers are added to memory, reads all of that memory first and then writes "
               "all of it.",
    .picture = "for v in 0 .. 4                  for v in 0 .. 4\n"
               "    a[4*i + v] += acc[v]    →        acc[v] += a[4*i + v]\n"
               "                                 for v in 0 .. 4\n"
               "                                     a[4*i + v] = acc[v]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_epilogue,
    .examples = examples,
};
