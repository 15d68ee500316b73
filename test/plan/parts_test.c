// SPDX-License-Identifier: MIT
// parts_test.c -- regions of several loop nests: those that are contractions or sums of rows get kernels of
// their own shape, each by itself, and all together do what the region does
#include "shaped.h"
#include "model/machine.h"
#include "plan/choose.h"
#include "plan/strategy.h"

#define HEAD                                                                           \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop reassociate {\n    param n: i32 = \"n\"\n" \
    "    param m: i32 = \"m\"\n    param p: i32 = \"p\"\n    param q: i32 = \"q\"\n"
#define STRICT                                                                                       \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\n    param n: i32 = \"n\"\n    param m: i32 = \"m\"\n" \
    "    param p: i32 = \"p\"\n    param q: i32 = \"q\"\n"
#define FOR(i, n) "for " #i ": i32 = 0 .. " #n " "
typedef struct Case {
    const char *name, *text;
    int parts;               // contractions among the nests; 0: the default nest is all there is
    // no panels on a processor: of an array with itself, or their size would change from step to step
    bool unpacked;
    int rows;                // sums of rows among them
} Case;
static const Case cases[] = {
    {"a product of a product", // the second reads what the first has written
     HEAD "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\"\n"
     "array t[?][q]: f32 = \"t\" live\narray d[?][q]: f32 = \"d\" live\n"
     "do { " FOR(j, m) FOR(i, n) "{ S0[j, i] " FOR(k, p) "{ S1[j, i, k] } }\n"
     FOR(j2, m) FOR(i2, p) "{ S2[j2, i2] " FOR(k2, n) "{ S3[j2, i2, k2] } } }\n"
     "stmt S0[j, i]: t[j][i] = 0.0\nstmt S1[j, i, k]: t[j][i] += a[j][k] * b[k][i] fused\n"
     "stmt S2[j2, i2]: d[j2][i2] *= 2.0\nstmt S3[j2, i2, k2]: d[j2][i2] += t[j2][k2] * c[k2][i2] fused\n}\n",
     2},
    {"three of them, each sum in a nest of its own",
     STRICT "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\"\n"
     "array d[?][q]: f32 = \"d\"\n"
     "array e[?][q]: f32 = \"e\" live\narray f[?][q]: f32 = \"f\" live\narray g[?][q]: f32 = \"g\" live\n"
     "do { " FOR(j, m) FOR(i, n) "{ S0[j, i] } " FOR(j1, m) FOR(i1, n) FOR(k1, p) "{ S1[j1, i1, k1] }\n"
     FOR(j2, n) FOR(i2, p) "{ S2[j2, i2] } " FOR(j3, n) FOR(i3, p) FOR(k3, m) "{ S3[j3, i3, k3] }\n"
     FOR(j4, m) FOR(i4, p) "{ S4[j4, i4] } " FOR(j5, m) FOR(i5, p) FOR(k5, n) "{ S5[j5, i5, k5] } }\n"
     "stmt S0[j, i]: e[j][i] = 0.0\nstmt S1[j1, i1, k1]: e[j1][i1] += a[j1][k1] * b[k1][i1] fused\n"
     "stmt S2[j2, i2]: f[j2][i2] = 0.0\nstmt S3[j3, i3, k3]: f[j3][i3] += c[j3][k3] * d[k3][i3] fused\n"
     "stmt S4[j4, i4]: g[j4][i4] = 0.0\nstmt S5[j5, i5, k5]: g[j5][i5] += e[j5][k5] * f[k5][i5] fused\n}\n",
     3},
    {"steps of time with a product and a map",
     STRICT "array a[?][q]: f32 = \"a\"\narray x[?][q]: f32 = \"x\" live\narray y[?][q]: f32 = \"y\" live\n"
     "array s[?]: f32 = \"s\"\n"
     "do { " FOR(t, 3) "{ " FOR(j, m) FOR(i, n) "{ local z: f32\n S0[t, j, i] " FOR(k,
         m) "{ S1[t, j, i, k] } S2[t, j, i] }\n"
     FOR(j2, m) FOR(i2, n) "{ S3[t, j2, i2] } } }\n"
     "stmt S0[t, j, i]: z = 0.0\nstmt S1[t, j, i, k]: z += a[j][k] * x[k][i] fused\n"
     "stmt S2[t, j, i]: y[j][i] = z\n"
     "stmt S3[t, j2, i2]: x[j2][i2] = s[t] - y[j2][i2]\n}\n", 1},
    {"layers: a row more than the sum, the greater of it and zero",
     HEAD "array x[?][q]: f32 = \"x\"\narray w[?][q]: f32 = \"w\"\narray v[?]: f32 = \"v\"\n"
     "array h[?][q]: f32 = \"h\" live\n"
     "array w2[?][q]: f32 = \"w2\"\narray y[?][q]: f32 = \"y\" live\n"
     "do { " FOR(j, m) FOR(i, n) "{ local z: f32\n S0[j, i] " FOR(k, p) "{ S1[j, i, k] } S2[j, i] }\n"
     FOR(j2, m) FOR(i2, p) "{ local u: f32\n S3[j2, i2] " FOR(k2, n) "{ S4[j2, i2, k2] } S5[j2, i2] } }\n"
     "stmt S0[j, i]: z = v[i]\nstmt S1[j, i, k]: z += x[j][k] * w[i][k] fused\n"
     "stmt S2[j, i]: h[j][i] = max(0.0, z)\n"
     "stmt S3[j2, i2]: u = v[i2]\nstmt S4[j2, i2, k2]: u += h[j2][k2] * w2[i2][k2] fused\n"
     "stmt S5[j2, i2]: y[j2][i2] = u\n}\n", 2},
    {"products of the columns that lie about their means",
     HEAD "array d[?][q]: f32 = \"d\" live\narray c[?][q]: f32 = \"c\" live\narray e[?]: f32 = \"e\" live\n"
     "do { " FOR(i, n) "{ S0[i] " FOR(k, p) "{ S1[i, k] } }\n" FOR(k2, p) FOR(i2, n) "{ S2[k2, i2] }\n"
     FOR(j3, n) FOR(i3, n) "{ S3[j3, i3] " FOR(k3, p) "{ S4[j3, i3, k3] } } }\n"
     "stmt S0[i]: e[i] = 0.0\nstmt S1[i, k]: e[i] += d[k][i]\nstmt S2[k2, i2]: d[k2][i2] += -e[i2]\n"
     "stmt S3[j3, i3]: c[j3][i3] = 0.0\nstmt S4[j3, i3, k3]: c[j3][i3] += d[k3][j3] * d[k3][i3] fused\n}\n",
     1, true},
    {"paths of two edges, then a sweep over them",
     STRICT "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\" live\n"
     "array r[?][q]: f32 = \"r\" live\n"
     "do { " FOR(j, m) FOR(i, m) FOR(k,
                                     m) "{ S0[j, i, k] }\n"
     "for j2: i32 = 1 .. m - 1 for i2: i32 = 1 .. m - 1 { S1[j2, i2] } }\n"
     "stmt S0[j, i, k]: c[j][i] min= a[j][k] + b[k][i]\n"
     "stmt S1[j2, i2]: r[j2][i2] = c[j2][i2 - 1] + c[j2][i2 + 1] - c[j2 - 1][i2] - c[j2 + 1][i2]\n}\n", 1},
    {"rows and columns backwards",
     STRICT "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\" live\n"
     "do { for j: i32 = m - 1 .. -1 step -1 for i: i32 = n - 1 .. -1 step -1 " FOR(k, p) "{ S0[j, i, k] } }\n"
     "stmt S0[j, i, k]: c[j][i] += a[j][k] * b[k][i] fused\n}\n", 1},
    {"sums backwards, where that may be",
     HEAD "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\" live\n"
     "do { " FOR(j, m) FOR(i, n) "for k: i32 = p - 1 .. -1 step -1 { S0[j, i, k] } }\n"
     "stmt S0[j, i, k]: c[j][i] += a[j][k] * b[k][i] fused\n}\n", 1},
    {"and where not",
     STRICT "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray c[?][q]: f32 = \"c\" live\n"
     "do { " FOR(j, m) FOR(i, n) "for k: i32 = p - 1 .. -1 step -1 { S0[j, i, k] } }\n"
     "stmt S0[j, i, k]: c[j][i] += a[j][k] * b[k][i] fused\n}\n", 0},
    {"what is left of a matrix, smaller with each step of the host",
     STRICT "array a[?][q]: f32 = \"a\" live\narray l[?][q]: f32 = \"l\" live\narray u[?][q]: f32 = \"u\"\n"
     "do { " FOR(b, 2) "{ for j: i32 = 32 * b .. m " FOR(k, 32) "{ S0[b, j, k] }\n"
     "for j2: i32 = 32 * b + 32 .. m for i2: i32 = 32 * b + 32 .. n " FOR(k2,
         32) "{ S1[b, j2, i2, k2] } } }\n"
     "stmt S0[b, j, k]: l[j][k] = a[j][k + 32 * b] + a[j][k]\n"
     "stmt S1[b, j2, i2, k2]: a[j2][i2] += -l[j2][k2] * u[k2][i2] fused\n}\n", 1, true},
    {"what is left of a matrix, less a product of its own rows and columns",
     STRICT "array a[?][q]: f32 = \"a\" live\n"
     "do { " FOR(b, 2) "for j: i32 = 32 * b + 32 .. m for i: i32 = 32 * b + 32 .. n "
     "for k: i32 = 32 * b .. 32 * b + 32 { S0[b, j, i, k] } }\n"
     "stmt S0[b, j, i, k]: a[j][i] += -a[j][k] * a[k][i] fused\n}\n", 1, true},
    {"of its own rows, below the diagonal",
     STRICT "array a[?][q]: f32 = \"a\" live\n"
     "do { " FOR(b, 2) "for j: i32 = 32 * b + 32 .. m for i: i32 = 32 * b + 32 .. j + 1 "
     "for k: i32 = 32 * b .. 32 * b + 32 { S0[b, j, i, k] } }\n"
     "stmt S0[b, j, i, k]: a[j][i] += -a[j][k] * a[i][k] fused\n}\n", 1, true},
    {"of rows one of which it updates, too",
     STRICT "array a[?][q]: f32 = \"a\" live\n"
     "do { " FOR(b, 2) "for j: i32 = 32 * b + 31 .. m for i: i32 = 32 * b + 31 .. n "
     "for k: i32 = 32 * b .. 32 * b + 32 { S0[b, j, i, k] } }\n"
     "stmt S0[b, j, i, k]: a[j][i] += -a[j][k] * a[k][i] fused\n}\n", 0},
    {"rows times a vector, from a beginning to an end",
     STRICT "array a[?][q]: f32 = \"a\"\narray x[?]: f32 = \"x\"\narray y[?]: f32 = \"y\" live\n"
     "do { " FOR(i, n) "{ S0[i] " FOR(k, p) "{ S1[i, k] } S2[i] } }\n"
     "stmt S0[i]: y[i] = 1.0\nstmt S1[i, k]: y[i] += a[i][k] * x[k] fused\nstmt S2[i]: y[i] *= 2.0\n}\n", 0,
     true, 1},
    {"two sums in a row, one of them a local's",
     STRICT "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\"\narray x[?]: f32 = \"x\"\n"
     "array y[?]: f32 = \"y\" live\narray z[?]: f32 = \"z\" live\n"
     "do { " FOR(i, n) "{ local s: f32\n S0[i] " FOR(k, p) "{ S1[i, k] S2[i, k] } S3[i] } }\n"
     "stmt S0[i]: s = 0.0\nstmt S1[i, k]: s += a[i][k] * x[k] fused\n"
     "stmt S2[i, k]: z[i] += b[i][k] * x[k] fused\n"
     "stmt S3[i]: y[i] = s\n}\n", 0, true, 1},
    {"both ways through a matrix, then all of it", // columns need no tile
     HEAD "array a[?][q]: f32 = \"a\" live\narray x[?]: f32 = \"x\" live\narray y[?]: f32 = \"y\" live\n"
     "do { " FOR(j, m) FOR(i, n) "{ S0[j, i] }\n" FOR(j2, n) FOR(i2, m) "{ S1[j2, i2] }\n" FOR(j3, m) FOR(i3,
         n) "{ S2[j3, i3] } }\n"
     "stmt S0[j, i]: x[j] += a[j][i] * y[i]\nstmt S1[j2, i2]: y[j2] += a[i2][j2] * x[i2]\n"
     "stmt S2[j3, i3]: a[j3][i3] += x[j3] * y[i3]\n}\n", 0, true, 1},
    {"the greatest of each row of differences, three steps",
     STRICT "array a[?][q]: f64 = \"a\"\narray x[?]: f64 = \"x\" live\narray y[?]: f64 = \"y\" live\n"
     "do { " FOR(t, 3) "{ " FOR(i, m) FOR(k, m) "{ S0[t, i, k] }\n" FOR(j, m) "{ S1[t, j] } } }\n"
     "stmt S0[t, i, k]: y[i] max= a[i][k] - x[k]\nstmt S1[t, j]: x[j] = y[j]\n}\n", 0, true, 1},
    {"nothing of the kind",
     HEAD "array a[?][q]: f32 = \"a\"\narray b[?][q]: f32 = \"b\" live\narray y[?]: f32 = \"y\" live\n"
     "do { " FOR(j, m) FOR(i, n) "{ S0[j, i] }\n" FOR(j2, n) FOR(i2, m) "{ S1[j2, i2] } }\n"
     "stmt S0[j, i]: b[j][i] += a[j][i] * y[i]\nstmt S1[j2, i2]: y[j2] += a[i2][j2]\n}\n", 0},
};
enum { CASES = sizeof cases / sizeof *cases };

// ---- kernels of the nest -----------------------------------------------------------------------
typedef struct Count {
    int tiles;        // kernels with shared tiles
    int choices;      // conditions of the host that compare costs
} Count;

static void find_shared(Node *n, void *arg) {
    for (int i = 0; n->kind == N_SEQ &&
         i < n->nlocals; i++) *(bool *)arg |= n->locals[i]->place == PLACE_SHARED;
}

static bool compares_costs(const Expr *x) {
    return x->kind == E_OP && x->op == OP_LE && x->args[0]->type == T_F64;
}

static void count(Count *k, Node *n) {
    if (n->kind == N_KERNEL) {
        bool shared = false;
        node_walk(n, find_shared, &shared);
        k->tiles += shared;
        return;
    }
    k->choices += n->kind == N_IF && compares_costs(n->cond);
    for (int i = 0; node_kid(n, i); i++) count(k, node_kid(n, i));
}

static bool is_choice(const Node *n) { return n->kind == N_IF && n->other && n->then->kind == N_IF &&
                                      compares_costs(n->then->cond); }

// One way through the conditions of the host, which decide what is quickest and what fits, never what is
// meant. Of the contractions that one is shaped whose turn it is: the judge has a budget.
static Node *one_way(Arena *a, Node *n, unsigned *seed, int *turn) {
    if (!n || n->kind == N_KERNEL) return n;
    if (n->kind == N_IF && n->other) {
        *seed = *seed * 1664525u + 1013904223u;
        bool first = is_choice(n) ? (*turn)-- == 0 : *seed >> 16 & 1;
        return one_way(a, first ? n->then : n->other, seed, turn);
    }
    Node *m = node_clone(a, n);
    if (n->nkids) m->kids = NEW_N(a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = one_way(a, n->kids[i], seed, turn);
    m->body = one_way(a, n->body, seed, turn);
    m->then = one_way(a, n->then, seed, turn);
    return m;
}

static Nest *nest_of(Compile *c, const Case *k, const char *target) {
    IrFile *f = ir_parse(c, k->name, k->text);
    if (!f) fail_msg("%s: %s", k->name, last_diag(c));
    Nest *n[PLAN_VARIANTS];
    int count = plan_variants(c, f->region, dep_analyze(c, f->region), target, n, PLAN_VARIANTS);
    bool wanted = str_eq(target, "gpu") ? k->parts + k->rows > 0 : k->parts > 0 && !k->unpacked;
    if (count != wanted) fail_msg("%s: %d nests for a %s", k->name, count, target);
    return count ? n[0] : NULL;
}

static void check_run(const Case *k, const Nest *n) {
    static const int64_t sizes[][3] = {{70, 33, 37}, {64, 64, 64}, {7, 5, 3}, {69, 81, 101}};
    int compared = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        InterpVal vals[8];
        set_sizes(n->region, sizes[i], vals);
        int same = same_values(n, n->region->nparams, vals, (unsigned)i);
        if (!same) fail_msg("%s: wrong at %d x %d x %d", k->name, (int)sizes[i][0], (int)sizes[i][1],
                            (int)sizes[i][2]);
        compared += same > 0;
    }
    if (!compared) fail_msg("%s: for no size", k->name);
}

// Each contraction has its choice of tiles; the nest is right at sizes that lead to several of them.
static void shaped(void **state) {
    (void)state;
    unsigned seed = (unsigned)test_seed();
    for (int i = 0; i < CASES; i++) {
        if (!test_takes((uint64_t)i, 4, seed)) continue; // planning takes a while
        Compile *c = compile_new();
        Nest *n = nest_of(c, &cases[i], "gpu");
        Count k = {0};
        if (n) count(&k, n->root);
        if (k.tiles < 2 * cases[i].parts + cases[i].rows ||
            k.choices < cases[i].parts) fail_msg("%s: %d kernels with tiles, %d choices", cases[i].name,
                                                 k.tiles, k.choices);
        if (n) check_run(&cases[i], n), check_text(c, n);
        compile_free(c);
    }
}

// Whatever is chosen for each, the judge allows the whole, or says for which sizes.
static void judged(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{256, 128, 48}, {70, 33, 70}};
    unsigned seed = (unsigned)test_seed();
    bool all = test_all();
    for (int i = 0; i < CASES; i++) {
        if (cases[i].parts + cases[i].rows == 0 || (!all && i != (int)(seed % CASES))) continue;
        if (!test_mine()) continue;
        unsigned ways = seed;
        Compile *c = compile_new();
        Nest one = *nest_of(c, &cases[i], "gpu");
        int turn = cases[i].parts ? (int)(seed / CASES % (unsigned)cases[i].parts) : 0;
        one.root = one_way(c->arena, one.root, &ways, &turn);
        one.recipe = ir_print_node(c->arena, one.root, 0);
        Verdict v = dep_judge(c, one.region, one.root);
        if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN) fail_msg("%s: %s\n%s", cases[i].name,
            v.why ? v.why : "not decided", one.recipe);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            if (is_right(&one, &v, sizes[k]) == 0) fail_msg("%s: wrong\n%s", cases[i].name, one.recipe);
        compile_free(c);
    }
}

// On a processor they have its packed panels.
static void processor(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (int i = 0; i < CASES; i++) {
        if (!test_takes((uint64_t)i, 3, seed)) continue;
        Compile *c = compile_new();
        Nest *n = nest_of(c, &cases[i], "cpu");
        if (n) check_run(&cases[i], n), check_text(c, n);
        compile_free(c);
    }
}

static int first(Compile *c, int n, Nest *const *chain, const void *arg) {
    (void)c, (void)chain, (void)arg;
    return n ? 0 : -1;
}

// The cheapest way to multiply a chain of matrices: cut apart, one thread would go through all lengths.
static void dearer(void **state) {
    (void)state;
    Compile *c = compile_new();
    const Region *r = start_of(c, "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\n"
        "array m[?][n]: i64 = \"m\" live array p[?]: i64 = \"p\" live\n"
        "do { for len: i32 = 2 .. n + 1 for i: i32 = 0 .. n - len + 1 { local best: i64 S0[len, i] "
        "for k: i32 = i .. i + len - 1 { local c: i64 S1[len, i, k] S2[len, i, k] } S3[len, i] } }\n"
        "stmt S0[len, i]: best = 1152921504606846976\n"
        "stmt S1[len, i, k]: c = m[i][k] + m[k + 1][i + len - 1] + p[i] * p[k + 1] * p[i + len]\n"
        "stmt S2[len, i, k]: best min= c\nstmt S3[len, i]: m[i][i + len - 1] = best\n}\n")->region;
    const char *why;
    InterpVal vals[8];
    Nest *nest[PLAN_VARIANTS];
    set_sizes(r, (int64_t[3]){2048, 1, 1}, vals);
    PlanCall call = {.target = "gpu", .nvals = r->nparams, .vals = vals, .processors = 132, .pick = first,
                     .machine = machine_find(c->arena, "H200", &why)};
    const DepInfo *d = dep_analyze(c, r);
    const Nest *standard = plan_default(c, r, d, &(PlanOptions){"gpu", .asserted = true});
    int n = plan_variants_for(c, r, d, &call, standard, nest, PLAN_VARIANTS);
    for (int i = 0; i < n; i++)
        if (!(plan_seconds(nest[i], &call) <= plan_seconds(standard, &call)))
            fail_msg("%g s, the standard nest %g s\n%s", plan_seconds(nest[i], &call),
                     plan_seconds(standard, &call), nest[i]->recipe);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shaped), cmocka_unit_test(judged),
                                       cmocka_unit_test(processor), cmocka_unit_test(dearer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
