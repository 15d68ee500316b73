// SPDX-License-Identifier: MIT
// join.c -- the loops that fill an array before a kernel, and those that use it up behind it, go
// where the kernel has each element in a register.
//
//   for i for j  s[i][j] = 0                      kernel {
//   kernel {                                        acc = 0                    (its own statement)
//     acc = s[y][x]                        →        for k  acc += …
//     for k  acc += …                               acc = 2 * acc + 1;  c[y][x] = acc }
//     s[y][x] = acc }
//   for i for j  c[i][j] = 2 * s[i][j] + 1        s is gone, when it was a temporary
//
// Where the kernel adds what it found, s[y][x] += acc, fresh registers are filled behind it:
// t = 0; t += acc; t = 2 * t + 1; c[y][x] = t.
//
// What stands in the kernel already and reads s[y][x], as another array's join has moved it there, reads the
// registers, too: sums of one body that are used up together are joined one after the other.
//
// The statements run under the conditions of the copies that they meet, and under what their own loops'
// bounds say beside these. That the kernel has all of their elements is for the judge to see.
#include "rule/find_refs.h"
#include "rule/known.h"
#include "rule/loops.h"
#include "rule/storage.h"

enum { MAX_NESTS = 8, MAX_COPIES = 8, MAX_LOOPS = 8, MAX_STMTS = 8, MAX_RANK = 8 };

// Loops around statements, outside kernels, that name an element of the array.
typedef struct Nest1 {
    int nloops, nstmts;
    const Node *loop[MAX_LOOPS];
    Node *stmt[MAX_STMTS];
    Expr *const *sub;        // of the element: base + one counter each
} Nest1;

typedef struct Join {
    Change *ch;
    Arena *a;
    const Array *x;          // the array
    Node *block;             // the sequence of nests and kernels
    int first, last;         // its children that are kernels with x
    int nfill, ndrain;
    Nest1 fill[MAX_NESTS], drain[MAX_NESTS];
    int nin, nout;
    Node *in[MAX_COPIES], *out[MAX_COPIES];
    int nusers;
    const Node *user[MAX_STMTS]; // statements in the kernel that read x
    bool odd;                // the kernel uses x in another way
} Join;

// ---- the nests ---------------------------------------------------------------------------------
typedef struct Same {
    const Array *x;
    Expr *const *sub;
    bool differ;
    bool stores;             // what is only written may be another element
} Same;

static bool same_sub(const Array *x, Expr *const *sub, Expr *const *other) {
    for (int d = 0; d < x->rank; d++)
        if (!expr_equal(sub[d], other[d])) return false;
    return true;
}

static bool note_sub(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Same *m = arg;
    (void)to, (void)sub;
    if (m->stores && s->write && !s->read && s->op == OP_SET) return false;
    m->differ = m->differ || (m->sub && !same_sub(m->x, m->sub, s->sub));
    m->sub = s->sub;
    return false;
}

static bool add_stmts(Join *j, Nest1 *n, Node *body) {
    if (body->kind == N_STMT && n->nstmts < MAX_STMTS) return n->stmt[n->nstmts++] = body, true;
    int first = n->nstmts;
    if (body->kind == N_IF && !body->other && cond_is_free(body->cond)) {
        if (!add_stmts(j, n, body->then)) return false;
        for (int i = first; i < n->nstmts; i++)
            n->stmt[i] = n->stmt[i]->kind == N_STMT ? node_if(j->a, body->cond, n->stmt[i], NULL) : NULL;
        for (int i = first; i < n->nstmts; i++)
            if (!n->stmt[i])
                return change_refuse(j->ch, "conditions stand in each other around %s", j->x->name);
        return true;
    }
    if (body->kind != N_SEQ || body->nlocals)
        return change_refuse(j->ch, "the loops around %s hold more than statements", j->x->name);
    for (int i = 0; i < body->nkids; i++)
        if (!add_stmts(j, n, body->kids[i])) return false;
    return true;
}

// end: behind the kernel, where c[i][j] may be stored in c[j][i] too.
static bool read_nest(Join *j, Node *root, bool end, Nest1 *n) {
    *n = (Nest1){0};
    Chain c = chain_of(root);
    const char *name = j->x->name;
    if (!c.n || c.n > MAX_LOOPS) return change_refuse(j->ch, "%s is used outside loops", name);
    for (int i = 0; i < c.n; i++) {
        n->loop[n->nloops++] = c.loop[i];
        if (c.loop[i]->how != HOW_SERIAL)
            return change_refuse(j->ch, "%s is a %s loop", c.loop[i]->iter->name, how_name(c.loop[i]->how));
    }
    if (!add_stmts(j, n, c.body)) return false;
    Same m = {.x = j->x, .stores = end};
    accesses_edit(j->a, c.body, j->x, note_sub, &m);
    if (!m.sub) m.stores = false, accesses_edit(j->a, c.body, j->x, note_sub, &m);
    n->sub = m.sub;
    return !m.differ || change_refuse(j->ch, "several elements of %s are named in one iteration of %s", name,
                                      c.loop[c.n - 1]->iter->name);
}

static bool read_nests(Join *j) {
    j->first = j->last = -1;
    for (int k = 0; k < j->block->nkids; k++) {
        if (!node_uses_array(j->a, j->block->kids[k], j->x)) continue;
        bool kernel = node_kernels(j->block->kids[k]) > 0;
        if (kernel && j->ndrain)
            return change_refuse(j->ch, "a kernel uses %s after loops on the host", j->x->name);
        if (kernel && j->first < 0) j->first = k;
        if (kernel) {
            j->last = k;
            continue;
        }
        bool before = j->first < 0;
        if ((before ? j->nfill : j->ndrain) == MAX_NESTS)
            return change_refuse(j->ch, "more than %d nests use %s", MAX_NESTS, j->x->name);
        if (!read_nest(j, j->block->kids[k], !before, before ? &j->fill[j->nfill++] : &j->drain[j->ndrain++]))
            return false;
    }
    if (j->first < 0) return change_refuse(j->ch, "no kernel uses %s; map its loops first", j->x->name);
    return j->nfill + j->ndrain > 0 || change_refuse(j->ch, "no loops outside kernels use %s", j->x->name);
}

// ---- the copies ------------------------------------------------------------------------------------
// What a statement, alone or under a condition, writes; NULL: nothing.
static const Array *written_by(const Join *j, Node *n) {
    AccessVec v = node_accesses(j->a, n->kind == N_IF ? n->then : n);
    return v.n && v.at[0].write ? v.at[0].array : NULL;
}

static bool is_register(const Array *x) { return x->place == PLACE_REGISTER || x->place == PLACE_LOCAL; }

static void find_copies(Join *j, Node *n) {
    if (n->kind == N_STMT) {
        if (!node_uses_array(j->a, n, j->x)) return;
        bool only_reads = n->stmt->lhs != j->x && written_by(j, n) != j->x;
        if (only_reads && j->nusers < MAX_STMTS) j->user[j->nusers++] = n;
        else j->odd = true;
    } else if (n->kind == N_COPY) {
        bool load = n->src->kind == E_LOAD, reads = load && n->src->array == j->x, writes = n->dst == j->x;
        if (!reads && !writes) j->odd = j->odd || node_uses_array(j->a, n, j->x);
        else if (reads && is_register(n->dst) && n->op == OP_SET && j->nin < MAX_COPIES) j->in[j->nin++] = n;
        else if (writes && load && is_register(n->src->array) && j->nout < MAX_COPIES) j->out[j->nout++] = n;
        else j->odd = true;
    }
}

static bool begins_anew(const Join *j) { // the first statement sets the element to what does not depend on it
    if (!j->nfill || j->fill[0].stmt[0]->kind != N_STMT) return false;
    AccessVec v = node_accesses(j->a, j->fill[0].stmt[0]);
    bool set = v.at[0].array == j->x && j->fill[0].stmt[0]->stmt->op == OP_SET;
    for (int i = 1; i < v.n; i++) set = set && v.at[i].array != j->x;
    return set;
}

static bool read_copies(Join *j) {
    const char *name = j->x->name;
    for (int k = j->first; k <= j->last; k++) node_each(n, j->block->kids[k]) find_copies(j, n);
    if (j->odd || !j->nout)
        return change_refuse(j->ch,
                             "a kernel does more with %s than to copy it to registers and back; hoist it",
                             name);
    if (j->nusers && (j->nout > 1 || j->ndrain || j->x->place == PLACE_USER))
        return change_refuse(j->ch, "%s is used in a kernel and elsewhere", name);
    for (int k = 0; k < j->nout; k++)
        if ((j->out[k]->op == OP_SET) != (j->nin > 0))
            return change_refuse(j->ch, "%s is set in one place and added to in another", name);
    return j->x->place == PLACE_USER || begins_anew(j) ||
           change_refuse(j->ch, "%s does not begin in loops before the kernel", name);
}

// ---- statements at another place -----------------------------------------------------------------------
typedef struct To {
    Arena *a;
    const Array *array;
    Expr **sub;
    bool writes;             // only what is written
    const Array *from;       // only this element of it; NULL: all
    Expr *const *element;
} To;

static bool send(const Site *s, const Array **to, Expr ***sub, void *arg) {
    const To *t = arg;
    if (t->writes && !s->write) return false;
    if (t->from && !same_sub(t->from, t->element, s->sub)) return false;
    *to = t->array;
    *sub = t->sub ? t->sub : NEW_N(t->a, Expr *, 1); // a scalar has none; NULL says that it caches
    return true;
}

// The counters' values for which the nest names x[at]. False: they can't be told.
static bool solve(const Join *j, const Nest1 *n, Expr *const *at, Expr **value) {
    const Sym *sym[MAX_LOOPS];
    int64_t coef[MAX_LOOPS];
    for (int i = 0; i < n->nloops; i++) sym[i] = n->loop[i]->iter, value[i] = NULL;
    for (int d = 0; n->sub && d < j->x->rank; d++) {
        Expr *base;
        int mine = -1;
        if (!affine_split(j->a, n->sub[d], n->nloops, sym, coef, &base)) return false;
        for (int i = 0; i < n->nloops; i++) {
            if (!coef[i]) continue;
            if (coef[i] != 1 || mine >= 0 || value[i]) return false;
            mine = i;
        }
        if (mine < 0) return false;
        Expr *v = expr_cast(j->a, base->type, at[d]);
        value[mine] = expr_cast(j->a, sym[mine]->type, expr_is_int(base, 0) ? v : expr_sub(j->a, v, base));
    }
    for (int i = 0; i < n->nloops; i++)
        if (!value[i]) return false;
    return true;
}

// The nest's bounds, as far as they are not known to hold where the copy stands; NULL: all do.
static Expr *lacking(const Join *j, const Nest1 *n, const Node *copy, const Sym *const *sym,
                     Expr *const *value) {
    Expr *t[TERMS_MAX], *cond = NULL;
    Path place;
    if (!path_to(j->ch->nest->root, copy, &place)) return NULL;
    Known known = known_at(j->ch->c, j->ch->nest, &place);
    for (int i = 0; i < n->nloops; i++) {
        int count = cond_terms(loop_bounds(j->a, n->loop[i]), t, TERMS_MAX);
        for (int k = 0; k < count; k++) {
            Expr *term = expr_subst(j->a, t[k], n->nloops, sym, value);
            if (!known_holds(&known, term)) cond = cond_and(j->a, cond, term);
        }
    }
    return cond;
}

static Node *moved(const Join *j, const Nest1 *n, const Node *stmt, const Node *copy, Expr *const *at,
                   To *t) {
    const Sym *sym[MAX_LOOPS];
    Expr *value[MAX_LOOPS];
    if (!solve(j, n, at, value)) return NULL;
    for (int i = 0; i < n->nloops; i++) sym[i] = n->loop[i]->iter;
    Expr *cond = lacking(j, n, copy, sym, value);
    Node *m = node_subst(j->a, (Node *)stmt, n->nloops, sym, value);
    Expr **element = NEW_N(j->a, Expr *, j->x->rank + 1);
    for (int d = 0; d < j->x->rank; d++) element[d] = expr_subst(j->a, n->sub[d], n->nloops, sym, value);
    To here = *t;
    here.from = j->x, here.element = element;
    m = accesses_edit(j->a, m, j->x, send, &here);
    return guard_sink(j->a, m, cond);
}

// ---- in the place of a copy ------------------------------------------------------------------------------
// What shall stand there, one after the other; each gets the loops and conditions around the copy.
typedef struct Items {
    int n;
    Node *at[MAX_NESTS * MAX_STMTS + 4];
} Items;

static void put(Items *s, Node *n) {
    if (s->n < (int)(sizeof s->at / sizeof *s->at)) s->at[s->n++] = n;
}

static bool put_nest(const Join *j, Items *s, const Nest1 *n, const Node *copy, Expr *const *at, To *t) {
    for (int i = 0; i < n->nstmts; i++) {
        Node *m = moved(j, n, n->stmt[i], copy, at, t);
        if (!m)
            return change_refuse(j->ch, "the subscripts of %s do not tell the counters of %s", j->x->name,
                                 n->loop[0]->iter->name);
        put(s, m);
    }
    return true;
}

static bool put_nests(const Join *j, Items *s, const Nest1 *n, int count, const Node *copy, Expr *const *at,
                      To *t) {
    for (int i = 0; i < count; i++)
        if (!put_nest(j, s, &n[i], copy, at, t)) return false;
    return true;
}

static bool carries(const Node *n) { // a loop or condition that a copy may be alone in
    if (n->kind == N_FOR) return n->how == HOW_THREAD || n->how == HOW_UNROLL || n->how == HOW_VECTOR;
    return (n->kind == N_IF && !n->other) || (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals);
}

static Node *instead(const Join *j, Node *root, const Node *copy, const Items *s) {
    Path p;
    if (!path_to(root, copy, &p)) return root;
    int top = p.n - 1;
    while (top > 0 && carries(p.node[top - 1])) top--;
    Node *kids[MAX_NESTS * MAX_STMTS + 4];
    for (int i = 0; i < s->n; i++) {
        kids[i] = node_replace(j->a, p.node[top], copy, s->at[i]);
        if (i) kids[i] = change_copy(j->ch, kids[i]);
    }
    return node_replace(j->a, root, p.node[top], node_seq(j->a, s->n, kids));
}

// Registers of the same shape. The results are stored from those that as= names.
static Array *fresh_registers(const Join *j, const Array *acc, bool stored) {
    const char *name[1] = {arena_printf(j->a, stored ? "%s_r" : "%s_t", j->x->name)};
    if (stored) change_names(j->ch, "as", name, 1);
    return array_copy(j->a, acc, change_name(j->ch, name[0]), 0);
}

// The last statement's result goes to registers too, and from there in a copy, which can be made of
// vectors; what it adds to comes the same way. NULL: it stays as it is.
static Array *split_store(const Join *j, Items *s, const To *t) {
    Node *n = s->at[s->n - 1];
    if (j->x->place == PLACE_USER || !j->ndrain || n->kind != N_STMT) return NULL;
    AccessVec v = node_accesses(j->a, n);
    const Access *w = &v.at[0];
    const Array *to = w->array;
    if (n->atomic || to->elem != t->array->elem || to->place != PLACE_USER) return NULL;
    Same m = {.x = to};
    accesses_edit(j->a, n, to, note_sub, &m);
    bool update = n->stmt->op != OP_SET, reads = update;
    for (int i = 1; i < v.n; i++) reads = reads || v.at[i].array == to;
    if (update && m.differ) return NULL;
    Array *r = fresh_registers(j, t->array, true);
    To here = {.a = j->a, .array = r, .sub = t->sub, .writes = m.differ};
    s->at[s->n - 1] = accesses_edit(j->a, n, to, send, &here);
    if (reads && !m.differ) {
        Node *last = s->at[--s->n];
        put(s, node_copy(j->a, r, t->sub, OP_SET, expr_load(j->a, to, (Expr **)w->sub)));
        put(s, last);
    }
    put(s, node_copy(j->a, to, w->sub, OP_SET, expr_load(j->a, r, t->sub)));
    return r;
}

// acc = x[at]  →  the statements that fill it
static Node *join_in(const Join *j, Node *root, Node *copy) {
    Items s = {0};
    To t = {.a = j->a, .array = copy->dst, .sub = copy->sub};
    if (!begins_anew(j)) put(&s, copy);
    return put_nests(j, &s, j->fill, j->nfill, copy, copy->src->args, &t) ? instead(j, root, copy, &s) : NULL;
}

// The element goes back to memory before others are written, from item `first` on: c[j][i] may be the same
// one.
static bool put_store(const Join *j, Items *s, int first, Node *store, const Array *acc) {
    int at = first;
    while (at < s->n && written_by(j, s->at[at]) != j->x) at++;
    for (int i = at; i < s->n; i++)
        if (written_by(j, s->at[i]) == acc)
            return change_refuse(j->ch, "%s is changed behind a store of another of its elements",
                                 j->x->name);
    put(s, store);
    for (int i = s->n - 1; i > at; i--) s->at[i] = s->at[i - 1];
    s->at[at] = store;
    return true;
}

// y declared where x is.
static Node *declare_beside(const Join *j, Node *root, const Array *x, const Array *y) {
    Node *block = block_declaring(root, x);
    return block ? node_replace(j->a, root, block, seq_declare(j->a, block, y)) : root;
}

// ---- what reads it in the kernel -----------------------------------------------------------------------
// Counters of the loops around a copy that are not around the user, and those in the same place around that.
typedef struct Meet {
    int n;
    const Sym *from[PATH_MAX_NODES];
    Expr *to[PATH_MAX_NODES];
} Meet;

static int next_loop(const Path *p, int at) {
    while (at < p->n && p->node[at]->kind != N_FOR) at++;
    return at;
}

static bool meet(const Join *j, Node *root, const Node *copy, const Node *user, Meet *m) {
    Path p, q;
    m->n = 0;
    if (!path_to(root, copy, &p) || !path_to(root, user, &q)) return false;
    int at = next_loop(&p, 0), to = next_loop(&q, 0);
    for (; at < p.n && to < q.n; at = next_loop(&p, at + 1), to = next_loop(&q, to + 1)) {
        if (p.node[at]->how != q.node[to]->how) return false;
        m->from[m->n] = p.node[at]->iter;
        m->to[m->n++] = expr_sym(j->a, q.node[to]->iter);
    }
    return at == p.n && to == q.n;
}

// The registers declared for both: in the innermost block around the two.
static Node *declare_around(const Join *j, Node *root, const Node *copy, const Node *user, const Array *x) {
    Path p, q;
    Node *both = NULL;
    if (!path_to(root, copy, &p) || !path_to(root, user, &q)) return NULL;
    for (int i = 0; i < p.n && i < q.n && p.node[i] == q.node[i]; i++)
        if (p.node[i]->kind == N_SEQ) both = p.node[i];
    Node *block = block_declaring(root, x);
    if (block == both || !both) return both ? root : NULL;
    if (block) {
        Node *n = node_clone(j->a, block);
        int kept = 0;
        n->locals = NEW_N(j->a, const Array *, n->nlocals + 1);
        for (int i = 0; i < block->nlocals; i++)
            if (block->locals[i] != x) n->locals[kept++] = block->locals[i];
        n->nlocals = kept;
        root = node_replace(j->a, root, block, n);
        return declare_around(j, root, copy, user, x);
    }
    return node_replace(j->a, root, both, seq_declare(j->a, both, x));
}

static Node *users_read(const Join *j, Node *root, const Node *copy, const To *t) {
    for (int i = 0; root && i < j->nusers; i++) {
        Meet m;
        if (!meet(j, root, copy, j->user[i], &m)) return NULL;
        Expr **at = NEW_N(j->a, Expr *, j->x->rank + 1), **sub = NEW_N(j->a, Expr *, t->array->rank + 1);
        for (int d = 0; d < j->x->rank; d++) at[d] = expr_subst(j->a, copy->sub[d], m.n, m.from, m.to);
        for (int d = 0; d < t->array->rank; d++) sub[d] = expr_subst(j->a, t->sub[d], m.n, m.from, m.to);
        To here = {.a = j->a, .array = t->array, .sub = sub, .from = j->x, .element = at};
        Node *n = accesses_edit(j->a, (Node *)j->user[i], j->x, send, &here);
        if (node_uses_array(j->a, n, j->x)) return NULL;
        root = declare_around(j, root, copy, j->user[i], t->array);
        root = root ? node_replace(j->a, root, j->user[i], n) : NULL;
    }
    return root;
}

// x[at] = acc, or x[at] += acc  →  the statements that use it up
static Node *join_out(const Join *j, Node *root, Node *copy) {
    Arena *a = j->a;
    Items s = {0};
    const Expr *load = copy->src;
    To t = {.a = a, .array = load->array, .sub = load->args};
    bool adds = copy->op != OP_SET;
    if (adds) {
        t.array = fresh_registers(j, load->array, j->x->place == PLACE_USER);
        if (!begins_anew(j)) put(&s, node_copy(a, t.array, t.sub, OP_SET, expr_load(a, j->x, copy->sub)));
        if (!put_nests(j, &s, j->fill, j->nfill, copy, copy->sub, &t)) return NULL;
        put(&s, node_copy(a, t.array, t.sub, copy->op, copy->src));
    }
    int first = s.n;
    if (!put_nests(j, &s, j->drain, j->ndrain, copy, copy->sub, &t)) return NULL;
    Node *store = node_copy(a, j->x, copy->sub, OP_SET, expr_load(a, t.array, t.sub));
    if (j->x->place == PLACE_USER && !put_store(j, &s, first, store, t.array)) return NULL;
    const Array *r = s.n ? split_store(j, &s, &t) : NULL;
    if (!(root = users_read(j, root, copy, &t)))
        return change_refuse(j->ch, "the kernel does more with %s than to copy it to registers and back",
                             j->x->name), NULL;
    root = instead(j, root, copy, &s);
    if (adds && !j->nusers) root = declare_beside(j, root, load->array, t.array);
    return r ? declare_beside(j, root, load->array, r) : root;
}

// ---- the rule
// ----------------------------------------------------------------------------------------------- The kernels
// alone; a temporary is not needed any more.
static Node *without_nests(const Join *j, Node *const *kernel) {
    Node *n = node_clone(j->a, j->block);
    n->kids = NEW_N(j->a, Node *, j->block->nkids + 1);
    n->nkids = 0;
    for (int k = 0; k < j->block->nkids; k++) {
        bool inside = k >= j->first && k <= j->last;
        if (inside) n->kids[n->nkids++] = kernel[k - j->first];
        else if (!node_uses_array(j->a, j->block->kids[k], j->x)) n->kids[n->nkids++] = j->block->kids[k];
    }
    n->locals = NEW_N(j->a, const Array *, j->block->nlocals + 1);
    n->nlocals = 0;
    for (int i = 0; i < j->block->nlocals; i++)
        if (j->block->locals[i] != j->x || j->x->place == PLACE_USER)
            n->locals[n->nlocals++] = j->block->locals[i];
    return n;
}

static Node *join_kernel(const Join *j, Node *n) {
    Path p;
    for (int k = 0; n && k < j->nin; k++)
        if (path_to(n, j->in[k], &p)) n = join_in(j, n, j->in[k]);
    for (int k = 0; n && k < j->nout; k++)
        if (path_to(n, j->out[k], &p)) n = join_out(j, n, j->out[k]);
    return n;
}

static Nest *apply(Change *ch) {
    Join j = {.ch = ch, .a = ch->a, .x = change_array(ch, ch->step->words[0]), .block = ch->nest->root};
    if (!j.x) return NULL;
    if (j.x->place != PLACE_USER && j.x->place != PLACE_TEMP)
        return change_refuse(ch, "%s is no array in memory", j.x->name);
    if (j.block->kind != N_SEQ) return change_refuse(ch, "nothing stands before or behind the kernel");
    if (!read_nests(&j) || !read_copies(&j)) return NULL;
    Node **kernel = NEW_N(ch->a, Node *, j.last - j.first + 1);
    for (int k = j.first; k <= j.last; k++) {
        kernel[k - j.first] = join_kernel(&j, j.block->kids[k]);
        if (!kernel[k - j.first]) return NULL;
    }
    return change_done(ch, without_nests(&j, kernel));
}

#define SUMS(init, end, permit)                                                                    \
    "sculpt 1 region sums sculpt " permit " { param n: i32 = \"n\" param p: i32 = \"p\" "          \
    "array a[n][p]: f32 = \"a\" array c[n]: f32 = \"c\" live "                                     \
    "do { for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. p { S1[i, k] } S2[i] } } "    \
    "stmt S0[i]: s = " init " stmt S1[i, k]: s += a[i][k] stmt S2[i]: c[i] " end " }"
#define APART "expand s as=sums\ndistribute i\nstrip i_1 by=64 as=ib,ii\nmap block ib\nmap thread ii\n"

static const Knob knobs[] = {
    {"as", "name of the registers from which the results are stored", KNOB_NAMES, 0, 0, NULL, ""},
};

static const RuleExample examples[] = {
    {SUMS("0.0", "= s", ""), APART "hoist sums at=k as=acc", "join sums", NULL},
    {SUMS("c[i]", "= s * 2.0 + c[i]", ""), APART "hoist sums at=k as=acc", "join sums", NULL},
    {SUMS("1.0", "+= s", ""), APART "hoist sums at=k as=acc", "join sums as=end", NULL},
    {SUMS("c[i]", "+= s", "reassociate"), APART "hoist sums at=k init=zero as=acc", "join sums", NULL},
    {SUMS("0.0", "= s", ""), "expand s as=sums\ndistribute i\n", "join sums", "no kernel uses sums"},
    {SUMS("0.0", "= s", ""), APART, "join sums", "hoist it"},
    {SUMS("0.0", "= s", ""), APART "hoist sums at=k as=acc", "join a", "no loops outside"},
    {0},
};

const Rule join_rule = {
    .name = "join",
    .usage = "join ARRAY [as=NAME]",
    .summary = "Moves the loops that fill an array before a kernel, and those that use it up behind it, to "
               "where the kernel has its "
               "elements in registers.",
    .picture = "for i  s[i] = 0                  kernel\n"
               "kernel                               acc = 0\n"
               "    acc = s[x]                       for k  acc += …\n"
               "    for k  acc += …       →          c[x] = 2 * acc\n"
               "    s[x] = acc\n"
               "for i  c[i] = 2 * s[i]\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_join,
    .examples = examples,
};
