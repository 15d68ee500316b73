// SPDX-License-Identifier: MIT
// products_test.c -- contractions with several updates in one body: found in every spelling, proved, right at
// sizes around their tiles; and what is none
#include "shaped.h"
#include "plan/contract_shapes.h"

typedef struct Spelling {
    const char *name, *arrays, *loops, *stmts;
    int sums, places;
} Spelling;
#define APART                                                                                \
    "array a[?][q]: f32 = \"a\" live array b[?][q]: f32 = \"b\" array c[?][q]: f32 = \"c\" " \
    "array d[?][q]: f32 = \"d\" live "                                                       \
              "array e[?][q]: f32 = \"e\" array f[?][q]: f32 = \"f\" "
#define PAIRS \
    "array a[?][q][2]: f32 = \"a\" live array b[?][q][2]: f32 = \"b\" array c[?][q][2]: f32 = \"c\" "
#define FLAT \
    "array a[?][2 * q]: f32 = \"a\" live array b[?][2 * q]: f32 = \"b\" array c[?][2 * q]: f32 = \"c\" "
#define MEMBER(x, live)                                                                                 \
    "array " x "r[?][q]: f32 object " x " stride 8 = \"" x "\"" live " array " x "i[?][q]: f32 object " \
    x " stride 8 offset 4 = \"" x "\"" live " "
#define STRUCTS MEMBER("a", " live") MEMBER("b", "") MEMBER("c", "")
#define SCALARS                                                                                \
    "for j: i32 = 0 .. m { for i: i32 = 0 .. n { local s: f32 local t: f32 S0[j, i] S1[j, i] " \
    "for k: i32 = 0 .. p { S2[j, i, k] S3[j, i, k] } S4[j, i] S5[j, i] } }"
#define ZERO "stmt S0[j, i]: s = 0.0 stmt S1[j, i]: t = 0.0 "
#define PLACE(n) "for j: i32 = 0 .. m { for i: i32 = 0 .. n { for k: i32 = 0 .. p { " n " } } }"
#define TWO PLACE("S0[j, i, k] S1[j, i, k]")
static const Spelling spellings[] = {
    {"complex, arrays apart", APART, SCALARS,
     ZERO "stmt S2[j, i, k]: s += fma(c[j][k], b[k][i], -(e[j][k] * f[k][i])) "
          "stmt S3[j, i, k]: t += fma(c[j][k], f[k][i], e[j][k] * b[k][i]) "
          "stmt S4[j, i]: a[j][i] = s stmt S5[j, i]: d[j][i] = t", 2, 2},
    {"complex, structs", STRUCTS, SCALARS,
     ZERO "stmt S2[j, i, k]: s += fma(cr[j][k], br[k][i], -(ci[j][k] * bi[k][i])) "
          "stmt S3[j, i, k]: t += fma(cr[j][k], bi[k][i], ci[j][k] * br[k][i]) "
          "stmt S4[j, i]: ar[j][i] = s stmt S5[j, i]: ai[j][i] = t", 2, 2},
    {"complex, floats side by side", FLAT, SCALARS,
     ZERO "stmt S2[j, i, k]: s += fma(c[j][2 * k], b[k][2 * i], -(c[j][2 * k + 1] * b[k][2 * i + 1])) "
          "stmt S3[j, i, k]: t += fma(c[j][2 * k], b[k][2 * i + 1], c[j][2 * k + 1] * b[k][2 * i]) "
          "stmt S4[j, i]: a[j][2 * i] = s stmt S5[j, i]: a[j][2 * i + 1] = t", 2, 2},
    {"complex, pairs in place", PAIRS, TWO,
     "stmt S0[j, i, k]: a[j][i][0] += fma(c[j][k][0], b[k][i][0], -(c[j][k][1] * b[k][i][1])) "
     "stmt S1[j, i, k]: a[j][i][1] += fma(c[j][k][0], b[k][i][1], c[j][k][1] * b[k][i][0])", 1, 2},
    {"two updates of one", APART, TWO,
     "stmt S0[j, i, k]: a[j][i] += c[j][k] * b[k][i] fused "
     "stmt S1[j, i, k]: a[j][i] += -e[j][k] * f[k][i] fused", 1, 1},
    {"an operand for two", APART, TWO,
     "stmt S0[j, i, k]: a[j][i] += c[j][k] * b[k][i] fused "
     "stmt S1[j, i, k]: d[j][i] += c[j][k] * f[k][i] fused", 2, 2},
    {"a sum and a minimum", APART, SCALARS,
     "stmt S0[j, i]: s = 0.0 stmt S1[j, i]: t = 1000.0 stmt S2[j, i, k]: s += c[j][k] * b[k][i] fused "
     "stmt S3[j, i, k]: t min= c[j][k] + b[k][i] "
     "stmt S4[j, i]: a[j][i] = s stmt S5[j, i]: d[j][i] = t", 2, 2},
};
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

static Nest *start(Compile *c, const char *arrays, const char *loops, const char *stmts, bool permit) {
    return start_of(c, arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\" "
                                    "param m: i32 = \"m\" "
                                              "param p: i32 = \"p\" param q: i32 = \"q\"\n%s\n"
                                              "do { %s }\n%s\n}\n",
                                    permit ? " reassociate" : "", arrays, loops, stmts));
}

static bool find(Compile *c, const Nest *from, Contraction *k) {
    const DepInfo *d = dep_analyze(c, from->region);
    return contraction_find(c, from->region, d, k) || contraction_find_sum(c, from->region, d, from, k);
}

// A block has 64 x 32 elements: 16 x 8 threads, 4 x 4 each.
static const Tile tile = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2,
                          .chunk = 16};

static void check(const Spelling *s, bool permit, int way) {
    static const Way ways[] = {WAY_DIRECT, WAY_PACKED, WAY_SINGLE, WAY_ALIGNED};
    Compile *c = compile_new();
    Nest *from = start(c, s->arrays, s->loops, s->stmts, permit);
    Contraction k;
    if (!find(c, from, &k)) fail_msg("%s: not found", s->name);
    assert_int_equal(k.nsums, s->sums);
    assert_int_equal(contraction_places(&k), s->places);
    Shape shape = {.tile = &tile, .way = ways[way], .exact = way == 0, .parts = 1};
    if (contraction_allows(&k, &shape)) {
        char *recipe = contraction_recipe(c->arena, &k, &shape);
        Nest *n = follow(c, from, recipe, JUDGE_NONE);
        if (!n) fail_msg("%s %d: %s\n%s", s->name, way, last_diag(c), recipe);
        check_nest(c, s->name, n, way);
    } else if (ways[way] == WAY_PACKED) {
        fail_msg("%s: can't be packed", s->name);
    }
    compile_free(c);
}

// SCULPT_TEST_ALL: everything; else some of them, others each time. Two updates of an element that lies
// turned are more than the judge's budget.
static void right(void **state) {
    (void)state;
    unsigned seed = (unsigned)test_seed();
    bool all = test_all();
    for (unsigned k = 0; k < SPELLINGS; k++)
        for (unsigned v = 0; v < 8; v++)
            if ((all || (k % 2 == seed % 2 && v == (seed + 3 * k) % 8)) &&
                !(spellings[k].places == 1 && v / 2 == 3) && test_mine())
                check(&spellings[k], v & 1, (int)v / 2);
}

// Tiles have fewer elements a thread, and no sums in parts.
static void tiles(void **state) {
    (void)state;
    for (size_t i = 0; i < SPELLINGS; i++) {
        const Spelling *s = &spellings[i];
        Compile *c = compile_new();
        Contraction k;
        Candidates all = {0};
        assert_true(find(c, start(c, s->arrays, s->loops, s->stmts, true), &k));
        contraction_candidates(c, &k, &(PlanCall){.target = "gpu"}, &all);
        if (!all.n) fail_msg("%s: no shape", s->name);
        for (int e = 0; e < all.n; e++) {
            const Tile *t = &all.at[e]->tile;
            assert_true(16 * t->px * t->py * s->places <= 128 &&
                        (s->places == 1 || all.at[e]->shape.parts == 1));
        }
        compile_free(c);
    }
}

static void refused(void **state) {
    (void)state;
    static const Spelling others[] = {
        {"one reads what the other sums", APART, TWO,
         "stmt S0[j, i, k]: a[j][i] += c[j][k] * b[k][i] stmt S1[j, i, k]: d[j][i] += a[j][k] * b[k][i]", 0,
         0},
        {"one element by two operators", APART, TWO,
         "stmt S0[j, i, k]: a[j][i] += c[j][k] * b[k][i] stmt S1[j, i, k]: a[j][i] min= c[j][k] * b[k][i]", 0,
         0},
        {"a sum that is turned", APART, TWO,
         "stmt S0[j, i, k]: a[j][i] += c[j][k] * b[k][i] stmt S1[j, i, k]: d[i][j] += c[j][k] * b[k][i]", 0,
         0},
        {"every other element", FLAT, PLACE("S0[j, i, k]"),
         "stmt S0[j, i, k]: a[j][i] += c[j][2 * k] * b[k][i]", 0, 0},
        {"no places", FLAT, TWO,
         "stmt S0[j, i, k]: a[j][2 * i] += c[j][k] * b[k][2 * i + 3] "
         "stmt S1[j, i, k]: a[j][2 * i + 1] += c[j][k] * b[k][2 * i]", 0, 0},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Compile *c = compile_new();
        Contraction k;
        if (find(c, start(c, others[i].arrays, others[i].loops, others[i].stmts, true),
                 &k)) fail_msg("%s: found", others[i].name);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(tiles),
                                       cmocka_unit_test(right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
