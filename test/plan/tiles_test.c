// SPDX-License-Identifier: MIT
// tiles_test.c -- convolutions, banks of filters and contractions of tensors, in several spellings: tiles of
// several loops a side are taken, proved, and right
#include "shaped.h"
#include "model/machine.h"
#include "plan/choose.h"

enum { SIZES = 5 };
typedef struct Case {
    const char *name, *arrays, *loops, *stmts;
    bool permit;
    const char *wanted;        // stands in the recipe; NULL: no such tiles
    int64_t large[SIZES];      // of the call: n, m, p, q, r
    int64_t small[SIZES];      // where values are compared
} Case;
#define IMAGES                                                                   \
    "array x[n][m][q + 2][r + 2]: f32 = \"x\" array w[p][m][3][3]: f32 = \"w\" " \
    "array y[n][p][q][r]: f32 = \"y\" live "
#define PLACES "for b: i32 = 0 .. n for o: i32 = 0 .. p for i: i32 = 0 .. q for j: i32 = 0 .. r "
#define SQUARE "for u: i32 = 0 .. 3 for v: i32 = 0 .. 3 "
#define CHANNELS "for c: i32 = 0 .. m "
#define TENSORS                                                          \
    "array x[n][p][n][q]: f32 = \"x\" array y[q][m][p][m]: f32 = \"y\" " \
    "array z[n][n][m][m]: f32 = \"z\" live "
#define ELEMENTS "for a: i32 = 0 .. n for b: i32 = 0 .. n for c: i32 = 0 .. m for d: i32 = 0 .. m "
#define GRADIENT "array x[n][m][q + 2][r + 2]: f32 = \"x\" array w[p][9 * m]: f32 = \"w\" live " \
                 "array y[n][p][q][r]: f32 = \"y\" "
#define WEIGHTS "for o: i32 = 0 .. p for c: i32 = 0 .. m " SQUARE
#define OF_IMAGES {16, 64, 64, 128, 128}, {1, 3, 6, 5, 7}
#define OF_TENSORS {64, 64, 64, 64, 1}, {3, 8, 2, 18, 1}
static const Case cases[] = {
    {"images, channels, rows, columns", IMAGES,
     PLACES "{ local s: f32 S0[b, o, i, j] " CHANNELS SQUARE "S1[b, o, i, j, c, u, v] S2[b, o, i, j] }",
     "stmt S0[b, o, i, j]: s = 0.0 stmt S1[b, o, i, j, c, u, v]: s += x[b][c][i + u][j + v] * w[o][c][u][v] "
     "fused stmt S2[b, o, i, j]: y[b][o][i][j] = s",
     true, "hoist s_x at=vkt", OF_IMAGES},
    {"in place and in strict order", IMAGES,
     PLACES "{ S0[b, o, i, j] " CHANNELS SQUARE "S1[b, o, i, j, c, u, v] }",
     "stmt S0[b, o, i, j]: y[b][o][i][j] = 0.0 "
     "stmt S1[b, o, i, j, c, u, v]: y[b][o][i][j] += x[b][c][i + u][j + v] * w[o][c][u][v]",
     false, "hoist y at=vkt", OF_IMAGES},
    {"channels inside", IMAGES, PLACES "{ S0[b, o, i, j] " SQUARE CHANNELS "S1[b, o, i, j, u, v, c] }",
     "stmt S0[b, o, i, j]: y[b][o][i][j] = 0.0 "
     "stmt S1[b, o, i, j, u, v, c]: y[b][o][i][j] += x[b][c][i + u][j + v] * w[o][c][u][v]",
     true, "hoist y at=vkt", OF_IMAGES},
    {"channels inside, in strict order", IMAGES,
     PLACES "{ S0[b, o, i, j] " SQUARE CHANNELS "S1[b, o, i, j, u, v, c] }",
     "stmt S0[b, o, i, j]: y[b][o][i][j] = 0.0 "
     "stmt S1[b, o, i, j, u, v, c]: y[b][o][i][j] += x[b][c][i + u][j + v] * w[o][c][u][v]",
     false, NULL, OF_IMAGES},
    {"channels last", "array x[n][q + 2][r + 2][m]: f32 = \"x\" array w[3][3][m][p]: f32 = \"w\" "
     "array y[n][q][r][p]: f32 = \"y\" live ",
     "for b: i32 = 0 .. n for i: i32 = 0 .. q for j: i32 = 0 .. r for o: i32 = 0 .. p { "
     "local s: f32 S0[b, i, j, o] " SQUARE CHANNELS "S1[b, i, j, o, u, v, c] S2[b, i, j, o] }",
     "stmt S0[b, i, j, o]: s = 0.0 stmt S1[b, i, j, o, u, v, c]: s += x[b][i + u][j + v][c] * w[u][v][c][o] "
     "fused stmt S2[b, i, j, o]: y[b][i][j][o] = s",
     true, "map thread vyl vxl vol", OF_IMAGES},
    {"every second place, and what comes before and behind",
     "array x[n][m][2 * q + 3][2 * r + 3]: f32 = \"x\" array w[p][m][5][5]: f32 = \"w\" "
     "array t[p]: f32 = \"t\" array y[n][p][q][r]: f32 = \"y\" live ",
     PLACES "{ local s: f32 S0[b, o, i, j] " CHANNELS "for u: i32 = 0 .. 5 "
     "for v: i32 = 0 .. 5 S1[b, o, i, j, c, u, v] S2[b, o, i, j] }",
     "stmt S0[b, o, i, j]: s = t[o] stmt S1[b, o, i, j, c, u, v]: s += x[b][c][2 * i + u][2 * j + v] * "
     "w[o][c][u][v] fused stmt S2[b, o, i, j]: y[b][o][i][j] = max(s, 0.0)",
     true, "hoist s_x at=vkt", {16, 64, 64, 56, 56}, {1, 2, 5, 4, 7}},
    {"places beyond the border are left out",
     "array x[n][m][q][r]: f32 = \"x\" array w[p][m][3][3]: f32 = \"w\" "
     "array y[n][p][q][r]: f32 = \"y\" live ",
     PLACES "{ S0[b, o, i, j] " CHANNELS SQUARE "if (i + u >= 1 && i + u <= q && j + v >= 1 && j + v <= r) "
     "S1[b, o, i, j, c, u, v] }",
     "stmt S0[b, o, i, j]: y[b][o][i][j] = 0.0 "
     "stmt S1[b, o, i, j, c, u, v]: y[b][o][i][j] += x[b][c][i + u - 1][j + v - 1] * w[o][c][u][v] fused",
     false, "hoist y at=vkt", OF_IMAGES},
    {"one dimension, double",
     "array x[n][m][r + 6]: f64 = \"x\" array w[p][m][7]: f64 = \"w\" array y[n][p][r]: f64 = \"y\" live ",
     "for b: i32 = 0 .. n for o: i32 = 0 .. p for j: i32 = 0 .. r { local s: f64 S0[b, o, j] " CHANNELS
     "for v: i32 = 0 .. 7 S1[b, o, j, c, v] S2[b, o, j] }",
     "stmt S0[b, o, j]: s = 0.0 stmt S1[b, o, j, c, v]: s += x[b][c][j + v] * w[o][c][v] "
     "stmt S2[b, o, j]: y[b][o][j] = s",
     false, "stage x at=c as=w0_s", {16, 64, 128, 1, 10000}, {1, 3, 5, 1, 70}},
    {"three dimensions, whole numbers",
     "array x[n][m][q + 2][q + 2][r + 2]: i32 = \"x\" array w[p][m][3][3][3]: i32 = \"w\" "
     "array y[n][p][q][q][r]: i32 = \"y\" live ",
     "for b: i32 = 0 .. n for o: i32 = 0 .. p for h: i32 = 0 .. q for i: i32 = 0 .. q "
     "for j: i32 = 0 .. r { S0[b, o, h, i, j] " CHANNELS "for t: i32 = 0 .. 3 " SQUARE
     "S1[b, o, h, i, j, c, t, u, v] }",
     "stmt S0[b, o, h, i, j]: y[b][o][h][i][j] = 0 stmt S1[b, o, h, i, j, c, t, u, v]: y[b][o][h][i][j] += "
     "x[b][c][h + t][i + u][j + v] * w[o][c][t][u][v]",
     false, "hoist y at=vkt", {4, 32, 64, 32, 32}, {1, 1, 3, 2, 5}},
    {"one image for many filters",
     "array x[q + 6][r + 6]: f32 = \"x\" array w[p][7][7]: f32 = \"w\" array y[p][q][r]: f32 = \"y\" live ",
     "for o: i32 = 0 .. p for i: i32 = 0 .. q for j: i32 = 0 .. r { local s: f32 S0[o, i, j] "
     "for u: i32 = 0 .. 7 for v: i32 = 0 .. 7 S1[o, i, j, u, v] S2[o, i, j] }",
     "stmt S0[o, i, j]: s = 0.0 stmt S1[o, i, j, u, v]: s += x[i + u][j + v] * w[o][u][v] fused "
     "stmt S2[o, i, j]: y[o][i][j] = s",
     true, "hoist s_x at=v as=wsum", {1, 1, 64, 1024, 1024}, {1, 1, 5, 4, 7}},
    {"a filter for each channel",
     "array x[m][q + 2][r + 2]: f32 = \"x\" array w[m][3][3]: f32 = \"w\" "
     "array y[m][q][r]: f32 = \"y\" live ",
     "for c: i32 = 0 .. m for i: i32 = 0 .. q for j: i32 = 0 .. r { S0[c, i, j] " SQUARE
     "S1[c, i, j, u, v] }",
     "stmt S0[c, i, j]: y[c][i][j] = 0.0 "
     "stmt S1[c, i, j, u, v]: y[c][i][j] += x[c][i + u][j + v] * w[c][u][v]",
     true, NULL, {1, 64, 1, 512, 512}, {1, 5, 1, 9, 11}},
    {"the gradient of a convolution's weights, in parts", GRADIENT,
     WEIGHTS "{ local s: f32 S0[o, c, u, v] for b: i32 = 0 .. n for i: i32 = 0 .. q for j: i32 = 0 .. r "
     "S1[o, c, u, v, b, i, j] S2[o, c, u, v] }",
     "stmt S0[o, c, u, v]: s = 0.0 stmt S1[o, c, u, v, b, i, j]: s += x[b][c][i + u][j + v] * y[b][o][i][j] "
     "fused stmt S2[o, c, u, v]: w[o][9 * c + 3 * u + v] = s",
     true, "splitk i by=", {16, 64, 64, 56, 56}, {2, 3, 5, 33, 4}},
    {"the gradient of a convolution's weights, in strict order", GRADIENT,
     WEIGHTS "{ local s: f32 S0[o, c, u, v] for b: i32 = 0 .. n for i: i32 = 0 .. q for j: i32 = 0 .. r "
     "S1[o, c, u, v, b, i, j] S2[o, c, u, v] }",
     "stmt S0[o, c, u, v]: s = 0.0 stmt S1[o, c, u, v, b, i, j]: s += x[b][c][i + u][j + v] * y[b][o][i][j] "
     "stmt S2[o, c, u, v]: w[o][9 * c + 3 * u + v] = s",
     false, "hoist s_x at=b", {16, 256, 256, 14, 14}, {1, 3, 5, 4, 7}},
    {"the gradient of a convolution's image",
     "array y[n][p][q][r]: f32 = \"y\" array w[p][9 * m]: f32 = \"w\" "
     "array x[n][m][q][r]: f32 = \"x\" live ",
     "for b: i32 = 0 .. n for c: i32 = 0 .. m for i: i32 = 0 .. q for j: i32 = 0 .. r { S0[b, c, i, j] "
     "for o: i32 = 0 .. p " SQUARE "if (i - u >= -1 && i - u + 1 < q && j - v >= -1 && j - v + 1 < r) "
     "S1[b, c, i, j, o, u, v] }",
     "stmt S0[b, c, i, j]: x[b][c][i][j] = 0.0 stmt S1[b, c, i, j, o, u, v]: "
     "x[b][c][i][j] += w[o][9 * c + 3 * u + v] * y[b][o][i - u + 1][j - v + 1]",
     false, "hoist x at=vkt", OF_IMAGES},
    {"tensors", TENSORS,
     ELEMENTS "{ local s: f32 S0[a, b, c, d] for e: i32 = 0 .. p "
     "for f: i32 = 0 .. q S1[a, b, c, d, e, f] S2[a, b, c, d] }",
     "stmt S0[a, b, c, d]: s = 0.0 stmt S1[a, b, c, d, e, f]: s += x[a][e][b][f] * y[f][c][e][d] fused "
     "stmt S2[a, b, c, d]: z[a][b][c][d] = s",
     true, "hoist s_x at=e", OF_TENSORS},
    {"tensors in place, in strict order", TENSORS,
     ELEMENTS "{ S0[a, b, c, d] for e: i32 = 0 .. p for f: i32 = 0 .. q S1[a, b, c, d, e, f] }",
     "stmt S0[a, b, c, d]: z[a][b][c][d] = 0.0 stmt S1[a, b, c, d, e, f]: z[a][b][c][d] += x[a][e][b][f] * "
     "y[f][c][e][d] fused",
     false, "hoist z at=e", OF_TENSORS},
    {"a long filter", "array h[m]: f32 = \"h\" array x[n + m]: f32 = \"x\" array y[n]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. m S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += h[k] * x[i + k] fused stmt S2[i]: y[i] = s",
     false, "strip k by=64 as=wkb,wk1", {10000000, 500, 1, 1, 1}, {1000, 70, 1, 1, 1}},
    {"a short box in place", "array x[n + 8]: f64 = \"x\" array y[n]: f64 = \"y\" live ",
     "for i: i32 = 0 .. n { S0[i] for k: i32 = 0 .. 9 S1[i, k] }",
     "stmt S0[i]: y[i] = 0.0 stmt S1[i, k]: y[i] += x[i + k]", false, "stage x at=wxb as=w0_s",
     {10000000, 1, 1, 1, 1}, {1000, 1, 1, 1, 1}},
    {"the greatest of squares", "array x[q + 20][r + 20]: i32 = \"x\" array y[q][r]: i32 = \"y\" live ",
     "for i: i32 = 0 .. q for j: i32 = 0 .. r { local s: i32 S0[i, j] for u: i32 = 0 .. 21 "
     "for v: i32 = 0 .. 21 "
     "S1[i, j, u, v] S2[i, j] }",
     "stmt S0[i, j]: s = 0 stmt S1[i, j, u, v]: s max= x[i + u][j + v] stmt S2[i, j]: y[i][j] = s",
     false, "as=w0_r", {1, 1, 1, 8000, 8000}, {1, 1, 1, 9, 250}},
    {"down columns", "array x[q + 24][r]: f32 = \"x\" array y[q][r]: f32 = \"y\" live ",
     "for i: i32 = 0 .. q for j: i32 = 0 .. r { local s: f32 S0[i, j] "
     "for u: i32 = 0 .. 25 S1[i, j, u] S2[i, j] }",
     "stmt S0[i, j]: s = 0.0 stmt S1[i, j, u]: s += x[i + u][j] stmt S2[i, j]: y[i][j] = s / 7.0", false,
     "as=wyb,wpv", {1, 1, 1, 8000, 8000}, {1, 1, 1, 35, 40}},
    {"lags of parts of a signal", "array x[q]: f32 = \"x\" array y[n][p]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n for l: i32 = 0 .. p { local s: f32 S0[i, l] "
     "for j: i32 = 0 .. 256 S1[i, l, j] S2[i, l] }",
     "stmt S0[i, l]: s = 0.0 stmt S1[i, l, j]: s += x[256 * i + j] * x[256 * i + j + l] "
     "stmt S2[i, l]: y[i][l] = s", true, "strip l_1 by=96 as=wxb,wx1", {65536, 1, 96, 16777216 + 96, 1},
     {9, 1, 5, 9 * 256 + 5, 1}},
    {"a Toeplitz matrix, in parts",
     "array t[2 * n]: f32 = \"t\" array x[n]: f32 = \"x\" array y[n]: f32 = \"y\" live ",
     "for i: i32 = 0 .. n { local s: f32 S0[i] for k: i32 = 0 .. n S1[i, k] S2[i] }",
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s += t[n + i - k] * x[k] fused stmt S2[i]: y[i] = s",
     true, "splitk wkb by=", {65536, 1, 1, 1, 1}, {613, 1, 1, 1, 1}},
};
enum { CASES = sizeof cases / sizeof *cases };

static Nest *started(Compile *c, const Case *x) {
    return start_of(c, arena_printf(c->arena,
                                    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\n"
                                    "param m: i32 = \"m\"\n"
                                    "param p: i32 = \"p\"\nparam q: i32 = \"q\"\nparam r: i32 = \"r\"\n%s "
                                    "do { %s }\n%s\n}\n",
                                    x->permit ? " reassociate" : "", x->arrays, x->loops, x->stmts));
}

static void put_sizes(const Region *r, const int64_t *size, InterpVal *vals) {
    for (int i = 0; i < r->nparams; i++) vals[i] = (InterpVal){.sym = r->params[i],
        .i = size[strchr("nmpqr", r->params[i]->name[0]) - "nmpqr"]};
}

// All may run, and they come with the quickest first.
static int first(Compile *c, int n, Nest *const *chain, const void *arg) {
    (void)c, (void)chain, (void)arg;
    return n ? 0 : -1;
}

static const Nest *best(Compile *c, const Case *x, const Nest *start) {
    const char *why;
    Nest *nest[PLAN_VARIANTS];
    InterpVal vals[8];
    const Region *r = start->region;
    put_sizes(r, x->large, vals);
    PlanCall call = {.target = "gpu", .nvals = r->nparams, .vals = vals, .processors = 132, .pick = first,
                     .machine = machine_find(c->arena, "H200", &why), .most = 4};
    const DepInfo *d = dep_analyze(c, r);
    const Nest *standard = plan_default(c, r, d, &(PlanOptions){"gpu", .asserted = true});
    return plan_variants_for(c, r, d, &call, standard, nest, PLAN_VARIANTS) ? nest[0] : NULL;
}

static void check_right(const Case *x, const Nest *n, const Verdict *v) {
    Nest m = *n;
    InterpVal vals[8];
    m.when = v->answer == ANSWER_ALWAYS ? NULL : v->when;
    put_sizes(m.region, x->small, vals);
    int right = same_values(&m, m.region->nparams, vals, 7);
    if (right <= 0) fail_msg("%s: %s\n%s", x->name, right ? "not for that size" : "wrong", n->recipe);
}

static void taken(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (unsigned i = 0; i < CASES; i++) {
        if (!test_takes(i, 3, seed)) continue;
        const Case *x = &cases[i];
        Compile *c = compile_new();
        Nest *start = started(c, x);
        const Nest *n = best(c, x, start);
        if (!x->wanted ? n && strstr(n->recipe, "vxb") : !n || !strstr(n->recipe, x->wanted))
            fail_msg("%s: %s", x->name, n ? n->recipe : "the standard nest");
        if (x->wanted) {
            Verdict v = dep_judge(c, n->region, n->root);
            if (v.answer != ANSWER_ALWAYS && v.answer != ANSWER_WHEN) fail_msg("%s: %s\n%s", x->name,
                v.why ? v.why : "not decided", n->recipe);
            check_right(x, n, &v);
            Nest *again = follow(c, start, n->recipe, JUDGE_NONE);
            if (!again || !str_eq(ir_print_node(c->arena, again->root, 0),
                                  ir_print_node(c->arena, n->root, 0))) fail_msg("%s: another nest\n%s",
                x->name, n->recipe);
        }
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
