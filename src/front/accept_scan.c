// SPDX-License-Identifier: MIT
// accept_scan.c -- what a piece of the program writes, calls and mentions, before it is read.
#include "front/accept.h"

bool accept_has_decl(const DeclVec *v, const Decl *d) {
    for (int k = 0; k < v->n; k++)
        if (v->at[k] == d)
            return true;
    return false;
}

// ---- writes --------------------------------------------------------------------------------
typedef struct Scan {
    Arena *a;
    Writes *w;
    bool by_name; // who takes an address writes nothing yet
} Scan;

static void add(Arena *a, DeclVec *v, const Decl *d) {
    if (d && !accept_has_decl(v, d))
        vec_push(a, v, d);
}

static void write_field(Scan *s, const CType *record, const char *name) {
    vec_push(s->a, &s->w->records, record);
    vec_push(s->a, &s->w->fields, name);
}

// A value of type t is stored: which types and fields does that change?
static void write_type(Scan *s, const CType *t, bool memory) {
    if (t->kind == CT_SCALAR && memory)
        s->w->memory[t->scalar] = true;
    if (t->kind == CT_ARRAY)
        write_type(s, t->of, memory);
    if (t->kind == CT_RECORD)
        for (int k = 0; k < t->nfields; k++) {
            write_field(s, t, t->fields[k].name);
            write_type(s, t->fields[k].type, memory);
        }
}

// *(int *)&x: x is written, whatever it is.
static void write_converted(Scan *s, const Ast *p) {
    for (; p->kind == A_CAST && p->nkids > 0; p = p->kids[0])
        if (p->kids[0]->type && p->kids[0]->type->of) write_type(s, p->kids[0]->type->of, true);
}

static void write_place(Scan *s, const Ast *e, bool moved) {
    bool memory = false;
    const CType *all = e->type; // of a union: whatever it holds
    for (const Ast *p = e; p;) {
        if (p->kind == A_REF) {
            if (e == p && accept_is_pointer(e))
                add(s->a, moved ? &s->w->moves : &s->w->pointers, p->decl);
            add(s->a, &s->w->vars, p->decl);
            break;
        }
        memory |= p->kind != A_CAST && !(p->kind == A_FIELD && !p->arrow);
        if (p->kind == A_FIELD) {
            const CType *t = p->kids[0]->type;
            if (p->arrow && t->of) t = t->of;
            write_field(s, t, p->name);
            if (t->kind == CT_RECORD && t->is_union) all = t;
        }
        if ((p->kind == A_DEREF || p->kind == A_INDEX) && p->nkids > 0) write_converted(s, p->kids[0]);
        const CType *below = p->nkids > 0 ? p->kids[0]->type : NULL;
        bool element = p->kind == A_INDEX && below && below->kind == CT_ARRAY;
        bool inside = p->kind == A_CAST || element || (p->kind == A_FIELD && !p->arrow);
        p = inside && p->nkids > 0 ? p->kids[0] : NULL;
    }
    if (all) write_type(s, all, memory);
}

static const Decl *addressed(const Ast *e) {
    const Ast *p = e->kids[0];
    while (p && p->nkids > 0 && (p->kind == A_CAST || (p->kind == A_FIELD && !p->arrow)))
        p = p->kids[0];
    return p && p->kind == A_REF ? p->decl : NULL;
}

// What a pointer points to is written.
static void write_behind(Scan *s, const Ast *p) {
    if (p->type && p->type->of) write_type(s, p->type->of, true);
    while (p->nkids > 0 && p->kind != A_REF) p = p->kids[0];
    if (p->kind == A_REF && p->decl->type->kind != CT_POINTER) add(s->a, &s->w->vars, p->decl);
}

static void scan(Scan *s, const Ast *root);

static void assigned(Scan *s, const Ast *e) {
    if ((e->kind == A_ASSIGN || e->kind == A_INCDEC) && e->nkids > 0)
        write_place(s, e->kids[0], accept_moved(e) != NULL);
    if (e->kind == A_ADDR && !s->by_name)
        add(s->a, &s->w->vars, addressed(e));
    if (accept_is_memory_call(e))
        write_behind(s, accept_strip(e->kids[0]));
    if (e->kind == A_CALL && e->decl && e->decl->body && !accept_has_decl(&s->w->funcs, e->decl)) {
        add(s->a, &s->w->funcs, e->decl);
        scan(s, e->decl->body);
    }
}

static void scan(Scan *s, const Ast *root) {
    ast_each(e, root) assigned(s, e);
}

// Headers of loops don't write their counters; what else they do counts.
void accept_scan(Arena *a, const Ast *root, Writes *w) {
    ast_each(e, root) {
        const Decl *d = e->kind == A_FOR ? accept_counter(e) : NULL;
        bool own = d && e->kids[0] && e->kids[0]->kind == A_DECLS;
        if (d && (own || (!accept_has_break(e) && !accept_jumps_out(e)))) {
            add(a, &w->iters, d);
            Writes header = {0};
            for (int k = 0; k < 3; k++) scan(&(Scan){.a = a, .w = &header}, e->kids[k]);
            for (int k = 0; k < header.vars.n; k++)
                if (header.vars.at[k] != d) add(a, &w->vars, header.vars.at[k]);
            for (int k = 0; k < header.pointers.n; k++) add(a, &w->pointers, header.pointers.at[k]);
            for (int k = 0; k < header.moves.n; k++) add(a, &w->moves, header.moves.at[k]);
            accept_scan(a, e->kids[3], w);
            each_prune();
            continue;
        }
        if (e->kind == A_CALL && e->decl && e->decl->body && !accept_has_decl(&w->funcs, e->decl)) {
            add(a, &w->funcs, e->decl);
            accept_scan(a, e->decl->body, w);
        }
        assigned(&(Scan){.a = a, .w = w}, e);
    }
}

bool accept_writes_decl(Arena *a, const Ast *s, const Decl *d) {
    Writes w = {0};
    scan(&(Scan){.a = a, .w = &w}, s);
    return accept_has_decl(&w.vars, d);
}

bool accept_assigns_decl(Arena *a, const Ast *s, const Decl *d) {
    Writes w = {0};
    scan(&(Scan){.a = a, .w = &w, .by_name = true}, s);
    return accept_has_decl(&w.vars, d);
}

// ---- mentions --------------------------------------------------------------------------------
int accept_count_uses(const Ast *s, const Decl *d) {
    int uses = 0;
    ast_each(e, s) uses += e->kind == A_REF && e->decl == d;
    return uses;
}

bool accept_mentions(const Ast *s, const Decl *d) {
    return accept_count_uses(s, d) > 0;
}

bool accept_declares(const Ast *s, const Decl *d) {
    ast_each(e, s)
        for (int k = 0; k < e->ndecls; k++)
            if (e->decls[k] == d) return true;
    return false;
}

// ---- purity ----------------------------------------------------------------------------------
bool accept_is_pure(Arena *a, const Decl *func) {
    Writes w = {0};
    scan(&(Scan){.a = a, .w = &w}, func->body);
    for (int t = 0; t < T_COUNT; t++)
        if (w.memory[t])
            return false;
    for (int k = 0; k < w.vars.n; k++)
        if (w.vars.at[k]->is_global || w.vars.at[k]->is_static)
            return false;
    return true;
}
