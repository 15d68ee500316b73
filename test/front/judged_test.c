// SPDX-License-Identifier: MIT
// judged_test.c -- the judge answers on what the planner makes.
//
//   region ──plan──▶ nests, for a GPU and for processors, for all sizes and for some ──judge──▶ always, when
//
// Without arguments some files: none of their nests may be refused, and few not decided. With files (and
// options of the compiler) for arguments: every nest with its verdict and the seconds of a processor that it
// took, then their median, the longest and the sum.
#include "../sample.h"
#include "dep/dep.h"
#include "front/front.h"
#include "plan/plan.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct Judged {
    Arena *a;
    VEC(double) took;
    int answers[4];
    bool tell;
} Judged;

static const char *const words[] = {"always", "when", "never", "unknown"};

static void judge(Compile *c, const char *file, const Region *r, const Nest *n, Judged *j) {
    double start = time_used();
    Verdict v = dep_judge_nest(c, n);
    double took = time_used() - start;
    vec_push(j->a, &j->took, took);
    j->answers[v.answer]++;
    bool refused = v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN;
    const char *why = refused && v.why ? v.why : "";
    if (j->tell || refused)
        printf("%-7s %7.3f s  %s:%d %s %s%s%s\n", words[v.answer], took, file, r->loc.line, r->name,
               n->target,
               *why ? ": " : "", why);
    if (!j->tell && v.answer == ANSWER_NEVER) fail_msg("%s:%d %s: refused", file, r->loc.line, n->target);
    fflush(stdout);
}

static void judge_file(const char *file, int n, const char *const *options, Judged *j) {
    Compile *c = compile_new();
    FrontUnit *u = front_read(c, file, n, options, true);
    for (int i = 0; u && i < u->nregions; i++) {
        const Region *r = u->regions[i].region;
        if (!r) continue;
        PlanNests p;
        plan_nests(c, r, dep_analyze(c, r), PLAN_VARIANTS - 1, &p);
        for (int k = 0; k < p.nshaped; k++) judge(c, file, r, p.shaped[k], j);
        if (p.gpu) judge(c, file, r, p.gpu, j);
        if (p.cpu) judge(c, file, r, p.cpu, j);
    }
    compile_free(c);
}

typedef struct Sample {
    const char *file;
    int undecided; // at most: of loops whose conditions read what they write, or of such copies
} Sample;

static void all_are_the_region(void **state) {
    (void)state;
    static const Sample samples[] = {{"examples/csr.c", 2},     {"examples/trisolve.c", 3},
                                     {"examples/cholesky.c", 3},
                                     {"bench/talk/gauss.c", 0}, {"bench/talk/jacobi.c", 0},
                                     {"bench/steps/relax.c", 0}};
    uint64_t seed = test_seed();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (!test_takes(i, 2, seed)) continue;
        Judged j = {.a = arena_new()};
        judge_file(samples[i].file, 0, NULL, &j);
        assert_true(j.took.n >= 2);
        if (j.answers[ANSWER_UNKNOWN] > samples[i].undecided)
            fail_msg("%s: %d nests are not decided", samples[i].file, j.answers[ANSWER_UNKNOWN]);
        arena_free(j.a);
    }
}

// A program that reads beyond its array gets no nest that copies what is there.
static void nothing_is_read_beyond(void **state) {
    (void)state;
    const char *text = "float a[100], b[200];\nvoid f(int n) {\n#pragma sculpt\n"
                       "for (int i = 0; i < 100; i++) a[i] = a[i + 1] + b[i];\n#pragma sculpt\n"
                       "for (int i = 0; i < n; i++) if (i < 120) a[i] = a[i + 1] + b[i];\n}\n";
    char path[] = "/tmp/sculpt-judged-test-XXXXXX.c";
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    close(fd);
    assert_true(file_write(path, text, strlen(text)));
    Judged j = {.a = arena_new()};
    judge_file(path, 0, NULL, &j);
    unlink(path);
    arena_free(j.a);
}

static int by_size(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static int tell(int n, char **word) {
    Judged j = {.a = arena_new(), .tell = true};
    const char **options = NEW_N(j.a, const char *, n + 1);
    int noptions = 0;
    options[noptions++] = "-Itest/suite";
    for (int i = 1; i < n; i++)
        if (*word[i] == '-') options[noptions++] = word[i];
    for (int i = 1; i < n; i++)
        if (*word[i] != '-') judge_file(word[i], noptions, options, &j);
    double sum = 0;
    for (int i = 0; i < j.took.n; i++) sum += j.took.at[i];
    if (j.took.n) qsort(j.took.at, (size_t)j.took.n, sizeof *j.took.at, by_size);
    for (int i = 0; i < 4; i++) printf("%s %d, ", words[i], j.answers[i]);
    if (j.took.n)
        printf("median %.3f s, longest %.3f s, all %.1f s\n", j.took.at[j.took.n / 2],
               j.took.at[j.took.n - 1], sum);
    arena_free(j.a);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return tell(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_the_region),
                                       cmocka_unit_test(nothing_is_read_beyond)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
