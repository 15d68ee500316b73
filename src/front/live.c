// SPDX-License-Identifier: MIT
// live.c -- may a scalar be read after a region, before it is written again?
//
//   for (t = 0; t < T; t++) {     a walk over the tree from the end of the region on:
//       region;        ◄── here   first what follows in the same block, then the step and
//       s = 0;                    the condition of each loop around (and its body again,
//   }                             from the start), then what follows that loop, ...
//   use(s);
#include "front/passes.h"

typedef enum Fate {
    THROUGH, // neither read nor certainly written: look further
    READ,
    ENDED    // certainly written, or the function is left
} Fate;

typedef VEC(const char *) Labels;
typedef struct Live {
    const Decl *decl;
    const Ast *body;       // of the function
    const Ast *place;      // what follows it is asked about
    Arena *a;
    Labels *seen;          // labels that jumps led to so far
    Ast *const *skipped;   // statements that are known to set the variable before they read it
    int nskipped;
} Live;

static Fate scan(const Live *l, const Ast *s);
static Fate resume(const Live *l, const char *label);

static Fate then(const Live *l, Fate so_far, const Ast *next) {
    return so_far == THROUGH && next ? scan(l, next) : so_far;
}

// What may or may not be run after the first part.
static Fate maybe(const Live *l, const Ast *s) {
    return s && scan(l, s) == READ ? READ : THROUGH;
}

static Fate either(Fate x, Fate y) {
    return x == READ || y == READ ? READ : x == ENDED && y == ENDED ? ENDED : THROUGH;
}

static Fate all_kids(const Live *l, const Ast *s, int from) {
    Fate f = THROUGH;
    for (int k = from; k < s->nkids; k++)
        f = then(l, f, s->kids[k]);
    return f;
}

static bool has_jump(const Ast *s) { return ast_holds(s, A_BREAK) || ast_holds(s, A_CONTINUE); }

static bool is_decl(const Live *l, const Ast *e) {
    while (e->kind == A_CAST && e->nkids > 0)
        e = e->kids[0];
    return e->kind == A_REF && e->decl == l->decl;
}

static Fate scan_assign(const Live *l, const Ast *e) {
    if (!is_decl(l, e->kids[0]))
        return then(l, scan(l, e->kids[0]), e->kids[1]);
    if (e->op != OP_SET)
        return READ;
    return scan(l, e->kids[1]) == READ ? READ : ENDED;
}

static Fate scan_decls(const Live *l, const Ast *s) {
    Fate f = THROUGH;
    for (int k = 0; k < s->ndecls; k++) {
        for (const CType *t = s->decls[k]->type; t && t->kind == CT_ARRAY; t = t->of)
            f = then(l, f, t->size);
        f = then(l, f, s->decls[k]->init);
    }
    return f;
}

// A condition with a body that runs any number of times; `first` runs at least once.
static Fate scan_loop(const Live *l, Fate f, const Ast *first, const Ast *body, const Ast *step) {
    f = then(l, f, first);
    if (f != THROUGH)
        return f;
    if (maybe(l, body) == READ || maybe(l, step) == READ)
        return READ;
    return THROUGH;
}

static Fate scan_branches(const Live *l, const Ast *s) {
    Fate f = scan(l, s->kids[0]);
    if (f != THROUGH)
        return f;
    Fate x = scan(l, s->kids[1]);
    Fate y = s->nkids > 2 && s->kids[2] ? scan(l, s->kids[2]) : THROUGH;
    return either(x, y);
}

static Fate any_kid(const Live *l, const Ast *s) {
    for (int k = 0; k < s->nkids; k++)
        if (maybe(l, s->kids[k]) == READ) return READ;
    return THROUGH;
}

// Is the variable named in s other than to set it, whatever comes first? A switch leads to any of its cases.
static bool needs(const Live *l, const Ast *s) {
    if (!s) return false;
    if (s->kind == A_REF) return s->decl == l->decl;
    if (s->kind == A_GOTO) return resume(l, s->name) == READ;
    bool sets = s->kind == A_ASSIGN && s->op == OP_SET && is_decl(l, s->kids[0]);
    for (int k = sets; k < s->nkids; k++)
        if (needs(l, s->kids[k])) return true;
    return scan_decls(l, s) == READ;
}

static Fate scan(const Live *l, const Ast *s) {
    for (int k = 0; k < l->nskipped; k++)
        if (l->skipped[k] == s) return THROUGH;
    switch (s->kind) {
    case A_REF: return s->decl == l->decl ? READ : THROUGH;
    case A_ASSIGN: return scan_assign(l, s);
    case A_DECLS: return scan_decls(l, s);
    case A_COND:
    case A_IF: return scan_branches(l, s);
    case A_BINARY:
        if (s->op == OP_LAND || s->op == OP_LOR) {
            Fate f = scan(l, s->kids[0]);
            return f == THROUGH ? maybe(l, s->kids[1]) : f;
        }
        return all_kids(l, s, 0);
    case A_FOR:
        return scan_loop(l, then(l, THROUGH, s->kids[0]), s->kids[1], s->kids[3], s->kids[2]);
    case A_WHILE: return scan_loop(l, THROUGH, s->kids[0], s->kids[1], NULL);
    case A_DO: // the body runs once, but a jump may leave it early
        return any_kid(l, s);
    case A_RETURN: return all_kids(l, s, 0) == READ ? READ : ENDED;
    case A_GOTO: return resume(l, s->name);
    case A_SWITCH: {
        Fate f = scan(l, s->kids[0]);
        return f != THROUGH ? f : needs(l, s->kids[1]) ? READ : THROUGH;
    }
    case A_OTHER: return any_kid(l, s); // in any order, or not at all
    default: return all_kids(l, s, 0);
    }
}

static bool holds_place(const Live *l, const Ast *s) {
    ast_each(x, s)
        if (x == l->place) return true;
    return false;
}

static Fate after(const Live *l, const Ast *s);

// The place is in the body of a loop: leave the body, go round, leave the loop.
static Fate after_loop(const Live *l, const Ast *s) {
    bool is_for = s->kind == A_FOR;
    const Ast *body = s->kids[is_for ? 3 : s->kind == A_DO ? 0 : 1];
    const Ast *cond = s->kids[is_for ? 1 : s->kind == A_DO ? 1 : 0];
    const Ast *step = is_for ? s->kids[2] : NULL;
    if (!holds_place(l, body))
        return THROUGH;
    Fate f = after(l, body);
    if (f == ENDED && has_jump(body))
        f = THROUGH; // a jump may go past what ends it
    f = then(l, f, step);
    f = then(l, f, cond);
    if (f == THROUGH && maybe(l, body) == READ)
        return READ;
    return f;
}

static Fate after(const Live *l, const Ast *s) {
    if (s == l->place)
        return THROUGH;
    if (s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO)
        return after_loop(l, s);
    for (int k = 0; k < s->nkids; k++) {
        if (!holds_place(l, s->kids[k]))
            continue;
        Fate f = after(l, s->kids[k]);
        if (s->kind == A_SWITCH && f == ENDED && has_jump(s->kids[k])) return THROUGH;
        return s->kind == A_BLOCK && f == THROUGH ? all_kids(l, s, k + 1) : f;
    }
    return THROUGH;
}

static const Ast *find_label(const Ast *s, const char *name) {
    ast_each(x, s)
        if (x->kind == A_LABEL && str_eq(x->name, name)) return x;
    return NULL;
}

// Where goto leads to: to the label's statement and what follows it. A label that was followed before adds
// nothing.
static Fate resume(const Live *l, const char *label) {
    for (int k = 0; k < l->seen->n; k++)
        if (str_eq(l->seen->at[k], label)) return ENDED;
    vec_push(l->a, l->seen, label);
    Live at = *l;
    at.place = find_label(l->body, label);
    if (!at.place) return READ;
    Fate f = scan(&at, at.place->kids[0]);
    return f == READ || (f == THROUGH && after(&at, l->body) == READ) ? READ : ENDED;
}

// A jump to an address, or assembler that may jump.
static bool jumps_anywhere(const Ast *s) {
    ast_each(x, s)
        if (x->kind == A_OTHER && (str_eq(x->name, "IndirectGotoStmt") || str_eq(x->name, "GCCAsmStmt")))
            return true;
    return false;
}

bool live_after(Arena *a, const Decl *func, Ast *const *stmts, int nstmts, const Decl *d) {
    if (d->is_global || d->is_static || d->address_taken || nstmts == 0)
        return true;
    if (!func->body || jumps_anywhere(func->body))
        return true;
    Live l = {.decl = d, .body = func->body, .place = stmts[nstmts - 1], .a = a, .seen = &(Labels){0}};
    if (d->type->kind == CT_ARRAY) { // accept.c looks at what the region does
        l.skipped = stmts;
        l.nskipped = nstmts;
    }
    if (!holds_place(&l, func->body))
        return true;
    return after(&l, func->body) == READ;
}

static Fate fate_in(Arena *a, const Decl *func, const Ast *s, const Decl *d) {
    Fate f = scan(&(Live){.decl = d, .body = func->body, .place = s, .a = a, .seen = &(Labels){0}}, s);
    return f == ENDED && has_jump(s) ? THROUGH : f; // a jump may go past what ends it
}

bool live_into(Arena *a, const Decl *func, const Ast *s, const Decl *d) {
    return fate_in(a, func, s, d) == READ;
}

bool live_sets(Arena *a, const Decl *func, const Ast *s, const Decl *d) {
    return fate_in(a, func, s, d) == ENDED;
}
