// SPDX-License-Identifier: MIT
// advice.c -- the advisor: which nest runs at which sizes, and what the model says of it.
#include "driver/explain.h"
#include "run/pick.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char standard_machine[] = "H200"; // where neither --machine nor $SCULPT_MACHINE names one

// A page is not written over somebody's program.
static bool is_source(const char *file) {
    static const char *const ends[] = {".c", ".h", ".cu", ".cuh", ".cl", ".nest", ".sculpt"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_has_suffix(file, ends[i])) return true;
    return false;
}

int advice_word(Arena *a, Advice *d, int i, int argc, char **argv, const char **why) {
    const char *text = NULL;
    int used = word_valued("--machine", i, argc, argv, &d->machine);
    if (!used && (used = word_valued("--arg", i, argc, argv, &text)) > 0 && !settings_read(a, text, &d->args))
        *why = arena_printf(a, "--arg takes NAME=VALUE, not '%s'", text), used = -1;
    if (!used && str_eq(argv[i], "--registers")) d->compile = true, used = 1;
    if (!used && str_has_prefix(argv[i], "--registers=") && (used = 1) &&
        !settings_read(a, argv[i] + strlen("--registers="), &d->registers))
        *why = arena_printf(a, "--registers takes KERNEL=NUMBER, not '%s'", argv[i]), used = -1;
    if (!used) used = word_valued("--cubin", i, argc, argv, &d->cubin);
    if (!used && (used = word_valued("--html", i, argc, argv, &d->html)) > 0 && is_source(d->html))
        *why = arena_printf(a, "--html needs a file for the page, and '%s' is a source file", d->html),
        used = -1;
    if (!used && str_eq(argv[i], "--travel")) d->travel = true, used = 1;
    if (!used && str_eq(argv[i], "--sarif")) d->sarif = true, used = 1;
    if (!used && str_eq(argv[i], "--json")) d->json = true, used = 1;
    if (!used && str_eq(argv[i], "--fix")) d->fix = "", used = 1;
    if (!used && str_has_prefix(argv[i], "--fix=")) d->fix = argv[i] + 6, used = 1;
    if (used < 0 && !*why) *why = arena_printf(a, "%s needs a value", argv[i]);
    return used;
}

// An error for each --arg that names no parameter of any region (and is used in no other's value).
static void advice_unknown(Compile *c, const Advice *d, int n, Unit *const *units) {
    for (int i = 0; i < d->args.n; i++) {
        bool known = false, helps = false;
        for (int k = 0; k < n; k++)
            for (int p = 0; p < units[k]->nparts; p++) {
                const Region *r = units[k]->parts[p].front->region;
                for (int s = 0; r && s < r->nparams; s++)
                    known = known || str_eq(r->params[s]->name, d->args.at[i].name);
            }
        for (int k = i + 1; k < d->args.n; k++)
            helps = helps || strstr(d->args.at[k].value, d->args.at[i].name);
        if (!known && !helps)
            diag(c, DIAG_ERROR, SC_USAGE, (Loc){0}, "--arg %s: no loop has a parameter of that name",
                 d->args.at[i].name);
    }
}

int advice_units(Compile *c, Flags *f, const Advice *d, Unit **units) {
    int n = 0, loops = 0;
    f->no_shapes = true; // they are made for the sizes asked for
    for (int i = 0; i < f->inputs.n; i++) {
        const Input *in = &f->inputs.at[i];
        if (!in->is_c)
            diag(c, DIAG_ERROR, SC_USAGE, (Loc){0},
                 "'%s' is no C file: loops are taken out of .c files, kernels out of .cu and .cl files",
                 in->path);
        units[n] = in->is_c ? pipeline_read(c, in->path, f) : NULL;
        if (units[n]) loops += units[n++]->nparts;
    }
    if (n) advice_unknown(c, d, n, units);
    if (n && !loops && !c->errors)
        diag(c, DIAG_ERROR, SC_NO_REGION, (Loc){0},
             "no marked loop was found; 'sculpt help marks' says how to mark one, --auto takes loops without "
             "marks");
    return n;
}

bool advice_machines(const char *verb) {
    const char *own = env_get("SCULPT_DEVICES");
    if (!own || !access(own, R_OK | X_OK)) return true;
    return usage_error(verb, "SCULPT_DEVICES: cannot read the folder %s", own), false;
}

bool advice_begin(Compile *c, const char *verb, Advice *d) {
    const char *why = "", *name = d->machine ? d->machine : env_get("SCULPT_MACHINE");
    if (!advice_machines(verb)) return false;
    d->m = machine_find(c->arena, name ? name : standard_machine, &why);
    if (!d->m) usage_error(verb, "%s", why);
    return d->m != NULL;
}

// ---- sizes ---------------------------------------------------------------------------------------

static bool holds(const Expr *when, int n, const InterpVal *vals) {
    int64_t v = 1;
    return !when || !ir_eval(when, n, vals, &v) || v != 0;
}

static bool assumed_holds(const Region *r, int n, const InterpVal *vals) {
    for (int k = 0; k < r->nassumes; k++)
        if (!holds(r->assumes[k], n, vals)) return false;
    return true;
}

// Parameters that the command line names, and `rest` for the other integers of the region.
static int values(Arena *a, const Advice *d, const Region *r, int64_t rest, InterpVal *out, bool *guessed,
                  const char **why) {
    int n = 0;
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        InterpVal v = {.sym = s, .i = rest, .f = 1};
        int given = -1;
        for (int i = 0; i < d->args.n; i++)
            if (str_eq(d->args.at[i].name, s->name)) given = i;
        if (!type_is_int(s->type)) continue;
        if (given >= 0 && !setting_value(a, given, d->args.at, d->args.at[given].value, &v.i))
            return *why = arena_printf(a, "'%s' is no value of %s", d->args.at[given].value, s->name), -1;
        if (given >= 0 && s->type == T_I32 && v.i != (int32_t)v.i)
            return *why = arena_printf(a, "%s = %lld is more than its type, %s, holds", s->name,
                                       (long long)v.i, type_name(s->type)),
                   -1;
        if (given < 0 && !s->source) continue; // only the data tell
        *guessed = *guessed || (given < 0 && tree_asks(r->root, s));
        out[n++] = v;
    }
    return n;
}

static const char *sizes_text(Arena *a, const Region *r, int n, const InterpVal *vals) {
    Text t = text_new(a);
    for (int k = 0; k < n; k++)
        if (tree_asks(r->root, vals[k].sym))
            text_printf(&t, "%s%s = %lld", t.n ? ", " : "", vals[k].sym->name, (long long)vals[k].i);
    return text_str(&t);
}

static bool in_loops(const void *nest, const Sym *s) {
    return tree_asks(((const Nest *)nest)->root, s);
}

static bool in_expr(const void *x, const Sym *s) { return expr_uses_sym(x, s); }

// The values that the command line does not give, where `of` asks for them; NULL: all are given.
static const char *assumed_text(Arena *a, const Advice *d, const Advised *v,
                                bool (*asks)(const void *of, const Sym *), const void *of) {
    Text t = text_new(a);
    for (int k = 0; k < v->nvals; k++) {
        const Sym *s = v->vals[k].sym;
        bool given = false;
        for (int i = 0; i < d->args.n; i++) given |= str_eq(d->args.at[i].name, s->name);
        if (!given && asks(of, s))
            text_printf(&t, "%s%s = %lld", t.n ? ", " : "", s->name, (long long)v->vals[k].i);
    }
    return t.n ? text_str(&t) : NULL;
}

// The boxes of the nest's arrays, where they are larger than the machine's memory. NULL: they fit, or only
// the data tell.
static const char *beyond_memory(Arena *a, const Machine *m, const Advised *v) {
    double all = 0;
    for (int i = 0; i < v->nest->nfeet; i++) {
        const Foot *f = &v->nest->feet[i];
        double bytes = type_size(f->array->elem);
        for (int d = 0; d < f->array->rank; d++) {
            int64_t lo, hi;
            if (!f->lo[d] || !f->hi[d] || !ir_eval(f->lo[d], v->nvals, v->vals, &lo)) return NULL;
            if (!ir_eval(f->hi[d], v->nvals, v->vals, &hi)) return NULL;
            bytes *= hi < lo ? 0 : (double)hi - (double)lo + 1;
        }
        all += bytes;
    }
    if (m->memory <= 0 || all <= (double)m->memory) return NULL;
    return arena_printf(a, "its data take %.4g GB, %s has %.4g GB", all / 1e9, m->name,
                        (double)m->memory / 1e9);
}

// Why a nest does not run at the sizes, of which some may be assumed.
static const char *sizes_lack(Arena *a, const Advice *d, const Advised *v, const Nest *n, const char *none) {
    const char *some = n && n->when ? assumed_text(a, d, v, in_expr, n->when) : NULL;
    if (!some) return none;
    return arena_printf(a, "%s; assumed, because nobody gives it: %s (--arg NAME=VALUE does)", none, some);
}

// A loop over parameters.
static bool is_told(const Node *n) {
    return n->kind == N_FOR && !expr_has_load(n->lo) && !expr_has_load(n->hi);
}

// ---- one nest --------------------------------------------------------------------------------------
static PickCall call_at(const Advice *d, const Advised *v) { return (PickCall){d->m, v->nvals, v->vals}; }

static bool holds_at(Compile *c, const Advice *d, const Advised *v, const Nest *n) {
    PickCall k = call_at(d, v);
    int count;
    const InterpVal *vals = pick_values(c->arena, &k, n, &count);
    return holds(n->when, count, vals);
}

static const char *lacks_at(Compile *c, const Advice *d, const Advised *v, const Nest *n) {
    PickCall k = call_at(d, v);
    int count;
    const InterpVal *vals = pick_values(c->arena, &k, n, &count);
    return model_lacks(c->arena, n, count, vals, d->m);
}

// Where the nests of an advice come from: they are given, or a part's, made for its sizes.
typedef struct Given {
    const Region *region;
    int n;
    Nest *const *nest;
    const Part *part; // NULL: those
    bool automatic;   // whatever recipe it follows
    int most;         // shapes that are asked for
} Given;

static void planned(Compile *c, const Advice *d, const Given *g, Advised *v) {
    const Part *p = g->part;
    PickCall k = call_at(d, v);
    PlanCall call = {d->m->kind, v->nvals, v->vals, d->m->sms, d->m, g->most, false, pick_for, &k};
    PlanNests all = {.gpu = p->gpu, .cpu = p->cpu};
    bool cpu = str_eq(d->m->kind, "cpu"), plans = !p->followed || g->automatic;
    if (p->followed && g->automatic) plan_nests(c, g->region, p->dep, 0, &all);
    Nest *standard = cpu ? all.cpu : all.gpu;
    v->chain = NEW_N(c->arena, Nest *, PLAN_VARIANTS + 2);
    v->nchain =
        plans && standard ? plan_chain(c, g->region, p->dep, &call, standard, v->chain, PLAN_VARIANTS) : 0;
    if (all.gpu) v->chain[v->nchain++] = all.gpu;
    if (all.cpu) v->chain[v->nchain++] = all.cpu;
}

// The nest that runs at the sizes asked for.
static Advised *advice_choose(Compile *c, const Advice *d, const Given *from) {
    // A size that fills a machine; smaller ones where its conditions refuse that.
    const Region *r = from->region;
    int depth = node_depth(r->root, is_told);
    const int64_t guesses[] = {d->rest ? d->rest : depth <= 1 ? 1 << 24 : depth == 2 ? 16384 : 4096, 4096,
        1024, 1000, 256, 64, 16, 4, 1};
    Arena *a = c->arena;
    Advised *v = NEW(a, Advised);
    v->vals = NEW_N(a, InterpVal, r->nparams + 1);
    v->nchain = from->n, v->chain = (Nest **)from->nest;
    for (size_t g = 0; g < sizeof guesses / sizeof *guesses && !v->nest; g++) {
        v->guessed = false;
        v->nvals = values(a, d, r, guesses[g], v->vals, &v->guessed, &v->why);
        if (v->nvals < 0) return diag(c, DIAG_ERROR, SC_USAGE, (Loc){0}, "--arg: %s", v->why), v;
        PickCall k = call_at(d, v);
        bool may = assumed_holds(r, v->nvals, v->vals);
        if (from->part && (may || !v->chain)) planned(c, d, from, v);
        int at = may ? pick_for(c, v->nchain, v->chain, &k) : -1;
        if (at >= 0) {
            const char *lacks = lacks_at(c, d, v, v->chain[at]);
            if (lacks) v->why = arena_printf(a, "no nest fits this machine: %s", lacks);
            else
                v->nest = v->chain[at];
        }
        if (!v->guessed) break;
    }
    const Nest *last = v->nchain ? v->chain[v->nchain - 1] : NULL;
    if (!v->nest && !v->why)
        v->why = sizes_lack(a, d, v, last, "no nest runs at these sizes: the original loops do");
    if (!v->nest) return v;
    v->why = NULL;
    v->sizes = sizes_text(a, r, v->nvals, v->vals);
    v->assumed = assumed_text(a, d, v, in_loops, v->nest);
    v->beyond = beyond_memory(a, d->m, v);
    return v;
}

Advised *advice_fill(Compile *c, const Advice *d, Advised *v) {
    Arena *a = c->arena;
    if (!v || !v->nest) return v;
    v->cost = model_nest(a, v->nest, v->nvals, v->vals, d->m);
    if (d->compile || d->cubin) advice_compile(c, d, v);
    if (d->registers.n) advice_registers(d, v);
    v->findings = model_findings(a, v->nest, v->cost, d->m);
    v->proof = show_proof(v->nest->proof);
    return v;
}

Advised *advice_nest(Compile *c, const Advice *d, Nest *n, const char *name) {
    Advised *v = advice_choose(c, d, &(Given){.region = n->region, .n = 1, .nest = &n});
    v->name = name;
    return advice_fill(c, d, v);
}

Advised *advice_at(Compile *c, const Advice *d, const Advised *sizes, const Nest *n, const char *name) {
    Advised *v = NEW_AS(c->arena, Advised, (Advised){.name = name,
                                                     .nvals = sizes->nvals,
                                                     .sizes = sizes->sizes,
                                                     .guessed = sizes->guessed,
                                                     .assumed = sizes->assumed});
    v->vals = sizes->vals;
    if (!holds_at(c, d, v, n)) return v->why = "it does not run at these sizes", v;
    v->nest = n;
    return advice_fill(c, d, v);
}

// ---- texts -----------------------------------------------------------------------------------------
typedef struct Emission {
    Compile *c;
    const Nest *nest;
    DialectId dialect;
} Emission;

static const char *emit(void *arg) {
    Emission *x = arg;
    EmitOptions o = {.dialect = x->dialect, .fast_math = x->c->fast_math};
    return emit_kernels(x->c, x->nest, &o);
}

static const char *dialect_name(DialectId d) {
    return d == DIALECT_C ? "C" : d == DIALECT_CUDA ? "CUDA C" : "OpenCL C";
}

Aside *advice_texts(Compile *c, const Advice *d, Advised *v) {
    if (!v || !v->nest) return NULL;
    v->tree = show_tree(c->arena, v->nest->root);
    if (!d->html) return NULL; // barriers take isl a while
    Emission *x = NEW_AS(c->arena, Emission, (Emission){c, v->nest,
                                                        str_eq(d->m->kind, "cpu") ? DIALECT_C
                                                        : d->m->compute           ? DIALECT_CUDA
                                                                                  : DIALECT_OPENCL});
    v->dialect = dialect_name(x->dialect);
    return aside_begin(c->arena, emit, x);
}

Advised *advice_of(Compile *c, const Advice *d, const Part *p, bool automatic, int most) {
    bool of_kind = str_eq(d->m->kind, "cpu") ? p->cpu != NULL : p->gpu != NULL;
    if (!of_kind) return NULL;
    Given g = {.region = p->front->region, .part = p, .automatic = automatic, .most = most};
    Advised *v = advice_choose(c, d, &g);
    v->name = p->followed && !automatic ? "with the recipe" : "as it runs";
    return v;
}

const char *advice_lacks(Compile *c, const Advice *d, const Advised *at, int k) {
    PickCall call = call_at(d, at);
    PickDevice device = pick_machine(d->m);
    const Nest *n = at->chain[k];
    int count;
    const InterpVal *vals = pick_values(c->arena, &call, n, &count);
    if (!pick_suits(c->arena, &device, at->nchain, at->chain, k))
        return "the machine is not made for it, or has no room";
    bool travels = false;
    for (int i = 0; i < n->nfacts; i++)
        travels |= n->facts[i].kind == FACT_TRAVELS && n->when && expr_uses_sym(n->when, n->facts[i].sym);
    if (!pick_holds(n, true, count, vals))
        return travels ? "only for data that come from the host"
                       : sizes_lack(c->arena, d, at, n, "not for these sizes");
    return model_lacks(c->arena, n, count, vals, d->m);
}

double advice_estimate(Compile *c, const Advice *d, const Advised *at, const Nest *n) {
    PickCall call = call_at(d, at);
    double us;
    int count;
    const InterpVal *vals = pick_values(c->arena, &call, n, &count);
    return n->cost && ir_eval_float(n->cost, count, vals, &us) ? 1e-6 * us : -1;
}
