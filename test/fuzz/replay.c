// SPDX-License-Identifier: MIT
// replay.c -- runs the fuzzer's check over texts: replay FILE|FOLDER...
#include "base/base.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// How many texts were replayed; -1 when a file can't be read.
static int replay_file(const char *path) {
    Arena *a = arena_new();
    size_t size = 0;
    char *text = file_read(a, path, &size);
    if (text) LLVMFuzzerTestOneInput((const uint8_t *)text, size);
    else fprintf(stderr, "%s: %s\n", path, strerror(errno));
    arena_free(a);
    return text ? 1 : -1;
}

static int replay(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return replay_file(path);
    int n = 0;
    for (struct dirent *e; n >= 0 && (e = readdir(dir));) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        if (e->d_name[0] == '.') continue;
        n = replay_file(file) < 0 ? -1 : n + 1;
    }
    closedir(dir);
    return n;
}

int main(int argc, char **argv) {
    int total = 0;
    for (int k = 1; k < argc; k++) {
        int n = replay(argv[k]);
        if (n < 0) return 1;
        total += n;
    }
    printf("%d texts replayed\n", total);
    return total == 0;
}
