// SPDX-License-Identifier: MIT
// accept_own.c -- variables that each thread of a running team has for itself.
//
//   #pragma omp parallel private(x)      also what the block declares; threadprivate; __thread; and
//   {                                    what a function declares that has no such block, because
//   #pragma omp for                      its caller's threads run it
//       for (…) { x = a[i]; b[i] = x * x; }
//
// A mark that shares out the iterations vouches for what threads hand each other, not for what the
// iterations of one thread do. What an iteration sets before it reads it is private to the iteration;
// where another one's value is read, or the last is needed behind the loop, the mark vouches for
// nothing. Of what threads sum up for themselves the order hangs on their number, so it is free.
#include "front/accept.h"
#include <ctype.h>
#include <string.h>

// ---- whose a variable is ---------------------------------------------------------------------------
// The directive stands at file scope, where a name is one variable's.
static bool is_threadprivate(const AstUnit *u, const Decl *d) {
    bool found = d->per_thread;
    for (int k = 0; (d->is_global || d->is_static) && k < u->npragmas && !found; k++)
        for (int j = 0; j < u->pragmas[k].nclauses && !found; j++)
            found = str_eq(u->pragmas[k].clauses[j].name, "threadprivate") &&
                    str_among(d->name, u->pragmas[k].clauses[j].args);
    return found;
}

static bool is_team(const Pragma *p) {
    return p->kind == P_OMP_PARALLEL || p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS;
}

// Does the pragma share the loop among threads that run already? `loop seq` runs it in its order in each of
// them, `loop auto` wherever its iterations are not independent.
static bool shares(const Pragma *p) {
    if (p->kind != P_ACC_LOOP) return p->kind == P_OMP_FOR && !pragma_says(p, "parallel");
    return !pragma_clause(p, "seq") && !pragma_clause(p, "auto");
}

bool accept_is_shared_out(const AstUnit *u, const Pragma *p) {
    bool found = false;
    for (int k = 0; k < u->npragmas && is_team(p); k++)
        found |= u->pragmas[k].target == p->target && shares(&u->pragmas[k]);
    return found;
}

static bool is_own(const AstUnit *u, const Pragma *p, const Decl *d) {
    const Ast *f = p->target;
    if (is_threadprivate(u, d)) return true;
    if (!shares(p) || d->is_static || accept_names(p, NULL, f, d)) return false;
    bool inside = false;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *q = &u->pragmas[k];
        if (!is_team(q) || !q->target || q->target->begin > p->begin || q->target->end < f->end) continue;
        if (accept_names(q, "private", f, d) || accept_names(q, "firstprivate", f, d)) return true;
        if (accept_declares(q->target, d)) return true;
        inside = true;
    }
    return !inside && p->kind == P_OMP_FOR && !d->is_global;
}

// ---- what becomes of it -----------------------------------------------------------------------------
typedef enum First { FIRST_NONE, FIRST_READ, FIRST_WRITE } First;

// How s, as far as it is run, first uses d.
static First first_use(const Ast *s, const Decl *d) {
    if (!s) return FIRST_NONE;
    if (s->kind == A_REF) return s->decl == d ? FIRST_READ : FIRST_NONE;
    bool sets = s->kind == A_ASSIGN && s->op == OP_SET && accept_strip(s->kids[0])->kind == A_REF &&
                accept_strip(s->kids[0])->decl == d;
    First first = sets ? first_use(s->kids[1], d) : FIRST_NONE;
    if (sets) return first == FIRST_READ ? FIRST_READ : FIRST_WRITE;
    for (int k = 0; k < s->nkids && !first; k++) // the step of a for behind its body
        first = first_use(s->kids[s->kind == A_FOR && k > 1 ? 5 - k : k], d);
    for (int k = 0; k < s->ndecls && !first; k++) first = first_use(s->decls[k]->init, d);
    return first;
}

typedef enum Fate {
    OWN_PRIVATE, // to the iteration
    OWN_FIRST,   // so, too, and it may read what stands there before the loop
    OWN_LAST,    // so, too, and the last value is needed
    OWN_HANDED   // from iteration to iteration
} Fate;

static Fate fate(const Accept *ac, const Ast *f, const Decl *d) {
    const Decl *func = ac->ra->func;
    const Ast *body = f->kids[3];
    bool array = !ctype_is_number(d->type);
    if (live_after(ac->a, func, (Ast *const *)&f, 1, d))
        return live_sets(ac->a, func, body, d) ? OWN_LAST : OWN_HANDED;
    if (array) return OWN_LAST; // normal.h's passes look at its elements
    if (first_use(body, d) == FIRST_READ) return OWN_HANDED;
    return live_into(ac->a, func, body, d) ? OWN_FIRST : OWN_PRIVATE;
}

// The threads' own variables that the loop changes, as the mark at it says.
static DeclVec own_of(const Accept *ac, const Ast *f) {
    const AstUnit *u = ac->ra->unit;
    DeclVec own = {0};
    Writes w = {0};
    bool scanned = false;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        if (p->target != ast_marked(f) || (p->kind != P_OMP_FOR && p->kind != P_ACC_LOOP)) continue;
        if (!scanned) accept_scan(ac->a, f->kids[3], &w);
        scanned = true;
        for (int j = 0; j < w.vars.n; j++) {
            const Decl *d = w.vars.at[j];
            bool memory = d->type->kind == CT_POINTER || accept_declares(f, d) || accept_has_decl(&own, d);
            if (!memory && is_own(u, p, d)) vec_push(ac->a, &own, d);
        }
    }
    return own;
}

// What each thread of the team that a mark starts had for itself before, and s reads: it differs, and only
// the threads know it.
static const Decl *brought_along(const Accept *ac, const Pragma *p, const Ast *s, DeclVec *calls) {
    const Ast *f = p->target;
    const Decl *d = s->kind == A_REF || s->kind == A_CALL ? s->decl : NULL;
    if (d && d->kind == D_VAR && is_threadprivate(ac->ra->unit, d) && !accept_names(p, "copyin", f, d)) {
        // of what a called function does first nothing is asked
        bool within = s->begin >= f->begin && s->end <= f->end;
        if (!within || !ctype_is_number(d->type) || first_use(f->kids[3], d) == FIRST_READ) return d;
    }
    const Decl *found = NULL;
    for (int k = 0; k < s->nkids && !found; k++)
        found = s->kids[k] ? brought_along(ac, p, s->kids[k], calls) : NULL;
    for (int k = 0; k < s->ndecls && !found; k++)
        found = s->decls[k]->init ? brought_along(ac, p, s->decls[k]->init, calls) : NULL;
    if (!found && s->kind == A_CALL && d && d->body && !accept_has_decl(calls, d)) {
        vec_push(ac->a, calls, d);
        found = brought_along(ac, p, d->body, calls);
    }
    return found;
}

static bool brings_nothing(Accept *ac, const Ast *f) {
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        if (p->target != ast_marked(f) || p->kind != P_OMP_FOR || shares(p)) continue;
        DeclVec calls = {0};
        const Decl *d = brought_along(ac, p, f->kids[3], &calls);
        if (d)
            return accept_refuse(ac, SC_MARK_UNKNOWN, p->loc,
                                 "each thread has a '%s' of its own, whose value it brings "
                                 "along; copyin(%s) would give all of them this one's",
                                 d->name, d->name);
    }
    return true;
}

// A variable of the file that a clause names, where a function that s calls uses it: the one of all.
static const Decl *used_by_calls(Arena *a, const Ast *s, bool called, const char *names, DeclVec *calls) {
    const Decl *d = s->decl, *found = NULL;
    if (called && s->kind == A_REF && d && d->kind == D_VAR && d->is_global && str_among(d->name, names))
        return d;
    for (int k = 0; k < s->nkids && !found; k++)
        if (s->kids[k]) found = used_by_calls(a, s->kids[k], called, names, calls);
    for (int k = 0; k < s->ndecls && !found; k++)
        if (s->decls[k]->init) found = used_by_calls(a, s->decls[k]->init, called, names, calls);
    if (!found && s->kind == A_CALL && d && d->body && !accept_has_decl(calls, d)) {
        vec_push(a, calls, d);
        found = used_by_calls(a, d->body, true, names, calls);
    }
    return found;
}

static bool hides_nothing(Accept *ac, const Ast *f) {
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        if (!p->target || p->target->begin > f->begin || p->target->end < f->end) continue;
        for (int j = 0; j < p->nclauses; j++) {
            const Clause *c = &p->clauses[j];
            if (!str_among(c->name, "private firstprivate lastprivate") || !c->args) continue;
            DeclVec calls = {0};
            const Decl *d = used_by_calls(ac->a, f, false, c->args, &calls);
            if (d)
                return accept_refuse(ac, SC_PRAGMA, c->loc, "%s(%s) of a variable that a function called "
                                     "here uses, which has the one of all", c->name, d->name);
        }
    }
    return true;
}

bool accept_own_privates(Accept *ac, const Ast *f) {
    if (!brings_nothing(ac, f) || !hides_nothing(ac, f)) return false;
    DeclVec own = own_of(ac, f);
    for (int k = 0; k < own.n; k++) {
        Fate is = accept_lookup(ac, own.at[k]) ? OWN_LAST : fate(ac, f, own.at[k]); // declared in the region
        if (is <= OWN_FIRST && !accept_make_private(ac, own.at[k], is == OWN_FIRST, f->loc)) return false;
    }
    return true;
}

void accept_own_mark(Accept *ac, const Ast *f, Mark *m) {
    DeclVec own = own_of(ac, f);
    for (int k = 0; k < own.n; k++) {
        if (fate(ac, f, own.at[k]) != OWN_HANDED) continue;
        if (m->assert == ASSERT_PARALLEL) m->assert = ASSERT_NONE;
        accept_reduce(ac, m, own.at[k], OP_ADD);
        accept_reduce(ac, m, own.at[k], OP_MUL);
    }
}
