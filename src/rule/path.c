// SPDX-License-Identifier: MIT
// path.c -- names and places in a nest: loops, arrays and kernels by name, new names, copies.
#include "rule/catalogue.h"
#include <string.h>

// ---- everything that has a name -------------------------------------------------------------
typedef struct Find {
    const char *name;
    Node *loop, *kernel;
    const Array *array;
    Text *loops;       // names of all loops, for messages
} Find;

static void find_in(Node *n, void *arg) {
    Find *f = arg;
    if (n->kind == N_FOR) {
        if (f->loops) text_printf(f->loops, "%s%s", f->loops->n ? ", " : "", n->iter->name);
        if (!f->loop && str_eq(n->iter->name, f->name)) f->loop = n;
    }
    if (n->kind == N_KERNEL && !f->kernel && str_eq(n->name, f->name)) f->kernel = n;
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (!f->array && str_eq(n->locals[i]->name, f->name)) f->array = n->locals[i];
}

static bool is_in_region(const Region *r, const char *name) {
    for (int i = 0; i < r->nparams; i++)
        if (str_eq(r->params[i]->name, name)) return true;
    for (int i = 0; i < r->narrays; i++)
        if (str_eq(r->arrays[i]->name, name) || str_eq(r->arrays[i]->object, name)) return true;
    Find f = {.name = name};
    node_walk(r->root, find_in, &f);
    return f.loop || f.array;
}

Node *change_loop(Change *ch, const char *name) {
    Text loops = text_new(ch->a);
    Find f = {.name = name, .loops = &loops};
    node_walk(ch->nest->root, find_in, &f);
    if (!f.loop)
        change_refuse(ch, "there is no loop %s; there are %s", name,
                      *text_str(&loops) ? text_str(&loops) : "none");
    return f.loop;
}

// ---- what is in no kernel yet -----------------------------------------------------------------
static bool is_called(const Node *n, const char *name, bool stmts) {
    if (n->kind == N_FOR) return str_eq(n->iter->name, name);
    return stmts && n->kind == N_STMT && str_eq(n->stmt->label, name);
}

static Node *first_outside(Node *n, const char *name, bool stmts) {
    if (n->kind == N_KERNEL) return NULL;
    if (is_called(n, name, stmts)) return n;
    Node *found = NULL;
    for (int i = 0; !found && node_kid(n, i); i++) found = first_outside(node_kid(n, i), name, stmts);
    return found;
}

Node *loop_outside(Change *ch, const char *name) {
    Node *n = first_outside(ch->nest->root, name, false);
    if (!n) change_refuse(ch, "there is no loop %s outside of kernels", name);
    return n;
}

Node *node_outside(Change *ch, const char *name) {
    Node *n = first_outside(ch->nest->root, name, true);
    if (!n) change_refuse(ch, "there is no loop and no statement %s outside of kernels", name);
    return n;
}

Node *change_kernel(Change *ch, const char *name) {
    Find f = {.name = name};
    node_walk(ch->nest->root, find_in, &f);
    if (!f.kernel) change_refuse(ch, "there is no kernel %s; a map step makes one", name);
    return f.kernel;
}

Node *change_place(Change *ch, const char *name) {
    Find f = {.name = name};
    node_walk(ch->nest->root, find_in, &f);
    return f.kernel ? f.kernel : change_loop(ch, name);
}

const Array *change_array(Change *ch, const char *name) {
    const Region *r = ch->nest->region;
    Find f = {.name = name};
    node_walk(ch->nest->root, find_in, &f);
    for (int i = 0; i < r->narrays && !f.array; i++)
        if (str_eq(r->arrays[i]->name, name)) f.array = r->arrays[i];
    if (!f.array) change_refuse(ch, "there is no array %s", name);
    return f.array;
}

// ---- new names --------------------------------------------------------------------------------
static bool is_taken(const Change *ch, const char *name) {
    Find f = {.name = name};
    node_walk(ch->nest->root, find_in, &f);
    for (int i = 0; i < ch->nest->nbeside; i++) node_walk(ch->nest->beside[i], find_in, &f);
    if (f.loop || f.array || f.kernel || is_in_region(ch->nest->region, name)) return true;
    for (int i = 0; i < ch->nest->nfacts; i++)
        if (str_eq(ch->nest->facts[i].sym->name, name)) return true;
    for (int i = 0; i < ch->given.n; i++)
        if (str_eq(ch->given.at[i], name)) return true;
    return false;
}

const char *change_name(Change *ch, const char *wish) {
    const char *name = wish;
    for (int k = 1; is_taken(ch, name); k++) name = arena_printf(ch->a, "%s_%d", wish, k);
    vec_push(ch->a, &ch->given, name);
    return name;
}

Node *root_with_temps(Arena *a, Node *root, const Node *from, Node *to, int ntemps,
                      const Array *const *temps) {
    int n = root == from ? 0 : root->nlocals;
    const Array **all = NEW_N(a, const Array *, n + ntemps + 1);
    for (int i = 0; i < n; i++) all[i] = root->locals[i];
    for (int i = 0; i < ntemps; i++) all[n + i] = temps[i];
    root = node_clone(a, root == from ? to : node_replace(a, root, from, to));
    root->nlocals = n + ntemps;
    root->locals = all;
    return root;
}

// ---- paths --------------------------------------------------------------------------------------
static bool descend(Node *n, const Node *place, Path *p) {
    if (!n || p->n == PATH_MAX_NODES) return false;
    p->node[p->n++] = n;
    if (n == place) return true;
    for (int i = 0; i < n->nkids; i++)
        if (descend(n->kids[i], place, p)) return true;
    if (descend(n->body, place, p) || descend(n->then, place, p) || descend(n->other, place, p)) return true;
    p->n--;
    return false;
}

bool path_to(Node *root, const Node *place, Path *out) {
    out->n = 0;
    return descend(root, place, out);
}

const Array *path_local(const Path *p, const Node *top) {
    for (int i = 0; i < p->n && p->node[i] != top; i++)
        for (int k = 0; p->node[i]->kind == N_SEQ && k < p->node[i]->nlocals; k++)
            if (p->node[i]->locals[k]->place == PLACE_LOCAL) return p->node[i]->locals[k];
    return NULL;
}

// ---- a second copy --------------------------------------------------------------------------------
typedef struct Loops {
    Arena *a;
    VEC(Node *) at;
} Loops;

static void collect_loop(Node *n, void *arg) {
    Loops *v = arg;
    if (n->kind != N_FOR) return;
    for (int k = 0; k < v->at.n; k++)
        if (v->at.at[k] == n) return; // both branches of a choice may hold the same loop
    vec_push(v->a, &v->at, n);
}

// What is renamed: loops, and buffers below them.
typedef struct Origins {
    Change *ch;
    const Loops *old;
    const Sym **fresh;
    VEC(const Array *) from;
    VEC(Array *) to;
} Origins;

static Node *rename_loops(Node *n, void *arg) {
    const Origins *o = arg;
    Arena *a = o->ch->a;
    Node *m = node_map(a, n, rename_loops, arg);
    if (n->kind == N_KERNEL) m->name = change_name(o->ch, n->name);
    for (int k = 0; n->kind == N_FOR && k < o->old->at.n; k++)
        if (o->old->at.at[k] == n) {
            // node_subst works inside out here: the counter is replaced where it is seen.
            Expr *to = expr_sym(a, o->fresh[k]);
            m->body = node_subst(a, m->body, 1, &n->iter, &to);
            m->iter = o->fresh[k];
        }
    return m;
}

Node *change_copy(Change *ch, Node *n) {
    Loops old = {.a = ch->a};
    node_walk(n, collect_loop, &old);
    const Sym **fresh = NEW_N(ch->a, const Sym *, old.at.n + 1);
    for (int k = 0; k < old.at.n; k++) {
        const Sym *s = old.at.at[k]->iter;
        Sym *t = NEW(ch->a, Sym);
        *t = *s;
        t->name = change_name(ch, s->name);
        fresh[k] = t;
    }
    return rename_loops(n, &(Origins){.ch = ch, .old = &old, .fresh = fresh});
}

static void rename_buffer(Origins *o, const Array *x, const char *name) {
    Array *y = array_copy(o->ch->a, x, name, 0);
    for (int i = 0; y->of && i < o->from.n; i++) // a cache of a cache
        if (o->from.at[i] == y->of) y->of = o->to.at[i];
    vec_push(o->ch->a, &o->from, x);
    vec_push(o->ch->a, &o->to, y);
}

static bool is_renamed(const Origins *o, const Array *x) {
    for (int k = 0; k < o->from.n; k++)
        if (o->from.at[k] == x) return true;
    return false;
}

static Node *buffers_renamed(const Origins *o, Node *n) {
    Arena *a = o->ch->a;
    for (int k = 0; k < o->from.n; k++) {
        const Array *old = o->from.at[k], *now = o->to.at[k];
        n = node_declared_anew(a, node_redirect(a, n, old, now), old, now);
    }
    return n;
}

static void find_local(Node *n, void *arg) {
    Find *f = arg;
    for (int i = 0; i < n->nlocals; i++)
        if (n->locals[i] == f->array) f->kernel = n;
}

// Does the region declare it? Its statements name it then, whatever stands around them.
static bool is_of_region(const Region *r, const Array *x) {
    Find f = {.array = x};
    node_walk(r->root, find_local, &f);
    return f.kernel;
}

static void collect_buffers(Node *n, void *arg) {
    Origins *o = arg;
    for (int i = 0; i < n->nlocals; i++) {
        const Array *x = n->locals[i];
        if (x->place != PLACE_TEMP && !is_of_region(o->ch->nest->region, x) && !is_renamed(o, x))
            rename_buffer(o, x, change_name(o->ch, x->name));
    }
}

Node *change_twin(Change *ch, Node *kernel) {
    Node *n = change_copy(ch, kernel);
    Origins o = {.ch = ch};
    node_walk(n, collect_buffers, &o);
    return buffers_renamed(&o, n);
}

// ---- one name, one buffer -----------------------------------------------------------------------
typedef struct Distinct {
    Origins o;
    VEC(const Array *) seen;
} Distinct;

static void collect_twins(Node *n, void *arg) {
    Distinct *d = arg;
    for (int i = 0; i < n->nlocals; i++) {
        const Array *x = n->locals[i];
        bool known = false, twin = false;
        for (int k = 0; k < d->seen.n; k++) {
            known = known || d->seen.at[k] == x;
            twin = twin || str_eq(d->seen.at[k]->name, x->name);
        }
        if (known) continue;
        vec_push(d->o.ch->a, &d->seen, x);
        if (twin || (x->of && is_renamed(&d->o, x->of)))
            rename_buffer(&d->o, x, twin ? change_name(d->o.ch, x->name) : NULL);
    }
}

Node *change_distinct(Change *ch, Node *root) {
    Distinct d = {.o = {.ch = ch}};
    node_walk(root, collect_twins, &d);
    return buffers_renamed(&d.o, root);
}
