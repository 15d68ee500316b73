// SPDX-License-Identifier: MIT
// value.c -- what is read, as an expression of what was there before everything, piece by piece.
#include "equal/flows.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <string.h>

enum { MOST_OPERANDS = 6, MOST_WORK = 4000, MOST_PIECES = 40, MOST_AGAIN = 33, MOST_ROUNDS_BACK = 3 };

void prove_unknown(Prover *p, const char *why) {
    if (!p->unknown) p->unknown = why;
}

// ---- values ------------------------------------------------------------------------------------
static void skeleton(Text *t, const Value *v) {
    switch (v->kind) {
    case VALUE_INPUT: text_printf(t, "%s", v->array->name); break;
    case VALUE_NUMBER:
        if (v->x->kind == E_FLOAT) text_printf(t, "%a", v->x->f);
        else text_printf(t, "%lld", (long long)v->x->i);
        break;
    case VALUE_INT: text_put(t, "#"); break;
    case VALUE_PARAM: text_put(t, v->x->sym->name); break;
    case VALUE_GATHER: text_printf(t, "%s[]", v->array->name); break;
    case VALUE_SUM: text_printf(t, "S%d", (int)v->op); break;
    case VALUE_STATE: text_put(t, "@"); break;
    case VALUE_NOTHING: text_put(t, "?"); break;
    case VALUE_OP:
        if (v->x->kind == E_OP) text_put(t, op_text(v->op));
        else if (v->x->kind == E_CALL) text_put(t, v->x->fn);
        else text_printf(t, "(%s)", type_name(v->type));
    }
    if (v->nkids) text_put(t, "(");
    for (int i = 0; i < v->nkids; i++) text_printf(t, "%s%s", i ? "," : "", v->kid[i]->skeleton);
    if (v->nkids) text_put(t, ")");
}

bool value_commutes(const Value *v) {
    if (v->kind != VALUE_OP || v->nkids != 2) return false;
    if (v->x->kind == E_CALL) return str_among(v->x->fn, "fmaxf fmax fminf fmin");
    return v->x->kind == E_OP && (v->op == OP_ADD || v->op == OP_MUL || v->op == OP_MAX || v->op == OP_MIN ||
                                  v->op == OP_AND || v->op == OP_OR ||
                                  v->op == OP_XOR || v->op == OP_EQ || v->op == OP_NE);
}

const Value *value_new(Side *s, Value v) {
    Value *n = NEW(s->a, Value);
    *n = v;
    if (value_commutes(&v) && strcmp(v.kid[0]->skeleton, v.kid[1]->skeleton) > 0) {
        n->kid = NEW_N(s->a, const Value *, 2);
        n->kid[0] = v.kid[1], n->kid[1] = v.kid[0];
    }
    Text t = text_new(s->a);
    skeleton(&t, n);
    n->skeleton = text_str(&t);
    return n;
}

bool value_is_number(const Value *v, double d) {
    if (v->kind == VALUE_INT && d == (int)d) {
        isl_set *s = isl_map_range(isl_map_copy(v->map));
        isl_set *one = isl_set_fix_si(isl_set_universe(isl_set_get_space(s)), isl_dim_set, 0, (int)d);
        isl_set *other = isl_set_subtract(s, one);
        bool same = isl_set_is_empty(other) == isl_bool_true;
        isl_set_free(other);
        return same;
    }
    if (v->kind != VALUE_NUMBER) return false;
    double x = v->x->kind == E_FLOAT ? v->x->f : (double)v->x->i;
    return x == d;
}

static void add(Side *s, Pieces *out, isl_set *at, const Value *v) {
    if (isl_set_is_empty(at) == isl_bool_true) {
        isl_set_free(at);
        return;
    }
    s->proof->endless |= out->n > MOST_PIECES;
    if (out->n > MOST_PIECES) prove_unknown(s->proof, "values fall into too many pieces");
    vec_push(s->a, out, ((Piece){own_set(s->a, isl_set_coalesce(at)), v}));
}

FlowAccess *value_access(Side *s, FlowLeaf *l, const Expr *load) {
    (void)s;
    for (int k = 1; k < l->naccesses; k++)
        if (l->access[k].array == load->array && l->access[k].sub == load->args) return &l->access[k];
    return NULL;
}

// Where it stands, for certificates.
static Origin origin(Side *s, FlowLeaf *l, Expr *x, FlowAccess *r, const isl_map *m) {
    Origin none = {0};
    return s->proof->certificate ? (Origin){s, l, x, r, own_map(s->a, isl_map_copy((isl_map *)m))} : none;
}

// ---- values at other points ----------------------------------------------------------------------
static isl_map *behind(Arena *a, isl_map *by, isl_map *m) {
    return own_map(a, isl_map_apply_range(isl_map_copy(by), isl_map_copy(m)));
}

const Value *value_pulled(Arena *a, const Value *v, isl_map *by) {
    Value *n = NEW(a, Value);
    *n = *v;
    if (v->map) n->map = behind(a, by, v->map);
    for (Origin *o = &n->from; o && o->m; o = o->next) {
        o->m = behind(a, by, o->m);
        Origin *next = o->next ? NEW(a, Origin) : NULL;
        if (next) *next = *o->next;
        o->next = next;
    }
    if (v->nkids) n->kid = NEW_N(a, const Value *, v->nkids);
    for (int i = 0; i < v->nkids; i++) n->kid[i] = value_pulled(a, v->kid[i], by);
    if (v->kind != VALUE_SUM) return n;
    n->far = v->far ? v->far : v;
    n->by = v->far ? behind(a, by, v->by) : own_map(a, isl_map_copy(by));
    return n;
}

// m, by[x] → points, as a map on [x, u] → [points, u].
static isl_map *beside(isl_map *by, unsigned more) {
    isl_space *s = isl_space_alloc(isl_map_get_ctx(by), 0, more, more);
    return isl_map_flat_product(isl_map_copy(by), isl_map_identity(s));
}

const Parts *value_parts(Arena *a, const Value *v) {
    Value *n = (Value *)v;
    if (!v->far) return &v->parts;
    const Parts *of = &v->far->parts;
    unsigned points = (unsigned)isl_map_dim(v->by, isl_dim_out);
    n->parts = (Parts){0};
    for (int i = 0; i < of->n; i++) {
        Part t = of->at[i];
        isl_map *wide = beside(v->by, (unsigned)isl_set_dim(t.at, isl_dim_set) - points);
        t.at = own_set(a, isl_set_apply(isl_set_copy(t.at), isl_map_reverse(isl_map_copy(wide))));
        t.v = value_pulled(a, t.v, wide);
        isl_map_free(wide);
        vec_push(a, &n->parts, t);
    }
    for (int i = 0; i < of->reached.n; i++) {
        Reach r = of->reached.at[i];
        r.all = behind(a, v->by, r.all);
        vec_push(a, &n->parts.reached, r);
    }
    n->far = NULL;
    return &n->parts;
}

// ---- expressions ---------------------------------------------------------------------------------
static bool integer(Side *s, FlowLeaf *l, Expr *x, isl_map *m, Pieces *out) {
    isl_pw_aff *pa = expr_has_load(x) ? NULL : poly_aff(s->tree->flow->poly, l->ev->scope, x, NULL);
    if (!pa) return false;
    Origin from = origin(s, l, x, NULL, m);
    isl_map *map = isl_map_apply_range(m, isl_map_from_pw_aff(pa));
    isl_set *at = isl_map_domain(isl_map_copy(map));
    Value v = {.kind = VALUE_INT, .type = x->type, .map = own_map(s->a, isl_map_coalesce(map)), .from = from};
    add(s, out, at, value_new(s, v));
    return true;
}

static isl_map *within(const isl_map *m, const isl_set *at) {
    return isl_map_intersect_domain(isl_map_copy((isl_map *)m), isl_set_copy((isl_set *)at));
}

typedef struct Operands {
    Side *s;
    FlowLeaf *l;
    const Expr *x;
    int n;
    Expr *arg[MOST_OPERANDS];
    Value v;
    const Value *kid[MOST_OPERANDS];
    Pieces *out;
} Operands;

// Do they differ in nothing but which elements they read?
static bool is_alike(const Value *v, const Value *w) {
    bool known = v->kind == VALUE_INPUT || v->kind == VALUE_INT || v->kind == VALUE_OP ||
                 v->kind == VALUE_NUMBER || v->kind == VALUE_PARAM;
    if (!known || v->kind != w->kind || v->type != w->type || v->array != w->array || v->nkids != w->nkids ||
        !str_eq(v->skeleton, w->skeleton))
        return false;
    for (int i = 0; i < v->nkids; i++)
        if (!is_alike(v->kid[i], w->kid[i])) return false;
    return true;
}

static isl_map *either_map(Arena *a, const isl_map *m, const Piece *p, const isl_map *n, const Piece *q) {
    return m && n ? own_map(a, isl_map_coalesce(isl_map_union(within(m, p->at), within(n, q->at)))) : NULL;
}

// Those of a piece, and then those of another.
static Origin both_origins(Side *s, const Origin *x, const Piece *p, const Origin *y, const Piece *q) {
    Origin o = *x;
    o.m = x->m ? own_map(s->a, within(x->m, p->at)) : NULL;
    Origin next = x->next ? both_origins(s, x->next, p, y, q) : *y;
    if (!x->next && y->m) next.m = own_map(s->a, within(y->m, q->at));
    if (next.m) o.next = NEW(s->a, Origin), *o.next = next;
    return o;
}

static const Value *merged(Side *s, const Value *v, const Piece *p, const Value *w, const Piece *q) {
    Value *u = NEW(s->a, Value);
    *u = *v;
    u->map = either_map(s->a, v->map, p, w->map, q);
    u->from = both_origins(s, &v->from, p, &w->from, q);
    if (v->nkids) u->kid = NEW_N(s->a, const Value *, v->nkids);
    for (int i = 0; i < v->nkids; i++) u->kid[i] = merged(s, v->kid[i], p, w->kid[i], q);
    return u;
}

// Pieces that differ in which elements they read are one: the maps tell. A certificate names each by the load
// that it is.
static void merge(Side *s, Pieces *p) {
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        int k = 0;
        while (k < n && (s->proof->certificate || !is_alike(p->at[k].v, p->at[i].v))) k++;
        if (k == n) {
            p->at[n++] = p->at[i];
            continue;
        }
        isl_set *both = isl_set_union(isl_set_copy(p->at[k].at), isl_set_copy(p->at[i].at));
        const Value *v = merged(s, p->at[k].v, &p->at[k], p->at[i].v, &p->at[i]);
        p->at[k] = (Piece){own_set(s->a, isl_set_coalesce(both)), v};
    }
    p->n = n;
}

static bool is_same(const Value *v, const Value *w) {
    if (!is_alike(v, w) || (v->map && isl_map_is_equal(v->map, w->map) != isl_bool_true)) return false;
    bool same = true;
    for (int i = 0; i < v->nkids && same; i++) same = is_same(v->kid[i], w->kid[i]);
    return same;
}

// c ? (c ? x : y) : z  is  c ? x : z.
static void choose_once(Value *v) {
    if (v->kind != VALUE_OP || v->x->kind != E_OP || v->op != OP_SELECT) return;
    for (int i = 1; i < 3; i++) {
        const Value *k = v->kid[i];
        bool again = k->kind == VALUE_OP && k->x->kind == E_OP && k->op == OP_SELECT;
        if (again && is_same(v->kid[0], k->kid[0])) v->kid[i] = k->kid[i];
    }
}

// x < y ? x : y is the lesser of both, wherever x and y come from.
static void least_of(Operands *o, isl_set *at, Value *v) {
    const Value *c = v->kind == VALUE_OP && v->x->kind == E_OP && v->op == OP_SELECT ? v->kid[0] : NULL;
    bool less = c && c->kind == VALUE_OP && c->x->kind == E_OP && (c->op == OP_LT || c->op == OP_LE);
    for (int i = 0; i < 2 && less; i++) {
        if (!is_same(c->kid[i], v->kid[1]) || !is_same(c->kid[1 - i], v->kid[2])) continue;
        Value s = {.kind = VALUE_SUM, .type = v->type, .op = i ? OP_MAX : OP_MIN};
        for (int k = 1; k < 3; k++) {
            Part t = {.leaf = o->l, .at = at, .v = v->kid[k], .direct = true, .first = true};
            vec_push(o->s->a, &s.parts, t);
        }
        *v = s;
        return;
    }
}

// One operand after the other, each where the pieces of those before it are: at, the domain of m. An operand
// of one piece has it everywhere there.
static void combine(Operands *o, int k, isl_set *at, const isl_map *m) {
    if (o->s->proof->unknown) return;
    if (k == o->n) {
        Value v = o->v;
        v.nkids = o->n;
        v.kid = NEW_N(o->s->a, const Value *, o->n + 1);
        for (int i = 0; i < o->n; i++) v.kid[i] = o->kid[i];
        choose_once(&v);
        v.from.m = (isl_map *)m;
        least_of(o, at, &v);
        o->s->proof->endless |= o->out->n > MOST_PIECES;
        if (o->out->n > MOST_PIECES) prove_unknown(o->s->proof, "values fall into too many pieces");
        vec_push(o->s->a, o->out, ((Piece){at, value_new(o->s, v)}));
        return;
    }
    Pieces p = {0};
    value_of_expr(o->s, o->l, o->arg[k], isl_map_copy((isl_map *)m), &p);
    merge(o->s, &p);
    for (int i = 0; i < p.n; i++) {
        o->kid[k] = p.at[i].v;
        if (p.n == 1) combine(o, k + 1, at, m);
        else combine(o, k + 1, p.at[i].at, own_map(o->s->a, within(m, p.at[i].at)));
    }
}

// m is used up.
static void combine_all(Operands *o, isl_map *m) {
    isl_set *at = own_set(o->s->a, isl_set_coalesce(isl_map_domain(isl_map_copy(m))));
    combine(o, 0, at, own_map(o->s->a, isl_map_coalesce(m)));
}

static bool is_mirrored(Op op) { return op == OP_GT || op == OP_GE; }

static void operation(Side *s, FlowLeaf *l, Expr *x, isl_map *m, Pieces *out) {
    Operands o = {.s = s, .l = l, .x = x, .n = x->nargs, .out = out};
    o.v = (Value){.kind = VALUE_OP, .type = x->type, .x = x, .op = x->op, .from = {s, l, x}};
    for (int i = 0; i < x->nargs && i < MOST_OPERANDS; i++) o.arg[i] = x->args[i];
    if (x->nargs > MOST_OPERANDS) prove_unknown(s->proof, "a function of too many operands");
    if (x->kind == E_OP && is_mirrored(x->op)) {
        o.arg[0] = x->args[1], o.arg[1] = x->args[0];
        o.v.op = op_mirrored(x->op);
    }
    combine_all(&o, m);
}

// Where an affine condition holds, one; else the other.
static bool affine_choice(Side *s, FlowLeaf *l, Expr *x, isl_map *m, Pieces *out) {
    Expr *c = x->args[0];
    isl_set *on = expr_has_load(c) ? NULL : poly_cond(s->tree->flow->poly, l->ev->scope, c, NULL);
    if (!on) return false;
    isl_set *off = isl_set_complement(isl_set_copy(on));
    value_of_expr(s, l, x->args[1], isl_map_intersect_range(isl_map_copy(m), on), out);
    value_of_expr(s, l, x->args[2], isl_map_intersect_range(m, off), out);
    return true;
}

static void one_value(Side *s, isl_map *m, Value v, Pieces *out) {
    add(s, out, isl_map_domain(m), value_new(s, v));
}

void value_of_expr(Side *s, FlowLeaf *l, Expr *x, isl_map *m, Pieces *out) {
    Prover *p = s->proof;
    p->endless |= p->work >= MOST_WORK;
    if (++p->work > MOST_WORK) prove_unknown(p, "what is compared grows too large");
    if (p->unknown || poly_tick(s->tree->flow->poly) || isl_map_is_empty(m) != isl_bool_false) {
        isl_map_free(m);
        return;
    }
    if (x->kind == E_LOAD) {
        FlowAccess *r = value_access(s, l, x);
        if (r) {
            value_of_read(s, r, m, x->type, out);
            return;
        }
        prove_unknown(p, "an access was not found");
    } else if (x->kind == E_SYM && !type_is_int(x->type)) {
        Origin from = origin(s, l, x, NULL, m);
        one_value(s, m, (Value){.kind = VALUE_PARAM, .type = x->type, .x = x, .from = from}, out);
        return;
    } else if (type_is_int(x->type) && integer(s, l, x, isl_map_copy(m), out)) {
        isl_map_free(m);
        return;
    } else if (x->kind == E_FLOAT || x->kind == E_INT) { // of 64 bits without a sign: no number of isl's
        Origin from = origin(s, l, x, NULL, m);
        one_value(s, m, (Value){.kind = VALUE_NUMBER, .type = x->type, .x = x, .from = from}, out);
        return;
    } else if (x->kind == E_OP && x->op == OP_SELECT && affine_choice(s, l, x, isl_map_copy(m), out)) {
        isl_map_free(m);
        return;
    } else if (sum_has_accumulator(s, l, x)) {
        Value v = {.kind = VALUE_SUM, .type = x->type, .op = sum_operator(x), .from = {s, l, x}};
        v.from.m = own_map(s->a, isl_map_copy(m));
        v.kept = sum_of_expr(s, v.op, sum_has_order(v.op, v.type), l, x, isl_map_copy(m), &v.parts);
        one_value(s, m, v, out);
        return;
    } else if (x->kind == E_OP || x->kind == E_CAST || x->kind == E_CALL) {
        operation(s, l, x, m, out);
        return;
    } else {
        prove_unknown(p, "an expression that is not understood");
    }
    isl_map_free(m);
}

// ---- reads -----------------------------------------------------------------------------------------
// An element that nothing wrote before.
void value_untouched(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out) {
    if (r->array->place != PLACE_USER) {
        one_value(s, m, (Value){.kind = VALUE_NOTHING, .type = t}, out);
        return;
    }
    if (r->exact) {
        isl_set *at = isl_map_domain(isl_map_copy(m));
        Origin from = origin(s, r->leaf, NULL, r, m);
        isl_map *map = isl_map_apply_range(m, isl_map_copy(r->map));
        map = isl_map_project_out(map, isl_dim_out, 0, (unsigned)r->scope);
        Value v = {
            .kind = VALUE_INPUT, .type = t, .array = r->array, .map = own_map(s->a, isl_map_coalesce(map)),
            .from = from};
        add(s, out, at, value_new(s, v));
        return;
    }
    Operands o = {.s = s, .l = r->leaf, .n = r->array->rank, .out = out};
    o.v = (Value){.kind = VALUE_GATHER, .type = t, .array = r->array, .from = {s, r->leaf, NULL, r}};
    if (o.n > MOST_OPERANDS)
        prove_unknown(s->proof, "an array of too many dimensions is read at places that data tell");
    for (int d = 0; d < o.n && d < MOST_OPERANDS; d++) o.arg[d] = r->sub[d];
    combine_all(&o, m);
}

bool value_may_be_written(Side *s, const FlowAccess *r) {
    for (int i = 0; i < s->tree->leaves.n; i++)
        if (flow_same_memory(r, &s->tree->leaves.at[i]->access[0])) return true;
    return false;
}

// Loops of the host's around launches: does r find what the statement sets in which `open` stands, in an
// earlier round?
static bool goes_round(const Side *s, const FlowAccess *r, const FlowAccess *open) {
    if (!s->proof->rounds || r->leaf == open->leaf) return false;
    for (int i = 0; i < r->bases.n; i++)
        if (r->bases.at[i].to->leaf == open->leaf) return true;
    return false;
}

// As often as a read may lead back to itself. In a loop of any number of rounds it does so without an end.
static int most_again(const FlowAccess *r) {
    int most = MOST_AGAIN, depth = r->leaf->node ? r->leaf->ev->depth : 0; // none: the end
    for (int i = 0; i < depth; i++) {
        const Node *l = r->leaf->ev->loops[i];
        bool counts = l->kind == N_FOR && !is_parallel(l);
        if (counts && (l->lo->kind != E_INT || l->hi->kind != E_INT)) most = MOST_ROUNDS_BACK;
    }
    return most;
}

static void follow_read(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out);

// What r finds at the counters `at`, and at more of them where others would have to exist.
static Found found_at(Side *s, FlowAccess *r, Type t, isl_set *at) {
    Prover *p = s->proof;
    const isl_set *all = r->leaf->ev->domain;
    at = isl_set_intersect(isl_set_remove_unknown_divs(at), isl_set_copy((isl_set *)all));
    Found f = {.r = r, .t = t, .at = own_set(s->a, isl_set_coalesce(at))};
    follow_read(s, r, isl_set_identity(isl_set_copy(f.at)), t, &f.pieces);
    f.not = p->unknown != NULL;
    if (f.not && !p->endless && !s->tree->flow->unknown) p->unknown = NULL;
    return f;
}

static int found_before(const Side *s, const FlowAccess *r, Type t) {
    int k = s->found.n - 1;
    while (k >= 0 && (s->found.at[k].r != r || s->found.at[k].t != t)) k--;
    return k;
}

// A read is followed once, at its own counters, however many points ask for it. False: it is not.
static bool value_again(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out) {
    isl_set *asked = isl_map_range(isl_map_copy(m));
    int k = found_before(s, r, t);
    bool known = k >= 0 && isl_set_is_subset(asked, s->found.at[k].at) == isl_bool_true;
    if (k >= 0 && !known) asked = isl_set_union(asked, isl_set_copy(s->found.at[k].at));
    Found f = known ? s->found.at[k] : found_at(s, r, t, asked);
    if (known) isl_set_free(asked);
    if (!known) vec_push(s->a, &s->found, f);
    for (int i = 0; i < f.pieces.n && !f.not; i++) {
        isl_map *to = isl_map_intersect_range(isl_map_copy(m), isl_set_copy(f.pieces.at[i].at));
        to = own_map(s->a, isl_map_coalesce(to));
        isl_set *from = isl_map_domain(isl_map_copy(to));
        if (isl_set_is_empty(from) == isl_bool_true) isl_set_free(from);
        else add(s, out, from, value_pulled(s->a, f.pieces.at[i].v, to));
    }
    if (!f.not) isl_map_free(m);
    return !f.not;
}

static bool is_open(const Side *s, const FlowAccess *r) {
    for (int i = 0; i < s->open.n; i++)
        if (s->open.at[i] == r) return true;
    return false;
}

void value_of_read(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out) {
    bool end = !r->leaf->node, again = !s->proof->states && !s->proof->certificate;
    if (!value_may_be_written(s, r)) value_untouched(s, r, m, t, out);
    else if (end || !again || is_open(s, r) || !value_again(s, r, m, t, out)) follow_read(s, r, m, t, out);
}

static void follow_read(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out) {
    Prover *p = s->proof;
    flow_compute(s->tree, r);
    if (s->tree->flow->unknown) prove_unknown(p, s->tree->flow->unknown);
    if (p->unknown) {
        isl_map_free(m);
        return;
    }
    int again = 0;
    for (int i = 0; i < s->open.n; i++) again += s->open.at[i] == r || goes_round(s, r, s->open.at[i]);
    if (again > most_again(r)) p->endless = true, prove_unknown(p, "a recurrence that is no sum");
    if (again && p->states) {
        isl_map *at = own_map(s->a, isl_map_coalesce(isl_map_copy(m)));
        one_value(s, m, (Value){.kind = VALUE_STATE, .type = t, .array = r->array, .read = r, .map = at},
                  out);
        return;
    }
    vec_push(s->a, &s->open, r);
    // where something is added up
    isl_set *sums = isl_set_empty(isl_space_domain(isl_map_get_space(m)));
    for (int i = 0; i < r->updates.n; i++)
        sums = isl_set_union(
            sums, isl_map_domain(isl_map_apply_range(isl_map_copy(m), isl_map_copy(r->updates.at[i].map))));
    sums = isl_set_coalesce(sums);
    if (r->updates.n && isl_set_is_empty(sums) == isl_bool_false) {
        Value v = {.kind = VALUE_SUM, .type = t, .op = r->updates.at[0].to->update, .from = {s, r->leaf,
                NULL, r}};
        v.from.m = own_map(s->a, within(m, sums));
        v.kept = sum_of_read(s, v.op, sum_has_order(v.op, t), r, within(m, sums), &v.parts);
        add(s, out, isl_set_copy(sums), value_new(s, v));
    }
    m = isl_map_subtract_domain(m, sums);
    for (int i = 0; i < r->bases.n && !p->unknown; i++) {
        FlowLeaf *l = r->bases.at[i].to->leaf;
        value_of_expr(s, l, l->node->src,
                      isl_map_apply_range(isl_map_copy(m), isl_map_copy(r->bases.at[i].map)), out);
    }
    s->open.n--;
    value_untouched(s, r, isl_map_intersect_range(m, isl_set_copy(r->rest)), t, out);
}

void value_of_step(Side *s, FlowAccess *r, isl_map *m, Type t, Pieces *out) {
    int n = s->open.n;
    const FlowAccess **around = s->open.at;
    s->open.n = s->open.cap = 0, s->open.at = NULL;
    value_of_read(s, r, m, t, out);
    s->open.at = around, s->open.n = s->open.cap = n;
}
