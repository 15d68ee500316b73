// CHECK loops.c:copy_floats
#include <stdio.h>
__global__ void copy_vec4(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) out[i] = in[i];
}
__global__ void copy_one(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
void copy(int n, const float *x, float *y) {
    if (n <= 0) return;
    const int block = 256;
    if (n % 4 == 0) {
        int n4 = n / 4;
        int grid = (n4 + block - 1) / block;
        copy_vec4<<<grid, block>>>((const float4 *)x, (float4 *)y, n4);
    } else {
        int grid = (n + block - 1) / block;
        copy_one<<<grid, block>>>(x, y, n);
    }
}
