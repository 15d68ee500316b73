// SPDX-License-Identifier: MIT
// kept_notes.c -- rows of `bench notes` as they were kept (bench/results/notes-*.json): what was measured of them.
#include "bench/notes.h"
#include <jansson.h>
#include <stdio.h>

static const char *text_of(Arena *a, const json_t *row, const char *key) {
    const char *s = json_string_value(json_object_get(row, key));
    return s ? arena_strdup(a, s) : NULL;
}

static NoteTime row_of(Arena *a, json_t *row) {
    NoteTime t = {.topic = text_of(a, row, "topic"), .row = text_of(a, row, "row"), .device = text_of(a, row, "device"), .date = text_of(a, row, "date"),
                  .text = text_of(a, row, "text"), .why = text_of(a, row, "why")};
    const json_t *seconds = json_object_get(row, "measured_s");
    const char *name;
    json_t *registers;
    t.seconds = json_is_number(seconds) ? json_number_value(seconds) : -1;
    json_object_foreach(json_object_get(row, "registers"), name, registers)
        vec_push(a, &t.kernels, ((NoteKernel){arena_strdup(a, name), (int)json_integer_value(registers)}));
    return t;
}

bool kept_notes(Bench *b, NoteTimes *out) {
    json_error_t e;
    FILE *f = fopen(b->against, "r");
    if (!f) return fprintf(stderr, "bench: cannot read %s\n", b->against), false;
    for (json_t *row; (row = json_loadf(f, JSON_DISABLE_EOF_CHECK, &e)); json_decref(row)) vec_push(b->a, out, row_of(b->a, row));
    bool end = feof(f);
    fclose(f);
    return end || (fprintf(stderr, "bench: %s:%d: %s\n", b->against, e.line, e.text), false);
}
