// SPDX-License-Identifier: MIT
// case.c -- a region with sizes and data: what there is to run and to compare with.
#include "ir/value.h"
#include "tune/pool.h"
#include "tune/sample.h"
#include "tune/tune.h"
#include "tune/vendor.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- values ----------------------------------------------------------------------------------------
// The least length of a row that a parameter can be, plus the setting "pad": for leading
// dimensions that nobody set. False: the parameter is no row's length.
static bool row_length(Case *c, const CaseOptions *o, const Sym *s, int64_t *v) {
    int64_t hi, pad = 0;
    *v = 0;
    for (int i = 0; i < c->dep->nfeet; i++) {
        const Foot *f = &c->dep->feet[i];
        for (int d = 1; d < f->array->rank; d++) {
            const Expr *x = f->array->extent[d];
            while (x->kind == E_CAST) x = x->args[0];
            if (x->kind != E_SYM || x->sym != s || !ir_eval(f->hi[d], c->nvals, c->vals, &hi)) continue;
            if (hi + 1 > *v) *v = hi + 1;
        }
    }
    if (*v > 0 && setting_value(c->a, o->nsettings, o->settings, "pad", &pad)) *v += pad;
    return *v > 0;
}

bool case_values(Case *c, const CaseOptions *o, Arena *say, const char **why) {
    const Region *r = c->region;
    c->nvals = r->nparams;
    c->vals = NEW_N(c->a, InterpVal, r->nparams + 1);
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        int k = o->nsettings - 1;
        while (k >= 0 && !str_eq(o->settings[k].name, s->name)) k--;
        c->vals[i].sym = s;
        if (k < 0) continue;
        if (type_is_float(s->type)) c->vals[i].f = atof(o->settings[k].value);
        else if (!setting_value(c->a, k, o->settings, o->settings[k].value, &c->vals[i].i))
            return *why = arena_printf(say, "%s=%s is no value", s->name, o->settings[k].value), false;
    }
    for (int i = 0; i < r->nparams; i++) {
        const char *name = r->params[i]->name;
        int k = o->nsettings - 1;
        while (k >= 0 && !str_eq(o->settings[k].name, name)) k--;
        if (k < 0 && !row_length(c, o, r->params[i], &c->vals[i].i))
            return *why = arena_printf(say, "parameter %s has no value: set %s=…", name, name), false;
    }
    for (int i = 0; i < r->nassumes; i++) {
        int64_t holds;
        if (ir_eval(r->assumes[i], c->nvals, c->vals, &holds) && !holds)
            return *why = "the settings break what the region assumes", false;
    }
    return true;
}

// ---- memory -----------------------------------------------------------------------------------------
// Bytes from the base pointer to the end of an array, whole rows; < 0: not to be told.
static int64_t extent_bytes(const Case *c, const Foot *f) {
    const Array *a = f->array;
    int64_t n = 1, x;
    for (int d = 0; d < a->rank; d++) {
        const Expr *size = a->extent[d];
        if (d == 0) {
            if (!ir_eval(f->hi[0], c->nvals, c->vals, &x)) return -1;
            x++;
        } else if (!size || !ir_eval(size, c->nvals, c->vals, &x)) {
            return -1;
        }
        if (x < 1) x = 1;
        if (__builtin_mul_overflow(n, x, &n) || n > (int64_t)1 << 42) return -1;
    }
    return a->offset + (n - 1) * a->stride + type_size(a->elem);
}

static bool size_objects(Case *c, const char **why) {
    c->objects = NEW_N(c->a, Object, c->region->narrays + 1);
    for (int i = 0; i < c->region->narrays; i++) { // in the order in which a call passes them
        const char *name = c->region->arrays[i]->object;
        int k = 0;
        while (k < c->nobjects && !str_eq(c->objects[k].name, name)) k++;
        if (k == c->nobjects) c->objects[c->nobjects++].name = name;
    }
    for (int i = 0; i < c->dep->nfeet; i++) {
        const Foot *f = &c->dep->feet[i];
        Object *o = c->objects;
        while (!str_eq(o->name, f->array->object)) o++;
        int64_t bytes = f->array->rank && !f->hi[0] ? -1 : extent_bytes(c, f);
        if (bytes < 0)
            return *why = arena_printf(c->lab->a, "the size of %s cannot be told", f->array->name), false;
        if ((size_t)bytes > o->bytes) o->bytes = (size_t)bytes;
        o->in |= f->in || !f->exact;
        o->out |= f->out;
    }
    return true;
}

static void *host_memory(const Case *c, bool pinned, size_t bytes) {
    Device *d = c->lab->d;
    void *p = NULL;
    if (pinned) return d->ops->pin_alloc(d, bytes);
    return posix_memalign(&p, 4096, bytes + 64) ? NULL : p;
}

static void host_free(const Case *c, bool pinned, void *p) {
    if (!p) return;
    if (pinned) c->lab->d->ops->pin_free(c->lab->d, p);
    else free(p);
}

static bool take_memory(Case *c, const char **why) {
    Device *d = c->lab->d;
    for (int i = 0; i < c->nobjects; i++) {
        Object *o = &c->objects[i];
        o->pinned = d->ops->pin_alloc != NULL;
        o->host = host_memory(c, o->pinned, o->bytes);
        o->result = o->out ? host_memory(c, o->pinned, o->bytes) : NULL;
        o->ptr = o->host ? d->ops->alloc(d, o->bytes + 256) : 0;
        if (!o->ptr || (o->out && !o->result))
            return *why = arena_printf(c->lab->a, "no %zu bytes for %s: %s", o->bytes, o->name, d->error),
                   false;
    }
    return true;
}

// ---- data ---------------------------------------------------------------------------------------------
typedef struct Fill {
    Object *o;
    Type elem;
    uint64_t seed;
    bool positive;
} Fill;
enum { FILL_BYTES = 1 << 20 };

static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Numbers in -1 … 1, or 1/4 … 1, by their place alone, so that any thread may fill any part.
static void fill(int64_t part, void *arg) {
    const Fill *f = arg;
    float least = f->positive ? 0.25f : -1, wide = 1 - least;
    size_t from = (size_t)part * FILL_BYTES,
           to = from + FILL_BYTES < f->o->bytes ? from + FILL_BYTES : f->o->bytes;
    if (f->elem == T_F32) {
        float *x = (float *)f->o->host;
        for (size_t i = from / 4; i < to / 4; i++)
            x[i] = (float)(int64_t)(mix(f->seed + i) >> 40) * 0x1p-24f * wide + least;
    } else if (f->elem == T_F64) {
        double *x = (double *)f->o->host;
        for (size_t i = from / 8; i < to / 8; i++)
            x[i] = (double)(int64_t)(mix(f->seed + i) >> 11) * 0x1p-53 * wide + least;
    } else {
        memset(f->o->host + from, 0, to - from);
    }
}

static bool fill_memory(Case *c, uint64_t seed, bool poison, bool positive, const char **why) {
    Device *d = c->lab->d;
    for (int i = 0; i < c->nobjects; i++) {
        Fill f = {&c->objects[i], T_NONE, mix(seed + (uint64_t)i), positive};
        for (int k = 0; k < c->region->narrays; k++)
            if (str_eq(c->region->arrays[k]->object, f.o->name)) f.elem = c->region->arrays[k]->elem;
        pool_run(c->lab->threads, (int64_t)((f.o->bytes + FILL_BYTES - 1) / FILL_BYTES), fill, &f);
        if (poison && f.o->out && !f.o->in) memset(f.o->host, 0xff, f.o->bytes);
        if (!d->ops->upload(d, f.o->ptr, 0, f.o->host, f.o->bytes))
            return *why = arena_strdup(c->lab->a, d->error), false;
    }
    return true;
}

bool case_reset(Case *c) {
    Device *d = c->lab->d;
    for (int i = 0; i < c->nobjects; i++) {
        const Object *o = &c->objects[i];
        if (o->out && !d->ops->upload(d, o->ptr, 0, o->host, o->bytes)) return false;
    }
    return true;
}

bool case_fetch(Case *c, bool vendor) {
    Device *d = c->lab->d;
    for (int i = 0; i < c->nobjects; i++) {
        Object *o = &c->objects[i];
        if (o->out && !d->ops->download(d, vendor ? o->vendor : o->result, o->ptr, 0, o->bytes)) return false;
    }
    return true;
}

// ---- comparing -------------------------------------------------------------------------------------------
static double element(Type t, const char *at) {
    float f;
    double d;
    int64_t i = 0;
    if (t == T_F32) return memcpy(&f, at, 4), f;
    if (t == T_F64) return memcpy(&d, at, 8), d;
    memcpy(&i, at, (size_t)type_size(t));
    return t == T_U64 ? (double)(uint64_t)i : (double)value_wrap(t, i);
}

double case_error(const Case *c, bool vendor) {
    double worst = 0;
    for (int i = 0; i < c->nsamples; i++) {
        const Sample *s = &c->samples[i];
        const Object *o = &c->objects[s->object];
        double x = element(s->array->elem, (vendor ? o->vendor : o->result) + s->offset);
        if (x == s->value || (isnan(x) && isnan(s->value))) continue;
        double error = fabs(x - s->value) / sqrt(s->terms);
        if (!(error <= worst)) worst = isnan(error) ? INFINITY : error;
    }
    return worst;
}

typedef struct Compare {
    const Object *o;
    double *worst;     // of each part
} Compare;

static void compare(int64_t part, void *arg) {
    const Compare *k = arg;
    const float *x = (const float *)k->o->result, *y = (const float *)k->o->vendor;
    size_t from = (size_t)part * FILL_BYTES / 4, to = from + FILL_BYTES / 4, n = k->o->bytes / 4;
    float worst = 0;
    for (size_t i = from; i < to && i < n; i++) {
        float d = fabsf(x[i] - y[i]);
        if (!(d <= worst)) worst = isnan(d) ? INFINITY : d;
    }
    k->worst[part] = worst;
}

double case_difference(const Case *c) {
    double worst = 0, terms = c->nsamples ? c->samples[0].terms : 1;
    for (int i = 0; i < c->nobjects; i++) {
        const Object *o = &c->objects[i];
        if (!o->vendor) continue;
        int64_t parts = (int64_t)((o->bytes + FILL_BYTES - 1) / FILL_BYTES);
        Arena *scratch = arena_new();
        Compare k = {o, NEW_N(scratch, double, parts)};
        pool_run(c->lab->threads, parts, compare, &k);
        for (int64_t p = 0; p < parts; p++) worst = fmax(worst, k.worst[p]);
        arena_free(scratch);
    }
    return worst / sqrt(terms);
}

// What rounding may cost, generously: a multiple of the FP32 (or FP64) unit that grows with the
// square root of the terms, as random rounding does, and with the size of the values.
static double error_bound(const Case *c) {
    double terms = 1, size = 0, unit = DBL_EPSILON;
    for (int i = 0; i < c->nsamples; i++) {
        const Sample *s = &c->samples[i];
        terms = fmax(terms, s->terms);
        if (isfinite(s->value)) size = fmax(size, fabs(s->value) / sqrt(s->terms));
        if (s->array->elem != T_F64) unit = FLT_EPSILON;
    }
    return unit * (16 + 2 * sqrt(terms)) * fmax(1, size);
}

static bool are_finite(const Case *c) {
    for (int i = 0; i < c->nsamples; i++)
        if (!isfinite(c->samples[i].value)) return false;
    return true;
}

static bool ask_vendor(Case *c) {
    Object *o = &c->objects[c->product.c];
    o->vendor = host_memory(c, o->pinned, o->bytes);
    if (!o->vendor || !case_reset(c) || !vendor_product(c->lab->vendor, c, &c->product) ||
        !case_fetch(c, true))
        return false;
    c->vendor_error = c->nsamples ? case_error(c, true) : -1;
    return true;
}

// ---- cases
// --------------------------------------------------------------------------------------------------
static void release(void *arg) {
    Case *c = arg;
    for (int i = 0; i < c->nobjects; i++) {
        Object *o = &c->objects[i];
        host_free(c, o->pinned, o->host);
        host_free(c, o->pinned, o->result);
        host_free(c, o->pinned, o->vendor);
        if (o->ptr) c->lab->d->ops->free(c->lab->d, o->ptr);
    }
}

static bool prepare(Case *c, const CaseOptions *o, const char **why) {
    IrFile *f = ir_parse(c->c, c->name, c->text);
    if (!f)
        return *why = arena_strdup(c->lab->a, c->c->diags.n ? c->c->diags.at[0].text : "it cannot be read"),
               false;
    c->region = f->region;
    c->dep = dep_analyze(c->c, f->region);
    if (c->dep->gave_up) return *why = "its dependences are too many to decide", false;
    if (!case_values(c, o, c->lab->a, why) || !size_objects(c, why) || !take_memory(c, why) ||
        !fill_memory(c, o->seed, o->poison, false, why))
        return false;
    c->unsampled = sample_make(c, o->samples, o->seed);
    if (!c->unsampled && !are_finite(c)) { // square roots, logarithms: other numbers tell more
        if (!fill_memory(c, o->seed, o->poison, true, why)) return false;
        c->nsamples = 0;
        c->unsampled = sample_make(c, o->samples, o->seed);
    }
    if (!c->dep->flops || !ir_eval_float(c->dep->flops, c->nvals, c->vals, &c->flops)) c->flops = -1;
    if (!c->dep->bytes || !ir_eval_float(c->dep->bytes, c->nvals, c->vals, &c->bytes)) c->bytes = -1;
    c->bound = error_bound(c);
    c->is_product = product_match(c, &c->product);
    if (!o->vendor || !c->lab->vendor || !c->is_product) return true;
    return ask_vendor(c) || (*why = "the vendor's library refused the product", false);
}

Case *case_new(Lab *l, const char *name, const char *text, const CaseOptions *o, const char **why) {
    Compile *k = compile_new();
    Case *c = NEW(k->arena, Case);
    c->lab = l;
    c->a = k->arena;
    c->c = k;
    c->name = arena_strdup(c->a, name);
    c->text = arena_strdup(c->a, text);
    c->vendor_error = -1;
    if (prepare(c, o, why)) return c;
    case_free(c);
    return NULL;
}

void case_free(Case *c) {
    if (!c) return;
    release(c);
    compile_free(c->c);
}
