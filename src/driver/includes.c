// SPDX-License-Identifier: MIT
// includes.c -- marks in included files: their text is not replaced, and that is said; and words in the
// file itself that look like a mark and are none.
//
// Only files that the user's own folders hold are looked at: those of the main file and of
// -I and -iquote.
#include "driver/driver.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 };

typedef struct Search {
    Compile *c;
    const Flags *f;
    Strings seen;    // real paths
    int marked;      // marks found
} Search;

// ---- words of a line ---------------------------------------------------------------------
static bool is_among(const char *const *words, const char *text, size_t b, size_t e) {
    for (; *words; words++)
        if (scan_is(text, b, e, *words)) return true;
    return false;
}

// Does the pragma whose words begin at `at` mark loops?
static bool is_mark(const char *text, size_t past, size_t at) {
    static const char *const acc[] = {"parallel", "kernels", "loop", NULL};
    static const char *const omp[] = {"for", "loop", "distribute", NULL};
    size_t b, e;
    if (!scan_token(text, past, at, &b, &e)) return false;
    if (scan_is(text, b, e, "scop")) return true;
    if (scan_is(text, b, e, "sculpt"))
        return !scan_token(text, past, e, &b, &e) || !scan_is(text, b, e, "data");
    bool is_acc = scan_is(text, b, e, "acc");
    if (!is_acc && !scan_is(text, b, e, "omp")) return false;
    while (scan_token(text, past, e, &b, &e) && text[b] != '(') {
        if (is_among(is_acc ? acc : omp, text, b, e)) return true;
        if (is_acc) return false;
    }
    return false;
}

// ---- files -------------------------------------------------------------------------------
static void look_into(Search *s, const char *path, int depth);

static bool try_folder(Search *s, const char *dir, const char *name, int depth) {
    const char *path = *dir ? arena_printf(s->c->arena, "%s/%s", dir, name) : name;
    char real[PATH_MAX];
    if (!realpath(path, real)) return false;
    for (int i = 0; i < s->seen.n; i++)
        if (str_eq(s->seen.at[i], real)) return true;
    vec_push(s->c->arena, &s->seen, (const char *)arena_strdup(s->c->arena, real));
    look_into(s, path, depth);
    return true;
}

// The folder that an option of the front end names; *i moves past its value.
static const char *folder_option(const Strings *front, int *i) {
    static const char *const names[] = {"-I", "-iquote"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *w = front->at[*i];
        if (!str_has_prefix(w, names[k])) continue;
        if (w[strlen(names[k])]) return w + strlen(names[k]);
        return *i + 1 < front->n ? front->at[++*i] : NULL;
    }
    return NULL;
}

static void follow(Search *s, const char *from, const char *name, bool quoted, int depth) {
    const char *slash = strrchr(from, '/');
    const char *dir = slash ? arena_strndup(s->c->arena, from, (size_t)(slash - from)) : "";
    if (quoted && try_folder(s, dir, name, depth)) return;
    for (int i = 0; i < s->f->front.n; i++) {
        const char *folder = folder_option(&s->f->front, &i);
        if (folder && try_folder(s, folder, name, depth)) return;
    }
}

// #include "name" or <name>, on one line.
static void include(Search *s, const char *path, const char *text, size_t at, size_t past,
                    int depth) {
    size_t b = at + strspn(text + at, " \t");
    bool quoted = text[b] == '"';
    const char *close = b < past ? memchr(text + b + 1, quoted ? '"' : '>', past - b - 1) : NULL;
    if ((!quoted && text[b] != '<') || !close) return;
    const char *name = arena_strndup(s->c->arena, text + b + 1, (size_t)(close - text) - b - 1);
    follow(s, path, name, quoted, depth + 1);
}

static Loc place_of(const Search *s, const char *path, const char *text, size_t at) {
    int col = 1;
    for (size_t i = at; i > 0 && text[i - 1] != '\n'; i--) col++;
    return (Loc){arena_strdup(s->c->arena, path), scan_line(text, at), col};
}

static void note_mark(Search *s, const char *path, const char *text, size_t at) {
    diag(s->c, DIAG_REMARK, SC_SPLICE, place_of(s, path, text, at),
         "marks in included files are not taken, the loops stay on the host; write the function "
         "into a C file");
    s->marked++;
}

// #pragma scuplt
static void note_slip(Search *s, const char *path, const char *text, size_t past, size_t at) {
    static const char *const marks[] = {"sculpt", "scop", "endscop", "omp", "acc", NULL};
    size_t b, e;
    if (!scan_token(text, past, at, &b, &e) || is_among(marks, text, b, e)) return;
    const char *word = arena_strndup(s->c->arena, text + b, e - b), *near = word_nearest(word, marks);
    if (near) diag(s->c, DIAG_WARNING, SC_PRAGMA, place_of(s, path, text, b), "'%s' marks nothing; did you mean '%s'?", word, near);
}

static void look_into(Search *s, const char *path, int depth) {
    size_t size, word[2], past;
    char *text = depth < DEPTH ? file_read(s->c->arena, path, &size) : NULL;
    if (!text || (!strstr(text, "include") && !strstr(text, "pragma"))) return;
    for (size_t at = 0; at < size; at = past) {
        char *hash = memchr(text + at, '#', size - at);
        if (!hash) return;
        at = (size_t)(hash - text);
        past = at + 1;
        if (!scan_directive(text, size, at, word, &past)) continue;
        if (scan_is(text, word[0], word[1], "include")) include(s, path, text, word[1], past, depth);
        bool pragma = scan_is(text, word[0], word[1], "pragma");
        if (pragma && !depth) note_slip(s, path, text, past, word[1]);
        if (pragma && depth && is_mark(text, past, word[1])) note_mark(s, path, text, at);
    }
}

int includes_marked(Compile *c, const char *file, const Flags *f) {
    Search s = {.c = c, .f = f};
    look_into(&s, file, 0);
    return s.marked;
}
