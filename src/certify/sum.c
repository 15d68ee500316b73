// SPDX-License-Identifier: MIT
// sum.c -- facts about sums: what each adds, and that both add the same, one for one.
//
//   (sum + POINTS SIDE SIDE (match I J (to PIECES) (from PIECES)) …)
//   SIDE    (side (root load|untouched|expr LEAF NUMBER PIECES) NODE… (from NODE LEAF PIECES)…)
//   NODE    (node way|term|rest LEAF NUMBER SIGN PIECES)
//
// A node is a set of points and counters of its leaf: a way is a load whose value is added, a term an
// expression, a rest what a load finds where nothing wrote before. That each is reached from the root, and on
// one way only, is shown from the programs and the facts of flow; `from` tells where from. Terms and rests
// are matched by functions that lead to a node of the other program and back; what is not, adds nothing.
//
// All is said in one frame: the points, then the counters of two places, which are the variables from
// place(0) and place(1) on.
#include "certify/certify.h"
#include <string.h>

typedef enum NodeKind { WAY, TERM, REST } NodeKind;
typedef struct Node {
    NodeKind kind;
    const Leaf *leaf;
    const Ex *x;
    bool minus;
    Set set; // over points and counters
} Node;

typedef struct From {
    const Node *node;
    const Leaf *leaf; // from one of its instances
    Set map; // over points and the leaf's counters, to the node's
} From;

typedef struct Half {
    Node root; // WAY: a load, REST: an untouched one
    int nnodes, nfroms, nemissions;
    Node *node;
    From *from;
    struct Emission *emission;
} Half;

typedef struct Match {
    const Node *end[2];
    Set map[2]; // to, from
} Match;

typedef struct Sum {
    const char *op;
    int points, nmatches, line;
    bool idempotent;
    Half half[2];
    Match *match;
    int state; // 0: not looked at, 1: it is being, 2: it holds
    struct Sum *next;
} Sum;
static Sum *sums, **last = &sums;

// ---- text -------------------------------------------------------------------------------------------
static const Ex *expression_of(const Ex *x, int id) {
    const Ex *found = x->id == id ? x : NULL;
    for (int i = 0; i < x->nargs && !found; i++) found = expression_of(x->arg[i], id);
    return found;
}

static Node node_at(const Item *x, int s) { // WORD KIND LEAF NUMBER
    const char *kind = item_word(x, 1);
    Leaf *l = leaf_of(x, 2, &programs[s]);
    Node n = {among(kind, "expr term") ? TERM : among(kind, "rest untouched") ? REST : WAY, l};
    n.x = n.kind == TERM ? expression_of(l->src, (int)item_int(x, 3)) : load_of(x, 3, l)->load;
    if (!n.x) malformed(x);
    return n;
}

static void read_half(const Item *x, int s, int points, Half *h) {
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        if (item_is(y, "root")) {
            h->root = node_at(y, s);
            h->root.set = read_set(y, 4, points + h->root.leaf->depth, 0);
        } else if (item_is(y, "node")) {
            Node n = node_at(y, s);
            n.minus = item_int(y, 4) < 0;
            n.set = read_set(y, 5, points + n.leaf->depth, 0);
            *MORE(h->node, h->nnodes) = n;
        } else if (item_is(y, "from")) {
            From f = {&h->node[item_index(y, 1, h->nnodes)], leaf_of(y, 2, &programs[s])};
            f.map = read_set(y, 3, points + f.leaf->depth, f.node->leaf->depth);
            *MORE(h->from, h->nfroms) = f;
        } else malformed(y);
    }
    if (!h->root.leaf) malformed(x);
}

void read_sum(const Item *x) {
    Sum *s = take(sizeof *s);
    *s = (Sum){.op = item_word(x, 1), .points = item_index(x, 2, 100), .line = x->line};
    s->idempotent = among(s->op, "min max");
    for (int k = 0; k < 2; k++) read_half(item_list(x, 3 + k), k, s->points, &s->half[k]);
    for (int i = 5; i < x->n; i++) {
        const Item *y = item_list(x, i);
        Match found = {0}, *m = NULL;
        for (int k = 0; k < 2; k++) {
            found.end[k] = &s->half[k].node[item_index(y, 1 + k, s->half[k].nnodes)];
            if (found.end[k]->kind == WAY) malformed(y);
        }
        for (int k = 0; k < s->nmatches && !m; k++)
            if (!memcmp(s->match[k].end, found.end, sizeof found.end)) m = &s->match[k];
        if (!m) *(m = MORE(s->match, s->nmatches)) = found;
        for (int k = 0; k < 2; k++) {
            int dims = s->points + found.end[k]->leaf->depth;
            set_add_all(&m->map[k], read_set(item_list(y, 3 + k), 1, dims, found.end[!k]->leaf->depth));
        }
    }
    *last = s;
    last = &s->next;
}

// ---- frames -----------------------------------------------------------------------------------------
static int place(const Sum *s, int k) { return ATOMS + s->points + k * DEEPEST; }
static Conj frame(const Sum *s) { return conj_here(place(s, 2)); }

// Points, and so many counters from c on.
static Vars points_and(const Sum *s, int c, int n) { return vars_and(span(ATOMS, s->points), c, n); }
static Vars node_vars(const Sum *s, int c, const Node *n) { return points_and(s, c, n->leaf->depth); }
static Set all_of(const Sum *s, int c, const Node *n) {
    return set_put(set_of(frame(s)), n->set, node_vars(s, c, n));
}

// Of two relations between the places: do they lead from one point of the other place (no place: from any)
// to one at `to`? apart: there is nothing from where both lead.
static bool one_image(const Sum *s, Conj a, Conj b, bool shared, int to, int depth, bool apart) {
    int other = a.n, fresh = a.n + DEEPEST, at[2];
    at[to] = fresh, at[!to] = shared ? place(s, !to) : other;
    a.n += 2 * DEEPEST;
    a = conj_put(a, b, vars_and(points_and(s, at[0], DEEPEST), at[1], DEEPEST));
    if (apart) return conj_empty(a);
    for (int d = 0; d < depth; d++) {
        Linear x = linear_var(place(s, to) + d), y = linear_var(fresh + d);
        if (!always_same(a, x, y)) return false;
        a = conj_same(a, x, y);
    }
    return true;
}

// ---- what is added ----------------------------------------------------------------------------------
typedef struct Adding {
    const Sum *s;
    Half *h;
    const Node *source; // NULL: the root; its counters are at the second place
    const Leaf *leaf; // the writer of an edge; NULL: source and target have the same counters
    At x; // what is added
    bool minus;
    int64_t path; // which operand of which operand it is
} Adding;

typedef struct Emission { // something that is added: to a node's counters at the first place
    const Node *to;
    Adding by;
    Conj j;
} Emission;

static bool is_of(const Node *n, const Ex *x) {
    if (n->kind == TERM) return same_expression(n->x, x);
    return x->kind == EX_LOAD && n->x->access == x->access;
}

static const Node *node_of(const Adding *g, NodeKind kind) {
    for (const Node *n = g->h->node; n < g->h->node + g->h->nnodes; n++)
        if (n->leaf == g->x.leaf && n->kind == kind && n->minus == g->minus && is_of(n, g->x.x)) return n;
    return NULL;
}

static bool emit(const Adding *g, Set s, const Node *target) {
    Half *h = g->h;
    int at = place(g->s, 0);
    if (s.n && !target) return fail("line %d: something that is added is no node of the sum", g->s->line);
    for (int i = 0; i < s.n; i++) {
        Conj j = g->x.c == at ? s.at[i] : conj_same_vars(s.at[i], at, g->x.c, target->leaf->depth);
        *MORE(h->emission, h->nemissions) = (Emission){target, *g, j};
    }
    return true;
}

static bool add_expression(Adding g, Set s);

static bool add_operand(const Adding *g, Set s, int k, bool minus) {
    Adding o = *g;
    o.x.x = g->x.x->arg[k];
    o.minus = minus, o.path = 4 * g->path + 1 + k;
    return add_expression(o, s);
}

// Where it is no term by itself.
static bool add_inside(const Adding *g, Set s) {
    const Ex *x = g->x.x;
    const char *op = sum_operator(x);
    const Node *way = node_of(g, WAY);
    if (!s.n || (x->kind != EX_LOAD && !x->nargs && is_neutral(s.at[0], g->x, g->s->op))) return true;
    if (g->path > INT64_MAX / 8) return fail("line %d: an expression is too deep", g->s->line);
    if (way) return emit(g, s, way);
    if (x->kind == EX_OP && is(x->word, "?:")) {
        for (int k = 0; k < 2; k++) {
            Set on = holds(x->arg[0], g->x.c, !k, s);
            if (on.bad) return fail("line %d: a condition of a sum", g->s->line);
            if (!add_operand(g, on, 1 + k, g->minus)) return false;
        }
        return true;
    }
    if (!op || !is(op, g->s->op)) return emit(g, s, NULL);
    bool less = is(x->word, "-"), alone = x->nargs == 1;
    return add_operand(g, s, 0, g->minus != (less && alone)) &&
           (alone || add_operand(g, s, 1, g->minus != less));
}

static bool add_expression(Adding g, Set s) {
    const Node *to = node_of(&g, TERM);
    Vars at = points_and(g.s, g.x.c, g.x.leaf->depth);
    Set told = to ? to->set : (Set){0};
    return emit(&g, set_put(s, told, at), to) && add_inside(&g, set_outside(s, told, at));
}

static bool add_way(Adding g, Conj j) {
    const Access *r = &g.x.leaf->access[g.x.x->access];
    Set base = bases(j, g.x);
    for (const Edge *e = r->edge; e < r->edge + r->nedges; e++) {
        const Leaf *w = e->to;
        Adding u = g;
        if (e->base) continue;
        u.leaf = w, u.path = 1;
        u.x = (At){w, place(g.s, 0), w->src};
        if (!is(w->op, g.s->op)) return fail("line %d: an update by another operator", g.s->line);
        Vars at = vars_and(span(g.x.c, g.x.leaf->depth), u.x.c, w->depth);
        if (!add_expression(u, set_put(set_of(j), e->rel, at))) return false;
    }
    for (int i = 0; i < base.n; i++) {
        Set b = set_of(base.at[i]);
        Adding u = g;
        u.x = b.at->at;
        if (!u.x.untouched) u.leaf = u.x.leaf, u.path = 1;
        if (!(u.x.untouched ? emit(&u, b, node_of(&u, REST)) : add_expression(u, b))) return false;
    }
    return !base.bad;
}

static bool collect(const Sum *s, Half *h) {
    int c = place(s, 1);
    h->nemissions = 0;
    for (int n = -1; n < h->nnodes; n++) {
        const Node *from = n < 0 ? &h->root : &h->node[n];
        Set set = n < 0 || from->kind == WAY ? all_of(s, c, from) : (Set){0};
        Adding g = {s, h, n < 0 ? NULL : from, .x = {from->leaf, c, from->x}, .minus = from->minus};
        if (n < 0 && from->kind == TERM) g.path = 1;
        bool ok = n >= 0 || (g.path ? add_expression(g, set) : emit(&g, set, node_of(&g, from->kind)));
        if (!ok) return false;
        for (int i = 0; i < set.n && n >= 0; i++)
            if (!add_way(g, set.at[i])) return false;
    }
    return true;
}

// ---- each node: exactly what is reached, on one way -------------------------------------------------
static bool reached(const Sum *s, const Half *h, const Node *n) {
    Set pieces = {0};
    for (const Emission *e = h->emission; e < h->emission + h->nemissions; e++) {
        Conj here = {.n = place(s, 2)};
        Vars shared = span(ATOMS, s->points + DEEPEST);
        if (e->to != n) continue;
        if (!e->by.leaf) set_add(&pieces, conj_put(here, e->j, vars_and(shared, place(s, 0), DEEPEST)));
        for (const From *f = h->from; f < h->from + h->nfroms && e->by.leaf; f++)
            for (int i = 0; i < f->map.n && f->node == e->by.source && f->leaf == e->by.leaf; i++) {
                Conj j = conj_put(here, f->map.at[i], node_vars(s, place(s, 0), n));
                set_add(&pieces, conj_put(j, e->j, vars_and(shared, here.n, DEEPEST)));
            }
    }
    return set_inside(all_of(s, place(s, 0), n), pieces, vars_of(frame(s))) ||
           fail("line %d: a node is larger than what is added", s->line);
}

static bool check_nodes(const Sum *s, Half *h) {
    for (int i = 0; i < h->nemissions; i++) {
        const Emission *e = &h->emission[i];
        const Leaf *from = e->by.source ? e->by.source->leaf : h->root.leaf;
        if (!set_inside(set_of(e->j), e->to->set, node_vars(s, place(s, 0), e->to)))
            return fail("line %d: something is added that is not in its node", s->line);
        for (const Emission *f = e; f < h->emission + h->nemissions && !s->idempotent; f++) {
            bool same = e->by.source == f->by.source && e->by.leaf == f->by.leaf && e->by.path == f->by.path;
            if (e->to == f->to && !one_image(s, e->j, f->j, true, 1, from->depth, !same))
                return fail("line %d: something may be added twice", s->line);
        }
    }
    for (int t = 0; t < h->nnodes; t++)
        if (!reached(s, h, &h->node[t])) return false;
    return true;
}

static bool one_root(const Sum *s, const Half *h) {
    Set root = all_of(s, place(s, 0), &h->root);
    for (int i = 0; i < root.n; i++)
        for (int k = i; k < root.n; k++)
            if (!one_image(s, root.at[i], root.at[k], false, 0, h->root.leaf->depth, false))
                return fail("line %d: the root is not one place", s->line);
    return true;
}

// ---- one for one ------------------------------------------------------------------------------------
static At at_node(const Node *n, int c) { return (At){n->leaf, c, n->x, n->kind == REST}; }

// Of half k's node n: the matches from it are a function, and what has none adds nothing.
static bool check_matches(const Sum *s, int k, const Node *n) {
    Set from = {0}, arrows = {0};
    int *match = NULL, own = place(s, k), other = place(s, !k);
    Vars at = node_vars(s, own, n);
    for (int m = 0; m < s->nmatches; m++) {
        const Match *t = &s->match[m];
        const Node *to = t->end[!k], *x = t->end[0], *y = t->end[1];
        if (t->end[k] != n) continue;
        set_add_all(&from, t->map[k]);
        Vars there = node_vars(s, other, to), back = vars_and(there, own, n->leaf->depth);
        Vars points = vars_and(node_vars(s, place(s, 0), x), ATOMS, s->points);
        points = vars_and(points, place(s, 1), y->leaf->depth);
        Set found = set_put(set_of(frame(s)), t->map[k], vars_and(at, other, to->leaf->depth));
        if (!set_inside(found, n->set, at)) return fail("line %d: a match of what is not there", s->line);
        if (!(s->idempotent ? set_inside(found, to->set, there) : set_inside(found, t->map[!k], back)))
            return fail("line %d: a match does not lead back", s->line);
        if (x->minus != y->minus) return fail("line %d: signs differ", s->line);
        for (int i = 0; i < found.n; i++) {
            Conj j = found.at[i];
            match = more_room(match, arrows.n, sizeof *match);
            match[arrows.n] = m;
            set_add(&arrows, j);
            if (k && !s->idempotent) continue; // shown from the other side
            if (!same_value(j, points, at_node(x, place(s, 0)), at_node(y, place(s, 1)))) return false;
        }
    }
    for (int a = 0; a < arrows.n; a++)
        for (int b = a; b < arrows.n && !s->idempotent; b++)
            if (!one_image(s, arrows.at[a], arrows.at[b], true, !k, s->match[match[a]].end[!k]->leaf->depth,
                           match[a] != match[b]))
                return fail("line %d: the match is not one for one", s->line);
    Set rest = set_outside(n->kind == WAY ? (Set){0} : all_of(s, own, n), from, at);
    for (int m = 0; m < rest.n; m++)
        if (!is_neutral(rest.at[m], at_node(n, own), s->op))
            return fail("line %d: a part of the %s has no counterpart", s->line, programs[k].name);
    return true;
}

// ---- for the walk -----------------------------------------------------------------------------------
static bool is_key(const Node *root, At x) {
    return root->leaf == x.leaf && (root->kind == REST) == x.untouched && is_of(root, x.x);
}

void forget_sums(void) {
    for (Sum *s = sums; s; s = s->next) s->state = 0;
}

static bool check_sum(Sum *s) {
    if (s->state) return s->state == 2 || fail("line %d: a sum is a part of itself", s->line);
    s->state = 1;
    for (int k = 0; k < 2; k++) {
        Half *h = &s->half[k];
        h->emission = NULL;
        if (!one_root(s, h) || !collect(s, h) || !check_nodes(s, h)) return false;
        for (int n = 0; n < h->nnodes; n++)
            if (!check_matches(s, k, &h->node[n])) return false;
    }
    s->state = 2;
    return true;
}

bool by_sums(Conj j, Vars points, At x, At y, Set *apart) {
    Set told = {0};
    Vars at[2] = {vars_and(points, x.c, x.leaf->depth), vars_and(points, y.c, y.leaf->depth)};
    for (Sum *s = sums; s; s = s->next) {
        if (s->points != points.n || !is_key(&s->half[0].root, x) || !is_key(&s->half[1].root, y)) continue;
        Set in = set_put(set_of(j), s->half[0].root.set, at[0]);
        if (!set_inside(in, s->half[1].root.set, at[1]))
            return fail("line %d: the sum stands at another place", s->line);
        if (in.n && !check_sum(s)) return false;
        set_add_all(&told, s->half[0].root.set);
    }
    *apart = set_outside(set_of(j), told, at[0]);
    return true;
}
