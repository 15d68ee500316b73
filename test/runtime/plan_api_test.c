// SPDX-License-Identifier: MIT
// plan_api_test.c -- plans of sculpt.h: from a region's text, for sizes, executed by many threads; what can't
// be says why.
#include "base/base.h"
#include "sculpt/sculpt.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define SCALED                                                                                               \
    "sculpt 1\nregion scaled @\"p.c\":3:5 sculpt {\n param n: i32 = \"n\"\n param k: f32 = \"k\"\n array "   \
    "x[n]: f32 = \"x\"\n"                                                                                    \
    " array o[n]: f32 = \"o\" live\n do { for i: i32 = 0 .. n { S0[i] } }\n stmt S0[i]: o[i] = x[i] * "      \
    "k\n}\n"

static char folder[64];

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/sculpt-plan-test-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    Arena *a = arena_new();
    setenv("SCULPT_CACHE_DIR", folder, 1);
    setenv("SCULPT_WISDOM", arena_printf(a, "%s/w.db", folder), 1);
    setenv("SCULPT_DEVICE", "cpu", 1);
    arena_free(a);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    Arena *a = arena_new();
    int rc = process_run(a, (char *[]){"rm", "-rf", folder, NULL}, NULL, NULL);
    arena_free(a);
    return rc;
}

static void executed(void **state) {
    (void)state;
    enum { N = 1000 };
    sculpt_plan *p = sculpt_plan_region(SCALED, "n=1000", SCULPT_ESTIMATE);
    if (!p) fail_msg("%s", sculpt_message());
    assert_non_null(sculpt_plan_array(p, 1));
    assert_null(sculpt_plan_array(p, 2));
    assert_string_equal(sculpt_plan_scalar(p, 0), "k");
    assert_null(sculpt_plan_scalar(p, 1));
    assert_true(sculpt_flops(p) == N);
    char *text = sculpt_plan_print(p);
    assert_non_null(strstr(text, "scaled at n=1000 on cpu"));
    free(text);
    float x[N], o[N];
    for (int i = 0; i < N; i++) x[i] = (float)i;
    void *arrays[2];
    for (int i = 0; i < 2; i++) arrays[i] = *sculpt_plan_array(p, i) == 'x' ? x : o;
    double k = 2.5;
    assert_int_equal(sculpt_execute(p, arrays, &k), 1);
    for (int i = 0; i < N; i++) assert_true(o[i] == 2.5f * (float)i);
    // In place: nests want other arrays, so the loops are interpreted.
    arrays[0] = arrays[1] = x;
    assert_int_equal(sculpt_execute(p, arrays, &k), 1);
    for (int i = 0; i < N; i++) assert_true(x[i] == 2.5f * (float)i);
    sculpt_destroy(p);
    sculpt_destroy(NULL);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *sizes, *why;
        unsigned flags;
    } all[] = {{SCALED, "m=3", "say no n", SCULPT_ESTIMATE},
               {SCALED, "n=x", "say no n", SCULPT_ESTIMATE},
               {"nonsense", "n=3", "can't be read", SCULPT_ESTIMATE},
               {SCALED, "n=77", "wisdom knows nothing", SCULPT_WISDOM_ONLY}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_null(sculpt_plan_region(all[i].text, all[i].sizes, all[i].flags));
        if (!strstr(sculpt_message(), all[i].why)) fail_msg("%s: %s", all[i].why, sculpt_message());
    }
    assert_int_equal(sculpt_import_wisdom("sculpt wisdom 1\ntotal 7\n"), -1);
    assert_non_null(strstr(sculpt_message(), "rows"));
    char *none = sculpt_export_wisdom();
    assert_string_equal(none, "sculpt wisdom 1\ntotal 0\n");
    assert_int_equal(sculpt_import_wisdom(none), 0);
    free(none);
}

typedef struct Job {
    const sculpt_plan *p;
    int number, wrong;
} Job;

static void *work(void *arg) {
    Job *j = arg;
    enum { N = 1000, CALLS = 20 };
    float x[N], o[N];
    for (int i = 0; i < N; i++) x[i] = (float)(i % (j->number + 2));
    void *arrays[2];
    for (int i = 0; i < 2; i++) arrays[i] = *sculpt_plan_array(j->p, i) == 'x' ? x : o;
    for (int c = 0; c < CALLS; c++) {
        double k = j->number;
        if (!sculpt_execute(j->p, arrays, &k)) j->wrong++;
        for (int i = 0; i < N; i++) j->wrong += o[i] != (float)j->number * x[i];
    }
    return NULL;
}

static void by_many_threads(void **state) {
    (void)state;
    enum { THREADS = 100 };
    static Job job[THREADS];
    pthread_t thread[THREADS];
    sculpt_plan *p = sculpt_plan_region(SCALED, "n=1000", SCULPT_ESTIMATE);
    if (!p) fail_msg("%s", sculpt_message());
    for (int i = 0; i < THREADS; i++) {
        job[i] = (Job){p, i, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &job[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_int_equal(job[i].wrong, 0);
    sculpt_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(executed), cmocka_unit_test(refused),
                                       cmocka_unit_test(by_many_threads)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
