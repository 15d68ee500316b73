// SPDX-License-Identifier: MIT
// read.c -- front_read: from a file to its regions, in text order.
//
//   text ─ clang ─► Ast ─ marks ─► pragmas ─ candidates.c ─► marked statements
//        ─ accept ─► raw Region ─ normal ─► Region        and where it stands in the text
//
// A candidate that is refused is taken from the inside where it can be: its outermost loops
// (then theirs) become regions without what its mark asserted of the loop around them, unless they are few
// iterations.
#include "front/plain.h"
#include "front/accept.h"
#include "front/places.h"
#include "front/read.h"
#include "front/steps.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

static RegionAst *region_ast(Reading *rd, const Candidate *cand) {
    RegionAst *ra = NEW(rd->a, RegionAst);
    *ra = (RegionAst){.unit = rd->u, .func = cand->func, .marked = cand->marked,
                      .loc = cand->stmts[0]->loc, .nstmts = cand->nstmts, .stmts = cand->stmts};
    size_t begin = cand->stmts[0]->begin, end = cand->stmts[cand->nstmts - 1]->end;
    ra->pragmas = NEW_N(rd->a, const Pragma *, rd->u->npragmas + 1);
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        bool inside = p->begin >= cand->pragma_begin && p->begin < end;
        bool before = p->target && p->target->begin == begin && p->target->end > begin;
        bool around = p->target && p->target->begin < begin && p->target->end >= end;
        if (inside || before || around) ra->pragmas[ra->npragmas++] = p;
    }
    return ra;
}

// The text of a region is replaced: it must be exactly the statements, not a macro that
// holds them together with something else.
static bool stands_alone(const Ast *around, const Ast *stmt) {
    for (int i = 0; i < around->nkids; i++) {
        const Ast *kid = around->kids[i];
        if (!kid || kid == stmt || kid->end <= kid->begin) continue;
        bool apart = kid->end <= stmt->begin || kid->begin >= stmt->end;
        bool block = kid->kind == A_BLOCK && kid->begin == stmt->begin; // braces that plain.c put around it
        bool holds = (block || kid->begin < stmt->begin) && kid->end >= stmt->end;
        if (!apart && !holds) return false;
        if (holds && kid->kind >= A_EXPR && !stands_alone(kid, stmt)) return false;
    }
    return true;
}

static bool has_own_text(Reading *rd, const Candidate *cand) {
    for (int i = 0; i < cand->nstmts; i++) {
        const Ast *s = cand->stmts[i], *body = cand->func->body;
        if (s->end > s->begin && body->begin < s->begin && stands_alone(body, s)) continue;
        diag(rd->c, DIAG_REMARK, SC_LOOP_FORM, s->loc,
             "the loop shares a macro with other statements, so its text cannot be replaced; "
             "write it outside of the macro");
        return false;
    }
    return true;
}

static Region *make_region(Reading *rd, const RegionAst *ra, Left *left) {
    *left = (Left){0};
    Region *raw = accept_region(rd->c, ra, left);
    if (raw && sets_what_is_asked(rd->c, ra, raw)) return NULL;
    Region *r = raw ? normal_region(rd->c, raw, sections_of(rd->c, ra, raw), left) : NULL;
    return r;
}

// Is it an omp loop that the threads of one team share, as they do an omp for?
static bool is_loop_of_team(const AstUnit *u, const Pragma *p) {
    if (!pragma_says(p, "loop") || pragma_says(p, "parallel") || pragma_says(p, "teams")) return false;
    const Clause *bind = pragma_clause(p, "bind");
    const Pragma *around = NULL;
    for (int i = 0; i < u->npragmas && !bind; i++) {
        const Pragma *q = &u->pragmas[i];
        bool threads = pragma_says(q, "parallel") || pragma_says(q, "teams");
        bool holds = threads && q->target && q->end <= p->begin && p->end <= q->target->end;
        if (holds && (!around || q->begin > around->begin)) around = q;
    }
    return bind ? bind->args && strstr(bind->args, "parallel") : around && pragma_says(around, "parallel");
}

static const char *words_of_mark(const Reading *rd, const Candidate *cand) {
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        if (p->begin == cand->pragma_begin && p->target)
            return p->kind == P_OMP_FOR && is_loop_of_team(rd->u, p) ? "omp for" : p->text;
    }
    return NULL;
}

bool is_of_host(const Reading *rd, const Candidate *cand) {
    if (cand->steps) return cand->of_host;
    size_t begin = cand->stmts[0]->begin, end = cand->stmts[cand->nstmts - 1]->end;
    if (cand->pragma_begin < begin) begin = cand->pragma_begin;
    bool given = false;
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        bool target = p->kind != P_OMP_TARGET_DATA && pragma_says(p, "target");
        bool acc = p->kind == P_ACC_LOOP || p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS;
        bool inside = p->begin >= begin && p->begin < end;
        bool around = p->target && p->begin <= begin && end <= p->target->end;
        given |= (target || acc) && (inside || around);
    }
    return (cand->marked == MARK_AUTO || cand->marked == MARK_OMP) && !given;
}

static int depth_of(const Ast *x) {
    int most = 0;
    for (int i = 0; x && i < x->nkids; i++) {
        int n = depth_of(x->kids[i]);
        if (n > most) most = n;
    }
    bool loop = x && (x->kind == A_FOR || x->kind == A_WHILE || x->kind == A_DO);
    return most + (loop && most < FRONT_DEEPEST);
}

// A mark of one loop is not kept by what is taken inside of that loop.
static bool is_of_one_loop(const Candidate *cand) {
    return cand->marked == MARK_OMP || (cand->marked == MARK_ACC && cand->nstmts == 1);
}

// Marked loops of the candidate's text that stand in no other marked loop of it.
static int marked_loops(const Reading *rd, const Candidate *cand) {
    size_t at = cand->stmts[0]->begin, end = cand->stmts[cand->nstmts - 1]->end;
    int n = 0;
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        if (p->begin < at || p->begin >= end || !p->target || p->target->kind != A_FOR) continue;
        at = p->target->end;
        n++;
    }
    return n;
}

// How many threads a mark asks for, where asking once more changes nothing.
static const char *threads_of(const Reading *rd, const Candidate *cand) {
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        const Clause *c = p->begin == cand->pragma_begin ? pragma_clause(p, "num_threads") : NULL;
        const char *text = c && c->args && p->kind == P_OMP_FOR && !cand->steps ? c->args : "";
        if (*text && !strpbrk(text, "(=+-:") && strspn(text, "0123456789 ") < strlen(text)) return text;
    }
    return NULL;
}

// Does the candidate's mark, or that of a target construct in it, have the clause?
static bool has_clause(const Reading *rd, const Candidate *cand, const char *clause, bool of_targets) {
    size_t begin = cand->pragma_begin, end = cand->stmts[cand->nstmts - 1]->end;
    for (int i = 0; i < rd->u->npragmas; i++) {
        const Pragma *p = &rd->u->pragmas[i];
        bool inside = p->begin >= begin && p->begin < end, target = pragma_says(p, "target");
        if (inside && (target || (p->begin == begin && !of_targets)) && pragma_clause(p, clause)) return true;
    }
    return false;
}

// The place of a candidate in the text; what it became is filled in.
static FrontRegion front_region(const Reading *rd, const Candidate *cand) {
    FrontRegion fr = {.marked = cand->marked, .loc = cand->stmts[0]->loc,
                      .mark = words_of_mark(rd, cand), .begin = cand->stmts[0]->begin,
                      .end = cand->stmts[cand->nstmts - 1]->end, .pragma_begin = cand->pragma_begin,
                      .inside = cand->around != NULL && is_of_one_loop(cand),
                      .of_host = is_of_host(rd, cand),
                      .threads = threads_of(rd, cand),
                      .waits = has_clause(rd, cand, "depend", false),
                      .deferred = has_clause(rd, cand, "nowait", true),
                      .joined = cand->steps, .epilogue = "",
                      .loops = cand->steps ? marked_loops(rd, cand) : 1};
    fr.reach = fr.end;
    for (int i = 0; i < cand->nstmts; i++) {
        int depth = depth_of(cand->stmts[i]);
        if (depth > fr.depth) fr.depth = depth;
    }
    return fr;
}

static void add_region(Reading *rd, const Candidate *cand, const RegionAst *ra, Region *region,
                       const Left *left) {
    FrontRegion fr = front_region(rd, cand);
    fr.region = region;
    if (left && left->text) fr.epilogue = left->text;
    if (left) fr.returns = left->returns;
    if (cand->behind) fr.epilogue = arena_printf(rd->a, "%s%s", fr.epilogue, cand->behind);
    vec_push(rd->a, &rd->regions, fr);
    if (!region) return;
    vec_push(rd->a, &rd->taken, ra);
    vec_push(rd->a, &rd->taken_regions, region);
}

static bool take(Reading *rd, const Candidate *cand);

// Was this very remark made of a loop around the candidate?
static bool is_said(Reading *rd, const Candidate *cand, const Diag *d) {
    for (cand = cand->around; cand; cand = cand->around) {
        Loc loc = cand->stmts[0]->loc;
        for (int i = 0; i < rd->c->diags.n; i++) {
            const Diag *x = &rd->c->diags.at[i];
            bool here = x->loc.line == loc.line && x->loc.col == loc.col && str_eq(x->loc.file, loc.file);
            if (here && x->code == d->code && str_eq(x->text, d->text)) return true;
        }
    }
    return false;
}

// A reason that holds of loops as a whole is told of the outermost of them.
static void forget_said(Reading *rd, const Candidate *cand, int from) {
    int kept = from;
    Loc loc = cand->stmts[0]->loc;
    for (int i = from; i < rd->c->diags.n; i++) {
        Diag d = rd->c->diags.at[i];
        bool whole = d.loc.line == loc.line && d.loc.col == loc.col;
        if (d.level != DIAG_REMARK || !whole || !is_said(rd, cand, &d)) rd->c->diags.at[kept++] = d;
    }
    rd->c->diags.n = kept;
}

// The outermost loops in x before which a statement may stand.
static void free_loops(Reading *rd, Ast *x, Statements *out) {
    Statements loops = {0};
    outermost_loops(rd->a, x, &loops);
    for (int i = 0; i < loops.n; i++) {
        if (mark_binds(rd->u, loops.at[i])) free_loops(rd, loops.at[i]->kids[3], out);
        else vec_push(rd->a, out, loops.at[i]);
    }
}

// Takes what can be taken inside a refused candidate; how many regions that gave.
static int take_inside(Reading *rd, const Candidate *cand) {
    int before = rd->taken.n;
    Statements loops = {0};
    for (int i = 0; i < cand->nstmts; i++) {
        const Ast *s = cand->stmts[i];
        free_loops(rd, s->kind == A_FOR && cand->nstmts == 1 ? s->kids[3] : cand->stmts[i], &loops);
    }
    for (int i = 0; i < loops.n; i++) {
        Candidate inner = {.func = cand->func, .marked = cand->marked, .around = cand,
                           .nstmts = 1, .stmts = &loops.at[i],
                           .pragma_begin = loops.at[i]->begin};
        take(rd, &inner);
    }
    return rd->taken.n - before;
}

static const Ast *find_refused(const Ast *x) {
    ast_each(y, x)
        if (y->refused) return y;
    return NULL;
}

static bool names_refused(Reading *rd, const Candidate *cand) {
    const Ast *x = NULL;
    for (int i = 0; i < cand->nstmts && !x; i++) x = find_refused(cand->stmts[i]);
    if (x) diag(rd->c, DIAG_REMARK, SC_CLANG, x->loc, "this rests on a declaration that clang refuses");
    return x;
}

void leave_mark(Reading *rd, MarkKind marked, Loc loc, size_t at, size_t reach) {
    FrontRegion fr = {.marked = marked, .loc = loc, .begin = at, .end = at, .loops = 1, .pragma_begin = at,
                      .reach = reach, .epilogue = ""};
    rd->partly |= marked != MARK_AUTO;
    if (marked != MARK_AUTO) vec_push(rd->a, &rd->regions, fr);
    else vec_push(rd->a, &rd->left, fr);
}

// Loops among which clang found an error: nothing is known of them, not even where they end.
// Said once a function.
static bool leave_broken(Reading *rd, const Candidate *cand) {
    const AstError *e = cand->func->error;
    if (!e) return false;
    Loc loc = cand->stmts[0]->loc;
    if (rd->told != e)
        diag(rd->c, DIAG_REMARK, SC_CLANG, loc,
             "the loops of this function, from here on, stay on the host, because clang refuses its line "
             "%d: %s",
             e->loc.line, e->text);
    rd->told = e;
    leave_mark(rd, cand->marked, loc, cand->pragma_begin, cand->stmts[cand->nstmts - 1]->end);
    return true;
}

// Loops that the host's own compiler makes for a device, where no host code can be called.
static bool leave_handed(Reading *rd, const Candidate *cand) {
    const char *why = handed(rd, cand);
    if (!why) return false;
    Loc loc = cand->stmts[0]->loc;
    diag(rd->c, DIAG_REMARK, SC_SPLICE, loc, "the loops stay with the host's compiler, which makes them for "
         "devices of its own (#pragma %s); '%s' before a loop of the host's gives it to sculpt", why,
         str_has_prefix(why, "acc") ? "acc parallel loop" : "omp target teams distribute parallel for");
    leave_mark(rd, cand->marked, loc, cand->pragma_begin, cand->stmts[cand->nstmts - 1]->end);
    return true;
}

// The same loop with pointers that stay where they are: its own mark vouches for none of its steps.
static bool take_turned(Reading *rd, const Candidate *cand) {
    Ast *x = cand->stmts[0], *turned = NULL, kept = *x;
    bool own = cand->marked == MARK_SCULPT || cand->marked == MARK_SCOP || cand->marked == MARK_AUTO;
    Candidate other = *cand;
    if (!own || cand->nstmts != 1 || x->kind != A_FOR ||
        !places_steps(rd->a, cand->func, x, &turned, &other.behind))
        return false;
    Left left = {0};
    int said = rd->c->diags.n;
    *x = *turned;
    const RegionAst *ra = region_ast(rd, &other);
    bool plain = !names_refused(rd, &other) && has_own_text(rd, &other);
    Region *region = plain ? make_region(rd, ra, &left) : NULL;
    if (region) return add_region(rd, &other, ra, region, &left), true;
    *x = kept;
    rd->c->diags.n = said;
    return false;
}

enum { LEAST_INSIDE = 4096 }; // statements; a call that runs fewer is no work for a device

// How many statements run, where numbers in the text say so; else a great number.
static double statements_of(const Node *n) {
    if (!n) return 0;
    if (n->kind == N_STMT) return 1;
    double all = 0;
    for (int k = 0; node_kid(n, k); k++) all += statements_of(node_kid(n, k));
    int64_t trips = n->kind == N_FOR ? loop_literal_trips(n->lo, n->hi, n->step) : 1;
    return all * (trips < 0 ? INFINITY : (double)trips);
}

// A few iterations inside of loops that stay on the host, which would call for them again and again.
static bool is_too_little(const Candidate *cand, const Region *r) {
    return cand->around && statements_of(r->root) < LEAST_INSIDE;
}

static bool take(Reading *rd, const Candidate *cand) {
    if (leave_broken(rd, cand) || leave_handed(rd, cand)) return false;
    if (take_turned(rd, cand)) return true;
    const RegionAst *ra = region_ast(rd, cand);
    Left left = {0};
    int said = rd->c->diags.n;
    Region *region =
        !names_refused(rd, cand) && has_own_text(rd, cand) ? make_region(rd, ra, &left) : NULL;
    if (region && is_too_little(cand, region)) {
        rd->c->diags.n = said;
        return false;
    }
    if (region) {
        add_region(rd, cand, ra, region, &left);
        return true;
    }
    forget_said(rd, cand, said);
    bool part = take_inside(rd, cand) > 0;
    rd->partly |= part && !cand->around && cand->marked != MARK_AUTO;
    if (part && !cand->around && is_of_one_loop(cand))
        leave_mark(rd, cand->marked, ra->loc, cand->pragma_begin, cand->stmts[cand->nstmts - 1]->end);
    if (part || cand->around) return part;
    if (cand->marked != MARK_AUTO) add_region(rd, cand, ra, NULL, NULL);
    else vec_push(rd->a, &rd->left, front_region(rd, cand));
    return false;
}

// All loops of a target construct, or of a host loop, as one region.
static bool take_whole(Reading *rd, const Candidate *cand) {
    const RegionAst *ra = region_ast(rd, cand);
    Left left = {0};
    int said = rd->c->diags.n;
    bool may = !cand->func->error && !handed(rd, cand) && !names_refused(rd, cand) && has_own_text(rd, cand);
    Region *region = may ? make_region(rd, ra, &left) : NULL;
    if (region) add_region(rd, cand, ra, region, &left);
    if (region || !cand->steps) return region;
    rd->c->diags.n = said; // nobody marked it
    *cand->stmts[0] = cand->written;
    return NULL;
}

static int by_place(const void *x, const void *y) {
    const FrontRegion *a = x, *b = y;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int by_insert_place(const void *x, const void *y) {
    const FrontInsert *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at ? 1 : a->order - b->order;
}

// Is there a function, or a part of the file, that says by itself how signed arithmetic overflows?
// __attribute__((optimize("wrapv"))), #pragma GCC optimize("wrapv"): to take all for such changes no value.
static bool asks_to_wrap(const char *text) {
    for (const char *at = text; (at = strstr(at, "optimize")); at++) {
        const char *open = at + strspn(at, "optimize_ \t"), *close = *open == '(' ? strchr(open, ')') : NULL;
        const char *word = close ? strstr(open, "wrapv") : NULL;
        if (word && word < close) return true;
    }
    return false;
}

static AstUnit *read_marks(Compile *c, const Flat *flat, int nflags, const char *const *flags) {
    AstUnit *u = ast_read(c, flat, nflags, flags);
    if (!u) return NULL;
    plain_forms(c, u, false);
    marks_read(c, u);
    return u;
}

FrontUnit *front_read(Compile *c, const char *file, int nflags, const char *const *flags,
                      bool auto_mark) {
    const Flat *flat = front_flatten(c, file, nflags, flags, auto_mark);
    if (!flat)
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){arena_strdup(c->arena, file), 0, 0}, "cannot read %s", file);
    int before = c->diags.n;
    AstUnit *u = flat ? read_marks(c, flat, nflags, flags) : NULL;
    if (u && u->inside.n) { // once more, with those written out
        c->diags.n = before;
        u = read_marks(c, flat_write_out(c, flat, u->inside.n, u->inside.at), nflags, flags);
    }
    if (!u) return NULL;
    Reading rd = {.c = c, .a = c->arena, .u = u, .handed = functions_handed(c->arena, u)};
    bool wraps = c->wraps;
    c->wraps |= !c->traps && asks_to_wrap(u->text);
    find_candidates(&rd, auto_mark);
    for (int i = 0; i < rd.candidates.n; i++) { // a target construct that is refused adds some
        Candidate cand = rd.candidates.at[i];
        if (cand.undone) continue;
        rd.candidates.at[i].undone = cand.whole && !take_whole(&rd, &cand);
        if (rd.candidates.at[i].undone) find_inside(&rd, cand.pragma_begin, cand.stmts[0]->end);
        else if (!cand.whole) take(&rd, &cand);
    }
    c->wraps = wraps;
    FrontUnit *f = NEW_AS(c->arena, FrontUnit, (FrontUnit){.flat = u->flat,
                                                           .noutside = u->noutside,
                                                           .file = u->file,
                                                           .text = u->text,
                                                           .size = u->size,
                                                           .nregions = rd.regions.n,
                                                           .regions = rd.regions.at,
                                                           .nleft = rd.left.n,
                                                           .left = rd.left.at,
                                                           .nmacros = u->macros.n,
                                                           .macros = u->macros.at});
    if (f->nregions) qsort(f->regions, (size_t)f->nregions, sizeof *f->regions, by_place);
    steps_find(u, f);
    Inserts inserts = {0};
    data_find(c, u, &inserts);
    // Marked loops without a region touch memory on the host, and nobody tells libsculpt.
    if (rd.partly) inserts.n = 0;
    scope_find(c, u, rd.taken.n, rd.taken.at, rd.taken_regions.at, &inserts);
    f->ninserts = inserts.n;
    f->inserts = inserts.at;
    if (f->ninserts)
        qsort(f->inserts, (size_t)f->ninserts, sizeof *f->inserts, by_insert_place);
    return f;
}
