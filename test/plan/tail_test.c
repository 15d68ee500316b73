// SPDX-License-Identifier: MIT
// tail_test.c -- blocks behind the last whole round, whose sums are in parts: proved, right, and chosen where
// they pay
#include "shaped.h"
#include "run/pick.h"

// A product in one of the four layouts.
static char *region_of(Arena *a, bool turned_b, bool turned_c) {
    return arena_printf(a, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                           "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam p: i32 = \"p\"\n"
                           "param q: i32 = \"q\"\n"
                           "array a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = \"b\"\n"
                           "array c[?][q]: f32 = \"c\"\n"
                           "do { for j: i32 = 0 .. m for k: i32 = 0 .. p for i: i32 = 0 .. n S0[j, k, i] }\n"
                           "stmt S0[j, k, i]: a[j][i] += %s * %s fused\n}\n",
                           turned_b ? "b[i][k]" : "b[k][i]", turned_c ? "c[k][j]" : "c[j][k]");
}

// Tiles of 32 x 64, and the tests' machine has four multiprocessors: 256 x 128 are 8 x 2 blocks, no tail;
// 261 x 130 are 9 x 3, whose last row is behind.
static const Tile tile = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2,
                          .chunk = 16};

static void proved(void **state) {
    (void)state;
    static const Shape shapes[] = {
        {.tile = &tile, .way = WAY_DIRECT, .exact = true, .parts = 1, .tail = 2},
        {.tile = &tile, .way = WAY_PACKED, .parts = 1, .tail = 3},
        {.tile = &tile, .way = WAY_PACKED, .strips = true, .parts = 1, .tail = 2},
        {.tile = &tile, .way = WAY_SINGLE, .parts = 1, .tail = 2},
    };
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    unsigned chosen = (unsigned)test_seed() % (4 * SHAPES);
    for (unsigned i = 0; i < 4 * SHAPES; i++) {
        if ((!test_all() && i != chosen && i != (chosen + 7) % (4 * SHAPES)) || !test_mine()) continue;
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, i & 1, i & 2));
        Contraction k;
        assert_true(contraction_find(c, start->region, dep_analyze(c, start->region), &k));
        char *recipe = contraction_recipe(c->arena, &k, &shapes[i / 4]);
        assert_non_null(strstr(recipe, "split yb at=rounds\n"));
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s\n%s", last_diag(c), recipe);
        assert_true(ir_verify_nest(c, n));
        bool strips = shapes[i / 4].strips;
        bool close = strips || shapes[i / 4].tail == 3; // to the judge's budget
        check_shape(c, strips ? "strips" : "tail", n, (int)i, close);
        check_text(c, n);
        compile_free(c);
    }
}

// The nest that runs for these sizes on a machine with 132 multiprocessors and aligned arrays.
static const Nest *cheapest(int n, Nest *const *nest, const int64_t size[3]) {
    Pick best = {.at = -1};
    for (int i = 0; i < n; i++) {
        InterpVal vals[16];
        int nvals = nest[i]->region->nparams;
        set_sizes(nest[i]->region, size, vals);
        for (int k = 0; k < nvals; k++)
            if (vals[k].sym->name[0] == 'q') vals[k].i = (size[0] > size[2] ? size[0] : size[2]) + 12;
        for (int k = 0; k < nest[i]->nfacts; k++)
            vals[nvals++] = (InterpVal){.sym = nest[i]->facts[k].sym,
                                        .i = nest[i]->facts[k].kind == FACT_PROCESSORS ? 132 : 0};
        pick_look(&best, i, nest[i], nvals, vals);
    }
    assert_true(best.at >= 0);
    return nest[best.at];
}

// 32 x 64 blocks of 256 x 128 are 15 rounds and 68 blocks, 64 x 128 are 62 and 8, 16 x 32 nearly fill their
// fourth, and 34 x 66 are 17 rounds.
static void chosen(void **state) {
    (void)state;
    static const struct {
        int64_t size[3];
        bool tail;
    } cases[] = {{{8192, 8192, 8192}, true}, {{16384, 16384, 16384}, true}, {{6144, 6144, 6144}, true},
                 {{3072, 3072, 3072}, true}, {{4096, 4096, 4096}, false},
                 {{4096, 4096, 64}, false}, {{1024, 1024, 1024}, false}, {{8704, 8448, 8192}, false}};
    Compile *c = compile_new();
    Nest *start = start_of(c, region_of(c->arena, false, false)), *nest[PLAN_VARIANTS];
    int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *size = cases[i].size;
        const Nest *best = cheapest(n, nest, size);
        if ((strstr(best->recipe, "at=rounds") != NULL) != cases[i].tail)
            fail_msg("%d x %d x %d: a tail, or none\n%s", (int)size[0], (int)size[1], (int)size[2],
                     best->recipe);
    }
    compile_free(c);
}

// Without permission sums stay whole.
static void strict(void **state) {
    (void)state;
    Compile *c = compile_new();
    char *text = region_of(c->arena, false, false);
    memset(strstr(text, "reassociate"), ' ', strlen("reassociate"));
    Nest *start = start_of(c, text), *nest[PLAN_VARIANTS];
    int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) assert_null(strstr(nest[i]->recipe, "rounds"));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(proved), cmocka_unit_test(chosen),
                                       cmocka_unit_test(strict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
