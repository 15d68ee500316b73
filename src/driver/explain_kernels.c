// SPDX-License-Identifier: MIT
// explain_kernels.c -- `sculpt explain FILE.cu`: each kernel of the file, where none is named.
#include "driver/driver.h"
#include "front/kernel.h"
#include <stdio.h>
#include <string.h>

// What is printed for programs is one document.
static bool is_document(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (str_has_prefix(argv[i], "--json") || str_has_prefix(argv[i], "--html") || str_has_prefix(argv[i], "--sarif") || str_has_prefix(argv[i], "--dump"))
            return true;
    return false;
}

static KernelNames names_of(Arena *a, int argc, char **argv) {
    KernelWords o;
    const char *why = NULL, *file = NULL;
    if (!front_kernel_words(a, argc, argv, &o, &why) || o.launch.kernel) return (KernelNames){0};
    for (int i = 0; i < o.nrest; i++)
        if (o.rest[i][0] != '-' && front_is_kernel_file(o.rest[i])) file = o.rest[i];
    return file ? front_kernel_names(a, file, o.nrest, (const char *const *)o.rest) : (KernelNames){0};
}

int explain_kernels(int argc, char **argv) {
    Arena *a = arena_new();
    KernelNames names = is_document(argc, argv) ? (KernelNames){0} : names_of(a, argc, argv);
    char **words = NEW_N(a, char *, argc + 3);
    int status = 0;
    for (int i = 0; i < argc; i++) words[i] = argv[i];
    words[argc] = "--kernel";
    for (int i = 0; i < names.n && names.n > 1; i++) {
        words[argc + 1] = (char *)names.at[i];
        if (i) putchar('\n');
        int own = explain_kernel(argc + 2, words);
        if (own > status) status = own;
    }
    if (names.n < 2) status = explain_kernel(argc, argv);
    arena_free(a);
    return status;
}
