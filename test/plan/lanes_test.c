// SPDX-License-Identifier: MIT
// lanes_test.c -- a processor's nests with loops inside of the lanes: which there are, that they are right
#include "shaped.h"
#include <string.h>

typedef struct Lanes {
    const char *name, *text;
    bool lanes;              // are there any
} Lanes;
#define HEAD                                                                                         \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n    param n: i32 = \"n\"\n    param m: i32 = \"m\"\n" \
    "    param p: i32 = \"p\"\n"
static const Lanes regions[] = {
    {"pairs",
     HEAD "    array a[?][m]: f32 = \"a\" live\n    array x[?][p]: f32 = \"x\"\n"
     "    array y[?][p]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { local s: f32\n"
     "        S0[i, j] for d: i32 = 0 .. p { local t: f32\n S1[i, j, d] S2[i, j, d] } S3[i, j] } } }\n"
     "    stmt S0[i, j]: s = 0.0\n    stmt S1[i, j, d]: t = x[i][d] - y[j][d]\n"
     "    stmt S2[i, j, d]: s += t * t fused\n"
     "    stmt S3[i, j]: a[i][j] = s\n}\n", true},
    {"all pairs of rows",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { local s: f32\n        S0[i] for j: i32 = 0 .. m { "
     "if (x[i] < y[j]) (S1[i, j]) else S2[i, j] } S3[i] } }\n"
     "    stmt S0[i]: s = 0.0\n    stmt S1[i, j]: s += y[j] - x[i]\n    stmt S2[i, j]: s += x[i] * y[j]\n"
     "    stmt S3[i]: a[i] = s\n}\n", true},
    {"from one on",
     HEAD "    array a[n]: f64 = \"a\" live\n    array x[n]: f64 = \"x\"\n    array y[m]: f64 = \"y\"\n"
     "    do { for i: i32 = 1 .. n { for j: i32 = 0 .. m { S0[i, j] } } }\n"
     "    stmt S0[i, j]: a[i] += x[i - 1] * y[j]\n}\n", true},
    {"three loops, the sum in the middle",
     HEAD "    array a[?][m]: f32 = \"a\" live\n    array x[?][p]: f32 = \"x\"\n"
     "    array y[?][m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { for k: i32 = 0 .. p { for j: i32 = 0 .. m { S0[i, k, j] } } } }\n"
     "    stmt S0[i, k, j]: a[i][j] += max(x[i][k], y[k][j])\n}\n", true},
    {"rows stored apart", // lanes would write a row each
     HEAD "    array a[?][m]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n"
     "    do { for i: i32 = 0 .. n { local s: f32\n        S0[i] "
     "for j: i32 = 0 .. m { S1[i, j] S2[i, j] } } }\n"
     "    stmt S0[i]: s = 0.0\n    stmt S1[i, j]: s += x[i]\n    stmt S2[i, j]: a[i][j] = s\n}\n", false},
    {"a triangle",
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[n]: f32 = \"x\"\n"
     "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { S0[i, j] } } }\n"
     "    stmt S0[i, j]: a[i] += x[j]\n}\n", false},
    {"a matrix by a vector", // the matrix would be turned for one use
     HEAD "    array a[n]: f32 = \"a\" live\n    array x[?][m]: f32 = \"x\"\n    array y[m]: f32 = \"y\"\n"
     "    do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }\n"
     "    stmt S0[i, j]: a[i] += x[i][j] * y[j]\n}\n", false},
};

static bool has_lanes(Arena *a, const Nest *n) {
    const char *text = ir_print_nest(a, n), *v = strstr(text, " vector");
    return v != NULL;
}

static void region(const Lanes *l, const PlanOptions *o) {
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, l->name, l->text);
    if (!f) fail_msg("%s: %s", l->name, last_diag(c));
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), o);
    if (!n) fail_msg("%s: %s", l->name, last_diag(c));
    if (has_lanes(c->arena, n) != (l->lanes && !o->plain)) fail_msg("%s:\n%s", l->name,
        ir_print_nest(c->arena, n));
    static const int64_t sizes[][3] = {{33, 35, 5}, {16, 64, 3}, {70, 17, 1}, {19, 16, 0}, {64, 7, 4}};
    Verdict v = dep_judge(c, n->region, n->root);
    // conditions on data, caches of one element: compared alone
    if (v.answer == ANSWER_UNKNOWN) v = (Verdict){ANSWER_ALWAYS, NULL, NULL};
    if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s", l->name,
        v.why ? v.why : "not decided");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (is_right(n, &v, sizes[k]) != 1) fail_msg("%s: wrong at %d x %d x %d", l->name, (int)sizes[k][0],
                                                     (int)sizes[k][1], (int)sizes[k][2]);
    compile_free(c);
}

static void regions_all(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof regions / sizeof *regions; k++) region(&regions[k],
        &(PlanOptions){"cpu", true});
}

// What is left where the verifier refuses a quicker nest: the loops, mapped where they stand.
static void plain(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof regions / sizeof *regions; k++) {
        region(&regions[k], &(PlanOptions){"cpu", true, .plain = true});
        region(&regions[k], &(PlanOptions){"gpu", true, .plain = true});
    }
}

// A nest that is none costs a remark in plain words, not an error in the verifier's.
static void mistake(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = ir_parse(c, regions[0].name, regions[0].text);
    Nest *n = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"gpu", true});
    assert_true(n && plan_is_sound(c, n, "nothing"));
    Nest broken = *n;
    broken.root = node_kid(n->root, 0);
    assert_false(plan_is_sound(c, &broken, "nothing"));
    assert_int_equal(c->errors, 0);
    assert_int_equal(c->diags.at[c->diags.n - 1].code, SC_BUG);
    assert_string_equal(last_diag(c),
                        "nothing: sculpt made a mistake in their "
                        "kernels and noticed it; please report these loops");
    compile_free(c);
}

static const char *const norm =
    "sculpt 1 region norm sculpt { param n: i32 = \"n\" param m: i32 = \"m\" array x[n][m]: f32 = \"x\" "
    "array y[n][m]: f32 = \"y\" live do { for i: i32 = 0 .. n { local s: f32 S0[i] "
    "for j: i32 = 0 .. m S1[i, j] "
    "for k: i32 = 0 .. m S2[i, k] } } stmt S0[i]: s = 0.0 stmt S1[i, j]: s += x[i][j] * x[i][j] "
    "stmt S2[i, k]: y[i][k] = x[i][k] * s }";
static const char *const waves =
    "sculpt 1 region waves sculpt { param n: i32 = \"n\" array x[n]: f64 = \"x\" "
    "array y[n]: f64 = \"y\" live "
    "do { for k: i32 = 0 .. n { local s: f64 S0[k] for j: i32 = 0 .. n S1[k, j] S2[k] } } "
    "stmt S0[k]: s = 0.0 "
    "stmt S1[k, j]: s += x[j] * cos.f64(f64(k * j)) stmt S2[k]: y[k] = s }";
static const char *const bins =
    "sculpt 1 region bins sculpt { param n: i32 = \"n\" array h[256]: i32 = \"h\" live constant "
    "array key[n]: i32 = \"key\" do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: h[key[i] & 255] += 1 }";

static const char *text_of(Compile *c, const char *text, Nest **out, const Region **r) {
    IrFile *f = ir_parse(c, "region", text);
    if (!f) fail_msg("%s", last_diag(c));
    *r = f->region;
    *out = plan_default(c, f->region, dep_analyze(c, f->region), &(PlanOptions){"cpu", true});
    if (!*out) fail_msg("%s", last_diag(c));
    return ir_print_node(c->arena, (*out)->root, 0);
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *s = strstr(text, word); s; s = strstr(s + 1, word)) n++;
    return n;
}

// Does a loop of this name stand directly around the statement's first place?
static bool stands_in(const char *text, const char *stmt, const char *name) {
    const char *at = strstr(text, stmt), *loop = NULL;
    for (const char *s = strstr(text, "for "); s && s < at; s = strstr(s + 1, "for "))
        loop = s + strlen("for ");
    return loop && !strncmp(loop, name, strlen(name));
}

// Rows side by side share loops that wait; each keeps a free one, along memory. Calls leave sums one by one.
static void side_by_side(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n;
    const Region *r;
    const char *text = text_of(c, norm, &n, &r);
    assert_true(stands_in(text, "S1[", "r") && stands_in(text, "S2[", "k"));
    assert_false(has_lanes(c->arena, n));
    text = text_of(c, waves, &n, &r);
    assert_int_equal(count(text, "S1["), 1);
    Nest *shaped[1];
    text_of(c, bins, &n, &r);
    assert_int_equal(plan_variants(c, r, dep_analyze(c, r), "cpu", shaped, 1), 1);
    assert_non_null(strstr(shaped[0]->recipe, "privatize"));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(side_by_side), cmocka_unit_test(regions_all),
                                       cmocka_unit_test(plain),
                                       cmocka_unit_test(mistake)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
