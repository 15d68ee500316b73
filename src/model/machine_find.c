// SPDX-License-Identifier: MIT
// machine_find.c -- which file describes a machine: by name, by what its driver says, by family.
#include "model/embedded.h"
#include "model/machine.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Folders that hold files: the user's, then the one installed with the library.
typedef struct Folders {
    int n;
    const char *at[2];
} Folders;

static Folders folders(Arena *a) {
    Folders f = {0};
    const char *own = env_get("SCULPT_DEVICES"), *self = path_self(a),
               *end = self ? strrchr(self, '/') : NULL;
    if (own) f.at[f.n++] = own;
    if (end) f.at[f.n] = arena_printf(a, "%.*s/../share/sculpt/devices", (int)(end - self), self);
    f.n += end && !access(f.at[f.n], X_OK);
    return f;
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

// The file of that name; *at: where it is.
static const char *text_of(Arena *a, const Folders *f, const char *name, const char **at) {
    for (int i = 0; i < f->n && !strchr(name, '/'); i++) {
        const char *text = file_read(a, *at = arena_printf(a, "%s/%s.dev", f->at[i], name), NULL);
        if (text) return text;
    }
    const EmbeddedFile *e = embedded(name);
    if (e) *at = arena_printf(a, "built in: %s", e->name);
    return e ? e->text : NULL;
}

static Machine *by_name(Arena *a, const char *name, const char **why) {
    Folders f = folders(a);
    const char *at, *text = text_of(a, &f, name, &at);
    if (text) return machine_read(a, at, text, why);
    return *why = arena_printf(a, "no machine is called '%s'", name), NULL;
}

static void add(Arena *a, const char ***list, int *n, int *cap, const char *file) {
    const char *name = arena_strndup(a, file, strlen(file) - 4);
    for (int i = 0; i < *n; i++)
        if (!strcasecmp((*list)[i], name)) return;
    if (*n + 1 >= *cap) *list = vec_grow_(a, *list, *n, cap, sizeof **list);
    (*list)[(*n)++] = name;
    (*list)[*n] = NULL;
}

static const char **names_in(Arena *a, const Folders *f) {
    int n = 0, cap = 64;
    const char **list = NEW_N(a, const char *, cap);
    for (int i = 0; i < f->n; i++) {
        DIR *d = opendir(f->at[i]);
        for (struct dirent *e; d && (e = readdir(d));)
            if (str_has_suffix(e->d_name, ".dev")) add(a, &list, &n, &cap, e->d_name);
        if (d) closedir(d);
    }
    for (const EmbeddedFile *e = embedded_devices; e->name; e++) add(a, &list, &n, &cap, e->name);
    return list;
}

const char **machine_names(Arena *a) {
    Folders f = folders(a);
    return names_in(a, &f);
}

static bool is_family(const char *name) { return str_has_prefix(name, "sm_"); }

// What a file says its machine's driver calls it; NULL: nothing.
static const char *match_of(Arena *a, const char *text) {
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        text += strspn(text, " \t");
        if (strncmp(text, "match", 5) || !strchr(" \t", text[5])) continue;
        const char *value = text + 5 + strspn(text + 5, " \t");
        size_t n = strcspn(value, "#\n");
        while (n && strchr(" \t\r", value[n - 1])) n--;
        return n ? arena_strndup(a, value, n) : NULL;
    }
    return NULL;
}

// Does the name have the words? "H2000" is no H200.
static bool has_words(const char *name, const char *words) {
    size_t n = strlen(words);
    for (const char *at = name; (at = strcasestr(at, words)); at++)
        if ((at == name || !isalnum((unsigned char)at[-1])) && !isdigit((unsigned char)at[n])) return true;
    return false;
}

// The file whose `match` is the longest part of what the driver calls the device. Only those that may be it
// are read as a whole.
static Machine *by_driver_name(Arena *a, const char *driver) {
    Folders f = folders(a);
    const char **names = names_in(a, &f), *why, *at;
    Machine *best = NULL;
    for (; *names; names++) {
        const char *text = is_family(*names) ? NULL : text_of(a, &f, *names, &at);
        const char *match = text ? match_of(a, text) : NULL;
        if (!match || !has_words(driver, match) || (best && strlen(match) <= strlen(best->match))) continue;
        Machine *m = machine_read(a, at, text, &why);
        if (m) best = m;
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
    if (s->dram > 0 && (!known || m->dram <= 0)) m->dram = s->dram;
    if (s->clock_khz > 0 && (!known || m->clock <= 0)) m->clock = (double)s->clock_khz * 1e-3;
    return m;
}
