// SPDX-License-Identifier: MIT
// capture.c -- calls of <sculpt/blas.h> while a stream is captured, on a driver that only counts
// (test/driver/cuda_stub.c): they launch kernels, and neither wait nor allocate nor copy nor start graphs.
#include "sculpt/blas.h"
#include "memory.h"

enum { N = 300, COUNT = 10 };
static sculpt_blas *h;
static float *a, *b, *c;

// What a captured graph may hold; 0: all calls went well.
static int calls(void) {
    const float *ta[COUNT];
    float *tc[COUNT];
    for (int i = 0; i < COUNT; i++) ta[i] = a + i * 256, tc[i] = c + i * 256;
    return sculpt_sgemm(h, 'N', 'T', N, N, N, 1, a, N, b, N, 0, c, N) |
           sculpt_sgemm(h, 'T', 'N', 5, 5, N * N / 8, 1, a, N * N / 8, b, N * N / 8, 0, c, N) |
           sculpt_sgemv(h, 'N', N, N, 1, a, N, b, 2, 0, c, -1) |
           sculpt_ssymv(h, 'U', N, 1, a, N, b, 1, 0, c, 1) |
           sculpt_strsm(h, 'L', 'U', 'N', 'N', N, N, 1, a, N, b, N) |
           sculpt_strsv(h, 'U', 'N', 'N', N, a, N, b, 1) |
           sculpt_strsm_strided(h, 'L', 'U', 'N', 'N', 16, 16, 1, a, 16, 256, b, 16, 256, COUNT) |
           sculpt_sgemm_batched(h, 'N', 'N', 16, 16, 16, 1, ta, 16, ta, 16, 0, tc, 16, COUNT) |
           sculpt_ssyr(h, 'L', N, 1, a, 1, c, N);
}

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int *captures = driver ? dlsym(driver, "stub_captures") : NULL,
        *disturbed = driver ? dlsym(driver, "stub_disturbed") : NULL,
        *launched = driver ? dlsym(driver, "stub_launched") : NULL;
    if (!captures || sculpt_blas_create(&h)) return puts("this is no stub of a driver"), 2;
    a = array(NULL, N * N * sizeof *a), b = array(NULL, N * N * sizeof *b),
    c = array(NULL, N * N * sizeof *c);
    size_t bytes = sculpt_strsm_workspace('L', 'U', 'N', 'N', N, N);
    size_t more = sculpt_strsv_workspace('U', 'N', 'N', N, 1);
    bytes = more > bytes ? more : bytes;
    check(calls() == 0 && calls() == 0, "calls run before");
    *captures = 1;
    check(sculpt_strsm(h, 'L', 'U', 'N', 'N', N, N, 1, a, N, b, N) == SCULPT_BLAS_FAILED &&
              strstr(sculpt_blas_why(h), "workspace"),
          "without a workspace");
    *captures = *disturbed = 0;
    sculpt_blas_set_workspace(h, array(NULL, bytes), bytes);
    check(calls() == 0 && calls() == 0 && calls() == 0, "calls run in a workspace");
    *disturbed = *launched = 0;
    check(calls() == 0 && !*disturbed, "a call neither waits nor allocates");
    *captures = 1;
    *launched = 0;
    check(calls() == 0, "calls run in a capture");
    check(*launched >= 10, "they launch kernels");
    check(!*disturbed, "nothing disturbs the capture");
    float result;
    check(sculpt_sdot(h, N, a, 1, b, 1, &result) == SCULPT_BLAS_FAILED && *sculpt_blas_why(h), "a result");
    check(!*disturbed, "nor does what fails");
    *captures = 0;
    check(sculpt_sdot(h, N, a, 1, b, 1, &result) == 0 && calls() == 0, "and it goes on");
    sculpt_blas_destroy(h);
    return said();
}
