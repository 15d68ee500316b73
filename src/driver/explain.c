// SPDX-License-Identifier: MIT
// explain.c -- `sculpt explain`: what was understood of each region, and why loops stay.
#include "driver/explain_model.h"
#include <stdlib.h>
#include <string.h>

static const char *mark_name(MarkKind m) {
    static const char *const names[] = {"found by --auto", "#pragma scop", "#pragma sculpt",
                                        "#pragma acc", "#pragma omp"};
    return names[m];
}

static void title(const char *name) { printf("\n  %s\n", name); }

// ---- what the region is -----------------------------------------------------------------------
static void put_params(Arena *a, const Region *r) {
    if (!r->nparams) return;
    title("parameters");
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        printf("    %-14s %-4s %s\n", s->name, type_name(s->type),
               s->source ? show_source(a, s->source) : "(found in the data at run time)");
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

static void put_arrays(Arena *a, const Part *p) {
    const Region *r = p->front->region;
    title("arrays");
    for (int i = 0; i < r->narrays; i++) {
        const Array *array = r->arrays[i];
        const Foot *f = foot_of(p->dep, array);
        if (array->watched) continue;
        printf("    %-22s %-4s at %-12s %s", show_array(a, array), type_name(array->elem),
               array->source ? show_source(a, array->source) : array->object, movement(f));
        if (f && array->rank) printf(" %s", show_foot(a, f));
        if (array->stride != type_size(array->elem))
            printf(", every %lld bytes from byte %lld", (long long)array->stride, (long long)array->offset);
        if (!array->live_out) fputs(", dead afterwards", stdout);
        putchar('\n');
    }
    for (int i = 0; i < r->nassumes; i++) printf("    assumed: %s\n", show_expr(a, r->assumes[i]));
}

typedef struct Nodes {
    Arena *arena;
    VEC(Node *) at;
    NodeKind kind;
} Nodes;

static void collect(Node *n, void *arg) {
    Nodes *v = arg;
    if (n->kind == v->kind) vec_push(v->arena, &v->at, n);
}

static Nodes nodes_of(Arena *a, Node *root, NodeKind kind) {
    Nodes v = {.arena = a, .kind = kind};
    node_walk(root, collect, &v);
    return v;
}

static void put_accesses(Arena *a, const Stmt *s) {
    AccessVec v = {0};
    stmt_accesses(a, s, &v);
    for (int i = 0; i < v.n; i++) {
        const Access *x = &v.at[i];
        Text iters = text_new(a);
        for (int k = 0; k < s->depth; k++) text_printf(&iters, "%s%s", k ? ", " : "", s->iters[k]->name);
        printf("        %-9s %s[%s] -> %s\n",
               x->write && x->read ? "updates" : x->write ? "writes" : "reads", s->label,
               text_str(&iters), show_access(a, x->array, x->sub));
    }
}

static void put_statements(Arena *a, const Region *r) {
    title("statements");
    Nodes v = nodes_of(a, r->root, N_STMT);
    for (int i = 0; i < v.at.n; i++) {
        const Stmt *s = v.at.at[i]->stmt;
        printf("    %d:%-4d %-4s %s\n", s->loc.line, s->loc.col, s->label, show_stmt(a, s));
        printf("        for       %s\n", show_domain(a, r->root, v.at.at[i]));
        put_accesses(a, s);
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

static void put_deps(Arena *a, const DepInfo *d) {
    title("dependences");
    const Dep *deps;
    int n = dep_list(d, &deps);
    for (int i = 0; i < n; i++) printf("    %-7s %s\n", dep_name(deps[i].kind), dep_text(a, &deps[i]));
    if (!n) puts("    none");
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

static void put_loops(Arena *a, const DepInfo *d) {
    title("loops");
    for (int i = 0; i < d->nloops; i++) {
        const Node *n = d->loops[i].loop;
        printf("    %d:%-4d %-26s %s\n", n->loc.line, n->loc.col, show_loop(a, n),
               loop_text(a, &d->loops[i]));
        if (n->mark && n->mark->assert == ASSERT_PARALLEL)
            printf("    %-33s the mark at %d:%d asserts that it is parallel\n", "",
                   n->mark->loc.line, n->mark->loc.col);
    }
}

// ---- how it will run ---------------------------------------------------------------------------
static void put_extents(Arena *a, const char *what, int n, const Node *const *loops) {
    printf("%s (", what);
    for (int i = 0; i < n; i++) {
        Expr *size = expr_sub(a, loops[i]->hi, loops[i]->lo);
        printf("%s%s", i ? ", " : "", show_expr(a, size));
    }
    fputs(n ? ")" : "1)", stdout);
}

static void put_nest(Arena *a, const Nest *n, const char *kind) {
    title(arena_printf(a, "on a %s", kind));
    if (!n) {
        puts("    stays on the host");
        return;
    }
    printf("    %s; runs when %s\n", n->proved ? "proved" : "tested: rests on the mark's assertion",
           n->when && !expr_is_int(n->when, 1) ? show_expr(a, n->when) : "called: no guard is needed");
    Nodes v = nodes_of(a, n->root, N_KERNEL);
    for (int i = 0; i < v.at.n; i++) {
        KernelGrid g;
        ir_kernel_grid(v.at.at[i], &g);
        printf("    kernel %s: ", v.at.at[i]->name);
        put_extents(a, "blocks", g.nblock, (const Node *const *)g.block);
        put_extents(a, " of threads", g.nthread, (const Node *const *)g.thread);
        putchar('\n');
    }
    if (n->flops) printf("    operations %s\n", show_expr(a, n->flops));
    if (n->bytes) printf("    bytes moved at least %s\n", show_expr(a, n->bytes));
    for (const char *s = n->recipe; s && *s; s += strcspn(s, "\n"), s += *s == '\n')
        printf("    step: %.*s\n", (int)strcspn(s, "\n"), s);
}

static void put_part(Compile *c, const Part *p) {
    Arena *a = c->arena;
    const Region *r = p->front->region;
    printf("%s: %s, %s\n", show_loc(a, p->front->loc), r ? r->name : "loops",
           mark_name(p->front->marked));
    if (!p->dep) {
        puts("\n  stays on the host: see the remarks below\n");
        return;
    }
    put_params(a, r);
    put_arrays(a, p);
    put_statements(a, r);
    put_deps(a, p->dep);
    put_loops(a, p->dep);
    if (p->dep->bounds && !expr_is_int(p->dep->bounds, 1))
        printf("\n  subscripts stay inside when %s\n", show_expr(a, p->dep->bounds));
    put_nest(a, p->gpu, "GPU");
    put_nest(a, p->cpu, "CPU");
    if (p->host_why) printf("\n  stays on the host: %s\n", p->host_why);
    putchar('\n');
}

static int explain_code(const char *text) {
    const char *digits = str_has_prefix(text, "SC") ? text + 2 : text;
    char *end;
    long code = strtol(digits, &end, 10);
    const char *what = *digits && !*end ? diag_explain((DiagCode)code) : "";
    if (!*what) return usage_error("explain", "there is no diagnostic '%s'", text);
    printf("SC%04ld: %s\n", code, what);
    return 0;
}

static void explain_text(Compile *c, int n, Unit *const *units, const Flags *f, const Advice *d) {
    int parts = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < units[i]->nparts; k++, parts++) {
            put_part(c, &units[i]->parts[k]);
            if (units[i]->parts[k].dep) advice_put(c, d, &units[i]->parts[k]);
        }
    if (!parts) puts("no marked loop was found; mark one, or try --auto");
    fflush(stdout);
    diags_show(c, 0, f, true);
}

static void explain_fix(Compile *c, int n, Unit *const *units, const Flags *f, const Advice *d) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < units[i]->nparts; k++) {
            const Part *p = &units[i]->parts[k];
            if (p->dep && (!f->recipe || p->followed)) advice_fix(c, d, p, f->recipe, d->fix);
        }
    fflush(stdout);
    diags_show(c, 0, f, true);
}

int explain_main(int argc, char **argv) {
    if (argc == 2 && str_eq(argv[0], "--code")) return explain_code(argv[1]);
    if (has_kernel_file(argc, argv)) return explain_kernels(argc, argv);
    Compile *c = compile_new();
    const char *why = "a C file is needed";
    const char *rule = NULL;
    bool json = false, legal = false, patterns = false;
    const char *nests = NULL;
    Advice advice = {0};
    char **rest = NEW_N(c->arena, char *, argc + 1);
    int nrest = 0;
    for (int i = 0; i < argc; i++) {
        const char *wrong = NULL;
        int used = word_valued("--why", i, argc, argv, &rule);
        if (!used) used = advice_word(c->arena, &advice, i, argc, argv, &wrong);
        if (wrong) return compile_free(c), usage_error("explain", "%s", wrong);
        if (used > 0) i += used - 1;
        else if (str_eq(argv[i], "--legal")) legal = true;
        else if (str_eq(argv[i], "--patterns")) patterns = true;
        else if (str_eq(argv[i], "--json")) json = true;
        else if (str_has_suffix(argv[i], ".nest")) nests = argv[i];
        else rest[nrest++] = argv[i];
    }
    int status = 2, n = 0;
    if (nests) {
        status = json && advice_begin(c, &advice) ? explain_nests(c, &advice, nests) : json ? 2 : usage_error("explain", "what is known of nests is printed with --json");
        return compile_free(c), status;
    }
    Flags *f = flags_parse(c->arena, nrest, rest, &why);
    if (!f || !f->inputs.n) {
        usage_error("explain", "%s", why);
    } else if (patterns) {
        status = explain_patterns(c, f);
    } else if (rule || legal) {
        status = explain_rules(c, f, rule, json);
    } else if (advice_begin(c, &advice)) {
        f->no_shapes = true; // planned where the default nest is not the one that runs: advice.c
        Unit **units = NEW_N(c->arena, Unit *, f->inputs.n);
        for (int i = 0; i < f->inputs.n; i++) {
            Unit *u = f->inputs.at[i].is_c ? pipeline_read(c, f->inputs.at[i].path, f) : NULL;
            if (u) units[n++] = u;
        }
        if (advice.fix) explain_fix(c, n, units, f, &advice);
        else if (advice.sarif) advice_sarif(c, &advice, n, units);
        else if (json) explain_json(c, n, units, &advice);
        else explain_text(c, n, units, f, &advice);
        status = c->errors > 0;
    }
    compile_free(c);
    return status;
}
