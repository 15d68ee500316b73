// SPDX-License-Identifier: MIT
// words.c -- words of a command line that several verbs take.
#include "driver/driver.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int word_valued(const char *name, int i, int argc, char **argv, const char **out) {
    size_t n = strlen(name);
    if (!str_has_prefix(argv[i], name)) return 0;
    if (argv[i][n] == '=') return *out = argv[i] + n + 1, 1;
    if (argv[i][n]) return 0;
    return i + 1 < argc ? (*out = argv[i + 1], 2) : -1;
}

bool word_is_cpp(const char *path) {
    static const char *const ends[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_has_suffix(path, ends[i])) return true;
    return false;
}

const char *word_line(Arena *a, const char *file, int *line) {
    const char *colon = strrchr(file, ':');
    *line = 0;
    if (!colon || !isdigit((unsigned char)colon[1]) || access(file, F_OK) == 0) return file;
    char *end;
    long n = strtol(colon + 1, &end, 10);
    if (*end || n < 1 || n > 1000000000) return file;
    *line = (int)n;
    return arena_strndup(a, file, (size_t)(colon - file));
}

const char *word_place(Arena *a, const char *word, int *line) {
    const char *file = word_line(a, word, line), *colon = strrchr(word, ':');
    if (*line || !colon || access(word, F_OK) == 0) return file;
    size_t size = 0;
    const char *before = arena_strndup(a, word, (size_t)(colon - word)), *text = file_read(a, before, &size);
    *line = text ? scan_function(text, size, colon + 1) : 0;
    return *line ? before : file;
}
