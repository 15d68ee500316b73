// SPDX-License-Identifier: MIT
// variants_test.c -- the shaped nests of contractions: found in every spelling, proved, and right
#include "shaped.h"
#include "plan/contract_cpu.h"

// The operands' subscripts, the update, the order of the loops; sizes n (x), m (y), p (k).
typedef struct Spelling {
    const char *name, *b, *c, *update;
    const char *loops;
} Spelling;
static const Spelling spellings[] = {
    {"nn", "b[k][i]", "c[j][k]", "+= %s * %s fused", "jki"},
    {"nt", "b[k][i]", "c[k][j]", "+= %s * %s fused", "ijk"},
    {"tn", "b[i][k]", "c[j][k]", "+= %s * %s fused", "jik"},
    {"tt", "b[i][k]", "c[k][j]", "+= %s * %s fused", "kji"},
    {"minplus", "b[k][i]", "c[j][k]", "min= %s + %s", "jik"},
    {"diag", "b[k][i]", "c[j][k]", "+= d[k] * %s * %s fused", "jki"},
    {"distance", "b[i][k]", "c[j][k]", "+= (%s - %s) * (b[i][k] - c[j][k])", "jik"},
};

static const char *loop_of(char name) {
    switch (name) {
    case 'i': return "for i: i32 = 0 .. n ";
    case 'j': return "for j: i32 = 0 .. m ";
    default: return "for k: i32 = 0 .. p ";
    }
}

static char *region_of(Arena *a, const Spelling *s) {
    Text t = text_new(a);
    text_put(&t, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                 "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam p: i32 = \"p\"\nparam q: i32 = \"q\"\n"
                 "array a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\"\n"
                 "array d[?]: f32 = \"d\"\ndo { ");
    for (const char *l = s->loops; *l; l++) text_put(&t, loop_of(*l));
    text_printf(&t, "S0[%c, %c, %c] }\nstmt S0[%c, %c, %c]: a[j][i] ", s->loops[0], s->loops[1], s->loops[2],
                s->loops[0],
                s->loops[1], s->loops[2]);
    text_printf(&t, s->update, s->b, s->c);
    text_put(&t, "\n}\n");
    return arena_strdup(a, text_str(&t));
}

// SCULPT_TEST_ALL: every nest of every spelling; else one nest of two, others each time.
static void shaped(void **state) {
    (void)state;
    unsigned seed = (unsigned)test_seed();
    bool all = test_all();
    size_t count = sizeof spellings / sizeof *spellings;
    for (size_t k = 0; k < count; k++) {
        if (!all && k != seed % count) continue;
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &spellings[k])), *nest[PLAN_VARIANTS];
        int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
        if (n < 4) fail_msg("%s: %d nests", spellings[k].name, n);
        for (int i = 0; i < n; i++)
            if ((all || i == (int)((seed / 64) % (unsigned)n)) && test_mine())
                check_nest(c, spellings[k].name, nest[i], i);
        compile_free(c);
    }
}

// Every shape fits every layout of the product: those that go along k where an operand of x's side has it
// contiguous.
static void all_fit(void **state) {
    (void)state;
    static const int count[] = {19, 20, 21, 22};
    uint64_t seed = test_seed();
    for (size_t k = 0; k < 4; k++) {
        if (!test_takes(k, 2, seed)) continue;
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &spellings[k])), *nest[PLAN_VARIANTS];
        int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
        if (n != count[k]) fail_msg("%s: %d nests of %d", spellings[k].name, n, count[k]);
        compile_free(c);
    }
}

// A thread has 4 x 8 elements, a block 32 x 64; chunks end after two strips of k.
static void chunks(void **state) {
    (void)state;
    static const struct {
        bool shared, exact;
        int parts;
    } cases[] = {{false, false, 1}, {true, true, 1}, {true, false, 2}};
    uint64_t seed = test_seed();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!test_takes(i, 3, seed)) continue;
        Compile *c = compile_new();
        Tile t = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2, .chunk = 16,
                  .shared_sums = cases[i].shared};
        Nest *start = start_of(c, region_of(c->arena, &spellings[0]));
        Contraction k;
        assert_true(contraction_find(c, start->region, dep_analyze(c, start->region), &k));
        Shape s = {.tile = &t, .way = cases[i].exact ? WAY_DIRECT : WAY_SINGLE, .exact = cases[i].exact,
                   .parts = cases[i].parts};
        char *recipe = contraction_recipe(c->arena, &k, &s);
        assert_non_null(strstr(recipe, "chunk acc at=kt every=2"));
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s\n%s", last_diag(c), recipe);
        check_nest(c, spellings[0].name, n, (int)i);
        compile_free(c);
    }
}

// Tiles for processors, so small that a few sizes reach all edges; with and without permission.
static void processors(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{16, 6, 8}, {7, 2, 3}, {8, 3, 9}, {17, 7, 17}, {33, 13, 16},
                                       {32, 12, 24}};
    const CpuTile t = {.lanes = 4, .mr = 8, .nr = 3, .kc = 8, .mc = 16, .nc = 6};
    bool all = test_all();
    size_t count = sizeof spellings / sizeof *spellings, chosen = (size_t)test_seed();
    for (size_t i = 0; i < 2 * count; i++) {
        const Spelling *s = &spellings[i % count];
        if ((!all && i != chosen % (2 * count) && i != count) || !test_mine()) continue;
        Compile *c = compile_new();
        c->patience = PATIENCE;
        char *text = region_of(c->arena, s);
        if (i >= count) memset(strstr(text, "reassociate"), ' ', strlen("reassociate"));
        const Region *r = ir_parse(c, s->name, text)->region;
        const DepInfo *d = dep_analyze(c, r);
        Contraction k;
        assert_true(contraction_find(c, r, d, &k) && contraction_fits_cpu(&k));
        const Nest *start = plan_start(c, r, d, "cpu");
        const char *recipe = contraction_cpu_recipe(c, start, &k, &t);
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s: %s\n%s", s->name, last_diag(c), recipe);
        Verdict v = dep_judge(c, r, n->root);
        if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN) fail_msg("%s: %s\n%s", s->name,
            v.why ? v.why : "not decided", recipe);
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            if (is_right(n, &v, sizes[j]) != 1)
                fail_msg("%s: wrong at %d x %d x %d\n%s", s->name, (int)sizes[j][0], (int)sizes[j][1],
                         (int)sizes[j][2], recipe);
        compile_free(c);
    }
}

// Sizes that the text tells: blocks with and without ends, tiles with and without.
static void processor_constants(void **state) {
    (void)state;
    static const int x[] = {16, 8, 17}, y[] = {6, 3, 7}, k[] = {8, 20};
    const CpuTile t = {.lanes = 4, .mr = 8, .nr = 3, .kc = 8, .mc = 16, .nc = 6};
    bool all = test_all();
    int chosen = (int)(test_seed() % 18);
    for (int i = 0; i < 18; i++) {
        if ((!all && i != chosen && i != (chosen + 7) % 18) || !test_mine()) continue;
        Compile *c = compile_new();
        const char *text = arena_printf(c->arena,
                                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n"
                                        "param q: i32 = \"q\"\n"
                                        "array a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = \"b\"\n"
                                        "array c[?][q]: f32 = \"c\"\n"
                                        "do { for j: i32 = 0 .. %d for k: i32 = 0 .. %d "
                                        "for i: i32 = 0 .. %d S0[j, k, i] }\n"
                                        "stmt S0[j, k, i]: a[j][i] += b[k][i] * c[j][k] fused\n}\n",
                                        y[i / 3 % 3], k[i / 9], x[i % 3]);
        const Region *r = ir_parse(c, "constants", text)->region;
        Contraction con;
        assert_true(contraction_find(c, r, dep_analyze(c, r), &con) && contraction_fits_cpu(&con));
        const Nest *start = plan_start(c, r, dep_analyze(c, r), "cpu");
        const char *recipe = contraction_cpu_recipe(c, start, &con, &t);
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s: %s\n%s", text, last_diag(c), recipe);
        Verdict v = dep_judge(c, r, n->root);
        if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN) fail_msg("%s: %s\n%s", text,
            v.why ? v.why : "not decided", recipe);
        if (is_right(n, &v, (int64_t[]){0, 0, 0}) != 1) fail_msg("%s: wrong\n%s", text, recipe);
        compile_free(c);
    }
}

// Sizes of tiles: all sums in registers, the strips in the caches, something for every core.
static void tiles(void **state) {
    (void)state;
    static const Processor machines[] = {{64, 32, 48 << 10, 2 << 20, 1}, {32, 16, 32 << 10, 256 << 10, 4},
                                         {16, 16, 32 << 10, 512 << 10, 64}, {16, 32, 64 << 10, 1 << 20, 8}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int size = 4; size <= 8; size += 4) {
            const Processor *p = &machines[i];
            CpuTile t = cpu_tile(p, size);
            assert_true(t.lanes * size == p->vector && t.mr % t.lanes == 0 && t.mc % t.mr == 0 &&
                        t.nc % t.nr == 0);
            assert_true(t.mr / t.lanes * t.nr + t.mr / t.lanes + 1 < p->registers);
            assert_true(t.kc >= 64 && (int64_t)t.kc * t.nr * size <= p->first &&
                        (int64_t)t.kc * t.mc * size <= p->second);
        }
    Processor here = processor_here();
    assert_true(here.vector >= 16 && here.registers >= 16 && here.first >= 4096 &&
                here.second >= here.first && here.cores > 0);
    CpuTile one = cpu_tile(&(Processor){64, 32, 48 << 10, 2 << 20, 1}, 4),
        many = cpu_tile(&(Processor){64, 32, 48 << 10, 2 << 20, 64}, 4);
    assert_true(many.mc * many.nc < one.mc * one.nc);
}

// What is no contraction, or none with independent results, is left alone.
static void refused(void **state) {
    (void)state;
    static const Spelling others[] = {
        {"same", "a[k][i]", "c[j][k]", "+= %s * %s", "jki"},           // reads what it writes
        {"one side", "b[k][i]", "c[k][i]", "+= %s * %s", "jki"},       // no operand moves with y
        {"strided", "b[k][2 * i]", "c[j][k]", "+= %s * %s", "jki"},
        {"both", "b[j][i]", "c[j][k]", "+= %s * %s", "jki"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &others[k])), *nest[PLAN_VARIANTS];
        assert_int_equal(plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest,
                                       PLAN_VARIANTS), 0);
        assert_int_equal(plan_variants(c, start->region, dep_analyze(c, start->region), "cpu", nest,
                                       PLAN_VARIANTS), 0);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_fit), cmocka_unit_test(shaped),
                                       cmocka_unit_test(chunks),
                                       cmocka_unit_test(processors), cmocka_unit_test(processor_constants),
                                       cmocka_unit_test(tiles),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
