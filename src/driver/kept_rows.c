// SPDX-License-Identifier: MIT
// kept_rows.c -- what was measured and kept: rows of `bench notes` (bench/results/notes-*.json), tries of
// products (sgemm-*.json).
#include "bench/notes.h"
#include "bench/prices.h"
#include <jansson.h>
#include <stdio.h>

static const char *text_of(Arena *a, const json_t *row, const char *key) {
    const char *s = json_string_value(json_object_get(row, key));
    return s ? arena_strdup(a, s) : NULL;
}

static NoteTime row_of(Arena *a, json_t *row) {
    NoteTime t = {.topic = text_of(a, row, "topic"),
                  .row = text_of(a, row, "row"),
                  .device = text_of(a, row, "device"),
                  .date = text_of(a, row, "date"),
                  .text = text_of(a, row, "text"),
                  .why = text_of(a, row, "why")};
    const json_t *seconds = json_object_get(row, "measured_s");
    const char *name;
    json_t *registers;
    t.seconds = json_is_number(seconds) ? json_number_value(seconds) : -1;
    json_object_foreach(json_object_get(row, "registers"), name, registers)
        vec_push(a, &t.kernels, ((NoteKernel){arena_strdup(a, name), (int)json_integer_value(registers)}));
    return t;
}

// Calls take(out, row) with each line of the file. False after a message.
static bool read_rows(Bench *b, const char *file, void (*take)(Arena *a, void *out, json_t *row), void *out) {
    json_error_t e;
    FILE *f = fopen(file, "r");
    if (!f) return fprintf(stderr, "bench: cannot read %s\n", file), false;
    for (json_t *row; (row = json_loadf(f, JSON_DISABLE_EOF_CHECK, &e)); json_decref(row))
        take(b->a, out, row);
    bool end = feof(f);
    fclose(f);
    return end || (fprintf(stderr, "bench: %s:%d: %s\n", file, e.line, e.text), false);
}

static void take_note(Arena *a, void *out, json_t *row) { vec_push(a, (NoteTimes *)out, row_of(a, row)); }

bool kept_notes(Bench *b, NoteTimes *out) { return read_rows(b, b->against, take_note, out); }

// ---- tries -----------------------------------------------------------------------------------------
static int64_t product_of(const json_t *list, int64_t each[3]) {
    int64_t all = 1;
    for (size_t d = 0; d < 3; d++) all *= each[d] = json_integer_value(json_array_get(list, d));
    return all;
}

static void take_try(Arena *a, void *out, json_t *row) {
    const char *kind = json_string_value(json_object_get(row, "kind"));
    const json_t *seconds = json_object_get(row, "kernel_s"), *x;
    size_t i;
    if (!str_eq(kind, "try")) return;
    KeptTry t = {.source = text_of(a, row, "source"),
                 .size = text_of(a, row, "size"),
                 .variant = text_of(a, row, "variant"),
                 .device = text_of(a, row, "device"),
                 .seconds = json_is_number(seconds) ? json_number_value(seconds) : -1};
    json_array_foreach(json_object_get(row, "kernels"), i, x) {
        KeptKernel k = {.shared = json_integer_value(json_object_get(x, "shared"))};
        int64_t block[3];
        product_of(json_object_get(x, "grid"), k.grid);
        k.threads = product_of(json_object_get(x, "block"), block);
        vec_push(a, &t.kernels, k);
    }
    vec_push(a, (KeptTries *)out, t);
}

bool kept_tries(Bench *b, KeptTries *out) {
    bool ok = b->from.n || (fprintf(stderr, "bench: prices need --from FILE with kept tries\n"), false);
    for (int i = 0; ok && i < b->from.n; i++) ok = read_rows(b, b->from.at[i], take_try, out);
    return ok;
}
