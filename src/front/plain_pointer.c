// SPDX-License-Identifier: MIT
// plain_pointer.c -- loops that a pointer counts, as loops that a whole number counts.
//
//   for (p = a; p < e; p++) S     for (T *from = (p = a, p), k = 0; k < e - from; k++, p++) S
//   while (p < e) *q++ = *p++;    for (T *from = p, k = 0; k < e - from; k++) *q++ = *p++;
//   while (p-- > a) S             for (T *from = p, *on = (p--, p), k = 0; k < from - a; k++, p--) S
//   while (--p >= a) S            for (T *from = (--p, p), k = 0; k < from - a + 1; k++, --p) S
//   do S while (++p != e);        for (T *from = p, k = 0; k < max(1, e - from); k++, ++p) S
//   for (; p < e; p += by) S      for (T *from = p, k = 0; k < (by > 0 ? (e - from + by - 1) / by : 0); …) S
//   while (p < e && q < f) S      for (…; k < min(e - from, f - start); k++) S
//
// The pointer moves as it did (accept_move.c), so it is what it should be in the body and behind the loop. It
// is changed at one place that each iteration comes to once, and the loop leaves its bound as it is.
#include "front/accept.h"
#include "front/plain.h"

// A loop that a pointer counts.
typedef struct Run {
    Arena *a;
    const Ast *loop;
    Ast *init, *cond, *inc, *body;
    Decl *p;
    const CType *type;   // of the pointer
    Ast *change, *end;   // what moves it, and what it is compared with
    Op op;               // with the pointer on the left
    int64_t step;        // in elements
    Ast *by;             // not NULL: what is added (step 1) or subtracted (step -1), if it is above zero
} Run;
enum { MAX_RUNS = 4 };   // of one loop, joined by &&

// ---- what moves it --------------------------------------------------------------------------------
typedef struct Changes {
    const Decl *p;
    Ast *last;
    int n;
} Changes;

static bool find_change(const Ast *e, void *arg) {
    Changes *c = arg;
    bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC;
    const Ast *to = changes ? accept_strip(e->kids[0]) : NULL;
    if (to && to->kind == A_REF && to->decl == c->p) {
        c->n++;
        c->last = (Ast *)e;
    }
    return true;
}

// Does whoever comes through s to its end come to x exactly once?
static bool is_always_in(const Ast *s, const Ast *x) {
    if (!s || s == x) return s;
    int n = s->nkids;
    switch (s->kind) {
    case A_IF: case A_COND: n = 1; break;
    case A_BINARY: n = s->op == OP_LAND || s->op == OP_LOR ? 1 : n; break;
    case A_BLOCK: case A_EXPR: case A_DECLS: case A_ASSIGN: case A_INCDEC: case A_COMMA: case A_CAST:
    case A_UNARY: case A_DEREF: case A_INDEX: case A_FIELD: case A_ADDR: case A_CALL: case A_INIT_LIST: break;
    default: return false;
    }
    for (int k = 0; k < n; k++)
        if (is_always_in(s->kids[k], x)) return true;
    for (int k = 0; k < s->ndecls; k++)
        if (s->decls[k]->init && is_always_in(s->decls[k]->init, x)) return true;
    return false;
}

static bool find_goto(const Ast *e, void *arg) {
    *(bool *)arg |= e->kind == A_GOTO || e->kind == A_LABEL || e->kind == A_RETURN;
    return true;
}

static bool has_goto(const Ast *s) {
    bool found = false;
    accept_walk(s, find_goto, &found);
    return found;
}

// By how many elements it moves its pointer each time; false: it can't be told.
static bool read_step(Run *r) {
    const Ast *e = r->change;
    const Decl *p = accept_moved(e);
    if (p && e->kind == A_INCDEC) r->step = e->op == OP_SUB ? -1 : 1;
    if (!p || e->kind == A_INCDEC) return p != NULL;
    Ast *by = e->kids[1];
    Op op = e->op;
    if (op == OP_SET) { // p = p + 2
        const Ast *sum = accept_strip(by), *l = accept_strip(sum->kids[0]);
        op = sum->op;
        by = sum->kids[l->kind == A_REF && l->decl == p ? 1 : 0];
    }
    const Ast *c = accept_strip(by);
    r->step = op == OP_SUB ? -1 : 1;
    if (c->kind == A_INT) r->step *= c->i > -(1 << 30) && c->i < (1 << 30) ? c->i : 0;
    else r->by = by;
    return r->step != 0;
}

static bool read_change(Run *r) {
    Changes c = {.p = r->p};
    accept_walk(r->cond, find_change, &c);
    accept_walk(r->inc, find_change, &c);
    accept_walk(r->body, find_change, &c);
    r->change = c.last;
    return c.n == 1 && read_step(r);
}

// ---- the condition ----------------------------------------------------------------------------------
static bool is_pointer_to(const Ast *e, int64_t bytes) {
    bool points = e->type && (e->type->kind == CT_POINTER || e->type->kind == CT_ARRAY);
    return points && e->type->of && e->type->of->bytes == bytes;
}

// The type of a parameter that is declared as an array, too.
static const CType *points_to(Arena *a, const CType *t) {
    if (t->kind == CT_POINTER) return t;
    CType *p = NEW(a, CType);
    *p = (CType){.kind = CT_POINTER, .text = t->text, .of = t->of, .bytes = 8};
    return p;
}

typedef struct Steady {
    const Run *r;
    bool ok;
} Steady;

static bool find_unsteady(const Ast *e, void *arg) {
    Steady *s = arg;
    const Run *r = s->r;
    bool kind = e->kind == A_INT || e->kind == A_UNARY || e->kind == A_BINARY || e->kind == A_CAST ||
                e->kind == A_COND || e->kind == A_FIELD || e->kind == A_INDEX || e->kind == A_ADDR ||
                e->kind == A_DEREF || e->kind == A_REF;
    s->ok &= kind;
    if (!s->ok || e->kind != A_REF) return s->ok;
    const Decl *d = e->decl;
    bool changed = accept_writes_decl(r->a, r->body, d) || (r->inc && accept_writes_decl(r->a, r->inc, d)) ||
                   accept_writes_decl(r->a, r->cond, d);
    bool array = d->type->kind == CT_ARRAY && d->kind != D_PARAM;
    s->ok = d != r->p && !e->type->is_volatile && (array || (!changed && !d->address_taken));
    return s->ok;
}

// One side of the condition as the pointer, the other one as where it ends.
static bool read_sides(Run *r, Ast *side, Ast *end, Op op) {
    const Ast *e = accept_strip(side), *ref = e->kind == A_REF ? e : accept_moved(e) ? e->kids[0] : NULL;
    if (!ref || !accept_is_pointer(ref) || ref->type->of->bytes <= 0) return false;
    r->p = ref->decl;
    r->type = points_to(r->a, ref->type);
    r->end = end;
    r->op = op;
    bool own = (r->p->kind == D_VAR || r->p->kind == D_PARAM) && !r->p->is_global && !r->p->is_static;
    bool typed = is_pointer_to(side, r->type->of->bytes) && is_pointer_to(end, r->type->of->bytes);
    if (!own || !typed || r->p->address_taken || r->type->is_volatile || !read_change(r)) return false;
    if (r->change != e && accept_writes_decl(r->a, r->cond, r->p)) return false;
    Steady s = {r, true};
    accept_walk(end, find_unsteady, &s);
    if (r->by) accept_walk(r->by, find_unsteady, &s);
    bool whole = !r->by || (r->by->type->kind == CT_SCALAR && type_is_int(r->by->type->scalar));
    return s.ok && whole;
}

static bool meets(const Run *r) {
    bool up = r->step > 0;
    if (r->op == OP_NE) return !r->by;
    return up ? r->op == OP_LT || r->op == OP_LE : r->op == OP_GT || r->op == OP_GE;
}

// The comparisons that c joins, behind n of them; how many there are now, 0: it has another one. Beside
// others, none may end the loop by !=: the pointer may be beyond already.
static int read_condition(const Run *loop, Run *r, int n, const Ast *c) {
    if (!c || c->kind != A_BINARY || c->nkids != 2 || n == MAX_RUNS) return 0;
    if (c->op == OP_LAND) {
        n = read_condition(loop, r, n, c->kids[0]);
        return n ? read_condition(loop, r, n, c->kids[1]) : 0;
    }
    r[n] = *loop;
    bool read = read_sides(&r[n], c->kids[0], c->kids[1], c->op);
    if (!read) r[n] = *loop, read = read_sides(&r[n], c->kids[1], c->kids[0], op_mirrored(c->op));
    bool alone = c == loop->cond;
    return read && meets(&r[n]) && (alone || r[n].op != OP_NE) ? n + 1 : 0;
}

static bool is_in_condition(const Run *r) { return is_always_in(r->cond, r->change); }

// Does the condition compare the pointer before it moves it?
static bool is_moved_later(const Run *r) {
    return is_in_condition(r) && r->change->kind == A_INCDEC && r->change->postfix;
}

// Is the pointer moved once in each iteration? Where != ends the loop it must come there.
static bool is_counted(const Run *r) {
    bool ends = !ast_has_jump(r->body, A_BREAK) && !has_goto(r->body);
    if (r->op == OP_NE && !ends) return false;
    if (is_in_condition(r)) return r->loop->kind != A_DO || !is_moved_later(r);
    if (is_always_in(r->inc, r->change)) return true;
    return is_always_in(r->body, r->change) && !ast_has_jump(r->body, A_CONTINUE) && !has_goto(r->body);
}

// ---- the loop that counts -----------------------------------------------------------------------------
static Ast *comma(Arena *a, Ast *x, Ast *y) {
    return !x ? y : ast_make(a, A_COMMA, x, y->type, 2, (Ast *[]){x, y});
}

static Ast *ref(const Run *r, Decl *d) {
    Ast *x = ast_make(r->a, A_REF, r->loop, d->type, 0, NULL);
    x->decl = d;
    return x;
}

static Ast *pointer(const Run *r) {
    Ast *x = ast_make(r->a, A_REF, r->loop, r->type, 0, NULL);
    x->decl = r->p;
    return x;
}

static Decl *variable(const Run *r, const char *like, const CType *t, Ast *init) {
    Decl *d = NEW(r->a, Decl);
    *d = (Decl){.kind = D_VAR, .type = t, .loc = r->loop->loc, .init = init,
                .name = like ? arena_printf(r->a, "%s_%s", r->p->name, like) : r->p->name};
    return d;
}

// (x + by) / by; 0 where a step leads nowhere, as then the loop ends at once or never.
static Ast *stepped(const Run *r, Ast *x) {
    const CType *t = ast_scalar(r->a, T_I64);
    Ast *by = r->by->type->scalar == T_I64 ? r->by : ast_make(r->a, A_CAST, r->by, t, 1, (Ast *[]){r->by});
    Ast *zero = ast_number(r->a, x, t, 0),
        *leads = ast_binary(r->a, OP_GT, ast_scalar(r->a, T_I32), by, zero);
    x = ast_binary(r->a, OP_DIV, t, ast_binary(r->a, OP_ADD, t, x, by), by);
    return ast_make(r->a, A_COND, x, t, 3, (Ast *[]){leads, x, zero});
}

// How often the loop runs that begins at `from`; nothing and less mean never.
static Ast *trips(const Run *r, Decl *from) {
    Arena *a = r->a;
    const CType *t = ast_scalar(a, T_I64);
    int64_t by = r->step > 0 ? r->step : -r->step;
    bool open = r->op == OP_LT || r->op == OP_GT;
    int64_t more = r->op == OP_NE ? 0 : (r->by ? 0 : by) - open;
    Ast *start = ref(r, from), *x = r->step > 0 ? ast_binary(a, OP_SUB, t, r->end, start)
                                                : ast_binary(a, OP_SUB, t, start, r->end);
    if (more) x = ast_binary(a, OP_ADD, t, x, ast_number(a, x, t, more));
    if (r->by) x = stepped(r, x);
    if (by > 1) x = ast_binary(a, OP_DIV, t, x, ast_number(a, x, t, by));
    if (r->loop->kind != A_DO) return x;
    Ast *one = ast_number(a, x, t, 1), *less = ast_binary(a, OP_LT, ast_scalar(a, T_I32), one, x);
    return ast_make(a, A_COND, x, t, 3, (Ast *[]){less, x, one});
}

// The declarations of the header: those that it has, where the pointers begin, the counter.
static Ast *header(const Run *r, int n, Decl **from, Decl **k) {
    bool declares = r->init && r->init->kind == A_DECLS, later = is_moved_later(r);
    Ast *first = r->init && !declares && r->init->kind != A_EMPTY ? r->init : NULL;
    if (first && first->kind == A_EXPR) first = first->kids[0];
    if (is_in_condition(r) && !later && r->loop->kind != A_DO) first = comma(r->a, first, r->change);
    int old = declares ? r->init->ndecls : 0;
    Ast *s = ast_make(r->a, A_DECLS, r->loop, NULL, 0, NULL);
    s->decls = NEW_N(r->a, Decl *, old + n + 2);
    for (; s->ndecls < old; s->ndecls++) s->decls[s->ndecls] = r->init->decls[s->ndecls];
    for (int i = 0; i < n; i++) {
        from[i] = variable(&r[i], "from", r[i].type, comma(r->a, i ? NULL : first, pointer(&r[i])));
        s->decls[s->ndecls++] = from[i];
    }
    if (later) s->decls[s->ndecls++] = variable(r, "on", r->type, comma(r->a, r->change, pointer(r)));
    const CType *t = ast_scalar(r->a, T_I64);
    s->decls[s->ndecls++] = *k = variable(r, NULL, t, ast_number(r->a, r->loop, t, 0));
    return s;
}

// The least of all.
static Ast *trips_of_all(const Run *r, int n, Decl *const *from) {
    Ast *x = trips(&r[0], from[0]);
    for (int i = 1; i < n; i++) {
        Ast *y = trips(&r[i], from[i]), *less = ast_binary(r->a, OP_LT, ast_scalar(r->a, T_I32), x, y);
        x = ast_make(r->a, A_COND, x, x->type, 3, (Ast *[]){less, x, y});
    }
    return x;
}

bool plain_pointer(Arena *a, Ast *x) {
    bool is_for = x->kind == A_FOR;
    if (!is_for && x->kind != A_WHILE && x->kind != A_DO) return false;
    Run loop = {.a = a, .loop = x, .init = is_for ? x->kids[0] : NULL, .inc = is_for ? x->kids[2] : NULL,
                .cond = x->kids[is_for || x->kind == A_DO ? 1 : 0],
                .body = x->kids[is_for ? 3 : x->kind == A_DO ? 0 : x->nkids - 1]};
    Run r[MAX_RUNS];
    int n = loop.body ? read_condition(&loop, r, 0, loop.cond) : 0;
    for (int i = 0; i < n; i++)
        if (!is_counted(&r[i]) || (n > 1 && is_in_condition(&r[i]))) return false;
    if (!n) return false;
    Decl *from[MAX_RUNS], *k;
    Ast *init = header(r, n, from, &k), *next = ast_make(a, A_INCDEC, x, k->type, 1, (Ast *[]){ref(r, k)});
    next->op = OP_ADD;
    next->postfix = true;
    Ast *rest = is_in_condition(r) ? comma(a, r->inc, r->change) : r->inc;
    Ast *test = ast_binary(a, OP_LT, ast_scalar(a, T_I32), ref(r, k), trips_of_all(r, n, from));
    x->kids = ast_make(a, A_FOR, x, NULL, 4,
                       (Ast *[]){init, test, rest ? comma(a, next, rest) : next, loop.body})->kids;
    x->kind = A_FOR;
    x->nkids = 4;
    return true;
}
