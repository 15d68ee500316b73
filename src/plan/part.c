// SPDX-License-Identifier: MIT
// part.c -- a part of a region as a region of its own, and the way back.
#include "plan/part.h"
#include "rule/linear.h"

// A statement of the part and what it is in the whole: instance at[…] over the part's counters and
// parameters, or a copy of the plan's own.
typedef struct PartStmt {
    const Stmt *mine, *whole;    // whole: NULL: a copy
    Expr **at;
    AccessVec access;            // those of mine
    const Array **via;           // of each access, the temporary that it goes to in the whole; NULL: none
} PartStmt;

// A temporary of the whole, which is an array like the user's in the part; or what the part reads of an array
// whose other elements it writes, which is an array of its own.
typedef struct PartTemp {
    const Array *mine, *whole;
} PartTemp;

struct Part {
    Region *region;
    DepInfo *dep;
    int nhost;
    const Sym **host;            // parameters of the part…
    Expr **counter;              // …that are these counters of the host's loops
    VEC(PartStmt) stmts;
    VEC(PartTemp) temps;
    const char *text;            // its region's
    PartNests *nests;            // what was planned for it
    Part *next;                  // of those that were made before
};

typedef struct Build {
    Plan *p;
    Arena *a;
    Part *part;
    const DepInfo *first;        // of the loops as they stand; NULL: not known yet
    Expr **param;                // [nhost], for counters of the host's loops
    const Sym **from;            // [nhost]
    int number;                  // of the next loop, in the text's order
    int nloops;
    const Sym *iter[16];         // the loops around the place
    int nstrides;
    const Sym *strided[16];      // counters of the whole…
    Expr *value[16];             // …that run in strides: what they are
    VEC(const Stmt *) stmts;
    bool no;
} Build;

// Over the part's counters and parameters.
// n - 1 - (n - 1 - i) is i.
static Expr *tidy(Expr *x, void *arg) {
    const Build *b = arg;
    Linear l;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && type_is_int(x->type);
    return sum && linear_of(x, &l) ? linear_expr(b->a, x->type, &l) : expr_map(b->a, x, tidy, arg);
}

static Expr *mine(const Build *b, Expr *x) {
    x = expr_subst(b->a, x, b->p->nhost, b->from, b->param);
    x = expr_subst(b->a, x, b->nstrides, b->strided, b->value);
    return x && b->nstrides ? tidy(x, (void *)b) : x;
}

// ---- there -----------------------------------------------------------------------------------
static Expr *mine_of(Expr *x, void *arg) { return x ? mine(arg, x) : NULL; }

static const Array *part_temp(Build *b, const Array *x) {
    for (int i = 0; i < b->part->temps.n; i++)
        if (b->part->temps.at[i].whole == x) return b->part->temps.at[i].mine;
    b->no = b->no || x->place != PLACE_TEMP || (x->of && x->origin);
    Array *y = array_copy(b->a, x, x->name, 0);
    y->place = PLACE_USER;
    y->of = NULL;
    y->live_out = true;
    y->extent = exprs_map(b->a, x->rank, x->extent, mine_of, b);
    PartTemp t = {y, x};
    vec_push(b->a, &b->part->temps, t);
    return y;
}

// Where the accesses of a node really go, as a statement's own.
static Expr *moved(Expr *x, void *arg) {
    Build *b = arg;
    x = expr_map(b->a, x, moved, b);
    if (x->kind != E_LOAD || x->array->place != PLACE_TEMP) return x;
    Expr *y = expr_load(b->a, part_temp(b, x->array), x->args);
    y->loc = x->loc;
    return y;
}
static Expr *moved_mine(Expr *x, void *arg) { return mine(arg, moved(x, arg)); }

// The value; its accesses follow those of the subscripts.
static Expr *routed_value(Arena *a, const Node *n) {
    int at = 1;
    for (int d = 0; d < n->stmt->lhs->rank; d++) at += expr_loads(n->stmt->sub[d]);
    return node_routed(a, n, n->stmt->rhs, &at);
}

static void reroute_stmt(Build *b, const Node *n, PartStmt *ps, Stmt *s) {
    AccessVec v = node_accesses(b->a, n);
    ps->via = NEW_N(b->a, const Array *, n->nvia);
    for (int k = 0; k < n->nvia; k++) {
        ps->via[k] = n->via[k];
        b->no = b->no || (n->via[k] && n->via[k]->place != PLACE_TEMP);
    }
    if (n->via[0]) s->lhs = part_temp(b, v.at[0].array);
    s->sub = exprs_map(b->a, s->lhs->rank, v.at[0].sub, moved_mine, b);
    s->rhs = moved_mine(routed_value(b->a, n), b);
}

static Node *part_stmt(Build *b, const Node *n) {
    const Stmt *whole = n->stmt;
    Stmt *s = NEW_AS(b->a, Stmt, *whole);
    for (int i = 0; i < b->part->stmts.n; i++) b->no = b->no || b->part->stmts.at[i].whole == whole;
    b->no = b->no || n->atomic;
    s->depth = b->nloops;
    s->iters = NEW_N(b->a, const Sym *, b->nloops + 1);
    s->sub = NEW_N(b->a, Expr *, s->lhs->rank + 1);
    for (int i = 0; i < b->nloops; i++) s->iters[i] = b->iter[i];
    for (int i = 0; i < s->lhs->rank; i++) s->sub[i] = mine(b, node_stmt_expr(b->a, n, whole->sub[i]));
    PartStmt ps = {.mine = s, .whole = whole, .at = NEW_N(b->a, Expr *, whole->depth + 1)};
    if (n->nvia) reroute_stmt(b, n, &ps, s);
    else s->rhs = mine(b, node_stmt_expr(b->a, n, whole->rhs));
    Expr **at = NEW_N(b->a, Expr *, b->nloops + 1);
    for (int i = 0; i < whole->depth; i++) ps.at[i] = mine(b, n->at[i]);
    for (int i = 0; i < b->nloops; i++) at[i] = expr_sym(b->a, b->iter[i]);
    ps.access = stmt_accesses(b->a, s);
    b->no = b->no || (n->nvia && ps.access.n != n->nvia); // what stands for a subscript has other loads
    vec_push(b->a, &b->part->stmts, ps);
    vec_push(b->a, &b->stmts, s);
    return node_stmt(b->a, s, at);
}

// A copy of elements is a statement that sets or updates them.
static Node *part_copy(Build *b, const Node *n) {
    Stmt *s = NEW(b->a, Stmt);
    b->no = b->no || !n->dst || n->dst->place == PLACE_LOCAL;
    if (b->no) return (Node *)n;
    *s = (Stmt){.lhs = n->dst, .op = n->op, .depth = b->nloops};
    s->label = arena_printf(b->a, "copy%d", b->stmts.n);
    if (n->dst->place == PLACE_TEMP) s->lhs = part_temp(b, n->dst);
    s->iters = NEW_N(b->a, const Sym *, b->nloops + 1);
    Expr **at = NEW_N(b->a, Expr *, b->nloops + 1);
    for (int i = 0; i < b->nloops; i++) s->iters[i] = b->iter[i], at[i] = expr_sym(b->a, b->iter[i]);
    s->sub = exprs_map(b->a, s->lhs->rank, n->sub, mine_of, b);
    s->rhs = mine(b, moved(n->src, b));
    vec_push(b->a, &b->part->stmts, ((PartStmt){.mine = s, .access = stmt_accesses(b->a, s)}));
    vec_push(b->a, &b->stmts, s);
    return node_stmt(b->a, s, at);
}

// May its iterations run in any order? Asked of the part as it stands, loop by loop in the text's order.
static bool any_order(const Build *b, int number) {
    if (!b->first || number >= b->first->nloops) return false;
    const LoopFact *f = &b->first->loops[number];
    return f->parallel == ANSWER_ALWAYS || f->reduction == ANSWER_ALWAYS;
}

static Node *part_node(Node *n, void *arg);

// for i = n - 1 … 0 step -1   →   for i = 0 … n
// for i = l … h step s   →   for i' = 0 … trips, i = l + s·i'
// for i = 0 … n  a[n - 1 - i]   →   for i' = 0 … n  a[i'], where any order will do
static Node *part_for(Build *b, Node *n) {
    bool free = any_order(b, b->number++);
    if (b->nloops == 16) return b->no = true, n;
    Node *m = node_clone(b->a, n);
    m->lo = mine(b, n->lo);
    m->hi = mine(b, n->hi);
    int strides = b->nstrides;
    if (n->step == -1 && free) {
        Expr *one = expr_int(b->a, m->lo->type, 1), *lo = m->lo;
        m->lo = expr_add(b->a, m->hi, one);
        m->hi = expr_add(b->a, lo, one);
        m->step = 1;
    } else if (n->step > 1 || (n->step < -1 && free) || (free && loop_falls(b->a, n))) {
        Sym *s = NEW_AS(b->a, Sym, *n->iter);
        s->name = name_fresh(&b->p->names, n->iter->name);
        b->strided[b->nstrides] = n->iter;
        Expr *at = expr_sym(b->a, s), *last = expr_sub(b->a, m->hi, expr_int(b->a, m->hi->type, 1));
        b->value[b->nstrides++] = n->step == 1 ? expr_sub(b->a, expr_add(b->a, m->lo, last), at)
                                               : loop_value(b->a, m, at);
        if (n->step != 1) m->hi = loop_trips(b->a, m);
        if (n->step != 1) m->lo = expr_int(b->a, m->hi->type, 0);
        m->iter = s;
        m->step = 1;
    }
    b->iter[b->nloops++] = m->iter;
    m->body = part_node(n->body, b);
    b->nloops--;
    b->nstrides = strides;
    return m;
}

static Node *part_node(Node *n, void *arg) {
    Build *b = arg;
    if (b->no) return n;
    if (n->kind == N_STMT) return part_stmt(b, n);
    if (n->kind == N_COPY) return part_copy(b, n);
    if (n->kind == N_FOR) return part_for(b, n);
    if (n->kind != N_SEQ && n->kind != N_IF) return b->no = true, n;
    Node *m = node_map(b->a, n, part_node, arg);
    for (int i = 0; i < n->nlocals; i++) b->no = b->no || n->locals[i]->place != PLACE_LOCAL;
    if (n->kind == N_IF) m->cond = mine(b, n->cond);
    return m;
}

// Marks name temporaries as the whole does.
static void rename_marks(Build *b, Node *root) {
    node_each(n, root) {
        if (n->kind != N_FOR || !n->mark || !n->mark->nred) continue;
        Mark *m = NEW_AS(b->a, Mark, *n->mark);
        m->red = NEW_N(b->a, const Array *, m->nred);
        for (int i = 0; i < m->nred; i++) {
            m->red[i] = n->mark->red[i];
            for (int k = 0; k < b->part->temps.n; k++)
                if (b->part->temps.at[k].whole == m->red[i]) m->red[i] = b->part->temps.at[k].mine;
        }
        n->mark = m;
    }
}

// Counters of the host's loops as parameters, with what is known of them.
static void add_host(Build *b, Region *r) {
    const Plan *p = b->p;
    const Region *whole = p->region;
    r->params = NEW_N(b->a, const Sym *, whole->nparams + p->nhost + 1);
    r->assumes = NEW_N(b->a, Expr *, whole->nassumes + 2 * p->nhost + 1);
    for (int i = 0; i < whole->nparams; i++) r->params[i] = whole->params[i];
    for (int i = 0; i < whole->nassumes; i++) r->assumes[i] = whole->assumes[i];
    for (int i = 0; i < p->nhost; i++) {
        const Node *loop = p->host[i];
        Sym *s = NEW_AS(b->a, Sym, (Sym){loop->iter->name, SYM_PARAM, loop->iter->type, NULL});
        b->from[i] = loop->iter;
        b->param[i] = expr_sym(b->a, s);
        b->part->host[i] = r->params[r->nparams++] = s;
        b->part->counter[i] = expr_sym(b->a, loop->iter);
        if (expr_has_load(loop->lo) || expr_has_load(loop->hi)) continue;
        Expr *lo = expr_subst(b->a, loop->lo, i, b->from, b->param),
             *hi = expr_subst(b->a, loop->hi, i, b->from, b->param);
        r->assumes[r->nassumes++] = expr_op(b->a, loop->step > 0 ? OP_GE : OP_LE, b->param[i], lo, NULL);
        r->assumes[r->nassumes++] = expr_op(b->a, loop->step > 0 ? OP_LT : OP_GT, b->param[i], hi, NULL);
    }
}

static bool runs_backwards(Arena *a, Node *n) {
    if (n->kind == N_FOR && (n->step < 0 || loop_falls(a, n))) return true;
    for (int i = 0; node_kid(n, i); i++)
        if (runs_backwards(a, node_kid(n, i))) return true;
    return false;
}

// ---- an array as several --------------------------------------------------------------------------
//
//   for i > t, j > t, k <= t  a[i][j] -= a[i][k] * a[k][j]     →     a[i][j] -= a_1[i][k] * a_2[k][j]
//
// What is read of an array at elements that nothing in the part writes is an array of its own. Every such
// value is the one from before, whenever a nest reads it; on what a nest may read beside it nothing depends.
// That subscripts stay in their rows is the whole region's to ask for.
typedef struct Apart {
    Build *b;
    Relations *r;
    const Stmt *stmt;
    VEC(const Touch *) first;    // read of each new array
    VEC(const Array *) array;
} Apart;

static bool may_meet(const Apart *x, const Touch *u, const Touch *v) {
    if (!arrays_may_overlap(u->array, v->array)) return false;
    isl_map *m = same_element(x->r, u, v);
    bool meet = isl_map_is_empty(m) != isl_bool_true;
    isl_map_free(m);
    return meet;
}

static bool is_load(const Touch *t, const Stmt *s, const Expr *load) {
    bool same = t->ev->node->kind == N_STMT && t->ev->node->stmt == s && t->array == load->array && !t->write;
    for (int d = 0; same && d < load->array->rank; d++) same = expr_equal(t->sub[d], load->args[d]);
    return same;
}

// The load's touch where nothing writes what it reads; NULL: something may, or the array is only read anyway.
static const Touch *never_written(const Apart *x, const Expr *load) {
    const Touch *read = NULL;
    if (load->array->place != PLACE_USER || !region_writes(x->r->region, load->array)) return NULL;
    for (int i = 0; i < x->r->touches.n && !read; i++)
        if (is_load(&x->r->touches.at[i], x->stmt, load)) read = &x->r->touches.at[i];
    for (int i = 0; i < x->r->touches.n && read; i++) {
        const Touch *t = &x->r->touches.at[i];
        if (t->write && may_meet(x, t, read)) read = NULL;
    }
    return read;
}

static const Array *whole_of(const Part *p, const Array *x) {
    for (int i = 0; i < p->temps.n; i++)
        if (p->temps.at[i].mine == x) return p->temps.at[i].whole;
    return x;
}

static const Array *own_array(Apart *x, const Touch *t) {
    Build *b = x->b;
    for (int i = 0; i < x->first.n; i++)
        if (may_meet(x, x->first.at[i], t)) return x->array.at[i];
    Array *y = array_copy(b->a, t->array, name_fresh(&b->p->names, t->array->name), 0);
    y->live_out = false;
    PartTemp temp = {y, whole_of(b->part, t->array)};
    vec_push(b->a, &b->part->temps, temp);
    vec_push(b->a, &x->first, t);
    vec_push(b->a, &x->array, y);
    return y;
}

static Expr *apart(Expr *e, void *arg) {
    Apart *x = arg;
    const Touch *t = e->kind == E_LOAD ? never_written(x, e) : NULL;
    if (!t) return expr_map(x->b->a, e, apart, x);
    Expr *y = expr_load(x->b->a, own_array(x, t), e->args);
    y->loc = e->loc;
    return y;
}

static void tell_apart(Build *b, Region *r) {
    Apart x = {.b = b};
    bool any = false;
    for (int i = 0; i < b->part->stmts.n; i++) {
        const AccessVec *v = &b->part->stmts.at[i].access;
        for (int k = 1; k < v->n; k++) any |= region_writes(r, v->at[k].array);
    }
    if (!any) return;
    x.r = relations_new(b->p->c, r, r->root);
    for (int i = 0; i < b->part->stmts.n; i++) {
        PartStmt *ps = &b->part->stmts.at[i];
        Stmt *s = (Stmt *)ps->mine;
        x.stmt = s;
        s->rhs = apart(s->rhs, &x);
        ps->access = stmt_accesses(b->a, s);
    }
}

// ---- parts that were there before ------------------------------------------------------------------
// Loops cut in other ways have many parts in common: what was found out about one, and was planned for it,
// holds for the next of the same text.
static bool is_like(const Part *x, const Part *y) {
    const Region *r = x->region, *s = y->region;
    bool like = x->nhost == y->nhost && x->stmts.n == y->stmts.n && x->temps.n == y->temps.n &&
                r->narrays == s->narrays && str_eq(x->text, y->text);
    for (int i = 0; like && i < r->narrays - x->temps.n; i++) like = r->arrays[i] == s->arrays[i];
    for (int i = 0; like && i < x->stmts.n; i++)
        like = x->stmts.at[i].mine->depth == y->stmts.at[i].mine->depth;
    return like;
}

// The part in the words of x: its statements are those of x, and what they are in the whole stays.
static void adopt(Arena *a, Part *part, const Part *x) {
    for (int i = 0; i < part->stmts.n; i++) {
        PartStmt *s = &part->stmts.at[i];
        const PartStmt *t = &x->stmts.at[i];
        int n = s->mine->depth + part->nhost;
        const Sym **from = NEW_N(a, const Sym *, n + 1);
        Expr **to = NEW_N(a, Expr *, n + 1);
        for (int k = 0; k < n; k++) {
            int host = k - s->mine->depth;
            from[k] = host < 0 ? s->mine->iters[k] : part->host[host];
            to[k] = expr_sym(a, host < 0 ? t->mine->iters[k] : x->host[host]);
        }
        for (int k = 0; s->whole && k < s->whole->depth; k++) s->at[k] = expr_subst(a, s->at[k], n, from, to);
        s->mine = t->mine;
        s->access = t->access;
    }
    for (int i = 0; i < part->temps.n; i++) part->temps.at[i].mine = x->temps.at[i].mine;
    part->host = x->host;
    part->region = x->region;
    part->dep = x->dep;
    part->nests = x->nests;
}

// Dependences; those of a part that was there before.
static void analyze(Compile *c, Part *part) {
    part->text = ir_print_region(c->arena, part->region);
    for (Part *x = c->parts; x; x = x->next)
        if (is_like(x, part)) return adopt(c->arena, part, x);
    part->dep = NEW(c->arena, DepInfo);
    *part->dep = *dep_analyze(c, part->region);
    part->nests = NEW_N(c->arena, PartNests, 2);
    part->next = c->parts;
    c->parts = part;
}

PartNests *part_nests(const Part *part, bool called) { return &part->nests[called]; }

void parts_begin_call(Compile *c) {
    for (Part *x = c->parts; x; x = x->next) *part_nests(x, true) = (PartNests){0};
}

// `first`: what is known of the loops as they stand; NULL: they stay so.
static Part *build(Plan *p, Node *tree, const DepInfo *first) {
    Arena *a = p->a;
    Region *r = NEW(a, Region);
    Part *part = NEW(a, Part);
    Build b = {.p = p,
               .a = a,
               .part = part,
               .first = first,
               .param = NEW_N(a, Expr *, p->nhost + 1),
               .from = NEW_N(a, const Sym *, p->nhost + 1)};
    *r = *p->region;
    *part = (Part){.region = r,
                   .nhost = p->nhost,
                   .host = NEW_N(a, const Sym *, p->nhost + 1),
                   .counter = NEW_N(a, Expr *, p->nhost + 1)};
    add_host(&b, r);
    Node *root = part_node(tree, &b);
    if (b.no) return NULL;
    rename_marks(&b, root);
    r->root = root->kind == N_SEQ ? root : node_seq(a, 1, &root);
    r->nstmts = b.stmts.n;
    r->stmts = b.stmts.at;
    tell_apart(&b, r);
    r->arrays = NEW_N(a, const Array *, p->region->narrays + part->temps.n + 1);
    r->narrays = 0;
    for (int i = 0; i < p->region->narrays; i++)
        if (node_uses_array(a, r->root, p->region->arrays[i])) r->arrays[r->narrays++] = p->region->arrays[i];
    for (int i = 0; i < part->temps.n; i++) r->arrays[r->narrays++] = part->temps.at[i].mine;
    analyze(p->c, part);
    if (part->dep->gave_up || !part->dep->bounds) return NULL;
    part->dep->bounds = expr_int(a, T_I32, 1);
    part->dep->never = NULL;
    return part;
}

Part *part_new(Plan *p, Node *tree) {
    Part *part = build(p, tree, NULL);
    return part && runs_backwards(p->a, tree) ? build(p, tree, part->dep) : part;
}

const Region *part_region(const Part *part) { return part->region; }
const DepInfo *part_dep(const Part *part) { return part->dep; }

bool part_lives(const Part *part) {
    for (int i = 0; i < part->stmts.n; i++) {
        const Array *x = part->stmts.at[i].mine->lhs;
        if (x->place == PLACE_USER && !x->live_out) return false;
    }
    return true;
}

// ---- and back ------------------------------------------------------------------------------------
typedef struct Back {
    Plan *p;
    Arena *a;
    const Part *part;
    VEC(const Sym *) from;       // parameters of the part, facts of its nest, counters:
    VEC(Expr *) to;              // what they are in the whole
    VEC(const Array *) old, fresh;
    bool no;
} Back;

static void put(Back *b, const Sym *from, Expr *to) {
    vec_push(b->a, &b->from, from);
    vec_push(b->a, &b->to, to);
}

static void begin(Back *b, const Nest *n) {
    for (int i = 0; i < b->part->nhost; i++) put(b, b->part->host[i], b->part->counter[i]);
    for (int i = 0; i < b->part->temps.n; i++) {
        vec_push(b->a, &b->old, b->part->temps.at[i].mine);
        vec_push(b->a, &b->fresh, b->part->temps.at[i].whole);
    }
    for (int i = 0; i < n->nfacts; i++) {
        const Fact *f = &n->facts[i];
        const Array *x = whole_of(b->part, f->array);
        bool temp = x && x->place == PLACE_TEMP; // it is aligned
        put(b, f->sym, temp ? expr_int(b->a, T_I64, 0) : plan_fact(b->p, f->kind, x));
    }
}

static const Array *back_array(const Back *b, const Array *x) {
    for (int i = 0; i < b->old.n; i++)
        if (b->old.at[i] == x) return b->fresh.at[i];
    return x;
}

static Expr *back(Expr *x, void *arg) {
    const Back *b = arg;
    if (!x) return NULL;
    x = expr_subst(b->a, x, b->from.n, b->from.at, b->to.at);
    for (int i = 0; i < b->old.n; i++) x = expr_redirect(b->a, x, b->old.at[i], b->fresh.at[i]);
    return x;
}

// Is it a local that the program's own text names?
static bool is_of_text(const Part *part, const Array *x) {
    for (int i = 0; i < part->stmts.n; i++)
        for (int k = 0; k < part->stmts.at[i].access.n; k++)
            if (part->stmts.at[i].access.at[k].array == x) return true;
    return false;
}

// How a size goes with a counter: EVEN is affine, CONVEX greatest at an end of the counter's range, and SO a
// growing function of such a one.
typedef enum Going { EVEN, CONVEX, SO, OTHERWISE } Going;

static Going going(const Expr *x, const Sym *i) {
    if (!expr_uses_sym(x, i) || x->kind == E_SYM) return EVEN;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type)) return going(x->args[0], i);
    if (x->kind != E_OP || !type_is_int(x->type) || x->nargs != 2) return OTHERWISE;
    Going l = going(x->args[0], i), r = going(x->args[1], i), most = l > r ? l : r;
    const Expr *by = x->args[1]->kind == E_INT ? x->args[1] : x->args[0];
    bool grows = by->kind == E_INT && by->i > 0;
    switch (x->op) {
    case OP_ADD:
        return most <= CONVEX || !expr_uses_sym(x->args[0], i) || !expr_uses_sym(x->args[1], i) ? most
                                                                                                : OTHERWISE;
    case OP_SUB: return r == EVEN && (l <= CONVEX || !expr_uses_sym(x->args[1], i)) ? l : OTHERWISE;
    case OP_MUL: return grows ? most : OTHERWISE;
    case OP_DIV:
    case OP_FDIV: return grows && !expr_uses_sym(x->args[1], i) && l != OTHERWISE ? SO : OTHERWISE;
    case OP_MAX: return most == EVEN ? CONVEX : most;
    default: return OTHERWISE;
    }
}

// The greatest that a size is while the host's loops run. NULL: it can't be told.
static Expr *greatest(const Back *b, Expr *x) {
    for (int i = b->p->nhost - 1; x && i >= 0; i--) {
        const Node *loop = b->p->host[i];
        if (!expr_uses_sym(x, loop->iter)) continue;
        if (going(x, loop->iter) == OTHERWISE) return NULL;
        if (expr_has_load(loop->lo) || expr_has_load(loop->hi)) return NULL;
        Type t = loop->iter->type;
        Expr *one = expr_int(b->a, t, loop->step > 0 ? 1 : -1), *lo = expr_cast(b->a, t, loop->lo);
        Expr *last = expr_sub(b->a, expr_cast(b->a, t, loop->hi), one);
        x = expr_op(b->a, OP_MAX, expr_subst(b->a, x, 1, &loop->iter, &lo),
                    expr_subst(b->a, x, 1, &loop->iter, &last), NULL);
    }
    return x && !expr_uses_iters(x) ? x : NULL;
}

// A buffer under a name of its own.
static void back_local(Back *b, const Array *x) {
    if (is_of_text(b->part, x)) return;
    Array *y = array_copy(b->a, x, name_fresh(&b->p->names, x->name), 0);
    y->of = x->of ? (Array *)back_array(b, x->of) : NULL;
    if (x->extent) y->extent = exprs_map(b->a, x->rank, x->extent, back, b);
    if (x->origin) y->origin = exprs_map(b->a, x->rank, x->origin, back, b);
    for (int i = 0; x->place == PLACE_TEMP && i < x->rank; i++) {
        y->extent[i] = y->extent[i] ? greatest(b, y->extent[i]) : NULL;
        b->no = b->no || !y->extent[i];
    }
    vec_push(b->a, &b->old, x);
    vec_push(b->a, &b->fresh, y);
}

// Where accesses go that are to a temporary in the whole: there, or to a buffer of what it is in the part.
static void back_via(Back *b, const PartStmt *s, const Node *n, Node *m) {
    *m = *node_rerouted(b->a, m, s->access.n);
    for (int k = 0; k < s->access.n; k++) {
        const Access *x = &s->access.at[k];
        if (!s->via[k]) continue;
        if (!m->via[k]) m->via[k] = s->via[k];
        if (m->via_sub[k]) continue;
        m->via_sub[k] = NEW_N(b->a, Expr *, x->array->rank + 1);
        for (int i = 0; i < x->array->rank; i++)
            m->via_sub[k][i] = back(node_stmt_expr(b->a, n, x->sub[i]), b);
    }
}

static Node *back_copy(Back *b, const Node *n) {
    AccessVec v = node_accesses(b->a, n);
    Expr *src = back(routed_value(b->a, n), b);
    Expr **sub = exprs_map(b->a, v.at[0].array->rank, v.at[0].sub, back, b);
    return node_copy(b->a, back_array(b, v.at[0].array), sub, n->stmt->op, src);
}

static Node *back_stmt(Back *b, const Node *n, const Node *was) {
    for (int k = 0; k < b->part->stmts.n; k++)
        if (b->part->stmts.at[k].mine == n->stmt && !b->part->stmts.at[k].whole) return back_copy(b, was);
    Node *m = node_map_exprs(b->a, n, back, b);
    if (n->nvia) m->via = NEW_N(b->a, const Array *, n->nvia);
    for (int i = 0; i < n->nvia; i++) m->via[i] = n->via[i] ? back_array(b, n->via[i]) : NULL;
    for (int k = 0; k < b->part->stmts.n; k++) {
        const PartStmt *s = &b->part->stmts.at[k];
        if (s->mine != n->stmt) continue;
        if (s->via) back_via(b, s, was, m);
        m->stmt = s->whole;
        Expr **at = m->at;
        m->at = NEW_N(b->a, Expr *, s->whole->depth + 1);
        for (int i = 0; i < s->whole->depth; i++)
            m->at[i] = back(expr_subst(b->a, s->at[i], n->stmt->depth, n->stmt->iters, at), b);
    }
    return m;
}

static Node *back_node(Node *n, void *arg);

static Node *back_loop(Back *b, const Node *n) {
    Node *m = node_clone(b->a, n);
    m->lo = back(n->lo, b);
    m->hi = back(n->hi, b);
    m->iter = iter_fresh(&b->p->names, n->iter->name, n->iter->type);
    put(b, n->iter, expr_sym(b->a, m->iter));
    m->body = back_node(n->body, b);
    b->from.n--;
    b->to.n--;
    return m;
}

static Node *back_node(Node *n, void *arg) {
    Back *b = arg;
    for (int i = 0; i < n->nlocals; i++) back_local(b, n->locals[i]);
    if (n->kind == N_FOR) return back_loop(b, n);
    Node *m = n->kind == N_KERNEL ? node_clone(b->a, n) : node_map(b->a, n, back_node, b);
    if (n->nlocals) m->locals = NEW_N(b->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) m->locals[i] = back_array(b, n->locals[i]);
    if (n->kind == N_STMT) return back_stmt(b, m, n);
    if (n->kind != N_KERNEL) m = node_map_exprs(b->a, m, back, b);
    if (n->kind == N_COPY) m->dst = back_array(b, n->dst);
    if (n->kind != N_KERNEL) return m;
    m->name = kernel_name(b->p);
    m->body = back_node(n->body, b);
    return m;
}

Node *part_back(Plan *p, const Part *part, const Nest *n) {
    Back b = {.p = p, .a = p->a, .part = part};
    begin(&b, n);
    Node *m = back_node(n->root, &b);
    return b.no ? NULL : m;
}

Expr *part_expr(Plan *p, const Part *part, const Nest *n, Expr *x) {
    Back b = {.p = p, .a = p->a, .part = part};
    begin(&b, n);
    return back(x, &b);
}
