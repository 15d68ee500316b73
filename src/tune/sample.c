// SPDX-License-Identifier: MIT
// sample.c -- elements of a region's results, computed in double precision one at a time.
//
//   for j { for k { for i { a[j][i] += b[k][i] * c[j][k] } } }      element a[7][3]:
//       ▲ only 7                ▲ only 3        k runs; sums are kept in FP64
//
// A loop whose counter is a subscript of every store below it runs for one iteration alone, unless locals
// from around it are stored there, too. What stores nothing that matters is left out. A region that reads
// other elements of what it writes cannot be taken apart so, and is refused.
#include "ir/value.h"
#include "tune/pool.h"
#include "tune/sample.h"
#include <math.h>
#include <string.h>

enum { SAMPLE_RANK = 8, SAMPLE_SYMS = 64, LEAST = 16 };
static const double SECONDS = 4; // for the samples of one array: more would take longer than all else

// A node of the region with what sampling one array makes of it.
typedef struct Part {
    const Node *node;
    bool skip;             // stores neither the array nor a local
    int dim;               // N_FOR: the subscript that its counter is; -1: it runs
    int nkids;
    struct Part **kids;
} Part;

typedef struct Local {
    const Array *array;
    int64_t elements;
    int64_t extent[SAMPLE_RANK];
    int64_t at;            // where its values begin
} Local;

typedef struct Plan {
    const Case *c;
    const Array *target;
    Part *root;
    VEC(Local) locals;
    int64_t nvalues;       // of all locals
    const char *why;
} Plan;

typedef struct Binding {
    const Sym *sym;
    Value v;
} Binding;

typedef struct Eval {
    const Plan *p;
    const int64_t *element;
    int n;
    Binding bound[SAMPLE_SYMS];
    Value *locals;
    Value value;           // of the element, so far
    double terms;
    const char *why;       // why it can't be computed
} Eval;

static bool is_float(const Expr *x) { return type_is_float(x->type); }
static Type wide(Type t) { return type_is_float(t) ? T_F64 : t; }

// ---- memory ------------------------------------------------------------------------------------
static Value load_bytes(Type t, const char *at) {
    Value v = {.i = 0};
    float f;
    switch (t) {
    case T_F32: memcpy(&f, at, 4); v.f = f; break;
    case T_F64: memcpy(&v.f, at, 8); break;
    default: memcpy(&v.i, at, (size_t)type_size(t)); v.i = value_wrap(t, v.i); break;
    }
    return v;
}

static const Object *object_of(const Case *c, const Array *a) {
    for (int i = 0; i < c->nobjects; i++)
        if (str_eq(c->objects[i].name, a->object)) return &c->objects[i];
    return NULL;
}

static Value eval(Eval *e, const Expr *x);

static bool evaluate_all(Eval *e, int n, Expr *const *x, int64_t *out) {
    for (int d = 0; d < n; d++) out[d] = eval(e, x[d]).i;
    return !e->why;
}

static bool is_target(const Eval *e, const Array *a, const int64_t *at) {
    return a == e->p->target && memcmp(at, e->element, sizeof *at * (size_t)a->rank) == 0;
}

static Value *local_at(Eval *e, const Array *a, const int64_t *at) {
    for (int i = 0; i < e->p->locals.n; i++) {
        const Local *l = &e->p->locals.at[i];
        if (l->array != a) continue;
        int64_t k = 0;
        for (int d = 0; d < a->rank; d++) k = k * l->extent[d] + at[d];
        if (k >= 0 && k < l->elements) return &e->locals[l->at + k];
    }
    e->why = "a local array is read outside itself";
    return &e->value;
}

static int64_t offset_of(const Case *c, const Array *a, const int64_t *at) {
    int64_t k = 0, extent = 0;
    for (int d = 0; d < a->rank; d++) {
        if (d && !ir_eval(a->extent[d], c->nvals, c->vals, &extent)) return -1;
        k = d ? k * extent + at[d] : at[d];
    }
    return a->offset + k * a->stride;
}

static Value load(Eval *e, const Expr *x) {
    const Array *a = x->array;
    int64_t at[SAMPLE_RANK];
    if (!evaluate_all(e, a->rank, x->args, at)) return (Value){.i = 0};
    if (a->place == PLACE_LOCAL) return *local_at(e, a, at);
    if (is_target(e, a, at)) return e->value;
    const Object *o = object_of(e->p->c, a);
    int64_t offset = offset_of(e->p->c, a, at);
    if (!o || offset < 0 || (size_t)offset + (size_t)type_size(a->elem) > o->bytes)
        e->why = "a subscript leaves its array";
    else if (o->out) e->why = "elements of what it writes depend on each other";
    else return load_bytes(a->elem, o->host + offset);
    return (Value){.i = 0};
}

// ---- expressions ---------------------------------------------------------------------------------
static Value lookup(Eval *e, const Sym *s) {
    for (int i = e->n - 1; i >= 0; i--)
        if (e->bound[i].sym == s) return e->bound[i].v;
    e->why = "a symbol has no value";
    return (Value){.i = 0};
}

static void bind(Eval *e, const Sym *s, Value v) {
    if (e->n == SAMPLE_SYMS) e->why = "loops nest too deep";
    else e->bound[e->n++] = (Binding){s, v};
}

// The double form of a math function: sqrtf becomes sqrt.
static const MathFn *function(const char *name, Type t) {
    char stem[32];
    size_t n = strlen(name);
    const MathFn *fn = math_find(name, t);
    if (fn && fn->arg[0] != T_F32) return fn;
    if (n < 2 || n > sizeof stem || name[n - 1] != 'f') return NULL;
    memcpy(stem, name, n - 1);
    stem[n - 1] = 0;
    return math_find(stem, wide(t));
}

static Value operate(Eval *e, const Expr *x) {
    Value v[3], r = {.i = 0};
    const Type t = x->args[0]->type;
    if (x->op == OP_SELECT) return eval(e, x->args[value_true(t, eval(e, x->args[0])) ? 1 : 2]);
    if (x->op == OP_LAND || x->op == OP_LOR) {
        bool first = value_true(t, eval(e, x->args[0]));
        if (first == (x->op == OP_LOR)) r.i = first;
        else r.i = value_true(x->args[1]->type, eval(e, x->args[1]));
        return r;
    }
    for (int k = 0; k < x->nargs && k < 3; k++) v[k] = eval(e, x->args[k]);
    if (!value_op(x->op, wide(t), v, &r) && !e->why) e->why = "an operation has no value";
    return r;
}

static Value eval(Eval *e, const Expr *x) {
    Value v[3], r = {.i = 0};
    switch (x->kind) {
    case E_INT: r.i = x->i; break;
    case E_FLOAT: r.f = x->f; break;
    case E_SYM: return lookup(e, x->sym);
    case E_LOAD: return load(e, x);
    case E_OP: return operate(e, x);
    case E_CAST:
        r = eval(e, x->args[0]);
        if (is_float(x) != is_float(x->args[0]) || !is_float(x))
            value_cast(wide(x->args[0]->type), wide(x->type), r, &r);
        break;
    case E_CALL: {
        const MathFn *fn = function(x->fn, x->type);
        for (int k = 0; k < x->nargs && k < 3; k++) v[k] = eval(e, x->args[k]);
        if (fn && x->nargs <= 3) r = math_call(fn, v);
        else e->why = "a function has no double form";
    }
    }
    return r;
}

// ---- the tree -------------------------------------------------------------------------------------
static Value combine(Eval *e, const Stmt *s, Value old, Value v) {
    Value x[2] = {old, v}, r = v;
    if (s->op == OP_SET) return v;
    if (s->op == OP_LAND) r.i = value_true(s->lhs->elem, old) && value_true(s->lhs->elem, v);
    else if (s->op == OP_LOR) r.i = value_true(s->lhs->elem, old) || value_true(s->lhs->elem, v);
    else if (!value_op(s->op, wide(s->lhs->elem), x, &r)) e->why = "an operation has no value";
    return r;
}

static void statement(Eval *e, const Node *n) {
    const Stmt *s = n->stmt;
    int mark = e->n;
    int64_t at[SAMPLE_RANK];
    for (int i = 0; i < s->depth; i++) {
        Value v = eval(e, n->at[i]);
        bind(e, s->iters[i], v);
    }
    if (evaluate_all(e, s->lhs->rank, s->sub, at)) {
        bool local = s->lhs->place == PLACE_LOCAL;
        Value *to = local ? local_at(e, s->lhs, at) : is_target(e, s->lhs, at) ? &e->value : NULL;
        if (to && !e->why) {
            *to = combine(e, s, *to, eval(e, s->rhs));
            e->terms += s->op != OP_SET;
        }
    }
    e->n = mark;
}

static void run(Eval *e, const Part *p);

static void loop(Eval *e, const Part *p) {
    const Node *n = p->node;
    int64_t lo = eval(e, n->lo).i, hi = eval(e, n->hi).i, step = n->step;
    if (e->why) return;
    if (p->dim >= 0) {
        int64_t v = e->element[p->dim];
        if (step > 0 ? v < lo || v >= hi : v > lo || v <= hi) return;
        if ((v - lo) % step) return;
        lo = v, hi = step > 0 ? v + 1 : v - 1;
    }
    for (int64_t i = lo; (step > 0 ? i < hi : i > hi) && !e->why; i += step) {
        bind(e, n->iter, (Value){.i = i});
        run(e, p->kids[0]);
        e->n--;
    }
}

static void run(Eval *e, const Part *p) {
    if (!p || p->skip || e->why) return;
    switch (p->node->kind) {
    case N_FOR: loop(e, p); break;
    case N_STMT: statement(e, p->node); break;
    case N_IF: run(e, p->kids[value_true(p->node->cond->type, eval(e, p->node->cond)) ? 0 : 1]); break;
    default:
        for (int k = 0; k < p->nkids; k++) run(e, p->kids[k]);
    }
}

// ---- what sampling one array makes of the tree ----------------------------------------------------
static const Expr *bare(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x;
}

// The subscript of the statement's store that is the loop's counter; -1: none.
static int subscript(const Node *n, const Sym *loop) {
    for (int d = 0; d < n->stmt->lhs->rank; d++) {
        const Expr *x = bare(n->stmt->sub[d]);
        for (int i = 0; i < n->stmt->depth && x->kind == E_SYM; i++)
            if (n->stmt->iters[i] == x->sym && bare(n->at[i])->kind == E_SYM && bare(n->at[i])->sym == loop)
                return d;
    }
    return -1;
}

typedef struct Stores {
    const Plan *plan;      // its locals: those around the loop
    const Sym *loop;
    int dim;               // -2: none met so far
    bool local;            // a local is stored too
} Stores;

static void meet(Stores *s, const Node *n) {
    if (n->kind != N_STMT) return;
    const Array *to = n->stmt->lhs;
    bool around = false;
    for (int i = 0; i < s->plan->locals.n; i++) around |= s->plan->locals.at[i].array == to;
    if (to->place == PLACE_LOCAL) s->local = true;
    if (to != s->plan->target && !around) return;
    int d = s->loop && !around ? subscript(n, s->loop) : -1;
    s->dim = s->dim == -2 || s->dim == d ? d : -1;
}

static Part *part_new(Plan *p, Node *n) {
    if (!n) return NULL;
    Arena *a = p->c->a;
    Part *q = NEW(a, Part);
    Stores s = {p, n->kind == N_FOR ? n->iter : NULL, -2, false};
    node_each(m, n) meet(&s, m);
    *q = (Part){.node = n, .skip = s.dim == -2 && !s.local, .dim = s.dim < 0 ? -1 : s.dim};
    for (int k = 0; k < n->nlocals; k++) {
        Local l = {.array = n->locals[k], .elements = 1, .at = p->nvalues};
        if (l.array->rank > SAMPLE_RANK) return p->why = "an array has too many subscripts", q;
        for (int d = 0; d < l.array->rank; d++) {
            if (!ir_eval(l.array->extent[d], p->c->nvals, p->c->vals, &l.extent[d]) || l.extent[d] < 1 ||
                l.extent[d] > 1 << 20)
                return p->why = "a local array has no size", q;
            l.elements *= l.extent[d];
        }
        p->nvalues += l.elements;
        vec_push(a, &p->locals, l);
    }
    Node **kids = n->kind == N_SEQ ? n->kids : NULL, *pair[2] = {n->kind == N_IF ? n->then : n->body,
        n->other};
    q->nkids = n->kind == N_SEQ ? n->nkids : n->kind == N_IF ? 2 : n->body ? 1 : 0;
    q->kids = NEW_N(a, Part *, q->nkids + 1);
    for (int k = 0; k < q->nkids; k++) q->kids[k] = part_new(p, kids ? kids[k] : pair[k]);
    return q;
}

// ---- choosing and computing -----------------------------------------------------------------------
typedef struct Job {
    Plan *plan;
    int64_t *elements;     // [n][rank]
    Sample *samples;
    const char **why;      // [n]
} Job;

static void compute(int64_t i, void *arg) {
    Job *j = arg;
    const Plan *p = j->plan;
    const Case *c = p->c;
    Sample *s = &j->samples[i];
    Arena *scratch = arena_new();
    Eval e = {.p = p,
              .element = &j->elements[i * SAMPLE_RANK],
              .locals = NEW_N(scratch, Value, p->nvalues + 1)};
    const Object *o = &c->objects[s->object];
    e.value = load_bytes(p->target->elem, o->host + s->offset);
    for (int k = 0; k < c->nvals; k++)
        bind(&e, c->vals[k].sym,
             type_is_float(c->vals[k].sym->type) ? (Value){.f = c->vals[k].f} : (Value){.i = c->vals[k].i});
    run(&e, p->root);
    s->value = type_is_float(p->target->elem) ? e.value.f : (double)e.value.i;
    s->terms = e.terms < 1 ? 1 : e.terms;
    j->why[i] = e.why;
    arena_free(scratch);
}

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The i-th element of a box: all of them if it is small, else corners, then anywhere, every
// fourth within a tile of the far end of one dimension.
static void choose(int i, int n, int rank, const int64_t *lo, const int64_t *hi, uint64_t *state,
                   int64_t *out) {
    double all = 1;
    for (int d = 0; d < rank; d++) all *= (double)(hi[d] - lo[d] + 1);
    int64_t rest = i;
    int edge = i % 4 == 0 && rank ? (int)(next(state) % (uint64_t)rank) : -1;
    for (int d = rank - 1; d >= 0; d--) {
        int64_t size = hi[d] - lo[d] + 1;
        if (all <= n) out[d] = lo[d] + rest % size, rest /= size;
        else if (i < 1 << rank) out[d] = i >> d & 1 ? hi[d] : lo[d];
        else if (d == edge) out[d] = hi[d] - (int64_t)(next(state) % (uint64_t)(size < 130 ? size : 130));
        else out[d] = lo[d] + (int64_t)(next(state) % (uint64_t)size);
    }
}

static const char *sample_array(Case *c, const Foot *f, int n, uint64_t *state) {
    Plan p = {.c = c, .target = f->array};
    int rank = f->array->rank, object = 0;
    int64_t lo[SAMPLE_RANK], hi[SAMPLE_RANK];
    double all = 1;
    if (rank > SAMPLE_RANK) return "an array has too many subscripts";
    while (!str_eq(c->objects[object].name, f->array->object)) object++;
    for (int d = 0; d < rank; d++) {
        if (!ir_eval(f->lo[d], c->nvals, c->vals, &lo[d]) || !ir_eval(f->hi[d], c->nvals, c->vals, &hi[d]))
            return "how much is written cannot be told";
        if (hi[d] < lo[d]) return NULL;
        all *= (double)(hi[d] - lo[d] + 1);
    }
    if (all < n) n = (int)all;
    p.root = part_new(&p, c->region->root);
    if (p.why) return p.why;
    Job j = {&p, NEW_N(c->a, int64_t, (int64_t)n * SAMPLE_RANK), NEW_N(c->a, Sample, c->nsamples + n),
             NEW_N(c->a, const char *, n)};
    if (c->nsamples) memcpy(j.samples, c->samples, sizeof *j.samples * (size_t)c->nsamples);
    Sample *all_samples = j.samples;
    j.samples += c->nsamples;
    for (int i = 0; i < n; i++) {
        int64_t *at = &j.elements[(int64_t)i * SAMPLE_RANK];
        choose(i, n, rank, lo, hi, state, at);
        j.samples[i] = (Sample){.array = f->array, .object = object, .offset = offset_of(c, f->array, at)};
        if (j.samples[i].offset < 0) return "an array has no extent";
    }
    double start = time_now();
    compute(0, &j);
    double fits = SECONDS * c->lab->threads / (time_now() - start + 1e-9);
    if (fits < n) n = fits < LEAST ? (n < LEAST ? n : LEAST) : (int)fits;
    pool_run(c->lab->threads, n, compute, &j);
    for (int i = 0; i < n; i++)
        if (j.why[i]) return j.why[i];
    c->samples = all_samples;
    c->nsamples += n;
    return NULL;
}

const char *sample_make(Case *c, int n, uint64_t seed) {
    uint64_t state = seed ^ 0x5eed;
    const char *why = NULL;
    for (int i = 0; i < c->dep->nfeet && !why; i++)
        if (c->dep->feet[i].out) why = sample_array(c, &c->dep->feet[i], n, &state);
    if (why) c->nsamples = 0;
    return why;
}
