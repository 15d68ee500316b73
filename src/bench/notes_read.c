// SPDX-License-Identifier: MIT
// notes_read.c -- bench/notes/*.nest: topics, rows, nests one by one.
#include "bench/notes.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word_after(Arena *a, const char *line, const char *head, size_t n) {
    size_t skip = strlen(head);
    return n >= skip && !strncmp(line, head, skip) ? arena_strndup(a, line + skip, n - skip) : NULL;
}

static bool read_row(Arena *a, Note *n, char *text) {
    char *nest = strstr(text, "; nest "), *end = "";
    if (!nest) return false;
    *nest = 0;
    NoteRow r = {.name = text, .nest = (int)strtol(nest + 7, &end, 10)};
    if (*end != ';') return false;
    char *settings = end + 1, *calls = strchr(settings, ';');
    if (calls && sscanf(calls + 1, " calls %d looks %d", &r.calls, &r.looks) != 2) return false;
    if (calls) *calls = 0;
    r.settings = settings;
    vec_push(a, &n->rows, r);
    return true;
}

// "nest …" blocks one by one.
static void split_nests(Arena *a, const char *text, Texts *out) {
    while (text && *text) {
        const char *next = strstr(text + 1, "\nnest ");
        vec_push(a, out, next ? arena_strndup(a, text, (size_t)(next + 1 - text)) : text);
        text = next ? next + 1 : NULL;
    }
}

const char *note_read(Bench *b, const char *path, Note *n) {
    const char *text = file_read(b->a, path, NULL), *nests = NULL;
    if (!text) return arena_printf(b->a, "cannot read %s", path);
    *n = (Note){.file = path, .topic = path};
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        const char *topic = word_after(b->a, line, "//topic ", len),
                   *row = word_after(b->a, line, "//row ", len);
        if (topic) n->topic = topic;
        if (row && !read_row(b->a, n, (char *)row))
            return arena_printf(b->a, "%s: '%s' is no row", path, row);
        line += len + (line[len] == '\n');
    }
    n->region = bench_split(b->a, text, &nests);
    split_nests(b->a, nests, &n->nests);
    for (int i = 0; i < n->rows.n; i++)
        if (n->rows.at[i].nest < 0 || n->rows.at[i].nest >= n->nests.n)
            return arena_printf(b->a, "%s: there is no nest %d", path, n->rows.at[i].nest);
    return n->region ? NULL : arena_printf(b->a, "%s: it has no region", path);
}

static int by_name(const void *x, const void *y) {
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

void notes_find(Bench *b, Texts *out) {
    DIR *d = opendir(bench_file(b, "bench/notes"));
    for (struct dirent *e; d && (e = readdir(d));)
        if (str_has_suffix(e->d_name, ".nest")) vec_push(b->a, out, arena_strdup(b->a, e->d_name));
    if (d) closedir(d);
    if (out->n) qsort(out->at, (size_t)out->n, sizeof *out->at, by_name);
}

const char *note_text(Arena *a, const Note *n, const NoteRow *r) {
    const char *nest = n->nests.at[r->nest],
               *all = arena_printf(a, "%s%s%s; %d %d", n->region, nest, r->settings, r->calls, r->looks);
    return arena_printf(a, "%08llx", (unsigned long long)hash_bytes(all, strlen(all), 0) >> 32);
}
