// stream.c -- plans on the device's own memory and in the caller's stream. On a driver that only counts
// (cuda_stub.c): nothing is moved, nothing waits, and a capture is not disturbed. On a GPU: values are right.
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

// ---- on a GPU
static void *driver;
typedef unsigned long long Ptr; // CUdeviceptr
#define CU(name, ...) (((int (*)())dlsym(driver, name))(__VA_ARGS__))
static void *context;
static const float *scaled_by(double by, void *stream, Ptr at, float *out) {
    static __thread float want[N];
    for (int i = 0; i < N; i++) want[i] = (float)(i % 1000) * (float)by;
    int failed = CU("cuMemcpyDtoHAsync_v2", out, at, (size_t)4 * N, stream);
    return failed || CU("cuStreamSynchronize", stream) || memcmp(want, out, 4 * N) ? NULL : out;
}

// Arrays and a stream of its own, some calls in a row.
static void *by_itself(void *arg) {
    Ptr at = 0;
    void *stream = NULL, *arrays[2];
    float *x = malloc(4 * N), *o = malloc(4 * N);
    for (int i = 0; i < N; i++) x[i] = (float)(i % 1000);
    if (CU("cuCtxSetCurrent", context) || CU("cuMemAlloc_v2", &at, (size_t)8 * N)) return "no memory";
    if (CU("cuStreamCreate", &stream, 1u)) return "no stream";
    for (int i = 0; i < 2; i++) arrays[i] = (void *)(at + (*sculpt_plan_array(p, i) == 'o' ? 4 * N : 0));
    for (int call = 1; call <= 10; call++) {
        double by = (double)(size_t)arg + call;
        CU("cuMemcpyHtoDAsync_v2", at, x, (size_t)4 * N, stream);
        if (!sculpt_execute_on(p, stream, arrays, &by)) return "not run";
        if (!scaled_by(by, stream, at + 4 * N, o)) return "wrong values";
    }
    void *graph = NULL, *exec = NULL;
    double by = 3;
    if (!arg) { // in a capture, which must be the only thing that goes on
        check(!CU("cuMemsetD8_v2", at + 4 * N, 0, (size_t)4 * N) && !CU("cuCtxSynchronize"), "cleared");
        check(!CU("cuStreamBeginCapture_v2", stream, 0), "a capture");
        check(sculpt_execute_on(p, stream, arrays, &by), "it runs in a capture");
        check(!CU("cuStreamEndCapture", stream, &graph) &&
                  !CU("cuGraphInstantiateWithFlags", &exec, graph, (Ptr)0), "a graph");
        check(!scaled_by(by, stream, at + 4 * N, o), "nothing ran so far");
        check(!CU("cuGraphLaunch", exec, stream), "it is launched");
        check(!!scaled_by(by, stream, at + 4 * N, o), "and right");
        by = 5;
        check(sculpt_execute(p, arrays, &by) && scaled_by(by, NULL, at + 4 * N, o), "without a stream");
        for (int i = 0; i < 2; i++)
            if (*sculpt_plan_array(p, i) == 'x') arrays[i] = x;
        by = 7;
        check(sculpt_execute_on(p, stream, arrays, &by), "one of each");
        check(!!scaled_by(by, stream, at + 4 * N, o), "and right");
    }
    CU("cuStreamDestroy_v2", stream), CU("cuMemFree_v2", at);
    return free(x), free(o), NULL;
}

static int on_gpu(void) {
    enum { GPU_THREADS = 8 };
    pthread_t thread[GPU_THREADS];
    void *said = NULL;
    int device = 0;
    check(!CU("cuInit", 0u) && !CU("cuDeviceGet", &device, 0) &&
              !CU("cuDevicePrimaryCtxRetain", &context, device), "a GPU");
    p = sculpt_plan_region(scaled, "n=1000000", SCULPT_ESTIMATE);
    if (!p) return printf("FAIL no plan: %s\n", sculpt_message()), 1;
    said = by_itself((void *)0);
    check(!said, said ? said : "");
    for (size_t i = 1; i < GPU_THREADS; i++) pthread_create(&thread[i], NULL, by_itself, (void *)i);
    for (size_t i = 1; i < GPU_THREADS; i++) {
        pthread_join(thread[i], &said);
        check(!said, said ? said : "");
    }
    sculpt_destroy(p);
    printf("plans on %s: %s\n", sculpt_device_name(), bad ? "wrong" : "right");
    return bad != 0;
}

int main(void) {
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) return puts("there is no CUDA driver"), 2;
    if (!dlsym(driver, "stub_captures")) return on_gpu();
    void *threads[THREADS], *said = NULL;
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
