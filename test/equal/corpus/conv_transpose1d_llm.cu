// CHECK loops.c:deconv1d --where "K >= 1 && n >= 1" --grid "(n+K-1+127)/128" --block 128 --kernel conv_transpose1d
#include <cuda_fp16.h>
__global__ void conv_transpose1d(const float *x, const float *w, float *y, int n, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int L = n + K - 1;
    if (i >= L) return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) {
        int src = i - k;
        if (src >= 0 && src < n)
            acc += x[src] * w[k];
    }
    y[i] = acc;
}
