// CHECK loops.c:matvec_rows --permit reassociate --where "n % 4 == 0" --grid m --block 64 --kernel gemv
__global__ void gemv(int m, int n, const float *A, const float *x, float *y) {
    __shared__ float red[64];
    const float4 *a4 = (const float4 *)(A + blockIdx.x * n), *x4 = (const float4 *)x;
    float s = 0;
    for (int j = threadIdx.x; j < (n >> 2); j += 64) {
        float4 a = a4[j], b = __ldg(&x4[j]);
        s = fmaf(a.x, b.x, s); s = fmaf(a.y, b.y, s); s = fmaf(a.z, b.z, s); s = fmaf(a.w, b.w, s);
    }
    red[threadIdx.x] = s;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (threadIdx.x < k) red[threadIdx.x] += red[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) y[blockIdx.x] = red[0];
}
