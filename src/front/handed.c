// SPDX-License-Identifier: MIT
// handed.c -- text that the host's own compiler, with -fopenmp or -fopenacc, makes for devices.
//
// That is what a target or compute construct holds, a function under `declare target` or behind
// `acc routine`, and every function that such text calls. No call of libsculpt may stand there.
#include "front/accept.h"
#include "front/read.h"
#include <ctype.h>
#include <string.h>

static const char *const DECLARED = "omp declare target", *const ROUTINE = "acc routine";

typedef struct Handing {
    const AstUnit *u;
    bool omp, acc;       // what the host's compiler follows
    const char **why;    // [u->nfuncs] the words of the directive; NULL: not handed
} Handing;

static void read_flags(Handing *h) {
    for (int i = 0; i < h->u->nflags; i++) {
        const char *f = h->u->flags[i];
        if (str_has_prefix(f, "-fopenmp") && !str_has_prefix(f, "-fopenmp-simd")) h->omp = true;
        if (str_eq(f, "-fno-openmp")) h->omp = false;
        if (str_has_prefix(f, "-fopenacc")) h->acc = true;
    }
}

bool follows_openmp(const AstUnit *u) {
    Handing h = {.u = u};
    read_flags(&h);
    return h.omp;
}

bool follows_openacc(const AstUnit *u) {
    Handing h = {.u = u};
    read_flags(&h);
    return h.acc;
}

// The words of a construct whose text is for a device; NULL: it is no such construct.
static const char *construct(const Handing *h, const Pragma *p) {
    bool omp = (p->kind == P_OMP_FOR || p->kind == P_OMP_PARALLEL || p->kind == P_OMP_SIMD) &&
               pragma_says(p, "target");
    bool acc = p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS ||
               (p->kind == P_ACC_OTHER && pragma_says(p, "serial"));
    return p->target && ((omp && h->omp) || (acc && h->acc)) ? p->text : NULL;
}

// ---- functions -------------------------------------------------------------------------
static void hand(Handing *h, const char *name, size_t n, const char *why) {
    for (int i = 0; i < h->u->nfuncs; i++)
        if (!h->why[i] && strlen(h->u->funcs[i]->name) == n && !strncmp(h->u->funcs[i]->name, name, n))
            h->why[i] = why;
}

static void hand_list(Handing *h, const char *s, const char *why) {
    while (s && *s) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
        if (n) hand(h, s, n, why);
        s += n ? n : 1;
    }
}

static void hand_span(Handing *h, size_t begin, size_t end, const char *why) {
    for (int i = 0; i < h->u->nfuncs; i++)
        if (!h->why[i] && h->u->funcs[i]->begin >= begin && h->u->funcs[i]->begin < end) h->why[i] = why;
}

// The function that a declaration at `from` begins, if it is one with a body.
static void hand_next(Handing *h, size_t from, const char *why) {
    const char *text = h->u->text, *stop = strpbrk(text + from, ";{");
    if (stop && *stop == '{') hand_span(h, from, (size_t)(stop - text), why);
}

static bool has_clause(const Pragma *p, const char *name) {
    for (int i = 0; i < p->nclauses; i++)
        if (str_eq(p->clauses[i].name, name)) return true;
    return false;
}

// declare target … end declare target, or with the names of functions.
static void hand_declared(Handing *h, int at) {
    const Pragma *p = &h->u->pragmas[at];
    bool list = false;
    for (int i = 0; i < p->nclauses; i++) {
        list |= p->clauses[i].args != NULL;
        hand_list(h, p->clauses[i].args, DECLARED);
    }
    if (list || has_clause(p, "end")) return;
    int depth = 1;
    size_t end = h->u->size;
    for (int i = at + 1; i < h->u->npragmas && depth; i++) {
        const Pragma *q = &h->u->pragmas[i];
        if (q->kind != P_OMP_DECLARE || !has_clause(q, "target")) continue;
        depth += has_clause(q, "end") ? -1 : 1;
        if (!depth) end = q->begin;
    }
    hand_span(h, p->end, end, DECLARED);
}

// Functions that x calls are handed over for the same reason; is any of them new?
static bool hand_called(Handing *h, const Ast *root, const char *why) {
    bool any = false;
    ast_each(x, why ? root : NULL)
        for (int i = 0; x->kind == A_CALL && x->decl && i < h->u->nfuncs; i++) {
            bool new = !h->why[i] && str_eq(h->u->funcs[i]->name, x->decl->name);
            if (new) h->why[i] = why, any = true;
        }
    return any;
}

static void hand_callees(Handing *h) {
    for (int i = 0; i < h->u->npragmas; i++)
        hand_called(h, h->u->pragmas[i].target, construct(h, &h->u->pragmas[i]));
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < h->u->nfuncs; i++) any |= hand_called(h, h->u->funcs[i]->body, h->why[i]);
    }
}

// ---- the answer --------------------------------------------------------------------------
const char **functions_handed(Arena *a, const AstUnit *u) {
    Handing h = {.u = u, .why = NEW_N(a, const char *, u->nfuncs + 1)};
    read_flags(&h);
    for (int i = 0; i < u->npragmas; i++) {
        const Pragma *p = &u->pragmas[i];
        if (h.omp && p->kind == P_OMP_DECLARE && has_clause(p, "target")) hand_declared(&h, i);
        if (h.acc && p->kind == P_ACC_ROUTINE) {
            if (p->clauses[0].args) hand_list(&h, p->clauses[0].args, ROUTINE);
            else hand_next(&h, p->end, ROUTINE);
        }
    }
    if (h.omp || h.acc) hand_callees(&h);
    return h.why;
}

const char *handed(const Reading *rd, const Candidate *cand) {
    Handing h = {.u = rd->u};
    read_flags(&h);
    for (int i = 0; i < rd->u->nfuncs; i++)
        if (rd->u->funcs[i] == cand->func && rd->handed[i]) return rd->handed[i];
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        size_t end = cand->stmts[cand->nstmts - 1]->end;
        bool around = p->target && p->begin < cand->pragma_begin && end <= p->target->end;
        if (around && construct(&h, p)) return p->text;
    }
    return NULL;
}

// ---- constructs for devices that hold loops alone ---------------------------------------------
static bool is_shared_out(const Reading *rd, const Ast *loop) {
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        if (p->target == loop && (p->kind == P_OMP_FOR || p->kind == P_OMP_SIMD)) return true;
    }
    return false;
}

// OpenACC gives a construct's loops to the device with or without marks of their own.
static bool holds_only_loops(const Reading *rd, const Ast *x, bool marked, int *loops) {
    if (x->kind == A_FOR) return ++*loops, !marked || is_shared_out(rd, x);
    for (int i = 0; x->kind == A_BLOCK && i < x->nkids; i++)
        if (!holds_only_loops(rd, x->kids[i], marked, loops)) return false;
    return x->kind == A_BLOCK || x->kind == A_EMPTY || x->kind == A_DECLS;
}

static bool names(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += n) {
        bool begins = at == list || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !(isalnum((unsigned char)at[n]) || at[n] == '_')) return true;
    }
    return false;
}

// Clauses behind which a scalar has the value of the construct: `copyin` and `create` are not told apart, for
// the construct would not be asked to write it then.
static bool gives_back(const Pragma *p, const Decl *d) {
    static const char *const words[] = {"map", "copy", "copyout", "pcopy", "pcopyout", "present_or_copy",
                                        "present_or_copyout", "reduction"};
    for (int i = 0; i < p->nclauses; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_eq(p->clauses[i].name, words[k]) && names(p->clauses[i].args, d->name)) return true;
    return p->kind == P_ACC_KERNELS; // a scalar is copied in and out where nothing else is said
}

static bool is_lost_behind(const Pragma *p, const Decl *d) {
    return ctype_is_number(d->type) && !accept_declares(p->target, d) && !gives_back(p, d);
}

bool is_whole_construct(const Reading *rd, const Pragma *p) {
    int loops = 0;
    bool omp = p->kind == P_OMP_PARALLEL && pragma_says(p, "target") && follows_openmp(rd->u);
    bool acc = (p->kind == P_ACC_KERNELS || p->kind == P_ACC_PARALLEL) && follows_openacc(rd->u);
    if (!(omp || acc) || !p->target || p->target->kind != A_BLOCK) return false;
    if (!holds_only_loops(rd, p->target, omp, &loops) || !loops) return false;
    Writes w = {0};
    accept_scan(rd->a, p->target, &w);
    for (int i = 0; i < w.vars.n; i++) // a scalar that nothing maps is the construct's own
        if (is_lost_behind(p, w.vars.at[i])) return false;
    for (int i = 0; i < w.pointers.n; i++)
        if (!accept_declares(p->target, w.pointers.at[i])) return false;
    return !w.moves.n;
}
