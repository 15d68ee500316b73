// SPDX-License-Identifier: MIT
// explain_kernel.c -- `sculpt explain FILE.cu --grid … --block … --arg …`: a hand-written kernel, what
// was read of it and what its barriers and bounds are worth.
#include "driver/explain.h"
#include "dep/written.h"
#include "kernel/kernel.h"
#include <string.h>
#include <unistd.h>

// ---- what was read -----------------------------------------------------------------------------
static const char *sizes(Arena *a, const int64_t n[3]) {
    if (n[2] > 1)
        return arena_printf(a, "%lld x %lld x %lld", (long long)n[0], (long long)n[1], (long long)n[2]);
    return n[1] > 1 ? arena_printf(a, "%lld x %lld", (long long)n[0], (long long)n[1])
                    : arena_printf(a, "%lld", (long long)n[0]);
}

// What a parameter that nobody gives is taken for.
static const char *open_text(Arena *a, const Advised *v, const Sym *p) {
    for (int i = 0; i < v->nvals; i++)
        if (v->vals[i].sym == p)
            return arena_printf(a, "not given: open, %lld is assumed", (long long)v->vals[i].i);
    return "not given: open";
}

static const char *memory_of(const Array *x) {
    return x->place == PLACE_SHARED ? "shared" : x->constant ? "constant" : "global";
}

static void put_arrays(Arena *a, const KernelNest *k, Subject *s) {
    static const char *const heads[] = {"array", "type", "where"};
    static const char *const places[] = {"global", "of the block, in registers", "global, temporary",
        "shared", "registers, from phase to phase"};
    FactTable *t = facts_table(a, s, "arrays", 3, heads);
    const Region *r = k->nest->region;
    const Node *body = k->nest->root->kids[0]->body;
    while (body->kind == N_FOR && body->how == HOW_BLOCK) body = body->body;
    for (int i = 0; i < r->narrays; i++)
        facts_row(a, t, show_array(a, r->arrays[i]), type_name(r->arrays[i]->elem), memory_of(r->arrays[i]),
                  NULL);
    for (int i = 0; i < body->nlocals; i++)
        facts_row(a, t, show_array(a, body->locals[i]), type_name(body->locals[i]->elem),
                  places[body->locals[i]->place], NULL);
    for (int i = 0; i < r->nparams; i++)
        facts_row(a, t, r->params[i]->name, type_name(r->params[i]->type), open_text(a, s->now, r->params[i]),
                  NULL);
}

typedef struct Put {
    Arena *a;
    FactTable *t;
} Put;

static void put_access(const Put *p, const Access *x, Loc at) {
    Loc loc = x->loc.line ? x->loc : at;
    bool far = x->array->place == PLACE_USER || x->array->place == PLACE_SHARED;
    if (far)
        facts_row(p->a, p->t, arena_printf(p->a, "%d:%d", loc.line, loc.col),
                  x->write && x->read ? "updates"
                  : x->write          ? "writes"
                                      : "reads",
                  memory_of(x->array), show_access(p->a, x->array, x->sub));
}

static void put_copy(Put *p, const Node *n) {
    if (n->kind == N_BARRIER && n->pending >= 0)
        facts_row(p->a, p->t, arena_printf(p->a, "%d:%d", n->loc.line, n->loc.col), "barrier", NULL, NULL);
    if (n->kind != N_COPY || !n->dst) return;
    AccessVec v = node_accesses(p->a, n);
    for (int i = 1; i < v.n; i++) put_access(p, &v.at[i], n->loc);
    put_access(p, &v.at[0], n->loc);
}

static Subject *subject_of(Compile *c, const Advice *d, const KernelNest *k) {
    static const char *const heads[] = {"line", "", "memory", "access"}, *const what[] = {"missing"};
    Arena *a = c->arena;
    Subject *s = NEW_AS(a, Subject, (Subject){.name = k->name, .loc = k->loc, .first = k->loc.line});
    s->kind =
        arena_printf(a, "kernel, grid %s, block %s%s", sizes(a, k->launch.grid), sizes(a, k->launch.block),
                     k->launch.from.line
                         ? arena_printf(a, ", as launched at %d:%d", k->launch.from.line, k->launch.from.col)
                         : "");
    Advice own = *d; // an open size is most often one with a thread for each of it
    own.rest = k->launch.grid[0] * k->launch.block[0];
    s->now = advice_nest(c, &own, k->nest, "as it is written");
    put_arrays(a, k, s);
    Put p = {a, facts_table(a, s, "accesses, in the order of the text", 4, heads)};
    node_each(n, k->written) put_copy(&p, n);
    FactTable *t = k->ninexact ? facts_table(a, s, "not the whole kernel", 1, what) : NULL;
    for (int i = 0; i < k->ninexact; i++) facts_row(a, t, k->inexact[i], NULL, NULL, NULL);
    if (s->now->nest) s->now->tree = show_tree(a, k->nest->root), s->now->proof = "as it is written";
    // its text is cured, by no recipe
    for (int i = 0; i < s->now->findings.n; i++) s->now->findings.at[i].step = false;
    s->no_rungs = "steps are for marked loops; this kernel was written by hand";
    return s;
}

// ---- faults ------------------------------------------------------------------------------------
static FindingKind kind_of(DiagCode code) {
    return code == SC_RACE      ? FIND_RACE
           : code == SC_OUTSIDE ? FIND_BOUNDS
           : code == SC_BARRIER ? FIND_BARRIER
                                : FIND_KINDS;
}

// What is wrong with a kernel is a finding like what costs time: errors and warnings stand before that,
// remarks behind.
static void take_faults(Compile *c, Advised *v, const char *kernel) {
    Findings all = {0};
    int rest = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->diags.n; i++) {
            const Diag *d = &c->diags.at[i];
            Finding f = {.kind = kind_of(d->code),
                         .loc = d->loc,
                         .kernel = kernel,
                         .text = d->text,
                         .code = d->code,
                         .level = d->level};
            if (f.kind < FIND_KINDS && (d->level > DIAG_REMARK) == !pass) vec_push(c->arena, &all, f);
        }
        for (int i = 0; !pass && i < v->findings.n; i++) vec_push(c->arena, &all, v->findings.at[i]);
    }
    for (int i = 0; i < c->diags.n; i++)
        if (kind_of(c->diags.at[i].code) == FIND_KINDS) c->diags.at[rest++] = c->diags.at[i];
    c->diags.n = rest;
    v->findings = all;
}

bool has_kernel_file(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (argv[i][0] != '-' && front_is_kernel_file(argv[i])) return true;
    return false;
}

// The words that kernels' own options left over.
typedef struct Words {
    Advice advice;
    const char *file, *dump;
    const char *stray;       // an option that nobody knows; NULL
    int nflags;
    const char **flags;      // for clang
} Words;

static bool read_words(Arena *a, const KernelWords *o, Words *w, const char **why) {
    w->flags = NEW_N(a, const char *, o->nrest + 1);
    for (int i = 0; i < o->nrest; i++) {
        int used = advice_word(a, &w->advice, i, o->nrest, o->rest, why);
        if (*why) return false;
        if (used > 0) i += used - 1;
        else if (o->rest[i][0] != '-' && front_is_kernel_file(o->rest[i])) w->file = o->rest[i];
        else if (str_has_prefix(o->rest[i], "--dump=")) w->dump = o->rest[i] + 7;
        else if (str_has_prefix(o->rest[i], "--")) return w->stray = o->rest[i], false;
        else w->flags[w->nflags++] = o->rest[i];
    }
    if (o->launch.grid_of[0] || o->launch.grid_of[1] || o->launch.grid_of[2])
        *why = "--grid is given in numbers here: what a kernel costs hangs on them";
    if (w->advice.fix)
        *why =
            "--fix writes a recipe for marked loops; a kernel that was written by hand is cured in its text";
    return !*why;
}

// Each kernel has a compile of its own, so that none suffers from what another's analysis used up.
typedef struct Each {
    const Words *w;
    KernelFile *file;
    Report *r;
    VEC(Compile *) compiles;
    VEC(Diag) diags;
    int errors;
} Each;

static void take(Each *e, const KernelLaunch *launch) {
    Compile *c = compile_new();
    const Advice *d = &e->w->advice;
    vec_push(e->r->a, &e->compiles, c);
    KernelNest *k = front_read_kernel(c, e->file, launch);
    if (k && str_eq(e->w->dump, "nest")) {
        fputs(ir_print_region(c->arena, k->nest->region), stdout);
        fputs(ir_print_nest(c->arena, k->nest), stdout);
    } else if (k) {
        Subject *s = subject_of(c, d, k);
        vec_push(e->r->a, &e->r->subjects, s);
        dep_check_written(c, k->nest, k->written, k->lockstep, NULL);
        if (s->now->cost) take_faults(c, s->now, k->name);
    }
    for (int i = 0; i < c->diags.n; i++) vec_push(e->r->a, &e->diags, c->diags.at[i]);
    e->errors += c->errors;
}

// By its name without a template's arguments.
static bool is_among(const KernelNames *names, const char *kernel) {
    size_t n = strcspn(kernel, "<");
    bool found = false;
    for (int i = 0; i < names->n; i++)
        found |= strlen(names->at[i]) == n && !strncmp(names->at[i], kernel, n);
    return found;
}

static const char *listed(Arena *a, const KernelNames *names) {
    Text t = text_new(a);
    for (int i = 0; i < names->n; i++) text_printf(&t, "%s%s", i ? ", " : "", names->at[i]);
    return text_str(&t);
}

// The kernel that was named, or all of the file.
static int show(Compile *c, const Words *w, const KernelLaunch *launch) {
    const char *text = file_read(c->arena, w->file, NULL);
    Each e = {.w = w, .file = front_kernel_file(c, w->file, w->nflags, w->flags), .r = NEW(c->arena, Report)};
    *e.r = (Report){.a = c->arena, .m = w->advice.m};
    vec_push(c->arena, &e.r->sources, ((Source){w->file, text ? text : ""}));
    for (int i = 0; i < launch->nargs; i++)
        if (!front_kernel_knows(e.file, launch->args[i].name))
            return usage_error("explain", "--arg %s: nothing in '%s' has that name", launch->args[i].name,
                               w->file);
    KernelNames names = front_kernel_names(e.file);
    if (launch->kernel && names.n && !is_among(&names, launch->kernel))
        return usage_error("explain", "there is no kernel '%s' in '%s', but: %s", launch->kernel, w->file,
                           listed(c->arena, &names));
    for (int i = 0; i < names.n && names.n > 1 && !launch->kernel; i++) {
        KernelLaunch one = *launch;
        one.kernel = names.at[i];
        take(&e, &one);
    }
    if (names.n < 2 || launch->kernel) take(&e, launch);
    e.r->diags = e.diags.at;
    e.r->ndiags = e.diags.n;
    bool document = w->advice.json || w->advice.sarif || w->advice.html;
    if (!w->dump && (document || e.r->subjects.n)) explain_print(c, e.r, &w->advice, report_json_all);
    fflush(stdout);
    for (int i = 0; i < e.diags.n && !w->advice.json && !w->advice.sarif; i++)
        diag_print(stdout, &e.diags.at[i], true);
    int status = e.r->subjects.n ? e.errors > 0 || c->errors > 0 : 0;
    for (int i = 0; i < e.compiles.n; i++) status = status ? status : diags_status(e.compiles.at[i]);
    for (int i = 0; i < e.compiles.n; i++) compile_free(e.compiles.at[i]);
    return status ? status : diags_status(c);
}

int explain_kernel(int argc, char **argv) {
    Compile *c = compile_new();
    const char *why = NULL;
    KernelWords o;
    Words w = {0};
    int status = 2;
    bool read = front_kernel_words(c->arena, argc, argv, &o, &why) && read_words(c->arena, &o, &w, &why);
    if (!read && w.stray) usage_stray("explain", w.stray);
    else if (!read) usage_error("explain", "%s", why);
    else if (advice_begin(c, "explain", &w.advice)) {
        bool own = w.advice.compile && !w.advice.cubin && w.file &&
                   advice_compile_file(c->arena, &w.advice, w.file, w.nflags, w.flags);
        status = show(c, &w, &o.launch);
        if (own) unlink(w.advice.cubin);
    }
    compile_free(c);
    return status;
}
