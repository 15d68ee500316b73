// SPDX-License-Identifier: MIT
// accept_leave.c -- loops that end when the data say so: while, do, for with any condition, break.
//
//   while (c) { … break; … }     { int go = 1;
//                                  for (w = 0; w < LOOP_UNBOUNDED; w++)
//                                      if (go) { go = !!c; if (go) { … { go = 0; continue; } … } } }
//   do … while (c);              the same with if (go) { …; go = !!c; }
//   for (i = 0; i < n; i++)      { int go = 1;
//       { … break; … }             for (k = 0; k < n; k++) if (go)
//                                      { i = k; … { go = 0; continue; } … ; if (go) i++; } }
//
// Only inside of another loop of the region, which gives something to do side by side; where it is no mark
// that says so, of loops without counted loops inside, as those may be what is parallel.
#include "front/accept.h"
#include "front/plain.h"

// A scalar that an iteration sets before it asks whether to leave.
typedef struct Set {
    Decl *decl;
    Ast *given;  // as it is written
    Ast *value;  // by what was there before the iteration
    bool inside; // the iteration declares it
} Set;

typedef struct Leave {
    Accept *ac;
    Arena *a;
    const Ast *loop;
    const CType *truth;
    Decl *go;
    VEC(Set) sets;
    // a label behind the body, where continue leads to; NULL: it leads to the loop's end
    const char *end;
} Leave;

// A loop that could be a region by itself.

// ---- trees ----------------------------------------------------------------------------------------
static Ast *ref(Leave *l, Decl *d) { return ast_ref(l->a, l->loop, d); }

static Decl *variable(Leave *l, const char *name, Type t, int64_t v) {
    const CType *type = ast_scalar(l->a, t);
    return ast_variable(l->a, name, type, ast_number(l->a, l->loop, type, v), l->loop->loc);
}

static Ast *declare(Leave *l, Decl *d) { return ast_declare(l->a, l->loop, d); }

static Ast *block(Leave *l, int n, Ast *const *kids) {
    return ast_make(l->a, A_BLOCK, l->loop, NULL, n, kids);
}
static Ast *effect(Leave *l, Ast *e) { return ast_make(l->a, A_EXPR, l->loop, NULL, 1, &e); }

static Ast *assign(Leave *l, Decl *d, Ast *value) { return ast_set(l->a, l->loop, ref(l, d), value); }

static Ast *set(Leave *l, Ast *value) { return assign(l, l->go, value); }

static Ast *no(Leave *l, Ast *x) {
    Ast *e = ast_make(l->a, A_UNARY, x, l->truth, 1, &x);
    e->op = OP_LNOT;
    return e;
}

// x as 0 or 1.
static Ast *truth(Leave *l, Ast *x) {
    const Ast *e = accept_strip(x);
    bool is =
        (e->kind == A_UNARY && e->op == OP_LNOT) ||
        (e->kind == A_BINARY && ((e->op >= OP_LT && e->op <= OP_NE) || e->op == OP_LAND || e->op == OP_LOR));
    return is ? x : no(l, no(l, x));
}

static Ast *if_going(Leave *l, Ast *then) {
    return ast_make(l->a, A_IF, l->loop, NULL, 2, (Ast *[]){ref(l, l->go), then});
}

static Ast *jump(Leave *l, const Ast *like) {
    Ast *x = ast_make(l->a, l->end ? A_GOTO : A_CONTINUE, like, NULL, 0, NULL);
    x->name = l->end;
    return x;
}

// s with every break of this loop as { go = 0; continue; }, and every continue that leads to a step or a
// condition as a jump there; what holds none is shared.
static Ast *without_breaks(Leave *l, Ast *s) {
    bool jumps = ast_has_jump(s, A_BREAK) || (l->end && ast_has_jump(s, A_CONTINUE));
    if (!jumps) return s;
    if (s->kind == A_CONTINUE) return jump(l, s);
    if (s->kind == A_BREAK)
        return block(l, 2, (Ast *[]){set(l, ast_number(l->a, s, l->truth, 0)), jump(l, s)});
    Ast *x = NEW(l->a, Ast);
    *x = *s;
    x->kids = NEW_N(l->a, Ast *, s->nkids + 1);
    for (int k = 0; k < s->nkids; k++) x->kids[k] = without_breaks(l, s->kids[k]);
    return x;
}

// ---- loops ----------------------------------------------------------------------------------------------
// The body, its jumps led to its end where a step or a condition follows.
static Ast *body_once(Leave *l, Ast *body, bool followed) {
    if (followed && ast_has_jump(body, A_CONTINUE)) l->end = "end of body";
    Ast *rest = without_breaks(l, body);
    if (!l->end) return rest;
    Ast *nothing = ast_make(l->a, A_EMPTY, body, NULL, 0, NULL);
    Ast *label = ast_make(l->a, A_LABEL, body, NULL, 1, &nothing);
    label->name = l->end;
    return block(l, 2, (Ast *[]){rest, label});
}

static Ast *repeated(Leave *l, Ast *cond, Ast *step, Ast *body, bool body_first) {
    Ast *rest = body_once(l, body, step || body_first), *test = cond ? set(l, truth(l, cond)) : NULL,
        *once[2];
    bool leaves = ast_has_jump(body, A_BREAK);
    int n = 0;
    if (step)
        rest =
            block(l, 2, (Ast *[]){rest, leaves && l->end ? if_going(l, effect(l, step)) : effect(l, step)});
    if (body_first) once[n++] = rest;
    if (test) once[n++] = body_first && leaves ? if_going(l, test) : test;
    if (!body_first) once[n++] = if_going(l, rest);
    Decl *w = variable(l, "w", T_I64, 0);
    Ast *less =
        ast_binary(l->a, OP_LT, l->truth, ref(l, w), ast_number(l->a, l->loop, w->type, LOOP_UNBOUNDED));
    Ast *next = ast_make(l->a, A_INCDEC, l->loop, w->type, 1, (Ast *[]){ref(l, w)});
    next->op = OP_ADD;
    return ast_make(l->a, A_FOR, l->loop, NULL, 4,
                    (Ast *[]){declare(l, w), less, next,
                              block(l, 1, (Ast *[]){if_going(l, block(l, n, once))})});
}

static bool refuse(Accept *ac, const Ast *s) {
    const char *word = s->kind == A_DO ? "do" : s->kind == A_WHILE ? "while" : "for";
    accept_refuse(ac, SC_CONTROL, s->loc,
                  "a '%s' loop: how often it runs can't be told; write a for loop with a bound", word);
    return false;
}

static bool is_inside_parallel(const Accept *ac) {
    return ac->ra->marked == MARK_OMP || ac->ra->marked == MARK_ACC;
}

static bool may_leave(const Accept *ac, const Ast *s) {
    bool loops = false;
    ast_each(x, s) loops |= x != s && x->kind == A_FOR && accept_counter(x) && !accept_has_break(x);
    return !ac->kernel && ac->iters.n > 0 && (!loops || ac->calls.n || is_inside_parallel(ac));
}

bool accept_has_break(const Ast *f) { return ast_has_jump(f->kids[3], A_BREAK); }

// A while or do, or a for that counts nothing.
bool accept_while(Accept *ac, const Ast *s) {
    Ast *body = s->kids[s->kind == A_FOR ? 3 : s->kind == A_DO ? 0 : s->nkids - 1];
    Ast *cond = s->kids[s->kind == A_WHILE ? 0 : 1], *step = s->kind == A_FOR ? s->kids[2] : NULL;
    if (!may_leave(ac, s) || !body) return refuse(ac, s);
    Leave l = {.ac = ac, .a = ac->a, .loop = s, .truth = ast_scalar(ac->a, T_I32)};
    l.go = variable(&l, "go", T_I32, 1);
    l.go->said = "the end of a loop";
    Ast *list[3];
    int n = 0;
    if (s->kind == A_FOR && s->kids[0] && s->kids[0]->kind != A_EMPTY)
        list[n++] =
            s->kids[0]->kind == A_DECLS || s->kids[0]->kind == A_EXPR ? s->kids[0] : effect(&l, s->kids[0]);
    list[n++] = declare(&l, l.go);
    list[n++] = repeated(&l, cond, step, body, s->kind == A_DO);
    return accept_stmt(ac, block(&l, n, list));
}

// e with a value in the place of d.
static Ast *with_value(Leave *l, Ast *e, const Decl *d, Ast *value) {
    if (!e) return NULL;
    if (e->kind == A_REF) return e->decl == d ? value : e;
    Ast *x = NEW(l->a, Ast);
    *x = *e;
    x->kids = NEW_N(l->a, Ast *, e->nkids + 1);
    for (int n = 0; n < e->nkids; n++) x->kids[n] = with_value(l, e->kids[n], d, value);
    return x;
}

static Ast *with_counter(Leave *l, Ast *e, const Decl *i, Decl *k) { return with_value(l, e, i, ref(l, k)); }

// The part of a step that changes i; NULL: not here.
static Ast *step_of(Ast *e, const Decl *i) {
    bool changes = e->kind == A_ASSIGN || e->kind == A_INCDEC;
    if (e->kind != A_COMMA) return changes && e->kids[0]->kind == A_REF && e->kids[0]->decl == i ? e : NULL;
    Ast *left = step_of(e->kids[0], i);
    return left ? left : step_of(e->kids[1], i);
}

static Ast *step_without(Leave *l, Ast *e, const Ast *part) {
    if (e == part || e->kind != A_COMMA) return e == part ? NULL : e;
    Ast *x = step_without(l, e->kids[0], part), *y = step_without(l, e->kids[1], part);
    return !x ? y : !y ? x : ast_make(l->a, A_COMMA, e, y->type, 2, (Ast *[]){x, y});
}

// i = lo: can it be said once more, of another variable?
static bool is_plain_start(const Ast *start, const Decl *i) {
    if (start && start->kind == A_EXPR) start = start->kids[0];
    return start && start->kind == A_ASSIGN && start->op == OP_SET && !ast_has_effect(start->kids[1]) &&
           !accept_mentions(start->kids[1], i);
}

// Steps of other variables, and of a counter that outlives its loop, are not taken where a break left:
//   for (i = lo; i < n; i++, j--) S  →  for (k = lo; k < n; k++) if (go) { i = k; S; if (go) i++, j--; }
static void count_apart(Leave *l, Ast *loop, Decl *i, Decl *k) {
    Ast *step = step_of(loop->kids[2], i), *tail = k ? loop->kids[2] : step_without(l, loop->kids[2], step);
    Ast *kids[3];
    int n = 0;
    if (k) {
        bool plain = is_plain_start(loop->kids[0], i);
        loop->kids[0] = plain ? with_counter(l, loop->kids[0], i, k) : assign(l, k, ref(l, i));
        loop->kids[1] = with_counter(l, loop->kids[1], i, k);
        kids[n++] = assign(l, i, ref(l, k));
    }
    loop->kids[2] = k ? with_counter(l, step, i, k) : step;
    kids[n++] = body_once(l, loop->kids[3], tail);
    if (tail) kids[n++] = if_going(l, effect(l, tail));
    loop->kids[3] = block(l, 1, (Ast *[]){if_going(l, block(l, n, kids))});
}

// ---- the first iteration that fulfils a condition -----------------------------------------------------
//   for (i = lo; i < n; i++)       { long long at = most;
//       if (c) { S; break; }    →    for (k = lo; k < n; k++) if (c) at = k < at ? k : at;
//                                    if (at != most) { i = at; S } else i = k; }
//   for (i = lo; i < n; i++) {     { … the same search …
//       if (c) { S; break; }    →    for (i = lo; i < n; i++) if (i < at) B
//       B }                          if (at != most) { i = at; S } }
//
// B may stand before the break, too; it must leave alone what c reads. Here the condition is asked in all
// iterations, behind the first that fulfils it, too. What it reads there must be there: declared sizes say
// so; else the system is asked before each call (Array.guessed). It may not stop the program there, by a
// place or a divisor that is read from memory.
typedef struct Unsized {
    Accept *ac;
    const Decl *bound; // the variable that the counter stays below; NULL: something else
    bool found;
    bool wild;         // what it would do there can't be told
    int depth;         // of calls
} Unsized;

enum { MOST_CALLS = 8 };

// What a parameter's declaration says of its size binds nobody, unless the loop itself goes as far.
static bool is_sized(const Unsized *u, const Decl *d) {
    const Ast *size = d->type->kind == CT_ARRAY ? d->type->size : NULL;
    if (d->kind != D_PARAM) return size != NULL;
    size = accept_strip(size);
    return size && size->kind == A_REF && size->decl == u->bound;
}

static bool reads_memory(const Ast *root) {
    return ast_holds(root, A_INDEX) || ast_holds(root, A_DEREF) || ast_holds(root, A_CALL);
}

static void find_unsized(Unsized *u, const Ast *root) {
    ast_each(e, root) {
        const Ast *base = e->kind == A_INDEX ? accept_strip(e->kids[0]) : NULL;
        bool sized = base && (base->kind == A_INDEX || (base->kind == A_REF && is_sized(u, base->decl)));
        u->found |= e->kind == A_DEREF || (e->kind == A_FIELD && e->arrow) || (base && !sized);
        bool divides = e->kind == A_BINARY && (e->op == OP_DIV || e->op == OP_MOD) &&
                       e->type->kind == CT_SCALAR && type_is_int(e->type->scalar);
        const Ast *by = divides ? accept_strip(e->kids[1]) : NULL;
        u->wild |= divides && !(by->kind == A_INT && by->i > 0);
        if (e->kind == A_INDEX || e->kind == A_DEREF) u->wild |= reads_memory(e->kids[e->kind == A_INDEX]);
        if (e->kind != A_CALL || !e->decl || !e->decl->body) continue;
        if (u->depth == MOST_CALLS) {
            u->wild = true;
            continue;
        }
        u->depth++;
        find_unsized(u, e->decl->body);
        u->depth--;
    }
}

// May all iterations ask the condition?
static bool may_be_asked(Accept *ac, const Ast *f, const Decl *i, const Ast *cond) {
    const Ast *c = f->kids[1], *left = c->kind == A_BINARY ? accept_strip(c->kids[0]) : NULL;
    bool below = left && left->kind == A_REF && left->decl == i && c->op == OP_LT;
    const Ast *bound = below ? accept_strip(c->kids[1]) : NULL;
    Unsized u = {.ac = ac, .bound = bound && bound->kind == A_REF ? bound->decl : NULL};
    find_unsized(&u, cond);
    ac->guesses |= u.found;
    return !u.wild;
}

// Is s an if that ends by a break?
static bool is_exit(const Ast *s) {
    if (!s || s->kind != A_IF || (s->nkids > 2 && s->kids[2])) return false;
    const Ast *then = s->kids[1],
              *last = then->kind == A_BLOCK && then->nkids ? then->kids[then->nkids - 1] : then;
    for (int k = 0; then->kind == A_BLOCK && k + 1 < then->nkids; k++)
        if (then->kids[k]->kind != A_EXPR) return false;
    return last->kind == A_BREAK;
}

static bool is_nothing(const Ast *s) {
    return s->kind == A_EMPTY || (s->kind == A_BLOCK && !s->nkids);
}

static Ast *as(Leave *l, const CType *t, Ast *x) { return ast_make(l->a, A_CAST, x, t, 1, &x); }

static bool changes(Accept *ac, const Ast *cond) {
    ast_each(e, cond) {
        bool sets = e->kind == A_ASSIGN || e->kind == A_INCDEC || e->kind == A_STMT_EXPR ||
                    e->kind == A_OTHER;
        bool calls = e->kind == A_CALL && (!e->decl || (e->decl->body && !accept_is_pure(ac->a, e->decl)));
        if (sets || calls) return true;
    }
    return false;
}

// e as it is where the sets begin: the last first, since each one's value rests on those before it.
static Ast *resolved(Leave *l, Ast *e) {
    for (int k = l->sets.n - 1; k >= 0; k--) e = with_value(l, e, l->sets.at[k].decl, l->sets.at[k].value);
    return e;
}

// Is s nothing but pure values of the iteration's own scalars, t = a[i]? What the break's condition asks of
// them is asked of these values.
static bool takes_set(Leave *l, Ast *s) {
    int before = l->sets.n;
    Ast *e = s->kind == A_EXPR ? s->kids[0] : NULL;
    int n = s->kind == A_DECLS ? s->ndecls : 1;
    for (int k = 0; k < n; k++) {
        bool assigns = e && e->kind == A_ASSIGN && e->op == OP_SET && e->kids[0]->kind == A_REF;
        Decl *d = s->kind == A_DECLS ? s->decls[k] : assigns ? e->kids[0]->decl : NULL;
        Ast *value = assigns ? e->kids[1] : d ? d->init : NULL;
        bool fits = d && d->type->kind == CT_SCALAR && !d->is_static && !d->is_global && !d->address_taken;
        if (!fits || (value && (changes(l->ac, value) || ast_has_effect(value))))
            return l->sets.n = before, false;
        bool inside = accept_declares(l->loop->kids[3], d);
        Ast *now = value ? as(l, d->type, resolved(l, value)) : NULL;
        if (value) vec_push(l->a, &l->sets, ((Set){d, value, now, inside}));
    }
    return true;
}

static bool is_set_in(Leave *l, const Ast *s) {
    for (int k = 0; k < l->sets.n; k++)
        if (accept_writes_decl(l->a, s, l->sets.at[k].decl)) return true;
    return false;
}

// The if at the body's beginning, behind what takes_set takes, or (*behind) at its end, that a break ends;
// *rest: what stands beside it, NULL: nothing that is seen outside.
static const Ast *exit_of(Leave *l, const Ast *s, Ast **rest, bool *behind) {
    *rest = NULL;
    *behind = false;
    while (s && s->kind == A_BLOCK) {
        int n = 0, sets = 0, at;
        Ast **kids = NEW_N(l->a, Ast *, s->nkids + 1);
        for (int k = 0; k < s->nkids; k++)
            if (!is_nothing(s->kids[k])) kids[n++] = s->kids[k];
        if (n == 1) {
            s = kids[0];
            continue;
        }
        while (sets < n && takes_set(l, kids[sets])) sets++;
        if (sets == n) return NULL;
        *behind = !is_exit(kids[sets]) && is_exit(kids[n - 1]);
        s = kids[at = *behind ? n - 1 : sets];
        bool seen = n > sets + 1;
        for (int k = 0; k < at; k++) seen |= kids[k]->kind != A_DECLS;
        for (int k = sets; k < at; k++)
            if (is_set_in(l, kids[k])) return NULL;
        for (int k = at; k + 1 < n; k++) kids[k] = kids[k + 1];
        if (is_exit(s) && seen) *rest = block(l, n - 1, kids);
        break;
    }
    return s && is_exit(s) ? s : NULL;
}

// Is it a pointer of the function around the region, which the region leaves as it is? Whether memory of two
// names is one is asked before the region runs, where both stand for one object each all the time.
static bool leads_to_one(const Accept *ac, const Decl *d) {
    bool changed = accept_has_decl(&ac->writes.pointers, d) || accept_has_decl(&ac->writes.moves, d);
    return !d->is_global && !d->address_taken && !changed && !accept_is_inside(ac, d);
}

// Does a statement store where the condition does not look, and go on?
static bool stores_apart(Leave *l, const Ast *cond, const Ast *e) {
    bool calls = e->kind == A_CALL && (accept_is_memory_call(e) || !e->decl ||
                                       (e->decl->body && !accept_is_pure(l->a, e->decl)));
    if (calls || e->kind == A_BREAK || e->kind == A_GOTO || e->kind == A_RETURN) return false;
    if (e->kind != A_ASSIGN && e->kind != A_INCDEC) return true;
    const Ast *p = accept_strip(e->kids[0]);
    bool element = p->kind == A_INDEX;
    while (p->kind == A_INDEX || (p->kind == A_FIELD && !p->arrow)) p = accept_strip(p->kids[0]);
    const Decl *d = p->kind == A_REF ? p->decl : NULL;
    bool points = d && (d->type->kind == CT_POINTER || d->kind == D_PARAM);
    bool steady = d && (!points || !element || leads_to_one(l->ac, d));
    return steady && (element || !points || d->type->kind == CT_SCALAR) && !accept_mentions(cond, d);
}

// Does the body leave alone what the condition reads?
static bool is_left_alone(Leave *l, const Ast *cond, const Ast *rest) {
    ast_each(e, cond)
        if (e->kind == A_REF && accept_declares(rest, e->decl)) return false;
    ast_each(e, rest)
        if (!stores_apart(l, cond, e)) return false;
    return true;
}

// 1: up, -1: down, 0: it can't be told.
static int direction(const Ast *step) {
    const Ast *by = step && step->kind == A_ASSIGN ? accept_strip(step->kids[1]) : NULL;
    bool plain = step && (step->kind == A_INCDEC || (by && by->kind == A_INT && by->i > 0));
    return !plain || (step->op != OP_ADD && step->op != OP_SUB) ? 0 : step->op == OP_ADD ? 1 : -1;
}

// Of a loop that goes on where its counter stands: k = i as it is before the region. NULL: the region may
// have changed that.
static Ast *begin_there(Leave *l, const Decl *i, Decl *k) {
    Accept *ac = l->ac;
    if (ac->stmts.n || ac->iters.n || ac->guarded || ac->calls.n || i->is_global || i->is_static)
        return NULL;
    Decl *begin = variable(l, "begin", i->type->scalar, 0);
    accept_bind(ac, begin, BIND_VALUE, accept_param(ac, i->name, i->name, i->type->scalar), NULL);
    return assign(l, k, ref(l, begin));
}

// What the iteration that leaves sets, put at list, and S, in which `i` is `found` then (NULL: i itself); how
// many statements these are. Behind the rest of the body all is set but for what the iteration declares.
static int sets_last(Leave *l, Ast *const *s, int n, const Decl *i, Decl *found, bool behind, Ast **list) {
    int count = 0, nsets = l->sets.n;
    Decl **copy = NEW_N(l->a, Decl *, nsets + 1);
    for (int k = 0; k < nsets + n; k++) {
        const Set *set = k < nsets ? &l->sets.at[k] : NULL;
        if (set && behind && !set->inside) continue;
        Ast *x = set ? set->given : s[k - nsets];
        if (found) x = with_counter(l, x, i, found);
        for (int j = k < nsets ? k - 1 : nsets - 1; j >= 0; j--)
            if (copy[j]) x = with_counter(l, x, l->sets.at[j].decl, copy[j]);
        if (set && set->inside) {
            copy[k] = variable(l, set->decl->name, set->decl->type->scalar, 0);
            copy[k]->init = x;
        }
        list[count++] = !set ? x : set->inside ? declare(l, copy[k]) : assign(l, set->decl, x);
    }
    return count;
}

// Are the values that S asks for still those of the iteration, behind the rest of the body?
static bool are_set_still(Leave *l, const Ast *s, const Ast *rest) {
    bool asks = false, still = true;
    for (int k = 0; k < l->sets.n; k++) {
        const Set *set = &l->sets.at[k];
        asks |= set->inside && accept_mentions(s, set->decl);
        still &= !set->inside || is_left_alone(l, set->value, rest);
    }
    return !asks || still;
}

// NULL: the loop is not of that form.
static Ast *first_of(Leave *l, const Ast *f, Decl *i, bool own) {
    Ast *rest;
    bool behind;
    const Ast *exit = exit_of(l, f->kids[3], &rest, &behind);
    int way = direction(f->kids[2]);
    bool goes_on = !f->kids[0] || is_nothing(f->kids[0]);
    bool plain = own ? !rest || f->kids[0]->ndecls == 1 : goes_on || is_plain_start(f->kids[0], i);
    if (!exit || !way || !plain || changes(l->ac, exit->kids[0])) return NULL;
    Ast *asked = resolved(l, exit->kids[0]);
    if (rest && (!is_left_alone(l, asked, rest) || accept_writes_decl(l->a, rest, i))) return NULL;
    if (behind && (ast_has_jump(rest, A_CONTINUE) || !are_set_still(l, exit->kids[1], rest))) return NULL;
    if (!may_be_asked(l->ac, f, i, asked))
        return accept_refuse(l->ac, SC_CONTROL, f->loc,
                             "where a break ends the loop, its condition may find any place or divisor in "
                             "memory behind that; let it read no element of which memory says the place");
    Decl *k = variable(l, i->name, i->type->scalar, 0), *found = variable(l, i->name, i->type->scalar, 0);
    Decl *at = variable(l, "at", T_I64, way > 0 ? INT64_MAX : INT64_MIN);
    bool counts = own && !rest; // the search counts by the loop's own variable
    Ast *loop = NEW(l->a, Ast), *then = exit->kids[1], *start = f->kids[0];
    *loop = *f;
    loop->kids = NEW_N(l->a, Ast *, 5);
    if (goes_on && !(loop->kids[0] = begin_there(l, i, k))) return NULL;
    for (int n = goes_on; n < 3; n++) loop->kids[n] = counts ? f->kids[n] : with_counter(l, f->kids[n], i, k);
    if (own && rest) k->init = start->decls[0]->init, loop->kids[0] = declare(l, k);
    Ast *key = as(l, at->type, ref(l, counts ? i : k));
    Ast *less = ast_binary(l->a, way > 0 ? OP_LT : OP_GT, l->truth, key, ref(l, at));
    Ast *best = assign(l, at, ast_make(l->a, A_COND, f, at->type, 3, (Ast *[]){less, key, ref(l, at)}));
    Ast *cond = counts ? asked : with_counter(l, asked, i, k);
    loop->kids[3] = ast_make(l->a, A_IF, exit, NULL, 2, (Ast *[]){cond, best});
    int n = then->kind == A_BLOCK ? then->nkids - 1 : 0;
    Ast **done = NEW_N(l->a, Ast *, n + l->sets.n + 2), *none = own || rest ? NULL : assign(l, i, ref(l, k));
    done[0] = own ? declare(l, found) : assign(l, i, as(l, i->type, ref(l, at)));
    if (own) found->init = as(l, i->type, ref(l, at));
    n = sets_last(l, then->kids, n, i, own ? found : NULL, behind, done + 1);
    Ast *some = ast_binary(l->a, OP_NE, l->truth, ref(l, at), at->init);
    Ast *end = ast_make(l->a, A_IF, f, NULL, none ? 3 : 2, (Ast *[]){some, block(l, n + 1, done), none});
    if (!counts) vec_push(l->a, &l->ac->writes.iters, (const Decl *)k);
    if (!rest) return block(l, 3, (Ast *[]){declare(l, at), loop, end});
    Op before = way > 0 ? (behind ? OP_LE : OP_LT) : behind ? OP_GE : OP_GT;
    Ast *runs = ast_binary(l->a, before, l->truth, as(l, at->type, ref(l, i)), ref(l, at));
    Ast *whole = NEW(l->a, Ast);
    *whole = *f;
    whole->kids = NEW_N(l->a, Ast *, 5);
    for (int j = 0; j < 3; j++) whole->kids[j] = f->kids[j];
    whole->kids[3] = ast_make(l->a, A_IF, exit, NULL, 2, (Ast *[]){runs, rest});
    return block(l, 4, (Ast *[]){declare(l, at), loop, whole, end});
}

static bool accept_first(Accept *ac, const Ast *f, Decl *i, bool own) {
    Leave l = {.ac = ac, .a = ac->a, .loop = f, .truth = ast_scalar(ac->a, T_I32)};
    bool guesses = ac->guesses;
    Ast *s = first_of(&l, f, i, own);
    bool accepted = s && accept_stmt(ac, s);
    ac->guesses = guesses;
    if (s) return accepted;
    accept_refuse(ac, SC_CONTROL, f->loc,
                  "the data may end this loop before its bound, by a break or its condition; "
                  "let it run to its bound, with if and else");
    return false;
}

// A counted for with a break.
bool accept_breaking(Accept *ac, const Ast *f) {
    Decl *d = (Decl *)accept_counter(f);
    bool own = f->kids[0] && f->kids[0]->kind == A_DECLS;
    if (!may_leave(ac, f)) return accept_first(ac, f, d, own);
    bool steps = f->kids[2] && step_of(f->kids[2], d); // else the condition does
    if (!steps || accept_writes_decl(ac->a, f->kids[3], d)) return accept_while(ac, f);
    Leave l = {.ac = ac, .a = ac->a, .loop = f, .truth = ast_scalar(ac->a, T_I32)};
    l.go = variable(&l, "go", T_I32, 1);
    l.go->said = "the end of a loop";
    Ast *loop = NEW(ac->a, Ast);
    *loop = *f;
    loop->kids = NEW_N(ac->a, Ast *, 5);
    for (int k = 0; k < 4; k++) loop->kids[k] = f->kids[k];
    Decl *k = own ? NULL : variable(&l, d->name, d->type->scalar, 0);
    count_apart(&l, loop, d, k);
    if (k) vec_push(ac->a, &ac->writes.iters, k);
    Ast *start = own ? NULL : f->kids[0];
    if (start && start->kind != A_EXPR && start->kind != A_EMPTY) start = effect(&l, start);
    Ast *list[3] = {declare(&l, l.go), start ? start : loop, loop};
    return accept_stmt(ac, block(&l, start ? 3 : 2, list));
}
