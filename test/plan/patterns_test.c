// SPDX-License-Identifier: MIT
// patterns_test.c -- which pattern rules match, what recipe comes of it, and optional steps.
#include "../rule/follow.h"
#include "plan/patterns.h"

#define REGION(PARAMS, ARRAYS, TREE, STMTS)                                                        \
    "sculpt 1 region r sculpt { param n: i32 = \"n\" " PARAMS ARRAYS " do { " TREE " } " STMTS " }"
#define ROWS "array x[n][p]: f32 = \"x\" array y[n][p]: f32 = \"y\" "
#define OUT "array o[n][n]: f32 = \"o\" live "
#define P "param p: i32 = \"p\" "

static IrFile *parsed(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "r", text);
    if (!f) fail_msg("%s\n%s", last_diag(c), text);
    return f;
}

static const char *found(Compile *c, const Patterns *p) {
    Text t = text_new(c->arena);
    for (int k = 0; k < PATTERN_COUNT; k++)
        if (p->has[k]) text_printf(&t, "%s%s", t.n ? " " : "", pattern_name(k));
    return text_str(&t);
}

// Names, order of statements, summed in place or in a scalar: what counts is the reference.
static void kinds(void **state) {
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        // A[i][k] B[k][j], two loops of threads.
        {REGION(P, "array a[n][p]: f32 = \"a\" array b[p][n]: f32 = \"b\" " OUT,
                "for u: i32 = 0 .. n for v: i32 = 0 .. n { local s: f32 S0[u, v] "
                "for w: i32 = 0 .. p S1[u, v, w] S2[u, v] }",
                "stmt S0[u, v]: s = 0.0 stmt S1[u, v, w]: s += b[w][v] * a[u][w] stmt S2[u, v]: o[u][v] = s"),
         "define stage"},
        // Summed in place: the element is kept, too.
        {REGION(P, "array a[n][p]: f32 = \"a\" array b[p][n]: f32 = \"b\" " OUT,
                "for i: i32 = 0 .. n for j: i32 = 0 .. n for k: i32 = 0 .. p S0[i, j, k]",
                "stmt S0[i, j, k]: o[i][j] += a[i][k] * b[k][j]"),
         "define hoist stage"},
        // A stride of two is no tile.
        {REGION(P, "array a[n][p]: f32 = \"a\" array b[p][n]: f32 = \"b\" " OUT,
                "for i: i32 = 0 .. n for j: i32 = 0 .. n for k: i32 = 0 .. p step 2 S0[i, j, k]",
                "stmt S0[i, j, k]: o[i][j] += a[i][k] * b[k][j]"),
         "define hoist"},
        // All pairs of rows: one marked loop, so the rows of x are its threads'.
        {REGION(P, ROWS OUT,
                "for i: i32 = 0 .. n mark (parallel @1:1) @1:1 for j: i32 = 0 .. n { local s: f32 S0[i, j] "
                "for d: i32 = 0 .. p S1[i, j, d] S2[i, j] }",
                "stmt S0[i, j]: s = 0.0 stmt S1[i, j, d]: s += x[i][d] * y[j][d] stmt S2[i, j]: o[i][j] = s"),
         "define transpose hoist-loop"},
        // The same without a mark: both loops are threads.
        {REGION(P, ROWS OUT,
                "for i: i32 = 0 .. n for j: i32 = 0 .. n { local s: f32 S0[i, j] "
                "for d: i32 = 0 .. p S1[i, j, d] S2[i, j] }",
                "stmt S0[i, j]: s = 0.0 stmt S1[i, j, d]: s += x[i][d] * y[j][d] stmt S2[i, j]: o[i][j] = s"),
         "define stage"},
        // Transposed with two thread loops.
        {REGION("", "array a[n][n]: f32 = \"a\" " OUT, "for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j]",
                "stmt S0[i, j]: o[i][j] = a[j][i]"),
         "define transpose"},
        // Neighbours, and neighbours of what is written: no stencil.
        {REGION("", "array a[n + 2]: f32 = \"a\" array z[n]: f32 = \"z\" live ", "for i: i32 = 0 .. n S0[i]",
                "stmt S0[i]: z[i] = a[i] + a[i + 2]"),
         "define stencil"},
        {REGION("", "array z[n]: f32 = \"z\" live ", "for i: i32 = 0 .. n S0[i]",
                "stmt S0[i]: z[i] = z[i] * 2.0"), "define"},
        // One body against all: what names no loop.
        {REGION("", "array m[n]: f32 = \"m\" array z[n]: f32 = \"z\" live ",
                "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. n S1[i, j] S2[i] }",
                "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += m[i] * m[j] stmt S2[i]: z[i] = s"),
         "define hoist"},
        // Nothing runs in parallel.
        {REGION("", "array z[n + 1]: f32 = \"z\" live ", "for i: i32 = 1 .. n S0[i]",
                "stmt S0[i]: z[i] = z[i - 1] * 2.0"), "define"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        IrFile *f = parsed(c, cases[k].text);
        const DepInfo *d = dep_analyze(c, f->region);
        Patterns *p = patterns_of(c, f->region, d);
        if (!str_eq(found(c, p), cases[k].want)) fail_msg("%s\nmatches '%s', not '%s'", cases[k].text,
                                                          found(c, p), cases[k].want);
        compile_free(c);
    }
}

// The recipe means what the region means, with any of its optional steps left out, and holds a step of
// each kind that is wanted.
static void check_recipe(const char *text, int nvals, const int64_t *values, const char *const *steps) {
    Compile *c = compile_new();
    IrFile *f = parsed(c, text);
    const DepInfo *d = dep_analyze(c, f->region);
    InterpVal vals[8];
    for (int i = 0; i < nvals; i++) vals[i] = (InterpVal){.sym = f->region->params[i], .i = values[i]};
    const char *recipe = patterns_recipe(c, d, patterns_of(c, f->region, d), nvals, vals),
        *name[RECIPE_OPTIONAL];
    if (!recipe) fail_msg("%s", last_diag(c));
    for (int i = 0; steps[i]; i++)
        if (!strstr(recipe, steps[i])) fail_msg("the recipe has no '%s':\n%s", steps[i], recipe);
    int n = recipe_optional(c->arena, recipe, name);
    for (unsigned with = 0; with < 1u << n; with++) {
        Text without = text_new(c->arena);
        for (int i = 0; i < n; i++)
            if (!(with >> i & 1)) text_printf(&without, "%s%s", without.n ? "," : "", name[i]);
        RecipeOptions o = {.judging = JUDGE_LAST, .file = "recipe", .without = text_str(&without)};
        Nest *nest = recipe_apply(c, plan_start(c, f->region, d, "gpu"), recipe, &o);
        if (!nest) fail_msg("without '%s': %s\n%s", text_str(&without), last_diag(c), recipe);
        check_values(nest);
    }
    compile_free(c);
}

static void recipes(void **state) {
    (void)state;
    static const char product[] = REGION(P, "array a[n][p]: f32 = \"a\" array b[p][n]: f32 = \"b\" " OUT,
                                         "for i: i32 = 0 .. n for j: i32 = 0 .. n { local s: f32 S0[i, j] "
                                         "for k: i32 = 0 .. p S1[i, j, k] S2[i, j] }",
                                         "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += a[i][k] * b[k][j] "
                                         "stmt S2[i, j]: o[i][j] = s");
    check_recipe(product, 0, NULL, (const char *const[]){"maybe stage: stage a at=kb",
                                                         "maybe stage: stage b at=kb", "maybe edge: edge",
    "unless stage: map thread", NULL});
    // Known sizes: all that the block reads is a constant box.
    check_recipe(product, 2, (const int64_t[]){33, 17},
                 (const char *const[]){"maybe define: define n value=33", "maybe stage: stage a at=jb",
                                       NULL});
    check_recipe(REGION(P, ROWS OUT,
                        "for i: i32 = 0 .. n mark (parallel @1:1) @1:1 for j: i32 = 0 .. n { "
                        "local s: f32 S0[i, j] for d: i32 = 0 .. p S1[i, j, d] S2[i, j] }",
                        "stmt S0[i, j]: s = 0.0 stmt S1[i, j, d]: s += x[i][d] * y[j][d] "
                        "stmt S2[i, j]: o[i][j] = s"),
                 2, (const int64_t[]){33, 3}, (const char *const[]){"maybe hoist-loop: hoist x at=j",
                     "maybe transpose: transpose x at=k0 order=1,0", NULL});
    check_recipe(REGION("", "array a[n + 2][n + 2]: f32 = \"a\" " OUT,
                        "for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j]",
                        "stmt S0[i, j]: o[i][j] = a[i + 1][j + 1] + a[i][j + 1] + a[i + 2][j + 1] + "
                        "a[i + 1][j] + a[i + 1][j + 2]"),
                 0, NULL, (const char *const[]){"maybe stencil: stage a at=jb", NULL});
    check_recipe(REGION("", "array m[n]: f32 = \"m\" array z[n]: f32 = \"z\" live ",
                        "for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. n S1[i, j] S2[i] }",
                        "stmt S0[i]: s = 0.0 stmt S1[i, j]: s += m[i] * m[j] stmt S2[i]: z[i] = s"),
                 1, (const int64_t[]){33}, (const char *const[]){"maybe hoist: hoist m at=j", NULL});
}

#define PLAIN                                                                \
    REGION("", "array z[n]: f32 = \"z\" live ", "for i: i32 = 0 .. n S0[i]", \
           "stmt S0[i]: z[i] = z[i] * 2.0")

static void optional(void **state) {
    (void)state;
    static const struct {
        const char *recipe, *without, *want; // the steps recorded; "!words": the error
    } cases[] = {
        {"maybe a: strip i by=4 as=ib,it\nmaybe a: map block ib", NULL,
         "strip i by=4 as=ib,it\nmap block ib\n"},
        {"maybe a: strip i by=4 as=ib,it\nunless a: map block i", "a", "map block i\n"},
        {"maybe a: strip i by=4 as=ib,it\nunless a: map block i", "b", "strip i by=4 as=ib,it\n"},
        // One that does not fit takes the others of its name with it.
        {"maybe a: reverse i\nmaybe b: strip i by=4 as=ib,it\nmaybe b: map block q\nunless b: map block i",
         NULL, "reverse i\nmap block i\n"},
        {"maybe a: map block q\nmaybe b: map block r", NULL, ""},
        {"maybe a: map block q\nunless a: map block r", NULL, "!there is no loop r"},
        {"maybe a reverse i", NULL, "!an optional step is: maybe NAME: STEP"},
        {"maybe a: trust me: it is so\nmaybe a: reverse i", NULL, "trust me: it is so\nreverse i\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        RecipeOptions o = {.judging = JUDGE_EACH, .file = "r", .without = cases[k].without};
        Nest *n = recipe_apply(c, start_of(c, PLAIN), cases[k].recipe, &o);
        if (*cases[k].want == '!') {
            assert_null(n);
            if (!strstr(last_diag(c), cases[k].want + 1)) fail_msg("%s: %s", cases[k].recipe, last_diag(c));
        } else {
            if (!n) fail_msg("%s: %s", cases[k].recipe, last_diag(c));
            assert_string_equal(n->recipe, cases[k].want);
            assert_int_equal(c->errors, 0);
        }
        compile_free(c);
    }
    Arena *a = arena_new();
    const char *name[RECIPE_OPTIONAL];
    assert_int_equal(recipe_optional(a, cases[3].recipe, name), 2);
    assert_string_equal(name[0], "a");
    assert_string_equal(name[1], "b");
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(recipes),
                                       cmocka_unit_test(optional)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
