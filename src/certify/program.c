// SPDX-License-Identifier: MIT
// program.c -- the two programs: loops, conditions, copies.
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

static void check_operands(const Ex *e, int line) {
    int n = e->nargs;
    bool right = e->kind == EX_LOAD ? n == e->array->rank
                 : e->kind == EX_CAST ? n == 1
                 : e->kind != EX_OP   ? e->kind == EX_CALL || !n
                 : is(e->word, "?:")  ? n == 3
                                      : n == 2 - among(e->word, "~ !") || (n == 1 && is(e->word, "-"));
    if (!right) refuse("line %d: operands are missing, or too many", line);
}

// (int ID TYPE N) (float ID TYPE X) (name ID TYPE S) (load ID NUMBER ARRAY SUB…) (op ID TYPE OP X…)
// (cast ID TYPE X) (call ID TYPE F X…)
static Ex *expression(const Reading *r, const Item *x) {
    static const char *const kinds[] = {"int", "float", "name", "load", "op", "cast", "call"};
    Ex *e = take(sizeof *e);
    while (e->kind <= EX_CALL && !item_is(x, kinds[e->kind])) e->kind++;
    if (e->kind > EX_CALL) refuse("line %d: this is no expression", x->line);
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
    check_operands(e, x->line);
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
        Set v = {0};
        bool told = affine(expression(&nothing, item_list(x, i)), 0, (Conj){.n = ATOMS}, &v);
        if (nparameters == ATOMS || !told || v.n != 1 || v.at[0].last)
            refuse("line %d: too many parameters, or none", x->line);
        parameter[nparameters++] = v.at[0].v;
    }
}

// ---- trees ------------------------------------------------------------------------------------------
static Set narrowed(Set around, const Ex *cond, bool want, const Ex **data) {
    Set on = {0};
    *data = NULL;
    for (int i = 0; i < around.n && !*data; i++)
        if (!holds(cond, ATOMS, want, around.at[i], &on)) *data = cond;
    return *data ? around : set_put((Conj){.n = ATOMS + DEEPEST}, on, span(ATOMS, DEEPEST));
}

// The way on to operand k.
static Way way_on(Way w, const Ex *x, int k) {
    if (!k || x->kind != EX_OP || !among(x->word, "?: && ||")) return w;
    Asked a = {w.asked, NULL, is(x->word, "?:") ? k == 1 : is(x->word, "&&")};
    w.where = narrowed(w.where, x->arg[0], a.want, &a.cond);
    if (a.cond) w.asked = memcpy(take(sizeof a), &a, sizeof a);
    return w;
}

static void find_accesses(Leaf *l, const Ex *x, Way way) {
    if (x->kind == EX_LOAD) {
        if (x->access < 1 || x->access > 1000) refuse("line %d of the program: a load's number", l->line);
        while (l->naccesses <= x->access) {
            *MORE(l->access, l->naccesses) = (Access){.leaf = l};
        }
        Access *a = &l->access[x->access];
        if (a->load && !same_expression(a->load, x)) refuse("two loads of one number");
        if (!x->array->here) refuse("%s is not declared where line %d reads it", x->array->name, l->line);
        *a = (Access){l, x->array, x->arg, x, a->nways, a->way};
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
    if (sub->n != a->rank || !is(l->src->type, a->type)) refuse("line %d: another rank or type", x->line);
    if (!a->here) refuse("line %d: %s is not declared", x->line, a->name);
    find_accesses(l, l->src, whole);
    for (int i = 0; i < sub->n; i++) find_accesses(l, e[i], whole);
    for (int k = 0; k < l->naccesses; k++)
        if (!l->access[k].array) refuse("line %d: loads are not numbered", x->line);
}

static void tree(Reading *r, const Item *x);

// (for NAME HOW STEP LO HI BODY)
static void read_loop(Reading *r, const Item *x) {
    Loop *l = take(sizeof *l);
    *l = (Loop){item_word(x, 1), item_word(x, 2), .step = item_int(x, 3)};
    l->lo = expression(r, item_list(x, 4)), l->hi = expression(r, item_list(x, 5));
    if (!l->step || l->step == INT64_MIN) refuse("line %d: a step of 0", x->line);
    if (!among(l->how, "serial block thread")) refuse("line %d: a loop that is %s", x->line, l->how);
    for (int i = 0; i < r->depth; i++)
        if (is(r->loop[i]->name, l->name)) refuse("line %d: a counter of that name is there", x->line);
    if (r->depth == DEEPEST) refuse("line %d: too many loops inside each other", x->line);
    r->domain = in_loop(l, ATOMS + r->depth, r->domain);
    r->loop[r->depth++] = l;
    tree(r, item_list(x, 6));
}

// (if COND THEN [ELSE])
static void read_if(Reading *r, const Item *x) {
    const Ex *cond = expression(r, item_list(x, 1));
    const Ex *data;
    Set around = r->domain;
    r->guarded = true;
    for (int k = 0; k < 2 && k + 2 < x->n; k++) {
        r->domain = narrowed(around, cond, !k, &data);
        if (data) refuse("line %d: not affine", x->line);
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
            if (a->declared || a->user) refuse("line %d: %s is declared twice", x->line, a->name);
            a->declared = a->here = true;
            a->scope = r->depth;
        }
        for (int i = 2; i < x->n; i++) tree(r, x->at[i]);
        for (int i = 0; i < locals->n; i++) array_of(locals, i)->here = false;
    } else if (item_is(x, "for")) read_loop(r, x);
    else if (item_is(x, "kernel")) {
        if (r->kernel) refuse("line %d: a kernel in a kernel", x->line);
        for (int i = 0; i < r->depth; i++)
            if (!is(r->loop[i]->how, "serial")) refuse("line %d: a kernel in a parallel loop", x->line);
        r->kernel = ++r->kernels, r->outer = r->depth;
        tree(r, item_list(x, 1));
    } else if (item_is(x, "if")) read_if(r, x);
    else if (item_is(x, "copy")) read_copy(r, x);
    else if (item_is(x, "barrier")) read_barrier(r, x);
    else refuse("line %d: what is this part of a program?", x->line);
    here.kernels = r->kernels;
    *r = here;
}

static Ex *element(int d) {
    Ex *e = take(sizeof *e);
    *e = (Ex){EX_SYM, "i64", "element", .var = d};
    return e;
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
        for (int d = 0; d < e->nargs; d++) e->arg[d] = element(d);
        l->src = e, l->naccesses = 2, l->order = INT_MAX;
        l->access = take(2 * sizeof *l->access);
        l->access[1] = (Access){l, &arrays[i], e->arg, e};
        l->domain = set_of((Conj){.n = ATOMS + l->depth});
    }
    p->nleaves = n;
}

Leaf *program_end(Program *p, const Array *a) { return p->leaf[p->nleaves + a->number]; }

// ---- for facts --------------------------------------------------------------------------------------
Program *program_of(const Item *x, int k) { return &programs[!is(item_word(x, k), programs[0].name)]; }

Leaf *leaf_of(const Item *x, int k, Program *p) {
    Leaf *l = p->leaf[item_index(x, k, p->nleaves + narrays)];
    if (l->barrier) refuse("line %d: a barrier has no value", x->line);
    return l;
}

Access *load_of(const Item *x, int k, Leaf *l) {
    int n = item_index(x, k, l->naccesses);
    if (!n) refuse("line %d: that is no load", x->line);
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

// Rows have coefficients of the number, the parameters, the dimensions, and the quotients so far; a quotient
// and an image, which is one, too, are told by their divisor first.
static Conj read_piece(const Item *x, int at, int dims, int images) {
    Linear base[512];
    int n = 0, image = 0;
    Conj j = {.n = at + dims + images};
    if (!item_is(x, "piece") || dims + images + x->n > 400) refuse("line %d: no piece of a set", x->line);
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
            if (k - from >= n) refuse("line %d: a coefficient of nothing", y->line);
            l = linear_add(l, item_int(y, k), base[k - from]);
        }
        if (row) {
            j = conj_row(j, l, equal);
            continue;
        }
        j = conj_quotient(j, l, item_int(y, 1), &q);
        if (is_image && image < images) j = conj_define(j, at + dims + image++, linear_var(q));
        else if (item_is(y, "div")) base[n++] = linear_var(q);
        else refuse("line %d: what is this part of a set?", y->line);
    }
    if (image != images) refuse("line %d: images are missing", x->line);
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
