// SPDX-License-Identifier: MIT
// plain_pointer.c -- loops that a pointer counts, or two variables that meet, as loops of one whole number.
//
//   for (p = a; p < e; p++) S     for (T *from = (p = a, p), k = 0; k < e - from; k++, p++) S
//   while (p < e) *q++ = *p++;    for (T *from = p, k = 0; k < e - from; k++) *q++ = *p++;
//   while (p-- > a) S             for (T *from = p, *on = (p--, p), k = 0; k < from - a; k++, p--) S
//   while (--p >= a) S            for (T *from = (--p, p), k = 0; k < from - a + 1; k++, --p) S
//   do S while (++p != e);        for (T *from = p, k = 0; k < max(1, e - from); k++, ++p) S
//   for (; p < e; p += by) S      for (T *from = p, k = 0; k < (by > 0 ? (e - from + by - 1) / by : 0); …) S
//   while (p < e && q < f) S      for (…; k < min(e - from, f - start); k++) S
//   while (i < j) S; i++, j--     for (T from = i, to = j, k = 0; k < (to - from + 1) / 2; k++, i++, j--) S
//   do S while (--n);             for (T from = n, k = 0; k < 1 + (from - 1 - 0); k++, --n) S
//
// The variable moves as it did (accept_move.c, induction.c), so it is what it should be in the body and
// behind the loop. It is changed at one place that each iteration comes to once, and the loop leaves its
// bound as it is, or moves that by a constant, too. A whole number that a header moves towards what stays is
// left to accept_loop.c.
#include "front/accept.h"
#include "front/plain.h"

// A loop that a variable counts: a pointer, or a whole number of at least 32 bits.
typedef struct Run {
    Arena *a;
    const Ast *loop;
    Ast *init, *cond, *inc, *body;
    Decl *p;
    const CType *type;   // of the pointer
    Ast *change, *end;   // what moves it, and what it is compared with
    Op op;               // with the pointer on the left
    int64_t step, own;   // by how much it comes nearer to `end`, and what it moves by itself, in elements
    Decl *other;         // what `end` is, if that moves, too; NULL: it stays
    Ast *by;             // not NULL: what is added (step 1) or subtracted (step -1), if it is above zero
} Run;
enum { MAX_RUNS = 4 };   // of one loop, joined by &&

// ---- what moves it --------------------------------------------------------------------------------
static void find_changes(const Ast *root, const Decl *p, const Ast **last, int *n) {
    ast_each(e, root) {
        bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC;
        const Ast *to = changes ? accept_strip(e->kids[0]) : NULL;
        if (to && to->kind == A_REF && to->decl == p) *last = e, ++*n;
    }
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

static bool has_goto(const Ast *s) {
    return ast_holds(s, A_GOTO) || ast_holds(s, A_LABEL) || ast_holds(s, A_RETURN);
}

// d of d++, d += x, d = d + x and their kin, else NULL; *by: x, NULL for 1; *op: how it is taken.
static const Decl *moved(const Ast *e, Ast **by, Op *op) {
    bool moves = (e->kind == A_INCDEC || e->kind == A_ASSIGN) && e->kids[0]->kind == A_REF;
    if (!moves) return NULL;
    const Decl *d = e->kids[0]->decl;
    *by = e->kind == A_ASSIGN ? e->kids[1] : NULL;
    *op = e->op;
    if (*op == OP_SET) { // p = p + 2
        const Ast *sum = *by;
        for (; sum->kind == A_CAST; sum = sum->kids[0])
            if (sum->type->bytes < d->type->bytes) return NULL;
        bool minus;
        *by = (Ast *)accept_distance(sum, d, &minus);
        if (!*by) return NULL;
        *op = minus ? OP_SUB : OP_ADD;
    }
    return *op == OP_ADD || *op == OP_SUB ? d : NULL;
}

// The one change of d in the loop, which moves it; NULL: there is none, or another one. *step: by how much, 1
// and -1 for *by that is no constant.
static Ast *change_of(const Run *r, const Decl *d, int64_t *step, Ast **by) {
    const Ast *last = NULL;
    int changes = 0;
    Op op;
    find_changes(r->cond, d, &last, &changes);
    find_changes(r->inc, d, &last, &changes);
    find_changes(r->body, d, &last, &changes);
    if (changes != 1 || moved(last, by, &op) != d) return NULL;
    const Ast *n = *by ? accept_strip(*by) : NULL;
    *step = op == OP_SUB ? -1 : 1;
    if (n && n->kind == A_INT) {
        *step *= n->i > -(1 << 30) && n->i < (1 << 30) ? n->i : 0;
        *by = NULL;
    }
    return *step ? (Ast *)last : NULL;
}

// ---- the condition ----------------------------------------------------------------------------------
// Is what moves compared in its own type, or in a wider one without loss? So is what it is compared with.
static bool compares_whole(const Run *r, const Ast *side) {
    const CType *own = r->type, *as = side->type;
    if (own->kind != CT_SCALAR) {
        bool points = as && (as->kind == CT_POINTER || as->kind == CT_ARRAY);
        return points && as->of && as->of->bytes == own->of->bytes;
    }
    bool wide = as->kind == CT_SCALAR && as->scalar == T_I64 && own->bytes < 8;
    bool whole = wide || (as->kind == CT_SCALAR && as->scalar == own->scalar);
    return whole && (side->kind != A_CAST || side == r->end || compares_whole(r, side->kids[0]));
}

// Whole numbers below 32 bits are computed with as int, and wrap around at other places.
static bool may_count(const Decl *d, const Ast *ref) {
    if (accept_is_pointer(ref)) return ref->type->of->bytes > 0;
    const CType *t = d->type;
    return t->kind == CT_SCALAR && type_is_int(t->scalar) && type_size(t->scalar) >= 4;
}

static bool is_own(const Decl *d) {
    return (d->kind == D_VAR || d->kind == D_PARAM) && !d->is_global && !d->is_static && !d->address_taken &&
           !d->type->is_volatile;
}

// The type of a parameter that is declared as an array, too.
static const CType *points_to(Arena *a, const CType *t) {
    if (t->kind == CT_POINTER || t->kind == CT_SCALAR) return t;
    CType *p = NEW_AS(a, CType, (CType){.kind = CT_POINTER, .text = t->text, .of = t->of, .bytes = 8});
    return p;
}

static bool is_steady(const Run *r, const Ast *root) {
    ast_each(e, root) {
        bool kind = e->kind == A_INT || e->kind == A_UNARY || e->kind == A_BINARY || e->kind == A_CAST ||
                    e->kind == A_COND || e->kind == A_FIELD || e->kind == A_INDEX || e->kind == A_ADDR ||
                    e->kind == A_DEREF || e->kind == A_REF;
        if (!kind) return false;
        if (e->kind != A_REF) continue;
        const Decl *d = e->decl;
        bool changed = accept_writes_decl(r->a, r->body, d) || accept_writes_decl(r->a, r->cond, d) ||
                       (r->inc && accept_writes_decl(r->a, r->inc, d));
        bool array = d->type->kind == CT_ARRAY && d->kind != D_PARAM;
        if (d == r->p || e->type->is_volatile || !(array || (!changed && !d->address_taken))) return false;
    }
    return true;
}

// Does each iteration move it once, before the condition is asked again?
static bool is_behind(const Run *r, const Ast *change) {
    if (is_always_in(r->inc, change)) return true;
    return is_always_in(r->body, change) && !ast_has_jump(r->body, A_CONTINUE) && !has_goto(r->body);
}

// Does the other side stay, or is it a variable that comes nearer by a constant?
static bool read_end(Run *r) {
    const Ast *e = accept_strip(r->end);
    Ast *by = NULL;
    int64_t step;
    if (is_steady(r, r->end)) return true;
    if (e->kind != A_REF || !is_own(e->decl) || e->decl == r->p || r->by) return false;
    const Ast *change = change_of(r, e->decl, &step, &by);
    bool number = r->type->kind == CT_SCALAR;
    bool same = may_count(e->decl, e) && (!number || e->type->scalar == r->type->scalar);
    if (!change || by || !same || !is_behind(r, change) || !is_behind(r, r->change)) return false;
    r->other = e->decl;
    r->step -= step;
    return r->step != 0;
}

static bool is_in_condition(const Run *r) { return is_always_in(r->cond, r->change); }

// Does the condition compare the pointer before it moves it?
static bool is_moved_later(const Run *r) {
    return is_in_condition(r) && r->change->kind == A_INCDEC && r->change->postfix;
}

// One side of the condition as what counts, the other one as where it ends.
static bool read_sides(Run *r, Ast *side, Ast *end, Op op) {
    const Ast *e = accept_strip(side);
    Ast *by;
    Op how;
    const Ast *ref = e->kind == A_REF ? e : moved(e, &by, &how) ? e->kids[0] : NULL;
    if (!ref || !ref->type || !may_count(ref->decl, ref)) return false;
    r->p = ref->decl;
    r->type = points_to(r->a, ref->type);
    r->end = end;
    r->op = op;
    if (!is_own(r->p) || !compares_whole(r, side) || !compares_whole(r, end)) return false;
    r->change = change_of(r, r->p, &r->own, &r->by);
    r->step = r->own;
    if (!r->change || (r->change != e && accept_writes_decl(r->a, r->cond, r->p))) return false;
    if (!read_end(r)) return false;
    bool number = r->type->kind == CT_SCALAR;
    bool plain = r->loop->kind != A_DO && !r->other && !is_always_in(r->body, r->change) &&
                 !(is_in_condition(r) && !is_moved_later(r));
    if (number && (r->by || plain)) return false;
    bool whole = !r->by || (r->by->type->kind == CT_SCALAR && type_is_int(r->by->type->scalar));
    return is_steady(r, r->by) && whole;
}

static bool meets(const Run *r) {
    bool up = r->step > 0;
    if (r->op == OP_NE) return !r->by && (r->type->kind != CT_SCALAR || r->step == 1 || r->step == -1);
    return up ? r->op == OP_LT || r->op == OP_LE : r->op == OP_GT || r->op == OP_GE;
}

// The comparisons that c joins, behind n of them; how many there are now, 0: it has another one. Beside
// others, none may end the loop by !=: the pointer may be beyond already.
static int read_condition(const Run *loop, Run *r, int n, Ast *c) {
    const Ast *e = accept_strip(c);
    bool number = e && (e->kind == A_REF || e->kind == A_INCDEC) && e->type->kind == CT_SCALAR;
    if (number && type_is_int(e->type->scalar)) // while (--n)
        c = ast_binary(loop->a, OP_NE, ast_scalar(loop->a, T_I32), c,
                       ast_number(loop->a, c, e->type, 0));
    if (!c || c->kind != A_BINARY || c->nkids != 2 || n == MAX_RUNS) return 0;
    if (c->op == OP_LAND) {
        n = read_condition(loop, r, n, c->kids[0]);
        return n ? read_condition(loop, r, n, c->kids[1]) : 0;
    }
    r[n] = *loop;
    bool read = read_sides(&r[n], c->kids[0], c->kids[1], c->op);
    if (!read) r[n] = *loop, read = read_sides(&r[n], c->kids[1], c->kids[0], op_mirrored(c->op));
    bool alone = n == 0 && loop->cond->op != OP_LAND;
    return read && meets(&r[n]) && (alone || r[n].op != OP_NE) ? n + 1 : 0;
}

// Is the pointer moved once in each iteration? Where != ends the loop it must come there.
static bool is_counted(const Run *r) {
    bool ends = !ast_has_jump(r->body, A_BREAK) && !has_goto(r->body);
    if (r->op == OP_NE && !ends) return false;
    if (is_in_condition(r)) return r->loop->kind != A_DO || !is_moved_later(r);
    return is_behind(r, r->change);
}

// ---- the loop that counts -----------------------------------------------------------------------------
static Ast *comma(Arena *a, Ast *x, Ast *y) {
    return !x ? y : ast_make(a, A_COMMA, x, y->type, 2, (Ast *[]){x, y});
}

static Ast *ref(const Run *r, Decl *d) { return ast_ref(r->a, r->loop, d); }

static Ast *start_of(const Run *r, Decl *d) {
    Ast *x = ref(r, d);
    x->type = r->type;
    return x;
}

static Decl *variable(const Run *r, const char *like, const CType *t, Ast *init) {
    const char *name = like ? arena_printf(r->a, "%s_%s", r->p->name, like) : r->p->name;
    return ast_variable(r->a, name, t, init, r->loop->loc);
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

static Ast *as_long(Arena *a, Ast *x) {
    const CType *t = ast_scalar(a, T_I64);
    return x->type->kind != CT_SCALAR || x->type->scalar == T_I64 ? x : ast_make(a, A_CAST, x, t, 1, &x);
}

// x - y, of pointers in elements.
static Ast *difference(const Run *r, Ast *x, Ast *y) {
    return ast_binary(r->a, OP_SUB, ast_scalar(r->a, T_I64), as_long(r->a, x), as_long(r->a, y));
}

// How often a loop by one runs that != ends and that begins with an iteration, over unsigned numbers: around,
// where they begin at the end.
static Ast *trips_around(const Run *r, Ast *from, Ast *end) {
    const CType *t = ast_scalar(r->a, T_I64), *own = r->type;
    bool up = r->step > 0;
    Ast *x = ast_binary(r->a, OP_SUB, own, up ? end : from, up ? from : end);
    Ast *same = ast_binary(r->a, OP_EQ, ast_scalar(r->a, T_I32), from, end);
    Ast *all = ast_number(r->a, x, t, own->bytes == 4 ? INT64_C(1) << 32 : INT64_MAX);
    return ast_make(r->a, A_COND, x, t, 3, (Ast *[]){same, all, as_long(r->a, x)});
}

// last - first. Numbers that wrap around come to the end from either side; of 64 bits nobody waits for that.
static Ast *distance(const Run *r, Ast *last, Ast *first) {
    bool around = r->type->kind == CT_SCALAR && r->type->scalar == T_U32 && r->op == OP_NE;
    if (!around) return difference(r, last, first);
    bool same = last->type->scalar == T_U32 && first->type->scalar == T_U32;
    Ast *x = same ? ast_binary(r->a, OP_SUB, r->type, last, first) : difference(r, last, first);
    return as_long(r->a, same ? x : ast_make(r->a, A_CAST, x, r->type, 1, &x));
}

// How often the loop runs that begins at `from` and ends at `end`; less than nothing means never.
static Ast *trips(const Run *r, Decl *from, Ast *end) {
    Arena *a = r->a;
    const CType *t = ast_scalar(a, T_I64), *truth = ast_scalar(a, T_I32);
    int64_t by = r->step > 0 ? r->step : -r->step;
    bool open = r->op == OP_LT || r->op == OP_GT, number = r->type->kind == CT_SCALAR;
    bool once = r->loop->kind == A_DO;
    int64_t more = r->op == OP_NE ? 0 : (r->by ? 0 : by) - open;
    Ast *start = ref(r, from);
    if (number && once && r->op == OP_NE && !type_is_signed(r->type->scalar) && !r->other)
        return trips_around(r, start, end);
    if (number && once) // the condition sees what the first iteration leaves
        start = ast_binary(a, OP_ADD, r->type, start, ast_number(a, start, r->type, r->own));
    if (number && once && r->other)
        end = ast_binary(a, OP_ADD, r->type, end, ast_number(a, end, r->type, r->own - r->step));
    if (number && end->type->scalar != r->type->scalar) start = as_long(a, start);
    Ast *x = r->step > 0 ? distance(r, end, start) : distance(r, start, end);
    if (more) x = ast_binary(a, OP_ADD, t, x, ast_number(a, x, t, more));
    if (r->by) x = stepped(r, x);
    if (by > 1) x = ast_binary(a, OP_DIV, t, x, ast_number(a, x, t, by));
    if (number && r->op != OP_NE)
        x = ast_make(a, A_COND, x, t, 3, (Ast *[]){ast_binary(a, r->op, truth, start, end), x,
                                                   ast_number(a, x, t, 0)});
    if (!once) return x;
    Ast *one = ast_number(a, x, t, 1);
    if (number) x = ast_binary(a, OP_ADD, t, x, one);
    return ast_make(a, A_COND, x, t, 3, (Ast *[]){ast_binary(a, OP_LT, truth, one, x), x, one});
}

// The declarations of the header: those that it has, where the pointers begin, the counter.
static Ast *header(const Run *r, int n, Decl **from, Decl **to, Decl **k) {
    bool declares = r->init && r->init->kind == A_DECLS, later = is_moved_later(r);
    Ast *first = r->init && !declares && r->init->kind != A_EMPTY ? r->init : NULL;
    if (first && first->kind == A_EXPR) first = first->kids[0];
    if (is_in_condition(r) && !later && r->loop->kind != A_DO) first = comma(r->a, first, r->change);
    int old = declares ? r->init->ndecls : 0;
    Ast *s = ast_make(r->a, A_DECLS, r->loop, NULL, 0, NULL);
    s->decls = NEW_N(r->a, Decl *, old + 2 * n + 2);
    for (; s->ndecls < old; s->ndecls++) s->decls[s->ndecls] = r->init->decls[s->ndecls];
    for (int i = 0; i < n; i++) {
        from[i] = variable(&r[i], "from", r[i].type, comma(r->a, i ? NULL : first, start_of(&r[i], r[i].p)));
        s->decls[s->ndecls++] = from[i];
        to[i] = r[i].other ? variable(&r[i], "to", r[i].type, start_of(&r[i], r[i].other)) : NULL;
        if (to[i]) s->decls[s->ndecls++] = to[i];
    }
    if (later) s->decls[s->ndecls++] = variable(r, "on", r->type, comma(r->a, r->change, start_of(r, r->p)));
    const CType *t = ast_scalar(r->a, T_I64);
    s->decls[s->ndecls++] = *k = variable(r, NULL, t, ast_number(r->a, r->loop, t, 0));
    return s;
}

// The least of all.
static Ast *trips_of_all(const Run *r, int n, Decl *const *from, Decl *const *to) {
    Ast *x = trips(&r[0], from[0], to[0] ? ref(r, to[0]) : r[0].end);
    for (int i = 1; i < n; i++) {
        Ast *y = trips(&r[i], from[i], to[i] ? ref(r, to[i]) : r[i].end);
        Ast *less = ast_binary(r->a, OP_LT, ast_scalar(r->a, T_I32), x, y);
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
    Decl *from[MAX_RUNS], *to[MAX_RUNS], *k;
    Ast *init = header(r, n, from, to, &k);
    Ast *next = ast_make(a, A_INCDEC, x, k->type, 1, (Ast *[]){ref(r, k)});
    next->op = OP_ADD;
    next->postfix = true;
    Ast *rest = is_in_condition(r) ? comma(a, r->inc, r->change) : r->inc;
    Ast *test = ast_binary(a, OP_LT, ast_scalar(a, T_I32), ref(r, k), trips_of_all(r, n, from, to));
    x->kids = ast_make(a, A_FOR, x, NULL, 4,
                       (Ast *[]){init, test, rest ? comma(a, next, rest) : next, loop.body})->kids;
    x->kind = A_FOR;
    x->nkids = 4;
    return true;
}
