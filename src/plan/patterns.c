// SPDX-License-Identifier: MIT
// patterns.c -- which pattern each array reference matches.
#include "plan/patterns.h"
#include "rule/rule.h"

static const struct {
    const char *name, *origin;
} names[PATTERN_COUNT] = {{"define", "DEFINEARG"},          {"transpose", "TRANSPOSITION"}, {"hoist",
    "HOISTTOREG"},
                          {"hoist-loop", "HOISTTOREGLOOP"}, {"stage", "TILEINLOCAL"},
                                {"stencil", "TILEINLOCALSTENCIL"}};

const char *pattern_name(PatternKind k) { return names[k].name; }
const char *pattern_origin(PatternKind k) { return names[k].origin; }

// ---- which loops are threads ------------------------------------------------------------------
typedef struct Search {
    Compile *c;
    const DepInfo *d;
    Patterns *p;
    bool marked;           // marks say which loops are parallel
} Search;

static bool is_marked(const Node *n) { return n->kind == N_FOR && mark_vouches(n->mark); }

static bool is_proved(const Search *s, const Node *loop) {
    const LoopFact *f = dep_loop(s->d, loop);
    return f && (f->parallel == ANSWER_ALWAYS || f->parallel == ANSWER_WHEN);
}

static bool is_parallel(const Search *s, const Node *loop) {
    return s->marked ? mark_vouches(loop->mark) : is_proved(s, loop);
}

// The parallel loops from `first` inwards: marked ones, or free ones of its chain.
static Team team_of(const Search *s, Node *first) {
    Team t = {.first = first, .marked = s->marked};
    Chain chain = chain_of(first);
    for (int k = 0; k < chain.n && t.n < 2; k++) {
        if (!is_parallel(s, chain.loop[k])) continue;
        t.thread[1] = t.thread[0];
        t.thread[0] = (Node *)chain.loop[k];
        t.n++;
    }
    return t;
}

// The outermost parallel loops, from the outside in.
static void find_teams(Search *s, Node *n) {
    if (!n) return;
    if (n->kind == N_FOR && is_parallel(s, n)) {
        Team t = team_of(s, n);
        refs_of(s->c->arena, n, &t.refs);
        vec_push(s->c->arena, &s->p->teams, t);
        return;
    }
    for (int k = 0; node_kid(n, k); k++) find_teams(s, node_kid(n, k));
}

// ---- one reference -------------------------------------------------------------------------------
enum { MOST_LOOPS = 16 };
typedef struct View {
    const Ref *r;
    const Team *t;
    int nserial;
    Node *serial[MOST_LOOPS];  // the loops that a thread runs, outermost first
} View;

static View view_of(const Ref *r, const Team *t) {
    View v = {.r = r, .t = t};
    for (int k = 0; k < r->nloops; k++)
        if (r->loop[k] != t->thread[0] && r->loop[k] != t->thread[1] && v.nserial < MOST_LOOPS)
            v.serial[v.nserial++] = r->loop[k];
    return v;
}

// The serial loop that a subscript is the counter of, in stride one; NULL: none.
static Node *loop_in(const View *v, int dim) {
    for (int k = 0; k < v->nserial; k++)
        if (v->serial[k]->step == 1 && ref_unit(v->r, v->serial[k]) == dim) return v->serial[k];
    return NULL;
}

// The number of the thread loop in a subscript; -1: none.
static int thread_in(const View *v, int dim) {
    for (int k = 0; k < v->t->n; k++)
        if (ref_unit(v->r, v->t->thread[k]) == dim) return k;
    return -1;
}

static bool is_transposed(const View *v) {
    if (v->r->array->rank != 2 || thread_in(v, 0) != 0) return false;
    return v->t->n == 1 ? loop_in(v, 1) != NULL : thread_in(v, 1) == 1;
}

// A[tid][k] or A[k][tid], with two thread loops of which one is not named; *loop is k.
static bool is_tile(const View *v, Node **loop) {
    if (v->r->array->rank != 2 || v->t->n != 2 || v->r->write) return false;
    for (int d = 0; d < 2; d++) {
        *loop = loop_in(v, d);
        int thread = thread_in(v, 1 - d);
        if (*loop && thread >= 0 && !ref_names(v->r, v->t->thread[1 - thread])) return true;
    }
    return false;
}

// Every subscript is a thread's counter and a constant, and other references lie beside it.
static bool is_stencil(const View *v, const Use *u) {
    if (u->written || !u->apart || v->r->array->rank < v->t->n) return false;
    int threads = 0;
    for (int d = 0; d < v->r->array->rank; d++) threads += thread_in(v, d) >= 0;
    return threads == v->t->n && threads == v->r->array->rank;
}

static void add(Search *s, PatternKind kind, const Ref *r, int team, Node *loop) {
    Match m = {kind, r, team, loop};
    vec_push(s->c->arena, &s->p->matches, m);
    s->p->has[kind] = true;
}

static void look_at(Search *s, const Ref *r, int team) {
    View v = view_of(r, &s->p->teams.at[team]);
    Node *loop = NULL;
    bool named = false, hoisted = false;
    for (int k = 0; k < v.nserial; k++) named = named || ref_names(r, v.serial[k]);
    if (is_transposed(&v)) add(s, PATTERN_TRANSPOSE, r, team, NULL);
    if (v.nserial && !named) add(s, PATTERN_HOIST, r, team, v.serial[0]), hoisted = true;
    if (v.nserial > 1 && !ref_names(r, v.serial[0]) && ref_names(r, v.serial[v.nserial - 1]))
        add(s, PATTERN_HOIST_LOOP, r, team, v.serial[0]), hoisted = true;
    if (!hoisted && is_tile(&v, &loop)) add(s, PATTERN_STAGE, r, team, loop);
    if (is_stencil(&v, &v.t->refs.uses.at[r->use])) add(s, PATTERN_STENCIL, r, team, NULL);
}

Patterns *patterns_of(Compile *c, const Region *r, const DepInfo *d) {
    Patterns *p = NEW(c->arena, Patterns);
    p->region = r;
    Search s = {.c = c, .d = d, .p = p};
    s.marked = node_any(r->root, is_marked);
    add(&s, PATTERN_DEFINE, NULL, -1, NULL);
    find_teams(&s, r->root);
    for (int t = 0; t < p->teams.n; t++) {
        const Refs *refs = &p->teams.at[t].refs;
        for (int k = 0; k < refs->n; k++)
            if (refs->at[k].array->place == PLACE_USER && refs->at[k].array->rank > 0)
                look_at(&s, &refs->at[k], t);
    }
    return p;
}
