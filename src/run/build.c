// SPDX-License-Identifier: MIT
// build.c -- a nest's kernels as a loaded module: from the cache, else through the compiler.
#include "emit/emit.h"
#include "run/state.h"
#include <string.h>
#include <sys/stat.h>

const char *build_self(Run *r) {
    struct stat s;
    if (r->self) return r->self;
    const char *path = path_self(r->arena);
    bool there = path && stat(path, &s) == 0;
    return r->self = there ? arena_printf(r->arena, "%lld.%ld.%lld", (long long)s.st_mtim.tv_sec,
                                          s.st_mtim.tv_nsec, (long long)s.st_size)
                           : "";
}

static const char *make_key(Run *r, const Unit *u, const Variant *v, const Binary *b, Arena *a) {
    const DeviceInfo *d = r->info;
    Text t = text_new(a);
    text_printf(&t, "%s|%s|%s|%s|%d|%d|", d->spec, d->name, d->driver, d->dialect, b->wide, d->early_launch);
    for (size_t i = 0; i < sizeof b->kernels.word / sizeof *b->kernels.word; i++)
        text_printf(&t, "%llx|", (unsigned long long)b->kernels.word[i]);
    for (int i = 0; i < b->nknown; i++)
        text_printf(&t, "%s=%lld|", b->known[i]->name, (long long)b->value[i]);
    text_printf(&t, "%s|%s|%s", build_self(r), digest_text(a, u->digest), digest_text(a, v->digest));
    return digest_text(a, digest_of(t.s, t.n));
}

static DialectId dialect_of(const DeviceInfo *d) {
    if (str_eq(d->dialect, "cuda")) return DIALECT_CUDA;
    return str_eq(d->dialect, "opencl") ? DIALECT_OPENCL : DIALECT_C;
}

// *why: what went wrong, where it does.
static bool compile(Run *r, Unit *u, const Variant *v, const Binary *b, Arena *a, void **image, size_t *size,
        const char **why) {
    EmitOptions o = {.dialect = dialect_of(r->info),
                     .wide = b->wide,
                     .nknown = b->nknown,
                     .known = b->known,
                     .value = b->value,
                     .early = r->info->early_launch,
                     .wanted = sizes_wanted,
                     .arg = &(Wanted){v, b}};
    char *text = emit_kernels(u->c, v->nest, &o);
    if (!text) {
        Diag *last = u->c->diags.n ? &u->c->diags.at[u->c->diags.n - 1] : NULL;
        *why = arena_printf(a, "the kernels cannot be printed: %s", last ? last->text : "");
        return false;
    }
    double t = time_now();
    bool ok = r->device->ops->compile(r->device, a, text, image, size, NULL);
    u->stats.compile += time_now() - t;
    r->away += time_now() - t;
    if (ok) planned_compiled(r);
    else *why = arena_strdup(a, r->device->error);
    return ok;
}

static Module *load(Run *r, Unit *u, const void *image, size_t size) {
    double t = time_now();
    Module *m = r->device->ops->load(r->device, u->c->arena, image, size);
    u->stats.load += time_now() - t;
    r->away += time_now() - t;
    return m;
}

// An outline is nothing to compile from.
static Module *fetch(Run *r, Unit *u, const char *key, Arena *a) {
    void *image;
    size_t size;
    return cache_get(run_cache(r), a, key, &image, &size) ? load(r, u, image, size) : NULL;
}

const char *build_key(Run *r, const Unit *u, const Call *c, Arena *a) {
    return make_key(r, u, c->v, sizes_binary(c), a);
}

static Module *build(Run *r, Unit *u, const Variant *v, const Binary *b, Arena *a) {
    void *image = NULL;
    size_t size = 0;
    Cache *k = run_cache(r);
    const char *key = k ? make_key(r, u, v, b, a) : NULL;
    if (k && cache_get(k, a, key, &image, &size)) {
        Module *m = load(r, u, image, size);
        if (m) return m; // else what was kept is no good here: compile again
    }
    const char *why;
    if (!compile(r, u, v, b, a, &image, &size, &why)) return report_refusal(r, u, SC_BUILD_FAILED, "%s",
            why), NULL;
    Module *m = load(r, u, image, size);
    if (!m) report_refusal(r, u, SC_BUILD_FAILED, "%s", r->device->error);
    else if (k) cache_put(k, key, image, size);
    return m;
}

bool build_ahead(Run *r, Unit *u, const Call *c) {
    Binary *b = sizes_binary(c);
    Arena *a = arena_new();
    void *image = NULL;
    size_t size = 0;
    const char *key = make_key(r, u, c->v, b, a), *why;
    bool ok = cache_look(r->cache, a, key, &image, &size);
    if (!ok && (ok = compile(r, u, c->v, b, a, &image, &size, &why))) cache_put(r->cache, key, image, size);
    arena_free(a);
    return ok;
}

Module *build_module(Run *r, Unit *u, const Call *c) {
    Binary *b = sizes_binary(c);
    if (b->module || b->failed) return b->module;
    Arena *a = arena_new();
    b->module = c->v->image ? fetch(r, u, c->v->image, a) : build(r, u, c->v, b, a);
    b->failed = !b->module;
    arena_free(a);
    return b->module;
}

int64_t build_launch_shared(const Run *r, const Node *kernel) {
    Arena *a = arena_new();
    int64_t bytes = emit_launch_shared(a, kernel, dialect_of(r->info));
    arena_free(a);
    return bytes;
}
