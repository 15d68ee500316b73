// SPDX-License-Identifier: MIT
// replay_test.c -- each nest of the automatic mode carries the recipe that makes it again from its region.
//
//   region ──plan──▶ nest, with its recipe          the same text, recipe included
//      └────────────recipe_apply───────────▶ nest ──┘
//
// All regions of examples/ and test/suite/ under SCULPT_TEST_ALL, else those of some files, others each time.
// With files for arguments: those, and of each nest that is not made again the first line that differs.
#include "../sample.h"
#include "dep/dep.h"
#include "front/front.h"
#include "plan/plan.h"
#include <glob.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LEAST = 80 }; // of a hundred nests; to be all of them

typedef struct Count {
    int regions, nests, same;
    bool tell;
} Count;

static void tell_line(const char *what, const char *s) {
    printf("    %s %.*s\n", what, (int)strcspn(s, "\n"), s);
}

// The first line in which two texts differ.
static void tell_difference(const char *x, const char *y) {
    while (*x && *y) {
        size_t n = strcspn(x, "\n"), m = strcspn(y, "\n");
        if (n != m || memcmp(x, y, n)) break;
        x += n + (x[n] == '\n');
        y += m + (y[m] == '\n');
    }
    tell_line("is ", x);
    tell_line("was", y);
}

static const char *last_diag(Compile *c, int before) {
    return c->diags.n > before ? c->diags.at[c->diags.n - 1].text : "no reason given";
}

static void replay(Compile *c, const Region *r, const DepInfo *d, const Nest *n, Count *k) {
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "recipe"};
    int before = c->diags.n;
    Nest *start = plan_start(c, r, d, n->target),
         *again = start ? recipe_apply(c, start, n->recipe, &o) : NULL;
    if (again) again->proof = n->proof, again->reason = n->reason;
    char *x = again ? ir_print_nest(c->arena, again) : NULL, *y = ir_print_nest(c->arena, n);
    bool same = x && str_eq(x, y);
    k->nests++;
    k->same += same;
    if (same || !k->tell) return;
    printf("%s %s: %s\n%s", r->name, n->target, again ? "another nest" : last_diag(c, before), n->recipe);
    if (again) tell_difference(x, y);
}

static void check_file(const char *file, Count *k) {
    Compile *c = compile_new();
    const char *include = "-Itest/suite";
    FrontUnit *u = front_read(c, file, 1, &include, true);
    for (int i = 0; u && i < u->nregions; i++) {
        const Region *r = u->regions[i].region;
        if (!r || r->nstmts > 60) continue;
        const DepInfo *d = dep_analyze(c, r);
        PlanNests p;
        plan_nests(c, r, d, PLAN_VARIANTS - 1, &p);
        k->regions++;
        for (int n = 0; n < p.nshaped; n++) replay(c, r, d, p.shaped[n], k);
        if (p.gpu) replay(c, r, d, p.gpu, k);
        if (p.cpu) replay(c, r, d, p.cpu, k);
    }
    compile_free(c);
}

static void all_are_made_again(void **state) {
    (void)state;
    const char *pattern[] = {"examples/*.c", "test/suite/*/*.c"};
    enum { OF_MANY = 12 };
    uint64_t at = test_seed();
    Count k = {0};
    for (int p = 0; p < 2; p++) {
        glob_t g;
        if (glob(pattern[p], 0, NULL, &g)) continue;
        for (size_t i = 0; i < g.gl_pathc; i++)
            if ((test_all() || at++ % OF_MANY == 0) && test_mine()) check_file(g.gl_pathv[i], &k);
        globfree(&g);
    }
    printf("%d of %d nests of %d regions are made again by their recipes\n", k.same, k.nests, k.regions);
    if (test_all() && 100 * k.same < LEAST * k.nests) fail_msg("less than %d in a hundred", LEAST);
}

int main(int argc, char **argv) {
    Count k = {.tell = true};
    for (int i = 1; i < argc; i++) check_file(argv[i], &k);
    if (argc > 1)
        return printf("%d of %d nests of %d regions\n", k.same, k.nests, k.regions), k.same < k.nests;
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_made_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
