// SPDX-License-Identifier: MIT
// hand_run.c -- kernels written by hand on a device: built, compared, timed beside each other.
#include "device/cubin.h"
#include "tune/duel.h"
#include "tune/hand.h"
#include "tune/images.h"
#include "tune/pool.h"
#include <math.h>
#include <string.h>

static const double KEEP = 0.6; // of the speed without tuning: what is slower is not timed further

typedef struct Memory {
    const HandArg *arg;
    size_t bytes;
    char *first, *right; // before; what has to be there behind a run, NULL: it is only read
    double apart;        // how far numbers may be off
    DevPtr ptr;
} Memory;

// One configuration, loaded.
typedef struct Loaded {
    HandRun *r;
    Arena *a;
    HandLaunch l;
    Module *module;
    const char *symbol, *why;
} Loaded;

struct HandRun {
    Arena *a;
    const Hand *h;
    Lab *lab;
    Images *images;
    int n; // pointers
    Memory *mem;
    DevPtr *ptrs;
    int64_t *offsets;
    int nvals;
    const void **vals;
    int *sizes, *order;
    Loaded base;
};

// ---- data ---------------------------------------------------------------------------------------------
static uint64_t scramble(uint64_t *seed) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 27);
}

static void put(Type t, char *at, double v) {
    float f = (float)v;
    int64_t i = (int64_t)v;
    if (t == T_F32)
        memcpy(at, &f, sizeof f);
    else if (t == T_F64)
        memcpy(at, &v, sizeof v);
    else
        memcpy(at, &i, (size_t)type_size(t)); // the low bytes come first
}

// i, the number's place in memory.
typedef struct Spot {
    double i;
    bool asked;
} Spot;

static bool at_spot(void *arg, const char *name, Value *out) {
    Spot *p = arg;
    p->asked = str_eq(name, "i");
    return *out = (Value){.n = 1, .at = &p->i}, p->asked;
}

static bool given(HandRun *r, const HandArg *x, Spot *p, double *v, const char **why) {
    Arena *scratch = arena_new();
    bool ok = formula_number(scratch, x->fill, at_spot, p, v, why);
    if (!ok) *why = arena_printf(r->a, "%s: %s", x->fill, *why);
    arena_free(scratch);
    return ok;
}

// Floats between -1 and 1, small whole numbers; what is only written begins as NaN.
static bool fill(HandRun *r, Memory *m, uint64_t seed, const char **why) {
    Type t = m->arg->type;
    size_t step = (size_t)type_size(t);
    Spot p = {0};
    double v = 0;
    if (m->arg->writes && !m->arg->reads) return memset(m->first, 0xFF, m->bytes), true;
    for (size_t at = 0; at + step <= m->bytes; at += step, p.i++) {
        double random = (double)(scramble(&seed) >> 11) * 0x1p-53;
        if (m->arg->fill && (!at || p.asked) && !given(r, m->arg, &p, &v, why)) return false;
        put(t, m->first + at,
            m->arg->fill       ? v
            : type_is_float(t) ? 2 * random - 1
            : t == T_BOOL      ? random < 0.5
                               : floor(8 * random));
    }
    return true;
}

static bool make_args(HandRun *r, uint64_t seed, const char **why) {
    const Hand *h = r->h;
    Device *d = r->lab->d;
    r->mem = NEW_N(r->a, Memory, h->args.n + 1);
    r->ptrs = NEW_N(r->a, DevPtr, h->args.n + 1), r->offsets = NEW_N(r->a, int64_t, h->args.n + 1);
    r->vals = NEW_N(r->a, const void *, h->args.n + 1);
    r->sizes = NEW_N(r->a, int, h->args.n + 1), r->order = NEW_N(r->a, int, h->args.n + 1);
    for (int i = 0; i < h->args.n; i++) {
        const HandArg *x = &h->args.at[i];
        double v;
        if (!hand_arg(r->a, h, x, &v, why)) return false;
        if (!x->pointer) {
            char *at = arena_alloc(r->a, 16);
            put(x->type, at, v);
            r->order[i] = -1 - r->nvals, r->sizes[r->nvals] = type_size(x->type), r->vals[r->nvals++] = at;
            continue;
        }
        Memory *m = &r->mem[r->n];
        if (!(v >= 1 && v * (double)x->bytes < 1e12))
            return *why = arena_printf(r->a, "%s points to %g elements", x->name, v), false;
        *m = (Memory){.arg = x, .bytes = (size_t)v * (size_t)x->bytes};
        m->first = arena_alloc(r->a, m->bytes);
        if (!fill(r, m, seed + (uint64_t)i, why)) return false;
        m->ptr = d->ops->alloc(d, m->bytes);
        if (!m->ptr || !d->ops->upload(d, m->ptr, 0, m->first, m->bytes))
            return *why = arena_printf(r->a, "%s does not fit the device: %s", x->name, d->error), false;
        r->order[i] = r->n, r->ptrs[r->n++] = m->ptr;
    }
    return true;
}

// ---- one configuration --------------------------------------------------------------------------------
static bool go(void *arg) {
    const Loaded *x = arg;
    const HandRun *r = x->r;
    KernelCall call = {.module = x->module,
                       .name = x->symbol,
                       .grid = {x->l.grid[0], x->l.grid[1], x->l.grid[2]},
                       .block = {(int)x->l.block[0], (int)x->l.block[1], (int)x->l.block[2]},
                       .shared = x->l.shared,
                       .nptrs = r->n,
                       .ptrs = r->ptrs,
                       .offsets = r->offsets,
                       .nvals = r->nvals,
                       .vals = r->vals,
                       .sizes = r->sizes,
                       .order = r->order};
    return r->lab->d->ops->launch(r->lab->d, &call);
}

static const char *source_of(Arena *a, const Hand *h, const int *coord, const HandLaunch *l) {
    Text t = text_new(a);
    const char *slash = strrchr(h->file, '/');
    Parts macros = hand_macros(a, h, coord, l);
    text_printf(&t, "// options: %s-I%.*s", h->opencl ? "" : "--fmad=true ",
                slash ? (int)(slash - h->file) : 1, slash ? h->file : ".");
    for (int i = 0; i < h->flags.n; i++) text_printf(&t, " %s", h->flags.at[i]);
    text_put(&t, "\n");
    for (int i = 0; i < macros.n; i++) {
        const char *eq = strchr(macros.at[i], '=');
        text_printf(&t, "#define %.*s %s\n", (int)(eq - macros.at[i]), macros.at[i], eq + 1);
    }
    text_printf(&t, "#line 1 \"%s\"\n%s", h->file, h->text);
    return text_str(&t);
}

// To machine code, which the images keep.
static bool build(HandRun *r, Arena *a, const char *form, HandLaunch *l, const void **image, size_t *size,
                  const char **why) {
    Device *d = r->lab->d;
    int coord[SPACE_KNOBS];
    void *made;
    char *log = NULL;
    if (!hand_coords(r->h, form, coord)) return *why = "it is no configuration", false;
    if (!hand_launch(a, r->h, coord, l, why)) return false;
    const char *source = source_of(a, r->h, coord, l);
    if (images_get(r->images, source, image, size)) return true;
    if (!d->ops->compile(d, a, source, &made, size, &log))
        return *why = log && *log ? log : d->error, false;
    images_put(r->images, source, made, *size);
    return *image = made, true;
}

typedef struct Some {
    HandRun *r;
    const char *const *form;
} Some;

static void build_one(int64_t i, void *arg) {
    const Some *s = arg;
    HandLaunch l;
    const void *image;
    size_t size;
    const char *why;
    Arena *a = arena_new();
    build(s->r, a, s->form[i], &l, &image, &size, &why); // why not is told when its turn comes
    arena_free(a);
}

static bool is_built(HandRun *r, const char *form) {
    Arena *a = arena_new();
    int coord[SPACE_KNOBS];
    HandLaunch l;
    const void *image;
    size_t size;
    const char *why;
    bool is = hand_coords(r->h, form, coord) && hand_launch(a, r->h, coord, &l, &why) &&
              images_get(r->images, source_of(a, r->h, coord, &l), &image, &size);
    arena_free(a);
    return is;
}

void hand_build(HandRun *r, int n, const char *const *form) {
    if (!is_built(r, form[0])) pool_run(r->lab->threads, n, build_one, &(Some){r, form});
}

static bool load(HandRun *r, const char *form, Loaded *x) {
    Device *d = r->lab->d;
    const void *image;
    size_t size;
    *x = (Loaded){.r = r, .a = arena_new(), .symbol = r->h->kernel};
    if (!build(r, x->a, form, &x->l, &image, &size, &x->why)) return false;
    x->module = d->ops->load(d, x->a, image, size);
    if (!x->module) return x->why = d->error, false;
    const char *symbol = cubin_symbol(image, size, r->h->kernel);
    if (symbol) x->symbol = arena_strdup(x->a, symbol);
    return true;
}

// ---- what is right ------------------------------------------------------------------------------------
static bool run_anew(HandRun *r, Loaded *x) {
    Device *d = r->lab->d;
    for (int i = 0; i < r->n; i++) {
        Memory *m = &r->mem[i];
        if (m->arg->writes && !d->ops->upload(d, m->ptr, 0, m->first, m->bytes)) return false;
    }
    return go(x) && d->ops->sync(d);
}

static Elements elements_of(const Memory *m) {
    int64_t width = type_size(m->arg->type);
    return (Elements){m->arg->type, (int64_t)m->bytes / width, width};
}

static const char *compare(HandRun *r, Arena *a) {
    Device *d = r->lab->d;
    for (int i = 0; i < r->n; i++) {
        const Memory *m = &r->mem[i];
        if (!m->arg->writes) continue;
        Arena *scratch = arena_new();
        char *are = arena_alloc(scratch, m->bytes);
        Elements e = elements_of(m);
        bool ok = d->ops->download(d, are, m->ptr, 0, m->bytes);
        int64_t at = ok ? elements_differ(r->lab->threads, &e, m->right, are, m->apart) : -1;
        arena_free(scratch);
        if (!ok) return arena_printf(a, "running: %s", d->error);
        if (at >= 0)
            return arena_printf(a, "wrong results: %s differs at byte %lld", m->arg->name,
                                (long long)(at * e.stride));
    }
    return NULL;
}

// The function of C's, on copies of the data.
static bool ask_reference(HandRun *r, const char **why) {
    Arena *a = arena_new();
    Device *d = device_open(a, "cpu", why);
    void *image;
    size_t size;
    char *log = NULL;
    Module *m = NULL;
    DevPtr at[r->n + 1];
    if (d && !d->ops->compile(d, a, r->h->reference, &image, &size, &log))
        *why = arena_printf(r->a, "the reference can't be compiled: %s", log && *log ? log : d->error);
    else if (d && !(m = d->ops->load(d, a, image, size)))
        *why = arena_strdup(r->a, d->error);
    for (int i = 0; i < r->n; i++)
        at[i] = (DevPtr)(uintptr_t)(r->mem[i].right ? r->mem[i].right : r->mem[i].first);
    KernelCall call = {.module = m,
                       .name = "sculpt_reference_",
                       .nptrs = r->n,
                       .ptrs = at,
                       .offsets = r->offsets,
                       .nvals = r->nvals,
                       .vals = r->vals,
                       .sizes = r->sizes};
    bool ok = m && d->ops->launch(d, &call) && d->ops->sync(d);
    arena_free(a);
    return ok;
}

static bool know_what_is_right(HandRun *r, const char **why) {
    Device *d = r->lab->d;
    for (int i = 0; i < r->n; i++) {
        Memory *m = &r->mem[i];
        if (m->arg->writes) m->right = arena_alloc(r->a, m->bytes), memcpy(m->right, m->first, m->bytes);
    }
    if (r->h->reference && !ask_reference(r, why)) return false;
    if (!run_anew(r, &r->base)) return *why = arena_printf(r->a, "running: %s", d->error), false;
    for (int i = 0; i < r->n; i++) {
        Memory *m = &r->mem[i];
        Elements e = elements_of(m);
        if (!m->right) continue;
        if (!r->h->reference && !d->ops->download(d, m->right, m->ptr, 0, m->bytes))
            return *why = d->error, false;
        m->apart = r->h->tolerance >= 0 ? r->h->tolerance : elements_apart(&e, m->right, 4096);
    }
    if (r->h->reference) *why = compare(r, r->a);
    return !r->h->reference || !*why ||
           (*why = arena_printf(r->a, "%s from what the reference leaves", *why), false);
}

// ---- the whole ----------------------------------------------------------------------------------------
HandRun *hand_begin(Arena *a, const Hand *h, const char *device, uint64_t seed, const char **why) {
    HandRun *r = NEW(a, HandRun);
    int own[SPACE_KNOBS] = {0};
    *r = (HandRun){.a = a, .h = h, .lab = lab_bare(a, device, why)};
    if (!r->lab) return NULL;
    if (!str_eq(r->lab->info->dialect, h->opencl ? "opencl" : "cuda"))
        return *why = arena_printf(a, "%s needs %s, and this device is %s", h->file,
                                   h->opencl ? "an OpenCL device" : "a CUDA device", r->lab->info->spec),
               NULL;
    r->images = images_new(a);
    images_keep(r->images, cache_open(a, why), r->lab->info);
    for (int i = 0; i < h->knobs.n; i++) own[i] = h->knobs.at[i].own;
    if (!make_args(r, seed, why)) return NULL;
    if (!load(r, hand_form(a, h, own), &r->base)) return *why = r->base.why, NULL;
    return know_what_is_right(r, why) ? r : NULL;
}

static const char *tried(HandRun *r, Loaded *x, const Asked *asked, Duel *d, const char **word) {
    for (int round = 0; round < 2; round++) { // threads that race may be lucky once
        if (!run_anew(r, x)) return arena_printf(r->a, "running: %s", r->lab->d->error);
        const char *why = compare(r, x->a);
        if (why) *word = str_has_prefix(why, "wrong") ? "wrong" : "failed";
        if (why) return why;
    }
    TrialOptions o = {.pairs = asked->pairs, .budget_s = asked->seconds, .keep = asked->point < 0 ? 0 : KEEP};
    if (!duel_time(r->lab, &(Timed){go, &r->base}, &(Timed){go, x}, &o, d)) return r->lab->d->error;
    *word = d->slow ? "slow" : "ok";
    return NULL;
}

bool hand_measure(HandRun *r, const char *form, const Asked *asked, Outcome *out) {
    Loaded x = r->base;
    Duel d = {0};
    const char *word = "failed";
    bool loaded = form ? load(r, form, &x) : true;
    const char *why = loaded ? tried(r, &x, asked, &d, &word) : x.why;
    *out = (Outcome){.seconds = d.seconds, .base = d.base, .gain = d.gain, .low = d.low};
    snprintf(out->word, sizeof out->word, "%s", word);
    out->why = arena_strdup(r->a, why ? why : "");
    if (form) arena_free(x.a);
    return !loaded || !why;
}
