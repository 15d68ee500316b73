// SPDX-License-Identifier: MIT
// scope.c -- data scopes that nobody wrote: where arrays may stay on the device.
//
//   { sculpt_data_begin();            a run of statements of one block in which only
//   for (t = 0; t < T; t++) {         regions touch memory: everything else computes with
//       region; region;               scalars that no region writes, calls nothing,
//       x = a; a = b; b = x;          and reaches the end of the run
//   }
//   sculpt_data_end(); }
//
// Wrong here is wrong answers, so whatever is not plainly harmless ends a run.
#include "front/accept.h"
#include "front/passes.h"
#include "parse/lex.h"
#include "ir/value.h"
#include <ctype.h>
#include <string.h>

typedef VEC(const Decl *) Decls;
typedef VEC(const char *) Names;

typedef struct Scope {
    Arena *a;
    const AstUnit *u;
    int nregions;
    const RegionAst *const *asts;
    const Region *const *regions;
    Inserts *out;
} Scope;

// What a run of statements does.
typedef struct Run {
    Scope *s;
    int regions;       // in it
    bool repeats;      // a region stands in a host loop
    Decls used;        // scalars that host code of the run, or a region's parameters, name
    Decls written;     // variables that the text of regions writes
    Decls declared;    // in the run, outside of regions
    Names scalars;     // C names of the scalars that regions keep in memory
    Names parameters;  // C names of the regions' parameters
} Run;

static void add(Arena *a, Decls *v, const Decl *d) {
    for (int i = 0; i < v->n; i++)
        if (v->at[i] == d) return;
    vec_push(a, v, d);
}

static bool has(const Decls *v, const Decl *d) { return has_pointer(v->n, v->at, d); }

// ---- regions -----------------------------------------------------------------------------
// The region whose first statement is x; -1: none.
static int region_at(const Scope *s, const Ast *x) {
    for (int i = 0; i < s->nregions; i++)
        if (s->asts[i]->stmts[0] == x) return i;
    return -1;
}

static const Decl *root_variable(const Ast *x) {
    while (x && (x->kind == A_INDEX || x->kind == A_FIELD || x->kind == A_CAST))
        x = x->kids[0];
    return x && x->kind == A_REF ? x->decl : NULL;
}

static void find_inside(Run *r, const Ast *root, Decls *inside) {
    ast_each(x, root) {
        const Decl *d = x->kind == A_ASSIGN || x->kind == A_INCDEC ? root_variable(x->kids[0]) : NULL;
        if (d) add(r->s->a, &r->written, d);
        for (int i = 0; i < x->ndecls; i++) add(r->s->a, inside, x->decls[i]);
    }
}

static bool is_plain_name(const char *s) {
    if (!s || !*s) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static bool has_name(const Names *v, const char *name) {
    for (int i = 0; i < v->n; i++)
        if (str_eq(v->at[i], name)) return true;
    return false;
}

static bool uses_name(const Run *r, const char *name) {
    for (int i = 0; i < r->used.n; i++)
        if (str_eq(r->used.at[i]->name, name)) return true;
    return false;
}

static bool is_parameter(const Region *r, const char *name) {
    for (int i = 0; i < r->nparams; i++)
        if (str_eq(r->params[i]->source, name)) return true;
    return false;
}

static void find_parameters(Run *r, const Region *region, const Ast *root) {
    ast_each(x, root)
        if (x->kind == A_REF && x->decl && is_parameter(region, x->decl->name))
            add(r->s->a, &r->used, x->decl);
}

// Everything that the host evaluates for a region must be a variable's value, and none may leave the run.
static bool add_region(Run *r, int at) {
    const RegionAst *ra = r->s->asts[at];
    const Region *region = r->s->regions[at];
    if (region->ninspects) return false;
    for (int i = 0; i < region->nparams; i++) {
        if (!is_plain_name(region->params[i]->source)) return false;
        vec_push(r->s->a, &r->parameters, region->params[i]->source);
    }
    for (int i = 0; i < region->narrays; i++) {
        if (region->arrays[i]->watched) return false; // a parameter that memory may hold
        const char *base = region->arrays[i]->source;
        if (base && *base == '&') base++;
        if (!is_plain_name(base)) return false;
        if (region->arrays[i]->rank == 0) vec_push(r->s->a, &r->scalars, base);
    }
    Decls inside = {0};
    for (int i = 0; i < ra->nstmts; i++) {
        if (accept_jumps_out(ra->stmts[i])) return false;
        find_inside(r, ra->stmts[i], &inside);
        find_parameters(r, region, ra->stmts[i]);
    }
    for (int i = 0; i < region->nparams; i++) // one of an inlined function's globals?
        if (!uses_name(r, region->params[i]->source)) return false;
    r->regions++;
    return true;
}

// ---- host code -------------------------------------------------------------------------------
static bool is_harmless_variable(const Decl *d) {
    const CType *t = d->type;
    if (!t || t->is_volatile || t->is_atomic) return false;
    if (!ctype_is_number(t) && t->kind != CT_POINTER) return false;
    return !d->address_taken && (!d->is_global || d->is_static || d->is_const);
}

static bool is_pure_call(const Ast *x) {
    bool known = x->decl && !x->decl->body && x->type && x->type->kind == CT_SCALAR;
    const MathFn *fn = known ? math_find(x->decl->name, x->type->scalar) : NULL;
    return fn && !fn->ours;
}

static bool is_clean(Run *r, const Ast *x, int loops);

static bool kids_clean(Run *r, const Ast *x, int loops) {
    for (int i = 0; i < x->nkids; i++) {
        int at = x->kids[i] ? region_at(r->s, x->kids[i]) : -1;
        if (at < 0) {
            if (!is_clean(r, x->kids[i], loops)) return false;
            continue;
        }
        if (!add_region(r, at)) return false;
        r->repeats |= loops > 0;
        i += r->s->asts[at]->nstmts - 1;
    }
    return true;
}

static bool decls_clean(Run *r, const Ast *x) {
    for (int i = 0; i < x->ndecls; i++) {
        const Decl *d = x->decls[i];
        if (!is_harmless_variable(d) || d->is_static || d->is_global) return false;
        add(r->s->a, &r->declared, d);
        if (d->init && !is_clean(r, d->init, 0)) return false;
    }
    return true;
}

static bool is_clean(Run *r, const Ast *x, int loops) {
    if (!x) return true;
    switch (x->kind) {
    case A_INT: case A_FLOAT: case A_EMPTY: return true;
    case A_REF:
        add(r->s->a, &r->used, x->decl);
        return is_harmless_variable(x->decl);
    case A_CALL: return is_pure_call(x) && kids_clean(r, x, loops);
    case A_UNARY: case A_BINARY: case A_ASSIGN: case A_INCDEC: case A_COND: case A_CAST:
    case A_COMMA: case A_EXPR: case A_BLOCK: case A_IF:
        return kids_clean(r, x, loops);
    case A_FOR: case A_WHILE: case A_DO: return kids_clean(r, x, loops + 1);
    case A_DECLS: return decls_clean(r, x);
    case A_BREAK: case A_CONTINUE: return loops > 0;
    default: return false;
    }
}

// ---- runs -----------------------------------------------------------------------------------
// The host must not name what regions write, and nothing they write may end with the run.
static bool is_consistent(const Run *r) {
    for (int i = 0; i < r->written.n; i++) {
        const Decl *d = r->written.at[i];
        bool memory = d->type && (d->type->kind == CT_POINTER || d->type->kind == CT_ARRAY);
        if (!memory && has(&r->used, d)) return false;
        if (has(&r->declared, d) && !memory) return false;
    }
    for (int i = 0; i < r->scalars.n; i++)
        if (has_name(&r->parameters, r->scalars.at[i]) || uses_name(r, r->scalars.at[i]))
            return false;
    for (int i = 0; i < r->used.n; i++)
        if (!is_harmless_variable(r->used.at[i])) return false;
    return true;
}

static bool has_conditional(const AstUnit *u, size_t begin, size_t end) {
    for (size_t at = begin; at < end;) {
        at = lex_blank(u->text, end, at);
        if (at >= end) break;
        if (!lex_is_directive(u->text, end, at)) {
            at = lex_token(u->text, end, at);
            continue;
        }
        size_t word = lex_blank(u->text, end, at + 1);
        bool plain = lex_word_is(u->text, end, word, "pragma") ||
                     lex_word_is(u->text, end, word, "line");
        if (!plain) return true;
        at = lex_directive_end(u->text, end, at);
    }
    return false;
}

static void put_scope(Scope *s, size_t begin, size_t end) {
    FrontInsert in = {.at = begin, .text = "{ sculpt_data_begin();", .begin = begin, .end = end,
                      .order = -1};
    FrontInsert out = {.at = end, .text = "sculpt_data_end(); }", .begin = begin, .end = end,
                       .order = 1};
    vec_push(s->a, s->out, in);
    vec_push(s->a, s->out, out);
}

// Statement `at` of a block joins the run, or the run is as it was. Returns the number of
// statements taken.
static int join(Run *r, Ast *block, int at) {
    Run with = *r;
    Ast *x = block->kids[at];
    int region = region_at(r->s, x), n = 1;
    if (x->end <= x->begin || x->kind == A_DECLS) return 0;
    if (region >= 0) {
        if (!add_region(&with, region)) return 0;
        n = r->s->asts[region]->nstmts;
    } else if (!is_clean(&with, x, 0)) {
        return 0;
    }
    if (!is_consistent(&with)) return 0;
    *r = with;
    return n;
}

// The longest run that starts at statement `from`; returns where it ends.
static int longest(Scope *s, Ast *block, int from, Run *r) {
    *r = (Run){.s = s};
    int at = from;
    while (at < block->nkids) {
        int n = join(r, block, at);
        if (n == 0) break;
        at += n;
    }
    return at;
}

static bool pays(const Run *r) { return r->repeats || r->regions > 1; }

static void search(Scope *s, Ast *x);

// Where a run from statement i on can be opened: behind what stands before it, so that
// marks stay with their loops. 0: nowhere.
static size_t opening(const Scope *s, const Ast *block, int i) {
    const char *text = s->u->text;
    size_t at = i > 0 ? block->kids[i - 1]->end : block->begin + 1;
    if (at <= block->begin || at > block->kids[i]->begin) return 0;
    return i == 0 ? (text[at - 1] == '{' ? at : 0) : strchr(";}", text[at - 1]) ? at : 0;
}

static void search_block(Scope *s, Ast *block) {
    for (int i = 0; i < block->nkids;) {
        Run r;
        int end = longest(s, block, i, &r);
        size_t begin = end > i ? opening(s, block, i) : 0;
        size_t close = end > i ? block->kids[end - 1]->end : 0;
        if (begin && pays(&r) && !has_conditional(s->u, begin, close)) {
            put_scope(s, begin, close);
            i = end;
        } else {
            search(s, block->kids[i]);
            i++;
        }
    }
}

// The arms of what was a switch are no blocks of the text: labels stand between their statements, and breaks
// leave them.
static bool is_in_text(const Scope *s, const Ast *block) {
    return block->end > block->begin && s->u->text[block->begin] == '{';
}

static void search(Scope *s, Ast *x) {
    if (!x || x->kind < A_EXPR || region_at(s, x) >= 0) return;
    if (x->kind == A_BLOCK && is_in_text(s, x)) {
        search_block(s, x);
        return;
    }
    for (int i = 0; i < x->nkids; i++) search(s, x->kids[i]);
}

// A function that manages its data itself, or runs in several threads, is left alone.
static bool has_own_scopes(const AstUnit *u, const Ast *body) {
    for (int i = 0; i < u->npragmas; i++) {
        const Pragma *p = &u->pragmas[i];
        if (p->begin < body->begin || p->begin >= body->end) continue;
        if (p->kind == P_OMP_PARALLEL || p->kind == P_OMP_OTHER || p->kind == P_SCULPT_DATA ||
            (p->kind >= P_ACC_DATA && p->kind <= P_ACC_OTHER) ||
            (p->kind >= P_OMP_TARGET_DATA && p->kind <= P_OMP_OTHER))
            return true;
    }
    return false;
}

void scope_find(Compile *c, const AstUnit *u, int nregions, const RegionAst *const *asts,
                const Region *const *regions, Inserts *out) {
    Scope s = {.a = c->arena, .u = u, .nregions = nregions, .asts = asts, .regions = regions,
               .out = out};
    for (int i = 0; i < u->nfuncs; i++) {
        Ast *body = u->funcs[i]->body;
        bool here = body && body->end > body->begin;
        if (here && !has_own_scopes(u, body)) search(&s, body);
    }
}
