// SPDX-License-Identifier: MIT
// words.c -- the words of a command line that say how a kernel is launched.
//
//   --kernel 'tiled<16>' --grid 8,8 --block 16,16 --shared 1024 --arg n=128 --arg a=128*128
//   --global 128,128 --local 16,16      the same in OpenCL's words: elements in all, and in a group
#include "kernel/kernel.h"
#include <stdlib.h>
#include <string.h>

typedef VEC(KernelArg) KernelArgs;

// "--name=value" or "--name value": the words used, 0 for none, -1: no value.
static int valued(const char *name, int i, int argc, char **argv, const char **out) {
    size_t n = strlen(name);
    if (strncmp(argv[i], name, n) != 0) return 0;
    if (argv[i][n] == '=') return *out = argv[i] + n + 1, 1;
    if (argv[i][n]) return 0;
    return i + 1 < argc ? (*out = argv[i + 1], 2) : -1;
}

static bool read_sizes(const char *s, int64_t out[3]) {
    for (int d = 0; d < 3; d++) out[d] = 1;
    for (int d = 0; d < 3; d++) {
        char *end;
        out[d] = strtoll(s, &end, 10);
        if (end == s || out[d] < 1) return false;
        if (!*end) return true;
        if (*end != ',' && *end != 'x') return false;
        s = end + 1;
    }
    return false;
}

static bool read_bytes(const char *s, int64_t *out) {
    char *end;
    *out = strtoll(s, &end, 10);
    return end != s && !*end && *out >= 0;
}

// --grid "(n+15)/16,4": numbers and expressions.
static bool read_grid(Arena *a, char *s, KernelLaunch *l) {
    for (int d = 0; d < 3; d++) l->grid[d] = 1, l->grid_of[d] = NULL;
    for (int d = 0; d < 3; d++) {
        char *end, *at = s;
        for (int depth = 0; *at && (*at != ',' || depth); at++) depth += (*at == '(') - (*at == ')');
        bool last = !*at;
        *at = 0;
        l->grid[d] = strtoll(s, &end, 10);
        if (end == s || *end) l->grid[d] = 2, l->grid_of[d] = arena_strdup(a, s);
        if (l->grid[d] < 1 || !*s) return false;
        if (last) return true;
        s = at + 1;
    }
    return false;
}

// n=1024, a=1.5, x=64*64
static bool read_arg(Arena *a, const char *s, KernelArg *out) {
    const char *eq = strchr(s, '=');
    if (!eq || eq == s) return false;
    char *end;
    *out = (KernelArg){arena_strndup(a, s, (size_t)(eq - s)), strtod(eq + 1, &end),
                       strpbrk(eq + 1, ".e") != NULL};
    if (end == eq + 1) return false;
    while (*end == '*' || *end == 'x') {
        const char *at = end + 1;
        out->value *= strtod(at, &end);
        if (end == at) return false;
    }
    return !*end || str_eq(end, "f");
}

bool front_kernel_words(Arena *a, int argc, char **argv, KernelWords *o, const char **why) {
    *o = (KernelWords){.launch.shared = -1};
    KernelArgs args = {0};
    int64_t global[3];
    bool has_global = false;
    o->rest = NEW_N(a, char *, argc + 1);
    for (int i = 0; i < argc; i++) {
        const char *value = NULL, *words[] = {"--grid", "--block", "--kernel", "--arg", "--shared",
            "--global", "--local"};
        int which = 0, used = 0;
        for (; which < 7 && !used; which++) used = valued(words[which], i, argc, argv, &value);
        if (used < 0) return *why = arena_printf(a, "%s needs a value", argv[i]), false;
        if (!used) {
            o->rest[o->nrest++] = argv[i];
            continue;
        }
        KernelArg arg;
        bool ok = true;
        switch (which - 1) {
        case 0:
            ok = read_sizes(value, o->launch.grid) || read_grid(a, arena_strdup(a, value), &o->launch);
            o->launch.has_grid = ok;
            break;
        case 1: ok = o->launch.has_block = read_sizes(value, o->launch.block); break;
        case 2: o->launch.kernel = value; break;
        case 3:
            if ((ok = read_arg(a, value, &arg))) vec_push(a, &args, arg);
            break;
        case 4: ok = read_bytes(value, &o->launch.shared); break;
        case 5: ok = has_global = read_sizes(value, global); break;
        default: ok = o->launch.has_block = read_sizes(value, o->launch.block);
        }
        if (!ok) return *why = arena_printf(a, "'%s %s' can't be read", words[which - 1], value), false;
        i += used - 1;
    }
    for (int d = 0; has_global && d < 3; d++) {
        int64_t own = o->launch.has_block ? o->launch.block[d] : 0;
        if (!own) return *why = "--global needs --local", false;
        if (global[d] % own)
            return *why = arena_printf(a, "--global %lld is no multiple of --local %lld",
                                       (long long)global[d], (long long)own),
                   false;
        o->launch.grid[d] = global[d] / own;
        o->launch.has_grid = true;
    }
    o->launch.nargs = args.n;
    o->launch.args = args.at;
    return true;
}

