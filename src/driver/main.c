// SPDX-License-Identifier: MIT
// main.c -- sculpt's command line: the table of verbs, help, and how messages reach people.
#include "driver/driver.h"
#include <string.h>
#include <unistd.h>

#define SCULPT_VERSION "0.1.0"

typedef struct Verb {
    const char *name, *usage, *what;
    int (*main)(int argc, char **argv);
    bool own_help; // --help is the verb's own business
} Verb;

static const Verb verbs[] = {
    {"run", "[--device D] [--time] [--require-device] [--check] [--auto] [--recipe FILE[:LINE]] FILE.c… [cc flags] [-- arguments]",
     "compile a program and run it, marked loops on a device", run_main, false},
    {"cc", "[any gcc or clang flags] FILE… [--auto] [--permit WHAT] [--no-remarks] [--quiet]",
     "a C compiler: make CC=\"sculpt cc\"", cc_main, true},
    {"emit", "--target cuda|opencl|c [--host] [--wide] [--lines] [--define NAME=N] [--json] [--dump=region|nest] [--from=FILE.nest] [--recipe FILE] FILE.c[:LINE] [cc flags]",
     "print the kernels of a file's regions", emit_main, false},
    {"explain", "[--machine M] [--arg n=N] [--recipe R] [--registers[=KERNEL=N,…] | --cubin FILE] [--travel] [--html FILE] [--json | --sarif | --fix[=FILE]] FILE.c… [cc flags] | --why RULE | --legal FILE.c[:LINE] | --patterns FILE.c… | --code SCnnnn",
     "say what was understood of each region, why loops stay on the host, and what kernels cost on a machine", explain_main, false},
    {"check", "[--device D] [--recipe FILE[:LINE]] FILE.c… [cc flags] [-- arguments]",
     "run each region on the device beside the original loops, and compare", check_main, false},
    {"apply", "[--step \"RULE …\"… | --recipe FILE] [--show tree|c|cuda|opencl|all] [--judge each|last|none] [--target gpu|cpu] [--json] FILE.c[:LINE] [cc flags]",
     "apply steps of the catalogue to a region, and show it after each", apply_main, false},
    {"rules", "[NAME]", "print the catalogue of transformations", rules_main, false},
    {"bench", "ladder NAME | talk | edges | overlap | batch | sgemm | try | ceilings [-n SIZES] [--device D] [--json] …",
     "measure recipes: ladders of the documents, variants against the vendor's library", bench_main, false},
    {"devices", "[--json | --measure [--device D]]", "list the devices of this machine", devices_main, false},
    {"cache", "[--clear] [--json]", "show or empty the cache of compiled kernels", cache_main, false},
};
enum { NVERBS = sizeof verbs / sizeof *verbs };

static const Verb *find_verb(const char *name) {
    for (int i = 0; i < NVERBS; i++)
        if (str_eq(verbs[i].name, name)) return &verbs[i];
    return NULL;
}

static void help(FILE *out) {
    fputs("sculpt turns plain C loop nests into kernels for GPUs and CPUs.\n\n"
          "usage: sculpt VERB …\n\n", out);
    for (int i = 0; i < NVERBS; i++) fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].what);
    fputs("\nsculpt VERB --help says more. Marks: #pragma scop … endscop, #pragma sculpt,\n"
          "#pragma acc parallel loop | kernels, #pragma omp parallel for; --auto needs none.\n"
          "--permit reassociate | fast-math | unordered grants what would change float results.\n"
          "--confirm lets the judge look at each finished nest a second time.\n"
          "Environment: SCULPT_DEVICE SCULPT_OFFLOAD SCULPT_CC SCULPT_CACHE_DIR SCULPT_CACHE_MAX\n"
          "SCULPT_TIME SCULPT_CHECK SCULPT_REQUIRE SCULPT_VERBOSE.\n", out);
}

static int help_of(const Verb *v) {
    printf("usage: sculpt %s %s\n\n  %s\n", v->name, v->usage, v->what);
    return 0;
}

int usage_error(const char *verb, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "sculpt %s: error: ", verb);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    const Verb *v = find_verb(verb);
    fprintf(stderr, " [SC%04d]\n", SC_USAGE);
    if (v) fprintf(stderr, "usage: sculpt %s %s\n", verb, v->usage);
    return 2;
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

// The verb whose letters are nearest to a mistyped one: same first letter, or none.
static const char *nearest(const char *word) {
    for (int i = 0; i < NVERBS; i++)
        if (verbs[i].name[0] == word[0]) return verbs[i].name;
    return NULL;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) return help(stderr), 2;
    if (str_eq(word, "--version")) return puts("sculpt " SCULPT_VERSION), 0;
    bool asks = str_eq(word, "--help") || str_eq(word, "-h") || str_eq(word, "help");
    const Verb *v = find_verb(asks && argc > 2 ? argv[2] : word);
    if (asks && !v) return help(stdout), 0;
    if (asks) return help_of(v);
    if (!v) {
        const char *near = nearest(word);
        fprintf(stderr, "sculpt: error: there is no verb '%s'%s%s%s [SC%04d]\n", word,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", SC_USAGE);
        help(stderr);
        return 2;
    }
    if (!v->own_help && argc > 2 && (str_eq(argv[2], "--help") || str_eq(argv[2], "-h")))
        return help_of(v);
    return v->main(argc - 2, argv + 2);
}
