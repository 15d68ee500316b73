// SPDX-License-Identifier: MIT
// mutant_test.c -- trees changed at random: where the judge allows one, the interpreter must find
// the region's results. SCULPT_TEST_SEED repeats a run, SCULPT_TEST_COUNT makes it longer.
#include "mutate.h"
#include "running.h"

static const char *original(Arena *a, int which) {
    Gemm g = gemm_small;
    if (which < 3) g.stages = which + 1;
    if (which < 3) return gemm_text(a, &g);
    if (which == 3) return JACOBI_NEST;
    if (which == 4) return SPLIT_NEST("reassociate");
    if (which == 5) return gemm_ahead_text(a);
    if (which == 6) return CHOICE_NEST;
    if (which == 7) return ALIKE_NEST;
    if (which == 8) return NEAREST_NEST;
    if (which == 9) return WAVE_NEST;
    if (which == 10) return WHOLE_NEST;
    return replace(a, SUM_NEST("reassociate"), "copy part[b] = t[0] + t[1]",
                   "{ copy part[b] = 0.0f32 copy part[b] += t[0] copy part[b] += t[1] }");
}

static int answers[4], unread;

static void try_one(uint64_t seed) {
    Compile *c = compile_new();
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    int which = (int)(next(&state) % 12);
    char *text = mutate(c->arena, original(c->arena, which), "kernel k0", state);
    IrFile *f = ir_parse(c, "mutant", text);
    if (f) {
        Verdict v = dep_judge(c, f->region, f->nests[0]->root);
        answers[v.answer]++;
        confirm(c, f->region, f->nests[0]->root, &v,
                arena_printf(c->arena, "seed %llu", (unsigned long long)seed));
    } else {
        unread++;
    }
    compile_free(c);
}

static void mutants(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (uint64_t k = 0, n = test_count(40, 5000); k < n; k++)
        if (test_mine()) try_one(seed + k);
    print_message("always %d, when %d, never %d, unknown %d, no tree %d\n", answers[ANSWER_ALWAYS],
                  answers[ANSWER_WHEN],
                  answers[ANSWER_NEVER], answers[ANSWER_UNKNOWN], unread);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
