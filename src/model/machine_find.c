// SPDX-License-Identifier: MIT
// machine_find.c -- which file describes a machine: by name, by what its driver says, by family.
#include "model/embedded.h"
#include "model/machine.h"
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Folders that may hold files: the user's, then the one installed with the library.
static int folders(Arena *a, const char *out[2]) {
    int n = 0;
    const char *own = env_get("SCULPT_DEVICES");
    Dl_info self;
    if (own) out[n++] = own;
    if (dladdr((void *)embedded_devices, &self) && self.dli_fname && strchr(self.dli_fname, '/')) {
        size_t len = (size_t)(strrchr(self.dli_fname, '/') - self.dli_fname);
        out[n++] = arena_printf(a, "%.*s/../share/sculpt/devices", (int)len, self.dli_fname);
    }
    return n;
}

static const EmbeddedFile *embedded(const char *name) {
    for (const EmbeddedFile *f = embedded_devices; f->name; f++)
        if (strlen(f->name) == strlen(name) + 4 && !strncasecmp(f->name, name, strlen(name))) return f;
    return NULL;
}

static Machine *read_path(Arena *a, const char *path, const char **why) {
    const char *text = file_read(a, path, NULL);
    if (!text) return *why = arena_printf(a, "cannot read %s", path), NULL;
    return machine_read(a, path, text, why);
}

static Machine *by_name(Arena *a, const char *name, const char **why) {
    const char *folder[2];
    int n = folders(a, folder);
    for (int i = 0; i < n && !strchr(name, '/'); i++) {
        const char *path = arena_printf(a, "%s/%s.dev", folder[i], name), *text = file_read(a, path, NULL);
        if (text) return machine_read(a, path, text, why);
    }
    const EmbeddedFile *f = embedded(name);
    if (f) return machine_read(a, arena_printf(a, "built in: %s", f->name), f->text, why);
    return *why = arena_printf(a, "no machine is called '%s'", name), NULL;
}

static bool is_family(const char *name) { return str_has_prefix(name, "sm_"); }

// The file whose `match` is the longest part of what the driver calls the device.
static Machine *by_driver_name(Arena *a, const char *driver) {
    const char **names = machine_names(a), *why;
    Machine *best = NULL;
    for (; *names; names++) {
        Machine *m = is_family(*names) ? NULL : by_name(a, *names, &why);
        if (m && m->match && strcasestr(driver, m->match) &&
            (!best || strlen(m->match) > strlen(best->match)))
            best = m;
    }
    return best;
}

Machine *machine_find(Arena *a, const char *name, const char **why) {
    if (str_has_suffix(name, ".dev")) return read_path(a, name, why);
    Machine *m = by_name(a, name, why);
    if (m || embedded(name) || !*name) return m;
    m = by_driver_name(a, name);
    if (m) return m;
    Text t = text_new(a);
    for (const char **n = machine_names(a); *n; n++)
        if (!is_family(*n)) text_printf(&t, "%s%s", t.n ? ", " : "", *n);
    return *why = arena_printf(a, "no machine is called '%s'%s; known are %s", name,
                               word_meant(a, name, machine_names(a)), text_str(&t)),
           NULL;
}

static void add(Arena *a, const char ***list, int *n, int *cap, const char *file) {
    const char *name = arena_strndup(a, file, strlen(file) - 4);
    for (int i = 0; i < *n; i++)
        if (!strcasecmp((*list)[i], name)) return;
    if (*n + 1 >= *cap) *list = vec_grow_(a, *list, *n, cap, sizeof **list);
    (*list)[(*n)++] = name;
    (*list)[*n] = NULL;
}

const char **machine_names(Arena *a) {
    const char *folder[2];
    int count = folders(a, folder), n = 0, cap = 64;
    const char **list = NEW_N(a, const char *, cap);
    for (int i = 0; i < count; i++) {
        DIR *d = opendir(folder[i]);
        for (struct dirent *e; d && (e = readdir(d));)
            if (str_has_suffix(e->d_name, ".dev")) add(a, &list, &n, &cap, e->d_name);
        if (d) closedir(d);
    }
    for (const EmbeddedFile *f = embedded_devices; f->name; f++) add(a, &list, &n, &cap, f->name);
    return list;
}

// ---- a device that is there ------------------------------------------------------------------
// The family of a capability, or the nearest below it.
static Machine *family(Arena *a, int compute) {
    const char *why;
    for (int c = compute; c >= 13; c--) {
        Machine *m =
            embedded(arena_printf(a, "sm_%d", c)) ? by_name(a, arena_printf(a, "sm_%d", c), &why) : NULL;
        if (m) return m;
    }
    return NULL;
}

static void put(int64_t *field, int64_t seen) {
    if (seen > 0) *field = seen;
}

Machine *machine_of(Arena *a, const MachineSeen *s) {
    const char *why;
    bool gpu = !str_eq(s->kind, "cpu");
    Machine *m = s->name ? by_driver_name(a, s->name) : NULL;
    if (m && s->compute && m->compute != s->compute) m = NULL;
    bool known = m != NULL;
    if (!m && s->compute) m = family(a, s->compute);
    if (!m) m = by_name(a, gpu && s->warp > 1 ? "Radeon" : "CPU", &why);
    if (!m) return NULL;
    if (!known) m->match = NULL, m->copy = m->read = m->write = m->fma = 0;
    m->name = s->name ? s->name : m->name;
    if (s->compute) m->compute = s->compute;
    put(&m->sms, s->sms);
    put(&m->max_threads, s->max_threads);
    put(&m->shared_block, s->shared);
    put(&m->shared_optin, s->shared_optin);
    put(&m->memory, s->memory);
    put(&m->l2, s->l2);
    put(&m->registers_sm, s->registers_sm);
    put(&m->shared_sm, s->shared_sm);
    put(&m->shared_reserved, s->shared_reserved);
    put(&m->max_blocks_sm, s->blocks_sm);
    if (s->warp > 0 && s->warp <= 64) m->warp = s->warp;
    if (s->threads_sm > 0) m->max_warps_sm = s->threads_sm / m->warp;
    if (s->clock_khz > 0 && (!known || m->clock <= 0)) m->clock = (double)s->clock_khz * 1e-3;
    return m;
}
