// SPDX-License-Identifier: MIT
// slips.c -- pragmas that mark nothing because a word of theirs is misspelt.
#include "driver/driver.h"
#include "parse/lex.h"
#include <string.h>

typedef struct Words {
    const char *first;          // behind #pragma; NULL: these are the words that stand there
    const char *const *words;
} Words;

static const char *const marks[] = {"sculpt", "scop", "endscop", "omp", "acc", NULL};
static const char *const omp[] = {"parallel", "for", "simd", "target", "teams", "distribute", "loop",
    "atomic", "barrier", "cancel", "cancellation", "critical", "declare", "depobj", "end", "error", "flush",
    "interop", "masked", "master", "metadirective", "nothing", "ordered", "requires", "scan", "scope",
    "section", "sections", "single", "task", "taskgroup", "taskloop", "taskwait", "taskyield",
    "threadprivate", "tile", "unroll", "allocate", "allocators", "assume", "assumes", "dispatch", "begin",
    "fuse", "interchange", "reverse", "split", "stripe", "groupprivate", "taskgraph", "workdistribute", NULL};
static const char *const acc[] = {"parallel", "kernels", "loop", "data", "enter", "exit", "update", "atomic",
    "serial", "host_data", "cache", "declare", "init", "routine", "set", "shutdown", "wait", NULL};
static const Words tables[] = {{NULL, marks}, {"omp", omp}, {"acc", acc}};

static const Words *words_behind(const char *text, size_t b, size_t e) {
    for (size_t i = 1; i < sizeof tables / sizeof *tables; i++)
        if (scan_is(text, b, e, tables[i].first)) return &tables[i];
    return NULL;
}

static bool is_among(const char *const *words, const char *text, size_t b, size_t e) {
    for (; *words; words++)
        if (scan_is(text, b, e, *words)) return true;
    return false;
}

static Loc place_of(const char *file, const char *text, size_t at) {
    int col = 1;
    for (size_t i = at; i > 0 && text[i - 1] != '\n'; i--) col++;
    return (Loc){file, scan_line(text, at), col};
}

// #pragma scuplt, #pragma omp paralel for
// True: something is said.
static bool look_at(Compile *c, const char *file, const FrontUnit *u, const char *text, size_t past,
                    size_t at) {
    const Words *here = &tables[0];
    size_t b, e;
    for (; here && scan_token(text, past, at, &b, &e); at = e) {
        if (is_among(here->words, text, b, e)) {
            here = here == &tables[0] ? words_behind(text, b, e) : NULL;
            continue;
        }
        for (int i = 0; here->first && u && i < u->nmacros; i++) // compilers expand it
            if (scan_is(text, b, e, u->macros[i])) return false;
        const char *word = arena_strndup(c->arena, text + b, e - b), *near = word_nearest(word, here->words);
        if (near)
            diag(c, DIAG_WARNING, SC_PRAGMA, place_of(file, text, b),
                 "'%s' marks nothing; did you mean '%s'?", word, near);
        else if (here->first) // other people's pragmas are theirs
            diag(c, DIAG_WARNING, SC_PRAGMA, place_of(file, text, b),
                 "'%s' marks nothing: it is no directive of %s", word, here->first);
        return near || here->first;
    }
    return false;
}

int slips_note(Compile *c, const char *path, const FrontUnit *u) {
    size_t size, word[2], past;
    char *text = file_read(c->arena, path, &size);
    const char *file = arena_strdup(c->arena, path);
    int n = 0;
    for (size_t at = 0; text && (at = lex_next_directive(text, size, at)) < size; at = past)
        if (scan_directive(text, size, at, word, &past) && scan_is(text, word[0], word[1], "pragma"))
            n += look_at(c, file, u, text, past, word[1]);
    return n;
}
