// SPDX-License-Identifier: MIT
// places.c -- the place of a greatest or least value, handed on beside the value.
//
//   if (w > v || (w == v && j < i)) { v = w; i = j; }    →    i better= .place(w, j);  v = max(v, w)
//
// Of pairs of a value and a place one is the better: that of the greater (or lesser) value, of equal values
// that of the first (or last) place. The better of two is as good a sum as a maximum is: its terms may come
// in any order, and as often as they like. OP_SELECT is its operator, `.better` what it is of two.
//
// Whether a place's value is the one that is compared, and a comparison that says nothing of equal values
// keeps the right place, is asked of the proof (ties.c). For that, both are copied to memory of nobody's.
#include "equal/pair.h"
#include "front/normal.h"

// What holds where a > b, or a >= b (equal), or a == b and y < z.
typedef struct Compared {
    Expr *a, *b;
    bool equal;
    Expr *y, *z; // NULL: it says nothing of places
} Compared;

// A copy d = c ? yes : no. yes NULL: one of d = max(x, y) or min.
typedef struct Chosen {
    Node *n;
    Expr *yes, *no;
} Chosen;

// Copies that one comparison decides, one behind the other.
typedef struct Group {
    const Node *first;
    VEC(Chosen) places, values;
    const Node *beside; // what takes one of the values elsewhere; NULL: one of `values` does
    Compared c;
    bool greater; // the greater value is taken
} Group;

typedef VEC(Node *) NodeVec;

typedef struct Places {
    Pair *p;
    Arena *a;
    VEC(Group) groups;
    NodeVec copies; // of elements to numbers of a thread, which still are these
    ArrayVec at, of; // memory of places, and of their values
    int fresh;
    bool least, last;
} Places;

static Node *bare_seq(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    return n;
}

// ---- comparisons ------------------------------------------------------------------------------------
static Expr *truth(Expr *x) {
    for (;;) {
        bool not_zero = x->kind == E_OP && x->op == OP_NE && expr_is_int(x->args[1], 0);
        if (!not_zero && x->kind != E_CAST) return x;
        x = x->args[0];
    }
}

static bool is_order(const Expr *x) { return x->kind == E_OP && x->op >= OP_LT && x->op <= OP_GE; }

// x as a > b, or a >= b.
static bool ordered(Expr *x, Expr **a, Expr **b, bool *equal) {
    bool not = x->kind == E_OP && x->op == OP_LNOT;
    if (not) x = truth(x->args[0]);
    if (!is_order(x)) return false;
    bool more = (x->op == OP_GT || x->op == OP_GE) != not;
    *equal = (x->op == OP_GE || x->op == OP_LE) != not;
    *a = x->args[more ? 0 : 1], *b = x->args[more ? 1 : 0];
    return true;
}

static bool are(const Expr *x, const Expr *y, const Expr *a, const Expr *b) {
    return (expr_equal(x, a) && expr_equal(y, b)) || (expr_equal(x, b) && expr_equal(y, a));
}

static bool compared(Expr *x, Compared *c) {
    x = truth(x);
    *c = (Compared){0};
    if (ordered(x, &c->a, &c->b, &c->equal)) return true;
    for (int k = 0; x->kind == E_OP && x->op == OP_LOR && k < 2; k++) {
        Expr *more = truth(x->args[k]), *tie = truth(x->args[1 - k]);
        if (!ordered(more, &c->a, &c->b, &c->equal) || c->equal) continue;
        if (tie->kind != E_OP || (tie->op != OP_LAND && tie->op != OP_AND)) continue;
        for (int i = 0; i < 2; i++) {
            Expr *same = truth(tie->args[i]), *place = truth(tie->args[1 - i]), *y, *z;
            bool equal, eq = same->kind == E_OP && same->op == OP_EQ;
            if (!eq || !are(same->args[0], same->args[1], c->a, c->b)) continue;
            if (!ordered(place, &z, &y, &equal) || !type_is_int(y->type)) continue;
            c->y = y, c->z = z; // y < z
            return true;
        }
    }
    return false;
}

// The flag that x asks; *not: whether it is not set. NULL: it asks none.
static const Array *asked(Expr *x, bool *not) {
    x = truth(x);
    *not = x->kind == E_OP && x->op == OP_LNOT;
    if (*not) x = truth(x->args[0]);
    return x->kind == E_LOAD && !x->nargs && x->array->place == PLACE_LOCAL ? x->array : NULL;
}

static bool sets(const Node *n) { return n->kind == N_COPY && n->dst && !n->atomic && !n->async; }

static bool is_choice(const Node *n) {
    return sets(n) && n->op == OP_SET && n->src->kind == E_OP && n->src->op == OP_SELECT;
}

static const Array *moved(const Node *n) {
    bool moves = sets(n) && n->op == OP_SET && n->src->kind == E_LOAD;
    return moves && n->src->type == n->dst->elem ? n->src->array : NULL;
}

// The copy that n is, or of which it makes some by a counter of its own (roll.c).
static Node *copies_in(Node *n) {
    Node *m = n->kind == N_FOR && n->how == HOW_SERIAL ? bare_seq(n->body) : n;
    if (!m || !moved(m) || m->dst->place != PLACE_LOCAL || m->dst->rank != (m != n)) return NULL;
    return m == n || (m->sub[0]->kind == E_SYM && m->sub[0]->sym == n->iter) ? m : NULL;
}

// Numbers of a thread that are elements of memory, as long as neither changes.
static Expr *as_element(Expr *x, void *arg) {
    const Places *g = arg;
    bool number = x && x->kind == E_LOAD && x->nargs < 2 && (!x->nargs || x->args[0]->kind == E_INT);
    for (int k = g->copies.n; number && k-- > 0;) {
        const Node *n = g->copies.at[k], *m = copies_in((Node *)n);
        if (x->array == m->dst)
            return n == m ? m->src
                          : expr_subst(g->a, m->src, 1, (const Sym *[]){n->iter}, (Expr *[]){x->args[0]});
    }
    return x ? expr_map(g->a, x, as_element, arg) : NULL;
}

static void note_copy(Places *g, Node *n) {
    const Node *set = sets(n) ? n : copies_in(n);
    int kept = 0;
    for (int k = 0; k < g->copies.n && set; k++) {
        const Node *m = copies_in(g->copies.at[k]);
        if (set->dst != m->dst && !expr_reads(m->src, set->dst)) g->copies.at[kept++] = g->copies.at[k];
    }
    g->copies.n = kept;
    if (copies_in(n) && set->src->nargs && !expr_reads(set->src, set->dst)) vec_push(g->a, &g->copies, n);
}

// ---- groups ------------------------------------------------------------------------------------------
// Which of both values is taken, by a copy that takes one of them.
static bool takes(const Group *g, const Expr *yes, const Expr *no, bool *greater) {
    *greater = expr_equal(yes, g->c.a);
    return are(yes, no, g->c.a, g->c.b);
}

static bool is_element(const Expr *x, const Node *n) {
    bool same = x->kind == E_LOAD && x->array == n->dst;
    for (int d = 0; same && d < n->dst->rank; d++) same = expr_equal(x->args[d], n->sub[d]);
    return same;
}

// Does n make of some element the greater or lesser of a and b?
static bool takes_one(Places *p, const Group *g, const Node *n, bool *greater) {
    if (!sets(n)) return false;
    Expr *src = as_element(n->src, p);
    bool update = n->op == OP_MAX || n->op == OP_MIN;
    bool set = n->op == OP_SET && n->src->kind == E_OP && (n->src->op == OP_MAX || n->src->op == OP_MIN);
    *greater = (update ? n->op : n->src->op) == OP_MAX;
    if (set) return are(src->args[0], src->args[1], g->c.a, g->c.b);
    return update && ((is_element(g->c.a, n) && expr_equal(src, g->c.b)) ||
                      (is_element(g->c.b, n) && expr_equal(src, g->c.a)));
}

static bool reads_others(const Group *g, const Chosen *c) {
    bool reads = false;
    for (int i = 0; i < g->places.n + g->values.n; i++) {
        const Node *n = i < g->places.n ? g->places.at[i].n : g->values.at[i - g->places.n].n;
        if (n == c->n) continue;
        reads |= expr_reads(c->n->src, n->dst);
        if (c->yes) reads |= expr_reads(c->yes, n->dst) || expr_reads(c->no, n->dst);
    }
    return reads;
}

// May its copies change places, and do they compare what they take?
static bool fits(const Group *g) {
    for (int i = 0; i < g->places.n; i++) {
        const Chosen *c = &g->places.at[i];
        bool tied = !g->c.y || are(c->yes, c->no, g->c.y, g->c.z);
        if (!tied || reads_others(g, c)) return false;
        if (expr_reads(g->c.a, c->n->dst) || expr_reads(g->c.b, c->n->dst)) return false;
    }
    for (int i = 0; i < g->values.n; i++)
        if (reads_others(g, &g->values.at[i])) return false;
    return g->places.n > 0;
}

// Of equal values, is the last taken?
static bool takes_last(const Group *g) {
    const Chosen *c = &g->places.at[0];
    if (g->c.y) return expr_equal(c->yes, g->c.z);
    return !is_element(g->c.equal ? c->yes : c->no, c->n);
}

// Copies from kid i on that ask the flag, with those that take one of the values without. The number of the
// next.
static int flagged(Places *g, const Node *seq, int i, const Array *flag, Group *x, bool *told) {
    bool not, greater;
    for (; i < seq->nkids; i++) {
        Node *m = seq->kids[i];
        Chosen c = {m, NULL, NULL};
        bool value = takes_one(g, x, m, &greater);
        if (!value && (!is_choice(m) || asked(m->src->args[0], &not) != flag)) break;
        if (!value) {
            c.yes = as_element(m->src->args[not ? 2 : 1], g), c.no = as_element(m->src->args[not ? 1 : 2], g);
            value = takes(x, c.yes, c.no, &greater);
        }
        if (value) *told = true, x->greater = greater;
        if (value) vec_push(g->a, &x->values, c);
        else if (type_is_int(m->dst->elem)) vec_push(g->a, &x->places, c);
        else break;
    }
    return i;
}

// A copy that compares by itself, beside one that takes a value.
static bool alone(Places *g, const Node *seq, Node *n, Group *x) {
    bool choice = is_choice(n) && type_is_int(n->dst->elem);
    if (!choice || !compared(as_element(n->src->args[0], g), &x->c)) return false;
    Expr *yes = as_element(n->src->args[1], g), *no = as_element(n->src->args[2], g);
    vec_push(g->a, &x->places, ((Chosen){n, yes, no}));
    for (int k = 0; k < seq->nkids; k++)
        if (takes_one(g, x, seq->kids[k], &x->greater)) return x->beside = seq->kids[k], true;
    return false;
}

static bool is_flag(const Node *n) {
    return sets(n) && n->op == OP_SET && n->dst->place == PLACE_LOCAL && !n->dst->rank &&
           type_is_int(n->dst->elem);
}

static void find_groups(Places *g, const Node *seq) {
    const Array *flag = NULL; // it is set where `of` holds
    Compared of = {0}, c;
    g->copies.n = 0;
    for (int i = 0, noted = 0; i < seq->nkids; i++) {
        Node *n = seq->kids[i];
        for (; noted < i; noted++) note_copy(g, seq->kids[noted]);
        if (is_flag(n) && compared(as_element(n->src, g), &c)) {
            flag = n->dst, of = c;
            continue;
        }
        Group x = {.first = n, .c = of};
        bool told = false;
        int to = flag ? flagged(g, seq, i, flag, &x, &told) : i;
        if (to == i && alone(g, seq, n, &x)) told = true, to = i + 1;
        bool group = told && fits(&x);
        if (group) vec_push(g->a, &g->groups, x), i = to - 1;
        bool kept = sets(n) && !group && n->dst != flag;
        if (!kept || !flag || expr_reads(of.a, n->dst) || expr_reads(of.b, n->dst)) flag = NULL;
    }
}

// ---- memory that holds places ------------------------------------------------------------------------
static void note(Places *g, ArrayVec *v, const Array *x) {
    if (!has_array(v, x)) vec_push(g->a, v, x);
}

// A choice that no data decide.
static bool is_split(const Expr *x) {
    return x->kind == E_OP && x->op == OP_SELECT && !expr_has_load(x->args[0]);
}

static bool is_of(const Expr *x, const ArrayVec *v) {
    if (is_split(x)) return is_of(x->args[1], v) || is_of(x->args[2], v);
    return x->kind == E_LOAD && has_array(v, x->array);
}

static bool spread(Places *g, Node *root, ArrayVec *v) {
    int n = v->n;
    node_each(x, root)
        if (sets(x) && x->op == OP_SET && x->src->type == x->dst->elem && is_of(x->src, v))
            note(g, v, x->dst);
    return v->n > n;
}

static void find_memory(Places *g, Node *loops, Node *kernel) {
    for (int i = 0; i < g->groups.n; i++) {
        const Group *x = &g->groups.at[i];
        for (int k = 0; k < x->places.n; k++) note(g, &g->at, x->places.at[k].n->dst);
        for (int k = 0; k < x->values.n; k++) note(g, &g->of, x->values.at[k].n->dst);
        const Expr *both[] = {x->c.a, x->c.b};
        for (int k = 0; k < 2; k++)
            if (both[k]->kind == E_LOAD) note(g, &g->of, both[k]->array);
    }
    while (spread(g, loops, &g->at) | spread(g, kernel, &g->at)) {}
    while (spread(g, loops, &g->of) | spread(g, kernel, &g->of)) {}
}

static bool holds_places(const Places *g, const Expr *x) {
    return x->kind == E_LOAD && has_array(&g->at, x->array);
}

// ---- the tree ------------------------------------------------------------------------------------------
static Expr *pair_of(Places *g, Expr *value, Expr *place) {
    if (is_split(place)) {
        Expr *c = place->args[0], *way[2];
        bool same = is_split(value) && expr_equal(value->args[0], c);
        for (int i = 1; i < 3; i++) way[i - 1] = pair_of(g, same ? value->args[i] : value, place->args[i]);
        return expr_op(g->a, OP_SELECT, c, way[0], way[1]);
    }
    if (holds_places(g, place)) return place;
    return expr_call(g->a, EQUAL_PLACE, place->type, 2, (Expr *[]){value, place});
}

static Node *aside(Places *g, const Node *of, const char *name, Expr *x, ArrayVec *locals) {
    Array *v = array_new(g->a, arena_printf(g->a, "%s_%d", name, ++g->fresh), x->type, PLACE_LOCAL, 0);
    Node *n = node_copy(g->a, v, NULL, OP_SET, x);
    n->loc = of->loc;
    vec_push(g->a, locals, v);
    return n;
}

static void put_places(Places *g, const Group *x, NodeVec *to, ArrayVec *locals) {
    Expr *value[] = {x->greater ? x->c.a : x->c.b, x->greater ? x->c.b : x->c.a};
    for (int i = 0; i < x->places.n; i++) {
        const Chosen *c = &x->places.at[i];
        Expr *place[] = {pair_of(g, value[0], c->yes), pair_of(g, value[1], c->no)};
        EqualBetter b = {.tie = x->c.y ? TIE_TOLD : x->c.equal ? TIE_TAKEN : TIE_KEPT};
        for (int k = 0; k < 2; k++) {
            vec_push(g->a, to, b.value[k] = aside(g, c->n, "value", value[k], locals));
            vec_push(g->a, to, b.place[k] = aside(g, c->n, "place", place[k], locals));
        }
        Node *m = node_clone(g->a, c->n);
        bool yes = is_element(c->no, m), no = is_element(c->yes, m);
        m->op = yes || no ? OP_SELECT : OP_SET;
        m->src = yes ? place[0] : no ? place[1]
                                     : expr_call(g->a, EQUAL_BETTER, m->dst->elem, 2, place);
        vec_push(g->a, to, m);
        b.sets[0] = x->beside, b.sets[1] = m;
        vec_push(g->a, &g->p->better, b);
    }
    for (int i = 0; i < x->values.n; i++) {
        const Chosen *c = &x->values.at[i];
        Node *m = c->yes ? node_clone(g->a, c->n) : c->n;
        bool yes = c->yes && is_element(c->no, m), no = c->yes && is_element(c->yes, m);
        Op op = x->greater ? OP_MAX : OP_MIN;
        if (c->yes) {
            m->op = yes || no ? op : OP_SET;
            m->src = yes ? c->yes : no ? c->no : expr_op(g->a, op, c->yes, c->no, NULL);
        }
        vec_push(g->a, to, m);
        for (int k = 0; !i && k < x->places.n; k++) g->p->better.at[g->p->better.n - 1 - k].sets[0] = m;
    }
}

// The copy in n, where *cond holds (NULL: always).
static const Node *copy_in(Node *n, const Expr **cond) {
    n = bare_seq(n);
    *cond = n && n->kind == N_IF && !n->other ? n->cond : NULL;
    if (*cond) n = bare_seq(n->then);
    return n && sets(n) && n->op == OP_SET ? n : NULL;
}

// The value that goes with what kid k of seq sets a place to: the next copy to the same element of such
// memory. NULL: there is none.
static Expr *value_beside(const Places *g, const Node *seq, int k) {
    const Expr *cond, *other;
    const Node *n = copy_in(seq->kids[k], &cond);
    for (int far = 1; far < seq->nkids; far++)
        for (int side = -1; side < 2; side += 2) {
            int i = k + side * far;
            const Node *m = i >= 0 && i < seq->nkids ? copy_in(seq->kids[i], &other) : NULL;
            if (!m || !has_array(&g->of, m->dst) || m->dst->rank != n->dst->rank) continue;
            bool same = cond ? other && expr_equal(cond, other) : !other;
            for (int d = 0; same && d < n->dst->rank; d++) same = expr_equal(n->sub[d], m->sub[d]);
            if (same) return m->src;
        }
    return NULL;
}

static Node *with_value(Places *g, Node *n, Expr *value) {
    Node *m = node_clone(g->a, n);
    if (n->kind == N_COPY) m->src = pair_of(g, value, n->src);
    else if (n->kind == N_IF) m->then = with_value(g, n->then, value);
    else m->kids = NEW_N(g->a, Node *, 2), m->kids[0] = with_value(g, n->kids[0], value);
    return m;
}

static Node *placed(Node *n, void *arg) {
    Places *g = arg;
    if (n->kind != N_SEQ) return node_map(g->a, n, placed, arg);
    NodeVec to = {0};
    ArrayVec locals = {0};
    for (int i = 0; i < n->nkids; i++) {
        const Group *x = NULL;
        for (int k = 0; k < g->groups.n; k++)
            if (g->groups.at[k].first == n->kids[i]) x = &g->groups.at[k];
        if (x) {
            put_places(g, x, &to, &locals);
            i += x->places.n + x->values.n - 1;
            continue;
        }
        const Expr *cond;
        const Node *c = copy_in(n->kids[i], &cond);
        bool sets_place = c && has_array(&g->at, c->dst) && !holds_places(g, c->src);
        Expr *value = sets_place ? value_beside(g, n, i) : NULL;
        vec_push(g->a, &to, value                          ? with_value(g, n->kids[i], value)
                                  : n->kids[i]->kind == N_COPY ? n->kids[i]
                                                               : placed(n->kids[i], arg));
    }
    Node *m = node_clone(g->a, n);
    m->kids = to.at, m->nkids = to.n;
    return seq_declare_all(g->a, m, locals.n, locals.at);
}

// ---- what a function gives back ----------------------------------------------------------------------
//   d = max(q, e);  e = d     →     e = max(e, q);  d = e
static bool touches(const Node *n, const Array *v) {
    if (n->kind != N_COPY || !n->dst || n->dst == v || expr_reads(n->src, v)) return true;
    for (int d = 0; d < n->dst->rank; d++)
        if (expr_reads(n->sub[d], v)) return true;
    return false;
}

// The kid that gives back what kid k chooses, from its operand *from; -1: none.
static int gives_back(const Node *seq, int k, int *from) {
    const Node *n = seq->kids[k];
    Op op = sets(n) && n->op == OP_SET && n->src->nargs == 2 ? sum_operator(n->src) : OP_SET;
    if ((op != OP_SELECT && op != OP_MAX && op != OP_MIN) || n->dst->rank || n->dst->place != PLACE_LOCAL)
        return -1;
    for (int i = k + 1; i < seq->nkids && seq->kids[i]->kind == N_COPY; i++) {
        const Node *m = seq->kids[i];
        if (moved(m) == n->dst)
            for (*from = 0; *from < 2; ++*from)
                if (is_element(n->src->args[*from], m) && !expr_reads(n->src->args[1 - *from], m->dst)) {
                    for (int j = k + 1; j < i; j++)
                        if (touches(seq->kids[j], m->dst)) return -1;
                    return i;
                }
        if (touches(m, n->dst)) return -1;
    }
    return -1;
}

static Node *given_back(Node *root) {
    node_each(n, root)
        for (int k = 0, from, to; n->kind == N_SEQ && k < n->nkids; k++) {
            if ((to = gives_back(n, k, &from)) < 0) continue;
            Node *x = n->kids[k], *y = n->kids[to];
            const Array *d = x->dst;
            x->op = sum_operator(x->src);
            y->src = x->src->args[from], x->src = x->src->args[1 - from];
            x->dst = y->dst, x->sub = y->sub;
            y->dst = d, y->sub = NULL;
        }
    return root;
}

void equal_places(Pair *p) {
    Places g = {.p = p, .a = p->a};
    Node *loops = equal_flat(p->flow_loops, p->a), *kernel = equal_flat(p->flow_kernel, p->a);
    node_each(n, loops)
        if (n->kind == N_SEQ) find_groups(&g, n);
    int theirs = g.groups.n;
    node_each(n, kernel)
        if (n->kind == N_SEQ) find_groups(&g, n);
    find_memory(&g, loops, kernel);
    bool told = false, handed = false;
    p->ties = g.groups.n > 0;
    for (int i = 0; i < g.groups.n; i++) {
        const Group *x = &g.groups.at[i];
        bool last = takes_last(x);
        if (i && g.least == x->greater) return; // both a least and a greatest, or two orders of equal ones
        if (told && x->c.y && last != g.last) return;
        g.least = !x->greater;
        if (!told && (x->c.y || !i)) g.last = last, told = x->c.y != NULL;
        for (int k = 0; k < x->places.n && i >= theirs; k++)
            for (int way = 0; way < 2; way++) {
                const Expr *from = way ? x->places.at[k].no : x->places.at[k].yes;
                handed |= holds_places(&g, from) && !is_element(from, x->places.at[k].n);
            }
    }
    if (!handed) return; // each thread looks for itself: a recurrence like the loops'
    p->least = g.least, p->last = g.last;
    p->flow_loops = given_back(placed(loops, &g));
    p->flow_kernel = given_back(placed(kernel, &g));
}
