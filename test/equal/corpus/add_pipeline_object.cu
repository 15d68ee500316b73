// CHECK loops.c:vector_add --where "n % 128 == 0" --grid "n / 128" --block 128
#include <cuda/pipeline>
__global__ void add_pipe(const float *a, const float *b, float *c) {
    __shared__ float sa[128], sb[128];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    pipe.producer_acquire();
    cuda::memcpy_async(&sa[t], &a[i], sizeof(float), pipe);
    cuda::memcpy_async(&sb[t], &b[i], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    c[i] = sa[t] + sb[t];
    pipe.consumer_release();
}
