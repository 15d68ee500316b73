// SPDX-License-Identifier: MIT
// certificate.c -- both programs and the facts of the proof as text, for sculpt-certify (src/certify).
//
// Programs are printed as the proof sees them. Facts are where the value of each load comes from, what sums
// add, and the first and last rows that the loops touch. What is a relation to isl is, wherever it is one,
// told as a function: its images are quotients. So nothing but conjunctions without quantifiers is to be
// shown.
#include "equal/certificate.h"
#include <isl/aff.h>
#include <isl/space.h>

Certificate *certificate_new(Prover *p) {
    Certificate *k = NEW(p->a, Certificate);
    *k = (Certificate){.p = p, .a = p->a, .t = text_new(p->a), .sums = text_new(p->a)};
    return k;
}

void certificate_end(Prover *p, Side *s, FlowLeaf *end) {
    Certificate *k = p->certificate;
    vec_push(k->a, &k->ends, ((End){s, end}));
}

// ---- numbers ----------------------------------------------------------------------------------------
static int array_number(Certificate *k, const Array *v) {
    for (int i = 0; i < k->arrays.n; i++) {
        if (k->arrays.at[i] == v) return i;
        if (arrays_may_overlap(k->arrays.at[i], v)) certificate_lacks(k, "arrays that share memory");
    }
    vec_push(k->a, &k->arrays, v);
    return k->arrays.n - 1;
}

static int leaf_number(Certificate *k, const Side *s, const FlowLeaf *l) {
    for (int i = 0; i < s->tree->leaves.n; i++)
        if (s->tree->leaves.at[i] == l) return i;
    return s->tree->leaves.n + array_number(k, l->access[0].array);
}

static bool is_again(const FlowLeaf *l, int i) {
    for (int k = 1; k < i; k++)
        if (l->access[k].array == l->access[i].array && l->access[k].sub == l->access[i].sub) return true;
    return false;
}

// Loads of a leaf are numbered from 1; one that stands in several places of an expression is one. 0: none.
static int number_of_load(const FlowLeaf *l, const Array *array, Expr *const *sub) {
    int n = 0;
    for (int i = 1; i < l->naccesses; i++) {
        n += !is_again(l, i);
        if (l->access[i].array == array && l->access[i].sub == sub) return n;
    }
    return 0;
}

static int load_number(const FlowAccess *r) {
    return r->leaf->node ? number_of_load(r->leaf, r->array, r->sub) : 1; // of the end
}

static int seen(Certificate *k, const Expr *x) {
    for (int i = 0; i < k->seen.n; i++)
        if (k->seen.at[i] == x) return i;
    vec_push(k->a, &k->seen, x);
    return k->seen.n - 1;
}

// ---- programs ---------------------------------------------------------------------------------------
static const char *name_of(Certificate *k, const Sym *s) {
    if (s->kind == SYM_PARAM) return s->name;
    for (int i = 0; i < k->counters.n; i++)
        if (k->counters.at[i].sym == s) return k->counters.at[i].name;
    const char *name = arena_printf(k->a, "%s.%d", s->name, k->counters.n);
    vec_push(k->a, &k->counters, ((Named){s, name}));
    return name;
}

static void put_expr(Certificate *k, Text *t, const Expr *x) {
    int id = seen(k, x);
    const char *type = type_name(x->type);
    switch (x->kind) {
    case E_INT: text_printf(t, "(int %d %s %lld", id, type, (long long)x->i); break;
    case E_FLOAT: text_printf(t, "(float %d %s %a", id, type, x->f); break;
    case E_SYM: text_printf(t, "(name %d %s %s", id, type, name_of(k, x->sym)); break;
    case E_OP: text_printf(t, "(op %d %s %s", id, type, op_text(x->op)); break;
    case E_CAST: text_printf(t, "(cast %d %s", id, type); break;
    case E_CALL: text_printf(t, "(call %d %s %s", id, type, x->fn); break;
    case E_LOAD: {
        int number = k->leaf ? number_of_load(k->leaf, x->array, x->args) : 0;
        if (x->type != x->array->elem) certificate_lacks(k, "a load of another type");
        text_printf(t, "(load %d %d %d", id, number, array_number(k, x->array));
    }
    }
    for (int i = 0; i < x->nargs; i++) {
        text_put(t, " ");
        put_expr(k, t, x->args[i]);
    }
    text_put(t, ")");
}

static void put_copy(Certificate *k, const FlowTree *tree, const Node *n, int deep) {
    Text *t = &k->t;
    k->leaf = tree->leaves.at[k->line++];
    k->seen.n = 0;
    text_printf(t, "\n%*s", deep, "");
    if (n->dst == k->p->p->barrier) {
        text_printf(t, "(barrier %d %d)", n->loc.line, n->src->i == BARRIER_WARP);
        return;
    }
    text_printf(t, "(copy %d %d (", n->loc.line, array_number(k, n->dst));
    seen(k, NULL);
    Text sub = text_new(k->a);
    // the value is numbered first, as for facts about it
    Text src = text_new(k->a);
    put_expr(k, &src, n->src);
    for (int d = 0; d < n->dst->rank; d++) {
        if (d) text_put(&sub, " ");
        put_expr(k, &sub, n->sub[d]);
    }
    text_printf(t, "%s) %s %d %s)", text_str(&sub), op_text(n->op), n->atomic, text_str(&src));
}

static void put_tree(Certificate *k, const FlowTree *tree, const Node *n, int deep) {
    Text *t = &k->t;
    static const char *const hows[] = {[HOW_SERIAL] = "serial",
                                       [HOW_UNROLL] = "serial",
                                       [HOW_BLOCK] = "block",
                                       [HOW_THREAD] = "thread",
                                       [HOW_COUNT] = NULL};
    if (n && n->kind == N_COPY) {
        put_copy(k, tree, n, deep);
        return;
    }
    text_printf(t, "\n%*s(", deep, "");
    k->leaf = NULL;
    if (!n) text_put(t, "seq ()");
    else if (n->kind == N_SEQ) {
        text_put(t, "seq (");
        bool first = true;
        for (int i = 0; i < n->nlocals; i++) {
            if (n->locals[i] == k->p->p->barrier) continue;
            text_printf(t, "%s%d", first ? "" : " ", array_number(k, n->locals[i]));
            first = false;
        }
        text_put(t, ")");
        for (int i = 0; i < n->nkids; i++) put_tree(k, tree, n->kids[i], deep + 1);
    } else if (n->kind == N_FOR) {
        if (!hows[n->how]) certificate_lacks(k, "a loop over lanes");
        text_printf(t, "for %s %s %lld ", name_of(k, n->iter), hows[n->how] ? hows[n->how] : "?",
                    (long long)n->step);
        put_expr(k, t, n->lo);
        text_put(t, " ");
        put_expr(k, t, n->hi);
        put_tree(k, tree, n->body, deep + 1);
    } else if (n->kind == N_IF) {
        text_put(t, "if ");
        put_expr(k, t, n->cond);
        put_tree(k, tree, n->then, deep + 1);
        if (n->other) put_tree(k, tree, n->other, deep + 1);
    } else if (n->kind == N_KERNEL) {
        text_put(t, "kernel");
        put_tree(k, tree, n->body, deep + 1);
    } else certificate_lacks(k, "a step that is no copy");
    text_put(t, ")");
}

static void put_program(Certificate *k, const Side *s, const char *name) {
    k->line = 0;
    text_printf(&k->t, "(program %s", name);
    put_tree(k, s->tree, s->tree->root, 1);
    text_put(&k->t, ")\n");
    for (int i = 0; i < s->tree->leaves.n; i++) {
        const FlowLeaf *l = s->tree->leaves.at[i];
        if (l->ev->nterms || !l->ev->exact) certificate_lacks(k, "loops or conditions that data decide");
        for (int j = 0; j < l->naccesses; j++)
            if (l->access[j].decl == NULL && l->access[j].array->place != PLACE_USER)
                certificate_lacks(k, "memory that nobody declares");
    }
}

static const char *place_name(const Array *v) {
    static const char *const names[] = {[PLACE_USER] = "user", [PLACE_LOCAL] = "local", [PLACE_TEMP] = "temp",
                                        [PLACE_SHARED] = "shared", [PLACE_REGISTER] = "register"};
    return names[v->place];
}

static void put_arrays(Certificate *k, Text *t) {
    text_put(t, "(arrays");
    for (int i = 0; i < k->arrays.n; i++) {
        const Array *v = k->arrays.at[i];
        text_printf(t, "\n (%s %s %s %d %d", v->name[0] == '@' ? v->name + 1 : v->name, type_name(v->elem),
                    place_name(v), v->lanes, v->constant_size);
        for (int d = 0; d < v->rank; d++) {
            text_put(t, " ");
            if (v->extent && v->extent[d]) put_expr(k, t, v->extent[d]);
            else text_put(t, "?");
        }
        text_put(t, ")");
    }
    text_put(t, ")\n");
}

// ---- loads ------------------------------------------------------------------------------------------
static void put_flow(Certificate *k, const Side *s, FlowAccess *r) {
    Text *t = &k->t;
    if (!r->known || !r->exact || !value_may_be_written((Side *)s, r)) return;
    text_printf(t, "(flow %s %d %d", s == &k->p->loops ? "loops" : "kernel", leaf_number(k, s, r->leaf),
                load_number(r));
    isl_set *summed = isl_set_empty(isl_set_get_space(r->rest));
    for (int i = 0; i < r->bases.n; i++) {
        const FlowEdge *e = &r->bases.at[i];
        if (isl_map_is_empty(e->map) == isl_bool_true) continue;
        text_printf(t, "\n (base %d", leaf_number(k, s, e->to->leaf));
        certificate_map(k, t, isl_map_copy(e->map));
        text_put(t, ")");
    }
    for (int i = 0; i < r->updates.n; i++) {
        const FlowEdge *e = &r->updates.at[i];
        text_printf(t, "\n (update %d", leaf_number(k, s, e->to->leaf));
        certificate_set(k, t, certificate_pairs(e->map));
        text_put(t, ")");
        summed = isl_set_union(summed, isl_map_domain(isl_map_copy(e->map)));
    }
    text_put(t, "\n (summed");
    certificate_set(k, t, summed);
    text_put(t, "))\n");
}

// ---- sums -------------------------------------------------------------------------------------------
typedef struct Writing {
    Certificate *k;
    const Side *s;
    const Parts *parts;
    isl_set *at; // the points
    Reach *node;
    int nnodes, *number; // of each reach its node
} Writing;

static isl_map *points_and(const isl_map *m) { // [points] → [points, m's]
    isl_space *s = isl_space_map_from_set(isl_space_domain(isl_map_get_space((isl_map *)m)));
    return isl_map_flat_range_product(isl_map_identity(s), isl_map_copy((isl_map *)m));
}

static void join_nodes(Writing *w) {
    int n = w->parts->reached.n;
    w->node = NEW_N(w->k->a, Reach, n + 1);
    w->number = NEW_N(w->k->a, int, n + 1);
    for (int i = 0; i < n; i++) {
        const Reach *r = &w->parts->reached.at[i];
        int to = 0;
        for (; to < w->nnodes; to++) {
            const Reach *o = &w->node[to];
            if (o->leaf == r->leaf && o->x == r->x && o->read == r->read && o->rest == r->rest &&
                o->minus == r->minus)
                break;
        }
        w->number[i] = to;
        isl_map *all = isl_map_intersect_domain(isl_map_copy(r->all), isl_set_copy(w->at));
        if (to == w->nnodes) w->node[w->nnodes++] = *r;
        else all = isl_map_union(all, isl_map_copy(w->node[to].all));
        w->node[to].all = own_map(w->k->a, isl_map_coalesce(all));
    }
}

// Where an expression of a leaf stands in it, as its text has it.
static int number_in(Certificate *k, const FlowLeaf *l, const Expr *x) {
    Text none = text_new(k->a);
    k->leaf = l;
    k->seen.n = 0;
    seen(k, NULL);
    put_expr(k, &none, l->node->src);
    for (int i = 0; i < k->seen.n; i++)
        if (k->seen.at[i] == x) return i;
    certificate_lacks(k, "an expression that stands nowhere");
    return -1;
}

static void put_place(Writing *w, Text *t, const FlowAccess *r, const FlowLeaf *l, const Expr *x) {
    if (r) text_printf(t, "%d %d", leaf_number(w->k, w->s, r->leaf), load_number(r));
    else text_printf(t, "%d %d", leaf_number(w->k, w->s, l), number_in(w->k, l, x));
}

static void put_edges(Writing *w, Text *t, int node, const FlowEdges *e) {
    for (int i = 0; i < e->n; i++) {
        isl_map *m = isl_map_apply_range(isl_map_copy(w->node[node].all), isl_map_copy(e->at[i].map));
        bool none = isl_map_is_empty(m) == isl_bool_true;
        isl_map_free(m);
        if (none) continue;
        // [points, reader] → [points, writer], back
        isl_space *s = isl_space_map_from_set(isl_space_domain(isl_map_get_space(w->node[node].all)));
        int points = (int)isl_space_dim(s, isl_dim_in);
        m = isl_map_flat_product(isl_map_identity(s), isl_map_copy(e->at[i].map));
        m = isl_map_reverse(isl_map_intersect_domain(m, certificate_pairs(w->node[node].all)));
        m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)points);
        text_printf(t, "\n  (from %d %d", node, leaf_number(w->k, w->s, e->at[i].to->leaf));
        certificate_map(w->k, t, m);
        text_put(t, ")");
    }
}

static isl_map *alone(const Writing *w, const Part *p) {
    return p->leaf ? NULL : points_and(w->node[w->number[p->reach]].all);
}

static void put_half(Writing *w, Text *t, const Value *v) {
    Certificate *k = w->k;
    const Origin *f = &v->from;
    if (!f->m) {
        certificate_lacks(k, "a value that stands nowhere");
        return;
    }
    bool untouched = v->kind == VALUE_INPUT || v->kind == VALUE_GATHER;
    join_nodes(w);
    text_printf(t, "\n (side (root %s ", !f->read ? "expr" : untouched ? "untouched" : "load");
    put_place(w, t, f->read, f->leaf, f->x);
    isl_map *there = isl_map_intersect_domain(isl_map_copy(f->m), isl_set_copy(w->at));
    certificate_set(k, t, certificate_pairs(there));
    text_put(t, ")");
    for (int i = 0; i < w->nnodes; i++) {
        const Reach *r = &w->node[i];
        text_printf(t, "\n  (node %s ", !r->read ? "term" : r->rest ? "rest" : "way");
        put_place(w, t, r->read, r->leaf, r->x);
        text_printf(t, " %d", r->minus ? -1 : 1);
        certificate_set(k, t, certificate_pairs(r->all));
        text_put(t, ")");
    }
    for (int i = 0; i < w->parts->n; i++)
        if (w->parts->at[i].reach >= w->parts->reached.n) certificate_lacks(k, "a part of nothing");
    for (int i = 0; i < w->nnodes; i++) {
        FlowAccess *r = w->node[i].rest ? NULL : w->node[i].read;
        if (!r) continue;
        put_edges(w, t, i, &r->bases);
        put_edges(w, t, i, &r->updates);
    }
    text_put(t, ")");
}

static void put_match(Certificate *k, const SumProof *s, Writing *w, int i, int j) {
    const isl_map *found = s->match[i * s->parts[1]->n + j];
    if (!found || isl_map_is_empty((isl_map *)found) == isl_bool_true) return;
    isl_map *wide[2] = {alone(&w[0], &s->parts[0]->at[i]), alone(&w[1], &s->parts[1]->at[j])};
    isl_set *at[2] = {isl_set_copy(s->part_at[0][i]), isl_set_copy(s->part_at[1][j])};
    isl_map *m = isl_map_copy((isl_map *)found);
    m = isl_map_intersect_domain(m, isl_set_copy(at[0]));
    m = isl_map_intersect_range(m, isl_set_copy(at[1]));
    if (wide[0]) m = isl_map_apply_domain(m, wide[0]);
    if (wide[1]) m = isl_map_apply_range(m, wide[1]);
    isl_set_free(at[0]);
    isl_set_free(at[1]);
    unsigned points = (unsigned)isl_set_dim(s->at, isl_dim_set);
    text_printf(&k->sums, "\n (match %d %d (to", w[0].number[s->parts[0]->at[i].reach],
                w[1].number[s->parts[1]->at[j].reach]);
    certificate_map(k, &k->sums, isl_map_project_out(isl_map_copy(m), isl_dim_out, 0, points));
    text_put(&k->sums, ") (from");
    certificate_map(k, &k->sums, isl_map_project_out(isl_map_reverse(m), isl_dim_out, 0, points));
    text_put(&k->sums, "))");
}

void certificate_sum(Prover *p, const SumProof *s) {
    Certificate *k = p->certificate;
    if (k->why || isl_set_is_empty(s->at) == isl_bool_true) return;
    Text *t = &k->sums;
    text_printf(t, "(sum %s %d", op_text(s->op), (int)isl_set_dim(s->at, isl_dim_set));
    Writing w[2] = {{k, &p->loops, s->parts[0], s->at}, {k, &p->kernel, s->parts[1], s->at}};
    isl_set **at[2];
    for (int h = 0; h < 2; h++) { // parts where the sums are equal
        at[h] = NEW_N(k->a, isl_set *, s->parts[h]->n + 1);
        for (int i = 0; i < s->parts[h]->n; i++) {
            unsigned more =
                (unsigned)(isl_set_dim(s->part_at[h][i], isl_dim_set) - isl_set_dim(s->at, isl_dim_set));
            isl_set *here = isl_set_add_dims(isl_set_copy(s->at), isl_dim_set, more);
            at[h][i] = own_set(k->a, isl_set_intersect(here, isl_set_copy(s->part_at[h][i])));
        }
        put_half(&w[h], t, h ? s->y : s->x);
    }
    SumProof here = *s;
    here.part_at[0] = at[0], here.part_at[1] = at[1];
    for (int i = 0; i < s->parts[0]->n && !k->why; i++)
        for (int j = 0; j < s->parts[1]->n && !k->why; j++) put_match(k, &here, w, i, j);
    text_put(t, ")\n");
}

// ---- pairs of loads ---------------------------------------------------------------------------------
void certificate_steps(Prover *p, FlowAccess *x, FlowAccess *y, const isl_map *pairs) {
    Certificate *k = p->certificate;
    text_printf(&k->sums, "(steps %d %d %d %d", leaf_number(k, &p->loops, x->leaf), load_number(x),
                leaf_number(k, &p->kernel, y->leaf), load_number(y));
    certificate_set(k, &k->sums, certificate_pairs(pairs));
    text_put(&k->sums, ")\n");
}

void certificate_place(Prover *p, FlowAccess *x, FlowAccess *y, isl_map *m) {
    Certificate *k = p->certificate;
    if (isl_map_is_empty(m) == isl_bool_true) {
        isl_map_free(m);
        return;
    }
    text_printf(&k->sums, "(place %d %d %d %d", leaf_number(k, &p->kernel, x->leaf), load_number(x),
                leaf_number(k, &p->loops, y->leaf), load_number(y));
    certificate_map(k, &k->sums, m);
    text_put(&k->sums, ")\n");
}

// ---- rows -------------------------------------------------------------------------------------------
static void put_rows_of(Certificate *k, const Touch *t, const FlowAccess *x, int leaf, int access) {
    isl_map *m = isl_map_copy(t->real ? t->real : t->map); // counters → subscripts
    unsigned rank = (unsigned)isl_map_dim(m, isl_dim_out);
    m = isl_map_reverse(isl_map_project_out(m, isl_dim_out, 1, rank - 1));
    isl_set *s = certificate_pairs(m);
    isl_map_free(m);
    s = isl_set_intersect_params(s, isl_set_copy(k->p->f->region.r->ctx));
    for (int last = 0; last < 2; last++) {
        isl_pw_multi_aff *f = last ? isl_set_lexmax_pw_multi_aff(isl_set_copy(s))
                                   : isl_set_lexmin_pw_multi_aff(isl_set_copy(s));
        text_printf(&k->t, "(rows %d %s %d %d", array_number(k, x->array), last ? "last" : "first", leaf,
                    access);
        certificate_function(k, &k->t, f ? isl_pw_multi_aff_drop_dims(f, isl_dim_out, 0, 1) : NULL);
        text_put(&k->t, ")\n");
    }
    isl_set_free(s);
}

static void put_all_rows(Certificate *k) {
    const FlowTree *tree = &k->p->f->region;
    for (int i = 0; i < tree->r->touches.n; i++) {
        const Touch *t = &tree->r->touches.at[i];
        if (t->array->place != PLACE_USER || !t->array->rank || !t->exact_map) continue;
        bool done = false;
        for (int l = 0; l < tree->leaves.n && !done; l++)
            for (int x = 0; x < tree->leaves.at[l]->naccesses && !done; x++) {
                const FlowAccess *a = &tree->leaves.at[l]->access[x];
                if (a->leaf->ev != t->ev || a->array != t->array || a->sub != t->sub) continue;
                put_rows_of(k, t, a, l, x ? load_number(a) : 0);
                done = true;
            }
    }
}

// ---- all --------------------------------------------------------------------------------------------
const char *certificate_text(Prover *p, const char **why) {
    Certificate *k = p->certificate;
    const Poly *poly = p->f->poly;
    Text head = text_new(k->a);
    put_program(k, &p->loops, "loops");
    put_program(k, &p->kernel, "kernel");
    text_put(&k->t, "(sizes");
    certificate_set(k, &k->t, isl_set_copy(p->f->region.r->ctx));
    text_put(&k->t, ")\n");
    put_all_rows(k);
    for (int h = 0; h < 2; h++) {
        const Side *s = h ? &p->kernel : &p->loops;
        for (int i = 0; i < s->tree->leaves.n; i++)
            for (int x = 1; x < s->tree->leaves.at[i]->naccesses; x++) {
                FlowAccess *r = &s->tree->leaves.at[i]->access[x];
                if (!is_again(r->leaf, x)) put_flow(k, s, r);
            }
        for (int i = 0; i < k->ends.n; i++)
            if (k->ends.at[i].s == s) put_flow(k, s, &k->ends.at[i].leaf->access[0]);
    }
    text_put(&head, "(certificate 2\n(parameters");
    k->leaf = NULL;
    for (int i = 0; i < poly->params.n; i++) {
        text_put(&head, " ");
        put_expr(k, &head, poly->params.at[i]);
    }
    text_put(&head, ")\n");
    put_arrays(k, &head);
    if (poly_gave_up(p->f->poly)) certificate_lacks(k, "more work than the budget has");
    *why = k->why ? arena_printf(k->a, "no certificate: %s", k->why) : NULL;
    if (k->why) return NULL;
    text_put(&head, text_str(&k->t));
    text_put(&head, text_str(&k->sums));
    text_put(&head, ")\n");
    return text_str(&head);
}
