// SPDX-License-Identifier: MIT
// places.c -- steps after which pointers change places, as steps in which they stay.
//
//   for (t = 0; t < n; t++) {            for (s = 0; s < n / 2; s++) {
//       for … v[i] = f(u, i);                for … v[i] = f(u, i);
//       w = u; u = v; v = w;       →         for … u[i] = f(v, i); }
//   }                                    if (n % 2 > 0) for … v[i] = f(u, i);
//
// What the steps do for each other shows then. Pointers that somebody wants behind the loop are put where
// they would be. A step does not use its number, but to choose by it alone, a[t % 2] and a[(t + 1) % 2]; an
// element of a table of pointers that stays is then what the table begins with.
#include "front/accept.h"
#include "front/plain.h"
#include "front/places.h"

enum { MOST_POINTERS = 8, MOST_TURNS = 4, MOST_SHIFT = 1 << 20 };

typedef struct Places {
    Arena *a;
    const Decl *func;
    const Ast *loop;
    bool numbered;           // steps choose by their number
    int64_t first;           // that of the first one
    int n;
    Decl *pointer[MOST_POINTERS];
    Decl *is[MOST_POINTERS]; // which of them, as it was before the step
    bool wanted[MOST_POINTERS]; // behind the loop
    bool fits;
} Places;

static Decl *pointer_of(const Ast *e) {
    e = accept_strip(e);
    return e->kind == A_REF && e->decl && e->type->kind == CT_POINTER ? e->decl : NULL;
}

static int place_of(Places *p, Decl *d) {
    for (int i = 0; i < p->n; i++)
        if (p->pointer[i] == d) return i;
    if (p->n == MOST_POINTERS || d->is_global || d->is_static || d->address_taken) return -1;
    p->pointer[p->n] = p->is[p->n] = d;
    return p->n++;
}

static bool move(Places *p, Decl *to, const Ast *from) {
    Decl *d = from ? pointer_of(from) : NULL;
    int i = d ? place_of(p, d) : -1, k = i < 0 ? -1 : place_of(p, to);
    if (k < 0) return false;
    p->is[k] = p->is[i];
    return true;
}

static bool take_moves(Places *p, const Ast *e) {
    if (e->kind == A_EXPR) return take_moves(p, e->kids[0]);
    if (e->kind == A_COMMA) return take_moves(p, e->kids[0]) && take_moves(p, e->kids[1]);
    if (e->kind == A_DECLS) return move(p, e->decls[0], e->decls[0]->init);
    return move(p, pointer_of(e->kids[0]), e->kids[1]);
}

static bool is_move(const Ast *e) {
    if (e->kind == A_EXPR) return is_move(e->kids[0]);
    if (e->kind == A_COMMA) return is_move(e->kids[0]) && is_move(e->kids[1]);
    if (e->kind == A_DECLS) return e->ndecls == 1 && e->decls[0]->type->kind == CT_POINTER;
    return e->kind == A_ASSIGN && e->op == OP_SET && pointer_of(e->kids[0]);
}

// Neither pointers that move nor the counter are set or handed on elsewhere.
static void see_others(Places *p, const Ast *body) {
    ast_each(e, body) {
        bool sets = e->kind == A_ASSIGN || e->kind == A_INCDEC || e->kind == A_ADDR;
        const Ast *x = sets ? accept_strip(e->kids[0]) : NULL;
        for (int i = 0; x && x->kind == A_REF && i < p->n; i++) p->fits &= x->decl != p->pointer[i];
        p->fits &= e->kind != A_REF || e->decl != accept_counter(p->loop);
    }
}

static bool is_set_in(const Ast *s, const Decl *d) {
    ast_each(e, s) {
        const Ast *x = e->kind == A_ASSIGN || e->kind == A_INCDEC ? accept_strip(e->kids[0]) : NULL;
        if (x && x->kind == A_REF && x->decl == d) return true;
    }
    return false;
}

// A whole number, or a variable that stays.
static bool stays(const Places *p, const Ast *e) {
    const Ast *x = accept_strip(e);
    bool scalar = x->type && x->type->kind == CT_SCALAR && type_is_int(x->type->scalar);
    if (x->kind == A_REF)
        return scalar && x->decl && !x->decl->is_global && !x->decl->address_taken &&
               !is_set_in(p->loop, x->decl);
    return x->kind == A_INT;
}

// The loop's bounds; false: it does not count up by one to what stays.
static bool bounds(const Places *p, Ast **lo, Ast **hi) {
    const Ast *f = p->loop, *c = f->kids[1] ? accept_strip(f->kids[1]) : NULL, *by = f->kids[2];
    const Decl *t = accept_counter(f);
    if (!t || !c || c->kind != A_BINARY) return false;
    if (c->op != OP_LT && c->op != OP_LE) return false;
    const Ast *x = accept_strip(c->kids[0]);
    *lo = f->kids[0] && f->kids[0]->kind == A_DECLS && f->kids[0]->ndecls == 1 ? f->kids[0]->decls[0]->init
                                                                               : NULL;
    *hi = c->kids[1];
    while (by && by->kind == A_EXPR) by = by->kids[0];
    bool counts = x->kind == A_REF && x->decl == t && by && by->kind == A_INCDEC && by->op == OP_ADD;
    if (!counts || !*lo || !stays(p, *lo) || !stays(p, *hi)) return false;
    // Their difference is how many steps there are, if any. Of unsigned numbers it is that from 0 on alone.
    const Ast *low = accept_strip(*lo), *high = accept_strip(*hi);
    if (type_is_signed(t->type->scalar))
        return type_is_signed(low->type->scalar) && type_is_signed(high->type->scalar);
    return low->kind == A_INT && low->i == 0 && c->op == OP_LT && high->type->scalar == t->type->scalar;
}

// ---- steps that choose by their number ----------------------------------------------------------
static const Ast *uncast(const Ast *x, int size) {
    while (x->kind == A_CAST && x->type->kind == CT_SCALAR && type_is_int(x->type->scalar) &&
           type_size(x->type->scalar) >= size)
        x = x->kids[0];
    return x;
}

// x is (counter + *shift) % *by.
static bool remainder_of(const Places *p, const Ast *x, int64_t *shift, int *by) {
    const Decl *t = accept_counter(p->loop);
    if (!p->numbered || x->kind != A_BINARY || (x->op != OP_MOD && x->op != OP_AND)) return false;
    int size = type_size(t->type->scalar);
    const Ast *sum = uncast(x->kids[0], size), *n = accept_strip(x->kids[1]);
    if (n->kind != A_INT || n->i < 1 || n->i > MOST_TURNS) return false;
    *by = (int)n->i + (x->op == OP_AND);
    *shift = 0;
    if (sum->kind == A_BINARY && (sum->op == OP_ADD || sum->op == OP_SUB)) {
        bool swapped = sum->op == OP_ADD && accept_strip(sum->kids[0])->kind == A_INT;
        const Ast *add = accept_strip(sum->kids[!swapped]);
        if (add->kind != A_INT || add->i < 0 || add->i > MOST_SHIFT) return false;
        *shift = sum->op == OP_ADD ? add->i : -add->i;
        sum = uncast(sum->kids[swapped], size);
    }
    bool power = (*by & (*by - 1)) == 0;
    return sum->kind == A_REF && sum->decl == t && *by > 1 && *by <= MOST_TURNS &&
           (x->op == OP_MOD || power) && p->first + *shift >= 0;
}

static bool type_mentions(const CType *t, const Decl *d) {
    for (; t; t = t->kind == CT_ARRAY || t->kind == CT_POINTER ? t->of : NULL)
        if (t->kind == CT_ARRAY && t->size && accept_mentions(t->size, d)) return true;
    return false;
}

// Is the counter used in such remainders alone? *n: after how many steps all of them are the same again.
static bool is_chosen_by(const Places *p, const Ast *x, int *n) {
    const Decl *t = accept_counter(p->loop);
    int64_t shift;
    int by;
    if (remainder_of(p, x, &shift, &by)) {
        if (*n % by) *n = by % *n ? MOST_TURNS + 1 : by;
        return *n <= MOST_TURNS;
    }
    if ((x->kind == A_REF && x->decl == t) || type_mentions(x->type, t)) return false;
    for (int i = 0; i < x->ndecls; i++) {
        const Decl *d = x->decls[i];
        if (type_mentions(d->type, t) || (d->init && !is_chosen_by(p, d->init, n))) return false;
    }
    for (int i = 0; i < x->nkids; i++)
        if (x->kids[i] && !is_chosen_by(p, x->kids[i], n)) return false;
    return true;
}

// Is nothing done with the table in x but that its elements are read?
static bool is_only_read(const Ast *x, const Decl *table) {
    bool sets = x->kind == A_ASSIGN || x->kind == A_INCDEC || x->kind == A_ADDR;
    const Ast *set = sets ? accept_strip(x->kids[0]) : NULL;
    if (set && set->kind == A_INDEX && accept_strip(set->kids[0])->decl == table) return false;
    if (x->kind == A_REF && x->decl == table) return false;
    for (int i = 0; i < x->ndecls; i++)
        if (x->decls[i]->init && !is_only_read(x->decls[i]->init, table)) return false;
    const Ast *base = x->kind == A_INDEX ? accept_strip(x->kids[0]) : NULL;
    bool element = base && base->kind == A_REF && base->decl == table;
    for (int i = element; i < x->nkids; i++)
        if (x->kids[i] && !is_only_read(x->kids[i], table)) return false;
    return true;
}

static int names_of(const Ast *root, const char *name) {
    int n = 0;
    ast_each(x, root)
        for (int i = 0; i < x->ndecls; i++) n += str_eq(x->decls[i]->name, name);
    return n;
}

// A pointer of the function's that is never set again, under a name that no other variable of it has.
static bool is_settled(const Decl *func, const Decl *d) {
    int n = names_of(func->body, d->name);
    for (int i = 0; i < func->nparams; i++) n += str_eq(func->params[i]->name, d->name);
    return n == 1 && !d->is_global && !d->is_static && !d->address_taken && !is_set_in(func->body, d);
}

// What an element of a local table of pointers was and is; NULL: that can't be told.
static Ast *element_of(const Places *p, const Ast *x) {
    const Ast *base = accept_strip(x->kids[0]), *at = accept_strip(x->kids[1]);
    const Decl *d = base->kind == A_REF ? base->decl : NULL;
    if (!d || d->kind != D_VAR || d->is_global || d->is_static || at->kind != A_INT) return NULL;
    const CType *t = d->type;
    const Ast *list = d->init;
    if (t->kind != CT_ARRAY || t->of->kind != CT_POINTER || !list || list->kind != A_INIT_LIST) return NULL;
    for (int i = 0; i < list->nkids; i++)
        if (accept_strip(list->kids[i])->kind != A_REF) return NULL;
    if (at->i < 0 || at->i >= list->nkids || !is_only_read(p->func->body, d)) return NULL;
    Ast *is = list->kids[at->i];
    const Decl *to = accept_strip(is)->decl;
    return to && is_settled(p->func, to) ? ast_make(p->a, A_CAST, x, x->type, 1, &is) : NULL;
}

// ---- copies of the body -------------------------------------------------------------------------
typedef struct Copy {
    Arena *a;
    const Places *p;
    int turn;
    VEC(Decl *) from, to;
} Copy;

static Decl *renamed(const Copy *c, Decl *d) {
    for (int i = c->from.n - 1; i >= 0; i--)
        if (c->from.at[i] == d) return c->to.at[i];
    return d;
}

static bool is_numbered(const Copy *c, const Ast *x, int64_t *value) {
    int64_t shift;
    int by;
    if (!remainder_of(c->p, x, &shift, &by)) return false;
    *value = (c->p->first + c->turn + shift) % by;
    return true;
}

static bool names_any(const Copy *c, const Ast *x) {
    int64_t value;
    bool any = (x->kind == A_REF && x->decl && renamed(c, x->decl) != x->decl) || is_numbered(c, x, &value);
    for (int i = 0; i < x->nkids && !any; i++) any = x->kids[i] && names_any(c, x->kids[i]);
    return any;
}

// What a declaration begins with may name other pointers; then it is another variable.
static Ast *copied(Copy *c, const Ast *x) {
    if (!x) return NULL;
    int64_t value;
    if (is_numbered(c, x, &value)) return ast_number(c->a, x, x->type, value);
    Ast *n = NEW_AS(c->a, Ast, *x);
    n->like = ast_marked(x);
    n->decls = NEW_N(c->a, Decl *, x->ndecls + 1);
    for (int i = 0; i < x->ndecls; i++) {
        Decl *d = n->decls[i] = x->decls[i];
        if (!d->init || !names_any(c, d->init)) continue;
        n->decls[i] = NEW(c->a, Decl);
        *n->decls[i] = *d;
        n->decls[i]->init = copied(c, d->init);
        vec_push(c->a, &c->from, d);
        vec_push(c->a, &c->to, n->decls[i]);
    }
    n->decl = x->decl ? renamed(c, x->decl) : NULL;
    n->kids = NEW_N(c->a, Ast *, x->nkids + 1);
    for (int i = 0; i < x->nkids; i++) n->kids[i] = copied(c, x->kids[i]);
    Ast *is = c->p->numbered && n->kind == A_INDEX ? element_of(c->p, n) : NULL;
    return is ? is : n;
}

// Which of them pointer i is after so many steps.
static int behind(const Places *p, int i, int steps) {
    for (int k = 0; k < steps; k++) {
        int at = 0;
        while (p->pointer[at] != p->is[i]) at++;
        i = at;
    }
    return i;
}

// The body as it is `turn` steps behind the first one.
static Ast *step(const Places *p, const Ast *body, int turn) {
    Copy c = {.a = p->a, .p = p, .turn = turn};
    for (int i = 0; i < p->n; i++) {
        vec_push(p->a, &c.from, p->pointer[i]);
        vec_push(p->a, &c.to, p->pointer[behind(p, i, turn)]);
    }
    return copied(&c, body);
}

// After how many steps all pointers are where they were; those that only help to move others are no part of
// it. 0: never.
static int turns(Places *p, const Decl *func, const Ast *body) {
    const Places all = *p;
    p->n = 0;
    for (int i = 0; i < all.n; i++) {
        Decl *d = all.pointer[i];
        bool wanted = !accept_declares(p->loop, d) && live_after(p->a, func, (Ast *const *)&p->loop, 1, d);
        bool used = accept_mentions(body, d);
        for (int k = 0; k < all.n; k++) used |= all.is[k] == d;
        if (!used && wanted) return 0;
        if (used) p->wanted[p->n] = wanted, p->pointer[p->n] = d, p->is[p->n++] = all.is[i];
    }
    for (int t = 1; t <= MOST_TURNS; t++) {
        bool same = true;
        for (int i = 0; i < p->n; i++) same &= behind(p, i, t) == i;
        if (same) return t;
    }
    return 0;
}

static const char *words(Arena *a, const Ast *bound) {
    const Ast *x = accept_strip(bound);
    return x->kind == A_REF ? x->decl->name : arena_printf(a, "%lld", (long long)x->i);
}

// Statements that put the pointers where `some` steps leave them; "" where nobody wants them.
static const char *moved(const Places *p, const char *some, int n) {
    Text t = text_new(p->a);
    for (int k = 1; k < n; k++) {
        Text olds = text_new(p->a), sets = text_new(p->a);
        for (int i = 0; i < p->n; i++) {
            int from = behind(p, i, k);
            if (!p->wanted[i] || from == i) continue;
            text_printf(&olds, "void *sculpt_%d_ = (void *)%s; ", i, p->pointer[from]->name);
            text_printf(&sets, "%s = sculpt_%d_; ", p->pointer[i]->name, i);
        }
        if (*text_str(&sets))
            text_printf(&t, "if (%s == %d) { %s%s} ", some, k, text_str(&olds), text_str(&sets));
    }
    return text_str(&t);
}

// After how many steps they choose the same again. 0: they use their number otherwise, or not at all, or are
// no steps, but what a single loop does.
static int by_number(Places *p, const Ast *lo, const Ast *body) {
    const Ast *x = accept_strip(lo);
    int n = 1;
    if (!ast_holds(body, A_FOR) && !ast_holds(body, A_CALL)) return 0;
    if (x->kind != A_INT || x->i < 0 || x->i > MOST_SHIFT) return 0;
    p->first = x->i;
    p->numbered = true;
    p->numbered = is_chosen_by(p, body, &n) && n > 1;
    return p->numbered ? n : 0;
}

// The same of pointers that change places at the end of the block; *body: what a step does in front of that.
static int by_moves(Places *p, Ast *block, Ast **body) {
    int first = block->kind == A_BLOCK ? block->nkids : 0;
    while (first > 0 && is_move(block->kids[first - 1])) first--;
    if (first == 0 || first == block->nkids) return 0;
    for (int i = first; i < block->nkids; i++)
        if (!take_moves(p, block->kids[i])) return 0;
    *body = ast_make(p->a, A_BLOCK, block, NULL, first, block->kids);
    see_others(p, *body);
    return p->fits ? turns(p, p->func, *body) : 0;
}

const Ast *places_steps(Arena *a, const Decl *func, const Ast *loop, Ast **out, const char **behind_it) {
    Places p = {.a = a, .func = func, .loop = loop, .fits = true};
    Ast *block = loop->kids[3], *lo, *hi, *body = block;
    if (!block || !bounds(&p, &lo, &hi)) return NULL;
    int n = by_number(&p, lo, block);
    if (n < 2) n = by_moves(&p, block, &body);
    if (n < 2) return NULL;
    const CType *t = ast_scalar(a, accept_counter(loop)->type->scalar);
    Decl *s = NEW_AS(a, Decl, (Decl){.kind = D_VAR,
                                     .name = arena_printf(a, "%s_turn", accept_counter(loop)->name),
                                     .type = t,
                                     .init = ast_number(a, loop, t, 0)});
    Ast *at = ast_make(a, A_REF, loop, t, 0, NULL), *number = ast_number(a, loop, t, n);
    at->decl = s;
    bool last = accept_strip(loop->kids[1])->op == OP_LE; // is a step of its own
    Ast *all = ast_binary(a, OP_SUB, t, hi, lo), *inc = ast_make(a, A_INCDEC, loop, t, 1, &at);
    if (last) all = ast_binary(a, OP_ADD, t, all, ast_number(a, loop, t, 1));
    inc->op = OP_ADD;
    Ast *kid[MOST_TURNS];
    for (int i = 0; i < n; i++) kid[i] = step(&p, body, i);
    Ast *head[4] = {ast_declare(a, loop, s),
                    ast_binary(a, OP_LT, t, at, ast_binary(a, OP_DIV, t, all, number)), inc,
                    ast_make(a, A_BLOCK, block, NULL, n, kid)};
    Ast *parts[MOST_TURNS] = {ast_make(a, A_FOR, loop, NULL, 4, head)};
    for (int i = 1; i < n; i++) {
        Ast *left = ast_binary(a, OP_MOD, t, all, number);
        Ast *some[2] = {ast_binary(a, OP_GE, t, left, ast_number(a, loop, t, i)), step(&p, body, i - 1)};
        parts[i] = ast_make(a, A_IF, loop, NULL, 2, some);
    }
    *out = ast_make(a, A_BLOCK, loop, NULL, n, parts);
    const char *some =
        arena_printf(a, "(%s - %s%s) %% %d", words(a, hi), words(a, lo), last ? " + 1" : "", n);
    *behind_it = moved(&p, some, n);
    return body;
}
