// SPDX-License-Identifier: MIT
// build.c -- a trial from its recipe to machine code.
//
//   region ──recipe──▶ nest ──text──▶ the run time's own reader, guards and choice of indices
//                                        └▶ kernels as text ──the device's compiler──▶ image
//
// Each trial has a compile and a run-time state of its own, so several can be built at once.
#include "tune/build.h"
#include "emit/emit.h"
#include "run/machine.h"
#include "run/pick.h"
#include "tune/images.h"
#include "tune/instances.h"
#include "tune/pool.h"

static bool fail(Trial *t, const char *fmt, const char *what) {
    t->why = arena_printf(t->built->c->arena, fmt, what);
    return false;
}

// The last error of a compile, with its place.
static bool fail_diag(Trial *t, Compile *c, const char *otherwise) {
    for (int i = c->diags.n - 1; i >= 0; i--) {
        const Diag *d = &c->diags.at[i];
        if (c->errors && d->level != DIAG_ERROR) continue;
        if (!d->loc.line) return fail(t, "%s", d->text);
        t->why = arena_printf(t->built->c->arena, "%s:%d: %s", d->loc.file ? d->loc.file : "?", d->loc.line,
                              d->text);
        return false;
    }
    return fail(t, "%s", otherwise);
}

// ---- the nests -----------------------------------------------------------------------------------
typedef VEC(const Nest *) Nests;

// All for the device's kind; if there are none, the first whatever its kind: a kernel for GPUs
// also runs as C, slowly.
static bool nests_of_text(Trial *t, IrFile *f, const char *target, Nests *out) {
    Arena *a = t->built->c->arena;
    for (int i = 0; i < f->nnests; i++)
        if (str_eq(f->nests[i]->target, target)) vec_push(a, out, f->nests[i]);
    if (!out->n && f->nnests) vec_push(a, out, f->nests[0]);
    return out->n || fail(t, "%s", "the text has no nest");
}

static bool add_recipe(Trial *t, const Region *r, const char *text, const char *file, const char *target,
                       Nests *out) {
    Compile *c = t->built->c;
    const char *named = recipe_target(c->arena, text);
    const RecipeOptions o = {.judging = t->judging, .file = file ? file : t->name, .without = t->without};
    const Nest *start = plan_start(c, r, dep_analyze(c, r), named ? named : target);
    const Nest *n = start ? recipe_apply(c, start, text, &o) : NULL;
    if (!n) return fail_diag(t, c, "the recipe does not fit");
    vec_push(c->arena, out, n);
    return true;
}

// The nests of a call with the case's sizes on the device; of the shapes only t's, where it asks for one.
static bool automatic(const Case *k, Trial *t, const Region *r, Device *d, Nests *out) {
    Compile *c = t->built->c;
    const DeviceInfo *info = d->ops->info(d);
    const DepInfo *dep = dep_analyze(c, r);
    Nest *standard = plan_default(c, r, dep, &(PlanOptions){info->target, true}), *nest[PLAN_VARIANTS];
    if (!standard) return fail_diag(t, c, "the region stays on the host");
    InterpVal *vals = NEW_N(c->arena, InterpVal, k->nvals + 1);
    for (int i = 0; i < k->nvals; i++) // the trial's region is another reading of the case's
        vals[i] = k->vals[i], vals[i].sym = r->params[i];
    PickCall known = {machine_in_use(c->arena, info), k->nvals, vals};
    PlanCall call = {.target = info->target,
                     .nvals = k->nvals,
                     .vals = known.m ? vals : NULL,
                     .processors = info->sms,
                     .machine = known.m,
                     .most = t->shape,
                     .pick = pick_for,
                     .arg = &known};
    int n = plan_chain(c, r, dep, &call, standard, nest, PLAN_VARIANTS);
    if (!t->shape) {
        for (int i = 0; i < n; i++) vec_push(c->arena, out, nest[i]);
        vec_push(c->arena, out, standard); // the last of the chain
    } else if (t->shape > n || !nest[t->shape - 1]->cost) {
        return fail(t, "%s", "there are fewer shapes");
    } else {
        vec_push(c->arena, out, nest[t->shape - 1]);
    }
    return true;
}

static bool make_nests(const Case *k, Trial *t, Device *d, Nests *out) {
    const char *target = d->ops->info(d)->target;
    Compile *c = t->built->c;
    const char *text = t->kind == TRIAL_NEST ? arena_printf(c->arena, "%s%s", k->text, t->text) : k->text;
    IrFile *f = ir_parse(c, t->file ? t->file : t->name, text);
    if (!f) return fail_diag(t, c, "the text cannot be read");
    if (t->kind == TRIAL_NEST) return nests_of_text(t, f, target, out);
    if (t->kind == TRIAL_AUTOMATIC) return automatic(k, t, f->region, d, out);
    if (!add_recipe(t, f->region, t->text, t->file, target, out)) return false;
    for (int i = 0; i < TRIAL_CHAIN && t->then[i]; i++)
        if (!add_recipe(t, f->region, t->then[i], t->then_file[i], target, out)) return false;
    return true;
}

// The region and the nests as one text, as programs carry them.
static void put_text(Trial *t, const Nests *nests, const char *target) {
    Arena *a = t->built->c->arena;
    Text text = text_new(a), only = text_new(a);
    t->proved = t->kind != TRIAL_RECIPE || t->judging != JUDGE_NONE;
    for (int i = 0; i < nests->n; i++) {
        Nest mine = *nests->at[i];
        mine.target = target;
        t->proved = t->proved && mine.proof == PROOF_PROVED;
        text_put(&only, ir_print_nest(a, &mine));
    }
    text_printf(&text, "sculpt %d\n%s%s", IR_VERSION, ir_print_region(a, nests->at[0]->region),
                text_str(&only));
    t->text_of_nest = text_str(&only);
    t->nest = text_str(&text);
}

// ---- as the run time sees it -----------------------------------------------------------------------
static void set_args(const Case *k, sculpt_arg *args) {
    for (int i = 0; i < k->nobjects; i++) args[i].p = k->objects[i].host;
    for (int i = 0; i < k->nvals; i++) {
        sculpt_arg *a = &args[k->nobjects + i];
        if (type_is_float(k->vals[i].sym->type)) a->f = k->vals[i].f;
        else a->i = k->vals[i].i;
    }
}

static bool enter_run_time(const Case *k, Trial *t, Device *d) {
    Built *b = t->built;
    b->run =
        (Run){.arena = b->c->arena, .device = d, .info = k->lab->info, .machine = k->lab->machine,
              .tried = true, .cache_tried = true};
    b->run.set.no_chains = t->one_by_one;
    b->region = (sculpt_region){.abi = SCULPT_ABI, .text = t->nest, .file = t->name};
    b->unit = unit_get(&b->run, &b->region);
    if (!unit_whole(&b->run, b->unit)) return fail(t, "%s", "the nest's text cannot be read back");
    if (!unit_choose(&b->run, b->unit)) return fail(t, "%s", "the nest suits no device of this kind");
    sculpt_arg args[k->nobjects + k->nvals + 1];
    set_args(k, args);
    b->call = call_get(&b->run, b->unit, args, !t->travels ? TRAVEL_NONE : t->pageable ? TRAVEL_PAGEABLE
            : TRAVEL_PINNED);
    if (b->call->refusal) return fail(t, "%s", b->call->why);
    const Nest *n = b->call->v->nest;
    if (!n->cost || !ir_eval_float(n->cost, b->call->nvals, b->call->vals, &t->cost_us)) t->cost_us = 0;
    return true;
}

static DialectId dialect_of(const DeviceInfo *i) {
    if (str_eq(i->dialect, "cuda")) return DIALECT_CUDA;
    return str_eq(i->dialect, "opencl") ? DIALECT_OPENCL : DIALECT_C;
}

static bool compile(Trial *t, Device *d) {
    Built *b = t->built;
    Variant *v = b->call->v;
    Binary *all = &v->general[b->call->wide];
    *all = (Binary){.wide = b->call->wide, .kernels = sizes_all()};
    b->binary = t->as_called || t->kind == TRIAL_AUTOMATIC ? sizes_binary(b->call) : all;
    EmitOptions o = {.dialect = dialect_of(b->run.info),
                     .wide = b->call->wide,
                     .fast_math = t->fast_math,
                     .nknown = b->binary->nknown,
                     .known = b->binary->known,
                     .value = b->binary->value,
                     .early = b->run.info->early_launch,
                     .wanted = sizes_wanted,
                     .arg = &(Wanted){v, b->binary}};
    Compile *c = b->unit->c;
    t->source = emit_kernels(c, b->call->v->nest, &o);
    if (!t->source) return fail_diag(t, c, "the kernels cannot be printed");
    if (t->images && images_get(t->images, t->source, &t->image, &t->image_size)) return true;
    char *log = NULL;
    void *image = NULL;
    double start = time_now();
    bool ok = d->ops->compile(d, b->c->arena, t->source, &image, &t->image_size, &log);
    t->compile_s = time_now() - start;
    t->image = image;
    if (ok && t->images) images_put(t->images, t->source, image, t->image_size);
    return ok || fail(t, "%s", log && *log ? log : d->error);
}

bool trial_build(const Case *k, Trial *t, Device *d) {
    Compile *c = compile_new();
    t->built = NEW(c->arena, Built);
    t->built->c = c;
    t->error = t->difference = t->instances = -1;
    c->reassociate = t->reassociate;
    c->fast_math = t->fast_math;
    c->approximate = t->approximate;
    if (t->why) return false; // the caller knows already that there is nothing to build
    if (t->kind == TRIAL_VENDOR) return true;
    if (t->kind == TRIAL_RECIPE && !t->text) return fail(t, "there is no recipe %s", t->name);
    const char *target = d->ops->info(d)->target;
    Nests nests = {0};
    double start = time_now();
    bool ok = make_nests(k, t, d, &nests);
    t->plan_s = time_now() - start;
    if (!ok) return false;
    put_text(t, &nests, target);
    if (!enter_run_time(k, t, d)) return false;
    t->link = 0;
    while (t->built->unit->variants.at[t->link] != t->built->call->v) t->link++;
    t->instances = instances_run(t->built->call->v->nest, t->built->call->nvals, t->built->call->vals);
    return compile(t, d);
}

void trial_free(Trial *t) {
    if (!t->built) return;
    Compile *unit = t->built->unit ? t->built->unit->c : NULL;
    if (unit && t->built->call)
        graph_forget(&t->built->run, t->built->call->v), chain_forget(&t->built->run, t->built->call->v);
    if (t->built->loaded) arena_free(t->built->loaded);
    if (unit) {
        Device *d = t->built->run.device;
        for (int i = 0; t->built->call && i < t->built->call->v->ntemps; i++)
            if (t->built->call->v->temps[i].ptr) d->ops->free(d, t->built->call->v->temps[i].ptr);
        compile_free(unit);
    }
    compile_free(t->built->c);
    t->built = NULL;
}

// ---- many at once ---------------------------------------------------------------------------------
typedef struct Batch {
    const Case *k;
    Trial *trials;
} Batch;

static void build_one(int64_t i, void *arg) {
    const Batch *b = arg;
    Trial *t = &b->trials[i];
    Lab *l = b->k->lab;
    Arena *a = arena_new();
    const char *why = NULL;
    // A device is used by one thread at a time: each build opens one of its own, to compile.
    Device *d = device_open(a, l->info->spec, &why);
    if (!d) {
        trial_build(b->k, t, l->d); // cannot be: the lab's own device is open
    } else if (trial_build(b->k, t, d)) {
        t->built->run.device = l->d;
        t->built->run.info = l->info;
    }
    arena_free(a);
}

void trials_build(const Case *k, int n, Trial *trials) {
    Batch b = {k, trials};
    bool parallel = str_eq(k->lab->d->ops->kind, "cuda") || k->lab->info->host_memory;
    if (parallel) {
        pool_run(k->lab->threads, n, build_one, &b);
        return;
    }
    for (int i = 0; i < n; i++) trial_build(k, &trials[i], k->lab->d);
}
