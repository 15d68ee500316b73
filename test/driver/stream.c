// stream.c -- plans on the device's own memory and in the caller's stream, on a driver that only counts
// (cuda_stub.c): nothing is moved, nothing waits, and a capture is not disturbed.
#include <dlfcn.h>
#include <pthread.h>
#include <sculpt/sculpt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scaled[] =
    "sculpt 1\nregion scaled @\"p.c\":3:5 sculpt {\n param n: i32 = \"n\"\n param k: f32 = \"k\"\n"
    " array x[n]: f32 = \"x\"\n array o[n]: f32 = \"o\" live\n do { for i: i32 = 0 .. n { S0[i] } }\n"
    " stmt S0[i]: o[i] = x[i] * k\n}\n";
enum { N = 1000000, THREADS = 100 };
static int bad;
static void check(int ok, const char *what) {
    if (ok) return;
    bad++;
    printf("FAIL %s: %s\n", what, sculpt_message());
}

static sculpt_plan *p;
static void *all[3][2];
static const double k = 2;
static void *work(void *arg) {
    static char streams[THREADS];
    for (int i = 0; i < 20; i++)
        if (!sculpt_execute_on(p, streams + (size_t)arg, all[1 + i % 2], &k)) return "not run";
    return NULL;
}

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *threads[THREADS], *said = NULL;
    int *captures = dlsym(driver, "stub_captures"), *disturbed = dlsym(driver, "stub_disturbed"),
        *launched = dlsym(driver, "stub_launched"), *copied = dlsym(driver, "stub_copied");
    const void **owns = dlsym(driver, "stub_owns"), **met = dlsym(driver, "stub_met");
    size_t *owned = dlsym(driver, "stub_owned");
    char *device = aligned_alloc(256, 16 * N), *host = aligned_alloc(256, 16 * N), stream;
    p = sculpt_plan_region(scaled, "n=1000000", SCULPT_ESTIMATE);
    if (!p) return printf("FAIL no plan: %s\n", sculpt_message()), 1;
    sculpt_array x[3];
    for (int i = 0; i < 2; i++) {
        check(sculpt_plan_describe(p, i, &x[i]) && !strcmp(x[i].name, sculpt_plan_array(p, i)), "an array");
        check(!strcmp(x[i].type, "f32") && x[i].bytes == 4 * N && x[i].written == (*x[i].name == 'o'),
              "what it is");
        all[0][i] = host + 4 * N * i, all[1][i] = device + 4 * N * i;
    }
    check(!sculpt_plan_describe(p, 2, &x[2]), "there are two");
    all[2][0] = all[1][1], all[2][1] = all[1][0];
    *owns = device, *owned = 8 * N;

    check(sculpt_execute(p, all[0], &k) && *copied >= 2, "arrays of the host's are moved");
    int both = *copied;
    *copied = *launched = 0;
    check(sculpt_execute(p, all[1], &k) && !*copied && *launched, "those of the device's are not");
    check(sculpt_execute_on(p, &stream, all[1], &k) && *met == &stream && !*copied, "a stream is met");
    void *mixed[] = {all[0][0], all[1][1]};
    check(sculpt_execute_on(p, &stream, mixed, &k) && *copied && *copied < both, "one of each: one is moved");

    *disturbed = *launched = *copied = 0;
    *captures = 1;
    check(sculpt_execute_on(p, (void *)-1, all[1], &k) && *launched, "it runs in a capture");
    check(!*disturbed && !*copied, "and does not disturb it");
    *captures = 0;
    check(sculpt_execute(p, all[1], &k), "and it goes on");

    for (size_t i = 0; i < THREADS; i++) pthread_create((pthread_t *)&threads[i], NULL, work, (void *)i);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join((pthread_t)threads[i], &said);
        check(!said, "a thread with a stream of its own");
    }
    // In place: the nest wants other arrays, and the host can't have these.
    all[1][1] = all[1][0];
    check(!sculpt_execute_on(p, NULL, all[1], &k) && *sculpt_message(), "what can't run says why");
    sculpt_destroy(p);
    return bad != 0;
}
