// SPDX-License-Identifier: MIT
// variants_test.c -- the shaped nests of contractions: found in every spelling, proved, and right
#include "shaped.h"

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
    text_printf(&t, "S0[%c, %c, %c] }\nstmt S0[%c, %c, %c]: a[j][i] ", s->loops[0], s->loops[1], s->loops[2], s->loops[0],
                s->loops[1], s->loops[2]);
    text_printf(&t, s->update, s->b, s->c);
    text_put(&t, "\n}\n");
    return arena_strdup(a, text_str(&t));
}

// SCULPT_TEST_ALL: every nest of every spelling; else one nest of two, others each time.
static void shaped(void **state) {
    (void)state;
    const char *given = getenv("SCULPT_TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)(time_now() * 1e3);
    bool all = getenv("SCULPT_TEST_ALL") != NULL;
    print_message("SCULPT_TEST_SEED=%u\n", seed);
    size_t count = sizeof spellings / sizeof *spellings;
    for (size_t k = 0; k < count; k++) {
        if (!all && k != seed % count && k != (seed / 8) % count) continue;
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &spellings[k])), *nest[PLAN_VARIANTS];
        int n = plan_variants(c, start->region, dep_analyze(c, start->region), nest, PLAN_VARIANTS);
        if (n < 4) fail_msg("%s: %d nests", spellings[k].name, n);
        for (int i = 0; i < n; i++)
            if (all || i == (int)((seed / 64) % (unsigned)n)) check_nest(c, spellings[k].name, nest[i], i);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile *c = compile_new();
        Tile t = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2, .chunk = 16, .shared_sums = cases[i].shared};
        Nest *start = start_of(c, region_of(c->arena, &spellings[0]));
        Contraction k;
        assert_true(contraction_find(c, start->region, dep_analyze(c, start->region), &k));
        Shape s = {.tile = &t, .way = cases[i].exact ? WAY_DIRECT : WAY_SINGLE, .exact = cases[i].exact, .parts = cases[i].parts};
        char *recipe = contraction_recipe(c->arena, &k, &s);
        assert_non_null(strstr(recipe, "chunk acc at=kt every=2"));
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s\n%s", last_diag(c), recipe);
        check_nest(c, spellings[0].name, n, (int)i);
        compile_free(c);
    }
}

// What is no contraction, or none with independent results, is left alone.
static void refused(void **state) {
    (void)state;
    static const Spelling others[] = {
        {"same", "a[k][i]", "c[j][k]", "+= %s * %s", "jki"},           // reads what it writes
        {"one side", "b[k][i]", "c[k][i]", "+= %s * %s", "jki"},       // no operand moves with y
        {"shifted", "b[k][i + 1]", "c[j][k]", "+= %s * %s", "jki"},
        {"both", "b[j][i]", "c[j][k]", "+= %s * %s", "jki"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &others[k])), *nest[PLAN_VARIANTS];
        assert_int_equal(plan_variants(c, start->region, dep_analyze(c, start->region), nest, PLAN_VARIANTS), 0);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shaped), cmocka_unit_test(chunks), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
