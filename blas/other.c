// SPDX-License-Identifier: MIT
// other.c -- another BLAS, for what is small or not ours, and from which work on a call is ours.
#include "entry.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

// SCULPT_CPU_BLAS names it ("none": there is none), else the first of these that is here. What it calls
// itself, xerbla_ above all, it finds in the program first, as if it were the program's only BLAS.
static const char *const usual[] = {
    "libopenblas.so.0",
    "libblis.so.4",
    "libmkl_rt.so.2",
    "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
    "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3",
    "/usr/lib64/libblas.so.3",
};
static void *library;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

// Not this one under another name.
static void *open_other(const char *path) {
    void *l = dlopen(path, RTLD_NOW | RTLD_LOCAL), *entry = l ? dlsym(l, "blas_pack") : NULL;
    return entry ? NULL : l;
}

static void open_library(void) {
    const char *named = secure_getenv("SCULPT_CPU_BLAS");
    if (named && !strcmp(named, "none")) return;
    if (named && *named) {
        library = open_other(named);
        if (!library) fprintf(stderr, "sculpt's BLAS: SCULPT_CPU_BLAS: %s cannot be used\n", named);
        return;
    }
    for (size_t i = 0; !library && i < sizeof usual / sizeof *usual; i++) library = open_other(usual[i]);
}

static void *find(const char *routine, void **cpu) {
    void *f = __atomic_load_n(cpu, __ATOMIC_ACQUIRE);
    if (f) return f;
    pthread_once(&opened, open_library);
    f = library ? dlsym(library, routine) : NULL;
    __atomic_store_n(cpu, f, __ATOMIC_RELEASE);
    return f;
}

void *blas_cpu(const char *routine, void **cpu) {
    void *f = find(routine, cpu);
    if (!f) blas_end_program("complex routines need another BLAS, which SCULPT_CPU_BLAS may name: ", routine);
    return f;
}

// ---- from which work on ----------------------------------------------------------------------------
// Operations from which on a call is ours: SCULPT_BLAS_CROSSOVER; else what was measured on this host with
// this setting of device and other BLAS (bench/crossover.c); else USUAL. A line of the file:
//   HOST DEVICE OTHER ROUTINE OPERATIONS        - where nothing is set
// A routine that was not measured itself goes by the one of its level and precision.
enum { ROWS_MOST = 100 };
static const double USUAL = 1e8;
static double forced = -1;
static struct Row {
    char routine[16];
    double from;
} rows[ROWS_MOST];
static int n_rows;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;

static const char *setting(const char *name) {
    const char *v = secure_getenv(name);
    return v && *v && !strpbrk(v, " \t\n") ? v : "-";
}

static bool key_of(char *key, size_t size) {
    struct utsname host;
    return uname(&host) == 0 && snprintf(key, size, "%s %s %s ", host.nodename, setting("SCULPT_DEVICE"),
                                         setting("SCULPT_CPU_BLAS")) < (int)size;
}

static bool path_of(char *path, size_t size) {
    const char *own = secure_getenv("SCULPT_CACHE_DIR"), *xdg = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    int n = own && *own     ? snprintf(path, size, "%s", own)
            : xdg && *xdg   ? snprintf(path, size, "%s/sculpt", xdg)
            : home && *home ? snprintf(path, size, "%s/.cache/sculpt", home)
                            : -1;
    if (n < 0 || n + 20 >= (int)size) return false;
    mkdir(path, 0700);
    strcat(path, "/blas.crossover");
    return true;
}

static void read_rows(void) {
    const char *set = secure_getenv("SCULPT_BLAS_CROSSOVER");
    char path[1000], key[500], line[800];
    if (set) forced = strtod(set, NULL);
    FILE *f = !set && key_of(key, sizeof key) && path_of(path, sizeof path) ? fopen(path, "r") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        struct Row *r = &rows[n_rows];
        if (n_rows < ROWS_MOST && !strncmp(line, key, strlen(key)) &&
            sscanf(line + strlen(key), "%15s %lf", r->routine, &r->from) == 2 && r->from >= 0)
            n_rows++;
    }
    if (f) fclose(f);
}

static double from_of(const char *routine, size_t length) {
    for (int i = n_rows - 1; i >= 0; i--)
        if (strlen(rows[i].routine) == length && !strncmp(rows[i].routine, routine, length))
            return rows[i].from;
    return -1;
}

double blas_crossover(const char *routine, int level) {
    static const char *const usual_of[] = {"axpy", "gemv", "gemm"};
    pthread_once(&read_once, read_rows);
    if (forced >= 0) return forced;
    double from = from_of(routine, strcspn(routine, "_"));
    char like[8];
    if (from < 0) {
        snprintf(like, sizeof like, "%c%s", routine[*routine == 'i'], usual_of[level - 1]);
        from = from_of(like, strlen(like));
    }
    return from < 0 ? USUAL : from;
}

void blas_crossover_is(double operations) {
    pthread_once(&read_once, read_rows);
    forced = operations;
}

// The file with other lines for this key; those of others stay.
bool blas_crossover_keep(int n, const char *const *routine, const double *from) {
    char path[1000], fresh[1020], key[500], line[800];
    if (!key_of(key, sizeof key) || !path_of(path, sizeof path)) return false;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *old = fopen(path, "r"), *f = fopen(fresh, "w");
    while (old && f && fgets(line, sizeof line, old))
        if (strncmp(line, key, strlen(key))) fputs(line, f);
    if (old) fclose(old);
    for (int i = 0; f && i < n; i++) fprintf(f, "%s%s %g\n", key, routine[i], from[i]);
    return f && !fclose(f) && !rename(fresh, path);
}

bool blas_is_for_cpu(double operations, const char *routine, int level, void **cpu) {
    return operations < blas_crossover(routine, level) && find(routine, cpu);
}
