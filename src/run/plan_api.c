// SPDX-License-Identifier: MIT
// plan_api.c -- sculpt.h's plans: a region without a program around it.
//
//   C text ──`sculpt emit --dump=region`──▶ region's text ──▶ with plain nests, as programs carry it ──▶ Unit
//                                             └──`sculpt tune`──▶ wisdom     planned for the sizes at once ┘
//
// C is read, and candidates are measured, by the `sculpt` program: libclang and candidates that crash are
// none of the caller's business. A plan's region is the process's: plans of one text share it.
#include "model/model.h"
#include "plan/plan.h"
#include "run/state.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sculpt_plan {
    Arena *a;
    sculpt_region *region;
    Unit *unit;
    sculpt_arg *args; // [unit->nargs]: sizes; arrays and floating-point values are each call's
    sculpt_array *array; // [unit->nobjects]
    int64_t *lo;         // [unit->nobjects]: where what the loops reach begins, in bytes from the array
    const char *sizes, *from;
    double seconds, flops;
    const char *proof, *recipe;
};

static void *fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void *fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(run_thread()->message, sizeof run_thread()->message, fmt, ap);
    va_end(ap);
    return NULL;
}

// ---- the program that reads and measures --------------------------------------------------------------
static const char *tool(Arena *a) {
    const char *self = path_self(a), *slash = self ? strrchr(self, '/') : NULL;
    static const char *const near[] = {"sculpt", "../bin/sculpt", "../../bin/sculpt"};
    for (int i = 0; slash && i < 3; i++) {
        const char *path = arena_printf(a, "%.*s/%s", (int)(slash - self), self, near[i]);
        struct stat st; // a library has a folder of that name beside it
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0) return path;
    }
    return path_find(a, env_path(), "sculpt");
}

static const char *last_line(const char *s) {
    const char *error = strstr(s, "error: ");
    return error ? error + strlen("error: ") : *s ? s : "no reason given";
}

// A file in a folder that goes with the arena; NULL after fail.
static const char *file_of(Arena *a, const char *name, const char *text) {
    const char *why, *dir = temp_folder(a, &why);
    const char *path = dir ? arena_printf(a, "%s/%s", dir, name) : NULL;
    if (!path) return fail("no temporary folder: %s", why);
    return file_write(path, text, strlen(text)) ? path : fail("%s can't be written", path);
}

static const char *region_of(Arena *a, const char *source) {
    const char *sculpt = tool(a), *path = file_of(a, "plan.c", source);
    char *out, *err;
    if (!path) return NULL;
    if (!sculpt) return fail("the sculpt program, which reads C, is neither beside the library nor in $PATH");
    for (int mark = 0; mark < 2; mark++) {
        char *argv[] = {(char *)sculpt, "emit", "--dump=region", (char *)path, mark ? "--auto" : NULL, NULL};
        bool ok = process_run(a, argv, &out, &err) == 0;
        if (ok && str_has_prefix(out, "sculpt ")) return out;
    }
    return fail("the text has no region: %.*s", (int)strcspn(last_line(err), "\n"), last_line(err));
}

static void measure(Run *r, Arena *a, const char *text, const char *sizes, unsigned flags) {
    const char *sculpt = tool(a), *path = file_of(a, "plan.nest", text);
    if (!sculpt || !path) return (void)fail("not measured: there is no sculpt program");
    char *list = arena_strdup(a, sizes), *out, *err;
    for (char *s = list; *s; s++) *s = *s == ' ' ? ';' : *s;
    bool patient = flags & SCULPT_PATIENT;
    char *argv[] = {(char *)sculpt, "tune",
                    "--device",     (char *)r->info->spec,
                    "--sizes",      list,
                    "--effort",     patient ? "patient" : "measure",
                    "--budget",     patient ? "300s" : "30s",
                    (char *)path,   NULL};
    if (process_run(a, argv, &out, &err))
        fail("not measured: %.*s", (int)strcspn(last_line(err), "\n"), last_line(err));
}

// ---- a region with plain nests
// -----------------------------------------------------------------------------
static const char *carried(Arena *a, const char *text) {
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, "plan", text);
    if (!f) {
        fail("the region's text can't be read: %s", c->diags.n ? c->diags.at[0].text : "");
        compile_free(c);
        return NULL;
    }
    Text t = text_new(a);
    text_printf(&t, "sculpt %d\n%s", IR_VERSION, ir_print_region(a, f->region));
    static const char *const targets[] = {"gpu", "cpu"};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        PlanOptions o = {.target = targets[i], .asserted = true, .plain = true};
        Nest *x = plan_default(c, f->region, dep_analyze(c, f->region), &o);
        if (x && plan_is_trusted(c, x, x)) text_put(&t, ir_print_nest(a, x)), n++;
    }
    if (!n) fail("no loop of the region can be parallel");
    text_put(&t, "more\n");
    compile_free(c);
    return n ? text_str(&t) : NULL;
}

// Plans of one text share a region, which stays as long as the process.
static sculpt_region *shared_region(Run *r, const char *text) {
    for (int i = 0; i < r->units.n; i++)
        if (r->units.at[i]->owned && str_eq(r->units.at[i]->owned->text, text)) return r->units.at[i]->owned;
    sculpt_region *x = NEW(r->arena, sculpt_region);
    *x = (sculpt_region){
        .abi = SCULPT_ABI, .flags = SCULPT_ALWAYS, .text = arena_strdup(r->arena, text), .file = "plan"};
    unit_get(r, x)->owned = x;
    return x;
}

// ---- a plan ----------------------------------------------------------------------------------------------
// The value of a parameter in "n=512 m=64".
static bool size_of(const char *sizes, const char *name, long long *out) {
    size_t n = strlen(name);
    for (const char *s = sizes; *s; s += strcspn(s, " "), s += strspn(s, " ")) {
        char *end;
        if (strncmp(s, name, n) || s[n] != '=') continue;
        *out = strtoll(s + n + 1, &end, 10);
        return end > s + n + 1 && (!*end || *end == ' ');
    }
    return false;
}

// Arrays are not there yet: places far apart stand for them, as malloc would align them.
static bool set_args(sculpt_plan *p) {
    const Unit *u = p->unit;
    p->args = NEW_N(p->a, sculpt_arg, u->nargs + 1);
    for (int i = 0; i < u->nobjects; i++) p->args[i].p = (void *)((uintptr_t)(i + 1) << 42);
    for (int i = 0; i < u->region->nparams; i++) {
        const Sym *s = u->region->params[i];
        if (type_is_float(s->type)) continue;
        if (!s->source) return fail("its loops follow data, which a plan does not have"), false;
        if (!size_of(p->sizes, s->name, &p->args[u->nobjects + i].i))
            return fail("the sizes say no %s", s->name), false;
    }
    return true;
}

// What the loops reach, by the boxes of the places that stand for the arrays.
static void see_arrays(sculpt_plan *p, const Call *c) {
    const Unit *u = p->unit;
    p->array = NEW_N(p->a, sculpt_array, u->nobjects + 1);
    p->lo = NEW_N(p->a, int64_t, u->nobjects + 1);
    for (int i = 0; i < u->nobjects; i++) {
        sculpt_array *x = &p->array[i];
        int64_t base = (int64_t)p->args[i].p, end = 0;
        x->name = u->objects[i];
        for (int f = 0; f < c->v->nest->nfeet; f++) {
            const Foot *foot = &c->v->nest->feet[f];
            const Box *b = &c->boxes[f];
            if (!str_eq(foot->array->object, x->name)) continue;
            const char *type = type_name(foot->array->elem);
            x->type = !x->type || str_eq(x->type, type) ? type : "";
            x->written |= foot->out;
            if (box_is_empty(b)) continue;
            if ((int64_t)b->first - base < p->lo[i]) p->lo[i] = (int64_t)b->first - base;
            if ((int64_t)b->last - base > end) end = (int64_t)b->last - base;
        }
        x->bytes = (size_t)end;
        if (!x->type) x->type = "";
    }
}

static bool plan_now(Run *r, sculpt_plan *p, unsigned flags) {
    Unit *u = p->unit;
    if (!unit_whole(r, u)) return fail("the region's text can't be read"), false;
    if (!set_args(p)) return false;
    if (!unit_choose(r, u)) return fail("there is no kernel of it for a %s", r->info->target), false;
    WiseHit hit = wise_hit(r, u, p->args);
    if (flags & SCULPT_WISDOM_ONLY && !hit.row)
        return fail("wisdom knows nothing of these sizes here"), false;
    bool sync = r->set.sync;
    r->set.sync = true;
    const Call *c = call_get(r, u, p->args, TRAVEL_NONE);
    r->set.sync = sync;
    if (c->refusal) return fail("%s", c->why), false;
    see_arrays(p, c);
    p->from = !hit.row
                  ? "the model"
                  : arena_printf(p->a, "wisdom of %s at %s", wise_level_word(hit.level), hit.row->key.sizes);
    p->flops = c->flops;
    p->proof = proof_word(c->v->nest->proof);
    p->recipe = arena_strdup(p->a, c->v->nest->recipe ? c->v->nest->recipe : "");
    p->seconds = hit.row && hit.level == WISE_DEVICE && hit.distance == 0 ? hit.row->seconds : -1;
    if (p->seconds < 0 && r->machine) {
        Price price = model_price(model_priced(p->a, c->v->nest, r->machine), c->nvals, c->vals);
        if (!price.why) p->seconds = price.seconds;
    }
    return true;
}

sculpt_plan *sculpt_plan_region(const char *text, const char *sizes, unsigned flags) {
    Arena *a = arena_new();
    Run *r = run_lock();
    sculpt_plan *p = NEW(a, sculpt_plan);
    *p = (sculpt_plan){.a = a, .sizes = arena_strdup(a, sizes ? sizes : "")};
    run_thread()->message[0] = 0;
    bool ok = run_device(r) != NULL;
    if (!ok) fail("no device is to be used, or none could be opened");
    if (ok && flags & (SCULPT_MEASURE | SCULPT_PATIENT) && !(flags & SCULPT_WISDOM_ONLY))
        measure(r, a, text, p->sizes, flags);
    const char *whole = ok ? carried(a, text) : NULL;
    if ((ok = whole)) p->region = shared_region(r, whole), p->unit = p->region->state;
    ok = ok && plan_now(r, p, flags);
    run_unlock(r);
    if (!ok) arena_free(a);
    return ok ? p : NULL;
}

sculpt_plan *sculpt_plan_c(const char *source, const char *sizes, unsigned flags) {
    Arena *a = arena_new();
    const char *text = region_of(a, source);
    sculpt_plan *p = text ? sculpt_plan_region(text, sizes, flags) : NULL;
    arena_free(a);
    return p;
}

void sculpt_destroy(sculpt_plan *p) {
    if (p) arena_free(p->a);
}

// ---- what it takes, and running it
// -------------------------------------------------------------------------
const char *sculpt_plan_array(const sculpt_plan *p, int i) {
    return i >= 0 && i < p->unit->nobjects ? p->unit->objects[i] : NULL;
}

int sculpt_plan_describe(const sculpt_plan *p, int i, sculpt_array *out) {
    bool there = i >= 0 && i < p->unit->nobjects;
    if (there) *out = p->array[i];
    return there;
}

const char *sculpt_plan_scalar(const sculpt_plan *p, int i) {
    const Region *r = p->unit->region;
    for (int k = 0; k < r->nparams; k++)
        if (type_is_float(r->params[k]->type) && i-- == 0) return r->params[k]->name;
    return NULL;
}

// The region's own loops, interpreted.
static int on_host(const sculpt_plan *p, const sculpt_arg *args) {
    const Unit *u = p->unit;
    const Region *r = u->region;
    Arena *a = arena_new();
    InterpArg *objects = NEW_N(a, InterpArg, u->nobjects + 1);
    InterpVal *vals = NEW_N(a, InterpVal, r->nparams + 1);
    for (int i = 0; i < u->nobjects; i++) objects[i] = (InterpArg){u->objects[i], args[i].p};
    for (int i = 0; i < r->nparams; i++) {
        const sculpt_arg *x = &args[u->nobjects + i];
        vals[i] = (InterpVal){.sym = r->params[i]};
        if (type_is_float(r->params[i]->type)) vals[i].f = x->f;
        else vals[i].i = x->i;
    }
    bool ok = ir_interpret(a, r->root, u->nobjects, objects, r->nparams, vals, 0);
    arena_free(a);
    return ok;
}

// Arrays in the device's own memory are called as they lie there: a hold each for the time of the call.
static bool hold(Run *r, const sculpt_plan *p, const sculpt_arg *args, int i, bool begins) {
    Memory *m = r->memory;
    uintptr_t at = (uintptr_t)args[i].p, lo = at + (uintptr_t)p->lo[i], hi = at + p->array[i].bytes;
    if (lo == hi) return true;
    m->turn = ++m->turns;
    return begins ? hold_enter(m, lo, hi, SCULPT_CREATE | SCULPT_OWN) : hold_exit(m, lo, hi, 0);
}

// Locked: other threads have streams of their own.
static int on_device(Run *r, const sculpt_plan *p, void *stream, bool waits, const sculpt_arg *args,
                     bool *is_lent) {
    const Unit *u = p->unit;
    Device *d = run_device(r);
    bool lent[u->nobjects + 1], refused = false;
    int n = 0, done = 0;
    for (int i = 0; i < u->nobjects; i++)
        n += lent[i] = d && d->ops->whose && d->ops->whose(d, args[i].p) == WHOSE_DEVICE;
    bool meets = n || stream;
    *is_lent = n;
    if (n && r->set.check) return fail("SCULPT_CHECK wants arrays of the host's memory"), 0;
    if (meets && !run_meet(stream, true))
        return fail("the stream can't be waited for: %s", d ? d->error : "no device"), 0;
    bool held = true;
    for (int i = 0; i < u->nobjects; i++) held &= !lent[i] || hold(r, p, args, i, true);
    if (held) done = run_enter(p->region, args, u->nargs, &refused);
    for (int i = u->nobjects - 1; i >= 0; i--)
        if (lent[i]) hold(r, p, args, i, false);
    bool ok = !meets || run_meet(stream, false);
    if (ok && waits && n) ok = d->ops->sync(d);
    return ok ? done : (fail("%s", d->error), 0);
}

static int run_plan(const sculpt_plan *p, void *stream, bool waits, void *const *arrays,
                    const double *scalars) {
    const Unit *u = p->unit;
    sculpt_arg args[u->nargs + 1];
    memcpy(args, p->args, sizeof *args * (size_t)u->nargs);
    for (int i = 0; i < u->nobjects; i++) args[i].p = arrays[i];
    for (int i = 0, k = 0; i < u->region->nparams; i++)
        if (type_is_float(u->region->params[i]->type)) args[u->nobjects + i].f = scalars ? scalars[k++] : 0;
    bool is_lent = false;
    int done = 0;
    if (!run_within()) {
        Run *r = run_lock();
        done = on_device(r, p, stream, waits, args, &is_lent);
        run_unlock(r);
    }
    if (!done && !is_lent) done = on_host(p, args);
    sculpt_leave(p->region, args, u->nargs);
    return done;
}

int sculpt_execute(const sculpt_plan *p, void *const *arrays, const double *scalars) {
    return run_plan(p, NULL, true, arrays, scalars);
}

int sculpt_execute_on(const sculpt_plan *p, void *stream, void *const *arrays, const double *scalars) {
    return run_plan(p, stream, false, arrays, scalars);
}

double sculpt_cost(const sculpt_plan *p) { return p->seconds; }
double sculpt_flops(const sculpt_plan *p) { return p->flops; }

char *sculpt_plan_print(const sculpt_plan *p) {
    Arena *a = arena_new();
    Text t = text_new(a);
    text_printf(&t, "%s at %s on %s, by %s, %s\n", p->unit->region->name, p->sizes, sculpt_device_name(),
                p->from, p->proof);
    if (p->seconds >= 0) text_printf(&t, "  %.4g ms\n", 1e3 * p->seconds);
    for (const char *s = p->recipe; *s; s += strcspn(s, "\n"), s += *s == '\n')
        text_printf(&t, "  %.*s\n", (int)strcspn(s, "\n"), s);
    char *out = strdup(text_str(&t));
    arena_free(a);
    return out;
}

// ---- wisdom
// --------------------------------------------------------------------------------------------------
char *sculpt_export_wisdom(void) {
    Arena *a = arena_new();
    const char *why, *path = wise_path(a, &why);
    WiseStore *s = path ? wise_open(a, path, false, &why) : NULL;
    WiseAll all = {0};
    bool ok = s ? wise_rows(s, a, NULL, &all.rows, NULL, &why) && wise_errors(s, a, NULL, &all.errors, &why)
                : !*why;
    char *out = ok ? strdup(wise_print(a, &all)) : fail("%s", why);
    arena_free(a);
    return out;
}

int sculpt_import_wisdom(const char *text) {
    Arena *a = arena_new();
    const char *why = "", *path;
    WiseAll all = {0};
    WiseStore *s = NULL;
    if (wise_read(a, text, strlen(text), &all, &why) && (path = wise_path(a, &why)))
        s = wise_open(a, path, true, &why);
    int n = s ? wise_put_all(s, &all, &why) : -1;
    if (n < 0) fail("%s", why);
    arena_free(a);
    return n;
}
