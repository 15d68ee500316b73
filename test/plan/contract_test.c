// SPDX-License-Identifier: MIT
// contract_test.c -- contractions in more than three loops, of shifted operands, of constant sizes: which
// loops are tiled, and that their nests are proved and right around their tiles; and what is none
#include "shaped.h"

typedef struct Case {
    const char *name, *a, *b, *c; // what stands in the brackets of the arrays
    const char *loops, *stmt;
    const char *tiled;            // x, y, k; NULL: no contraction
    int batch, around;
    bool shifted;                 // not all operands can be packed and read in vectors
} Case;
#define L(i, n) "for " i ": i32 = 0 .. " n " "
static const Case cases[] = {
    {"batched", "[?][m][q]", "[?][p][q]", "[?][m][q]", L("o", "u") L("j", "m") L("i", "n") L("k", "p"),
     "[o, j, i, k]: a[o][j][i] += b[o][k][i] * c[o][j][k] fused", "ijk", 1, 0, false},
    {"a sum of whole strips", "[?][q]", "[?][q]", "[?][q]", L("j", "m") L("i", "n") L("k", "48 * (p / 48)"),
     "[j, i, k]: a[j][i] += b[k][i] * c[j][k] fused", "ijk", 0, 0, false},
    {"one operand for all", "[?][q][q]", "[?][q]", "[?][q][q]",
     L("j", "m") L("o", "3") L("k", "p") L("i", "n"),
     "[j, o, k, i]: a[o][j][i] += b[k][i] * c[o][j][k]", "ijk", 1, 0, false},
    {"turned batches of batches", "[?][u][q][q]", "[?][u][q][q]", "[?][q]",
     L("o", "2") L("h", "u") L("j", "m") L("i", "n") L("k", "p"),
     "[o, h, j, i, k]: a[o][h][j][i] += b[o][h][i][k] * c[k][j] fused", "ijk", 2, 0, false},
    {"two sums", "[?][q]", "[?][q][q]", "[?][3][q]", L("j", "m") L("i", "n") L("l", "3") L("k", "p"),
     "[j, i, l, k]: a[j][i] += b[l][k][i] * c[j][l][k] fused", "ijk", 0, 1, false},
    {"tensors", "[?][3][q]", "[?][q][q]", "[?][q][3]",
     L("j", "m") L("o", "3") L("i", "n") L("l", "2") L("k", "p"),
     "[j, o, i, l, k]: a[j][o][i] += c[j][k][l] * b[o][k][i + l] fused", "ijk", 1, 1, true},
    {"convolution", "[?][4][q]", "[?][8][q]", "[?][q][3][3]",
     L("j", "m") L("y", "4") L("i", "n") L("k", "p") L("r", "3") L("s", "3"),
     "[j, y, i, k, r, s]: a[j][y][i] += b[k][y + r][i + s] * c[j][k][r][s] fused", "ijk", 1, 2, true},
    {"shifted result", "[?][q]", "[?][q]", "[?][q]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j + 1][i + 1] += b[k][i] * c[j + 2][k]", "ijk", 0, 0, true},
    {"one array, its rows by its rows", "[?][q]", "[?][q]", "[?]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += b[i][k] * b[j][k] fused", "ijk", 0, 0, false},
    {"distances of columns", "[?][q]", "[?][q]", "[?]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += (b[k][i] - b[k][j]) * (b[k][i] - b[k][j])", "ijk", 0, 0, false},
    {"whole tiles", "[?][q]", "[?][q]", "[?][q]", L("j", "64") L("i", "128") L("k", "48"),
     "[j, i, k]: a[j][i] += b[k][i] * c[j][k] fused", "ijk", 0, 0, false},
    {"constants", "[?][70]", "[?][70]", "[?][48]", L("j", "33") L("i", "70") L("k", "48"),
     "[j, i, k]: a[j][i] += b[k][i] * c[j][k] fused", "ijk", 0, 0, true},
    {"diagonal", "[?][q]", "[?][q]", "[?][q]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += b[k][i + k] * c[j][k]", NULL, 0, 0, false},
    {"sum of a counter twice", "[?][q]", "[?][q]", "[?][q]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += b[k][2 * i] * c[j][k]", NULL, 0, 0, false},
    {"two places of one array", "[?][q]", "[?][q]", "[?][q]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += (b[k][i] + b[k][i + 1]) * c[j][k]", NULL, 0, 0, false},
    {"one array by itself", "[?][q]", "[?][q]", "[?]", L("j", "m") L("i", "n") L("k", "p"),
     "[j, i, k]: a[j][i] += b[k][i] * b[j][k]", NULL, 0, 0, false},
    {"no operand of y alone", "[?][q][q]", "[?][q][q]", "[?][q]",
     L("o", "3") L("j", "m") L("i", "n") L("k", "p"),
     "[o, j, i, k]: a[o][j][i] += b[j][k][i] * c[o][i]", NULL, 0, 0, false},
};
enum { CASES = sizeof cases / sizeof *cases };

static char *region_of(Arena *a, const Case *s, bool permit) {
    return arena_printf(a,
                        "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\n"
                        "param m: i32 = \"m\"\n"
                           "param p: i32 = \"p\"\nparam q: i32 = \"q\"\nparam u: i32 = \"u\"\n"
                           "array a%s: f32 = \"a\" live\narray b%s: f32 = \"b\"\narray c%s: f32 = \"c\"\n"
                           "do { %s S0%.*s }\nstmt S0%s\n}\n",
                        permit ? " reassociate" : "", s->a, s->b, s->c, s->loops, (int)strcspn(s->stmt, ":"),
                        s->stmt, s->stmt);
}

static bool find(Compile *c, const Case *s, bool permit, Nest **start, Contraction *k) {
    *start = start_of(c, region_of(c->arena, s, permit));
    return contraction_find(c, (*start)->region, dep_analyze(c, (*start)->region), k);
}

static void found(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const Case *s = &cases[i];
        Compile *c = compile_new();
        Nest *start;
        Contraction k;
        if (find(c, s, true, &start, &k) != (s->tiled != NULL)) fail_msg("%s", s->name);
        if (s->tiled) {
            char tiled[] = {k.x->iter->name[0], k.y->iter->name[0], k.k->iter->name[0], 0};
            if (strcmp(tiled, s->tiled)) fail_msg("%s: %s", s->name, tiled);
            if (k.nbatch != s->batch || k.naround != s->around) fail_msg("%s: %d and %d more loops", s->name,
                k.nbatch, k.naround);
        }
        compile_free(c);
    }
}

// A block has 64 x 32 elements: 16 x 8 threads, 4 x 4 each.
static const Tile tile = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2};

static void check(const Case *s, bool permit, Way way) {
    Compile *c = compile_new();
    Nest *start;
    Contraction k;
    Shape shape = {.tile = &tile, .way = way, .exact = way == WAY_DIRECT, .parts = 1};
    if (!find(c, s, permit, &start, &k) || !contraction_allows(&k, &shape)) {
        // What is permitted alone, or whole tiles alone, has other cases.
        if (way == WAY_SINGLE && permit) fail_msg("%s: not found", s->name);
        compile_free(c);
        return;
    }
    char *recipe = contraction_recipe(c->arena, &k, &shape);
    Nest *n = follow(c, start, recipe, JUDGE_NONE);
    if (!n && !(s->shifted && way != WAY_SINGLE)) fail_msg("%s: %s\n%s", s->name, last_diag(c), recipe);
    if (n) check_nest(c, s->name, n, (int)way);
    compile_free(c);
}

// SCULPT_TEST_ALL: everything; else a quarter, one way of each, others each time, and nothing that takes the
// judge a minute.
static void right(void **state) {
    (void)state;
    static const Way ways[] = {WAY_DIRECT, WAY_PACKED, WAY_SINGLE, WAY_ALIGNED};
    unsigned seed = (unsigned)test_seed();
    bool all = test_all();
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned v = 0; v < 8; v++) {
            bool chosen = v == (seed / 4 + i) % 8 && i % 4 == seed % 4 && cases[i].around < 2;
            if (cases[i].tiled && (all || chosen) && test_mine()) check(&cases[i], v & 1, ways[v / 2]);
        }
}

// The planner takes them; a third at a time.
static void planned(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (size_t i = 0; i < CASES; i++) {
        if (!cases[i].tiled || !test_takes(i, 3, seed)) continue;
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &cases[i], true)), *nest[PLAN_VARIANTS];
        int n = plan_variants(c, start->region, dep_analyze(c, start->region), "gpu", nest, PLAN_VARIANTS);
        if (!n) fail_msg("%s: no nest", cases[i].name);
        for (int k = 0; k < n; k++)
            if (!nest[k]->cost) fail_msg("%s: costs nothing", cases[i].name);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(right),
                                       cmocka_unit_test(planned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
