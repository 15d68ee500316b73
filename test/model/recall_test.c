// SPDX-License-Identifier: MIT
// recall_test.c -- what is counted once for visits that are alike is what is counted when each is gone
// through, at one size after another
#include "h200.h"
#include "../rule/follow.h"
#include "model/code.h"
#include "plan/plan.h"
#include <math.h>
#include <string.h>

static const char product[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
    "param p: i32 = \"p\"\nparam q: i32 = \"q\"\narray a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = "
    "\"b\"\n"
    "array c[?][q]: f32 = \"c\"\n"
    "do { for j: i32 = 0 .. m for i: i32 = 0 .. n for k: i32 = 0 .. p S0[j, i, k] }\n"
    "stmt S0[j, i, k]: a[j][i] += b[k][i] * c[j][k] fused\n}\n";
static const char triangle[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam q: i32 = \"q\"\n"
    "array a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = \"b\"\n"
    "do { for j: i32 = 0 .. n for i: i32 = 0 .. j + 1 for k: i32 = 0 .. n S0[j, i, k] }\n"
    "stmt S0[j, i, k]: a[j][i] += b[i][k] * b[j][k] fused\n}\n";
static const char stencil[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\nparam q: i32 = "
    "\"q\"\n"
    "array a[?][q]: f32 = \"a\" live\narray b[?][q]: f32 = \"b\"\n"
    "do { for j: i32 = 1 .. m - 1 for i: i32 = 1 .. n - 1 S0[j, i] }\n"
    "stmt S0[j, i]: a[j][i] = b[j][i - 1] + b[j][i + 1] + b[j - 1][i] + b[j + 1][i]\n}\n";
static const char rows[] =
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt reassociate {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"
    "param q: i32 = \"q\"\narray s[?]: f32 = \"s\" live\narray b[?][q]: f32 = \"b\"\n"
    "do { for j: i32 = 0 .. m for i: i32 = 0 .. n S0[j, i] }\nstmt S0[j, i]: s[j] += b[j][i]\n}\n";

static int values_of(const Nest *n, int64_t size, InterpVal *v) {
    int count = 0;
    for (int k = 0; k < n->region->nparams; k++) {
        v[count] = (InterpVal){.sym = n->region->params[k], .i = size};
        v[count++].i += n->region->params[k]->name[0] == 'm' ? 129 : 0;
    }
    for (int k = 0; k < n->nfacts; k++)
        v[count++] = (InterpVal){.sym = n->facts[k].sym, .i = model_fact(h200, n->facts[k].kind)};
    return count;
}

static void forget(Code *code) {
    code->piece = NULL;
    for (int k = 0; k < code->nkids; k++) forget(code->kids[k]);
}

static void is_near(double x, double want, double part, const char *what, const KernelCost *k, int64_t size) {
    if (fabs(x - want) > part * fabs(want) + 1e-12)
        fail_msg("%s, %lld: %s is %.9g instead of %.9g", k->name, (long long)size, what, x, want);
}

static void same(const KernelCost *k, const KernelCost *want, int64_t size) {
    TimeCost t = model_time(k, h200, 0, NULL), u = model_time(want, h200, 0, NULL);
    is_near(t.seconds, u.seconds, 0.005, "time", k, size);
    is_near(mix_total(&k->mix), mix_total(&want->mix), 0.002, "instructions", k, size);
    is_near(k->flops, want->flops, 1e-9, "operations", k, size);
    assert_int_equal(k->naccesses, want->naccesses);
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *x = k->accesses[i], *y = want->accesses[i];
        is_near(x->requests, y->requests, 0.005, x->text, k, size);
        is_near(x->sectors, y->sectors, 0.005, x->text, k, size);
        is_near(x->wavefronts, y->wavefronts, 0.005, x->text, k, size);
        for (int d = 0; d < y->ndims && !y->shared; d++)
            if (y->dims[d].known && !(x->dims[d].known && x->dims[d].stride == y->dims[d].stride))
                fail_msg("%s, %lld: %s: %lld a step of %s, not %lld", k->name, (long long)size, x->text,
                         (long long)x->dims[d].stride, y->dims[d].loop->iter->name,
                         (long long)y->dims[d].stride);
    }
}

static void compare(const Nest *n, const Node *kernel) {
    static const int64_t sizes[] = {1024, 2048, 1536, 1003, 640, 1731};
    Program *kept = NULL;
    InterpVal v[16];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int count = values_of(n, sizes[s], v);
        Program *each = program_new(c->arena, n, kernel, count, v, h200);
        forget(each->root);
        KernelCost *want = kernel_cost(c->arena, n, kernel, count, v, h200, MODEL_CLOSELY, &each);
        KernelCost *k = kernel_cost(c->arena, n, kernel, count, v, h200, MODEL_CLOSELY, &kept);
        if (want->refused || k->refused) assert_string_equal(want->refused, k->refused);
        else same(k, want, sizes[s]);
    }
}

typedef struct Launched {
    const Node *at[8];
    int n, loops;
} Launched;

static void find(Node *n, void *arg) {
    Launched *k = arg;
    if (n->kind == N_KERNEL && k->n < 8) k->at[k->n++] = n;
}

static void all_of(const char *text, int shapes) {
    Nest *nest[PLAN_VARIANTS + 1], *start = start_of(c, text);
    const DepInfo *d = dep_analyze(c, start->region);
    PlanOptions o = {"gpu", true, false};
    int n = plan_variants(c, start->region, d, "gpu", nest, shapes);
    nest[n++] = plan_default(c, start->region, d, &o);
    for (int i = 0; i < n; i++) {
        Launched k = {0};
        node_walk(nest[i]->root, find, &k);
        for (int j = 0; j < k.n; j++) compare(nest[i], k.at[j]);
    }
}

static void products(void **state) { (void)state, all_of(product, 7); }
static void triangles(void **state) { (void)state, all_of(triangle, 1); }
static void stencils(void **state) { (void)state, all_of(stencil, 1); }
static void sums(void **state) { (void)state, all_of(rows, 4); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(triangles),
                                       cmocka_unit_test(stencils), cmocka_unit_test(sums)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
