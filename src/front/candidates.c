// SPDX-License-Identifier: MIT
// candidates.c -- which statements the pragmas of a file mark.
#include "front/accept.h"
#include "front/places.h"
#include "front/read.h"
#include <string.h>

void outermost_loops(Arena *a, Ast *x, Statements *out) {
    if (!x) return;
    if (x->kind == A_FOR) {
        vec_push(a, out, x);
        return;
    }
    for (int i = 0; i < x->nkids && x->kind > A_EXPR; i++) outermost_loops(a, x->kids[i], out);
}

static bool in_span(const Candidate *k, size_t at) {
    size_t begin = k->pragma_begin < k->stmts[0]->begin ? k->pragma_begin : k->stmts[0]->begin;
    return at >= begin && at < k->stmts[k->nstmts - 1]->end;
}

static const Candidate *around(const Reading *rd, size_t at) {
    for (int i = 0; i < rd->candidates.n; i++)
        if (!rd->candidates.at[i].undone && in_span(&rd->candidates.at[i], at)) return &rd->candidates.at[i];
    return NULL;
}

static bool holds_candidate(const Reading *rd, const Ast *x) {
    for (int i = 0; i < rd->candidates.n; i++) {
        const Ast *s = rd->candidates.at[i].stmts[0];
        if (!rd->candidates.at[i].undone && s->begin >= x->begin && s->begin < x->end) return true;
    }
    return false;
}

static void add(Reading *rd, MarkKind marked, size_t pragma_begin, int n, Ast **stmts) {
    if (around(rd, stmts[0]->begin)) return;
    for (int i = 0; i < n; i++)
        if (holds_candidate(rd, stmts[i])) return;
    Candidate k = {.func = ast_function_at(rd->u, stmts[0]->begin), .marked = marked, .nstmts = n,
                   .stmts = stmts, .pragma_begin = pragma_begin};
    if (k.func) vec_push(rd->a, &rd->candidates, k);
    else leave_mark(rd, marked, stmts[0]->loc, pragma_begin, stmts[n - 1]->end);
}

static void add_one(Reading *rd, MarkKind marked, size_t pragma_begin, Ast *stmt) {
    Ast **list = NEW(rd->a, Ast *);
    *list = stmt;
    add(rd, marked, pragma_begin, 1, list);
}

static void add_loops(Reading *rd, MarkKind marked, Ast *x) {
    Statements loops = {0};
    outermost_loops(rd->a, x, &loops);
    for (int i = 0; i < loops.n; i++) add_one(rd, marked, loops.at[i]->begin, loops.at[i]);
}

// ---- scop … endscop --------------------------------------------------------------------
static Ast *block_around(Ast *x, size_t at) {
    for (int i = 0; i < x->nkids; i++) {
        Ast *kid = x->kids[i];
        if (!kid || kid->kind < A_EXPR || at <= kid->begin || at >= kid->end) continue;
        Ast *inner = block_around(kid, at);
        return inner ? inner : kid->kind == A_BLOCK ? kid : NULL;
    }
    return x->kind == A_BLOCK ? x : NULL;
}

static const Pragma *endscop_after(const AstUnit *u, int from) {
    for (int i = from + 1; i < u->npragmas && u->pragmas[i].kind != P_SCOP; i++)
        if (u->pragmas[i].kind == P_ENDSCOP) return &u->pragmas[i];
    return NULL;
}

static void add_scop(Reading *rd, int at) {
    const Pragma *begin = &rd->u->pragmas[at], *end = endscop_after(rd->u, at);
    Decl *f = ast_function_at(rd->u, begin->begin);
    Ast *block = f ? block_around(f->body, begin->begin) : NULL;
    if (!block || !end || block != block_around(f->body, end->begin)) {
        leave_mark(rd, MARK_SCOP, begin->loc, begin->begin, begin->end);
        diag(rd->c, DIAG_WARNING, SC_PRAGMA, begin->loc,
             "#pragma scop without an #pragma endscop in the same block");
        return;
    }
    int n = 0;
    Ast **stmts = NEW_N(rd->a, Ast *, block->nkids + 1);
    for (int i = 0; i < block->nkids; i++) {
        Ast *s = block->kids[i];
        if (s->begin >= begin->end && s->end <= end->begin && s->end > s->begin) stmts[n++] = s;
    }
    if (n == 0)
        diag(rd->c, DIAG_WARNING, SC_NOT_FOR, begin->loc, "nothing stands between the pragmas");
    else
        add(rd, MARK_SCOP, begin->begin, n, stmts);
}

// ---- the other marks -------------------------------------------------------------------
// acc parallel or kernels before a block: the loops inside.
static void add_block(Reading *rd, const Pragma *p) {
    if (p->kind == P_ACC_KERNELS) {
        add_loops(rd, MARK_ACC, p->target);
        return;
    }
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *q = &rd->u->pragmas[i];
        bool inner = q->kind == P_ACC_LOOP && q->target && q->target->kind == A_FOR &&
                     q->begin >= p->end && q->begin < p->target->end;
        if (inner) add_one(rd, MARK_ACC, q->begin, q->target);
    }
    add_loops(rd, MARK_ACC, p->target); // those that no acc loop marks
}

static void add_marked(Reading *rd, const Pragma *p, MarkKind marked) {
    bool is_acc = p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS;
    if (around(rd, p->begin)) return;
    if (p->target && p->target->kind == A_FOR) {
        add_one(rd, marked, p->begin, p->target);
    } else if (is_acc && p->target && !pragma_clause(p, "loop")) {
        add_block(rd, p);
    } else if (p->place == MACRO_INSIDE || p->in_expression) {
        leave_mark(rd, marked, p->loc, p->begin, p->end);
        diag(rd->c, DIAG_REMARK, SC_SPLICE, p->loc, "the loops stay on the host: %s",
             p->in_expression
                 ? "they stand in an expression, ({ … }); write them as a statement in front of it"
                 : "the macro that marks them holds more than the loop, and can't be written out: it is an "
                   "argument of another, or counts with __COUNTER__; write the loop outside of it");
    } else {
        leave_mark(rd, marked, p->loc, p->begin, p->end);
        bool loop = p->target && (p->target->kind == A_WHILE || p->target->kind == A_DO);
        diag(rd->c, DIAG_WARNING, SC_NOT_FOR, p->loc,
             loop ? "#pragma %s marks a loop that is not seen to count a variable to a bound"
                  : "#pragma %s must stand before a for loop", p->text);
    }
}

// Work that OpenMP hands to threads in other ways.
static void leave_other(Reading *rd, const Pragma *p) {
    static const char *const words[] = {"sections", "task", "taskloop", "metadirective"};
    bool work = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) work |= pragma_says(p, words[i]);
    if (!work || around(rd, p->begin)) return;
    diag(rd->c, DIAG_REMARK, SC_PRAGMA, p->loc,
         "#pragma %s is left to the host; 'parallel for' marks loops for a device", p->text);
    if (pragma_says(p, "taskloop") || pragma_says(p, "metadirective"))
        leave_mark(rd, MARK_OMP, p->loc, p->begin, p->end);
}

// Is all that x does in candidates?
static bool is_covered(const Reading *rd, const Ast *x) {
    if (x->kind == A_EMPTY || (x->end > x->begin && around(rd, x->begin))) return true;
    for (int i = 0; x->kind == A_DECLS && i < x->ndecls; i++)
        if (x->decls[i]->init) return false;
    for (int i = 0; x->kind == A_BLOCK && i < x->nkids; i++)
        if (!is_covered(rd, x->kids[i])) return false;
    return x->kind == A_BLOCK || x->kind == A_DECLS;
}

// Is there a loop in x that is no candidate?
static bool holds_other_loop(const Reading *rd, Ast *x) {
    Statements loops = {0};
    outermost_loops(rd->a, x, &loops);
    for (int i = 0; i < loops.n; i++)
        if (!around(rd, loops.at[i]->begin) && !holds_candidate(rd, loops.at[i])) return true;
    return false;
}

// What a directive gives to the device beside loops runs on the host: it must find the values there.
static void check_covered(Reading *rd, const Pragma *p) {
    bool device = p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS ||
                  (p->kind == P_ACC_OTHER && pragma_says(p, "serial")) ||
                  (p->kind == P_OMP_PARALLEL && pragma_says(p, "target"));
    if (!device || !p->target || around(rd, p->begin) || is_covered(rd, p->target)) return;
    rd->partly = true;
    bool loop = p->target->kind == A_FOR;
    diag(rd->c, DIAG_REMARK, SC_NOT_FOR, p->loc,
         "%s of #pragma %s runs on the host%s, so the data directives of this file are not followed",
         loop ? "the loop" : "a part", p->text, loop ? " in its order" : "");
    if (holds_other_loop(rd, p->target))
        leave_mark(rd, p->kind == P_OMP_PARALLEL ? MARK_OMP : MARK_ACC, p->loc, p->begin, p->target->end);
}

// A block for threads that shares out no loop by a mark.
static void tell_unshared(Reading *rd, const Pragma *p) {
    bool shares = p->kind != P_OMP_PARALLEL || pragma_says(p, "target") || !p->target;
    for (int i = 0; i < rd->u->npragmas && !shares; i++) {
        const Pragma *q = &rd->u->pragmas[i];
        shares = q->begin >= p->end && q->begin < p->target->end &&
                 (q->kind == P_OMP_FOR || q->kind == P_OMP_SIMD || q->kind == P_OMP_OTHER);
    }
    if (!shares)
        diag(rd->c, DIAG_REMARK, SC_NOT_FOR, p->loc,
             "no loop in this #pragma %s is dealt to its threads, so they stay on the host; 'omp for' before "
             "a loop marks it",
             p->text);
}

static void add_whole(Reading *rd, const Pragma *p, MarkKind marked) {
    int before = rd->candidates.n;
    if (around(rd, p->begin)) return;
    add_one(rd, marked, p->begin, p->target);
    if (rd->candidates.n > before) rd->candidates.at[before].whole = true;
}

static void add_pragma(Reading *rd, int at) {
    const Pragma *p = &rd->u->pragmas[at];
    switch (p->kind) {
    case P_SCOP: add_scop(rd, at); break;
    case P_SCULPT: add_marked(rd, p, MARK_SCULPT); break;
    case P_ACC_PARALLEL: case P_ACC_KERNELS:
        if (is_whole_construct(rd, p)) add_whole(rd, p, MARK_ACC);
        else add_marked(rd, p, MARK_ACC);
        break;
    case P_ACC_LOOP: add_marked(rd, p, MARK_ACC); break;
    case P_OMP_OTHER: leave_other(rd, p); break;
    case P_ACC_OTHER:
        if (!p->target && pragma_says(p, "serial")) add_marked(rd, p, MARK_ACC);
        break;
    case P_OMP_PARALLEL:
        if (!p->target) add_marked(rd, p, MARK_OMP);
        tell_unshared(rd, p);
        if (pragma_says(p, "target") && p->target && p->target->kind == A_FOR) add_marked(rd, p, MARK_OMP);
        else if (is_whole_construct(rd, p)) add_whole(rd, p, MARK_OMP);
        break;
    case P_OMP_FOR: case P_OMP_SIMD: add_marked(rd, p, MARK_OMP); break;
    default: break;
    }
}

// ---- host loops around marked ones -------------------------------------------------------------
//   for (int k = 0; k < n; k++) {
//       int from = …;
//   #pragma omp parallel for
//       for (int i = from; i < n; i++) …      uses k, or from
//   }
//
// Steps of a recurrence, a factorisation, a wavefront, a stencil: what they do for each other shows in the
// loop around them alone. It is one region if it holds nothing else; if that is refused the marks stand for
// themselves. A call of a function that holds nothing else stands for its loops, which also stay there.
// A single loop that is the same in each step is rather a measurement's.
enum { MOST_CALLS = 4 };   // one in the other
typedef struct Around {
    const Reading *rd;
    Ast *loop;             // of the host
    const Ast *inside;     // a marked statement of it
    const Candidate *first;
    bool uses;             // does a marked loop use what changes from step to step?
    int several;           // marked statements
    int calls;             // around what is looked at
    bool of_host;          // does one of them work on the host's data?
} Around;

static void see_uses(Around *r, const Ast *x) {
    r->inside = x;
    ast_each(e, x) {
        bool named = e->kind == A_REF && e->decl && !accept_declares(x, e->decl);
        r->uses |= named && (e->decl == accept_counter(r->loop) || accept_declares(r->loop, e->decl));
    }
}

// It asks for nothing that concerns its single steps alone.
static bool is_plain_mark(const Pragma *p) {
    static const char *const words[] = {"if", "async", "wait", "nowait", "depend", "device", "seq",
                                        "ordered"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (pragma_clause(p, words[i])) return false;
    for (int i = 0; i < p->nclauses; i++)
        if (p->clauses[i].args && strstr(p->clauses[i].args, "always")) return false;
    bool shared = p->kind == P_OMP_FOR; // by the threads of a team that runs the host's loop, too?
    return !shared || pragma_says(p, "parallel") || pragma_says(p, "target");
}

static bool are_plain_marks(const Reading *rd, size_t begin, size_t end) {
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        bool inside = p->begin >= begin && p->begin < end;
        bool team = p->target && p->target->begin < begin && p->target->end >= end &&
                    (p->kind == P_OMP_PARALLEL || p->kind == P_OMP_OTHER || p->kind == P_ACC_PARALLEL);
        bool moves = p->kind == P_ACC_UPDATE || p->kind == P_OMP_UPDATE; // between copies that differ
        if (team || (inside && (moves || !is_plain_mark(p)))) return false;
    }
    return true;
}

static bool holds_only_marked(Around *r, Ast *x);

// All its marks are of loops, and permit nothing: that would hold of all the other loops.
static bool are_loop_marks(const Reading *rd, const Ast *x) {
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        bool inside = p->begin >= x->begin && p->begin < x->end;
        bool loop = p->target && p->kind != P_ACC_DATA && p->kind != P_OMP_TARGET_DATA &&
                    p->kind != P_SCULPT_DATA && p->kind != P_SCOP && (p->kind != P_SCULPT || !p->nclauses);
        if (inside && !loop) return false;
    }
    return are_plain_marks(rd, x->begin, x->end);
}

static bool calls_only_marked(Around *r, const Ast *call) {
    const Decl *f = call->kind == A_CALL ? call->decl : NULL;
    if (!f || !f->body || f->is_weak || f->error || r->calls == MOST_CALLS) return false;
    for (int i = 0; i < r->rd->u->nfuncs; i++)
        if (r->rd->u->funcs[i] == f && r->rd->handed[i]) return false;
    if (!are_loop_marks(r->rd, f->body)) return false;
    see_uses(r, call);
    r->calls++;
    bool only = holds_only_marked(r, f->body);
    r->calls--;
    return only;
}

static bool holds_only_marked(Around *r, Ast *x) {
    const Candidate *k = x->end > x->begin ? around(r->rd, x->begin) : NULL;
    if (k) {
        if (!r->first) r->first = k;
        r->several++;
        r->of_host |= is_of_host(r->rd, k);
        see_uses(r, x);
        return k->marked != MARK_AUTO;
    }
    for (int i = 0; x->kind == A_DECLS && i < x->ndecls; i++)
        if (x->decls[i]->type->kind != CT_SCALAR || x->decls[i]->is_static) return false;
    if (x->kind == A_FOR) return holds_only_marked(r, x->kids[3]);
    if (x->kind == A_EXPR) return calls_only_marked(r, x->kids[0]);
    for (int i = 0; x->kind == A_BLOCK && i < x->nkids; i++)
        if (!holds_only_marked(r, x->kids[i])) return false;
    return x->kind == A_BLOCK || x->kind == A_DECLS || x->kind == A_EMPTY;
}

static void add_around(Reading *rd, Ast *x) {
    if (!x || x->kind < A_EXPR || (x->end > x->begin && around(rd, x->begin))) return;
    Around r = {.rd = rd, .loop = x};
    bool loop = x->kind == A_FOR && x->end > x->begin && are_plain_marks(rd, x->begin, x->end);
    for (int i = 0; i < rd->c->apart.n; i++) loop &= rd->c->apart.at[i] != x->begin;
    Ast *turned = NULL;
    const char *behind = "";
    const Ast *steps =
        loop ? places_steps(rd->a, ast_function_at(rd->u, x->begin), x, &turned, &behind) : NULL;
    r.uses = steps;
    if (!loop || !holds_only_marked(&r, steps ? (Ast *)steps : x->kids[3]) || !r.first ||
        (!r.uses && r.several < 2)) {
        for (int i = 0; i < x->nkids; i++) add_around(rd, x->kids[i]);
        return;
    }
    MarkKind marked = r.first->marked;
    for (int i = 0; i < rd->candidates.n; i++) {
        Candidate *k = &rd->candidates.at[i];
        k->undone |= k->stmts[0]->begin >= x->begin && k->stmts[0]->begin < x->end;
    }
    int before = rd->candidates.n;
    const Ast written = *x;
    if (steps) *x = *turned;
    add_one(rd, marked, x->begin, x);
    if (rd->candidates.n > before) {
        rd->candidates.at[before].written = written;
        rd->candidates.at[before].whole = true;
        rd->candidates.at[before].behind = behind;
        rd->candidates.at[before].steps = true;
        rd->candidates.at[before].of_host = r.of_host;
    }
}

// ---- loops without a mark ----------------------------------------------------------------
static void add_unmarked(Reading *rd, Ast *x) {
    if (!x || x->kind < A_EXPR) return;
    bool placed = x->end > x->begin;
    if (placed && around(rd, x->begin)) return;
    if (x->kind == A_FOR && placed && !holds_candidate(rd, x)) {
        add_one(rd, MARK_AUTO, x->begin, x);
        return;
    }
    for (int i = 0; i < x->nkids; i++) add_unmarked(rd, x->kids[i]);
}

void find_inside(Reading *rd, size_t begin, size_t end) {
    for (int i = 0; i < rd->u->npragmas; i++)
        if (rd->u->pragmas[i].begin > begin && rd->u->pragmas[i].begin < end) add_pragma(rd, i);
    for (int i = 0; i < rd->u->npragmas; i++)
        if (rd->u->pragmas[i].begin == begin) check_covered(rd, &rd->u->pragmas[i]);
}

void find_candidates(Reading *rd, bool auto_mark) {
    for (int i = 0; i < rd->u->npragmas; i++) add_pragma(rd, i);
    for (int i = 0; i < rd->u->npragmas; i++) check_covered(rd, &rd->u->pragmas[i]);
    for (int i = 0; i < rd->u->nfuncs; i++) add_around(rd, rd->u->funcs[i]->body);
    for (int i = 0; auto_mark && i < rd->u->nfuncs; i++) {
        Decl *f = rd->u->funcs[i];
        if (f->body && f->body->end > f->body->begin) add_unmarked(rd, f->body);
    }
}
