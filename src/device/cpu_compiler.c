// SPDX-License-Identifier: MIT
// cpu_compiler.c -- finds and runs the system's C compiler.
#include "device/cpu_compiler.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// Contraction is off because the text says fma where it means it; errno is not read.
static const char common[] =
    "-O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-strict-aliasing -fPIC -shared -w -x c";
// Tried in turn: not every compiler has OpenMP's library or knows this processor. gcc 12 makes wrong code of
// loads under a condition where it tunes for AMD's Zen 3, which it takes to gather eight floats well:
//
//     for (k = 0; k < 16; k++) if (k < n) s[k][j] = c[j * pitch + k];   -O3 -march=znver3: nothing is stored
static const char *const extras[] = {"-march=native -fopenmp -mtune-ctrl=^use_gather",
                                     "-march=native -fopenmp", "-march=native", "-fopenmp", ""};

// gcc 12 makes one instruction of a*c - b*s beside a*s + b*c for all that contraction is off, wherever the
// processor has one for alternating lanes; AVX-512 has one of its own. A text that names no fma has no use
// for any, and one without floating-point numbers none for leaving it out.
#ifdef __x86_64__
static const char unfused[] = "-mno-fma -mno-fma4 -mno-avx512f";
#else
static const char unfused[] = "";
#endif

CpuCompiler *cpu_compiler_find(Arena *a) {
    const char *chosen = env_get("SCULPT_HOST_CC"), *const names[] = {chosen ? chosen : "cc", "gcc", "clang"};
    for (int i = 0; i < (chosen ? 1 : 3); i++) {
        CpuCompiler *k = NEW(a, CpuCompiler);
        words_split(a, &k->command, names[i], strlen(names[i]));
        if (k->command.n == 0) continue;
        char *word = k->command.at[0];
        k->path = strchr(word, '/') ? realpath(word, NULL) : path_find(a, env_path(), word);
        if (!k->path) continue;
        if (strchr(word, '/')) arena_own(a, k->path, free);
        if (access(k->path, X_OK) == 0) return k;
    }
    return NULL;
}

char *cpu_compiler_identity(Arena *a, const CpuCompiler *k) {
    return arena_printf(a, "%s; %s %s %s %s", path_identity(a, k->path), words_join(a, &k->command), common,
                        extras[0], unfused);
}

// The value of "KEY : value" in a block of /proc/cpuinfo; NULL: no such line.
static char *cpuinfo_value(Arena *a, const char *block, const char *key) {
    for (const char *s = block; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) {
        if (!str_has_prefix(s, key)) continue;
        const char *v = s + strlen(key);
        v += strspn(v, " \t");
        if (*v++ != ':') continue;
        v += strspn(v, " \t");
        return arena_strndup(a, v, strcspn(v, "\n"));
    }
    return NULL;
}

// Reads the first processor's lines only: the whole file takes milliseconds on large machines.
void cpu_model(Arena *a, char **name, char **identity) {
    static const char *const keys[] = {"model name", "cpu family",  "model",    "stepping",
                                       "flags",      "Features",    "CPU part", "CPU implementer",
                                       "CPU variant", "isa",        "cpu"};
    char block[8192];
    int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, block, sizeof block - 1);
    if (fd >= 0) close(fd);
    block[n < 0 ? 0 : n] = 0;
    char *end = strstr(block, "\n\n");
    if (end) end[1] = 0;
    struct utsname u;
    if (uname(&u)) memset(&u, 0, sizeof u);
    uint64_t hash = hash_bytes(u.machine, strlen(u.machine), 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *v = cpuinfo_value(a, block, keys[i]);
        if (v) hash = hash_bytes(v, strlen(v), hash);
    }
    char *model = cpuinfo_value(a, block, "model name");
    if (!model) model = cpuinfo_value(a, block, "cpu");
    *name = model ? model : arena_printf(a, "%s processor", u.machine);
    *identity = arena_printf(a, "%s %016llx", *name, (unsigned long long)hash);
}

// One run of the compiler with one set of extra options.
static bool attempt(Arena *a, const CpuCompiler *k, const Words *asked, const char *extra,
        const atomic_bool *stop,
                    const char *in, const char *out, char **log) {
    Words w = {0};
    for (int i = 0; i < k->command.n; i++) vec_push(a, &w, k->command.at[i]);
    words_split(a, &w, extra, strlen(extra));
    words_split(a, &w, common, sizeof common - 1);
    for (int i = 0; i < asked->n; i++) vec_push(a, &w, asked->at[i]);
    vec_push(a, &w, arena_strdup(a, in));
    vec_push(a, &w, arena_strdup(a, "-o"));
    vec_push(a, &w, arena_strdup(a, out));
    vec_push(a, &w, arena_strdup(a, "-lm"));
    vec_push(a, &w, NULL);
    char *said = NULL, *errors = NULL;
    int status = process_run_until(a, w.at, &said, &errors, stop);
    *log = arena_printf(a, "%s%s", errors ? errors : "", said ? said : "");
    bool made = status == 0 && faccessat(AT_FDCWD, out, R_OK, AT_EACCESS) == 0;
    if (made || **log) return made;
    if (status == 127) *log = arena_printf(a, "%s could not be run", k->path);
    else if (status > 128) *log = arena_printf(a, "killed by signal %d", status - 128);
    else *log = arena_printf(a, status ? "it ended with status %d" : "it made no file", status);
    return false;
}

// The log of the last attempt is kept: what is left there is the text's own fault.
static bool attempt_all(Arena *a, const CpuCompiler *k, const char *source, const atomic_bool *stop,
        const char *in,
                        const char *out, char **log) {
    Words asked = {0};
    words_of_source(a, &asked, source);
    bool fuses = strstr(source, "__builtin_fma") || strstr(source, "__builtin_ia32_vfm");
    bool floats = strstr(source, "float") || strstr(source, "double");
    if (floats && !fuses) words_split(a, &asked, unfused, sizeof unfused - 1);
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
        if (!(stop && atomic_load(stop)) && attempt(a, k, &asked, extras[i], stop, in, out, log)) return true;
    return false;
}

// In a folder of its own.
static bool compile_in(Arena *a, const CpuCompiler *k, const char *folder, const char *source,
        const atomic_bool *stop,
                       void **image, size_t *size, char **log) {
    char *in = arena_printf(a, "%s/kernel.c", folder), *out = arena_printf(a, "%s/kernel.so", folder);
    if (!file_write(in, source, strlen(source)))
        return *log = arena_printf(a, "%s can't be written: %s", in, strerror(errno)), false;
    if (!attempt_all(a, k, source, stop, in, out, log)) return false;
    *image = file_read(a, out, size);
    if (!*image || !*size) return *log = arena_printf(a, "%s can't be read: %s", out, strerror(errno)), false;
    return true;
}

bool cpu_compile(Arena *a, const CpuCompiler *k, const char *source, const atomic_bool *stop, void **image,
        size_t *size,
                 char **log) {
    Arena *life = arena_new(); // of the folder
    const char *why, *folder = temp_folder(life, &why);
    if (!folder) *log = arena_strdup(a, why);
    bool ok = folder && compile_in(a, k, folder, source, stop, image, size, log);
    arena_free(life);
    return ok;
}
