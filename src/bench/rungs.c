// SPDX-License-Identifier: MIT
// rungs.c -- reads a ladder; the syntax is in rungs.h.
#include "bench/rungs.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *trim(Arena *a, const char *s, size_t n) {
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    return arena_strndup(a, s, n);
}

static bool attribute(Arena *a, Rung *r, const char *text) {
    size_t n = strcspn(text, " \t");
    const char *word = arena_strndup(a, text, n), *value = trim(a, text + n, strlen(text + n));
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"source", &r->source}, {"recipe", &r->recipe}, {"let", &r->let}, {"steps",
        &r->steps}, {"set", &r->set},
                 {"n", &r->sizes}, {"permit", &r->permit}, {"machine", &r->machine}, {"note", &r->note},
                 {"against", &r->against}, {"group", &r->group}, {"memory", &r->memory}, {"here", &r->here}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (str_eq(texts[i].name, word)) return *texts[i].to = value, *value != 0;
    if (str_eq(word, "host")) return r->host = atof(value), r->host > 0;
    if (str_eq(word, "kernel")) return r->kernel = atof(value), r->kernel > 0;
    if (str_eq(word, "ratio")) return r->ratio = atof(value), r->ratio > 0;
    if (str_eq(word, "target")) return r->cpu = str_eq(value, "cpu"), r->cpu || str_eq(value, "gpu");
    if (str_eq(word, "automatic")) return r->travels = str_eq(value, "travels"), r->automatic = true;
    if (str_eq(word, "one-by-one")) return r->one_by_one = true;
    if (str_eq(word, "patterns")) return r->patterns = true;
    if (str_eq(word, "library")) return r->library = true;
    if (str_eq(word, "base")) return r->base = true;
    return false;
}

// One line: its parts between ';'. The first word says what it is.
static bool read_line(Bench *b, Ladder *l, Rung *standard, const char *line, int number) {
    Arena *a = b->a;
    Rung own = *standard, *r = &own;
    bool first = true, rung = str_has_prefix(line, "rung "), ladder = str_has_prefix(line, "ladder ");
    if (!rung && !ladder && !str_has_prefix(line, "default ")) return false;
    if (!rung) r = standard;
    for (const char *s = line + strcspn(line, " "); *s;) {
        size_t n = strcspn(s, ";");
        const char *part = trim(a, s, n);
        s += n + (s[n] == ';');
        if (first && rung) r->name = part;
        else if (first && ladder) l->name = part;
        else if (ladder && str_has_prefix(part, "title ")) l->title = part + 6;
        else if (*part && !attribute(a, r, part))
            return fprintf(stderr, "bench: %s:%d: %s\n", l->file, number, part), false;
        first = false;
    }
    r->line = number;
    if (rung) vec_push(a, &l->rungs, own);
    return true;
}

Ladder *ladder_read(Bench *b, const char *name) {
    Ladder *l = NEW(b->a, Ladder);
    l->file = strchr(name, '/') ? name : bench_file(b, "bench/ladders/%s.ladder", name);
    l->name = name;
    const char *text = file_read(b->a, l->file, NULL);
    if (!text) return fprintf(stderr, "bench: there is no ladder %s\n", l->file), NULL;
    Rung standard = {.source = "bench/gemm/nn", .sizes = "4096"};
    int number = 0;
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        const char *line = trim(b->a, s, n);
        number++;
        s += n + (s[n] == '\n');
        if (!*line || *line == '#') continue;
        if (!read_line(b, l, &standard, line, number))
            return fprintf(stderr, "bench: %s:%d: this is no line of a ladder\n", l->file, number), NULL;
    }
    return l;
}
