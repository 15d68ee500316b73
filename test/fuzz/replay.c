// SPDX-License-Identifier: MIT
// replay.c -- runs the fuzzer's check over files: replay FILE...
#include "base/base.h"
#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        Arena *a = arena_new();
        size_t size = 0;
        char *text = file_read(a, argv[k], &size);
        if (!text) {
            fprintf(stderr, "%s: %s\n", argv[k], strerror(errno));
            return 1;
        }
        LLVMFuzzerTestOneInput((const uint8_t *)text, size);
        arena_free(a);
    }
    printf("%d texts replayed\n", argc - 1);
    return 0;
}
