// SPDX-License-Identifier: MIT
// graph.c -- on a GPU: calls of <sculpt/blas.h> in a stream that is captured; the graph, launched, gives the
// bits that the calls give. capture.c counts what must not be called meanwhile, without a GPU.
#include "sculpt/blas.h"
#include "memory.h"

enum { N = 300, COUNT = 40, BYTES = N * N * sizeof(float) };
static sculpt_blas *h;
static float *a, *b, *c, *d;

static int calls(void) {
    const float *ta[COUNT];
    float *td[COUNT];
    for (int i = 0; i < COUNT; i++) ta[i] = a + i * 256, td[i] = d + i * 256;
    return sculpt_sgemm(h, 'N', 'T', N, N, N, 1, a, N, b, N, 0.5f, c, N) |
           sculpt_strsm(h, 'L', 'U', 'N', 'N', N, N, 1, a, N, b, N) |
           sculpt_sgemv(h, 'N', N, N / 2, 1, a, N, b, 2, 1, c, -1) |
           sculpt_sgemm_batched(h, 'N', 'T', 16, 16, 16, 1, ta, 16, ta, 16, 1, td, 16, COUNT) |
           sculpt_strsm_strided(h, 'R', 'U', 'N', 'U', 16, 16, 1, a, 16, 256, d, 16, 256, COUNT) |
           sculpt_ssyrk(h, 'L', 'N', N, N, 1, b, N, 1, c, N);
}

int main(void) {
    static float host[3][N * N], before[3][N * N], got[3][N * N];
    if (sculpt_blas_create(&h)) return puts("there is no device"), 1;
    open_driver();
    if (!cu.is_open) return puts("skipped: no CUDA"), 0;
    void *l = dlopen("libcuda.so.1", RTLD_NOW), *stream, *graph, *exec;
    int (*begin)(void *, int) = dlsym(l, "cuStreamBeginCapture_v2"),
                         (*end)(void *, void **) = dlsym(l, "cuStreamEndCapture"),
                         (*make)(void **, void *, unsigned long long) =
                             dlsym(l, "cuGraphInstantiateWithFlags"),
                         (*launch)(void *, void *) = dlsym(l, "cuGraphLaunch");
    for (int i = 0; i < N * N; i++) {
        for (int k = 0; k < 3; k++) host[k][i] = ((i * 7919L + k) % 1000 / 1000.0f - 0.5f) / N;
        if (i % (N + 1) == 0) host[0][i] = 1;
    }
    float *at[3];
    a = array(host[0], BYTES);
    for (int k = 0; k < 3; k++) at[k] = array(host[k], BYTES);
    b = at[0], c = at[1], d = at[2];
    cu.stream(&stream, 1);
    sculpt_blas_set_stream(h, stream);
    size_t bytes = sculpt_strsm_workspace('L', 'U', 'N', 'N', N, N);
    sculpt_blas_set_workspace(h, array(NULL, bytes), bytes);
    for (int i = 0; i < 3; i++) { // twice to prepare, once to compare
        for (int k = 0; k < 3; k++) cu.up((unsigned long long)at[k], host[k], BYTES);
        check(calls() == 0, "calls run");
        cu.sync(stream);
    }
    for (int k = 0; k < 3; k++)
        fetch(before[k], at[k], BYTES), cu.up((unsigned long long)at[k], host[k], BYTES);
    check(begin(stream, 0) == 0, "a capture begins"); // global: nothing unsafe by any thread
    check(calls() == 0, "calls run in a capture");
    puts(sculpt_blas_why(h));
    check(end(stream, &graph) == 0, "it ends");
    check(make(&exec, graph, 0) == 0, "a graph is made of it");
    for (int k = 0; k < 3; k++)
        fetch(got[k], at[k], BYTES), check(!memcmp(got[k], host[k], BYTES), "nothing ran");
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < 3; k++) cu.up((unsigned long long)at[k], host[k], BYTES);
        check(launch(exec, stream) == 0 && cu.sync(stream) == 0, "the graph runs");
        for (int k = 0; k < 3; k++)
            fetch(got[k], at[k], BYTES), check(!memcmp(got[k], before[k], BYTES), "same bits");
    }
    check(calls() == 0 && cu.sync(stream) == 0, "and calls go on");
    sculpt_blas_destroy(h);
    return said();
}
