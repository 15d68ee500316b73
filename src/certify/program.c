// SPDX-License-Identifier: MIT
// program.c -- the two programs: loops, conditions, copies; what runs when and touches what.
#include "certify/certify.h"
#include <limits.h>
#include <string.h>

Program programs[2];
int narrays;
Array *arrays;
Conj context;

// ---- expressions ------------------------------------------------------------------------------------
typedef struct Reading { // what is around
    Program *p;
    const Loop *loop[DEEPEST];
    int depth, kernel, kernels, outer;
    bool guarded;
    Set domain;
} Reading;

static Array *array_of(const Item *x, int k) { return &arrays[item_index(x, k, narrays)]; }

static bool has_operands(const Ex *e) {
    int n = e->nargs;
    if (e->kind == EX_LOAD) return n == e->array->rank;
    if (e->kind != EX_OP) return e->kind == EX_CALL || n == (e->kind == EX_CAST);
    return is(e->word, "?:") ? n == 3 : n == 2 - among(e->word, "~ !") || (n == 1 && is(e->word, "-"));
}

// (int ID TYPE N) (float ID TYPE X) (name ID TYPE S) (load ID NUMBER ARRAY SUB…) (op ID TYPE OP X…)
// (cast ID TYPE X) (call ID TYPE F X…)
static Ex *expression(const Reading *r, const Item *x) {
    static const char *const kinds[] = {"int", "float", "name", "load", "op", "cast", "call"};
    Ex *e = take(sizeof *e);
    while (e->kind <= EX_CALL && !item_is(x, kinds[e->kind])) e->kind++;
    if (e->kind > EX_CALL) malformed(x);
    e->id = (int)item_int(x, 1);
    e->type = item_word(x, 2);
    e->var = -1;
    int from = e->kind == EX_CAST ? 3 : 4;
    if (e->kind == EX_INT) e->i = item_int(x, 3);
    else if (e->kind == EX_LOAD) {
        e->array = array_of(x, 3), e->type = e->array->type;
        e->access = (int)item_int(x, 2);
    } else if (e->kind != EX_CAST) e->word = item_word(x, 3);
    for (int i = 0; e->kind == EX_SYM && i < r->depth; i++)
        if (is(r->loop[i]->name, e->word)) e->var = i;
    e->arg = take((size_t)x->n * sizeof *e->arg);
    for (int i = from; i < x->n; i++) e->arg[e->nargs++] = expression(r, item_list(x, i));
    if (!has_operands(e)) malformed(x);
    if (e->kind == EX_OP && among(e->word, "> >=")) { // as < and <=
        Ex *first = e->arg[0];
        e->arg[0] = e->arg[1], e->arg[1] = first;
        e->word = e->word[1] ? "<=" : "<";
    }
    return e;
}

bool same_expression(const Ex *x, const Ex *y) {
    if (x->kind != y->kind || x->nargs != y->nargs || !is(x->type, y->type) || x->array != y->array ||
        x->i != y->i || x->var != y->var || !x->word != !y->word || (x->word && !is(x->word, y->word)))
        return false;
    for (int i = 0; i < x->nargs; i++)
        if (!same_expression(x->arg[i], y->arg[i])) return false;
    return true;
}

// (NAME TYPE PLACE LANES SIZED EXTENT…)
void read_arrays(const Item *x) {
    Reading nothing = {0};
    arrays = take((size_t)x->n * sizeof *arrays);
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        Array *a = &arrays[narrays];
        *a = (Array){item_word(y, 0), item_word(y, 1), item_word(y, 2), .number = narrays++};
        a->lanes = item_int(y, 3), a->sized = item_int(y, 4);
        a->user = a->here = is(a->place, "user");
        a->rank = y->n - 5;
        a->extent = take((size_t)y->n * sizeof *a->extent);
        for (int d = 0; d < a->rank; d++)
            if (!y->at[5 + d]->word) a->extent[d] = expression(&nothing, y->at[5 + d]);
    }
}

static int nparameters;
static Linear parameter[ATOMS];
void read_parameters(const Item *x) {
    Reading nothing = {0};
    for (int i = 1; i < x->n; i++) {
        Set v = affine(expression(&nothing, item_list(x, i)), 0, set_of((Conj){.n = ATOMS}));
        if (nparameters == ATOMS || v.bad || v.n != 1 || v.at[0].last) malformed(x);
        parameter[nparameters++] = v.at[0].v;
    }
}

// ---- trees ------------------------------------------------------------------------------------------
static Set narrowed(Set around, const Ex *cond, bool want) { // bad: data decide
    Set all = set_of((Conj){.n = ATOMS + DEEPEST});
    return set_put(all, holds(cond, ATOMS, want, around), span(ATOMS, DEEPEST));
}

// The way on to operand k.
static Way way_on(Way w, const Ex *x, int k) {
    if (!k || x->kind != EX_OP || !among(x->word, "?: && ||")) return w;
    Asked a = {w.asked, x->arg[0], is(x->word, "?:") ? k == 1 : is(x->word, "&&")};
    Set where = narrowed(w.where, a.cond, a.want);
    if (where.bad) w.asked = memcpy(take(sizeof a), &a, sizeof a);
    else w.where = where;
    return w;
}

static void find_accesses(Leaf *l, const Ex *x, Way way) {
    if (x->kind == EX_LOAD) {
        if (x->access < 1 || x->access > 1000) refuse("a load's number");
        while (l->naccesses <= x->access) *MORE(l->access, l->naccesses) = (Access){.leaf = l};
        Access *a = &l->access[x->access];
        if (a->load && !same_expression(a->load, x)) refuse("two loads of one number");
        if (!x->array->here) refuse("%s is not declared where line %d reads it", x->array->name, l->line);
        *a = (Access){l, x->array, x->arg, x, a->nways, .way = a->way};
        *MORE(a->way, a->nways) = way;
    }
    for (int i = 0; i < x->nargs; i++) find_accesses(l, x->arg[i], way_on(way, x, i));
}

static Leaf *add_leaf(Program *p, int depth) {
    Leaf *l = take(sizeof *l);
    *l = (Leaf){p, p->nleaves, p->nleaves, depth, .op = "="};
    return *MORE(p->leaf, p->nleaves) = l;
}

static Leaf *leaf_here(Reading *r, const Item *x) {
    Leaf *l = add_leaf(r->p, r->depth);
    l->line = (int)item_int(x, 1), l->kernel = r->kernel, l->outer = r->outer;
    l->guarded = r->guarded, l->domain = r->domain;
    l->loop = memcpy(take(sizeof r->loop), r->loop, sizeof r->loop);
    return l;
}

// (barrier LINE WARP)
static void read_barrier(Reading *r, const Item *x) {
    Leaf *l = leaf_here(r, x);
    l->barrier = true, l->warp = item_int(x, 2);
    for (int i = 0; i < r->depth; i++)
        if (is(r->loop[i]->how, "thread")) refuse("line %d: a barrier that not all threads reach", x->line);
}

// (copy LINE ARRAY (SUB…) OP ATOMIC VALUE)
static void read_copy(Reading *r, const Item *x) {
    Leaf *l = leaf_here(r, x);
    const Item *sub = item_list(x, 3);
    const Array *a = array_of(x, 2);
    Ex **e = take((size_t)(sub->n + 1) * sizeof *e);
    for (int i = 0; i < sub->n; i++) e[i] = expression(r, item_list(sub, i));
    l->op = item_word(x, 4), l->atomic = item_int(x, 5);
    l->src = expression(r, item_list(x, 6));
    Way whole = {r->domain};
    Access *to = MORE(l->access, l->naccesses);
    *to = (Access){.leaf = l, .array = a, .sub = e};
    *MORE(to->way, to->nways) = whole;
    if (sub->n != a->rank || !is(l->src->type, a->type) || !a->here) malformed(x);
    find_accesses(l, l->src, whole);
    for (int i = 0; i < sub->n; i++) find_accesses(l, e[i], whole);
    for (int k = 0; k < l->naccesses; k++)
        if (!l->access[k].array) malformed(x);
}

static void tree(Reading *r, const Item *x);

static Set in_loop(const Loop *l, int var, Set around) {
    Set ends = affine_both(l->lo, ATOMS, l->hi, ATOMS, around), out = {0};
    if (ends.bad) refuse("%s: not affine", l->name);
    for (int i = 0; i < ends.n; i++) {
        int q, way = l->step > 0 ? 1 : -1;
        Conj j = ends.at[i];
        Linear nothing = linear_int(0), at = linear_var(var);
        Linear far = linear_add(linear_add(nothing, way, at), -way, j.v);
        Linear left = linear_add(linear_add(nothing, way, j.w), -way, at);
        j = conj_less(conj_less(j, nothing, far, 0), nothing, left, 1);
        if (l->step != way) {
            j = conj_quotient(j, far, l->step * way, &q);
            j = conj_same(j, far, linear_add(nothing, l->step * way, linear_var(q)));
        }
        set_add(&out, j);
    }
    return set_put(set_of((Conj){.n = ATOMS + DEEPEST}), out, span(ATOMS, DEEPEST));
}

// (for NAME HOW STEP LO HI BODY)
static void read_loop(Reading *r, const Item *x) {
    Loop *l = take(sizeof *l);
    *l = (Loop){item_word(x, 1), item_word(x, 2), .step = item_int(x, 3)};
    l->lo = expression(r, item_list(x, 4)), l->hi = expression(r, item_list(x, 5));
    bool again = r->depth == DEEPEST;
    for (int i = 0; i < r->depth; i++) again |= is(r->loop[i]->name, l->name);
    if (again || !l->step || l->step == INT64_MIN || !among(l->how, "serial block thread")) malformed(x);
    r->domain = in_loop(l, ATOMS + r->depth, r->domain);
    r->loop[r->depth++] = l;
    tree(r, item_list(x, 6));
}

// (if COND THEN [ELSE])
static void read_if(Reading *r, const Item *x) {
    const Ex *cond = expression(r, item_list(x, 1));
    Set around = r->domain;
    r->guarded = true;
    for (int k = 0; k < 2 && k + 2 < x->n; k++) {
        r->domain = narrowed(around, cond, !k);
        if (r->domain.bad) refuse("line %d: not affine", x->line);
        tree(r, item_list(x, 2 + k));
    }
}

// (seq (ARRAY…) PART…), arrays that are declared there; (kernel BODY)
static void tree(Reading *r, const Item *x) {
    Reading here = *r;
    if (item_is(x, "seq")) {
        const Item *locals = item_list(x, 1);
        for (int i = 0; i < locals->n; i++) {
            Array *a = array_of(locals, i);
            if (a->declared || a->user) malformed(x);
            a->declared = a->here = true;
            a->scope = r->depth;
        }
        for (int i = 2; i < x->n; i++) tree(r, x->at[i]);
        for (int i = 0; i < locals->n; i++) array_of(locals, i)->here = false;
    } else if (item_is(x, "for")) read_loop(r, x);
    else if (item_is(x, "kernel")) {
        bool parallel = r->kernel;
        for (int i = 0; i < r->depth; i++) parallel |= !is(r->loop[i]->how, "serial");
        if (parallel) malformed(x);
        r->kernel = ++r->kernels, r->outer = r->depth;
        tree(r, item_list(x, 1));
    } else if (item_is(x, "if")) read_if(r, x);
    else if (item_is(x, "copy")) read_copy(r, x);
    else if (item_is(x, "barrier")) read_barrier(r, x);
    else malformed(x);
    here.kernels = r->kernels;
    *r = here;
}

void read_program(const Item *x, Program *p) {
    Reading r = {.p = p, .domain = set_of((Conj){.n = ATOMS + DEEPEST})};
    p->name = item_word(x, 1);
    tree(&r, item_list(x, 2));
    int n = p->nleaves;
    for (int i = 0; i < narrays; i++) { // what reads it at the end
        Leaf *l = add_leaf(p, arrays[i].rank);
        Ex *e = take(sizeof *e);
        *e = (Ex){EX_LOAD, arrays[i].type, .array = &arrays[i], .nargs = arrays[i].rank, .access = 1};
        e->arg = take((size_t)(e->nargs + 1) * sizeof *e->arg);
        for (int d = 0; d < e->nargs; d++) {
            Ex element = {EX_SYM, "i64", "element", .var = d};
            e->arg[d] = memcpy(take(sizeof element), &element, sizeof element);
        }
        l->src = e, l->naccesses = 2, l->order = INT_MAX;
        l->access = take(2 * sizeof *l->access);
        l->access[1] = (Access){l, &arrays[i], e->arg, e, 0};
        l->domain = set_of((Conj){.n = ATOMS + l->depth});
    }
    p->nleaves = n;
}

Leaf *program_end(Program *p, const Array *a) { return p->leaf[p->nleaves + a->number]; }

// ---- for facts --------------------------------------------------------------------------------------
Program *program_of(const Item *x, int k) { return &programs[!is(item_word(x, k), programs[0].name)]; }

Leaf *leaf_of(const Item *x, int k, Program *p) {
    Leaf *l = p->leaf[item_index(x, k, p->nleaves + narrays)];
    if (l->barrier) malformed(x);
    return l;
}

Access *load_of(const Item *x, int k, Leaf *l) {
    int n = item_index(x, k, l->naccesses);
    if (!n) malformed(x);
    return &l->access[n];
}

bool written(const Program *p, const Array *a) {
    for (int i = 0; i < p->nleaves; i++)
        if (!p->leaf[i]->barrier && p->leaf[i]->access[0].array == a) return true;
    return false;
}

int common_loops(const Leaf *x, const Leaf *y) {
    int n = 0;
    if (x->loop && y->loop)
        while (n < x->depth && n < y->depth && x->loop[n] == y->loop[n]) n++;
    return n;
}

Conj with_counters(Conj j, const Leaf *l, int *c) {
    *c = j.n;
    j.n += l->depth;
    return j;
}

Set in_domain(Set s, const Leaf *l, int c) { return set_put(s, l->domain, span(c, l->depth)); }

Set same_word(Set s, const Access *x, int cx, const Access *y, int cy) {
    Set out = {.bad = s.bad};
    for (int i = 0; i < s.n && x->array == y->array; i++)
        set_add(&out, conj_same_vars(s.at[i], cx, cy, x->array->scope));
    for (int d = 0; d < x->array->rank && out.n; d++) {
        out = affine_both(x->sub[d], cx, y->sub[d], cy, out);
        for (int i = 0; i < out.n; i++) out.at[i] = conj_same(out.at[i], out.at[i].v, out.at[i].w);
    }
    return out;
}

// As serial loops and the text order them; blocks and threads order nothing.
Set before(Set s, const Leaf *x, int cx, const Leaf *y, int cy) {
    int n = common_loops(x, y);
    Set out = {.bad = s.bad};
    for (int k = 0; k < s.n; k++) {
        Conj j = s.at[k];
        for (int i = 0; i < n; i++) {
            Linear a = linear_var(cx + i), b = linear_var(cy + i);
            if (is(x->loop[i]->how, "serial"))
                set_add(&out, x->loop[i]->step > 0 ? conj_less(j, a, b, 1) : conj_less(j, b, a, 1));
            j = conj_same(j, a, b);
        }
        if (x->order < y->order) set_add(&out, j);
    }
    return out;
}

// ---- sets of facts ----------------------------------------------------------------------------------
// Rows have coefficients of the number, the parameters, the dimensions, and the quotients so far; a quotient
// and an image, which is one, too, are told by their divisor first.
static Conj read_piece(const Item *x, int at, int dims, int images) {
    Linear base[512];
    int n = 0, image = 0;
    Conj j = {.n = at + dims + images};
    if (!item_is(x, "piece") || dims + images + x->n > 400) malformed(x);
    base[n++] = linear_int(1);
    for (int i = 0; i < nparameters; i++) base[n++] = parameter[i];
    for (int i = 0; i < dims; i++) base[n++] = linear_var(at + i);
    for (int i = 1; i < x->n; i++) {
        const Item *y = item_list(x, i);
        bool equal = item_is(y, "eq"), row = equal || item_is(y, "ge"), is_image = item_is(y, "is");
        int from = row ? 1 : 2, q;
        Linear l = linear_int(0);
        for (int k = from; k < y->n; k++) {
            if (!item_int(y, k)) continue;
            if (k - from >= n) malformed(y);
            l = linear_add(l, item_int(y, k), base[k - from]);
        }
        if (row) j = conj_row(j, l, equal);
        else j = conj_quotient(j, l, item_int(y, 1), &q);
        if (is_image && image < images) j = conj_define(j, at + dims + image++, linear_var(q));
        else if (item_is(y, "div")) base[n++] = linear_var(q);
        else if (!row) malformed(y);
    }
    if (image != images) malformed(x);
    return j;
}

Set read_set(const Item *x, int from, int dims, int images) {
    Set out = {0};
    for (int i = from; i < x->n; i++) set_add(&out, read_piece(item_list(x, i), ATOMS, dims, images));
    return out;
}

// Their quotients are atoms, too.
Set read_sizes(const Item *x) {
    Set out = {0};
    for (int i = 1; i < x->n; i++) {
        Conj j = read_piece(item_list(x, i), atoms_used(0), 0, 0);
        atoms_used(j.n - atoms_used(0));
        j.n = ATOMS;
        set_add(&out, j);
    }
    return out;
}
