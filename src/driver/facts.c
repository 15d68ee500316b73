// SPDX-License-Identifier: MIT
// facts.c -- what was understood of a region, as tables: parameters, arrays, statements, dependences,
// loops, and how it will run.
#include "driver/explain.h"
#include "run/wisdom.h"
#include "run/wise.h"
#include <string.h>

FactTable *facts_table(Arena *a, Subject *s, const char *title, int ncols, const char *const *heads) {
    FactTable *t = NEW_AS(a, FactTable, (FactTable){.title = title, .ncols = ncols});
    for (int k = 0; k < ncols; k++) t->heads[k] = heads[k];
    vec_push(a, &s->facts, t);
    return t;
}

void facts_row(Arena *a, FactTable *t, const char *w, const char *x, const char *y, const char *z) {
    vec_push(a, &t->rows, ((FactRow){{w, x, y, z}}));
}

static const char *line_of(Arena *a, Loc loc) { return arena_printf(a, "%d:%d", loc.line, loc.col); }

// ---- what the region is -----------------------------------------------------------------------
static void put_params(Arena *a, const Region *r, Subject *s) {
    static const char *const heads[] = {"name", "type", "in the program"};
    FactTable *t = r->nparams ? facts_table(a, s, "parameters", 3, heads) : NULL;
    for (int i = 0; i < r->nparams; i++) {
        const Sym *p = r->params[i];
        facts_row(a, t, p->name, type_name(p->type),
                  p->source ? show_source(a, p->source) : "(found in the data at run time)", NULL);
    }
}

static const Foot *foot_of(const DepInfo *d, const Array *array) {
    for (int i = 0; i < d->nfeet; i++)
        if (d->feet[i].array == array) return &d->feet[i];
    return NULL;
}

static const char *movement(const Foot *f) {
    if (!f) return "extent not known";
    if (f->in) return f->out ? "copied in and out" : "copied in";
    return f->out ? (f->exact ? "copied out" : "copied out, gaps kept") : "stays on the device";
}

static const char *array_text(Arena *a, const Array *array, const Foot *f) {
    Text t = text_new(a);
    text_put(&t, movement(f));
    if (f && array->rank) text_printf(&t, " %s", show_foot(a, f));
    if (array->stride != type_size(array->elem))
        text_printf(&t, ", every %lld bytes from byte %lld", (long long)array->stride,
                    (long long)array->offset);
    if (!array->live_out) text_put(&t, ", dead afterwards");
    return text_str(&t);
}

static void put_arrays(Arena *a, const Part *p, Subject *s) {
    static const char *const heads[] = {"array", "type", "in the program", "movement"};
    const Region *r = p->front->region;
    FactTable *t = facts_table(a, s, "arrays", 4, heads);
    for (int i = 0; i < r->narrays; i++) {
        const Array *x = r->arrays[i];
        if (x->watched) continue;
        facts_row(a, t, show_array(a, x), type_name(x->elem),
                  arena_printf(a, "at %s", x->source ? show_source(a, x->source) : x->object),
                  array_text(a, x, foot_of(p->dep, x)));
    }
    for (int i = 0; i < r->nassumes; i++) facts_row(a, t, "assumed", "", show_expr(a, r->assumes[i]), NULL);
}

static void put_statements(Arena *a, const Region *r, Subject *s) {
    static const char *const heads[] = {"line", "", "statement"}, *const what[] = {"instance", "", "access"};
    FactTable *t = facts_table(a, s, "statements", 3, heads),
              *access = facts_table(a, s, "accesses", 3, what);
    node_each(n, r->root) {
        if (n->kind != N_STMT) continue;
        const Stmt *st = n->stmt;
        facts_row(a, t, line_of(a, st->loc), st->label, show_stmt(a, st), NULL);
        facts_row(a, t, "", "for", show_domain(a, r->root, n), NULL);
        AccessVec all = stmt_accesses(a, st);
        Text iters = text_new(a);
        for (int k = 0; k < st->depth; k++) text_printf(&iters, "%s%s", k ? ", " : "", st->iters[k]->name);
        for (int k = 0; k < all.n; k++) {
            const Access *x = &all.at[k];
            facts_row(a, access, arena_printf(a, "%s[%s]", st->label, text_str(&iters)),
                      x->write && x->read ? "updates"
                      : x->write          ? "writes"
                                          : "reads",
                      show_access(a, x->array, x->sub), NULL);
        }
    }
}

// ---- what depends on what ------------------------------------------------------------------------
static const char *dep_name(DepKind k) {
    static const char *const names[] = {"flow", "anti", "output", "update"};
    return names[k];
}

static const char *dep_text(Arena *a, const Dep *d) {
    return arena_printf(a, "%s %s, %s at %d:%d -> %s %s, %s at %d:%d, distance %s%s%s", d->src.label,
                        d->src.access, d->src.write ? "written" : "read", d->src.loc.line,
                        d->src.loc.col, d->dst.label, d->dst.access,
                        d->dst.write ? "written" : "read", d->dst.loc.line, d->dst.loc.col,
                        d->distance ? d->distance : "not known", d->carrier ? ", carried by " : "",
                        d->carrier ? d->carrier->iter->name : "");
}

static void put_deps(Arena *a, const DepInfo *d, Subject *s) {
    static const char *const heads[] = {"kind", "from and to"};
    FactTable *t = facts_table(a, s, "dependences", 2, heads);
    const Dep *deps;
    int n = dep_list(d, &deps);
    for (int i = 0; i < n; i++) facts_row(a, t, dep_name(deps[i].kind), dep_text(a, &deps[i]), NULL, NULL);
    t->none = "none";
}

static const char *reduction_text(Arena *a, const LoopFact *f) {
    Text t = text_new(a);
    text_put(&t, "reduction of");
    for (int i = 0; i < f->nred; i++)
        text_printf(&t, "%s %s (%s)", i ? "," : "", f->red[i]->name, op_text(f->redop[i]));
    if (f->reduction == ANSWER_WHEN) text_printf(&t, " when %s", show_expr(a, f->reduction_when));
    if (f->needs_permission) text_put(&t, ", if '--permit reassociate' allows any order");
    return text_str(&t);
}

static const char *loop_text(Arena *a, const LoopFact *f) {
    bool reduces = f->reduction == ANSWER_ALWAYS || f->reduction == ANSWER_WHEN;
    if (f->parallel == ANSWER_ALWAYS) return "parallel";
    if (f->parallel == ANSWER_WHEN) {
        const char *when = arena_printf(a, "parallel when %s", show_expr(a, f->when));
        return reduces && f->nred ? arena_printf(a, "%s; else %s", when, reduction_text(a, f)) : when;
    }
    if (reduces && f->nred) return reduction_text(a, f);
    const char *what = f->parallel == ANSWER_NEVER ? "serial" : "not known to be parallel";
    if (!f->witness) return what;
    return arena_printf(a, "%s: %s dependence, %s", what, dep_name(f->witness->kind),
                        dep_text(a, f->witness));
}

static void put_loops(Arena *a, const DepInfo *d, Subject *s) {
    static const char *const heads[] = {"line", "loop", "parallel?"};
    FactTable *t = facts_table(a, s, "loops", 3, heads);
    for (int i = 0; i < d->nloops; i++) {
        const Node *n = d->loops[i].loop;
        facts_row(a, t, line_of(a, n->loc), show_loop(a, n), loop_text(a, &d->loops[i]), NULL);
        if (n->mark && n->mark->assert == ASSERT_PARALLEL)
            facts_row(a, t, "", "",
                      arena_printf(a, "the mark at %d:%d asserts that it is parallel", n->mark->loc.line,
                                   n->mark->loc.col),
                      NULL);
    }
    if (d->bounds && !expr_is_int(d->bounds, 1))
        facts_row(a, t, "", "subscripts stay inside when", show_expr(a, d->bounds), NULL);
}

// ---- how it will run ---------------------------------------------------------------------------
// "n / 256 blocks of 256 threads"; of several extents "(n, m) blocks".
static void put_extents(Text *t, const char *what, int n, const Node *const *loops) {
    const Expr *one = n == 1 ? expr_sub(t->arena, loops[0]->hi, loops[0]->lo) : NULL;
    bool single = !n || (one && expr_is_int(one, 1));
    text_put(t, n > 1 ? "(" : "");
    for (int i = 0; i < n; i++)
        text_printf(t, "%s%s", i ? ", " : "",
                    show_expr(t->arena, expr_sub(t->arena, loops[i]->hi, loops[i]->lo)));
    text_printf(t, "%s %s%s", n > 1 ? ")" : n ? "" : "1", what, single ? "" : "s");
}

static const char *why_no_better(const Nest *n) {
    const char *why = n->reason ? n->reason : "nothing has compared it with the loops yet (--confirm does)";
    return n->proof == PROOF_PROVED ? "" : why;
}

static void put_nest(Arena *a, const Nest *n, const char *kind, Subject *s) {
    static const char *const heads[] = {"", ""};
    FactTable *t = facts_table(a, s, arena_printf(a, "on a %s", kind), 2, heads);
    t->none = "stays on the host";
    if (!n) return;
    facts_row(a, t, show_proof(n->proof), why_no_better(n), NULL, NULL);
    facts_row(a, t, "runs when", n->when && !expr_is_int(n->when, 1) ? show_expr(a, n->when) : "always", NULL,
              NULL);
    for (int i = 0; i < n->npromised; i++)
        facts_row(a, t, i ? "" : "and when",
                  arena_printf(a, "no value of %s is %s, which each call looks at",
                               n->promised[i].array->name,
                               n->promised[i].rises ? "less than the one before it" : "there twice"),
                  NULL, NULL);
    node_each(kernel, n->root) {
        if (kernel->kind != N_KERNEL) continue;
        KernelGrid g;
        Text x = text_new(a);
        ir_kernel_grid(kernel, &g);
        put_extents(&x, "block", g.nblock, (const Node *const *)g.block);
        bool phases = g.phases && g.threads > 1;
        text_put(&x, g.nthread || phases ? " of " : ", each by one thread");
        if (phases) text_printf(&x, "%lld threads", (long long)g.threads);
        if (g.nthread) put_extents(&x, "thread", g.nthread, (const Node *const *)g.thread);
        facts_row(a, t, arena_printf(a, "kernel %s", kernel->name), text_str(&x), NULL, NULL);
    }
    if (n->flops) facts_row(a, t, "operations", show_expr(a, n->flops), NULL, NULL);
    if (n->bytes) facts_row(a, t, "bytes moved at least", show_expr(a, n->bytes), NULL, NULL);
}

// What 'sculpt tune' found for these loops, wherever they stand; nothing where it found nothing.
static void put_wisdom(Arena *a, const Region *r, Subject *s) {
    static const char *const heads[] = {"sizes", "device", "gain", "steps"};
    WiseVec rows = {0};
    const char *why;
    wise_all(wise_files(a, &why), a, digest_text(a, wisdom_region(pipeline_text(a, r, 0, NULL))), &rows,
             &why);
    static const char title[] = "measured ('sculpt wisdom explain' says what a call takes)";
    FactTable *t = rows.n ? facts_table(a, s, title, 4, heads) : NULL;
    for (int i = 0; i < rows.n; i++) {
        const Wise *w = &rows.at[i];
        const char *gain = "the planner's choice is the best";
        if (*w->recipe) gain = arena_printf(a, "%.2f times as quick, %s", w->base / w->seconds, w->verdict);
        facts_row(a, t, w->key.sizes, w->key.device, gain,
                  arena_strndup(a, w->recipe, strcspn(w->recipe, "\n")));
    }
}

void facts_of(Compile *c, const Part *p, Subject *s) {
    Arena *a = c->arena;
    if (!p->dep) return;
    put_params(a, p->front->region, s);
    put_arrays(a, p, s);
    put_statements(a, p->front->region, s);
    put_deps(a, p->dep, s);
    put_loops(a, p->dep, s);
    put_nest(a, p->gpu, "GPU", s);
    put_nest(a, p->cpu, "CPU", s);
    put_wisdom(a, p->front->region, s);
}
