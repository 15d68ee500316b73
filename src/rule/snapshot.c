// SPDX-License-Identifier: MIT
// snapshot.c -- reads see an array as it was before a loop that overwrites it.
//
//   for i  a[i] = a[i + 1] + b[i]     →     for e  copy a_s[e] = a[e]
//                                           for i  a[i] = a_s[i + 1] + b[i]
//
// Where a read comes before each write of its element, the copy has what it reads, and no iteration waits
// for another one any more: that of an anti dependence is a matter of storage, not of values.
#include "rule/find.h"
#include "rule/refs.h"
#include "rule/snapshot.h"

typedef struct Redirect {
    Arena *a;
    const Snapshot *s;
    const Array *copy;
    bool any;
} Redirect;

static bool to_copy(const Site *site, const Array **to, Expr ***sub, void *arg) {
    Redirect *r = arg;
    const Snapshot *s = r->s;
    if (site->write || !s->takes(site, s->arg)) return false;
    r->any = true;
    *to = r->copy;
    *sub = NEW_N(r->a, Expr *, s->array->rank + 1);
    for (int d = 0; d < s->array->rank; d++) {
        Expr *at = site->sub[d];
        (*sub)[d] = expr_sub(r->a, at, expr_cast(r->a, at->type, s->lo[d]));
    }
    return true;
}

static const Array *room(Arena *a, const Snapshot *s) {
    Expr *one = expr_int(a, T_I32, 1), *none = expr_int(a, T_I32, 0);
    Array *t = array_new(a, s->name, s->array->elem, PLACE_TEMP, s->array->rank);
    for (int d = 0; d < t->rank; d++) {
        Expr *n = expr_add(a, expr_sub(a, s->hi[d], s->lo[d]), one);
        t->extent[d] = expr_op(a, OP_MAX, n, none, NULL);
    }
    return t;
}

const Array *rule_snapshot(Arena *a, const Snapshot *s, Node *loop, Node **fill, Node **rest) {
    const Array *x = s->array, *copy = room(a, s);
    Expr **from = NEW_N(a, Expr *, x->rank + 1), **to = NEW_N(a, Expr *, x->rank + 1);
    for (int d = 0; d < x->rank; d++) {
        from[d] = expr_sym(a, s->counter[d]);
        to[d] = expr_sub(a, from[d], s->lo[d]);
    }
    *fill = node_copy(a, copy, to, OP_SET, expr_load(a, x, from));
    if (s->only) *fill = node_if(a, s->only, *fill, NULL);
    for (int d = x->rank - 1; d >= 0; d--) {
        Expr *end = expr_add(a, s->last[d], expr_int(a, T_I32, 1));
        *fill = node_for(a, s->counter[d], s->first[d], end, 1, HOW_SERIAL, *fill);
    }
    Redirect r = {a, s, copy, false};
    *rest = accesses_edit(a, loop, x, to_copy, &r);
    return r.any ? copy : NULL;
}

// ---- the rule --------------------------------------------------------------------------------------------
typedef struct Wanted {
    int rank, n, met;
    int64_t number[STEP_MAX];  // of the reads, in the order of the text; none: all
    bool data;                 // the data say which element one of them reads
} Wanted;

bool read_is_wanted(int n, const int64_t *number, int at) {
    bool yes = n == 0;
    for (int k = 0; k < n; k++) yes = yes || number[k] == at;
    return yes;
}

static bool is_wanted(const Site *site, void *arg) {
    Wanted *w = arg;
    bool yes = read_is_wanted(w->n, w->number, w->met++);
    for (int k = 0; yes && k < w->rank; k++) w->data = w->data || expr_has_load(site->sub[k]);
    return yes;
}

static bool fits(Change *ch, const Array *x, Node *loop) {
    Path p;
    if (x->place != PLACE_USER || !x->rank || x->rank > SNAPSHOT_RANK)
        change_refuse(ch, "%s is no array of the program with one to %d dimensions", x->name, SNAPSHOT_RANK);
    else if (!path_to(ch->nest->root, loop, &p) || ch->nest->root->kind != N_SEQ)
        change_refuse(ch, "there is no place for a temporary");
    else {
        for (int k = 0; k < p.n; k++)
            if (p.node[k]->kind == N_KERNEL)
                return change_refuse(ch, "%s is in a kernel; take the copy before", loop->iter->name), false;
        return true;
    }
    return false;
}

// The copy reads the whole box, so all of it must be memory of the program.
static bool is_there(Change *ch, const Array *x) {
    const Nest *n = ch->nest;
    for (int k = 0; k < n->nfeet; k++)
        if (n->feet[k].array == x && (n->feet[k].first || n->feet[k].loose))
            return change_refuse(ch, "not all of the box around what is used of %s need be there", x->name);
    return true;
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    const Array *x = change_array(ch, ch->step->words[0]), *copy;
    Node *loop = x ? change_loop(ch, change_text(ch, "at")) : NULL, *fill, *rest;
    if (!loop || !fits(ch, x, loop)) return NULL;
    const char *as = change_text(ch, "as"), *name = as && *as ? as : arena_printf(a, "%s_s", x->name);
    Wanted w = {.rank = x->rank};
    Snapshot s = {.array = x, .name = change_name(ch, name), .takes = is_wanted, .arg = &w};
    Expr *used = NULL;
    w.n = change_ints(ch, "reads", w.number, STEP_MAX);
    if (!array_box(ch, x, s.lo, s.hi, &used) || !is_there(ch, x)) return NULL;
    for (int d = 0; d < x->rank; d++) {
        Sym *i = NEW(a, Sym);
        *i = (Sym){change_name(ch, arena_printf(a, "%s_%d", s.name, d)), SYM_ITER, T_I32, NULL};
        s.first[d] = s.lo[d], s.last[d] = s.hi[d];
        s.counter[d] = i;
    }
    if (!(copy = rule_snapshot(a, &s, loop, &fill, &rest)))
        return change_refuse(ch, "%s reads no such element of %s", loop->iter->name, x->name);
    if (w.data) return change_refuse(ch, "the data say which elements of %s are read", x->name);
    if (used) fill = node_if(a, used, fill, NULL);
    Node *root = node_replace(a, ch->nest->root, loop, node_seq(a, 2, (Node *[]){fill, rest}));
    return change_done(ch, seq_declare(a, root, copy));
}

// Arrays of the program that a loop both reads and writes.
static void find_at(Finder *f, Node *n) {
    Refs refs;
    if (n->kind != N_FOR || n->how != HOW_SERIAL) return;
    refs_of(f->ch->a, n, &refs);
    for (int k = 0; k < refs.n; k++) {
        const Array *x = refs.at[k].array;
        bool written = false;
        for (int j = 0; j < refs.n; j++) written = written || (refs.at[j].array == x && refs.at[j].write);
        if (refs.at[k].write || x->place != PLACE_USER || !x->rank) continue;
        if (written) finder_site(f, "snapshot %s at=%s", x->name, n->iter->name);
        else
            finder_miss(f, ref_text(f->ch->a, &refs.at[k]), "loop %s does not write %s", n->iter->name,
                        x->name);
    }
}

static void find_snapshot(Finder *f) {
    node_each(n, f->ch->nest->root) find_at(f, n);
}

static const Knob knobs[] = {
    {"at", "the loop whose reads see the copy; it is taken before that", KNOB_NAMES, 0, 0, NULL, NULL},
    {"reads",
     "which of the loop's reads of the array, by number from 0 in the order of the text; all unless given",
     KNOB_INTS, 0, 1000, NULL, ""},
    {"as", "name of the copy", KNOB_NAMES, 0, 0, NULL, ""},
};

#define SHIFT                                                                           \
    "sculpt 1 region shift sculpt { param n: i32 = \"n\" array a[n]: f32 = \"a\" live " \
    "array b[n]: f32 = \"b\" live do { for i: i32 = 0 .. n - 1 { S0[i] S1[i] } } "      \
    "stmt S0[i]: a[i] = a[i + 1] + b[i] stmt S1[i]: b[i] = a[i] * 2.0 }"

#define SPILL                                                                   \
    "sculpt 1 region spill sculpt { param n: i32 = \"n\" param m: i32 = \"m\" " \
    "array a[n + 1][m]: f64 = \"a\" live do { "                                 \
    "for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } S1[i] } } "         \
    "stmt S0[i, j]: a[i][j] = a[i][j] * 0.5 stmt S1[i]: a[i][m - 1] = a[i + 1][0] }"

static const RuleExample examples[] = {
    {SHIFT, "", "snapshot a at=i reads=0", NULL},
    {SHIFT, "snapshot a at=i reads=0 as=old", "map block i", NULL},
    {SHIFT, "", "snapshot b at=i as=old", NULL},
    {SHIFT, "", "snapshot a at=i reads=2", "reads no such element"},
    {SPILL, "", "snapshot a at=i", "need be there"},
    {SHIFT, "snapshot a at=i reads=0\nstrip i by=8\nmap block ib", "snapshot b at=ii", "is in a kernel"},
    {0},
};

const Rule snapshot_rule = {
    .name = "snapshot",
    .usage = "snapshot ARRAY at=LOOP [reads=N,…] [as=NAME]",
    .summary = "Copies an array before a loop that overwrites it; reads in the loop see the copy, so that no "
               "iteration "
               "has to wait until another one has read.",
    .picture = "for i  a[i] = a[i + 1] + b[i]     →     for e  a_s[e] = a[e]\n"
               "                                        for i  a[i] = a_s[i + 1] + b[i]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_snapshot,
    .examples = examples,
};
