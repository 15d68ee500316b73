// SPDX-License-Identifier: MIT
// sum.c -- facts about sums: what each adds, and that both add the same, one for one.
//
//   (sum + POINTS (points PIECES) SIDE SIDE (match I J (to PIECES) (from PIECES)) …)
//   SIDE    (side (root load|untouched|expr LEAF NUMBER PIECES) NODE… (part NODE PIECES)…
//           (from NODE base|update LEAF PIECES)…)
//   NODE    (node way|term|rest LEAF NUMBER SIGN PIECES)
//
// A node is a set of points and counters of its leaf: a way is a load whose value is added, a term an
// expression, a rest what a load finds where nothing wrote before. That each is reached from the root, and on
// one way only, is shown from the programs and the facts of flow; `from` tells where from. Parts are terms
// without those that add nothing; `to` and `from` of a match are functions between two parts.
#include "certify/certify.h"
#include <string.h>

typedef enum NodeKind { WAY, TERM, REST } NodeKind;
typedef struct Node {
    NodeKind kind;
    const Leaf *leaf;
    const Ex *x;
    bool minus;
    Conjs set; // over points and counters
} Node;

typedef struct From {
    int node, leaf;
    bool base;
    Conjs map; // over points and the leaf's counters, to the node's
} From;

typedef struct Part {
    int node;
    Conjs at;
} Part;

typedef struct Emission { // something that is added, and by what
    int target, leaf; // leaf: of the edge; -1: source and target have the same counters
    bool base;
    int source; // -1: the root
    int64_t path; // which operand of which operand it is
    Conj j;
    int cs, ct; // their counters
    struct Emission *next;
} Emission;

typedef struct Half {
    const Leaf *leaf;
    const Ex *x;
    NodeKind kind; // WAY: a load, REST: an untouched one
    Conjs root;
    int nnodes, nparts, nfroms;
    Node *node;
    Part *part;
    From *from;
    Emission *emission;
} Half;

typedef struct Match {
    int i, j;
    Conjs to, from;
} Match;

struct Sum {
    const char *op;
    int points, nmatches, line;
    Conjs at;
    Half half[2];
    Match *match;
    int state; // 0: not looked at, 1: it is being, 2: it holds
    struct Sum *next;
};
static Sum *sums, **last = &sums;

// ---- text -------------------------------------------------------------------------------------------
static const Ex *expression_of(const Ex *x, int id) {
    const Ex *found = x->id == id ? x : NULL;
    for (int i = 0; i < x->nargs && !found; i++) found = expression_of(x->arg[i], id);
    return found;
}

static NodeKind place(const Item *x, int s, const Leaf **l, const Ex **e) {
    const char *kind = item_word(x, 1);
    Int leaf = item_int(x, 2), n = item_int(x, 3);
    if (leaf < 0 || leaf >= programs[s].nleaves + narrays) refuse("line %d: there is no such leaf", x->line);
    *l = programs[s].leaf[leaf];
    if (!(*l)->src) refuse("line %d: a barrier has no value", x->line);
    bool load = strcmp(kind, "expr") && strcmp(kind, "term");
    if (load && (n < 1 || n >= (*l)->naccesses)) refuse("line %d: there is no such load", x->line);
    *e = load ? (*l)->access[n].load : expression_of((*l)->src, (int)n);
    if (!*e) refuse("line %d: there is no such expression", x->line);
    return !load ? TERM : !strcmp(kind, "rest") || !strcmp(kind, "untouched") ? REST : WAY;
}

static void read_half(const Item *x, int s, int points, Half *h) {
    h->node = take((size_t)x->n * sizeof *h->node);
    h->part = take((size_t)x->n * sizeof *h->part);
    h->from = take((size_t)x->n * sizeof *h->from);
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        if (item_is(y, "root")) {
            h->kind = place(y, s, &h->leaf, &h->x);
            read_set(y, 4, points + h->leaf->depth, &h->root);
        } else if (item_is(y, "node")) {
            Node *n = &h->node[h->nnodes++];
            n->kind = place(y, s, &n->leaf, &n->x);
            n->minus = item_int(y, 4) < 0;
            read_set(y, 5, points + n->leaf->depth, &n->set);
        } else if (item_is(y, "part")) {
            Part *p = &h->part[h->nparts++];
            p->node = (int)item_int(y, 1);
            if (p->node < 0 || p->node >= h->nnodes || h->node[p->node].kind == WAY)
                refuse("line %d: a part of nothing", y->line);
            read_set(y, 2, points + h->node[p->node].leaf->depth, &p->at);
        } else if (item_is(y, "from")) {
            From *f = &h->from[h->nfroms++];
            f->node = (int)item_int(y, 1), f->leaf = (int)item_int(y, 3);
            f->base = !strcmp(item_word(y, 2), "base");
            if (f->node < 0 || f->node >= h->nnodes || f->leaf < 0 || f->leaf >= programs[s].nleaves)
                refuse("line %d: from nothing", y->line);
            read_map(y, 4, points + programs[s].leaf[f->leaf]->depth, h->node[f->node].leaf->depth, &f->map);
        } else refuse("line %d: what is this of a sum?", y->line);
    }
    if (!h->leaf) refuse("line %d: a sum without a root", x->line);
}

void read_sum(const Item *x) {
    Sum *s = take(sizeof *s);
    *s = (Sum){.op = item_word(x, 1), .points = (int)item_int(x, 2), .line = x->line};
    if (s->points < 0 || s->points > 100) refuse("line %d: too many points", x->line);
    read_set(item_list(x, 3), 1, s->points, &s->at);
    for (int k = 0; k < 2; k++) read_half(item_list(x, 4 + k), k, s->points, &s->half[k]);
    s->match = take((size_t)x->n * sizeof *s->match);
    for (int i = 6; i < x->n; i++) {
        const Item *y = item_list(x, i);
        Match *m = &s->match[s->nmatches++];
        m->i = (int)item_int(y, 1), m->j = (int)item_int(y, 2);
        if (m->i < 0 || m->i >= s->half[0].nparts || m->j < 0 || m->j >= s->half[1].nparts)
            refuse("line %d: a match of nothing", y->line);
        int di = s->half[0].node[s->half[0].part[m->i].node].leaf->depth;
        int dj = s->half[1].node[s->half[1].part[m->j].node].leaf->depth;
        read_map(item_list(y, 3), 1, s->points + di, dj, &m->to);
        read_map(item_list(y, 4), 1, s->points + dj, di, &m->from);
    }
    *last = s;
    last = &s->next;
}

// ---- what is added ----------------------------------------------------------------------------------
typedef struct Adding {
    const Sum *s;
    Half *h;
    Emission e; // as far as it is known
} Adding;

static bool add_expression(Adding *g, Conj j, const Ex *x, bool minus, int64_t path);

static int node_of(const Adding *g, const Leaf *l, NodeKind kind, const Ex *x, bool minus) {
    for (int i = 0; i < g->h->nnodes; i++) {
        const Node *n = &g->h->node[i];
        bool same = n->leaf == l && n->kind == kind && n->minus == minus;
        if (same && (kind == TERM ? same_expression(n->x, x) : n->x->access == x->access)) return i;
    }
    return -1;
}

static const Leaf *leaf_at(const Adding *g, const Emission *e) {
    const Program *p = g->h->leaf->program;
    if (e->leaf >= 0) return p->leaf[e->leaf];
    return e->source < 0 ? g->h->leaf : g->h->node[e->source].leaf;
}

static bool emit(Adding *g, Conj j, int target) {
    Emission *e = take(sizeof *e);
    *e = g->e;
    e->target = target;
    e->j = j;
    e->next = g->h->emission;
    g->h->emission = e;
    return true;
}

static bool add_operands(Adding *g, Conj j, const Ex *x, bool minus, int64_t path) {
    bool sum = !strcmp(g->s->op, "+") && x->kind == EX_OP, less = sum && !strcmp(x->word, "-");
    if (x->nargs == 1) return add_expression(g, j, x->arg[0], minus != less, 4 * path + 1);
    return x->nargs == 2 && add_expression(g, j, x->arg[0], minus, 4 * path + 1) &&
           add_expression(g, j, x->arg[1], minus != less, 4 * path + 2);
}

static int *map_to(int points, int depth, const int *point, int c) {
    int *map = take((size_t)(ATOMS + points + depth + 1) * sizeof *map);
    for (int i = 0; i < ATOMS; i++) map[i] = i;
    for (int i = 0; i < points; i++) map[ATOMS + i] = point ? point[i] : ATOMS + i;
    for (int i = 0; i < depth; i++) map[ATOMS + points + i] = c + i;
    return map;
}

static Conjs put_all(Conj frame, const Conjs *set, int fixed, const int *map) {
    Conjs out = {0};
    for (int i = 0; i < set->n; i++) conjs_add(&out, conj_put(frame, set->at[i], fixed, map, true, NULL));
    return out;
}

typedef struct Operand {
    Adding *g;
    const Ex *x;
    bool minus;
    int64_t path;
} Operand;

// Where it is no term by itself.
static bool add_inside(Conj j, void *arg) {
    const Operand *o = arg;
    Adding *g = o->g;
    const Ex *x = o->x;
    const Leaf *l = leaf_at(g, &g->e);
    g->e.path = o->path;
    if (o->path > INT64_MAX / 8) return fail("line %d: an expression is too deep", g->s->line);
    if (x->kind != EX_LOAD && !x->nargs && is_neutral(j, (At){l, g->e.ct, x}, g->s->op)) return true;
    int to = x->kind == EX_LOAD ? node_of(g, l, WAY, x, o->minus) : -1;
    if (to >= 0) return emit(g, j, to);
    if (x->kind == EX_OP && !strcmp(x->word, "?:")) {
        for (int k = 0; k < 2; k++) {
            Conjs on = {0};
            if (!holds(x->arg[0], g->e.ct, !k, j, &on))
                return fail("line %d: a condition of a sum", g->s->line);
            for (int i = 0; i < on.n; i++)
                if (!add_expression(g, on.at[i], x->arg[1 + k], o->minus, 4 * o->path + 2 + k)) return false;
        }
        return true;
    }
    const char *op = sum_operator(x);
    if (op && !strcmp(op, g->s->op)) return add_operands(g, j, x, o->minus, o->path);
    return fail("line %d: something that is added is no node of the sum", g->s->line);
}

static bool add_expression(Adding *g, Conj j, const Ex *x, bool minus, int64_t path) {
    const Leaf *l = leaf_at(g, &g->e);
    int to = node_of(g, l, TERM, x, minus), ct = g->e.ct;
    Operand o = {g, x, minus, path};
    Conjs term = {0};
    g->e.path = path;
    if (conj_empty(j)) return true;
    if (to >= 0)
        term = put_all((Conj){.n = j.n}, &g->h->node[to].set, ATOMS + g->s->points + l->depth,
                       map_to(g->s->points, l->depth, NULL, ct));
    for (int i = 0; i < term.n; i++) {
        Conj in = conj_put(j, term.at[i], j.n, NULL, true, NULL);
        if (!conj_empty(in)) emit(g, in, to);
    }
    return conj_outside(j, &term, j.n, add_inside, &o);
}

static bool add_edge(Adding *g, Conj from, const Edge *edge, bool base, const Node *n) {
    const Leaf *w = n->leaf->program->leaf[edge->leaf];
    int dims = ATOMS + n->leaf->depth, *map = map_to(0, n->leaf->depth + w->depth, NULL, 0), first;
    if (!base && strcmp(w->op, g->s->op)) return fail("line %d: an update by another operator", g->s->line);
    for (int i = 0; i < n->leaf->depth; i++) map[ATOMS + i] = g->e.cs + i;
    for (int k = 0; k < edge->rel.n; k++) {
        Conj j = with_counters(from, w, &g->e.ct);
        for (int i = 0; i < w->depth; i++) map[dims + i] = g->e.ct + i;
        j = conj_put(j, edge->rel.at[k], base ? dims : dims + w->depth, map, true, &first);
        for (int i = 0; i < w->depth && base; i++) j = conj_same_vars(j, g->e.ct + i, first + i);
        g->e.leaf = edge->leaf, g->e.base = base;
        if (!add_expression(g, j, w->src, n->minus, 1)) return false;
    }
    g->e.leaf = -1;
    return true;
}

static bool add_way(Adding *g, Conj j, const Node *n) {
    const Access *r = &n->leaf->access[n->x->access];
    const Program *p = n->leaf->program;
    g->e.ct = g->e.cs;
    bool any = written(p, r->array);
    if (any && !r->flow) return fail("line %d: where a load's value comes from is not told", g->s->line);
    for (int i = 0; i < r->nupdates; i++)
        if (!add_edge(g, j, &r->update[i], false, n)) return false;
    for (int i = 0; i < r->nbases; i++)
        if (!add_edge(g, j, &r->base[i], true, n)) return false;
    g->e.ct = g->e.cs, g->e.path = 0;
    int to = node_of(g, n->leaf, REST, n->x, n->minus), *map = map_to(0, n->leaf->depth, NULL, 0);
    for (int i = 0; i < n->leaf->depth; i++) map[ATOMS + i] = g->e.cs + i;
    for (int i = 0; i < (any ? r->rest.n : 1); i++) {
        Conj rest = any ? conj_put(j, r->rest.at[i], ATOMS + n->leaf->depth, map, true, NULL) : j;
        if (conj_empty(rest)) continue;
        if (to < 0) return fail("line %d: what was there before is no node of the sum", g->s->line);
        emit(g, rest, to);
    }
    return true;
}

static Conj frame_of(const Sum *s, int depth) { return (Conj){context.last, ATOMS + s->points + depth}; }

static bool collect(const Sum *s, Half *h) {
    int c = ATOMS + s->points;
    for (int i = 0; i < h->root.n; i++) {
        int depth = h->leaf->depth;
        Conj j = conj_put(frame_of(s, depth), h->root.at[i], c + depth, NULL, true, NULL);
        Adding g = {s, h, {.source = -1, .leaf = -1, .cs = c, .ct = c}};
        if (h->kind == TERM) {
            if (!add_expression(&g, j, h->x, false, 1)) return false;
            continue;
        }
        int to = node_of(&g, h->leaf, h->kind, h->x, false);
        if (to < 0) return fail("line %d: the root is no node of the sum", s->line);
        emit(&g, j, to);
    }
    for (int n = 0; n < h->nnodes; n++) {
        int depth = h->node[n].leaf->depth;
        for (int i = 0; i < h->node[n].set.n && h->node[n].kind == WAY; i++) {
            Conj j = conj_put(frame_of(s, depth), h->node[n].set.at[i], c + depth, NULL, true, NULL);
            Adding g = {s, h, {.source = n, .leaf = -1, .cs = c, .ct = c}};
            if (!add_way(&g, j, &h->node[n])) return false;
        }
    }
    return true;
}

// ---- each node: exactly what is reached, on one way -------------------------------------------------
// All of b's variables in j: points as they are, those at cs and ct as told, the others new.
static Conj put_emission(Conj j, const Sum *s, const Emission *e, int ns, int cs, int nt, int ct) {
    int *map = take((size_t)e->j.n * sizeof *map);
    for (int v = 0; v < e->j.n; v++)
        map[v] = v < ATOMS + s->points ? v
                 : v >= e->cs && v < e->cs + ns ? cs + v - e->cs
                 : v >= e->ct && v < e->ct + nt ? ct + v - e->ct
                                                : j.n++;
    return conj_put(j, e->j, e->j.n, map, true, NULL);
}

static int depth_of_source(const Half *h, const Emission *e) {
    return e->source < 0 ? h->leaf->depth : h->node[e->source].leaf->depth;
}

// a and b share their first `fixed` variables and n more, from sa and sb on: are those from va and vb on
// the same then, too? m < 0: there is nothing of which both hold.
static bool agree(Conj a, Conj b, int fixed, int sa, int sb, int n, int va, int vb, int m) {
    int *map = take((size_t)b.n * sizeof *map);
    for (int v = 0; v < b.n; v++) map[v] = v < fixed ? v : v >= sb && v < sb + n ? sa + v - sb : a.n++;
    Conj j = conj_put(a, b, b.n, map, true, NULL);
    if (m < 0) return conj_empty(j);
    for (int d = 0; d < m; d++) {
        Linear x = linear_var(va + d), y = linear_var(map[vb + d]);
        if (!conj_empty(conj_less(j, x, y, 1)) || !conj_empty(conj_less(j, y, x, 1))) return false;
        j = conj_same(j, x, y);
    }
    return true;
}

// The same operand by the same edge is one way if the source is one.
static bool once(const Sum *s, const Half *h, const Emission *e, const Emission *f) {
    bool same = e->source == f->source && e->leaf == f->leaf && e->base == f->base && e->path == f->path;
    int depth = h->node[e->target].leaf->depth;
    return agree(e->j, f->j, ATOMS + s->points, e->ct, f->ct, depth, e->cs, f->cs,
                 same ? depth_of_source(h, e) : -1);
}

static bool is_idempotent(const Sum *s) { return !strcmp(s->op, "min") || !strcmp(s->op, "max"); }

static bool reached(const Sum *s, const Half *h, int t) {
    const Node *n = &h->node[t];
    int c = ATOMS + s->points, dims = c + n->leaf->depth;
    Conjs pieces = {0};
    for (const Emission *e = h->emission; e; e = e->next) {
        if (e->target != t) continue;
        Conj frame = {.n = dims};
        int ns = depth_of_source(h, e), nt = n->leaf->depth;
        if (e->leaf < 0) conjs_add(&pieces, put_emission(frame, s, e, ns, c, nt, c));
        for (int k = 0; k < h->nfroms && e->leaf >= 0; k++) {
            const From *f = &h->from[k];
            if (f->node != e->source || f->leaf != e->leaf || f->base != e->base) continue;
            for (int i = 0; i < f->map.n; i++) {
                int cs;
                Conj j = conj_put(frame, f->map.at[i], dims, NULL, true, &cs);
                conjs_add(&pieces, put_emission(j, s, e, ns, cs, nt, c));
            }
        }
    }
    for (int i = 0; i < n->set.n; i++) {
        Conj j = conj_put(frame_of(s, n->leaf->depth), n->set.at[i], dims, NULL, true, NULL);
        if (!conj_inside(j, &pieces, dims))
            return fail("line %d: node %d is larger than what is added", s->line, t);
    }
    return true;
}

static bool check_nodes(const Sum *s, Half *h) {
    for (const Emission *e = h->emission; e; e = e->next) {
        const Node *n = &h->node[e->target];
        int depth = n->leaf->depth;
        Conjs set = put_all((Conj){.n = e->j.n}, &n->set, ATOMS + s->points + depth,
                            map_to(s->points, depth, NULL, e->ct));
        if (!conj_inside(e->j, &set, e->j.n))
            return fail("line %d: something is added that is not in node %d", s->line, e->target);
        for (const Emission *f = e->next; f && !is_idempotent(s); f = f->next)
            if (f->target == e->target && !once(s, h, e, f))
                return fail("line %d: something may be added twice", s->line);
        if (!is_idempotent(s) && !once(s, h, e, e)) return fail("line %d: something is added twice", s->line);
    }
    for (int t = 0; t < h->nnodes; t++)
        if (!reached(s, h, t)) return false;
    return true;
}

// The root is one place for each point.
static bool one_root(const Sum *s, const Half *h) {
    int c = ATOMS + s->points, depth = h->leaf->depth;
    Conjs root = put_all(frame_of(s, depth), &h->root, c + depth, NULL);
    for (int i = 0; i < root.n; i++)
        for (int k = i; k < root.n; k++)
            if (!agree(root.at[i], root.at[k], c, 0, 0, 0, c, c, depth))
                return fail("line %d: the root is not one place", s->line);
    return true;
}

// ---- parts ------------------------------------------------------------------------------------------
typedef struct Nothing {
    At at;
    const char *op;
} Nothing;

static bool adds_nothing(Conj j, void *arg) {
    const Nothing *n = arg;
    return is_neutral(j, n->at, n->op);
}

static At at_node(const Node *n, int c) { return (At){n->leaf, c, n->x, n->kind == REST}; }

static bool check_parts(const Sum *s, const Half *h) {
    int c = ATOMS + s->points;
    for (int t = 0; t < h->nnodes; t++) {
        const Node *n = &h->node[t];
        int dims = c + n->leaf->depth;
        Conjs all = {0};
        if (n->kind == WAY) continue;
        Conjs set = put_all((Conj){.n = dims}, &n->set, dims, NULL);
        for (int i = 0; i < h->nparts; i++) {
            if (h->part[i].node != t) continue;
            for (int k = 0; k < h->part[i].at.n; k++) {
                Conj j = conj_put(frame_of(s, n->leaf->depth), h->part[i].at.at[k], dims, NULL, true, NULL);
                if (!conj_inside(j, &set, dims)) return fail("line %d: part %d is no part", s->line, i);
                for (int o = 0; o < i && !is_idempotent(s); o++)
                    for (int q = 0; q < h->part[o].at.n && h->part[o].node == t; q++)
                        if (!conj_empty(conj_put(j, h->part[o].at.at[q], dims, NULL, true, NULL)))
                            return fail("line %d: parts meet", s->line);
                conjs_add(&all, h->part[i].at.at[k]);
            }
        }
        Nothing none = {at_node(n, c), s->op};
        for (int k = 0; k < n->set.n; k++) {
            Conj j = conj_put(frame_of(s, n->leaf->depth), n->set.at[k], dims, NULL, true, NULL);
            if (!conj_outside(j, &all, dims, adds_nothing, &none))
                return fail("line %d: something that is added is in no part", s->line);
        }
    }
    return true;
}

// ---- one for one ------------------------------------------------------------------------------------
typedef struct Arrow { // a piece of a match
    int i, j, dx, dy;
    Conj j0; // over points, x, y, …
    const Conjs *to;
    int k;
} Arrow;

static const Node *node_at(const Sum *s, int half, int part) {
    return &s->half[half].node[s->half[half].part[part].node];
}

// Points, x's counters, y's: the pair is in part i and in the piece.
static void arrows_of(const Sum *s, const Match *m, Arrow *out, int *n, int room, bool back) {
    int dx = node_at(s, 0, m->i)->leaf->depth, dy = node_at(s, 1, m->j)->leaf->depth;
    int c = ATOMS + s->points, from = back ? c + dx : c, to = back ? c : c + dx;
    const Conjs *at = back ? &s->half[1].part[m->j].at : &s->half[0].part[m->i].at;
    const Conjs *map = back ? &m->from : &m->to;
    int df = back ? dy : dx, dt = back ? dx : dy, first;
    for (int a = 0; a < at->n; a++)
        for (int k = 0; k < map->n; k++) {
            Conj j = frame_of(s, dx + dy);
            j = conj_put(j, at->at[a], c + df, map_to(s->points, df, NULL, from), true, NULL);
            j = conj_put(j, map->at[k], c + df, map_to(s->points, df, NULL, from), true, &first);
            for (int d = 0; d < dt; d++) j = conj_same_vars(j, to + d, first + d);
            if (conj_empty(j)) continue;
            if (*n == room) refuse("a sum of too many pieces");
            out[(*n)++] = (Arrow){m->i, m->j, dx, dy, j, map, k};
        }
}

// Two arrows from one x to different y (or, the other way, from different x to one y)?
static bool clash(const Sum *s, const Arrow *a, const Arrow *b, bool other) {
    int c = ATOMS + s->points, xa = c, ya = c + a->dx, xb = c, yb = c + b->dx;
    if (other ? a->j != b->j : a->i != b->i) return false;
    if (other) return !agree(a->j0, b->j0, c, ya, yb, a->dy, xa, xb, a->i == b->i ? a->dx : -1);
    return !agree(a->j0, b->j0, c, xa, xb, a->dx, ya, yb, a->j == b->j ? a->dy : -1);
}

static bool total(const Sum *s, bool back) {
    const Half *h = &s->half[back];
    for (int i = 0; i < h->nparts; i++) {
        int depth = node_at(s, back, i)->leaf->depth, c = ATOMS + s->points, dims = c + depth;
        Conjs pieces = {0};
        for (int m = 0; m < s->nmatches; m++) {
            const Match *t = &s->match[m];
            if ((back ? t->j : t->i) != i) continue;
            const Conjs *map = back ? &t->from : &t->to, *other = &s->half[!back].part[back ? t->i : t->j].at;
            int od = node_at(s, !back, back ? t->i : t->j)->leaf->depth, first, image;
            for (int k = 0; k < map->n; k++)
                for (int a = 0; a < other->n; a++) {
                    Conj j = conj_put((Conj){.n = dims}, map->at[k], dims, NULL, true, &first);
                    j = conj_put(j, other->at[a], c + od, map_to(s->points, od, NULL, first), true, NULL);
                    if (!back || is_idempotent(s)) {
                        conjs_add(&pieces, j);
                        continue;
                    }
                    for (int q = 0; q < t->to.n; q++) { // and from there the match leads back
                        Conj b = conj_put(j, t->to.at[q], c + od, map_to(s->points, od, NULL, first), true,
                                          &image);
                        for (int d = 0; d < depth; d++) b = conj_same_vars(b, image + d, c + d);
                        conjs_add(&pieces, b);
                    }
                }
        }
        for (int a = 0; a < h->part[i].at.n; a++) {
            Conj j = conj_put(frame_of(s, depth), h->part[i].at.at[a], dims, NULL, true, NULL);
            if (!conj_inside(j, &pieces, dims))
                return fail("line %d: part %d of the %s has no counterpart", s->line, i, programs[back].name);
        }
    }
    return true;
}

static bool values_match(const Sum *s, const Arrow *a) {
    int c = ATOMS + s->points, n = 0,
        *point = take((size_t)(2 * s->points + a->dx + a->dy + 1) * sizeof *point);
    const Node *x = node_at(s, 0, a->i), *y = node_at(s, 1, a->j);
    for (int i = 0; i < s->points; i++) point[n++] = ATOMS + i;
    for (int i = 0; i < a->dx; i++) point[n++] = c + i;
    for (int i = 0; i < s->points; i++) point[n++] = ATOMS + i;
    for (int i = 0; i < a->dy; i++) point[n++] = c + a->dx + i;
    if (x->minus != y->minus) return fail("line %d: signs differ", s->line);
    return same_value(a->j0, (Points){n, point}, at_node(x, c), at_node(y, c + a->dx));
}

static bool check_matches(const Sum *s) {
    enum { ROOM = 400 };
    Arrow *arrow = take(ROOM * sizeof *arrow);
    int n = 0;
    for (int m = 0; m < s->nmatches; m++) {
        arrows_of(s, &s->match[m], arrow, &n, ROOM, false);
        if (is_idempotent(s)) arrows_of(s, &s->match[m], arrow, &n, ROOM, true);
    }
    for (int a = 0; a < n; a++) {
        for (int b = a; b < n && !is_idempotent(s); b++)
            if (clash(s, &arrow[a], &arrow[b], false) || clash(s, &arrow[a], &arrow[b], true))
                return fail("line %d: the match is not one for one", s->line);
        if (!values_match(s, &arrow[a])) return false;
    }
    return total(s, false) && total(s, true);
}

// ---- for the walk -----------------------------------------------------------------------------------
static bool is_key(const Half *h, At x) {
    bool load = x.x->kind == EX_LOAD && h->kind != TERM;
    if (h->leaf != x.leaf || (h->kind == REST) != x.untouched) return false;
    return load ? h->x->access == x.x->access && h->x->array == x.x->array
                : h->kind == TERM && same_expression(h->x, x.x);
}

const Sum *find_sum(int points, At x, At y, int *k) {
    int at = 0;
    for (const Sum *s = sums; s; s = s->next)
        if (s->points == points && is_key(&s->half[0], x) && is_key(&s->half[1], y) && at++ == *k) {
            ++*k;
            return s;
        }
    return NULL;
}

const Conjs *sum_points(const Sum *s) { return &s->at; }

void forget_sums(void) {
    for (Sum *s = sums; s; s = s->next) s->state = 0;
}

static bool check_sum(Sum *s) {
    if (s->state) return s->state == 2 || fail("line %d: a sum is a part of itself", s->line);
    s->state = 1;
    for (int k = 0; k < 2; k++) {
        s->half[k].emission = NULL;
        if (!one_root(s, &s->half[k]) || !collect(s, &s->half[k])) return false;
        if (!check_nodes(s, &s->half[k]) || !check_parts(s, &s->half[k])) return false;
    }
    if (!check_matches(s)) return false;
    s->half[0].emission = s->half[1].emission = NULL;
    s->state = 2;
    return true;
}

bool sum_holds(const Sum *s, Conj j, Points p, At x, At y) {
    At at[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        int depth = at[k].leaf->depth;
        Conjs root = put_all((Conj){.n = j.n}, &s->half[k].root, ATOMS + s->points + depth,
                             map_to(s->points, depth, p.var, at[k].c));
        if (!conj_inside(j, &root, j.n)) return fail("line %d: the sum stands at another place", s->line);
    }
    return check_sum((Sum *)s);
}
