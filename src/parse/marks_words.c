// SPDX-License-Identifier: MIT
// marks_words.c -- the vocabulary of pragmas: directives and clauses.
#include "parse/marks_words.h"

static bool among(const char *const *list, const char *word) {
    for (; *list; list++)
        if (str_eq(*list, word)) return true;
    return false;
}

// Clauses.
static const char *const taken[] = {"reduction", "collapse", "private", "firstprivate",
    "lastprivate", "shared", "default", "map", "copy", "copyin", "copyout", "create", "present",
    "no_create", "pcopy", "pcopyin", "pcopyout", "pcreate", "present_or_copy",
    "present_or_copyin", "present_or_copyout", "present_or_create", "delete", "if", "seq",
    "independent", "auto", "async", "wait", "loop", "self", "host", "device", "to", "from",
    "update", "read", "write", "capture", "compare", "reassociate", "approximate", "unordered",
    "finalize", "if_present", "linear", "use_device_ptr", "is_device_ptr", "has_device_addr", "deviceptr",
    "use_device_addr", "attach", "detach", "seq_cst", "relaxed",
    "acquire", "release", "acq_rel", "depend", "data", "ordered", "threadprivate", "defaultmap", NULL};
static const char *const hints[] = {"schedule", "dist_schedule", "num_threads", "num_gangs",
    "num_workers", "vector_length", "gang", "worker", "vector", "tile", "cache", "simd",
    "nowait", "proc_bind", "safelen", "simdlen", "aligned", "nontemporal", "thread_limit",
    "num_teams", "device_type", "dtype", "order", "bind", "allocate", "hint",
    "default_async", "nogroup", NULL};

ClauseUse clause_use(const char *name) {
    return among(taken, name) ? CLAUSE_USED : among(hints, name) ? CLAUSE_HINT : CLAUSE_UNKNOWN;
}

const char *clause_meant(Arena *a, const char *name) {
    const char *meant = word_meant(a, name, taken);
    return *meant ? meant : word_meant(a, name, hints);
}

static bool acc_kind(int n, const char *const *w, PragmaKind *kind, int *used) {
    bool data = n > 2 && str_eq(w[2], "data");
    *used = data ? 3 : 2;
    *kind = P_ACC_OTHER;
    if (str_eq(w[1], "parallel")) *kind = P_ACC_PARALLEL;  // "loop" behind it is a clause
    else if (str_eq(w[1], "kernels")) *kind = P_ACC_KERNELS;
    else if (str_eq(w[1], "loop")) *kind = P_ACC_LOOP;
    else if (str_eq(w[1], "data")) *kind = P_ACC_DATA;
    else if (str_eq(w[1], "update")) *kind = P_ACC_UPDATE;
    else if (str_eq(w[1], "atomic")) *kind = P_OMP_ATOMIC;
    else if (str_eq(w[1], "routine")) *kind = P_ACC_ROUTINE, *used = 1;
    else if (data && str_eq(w[1], "enter")) *kind = P_ACC_ENTER_DATA;
    else if (data && str_eq(w[1], "exit")) *kind = P_ACC_EXIT_DATA;
    return true;
}

typedef struct OmpWords {
    bool target, teams, distribute, parallel, loop, simd, data, enter, exit, update, other;
} OmpWords;

// The words that name an OpenMP loop, parallel or target directive, as far as they go.
static int omp_words(int n, const char *const *w, OmpWords *o) {
    static const char *const others[] = {"sections", "section", "single", "master", "masked", "task",
        "taskloop", "scope", NULL};
    *o = (OmpWords){0};
    for (int k = 1; k < n; k++) {
        if (str_eq(w[k], "target")) o->target = true;
        else if (str_eq(w[k], "teams")) o->teams = true;
        else if (str_eq(w[k], "distribute")) o->distribute = true;
        else if (str_eq(w[k], "parallel")) o->parallel = true;
        else if (str_eq(w[k], "for") || str_eq(w[k], "loop")) o->loop = true;
        else if (str_eq(w[k], "simd")) o->simd = true;
        else if (k == 2 && o->target && str_eq(w[k], "update")) o->update = true;
        else if (k == 2 && o->target && str_eq(w[k], "enter")) o->enter = true;
        else if (k == 2 && o->target && str_eq(w[k], "exit")) o->exit = true;
        else if (o->target && str_eq(w[k], "data")) o->data = true;
        else if (among(others, w[k])) o->other = true;
        else return k;
    }
    return n;
}

static bool omp_kind(int n, const char *const *w, PragmaKind *kind, int *used) {
    OmpWords o;
    *used = omp_words(n, w, &o);
    *kind = P_OMP_OTHER;
    if (str_eq(w[1], "atomic")) {
        *kind = P_OMP_ATOMIC;
        *used = 2;
    } else if (str_eq(w[1], "threadprivate")) { // its list reads like a clause
        *kind = P_OMP_THREADPRIVATE;
        *used = 1;
    } else if (str_eq(w[1], "declare") || (n > 2 && str_eq(w[2], "declare"))) {
        *kind = P_OMP_DECLARE;
        *used = 1;
    } else if (o.other) return true;
    else if (o.target && o.enter) *kind = P_OMP_ENTER_DATA;
    else if (o.target && o.exit) *kind = P_OMP_EXIT_DATA;
    else if (o.target && o.data) *kind = P_OMP_TARGET_DATA;
    else if (o.target && o.update) *kind = P_OMP_UPDATE;
    else if (o.loop || o.distribute) *kind = P_OMP_FOR;
    else if (o.target || o.teams || o.parallel) *kind = P_OMP_PARALLEL;
    else if (o.simd) *kind = P_OMP_SIMD;
    else if (*used < 2) *used = 2;
    return true;
}

bool directive_kind(int n, const char *const *words, PragmaKind *kind, int *used) {
    if (n == 0) return false;
    *used = 1;
    if (str_eq(words[0], "scop")) *kind = P_SCOP;
    else if (str_eq(words[0], "endscop")) *kind = P_ENDSCOP;
    else if (str_eq(words[0], "sculpt")) {
        bool data = n > 1 && str_eq(words[1], "data");
        *kind = data ? P_SCULPT_DATA : P_SCULPT;
        *used = data ? 2 : 1;
    } else if (str_eq(words[0], "acc") && n > 1) return acc_kind(n, words, kind, used);
    else if (str_eq(words[0], "omp") && n > 1) return omp_kind(n, words, kind, used);
    else return false;
    return true;
}

bool directive_has_target(PragmaKind kind) {
    switch (kind) {
    case P_ENDSCOP: case P_ACC_ENTER_DATA: case P_ACC_EXIT_DATA: case P_ACC_UPDATE:
    case P_OMP_ENTER_DATA: case P_OMP_EXIT_DATA: case P_OMP_UPDATE: case P_OMP_THREADPRIVATE:
    case P_OMP_DECLARE: case P_ACC_ROUTINE:
        return false;
    default: return true;
    }
}
