// SPDX-License-Identifier: MIT
// nest.c -- a kernel that was cut into phases, as a Nest over a region without statements.
//
// Everything that happens is an N_COPY: the kernel's text is not the region's, it is the nest.
// The region names the parameters and the arrays in global memory.
#include "kernel/pass.h"
#include "front/normal.h"
#include <string.h>

typedef struct Mapped {
    const Array *from, *to;
} Mapped;

typedef struct Maker {
    KernelRead *k;
    Arena *a;
    int nthread;
    Node *const *thread;
    VEC(Mapped) arrays;
    VEC(const Array *) shared, user;
    Sym *shared_bytes;      // of dynamic shared memory, where an expression says how many; NULL: nobody asks
    bool barriers;          // keep them
} Maker;

// ---- arrays ----------------------------------------------------------------------------------
static const Array *mapped(const Maker *m, const Array *v) {
    for (int i = 0; i < m->arrays.n; i++)
        if (m->arrays.at[i].from == v) return m->arrays.at[i].to;
    return v;
}

// Is v the variable of that name, or a view of it by another type: ((float4 *)x)?
static bool is_of(const Array *v, const char *name) {
    size_t n = strlen(name), all = v->source ? strlen(v->source) : 0;
    if (v->source && str_eq(v->source, name)) return true;
    bool cast = all > n + 2 && v->source[0] == '(' && v->source[all - 1] == ')';
    return cast && v->source[all - n - 2] == ')' && !strncmp(v->source + all - n - 1, name, n);
}

// The shared variable that an array of the program is, or a view of; NULL: none.
static const Decl *shared_of(const Maker *m, const Array *v) {
    for (int i = 0; i < m->k->shared.n; i++)
        if (is_of(v, m->k->shared.at[i]->name)) return m->k->shared.at[i];
    return NULL;
}

static int64_t bytes_of(const CType *t) {
    int64_t n = 1;
    for (; t->kind == CT_ARRAY; t = t->of) n *= t->size && t->size->kind == A_INT ? t->size->i : 0;
    return n * t->bytes;
}

static Expr *dynamic_bytes(Maker *m) {
    if (!m->shared_bytes) {
        m->shared_bytes = NEW(m->a, Sym);
        *m->shared_bytes = (Sym){.name = "shared_bytes", .kind = SYM_PARAM, .type = T_I64};
    }
    return expr_sym(m->a, m->shared_bytes);
}

static const Array *shared_array(Maker *m, const Array *v, const Decl *d) {
    Array *w = NEW(m->a, Array);
    *w = *v;
    w->place = PLACE_SHARED;
    w->object = d->name;
    w->source = NULL;
    for (int i = 0; i < m->k->boxes.n; i++) if (m->k->boxes.at[i] == d) w->lanes = 1;
    for (int i = 0; i < m->k->trees.n; i++)
        if (m->k->trees.at[i] == d) w->lanes = 2;
    w->extent = NEW_N(m->a, Expr *, v->rank + 1);
    for (int i = 0; i < v->rank; i++) w->extent[i] = v->extent[i];
    if (v->rank && !w->extent[0]) { // a view by another type, or of fields
        int64_t inner = v->stride;
        for (int i = 1; i < v->rank; i++)
            inner *= v->extent[i] && v->extent[i]->kind == E_INT ? v->extent[i]->i : 1;
        w->extent[0] = expr_int(m->a, T_I64, inner ? bytes_of(d->type) / inner : 0);
        if (!d->type->size && inner) w->extent[0] = expr_op(m->a, OP_DIV, dynamic_bytes(m),
                                                            expr_int(m->a, T_I64, inner), NULL);
    }
    return w;
}

static const Array *register_array(Maker *m, const Array *v) {
    Array *w = NEW(m->a, Array);
    *w = *v;
    w->place = PLACE_REGISTER;
    w->digits = m->nthread;
    w->rank = v->rank + m->nthread;
    w->extent = NEW_N(m->a, Expr *, w->rank + 1);
    for (int d = 0; d < m->nthread; d++) w->extent[d] = m->thread[d]->hi;
    for (int d = 0; d < v->rank; d++) w->extent[m->nthread + d] = v->extent[d];
    return w;
}

static const KernelArg *size_given(const Maker *m, const Array *v) {
    for (int i = 0; i < m->k->launch.nargs; i++)
        if (str_eq(m->k->launch.args[i].name, v->name) || str_eq(m->k->launch.args[i].name, v->source))
            return &m->k->launch.args[i];
    return NULL;
}

static const Array *user_array(Maker *m, const Array *v) {
    const KernelArg *n = size_given(m, v);
    Array *w = NEW(m->a, Array);
    *w = *v;
    for (int i = 0; i < m->k->kernel->nparams; i++)
        if (is_of(v, m->k->kernel->params[i]->name)) w->source = m->k->kernel->params[i]->name;
    if (n && v->rank == 1 && !v->extent[0] && v->stride == type_size(v->elem)) {
        w->extent = NEW(m->a, Expr *);
        w->extent[0] = expr_int(m->a, T_I64, (int64_t)n->value);
        w->constant_size = true;
    }
    return w;
}

static void map_arrays(Maker *m, const Region *r, const Split *s) {
    for (int i = 0; i < r->narrays; i++) {
        const Array *v = r->arrays[i];
        const Decl *d = shared_of(m, v);
        const Array *w = d ? shared_array(m, v, d) : user_array(m, v);
        Mapped p = {v, w};
        vec_push(m->a, &m->arrays, p);
        if (d) vec_push(m->a, &m->shared, w);
        else vec_push(m->a, &m->user, w);
    }
    for (int i = 0; i < s->registers.n; i++) {
        Mapped p = {s->registers.at[i], register_array(m, s->registers.at[i])};
        vec_push(m->a, &m->arrays, p);
    }
}

// Two views of one shared array by different types: memory that the nest keeps apart.
static void note_views(Maker *m) {
    for (int i = 0; i < m->shared.n; i++)
        for (int j = 0; j < i; j++) {
            const Array *x = m->shared.at[i], *y = m->shared.at[j];
            if (!arrays_may_overlap(x, y)) continue;
            vec_push(m->a, &m->k->inexact,
                     arena_printf(m->a,
                                  "'%s' and '%s' are views of one array by different types, and "
                                  "what is written through one is not seen through the other",
                                  y->name, x->name));
        }
}

// ---- accesses --------------------------------------------------------------------------------------
static Expr **subscripts(Maker *m, const Array *w, int n, Expr *const *sub) {
    Expr **out = NEW_N(m->a, Expr *, w->rank + 1);
    for (int d = 0; d < w->digits; d++) out[d] = expr_sym(m->a, m->thread[d]->iter);
    for (int d = 0; d < n; d++) out[w->digits + d] = sub[d];
    return out;
}

// A field of a struct argument, given as --arg grid_n=64.
static Expr *given_field(Maker *m, Expr *x) {
    for (int i = 0; x->sym->kind == SYM_PARAM && i < m->k->launch.nargs; i++) {
        const KernelArg *a = &m->k->launch.args[i];
        if (!str_eq(a->name, x->sym->name)) continue;
        return type_is_float(x->type) ? expr_float(m->a, x->type, a->value)
                                      : expr_int(m->a, x->type, (int64_t)a->value);
    }
    return x;
}

static Expr *map_load(Rebuild *b, Expr *x) {
    Maker *m = b->self;
    if (x->kind == E_SYM) return given_field(m, x);
    const Array *w = x->kind == E_LOAD ? mapped(m, x->array) : NULL;
    if (!w || w == x->array) return x;
    Expr *y = expr_load(m->a, w, subscripts(m, w, x->nargs, x->args));
    y->loc = x->loc;
    y->moved = x->moved;
    return y;
}

static Expr *map_expr(Expr *x, void *arg) {
    Maker *m = arg;
    Rebuild b = {.a = m->a, .expr = map_load, .self = m};
    return x ? rebuild_expr(&b, x) : NULL;
}

static Node *map_stmt(Maker *m, const Node *n) {
    const Stmt *s = n->stmt;
    const Array *w = mapped(m, s->lhs);
    Expr **sub = exprs_map(m->a, s->lhs->rank, s->sub, map_expr, m);
    Node *c = node_copy(m->a, w, subscripts(m, w, s->lhs->rank, sub), s->op, map_expr(s->rhs, m));
    c->loc = s->loc;
    c->moved = s->moved;
    c->atomic = s->atomic || n->atomic;
    c->async = s->async && m->barriers && w->place == PLACE_SHARED;
    return c;
}

// ---- the tree ------------------------------------------------------------------------------------------
static Node *map_node(Node *n, void *arg) {
    Maker *m = arg;
    if (n->kind == N_BARRIER && !m->barriers) return NULL;
    if (n->kind == N_STMT) return map_stmt(m, n);
    Node *c = node_map_exprs(m->a, node_map(m->a, n, map_node, arg), map_expr, arg);
    if (n->nlocals) c->locals = NEW_N(m->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) c->locals[i] = mapped(m, n->locals[i]);
    return c;
}

static Node *make_root(Maker *m, const Split *s, int nblock, Node *const *around, bool barriers) {
    m->barriers = barriers;
    Node *body = map_node(s->body, m);
    body->locals = NEW_N(m->a, const Array *, m->shared.n + body->nlocals + 1);
    for (int i = 0; i < m->shared.n; i++) body->locals[i] = m->shared.at[i];
    int n = m->shared.n;
    for (int i = 0; i < s->body->nlocals; i++) body->locals[n++] = mapped(m, s->body->locals[i]);
    body->nlocals = n;
    for (int d = nblock - 1; d >= 0; d--) {
        Node *loop = node_clone(m->a, around[d]);
        loop->body = body;
        body = loop;
    }
    Node *kernel = node_kernel(m->a, m->k->kernel->name, body);
    kernel->loc = m->k->kernel->loc;
    Node *root = node_seq(m->a, 1, &kernel);
    root->loc = kernel->loc;
    return root;
}

static void note_params(KernelRead *k, KernelNest *out) {
    const Decl *f = k->kernel;
    out->nparams = f->nparams;
    out->param = NEW_N(k->a, const char *, f->nparams + 1);
    out->pointer = NEW_N(k->a, bool, f->nparams + 1);
    out->constant = NEW_N(k->a, bool, f->nparams + 1);
    out->floating = NEW_N(k->a, bool, f->nparams + 1);
    out->type = NEW_N(k->a, Type, f->nparams + 1);
    out->bytes = NEW_N(k->a, int64_t, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++) {
        out->param[i] = f->params[i]->name;
        const CType *t = f->params[i]->type;
        out->pointer[i] = t->kind == CT_POINTER || t->kind == CT_ARRAY;
        if (out->pointer[i]) t = t->of;
        out->constant[i] = out->pointer[i] && t->is_const;
        out->bytes[i] = t->bytes;
        if (t->kind == CT_RECORD && t->nfields) t = t->fields[0].type;
        out->type[i] = t->kind == CT_SCALAR ? t->scalar : T_NONE;
        out->floating[i] = type_is_float(out->type[i]);
    }
}

KernelNest *kernel_nest(KernelRead *k, const Region *r, const Split *s, int nblock, int nthread,
                        Node *const *around) {
    Maker m = {.k = k, .a = k->a, .nthread = nthread, .thread = around + nblock};
    map_arrays(&m, r, s);
    note_views(&m);
    Region *region = NEW(k->a, Region);
    *region = *r;
    region->name = k->kernel->name;
    region->loc = k->kernel->loc;
    region->narrays = m.user.n;
    region->arrays = m.user.at;
    if (m.shared_bytes) {
        region->params = NEW_N(k->a, const Sym *, r->nparams + 1);
        for (int i = 0; i < r->nparams; i++) region->params[i] = r->params[i];
        region->params[region->nparams++] = m.shared_bytes;
    }
    for (int i = 0; i < region->nparams; i++) // how often a while loop runs, only the data tell
        if (str_has_prefix(region->params[i]->name, "trips_")) ((Sym *)region->params[i])->source = NULL;
    region->nstmts = region->nassumes = region->ninspects = 0;
    region->root = node_seq(k->a, 0, NULL);
    KernelNest *out = NEW(k->a, KernelNest);
    out->name = k->kernel->name;
    out->loc = k->kernel->loc;
    out->launch = k->launch;
    out->fixed_shared = k->fixed_shared;
    out->written = make_root(&m, s, nblock, around, true);
    out->nest = NEW(k->a, Nest);
    *out->nest = (Nest){.region = region, .target = "gpu", .root = make_root(&m, s, nblock, around, false),
                        .when = expr_int(k->a, T_I32, 1), .recipe = ""};
    out->lockstep = k->unsure ? 2 : k->lockstep || k->unit->volatiles;
    note_params(k, out);
    out->ninexact = k->inexact.n;
    out->inexact = k->inexact.at;
    out->ngranted = k->granted.n;
    out->granted = k->granted.at;
    return out;
}
