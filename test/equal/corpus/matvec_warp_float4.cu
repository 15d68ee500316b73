// CHECK loops.c:matvec --permit reassociate --where "m % 128 == 0" --grid n --block 32
__device__ __forceinline__ float warp_reduce_sum(float val) {
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) val += __shfl_xor_sync(0xffffffff, val, mask);
    return val;
}
__global__ void sgemv_k128(float *a, float *x, float *y, int n, int m) {
    int lane = threadIdx.x;
    int row = blockIdx.x;
    float sum = 0.0f;
    int num = m / 128;
    for (int w = 0; w < num; ++w) {
        int k = (w * 32 + lane) * 4;
        float4 ra = reinterpret_cast<float4 *>(&a[row * m + k])[0];
        float4 rx = reinterpret_cast<float4 *>(&x[k])[0];
        sum += (ra.x * rx.x + ra.y * rx.y + ra.z * rx.z + ra.w * rx.w);
    }
    sum = warp_reduce_sum(sum);
    if (lane == 0) y[row] = sum;
}
