// SPDX-License-Identifier: MIT
// triangles_test.c -- contractions of which a part is computed: half of the elements, or half of the terms of
// each; found in every spelling, proved, right at sizes around their tiles, and priced below the standard
// nest
#include "shaped.h"
#include "model/machine.h"
#include "model/model.h"
#include "plan/choose.h"
#include "run/pick.h"

typedef struct Spelling {
    const char *name, *type, *loops, *stmts;
} Spelling;
#define SUM(i, j, lo, hi)                                                                         \
    "for " i ": i32 = 0 .. n { for " j ": i32 = " lo " .. " hi " { local s: %s S0[" i ", " j "] " \
    "for k: i32 = 0 .. p { S1[" i ", " j ", k] } S2[" i ", " j "] "
#define GRAM "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += b[k][i] * b[k][j] stmt S2[i, j]: a[i][j] = s "
#define TERMS(lo, hi)                                                                          \
    "for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: %s S0[i, j] for k: i32 = " lo " .. " \
    hi " { S1[i, j, k] } S2[i, j] } }"
#define PRODUCT "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += c[i][k] * b[k][j] stmt S2[i, j]: a[i][j] = s "
static const Spelling spellings[] = {
    {"lower, mirrored", "f32", SUM("i", "j", "0", "i + 1") "S3[i, j] } }", GRAM "stmt S3[i, j]: a[j][i] = s"},
    {"upper", "f32", SUM("i", "j", "i", "n") "} }", GRAM},
    {"strictly lower, in rows", "f64", SUM("i", "j", "0", "i") "} }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += b[i][k] * b[j][k] "
     "stmt S2[i, j]: a[i][j] = s * alpha + a[i][j] * beta"},
    {"strictly upper, added", "f32", SUM("i", "j", "i + 1", "n") "} }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += b[i][k] * c[j][k] stmt S2[i, j]: a[j][i] += s"},
    {"by a condition", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. n { if (j <= i) { local s: %s S0[i, j] "
     "for k: i32 = 0 .. p { S1[i, j, k] } S2[i, j] } } }",
     GRAM},
    {"in place", "f32", "for i: i32 = 0 .. n { for j: i32 = 0 .. i + 1 { "
     "for k: i32 = 0 .. p { S0[i, j, k] } } }",
     "stmt S0[i, j, k]: a[i][j] += b[k][i] * b[k][j]"},
    {"scaled before, two terms", "f64",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. i + 1 S0[i, j] for k: i32 = 0 .. p { "
     "for l: i32 = 0 .. i + 1 { S1[i, k, l] } } }",
     "stmt S0[i, j]: a[i][j] *= beta stmt S1[i, k, l]: a[i][l] += b[l][k] * alpha * c[i][k] + c[l][k] * "
     "alpha * b[i][k]"},
    {"in place, mirrored", "f64",
     "for i: i32 = 0 .. n { for j: i32 = i .. n { S0[i, j] "
     "for k: i32 = 0 .. p { S1[i, j, k] } S2[i, j] S3[i, j] } }",
     "stmt S0[i, j]: a[i][j] = 0.0 stmt S1[i, j, k]: a[i][j] += b[k][i] * b[k][j] "
     "stmt S2[i, j]: a[i][j] = a[i][j] / alpha "
     "stmt S3[i, j]: a[j][i] = a[i][j]"},
    {"in place, mirrored by loops of their own", "f32",
     "for i: i32 = 0 .. n { for j: i32 = i .. n { S0[i, j] for k: i32 = 0 .. p { S1[i, j, k] } } } "
     "for y: i32 = 0 .. n { for x: i32 = 0 .. y { S2[y, x] } }",
     "stmt S0[i, j]: a[i][j] = 0.0 stmt S1[i, j, k]: a[i][j] += b[k][i] * b[k][j] "
     "stmt S2[y, x]: a[y][x] = a[x][y]"},
    {"mirrored but on the diagonal", "f32", SUM("i", "j", "0", "i + 1") "if (i != j) { S3[i, j] } } }",
     GRAM "stmt S3[i, j]: a[j][i] = s"},
    {"two sums for one element", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. i + 1 { local s: %s local t: f32 S0[i, j] S1[i, j] "
     "for k: i32 = 0 .. p { S2[i, j, k] S3[i, j, k] } S4[i, j] } }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j]: t = 0.0 stmt S2[i, j, k]: s += b[i][k] * c[j][k] "
     "stmt S3[i, j, k]: t += c[i][k] * b[j][k] "
     "stmt S4[i, j]: a[i][j] = beta * a[i][j] + alpha * (s + t)"},
    {"floats summed in double", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. i + 1 { local s: f64 S0[i, j] "
     "for k: i32 = 0 .. p { S1[i, j, k] } S2[i, j] } }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += f64(b[i][k]) * f64(c[j][k]) "
     "stmt S2[i, j]: a[i][j] = f32(s)"},
    {"less what is the same along the sum", "f32", SUM("i", "j", "i", "n") "} }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += (b[k][i] - c[0][i]) * (b[k][j] - c[0][j]) "
     "stmt S2[i, j]: a[i][j] = s"},
    {"terms up to the row", "f32", TERMS("0", "i + 1"), PRODUCT},
    {"terms from the row on", "f64", TERMS("i + 1", "n"), PRODUCT},
    {"terms by a condition", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: %s S0[i, j] for k: i32 = 0 .. n { "
     "if (k < i) { S1[i, j, k] } } S2[i, j] } }", PRODUCT},
    {"a half that is spread", "f64",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. m { for k: i32 = 0 .. i { S0[i, j, k] } } }",
     "stmt S0[i, j, k]: a[k][j] += alpha * b[i][j] * c[i][k]"},
    {"a half of floats that is spread", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. m { for k: i32 = 0 .. i { S0[i, j, k] } } }",
     "stmt S0[i, j, k]: a[k][j] += alpha * b[i][j] * c[i][k]"},
};
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

static char *region_of(Arena *a, const Spelling *s, const char *head) {
    Text t = text_new(a);
    text_printf(&t, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\n%s", head);
    text_printf(&t, "param alpha: %s = \"alpha\"\nparam beta: %s = \"beta\"\n", s->type, s->type);
    for (const char *x = "abc"; *x; x++)
        text_printf(&t, "array %c[q][q]: %s = \"%c\"%s\n", *x, s->type, *x, *x == 'a' ? " live" : "");
    const char *cut = strstr(s->loops, "%s");
    text_printf(&t, "do { %.*s%s%s }\n%s\n}\n", cut ? (int)(cut - s->loops) : (int)strlen(s->loops), s->loops,
                cut ? s->type : "", cut ? cut + 2 : "", s->stmts);
    return arena_strdup(a, text_str(&t));
}

#define SIZES "param n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam p: i32 = \"p\"\nparam q: i32 = \"q\"\n"

// A block has 64 x 32 elements: 16 x 8 threads, 4 x 4 each.
static const Tile tile = {.px = 1, .py = 2, .lx = 4, .ly = 4, .wx = 2, .wy = 2, .bk = 8, .stages = 2};

static void check(const Spelling *s, Way way, int parts) {
    Compile *c = compile_new();
    Nest *start = start_of(c, region_of(c->arena, s, SIZES));
    Contraction k;
    if (!contraction_find_sum(c, start->region, dep_analyze(c, start->region), start,
                              &k)) fail_msg("%s: not found", s->name);
    assert_true(k.triangle != k.strip);
    Shape shape = {.tile = &tile, .way = way, .parts = parts};
    if (contraction_allows(&k, &shape)) {
        char *recipe = contraction_recipe(c->arena, &k, &shape);
        Nest *n = follow(c, start, recipe, JUDGE_NONE);
        // What is used of an array whose diagonal is not may end between vectors.
        bool vectors = way == WAY_ALIGNED || way == WAY_PACKED;
        bool between = !n && vectors && strstr(last_diag(c), "a vector would begin between");
        if (!n && !between) fail_msg("%s: %s\n%s", s->name, last_diag(c), recipe);
        if (n) check_nest(c, s->name, n, (int)way);
    }
    compile_free(c);
}

// SCULPT_TEST_ALL: everything; else some of them, others each time.
static void parts_of_products(void **state) {
    (void)state;
    static const Way ways[] = {WAY_PACKED, WAY_SINGLE, WAY_ALIGNED};
    unsigned seed = (unsigned)test_seed();
    for (unsigned k = 0; k < SPELLINGS; k++)
        for (unsigned v = 0; v < 6; v++)
            if ((test_all() || (k % 6 == seed % 6 && v == (seed / 3 + k) % 6)) && test_mine())
                check(&spellings[k], ways[v / 2], v % 2 ? 3 : 1);
}

// Some that become products once their loops are cut, or reads see what was there before.
static const Spelling cut[] = {
    {"terms in two loops", "f32",
     "for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: %s S0[i, j] "
     "for k: i32 = 0 .. i + 1 { S1[i, j, k] } for l: i32 = i + 1 .. n { S2[i, j, l] } S3[i, j] } }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += b[i][k] * c[k][j] "
     "stmt S2[i, j, l]: s += b[l][i] * c[l][j] "
     "stmt S3[i, j]: a[i][j] = alpha * s"},
    {"in place, from the last row on", "f32",
     "for i: i32 = n - 1 .. -1 step -1 { for j: i32 = 0 .. m { S0[i, j] "
     "for k: i32 = 0 .. i { S1[i, j, k] } } }",
     "stmt S0[i, j]: a[i][j] *= b[i][i] stmt S1[i, j, k]: a[i][j] += b[i][k] * a[k][j]"},
};

// Of a call the model prices them at less than that part of what the planner makes else.
static void check_price(const Spelling *s, double part) {
    Compile *c = compile_new();
    const Region *r = start_of(c, region_of(c->arena, s, SIZES))->region;
    const DepInfo *d = dep_analyze(c, r);
    const char *why;
    const Machine *m = machine_find(c->arena, "H200", &why);
    InterpVal vals[8];
    Nest *nest[PLAN_VARIANTS], *standard = plan_default(c, r, d, &(PlanOptions){"gpu", .asserted = true});
    set_sizes(r, (int64_t[]){1024, 1024, 1024}, vals);
    for (int i = 0; i < r->nparams; i++)
        if (str_eq(r->params[i]->name, "q")) vals[i].i = 1024;
    PlanCall call = {.target = "gpu", .nvals = r->nparams, .vals = vals, .machine = m,
                     .processors = (int)m->sms, .most = 1};
    int n = plan_variants_for(c, r, d, &call, standard, nest, PLAN_VARIANTS);
    if (!n || !standard) fail_msg("%s: no nest", s->name);
    double tiled = model_price(model_priced(c->arena, nest[0], m), r->nparams, vals).seconds,
           plain = model_price(model_priced(c->arena, standard, m), r->nparams, vals).seconds;
    if (!(tiled < part * plain)) fail_msg("%s: %g s beside %g s", s->name, tiled, plain);
    compile_free(c);
}

static void pay(void **state) {
    (void)state;
    for (unsigned k = 0; k < SPELLINGS; k++) check_price(&spellings[k], 1);
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) check_price(&cut[k], 0.8);
}

// Strips behind the whole ones add to sums in chunks, too, which meet memory through shared memory: right for
// all sizes.
static void chunks(void **state) {
    (void)state;
    static const Spelling from_row = {"added from the row on", "f32",
        "for i: i32 = 0 .. n { for j: i32 = 0 .. m { for k: i32 = i + 1 .. n { S0[i, j, k] } } }",
        "stmt S0[i, j, k]: a[i][j] += c[i][k] * b[k][j]"};
    Tile t = tile;
    t.wy = 1, t.chunk = 16, t.shared_sums = t.through_sums = true;
    Shape shape = {.tile = &t, .way = WAY_PACKED, .parts = 1};
    Compile *c = compile_new();
    Nest *start = start_of(c, region_of(c->arena, &from_row, SIZES));
    Contraction k;
    assert_true(contraction_find_sum(c, start->region, dep_analyze(c, start->region), start, &k));
    char *recipe = contraction_recipe(c->arena, &k, &shape);
    assert_non_null(strstr(recipe, "through=sum"));
    Nest *n = follow(c, start, recipe, JUDGE_NONE);
    if (!n) fail_msg("%s\n%s", last_diag(c), recipe);
    InterpVal vals[8];
    set_sizes(n->region, (int64_t[]){70, 33, 37}, vals);
    Verdict v = dep_judge(c, n->region, n->root);
    bool here = v.answer == ANSWER_WHEN &&
                pick_holds(&(Nest){.when = v.when}, false, n->region->nparams, vals);
    assert_true(v.answer == ANSWER_ALWAYS || here);
    check_nest(c, from_row.name, n, 0);
    compile_free(c);
}

// The first row spreads nothing: strips of the sum begin at the second, as packed operands do.
static void begin(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *start = start_of(c, region_of(c->arena, &spellings[SPELLINGS - 1], SIZES));
    Contraction k;
    assert_true(contraction_find_sum(c, start->region, dep_analyze(c, start->region), start, &k));
    if (!expr_is_int(k.k->lo, 1)) fail_msg("%s", k.before);
    compile_free(c);
}

// Conditions that are no bounds of a loop leave no triangle.
static void refused(void **state) {
    (void)state;
    static const Spelling others[] = {
        {"every second element", "f32",
         "for i: i32 = 0 .. n { for j: i32 = 0 .. n { if ((i + j) % 2 == 0) { local s: %s S0[i, j] "
         "for k: i32 = 0 .. p { S1[i, j, k] } S2[i, j] } } }",
         GRAM},
        {"a plain one", "f32",
         "for i: i32 = 0 .. n { for j: i32 = 0 .. n { for k: i32 = 0 .. p { S0[i, j, k] } } }",
         "stmt S0[i, j, k]: a[i][j] += b[k][i] * b[k][j]"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        Compile *c = compile_new();
        Nest *start = start_of(c, region_of(c->arena, &others[k], SIZES));
        Contraction found;
        if (contraction_find_sum(c, start->region, dep_analyze(c, start->region), start,
                                 &found)) fail_msg("%s: found", others[k].name);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_products), cmocka_unit_test(pay),
                                       cmocka_unit_test(chunks), cmocka_unit_test(begin),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
