// SPDX-License-Identifier: MIT
// main.c -- sculpt's command line: the table of verbs, and how messages reach people.
#include "driver/driver.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Verb {
    const char *name;
    int (*main)(int argc, char **argv);
    bool own_help; // --help is the verb's own business
} Verb;

static const Verb verbs[] = {
    {"run", run_main, false}, {"cc", cc_main, true}, {"check", check_main, false},
    {"explain", explain_main, false},
    {"plan", plan_main, false},
    {"emit", emit_main, false}, {"apply", apply_main, false}, {"rules", rules_main, false},
    {"bench", bench_main, false}, {"tune", tune_main, false}, {"wisdom", wisdom_main, false},
    {"devices", devices_main, false}, {"cache", cache_main, false},
    {"doctor", doctor_main, false}, {"help", help_main, true},
};
enum { NVERBS = sizeof verbs / sizeof *verbs };

static const Verb *find_verb(const char *name) {
    for (int i = 0; i < NVERBS; i++)
        if (str_eq(verbs[i].name, name)) return &verbs[i];
    return NULL;
}

int usage_error(const char *verb, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "sculpt %s: error: ", verb);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, " [SC%04d]\n'sculpt help%s%s' says more\n", SC_USAGE, str_eq(verb, "help") ? "" : " ",
            str_eq(verb, "help") ? "" : verb);
    return 2;
}

int usage_stray(const char *verb, const char *word) {
    Arena *a = arena_new();
    const char *near = help_option(a, verb, word);
    int status = near && str_eq(near, word)
                     ? usage_error(verb, "'%s' needs a value, or is not taken with these words", word)
                 : near
                     ? usage_error(verb, "there is no option '%s'; did you mean '%s'?", word, near)
                     : usage_error(verb, "there is no option '%s'", word);
    arena_free(a);
    return status;
}

void say_error(DiagCode code, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("sculpt: error: ", stderr);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, " [SC%04d]\n", code);
}

static bool same_diag(const Diag *x, const Diag *y) {
    return x->code == y->code && x->level == y->level && x->loc.line == y->loc.line &&
           x->loc.col == y->loc.col && str_eq(x->loc.file, y->loc.file) && str_eq(x->text, y->text);
}

static bool wanted(const Diag *d, const Flags *f, bool clang) {
    if (d->code == SC_CLANG && !clang && d->level != DIAG_REMARK) return false;
    if (d->level == DIAG_ERROR) return true;
    if (f->quiet) return false;
    return d->level == DIAG_WARNING || !f->no_remarks;
}

void diags_show(const Compile *c, int from, const Flags *f, bool clang) {
    for (int i = from; i < c->diags.n; i++) {
        const Diag *d = &c->diags.at[i];
        bool again = !wanted(d, f, clang);
        for (int k = from; k < i && !again; k++) again = same_diag(&c->diags.at[k], d);
        if (!again) diag_print(stderr, d, true);
    }
}

int diags_status(const Compile *c) {
    for (int i = 0; i < c->diags.n; i++) {
        const Diag *d = &c->diags.at[i];
        if (d->level == DIAG_ERROR && (d->code == SC_USAGE || d->code == SC_NO_REGION)) return 2;
    }
    return c->errors > 0;
}

// ---- a large stack -------------------------------------------------------------------------
// clang and the passes after it descend into expressions and statements; how deep those are is up to the
// program.
enum { STACK = 512 << 20 }; // bytes of address space, not of memory

typedef struct Call {
    const Verb *verb;
    int argc, status;
    char **argv;
} Call;

static void *call(void *arg) {
    Call *c = arg;
    c->status = c->verb->main(c->argc, c->argv);
    return NULL;
}

static int call_verb(const Verb *v, int argc, char **argv) {
    Call c = {v, argc, 0, argv};
    pthread_attr_t attr;
    pthread_t thread;
    setenv("LIBCLANG_NOTHREADS", "1", 0); // libclang would make threads of 8 MB
    pthread_attr_init(&attr);
    bool large =
        pthread_attr_setstacksize(&attr, STACK) == 0 && pthread_create(&thread, &attr, call, &c) == 0;
    pthread_attr_destroy(&attr);
    if (large) pthread_join(thread, NULL);
    else call(&c);
    return c.status;
}

static bool asks_for_help(const char *word) { return str_eq(word, "--help") || str_eq(word, "-h"); }

static void tell_misspelt(const char *name, const char *meant) {
    Arena *a = arena_new();
    const char *text = arena_printf(a, "nobody looks at %s (did you mean '%s'?)", name, meant);
    Diag d = {DIAG_WARNING, SC_USAGE, {0}, text};
    diag_print(stderr, &d, true);
    arena_free(a);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) return fputs(help_text("sculpt"), stderr), 2;
    if (str_eq(word, "--version")) return puts("sculpt " SCULPT_VERSION), 0;
    if (asks_for_help(word)) return help_main(argc - 2, argv + 2);
    const Verb *v = find_verb(word);
    if (!v) {
        Arena *a = arena_new();
        say_error(SC_USAGE, "there is no verb '%s'%s", word, help_meant(a, word));
        fputs("'sculpt help' lists them\n", stderr);
        arena_free(a);
        return 2;
    }
    if (!str_eq(word, "run")) env_misspelt(tell_misspelt); // the program itself tells then
    if (!v->own_help && argc > 2 && asks_for_help(argv[2])) return help_main(1, argv + 1);
    return call_verb(v, argc - 2, argv + 2);
}
