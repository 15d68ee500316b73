// SPDX-License-Identifier: MIT
// travel_test.c -- nests whose data come and go in slices: right, and chosen where that is quicker
#include "../rule/follow.h"
#include "ir/poly.h"
#include "run/pick.h"
#include <isl/ctx.h>

#define BLUR                                                                                       \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\n"                              \
    "array b[?][n]: f32 = \"b\" live\narray a[?][n]: f32 = \"a\" live\n"                            \
    "do { for i: i32 = 1 .. n - 1 { for j: i32 = 1 .. n - 1 { S0[i, j] } } }\n"                     \
    "stmt S0[i, j]: b[i][j] = a[i][j] + a[i][j - 1] + a[i + 1][j] + a[i - 1][j]\n}\n"
#define PRODUCT                                                                                            \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam m: i32 = \"m\"\nparam p: i32 = \"p\"\n" \
    "param n: i32 = \"n\"\n"                                                                               \
    "array a[?][n]: f32 = \"a\" live\narray b[?][n]: f32 = \"b\" live\narray c[?][p]: f32 = \"c\" live\n"  \
    "do { for j: i32 = 0 .. m { for k: i32 = 0 .. p { for i: i32 = 0 .. n { S0[j, k, i] } } } }\n"         \
    "stmt S0[j, k, i]: a[j][i] += b[k][i] * c[j][k] fused\n}\n"
// What goes round the host again and again, and what no part of a kernel's blocks has to itself.
#define STEPS                                                                                      \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\nparam steps: i32 = \"steps\"\n" \
    "array x[n]: f32 = \"x\" live\narray y[n]: f32 = \"y\" live\n"                                  \
    "do { for t: i32 = 0 .. steps { for i: i32 = 1 .. n - 1 S0[t, i] for k: i32 = 1 .. n - 1 S1[t, k] } }\n" \
    "stmt S0[t, i]: y[i] = x[i - 1] + x[i + 1]\nstmt S1[t, k]: x[k] = y[k]\n}\n"
#define LOOKUP                                                                                     \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 scop {\nparam n: i32 = \"n\"\n"                              \
    "array b[n]: f32 = \"b\" live\narray a[100]: f32 = \"a\" live\n"                                \
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i]: b[i] = a[5] + a[7]\n}\n"

typedef struct Planned {
    Compile *c;
    Nest *standard, *nest[PLAN_VARIANTS];
    int shaped, all;
    const char *why;
} Planned;

// most: isl's operations that one analysis may take; 0: as many as always.
static Planned planned_within(const char *text, unsigned long most) {
    Planned p = {.c = compile_new()};
    if (most) isl_ctx_set_max_operations(poly_new(p.c)->ctx, most);
    IrFile *f = ir_parse(p.c, "f", text);
    assert_non_null(f);
    const DepInfo *d = dep_analyze(p.c, f->region);
    p.standard = plan_default(p.c, f->region, d, &(PlanOptions){"gpu", true});
    assert_non_null(p.standard);
    p.shaped = plan_variants(p.c, f->region, d, "gpu", p.nest, PLAN_VARIANTS);
    p.all = plan_travel(p.c, NULL, p.standard, p.shaped, p.nest, PLAN_VARIANTS, &p.why);
    return p;
}

static Planned planned(const char *text) { return planned_within(text, 0); }

static void find_streamed(Node *n, void *arg) {
    if (n->kind == N_KERNEL) ((int *)arg)[n->streamed]++;
}

// All kernels are streamed, the text reads back, the values are the region's.
static void check_copy(const Nest *n, const InterpVal *vals, int nvals) {
    int kinds[2] = {0, 0};
    Compile *c = compile_new();
    node_walk(n->root, find_streamed, kinds);
    assert_true(kinds[1] > 0 && kinds[0] == 0);
    const char *text = arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, n->region),
                                    ir_print_nest(c->arena, n));
    IrFile *f = ir_parse(c, "again", text);
    if (!f) fail_msg("%s\n%s", last_diag(c), text);
    assert_string_equal(text, arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region),
                                           ir_print_nest(c->arena, f->nests[0])));
    Nest always = *n;
    always.when = NULL;
    if (same_values(&always, nvals, vals, 3) != 1) fail_msg("wrong values:\n%s", text);
    compile_free(c);
}

static const Sym *param(const Nest *n, const char *name) {
    for (int i = 0; i < n->region->nparams; i++)
        if (str_eq(n->region->params[i]->name, name)) return n->region->params[i];
    return NULL;
}

// Which of the nests runs where facts are those of a large GPU: 0 none, 1 one after the other, 2 in slices.
static int chosen(const Planned *p, int64_t size, int64_t travels, int64_t link) {
    Pick pick = {.at = -1};
    for (int i = 0; i <= p->all; i++) {
        const Nest *n = i < p->all ? p->nest[i] : p->standard;
        InterpVal vals[16];
        int nvals = 0;
        for (int k = 0; k < n->region->nparams; k++) vals[nvals++] = (InterpVal){.sym = n->region->params[k],
            .i = size};
        for (int k = 0; k < n->nfacts; k++) {
            static const int64_t facts[FACT_KINDS] = {[FACT_PROCESSORS] = 132, [FACT_COPY] = 4000000,
                                                      [FACT_FMA] = 60000000};
            FactKind kind = n->facts[k].kind;
            vals[nvals++] = (InterpVal){.sym = n->facts[k].sym,
                                        .i = kind == FACT_TRAVELS ? travels : kind == FACT_LINK ? link
                : facts[kind]};
        }
        if (pick_look(&pick, i, n, nvals, vals)) break;
    }
    if (pick.at < 0) return 0;
    int kinds[2] = {0, 0};
    node_walk((pick.at < p->all ? p->nest[pick.at] : p->standard)->root, find_streamed, kinds);
    return kinds[1] ? 2 : 1;
}

static void stencil(void **state) {
    (void)state;
    Planned p = planned(BLUR);
    assert_int_equal(p.all, 1);
    static const int64_t sizes[] = {3, 40, 330, 400};
    for (int i = 0; i < 4; i++) check_copy(p.nest[0],
                                           &(InterpVal){.sym = param(p.nest[0], "n"), .i = sizes[i]}, 1);
    assert_int_equal(chosen(&p, 8192, 1, 55000), 2);
    assert_int_equal(chosen(&p, 8192, 0, 55000), 1);      // the data are there
    assert_int_equal(chosen(&p, 200, 1, 55000), 1);       // too little
    assert_int_equal(chosen(&p, 1200, 1, 1000000000), 1); // so fast a link that slices gain nothing
    compile_free(p.c);
}

static void product(void **state) {
    (void)state;
    Planned p = planned(PRODUCT);
    assert_true(p.shaped > 1 && p.all > p.shaped);
    const Nest *n = p.nest[p.all - 1];
    InterpVal vals[3] = {{.sym = param(n, "m"), .i = 700}, {.sym = param(n, "p"), .i = 5},
                         {.sym = param(n, "n"), .i = 24}};
    check_copy(n, vals, 3);
    assert_int_equal(chosen(&p, 4096, 1, 55000), 2);
    assert_int_equal(chosen(&p, 4096, 0, 55000), 1);
    assert_int_equal(chosen(&p, 128, 1, 55000), 1);
    compile_free(p.c);
}

static void not_in_slices(void **state) {
    (void)state;
    Planned p = planned(STEPS);
    assert_int_equal(p.all, 0);
    assert_non_null(strstr(p.why, "again and again"));
    assert_null(p.standard->cost);
    compile_free(p.c);
}

// The results come home in slices, whatever the operands do.
static void results_alone(void **state) {
    (void)state;
    Planned p = planned(LOOKUP);
    assert_int_equal(p.all, 1);
    check_copy(p.nest[0], &(InterpVal){.sym = param(p.nest[0], "n"), .i = 5000}, 1);
    compile_free(p.c);
}

// The boxes of slices are found with little work: what is assumed of counters that they do not name splits no
// set.
static void frugal(void **state) {
    (void)state;
    Planned within = planned_within(PRODUCT, 1200000), p = planned(PRODUCT);
    assert_int_equal(within.all, p.all);
    assert_int_equal(p.all, p.shaped + 2);
    compile_free(within.c);
    compile_free(p.c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stencil), cmocka_unit_test(product),
                                       cmocka_unit_test(not_in_slices),
                                       cmocka_unit_test(results_alone), cmocka_unit_test(frugal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
